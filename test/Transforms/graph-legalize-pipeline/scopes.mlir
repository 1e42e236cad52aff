// RUN: pypto-opt --graph-legalize-pipeline -split-input-file %s -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: pypto-opt --graph-legalize-pipeline -split-input-file %t.mlir | diff %t.mlir -

// E2E15: a captured tensor that is only overwritten becomes `inout`.

// CHECK-LABEL: graph.func incore @g_incore_0
// CHECK-LABEL: graph.func graph @g(in %a: !graph.tensor<64xf32>, inout %c: !graph.tensor<64xf32>)
// CHECK: graph.call @g_incore_0(input %a, inout %c)
// CHECK-LABEL: graph.func orchestration @main
// CHECK: graph.call @g(input %a, inout %c)
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func orchestration @main(in %a: !graph.tensor<64xf32>, inout %c: !graph.tensor<64xf32>) {
    graph.scope graph "g" {
      graph.scope incore {
        %x = graph.load %a[0] : !graph.tensor<64xf32> -> tensor<64xf32>
        graph.store %x, %c[0] : tensor<64xf32>, !graph.tensor<64xf32>
      }
    }
    graph.return
  }
}

// -----

// E2E10: the edge between two submits stays inside.

// CHECK-LABEL: graph.func graph @g(
// CHECK: %{{.*}}, %[[T:.*]] = graph.submit @k(inout %a)
// CHECK: graph.submit @k(inout %b) deps(%[[T]] : !graph.task_id)
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %a: !graph.tensor<64xf32>) -> (%a)
  graph.func orchestration @main(inout %a: !graph.tensor<64xf32>, inout %b: !graph.tensor<64xf32>) {
    graph.scope graph "g" {
      %0, %t = graph.submit @k(%a) : (!graph.tensor<64xf32>) -> (!graph.tensor<64xf32>, !graph.task_id)
      %1, %t1 = graph.submit @k(%b) deps(%t : !graph.task_id)
          : (!graph.tensor<64xf32>) -> (!graph.tensor<64xf32>, !graph.task_id)
    }
    graph.return
  }
}

// -----

// E2E13: allocations chained through launches in a two-trip loop stay, packed.

// CHECK-LABEL: graph.func graph @g(
// CHECK: scf.for
// CHECK-COUNT-2: graph.create
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @kw(in %x: !graph.tensor<64xf32>, out %o: !graph.tensor<64xf32>) -> (%o)
  graph.func private incore @kio(in %x: !graph.tensor<64xf32>, inout %o: !graph.tensor<64xf32>) -> (%o)
  graph.func orchestration @main(in %x: !graph.tensor<64xf32>, inout %y: !graph.tensor<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    graph.scope graph "g" {
      scf.for %i = %c0 to %c2 step %c1 {
        %a = graph.create : !graph.tensor<64xf32>
        %a1 = graph.call @kw(%x, %a) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
        %b = graph.create : !graph.tensor<64xf32>
        %b1 = graph.call @kw(%a1, %b) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
        %y1 = graph.call @kio(%b1, %y) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
      }
    }
    graph.return
  }
}

// -----

// E2E02: the band program with both scopes.

// CHECK-LABEL: graph.func incore @accumulate_band_incore_0
// CHECK-LABEL: graph.func graph @accumulate_band
// CHECK-NOT: arith.muli
// CHECK: graph.call @accumulate_band_incore_0(
// CHECK-LABEL: graph.func orchestration @main
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[BASE:[a-z0-9]+]] = arith.muli %[[I]]
// CHECK: graph.call @accumulate_band({{.*}}, scalar %[[BASE]])
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>, inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %layers = arith.constant 4 : index
    %sum = scf.for %li = %c0 to %layers step %c1 iter_args(%a = %acc) -> (!graph.tensor<128x128xf32>) {
      %a1 = graph.scope graph "accumulate_band" -> (!graph.tensor<128x128xf32>) {
        %rows = arith.constant 128 : index
        %base = arith.muli %li, %rows : index
        graph.scope incore {
          %x = graph.load %w[%base, 0] : !graph.tensor<512x128xf32> -> tensor<128x128xf32>
          %y = graph.load %a[0, 0] : !graph.tensor<128x128xf32> -> tensor<128x128xf32>
          %z = arith.addf %x, %y : tensor<128x128xf32>
          graph.store %z, %a[0, 0] : tensor<128x128xf32>, !graph.tensor<128x128xf32>
        }
        graph.yield %a : !graph.tensor<128x128xf32>
      }
      scf.yield %a1 : !graph.tensor<128x128xf32>
    }
    graph.return %sum : !graph.tensor<128x128xf32>
  }
}
