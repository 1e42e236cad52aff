//===- Tensors.cpp - Buffers, windows and arrays --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// The runtime counts extents and offsets in 32 bits.
bool FunctionEmitter::checkExtents(ArrayRef<int64_t> extents, StringRef what,
                                   Location loc) {
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent) || extent <= int64_t(UINT32_MAX))
      continue;
    error(loc, DiagnosticCode::CodegenLimit)
        << what << " " << extent << " does not fit the runtime's 32 bits";
    return false;
  }
  return true;
}

/// An offset or size as a 64-bit expression.
std::string FunctionEmitter::getIndex(OpFoldResult index) {
  if (auto value = dyn_cast<Value>(index))
    return use(value);
  return std::to_string(cast<IntegerAttr>(cast<Attribute>(index)).getInt());
}

std::string mlir::pypto::orchestration::convertTo(StringRef type,
                                                  const std::string &expr) {
  if (llvm::all_of(expr, llvm::isDigit))
    return expr;
  return ("static_cast<" + type + ">(" + expr + ")").str();
}

/// `expr` as an element of an array of extents.
static std::string to32(const std::string &expr) {
  return convertTo("uint32_t", expr);
}

std::string FunctionEmitter::emitExtents(StringRef wish,
                                         ArrayRef<std::string> extents) {
  std::string name = getName(wish);
  // There are no arrays of no elements; of a scalar the rank says it.
  if (extents.empty())
    out.line("const uint32_t " + name + "[] = {1};");
  else
    out.list("const uint32_t " + name + "[] = {", extents, "};");
  return name;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

std::string FunctionEmitter::emitCreateInfo(GraphTensorType type,
                                            ValueRange sizes, StringRef name,
                                            Location loc) {
  checkExtents(type.getShape(), "extent", loc);
  SmallVector<std::string> extents;
  for (int64_t extent : type.getShape()) {
    if (ShapedType::isDynamic(extent)) {
      extents.push_back(to32(use(sizes.front())));
      sizes = sizes.drop_front();
    } else {
      extents.push_back(std::to_string(extent));
    }
  }
  std::string shape = emitExtents((name + "_shape").str(), extents);
  std::string info = getName(name + "_info");
  out.line("const TensorCreateInfo " + info + "(" + shape + ", " +
           Twine(type.getRank()) + ", " + getDataType(type.getElementType()) +
           ");");
  return info;
}

void FunctionEmitter::emitAllocations(ArrayRef<Operation *> batch) {
  SmallVector<std::string> infos;
  bool isUsed = false;
  for (Operation *op : batch) {
    Value buffer = op->getResult(0);
    auto create = dyn_cast<CreateOp>(op);
    if (!create) {
      unsupported(op);
      bind(buffer, "0");
      continue;
    }
    std::string wish = name(buffer, "buffer");
    infos.push_back(emitCreateInfo(cast<GraphTensorType>(buffer.getType()),
                                   create.getDynamicSizes(), wish,
                                   op->getLoc()));
    isUsed |= isLive(buffer);
  }
  if (!isUsed)
    return out.list("alloc_tensors(", infos, ");");
  std::string outputs = getName("buffers");
  out.list("TaskOutputTensors " + outputs + " = alloc_tensors(", infos, ");");
  for (auto [i, op] : llvm::enumerate(batch))
    if (isLive(op->getResult(0)))
      out.line("const ChipTensor &" + use(op->getResult(0)) + " = " + outputs +
               ".get_ref(" + Twine(i) + ");");
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

void FunctionEmitter::emitSlice(SliceOp op) {
  checkExtents(op.getStaticOffsets(), "offset", op.getLoc());
  checkExtents(op.getStaticSizes(), "size", op.getLoc());
  std::string source = use(op.getSource());
  std::string window = name(op.getResult(), source + "_view");
  SmallVector<std::string> offsets, shapes;
  for (auto [i, offset, size] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes())) {
    std::string begin = getIndex(offset);
    offsets.push_back(to32(begin));
    shapes.push_back(support.call(
        "clamp_extent", {getIndex(size), begin,
                         source + ".shapes[" + std::to_string(i) + "]"}));
  }
  std::string offsetsName = emitExtents(window + "_offsets", offsets);
  std::string shapesName = emitExtents(window + "_shape", shapes);
  out.line("const ChipTensor " + window + " = " + source + ".view(" +
           shapesName + ", " + offsetsName + ");");
}

void FunctionEmitter::emitView(ViewOp op) {
  checkExtents(op.getStaticSizes(), "size", op.getLoc());
  std::string source = use(op.getSource());
  std::string window = name(op.getResult(), source + "_view");
  SmallVector<std::string> shapes;
  for (OpFoldResult size : op.getMixedSizes())
    shapes.push_back(to32(getIndex(size)));
  std::string shapesName = emitExtents(window + "_shape", shapes);
  out.line("const ChipTensor " + window + " = " + source + ".reshape(" +
           shapesName + ", " + Twine(shapes.size()) + ");");
}

void FunctionEmitter::emitDim(DimOp op) {
  std::string source = use(op.getSource());
  std::string axis = use(op.getAxis());
  if (std::optional<int64_t> constant = getConstantIntValue(op.getAxis())) {
    auto type = cast<GraphTensorType>(op.getSource().getType());
    if (*constant < 0 || *constant >= type.getRank())
      return unsupported(op);
    axis = std::to_string(*constant);
  }
  out.line("const uint64_t " + name(op.getResult(), source + "_dim") + " = " +
           source + ".shapes[" + axis + "];");
}

void FunctionEmitter::emitRead(ReadOp op) {
  std::string source = use(op.getSource());
  std::string element = name(op.getResult(), source + "_element");
  auto type = cast<GraphTensorType>(op.getSource().getType());
  SmallVector<std::string> indices;
  ValueRange values = op.getIndices();
  for (int64_t index : op.getStaticIndices()) {
    if (ShapedType::isDynamic(index)) {
      indices.push_back(to32(use(values.front())));
      values = values.drop_front();
    } else {
      indices.push_back(std::to_string(index));
    }
  }
  std::string at = emitExtents(element + "_at", indices);
  StringRef storage =
      getStorageType(type.getElementType().getIntOrFloatBitWidth());
  out.line("const " + storage + " " + element + " = get_tensor_data<" +
           storage + ">(" + source + ", " + Twine(indices.size()) + ", " + at +
           ");");
}

//===----------------------------------------------------------------------===//
// Arrays and choices
//===----------------------------------------------------------------------===//

/// The only index of an array operation.
static std::string getArrayIndex(ArrayRef<int64_t> literals,
                                 const std::string &dynamic) {
  return ShapedType::isDynamic(literals.front())
             ? dynamic
             : std::to_string(literals.front());
}

void FunctionEmitter::emitArrayInsert(ArrayInsertOp op) {
  Value array = op.getArray();
  std::string target;
  // An array that nobody else reads can be changed where it is, if it is made
  // anew as often as this runs.
  bool isOwn = array.hasOneUse() && resolve(array) == array &&
               array.getParentBlock() == op->getBlock();
  if (isOwn && ownArrays.contains(use(array))) {
    target = use(array);
    bind(op.getResult(), target);
  } else {
    std::string type = getVariableType(array.getType(), op.getLoc());
    std::string from = use(array);
    target = name(op.getResult(), "tasks");
    out.line(type + " " + target + " = " + from + ";");
    ownArrays.insert(target);
  }
  std::string index = getArrayIndex(
      op.getStaticIndex(), op.getIndex().empty() ? "" : use(op.getIndex()[0]));
  out.line(target + "[" + index + "] = " + use(op.getValue()) + ";");
}

void FunctionEmitter::emitArrayExtract(ArrayExtractOp op) {
  std::string index = getArrayIndex(
      op.getStaticIndex(), op.getIndex().empty() ? "" : use(op.getIndex()[0]));
  std::string array = use(op.getArray());
  std::string type = getVariableType(op.getResult().getType(), op.getLoc());
  out.line("const " + type + " " + name(op.getResult(), array + "_element") +
           " = " + array + "[" + index + "];");
}

/// `arith.select` of tensors, task ids or arrays.
void FunctionEmitter::emitSelect(Operation *op) {
  std::string type = getVariableType(op->getResult(0).getType(), op->getLoc());
  std::string choice = use(op->getOperand(0)) + " ? " + use(op->getOperand(1)) +
                       " : " + use(op->getOperand(2));
  // A copy: what it was chosen from may change before this is used.
  out.line("const " + type + " " + name(op->getResult(0), "choice") + " = " +
           choice + ";");
}
