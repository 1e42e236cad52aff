//===- BufferWrites.cpp - Which parameters a function writes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Outlining/BufferWrites.h"

#include "Asc/Asc.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

void BufferWrites::add(FuncOp func) {
  if (visited.insert(func).second)
    toVisit.push_back(func);
  while (!toVisit.empty())
    toVisit.pop_back_val().getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { visit(op); });
}

void BufferWrites::visit(Operation *op) {
  if (isa<SliceOp, ViewOp>(op))
    return addFlow(op->getOperand(0), op->getResult(0));
  if (auto store = dyn_cast<StoreOp>(op))
    return addWrite(store.getDest());
  if (auto store = dyn_cast<asc::StoreOp>(op))
    return addWrite(store.getDest());
  if (LaunchOpInterface launch = asLaunch(op))
    visitLaunch(launch);
  forEachFlow(op, ties, [&](Value from, Value to) { addFlow(from, to); });
}

void BufferWrites::visitLaunch(LaunchOpInterface launch) {
  FuncOp callee = ties.getCallee(launch);
  if (!callee)
    return;
  // Arguments may be a prefix of the parameters.
  for (auto [i, arg] : llvm::enumerate(launch.getLaunchArgs())) {
    if (!isa<GraphTensorType>(arg.getType()))
      continue;
    if (callee.getParamDirection(i) != ParamDirection::In)
      addWrite(arg);
    else if (!callee.isExternal())
      addFlow(arg, callee.getArgument(i));
  }
  if (!callee.isExternal() && visited.insert(callee).second)
    toVisit.push_back(callee);
}

void BufferWrites::solve() {
  while (!worklist.empty()) {
    auto it = origins.find(worklist.pop_back_val());
    if (it != origins.end())
      for (Value origin : it->second)
        addWrite(origin);
  }
}
