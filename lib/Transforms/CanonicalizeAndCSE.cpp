//===- CanonicalizeAndCSE.cpp - Simplify until nothing changes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Passes.h"

#include "Graph/Graph.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_CANONICALIZEANDCSE
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;

/// A value can only fold once more for what an earlier round merged, so that
/// rounds are as many as equal conditions are nested in each other; as many
/// as the canonicalizer goes over its worklist are enough, and keep the pass
/// linear.
constexpr unsigned kMaxRounds = 10;

namespace {
struct CanonicalizeAndCSE
    : pypto::impl::CanonicalizeAndCSEBase<CanonicalizeAndCSE> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(set, context);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    bool isIrregular = hasIrregularRegions(getOperation());
    config.setRegionSimplificationLevel(
        isIrregular ? GreedySimplifyRegionLevel::Normal
                    : GreedySimplifyRegionLevel::Disabled);
    if (isIrregular)
      keepBlocksTogether(getOperation());
    // As `canonicalize` does, which visits the program in its order.
    config.setUseTopDownTraversal(once);
    if (once) {
      canonicalize();
      merge();
      return;
    }
    // Merging comes first: what was just written beside its equal folds better
    // when both are one value.
    for (unsigned round = 0; round < kMaxRounds; ++round)
      if ((!merge() && round != 0) || !canonicalize())
        return;
  }

private:
  /// Whether what simplifies regions may find anything: blocks that branch, or
  /// operations that use each other in a circle. It looks at every operation,
  /// for nothing where control flow is structured.
  static bool hasIrregularRegions(ModuleOp module) {
    auto isRegular = [](Region &region) {
      return region.empty() ||
             (region.hasOneBlock() &&
              (!mayBeGraphRegion(region) ||
               llvm::all_of(region.front(), [](Operation &op) {
                 return op.getNumOperands() == 0;
               })));
    };
    return module
        .walk([&](Operation *op) {
          return llvm::all_of(op->getRegions(), isRegular)
                     ? WalkResult::advance()
                     : WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  /// MLIR would move the blocks of such a region into the function around it,
  /// and functions of this dialect have one.
  static void keepBlocksTogether(ModuleOp module) {
    module.walk([](scf::ExecuteRegionOp op) {
      if (isa<graph::FuncOp>(op->getParentOp()) &&
          !op.getRegion().hasOneBlock())
        op.setNoInline(true);
    });
  }

  /// Both return whether they changed anything.
  bool merge() {
    bool changed = false;
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation(),
                                  &changed);
    return changed;
  }

  bool canonicalize() {
    bool changed = false;
    // Not to converge within its iterations is no failure, as in the
    // canonicalizer of MLIR: each rewrite stands on its own.
    (void)applyPatternsGreedily(getOperation(), patterns, config, &changed);
    return changed;
  }

  GreedyRewriteConfig config;
  FrozenRewritePatternSet patterns;
};
} // namespace
