//===- Functions.cpp - The functions of a module --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Functions.h"

#include <numeric>

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

using RuntimeFunction = mlir::pypto::runtime::Function;

RuntimeFunction *Functions::lookup(StringRef name) {
  auto op = symbols.lookupSymbolIn<FuncOp>(
      module, StringAttr::get(module.getContext(), name));
  return op ? get(op) : nullptr;
}

RuntimeFunction *Functions::lookup(Operation *user, FlatSymbolRefAttr symbol) {
  auto op = symbols.lookupNearestSymbolFrom<FuncOp>(user, symbol.getAttr());
  return op ? get(op) : nullptr;
}

static void readParam(FuncOp op, unsigned index, RuntimeFunction &function) {
  Param param;
  param.direction = op.getParamDirection(index);
  Type type = op.getArgumentTypes()[index];
  if (auto tensor = dyn_cast<GraphTensorType>(type)) {
    param.isTensor = true;
    param.number = function.tensorParams.size();
    param.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    param.element = *getElementType(tensor.getElementType());
    function.tensorParams.push_back(index);
  } else if (std::optional<ScalarKind> kind = getScalarKind(type)) {
    param.isScalar = true;
    param.number = function.scalarParams.size();
    param.kind = *kind;
    function.scalarParams.push_back(index);
  } else if (isScalarType(type)) {
    function.problem = "has a parameter of a type that is no scalar of the "
                       "runtime";
  }
  function.params.push_back(std::move(param));
}

/// Reads `graph.slots`, which the dialect verifies to be a permutation of the
/// numbers of the tensor parameters.
static void readSlots(FuncOp op, RuntimeFunction &function) {
  if (auto slots =
          op->getAttrOfType<DenseI64ArrayAttr>(GraphDialect::kSlotsAttrName)) {
    function.slots.append(slots.asArrayRef().begin(), slots.asArrayRef().end());
    return;
  }
  function.slots.resize(function.tensorParams.size());
  std::iota(function.slots.begin(), function.slots.end(), 0u);
}

RuntimeFunction *Functions::get(FuncOp op) {
  std::unique_ptr<RuntimeFunction> &entry = functions[op];
  if (entry)
    return entry.get();
  entry = std::make_unique<RuntimeFunction>();
  RuntimeFunction &function = *entry;
  function.op = op;
  function.name = op.getSymName().str();
  function.kind = op.getKind();
  function.coreNum = op.getCoreNum().value_or(0);
  for (unsigned i = 0, e = op.getNumArguments(); i != e; ++i)
    readParam(op, i, function);
  for (unsigned i = 0, e = op.getNumResults(); i != e; ++i) {
    std::optional<unsigned> tied = op.getTiedParam(i);
    function.ties.push_back(tied ? static_cast<int>(*tied) : -1);
  }
  readSlots(op, function);
  return &function;
}

Code *Functions::getCode(RuntimeFunction &function) {
  if (!function.code && !function.op.isExternal())
    function.code = compileFunction(*this, function);
  return function.code.get();
}
