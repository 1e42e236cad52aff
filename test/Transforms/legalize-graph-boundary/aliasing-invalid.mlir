// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics

// Boundary tensors of one buffer that a recording cannot keep apart.

// The launches of a constant-trip loop pass the same window on the first
// iteration and another on the rest.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  graph.func graph @mixed(in %w: !w, inout %c: !l, in %li: index) {
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w0 = graph.slice %w[%base, 0] [128, 128] : !w to !l
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w1 = graph.slice %w[0, 0] [128, 128] : !w to !l
    %r = graph.call @k(%w0, %w1, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@mixed' are equal on some launches and differ on others}}
      // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
      // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
      graph.call @mixed(%w, %c, %i) : (!w, !l, index) -> ()
    }
    graph.return
  }
}

// -----

// Two launches, one with the same tensor twice and one with two tensors.

!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  // expected-note @below {{this is one of them: parameter '%x'}}
  // expected-note @below {{this is one of them: parameter '%y'}}
  graph.func graph @twice(in %x: !l, in %y: !l, inout %c: !l) {
    %r = graph.call @k(%x, %y, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>, inout %c: !l) {
    %x = graph.slice %w[0, 0] [128, 128] : !graph.tensor<512x128xf32> to !l
    %y = graph.slice %w[128, 0] [128, 128] : !graph.tensor<512x128xf32> to !l
    // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@twice' are equal on some launches and differ on others}}
    // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
    // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
    graph.call @twice(%x, %x, %c) : (!l, !l, !l) -> ()
    // expected-note @below {{it is launched here, too}}
    graph.call @twice(%x, %y, %c) : (!l, !l, !l) -> ()
    graph.return
  }
}

// -----

// Not excluded, but not proved either: a warning. The offsets are the caller's.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  graph.func graph @maybe(in %w: !w, inout %c: !l, in %i: index, in %j: index) {
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w0 = graph.slice %w[%i, 0] [128, 128] : !w to !l
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w1 = graph.slice %w[%j, 0] [128, 128] : !w to !l
    %r = graph.call @k(%w0, %w1, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l, in %n: index, in %m: index) {
    // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
    // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
    // expected-warning @below {{[graph-boundary-alias] two tensors passed to graph function '@maybe' may be equal on some launches and differ on others}}
    graph.call @maybe(%w, %c, %n, %m) : (!w, !l, index, index) -> ()
    graph.return
  }
}

// -----

// Windows kept on two bases that move against each other: no order is right, and
// if the launch took them all, some would be equal at the first launch alone.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<64x128xf32>
!s = !graph.tensor<32x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !s, inout %o: !s) -> (%o)
  // expected-note @below {{of parameter '%w', which must come before the other tensors of its buffer}}
  graph.func graph @both(in %w: !w, inout %c: !s, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %base = arith.muli %li, %c64 : index
    // expected-note @below {{of a window hoisted from here, which must come before the other tensors of its buffer}}
    %w0 = graph.slice %w[%base, 0] [64, 128] : !w to !l
    scf.for %t = %c0 to %c2 step %c1 {
      %off = arith.muli %t, %c32 : index
      // expected-note @below {{a window is kept here}}
      %s0 = graph.slice %w0[%off, 0] [32, 128] : !l to !s
      // expected-error @below {{[graph-boundary-alias] no order of the boundary slots of graph function '@both' is right for the windows kept in it}}
      // expected-note @below {{a kept window binds to the first boundary tensor of its buffer that starts at or before it}}
      // expected-note @below {{a window is kept here}}
      // expected-note @below {{take the windows of one of them at the launch, or unroll the loop}}
      %s1 = graph.slice %w[%off, 0] [32, 128] : !w to !s
      %r = graph.call @k(%s0, %s1, %c) : (!s, !s, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-note @below {{it is launched here}}
      graph.call @both(%w, %c, %i) : (!w, !s, index) -> ()
    }
    graph.return
  }
}

// -----

// Reported with whatever else is wrong.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  graph.func graph @also(in %w: !w, inout %c: !l, in %li: index, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w0 = graph.slice %w[%li, 0] [128, 128] : !w to !l
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w1 = graph.slice %w[0, 0] [128, 128] : !w to !l
    // expected-error @below {{[graph-varying-topology] 'scf.for' in graph function '@also' holds a launch, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%w0, %w1, %c) : (!l, !l, !l) -> !l
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@also' are equal on some launches and differ on others}}
      // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
      // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
      graph.call @also(%w, %c, %i, %c4) : (!w, !l, index, index) -> ()
    }
    graph.return
  }
}

// -----

// Windows of a buffer that is made at the launch: equal in the first iteration
// only. So are windows of what a loop of the caller carries.

!t = !graph.tensor<64xf32>
!s = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, inout %o: !s) -> (%o)
  graph.func graph @made(inout %c: !s, in %li: index) {
    %c4 = arith.constant 4 : index
    %tmp = graph.create : !t
    %off = arith.muli %li, %c4 : index
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %x = graph.slice %tmp[4] [16] : !t to !s
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %y = graph.slice %tmp[%off] [16] : !t to !s
    %r = graph.call @k(%x, %y) : (!s, !s) -> !s
    graph.return
  }
  graph.func graph @passed(inout %a: !t, in %li: index) {
    %c4 = arith.constant 4 : index
    %off = arith.muli %li, %c4 : index
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %x = graph.slice %a[4] [16] : !t to !s
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %y = graph.slice %a[%off] [16] : !t to !s
    %r = graph.call @k(%x, %y) : (!s, !s) -> !s
    graph.return
  }
  graph.func orchestration @main(inout %p: !t, inout %q: !t, inout %c: !s) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c1 to %c4 step %c1 {
      // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@made' are equal on some launches and differ on others}}
      // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
      // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
      graph.call @made(%c, %i) : (!s, index) -> ()
    }
    scf.for %i = %c1 to %c4 step %c1 iter_args(%x = %p, %y = %q) -> (!t, !t) {
      // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@passed' are equal on some launches and differ on others}}
      // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
      // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
      graph.call @passed(%x, %i) : (!t, index) -> ()
      scf.yield %y, %x : !t, !t
    }
    graph.return
  }
}

// -----

// Offsets that are expressions of constants count as constants.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  graph.func graph @folded(in %w: !w, inout %c: !l, in %i: index) {
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w0 = graph.slice %w[%i, 0] [128, 128] : !w to !l
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w1 = graph.slice %w[0, 0] [128, 128] : !w to !l
    %r = graph.call @k(%w0, %w1, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %half = arith.divui %c1, %c2 : index
    %two = arith.ceildivui %c2, %c1 : index
    // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@folded' are equal on some launches and differ on others}}
    // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
    // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
    graph.call @folded(%w, %c, %half) : (!w, !l, index) -> ()
    // expected-note @below {{it is launched here, too}}
    graph.call @folded(%w, %c, %two) : (!w, !l, index) -> ()
    graph.return
  }
}

// -----

// The same elements along other axes, equal in the first iteration only.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
!f = !graph.tensor<65536xf32>
!p = !graph.tensor<16384xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  graph.func graph @viewed(in %w: !w, inout %c: !l, in %li: index) {
    %c128 = arith.constant 128 : index
    %row = arith.muli %li, %c128 : index
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w0 = graph.slice %w[%row, 0] [128, 128] : !w to !l
    %flat = graph.view %w [65536] : !w to !f
    %part = graph.slice %flat[0] [16384] : !f to !p
    // expected-note @below {{this is one of them: a window hoisted from here}}
    %w1 = graph.view %part [128, 128] : !p to !l
    %r = graph.call @k(%w0, %w1, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@viewed' are equal on some launches and differ on others}}
      // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
      // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
      graph.call @viewed(%w, %c, %i) : (!w, !l, index) -> ()
    }
    graph.return
  }
}

// -----

// A kept window: one of its iterations is the moving tensor at the first launch,
// and one that may be is warned of.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  // expected-note @below {{it is a window of this: parameter '%w'}}
  graph.func graph @equals(in %w: !w, inout %c: !l, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    // expected-note @below {{it equals this: a window hoisted from here}}
    %x = graph.slice %w[%li, 0] [128, 128] : !w to !l
    scf.for %t = %c0 to %c4 step %c1 {
      %off = arith.muli %t, %c128 : index
      // expected-error @below {{[graph-boundary-alias] window kept in graph function '@equals' equals another boundary tensor of its buffer at the first call, but not later}}
      // expected-note @below {{the task would be bound to that tensor for ever}}
      // expected-note @below {{take windows of different shapes, or take this window at the launch}}
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !l
      %r = graph.call @k(%v, %x, %c) : (!l, !l, !l) -> !l
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c300 = arith.constant 300 : index
    scf.for %i = %c128 to %c300 step %c1 {
      // expected-note @below {{it is launched here}}
      graph.call @equals(%w, %c, %i) : (!w, !l, index) -> ()
    }
    graph.return
  }
}

// -----

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  // expected-note @below {{it is a window of this: parameter '%w'}}
  graph.func graph @perhaps(in %w: !w, inout %c: !l, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    // expected-note @below {{it may equal this: a window hoisted from here}}
    %x = graph.slice %w[%li, 0] [128, 128] : !w to !l
    scf.for %t = %c0 to %c4 step %c1 {
      %off = arith.muli %t, %c128 : index
      // expected-warning @below {{[graph-boundary-alias] window kept in graph function '@perhaps' may equal another boundary tensor of its buffer at the first call}}
      // expected-note @below {{the task would be bound to that tensor for ever}}
      // expected-note @below {{take windows of different shapes, or take this window at the launch}}
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !l
      %r = graph.call @k(%v, %x, %c) : (!l, !l, !l) -> !l
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l, in %n: index) {
    // expected-note @below {{it is launched here}}
    graph.call @perhaps(%w, %c, %n) : (!w, !l, index) -> ()
    graph.return
  }
}

// -----

// Where a window starts follows from extents that the types say, by way of
// whatever folds: the second launch is known to pass another one.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  // expected-note @below {{this is one of them: parameter '%x'}}
  // expected-note @below {{this is one of them: parameter '%y'}}
  graph.func graph @extents(in %x: !l, in %y: !l, inout %c: !l) {
    %r = graph.call @k(%x, %y, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l) {
    %axis = arith.constant 1 : index
    %columns = graph.dim %w, %axis : !w
    %c100 = arith.constant 100 : i32
    %c9 = arith.constant 9 : i32
    %rest = arith.remui %c100, %c9 : i32
    %first = arith.index_cast %rest : i32 to index
    %x = graph.slice %w[%first, 0] [128, 128] : !w to !l
    %y = graph.slice %w[%columns, 0] [128, 128] : !w to !l
    // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@extents' are equal on some launches and differ on others}}
    // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
    // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
    graph.call @extents(%x, %x, %c) : (!l, !l, !l) -> ()
    // expected-note @below {{it is launched here, too}}
    graph.call @extents(%x, %y, %c) : (!l, !l, !l) -> ()
    graph.return
  }
}

// -----

// A loop that only changes the names of one buffer hands on a window of it.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  // expected-note @below {{this is one of them: parameter '%x'}}
  // expected-note @below {{this is one of them: parameter '%y'}}
  graph.func graph @names(in %x: !l, in %y: !l, inout %c: !l) {
    %r = graph.call @k(%x, %y, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %all = graph.slice %w[0, 0] [512, 128] : !w to !w
    %swapped:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %w, %b = %all) -> (!w, !w) {
      scf.yield %b, %a : !w, !w
    }
    %x = graph.slice %w[0, 0] [128, 128] : !w to !l
    %y = graph.slice %swapped#0[0, 0] [128, 128] : !w to !l
    %z = graph.slice %swapped#1[128, 0] [128, 128] : !w to !l
    // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@names' are equal on some launches and differ on others}}
    // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
    // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
    graph.call @names(%x, %y, %c) : (!l, !l, !l) -> ()
    // expected-note @below {{it is launched here, too}}
    graph.call @names(%x, %z, %c) : (!l, !l, !l) -> ()
    graph.return
  }
}
