//===- Program.h - What a module consists of --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TARGET_ORCHESTRATION_PROGRAM_H
#define PYPTO_TARGET_ORCHESTRATION_PROGRAM_H

#include "Analysis/ValueFlow.h"
#include "Names.h"
#include "Orchestration.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::pypto::orchestration {

/// The parameters of a function by what the runtime numbers: tensors and
/// scalars each by themselves.
struct Signature {
  /// Parameter numbers of the tensors, in the order of the runtime's slots.
  SmallVector<unsigned> tensors;
  SmallVector<unsigned> scalars;
};

/// The signature of `func`; tensors of a graph function in the order of
/// `graph.slots`.
Signature getSignature(graph::FuncOp func);

/// The functions of a module that become C++, and the kernels, with their names
/// and numbers.
class Program {
public:
  explicit Program(ModuleOp module) : module(module), ties(symbolTable) {}

  /// Finds the entry and what it reaches; reports what has no translation.
  LogicalResult collect(const OrchestrationOptions &options);

  graph::FuncOp getEntry() const { return entry; }
  /// Functions of kind `graph` with a body, in the order of the module.
  ArrayRef<graph::FuncOp> getGraphs() const { return graphs; }
  /// Host functions that the entry calls, callees first.
  ArrayRef<graph::FuncOp> getHelpers() const { return helpers; }
  /// Device functions; the position is the kernel's id.
  ArrayRef<graph::FuncOp> getKernels() const { return kernels; }

  /// The C++ name of a function (of a kernel: of its id).
  StringRef getName(graph::FuncOp func) const {
    return names.find(func)->second;
  }
  /// Whether a host or graph function, or one that it calls, has an auto scope.
  bool opensAutoScope(graph::FuncOp func) const {
    return autoScoped.contains(func);
  }
  const Names &getGlobalNames() const { return globals; }
  CalleeTies &getTies() { return ties; }
  ModuleOp getModule() const { return module; }

private:
  LogicalResult findEntry(StringRef name);
  LogicalResult collectHelpers();
  void findAutoScopes();

  ModuleOp module;
  SymbolTableCollection symbolTable;
  CalleeTies ties;
  graph::FuncOp entry;
  SmallVector<graph::FuncOp> graphs, helpers, kernels;
  /// The launches and calls of every host function with a body.
  llvm::MapVector<graph::FuncOp, SmallVector<graph::LaunchOpInterface>> hosts;
  llvm::DenseSet<Operation *> autoScoped;
  DenseMap<Operation *, std::string> names;
  Names globals;
};

/// Whether functions of this kind run on the host as they stand.
inline bool isHostKind(graph::FunctionKind kind) {
  return kind == graph::FunctionKind::Opaque ||
         kind == graph::FunctionKind::Orchestration;
}

} // namespace mlir::pypto::orchestration

#endif // PYPTO_TARGET_ORCHESTRATION_PROGRAM_H
