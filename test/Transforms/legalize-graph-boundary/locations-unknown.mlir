// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --legalize-graph-boundary --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// An argument of which nothing is known does not hide where the value comes from.
!t = !graph.tensor<8xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %o: !t, in %s: index) -> (%o)
  graph.func graph @g(inout %c: !t, in %n: index) {
    %a = arith.muli %n, %n : index loc("known")
    %b = arith.addi %a, %n : index loc(unknown)
    %r = graph.call @k(%c, %b) : (!t, index) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK: arith.muli {{.*}} loc(callsite("known" at "launch"))
  // CHECK: arith.addi {{.*}} loc(callsite(unknown at "launch"))
  graph.func orchestration @main(inout %c: !t, in %n: index) {
    graph.call @g(%c, %n) : (!t, index) -> () loc("launch")
    graph.return
  }
}
