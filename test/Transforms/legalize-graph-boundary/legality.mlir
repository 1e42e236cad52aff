// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file | FileCheck %s
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary --split-input-file | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary --split-input-file -o /dev/null

// What the checks of legality must not refuse.

// LD09, LD10, LD12: results that are parameters, however they get there.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)

  // CHECK-LABEL: graph.func graph @ld09(
  // CHECK-SAME: -> (%d, %c, %a, %li) {
  graph.func graph @ld09(in %a: !t, inout %c: !t, inout %d: !t, in %li: index) -> (%d, %c, %a, %li) {
    %c1 = graph.call @k(%a, %c) : (!t, !t) -> !t
    graph.return %d, %c1, %a, %li : !t, !t, !t, index
  }
  // Not tied in the signature, but the parameter all the same.
  // CHECK-LABEL: graph.func graph @untied(
  graph.func graph @untied(in %a: !t, inout %c: !t) -> (!t) {
    %c1 = graph.call @k(%a, %c) : (!t, !t) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func graph @ld12(
  graph.func graph @ld12(in %a: !t, inout %c: !t) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %rv = scf.for %i = %c0 to %c4 step %c1 iter_args(%cc = %c) -> (!t) {
      %r = graph.call @k(%a, %cc) : (!t, !t) -> !t
      scf.yield %r : !t
    }
    graph.return %rv : !t
  }
}

// -----

// LD15: allocations are nodes.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // CHECK-LABEL: graph.func graph @ld15(
  // CHECK: graph.create
  graph.func graph @ld15(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %tmp = graph.create : !t
    }
    graph.return
  }
  // A dummy is a node.
  // CHECK-LABEL: graph.func graph @dummy(
  graph.func graph @dummy(inout %c: !t) {
    %t = graph.task_dummy : !graph.task_id
    graph.return
  }
}

// -----

// LD16, LD36, LD37, LD38: exactly 1024 nodes. A batch of 16 allocations of one
// statement list is one node; a scope has a list of its own.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @ld16(
  graph.func graph @ld16(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 1024 : index
    scf.for %i = %c0 to %n step %c1 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
  // 341 times (a node for 3 buffers, one for 1 buffer in the scope, one launch),
  // and a launch.
  // CHECK-LABEL: graph.func graph @ld37(
  graph.func graph @ld37(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 341 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = graph.create : !t
      %1 = graph.create : !t
      %2 = graph.create : !t
      graph.scope manual {
        %3 = graph.create : !t
        %r = graph.call @k(%3, %c) : (!t, !t) -> !t
        graph.yield
      }
    }
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
  // 512 times (a node for 16 buffers, a launch between them).
  // CHECK-LABEL: graph.func graph @ld36(
  graph.func graph @ld36(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 512 : index
    scf.for %i = %c0 to %n step %c1 {
      %0 = graph.create : !t
      %1 = graph.create : !t
      %2 = graph.create : !t
      %3 = graph.create : !t
      %4 = graph.create : !t
      %5 = graph.create : !t
      %6 = graph.create : !t
      %7 = graph.create : !t
      %r = graph.call @k(%7, %c) : (!t, !t) -> !t
      %8 = graph.create : !t
      %9 = graph.create : !t
      %10 = graph.create : !t
      %11 = graph.create : !t
      %12 = graph.create : !t
      %13 = graph.create : !t
      %14 = graph.create : !t
      %15 = graph.create : !t
    }
    graph.return
  }
  // The larger arm counts, whichever runs.
  // CHECK-LABEL: graph.func graph @arms(
  graph.func graph @arms(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 1022 : index
    %rows = graph.dim %c, %c0 : !t
    %p = arith.cmpi eq, %rows, %n : index
    scf.if %p {
      scf.for %i = %c0 to %n step %c1 {
        %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      }
    } else {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      %s = graph.call @k(%c, %c) : (!t, !t) -> !t
      %t = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    // The arms of a switch likewise.
    scf.index_switch %rows
    case 16 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      %s = graph.call @k(%c, %c) : (!t, !t) -> !t
      scf.yield
    }
    default {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      scf.yield
    }
    graph.return
  }
}

// -----

// LD30: control flow without nodes is free.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @ld30(
  // CHECK: scf.for
  // CHECK: scf.while
  // CHECK: scf.if
  graph.func graph @ld30(in %gate: !graph.tensor<4xi1>, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
    }
    scf.while : () -> () {
      %f = graph.read %gate[0] : !graph.tensor<4xi1>
      scf.condition(%f)
    } do {
      scf.yield
    }
    %g = graph.read %gate[1] : !graph.tensor<4xi1>
    scf.if %g {
    }
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// LD32: one launch is one node, whatever runs in it; wrappers are launched.
// LD41: block counts that fold to a constant.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func group @pair(in %a: !t, inout %o: !t) -> (%o) attributes {core_num = 2 : i64} {
    %r = graph.call @k(%a, %o) : (!t, !t) -> !t
    %s = graph.call @k(%a, %r) : (!t, !t) -> !t
    graph.return %s : !t
  }
  graph.func private spmd @wide(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @ld32(
  // CHECK: core_num(
  graph.func graph @ld32(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %n = arith.constant 512 : index
    %c8 = arith.muli %c2, %c4 : index
    scf.for %i = %c0 to %n step %c1 {
      %r, %t = graph.submit @wide(%c, %c) core_num(%c8) : (!t, !t) -> (!t, !graph.task_id)
      %s = graph.call @pair(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// LD50: a task may leave out trailing `out` arguments.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, out %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @ld50(
  // CHECK: graph.submit @k(%c) :
  graph.func graph @ld50(inout %c: !t) {
    %o, %t = graph.submit @k(%c) : (!t) -> (!t, !graph.task_id)
    graph.return
  }
}

// -----

// Loops: unsigned ones, narrow bounds, bounds that are constants by way of a
// rename or of arithmetic on extents; negative steps where nothing is launched.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: i8) -> (%o)
  // CHECK-LABEL: graph.func graph @loops(
  // CHECK-SAME: inout %c: !graph.tensor<16xf32>) {
  graph.func graph @loops(inout %c: !t) {
    %c0 = arith.constant 0 : i8
    %c1 = arith.constant 1 : i8
    // 250 iterations when unsigned, none when signed.
    %c250 = arith.constant 250 : i8
    scf.for unsigned %i = %c0 to %c250 step %c1 : i8 {
      %r = graph.call @k(%c, %c, %i) : (!t, !t, i8) -> !t
    }
    %alias = graph.alias %c250 : i8
    scf.for unsigned %i = %c0 to %alias step %c1 : i8 {
      %r = graph.call @k(%c, %c, %i) : (!t, !t, i8) -> !t
    }
    %m1 = arith.constant -1 : i8
    scf.for %i = %c0 to %c250 step %m1 : i8 {
    }
    graph.return
  }
}

// -----

// A switch over what never varies, a region that runs once.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  // CHECK-LABEL: graph.func graph @structured(
  // CHECK-SAME: in %li: index, inout %alloc0: !graph.tensor<16xf32>, in %scalar0: index) {
  // CHECK: scf.for
  // CHECK: scf.index_switch
  // CHECK: graph.call @k(
  // CHECK: scf.execute_region
  // CHECK: graph.call @k(%alloc0, %c, %scalar0)
  graph.func graph @structured(inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      scf.index_switch %i
      case 2 {
        %r = graph.call @k(%c, %c, %i) : (!t, !t, index) -> !t
        scf.yield
      }
      default {
        %r = graph.call @k(%c, %c, %li) : (!t, !t, index) -> !t
        scf.yield
      }
    }
    scf.execute_region {
      %tmp = graph.create : !t
      %x = arith.divui %c4, %li : index
      %r = graph.call @k(%tmp, %c, %x) : (!t, !t, index) -> !t
      scf.yield
    }
    graph.return
  }
}

// -----

// Choices that never vary: a ping-pong of buffers in a constant-trip loop, arms
// that are the same buffer, a condition on what never varies.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @choices(
  // CHECK-SAME: inout %a: {{[^,]*}}, inout %b: {{[^,]*}}, in %f: i1, inout %alloc0: {{[^,]*}}, inout %alloc1: {{[^,]*}}) {
  graph.func graph @choices(inout %a: !t, inout %b: !t, in %f: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %ping = graph.create : !t
    %pong = graph.create : !t
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %ping, %y = %pong) -> (!t, !t) {
      %s = graph.call @k(%x, %y) : (!t, !t) -> !t
      scf.yield %s, %x : !t, !t
    }
    %last = graph.call @k(%r#0, %a) : (!t, !t) -> !t
    %same = arith.select %f, %last, %a : !t
    %u = graph.call @k(%same, %b) : (!t, !t) -> !t
    scf.for %i = %c0 to %c4 step %c1 {
      %odd = arith.cmpi eq, %i, %c1 : index
      %which = arith.select %odd, %a, %b : !t
      %v = graph.call @k(%which, %b) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// Predicates on what never varies; the gate is a boundary tensor and is read on
// every replay.

!t = !graph.tensor<16xf32>
!g = !graph.tensor<8x2xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %e: index) -> (%o)
  // CHECK-LABEL: graph.func graph @moe(
  // CHECK-SAME: in %counts: {{[^,]*}}, inout %c: !graph.tensor<16xf32>) {
  // CHECK: graph.submit @k({{.*}}) predicate(%counts[%{{.*}}, 0] gt %{{.*}} : !graph.tensor<8x2xi32>)
  graph.func graph @moe(in %counts: !g, inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0 : i32
    scf.for %e = %c0 to %c8 step %c1 {
      %r, %t = graph.submit @k(%c, %c, %e) predicate(%counts[%e, 0] gt %zero : !g)
          : (!t, !t, index) -> (!t, !graph.task_id)
    }
    graph.return
  }
}

// -----

// A declaration has nothing to rewrite; what launches it stays as it is.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // CHECK: graph.func private graph @declared(inout %c: !graph.tensor<16xf32>, in %n: index) -> (%c)
  graph.func private graph @declared(inout %c: !t, in %n: index) -> (%c)
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: graph.call @declared(%c, %n) :
  graph.func orchestration @main(inout %c: !t, in %n: index) {
    %r = graph.call @declared(%c, %n) : (!t, index) -> !t
    graph.return
  }
}
