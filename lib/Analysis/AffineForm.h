//===- AffineForm.h - Linear combinations of scalars ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_AFFINEFORM_H
#define PYPTO_ANALYSIS_AFFINEFORM_H

#include "Analysis/IdentityLineage.h"

namespace mlir::pypto {

/// A constant plus a sum of symbols times constants, the symbols being scalar
/// SSA values. Forms of two windows are subtracted to see how far they are
/// apart.
class AffineForm {
public:
  /// More terms than this are not worth comparing.
  static constexpr unsigned kMaxTerms = 8;

  AffineForm() = default;
  explicit AffineForm(int64_t constant) : constant(constant) {}
  static AffineForm getSymbol(Value symbol) {
    AffineForm form;
    form.terms.push_back({symbol, 1});
    return form;
  }

  int64_t getConstant() const { return constant; }
  ArrayRef<std::pair<Value, int64_t>> getTerms() const { return terms; }
  bool isConstant() const { return terms.empty(); }

  /// `this + factor * other`; nothing on overflow or with too many terms.
  std::optional<AffineForm> plus(const AffineForm &other,
                                 int64_t factor = 1) const;
  std::optional<AffineForm> times(int64_t factor) const;

  /// Replaces every symbol by its form; nothing on overflow.
  std::optional<AffineForm>
  substitute(llvm::function_ref<AffineForm(Value)> map) const;

  bool operator==(const AffineForm &other) const {
    return constant == other.constant && terms == other.terms;
  }

private:
  int64_t constant = 0;
  /// Coefficients are not zero; symbols in order of first mention.
  SmallVector<std::pair<Value, int64_t>, 2> terms;
};

/// Forms of the scalars of one function, memoised. Additions, subtractions,
/// multiplications and shifts by constants of `index` and 64-bit values are
/// looked through, and so are signed casts to such; other operations over
/// constants, and extents that are static, are folded; any other value is a
/// symbol of its own. Iterative.
class AffineForms {
public:
  explicit AffineForms(const IdentityLineage &identity) : identity(identity) {}

  const AffineForm &get(Value scalar);

  /// What a pure operation on few integers that is not linear makes of
  /// constants; nothing when it is no such operation or does not fold.
  static std::optional<AffineForm> fold(Operation *op,
                                        ArrayRef<AffineForm> operands);

private:
  std::optional<AffineForm> getExtent(graph::DimOp dim) const;
  AffineForm compute(Value source);

  const IdentityLineage &identity;
  DenseMap<Value, AffineForm> forms;
};

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_AFFINEFORM_H
