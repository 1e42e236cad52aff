//===- Engine.h - Runs tasks in an order of their dependencies --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_ENGINE_H
#define PYPTO_RUNTIME_ENGINE_H

#include "Runtime/Runtime.h"
#include "Runtime/Task.h"
#include <queue>
#include <random>

namespace mlir::pypto::runtime {

/// The queue of the runtime. In program order a task runs when it is submitted;
/// in any other order it waits until somebody asks for what it writes, and then
/// the next task is chosen among those whose dependencies are done, by nothing
/// but the order asked for.
class Engine {
public:
  /// Runs one task.
  using Executor = std::function<LogicalResult(Task &)>;

  Engine(const RunOptions &options, Executor executor);

  /// Submits a task; its id is the position among all submitted, from 1 on.
  LogicalResult submit(Task task, TaskId &id);
  /// Runs what has to be done before an element of `tensor` is read.
  LogicalResult waitFor(const TensorDescriptor &tensor);
  /// Runs everything.
  LogicalResult finish();

  /// A graph launch: its tasks start after what its boundary waits for, and
  /// whoever waits for what the boundary writes waits for all of them.
  LogicalResult beginGroup(const Task &boundary);
  LogicalResult endGroup(Task boundary);

  TaskId getNumTasks() const { return numTasks; }
  /// Every task in the order of submission, when they are kept.
  ArrayRef<Task> getTasks() const { return tasks; }

private:
  bool isImmediate() const { return options.order == Order::Program; }
  LogicalResult runUntil(ArrayRef<TaskId> targets);
  void enqueue(TaskId id);
  TaskId takeReady();
  LogicalResult runOne();

  const RunOptions &options;
  Executor executor;
  std::mt19937_64 random;
  TaskId numTasks = 0;
  std::vector<Task> tasks;
  DependencyMap map;

  /// Of tasks that wait: how many others they wait for, and who waits for them.
  std::vector<unsigned> numWaiting;
  std::vector<SmallVector<TaskId, 2>> waiters;
  std::vector<bool> isDone;
  std::priority_queue<TaskId> newest;
  std::vector<TaskId> ready;
  TaskId numDone = 0;

  /// The join every task of the open graph launch waits for, or none.
  TaskId groupBegin = kNoTask;
  /// What the tasks of the open launch read and write, with `orderReaders`:
  /// that order comes from the program, not from the recording.
  DependencyMap groupMap;
};

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_ENGINE_H
