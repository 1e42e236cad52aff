//===- Elements.cpp - What nodes do to one element ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/AscToLinalg/NodeLowering.h"

#include "Kernels/AscInterpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

Type mlir::pypto::getSignless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

Type mlir::pypto::getStorage(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8)
                           : getSignless(type);
}

/// i1 has no sign.
static bool isUnsignedElement(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

static Value makeFloat(ImplicitLocOpBuilder &builder, Type type, double value) {
  return arith::ConstantOp::create(builder, builder.getFloatAttr(type, value));
}

static Value makeInteger(ImplicitLocOpBuilder &builder, Type type,
                         int64_t value) {
  return arith::ConstantOp::create(
      builder, builder.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(),
                                                  value, /*isSigned=*/true)));
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Types of at most 16 bits widened to f32.
static Value widen(ImplicitLocOpBuilder &builder, Value value) {
  if (isTinyFloat(value.getType()))
    return widenTiny(builder, value);
  if (!isLowFloat(value.getType()))
    return value;
  return arith::ExtFOp::create(builder, builder.getF32Type(), value);
}

/// Truncates; what does not fit becomes the nearest integer, NaN zero.
static Value buildFloatToInteger(ImplicitLocOpBuilder &builder, Value value,
                                 Type to) {
  value = widen(builder, value);
  Type from = value.getType(), result = getSignless(to);
  if (to.isInteger(1))
    return arith::CmpFOp::create(builder, arith::CmpFPredicate::UNE, value,
                                 makeFloat(builder, from, 0));
  unsigned width = to.getIntOrFloatBitWidth();
  bool isUnsigned = to.isUnsignedInteger();
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  APInt least = isUnsigned ? APInt(width, 0) : APInt::getSignedMinValue(width);
  APInt most =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  auto constant = [&](const APInt &number) -> Value {
    return arith::ConstantOp::create(builder,
                                     builder.getIntegerAttr(result, number));
  };
  auto compare = [&](arith::CmpFPredicate predicate, double bound) -> Value {
    return arith::CmpFOp::create(builder, predicate, value,
                                 makeFloat(builder, from, bound));
  };
  Value number = isUnsigned
                     ? Value(arith::FPToUIOp::create(builder, result, value))
                     : Value(arith::FPToSIOp::create(builder, result, value));
  Value isLow = compare(arith::CmpFPredicate::OLT, isUnsigned ? 0 : -high);
  Value isHigh = compare(arith::CmpFPredicate::OGE, high);
  Value isNaN = compare(arith::CmpFPredicate::UNO, 0);
  number = arith::SelectOp::create(builder, isLow, constant(least), number);
  number = arith::SelectOp::create(builder, isHigh, constant(most), number);
  return arith::SelectOp::create(builder, isNaN,
                                 constant(APInt::getZero(width)), number);
}

static Value buildIntegerCast(ImplicitLocOpBuilder &builder, Value value,
                              Type from, Type to) {
  Type result = getSignless(to);
  if (value.getType() == result)
    return value;
  if (to.isInteger(1))
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, value,
                                 makeInteger(builder, value.getType(), 0));
  if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(builder, result, value);
  if (isUnsignedElement(from))
    return arith::ExtUIOp::create(builder, result, value);
  return arith::ExtSIOp::create(builder, result, value);
}

/// Rounds to a floating type; to 16 bits and less by way of f32.
static Value buildFloatCast(ImplicitLocOpBuilder &builder, Value value,
                            Type to) {
  value = widen(builder, value);
  if (isa<Float64Type>(value.getType()) && !isa<Float64Type>(to))
    value = arith::TruncFOp::create(builder, builder.getF32Type(), value);
  if (value.getType() == to)
    return value;
  if (isTinyFloat(to))
    return roundToTiny(builder, value, to);
  if (isa<Float64Type>(to))
    return arith::ExtFOp::create(builder, to, value);
  return arith::TruncFOp::create(builder, to, value);
}

Value mlir::pypto::buildCast(ImplicitLocOpBuilder &builder, Value value,
                             Type from, Type to) {
  if (from == to)
    return value;
  bool fromInteger = isa<IntegerType>(from), toInteger = isa<IntegerType>(to);
  if (fromInteger && toInteger)
    return buildIntegerCast(builder, value, from, to);
  if (toInteger)
    return buildFloatToInteger(builder, value, to);
  if (!fromInteger)
    return buildFloatCast(builder, value, to);
  Type wide =
      isLowFloat(to) || isTinyFloat(to) ? Type(builder.getF32Type()) : to;
  if (isUnsignedElement(from))
    value = arith::UIToFPOp::create(builder, wide, value);
  else
    value = arith::SIToFPOp::create(builder, wide, value);
  return buildFloatCast(builder, value, to);
}

//===----------------------------------------------------------------------===//
// Floating types
//===----------------------------------------------------------------------===//

static Value buildPow(ImplicitLocOpBuilder &builder, PowOp pow, Value x,
                      Value y) {
  Type type = x.getType();
  auto divide = [&](Value divisor) -> Value {
    return arith::DivFOp::create(builder, makeFloat(builder, type, 1), divisor);
  };
  if (std::optional<bool> negated = getSpecialBase(pow)) {
    Value exponent = *negated ? Value(arith::NegFOp::create(builder, y)) : y;
    return math::Exp2Op::create(builder, exponent);
  }
  std::optional<double> exponent = getSpecialExponent(pow);
  if (!exponent)
    return math::PowFOp::create(builder, x, y);
  if (*exponent == -1)
    return divide(x);
  if (*exponent == 0.5 || *exponent == -0.5) {
    Value root = math::SqrtOp::create(builder, x);
    return *exponent < 0 ? divide(root) : root;
  }
  Value square = arith::MulFOp::create(builder, x, x);
  if (*exponent == 3)
    return arith::MulFOp::create(builder, square, x);
  return *exponent < 0 ? divide(square) : square;
}

static Value buildFloatElement(ImplicitLocOpBuilder &builder, Operation *op,
                               ValueRange operands) {
  Value x = operands[0];
  Type type = x.getType();
  auto one = [&] { return makeFloat(builder, type, 1); };
  if (isa<AbsOp>(op))
    return math::AbsFOp::create(builder, x);
  if (isa<NegOp>(op))
    return arith::NegFOp::create(builder, x);
  if (isa<ReluOp>(op)) {
    Value zero = makeFloat(builder, type, 0);
    Value isLess =
        arith::CmpFOp::create(builder, arith::CmpFPredicate::OLE, x, zero);
    return arith::SelectOp::create(builder, isLess, zero, x);
  }
  if (isa<ExpOp>(op))
    return math::ExpOp::create(builder, x);
  if (isa<LogOp>(op))
    return math::LogOp::create(builder, x);
  if (isa<SqrtOp>(op))
    return math::SqrtOp::create(builder, x);
  if (isa<RsqrtOp>(op))
    return arith::DivFOp::create(builder, one(),
                                 math::SqrtOp::create(builder, x));
  if (isa<ReciprocalOp>(op))
    return arith::DivFOp::create(builder, one(), x);
  if (isa<SigmoidOp>(op)) {
    Value exp = math::ExpOp::create(builder, arith::NegFOp::create(builder, x));
    return arith::DivFOp::create(builder, one(),
                                 arith::AddFOp::create(builder, one(), exp));
  }
  if (isa<TanhOp>(op))
    return math::TanhOp::create(builder, x);
  if (isa<ErfOp>(op))
    return math::ErfOp::create(builder, x);
  Value y = operands[1];
  if (isa<AddOp>(op))
    return arith::AddFOp::create(builder, x, y);
  if (isa<SubOp>(op))
    return arith::SubFOp::create(builder, x, y);
  if (isa<MulOp>(op))
    return arith::MulFOp::create(builder, x, y);
  if (isa<DivOp>(op))
    return arith::DivFOp::create(builder, x, y);
  if (isa<MaximumOp>(op))
    return arith::MaximumFOp::create(builder, x, y);
  if (isa<MinimumOp>(op))
    return arith::MinimumFOp::create(builder, x, y);
  return buildPow(builder, cast<PowOp>(op), x, y);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static Value buildIntegerElement(ImplicitLocOpBuilder &builder, Operation *op,
                                 ValueRange operands, bool isUnsigned) {
  Value x = operands[0];
  auto zero = [&] { return makeInteger(builder, x.getType(), 0); };
  if (isa<AbsOp>(op))
    return isUnsigned ? x : Value(math::AbsIOp::create(builder, x));
  if (isa<NegOp>(op))
    return arith::SubIOp::create(builder, zero(), x);
  if (isa<ReluOp>(op))
    return isUnsigned ? x : Value(arith::MaxSIOp::create(builder, x, zero()));
  Value y = operands[1];
  if (isa<AddOp>(op))
    return arith::AddIOp::create(builder, x, y);
  if (isa<SubOp>(op))
    return arith::SubIOp::create(builder, x, y);
  if (isa<MulOp>(op))
    return arith::MulIOp::create(builder, x, y);
  if (isa<MaximumOp>(op))
    return isUnsigned ? Value(arith::MaxUIOp::create(builder, x, y))
                      : Value(arith::MaxSIOp::create(builder, x, y));
  return isUnsigned ? Value(arith::MinUIOp::create(builder, x, y))
                    : Value(arith::MinSIOp::create(builder, x, y));
}

//===----------------------------------------------------------------------===//
// Comparisons and choices
//===----------------------------------------------------------------------===//

static Value buildCompare(ImplicitLocOpBuilder &builder, CompareOp op, Value x,
                          Value y) {
  Type type = getElementOrSelf(op.getLhs().getType());
  auto index = static_cast<unsigned>(op.getComparison());
  if (isa<FloatType>(type)) {
    using P = arith::CmpFPredicate;
    static constexpr P predicates[] = {P::OEQ, P::UNE, P::OLT,
                                       P::OLE, P::OGT, P::OGE};
    return arith::CmpFOp::create(builder, predicates[index], widen(builder, x),
                                 widen(builder, y));
  }
  using P = arith::CmpIPredicate;
  static constexpr P isSigned[] = {P::eq,  P::ne,  P::slt,
                                   P::sle, P::sgt, P::sge};
  static constexpr P isUnsigned[] = {P::eq,  P::ne,  P::ult,
                                     P::ule, P::ugt, P::uge};
  P predicate = isUnsignedElement(type) ? isUnsigned[index] : isSigned[index];
  return arith::CmpIOp::create(builder, predicate, x, y);
}

Value mlir::pypto::buildElement(ImplicitLocOpBuilder &builder, Operation *op,
                                ValueRange operands) {
  if (auto cast = dyn_cast<CastOp>(op))
    return buildCast(builder, operands[0],
                     getElementOrSelf(cast.getSource().getType()),
                     getElementOrSelf(cast.getResult().getType()));
  if (auto compare = dyn_cast<CompareOp>(op))
    return buildCompare(builder, compare, operands[0], operands[1]);
  if (isa<SelectOp, WhereOp>(op)) {
    Type condition = getElementOrSelf(op->getOperand(0).getType());
    Value holds =
        buildCast(builder, operands[0], condition, builder.getI1Type());
    return arith::SelectOp::create(builder, holds, operands[1], operands[2]);
  }
  Type type = getElementOrSelf(op->getResult(0).getType());
  if (!isa<FloatType>(type))
    return buildIntegerElement(builder, op, operands, isUnsignedElement(type));
  SmallVector<Value> wide = llvm::map_to_vector(
      operands, [&](Value value) { return widen(builder, value); });
  return buildFloatCast(builder, buildFloatElement(builder, op, wide), type);
}
