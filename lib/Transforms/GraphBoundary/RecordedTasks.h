//===- RecordedTasks.h - What the tasks of a graph work on ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tasks of a graph function in the order of the text, with what each reads
// and writes, and which tasks a recording orders after which.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_RECORDEDTASKS_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_RECORDEDTASKS_H

#include "Transforms/GraphBoundary/LaunchDistances.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::pypto {

/// A place that tasks work on: a boundary tensor, a window kept on one, or what
/// is made inside.
struct TaskPlace {
  /// Number of the boundary tensor; behind those, of what is made inside.
  unsigned tensor;
  /// The window, or null for all of the tensor.
  Operation *window = nullptr;
  /// Where the window starts along the axes of the tensor; none when not known.
  std::optional<SmallVector<Bounds, 2>> offsets;
  /// Whether it is one place in all of the recording.
  bool isFixed = true;
};

/// What a task does to a place.
struct TaskAccess {
  unsigned place;
  /// Whether it is ordered after earlier writers, and later readers after it.
  bool waits, writes;
  /// Whether it is this place, and not one of several.
  bool isCertain;
};

struct RecordedTask {
  Operation *op;
  /// The manual scope around it, if one.
  Operation *manualScope = nullptr;
  /// The outermost loop or branch around it; null for a task that is recorded
  /// once.
  Operation *construct = nullptr;
  bool isInLoop = false;
  /// Whether it is recorded for certain.
  bool isReached = true;
  bool hasPredicate = false;
  SmallVector<TaskAccess, 4> accesses;
  /// Tasks it depends on explicitly, and whether there may be others.
  SmallVector<unsigned, 2> deps;
  bool hasUnknownDeps = false;
};

/// How two places lie to each other when a launch records.
enum class RecordedOverlap { Never, Always, Unknown };

/// The tasks of the function of a plan.
class RecordedTasks {
public:
  RecordedTasks(const BoundaryPlan &plan, LaunchDistances &distances,
                CalleeTies &ties);

  ArrayRef<RecordedTask> getTasks() const { return tasks; }
  const TaskPlace &getPlace(unsigned place) const { return places[place]; }
  /// The places on a boundary tensor that a task writes, or waits for.
  ArrayRef<unsigned> getWritten(unsigned tensor) const {
    return written[tensor];
  }
  ArrayRef<unsigned> getAwaited(unsigned tensor) const {
    return awaited[tensor];
  }

  using Relation = function_ref<RecordedOverlap(unsigned, unsigned)>;
  /// The tasks that a recording certainly orders after `task`, in whichever
  /// way, every time that both run; and those that it may order after it.
  /// `relate` is asked about places of different boundary tensors.
  llvm::BitVector getCertainlyAfter(unsigned task, Relation relate) const;
  llvm::BitVector getPossiblyAfter(unsigned task, Relation relate) const;

private:
  using PlaceList = SmallVector<std::pair<unsigned, bool>, 1>;

  void addTask(graph::LaunchOpInterface launch);
  void addAccess(RecordedTask &task, Value tensor, bool waits, bool writes);
  void addDeps(RecordedTask &task, Value dep);
  const PlaceList &getPlaces(Value tensor);
  PlaceList findPlaces(Value source);
  unsigned getPlaceNumber(unsigned tensor, Operation *window);
  unsigned getInnerTensor(Value root);
  RecordedOverlap relatePlaces(unsigned a, unsigned b, Relation relate) const;

  const BoundaryPlan &plan;
  LaunchDistances &distances;
  CalleeTies &ties;
  SmallVector<RecordedTask, 0> tasks;
  SmallVector<TaskPlace, 0> places;
  SmallVector<SmallVector<unsigned, 1>, 0> written, awaited;

  /// How many pairs of places are looked at in all.
  mutable uint64_t budget = uint64_t(1) << 26;

  // While they are collected.
  DenseMap<Operation *, unsigned> taskOf;
  DenseMap<Value, unsigned> tensorOf;
  DenseMap<Operation *, const KeptWindow *> keptOf;
  DenseMap<Value, PlaceList> placesOf;
  DenseMap<std::pair<unsigned, Operation *>, unsigned> placeOf;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_RECORDEDTASKS_H
