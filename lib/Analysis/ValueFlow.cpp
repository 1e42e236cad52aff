//===- ValueFlow.cpp - Where values go without being changed --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ValueFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

FuncOp CalleeTies::getCallee(LaunchOpInterface launch) {
  FlatSymbolRefAttr symbol = launch.getLaunchCallee();
  if (!symbol)
    return {};
  return symbolTable.lookupNearestSymbolFrom<FuncOp>(launch, symbol.getAttr());
}

ArrayRef<int> CalleeTies::getTies(FuncOp func) {
  auto [it, inserted] = ties.try_emplace(func);
  if (!inserted)
    return it->second;
  // Of a few results it is looked for, and a table is made for many.
  unsigned numResults = func.getNumResults();
  if (numResults <= 2) {
    for (unsigned i = 0; i != numResults; ++i) {
      std::optional<unsigned> param = func.getTiedParam(i);
      it->second.push_back(param ? static_cast<int>(*param) : -1);
    }
    return it->second;
  }
  llvm::SmallDenseMap<StringAttr, int> paramOf;
  for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
    paramOf[func.getParamNameAttr(i)] = i;
  for (unsigned i = 0; i != numResults; ++i) {
    auto tied =
        func.getResultAttrOfType<StringAttr>(i, GraphDialect::kTiedAttrName);
    auto param = tied ? paramOf.find(tied) : paramOf.end();
    it->second.push_back(param == paramOf.end() ? -1 : param->second);
  }
  return it->second;
}

Value CalleeTies::getTiedOperand(LaunchOpInterface launch, unsigned result) {
  FuncOp callee = getCallee(launch);
  if (!callee)
    return {};
  ArrayRef<int> tied = getTies(callee);
  OperandRange args = launch.getLaunchArgs();
  if (result >= tied.size() || tied[result] < 0 ||
      tied[result] >= static_cast<int>(args.size()))
    return {};
  return args[tied[result]];
}

Value mlir::pypto::getRenamed(Value value, CalleeTies &ties) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  Operation *op = result.getOwner();
  if (isa<AliasOp, CastOp>(op))
    return op->getOperand(0);
  LaunchOpInterface launch = asLaunch(op);
  if (!launch || result.getResultNumber() >= launch.getLaunchOutputs().size())
    return {};
  return ties.getTiedOperand(launch, result.getResultNumber());
}

void mlir::pypto::forEachFlow(Operation *op, CalleeTies &ties,
                              function_ref<void(Value, Value)> callback) {
  if (isa<AliasOp, CastOp>(op)) {
    callback(op->getOperand(0), op->getResult(0));
    return;
  }
  if (LaunchOpInterface launch = asLaunch(op)) {
    for (auto [i, out] : llvm::enumerate(launch.getLaunchOutputs()))
      if (Value operand = ties.getTiedOperand(launch, i))
        callback(operand, out);
    return;
  }
  if (op->getNumRegions() == 0) {
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      callback(select.getTrueValue(), select.getResult());
      callback(select.getFalseValue(), select.getResult());
    }
    return;
  }
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return;
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor, 2> successors;
    branch.getSuccessorRegions(point, successors);
    for (RegionSuccessor successor : successors)
      for (auto [from, to] :
           llvm::zip(branch.getSuccessorOperands(point, successor),
                     successor.getSuccessorInputs()))
        callback(from, to);
  }
}
