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

// -----

// Neither are windows of them: one taken by the caller, one hoisted, one that
// stays.

// CHECK-LABEL: graph.func graph @windows
// CHECK-SAME: inout %view0: !graph.tensor<16xf32>) {

!t = !graph.tensor<64xf32>
!s = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, inout %o: !s) -> (%o)
  graph.func graph @windows(inout %x: !t, inout %y: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %v = graph.slice %x[32] [16] : !t to !s
    %r = graph.call @k(%v, %y) : (!s, !s) -> !s
    scf.for %j = %c0 to %c4 step %c1 {
      %w = graph.slice %x[%j] [16] : !t to !s
      %u = graph.call @k(%w, %y) : (!s, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(inout %p: !t, inout %q: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %p, %b = %q) -> (!t, !t) {
      %off = arith.muli %i, %c16 : index
      %y = graph.slice %b[%off] [16] : !t to !s
      graph.call @windows(%a, %y) : (!t, !s) -> ()
      scf.yield %b, %a : !t, !t
    }
    graph.return
  }
}
