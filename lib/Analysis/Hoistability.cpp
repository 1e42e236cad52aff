//===- Hoistability.cpp - What a call site can recompute ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass in the order of the text, in which what an operation reads is judged
// before the operation is. It starts from nothing: a value is hoistable once
// that is shown, so code that is never reached cannot justify itself.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Hoistability.h"
#include "Analysis/ReplayInvariance.h"
#include "Analysis/ScalarComputation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

bool mlir::pypto::alwaysRunsItsBody(Operation *op,
                                    const IdentityLineage &identity) {
  if (auto scope = dyn_cast<ScopeOp>(op))
    return scope.getKind() == ScopeKind::Manual ||
           scope.getKind() == ScopeKind::Auto;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getConstantTripCount(loop, identity).value_or(0) > 0;
  return isa<scf::ExecuteRegionOp>(op);
}

bool mlir::pypto::isSpeculatableByIdentity(Operation *op,
                                           const IdentityLineage &identity) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                      arith::FloorDivSIOp, index::DivSOp, index::RemSOp,
                      index::CeilDivSOp, index::FloorDivSOp>(op);
  if (!isSigned && !isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp,
                        index::DivUOp, index::RemUOp, index::CeilDivUOp>(op))
    return isSpeculatable(op);
  APInt divisor;
  return matchPattern(identity.getSource(op->getOperand(1)),
                      m_ConstantInt(&divisor)) &&
         !divisor.isZero() && !(isSigned && divisor.isAllOnes());
}

Hoistability::Hoistability(FuncOp func, const IdentityLineage &identity)
    : identity(identity) {
  if (func.isExternal())
    return;
  for (BlockArgument param : func.getArguments())
    if (isScalarType(param.getType()))
      hoistable.insert(param);

  // Blocks that run on every call of the function.
  llvm::SmallDenseSet<Block *, 4> certain;
  certain.insert(&func.getBody().front());

  // Blocks are long, so the last answer mostly holds.
  Block *lastBlock = nullptr;
  bool isCertain = false;
  auto standsInCertain = [&](Operation *op) {
    if (std::exchange(lastBlock, op->getBlock()) != op->getBlock())
      isCertain = certain.contains(op->getBlock());
    return isCertain;
  };

  auto visit = [&](Operation *op) {
    if (op->getNumRegions() != 0) {
      if (standsInCertain(op) && alwaysRunsItsBody(op, identity))
        for (Region &region : op->getRegions())
          certain.insert(&region.front());
      return;
    }
    // Constants are; what else has no operands is made somehow. A rename is
    // judged as what it renames; it is never recomputed.
    if (op->getNumOperands() == 0 || isa<AliasOp>(op) ||
        !isScalarComputation(op))
      return;
    if (llvm::all_of(op->getOperands(),
                     [&](Value operand) { return isHoistable(operand); }) &&
        (standsInCertain(op) || isSpeculatableByIdentity(op, identity)))
      hoistable.insert(op->result_begin(), op->result_end());
  };
  func.getBody().walk<WalkOrder::PreOrder>(visit);
}
