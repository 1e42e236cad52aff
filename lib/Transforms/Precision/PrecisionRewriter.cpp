//===- PrecisionRewriter.cpp - Carry out a plan of types ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Precision/PrecisionRewriter.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

PrecisionRewriter::PrecisionRewriter(OpBuilder &builder, const NodeGraph &graph,
                                     Block &body, const PrecisionPlan &plan)
    : builder(builder), graph(graph), body(body), plan(plan) {}

void PrecisionRewriter::run() {
  collect();
  // New casts are put in ahead of the operation that is looked at, and old ones
  // moved there: only what comes after it is still to be done.
  for (Operation *op = &body.front(); op; op = op->getNextNode()) {
    unsigned kind = plan.getKind(op);
    if (!(kind & NodeKinds::Cast) || !plan.isRemoved(cast<CastOp>(op)))
      visit(op, kind);
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

void PrecisionRewriter::visit(Operation *op, unsigned kind) {
  bool isLifted = plan.isLifted(op, kind);
  if (isLifted)
    for (Value result : op->getResults())
      if (isLowFloat(getElementOrSelf(result.getType())))
        lifted.push_back(result);
  if (op->getNumRegions() == 0) {
    for (OpOperand &operand : op->getOpOperands())
      rewire(operand, op, isLifted);
    return;
  }
  op->walk([&](Operation *nested) {
    bool takesF32 = plan.isLifted(nested);
    for (OpOperand &operand : nested->getOpOperands())
      rewire(operand, op, takesF32);
  });
}

/// Makes an operand of `consumer`, or of an operation in it, what the plan
/// says. `takesF32` says whether the operation that has it is lifted.
void PrecisionRewriter::rewire(OpOperand &operand, Operation *consumer,
                               bool takesF32) {
  Value old = operand.get();
  Operation *def = old.getDefiningOp();
  unsigned kind = plan.getKind(def);
  // Most values are what they were: no floats, or f32 that no cast makes; or
  // what a lifted node makes for another one.
  if (!(kind & NodeKinds::Cast)) {
    if (!isLowFloat(getElementOrSelf(old.getType())))
      return;
    if (takesF32 && plan.isLifted(def, kind) && !plan.isRounded(old))
      return;
  }
  Value value;
  if (takesF32) {
    // All lifted nodes get the same for a value.
    Value &entry = inF32[old];
    if (!entry)
      entry = getFor(operand, consumer);
    value = entry;
  } else {
    value = getFor(operand, consumer);
  }
  if (!chainEdges.empty() && isNode(consumer)) {
    auto edges = chainEdges.find(old);
    if (edges != chainEdges.end())
      inherited[consumer].insert_range(edges->second);
  }
  if (value != old)
    operand.set(value);
}

Value PrecisionRewriter::getFor(OpOperand &operand, Operation *consumer) {
  return getAs(plan.getSource(operand.get()), plan.getWantedType(operand),
               consumer, operand.getOperandNumber());
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
      cast.getSourceMutable().assign(value);
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
  entry =
      createCast(source, getElementOrSelf(source.getType()), consumer, index);
  entry.getDefiningOp()->moveAfter(source.getDefiningOp());
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
      cast->moveBefore(consumer);
    reused.insert(cast);
    return cast;
  }
  return {};
}

Value PrecisionRewriter::createCast(Value value, Type element,
                                    Operation *consumer, unsigned index) {
  ++numCreated;
  builder.setInsertionPoint(consumer);
  return CastOp::create(builder, consumer->getLoc(),
                        getTypeWith(value.getType(), element),
                        makeName(consumer, index), value,
                        /*after=*/ArrayAttr());
}

/// The name of a cast in front of operand `index` of `consumer`.
StringAttr PrecisionRewriter::makeName(Operation *consumer, unsigned index) {
  auto node = dyn_cast<NodeOpInterface>(consumer);
  StringRef stem = node ? node.getNodeNameAttr().getValue()
                        : consumer->getName().getStringRef();
  std::string base = (stem + "_cast" + Twine(index)).str();
  StringAttr name = builder.getStringAttr(base);
  for (unsigned i = 1; graph.lookup(name) || !newNames.insert(name).second; ++i)
    name = builder.getStringAttr(base + "_" + Twine(i));
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
    node.setAfterAttr(attrs.empty() ? ArrayAttr()
                                    : builder.getArrayAttr(attrs));
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

Type PrecisionRewriter::getTypeWith(Type type, Type element) {
  Type &entry = types[{type, element}];
  if (!entry)
    entry = withElementType(type, element);
  return entry;
}

void PrecisionRewriter::changeTypes() {
  Type f32 = builder.getF32Type();
  for (Value value : lifted) {
    value.setType(getTypeWith(value.getType(), f32));
    if (auto scalar = value.getDefiningOp<ScalarOp>())
      scalar.setValueAttr(toF32(scalar.getValue(), f32));
  }
}

void PrecisionRewriter::eraseCasts() {
  for (CastOp cast : llvm::reverse(plan.getCasts())) {
    if (reused.contains(cast))
      continue;
    // What only removed casts used goes with them.
    if (!plan.isRemoved(cast) && !(cast->use_empty() && widened.contains(cast)))
      continue;
    ++numRemoved;
    cast.erase();
  }
}
