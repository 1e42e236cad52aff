// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file | FileCheck %s
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary --split-input-file | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary --split-input-file -o /dev/null

// Allocations: made at the launch, so that the graph heap holds none.

// LC01

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)

  // CHECK-LABEL: graph.func graph @lc01(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}, inout %alloc0: !graph.tensor<128x128xf32>) -> (%c) {
  // CHECK-NEXT: %[[T:.*]] = graph.call @k(%a, %alloc0)
  // CHECK-NEXT: graph.call @k(%[[T]], %c)
  // CHECK-NOT: graph.create
  graph.func graph @lc01(in %a: !t, inout %c: !t) -> (%c) {
    %tmp = graph.create : !t
    %tmp1 = graph.call @k(%a, %tmp) : (!t, !t) -> !t
    %c1 = graph.call @k(%tmp1, %c) : (!t, !t) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func orchestration @lc01_main(
  // CHECK-NEXT: %[[TMP:.*]] = graph.create : !graph.tensor<128x128xf32>
  // CHECK-NEXT: graph.call @lc01(input %a, inout %c, inout %[[TMP]])
  graph.func orchestration @lc01_main(in %a: !t, inout %c: !t) {
    %r = graph.call @lc01(input %a, inout %c) : (!t, !t) -> !t
    graph.return
  }

  // LC02, LC19: two buffers in the order of their definitions, for each launch its
  // own, inside the loop for the one in it.
  // CHECK-LABEL: graph.func graph @lc02(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}, inout %alloc0: {{[^,]*}}, inout %alloc1: {{[^,]*}}) -> (%c) {
  // CHECK-NEXT: %[[S1:.*]] = graph.call @k(%a, %alloc1)
  // CHECK-NEXT: %[[S0:.*]] = graph.call @k(%[[S1]], %alloc0)
  graph.func graph @lc02(in %a: !t, inout %c: !t) -> (%c) {
    %s0 = graph.create : !t
    %s1 = graph.create : !t
    %r1 = graph.call @k(%a, %s1) : (!t, !t) -> !t
    %r0 = graph.call @k(%r1, %s0) : (!t, !t) -> !t
    %c1 = graph.call @k(%r0, %c) : (!t, !t) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func orchestration @lc02_main(
  // CHECK-NEXT: %[[A0:.*]] = graph.create
  // CHECK-NEXT: %[[A1:.*]] = graph.create
  // CHECK-NEXT: graph.call @lc02(%a, %c, %[[A0]], %[[A1]])
  // CHECK: scf.for
  // CHECK-NEXT: %[[B0:.*]] = graph.create
  // CHECK-NEXT: %[[B1:.*]] = graph.create
  // CHECK-NEXT: graph.call @lc02(%a, %c, %[[B0]], %[[B1]])
  graph.func orchestration @lc02_main(in %a: !t, inout %c: !t) {
    %r = graph.call @lc02(%a, %c) : (!t, !t) -> !t
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %s = graph.call @lc02(%a, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// LC04, LC07: windows of a hoisted allocation follow the rules of windows.

!t = !graph.tensor<128x128xf32>
!b = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !b, inout %o: !t) -> (%o)

  // CHECK-LABEL: graph.func graph @lc04(
  // CHECK-SAME: inout %alloc0: !graph.tensor<512x128xf32>, inout %view0: !graph.tensor<128x128xf32>) {
  // CHECK-NEXT: graph.call @k(%view0, %alloc0, %c)
  graph.func graph @lc04(inout %c: !t) {
    %local = graph.create : !b
    %lv = graph.slice %local[128, 0] [128, 128] : !b to !t
    %r = graph.call @k(%lv, %local, %c) : (!t, !b, !t) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[L:.*]] = graph.create : !graph.tensor<512x128xf32>
  // CHECK-NEXT: %[[LV:.*]] = graph.slice %[[L]][128, 0] [128, 128]
  // CHECK-NEXT: graph.call @lc04(inout %c, inout %[[L]], inout %[[LV]])
  graph.func orchestration @main(inout %c: !t) {
    graph.call @lc04(inout %c) : (!t) -> ()
    graph.return
  }

  // CHECK-LABEL: graph.func graph @lc07(
  // CHECK-SAME: inout %c: {{[^,]*}}, inout %alloc0: !graph.tensor<512x128xf32>) {
  // CHECK: scf.for
  // CHECK: graph.slice %alloc0[%{{.*}}, 0]
  graph.func graph @lc07(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %tmp = graph.create : !b
    scf.for %j = %c0 to %c4 step %c1 {
      %off = arith.muli %j, %c128 : index
      %tv = graph.slice %tmp[%off, 0] [128, 128] : !b to !t
      %r = graph.call @k(%tv, %tmp, %c) : (!t, !b, !t) -> !t
    }
    graph.return
  }
}

// -----

// LC16: the count is taken after hoisting.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @lc16(
  // CHECK-SAME: inout %alloc0: !graph.tensor<16xf32>) {
  graph.func graph @lc16(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %tmp = graph.create : !t
    scf.for %i = %c0 to %c1024 step %c1 {
      %r = graph.call @k(%tmp, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// Scopes are transparent: what stands in one at the top level is hoisted. In a
// constant-trip loop a buffer is one an iteration and stays.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @scopes(
  // CHECK-SAME: inout %c: {{[^,]*}}, inout %alloc0: {{[^,]*}}, inout %alloc1: {{[^,]*}}) {
  // CHECK: graph.scope manual
  // CHECK: graph.call @k(%alloc0, %c)
  // CHECK: graph.scope auto
  // CHECK: graph.call @k(%alloc1, %c)
  // CHECK: scf.for
  // CHECK: %[[M:.*]] = graph.create
  // CHECK: graph.call @k(%[[M]], %c)
  // CHECK: graph.scope manual
  // CHECK: %[[N:.*]] = graph.create
  // CHECK: graph.call @k(%[[N]], %c)
  graph.func graph @scopes(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    graph.scope manual {
      %m = graph.create : !t
      %r = graph.call @k(%m, %c) : (!t, !t) -> !t
      graph.scope auto {
        %n = graph.create : !t
        %s = graph.call @k(%n, %c) : (!t, !t) -> !t
        graph.yield
      }
      graph.yield
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %m = graph.create : !t
      %r = graph.call @k(%m, %c) : (!t, !t) -> !t
      graph.scope manual {
        %n = graph.create : !t
        %s = graph.call @k(%n, %c) : (!t, !t) -> !t
        graph.yield
      }
    }
    graph.return
  }
}

// -----

// LC18: the buffers of a layer are made once a launch, in the caller's loop.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @lc18(
  // CHECK-SAME: inout %alloc12: !graph.tensor<16xf32>, inout %alloc13: !graph.tensor<16xf32>) {
  // CHECK-NOT: graph.create
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK: scf.for
  // CHECK-COUNT-14: graph.create
  // CHECK-NOT: graph.create
  // CHECK: graph.call @lc18(
  graph.func graph @lc18(inout %c: !t) {
    %0 = graph.create : !t
    %1 = graph.create : !t
    %2 = graph.create : !t
    %3 = graph.create : !t
    %4 = graph.create : !t
    %5 = graph.create : !t
    %6 = graph.create : !t
    %7 = graph.create : !t
    %8 = graph.create : !t
    %9 = graph.create : !t
    %10 = graph.create : !t
    %11 = graph.create : !t
    %12 = graph.create : !t
    %13 = graph.create : !t
    graph.call @k(%0, %1) : (!t, !t) -> !t
    graph.call @k(%2, %3) : (!t, !t) -> !t
    graph.call @k(%4, %5) : (!t, !t) -> !t
    graph.call @k(%6, %7) : (!t, !t) -> !t
    graph.call @k(%8, %9) : (!t, !t) -> !t
    graph.call @k(%10, %11) : (!t, !t) -> !t
    graph.call @k(%12, %13) : (!t, !t) -> !t
    graph.return
  }
  graph.func orchestration @main(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    scf.for %i = %c0 to %c40 step %c1 {
      graph.call @lc18(%c) : (!t) -> ()
    }
    graph.return
  }
}

// -----

// An allocation no task needs is made nowhere; one that only lends its buffer to
// a window is made at the launch and is no parameter.

!t = !graph.tensor<16xf32>
!h = !graph.tensor<8xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !h, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @unused(
  // CHECK-SAME: inout %c: {{[^,]*}}, inout %view0: !graph.tensor<8xf32>) {
  // CHECK-NOT: graph.create
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[L:.*]] = graph.create : !graph.tensor<16xf32>
  // CHECK-NEXT: %[[V:.*]] = graph.slice %[[L]][8] [8]
  // CHECK-NEXT: graph.call @unused(%c, %[[V]])
  graph.func graph @unused(inout %c: !t) {
    %dead = graph.create : !t
    %dead_window = graph.slice %dead[0] [8] : !t to !h
    %lent = graph.create : !t
    %v = graph.slice %lent[8] [8] : !t to !h
    graph.call @k(%v, %c) : (!h, !t) -> !t
    graph.return
  }
  graph.func orchestration @main(inout %c: !t) {
    graph.call @unused(%c) : (!t) -> ()
    graph.return
  }
}

// -----

// The extent may be a constant by way of an SSA value.

!t = !graph.tensor<16xf32>
!d = !graph.tensor<?xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !t) -> (%o)
  // CHECK-LABEL: graph.func graph @dynamic(
  // CHECK-SAME: inout %c: {{[^,]*}}, inout %alloc0: !graph.tensor<?xf32>) {
  graph.func graph @dynamic(inout %c: !t) {
    %c16 = arith.constant 16 : index
    %d = graph.create(%c16) : !d
    graph.call @k(%d, %c) : (!d, !t) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[C16:.*]] = arith.constant 16
  // CHECK-NEXT: %[[D:.*]] = graph.create(%[[C16]])
  // CHECK-NEXT: graph.call @dynamic(%c, %[[D]])
  graph.func orchestration @main(inout %c: !t) {
    graph.call @dynamic(%c) : (!t) -> ()
    graph.return
  }
}
