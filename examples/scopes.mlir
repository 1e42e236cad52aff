// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of band.mlir written in place: nothing is declared, the part to
// record and the kernel in it are marked where they stand.
//
//     pypto-opt --outline-graph-scopes --outline-incore-scopes examples/scopes.mlir
//
// The first pass makes the graph scope a function @accumulate_band of kind
// `graph`. What the scope reads of outside becomes its parameters, in order of
// first read: the layer, the matrix, the accumulator, which is `inout` because
// the kernel writes it. The second pass makes the kernel a function of kind
// `incore`:
//
//     graph.func incore @accumulate_band_incore_0(in %w: .., in %arg0: index,
//                                                 inout %arg1: ..)
//     graph.func graph @accumulate_band(in %arg0: index, in %w: ..,
//                                       inout %arg1: ..) -> (%arg1)
//
// From there on it is the program one writes with functions, with its mistake:
// `%base` is computed where it would be recorded. `--legalize-graph-boundary`
// moves it to the launch.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>,
                                 inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %layers = arith.constant 4 : index
    %sum = scf.for %li = %c0 to %layers step %c1 iter_args(%a = %acc)
        -> (!graph.tensor<128x128xf32>) {
      %a1 = graph.scope graph "accumulate_band" -> (!graph.tensor<128x128xf32>) {
        %rows = arith.constant 128 : index
        %base = arith.muli %li, %rows : index
        // a += w[base : base + 128]
        graph.scope incore {
          %x = graph.load %w[%base, 0] : !graph.tensor<512x128xf32> -> tensor<128x128xf32>
          %y = graph.load %a[0, 0] : !graph.tensor<128x128xf32> -> tensor<128x128xf32>
          %z = arith.addf %x, %y : tensor<128x128xf32>
          graph.store %z, %a[0, 0] : tensor<128x128xf32>, !graph.tensor<128x128xf32>
        }
        graph.yield %a : !graph.tensor<128x128xf32>
      }
      scf.yield %a1 : !graph.tensor<128x128xf32>
    }
    graph.return %sum : !graph.tensor<128x128xf32>
  }
}
