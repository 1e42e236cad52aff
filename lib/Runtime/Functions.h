//===- Functions.h - The functions of a module ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_FUNCTIONS_H
#define PYPTO_RUNTIME_FUNCTIONS_H

#include "Runtime/Code.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::pypto::runtime {

/// The functions of a module, each described once and translated when it is
/// first needed. The module must not change while this lives.
class Functions {
public:
  explicit Functions(ModuleOp module) : module(module) {}

  ModuleOp getModule() const { return module; }

  /// The function of this name in the module itself; null when there is none.
  Function *lookup(StringRef name);
  /// The function a symbol names where it is used; null when it is no
  /// `graph.func`.
  Function *lookup(Operation *user, FlatSymbolRefAttr symbol);
  Function *get(graph::FuncOp op);

  /// The translation; null for a declaration.
  Code *getCode(Function &function);

  /// Operations of the dialect with this namespace are interpreted by
  /// `function` in kernel bodies. To be set before anything is translated.
  void bindDialect(StringRef dialect, TileFunction function) {
    dialects[dialect] = std::move(function);
  }
  TileFunction lookupDialect(StringRef dialect) const {
    return dialects.lookup(dialect);
  }

private:
  ModuleOp module;
  SymbolTableCollection symbols;
  llvm::MapVector<Operation *, std::unique_ptr<Function>> functions;
  llvm::StringMap<TileFunction> dialects;
};

/// Translates a function with a body. An operation that is not known becomes an
/// instruction that fails when it is reached.
std::unique_ptr<Code> compileFunction(Functions &functions, Function &function);

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_FUNCTIONS_H
