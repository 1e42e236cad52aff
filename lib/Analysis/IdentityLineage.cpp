//===- IdentityLineage.cpp - Which value a value is -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is passed on is `s` when every way it can have come passes `s`:
// when `s` dominates it in the graph whose nodes are values, whose edges say
// where values go unchanged, and whose root leads to every value that is made.
// SSA keeps it the present `s` and not an earlier one: a value survives the end
// of a loop's iteration only as a carried value, and the first of those comes
// from outside of the loop. The source of a value is the outermost of its
// dominators, which is exact where a fixpoint over merges would have to be told
// in which order to give up its assumptions.
//
//===----------------------------------------------------------------------===//

#include "Analysis/IdentityLineage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Threading.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

namespace {
/// Dominators of a graph by the algorithm of Lengauer and Tarjan, with simple
/// path compression and without recursion. Nodes are numbers; node 0 is the
/// root.
class FlowGraph {
public:
  unsigned addNode() {
    successors.emplace_back();
    return successors.size() - 1;
  }
  void addEdge(unsigned from, unsigned to) { successors[from].push_back(to); }

  /// For every node its outermost dominator below the root: itself when there
  /// is none other, or when the node is not reached.
  SmallVector<unsigned> computeOutermostDominators();

private:
  static constexpr unsigned kNone = ~0u;

  void numberNodes();
  void computeDominators();
  /// The node with the least semidominator between `node` and the root of its
  /// tree in the forest of `ancestor`.
  unsigned evaluate(unsigned node);

  SmallVector<SmallVector<unsigned, 2>> successors;
  /// The node of each number and the number of each node, in the order of a
  /// depth-first search. All that follows speaks of numbers.
  SmallVector<unsigned> nodes, numbers;
  SmallVector<SmallVector<unsigned, 2>> predecessors;
  SmallVector<unsigned> parent, semi, ancestor, label, dominator;
};
} // namespace

void FlowGraph::numberNodes() {
  numbers.assign(successors.size(), kNone);
  SmallVector<std::pair<unsigned, unsigned>> stack; // a node, its tree parent
  stack.push_back({0, kNone});
  while (!stack.empty()) {
    auto [node, from] = stack.pop_back_val();
    if (numbers[node] != kNone)
      continue;
    unsigned number = numbers[node] = nodes.size();
    nodes.push_back(node);
    parent.push_back(from);
    for (unsigned successor : llvm::reverse(successors[node]))
      stack.push_back({successor, number});
  }
  predecessors.resize(nodes.size());
  for (auto [number, node] : llvm::enumerate(nodes))
    for (unsigned successor : successors[node])
      predecessors[numbers[successor]].push_back(number);
}

unsigned FlowGraph::evaluate(unsigned node) {
  if (ancestor[node] == kNone)
    return node;
  SmallVector<unsigned> path;
  for (unsigned at = node; ancestor[ancestor[at]] != kNone; at = ancestor[at])
    path.push_back(at);
  for (unsigned at : llvm::reverse(path)) {
    unsigned above = ancestor[at];
    if (semi[label[above]] < semi[label[at]])
      label[at] = label[above];
    ancestor[at] = ancestor[above];
  }
  return label[node];
}

void FlowGraph::computeDominators() {
  unsigned count = nodes.size();
  ancestor.assign(count, kNone);
  dominator.assign(count, 0);
  llvm::append_range(semi, llvm::seq(0u, count));
  llvm::append_range(label, llvm::seq(0u, count));
  // The nodes of which a node is the semidominator, as linked lists.
  SmallVector<unsigned> first(count, kNone), next(count, kNone);

  for (unsigned node = count - 1; node > 0; --node) {
    for (unsigned predecessor : predecessors[node])
      semi[node] = std::min(semi[node], semi[evaluate(predecessor)]);
    next[node] = std::exchange(first[semi[node]], node);
    ancestor[node] = parent[node];
    for (unsigned at = std::exchange(first[parent[node]], kNone); at != kNone;
         at = next[at]) {
      unsigned least = evaluate(at);
      dominator[at] = semi[least] < semi[at] ? least : parent[node];
    }
  }
  for (unsigned node = 1; node < count; ++node)
    if (dominator[node] != semi[node])
      dominator[node] = dominator[dominator[node]];
}

SmallVector<unsigned> FlowGraph::computeOutermostDominators() {
  numberNodes();
  computeDominators();
  SmallVector<unsigned> outermost;
  llvm::append_range(outermost, llvm::seq<unsigned>(0, successors.size()));
  for (unsigned node = 1, count = nodes.size(); node < count; ++node)
    if (dominator[node] != 0)
      outermost[nodes[node]] = outermost[nodes[dominator[node]]];
  return outermost;
}

IdentityLineage::IdentityLineage(FuncOp func,
                                 SymbolTableCollection &symbolTable)
    : region(&func.getBody()) {
  CalleeTies ties(symbolTable);
  build(ties);
}

IdentityLineage::IdentityLineage(FuncOp func, CalleeTies &ties)
    : IdentityLineage(func.getBody(), ties) {}

IdentityLineage::IdentityLineage(Region &region, CalleeTies &ties)
    : region(&region) {
  build(ties);
}

/// Whether control flow may bring more than one value to `value`.
static bool isMerge(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || op->getNumRegions() != 0 || isa<arith::SelectOp>(op);
}

void IdentityLineage::build(CalleeTies &ties) {
  // What has one input is settled on the way: it is what its input is, which is
  // made, a parameter, or a merge. Only merges need the graph. In a region of
  // several blocks the input may come later in the text, so from there on the
  // graph has everything.
  SmallVector<Value> merges, renames;
  bool isOrdered = region->empty() || region->hasOneBlock();
  region->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &nested : op->getRegions())
      isOrdered &= nested.empty() || nested.hasOneBlock();
    forEachFlow(op, ties, [&](Value from, Value to) {
      if (!isOrdered || isMerge(to)) {
        SmallVector<Value, 2> &into = inputs[to];
        if (into.empty())
          merges.push_back(to);
        into.push_back(from);
        return;
      }
      Value source = getSource(from);
      sources[to] = source;
      if (isMerge(source))
        renames.push_back(to);
    });
  });
  if (merges.empty())
    return;
  // Loops carry values that come later in the text, so inputs are resolved when
  // all renames are known.
  for (Value merge : merges)
    for (Value &input : inputs.find(merge)->second)
      input = getSource(input);
  solveMerges(merges);
  for (Value rename : renames) {
    Value &source = sources.find(rename)->second;
    source = getSource(source);
  }
}

void IdentityLineage::solveMerges(ArrayRef<Value> merges) {
  FlowGraph flow;
  unsigned root = flow.addNode();
  DenseMap<Value, unsigned> numbers;
  SmallVector<Value> values = {Value()};
  auto getNode = [&](Value value) {
    auto [it, inserted] = numbers.try_emplace(value, values.size());
    if (inserted) {
      flow.addNode();
      values.push_back(value);
      if (!inputs.contains(value))
        flow.addEdge(root, it->second);
    }
    return it->second;
  };
  for (Value merge : merges)
    for (Value input : inputs.find(merge)->second)
      flow.addEdge(getNode(input), getNode(merge));

  SmallVector<unsigned> outermost = flow.computeOutermostDominators();
  for (unsigned node = 1, count = values.size(); node < count; ++node)
    if (outermost[node] != node)
      sources[values[node]] = values[outermost[node]];
}

Value IdentityLineage::getSource(Value value) const {
  // Most values are computed, which is seen faster than that they are not in
  // the table.
  Operation *op = value.getDefiningOp();
  if (op && isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
      !isa<arith::SelectOp>(op))
    return value;
  Value source = sources.lookup(value);
  return source ? source : value;
}

ArrayRef<Value> IdentityLineage::getInputs(Value value) const {
  auto it = inputs.find(value);
  return it == inputs.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

BlockArgument IdentityLineage::getParameter(Value value) const {
  auto argument = dyn_cast<BlockArgument>(getSource(value));
  if (!argument || region->empty() || argument.getOwner() != &region->front())
    return {};
  return argument;
}

/// The values that flow into `value` unchanged.
ArrayRef<Value> ReturnedParams::getInputs(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  if (op != func && seen.insert(op).second)
    forEachFlow(op, ties,
                [&](Value from, Value to) { inputs[to].push_back(from); });
  auto it = inputs.find(value);
  return it == inputs.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

/// A value is a parameter when nothing else is where it may come from. Nothing
/// is returned when there are too many values to look at.
std::optional<BlockArgument> ReturnedParams::findDirectly(Value value) {
  BlockArgument param;
  SmallVector<Value, 4> worklist = {value};
  llvm::SmallDenseSet<Value, 8> visited;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    // Nothing has to be kept for renames, which are most.
    while (Value source = budget ? getRenamed(next, ties) : Value()) {
      next = source;
      --budget;
    }
    if (!visited.insert(next).second)
      continue;
    if (budget == 0)
      return std::nullopt;
    --budget;
    ArrayRef<Value> from = getInputs(next);
    llvm::append_range(worklist, from);
    if (!from.empty())
      continue;
    auto argument = dyn_cast<BlockArgument>(next);
    bool isParam = argument && argument.getOwner() == &func.getBody().front();
    if (!isParam || (param && param != argument))
      return BlockArgument();
    param = argument;
  }
  return param;
}

BlockArgument ReturnedParams::get(Value value) {
  if (!lineage) {
    if (std::optional<BlockArgument> param = findDirectly(value))
      return *param;
    lineage.emplace(func, ties);
  }
  return lineage->getParameter(value);
}

void IdentityLineages::prepare(ArrayRef<FuncOp> funcs) {
  SmallVector<std::pair<FuncOp, std::unique_ptr<IdentityLineage>>> missing;
  for (FuncOp func : funcs)
    if (lineages.try_emplace(func, nullptr).second)
      missing.push_back({func, nullptr});
  if (missing.empty())
    return;
  parallelForEach(
      missing.front().first.getContext(), missing, [&](auto &entry) {
        entry.second = std::make_unique<IdentityLineage>(entry.first, ties);
      });
  for (auto &[func, lineage] : missing)
    lineages[func] = std::move(lineage);
}
