//===- Numerics.cpp - Elements of kernels and their rounding --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Numerics.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::pypto::asc;

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

Format Format::get(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    // A truth value has no sign.
    bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
    return {Kind::Integer, static_cast<uint8_t>(integer.getWidth()),
            isUnsigned};
  }
  if (isa<IndexType>(type))
    return {Kind::Integer, 64, false};
  Kind kind = llvm::TypeSwitch<Type, Kind>(type)
                  .Case<Float8E4M3FNType>([](auto) { return Kind::F8E4M3FN; })
                  .Case<Float8E5M2Type>([](auto) { return Kind::F8E5M2; })
                  .Case<Float16Type>([](auto) { return Kind::F16; })
                  .Case<BFloat16Type>([](auto) { return Kind::BF16; })
                  .Case<Float64Type>([](auto) { return Kind::F64; })
                  .Default([](Type) { return Kind::F32; });
  return {kind, 0, false};
}

unsigned Format::getByteSize() const {
  switch (kind) {
  case Kind::F8E4M3FN:
  case Kind::F8E5M2:
    return 1;
  case Kind::F16:
  case Kind::BF16:
    return 2;
  case Kind::F32:
    return 4;
  case Kind::F64:
    return 8;
  case Kind::Integer:
    return width <= 8 ? 1 : width / 8;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Small floating types
//===----------------------------------------------------------------------===//

static uint16_t toBFloat(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value)) // A payload may not round to infinity.
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

static float fromBFloat(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

static uint16_t toHalf(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint16_t sign = (bits >> 16) & 0x8000;
  uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000)
    return sign | 0x7E00 | ((magnitude >> 13) & 0x3FF);
  // 65520 is half-way to the next power of two, which does not exist.
  if (magnitude >= 0x477FF000)
    return sign | 0x7C00;
  if (magnitude < 0x38800000) {
    // Below 2^-14 the result is a multiple of 2^-24: the addition rounds.
    float shifted = llvm::bit_cast<float>(magnitude) + 0.5f;
    return sign | static_cast<uint16_t>(llvm::bit_cast<uint32_t>(shifted) -
                                        llvm::bit_cast<uint32_t>(0.5f));
  }
  magnitude += 0xFFF + ((magnitude >> 13) & 1);
  return sign | static_cast<uint16_t>((magnitude - 0x38000000) >> 13);
}

static float fromHalf(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t magnitude = bits & 0x7FFF;
  if (magnitude >= 0x7C00)
    return llvm::bit_cast<float>(sign | 0x7F800000 |
                                 ((magnitude & 0x3FF) << 13));
  if (magnitude < 0x400) {
    float value = static_cast<float>(magnitude) * 0x1p-24f;
    return sign ? -value : value;
  }
  return llvm::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000));
}

static const llvm::fltSemantics &getSemantics(Format format) {
  return format.kind == Format::Kind::F8E5M2 ? APFloat::Float8E5M2()
                                             : APFloat::Float8E4M3FN();
}

static uint8_t toTiny(float value, Format format) {
  APFloat number(value);
  bool losesInfo;
  number.convert(getSemantics(format), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

static float fromTiny(uint8_t bits, Format format) {
  APFloat number(getSemantics(format), APInt(8, bits));
  bool losesInfo;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToFloat();
}

float mlir::pypto::asc::roundTo(float value, Format format) {
  switch (format.kind) {
  case Format::Kind::BF16:
    return fromBFloat(toBFloat(value));
  case Format::Kind::F16:
    return fromHalf(toHalf(value));
  case Format::Kind::F8E4M3FN:
  case Format::Kind::F8E5M2:
    return fromTiny(toTiny(value, format), format);
  default:
    return value;
  }
}

int64_t mlir::pypto::asc::wrapTo(uint64_t bits, Format format) {
  unsigned drop = 64 - format.width;
  if (format.isUnsigned)
    return static_cast<int64_t>((bits << drop) >> drop);
  return static_cast<int64_t>(bits << drop) >> drop;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Elements mlir::pypto::asc::makeElements(Format format, int64_t count) {
  if (format.isInteger())
    return std::vector<int64_t>(count);
  if (format.kind == Format::Kind::F64)
    return std::vector<double>(count);
  return std::vector<float>(count);
}

static int64_t getProduct(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

Tile::Tile(ArrayRef<int64_t> shape, Format format)
    : shape(shape), format(format),
      elements(makeElements(format, getProduct(shape))) {}

int64_t Tile::size() const { return getProduct(shape); }

void Tile::round() {
  if (auto *floats = std::get_if<std::vector<float>>(&elements)) {
    if (format.kind != Format::Kind::F32)
      for (float &value : *floats)
        value = roundTo(value, format);
  } else if (auto *integers = std::get_if<std::vector<int64_t>>(&elements)) {
    for (int64_t &value : *integers)
      value = wrapTo(value, format);
  }
}

template <typename T>
static T readAs(const char *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

static int64_t readInteger(const char *address, Format format) {
  switch (format.width) {
  case 1:
    return readAs<uint8_t>(address) != 0;
  case 8:
    return wrapTo(readAs<uint8_t>(address), format);
  case 16:
    return wrapTo(readAs<uint16_t>(address), format);
  case 32:
    return wrapTo(readAs<uint32_t>(address), format);
  default:
    return readAs<int64_t>(address);
  }
}

void mlir::pypto::asc::readElement(const char *address, Tile &tile,
                                   int64_t index) {
  switch (tile.format.kind) {
  case Format::Kind::F8E4M3FN:
  case Format::Kind::F8E5M2:
    tile.get<float>()[index] = fromTiny(readAs<uint8_t>(address), tile.format);
    break;
  case Format::Kind::F16:
    tile.get<float>()[index] = fromHalf(readAs<uint16_t>(address));
    break;
  case Format::Kind::BF16:
    tile.get<float>()[index] = fromBFloat(readAs<uint16_t>(address));
    break;
  case Format::Kind::F32:
    tile.get<float>()[index] = readAs<float>(address);
    break;
  case Format::Kind::F64:
    tile.get<double>()[index] = readAs<double>(address);
    break;
  case Format::Kind::Integer:
    tile.get<int64_t>()[index] = readInteger(address, tile.format);
    break;
  }
}

template <typename T>
static void writeAs(char *address, T value) {
  std::memcpy(address, &value, sizeof(T));
}

void mlir::pypto::asc::writeElement(char *address, const Tile &tile,
                                    int64_t index) {
  switch (tile.format.kind) {
  case Format::Kind::F8E4M3FN:
  case Format::Kind::F8E5M2:
    return writeAs(address, toTiny(tile.get<float>()[index], tile.format));
  case Format::Kind::F16:
    return writeAs(address, toHalf(tile.get<float>()[index]));
  case Format::Kind::BF16:
    return writeAs(address, toBFloat(tile.get<float>()[index]));
  case Format::Kind::F32:
    return writeAs(address, tile.get<float>()[index]);
  case Format::Kind::F64:
    return writeAs(address, tile.get<double>()[index]);
  case Format::Kind::Integer: {
    // Little-endian, as every machine this runs on.
    int64_t value = tile.get<int64_t>()[index];
    std::memcpy(address, &value, tile.format.getByteSize());
  }
  }
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Truncates; what does not fit becomes the nearest integer, NaN zero.
template <typename T>
static int64_t toInteger(T value, Format format) {
  if (format.width == 1)
    return value != 0;
  if (std::isnan(value))
    return 0;
  unsigned bits = format.isUnsigned ? format.width : format.width - 1;
  double low = format.isUnsigned ? 0 : -std::ldexp(1.0, bits);
  double high = std::ldexp(1.0, bits);
  double number = std::trunc(static_cast<double>(value));
  if (number < low)
    return static_cast<int64_t>(low);
  if (number >= high)
    return format.isUnsigned ? wrapTo(~uint64_t(0), format)
                             : static_cast<int64_t>((uint64_t(1) << bits) - 1);
  if (format.isUnsigned)
    return static_cast<int64_t>(static_cast<uint64_t>(number));
  return static_cast<int64_t>(number);
}

template <typename To>
static To fromInteger(int64_t value, Format format) {
  if (format.isUnsigned)
    return static_cast<To>(static_cast<uint64_t>(value));
  return static_cast<To>(value);
}

void mlir::pypto::asc::convertElements(const Tile &from, Tile &to) {
  std::visit(
      [&](const auto &source, auto &result) {
        using From = typename std::decay_t<decltype(source)>::value_type;
        using To = typename std::decay_t<decltype(result)>::value_type;
        for (size_t i = 0; i < result.size(); ++i) {
          if constexpr (std::is_same_v<From, int64_t> &&
                        std::is_same_v<To, int64_t>)
            result[i] = to.format.width == 1 ? source[i] != 0 : source[i];
          else if constexpr (std::is_same_v<To, int64_t>)
            result[i] = toInteger(source[i], to.format);
          else if constexpr (std::is_same_v<From, int64_t>)
            result[i] = fromInteger<To>(source[i], from.format);
          else
            result[i] = static_cast<To>(source[i]);
        }
      },
      from.elements, to.elements);
  to.round();
}
