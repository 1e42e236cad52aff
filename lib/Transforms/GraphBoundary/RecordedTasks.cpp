//===- RecordedTasks.cpp - What the tasks of a graph work on --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/RecordedTasks.h"

#include "Analysis/ReplayInvariance.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Whether `op` stands in a loop, so that it may be executed more than once.
static bool isInLoop(Operation *op) {
  while (!isa<FuncOp>(op)) {
    op = op->getParentOp();
    if (isa<LoopLikeOpInterface>(op))
      return true;
  }
  return false;
}

unsigned RecordedTasks::getPlaceNumber(unsigned tensor, Operation *window) {
  auto [it, isNew] = placeOf.try_emplace({tensor, window}, places.size());
  if (!isNew)
    return it->second;
  TaskPlace place{tensor, window, std::nullopt, true};
  if (window)
    place.isFixed = !isInLoop(window);
  if (window && tensor < plan.tensors.size()) {
    Origins &origins = distances.getOrigins();
    Distance at = measure(origins.get(window->getResult(0)),
                          origins.get(plan.tensors[tensor].value),
                          /*launch=*/nullptr);
    if (at.isByAxis && !at.forms.empty())
      place.offsets = llvm::map_to_vector<2>(at.forms, getBounds);
  }
  places.push_back(std::move(place));
  return it->second;
}

/// A number for what is made inside.
unsigned RecordedTasks::getInnerTensor(Value root) {
  return tensorOf.try_emplace(root, written.size() + tensorOf.size())
      .first->second;
}

/// The places that `source`, which is its own source, may be, and whether it
/// certainly is the one.
auto RecordedTasks::findPlaces(Value source) -> PlaceList {
  PlaceList found;
  // Merges are looked into within reason.
  constexpr unsigned kMaxVisited = 256;
  llvm::SetVector<Value> visited;
  visited.insert(source);
  for (size_t i = 0; i != visited.size() && i != kMaxVisited; ++i) {
    Value value = visited[i];
    auto tensor = tensorOf.find(value);
    if (tensor != tensorOf.end()) {
      found.push_back({getPlaceNumber(tensor->second, nullptr), true});
      continue;
    }
    Operation *op = value.getDefiningOp();
    auto kept = keptOf.find(op);
    if (op && kept != keptOf.end()) {
      for (Value base : kept->second->bases) {
        auto of = tensorOf.find(plan.resolve(base));
        if (of != tensorOf.end())
          found.push_back(
              {getPlaceNumber(of->second, op), kept->second->isChain});
      }
      continue;
    }
    ArrayRef<Value> inputs = plan.identity->getInputs(value);
    for (Value input : inputs)
      visited.insert(plan.resolve(input));
    if (!inputs.empty())
      continue;
    // A window of something made inside; what that may be is not looked into.
    Value root = value;
    while (isa_and_nonnull<SliceOp, ViewOp>(root.getDefiningOp()))
      root = plan.resolve(root.getDefiningOp()->getOperand(0));
    Operation *window = root == value ? nullptr : op;
    found.push_back({getPlaceNumber(getInnerTensor(root), window), true});
  }
  bool isOne = found.size() == 1 && visited.size() == 1;
  for (auto &[place, isCertain] : found)
    isCertain &= isOne;
  if (visited.size() <= kMaxVisited)
    return found;
  // Any at all.
  found.clear();
  for (unsigned tensor = 0, e = plan.tensors.size(); tensor != e; ++tensor)
    found.push_back({getPlaceNumber(tensor, nullptr), false});
  return found;
}

auto RecordedTasks::getPlaces(Value tensor) -> const PlaceList & {
  Value source = plan.resolve(tensor);
  auto it = placesOf.find(source);
  if (it == placesOf.end())
    it = placesOf.try_emplace(source, findPlaces(source)).first;
  return it->second;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

void RecordedTasks::addAccess(RecordedTask &task, Value tensor, bool waits,
                              bool writes) {
  for (auto [place, isCertain] : getPlaces(tensor))
    task.accesses.push_back({place, waits, writes, isCertain});
}

/// Which element is replaced, when that is a constant.
static std::optional<int64_t> getIndex(ArrayInsertOp insert,
                                       const IdentityLineage &identity) {
  if (insert.getIndex().empty())
    return insert.getStaticIndex().front();
  return getConstantIntValue(identity.getSource(insert.getIndex().front()));
}

void RecordedTasks::addDeps(RecordedTask &task, Value dep) {
  constexpr unsigned kMaxInserts = 1024;
  Value source = plan.identity->getSource(dep);
  llvm::SmallDenseSet<int64_t> overwritten;
  for (unsigned i = 0; i != kMaxInserts; ++i) {
    Operation *op = source.getDefiningOp();
    if (isa_and_nonnull<ArrayCreateOp>(op))
      return;
    if (auto insert = dyn_cast_or_null<ArrayInsertOp>(op)) {
      std::optional<int64_t> index = getIndex(insert, *plan.identity);
      if (!index)
        break;
      Value element = plan.identity->getSource(insert.getValue());
      auto it = taskOf.find(element.getDefiningOp());
      if (overwritten.insert(*index).second) {
        if (element.getDefiningOp() && it != taskOf.end())
          task.deps.push_back(it->second);
        else
          task.hasUnknownDeps = true;
      }
      source = plan.identity->getSource(insert.getArray());
      continue;
    }
    auto it = taskOf.find(op);
    if (!op || it == taskOf.end())
      break;
    task.deps.push_back(it->second);
    return;
  }
  task.hasUnknownDeps = true;
}

/// The direction of an argument: that of the launch, else that of the
/// parameter.
static ArgDirection getDirection(LaunchOpInterface launch, FuncOp callee,
                                 unsigned index) {
  if (ArrayAttr directions = launch.getLaunchDirections())
    return cast<ArgDirectionAttr>(directions[index]).getValue();
  if (llvm::is_contained(launch.getLaunchNoDep(), index))
    return ArgDirection::NoDep;
  return getDefaultDirection(callee.getParamDirection(index));
}

void RecordedTasks::addTask(LaunchOpInterface launch) {
  RecordedTask task;
  task.op = launch;
  task.isReached = isCertainlyReached(launch);
  for (Operation *op = launch->getParentOp(); op != plan.func;
       op = op->getParentOp()) {
    auto scope = dyn_cast<ScopeOp>(op);
    if (!scope && !isa<scf::ExecuteRegionOp>(op))
      task.construct = op;
    task.isInLoop |= isa<LoopLikeOpInterface>(op);
    if (scope && scope.getKind() == ScopeKind::Manual && !task.manualScope)
      task.manualScope = op;
  }
  FuncOp callee = ties.getCallee(launch);
  for (auto [i, arg] : llvm::enumerate(launch.getLaunchArgs())) {
    if (!callee || !isa<GraphTensorType>(arg.getType()))
      continue;
    ArgDirection direction = getDirection(launch, callee, i);
    bool isInOut = direction == ArgDirection::InOut;
    bool waits = isInOut || direction == ArgDirection::Input;
    bool writes = isInOut || direction == ArgDirection::Output ||
                  direction == ArgDirection::OutputExisting;
    if (waits || writes)
      addAccess(task, arg, waits, writes);
  }
  // What it makes.
  for (Value output : launch.getLaunchOutputs())
    if (isa<GraphTensorType>(output.getType()) &&
        plan.identity->getSource(output) == output)
      addAccess(task, output, /*waits=*/false, /*writes=*/true);
  if (auto submit = dyn_cast<SubmitOp>(launch.getOperation()))
    if (Value gate = submit.getGate()) {
      addAccess(task, gate, /*waits=*/true, /*writes=*/false);
      task.hasPredicate = true;
    }
  for (Value dep : launch.getLaunchDeps())
    addDeps(task, dep);
  taskOf[launch] = tasks.size();
  tasks.push_back(std::move(task));
}

RecordedTasks::RecordedTasks(const BoundaryPlan &plan,
                             LaunchDistances &distances, CalleeTies &ties)
    : plan(plan), distances(distances), ties(ties),
      written(plan.tensors.size()), awaited(plan.tensors.size()) {
  for (auto [i, tensor] : llvm::enumerate(plan.tensors))
    tensorOf[tensor.value] = i;
  for (const KeptWindow &window : plan.keptWindows)
    keptOf[window.op] = &window;
  plan.func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (LaunchOpInterface launch = asLaunch(op))
      addTask(launch);
  });
  llvm::BitVector isWritten(places.size()), isAwaited(places.size());
  auto note = [&](auto &lists, llvm::BitVector &isNoted, unsigned place) {
    unsigned tensor = places[place].tensor;
    if (tensor >= lists.size() || isNoted.test(place))
      return;
    isNoted.set(place);
    lists[tensor].push_back(place);
  };
  for (const RecordedTask &task : tasks)
    for (const TaskAccess &access : task.accesses) {
      if (access.writes)
        note(written, isWritten, access.place);
      if (access.waits)
        note(awaited, isAwaited, access.place);
    }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// How two places lie when a launch records.
RecordedOverlap RecordedTasks::relatePlaces(unsigned a, unsigned b,
                                            Relation relate) const {
  // Then nothing is known any more.
  if (budget == 0)
    return RecordedOverlap::Unknown;
  --budget;
  const TaskPlace &first = places[a], &second = places[b];
  unsigned numBoundary = plan.tensors.size();
  if (first.tensor == second.tensor) {
    bool isSame = a == b && first.isFixed;
    return isSame || !first.window || !second.window ? RecordedOverlap::Always
                                                     : RecordedOverlap::Unknown;
  }
  if (first.tensor >= numBoundary || second.tensor >= numBoundary)
    return RecordedOverlap::Never;
  return relate(a, b);
}

/// In a manual scope nothing but explicit dependencies orders the tasks of the
/// scope.
static bool areTracked(const RecordedTask &a, const RecordedTask &b) {
  return !a.manualScope || a.manualScope != b.manualScope;
}

llvm::BitVector RecordedTasks::getCertainlyAfter(unsigned first,
                                                 Relation relate) const {
  llvm::BitVector after(tasks.size());
  // What the tasks found so far write, by a task of each manual scope.
  SmallVector<std::pair<unsigned, unsigned>> writes;
  llvm::SmallDenseSet<std::pair<Operation *, unsigned>> known;
  auto addWrites = [&](unsigned number) {
    for (const TaskAccess &access : tasks[number].accesses)
      if (access.writes && access.isCertain &&
          known.insert({tasks[number].manualScope, access.place}).second)
        writes.push_back({number, access.place});
  };
  auto isAfter = [&](const RecordedTask &task) {
    // Of what is recorded more than once, the id is that of the last one.
    if (llvm::any_of(task.deps, [&](unsigned dep) {
          return dep == first ? !tasks[first].construct
                              : dep > first && after.test(dep);
        }))
      return true;
    return llvm::any_of(writes, [&](auto write) {
      return areTracked(tasks[write.first], task) &&
             llvm::any_of(task.accesses, [&](const TaskAccess &access) {
               return access.waits && access.isCertain &&
                      relatePlaces(write.second, access.place, relate) ==
                          RecordedOverlap::Always;
             });
    });
  };
  addWrites(first);
  // Iterations of a loop come one after the other.
  Operation *loop = tasks[first].construct;
  for (unsigned number = 0; number != first && loop; ++number)
    if (tasks[number].construct == loop && isAfter(tasks[number]))
      after.set(number);
  for (unsigned number = first + 1, e = tasks.size(); number != e; ++number) {
    if (!isAfter(tasks[number]))
      continue;
    after.set(number);
    // What stands in a branch may not be recorded at all.
    if (tasks[number].isReached)
      addWrites(number);
  }
  return after;
}

llvm::BitVector RecordedTasks::getPossiblyAfter(unsigned first,
                                                Relation relate) const {
  llvm::BitVector after(tasks.size());
  after.set(first);
  // The places that the tasks found so far touch, with whether they write them.
  llvm::SmallDenseSet<std::pair<unsigned, unsigned>> touched;
  auto touch = [&](unsigned number) {
    for (const TaskAccess &access : tasks[number].accesses)
      touched.insert({access.place, access.writes});
  };
  auto mayWait = [&](const RecordedTask &task) {
    return task.hasUnknownDeps ||
           llvm::any_of(task.deps,
                        [&](unsigned dep) { return after.test(dep); }) ||
           llvm::any_of(task.accesses, [&](const TaskAccess &access) {
             return llvm::any_of(touched, [&](auto earlier) {
               return (access.writes || earlier.second) &&
                      relatePlaces(earlier.first, access.place, relate) !=
                          RecordedOverlap::Never;
             });
           });
  };
  // Iterations of a loop bring what stands below before what stands above.
  auto touchRestOf = [&](unsigned number) {
    Operation *construct = tasks[number].construct;
    for (; number != tasks.size() && tasks[number].construct == construct;
         ++number)
      if (after.test(number))
        touch(number);
  };
  bool changed = true;
  while (changed) {
    changed = false;
    touched.clear();
    Operation *construct = nullptr;
    for (unsigned number = 0, e = tasks.size(); number != e; ++number) {
      const RecordedTask &task = tasks[number];
      if (task.construct && task.construct != construct)
        touchRestOf(number);
      construct = task.construct;
      if (!after.test(number)) {
        if (touched.empty() || !mayWait(task))
          continue;
        after.set(number);
        changed = true;
      }
      touch(number);
    }
  }
  after.reset(first);
  return after;
}
