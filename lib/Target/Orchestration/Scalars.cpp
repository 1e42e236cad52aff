//===- Scalars.cpp - Types, constants and names of scalars ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<unsigned> mlir::pypto::orchestration::getScalarWidth(Type type) {
  if (isa<IndexType>(type))
    return 64;
  if (!isa<IntegerType, FloatType>(type))
    return std::nullopt;
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 0 || width > 64)
    return std::nullopt;
  return width;
}

unsigned mlir::pypto::orchestration::getStorageWidth(unsigned width) {
  return width == 1 ? 1 : std::max<unsigned>(8, llvm::PowerOf2Ceil(width));
}

StringRef mlir::pypto::orchestration::getStorageType(unsigned width) {
  switch (getStorageWidth(width)) {
  case 1:
    return "bool";
  case 8:
    return "uint8_t";
  case 16:
    return "uint16_t";
  case 32:
    return "uint32_t";
  default:
    return "uint64_t";
  }
}

StringRef mlir::pypto::orchestration::getDataType(Type type) {
  if (type.isF16())
    return "DataType::FLOAT16";
  if (type.isBF16())
    return "DataType::BFLOAT16";
  if (type.isF32())
    return "DataType::FLOAT32";
  if (type.isF64())
    return "DataType::FLOAT64";
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "DataType::BOOL";
  case 8:
    return isUnsigned ? "DataType::UINT8" : "DataType::INT8";
  case 16:
    return isUnsigned ? "DataType::UINT16" : "DataType::INT16";
  case 32:
    return isUnsigned ? "DataType::UINT32" : "DataType::INT32";
  default:
    return isUnsigned ? "DataType::UINT64" : "DataType::INT64";
  }
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

std::optional<uint64_t>
mlir::pypto::orchestration::getConstantBits(Attribute value) {
  if (auto boolean = dyn_cast<BoolAttr>(value))
    return boolean.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (!getScalarWidth(integer.getType()))
      return std::nullopt;
    return integer.getValue().getZExtValue();
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    if (!getScalarWidth(number.getType()))
      return std::nullopt;
    return number.getValue().bitcastToAPInt().getZExtValue();
  }
  return std::nullopt;
}

std::string mlir::pypto::orchestration::getLiteral(uint64_t bits,
                                                   unsigned width) {
  if (width == 1)
    return bits ? "true" : "false";
  // What looks like a mask or a float in hexadecimal. Small ones are an `int`,
  // which becomes what the other operand is.
  if (bits < 1000000)
    return std::to_string(bits);
  return "0x" + llvm::utohexstr(bits) + (width > 32 ? "ull" : "u");
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The attribute of a constant scalar, or null.
static Attribute getConstant(Value value) {
  Attribute attr;
  if (Operation *op = value.getDefiningOp();
      op && isScalarType(value.getType()) &&
      matchPattern(op, m_Constant(&attr)))
    return attr;
  return {};
}

Value FunctionEmitter::resolve(Value value) const {
  SmallVector<Value> names;
  while (true) {
    if (Value known = resolved.lookup(value)) {
      value = known;
      break;
    }
    names.push_back(value);
    Value source = identity.getSource(value);
    if (source.getParentRegion()->isAncestor(value.getParentRegion())) {
      value = source;
      break;
    }
    // It is what another region of a loop began with: the nearest name will do.
    Value renamed = getRenamed(value, ties);
    if (!renamed)
      break;
    value = renamed;
  }
  for (Value name : names)
    resolved[name] = value;
  return value;
}

std::string FunctionEmitter::use(Value value) {
  return useResolved(resolve(value));
}

std::string FunctionEmitter::useResolved(Value value) {
  auto it = exprs.find(value);
  if (it != exprs.end())
    return it->second;
  std::optional<unsigned> width = getScalarWidth(value.getType());
  if (StringRef slot = getSlot(value); !slot.empty()) {
    if (*width == 64)
      return slot.str();
    if (getStorageWidth(*width) == *width && *width != 1)
      return ("static_cast<" + getStorageType(*width) + ">(" + slot + ")")
          .str();
    std::string mask = getLiteral(llvm::maskTrailingOnes<uint64_t>(*width), 64);
    return ("static_cast<" + getStorageType(*width) + ">(" + slot + " & " +
            mask + ")")
        .str();
  }
  if (Attribute attr = getConstant(value))
    if (std::optional<uint64_t> bits = getConstantBits(attr))
      return getLiteral(*bits, *width);
  // Something before it has no translation, and an error says so.
  if (!hasFailed)
    error(value.getLoc(), DiagnosticCode::CodegenUnsupported)
        << "a value of type " << value.getType() << " has no translation";
  return "0";
}

StringRef FunctionEmitter::getSlot(Value value) const {
  auto it = slots.find(value);
  return it == slots.end() ? StringRef() : StringRef(it->second);
}

std::string FunctionEmitter::name(Value value, StringRef wish) {
  // A name that somebody gave the value says more.
  if (auto loc = value.getLoc()->findInstanceOf<NameLoc>())
    if (value.getDefiningOp())
      wish = loc.getName().getValue();
  std::string name = names.get(wish);
  exprs[value] = name;
  if (isScalarType(value.getType()))
    ownScalars.insert(name);
  return name;
}

std::string FunctionEmitter::getVariableType(Type type, Location loc) {
  if (isa<GraphTensorType>(type))
    return "ChipTensor";
  if (isa<TaskIdType>(type))
    return "PTO2TaskId";
  if (std::optional<unsigned> width = getScalarWidth(type))
    return getStorageType(*width).str();
  if (auto array = dyn_cast<graph::ArrayType>(type)) {
    // They live on the stack of the host, and every insertion may be a copy.
    constexpr int64_t limit = 65536;
    if (array.getSize() > limit)
      error(loc, DiagnosticCode::CodegenLimit)
          << "an array of " << array.getSize()
          << " elements; emitted code has at most " << limit;
    std::string element = getVariableType(array.getElementType(), loc);
    return "std::array<" + element + ", " + std::to_string(array.getSize()) +
           ">";
  }
  if (!hasFailed)
    error(loc, DiagnosticCode::CodegenUnsupported)
        << "a value of type " << type << " has no translation";
  return "int";
}
