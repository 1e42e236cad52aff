//===- EraseInlineFunctions.cpp - Drop what has been inlined --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Graph.h"
#include "Transforms/Passes.h"
#include "Transforms/UnknownSymbolTables.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_ERASEINLINEFUNCTIONS
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

/// The function of kind `inline` that `op` stands in; null if there is none.
static FuncOp getInlineFunctionAround(Operation *op) {
  auto func = op->getParentOfType<FuncOp>();
  return func && func.getKind() == FunctionKind::Inline ? func : FuncOp();
}

/// Those of `candidates`, all functions of kind `inline`, that something else
/// refers to, directly or through each other.
static DenseSet<Operation *> findUsed(ArrayRef<FuncOp> candidates,
                                      const SymbolUserMap &users) {
  DenseSet<Operation *> used;
  DenseMap<Operation *, SmallVector<FuncOp>> referredToBy;
  SmallVector<FuncOp> worklist;
  auto use = [&](FuncOp func) {
    if (used.insert(func).second)
      worklist.push_back(func);
  };
  for (FuncOp func : candidates)
    for (Operation *user : users.getUsers(func)) {
      if (FuncOp around = getInlineFunctionAround(user))
        referredToBy[around].push_back(func);
      else
        use(func);
    }
  while (!worklist.empty())
    for (FuncOp func : referredToBy.lookup(worklist.pop_back_val()))
      use(func);
  return used;
}

namespace {
struct EraseInlineFunctions
    : pypto::impl::EraseInlineFunctionsBase<EraseInlineFunctions> {
  void runOnOperation() override {
    SmallVector<FuncOp> inlined;
    getOperation().walk<WalkOrder::PreOrder>([&](FuncOp func) {
      if (func.getKind() == FunctionKind::Inline)
        inlined.push_back(func);
      return WalkResult::skip();
    });
    if (inlined.empty())
      return markAllAnalysesPreserved();
    if (failed(checkSymbolTables(getOperation(), "erased")))
      return signalPassFailure();
    SymbolTableCollection symbolTable;
    SymbolUserMap users(symbolTable, getOperation());
    DenseSet<Operation *> used = findUsed(inlined, users);
    for (FuncOp func : inlined) {
      if (used.contains(func))
        continue;
      func.erase();
      ++numErased;
    }
  }
};
} // namespace
