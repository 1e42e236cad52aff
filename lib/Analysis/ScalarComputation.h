//===- ScalarComputation.h - Functions of scalars ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_SCALARCOMPUTATION_H
#define PYPTO_ANALYSIS_SCALARCOMPUTATION_H

#include "Graph/Graph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"

namespace mlir::pypto {

/// Whether `op` is a constant. Most are of one kind, which is seen faster.
inline bool isConstantOp(Operation *op) {
  return op->getNumOperands() == 0 &&
         (isa<arith::ConstantOp>(op) || op->hasTrait<OpTrait::ConstantLike>());
}

/// Whether `op` has no effects. No operation of these dialects has any, and
/// asking each takes longer.
inline bool hasNoEffects(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, index::IndexDialect>(
             op->getDialect()) ||
         isMemoryEffectFree(op);
}

/// Whether the results of `op` are scalars computed from its operands, all of
/// them scalars, and from nothing else. Holds for constants, too.
inline bool isScalarComputation(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumSuccessors() == 0 &&
         op->getNumResults() != 0 &&
         llvm::all_of(op->getOperandTypes(), graph::isScalarType) &&
         llvm::all_of(op->getResultTypes(), graph::isScalarType) &&
         hasNoEffects(op);
}

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_SCALARCOMPUTATION_H
