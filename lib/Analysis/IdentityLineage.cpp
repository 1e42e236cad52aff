//===- IdentityLineage.cpp - Which value a value is -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/IdentityLineage.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

IdentityLineage::IdentityLineage(FuncOp func,
                                 SymbolTableCollection &symbolTable)
    : func(func) {
  CalleeTies ties(symbolTable);
  build(ties);
}

IdentityLineage::IdentityLineage(FuncOp func, CalleeTies &ties) : func(func) {
  build(ties);
}

void IdentityLineage::build(CalleeTies &ties) {
  // A value that others flow into is a merge; how many flow in does not matter.
  // Its state falls from unknown (no entry) over one source to itself, so every
  // merge is visited at most three times.
  DenseMap<Value, SmallVector<Value, 2>> users;
  SmallVector<Value> worklist;
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    forEachFlow(op, ties, [&](Value from, Value to) {
      SmallVector<Value, 2> &into = inputs[to];
      if (into.empty())
        worklist.push_back(to);
      into.push_back(from);
      users[from].push_back(to);
    });
  });
  // Definitions come before uses, so that starting from the front settles
  // chains in one sweep.
  std::reverse(worklist.begin(), worklist.end());

  auto lookup = [&](Value value) -> Value {
    if (!inputs.contains(value))
      return value;
    return sources.lookup(value);
  };
  while (!worklist.empty()) {
    Value merge = worklist.pop_back_val();
    Value old = sources.lookup(merge);
    if (old == merge)
      continue;
    Value source;
    for (Value input : inputs[merge]) {
      Value candidate = lookup(input);
      // What is still unknown may turn out to be the same one.
      if (!candidate || candidate == source)
        continue;
      source = source ? merge : candidate;
      if (source == merge)
        break;
    }
    if (!source || source == old)
      continue;
    // A second change of mind could go on for long: the merge is its own.
    sources[merge] = old ? merge : source;
    auto it = users.find(merge);
    if (it != users.end())
      llvm::append_range(worklist, it->second);
  }
}

Value IdentityLineage::getSource(Value value) const {
  Value source = sources.lookup(value);
  return source ? source : value;
}

ArrayRef<Value> IdentityLineage::getInputs(Value value) const {
  auto it = inputs.find(value);
  return it == inputs.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

BlockArgument IdentityLineage::getParameter(Value value) const {
  auto argument = dyn_cast<BlockArgument>(getSource(value));
  if (!argument || func.isExternal() ||
      argument.getOwner() != &func.getBody().front())
    return {};
  return argument;
}
