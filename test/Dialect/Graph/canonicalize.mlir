// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --canonicalize --split-input-file | FileCheck %s

//===----------------------------------------------------------------------===//
// graph.alias and graph.cast
//===----------------------------------------------------------------------===//

// CHECK-LABEL: graph.func orchestration @alias
// CHECK-NEXT: graph.return %a, %t, %d, %r
graph.func orchestration @alias(inout %a: !graph.tensor<4xf32>, in %t: !graph.task_id,
                                in %d: index, in %r: !graph.array<2 x i32>)
    -> (%a, %t, %d, %r) {
  %0 = graph.alias %a : !graph.tensor<4xf32>
  %1 = graph.alias %0 : !graph.tensor<4xf32>
  %2 = graph.alias %t : !graph.task_id
  %3 = graph.alias %d : index
  %4 = graph.alias %r : !graph.array<2 x i32>
  graph.return %1, %2, %3, %4 : !graph.tensor<4xf32>, !graph.task_id, index, !graph.array<2 x i32>
}

// -----

graph.func private incore @k(inout %a: !graph.tensor<?x4xf32>)

// Casts vanish where the first says as much as the last.
// CHECK-LABEL: graph.func orchestration @casts
graph.func orchestration @casts(in %a: !graph.tensor<?x?xf32>, in %b: !graph.tensor<4x4xf32>) {
  // To the same type, and there and back.
  // CHECK-NEXT: graph.call @k(%b)
  %0 = graph.cast %b : !graph.tensor<4x4xf32> to !graph.tensor<4x4xf32>
  graph.call @k(%0) : (!graph.tensor<4x4xf32>) -> ()
  // CHECK-NEXT: graph.call @k(%b)
  %1 = graph.cast %b : !graph.tensor<4x4xf32> to !graph.tensor<?x?xf32>
  %2 = graph.cast %1 : !graph.tensor<?x?xf32> to !graph.tensor<4x4xf32>
  graph.call @k(%2) : (!graph.tensor<4x4xf32>) -> ()
  // CHECK-NEXT: %[[C:.*]] = graph.cast %a : !graph.tensor<?x?xf32> to !graph.tensor<4x4xf32>
  // CHECK-NEXT: graph.call @k(%[[C]])
  %3 = graph.cast %a : !graph.tensor<?x?xf32> to !graph.tensor<4x?xf32>
  %4 = graph.cast %3 : !graph.tensor<4x?xf32> to !graph.tensor<4x4xf32>
  graph.call @k(%4) : (!graph.tensor<4x4xf32>) -> ()
  // Contradictory claims are left alone.
  // CHECK-NEXT: %[[D:.*]] = graph.cast %b : !graph.tensor<4x4xf32> to !graph.tensor<?x4xf32>
  // CHECK-NEXT: %[[E:.*]] = graph.cast %[[D]] : !graph.tensor<?x4xf32> to !graph.tensor<5x4xf32>
  // CHECK-NEXT: graph.call @k(%[[E]])
  %5 = graph.cast %b : !graph.tensor<4x4xf32> to !graph.tensor<?x4xf32>
  %6 = graph.cast %5 : !graph.tensor<?x4xf32> to !graph.tensor<5x4xf32>
  graph.call @k(%6) : (!graph.tensor<5x4xf32>) -> ()
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// graph.dim
//===----------------------------------------------------------------------===//

// CHECK-LABEL: graph.func orchestration @dim
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[M1:.*]] = arith.constant -1 : index
// CHECK-DAG: %[[D0:.*]] = graph.dim %a, %[[C0]] : !graph.tensor<?x3xf32>
// CHECK-DAG: %[[D1:.*]] = graph.dim %a, %n : !graph.tensor<?x3xf32>
// An axis beyond the rank has no extent.
// CHECK-DAG: %[[D2:.*]] = graph.dim %a, %[[C2]] : !graph.tensor<?x3xf32>
// CHECK-DAG: %[[D3:.*]] = graph.dim %a, %[[M1]] : !graph.tensor<?x3xf32>
// A cast does not change an extent.
// CHECK: %[[D4:.*]] = graph.dim %a, %[[C0]] : !graph.tensor<?x3xf32>
// CHECK-NEXT: graph.return %[[D0]], %[[C3]], %[[D1]], %[[D2]], %[[D3]], %[[D4]]
graph.func orchestration @dim(in %a: !graph.tensor<?x3xf32>, in %n: index)
    -> (index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m1 = arith.constant -1 : index
  %0 = graph.dim %a, %c0 : !graph.tensor<?x3xf32>
  %1 = graph.dim %a, %c1 : !graph.tensor<?x3xf32>
  %2 = graph.dim %a, %n : !graph.tensor<?x3xf32>
  %3 = graph.dim %a, %c2 : !graph.tensor<?x3xf32>
  %4 = graph.dim %a, %m1 : !graph.tensor<?x3xf32>
  %5 = graph.cast %a : !graph.tensor<?x3xf32> to !graph.tensor<?x?xf32>
  %6 = graph.dim %5, %c0 : !graph.tensor<?x?xf32>
  graph.return %0, %1, %2, %3, %4, %6 : index, index, index, index, index, index
}

// -----

//===----------------------------------------------------------------------===//
// graph.create and graph.full
//===----------------------------------------------------------------------===//

// Buffers nobody uses go, also when only windows of them are taken.
// CHECK-LABEL: graph.func orchestration @dead
// CHECK-NEXT: graph.return
graph.func orchestration @dead(in %n: index, in %v: f32) {
  %0 = graph.create(%n) : !graph.tensor<?x4xf32>
  %1 = graph.full %v : !graph.tensor<4x4xf32>
  %2 = graph.slice %0[0, 0] [1, 1] : !graph.tensor<?x4xf32> to !graph.tensor<1x1xf32>
  %3 = graph.view %1 [16] : !graph.tensor<4x4xf32> to !graph.tensor<16xf32>
  %4 = graph.array.create : !graph.array<4 x index>
  %5 = graph.array.insert %n, %4[0] : !graph.array<4 x index>
  %6 = graph.read %1[0, 0] : !graph.tensor<4x4xf32>
  graph.scope manual {
    %7 = graph.create : !graph.tensor<4xf32>
  }
  graph.return
}

// -----

graph.func private incore @k(inout %a: !graph.tensor<?x?xf32>)

// CHECK-LABEL: graph.func orchestration @create
graph.func orchestration @create(in %n: index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %big = arith.constant 9223372036854775807 : index
  // CHECK: %[[A:.*]] = graph.create : !graph.tensor<4x4xf32>
  // CHECK-NEXT: %[[B:.*]] = graph.cast %[[A]] : !graph.tensor<4x4xf32> to !graph.tensor<?x?xf32>
  // CHECK-NEXT: graph.call @k(%[[B]])
  %0 = graph.create(%c4, %c4) : !graph.tensor<?x?xf32>
  graph.call @k(%0) : (!graph.tensor<?x?xf32>) -> ()
  // CHECK-NEXT: graph.create(%n) : !graph.tensor<?x4xf32>
  %1 = graph.create(%n, %c4) : !graph.tensor<?x?xf32>
  graph.call @k(%1) : (!graph.tensor<?x?xf32>) -> ()
  // No type has such extents: an error at run time, which is kept.
  // CHECK: graph.create(%{{.*}}, %n) : !graph.tensor<?x?xf32>
  %2 = graph.create(%c0, %n) : !graph.tensor<?x?xf32>
  graph.call @k(%2) : (!graph.tensor<?x?xf32>) -> ()
  // CHECK: graph.create(%{{.*}}, %n) : !graph.tensor<?x?xf32>
  %3 = graph.create(%m1, %n) : !graph.tensor<?x?xf32>
  graph.call @k(%3) : (!graph.tensor<?x?xf32>) -> ()
  // CHECK: graph.create(%{{.*}}, %{{.*}}) : !graph.tensor<?x?xf32>
  %4 = graph.create(%big, %c4) : !graph.tensor<?x?xf32>
  graph.call @k(%4) : (!graph.tensor<?x?xf32>) -> ()
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// graph.slice and graph.view
//===----------------------------------------------------------------------===//

graph.func private incore @k(inout %a: !graph.tensor<?x?xf32>)

// CHECK-LABEL: graph.func orchestration @slice_constants
graph.func orchestration @slice_constants(in %w: !graph.tensor<8x8xf32>, in %u: !graph.tensor<?x?xf32>, in %n: index) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %c9 = arith.constant 9 : index
  %big = arith.constant 9223372036854775807 : index
  // CHECK: graph.slice %w[2, %n] [2, %n] : !graph.tensor<8x8xf32> to !graph.tensor<2x?xf32>
  // CHECK-NEXT: graph.cast %{{.*}} : !graph.tensor<2x?xf32> to !graph.tensor<?x?xf32>
  %0 = graph.slice %w[%c2, %n] [%c2, %n] : !graph.tensor<8x8xf32> to !graph.tensor<?x?xf32>
  graph.call @k(%0) : (!graph.tensor<?x?xf32>) -> ()
  // Offsets and sizes that make no sense stay: what they say is an error at run time.
  // CHECK: graph.slice %w[%{{.*}}, 0] [%{{.*}}, 1] : !graph.tensor<8x8xf32> to !graph.tensor<?x1xf32>
  %1 = graph.slice %w[%m1, %c0] [%c0, 1] : !graph.tensor<8x8xf32> to !graph.tensor<?x1xf32>
  graph.call @k(%1) : (!graph.tensor<?x1xf32>) -> ()
  // CHECK: graph.slice %w[0, 0] [%{{.*}}, 1] : !graph.tensor<8x8xf32> to !graph.tensor<?x1xf32>
  %2 = graph.slice %w[0, 0] [%c9, 1] : !graph.tensor<8x8xf32> to !graph.tensor<?x1xf32>
  graph.call @k(%2) : (!graph.tensor<?x1xf32>) -> ()
  // CHECK: graph.slice %u[9223372036854775807, 0] [%{{.*}}, %{{.*}}] : !graph.tensor<?x?xf32> to !graph.tensor<?x?xf32>
  %3 = graph.slice %u[%big, 0] [%big, %c2] : !graph.tensor<?x?xf32> to !graph.tensor<?x?xf32>
  graph.call @k(%3) : (!graph.tensor<?x?xf32>) -> ()
  graph.return
}

// -----

graph.func private incore @k(inout %a: !graph.tensor<?x?xf32>)

// CHECK-LABEL: graph.func orchestration @slice_of_slice
graph.func orchestration @slice_of_slice(in %w: !graph.tensor<64x64xf32>, in %n: index) {
  // CHECK-NEXT: %[[A:.*]] = graph.slice %w[20, 5] [8, 1] : !graph.tensor<64x64xf32> to !graph.tensor<8x1xf32>
  // CHECK-NEXT: graph.call @k(%[[A]])
  %0 = graph.slice %w[16, 0] [32, 32] : !graph.tensor<64x64xf32> to !graph.tensor<32x32xf32>
  %1 = graph.slice %0[4, 5] [8, 1] : !graph.tensor<32x32xf32> to !graph.tensor<8x1xf32>
  graph.call @k(%1) : (!graph.tensor<8x1xf32>) -> ()
  // Three deep, and the offsets known only after folding.
  // CHECK-NEXT: %[[C:.*]] = graph.slice %w[23, 5] [1, 1] : !graph.tensor<64x64xf32> to !graph.tensor<1x1xf32>
  // CHECK-NEXT: %[[B:.*]] = graph.slice %w[23, 6] [1, 1] : !graph.tensor<64x64xf32> to !graph.tensor<1x1xf32>
  // CHECK-NEXT: graph.call @k(%[[B]])
  %c3 = arith.constant 3 : index
  %2 = graph.slice %1[%c3, 0] [1, 1] : !graph.tensor<8x1xf32> to !graph.tensor<1x1xf32>
  %3 = graph.slice %0[7, 6] [1, 1] : !graph.tensor<32x32xf32> to !graph.tensor<1x1xf32>
  graph.call @k(%3) : (!graph.tensor<1x1xf32>) -> ()
  // CHECK-NEXT: graph.call @k(%[[C]])
  graph.call @k(%2) : (!graph.tensor<1x1xf32>) -> ()
  // Offsets that are values, on either side, are not added up.
  // CHECK-NEXT: %[[D:.*]] = graph.slice %w[%n, 0] [32, 32]
  // CHECK-NEXT: %[[E:.*]] = graph.slice %[[D]][1, 1] [2, 2]
  // CHECK-NEXT: graph.call @k(%[[E]])
  %4 = graph.slice %w[%n, 0] [32, 32] : !graph.tensor<64x64xf32> to !graph.tensor<32x32xf32>
  %5 = graph.slice %4[1, 1] [2, 2] : !graph.tensor<32x32xf32> to !graph.tensor<2x2xf32>
  graph.call @k(%5) : (!graph.tensor<2x2xf32>) -> ()
  // CHECK-NEXT: %[[F:.*]] = graph.slice %w[16, 0] [32, 32]
  // CHECK-NEXT: %[[G:.*]] = graph.slice %[[F]][%n, 1] [2, 2]
  // CHECK-NEXT: graph.call @k(%[[G]])
  %6 = graph.slice %w[16, 0] [32, 32] : !graph.tensor<64x64xf32> to !graph.tensor<32x32xf32>
  %7 = graph.slice %6[%n, 1] [2, 2] : !graph.tensor<32x32xf32> to !graph.tensor<2x2xf32>
  graph.call @k(%7) : (!graph.tensor<2x2xf32>) -> ()
  // A window beyond the window it is of is wrong; composed, it would look right.
  // CHECK-NEXT: %[[H:.*]] = graph.slice %w[0, 0] [4, 4]
  // CHECK-NEXT: %[[I:.*]] = graph.slice %[[H]][2, 0] [4, 4]
  // CHECK-NEXT: graph.call @k(%[[I]])
  %8 = graph.slice %w[0, 0] [4, 4] : !graph.tensor<64x64xf32> to !graph.tensor<4x4xf32>
  %9 = graph.slice %8[2, 0] [4, 4] : !graph.tensor<4x4xf32> to !graph.tensor<4x4xf32>
  graph.call @k(%9) : (!graph.tensor<4x4xf32>) -> ()
  // The sum does not fit.
  // CHECK-NEXT: graph.slice %w[9223372036854775807, 0]
  // CHECK-NEXT: graph.slice %{{.*}}[1, 0]
  %10 = graph.slice %w[9223372036854775807, 0] [4, 4] : !graph.tensor<64x64xf32> to !graph.tensor<4x4xf32>
  %11 = graph.slice %10[1, 0] [2, 2] : !graph.tensor<4x4xf32> to !graph.tensor<2x2xf32>
  graph.call @k(%11) : (!graph.tensor<2x2xf32>) -> ()
  graph.return
}

// -----

graph.func private incore @k(inout %a: !graph.tensor<?x?xf32>)

// CHECK-LABEL: graph.func orchestration @view
graph.func orchestration @view(in %w: !graph.tensor<8x8xf32>, in %n: index) {
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  // CHECK: graph.view %w [4, 16] : !graph.tensor<8x8xf32> to !graph.tensor<4x16xf32>
  // CHECK-NEXT: graph.cast %{{.*}} : !graph.tensor<4x16xf32> to !graph.tensor<4x?xf32>
  %0 = graph.view %w [4, %c16] : !graph.tensor<8x8xf32> to !graph.tensor<4x?xf32>
  graph.call @k(%0) : (!graph.tensor<4x?xf32>) -> ()
  // CHECK: graph.view %w [4, %n] : !graph.tensor<8x8xf32> to !graph.tensor<4x?xf32>
  %1 = graph.view %w [%c4, %n] : !graph.tensor<8x8xf32> to !graph.tensor<?x?xf32>
  graph.call @k(%1) : (!graph.tensor<?x?xf32>) -> ()
  // Another number of elements is an error at run time, which is kept.
  // CHECK: graph.view %w [4, %{{.*}}] : !graph.tensor<8x8xf32> to !graph.tensor<4x?xf32>
  %2 = graph.view %w [4, %c4] : !graph.tensor<8x8xf32> to !graph.tensor<4x?xf32>
  graph.call @k(%2) : (!graph.tensor<4x?xf32>) -> ()
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

// CHECK-LABEL: graph.func orchestration @extract
graph.func orchestration @extract(in %t: !graph.task_id, in %u: !graph.task_id, in %v: !graph.task_id,
                                  in %arr: !graph.array<4 x !graph.task_id>, in %i: index, in %j: index) {
  %c1 = arith.constant 1 : index
  %0 = graph.array.insert %t, %arr[0] : !graph.array<4 x !graph.task_id>
  %1 = graph.array.insert %u, %0[1] : !graph.array<4 x !graph.task_id>
  // CHECK: graph.task_dummy deps(%t : !graph.task_id)
  %2 = graph.array.extract %1[0] : !graph.array<4 x !graph.task_id>
  %3 = graph.task_dummy deps(%2 : !graph.task_id) : !graph.task_id
  // CHECK: graph.task_dummy deps(%u : !graph.task_id)
  %4 = graph.array.extract %1[%c1] : !graph.array<4 x !graph.task_id>
  %5 = graph.task_dummy deps(%4 : !graph.task_id) : !graph.task_id
  // What was never inserted is not known.
  // CHECK: %[[A:.*]] = graph.array.extract %{{.*}}[2]
  // CHECK-NEXT: graph.task_dummy deps(%[[A]] : !graph.task_id)
  %6 = graph.array.extract %1[2] : !graph.array<4 x !graph.task_id>
  %7 = graph.task_dummy deps(%6 : !graph.task_id) : !graph.task_id
  // The last insert at an index counts.
  // CHECK-NEXT: graph.task_dummy deps(%v : !graph.task_id)
  %8 = graph.array.insert %v, %1[0] : !graph.array<4 x !graph.task_id>
  %9 = graph.array.extract %8[0] : !graph.array<4 x !graph.task_id>
  %10 = graph.task_dummy deps(%9 : !graph.task_id) : !graph.task_id
  // An insert at an unknown index may be any; at the same one it is this.
  // CHECK: %[[B:.*]] = graph.array.insert %v, %{{.*}}[%i]
  // CHECK-NEXT: %[[C:.*]] = graph.array.extract %[[B]][0]
  // CHECK-NEXT: graph.task_dummy deps(%[[C]] : !graph.task_id)
  %11 = graph.array.insert %v, %1[%i] : !graph.array<4 x !graph.task_id>
  %12 = graph.array.extract %11[0] : !graph.array<4 x !graph.task_id>
  %13 = graph.task_dummy deps(%12 : !graph.task_id) : !graph.task_id
  // CHECK-NEXT: graph.task_dummy deps(%v : !graph.task_id)
  %14 = graph.array.extract %11[%i] : !graph.array<4 x !graph.task_id>
  %15 = graph.task_dummy deps(%14 : !graph.task_id) : !graph.task_id
  // CHECK-NEXT: %[[D:.*]] = graph.array.extract %[[B]][%j]
  // CHECK-NEXT: graph.task_dummy deps(%[[D]] : !graph.task_id)
  %16 = graph.array.extract %11[%j] : !graph.array<4 x !graph.task_id>
  %17 = graph.task_dummy deps(%16 : !graph.task_id) : !graph.task_id
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// Tied scalar results
//===----------------------------------------------------------------------===//

graph.func private incore @s(in %a: index, out %o: !graph.tensor<4xf32>, in %b: index, out %p: !graph.tensor<4xf32>)
    -> (%b, index, %o, %a)
graph.func private incore @sink(in %a: index, in %b: index, in %c: index)
graph.func private graph @g(in %a: i32) -> (%a)

// CHECK-LABEL: graph.func orchestration @tied
graph.func orchestration @tied(in %x: index, in %y: index, inout %t: !graph.tensor<4xf32>, in %i: i32) -> (i32) {
  // CHECK-NEXT: %[[R:.*]]:4 = graph.call @s(%x, %t, %y, %t)
  %0:4 = graph.call @s(%x, %t, %y, %t)
      : (index, !graph.tensor<4xf32>, index, !graph.tensor<4xf32>) -> (index, index, !graph.tensor<4xf32>, index)
  // Only scalars: a tied tensor stands for the order of launches.
  // CHECK-NEXT: graph.call @s(%y, %[[R]]#2, %[[R]]#1, %t)
  %1:4 = graph.call @s(%0#0, %0#2, %0#1, %t)
      : (index, !graph.tensor<4xf32>, index, !graph.tensor<4xf32>) -> (index, index, !graph.tensor<4xf32>, index)
  // CHECK-NEXT: graph.call @sink(%y, %[[R]]#1, %y)
  graph.call @sink(%0#0, %0#1, %1#3) : (index, index, index) -> ()
  // A prefix of the parameters.
  // CHECK-NEXT: %[[S:.*]]:4, %{{.*}} = graph.submit @s(%x, %t, %y)
  %2:5 = graph.submit @s(%x, %t, %y)
      : (index, !graph.tensor<4xf32>, index) -> (index, index, !graph.tensor<4xf32>, index, !graph.task_id)
  // CHECK-NEXT: graph.call @sink(%y, %[[S]]#1, %x)
  graph.call @sink(%2#0, %2#1, %2#3) : (index, index, index) -> ()
  // CHECK-NEXT: graph.scope manual
  // CHECK-NEXT: graph.call @g(%i)
  // CHECK: graph.return %i
  %3 = graph.scope manual -> (i32) {
    %4 = graph.call @g(%i) : (i32) -> i32
    graph.yield %4 : i32
  }
  graph.return %i : i32
}

// -----

// Every module has its own functions: an inner one of the same name ties another
// parameter.
graph.func private incore @s(in %a: index, in %b: index) -> (%a)
// CHECK-LABEL: graph.func orchestration @outer
// CHECK: graph.return %x
graph.func orchestration @outer(in %x: index, in %y: index) -> (index) {
  %0 = graph.call @s(%x, %y) : (index, index) -> index
  graph.return %0 : index
}
module {
  graph.func private incore @s(in %a: index, in %b: index) -> (%b)
  // CHECK-LABEL: graph.func orchestration @inner
  // CHECK: graph.return %y
  graph.func orchestration @inner(in %x: index, in %y: index) -> (index) {
    %0 = graph.call @s(%x, %y) : (index, index) -> index
    graph.return %0 : index
  }
}

// -----

// A parameter that is omitted has no operand to fold to.
graph.func private incore @s(in %a: i32, out %o: !graph.tensor<4xf32>) -> (%o, %a)
// CHECK-LABEL: graph.func orchestration @omitted
// CHECK-NEXT: %[[R:.*]]:2, %{{.*}} = graph.submit @s(%x)
// CHECK-NEXT: graph.return %[[R]]#0, %x
graph.func orchestration @omitted(in %x: i32) -> (!graph.tensor<4xf32>, i32) {
  %0:3 = graph.submit @s(%x) : (i32) -> (!graph.tensor<4xf32>, i32, !graph.task_id)
  graph.return %0#0, %0#1 : !graph.tensor<4xf32>, i32
}
