//===- AllocationBatches.cpp - Allocations of one node --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/AllocationBatches.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

AllocationBatches::AllocationBatches(Block &block) {
  for (Operation &op : block)
    if (isa<CreateOp, FullOp>(op))
      add(&op);
}

void AllocationBatches::add(Operation *allocation) {
  auto create = dyn_cast<CreateOp>(allocation);
  if (create && !create.getDynamicSizes().empty()) {
    batches.push_back({allocation});
    return;
  }
  if (!open) {
    open = batches.size();
    batches.emplace_back();
  }
  batches[*open].push_back(allocation);
  if (batches[*open].size() == kAllocationBatch)
    open.reset();
}
