// A reproducer carries the pipeline, and running it runs the pipeline.

// RUN: pypto-opt %s --run-reproducer | FileCheck %s
// RUN: pypto-opt %s | FileCheck %s --check-prefix=PLAIN
// RUN: pypto-opt %s --pass-pipeline='builtin.module(func.func(cse))' --mlir-generate-reproducer=%t.mlir -o /dev/null
// RUN: FileCheck %s --check-prefix=REPRO --input-file=%t.mlir
// RUN: pypto-opt %t.mlir --run-reproducer | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK-NOT: arith.addi
// CHECK: return %[[SUM]], %[[SUM]]

// PLAIN-COUNT-2: arith.addi

// REPRO: pipeline: "builtin.module(func.func(cse{{.*}}))"
func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(func.func(cse))",
      disable_threading: true,
      verify_each: true
    }
  }
#-}
