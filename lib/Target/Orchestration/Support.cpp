//===- Support.cpp - Helper functions of emitted code ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::pypto::orchestration;

namespace {
struct Helper {
  StringLiteral name;
  /// The helper it calls, if any.
  StringLiteral uses;
  StringLiteral definition;
};
} // namespace

/// In the order of definition: what is called comes first.
static const Helper helpers[] = {
    {"clamp_extent", "", R"(
// The extent of a window that begins at `offset`, cut where the source ends.
uint32_t clamp_extent(uint64_t size, uint64_t offset, uint32_t extent) {
  const uint64_t left = offset < extent ? extent - offset : 0;
  return static_cast<uint32_t>(size < left ? size : left);
}
)"},
    {"sign_extend", "", R"(
// An integer of `width` bits as a signed one.
int64_t sign_extend(uint64_t value, unsigned width) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  return static_cast<int64_t>((value ^ sign) - sign);
}
)"},
    {"trip_count", "", R"(
// How often a loop runs that compares as signed.
uint64_t trip_count(int64_t lower, int64_t upper, int64_t step) {
  if (step <= 0 || lower >= upper)
    return 0;
  const uint64_t span = static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower);
  return (span - 1) / static_cast<uint64_t>(step) + 1;
}
)"},
    {"trip_count_unsigned", "", R"(
// How often a loop runs that compares as unsigned.
uint64_t trip_count_unsigned(uint64_t lower, uint64_t upper, uint64_t step) {
  return step == 0 || lower >= upper ? 0 : (upper - lower - 1) / step + 1;
}
)"},
    {"floor_div", "", R"(
// The quotient rounded down.
int64_t floor_div(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
)"},
    {"ceil_div", "", R"(
// The quotient rounded up.
int64_t ceil_div(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}
)"},
    {"ceil_div_unsigned", "", R"(
// The quotient rounded up.
uint64_t ceil_div_unsigned(uint64_t a, uint64_t b) {
  return a == 0 ? 0 : (a - 1) / b + 1;
}
)"},
    {"as_f32", "", R"(
// Floats are kept and passed as their bit patterns.
float as_f32(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
)"},
    {"bits_f32", "", R"(
uint32_t bits_f32(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
)"},
    {"as_f64", "", R"(
double as_f64(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
)"},
    {"bits_f64", "", R"(
uint64_t bits_f64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
)"},
    {"narrow", "bits_f64", R"(
// The nearest float with that many bits of exponent and mantissa, ties to even.
uint16_t narrow(double value, int exponent_bits, int mantissa_bits) {
  const uint64_t bits = bits_f64(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 63) << 15);
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  uint64_t result = infinity;
  if (std::isnan(value)) {
    const uint64_t payload = bits << 12 >> (64 - mantissa_bits);
    result |= payload | uint64_t{1} << (mantissa_bits - 1);
  } else if (!std::isinf(value)) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = 0;
    std::frexp(value, &exponent);
    exponent = value == 0 || exponent < 2 - bias ? 1 - bias : exponent - 1;
    const double scaled = std::ldexp(std::fabs(value), mantissa_bits - exponent);
    const uint64_t mantissa = static_cast<uint64_t>(std::nearbyint(scaled));
    result = (static_cast<uint64_t>(exponent + bias - 1) << mantissa_bits) + mantissa;
    result = result < infinity ? result : infinity;
  }
  return static_cast<uint16_t>(sign | result);
}
)"},
    {"as_f16", "", R"(
float as_f16(uint16_t bits) {
  const uint32_t exponent = bits >> 10 & 31u;
  const uint32_t mantissa = bits & 1023u;
  float value = std::ldexp(static_cast<float>(mantissa), -24);
  if (exponent == 31u) {
    const uint32_t wide = 0x7F800000u | mantissa << 13;
    std::memcpy(&value, &wide, sizeof(value));
  } else if (exponent != 0) {
    value = std::ldexp(static_cast<float>(mantissa | 1024u), static_cast<int>(exponent) - 25);
  }
  return bits >> 15 != 0 ? -value : value;
}
)"},
    {"bits_f16", "narrow", R"(
uint16_t bits_f16(double value) { return narrow(value, 5, 10); }
)"},
    {"as_bf16", "as_f32", R"(
float as_bf16(uint16_t bits) { return as_f32(static_cast<uint32_t>(bits) << 16); }
)"},
    {"bits_bf16", "narrow", R"(
uint16_t bits_bf16(double value) { return narrow(value, 8, 7); }
)"},
    {"fmaximum", "", R"(
// The larger one; NaN when either is, and 0 above -0.
template <typename T> T fmaximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  return a == b ? (std::signbit(a) ? b : a) : (a > b ? a : b);
}
)"},
    {"fminimum", "", R"(
// The smaller one; NaN when either is, and -0 below 0.
template <typename T> T fminimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  return a == b ? (std::signbit(a) ? a : b) : (a < b ? a : b);
}
)"},
};

static size_t findHelper(StringRef name) {
  for (auto [i, helper] : llvm::enumerate(helpers))
    if (helper.name == name)
      return i;
  llvm_unreachable("no such helper");
}

void Support::require(StringRef name) {
  while (!name.empty()) {
    size_t index = findHelper(name);
    required |= uint64_t(1) << index;
    name = helpers[index].uses;
  }
}

std::string Support::call(StringRef name, ArrayRef<std::string> args) {
  require(name);
  return (name + "(" + llvm::join(args, ", ") + ")").str();
}

std::string Support::getDefinitions() const {
  std::string text;
  for (auto [i, helper] : llvm::enumerate(helpers))
    if (required >> i & 1)
      text += helper.definition;
  return text;
}
