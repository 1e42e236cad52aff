// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -outline-graph-scopes -legalize-graph-boundary -verify-diagnostics=only-expected -o /dev/null

// What can be outlined but not recorded is refused under the name of the scope, at
// what the user wrote.

!t = !graph.tensor<16x128xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @fresh(in %a: !t) -> (!t)
  graph.func private incore @k(inout %o: !t) -> (%o)

  // E2E16: a computed tensor.
  graph.func orchestration @e2e16(in %x: !t) {
    %r = graph.scope graph "layer" -> (!t) {
      // expected-note @below {{it is the result of 'graph.call' of '@fresh'}}
      %y = graph.call @fresh(%x) : (!t) -> !t
      // expected-error @below {{[graph-computed-return] graph function '@layer' returns a computed value as result #0}}
      graph.yield %y : !t
    }
    graph.call @k(%r) : (!t) -> !t
    graph.return
  }

  // Clauses of the scope are clauses of the launch; a task id from outside.
  graph.func orchestration @clauses(inout %o: !t, in %n: index) {
    // expected-error @below {{[graph-param-type] parameter '%arg0' of graph function '@spec' has type '!graph.task_id'}}
    %t = graph.task_dummy : !graph.task_id
    // expected-error @below {{[graph-launch-deps] launch of graph function '@spec'}}
    // expected-error @below {{[graph-launch-spec] launch of graph function '@spec'}}
    graph.scope graph "spec" deps(%t : !graph.task_id) core_num(%n) {
      graph.task_dummy deps(%t : !graph.task_id) : !graph.task_id
      graph.call @k(%o) : (!t) -> !t
    }
    graph.return
  }
}
