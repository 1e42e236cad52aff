//===- Slots.h - Slot order and boundary tensors of one buffer --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_SLOTS_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_SLOTS_H

#include "Transforms/GraphBoundary/Plan.h"

namespace mlir::pypto {
class ParamAliases;

/// Decides slot orders and refuses boundary tensors that a replay may confuse,
/// from what the launches of the module pass.
class SlotPlanning {
public:
  /// `hostLineages` are those of the functions that launch graphs.
  SlotPlanning(const GraphModule &module, IdentityLineages &hostLineages,
               CalleeTies &ties, bool strictAliasing);
  ~SlotPlanning();

  /// Completes plans, side by side. Where no order is right and it helps, a
  /// plan says which loops to unroll.
  void plan(MutableArrayRef<BoundaryPlan> plans);

private:
  IdentityLineages &hostLineages;
  CalleeTies &ties;
  bool strict;
  std::unique_ptr<ParamAliases> aliases;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_SLOTS_H
