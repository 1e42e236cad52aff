// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -split-input-file -verify-graph-boundary -verify-diagnostics -o /dev/null

// What the runtime takes a task's tensor for is decided by the first call: see
// what boundary tensors of one buffer have to do with each other at the launches.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func private incore @kt(in %a: !t, inout %c: !q) -> (%c)

  // Windows kept on the moving slice bind to its root, which comes first.
  graph.func graph @wrong_order(in %w: !w, inout %c: !q, in %view0: !t) -> (%c) {
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %view0[32, 0] [32, 128] : !t to !q
    // expected-error @below {{[graph-slot-order] a window of '%view0' kept in graph function '@wrong_order' would be recorded as one of '%w', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%view0' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  // With the slice first they are its own.
  graph.func graph @right_order(in %w: !w, inout %c: !q, in %view0: !t) -> (%c)
      attributes {graph.slots = array<i64: 2, 0, 1>} {
    %v = graph.slice %view0[32, 0] [32, 128] : !t to !q
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  // With windows on both no order is right.
  graph.func graph @both(in %w: !w, inout %c: !q, in %view0: !t) -> (%c)
      attributes {graph.slots = array<i64: 2, 0, 1>} {
    %v = graph.slice %view0[32, 0] [32, 128] : !t to !q
    graph.call @k(%v, %c) : (!q, !q) -> !q
    // expected-note @below {{the window is taken here}}
    %u = graph.slice %w[0, 0] [32, 128] : !w to !q
    // expected-error @below {{[graph-slot-order] a window of '%w' kept in graph function '@both' would be recorded as one of '%view0', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%w' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%u, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  // Without windows the order does not matter.
  graph.func graph @no_window(in %w: !w, inout %c: !q, in %view0: !t) -> (%c) {
    graph.call @kt(%view0, %c) : (!t, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(in %w: !w, inout %c: !q) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %off = arith.muli %i, %c128 : index
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
      // expected-note @below {{at this launch '%view0' and '%w' may share a buffer, at a distance that is not the same at every launch}}
      graph.call @wrong_order(%w, %c, %v) : (!w, !q, !t) -> !q
      graph.call @right_order(%w, %c, %v) : (!w, !q, !t) -> !q
      // expected-note @below {{at this launch '%w' and '%view0' may share a buffer, at a distance that is not the same at every launch}}
      graph.call @both(%w, %c, %v) : (!w, !q, !t) -> !q
      graph.call @no_window(%w, %c, %v) : (!w, !q, !t) -> !q
    }
    graph.return %c : !q
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// A distance that is the same at every launch is as good as none, whatever else
// moves, and different buffers are not confused.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func graph @layer(in %a: !t, in %b: !t, inout %c: !q) -> (%c) {
    %v = graph.slice %b[32, 0] [32, 128] : !t to !q
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(in %w: !w, in %x: !t, inout %c: !q, in %n: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %off = arith.muli %i, %c128 : index
      %next = arith.addi %off, %c128 : index
      %a = graph.slice %w[%off, 0] [128, 128] : !w to !t
      %b = graph.slice %w[%next, 0] [128, 128] : !w to !t
      // expected-note @below {{the other launch is here}}
      graph.call @layer(%a, %b, %c) : (!t, !t, !q) -> !q
      %own = graph.create : !t
      // expected-warning @below {{[graph-signature-varies] launch of graph function '@layer' does not replay what another launch records: '%a' lies in a buffer of 16384 elements here and of 65536 there}}
      // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
      // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
      graph.call @layer(%own, %b, %c) : (!t, !t, !q) -> !q
      // expected-warning @below {{[graph-signature-varies] launch of graph function '@layer' does not replay what another launch records: '%a' lies in a buffer of 16384 elements here and of 65536 there}}
      // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
      // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
      graph.call @layer(%x, %b, %c) : (!t, !t, !q) -> !q
    }
    %a = graph.slice %w[%n, 0] [256, 128] : !w to !graph.tensor<256x128xf32>
    %a0 = graph.slice %a[0, 0] [128, 128] : !graph.tensor<256x128xf32> to !t
    %a1 = graph.slice %a[128, 0] [128, 128] : !graph.tensor<256x128xf32> to !t
    graph.call @layer(%a0, %a1, %c) : (!t, !t, !q) -> !q
    graph.return %c : !q
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// Another distance at another launch.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func graph @layer(in %a: !t, in %b: !t, inout %c: !q) -> (%c) {
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %b[32, 0] [32, 128] : !t to !q
    // expected-error @below {{[graph-slot-order] a window of '%b' kept in graph function '@layer' would be recorded as one of '%a', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%b' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(in %w: !w, inout %c: !q) -> (%c) {
    %a = graph.slice %w[0, 0] [128, 128] : !w to !t
    %b = graph.slice %w[128, 0] [128, 128] : !w to !t
    %d = graph.slice %w[256, 0] [128, 128] : !w to !t
    graph.call @layer(%a, %b, %c) : (!t, !t, !q) -> !q
    // expected-note @below {{at this launch '%b' and '%a' may share a buffer, at a distance that is not the same at every launch}}
    graph.call @layer(%a, %d, %c) : (!t, !t, !q) -> !q
    graph.return %c : !q
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>

// A kept window of the shape of a boundary tensor of the buffer may equal it.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !t, inout %c: !t) -> (%c)
  graph.func graph @tiles(in %w: !w, inout %c: !t, in %view0: !t) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %off = arith.muli %i, %c128 : index
      // expected-note @below {{the window is taken here}}
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
      // expected-error @below {{[graph-boundary-alias] a window of '%w' kept in graph function '@tiles' equals '%view0' on the first call only}}
      // expected-note @below {{it would be recorded as '%view0'; take the window at the launch}}
      graph.call @k(%v, %view0, %c) : (!t, !t, !t) -> !t
    }
    graph.return %c : !t
  }
  // Never: the windows stand between the slices.
  graph.func graph @between(in %w: !w, inout %c: !t, in %view0: !t) -> (%c) {
    %v = graph.slice %w[64, 0] [128, 128] : !w to !t
    graph.call @k(%v, %view0, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func orchestration @main(in %w: !w, inout %c: !t) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %off = arith.muli %i, %c128 : index
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
      // expected-note @below {{at this launch '%w' and '%view0' may share a buffer, at a distance that is not the same at every launch}}
      graph.call @tiles(%w, %c, %v) : (!w, !t, !t) -> !t
      graph.call @between(%w, %c, %v) : (!w, !t, !t) -> !t
    }
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>

// Boundary tensors of equal shape: equal at the first iteration only, never,
// always, and nobody knows.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !t, inout %c: !t) -> (%c)
  graph.func graph @sometimes(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    // expected-error @below {{[graph-boundary-alias] '%b' and '%a' of graph function '@sometimes' are the same tensor at some launches only}}
    // expected-note @below {{tensors that are equal at the first call are one for ever: pass windows that are always or never the same}}
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func graph @never(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func graph @always(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func graph @perhaps(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    // expected-warning @below {{[graph-boundary-alias] '%b' and '%a' of graph function '@perhaps' may be the same tensor at some launches only}}
    // expected-note @below {{tensors that are equal at the first call are one for ever}}
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  // The one that could be taken for the other is no task's.
  graph.func graph @unused(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    graph.call @k(%a, %a, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func orchestration @main(in %w: !w, inout %c: !t, in %n: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %base = graph.slice %w[0, 0] [128, 128] : !w to !t
    scf.for %i = %c0 to %c3 step %c1 {
      %off = arith.muli %i, %c128 : index
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
      // expected-note @below {{they are the same here}}
      // expected-note @below {{they are different here}}
      graph.call @sometimes(%base, %v, %c) : (!t, !t, !t) -> !t
      %next = arith.addi %off, %c128 : index
      %u = graph.slice %w[%next, 0] [128, 128] : !w to !t
      graph.call @never(%base, %u, %c) : (!t, !t, !t) -> !t
      %same = graph.slice %w[%off, 0] [128, 128] : !w to !t
      graph.call @always(%v, %same, %c) : (!t, !t, !t) -> !t
      %x = graph.slice %w[%n, 0] [128, 128] : !w to !t
      // expected-note @below {{they may be the same here}}
      graph.call @perhaps(%v, %x, %c) : (!t, !t, !t) -> !t
      graph.call @unused(%v, %x, %c) : (!t, !t, !t) -> !t
    }
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// The launch sees through casts, results of tasks, carries and branches; a
// choice may be any of its alternatives.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func private incore @kw(inout %w: !w) -> (%w)
  graph.func graph @carried(in %w: !w, in %a: !t, inout %c: !q) -> (%c) {
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %a[32, 0] [32, 128] : !t to !q
    // expected-error @below {{[graph-slot-order] a window of '%a' kept in graph function '@carried' would be recorded as one of '%w', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%a' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func graph @chosen(in %w: !w, in %a: !t, inout %c: !q) -> (%c) {
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %a[32, 0] [32, 128] : !t to !q
    // expected-error @below {{[graph-slot-order] a window of '%a' kept in graph function '@chosen' would be recorded as one of '%w', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%a' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(inout %w: !w, inout %x: !w, inout %c: !q, in %f: i1) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %dyn = graph.cast %w : !w to !graph.tensor<?x128xf32>
    %back = graph.cast %dyn : !graph.tensor<?x128xf32> to !w
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%it = %back) -> (!w) {
      %next = graph.call @kw(%it) : (!w) -> !w
      %off = arith.muli %i, %c128 : index
      %v = graph.slice %next[%off, 0] [128, 128] : !w to !t
      // expected-note @below {{at this launch '%a' and '%w' may share a buffer, at a distance that is not the same at every launch}}
      graph.call @carried(%w, %v, %c) : (!w, !t, !q) -> !q
      %pick = scf.if %f -> (!w) {
        scf.yield %x : !w
      } else {
        scf.yield %next : !w
      }
      %u = graph.slice %pick[%off, 0] [128, 128] : !w to !t
      // expected-note @below {{at this launch '%a' and '%w' may share a buffer, at a distance that is not the same at every launch}}
      graph.call @chosen(%w, %u, %c) : (!w, !t, !q) -> !q
      scf.yield %next : !w
    }
    graph.return %c : !q
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// A helper that is called with one buffer twice has parameters that may be one,
// also when the call is behind another one. The entry's are different buffers.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func graph @layer(in %a: !w, in %b: !t, inout %c: !q) -> (%c) {
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %b[32, 0] [32, 128] : !t to !q
    // expected-error @below {{[graph-slot-order] a window of '%b' kept in graph function '@layer' would be recorded as one of '%a', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%b' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func graph @other(in %a: !w, in %b: !t, inout %c: !q) -> (%c) {
    %v = graph.slice %b[32, 0] [32, 128] : !t to !q
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @window(in %w: !w, in %n: index) -> (!t) {
    %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
    graph.return %v : !t
  }
  graph.func orchestration @helper(in %a: !w, in %b: !t, inout %c: !q) {
    // expected-note @below {{at this launch '%b' and '%a' may share a buffer, at a distance that is not the same at every launch}}
    graph.call @layer(%a, %b, %c) : (!w, !t, !q) -> !q
    graph.return
  }
  graph.func orchestration @between(in %a: !w, in %b: !t, inout %c: !q) {
    graph.call @helper(%a, %b, %c) : (!w, !t, !q) -> ()
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !q, in %n: index) {
    // What host code returns may be a window of anything it got.
    %v = graph.call @window(%w, %n) : (!w, index) -> !t
    graph.call @between(%w, %v, %c) : (!w, !t, !q) -> ()
    graph.return
  }
  graph.func orchestration @entry(in %w: !w, in %b: !t, inout %c: !q) {
    graph.call @other(%w, %b, %c) : (!w, !t, !q) -> !q
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// A base that has a higher slot but whose windows start before the other tensor.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, in %b: !q, inout %c: !q) -> (%c)
  graph.func graph @before(in %view0: !t, in %w: !w, inout %c: !q) -> (%c) {
    %u = graph.slice %view0[32, 0] [32, 128] : !t to !q
    %v = graph.slice %w[96, 0] [32, 128] : !w to !q
    graph.call @k(%u, %v, %c) : (!q, !q, !q) -> !q
    graph.return %c : !q
  }
  graph.func graph @not_before(in %view0: !t, in %w: !w, inout %c: !q) -> (%c) {
    %u = graph.slice %view0[32, 0] [32, 128] : !t to !q
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %w[128, 0] [32, 128] : !w to !q
    // expected-error @below {{[graph-slot-order] a window of '%w' kept in graph function '@not_before' would be recorded as one of '%view0', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%w' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%u, %v, %c) : (!q, !q, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(in %w: !w, inout %c: !q) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    scf.for %i = %c1 to %c4 step %c1 {
      %off = arith.muli %i, %c128 : index
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
      graph.call @before(%v, %w, %c) : (!t, !w, !q) -> !q
      // expected-note @below {{at this launch '%w' and '%view0' may share a buffer, at a distance that is not the same at every launch}}
      graph.call @not_before(%v, %w, %c) : (!t, !w, !q) -> !q
    }
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>

// Different distances at different launches, and views: the same elements in
// other dimensions.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !t, inout %c: !t) -> (%c)
  graph.func graph @layer(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    // expected-error @below {{[graph-boundary-alias] '%b' and '%a' of graph function '@layer' are the same tensor at some launches only}}
    // expected-note @below {{tensors that are equal at the first call are one for ever: pass windows that are always or never the same}}
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func graph @viewed(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func graph @view_differs(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    // expected-error @below {{[graph-boundary-alias] '%b' and '%a' of graph function '@view_differs' are the same tensor at some launches only}}
    // expected-note @below {{tensors that are equal at the first call are one for ever: pass windows that are always or never the same}}
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func orchestration @main(in %w: !w, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %a = graph.slice %w[0, 0] [128, 128] : !w to !t
    %b = graph.slice %w[128, 0] [128, 128] : !w to !t
    // expected-note @below {{they are the same here}}
    graph.call @layer(%a, %a, %c) : (!t, !t, !t) -> !t
    // expected-note @below {{they are different here}}
    graph.call @layer(%a, %b, %c) : (!t, !t, !t) -> !t
    %flat = graph.view %w [65536] : !w to !graph.tensor<65536xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %row = arith.muli %i, %c128 : index
      %x = graph.slice %w[%row, 0] [128, 128] : !w to !t
      %element = arith.muli %row, %c128 : index
      %part = graph.slice %flat[%element] [16384] : !graph.tensor<65536xf32> to !graph.tensor<16384xf32>
      %y = graph.view %part [128, 128] : !graph.tensor<16384xf32> to !t
      graph.call @viewed(%x, %y, %c) : (!t, !t, !t) -> !t
      %first = graph.slice %flat[0] [16384] : !graph.tensor<65536xf32> to !graph.tensor<16384xf32>
      %z = graph.view %first [128, 128] : !graph.tensor<16384xf32> to !t
      // expected-note @below {{they are the same here}}
      // expected-note @below {{they are different here}}
      graph.call @view_differs(%z, %x, %c) : (!t, !t, !t) -> !t
    }
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// An offset that a loop carries is not its initial value.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func graph @layer(in %w: !w, in %b: !t, inout %c: !q) -> (%c) {
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %b[32, 0] [32, 128] : !t to !q
    // expected-error @below {{[graph-slot-order] a window of '%b' kept in graph function '@layer' would be recorded as one of '%w', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%b' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(in %w: !w, inout %c: !q) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%off = %c0) -> (index) {
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
      // expected-note @below {{at this launch '%b' and '%w' may share a buffer, at a distance that is not the same at every launch}}
      graph.call @layer(%w, %v, %c) : (!w, !t, !q) -> !q
      %next = arith.addi %off, %c128 : index
      scf.yield %next : index
    }
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// Launches at which other tensors share a buffer are not replayed from one
// recording: what differs between them does not matter.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func graph @layer(in %a: !t, in %b: !t, in %x: !w, inout %c: !q) -> (%c) {
    %v = graph.slice %b[32, 0] [32, 128] : !t to !q
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(in %w: !w, in %x: !w, inout %c: !q) {
    %a = graph.slice %w[0, 0] [128, 128] : !w to !t
    %b = graph.slice %w[128, 0] [128, 128] : !w to !t
    %d = graph.slice %w[256, 0] [128, 128] : !w to !t
    // expected-note @below {{the other launch is here}}
    graph.call @layer(%a, %b, %w, %c) : (!t, !t, !w, !q) -> !q
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@layer' does not replay what another launch records: '%a' and '%x' are windows of one buffer there and not here}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @layer(%a, %d, %x, %c) : (!t, !t, !w, !q) -> !q
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// When it is not certain which tensors share one, the launches are taken
// together.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !q, inout %c: !q) -> (%c)
  graph.func graph @layer(in %a: !t, in %b: !t, in %x: !w, inout %c: !q) -> (%c) {
    // expected-note @below {{the window is taken here}}
    %v = graph.slice %b[32, 0] [32, 128] : !t to !q
    // expected-error @below {{[graph-slot-order] a window of '%b' kept in graph function '@layer' would be recorded as one of '%a', which has a lower slot}}
    // expected-note @below {{the window would stay at the distance of the first call; number '%b' first in 'graph.slots', or take the window at the launch}}
    graph.call @k(%v, %c) : (!q, !q) -> !q
    graph.return %c : !q
  }
  graph.func orchestration @main(in %w: !w, in %x: !w, inout %c: !q, in %f: i1) {
    %a = graph.slice %w[0, 0] [128, 128] : !w to !t
    %b = graph.slice %w[128, 0] [128, 128] : !w to !t
    %d = graph.slice %w[256, 0] [128, 128] : !w to !t
    %y = arith.select %f, %w, %x : !w
    graph.call @layer(%a, %b, %w, %c) : (!t, !t, !w, !q) -> !q
    // expected-note @below {{at this launch '%b' and '%a' may share a buffer, at a distance that is not the same at every launch}}
    graph.call @layer(%a, %d, %y, %c) : (!t, !t, !w, !q) -> !q
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!q = !graph.tensor<32x128xf32>

// Only the launch that records decides: tensors that are told apart there stay
// apart, and a window that starts before another tensor there is not one of it.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !t, inout %c: !t) -> (%c)
  graph.func private incore @kq(in %a: !q, in %b: !q, inout %c: !q) -> (%c)
  graph.func graph @later(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func graph @second(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func graph @behind(in %fixed: !t, in %moving: !t, inout %c: !q) -> (%c) {
    %u = graph.slice %fixed[32, 0] [32, 128] : !t to !q
    %v = graph.slice %moving[96, 0] [32, 128] : !t to !q
    graph.call @kq(%u, %v, %c) : (!q, !q, !q) -> !q
    graph.return %c : !q
  }
  // A launch that may not run may be the one, or not.
  graph.func graph @perhaps(in %a: !t, in %b: !t, inout %c: !t) -> (%c) {
    // expected-warning @below {{[graph-boundary-alias] '%b' and '%a' of graph function '@perhaps' may be the same tensor at some launches only}}
    // expected-note @below {{tensors that are equal at the first call are one for ever}}
    graph.call @k(%a, %b, %c) : (!t, !t, !t) -> !t
    graph.return %c : !t
  }
  graph.func orchestration @main(in %w: !w, inout %c: !t, inout %d: !q, in %f: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %x = graph.slice %w[256, 0] [128, 128] : !w to !t
    scf.for %i = %c0 to %c3 step %c1 {
      %off = arith.muli %i, %c128 : index
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
      graph.call @later(%x, %v, %c) : (!t, !t, !t) -> !t
      graph.call @behind(%x, %v, %d) : (!t, !t, !q) -> !q
    }
    %y = graph.slice %w[0, 0] [128, 128] : !w to !t
    graph.call @second(%x, %y, %c) : (!t, !t, !t) -> !t
    graph.call @second(%x, %x, %c) : (!t, !t, !t) -> !t
    scf.if %f {
      // expected-note @below {{they may be the same here}}
      graph.call @perhaps(%x, %x, %c) : (!t, !t, !t) -> !t
    }
    graph.call @perhaps(%x, %y, %c) : (!t, !t, !t) -> !t
    graph.return
  }
}

// -----

// What the launches pass says which extents a parameter has: a slice is not the
// buffer it is a window of, although the types of the parameters would agree.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !graph.tensor<?xf32>, inout %c: !graph.tensor<?xf32>) -> (%c)
  graph.func graph @open(inout %whole: !graph.tensor<16xf32>, inout %part: !graph.tensor<?xf32>) {
    graph.call @k(%part, %whole) : (!graph.tensor<?xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    graph.return
  }
  graph.func graph @open_both(inout %a: !graph.tensor<?xf32>, inout %b: !graph.tensor<?xf32>) {
    // expected-error @below {{[graph-boundary-alias] '%b' and '%a' of graph function '@open_both' are the same tensor at some launches only}}
    // expected-note @below {{tensors that are equal at the first call are one for ever}}
    graph.call @k(%b, %a) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>) -> !graph.tensor<?xf32>
    graph.return
  }
  graph.func orchestration @main(inout %w: !graph.tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %first = graph.slice %w[0] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    scf.for %i = %c0 to %c16 step %c4 {
      %v = graph.slice %w[%i] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
      graph.call @open(%w, %v) : (!graph.tensor<16xf32>, !graph.tensor<4xf32>) -> ()
      // expected-note @below {{they are the same here}}
      // expected-note @below {{they are different here}}
      graph.call @open_both(%first, %v) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
    }
    graph.return
  }
}

// -----

// That two tensors start at one place does not make them equal: a window whose
// extents the type leaves open may be a part of the other tensor.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !graph.tensor<?xf32>, inout %c: !graph.tensor<?xf32>) -> (%c)
  graph.func graph @part(inout %whole: !graph.tensor<16xf32>, inout %part: !graph.tensor<?xf32>) {
    // expected-warning @below {{[graph-boundary-alias] '%part' and '%whole' of graph function '@part' may be the same tensor at some launches only}}
    // expected-note @below {{tensors that are equal at the first call are one for ever}}
    graph.call @k(%part, %whole) : (!graph.tensor<?xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    graph.return
  }
  graph.func orchestration @main(inout %w: !graph.tensor<64xf32>, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %first = graph.slice %w[0] [16] : !graph.tensor<64xf32> to !graph.tensor<16xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %v = graph.slice %w[%i] [%n] : !graph.tensor<64xf32> to !graph.tensor<?xf32>
      // expected-note @below {{they may be the same here}}
      graph.call @part(%first, %v) : (!graph.tensor<16xf32>, !graph.tensor<?xf32>) -> ()
    }
    graph.return
  }
}
