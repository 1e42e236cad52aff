//===- Commit.cpp - Carrying out the plan of a graph function -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All changes go through a rewriter. Launches get copies of operations of the
// body, which is changed after that; what the body then needs no more is not
// copied for the last launch, but moved there. One thread does it all: most of
// the time goes into attributes and operations, for which threads would wait
// for each other.
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Plan.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Whether the first task of the function that has operands has directions.
static bool hasDirectedTasks(FuncOp func) {
  bool isDirected = false;
  func.walk([&](LaunchOpInterface task) {
    if (task.getLaunchArgs().empty())
      return WalkResult::advance();
    isDirected = task.getLaunchDirections() != nullptr;
    return WalkResult::interrupt();
  });
  return isDirected;
}

namespace {
/// Rebuilds what a plan says in front of launches. The directions of the new
/// arguments are the same at all of them.
class LaunchRewriter {
public:
  explicit LaunchRewriter(const BoundaryPlan &plan)
      : func(plan.func), steps(plan.steps), arguments(plan.arguments) {
    MLIRContext *context = plan.func.getContext();
    auto add = [&](ArgDirection direction, size_t count) {
      directions.append(count, ArgDirectionAttr::get(context, direction));
    };
    add(ArgDirection::InOut, plan.allocParams.size());
    for (ParamDirection direction : plan.viewDirections)
      add(direction == ParamDirection::In ? ArgDirection::Input
                                          : ArgDirection::InOut,
          1);
    add(ArgDirection::Scalar, plan.scalarParams.size());
    // A launch without operands does not tell whether directions were derived;
    // the tasks behind it do.
    directsFirst = func.getNumArguments() == 0 && hasDirectedTasks(func);
    locateSteps();
  }

  /// Makes what the launch needs, and passes it. With `mayMove` operations that
  /// the body needs no more are taken out of it.
  void rewrite(LaunchOpInterface launch, bool mayMove,
               RewriterBase &rewriter) const {
    rewriter.setInsertionPoint(launch);
    SmallVector<Value> values(launch.getLaunchArgs());
    SmallVector<Location> locs =
        llvm::map_to_vector(passed, [&](Operation *op) -> Location {
          return CallSiteLoc::get(op->getLoc(), launch->getLoc());
        });
    for (auto [step, number] : llvm::zip_equal(steps, locationOf)) {
      Location loc = locs[number];
      Operation *op = mayMove && step.isMovable
                          ? moveStep(step, loc, values, launch, rewriter)
                          : copyStep(step, loc, values, rewriter);
      llvm::append_range(values, op->getResults());
    }
    if (!arguments.empty())
      rewriter.modifyOpInPlace(launch, [&] {
        appendArguments(launch,
                        llvm::map_to_vector(
                            arguments, [&](unsigned i) { return values[i]; }),
                        rewriter);
      });
  }

private:
  /// Every step is located, in the launch, at the argument it is made for: what
  /// is passed as it is, or (if that is known) the first step that uses it. One
  /// location for each operation of each launch would take longer to make than
  /// the operations.
  void locateSteps() {
    constexpr unsigned kNone = ~0u;
    SmallVector<unsigned> stepOf(func.getNumArguments(), kNone);
    for (auto [i, step] : llvm::enumerate(steps))
      stepOf.append(step.op->getNumResults(), i);
    locationOf.assign(steps.size(), kNone);
    auto pass = [&](unsigned step) {
      locationOf[step] = passed.size();
      passed.push_back(steps[step].op);
    };
    llvm::BitVector isPassed(steps.size());
    for (unsigned number : arguments)
      if (unsigned step = stepOf[number]; step != kNone && !isPassed[step]) {
        isPassed.set(step);
        pass(step);
      }
    auto isKnown = [](Operation *op) { return !isa<UnknownLoc>(op->getLoc()); };
    for (unsigned i = steps.size(); i-- != 0;) {
      if (locationOf[i] == kNone ||
          (!isKnown(passed[locationOf[i]]) && isKnown(steps[i].op)))
        pass(i);
      for (unsigned number : steps[i].operands)
        if (unsigned step = stepOf[number]; step != kNone && !isPassed[step])
          locationOf[step] = locationOf[i];
    }
  }

  /// What the step reads at a launch.
  static SmallVector<Value, 4> getOperands(const LaunchStep &step, Location loc,
                                           ArrayRef<Value> values,
                                           RewriterBase &rewriter) {
    SmallVector<Value, 4> operands;
    for (unsigned number : step.operands)
      operands.push_back(values[number]);
    // The launch may know more of the extents than the parameter says; a
    // reshape is checked against what it says.
    if (step.sourceType && operands.front().getType() != step.sourceType)
      operands.front() =
          CastOp::create(rewriter, loc, step.sourceType, operands.front());
    return operands;
  }

  static Operation *copyStep(const LaunchStep &step, Location loc,
                             ArrayRef<Value> values, RewriterBase &rewriter) {
    Operation *op = step.op;
    Operation *copy = Operation::create(
        loc, op->getName(), op->getResultTypes(),
        getOperands(step, loc, values, rewriter), op->getRawDictionaryAttrs(),
        op->getPropertiesStorage(), /*successors=*/{}, /*numRegions=*/0);
    return rewriter.insert(copy);
  }

  static Operation *moveStep(const LaunchStep &step, Location loc,
                             ArrayRef<Value> values, LaunchOpInterface launch,
                             RewriterBase &rewriter) {
    rewriter.modifyOpInPlace(step.op, [&] {
      step.op->setOperands(getOperands(step, loc, values, rewriter));
      step.op->setLoc(loc);
    });
    rewriter.moveOpBefore(step.op, launch);
    return step.op;
  }

  void appendArguments(LaunchOpInterface launch, ValueRange args,
                       RewriterBase &rewriter) const {
    ArrayAttr old = launch.getLaunchDirections();
    if (old || directsFirst) {
      SmallVector<Attribute> all;
      if (old)
        llvm::append_range(all, old);
      llvm::append_range(all, directions);
      launch.setLaunchDirections(rewriter.getArrayAttr(all));
    }
    launch.getLaunchArgsMutable().append(args);
    // Attributes of operands have one entry each.
    auto call = dyn_cast<CallOp>(launch.getOperation());
    if (ArrayAttr old = call ? call.getArgAttrsAttr() : ArrayAttr()) {
      SmallVector<Attribute> all(old.begin(), old.end());
      all.resize(call.getArgs().size(), rewriter.getDictionaryAttr({}));
      call.setArgAttrsAttr(rewriter.getArrayAttr(all));
    }
  }

  FuncOp func;
  ArrayRef<LaunchStep> steps;
  ArrayRef<unsigned> arguments;
  SmallVector<Attribute> directions;
  /// The operations the steps are located at, and for each step which of them.
  SmallVector<Operation *> passed;
  SmallVector<unsigned> locationOf;
  /// Launches without directions get them with their first argument.
  bool directsFirst = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

using ParamMap = llvm::SmallDenseMap<Value, Value, 8>;

/// Appends the parameters of the plan; returns the new arguments by the values
/// they stand for.
static ParamMap appendParams(BoundaryPlan &plan, RewriterBase &rewriter) {
  FuncOp func = plan.func;
  ParamMap params;
  if (plan.arguments.empty())
    return params;
  llvm::SmallDenseSet<StringAttr, 16> names;
  for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
    names.insert(func.getParamNameAttr(i));

  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attrs;
  auto add = [&](ArrayRef<Value> group, StringRef prefix, auto getDirection) {
    unsigned number = 0;
    for (auto [i, value] : llvm::enumerate(group)) {
      StringAttr name;
      do
        name = rewriter.getStringAttr(prefix + Twine(number++));
      while (!names.insert(name).second);
      values.push_back(value);
      attrs.push_back(FuncOp::getParamAttrs(getDirection(i), name));
    }
  };
  add(plan.allocParams, "alloc", [](size_t) { return ParamDirection::InOut; });
  add(plan.viewParams, "view",
      [&](size_t i) { return plan.viewDirections[i]; });
  add(plan.scalarParams, "scalar", [](size_t) { return ParamDirection::In; });

  unsigned first = func.getNumArguments();
  SmallVector<unsigned> positions(values.size(), first);
  SmallVector<Location> locs =
      llvm::map_to_vector(values, [](Value value) { return value.getLoc(); });
  rewriter.modifyOpInPlace(func, [&] {
    // Fails only when the type cannot change, and a function type can.
    (void)func.insertArguments(positions, TypeRange(ValueRange(values)), attrs,
                               locs);
  });
  for (auto [i, value] : llvm::enumerate(values))
    params[value] = func.getArgument(first + i);
  return params;
}

static void setSlots(BoundaryPlan &plan, RewriterBase &rewriter) {
  FuncOp func = plan.func;
  StringRef name = GraphDialect::kSlotsAttrName;
  Attribute slots;
  if (!plan.slots.empty())
    slots = rewriter.getDenseI64ArrayAttr(plan.slots);
  if (func->getDiscardableAttr(name) == slots)
    return;
  rewriter.modifyOpInPlace(func, [&] {
    if (slots)
      func->setDiscardableAttr(name, slots);
    else
      func->removeDiscardableAttr(name);
  });
}

/// Puts parameters in the place of what the launches pass, so that nothing in
/// the body reads what is to go.
static void replaceUses(BoundaryPlan &plan, RewriterBase &rewriter) {
  ParamMap params = appendParams(plan, rewriter);
  for (auto &[operand, value] : plan.slotUses) {
    Value slot = params.lookup(value);
    if (!slot)
      slot = value; // a parameter that was there
    rewriter.modifyOpInPlace(operand->getOwner(),
                             [&, operand = operand] { operand->set(slot); });
  }
  for (AliasOp alias : plan.aliases)
    rewriter.replaceOp(alias, alias.getSource());
  for (Operation *op : plan.replaced)
    rewriter.replaceAllUsesWith(op->getResult(0),
                                params.lookup(plan.resolve(op->getResult(0))));
}

void mlir::pypto::commit(BoundaryPlan &plan, RewriterBase &rewriter) {
  FuncOp func = plan.func;
  if (func.isExternal())
    return;
  LaunchRewriter launchRewriter(plan);
  for (LaunchOpInterface launch :
       plan.launches.drop_back(!plan.launches.empty()))
    launchRewriter.rewrite(launch, /*mayMove=*/false, rewriter);
  replaceUses(plan, rewriter);
  if (!plan.launches.empty())
    launchRewriter.rewrite(plan.launches.back(), /*mayMove=*/true, rewriter);
  // What was replaced has no uses any more, and may use what is erased.
  for (ArrayRef<Operation *> ops :
       {ArrayRef(plan.replaced), ArrayRef(plan.erased)})
    for (Operation *op : ops)
      if (func->isProperAncestor(op))
        rewriter.eraseOp(op);
  setSlots(plan, rewriter);
}
