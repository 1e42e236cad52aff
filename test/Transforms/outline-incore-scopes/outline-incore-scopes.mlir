// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -split-input-file -outline-incore-scopes | FileCheck %s
// RUN: pypto-opt %s -split-input-file -outline-incore-scopes -outline-incore-scopes -o %t.twice
// RUN: pypto-opt %s -split-input-file -outline-incore-scopes | diff %t.twice -

!t = !graph.tensor<16x128xf32>

// OG07: in a graph function, whose kind stays.
// CHECK-LABEL: graph.func incore @layer_incore_0(in %x: {{[^,]*}}, inout %c: {{[^,]*}}) {
// CHECK-NEXT:    %[[V:.*]] = graph.load %x[0, 0]
// CHECK-NEXT:    graph.store %[[V]], %c[0, 0]
// CHECK-NEXT:    graph.return
// CHECK-LABEL: graph.func graph @layer(
// CHECK-NEXT:    graph.call @layer_incore_0(%x, %c) : ({{.*}}) -> ()
// CHECK-NEXT:    graph.return %c
graph.func graph @layer(in %x: !t, inout %c: !t) -> (%c) {
  graph.scope incore {
    %v = graph.load %x[0, 0] : !t -> tensor<16x128xf32>
    graph.store %v, %c[0, 0] : tensor<16x128xf32>, !t
  }
  graph.return %c : !t
}

// Names: given ones, and one number a function and kind. Scopes in control flow;
// opaque functions stay opaque.
// CHECK-LABEL: graph.func incore @named()
// CHECK-LABEL: graph.func incore @names_incore_0()
// CHECK-LABEL: graph.func group @names_cluster_0()
// CHECK-LABEL: graph.func spmd @names_spmd_0()
// CHECK-LABEL: graph.func incore @names_incore_1()
// CHECK-LABEL: graph.func incore @named_0()
// CHECK-LABEL: graph.func opaque @names(
// CHECK:         scf.for
// CHECK-NEXT:      graph.call @names_incore_1()
// CHECK:         graph.scope manual
// CHECK-NEXT:      graph.call @named_0()
graph.func opaque @names(in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  graph.scope incore "named" {
  }
  graph.scope incore {
  }
  graph.scope cluster {
  }
  graph.scope spmd {
  }
  scf.for %i = %c0 to %n step %c1 {
    graph.scope incore "" {
    }
  }
  graph.scope manual {
    graph.scope incore "named" {
    }
  }
  graph.return
}

// Another function counts anew, past names in use.
graph.func private incore @other_incore_0()
// CHECK-LABEL: graph.func incore @other_incore_2()
// CHECK-LABEL: graph.func incore @other_incore_1()
// CHECK-LABEL: graph.func orchestration @other()
graph.func orchestration @other() {
  graph.scope incore {
  }
  graph.scope incore "other_incore_1" {
  }
  graph.return
}

// -----

!t = !graph.tensor<16x128xf32>

// Clauses and a task id that is used make a submit.
// CHECK-LABEL: graph.func orchestration @submits(
// CHECK-NEXT:    %[[T0:.*]] = graph.submit @plain() : () -> !graph.task_id
// CHECK-NEXT:    %[[R:.*]], %[[T1:.*]] = graph.submit @all(%o) deps(%[[T0]] : !graph.task_id) core_num(%n) predicate(%gate[%i] le %z : !graph.tensor<4xi32>) {user.note} : (!graph.tensor<16x128xf32>) -> (!graph.tensor<16x128xf32>, !graph.task_id)
// CHECK-NEXT:    graph.submit @ordered() deps(%[[T1]] : !graph.task_id) : () -> !graph.task_id
// CHECK-NEXT:    graph.submit @blocks() core_num(%n) : () -> !graph.task_id
// CHECK-NEXT:    graph.submit @gated() predicate(%gate[0] gt %z : !graph.tensor<4xi32>) : () -> !graph.task_id
// CHECK-NEXT:    %[[U:.*]] = graph.call @unused(%[[R]]) {user.note} : (!graph.tensor<16x128xf32>) -> !graph.tensor<16x128xf32>
// CHECK-NEXT:    graph.return %[[U]]
graph.func orchestration @submits(inout %o: !t, in %gate: !graph.tensor<4xi32>, in %z: i32,
                                  in %i: index, in %n: index) -> (%o) {
  %t0 = graph.scope incore "plain" -> (!graph.task_id) {
  }
  %r:2 = graph.scope spmd "all" deps(%t0 : !graph.task_id) core_num(%n)
      predicate(%gate[%i] le %z : !graph.tensor<4xi32>) attributes {user.note} -> (!t, !graph.task_id) {
    graph.yield %o : !t
  }
  graph.scope incore "ordered" deps(%r#1 : !graph.task_id) {
  }
  graph.scope spmd "blocks" core_num(%n) {
  }
  graph.scope incore "gated" predicate(%gate[0] gt %z : !graph.tensor<4xi32>) {
  }
  %u:2 = graph.scope incore "unused" attributes {user.note} -> (!t, !graph.task_id) {
    graph.yield %r#0 : !t
  }
  graph.return %u#0 : !t
}

// -----

!t = !graph.tensor<16x128xf32>

// Scopes in scopes: the inner ones become calls in the functions of the outer ones.
// What an inner scope alone reads passes through the outer one; constants do not.
// CHECK-LABEL: graph.func incore @load(in %i: index, in %x: {{[^,]*}}, inout %o: {{[^,]*}}) -> (%o) {
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4
// CHECK-NEXT:    %[[J:.*]] = arith.addi %i, %[[C4]]
// CHECK-NEXT:    %[[V:.*]] = graph.load %x[%[[J]], 0]
// CHECK-NEXT:    graph.store %[[V]], %o[0, 0]
// CHECK-NEXT:    graph.return %o
// CHECK-LABEL: graph.func incore @again(inout %arg0: {{[^,]*}}, in %y: {{[^,]*}}) {
// CHECK:       graph.func group @pair(in %i: index, in %x: {{[^,]*}}, inout %o: {{[^,]*}}, in %y: {{[^,]*}}) -> (%o) {
// CHECK-NEXT:    %[[O:.*]], %[[T:.*]] = graph.submit @load(%i, %x, %o) : (
// CHECK-NEXT:    graph.submit @again(%[[O]], %y) deps(%[[T]] : !graph.task_id)
// CHECK-NEXT:    graph.return %o
// CHECK-LABEL: graph.func spmd @blocks(in %i: index, in %x: {{[^,]*}}, inout %o: {{[^,]*}}, in %y: {{[^,]*}}) -> (%o) {
// CHECK-NEXT:    graph.call @pair(%i, %x, %o, %y)
// CHECK-NEXT:    graph.return %o
// CHECK-LABEL: graph.func orchestration @nested(
// CHECK:         %[[R:.*]], %{{.*}} = graph.submit @blocks(%i, %x, %o, %y) core_num(%[[N:.*]]) : (
// CHECK-NEXT:    graph.return %[[R]]
graph.func orchestration @nested(in %y: !t, in %i: index, inout %o: !t, in %x: !t) -> (%o) {
  %c4 = arith.constant 4 : index
  %r = graph.scope spmd "blocks" core_num(%c4) -> (!t) {
    %s = graph.scope cluster "pair" -> (!t) {
      %l:2 = graph.scope incore "load" -> (!t, !graph.task_id) {
        %j = arith.addi %i, %c4 : index
        %v = graph.load %x[%j, 0] : !t -> tensor<16x128xf32>
        graph.store %v, %o[0, 0] : tensor<16x128xf32>, !t
        graph.yield %o : !t
      }
      graph.scope incore "again" deps(%l#1 : !graph.task_id) {
        %v = graph.load %l#0[0, 0] : !t -> tensor<16x128xf32>
        %w = graph.load %y[0, 0] : !t -> tensor<16x128xf32>
        %z = arith.addf %v, %w : tensor<16x128xf32>
        graph.store %z, %l#0[0, 0] {atomic_add} : tensor<16x128xf32>, !t
      }
      graph.yield %l#0 : !t
    }
    graph.yield %s : !t
  }
  graph.return %r : !t
}

// A result that leads nowhere is none, at any level; in a wrapper that was written
// as a function, scopes are outlined as well.
// CHECK-LABEL: graph.func incore @leaf() {
// CHECK-LABEL: graph.func group @mid() {
// CHECK-NEXT:    graph.call @leaf() : () -> ()
// CHECK-LABEL: graph.func spmd @wrapper(
// CHECK-NEXT:    graph.call @mid() : () -> ()
graph.func spmd @wrapper(in %o: !t) {
  %u = graph.scope cluster "mid" -> (!t) {
    %v = graph.scope incore "leaf" -> (!t) {
      graph.yield %o : !t
    }
    graph.yield %v : !t
  }
  graph.return
}

// A scalar that leaves several scopes is computed in front of the outermost; the
// inner ones read it.
// CHECK-LABEL: graph.func incore @compute(in %arg0: index, inout %o: {{[^,]*}}) {
// CHECK-NEXT:    %[[C:.*]] = arith.constant 8
// CHECK-NEXT:    %[[K:.*]] = arith.muli %arg0, %[[C]]
// CHECK-NEXT:    %[[V:.*]] = graph.load %o[%[[K]], 0]
// CHECK-LABEL: graph.func group @around(in %arg0: index, in %n: index, inout %o: {{[^,]*}}) {
// CHECK-NEXT:    %[[S:.*]] = arith.subi %arg0, %n
// CHECK-NEXT:    graph.call @compute(%arg0, %o) : ({{.*}}) -> ()
// CHECK-NEXT:    graph.call @use(%o, %[[S]])
// CHECK-NEXT:    graph.return
// CHECK-LABEL: graph.func orchestration @scalars(
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8
// CHECK-NEXT:    %[[M:.*]] = arith.muli %n, %[[C8]]
// CHECK-NEXT:    graph.call @around(%[[M]], %n, %o) : ({{.*}}) -> ()
// CHECK-NEXT:    graph.call @use(%o, %[[M]])
graph.func private incore @use(in %o: !t, in %n: index)
graph.func orchestration @scalars(inout %o: !t, in %n: index) {
  %r = graph.scope cluster "around" -> (index) {
    %i:2 = graph.scope incore "compute" -> (index, index) {
      %c8 = arith.constant 8 : index
      %m = arith.muli %n, %c8 : index
      %k = arith.muli %m, %c8 : index
      %v = graph.load %o[%k, 0] : !t -> tensor<16x128xf32>
      graph.store %v, %o[0, 0] : tensor<16x128xf32>, !t
      %s = arith.subi %m, %n : index
      graph.yield %m, %s : index, index
    }
    graph.call @use(%o, %i#1) : (!t, index) -> ()
    graph.yield %i#0 : index
  }
  graph.call @use(%o, %r) : (!t, index) -> ()
  graph.return
}
