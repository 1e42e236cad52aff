// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph function with the mistakes people make. It parses and verifies, and as
// ordinary tasks it would run; recorded and replayed it would give wrong values
// or quietly not be recorded at all. The pass refuses it, reports every mistake
// in one run and leaves the module as it is:
//
//     pypto-opt --legalize-graph-boundary examples/broken.mlir
//
// What is wrong and how each would be put right:
//
//  1. `%trace` is `out`: a buffer that the runtime allocates has no address to
//     refresh. Make it `inout` and let the caller allocate it.
//  2. `%row` is read from a tensor and given to a task: the recording holds the
//     value of the first call. Pass the tensor and let the kernel read it.
//  3. `%win` moves with the call (`%li`) and with the loop (`%t`): neither the
//     launch can take it, nor is it the same on every replay. Take the layer's
//     window first, at `%li * 128`, and the tile's window from that.
//  4. The loop over `%n` launches as many tasks as `%n` says on the first call.
//     Give it a constant trip count and let the kernel skip what is not there.
//  5. `%scratch` has `%n` rows: its size and address are those of the first call.
//     Allocate the largest size, or take the buffer as a parameter.
//  6. `graph.full` cannot be recorded. Create the buffer and launch a kernel that
//     fills it.
//  7. The second result is computed: a launch that is replayed returns nothing
//     but its parameters.
//  8. The launch has an explicit dependency, which makes it unrecordable, and
//  9. its task id is used, which is valid only when the call was not recorded.
//     The order follows from the buffers; leave both out.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @add_at(in %w: !graph.tensor<512x128xf32>,
                                    inout %acc: !graph.tensor<128x128xf32>,
                                    in %row: index) -> (%acc)
  graph.func private incore @add_tile(in %tile: !graph.tensor<32x128xf32>,
                                      inout %acc: !graph.tensor<128x128xf32>,
                                      in %row: index) -> (%acc)
  graph.func private incore @add_rows(in %x: !graph.tensor<?x128xf32>,
                                      inout %acc: !graph.tensor<128x128xf32>) -> (%acc)
  graph.func private incore @fill_rows(in %w: !graph.tensor<512x128xf32>,
                                       out %x: !graph.tensor<?x128xf32>) -> (%x)
  graph.func private incore @sum_rows(in %acc: !graph.tensor<128x128xf32>,
                                      inout %sum: !graph.tensor<128xf32>) -> (%sum)
  graph.func private incore @write_trace(in %acc: !graph.tensor<128x128xf32>,
                                         in %sum: !graph.tensor<128xf32>,
                                         out %trace: !graph.tensor<128x128xf32>) -> (%trace)

  graph.func graph @layer(in %w: !graph.tensor<512x128xf32>,
                          in %idx: !graph.tensor<4xi32>,
                          inout %acc: !graph.tensor<128x128xf32>,
                          out %trace: !graph.tensor<128x128xf32>,
                          in %li: index, in %n: index) -> (%acc, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index

    // The row to add, looked up in a table.
    %row_i32 = graph.read %idx[%li] : !graph.tensor<4xi32>
    %row = arith.index_cast %row_i32 : i32 to index
    %a0 = graph.call @add_at(%w, %acc, %row)
        : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index)
        -> !graph.tensor<128x128xf32>

    // The layer's band, tile by tile.
    %base = arith.muli %li, %c128 : index
    %a1 = scf.for %t = %c0 to %c4 step %c1 iter_args(%a = %a0)
        -> (!graph.tensor<128x128xf32>) {
      %in_band = arith.muli %t, %c32 : index
      %off = arith.addi %base, %in_band : index
      %win = graph.slice %w[%off, 0] [32, 128]
          : !graph.tensor<512x128xf32> to !graph.tensor<32x128xf32>
      %next = graph.call @add_tile(%win, %a, %in_band)
          : (!graph.tensor<32x128xf32>, !graph.tensor<128x128xf32>, index)
          -> !graph.tensor<128x128xf32>
      scf.yield %next : !graph.tensor<128x128xf32>
    }

    // As many bands more as the caller asks for.
    %a2 = scf.for %t = %c0 to %n step %c1 iter_args(%a = %a1)
        -> (!graph.tensor<128x128xf32>) {
      %next = graph.call @add_at(%w, %a, %c0)
          : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index)
          -> !graph.tensor<128x128xf32>
      scf.yield %next : !graph.tensor<128x128xf32>
    }

    // Scratch of just the size this call needs.
    %scratch = graph.create(%n) : !graph.tensor<?x128xf32>
    %filled = graph.call @fill_rows(%w, %scratch)
        : (!graph.tensor<512x128xf32>, !graph.tensor<?x128xf32>)
        -> !graph.tensor<?x128xf32>
    %a3 = graph.call @add_rows(%filled, %a2)
        : (!graph.tensor<?x128xf32>, !graph.tensor<128x128xf32>)
        -> !graph.tensor<128x128xf32>

    // Row sums, from zero.
    %zero = arith.constant 0.0 : f32
    %sum0 = graph.full %zero : !graph.tensor<128xf32>
    %sum = graph.call @sum_rows(%a3, %sum0)
        : (!graph.tensor<128x128xf32>, !graph.tensor<128xf32>) -> !graph.tensor<128xf32>
    %traced = graph.call @write_trace(%a3, %sum, %trace)
        : (!graph.tensor<128x128xf32>, !graph.tensor<128xf32>, !graph.tensor<128x128xf32>)
        -> !graph.tensor<128x128xf32>

    // Where the next layer begins.
    %next_base = arith.addi %base, %c128 : index
    graph.return %a3, %next_base : !graph.tensor<128x128xf32>, index
  }

  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>,
                                 in %idx: !graph.tensor<4xi32>,
                                 inout %acc: !graph.tensor<128x128xf32>,
                                 inout %trace: !graph.tensor<128x128xf32>,
                                 in %n: index) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %start = graph.task_dummy : !graph.task_id
    %r:2 = scf.for %li = %c0 to %c4 step %c1 iter_args(%a = %acc, %after = %start)
        -> (!graph.tensor<128x128xf32>, !graph.task_id) {
      %a1, %next_base, %done = graph.submit @layer(%w, %idx, %a, %trace, %li, %n)
          deps(%after : !graph.task_id)
          : (!graph.tensor<512x128xf32>, !graph.tensor<4xi32>, !graph.tensor<128x128xf32>,
             !graph.tensor<128x128xf32>, index, index)
          -> (!graph.tensor<128x128xf32>, index, !graph.task_id)
      scf.yield %a1, %done : !graph.tensor<128x128xf32>, !graph.task_id
    }
    graph.return %r#0 : !graph.tensor<128x128xf32>
  }
}
