//===- Unroll.h - Unrolling loops of kept windows ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window that a loop counts is kept in the body, and binds to the first slot
// of its buffer that starts at or before it. Where no order of the slots is
// right for all kept windows, the loop is unrolled: then every iteration's
// window has a constant place, and the launch takes it.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_UNROLL_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_UNROLL_H

#include "Transforms/GraphBoundary/Plan.h"

namespace mlir::pypto {

/// Looks for loops of constant trip count to unroll so that `windows` are not
/// kept any more and the function is accepted, within the limits of the
/// runtime. `replan` plans a function and sets `failed`. On success
/// `plan.unrolled` names the loops. Nothing is reported, and the function is as
/// it was: the rehearsal runs on a copy of the body that takes its place for
/// the time.
bool tryUnroll(BoundaryPlan &plan, ArrayRef<Operation *> windows,
               function_ref<void(BoundaryPlan &)> replan);

/// Unrolls a loop of constant trip count.
void unrollLoop(scf::ForOp loop, RewriterBase &rewriter);

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_UNROLL_H
