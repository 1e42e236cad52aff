//===- PrecisionPlan.h - What becomes of the types of a kernel --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides for a kernel which nodes compute in f32, which casts stand for a
// rounding that has to stay, and from which value each other cast's result is
// made. Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_PRECISION_PRECISIONPLAN_H
#define PYPTO_TRANSFORMS_PRECISION_PRECISIONPLAN_H

#include "Transforms/Precision/NodeKinds.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::pypto {

struct PrecisionOptions {
  /// Kinds of nodes, without the dialect, that keep their types.
  llvm::StringSet<> blacklist;
  /// Whether a rounding that a store and a computation share stays.
  bool preserveSharedRounding = true;
};

/// What a function does to the types of a kernel.
class PrecisionPlan {
public:
  PrecisionPlan(Block &body, const PrecisionOptions &options);

  /// Whether the kernel is to be changed at all.
  bool isApplicable() const { return applicable; }

  /// The casts of the kernel, in the order in which they are written.
  ArrayRef<asc::CastOp> getCasts() const { return casts; }

  /// What the operation is, for the plan.
  unsigned getKind(Operation *op) const { return kinds.get(op); }

  /// Whether an operation of this kind computes in f32 instead of in f16 or
  /// bf16.
  bool isLifted(Operation *op, unsigned kind) const {
    return (kind & NodeKinds::Lifted) &&
           !((kind & NodeKinds::Scalar) && keptScalars.contains(op));
  }
  bool isLifted(Operation *op) const { return isLifted(op, getKind(op)); }

  /// Whether a cast between floating types is removed, unless its result is
  /// needed again in that type.
  bool isRemoved(asc::CastOp cast) const {
    return sources.contains(cast.getResult());
  }

  /// Whether a cast to f64 keeps the value exactly as it is.
  bool isWidening(asc::CastOp cast) const {
    return widened.contains(cast.getResult());
  }

  /// The value that `value` is made from: itself, or what the casts that are
  /// removed start from.
  Value getSource(Value value) const {
    auto it = sources.find(value);
    return it == sources.end() ? value : it->second;
  }

  /// The element type of a value that stays, after the change.
  Type getNewType(Value value) const;

  /// The element type an operation wants an operand in; null when the operand
  /// may have any floating type.
  Type getWantedType(OpOperand &operand) const;

  /// Whether the result of a lifted node is rounded to its type by a new cast,
  /// because a store and a computation share it.
  bool isRounded(Value value) const { return rounded.contains(value); }

private:
  /// Where a value gets to, through casts, broadcasts and transposes.
  enum Reach : unsigned {
    StoreF16 = 1,
    StoreBF16 = 2,
    Compute = 4,
    DirectStore = 8,
    DirectOther = 16
  };

  bool classify(Block &body);
  void visitUses(Operation *op, unsigned kind);
  unsigned getReach(Value value) const;
  unsigned getReachOfUse(OpOperand &use) const;
  bool isShared(Value value, unsigned bits) const;
  void visitCast(asc::CastOp cast);

  const PrecisionOptions &options;
  mutable NodeKinds kinds;
  bool applicable = false;
  SmallVector<asc::CastOp> casts;
  /// Of the results of those casts, broadcasts and transposes that do more than
  /// be computed with.
  DenseMap<Value, unsigned> reach;
  /// The results of lifted nodes that a store and a computation share.
  DenseSet<Value> rounded;
  /// The results of casts that do.
  DenseSet<Value> shared;
  DenseMap<Value, Value> sources;
  DenseSet<Operation *> keptScalars;
  /// What casts to f64 widen: exactly the same value.
  DenseMap<Value, Value> widened;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_PRECISION_PRECISIONPLAN_H
