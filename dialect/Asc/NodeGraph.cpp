//===- NodeGraph.cpp - The graph of nodes of a function -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Asc/NodeGraph.h"

#include "Diagnostics/Diagnostics.h"

#include <queue>

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

/// The function of a body, for messages.
static std::string describeFunction(Block &body) {
  Operation *parent = body.getParentOp();
  // A scope has no name.
  StringAttr name;
  if (parent)
    name = parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  if (name)
    return ("function '@" + name.getValue() + "'").str();
  return isa_and_nonnull<graph::ScopeOp>(parent) ? "the scope" : "the function";
}

static std::string describeNode(Operation *op) {
  if (auto node = dyn_cast<NodeOpInterface>(op))
    if (StringAttr name = node.getNodeNameAttr())
      return ("'" + name.getValue() + "'").str();
  return ("an '" + op->getName().getStringRef() + "'").str();
}

/// The names of the nodes that run before `op`. An operation that has not been
/// verified may have anything in the list.
static void forEachName(Operation *op,
                        function_ref<void(StringAttr)> callback) {
  ArrayAttr names =
      isNode(op) ? cast<NodeOpInterface>(op).getAfterAttr() : ArrayAttr();
  if (!names)
    return;
  for (Attribute name : names)
    if (auto string = dyn_cast<StringAttr>(name))
      callback(string);
}

bool asc::isKernelGraph(FunctionOpInterface func) {
  return !func.isExternal() && llvm::any_of(func.getFunctionBody().front(),
                                            llvm::IsaPred<NodeOpInterface>);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Finds a good place for a pointer of 16-byte steps.
static size_t hashName(StringAttr name) {
  return DenseMapInfo<const void *>::getHashValue(name.getAsOpaquePointer());
}

size_t NameTable::findSlot(StringAttr name) const {
  size_t mask = slots.size() - 1;
  size_t slot = hashName(name) & mask;
  while (slots[slot] && names[slots[slot] - 1] != name)
    slot = (slot + 1) & mask;
  return slot;
}

void NameTable::build(
    SmallVector<StringAttr, 0> &&newNames,
    function_ref<void(unsigned number, unsigned first)> onRepetition) {
  names = std::move(newNames);
  slots.assign(llvm::PowerOf2Ceil(2 * names.size() + 1), 0);
  for (auto [number, name] : llvm::enumerate(names)) {
    if (!name)
      continue;
    uint32_t &slot = slots[findSlot(name)];
    if (slot)
      onRepetition(number, slot - 1);
    else
      slot = number + 1;
  }
}

int64_t NameTable::lookup(StringAttr name) const {
  return !name || slots.empty() ? -1 : int64_t(slots[findSlot(name)]) - 1;
}

LogicalResult NodeGraph::collect(Block &body) {
  bool valid = true;
  SmallVector<StringAttr, 0> nodeNames;
  for (Operation &op : body) {
    if (&op == &body.back() && op.hasTrait<OpTrait::IsTerminator>())
      break;
    ops.push_back(&op);
    auto node = isNode(&op) ? NodeOpInterface(&op) : NodeOpInterface();
    nodeNames.push_back(node ? node.getNodeNameAttr() : StringAttr());
    if (node && node.getAfterAttr())
      waiting.push_back(&op);
  }
  names.build(std::move(nodeNames), [&](unsigned number, unsigned first) {
    InFlightDiagnostic diag =
        emitCodedError(ops[number]->getLoc(), DiagnosticCode::AscDuplicateName)
        << "two nodes of " << describeFunction(body) << " have the name "
        << describeNode(ops[number]);
    diag.attachNote(ops[first]->getLoc()) << "the first one is here";
    valid = false;
  });
  for (Operation *op : waiting)
    forEachName(op, [&](StringAttr name) {
      if (lookup(name))
        return;
      InFlightDiagnostic diag =
          emitCodedError(op->getLoc(), DiagnosticCode::AscUnknownNode)
          << "node " << describeNode(op) << " comes after '" << name.getValue()
          << "', which is no node of " << describeFunction(body);
      diag.attachNote() << "a control edge names a node of the same function";
      valid = false;
    });
  return success(valid);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {
/// The edges of a body: for each operation, by its number, the numbers of those
/// that run before it.
class Edges {
public:
  Edges(Block &body, ArrayRef<Operation *> ops, const NodeGraph &graph);

  unsigned size() const { return ops.size(); }
  Operation *getOp(unsigned number) const { return ops[number]; }
  ArrayRef<unsigned> getBefore(unsigned number) const {
    return ArrayRef(before).slice(start[number],
                                  start[number + 1] - start[number]);
  }

private:
  void add(Operation *op);

  ArrayRef<Operation *> ops;
  SmallVector<unsigned> before, start;
  DenseMap<Operation *, unsigned> numbers;
};
} // namespace

Edges::Edges(Block &body, ArrayRef<Operation *> ops, const NodeGraph &graph)
    : ops(ops) {
  for (auto [number, op] : llvm::enumerate(ops))
    numbers.try_emplace(op, number);
  start.push_back(0);
  for (Operation *op : ops) {
    auto addOperands = [&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (Operation *ancestor = body.findAncestorOpInBlock(*def))
            if (ancestor != op || nested == op)
              add(ancestor);
    };
    if (op->getNumRegions() == 0)
      addOperands(op);
    else
      op->walk(addOperands);
    forEachName(op, [&](StringAttr name) { add(graph.lookup(name)); });
    start.push_back(before.size());
  }
}

void Edges::add(Operation *op) {
  auto it = numbers.find(op);
  if (it != numbers.end())
    before.push_back(it->second);
}

/// Reports each group of operations that wait for each other, once. Depth first
/// over what has not run, with a stack of its own.
static void reportCycles(const Edges &edges, const SmallVectorImpl<bool> &done,
                         Block &body) {
  constexpr unsigned kMaxNames = 8;
  enum State : char { New, Open, Closed };
  SmallVector<State> states(edges.size(), New);
  SmallVector<bool> reported(edges.size());
  SmallVector<std::pair<unsigned, unsigned>> stack; // operation, next edge
  auto report = [&](unsigned first) {
    SmallVector<unsigned> cycle;
    for (auto it = stack.rbegin();; ++it) {
      cycle.push_back(it->first);
      if (it->first == first)
        break;
    }
    if (llvm::any_of(cycle, [&](unsigned number) { return reported[number]; }))
      return;
    for (unsigned number : cycle)
      reported[number] = true;
    InFlightDiagnostic diag =
        emitCodedError(edges.getOp(first)->getLoc(), DiagnosticCode::AscCycle)
        << "nodes of " << describeFunction(body) << " wait for each other: ";
    if (cycle.size() == 1)
      diag << describeNode(edges.getOp(first)) << " comes after itself";
    else
      for (unsigned i = 0; i < cycle.size() && i <= kMaxNames; ++i)
        diag << (i == 0 ? "" : ", before ")
             << (i == kMaxNames ? std::string("…")
                                : describeNode(edges.getOp(cycle[i])));
    diag.attachNote() << "no order respects these data and control edges";
  };
  for (unsigned root = 0; root < edges.size(); ++root) {
    if (done[root] || states[root] != New)
      continue;
    states[root] = Open;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto &[number, next] = stack.back();
      ArrayRef<unsigned> before = edges.getBefore(number);
      if (next == before.size()) {
        states[number] = Closed;
        stack.pop_back();
        continue;
      }
      unsigned other = before[next++];
      if (states[other] == Open)
        report(other);
      else if (states[other] == New && !done[other]) {
        states[other] = Open;
        stack.push_back({other, 0});
      }
    }
  }
}

/// Whether every control edge points back. Operands come first by dominance,
/// which others check.
bool NodeGraph::isWrittenInOrder() const {
  bool inOrder = true;
  for (Operation *op : waiting)
    forEachName(op, [&](StringAttr name) {
      Operation *other = lookup(name);
      inOrder &= !other || (other != op && other->isBeforeInBlock(op));
    });
  return inOrder;
}

LogicalResult NodeGraph::sort(Block &body) {
  if (isWrittenInOrder())
    return success();
  Edges edges(body, ops, *this);
  SmallVector<unsigned> waiting(edges.size());
  SmallVector<SmallVector<unsigned, 2>> after(edges.size());
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned i = 0; i < edges.size(); ++i) {
    waiting[i] = edges.getBefore(i).size();
    for (unsigned other : edges.getBefore(i))
      after[other].push_back(i);
    if (waiting[i] == 0)
      ready.push(i);
  }
  SmallVector<bool> done(edges.size());
  while (!ready.empty()) {
    unsigned number = ready.top();
    ready.pop();
    done[number] = true;
    if (!order.empty() && !order.back()->isBeforeInBlock(edges.getOp(number)))
      inOrder = false;
    order.push_back(edges.getOp(number));
    for (unsigned other : after[number])
      if (--waiting[other] == 0)
        ready.push(other);
  }
  if (order.size() == edges.size())
    return success();
  reportCycles(edges, done, body);
  return failure();
}

FailureOr<NodeGraph> NodeGraph::build(Block &body) {
  NodeGraph graph;
  // Cycles are looked for among the names that exist, so that one run shows
  // everything.
  LogicalResult names = graph.collect(body);
  LogicalResult sorted = graph.sort(body);
  if (failed(names) || failed(sorted))
    return failure();
  return graph;
}

void asc::moveIntoOrder(const NodeGraph &graph) {
  if (graph.isInOrder())
    return;
  Operation *last = nullptr;
  for (Operation *op : graph.getOrder()) {
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(&op->getBlock()->front());
    last = op;
  }
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Whether no node is written before `op` in its block. The operations between
/// two nodes are looked at once, for the second one.
static bool isFirstNode(Operation *op) {
  while ((op = op->getPrevNode()))
    if (isNode(op))
      return false;
  return true;
}

LogicalResult asc::detail::verifyNode(Operation *op) {
  Block *body = op->getBlock();
  Operation *parent = op->getParentOp();
  if (!parent) // Not in a function yet.
    return success();
  bool isBody = isa<FunctionOpInterface, graph::ScopeOp>(parent);
  if (!isBody || !body->isEntryBlock())
    return op->emitOpError("stands in the body of a function, not in ")
           << (isBody
                   ? std::string("another block of it")
                   : ("a region of '" + parent->getName().getStringRef() + "'")
                         .str());
  // The first node answers for all of the body.
  return isFirstNode(op) ? LogicalResult(NodeGraph::build(*body)) : success();
}
