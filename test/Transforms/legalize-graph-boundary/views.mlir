// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file | FileCheck %s
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary --split-input-file | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary --split-input-file -o /dev/null

// Windows of boundary tensors: taken at the launch when it can take them, kept
// when they never move.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)

  // LB01: the offset feeds the window alone, so it is no parameter.
  // CHECK-LABEL: graph.func graph @lb01(
  // CHECK-SAME: in %w: {{[^,]*}}, inout %c: {{[^,]*}}, in %li: index, in %view0: !graph.tensor<128x128xf32>) -> (%c) {
  // CHECK-NEXT: graph.call @k(%view0, %c)
  // CHECK-NEXT: graph.return
  // CHECK-NEXT: }
  graph.func graph @lb01(in %w: !w, inout %c: !t, in %li: index) -> (%c) {
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    %wl = graph.slice %w[%base, 0] [128, 128] : !w to !t
    %c1 = graph.call @k(%wl, %c) : (!t, !t) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func orchestration @lb01_main(
  // CHECK: scf.for %[[I:[a-z0-9]+]] =
  // CHECK-NEXT: %[[C128:.*]] = arith.constant 128
  // CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[I]], %[[C128]]
  // CHECK-NEXT: %[[WL:.*]] = graph.slice %w[%[[BASE]], 0] [128, 128] : !graph.tensor<512x128xf32> to !graph.tensor<128x128xf32>
  // CHECK-NEXT: graph.call @lb01(%w, %c, %[[I]], %[[WL]])
  graph.func orchestration @lb01_main(in %w: !w, inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %r = graph.call @lb01(%w, %c, %i) : (!w, !t, index) -> !t
    }
    graph.return
  }

  // LB02: the offset that a task gets as well is a parameter, too, after the
  // window. LB29: no proof that the window lies inside is asked for.
  // CHECK-LABEL: graph.func graph @lb02(
  // CHECK-SAME: in %li: index, in %view0: !graph.tensor<128x128xf32>, in %scalar0: index) -> (%c) {
  graph.func private incore @ks(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func graph @lb02(in %w: !w, inout %c: !t, in %li: index) -> (%c) {
    %c5120 = arith.constant 5120 : index
    %base = arith.muli %li, %c5120 : index
    %wl = graph.slice %w[%base, 0] [128, 128] : !w to !t
    %c1 = graph.call @ks(%wl, %c, %base) : (!t, !t, index) -> !t
    graph.return %c1 : !t
  }

  // LB03: constants only.
  // CHECK-LABEL: graph.func graph @lb03(
  // CHECK-SAME: in %view0: !graph.tensor<128x128xf32>) -> (%c) {
  // CHECK-NOT: graph.slice
  graph.func graph @lb03(in %w: !w, inout %c: !t) -> (%c) {
    %wl = graph.slice %w[0, 0] [128, 128] : !w to !t
    %c1 = graph.call @k(%wl, %c) : (!t, !t) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func orchestration @lb03_main(
  // CHECK-NEXT: %[[WL:.*]] = graph.slice %w[0, 0] [128, 128]
  // CHECK-NEXT: graph.call @lb03(%w, %c, %[[WL]])
  graph.func orchestration @lb03_main(in %w: !w, inout %c: !t) {
    %r = graph.call @lb03(%w, %c) : (!w, !t) -> !t
    graph.return
  }
}

// -----

// LB06: a window of a hoisted window, through a rename that the caller never sees.
// LB07: windows of other shapes are parameters of their own.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !h, inout %o: !t) -> (%o)

  // CHECK-LABEL: graph.func graph @lb06(
  // CHECK-SAME: in %li: index, in %view0: !graph.tensor<128x128xf32>, in %view1: !graph.tensor<64x128xf32>, in %view2: !graph.tensor<64x128xf32>) -> (%c) {
  // CHECK-NEXT: graph.call @k(%view0, %view1, %c)
  // CHECK-NEXT: graph.call @k(%view0, %view2, %c)
  // CHECK-NEXT: graph.return
  graph.func graph @lb06(in %w: !w, inout %c: !t, in %li: index) -> (%c) {
    %wl = graph.slice %w[%li, 0] [128, 128] : !w to !t
    %mid = graph.alias %wl : !t
    %inner = graph.slice %mid[16, 0] [64, 128] : !t to !h
    %c1 = graph.call @k(%wl, %inner, %c) : (!t, !h, !t) -> !t
    %other = graph.slice %w[256, 0] [64, 128] : !w to !h
    %c2 = graph.call @k(%mid, %other, %c) : (!t, !h, !t) -> !t
    graph.return %c : !t
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[WL:.*]] = graph.slice %w[%n, 0] [128, 128]
  // CHECK-NEXT: %[[INNER:.*]] = graph.slice %[[WL]][16, 0] [64, 128]
  // CHECK-NEXT: %[[OTHER:.*]] = graph.slice %w[256, 0] [64, 128]
  // CHECK-NEXT: graph.call @lb06(%w, %c, %n, %[[WL]], %[[INNER]], %[[OTHER]])
  graph.func orchestration @main(in %w: !w, inout %c: !t, in %n: index) {
    %r = graph.call @lb06(%w, %c, %n) : (!w, !t, index) -> !t
    graph.return
  }
}

// -----

// A window that feeds hoisted windows alone is taken at the launch and is no
// parameter.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !h, inout %o: !t) -> (%o)

  // CHECK-LABEL: graph.func graph @chain(
  // CHECK-SAME: in %li: index, in %view0: !graph.tensor<64x128xf32>) -> (%c) {
  // CHECK-NOT: graph.slice
  graph.func graph @chain(in %w: !w, inout %c: !t, in %li: index) -> (%c) {
    %wl = graph.slice %w[%li, 0] [128, 128] : !w to !t
    %inner = graph.slice %wl[%li, 0] [64, 128] : !t to !h
    %c1 = graph.call @k(%inner, %c) : (!h, !t) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[WL:.*]] = graph.slice %w[%n, 0] [128, 128]
  // CHECK-NEXT: %[[INNER:.*]] = graph.slice %[[WL]][%n, 0] [64, 128]
  // CHECK-NEXT: graph.call @chain(%w, %c, %n, %[[INNER]])
  graph.func orchestration @main(in %w: !w, inout %c: !t, in %n: index) {
    %r = graph.call @chain(%w, %c, %n) : (!w, !t, index) -> !t
    graph.return
  }
}

// -----

// Rebinds: a window of what a task returns for an argument is a window of that
// argument. LB09 to LB12: calls, submits with several results and the task id,
// prefix submits; LB16: a kernel that returns what it only reads.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @k2(in %a: !t, inout %x: !t, inout %y: !t) -> (%y, %x)
  graph.func private incore @prefix(in %a: !t, inout %x: !t, out %y: !t) -> (%y, %x)
  graph.func private incore @reads(in %a: !t, inout %x: !t) -> (%a, %x)
  graph.func private incore @half(in %a: !h, inout %o: !t) -> (%o)

  // CHECK-LABEL: graph.func graph @call(
  // CHECK-SAME: inout %c: {{[^,]*}}, in %li: index, inout %view0: !graph.tensor<64x128xf32>) {
  // CHECK-NOT: graph.slice
  graph.func graph @call(in %a: !t, inout %c: !t, in %li: index) {
    %c1 = graph.call @k(%a, %c) : (!t, !t) -> !t
    %v = graph.slice %c1[%li, 0] [64, 128] : !t to !h
    %r = graph.call @half(%v, %a) : (!h, !t) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @call_main(
  // CHECK-NEXT: graph.slice %c[%n, 0] [64, 128]
  // CHECK-NEXT: graph.call @call(
  graph.func orchestration @call_main(in %a: !t, inout %c: !t, in %n: index) {
    graph.call @call(%a, %c, %n) : (!t, !t, index) -> ()
    graph.return
  }

  // The results are swapped: the first is y.
  // CHECK-LABEL: graph.func graph @submit2(
  // CHECK-SAME: in %li: index, inout %view0: !graph.tensor<64x128xf32>, inout %view1: !graph.tensor<64x128xf32>) {
  // CHECK-NOT: graph.slice
  graph.func graph @submit2(in %a: !t, inout %x: !t, inout %y: !t, in %li: index) {
    %r:2, %t = graph.submit @k2(%a, %x, %y) : (!t, !t, !t) -> (!t, !t, !graph.task_id)
    %v0 = graph.slice %r#0[%li, 0] [64, 128] : !t to !h
    %v1 = graph.slice %r#1[%li, 0] [64, 128] : !t to !h
    %s0 = graph.call @half(%v0, %a) : (!h, !t) -> !t
    %s1 = graph.call @half(%v1, %a) : (!h, !t) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @submit2_main(
  // CHECK-NEXT: %[[V0:.*]] = graph.slice %y[%n, 0] [64, 128]
  // CHECK-NEXT: %[[V1:.*]] = graph.slice %x[%n, 0] [64, 128]
  // CHECK-NEXT: graph.call @submit2(%a, %x, %y, %n, %[[V0]], %[[V1]])
  graph.func orchestration @submit2_main(in %a: !t, inout %x: !t, inout %y: !t, in %n: index) {
    graph.call @submit2(%a, %x, %y, %n) : (!t, !t, !t, index) -> ()
    graph.return
  }

  // The second result of the prefix is x; the first is a buffer of the runtime.
  // CHECK-LABEL: graph.func graph @prefix_submit(
  // CHECK-SAME: inout %x: {{[^,]*}}, in %li: index, inout %view0: !graph.tensor<64x128xf32>) {
  // CHECK: graph.submit @prefix(%a, %x)
  // CHECK-NEXT: graph.call @half(%view0, %a)
  graph.func graph @prefix_submit(in %a: !t, inout %x: !t, in %li: index) {
    %r:2, %t = graph.submit @prefix(%a, %x) : (!t, !t) -> (!t, !t, !graph.task_id)
    %v1 = graph.slice %r#1[%li, 0] [64, 128] : !t to !h
    %s1 = graph.call @half(%v1, %a) : (!h, !t) -> !t
    graph.return
  }

  // LB13: what the runtime allocated has no name at the launch, and needs none:
  // a window that never moves stays, and binds to the task that made it.
  // CHECK-LABEL: graph.func graph @lb13(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %x: {{[^,]*}}) {
  // CHECK: %[[R:.*]]:2, %{{.*}} = graph.submit @prefix(%a, %x)
  // CHECK-NEXT: %[[V:.*]] = graph.slice %[[R]]#0[32, 0] [64, 128]
  // CHECK-NEXT: graph.call @half(%[[V]], %a)
  graph.func graph @lb13(in %a: !t, inout %x: !t) {
    %r:2, %t = graph.submit @prefix(%a, %x) : (!t, !t) -> (!t, !t, !graph.task_id)
    %v1 = graph.slice %r#0[32, 0] [64, 128] : !t to !h
    %s1 = graph.call @half(%v1, %a) : (!h, !t) -> !t
    graph.return
  }

  // LB16
  // CHECK-LABEL: graph.func graph @lb16(
  // CHECK-SAME: in %li: index, in %view0: !graph.tensor<64x128xf32>) {
  // CHECK-NOT: graph.slice
  graph.func graph @lb16(in %a: !t, inout %c: !t, in %li: index) {
    %r:2 = graph.call @reads(%a, %c) : (!t, !t) -> (!t, !t)
    %v = graph.slice %r#0[%li, 0] [64, 128] : !t to !h
    %s = graph.call @half(%v, %c) : (!h, !t) -> !t
    graph.return
  }
}

// -----

// LB15: a result that is not tied is a buffer of the task's own: a constant window
// of it stays.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @fresh(in %a: !t, inout %o: !t) -> (!t)
  graph.func private incore @half(in %a: !h, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @lb15(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}) {
  // CHECK: %[[F:.*]] = graph.call @fresh(
  // CHECK-NEXT: graph.slice %[[F]][0, 0] [64, 128]
  graph.func graph @lb15(in %a: !t, inout %c: !t) {
    %f = graph.call @fresh(%a, %c) : (!t, !t) -> !t
    %v = graph.slice %f[0, 0] [64, 128] : !t to !h
    %s = graph.call @half(%v, %c) : (!h, !t) -> !t
    graph.return
  }
}

// -----

// LB20, LB23: the variable of a constant-trip loop has no name at the launch and
// never varies: the window stays, and so does one of it.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !h, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @lb20(
  // CHECK-SAME: in %w: {{[^,]*}}, inout %c: {{[^,]*}}) {
  // CHECK: scf.for %[[J:[a-z0-9]+]] =
  // CHECK-NEXT: %[[OFF:.*]] = arith.muli %[[J]]
  // CHECK-NEXT: %[[B:.*]] = graph.slice %w[%[[OFF]], 0] [128, 128]
  // CHECK-NEXT: %[[S:.*]] = graph.slice %[[B]][0, 0] [64, 128]
  // CHECK-NEXT: graph.call @k(%[[B]], %[[S]], %c)
  graph.func graph @lb20(in %w: !w, inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    scf.for %j = %c0 to %c2 step %c1 {
      %off = arith.muli %j, %c128 : index
      %b = graph.slice %w[%off, 0] [128, 128] : !w to !t
      %s = graph.slice %b[0, 0] [64, 128] : !t to !h
      %r = graph.call @k(%b, %s, %c) : (!t, !h, !t) -> !t
    }
    graph.return
  }
}

// -----

// LB26: graph.view is a window as well.

!t = !graph.tensor<128x128xf32>
!v = !graph.tensor<64x256xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !v, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @lb26(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}, in %view0: !graph.tensor<64x256xf32>) {
  // CHECK-NEXT: graph.call @k(%view0, %c)
  graph.func graph @lb26(in %a: !t, inout %c: !t) {
    %v = graph.view %a [64, 256] : !t to !v
    %r = graph.call @k(%v, %c) : (!v, !t) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[V:.*]] = graph.view %a [64, 256]
  // CHECK-NEXT: graph.call @lb26(%a, %c, %[[V]])
  graph.func orchestration @main(in %a: !t, inout %c: !t) {
    graph.call @lb26(%a, %c) : (!t, !t) -> ()
    graph.return
  }
}

// -----

// LB28: a window the launch can take is taken there also when it stands in a loop
// that runs; equal windows share a parameter; in a loop that never runs a
// constant window stays.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @lb28(
  // CHECK-SAME: in %li: index, in %view0: !graph.tensor<128x128xf32>) {
  // CHECK-NOT: graph.slice
  graph.func graph @lb28(in %w: !w, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %v = graph.slice %w[%base, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
      %again = arith.muli %li, %c128 : index
      %u = graph.slice %w[%again, 0] [128, 128] : !w to !t
      %s = graph.call @k(%u, %c) : (!t, !t) -> !t
    }
    graph.return
  }

  // CHECK-LABEL: graph.func graph @never(
  // CHECK-SAME: in %w: {{[^,]*}}, inout %c: {{[^,]*}}) {
  // CHECK: scf.for
  // CHECK-NEXT: graph.slice %w[0, 0]
  graph.func graph @never(in %w: !w, inout %c: !t) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %j = %c4 to %c4 step %c1 {
      %v = graph.slice %w[0, 0] [128, 128] : !w to !t
      %r = graph.call @k(%v, %c) : (!t, !t) -> !t
    }
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// Extents of boundary tensors are pinned: they may be extents and offsets of
// windows that stay.

!t = !graph.tensor<128x128xf32>
!d = !graph.tensor<?x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @pinned(
  // CHECK-SAME: in %a: {{[^,]*}}, in %w: {{[^,]*}}, inout %c: {{[^,]*}}) {
  // CHECK: %[[ROWS:.*]] = graph.dim %a
  // CHECK: graph.slice %w[0, 0] [%[[ROWS]], 128]
  graph.func graph @pinned(in %a: !d, in %w: !w, inout %c: !t) {
    %c0 = arith.constant 0 : index
    %rows = graph.dim %a, %c0 : !d
    %v = graph.slice %w[0, 0] [%rows, 128] : !w to !d
    %r = graph.call @k(%v, %c) : (!d, !t) -> !t
    graph.return
  }
}

// -----

// A window whose extent or offset is a constant by way of an SSA value.

!t = !graph.tensor<128x128xf32>
!d = !graph.tensor<?x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @constants(
  // CHECK-SAME: in %li: index, in %view0: !graph.tensor<?x128xf32>) {
  // CHECK-NOT: graph.slice
  graph.func graph @constants(in %w: !w, inout %c: !t, in %li: index) {
    %c64 = arith.constant 64 : index
    %v = graph.slice %w[%li, 0] [%c64, 128] : !w to !d
    %r = graph.call @k(%v, %c) : (!d, !t) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[C64:.*]] = arith.constant 64
  // CHECK-NEXT: %[[V:.*]] = graph.slice %w[%n, 0] [%[[C64]], 128]
  // CHECK-NEXT: graph.call @constants(%w, %c, %n, %[[V]])
  graph.func orchestration @main(in %w: !w, inout %c: !t, in %n: index) {
    graph.call @constants(%w, %c, %n) : (!w, !t, index) -> ()
    graph.return
  }
}

// -----

// Loop-carried buffers: a window of what the loop carries is a window of what it
// starts from, when that is what it carries on.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !h, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @carried(
  // CHECK-SAME: inout %c: !graph.tensor<128x128xf32>, in %li: index, inout %view0: !graph.tensor<64x128xf32>) -> (%c) {
  // CHECK-NOT: graph.slice
  graph.func graph @carried(inout %c: !t, in %li: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %out = scf.for %j = %c0 to %c4 step %c1 iter_args(%cc = %c) -> (!t) {
      %v = graph.slice %cc[%li, 0] [64, 128] : !t to !h
      %r = graph.call @k(%v, %cc) : (!h, !t) -> !t
      scf.yield %r : !t
    }
    %v = graph.slice %out[%li, 0] [64, 128] : !t to !h
    %r = graph.call @k(%v, %out) : (!h, !t) -> !t
    graph.return %r : !t
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[V:.*]] = graph.slice %c[%n, 0] [64, 128]
  // CHECK-NEXT: graph.call @carried(%c, %n, %[[V]])
  graph.func orchestration @main(inout %c: !t, in %n: index) {
    %r = graph.call @carried(%c, %n) : (!t, index) -> !t
    graph.return
  }

  // A window that is itself carried.
  // CHECK-LABEL: graph.func graph @carried_window(
  // CHECK-SAME: in %li: index, inout %view0: !graph.tensor<64x128xf32>) {
  // CHECK: scf.for {{.*}} iter_args(%[[V:.*]] = %view0)
  // CHECK-NEXT: graph.call @k(%[[V]], %c)
  graph.func graph @carried_window(inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %v = graph.slice %c[%li, 0] [64, 128] : !t to !h
    %out = scf.for %j = %c0 to %c4 step %c1 iter_args(%vv = %v) -> (!h) {
      %r = graph.call @k(%vv, %c) : (!h, !t) -> !t
      scf.yield %vv : !h
    }
    graph.return
  }
}

// -----

// A window no task sees is never recorded and needs nothing.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @unseen(
  // CHECK-SAME: in %w: {{[^,]*}}, inout %c: {{[^,]*}}, in %li: index) {
  // CHECK: graph.call @k(%c, %c)
  graph.func graph @unseen(in %w: !w, inout %c: !t, in %li: index) {
    %v = graph.slice %w[%li, 0] [128, 128] : !w to !t
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// A gate is seen by its task: a moving window of it becomes a parameter.

!t = !graph.tensor<128x128xf32>
!g = !graph.tensor<16xi32>
!g1 = !graph.tensor<1xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @gate(
  // CHECK-SAME: in %li: index, in %view0: !graph.tensor<1xi32>) {
  // CHECK: graph.submit @k(%c, %c) predicate(%view0[0] gt %{{.*}} : !graph.tensor<1xi32>)
  graph.func graph @gate(in %gate: !g, inout %c: !t, in %li: index) {
    %zero = arith.constant 0 : i32
    %v = graph.slice %gate[%li] [1] : !g to !g1
    %r, %t = graph.submit @k(%c, %c) predicate(%v[0] gt %zero : !g1)
        : (!t, !t) -> (!t, !graph.task_id)
    graph.return
  }
}
