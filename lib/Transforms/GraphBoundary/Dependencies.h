//===- Dependencies.h - Dependencies that a recording lacks -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_DEPENDENCIES_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_DEPENDENCIES_H

#include "Transforms/GraphBoundary/LaunchDistances.h"

namespace mlir::pypto {

/// Reports tasks of the function of `plan` that a replay may run too early: a
/// recording orders a task after the earlier writers of what it reads or
/// updates at the launch that records, and a later launch may pass tensors that
/// overlap where those were apart. Sets `plan.failed` for errors.
void checkDependencies(BoundaryPlan &plan, LaunchDistances &distances,
                       ArrayRef<LaunchGroup> groups,
                       const ParamAliases &aliases, CalleeTies &ties,
                       bool strict);

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_DEPENDENCIES_H
