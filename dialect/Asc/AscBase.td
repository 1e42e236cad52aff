//===- AscBase.td - The asc dialect -------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ASC_BASE_TD
#define PYPTO_ASC_BASE_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Asc_Dialect : Dialect {
  let name = "asc";
  let cppNamespace = "::mlir::pypto::asc";
  let summary = "Kernel bodies as graphs of named nodes";
  let description = [{
    The `asc` dialect writes the body of a kernel as a graph of *named nodes* with
    data edges (operands) and control edges (`after`):

    ```mlir
    graph.func incore @k(in %x: !graph.tensor<32x2048xbf16>,
                         out %o: !graph.tensor<32x2048xf32>) {
      %0 = asc.load "Load_0" %x[0, 0] : !graph.tensor<32x2048xbf16> -> tensor<32x2048xbf16>
      %1 = asc.cast "Cast_0" %0 : tensor<32x2048xbf16> to tensor<32x2048xf32>
      %2 = asc.exp "Exp_0" %1 : tensor<32x2048xf32>
      asc.store "Store_0" %2, %o[0, 0] after ["Cast_0"]
          : tensor<32x2048xf32>, !graph.tensor<32x2048xf32>
      graph.return
    }
    ```

    **Nodes.** A node stands in the body of a function, or of a `graph.scope` that will
    become one, not in a loop or branch. Its name is unique in the function. `after` names nodes of the function that run
    before it, wherever they are written. Nodes run in the first order, by where
    they are written, that respects the data and control edges; there must be one.
    A node that is named in the `after` of a live node is live, whether its result
    is used or not; `asc-dce` removes the others, and nothing else does.

    **Values** are tiles, `tensor` values of known positive extents, and scalars.
    Elements are f16, bf16, f32, f64, i1, i8 to i64 and ui8 to ui64; casts and moves of
    data also know f8E4M3FN and f8E5M2. Signless integers are signed, i1 is a truth
    value. Operands of elementwise nodes have one shape and one element type; only a
    scalar broadcasts by itself, `asc.broadcast` does all else.

    **Numerics** are those of PyTorch's eager mode on a CPU:

    - elementwise nodes on f16 and bf16 compute in f32 and round once, to nearest,
      ties to even; f32 and f64 compute in their type, integers wrap around;
    - `asc.cast` rounds to nearest, ties to even. From f64, or from an integer, to a
      type of at most 16 bits it goes through f32. To an integer it truncates; what does not
      fit becomes the nearest value, NaN zero;
    - `sum`, `mean` and `matmul` of f16 and bf16 accumulate in f32 and round once, those
      of f32 and f64 accumulate in their type. Elements are added in row-major order; where the
      last axis is reduced and its extent is a multiple of 16, into 16 partial sums (element
      i of the axis into sum i mod 16) that are added in order at the end;
    - NaN goes through arithmetic, `maximum`, `minimum`, `max`, `min` and `relu`; comparisons
      with NaN are false, but for `ne`. Zeros are ordered, -0 below +0, for `maximum`,
      `minimum`, `max` and `min`;
    - `rsqrt` is 1/sqrt(x), `sigmoid` 1/(1+exp(-x)); `pow` with a scalar exponent 2, 3,
      0.5, -0.5, -1 or -2 multiplies, takes roots and divides (where the exponent is an
      `asc.scalar`); with a base 2 or 0.5 that is one, it is `exp2`.
  }];
  let dependentDialects = ["::mlir::pypto::graph::GraphDialect"];
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Asc_TileOf<string elements, string what>
    : Type<CPred<"::mlir::pypto::asc::isTileOf($_self, ::mlir::pypto::asc::" # elements # ")">,
           "tile (tensor of known positive extents) of " # what, "::mlir::RankedTensorType">;
class Asc_ScalarOf<string elements, string what>
    : Type<CPred<"::mlir::pypto::asc::" # elements # "($_self)">, what # " scalar">;

def Asc_Tile : Asc_TileOf<"isElementType", "elements that kernels know">;
def Asc_NumberTile : Asc_TileOf<"isNumberType", "numbers">;
def Asc_FloatTile : Asc_TileOf<"isComputeFloat", "f16, bf16, f32 or f64">;
def Asc_BoolTile : Asc_TileOf<"isBoolType", "i1">;
def Asc_IndexTile : Asc_TileOf<"isIndexElement", "i32 or i64">;

def Asc_OrderedTile : Asc_TileOf<"isOrderedType", "numbers or i1">;

def Asc_Scalar : Asc_ScalarOf<"isElementType", "integer or floating-point">;
def Asc_Value : AnyTypeOf<[Asc_Tile, Asc_Scalar]>;
def Asc_NumberValue : AnyTypeOf<[Asc_NumberTile, Asc_ScalarOf<"isNumberType", "numeric">]>;
def Asc_OrderedValue : AnyTypeOf<[Asc_OrderedTile, Asc_ScalarOf<"isOrderedType", "numeric or i1">]>;
def Asc_FloatValue : AnyTypeOf<[Asc_FloatTile, Asc_ScalarOf<"isComputeFloat", "floating-point">]>;
def Asc_BoolValue : AnyTypeOf<[Asc_BoolTile, Asc_ScalarOf<"isBoolType", "i1">]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Asc_NodeName : AttrConstraint<
    CPred<"!::llvm::cast<::mlir::StringAttr>($_self).getValue().empty()">, "non-empty">;
def Asc_NameAttr : ConfinedAttr<StrAttr, [Asc_NodeName]>;

def Asc_Comparison : I32EnumAttr<"Comparison", "comparison of elements", [
  I32EnumAttrCase<"EQ", 0, "eq">,
  I32EnumAttrCase<"NE", 1, "ne">,
  I32EnumAttrCase<"LT", 2, "lt">,
  I32EnumAttrCase<"LE", 3, "le">,
  I32EnumAttrCase<"GT", 4, "gt">,
  I32EnumAttrCase<"GE", 5, "ge">
]> {
  let cppNamespace = "::mlir::pypto::asc";
  let genSpecializedAttr = 0;
}
def Asc_ComparisonAttr : EnumAttr<Asc_Dialect, Asc_Comparison, "cmp"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // PYPTO_ASC_BASE_TD
