// RUN: pypto-opt %s --convert-asc-to-linalg | FileCheck %s
// RUN: pypto-opt %s --convert-asc-to-linalg --convert-asc-to-linalg -o %t
// RUN: pypto-opt %s --convert-asc-to-linalg | diff %t -

// bf16 is widened in the loop and rounded once.
// CHECK-LABEL: graph.func incore @elementwise
// CHECK: %[[X:.*]] = graph.load %x[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<8xbf16>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[IN]] : bf16 to f32
// CHECK-NEXT: %[[E:.*]] = math.exp %[[W]] : f32
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[E]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[R]] : bf16
// CHECK: graph.store %{{.*}}, %o[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
// CHECK-NOT: asc.
graph.func incore @elementwise(in %x: !graph.tensor<8xbf16>, out %o: !graph.tensor<8xbf16>) {
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
  %1 = asc.exp "Exp_0" %0 : tensor<8xbf16>
  asc.store "Store_0" %1, %o[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
  graph.return
}

// A sum over the last axis, in 16 partial sums, then those; f32 all the way.
// CHECK-LABEL: graph.func incore @reduce
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x16xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-SAME: outs(%{{.*}} : tensor<4x16xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<4xf32>)
// CHECK: arith.divf
// CHECK: arith.truncf %{{.*}} : f32 to bf16
graph.func incore @reduce(in %x: !graph.tensor<4x64xbf16>, out %o: !graph.tensor<4x1xbf16>) {
  %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<4x64xbf16> -> tensor<4x64xbf16>
  %1 = asc.mean "Mean_0" %0 axes [1] : tensor<4x64xbf16>
  asc.store "Store_0" %1, %o[0, 0] : tensor<4x1xbf16>, !graph.tensor<4x1xbf16>
  graph.return
}

// Control edges decide the order; then they are gone.
// CHECK-LABEL: graph.func incore @order
// CHECK: graph.store %{{.*}}, %o[0]
// CHECK: graph.load %o[0]
graph.func incore @order(in %x: !graph.tensor<8xui8>, inout %o: !graph.tensor<8xui8>, out %p: !graph.tensor<8xi1>) {
  %0 = asc.load "Load_0" %o[0] after ["Store_0"] : !graph.tensor<8xui8> -> tensor<8xui8>
  %1 = asc.load "Load_1" %x[0] : !graph.tensor<8xui8> -> tensor<8xui8>
  asc.store "Store_0" %1, %o[0] : tensor<8xui8>, !graph.tensor<8xui8>
  // Unsigned comparison; i1 is stored as it is.
  // CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i8
  // CHECK: graph.store %{{.*}}, %p[0] : tensor<8xi1>, !graph.tensor<8xi1>
  %2 = asc.compare "Compare_0" lt %0, %1 : tensor<8xui8>
  asc.store "Store_1" %2, %p[0] : tensor<8xi1>, !graph.tensor<8xi1>
  graph.return
}

// Each use of an up-cast has its own, so that both can be fused.
// CHECK-LABEL: func.func @repeated
// CHECK-COUNT-2: arith.extf %{{.*}} : bf16 to f32
// CHECK: return
func.func @repeated(%x: tensor<8xbf16>) -> tensor<8xf32> {
  %0 = asc.cast "Cast_0" %x : tensor<8xbf16> to tensor<8xf32>
  %1 = asc.exp "Exp_0" %0 : tensor<8xf32>
  %2 = asc.add "Add_0" %1, %0 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// 8-bit floats are converted by integer arithmetic on their bits.
// CHECK-LABEL: func.func @tiny
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<8xf8E5M2>)
// CHECK: arith.bitcast %{{.*}} : f8E5M2 to i8
// CHECK-NOT: arith.extf
// CHECK: linalg.yield %{{.*}} : f32
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast %{{.*}} : i8 to f8E4M3FN
// CHECK: linalg.yield %{{.*}} : f8E4M3FN
// CHECK: return %{{.*}} : tensor<8xf8E4M3FN>
func.func @tiny(%x: tensor<8xf8E5M2>) -> tensor<8xf8E4M3FN> {
  %0 = asc.cast "Cast_0" %x : tensor<8xf8E5M2> to tensor<8xf32>
  %1 = asc.cast "Cast_1" %0 : tensor<8xf32> to tensor<8xf8E4M3FN>
  return %1 : tensor<8xf8E4M3FN>
}

// What no node makes is turned into what nodes become, once.
// CHECK-LABEL: func.func @from_outside
// CHECK-DAG: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : tensor<8xui8> to tensor<8xi8>
// CHECK-DAG: %[[S:.*]] = builtin.unrealized_conversion_cast %{{.*}} : ui8 to i8
// CHECK-DAG: arith.extui %{{.*}} : i1 to i8
// CHECK-NOT: unrealized_conversion_cast
// CHECK: arith.addi %{{.*}}, %[[S]] : i8
// CHECK: arith.uitofp %[[S]] : i8 to f32
// CHECK: arith.select
func.func @from_outside(%x: tensor<8xui8>, %s: ui8, %c: tensor<8xi1>) -> (tensor<8xf32>, f32) {
  %0 = asc.add "Add_0" %x, %s : tensor<8xui8>, ui8
  %1 = asc.cast "Cast_0" %s : ui8 to f32
  %2 = asc.select "Select_0" %c, %0, %x : tensor<8xi1>, tensor<8xui8>
  %3 = asc.cast "Cast_1" %2 : tensor<8xui8> to tensor<8xf32>
  return %3, %1 : tensor<8xf32>, f32
}
