//===- CompileScalars.cpp - Scalars and tiles -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Compiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

static bool isTile(Type type) { return isa<TensorType>(type); }

//===----------------------------------------------------------------------===//
// Constants and selections
//===----------------------------------------------------------------------===//

static std::optional<uint64_t> getScalarConstant(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (integer.getValue().getBitWidth() > 64)
      return std::nullopt;
    return integer.getValue().getZExtValue();
  }
  if (auto boolean = dyn_cast<BoolAttr>(value))
    return boolean.getValue();
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APInt bits = number.getValue().bitcastToAPInt();
    if (bits.getBitWidth() <= 64)
      return bits.getZExtValue();
  }
  return std::nullopt;
}

bool Compiler::compileConstant(Operation *op) {
  StringRef name = op->getName().getStringRef();
  Attribute value;
  if (name == "arith.constant" || name == "index.constant" ||
      name == "index.bool.constant")
    value = op->getAttr("value");
  else if (name == "index.sizeof")
    value = IntegerAttr::get(IndexType::get(op->getContext()), 64);
  if (!value || op->getNumResults() != 1)
    return false;
  Reg result = getReg(op->getResult(0));
  if (result.cls == RegClass::Tile) {
    TilePtr tile = makeConstantTile(value);
    if (!tile)
      return false;
    code->tiles.push_back(std::move(tile));
    emit(op, Opcode::TileConstant, code->tiles.size() - 1, 0, 0, result.index);
    return true;
  }
  std::optional<uint64_t> bits = getScalarConstant(value);
  if (!bits)
    return false;
  code->constants.push_back(*bits);
  emit(op, Opcode::Constant, code->constants.size() - 1, 0, 0, result.index);
  return true;
}

/// A selection by one scalar; a tile of conditions goes element by element.
bool Compiler::compileSelect(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || isTile(select.getCondition().getType()))
    return false;
  Opcode opcode;
  switch (getClass(select.getType())) {
  case RegClass::Scalar:
    opcode = Opcode::SelectScalar;
    break;
  case RegClass::Tensor:
    opcode = Opcode::SelectTensor;
    break;
  case RegClass::Tile:
    opcode = Opcode::SelectTile;
    break;
  case RegClass::Array:
    return false;
  }
  emit(op, opcode, getIndex(select.getCondition()),
       getIndex(select.getTrueValue()), getIndex(select.getFalseValue()),
       getIndex(select.getResult()));
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// The operations an orchestration is made of have instructions of their own.
static std::optional<Opcode> getFastOpcode(Operation *op) {
  if (isa<arith::AddIOp>(op))
    return Opcode::AddI;
  if (isa<arith::SubIOp>(op))
    return Opcode::SubI;
  if (isa<arith::MulIOp>(op))
    return Opcode::MulI;
  if (isa<arith::CmpIOp>(op))
    return Opcode::CmpI;
  return std::nullopt;
}

bool Compiler::compileScalar(Operation *op) {
  if (compileConstant(op) || compileSelect(op))
    return true;
  if (op->getName().getStringRef() == "linalg.index" && !loopIndices.empty()) {
    uint64_t dim = cast<linalg::IndexOp>(op).getDim();
    if (dim < loopIndices.size())
      alias(op->getResult(0), loopIndices[dim]);
    return dim < loopIndices.size();
  }
  std::optional<ScalarOp> scalar = getScalarOp(op);
  if (!scalar)
    return compileTileOp(op);
  bool hasTiles = llvm::any_of(op->getOperandTypes(), isTile);
  std::optional<Opcode> fast = getFastOpcode(op);
  if (fast && !hasTiles) {
    Inst &inst = emit(op, *fast);
    inst.width = scalar->in.width;
    // The registers are made in order of appearance.
    uint32_t a = getIndex(op->getOperand(0)), b = getIndex(op->getOperand(1));
    uint32_t d = getIndex(op->getResult(0));
    inst.a = a;
    inst.b = b;
    inst.c = scalar->predicate;
    inst.d = d;
    return true;
  }
  ScalarCall call;
  call.op = *scalar;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    call.in[i] = getReg(operand);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    call.out[i] = getReg(result);
  code->scalarCalls.push_back(call);
  emit(op, hasTiles ? Opcode::TileMap : Opcode::Scalar,
       code->scalarCalls.size() - 1);
  return true;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

bool Compiler::compileTileOp(Operation *op) {
  if (compileStructured(op))
    return true;
  TileFunction function = getTileFunction(op);
  if (!function)
    return false;
  TileCall call{op, std::move(function), {}, {}};
  call.in.append(getRegs(op->getOperands()));
  call.out.append(getRegs(op->getResults()));
  code->tileCalls.push_back(std::move(call));
  emit(op, Opcode::TileOp, code->tileCalls.size() - 1);
  return true;
}

bool Compiler::compileStructured(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics() ||
      !op->getRegion(0).hasOneBlock())
    return false;
  StructuredInfo info;
  info.op = op;
  info.operands.append(getRegs(op->getOperands()));
  info.numInputs = structured.getNumDpsInputs();
  if (info.operands.size() != info.numInputs + op->getNumResults())
    return false;
  for (Value result : op->getResults())
    info.results.push_back(getIndex(result));
  info.maps.append(structured.getIndexingMapsArray());
  info.numLoops = structured.getNumLoops();
  llvm::SetVector<Value> captures;
  op->getRegion(0).walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentRegion()->isProperAncestor(&op->getRegion(0)))
        captures.insert(operand);
  });
  info.captures.append(getRegs(captures.getArrayRef()));
  info.body = Compiler(functions).compilePoint(
      op->getRegion(0).front(), captures.getArrayRef(), info.numLoops);
  code->structured.push_back(std::move(info));
  emit(op, Opcode::Structured, code->structured.size() - 1);
  return true;
}
