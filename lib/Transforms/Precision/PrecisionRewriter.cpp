//===- PrecisionRewriter.cpp - Carry out a plan of types ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Precision/PrecisionRewriter.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

PrecisionRewriter::PrecisionRewriter(RewriterBase &rewriter,
                                     const NodeGraph &graph, Block &body,
                                     const PrecisionPlan &plan)
    : rewriter(rewriter), graph(graph), body(body), plan(plan) {}

void PrecisionRewriter::run() {
  collect();
  // New casts are put in ahead of the operation that is looked at, and old ones
  // moved there: only what comes after it is still to be done.
  for (Operation *op = &body.front(); op; op = op->getNextNode()) {
    auto cast = dyn_cast<CastOp>(op);
    if (!cast || !plan.isRemoved(cast))
      rewireOperands(op);
  }
  if (graph.hasControlEdges())
    updateControlEdges();
  changeTypes();
  eraseCasts();
}

/// Casts to reuse, and the control edges of those that will go.
void PrecisionRewriter::collect() {
  // The last cast found for each source and type.
  DenseMap<Key, CastOp> last;
  for (CastOp cast : plan.getCasts())
    collectCast(cast, last);
}

void PrecisionRewriter::collectCast(CastOp cast, DenseMap<Key, CastOp> &last) {
  Value result = cast.getResult();
  Key key(plan.getSource(cast.getSource()), getElementOrSelf(result.getType()));
  CastOp &previous = last[key];
  if (previous)
    nextCandidate[previous] = cast;
  else
    candidates[key] = cast;
  previous = cast;
  if (!plan.isRemoved(cast)) {
    if (plan.isWidening(cast) && !cast->use_empty())
      widened.insert(cast);
    return;
  }
  ArrayAttr after = cast.getAfterAttr();
  auto inheritedEdges = chainEdges.find(cast.getSource());
  if (!after && inheritedEdges == chainEdges.end())
    return;
  NameSet edges;
  if (inheritedEdges != chainEdges.end())
    edges = inheritedEdges->second;
  if (after)
    for (auto name : after.getAsRange<StringAttr>())
      edges.insert(name);
  if (!edges.empty())
    chainEdges[result] = edges;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void PrecisionRewriter::rewireOperands(Operation *op) {
  if (plan.isLifted(op) && llvm::any_of(op->getResultTypes(), [](Type type) {
        return isLowFloat(getElementOrSelf(type));
      }))
    lifted.push_back(op);
  if (op->getNumRegions() == 0) {
    for (OpOperand &operand : op->getOpOperands())
      rewire(operand, op);
    return;
  }
  op->walk([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands())
      rewire(operand, op);
  });
}

/// Makes an operand of `consumer`, or of an operation in it, what the plan
/// says.
void PrecisionRewriter::rewire(OpOperand &operand, Operation *consumer) {
  Value old = operand.get();
  Type element = getElementOrSelf(old.getType());
  // Most values are what they were: no floats, or f32 that no cast makes.
  bool isCast = isa_and_nonnull<CastOp>(old.getDefiningOp());
  if (!isCast && !isLowFloat(element))
    return;
  Value value = getAs(plan.getSource(old), plan.getWantedType(operand),
                      consumer, operand.getOperandNumber());
  if (!chainEdges.empty() && isNode(consumer)) {
    auto edges = chainEdges.find(old);
    if (edges != chainEdges.end())
      inherited[consumer].insert_range(edges->second);
  }
  if (value == old)
    return;
  rewriter.modifyOpInPlace(operand.getOwner(), [&] { operand.set(value); });
}

/// The value that stands for `source` in the wanted element type (or in
/// whichever it has), ahead of `consumer`.
Value PrecisionRewriter::getAs(Value source, Type wanted, Operation *consumer,
                               unsigned index) {
  bool isRounded = plan.isRounded(source);
  Value value = isRounded ? getRounded(source, consumer, index) : source;
  // A rounded value keeps its type.
  Type type =
      isRounded ? getElementOrSelf(source.getType()) : plan.getNewType(source);
  if (!wanted || type == wanted)
    return value;
  Key key(source, wanted);
  Value &entry = available[key];
  if (entry)
    return entry;
  if (CastOp cast = reuseCast(key, consumer)) {
    if (plan.isRemoved(cast)) {
      auto edges = chainEdges.find(cast.getSource());
      if (edges != chainEdges.end())
        inherited[cast].insert_range(edges->second);
      rewriter.modifyOpInPlace(cast,
                               [&] { cast.getSourceMutable().assign(value); });
    }
    return entry = cast.getResult();
  }
  return entry = createCast(value, wanted, consumer, index);
}

Value PrecisionRewriter::getRounded(Value source, Operation *consumer,
                                    unsigned index) {
  Value &entry = rounded[source];
  if (entry)
    return entry;
  OpBuilder::InsertionGuard guard(rewriter);
  entry =
      createCast(source, getElementOrSelf(source.getType()), consumer, index);
  rewriter.moveOpAfter(entry.getDefiningOp(), source.getDefiningOp());
  return entry;
}

/// A cast of the kernel that gives `key`, ahead of `consumer`; null if there is
/// none. Casts that stay as they are cannot be moved.
CastOp PrecisionRewriter::reuseCast(Key key, Operation *consumer) {
  for (CastOp cast = candidates.lookup(key); cast;
       cast = nextCandidate.lookup(cast)) {
    if (cast == consumer)
      continue;
    bool isAhead = cast->isBeforeInBlock(consumer);
    if (!plan.isRemoved(cast)) {
      if (!isAhead)
        continue;
      return cast;
    }
    if (!isAhead)
      rewriter.moveOpBefore(cast, consumer);
    reused.insert(cast);
    return cast;
  }
  return {};
}

Value PrecisionRewriter::createCast(Value value, Type element,
                                    Operation *consumer, unsigned index) {
  ++numCreated;
  rewriter.setInsertionPoint(consumer);
  return CastOp::create(rewriter, consumer->getLoc(),
                        withElementType(value.getType(), element),
                        makeName(consumer, index), value,
                        /*after=*/ArrayAttr());
}

/// The name of a cast in front of operand `index` of `consumer`.
StringAttr PrecisionRewriter::makeName(Operation *consumer, unsigned index) {
  auto node = dyn_cast<NodeOpInterface>(consumer);
  StringRef stem = node ? node.getNodeNameAttr().getValue()
                        : consumer->getName().getStringRef();
  std::string base = (stem + "_cast" + Twine(index)).str();
  StringAttr name = rewriter.getStringAttr(base);
  for (unsigned i = 1; graph.lookup(name) || !newNames.insert(name).second; ++i)
    name = rewriter.getStringAttr(base + "_" + Twine(i));
  return name;
}

//===----------------------------------------------------------------------===//
// Control edges
//===----------------------------------------------------------------------===//

/// A node that waited for a cast that goes waits for what the cast waited for:
/// the node that makes its value, and the nodes it named. A node that took a
/// value through such a cast waits for the nodes the cast named.
void PrecisionRewriter::updateControlEdges() {
  DenseMap<StringAttr, NameSet> replacements;
  for (auto cast : body.getOps<CastOp>()) {
    if (!plan.isRemoved(cast) || reused.contains(cast))
      continue;
    NameSet &before = replacements[cast.getNodeNameAttr()];
    Operation *def = plan.getSource(cast.getSource()).getDefiningOp();
    if (auto node = dyn_cast_or_null<NodeOpInterface>(def))
      before.insert(node.getNodeNameAttr());
    auto edges = chainEdges.find(cast.getResult());
    if (edges != chainEdges.end())
      before.insert_range(edges->second);
  }
  // The nodes a removed cast named may be removed casts.
  auto resolve = [&](ArrayRef<StringAttr> list) {
    NameSet result;
    SmallVector<StringAttr> todo(llvm::reverse(list));
    DenseSet<StringAttr> seen;
    while (!todo.empty()) {
      StringAttr name = todo.pop_back_val();
      auto it = replacements.find(name);
      if (it == replacements.end())
        result.insert(name);
      else if (seen.insert(name).second)
        llvm::append_range(todo, llvm::reverse(it->second));
    }
    return result;
  };
  DenseMap<StringAttr, Operation *> widenedNames;
  for (Operation *cast : widened)
    widenedNames[llvm::cast<CastOp>(cast).getNodeNameAttr()] = cast;
  for (Operation &op : body) {
    auto node = dyn_cast<NodeOpInterface>(op);
    if (!node)
      continue;
    // A node that is named is live.
    if (ArrayAttr after = node.getAfterAttr())
      for (auto name : after.getAsRange<StringAttr>())
        widened.erase(widenedNames.lookup(name));
    SmallVector<StringAttr> list;
    if (ArrayAttr after = node.getAfterAttr())
      list = llvm::to_vector(after.getAsRange<StringAttr>());
    auto it = inherited.find(&op);
    bool changes =
        it != inherited.end() || llvm::any_of(list, [&](StringAttr name) {
          return replacements.contains(name);
        });
    if (!changes)
      continue;
    if (it != inherited.end())
      llvm::append_range(list, it->second);
    NameSet resolved = resolve(list);
    SmallVector<Attribute> attrs(resolved.begin(), resolved.end());
    rewriter.modifyOpInPlace(&op, [&] {
      node.setAfterAttr(attrs.empty() ? ArrayAttr()
                                      : rewriter.getArrayAttr(attrs));
    });
  }
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// A constant in f32, which holds every value of the smaller types.
static TypedAttr toF32(TypedAttr value, Type f32) {
  APFloat number = cast<FloatAttr>(value).getValue();
  bool losesInfo;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return FloatAttr::get(f32, number);
}

void PrecisionRewriter::changeTypes() {
  Type f32 = rewriter.getF32Type();
  // Kernels have few types: what each becomes is looked up, not made anew.
  DenseMap<Type, Type> newTypes;
  for (Operation *op : lifted) {
    for (Value result : op->getResults()) {
      Type type = result.getType();
      if (!isLowFloat(getElementOrSelf(type)))
        continue;
      Type &newType = newTypes[type];
      if (!newType)
        newType = withElementType(type, f32);
      rewriter.modifyOpInPlace(op, [&] {
        if (auto scalar = dyn_cast<ScalarOp>(op))
          scalar.setValueAttr(toF32(scalar.getValue(), f32));
        result.setType(newType);
      });
    }
  }
  numLifted = lifted.size();
}

void PrecisionRewriter::eraseCasts() {
  for (CastOp cast : llvm::reverse(plan.getCasts())) {
    if (reused.contains(cast))
      continue;
    // What only removed casts used goes with them.
    if (!plan.isRemoved(cast) && !(cast->use_empty() && widened.contains(cast)))
      continue;
    ++numRemoved;
    rewriter.eraseOp(cast);
  }
}
