// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics

// A kept window that leaves its tensor in late iterations of a constant loop, in
// one dimension or by the sum of two loops; with what stays inside next to it.

!t = !graph.tensor<32x128xf32>
!w = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{it is parameter '%w'}}
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
      // expected-error @below {{[graph-view-range] window in graph function '@late' leaves its tensor along axis 0}}
      // expected-note @below {{its offset runs from 8 to 104}}
      // expected-note @below {{the replay of such a window fails}}
      // expected-note @below {{take a window that has elements and lies inside its tensor}}
      %late = graph.slice %w[%next, 0] [32, 128] : !w to !t
      %r1 = graph.call @k(%late, %c) : (!t, !t) -> !t
      scf.for %j = %c0 to %c3 step %c1 {
        %both = arith.addi %off, %j : index
        // expected-error @below {{[graph-view-range] window in graph function '@late' leaves its tensor along axis 0}}
        // expected-note @below {{its offset runs from 0 to 98}}
        // expected-note @below {{the replay of such a window fails}}
        // expected-note @below {{take a window that has elements and lies inside its tensor}}
        %sum = graph.slice %w[%both, 0] [32, 128] : !w to !t
        %r2 = graph.call @k(%sum, %c) : (!t, !t) -> !t
      }
      %back = arith.subi %c1, %i : index
      // expected-error @below {{[graph-view-range] window in graph function '@late' leaves its tensor along axis 0}}
      // expected-note @below {{its offset runs from -2 to 1}}
      // expected-note @below {{the replay of such a window fails}}
      // expected-note @below {{take a window that has elements and lies inside its tensor}}
      %negative = graph.slice %w[%back, 0] [32, 128] : !w to !t
      %r3 = graph.call @k(%negative, %c) : (!t, !t) -> !t
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

// -----

// A window under a branch that may not be taken may have an offset that no window
// has: the launch does not take it. A constant condition that holds is no branch.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{this varies: parameter '%n'}}
  graph.func graph @branch(in %w: !w, in %d: !graph.tensor<?xf32>, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %yes = arith.constant true
    %rows = graph.dim %d, %c0 : !graph.tensor<?xf32>
    %some = arith.cmpi ult, %rows, %c4 : index
    scf.if %some {
      // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@branch' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{it stands in a loop or branch that may not run}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    } else {
      // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@branch' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{it stands in a loop or branch that may not run}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    }
    scf.if %yes {
      %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    } else {
      // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@branch' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{it stands in a loop or branch that may not run}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    }
    scf.index_switch %c4
    case 4 {
      %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
      scf.yield
    }
    default {
      // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@branch' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{it stands in a loop or branch that may not run}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
      scf.yield
    }
    graph.return
  }
}

// -----

// Counters of other types, casts and shifts are looked through.

!t = !graph.tensor<32x128xf32>
!w = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{it is parameter '%w'}}
  graph.func graph @narrow(in %w: !w, inout %c: !t) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : index
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %j = arith.index_cast %i : i32 to index
      %off = arith.shli %j, %c5 : index
      %inside = graph.slice %w[%off, 0] [32, 128] : !w to !t
      %r0 = graph.call @k(%inside, %c) : (!t, !t) -> !t
      %late = arith.addi %off, %j : index
      // expected-error @below {{[graph-view-range] window in graph function '@narrow' leaves its tensor along axis 0}}
      // expected-note @below {{its offset runs from 0 to 99}}
      // expected-note @below {{the replay of such a window fails}}
      // expected-note @below {{take a window that has elements and lies inside its tensor}}
      %v = graph.slice %w[%late, 0] [32, 128] : !w to !t
      %r1 = graph.call @k(%v, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}
