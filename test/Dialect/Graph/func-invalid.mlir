// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-diagnostics -split-input-file

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

// expected-error@below {{custom op 'graph.func' unknown function kind 'kernel' (expected opaque, orchestration, graph, incore, aic, aiv, group, spmd or inline)}}
graph.func private kernel @f()

// -----

// expected-error@below {{custom op 'graph.func' expected the kind of the function}}
graph.func private @f()

// -----

// expected-error@below {{custom op 'graph.func' expected valid '@'-identifier for symbol name}}
graph.func private incore f()

// -----

// expected-error@below {{expected '('}}
graph.func private incore @f

// -----

// expected-error@below {{custom op 'graph.func' expected the direction of a parameter (in, out or inout)}}
graph.func private incore @f(%a: index)

// -----

// expected-error@below {{custom op 'graph.func' unknown direction 'input' (expected in, out or inout)}}
graph.func private incore @f(input %a: index)

// -----

// expected-error@below {{expected SSA operand}}
graph.func private incore @f(in a: index)

// -----

// expected-error@below {{expected ':'}}
graph.func private incore @f(in %a)

// -----

// expected-error@below {{expected non-function type}}
graph.func private incore @f(in %a: )

// -----

// expected-error@below {{custom op 'graph.func' duplicate parameter name '%a'}}
graph.func private incore @f(in %a: index, inout %a: !graph.tensor<4xf32>)

// -----

// A number is no name; the name it gets is taken.
// expected-error@below {{custom op 'graph.func' duplicate parameter name '%_0'}}
graph.func private incore @f(in %_0: index, in %0: index)

// -----

// expected-error@below {{result number not allowed in argument list}}
graph.func private incore @f(in %a#1: index)

// -----

// expected-error@below {{custom op 'graph.func' attribute 'graph.dir' is part of the signature}}
graph.func private incore @f(in %a: index {graph.dir = #graph.dir<out>})

// -----

// expected-error@below {{custom op 'graph.func' attribute 'graph.name' must be a string}}
graph.func private incore @f(in %a: index {graph.name = 1 : i32})

// -----

// expected-error@below {{custom op 'graph.func' duplicate parameter name '%b'}}
graph.func private incore @f(in %a: index {graph.name = "b"}, in %b: index)

// -----

// expected-error@below {{'graph.func' op parameter #0 has an invalid name 'b c'}}
graph.func private incore @f(in %a: index {graph.name = "b c"})

// -----

// expected-error@below {{custom op 'graph.func' tied result '%b' is no parameter of the function}}
graph.func private incore @f(in %a: index) -> (%b)

// -----

// expected-error@below {{result number not allowed in argument list}}
graph.func private incore @f(in %a: index) -> (%a#0)

// -----

// expected-error@below {{custom op 'graph.func' attribute 'graph.tied' is part of the signature}}
graph.func private incore @f(in %a: index) -> (%a {graph.tied = "a"})

// -----

// expected-error@below {{custom op 'graph.func' attribute 'graph.tied' is part of the signature}}
graph.func private incore @f(in %a: index) -> (index {graph.tied = "a"})

// -----

// expected-error@below {{expected '('}}
graph.func private incore @f(in %a: index) -> index

// -----

// expected-error@below {{expected non-function type}}
graph.func private incore @f(in %a: index) -> (a)

// -----

// expected-error@below {{custom op 'graph.func' attribute 'sym_name' is part of the signature}}
graph.func private incore @f() attributes {sym_name = "g"}

// -----

// expected-error@below {{custom op 'graph.func' attribute 'sym_visibility' is part of the signature}}
graph.func incore @f() attributes {sym_visibility = "private"}

// -----

// expected-error@below {{custom op 'graph.func' attribute 'function_type' is part of the signature}}
graph.func private incore @f() attributes {function_type = () -> ()}

// -----

// expected-error@below {{custom op 'graph.func' attribute 'kind' is part of the signature}}
graph.func private incore @f() attributes {kind = #graph.kind<aiv>}

// -----

// expected-error@below {{custom op 'graph.func' attribute 'arg_attrs' is part of the signature}}
graph.func private incore @f(in %a: index) attributes {arg_attrs = [{}]}

// -----

// expected-error@below {{custom op 'graph.func' attribute 'res_attrs' is part of the signature}}
graph.func private incore @f() attributes {res_attrs = []}

// -----

// expected-error@below {{duplicate key 'user.a' in dictionary attribute}}
graph.func private incore @f() attributes {user.a, user.a}

// -----

// expected-error@below {{custom op 'graph.func' expected a non-empty function body}}
graph.func incore @f() {
}

// -----

// expected-error@below {{'graph.func' op region #0 ('body') failed to verify constraint: region with at most 1 blocks}}
graph.func incore @f() {
^bb0:
  graph.return
^bb1:
  graph.return
}

// -----

//===----------------------------------------------------------------------===//
// Attributes and signatures
//===----------------------------------------------------------------------===//

// expected-error@below {{'graph.func' op symbol declaration cannot have public visibility}}
graph.func incore @f()

// -----

// expected-note@below {{see existing symbol definition here}}
graph.func private incore @f()
// expected-error@below {{redefinition of symbol named 'f'}}
graph.func private incore @f()

// -----

// expected-error@below {{'graph.func' op attribute 'core_num' belongs on a function of kind spmd or group}}
graph.func private incore @f() attributes {core_num = 4 : i64}

// -----

// expected-error@below {{'graph.func' op attribute 'core_num' must be positive, got 0}}
graph.func private group @f() attributes {core_num = 0 : i64}

// -----

// expected-error@below {{'graph.func' op attribute 'core_num' must be positive, got -9223372036854775808}}
graph.func private spmd @f() attributes {core_num = -9223372036854775808 : i64}

// -----

// expected-error@below {{custom op 'graph.func' 'graph.func' op attribute 'core_num' failed to satisfy constraint: 64-bit signless integer attribute}}
graph.func private spmd @f() attributes {core_num = 4 : i32}

// -----

// expected-error@below {{custom op 'graph.func' 'graph.func' op attribute 'level' failed to satisfy constraint: string attribute}}
graph.func private incore @f() attributes {level = 4 : i64}

// -----

// expected-error@below {{custom op 'graph.func' 'graph.func' op attribute 'role' failed to satisfy constraint: string attribute}}
graph.func private incore @f() attributes {role = unit}

// -----

// expected-error@below {{'graph.func' op parameter #0 has no name (attribute 'graph.name')}}
"graph.func"() <{function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op parameter '%a' has no direction (attribute 'graph.dir')}}
"graph.func"() <{arg_attrs = [{graph.name = "a"}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op parameter #0 has no name (attribute 'graph.name')}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op parameter #0 has an invalid name ''}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = ""}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op parameter #0 has an invalid name '7'}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "7"}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op parameter #0 has an invalid name 'a b'}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "a b"}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op parameter #0 has an invalid name 'é'}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "\C3\A9"}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op attribute 'graph.name' must be a string}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = 3 : i32}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op attribute 'graph.dir' must be a #graph.dir<…>}}
"graph.func"() <{arg_attrs = [{graph.dir = "in", graph.name = "a"}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op duplicate parameter name '%a'}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "a"}, {graph.dir = #graph.dir<in>, graph.name = "a"}], function_type = (index, index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 2}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "a"}], function_type = (index, index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
"graph.func"() <{arg_attrs = [1], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op result #0 has type 'i32' but is tied to '%a' of type 'index'}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "a"}], function_type = (index) -> i32, kind = #graph.kind<incore>, res_attrs = [{graph.tied = "a"}], sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op result #0 is tied to '%b', which is no parameter}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "a"}], function_type = (index) -> index, kind = #graph.kind<incore>, res_attrs = [{graph.tied = "b"}], sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op attribute 'graph.tied' must be the name of a parameter on a result of a graph.func}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "a"}], function_type = (index) -> index, kind = #graph.kind<incore>, res_attrs = [{graph.tied = 0 : i32}], sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op expects result attribute array to have the same number of elements as the number of function results, got 0, but expected 1}}
"graph.func"() <{function_type = () -> index, kind = #graph.kind<incore>, res_attrs = [], sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"graph.func"() <{function_type = i32, kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op requires attribute 'kind'}}
"graph.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{invalid properties {function_type = () -> (), kind = #graph.dir<in>, sym_name = "f", sym_visibility = "private"} for op graph.func: Invalid attribute `kind` in property conversion: #graph.dir<in>}}
"graph.func"() <{function_type = () -> (), kind = #graph.dir<in>, sym_name = "f", sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op requires attribute 'sym_name'}}
"graph.func"() <{function_type = () -> (), kind = #graph.kind<incore>, sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op visibility expected to be one of ["public", "private", "nested"], but got "secret"}}
"graph.func"() <{function_type = () -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "secret"}> ({}) : () -> ()

// -----

// expected-error@below {{'graph.func' op requires one region}}
"graph.func"() <{function_type = () -> (), kind = #graph.kind<incore>, sym_name = "f", sym_visibility = "private"}> : () -> ()

// -----

// The block arguments are the parameters.
// expected-error@below {{'graph.func' op type of entry block argument #0('i32') must match the type of the corresponding argument in function signature('index')}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "a"}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f"}> ({
^bb0(%a: i32):
  "graph.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@below {{'graph.func' op entry block must have 1 arguments to match function signature}}
"graph.func"() <{arg_attrs = [{graph.dir = #graph.dir<in>, graph.name = "a"}], function_type = (index) -> (), kind = #graph.kind<incore>, sym_name = "f"}> ({
  "graph.return"() : () -> ()
}) : () -> ()

// -----

// expected-error@below {{empty block: expect at least a terminator}}
"graph.func"() <{function_type = () -> (), kind = #graph.kind<incore>, sym_name = "f"}> ({
^bb0:
}) : () -> ()

// -----

//===----------------------------------------------------------------------===//
// graph.return
//===----------------------------------------------------------------------===//

// expected-error@below {{'graph.return' op expects parent op 'graph.func'}}
graph.return

// -----

func.func @f() {
  // expected-error@below {{'graph.return' op expects parent op 'graph.func'}}
  graph.return
}

// -----

graph.func incore @f() {
  // expected-error@below {{'func.return' op expects parent op 'func.func'}}
  func.return
}

// -----

graph.func incore @f(in %c: i1) {
  scf.if %c {
    // expected-error@below {{'graph.return' op expects parent op 'graph.func'}}
    graph.return
  }
  graph.return
}

// -----

graph.func incore @f() {
  // expected-error@below {{'graph.return' op must be the last operation in the parent block}}
  graph.return
  graph.return
}

// -----

graph.func incore @f() {
  // expected-error@below {{block with no terminator, has %0 = "arith.constant"() <{value = 0 : index}> : () -> index}}
  %0 = arith.constant 0 : index
}

// -----

graph.func incore @f() -> (index) {
  // expected-error@below {{'graph.return' op returns 0 values, but function '@f' has 1 results}}
  graph.return
}

// -----

graph.func incore @f(in %a: index) {
  // expected-error@below {{'graph.return' op returns 1 values, but function '@f' has 0 results}}
  graph.return %a : index
}

// -----

graph.func incore @f(in %a: index) -> (i32) {
  // expected-error@below {{'graph.return' op operand #0 has type 'index', but the function returns 'i32'}}
  graph.return %a : index
}

// -----

graph.func incore @f(in %a: index, in %b: index) -> (%b) {
  // expected-error@below {{'graph.return' op operand #0 is tied to parameter '%b' but is not that parameter}}
  // expected-note@below {{it is the parameter '%a'}}
  graph.return %a : index
}

// -----

graph.func incore @f(in %a: index) -> (%a) {
  %0 = arith.addi %a, %a : index
  // expected-error@below {{'graph.return' op operand #0 is tied to parameter '%a' but is not that parameter}}
  graph.return %0 : index
}

// -----

// Swapped, in a function of two results.
graph.func incore @f(inout %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>) -> (%a, %b) {
  // expected-error@below {{'graph.return' op operand #0 is tied to parameter '%a' but is not that parameter}}
  // expected-note@below {{it is the parameter '%b'}}
  graph.return %b, %b : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// -----

// A window is not the buffer it is of.
graph.func incore @f(inout %a: !graph.tensor<4xf32>) -> (%a) {
  %0 = graph.slice %a[0] [4] : !graph.tensor<4xf32> to !graph.tensor<4xf32>
  // expected-error@below {{'graph.return' op operand #0 is tied to parameter '%a' but is not that parameter}}
  graph.return %0 : !graph.tensor<4xf32>
}

// -----

graph.func incore @f(inout %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>, in %c: i1) -> (%a) {
  %0 = scf.if %c -> (!graph.tensor<4xf32>) {
    scf.yield %a : !graph.tensor<4xf32>
  } else {
    scf.yield %b : !graph.tensor<4xf32>
  }
  // expected-error@below {{'graph.return' op operand #0 is tied to parameter '%a' but is not that parameter}}
  graph.return %0 : !graph.tensor<4xf32>
}

// -----

graph.func private incore @k(inout %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>) -> (%b)
graph.func orchestration @f(inout %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>) -> (%a) {
  %0 = graph.call @k(%a, %b) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  // expected-error@below {{'graph.return' op operand #0 is tied to parameter '%a' but is not that parameter}}
  // expected-note@below {{it is the parameter '%b'}}
  graph.return %0 : !graph.tensor<4xf32>
}

// -----

//===----------------------------------------------------------------------===//
// What may touch a graph tensor
//===----------------------------------------------------------------------===//

graph.func incore @f(in %a: !graph.tensor<4x4xf32>, inout %b: !graph.tensor<4x4xf32>, in %c: f32) {
  // expected-error@below {{'linalg.fill' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  linalg.fill ins(%c : f32) outs(%b : !graph.tensor<4x4xf32>)
  // expected-error@below {{'linalg.copy' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  linalg.copy ins(%a : !graph.tensor<4x4xf32>) outs(%b : !graph.tensor<4x4xf32>)
  // expected-error@below {{'linalg.transpose' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  linalg.transpose ins(%a : !graph.tensor<4x4xf32>) outs(%b : !graph.tensor<4x4xf32>) permutation = [1, 0]
  // expected-error@below {{'linalg.generic' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : !graph.tensor<4x4xf32>) outs(%b : !graph.tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  graph.return
}

// -----

// Parsers of linalg look at the types by themselves.
graph.func incore @f(in %a: !graph.tensor<4x4xf32>, inout %b: !graph.tensor<4x4xf32>) {
  // expected-error@below {{custom op 'linalg.matmul' Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or allInteger, got '!graph.tensor<4x4xf32>' and '!graph.tensor<4x4xf32>'}}
  linalg.matmul ins(%a, %a : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) outs(%b : !graph.tensor<4x4xf32>)
  graph.return
}

// -----

graph.func incore @f(in %a: !graph.tensor<4x4xf32>, inout %b: !graph.tensor<4x4xf32>) {
  // expected-error@below {{custom op 'linalg.add' Cannot build binary Linalg operation: expects allComplex, allFloatingPoint, or allInteger, got '!graph.tensor<4x4xf32>' and '!graph.tensor<4x4xf32>'}}
  linalg.add ins(%a, %a : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) outs(%b : !graph.tensor<4x4xf32>)
  graph.return
}

// -----

graph.func incore @f(in %a: !graph.tensor<4x4xf32>, inout %b: !graph.tensor<4x4xf32>) {
  // expected-error@below {{custom op 'linalg.exp' unsupported non numeric type}}
  linalg.exp ins(%a : !graph.tensor<4x4xf32>) outs(%b : !graph.tensor<4x4xf32>)
  graph.return
}

// -----

graph.func incore @f(in %a: !graph.tensor<4x4xf32>, in %b: !graph.tensor<4x4xf32>) {
  // expected-error@below {{'linalg.batch_matmul' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  "linalg.batch_matmul"(%a, %a, %b) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    "linalg.yield"(%x) : (f32) -> ()
  }) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> ()
  graph.return
}

// -----

graph.func incore @f(in %a: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{custom op 'tensor.extract' invalid kind of type specified: expected builtin.tensor, but found '!graph.tensor<4xf32>'}}
  %0 = tensor.extract %a[%i] : !graph.tensor<4xf32>
  graph.return
}

// -----

graph.func incore @f(in %a: !graph.tensor<4xf32>, in %i: index) {
  // expected-error@below {{custom op 'tensor.cast' invalid kind of type specified}}
  %0 = tensor.cast %a : !graph.tensor<4xf32> to tensor<?xf32>
  graph.return
}

// -----

// All of them in one run.
graph.func incore @f(in %a: !graph.tensor<4xf32>, in %i: index, in %c: i1) {
  // expected-error@below {{'tensor.extract' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  %0 = "tensor.extract"(%a, %i) : (!graph.tensor<4xf32>, index) -> f32
  // expected-error@below {{'arith.addf' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  %1 = arith.addf %a, %a : !graph.tensor<4xf32>
  // expected-error@below {{'math.exp' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  %2 = math.exp %a : !graph.tensor<4xf32>
  // expected-error@below {{'arith.constant' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  %3 = arith.constant dense<0.0> : !graph.tensor<4xf32>
  // expected-error@below {{'ub.poison' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  %4 = ub.poison : !graph.tensor<4xf32>
  // expected-error@below {{'builtin.unrealized_conversion_cast' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  %5 = builtin.unrealized_conversion_cast %a : !graph.tensor<4xf32> to tensor<4xf32>
  scf.if %c {
    // expected-error@below {{'builtin.unrealized_conversion_cast' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
    %6 = builtin.unrealized_conversion_cast to !graph.tensor<4xf32>
    // expected-error@below {{'func.call' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
    func.call @g(%a) : (!graph.tensor<4xf32>) -> ()
  }
  scf.execute_region {
    // expected-error@below {{'cf.br' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
    cf.br ^bb1(%a : !graph.tensor<4xf32>)
  ^bb1(%7: !graph.tensor<4xf32>):
    scf.yield
  }
  // expected-error@below {{'affine.for' op takes or makes a '!graph.tensor'; only graph, scf and arith.select operations may}}
  %8 = affine.for %j = 0 to 4 iter_args(%k = %a) -> (!graph.tensor<4xf32>) {
    affine.yield %k : !graph.tensor<4xf32>
  }
  graph.return
}
func.func private @g(!graph.tensor<4xf32>)

// -----

graph.func incore @f(in %a: !graph.tensor<4xf32>) {
  // expected-error@below {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
  "some.op"(%a) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

// expected-error@below {{'graph.func' op parameter #1 has the name "a" : i32, which must have no type}}
graph.func private incore @typed_name(inout %a: !graph.tensor<8xf32>, in %b: index {graph.name = "a" : i32}) -> (%a)
