//===- Slots.h - Slot order and boundary tensors of one buffer --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_SLOTS_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_SLOTS_H

#include "Transforms/GraphBoundary/Plan.h"

namespace mlir::pypto {

/// Decides slot orders and refuses boundary tensors that a replay may confuse,
/// from what the launches of the module pass.
class SlotPlanning {
public:
  /// `hostLineages` are those of the functions that launch graphs.
  SlotPlanning(const GraphModule &module, IdentityLineages &hostLineages,
               CalleeTies &ties, bool strictAliasing);
  ~SlotPlanning();

  /// Completes the plan of a function. Where no order is right and it helps,
  /// the plan says which loops to unroll.
  void plan(BoundaryPlan &plan);

private:
  struct Shared;

  CalleeTies &ties;
  bool strict;
  std::unique_ptr<Shared> shared;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_SLOTS_H
