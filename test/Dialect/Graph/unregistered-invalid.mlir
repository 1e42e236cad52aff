// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-diagnostics -split-input-file -allow-unregistered-dialect

// Operations nobody knows do not know that a graph tensor is a reference.
graph.func orchestration @f(in %a: !graph.tensor<4xf32>) {
  // expected-error@below {{'some.use' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  "some.use"(%a) : (!graph.tensor<4xf32>) -> ()
  // expected-error@below {{'some.make' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  %0 = "some.make"() : () -> !graph.tensor<4xf32>
  // expected-error@below {{'some.loop' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  "some.loop"() ({
  ^bb0(%b: !graph.tensor<4xf32>):
    "some.use"(%b) : (!graph.tensor<4xf32>) -> ()
  }) : () -> ()
  // Scalars and task ids are values.
  %t = "some.task"() : () -> !graph.task_id
  "some.use"(%t) : (!graph.task_id) -> ()
  graph.return
}

// -----

// A function ends with a return of ours.
// expected-error@below {{'graph.func' op body must end with 'graph.return', ends with 'some.return'}}
graph.func orchestration @f() {
  "some.return"() : () -> ()
}
