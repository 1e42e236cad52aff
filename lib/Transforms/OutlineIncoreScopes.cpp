//===- OutlineIncoreScopes.cpp - Device scopes become device functions ----===//
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
#define GEN_PASS_DEF_OUTLINEINCORESCOPES
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;

namespace {
struct OutlineIncoreScopes
    : pypto::impl::OutlineIncoreScopesBase<OutlineIncoreScopes> {
  using OutlineIncoreScopesBase::OutlineIncoreScopesBase;

  void runOnOperation() override {
    FailureOr<unsigned> count =
        outlineScopes(getOperation(), OutlinedKinds::Device);
    if (failed(count))
      return signalPassFailure();
    if (*count == 0)
      markAllAnalysesPreserved();
    numOutlined += *count;
  }
};
} // namespace
