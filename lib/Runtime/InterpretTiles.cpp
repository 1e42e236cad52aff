//===- InterpretTiles.cpp - Tensor values in kernel bodies ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Interpreter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExprVisitor.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The window of `tensor` a tile of this shape is moved to or from.
LogicalResult Interpreter::checkTile(const TileAccess &info,
                                     const TensorDescriptor &tensor,
                                     ArrayRef<int64_t> shape,
                                     TensorDescriptor &window) {
  if (run.memory.isSymbolic())
    return fail("moves data, of which there is none when it is symbolic");
  if (!isKernel && !top().deviceScopes)
    return fail("moves data outside of a kernel");
  SmallVector<int64_t, 4> offsets = getList(info.offsets);
  window = tensor;
  for (unsigned axis = 0; axis != tensor.rank; ++axis) {
    int64_t offset = offsets[axis], size = shape[axis];
    if (offset < 0 || offset > tensor.shape[axis] ||
        size > tensor.shape[axis] - offset)
      return fail("moves a tile [" + Twine(offset) + ", " + Twine(offset) +
                  " + " + Twine(size) + ") along axis " + Twine(axis) +
                  " of a tensor with extent " + Twine(tensor.shape[axis]));
    window.startOffset += offset * tensor.strides[axis];
    window.shape[axis] = size;
  }
  return success();
}

LogicalResult Interpreter::loadTile(const TileAccess &info) {
  TensorDescriptor window;
  if (failed(checkTile(info, top().tensors[info.tensor], info.shape, window)))
    return failure();
  std::shared_ptr<Tile> tile = makeTile(info.shape, info.type);
  const char *data = window.buffer->getData();
  unsigned size = getByteSize(window.type);
  uint64_t *next = tile->elements.data();
  forEachElement(window, [&](int64_t offset) {
    *next++ = loadElement(data + offset * size, window.type);
  });
  top().tiles[info.tile] = std::move(tile);
  return success();
}

/// The sum of two elements, as `arith` adds them.
static uint64_t addElements(uint64_t a, uint64_t b, ElementType type) {
  if (isFloat(type))
    return fromDouble(toDouble(a, type) + toDouble(b, type), type);
  return maskTo(a + b, getBitWidth(type));
}

LogicalResult Interpreter::storeTile(const TileAccess &info) {
  TilePtr tile = top().tiles[info.tile];
  TensorDescriptor window;
  if (failed(checkTile(info, top().tensors[info.tensor], tile->shape, window)))
    return failure();
  char *data = window.buffer->getData();
  unsigned size = getByteSize(window.type);
  const uint64_t *next = tile->elements.data();
  forEachElement(window, [&](int64_t offset) {
    char *address = data + offset * size;
    uint64_t value = *next++;
    if (info.atomicAdd)
      value =
          addElements(loadElement(address, window.type), value, window.type);
    storeElement(address, window.type, value);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::mapTile(const ScalarCall &info) {
  Frame &frame = top();
  const Tile *tiles[3] = {};
  const Tile *first = nullptr;
  for (unsigned i = 0; i != info.op.numOperands; ++i) {
    if (info.in[i].cls != RegClass::Tile)
      continue;
    tiles[i] = frame.tiles[info.in[i].index].get();
    if (first && first->shape != tiles[i]->shape)
      return fail("combines tiles of different extents");
    first = tiles[i];
  }
  std::shared_ptr<Tile> results[2];
  for (unsigned i = 0; i != info.op.numResults; ++i) {
    auto type = cast<ShapedType>(getOp()->getResult(i).getType());
    std::optional<ElementType> element =
        pypto::runtime::getElementType(type.getElementType());
    if (!element)
      return fail("computes elements of a type that is not interpreted");
    results[i] = makeTile(first->shape, *element);
  }
  for (int64_t e = 0, count = first->elements.size(); e != count; ++e) {
    uint64_t in[3], out[2];
    for (unsigned i = 0; i != info.op.numOperands; ++i)
      in[i] =
          tiles[i] ? tiles[i]->elements[e] : frame.scalars[info.in[i].index];
    ScalarStatus status = info.op.function(info.op, in, out);
    if (status != ScalarStatus::Ok)
      return fail(Twine(describe(status)) + " in element " + Twine(e));
    for (unsigned i = 0; i != info.op.numResults; ++i)
      results[i]->elements[e] = out[i];
  }
  for (unsigned i = 0; i != info.op.numResults; ++i)
    frame.tiles[info.out[i].index] = std::move(results[i]);
  return success();
}

LogicalResult Interpreter::callTile(const TileCall &info) {
  Frame &frame = top();
  SmallVector<KernelValue, 4> operands, results;
  for (Reg reg : info.in) {
    switch (reg.cls) {
    case RegClass::Scalar:
      operands.push_back(frame.scalars[reg.index]);
      break;
    case RegClass::Tensor:
      operands.push_back(frame.tensors[reg.index]);
      break;
    case RegClass::Tile:
      operands.push_back(frame.tiles[reg.index]);
      break;
    case RegClass::Array:
      return fail("computes with an array in a kernel");
    }
  }
  std::string error;
  if (!info.function(info.op, operands, results, error))
    return fail(error.empty() ? "is not interpreted" : error);
  if (results.size() != info.out.size())
    return fail("is interpreted with another number of results");
  for (auto [reg, value] : llvm::zip_equal(info.out, results)) {
    if (reg.cls == RegClass::Scalar && std::holds_alternative<uint64_t>(value))
      frame.scalars[reg.index] = std::get<uint64_t>(value);
    else if (reg.cls == RegClass::Tile &&
             std::holds_alternative<TilePtr>(value) && std::get<TilePtr>(value))
      frame.tiles[reg.index] = std::get<TilePtr>(value);
    else if (reg.cls == RegClass::Tensor &&
             std::holds_alternative<TensorDescriptor>(value))
      frame.tensors[reg.index] = std::get<TensorDescriptor>(value);
    else
      return fail("is interpreted with a result of another kind");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Structured operations
//===----------------------------------------------------------------------===//

namespace {
/// A dimension of an operand as a sum of loop indices times coefficients.
struct LinearExpr {
  SmallVector<int64_t, 4> coefficients;
  int64_t constant = 0;

  int64_t evaluate(ArrayRef<int64_t> indices) const {
    int64_t value = constant;
    for (auto [coefficient, index] : llvm::zip(coefficients, indices))
      value += coefficient * index;
    return value;
  }
};
} // namespace

/// Adds `factor * expr`; false when it is not linear.
static bool addLinear(AffineExpr expr, int64_t factor, LinearExpr &result) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    result.constant += factor * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    result.coefficients[dim.getPosition()] += factor;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, result) &&
           addLinear(binary.getRHS(), factor, result);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && scale &&
         addLinear(binary.getLHS(), factor * scale.getValue(), result);
}

namespace {
/// One operand of a structured operation at a point.
struct StructuredOperand {
  Tile *tile = nullptr;
  uint64_t scalar = 0;
  SmallVector<LinearExpr, 4> dims;

  uint64_t &at(ArrayRef<int64_t> indices) {
    if (!tile)
      return scalar;
    int64_t offset = 0;
    for (auto [dim, extent] : llvm::zip_equal(dims, tile->shape))
      offset = offset * extent + dim.evaluate(indices);
    return tile->elements[offset];
  }
};
} // namespace

/// Loop bounds: the extent of any operand's dimension that is one loop index.
static std::optional<SmallVector<int64_t, 4>>
getRanges(ArrayRef<StructuredOperand> operands, unsigned numLoops) {
  SmallVector<int64_t, 4> ranges(numLoops, -1);
  for (const StructuredOperand &operand : operands)
    for (auto [axis, dim] : llvm::enumerate(operand.dims)) {
      unsigned loop = 0, used = 0;
      for (auto [i, coefficient] : llvm::enumerate(dim.coefficients))
        if (coefficient != 0) {
          loop = i;
          ++used;
        }
      if (used == 1 && dim.coefficients[loop] == 1 && dim.constant == 0)
        ranges[loop] = operand.tile->shape[axis];
    }
  if (llvm::is_contained(ranges, -1))
    return std::nullopt;
  return ranges;
}

/// Whether every index stays within the operand.
static bool isInside(const StructuredOperand &operand,
                     ArrayRef<int64_t> ranges) {
  for (auto [axis, dim] : llvm::enumerate(operand.dims)) {
    int64_t low = dim.constant, high = dim.constant;
    for (auto [coefficient, range] : llvm::zip(dim.coefficients, ranges))
      (coefficient < 0 ? low : high) += coefficient * (range - 1);
    if (low < 0 || high >= operand.tile->shape[axis])
      return false;
  }
  return true;
}

LogicalResult Interpreter::runStructured(const StructuredInfo &info) {
  SmallVector<StructuredOperand, 4> operands;
  SmallVector<std::shared_ptr<Tile>, 4> tiles;
  for (auto [i, reg, map] : llvm::enumerate(info.operands, info.maps)) {
    StructuredOperand &operand = operands.emplace_back();
    if (reg.cls != RegClass::Tile) {
      operand.scalar = top().scalars[reg.index];
      continue;
    }
    // Results start as the initial value; inputs are only read.
    const TilePtr &tile = top().tiles[reg.index];
    tiles.push_back(i < info.numInputs ? std::const_pointer_cast<Tile>(tile)
                                       : std::make_shared<Tile>(*tile));
    operand.tile = tiles.back().get();
    for (AffineExpr expr : map.getResults()) {
      LinearExpr dim;
      dim.coefficients.assign(info.numLoops, 0);
      if (!addLinear(expr, 1, dim))
        return fail("indexes an operand by what is no sum of indices");
      operand.dims.push_back(std::move(dim));
    }
  }
  std::optional<SmallVector<int64_t, 4>> ranges =
      getRanges(operands, info.numLoops);
  if (!ranges)
    return fail("has a loop whose extent no operand gives");
  for (const StructuredOperand &operand : operands)
    if (operand.tile && !llvm::is_contained(*ranges, 0) &&
        !isInside(operand, *ranges))
      return fail("leaves an operand");
  unsigned firstOut = info.numInputs;
  Frame *caller = &top();
  Frame &frame = push(*info.body);
  SmallVector<int64_t, 4> indices(info.numLoops, 0);
  bool isEmpty = llvm::is_contained(*ranges, 0);
  LogicalResult status = success();
  frame.isPoint = true;
  while (!isEmpty) {
    unsigned param = 0;
    for (StructuredOperand &operand : operands)
      frame.scalars[info.body->params[param++].index] = operand.at(indices);
    for (Reg capture : info.captures) {
      Reg to = info.body->params[param++];
      if (to.cls == RegClass::Tile)
        frame.tiles[to.index] = caller->tiles[capture.index];
      else if (to.cls == RegClass::Scalar)
        frame.scalars[to.index] = caller->scalars[capture.index];
      else if (to.cls == RegClass::Tensor)
        frame.tensors[to.index] = caller->tensors[capture.index];
    }
    for (int64_t index : indices)
      frame.scalars[info.body->params[param++].index] = index;
    frame.pc = 0;
    status = loop();
    if (failed(status))
      break;
    ArrayRef<Reg> yielded = info.body->returns.back();
    for (auto [i, reg] : llvm::enumerate(yielded))
      operands[firstOut + i].at(indices) = frame.scalars[reg.index];
    int axis = info.numLoops - 1;
    for (; axis >= 0; --axis) {
      if (++indices[axis] < (*ranges)[axis])
        break;
      indices[axis] = 0;
    }
    if (axis < 0)
      break;
  }
  if (failed(status))
    return failure();
  pop();
  unsigned nextTile = tiles.size() - info.results.size();
  for (uint32_t result : info.results)
    top().tiles[result] = tiles[nextTile++];
  return success();
}
