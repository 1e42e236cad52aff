//===- Slots.cpp - Slot order and boundary tensors of one buffer ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime recognises the tensors of a recorded task by value, the first
// match wins: exact matches over all boundary tensors first, then the first one
// of the same buffer that starts at or before the tensor. A run records at the
// first launch it reaches. So, over the launches that may replay one another
// (which pass the same buffers in the same places):
//
// - two boundary tensors of one buffer and shape are not equal when a launch
//   records, or they are always equal;
// - the base of a kept window comes before every other boundary tensor of its
//   buffer whose distance from the base is not always the same, unless that one
//   starts behind the window when a launch records;
// - no kept window equals such a tensor when a launch records.
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Slots.h"

#include "Analysis/Parts.h"
#include "Analysis/ReplayInvariance.h"
#include "Diagnostics/Diagnostics.h"
#include "Transforms/GraphBoundary/Dependencies.h"
#include "Transforms/GraphBoundary/Unroll.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// One graph function
//===----------------------------------------------------------------------===//

namespace {
/// What slot order has to be like for the windows kept on one tensor, as far as
/// the launches of a group go.
struct SlotConstraint {
  const LaunchGroup *group;
  unsigned base;
  /// Tensors of the buffer at another distance from the base now and then, and
  /// those of them that do not certainly start behind all of the windows.
  SmallVector<unsigned> moving, reached;
  /// The base, and tensors that start where it does, or before, at a distance
  /// that never changes: a window is as good as one of them.
  llvm::SmallBitVector shields;
};

class SlotPlanner {
public:
  SlotPlanner(BoundaryPlan &plan, HostOrigins &hostOrigins,
              const ParamAliases &aliases, bool strict)
      : plan(plan), hostOrigins(hostOrigins), aliases(aliases), strict(strict),
        distances(plan, hostOrigins) {}

  /// Decides the order; false when none is right. Nothing is reported.
  bool order();
  /// Reports what is wrong, also that there is no right order.
  void check(CalleeTies &ties);
  /// The windows that are in each other's way when there is no right order.
  SmallVector<Operation *> getUnorderedWindows() const;

private:
  //===--------------------------------------------------------------------===//
  // Kept windows
  //===--------------------------------------------------------------------===//

  using Windows = ArrayRef<const KeptWindow *>;
  void collectWindows();
  void constrainByWindows(unsigned base, Windows windows,
                          const LaunchGroup &group);
  bool startBefore(Windows windows, unsigned base, unsigned other,
                   const LaunchGroup &group);
  void checkEqualWindows(unsigned base, Windows windows, unsigned other,
                         const LaunchGroup &group);
  bool isEqualWhenRecorded(const KeptWindow &window, unsigned other,
                           const LaunchGroup &group);
  bool certainlyVaries(unsigned base, unsigned other, const LaunchGroup &group);
  SmallVector<int64_t> place(SmallVectorImpl<unsigned> &wanted, bool isExact);
  void orderSlots();
  void reportUnordered();

  //===--------------------------------------------------------------------===//
  // Equal tensors
  //===--------------------------------------------------------------------===//

  void checkEqualTensors(const LaunchGroup &group);
  bool isWindowOf(unsigned inner, unsigned outer);
  void checkPair(unsigned first, unsigned second, const LaunchGroup &group);

  std::string describe(unsigned tensor) { return describeTensor(plan, tensor); }
  void noteLaunches(InFlightDiagnostic &diag,
                    ArrayRef<LaunchOpInterface> launches);
  InFlightDiagnostic report(Location loc, bool isError) {
    plan.failed |= isError;
    return isError ? emitCodedError(loc, DiagnosticCode::BoundaryAlias)
                   : emitCodedWarning(loc, DiagnosticCode::BoundaryAlias);
  }
  Value getRoot(unsigned tensor) { return distances.getRoot(tensor); }

  BoundaryPlan &plan;
  HostOrigins &hostOrigins;
  const ParamAliases &aliases;
  bool strict;
  LaunchDistances distances;
  SmallVector<LaunchGroup, 0> groups;
  DenseMap<Value, unsigned> tensorOf;
  SmallVector<SlotConstraint> constraints;
  /// The windows kept on each tensor.
  llvm::MapVector<unsigned, SmallVector<const KeptWindow *>> windowsOf;
  /// Whether errors are being reported, or warnings.
  bool reportsErrors = true;
  /// What is reported once whatever the launches are.
  llvm::DenseSet<Operation *> reportedWindows;
  llvm::DenseSet<std::pair<unsigned, unsigned>> reportedPairs;
  /// The tensors for which there is no slot.
  SmallVector<unsigned> unordered;
};
} // namespace

//===----------------------------------------------------------------------===//
// Kept windows
//===----------------------------------------------------------------------===//

void SlotPlanner::noteLaunches(InFlightDiagnostic &diag,
                               ArrayRef<LaunchOpInterface> launches) {
  for (LaunchOpInterface launch : launches.take_front(3))
    diag.attachNote(launch.getLoc()) << "it is launched here";
}

/// Whether a window at these distances from its base certainly starts before a
/// tensor at those, in the order of the elements: in an earlier row.
static bool startsBefore(ArrayRef<Bounds> window, ArrayRef<Bounds> other) {
  if (window.size() != other.size())
    return false;
  for (auto [i, at, from] : llvm::enumerate(window, other)) {
    if (at.high && from.low && *at.high < *from.low)
      return llvm::all_of(other.drop_front(i + 1), [](const Bounds &inner) {
        return inner.low && *inner.low >= 0;
      });
    // Undecided as long as both are in the same row.
    if (!at.isFixed() || !from.isFixed() || *at.low != *from.low)
      return false;
  }
  return false;
}

/// Whether no window of `base` can be recorded as one of `other`, since all
/// start before it then.
bool SlotPlanner::startBefore(Windows windows, unsigned base, unsigned other,
                              const LaunchGroup &group) {
  if (group.launches.all.empty())
    return false;
  Value value = plan.tensors[base].value;
  SmallVector<SmallVector<Bounds, 2>> offsets;
  for (const KeptWindow *window : windows) {
    Distance at =
        measure(distances.getOrigins().get(window->op->getResult(0)),
                distances.getOrigins().get(value), /*launch=*/nullptr);
    if (!window->isChain || !at.isByAxis || at.forms.empty())
      return false;
    offsets.push_back(llvm::map_to_vector<2>(at.forms, getBounds));
  }
  return distances.allWhenRecorded(
      plan.tensors[other].value, value, group,
      [&](const Distance &distance, auto &) {
        auto from = llvm::map_to_vector<2>(distance.forms, getBounds);
        return llvm::all_of(offsets, [&](ArrayRef<Bounds> window) {
          return startsBefore(window, from);
        });
      });
}

void SlotPlanner::constrainByWindows(unsigned base, Windows windows,
                                     const LaunchGroup &group) {
  SlotConstraint constraint{
      &group, base, {}, {}, llvm::SmallBitVector(plan.tensors.size())};
  constraint.shields.set(base);
  Value value = plan.tensors[base].value;
  for (unsigned other = 0, e = plan.tensors.size(); other != e; ++other) {
    if (other == base || !group.mayShare(getRoot(base), getRoot(other)))
      continue;
    Distance distance =
        distances.getDistance(plan.tensors[other].value, value, group,
                              LaunchDistances::Question::IsConstant);
    if (distance.kind == Distance::Constant) {
      bool isBefore = llvm::all_of(distance.forms, [](const AffineForm &form) {
        return form.getConstant() <= 0;
      });
      // What may share the buffer here and not there shields nothing.
      if (group.isCertain && isBefore)
        constraint.shields.set(other);
      continue;
    }
    constraint.moving.push_back(other);
    if (!startBefore(windows, base, other, group))
      constraint.reached.push_back(other);
  }
  if (!constraint.moving.empty())
    constraints.push_back(std::move(constraint));
}

void SlotPlanner::collectWindows() {
  for (const KeptWindow &window : plan.keptWindows)
    for (Value base : window.bases) {
      auto it = tensorOf.find(plan.resolve(base));
      if (it != tensorOf.end())
        windowsOf[it->second].push_back(&window);
    }
}

/// Whether forms that count loops of the graph function are certainly all zero
/// in some iteration: each counts a loop of its own.
static bool areZeroTogether(ArrayRef<AffineForm> forms) {
  llvm::SmallDenseSet<Value> counters;
  return llvm::all_of(forms, [&](const AffineForm &form) {
    if (form.isConstant())
      return form.getConstant() == 0;
    std::optional<Progression> values = getProgression(form);
    return values && !isNeverZero(form) && values->first % values->step == 0 &&
           counters.insert(form.getTerms().front().first).second;
  });
}

/// Whether an iteration of the loops around a kept window certainly takes the
/// very window that `other` is when some launch records.
bool SlotPlanner::isEqualWhenRecorded(const KeptWindow &window, unsigned other,
                                      const LaunchGroup &group) {
  Value value = window.op->getResult(0);
  const BoundaryTensor &tensor = plan.tensors[other];
  if (!window.isChain || !tensor.type.hasStaticShape() ||
      value.getType() != tensor.type || !isCertainlyReached(window.op))
    return false;
  return !distances.allWhenRecorded(
      value, tensor.value, group,
      [](const Distance &distance, const Recorder &recorder) {
        return !recorder.isFirstIteration || distance.forms.empty() ||
               !areZeroTogether(distance.forms);
      });
}

/// Whether it is certain that `other` is not at the same distance from `base`
/// at every launch of the group.
bool SlotPlanner::certainlyVaries(unsigned base, unsigned other,
                                  const LaunchGroup &group) {
  const Origin from = distances.getOrigins().get(plan.tensors[base].value);
  const Origin to = distances.getOrigins().get(plan.tensors[other].value);
  std::optional<Offsets> constant;
  for (LaunchOpInterface launch :
       group.getLaunches(from.anchor, to.anchor).all) {
    Distance here = distances.measureAt(launch, to, from);
    for (const AffineForm &form : here.forms) {
      std::optional<Progression> values = getProgression(form);
      if (values && values->count > 1 &&
          getCountingLoop(form.getTerms().front().first)
              ->isProperAncestor(launch) &&
          isCertainlyReached(launch))
        return true;
    }
    if (here.kind != Distance::Constant || !isCertainlyReached(launch))
      continue;
    if (constant && *constant != here.forms)
      return true;
    constant = here.forms;
  }
  return false;
}

/// An exact match comes before any match by buffer, whatever the order: refuses
/// windows that equal a tensor when they are recorded and not later.
void SlotPlanner::checkEqualWindows(unsigned base, Windows windows,
                                    unsigned other, const LaunchGroup &group) {
  const BoundaryTensor &tensor = plan.tensors[other];
  if (group.launches.all.empty())
    return;
  for (const KeptWindow *window : windows) {
    Value value = window->op->getResult(0);
    if (!mayHaveSameShape(cast<GraphTensorType>(value.getType()),
                          tensor.type) ||
        reportedWindows.contains(window->op))
      continue;
    if (window->isChain &&
        distances.isNeverEqualWhenRecorded(value, tensor.value, group))
      continue;
    bool isProved = isEqualWhenRecorded(*window, other, group) &&
                    certainlyVaries(base, other, group);
    bool isError = isProved || strict;
    if (isError != reportsErrors)
      continue;
    reportedWindows.insert(window->op);
    InFlightDiagnostic diag = report(window->op->getLoc(), isError);
    diag << "window kept in graph function '@" << plan.func.getSymName()
         << (isProved ? "' equals" : "' may equal")
         << " another boundary tensor of its buffer at the first call";
    if (isProved)
      diag << ", but not later";
    diag.attachNote(plan.tensors[base].value.getLoc())
        << "it is a window of this: " << describe(base);
    diag.attachNote(tensor.value.getLoc())
        << (isProved ? "it equals this: " : "it may equal this: ")
        << describe(other);
    noteLaunches(diag, group.getLaunches(getRoot(base), getRoot(other)).all);
    explain(
        diag, "the task would be bound to that tensor for ever",
        "take windows of different shapes, or take this window at the launch");
    return;
  }
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

/// The first of `wanted` that may come next does, as often as there is one;
/// what may come only ever gets more. Those that never may stay in `wanted`.
SmallVector<int64_t> SlotPlanner::place(SmallVectorImpl<unsigned> &wanted,
                                        bool isExact) {
  unsigned size = plan.tensors.size();
  SmallVector<SmallVector<const SlotConstraint *>> constraintsOf(size);
  for (const SlotConstraint &constraint : constraints)
    for (unsigned other : isExact ? constraint.reached : constraint.moving)
      constraintsOf[other].push_back(&constraint);
  llvm::SmallBitVector placed(size);
  auto mayCome = [&](unsigned tensor) {
    return llvm::all_of(constraintsOf[tensor],
                        [&](const SlotConstraint *constraint) {
                          return isExact ? constraint->shields.anyCommon(placed)
                                         : placed.test(constraint->base);
                        });
  };
  SmallVector<int64_t> order;
  while (true) {
    auto *next = llvm::find_if(wanted, mayCome);
    if (next == wanted.end())
      return order;
    placed.set(*next);
    order.push_back(*next);
    wanted.erase(next);
  }
}

void SlotPlanner::orderSlots() {
  // An order that is there already stays as far as it is right.
  SmallVector<unsigned> wanted;
  if (auto slots = plan.func->getAttrOfType<DenseI64ArrayAttr>(
          GraphDialect::kSlotsAttrName))
    llvm::append_range(wanted, slots.asArrayRef());
  for (unsigned i = wanted.size(), e = plan.tensors.size(); i != e; ++i)
    wanted.push_back(i);

  // Simply the bases first; else as exactly as is known.
  SmallVector<unsigned> rest = wanted;
  SmallVector<int64_t> order = place(rest, /*isExact=*/false);
  if (!rest.empty()) {
    rest = wanted;
    order = place(rest, /*isExact=*/true);
  }
  if (!rest.empty()) {
    unordered = std::move(rest);
    return;
  }
  bool isIdentity = llvm::all_of(llvm::enumerate(order), [](auto entry) {
    return static_cast<int64_t>(entry.index()) == entry.value();
  });
  if (!isIdentity)
    plan.slots = std::move(order);
}

SmallVector<Operation *> SlotPlanner::getUnorderedWindows() const {
  SmallVector<Operation *> windows;
  for (auto &[base, kept] : windowsOf)
    if (llvm::is_contained(unordered, base))
      for (const KeptWindow *window : kept)
        windows.push_back(window->op);
  return windows;
}

void SlotPlanner::reportUnordered() {
  // Of the tensors that cannot be placed, those whose windows are kept.
  SmallVector<unsigned> bases;
  for (unsigned tensor : unordered)
    if (windowsOf.contains(tensor))
      bases.push_back(tensor);
  auto getWindow = [&](unsigned base) {
    return windowsOf.find(base)->second.front()->op;
  };
  InFlightDiagnostic diag =
      report(getWindow(bases.front())->getLoc(), /*isError=*/true);
  diag << "no order of the boundary slots of graph function '@"
       << plan.func.getSymName() << "' is right for the windows kept in it";
  for (unsigned base : bases) {
    diag.attachNote(getWindow(base)->getLoc()) << "a window is kept here";
    diag.attachNote(plan.tensors[base].value.getLoc())
        << "of " << describe(base)
        << ", which must come before the other tensors of its buffer";
  }
  noteLaunches(diag, plan.launches);
  explain(diag,
          "a kept window binds to the first boundary tensor of its buffer that "
          "starts at or before it",
          "take the windows of one of them at the launch, or unroll the loop");
}

//===----------------------------------------------------------------------===//
// Equal tensors
//===----------------------------------------------------------------------===//

/// Whether `inner` is a window of `outer`, or a window of one.
bool SlotPlanner::isWindowOf(unsigned inner, unsigned outer) {
  Value value = plan.tensors[inner].value;
  while (value != plan.tensors[outer].value) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<SliceOp, ViewOp>(op))
      return false;
    value = plan.resolve(op->getOperand(0));
  }
  return true;
}

void SlotPlanner::checkPair(unsigned first, unsigned second,
                            const LaunchGroup &group) {
  Distance distance = distances.getDistance(
      plan.tensors[first].value, plan.tensors[second].value, group,
      LaunchDistances::Question::AreEqual);
  if (distance.kind == Distance::Constant || distance.kind == Distance::NonZero)
    return;
  // A window that is as large as what it is taken of is all of it, always: the
  // shapes of boundary tensors are the same on every replay.
  if (distance.kind == Distance::Unknown &&
      (isWindowOf(first, second) || isWindowOf(second, first)))
    return;
  // Tensors that are told apart when they are recorded stay apart.
  Value a = plan.tensors[first].value, b = plan.tensors[second].value;
  if (distances.isNeverEqualWhenRecorded(a, b, group))
    return;
  bool isProved =
      distance.kind == Distance::Mixed &&
      !distances.allWhenRecorded(
          a, b, group, [&](const Distance &distance, const Recorder &recorder) {
            return !recorder.isFirstIteration || distance.forms.empty() ||
                   !areZeroTogether(distance.forms) ||
                   !distances.haveOneShape(a, b, recorder.launch);
          });
  bool isError = isProved || strict;
  if (isError != reportsErrors || !reportedPairs.insert({first, second}).second)
    return;
  ArrayRef<LaunchOpInterface> launches =
      group.getLaunches(getRoot(first), getRoot(second)).all;
  InFlightDiagnostic diag =
      report(LaunchOpInterface(launches.front()).getLoc(), isError);
  diag << "two tensors passed to graph function '@" << plan.func.getSymName()
       << "' "
       << (isProved ? "are equal on some launches and differ on others"
                    : "may be equal on some launches and differ on others");
  for (unsigned tensor : {first, second})
    diag.attachNote(plan.tensors[tensor].value.getLoc())
        << "this is one of them: " << describe(tensor);
  for (LaunchOpInterface other : launches.drop_front().take_front(3))
    diag.attachNote(other.getLoc()) << "it is launched here, too";
  explain(
      diag,
      "if they are equal at the first call, a replay uses the first one for "
      "both",
      "pass tensors that are always equal or never, or of different shapes");
}

void SlotPlanner::checkEqualTensors(const LaunchGroup &group) {
  if (group.launches.all.empty())
    return;
  SmallVector<unsigned> position(plan.tensors.size());
  for (unsigned i = 0, e = position.size(); i != e; ++i)
    position[plan.slots.empty() ? i : plan.slots[i]] = i;
  // Only tensors of one type can be equal, but for dynamic extents.
  llvm::MapVector<Type, SmallVector<unsigned>> buckets;
  for (auto [i, tensor] : llvm::enumerate(plan.tensors)) {
    Type bucket = tensor.type;
    if (!tensor.type.hasStaticShape())
      bucket = tensor.type.getElementType();
    buckets[bucket].push_back(i);
  }
  auto check = [&](unsigned a, unsigned b) {
    // The one with the later slot is bound to the one with the earlier slot.
    unsigned later = position[a] < position[b] ? b : a;
    if (plan.tensors[later].isOperand &&
        group.mayShare(getRoot(a), getRoot(b)) &&
        mayHaveSameShape(plan.tensors[a].type, plan.tensors[b].type))
      checkPair(a, b, group);
  };
  for (auto &[type, bucket] : buckets) {
    for (auto [i, a] : llvm::enumerate(bucket)) {
      for (unsigned b : ArrayRef(bucket).drop_front(i + 1))
        check(a, b);
      if (isa<GraphTensorType>(type))
        continue;
      // Dynamic extents may equal any.
      for (auto &[otherType, other] : buckets)
        if (isa<GraphTensorType>(otherType))
          for (unsigned b : other)
            check(a, b);
    }
  }
}

bool SlotPlanner::order() {
  for (auto [i, tensor] : llvm::enumerate(plan.tensors))
    tensorOf[tensor.value] = i;
  groups = groupLaunches(plan, hostOrigins, aliases);
  collectWindows();
  for (const LaunchGroup &group : groups)
    for (auto &[base, windows] : windowsOf)
      constrainByWindows(base, windows, group);
  orderSlots();
  return unordered.empty();
}

void SlotPlanner::check(CalleeTies &ties) {
  if (!unordered.empty())
    reportUnordered();
  for (reportsErrors = true;; reportsErrors = false) {
    for (const SlotConstraint &constraint : constraints)
      for (unsigned other : constraint.moving)
        checkEqualWindows(constraint.base,
                          windowsOf.find(constraint.base)->second, other,
                          *constraint.group);
    for (const LaunchGroup &group : groups)
      checkEqualTensors(group);
    // What is refused anyway needs no warnings.
    if (!reportsErrors || plan.failed)
      break;
  }
  checkDependencies(plan, distances, groups, aliases, ties, strict);
}

//===----------------------------------------------------------------------===//
// All graph functions
//===----------------------------------------------------------------------===//

SlotPlanning::SlotPlanning(const GraphModule &module,
                           IdentityLineages &hostLineages, CalleeTies &ties,
                           bool strictAliasing)
    : hostLineages(hostLineages), ties(ties), strict(strictAliasing),
      aliases(std::make_unique<ParamAliases>(module, strictAliasing)) {
  HostOrigins hostOrigins(hostLineages);
  aliases->propagate(ties, hostOrigins);
}

SlotPlanning::~SlotPlanning() = default;

/// Completes one plan.
static void planSlots(BoundaryPlan &plan, HostOrigins &hostOrigins,
                      const ParamAliases &aliases, CalleeTies &ties,
                      bool strict) {
  if (plan.hasBadLaunch || plan.func.isExternal())
    return;
  auto planOrder = [&](BoundaryPlan &plan) {
    auto planner =
        std::make_unique<SlotPlanner>(plan, hostOrigins, aliases, strict);
    bool isOrdered = planner->order();
    return std::pair(std::move(planner), isOrdered);
  };
  auto replan = [&](BoundaryPlan &unrolled) {
    planBoundary(unrolled, ties);
    if (unrolled.failed)
      return;
    auto [planner, isOrdered] = planOrder(unrolled);
    unrolled.failed = !isOrdered;
    planner->check(ties);
  };
  auto [planner, isOrdered] = planOrder(plan);
  if (isOrdered || plan.failed ||
      !tryUnroll(plan, planner->getUnorderedWindows(), replan))
    planner->check(ties);
}

void SlotPlanning::plan(MutableArrayRef<BoundaryPlan> plans) {
  if (plans.empty())
    return;
  // Launches of many graphs may stand in one function, so what is known of it
  // is worth keeping, but threads cannot share it.
  forEachPart(plans.front().func.getContext(), plans, /*partsPerThread=*/1,
              [&](MutableArrayRef<BoundaryPlan> part) {
                HostOrigins hostOrigins(hostLineages);
                for (BoundaryPlan &plan : part)
                  planSlots(plan, hostOrigins, *aliases, ties, strict);
              });
}
