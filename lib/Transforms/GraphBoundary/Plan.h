//===- Plan.h - What legalize-graph-boundary is going to do -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass reads the module once (`GraphModule`), plans every graph function
// (`BoundaryPlan`) with all checks on the plan, and only when nothing was
// refused commits the plans. Until then the module is not touched.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_PLAN_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_PLAN_H

#include "Analysis/IdentityLineage.h"
#include "Graph/Graph.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace mlir::pypto {
class HostLaunches;

/// What the runtime's tables hold at most.
inline constexpr unsigned kMaxBoundaryTensors = 128;
inline constexpr unsigned kMaxBoundaryScalars = 64;
inline constexpr unsigned kMaxNodes = 1024;
inline constexpr unsigned kMaxTaskTensors = 32;
inline constexpr unsigned kMaxTaskScalars = 16;
inline constexpr unsigned kMaxTaskDeps = 128;

/// What the pass reads of the whole module in one walk.
struct GraphModule {
  /// Graph functions with their launches, both in module order.
  llvm::MapVector<Operation *, SmallVector<graph::LaunchOpInterface>> graphs;
  /// Calls of orchestration and opaque functions, for who passes what on.
  SmallVector<graph::CallOp> hostCalls;

  /// Collects, and reports uses of a graph's symbol that are no launches and
  /// required properties that do not hold. Fails when something was reported.
  /// `hostLaunches` sees the same walk.
  LogicalResult collect(ModuleOp module, CalleeTies &ties,
                        HostLaunches &hostLaunches);
  /// The functions that launch graphs.
  SmallVector<graph::FuncOp> getLaunchers() const;
};

/// A window that stays in the body.
struct KeptWindow {
  /// The `graph.slice` or `graph.view`.
  Operation *op;
  /// The boundary tensors it may be a window of, by the value that names them.
  SmallVector<Value, 1> bases;
  /// Whether every path from the only base to the window is known.
  bool isChain = true;
};

/// A boundary tensor after the pass: a tensor parameter or a hoisted value.
struct BoundaryTensor {
  /// The parameter, `graph.create`, `graph.slice` or `graph.view`.
  Value value;
  graph::GraphTensorType type;
  /// Whether a task takes it as an operand as it is.
  bool isOperand = false;
};

/// An operation that the launches make again. Values at a launch have numbers:
/// first what it passes, then the results of the steps in order.
struct LaunchStep {
  Operation *op;
  /// The numbers of the operands.
  SmallVector<unsigned, 3> operands;
  /// The type the first operand must have, when that matters.
  Type sourceType;
  /// Whether the body does not need the operation once the plan is carried out.
  bool isMovable = false;
};

/// What happens to one graph function and its launches.
struct BoundaryPlan {
  explicit BoundaryPlan(graph::FuncOp func) : func(func) {}

  mutable graph::FuncOp func;
  ArrayRef<graph::LaunchOpInterface> launches;
  std::unique_ptr<IdentityLineage> identity;

  /// Scalar operations the launches recompute, each value once, in order.
  SmallVector<Operation *> recomputed;
  /// Allocations made, and windows taken, at the launches, in order.
  SmallVector<graph::CreateOp> hoistedAllocs;
  SmallVector<Operation *> hoistedViews;
  /// All of these: scalars first, since offsets usually are some.
  SmallVector<LaunchStep, 0> steps;
  /// The value that stands for an equal one at the launches (not for itself).
  DenseMap<Value, Value> leaders;

  /// The new parameters, in order: allocations, windows, scalars.
  SmallVector<Value> allocParams, viewParams, scalarParams;
  /// The directions of `viewParams`: those of their roots.
  SmallVector<graph::ParamDirection> viewDirections;
  /// The numbers of all of these at a launch.
  SmallVector<unsigned> arguments;

  /// Arguments of tasks that become a parameter: one that was there, or the new
  /// one for a value of `scalarParams`.
  SmallVector<std::pair<OpOperand *, Value>> slotUses;
  /// Hoisted operations that become the parameter of the value they resolve to.
  SmallVector<Operation *> replaced;
  /// Bare renames, folded away.
  SmallVector<graph::AliasOp> aliases;
  /// Operations that have nothing left to do, users first; those of `steps` go
  /// to the last launch.
  SmallVector<Operation *> erased;

  /// Every boundary tensor in parameter order, and the windows that stay.
  SmallVector<BoundaryTensor> tensors;
  SmallVector<KeptWindow> keptWindows;
  /// Slot order, as numbers of `tensors`; empty for the identity.
  SmallVector<int64_t> slots;

  /// Arguments of tasks and allocations that stay because they are the same on
  /// every replay; for statistics and remarks.
  SmallVector<OpOperand *> keptScalars;
  SmallVector<graph::CreateOp> keptAllocs;

  /// Loops to be unrolled first, inner ones before outer ones; then the
  /// function has to be planned again.
  SmallVector<scf::ForOp> unrolled;
  bool failed = false;
  /// Whether a launch cannot be asked what it passes.
  bool hasBadLaunch = false;

  /// The value that a value is at a launch: what it is by identity, and the
  /// first of those that are equal.
  Value resolve(Value value) const {
    Value source = identity->getSource(value);
    Value leader = leaders.lookup(source);
    return leader ? leader : source;
  }
};

/// Fills the plan of `plan.func`; reports every violation and sets `failed`.
/// Only reads the module, and `ties` after `GraphModule::collect` has filled
/// them: plans of several functions can be made at the same time.
void planBoundary(BoundaryPlan &plan, CalleeTies &ties);

/// Reports what is wrong with the launches of the function of `plan`.
void checkGraphLaunches(BoundaryPlan &plan);

/// Carries a plan out: at the launches and in the function.
void commit(BoundaryPlan &plan, RewriterBase &rewriter);

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_PLAN_H
