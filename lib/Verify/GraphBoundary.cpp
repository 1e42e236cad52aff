//===- GraphBoundary.cpp - The property GraphBoundaryLegalized ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/GraphBoundary.h"

#include "Analysis/Parts.h"
#include "BoundaryAliasing.h"
#include "BoundaryFacts.h"
#include "Diagnostics/Diagnostics.h"
#include "Verify/HostLaunches.h"
#include "llvm/ADT/BitVector.h"

#include <atomic>

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::verify;

namespace {
class ModuleChecker {
public:
  ModuleChecker(MLIRContext *context, SymbolTableCollection &symbolTable,
                const GraphBoundaryOptions &options)
      : context(context), symbolTable(symbolTable), options(options),
        ties(symbolTable) {}

  LogicalResult run(ModuleOp module);

private:
  InFlightDiagnostic error(Location loc, DiagnosticCode code) {
    hasFailed = true;
    return emitCodedError(loc, code);
  }

  void collect(ModuleOp module);
  void checkGraphFunctions();
  void collectSymbolUses(Operation *op);
  void checkLaunch(LaunchOpInterface launch, FuncOp callee);
  const llvm::BitVector &getUntiedParams(FuncOp func);
  void checkResults(LaunchOpInterface launch, FuncOp callee);
  void checkCaller(LaunchOpInterface launch, FuncOp callee);
  void checkSubmit(SubmitOp submit, FuncOp callee);
  using LaunchLists = DenseMap<Operation *, SmallVector<LaunchOpInterface>>;
  void checkAliasing();
  LogicalResult checkAliasing(ArrayRef<FuncOp> funcs,
                              const LaunchLists &launchesOf);
  void joinSharedParams();
  bool joinSharedArgs(LaunchOpInterface call, FuncOp callee, ValueTrace &trace,
                      const SharedParams &ofCaller);

  MLIRContext *context;
  SymbolTableCollection &symbolTable;
  const GraphBoundaryOptions &options;
  TieTable ties;
  DenseMap<Operation *, llvm::BitVector> untiedParams;
  bool hasFailed = false;

  SmallVector<FuncOp> graphFuncs;
  SmallVector<std::pair<LaunchOpInterface, FuncOp>> launches;
  /// Calls of host functions that have a body.
  SmallVector<std::pair<LaunchOpInterface, FuncOp>> hostCalls;
  SmallVector<std::pair<Operation *, FuncOp>> otherUses;
  /// Whether an attribute refers to a symbol at all; most do not.
  DenseMap<Attribute, bool> hasReferences;
  DenseMap<Operation *, std::unique_ptr<BoundaryFacts>> facts;
  /// By function, the parameters that may be one buffer.
  DenseMap<Operation *, SharedParams> shared;
};
} // namespace

//===----------------------------------------------------------------------===//
// One walk over the module
//===----------------------------------------------------------------------===//

/// The attributes of `op` where a symbol may hide. The operations of this
/// project and of MLIR's arithmetic keep none in their properties but the
/// callee of a launch.
static DictionaryAttr getSearchedAttrs(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  bool isKnown = op->isRegistered() && !isa<FuncOp>(op) &&
                 (dialect == "graph" || dialect == "arith" ||
                  dialect == "scf" || dialect == "math" || dialect == "index");
  if (isKnown && op->getPropertiesStorageSize() != 0)
    return op->getRawDictionaryAttrs();
  return op->getAttrDictionary();
}

void ModuleChecker::collectSymbolUses(Operation *op) {
  DictionaryAttr attrs = getSearchedAttrs(op);
  if (attrs.empty())
    return;
  auto [it, isNew] = hasReferences.try_emplace(attrs, false);
  if (isNew) {
    bool found =
        attrs.walk([](SymbolRefAttr) { return WalkResult::interrupt(); })
            .wasInterrupted();
    hasReferences[attrs] = found;
    if (!found)
      return;
  } else if (!it->second) {
    return;
  }
  attrs.walk<WalkOrder::PreOrder>([&](SymbolRefAttr symbol) {
    auto func = symbolTable.lookupNearestSymbolFrom<FuncOp>(op, symbol);
    if (func && func.isGraph())
      otherUses.emplace_back(op, func);
    return WalkResult::skip();
  });
}

void ModuleChecker::collect(ModuleOp module) {
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto func = dyn_cast<FuncOp>(op))
      if (func.isGraph())
        graphFuncs.push_back(func);
    if (LaunchOpInterface launch = asLaunch(op)) {
      FuncOp callee = ties.getCallee(launch);
      if (callee && callee.isGraph())
        launches.emplace_back(launch, callee);
      else if (callee && !callee.isDeviceFunction() && !callee.isExternal())
        hostCalls.emplace_back(launch, callee);
    }
    collectSymbolUses(op);
  });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void ModuleChecker::checkCaller(LaunchOpInterface launch, FuncOp callee) {
  for (Operation *op = launch->getParentOp(); op && !isa<FuncOp>(op);
       op = op->getParentOp()) {
    auto scope = dyn_cast<ScopeOp>(op);
    if (!scope ||
        (!scope.isDeviceScope() && scope.getKind() != ScopeKind::Graph))
      continue;
    InFlightDiagnostic diag = error(launch->getLoc(), DiagnosticCode::Caller);
    diag << "graph function '@" << callee.getSymName()
         << "' is launched in a scope of kind '"
         << stringifyScopeKind(scope.getKind()) << "'";
    diag.attachNote(scope.getLoc()) << "the scope is here";
    return;
  }
  auto caller = launch->getParentOfType<FuncOp>();
  // A graph in a graph is reported with the outer one's body.
  if (caller &&
      (caller.isGraph() || caller.getKind() == FunctionKind::Orchestration ||
       caller.getKind() == FunctionKind::Opaque))
    return;
  InFlightDiagnostic diag = error(launch->getLoc(), DiagnosticCode::Caller);
  diag << "graph function '@" << callee.getSymName() << "' is launched from ";
  if (caller)
    diag << "'@" << caller.getSymName() << "' of kind '"
         << stringifyFunctionKind(caller.getKind()) << "'";
  else
    diag << "outside of any function of this dialect";
  diag.attachNote() << "only 'orchestration' and 'opaque' functions launch a "
                       "graph";
}

void ModuleChecker::checkSubmit(SubmitOp submit, FuncOp callee) {
  std::string what =
      ("launch of graph function '@" + callee.getSymName() + "'").str();
  if (!submit.getDeps().empty()) {
    InFlightDiagnostic diag =
        error(submit.getLoc(), DiagnosticCode::LaunchDeps);
    diag << what << " has explicit dependencies";
    diag.attachNote() << "such a launch is not cached; the order follows from "
                         "the directions of the boundary tensors";
  }
  if (submit.getGate()) {
    InFlightDiagnostic diag =
        error(submit.getLoc(), DiagnosticCode::LaunchPredicate);
    diag << what << " has a predicate";
    diag.attachNote() << "the runtime drops it and always runs the graph; "
                         "predicate the tasks inside or branch in the caller";
  }
  if (submit.getCoreNum() || submit.getSyncStart()) {
    InFlightDiagnostic diag =
        error(submit.getLoc(), DiagnosticCode::LaunchSpec);
    diag << what << " has '"
         << (submit.getCoreNum() ? "core_num" : "sync_start") << "'";
    diag.attachNote()
        << "a graph launch has no launch specification; its tasks "
           "have";
  }
  if (!submit.getTask().use_empty()) {
    InFlightDiagnostic diag =
        error(submit.getLoc(), DiagnosticCode::LaunchTaskId);
    diag << "task id of a " << what << " is used";
    // The last one in the list is the first in the text.
    Operation *user = nullptr;
    for (Operation *each : submit.getTask().getUsers())
      user = each;
    diag.attachNote(user->getLoc()) << "it is used here";
    diag.attachNote()
        << "the id is valid only when the launch was replayed; the "
           "order follows from the boundary tensors";
  }
}

/// The results of `func` that are one of its parameters although they are not
/// tied; of a declaration, all that are not tied.
const llvm::BitVector &ModuleChecker::getUntiedParams(FuncOp func) {
  auto [it, isNew] = untiedParams.try_emplace(func);
  llvm::BitVector &untied = it->second;
  if (!isNew)
    return untied;
  untied.resize(func.getNumResults());
  std::optional<ValueTrace> trace;
  for (unsigned i = 0, e = func.getNumResults(); i != e; ++i) {
    if (func.getTiedParam(i))
      continue;
    untied[i] = func.isExternal();
    if (func.isExternal())
      continue;
    if (!trace)
      trace.emplace(func, ties);
    Block &body = func.getBody().front();
    auto source = dyn_cast<BlockArgument>(
        trace->getIdentity(body.getTerminator()->getOperand(i)));
    untied[i] = source && source.getOwner() == &body;
  }
  return untied;
}

/// What is computed is reported with the body that returns it.
void ModuleChecker::checkResults(LaunchOpInterface launch, FuncOp callee) {
  for (auto [i, result] : llvm::enumerate(launch.getLaunchOutputs())) {
    if (result.use_empty() || !getUntiedParams(callee)[i])
      continue;
    InFlightDiagnostic diag =
        error(launch->getLoc(), DiagnosticCode::ComputedReturn);
    diag << "result #" << i << " of the launch of graph function '@"
         << callee.getSymName() << "' is used, but not tied to a parameter";
    diag.attachNote(callee.getLoc()) << "the graph function is here";
    diag.attachNote() << "a graph launch gives nothing back but its arguments; "
                         "run normalize-returns, or write the name of a "
                         "parameter as the result";
  }
}

void ModuleChecker::checkLaunch(LaunchOpInterface launch, FuncOp callee) {
  checkCaller(launch, callee);
  if (launch.getLaunchArgs().size() < callee.getNumArguments()) {
    InFlightDiagnostic diag =
        error(launch->getLoc(), DiagnosticCode::LaunchArgs);
    diag << "launch of graph function '@" << callee.getSymName() << "' passes "
         << launch.getLaunchArgs().size() << " of " << callee.getNumArguments()
         << " parameters";
    diag.attachNote()
        << "the runtime allocates omitted arguments of tasks, not "
           "of graphs";
  }
  checkResults(launch, callee);
  if (auto submit = dyn_cast<SubmitOp>(launch.getOperation()))
    checkSubmit(submit, callee);
}

//===----------------------------------------------------------------------===//
// Launches together
//===----------------------------------------------------------------------===//

/// Joins the parameters of `callee` that this call passes one buffer for;
/// returns whether that is news.
bool ModuleChecker::joinSharedArgs(LaunchOpInterface call, FuncOp callee,
                                   ValueTrace &trace,
                                   const SharedParams &ofCaller) {
  SharedParams &params = shared[callee];
  unsigned before = params.getNumClasses();
  DenseMap<Value, unsigned> firstIn;
  std::optional<unsigned> anywhere;
  for (auto [i, arg] : llvm::enumerate(call.getLaunchArgs())) {
    if (!isa<GraphTensorType>(arg.getType()))
      continue;
    ValueTrace::State state = trace.getState(arg);
    if (state.isUnknown)
      anywhere = i;
    for (const Origin &origin : state.origins) {
      auto [it, isNew] =
          firstIn.try_emplace(ofCaller.getBuffer(origin.root), i);
      if (!isNew)
        params.join(it->second, i);
    }
  }
  // What may be anything may be any of the others.
  if (anywhere)
    for (auto [i, arg] : llvm::enumerate(call.getLaunchArgs()))
      if (isa<GraphTensorType>(arg.getType()))
        params.join(*anywhere, i);
  return params.getNumClasses() != before;
}

/// Different parameters are different buffers unless a call in the module
/// passes one buffer twice. Every round that is not the last joins parameters.
void ModuleChecker::joinSharedParams() {
  for (auto [call, callee] : hostCalls)
    if (auto caller = call->getParentOfType<FuncOp>()) {
      shared.try_emplace(caller, caller.getNumArguments());
      shared.try_emplace(callee, callee.getNumArguments());
    }
  for (auto [launch, callee] : launches)
    if (auto caller = launch->getParentOfType<FuncOp>())
      shared.try_emplace(caller, caller.getNumArguments());
  if (options.strictAliasing)
    for (auto &[func, params] : shared)
      for (unsigned i = 1; i < cast<FuncOp>(func).getNumArguments(); ++i)
        params.join(0, i);

  llvm::MapVector<Operation *,
                  SmallVector<std::pair<LaunchOpInterface, FuncOp>>>
      byCaller;
  for (auto [call, callee] : hostCalls)
    if (auto caller = call->getParentOfType<FuncOp>())
      byCaller[caller].emplace_back(call, callee);
  DenseMap<Operation *, std::unique_ptr<ValueTrace>> traces;
  llvm::SetVector<Operation *> worklist;
  for (auto &[caller, calls] : llvm::reverse(byCaller))
    worklist.insert(caller);
  while (!worklist.empty()) {
    auto caller = cast<FuncOp>(worklist.pop_back_val());
    std::unique_ptr<ValueTrace> &trace = traces[caller];
    if (!trace)
      trace = std::make_unique<ValueTrace>(caller, ties);
    for (auto [call, callee] : byCaller[caller])
      if (joinSharedArgs(call, callee, *trace, shared.find(caller)->second) &&
          byCaller.contains(callee))
        worklist.insert(callee);
  }
}

LogicalResult ModuleChecker::checkAliasing(ArrayRef<FuncOp> funcs,
                                           const LaunchLists &launchesOf) {
  // What is known of a caller is kept for all its launches of these functions.
  TieTable ownTies(symbolTable);
  llvm::MapVector<Operation *, std::unique_ptr<BoundaryAliasing>> aliasing;
  llvm::MapVector<Operation *,
                  SmallVector<std::pair<LaunchOpInterface, FuncOp>>>
      byCaller;
  for (FuncOp func : funcs) {
    auto &entry = aliasing[func];
    entry =
        std::make_unique<BoundaryAliasing>(*facts.find(func)->second, ownTies);
    auto found = launchesOf.find(func);
    if (found == launchesOf.end() || entry->isTrivial())
      continue;
    for (LaunchOpInterface launch : found->second)
      if (auto caller = launch->getParentOfType<FuncOp>())
        byCaller[caller].emplace_back(launch, func);
  }
  for (auto &[op, group] : byCaller) {
    ValueTrace trace(cast<FuncOp>(op), ownTies);
    for (auto [launch, callee] : group)
      aliasing[callee]->addLaunch(launch, trace, shared.find(op)->second);
  }
  UndecidedAlias undecided = options.strictAliasing  ? UndecidedAlias::Refuse
                             : options.warnUndecided ? UndecidedAlias::Warn
                                                     : UndecidedAlias::Accept;
  bool isRight = true;
  for (auto &[func, entry] : aliasing)
    isRight &= succeeded(entry->finish(undecided));
  return success(isRight);
}

void ModuleChecker::checkAliasing() {
  joinSharedParams();
  for (auto &[func, params] : shared)
    params.flatten();
  LaunchLists launchesOf;
  for (auto [launch, callee] : launches)
    launchesOf[callee].push_back(launch);
  std::atomic<bool> isRight = true;
  // Callers are traced once in each part.
  forEachPart(context, MutableArrayRef(graphFuncs), /*partsPerThread=*/1,
              [&](ArrayRef<FuncOp> part) {
                if (failed(checkAliasing(part, launchesOf)))
                  isRight = false;
              });
  hasFailed |= !isRight;
}

void ModuleChecker::checkGraphFunctions() {
  for (FuncOp func : graphFuncs)
    facts[func] = std::make_unique<BoundaryFacts>();
  // All symbols have been looked up, so that the tables are only read.
  std::atomic<bool> isRight = true;
  forEachPart(context, MutableArrayRef(graphFuncs), /*partsPerThread=*/8,
              [&](ArrayRef<FuncOp> part) {
                TieTable ownTies(symbolTable);
                for (FuncOp func : part)
                  if (failed(checkGraphFunction(func, ownTies,
                                                *facts.find(func)->second)))
                    isRight = false;
              });
  hasFailed |= !isRight;
}

LogicalResult ModuleChecker::run(ModuleOp module) {
  collect(module);
  checkGraphFunctions();
  for (auto [launch, callee] : launches)
    checkLaunch(launch, callee);
  for (auto [op, func] : otherUses) {
    InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::SymbolUse);
    diag << "'" << op->getName() << "' refers to graph function '@"
         << func.getSymName() << "' but is no launch of it";
    diag.attachNote() << "the symbol is the key of the recording; only "
                         "'graph.call' and 'graph.submit' may use it";
  }
  checkAliasing();
  CalleeTies calleeTies(symbolTable);
  HostLaunches hostLaunches(module, calleeTies);
  if (failed(hostLaunches.check()))
    hasFailed = true;
  if (options.warnUndecided && !hasFailed) {
    IdentityLineages lineages(calleeTies);
    hostLaunches.warn(options.strictAliasing, lineages);
  }
  return failure(hasFailed);
}

LogicalResult
mlir::pypto::verifyGraphBoundary(ModuleOp module,
                                 SymbolTableCollection &symbolTable,
                                 const GraphBoundaryOptions &options) {
  return ModuleChecker(module.getContext(), symbolTable, options).run(module);
}
