//===- ConvertAscToLinalg.cpp - Kernel graphs to linalg on tensors --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All kernels of a module are checked before the first one is changed.
//
//===----------------------------------------------------------------------===//

#include "Asc/NodeGraph.h"
#include "Diagnostics/Diagnostics.h"
#include "Transforms/AscToLinalg/NodeLowering.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_CONVERTASCTOLINALG
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

namespace {
struct ConvertAscToLinalg
    : pypto::impl::ConvertAscToLinalgBase<ConvertAscToLinalg> {
  using ConvertAscToLinalgBase::ConvertAscToLinalgBase;

  void runOnOperation() override;
};
} // namespace

/// Other operations cannot take what a node makes when its type changes.
static LogicalResult checkUsers(Operation *op) {
  for (Value result : op->getResults()) {
    Type element = getElementOrSelf(result.getType());
    if (isa<RankedTensorType>(result.getType())
            ? getStorage(element) == element
            : getSignless(element) == element)
      continue;
    for (Operation *user : result.getUsers()) {
      if (isa<NodeOpInterface>(user))
        continue;
      InFlightDiagnostic diag =
          emitCodedError(user->getLoc(), DiagnosticCode::AscUnsupported)
          << "'" << user->getName()
          << "' takes an unsigned value or an i1 tile of a node";
      diag.attachNote(op->getLoc()) << "the value is made here";
      return diag;
    }
  }
  return success();
}

/// Gives each use of an up-cast or broadcast one of its own: it is cheaper to
/// repeat in the loops of its users than to keep in memory.
static void repeatCheapNodes(RewriterBase &rewriter, Block &body) {
  for (Operation &op : llvm::make_early_inc_range(body)) {
    auto cast = dyn_cast<CastOp>(op);
    bool isUpCast = cast &&
                    isLowFloat(getElementOrSelf(cast.getSource().getType())) &&
                    isa<RankedTensorType>(cast.getType()) &&
                    getElementOrSelf(cast.getType()).isF32();
    if (!isUpCast && !isa<BroadcastOp>(op))
      continue;
    SmallVector<OpOperand *> uses(llvm::make_pointer_range(op.getUses()));
    for (OpOperand *use : llvm::drop_begin(uses, uses.empty() ? 0 : 1)) {
      rewriter.setInsertionPointAfter(&op);
      Operation *copy = rewriter.clone(op);
      rewriter.modifyOpInPlace(use->getOwner(),
                               [&] { use->set(copy->getResult(0)); });
    }
  }
}

static void convert(RewriterBase &rewriter, Block &body,
                    const NodeGraph &graph) {
  moveIntoOrder(graph);
  repeatCheapNodes(rewriter, body);
  NodeLowering lowering(rewriter);
  SmallVector<Operation *> nodes;
  for (Operation &op : body)
    if (isa<NodeOpInterface>(op))
      nodes.push_back(&op);
  for (Operation *node : nodes)
    lowering.lower(node);
  for (Operation *node : llvm::reverse(nodes)) {
    lowering.replaceOtherUses(node);
    rewriter.eraseOp(node);
  }
}

void ConvertAscToLinalg::runOnOperation() {
  SmallVector<std::pair<Block *, NodeGraph>> kernels;
  bool valid = true;
  getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (!isKernelGraph(func))
      return;
    Block &body = func.getFunctionBody().front();
    FailureOr<NodeGraph> graph = NodeGraph::build(body);
    valid &= succeeded(graph);
    for (Operation &op : body)
      if (isa<NodeOpInterface>(op))
        valid &= succeeded(checkUsers(&op));
    if (succeeded(graph))
      kernels.push_back({&body, std::move(*graph)});
  });
  if (!valid)
    return signalPassFailure();
  IRRewriter rewriter(&getContext());
  for (auto &[body, graph] : kernels)
    convert(rewriter, *body, graph);
}
