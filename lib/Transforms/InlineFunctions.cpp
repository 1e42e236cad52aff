//===- InlineFunctions.cpp - Inline where there is something to inline ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Graph.h"
#include "Transforms/Passes.h"
#include "Transforms/UnknownSymbolTables.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_INLINEFUNCTIONS
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

/// Whether the inliner may do something to a function: dissolve it in its
/// callers, or drop it when it has none.
static bool concernsInliner(FuncOp func) {
  return func.getKind() == FunctionKind::Inline ||
         (func.isPrivate() && !func.isExternal());
}

static bool hasWorkForInliner(ModuleOp module) {
  return module
      .walk<WalkOrder::PreOrder>([](Operation *op) {
        if (auto func = dyn_cast<FuncOp>(op))
          return concernsInliner(func) ? WalkResult::interrupt()
                                       : WalkResult::skip();
        // Of functions of other dialects nothing is known here.
        return isa<CallableOpInterface>(op) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct InlineFunctions : pypto::impl::InlineFunctionsBase<InlineFunctions> {
  void runOnOperation() override {
    if (!hasWorkForInliner(getOperation()))
      return markAllAnalysesPreserved();
    if (failed(checkSymbolTables(getOperation(), "inlined")))
      return signalPassFailure();
    // The inliner would canonicalize what it inlines into, and all else; that
    // is left to who wants it.
    OpPassManager inliner(ModuleOp::getOperationName());
    inliner.addPass(
        createInlinerPass(/*opPipelines=*/{}, [](OpPassManager &) {}));
    if (failed(runPipeline(inliner, getOperation())))
      signalPassFailure();
  }
};
} // namespace
