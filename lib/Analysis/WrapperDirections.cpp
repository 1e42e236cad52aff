//===- WrapperDirections.cpp - What wrappers really write -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/WrapperDirections.h"

#include "Analysis/BufferLineage.h"
#include "Analysis/IdentityLineage.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

static ParamDirection join(ParamDirection a, ParamDirection b) {
  static_assert(ParamDirection::In < ParamDirection::Out &&
                    ParamDirection::Out < ParamDirection::InOut,
                "the enumeration is in the order of the lattice");
  return std::max(a, b);
}

/// Whether `value` came out of a function that runs on the host, which may
/// return any window of what it got.
static bool isHostResult(Value value, CalleeTies &ties) {
  Operation *op = value.getDefiningOp();
  LaunchOpInterface launch = op ? asLaunch(op) : LaunchOpInterface();
  FuncOp callee = launch ? ties.getCallee(launch) : FuncOp();
  return callee && !callee.isDeviceFunction();
}

namespace {
class WrapperSolver {
public:
  WrapperSolver(ModuleOp module, CalleeTies &ties) : ties(ties) {
    module.walk<WalkOrder::PreOrder>([&](FuncOp func) {
      if (!isWrapper(func) || func.isExternal())
        return;
      SmallVector<ParamDirection> &params = directions[func];
      for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
        params.push_back(func.getParamDirection(i));
    });
    for (auto &[func, params] : directions)
      readBody(cast<FuncOp>(func));
    solve();
  }

  WrapperDirections directions;

private:
  using Param = std::pair<Operation *, unsigned>;

  void readBody(FuncOp wrapper);
  void readLaunch(FuncOp wrapper, LaunchOpInterface launch, FuncOp callee);
  void solve();
  void promote(Param param, ParamDirection direction) {
    ParamDirection &current =
        directions.find(param.first)->second[param.second];
    ParamDirection joined = join(current, direction);
    if (joined == current)
      return;
    current = joined;
    worklist.push_back(param);
  }

  CalleeTies &ties;
  /// The parameters that are passed on to a wrapper's parameter, whole or in
  /// part.
  DenseMap<Param, SmallVector<std::pair<Param, bool>, 1>> forwarders;
  SmallVector<Param> worklist;
  std::optional<IdentityLineage> identities;
  std::optional<BufferLineage> buffers;
};
} // namespace

/// What passing a parameter declared `declared` on to one of direction `inner`
/// says about it.
static ParamDirection getContribution(ParamDirection declared,
                                      ParamDirection inner, bool isWhole) {
  // Of a window that is only written the rest lives on, unless the declaration
  // says that all of the parameter is written.
  if (!isWhole && inner == ParamDirection::Out &&
      declared == ParamDirection::In)
    return ParamDirection::InOut;
  return inner;
}

void WrapperSolver::readLaunch(FuncOp wrapper, LaunchOpInterface launch,
                               FuncOp callee) {
  auto calleeEntry = directions.find(callee);
  unsigned numArgs =
      std::min<size_t>(launch.getLaunchArgs().size(), callee.getNumArguments());
  for (unsigned i = 0; i != numArgs; ++i) {
    Value arg = launch.getLaunchArgs()[i];
    if (!isa<GraphTensorType>(arg.getType()))
      continue;
    auto add = [&](BlockArgument param, bool isWhole) {
      Param from = {wrapper, param.getArgNumber()};
      if (calleeEntry != directions.end())
        forwarders[{callee, i}].push_back({from, isWhole});
      promote(from,
              getContribution(wrapper.getParamDirection(param.getArgNumber()),
                              callee.getParamDirection(i), isWhole));
    };
    if (!identities)
      identities.emplace(wrapper, ties);
    if (BlockArgument param = identities->getParameter(arg)) {
      add(param, /*isWhole=*/true);
      continue;
    }
    if (!buffers)
      buffers.emplace(wrapper, ties);
    ArrayRef<Value> roots = buffers->getRoots(arg);
    if (roots.empty() || llvm::any_of(roots, [&](Value root) {
          return isHostResult(root, ties);
        })) {
      for (BlockArgument param : wrapper.getArguments())
        if (isa<GraphTensorType>(param.getType()))
          add(param, /*isWhole=*/false);
      continue;
    }
    for (Value root : roots)
      if (auto param = dyn_cast<BlockArgument>(root))
        if (param.getOwner() == &wrapper.getBody().front())
          add(param, /*isWhole=*/false);
  }
}

void WrapperSolver::readBody(FuncOp wrapper) {
  identities.reset();
  buffers.reset();
  wrapper.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    LaunchOpInterface launch = asLaunch(op);
    FuncOp callee = launch ? ties.getCallee(launch) : FuncOp();
    if (callee && callee.isDeviceFunction())
      readLaunch(wrapper, launch, callee);
  });
}

void WrapperSolver::solve() {
  while (!worklist.empty()) {
    Param param = worklist.pop_back_val();
    ParamDirection inner = directions.find(param.first)->second[param.second];
    auto it = forwarders.find(param);
    if (it == forwarders.end())
      continue;
    for (auto [from, isWhole] : it->second)
      promote(from, getContribution(
                        cast<FuncOp>(from.first).getParamDirection(from.second),
                        inner, isWhole));
  }
}

WrapperDirections mlir::pypto::computeWrapperDirections(ModuleOp module,
                                                        CalleeTies &ties) {
  return WrapperSolver(module, ties).directions;
}
