//===- NormalizeReturns.cpp - Name the parameters functions return --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a result is a parameter may hang on the ties of callees, so functions
// are visited callees first. Inside a cycle of calls a new tie sends the
// callers back to the worklist; ties are only ever added, so that ends.
//
//===----------------------------------------------------------------------===//

#include "Analysis/IdentityLineage.h"
#include "Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_NORMALIZERETURNS
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

namespace {
/// Who calls whom in a module, both in order of the text.
class CallGraph {
public:
  CallGraph(ModuleOp module, CalleeTies &ties);

  /// The functions with a body, callees before callers where there is no cycle.
  SmallVector<FuncOp> getCalleesFirst() const;
  ArrayRef<LaunchOpInterface> getLaunches(FuncOp func) const {
    return nodes.find(func)->second.launches;
  }

private:
  struct Node {
    llvm::SmallSetVector<Operation *, 4> callees;
    SmallVector<LaunchOpInterface, 2> launches;
  };
  llvm::MapVector<Operation *, Node> nodes;
};

/// Ties the results of the functions of a module.
class ReturnNormalizer {
public:
  ReturnNormalizer(ModuleOp module, CalleeTies &ties)
      : ties(ties), calls(module, ties) {}

  /// Returns the number of results tied and whether anything changed.
  std::pair<unsigned, bool> run();

private:
  /// Returns whether a tie was added.
  bool normalize(FuncOp func);
  bool fitsLaunches(FuncOp func, unsigned result, Type type) const;
  void addTies(FuncOp func, ArrayRef<std::pair<unsigned, unsigned>> added);

  CalleeTies &ties;
  CallGraph calls;
  unsigned numTied = 0;
  bool changed = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// The call graph
//===----------------------------------------------------------------------===//

CallGraph::CallGraph(ModuleOp module, CalleeTies &ties) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto func = dyn_cast<FuncOp>(op))
      nodes[func];
    LaunchOpInterface launch = asLaunch(op);
    FuncOp callee = launch ? ties.getCallee(launch) : FuncOp();
    if (!callee)
      return;
    nodes[callee].launches.push_back(launch);
    if (auto caller = op->getParentOfType<FuncOp>())
      nodes[caller].callees.insert(callee);
  });
}

SmallVector<FuncOp> CallGraph::getCalleesFirst() const {
  SmallVector<FuncOp> order;
  llvm::DenseSet<Operation *> seen;
  // A function and how many of its callees have been visited.
  SmallVector<std::pair<Operation *, unsigned>> stack;
  for (const auto &root : nodes) {
    if (seen.insert(root.first).second)
      stack.push_back({root.first, 0});
    while (!stack.empty()) {
      auto &[func, next] = stack.back();
      const auto &callees = nodes.find(func)->second.callees;
      if (next < callees.size()) {
        Operation *callee = callees[next++];
        if (seen.insert(callee).second)
          stack.push_back({callee, 0});
        continue;
      }
      if (!cast<FuncOp>(func).isExternal())
        order.push_back(cast<FuncOp>(func));
      stack.pop_back();
    }
  }
  return order;
}

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

/// Whether every launch of `func` takes a result `result` of type `type`. What
/// launches know of the extents may contradict the parameter's; such a result
/// is left alone.
bool ReturnNormalizer::fitsLaunches(FuncOp func, unsigned result,
                                    Type type) const {
  if (func.getResultTypes()[result] == type)
    return true;
  auto formal = dyn_cast<GraphTensorType>(type);
  return formal &&
         llvm::all_of(calls.getLaunches(func), [&](LaunchOpInterface launch) {
           auto actual = dyn_cast<GraphTensorType>(
               launch.getLaunchOutputs()[result].getType());
           return actual && actual.isCompatibleWith(formal);
         });
}

void ReturnNormalizer::addTies(FuncOp func,
                               ArrayRef<std::pair<unsigned, unsigned>> added) {
  SmallVector<Type> types(func.getResultTypes());
  SmallVector<DictionaryAttr> attrs;
  func.getAllResultAttrs(attrs);
  attrs.resize(types.size());
  for (auto [result, param] : added) {
    NamedAttrList list(attrs[result]);
    list.set(GraphDialect::kTiedAttrName, func.getParamNameAttr(param));
    attrs[result] = list.getDictionary(func.getContext());
    types[result] = func.getArgumentTypes()[param];
  }
  func.setFunctionType(
      FunctionType::get(func.getContext(), func.getArgumentTypes(), types));
  func.setAllResultAttrs(attrs);
  ties.forget(func);
  numTied += added.size();
}

bool ReturnNormalizer::normalize(FuncOp func) {
  Operation *terminator = func.getBody().front().getTerminator();
  ReturnedParams params(func, ties);
  SmallVector<std::pair<unsigned, unsigned>> added;
  for (OpOperand &operand : terminator->getOpOperands()) {
    unsigned result = operand.getOperandNumber();
    bool isTied = !!func.getResultAttr(result, GraphDialect::kTiedAttrName);
    auto param = dyn_cast<BlockArgument>(operand.get());
    bool isNamed = param && param.getOwner() == terminator->getBlock();
    if (isTied && isNamed)
      continue;
    if (!isNamed)
      param = params.get(operand.get());
    if (!param)
      continue;
    if (!isTied) {
      if (!fitsLaunches(func, result, param.getType()))
        continue;
      added.push_back({result, param.getArgNumber()});
    }
    operand.set(param);
    changed = true;
  }
  if (added.empty())
    return false;
  addTies(func, added);
  return true;
}

std::pair<unsigned, bool> ReturnNormalizer::run() {
  SmallVector<FuncOp> order = calls.getCalleesFirst();
  llvm::SetVector<Operation *> worklist;
  for (FuncOp func : llvm::reverse(order))
    worklist.insert(func);
  while (!worklist.empty()) {
    auto func = cast<FuncOp>(worklist.pop_back_val());
    if (!normalize(func))
      continue;
    // Callers that are still in the worklist keep their place.
    for (LaunchOpInterface launch : calls.getLaunches(func))
      if (auto caller = launch->getParentOfType<FuncOp>())
        worklist.insert(caller);
  }
  return {numTied, changed};
}

namespace {
struct NormalizeReturns : pypto::impl::NormalizeReturnsBase<NormalizeReturns> {
  void runOnOperation() override {
    SymbolTableCollection symbolTable;
    CalleeTies ties(symbolTable);
    auto [tied, changed] = ReturnNormalizer(getOperation(), ties).run();
    numTiedResults += tied;
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
