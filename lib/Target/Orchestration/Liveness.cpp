//===- Liveness.cpp - What emitted code needs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Liveness.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

Liveness::Liveness(FuncOp func, llvm::function_ref<Value(Value)> resolve)
    : func(func), resolve(resolve) {
  func.getBody().walk([&](Operation *op) { markEffects(op); });
  while (!todoOps.empty() || !todoValues.empty()) {
    if (!todoOps.empty())
      visitOp(todoOps.pop_back_val());
    else
      visitValue(todoValues.pop_back_val());
  }
  this->resolve = nullptr;
}

/// Operations that are live for what they do.
void Liveness::markEffects(Operation *op) {
  if (auto ret = dyn_cast<ReturnOp>(op)) {
    // A tied result is what the caller passed, and a graph launch has no other.
    for (auto [i, operand] : llvm::enumerate(ret.getOperands()))
      if (!func.isGraph() && !func.getTiedParam(i))
        markValue(operand);
    return;
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return;
  // A loop without a bound has an effect: it may never end. Everything else
  // with regions is live when something in it is.
  if (isa<scf::WhileOp>(op) ||
      (op->getNumRegions() == 0 && !isMemoryEffectFree(op) && !isa<ReadOp>(op)))
    markOp(op);
}

void Liveness::markOp(Operation *op) {
  if (ops.insert(op).second)
    todoOps.push_back(op);
}

void Liveness::markValue(Value value) {
  value = resolve(value);
  if (values.insert(value).second)
    todoValues.push_back(value);
}

void Liveness::visitOp(Operation *op) {
  Operation *parent = op->getParentOp();
  if (parent != func)
    markOp(parent);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return markValues({loop.getLowerBound(), loop.getUpperBound(),
                       loop.getStep(), loop.getInductionVar()});
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return markValue(loop.getConditionOp().getCondition());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return markValue(branch.getCondition());
  if (auto branch = dyn_cast<scf::IndexSwitchOp>(op))
    return markValue(branch.getArg());
  if (op->getNumRegions() == 0)
    markValues(op->getOperands());
}

/// A value that a `for` or `while` carries from one iteration to the next.
void Liveness::visitCarried(Operation *op, unsigned index) {
  markOp(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    markValues({loop.getInitArgs()[index], loop.getYieldedValues()[index],
                loop.getRegionIterArg(index)});
    return;
  }
  auto loop = cast<scf::WhileOp>(op);
  markValues({loop.getInits()[index], loop.getYieldOp().getOperand(index)});
}

/// What each region of `op` passes out as its result `index`.
static void forEachYielded(Operation *op, unsigned index,
                           llvm::function_ref<void(Value)> callback) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    Operation *end = region.front().getTerminator();
    if (index < end->getNumOperands())
      callback(end->getOperand(index));
  }
}

void Liveness::visitValue(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *op = argument.getOwner()->getParentOp();
    unsigned index = argument.getArgNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (index != 0)
        visitCarried(op, index - 1);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      markOp(op);
      if (argument.getOwner() == loop.getBeforeBody())
        visitCarried(op, index);
      else
        markValue(loop.getConditionOp().getArgs()[index]);
    }
    return;
  }
  Operation *op = value.getDefiningOp();
  unsigned index = cast<OpResult>(value).getResultNumber();
  markOp(op);
  if (isa<scf::ForOp>(op))
    return visitCarried(op, index);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return markValue(loop.getConditionOp().getArgs()[index]);
  if (op->getNumRegions() != 0)
    forEachYielded(op, index, [&](Value from) { markValue(from); });
}
