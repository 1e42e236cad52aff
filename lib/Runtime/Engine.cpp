//===- Engine.cpp - Runs tasks in an order of their dependencies ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Engine.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

Engine::Engine(const RunOptions &options, Executor executor)
    : options(options), executor(std::move(executor)), random(options.seed) {
  map.keepsReaders = options.orderReaders;
}

LogicalResult Engine::submit(Task task, TaskId &id) {
  id = ++numTasks;
  if (isImmediate()) {
    LogicalResult result = executor(task);
    if (options.keepTasks)
      tasks.push_back(std::move(task));
    return result;
  }
  // In a graph launch the boundary and the recorded fan-in say it all.
  if (groupBegin != kNoTask) {
    task.deps.push_back(groupBegin);
    if (options.orderReaders) {
      groupMap.collectUnordered(task, task.deps);
      groupMap.insert(task, id);
    }
  } else {
    map.collect(task, task.deps);
    map.insert(task, id);
  }
  normalize(task.deps);
  tasks.push_back(std::move(task));
  enqueue(id);
  return success();
}

void Engine::enqueue(TaskId id) {
  numWaiting.push_back(0);
  waiters.emplace_back();
  isDone.push_back(false);
  for (TaskId dep : tasks[id - 1].deps) {
    if (isDone[dep - 1])
      continue;
    ++numWaiting[id - 1];
    waiters[dep - 1].push_back(id);
  }
  if (numWaiting[id - 1] == 0)
    options.order == Order::Reverse ? newest.push(id) : ready.push_back(id);
}

TaskId Engine::takeReady() {
  if (options.order == Order::Reverse) {
    TaskId id = newest.top();
    newest.pop();
    return id;
  }
  std::swap(ready[random() % ready.size()], ready.back());
  TaskId id = ready.back();
  ready.pop_back();
  return id;
}

LogicalResult Engine::runOne() {
  TaskId id = takeReady();
  if (failed(executor(tasks[id - 1])))
    return failure();
  isDone[id - 1] = true;
  ++numDone;
  for (TaskId waiter : waiters[id - 1])
    if (--numWaiting[waiter - 1] == 0)
      options.order == Order::Reverse ? newest.push(waiter)
                                      : ready.push_back(waiter);
  return success();
}

LogicalResult Engine::runUntil(ArrayRef<TaskId> targets) {
  // Dependencies go to earlier tasks only, so some task is always ready.
  for (TaskId target : targets)
    while (!isDone[target - 1])
      if (failed(runOne()))
        return failure();
  return success();
}

LogicalResult Engine::waitFor(const TensorDescriptor &tensor) {
  if (isImmediate())
    return success();
  SmallVector<TaskId> writers;
  map.collectWriters(tensor, /*manualScope=*/0, writers);
  return runUntil(writers);
}

LogicalResult Engine::finish() {
  if (isImmediate())
    return success();
  while (numDone != numTasks)
    if (failed(runOne()))
      return failure();
  return success();
}

LogicalResult Engine::beginGroup(const Task &boundary) {
  if (isImmediate())
    return success();
  TaskId id;
  Task begin;
  begin.kind = Task::Kind::Join;
  map.collect(boundary, begin.deps);
  LogicalResult result = submit(std::move(begin), id);
  groupBegin = id;
  groupMap = DependencyMap();
  groupMap.keepsReaders = true;
  return result;
}

LogicalResult Engine::endGroup(Task boundary) {
  if (isImmediate())
    return success();
  TaskId begin = std::exchange(groupBegin, kNoTask);
  boundary.kind = Task::Kind::Join;
  for (TaskId id = begin; id <= numTasks; ++id)
    boundary.deps.push_back(id);
  TaskId id;
  return submit(std::move(boundary), id);
}
