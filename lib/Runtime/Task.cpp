//===- Task.cpp - Tasks and what orders them ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Task.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

StringRef Task::getName() const {
  switch (kind) {
  case Kind::Kernel:
    return callee->name;
  case Kind::Fill:
    return "graph.full";
  case Kind::Dummy:
    return "graph.task_dummy";
  case Kind::Alloc:
  case Kind::Join:
    break;
  }
  return "";
}

static bool isTracked(const Task &task, unsigned i) {
  return task.directions[i] != ArgDirection::NoDep &&
         !task.tensors[i].manualDep;
}

static bool waitsForWriters(ArgDirection direction) {
  return direction == ArgDirection::Input || direction == ArgDirection::InOut;
}

static bool writes(ArgDirection direction) {
  return direction == ArgDirection::InOut ||
         direction == ArgDirection::Output ||
         direction == ArgDirection::OutputExisting;
}

void DependencyMap::collect(const Accesses &accesses,
                            const TensorDescriptor &tensor,
                            unsigned manualScope,
                            SmallVectorImpl<TaskId> &deps) {
  auto it = accesses.find(tensor.buffer);
  if (it == accesses.end())
    return;
  it->second->forEachOverlap(tensor, [&](const auto &entry) {
    if (manualScope == 0 || entry.value.manualScope != manualScope)
      deps.push_back(entry.value.task);
  });
}

WindowIndex<TensorDescriptor, DependencyMap::Access> &
DependencyMap::get(Accesses &accesses, Buffer *buffer) {
  auto &index = accesses[buffer];
  if (!index)
    index = std::make_unique<WindowIndex<TensorDescriptor, Access>>();
  return *index;
}

void DependencyMap::collectWriters(const TensorDescriptor &tensor,
                                   unsigned manualScope,
                                   SmallVectorImpl<TaskId> &deps) const {
  collect(writers, tensor, manualScope, deps);
}

void DependencyMap::collect(const Task &task,
                            SmallVectorImpl<TaskId> &deps) const {
  for (auto [i, tensor] : llvm::enumerate(task.tensors)) {
    if (!isTracked(task, i))
      continue;
    if (tensor.owner != kNoTask)
      deps.push_back(tensor.owner);
    if (waitsForWriters(task.directions[i]))
      collectWriters(tensor, task.manualScope, deps);
    if (keepsReaders && writes(task.directions[i])) {
      collectWriters(tensor, task.manualScope, deps);
      collect(readers, tensor, task.manualScope, deps);
    }
  }
  if (task.predicate)
    collectWriters(task.predicate->gate, task.manualScope, deps);
}

void DependencyMap::collectUnordered(const Task &task,
                                     SmallVectorImpl<TaskId> &deps) const {
  for (auto [i, tensor] : llvm::enumerate(task.tensors)) {
    if (!isTracked(task, i) || !writes(task.directions[i]))
      continue;
    collect(readers, tensor, task.manualScope, deps);
    if (!waitsForWriters(task.directions[i]))
      collectWriters(tensor, task.manualScope, deps);
  }
}

void DependencyMap::insert(const Task &task, TaskId id) {
  for (auto [i, tensor] : llvm::enumerate(task.tensors)) {
    if (!isTracked(task, i))
      continue;
    ArgDirection direction = task.directions[i];
    Access access{id, task.manualScope};
    if (keepsReaders && waitsForWriters(direction))
      get(readers, tensor.buffer).insert(tensor, access);
    if (!writes(direction))
      continue;
    auto &entries = get(writers, tensor.buffer);
    if (direction == ArgDirection::InOut && task.manualScope == 0)
      entries.eraseOverlapsIf(tensor, [&](const auto &entry) {
        return entry.value.manualScope == 0 && covers(tensor, entry.window);
      });
    entries.insert(tensor, access);
  }
  if (keepsReaders && task.predicate) {
    const TensorDescriptor &gate = task.predicate->gate;
    get(readers, gate.buffer).insert(gate, {id, task.manualScope});
  }
}

void mlir::pypto::runtime::normalize(SmallVectorImpl<TaskId> &deps) {
  llvm::sort(deps);
  deps.erase(llvm::unique(deps), deps.end());
  if (!deps.empty() && deps.front() == kNoTask)
    deps.erase(deps.begin());
}
