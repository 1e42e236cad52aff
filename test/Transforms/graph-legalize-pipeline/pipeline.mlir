// RUN: pypto-opt --graph-legalize-pipeline -split-input-file %s -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: pypto-opt --graph-legalize-pipeline -split-input-file %t.mlir | diff %t.mlir -
// RUN: pypto-opt --pass-pipeline='builtin.module(graph-legalize-pipeline{verify=false})' -split-input-file %s | diff %t.mlir -
// RUN: pypto-opt --mlir-disable-threading --graph-legalize-pipeline -split-input-file %s | diff %t.mlir -
// RUN: pypto-opt --verify-properties --graph-legalize-pipeline -split-input-file %s | diff %t.mlir -
// RUN: %stock_mlir_opt --load-dialect-plugin=%pypto_plugin --pass-pipeline='builtin.module(graph-legalize-pipeline)' -split-input-file %s | diff %t.mlir -

// E2E02: the window moves to the launch; directions are resolved everywhere.

// CHECK-LABEL: graph.func orchestration @main
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[OFF:.*]] = arith.muli %[[I]]
// CHECK: %[[BAND:.*]] = graph.slice %w[%[[OFF]], 0] [128, 128]
// CHECK: graph.call @band(input %w, inout %{{.*}}, scalar %[[I]], input %[[BAND]])
// CHECK-LABEL: graph.func graph @band(in %w: !graph.tensor<512x128xf32>, inout %acc: !graph.tensor<128x128xf32>, in %li: index, in %view0: !graph.tensor<128x128xf32>) -> (%acc)
// CHECK: graph.call @add(input %view0, inout %acc)
// CHECK: graph.return %acc
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @add(in %b: !graph.tensor<128x128xf32>, inout %acc: !graph.tensor<128x128xf32>) -> (%acc)
  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>, inout %acc: !graph.tensor<128x128xf32>)
      -> (!graph.tensor<128x128xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %sum = scf.for %li = %c0 to %c4 step %c1 iter_args(%a = %acc) -> (!graph.tensor<128x128xf32>) {
      %a1 = graph.call @band(%w, %a, %li)
          : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index) -> !graph.tensor<128x128xf32>
      scf.yield %a1 : !graph.tensor<128x128xf32>
    }
    graph.return %sum : !graph.tensor<128x128xf32>
  }
  graph.func graph @band(in %w: !graph.tensor<512x128xf32>, inout %acc: !graph.tensor<128x128xf32>, in %li: index)
      -> (!graph.tensor<128x128xf32>) {
    %rows = arith.constant 128 : index
    %base = arith.muli %li, %rows : index
    %band = graph.slice %w[%base, 0] [128, 128] : !graph.tensor<512x128xf32> to !graph.tensor<128x128xf32>
    %acc1 = graph.call @add(%band, %acc)
        : (!graph.tensor<128x128xf32>, !graph.tensor<128x128xf32>) -> !graph.tensor<128x128xf32>
    graph.return %acc1 : !graph.tensor<128x128xf32>
  }
}

// -----

// E2E04: scratch is allocated at the launch; the task before its first read
// writes an inout parameter then. An inline function in the graph is inlined.

// CHECK-LABEL: graph.func graph @scratch(in %a: !graph.tensor<64xf32>, inout %acc: !graph.tensor<64xf32>, inout %alloc0: !graph.tensor<64xf32>) -> (%acc)
// CHECK-NEXT: graph.call @twice(input %a, output_existing %alloc0)
// CHECK-NEXT: graph.call @add(input %{{.*}}, inout %acc)
// CHECK-NEXT: graph.return %acc
// CHECK-LABEL: graph.func orchestration @main
// CHECK-COUNT-2: graph.create
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @twice(in %x: !graph.tensor<64xf32>, out %y: !graph.tensor<64xf32>) -> (%y)
  graph.func private incore @add(in %x: !graph.tensor<64xf32>, inout %y: !graph.tensor<64xf32>) -> (%y)
  graph.func private inline @helper(in %x: !graph.tensor<64xf32>, inout %y: !graph.tensor<64xf32>) -> (%y) {
    %0 = graph.call @add(%x, %y) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return %0 : !graph.tensor<64xf32>
  }
  graph.func graph @scratch(in %a: !graph.tensor<64xf32>, inout %acc: !graph.tensor<64xf32>) -> (!graph.tensor<64xf32>) {
    %tmp = graph.create : !graph.tensor<64xf32>
    %0 = graph.call @twice(%a, %tmp) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    %1 = graph.call @helper(%0, %acc) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return %1 : !graph.tensor<64xf32>
  }
  graph.func orchestration @main(in %a: !graph.tensor<64xf32>, inout %acc: !graph.tensor<64xf32>) {
    %0 = graph.call @scratch(%a, %acc) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    %1 = graph.call @scratch(%a, %0) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return
  }
}

// -----

// E2E05: two graphs take turns; both stay. E2E07: five launches of one function.

// CHECK-LABEL: graph.func graph @plus
// CHECK-LABEL: graph.func graph @times
// CHECK-LABEL: graph.func opaque @main
// CHECK: scf.for
// CHECK: graph.call @plus(input %a, inout %
// CHECK: graph.call @times(inout %
// CHECK-COUNT-4: graph.call @plus(input %a, inout %
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @add(in %x: !graph.tensor<64xf32>, inout %y: !graph.tensor<64xf32>) -> (%y)
  graph.func private incore @double(inout %y: !graph.tensor<64xf32>) -> (%y)
  graph.func graph @plus(in %a: !graph.tensor<64xf32>, inout %acc: !graph.tensor<64xf32>) -> (!graph.tensor<64xf32>) {
    %0 = graph.call @add(%a, %acc) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return %0 : !graph.tensor<64xf32>
  }
  graph.func graph @times(inout %acc: !graph.tensor<64xf32>) -> (!graph.tensor<64xf32>) {
    %0 = graph.call @double(%acc) : (!graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return %0 : !graph.tensor<64xf32>
  }
  graph.func opaque @main(in %a: !graph.tensor<64xf32>, inout %acc: !graph.tensor<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %acc) -> (!graph.tensor<64xf32>) {
      %0 = graph.call @plus(%a, %x) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
      %1 = graph.call @times(%0) : (!graph.tensor<64xf32>) -> !graph.tensor<64xf32>
      scf.yield %1 : !graph.tensor<64xf32>
    }
    %2 = graph.call @plus(%a, %r) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    %3 = graph.call @plus(%a, %2) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    %4 = graph.call @plus(%a, %3) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    %5 = graph.call @plus(%a, %4) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return
  }
}

// -----

// E2E09: swapped results; what is consumed is q, then p.

// CHECK-LABEL: graph.func graph @layer
// CHECK-SAME: -> (%y, %x)
// CHECK: graph.return %y, %x
// CHECK-LABEL: graph.func orchestration @main
// CHECK: %[[R:.*]]:2 = graph.call @layer(input %a, inout %p, inout %q)
// CHECK: graph.call @consume(input %[[R]]#0, input %[[R]]#1, output_existing %out)
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @add(in %x: !graph.tensor<64xf32>, inout %y: !graph.tensor<64xf32>) -> (%y)
  graph.func private incore @consume(in %x: !graph.tensor<64xf32>, in %y: !graph.tensor<64xf32>, out %z: !graph.tensor<64xf32>) -> (%z)
  graph.func graph @layer(in %a: !graph.tensor<64xf32>, inout %x: !graph.tensor<64xf32>, inout %y: !graph.tensor<64xf32>)
      -> (!graph.tensor<64xf32>, !graph.tensor<64xf32>) {
    %0 = graph.call @add(%a, %x) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    %1 = graph.call @add(%a, %y) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return %1, %0 : !graph.tensor<64xf32>, !graph.tensor<64xf32>
  }
  graph.func orchestration @main(in %a: !graph.tensor<64xf32>, inout %p: !graph.tensor<64xf32>, inout %q: !graph.tensor<64xf32>, out %out: !graph.tensor<64xf32>) {
    %qq, %pp = graph.call @layer(%a, %p, %q)
        : (!graph.tensor<64xf32>, !graph.tensor<64xf32>, !graph.tensor<64xf32>) -> (!graph.tensor<64xf32>, !graph.tensor<64xf32>)
    %0 = graph.call @consume(%qq, %pp, %out)
        : (!graph.tensor<64xf32>, !graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return
  }
}

// -----

// E2E12: a launch-free loop over an extent of the boundary tensor may stay.

// CHECK-LABEL: graph.func graph @dynamic(inout %a: !graph.tensor<?xf32>) -> (%a)
// CHECK: graph.call @use(inout %a)
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @use(inout %x: !graph.tensor<?xf32>) -> (%x)
  graph.func graph @dynamic(inout %a: !graph.tensor<?xf32>) -> (!graph.tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d = graph.dim %a, %c0 : !graph.tensor<?xf32>
    %sum = scf.for %i = %c0 to %d step %c1 iter_args(%s = %c0) -> (index) {
      %n = arith.addi %s, %i : index
      scf.yield %n : index
    }
    %0 = graph.call @use(%a) : (!graph.tensor<?xf32>) -> !graph.tensor<?xf32>
    graph.return %0 : !graph.tensor<?xf32>
  }
  graph.func orchestration @main(inout %a: !graph.tensor<?xf32>) {
    %0 = graph.call @dynamic(%a) : (!graph.tensor<?xf32>) -> !graph.tensor<?xf32>
    graph.return
  }
}

// -----

// E2E14: predicated launches keep their gates; a write before makes the second
// launch of a band wait.

// CHECK-LABEL: graph.func graph @experts
// CHECK: graph.submit @expert(input %x, inout %y) predicate(%counts[0, 0] gt %{{.*}} : !graph.tensor<2x1xi32>)
// CHECK: graph.submit @expert(input %x, inout %y) predicate(%counts[1, 0] gt %{{.*}} : !graph.tensor<2x1xi32>)
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @expert(in %x: !graph.tensor<64xf32>, inout %y: !graph.tensor<64xf32>) -> (%y)
  graph.func graph @experts(in %x: !graph.tensor<64xf32>, in %counts: !graph.tensor<2x1xi32>, inout %y: !graph.tensor<64xf32>) {
    %z = arith.constant 0 : i32
    %0, %t0 = graph.submit @expert(%x, %y) predicate(%counts[0, 0] gt %z : !graph.tensor<2x1xi32>)
        : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> (!graph.tensor<64xf32>, !graph.task_id)
    %1, %t1 = graph.submit @expert(%x, %y) predicate(%counts[1, 0] gt %z : !graph.tensor<2x1xi32>)
        : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> (!graph.tensor<64xf32>, !graph.task_id)
    graph.return
  }
  graph.func orchestration @main(in %x: !graph.tensor<64xf32>, in %counts: !graph.tensor<2x1xi32>, inout %y: !graph.tensor<64xf32>) {
    graph.call @experts(%x, %counts, %y) : (!graph.tensor<64xf32>, !graph.tensor<2x1xi32>, !graph.tensor<64xf32>) -> ()
    graph.return
  }
}

// -----

// E2E18: without graph functions the default runtime is as good.

// CHECK-LABEL: graph.func orchestration @main
// CHECK: graph.call @add(input %{{.*}}, inout %
module {
  graph.func private incore @add(in %x: !graph.tensor<128x128xf32>, inout %y: !graph.tensor<128x128xf32>) -> (%y)
  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>, inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %rows = arith.constant 128 : index
    %sum = scf.for %li = %c0 to %c4 step %c1 iter_args(%a = %acc) -> (!graph.tensor<128x128xf32>) {
      %base = arith.muli %li, %rows : index
      %band = graph.slice %w[%base, 0] [128, 128] : !graph.tensor<512x128xf32> to !graph.tensor<128x128xf32>
      %a1 = graph.call @add(%band, %a)
          : (!graph.tensor<128x128xf32>, !graph.tensor<128x128xf32>) -> !graph.tensor<128x128xf32>
      scf.yield %a1 : !graph.tensor<128x128xf32>
    }
    graph.return %sum : !graph.tensor<128x128xf32>
  }
}

// -----

// An inline function that others may see: its scope is outlined where it was
// inlined, and nothing is left of it.

// CHECK: graph.func graph @inner(inout %c: !graph.tensor<64xf32>)
// CHECK-NOT: graph.func inline
// CHECK: graph.func orchestration @main
// CHECK: graph.call @inner(inout %c)
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !graph.tensor<64xf32>) -> (%c)
  graph.func inline @f(inout %c: !graph.tensor<64xf32>) {
    graph.scope graph "inner" {
      %0 = graph.call @k(%c) : (!graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    }
    graph.return
  }
  graph.func orchestration @main(inout %c: !graph.tensor<64xf32>) {
    graph.call @f(%c) : (!graph.tensor<64xf32>) -> ()
    graph.return
  }
}

// -----

// A condition of the graph is recomputed at the launch, under the same
// condition: it folds in this run, not in the next.

// CHECK: graph.func graph @layer
// CHECK: graph.func orchestration @main(
// CHECK: scf.if
// CHECK: graph.call @layer({{.*}}%true
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !graph.tensor<64xf32>, in %s: i1) -> (%c)
  graph.func orchestration @main(inout %c: !graph.tensor<64xf32>, in %m: index) {
    %c3 = arith.constant 3 : index
    %there = arith.cmpi ne, %m, %c3 : index
    scf.if %there {
      graph.scope graph "layer" {
        %c3_0 = arith.constant 3 : index
        %again = arith.cmpi ne, %m, %c3_0 : index
        %0 = graph.call @k(%c, %again) : (!graph.tensor<64xf32>, i1) -> !graph.tensor<64xf32>
      }
    }
    graph.return
  }
}

// -----

// A scope that captures nothing: its launch gets its first argument, and the
// direction of it, from the last pass.

// CHECK: graph.func graph @layer(inout %alloc0
// CHECK: graph.call @layer(inout %{{.*}})
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %t: !graph.tensor<16xf32>)
  graph.func orchestration @main() {
    graph.scope graph "layer" {
      %t = graph.create : !graph.tensor<16xf32>
      graph.call @k(%t) : (!graph.tensor<16xf32>) -> ()
    }
    graph.return
  }
}
