//===- CountWideLoops.cpp - Loops that span half of their type ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_COUNTWIDELOOPS
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;

/// How often a loop runs that MLIR takes for one that does not run; nothing for
/// any other. MLIR subtracts the bounds in their type and reads the distance,
/// and any step, as a signed number.
static std::optional<APInt> getMistakenTripCount(scf::ForOp loop) {
  APInt lower, upper, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  bool isUnsigned = loop.getUnsignedCmp();
  if (isUnsigned ? step.isZero() || lower.uge(upper)
                 : !step.isStrictlyPositive() || lower.sge(upper))
    return std::nullopt;
  APInt distance = upper - lower;
  if (!(isUnsigned ? step : distance).isNegative())
    return std::nullopt;
  return (distance - 1).udiv(step) + 1;
}

/// Makes `loop` count its iterations, and computes its variable from the count.
static void countIterations(scf::ForOp loop, APInt tripCount) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  // A count in the type itself may again be half of what it holds.
  bool isWidened = tripCount.getBitWidth() < 64;
  Type counterType = isWidened ? builder.getI64Type() : type;
  if (isWidened)
    tripCount = tripCount.zext(64);
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     IntegerAttr::get(counterType, value));
  };
  APInt zero(tripCount.getBitWidth(), 0), one(tripCount.getBitWidth(), 1);
  auto counted = scf::ForOp::create(
      builder, loc, constant(zero), constant(tripCount), constant(one),
      loop.getInitArgs(), /*bodyBuilder=*/nullptr, /*unsignedCmp=*/!isWidened);
  counted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());

  counted.getRegion().takeBody(loop.getRegion());
  Block &body = *counted.getBody();
  BlockArgument variable = body.getArgument(0);
  Value counter = body.insertArgument(0u, counterType, variable.getLoc());
  builder.setInsertionPointToStart(&body);
  if (isWidened)
    counter = arith::TruncIOp::create(builder, loc, type, counter);
  Value offset = arith::MulIOp::create(builder, loc, counter, loop.getStep());
  variable.replaceAllUsesWith(
      arith::AddIOp::create(builder, loc, loop.getLowerBound(), offset));
  body.eraseArgument(1);
  loop->replaceAllUsesWith(counted);
  loop.erase();
}

namespace {
struct CountWideLoops : pypto::impl::CountWideLoopsBase<CountWideLoops> {
  void runOnOperation() override {
    SmallVector<std::pair<scf::ForOp, APInt>> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (std::optional<APInt> tripCount = getMistakenTripCount(loop))
        loops.push_back({loop, *tripCount});
    });
    if (loops.empty())
      return markAllAnalysesPreserved();
    for (auto &[loop, tripCount] : loops)
      countIterations(loop, tripCount);
    numCounted += loops.size();
  }
};
} // namespace
