// RUN: pypto-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-muli.sh' | FileCheck %s
// RUN: not pypto-reduce %t.missing.mlir --reduction-tree='traversal-mode=0 test=%S/Inputs/has-muli.sh' 2>&1 | FileCheck %s --check-prefix=MISSING

// What the test script is not interested in goes.
// CHECK-NOT: @first
// CHECK-LABEL: func.func @second
// CHECK: arith.muli
// CHECK-NOT: graph.func
// MISSING: No such file or directory

func.func @first(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}

func.func @second(%a: i32) -> i32 {
  %0 = arith.muli %a, %a : i32
  return %0 : i32
}

graph.func private incore @k(in %a: !graph.tensor<16xf32>, inout %acc: !graph.tensor<16xf32>) -> (%acc)
