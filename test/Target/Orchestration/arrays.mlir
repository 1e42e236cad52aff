// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions --legalize-graph-boundary -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir --calls '1; 2'

// Arrays of task ids and of scalars are values; one that nobody else reads is
// changed in place.

!t = !graph.tensor<8xf32>
!ids = !graph.array<4 x !graph.task_id>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private aiv @ks(in %a: !t, inout %o: !t, in %s: i16) -> (%o)

  // CHECK-LABEL: void layer(const GraphTaskArgs &args) {
  graph.func graph @layer(in %a: !t, inout %o: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    // CHECK: std::array<PTO2TaskId, 4> tasks{};
    // CHECK-NEXT: std::array<PTO2TaskId, 4> tasks_0 = tasks;
    // CHECK-NEXT: for (uint64_t i = 0; i < 3; ++i) {
    // CHECK: const PTO2TaskId k_id = outputs_t0.task_id();
    // CHECK-NEXT: tasks_0[i] = k_id;
    // CHECK-NEXT: }
    %none = graph.array.create : !ids
    %all = scf.for %i = %c0 to %c3 step %c1 iter_args(%ids = %none) -> (!ids) {
      %x, %t = graph.submit @k(%a, %o) : (!t, !t) -> (!t, !graph.task_id)
      %next = graph.array.insert %t, %ids[%i] : !ids
      scf.yield %next : !ids
    }
    // The last element was never set; it is left out.
    // CHECK: PTO2TaskId deps_t1[4];
    // CHECK-NEXT: uint32_t num_deps_t1 = 0;
    // CHECK-NEXT: for (const PTO2TaskId &dep : tasks_0) {
    // CHECK-NEXT: if (dep.is_valid()) {
    // CHECK-NEXT: deps_t1[num_deps_t1++] = dep;
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    // CHECK-NEXT: params_t1.set_dependencies(deps_t1, num_deps_t1);
    %y, %t1 = graph.submit @k(%a, %o) deps(%all : !ids) : (!t, !t) -> (!t, !graph.task_id)
    // The old one is read again: the new one is a copy.
    // CHECK: std::array<PTO2TaskId, 4> tasks_1 = tasks_0;
    // CHECK-NEXT: tasks_1[3] = k_id;
    %more = graph.array.insert %t1, %all[3] : !ids
    // CHECK: const PTO2TaskId tasks_0_element = tasks_0[2];
    %last = graph.array.extract %all[2] : !ids
    // CHECK: PTO2TaskId deps_t2[9];
    %z, %t2 = graph.submit @k(%a, %o) deps(%more, %all, %last : !ids, !ids, !graph.task_id)
        : (!t, !t) -> (!t, !graph.task_id)
    graph.return
  }

  // CHECK-LABEL: aicpu_orchestration_entry
  graph.func orchestration @main(in %a: !t, inout %o: !t, in %n: i16) {
    %c2 = arith.constant 2 : index
    %v = arith.constant 77 : i16
    graph.call @layer(%a, %o) : (!t, !t) -> ()
    graph.call @layer(%a, %o) : (!t, !t) -> ()
    // CHECK: std::array<uint16_t, 3> tasks{};
    // CHECK-NEXT: tasks[1] = 77;
    // CHECK-NEXT: tasks[2] = static_cast<uint16_t>(n);
    %e = graph.array.create : !graph.array<3 x i16>
    %f = graph.array.insert %v, %e[1] : !graph.array<3 x i16>
    %g = graph.array.insert %n, %f[%c2] : !graph.array<3 x i16>
    %p = graph.array.extract %g[0] : !graph.array<3 x i16>
    %q = graph.array.extract %g[1] : !graph.array<3 x i16>
    %r = graph.array.extract %g[2] : !graph.array<3 x i16>
    // CHECK: add_scalar(tasks_element)
    %x = graph.call @ks(%a, %o, %p) : (!t, !t, i16) -> !t
    %y = graph.call @ks(%a, %x, %q) : (!t, !t, i16) -> !t
    %z = graph.call @ks(%a, %y, %r) : (!t, !t, i16) -> !t
    graph.return
  }
}
