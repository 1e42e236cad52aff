//===- TopologyCount.cpp - Nodes that a recording has ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/TopologyCount.h"

#include "Analysis/ReplayInvariance.h"
#include "Analysis/ValueFlow.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

namespace {
/// Counts statement lists; one level of recursion is one level of nesting.
class Counter {
public:
  Counter(const IdentityLineage *identity,
          llvm::function_ref<bool(Operation *)> ignore)
      : identity(identity), ignore(ignore) {}

  /// What running the region once records.
  uint64_t countRegion(Region &region) {
    // Without structure nothing says how often which block runs.
    return region.hasOneBlock() ? countBlock(region.front()) : 0;
  }

private:
  uint64_t countBlock(Block &block);
  uint64_t countNested(Operation *op);

  const IdentityLineage *identity;
  llvm::function_ref<bool(Operation *)> ignore;
};
} // namespace

uint64_t Counter::countBlock(Block &block) {
  uint64_t nodes = 0;
  AllocationBatches batches;
  for (Operation &op : block) {
    if (op.getNumRegions() != 0) {
      nodes = llvm::SaturatingAdd(nodes, countNested(&op));
      continue;
    }
    LaunchOpInterface launch = asLaunch(&op);
    if (!(launch || isa<CreateOp, FullOp>(op)) || (ignore && ignore(&op)))
      continue;
    if (launch)
      nodes = llvm::SaturatingAdd(nodes, uint64_t(1));
    else
      batches.add(&op);
  }
  return llvm::SaturatingAdd(nodes, uint64_t(batches.get().size()));
}

uint64_t Counter::countNested(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<uint64_t> tripCount =
        identity ? getConstantTripCount(loop, *identity)
                 : getConstantTripCount(loop);
    if (!tripCount)
      return 0;
    return llvm::SaturatingMultiply(*tripCount, countRegion(loop.getRegion()));
  }
  if (isa<ScopeOp, scf::ExecuteRegionOp>(op))
    return countRegion(op->getRegion(0));
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return 0;
  uint64_t largest = 0;
  for (Region &arm : op->getRegions())
    if (!arm.empty())
      largest = std::max(largest, countRegion(arm));
  return largest;
}

uint64_t
mlir::pypto::countTopology(FuncOp func,
                           llvm::function_ref<bool(Operation *)> ignore) {
  return func.isExternal()
             ? 0
             : Counter(nullptr, ignore).countRegion(func.getBody());
}

uint64_t
mlir::pypto::countTopology(FuncOp func, const IdentityLineage &identity,
                           llvm::function_ref<bool(Operation *)> ignore) {
  return func.isExternal()
             ? 0
             : Counter(&identity, ignore).countRegion(func.getBody());
}
