//===- OutlineGraphScopes.cpp - Graph scopes become graph functions -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Outlining/ for the outliner and Passes.td for the contract.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Outlining/Outliner.h"
#include "Transforms/Passes.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_OUTLINEGRAPHSCOPES
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;

namespace {
struct OutlineGraphScopes
    : pypto::impl::OutlineGraphScopesBase<OutlineGraphScopes> {
  using OutlineGraphScopesBase::OutlineGraphScopesBase;

  void runOnOperation() override {
    FailureOr<unsigned> count =
        outlineScopes(getOperation(), OutlinedKinds::Graph);
    if (failed(count))
      return signalPassFailure();
    if (*count == 0)
      markAllAnalysesPreserved();
    numOutlined += *count;
  }
};
} // namespace
