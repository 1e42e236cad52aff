//===- ScalarOps.cpp - Arithmetic on bit patterns -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexAttrs.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace mlir::pypto::runtime;

StringRef mlir::pypto::runtime::describe(ScalarStatus status) {
  switch (status) {
  case ScalarStatus::Ok:
    return "succeeds";
  case ScalarStatus::DivisionByZero:
    return "divides by zero";
  case ScalarStatus::DivisionOverflow:
    return "overflows in a signed division";
  case ScalarStatus::ShiftTooLarge:
    return "shifts by at least the width";
  case ScalarStatus::ConversionOutOfRange:
    return "converts a float that no integer of the type is near to";
  }
  return "";
}

namespace {
using Status = ScalarStatus;
using In = const uint64_t *;
using Out = uint64_t *;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// An operation on zero-extended operands without undefined cases.
template <uint64_t (*Fn)(uint64_t, uint64_t)>
Status unsignedOp(const ScalarOp &op, In in, Out out) {
  *out = maskTo(Fn(in[0], in[1]), op.out.width);
  return Status::Ok;
}

/// The same on sign-extended operands.
template <int64_t (*Fn)(int64_t, int64_t)>
Status signedOp(const ScalarOp &op, In in, Out out) {
  *out =
      maskTo(Fn(signExtend(in[0], op.in.width), signExtend(in[1], op.in.width)),
             op.out.width);
  return Status::Ok;
}

template <uint64_t (*Fn)(uint64_t, uint64_t)>
Status unsignedDivision(const ScalarOp &op, In in, Out out) {
  return in[1] == 0 ? Status::DivisionByZero : unsignedOp<Fn>(op, in, out);
}

template <int64_t (*Fn)(int64_t, int64_t)>
Status signedDivision(const ScalarOp &op, In in, Out out) {
  if (in[1] == 0)
    return Status::DivisionByZero;
  if (signExtend(in[1], op.in.width) == -1 && in[0] == uint64_t(1)
                                                           << (op.in.width - 1))
    return Status::DivisionOverflow;
  return signedOp<Fn>(op, in, out);
}

template <bool isSigned, bool isLeft>
Status shift(const ScalarOp &op, In in, Out out) {
  if (in[1] >= op.in.width)
    return Status::ShiftTooLarge;
  uint64_t value = isLeft ? in[0] << in[1]
                   : isSigned
                       ? uint64_t(signExtend(in[0], op.in.width) >> in[1])
                       : in[0] >> in[1];
  *out = maskTo(value, op.out.width);
  return Status::Ok;
}

uint64_t addOf(uint64_t a, uint64_t b) { return a + b; }
uint64_t subOf(uint64_t a, uint64_t b) { return a - b; }
uint64_t mulOf(uint64_t a, uint64_t b) { return a * b; }
uint64_t andOf(uint64_t a, uint64_t b) { return a & b; }
uint64_t orOf(uint64_t a, uint64_t b) { return a | b; }
uint64_t xorOf(uint64_t a, uint64_t b) { return a ^ b; }
uint64_t umaxOf(uint64_t a, uint64_t b) { return std::max(a, b); }
uint64_t uminOf(uint64_t a, uint64_t b) { return std::min(a, b); }
int64_t smaxOf(int64_t a, int64_t b) { return std::max(a, b); }
int64_t sminOf(int64_t a, int64_t b) { return std::min(a, b); }
uint64_t udivOf(uint64_t a, uint64_t b) { return a / b; }
uint64_t uremOf(uint64_t a, uint64_t b) { return a % b; }
uint64_t uceilOf(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }
int64_t sdivOf(int64_t a, int64_t b) { return a / b; }
int64_t sremOf(int64_t a, int64_t b) { return a % b; }
int64_t sceilOf(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}
int64_t sfloorOf(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

Status absInt(const ScalarOp &op, In in, Out out) {
  int64_t value = signExtend(in[0], op.in.width);
  *out = maskTo(value < 0 ? -uint64_t(value) : value, op.out.width);
  return Status::Ok;
}
Status ctlz(const ScalarOp &op, In in, Out out) {
  *out = in[0] ? llvm::countl_zero(in[0]) - (64 - op.in.width) : op.in.width;
  return Status::Ok;
}
Status cttz(const ScalarOp &op, In in, Out out) {
  *out = in[0] ? llvm::countr_zero(in[0]) : op.in.width;
  return Status::Ok;
}
Status ctpop(const ScalarOp &, In in, Out out) {
  *out = llvm::popcount(in[0]);
  return Status::Ok;
}
Status ipow(const ScalarOp &op, In in, Out out) {
  int64_t exponent = signExtend(in[1], op.in.width);
  int64_t base = signExtend(in[0], op.in.width);
  if (exponent < 0) {
    if (base == 0)
      return Status::DivisionByZero;
    int64_t value = base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
    *out = maskTo(value, op.out.width);
    return Status::Ok;
  }
  uint64_t result = 1, factor = base;
  for (uint64_t rest = exponent; rest; rest >>= 1, factor *= factor)
    if (rest & 1)
      result *= factor;
  *out = maskTo(result, op.out.width);
  return Status::Ok;
}

Status addExtended(const ScalarOp &op, In in, Out out) {
  uint64_t sum = maskTo(in[0] + in[1], op.in.width);
  out[1] = sum < in[0];
  out[0] = sum;
  return Status::Ok;
}
template <bool isSigned>
Status mulExtended(const ScalarOp &op, In in, Out out) {
  unsigned width = op.in.width;
  APInt a(2 * width, 0), b(2 * width, 0);
  APInt narrowA(width, in[0]), narrowB(width, in[1]);
  a = isSigned ? narrowA.sext(2 * width) : narrowA.zext(2 * width);
  b = isSigned ? narrowB.sext(2 * width) : narrowB.zext(2 * width);
  APInt product = a * b;
  out[0] = product.trunc(width).getZExtValue();
  out[1] = product.lshr(width).trunc(width).getZExtValue();
  return Status::Ok;
}

Status zeroExtend(const ScalarOp &op, In in, Out out) {
  *out = maskTo(in[0], op.out.width);
  return Status::Ok;
}
Status signExtendOp(const ScalarOp &op, In in, Out out) {
  *out = maskTo(signExtend(in[0], op.in.width), op.out.width);
  return Status::Ok;
}

Status compareInt(const ScalarOp &op, In in, Out out) {
  *out = compareIntegers(op.predicate, in[0], in[1], op.in.width);
  return Status::Ok;
}

Status select(const ScalarOp &, In in, Out out) {
  *out = in[0] ? in[1] : in[2];
  return Status::Ok;
}

//===----------------------------------------------------------------------===//
// Floats: computed in double precision and rounded once, which is exact for the
// basic operations of every narrower format
//===----------------------------------------------------------------------===//

double getIn(const ScalarOp &op, In in, unsigned i) {
  return toDouble(in[i], op.in.element);
}

template <double (*Fn)(double)>
Status floatUnary(const ScalarOp &op, In in, Out out) {
  *out = fromDouble(Fn(getIn(op, in, 0)), op.out.element);
  return Status::Ok;
}
template <double (*Fn)(double, double)>
Status floatBinary(const ScalarOp &op, In in, Out out) {
  *out = fromDouble(Fn(getIn(op, in, 0), getIn(op, in, 1)), op.out.element);
  return Status::Ok;
}
template <bool (*Fn)(double)>
Status floatTest(const ScalarOp &op, In in, Out out) {
  *out = Fn(getIn(op, in, 0));
  return Status::Ok;
}

double faddOf(double a, double b) { return a + b; }
double fsubOf(double a, double b) { return a - b; }
double fmulOf(double a, double b) { return a * b; }
double fdivOf(double a, double b) { return a / b; }
double fremOf(double a, double b) { return std::fmod(a, b); }
double fmaximumOf(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}
double fminimumOf(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
double fmaxnumOf(double a, double b) { return std::fmax(a, b); }
double fminnumOf(double a, double b) { return std::fmin(a, b); }
double rsqrtOf(double a) { return 1.0 / std::sqrt(a); }
double roundevenOf(double a) { return std::nearbyint(a); }
bool isNan(double a) { return std::isnan(a); }
bool isInf(double a) { return std::isinf(a); }
bool isFinite(double a) { return std::isfinite(a); }
bool isNormal(double a) { return std::isnormal(a); }

Status negf(const ScalarOp &op, In in, Out out) {
  *out = in[0] ^ (uint64_t(1) << (op.in.width - 1));
  return Status::Ok;
}
Status absf(const ScalarOp &op, In in, Out out) {
  *out = in[0] & ~(uint64_t(1) << (op.in.width - 1));
  return Status::Ok;
}
Status copysignOp(const ScalarOp &op, In in, Out out) {
  uint64_t sign = uint64_t(1) << (op.in.width - 1);
  *out = (in[0] & ~sign) | (in[1] & sign);
  return Status::Ok;
}
Status fma(const ScalarOp &op, In in, Out out) {
  double a = getIn(op, in, 0), b = getIn(op, in, 1), c = getIn(op, in, 2);
  double value = op.in.element == ElementType::F32
                     ? double(std::fma(float(a), float(b), float(c)))
                     : std::fma(a, b, c);
  *out = fromDouble(value, op.out.element);
  return Status::Ok;
}
Status clamp(const ScalarOp &op, In in, Out out) {
  double value = fminimumOf(fmaximumOf(getIn(op, in, 0), getIn(op, in, 1)),
                            getIn(op, in, 2));
  *out = fromDouble(value, op.out.element);
  return Status::Ok;
}
Status powInt(const ScalarOp &op, In in, Out out) {
  double exponent = signExtend(in[1], op.secondWidth);
  *out = fromDouble(std::pow(getIn(op, in, 0), exponent), op.out.element);
  return Status::Ok;
}

Status convertFloat(const ScalarOp &op, In in, Out out) {
  *out = fromDouble(getIn(op, in, 0), op.out.element);
  return Status::Ok;
}
/// Rounds once, also to formats narrower than a double.
template <typename Int>
Status intToFloat(const ScalarOp &op, In in, Out out) {
  Int value =
      std::is_signed_v<Int> ? Int(signExtend(in[0], op.in.width)) : Int(in[0]);
  if (op.out.element == ElementType::F32) {
    *out = llvm::bit_cast<uint32_t>(static_cast<float>(value));
    return Status::Ok;
  }
  *out = fromDouble(static_cast<double>(value), op.out.element);
  return Status::Ok;
}
template <bool isSigned>
Status floatToInt(const ScalarOp &op, In in, Out out) {
  double value = std::trunc(getIn(op, in, 0));
  unsigned width = op.out.width;
  double low = isSigned ? -std::ldexp(1.0, width - 1) : 0.0;
  double end = std::ldexp(1.0, isSigned ? width - 1 : width);
  if (!(value >= low && value < end))
    return Status::ConversionOutOfRange;
  *out = maskTo(isSigned ? uint64_t(int64_t(value)) : uint64_t(value), width);
  return Status::Ok;
}

Status compareFloat(const ScalarOp &op, In in, Out out) {
  double a = getIn(op, in, 0), b = getIn(op, in, 1);
  bool unordered = std::isnan(a) || std::isnan(b);
  bool ordered = !unordered;
  using P = arith::CmpFPredicate;
  bool holds = false;
  switch (static_cast<P>(op.predicate)) {
  case P::AlwaysFalse:
    break;
  case P::AlwaysTrue:
    holds = true;
    break;
  case P::OEQ:
    holds = a == b;
    break;
  case P::OGT:
    holds = a > b;
    break;
  case P::OGE:
    holds = a >= b;
    break;
  case P::OLT:
    holds = a < b;
    break;
  case P::OLE:
    holds = a <= b;
    break;
  case P::ONE:
    holds = ordered && a != b;
    break;
  case P::ORD:
    holds = ordered;
    break;
  case P::UEQ:
    holds = unordered || a == b;
    break;
  case P::UGT:
    holds = unordered || a > b;
    break;
  case P::UGE:
    holds = unordered || a >= b;
    break;
  case P::ULT:
    holds = unordered || a < b;
    break;
  case P::ULE:
    holds = unordered || a <= b;
    break;
  case P::UNE:
    holds = unordered || a != b;
    break;
  case P::UNO:
    holds = unordered;
    break;
  }
  *out = holds;
  return Status::Ok;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

struct Entry {
  const char *name;
  ScalarOp::Function function;
};

constexpr Entry kTable[] = {
    {"arith.addi", unsignedOp<addOf>},
    {"arith.subi", unsignedOp<subOf>},
    {"arith.muli", unsignedOp<mulOf>},
    {"arith.divui", unsignedDivision<udivOf>},
    {"arith.divsi", signedDivision<sdivOf>},
    {"arith.ceildivui", unsignedDivision<uceilOf>},
    {"arith.ceildivsi", signedDivision<sceilOf>},
    {"arith.floordivsi", signedDivision<sfloorOf>},
    {"arith.remui", unsignedDivision<uremOf>},
    {"arith.remsi", signedDivision<sremOf>},
    {"arith.andi", unsignedOp<andOf>},
    {"arith.ori", unsignedOp<orOf>},
    {"arith.xori", unsignedOp<xorOf>},
    {"arith.shli", shift<false, true>},
    {"arith.shrui", shift<false, false>},
    {"arith.shrsi", shift<true, false>},
    {"arith.maxsi", signedOp<smaxOf>},
    {"arith.maxui", unsignedOp<umaxOf>},
    {"arith.minsi", signedOp<sminOf>},
    {"arith.minui", unsignedOp<uminOf>},
    {"arith.addui_extended", addExtended},
    {"arith.mulsi_extended", mulExtended<true>},
    {"arith.mului_extended", mulExtended<false>},
    {"arith.extui", zeroExtend},
    {"arith.extsi", signExtendOp},
    {"arith.trunci", zeroExtend},
    {"arith.index_cast", signExtendOp},
    {"arith.index_castui", zeroExtend},
    {"arith.bitcast", zeroExtend},
    {"arith.cmpi", compareInt},
    {"arith.select", select},
    {"arith.addf", floatBinary<faddOf>},
    {"arith.subf", floatBinary<fsubOf>},
    {"arith.mulf", floatBinary<fmulOf>},
    {"arith.divf", floatBinary<fdivOf>},
    {"arith.remf", floatBinary<fremOf>},
    {"arith.negf", negf},
    {"arith.maximumf", floatBinary<fmaximumOf>},
    {"arith.minimumf", floatBinary<fminimumOf>},
    {"arith.maxnumf", floatBinary<fmaxnumOf>},
    {"arith.minnumf", floatBinary<fminnumOf>},
    {"arith.extf", convertFloat},
    {"arith.truncf", convertFloat},
    {"arith.sitofp", intToFloat<int64_t>},
    {"arith.uitofp", intToFloat<uint64_t>},
    {"arith.fptosi", floatToInt<true>},
    {"arith.fptoui", floatToInt<false>},
    {"arith.cmpf", compareFloat},
    {"index.add", unsignedOp<addOf>},
    {"index.sub", unsignedOp<subOf>},
    {"index.mul", unsignedOp<mulOf>},
    {"index.divu", unsignedDivision<udivOf>},
    {"index.divs", signedDivision<sdivOf>},
    {"index.ceildivu", unsignedDivision<uceilOf>},
    {"index.ceildivs", signedDivision<sceilOf>},
    {"index.floordivs", signedDivision<sfloorOf>},
    {"index.remu", unsignedDivision<uremOf>},
    {"index.rems", signedDivision<sremOf>},
    {"index.maxs", signedOp<smaxOf>},
    {"index.maxu", unsignedOp<umaxOf>},
    {"index.mins", signedOp<sminOf>},
    {"index.minu", unsignedOp<uminOf>},
    {"index.shl", shift<false, true>},
    {"index.shru", shift<false, false>},
    {"index.shrs", shift<true, false>},
    {"index.and", unsignedOp<andOf>},
    {"index.or", unsignedOp<orOf>},
    {"index.xor", unsignedOp<xorOf>},
    {"index.casts", signExtendOp},
    {"index.castu", zeroExtend},
    {"index.cmp", compareInt},
    {"math.absi", absInt},
    {"math.ctlz", ctlz},
    {"math.cttz", cttz},
    {"math.ctpop", ctpop},
    {"math.ipowi", ipow},
    {"math.absf", absf},
    {"math.copysign", copysignOp},
    {"math.fma", fma},
    {"math.clampf", clamp},
    {"math.fpowi", powInt},
    {"math.powf", floatBinary<std::pow>},
    {"math.atan2", floatBinary<std::atan2>},
    {"math.ceil", floatUnary<std::ceil>},
    {"math.floor", floatUnary<std::floor>},
    {"math.round", floatUnary<std::round>},
    {"math.roundeven", floatUnary<roundevenOf>},
    {"math.trunc", floatUnary<std::trunc>},
    {"math.sqrt", floatUnary<std::sqrt>},
    {"math.rsqrt", floatUnary<rsqrtOf>},
    {"math.cbrt", floatUnary<std::cbrt>},
    {"math.exp", floatUnary<std::exp>},
    {"math.exp2", floatUnary<std::exp2>},
    {"math.expm1", floatUnary<std::expm1>},
    {"math.log", floatUnary<std::log>},
    {"math.log2", floatUnary<std::log2>},
    {"math.log10", floatUnary<std::log10>},
    {"math.log1p", floatUnary<std::log1p>},
    {"math.sin", floatUnary<std::sin>},
    {"math.cos", floatUnary<std::cos>},
    {"math.tan", floatUnary<std::tan>},
    {"math.asin", floatUnary<std::asin>},
    {"math.acos", floatUnary<std::acos>},
    {"math.atan", floatUnary<std::atan>},
    {"math.sinh", floatUnary<std::sinh>},
    {"math.cosh", floatUnary<std::cosh>},
    {"math.tanh", floatUnary<std::tanh>},
    {"math.asinh", floatUnary<std::asinh>},
    {"math.acosh", floatUnary<std::acosh>},
    {"math.atanh", floatUnary<std::atanh>},
    {"math.erf", floatUnary<std::erf>},
    {"math.erfc", floatUnary<std::erfc>},
    {"math.isnan", floatTest<isNan>},
    {"math.isinf", floatTest<isInf>},
    {"math.isfinite", floatTest<isFinite>},
    {"math.isnormal", floatTest<isNormal>},
};

ScalarOp::Function findFunction(StringRef name) {
  static const llvm::StringMap<ScalarOp::Function> *const map = [] {
    auto *map = new llvm::StringMap<ScalarOp::Function>();
    for (const Entry &entry : kTable)
      map->try_emplace(entry.name, entry.function);
    return map;
  }();
  return map->lookup(name);
}

std::optional<ScalarKind> getElementKind(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  return getScalarKind(type);
}

/// `index.cmp` numbers its predicates in another order than `arith.cmpi`.
uint8_t getPredicate(Operation *op) {
  if (auto predicate = op->getAttrOfType<IntegerAttr>("predicate"))
    return predicate.getInt();
  auto pred = op->getAttrOfType<index::IndexCmpPredicateAttr>("pred");
  if (!pred)
    return 0;
  using A = arith::CmpIPredicate;
  auto translate = [](index::IndexCmpPredicate predicate) {
    switch (predicate) {
    case index::IndexCmpPredicate::EQ:
      return A::eq;
    case index::IndexCmpPredicate::NE:
      return A::ne;
    case index::IndexCmpPredicate::SLT:
      return A::slt;
    case index::IndexCmpPredicate::SLE:
      return A::sle;
    case index::IndexCmpPredicate::SGT:
      return A::sgt;
    case index::IndexCmpPredicate::SGE:
      return A::sge;
    case index::IndexCmpPredicate::ULT:
      return A::ult;
    case index::IndexCmpPredicate::ULE:
      return A::ule;
    case index::IndexCmpPredicate::UGT:
      return A::ugt;
    case index::IndexCmpPredicate::UGE:
      return A::uge;
    }
    return A::eq;
  };
  return static_cast<uint8_t>(translate(pred.getValue()));
}
} // namespace

bool mlir::pypto::runtime::compareIntegers(unsigned predicate, uint64_t a,
                                           uint64_t b, unsigned width) {
  int64_t sa = signExtend(a, width), sb = signExtend(b, width);
  switch (static_cast<arith::CmpIPredicate>(predicate)) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return sa < sb;
  case arith::CmpIPredicate::sle:
    return sa <= sb;
  case arith::CmpIPredicate::sgt:
    return sa > sb;
  case arith::CmpIPredicate::sge:
    return sa >= sb;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

std::optional<ScalarOp> mlir::pypto::runtime::getScalarOp(Operation *op) {
  ScalarOp result;
  result.function = findFunction(op->getName().getStringRef());
  if (!result.function || op->getNumOperands() == 0 ||
      op->getNumOperands() > 3 || op->getNumResults() == 0 ||
      op->getNumResults() > 2)
    return std::nullopt;
  for (Type type : op->getOperandTypes())
    if (!getElementKind(type))
      return std::nullopt;
  for (Type type : op->getResultTypes())
    if (!getElementKind(type))
      return std::nullopt;
  result.in = *getElementKind(op->getOperand(0).getType());
  result.out = *getElementKind(op->getResult(0).getType());
  result.predicate = getPredicate(op);
  if (op->getNumOperands() > 1)
    result.secondWidth = getElementKind(op->getOperand(1).getType())->width;
  result.numOperands = op->getNumOperands();
  result.numResults = op->getNumResults();
  return result;
}
