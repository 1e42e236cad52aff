// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics

// Where no order of the slots is right and unrolling does not help: more windows
// than the boundary has room for.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<128x128xf32>
!s = !graph.tensor<4x128xf32>
!q = !graph.tensor<2x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !q, inout %o: !s) -> (%o)
  // expected-note @below {{of parameter '%w', which must come before the other tensors of its buffer}}
  graph.func graph @large(in %w: !w, inout %c: !s, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    // expected-note @below {{of a window hoisted from here, which must come before the other tensors of its buffer}}
    %w0 = graph.slice %w[%li, 0] [128, 128] : !w to !l
    scf.for %t = %c0 to %c100 step %c1 {
      // expected-note @below {{a window is kept here}}
      %s0 = graph.slice %w0[%t, 0] [4, 128] : !l to !s
      // expected-error @below {{[graph-boundary-alias] no order of the boundary slots of graph function '@large' is right for the windows kept in it}}
      // expected-note @below {{a kept window binds to the first boundary tensor of its buffer that starts at or before it}}
      // expected-note @below {{a window is kept here}}
      // expected-note @below {{take the windows of one of them at the launch, or unroll the loop}}
      %s1 = graph.slice %w[%t, 0] [2, 128] : !w to !q
      %r = graph.call @k(%s0, %s1, %c) : (!s, !q, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-note @below {{it is launched here}}
      graph.call @large(%w, %c, %i) : (!w, !s, index) -> ()
    }
    graph.return
  }
}

// -----

// The windows stand in a branch that may not run: the launch cannot take them,
// whatever is unrolled.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<64x128xf32>
!s = !graph.tensor<32x128xf32>
!q = !graph.tensor<16x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !q, inout %o: !s) -> (%o)
  // expected-note @below {{of parameter '%w', which must come before the other tensors of its buffer}}
  graph.func graph @branch(in %w: !w, inout %c: !s, in %d: !graph.tensor<?xf32>, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %rows = graph.dim %d, %c0 : !graph.tensor<?xf32>
    // expected-note @below {{of a window hoisted from here, which must come before the other tensors of its buffer}}
    %w0 = graph.slice %w[%li, 0] [64, 128] : !w to !l
    scf.for %t = %c0 to %c2 step %c1 {
      %off = arith.muli %t, %c32 : index
      %some = arith.cmpi ult, %t, %rows : index
      scf.if %some {
        // expected-note @below {{a window is kept here}}
        %s0 = graph.slice %w0[%off, 0] [32, 128] : !l to !s
        // expected-error @below {{[graph-boundary-alias] no order of the boundary slots of graph function '@branch' is right for the windows kept in it}}
        // expected-note @below {{a kept window binds to the first boundary tensor of its buffer that starts at or before it}}
        // expected-note @below {{a window is kept here}}
        // expected-note @below {{take the windows of one of them at the launch, or unroll the loop}}
        %s1 = graph.slice %w[%off, 0] [16, 128] : !w to !q
        %r = graph.call @k(%s0, %s1, %c) : (!s, !q, !s) -> !s
      }
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s, in %d: !graph.tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-note @below {{it is launched here}}
      graph.call @branch(%w, %c, %d, %i) : (!w, !s, !graph.tensor<?xf32>, index) -> ()
    }
    graph.return
  }
}
