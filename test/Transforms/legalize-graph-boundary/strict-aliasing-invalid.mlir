// RUN: pypto-opt %s --legalize-graph-boundary=strict-aliasing=true --split-input-file --verify-diagnostics
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o /dev/null

// Parameters of an entry are taken for different buffers, unless the option says
// not to; then what cannot be excluded is refused.

!l = !graph.tensor<128x128xf32>
!s = !graph.tensor<128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !s) -> (%o)
  // expected-note @below {{this is one of them: parameter '%x'}}
  // expected-note @below {{this is one of them: parameter '%y'}}
  graph.func graph @two(in %x: !l, in %y: !l, inout %c: !s) {
    %r = graph.call @k(%x, %y, %c) : (!l, !l, !s) -> !s
    graph.return
  }
  graph.func orchestration @main(in %a: !l, in %b: !l, inout %c: !s) {
    // expected-error @below {{[graph-boundary-alias] two tensors passed to graph function '@two' may be equal on some launches and differ on others}}
    // expected-note @below {{if they are equal at the first call, a replay uses the first one for both}}
    // expected-note @below {{pass tensors that are always equal or never, or of different shapes}}
    graph.call @two(%a, %b, %c) : (!l, !l, !s) -> ()
    graph.return
  }
}

// -----

// Nothing to confuse: the same tensor twice, windows that never meet, other
// shapes, buffers the caller made.

!w = !graph.tensor<256x128xf32>
!l = !graph.tensor<128x128xf32>
!s = !graph.tensor<128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !s) -> (%o)
  graph.func graph @two(in %x: !l, in %y: !l, inout %c: !s) {
    %r = graph.call @k(%x, %y, %c) : (!l, !l, !s) -> !s
    graph.return
  }
  graph.func graph @windows(in %w: !w, inout %c: !s, in %li: index) {
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %base = arith.muli %li, %c128 : index
    %next = arith.addi %base, %c64 : index
    %x = graph.slice %w[%base, 0] [128, 128] : !w to !l
    %y = graph.slice %w[%next, 0] [128, 128] : !w to !l
    %r = graph.call @k(%x, %y, %c) : (!l, !l, !s) -> !s
    graph.return
  }
  graph.func orchestration @main(in %a: !l, in %w: !w, inout %c: !s, in %n: index) {
    graph.call @two(%a, %a, %c) : (!l, !l, !s) -> ()
    graph.call @windows(%w, %c, %n) : (!w, !s, index) -> ()
    graph.return
  }
}
