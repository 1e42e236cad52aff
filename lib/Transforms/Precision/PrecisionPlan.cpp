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

PrecisionPlan::PrecisionPlan(Block &body, const PrecisionOptions &options)
    : options(options), kinds(options.blacklist) {
  applicable = classify(body);
  if (!applicable)
    return;
  for (CastOp cast : casts)
    visitCast(cast);
}

/// Looks at all nodes, before anything changes, and says whether any may
/// change. Uses come after definitions in the text, so one pass from the end on
/// sees the whole way of a value.
bool PrecisionPlan::classify(Block &body) {
  bool anyComputes = false, anyLifts = false;
  for (Operation &op : llvm::reverse(body)) {
    unsigned kind = kinds.get(&op);
    if (kind & NodeKinds::Pinning)
      return false;
    if (kind & NodeKinds::Computing) {
      anyComputes = true;
      anyLifts |= (kind & NodeKinds::Lifted) != 0;
    }
    visitUses(&op, kind);
  }
  std::reverse(casts.begin(), casts.end());
  return anyLifts || !anyComputes;
}

void PrecisionPlan::visitUses(Operation *op, unsigned kind) {
  if (kind & NodeKinds::Cast)
    casts.push_back(cast<CastOp>(op));
  // A constant that only operations take that keep their type keeps its own.
  if ((kind & NodeKinds::Scalar) &&
      llvm::none_of(op->getUsers(),
                    [&](Operation *user) { return isLifted(user); }))
    keptScalars.insert(op);
  if (!options.preserveSharedRounding)
    return;
  bool isLink = (kind & (NodeKinds::Cast | NodeKinds::Move)) != 0;
  if (!isLink && !(kind & NodeKinds::Computing && kind & NodeKinds::Lifted))
    return;
  for (Value result : op->getResults()) {
    bool isLow = isLowFloat(getElement(result));
    if (!isLink && !isLow)
      continue;
    unsigned bits = getReach(result);
    // What most values do is not kept: be computed with.
    if (isLink && bits != (Compute | DirectOther))
      reach.try_emplace(result, bits);
    if (!isLow || !isShared(result, bits))
      continue;
    if (kind & NodeKinds::Cast)
      shared.insert(result);
    else if (!isLink)
      rounded.insert(result);
  }
}

//===----------------------------------------------------------------------===//
// Shared roundings
//===----------------------------------------------------------------------===//

unsigned PrecisionPlan::getReach(Value value) const {
  unsigned bits = 0;
  for (OpOperand &use : value.getUses())
    bits |= getReachOfUse(use);
  return bits;
}

unsigned PrecisionPlan::getReachOfUse(OpOperand &use) const {
  Operation *user = use.getOwner();
  unsigned kind = getKind(user);
  if (kind & NodeKinds::Store) {
    Type element = getElement(use.get());
    if (isa<Float16Type>(element))
      return StoreF16 | DirectStore;
    return isa<BFloat16Type>(element) ? StoreBF16 | DirectStore : DirectStore;
  }
  if (!(kind & (NodeKinds::Move | NodeKinds::Cast)))
    return Compute | DirectOther;
  Value made = user->getResult(0);
  auto it = reach.find(made);
  unsigned bits = it == reach.end() ? unsigned(Compute) : it->second;
  bits &= StoreF16 | StoreBF16 | Compute;
  Type result = getElement(made);
  if ((kind & NodeKinds::Move) || isa<Float32Type, Float64Type>(result))
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
bool PrecisionPlan::isShared(Value value, unsigned bits) const {
  unsigned store = isa<Float16Type>(getElement(value)) ? StoreF16 : StoreBF16;
  return ((bits & DirectStore) && (bits & DirectOther)) ||
         ((bits & store) && (bits & Compute));
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

void PrecisionPlan::visitCast(CastOp cast) {
  if (getKind(cast) & NodeKinds::Blacklisted)
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
  if (shared.contains(result) && getNewType(source) != to &&
      isa<Float32Type>(from))
    return;
  sources[result] = source;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

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
    if (getKind(op) & NodeKinds::Blacklisted)
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
