//===- Progression.h - Values that loops count through ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_PROGRESSION_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_PROGRESSION_H

#include "Analysis/AffineForm.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pypto {

/// The values a form takes when its only symbol is the variable of a
/// constant-trip loop: the first, the step between them and how many there are.
struct Progression {
  int64_t first, step;
  uint64_t count;
};

/// The loop whose variable `symbol` is, or null.
scf::ForOp getCountingLoop(Value symbol);

/// The progression of a form with exactly one symbol, if it is one.
std::optional<Progression> getProgression(const AffineForm &form);

/// Whether the form is never zero: no multiple of the coefficients' common
/// divisor makes up for the constant, or the variable of a loop never gets
/// there.
bool isNeverZero(const AffineForm &form);

/// Whether the form has no value in [low, high), by the divisor alone: all its
/// values are alike modulo that.
bool isNeverInByDivisor(const AffineForm &form, int64_t low, int64_t high);

/// What a form is at least and at most, as far as known.
struct Bounds {
  std::optional<int64_t> low, high;

  bool isFixed() const { return low && high && *low == *high; }
  Bounds join(const Bounds &other) const;
};

/// Bounds of a form, from what is known of its loop variables.
Bounds getBounds(const AffineForm &form);

/// The least and the greatest value of a form over variables of constant-trip
/// loops around `user`, when each is certainly taken on as soon as the
/// outermost of these loops runs.
std::optional<std::pair<int64_t, int64_t>>
getRangeTaken(const AffineForm &form, Operation *user,
              const IdentityLineage &identity);

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_PROGRESSION_H
