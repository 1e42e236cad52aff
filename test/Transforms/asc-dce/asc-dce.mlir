// RUN: pypto-opt %s --asc-dce | FileCheck %s
// RUN: pypto-opt %s --asc-dce --asc-dce | FileCheck %s
// RUN: pypto-opt %s --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=UPSTREAM

// CHECK-LABEL: graph.func incore @k
// UPSTREAM-LABEL: graph.func incore @k
graph.func incore @k(in %x: !graph.tensor<8xf32>, out %o: !graph.tensor<8xf32>) {
  // CHECK-NEXT: asc.load "Load_0"
  // UPSTREAM-COUNT-9: asc.{{load|exp|log|abs|neg|relu|scalar}}
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  // Nothing reads it.
  %1 = asc.load "Load_1" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  // Named by a node that is live.
  // CHECK-NEXT: asc.log "Log_0"
  %2 = asc.log "Log_0" %0 : tensor<8xf32>
  // Named by a node that a live node names.
  // CHECK-NEXT: asc.abs "Abs_0"
  %3 = asc.abs "Abs_0" %0 : tensor<8xf32>
  // CHECK-NEXT: asc.neg "Neg_0" %{{.*}} after ["Abs_0"]
  %4 = asc.neg "Neg_0" %0 after ["Abs_0"] : tensor<8xf32>
  // Named by a dead node alone; a chain of dead nodes.
  %5 = asc.exp "Exp_0" %0 : tensor<8xf32>
  %6 = asc.exp "Exp_1" %0 after ["Exp_0"] : tensor<8xf32>
  %7 = asc.relu "Relu_0" %6 : tensor<8xf32>
  %8 = asc.scalar "Scalar_0" 1.0 : f32
  // CHECK-NEXT: asc.store "Store_0" %{{.*}}, %o[0] after ["Log_0", "Neg_0"]
  asc.store "Store_0" %0, %o[0] after ["Log_0", "Neg_0"] : tensor<8xf32>, !graph.tensor<8xf32>
  // CHECK-NEXT: graph.return
  graph.return
}

// What another dialect uses is live, in regions too.
// CHECK-LABEL: graph.func incore @foreign
// CHECK: asc.load "Load_0"
// CHECK: asc.exp "Exp_0"
graph.func incore @foreign(in %x: !graph.tensor<8xf32>, out %o: !graph.tensor<8xf32>, in %c: i1) {
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  %1 = asc.exp "Exp_0" %0 : tensor<8xf32>
  scf.if %c {
    graph.store %1, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
  }
  graph.return
}
