// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last passes of the pipeline are checked, and blamed, as one.

// RUN: not pypto-opt --check-properties='after=legalize-graph-boundary+canonicalize-and-cse properties=GraphBoundaryLegalized' %s 2>&1 | FileCheck %s
// CHECK: error: [graph-{{[a-z-]+}}]
// CHECK: error: [graph-broken-property] 'legalize-graph-boundary+canonicalize-and-cse' did not establish the property GraphBoundaryLegalized

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !graph.tensor<64xf32>, in %s: index) -> (%c)
  graph.func graph @layer(inout %c: !graph.tensor<64xf32>, in %n: index) {
    %s = arith.muli %n, %n : index
    %0 = graph.call @k(%c, %s) : (!graph.tensor<64xf32>, index) -> !graph.tensor<64xf32>
    graph.return
  }
  graph.func orchestration @main(inout %c: !graph.tensor<64xf32>, in %n: index) {
    graph.call @layer(%c, %n) : (!graph.tensor<64xf32>, index) -> ()
    graph.return
  }
}
