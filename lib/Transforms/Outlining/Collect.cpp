//===- Collect.cpp - Finding the scopes of a module -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "Transforms/Outlining/Outliner.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

namespace {
/// Where an operation stands.
struct Place {
  /// The function around it, if a launch here could name a function beside that
  /// one.
  FuncOp func;
  /// The innermost scopes around it that launch something.
  ScopeOp graphScope, deviceScope;
  OutlinedScope *outer = nullptr;
};

class Collector {
public:
  explicit Collector(OutliningPlan &plan) : plan(plan) {}

  void visit(Operation *op, const Place &place);

private:
  Place enter(Operation *op, const Place &place);
  void visitScope(ScopeOp scope, const Place &place, Place &inside);
  void visitLaunch(LaunchOpInterface launch, const Place &place);
  /// Whether a scope to be outlined may stand here; reports when not.
  bool checkPlace(ScopeOp scope, const Place &place);

  InFlightDiagnostic error(Location loc, DiagnosticCode code) {
    plan.failed = true;
    return emitCodedError(loc, code);
  }
  InFlightDiagnostic missing(Operation *op, StringRef property) {
    InFlightDiagnostic diag =
        error(op->getLoc(), DiagnosticCode::MissingProperty);
    diag << plan.getPassName() << " requires the property " << property
         << ", but ";
    return diag;
  }

  OutliningPlan &plan;
  unsigned numOps = 0;
};
} // namespace

std::string mlir::pypto::describeScope(ScopeOp scope) {
  std::string text = (stringifyScopeKind(scope.getKind()) + " scope").str();
  if (std::optional<StringRef> name = scope.getName(); name && !name->empty())
    text += (" '" + *name + "'").str();
  return text;
}

static std::string describeFunction(FuncOp func) {
  return ("function '@" + func.getSymName() + "' of kind '" +
          stringifyFunctionKind(func.getKind()) + "'")
      .str();
}

/// Whether a scope within `outer` would launch something from a device task or
/// from within a recording.
static bool canHold(ScopeOp outer, ScopeOp scope) {
  if (scope.getKind() == ScopeKind::Graph)
    return false;
  // Clusters and spmd blocks become wrappers, which launch kernels.
  return outer.getKind() != ScopeKind::InCore;
}

/// Whether scopes of the kind of `scope` are outlined of functions of `kind`.
static bool canHold(FunctionKind kind, ScopeOp scope) {
  switch (kind) {
  case FunctionKind::Opaque:
  case FunctionKind::Orchestration:
    return true;
  case FunctionKind::Graph:
  case FunctionKind::Group:
  case FunctionKind::Spmd:
    return scope.isDeviceScope();
  case FunctionKind::InCore:
  case FunctionKind::AIC:
  case FunctionKind::AIV:
  case FunctionKind::Inline:
    return false;
  }
  return false;
}

/// Why scopes like `scope` cannot stand in a function of `kind`, and what to
/// do.
static StringRef explain(FunctionKind kind, ScopeOp scope) {
  if (kind == FunctionKind::Inline)
    return "the scope would be outlined of every copy of the function; run "
           "'inline' first";
  if (kind == FunctionKind::Graph)
    return "a graph launched within a recording makes the runtime give up the "
           "recording in silence; drop the scope, or make the function an "
           "'inline' function";
  if (scope.getKind() == ScopeKind::Graph)
    return "a device task records no tasks; put the scope around the launch of "
           "the task";
  return "a kernel launches no tasks; drop the scope, or make the function an "
         "'orchestration', 'group' or 'spmd' function";
}

bool Collector::checkPlace(ScopeOp scope, const Place &place) {
  FuncOp func = place.func;
  ScopeOp outer = place.deviceScope;
  if (!outer && scope.getKind() == ScopeKind::Graph)
    outer = place.graphScope;
  if (outer && !canHold(outer, scope)) {
    InFlightDiagnostic diag =
        error(scope.getLoc(), DiagnosticCode::NestedScope);
    diag << describeScope(scope) << " stands in " << describeScope(outer);
    if (func)
      diag << " of function '@" << func.getSymName() << "'";
    diag.attachNote(outer.getLoc()) << "the outer scope is here";
    if (outer.getKind() == ScopeKind::Graph)
      diag.attachNote() << "a graph launched within a recording makes the "
                           "runtime give up the recording in silence; drop one "
                           "of the scopes, or put them one after the other";
    else if (scope.getKind() == ScopeKind::Graph)
      diag.attachNote()
          << "a device task records no tasks; put the graph scope "
             "around the "
          << stringifyScopeKind(outer.getKind()) << " scope";
    else
      diag.attachNote() << "a kernel launches no tasks; make the outer scope a "
                           "cluster or spmd scope, or drop the inner one";
    return false;
  }
  if (!func) {
    InFlightDiagnostic diag =
        error(scope.getLoc(), DiagnosticCode::ScopeParent);
    diag << describeScope(scope) << " stands in no graph.func";
    diag.attachNote() << "only scopes of orchestration programs become "
                         "functions; put it into a graph.func";
    return false;
  }
  FunctionKind kind = func.getKind();
  if (canHold(kind, scope))
    return true;
  InFlightDiagnostic diag = error(scope.getLoc(), DiagnosticCode::ScopeParent);
  diag << describeScope(scope) << " stands in " << describeFunction(func)
       << ", where it cannot become a function";
  diag.attachNote(func.getLoc()) << "the function is here";
  diag.attachNote() << explain(kind, scope);
  return false;
}

void Collector::visitScope(ScopeOp scope, const Place &place, Place &inside) {
  if (scope.getKind() == ScopeKind::Graph)
    inside.graphScope = scope;
  if (scope.isDeviceScope())
    inside.deviceScope = scope;
  if (!scope.isDeviceScope() && scope.getKind() != ScopeKind::Graph)
    return;

  // Also names of scopes that another pass outlines are taken.
  if (place.func)
    if (std::optional<StringRef> name = scope.getName(); name && !name->empty())
      plan.requestedNames[place.func->getParentOp()].insert(*name);
  if (plan.isOutlined(scope)) {
    if (!checkPlace(scope, place))
      return;
    OutlinedScope &entry = plan.scopes.emplace_back();
    entry.scope = scope;
    entry.parent = place.func;
    entry.outer = place.outer;
    plan.planOf[scope] = &entry;
    inside.outer = &entry;
  } else if (scope.getKind() == ScopeKind::Graph) {
    InFlightDiagnostic diag = missing(scope, "GraphOutlined");
    diag << describeScope(scope) << " is left";
    if (FuncOp func = place.func)
      diag << " in function '@" << func.getSymName() << "'";
    diag.attachNote() << "run outline-graph-scopes first";
  }
}

void Collector::visitLaunch(LaunchOpInterface launch, const Place &place) {
  FuncOp callee = plan.ties.getCallee(launch);
  if (!callee || callee.getKind() != FunctionKind::Inline)
    return;
  InFlightDiagnostic diag = missing(launch, "InlineFunctionsEliminated");
  diag << "inline function '@" << callee.getSymName() << "' is called";
  if (FuncOp func = place.func)
    diag << " in function '@" << func.getSymName() << "'";
  diag.attachNote() << "run inline first";
}

Place Collector::enter(Operation *op, const Place &place) {
  if (auto func = dyn_cast<FuncOp>(op)) {
    Place inside;
    inside.func = func;
    return inside;
  }
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return {};
  Place inside = place;
  if (op->hasTrait<OpTrait::SymbolTable>())
    inside.func = {};
  if (auto scope = dyn_cast<ScopeOp>(op))
    visitScope(scope, place, inside);
  return inside;
}

void Collector::visit(Operation *op, const Place &place) {
  unsigned number = ++numOps;
  if (LaunchOpInterface launch = asLaunch(op))
    visitLaunch(launch, place);
  if (place.outer)
    plan.numbers[op] = number;
  if (op->getNumRegions() == 0)
    return;
  Place inside = enter(op, place);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &nested : block)
        visit(&nested, inside);
  if (inside.outer && inside.outer->scope == op) {
    inside.outer->first = number;
    inside.outer->last = numOps;
  }
}

void mlir::pypto::collectScopes(ModuleOp module, OutliningPlan &plan) {
  Collector(plan).visit(module, Place());
}
