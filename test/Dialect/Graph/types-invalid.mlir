// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-diagnostics -split-input-file

//===----------------------------------------------------------------------===//
// !graph.tensor
//===----------------------------------------------------------------------===//

// expected-error@below {{an extent of a graph tensor must be positive or '?', got 0}}
graph.func private incore @f(in %a: !graph.tensor<0xf32>)

// -----

// expected-error@below {{an extent of a graph tensor must be positive or '?', got 0}}
graph.func private incore @f(in %a: !graph.tensor<4x0x4xf32>)

// -----

// expected-error@below {{expected non-function type}}
graph.func private incore @f(in %a: !graph.tensor<-1xf32>)

// -----

// The first number beyond 64 bits, and what the dynamic extent is inside.
// expected-error@below {{invalid dimension}}
graph.func private incore @f(in %a: !graph.tensor<9223372036854775808xf32>)

// -----

// expected-error@below {{expected non-function type}}
graph.func private incore @f(in %a: !graph.tensor<-9223372036854775808xf32>)

// -----

// expected-error@below {{a graph tensor has too many elements}}
graph.func private incore @f(in %a: !graph.tensor<9223372036854775807xf32>)

// -----

// 2^60 elements of 8 bytes would be 2^63 bytes.
// expected-error@below {{a graph tensor has too many elements}}
graph.func private incore @f(in %a: !graph.tensor<1152921504606846976xf32>)

// -----

// The product wraps to zero.
// expected-error@below {{a graph tensor has too many elements}}
graph.func private incore @f(in %a: !graph.tensor<4294967296x?x4294967296xf32>)

// -----

// expected-error@below {{a graph tensor has at most 5 dimensions, got 6}}
graph.func private incore @f(in %a: !graph.tensor<1x1x1x1x1x1xf32>)

// -----

// expected-error@below {{expected non-function type}}
graph.func private incore @f(in %a: !graph.tensor<*xf32>)

// -----

// expected-error@below {{expected 'x' in dimension list}}
graph.func private incore @f(in %a: !graph.tensor<4x4>)

// -----

// expected-error@below {{expected '<'}}
graph.func private incore @f(in %a: !graph.tensor)

// -----

// expected-error@below {{expected non-function type}}
graph.func private incore @f(in %a: !graph.tensor<>)

// -----

// expected-error@below {{invalid element type of a graph tensor: 'index' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4xindex>)

// -----

// expected-error@below {{invalid element type of a graph tensor: 'i4' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4xi4>)

// -----

// expected-error@below {{invalid element type of a graph tensor: 'i128' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4xi128>)

// -----

// expected-error@below {{invalid element type of a graph tensor: 'si32' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4xsi32>)

// -----

// expected-error@below {{invalid element type of a graph tensor: 'ui1' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4xui1>)

// -----

// expected-error@below {{invalid element type of a graph tensor: 'f80' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4xf80>)

// -----

// expected-error@below {{invalid element type of a graph tensor: 'complex<f32>' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4xcomplex<f32>>)

// -----

// expected-error@below {{invalid element type of a graph tensor: '!graph.task_id' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4x!graph.task_id>)

// -----

// expected-error@below {{invalid element type of a graph tensor: '!graph.tensor<4xf32>' (expected f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64)}}
graph.func private incore @f(in %a: !graph.tensor<4x!graph.tensor<4xf32>>)

// -----

// expected-error@below {{expected '>'}}
graph.func private incore @f(in %a: !graph.tensor<4xf32, 1>)

// -----

//===----------------------------------------------------------------------===//
// !graph.array and others
//===----------------------------------------------------------------------===//

// expected-error@below {{an array has 1 to 4294967295 elements, got 0}}
graph.func private incore @f(in %a: !graph.array<0 x !graph.task_id>)

// -----

// expected-error@below {{expected non-function type}}
graph.func private incore @f(in %a: !graph.array<-1 x !graph.task_id>)

// -----

// expected-error@below {{expected static shape}}
graph.func private incore @f(in %a: !graph.array<? x !graph.task_id>)

// -----

// expected-error@below {{an array has 1 to 4294967295 elements, got 4294967296}}
graph.func private incore @f(in %a: !graph.array<4294967296 x i32>)

// -----

// expected-error@below {{invalid dimension}}
graph.func private incore @f(in %a: !graph.array<9223372036854775808 x i32>)

// -----

// expected-error@below {{an array has one size, as in '4 x index'}}
graph.func private incore @f(in %a: !graph.array<2x3xi32>)

// -----

// expected-error@below {{an array has one size, as in '4 x index'}}
graph.func private incore @f(in %a: !graph.array<i32>)

// -----

// expected-error@below {{elements of an array are task ids or scalars, got '!graph.tensor<4xf32>'}}
graph.func private incore @f(in %a: !graph.array<4 x !graph.tensor<4xf32>>)

// -----

// expected-error@below {{elements of an array are task ids or scalars, got '!graph.array<4 x i32>'}}
graph.func private incore @f(in %a: !graph.array<4 x !graph.array<4 x i32>>)

// -----

// expected-error@below {{elements of an array are task ids or scalars, got 'tensor<4xf32>'}}
graph.func private incore @f(in %a: !graph.array<4 x tensor<4xf32>>)

// -----

// expected-error@below {{'!graph.task_id' has no parameters}}
graph.func private incore @f(in %a: !graph.task_id<4>)

// -----

// expected-error@below {{unknown  type `matrix` in dialect `graph`}}
graph.func private incore @f(in %a: !graph.matrix<4xf32>)

// -----

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// expected-error@below {{expected ::mlir::pypto::graph::Runtime to be one of: tensormap_and_ringbuffer, host_build_graph}}
// expected-error@below {{failed to parse Graph_RuntimeAttr parameter 'value' which is to be a `::mlir::pypto::graph::Runtime`}}
module attributes {graph.runtime = #graph.runtime<device_build_graph>} {
}

// -----

// expected-error@below {{'builtin.module' op attribute 'graph.runtime' must be a #graph.runtime<…> on a module}}
module attributes {graph.runtime = "host_build_graph"} {
}

// -----

// expected-error@below {{'builtin.module' op attribute 'graph.runtime' must be a #graph.runtime<…> on a module}}
module attributes {graph.runtime} {
}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.runtime' must be a #graph.runtime<…> on a module}}
graph.func private incore @f() attributes {graph.runtime = #graph.runtime<host_build_graph>}

// -----

// expected-error@below {{'builtin.module' op attribute 'graph.parallel' must be a unit attribute on an scf.for}}
module attributes {graph.parallel} {
}

// -----

graph.func orchestration @f(in %c: i1) {
  // expected-error@below {{'scf.if' op attribute 'graph.parallel' must be a unit attribute on an scf.for}}
  scf.if %c {
  } {graph.parallel}
  graph.return
}

// -----

graph.func orchestration @f(in %n: index) {
  // expected-error@below {{'scf.for' op attribute 'graph.parallel' must be a unit attribute on an scf.for}}
  scf.for %i = %n to %n step %n {
  } {graph.parallel = true}
  graph.return
}

// -----

// expected-error@below {{'builtin.module' op attribute 'graph.slots' must be an array<i64> on a graph.func}}
module attributes {graph.slots = array<i64: 0>} {
}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' must be an array<i64> on a graph.func}}
graph.func private graph @f(in %a: !graph.tensor<4xf32>) attributes {graph.slots = [0]}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' must be an array<i64> on a graph.func}}
graph.func private graph @f(in %a: !graph.tensor<4xf32>) attributes {graph.slots = array<i32: 0>}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' belongs on a function of kind 'graph'}}
graph.func private incore @f(in %a: !graph.tensor<4xf32>) attributes {graph.slots = array<i64: 0>}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' must be a permutation of the numbers of the 1 tensor parameters, got array<i64>}}
graph.func private graph @f(in %a: !graph.tensor<4xf32>, in %n: index) attributes {graph.slots = array<i64>}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' must be a permutation of the numbers of the 1 tensor parameters, got array<i64: 1>}}
graph.func private graph @f(in %a: !graph.tensor<4xf32>, in %n: index) attributes {graph.slots = array<i64: 1>}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' must be a permutation of the numbers of the 2 tensor parameters, got array<i64: 0, 0>}}
graph.func private graph @f(in %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>) attributes {graph.slots = array<i64: 0, 0>}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' must be a permutation of the numbers of the 2 tensor parameters, got array<i64: 0, 1, 0>}}
graph.func private graph @f(in %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>) attributes {graph.slots = array<i64: 0, 1, 0>}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' must be a permutation of the numbers of the 2 tensor parameters, got array<i64: -1, 0>}}
graph.func private graph @f(in %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>) attributes {graph.slots = array<i64: -1, 0>}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.slots' must be a permutation of the numbers of the 1 tensor parameters, got array<i64: -9223372036854775808>}}
graph.func private graph @f(in %a: !graph.tensor<4xf32>) attributes {graph.slots = array<i64: -9223372036854775808>}

// -----

// The attribute is looked at before the function is known to be one.
// expected-error@below {{'graph.func' op requires attribute 'function_type'}}
"graph.func"() ({}) {graph.slots = array<i64: 0>} : () -> ()

// -----

// expected-error@below {{expected ::mlir::pypto::graph::FunctionKind to be one of: opaque, orchestration, graph, incore, aic, aiv, group, spmd, inline}}
// expected-error@below {{failed to parse Graph_FunctionKindAttr parameter 'value' which is to be a `::mlir::pypto::graph::FunctionKind`}}
graph.func private incore @f() attributes {user.a = #graph.kind<kernel>}

// -----

// expected-error@below {{expected ::mlir::pypto::graph::ParamDirection to be one of: in, out, inout}}
// expected-error@below {{failed to parse Graph_ParamDirectionAttr parameter 'value' which is to be a `::mlir::pypto::graph::ParamDirection`}}
graph.func private incore @f() attributes {user.a = #graph.dir<input>}

// -----

// expected-error@below {{expected ::mlir::pypto::graph::ArgDirection to be one of: input, output, inout, output_existing, no_dep, scalar}}
// expected-error@below {{failed to parse Graph_ArgDirectionAttr parameter 'value' which is to be a `::mlir::pypto::graph::ArgDirection`}}
graph.func private incore @f() attributes {user.a = #graph.arg_dir<out>}

// -----

// expected-error@below {{expected ::mlir::pypto::graph::Comparison to be one of: eq, ne, lt, le, gt, ge}}
// expected-error@below {{failed to parse Graph_ComparisonAttr parameter 'value' which is to be a `::mlir::pypto::graph::Comparison`}}
graph.func private incore @f() attributes {user.a = #graph.cmp<equal>}

// -----

// expected-error@below {{expected ::mlir::pypto::graph::ScopeKind to be one of: graph, incore, cluster, spmd, manual, auto}}
// expected-error@below {{failed to parse Graph_ScopeKindAttr parameter 'value' which is to be a `::mlir::pypto::graph::ScopeKind`}}
graph.func private incore @f() attributes {user.a = #graph.scope_kind<aiv>}

// -----

// expected-error@below {{unknown attribute `direction` in dialect `graph`}}
graph.func private incore @f() attributes {user.a = #graph.direction<in>}

// -----

// Attributes of parameters and results on functions of others.
// expected-error@below {{'func.func' op attribute 'graph.dir' belongs on a parameter of a graph.func}}
func.func private @f(i32 {graph.dir = #graph.dir<in>})

// -----

// expected-error@below {{'func.func' op attribute 'graph.name' belongs on a parameter of a graph.func}}
func.func private @f(i32 {graph.name = "a"})

// -----

// expected-error@below {{'func.func' op attribute 'graph.tied' must be the name of a parameter on a result of a graph.func}}
func.func private @f(i32) -> (i32 {graph.tied = "a"})

// -----

// A misspelt attribute would be of no effect, without a word.

// expected-error@below {{'builtin.module' op attribute 'graph.runtme' is unknown; those of the graph dialect on operations are graph.runtime, graph.parallel and graph.slots}}
module attributes {graph.runtme = #graph.runtime<host_build_graph>} {}

// -----

func.func @typo(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@below {{'scf.for' op attribute 'graph.paralel' is unknown}}
  scf.for %i = %c0 to %n step %c1 {
  } {graph.paralel}
  return
}

// -----

// expected-error@below {{'graph.func' op attribute 'graph.direction' is unknown; those of the graph dialect on parameters are graph.dir and graph.name}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.direction = 1 : i32, graph.name = "n"}], function_type = (index) -> (), kind = #graph.kind<opaque>, sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()

// -----

// expected-error@below {{'func.func' op attribute 'graph.tie' is unknown; that of the graph dialect on results is graph.tied}}
func.func private @f(index) -> (index {graph.tie = "n"})
