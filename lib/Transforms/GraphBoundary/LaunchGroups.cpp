//===- LaunchGroups.cpp - Launches that may share a recording -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/LaunchGroups.h"

#include "Analysis/ReplayInvariance.h"
#include <map>
#include <vector>

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Parameters that may be one buffer
//===----------------------------------------------------------------------===//

ParamAliases::ParamAliases(const GraphModule &module, bool strict)
    : strict(strict) {
  for (CallOp call : module.hostCalls)
    callsFrom[call->getParentOfType<FuncOp>()].push_back(call);
}

void ParamAliases::propagate(CalleeTies &ties, HostOrigins &hostOrigins) {
  SmallVector<FuncOp> worklist;
  for (auto &[caller, calls] : callsFrom)
    if (caller)
      worklist.push_back(cast<FuncOp>(caller));
  while (!worklist.empty()) {
    FuncOp caller = worklist.pop_back_val();
    auto it = callsFrom.find(caller);
    if (it == callsFrom.end())
      continue;
    for (CallOp call : it->second) {
      FuncOp callee = ties.getCallee(call);
      if (callee && !callee.isExternal() &&
          unite(call, callee, hostOrigins.get(caller)))
        worklist.push_back(callee);
    }
  }
  // Looking for a leader shortens the way to it, which is done once that all
  // are known: then threads may ask.
  for (const auto *member : classes)
    (void)classes.findLeader(member->getData());
}

Value ParamAliases::getClass(Value root) const {
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument)
    return root;
  if (strict)
    return argument.getOwner()->getArgument(0);
  auto it = classes.findLeader(root);
  return it == classes.member_end() ? root : *it;
}

bool ParamAliases::unite(CallOp call, FuncOp callee, Origins &origins) {
  DenseMap<Value, Value> paramOf;
  bool changed = false;
  for (auto [arg, param] : llvm::zip(call.getArgs(), callee.getArguments())) {
    if (!isa<GraphTensorType>(arg.getType()))
      continue;
    for (Value root : origins.get(arg).roots) {
      auto [it, inserted] = paramOf.try_emplace(getClass(root), param);
      if (!inserted && getClass(it->second) != getClass(param)) {
        classes.unionSets(it->second, param);
        changed = true;
      }
    }
  }
  return changed;
}

/// Whether two tensors are windows of what a loop carries, and those are
/// different buffers in every iteration: the loop hands on, in another order,
/// what it was given, and was given different buffers (as two buffers that take
/// turns).
static bool areSwapped(Value a, Value b, Origins &origins,
                       const ParamAliases &aliases) {
  const IdentityLineage &identity = origins.getIdentity();
  auto getLoop = [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : scf::ForOp();
  };
  a = origins.get(a).anchor;
  b = origins.get(b).anchor;
  if (!a || !b)
    return false;
  scf::ForOp loop = getLoop(a);
  if (!loop || loop != getLoop(b) || a == b)
    return false;
  // All that takes turns with the two.
  SmallVector<Value> cycle = {a, b};
  llvm::SmallDenseSet<Value> members(cycle.begin(), cycle.end());
  llvm::SmallDenseSet<Value> yielded, buffers;
  for (size_t i = 0; i < cycle.size(); ++i) {
    OpOperand *next =
        loop.getTiedLoopYieldedValue(cast<BlockArgument>(cycle[i]));
    OpOperand *init = loop.getTiedLoopInit(cast<BlockArgument>(cycle[i]));
    if (!next || !init)
      return false;
    Value source = identity.getSource(next->get());
    if (getLoop(source) != loop || !yielded.insert(source).second)
      return false;
    if (members.insert(source).second)
      cycle.push_back(source);
    const Origin &origin = origins.get(init->get());
    if (origin.roots.size() != 1 ||
        !buffers.insert(aliases.getClass(origin.roots.front())).second)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

const Launches &LaunchGroup::getLaunches(Value rootA, Value rootB) const {
  static const Launches none;
  if (rootA == rootB)
    return launches;
  auto it = shared.find(getKey(rootA, rootB));
  return it == shared.end() ? none : it->second;
}

namespace {
/// Sorts the launches of one function into groups.
class Grouper {
public:
  Grouper(const BoundaryPlan &plan, HostOrigins &hostOrigins,
          const ParamAliases &aliases)
      : hostOrigins(hostOrigins), aliases(aliases) {
    for (BlockArgument param : plan.func.getArguments())
      if (isa<GraphTensorType>(param.getType()))
        params.push_back(param);
  }

  void add(LaunchOpInterface launch);
  SmallVector<LaunchGroup, 0> take();

private:
  /// A launch, and the pairs that may share a buffer there.
  struct Entry {
    LaunchOpInterface launch;
    SmallVector<std::pair<Value, Value>> pairs;
    unsigned group;
    /// Set when it may record.
    std::optional<Recorder> recorder;
  };
  std::optional<Recorder> getRecorder(LaunchOpInterface launch);
  void addPair(Entry &entry, BlockArgument a, BlockArgument b,
               Origins &callerOrigins);

  HostOrigins &hostOrigins;
  const ParamAliases &aliases;
  SmallVector<BlockArgument> params;
  SmallVector<Entry, 0> entries;
  /// Groups by the first parameter in the buffer of each.
  std::map<std::vector<unsigned>, unsigned> groups;
  bool isCertain = true;
  /// The function of the last launch, and whether one of its launches that were
  /// added certainly runs: then none after it records.
  Operation *lastCaller = nullptr;
  bool isRecorded = false;
};
} // namespace

/// The first launch of a run records: of each function one up to the first that
/// certainly runs.
std::optional<Recorder> Grouper::getRecorder(LaunchOpInterface launch) {
  Operation *caller = launch->getParentOfType<FuncOp>();
  if (std::exchange(lastCaller, caller) != caller)
    isRecorded = false;
  if (isRecorded)
    return std::nullopt;
  isRecorded = isCertainlyReached(launch);
  return Recorder{launch, isRecorded};
}

void Grouper::addPair(Entry &entry, BlockArgument a, BlockArgument b,
                      Origins &callerOrigins) {
  OperandRange args = entry.launch.getLaunchArgs();
  if (!areSwapped(args[a.getArgNumber()], args[b.getArgNumber()], callerOrigins,
                  aliases))
    entry.pairs.push_back(LaunchGroup::getKey(a, b));
}

void Grouper::add(LaunchOpInterface launch) {
  Entry entry{launch, {}, 0, getRecorder(launch)};
  Origins &callerOrigins = hostOrigins.get(launch->getParentOfType<FuncOp>());
  // Launches mostly pass different buffers: a list is made of the first
  // parameter of each, and of pairs only when there is a second.
  llvm::SmallDenseMap<Value, std::pair<unsigned, Value>, 16> firstOf;
  SmallVector<std::pair<Value, BlockArgument>> others;
  SmallVector<BlockArgument> unknown;
  std::vector<unsigned> partition(params.size());
  for (auto [i, param] : llvm::enumerate(params)) {
    partition[i] = i;
    const Origin &origin =
        callerOrigins.get(launch.getLaunchArgs()[param.getArgNumber()]);
    if (origin.roots.empty())
      unknown.push_back(param);
    isCertain &= origin.roots.size() == 1;
    for (Value root : origin.roots) {
      Value buffer = aliases.getClass(root);
      auto [it, inserted] = firstOf.try_emplace(buffer, i, root);
      BlockArgument first = params[it->second.first];
      if (inserted || first == param)
        continue;
      isCertain &= it->second.second == root;
      partition[i] = it->second.first;
      addPair(entry, first, param, callerOrigins);
      for (auto &[otherBuffer, other] : others)
        if (otherBuffer == buffer && other != param)
          addPair(entry, other, param, callerOrigins);
      others.push_back({buffer, param});
    }
  }
  for (BlockArgument param : unknown)
    for (BlockArgument other : params)
      if (other != param)
        addPair(entry, other, param, callerOrigins);
  entry.group =
      groups.try_emplace(std::move(partition), groups.size()).first->second;
  entries.push_back(std::move(entry));
}

SmallVector<LaunchGroup, 0> Grouper::take() {
  SmallVector<LaunchGroup, 0> result(
      isCertain ? std::max<size_t>(groups.size(), 1) : 1);
  result.front().isCertain = isCertain;
  auto add = [](Launches &launches, const Entry &entry) {
    if (!launches.all.empty() && launches.all.back() == entry.launch)
      return;
    launches.all.push_back(entry.launch);
    if (entry.recorder)
      launches.recorders.push_back(*entry.recorder);
  };
  for (Entry &entry : entries) {
    LaunchGroup &group = result[isCertain ? entry.group : 0];
    add(group.launches, entry);
    for (auto &pair : entry.pairs)
      add(group.shared[pair], entry);
  }
  return result;
}

SmallVector<LaunchGroup, 0>
mlir::pypto::groupLaunches(const BoundaryPlan &plan, HostOrigins &hostOrigins,
                           const ParamAliases &aliases) {
  Grouper grouper(plan, hostOrigins, aliases);
  for (LaunchOpInterface launch : plan.launches)
    grouper.add(launch);
  return grouper.take();
}
