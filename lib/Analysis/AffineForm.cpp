//===- AffineForm.cpp - Linear combinations of scalars --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/AffineForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::pypto;

std::optional<AffineForm> AffineForm::plus(const AffineForm &other,
                                           int64_t factor) const {
  AffineForm result = *this;
  std::optional<int64_t> sum =
      llvm::checkedMulAdd<int64_t>(other.constant, factor, constant);
  if (!sum)
    return std::nullopt;
  result.constant = *sum;
  for (auto [symbol, coefficient] : other.terms) {
    auto it = llvm::find_if(
        result.terms, [&](const auto &term) { return term.first == symbol; });
    if (it == result.terms.end()) {
      if (result.terms.size() == kMaxTerms)
        return std::nullopt;
      result.terms.push_back({symbol, 0});
      it = std::prev(result.terms.end());
    }
    std::optional<int64_t> product =
        llvm::checkedMulAdd<int64_t>(coefficient, factor, it->second);
    if (!product)
      return std::nullopt;
    it->second = *product;
  }
  llvm::erase_if(result.terms,
                 [](const auto &term) { return term.second == 0; });
  return result;
}

std::optional<AffineForm> AffineForm::times(int64_t factor) const {
  return AffineForm().plus(*this, factor);
}

std::optional<AffineForm>
AffineForm::substitute(llvm::function_ref<AffineForm(Value)> map) const {
  std::optional<AffineForm> result = AffineForm(constant);
  for (auto [symbol, coefficient] : terms) {
    result = result->plus(map(symbol), coefficient);
    if (!result)
      return std::nullopt;
  }
  return result;
}

namespace {
/// `Same` is another type for the same number; `Other` is no linear operation,
/// but one that folds over constants.
enum class LinearKind { None, Add, Sub, Mul, Shift, Same, Other };
} // namespace

/// Whether sums of this type are those of the numbers: offsets do not overflow
/// 64 bits.
static bool isWide(Type type) { return type.isIndex() || type.isInteger(64); }

static LinearKind getLinearKind(Operation *op) {
  if (!op)
    return LinearKind::None;
  // A narrow number is the same one in a wide type, but its sums may wrap.
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return isWide(op->getResult(0).getType()) ? LinearKind::Same
                                              : LinearKind::None;
  if (op->getNumOperands() != 2 || !isWide(op->getResult(0).getType()))
    return LinearKind::None;
  if (isa<arith::AddIOp, index::AddOp>(op))
    return LinearKind::Add;
  if (isa<arith::SubIOp, index::SubOp>(op))
    return LinearKind::Sub;
  if (isa<arith::MulIOp, index::MulOp>(op))
    return LinearKind::Mul;
  if (isa<arith::ShLIOp, index::ShlOp>(op))
    return LinearKind::Shift;
  bool folds = op->getNumResults() == 1 && op->getNumRegions() == 0 &&
               isMemoryEffectFree(op) &&
               llvm::all_of(op->getOperandTypes(), llvm::IsaPred<IndexType>) &&
               op->getResult(0).getType().isIndex();
  return folds ? LinearKind::Other : LinearKind::None;
}

std::optional<AffineForm>
AffineForms::fold(Operation *op, const AffineForm &lhs, const AffineForm &rhs) {
  if (getLinearKind(op) != LinearKind::Other || !lhs.isConstant() ||
      !rhs.isConstant())
    return std::nullopt;
  Builder builder(op->getContext());
  SmallVector<OpFoldResult> results;
  if (failed(op->fold({builder.getIndexAttr(lhs.getConstant()),
                       builder.getIndexAttr(rhs.getConstant())},
                      results)) ||
      results.size() != 1)
    return std::nullopt;
  // One of the operands, or a constant of its own.
  if (auto value = dyn_cast<Value>(results[0]))
    return value == op->getOperand(0) ? lhs : rhs;
  auto attr = dyn_cast_or_null<IntegerAttr>(cast<Attribute>(results[0]));
  if (!attr)
    return std::nullopt;
  return AffineForm(attr.getInt());
}

AffineForm AffineForms::compute(Value source) {
  if (std::optional<int64_t> constant = getConstantIntValue(source))
    return AffineForm(*constant);
  AffineForm symbol = AffineForm::getSymbol(source);
  Operation *op = source.getDefiningOp();
  LinearKind kind = getLinearKind(op);
  if (kind == LinearKind::None)
    return symbol;
  // The operands are memoised before their users, but for cycles.
  auto lhsForm = forms.find(identity.getSource(op->getOperand(0)));
  if (kind == LinearKind::Same)
    return lhsForm == forms.end() ? symbol : lhsForm->second;
  auto rhsForm = forms.find(identity.getSource(op->getOperand(1)));
  if (lhsForm == forms.end() || rhsForm == forms.end())
    return symbol;
  const AffineForm &lhs = lhsForm->second, &rhs = rhsForm->second;
  std::optional<AffineForm> form;
  if (kind == LinearKind::Add)
    form = lhs.plus(rhs);
  else if (kind == LinearKind::Sub)
    form = lhs.plus(rhs, -1);
  else if (kind == LinearKind::Other)
    form = fold(op, lhs, rhs);
  else if (kind == LinearKind::Shift)
    form = rhs.isConstant() && rhs.getConstant() >= 0 && rhs.getConstant() < 63
               ? lhs.times(int64_t(1) << rhs.getConstant())
               : std::nullopt;
  else if (rhs.isConstant())
    form = lhs.times(rhs.getConstant());
  else if (lhs.isConstant())
    form = rhs.times(lhs.getConstant());
  return form.value_or(symbol);
}

const AffineForm &AffineForms::get(Value scalar) {
  SmallVector<Value> stack = {identity.getSource(scalar)};
  // In code that is never reached a value may be computed from itself.
  llvm::SmallDenseSet<Value> started;
  while (!stack.empty()) {
    Value value = stack.back();
    if (forms.contains(value)) {
      stack.pop_back();
      continue;
    }
    if (started.insert(value).second &&
        getLinearKind(value.getDefiningOp()) != LinearKind::None) {
      for (Value operand : value.getDefiningOp()->getOperands())
        stack.push_back(identity.getSource(operand));
      continue;
    }
    stack.pop_back();
    AffineForm form = compute(value);
    forms.try_emplace(value, std::move(form));
  }
  return forms.find(identity.getSource(scalar))->second;
}
