//===- Properties.h - What holds of a module between passes -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Properties are computed by their verifiers from the module as it is; no
// attribute says that one holds. Each pass has a contract: what it requires,
// produces and preserves.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_PROPERTIES_H
#define PYPTO_VERIFY_PROPERTIES_H

#include "Graph/Graph.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir {
class OpPassManager;
class Pass;
} // namespace mlir

namespace mlir::pypto {

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

enum class Property : unsigned {
  /// No function of kind `inline` is called.
  InlineFunctionsEliminated,
  /// No scope of kind `graph` is left.
  GraphOutlined,
  /// No scope is left that becomes a device function.
  SplitIncoreOrch,
  /// A result that is a parameter is tied, and the return names the parameter.
  ReturnParamsExplicit,
  /// Every launch has directions, which the callee's signature allows.
  CallDirectionsResolved,
  /// Every graph function replays right.
  GraphBoundaryLegalized,
};

inline constexpr unsigned kNumProperties = 6;

/// Every property, in the order in which the pipeline establishes them.
ArrayRef<Property> getAllProperties();
StringRef getPropertyName(Property property);
/// The argument of the pass that establishes the property.
StringRef getEstablishingPass(Property property);
std::optional<Property> findProperty(StringRef name);

class PropertySet {
public:
  PropertySet() = default;
  PropertySet(std::initializer_list<Property> properties) {
    for (Property property : properties)
      insert(property);
  }
  static PropertySet all() { return PropertySet(getAllProperties()); }
  explicit PropertySet(ArrayRef<Property> properties) {
    for (Property property : properties)
      insert(property);
  }

  void insert(Property property) { bits |= getBit(property); }
  bool contains(Property property) const { return bits & getBit(property); }
  bool empty() const { return bits == 0; }
  PropertySet operator|(PropertySet other) const { return {bits | other.bits}; }
  PropertySet operator&(PropertySet other) const { return {bits & other.bits}; }

private:
  PropertySet(unsigned bits) : bits(bits) {}
  static unsigned getBit(Property property) {
    return 1u << static_cast<unsigned>(property);
  }

  unsigned bits = 0;
};

//===----------------------------------------------------------------------===//
// Contracts
//===----------------------------------------------------------------------===//

struct PassContract {
  PropertySet required, produced, preserved;
};

/// The contract of the pass with this argument. A pass that is not in the table
/// (of MLIR, of a user) requires and produces nothing, and has to preserve
/// everything.
PassContract getPassContract(StringRef pass);

/// Finds the `inline` functions that the inliner cannot dissolve because the
/// inline calls in them lead into a cycle. Looks at a module when it is first
/// asked about a function of it.
class InlineRecursion {
public:
  bool contains(graph::FuncOp func);

private:
  void addModule(Operation *module);

  llvm::DenseSet<Operation *> modules, functions;
};

/// Checks, during the one walk a pass makes over the module, that what it
/// requires holds; each operation at fault is reported with the property, the
/// function around it and the pass to run.
class RequirementChecker {
public:
  explicit RequirementChecker(StringRef pass)
      : pass(pass), required(getPassContract(pass).required) {}

  /// `callee` is the function a launch `op` launches, if any.
  void check(Operation *op, graph::FuncOp callee) {
    if (callee ? callee.getKind() == graph::FunctionKind::Inline
               : isa<graph::ScopeOp>(op))
      checkSlow(op, callee);
  }
  LogicalResult getResult() const { return failure(failed); }

private:
  void checkSlow(Operation *op, graph::FuncOp callee);

  StringRef pass;
  PropertySet required;
  InlineRecursion recursion;
  bool failed = false;
};

/// The same as a walk of its own, for passes that make none.
LogicalResult checkRequirements(ModuleOp module, StringRef pass,
                                SymbolTableCollection &symbolTable);

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Checks one property and reports all violations.
///
/// Simplification may show that a result is a parameter where no pass could see
/// it before; only right after `normalize-returns` (`isNew`) that is a
/// violation of `ReturnParamsExplicit`.
LogicalResult verifyProperty(ModuleOp module, Property property,
                             SymbolTableCollection &symbolTable,
                             bool isNew = true);

/// Follows a pipeline of passes on modules and makes the checks between them.
class PropertyTracker {
public:
  /// A `check-properties` pass to run after `pass`: it checks what was produced
  /// so far and is preserved by the pass, and names the pass when that does not
  /// hold. Null when there is nothing to check.
  std::unique_ptr<Pass> getCheckAfter(StringRef pass);

private:
  PropertySet held;
};

/// Puts such a check after every pass of a pipeline on modules. Fails with a
/// message when a pass has no textual form.
LogicalResult addPropertyChecks(OpPassManager &passes, raw_ostream &errors);

} // namespace mlir::pypto

#endif // PYPTO_VERIFY_PROPERTIES_H
