//===- Commit.cpp - Carrying out the plan of a graph function -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All changes go through the rewriter, so that listeners see them. Launches
// come first: they clone operations of the body, which is changed after that.
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Plan.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// Rebuilds hoisted values in front of one launch.
class LaunchRewriter {
public:
  LaunchRewriter(BoundaryPlan &plan, LaunchOpInterface launch,
                 RewriterBase &rewriter)
      : plan(plan), launch(launch), rewriter(rewriter) {
    for (auto [param, arg] :
         llvm::zip(plan.func.getArguments(), launch.getLaunchArgs()))
      values[param] = arg;
  }

  void run() {
    rewriter.setInsertionPoint(launch);
    // Scalars first: offsets usually are some.
    for (Operation *op : plan.recomputed)
      clone(op);
    for (CreateOp create : plan.hoistedAllocs)
      clone(create);
    for (Operation *view : plan.hoistedViews)
      clone(view);
    appendArguments();
  }

private:
  Value lookup(Value value) { return values.lookup(plan.resolve(value)); }

  void clone(Operation *op) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Value mapped = lookup(operand);
      // The launch may know more of the extents than the parameter says; a
      // reshape is checked against what it says.
      if (isa<ViewOp>(op) && isa<GraphTensorType>(operand.getType()) &&
          mapped.getType() != operand.getType())
        mapped =
            CastOp::create(rewriter, op->getLoc(), operand.getType(), mapped);
      mapping.map(operand, mapped);
    }
    Operation *copy = rewriter.clone(*op, mapping);
    copy->setLoc(CallSiteLoc::get(op->getLoc(), launch->getLoc()));
    for (auto [result, copied] :
         llvm::zip_equal(op->getResults(), copy->getResults()))
      values[result] = copied;
  }

  void appendArguments() {
    SmallVector<Value> args;
    SmallVector<Attribute> directions;
    auto append = [&](ArrayRef<Value> params, auto getDirection) {
      for (Value param : params) {
        args.push_back(values.lookup(param));
        directions.push_back(
            ArgDirectionAttr::get(launch->getContext(), getDirection(param)));
      }
    };
    append(plan.allocParams, [](Value) { return ArgDirection::InOut; });
    append(plan.viewParams, [&](Value view) {
      return plan.getViewDirection(view) == ParamDirection::In
                 ? ArgDirection::Input
                 : ArgDirection::InOut;
    });
    append(plan.scalarParams, [](Value) { return ArgDirection::Scalar; });
    if (args.empty())
      return;
    rewriter.modifyOpInPlace(launch, [&] {
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
    });
  }

  BoundaryPlan &plan;
  LaunchOpInterface launch;
  RewriterBase &rewriter;
  /// What the values of the body are at this launch.
  DenseMap<Value, Value> values;
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

void mlir::pypto::commitBoundary(BoundaryPlan &plan, RewriterBase &rewriter) {
  if (plan.func.isExternal())
    return;
  for (LaunchOpInterface launch : plan.launches)
    LaunchRewriter(plan, launch, rewriter).run();

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
