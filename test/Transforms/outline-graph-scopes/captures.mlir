// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -split-input-file -outline-graph-scopes -verify-graph-outlined | FileCheck %s

// Which values become parameters, in which order and under which names.

!t = !graph.tensor<16x128xf32>

graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
graph.func private incore @ki(in %a: !t, inout %o: !t, in %i: index) -> (%o)

// OG10: a loop reads its initial values, then its bounds, then what its body
// reads. The values keep their names, in the order of the reads.
// CHECK-LABEL: graph.func graph @loop(
// CHECK-SAME:    inout %init: {{[^,]*}}, in %lo: index, in %hi: index, in %st: index, in %p: {{[^,]*}}) -> (%init)
// CHECK:         scf.for %{{.*}} = %lo to %hi step %st iter_args(%{{.*}} = %init)
// CHECK:         graph.return %init
graph.func orchestration @order_for(in %p: !t, in %st: index, in %hi: index, in %lo: index,
                                    inout %init: !t) {
  %r = graph.scope graph "loop" -> (!t) {
    %l = scf.for %i = %lo to %hi step %st iter_args(%t = %init) -> (!t) {
      %o = graph.call @k(%p, %t) : (!t, !t) -> !t
      scf.yield %o : !t
    }
    graph.yield %l : !t
  }
  graph.call @k(%p, %r) : (!t, !t) -> !t
  graph.return
}

// OG10: a while reads its initial values, then the condition, then the body.
// CHECK-LABEL: graph.func graph @while(
// CHECK-SAME:    inout %init: {{[^,]*}}, in %c: i1, in %p: {{[^,]*}})
// CHECK-LABEL: graph.func opaque @order_while(
// CHECK:         graph.call @while(%init, %c, %p)
graph.func opaque @order_while(in %p: !t, in %c: i1, inout %init: !t) {
  graph.scope graph "while" {
    %r = scf.while (%t = %init) : (!t) -> !t {
      scf.condition(%c) %t : !t
    } do {
    ^bb0(%t: !t):
      %o = graph.call @k(%p, %t) : (!t, !t) -> !t
      scf.yield %o : !t
    }
  }
  graph.return
}

// OG10: a branch reads its condition, then the first arm, then the second.
// CHECK-LABEL: graph.func graph @branch(
// CHECK-SAME:    in %c: i1, in %x: {{[^,]*}}, inout %o: {{[^,]*}}, in %y: {{[^,]*}})
graph.func orchestration @order_if(in %y: !t, in %x: !t, inout %o: !t, in %c: i1) {
  graph.scope graph "branch" {
    scf.if %c {
      graph.call @k(%x, %o) : (!t, !t) -> !t
    } else {
      graph.call @k(%y, %o) : (!t, !t) -> !t
    }
  }
  graph.return
}

// OG11: every clause of a submit is read.
// CHECK-LABEL: graph.func graph @clauses(
// CHECK-SAME:    in %a: {{[^,]*}}, inout %o: {{[^,]*}}, in %arg0: !graph.task_id, in %n: index, in %rc: !graph.tensor<4xf32>, in %i: index, in %z: f32)
// CHECK-NEXT:    graph.submit @k(%a, %o) deps(%arg0 : !graph.task_id) core_num(%n) predicate(%rc[%i] gt %z : !graph.tensor<4xf32>)
graph.func orchestration @order_submit(in %z: f32, in %i: index, in %rc: !graph.tensor<4xf32>,
                                       in %n: index, inout %o: !t, in %a: !t) {
  %t0 = graph.task_dummy : !graph.task_id
  graph.scope graph "clauses" {
    %o1, %t1 = graph.submit @k(%a, %o) deps(%t0 : !graph.task_id) core_num(%n)
        predicate(%rc[%i] gt %z : !graph.tensor<4xf32>) : (!t, !t) -> (!t, !graph.task_id)
  }
  graph.return
}

// OG12: a carried value is one capture; what it starts with is none. It has no
// name of its own: the number skips a name in use.
// CHECK-LABEL: graph.func graph @carried(
// CHECK-SAME:    in %arg1: {{[^,]*}}, inout %arg0: {{[^,]*}}) -> (%arg0)
// CHECK-NEXT:    graph.call @k(%arg1, %arg0)
// CHECK-LABEL: graph.func orchestration @loop_around(
// CHECK:         scf.for {{.*}} iter_args(%[[CUR:.*]] = %w)
// CHECK-NEXT:      %[[R:.*]] = graph.call @carried(%[[CUR]], %arg0) : (
// CHECK-NEXT:      scf.yield %[[R]]
graph.func orchestration @loop_around(in %w: !t, inout %arg0: !t, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%cur = %w) -> (!t) {
    %c = graph.scope graph "carried" -> (!t) {
      %o = graph.call @k(%cur, %arg0) : (!t, !t) -> !t
      graph.yield %o : !t
    }
    scf.yield %c : !t
  }
  graph.return
}

// Constants are copied in, once each, wherever the reads are; they are no
// parameters. What is computed outside is one.
// CHECK-LABEL: graph.func graph @constants(
// CHECK-SAME:    in %x: {{[^,]*}}, inout %o: {{[^,]*}}, in %arg0: index)
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    graph.call @ki(%x, %o, %[[C4]])
// CHECK-NEXT:    scf.for %{{.*}} = %[[C0]] to %[[C4]] step %[[C4]]
// CHECK-NEXT:      graph.call @ki(%x, %o, %[[C4]])
// CHECK-NEXT:    }
// CHECK-NEXT:    graph.call @ki(%x, %o, %arg0)
// CHECK-NEXT:    graph.return
graph.func orchestration @around_constants(in %x: !t, inout %o: !t, in %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = arith.addi %n, %c4 : index
  graph.scope graph "constants" {
    graph.call @ki(%x, %o, %c4) : (!t, !t, index) -> !t
    scf.for %i = %c0 to %c4 step %c4 {
      graph.call @ki(%x, %o, %c4) : (!t, !t, index) -> !t
    }
    graph.call @ki(%x, %o, %m) : (!t, !t, index) -> !t
  }
  graph.return
}

// Arrays of task ids, floats and what nested scopes read.
// CHECK-LABEL: graph.func graph @kinds(
// CHECK-SAME:    in %arg0: !graph.array<4 x !graph.task_id>, in %x: {{[^,]*}}, in %f: f32, inout %o: {{[^,]*}}) {
// CHECK-NEXT:    graph.scope manual {
// CHECK-NEXT:      graph.array.extract %arg0[1]
// CHECK-NEXT:      graph.scope incore deps(
graph.func orchestration @around_kinds(in %x: !t, inout %o: !t, in %f: f32) {
  %e = graph.array.create : !graph.array<4 x !graph.task_id>
  %t0 = graph.task_dummy : !graph.task_id
  %arr = graph.array.insert %t0, %e[1] : !graph.array<4 x !graph.task_id>
  graph.scope graph "kinds" {
    graph.scope manual {
      %t = graph.array.extract %arr[1] : !graph.array<4 x !graph.task_id>
      graph.scope incore deps(%t : !graph.task_id) {
        %v = graph.load %x[0, 0] : !t -> tensor<16x128xf32>
        %s = tensor.splat %f : tensor<16x128xf32>
        %w = arith.mulf %v, %s : tensor<16x128xf32>
        graph.store %w, %o[0, 0] : tensor<16x128xf32>, !t
      }
    }
  }
  graph.return
}

// A scope that reads nothing; scopes at any depth; what one scope makes and the
// next reads.
// CHECK-LABEL: graph.func graph @nothing() {
// CHECK-NEXT:    graph.task_dummy
// CHECK-NEXT:    graph.return
// CHECK:       graph.func graph @deep(in %x: {{[^,]*}}, inout %arg0: {{[^,]*}}) -> (%arg0)
// CHECK:       graph.func graph @after(in %x: {{[^,]*}}, inout %arg0: {{[^,]*}}) {
// CHECK-LABEL: graph.func orchestration @anywhere(
// CHECK-NEXT:    graph.call @nothing() : () -> ()
// CHECK-NEXT:    %[[T:.*]] = graph.create
// CHECK-NEXT:    graph.scope auto {
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        scf.while : () -> () {
// CHECK-NEXT:          %[[D:.*]] = graph.call @deep(%x, %[[T]])
// CHECK-NEXT:          graph.call @after(%x, %[[D]])
graph.func orchestration @anywhere(in %x: !t, in %c: i1) {
  graph.scope graph "nothing" {
    graph.task_dummy : !graph.task_id
  }
  %t = graph.create : !t
  graph.scope auto {
    scf.if %c {
      scf.while : () -> () {
        %d = graph.scope graph "deep" -> (!t) {
          %o = graph.call @k(%x, %t) : (!t, !t) -> !t
          graph.yield %o : !t
        }
        graph.scope graph "after" {
          graph.call @k(%x, %d) : (!t, !t) -> !t
        }
        scf.condition(%c)
      } do {
        scf.yield
      }
    }
  }
  graph.return
}

// Each function around has its own captures and its own symbols: of a module in
// a module the function goes into that one.
// CHECK-LABEL: module @inner
// CHECK:         graph.func private incore @k
// CHECK-NEXT:    graph.func graph @loop(inout %o: {{[^,]*}})
// CHECK-NEXT:      graph.call @k(%o, %o)
// CHECK:         graph.func orchestration @main(
// CHECK-NEXT:      graph.call @loop(%o)
module @inner {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func orchestration @main(inout %o: !t) {
    graph.scope graph "loop" {
      graph.call @k(%o, %o) : (!t, !t) -> !t
    }
    graph.return
  }
}
