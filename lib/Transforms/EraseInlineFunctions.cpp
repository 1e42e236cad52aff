//===- EraseInlineFunctions.cpp - Drop what has been inlined --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Graph.h"
#include "Transforms/Passes.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_ERASEINLINEFUNCTIONS
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

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
    SymbolTableCollection symbolTable;
    SymbolUserMap users(symbolTable, getOperation());
    for (FuncOp func : inlined) {
      if (!users.useEmpty(func))
        continue;
      func.erase();
      ++numErased;
    }
  }
};
} // namespace
