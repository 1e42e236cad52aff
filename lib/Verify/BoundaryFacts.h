//===- BoundaryFacts.h - What a graph body does to its boundary -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checks of a graph function's body hand on to the checks of its
// launches. Private to lib/Verify.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_BOUNDARYFACTS_H
#define PYPTO_VERIFY_BOUNDARYFACTS_H

#include "ValueTrace.h"

namespace mlir::pypto::verify {

/// A window of a boundary tensor, taken in the body, that a task works on.
struct KeptWindow {
  Operation *task;
  /// Where the window was taken.
  Location loc;
  graph::GraphTensorType type;
  /// Where it starts, in the dimensions of the boundary tensor; when known.
  std::optional<SmallVector<ValueSet, 2>> offsets;
  /// Whether every combination of these offsets is certainly taken on.
  bool isExact = false;
};

/// What the tasks of a graph function work on, by tensor parameter.
struct BoundaryFacts {
  struct Tensor {
    /// Position among all parameters.
    unsigned param;
    unsigned slot;
    /// The first task that works on the tensor itself, if any.
    Operation *wholeUse = nullptr;
    SmallVector<KeptWindow, 0> windows;
    /// Whether a task writes it or a window of it, and whether one waits for
    /// earlier writers of it.
    bool isWritten = false, isAwaited = false;
  };
  graph::FuncOp func;
  SmallVector<Tensor, 0> tensors;
};

/// Checks a function of kind `graph` by itself and collects what its tasks work
/// on. Reports all violations.
LogicalResult checkGraphFunction(graph::FuncOp func, TieTable &ties,
                                 BoundaryFacts &facts);

/// Whether a task waits for earlier writers of its argument, and whether it
/// writes that, as far as the runtime tracks it.
std::pair<bool, bool> getAccess(graph::LaunchOpInterface launch,
                                graph::FuncOp callee, unsigned index);

/// Names a value in a message: the parameter, or what computes it.
std::string describeValue(Value value);

} // namespace mlir::pypto::verify

#endif // PYPTO_VERIFY_BOUNDARYFACTS_H
