// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest program worth a graph function: add four bands of a stacked
// matrix into one accumulator, one band a layer.
//
//     pypto-opt --legalize-graph-boundary examples/band.mlir
//
// The body of @accumulate_band is what one writes first, and the runtime would
// get it wrong in silence. The first launch (li = 0) is recorded; a replay
// refreshes the descriptors of the boundary tensors and the values of the
// boundary scalars, nothing else. The window `%band` is neither, so its offset
// stays 0 on every replay and the result is four times band 0 instead of the
// sum of the four.
//
// The pass moves the window to the launch, where `li * 128` is computed afresh
// for every call, and passes it as a boundary tensor of its own:
//
//     graph.func graph @accumulate_band(in %w: .., inout %acc: .., in %li: index,
//                                       in %view0: ..) -> (%acc)
//
// `%base` is used by nothing but the window. It is recomputed at the launch and
// does not become a parameter.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // acc += band
  graph.func incore @add_band(in %band: !graph.tensor<128x128xf32>,
                              inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
    %x = graph.load %band[0, 0] : !graph.tensor<128x128xf32> -> tensor<128x128xf32>
    %y = graph.load %acc[0, 0] : !graph.tensor<128x128xf32> -> tensor<128x128xf32>
    %sum = arith.addf %x, %y : tensor<128x128xf32>
    graph.store %sum, %acc[0, 0] : tensor<128x128xf32>, !graph.tensor<128x128xf32>
    graph.return %acc : !graph.tensor<128x128xf32>
  }

  graph.func graph @accumulate_band(in %w: !graph.tensor<512x128xf32>,
                                    inout %acc: !graph.tensor<128x128xf32>,
                                    in %li: index) -> (%acc) {
    %rows = arith.constant 128 : index
    %base = arith.muli %li, %rows : index
    %band = graph.slice %w[%base, 0] [128, 128]
        : !graph.tensor<512x128xf32> to !graph.tensor<128x128xf32>
    %acc1 = graph.call @add_band(%band, %acc)
        : (!graph.tensor<128x128xf32>, !graph.tensor<128x128xf32>)
        -> !graph.tensor<128x128xf32>
    graph.return %acc1 : !graph.tensor<128x128xf32>
  }

  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>,
                                 inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %layers = arith.constant 4 : index
    %sum = scf.for %li = %c0 to %layers step %c1 iter_args(%a = %acc)
        -> (!graph.tensor<128x128xf32>) {
      %a1 = graph.call @accumulate_band(%w, %a, %li)
          : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index)
          -> !graph.tensor<128x128xf32>
      scf.yield %a1 : !graph.tensor<128x128xf32>
    }
    graph.return %sum : !graph.tensor<128x128xf32>
  }
}
