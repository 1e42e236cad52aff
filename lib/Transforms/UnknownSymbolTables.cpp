//===- UnknownSymbolTables.cpp - What may hide uses of symbols ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/UnknownSymbolTables.h"

#include "Diagnostics/Diagnostics.h"

using namespace mlir;
using namespace mlir::pypto;

LogicalResult mlir::pypto::checkSymbolTables(ModuleOp module, StringRef what) {
  bool isRight = true;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumRegions() != 1 || op->getDialect())
      return WalkResult::advance();
    isRight = false;
    InFlightDiagnostic diag =
        emitCodedError(op->getLoc(), DiagnosticCode::MissingProperty);
    diag << "functions cannot be " << what << " beside '" << op->getName()
         << "', whose dialect is not known";
    explain(diag,
            "it may hold symbols of its own, so what refers to a function is "
            "not known",
            "load its dialect, or run this pass before it is there");
    return WalkResult::skip();
  });
  return success(isRight);
}
