//===- InputCheck.h - What MLIR's parser must not see -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TOOLS_INPUTCHECK_H
#define PYPTO_TOOLS_INPUTCHECK_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::pypto {

/// Reports each operation in the text whose parser would abort on a graph
/// tensor.
///
/// MLIR 22 builds the payload of a named linalg operation while it parses the
/// operation, from whatever types the operands have, and a few of its builders
/// take a type that is no number for unreachable. No hook of ours comes before,
/// so this looks at the text: at the operand lists of these operations, for a
/// type of this dialect or an alias of one.
LogicalResult checkLinalgOperands(llvm::MemoryBufferRef input);

/// The same for the first of a tool's arguments that names a file. A file that
/// can't be read is left to the tool.
LogicalResult checkLinalgOperands(ArrayRef<char *> arguments);

} // namespace mlir::pypto

#endif // PYPTO_TOOLS_INPUTCHECK_H
