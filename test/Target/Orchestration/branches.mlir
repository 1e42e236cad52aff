// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions --legalize-graph-boundary -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir --fewer-nodes

// A branch with an invariant condition in a recording, which has at most as many nodes
// as are counted, those of the larger arm.

!t = !graph.tensor<8xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(in %a: !t, inout %o: !t, in %s: i8) -> (%o)

  // CHECK-LABEL: void layer(const GraphTaskArgs &args) {
  graph.func graph @layer(in %a: !t, inout %o: !t, in %s: i8) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    // CHECK: for (uint64_t i = 0; i < 5; ++i) {
    // CHECK-NEXT: const bool cmp = i < 2;
    // CHECK-NEXT: ChipTensor chosen;
    // CHECK-NEXT: if (cmp) {
    // CHECK-NEXT: // Task 0: k
    // CHECK: params_t0.add_scalar(s);
    // CHECK: chosen = a;
    // CHECK-NEXT: } else {
    // CHECK: chosen = o;
    // CHECK-NEXT: }
    scf.for %i = %c0 to %c5 step %c1 {
      %first = arith.cmpi ult, %i, %c2 : index
      %x = scf.if %first -> (!t) {
        %0 = graph.call @k(%a, %o, %s) : (!t, !t, i8) -> !t
        scf.yield %a : !t
      } else {
        %0 = graph.call @k(%a, %o, %s) : (!t, !t, i8) -> !t
        %1 = graph.call @k(%a, %0, %s) : (!t, !t, i8) -> !t
        scf.yield %1 : !t
      }
      // CHECK: params_t3.add_input(chosen);
      %y = graph.call @k(%x, %o, %s) : (!t, !t, i8) -> !t
    }
    graph.return
  }
  graph.func orchestration @main(in %a: !t, inout %o: !t, in %s: i8) {
    graph.call @layer(%a, %o, %s) : (!t, !t, i8) -> ()
    // CHECK: params_t1.add_scalar(add);
    %n = arith.addi %s, %s : i8
    graph.call @layer(%a, %o, %n) : (!t, !t, i8) -> ()
    graph.return
  }
}
