//===- Unroll.cpp - Unrolling loops of kept windows -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Unroll.h"

#include "Analysis/ReplayInvariance.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

/// What unrolling makes at most: more operations than this in a function of at
/// most `kMaxNodes` tasks are not worth it.
static constexpr uint64_t kMaxUnrolledOps = 1 << 16;

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

/// The loops that decide where the windows are: their counters and what they
/// carry lead to the operands.
static llvm::SetVector<Operation *>
collectLoops(ArrayRef<Operation *> windows, const IdentityLineage &identity) {
  llvm::SetVector<Operation *> loops;
  SmallVector<Value> worklist;
  for (Operation *window : windows)
    llvm::append_range(worklist, window->getOperands());
  llvm::DenseSet<Value> visited;
  while (!worklist.empty()) {
    Value value = identity.getSource(worklist.pop_back_val());
    if (!visited.insert(value).second)
      continue;
    llvm::append_range(worklist, identity.getInputs(value));
    Operation *op = value.getDefiningOp();
    if (!op)
      op = cast<BlockArgument>(value).getOwner()->getParentOp();
    if (isa<scf::ForOp>(op))
      loops.insert(op);
    // What tasks hand on is of their operands, which identity looks through.
    else if (value.getDefiningOp() && op->getNumRegions() == 0 &&
             !isa<LaunchOpInterface>(op))
      llvm::append_range(worklist, op->getOperands());
  }
  return loops;
}

/// Inner loops before outer ones, in the order of the text.
static SmallVector<scf::ForOp>
sortInnerFirst(FuncOp func, const llvm::SetVector<Operation *> &loops) {
  SmallVector<scf::ForOp> sorted;
  func.getBody().walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
    if (loops.contains(loop))
      sorted.push_back(loop);
  });
  return sorted;
}

/// Whether unrolling the loops, inner ones first, stays within bounds.
static bool isAffordable(ArrayRef<scf::ForOp> loops) {
  // Operations of a loop's body once the loops in it are unrolled.
  DenseMap<Operation *, uint64_t> extra;
  uint64_t total = 0;
  for (scf::ForOp loop : loops) {
    std::optional<uint64_t> count = getConstantTripCount(loop);
    if (!count || *count > kMaxNodes)
      return false;
    uint64_t size = extra.lookup(loop);
    loop.getBodyRegion().walk([&](Operation *) { ++size; });
    size *= *count;
    total += size;
    if (total > kMaxUnrolledOps)
      return false;
    for (Operation *op = loop->getParentOp(); !isa<FuncOp>(op);
         op = op->getParentOp())
      extra[op] += size;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rehearsal
//===----------------------------------------------------------------------===//

namespace {
/// Keeps this thread's diagnostics from being seen.
class Silence {
public:
  explicit Silence(MLIRContext *context)
      : thread(llvm::get_threadid()), handler(context, [this](Diagnostic &) {
          return success(llvm::get_threadid() == thread);
        }) {}

private:
  uint64_t thread;
  ScopedDiagnosticHandler handler;
};

/// Puts a copy in the place of a function's body for a while.
class BodyCopy {
public:
  explicit BodyCopy(FuncOp func) : func(func) {
    original.takeBody(func.getBody());
    original.cloneInto(&func.getBody(), mapping);
  }
  ~BodyCopy() { func.getBody().takeBody(original); }

  scf::ForOp getCopy(scf::ForOp loop) {
    return cast<scf::ForOp>(mapping.lookup(loop.getOperation()));
  }

private:
  FuncOp func;
  Region original;
  IRMapping mapping;
};
} // namespace

static bool rehearse(const BoundaryPlan &plan, ArrayRef<scf::ForOp> loops,
                     function_ref<void(BoundaryPlan &)> replan) {
  Silence silence(plan.func.getContext());
  BodyCopy copy(plan.func);
  IRRewriter rewriter(plan.func.getContext());
  SmallVector<scf::ForOp> copies;
  for (scf::ForOp loop : loops)
    copies.push_back(copy.getCopy(loop));
  for (scf::ForOp loop : copies)
    unrollLoop(loop, rewriter);
  BoundaryPlan unrolled(plan.func);
  unrolled.launches = plan.launches;
  replan(unrolled);
  return !unrolled.failed;
}

bool mlir::pypto::tryUnroll(BoundaryPlan &plan, ArrayRef<Operation *> windows,
                            function_ref<void(BoundaryPlan &)> replan) {
  // The windows of one base may be enough, as those of the first often are; so
  // the loops are tried one nest after the other, and then all.
  SmallVector<SmallVector<scf::ForOp>> choices;
  auto addChoice = [&](ArrayRef<Operation *> some) {
    SmallVector<scf::ForOp> loops =
        sortInnerFirst(plan.func, collectLoops(some, *plan.identity));
    if (!loops.empty() && !llvm::is_contained(choices, loops) &&
        isAffordable(loops))
      choices.push_back(std::move(loops));
  };
  constexpr size_t kMaxSingle = 4;
  for (Operation *window : windows.take_front(kMaxSingle))
    addChoice(window);
  addChoice(windows);
  for (SmallVector<scf::ForOp> &loops : choices) {
    if (!rehearse(plan, loops, replan))
      continue;
    plan.unrolled = std::move(loops);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Unrolling
//===----------------------------------------------------------------------===//

void mlir::pypto::unrollLoop(scf::ForOp loop, RewriterBase &rewriter) {
  uint64_t count = *getConstantTripCount(loop);
  auto getConstant = [](Value value) {
    while (auto alias = value.getDefiningOp<AliasOp>())
      value = alias.getSource();
    APInt constant;
    matchPattern(value, m_ConstantInt(&constant));
    return constant;
  };
  APInt counter = getConstant(loop.getLowerBound());
  APInt step = getConstant(loop.getStep());
  Type type = loop.getInductionVar().getType();

  rewriter.setInsertionPoint(loop);
  SmallVector<Value> carried(loop.getInitArgs());
  Block *body = loop.getBody();
  for (uint64_t i = 0; i < count; ++i, counter += step) {
    IRMapping mapping;
    Value index = arith::ConstantOp::create(
        rewriter, loop.getLoc(), rewriter.getIntegerAttr(type, counter));
    mapping.map(loop.getInductionVar(), index);
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : body->without_terminator())
      rewriter.clone(op, mapping);
    for (auto [value, yielded] :
         llvm::zip_equal(carried, loop.getYieldedValues()))
      value = mapping.lookupOrDefault(yielded);
  }
  rewriter.replaceOp(loop, carried);
}
