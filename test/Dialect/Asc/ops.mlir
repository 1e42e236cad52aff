// RUN: pypto-opt %s | FileCheck %s
// RUN: pypto-opt %s | pypto-opt | FileCheck %s
// RUN: pypto-opt %s --mlir-print-op-generic | pypto-opt | FileCheck %s
// RUN: pypto-opt %s --emit-bytecode | pypto-opt | FileCheck %s
// RUN: pypto-opt %s --canonicalize --cse | FileCheck %s --check-prefix=KEEP

// Nothing is folded, merged or dropped by upstream passes.
// KEEP-COUNT-8: asc.load
// KEEP-COUNT-4: asc.scalar
// KEEP: asc.abs "Abs_0"
// KEEP: asc.abs "Abs_1"

// CHECK-LABEL: graph.func incore @loads
graph.func incore @loads(in %x: !graph.tensor<8x4xf32>, in %y: !graph.tensor<?x4xf32>, in %z: !graph.tensor<f32>,
                         in %u: !graph.tensor<8xui8>, in %i: index, out %o: !graph.tensor<8x4xf32>) {
  // CHECK: asc.load "Load_0" %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
  %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
  // CHECK: asc.load "Load_1" %x[%i, 2] : !graph.tensor<8x4xf32> -> tensor<2x2xf32>
  %1 = asc.load "Load_1" %x[%i, 2] : !graph.tensor<8x4xf32> -> tensor<2x2xf32>
  // CHECK: asc.load "Load_2" %y[%i, 0] after ["Load_0", "Load_1"] {hint = 1 : i64} : !graph.tensor<?x4xf32> -> tensor<8x4xf32>
  %2 = asc.load "Load_2" %y[%i, 0] after ["Load_0", "Load_1"] {hint = 1} : !graph.tensor<?x4xf32> -> tensor<8x4xf32>
  // CHECK: asc.load "Load_3" %z[] : !graph.tensor<f32> -> tensor<f32>
  %3 = asc.load "Load_3" %z[] : !graph.tensor<f32> -> tensor<f32>
  // CHECK: -> tensor<8xui8>
  %4 = asc.load "Load_4" %u[0] : !graph.tensor<8xui8> -> tensor<8xui8>
  // CHECK: -> tensor<8xi8>
  %5 = asc.load "Load_5" %u[0] : !graph.tensor<8xui8> -> tensor<8xi8>
  // A node that is written later.
  // CHECK: asc.store "Store_0" %{{.*}}, %o[0, %i] after ["Load_6"] : tensor<8x4xf32>, !graph.tensor<8x4xf32>
  asc.store "Store_0" %0, %o[0, %i] after ["Load_6"] : tensor<8x4xf32>, !graph.tensor<8x4xf32>
  %6 = asc.load "Load_6" %o[0, 0] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
  graph.return
}

// CHECK-LABEL: graph.func incore @values
graph.func incore @values(in %x: !graph.tensor<8xf32>, in %s: f32) {
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  // CHECK: asc.scalar "Scalar_0" 9.99999997E-7 : f32
  %1 = asc.scalar "Scalar_0" 1.0e-6 : f32
  // CHECK: asc.scalar "Scalar_1" 0x7F80 : bf16
  %2 = asc.scalar "Scalar_1" 0x7F80 : bf16
  // CHECK: asc.scalar "Scalar_2" after ["Load_0"] {hint} -3 : i32
  %3 = asc.scalar "Scalar_2" after ["Load_0"] {hint} -3 : i32
  // CHECK: asc.scalar "Scalar_3" true
  %4 = asc.scalar "Scalar_3" true
  // CHECK: asc.cast "Cast_0" %{{.*}} : tensor<8xf32> to tensor<8xbf16>
  %5 = asc.cast "Cast_0" %0 : tensor<8xf32> to tensor<8xbf16>
  // CHECK: asc.cast "Cast_1" %{{.*}} after ["Cast_0"] : tensor<8xf32> to tensor<8xf8E4M3FN>
  %6 = asc.cast "Cast_1" %0 after ["Cast_0"] : tensor<8xf32> to tensor<8xf8E4M3FN>
  // CHECK: asc.cast "Cast_2" %s : f32 to i16
  %7 = asc.cast "Cast_2" %s : f32 to i16
  // CHECK: asc.cast "Cast_3" %{{.*}} : tensor<8xf32> to tensor<8xi1>
  %8 = asc.cast "Cast_3" %0 : tensor<8xf32> to tensor<8xi1>
  graph.return
}

// CHECK-LABEL: graph.func incore @elementwise
graph.func incore @elementwise(in %x: !graph.tensor<8xbf16>, in %y: !graph.tensor<8xi32>, in %s: bf16, in %b: i1) {
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
  %1 = asc.load "Load_1" %y[0] : !graph.tensor<8xi32> -> tensor<8xi32>
  // CHECK: asc.abs "Abs_0" %{{.*}} : tensor<8xbf16>
  %2 = asc.abs "Abs_0" %0 : tensor<8xbf16>
  // CHECK: asc.abs "Abs_1" %{{.*}} : tensor<8xbf16>
  %3 = asc.abs "Abs_1" %0 : tensor<8xbf16>
  // CHECK: asc.neg "Neg_0" %{{.*}} after ["Abs_0"] : tensor<8xi32>
  %4 = asc.neg "Neg_0" %1 after ["Abs_0"] : tensor<8xi32>
  // CHECK: asc.relu "Relu_0"
  %5 = asc.relu "Relu_0" %1 : tensor<8xi32>
  // CHECK: asc.exp "Exp_0"
  %6 = asc.exp "Exp_0" %0 : tensor<8xbf16>
  // CHECK: asc.log "Log_0"
  %7 = asc.log "Log_0" %0 : tensor<8xbf16>
  // CHECK: asc.sqrt "Sqrt_0"
  %8 = asc.sqrt "Sqrt_0" %0 : tensor<8xbf16>
  // CHECK: asc.rsqrt "Rsqrt_0"
  %9 = asc.rsqrt "Rsqrt_0" %0 : tensor<8xbf16>
  // CHECK: asc.reciprocal "Reciprocal_0"
  %10 = asc.reciprocal "Reciprocal_0" %0 : tensor<8xbf16>
  // CHECK: asc.sigmoid "Sigmoid_0"
  %11 = asc.sigmoid "Sigmoid_0" %0 : tensor<8xbf16>
  // CHECK: asc.tanh "Tanh_0"
  %12 = asc.tanh "Tanh_0" %0 : tensor<8xbf16>
  // CHECK: asc.erf "Erf_0"
  %13 = asc.erf "Erf_0" %0 : tensor<8xbf16>
  // CHECK: asc.add "Add_0" %{{.*}}, %{{.*}} : tensor<8xbf16>{{$}}
  %14 = asc.add "Add_0" %0, %2 : tensor<8xbf16>
  // CHECK: asc.add "Add_1" %{{.*}}, %s : tensor<8xbf16>, bf16
  %15 = asc.add "Add_1" %0, %s : tensor<8xbf16>, bf16
  // CHECK: asc.sub "Sub_0" %s, %{{.*}} : bf16, tensor<8xbf16>
  %16 = asc.sub "Sub_0" %s, %0 : bf16, tensor<8xbf16>
  // CHECK: asc.mul "Mul_0"
  %17 = asc.mul "Mul_0" %1, %1 : tensor<8xi32>
  // CHECK: asc.div "Div_0"
  %18 = asc.div "Div_0" %0, %0 : tensor<8xbf16>
  // CHECK: asc.maximum "Maximum_0"
  %19 = asc.maximum "Maximum_0" %0, %0 : tensor<8xbf16>
  // CHECK: asc.minimum "Minimum_0" %{{.*}}, %{{.*}} after ["Maximum_0"] {hint} : tensor<8xbf16>
  %20 = asc.minimum "Minimum_0" %0, %0 after ["Maximum_0"] {hint} : tensor<8xbf16>
  // CHECK: asc.pow "Pow_0"
  %21 = asc.pow "Pow_0" %0, %s : tensor<8xbf16>, bf16
  // CHECK: %[[C:.*]] = asc.compare "Compare_0" lt %{{.*}}, %{{.*}} : tensor<8xbf16>
  %22 = asc.compare "Compare_0" lt %0, %2 : tensor<8xbf16>
  // CHECK: asc.select "Select_0" %[[C]], %{{.*}}, %s : tensor<8xi1>, tensor<8xbf16>, bf16
  %23 = asc.select "Select_0" %22, %0, %s : tensor<8xi1>, tensor<8xbf16>, bf16
  // CHECK: asc.select "Select_1" %b, %{{.*}}, %{{.*}} : i1, tensor<8xbf16>{{$}}
  %24 = asc.select "Select_1" %b, %0, %2 : i1, tensor<8xbf16>
  // CHECK: asc.where "Where_0" %{{.*}}, %s, %s : tensor<8xi32>, bf16
  %25 = asc.where "Where_0" %1, %s, %s : tensor<8xi32>, bf16
  // CHECK: asc.abs "Abs_2" %{{.*}} : tensor<8xbf16>
  %26 = asc.abs "Abs_2" %25 : tensor<8xbf16>
  graph.return
}

// CHECK-LABEL: graph.func incore @shapes
graph.func incore @shapes(in %x: !graph.tensor<4x6xf32>, in %i: !graph.tensor<2x5xi32>, in %s: f32) {
  %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<4x6xf32> -> tensor<4x6xf32>
  %1 = asc.load "Load_1" %i[0, 0] : !graph.tensor<2x5xi32> -> tensor<2x5xi32>
  // CHECK: asc.broadcast "Broadcast_0" %{{.*}} : tensor<4x6xf32> to tensor<3x4x6xf32>
  %2 = asc.broadcast "Broadcast_0" %0 : tensor<4x6xf32> to tensor<3x4x6xf32>
  // CHECK: asc.broadcast "Broadcast_1" %s : f32 to tensor<4x6xf32>
  %3 = asc.broadcast "Broadcast_1" %s : f32 to tensor<4x6xf32>
  // CHECK: %[[T:.*]] = asc.transpose "Transpose_0" %{{.*}} [2, 0, 1] : tensor<3x4x6xf32>
  %4 = asc.transpose "Transpose_0" %2 [2, 0, 1] : tensor<3x4x6xf32>
  // CHECK: asc.abs "Abs_0" %[[T]] : tensor<6x3x4xf32>
  %5 = asc.abs "Abs_0" %4 : tensor<6x3x4xf32>
  // CHECK: %[[C:.*]] = asc.concat "Concat_0" %{{.*}}, %{{.*}} axis 1 : tensor<4x6xf32>, tensor<4x6xf32>
  %6 = asc.concat "Concat_0" %0, %3 axis 1 : tensor<4x6xf32>, tensor<4x6xf32>
  // CHECK: %[[S:.*]]:2 = asc.split "Split_0" %[[C]] axis 1 sizes [5, 7] after ["Concat_0"] : tensor<4x12xf32>
  %7:2 = asc.split "Split_0" %6 axis 1 sizes [5, 7] after ["Concat_0"] : tensor<4x12xf32>
  // CHECK: asc.abs "Abs_1" %[[S]]#1 : tensor<4x7xf32>
  %8 = asc.abs "Abs_1" %7#1 : tensor<4x7xf32>
  // CHECK: %[[G:.*]] = asc.gather "Gather_0" %{{.*}}, %{{.*}} axis 1 : tensor<4x6xf32>, tensor<2x5xi32>
  %9 = asc.gather "Gather_0" %0, %1 axis 1 : tensor<4x6xf32>, tensor<2x5xi32>
  // CHECK: asc.sum "Sum_0" %[[G]] axes [1, 2] : tensor<4x2x5xf32>
  %10 = asc.sum "Sum_0" %9 axes [1, 2] : tensor<4x2x5xf32>
  // CHECK: asc.mean "Mean_0" %{{.*}} axes [0] : tensor<4x1x1xf32>
  %11 = asc.mean "Mean_0" %10 axes [0] : tensor<4x1x1xf32>
  // CHECK: asc.max "Max_0" %{{.*}} axes [] : tensor<1x1x1xf32>
  %12 = asc.max "Max_0" %11 axes [] : tensor<1x1x1xf32>
  // CHECK: asc.min "Min_0" %{{.*}} axes [1] after ["Max_0"] : tensor<2x5xi32>
  %13 = asc.min "Min_0" %1 axes [1] after ["Max_0"] : tensor<2x5xi32>
  %14 = asc.transpose "Transpose_1" %0 [1, 0] : tensor<4x6xf32>
  // CHECK: %[[M:.*]] = asc.matmul "Matmul_0" %{{.*}}, %{{.*}} : tensor<4x6xf32>, tensor<6x4xf32>
  %15 = asc.matmul "Matmul_0" %0, %14 : tensor<4x6xf32>, tensor<6x4xf32>
  // CHECK: asc.abs "Abs_2" %[[M]] : tensor<4x4xf32>
  %16 = asc.abs "Abs_2" %15 : tensor<4x4xf32>
  graph.return
}

// Names of another function are no clash, and need not be words.
// CHECK-LABEL: func.func @plain
func.func @plain(%a: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK: asc.exp "a name/1" %{{.*}} : tensor<4xf16>
  %0 = asc.exp "a name/1" %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}
