//===- GraphOutlined.cpp - The property GraphOutlined ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify/GraphOutlined.h"

#include "Diagnostics/Diagnostics.h"
#include "Graph/Graph.h"
#include "Transforms/Passes.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_VERIFYGRAPHOUTLINED
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

static void report(ScopeOp scope) {
  InFlightDiagnostic diag =
      emitCodedError(scope.getLoc(), DiagnosticCode::ScopeLeft);
  diag << "graph scope '" << scope.getName().value_or("") << "' is left";
  auto func = scope->getParentOfType<FuncOp>();
  if (func)
    diag << " in function '@" << func.getSymName() << "' of kind '"
         << stringifyFunctionKind(func.getKind()) << "'";
  diag.attachNote() << (func && func.getKind() == FunctionKind::Inline
                            ? "run inline first, then outline-graph-scopes"
                            : "run outline-graph-scopes");
}

LogicalResult mlir::pypto::verifyGraphOutlined(ModuleOp module) {
  bool hasFailed = false;
  module.walk<WalkOrder::PreOrder>([&](ScopeOp scope) {
    if (scope.getKind() != ScopeKind::Graph)
      return;
    report(scope);
    hasFailed = true;
  });
  return failure(hasFailed);
}

namespace {
struct VerifyGraphOutlined
    : pypto::impl::VerifyGraphOutlinedBase<VerifyGraphOutlined> {
  using VerifyGraphOutlinedBase::VerifyGraphOutlinedBase;

  void runOnOperation() override {
    if (failed(verifyGraphOutlined(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
