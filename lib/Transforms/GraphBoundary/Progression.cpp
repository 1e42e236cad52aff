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
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!count || *count == 0 || !lower || !step)
    return std::nullopt;
  std::optional<int64_t> first =
      llvm::checkedMulAdd<int64_t>(coefficient, *lower, form.getConstant());
  std::optional<int64_t> stride = llvm::checkedMul<int64_t>(coefficient, *step);
  if (!first || !stride || *stride == 0 || *first == INT64_MIN)
    return std::nullopt;
  return Progression{*first, *stride, *count};
}

bool mlir::pypto::isNeverZero(const AffineForm &form) {
  if (form.isConstant())
    return form.getConstant() != 0;
  uint64_t divisor = 0;
  for (auto [symbol, coefficient] : form.getTerms())
    divisor = std::gcd(divisor, static_cast<uint64_t>(std::abs(coefficient)));
  if (divisor != 0 && form.getConstant() % static_cast<int64_t>(divisor) != 0)
    return true;
  std::optional<Progression> values = getProgression(form);
  if (!values)
    return false;
  if (values->first % values->step != 0)
    return true;
  int64_t index = -(values->first / values->step);
  return index < 0 || static_cast<uint64_t>(index) >= values->count;
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
    std::optional<AffineForm> term =
        AffineForm::getSymbol(symbol).times(coefficient);
    std::optional<Progression> values =
        term ? getProgression(*term) : std::nullopt;
    // Too many iterations to count are reported as such.
    if (!values || values->count > INT64_MAX)
      return std::nullopt;
    std::optional<int64_t> last = llvm::checkedMulAdd<int64_t>(
        values->step, static_cast<int64_t>(values->count - 1), values->first);
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
