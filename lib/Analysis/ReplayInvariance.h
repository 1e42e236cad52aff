//===- ReplayInvariance.h - What every replay reproduces --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_REPLAYINVARIANCE_H
#define PYPTO_ANALYSIS_REPLAYINVARIANCE_H

#include "Analysis/IdentityLineage.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pypto {

/// The number of iterations of `loop` when its bounds and step are constants
/// and the step is positive in the loop's comparison (signed, or unsigned as
/// the loop says): exact, computed in the loop's bit width (more than fits 64
/// bits is the largest number). `std::nullopt` otherwise, also for a zero or
/// negative step. A renamed constant is one; with `identity`, so is whatever
/// else is a constant.
std::optional<uint64_t> getConstantTripCount(scf::ForOp loop);
std::optional<uint64_t> getConstantTripCount(scf::ForOp loop,
                                             const IdentityLineage &identity);

/// Whether `op` runs whenever `from` does, by default its function: nothing but
/// scopes and loops that run stands in between.
bool isCertainlyReached(Operation *op, Operation *from = nullptr);

/// Says what is the same on every execution of a function that is replayed with
/// one recording: freezing such a value freezes nothing that varies.
///
/// *Scalars*: constants; induction variables of constant-trip loops;
/// `graph.dim` with a constant axis of a tensor that is a parameter by identity
/// lineage (the runtime compares boundary shapes before it replays) or that has
/// a static extent there; pure, region-free scalar operations over invariant
/// operands; loop-carried values in constant-trip loops whose initial value and
/// update are invariant (optimistic fixpoint); results of `scf.if` and
/// `arith.select` whose condition and arms are; values that are another value
/// by identity lineage are judged as that one. Scalar parameters are not
/// invariant: a replay refreshes their slots. Results of `graph.read` and of
/// launches are not.
///
/// *Tensors, task ids and arrays of them* (the choice): which buffer or task a
/// value names, disregarding where a window starts, is the same on every
/// replay. It is for everything that is made or passed in, through
/// constant-trip carries and through merges with an invariant condition, and
/// for any merge whose alternatives are all the same value.
///
/// Contract: an affirmative answer is a proof; a negative one is not. Linear:
/// one forward pass and a sparse fixpoint, iterative along chains.
class ReplayInvariance {
public:
  /// `identity` must outlive the analysis.
  ReplayInvariance(graph::FuncOp func, const IdentityLineage &identity,
                   CalleeTies &ties);

  /// Whether a scalar is the same on every replay.
  bool isInvariant(Value scalar) const {
    return !varying.contains(identity.getSource(scalar));
  }

  /// Whether the choice of buffer or task is the same on every replay.
  bool isChoiceInvariant(Value value) const {
    return !varying.contains(identity.getSource(value));
  }

private:
  const IdentityLineage &identity;
  /// What is not proved, by identity.
  llvm::SmallDenseSet<Value, 8> varying;
};

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_REPLAYINVARIANCE_H
