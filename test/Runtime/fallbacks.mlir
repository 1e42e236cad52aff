// RUN: split-file %s %t
// RUN: pypto-replay %t/launches.mlir | FileCheck %t/launches.mlir
// RUN: pypto-replay %t/signatures.mlir | FileCheck %t/signatures.mlir
// RUN: %python %S/Inputs/many.py tensors 128 | pypto-replay | FileCheck %s --check-prefix=FITS
// RUN: %python %S/Inputs/many.py tensors 129 | pypto-replay | FileCheck %s --check-prefix=TENSORS
// RUN: %python %S/Inputs/many.py scalars 64 | pypto-replay | FileCheck %s --check-prefix=FITS
// RUN: %python %S/Inputs/many.py scalars 65 | pypto-replay | FileCheck %s --check-prefix=SCALARS
// RUN: %python %S/Inputs/many.py functions 16 | pypto-replay | FileCheck %s --check-prefix=FITS
// RUN: %python %S/Inputs/many.py functions 17 | pypto-replay | FileCheck %s --check-prefix=FUNCTIONS

// Launches that run as ordinary tasks: with the right results, and nothing said
// by the runtime. Here each is an event.

// FITS: agrees
// FITS-NOT: ordinary
// TENSORS: @g ran as ordinary tasks at {{.*}}: it has 129 boundary tensors, at most 128 are recorded
// SCALARS: @g ran as ordinary tasks at {{.*}}: it has 65 boundary scalars, at most 64 are recorded
// FUNCTIONS: @g15 recorded
// FUNCTIONS-NEXT: @g16 ran as ordinary tasks at {{.*}}: the cache holds 16 recordings

//--- launches.mlir
// CHECK: call 0: agrees
// CHECK-NEXT: @none ran as ordinary tasks at {{.*}}: it has no boundary tensor
// CHECK-NEXT: @g recorded
// CHECK-NEXT: @g ran as ordinary tasks at {{.*}}: it has an explicit dependency
// CHECK-NEXT: @out ran as ordinary tasks at {{.*}}: the runtime allocates one of its boundary tensors
// CHECK-NEXT: @out ran as ordinary tasks at {{.*}}: the runtime allocates one of its boundary tensors
// CHECK-NEXT: @g dropped at {{.*}}: the predicate on the launch
// CHECK-NEXT: @g replayed
graph.func private incore @k(inout %o: !graph.tensor<4xf32>)
graph.func private incore @copy(in %a: !graph.tensor<4xf32>, out %o: !graph.tensor<4xf32>)
graph.func graph @none(in %n: index) {
  graph.return
}
graph.func graph @g(inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%o) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func graph @out(in %a: !graph.tensor<4xf32>, out %o: !graph.tensor<4xf32>) -> (%o) {
  graph.call @copy(%a, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return %o : !graph.tensor<4xf32>
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>, inout %p: !graph.tensor<4xf32>, in %one: i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  graph.call @none(%c0) : (index) -> ()
  graph.call @g(%o) : (!graph.tensor<4xf32>) -> ()
  %t = graph.submit @k(%o) : (!graph.tensor<4xf32>) -> (!graph.task_id)
  %u = graph.submit @g(%o) deps(%t : !graph.task_id) : (!graph.tensor<4xf32>) -> (!graph.task_id)
  graph.call @out(input %o, output %p) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  %fresh, %v = graph.submit @out(%o) : (!graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.task_id)
  graph.call @copy(%fresh, %p) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  %w = graph.submit @g(%p) predicate(%o[0] ge %zero : !graph.tensor<4xf32>) : (!graph.tensor<4xf32>) -> (!graph.task_id)
  graph.return
}

//--- signatures.mlir
// CHECK: call 0: agrees
// CHECK-NEXT: @g recorded
// Addresses, start offsets and scalars are not part of the signature.
// CHECK-NEXT: @g replayed
// CHECK-NEXT: @g ran as ordinary tasks at {{.*}}: its signature is not the recorded one: boundary tensor 0 has shape [3, 4], recorded was [2, 4]
// CHECK-NEXT: @g ran as ordinary tasks at {{.*}}: boundary tensor 0 has strides [8, 1], recorded was [4, 1]
// CHECK-NEXT: @g ran as ordinary tasks at {{.*}}: boundary tensor 0 lies in a buffer of 32 bytes, recorded was 128
// CHECK-NEXT: @g ran as ordinary tasks at {{.*}}: boundary tensor 1 shares its buffer first with tensor 0, recorded was tensor 1
// CHECK-NEXT: @g ran as ordinary tasks at {{.*}}: boundary tensor 0 is passed as no_dep, recorded was input
// CHECK-NEXT: @g replayed
graph.func private incore @k(in %a: !graph.tensor<?x?xf32>, inout %o: !graph.tensor<?x4xf32>, in %s: index)
graph.func graph @g(in %a: !graph.tensor<?x?xf32>, inout %o: !graph.tensor<?x4xf32>, in %s: index) {
  graph.call @k(%a, %o, %s) : (!graph.tensor<?x?xf32>, !graph.tensor<?x4xf32>, index) -> ()
  graph.return
}
graph.func orchestration @main(in %a: !graph.tensor<8x4xf32>, in %b: !graph.tensor<8x4xf32>, in %wide: !graph.tensor<4x8xf32>,
                               in %small: !graph.tensor<2x4xf32>, inout %o: !graph.tensor<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = graph.slice %a[0, 0] [2, 4] : !graph.tensor<8x4xf32> to !graph.tensor<2x4xf32>
  %b1 = graph.slice %b[1, 0] [2, 4] : !graph.tensor<8x4xf32> to !graph.tensor<2x4xf32>
  %a3 = graph.slice %a[0, 0] [3, 4] : !graph.tensor<8x4xf32> to !graph.tensor<3x4xf32>
  %w = graph.slice %wide[0, 0] [2, 4] : !graph.tensor<4x8xf32> to !graph.tensor<2x4xf32>
  %o2 = graph.slice %o[0, 0] [2, 4] : !graph.tensor<8x4xf32> to !graph.tensor<2x4xf32>
  %o4 = graph.slice %o[4, 0] [2, 4] : !graph.tensor<8x4xf32> to !graph.tensor<2x4xf32>
  graph.call @g(%a0, %o2, %c0) : (!graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>, index) -> ()
  graph.call @g(%b1, %o4, %c1) : (!graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>, index) -> ()
  graph.call @g(%a3, %o2, %c0) : (!graph.tensor<3x4xf32>, !graph.tensor<2x4xf32>, index) -> ()
  graph.call @g(%w, %o2, %c0) : (!graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>, index) -> ()
  graph.call @g(%small, %o2, %c0) : (!graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>, index) -> ()
  graph.call @g(%o4, %o2, %c0) : (!graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>, index) -> ()
  graph.call @g(%a0, %o2, %c0) {no_dep = array<i64: 0>} : (!graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>, index) -> ()
  graph.call @g(%a0, %o2, %c1) : (!graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>, index) -> ()
  graph.return
}
