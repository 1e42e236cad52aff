//===- BoundaryAliasing.h - Boundary tensors of one buffer ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime recognises the tensors of a recorded task by value, the first
// match wins: a boundary tensor of equal buffer, start and shape, in slot
// order; then the first boundary tensor of the buffer that starts at or before
// it, with the distance recorded. So what two boundary tensors have to do with
// each other at the launches decides whether a task's tensor is recognised as
// the one it is. Private to lib/Verify.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_BOUNDARYALIASING_H
#define PYPTO_VERIFY_BOUNDARYALIASING_H

#include "BoundaryFacts.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::pypto::verify {

/// How two boundary tensors of one graph function lie to each other at all its
/// launches.
struct PairRelation {
  /// Launches at which they may share a buffer: the first, and the first at
  /// which the distance was another one or not a constant.
  Operation *firstShare = nullptr, *firstVarying = nullptr;
  /// The distance from the one to the other, when the same constant everywhere.
  SmallVector<int64_t, 2> distance;
  /// The distances by dimension; empty when not comparable.
  SmallVector<ValueSet, 2> distances;
  bool areDistancesKnown = true;
  /// Launches at which they start at the same place, at which they do not, and
  /// at which neither is certain.
  Operation *equalAt = nullptr, *unequalAt = nullptr, *undecidedAt = nullptr;
};

/// What to do where nothing is proved either way.
enum class UndecidedAlias { Accept, Warn, Refuse };

/// Collects the launches of one graph function and judges them together.
class BoundaryAliasing {
public:
  explicit BoundaryAliasing(BoundaryFacts &facts);

  /// Whether anything depends on the launches at all.
  bool isTrivial() const { return !hasQuestions; }

  /// Adds a launch. `caller` traces the function it stands in; parameters of
  /// that function in one class of `sharing` may be one buffer.
  void addLaunch(graph::LaunchOpInterface launch, ValueTrace &caller,
                 const llvm::EquivalenceClasses<unsigned> &sharing);

  /// Reports what the runtime would confuse.
  LogicalResult finish(UndecidedAlias undecided);

private:
  using Offsets = std::optional<SmallVector<LinearForm, 2>>;

  bool needs(unsigned x, unsigned y) const {
    return questions[x * facts.tensors.size() + y];
  }
  void addDistance(unsigned x, unsigned y, const Offsets &distance,
                   graph::LaunchOpInterface launch, ValueTrace &caller);
  bool checkPair(unsigned x, unsigned y, const PairRelation &relation,
                 UndecidedAlias undecided);
  std::string getName(unsigned tensor);

  BoundaryFacts &facts;
  /// The pairs (x, y) where y could be taken for x or for a base of x's
  /// windows.
  llvm::SmallBitVector questions;
  bool hasQuestions = false;
  llvm::MapVector<std::pair<unsigned, unsigned>, PairRelation> relations;
};

} // namespace mlir::pypto::verify

#endif // PYPTO_VERIFY_BOUNDARYALIASING_H
