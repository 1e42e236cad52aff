// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-replay %s --calls=2 --dump-definition | FileCheck %s
// RUN: pypto-replay %s --calls=2 --order=reverse | FileCheck %s --check-prefix=ORDER

// A boundary tensor that a task outside has made: what its owner is says nothing about
// the nodes of the recording.

// CHECK: agrees
// CHECK: "node":0,{{.*}}"fan_in":[]
// CHECK: "node":1,{{.*}}"fan_in":[0]
// ORDER: agrees

!t = !graph.tensor<4xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @make(in %a: !t) -> (!t)
  graph.func private aiv @use(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @layer(inout %a: !t, inout %o: !t) {
    %0 = graph.call @use(input %a, inout %o) : (!t, !t) -> !t
    %1 = graph.call @use(input %o, inout %a) : (!t, !t) -> !t
    graph.return
  }
  graph.func orchestration @main(in %a: !t, inout %o: !t) {
    %0 = graph.call @make(input %a) : (!t) -> !t
    %1 = graph.call @make(input %0) : (!t) -> !t
    %2 = graph.call @make(input %1) : (!t) -> !t
    graph.call @layer(inout %2, inout %o) : (!t, !t) -> ()
    graph.return
  }
}
