//===- GraphTypes.td - Types of the graph dialect -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_GRAPH_TYPES_TD
#define PYPTO_GRAPH_TYPES_TD

include "Graph/GraphBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class Graph_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Graph_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Graph_TensorType : Graph_Type<"GraphTensor", "tensor", [ShapedTypeInterface]> {
  let summary = "a reference to a strided window of a device buffer";
  let description = [{
    A device tensor handle: address, shape, strides and offset. Two values of this
    type may name the same buffer. Extents are positive or `?`; the rank is 0 to 5;
    elements are f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64.

    Only `graph`, `scf` and `arith.select` operations take a value of this type.

    ```mlir
    !graph.tensor<16x5120xf32>
    !graph.tensor<?x128xbf16>
    !graph.tensor<i32>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType);
    }]>
  ];
  let extraClassDeclaration = [{
    /// Views of the runtime have at most this many dimensions.
    static constexpr int64_t kMaxRank = 5;

    bool hasRank() const { return true; }
    GraphTensorType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape,
                              ::mlir::Type elementType) const {
      return get(shape.value_or(getShape()), elementType);
    }

    /// The type of one element as a scalar value: the element type, unsigned
    /// integers as signless ones.
    ::mlir::Type getScalarType() const;

    /// Whether a handle of this type may be passed where `other` is expected:
    /// same element type and rank, extents equal or `?` on either side.
    bool isCompatibleWith(GraphTensorType other) const;
  }];
}

def Graph_TaskIdType : Graph_Type<"TaskId", "task_id"> {
  let summary = "the identity of a launched task";
  let description = "Names a task so that others can depend on it.";
  let hasCustomAssemblyFormat = 1;
}

def Graph_ArrayType : Graph_Type<"Array", "array"> {
  let summary = "a fixed-size array of task ids or scalars";
  let description = [{
    A value-semantics array of task ids or of scalars, of 1 to 4294967295 elements.

    ```mlir
    !graph.array<4 x !graph.task_id>
    ```
  }];
  let parameters = (ins "int64_t":$size, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Graph_Scalar : Type<
    CPred<"::llvm::isa<::mlir::IndexType, ::mlir::IntegerType, ::mlir::FloatType>($_self)">,
    "index, integer or float">;
def Graph_Dependency : AnyTypeOf<[Graph_TaskIdType, Graph_ArrayType],
                                 "task id or array of task ids">;

#endif // PYPTO_GRAPH_TYPES_TD
