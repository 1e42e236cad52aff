//===- AscOps.td - Operations of the asc dialect ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ASC_OPS_TD
#define PYPTO_ASC_OPS_TD

include "Asc/AscBase.td"
include "Asc/AscInterfaces.td"
include "Graph/GraphTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Asc_TakesTensorHandles : NativeOpTrait<"TakesTensorHandles">;

/// A node. Its first attribute is its name, the last one its control edges.
class Asc_Node<string mnemonic, list<Trait> traits = []>
    : Op<Asc_Dialect, mnemonic, traits # [
        Asc_NodeOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

/// A node whose only effect is that it is one.
class Asc_ComputeNode<string mnemonic, list<Trait> traits = []>
    : Asc_Node<mnemonic, traits> {
  code effects = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<
            ::mlir::MemoryEffects::Effect>> &effects) {
      effects.emplace_back(::mlir::MemoryEffects::Write::get(), NodeList::get());
    }
  }];
  let extraClassDefinition = effects;
}

/// A node whose result types follow from operands and attributes through the
/// function `infer` of ShapeInference.h.
class Asc_InferredNode<string mnemonic, string infer, list<Trait> traits = []>
    : Asc_ComputeNode<mnemonic, traits # [InferTypeOpAdaptor]> {
  let extraClassDefinition = effects # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      detail::InferenceSite site{loc, getOperationName()};
      return }] # infer # [{;
    }
  }];
}

//===----------------------------------------------------------------------===//
// Memory and constants
//===----------------------------------------------------------------------===//

def Asc_LoadOp : Asc_Node<"load", [Asc_TakesTensorHandles]> {
  let summary = "a tile of a tensor";
  let description = [{
    Reads the tile that starts at the given offsets (literals or `index` values).
    It lies within the tensor.

    Example:

    ```mlir
    %0 = asc.load "Load_0" %x[%row, 0] : !graph.tensor<512x128xbf16> -> tensor<128x128xbf16>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name,
                       Arg<Graph_TensorType, "the tensor">:$source,
                       Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_Tile:$result);
  let assemblyFormat = [{
    $node_name $source `` custom<IndexList>($offsets, $static_offsets)
    (`after` $after^)? attr-dict `:` qualified(type($source)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Asc_StoreOp : Asc_Node<"store", [Asc_TakesTensorHandles]> {
  let summary = "a tile written into a tensor";
  let description = [{
    Writes the tile at the given offsets (literals or `index` values). It lies within
    the tensor.

    Example:

    ```mlir
    asc.store "Store_0" %2, %o[0, 0] after ["Cast_1"]
        : tensor<32x2048xbf16>, !graph.tensor<32x2048xbf16>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Asc_Tile:$value,
                       Arg<Graph_TensorType, "the tensor">:$dest,
                       Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets,
                       OptionalAttr<StrArrayAttr>:$after);
  let assemblyFormat = [{
    $node_name $value `,` $dest `` custom<IndexList>($offsets, $static_offsets)
    (`after` $after^)? attr-dict `:` type($value) `,` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

def Asc_ScalarOp : Asc_ComputeNode<"scalar", [AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant scalar";
  let description = [{
    Example:

    ```mlir
    %eps = asc.scalar "Scalar_0" 1.000000e-06 : f32
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, TypedAttrInterface:$value,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_Scalar:$result);
  let assemblyFormat = "$node_name (`after` $after^)? attr-dict $value";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

def Asc_CastOp : Asc_ComputeNode<"cast"> {
  let summary = "conversion of the elements to another type";
  let description = [{
    A tile or scalar of the same shape with other elements. Rounds to nearest, ties to
    even; see the dialect for integers and f64. To i1 it says which elements are not
    zero.

    Example:

    ```mlir
    %1 = asc.cast "Cast_0" %0 : tensor<32x2048xbf16> to tensor<32x2048xf32>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Asc_Value:$source,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_Value:$result);
  let assemblyFormat = [{
    $node_name $source (`after` $after^)? attr-dict
    `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

class Asc_Unary<string mnemonic, Type tile, string summaryText>
    : Asc_ComputeNode<mnemonic, [SameOperandsAndResultType]> {
  let summary = summaryText;
  let description = [{
    Example:

    ```mlir
    %1 = asc.}] # mnemonic # [{ "Node_1" %0 : tensor<32x2048xf32>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, tile:$source,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs tile:$result);
  let assemblyFormat = "$node_name $source (`after` $after^)? attr-dict `:` type($source)";
}

def Asc_AbsOp : Asc_Unary<"abs", Asc_NumberTile, "absolute value of each element">;
def Asc_NegOp : Asc_Unary<"neg", Asc_NumberTile, "each element negated">;
def Asc_ReluOp : Asc_Unary<"relu", Asc_NumberTile, "each element, zero where it is negative">;
def Asc_ExpOp : Asc_Unary<"exp", Asc_FloatTile, "exponential of each element">;
def Asc_LogOp : Asc_Unary<"log", Asc_FloatTile, "natural logarithm of each element">;
def Asc_SqrtOp : Asc_Unary<"sqrt", Asc_FloatTile, "square root of each element">;
def Asc_RsqrtOp : Asc_Unary<"rsqrt", Asc_FloatTile, "1/sqrt(x) of each element">;
def Asc_ReciprocalOp : Asc_Unary<"reciprocal", Asc_FloatTile, "1/x of each element">;
def Asc_SigmoidOp : Asc_Unary<"sigmoid", Asc_FloatTile, "1/(1+exp(-x)) of each element">;
def Asc_TanhOp : Asc_Unary<"tanh", Asc_FloatTile, "hyperbolic tangent of each element">;
def Asc_ErfOp : Asc_Unary<"erf", Asc_FloatTile, "error function of each element">;

class Asc_Binary<string mnemonic, Type value, Type tile, string summaryText>
    : Asc_InferredNode<mnemonic, "detail::inferElementwise(site, adaptor.getOperands(), types)"> {
  let summary = summaryText;
  let description = [{
    The operands have one element type; each is a tile of the same shape, or a scalar,
    and one is a tile. Equal types are written once.

    Example:

    ```mlir
    %2 = asc.}] # mnemonic # [{ "Node_2" %0, %1 : tensor<32x2048xbf16>
    %3 = asc.}] # mnemonic # [{ "Node_3" %2, %s : tensor<32x2048xbf16>, bf16
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, value:$lhs, value:$rhs,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs tile:$result);
  let assemblyFormat = [{
    $node_name $lhs `,` $rhs (`after` $after^)? attr-dict
    `:` custom<OperandTypes>(type($lhs), type($rhs))
  }];
}

class Asc_Arithmetic<string mnemonic, string summaryText>
    : Asc_Binary<mnemonic, Asc_NumberValue, Asc_NumberTile, summaryText>;

def Asc_AddOp : Asc_Arithmetic<"add", "sum of elements">;
def Asc_SubOp : Asc_Arithmetic<"sub", "difference of elements">;
def Asc_MulOp : Asc_Arithmetic<"mul", "product of elements">;
def Asc_MaximumOp : Asc_Binary<"maximum", Asc_OrderedValue, Asc_OrderedTile, "the larger of two elements, NaN if one is">;
def Asc_MinimumOp : Asc_Binary<"minimum", Asc_OrderedValue, Asc_OrderedTile, "the smaller of two elements, NaN if one is">;
def Asc_DivOp : Asc_Binary<"div", Asc_FloatValue, Asc_FloatTile, "quotient of elements">;
def Asc_PowOp : Asc_Binary<"pow", Asc_FloatValue, Asc_FloatTile, "elements to a power">;

def Asc_CompareOp : Asc_InferredNode<"compare",
    "detail::inferCompare(site, adaptor.getOperands(), types)"> {
  let summary = "comparison of elements";
  let description = [{
    Compares with `eq`, `ne`, `lt`, `le`, `gt` or `ge`; the operands are as those of
    `asc.add`.

    Example:

    ```mlir
    %2 = asc.compare "Compare_0" lt %0, %1 : tensor<32x2048xf32>, f32
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Asc_ComparisonAttr:$comparison,
                       Asc_OrderedValue:$lhs, Asc_OrderedValue:$rhs,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_BoolTile:$result);
  let assemblyFormat = [{
    $node_name custom<Comparison>($comparison) $lhs `,` $rhs (`after` $after^)?
    attr-dict `:` custom<OperandTypes>(type($lhs), type($rhs))
  }];
}

class Asc_Choice<string mnemonic, Type condition, string summaryText>
    : Asc_InferredNode<mnemonic, "detail::inferChoice(site, adaptor.getOperands(), types)"> {
  let summary = summaryText;
  let arguments = (ins Asc_NameAttr:$node_name, condition:$condition,
                       Asc_Value:$lhs, Asc_Value:$rhs,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_Tile:$result);
  let assemblyFormat = [{
    $node_name $condition `,` $lhs `,` $rhs (`after` $after^)? attr-dict
    `:` type($condition) `,` custom<OperandTypes>(type($lhs), type($rhs))
  }];
}

def Asc_SelectOp : Asc_Choice<"select", Asc_BoolValue, "one of two elements"> {
  let description = [{
    Elements of the first value where the condition, an i1 tile of the same shape or
    an i1 scalar, holds, of the second elsewhere.

    Example:

    ```mlir
    %3 = asc.select "Select_0" %c, %0, %1 : tensor<32x2048xi1>, tensor<32x2048xf32>, f32
    ```
  }];
}

def Asc_WhereOp : Asc_Choice<"where", Asc_OrderedValue, "one of two elements, by a number"> {
  let description = [{
    As `asc.select`, with a condition of any numeric type that holds where it is not
    zero (NaN is not).

    Example:

    ```mlir
    %3 = asc.where "Where_0" %mask, %0, %1 : tensor<32x2048xi8>, tensor<32x2048xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def Asc_BroadcastOp : Asc_ComputeNode<"broadcast"> {
  let summary = "elements repeated along axes";
  let description = [{
    Extents are compared from the last one on: they are equal, or that of the source is
    one or missing.

    Example:

    ```mlir
    %1 = asc.broadcast "Broadcast_0" %w : tensor<2048xf32> to tensor<32x2048xf32>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Asc_Value:$source,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_Tile:$result);
  let assemblyFormat = [{
    $node_name $source (`after` $after^)? attr-dict
    `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Asc_TransposeOp : Asc_InferredNode<"transpose",
    "detail::inferTranspose(site, adaptor.getSource(), adaptor.getPermutation(), types)"> {
  let summary = "axes in another order";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the source.

    Example:

    ```mlir
    %1 = asc.transpose "Transpose_0" %0 [1, 0] : tensor<32x2048xf32>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Asc_Tile:$source,
                       DenseI64ArrayAttr:$permutation,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_Tile:$result);
  let assemblyFormat = [{
    $node_name $source $permutation (`after` $after^)? attr-dict `:` type($source)
  }];
}

def Asc_ConcatOp : Asc_InferredNode<"concat",
    "detail::inferConcat(site, adaptor.getSources(), adaptor.getAxis(), types)"> {
  let summary = "tiles one after the other along an axis";
  let description = [{
    Example:

    ```mlir
    %2 = asc.concat "Concat_0" %0, %1 axis 1 : tensor<32x8xf32>, tensor<32x24xf32>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Variadic<Asc_Tile>:$sources,
                       I64Attr:$axis, OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_Tile:$result);
  let assemblyFormat = [{
    $node_name $sources `axis` $axis (`after` $after^)? attr-dict `:` type($sources)
  }];
}

def Asc_SplitOp : Asc_InferredNode<"split",
    "detail::inferSplit(site, adaptor.getSource(), adaptor.getAxis(), adaptor.getSizes(), types)"> {
  let summary = "a tile cut along an axis";
  let description = [{
    One result a size; the sizes add up to the extent of the axis.

    Example:

    ```mlir
    %1:2 = asc.split "Split_0" %0 axis 1 sizes [8, 24] : tensor<32x32xf32>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Asc_Tile:$source, I64Attr:$axis,
                       DenseI64ArrayAttr:$sizes, OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Variadic<Asc_Tile>:$outs);
  let assemblyFormat = [{
    $node_name $source `axis` $axis `sizes` $sizes (`after` $after^)? attr-dict
    `:` type($source)
  }];
}

def Asc_GatherOp : Asc_InferredNode<"gather",
    "detail::inferGather(site, adaptor.getSource(), adaptor.getIndices(), adaptor.getAxis(), types)"> {
  let summary = "slices of a tile picked by index";
  let description = [{
    The axis of the source is replaced by the axes of the indices (i32 or i64). Indices
    lie in the extent of the axis: another one is an error of the interpreter, and
    reads the nearest slice in compiled code.

    Example:

    ```mlir
    %2 = asc.gather "Gather_0" %table, %i axis 0 : tensor<512x128xf32>, tensor<16xi32>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Asc_Tile:$source,
                       Asc_IndexTile:$indices, I64Attr:$axis,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_Tile:$result);
  let assemblyFormat = [{
    $node_name $source `,` $indices `axis` $axis (`after` $after^)? attr-dict
    `:` type($source) `,` type($indices)
  }];
}

//===----------------------------------------------------------------------===//
// Reductions and products
//===----------------------------------------------------------------------===//

class Asc_Reduction<string mnemonic, Type tile, string summaryText>
    : Asc_InferredNode<mnemonic,
        "detail::inferReduction(site, adaptor.getSource(), adaptor.getAxes(), types)"> {
  let summary = summaryText;
  let description = [{
    The axes (distinct) stay, with extent one.

    Example:

    ```mlir
    %1 = asc.}] # mnemonic # [{ "Node_1" %0 axes [1] : tensor<32x2048xf32>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, tile:$source,
                       DenseI64ArrayAttr:$axes, OptionalAttr<StrArrayAttr>:$after);
  let results = (outs tile:$result);
  let assemblyFormat = [{
    $node_name $source `axes` $axes (`after` $after^)? attr-dict `:` type($source)
  }];
}

def Asc_SumOp : Asc_Reduction<"sum", Asc_NumberTile, "sum over axes">;
def Asc_MeanOp : Asc_Reduction<"mean", Asc_FloatTile, "mean over axes">;
def Asc_MaxOp : Asc_Reduction<"max", Asc_OrderedTile, "largest element over axes">;
def Asc_MinOp : Asc_Reduction<"min", Asc_OrderedTile, "smallest element over axes">;

def Asc_MatmulOp : Asc_InferredNode<"matmul",
    "detail::inferMatmul(site, adaptor.getLhs(), adaptor.getRhs(), types)"> {
  let summary = "product of matrices";
  let description = [{
    The last two axes are those of matrices; axes before them are equal.

    Example:

    ```mlir
    %2 = asc.matmul "Matmul_0" %0, %1 : tensor<16x64xbf16>, tensor<64x32xbf16>
    ```
  }];
  let arguments = (ins Asc_NameAttr:$node_name, Asc_FloatTile:$lhs, Asc_FloatTile:$rhs,
                       OptionalAttr<StrArrayAttr>:$after);
  let results = (outs Asc_FloatTile:$result);
  let assemblyFormat = [{
    $node_name $lhs `,` $rhs (`after` $after^)? attr-dict `:` type($lhs) `,` type($rhs)
  }];
}

#endif // PYPTO_ASC_OPS_TD
