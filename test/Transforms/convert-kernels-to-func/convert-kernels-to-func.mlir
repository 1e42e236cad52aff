// RUN: pypto-opt %s --convert-kernels-to-func | FileCheck %s
// RUN: pypto-opt %s --convert-kernels-to-func=strided=true | FileCheck %s --check-prefix=STRIDED

// CHECK-LABEL: func.func @copy(
// CHECK-SAME: %[[X:.*]]: memref<8x4xf32>, %[[O:.*]]: memref<8x4xf32>) attributes {llvm.emit_c_interface}
// CHECK-NEXT: %[[T:.*]] = bufferization.to_tensor %[[X]] restrict
// CHECK-NEXT: bufferization.materialize_in_destination %[[T]] in restrict writable %[[O]]
// CHECK-NEXT: return
// STRIDED: func.func @copy(%{{.*}}: memref<8x4xf32, strided<[?, ?], offset: ?>>
graph.func incore @copy(in %x: !graph.tensor<8x4xf32>, inout %o: !graph.tensor<8x4xf32>) -> (%o) {
  %0 = graph.load %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
  graph.store %0, %o[0, 0] : tensor<8x4xf32>, !graph.tensor<8x4xf32>
  graph.return %o : !graph.tensor<8x4xf32>
}

// What is loaded from a tensor that is stored to is copied, and so is what is stored.
// CHECK-LABEL: func.func @update(
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<2x4xf32>
// CHECK: memref.copy %{{.*}}, %[[COPY]]
// CHECK: bufferization.to_tensor %[[COPY]] restrict
// CHECK-NOT: materialize_in_destination
// CHECK: bufferization.to_buffer %{{.*}} read_only
// CHECK: memref.copy
graph.func incore @update(inout %o: !graph.tensor<?x4xf32>, in %i: index) {
  %0 = graph.load %o[%i, 0] : !graph.tensor<?x4xf32> -> tensor<2x4xf32>
  graph.store %0, %o[0, 0] : tensor<2x4xf32>, !graph.tensor<?x4xf32>
  graph.return
}

// Not a kernel.
// CHECK-LABEL: graph.func private incore @declared
graph.func private incore @declared(in %x: !graph.tensor<8x4xf32>)
