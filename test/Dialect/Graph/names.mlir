// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter keeps its name also where the printer cannot use it, because a
// value around the function has it.

// RUN: pypto-opt %s | FileCheck %s
// RUN: pypto-opt %s > %t.mlir
// RUN: pypto-opt %t.mlir | diff %t.mlir -
// RUN: pypto-opt %s --mlir-print-op-generic | pypto-opt | diff %t.mlir -
// RUN: pypto-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: pypto-opt %t.mlir --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: pypto-opt %s --mlir-print-debuginfo | pypto-opt --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

module {
  // CHECK: %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : index
  // CHECK: graph.func orchestration @f(inout %c0_0: !graph.tensor<4xf32> {user.note, graph.name = "c0"}, in %c0_0_1: index {graph.name = "c0_0"}, in %x: index) -> (%c0_0 {user.tied}, %x, %c0_0_1) {
  // CHECK-NEXT: graph.return %c0_0, %x, %c0_0_1
  // GENERIC: graph.name = "c0", user.note
  // GENERIC-SAME: graph.name = "c0_0"
  // GENERIC-SAME: graph.name = "x"
  // GENERIC-SAME: res_attrs = [{graph.tied = "c0", user.tied}, {graph.tied = "x"}, {graph.tied = "c0_0"}]
  graph.func orchestration @f(inout %c0: !graph.tensor<4xf32> {user.note}, in %c0_0: index, in %x: index)
      -> (%c0 {user.tied}, %x, %c0_0) {
    graph.return %c0, %x, %c0_0 : !graph.tensor<4xf32>, index, index
  }
}
