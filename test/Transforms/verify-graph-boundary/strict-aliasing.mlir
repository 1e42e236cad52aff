// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-graph-boundary=strict-aliasing=true -verify-diagnostics -o /dev/null
// RUN: grep -v "expected-" %s | pypto-opt -verify-graph-boundary=warn-undecided=false 2>&1 \
// RUN:   | FileCheck %s --allow-empty --check-prefix=QUIET
// QUIET-NOT: {{(error|warning):}}

!t = !graph.tensor<128x128xf32>
!q = !graph.tensor<32x128xf32>

// With strict aliasing the parameters of an entry may be one buffer, and what is
// not proved is refused.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func private incore @kt(in %a: !t, in %b: !t, inout %c: !q) -> (%c)
  graph.func graph @layer(in %a: !t, in %b: !t, inout %c: !q) -> (%c) {
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %b[64, 0] [32, 128] : !t to !q
    // expected-error @below {{[graph-slot-order] a window of '%b' kept in graph function '@layer' would be recorded as one of '%a', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%b' first in 'graph.slots', or take the window at the launch}}
    // expected-error @below {{[graph-boundary-alias] a window of '%b' kept in graph function '@layer' may equal '%c' on the first call only}}
    // expected-note @below {{it would be recorded as '%c'; take the window at the launch}}
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func graph @whole(in %a: !t, in %b: !t, inout %c: !q) -> (%c) {
    // expected-error @below {{[graph-boundary-alias] '%b' and '%a' of graph function '@whole' may be the same tensor at some launches only}}
    // expected-note @below {{tensors that are equal at the first call are one for ever}}
    graph.call @kt(%a, %b, %c) : (!t, !t, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(in %a: !t, in %b: !t, inout %c: !q) {
    // expected-note @below {{at this launch '%b' and '%a' may share a buffer, at a distance that is not the same at every launch}}
    // expected-note @below {{at this launch '%b' and '%c' may share a buffer, at a distance that is not the same at every launch}}
    graph.call @layer(%a, %b, %c) : (!t, !t, !q) -> !q
    // expected-note @below {{they may be the same here}}
    graph.call @whole(%a, %b, %c) : (!t, !t, !q) -> !q
    %own = graph.create : !t
    graph.call @whole(%a, %own, %c) : (!t, !t, !q) -> !q
    graph.return
  }
}
