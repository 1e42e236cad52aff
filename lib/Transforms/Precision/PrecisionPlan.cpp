//===- PrecisionPlan.cpp - What becomes of the types of a kernel ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Precision/PrecisionPlan.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

/// f16, bf16 and f32: the types whose casts into each other are moved.
static bool isMovable(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type>(type);
}

static Type getElement(Value value) {
  return getElementOrSelf(value.getType());
}

/// Whether the node only moves elements, so that rounding before and after it
/// is the same.
static bool isMove(Operation *op) { return isa<BroadcastOp, TransposeOp>(op); }

/// Whether a node computes, as opposed to reading, writing and converting.
static bool isComputing(Operation *op) {
  return isNode(op) && !isa<LoadOp, StoreOp, ScalarOp, CastOp>(op);
}

PrecisionPlan::PrecisionPlan(Block &body, const PrecisionOptions &options)
    : options(options) {
  applicable = classify(body);
  if (!applicable)
    return;
  for (ScalarOp scalar : scalars)
    visitScalar(scalar);
  if (options.preserveSharedRounding)
    computeReach();
  for (CastOp cast : casts)
    visitCast(cast);
}

bool PrecisionPlan::isBlacklisted(Operation *op) const {
  return !options.blacklist.empty() &&
         options.blacklist.contains(op->getName().stripDialect());
}

/// Finds the nodes that matter, and whether any may change.
bool PrecisionPlan::classify(Block &body) {
  bool anyComputes = false, anyLifts = false;
  for (Operation &op : body) {
    if (auto cast = dyn_cast<CastOp>(op)) {
      casts.push_back(cast);
      links.push_back(cast);
    } else if (auto scalar = dyn_cast<ScalarOp>(op)) {
      scalars.push_back(scalar);
    } else if (isa<MatmulOp, ConcatOp, SplitOp>(op)) {
      return false;
    } else if (isComputing(&op)) {
      if (isMove(&op))
        links.push_back(&op);
      anyComputes = true;
      anyLifts |= !isBlacklisted(&op);
    }
  }
  return anyLifts || !anyComputes;
}

/// A constant that only operations take that keep their type keeps its own.
void PrecisionPlan::visitScalar(ScalarOp scalar) {
  if (llvm::none_of(scalar->getUsers(),
                    [&](Operation *user) { return isLifted(user); }))
    keptScalars.insert(scalar);
}

//===----------------------------------------------------------------------===//
// Shared roundings
//===----------------------------------------------------------------------===//

/// Uses come after definitions in the text, so one pass from the end on sees
/// the whole way of a value. What most values do is not kept: be computed with.
void PrecisionPlan::computeReach() {
  for (Operation *op : llvm::reverse(links)) {
    unsigned bits = getReach(op->getResult(0));
    if (bits != (Compute | DirectOther))
      reach.try_emplace(op->getResult(0), bits);
  }
}

unsigned PrecisionPlan::getReach(Value value) const {
  unsigned bits = 0;
  for (OpOperand &use : value.getUses())
    bits |= getReachOfUse(use);
  return bits;
}

unsigned PrecisionPlan::getReachOfUse(OpOperand &use) const {
  Operation *user = use.getOwner();
  Type element = getElement(use.get());
  if (isa<StoreOp>(user)) {
    if (isa<Float16Type>(element))
      return StoreF16 | DirectStore;
    return isa<BFloat16Type>(element) ? StoreBF16 | DirectStore : DirectStore;
  }
  if (user->getNumResults() != 1 || !(isMove(user) || isa<CastOp>(user)))
    return Compute | DirectOther;
  auto it = reach.find(user->getResult(0));
  unsigned bits = it == reach.end() ? unsigned(Compute) : it->second;
  bits &= StoreF16 | StoreBF16 | Compute;
  Type result = getElement(user->getResult(0));
  if (isMove(user) || isa<Float32Type, Float64Type>(result))
    return bits | DirectOther;
  // What is stored in the other type after this cast is another value.
  if (isa<Float16Type>(result))
    return (bits & ~StoreBF16) | DirectOther;
  if (isa<BFloat16Type>(result))
    return (bits & ~StoreF16) | DirectOther;
  return Compute | DirectOther;
}

/// A rounded value that is stored is observable; what is computed from it must
/// be computed from the same value.
bool PrecisionPlan::isShared(Value value) const {
  if (!options.preserveSharedRounding || !isLowFloat(getElement(value)) ||
      value.use_empty())
    return false;
  // The one consumer is a computation or a store, or a link behind which there
  // may be both.
  if (value.hasOneUse())
    return computeShared(value);
  auto [it, isNew] = shared.try_emplace(value, false);
  if (isNew)
    it->second = computeShared(value);
  return it->second;
}

bool PrecisionPlan::computeShared(Value value) const {
  unsigned bits = getReach(value);
  unsigned store = isa<Float16Type>(getElement(value)) ? StoreF16 : StoreBF16;
  return ((bits & DirectStore) && (bits & DirectOther)) ||
         ((bits & store) && (bits & Compute));
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

void PrecisionPlan::visitCast(CastOp cast) {
  if (isBlacklisted(cast))
    return;
  Value result = cast.getResult();
  Type from = getElement(cast.getSource()), to = getElement(result);
  Value source = getSource(cast.getSource());
  if (from == to) {
    sources[result] = source;
    return;
  }
  if (isa<Float64Type>(from)) {
    // Back from a type that holds every value of the one before.
    source = widened.lookup(source);
    if (!source)
      return;
    from = getNewType(source);
  }
  if (isMovable(from) && isa<Float64Type>(to)) {
    widened[result] = source;
    return;
  }
  if (!isMovable(from) || !isMovable(to))
    return;
  // The value may be of that type already: then nothing is rounded here.
  if (isShared(result) && getNewType(source) != to && isa<Float32Type>(from))
    return;
  sources[result] = source;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool PrecisionPlan::isLifted(Operation *op) const {
  return (isComputing(op) ||
          (isa<ScalarOp>(op) && !keptScalars.contains(op))) &&
         !isBlacklisted(op);
}

Type PrecisionPlan::getNewType(Value value) const {
  Type element = getElement(value);
  Operation *op = value.getDefiningOp();
  if (op && isLowFloat(element) && isLifted(op) && !isRounded(value))
    return Float32Type::get(element.getContext());
  return element;
}

Type PrecisionPlan::getWantedType(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  Type element = getElement(operand.get());
  if (isLifted(op) && isLowFloat(element))
    return Float32Type::get(element.getContext());
  if (auto cast = dyn_cast<CastOp>(op)) {
    if (isBlacklisted(op))
      return element;
    Type to = getElement(cast.getResult());
    if (isMovable(element) && isa<Float64Type>(to))
      return {};
    // The rounding that stays starts from the f32 value.
    if (isLowFloat(to) && isa<Float64Type>(element) &&
        widened.contains(getSource(operand.get())))
      return Float32Type::get(element.getContext());
  }
  return element;
}

bool PrecisionPlan::isRounded(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && isComputing(op) && isLifted(op) && !isMove(op) &&
         isShared(value);
}
