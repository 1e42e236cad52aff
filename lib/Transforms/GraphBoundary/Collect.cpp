//===- Collect.cpp - What the pass reads of the module --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "Transforms/GraphBoundary/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

/// Reports a required property that does not hold: `what` is wrong in the
/// function around `op`, and `remedy` establishes the property.
static void reportMissing(Operation *op, StringRef property, const Twine &what,
                          StringRef remedy) {
  InFlightDiagnostic diag =
      emitCodedError(op->getLoc(), DiagnosticCode::MissingProperty);
  diag << "legalize-graph-boundary requires the property " << property
       << ", but " << what;
  if (auto func = op->getParentOfType<FuncOp>())
    diag << " in function '@" << func.getSymName() << "'";
  diag.attachNote() << "run " << remedy << " first";
}

static LogicalResult checkScope(ScopeOp scope) {
  if (scope.getKind() == ScopeKind::Graph) {
    reportMissing(scope, "GraphOutlined",
                  "graph scope '" + scope.getName().value_or("") + "' is left",
                  "outline-graph-scopes");
    return failure();
  }
  if (scope.isDeviceScope()) {
    reportMissing(scope, "SplitIncoreOrch",
                  Twine("a scope of kind '") +
                      stringifyScopeKind(scope.getKind()) + "' is left",
                  "outline-incore-scopes");
    return failure();
  }
  return success();
}

/// Calls `callback` for the symbols `op` refers to, other than the callee of a
/// launch.
static void forEachOtherSymbol(Operation *op,
                               function_ref<void(SymbolRefAttr)> callback) {
  auto visit = [&](Attribute attr) {
    attr.walk<WalkOrder::PreOrder>([&](SymbolRefAttr ref) {
      callback(ref);
      return WalkResult::skip();
    });
  };
  // What the operations of these dialects hold themselves is no symbol, but for
  // the callee of a launch and the attributes of a call's operands.
  if (isa_and_nonnull<GraphDialect, arith::ArithDialect, scf::SCFDialect>(
          op->getDialect())) {
    for (NamedAttribute attr : op->getDiscardableAttrs())
      visit(attr.getValue());
    if (auto call = dyn_cast<CallOp>(op))
      for (Attribute attr : {call.getArgAttrsAttr(), call.getResAttrsAttr()})
        if (attr)
          visit(attr);
    return;
  }
  for (NamedAttribute attr : op->getAttrs())
    visit(attr.getValue());
}

LogicalResult GraphModule::collect(ModuleOp module, CalleeTies &ties) {
  module.walk([&](FuncOp func) {
    if (func.isGraph())
      graphs[func];
  });
  bool failed = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto scope = dyn_cast<ScopeOp>(op))
      failed |= mlir::failed(checkScope(scope));
    if (LaunchOpInterface launch = asLaunch(op)) {
      FuncOp callee = ties.getCallee(launch);
      if (callee && callee.isGraph()) {
        graphs[callee].push_back(launch);
      } else if (callee && callee.getKind() == FunctionKind::Inline) {
        reportMissing(op, "InlineFunctionsEliminated",
                      "inline function '@" + callee.getSymName() +
                          "' is called",
                      "inline");
        failed = true;
      } else if (auto call = dyn_cast<CallOp>(op);
                 call && callee && !callee.isDeviceFunction()) {
        hostCalls.push_back(call);
      }
    }
    if (graphs.empty())
      return;
    forEachOtherSymbol(op, [&](SymbolRefAttr ref) {
      auto func = dyn_cast_or_null<FuncOp>(
          ties.getSymbolTable().lookupNearestSymbolFrom(op, ref));
      if (!func || !func.isGraph())
        return;
      failed = true;
      InFlightDiagnostic diag =
          emitCodedError(op->getLoc(), DiagnosticCode::SymbolUse);
      diag << "'" << op->getName() << "' refers to graph function '@"
           << func.getSymName() << "' but is no launch of it";
      diag.attachNote(func.getLoc())
          << "graph function '@" << func.getSymName() << "' is defined here";
      explain(diag, "the symbol is the key of the recording",
              "let only graph.call and graph.submit refer to it");
    });
  });
  return failure(failed);
}
