// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions --legalize-graph-boundary -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir

// Launches of every kind, with every clause.

!t = !graph.tensor<4x8xf32>
!g = !graph.tensor<2x2xi32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // CHECK: enum KernelId : int32_t {
  // CHECK-NEXT: kernel_vec = 0,
  // CHECK-NEXT: kernel_cube = 1,
  // CHECK-NEXT: kernel_both = 2,
  // CHECK-NEXT: kernel_wide = 3,
  // CHECK-NEXT: kernel_fresh = 4,
  // CHECK-NEXT: kernel_mixed = 5,
  // CHECK-NEXT: };
  graph.func private aiv @vec(in %a: !t, inout %o: !t) -> (%o)
  graph.func private aic @cube(in %a: !t, out %o: !t) -> (%o)
  graph.func private incore @both(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func private spmd @wide(in %a: !t, inout %o: !t) -> (%o) attributes {core_num = 3}
  graph.func private incore @fresh(in %a: !t, out %x: !t, out %y: !graph.tensor<8xf32>) -> (%y, %x, !graph.tensor<2xi8>)
  graph.func private incore @mixed(in %s: index, in %a: !t, in %u: i32, inout %o: !t)

  // CHECK-LABEL: void layer(const GraphTaskArgs &args) {
  // CHECK-NEXT: const ChipTensor &a = args.tensor(0).ref();
  // CHECK-NEXT: const ChipTensor &o = args.tensor(1).ref();
  // CHECK-NEXT: const ChipTensor &gate = args.tensor(2).ref();
  // CHECK-NEXT: const uint64_t &n = args.scalar(0);
  graph.func graph @layer(in %a: !t, inout %o: !t, in %gate: !g, in %n: index) -> (%o) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0 : i32

    // CHECK-NEXT: // Task 0: vec (tasks.mlir.tmp.mlir:{{[0-9]+}}:{{[0-9]+}})
    // CHECK-NEXT: CoreTaskArgs params_t0;
    // CHECK-NEXT: params_t0.add_input(a);
    // CHECK-NEXT: params_t0.add_inout(o);
    // CHECK-NEXT: rt_submit_aiv_task(kernel_vec, params_t0);
    %0 = graph.call @vec(%a, %o) : (!t, !t) -> !t

    // An id that is used binds the outputs.
    // CHECK: // Task 1: cube
    // CHECK: params_t1.add_input(a);
    // CHECK-NEXT: params_t1.add_inout(o);
    // CHECK-NEXT: TaskOutputTensors outputs_t1 = rt_submit_aic_task(kernel_cube, params_t1);
    // CHECK-NEXT: const PTO2TaskId cube_id = outputs_t1.task_id();
    %1, %t1 = graph.submit @cube(%a, %0) : (!t, !t) -> (!t, !graph.task_id)

    // CHECK: // Task 2: no kernel
    // CHECK-NEXT: CoreTaskArgs params_t2;
    // CHECK-NEXT: PTO2TaskId deps_t2[1];
    // CHECK-NEXT: uint32_t num_deps_t2 = 0;
    // CHECK-NEXT: if (cube_id.is_valid()) {
    // CHECK-NEXT: deps_t2[num_deps_t2++] = cube_id;
    // CHECK-NEXT: }
    // CHECK-NEXT: params_t2.set_dependencies(deps_t2, num_deps_t2);
    // CHECK-NEXT: const PTO2TaskId dummy_id = rt_submit_dummy_task(params_t2).task_id();
    %t2 = graph.task_dummy deps(%t1 : !graph.task_id) : !graph.task_id

    // The slot itself is passed.
    // CHECK: CoreTaskArgs params_t3;
    // CHECK: params_t3.add_scalar(n);
    // CHECK: PTO2TaskId deps_t3[2];
    // CHECK: params_t3.launch_spec.set_block_num(5);
    // CHECK-NEXT: params_t3.launch_spec.set_sync_start(true);
    // CHECK-NEXT: const uint32_t gate_t3_at[] = {0, 1};
    // CHECK-NEXT: params_t3.set_predicate(gate, 2, gate_t3_at, PTO2Comparison::GT, 0);
    // CHECK-NEXT: rt_submit_task(MixedKernels{kernel_both, kernel_both, kernel_both}, params_t3);
    %3, %t3 = graph.submit @both(%a, %1, %n) deps(%t1, %t2 : !graph.task_id, !graph.task_id)
        core_num(%c5) predicate(%gate[%c0, 1] gt %zero : !g) {sync_start}
        : (!t, !t, index) -> (!t, !graph.task_id)

    // A literal has no address.
    // CHECK: const uint64_t t4_scalar0 = 2;
    // CHECK-NEXT: params_t4.add_scalar(t4_scalar0);
    %4 = graph.call @both(%a, %3, %c2) : (!t, !t, index) -> !t

    // CHECK: params_t5.launch_spec.set_block_num(3);
    %5 = graph.call @wide(%a, %4) : (!t, !t) -> !t

    // What the runtime allocates: omitted parameters, then untied results.
    // CHECK: // Task 6: fresh
    // CHECK-NEXT: const uint32_t out0_t6_shape[] = {4, 8};
    // CHECK-NEXT: const TensorCreateInfo out0_t6_info(out0_t6_shape, 2, DataType::FLOAT32);
    // CHECK-NEXT: const uint32_t out1_t6_shape[] = {8};
    // CHECK-NEXT: const TensorCreateInfo out1_t6_info(out1_t6_shape, 1, DataType::FLOAT32);
    // CHECK-NEXT: const uint32_t out2_t6_shape[] = {2};
    // CHECK-NEXT: const TensorCreateInfo out2_t6_info(out2_t6_shape, 1, DataType::INT8);
    // CHECK-NEXT: CoreTaskArgs params_t6;
    // CHECK-NEXT: params_t6.add_input(o);
    // CHECK-NEXT: params_t6.add_output(out0_t6_info, out1_t6_info, out2_t6_info);
    // CHECK-NEXT: TaskOutputTensors outputs_t6 = rt_submit_task(
    // CHECK-NEXT: const ChipTensor &fresh_out = outputs_t6.get_ref(0);
    %6:3, %t6 = graph.submit @fresh(%5)
        : (!t) -> (!graph.tensor<8xf32>, !t, !graph.tensor<2xi8>, !graph.task_id)
    %7 = graph.call @vec(%6#1, %5) : (!t, !t) -> !t

    // Tensors before scalars, whatever the order of the parameters.
    // CHECK: // Task 8: mixed
    // CHECK-NEXT: CoreTaskArgs params_t8;
    // CHECK-NEXT: params_t8.add_input(a);
    // CHECK-NEXT: params_t8.add_inout(o);
    // CHECK-NEXT: const uint32_t t8_scalar1 = 0;
    // CHECK-NEXT: params_t8.add_scalar(n, t8_scalar1);
    graph.call @mixed(%n, %a, %zero, %7) : (index, !t, i32, !t) -> ()
    graph.return %7 : !t
  }

  // CHECK: config.expected_arg_count = 3;
  // CHECK-LABEL: aicpu_orchestration_entry(const ChipTaskArgs &orch_args) {
  // CHECK: GraphTaskArgs params_t0;
  // CHECK-NEXT: params_t0.add_input(ext_a);
  // CHECK-NEXT: params_t0.add_inout(ext_o);
  // CHECK-NEXT: params_t0.add_input(ext_gate);
  // CHECK-NEXT: params_t0.add_scalar(n);
  // CHECK-NEXT: rt_submit_graph(&layer, params_t0);
  graph.func orchestration @main(in %a: !t, inout %o: !t, in %gate: !g, in %n: index) -> (%o) {
    %c1 = arith.constant 1 : index
    %0 = graph.call @layer(%a, %o, %gate, %n) : (!t, !t, !g, index) -> !t
    // CHECK: const uint64_t add = n + 1;
    // CHECK: params_t1.add_scalar(add);
    %m = arith.addi %n, %c1 : index
    %1 = graph.call @layer(%a, %0, %gate, %m) : (!t, !t, !g, index) -> !t
    // CHECK: // Task 2: vec
    // CHECK: params_t2.add_no_dep(ext_a);
    // CHECK-NEXT: params_t2.add_inout(ext_o);
    %2 = graph.call @vec(%a, %1) {no_dep = array<i64: 0>} : (!t, !t) -> !t
    graph.return %2 : !t
  }
}
