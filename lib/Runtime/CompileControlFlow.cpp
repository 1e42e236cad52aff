//===- CompileControlFlow.cpp - Regions become jumps ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Compiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

bool Compiler::compileControlFlow(Operation *op) {
  if (isa<scf::ForOp>(op)) {
    compileFor(op);
  } else if (isa<scf::WhileOp>(op)) {
    compileWhile(op);
  } else if (isa<scf::IfOp>(op)) {
    compileIf(op);
  } else if (isa<scf::IndexSwitchOp>(op)) {
    compileSwitch(op);
  } else if (isa<scf::ExecuteRegionOp>(op)) {
    compileArm(op, op->getRegion(0));
  } else if (auto scope = dyn_cast<ScopeOp>(op)) {
    compileScope(scope);
  } else {
    return false;
  }
  return true;
}

/// A region whose yielded values are the results of `op`.
void Compiler::compileArm(Operation *op, Region &region) {
  if (Operation *end = compileBlock(region))
    emitMoves(end, end->getOperands(), getRegs(op->getResults()));
}

void Compiler::compileFor(Operation *operation) {
  auto op = cast<scf::ForOp>(operation);
  std::optional<ScalarKind> kind =
      getScalarKind(op.getInductionVar().getType());
  if (!kind)
    return emitTrap(op, "counts in a type that is not interpreted");
  // Nothing reads a result while the loop runs: results and carried values
  // share registers.
  SmallVector<Reg> carried = getRegs(op.getRegionIterArgs());
  for (auto [result, reg] : llvm::zip_equal(op.getResults(), carried))
    alias(result, reg);
  emitMoves(op, op.getInitArgs(), carried);
  uint32_t variable = getIndex(op.getInductionVar());
  emitMove(op, getReg(op.getLowerBound()), getReg(op.getInductionVar()));
  uint32_t bound = getIndex(op.getUpperBound()), step = getIndex(op.getStep());
  auto setKind = [&](Inst &inst) {
    inst.width = kind->width;
    inst.flag = op.getUnsignedCmp();
  };
  uint32_t enter = getPosition();
  setKind(emit(op, Opcode::ForEnter, variable, bound, step));
  uint32_t head = getPosition();
  Operation *end = compileBlock(op.getRegion());
  if (!end)
    return;
  emitMoves(end, end->getOperands(), carried);
  setKind(emit(op, Opcode::ForNext, variable, bound, step, head));
  code->insts[enter].d = getPosition();
}

void Compiler::compileWhile(Operation *operation) {
  auto op = cast<scf::WhileOp>(operation);
  SmallVector<Reg> before = getRegs(op.getBeforeArguments());
  emitMoves(op, op.getInits(), before);
  uint32_t head = getPosition();
  Operation *condition = compileBlock(op.getBefore());
  if (!condition)
    return;
  ValueRange passed = condition->getOperands().drop_front();
  uint32_t exit = getPosition();
  emit(condition, Opcode::JumpIfZero, getIndex(condition->getOperand(0)));
  emitMoves(condition, passed, getRegs(op.getAfterArguments()));
  Operation *end = compileBlock(op.getAfter());
  if (!end)
    return;
  emitMoves(end, end->getOperands(), before);
  emit(op, Opcode::Loop, 0, head);
  code->insts[exit].b = getPosition();
  emitMoves(condition, passed, getRegs(op.getResults()));
}

void Compiler::compileIf(Operation *operation) {
  auto op = cast<scf::IfOp>(operation);
  uint32_t toElse = getPosition();
  emit(op, Opcode::JumpIfZero, getIndex(op.getCondition()));
  compileArm(op, op.getThenRegion());
  uint32_t toEnd = getPosition();
  emit(op, Opcode::Jump);
  code->insts[toElse].b = getPosition();
  if (!op.getElseRegion().empty())
    compileArm(op, op.getElseRegion());
  code->insts[toEnd].b = getPosition();
}

void Compiler::compileSwitch(Operation *operation) {
  auto op = cast<scf::IndexSwitchOp>(operation);
  SmallVector<uint32_t> toEnd;
  uint32_t value = getIndex(op.getArg());
  for (auto [number, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    uint32_t expected = emitConstant(op, number);
    uint32_t isEqual = makeReg(RegClass::Scalar).index;
    emit(op, Opcode::CmpI, value, expected,
         static_cast<uint32_t>(arith::CmpIPredicate::eq), isEqual);
    uint32_t toNext = getPosition();
    emit(op, Opcode::JumpIfZero, isEqual);
    compileArm(op, region);
    toEnd.push_back(getPosition());
    emit(op, Opcode::Jump);
    code->insts[toNext].b = getPosition();
  }
  compileArm(op, op.getDefaultRegion());
  for (uint32_t jump : toEnd)
    code->insts[jump].b = getPosition();
}

void Compiler::compileScope(ScopeOp op) {
  if (op.getGate())
    return emitTrap(op, "has a predicate, which is interpreted only after the "
                        "scope has become a function");
  ScopeInfo info{op.getKind(), std::nullopt};
  Value taskId = op.getTaskId();
  if (taskId)
    info.taskId = getIndex(taskId);
  code->scopes.push_back(info);
  uint32_t number = code->scopes.size() - 1;
  emit(op, Opcode::ScopeBegin, number);
  Operation *end = compileBlock(op.getBody());
  if (!end)
    return;
  emitMoves(end, end->getOperands(), getRegs(op.getYieldedResults()));
  emit(op, Opcode::ScopeEnd, number);
}
