// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-graph-boundary -verify-diagnostics -o /dev/null

// Windows that leave their tensor in late iterations of constant loops.

!t = !graph.tensor<32x128xf32>
!w = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @late(in %w: !w, inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %off = arith.muli %i, %c32 : index
      %inside = graph.slice %w[%off, 0] [32, 128] : !w to !t
      %r0 = graph.call @k(%inside, %c) : (!t, !t) -> !t
      %next = arith.addi %off, %c8 : index
      // expected-error @below {{[graph-view-range] window in graph function '@late' leaves its tensor in dimension 0}}
      // expected-note @below {{its offset runs from 8 to 104}}
      // expected-note @below {{a window must lie inside its buffer}}
      %late = graph.slice %w[%next, 0] [32, 128] : !w to !t
      %r1 = graph.call @k(%late, %c) : (!t, !t) -> !t
      scf.for %j = %c0 to %c3 step %c1 {
        %both = arith.addi %off, %j : index
        // expected-error @below {{[graph-view-range] window in graph function '@late' leaves its tensor in dimension 0}}
        // expected-note @below {{its offset runs from 0 to 98}}
        // expected-note @below {{a window must lie inside its buffer}}
        %sum = graph.slice %w[%both, 0] [32, 128] : !w to !t
        %r2 = graph.call @k(%sum, %c) : (!t, !t) -> !t
      }
    }
    graph.return
  }
  // An iteration may leave it out: nothing is proved.
  graph.func graph @guarded(in %w: !w, inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %off = arith.muli %i, %c32 : index
      %fits = arith.cmpi ule, %off, %c32 : index
      scf.if %fits {
        %v = graph.slice %w[%off, 0] [32, 128] : !w to !t
        %r = graph.call @k(%v, %c) : (!t, !t) -> !t
      }
    }
    graph.return
  }
}
