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

#include "Asc/Asc.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

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

  /// Whether the node computes in f32 instead of in f16 or bf16.
  bool isLifted(Operation *op) const;

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
  bool isRounded(Value value) const;

private:
  /// Where a value gets to, through casts, broadcasts and transposes.
  enum Reach : unsigned {
    StoreF16 = 1,
    StoreBF16 = 2,
    Compute = 4,
    DirectStore = 8,
    DirectOther = 16
  };

  bool isBlacklisted(Operation *op) const;
  bool classify(Block &body);
  void computeReach();
  unsigned getReach(Value value) const;
  unsigned getReachOfUse(OpOperand &use) const;
  bool isShared(Value value) const;
  bool computeShared(Value value) const;
  void visitCast(asc::CastOp cast);
  void visitScalar(asc::ScalarOp scalar);

  const PrecisionOptions &options;
  bool applicable = false;
  SmallVector<asc::CastOp> casts;
  /// Casts, broadcasts and transposes.
  SmallVector<Operation *> links;
  SmallVector<asc::ScalarOp> scalars;
  /// Of the results of those links that do more than be computed with.
  DenseMap<Value, unsigned> reach;
  /// Whether values with several uses are shared, as far as that was asked.
  mutable DenseMap<Value, bool> shared;
  DenseMap<Value, Value> sources;
  DenseSet<Operation *> keptScalars;
  /// What casts to f64 widen: exactly the same value.
  DenseMap<Value, Value> widened;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_PRECISION_PRECISIONPLAN_H
