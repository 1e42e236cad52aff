//===- HostLaunches.cpp - Rules for what one run launches -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/HostLaunches.h"

#include "Diagnostics/Diagnostics.h"
#include "LaunchSignatures.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

/// What the runtime keeps: so many recordings at most, and so many for sure.
static constexpr unsigned kMaxGraphs = 16;
static constexpr unsigned kReliableGraphs = 8;

static constexpr uint64_t kMaxTensorsOfTask = 32;
static constexpr uint64_t kMaxScalarsOfTask = 16;
static constexpr uint64_t kMaxDepsOfTask = 128;

static bool isHostFunction(FuncOp func) {
  return func.getKind() == FunctionKind::Orchestration ||
         func.getKind() == FunctionKind::Opaque;
}

HostLaunches::HostLaunches(ModuleOp module, CalleeTies &ties) : ties(ties) {
  module.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { visit(op, asLaunch(op)); });
  finish();
}

void HostLaunches::visit(Operation *op, LaunchOpInterface launch) {
  if (auto func = dyn_cast<FuncOp>(op)) {
    last = func;
    if (isHostFunction(func) && !func.isExternal() &&
        getRuntime(func) == Runtime::HostBuildGraph)
      functions[func].func = func;
    return;
  }
  if (!launch)
    return;
  // The function opened last is mostly the one around.
  FuncOp caller = last;
  if (!caller || !caller->isProperAncestor(op))
    caller = op->getParentOfType<FuncOp>();
  if (caller && isHostFunction(caller))
    launches.emplace_back(caller, launch);
}

void HostLaunches::finish() {
  for (auto [func, launch] : launches) {
    auto caller = functions.find(func);
    if (caller == functions.end())
      continue;
    FuncOp callee = ties.getCallee(launch);
    if (!callee || callee.isDeviceFunction()) {
      tasks.push_back(launch);
      continue;
    }
    auto called = functions.find(callee);
    bool isHost = called != functions.end();
    if (isHost)
      called->second.isCalled = true;
    if (isHost || callee.isGraph())
      caller->second.launches.emplace_back(launch, callee);
  }
  launches.clear();
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Reports a task whose argument table is too long.
static bool checkTask(LaunchOpInterface launch, FuncOp callee) {
  uint64_t numTensors = 0, numScalars = 0, numDeps = 0;
  // What the runtime allocates for omitted parameters counts as well.
  if (callee)
    for (Type type : callee.getArgumentTypes())
      (isa<GraphTensorType>(type) ? numTensors : numScalars) += 1;
  for (Value dep : launch.getLaunchDeps()) {
    auto array = dyn_cast<graph::ArrayType>(dep.getType());
    numDeps += array ? array.getSize() : 1;
  }
  bool isRight = true;
  auto check = [&](uint64_t count, uint64_t limit, StringRef what) {
    if (count <= limit)
      return;
    isRight = false;
    InFlightDiagnostic diag =
        emitCodedError(launch.getLoc(), DiagnosticCode::TaskLimits);
    diag << "task in function '@"
         << launch->getParentOfType<FuncOp>().getSymName() << "' has " << count
         << " " << what << ", at most " << limit << " are possible";
    if (callee)
      diag.attachNote(callee.getLoc()) << "the kernel is declared here";
    explain(diag, "the argument table of a task is fixed", "split the task");
  };
  check(numTensors, kMaxTensorsOfTask, "tensors");
  check(numScalars, kMaxScalarsOfTask, "scalars");
  check(numDeps, kMaxDepsOfTask, "dependencies");
  return isRight;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

auto HostLaunches::getGraphs(const Function &entry) const -> FirstLaunches {
  FirstLaunches graphs;
  SmallVector<const Function *> worklist = {&entry};
  llvm::DenseSet<const Function *> visited = {&entry};
  while (!worklist.empty()) {
    const Function *function = worklist.pop_back_val();
    for (auto [launch, callee] : function->launches) {
      if (callee.isGraph())
        graphs.try_emplace(callee, launch);
      else if (const Function *called = &functions.find(callee)->second;
               visited.insert(called).second)
        worklist.push_back(called);
    }
  }
  return graphs;
}

/// Names what a run from `entry` launches, when it is too much.
static void
reportGraphs(FuncOp entry,
             ArrayRef<std::pair<Operation *, LaunchOpInterface>> graphs,
             bool isError) {
  InFlightDiagnostic diag =
      isError ? emitCodedError(entry.getLoc(), DiagnosticCode::TooManyGraphs)
              : emitCodedWarning(entry.getLoc(), DiagnosticCode::TooManyGraphs);
  diag << "a run from '@" << entry.getSymName() << "' launches "
       << graphs.size() << " graph functions, ";
  if (isError)
    diag << "at most " << kMaxGraphs << " are possible";
  else
    diag << "more than " << kReliableGraphs << " may not all be replayed";
  auto [graph, launch] = graphs[isError ? kMaxGraphs : kReliableGraphs];
  diag.attachNote(LaunchOpInterface(launch).getLoc())
      << "the first that is too much, '@" << cast<FuncOp>(graph).getSymName()
      << "', is launched here";
  explain(
      diag,
      isError ? "the cache of a run holds no more recordings"
              : "the cache of a run gets so many for sure before the "
                "earlier ones are committed",
      "merge graph functions, or make some of them orchestration functions");
}

LogicalResult HostLaunches::check() const {
  bool isRight = true;
  for (LaunchOpInterface launch : tasks)
    isRight &= checkTask(launch, ties.getCallee(launch));
  for (auto &[op, function] : functions) {
    if (function.isCalled)
      continue;
    FirstLaunches graphs = getGraphs(function);
    if (graphs.size() <= kMaxGraphs)
      continue;
    isRight = false;
    reportGraphs(function.func, graphs.getArrayRef(), /*isError=*/true);
  }
  return success(isRight);
}

void HostLaunches::warn(bool strictAliasing, IdentityLineages &lineages) const {
  verify::LaunchSignatures signatures(ties, lineages, strictAliasing);
  for (auto &[op, function] : functions)
    signatures.addFunction(function.func, function.launches);
  for (auto &[op, function] : functions) {
    if (function.isCalled)
      continue;
    FirstLaunches graphs = getGraphs(function);
    if (graphs.size() > kReliableGraphs && graphs.size() <= kMaxGraphs)
      reportGraphs(function.func, graphs.getArrayRef(), /*isError=*/false);
    if (!graphs.empty())
      signatures.compareFrom(function.func);
  }
}
