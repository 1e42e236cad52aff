//===- Hoistability.h - What a call site can recompute ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_HOISTABILITY_H
#define PYPTO_ANALYSIS_HOISTABILITY_H

#include "Analysis/IdentityLineage.h"
#include "Analysis/ScalarComputation.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pypto {

/// Whether the first block of each region of `op` runs whenever `op` does.
bool alwaysRunsItsBody(Operation *op, const IdentityLineage &identity);

/// Whether `op` can run where it did not. A division or remainder traps on zero
/// (not all of them say so themselves), a signed one on minus one as well; the
/// divisor may be a constant by identity lineage, which the operation cannot
/// see.
bool isSpeculatableByIdentity(Operation *op, const IdentityLineage &identity);

/// Says which scalars of a function its call sites can recompute from the
/// arguments they pass: the scalar parameters and constants, and pure,
/// region-free operations on scalars over those, wherever they stand in the
/// body (also inside loops and branches). An operation that is not
/// speculatable, such as an integer division by a value that is not a non-zero
/// constant, is hoistable only where it runs on every call of the function: at
/// the top level of the body, where `manual` and `auto` scopes and loops that
/// provably run at least once are transparent. A value that is another one by
/// identity lineage (an alias, a tied scalar result, a merge of equal values)
/// is judged as that one.
///
/// Contract: a hoistable value computes the same at the call site, and
/// computing it there traps only where the function itself would have. Linear,
/// iterative.
class Hoistability {
public:
  /// `identity` must outlive the analysis.
  Hoistability(graph::FuncOp func, const IdentityLineage &identity);

  /// Whether a call site can compute `scalar`. True for scalar parameters and
  /// constants as well.
  bool isHoistable(Value scalar) const {
    Value source = identity.getSource(scalar);
    return isConstantScalar(source) || hoistable.contains(source);
  }

  /// Whether `value` is a constant scalar, by itself or by identity lineage.
  bool isConstant(Value value) const {
    return isConstantScalar(identity.getSource(value));
  }

private:
  static bool isConstantScalar(Value value) {
    Operation *op = value.getDefiningOp();
    return op && isConstantOp(op) && graph::isScalarType(value.getType());
  }

  const IdentityLineage &identity;
  /// What is hoistable, by identity, but for constants.
  llvm::SmallDenseSet<Value, 8> hoistable;
};

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_HOISTABILITY_H
