// RUN: pypto-opt --graph-legalize-pipeline -verify-diagnostics -split-input-file %s
// RUN: not pypto-opt --graph-legalize-pipeline=runtime=cuda %s 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not pypto-opt --pass-pipeline='builtin.module(graph.func(graph-legalize-pipeline))' %s 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: not pypto-opt --pass-pipeline='builtin.module(graph-legalize-pipeline{verify=perhaps})' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// ANCHOR: graph-legalize-pipeline runs on 'builtin.module', not on 'graph.func'
// OPTION: perhaps
// RUNTIME: error: set-graph-runtime: unknown runtime 'cuda'

// E2E17: a graph function under the default runtime.

module {
  graph.func private incore @k(inout %c: !graph.tensor<64xf32>) -> (%c)
  // expected-error@+3 {{[graph-runtime]}}
  // expected-note@+2 {{only that runtime records and replays graphs}}
  // expected-note@+1 {{put graph.runtime = #graph.runtime<host_build_graph> on the module}}
  graph.func graph @layer(inout %c: !graph.tensor<64xf32>) {
    %0 = graph.call @k(%c) : (!graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return
  }
  graph.func orchestration @main(inout %c: !graph.tensor<64xf32>) {
    graph.call @layer(%c) : (!graph.tensor<64xf32>) -> ()
    graph.return
  }
}

// -----

// What the inliner cannot inline is said right after it, and by whom.

// expected-error@+1 {{[graph-broken-property] 'inline' did not establish the property InlineFunctionsEliminated}}
module {
  // expected-note@+1 {{it has no body to be inlined; define it here}}
  graph.func private inline @f(inout %c: !graph.tensor<64xf32>)
  graph.func inline @g(inout %c: !graph.tensor<64xf32>) {
    graph.return
  }
  graph.func orchestration @main(inout %c: !graph.tensor<64xf32>) {
    // expected-error@+1 {{[graph-missing-property] the property InlineFunctionsEliminated does not hold: inline function '@f' is called in function '@main'}}
    graph.call @f(%c) : (!graph.tensor<64xf32>) -> ()
    // expected-error@+2 {{[graph-missing-property] the property InlineFunctionsEliminated does not hold: inline function '@g' is called in function '@main'}}
    // expected-note@+1 {{only 'graph.call' can be inlined}}
    %t = graph.submit @g(%c) : (!graph.tensor<64xf32>) -> (!graph.task_id)
    graph.return
  }
}

// -----

// E2E16: a tensor made in the region does not exist at the launch. The function
// in the message has the region's name.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @add(in %x: !graph.tensor<64xf32>, out %y: !graph.tensor<64xf32>) -> (%y)
  graph.func private incore @use(in %x: !graph.tensor<64xf32>)
  graph.func orchestration @main(in %x: !graph.tensor<64xf32>) {
    %y = graph.scope graph "fresh" -> (!graph.tensor<64xf32>) {
      // expected-note@+1 {{it is the result of 'graph.create'}}
      %t = graph.create : !graph.tensor<64xf32>
      %0 = graph.call @add(%x, %t) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
      // expected-error@+3 {{[graph-computed-return] graph function '@fresh' returns a computed value as result #0}}
      // expected-note@+2 {{a result of a graph launch is only a handle of an argument}}
      // expected-note@+1 {{write into an 'inout' parameter and return that parameter}}
      graph.yield %0 : !graph.tensor<64xf32>
    }
    graph.call @use(%y) : (!graph.tensor<64xf32>) -> ()
    graph.return
  }
}

// -----

// Inline functions that call each other can never be inlined, so that running the
// inliner is no remedy.

// expected-error@+1 {{[graph-broken-property] 'inline' did not establish the property InlineFunctionsEliminated}}
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !graph.tensor<64xf32>) -> (%c)
  // expected-note@+1 {{it cannot be inlined: calls in it lead back to where they began; write a loop, or give one of the functions another kind}}
  graph.func private inline @even(inout %c: !graph.tensor<64xf32>) {
    %0 = graph.call @k(%c) : (!graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    // expected-error@+1 {{inline function '@odd' is called in function '@even'}}
    graph.call @odd(%c) : (!graph.tensor<64xf32>) -> ()
    graph.return
  }
  // expected-note@+1 {{it cannot be inlined: calls in it lead back to where they began}}
  graph.func private inline @odd(inout %c: !graph.tensor<64xf32>) {
    // expected-error@+1 {{inline function '@even' is called in function '@odd'}}
    graph.call @even(%c) : (!graph.tensor<64xf32>) -> ()
    graph.return
  }
}

// -----

// A region that waits for a task outside, or gives one back, is told about the
// order that the directions of the boundary make.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !graph.tensor<64xf32>) -> (%c)
  graph.func orchestration @main(inout %c: !graph.tensor<64xf32>) {
    // expected-error@+3 {{[graph-param-type] parameter '%arg0' of graph function '@waits' has type '!graph.task_id'}}
    // expected-note@+2 {{a recording has slots for tensors and scalars only}}
    // expected-note@+1 {{drop the dependency: the order against tasks outside follows from the directions of the boundary tensors}}
    %0, %t = graph.submit @k(%c) : (!graph.tensor<64xf32>) -> (!graph.tensor<64xf32>, !graph.task_id)
    graph.scope graph "waits" {
      %1, %u = graph.submit @k(%c) deps(%t : !graph.task_id) : (!graph.tensor<64xf32>) -> (!graph.tensor<64xf32>, !graph.task_id)
    }
    %v = graph.scope graph "gives" -> (!graph.task_id) {
      // expected-note@+1 {{it is the result of 'graph.submit' of '@k'}}
      %2, %w = graph.submit @k(%c) : (!graph.tensor<64xf32>) -> (!graph.tensor<64xf32>, !graph.task_id)
      // expected-error@+3 {{[graph-computed-return] graph function '@gives' returns a computed value as result #0}}
      // expected-note@+2 {{a result of a graph launch is only a handle of an argument}}
      // expected-note@+1 {{return no task id: the order against tasks outside follows from the directions of the boundary tensors}}
      graph.yield %w : !graph.task_id
    }
    graph.task_dummy deps(%v : !graph.task_id) : !graph.task_id
    graph.return
  }
}
