//===- GraphOutlined.h - The property GraphOutlined -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_GRAPHOUTLINED_H
#define PYPTO_VERIFY_GRAPHOUTLINED_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::pypto {

/// Checks the property *GraphOutlined*: no graph scope is left, in a function
/// of any kind and at any depth. All that are left are reported. One walk.
LogicalResult verifyGraphOutlined(ModuleOp module);

} // namespace mlir::pypto

#endif // PYPTO_VERIFY_GRAPHOUTLINED_H
