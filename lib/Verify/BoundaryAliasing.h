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

#include "TaskDependencies.h"

#include <map>
#include <numeric>
#include <vector>

namespace mlir::pypto::verify {

/// Which parameters of a function may be one buffer.
class SharedParams {
public:
  explicit SharedParams(unsigned numParams = 0)
      : leaders(numParams), numClasses(numParams) {
    std::iota(leaders.begin(), leaders.end(), 0);
  }
  void join(unsigned a, unsigned b);
  /// Makes asking safe for several threads, until the next join.
  void flatten();
  unsigned getNumClasses() const { return numClasses; }
  /// Stands for all parameters that may be the buffer of `root`; `root` itself
  /// when it is no parameter.
  Value getBuffer(Value root) const;

private:
  unsigned find(unsigned param) const;

  /// Parameters lead to earlier ones of their class.
  mutable SmallVector<unsigned> leaders;
  unsigned numClasses;
};

/// How two boundary tensors of one graph function lie to each other at all its
/// launches.
struct PairRelation {
  /// Launches at which they may share a buffer: the first, and the first at
  /// which the distance was another one or not a constant.
  Operation *firstShare = nullptr, *firstVarying = nullptr;
  /// The distance from the one to the other, when the same constant everywhere,
  /// and whether it certainly is that at some launch that runs.
  SmallVector<int64_t, 2> distance;
  bool isDistanceTaken = false;
  /// Launches at which they start at the same place, at which they do not, and
  /// at which neither is certain.
  Operation *equalAt = nullptr, *unequalAt = nullptr, *undecidedAt = nullptr;

  /// The distances when a launch may record, by dimension or in elements;
  /// empty ones are not known.
  struct Recorded {
    SmallVector<ValueSet, 2> distance;
    Operation *launch;
    /// Whether the tensors certainly share a buffer there, and it certainly is
    /// the distance.
    bool isCertain;
    /// Whether what is passed for them may have one shape.
    bool mayBeEqual;
    /// Whether it certainly has.
    bool isOneShape;
  };
  SmallVector<Recorded, 1> recorded;
  /// Whether the distance is certainly not the same at all launches.
  bool isCertainlyVarying = false;
};

/// Collects the launches of one graph function and judges them together.
class BoundaryAliasing {
public:
  BoundaryAliasing(BoundaryFacts &facts, TieTable &ties);

  /// Whether anything depends on the launches at all.
  bool isTrivial() const { return !hasQuestions; }

  /// Adds a launch. `caller` traces the function it stands in; parameters of
  /// that function in one class of `sharing` may be one buffer.
  void addLaunch(graph::LaunchOpInterface launch, ValueTrace &caller,
                 const SharedParams &shared);

  /// Reports what the runtime would confuse.
  LogicalResult finish(UndecidedAlias undecided);

private:
  using Offsets = std::optional<SmallVector<LinearForm, 2>>;
  /// By buffer, the tensors that may be in it, each with the number of its
  /// origin there.
  using BufferGroups =
      llvm::MapVector<Value, SmallVector<std::pair<unsigned, unsigned>, 2>>;

  using Relations = DenseMap<std::pair<unsigned, unsigned>, PairRelation>;

  bool needs(unsigned x, unsigned y) const {
    return questions[x * facts.tensors.size() + y];
  }
  static void addDistance(PairRelation &relation, const Offsets &distance,
                          bool isCertain, bool mayBeEqual, bool isOneShape,
                          RecordKind record, graph::LaunchOpInterface launch);
  RecordKind getRecordKind(graph::LaunchOpInterface launch);
  Relations *findPartition(ArrayRef<ValueTrace::State> states,
                           const BufferGroups &groups, unsigned &number);
  bool checkRelations(const Relations &relations, UndecidedAlias undecided);
  bool isKnownLaunch(graph::LaunchOpInterface launch,
                     ArrayRef<ValueTrace::State> states,
                     const BufferGroups &groups);
  bool isShielded(unsigned x, unsigned y, const Relations &relations);
  bool checkPair(unsigned x, unsigned y, const Relations &relations,
                 UndecidedAlias undecided);
  bool checkEqual(unsigned x, unsigned y, const PairRelation &relation,
                  UndecidedAlias undecided);
  bool checkEqualWindow(unsigned x, unsigned y, const KeptWindow &window,
                        const PairRelation &relation, UndecidedAlias undecided);
  void noteLaunch(InFlightDiagnostic &diag, unsigned x, unsigned y,
                  Operation *launch);
  std::string getName(unsigned tensor);

  void addPlacement(unsigned x, unsigned y, const Placement &common,
                    ArrayRef<ValueTrace::State> states, unsigned originX,
                    unsigned originY, ValueTrace &caller,
                    const SharedParams &shared);

  BoundaryFacts &facts;
  TaskDependencies dependencies;
  /// The pairs (x, y) where y could be taken for x or for a base of x's
  /// windows.
  llvm::SmallBitVector questions;
  bool hasQuestions = false;
  /// The function of the last launch, and whether one of its launches that were
  /// added certainly runs: then none after it records.
  Operation *lastCaller = nullptr;
  bool isRecorded = false;
  /// What the last launch said, when it said nothing but constants.
  SmallVector<int64_t> lastLaunch;
  /// Over all launches, and over those where the same tensors share a buffer:
  /// only among these is a recording replayed. Which do is not always certain.
  Relations all;
  std::map<std::vector<unsigned>, Relations> byPartition;
  std::map<std::vector<unsigned>, unsigned> partitionNumbers;
  bool isPartitionCertain = true;
  /// Tensors warned of already, and pairs reported.
  SmallVector<bool> isSuspect;
  DenseSet<std::pair<unsigned, unsigned>> reported;
};

} // namespace mlir::pypto::verify

#endif // PYPTO_VERIFY_BOUNDARYALIASING_H
