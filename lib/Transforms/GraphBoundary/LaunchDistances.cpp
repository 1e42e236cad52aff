//===- LaunchDistances.cpp - Distances of boundary tensors ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/LaunchDistances.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

bool mlir::pypto::mayHaveSameShape(GraphTensorType a, GraphTensorType b) {
  return a.isCompatibleWith(b);
}

GraphTensorType mlir::pypto::getTypeAt(Value value, LaunchOpInterface launch) {
  if (auto param = dyn_cast<BlockArgument>(value))
    value = launch.getLaunchArgs()[param.getArgNumber()];
  return cast<GraphTensorType>(value.getType());
}

std::string mlir::pypto::describeTensor(const BoundaryPlan &plan,
                                        unsigned tensor) {
  Value value = plan.tensors[tensor].value;
  if (auto param = dyn_cast<BlockArgument>(value))
    return ("parameter '%" + plan.func.getParamName(param.getArgNumber()) + "'")
        .str();
  return isa<CreateOp>(value.getDefiningOp())
             ? "an allocation hoisted from here"
             : "a window hoisted from here";
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

/// A form of the graph function in terms of the caller of a launch. Operations
/// that are not linear are looked into only a few deep, for constants.
std::optional<AffineForm> LaunchDistances::atLaunch(const AffineForm &form,
                                                    LaunchOpInterface launch,
                                                    Origins &callerOrigins,
                                                    unsigned depth) {
  constexpr unsigned kMaxDepth = 4;
  return form.substitute([&](Value symbol) {
    auto argument = dyn_cast<BlockArgument>(symbol);
    if (argument && argument.getOwner() == &plan.func.getBody().front())
      return callerOrigins.getForms().get(
          launch.getLaunchArgs()[argument.getArgNumber()]);
    Operation *op = symbol.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || op->getNumOperands() > 3 ||
        depth == kMaxDepth)
      return AffineForm::getSymbol(symbol);
    SmallVector<AffineForm, 3> operands;
    for (Value operand : op->getOperands()) {
      AffineForm inner = origins.getForms().get(operand);
      operands.push_back(atLaunch(inner, launch, callerOrigins, depth + 1)
                             .value_or(AffineForm::getSymbol(operand)));
    }
    return AffineForms::fold(op, operands)
        .value_or(AffineForm::getSymbol(symbol));
  });
}

Origin LaunchDistances::atLaunch(const Origin &origin,
                                 LaunchOpInterface launch) {
  // An allocation is made at the launch: no other tensor there is of it.
  auto param = dyn_cast_or_null<BlockArgument>(origin.anchor);
  if (!param)
    return origin.isWindowOfRoot()
               ? atLaunch(origin, launch,
                          Origin::ofAnchor(origin.anchor, {origin.anchor}))
               : Origin();
  Value arg = launch.getLaunchArgs()[param.getArgNumber()];
  return atLaunch(origin, launch, getOriginsAt(launch).get(arg));
}

SmallVector<Origin, 2>
LaunchDistances::getAlternativesAt(const Origin &origin,
                                   LaunchOpInterface launch) {
  auto param = dyn_cast_or_null<BlockArgument>(origin.anchor);
  if (!param || !origin.isWindowOfRoot())
    return {};
  Value arg = launch.getLaunchArgs()[param.getArgNumber()];
  SmallVector<Origin, 2> alternatives =
      getOriginsAt(launch).getAlternatives(arg);
  for (Origin &alternative : alternatives) {
    alternative = atLaunch(origin, launch, alternative);
    if (!alternative.isWindowOfRoot())
      return {};
  }
  return alternatives;
}

/// `result` is where the tensor lies that is passed for the anchor.
Origin LaunchDistances::atLaunch(const Origin &origin, LaunchOpInterface launch,
                                 Origin result) {
  if (!origin.isWindowOfRoot())
    return {};
  Origins &callerOrigins = getOriginsAt(launch);
  auto substitute = [&](const AffineForm &form) {
    return atLaunch(form, launch, callerOrigins, /*depth=*/0);
  };
  if (origin.frame != origin.anchor) {
    // Counted along axes of the graph function's own.
    std::optional<AffineForm> start = result.getPosition();
    std::optional<AffineForm> inner =
        origin.frameStart ? substitute(*origin.frameStart) : std::nullopt;
    result.frameStart = start && inner ? start->plus(*inner) : std::nullopt;
    result.frame = origin.frame;
    result.offsets = Offsets(origin.offsets->size());
  }
  if (!result.offsets || result.offsets->size() != origin.offsets->size())
    return {};
  for (auto [base, offset] :
       llvm::zip_equal(*result.offsets, *origin.offsets)) {
    std::optional<AffineForm> form = substitute(offset);
    form = form ? form->plus(base) : std::nullopt;
    if (!form)
      return {};
    base = *form;
  }
  return result;
}

Distance LaunchDistances::getDistance(Value a, Value b,
                                      const LaunchGroup &group,
                                      Question question) {
  const Origin originA = origins.get(a);
  const Origin originB = origins.get(b);
  Distance unknown = measure(originA, originB, /*launch=*/nullptr);
  if (unknown.kind != Distance::Unknown || !originA.isWindowOfRoot() ||
      !originB.isWindowOfRoot())
    return unknown;
  Distance all;
  bool isFirst = true, isConstant = true, anyZero = false, anyNonZero = false,
       anyUnknown = false;
  for (LaunchOpInterface launch :
       group.getLaunches(originA.anchor, originB.anchor).all) {
    if (question == Question::IsConstant && !isConstant)
      break;
    if (question == Question::AreEqual &&
        !mayHaveSameShape(getTypeAt(a, launch), getTypeAt(b, launch)))
      continue;
    Distance here = measureAt(launch, originA, originB);
    isConstant &=
        here.kind == Distance::Constant && (isFirst || here.forms == all.forms);
    if (isFirst)
      all = here;
    isFirst = false;
    anyZero |= here.isZero() || here.kind == Distance::Mixed;
    anyNonZero |= here.isNeverZero() || here.kind == Distance::Mixed;
    anyUnknown |= here.kind == Distance::Unknown;
  }
  if (isFirst)
    return unknown;
  if (anyZero && anyNonZero)
    all.kind = Distance::Mixed;
  else if (anyUnknown)
    all.kind = Distance::Unknown;
  else if (!isConstant)
    all.kind = Distance::NonZero;
  return all;
}

bool LaunchDistances::allWhenRecorded(
    Value a, Value b, const LaunchGroup &group,
    function_ref<bool(const Distance &, const Recorder &)> test) {
  const Origin originA = origins.get(a), originB = origins.get(b);
  const Launches &launches = group.getLaunches(originA.anchor, originB.anchor);
  return llvm::all_of(launches.recorders, [&](const Recorder &recorder) {
    LaunchOpInterface launch = recorder.launch;
    Distance distance = measureAt(launch, originA, originB);
    if (recorder.isFirstIteration)
      distance.forms = atFirstIteration(distance.forms, launch);
    return test(distance, recorder);
  });
}

bool LaunchDistances::isNeverEqualWhenRecorded(Value a, Value b,
                                               const LaunchGroup &group) {
  return allWhenRecorded(
      a, b, group, [&](const Distance &distance, const Recorder &recorder) {
        return !mayHaveSameShape(getTypeAt(a, recorder.launch),
                                 getTypeAt(b, recorder.launch)) ||
               llvm::any_of(distance.forms, isNeverZero);
      });
}

bool LaunchDistances::haveOneShape(Value a, Value b, LaunchOpInterface launch) {
  GraphTensorType type = getTypeAt(a, launch);
  if (type == getTypeAt(b, launch) && type.hasStaticShape())
    return true;
  auto paramA = dyn_cast<BlockArgument>(a), paramB = dyn_cast<BlockArgument>(b);
  const IdentityLineage &identity = getOriginsAt(launch).getIdentity();
  OperandRange args = launch.getLaunchArgs();
  return paramA && paramB &&
         identity.getSource(args[paramA.getArgNumber()]) ==
             identity.getSource(args[paramB.getArgNumber()]);
}
