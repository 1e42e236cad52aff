// RUN: pypto-opt %s --expand-memref-copies | FileCheck %s

// CHECK-LABEL: func.func @copy
// CHECK: linalg.copy ins(%{{.*}} : memref<4xf32>) outs(%{{.*}} : memref<4xf32, strided<[2]>>)
// CHECK: memref.copy %{{.*}} : memref<*xf32> to memref<4xf32>
func.func @copy(%a: memref<4xf32>, %b: memref<4xf32, strided<[2]>>, %c: memref<*xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[2]>>
  memref.copy %c, %a : memref<*xf32> to memref<4xf32>
  return
}
