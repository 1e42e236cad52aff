// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -outline-graph-scopes -verify-graph-outlined | FileCheck %s

// What comes out of a scope, what it is tied to, and scalars.

!t = !graph.tensor<16x128xf32>
!d = !graph.tensor<?x128xf32>

graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
graph.func private incore @fresh(in %a: !t) -> (!t)
graph.func private incore @two(in %a: !t, inout %o: !t, inout %p: !t) -> (%p, %o)
graph.func private incore @ki(inout %o: !t, in %i: index) -> (%o)
graph.func private incore @kd(inout %o: !d) -> (%o)

// OG47: a result that nothing uses is no result.
// CHECK-LABEL: graph.func graph @unused(in %a: {{[^,]*}}, inout %o: {{[^,]*}}) {
// CHECK-NEXT:    graph.call @k(%a, %o)
// CHECK-NEXT:    graph.return{{$}}
// CHECK:       graph.func orchestration @og47(
// CHECK-NEXT:    graph.call @unused(%a, %o) : ({{.*}}) -> ()
// CHECK-NEXT:    graph.call @k(%a, %o)
graph.func orchestration @og47(in %a: !t, inout %o: !t) {
  %r = graph.scope graph "unused" -> (!t) {
    %0 = graph.call @k(%a, %o) : (!t, !t) -> !t
    graph.yield %0 : !t
  }
  graph.call @k(%a, %o) : (!t, !t) -> !t
  graph.return
}

// OG48, OG50: fresh results remain computed results, in order.
// CHECK-LABEL: graph.func graph @computed(in %a: {{[^,]*}}) -> (!graph.tensor<16x128xf32>, !graph.tensor<16x128xf32>) {
// CHECK-NEXT:    %[[Y:.*]] = graph.call @fresh(%a)
// CHECK-NEXT:    %[[Z:.*]] = graph.call @fresh(%[[Y]])
// CHECK-NEXT:    graph.return %[[Y]], %[[Z]]
// CHECK:       graph.func orchestration @og48(
// CHECK-NEXT:    %[[R:.*]]:2 = graph.call @computed(%a)
// CHECK-NEXT:    graph.call @k(%[[R]]#0, %[[R]]#1)
graph.func orchestration @og48(in %a: !t) {
  %r:2 = graph.scope graph "computed" -> (!t, !t) {
    %y = graph.call @fresh(%a) : (!t) -> !t
    %z = graph.call @fresh(%y) : (!t) -> !t
    graph.yield %y, %z : !t, !t
  }
  graph.call @k(%r#0, %r#1) : (!t, !t) -> !t
  graph.return
}

// OG49: a result that is a parameter is tied, and the parameter is returned; the
// call in the region stays.
// CHECK-LABEL: graph.func graph @tied(in %a: {{[^,]*}}, inout %c: {{[^,]*}}) -> (%c) {
// CHECK-NEXT:    graph.call @k(%a, %c)
// CHECK-NEXT:    graph.return %c
// CHECK:       graph.func opaque @og49(
// CHECK-NEXT:    %[[R:.*]] = graph.call @tied(%a, %c)
// CHECK-NEXT:    graph.return %[[R]]
graph.func opaque @og49(in %a: !t, inout %c: !t) -> (%c) {
  %r = graph.scope graph "tied" -> (!t) {
    %c1 = graph.call @k(%a, %c) : (!t, !t) -> !t
    graph.yield %c1 : !t
  }
  graph.return %r : !t
}

// Results swapped by a callee, passed through a loop, an alias and another scope,
// the same one twice, and one passed on untouched.
// CHECK-LABEL: graph.func graph @many(
// CHECK-SAME:    inout %x: {{[^,]*}}, inout %y: {{[^,]*}}, in %a: {{[^,]*}}, in %b: {{[^,]*}}) -> (%y, %x, %y, %b)
// CHECK:         graph.return %y, %x, %y, %b
// CHECK:       graph.func orchestration @many_results(
// CHECK-NEXT:    %[[R:.*]]:4 = graph.call @many(%x, %y, %a, %b)
// CHECK-NEXT:    graph.call @two(%[[R]]#0, %[[R]]#1, %[[R]]#2)
// CHECK-NEXT:    graph.call @k(%[[R]]#3, %y)
graph.func orchestration @many_results(in %a: !t, in %b: !t, inout %x: !t, inout %y: !t) {
  %r:5 = graph.scope graph "many" -> (!t, !t, !t, !t, !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %l:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%p = %x, %q = %y) -> (!t, !t) {
      %s:2 = graph.call @two(%a, %q, %p) : (!t, !t, !t) -> (!t, !t)
      scf.yield %s#0, %s#1 : !t, !t
    }
    %al = graph.alias %l#0 : !t
    %m = graph.scope manual -> (!t) {
      graph.yield %al : !t
    }
    %unused = graph.call @fresh(%a) : (!t) -> !t
    graph.yield %l#1, %m, %unused, %l#1, %b : !t, !t, !t, !t, !t
  }
  graph.call @two(%r#0, %r#1, %r#3) : (!t, !t, !t) -> (!t, !t)
  graph.call @k(%r#4, %y) : (!t, !t) -> !t
  graph.return
}

// A window is a computed result. Two buffers swapped by a loop are no parameter.
// CHECK-LABEL: graph.func graph @window({{.*}}) -> (!graph.tensor<8x128xf32>, !graph.tensor<16x128xf32>) {
graph.func orchestration @not_tied(inout %x: !t, inout %y: !t, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = graph.scope graph "window" -> (!graph.tensor<8x128xf32>, !t) {
    %s = graph.slice %x[0, 0] [8, 128] : !t to !graph.tensor<8x128xf32>
    %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (!t, !t) {
      scf.yield %q, %p : !t, !t
    }
    graph.yield %s, %l#0 : !graph.tensor<8x128xf32>, !t
  }
  graph.call @k(%r#1, %y) : (!t, !t) -> !t
  %v = graph.slice %r#0[0, 0] [4, 128] : !graph.tensor<8x128xf32> to !graph.tensor<4x128xf32>
  graph.return
}

// The parameter has its own type, the uses the type they had.
// CHECK-LABEL: graph.func graph @cast(inout %x: !graph.tensor<?x128xf32>) -> (%x) {
// CHECK:         graph.return %x : !graph.tensor<?x128xf32>
// CHECK:       graph.func orchestration @refined(
// CHECK-NEXT:    graph.call @cast(%x) : (!graph.tensor<?x128xf32>) -> !graph.tensor<16x128xf32>
graph.func orchestration @refined(inout %x: !d) {
  %r = graph.scope graph "cast" -> (!t) {
    graph.call @kd(%x) : (!d) -> !d
    %c = graph.cast %x : !d to !t
    graph.yield %c : !t
  }
  graph.call @k(%r, %r) : (!t, !t) -> !t
  graph.return
}

// OG55: a scalar used after the scope is computed before it, with what it needs, in
// order; the rest stays. What the region still reads of it is a capture.
// CHECK-LABEL: graph.func graph @lifted(inout %o: {{[^,]*}}, in %arg0: index, in %n: index) {
// CHECK-NEXT:    graph.call @ki(%o, %arg0)
// CHECK-NEXT:    %[[C3:.*]] = arith.constant 3
// CHECK-NEXT:    %[[U:.*]] = arith.addi %n, %[[C3]]
// CHECK-NEXT:    graph.call @ki(%o, %[[U]])
// CHECK-NEXT:    graph.return{{$}}
// CHECK:       graph.func orchestration @og55(
// CHECK-NEXT:    %[[C2:.*]] = arith.constant 2
// CHECK-NEXT:    %[[N2:.*]] = arith.muli %n, %[[C2]]
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1
// CHECK-NEXT:    %[[M:.*]] = arith.addi %[[N2]], %[[C1]]
// CHECK-NEXT:    graph.call @lifted(%o, %[[N2]], %n) : ({{.*}}) -> ()
// CHECK-NEXT:    graph.call @ki(%o, %[[M]])
graph.func orchestration @og55(inout %o: !t, in %n: index) {
  %m = graph.scope graph "lifted" -> (index) {
    %c2 = arith.constant 2 : index
    %n2 = arith.muli %n, %c2 : index
    graph.call @ki(%o, %n2) : (!t, index) -> !t
    %c3 = arith.constant 3 : index
    %u = arith.addi %n, %c3 : index
    graph.call @ki(%o, %u) : (!t, index) -> !t
    %c1 = arith.constant 1 : index
    %m1 = arith.addi %n2, %c1 : index
    graph.yield %m1 : index
  }
  graph.call @ki(%o, %m) : (!t, index) -> !t
  graph.return
}

// Through aliases, nested scopes and branches that agree; extents of tensors of
// outside; a division that always runs.
// CHECK-LABEL: graph.func graph @through(
// CHECK:         graph.scope manual -> (index) {
// CHECK-NOT:     arith.divsi
// CHECK-NOT:     graph.dim
// CHECK:       graph.func orchestration @scalars_through(
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0
// CHECK-NEXT:    %[[D:.*]] = graph.dim %x, %[[C0]] : !graph.tensor<?x128xf32>
// CHECK-NEXT:    %[[Q:.*]] = arith.divsi %[[D]], %n
// CHECK-NEXT:    %[[AXIS:.*]] = arith.constant 0
// CHECK-NEXT:    %[[D1:.*]] = graph.dim %x, %[[AXIS]] : !graph.tensor<?x128xf32>
// CHECK-NEXT:    graph.call @through(
// CHECK-NEXT:    graph.call @ki(%o, %[[Q]])
// CHECK-NEXT:    graph.call @ki(%o, %[[D1]])
graph.func orchestration @scalars_through(inout %o: !t, in %x: !d, in %n: index, in %c: i1) {
  %r:2 = graph.scope graph "through" -> (index, index) {
    %xa = graph.alias %x : !d
    %q = graph.scope manual -> (index) {
      %c0 = arith.constant 0 : index
      %d = graph.dim %xa, %c0 : !d
      %da = graph.alias %d : index
      %q0 = arith.divsi %da, %n : index
      graph.call @ki(%o, %c0) : (!t, index) -> !t
      graph.yield %q0 : index
    }
    %c0 = arith.constant 0 : index
    %d = graph.dim %x, %c0 : !d
    %i = scf.if %c -> (index) {
      scf.yield %q : index
    } else {
      scf.yield %q : index
    }
    graph.yield %i, %d : index, index
  }
  graph.call @ki(%o, %r#0) : (!t, index) -> !t
  graph.call @ki(%o, %r#1) : (!t, index) -> !t
  graph.return
}

// Renames on the way out go, and make no parameter.
// CHECK-LABEL: graph.func graph @renamed(inout %o: {{[^,]*}}) {
// CHECK-NEXT:    arith.constant 0
// CHECK-NEXT:    graph.call @ki(
// CHECK-NEXT:    graph.return{{$}}
// CHECK:       graph.func orchestration @renames(
// CHECK:         %[[S:.*]] = arith.subi %{{.*}}, %n
// CHECK-NEXT:    graph.call @renamed(%o) : ({{.*}}) -> ()
// CHECK-NEXT:    graph.call @ki(%o, %[[S]])
graph.func orchestration @renames(inout %o: !t, in %n: index) {
  %r = graph.scope graph "renamed" -> (index) {
    %c0 = arith.constant 0 : index
    %m = arith.muli %n, %n : index
    %m1 = graph.alias %m : index
    %m2 = graph.alias %m1 : index
    %s = arith.subi %m2, %n : index
    %s1 = graph.alias %s : index
    graph.call @ki(%o, %c0) : (!t, index) -> !t
    graph.yield %s1 : index
  }
  graph.call @ki(%o, %r) : (!t, index) -> !t
  graph.return
}

// A scalar of outside that is only passed on is tied; a constant is a constant.
// CHECK-LABEL: graph.func graph @passed(inout %o: {{[^,]*}}, in %n: index) -> (%n) {
// CHECK:         graph.return %n : index
// CHECK:       graph.func orchestration @pass_on(
// CHECK:         %[[R:.*]] = graph.call @passed(%o, %n) : ({{.*}}) -> index
// CHECK-NEXT:    graph.call @ki(%o, %[[R]])
// CHECK-NEXT:    graph.call @ki(%o, %[[C7:.*]])
// CHECK-NEXT:    graph.call @ki(%o, %[[C8:.*]])
graph.func orchestration @pass_on(inout %o: !t, in %n: index) {
  %c7 = arith.constant 7 : index
  %r:3 = graph.scope graph "passed" -> (index, index, index) {
    %c8 = arith.constant 8 : index
    graph.call @ki(%o, %c8) : (!t, index) -> !t
    graph.yield %n, %c7, %c8 : index, index, index
  }
  graph.call @ki(%o, %r#0) : (!t, index) -> !t
  graph.call @ki(%o, %r#1) : (!t, index) -> !t
  graph.call @ki(%o, %r#2) : (!t, index) -> !t
  graph.return
}

// A scalar nothing uses after is left where it is, whatever it is.
// CHECK-LABEL: graph.func graph @ignored(in %idx: !graph.tensor<4xi64>) {
graph.func orchestration @unused_scalar(in %idx: !graph.tensor<4xi64>) {
  %r = graph.scope graph "ignored" -> (i64) {
    %x = graph.read %idx[0] : !graph.tensor<4xi64>
    graph.yield %x : i64
  }
  graph.return
}
