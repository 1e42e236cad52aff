// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions --legalize-graph-boundary -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir --calls '0; 1; 5'

// What a body of `scf.while` gets from the condition is carried from one
// iteration to the next, so its renames go by the name that it has in the body:
// tied results of tasks, graphs and host functions, casts and aliases.

!t = !graph.tensor<8xf32>
!d = !graph.tensor<?xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func graph @layer(in %a: !t, inout %o: !t, in %n: index) -> (%o) {
    %0 = graph.call @k(%a, %o, %n) : (!t, !t, index) -> !t
    graph.return %0 : !t
  }
  graph.func private orchestration @helper(inout %a: !t, inout %o: !t) -> (%o, %a) {
    %c5 = arith.constant 5 : index
    %0 = graph.call @k(%a, %o, %c5) : (!t, !t, index) -> !t
    graph.return %0, %a : !t, !t
  }

  // CHECK-LABEL: aicpu_orchestration_entry
  graph.func orchestration @main(inout %a: !t, inout %b: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: while (true) {
    // CHECK: params_t0.add_input([[Y:.*]]);
    // CHECK-NEXT: params_t0.add_inout([[X:.*]]);
    // CHECK: params_t1.add_input([[X]]);
    // CHECK-NEXT: params_t1.add_inout([[Y]]);
    // CHECK: helper([[Y]], [[X]]);
    %r:3 = scf.while (%x = %a, %y = %b, %i = %c0) : (!t, !t, index) -> (!t, !t, index) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %x, %y, %i : !t, !t, index
    } do {
    ^bb0(%x: !t, %y: !t, %i: index):
      %x1 = graph.call @k(%y, %x, %i) : (!t, !t, index) -> !t
      %x2 = graph.alias %x1 : !t
      %y1, %task = graph.submit @layer(%x2, %y, %i) : (!t, !t, index) -> (!t, !graph.task_id)
      %y2 = graph.cast %y1 : !t to !d
      %y3 = graph.cast %y2 : !d to !t
      %h:2 = graph.call @helper(%y3, %x2) : (!t, !t) -> (!t, !t)
      %i1 = graph.alias %i : index
      %next = arith.addi %i1, %c1 : index
      scf.yield %h#1, %h#0, %next : !t, !t, index
    }
    %0 = graph.call @k(%r#0, %r#1, %n) : (!t, !t, index) -> !t
    graph.return
  }
}
