//===- AllocationBatches.h - Allocations of one node ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which allocations are made by one call of the runtime, and are so one node of
// a recording: the one place that says it, for counting and for emission.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_ALLOCATIONBATCHES_H
#define PYPTO_ANALYSIS_ALLOCATIONBATCHES_H

#include "Graph/Graph.h"

namespace mlir::pypto {

/// Buffers that one allocation node allocates at most.
inline constexpr uint64_t kAllocationBatch = 16;

/// Packs the allocations of one statement list (block), given in its order:
/// `kAllocationBatch` to a node, also when launches stand between them, at the
/// place of the first one. An allocation with extents that are not constants
/// needs them computed first, so it is a node of its own.
class AllocationBatches {
public:
  using Batch = SmallVector<Operation *, 4>;

  AllocationBatches() = default;
  /// Of all allocations of a block.
  explicit AllocationBatches(Block &block);

  void add(Operation *allocation);
  ArrayRef<Batch> get() const { return batches; }

private:
  SmallVector<Batch, 0> batches;
  /// The batch that is not full, if any.
  std::optional<size_t> open;
};

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_ALLOCATIONBATCHES_H
