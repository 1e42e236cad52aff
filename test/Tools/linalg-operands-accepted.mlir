// RUN: pypto-opt %s | FileCheck %s

// Linalg operations on tensors parse beside graph functions.

// CHECK: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<2x4x4xf32>, tensor<2x4x4xf32>)
// CHECK: linalg.elementwise kind=#linalg.elementwise_kind<exp>
// CHECK: graph.func private incore @k
func.func @f(%t: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = linalg.batch_matmul ins(%t, %t : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%t : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%0 : tensor<2x4x4xf32>) outs(%t : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %1 : tensor<2x4x4xf32>
}
graph.func private incore @k(in %t: !graph.tensor<2x4x4xf32>)
