//===- TaskDependencies.h - Dependencies that a recording lacks -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recorded task waits for the earlier writers of what it reads or updates, as
// the windows lay when the launch was recorded. Where two boundary tensors of
// one buffer are apart then and overlap at a later launch, a replay lacks the
// dependency of a task that works on the one from a task that wrote the other.
// Private to lib/Verify.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_TASKDEPENDENCIES_H
#define PYPTO_VERIFY_TASKDEPENDENCIES_H

#include "BoundaryFacts.h"

namespace mlir::pypto::verify {

/// Whether a launch may be the first one of a run, which records, and whether
/// it then is in the first iteration of the loops around it.
enum class RecordKind { Never, FirstIteration, AnyIteration };

/// What to do where nothing is proved either way.
enum class UndecidedAlias { Accept, Warn, Refuse };

/// How two boundary tensors lie to each other at a launch.
struct Placement {
  graph::LaunchOpInterface launch;
  RecordKind record;
  /// Launches of different partitions do not replay each other.
  unsigned partition;
  /// From the first one to the second: over all executions, and when one
  /// records; by dimension, or in elements. Empty ones are not known.
  SmallVector<LinearForm, 2> distance;
  SmallVector<ValueSet, 2> recorded;
  /// Whether it is by dimension, and the tensors whose dimensions count.
  bool isByDimension = true;
  graph::GraphTensorType frames[2];
  /// Whether the first one holds all of the second, or the other way round.
  bool holdsSecond = false, isInSecond = false;
  /// Whether they certainly share the buffer.
  bool isCertain = true;
};

/// Collects how the tensors of one graph function lie at its launches, and
/// judges what that means for the order of its tasks.
class TaskDependencies {
public:
  TaskDependencies(BoundaryFacts &facts, TieTable &ties)
      : facts(facts), ties(ties) {}

  /// Whether it matters how the two lie to each other: a task writes the first
  /// one, and one waits for writers of the second one.
  bool concerns(unsigned first, unsigned second) const {
    return first != second && facts.tensors[first].isWritten &&
           facts.tensors[second].isAwaited;
  }
  void add(unsigned first, unsigned second, Placement placement);

  /// Reports what is missing. `isPartitionCertain` says whether the partitions
  /// of all placements are.
  LogicalResult finish(bool isPartitionCertain, UndecidedAlias undecided);

private:
  BoundaryFacts &facts;
  TieTable &ties;
  llvm::MapVector<std::pair<unsigned, unsigned>, SmallVector<Placement, 1>>
      placements;
};

} // namespace mlir::pypto::verify

#endif // PYPTO_VERIFY_TASKDEPENDENCIES_H
