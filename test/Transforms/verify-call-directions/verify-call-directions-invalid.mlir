// RUN: pypto-opt --verify-call-directions -verify-diagnostics -split-input-file %s

!t = !graph.tensor<64xf32>
graph.func private incore @k(in %x: !t, in %s: index, out %o: !t) -> (%o)
graph.func private incore @k0()
graph.func orchestration @VC02(in %x: !t, in %s: index, out %o: !t) {
  // expected-error@+2 {{[graph-missing-directions] call of '@k' in function '@VC02' has no directions for its 3 arguments}}
  // expected-note@+1 {{run derive-call-directions first}}
  %0 = graph.call @k(%x, %s, %o) : (!t, index, !t) -> !t
  // VC11, missing
  // expected-error@+2 {{[graph-missing-directions] submit of '@k' in function '@VC02' has no directions for its 2 arguments}}
  // expected-note@+1 {{run derive-call-directions first}}
  %1, %t = graph.submit @k(%x, %s) : (!t, index) -> (!t, !graph.task_id)
  // VC12
  graph.call @k0() : () -> ()
  %t2 = graph.submit @k0() : () -> (!graph.task_id)
  graph.return
}

// -----

// VC14: a signature that says less than what is launched, also through another
// wrapper and for a window.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(out %o: !t) -> (%o)
graph.func private incore @kio(inout %o: !t) -> (%o)
// expected-error@+2 {{[graph-stale-wrapper] function '@w' of kind 'group' declares parameter '%a' 'in', but what it launches makes it 'inout'}}
// expected-note@+1 {{run derive-call-directions, or declare it 'inout'}}
graph.func group @w(in %a: !t, in %b: !t) {
  %0 = graph.call @kw(no_dep %a) : (!t) -> !t
  // expected-note@+1 {{'@kio' is passed it here}}
  %1 = graph.call @kio(inout %a) : (!t) -> !t
  graph.return
}
// expected-error@+2 {{[graph-stale-wrapper] function '@window' of kind 'spmd' declares parameter '%a' 'in', but what it launches makes it 'out'}}
// expected-note@+1 {{run derive-call-directions, or declare it 'out'}}
graph.func spmd @window(in %a: !graph.tensor<128xf32>) {
  %0 = graph.slice %a[0] [64] : !graph.tensor<128xf32> to !t
  // expected-note@+1 {{'@kw' is passed it here}}
  %1 = graph.call @kw(output_existing %0) : (!t) -> !t
  graph.return
}
