//===- ScalarOps.cpp - Computations of scalars ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers wrap as those of the dialects do: whatever could overflow as a
// signed or promoted type in C++ is computed as an unsigned one that is wide
// enough.
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

static unsigned widthOf(Type type) { return *getScalarWidth(type); }
static unsigned widthOf(Value value) { return widthOf(value.getType()); }

/// `value` as a signed integer.
std::string FunctionEmitter::getSigned(Value value) {
  unsigned width = widthOf(value);
  // A literal of the same bits that is no negative number is one already.
  APInt constant;
  if (std::string literal = use(value);
      matchPattern(resolve(value), m_ConstantInt(&constant)) && width != 1 &&
      constant.isNonNegative() && llvm::all_of(literal, llvm::isDigit))
    return literal;
  if (width == 1 || getStorageWidth(width) != width)
    return support.call("sign_extend", {use(value), std::to_string(width)});
  return ("static_cast<int" + Twine(width) + "_t>(" + use(value) + ")").str();
}

/// `value` as a signed integer of 64 bits.
std::string FunctionEmitter::getWideSigned(Value value) {
  std::string expr = getSigned(value);
  bool isWide = widthOf(value) == 64 && !llvm::isDigit(expr.front());
  return isWide ? expr : "int64_t{" + expr + "}";
}

/// `value` as an operand that is not promoted to a signed type.
std::string FunctionEmitter::getWide(Value value) {
  unsigned width = widthOf(value);
  if (width >= 32 && !matchPattern(resolve(value), m_Constant()))
    return use(value);
  return ("static_cast<uint" + Twine(width > 32 ? 64 : 32) + "_t>(" +
          use(value) + ")")
      .str();
}

/// The helper prefix of a float type that can be computed with.
static StringRef getFloatName(Type type) {
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (type.isF32())
    return "f32";
  if (type.isF64())
    return "f64";
  return "";
}

/// `value` as a `float` or `double`.
std::string FunctionEmitter::getFloat(Value value) {
  StringRef name = getFloatName(value.getType());
  return support.call(("as_" + name).str(), {use(value)});
}

/// The bits of a floating point expression, rounded to `type`.
std::string FunctionEmitter::fromFloat(const std::string &expr, Type type) {
  return support.call(("bits_" + getFloatName(type)).str(), {expr});
}

/// An integer expression of any type, cut to the bits of `type`.
std::string FunctionEmitter::fromInteger(const std::string &expr, Type type) {
  unsigned width = widthOf(type);
  if (width == 64)
    return expr;
  std::string cut = expr;
  if (width == 1 || getStorageWidth(width) != width)
    cut = "(" + expr + ") & " +
          getLiteral(llvm::maskTrailingOnes<uint64_t>(width),
                     width > 1 ? width : 8);
  return ("static_cast<" + getStorageType(width) + ">(" + cut + ")").str();
}

std::string FunctionEmitter::getSelect(StringRef condition, Value a, Value b,
                                       Type type) {
  // The arms of `?:` are promoted together.
  std::string choice = (condition + " ? " + use(a) + " : " + use(b)).str();
  unsigned width = widthOf(type);
  if (width == 1 || width > 32)
    return choice;
  return ("static_cast<" + getStorageType(width) + ">(" + choice + ")").str();
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// What two integers are compared by.
static std::pair<StringRef, bool>
getComparison(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
    return {"==", false};
  case Predicate::ne:
    return {"!=", false};
  case Predicate::slt:
    return {"<", true};
  case Predicate::sle:
    return {"<=", true};
  case Predicate::sgt:
    return {">", true};
  case Predicate::sge:
    return {">=", true};
  case Predicate::ult:
    return {"<", false};
  case Predicate::ule:
    return {"<=", false};
  case Predicate::ugt:
    return {">", false};
  case Predicate::uge:
    return {">=", false};
  }
  llvm_unreachable("unknown predicate");
}

static std::pair<StringRef, bool>
getComparison(index::IndexCmpPredicate predicate) {
  using Predicate = index::IndexCmpPredicate;
  switch (predicate) {
  case Predicate::EQ:
    return {"==", false};
  case Predicate::NE:
    return {"!=", false};
  case Predicate::SLT:
    return {"<", true};
  case Predicate::SLE:
    return {"<=", true};
  case Predicate::SGT:
    return {">", true};
  case Predicate::SGE:
    return {">=", true};
  case Predicate::ULT:
    return {"<", false};
  case Predicate::ULE:
    return {"<=", false};
  case Predicate::UGT:
    return {">", false};
  case Predicate::UGE:
    return {">=", false};
  }
  llvm_unreachable("unknown predicate");
}

namespace {
/// Integer operations of two operands, whatever dialect they are of.
enum class Binary {
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  ShL,
  ShRU,
  ShRS,
  DivU,
  DivS,
  RemU,
  RemS,
  CeilDivU,
  CeilDivS,
  FloorDivS,
  MaxU,
  MaxS,
  MinU,
  MinS
};
} // namespace

static std::optional<Binary> getBinary(Operation *op) {
  return llvm::StringSwitch<std::optional<Binary>>(op->getName().getStringRef())
      .Cases({"arith.addi", "index.add"}, Binary::Add)
      .Cases({"arith.subi", "index.sub"}, Binary::Sub)
      .Cases({"arith.muli", "index.mul"}, Binary::Mul)
      .Cases({"arith.andi", "index.and"}, Binary::And)
      .Cases({"arith.ori", "index.or"}, Binary::Or)
      .Cases({"arith.xori", "index.xor"}, Binary::Xor)
      .Cases({"arith.shli", "index.shl"}, Binary::ShL)
      .Cases({"arith.shrui", "index.shru"}, Binary::ShRU)
      .Cases({"arith.shrsi", "index.shrs"}, Binary::ShRS)
      .Cases({"arith.divui", "index.divu"}, Binary::DivU)
      .Cases({"arith.divsi", "index.divs"}, Binary::DivS)
      .Cases({"arith.remui", "index.remu"}, Binary::RemU)
      .Cases({"arith.remsi", "index.rems"}, Binary::RemS)
      .Cases({"arith.ceildivui", "index.ceildivu"}, Binary::CeilDivU)
      .Cases({"arith.ceildivsi", "index.ceildivs"}, Binary::CeilDivS)
      .Cases({"arith.floordivsi", "index.floordivs"}, Binary::FloorDivS)
      .Cases({"arith.maxui", "index.maxu"}, Binary::MaxU)
      .Cases({"arith.maxsi", "index.maxs"}, Binary::MaxS)
      .Cases({"arith.minui", "index.minu"}, Binary::MinU)
      .Cases({"arith.minsi", "index.mins"}, Binary::MinS)
      .Default(std::nullopt);
}

/// The C++ operator of an operation that is one on unsigned operands.
static StringRef getOperator(Binary binary) {
  switch (binary) {
  case Binary::Add:
    return "+";
  case Binary::Sub:
    return "-";
  case Binary::Mul:
    return "*";
  case Binary::And:
    return "&";
  case Binary::Or:
    return "|";
  case Binary::Xor:
    return "^";
  case Binary::DivU:
  case Binary::DivS:
    return "/";
  case Binary::RemU:
  case Binary::RemS:
    return "%";
  case Binary::MaxU:
  case Binary::MaxS:
    return ">";
  case Binary::MinU:
  case Binary::MinS:
    return "<";
  default:
    return "";
  }
}

static bool isDivision(Binary binary) {
  return binary >= Binary::DivU && binary <= Binary::FloorDivS;
}

std::optional<std::string> FunctionEmitter::getIntegerExpr(Operation *op) {
  std::optional<Binary> binary = getBinary(op);
  if (!binary)
    return std::nullopt;
  Value a = op->getOperand(0), b = op->getOperand(1);
  Type type = op->getResult(0).getType();
  std::string width = std::to_string(widthOf(type));
  std::string sign = (" " + getOperator(*binary) + " ").str();
  APInt constant;
  bool isConstant = matchPattern(resolve(b), m_ConstantInt(&constant));
  // What divides by zero never runs.
  if (isConstant && constant.isZero() && isDivision(*binary))
    return std::nullopt;
  // A shift by the width or more gives nothing that is defined.
  auto shift = [&](const std::string &value, StringRef direction) {
    if (isConstant)
      return constant.ult(widthOf(type))
                 ? (value + " " + direction + " " + use(b)).str()
                 : value + " & 0";
    std::string amount = use(b);
    return (amount + " < " + width + "u ? " + value + " " + direction + " " +
            amount + " : 0")
        .str();
  };
  switch (*binary) {
  case Binary::Add:
  case Binary::Sub:
  case Binary::Mul: {
    std::string expr = getWide(a) + sign + use(b);
    bool wraps = widthOf(type) == 32 || widthOf(type) == 64;
    return wraps ? expr : fromInteger(expr, type);
  }
  case Binary::And:
  case Binary::Or:
  case Binary::Xor:
  case Binary::DivU:
  case Binary::RemU:
    return fromInteger(getWide(a) + sign + use(b), type);
  case Binary::ShL:
    return fromInteger(shift(getWide(a), "<<"), type);
  case Binary::ShRU:
    return fromInteger(shift(getWide(a), ">>"), type);
  case Binary::ShRS:
    return fromInteger(shift(getWideSigned(a), ">>"), type);
  case Binary::DivS:
  case Binary::RemS:
    // In 64 bits the least value of a shorter type can be divided by -1.
    return fromInteger(getWideSigned(a) + sign + getSigned(b), type);
  case Binary::CeilDivU:
    return fromInteger(support.call("ceil_div_unsigned", {use(a), use(b)}),
                       type);
  case Binary::CeilDivS:
    return fromInteger(support.call("ceil_div", {getSigned(a), getSigned(b)}),
                       type);
  case Binary::FloorDivS:
    return fromInteger(support.call("floor_div", {getSigned(a), getSigned(b)}),
                       type);
  case Binary::MaxU:
  case Binary::MinU:
    return getSelect(use(a) + sign + use(b), a, b, type);
  case Binary::MaxS:
  case Binary::MinS:
    return getSelect(getSigned(a) + sign + getSigned(b), a, b, type);
  }
  return std::nullopt;
}

/// Whether a comparison does not depend on what it compares; C++ compilers warn
/// of those. `sign` is the operator.
static bool isDecided(StringRef sign, bool isSigned, Value a, Value b) {
  if (a == b)
    return true;
  if (sign == "==" || sign == "!=")
    return false;
  unsigned width = widthOf(a);
  auto isConstant = [](Value value, const APInt &expected) {
    APInt constant;
    return matchPattern(value, m_ConstantInt(&constant)) &&
           constant.zextOrTrunc(expected.getBitWidth()) == expected;
  };
  APInt least = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  APInt largest =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getAllOnes(width);
  // Nothing is less than the least, everything is at most the largest.
  bool holdsForEqual = sign == "<=" || sign == ">=";
  return holdsForEqual == (sign.front() == '<')
             ? isConstant(b, largest) || isConstant(a, least)
             : isConstant(b, least) || isConstant(a, largest);
}

/// The function object of a comparison.
static StringRef getFunctionObject(StringRef sign) {
  return llvm::StringSwitch<StringRef>(sign)
      .Case("==", "std::equal_to")
      .Case("!=", "std::not_equal_to")
      .Case("<", "std::less")
      .Case("<=", "std::less_equal")
      .Case(">", "std::greater")
      .Default("std::greater_equal");
}

std::optional<std::string> FunctionEmitter::getComparisonExpr(Operation *op) {
  std::pair<StringRef, bool> comparison;
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    comparison = getComparison(cmp.getPredicate());
  else if (auto cmp = dyn_cast<index::CmpOp>(op))
    comparison = getComparison(cmp.getPred());
  else
    return std::nullopt;
  auto [sign, isSigned] = comparison;
  Value a = op->getOperand(0), b = op->getOperand(1);
  std::string left = isSigned ? getSigned(a) : use(a);
  std::string right = isSigned ? getSigned(b) : use(b);
  if (!isDecided(sign, isSigned, resolve(a), resolve(b)))
    return (left + " " + sign + " " + right).str();
  // Written so that its operands are read nevertheless.
  StringRef type = isSigned ? "int64_t" : getStorageType(widthOf(a));
  return (getFunctionObject(sign) + "<" + type + ">()(" + left + ", " + right +
          ")")
      .str();
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// A comparison of floats as an expression of `a` and `b`. All but `!=` are
/// false for NaN; the unordered ones are true.
static std::string getFloatComparison(arith::CmpFPredicate predicate,
                                      const std::string &a,
                                      const std::string &b) {
  using Predicate = arith::CmpFPredicate;
  std::string unordered = "std::isunordered(" + a + ", " + b + ")";
  auto plain = [&](StringRef sign) { return (a + " " + sign + " " + b).str(); };
  // Unordered or related is not related the other way round.
  auto negated = [&](StringRef sign) {
    return ("!(" + a + " " + sign + " " + b + ")").str();
  };
  switch (predicate) {
  case Predicate::AlwaysFalse:
    return unordered + " && false";
  case Predicate::AlwaysTrue:
    return unordered + " || true";
  case Predicate::OEQ:
    return plain("==");
  case Predicate::OGT:
    return plain(">");
  case Predicate::OGE:
    return plain(">=");
  case Predicate::OLT:
    return plain("<");
  case Predicate::OLE:
    return plain("<=");
  case Predicate::ONE:
    return "std::islessgreater(" + a + ", " + b + ")";
  case Predicate::ORD:
    return "!" + unordered;
  case Predicate::UEQ:
    return "!std::islessgreater(" + a + ", " + b + ")";
  case Predicate::UGT:
    return negated("<=");
  case Predicate::UGE:
    return negated("<");
  case Predicate::ULT:
    return negated(">=");
  case Predicate::ULE:
    return negated(">");
  case Predicate::UNE:
    return plain("!=");
  case Predicate::UNO:
    return unordered;
  }
  llvm_unreachable("unknown predicate");
}

std::optional<std::string> FunctionEmitter::getFloatExpr(Operation *op) {
  if (op->getNumOperands() == 0 ||
      getFloatName(op->getOperand(0).getType()).empty())
    return std::nullopt;
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    return getFloatComparison(cmp.getPredicate(), getFloat(cmp.getLhs()),
                              getFloat(cmp.getRhs()));
  Type type = op->getResult(0).getType();
  if (getFloatName(type).empty())
    return std::nullopt;
  if (isa<arith::NegFOp>(op)) {
    unsigned width = widthOf(type);
    return fromInteger(use(op->getOperand(0)) + " ^ " +
                           getLiteral(uint64_t(1) << (width - 1), width),
                       type);
  }
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::string a = getFloat(op->getOperand(0)), b = getFloat(op->getOperand(1));
  StringRef sign = llvm::TypeSwitch<Operation *, StringRef>(op)
                       .Case([](arith::AddFOp) { return "+"; })
                       .Case([](arith::SubFOp) { return "-"; })
                       .Case([](arith::MulFOp) { return "*"; })
                       .Case([](arith::DivFOp) { return "/"; })
                       .Default(StringRef());
  if (!sign.empty())
    return fromFloat((a + " " + sign + " " + b).str(), type);
  StringRef function = llvm::TypeSwitch<Operation *, StringRef>(op)
                           .Case([](arith::RemFOp) { return "std::fmod"; })
                           .Case([](arith::MaxNumFOp) { return "std::fmax"; })
                           .Case([](arith::MinNumFOp) { return "std::fmin"; })
                           .Default(StringRef());
  if (!function.empty())
    return fromFloat((function + "(" + a + ", " + b + ")").str(), type);
  if (isa<arith::MaximumFOp>(op))
    return fromFloat(support.call("fmaximum", {a, b}), type);
  if (isa<arith::MinimumFOp>(op))
    return fromFloat(support.call("fminimum", {a, b}), type);
  return std::nullopt;
}

std::optional<std::string> FunctionEmitter::getMathExpr(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("math."))
    return std::nullopt;
  Type type = op->getResult(0).getType();
  if (name == "absi")
    return fromInteger(getSigned(op->getOperand(0)) + " < 0 ? 0 - " +
                           getWide(op->getOperand(0)) + " : " +
                           getWide(op->getOperand(0)),
                       type);
  if (!llvm::all_of(op->getOperandTypes(), [&](Type operand) {
        return operand == type && !getFloatName(operand).empty();
      }))
    return std::nullopt;
  auto [function, arity] =
      llvm::StringSwitch<std::pair<StringRef, unsigned>>(name)
          .Case("absf", {"std::fabs", 1})
          .Case("ceil", {"std::ceil", 1})
          .Case("copysign", {"std::copysign", 2})
          .Case("cos", {"std::cos", 1})
          .Case("exp", {"std::exp", 1})
          .Case("exp2", {"std::exp2", 1})
          .Case("floor", {"std::floor", 1})
          .Case("fma", {"std::fma", 3})
          .Case("log", {"std::log", 1})
          .Case("log2", {"std::log2", 1})
          .Case("powf", {"std::pow", 2})
          .Case("round", {"std::round", 1})
          .Case("roundeven", {"std::nearbyint", 1})
          .Case("sin", {"std::sin", 1})
          .Case("sqrt", {"std::sqrt", 1})
          .Case("tanh", {"std::tanh", 1})
          .Case("trunc", {"std::trunc", 1})
          .Default({"", 0});
  if (arity == 0 || arity != op->getNumOperands())
    return std::nullopt;
  SmallVector<std::string> args;
  for (Value operand : op->getOperands())
    args.push_back(getFloat(operand));
  return fromFloat((function + "(" + llvm::join(args, ", ") + ")").str(), type);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

std::optional<std::string> FunctionEmitter::getConversionExpr(Operation *op) {
  if (op->getNumOperands() != 1)
    return std::nullopt;
  Value from = op->getOperand(0);
  Type type = op->getResult(0).getType();
  bool fromFloats = !getFloatName(from.getType()).empty();
  bool toFloats = !getFloatName(type).empty();
  if (isa<arith::BitcastOp>(op))
    return use(from);
  if (isa<arith::ExtSIOp, arith::IndexCastOp, index::CastSOp>(op))
    return widthOf(from) >= widthOf(type) ? fromInteger(use(from), type)
                                          : fromInteger(getSigned(from), type);
  if (isa<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp,
          index::CastUOp>(op))
    return fromInteger(use(from), type);
  if (isa<arith::ExtFOp, arith::TruncFOp>(op) && fromFloats && toFloats)
    return fromFloat(getFloat(from), type);
  auto convert = [&](StringRef to, const std::string &value) {
    return ("static_cast<" + to + ">(" + value + ")").str();
  };
  // A double has enough bits that rounding it again to 16 bits changes nothing.
  if (isa<arith::SIToFPOp>(op) && toFloats)
    return fromFloat(
        convert(type.isF32() ? "float" : "double", getSigned(from)), type);
  if (isa<arith::UIToFPOp>(op) && toFloats)
    return fromFloat(convert(type.isF32() ? "float" : "double", use(from)),
                     type);
  if (isa<arith::FPToSIOp>(op) && fromFloats)
    return fromInteger(convert("int64_t", getFloat(from)), type);
  if (isa<arith::FPToUIOp>(op) && fromFloats)
    return fromInteger(convert("uint64_t", getFloat(from)), type);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Any
//===----------------------------------------------------------------------===//

std::optional<std::string> FunctionEmitter::getScalarExpr(Operation *op) {
  auto isTranslatable = [](Type type) {
    return getScalarWidth(type).has_value();
  };
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !llvm::all_of(op->getOperandTypes(), isTranslatable) ||
      !isTranslatable(op->getResult(0).getType()))
    return std::nullopt;
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return getSelect(use(select.getCondition()), select.getTrueValue(),
                     select.getFalseValue(), select.getType());
  for (auto emit :
       {&FunctionEmitter::getIntegerExpr, &FunctionEmitter::getComparisonExpr,
        &FunctionEmitter::getFloatExpr, &FunctionEmitter::getMathExpr,
        &FunctionEmitter::getConversionExpr})
    if (std::optional<std::string> expr = (this->*emit)(op))
      return expr;
  return std::nullopt;
}

/// What to call the result of an operation: `mul` of `arith.muli`.
static StringRef getWish(Operation *op) {
  StringRef name = op->getName().getStringRef().rsplit('.').second;
  for (StringRef suffix : {"ui", "si", "i", "f", "u", "s"})
    if (name.size() > suffix.size() + 2 && name.ends_with(suffix))
      return name.drop_back(suffix.size());
  return name;
}

bool FunctionEmitter::emitScalarOp(Operation *op) {
  std::optional<std::string> expr = getScalarExpr(op);
  if (!expr)
    return false;
  Value result = op->getResult(0);
  StringRef type = getStorageType(widthOf(result));
  out.line("const " + type + " " + name(result, getWish(op)) + " = " + *expr +
           ";");
  return true;
}
