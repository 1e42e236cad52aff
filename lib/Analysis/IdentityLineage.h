//===- IdentityLineage.h - Which value a value is ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_IDENTITYLINEAGE_H
#define PYPTO_ANALYSIS_IDENTITYLINEAGE_H

#include "Analysis/ValueFlow.h"

namespace mlir::pypto {

/// Says which value of a function a value *is*, on every path: through aliases,
/// casts (which change static knowledge only), tied results of calls and
/// submits (prefix submits included), loop carries, scopes, and branches or
/// selects whose arms are all the same one. A window (`graph.slice`,
/// `graph.view`) is a value of its own.
///
/// Contract: if `getSource(v) == s`, then `v` and `s` are the same buffer
/// window, scalar or task id whenever `v` is defined. The converse does not
/// hold: a value merged from different ones is its own source.
///
/// One pass over the function and the dominators of the flow of its values:
/// nearly linear, without recursion along chains of values. The result
/// describes the function as it was; it is not updated.
class IdentityLineage {
public:
  IdentityLineage(graph::FuncOp func, SymbolTableCollection &symbolTable);
  IdentityLineage(graph::FuncOp func, CalleeTies &ties);
  /// Of a region alone: what is defined outside of it is made there.
  IdentityLineage(Region &region, CalleeTies &ties);

  /// The value `value` is; `value` itself when it was made, not passed on.
  Value getSource(Value value) const;

  /// The parameter of the function (the argument of the region's first block)
  /// `value` is, or null.
  BlockArgument getParameter(Value value) const;

  /// The values that flow into `value` unchanged (see `forEachFlow`); empty
  /// when it was made.
  ArrayRef<Value> getInputs(Value value) const;

private:
  void build(CalleeTies &ties);
  void solveMerges(ArrayRef<Value> merges);

  Region *region;
  /// Sources of the values that are not their own.
  llvm::SmallDenseMap<Value, Value, 8> sources;
  /// What flows into a merge, by what that is.
  DenseMap<Value, SmallVector<Value, 2>> inputs;
};

/// Which parameters single values of a function are: what `IdentityLineage`
/// says of them, found by looking at where they come from alone. The lineage of
/// all values is only made when that takes long.
class ReturnedParams {
public:
  ReturnedParams(graph::FuncOp func, CalleeTies &ties)
      : func(func), ties(ties) {}

  /// The parameter `value` is, or null.
  BlockArgument get(Value value);

private:
  std::optional<BlockArgument> findDirectly(Value value);
  ArrayRef<Value> getInputs(Value value);

  graph::FuncOp func;
  CalleeTies &ties;
  /// What flows into the values of the operations seen so far.
  llvm::SmallDenseSet<Operation *, 4> seen;
  llvm::SmallDenseMap<Value, SmallVector<Value, 2>, 4> inputs;
  unsigned budget = 1 << 12;
  std::optional<IdentityLineage> lineage;
};

/// Lineages of functions that do not change meanwhile, made when first asked
/// for.
class IdentityLineages {
public:
  /// `ties` must have been filled for the functions in question.
  explicit IdentityLineages(CalleeTies &ties) : ties(ties) {}

  const IdentityLineage &get(graph::FuncOp func) {
    std::unique_ptr<IdentityLineage> &lineage = lineages[func];
    if (!lineage)
      lineage = std::make_unique<IdentityLineage>(func, ties);
    return *lineage;
  }

  /// Makes those of `funcs` that are not there yet, side by side.
  void prepare(ArrayRef<graph::FuncOp> funcs);

private:
  CalleeTies &ties;
  DenseMap<Operation *, std::unique_ptr<IdentityLineage>> lineages;
};

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_IDENTITYLINEAGE_H
