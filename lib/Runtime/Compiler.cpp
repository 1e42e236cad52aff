//===- Compiler.cpp - From a function body to instructions ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Compiler.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

std::unique_ptr<Code>
mlir::pypto::runtime::compileFunction(Functions &functions,
                                      pypto::runtime::Function &function) {
  return Compiler(functions).compile(function.op.getBody().front());
}

std::unique_ptr<Code> Compiler::compile(Block &body) {
  for (BlockArgument param : body.getArguments())
    addParam(param);
  code->numScalarParams =
      code->numRegs[static_cast<unsigned>(RegClass::Scalar)];
  if (Operation *end = compileBlock(*body.getParent())) {
    code->returns.push_back(SmallVector<Reg, 2>(getRegs(end->getOperands())));
    emit(end, Opcode::Return, code->returns.size() - 1);
  }
  return std::move(code);
}

std::unique_ptr<Code> Compiler::compilePoint(Block &body,
                                             ArrayRef<Value> captures,
                                             unsigned numLoops) {
  for (BlockArgument param : body.getArguments())
    addParam(param);
  for (Value capture : captures)
    addParam(capture);
  for (unsigned i = 0; i != numLoops; ++i) {
    loopIndices.push_back(makeReg(RegClass::Scalar));
    code->params.push_back(loopIndices.back());
  }
  if (Operation *end = compileBlock(*body.getParent())) {
    code->returns.push_back(SmallVector<Reg, 2>(getRegs(end->getOperands())));
    emit(end, Opcode::Return, code->returns.size() - 1);
  }
  return std::move(code);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

RegClass Compiler::getClass(Type type) {
  if (isa<GraphTensorType>(type))
    return RegClass::Tensor;
  if (isa<ArrayType>(type))
    return RegClass::Array;
  if (isa<TensorType>(type))
    return RegClass::Tile;
  return RegClass::Scalar;
}

void Compiler::addParam(Value value) {
  Reg reg = makeReg(getClass(value.getType()));
  alias(value, reg);
  code->params.push_back(reg);
}

Reg Compiler::getReg(Value value) {
  auto [it, isNew] = registers.try_emplace(value);
  if (isNew)
    it->second = makeReg(getClass(value.getType()));
  return it->second;
}

SmallVector<Reg> Compiler::getRegs(ValueRange values) {
  SmallVector<Reg> regs;
  for (Value value : values)
    regs.push_back(getReg(value));
  return regs;
}

MixedList Compiler::getList(ArrayRef<int64_t> literals, ValueRange values) {
  MixedList list;
  for (int64_t literal : literals) {
    if (!ShapedType::isDynamic(literal)) {
      list.push_back({literal, -1});
      continue;
    }
    list.push_back({0, static_cast<int32_t>(getIndex(values.front()))});
    values = values.drop_front();
  }
  return list;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Inst &Compiler::emit(Operation *op, Opcode opcode, uint32_t a, uint32_t b,
                     uint32_t c, uint32_t d) {
  Inst inst;
  inst.op = opcode;
  inst.a = a;
  inst.b = b;
  inst.c = c;
  inst.d = d;
  code->insts.push_back(inst);
  code->ops.push_back(op);
  return code->insts.back();
}

void Compiler::emitTrap(Operation *op, const Twine &message) {
  code->messages.push_back(message.str());
  emit(op, Opcode::Trap, code->messages.size() - 1);
}

uint32_t Compiler::emitConstant(Operation *op, uint64_t value) {
  uint32_t reg = makeReg(RegClass::Scalar).index;
  code->constants.push_back(value);
  emit(op, Opcode::Constant, code->constants.size() - 1, 0, 0, reg);
  return reg;
}

void Compiler::emitMove(Operation *op, Reg from, Reg to, bool isLastUse) {
  if (from == to)
    return;
  static constexpr Opcode kMoves[] = {Opcode::MoveScalar, Opcode::MoveTensor,
                                      Opcode::MoveArray, Opcode::MoveTile};
  emit(op, kMoves[static_cast<unsigned>(to.cls)], from.index, 0, 0, to.index)
      .flag = isLastUse;
}

void Compiler::emitMoves(Operation *op, ValueRange from, ArrayRef<Reg> to) {
  SmallVector<Reg> sources = getRegs(from);
  SmallVector<bool> isLast;
  for (Value value : from)
    isLast.push_back(isLastUse(value, op));
  for (unsigned i = 0, e = sources.size(); i != e; ++i) {
    bool isOverwritten = false;
    for (unsigned j = 0; j != i; ++j)
      isOverwritten |= to[j] == sources[i] && !(sources[j] == to[j]);
    if (!isOverwritten)
      continue;
    Reg temporary = makeReg(sources[i].cls);
    emitMove(op, sources[i], temporary, isLast[i]);
    sources[i] = temporary;
    isLast[i] = true;
  }
  for (auto [source, target, last] : llvm::zip_equal(sources, to, isLast))
    emitMove(op, source, target, last);
}

//===----------------------------------------------------------------------===//
// Blocks and operations
//===----------------------------------------------------------------------===//

Operation *Compiler::compileBlock(Region &region) {
  if (!region.hasOneBlock()) {
    emitTrap(region.getParentOp(),
             "has a region of several blocks, which is not interpreted");
    return nullptr;
  }
  unsigned outerCreates = std::exchange(createsInBlock, 0);
  Block &block = region.front();
  Operation *end =
      block.mightHaveTerminator() ? block.getTerminator() : nullptr;
  for (Operation &op : block)
    if (&op != end)
      compileOp(&op);
  createsInBlock = outerCreates;
  if (!end)
    emitTrap(region.getParentOp(), "has a region without a terminator");
  return end;
}

void Compiler::compileOp(Operation *op) {
  if (TileFunction function =
          functions.lookupDialect(op->getName().getDialectNamespace())) {
    TileCall call{op, std::move(function), {}, {}};
    call.in.append(getRegs(op->getOperands()));
    call.out.append(getRegs(op->getResults()));
    code->tileCalls.push_back(std::move(call));
    emit(op, Opcode::TileOp, code->tileCalls.size() - 1);
    return;
  }
  if (compileGraph(op) || compileControlFlow(op) || compileScalar(op))
    return;
  emitTrap(op, "is not interpreted");
}
