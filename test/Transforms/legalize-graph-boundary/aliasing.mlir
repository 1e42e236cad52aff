// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: pypto-opt %t.mlir --legalize-graph-boundary --split-input-file 2>/dev/null | diff %t.mlir -
// RUN: pypto-opt %t.mlir --verify-graph-boundary --split-input-file -o /dev/null

// Boundary tensors and kept windows of one buffer that a replay does not confuse.

// Only the launch that records decides: tensors that are told apart there stay
// apart, also when they meet later.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  // CHECK-LABEL: graph.func graph @later(
  // CHECK-SAME: in %view0: {{[^,]*}}, in %view1:
  graph.func graph @later(in %w: !w, inout %c: !l, in %li: index) {
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    %w0 = graph.slice %w[%base, 0] [128, 128] : !w to !l
    %w1 = graph.slice %w[256, 0] [128, 128] : !w to !l
    %r = graph.call @k(%w0, %w1, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @later(%w, %c, %i) : (!w, !l, index) -> ()
    }
    graph.return
  }
}

// -----

// Windows kept on two tensors that move against each other, where one starts
// behind the windows of the other when a launch records: then an order is right.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<64x128xf32>
!s = !graph.tensor<32x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !s, inout %o: !s) -> (%o)
  // CHECK-LABEL: graph.func graph @behind(
  // CHECK-SAME: attributes {graph.slots = array<i64: 1, 2, 0>}
  // CHECK: scf.for
  // CHECK: graph.slice %view0[
  // CHECK: graph.slice %w[
  graph.func graph @behind(in %w: !w, inout %c: !s, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %base = arith.muli %li, %c64 : index
    %w0 = graph.slice %w[%base, 0] [64, 128] : !w to !l
    scf.for %t = %c0 to %c2 step %c1 {
      %off = arith.muli %t, %c4 : index
      %s0 = graph.slice %w0[%off, 0] [32, 128] : !l to !s
      %s1 = graph.slice %w[%t, 0] [32, 128] : !w to !s
      %r = graph.call @k(%s0, %s1, %c) : (!s, !s, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c1 to %c4 step %c1 {
      graph.call @behind(%w, %c, %i) : (!w, !s, index) -> ()
    }
    graph.return
  }
}

// -----

// Launches at which other tensors are one buffer never replay each other, so what
// differs between them does not matter.

!l = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  graph.func graph @other(in %a: !l, in %b: !l, inout %c: !l) {
    %r = graph.call @k(%a, %b, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %a: !l, in %b: !l, inout %c: !l) {
    // expected-note @below {{the other launch is here}}
    graph.call @other(%a, %a, %c) : (!l, !l, !l) -> ()
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@other' does not replay what another launch records: '%a' and '%b' are windows of one buffer there and not here}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @other(%a, %b, %c) : (!l, !l, !l) -> ()
    graph.return
  }
}

// -----

// The same elements along other axes: half a window further, never equal.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
!f = !graph.tensor<65536xf32>
!p = !graph.tensor<16384xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !l) -> (%o)
  graph.func graph @viewed(in %w: !w, inout %c: !l, in %li: index) {
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %li, %c128 : index
    %w0 = graph.slice %w[%row, 0] [128, 128] : !w to !l
    %flat = graph.view %w [65536] : !w to !f
    %elements = arith.muli %row, %c128 : index
    %half = arith.muli %c64, %c128 : index
    %start = arith.addi %elements, %half : index
    %part = graph.slice %flat[%start] [16384] : !f to !p
    %w1 = graph.view %part [128, 128] : !p to !l
    %r = graph.call @k(%w0, %w1, %c) : (!l, !l, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !l) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      graph.call @viewed(%w, %c, %i) : (!w, !l, index) -> ()
    }
    graph.return
  }
}

// -----

// Launches that pass tensors of different shapes do not replay each other either:
// it does not matter that the two are equal at the one and not at the other.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<?x128xf32>
!p = !graph.tensor<64x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !l, in %b: !l, inout %o: !p) -> (%o)
  graph.func graph @shapes(in %a: !l, in %b: !w, inout %c: !p) {
    %r = graph.call @k(%a, %b, %c) : (!l, !w, !p) -> !p
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !p) {
    // expected-note @below {{the other launch is here}}
    graph.call @shapes(%w, %w, %c) : (!w, !w, !p) -> ()
    %a = graph.slice %w[64, 0] [64, 128] : !w to !p
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@shapes' does not replay what another launch records: the extents of '%a' are 64x128 here and 512x128 there}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @shapes(%a, %w, %c) : (!p, !w, !p) -> ()
    graph.return
  }
}
