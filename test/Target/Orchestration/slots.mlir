// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions --legalize-graph-boundary -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir

// The moving window is the base of windows that stay, so it has to come before the
// tensor it is cut from: tensors are numbered by `graph.slots` on both sides.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(in %a: !graph.tensor<2xf32>, inout %o: !graph.tensor<2xf32>, in %s: i16) -> (%o)
  graph.func private aiv @whole(in %a: !graph.tensor<16xf32>, inout %o: !graph.tensor<2xf32>)

  // CHECK-LABEL: void layer(const GraphTaskArgs &args) {
  // CHECK-NEXT: const ChipTensor &o = args.tensor(0).ref();
  // CHECK-NEXT: const ChipTensor &view0 = args.tensor(1).ref();
  // CHECK-NEXT: const ChipTensor &w = args.tensor(2).ref();
  // CHECK-NEXT: const uint64_t &s = args.scalar(1);
  graph.func graph @layer(in %li: index, in %w: !graph.tensor<16xf32>,
                          inout %o: !graph.tensor<2xf32>, in %s: i16) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %base = arith.muli %li, %c4 : index
    %band = graph.slice %w[%base] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    scf.for %i = %c0 to %c2 step %c1 {
      %r = arith.muli %i, %c2 : index
      %part = graph.slice %band[%r] [2] : !graph.tensor<4xf32> to !graph.tensor<2xf32>
      // A slot of 16 bits is passed as the slot.
      // CHECK: params_t0.add_scalar(s);
      %x = graph.call @k(%part, %o, %s) : (!graph.tensor<2xf32>, !graph.tensor<2xf32>, i16) -> !graph.tensor<2xf32>
    }
    graph.call @whole(%w, %o) : (!graph.tensor<16xf32>, !graph.tensor<2xf32>) -> ()
    graph.return
  }

  // CHECK-LABEL: aicpu_orchestration_entry
  // CHECK: params_t0.add_inout(ext_o);
  // CHECK-NEXT: params_t0.add_input(ext_w_view, ext_w);
  // CHECK-NEXT: params_t0.add_scalar(i, s);
  graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<2xf32>, in %s: i16) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @layer(%i, %w, %o, %s)
          : (index, !graph.tensor<16xf32>, !graph.tensor<2xf32>, i16) -> ()
    }
    graph.return
  }
}
