//===- ValueTrace.h - Where the verifier sees values come from --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's own view of provenance. Passes decide by the analyses of
// lib/Analysis; what they decided is checked against this one, so that a
// mistake in an analysis is not confirmed by itself. Private to lib/Verify.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_VALUETRACE_H
#define PYPTO_VERIFY_VALUETRACE_H

#include "Graph/Graph.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pypto::verify {

/// A sum of SSA values with integer coefficients. All operations refuse to
/// overflow and to grow beyond `kMaxTerms` terms.
class LinearForm {
public:
  static constexpr unsigned kMaxTerms = 8;

  LinearForm(int64_t constant = 0) : constant(constant) {}
  static LinearForm ofValue(Value value);

  int64_t getConstant() const { return constant; }
  ArrayRef<std::pair<Value, int64_t>> getTerms() const { return terms; }
  bool isConstant() const { return terms.empty(); }
  bool isZero() const { return terms.empty() && constant == 0; }

  std::optional<LinearForm> plus(const LinearForm &other,
                                 int64_t factor = 1) const;
  std::optional<LinearForm> minus(const LinearForm &other) const {
    return plus(other, -1);
  }
  std::optional<LinearForm> times(int64_t factor) const;
  bool operator==(const LinearForm &other) const;

private:
  int64_t constant;
  SmallVector<std::pair<Value, int64_t>, 1> terms;
};

/// A superset of the values an expression takes: base + stride * integer within
/// [low, high]; a bound that is absent is infinite. A stride of zero is a
/// single value.
struct ValueSet {
  int64_t base = 0;
  uint64_t stride = 1;
  std::optional<int64_t> low, high;

  static ValueSet any() { return {}; }
  static ValueSet of(int64_t value) { return {value, 0, value, value}; }
  /// The values `form` takes, from what is known of loop counters.
  static ValueSet of(const LinearForm &form);

  ValueSet plus(const ValueSet &other) const;
  ValueSet times(int64_t factor) const;
  ValueSet join(const ValueSet &other) const;
  /// Whether `value` is in the superset.
  bool contains(int64_t value) const {
    return !isDisjointFrom(ValueSet::of(value));
  }
  /// Whether no value is in both.
  bool isDisjointFrom(const ValueSet &other) const;
};

/// How often a loop with these bounds and step runs, saturating; none when the
/// step is not positive in the loop's comparison.
std::optional<uint64_t> countTrips(const APInt &lower, const APInt &upper,
                                   const APInt &step, bool isUnsigned);

/// Whose results are which of their operands.
class TieTable {
public:
  explicit TieTable(SymbolTableCollection &symbolTable)
      : symbolTable(symbolTable) {}

  graph::FuncOp getCallee(graph::LaunchOpInterface launch);
  /// The argument that result `index` of `launch` is, or null.
  Value getTied(graph::LaunchOpInterface launch, unsigned index);
  SymbolTableCollection &getSymbolTable() { return symbolTable; }

private:
  SymbolTableCollection &symbolTable;
  DenseMap<Operation *, SmallVector<std::optional<unsigned>, 2>> ties;
};

/// One buffer a tensor may be in (or one value another one may be).
struct Origin {
  /// What made the buffer: a parameter, an allocation, a result.
  Value root;
  /// The tensor whose dimensions `offsets` counts in: the root or the result of
  /// a `graph.view`. Null when alternatives disagree.
  Value frame;
  /// Where the window starts, one a dimension; absent when unknown.
  std::optional<SmallVector<LinearForm, 2>> offsets;
  /// Whether the value may be the root itself, and whether it may be a window.
  bool isWhole = true, isWindow = false;

  bool operator==(const Origin &other) const {
    return root == other.root && frame == other.frame &&
           offsets == other.offsets && isWhole == other.isWhole &&
           isWindow == other.isWindow;
  }
};

/// Provenance of the values of one function: one pass over its body and a
/// sparse fixpoint over merges; nothing recurses along chains.
class ValueTrace {
public:
  /// More alternatives than this are not told apart.
  static constexpr unsigned kMaxOrigins = 8;

  ValueTrace(graph::FuncOp func, TieTable &ties);

  struct State {
    SmallVector<Origin, 1> origins;
    /// Any buffer at all.
    bool isUnknown = false;
    bool operator==(const State &other) const {
      return isUnknown == other.isUnknown && origins == other.origins;
    }
  };
  State getState(Value value) const;

  /// The value `value` is on every path; itself when it was made or merged.
  Value getIdentity(Value value) const;

  /// The values `value` comes from unchanged or as a window; none when it is
  /// made.
  ArrayRef<Value> getInputs(Value value) const;

  /// The integer that `scalar` folds to.
  std::optional<APInt> getConstant(Value scalar);

  /// How often `loop` runs, when bounds and step fold to integers and the step
  /// is positive.
  std::optional<uint64_t> getTripCount(scf::ForOp loop);

  /// `scalar` (an index) as a sum; itself when nothing better is known.
  LinearForm getLinear(Value scalar);

  /// Where the window starts, in elements of the root counted in its own order;
  /// known when the extents that matter are static.
  std::optional<LinearForm> getPosition(const Origin &origin);

private:
  void addEdge(Value from, Value to);
  void collectEdges(Operation *op, TieTable &ties);
  void solve(SmallVector<Value> worklist);
  State transfer(Value to);
  State applyWindow(State source, Operation *window);
  std::optional<SmallVector<LinearForm, 2>>
  shift(const std::optional<SmallVector<LinearForm, 2>> &offsets,
        graph::SliceOp slice);

  /// Calls `evaluate` on every value of the cone of `root` that `lookup` does
  /// not know yet, operands first.
  void evaluateCone(Value root, function_ref<bool(Value)> isDone,
                    function_ref<void(Value)> evaluate);

  /// What `value` folds to, given the constants among its operands.
  Attribute evaluateConstant(Value value);

  DenseMap<Value, SmallVector<Value, 2>> inputs, users;
  DenseMap<Value, State> states;
  DenseMap<Value, Attribute> constants;
  DenseMap<Value, LinearForm> linear;
  /// Positions of views, by view and root.
  DenseMap<std::pair<Value, Value>, std::optional<LinearForm>> positions;
  /// Results that may be any of some arguments, at an unknown place.
  DenseSet<Value> opaqueResults;
};

} // namespace mlir::pypto::verify

#endif // PYPTO_VERIFY_VALUETRACE_H
