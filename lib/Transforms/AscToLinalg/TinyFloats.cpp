//===- TinyFloats.cpp - 8-bit floating types in integer arithmetic --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No library of the execution engine converts them.
//
//===----------------------------------------------------------------------===//

#include "Transforms/AscToLinalg/NodeLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pypto;

namespace {
/// How the bits of an 8-bit floating type are used.
struct TinyFormat {
  explicit TinyFormat(Type type)
      : isE5M2(isa<Float8E5M2Type>(type)), mantissa(isE5M2 ? 2 : 3),
        bias(isE5M2 ? 15 : 7) {}

  /// With infinities; the other type has one NaN for each sign and no more.
  bool isE5M2;
  unsigned mantissa;
  int bias;
};

/// Integer arithmetic on the bits of f32, one line a step.
class Bits {
public:
  explicit Bits(ImplicitLocOpBuilder &builder)
      : builder(builder), i32(builder.getI32Type()) {}

  Value constant(uint32_t bits) {
    return arith::ConstantOp::create(
        builder, builder.getIntegerAttr(i32, APInt(32, bits)));
  }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, a, b); }
  Value sub(Value a, Value b) { return arith::SubIOp::create(builder, a, b); }
  Value conj(Value a, uint32_t mask) {
    return arith::AndIOp::create(builder, a, constant(mask));
  }
  Value disj(Value a, Value b) { return arith::OrIOp::create(builder, a, b); }
  Value shl(Value a, unsigned count) {
    return arith::ShLIOp::create(builder, a, constant(count));
  }
  Value shr(Value a, unsigned count) {
    return arith::ShRUIOp::create(builder, a, constant(count));
  }
  Value choose(arith::CmpIPredicate predicate, Value a, uint32_t bound,
               Value yes, Value no) {
    Value holds = arith::CmpIOp::create(builder, predicate, a, constant(bound));
    return arith::SelectOp::create(builder, holds, yes, no);
  }
  Value toFloat(Value bits) {
    return arith::BitcastOp::create(builder, builder.getF32Type(), bits);
  }
  Value fromFloat(Value number) {
    return arith::BitcastOp::create(builder, i32, number);
  }
  Value number(float value) {
    return arith::ConstantOp::create(builder, builder.getF32FloatAttr(value));
  }

private:
  ImplicitLocOpBuilder &builder;
  Type i32;
};
} // namespace

Value mlir::pypto::widenTiny(ImplicitLocOpBuilder &builder, Value value) {
  TinyFormat format(value.getType());
  Bits bits(builder);
  Value byte = arith::BitcastOp::create(builder, builder.getI8Type(), value);
  Value word = arith::ExtUIOp::create(builder, builder.getI32Type(), byte);
  Value sign = bits.shl(bits.conj(word, 0x80), 24);
  Value magnitude = bits.conj(word, 0x7F);
  // With the exponent field as it is the number, also one without a leading
  // one, is a power of two too small.
  Value scaled = arith::MulFOp::create(
      builder, bits.toFloat(bits.shl(magnitude, 23 - format.mantissa)),
      bits.number(std::ldexp(1.0f, 127 - format.bias)));
  Value result = bits.fromFloat(scaled);
  if (format.isE5M2) {
    // Infinity, and NaN that says so whatever its payload.
    Value special =
        bits.disj(bits.shl(magnitude, 21), bits.constant(0x7F800000));
    Value quiet = bits.disj(special, bits.constant(0x400000));
    special =
        bits.choose(arith::CmpIPredicate::ugt, magnitude, 0x7C, quiet, special);
    result = bits.choose(arith::CmpIPredicate::uge, magnitude, 0x7C, special,
                         result);
  } else {
    result = bits.choose(arith::CmpIPredicate::eq, magnitude, 0x7F,
                         bits.constant(0x7FC00000), result);
  }
  return bits.toFloat(bits.disj(result, sign));
}

Value mlir::pypto::roundToTiny(ImplicitLocOpBuilder &builder, Value value,
                               Type to) {
  TinyFormat format(to);
  Bits bits(builder);
  Value word = bits.fromFloat(value);
  Value sign = bits.conj(bits.shr(word, 24), 0x80);
  Value magnitude = bits.conj(word, 0x7FFFFFFF);
  // To the nearest, ties to even; a carry goes into the exponent.
  unsigned drop = 23 - format.mantissa;
  Value odd = bits.conj(bits.shr(magnitude, drop), 1);
  Value rounded = bits.add(magnitude, odd);
  rounded = bits.add(rounded, bits.constant((1u << (drop - 1)) - 1));
  rounded = bits.sub(rounded, bits.constant(uint32_t(127 - format.bias) << 23));
  Value result = bits.shr(rounded, drop);
  // Below the least exponent the steps are even: an addition rounds.
  float least = std::ldexp(1.0f, 1 - format.bias);
  float steps = std::ldexp(least, 23 - int(format.mantissa));
  Value shifted = arith::AddFOp::create(builder, bits.toFloat(magnitude),
                                        bits.number(steps));
  Value small = bits.sub(bits.fromFloat(shifted),
                         bits.constant(llvm::bit_cast<uint32_t>(steps)));
  result = bits.choose(arith::CmpIPredicate::ult, magnitude,
                       llvm::bit_cast<uint32_t>(least), small, result);
  // 61440 is half-way to the power of two that does not exist; 464 half-way to
  // what would be 480, and goes down to 448, which is even.
  if (format.isE5M2) {
    result = bits.choose(arith::CmpIPredicate::uge, magnitude,
                         llvm::bit_cast<uint32_t>(61440.0f),
                         bits.constant(0x7C), result);
    Value payload = bits.conj(bits.shr(magnitude, 21), 3);
    result = bits.choose(arith::CmpIPredicate::ugt, magnitude, 0x7F800000,
                         bits.disj(payload, bits.constant(0x7E)), result);
  } else {
    result = bits.choose(arith::CmpIPredicate::ugt, magnitude,
                         llvm::bit_cast<uint32_t>(464.0f), bits.constant(0x7F),
                         result);
  }
  Value byte = arith::TruncIOp::create(builder, builder.getI8Type(),
                                       bits.disj(result, sign));
  return arith::BitcastOp::create(builder, to, byte);
}
