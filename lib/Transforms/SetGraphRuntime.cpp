//===- SetGraphRuntime.cpp - Choose the runtime of a module ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Graph.h"
#include "Transforms/Passes.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_SETGRAPHRUNTIME
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

namespace {
struct SetGraphRuntime : pypto::impl::SetGraphRuntimeBase<SetGraphRuntime> {
  using SetGraphRuntimeBase::SetGraphRuntimeBase;

  LogicalResult initialize(MLIRContext *context) override {
    StringRef name = runtime.getValue();
    if (name.empty() || symbolizeRuntime(name))
      return success();
    return emitError(UnknownLoc::get(context))
           << "set-graph-runtime: unknown runtime '" << name
           << "' (expected host_build_graph or tensormap_and_ringbuffer)";
  }

  void runOnOperation() override {
    std::optional<Runtime> chosen =
        symbolizeRuntime(StringRef(runtime.getValue()));
    if (!chosen)
      return markAllAnalysesPreserved();
    auto attr = RuntimeAttr::get(&getContext(), *chosen);
    getOperation()->setAttr(GraphDialect::kRuntimeAttrName, attr);
    // The nearest module decides, so what nested ones say has to give way.
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto module = dyn_cast<ModuleOp>(op)) {
        if (module->hasAttr(GraphDialect::kRuntimeAttrName))
          module->setAttr(GraphDialect::kRuntimeAttrName, attr);
        return WalkResult::advance();
      }
      return WalkResult::skip();
    });
  }
};
} // namespace
