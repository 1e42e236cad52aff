// RUN: pypto-opt %s --verify-asc-graph | FileCheck %s
// RUN: pypto-opt %s --pass-pipeline='builtin.module(verify-asc-graph,asc-dce)' | FileCheck %s --check-prefix=DCE

// Order is by edges, wherever nodes are written.
// CHECK-LABEL: graph.func incore @forward
// CHECK: asc.load "Load_0" %x[0] after ["Load_1"]
// CHECK: asc.load "Load_1"
graph.func incore @forward(in %x: !graph.tensor<8xf32>, out %o: !graph.tensor<8xf32>) {
  %0 = asc.load "Load_0" %x[0] after ["Load_1"] : !graph.tensor<8xf32> -> tensor<8xf32>
  %1 = asc.load "Load_1" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  asc.store "Store_0" %0, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
  graph.return
}
// DCE-LABEL: graph.func incore @forward
// DCE: asc.load "Load_1"
graph.func private incore @declared(in %x: !graph.tensor<8xf32>)
