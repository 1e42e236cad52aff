// RUN: pypto-opt %s --improve-precision | FileCheck %s
// RUN: pypto-opt %s --improve-precision -o %t.once
// RUN: pypto-opt %s --improve-precision --improve-precision -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: pypto-opt %s --improve-precision=preserve-shared-rounding=false | FileCheck %s --check-prefix=OFF
// RUN: pypto-opt %s --improve-precision=preserve-shared-rounding=false -o %t.once
// RUN: pypto-opt %t.once --improve-precision=preserve-shared-rounding=false | diff %t.once -

!g = !graph.tensor<8xbf16>
!h = !graph.tensor<8xf16>
!f = !graph.tensor<8xf32>
!t = tensor<8xbf16>
!u = tensor<8xf16>
!v = tensor<8xf32>

// Computation in bf16: one cast behind the load for both that compute, one in front of the store.
// CHECK-LABEL: graph.func incore @plain
// CHECK-NEXT: %[[X:.*]] = asc.load "Load_0"
// CHECK-NEXT: %[[C:.*]] = asc.cast "Exp_0_cast0" %[[X]] : tensor<8xbf16> to tensor<8xf32>
// CHECK-NEXT: %[[E:.*]] = asc.exp "Exp_0" %[[C]] : tensor<8xf32>
// CHECK-NEXT: %[[A:.*]] = asc.add "Add_0" %[[E]], %[[C]] : tensor<8xf32>
// CHECK-NEXT: %[[R:.*]] = asc.cast "Store_0_cast0" %[[A]] : tensor<8xf32> to tensor<8xbf16>
// CHECK-NEXT: asc.store "Store_0" %[[R]], %o[0]
// CHECK-NEXT: graph.return
graph.func incore @plain(in %x: !g, out %o: !g) {
  %0 = asc.load "Load_0" %x[0] : !g -> !t
  %1 = asc.exp "Exp_0" %0 : !t
  %2 = asc.add "Add_0" %1, %0 : !t
  asc.store "Store_0" %2, %o[0] : !t, !g
  graph.return
}

// A cast with a store and a computation: it stays, and the computation starts from it.
// CHECK-LABEL: graph.func incore @shared
// CHECK: %[[E:.*]] = asc.exp "Exp_0" %{{.*}} : tensor<8xf32>
// CHECK-NEXT: %[[C:.*]] = asc.cast "Cast_0" %[[E]] : tensor<8xf32> to tensor<8xbf16>
// CHECK-NEXT: asc.store "Store_0" %[[C]]
// CHECK-NEXT: %[[U:.*]] = asc.cast "Log_0_cast0" %[[C]] : tensor<8xbf16> to tensor<8xf32>
// CHECK-NEXT: %[[L:.*]] = asc.log "Log_0" %[[U]] : tensor<8xf32>
// CHECK-NEXT: asc.abs "Abs_0" %[[U]] : tensor<8xf32>
// CHECK-NEXT: asc.store "Store_1" %[[L]]
// OFF-LABEL: graph.func incore @shared
// OFF: %[[E:.*]] = asc.exp "Exp_0" %{{.*}} : tensor<8xf32>
// OFF-NEXT: %[[C:.*]] = asc.cast "Cast_0" %[[E]] : tensor<8xf32> to tensor<8xbf16>
// OFF-NEXT: asc.store "Store_0" %[[C]]
// OFF-NEXT: %[[L:.*]] = asc.log "Log_0" %[[E]] : tensor<8xf32>
// OFF-NEXT: asc.abs "Abs_0" %[[E]] : tensor<8xf32>
// OFF-NEXT: asc.store "Store_1" %[[L]]
graph.func incore @shared(in %x: !f, out %o: !g, out %p: !f) {
  %0 = asc.load "Load_0" %x[0] : !f -> !v
  %1 = asc.exp "Exp_0" %0 : !v
  %2 = asc.cast "Cast_0" %1 : !v to !t
  asc.store "Store_0" %2, %o[0] : !t, !g
  %3 = asc.log "Log_0" %2 : !t
  %4 = asc.abs "Abs_0" %2 : !t
  %5 = asc.cast "Cast_1" %3 : !t to !v
  asc.store "Store_1" %5, %p[0] : !v, !f
  graph.return
}

// One computation only: the rounding goes. One store only: it is what the store needs.
// CHECK-LABEL: graph.func incore @single
// CHECK-NEXT: %[[X:.*]] = asc.load "Load_0"
// CHECK-NEXT: %[[L:.*]] = asc.log "Log_0" %[[X]] : tensor<8xf32>
// CHECK-NEXT: asc.store "Store_0" %[[L]]
// CHECK-NEXT: %[[C:.*]] = asc.cast "Cast_2" %[[X]] : tensor<8xf32> to tensor<8xbf16>
// CHECK-NEXT: asc.store "Store_1" %[[C]]
// CHECK-NEXT: asc.store "Store_2" %[[C]]
// CHECK-NEXT: graph.return
graph.func incore @single(in %x: !f, out %o: !f, out %p: !g, out %q: !g) {
  %0 = asc.load "Load_0" %x[0] : !f -> !v
  %1 = asc.cast "Cast_0" %0 : !v to !u
  %2 = asc.cast "Cast_1" %1 : !u to !v
  %3 = asc.log "Log_0" %2 : !v
  asc.store "Store_0" %3, %o[0] : !v, !f
  %4 = asc.cast "Cast_2" %0 : !v to !t
  asc.store "Store_1" %4, %p[0] : !t, !g
  asc.store "Store_2" %4, %q[0] : !t, !g
  graph.return
}

// A node that rounds by itself, with a store and a computation.
// CHECK-LABEL: graph.func incore @implicit
// CHECK: %[[A:.*]] = asc.add "Add_0" %{{.*}}, %{{.*}} : tensor<8xf32>
// CHECK-NEXT: %[[C:.*]] = asc.cast "Store_0_cast0" %[[A]] : tensor<8xf32> to tensor<8xf16>
// CHECK-NEXT: asc.store "Store_0" %[[C]]
// CHECK-NEXT: %[[U:.*]] = asc.cast "Exp_0_cast0" %[[C]] : tensor<8xf16> to tensor<8xf32>
// CHECK-NEXT: asc.exp "Exp_0" %[[U]]
// OFF-LABEL: graph.func incore @implicit
// OFF: %[[A:.*]] = asc.add "Add_0"
// OFF: asc.exp "Exp_0" %[[A]]
graph.func incore @implicit(in %x: !h, in %y: !h, out %o: !h, out %p: !h) {
  %0 = asc.load "Load_0" %x[0] : !h -> !u
  %1 = asc.load "Load_1" %y[0] : !h -> !u
  %2 = asc.add "Add_0" %0, %1 : !u
  asc.store "Store_0" %2, %o[0] : !u, !h
  %3 = asc.exp "Exp_0" %2 : !u
  asc.store "Store_1" %3, %p[0] : !u, !h
  graph.return
}

// A loaded value is no rounding.
// CHECK-LABEL: graph.func incore @copied
// CHECK-NEXT: %[[X:.*]] = asc.load "Load_0"
// CHECK-NEXT: asc.store "Store_0" %[[X]]
// CHECK-NEXT: %[[U:.*]] = asc.cast "Exp_0_cast0" %[[X]]
// CHECK-NEXT: asc.exp "Exp_0" %[[U]]
graph.func incore @copied(in %x: !g, out %o: !g, out %p: !g) {
  %0 = asc.load "Load_0" %x[0] : !g -> !t
  asc.store "Store_0" %0, %o[0] : !t, !g
  %1 = asc.exp "Exp_0" %0 : !t
  asc.store "Store_1" %1, %p[0] : !t, !g
  graph.return
}

// A broadcast counts as computing, whatever comes after it; a transpose is looked through.
// CHECK-LABEL: graph.func incore @moves
// CHECK: %[[C:.*]] = asc.cast "Cast_0" %{{.*}} : tensor<1x8xf32> to tensor<1x8xbf16>
// CHECK-NEXT: asc.store "Store_0" %[[C]]
// CHECK-NEXT: %[[U:.*]] = asc.cast "Broadcast_0_cast0" %[[C]]
// CHECK-NEXT: %[[B:.*]] = asc.broadcast "Broadcast_0" %[[U]] : tensor<1x8xf32> to tensor<4x8xf32>
// CHECK-NEXT: %[[D:.*]] = asc.cast "Store_1_cast0" %[[B]]
// CHECK-NEXT: asc.store "Store_1" %[[D]]
// CHECK-NEXT: asc.exp "Exp_1"
// CHECK-NEXT: %[[C1:.*]] = asc.cast "Cast_1" %{{.*}} : tensor<1x8xf32> to tensor<1x8xbf16>
// CHECK-NEXT: %[[U1:.*]] = asc.cast "Transpose_0_cast0" %[[C1]]
// CHECK-NEXT: %[[T:.*]] = asc.transpose "Transpose_0" %[[U1]] [1, 0] : tensor<1x8xf32>
// CHECK-NEXT: %[[D1:.*]] = asc.cast "Store_2_cast0" %[[T]] : tensor<8x1xf32> to tensor<8x1xbf16>
// CHECK-NEXT: asc.store "Store_2" %[[D1]]
// CHECK-NEXT: asc.exp "Exp_0" %[[T]]
// CHECK-NEXT: asc.store "Store_3"
// Only a store behind a transpose.
// CHECK-NEXT: %[[T2:.*]] = asc.transpose "Transpose_1" %{{.*}} [1, 0] : tensor<1x8xf32>
// CHECK-NEXT: asc.cast "Store_4_cast0" %[[T2]]
graph.func incore @moves(in %x: !graph.tensor<1x8xf32>, out %o: !graph.tensor<1x8xbf16>, out %p: !graph.tensor<4x8xbf16>,
                         out %q: !graph.tensor<8x1xbf16>, out %r: !graph.tensor<8x1xf32>) {
  %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<1x8xf32> -> tensor<1x8xf32>
  %1 = asc.cast "Cast_0" %0 : tensor<1x8xf32> to tensor<1x8xbf16>
  asc.store "Store_0" %1, %o[0, 0] : tensor<1x8xbf16>, !graph.tensor<1x8xbf16>
  %2 = asc.broadcast "Broadcast_0" %1 : tensor<1x8xbf16> to tensor<4x8xbf16>
  asc.store "Store_1" %2, %p[0, 0] : tensor<4x8xbf16>, !graph.tensor<4x8xbf16>
  %3 = asc.exp "Exp_1" %0 : tensor<1x8xf32>
  %4 = asc.cast "Cast_1" %3 : tensor<1x8xf32> to tensor<1x8xbf16>
  %5 = asc.transpose "Transpose_0" %4 [1, 0] : tensor<1x8xbf16>
  asc.store "Store_2" %5, %q[0, 0] : tensor<8x1xbf16>, !graph.tensor<8x1xbf16>
  %6 = asc.cast "Cast_2" %5 : tensor<8x1xbf16> to tensor<8x1xf32>
  %7 = asc.exp "Exp_0" %6 : tensor<8x1xf32>
  asc.store "Store_3" %7, %r[0, 0] : tensor<8x1xf32>, !graph.tensor<8x1xf32>
  %8 = asc.cast "Cast_3" %0 : tensor<1x8xf32> to tensor<1x8xbf16>
  %9 = asc.transpose "Transpose_1" %8 [1, 0] : tensor<1x8xbf16>
  asc.store "Store_4" %9, %q[0, 0] : tensor<8x1xbf16>, !graph.tensor<8x1xbf16>
  graph.return
}

// One boundary feeds another.
// CHECK-LABEL: graph.func incore @two
// CHECK: asc.cast "Cast_0" %{{.*}} : tensor<8xf32> to tensor<8xbf16>
// CHECK: %[[U:.*]] = asc.cast "Exp_0_cast0"
// CHECK: %[[E:.*]] = asc.exp "Exp_0" %[[U]]
// CHECK: %[[D:.*]] = asc.cast "Cast_1" %[[E]] : tensor<8xf32> to tensor<8xf16>
// CHECK: asc.store "Store_1" %[[D]]
// CHECK: %[[V:.*]] = asc.cast "Cast_2" %[[D]]
// CHECK: asc.log "Log_0" %[[V]]
graph.func incore @two(in %x: !f, out %o: !g, out %p: !h, out %q: !f) {
  %0 = asc.load "Load_0" %x[0] : !f -> !v
  %1 = asc.abs "Abs_0" %0 : !v
  %2 = asc.cast "Cast_0" %1 : !v to !t
  asc.store "Store_0" %2, %o[0] : !t, !g
  %3 = asc.exp "Exp_0" %2 : !t
  %4 = asc.cast "Cast_4" %3 : !t to !v
  %5 = asc.cast "Cast_1" %4 : !v to !u
  asc.store "Store_1" %5, %p[0] : !u, !h
  %6 = asc.cast "Cast_2" %5 : !u to !v
  %7 = asc.log "Log_0" %6 : !v
  asc.store "Store_2" %7, %q[0] : !v, !f
  graph.return
}

// Chains: identities go, what is exact both ways goes, and what is not float stays.
// CHECK-LABEL: graph.func incore @chains
// CHECK-NEXT: %[[X:.*]] = asc.load "Load_0"
// CHECK-NEXT: asc.store "Store_0" %[[X]], %o
// CHECK-NEXT: %[[H:.*]] = asc.cast "Cast_4" %[[X]] : tensor<8xf32> to tensor<8xf16>
// CHECK-NEXT: %[[I:.*]] = asc.cast "Cast_5" %[[H]] : tensor<8xf16> to tensor<8xi8>
// CHECK-NEXT: asc.store "Store_1" %[[I]]
// CHECK-NEXT: %[[D:.*]] = asc.cast "Cast_7" %[[X]] : tensor<8xf32> to tensor<8xf64>
// CHECK-NEXT: asc.exp "Exp_0" %[[D]] : tensor<8xf64>
// CHECK-NEXT: asc.cast "Cast_8" %{{.*}} : tensor<8xf64> to tensor<8xf32>
// CHECK-NEXT: asc.store "Store_2"
// CHECK-NEXT: asc.cast "Cast_9" %[[X]] : tensor<8xf32> to tensor<8xbf16>
// CHECK-NEXT: asc.store "Store_3"
// CHECK-NEXT: %[[L:.*]] = asc.cast "Cast_11" %[[I]] : tensor<8xi8> to tensor<8xbf16>
// CHECK-NEXT: %[[U:.*]] = asc.cast "Abs_0_cast0" %[[L]]
// CHECK-NEXT: asc.abs "Abs_0" %[[U]] : tensor<8xf32>
// CHECK-NEXT: asc.cast "Cast_12" %{{.*}} : tensor<8xf32> to tensor<8xf8E5M2>
// CHECK-NEXT: graph.return
graph.func incore @chains(in %x: !f, out %o: !f, out %i: !graph.tensor<8xi8>, out %p: !g) {
  %0 = asc.load "Load_0" %x[0] : !f -> !v
  %1 = asc.cast "Cast_0" %0 : !v to !v
  %2 = asc.cast "Cast_1" %1 : !v to tensor<8xf64>
  %3 = asc.cast "Cast_2" %2 : tensor<8xf64> to tensor<8xf64>
  %4 = asc.cast "Cast_3" %3 : tensor<8xf64> to !v
  asc.store "Store_0" %4, %o[0] : !v, !f
  %5 = asc.cast "Cast_4" %4 : !v to !u
  %6 = asc.cast "Cast_5" %5 : !u to tensor<8xi8>
  %7 = asc.cast "Cast_6" %6 : tensor<8xi8> to tensor<8xi8>
  asc.store "Store_1" %7, %i[0] : tensor<8xi8>, !graph.tensor<8xi8>
  %8 = asc.cast "Cast_7" %0 : !v to tensor<8xf64>
  %9 = asc.exp "Exp_0" %8 : tensor<8xf64>
  %10 = asc.cast "Cast_8" %9 : tensor<8xf64> to !v
  asc.store "Store_2" %10, %o[0] : !v, !f
  %11 = asc.cast "Cast_9" %5 : !u to !t
  %12 = asc.cast "Cast_10" %11 : !t to !t
  asc.store "Store_3" %12, %p[0] : !t, !g
  %13 = asc.cast "Cast_11" %7 : tensor<8xi8> to !t
  %14 = asc.abs "Abs_0" %13 : !t
  %15 = asc.cast "Cast_13" %14 : !t to !v
  %16 = asc.cast "Cast_12" %15 : !v to tensor<8xf8E5M2>
  graph.return
}

// Constants, scalar parameters, operations with results that are no floats.
// CHECK-LABEL: graph.func incore @scalars
// CHECK: asc.scalar "Scalar_0" 1.0078125 : f32
// CHECK: %[[S:.*]] = asc.cast "Add_1_cast1" %s : bf16 to f32
// CHECK: asc.add "Add_1" %{{.*}}, %[[S]] : tensor<8xf32>, f32
// CHECK: %[[C:.*]] = asc.compare "Compare_0" lt %{{.*}}, %{{.*}} : tensor<8xf32>
// CHECK: asc.select "Select_0" %[[C]], %{{.*}}, %[[S]] : tensor<8xi1>, tensor<8xf32>, f32
// CHECK: asc.max "Max_0" %{{.*}} axes [0] : tensor<8xf32>
graph.func incore @scalars(in %x: !g, in %s: bf16, out %o: !graph.tensor<1xbf16>) {
  %0 = asc.load "Load_0" %x[0] : !g -> !t
  %1 = asc.scalar "Scalar_0" 1.01 : bf16
  %2 = asc.add "Add_0" %0, %1 : !t, bf16
  %3 = asc.add "Add_1" %2, %s : !t, bf16
  %4 = asc.compare "Compare_0" lt %3, %0 : !t
  %5 = asc.select "Select_0" %4, %3, %s : tensor<8xi1>, !t, bf16
  %6 = asc.max "Max_0" %5 axes [0] : !t
  asc.store "Store_0" %6, %o[0] : tensor<1xbf16>, !graph.tensor<1xbf16>
  graph.return
}

// Nodes that wait for a cast that goes, and casts that wait.
// CHECK-LABEL: graph.func incore @edges
// CHECK-NEXT: asc.load "Load_0"
// CHECK-NEXT: asc.load "Load_1"
// CHECK-NEXT: asc.exp "Exp_0" %{{.*}} : tensor<8xf32>
// CHECK-NEXT: asc.log "Log_0" %{{.*}} after ["Load_1"] : tensor<8xf32>
// CHECK-NEXT: asc.store "Store_0" %{{.*}}, %o[0] after ["Exp_0", "Load_1"]
// CHECK-NEXT: graph.return
graph.func incore @edges(in %x: !f, out %o: !f) {
  %0 = asc.load "Load_0" %x[0] : !f -> !v
  %1 = asc.load "Load_1" %x[0] : !f -> !v
  %2 = asc.exp "Exp_0" %0 : !v
  %3 = asc.cast "Cast_0" %2 after ["Load_1"] : !v to !t
  %4 = asc.cast "Cast_1" %3 : !t to !v
  %5 = asc.log "Log_0" %4 : !v
  asc.store "Store_0" %5, %o[0] after ["Cast_1"] : !v, !f
  graph.return
}

// A cast that is written after the first node that needs it; a name that is taken.
// CHECK-LABEL: graph.func incore @late
// CHECK-NEXT: %[[X:.*]] = asc.load "Load_0"
// CHECK-NEXT: %[[U:.*]] = asc.cast "Cast_0" %[[X]]
// CHECK-NEXT: asc.exp "Exp_0" %[[U]]
// CHECK-NEXT: asc.scalar "Store_0_cast0"
// CHECK-NEXT: asc.log "Log_0" %[[U]]
// CHECK-NEXT: asc.abs "Abs_0"
// CHECK-NEXT: asc.cast "Store_0_cast0_1"
graph.func incore @late(in %x: !g, out %o: !g) {
  %0 = asc.load "Load_0" %x[0] : !g -> !t
  %1 = asc.exp "Exp_0" %0 : !t
  %2 = asc.cast "Cast_0" %0 : !t to !v
  %3 = asc.scalar "Store_0_cast0" 1 : i8
  %4 = asc.log "Log_0" %2 : !v
  %5 = asc.cast "Cast_1" %4 : !v to !u
  %6 = asc.abs "Abs_0" %5 : !u
  asc.store "Store_0" %1, %o[0] : !t, !g
  graph.return
}

// What goes through a cast up is not rounded, however many take it: each store gets the f32 value.
// CHECK-LABEL: graph.func incore @wide_stores
// CHECK: %[[E:.*]] = asc.exp "Exp_0" %{{.*}} : tensor<8xf32>
// CHECK-NEXT: asc.store "Store_0" %[[E]], %o[0]
// CHECK-NEXT: asc.store "Store_1" %[[E]], %p[0]
// CHECK-NEXT: %[[L:.*]] = asc.log "Log_0" %[[E]]
// CHECK-NEXT: asc.store "Store_2" %[[L]], %q[0]
// CHECK-NEXT: graph.return
graph.func incore @wide_stores(in %x: !g, out %o: !f, out %p: !f, out %q: !f) {
  %0 = asc.load "Load_0" %x[0] : !g -> !t
  %1 = asc.exp "Exp_0" %0 : !t
  %2 = asc.cast "Cast_0" %1 : !t to !v
  asc.store "Store_0" %2, %o[0] : !v, !f
  asc.store "Store_1" %2, %p[0] : !v, !f
  %3 = asc.log "Log_0" %2 : !v
  asc.store "Store_2" %3, %q[0] : !v, !f
  graph.return
}

// Left alone.
// CHECK-LABEL: graph.func incore @matmul
// CHECK: asc.cast "Cast_0" %{{.*}} : tensor<8x8xbf16> to tensor<8x8xbf16>
// CHECK: asc.matmul "Matmul_0" %{{.*}} : tensor<8x8xbf16>
graph.func incore @matmul(in %x: !graph.tensor<8x8xbf16>, out %o: !graph.tensor<8x8xbf16>) {
  %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<8x8xbf16> -> tensor<8x8xbf16>
  %1 = asc.cast "Cast_0" %0 : tensor<8x8xbf16> to tensor<8x8xbf16>
  %2 = asc.matmul "Matmul_0" %1, %1 : tensor<8x8xbf16>, tensor<8x8xbf16>
  asc.store "Store_0" %2, %o[0, 0] : tensor<8x8xbf16>, !graph.tensor<8x8xbf16>
  graph.return
}

// What another operation takes keeps its type.
// CHECK-LABEL: func.func @foreign
// CHECK: %[[E:.*]] = asc.exp "Exp_0" %{{.*}} : tensor<8xf32>
// CHECK: %[[C:.*]] = asc.cast "arith.negf_cast0" %[[E]] : tensor<8xf32> to tensor<8xbf16>
// CHECK: arith.negf %[[C]] : tensor<8xbf16>
// CHECK: return %[[C]] : tensor<8xbf16>
func.func @foreign(%x: !t) -> !t {
  %0 = asc.exp "Exp_0" %x : !t
  %1 = arith.negf %0 : !t
  return %0 : !t
}
