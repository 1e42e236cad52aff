// A residual addition and an RMS norm with three outputs:
//
//   add     = x + residual                      bf16, stored
//   inv_rms = rsqrt(mean(f32(add)^2) + 1e-6)    f32, stored
//   out     = weight * bf16(f32(add) * inv_rms) bf16, stored
//
// The rounding of `add` to bf16 can be seen: it is stored, and `inv_rms` is computed from
// it. `improve-precision` keeps it, and removes the other roundings.
//
//   pypto-opt --improve-precision examples/rmsnorm_net01.mlir
graph.func incore @rmsnorm_net01(in %x: !graph.tensor<32x2048xbf16>,
                                 in %residual: !graph.tensor<32x2048xbf16>,
                                 in %weight: !graph.tensor<2048xbf16>,
                                 out %add: !graph.tensor<32x2048xbf16>,
                                 out %inv_rms: !graph.tensor<32x1xf32>,
                                 out %out: !graph.tensor<32x2048xbf16>) {
  %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<32x2048xbf16> -> tensor<32x2048xbf16>
  %1 = asc.load "Load_1" %residual[0, 0] : !graph.tensor<32x2048xbf16> -> tensor<32x2048xbf16>
  %2 = asc.cast "Cast_0" %0 : tensor<32x2048xbf16> to tensor<32x2048xf32>
  %3 = asc.cast "Cast_1" %1 : tensor<32x2048xbf16> to tensor<32x2048xf32>
  %4 = asc.add "Add_0" %2, %3 : tensor<32x2048xf32>
  %5 = asc.cast "Cast_2" %4 : tensor<32x2048xf32> to tensor<32x2048xbf16>
  asc.store "Store_0" %5, %add[0, 0] : tensor<32x2048xbf16>, !graph.tensor<32x2048xbf16>

  %6 = asc.cast "Cast_3" %5 : tensor<32x2048xbf16> to tensor<32x2048xf32>
  %two = asc.scalar "Scalar_0" 2.0 : f32
  %7 = asc.pow "Pow_0" %6, %two : tensor<32x2048xf32>, f32
  %8 = asc.mean "Mean_0" %7 axes [1] : tensor<32x2048xf32>
  %eps = asc.scalar "Scalar_1" 1.0e-6 : f32
  %9 = asc.add "Add_1" %8, %eps : tensor<32x1xf32>, f32
  %10 = asc.rsqrt "Rsqrt_0" %9 : tensor<32x1xf32>
  asc.store "Store_1" %10, %inv_rms[0, 0] : tensor<32x1xf32>, !graph.tensor<32x1xf32>

  %11 = asc.broadcast "Broadcast_0" %10 : tensor<32x1xf32> to tensor<32x2048xf32>
  %12 = asc.mul "Mul_0" %6, %11 : tensor<32x2048xf32>
  %13 = asc.cast "Cast_4" %12 : tensor<32x2048xf32> to tensor<32x2048xbf16>
  %14 = asc.load "Load_2" %weight[0] : !graph.tensor<2048xbf16> -> tensor<2048xbf16>
  %15 = asc.broadcast "Broadcast_1" %14 : tensor<2048xbf16> to tensor<32x2048xbf16>
  %16 = asc.mul "Mul_1" %15, %13 : tensor<32x2048xbf16>
  asc.store "Store_2" %16, %out[0, 0] : tensor<32x2048xbf16>, !graph.tensor<32x2048xbf16>
  graph.return
}
