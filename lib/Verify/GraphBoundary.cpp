//===- GraphBoundary.cpp - The property GraphBoundaryLegalized ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/GraphBoundary.h"

#include "BoundaryAliasing.h"
#include "BoundaryFacts.h"
#include "Diagnostics/Diagnostics.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::verify;

namespace {
class ModuleChecker {
public:
  ModuleChecker(SymbolTableCollection &symbolTable,
                const GraphBoundaryOptions &options)
      : symbolTable(symbolTable), options(options), ties(symbolTable) {}

  LogicalResult run(ModuleOp module);

private:
  InFlightDiagnostic error(Location loc, DiagnosticCode code) {
    hasFailed = true;
    return emitCodedError(loc, code);
  }

  void collect(ModuleOp module);
  void collectSymbolUses(Operation *op);
  void checkLaunch(LaunchOpInterface launch, FuncOp callee);
  void checkCaller(LaunchOpInterface launch, FuncOp callee);
  void checkSubmit(SubmitOp submit, FuncOp callee);
  void checkAliasing();

  SymbolTableCollection &symbolTable;
  const GraphBoundaryOptions &options;
  TieTable ties;
  bool hasFailed = false;

  SmallVector<FuncOp> graphFuncs;
  SmallVector<std::pair<LaunchOpInterface, FuncOp>> launches;
  SmallVector<std::pair<Operation *, FuncOp>> otherUses;
  /// Whether an attribute refers to a symbol at all; most do not.
  DenseMap<Attribute, bool> hasReferences;
  DenseMap<Operation *, std::unique_ptr<BoundaryFacts>> facts;
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
    if (auto launch = dyn_cast<LaunchOpInterface>(op))
      if (FuncOp callee = ties.getCallee(launch))
        if (callee.isGraph())
          launches.emplace_back(launch, callee);
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
  if (auto submit = dyn_cast<SubmitOp>(launch.getOperation()))
    checkSubmit(submit, callee);
}

//===----------------------------------------------------------------------===//
// Launches together
//===----------------------------------------------------------------------===//

void ModuleChecker::checkAliasing() {
  DenseMap<Operation *, std::unique_ptr<BoundaryAliasing>> aliasing;
  for (FuncOp func : graphFuncs)
    aliasing[func] = std::make_unique<BoundaryAliasing>(*facts[func]);

  llvm::MapVector<Operation *, SmallVector<LaunchOpInterface>> byCaller;
  for (auto [launch, callee] : launches) {
    auto caller = launch->getParentOfType<FuncOp>();
    if (caller && !aliasing[callee]->isTrivial())
      byCaller[caller].push_back(launch);
  }
  for (auto &[op, group] : byCaller) {
    auto caller = cast<FuncOp>(op);
    llvm::EquivalenceClasses<unsigned> sharing;
    if (options.strictAliasing)
      for (unsigned i = 0, e = caller.getNumArguments(); i != e; ++i)
        sharing.unionSets(0, i);
    ValueTrace trace(caller, ties);
    for (LaunchOpInterface launch : group)
      aliasing[ties.getCallee(launch)]->addLaunch(launch, trace, sharing);
  }
  UndecidedAlias undecided = options.strictAliasing  ? UndecidedAlias::Refuse
                             : options.warnUndecided ? UndecidedAlias::Warn
                                                     : UndecidedAlias::Accept;
  for (FuncOp func : graphFuncs)
    if (failed(aliasing[func]->finish(undecided)))
      hasFailed = true;
}

LogicalResult ModuleChecker::run(ModuleOp module) {
  collect(module);
  for (FuncOp func : graphFuncs) {
    auto own = std::make_unique<BoundaryFacts>();
    if (failed(checkGraphFunction(func, ties, *own)))
      hasFailed = true;
    facts[func] = std::move(own);
  }
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
  return failure(hasFailed);
}

LogicalResult
mlir::pypto::verifyGraphBoundary(ModuleOp module,
                                 SymbolTableCollection &symbolTable,
                                 const GraphBoundaryOptions &options) {
  return ModuleChecker(symbolTable, options).run(module);
}
