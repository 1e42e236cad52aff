//===- VerifyGraphBoundaryPass.cpp - The verifier as a pass ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Passes.h"
#include "Verify/GraphBoundary.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_VERIFYGRAPHBOUNDARY
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;

namespace {
struct VerifyGraphBoundary
    : pypto::impl::VerifyGraphBoundaryBase<VerifyGraphBoundary> {
  using VerifyGraphBoundaryBase::VerifyGraphBoundaryBase;

  void runOnOperation() override {
    SymbolTableCollection symbolTable;
    GraphBoundaryOptions options;
    options.strictAliasing = strictAliasing;
    options.warnUndecided = warnUndecided;
    if (failed(verifyGraphBoundary(getOperation(), symbolTable, options)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
