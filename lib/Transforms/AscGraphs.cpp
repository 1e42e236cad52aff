//===- AscGraphs.cpp - Check kernel graphs, and drop dead nodes -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Asc/NodeGraph.h"
#include "Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_VERIFYASCGRAPH
#define GEN_PASS_DEF_ASCDCE
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

namespace {
struct VerifyAscGraph : pypto::impl::VerifyAscGraphBase<VerifyAscGraph> {
  using VerifyAscGraphBase::VerifyAscGraphBase;

  void runOnOperation() override {
    bool valid = true;
    getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
      if (isKernelGraph(func))
        valid &= succeeded(NodeGraph::build(func.getFunctionBody().front()));
    });
    if (!valid)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct AscDce : pypto::impl::AscDceBase<AscDce> {
  using AscDceBase::AscDceBase;

  void runOnOperation() override;

private:
  void eraseDeadNodes(Block &body, const NodeGraph &graph);
};
} // namespace

/// Whether a node is wanted for what it does, not for its result.
static bool isRoot(Operation *op) {
  return isa<StoreOp>(op) || !isa<NodeOpInterface>(op);
}

/// The operations that something live uses or names, by a worklist.
static DenseSet<Operation *> findLiveOps(Block &body, const NodeGraph &graph) {
  DenseSet<Operation *> live;
  SmallVector<Operation *> todo;
  auto mark = [&](Operation *op) {
    if (op && live.insert(op).second)
      todo.push_back(op);
  };
  for (Operation &op : body)
    if (isRoot(&op))
      mark(&op);
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val();
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        mark(operand.getDefiningOp());
    });
    if (auto node = dyn_cast<NodeOpInterface>(op))
      if (ArrayAttr after = node.getAfterAttr())
        for (auto name : after.getAsRange<StringAttr>())
          mark(graph.lookup(name));
  }
  return live;
}

void AscDce::eraseDeadNodes(Block &body, const NodeGraph &graph) {
  DenseSet<Operation *> live = findLiveOps(body, graph);
  IRRewriter rewriter(body.getParentOp()->getContext());
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body))) {
    if (live.contains(&op))
      continue;
    ++numErased;
    rewriter.eraseOp(&op);
  }
}

void AscDce::runOnOperation() {
  SmallVector<std::pair<Block *, NodeGraph>> kernels;
  bool valid = true;
  getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (!isKernelGraph(func))
      return;
    Block &body = func.getFunctionBody().front();
    FailureOr<NodeGraph> graph = NodeGraph::build(body);
    if (succeeded(graph))
      kernels.push_back({&body, std::move(*graph)});
    else
      valid = false;
  });
  if (!valid)
    return signalPassFailure();
  for (auto &[body, graph] : kernels)
    eraseDeadNodes(*body, graph);
}
