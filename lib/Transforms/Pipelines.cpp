//===- Pipelines.cpp - Passes in their order ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Passes.h"
#include "Verify/Properties.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::pypto;

void mlir::pypto::buildGraphLegalizePipeline(
    OpPassManager &pm, const GraphLegalizePipelineOptions &options) {
  PropertyTracker tracker;
  auto check = [&](StringRef passes) {
    if (!options.verify)
      return;
    if (std::unique_ptr<Pass> check = tracker.getCheckAfter(passes))
      pm.addPass(std::move(check));
  };
  auto add = [&](std::unique_ptr<Pass> pass) {
    StringRef name = pass->getArgument();
    pm.addPass(std::move(pass));
    check(name);
  };
  if (!options.runtime.empty())
    add(createSetGraphRuntime(SetGraphRuntimeOptions{options.runtime}));
  pm.addPass(createInlineFunctions());
  check("inline");
  add(createEraseInlineFunctions());
  add(createOutlineGraphScopes());
  add(createOutlineIncoreScopes());
  add(createNormalizeReturns());
  add(createDeriveCallDirections());
  pm.addPass(createCountWideLoops());
  add(createCanonicalizeAndCSE(CanonicalizeAndCSEOptions{/*once=*/true}));
  pm.addPass(createLegalizeGraphBoundary(
      LegalizeGraphBoundaryOptions{options.strictAliasing}));
  // Launches side by side recompute the same values; without this a second run
  // would find them. Checking the boundary takes as long as either pass, so
  // both are checked in one go.
  pm.addPass(createCanonicalizeAndCSE());
  check("legalize-graph-boundary+canonicalize-and-cse");
}

void mlir::pypto::registerGraphPipelines() {
  // The plugin and a tool that has the pipeline may meet in one process, where
  // MLIR takes a second registration for a fatal mistake.
  constexpr StringLiteral name = "graph-legalize-pipeline";
  if (PassPipelineInfo::lookup(name))
    return;
  registerPassPipeline(
      name,
      "from scopes and plain calls to graph functions that replay right: "
      "inline-functions, erase-inline-functions, outline-graph-scopes, "
      "outline-incore-scopes, normalize-returns, derive-call-directions, "
      "count-wide-loops, canonicalize-and-cse{once}, legalize-graph-boundary, "
      "canonicalize-and-cse",
      [](OpPassManager &pm, StringRef text,
         function_ref<LogicalResult(const Twine &)> onError) {
        GraphLegalizePipelineOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        // MLIR aborts when a pass on modules is added to anything else.
        std::optional<StringRef> anchor = pm.getOpName();
        if (anchor && *anchor != ModuleOp::getOperationName())
          return onError(
              "graph-legalize-pipeline runs on 'builtin.module', not "
              "on '" +
              *anchor + "'");
        buildGraphLegalizePipeline(pm, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> describe) {
        describe(GraphLegalizePipelineOptions());
      });
}
