// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-translate --graph-to-orchestration --assume-legalized %s -verify-diagnostics

// A scalar that is copied between its slot and the task never gets here in a legal
// module; if one did, it would not be frozen in silence.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(inout %o: !graph.tensor<4xf32>, in %s: index) -> (%o)
  graph.func graph @layer(inout %o: !graph.tensor<4xf32>, in %n: index, in %m: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-note @below {{this is the value}}
    %s = arith.addi %n, %c1 : index
    // expected-error @below {{[graph-scalar-copy] internal error: scalar argument #1 of a task in graph function '@layer' would be copied between its slot and the task}}
    // expected-note @below {{every replay would pass the value of the first call}}
    // expected-note @below {{run legalize-graph-boundary first}}
    %0 = graph.call @k(inout %o, scalar %s) : (!graph.tensor<4xf32>, index) -> !graph.tensor<4xf32>
    %less = arith.cmpi ult, %n, %m : index
    // expected-note @below {{this is the value}}
    %least = arith.select %less, %n, %m : index
    // expected-error @below {{[graph-scalar-copy]}}
    // expected-note @below {{every replay would pass the value of the first call}}
    // expected-note @below {{run legalize-graph-boundary first}}
    %1 = graph.call @k(inout %o, scalar %least) : (!graph.tensor<4xf32>, index) -> !graph.tensor<4xf32>
    // The slot by other names is the slot.
    %same = arith.select %less, %n, %n : index
    %2 = graph.call @k(inout %o, scalar %same) : (!graph.tensor<4xf32>, index) -> !graph.tensor<4xf32>
    graph.return
  }
  graph.func orchestration @main(inout %o: !graph.tensor<4xf32>, in %n: index) {
    graph.call @layer(inout %o, scalar %n, scalar %n) : (!graph.tensor<4xf32>, index, index) -> ()
    graph.return
  }
}
