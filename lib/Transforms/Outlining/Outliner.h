//===- Outliner.h - Turning scopes into functions ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `outline-graph-scopes` and `outline-incore-scopes` share. The module is
// read once (`collectScopes`), what becomes of every scope is decided and
// checked on a plan (`planScopes`), and only when nothing was refused are the
// plans carried out (`commitScopes`). Until then the module is not touched.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_OUTLINING_OUTLINER_H
#define PYPTO_TRANSFORMS_OUTLINING_OUTLINER_H

#include "Analysis/ValueFlow.h"
#include "Graph/Graph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <deque>

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace mlir::pypto {

/// Which scopes become functions.
enum class OutlinedKinds { Graph, Device };

/// What happens to one scope.
struct OutlinedScope {
  /// Values of outside with the operands inside that read them, in order of
  /// first read.
  using Reads = llvm::MapVector<Value, SmallVector<OpOperand *, 1>>;

  graph::ScopeOp scope;
  /// The function the scope stands in as written.
  graph::FuncOp parent;
  /// The innermost scope around this one that is outlined as well, or null.
  OutlinedScope *outer = nullptr;
  /// The scope's own number, and that of the last operation inside.
  unsigned first = 0, last = 0;

  /// The name of the function it becomes.
  std::string name;
  /// Values that become parameters, and their names.
  Reads captures;
  SmallVector<std::string, 4> paramNames;
  /// Constants that are cloned into the function.
  Reads constants;
  /// The numbers of the results that remain results.
  SmallVector<unsigned, 2> results;
  /// Results that are a value computed in front of the launch, or a copy of a
  /// constant that is out of reach there.
  struct ScalarResult {
    unsigned result;
    Value value;
    bool isCopied;
  };
  SmallVector<ScalarResult, 0> scalarResults;
  /// The operations that compute those, moved there in this order.
  SmallVector<Operation *, 0> moved;
  /// Renames nothing reads after that, users first.
  SmallVector<graph::AliasOp, 0> unread;

  /// The function, once there is one.
  graph::FuncOp func;

  /// Whether only a submit can stand for the scope.
  bool needsSubmit();
};

/// The plan of a module. Scopes stand before the scopes within them, and
/// otherwise in the order of the module.
struct OutliningPlan {
  OutliningPlan(OutlinedKinds kinds, CalleeTies &ties)
      : kinds(kinds), ties(ties) {}

  OutlinedKinds kinds;
  CalleeTies &ties;
  std::deque<OutlinedScope> scopes;
  /// Names asked for by scopes of any kind, by the symbol table they go to.
  DenseMap<Operation *, llvm::DenseSet<StringRef>> requestedNames;
  DenseMap<Operation *, OutlinedScope *> planOf;
  /// Numbers, in the order of the text, of the operations in outlined scopes;
  /// of a moved one that of the scope it is moved in front of.
  DenseMap<Operation *, unsigned> numbers;
  llvm::DenseSet<Operation *> movedOps;
  /// Operations that go away.
  llvm::DenseSet<Operation *> erasedOps;
  /// What operands of moved operations have to become.
  DenseMap<OpOperand *, Value> movedOperands;
  /// Operands of yields that do not become results.
  llvm::DenseSet<OpOperand *> droppedYields;
  bool failed = false;

  bool isOutlined(graph::ScopeOp scope) const {
    return kinds == OutlinedKinds::Graph
               ? scope.getKind() == graph::ScopeKind::Graph
               : scope.isDeviceScope();
  }
  StringRef getPassName() const {
    return kinds == OutlinedKinds::Graph ? "outline-graph-scopes"
                                         : "outline-incore-scopes";
  }
  /// Whether `value` is defined in `scope` and stays there.
  bool isInside(Value value, const OutlinedScope &scope) const;
};

/// Whether `value` is a constant, which functions can have a copy of.
bool isCopyableConstant(Value value);

/// How a message calls a scope: its kind, and its name if it has one.
std::string describeScope(graph::ScopeOp scope);

/// Finds the scopes and reports those that cannot stand where they do, and
/// required properties that do not hold.
void collectScopes(ModuleOp module, OutliningPlan &plan);

/// Decides on results, captures and names, and reports results that cannot be.
void planScopes(OutliningPlan &plan);

/// Makes the functions and puts launches in the place of the scopes.
void commitScopes(OutliningPlan &plan, RewriterBase &rewriter);

/// All of it. Returns the number of functions made, or failure when the module
/// was refused (and not touched).
FailureOr<unsigned> outlineScopes(ModuleOp module, OutlinedKinds kinds);

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_OUTLINING_OUTLINER_H
