// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions --legalize-graph-boundary -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir --calls '0 1; 3 0; 5 7; 18446744073709551615 2'

// Loops, branches and scopes, with what they carry and choose.

!t = !graph.tensor<8xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func private aiv @k32(in %a: !t, inout %o: !t, in %s: i32) -> (%o)

  // The buffers take turns, which is the same on every replay.
  // CHECK-LABEL: void turns(const GraphTaskArgs &args) {
  graph.func graph @turns(inout %a: !t, inout %b: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    // CHECK: ChipTensor a_0 = a;
    // CHECK-NEXT: ChipTensor b_0 = b;
    // CHECK-NEXT: for (uint64_t i = 0; i < 3; ++i) {
    // CHECK: params_t0.add_input(a_0);
    // CHECK-NEXT: params_t0.add_inout(b_0);
    // CHECK-NEXT: params_t0.add_scalar(n);
    // CHECK: const auto a_0_before = a_0;
    // CHECK-NEXT: a_0 = b_0;
    // CHECK-NEXT: b_0 = a_0_before;
    // CHECK-NEXT: }
    %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b, %s = %n) -> (!t, !t, index) {
      %y1 = graph.call @k(%x, %y, %s) : (!t, !t, index) -> !t
      scf.yield %y1, %x, %s : !t, !t, index
    }
    // CHECK: PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
    // CHECK-NEXT: // Task 1: k
    // CHECK: params_t1.add_scalar(n);
    graph.scope manual {
      %0 = graph.call @k(%r#0, %r#1, %r#2) : (!t, !t, index) -> !t
      graph.yield
    }
    graph.return
  }

  // CHECK-LABEL: aicpu_orchestration_entry
  graph.func orchestration @main(inout %a: !t, inout %b: !t, in %n: index, in %m: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %cm3 = arith.constant -3 : index
    graph.call @turns(%a, %b, %n) : (!t, !t, index) -> ()

    // A bound that is not known, by a step of one and by another one.
    // CHECK: for (uint64_t i = 0; static_cast<int64_t>(i) < static_cast<int64_t>(m); ++i) {
    scf.for %i = %c0 to %m step %c1 {
      %0 = graph.call @k(%a, %b, %i) : (!t, !t, index) -> !t
    } {graph.parallel}
    // CHECK: uint64_t iterations = trip_count(1, static_cast<int64_t>(m), 2);
    // CHECK-NEXT: for (uint64_t i = 1; iterations != 0; --iterations, i = i + 2) {
    scf.for %i = %c1 to %m step %c2 {
      %0 = graph.call @k(%a, %b, %i) : (!t, !t, index) -> !t
    }
    // CHECK: for (uint64_t i = 0xFFFFFFFFFFFFFFFDull; static_cast<int64_t>(i) < static_cast<int64_t>(1); ++i) {
    scf.for %i = %cm3 to %c1 step %c1 {
      %0 = graph.call @k(%a, %b, %i) : (!t, !t, index) -> !t
    }
    // CHECK: uint64_t iterations_0 = trip_count_unsigned(m, 7, 2);
    scf.for unsigned %i = %m to %c7 step %c2 {
      %0 = graph.call @k(%a, %b, %i) : (!t, !t, index) -> !t
    }
    // CHECK: for (uint32_t i = 0; i < 2; ++i) {
    // CHECK: params_t{{[0-9]+}}.add_scalar(i);
    %z = arith.constant 0 : i32
    %o = arith.constant 1 : i32
    %w = arith.constant 2 : i32
    scf.for %i = %z to %w step %o : i32 {
      %0 = graph.call @k32(%a, %b, %i) : (!t, !t, i32) -> !t
    }

    // CHECK: const bool cmp = m < 2;
    // CHECK: ChipTensor [[CHOSEN:chosen.*]];
    // CHECK-NEXT: uint64_t [[VALUE:chosen.*]]{};
    // CHECK-NEXT: if (cmp) {
    // CHECK: [[CHOSEN]] = ext_a;
    // CHECK-NEXT: [[VALUE]] = add;
    // CHECK-NEXT: } else {
    // CHECK-NEXT: [[CHOSEN]] = ext_b;
    // CHECK-NEXT: [[VALUE]] = 7;
    // CHECK-NEXT: }
    %cmp = arith.cmpi ult, %m, %c2 : index
    %ch:2 = scf.if %cmp -> (!t, index) {
      %0 = arith.addi %m, %n : index
      scf.yield %a, %0 : !t, index
    } else {
      scf.yield %b, %c7 : !t, index
    }
    %1 = graph.call @k(%ch#0, %b, %ch#1) : (!t, !t, index) -> !t
    // Nothing to do in the other arm.
    // CHECK: if (cmp) {
    // CHECK: rt_submit_aiv_task(kernel_k,
    // CHECK-NEXT: }
    // CHECK-NOT: else
    scf.if %cmp {
      %0 = graph.call @k(%b, %a, %n) : (!t, !t, index) -> !t
    }
    // CHECK: const ChipTensor choice = cmp ? ext_a : ext_b;
    %sel = arith.select %cmp, %a, %b : !t
    %2 = graph.call @k(%sel, %a, %n) : (!t, !t, index) -> !t

    // CHECK: uint64_t carried = 0;
    // CHECK-NEXT: ChipTensor a = ext_a;
    // CHECK-NEXT: ChipTensor b = ext_b;
    // CHECK: while (true) {
    // CHECK: if (!
    // CHECK-NEXT: break;
    // CHECK-NEXT: }
    %wh:3 = scf.while (%i = %c0, %x = %a, %y = %b) : (index, !t, !t) -> (index, !t, !t) {
      %low = arith.andi %m, %c7 : index
      %go = arith.cmpi ult, %i, %low : index
      scf.condition(%go) %i, %y, %x : index, !t, !t
    } do {
    ^bb0(%i: index, %x: !t, %y: !t):
      %0 = graph.call @k(%x, %y, %i) : (!t, !t, index) -> !t
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %x, %y : index, !t, !t
    }
    %3 = graph.call @k(%wh#1, %wh#2, %wh#0) : (!t, !t, index) -> !t

    // CHECK: switch (static_cast<int64_t>(m)) {
    // CHECK-NEXT: case 1: {
    // CHECK: break;
    // CHECK-NEXT: }
    // CHECK-NEXT: case -3: {
    // CHECK: default: {
    %sw = scf.index_switch %m -> index
    case 1 {
      %0 = graph.call @k(%a, %b, %c1) : (!t, !t, index) -> !t
      scf.yield %c1 : index
    }
    case -3 {
      scf.yield %c2 : index
    }
    default {
      scf.yield %n : index
    }
    %4 = graph.call @k(%a, %b, %sw) : (!t, !t, index) -> !t

    // CHECK: PTO2_SCOPE() {
    // CHECK: [[SUM:chosen.*]] = add;
    // CHECK-NEXT: }
    // CHECK: add_scalar([[SUM]]);
    %sc = graph.scope auto -> (index) {
      %0 = graph.call @k(%a, %b, %c1) : (!t, !t, index) -> !t
      %5 = arith.addi %n, %m : index
      graph.yield %5 : index
    }
    %6 = graph.call @k(%a, %b, %sc) : (!t, !t, index) -> !t

    // CHECK: {{^  }}{
    // CHECK: add_scalar
    %ex = scf.execute_region -> index {
      %0 = graph.call @k(%b, %a, %c1) : (!t, !t, index) -> !t
      %5 = arith.muli %n, %m : index
      scf.yield %5 : index
    }
    %7 = graph.call @k(%a, %b, %ex) : (!t, !t, index) -> !t
    graph.return
  }
}
