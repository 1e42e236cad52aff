// RUN: pypto-opt %s --improve-precision=blacklist=exp,asc.div | FileCheck %s
// RUN: pypto-opt %s --improve-precision=blacklist=exp,div -o %t.once
// RUN: pypto-opt %t.once --improve-precision=blacklist=exp,div | diff %t.once -

// A node that keeps its type gets and gives it.
// CHECK-LABEL: graph.func incore @some
// CHECK-NEXT: %[[X:.*]] = asc.load "Load_0"
// CHECK-NEXT: %[[E:.*]] = asc.exp "Exp_0" %[[X]] : tensor<8xbf16>
// CHECK-NEXT: %[[U:.*]] = asc.cast "Abs_0_cast0" %[[E]]
// CHECK-NEXT: %[[A:.*]] = asc.abs "Abs_0" %[[U]] : tensor<8xf32>
// CHECK-NEXT: %[[S:.*]] = asc.scalar "Scalar_0" 3.000000e+00 : bf16
// CHECK-NEXT: %[[C:.*]] = asc.cast "Div_0_cast0" %[[A]]
// CHECK-NEXT: %[[D:.*]] = asc.div "Div_0" %[[C]], %[[S]] : tensor<8xbf16>, bf16
// CHECK-NEXT: asc.store "Store_0" %[[D]]
graph.func incore @some(in %x: !graph.tensor<8xbf16>, out %o: !graph.tensor<8xbf16>) {
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
  %1 = asc.exp "Exp_0" %0 : tensor<8xbf16>
  %2 = asc.abs "Abs_0" %1 : tensor<8xbf16>
  %3 = asc.scalar "Scalar_0" 3.0 : bf16
  %4 = asc.div "Div_0" %2, %3 : tensor<8xbf16>, bf16
  asc.store "Store_0" %4, %o[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
  graph.return
}

// Nothing else computes: the cast stays, too.
// CHECK-LABEL: graph.func incore @whole
// CHECK: asc.cast "Cast_0"
// CHECK: asc.cast "Cast_1"
// CHECK: asc.exp "Exp_0" %{{.*}} : tensor<8xf32>
graph.func incore @whole(in %x: !graph.tensor<8xf32>, out %o: !graph.tensor<8xf32>) {
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  %1 = asc.cast "Cast_0" %0 : tensor<8xf32> to tensor<8xbf16>
  %2 = asc.cast "Cast_1" %1 : tensor<8xbf16> to tensor<8xf32>
  %3 = asc.exp "Exp_0" %2 : tensor<8xf32>
  asc.store "Store_0" %3, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
  graph.return
}
