// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o %t.once
// RUN: FileCheck %s --input-file %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary --split-input-file | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary --split-input-file -o /dev/null
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --remark-format=emitRemark --remarks-filter=graph-boundary -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Windows kept on two tensors of one buffer that move against each other, where
// no order of the slots is right: the loop is unrolled and the launch takes the
// windows. Shapes differ, so none is taken for another.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<64x128xf32>
!s = !graph.tensor<32x128xf32>
!q = !graph.tensor<16x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, in %b: !q, inout %o: !s, in %t: index) -> (%o)
  // CHECK-LABEL: graph.func graph @both(
  // CHECK-SAME: in %li: index, in %view0: !graph.tensor<32x128xf32>, in %view1: !graph.tensor<16x128xf32>, in %view2: !graph.tensor<32x128xf32>, in %view3: !graph.tensor<16x128xf32>) {
  // CHECK-NOT: scf.for
  // CHECK: %c2 = arith.constant
  // CHECK-NEXT: %[[T0:.*]] = arith.constant 0 : index
  // CHECK-NEXT: %[[R:.*]] = graph.call @k(%view0, %view1, %c, %[[T0]])
  // CHECK-NEXT: %[[T1:.*]] = arith.constant 1 : index
  // CHECK-NEXT: graph.call @k(%view2, %view3, %[[R]], %[[T1]])
  // CHECK: graph.return
  // REMARK: remark: [Passed] UnrolledLoop{{.*}}Iterations=2
  graph.func graph @both(in %w: !w, inout %c: !s, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %base = arith.muli %li, %c64 : index
    %w0 = graph.slice %w[%base, 0] [64, 128] : !w to !l
    %sum = scf.for %t = %c0 to %c2 step %c1 iter_args(%x = %c) -> (!s) {
      %off = arith.muli %t, %c32 : index
      %s0 = graph.slice %w0[%off, 0] [32, 128] : !l to !s
      %s1 = graph.slice %w[%off, 0] [16, 128] : !w to !q
      %r = graph.call @k(%s0, %s1, %x, %t) : (!s, !q, !s, index) -> !s
      scf.yield %r : !s
    }
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK: scf.for
  // CHECK-COUNT-5: graph.slice
  // CHECK: graph.call @both(
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @both(%w, %c, %i) : (!w, !s, index) -> ()
    }
    graph.return
  }
}

// -----

// The loops that the windows of one of the tensors depend on are unrolled, from the
// inside; one around them that only repeats the tasks stays, and so does one whose
// windows are of the other tensor.

!w = !graph.tensor<512x128xf32>
!l = !graph.tensor<64x128xf32>
!s = !graph.tensor<16x128xf32>
!q = !graph.tensor<8x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !s, inout %o: !s) -> (%o)
  graph.func private incore @kq(in %a: !q, inout %o: !s) -> (%o)
  // CHECK-LABEL: graph.func graph @nest(
  // CHECK: scf.for
  // CHECK-NOT: graph.slice
  // CHECK-COUNT-4: graph.call @k(%view
  // CHECK-NOT: graph.call
  // CHECK: scf.for
  // CHECK-NEXT: graph.slice %w[
  // CHECK-NEXT: graph.call @kq
  // CHECK: graph.return
  // REMARK: remark: [Passed] UnrolledLoop{{.*}}Iterations=2
  // REMARK: remark: [Passed] UnrolledLoop{{.*}}Iterations=2
  // REMARK-NOT: UnrolledLoop
  graph.func graph @nest(in %w: !w, inout %c: !s, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %base = arith.muli %li, %c32 : index
    %w0 = graph.slice %w[%base, 0] [64, 128] : !w to !l
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %t = %c0 to %c2 step %c1 {
        %row = arith.muli %t, %c32 : index
        scf.for %u = %c0 to %c2 step %c1 {
          %more = arith.muli %u, %c16 : index
          %off = arith.addi %row, %more : index
          %s0 = graph.slice %w0[%off, 0] [16, 128] : !l to !s
          %r = graph.call @k(%s0, %c) : (!s, !s) -> !s
        }
      }
    }
    scf.for %i = %c0 to %c3 step %c1 {
      %v = graph.slice %w[%i, 0] [8, 128] : !w to !q
      %r = graph.call @kq(%v, %c) : (!q, !s) -> !s
    }
    graph.return
  }
  graph.func orchestration @main(in %w: !w, inout %c: !s) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @nest(%w, %c, %i) : (!w, !s, index) -> ()
    }
    graph.return
  }
}
