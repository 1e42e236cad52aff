// RUN: pypto-replay %s --args=w=%S/Inputs/layers.npy,acc=0 --eager --print=acc | FileCheck %s --check-prefix=EAGER
// RUN: pypto-replay %s --args=w=%S/Inputs/layers.npy,acc=0 --print=acc | FileCheck %s --check-prefix=FROZEN
// RUN: not pypto-replay %s --args=w=%S/Inputs/layers.npy,acc=0 | FileCheck %s --check-prefix=WHY
// RUN: pypto-opt --legalize-graph-boundary %s \
// RUN:   | pypto-replay --args=w=%S/Inputs/layers.npy,acc=0 --print=acc | FileCheck %s --check-prefix=EAGER
// RUN: pypto-opt --legalize-graph-boundary %s \
// RUN:   | pypto-replay --args=w=%S/Inputs/layers.npy,acc=0 --calls=2 --order=random:3

// E2E01: layer i of `w` is filled with i + 1. A window at a frozen offset adds
// the first layer four times. (The results of the two runs differ in the first
// call already: the launches of layers 1 to 3 are replays.)

// EAGER: %acc = 10 (16 times)
// FROZEN: %acc = 4 (16 times)

// WHY:      call 0: differs (4 tasks, 3 replays)
// WHY-NEXT:   @accumulate_band recorded
// WHY-NEXT:   @accumulate_band replayed 3 times
// WHY-NEXT:   first difference: %acc[0, 0] is 4, eager gives 10
// WHY-NEXT:   because task 1, 'add_band' at {{.*}}frozen-offset.mlir:[[@LINE+21]]:13, got tensor argument #0 (%band) wrong
// WHY-NEXT:     eager:    f32[4, 4] at element 16 of %w
// WHY-NEXT:     replayed: f32[4, 4] at element 0 of %w
// WHY-NEXT:     the operand is made at {{.*}}frozen-offset.mlir:[[@LINE+17]]:13
// WHY-NEXT:     node 0 takes it from boundary_view(0, +0)
// WHY-NEXT:     rule: a window keeps its recorded shape, and its recorded distance

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func incore @add_band(in %band: !graph.tensor<4x4xf32>, inout %acc: !graph.tensor<4x4xf32>) -> (%acc) {
    %x = graph.load %band[0, 0] : !graph.tensor<4x4xf32> -> tensor<4x4xf32>
    %y = graph.load %acc[0, 0] : !graph.tensor<4x4xf32> -> tensor<4x4xf32>
    %sum = arith.addf %x, %y : tensor<4x4xf32>
    graph.store %sum, %acc[0, 0] : tensor<4x4xf32>, !graph.tensor<4x4xf32>
    graph.return %acc : !graph.tensor<4x4xf32>
  }

  graph.func graph @accumulate_band(in %w: !graph.tensor<16x4xf32>, inout %acc: !graph.tensor<4x4xf32>,
                                    in %li: index) -> (%acc) {
    %rows = arith.constant 4 : index
    %base = arith.muli %li, %rows : index
    %band = graph.slice %w[%base, 0] [4, 4] : !graph.tensor<16x4xf32> to !graph.tensor<4x4xf32>
    %acc1 = graph.call @add_band(%band, %acc)
        : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
    graph.return %acc1 : !graph.tensor<4x4xf32>
  }

  graph.func orchestration @main(in %w: !graph.tensor<16x4xf32>, inout %acc: !graph.tensor<4x4xf32>) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %layers = arith.constant 4 : index
    %sum = scf.for %li = %c0 to %layers step %c1 iter_args(%a = %acc) -> (!graph.tensor<4x4xf32>) {
      %a1 = graph.call @accumulate_band(%w, %a, %li)
          : (!graph.tensor<16x4xf32>, !graph.tensor<4x4xf32>, index) -> !graph.tensor<4x4xf32>
      scf.yield %a1 : !graph.tensor<4x4xf32>
    }
    graph.return %sum : !graph.tensor<4x4xf32>
  }
}
