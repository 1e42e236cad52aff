// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --inline-functions --split-input-file | FileCheck %s
// RUN: pypto-opt %s --inline-functions --split-input-file -o /dev/null \
// RUN:   --mlir-timing --mlir-timing-display=list 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RUNS

// Nothing to inline: the call graph is not visited at all.

// RUNS-NOT: Inliner
// RUNS: InlineFunctions
// RUNS-NOT: Inliner
// RUNS: Total

// CHECK-LABEL: graph.func graph @layer
// CHECK-LABEL: graph.func orchestration @main
// CHECK: graph.call @layer
graph.func private incore @k(inout %c: !graph.tensor<4xf32>)
graph.func graph @layer(inout %c: !graph.tensor<4xf32>) {
  graph.call @k(%c) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(inout %c: !graph.tensor<4xf32>) {
  graph.call @layer(%c) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

// RUNS: Inliner
// RUNS: Total

// CHECK-LABEL: graph.func inline @twice
// CHECK-LABEL: graph.func orchestration @main
// CHECK-SAME: %[[C:[^:]+]]:
// CHECK-NEXT: graph.call @k(%[[C]])
// CHECK-NEXT: graph.call @k(%[[C]])
// CHECK-NEXT: graph.return
graph.func private incore @k(inout %c: !graph.tensor<4xf32>)
graph.func inline @twice(inout %c: !graph.tensor<4xf32>) {
  graph.call @k(%c) : (!graph.tensor<4xf32>) -> ()
  graph.call @k(%c) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(inout %c: !graph.tensor<4xf32>) {
  graph.call @twice(%c) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

// A private function that nothing calls goes, as it does in `inline`; also in a
// module inside of a module.

// RUNS: Inliner
// RUNS: Total

// CHECK-LABEL: module @inner
// CHECK-NOT: @unused
module @inner {
  graph.func private orchestration @unused(inout %c: !graph.tensor<4xf32>) {
    graph.return
  }
}

// -----

// What `inline` does to functions of other dialects is its own affair.

// RUNS: Inliner
// RUNS: Total

// CHECK-LABEL: func.func @caller
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: return
func.func private @one() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func @caller() -> index {
  %0 = call @one() : () -> index
  return %0 : index
}
