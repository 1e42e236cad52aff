// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -outline-graph-scopes --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// Function, launch and parameters have the places of what they come from.

!t = !graph.tensor<16x128xf32>
graph.func private incore @k(in %a: !t, inout %o: !t, in %i: index) -> (%o)

// CHECK:      graph.func graph @layer(
// CHECK-SAME:   in %x: !graph.tensor<16x128xf32> loc("x"), inout %o: !graph.tensor<16x128xf32> loc("o"), in %arg0: index loc("m"))
// CHECK-NEXT:   graph.call @k({{.*}} loc("launch")
// CHECK-NEXT:   graph.return %o : !graph.tensor<16x128xf32> loc("yield")
// CHECK-NEXT: } loc("scope")
// CHECK:        arith.addi {{.*}} loc("m")
// CHECK-NEXT:   arith.muli {{.*}} loc("s")
// CHECK-NEXT:   graph.call @layer({{.*}} loc("scope")
graph.func orchestration @main(in %x: !t loc("x"), inout %o: !t loc("o"), in %n: index loc("n")) {
  %m = arith.addi %n, %n : index loc("m")
  %r:2 = graph.scope graph "layer" -> (!t, index) {
    %o1 = graph.call @k(%x, %o, %m) : (!t, !t, index) -> !t loc("launch")
    %s = arith.muli %m, %n : index loc("s")
    graph.yield %o1, %s : !t, index loc("yield")
  } loc("scope")
  graph.call @k(%x, %r#0, %r#1) : (!t, !t, index) -> !t
  graph.return
}
