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
  SmallVector<Block *> kernels;
  bool valid = true;
  getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (!asc::isKernelGraph(func))
      return;
    Block &body = func.getFunctionBody().front();
    valid &= succeeded(asc::NodeGraph::build(body));
    kernels.push_back(&body);
  });
  if (!valid)
    return signalPassFailure();
  IRRewriter rewriter(&getContext());
  for (Block *body : kernels) {
    PrecisionPlan plan(*body, *options);
    if (!plan.isApplicable())
      continue;
    PrecisionRewriter change(rewriter, *body, plan);
    change.run();
    numLifted += change.getNumLifted();
    numRemoved += change.getNumRemoved();
    numCreated += change.getNumCreated();
  }
}
