// RUN: pypto-opt --legalize-graph-boundary --verify-graph-boundary --split-input-file -verify-diagnostics %s | FileCheck %s

// Two buffers that take turns in a loop of the caller are never the same.

// CHECK-LABEL: graph.func graph @pp
// CHECK-SAME: (in %a: !graph.tensor<128x128xf32>, inout %b: !graph.tensor<128x128xf32>) -> (%b) {

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @k2(in %a: !t, in %b: !t, inout %o: !t) -> (%o)
  // ping-pong in a caller: never equal
  graph.func graph @pp(in %a: !t, inout %b: !t) -> (%b) {
    %r = graph.call @k(%a, %b) : (!t, !t) -> !t
    graph.return %r : !t
  }
  graph.func orchestration @main(inout %x: !t, inout %y: !t) -> (%x) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %0:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x, %q = %y) -> (!t, !t) {
      %b1 = graph.call @pp(%p, %q) : (!t, !t) -> !t
      scf.yield %b1, %p : !t, !t
    }
    graph.return %x : !t
  }
}
