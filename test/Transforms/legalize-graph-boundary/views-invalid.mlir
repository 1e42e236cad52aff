// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics

// LB21: neither the launch can take the window, nor does it stay where it is.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @lb21(in %w: !w, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    scf.for %j = %c0 to %c2 step %c1 {
      %in_band = arith.muli %j, %c128 : index
      // expected-note @below {{the launch has no name for this: the result of 'arith.addi'}}
      // expected-note @below {{this varies: the result of 'arith.addi'}}
      %off = arith.addi %li, %in_band : index
      // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@lb21' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %b = graph.slice %w[%off, 0] [128, 128] : !w to !t
      %r = graph.call @k(%b, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// LB19: one offset the launch can compute, one extent it cannot.

!t = !graph.tensor<128x128xf32>
!d = !graph.tensor<?x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !t) -> (%o)
  // expected-note @below {{this varies: parameter '%li'}}
  graph.func graph @lb19(in %a: !d, in %w: !w, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    // expected-note @below {{the launch has no name for this: the result of 'graph.dim'}}
    %rows = graph.dim %a, %c0 : !d
    // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@lb19' moves between replays and cannot be taken at the launch}}
    // expected-note @below {{a replay would read the window of the first call}}
    // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
    %wl = graph.slice %w[%li, 0] [%rows, 128] : !w to !d
    %r = graph.call @k(%wl, %c) : (!d, !t) -> !t
    graph.return
  }
}

// -----

// LB25: what is over a window that stays can only stay; through a rename and
// through a task that gives the window back.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !h, inout %o: !t) -> (%o)
  graph.func private incore @kio(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{this varies: parameter '%n'}}
  graph.func graph @lb25(in %a: !t, inout %w: !w, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %j = %c0 to %c2 step %c1 {
      // expected-note @below {{the launch has no name for its source: the result of 'graph.slice'}}
      %b = graph.slice %w[%j, 0] [128, 128] : !w to !t
      %al = graph.alias %b : !t
      // expected-error @below {{[graph-moving-view] window of the result of 'graph.slice' in graph function '@lb25' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %s = graph.slice %al[%n, 0] [64, 128] : !t to !h
      %r = graph.call @k(%s, %c) : (!h, !t) -> !t
      %b1 = graph.call @kio(%a, %b) : (!t, !t) -> !t
      // expected-error @below {{[graph-moving-view] window of the result of 'graph.slice' in graph function '@lb25' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %u = graph.slice %b1[%n, 0] [64, 128] : !t to !h
      %v = graph.call @k(%u, %c) : (!h, !t) -> !t
    }
    graph.return
  }
}

// -----

// LB26: the same for graph.view.

!t = !graph.tensor<128x128xf32>
!d = !graph.tensor<?x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !t) -> (%o)
  // expected-note @below {{this varies: parameter '%n'}}
  graph.func graph @lb26(in %a: !t, inout %c: !t, in %n: index) {
    // expected-error @below {{[graph-view-shape] window of parameter '%a' in graph function '@lb26' has an extent that varies between replays}}
    // expected-note @below {{extents are copied from the recording}}
    // expected-note @below {{use constant extents and pass the valid count as a scalar}}
    %v = graph.view %a [%n, 128] : !t to !d
    %r = graph.call @k(%v, %c) : (!d, !t) -> !t
    graph.return
  }
}

// -----

// LB31: extents are copied from the recording.

!t = !graph.tensor<128x128xf32>
!d = !graph.tensor<?x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !t) -> (%o)
  // expected-note @below {{this varies: parameter '%n'}}
  graph.func graph @extent(in %w: !w, inout %c: !t, in %n: index) {
    %c4 = arith.constant 4 : index
    // expected-error @below {{[graph-view-shape] window of parameter '%w' in graph function '@extent' has an extent that varies between replays}}
    // expected-note @below {{extents are copied from the recording}}
    // expected-note @below {{use constant extents and pass the valid count as a scalar}}
    %v = graph.slice %w[0, 0] [%n, 128] : !w to !d
    %r = graph.call @k(%v, %c) : (!d, !t) -> !t
    // expected-note @below {{this varies: the result of 'arith.minui'}}
    %m = arith.minui %n, %c4 : index
    // expected-error @below {{[graph-view-shape] window of parameter '%w' in graph function '@extent' has an extent that varies between replays}}
    // expected-note @below {{extents are copied from the recording}}
    // expected-note @below {{use constant extents and pass the valid count as a scalar}}
    %u = graph.slice %w[%n, 0] [%m, 128] : !w to !d
    %s = graph.call @k(%u, %c) : (!d, !t) -> !t
    graph.return
  }
}

// -----

// An offset read from a tensor.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!i = !graph.tensor<4xi64>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @read(in %w: !w, in %idx: !i, inout %c: !t) {
    %row = graph.read %idx[0] : !i
    // expected-note @below {{the launch has no name for this: the result of 'arith.index_cast'}}
    // expected-note @below {{this varies: the result of 'arith.index_cast'}}
    %off = arith.index_cast %row : i64 to index
    // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@read' moves between replays and cannot be taken at the launch}}
    // expected-note @below {{a replay would read the window of the first call}}
    // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
    %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
    %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// A moving window of a buffer made inside has no name at the launch: it would
// keep the offset of the first call.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @prefix(in %a: !t, out %y: !t) -> (%y)
  graph.func private incore @half(in %a: !h, inout %o: !t) -> (%o)
  // expected-note @below {{this varies: parameter '%n'}}
  graph.func graph @inside(in %a: !t, inout %c: !t, in %n: index) {
    // expected-note @below {{the launch has no name for its source: the result of 'graph.submit' of '@prefix'}}
    %y, %t = graph.submit @prefix(%a) : (!t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-moving-view] window of the result of 'graph.submit' of '@prefix' in graph function '@inside' moves between replays and cannot be taken at the launch}}
    // expected-note @below {{a replay would read the window of the first call}}
    // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
    %v = graph.slice %y[%n, 0] [64, 128] : !t to !h
    %r = graph.call @half(%v, %c) : (!h, !t) -> !t
    graph.return
  }
}

// -----

// A window the launch could take, in a loop that may not run: the offset may be
// one that no window of the tensor has.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{this varies: parameter '%n'}}
  graph.func graph @never(in %w: !w, inout %c: !t, in %n: index) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %j = %c4 to %c4 step %c1 {
      // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@never' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{it stands in a loop or branch that may not run}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %v = graph.slice %w[%n, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    }
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// Statically empty, statically out of range; ends are judged with what is known.

!t = !graph.tensor<128x128xf32>
!d = !graph.tensor<?x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @kd(in %a: !d, inout %o: !t) -> (%o)
  // expected-note @below {{it is parameter '%w'}}
  graph.func graph @range(in %w: !w, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c400 = arith.constant 400 : index
    %cm1 = arith.constant -1 : index
    // expected-error @below {{[graph-view-range] window in graph function '@range' leaves its tensor along axis 0}}
    // expected-note @below {{take a window that has elements and lies inside its tensor}}
    // expected-note @below {{the replay of such a window fails}}
    %v0 = graph.slice %w[%c400, 0] [128, 128] : !w to !t
    %r0 = graph.call @k(%v0, %c) : (!t, !t) -> !t
    // expected-error @below {{[graph-view-range] window in graph function '@range' leaves its tensor along axis 0}}
    // expected-note @below {{take a window that has elements and lies inside its tensor}}
    // expected-note @below {{the replay of such a window fails}}
    %v1 = graph.slice %w[%cm1, 0] [128, 128] : !w to !t
    %r1 = graph.call @k(%v1, %c) : (!t, !t) -> !t
    // expected-error @below {{[graph-view-range] window in graph function '@range' is empty along axis 0}}
    // expected-note @below {{take a window that has elements and lies inside its tensor}}
    // expected-note @below {{the replay of such a window fails}}
    %v2 = graph.slice %w[%n, 0] [%c0, 128] : !w to !d
    %r2 = graph.call @kd(%v2, %c) : (!d, !t) -> !t
    // The last window that fits.
    %v3 = graph.slice %w[384, 0] [128, 128] : !w to !t
    %r3 = graph.call @k(%v3, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// Varying choice: which of two buffers a task gets is fixed by the first call.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @choice(in %a: !t, in %b: !t, inout %c: !t, in %n: index, in %flag: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @below {{it is chosen here: the result of 'arith.select'}}
    %sel = arith.select %flag, %a, %b : !t
    // expected-error @below {{[graph-varying-choice] operand of a task in graph function '@choice' may name another buffer on a replay}}
    // expected-note @below {{a replay uses what the first call chose}}
    // expected-note @below {{choose at the launch and pass the chosen one as a parameter}}
    %r0 = graph.call @k(%sel, %c) : (!t, !t) -> !t
    %p = arith.cmpi eq, %n, %c0 : index
    // expected-note @below {{it is chosen here: the result of 'scf.if'}}
    %if = scf.if %p -> (!t) {
      scf.yield %a : !t
    } else {
      scf.yield %b : !t
    }
    // expected-error @below {{[graph-varying-choice] operand of a task in graph function '@choice' may name another buffer on a replay}}
    // expected-note @below {{a replay uses what the first call chose}}
    // expected-note @below {{choose at the launch and pass the chosen one as a parameter}}
    %r1 = graph.call @k(%if, %c) : (!t, !t) -> !t
    // expected-note @below {{it is chosen here: the result of 'scf.for'}}
    %loop:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (!t, !t) {
      scf.yield %y, %x : !t, !t
    }
    // expected-error @below {{[graph-varying-choice] operand of a task in graph function '@choice' may name another buffer on a replay}}
    // expected-note @below {{a replay uses what the first call chose}}
    // expected-note @below {{choose at the launch and pass the chosen one as a parameter}}
    %r2 = graph.call @k(%loop#0, %c) : (!t, !t) -> !t
    // A rename and a window of it are the same choice.
    %al = graph.alias %loop#1 : !t
    // expected-error @below {{[graph-varying-choice] operand of a task in graph function '@choice' may name another buffer on a replay}}
    // expected-note @below {{a replay uses what the first call chose}}
    // expected-note @below {{choose at the launch and pass the chosen one as a parameter}}
    %r3 = graph.call @k(%al, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// So is a dependency.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @dep(in %a: !t, inout %c: !t, in %flag: i1) {
    %t0 = graph.task_dummy : !graph.task_id
    %t1 = graph.task_dummy : !graph.task_id
    // expected-note @below {{it is chosen here: the result of 'arith.select'}}
    %t = arith.select %flag, %t0, %t1 : !graph.task_id
    // expected-error @below {{[graph-varying-choice] dependency of a task in graph function '@dep' may name another task on a replay}}
    // expected-note @below {{a replay uses what the first call chose}}
    // expected-note @below {{choose at the launch and pass the chosen one as a parameter}}
    %r0, %u0 = graph.submit @k(%a, %c) deps(%t : !graph.task_id) : (!t, !t) -> (!t, !graph.task_id)
    %arr = graph.array.create : !graph.array<2 x !graph.task_id>
    // expected-note @below {{it is chosen here: the result of 'scf.if'}}
    %arr1 = scf.if %flag -> (!graph.array<2 x !graph.task_id>) {
      %ins = graph.array.insert %t0, %arr[0] : !graph.array<2 x !graph.task_id>
      scf.yield %ins : !graph.array<2 x !graph.task_id>
    } else {
      scf.yield %arr : !graph.array<2 x !graph.task_id>
    }
    // expected-error @below {{[graph-varying-choice] dependency of a task in graph function '@dep' may name another task on a replay}}
    // expected-note @below {{a replay uses what the first call chose}}
    // expected-note @below {{choose at the launch and pass the chosen one as a parameter}}
    %u1 = graph.task_dummy deps(%arr1 : !graph.array<2 x !graph.task_id>) : !graph.task_id
    graph.return
  }
}

// -----

// A gate is chosen, too.

!t = !graph.tensor<128x128xf32>
!g = !graph.tensor<4xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @gate(in %g0: !g, in %g1: !g, in %a: !t, inout %c: !t, in %flag: i1) {
    %zero = arith.constant 0 : i32
    // expected-note @below {{it is chosen here: the result of 'arith.select'}}
    %g = arith.select %flag, %g0, %g1 : !g
    // expected-error @below {{[graph-varying-choice] operand of a task in graph function '@gate' may name another buffer on a replay}}
    // expected-note @below {{a replay uses what the first call chose}}
    // expected-note @below {{choose at the launch and pass the chosen one as a parameter}}
    %r, %t = graph.submit @k(%a, %c) predicate(%g[0] gt %zero : !g) : (!t, !t) -> (!t, !graph.task_id)
    graph.return
  }
}

// -----

// Out of range although no task sees it.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{it is parameter '%w'}}
  graph.func graph @unseen(in %w: !w, inout %c: !t) {
    %c400 = arith.constant 400 : index
    // expected-error @below {{[graph-view-range] window in graph function '@unseen' leaves its tensor along axis 0}}
    // expected-note @below {{take a window that has elements and lies inside its tensor}}
    // expected-note @below {{the replay of such a window fails}}
    %v = graph.slice %w[%c400, 0] [128, 128] : !w to !t
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
}
