//===- CallDirections.h - The property CallDirectionsResolved ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_CALLDIRECTIONS_H
#define PYPTO_VERIFY_CALLDIRECTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::pypto {

/// Checks the property *CallDirectionsResolved*: every launch with arguments
/// has a direction for each of them, of the right kind and allowed by the
/// callee's signature, and no wrapper (`group` or `spmd` function) declares
/// less for a parameter than the functions that it passes the parameter to. All
/// violations are reported, each with its code.
///
/// Independent of `derive-call-directions`: a signature is compared with those
/// of the inner callees, which needs no fixed point.
LogicalResult verifyCallDirections(ModuleOp module,
                                   SymbolTableCollection &symbolTable);

} // namespace mlir::pypto

#endif // PYPTO_VERIFY_CALLDIRECTIONS_H
