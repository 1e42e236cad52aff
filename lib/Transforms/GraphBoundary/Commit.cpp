//===- Commit.cpp - Carrying out the plan of a graph function -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All changes go through a rewriter. Launches come first: they clone operations
// of the body, which is changed after that. Functions do not reach into one
// another, so those that launch graphs can be changed at the same time, and
// then the graph functions.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ScalarComputation.h"
#include "Transforms/GraphBoundary/Plan.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Threading.h"

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
  }

  /// Where the operations at a launch come from. Making locations takes most of
  /// the time and needs nothing but the context. Constants, which are soon
  /// merged with their equals and lose theirs, share one.
  SmallVector<Location, 0> makeLocations(LaunchOpInterface launch) const {
    Location at = launch->getLoc();
    Location ofConstants = CallSiteLoc::get(func->getLoc(), at);
    return llvm::map_to_vector<0>(steps, [&](const LaunchStep &step) {
      return isConstantOp(step.op)
                 ? ofConstants
                 : Location(CallSiteLoc::get(step.op->getLoc(), at));
    });
  }

  /// Changes nothing but the function around the launch.
  void rewrite(LaunchOpInterface launch, ArrayRef<Location> locations,
               RewriterBase &rewriter) const {
    rewriter.setInsertionPoint(launch);
    SmallVector<Value> values(launch.getLaunchArgs());
    for (auto [step, loc] : llvm::zip_equal(steps, locations))
      runStep(step, loc, values, rewriter);
    if (!arguments.empty())
      rewriter.modifyOpInPlace(launch, [&] {
        appendArguments(launch,
                        llvm::map_to_vector(
                            arguments, [&](unsigned i) { return values[i]; }),
                        rewriter);
      });
  }

private:
  static void runStep(const LaunchStep &step, Location loc,
                      SmallVectorImpl<Value> &values, RewriterBase &rewriter) {
    Operation *op = step.op;
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
  /// Launches without directions get them with their first argument.
  bool directsFirst = false;
};

/// A launch to rewrite, and how.
struct LaunchTask {
  LaunchOpInterface launch;
  const LaunchRewriter *rewriter;
  SmallVector<Location, 0> locations;
};
} // namespace

void mlir::pypto::commitLaunches(ArrayRef<BoundaryPlan> plans,
                                 MLIRContext *context) {
  SmallVector<LaunchRewriter, 0> rewriters;
  rewriters.reserve(plans.size());
  SmallVector<LaunchTask, 0> tasks;
  for (const BoundaryPlan &plan : plans) {
    if (plan.func.isExternal() || plan.launches.empty())
      continue;
    const LaunchRewriter &rewriter = rewriters.emplace_back(plan);
    for (LaunchOpInterface launch : plan.launches)
      tasks.push_back({launch, &rewriter, {}});
  }
  // Many launches may stand in one function, which one thread changes.
  parallelForEach(context, tasks, [](LaunchTask &task) {
    task.locations = task.rewriter->makeLocations(task.launch);
  });
  llvm::MapVector<Operation *, SmallVector<const LaunchTask *>> tasksOf;
  for (const LaunchTask &task : tasks)
    tasksOf[task.launch->getParentOfType<FuncOp>()].push_back(&task);
  parallelForEach(context, tasksOf, [&](auto &entry) {
    IRRewriter rewriter(context);
    for (const LaunchTask *task : entry.second)
      task->rewriter->rewrite(task->launch, task->locations, rewriter);
  });
}

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
      attrs.push_back(
          FuncOp::getParamAttrs(func.getContext(), getDirection(i), name));
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

void mlir::pypto::commitFunction(BoundaryPlan &plan, RewriterBase &rewriter) {
  if (plan.func.isExternal())
    return;
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
    rewriter.replaceOp(op, params.lookup(plan.resolve(op->getResult(0))));
  for (Operation *op : plan.erased)
    rewriter.eraseOp(op);
  setSlots(plan, rewriter);
}
