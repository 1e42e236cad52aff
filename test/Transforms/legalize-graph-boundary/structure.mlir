// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file | FileCheck %s
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary --split-input-file | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary --split-input-file -o /dev/null

// Programs of unusual structure that are right all the same.

// Operations with several results: only what a task sees is a parameter.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: i32) -> (%o)
  // CHECK-LABEL: graph.func graph @results(
  // CHECK-SAME: in %y: i32, in %scalar0: i32, in %scalar1: i32) {
  // CHECK-NEXT: graph.call @k(%c, %c, %scalar1)
  // CHECK-NEXT: graph.call @k(%c, %c, %scalar0)
  // CHECK-NEXT: graph.return
  graph.func graph @results(inout %c: !t, in %x: i32, in %y: i32) {
    %sum, %carry = arith.addui_extended %x, %y : i32, i1
    %low, %high = arith.mulsi_extended %x, %y : i32
    graph.call @k(%c, %c, %high) : (!t, !t, i32) -> !t
    graph.call @k(%c, %c, %sum) : (!t, !t, i32) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[SUM:.*]], %{{.*}} = arith.addui_extended %x, %x : i32, i1
  // CHECK-NEXT: %{{.*}}, %[[HIGH:.*]] = arith.mulsi_extended %x, %x : i32
  // CHECK-NEXT: graph.call @results(%c, %x, %x, %[[SUM]], %[[HIGH]])
  graph.func orchestration @main(inout %c: !t, in %x: i32) {
    graph.call @results(%c, %x, %x) : (!t, i32, i32) -> ()
    graph.return
  }
}

// -----

// Derived in a scope in a scope, launched from a scope that yields.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  // CHECK-LABEL: graph.func graph @scopes(
  // CHECK-SAME: in %x: index, in %scalar0: index) {
  // CHECK: graph.call @k(%c, %c, %scalar0)
  graph.func graph @scopes(inout %c: !t, in %x: index) {
    %v = graph.scope manual -> (index) {
      %w = graph.scope auto -> (index) {
        %z = arith.divui %x, %x : index
        graph.yield %z : index
      }
      graph.yield %w : index
    }
    graph.call @k(%c, %c, %v) : (!t, !t, index) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: graph.scope manual
  // CHECK-NEXT: %[[Z:.*]] = arith.divui %x, %x
  // CHECK-NEXT: graph.call @scopes(%c, %x, %[[Z]])
  graph.func orchestration @main(inout %c: !t, in %x: index) {
    %c1 = graph.scope manual -> (!t) {
      graph.call @scopes(%c, %x) : (!t, index) -> ()
      graph.yield %c : !t
    }
    graph.return
  }
}

// -----

// What a constant-trip loop carries is the same on every replay when what goes in
// and what is done to it are.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  // CHECK-LABEL: graph.func graph @carried(
  // CHECK-SAME: inout %c: !graph.tensor<16xf32>) {
  // CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}})
  // CHECK-NEXT: graph.call @k(%c, %c, %[[X]])
  graph.func graph @carried(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c0) -> (index) {
      graph.call @k(%c, %c, %x) : (!t, !t, index) -> !t
      %odd = arith.remui %i, %c4 : index
      %p = arith.cmpi eq, %odd, %c1 : index
      %n = scf.if %p -> (index) {
        %y = arith.addi %x, %c4 : index
        scf.yield %y : index
      } else {
        scf.yield %c1 : index
      }
      scf.yield %n : index
    }
    graph.call @k(%c, %c, %r) : (!t, !t, index) -> !t
    graph.return
  }
  // The carry is a parameter in every iteration that runs, but the loop never
  // runs: what comes out is what goes in.
  // CHECK-LABEL: graph.func graph @not_run(
  // CHECK-SAME: in %x: index) {
  // CHECK: graph.call @k(%c, %c, %x)
  graph.func graph @not_run(inout %c: !t, in %x: index) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = scf.for %i = %c4 to %c1 step %c1 iter_args(%y = %x) -> (index) {
      scf.yield %y : index
    }
    graph.call @k(%c, %c, %r) : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// A module in a module has its own symbols and inherits the runtime.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t)
  module {
    graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
    // CHECK-LABEL: graph.func graph @nested(
    // CHECK-SAME: in %x: index, in %scalar0: index) {
    graph.func graph @nested(inout %c: !t, in %x: index) {
      %y = arith.addi %x, %x : index
      graph.call @k(%c, %c, %y) : (!t, !t, index) -> !t
      graph.return
    }
    // CHECK-LABEL: graph.func orchestration @nested_main(
    // CHECK-NEXT: arith.addi %x, %x
    // CHECK-NEXT: graph.call @nested(%c, %x, %{{.*}})
    graph.func orchestration @nested_main(inout %c: !t, in %x: index) {
      graph.call @nested(%c, %x) : (!t, index) -> ()
      graph.return
    }
  }
}

// -----

// Casts change what is known, not what is there.

!t = !graph.tensor<128x128xf32>
!d = !graph.tensor<?x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @casts(
  // CHECK-SAME: in %x: index, in %view0: !graph.tensor<128x128xf32>) {
  // CHECK-NEXT: %[[V:.*]] = graph.cast %view0
  // CHECK-NEXT: graph.call @k(%[[V]], %c)
  graph.func graph @casts(in %w: !d, inout %c: !t, in %x: index) {
    %s = graph.cast %w : !d to !w
    %v = graph.slice %s[%x, 0] [128, 128] : !w to !t
    %u = graph.cast %v : !t to !d
    graph.call @k(%u, %c) : (!d, !t) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK: graph.slice %{{.*}}[%x, 0] [128, 128]
  graph.func orchestration @main(in %w: !d, inout %c: !t, in %x: index) {
    graph.call @casts(%w, %c, %x) : (!d, !t, index) -> ()
    graph.return
  }
}

// -----

// The launch may know less of the extents than the function says.

!t = !graph.tensor<128x128xf32>
!d = !graph.tensor<?x128xf32>
!f = !graph.tensor<64x1024xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !f, inout %o: !t) -> (%o)
  graph.func graph @more(in %w: !w, inout %c: !t, in %x: index) {
    %v = graph.slice %w[%x, 0] [128, 128] : !w to !t
    %r = graph.view %w [64, 1024] : !w to !f
    graph.call @k(%v, %r, %c) : (!t, !f, !t) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[V:.*]] = graph.slice %w[%x, 0] [128, 128] : !graph.tensor<?x128xf32> to !graph.tensor<128x128xf32>
  // CHECK-NEXT: %[[W:.*]] = graph.cast %w : !graph.tensor<?x128xf32> to !graph.tensor<512x128xf32>
  // CHECK-NEXT: %[[R:.*]] = graph.view %[[W]] [64, 1024]
  // CHECK-NEXT: graph.call @more(%w, %c, %x, %[[V]], %[[R]])
  graph.func orchestration @main(in %w: !d, inout %c: !t, in %x: index) {
    graph.call @more(%w, %c, %x) : (!d, !t, index) -> ()
    graph.return
  }
}

// -----

// Choices a replay repeats, and windows of them.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !h, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @choice(
  // CHECK-SAME: in %b: !graph.tensor<128x128xf32>) {
  // CHECK: %[[M:.*]] = arith.select
  // CHECK: graph.slice %[[M]][32, 0] [64, 128]
  graph.func graph @choice(inout %c: !t, in %a: !t, in %b: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = graph.dim %a, %c0 : !t
    %p = arith.cmpi ugt, %rows, %c1 : index
    %m = arith.select %p, %a, %b : !t
    %u = graph.slice %m[32, 0] [64, 128] : !t to !h
    graph.call @k(%u, %c) : (!h, !t) -> !t
    graph.return
  }
}

// -----

// Task ids through loops, branches and arrays, with indices that never vary.

!t = !graph.tensor<16xf32>
!id = !graph.task_id
!ids = !graph.array<2 x !graph.task_id>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @ids(
  // CHECK-SAME: inout %c: !graph.tensor<16xf32>, in %n: index) {
  graph.func graph @ids(inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %first = graph.task_dummy : !id
    %arr = graph.array.create : !ids
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%before = %first, %a = %arr) -> (!id, !ids) {
      %r, %t = graph.submit @k(%c, %c) deps(%before, %a : !id, !ids) : (!t, !t) -> (!t, !id)
      %parity = arith.andi %i, %c1 : index
      %next = graph.array.insert %t, %a[%parity] : !ids
      %p = arith.cmpi eq, %parity, %c0 : index
      %then = scf.if %p -> (!id) {
        %d = graph.task_dummy deps(%t : !id) : !id
        scf.yield %d : !id
      } else {
        scf.yield %t : !id
      }
      scf.yield %then, %next : !id, !ids
    }
    %end = graph.task_dummy deps(%last#0, %last#1 : !id, !ids) : !id
    graph.return
  }
}
