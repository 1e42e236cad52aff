// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-diagnostics -split-input-file

//===----------------------------------------------------------------------===//
// Callees
//===----------------------------------------------------------------------===//

graph.func orchestration @f() {
  // expected-error@below {{'graph.call' op unknown function '@missing'}}
  graph.call @missing() : () -> ()
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op unknown function '@missing'}}
  %t = graph.submit @missing() : () -> !graph.task_id
  graph.return
}

// -----

// expected-note@below {{it is defined here}}
func.func private @k()
graph.func orchestration @f() {
  // expected-error@below {{'graph.call' op '@k' is not a graph.func}}
  graph.call @k() : () -> ()
  graph.return
}

// -----

// expected-note@below {{it is defined here}}
module @k {
}
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op '@k' is not a graph.func}}
  %t = graph.submit @k() : () -> !graph.task_id
  graph.return
}

// -----

// A function of a nested module is another one.
module {
  graph.func private incore @k()
  module {
    graph.func orchestration @f() {
      // expected-error@below {{'graph.call' op unknown function '@k'}}
      graph.call @k() : () -> ()
      graph.return
    }
  }
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{expected attribute value}}
  graph.call f() : () -> ()
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{custom op 'graph.call' invalid kind of attribute specified}}
  graph.call @a::@b() : () -> ()
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{invalid properties {callee = @a::@b} for op graph.call: Invalid attribute `callee` in property conversion: @a::@b}}
  "graph.call"() <{callee = @a::@b}> : () -> ()
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.call' op requires attribute 'callee'}}
  "graph.call"() : () -> ()
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op requires attribute 'callee'}}
  "graph.submit"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>}> : () -> !graph.task_id
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// Functions that call themselves
//===----------------------------------------------------------------------===//

graph.func orchestration @f() {
  // expected-error@below {{'graph.call' op function '@f' of kind 'orchestration' calls itself}}
  graph.call @f() : () -> ()
  graph.return
}

// -----

graph.func graph @f() {
  // expected-error@below {{'graph.submit' op function '@f' of kind 'graph' calls itself}}
  %t = graph.submit @f() : () -> !graph.task_id
  graph.return
}

// -----

graph.func inline @f(in %c: i1) {
  scf.if %c {
    // expected-error@below {{'graph.call' op function '@f' of kind 'inline' calls itself}}
    graph.call @f(%c) : (i1) -> ()
  }
  graph.return
}

// -----

graph.func incore @f() {
  // expected-error@below {{'graph.call' op function '@f' of kind 'incore' calls itself}}
  graph.call @f() : () -> ()
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: index)
graph.func orchestration @f() {
  // expected-error@below {{'graph.call' op passes 0 arguments, but '@k' has 1 parameters}}
  graph.call @k() : () -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: index)
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{'graph.call' op passes 2 arguments, but '@k' has 1 parameters}}
  graph.call @k(%i, %i) : (index, index) -> ()
  graph.return
}

// -----

// A call is no prefix, whatever the directions.
// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(out %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{'graph.call' op passes 0 arguments, but '@k' has 1 parameters}}
  graph.call @k() : () -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: index)
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{'graph.submit' op passes 2 arguments, but '@k' has 1 parameters}}
  %t = graph.submit @k(%i, %i) : (index, index) -> !graph.task_id
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(out %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>)
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op passes 0 of 2 arguments, but the omitted parameter '%b' of '@k' is not an 'out' parameter}}
  %t = graph.submit @k() : () -> !graph.task_id
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %b: !graph.tensor<4xf32>, inout %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.submit' op passes 1 of 2 arguments, but the omitted parameter '%a' of '@k' is not an 'out' parameter}}
  %t = graph.submit @k(%x) : (!graph.tensor<4xf32>) -> !graph.task_id
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(out %a: !graph.tensor<4x?xf32>)
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op omits parameter '%a' of '@k', whose buffer has no static extents}}
  %t = graph.submit @k() : () -> !graph.task_id
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(out %a: i32)
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op omits parameter '%a' of '@k', whose buffer has no static extents}}
  %t = graph.submit @k() : () -> !graph.task_id
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: index)
graph.func orchestration @f(in %x: i32) {
  // expected-error@below {{'graph.call' op argument #0 has type 'i32', but parameter '%a' of '@k' has type 'index'}}
  graph.call @k(%x) : (i32) -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf16>) {
  // expected-error@below {{'graph.call' op argument #0 has type '!graph.tensor<4xf16>', but parameter '%a' of '@k' has type '!graph.tensor<4xf32>'}}
  graph.call @k(%x) : (!graph.tensor<4xf16>) -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4x1xf32>) {
  // expected-error@below {{'graph.call' op argument #0 has type '!graph.tensor<4x1xf32>', but parameter '%a' of '@k' has type '!graph.tensor<4xf32>'}}
  graph.call @k(%x) : (!graph.tensor<4x1xf32>) -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: !graph.tensor<?x4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4x?xf32>, in %y: !graph.tensor<4x5xf32>) {
  graph.call @k(%x) : (!graph.tensor<4x?xf32>) -> ()
  // expected-error@below {{'graph.call' op argument #0 has type '!graph.tensor<4x5xf32>', but parameter '%a' of '@k' has type '!graph.tensor<?x4xf32>'}}
  graph.call @k(%y) : (!graph.tensor<4x5xf32>) -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: !graph.task_id)
graph.func orchestration @f(in %x: !graph.array<1 x !graph.task_id>) {
  // expected-error@below {{'graph.call' op argument #0 has type '!graph.array<1 x !graph.task_id>', but parameter '%a' of '@k' has type '!graph.task_id'}}
  graph.call @k(%x) : (!graph.array<1 x !graph.task_id>) -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k() -> (i32)
graph.func orchestration @f() {
  // expected-error@below {{'graph.call' op has 0 results, but '@k' returns 1}}
  graph.call @k() : () -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k() -> (i32)
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op has 2 results, but '@k' returns 1}}
  %0:3 = graph.submit @k() : () -> (i32, i32, !graph.task_id)
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(inout %a: !graph.tensor<4xf32>) -> (%a)
graph.func orchestration @f(inout %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.call' op result #0 has type '!graph.tensor<5xf32>', but '@k' returns '!graph.tensor<4xf32>'}}
  %0 = graph.call @k(%x) : (!graph.tensor<4xf32>) -> !graph.tensor<5xf32>
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k() -> (i32)
graph.func orchestration @f() {
  // expected-error@below {{'graph.call' op result #0 has type 'i64', but '@k' returns 'i32'}}
  %0 = graph.call @k() : () -> i64
  graph.return
}

// -----

graph.func private incore @k() -> (i32)
graph.func orchestration @f() {
  // expected-error@below {{custom op 'graph.submit' the last result must be the '!graph.task_id'}}
  %0 = graph.submit @k() : () -> i32
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{custom op 'graph.submit' the last result must be the '!graph.task_id'}}
  graph.submit @k() : () -> ()
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op expected 1 or more results}}
  "graph.submit"() <{callee = @k, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>}> : () -> ()
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op result #0 must be the identity of a launched task, but got 'i32'}}
  %0 = "graph.submit"() <{callee = @k, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>}> : () -> i32
  graph.return
}

// -----

graph.func private incore @k(in %a: index)
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{custom op 'graph.call' invalid kind of type specified: expected builtin.function, but found 'index'}}
  graph.call @k(%i) : index -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: index)
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{custom op 'graph.call' number of operands and types do not match: got 1 operands and 0 types}}
  graph.call @k(%i) : () -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: index)
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{custom op 'graph.submit' number of operands and types do not match: got 1 operands and 2 types}}
  %t = graph.submit @k(%i) : (index, index) -> !graph.task_id
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{custom op 'graph.call' unknown direction 'in' (expected input, output, inout, output_existing, no_dep or scalar)}}
  graph.call @k(in %x, scalar %i) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{custom op 'graph.call' directions stand on all operands or on none}}
  graph.call @k(input %x, %i) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{custom op 'graph.call' directions stand on all operands or on none}}
  graph.call @k(%x, scalar %i) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{custom op 'graph.call' expected operand}}
  graph.call @k(input) : () -> ()
  graph.return
}

// -----

graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{custom op 'graph.call' expected operand}}
  graph.call @k(%x,) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{custom op 'graph.call' expected operand}}
  graph.call @k(input input %x) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.call' op operand #0 is a tensor but its direction is 'scalar'}}
  graph.call @k(scalar %x) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %i: index)
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{'graph.call' op operand #0 is no tensor but its direction is 'input'}}
  graph.call @k(input %i) : (index) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.call' op has 0 directions for 1 operands}}
  graph.call @k(%x) {arg_directions = []} : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.call' op has 2 directions for 1 operands}}
  "graph.call"(%x) <{arg_directions = [#graph.arg_dir<input>, #graph.arg_dir<input>], callee = @k}> : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.call' op attribute 'arg_directions' failed to satisfy constraint: directions of the operands}}
  "graph.call"(%x) <{arg_directions = [#graph.dir<in>], callee = @k}> : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(in %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.call' op argument #0 has direction 'inout', but parameter '%a' of '@k' is 'in'}}
  graph.call @k(inout %x) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(inout %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.call' op argument #0 has direction 'output', but parameter '%a' of '@k' is 'inout'}}
  graph.call @k(output %x) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

// expected-note@below {{'@k' is declared here}}
graph.func private incore @k(out %a: !graph.tensor<4xf32>)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>) {
  // expected-error@below {{'graph.submit' op argument #0 has direction 'input', but parameter '%a' of '@k' is 'out'}}
  %t = graph.submit @k(input %x) : (!graph.tensor<4xf32>) -> !graph.task_id
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// no_dep
//===----------------------------------------------------------------------===//

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{'graph.call' op no_dep index 2 is out of range; there are 2 operands}}
  graph.call @k(%x, %i) {no_dep = array<i64: 2>} : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{'graph.call' op no_dep index -1 is out of range; there are 2 operands}}
  graph.call @k(%x, %i) {no_dep = array<i64: -1>} : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{'graph.call' op no_dep index -9223372036854775808 is out of range; there are 2 operands}}
  graph.call @k(%x, %i) {no_dep = array<i64: -9223372036854775808>} : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{'graph.call' op no_dep indices must be strictly increasing}}
  graph.call @k(%x, %i) {no_dep = array<i64: 0, 0>} : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{'graph.call' op no_dep index 1 names an operand that is no tensor}}
  graph.call @k(%x, %i) {no_dep = array<i64: 1>} : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %i: index)
graph.func orchestration @f(in %x: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{custom op 'graph.call' 'graph.call' op attribute 'no_dep' failed to satisfy constraint: i64 dense array attribute}}
  graph.call @k(%x, %i) {no_dep = [0]} : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

graph.func private incore @k()
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{'graph.submit' op operand #0 must be variadic of task id or array of task ids, but got 'index'}}
  %t = graph.submit @k() deps(%i : index) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %a: !graph.array<4 x i32>) {
  // expected-error@below {{'graph.submit' op dependency #0 must be a task id or an array of task ids, got '!graph.array<4 x i32>'}}
  %t = graph.submit @k() deps(%a : !graph.array<4 x i32>) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %a: !graph.task_id) {
  // expected-error@below {{expected ':'}}
  %t = graph.submit @k() deps(%a) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{expected ':'}}
  %t = graph.submit @k() deps() : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
// expected-note@below {{prior use here}}
graph.func orchestration @f(in %n: i32) {
  // expected-error@below {{use of value '%n' expects different type than prior uses: 'index' vs 'i32'}}
  %t = graph.submit @k() core_num(%n) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %n: index, in %d: !graph.task_id) {
  // expected-error@below {{expected ':'}}
  %t = graph.submit @k() core_num(%n) deps(%d : !graph.task_id) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %a: !graph.array<4 x i32>) {
  // expected-error@below {{'graph.task_dummy' op dependency #0 must be a task id or an array of task ids, got '!graph.array<4 x i32>'}}
  %t = graph.task_dummy deps(%a : !graph.array<4 x i32>) : !graph.task_id
  graph.return
}

// -----

graph.func orchestration @f() {
  // expected-error@below {{'graph.task_dummy' op result #0 must be the identity of a launched task, but got 'index'}}
  %t = graph.task_dummy : index
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4x1xi32>, in %z: i32) {
  // expected-error@below {{custom op 'graph.submit' unknown comparison 'above' (expected eq, ne, lt, le, gt or ge)}}
  %t = graph.submit @k() predicate(%g[0, 0] above %z : !graph.tensor<4x1xi32>) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4x1xi32>, in %z: i32) {
  // expected-error@below {{'graph.submit' op expects 2 predicate indices, got 1}}
  %t = graph.submit @k() predicate(%g[0] gt %z : !graph.tensor<4x1xi32>) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4x1xi32>, in %z: i32) {
  // expected-error@below {{'graph.submit' op predicate index 1 is out of the extent 1}}
  %t = graph.submit @k() predicate(%g[0, 1] gt %z : !graph.tensor<4x1xi32>) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4x1xi32>, in %z: i32) {
  // expected-error@below {{'graph.submit' op has negative predicate indices -1}}
  %t = graph.submit @k() predicate(%g[-1, 0] gt %z : !graph.tensor<4x1xi32>) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4x1xi32>, in %z: i32) {
  // expected-error@below {{custom op 'graph.submit' integer literal out of range}}
  %t = graph.submit @k() predicate(%g[-9223372036854775808, 0] gt %z : !graph.tensor<4x1xi32>) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4x1xi32>, in %z: i32) {
  // expected-error@below {{custom op 'graph.submit' integer value too large}}
  %t = graph.submit @k() predicate(%g[9223372036854775808, 0] gt %z : !graph.tensor<4x1xi32>) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: i32, in %z: i32) {
  // expected-error@below {{custom op 'graph.submit' expected a '!graph.tensor'}}
  %t = graph.submit @k() predicate(%g[] gt %z : i32) : () -> !graph.task_id
  graph.return
}

// -----

// The right-hand side has the gate's element type.
graph.func private incore @k()
// expected-note@below {{prior use here}}
graph.func orchestration @f(in %g: !graph.tensor<4x1xi32>, in %z: i64) {
  // expected-error@below {{use of value '%z' expects different type than prior uses: 'i32' vs 'i64'}}
  %t = graph.submit @k() predicate(%g[0, 0] gt %z : !graph.tensor<4x1xi32>) : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4xi32>, in %z: i64) {
  // expected-error@below {{'graph.submit' op right-hand side of the predicate has type 'i64', the gate's elements are 'i32'}}
  %t = "graph.submit"(%g, %z) <{callee = @k, gate_comparison = #graph.cmp<eq>, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 1>, static_gate_indices = array<i64: 0>}> : (!graph.tensor<4xi32>, i64) -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4xi32>) {
  // expected-error@below {{'graph.submit' op predicate needs indices, a comparison and a right-hand side}}
  %t = "graph.submit"(%g) <{callee = @k, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> : (!graph.tensor<4xi32>) -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %i: index) {
  // expected-error@below {{'graph.submit' op has parts of a predicate but no gate}}
  %t = "graph.submit"(%i) <{callee = @k, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1, 0>}> : (index) -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op has parts of a predicate but no gate}}
  %t = "graph.submit"() <{callee = @k, gate_comparison = #graph.cmp<eq>, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>}> : () -> !graph.task_id
  graph.return
}

// -----

// More and fewer indices than dynamic ones.
graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4xi32>, in %i: index, in %z: i32) {
  // expected-error@below {{'graph.submit' op has 1 operands for 0 dynamic predicate indices}}
  %t = "graph.submit"(%g, %i, %z) <{callee = @k, gate_comparison = #graph.cmp<eq>, operandSegmentSizes = array<i32: 0, 0, 0, 1, 1, 1>, static_gate_indices = array<i64: 0>}> : (!graph.tensor<4xi32>, index, i32) -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4xi32>, in %z: i32) {
  // expected-error@below {{'graph.submit' op has 0 operands for 1 dynamic predicate indices}}
  %t = "graph.submit"(%g, %z) <{callee = @k, gate_comparison = #graph.cmp<eq>, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 1>, static_gate_indices = array<i64: -9223372036854775808>}> : (!graph.tensor<4xi32>, i32) -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f(in %g: !graph.tensor<4xi32>) {
  // expected-error@below {{'graph.submit' op operand group starting at #0 requires 0 or 1 element, but found 2}}
  %t = "graph.submit"(%g, %g) <{callee = @k, operandSegmentSizes = array<i32: 0, 0, 0, 2, 0, 0>}> : (!graph.tensor<4xi32>, !graph.tensor<4xi32>) -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{invalid properties {callee = @k, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0>} for op graph.submit: size mismatch in attribute conversion: 5 vs 6}}
  %t = "graph.submit"() <{callee = @k, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0>}> : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op 'operandSegmentSizes' attribute cannot have negative elements}}
  %t = "graph.submit"() <{callee = @k, operandSegmentSizes = array<i32: 0, 1, -1, 0, 0, 0>}> : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{'graph.submit' op operand count (0) does not match with the total size (1) specified in attribute 'operandSegmentSizes'}}
  %t = "graph.submit"() <{callee = @k, operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0>}> : () -> !graph.task_id
  graph.return
}

// -----

graph.func private incore @k()
graph.func orchestration @f() {
  // expected-error@below {{custom op 'graph.submit' 'graph.submit' op attribute 'sync_start' failed to satisfy constraint: unit attribute}}
  %t = graph.submit @k() {sync_start = true} : () -> !graph.task_id
  graph.return
}
