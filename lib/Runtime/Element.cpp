//===- Element.cpp - Elements of buffers and scalars as bits --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Element.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir;
using namespace mlir::pypto::runtime;

std::optional<ElementType> mlir::pypto::runtime::getElementType(Type type) {
  if (isa<IndexType>(type))
    return ElementType::I64;
  if (isa<Float16Type>(type))
    return ElementType::F16;
  if (isa<BFloat16Type>(type))
    return ElementType::BF16;
  if (isa<Float32Type>(type))
    return ElementType::F32;
  if (isa<Float64Type>(type))
    return ElementType::F64;
  if (isa<Float8E4M3FNType>(type))
    return ElementType::F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return ElementType::F8E5M2;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return ElementType::I1;
  case 8:
    return isUnsigned ? ElementType::UI8 : ElementType::I8;
  case 16:
    return isUnsigned ? ElementType::UI16 : ElementType::I16;
  case 32:
    return isUnsigned ? ElementType::UI32 : ElementType::I32;
  case 64:
    return isUnsigned ? ElementType::UI64 : ElementType::I64;
  default:
    return std::nullopt;
  }
}

StringRef mlir::pypto::runtime::stringify(ElementType type) {
  static constexpr StringLiteral kNames[] = {
      "i1",   "i8",       "i16",    "i32", "i64",  "ui8", "ui16", "ui32",
      "ui64", "f8E4M3FN", "f8E5M2", "f16", "bf16", "f32", "f64"};
  return kNames[static_cast<unsigned>(type)];
}

unsigned mlir::pypto::runtime::getBitWidth(ElementType type) {
  static constexpr uint8_t kWidths[] = {1,  8, 16, 32, 64, 8,  16, 32,
                                        64, 8, 8,  16, 16, 32, 64};
  return kWidths[static_cast<unsigned>(type)];
}

unsigned mlir::pypto::runtime::getByteSize(ElementType type) {
  return type == ElementType::I1 ? 1 : getBitWidth(type) / 8;
}

template <typename T>
static uint64_t loadAs(const char *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

uint64_t mlir::pypto::runtime::loadElement(const char *address,
                                           ElementType type) {
  if (type == ElementType::I1)
    return *address != 0;
  switch (getByteSize(type)) {
  case 1:
    return loadAs<uint8_t>(address);
  case 2:
    return loadAs<uint16_t>(address);
  case 4:
    return loadAs<uint32_t>(address);
  default:
    return loadAs<uint64_t>(address);
  }
}

void mlir::pypto::runtime::storeElement(char *address, ElementType type,
                                        uint64_t bits) {
  if (type == ElementType::I1)
    bits &= 1;
  // The machines this runs on are little-endian, as buffers of devices are.
  std::memcpy(address, &bits, getByteSize(type));
}

static const llvm::fltSemantics &getSemantics(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return APFloat::Float8E4M3FN();
  case ElementType::F8E5M2:
    return APFloat::Float8E5M2();
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::BF16:
    return APFloat::BFloat();
  case ElementType::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

double mlir::pypto::runtime::toDouble(uint64_t bits, ElementType type) {
  switch (type) {
  case ElementType::F64:
    return llvm::bit_cast<double>(bits);
  case ElementType::F32:
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits));
  case ElementType::BF16:
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  default:
    return APFloat(getSemantics(type),
                   APInt(getBitWidth(type), maskTo(bits, getBitWidth(type))))
        .convertToDouble();
  }
}

uint64_t mlir::pypto::runtime::fromDouble(double value, ElementType type) {
  if (type == ElementType::F64)
    return llvm::bit_cast<uint64_t>(value);
  if (type == ElementType::F32)
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  APFloat converted(value);
  bool losesInfo;
  converted.convert(getSemantics(type), APFloat::rmNearestTiesToEven,
                    &losesInfo);
  return converted.bitcastToAPInt().getZExtValue();
}

std::optional<ScalarKind> mlir::pypto::runtime::getScalarKind(Type type) {
  if (isa<IndexType>(type))
    return ScalarKind{false, 64, ElementType::I64};
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 0 || integer.getWidth() > 64)
      return std::nullopt;
    return ScalarKind{false, static_cast<uint8_t>(integer.getWidth()),
                      getElementType(type).value_or(ElementType::I64)};
  }
  std::optional<ElementType> element = getElementType(type);
  if (!element)
    return std::nullopt;
  return ScalarKind{true, static_cast<uint8_t>(getBitWidth(*element)),
                    *element};
}

static std::string formatFloat(double value) {
  SmallString<16> text;
  APFloat(value).toString(text, /*FormatPrecision=*/6);
  return std::string(text);
}

std::string mlir::pypto::runtime::formatScalar(uint64_t bits, ScalarKind kind) {
  if (kind.isFloat)
    return formatFloat(toDouble(bits, kind.element));
  if (kind.width == 1)
    return std::to_string(bits & 1);
  if (isUnsigned(kind.element))
    return std::to_string(bits);
  return std::to_string(signExtend(bits, kind.width));
}

std::string mlir::pypto::runtime::formatElement(uint64_t bits,
                                                ElementType type) {
  return formatScalar(
      bits, {isFloat(type), static_cast<uint8_t>(getBitWidth(type)), type});
}
