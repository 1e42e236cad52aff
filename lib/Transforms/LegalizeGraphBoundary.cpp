//===- LegalizeGraphBoundary.cpp - Make graph functions replayable --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass itself: read the module, plan every graph function, check the plans,
// commit them. See GraphBoundary/ for the parts and Passes.td for the contract.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Parts.h"
#include "Analysis/ReplayInvariance.h"
#include "Transforms/GraphBoundary/Plan.h"
#include "Transforms/GraphBoundary/Slots.h"
#include "Transforms/GraphBoundary/Unroll.h"
#include "Transforms/Passes.h"
#include "Verify/HostLaunches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_LEGALIZEGRAPHBOUNDARY
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

/// Says which values of a function were hoisted or kept, and why.
static void emitRemarks(BoundaryPlan &plan) {
  if (!plan.func.getContext()->getRemarkEngine())
    return;
  auto options = [&](StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("graph-boundary")
        .function(plan.func.getSymName());
  };
  for (Value value : plan.scalarParams)
    remark::passed(value.getLoc(), options("HoistedScalar")) << remark::reason(
        "derived from scalar parameters: a task would see the "
        "first call's value");
  for (Operation *view : plan.hoistedViews)
    remark::passed(view->getLoc(), options("HoistedView")) << remark::reason(
        "window of a boundary tensor the launch can take: its "
        "offset would be frozen");
  for (CreateOp create : plan.hoistedAllocs)
    remark::passed(create.getLoc(), options("HoistedAllocation"))
        << remark::reason("the graph heap is not reclaimed during a run");
  for (OpOperand *operand : plan.keptScalars)
    remark::analysis(operand->getOwner()->getLoc(), options("KeptScalar"))
        << remark::metric("Argument", operand->getOperandNumber())
        << remark::reason("it is the same on every replay");
  for (CreateOp create : plan.keptAllocs)
    remark::analysis(create.getLoc(), options("KeptAllocation"))
        << remark::reason(
               "it stands in a loop: every iteration has a buffer of "
               "its own");
  for (const KeptWindow &window : plan.keptWindows)
    remark::analysis(window.op->getLoc(), options("KeptView"))
        << remark::reason("its window is the same on every replay");
}

namespace {
struct LegalizeGraphBoundary
    : pypto::impl::LegalizeGraphBoundaryBase<LegalizeGraphBoundary> {
  using LegalizeGraphBoundaryBase::LegalizeGraphBoundaryBase;

  void runOnOperation() override {
    SymbolTableCollection symbolTable;
    CalleeTies ties(symbolTable);
    GraphModule module;
    // What is wrong with the module as a whole does not hide what is wrong with
    // a function.
    HostLaunches hostLaunches(ties);
    bool isRefused = failed(module.collect(getOperation(), ties, hostLaunches));

    SmallVector<BoundaryPlan, 0> plans;
    plans.reserve(module.graphs.size());
    for (auto &[func, launches] : module.graphs) {
      BoundaryPlan &plan = plans.emplace_back(cast<FuncOp>(func));
      plan.launches = launches;
    }
    forEachPart(&getContext(), MutableArrayRef(plans), /*partsPerThread=*/8,
                [&](MutableArrayRef<BoundaryPlan> part) {
                  for (BoundaryPlan &plan : part) {
                    planBoundary(plan, ties);
                    checkGraphLaunches(plan);
                  }
                });
    IdentityLineages hostLineages(ties);
    hostLineages.prepare(module.getLaunchers());
    SlotPlanning slots(module, hostLineages, ties, strictAliasing);
    slots.plan(plans);
    isRefused |=
        llvm::any_of(plans, [](BoundaryPlan &plan) { return plan.failed; });
    isRefused |= failed(hostLaunches.check());
    if (isRefused)
      return signalPassFailure();
    hostLaunches.warn(strictAliasing, hostLineages);
    if (plans.empty())
      return markAllAnalysesPreserved();

    IRRewriter rewriter(&getContext());
    for (BoundaryPlan &plan : plans)
      if (!plan.unrolled.empty())
        unroll(plan, ties, slots, rewriter);
    for (BoundaryPlan &plan : plans) {
      emitRemarks(plan);
      countStatistics(plan);
    }
    for (BoundaryPlan &plan : plans)
      commit(plan, rewriter);
  }

private:
  /// Unrolls what the plan says and plans the function again.
  void unroll(BoundaryPlan &plan, CalleeTies &ties, SlotPlanning &slots,
              RewriterBase &rewriter) {
    for (scf::ForOp loop : plan.unrolled) {
      remark::passed(loop.getLoc(), remark::RemarkOpts::name("UnrolledLoop")
                                        .category("graph-boundary")
                                        .function(plan.func.getSymName()))
          << remark::metric("Iterations", *getConstantTripCount(loop))
          << remark::reason("no order of the slots is right for the windows "
                            "kept in it: the launch takes each of them");
      ++numUnrolledLoops;
      unrollLoop(loop, rewriter);
    }
    BoundaryPlan unrolled(plan.func);
    unrolled.launches = plan.launches;
    planBoundary(unrolled, ties);
    slots.plan(MutableArrayRef(unrolled));
    assert(!unrolled.failed && "the rehearsal of the unrolling was accepted");
    plan = std::move(unrolled);
  }

  void countStatistics(const BoundaryPlan &plan) {
    numHoistedScalars += plan.scalarParams.size();
    numHoistedViews += plan.hoistedViews.size();
    numHoistedAllocs += plan.hoistedAllocs.size();
    numKeptScalars += plan.keptScalars.size();
    numKeptViews += plan.keptWindows.size();
    numKeptAllocs += plan.keptAllocs.size();
    numFoldedAliases += plan.aliases.size();
  }
};
} // namespace
