//===- Progression.cpp - Values that loops count through ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Progression.h"

#include "Analysis/Hoistability.h"
#include "Analysis/ReplayInvariance.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::pypto;

scf::ForOp mlir::pypto::getCountingLoop(Value symbol) {
  auto argument = dyn_cast<BlockArgument>(symbol);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && loop.getInductionVar() == symbol ? loop : scf::ForOp();
}

std::optional<Progression> mlir::pypto::getProgression(const AffineForm &form) {
  if (form.getTerms().size() != 1)
    return std::nullopt;
  auto [symbol, coefficient] = form.getTerms().front();
  scf::ForOp loop = getCountingLoop(symbol);
  if (!loop)
    return std::nullopt;
  std::optional<uint64_t> count = getConstantTripCount(loop);
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!count || *count == 0 || !lower || !upper || !step)
    return std::nullopt;
  // Counters of unsigned loops may look negative.
  if (loop.getUnsignedCmp() && (*lower < 0 || *upper < 0))
    return std::nullopt;
  std::optional<int64_t> first =
      llvm::checkedMulAdd<int64_t>(coefficient, *lower, form.getConstant());
  std::optional<int64_t> stride = llvm::checkedMul<int64_t>(coefficient, *step);
  if (!first || !stride || *stride == 0 || *first == INT64_MIN)
    return std::nullopt;
  return Progression{*first, *stride, *count};
}

Bounds Bounds::join(const Bounds &other) const {
  Bounds both;
  if (low && other.low)
    both.low = std::min(*low, *other.low);
  if (high && other.high)
    both.high = std::max(*high, *other.high);
  return both;
}

/// The progression of `coefficient * symbol`.
static std::optional<Progression> getTermValues(Value symbol,
                                                int64_t coefficient) {
  std::optional<AffineForm> term =
      AffineForm::getSymbol(symbol).times(coefficient);
  return term ? getProgression(*term) : std::nullopt;
}

/// The last value, when it fits.
static std::optional<int64_t> getLast(const Progression &values) {
  if (values.count > INT64_MAX)
    return std::nullopt;
  return llvm::checkedMulAdd<int64_t>(
      values.step, static_cast<int64_t>(values.count - 1), values.first);
}

Bounds mlir::pypto::getBounds(const AffineForm &form) {
  Bounds bounds{form.getConstant(), form.getConstant()};
  for (auto [symbol, coefficient] : form.getTerms()) {
    std::optional<Progression> values = getTermValues(symbol, coefficient);
    std::optional<int64_t> last = values ? getLast(*values) : std::nullopt;
    if (!last)
      return {};
    if (bounds.low)
      bounds.low =
          llvm::checkedAdd(*bounds.low, std::min(values->first, *last));
    if (bounds.high)
      bounds.high =
          llvm::checkedAdd(*bounds.high, std::max(values->first, *last));
  }
  return bounds;
}

bool mlir::pypto::isNeverInByDivisor(const AffineForm &form, int64_t low,
                                     int64_t high) {
  uint64_t divisor = 0;
  std::optional<int64_t> base = form.getConstant();
  for (auto [symbol, coefficient] : form.getTerms()) {
    std::optional<Progression> values = getTermValues(symbol, coefficient);
    int64_t step = values ? values->step : coefficient;
    if (values)
      base = llvm::checkedAdd(*base, values->first);
    if (!base || step == INT64_MIN)
      return false;
    divisor = std::gcd(divisor, static_cast<uint64_t>(std::abs(step)));
  }
  if (divisor == 0 || divisor > INT64_MAX)
    return false;
  // The first value from `low` on.
  std::optional<int64_t> gap = llvm::checkedSub(*base, low);
  if (!gap)
    return false;
  int64_t modulus = static_cast<int64_t>(divisor);
  int64_t rest = *gap % modulus;
  std::optional<int64_t> next =
      llvm::checkedAdd(low, rest < 0 ? rest + modulus : rest);
  return next && *next >= high;
}

bool mlir::pypto::isNeverZero(const AffineForm &form) {
  if (form.isConstant())
    return form.getConstant() != 0;
  Bounds bounds = getBounds(form);
  return (bounds.low && *bounds.low > 0) || (bounds.high && *bounds.high < 0) ||
         isNeverInByDivisor(form, 0, 1);
}

/// Whether `user` is reached in every iteration of the loops whose variables
/// are in `form`, once the outermost of them runs.
static bool isReachedInAll(const AffineForm &form, Operation *user,
                           const IdentityLineage &identity) {
  SmallVector<Operation *> loops;
  for (auto [symbol, coefficient] : form.getTerms()) {
    scf::ForOp loop = getCountingLoop(symbol);
    if (!loop)
      return false;
    loops.push_back(loop);
  }
  for (Operation *op = user->getParentOp(); op && !loops.empty();
       op = op->getParentOp()) {
    if (!alwaysRunsItsBody(op, identity))
      return false;
    llvm::erase(loops, op);
  }
  return loops.empty();
}

std::optional<std::pair<int64_t, int64_t>>
mlir::pypto::getRangeTaken(const AffineForm &form, Operation *user,
                           const IdentityLineage &identity) {
  if (form.isConstant() || !isReachedInAll(form, user, identity))
    return std::nullopt;
  std::optional<int64_t> least = form.getConstant(), greatest = least;
  for (auto [symbol, coefficient] : form.getTerms()) {
    // Too many iterations to count are reported as such.
    std::optional<Progression> values = getTermValues(symbol, coefficient);
    std::optional<int64_t> last = values ? getLast(*values) : std::nullopt;
    if (!last)
      return std::nullopt;
    least = llvm::checkedAdd(*least, std::min(values->first, *last));
    if (least)
      greatest = llvm::checkedAdd(*greatest, std::max(values->first, *last));
    if (!least || !greatest)
      return std::nullopt;
  }
  return std::pair(*least, *greatest);
}
