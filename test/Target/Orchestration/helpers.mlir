// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir
// RUN: pypto-translate --graph-to-orchestration --entry=inner %t.mlir | FileCheck %s --check-prefix=INNER

// Host functions that the entry calls are C++ functions, callees first. One that is
// not reached is left out.

!t = !graph.tensor<4xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(in %a: !t, inout %o: !t, in %s: i32) -> (%o)

  // CHECK: static void host_inner(const ChipTensor &a, const ChipTensor &o, uint32_t n) {
  // CHECK: params_t0.add_scalar(n);
  graph.func opaque @inner(in %a: !t, inout %o: !t, in %n: i32) {
    %0 = graph.call @k(%a, %o, %n) : (!t, !t, i32) -> !t
    graph.return
  }
  // CHECK: static void host_outer(const ChipTensor &a, const ChipTensor &o, uint32_t n,
  // CHECK-NEXT: const std::array<PTO2TaskId, 2> &, ChipTensor &result1, uint32_t &result2,
  // CHECK-NEXT: PTO2TaskId &result3) {
  // CHECK: host_inner(a, o, n);
  // CHECK: result1 = buffer;
  // CHECK-NEXT: result2 = add;
  // CHECK-NEXT: result3 = k_id;
  graph.func orchestration @outer(in %a: !t, inout %o: !t, in %n: i32, in %ids: !graph.array<2 x !graph.task_id>)
      -> (%o, !t, i32, !graph.task_id) {
    %b = graph.create : !t
    graph.call @inner(%a, %o, %n) : (!t, !t, i32) -> ()
    %0, %id = graph.submit @k(%a, %b, %n) : (!t, !t, i32) -> (!t, !graph.task_id)
    %m = arith.addi %n, %n : i32
    graph.return %o, %b, %m, %id : !t, !t, i32, !graph.task_id
  }
  // CHECK-NOT: unused
  graph.func opaque @unused(in %a: !t) {
    graph.return
  }
  // CHECK: aicpu_orchestration_entry(
  // CHECK: std::array<PTO2TaskId, 2> tasks{};
  // CHECK-NEXT: ChipTensor outer_result;
  // CHECK-NEXT: uint32_t outer_result_0{};
  // CHECK-NEXT: PTO2TaskId outer_result_1{};
  // CHECK-NEXT: host_outer(ext_a, ext_o, static_cast<uint32_t>(n), tasks, outer_result, outer_result_0,
  // CHECK-NEXT: outer_result_1);
  // CHECK: params_t0.add_input(outer_result);
  // CHECK: params_t0.add_scalar(outer_result_0);
  graph.func orchestration @main(in %a: !t, inout %o: !t, in %n: i32) {
    %ids = graph.array.create : !graph.array<2 x !graph.task_id>
    %r:4 = graph.call @outer(%a, %o, %n, %ids)
        : (!t, !t, i32, !graph.array<2 x !graph.task_id>) -> (!t, !t, i32, !graph.task_id)
    %0, %id = graph.submit @k(%r#1, %r#0, %r#2) deps(%r#3 : !graph.task_id)
        : (!t, !t, i32) -> (!t, !graph.task_id)
    graph.return
  }
}

// INNER: config.expected_arg_count = 2;
// INNER: aicpu_orchestration_entry(
// INNER: params_t0.add_scalar(n);
