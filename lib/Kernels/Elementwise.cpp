//===- Elementwise.cpp - Elementwise nodes --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/AscInterpreter.h"
#include "Kernels/Evaluate.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pypto::asc;

/// The constant a scalar operand is.
static std::optional<double> getConstant(Value value) {
  auto scalar = value.getDefiningOp<ScalarOp>();
  auto attr = scalar ? dyn_cast<FloatAttr>(scalar.getValue()) : FloatAttr();
  return attr ? std::optional(attr.getValueAsDouble()) : std::nullopt;
}

std::optional<double> mlir::pypto::asc::getSpecialExponent(PowOp pow) {
  std::optional<double> exponent = getConstant(pow.getRhs());
  if (exponent &&
      llvm::is_contained({2.0, 3.0, 0.5, -0.5, -1.0, -2.0}, *exponent))
    return exponent;
  return std::nullopt;
}

std::optional<bool> mlir::pypto::asc::getSpecialBase(PowOp pow) {
  std::optional<double> base = getConstant(pow.getLhs());
  if (base && (*base == 2 || *base == 0.5))
    return *base == 0.5;
  return std::nullopt;
}

namespace {
/// The elements of an operand: one after the other, or one for all.
template <typename T>
struct Reader {
  const T *data;
  size_t step;

  explicit Reader(const Tile &tile)
      : data(tile.get<T>().data()), step(tile.shape.empty() ? 0 : 1) {}
  T operator[](size_t i) const { return data[i * step]; }
};
} // namespace

template <typename T, typename Fn>
static void mapUnary(const Tile &source, Tile &result, Fn fn) {
  Reader<T> from(source);
  std::vector<T> &to = result.get<T>();
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = fn(from[i]);
}

template <typename T, typename Fn>
static void mapBinary(Operands operands, Tile &result, Fn fn) {
  Reader<T> lhs(*operands[0]), rhs(*operands[1]);
  std::vector<T> &to = result.get<T>();
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = fn(lhs[i], rhs[i]);
}

//===----------------------------------------------------------------------===//
// Floating types
//===----------------------------------------------------------------------===//

template <typename T>
static bool evaluateUnary(Operation *op, const Tile &source, Tile &result) {
  auto map = [&](auto fn) {
    mapUnary<T>(source, result, fn);
    return true;
  };
  if (isa<AbsOp>(op))
    return map([](T x) { return std::fabs(x); });
  if (isa<NegOp>(op))
    return map([](T x) { return -x; });
  if (isa<ReluOp>(op))
    return map([](T x) { return x <= 0 ? T(0) : x; });
  if (isa<ExpOp>(op))
    return map([](T x) { return std::exp(x); });
  if (isa<LogOp>(op))
    return map([](T x) { return std::log(x); });
  if (isa<SqrtOp>(op))
    return map([](T x) { return std::sqrt(x); });
  if (isa<RsqrtOp>(op))
    return map([](T x) { return T(1) / std::sqrt(x); });
  if (isa<ReciprocalOp>(op))
    return map([](T x) { return T(1) / x; });
  if (isa<SigmoidOp>(op))
    return map([](T x) { return T(1) / (T(1) + std::exp(-x)); });
  if (isa<TanhOp>(op))
    return map([](T x) { return std::tanh(x); });
  if (isa<ErfOp>(op))
    return map([](T x) { return std::erf(x); });
  return false;
}

template <typename T>
static T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b) // Zeros differ in their sign.
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <typename T>
static T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <typename T>
static void evaluatePow(PowOp pow, Operands operands, Tile &result) {
  double exponent = getSpecialExponent(pow).value_or(0);
  std::optional<bool> base = getSpecialBase(pow);
  mapBinary<T>(operands, result, [&](T x, T y) -> T {
    if (base)
      return std::exp2(*base ? -y : y);
    if (exponent == 2)
      return x * x;
    if (exponent == 3)
      return x * x * x;
    if (exponent == 0.5)
      return std::sqrt(x);
    if (exponent == -0.5)
      return T(1) / std::sqrt(x);
    if (exponent == -1)
      return T(1) / x;
    if (exponent == -2)
      return T(1) / (x * x);
    return std::pow(x, y);
  });
}

template <typename T>
static bool evaluateBinary(Operation *op, Operands operands, Tile &result) {
  auto map = [&](auto fn) {
    mapBinary<T>(operands, result, fn);
    return true;
  };
  if (isa<AddOp>(op))
    return map([](T a, T b) { return a + b; });
  if (isa<SubOp>(op))
    return map([](T a, T b) { return a - b; });
  if (isa<MulOp>(op))
    return map([](T a, T b) { return a * b; });
  if (isa<DivOp>(op))
    return map([](T a, T b) { return a / b; });
  if (isa<MaximumOp>(op))
    return map(maximum<T>);
  if (isa<MinimumOp>(op))
    return map(minimum<T>);
  if (auto pow = dyn_cast<PowOp>(op)) {
    evaluatePow<T>(pow, operands, result);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static bool isLess(int64_t a, int64_t b, bool isUnsigned) {
  return isUnsigned ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b)
                    : a < b;
}

static bool evaluateInteger(Operation *op, Operands operands, Tile &result) {
  using U = uint64_t;
  bool isUnsigned = result.format.isUnsigned;
  auto unary = [&](auto fn) {
    mapUnary<int64_t>(*operands[0], result, fn);
    return true;
  };
  auto binary = [&](auto fn) {
    mapBinary<int64_t>(operands, result, fn);
    return true;
  };
  auto pick = [&](bool larger) {
    return binary([=](int64_t a, int64_t b) {
      return isLess(a, b, isUnsigned) == larger ? b : a;
    });
  };
  // Wrapping arithmetic is that of unsigned numbers.
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<AbsOp>([&](auto) {
        return unary([=](int64_t x) {
          return x < 0 && !isUnsigned ? static_cast<int64_t>(-U(x)) : x;
        });
      })
      .Case<NegOp>([&](auto) {
        return unary([](int64_t x) { return static_cast<int64_t>(-U(x)); });
      })
      .Case<ReluOp>([&](auto) {
        return unary([=](int64_t x) { return x < 0 && !isUnsigned ? 0 : x; });
      })
      .Case<AddOp>([&](auto) {
        return binary([](U a, U b) { return static_cast<int64_t>(a + b); });
      })
      .Case<SubOp>([&](auto) {
        return binary([](U a, U b) { return static_cast<int64_t>(a - b); });
      })
      .Case<MulOp>([&](auto) {
        return binary([](U a, U b) { return static_cast<int64_t>(a * b); });
      })
      .Case<MaximumOp>([&](auto) { return pick(/*larger=*/true); })
      .Case<MinimumOp>([&](auto) { return pick(/*larger=*/false); })
      .Default([](Operation *) { return false; });
}

//===----------------------------------------------------------------------===//
// Comparisons and choices
//===----------------------------------------------------------------------===//

template <typename T>
static bool holds(Comparison comparison, T a, T b) {
  switch (comparison) {
  case Comparison::EQ:
    return a == b;
  case Comparison::NE:
    return a != b;
  case Comparison::LT:
    return a < b;
  case Comparison::LE:
    return a <= b;
  case Comparison::GT:
    return a > b;
  case Comparison::GE:
    return a >= b;
  }
  return false;
}

static void evaluateCompare(CompareOp op, Operands operands, Tile &result) {
  std::vector<int64_t> &to = result.get<int64_t>();
  Comparison comparison = op.getComparison();
  std::visit(
      [&](const auto &elements) {
        using T = typename std::decay_t<decltype(elements)>::value_type;
        Reader<T> lhs(*operands[0]), rhs(*operands[1]);
        for (size_t i = 0; i < to.size(); ++i) {
          if (operands[0]->format.isUnsigned)
            to[i] = holds(comparison, static_cast<uint64_t>(lhs[i]),
                          static_cast<uint64_t>(rhs[i]));
          else
            to[i] = holds(comparison, lhs[i], rhs[i]);
        }
      },
      operands[0]->elements);
}

static void evaluateChoice(Operands operands, Tile &result) {
  std::visit(
      [&](const auto &conditions, auto &to) {
        using C = typename std::decay_t<decltype(conditions)>::value_type;
        using T = typename std::decay_t<decltype(to)>::value_type;
        Reader<C> condition(*operands[0]);
        Reader<T> lhs(*operands[1]), rhs(*operands[2]);
        for (size_t i = 0; i < to.size(); ++i)
          to[i] = condition[i] != 0 ? lhs[i] : rhs[i];
      },
      operands[0]->elements, result.elements);
}

bool mlir::pypto::asc::evaluateElementwise(Operation *op, Operands operands,
                                           Tile &result) {
  if (auto compare = dyn_cast<CompareOp>(op)) {
    evaluateCompare(compare, operands, result);
    return true;
  }
  if (isa<SelectOp, WhereOp>(op)) {
    evaluateChoice(operands, result);
    return true;
  }
  bool known = false;
  if (std::holds_alternative<std::vector<float>>(result.elements))
    known = evaluateUnary<float>(op, *operands[0], result) ||
            evaluateBinary<float>(op, operands, result);
  else if (std::holds_alternative<std::vector<double>>(result.elements))
    known = evaluateUnary<double>(op, *operands[0], result) ||
            evaluateBinary<double>(op, operands, result);
  else
    known = evaluateInteger(op, operands, result);
  if (known)
    result.round();
  return known;
}
