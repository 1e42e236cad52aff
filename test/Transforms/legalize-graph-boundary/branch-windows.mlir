// RUN: pypto-opt %s --legalize-graph-boundary -o %t.once
// RUN: FileCheck %s --input-file %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary -o /dev/null

// A window under a branch: at a constant place it stays, since the branch may not
// be taken; where the condition is a constant the launch takes it.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @branch(
  // CHECK-SAME: in %n: index, in %view0: !graph.tensor<128x128xf32>) {
  graph.func graph @branch(in %w: !w, in %d: !graph.tensor<?xf32>, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %yes = arith.constant true
    %rows = graph.dim %d, %c0 : !graph.tensor<?xf32>
    %some = arith.cmpi ult, %rows, %c4 : index
    // CHECK: scf.if
    // CHECK-NEXT: %[[V:.*]] = graph.slice %w[64, 0] [128, 128]
    // CHECK-NEXT: graph.call @k(%[[V]], %c)
    scf.if %some {
      %v = graph.slice %w[64, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    }
    // CHECK: scf.if
    // CHECK-NEXT: graph.call @k(%view0, %c)
    scf.if %yes {
      %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}
