// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-diagnostics -split-input-file

//===----------------------------------------------------------------------===//
// graph.create and graph.full
//===----------------------------------------------------------------------===//

graph.func orchestration @f() {
  // expected-error@below {{'graph.create' op has 0 sizes for 1 dynamic extents}}
  %0 = graph.create : !graph.tensor<?x4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %n: index) {
  // expected-error@below {{'graph.create' op has 1 sizes for 0 dynamic extents}}
  %0 = graph.create(%n) : !graph.tensor<4x4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %n: index) {
  // expected-error@below {{'graph.create' op has 2 sizes for 1 dynamic extents}}
  %0 = graph.create(%n, %n) : !graph.tensor<?x4xf32>
  graph.return
}

// -----

// expected-note@below {{prior use here}}
graph.func orchestration @f(in %n: i32) {
  // expected-error@below {{use of value '%n' expects different type than prior uses: 'index' vs 'i32'}}
  %0 = graph.create(%n) : !graph.tensor<?x4xf32>
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{expected ')'}}
  %0 = graph.create(4) : !graph.tensor<?x4xf32>
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.create' op result #0 must be a reference to a strided window of a device buffer, but got 'tensor<4xf32>'}}
  %0 = graph.create : tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %v: f32) {
  // expected-error@below {{'graph.full' op needs static extents, got '!graph.tensor<4x?xf32>'}}
  %0 = graph.full %v : !graph.tensor<4x?xf32>
  graph.return
}

// -----

// expected-note@below {{prior use here}}
graph.func orchestration @f(in %v: f32) {
  // expected-error@below {{use of value '%v' expects different type than prior uses: 'f16' vs 'f32'}}
  %0 = graph.full %v : !graph.tensor<4xf16>
  graph.return
}

// -----

graph.func orchestration @f(in %v: i32) {
  // expected-error@below {{'graph.full' op fills elements of type 'i8' with a value of type 'i32'}}
  %0 = "graph.full"(%v) : (i32) -> !graph.tensor<4xui8>
  graph.return
}

// -----

graph.func orchestration @f(in %v: f32) {
  // expected-error@below {{custom op 'graph.full' expected a '!graph.tensor'}}
  %0 = graph.full %v : f32
  graph.return
}

// -----

graph.func orchestration @f(in %v: f32) {
  // expected-error@below {{custom op 'graph.full' expected a '!graph.tensor'}}
  %0 = graph.full %v : memref<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %v: !graph.task_id) {
  // expected-error@below {{'graph.full' op operand #0 must be index, integer or float, but got '!graph.task_id'}}
  %0 = "graph.full"(%v) : (!graph.task_id) -> !graph.tensor<4xf32>
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// graph.slice
//===----------------------------------------------------------------------===//

graph.func orchestration @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.slice' op expects 2 offsets, got 1}}
  %0 = graph.slice %w[0] [4, 4] : !graph.tensor<4x4xf32> to !graph.tensor<4x4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.slice' op expects 2 sizes, got 1}}
  %0 = graph.slice %w[0, 0] [4] : !graph.tensor<4x4xf32> to !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.slice' op expects 2 offsets, got 3}}
  %0 = graph.slice %w[0, 0, 0] [4, 4, 4] : !graph.tensor<4x4xf32> to !graph.tensor<4x4x4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.slice' op has negative offsets -1}}
  %0 = graph.slice %w[-1] [4] : !graph.tensor<4xf32> to !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{custom op 'graph.slice' integer literal out of range}}
  %0 = graph.slice %w[-9223372036854775808] [4] : !graph.tensor<4xf32> to !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{custom op 'graph.slice' integer value too large}}
  %0 = graph.slice %w[9223372036854775808] [4] : !graph.tensor<4xf32> to !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.slice' op has non-positive sizes 0}}
  %0 = graph.slice %w[0] [0] : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.slice' op has non-positive sizes -4}}
  %0 = graph.slice %w[0] [-4] : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{custom op 'graph.slice' expected integer value}}
  %0 = graph.slice %w[0] [?] : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.slice' op result type '!graph.tensor<3xf32>' does not have the given sizes}}
  %0 = graph.slice %w[0] [2] : !graph.tensor<4xf32> to !graph.tensor<3xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>, in %n: index) {
  // expected-error@below {{'graph.slice' op result type '!graph.tensor<4xf32>' does not have the given sizes}}
  %0 = graph.slice %w[0] [%n] : !graph.tensor<4xf32> to !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.slice' op result type '!graph.tensor<?xf32>' does not have the given sizes}}
  %0 = graph.slice %w[0] [4] : !graph.tensor<4xf32> to !graph.tensor<?xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.slice' op result has element type 'f16', the source has 'f32'}}
  %0 = graph.slice %w[0] [4] : !graph.tensor<4xf32> to !graph.tensor<4xf16>
  graph.return
}

// -----

// expected-note@below {{prior use here}}
graph.func orchestration @f(in %w: !graph.tensor<4xf32>, in %n: i32) {
  // expected-error@below {{use of value '%n' expects different type than prior uses: 'index' vs 'i32'}}
  %0 = graph.slice %w[%n] [4] : !graph.tensor<4xf32> to !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{expected '['}}
  %0 = graph.slice %w 0 [4] : !graph.tensor<4xf32> to !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.slice' op has 0 operands for 1 dynamic offsets}}
  %0 = "graph.slice"(%w) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>}> : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>, in %n: index) {
  // expected-error@below {{'graph.slice' op has 1 operands for 0 dynamic offsets}}
  %0 = "graph.slice"(%w, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>}> : (!graph.tensor<4xf32>, index) -> !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.slice' op requires attribute 'static_offsets'}}
  %0 = "graph.slice"(%w) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_sizes = array<i64: 4>}> : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: i32) {
  // expected-error@below {{'graph.slice' op operand #0 must be a reference to a strided window of a device buffer, but got 'i32'}}
  %0 = "graph.slice"(%w) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_offsets = array<i64>, static_sizes = array<i64>}> : (i32) -> !graph.tensor<f32>
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// graph.view and graph.cast
//===----------------------------------------------------------------------===//

graph.func orchestration @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.view' op has 15 elements, the source has 16}}
  %0 = graph.view %w [15] : !graph.tensor<4x4xf32> to !graph.tensor<15xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.view' op expects 1 sizes, got 2}}
  %0 = graph.view %w [2, 8] : !graph.tensor<4x4xf32> to !graph.tensor<16xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.view' op result type '!graph.tensor<2x8xf32>' does not have the given sizes}}
  %0 = graph.view %w [8, 2] : !graph.tensor<4x4xf32> to !graph.tensor<2x8xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.view' op has non-positive sizes 0}}
  %0 = graph.view %w [0, 16] : !graph.tensor<4x4xf32> to !graph.tensor<?x16xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.view' op result has element type 'i32', the source has 'f32'}}
  %0 = graph.view %w [4] : !graph.tensor<4xf32> to !graph.tensor<4xi32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<1xf32>) {
  // expected-error@below {{a graph tensor has at most 5 dimensions, got 6}}
  %0 = graph.view %w [1, 1, 1, 1, 1, 1] : !graph.tensor<1xf32> to !graph.tensor<1x1x1x1x1x1xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.view' op has 0 operands for 1 dynamic sizes}}
  %0 = "graph.view"(%w) <{static_sizes = array<i64: -9223372036854775808>}> : (!graph.tensor<4xf32>) -> !graph.tensor<?xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.cast' op operand type '!graph.tensor<4xf32>' and result type '!graph.tensor<5xf32>' are cast incompatible}}
  %0 = graph.cast %w : !graph.tensor<4xf32> to !graph.tensor<5xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.cast' op operand type '!graph.tensor<4xf32>' and result type '!graph.tensor<4xi32>' are cast incompatible}}
  %0 = graph.cast %w : !graph.tensor<4xf32> to !graph.tensor<4xi32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.cast' op operand type '!graph.tensor<4xf32>' and result type '!graph.tensor<4x1xf32>' are cast incompatible}}
  %0 = graph.cast %w : !graph.tensor<4xf32> to !graph.tensor<4x1xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.cast' op result #0 must be a reference to a strided window of a device buffer, but got 'tensor<4xf32>'}}
  %0 = graph.cast %w : !graph.tensor<4xf32> to tensor<4xf32>
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// graph.dim, graph.read and graph.alias
//===----------------------------------------------------------------------===//

graph.func orchestration @f(in %w: !graph.tensor<f32>, in %n: index) {
  // expected-error@below {{'graph.dim' op source of rank 0 has no extents}}
  %0 = graph.dim %w, %n : !graph.tensor<f32>
  graph.return
}

// -----

// expected-note@below {{prior use here}}
graph.func orchestration @f(in %w: !graph.tensor<4xf32>, in %n: i32) {
  // expected-error@below {{use of value '%n' expects different type than prior uses: 'index' vs 'i32'}}
  %0 = graph.dim %w, %n : !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.read' op index 4 is out of the extent 4}}
  %0 = graph.read %w[4] : !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<?xf32>) {
  // expected-error@below {{'graph.read' op has negative indices -1}}
  %0 = graph.read %w[-1] : !graph.tensor<?xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{custom op 'graph.read' integer literal out of range}}
  %0 = graph.read %w[-9223372036854775808] : !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.read' op expects 1 indices, got 0}}
  %0 = graph.read %w[] : !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.read' op expects 1 indices, got 2}}
  %0 = graph.read %w[0, 0] : !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: index) {
  // expected-error@below {{expected a '!graph.tensor' operand}}
  %0 = graph.read %w[0] : index
  graph.return
}

// -----

graph.func orchestration @f(in %w: !graph.tensor<4xui8>) {
  // expected-error@below {{'graph.read' op inferred type(s) 'i8' are incompatible with return type(s) of operation 'ui8'}}
  // expected-error@below {{'graph.read' op failed to infer returned types}}
  %0 = "graph.read"(%w) <{static_indices = array<i64: 0>}> : (!graph.tensor<4xui8>) -> ui8
  graph.return
}

// -----

graph.func orchestration @f(in %w: tensor<4xf32>) {
  // expected-error@below {{'graph.read' op operand #0 must be a reference to a strided window of a device buffer, but got 'tensor<4xf32>'}}
  %0 = "graph.read"(%w) <{static_indices = array<i64: 0>}> : (tensor<4xf32>) -> f32
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.read' op expected 1 or more operands, but found 0}}
  %0 = "graph.read"() <{static_indices = array<i64: 0>}> : () -> f32
  graph.return
}

// -----

graph.func orchestration @f(in %w: tensor<4xf32>) {
  // expected-error@below {{'graph.alias' op operand #0 must be a reference to a strided window of a device buffer or index, integer or float or the identity of a launched task or a fixed-size array of task ids or scalars, but got 'tensor<4xf32>'}}
  %0 = graph.alias %w : tensor<4xf32>
  graph.return
}

// -----

graph.func orchestration @f(in %w: index) {
  // expected-error@below {{'graph.alias' op requires the same type for all operands and results}}
  %0 = "graph.alias"(%w) : (index) -> i32
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

graph.func orchestration @f() {
  // expected-error@below {{'graph.array.create' op result #0 must be a fixed-size array of task ids or scalars, but got '!graph.task_id'}}
  %0 = graph.array.create : !graph.task_id
  graph.return
}

// -----

graph.func orchestration @f(in %t: !graph.task_id, in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.insert' op index 4 is out of the extent 4}}
  %0 = graph.array.insert %t, %a[4] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

graph.func orchestration @f(in %t: !graph.task_id, in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.insert' op has negative indices -1}}
  %0 = graph.array.insert %t, %a[-1] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

graph.func orchestration @f(in %t: !graph.task_id, in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.insert' op expects 1 indices, got 2}}
  %0 = graph.array.insert %t, %a[0, 1] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

graph.func orchestration @f(in %t: !graph.task_id, in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.insert' op expects 1 indices, got 0}}
  %0 = graph.array.insert %t, %a[] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

// expected-note@below {{prior use here}}
graph.func orchestration @f(in %t: index, in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{use of value '%t' expects different type than prior uses: '!graph.task_id' vs 'index'}}
  %0 = graph.array.insert %t, %a[0] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

graph.func orchestration @f(in %t: !graph.task_id, in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.insert' op failed to verify that all of {array, result} have same type}}
  %0 = "graph.array.insert"(%t, %a) <{static_index = array<i64: 0>}> : (!graph.task_id, !graph.array<4 x !graph.task_id>) -> !graph.array<5 x !graph.task_id>
  graph.return
}

// -----

graph.func orchestration @f(in %t: !graph.task_id, in %a: !graph.task_id) {
  // expected-error@below {{'graph.array.insert' op operand #1 must be a fixed-size array of task ids or scalars, but got '!graph.task_id'}}
  %0 = "graph.array.insert"(%t, %a) <{static_index = array<i64: 0>}> : (!graph.task_id, !graph.task_id) -> !graph.task_id
  graph.return
}

// -----

graph.func orchestration @f(in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.extract' op index 4 is out of the extent 4}}
  %0 = graph.array.extract %a[4] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

graph.func orchestration @f(in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.extract' op index 9223372036854775807 is out of the extent 4}}
  %0 = graph.array.extract %a[9223372036854775807] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

graph.func orchestration @f(in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.extract' op has negative indices -9223372036854775807}}
  %0 = graph.array.extract %a[-9223372036854775807] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

graph.func orchestration @f(in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.extract' op failed to verify that result has the element type}}
  %0 = "graph.array.extract"(%a) <{static_index = array<i64: 0>}> : (!graph.array<4 x !graph.task_id>) -> index
  graph.return
}

// -----

graph.func orchestration @f(in %a: !graph.task_id) {
  // expected-error@below {{'graph.array.extract' op operand #0 must be a fixed-size array of task ids or scalars, but got '!graph.task_id'}}
  %0 = "graph.array.extract"(%a) <{static_index = array<i64: 0>}> : (!graph.task_id) -> index
  graph.return
}

// -----

graph.func orchestration @f(in %a: !graph.array<4 x !graph.task_id>) {
  // expected-error@below {{'graph.array.extract' op has 0 operands for 1 dynamic indices}}
  %0 = "graph.array.extract"(%a) <{static_index = array<i64: -9223372036854775808>}> : (!graph.array<4 x !graph.task_id>) -> !graph.task_id
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// graph.load and graph.store
//===----------------------------------------------------------------------===//

graph.func incore @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.load' op expects 2 offsets, got 1}}
  %0 = graph.load %w[0] : !graph.tensor<4x4xf32> -> tensor<4x4xf32>
  graph.return
}

// -----

graph.func incore @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.load' op has negative offsets -1}}
  %0 = graph.load %w[0, -1] : !graph.tensor<4x4xf32> -> tensor<4x4xf32>
  graph.return
}

// -----

graph.func incore @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.load' op tile has rank 1, the tensor has rank 2}}
  %0 = graph.load %w[0, 0] : !graph.tensor<4x4xf32> -> tensor<16xf32>
  graph.return
}

// -----

graph.func incore @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'graph.load' op tile has element type 'f16', the tensor has 'f32'}}
  %0 = graph.load %w[0, 0] : !graph.tensor<4x4xf32> -> tensor<4x4xf16>
  graph.return
}

// -----

graph.func incore @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{custom op 'graph.load' invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = graph.load %w[0, 0] : !graph.tensor<4x4xf32> -> tensor<*xf32>
  graph.return
}

// -----

graph.func incore @f(in %w: !graph.tensor<4x4xf32>) {
  // expected-error@below {{custom op 'graph.load' invalid kind of type specified: expected builtin.tensor, but found '!graph.tensor<4x4xf32>'}}
  %0 = graph.load %w[0, 0] : !graph.tensor<4x4xf32> -> !graph.tensor<4x4xf32>
  graph.return
}

// -----

// expected-note@below {{prior use here}}
graph.func incore @f(inout %o: !graph.tensor<4xf32>, in %n: i32) {
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error@below {{use of value '%n' expects different type than prior uses: 'index' vs 'i32'}}
  graph.store %0, %o[%n] : tensor<4xf32>, !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func incore @f(inout %o: !graph.tensor<4xf32>) {
  %0 = arith.constant dense<0.0> : tensor<4x1xf32>
  // expected-error@below {{'graph.store' op tile has rank 2, the tensor has rank 1}}
  graph.store %0, %o[0] : tensor<4x1xf32>, !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func incore @f(inout %o: !graph.tensor<4xui8>) {
  %0 = arith.constant dense<0> : tensor<4xi16>
  // expected-error@below {{'graph.store' op tile has element type 'i16', the tensor has 'ui8'}}
  graph.store %0, %o[0] : tensor<4xi16>, !graph.tensor<4xui8>
  graph.return
}

// -----

graph.func incore @f(inout %o: !graph.tensor<4xf32>) {
  // expected-error@below {{custom op 'graph.store' invalid kind of type specified: expected builtin.tensor, but found '!graph.tensor<4xf32>'}}
  graph.store %o, %o[0] : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// graph.scope and graph.yield
//===----------------------------------------------------------------------===//

graph.func orchestration @f() {
  // expected-error@below {{custom op 'graph.scope' unknown scope kind 'kernel' (expected graph, incore, cluster, spmd, manual or auto)}}
  graph.scope kernel {
  }
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.scope' op of kind 'graph' needs a name: it names the recording}}
  graph.scope graph {
  }
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.scope' op of kind 'graph' needs a name: it names the recording}}
  graph.scope graph "" {
  }
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{expected '{' to begin a region}}
  graph.scope manual
  graph.return
}

// -----

graph.func orchestration @f(in %n: index) {
  // expected-error@below {{'graph.scope' op of kind 'manual' takes no deps, core_num or predicate}}
  graph.scope manual core_num(%n) {
  }
  graph.return
}

// -----

graph.func orchestration @f(in %t: !graph.task_id) {
  // expected-error@below {{'graph.scope' op of kind 'auto' takes no deps, core_num or predicate}}
  graph.scope auto deps(%t : !graph.task_id) {
  }
  graph.return
}

// -----

graph.func orchestration @f(in %g: !graph.tensor<4xf32>, in %z: f32) {
  // expected-error@below {{'graph.scope' op of kind 'auto' takes no deps, core_num or predicate}}
  graph.scope auto predicate(%g[0] eq %z : !graph.tensor<4xf32>) {
  }
  graph.return
}

// -----

graph.func orchestration @f(in %g: !graph.tensor<4xf32>, in %z: f32) {
  // expected-error@below {{'graph.scope' op predicate index 4 is out of the extent 4}}
  graph.scope incore predicate(%g[4] eq %z : !graph.tensor<4xf32>) {
  }
  graph.return
}

// -----

graph.func orchestration @f(in %t: !graph.array<4 x i32>) {
  // expected-error@below {{'graph.scope' op dependency #0 must be a task id or an array of task ids, got '!graph.array<4 x i32>'}}
  graph.scope incore deps(%t : !graph.array<4 x i32>) {
  }
  graph.return
}

// -----

graph.func orchestration @f(in %x: index) {
  // expected-error@below {{'graph.scope' op has 1 results, but its region yields 0 values}}
  %0 = graph.scope manual -> (index) {
  }
  graph.return
}

// -----

graph.func orchestration @f(in %x: index) {
  // expected-error@below {{'graph.scope' op along control flow edge from Operation graph.yield to parent: region branch point has 1 operands, but region successor needs 0 inputs}}
  graph.scope manual {
    // expected-note@below {{region branch point}}
    graph.yield %x : index
  }
  graph.return
}

// -----

graph.func orchestration @f(in %x: index) {
  // expected-error@below {{'graph.scope' op along control flow edge from Operation graph.yield to parent: successor operand type #0 'index' should match successor input type #0 'i32'}}
  %0 = graph.scope manual -> (i32) {
    // expected-note@below {{region branch point}}
    graph.yield %x : index
  }
  graph.return
}

// -----

graph.func orchestration @f(in %x: index) {
  // expected-error@below {{'graph.scope' op has 3 results, but its region yields 1 values}}
  %0:3 = graph.scope incore -> (index, !graph.task_id, !graph.task_id) {
    graph.yield %x : index
  }
  graph.return
}

// -----

// Only launches have task ids.
graph.func orchestration @f() {
  // expected-error@below {{'graph.scope' op of kind 'auto' has no task id}}
  %0 = graph.scope auto -> (!graph.task_id) {
  }
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.scope' op of kind 'graph' has no task id}}
  %0 = graph.scope graph "g" -> (!graph.task_id) {
  }
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.scope' op region should have no arguments}}
  graph.scope manual {
  ^bb0(%x: index):
  }
  graph.return
}

// -----

graph.func orchestration @f() {
  graph.scope manual {
    // expected-error@below {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
    scf.yield
  }
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.scope' op expects region #0 to have 0 or 1 blocks}}
  graph.scope manual {
    graph.yield
  ^bb1:
    graph.yield
  }
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.scope' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "graph.scope"() <{kind = #graph.scope_kind<manual>, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0>}> ({}) : () -> ()
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.scope' op requires attribute 'kind'}}
  "graph.scope"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0>}> ({
    "graph.yield"() : () -> ()
  }) : () -> ()
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.yield' op expects parent op 'graph.scope'}}
  graph.yield
  graph.return
}

// -----

graph.func orchestration @f(in %c: i1) {
  graph.scope manual {
    scf.if %c {
      // expected-error@below {{'graph.yield' op expects parent op 'graph.scope'}}
      graph.yield
    }
  }
  graph.return
}
