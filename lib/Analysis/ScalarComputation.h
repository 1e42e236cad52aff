//===- ScalarComputation.h - Functions of scalars ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_SCALARCOMPUTATION_H
#define PYPTO_ANALYSIS_SCALARCOMPUTATION_H

#include "Graph/Graph.h"

namespace mlir::pypto {

/// Whether the results of `op` are scalars computed from its operands, all of
/// them scalars, and from nothing else. Holds for constants, too.
inline bool isScalarComputation(Operation *op) {
  // Many are constants, and asking for effects takes longer.
  if (op->hasTrait<OpTrait::ConstantLike>())
    return graph::isScalarType(op->getResult(0).getType());
  return op->getNumRegions() == 0 && op->getNumSuccessors() == 0 &&
         op->getNumResults() != 0 &&
         llvm::all_of(op->getOperandTypes(), graph::isScalarType) &&
         llvm::all_of(op->getResultTypes(), graph::isScalarType) &&
         isMemoryEffectFree(op);
}

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_SCALARCOMPUTATION_H
