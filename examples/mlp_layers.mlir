// Four feed-forward layers of a transformer at a small size, with real kernels:
//
//   h <- h + silu(norm(h) @ w_gate) * (norm(h) @ w_up) @ w_down
//
// Each layer is one launch of a recorded function. Its weights are windows of stacked
// matrices that move with the layer, so as written every replay would read the weights of
// the first one:
//
//   pypto-replay --entry=main examples/mlp_layers.mlir
//   pypto-opt --graph-legalize-pipeline --improve-precision examples/mlp_layers.mlir
//     | pypto-replay --entry=main
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func incore @norm(in %x: !graph.tensor<8x64xbf16>, in %gamma: !graph.tensor<64xbf16>,
                          inout %o: !graph.tensor<8x64xbf16>) -> (%o) {
    %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<8x64xbf16> -> tensor<8x64xbf16>
    %1 = asc.cast "Cast_0" %0 : tensor<8x64xbf16> to tensor<8x64xf32>
    %2 = asc.mul "Mul_0" %1, %1 : tensor<8x64xf32>
    %3 = asc.mean "Mean_0" %2 axes [1] : tensor<8x64xf32>
    %eps = asc.scalar "Scalar_0" 1.0e-6 : f32
    %4 = asc.add "Add_0" %3, %eps : tensor<8x1xf32>, f32
    %5 = asc.rsqrt "Rsqrt_0" %4 : tensor<8x1xf32>
    %6 = asc.broadcast "Broadcast_0" %5 : tensor<8x1xf32> to tensor<8x64xf32>
    %7 = asc.mul "Mul_1" %1, %6 : tensor<8x64xf32>
    %8 = asc.cast "Cast_1" %7 : tensor<8x64xf32> to tensor<8x64xbf16>
    %9 = asc.load "Load_1" %gamma[0] : !graph.tensor<64xbf16> -> tensor<64xbf16>
    %10 = asc.broadcast "Broadcast_1" %9 : tensor<64xbf16> to tensor<8x64xbf16>
    %11 = asc.mul "Mul_2" %8, %10 : tensor<8x64xbf16>
    asc.store "Store_0" %11, %o[0, 0] : tensor<8x64xbf16>, !graph.tensor<8x64xbf16>
    graph.return %o : !graph.tensor<8x64xbf16>
  }
  graph.func incore @project(in %x: !graph.tensor<8x64xbf16>, in %w: !graph.tensor<64x96xbf16>,
                             inout %o: !graph.tensor<8x96xbf16>) -> (%o) {
    %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<8x64xbf16> -> tensor<8x64xbf16>
    %1 = asc.load "Load_1" %w[0, 0] : !graph.tensor<64x96xbf16> -> tensor<64x96xbf16>
    %2 = asc.matmul "Matmul_0" %0, %1 : tensor<8x64xbf16>, tensor<64x96xbf16>
    asc.store "Store_0" %2, %o[0, 0] : tensor<8x96xbf16>, !graph.tensor<8x96xbf16>
    graph.return %o : !graph.tensor<8x96xbf16>
  }
  graph.func incore @silu_mul(in %gate: !graph.tensor<8x96xbf16>, inout %up: !graph.tensor<8x96xbf16>) -> (%up) {
    %0 = asc.load "Load_0" %gate[0, 0] : !graph.tensor<8x96xbf16> -> tensor<8x96xbf16>
    %1 = asc.load "Load_1" %up[0, 0] : !graph.tensor<8x96xbf16> -> tensor<8x96xbf16>
    %2 = asc.sigmoid "Sigmoid_0" %0 : tensor<8x96xbf16>
    %3 = asc.mul "Mul_0" %0, %2 : tensor<8x96xbf16>
    %4 = asc.mul "Mul_1" %3, %1 : tensor<8x96xbf16>
    asc.store "Store_0" %4, %up[0, 0] after ["Load_1"] : tensor<8x96xbf16>, !graph.tensor<8x96xbf16>
    graph.return %up : !graph.tensor<8x96xbf16>
  }
  graph.func incore @project_residual(in %x: !graph.tensor<8x96xbf16>, in %w: !graph.tensor<96x64xbf16>,
                                      inout %h: !graph.tensor<8x64xbf16>) -> (%h) {
    %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<8x96xbf16> -> tensor<8x96xbf16>
    %1 = asc.load "Load_1" %w[0, 0] : !graph.tensor<96x64xbf16> -> tensor<96x64xbf16>
    %2 = asc.matmul "Matmul_0" %0, %1 : tensor<8x96xbf16>, tensor<96x64xbf16>
    %3 = asc.load "Load_2" %h[0, 0] : !graph.tensor<8x64xbf16> -> tensor<8x64xbf16>
    %4 = asc.add "Add_0" %3, %2 : tensor<8x64xbf16>
    asc.store "Store_0" %4, %h[0, 0] after ["Load_2"] : tensor<8x64xbf16>, !graph.tensor<8x64xbf16>
    graph.return %h : !graph.tensor<8x64xbf16>
  }

  graph.func graph @layer(inout %h: !graph.tensor<8x64xbf16>, in %gamma: !graph.tensor<64xbf16>,
                          in %w_gate: !graph.tensor<256x96xbf16>, in %w_up: !graph.tensor<256x96xbf16>,
                          in %w_down: !graph.tensor<384x64xbf16>, in %li: index) -> (%h) {
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %row = arith.muli %li, %c64 : index
    %down_row = arith.muli %li, %c96 : index
    %gate_w = graph.slice %w_gate[%row, 0] [64, 96] : !graph.tensor<256x96xbf16> to !graph.tensor<64x96xbf16>
    %up_w = graph.slice %w_up[%row, 0] [64, 96] : !graph.tensor<256x96xbf16> to !graph.tensor<64x96xbf16>
    %down_w = graph.slice %w_down[%down_row, 0] [96, 64] : !graph.tensor<384x64xbf16> to !graph.tensor<96x64xbf16>
    %n0 = graph.create : !graph.tensor<8x64xbf16>
    %g0 = graph.create : !graph.tensor<8x96xbf16>
    %u0 = graph.create : !graph.tensor<8x96xbf16>
    %n = graph.call @norm(%h, %gamma, %n0)
        : (!graph.tensor<8x64xbf16>, !graph.tensor<64xbf16>, !graph.tensor<8x64xbf16>) -> !graph.tensor<8x64xbf16>
    %g = graph.call @project(%n, %gate_w, %g0)
        : (!graph.tensor<8x64xbf16>, !graph.tensor<64x96xbf16>, !graph.tensor<8x96xbf16>) -> !graph.tensor<8x96xbf16>
    %u = graph.call @project(%n, %up_w, %u0)
        : (!graph.tensor<8x64xbf16>, !graph.tensor<64x96xbf16>, !graph.tensor<8x96xbf16>) -> !graph.tensor<8x96xbf16>
    %a = graph.call @silu_mul(%g, %u)
        : (!graph.tensor<8x96xbf16>, !graph.tensor<8x96xbf16>) -> !graph.tensor<8x96xbf16>
    %r = graph.call @project_residual(%a, %down_w, %h)
        : (!graph.tensor<8x96xbf16>, !graph.tensor<96x64xbf16>, !graph.tensor<8x64xbf16>) -> !graph.tensor<8x64xbf16>
    graph.return %r : !graph.tensor<8x64xbf16>
  }

  graph.func orchestration @main(inout %h: !graph.tensor<8x64xbf16>, in %gamma: !graph.tensor<64xbf16>,
                                 in %w_gate: !graph.tensor<256x96xbf16>, in %w_up: !graph.tensor<256x96xbf16>,
                                 in %w_down: !graph.tensor<384x64xbf16>) -> (%h) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %result = scf.for %li = %c0 to %c4 step %c1 iter_args(%x = %h) -> (!graph.tensor<8x64xbf16>) {
      %y = graph.call @layer(%x, %gamma, %w_gate, %w_up, %w_down, %li)
          : (!graph.tensor<8x64xbf16>, !graph.tensor<64xbf16>, !graph.tensor<256x96xbf16>,
             !graph.tensor<256x96xbf16>, !graph.tensor<384x64xbf16>, index) -> !graph.tensor<8x64xbf16>
      scf.yield %y : !graph.tensor<8x64xbf16>
    }
    graph.return %result : !graph.tensor<8x64xbf16>
  }
}
