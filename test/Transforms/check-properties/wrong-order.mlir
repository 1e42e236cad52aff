// Passes in the wrong order: each names the property, the function and the pass
// to run first.

// RUN: not pypto-opt --outline-graph-scopes %s 2>&1 | FileCheck %s --check-prefixes=INLINE -DPASS=outline-graph-scopes
// RUN: not pypto-opt --outline-incore-scopes %s 2>&1 | FileCheck %s --check-prefixes=INLINE -DPASS=outline-incore-scopes
// RUN: not pypto-opt --inline --outline-incore-scopes %s 2>&1 | FileCheck %s --check-prefixes=GRAPH -DPASS=outline-incore-scopes
// RUN: not pypto-opt --derive-call-directions %s 2>&1 | FileCheck %s --check-prefixes=INLINE -DPASS=derive-call-directions
// RUN: not pypto-opt --inline --derive-call-directions %s 2>&1 | FileCheck %s --check-prefixes=GRAPH,SPLIT -DPASS=derive-call-directions
// RUN: not pypto-opt --inline --outline-graph-scopes --derive-call-directions %s 2>&1 | FileCheck %s --check-prefixes=OUTLINED -DPASS=derive-call-directions
// RUN: not pypto-opt --legalize-graph-boundary %s 2>&1 | FileCheck %s --check-prefixes=INLINE -DPASS=legalize-graph-boundary
// RUN: not pypto-opt --inline --outline-graph-scopes --normalize-returns --legalize-graph-boundary %s 2>&1 | FileCheck %s --check-prefixes=OUTLINED -DPASS=legalize-graph-boundary
// RUN: pypto-opt --graph-legalize-pipeline %s -o /dev/null

// INLINE: error: [graph-missing-property] [[PASS]] requires the property InlineFunctionsEliminated, but inline function '@f' is called in function '@main'
// INLINE: note: run inline first
// GRAPH: error: [graph-missing-property] [[PASS]] requires the property GraphOutlined, but graph scope 'layer' is left in function '@main'
// GRAPH: note: run outline-graph-scopes first
// SPLIT: error: [graph-missing-property] [[PASS]] requires the property SplitIncoreOrch, but a scope of kind 'incore' is left in function '@main'
// SPLIT: note: run outline-incore-scopes first
// OUTLINED: error: [graph-missing-property] [[PASS]] requires the property SplitIncoreOrch, but a scope of kind 'incore' is left in function '@layer'
// OUTLINED: note: run outline-incore-scopes first

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private inline @f(inout %x: !graph.tensor<64xf32>) {
    graph.return
  }
  graph.func orchestration @main(inout %x: !graph.tensor<64xf32>) {
    graph.call @f(%x) : (!graph.tensor<64xf32>) -> ()
    graph.scope graph "layer" {
      graph.scope incore {
        %a = graph.load %x[0] : !graph.tensor<64xf32> -> tensor<64xf32>
        graph.store %a, %x[0] : tensor<64xf32>, !graph.tensor<64xf32>
      }
    }
    graph.return
  }
}
