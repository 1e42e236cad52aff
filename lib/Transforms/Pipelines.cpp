//===- Pipelines.cpp - Passes in their order ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Passes.h"
#include "Verify/Properties.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pypto;

void mlir::pypto::buildGraphLegalizePipeline(
    OpPassManager &pm, const GraphLegalizePipelineOptions &options) {
  PropertyTracker tracker;
  auto add = [&](std::unique_ptr<Pass> pass) {
    StringRef name = pass->getArgument();
    pm.addPass(std::move(pass));
    if (!options.verify)
      return;
    if (std::unique_ptr<Pass> check = tracker.getCheckAfter(name))
      pm.addPass(std::move(check));
  };

  if (!options.runtime.empty())
    add(createSetGraphRuntime(SetGraphRuntimeOptions{options.runtime}));
  add(createInlinerPass());
  add(createOutlineGraphScopes());
  add(createOutlineIncoreScopes());
  add(createNormalizeReturns());
  add(createDeriveCallDirections());
  add(createCanonicalizerPass());
  add(createCSEPass());
  add(createLegalizeGraphBoundary(
      LegalizeGraphBoundaryOptions{options.strictAliasing}));
  // Launches side by side recompute the same values; without this a second run
  // would find them.
  add(createCanonicalizerPass());
  add(createCSEPass());
}

void mlir::pypto::registerGraphPipelines() {
  // The plugin and a tool that has the pipeline may meet in one process, where
  // MLIR takes a second registration for a fatal mistake.
  constexpr StringLiteral name = "graph-legalize-pipeline";
  if (PassPipelineInfo::lookup(name))
    return;
  PassPipelineRegistration<GraphLegalizePipelineOptions>(
      name,
      "from scopes and plain calls to graph functions that replay right: "
      "inline, outline-graph-scopes, outline-incore-scopes, normalize-returns, "
      "derive-call-directions, canonicalize, cse, legalize-graph-boundary, "
      "canonicalize, cse",
      buildGraphLegalizePipeline);
}
