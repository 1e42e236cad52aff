//===- Commit.cpp - Carrying out the plan of a graph function -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All changes go through the rewriter, so that listeners see them. Launches
// come first: they clone operations of the body, which is changed after that.
// Graph functions do not reach into one another, so their bodies can be changed
// at the same time.
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Plan.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// Rebuilds the hoisted values in front of the launches. What is the same at
/// all of them is prepared once: which value each operand is, as a number, and
/// the directions of the new arguments.
class LaunchRewriter {
public:
  LaunchRewriter(const BoundaryPlan &plan, RewriterBase &rewriter)
      : rewriter(rewriter) {
    for (BlockArgument param : plan.func.getArguments())
      addValue(param);
    // Scalars first: offsets usually are some.
    for (Operation *op : plan.recomputed)
      addStep(op, plan);
    for (CreateOp create : plan.hoistedAllocs)
      addStep(create, plan);
    for (Operation *view : plan.hoistedViews)
      addStep(view, plan);
    for (Value alloc : plan.allocParams)
      addArgument(alloc, ArgDirection::InOut);
    for (Value view : plan.viewParams)
      addArgument(view, plan.getViewDirection(view) == ParamDirection::In
                            ? ArgDirection::Input
                            : ArgDirection::InOut);
    for (Value scalar : plan.scalarParams)
      addArgument(scalar, ArgDirection::Scalar);
  }

  void rewrite(LaunchOpInterface launch) {
    rewriter.setInsertionPoint(launch);
    SmallVector<Value> values(launch.getLaunchArgs());
    for (const Step &step : steps)
      runStep(step, launch->getLoc(), values);
    if (!arguments.empty())
      rewriter.modifyOpInPlace(launch, [&] {
        appendArguments(launch, llvm::map_to_vector(arguments, [&](unsigned i) {
                          return values[i];
                        }));
      });
  }

private:
  /// An operation to make again, and the numbers of its operands.
  struct Step {
    Operation *op;
    SmallVector<unsigned, 4> operands;
  };

  void addValue(Value value) { numbers.try_emplace(value, numbers.size()); }

  void addStep(Operation *op, const BoundaryPlan &plan) {
    Step &step = steps.emplace_back(Step{op, {}});
    for (Value operand : op->getOperands())
      step.operands.push_back(numbers.lookup(plan.resolve(operand)));
    for (Value result : op->getResults())
      addValue(result);
  }

  void addArgument(Value value, ArgDirection direction) {
    arguments.push_back(numbers.lookup(value));
    directions.push_back(
        ArgDirectionAttr::get(rewriter.getContext(), direction));
  }

  void runStep(const Step &step, Location launchLoc,
               SmallVectorImpl<Value> &values) {
    Operation *op = step.op;
    Location loc = CallSiteLoc::get(op->getLoc(), launchLoc);
    SmallVector<Value, 4> operands;
    for (unsigned number : step.operands)
      operands.push_back(values[number]);
    // The launch may know more of the extents than the parameter says; a
    // reshape is checked against what it says.
    if (auto view = dyn_cast<ViewOp>(op);
        view && operands.front().getType() != view.getSource().getType())
      operands.front() = CastOp::create(
          rewriter, loc, view.getSource().getType(), operands.front());
    Operation *copy = Operation::create(
        loc, op->getName(), op->getResultTypes(), operands,
        op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
        /*successors=*/{}, /*numRegions=*/0);
    rewriter.insert(copy);
    llvm::append_range(values, copy->getResults());
  }

  void appendArguments(LaunchOpInterface launch, ValueRange args) {
    if (ArrayAttr old = launch.getLaunchDirections()) {
      SmallVector<Attribute> all(old.begin(), old.end());
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

  RewriterBase &rewriter;
  DenseMap<Value, unsigned> numbers;
  SmallVector<Step> steps;
  /// The values of the new arguments and their directions.
  SmallVector<unsigned> arguments;
  SmallVector<Attribute> directions;
};
} // namespace

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

ParamDirection BoundaryPlan::getViewDirection(Value view) const {
  Value root = view;
  while (Operation *op = root.getDefiningOp()) {
    if (isa<CreateOp>(op))
      return ParamDirection::InOut;
    root = resolve(op->getOperand(0));
  }
  unsigned index = cast<BlockArgument>(root).getArgNumber();
  return func.getParamDirection(index) == ParamDirection::In
             ? ParamDirection::In
             : ParamDirection::InOut;
}

/// Appends the parameters of the plan; returns the new arguments by the values
/// they stand for.
static DenseMap<Value, Value> appendParams(BoundaryPlan &plan,
                                           RewriterBase &rewriter) {
  FuncOp func = plan.func;
  llvm::StringSet<> names;
  for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
    names.insert(func.getParamName(i));

  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attrs;
  auto add = [&](ArrayRef<Value> group, StringRef prefix, auto getDirection) {
    unsigned number = 0;
    for (Value value : group) {
      std::string name;
      do
        name = (prefix + Twine(number++)).str();
      while (!names.insert(name).second);
      values.push_back(value);
      attrs.push_back(
          FuncOp::getParamAttrs(func.getContext(), getDirection(value), name));
    }
  };
  add(plan.allocParams, "alloc", [](Value) { return ParamDirection::InOut; });
  add(plan.viewParams, "view",
      [&](Value view) { return plan.getViewDirection(view); });
  add(plan.scalarParams, "scalar", [](Value) { return ParamDirection::In; });

  DenseMap<Value, Value> params;
  if (values.empty())
    return params;
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

void mlir::pypto::commitLaunches(const BoundaryPlan &plan,
                                 RewriterBase &rewriter) {
  if (plan.func.isExternal())
    return;
  LaunchRewriter launchRewriter(plan, rewriter);
  for (LaunchOpInterface launch : plan.launches)
    launchRewriter.rewrite(launch);
}

void mlir::pypto::commitFunction(BoundaryPlan &plan, RewriterBase &rewriter) {
  if (plan.func.isExternal())
    return;
  DenseMap<Value, Value> params = appendParams(plan, rewriter);
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
    rewriter.replaceOp(op, params.lookup(plan.resolve(op->getResult(0))));
  for (Operation *op : plan.erased)
    rewriter.eraseOp(op);
  setSlots(plan, rewriter);
}
