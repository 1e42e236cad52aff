//===- AscInterpreter.cpp - Runs kernels of the asc dialect ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/AscInterpreter.h"

#include "Asc/NodeGraph.h"
#include "Kernels/Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

Tile asc::makeResult(Value value) {
  ArrayRef<int64_t> shape;
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    shape = type.getShape();
  return Tile(shape, Format::get(getElementOrSelf(value.getType())));
}

namespace {
/// One run of a kernel.
class KernelRun {
public:
  explicit KernelRun(KernelError &error) : error(error) {}

  LogicalResult run(FunctionOpInterface func,
                    ArrayRef<KernelArgument> arguments);

private:
  LogicalResult bind(FunctionOpInterface func,
                     ArrayRef<KernelArgument> arguments);
  LogicalResult bindTensor(FunctionOpInterface func, BlockArgument param,
                           const KernelArgument &argument);
  LogicalResult execute(Operation *op);
  LogicalResult executeLoad(LoadOp op);
  LogicalResult executeStore(StoreOp op);
  LogicalResult executeNode(Operation *op);
  LogicalResult executeScalar(Operation *op);
  FailureOr<char *> getWindow(Operation *op, Value tensor,
                              RankedTensorType tile,
                              ArrayRef<int64_t> staticOffsets,
                              ValueRange offsets);
  void release(Operation *op);
  LogicalResult fail(Operation *op, const Twine &message) {
    error = {op, message.str()};
    return failure();
  }

  KernelError &error;
  DenseMap<Value, const KernelArgument *> tensors;
  DenseMap<Value, Tile> values;
  /// Uses of a tile that have not run yet.
  DenseMap<Value, unsigned> usesLeft;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// A scalar from its bits.
static Tile makeScalar(Type type, uint64_t bits) {
  Tile tile({}, Format::get(type));
  readElement(reinterpret_cast<const char *>(&bits), tile, 0);
  return tile;
}

LogicalResult KernelRun::bindTensor(FunctionOpInterface func,
                                    BlockArgument param,
                                    const KernelArgument &argument) {
  auto type = cast<graph::GraphTensorType>(param.getType());
  auto number = "argument #" + Twine(param.getArgNumber()) + " ";
  if (!argument.data)
    return fail(func, number + "is a scalar, the parameter is a tensor");
  if (argument.shape.size() != static_cast<size_t>(type.getRank()) ||
      argument.strides.size() != argument.shape.size())
    return fail(func, number + "has rank " + Twine(argument.shape.size()) +
                          ", the parameter has " + Twine(type.getRank()));
  for (auto [have, want] : llvm::zip(argument.shape, type.getShape()))
    if (have < 0 || (!ShapedType::isDynamic(want) && have != want))
      return fail(func, number + "has an extent " + Twine(have) +
                            " where the parameter has " + Twine(want));
  tensors[param] = &argument;
  return success();
}

LogicalResult KernelRun::bind(FunctionOpInterface func,
                              ArrayRef<KernelArgument> arguments) {
  if (arguments.size() != func.getNumArguments())
    return fail(func, "expects " + Twine(func.getNumArguments()) +
                          " arguments, got " + Twine(arguments.size()));
  for (auto [param, argument] : llvm::zip(func.getArguments(), arguments)) {
    Type type = param.getType();
    if (isa<graph::GraphTensorType>(type)) {
      if (failed(bindTensor(func, param, argument)))
        return failure();
    } else if (isElementType(type) || isa<IndexType>(type)) {
      values[param] = makeScalar(type, argument.bits);
    } else {
      return fail(func, "has a parameter that is neither a graph tensor nor a "
                        "scalar of a kernel");
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult KernelRun::run(FunctionOpInterface func,
                             ArrayRef<KernelArgument> arguments) {
  if (func.isExternal())
    return fail(func, "has no body");
  if (failed(bind(func, arguments)))
    return failure();
  Block &body = func.getFunctionBody().front();
  FailureOr<NodeGraph> graph = NodeGraph::build(body);
  if (failed(graph))
    return fail(func, "is no valid graph of nodes");
  for (Operation &op : body)
    for (Value operand : op.getOperands())
      ++usesLeft[operand];
  for (Operation *op : graph->getOrder()) {
    if (failed(execute(op)))
      return failure();
    release(op);
  }
  return success();
}

LogicalResult KernelRun::execute(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return executeLoad(load);
  if (auto store = dyn_cast<StoreOp>(op))
    return executeStore(store);
  return isa<NodeOpInterface>(op) ? executeNode(op) : executeScalar(op);
}

/// Forgets tiles that nothing reads any more.
void KernelRun::release(Operation *op) {
  for (Value operand : op->getOperands())
    if (--usesLeft[operand] == 0)
      values.erase(operand);
}

/// The first element of a tile in a tensor, checked to lie in it.
FailureOr<char *> KernelRun::getWindow(Operation *op, Value tensor,
                                       RankedTensorType tile,
                                       ArrayRef<int64_t> staticOffsets,
                                       ValueRange offsets) {
  auto it = tensors.find(tensor);
  if (it == tensors.end())
    return fail(op, "its tensor is no parameter of the kernel");
  const KernelArgument &argument = *it->second;
  int64_t byteSize =
      Format::get(
          cast<graph::GraphTensorType>(tensor.getType()).getElementType())
          .getByteSize();
  int64_t start = 0;
  size_t next = 0;
  for (auto [axis, literal] : llvm::enumerate(staticOffsets)) {
    int64_t offset = ShapedType::isDynamic(literal)
                         ? values[offsets[next++]].get<int64_t>()[0]
                         : literal;
    int64_t extent = tile.getDimSize(axis);
    if (offset < 0 || offset > argument.shape[axis] - extent)
      return fail(op, "tile of extent " + Twine(extent) + " at " +
                          Twine(offset) + " does not fit axis " + Twine(axis) +
                          " of extent " + Twine(argument.shape[axis]));
    start += offset * argument.strides[axis];
  }
  return argument.data + start * byteSize;
}

LogicalResult KernelRun::executeLoad(LoadOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  FailureOr<char *> data = getWindow(op, op.getSource(), type,
                                     op.getStaticOffsets(), op.getOffsets());
  if (failed(data))
    return failure();
  Tile tile = makeResult(op.getResult());
  int64_t byteSize = tile.format.getByteSize(), next = 0;
  forEachOffset(type.getShape(), tensors[op.getSource()]->strides,
                [&](int64_t offset) {
                  readElement(*data + offset * byteSize, tile, next++);
                });
  values[op.getResult()] = std::move(tile);
  return success();
}

LogicalResult KernelRun::executeStore(StoreOp op) {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  FailureOr<char *> data =
      getWindow(op, op.getDest(), type, op.getStaticOffsets(), op.getOffsets());
  if (failed(data))
    return failure();
  auto it = values.find(op.getValue());
  if (it == values.end())
    return fail(op, "its value was made by an operation the interpreter does "
                    "not know");
  const Tile &tile = it->second;
  int64_t byteSize = tile.format.getByteSize(), next = 0;
  forEachOffset(type.getShape(), tensors[op.getDest()]->strides,
                [&](int64_t offset) {
                  writeElement(*data + offset * byteSize, tile, next++);
                });
  return success();
}

/// The bits of a constant as they stand in memory.
static uint64_t getBits(Attribute value) {
  APInt bits = isa<FloatAttr>(value)
                   ? cast<FloatAttr>(value).getValue().bitcastToAPInt()
                   : cast<IntegerAttr>(value).getValue();
  return bits.getZExtValue();
}

/// A tile of more elements is refused rather than swapped.
static constexpr int64_t kMaxHeldElements = int64_t(1) << 28;

static int64_t countElements(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getNumElements() : 1;
}

LogicalResult KernelRun::executeNode(Operation *op) {
  if (auto scalar = dyn_cast<ScalarOp>(op)) {
    values[scalar.getResult()] =
        makeScalar(scalar.getType(), getBits(scalar.getValue()));
    return success();
  }
  SmallVector<const Tile *, 4> operands;
  for (Value operand : op->getOperands()) {
    auto it = values.find(operand);
    if (it == values.end())
      return fail(op, "an operand was made by an operation the interpreter "
                      "does not know");
    operands.push_back(&it->second);
  }
  for (Type type : op->getResultTypes())
    if (countElements(type) > kMaxHeldElements)
      return fail(op, "makes a tile of " + Twine(countElements(type)) +
                          " elements, more than the interpreter holds");
  SmallVector<Tile> results = llvm::map_to_vector(
      op->getResults(), [](Value result) { return makeResult(result); });
  std::string message;
  if (isa<CastOp>(op))
    convertElements(*operands[0], results[0]);
  else if (!evaluateMovement(op, operands, results, message) &&
           !evaluateReduction(op, operands, results[0]) &&
           !evaluateElementwise(op, operands, results[0]))
    return fail(op, "the interpreter does not know this node");
  if (!message.empty())
    return fail(op, message);
  for (auto [result, tile] : llvm::zip(op->getResults(), results))
    values[result] = std::move(tile);
  return success();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Arithmetic on integers and extents, for offsets.
LogicalResult KernelRun::executeScalar(Operation *op) {
  auto isInteger = [](Type type) {
    auto integer = dyn_cast<IntegerType>(type);
    return isa<IndexType>(type) || (integer && isElementType(integer));
  };
  if (auto dim = dyn_cast<graph::DimOp>(op)) {
    auto it = tensors.find(dim.getSource());
    int64_t axis = values[dim.getAxis()].get<int64_t>()[0];
    if (it == tensors.end() || axis < 0 ||
        axis >= static_cast<int64_t>(it->second->shape.size()))
      return fail(op, "has no such axis");
    values[dim.getResult()] =
        makeScalar(dim.getType(), it->second->shape[axis]);
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (isInteger(constant.getType()) || isElementType(constant.getType())) {
      values[constant.getResult()] =
          makeScalar(constant.getType(), getBits(constant.getValue()));
      return success();
    }
  }
  if (op->getNumResults() == 1 && isInteger(op->getResult(0).getType()) &&
      llvm::all_of(op->getOperandTypes(), isInteger)) {
    Tile result = makeResult(op->getResult(0));
    auto get = [&](unsigned i) -> uint64_t {
      return values[op->getOperand(i)].get<int64_t>()[0];
    };
    int64_t &to = result.get<int64_t>()[0];
    bool known = true;
    if (isa<arith::AddIOp>(op))
      to = get(0) + get(1);
    else if (isa<arith::SubIOp>(op))
      to = get(0) - get(1);
    else if (isa<arith::MulIOp>(op))
      to = get(0) * get(1);
    else if (isa<arith::IndexCastOp>(op))
      to = get(0);
    else
      known = false;
    if (known) {
      result.round();
      values[op->getResult(0)] = std::move(result);
      return success();
    }
  }
  return fail(op, "the interpreter does not know '" +
                      op->getName().getStringRef() + "'");
}

LogicalResult asc::interpretKernel(FunctionOpInterface func,
                                   ArrayRef<KernelArgument> arguments,
                                   KernelError &error) {
  return KernelRun(error).run(func, arguments);
}
