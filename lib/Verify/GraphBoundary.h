//===- GraphBoundary.h - The property GraphBoundaryLegalized ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_GRAPHBOUNDARY_H
#define PYPTO_VERIFY_GRAPHBOUNDARY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::pypto {

struct GraphBoundaryOptions {
  /// Parameters of a function nothing launches may be one buffer; otherwise
  /// they are taken to be different ones. What is not proved is refused then.
  bool strictAliasing = false;
  /// Warn of boundary tensors that are not proved to be always or never the
  /// same.
  bool warnUndecided = true;
};

/// Checks the property *GraphBoundaryLegalized*: every function of kind `graph`
/// and every launch of one is such that recording the function at its first
/// launch and replaying it at the others computes what running it each time
/// would. All violations are reported, each with its code.
///
/// Independent of `legalize-graph-boundary`: what is common is the reading of
/// the runtime's contract in `ReplayInvariance`. The module is not changed; any
/// module that verifies may be given, also one no pass has run on. One walk a
/// function.
LogicalResult verifyGraphBoundary(ModuleOp module,
                                  SymbolTableCollection &symbolTable,
                                  const GraphBoundaryOptions &options = {});

} // namespace mlir::pypto

#endif // PYPTO_VERIFY_GRAPHBOUNDARY_H
