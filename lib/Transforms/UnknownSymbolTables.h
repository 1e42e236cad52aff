//===- UnknownSymbolTables.h - What may hide uses of symbols ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_UNKNOWNSYMBOLTABLES_H
#define PYPTO_TRANSFORMS_UNKNOWNSYMBOLTABLES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::pypto {

/// Reports operations of which nobody knows whether they are symbol tables.
/// MLIR's inliner and its map of the users of symbols take for granted that it
/// is known. `what` functions cannot be then: "inlined", "erased".
LogicalResult checkSymbolTables(ModuleOp module, StringRef what);

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_UNKNOWNSYMBOLTABLES_H
