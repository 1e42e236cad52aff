// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions --legalize-graph-boundary -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir --calls '1; 4; 0' --extent 8

// Allocations, windows, extents, elements, arrays.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(in %a: !graph.tensor<?xf32>, inout %o: !graph.tensor<?xf32>) -> (%o)
  graph.func private aiv @k2(in %a: !graph.tensor<?x?xf32>, inout %o: !graph.tensor<?xf32>, in %n: index) -> (%o)
  graph.func private aiv @k0(in %a: !graph.tensor<i1>, inout %o: !graph.tensor<?xf32>, in %b: i1) -> (%o)

  // CHECK-LABEL: void layer(const GraphTaskArgs &args) {
  graph.func graph @layer(inout %a: !graph.tensor<8xf32>, in %w: !graph.tensor<8x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c18 = arith.constant 18 : index
    // Seventeen buffers are two calls, each where its first buffer is made.
    // CHECK: for (uint64_t i = 0; i < 2; ++i) {
    // CHECK: const uint32_t buffer_shape[] = {2};
    // CHECK-NEXT: const TensorCreateInfo buffer_info(buffer_shape, 1, DataType::FLOAT32);
    // CHECK: TaskOutputTensors buffers = alloc_tensors(buffer_info, buffer_0_info,
    // CHECK: buffer_14_info);
    // CHECK-NEXT: const ChipTensor &buffer = buffers.get_ref(0);
    // CHECK: const ChipTensor &buffer_14 = buffers.get_ref(15);
    // CHECK: // Task 0: k
    // CHECK: alloc_tensors(buffer_15_info);
    // CHECK-NEXT: const ChipTensor &buffer_15
    // CHECK: // Task 1: k
    scf.for %i = %c0 to %c2 step %c1 {
      %b0 = graph.create : !graph.tensor<2xf32>
      %b1 = graph.create : !graph.tensor<2xf32>
      %b2 = graph.create : !graph.tensor<2xf32>
      %b3 = graph.create : !graph.tensor<2xf32>
      %b4 = graph.create : !graph.tensor<2xf32>
      %b5 = graph.create : !graph.tensor<2xf32>
      %b6 = graph.create : !graph.tensor<2xf32>
      %b7 = graph.create : !graph.tensor<2xf32>
      %s0 = graph.cast %b0 : !graph.tensor<2xf32> to !graph.tensor<?xf32>
      %x0 = graph.call @k(%s0, %a) : (!graph.tensor<?xf32>, !graph.tensor<8xf32>) -> !graph.tensor<8xf32>
      %b8 = graph.create : !graph.tensor<2xf32>
      %b9 = graph.create : !graph.tensor<2xf32>
      %b10 = graph.create : !graph.tensor<2xf32>
      %b11 = graph.create : !graph.tensor<2xf32>
      %b12 = graph.create : !graph.tensor<2xf32>
      %b13 = graph.create : !graph.tensor<2xf32>
      %b14 = graph.create : !graph.tensor<2xf32>
      %b15 = graph.create : !graph.tensor<2xf32>
      %b16 = graph.create : !graph.tensor<2xf32>
      %x1 = graph.call @k(%b16, %b15) : (!graph.tensor<2xf32>, !graph.tensor<2xf32>) -> !graph.tensor<2xf32>
      %b17 = graph.call @k(%x1, %b1) : (!graph.tensor<2xf32>, !graph.tensor<2xf32>) -> !graph.tensor<2xf32>
      %b18 = graph.call @k(%b17, %a) : (!graph.tensor<2xf32>, !graph.tensor<8xf32>) -> !graph.tensor<8xf32>
    }
    // A window that stays is cut where its source ends.
    // CHECK: for (uint64_t i = 0; i < 4; ++i) {
    // CHECK-NEXT: const uint64_t mul = i * 2;
    // CHECK-NEXT: const uint32_t w_view_offsets[] = {static_cast<uint32_t>(mul), 1};
    // CHECK-NEXT: const uint32_t w_view_shape[] = {clamp_extent(2, mul, w.shapes[0]),
    // CHECK-NEXT: clamp_extent(3, 1, w.shapes[1])};
    // CHECK-NEXT: const ChipTensor w_view = w.view(w_view_shape, w_view_offsets);
    scf.for %i = %c0 to %c4 step %c1 {
      %r = arith.muli %i, %c2 : index
      %v = graph.slice %w[%r, 1] [2, 3] : !graph.tensor<8x4xf32> to !graph.tensor<2x3xf32>
      %x = graph.call @k2(%v, %a, %r) : (!graph.tensor<2x3xf32>, !graph.tensor<8xf32>, index) -> !graph.tensor<8xf32>
    }
    graph.return
  }

  // CHECK-LABEL: aicpu_orchestration_entry
  graph.func orchestration @main(inout %a: !graph.tensor<8xf32>, in %w: !graph.tensor<8x4xf32>,
                                 in %d: !graph.tensor<?xf32>, in %i: !graph.tensor<4xi32>,
                                 inout %f: !graph.tensor<i1>, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    graph.call @layer(%a, %w) : (!graph.tensor<8xf32>, !graph.tensor<8x4xf32>) -> ()
    // CHECK: const uint64_t ext_d_dim = ext_d.shapes[0];
    %e = graph.dim %d, %c0 : !graph.tensor<?xf32>
    // An extent that is computed first: an allocation of its own.
    // CHECK: const uint64_t add = ext_d_dim + n;
    // CHECK-NEXT: const uint32_t buffer_shape[] = {static_cast<uint32_t>(add), 2};
    // CHECK-NEXT: const TensorCreateInfo buffer_info(buffer_shape, 2, DataType::FLOAT32);
    // CHECK-NEXT: TaskOutputTensors buffers = alloc_tensors(buffer_info);
    %m = arith.addi %e, %n : index
    %b = graph.create(%m) : !graph.tensor<?x2xf32>
    %two = arith.addi %m, %m : index
    // CHECK: const uint32_t buffer_view_shape[] = {static_cast<uint32_t>(add_0)};
    // CHECK-NEXT: const ChipTensor buffer_view = buffer.reshape(buffer_view_shape, 1);
    %flat = graph.view %b [%two] : !graph.tensor<?x2xf32> to !graph.tensor<?xf32>
    %x = graph.call @k(%d, %flat) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>) -> !graph.tensor<?xf32>
    %y = graph.call @k2(%b, %a, %n) : (!graph.tensor<?x2xf32>, !graph.tensor<8xf32>, index) -> !graph.tensor<8xf32>
    // A size that is not known.
    // CHECK: clamp_extent(sub, n, ext_d.shapes[0])
    %rest = arith.subi %e, %n : index
    %tail = graph.slice %d[%n] [%rest] : !graph.tensor<?xf32> to !graph.tensor<?xf32>
    %z = graph.call @k(%tail, %a) : (!graph.tensor<?xf32>, !graph.tensor<8xf32>) -> !graph.tensor<8xf32>

    // CHECK: const uint32_t ext_i_element_at[] = {1};
    // CHECK-NEXT: const uint32_t ext_i_element = get_tensor_data<uint32_t>(ext_i, 1, ext_i_element_at);
    // CHECK-NEXT: const uint64_t index_cast = static_cast<int32_t>(ext_i_element);
    %el = graph.read %i[%c1] : !graph.tensor<4xi32>
    %ix = arith.index_cast %el : i32 to index
    %q = graph.call @k2(%w, %a, %ix) : (!graph.tensor<8x4xf32>, !graph.tensor<8xf32>, index) -> !graph.tensor<8xf32>
    // Another name is the name of what it is.
    // CHECK: params_t5.add_input(ext_w);
    // CHECK-NEXT: params_t5.add_inout(ext_a);
    // CHECK-NEXT: params_t5.add_scalar(n);
    %other = graph.alias %a : !graph.tensor<8xf32>
    %number = graph.alias %n : index
    %q2 = graph.call @k2(%w, %other, %number) : (!graph.tensor<8x4xf32>, !graph.tensor<8xf32>, index) -> !graph.tensor<8xf32>
    // A tensor of no dimensions.
    // CHECK: const uint32_t ext_f_element_at[] = {1};
    // CHECK-NEXT: const bool ext_f_element = get_tensor_data<bool>(ext_f, 0, ext_f_element_at);
    %fl = graph.read %f[] : !graph.tensor<i1>
    %p = graph.call @k0(%f, %a, %fl) : (!graph.tensor<i1>, !graph.tensor<8xf32>, i1) -> !graph.tensor<8xf32>
    // CHECK: const uint32_t buffer_0_shape[] = {1};
    // CHECK-NEXT: const TensorCreateInfo buffer_0_info(buffer_0_shape, 0, DataType::BOOL);
    %s = graph.create : !graph.tensor<i1>
    %u = graph.call @k0(%s, %a, %fl) : (!graph.tensor<i1>, !graph.tensor<8xf32>, i1) -> !graph.tensor<8xf32>
    graph.return
  }
}
