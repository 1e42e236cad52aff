//===- Liveness.h - What emitted code needs ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TARGET_ORCHESTRATION_LIVENESS_H
#define PYPTO_TARGET_ORCHESTRATION_LIVENESS_H

#include "Graph/Graph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::pypto::orchestration {

/// Which operations and values of a function have to be in the emitted code: a
/// variable that nothing reads, or that is only ever assigned, is a warning.
///
/// Everything with an effect is live, and what it reads; a value passed on by a
/// loop or branch is when what it becomes is. A value that is another one is
/// not needed itself. Linear; iterative along chains.
class Liveness {
public:
  /// `resolve` says which value is read in place of one.
  Liveness(graph::FuncOp func, llvm::function_ref<Value(Value)> resolve);

  bool isLive(Value value) const { return values.contains(value); }
  bool isLive(Operation *op) const { return ops.contains(op); }

private:
  void markEffects(Operation *op);
  void markOp(Operation *op);
  void markValue(Value value);
  void markValues(ValueRange range) {
    for (Value value : range)
      markValue(value);
  }
  void visitOp(Operation *op);
  void visitValue(Value value);
  void visitCarried(Operation *loop, unsigned index);

  graph::FuncOp func;
  llvm::function_ref<Value(Value)> resolve;
  llvm::DenseSet<Value> values;
  llvm::DenseSet<Operation *> ops;
  SmallVector<Value> todoValues;
  SmallVector<Operation *> todoOps;
};

} // namespace mlir::pypto::orchestration

#endif // PYPTO_TARGET_ORCHESTRATION_LIVENESS_H
