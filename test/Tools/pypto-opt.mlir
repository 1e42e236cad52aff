// RUN: pypto-opt %s --canonicalize --cse | FileCheck %s
// RUN: pypto-opt %s --pass-pipeline='builtin.module(inline,symbol-dce)' | FileCheck %s --check-prefix=INLINE

// The stock passes and dialects work in pypto-opt.

// CHECK-LABEL: func.func private @twice
// CHECK: %[[SUM:.*]] = arith.addi %arg0, %arg1
// CHECK: return %[[SUM]], %[[SUM]]
// INLINE-LABEL: func.func @caller
// INLINE-NEXT: arith.addi
func.func private @twice(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b : i32
  return %0, %1 : i32, i32
}

func.func @caller(%a: i32) -> i32 {
  %0:2 = call @twice(%a, %a) : (i32, i32) -> (i32, i32)
  return %0#0 : i32
}

