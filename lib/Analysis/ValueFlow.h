//===- ValueFlow.h - Where values go without being changed ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the analyses of a function share: the callee of a launch and its ties,
// looked up once, and the edges along which control flow passes a value on.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_VALUEFLOW_H
#define PYPTO_ANALYSIS_VALUEFLOW_H

#include "Graph/Graph.h"

namespace mlir::pypto {

/// `op` as a launch, or null. Asking operations of other dialects for an
/// interface they do not have costs more than asking for their dialect.
inline graph::LaunchOpInterface asLaunch(Operation *op) {
  if (!isa_and_nonnull<graph::GraphDialect>(op->getDialect()))
    return {};
  return dyn_cast<graph::LaunchOpInterface>(op);
}

/// Resolves launches to their callees and results to the operands they are tied
/// to. Every callee is read once; when its ties change it must be forgotten.
/// Asking about launches whose callees have been found and read changes
/// nothing, so that threads may share it then.
class CalleeTies {
public:
  explicit CalleeTies(SymbolTableCollection &symbolTable)
      : symbolTable(symbolTable) {}

  /// The function called or launched; null for a kernel-less node or when the
  /// symbol is unknown.
  graph::FuncOp getCallee(graph::LaunchOpInterface launch);

  /// The operand whose buffer (or scalar) result number `result` of `launch`
  /// is: null when the result is not tied, or tied to a parameter the launch
  /// leaves to the runtime.
  Value getTiedOperand(graph::LaunchOpInterface launch, unsigned result);

  /// Reads the ties of `func` now.
  void read(graph::FuncOp func) { (void)getTies(func); }

  /// Reads the ties of `func` again the next time they are asked for.
  void forget(graph::FuncOp func) { ties.erase(func); }

  SymbolTableCollection &getSymbolTable() { return symbolTable; }

private:
  /// Per result of a function the tied parameter, or -1.
  ArrayRef<int> getTies(graph::FuncOp func);

  SymbolTableCollection &symbolTable;
  DenseMap<Operation *, SmallVector<int, 2>> ties;
};

/// What `value` is another name of: a tied result of a launch, a rename or a
/// cast. Null when it is none of them.
Value getRenamed(Value value, CalleeTies &ties);

/// Calls `callback(from, to)` for every value that may come out of `op` (a
/// result or an argument of one of its blocks) as the unchanged value `from`
/// that flows into it: through branches, loops and scopes by the interfaces of
/// their operations, through `arith.select`, `graph.alias` and `graph.cast`,
/// and from operands of launches to tied results. Values that are never `to`
/// are made, not passed on.
void forEachFlow(Operation *op, CalleeTies &ties,
                 function_ref<void(Value from, Value to)> callback);

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_VALUEFLOW_H
