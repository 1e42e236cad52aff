// RUN: pypto-opt --derive-call-directions -verify-diagnostics -split-input-file %s

// Directions given by hand that the wrapper's real signature does not allow.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(out %o: !t) -> (%o)
// expected-note@+1 {{declared 'in' here, but what '@w' launches makes it 'out'}}
graph.func group @w(in %o: !t) {
  %0 = graph.call @kw(%o) : (!t) -> !t
  graph.return
}
graph.func orchestration @main(out %o: !t) {
  // expected-error@+2 {{[graph-wrong-direction] in function '@main', argument #0 has direction 'input' for parameter '%o' of '@w', which is 'out'}}
  // expected-note@+1 {{directions given by hand are kept}}
  graph.call @w(input %o) : (!t) -> ()
  // expected-error@+2 {{[graph-wrong-direction] in function '@main', argument #0 has direction 'input'}}
  // expected-note@+1 {{directions given by hand are kept}}
  %t = graph.submit @w(input %o) : (!t) -> (!graph.task_id)
  graph.call @w(no_dep %o) : (!t) -> ()
  graph.return
}

// -----

// A buffer left to the runtime has no contents to be read.

!t = !graph.tensor<64xf32>
graph.func private incore @kio(inout %o: !t) -> (%o)
// expected-note@+1 {{declared 'out' here, but what '@w' launches makes it 'inout'}}
graph.func group @w(out %o: !t) {
  %0 = graph.call @kio(%o) : (!t) -> !t
  graph.return
}
graph.func orchestration @main() {
  // expected-error@+2 {{[graph-wrong-direction] in function '@main', the launch leaves it to the runtime to make a buffer for parameter '%o' of '@w', which is 'inout'}}
  // expected-note@+1 {{pass a buffer for it}}
  %t = graph.submit @w() : () -> (!graph.task_id)
  graph.return
}

// -----

// What the pass requires. Everything at fault is reported.

!t = !graph.tensor<64xf32>
graph.func inline @f(in %x: !t) {
  graph.return
}
graph.func orchestration @main(in %x: !t, inout %y: !t) {
  // expected-error@+2 {{[graph-missing-property] derive-call-directions requires the property InlineFunctionsEliminated, but inline function '@f' is called in function '@main'}}
  // expected-note@+1 {{run inline first}}
  graph.call @f(%x) : (!t) -> ()
  // expected-error@+2 {{[graph-missing-property] derive-call-directions requires the property GraphOutlined, but graph scope 'layer' is left in function '@main'}}
  // expected-note@+1 {{run outline-graph-scopes first}}
  graph.scope graph "layer" {
    // expected-error@+2 {{[graph-missing-property] derive-call-directions requires the property SplitIncoreOrch, but a scope of kind 'incore' is left in function '@main'}}
    // expected-note@+1 {{run outline-incore-scopes first}}
    graph.scope incore {
    }
  }
  // expected-error@+2 {{[graph-missing-property] derive-call-directions requires the property InlineFunctionsEliminated}}
  // expected-note@+1 {{only 'graph.call' can be inlined}}
  %t = graph.submit @f(%x) : (!t) -> (!graph.task_id)
  graph.return
}
