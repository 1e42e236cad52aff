// RUN: pypto-opt --check-properties=properties=InlineFunctionsEliminated,GraphOutlined,SplitIncoreOrch,ReturnParamsExplicit,CallDirectionsResolved -verify-diagnostics -split-input-file %s

!t = !graph.tensor<64xf32>
graph.func inline @f(in %x: !t) {
  graph.return
}
graph.func private incore @k(inout %x: !t) -> (%x)
graph.func orchestration @main(inout %x: !t) -> (!t, !t, %x) {
  // expected-error@+4 {{[graph-missing-property] the property InlineFunctionsEliminated does not hold: inline function '@f' is called in function '@main'}}
  // expected-note@+3 {{run inline first}}
  // expected-error@+2 {{[graph-missing-directions] call of '@f' in function '@main'}}
  // expected-note@+1 {{run derive-call-directions first}}
  graph.call @f(%x) : (!t) -> ()
  // expected-error@+2 {{[outline-scope-left] graph scope 'layer' is left in function '@main' of kind 'orchestration'}}
  // expected-note@+1 {{run outline-graph-scopes}}
  graph.scope graph "layer" {
  }
  // expected-error@+2 {{[graph-missing-property] the property SplitIncoreOrch does not hold: a scope of kind 'spmd' is left in function '@main'}}
  // expected-note@+1 {{run outline-incore-scopes first}}
  graph.scope spmd {
  }
  %0 = graph.call @k(inout %x) : (!t) -> !t
  %1 = graph.create : !t
  // expected-error@+3 {{[graph-missing-property] the property ReturnParamsExplicit does not hold: result #0 of function '@main' is the parameter '%x' but is not tied}}
  // expected-error@+2 {{[graph-missing-property] the property ReturnParamsExplicit does not hold: result #2 of function '@main' is the parameter '%x' but is returned under another name}}
  // expected-note@+1 {{run normalize-returns first}}
  graph.return %0, %1, %0 : !t, !t, !t
}
