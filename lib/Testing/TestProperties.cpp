//===- TestProperties.cpp - A pass that breaks properties -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Testing/TestPasses.h"

#include "Graph/Graph.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::pypto::graph;

namespace {
/// What a careless pass could do to a program: it stays valid.
struct TestBreakPropertyPass
    : public PassWrapper<TestBreakPropertyPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestBreakPropertyPass)

  TestBreakPropertyPass() = default;
  TestBreakPropertyPass(const TestBreakPropertyPass &other)
      : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-break-property"; }
  StringRef getDescription() const final {
    return "Remove directions, rename what is returned, or wrap bodies in a "
           "scope";
  }

  void runOnOperation() final {
    OpBuilder builder(&getContext());
    getOperation().walk([&](Operation *op) {
      if (what == "directions") {
        if (auto launch = dyn_cast<LaunchOpInterface>(op))
          launch.setLaunchDirections(nullptr);
      } else if (what == "returns") {
        if (isa<ReturnOp>(op)) {
          builder.setInsertionPoint(op);
          for (OpOperand &operand : op->getOpOperands())
            operand.set(AliasOp::create(builder, op->getLoc(), operand.get()));
        }
      } else if (isa<ReturnOp>(op)) {
        builder.setInsertionPoint(op);
        OperationState state(op->getLoc(), ScopeOp::getOperationName());
        state.addAttribute(
            "kind", ScopeKindAttr::get(&getContext(), ScopeKind::InCore));
        state.addAttribute("operandSegmentSizes",
                           builder.getDenseI32ArrayAttr({0, 0, 0, 0, 0}));
        Region *body = state.addRegion();
        builder.createBlock(body);
        YieldOp::create(builder, op->getLoc());
        builder.setInsertionPoint(op);
        builder.create(state);
      }
    });
  }

  Option<std::string> what{*this, "what", llvm::cl::init("directions")};
};
} // namespace

void mlir::pypto::registerTestPropertyPasses() {
  PassRegistration<TestBreakPropertyPass>();
}
