// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file | FileCheck %s
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary --split-input-file | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary --split-input-file -o /dev/null

// A window that stays binds to the first slot of its buffer that starts at or
// before it, so its base has to come before whatever moves against it.

// A slab of the layer's own slice: the slice moves, so it comes before its root.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
!s = !graph.tensor<32x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, inout %o: !s) -> (%o)
  // CHECK-LABEL: graph.func graph @slab(
  // CHECK-SAME: in %w: {{[^,]*}}, inout %c: {{[^,]*}}, in %li: index, in %view0: !graph.tensor<128x128xf32>)
  // CHECK-SAME: attributes {graph.slots = array<i64: 1, 2, 0>} {
  // CHECK: scf.for
  // CHECK: graph.slice %view0[
  graph.func graph @slab(in %w: !w, inout %c: !s, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    %wl = graph.slice %w[%base, 0] [128, 128] : !w to !l
    scf.for %t = %c0 to %c4 step %c1 {
      %off = arith.muli %t, %c32 : index
      %ws = graph.slice %wl[%off, 0] [32, 128] : !l to !s
      %r = graph.call @k(%ws, %c) : (!s, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @slab(%w, %c, %i) : (!w, !s, index) -> ()
    }
    graph.return
  }
}

// -----

// A window kept on the root, and a slice that moves: the root keeps its place
// before the slice and no attribute is needed.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
!s = !graph.tensor<32x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !l, inout %o: !s) -> (%o)
  // CHECK-LABEL: graph.func graph @root(
  // CHECK-SAME: in %view0: !graph.tensor<128x128xf32>) {
  graph.func graph @root(in %w: !w, inout %c: !s, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    %wl = graph.slice %w[%base, 0] [128, 128] : !w to !l
    scf.for %t = %c0 to %c4 step %c1 {
      %ws = graph.slice %w[%t, 0] [32, 128] : !w to !s
      %r = graph.call @k(%ws, %wl, %c) : (!s, !l, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @root(%w, %c, %i) : (!w, !s, index) -> ()
    }
    graph.return
  }
}

// -----

// Slices at constant places never move against each other: any order does.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
!s = !graph.tensor<32x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !s, inout %o: !s) -> (%o)
  // CHECK-LABEL: graph.func graph @fixed(
  // CHECK-SAME: in %view0: !graph.tensor<128x128xf32>, in %view1: !graph.tensor<128x128xf32>) {
  graph.func graph @fixed(in %w: !w, inout %c: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %w0 = graph.slice %w[0, 0] [128, 128] : !w to !l
    %w1 = graph.slice %w[128, 0] [128, 128] : !w to !l
    scf.for %t = %c0 to %c4 step %c1 {
      %s0 = graph.slice %w0[%t, 0] [32, 128] : !l to !s
      %s1 = graph.slice %w1[%t, 0] [32, 128] : !l to !s
      %r = graph.call @k(%s0, %s1, %c) : (!s, !s, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    graph.call @fixed(%w, %c) : (!w, !s) -> ()
    graph.return
  }
}

// -----

// Two slices that move together (gate and up of one stacked matrix): their
// distance is constant, so both come before the root, in their own order.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<64x128xf32>
!s = !graph.tensor<32x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !s, inout %o: !s) -> (%o)
  // CHECK-LABEL: graph.func graph @together(
  // CHECK-SAME: attributes {graph.slots = array<i64: 1, 2, 3, 0>}
  graph.func graph @together(in %w: !w, inout %c: !s, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    %next = arith.addi %base, %c64 : index
    %w0 = graph.slice %w[%base, 0] [64, 128] : !w to !l
    %w1 = graph.slice %w[%next, 0] [64, 128] : !w to !l
    scf.for %t = %c0 to %c2 step %c1 {
      %off = arith.muli %t, %c32 : index
      %s0 = graph.slice %w0[%off, 0] [32, 128] : !l to !s
      %s1 = graph.slice %w1[%off, 0] [32, 128] : !l to !s
      %r = graph.call @k(%s0, %s1, %c) : (!s, !s, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @together(%w, %c, %i) : (!w, !s, index) -> ()
    }
    graph.return
  }
}

// -----

// Tensors of one buffer and shape that are never equal, and some that always are.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  // CHECK-LABEL: graph.func graph @pairs(
  // CHECK-SAME: in %view0: !graph.tensor<128x128xf32>, in %view1: !graph.tensor<128x128xf32>) {
  graph.func graph @pairs(in %w: !w, in %x: !l, in %y: !l, inout %c: !l, in %li: index) {
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %base = arith.muli %li, %c128 : index
    %next = arith.addi %base, %c64 : index
    %w0 = graph.slice %w[%base, 0] [128, 128] : !w to !l
    %w1 = graph.slice %w[%next, 0] [128, 128] : !w to !l
    %r = graph.call @k(%w0, %w1, %c) : (!l, !l, !l) -> !l
    %s = graph.call @k(%x, %y, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  // The same tensor for two parameters, on every launch; the launches may be of
  // different functions.
  graph.func orchestration @main(in %w: !w, in %x: !l, inout %c: !l, in %n: index) {
    graph.call @pairs(%w, %x, %x, %c, %n) : (!w, !l, !l, !l, index) -> ()
    graph.call @pairs(%w, %x, %x, %c, %n) : (!w, !l, !l, !l, index) -> ()
    graph.return
  }
}

// -----

// An order that is there stays as far as it is right, counting new parameters.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, inout %o: !l) -> (%o)
  // CHECK-LABEL: graph.func graph @given(
  // CHECK-SAME: attributes {graph.slots = array<i64: 1, 0, 2>}
  graph.func graph @given(in %w: !w, inout %c: !l, in %li: index)
      attributes {graph.slots = array<i64: 1, 0>} {
    %w0 = graph.slice %w[%li, 0] [128, 128] : !w to !l
    %r = graph.call @k(%w0, %c) : (!l, !l) -> !l
    graph.return
  }
}

// -----

// Buffers that take turns in the caller: what is known of the windows of one does
// not get lost in the loop, neither on the first run of the pass nor on the next.

!t = !graph.tensor<64xf32>
!s = !graph.tensor<16xf32>
!u = !graph.tensor<4xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !u, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @turns(
  // CHECK-SAME: inout %view0: !graph.tensor<16xf32>)
  // CHECK-NOT: attributes
  // CHECK-SAME: {
  graph.func graph @turns(inout %x: !t, inout %y: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %v = graph.slice %x[16] [16] : !t to !s
    scf.for %j = %c0 to %c4 step %c1 {
      %w = graph.slice %x[%j] [4] : !t to !u
      %r = graph.call @k(%v, %w, %y) : (!s, !u, !t) -> !t
    }
    graph.return
  }
  graph.func orchestration @main(inout %p: !t, inout %q: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %p, %b = %q) -> (!t, !t) {
      graph.call @turns(%a, %b, %i) : (!t, !t, index) -> ()
      scf.yield %b, %a : !t, !t
    }
    graph.return
  }
}

// -----

// A window of what a loop carries: a buffer first, then a window that is hoisted
// from further below. That one is a base as well and comes before its root.

!w = !graph.tensor<512xf32>
!l = !graph.tensor<64xf32>
!s = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, inout %o: !s) -> (%o)
  // CHECK-LABEL: graph.func graph @carried(
  // CHECK-SAME: inout %w: !graph.tensor<512xf32>, in %li: index,
  // CHECK-SAME: inout %alloc0: !graph.tensor<64xf32>, inout %view0: !graph.tensor<64xf32>)
  // CHECK-SAME: attributes {graph.slots = array<i64: 1, 2, 0>}
  graph.func graph @carried(inout %w: !w, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %tmp = graph.create : !l
    %base = arith.muli %li, %c64 : index
    scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %tmp) -> (!l) {
      %v = graph.slice %x[%i] [16] : !l to !s
      %r = graph.call @k(%v, %v) : (!s, !s) -> !s
      %next = graph.slice %w[%base] [64] : !w to !l
      scf.yield %next : !l
    }
    graph.return
  }
  graph.func orchestration @main(inout %w: !w) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @carried(%w, %i) : (!w, index) -> ()
    }
    graph.return
  }
}

// -----

// An offset that is no linear function of a parameter, but a constant at the
// launches: on the first run of the pass as on the next the two never meet.

!w = !graph.tensor<512xf32>
!l = !graph.tensor<64xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, inout %o: !l) -> (%o)
  // CHECK-LABEL: graph.func graph @halves(
  // CHECK-SAME: inout %view0: !graph.tensor<64xf32>, inout %view1: !graph.tensor<64xf32>) {
  graph.func graph @halves(inout %w: !w, in %li: index) {
    %c2 = arith.constant 2 : index
    %half = arith.divui %li, %c2 : index
    %x = graph.slice %w[%half] [64] : !w to !l
    %y = graph.slice %w[128] [64] : !w to !l
    %r = graph.call @k(%x, %y) : (!l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(inout %w: !w) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    graph.call @halves(%w, %c1) : (!w, index) -> ()
    graph.call @halves(%w, %c4) : (!w, index) -> ()
    graph.return
  }
}

// -----

// A tensor that starts at 0 at one launch and at 8 at another is never one of the
// windows kept at 1 to 3.

!w = !graph.tensor<256xf32>
!s = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, inout %o: !s) -> (%o)
  // CHECK-LABEL: graph.func graph @between(
  // CHECK-SAME: inout %x: {{[^,]*}}, inout %w: !graph.tensor<256xf32>)
  // CHECK-SAME: attributes {graph.slots = array<i64: 1, 0>}
  graph.func graph @between(inout %x: !s, inout %w: !w) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %j = %c1 to %c4 step %c1 {
      %v = graph.slice %w[%j] [16] : !w to !s
      %r = graph.call @k(%v, %x) : (!s, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(inout %w: !w) {
    %a = graph.slice %w[0] [16] : !w to !s
    %b = graph.slice %w[8] [16] : !w to !s
    graph.call @between(%a, %w) : (!s, !w) -> ()
    graph.call @between(%b, %w) : (!s, !w) -> ()
    graph.return
  }
}

// -----

// What the launches pass for parameters with open extents says whether two tensors
// may be the same one: a slice is not all of its buffer.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !graph.tensor<?xf32>, inout %c: !graph.tensor<?xf32>) -> (%c)
  // CHECK-LABEL: graph.func graph @open(
  graph.func graph @open(inout %whole: !graph.tensor<16xf32>, inout %part: !graph.tensor<?xf32>) {
    %r = graph.call @k(%part, %whole)
        : (!graph.tensor<?xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    graph.return
  }
  graph.func orchestration @main(inout %w: !graph.tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c16 step %c4 {
      %v = graph.slice %w[%i] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
      graph.call @open(%w, %v) : (!graph.tensor<16xf32>, !graph.tensor<4xf32>) -> ()
    }
    graph.return
  }
}
