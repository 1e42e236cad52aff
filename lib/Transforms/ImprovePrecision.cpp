//===- ImprovePrecision.cpp - Compute in f32, round where it is seen ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All kernels of a module are checked before the first one is changed.
//
//===----------------------------------------------------------------------===//

#include "Asc/NodeGraph.h"
#include "Transforms/Passes.h"
#include "Transforms/Precision/PrecisionRewriter.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_IMPROVEPRECISION
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;

namespace {
struct ImprovePrecision : pypto::impl::ImprovePrecisionBase<ImprovePrecision> {
  using ImprovePrecisionBase::ImprovePrecisionBase;

  void runOnOperation() override;

private:
  FailureOr<PrecisionOptions> readOptions();
};
} // namespace

FailureOr<PrecisionOptions> ImprovePrecision::readOptions() {
  PrecisionOptions options;
  options.preserveSharedRounding = preserveSharedRounding;
  for (StringRef kind : blacklist) {
    kind = kind.trim();
    kind.consume_front("asc.");
    if (!RegisteredOperationName::lookup(("asc." + kind).str(),
                                         &getContext())) {
      emitError(getOperation().getLoc())
          << "option 'blacklist' of 'improve-precision' names '" << kind
          << "', which is no operation of the asc dialect";
      return failure();
    }
    options.blacklist.insert(kind);
  }
  return options;
}

void ImprovePrecision::runOnOperation() {
  FailureOr<PrecisionOptions> options = readOptions();
  if (failed(options))
    return signalPassFailure();
  SmallVector<std::pair<Block *, asc::NodeGraph>> kernels;
  bool valid = true;
  getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (!asc::isKernelGraph(func))
      return WalkResult::skip();
    Block &body = func.getFunctionBody().front();
    FailureOr<asc::NodeGraph> graph = asc::NodeGraph::build(body);
    if (succeeded(graph))
      kernels.push_back({&body, std::move(*graph)});
    else
      valid = false;
    return WalkResult::skip();
  });
  if (!valid)
    return signalPassFailure();
  OpBuilder builder(&getContext());
  for (auto &[body, graph] : kernels) {
    PrecisionPlan plan(*body, *options);
    if (!plan.isApplicable())
      continue;
    PrecisionRewriter change(builder, graph, *body, plan);
    change.run();
    numLifted += change.getNumLifted();
    numRemoved += change.getNumRemoved();
    numCreated += change.getNumCreated();
  }
}
