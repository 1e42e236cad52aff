//===- NodeLowering.h - Nodes as linalg on tensors --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to convert-asc-to-linalg.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_ASCTOLINALG_NODELOWERING_H
#define PYPTO_TRANSFORMS_ASCTOLINALG_NODELOWERING_H

#include "Asc/Asc.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pypto {

/// Builds what stands for each node, in the order in which the nodes run.
/// Values of unsigned types become signless ones, and tiles of i1 tiles of i8;
/// the types of the node say what is meant.
class NodeLowering {
public:
  explicit NodeLowering(RewriterBase &rewriter) : rewriter(rewriter) {}

  void lower(Operation *op);

  /// Gives what stands for the results to operations that are no nodes.
  void replaceOtherUses(Operation *op) {
    for (Value result : op->getResults())
      rewriter.replaceAllUsesWith(result, get(result));
  }

private:
  /// Makes the value of one element from those of the operands.
  using ElementFn = function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>;

  /// What stands for a value.
  Value get(Value value);
  Value importValue(Value value);
  RankedTensorType getTileType(Value value) const;

  void lowerLoad(asc::LoadOp op);
  void lowerStore(asc::StoreOp op);
  void lowerScalar(asc::ScalarOp op);
  void lowerCast(asc::CastOp op);
  void lowerElementwise(Operation *op);
  void lowerMove(Operation *op, AffineMap sourceMap);
  void lowerBroadcast(asc::BroadcastOp op);
  void lowerConcat(asc::ConcatOp op);
  void lowerSplit(asc::SplitOp op);
  void lowerGather(asc::GatherOp op);
  void lowerReduction(Operation *op, ArrayRef<int64_t> axes);
  void lowerMatmul(asc::MatmulOp op);

  /// A `linalg.generic` over all of `result`, reading tiles through `maps` and
  /// scalars as they are.
  Value makeGeneric(RankedTensorType result, ValueRange operands,
                    ArrayRef<AffineMap> maps, ElementFn fn);
  Value makeFilled(RankedTensorType type, TypedAttr value);

  RewriterBase &rewriter;
  DenseMap<Value, Value> values;
  Location loc = UnknownLoc::get(rewriter.getContext());
};

/// One element of an elementwise node from those of its operands.
Value buildElement(ImplicitLocOpBuilder &builder, Operation *op,
                   ValueRange operands);
/// One element of type `from` as one of type `to`, as `asc.cast` converts. The
/// value has a signless type.
Value buildCast(ImplicitLocOpBuilder &builder, Value value, Type from, Type to);

/// Whether the type is one of the 8-bit floating types.
inline bool isTinyFloat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}
/// The f32 number that is the one of an 8-bit floating type.
Value widenTiny(ImplicitLocOpBuilder &builder, Value value);
/// An f32 number rounded to an 8-bit floating type, as `asc.cast` does.
Value roundToTiny(ImplicitLocOpBuilder &builder, Value value, Type to);

/// The type without a sign.
Type getSignless(Type type);
/// The type that stands for elements of a type in tiles: without a sign, and i8
/// (0 or 1) for i1, which no memory holds.
Type getStorage(Type type);

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_ASCTOLINALG_NODELOWERING_H
