// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -outline-graph-scopes -outline-incore-scopes -legalize-graph-boundary -verify-graph-boundary | FileCheck %s

// What is outlined is a graph that replays right.

!t = !graph.tensor<16x128xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @ki(inout %o: !t, in %i: index) -> (%o)

  // E2E15: a tensor that is only overwritten is `inout`, as one would declare it.
  // CHECK-LABEL: graph.func graph @overwrites(in %a: {{[^,]*}}, inout %c: {{[^,]*}}) {
  graph.func orchestration @e2e15(in %a: !t, inout %c: !t) {
    graph.scope graph "overwrites" {
      graph.scope incore {
        %v = graph.load %a[0, 0] : !t -> tensor<16x128xf32>
        graph.store %v, %c[0, 0] : tensor<16x128xf32>, !t
      }
    }
    graph.return
  }

  // E2E09: results follow what they are tied to.
  // CHECK-LABEL: graph.func graph @swaps(in %a: {{[^,]*}}, inout %p: {{[^,]*}}, inout %q: {{[^,]*}}) -> (%q, %p) {
  // CHECK:       graph.func orchestration @e2e09(
  // CHECK-NEXT:    %[[R:.*]]:2 = graph.call @swaps(%a, %p, %q)
  // CHECK-NEXT:    graph.call @k(%[[R]]#0, %[[R]]#1)
  graph.func orchestration @e2e09(in %a: !t, inout %p: !t, inout %q: !t) {
    %r:2 = graph.scope graph "swaps" -> (!t, !t) {
      %x = graph.call @k(%a, %p) : (!t, !t) -> !t
      %y = graph.call @k(%a, %q) : (!t, !t) -> !t
      graph.yield %y, %x : !t, !t
    }
    graph.call @k(%r#0, %r#1) : (!t, !t) -> !t
    graph.return
  }

  // E2E10: edges between tasks within stay.
  // CHECK-LABEL: graph.func graph @ordered(
  // CHECK-NEXT:    %{{.*}}, %[[T:.*]] = graph.submit @k(
  // CHECK-NEXT:    graph.submit @k({{.*}}) deps(%[[T]] : !graph.task_id)
  // CHECK-NEXT:    graph.submit @ordered_incore_0({{.*}}) deps(%{{.*}} : !graph.task_id)
  graph.func orchestration @e2e10(in %a: !t, inout %o: !t) {
    graph.scope graph "ordered" {
      %x, %t1 = graph.submit @k(%a, %o) : (!t, !t) -> (!t, !graph.task_id)
      %y, %t2 = graph.submit @k(%a, %x) deps(%t1 : !graph.task_id)
          : (!t, !t) -> (!t, !graph.task_id)
      graph.scope incore deps(%t2 : !graph.task_id) {
        %v = graph.load %y[0, 0] : !t -> tensor<16x128xf32>
        graph.store %v, %y[0, 0] {atomic_add} : tensor<16x128xf32>, !t
      }
    }
    graph.return
  }

  // E2E04: what is allocated within moves to the launch. E2E05: two graphs.
  // CHECK-LABEL: graph.func graph @scratch(in %a: {{[^,]*}}, inout %arg0: {{[^,]*}}, inout %alloc0: {{[^,]*}}) -> (%arg0) {
  // CHECK-LABEL: graph.func graph @other(
  // CHECK:       graph.func orchestration @e2e04(
  // CHECK:         scf.for
  // CHECK-NEXT:      %[[TMP:.*]] = graph.create
  // CHECK-NEXT:      %[[R:.*]] = graph.call @scratch(%a, %{{.*}}, %[[TMP]])
  // CHECK-NEXT:      graph.call @other(%a, %[[R]])
  graph.func orchestration @e2e04(in %a: !t, inout %o: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %o) -> (!t) {
      %s = graph.scope graph "scratch" -> (!t) {
        %tmp = graph.create : !t
        %t = graph.call @k(%a, %tmp) : (!t, !t) -> !t
        %u = graph.call @k(%t, %acc) : (!t, !t) -> !t
        graph.yield %u : !t
      }
      %v = graph.scope graph "other" -> (!t) {
        %u = graph.call @k(%a, %s) : (!t, !t) -> !t
        graph.yield %u : !t
      }
      scf.yield %v : !t
    }
    graph.return
  }

  // A scalar that leaves the scope is an argument of the tasks in it all the same.
  // CHECK-LABEL: graph.func graph @derives(inout %o: {{[^,]*}}, in %arg0: index) {
  // CHECK-NEXT:    graph.call @ki(%o, %arg0)
  graph.func orchestration @slots(inout %o: !t, in %n: index) {
    %s = graph.scope graph "derives" -> (index) {
      %m = arith.muli %n, %n : index
      graph.call @ki(%o, %m) : (!t, index) -> !t
      graph.yield %m : index
    }
    graph.call @ki(%o, %s) : (!t, index) -> !t
    graph.return
  }
}
