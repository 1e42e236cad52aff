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
/// `Same` is another type for the same number; `Extent` is one of a tensor;
/// `Other` is no linear operation, but one that folds over constants.
enum class LinearKind { None, Add, Sub, Mul, Shift, Same, Extent, Other };
} // namespace

/// Whether sums of this type are those of the numbers: offsets do not overflow
/// 64 bits.
static bool isWide(Type type) { return type.isIndex() || type.isInteger(64); }

/// Whether a form holds every number of the type.
static bool fitsForm(Type type) {
  return type.isIndex() ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64);
}

static LinearKind getLinearKind(Operation *op) {
  if (!op)
    return LinearKind::None;
  if (isa<graph::DimOp>(op))
    return LinearKind::Extent;
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return LinearKind::None;
  bool isWideHere = isWide(op->getResult(0).getType());
  // A narrow number is the same one in a wide type, but its sums may wrap.
  if (isWideHere && isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return LinearKind::Same;
  if (isWideHere && op->getNumOperands() == 2) {
    if (isa<arith::AddIOp, index::AddOp>(op))
      return LinearKind::Add;
    if (isa<arith::SubIOp, index::SubOp>(op))
      return LinearKind::Sub;
    if (isa<arith::MulIOp, index::MulOp>(op))
      return LinearKind::Mul;
    if (isa<arith::ShLIOp, index::ShlOp>(op))
      return LinearKind::Shift;
  }
  constexpr unsigned kMaxOperands = 3;
  bool folds =
      op->getNumOperands() != 0 && op->getNumOperands() <= kMaxOperands &&
      fitsForm(op->getResult(0).getType()) &&
      llvm::all_of(op->getOperandTypes(), fitsForm) && isMemoryEffectFree(op);
  return folds ? LinearKind::Other : LinearKind::None;
}

std::optional<AffineForm> AffineForms::fold(Operation *op,
                                            ArrayRef<AffineForm> operands) {
  if (getLinearKind(op) != LinearKind::Other ||
      !llvm::all_of(operands,
                    [](const AffineForm &form) { return form.isConstant(); }))
    return std::nullopt;
  SmallVector<Attribute> constants;
  for (auto [form, type] : llvm::zip_equal(operands, op->getOperandTypes())) {
    APInt number(64, form.getConstant(), /*isSigned=*/true);
    constants.push_back(IntegerAttr::get(
        type, type.isIndex()
                  ? number
                  : number.sextOrTrunc(type.getIntOrFloatBitWidth())));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(constants, results)) || results.size() != 1)
    return std::nullopt;
  // One of the operands, or a constant of its own.
  if (auto value = dyn_cast<Value>(results[0])) {
    for (auto [form, candidate] : llvm::zip_equal(operands, op->getOperands()))
      if (candidate == value)
        return form;
    return std::nullopt;
  }
  auto attr = dyn_cast_or_null<IntegerAttr>(cast<Attribute>(results[0]));
  if (!attr)
    return std::nullopt;
  return AffineForm(attr.getValue().getSExtValue());
}

/// An extent that the type of the tensor says, or of what it is by identity.
std::optional<AffineForm> AffineForms::getExtent(graph::DimOp dim) const {
  std::optional<int64_t> axis =
      getConstantIntValue(identity.getSource(dim.getAxis()));
  Value source = dim.getSource();
  for (Value tensor : {source, identity.getSource(source)}) {
    auto type = cast<graph::GraphTensorType>(tensor.getType());
    if (axis && *axis >= 0 && *axis < type.getRank() &&
        !type.isDynamicDim(*axis))
      return AffineForm(type.getDimSize(*axis));
  }
  return std::nullopt;
}

AffineForm AffineForms::compute(Value source) {
  if (std::optional<int64_t> constant = getConstantIntValue(source))
    return AffineForm(*constant);
  AffineForm symbol = AffineForm::getSymbol(source);
  Operation *op = source.getDefiningOp();
  LinearKind kind = getLinearKind(op);
  if (kind == LinearKind::None)
    return symbol;
  if (kind == LinearKind::Extent)
    return getExtent(cast<graph::DimOp>(op)).value_or(symbol);
  // The operands are memoised before their users, but for cycles.
  SmallVector<AffineForm, 3> operands;
  for (Value operand : op->getOperands()) {
    auto it = forms.find(identity.getSource(operand));
    if (it == forms.end())
      return symbol;
    operands.push_back(it->second);
  }
  if (kind == LinearKind::Other)
    return fold(op, operands).value_or(symbol);
  if (kind == LinearKind::Same)
    return operands[0];
  const AffineForm &lhs = operands[0], &rhs = operands[1];
  std::optional<AffineForm> form;
  if (kind == LinearKind::Add)
    form = lhs.plus(rhs);
  else if (kind == LinearKind::Sub)
    form = lhs.plus(rhs, -1);
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
    LinearKind kind = getLinearKind(value.getDefiningOp());
    if (kind != LinearKind::None && kind != LinearKind::Extent &&
        started.insert(value).second) {
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
