//===- Task.h - Tasks and what orders them ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_TASK_H
#define PYPTO_RUNTIME_TASK_H

#include "Runtime/Code.h"

namespace mlir::pypto::runtime {

/// A condition on an element of a tensor, looked at when the task would run.
struct Predicate {
  TensorDescriptor gate;
  SmallVector<int64_t, 4> indices;
  graph::Comparison comparison;
  uint64_t rhs;
};

/// What a task and the node that records it have in common.
struct TaskInfo {
  enum class Kind : uint8_t {
    /// Runs `callee`.
    Kernel,
    /// Fills its only tensor with its only scalar.
    Fill,
    Dummy,
    /// Allocates buffers; a node of a recording only.
    Alloc,
    /// Where a graph launch begins or ends; not a task of the program.
    Join
  };

  Kind kind = Kind::Kernel;
  Function *callee = nullptr;
  /// The operation that launched it, here or in the recording.
  Operation *op = nullptr;
  SmallVector<graph::ArgDirection, 4> directions;
  int64_t blockCount = 1;
  /// Number of the manual scope it stands in, or 0.
  unsigned manualScope = 0;
};

/// One task with all it was given.
struct Task : TaskInfo {
  /// In the order of the tensor parameters; behind them, buffers for results
  /// that are tied to no parameter.
  SmallVector<TensorDescriptor, 4> tensors;
  SmallVector<uint64_t, 4> scalars;
  /// Boundary slots the scalars are, or -1; filled while recording.
  SmallVector<int, 4> slots;
  std::optional<Predicate> predicate;
  SmallVector<TaskId, 2> deps;
  /// Number of the graph launch it belongs to, or -1, and where a replay took
  /// it from.
  int graphLaunch = -1;
  int definition = -1;
  int node = -1;

  /// Whether the program asked for it and it does something.
  bool isVisible() const { return kind == Kind::Kernel || kind == Kind::Fill; }
  /// The kernel, or what stands for one.
  StringRef getName() const;
};

/// The last writers of windows. One map for the tasks of a run, one for the
/// nodes of a recording.
///
/// In a manual scope only explicit dependencies order the tasks of the scope;
/// against tasks outside of it they are ordered as ever.
class DependencyMap {
public:
  /// Adds the tasks `task` waits for because of its operands: the last writers
  /// that overlap an `input`, an `inout` or the gate, and the task that
  /// allocated an operand.
  void collect(const Task &task, SmallVectorImpl<TaskId> &deps) const;
  /// Registers what `task` writes. An `inout` replaces the writers it covers:
  /// it waits for them. Other writers stay.
  void insert(const Task &task, TaskId id);
  /// The writers whose windows overlap `tensor`.
  void collectWriters(const TensorDescriptor &tensor, unsigned manualScope,
                      SmallVectorImpl<TaskId> &deps) const;
  /// Keeps readers too, and orders writers after them: the runtime does not.
  bool keepsReaders = false;
  /// Adds what only the program orders: the earlier readers of what `task`
  /// writes, and the earlier writers of what it writes without waiting.
  void collectUnordered(const Task &task, SmallVectorImpl<TaskId> &deps) const;

private:
  struct Access {
    TaskId task;
    unsigned manualScope;
  };
  using Accesses =
      DenseMap<Buffer *,
               std::unique_ptr<WindowIndex<TensorDescriptor, Access>>>;
  static void collect(const Accesses &accesses, const TensorDescriptor &tensor,
                      unsigned manualScope, SmallVectorImpl<TaskId> &deps);
  static WindowIndex<TensorDescriptor, Access> &get(Accesses &accesses,
                                                    Buffer *buffer);

  Accesses writers, readers;
};

/// Sorts and removes duplicates and tasks that are none.
void normalize(SmallVectorImpl<TaskId> &deps);

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_TASK_H
