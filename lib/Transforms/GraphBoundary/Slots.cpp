//===- Slots.cpp - Slot order and boundary tensors of one buffer ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime recognises the tensors of a recorded task by value, the first
// match wins: exact matches over all boundary tensors first, then the first one
// of the same buffer that starts at or before the tensor. So, over all launches
// whose recording could be replayed by one another (which pass the same buffers
// in the same places):
//
// - two boundary tensors of one buffer and shape have to be always equal or
// never;
// - the base of a kept window has to come before every other boundary tensor of
//   its buffer whose distance from the base is not always the same;
// - a kept window must not happen to equal such a tensor.
//
// Distances are differences of offsets, affine in the scalars of the function
// and, at a launch, in those of its caller.
//
//===----------------------------------------------------------------------===//

#include "Analysis/AffineForm.h"
#include "Analysis/ReplayInvariance.h"
#include "Diagnostics/Diagnostics.h"
#include "Transforms/GraphBoundary/Plan.h"
#include "Transforms/GraphBoundary/Progression.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

namespace {

using Offsets = SmallVector<AffineForm, 2>;

/// Where a tensor lies: the buffers it may be in, the value it is a window of
/// (a buffer, or what control flow makes of several), and how far from the
/// start of that value, along each axis of it.
struct Origin {
  SmallVector<Value, 1> roots;
  Value anchor;
  std::optional<Offsets> offsets;

  bool isWindowOfRoot() const {
    return offsets && roots.size() == 1 && roots.front() == anchor;
  }
};

/// How far two tensors of one buffer are apart.
struct Distance {
  enum Kind {
    Constant, ///< the same on every execution
    NonZero,  ///< varies, but they never start at the same element
    Mixed, ///< on some executions they start at the same element, on some not
    Unknown,
  };
  Kind kind = Unknown;
  SmallVector<int64_t, 2> constants; ///< along the axes, when constant

  bool isZero() const {
    return kind == Constant &&
           llvm::all_of(constants, [](int64_t value) { return value == 0; });
  }
  bool isNeverZero() const {
    return kind == NonZero || (kind == Constant && !isZero());
  }
};

/// Origins of the tensors of one function, by `AffineForms` of its scalars.
class Origins {
public:
  explicit Origins(const IdentityLineage &identity)
      : identity(identity), forms(identity) {}

  const Origin &get(Value tensor);
  AffineForms &getForms() { return forms; }
  const IdentityLineage &getIdentity() const { return identity; }

private:
  Origin compute(Value source);

  const IdentityLineage &identity;
  AffineForms forms;
  DenseMap<Value, Origin> origins;
};

/// `Origins` of the functions that launch graphs, made when first asked for.
class HostOrigins {
public:
  explicit HostOrigins(CalleeTies &ties) : ties(ties) {}

  Origins &get(FuncOp func) {
    Entry &entry = entries[func];
    if (!entry.origins) {
      entry.identity = std::make_unique<IdentityLineage>(func, ties);
      entry.origins = std::make_unique<Origins>(*entry.identity);
    }
    return *entry.origins;
  }

private:
  struct Entry {
    std::unique_ptr<IdentityLineage> identity;
    std::unique_ptr<Origins> origins;
  };
  CalleeTies &ties;
  DenseMap<Operation *, Entry> entries;
};

} // namespace

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

/// The offsets of a window from those of its source.
static std::optional<Offsets> addOffsets(const std::optional<Offsets> &source,
                                         Operation *view, AffineForms &forms) {
  auto slice = dyn_cast<SliceOp>(view);
  if (!slice || !source)
    return std::nullopt;
  Offsets result;
  for (auto [base, offset] :
       llvm::zip_equal(*source, slice.getMixedOffsets())) {
    AffineForm form =
        isa<Value>(offset)
            ? forms.get(cast<Value>(offset))
            : AffineForm(cast<IntegerAttr>(cast<Attribute>(offset)).getInt());
    std::optional<AffineForm> sum = base.plus(form);
    if (!sum)
      return std::nullopt;
    result.push_back(*sum);
  }
  return result;
}

static Offsets getZeroOffsets(Value tensor) {
  return Offsets(cast<GraphTensorType>(tensor.getType()).getRank());
}

Origin Origins::compute(Value source) {
  Operation *op = source.getDefiningOp();
  if (isa_and_nonnull<SliceOp, ViewOp>(op)) {
    auto it = origins.find(identity.getSource(op->getOperand(0)));
    if (it == origins.end())
      return {}; // a window of itself, in code that is never reached
    Origin origin = it->second;
    origin.offsets = addOffsets(origin.offsets, op, forms);
    return origin;
  }
  if (identity.getInputs(source).empty())
    return {{source}, source, getZeroOffsets(source)};
  // A merge: whatever enters it, looked for within reason.
  constexpr unsigned kMaxVisited = 256;
  Origin origin{{}, source, getZeroOffsets(source)};
  SmallVector<Value> worklist = {source};
  llvm::SmallDenseSet<Value> visited;
  while (!worklist.empty()) {
    Value value = identity.getSource(worklist.pop_back_val());
    if (!visited.insert(value).second)
      continue;
    if (visited.size() > kMaxVisited)
      return {{}, source, getZeroOffsets(source)};
    Operation *def = value.getDefiningOp();
    if (isa_and_nonnull<SliceOp, ViewOp>(def))
      worklist.push_back(def->getOperand(0));
    else if (identity.getInputs(value).empty())
      origin.roots.push_back(value);
    llvm::append_range(worklist, identity.getInputs(value));
  }
  return origin;
}

const Origin &Origins::get(Value tensor) {
  SmallVector<Value> stack = {identity.getSource(tensor)};
  llvm::SmallDenseSet<Value> started;
  while (!stack.empty()) {
    Value value = stack.back();
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<SliceOp, ViewOp>(op) && !origins.contains(value) &&
        started.insert(value).second) {
      stack.push_back(identity.getSource(op->getOperand(0)));
      continue;
    }
    stack.pop_back();
    if (!origins.contains(value)) {
      Origin origin = compute(value);
      origins.try_emplace(value, std::move(origin));
    }
  }
  return origins.find(identity.getSource(tensor))->second;
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

/// Whether the loop variable in the form is one whose every iteration reaches
/// the launch, so that what it takes on is really taken on.
static bool isTakenOn(const AffineForm &form, Operation *launch) {
  auto loop = cast<scf::ForOp>(
      cast<BlockArgument>(form.getTerms()[0].first).getOwner()->getParentOp());
  for (Operation *op = launch->getParentOp(); !isa<FuncOp>(op);
       op = op->getParentOp()) {
    auto around = dyn_cast<scf::ForOp>(op);
    if (around && getConstantTripCount(around).value_or(0) > 0)
      continue;
    if (!isa<ScopeOp>(op))
      return false;
  }
  return loop->isProperAncestor(launch);
}

/// How far `a` is from `b`; `launch` is where they are passed, null inside the
/// graph function.
static Distance measure(const Origin &a, const Origin &b, Operation *launch) {
  Distance distance;
  if (!a.anchor || a.anchor != b.anchor || !a.offsets || !b.offsets ||
      a.offsets->size() != b.offsets->size())
    return distance;
  distance.kind = Distance::Constant;
  SmallVector<AffineForm, 2> varying;
  bool neverZero = false, constantNonZero = false;
  for (auto [left, right] : llvm::zip_equal(*a.offsets, *b.offsets)) {
    std::optional<AffineForm> difference = left.plus(right, -1);
    if (!difference) {
      distance.kind = Distance::Unknown;
      return distance;
    }
    neverZero |= isNeverZero(*difference);
    if (difference->isConstant()) {
      distance.constants.push_back(difference->getConstant());
      constantNonZero |= difference->getConstant() != 0;
    } else {
      varying.push_back(*difference);
    }
  }
  if (varying.empty())
    return distance;
  distance.kind =
      neverZero || constantNonZero ? Distance::NonZero : Distance::Unknown;
  // Not never zero, and the only thing that varies is a loop variable: then it
  // is zero once and not zero on the other iterations.
  if (distance.kind == Distance::Unknown && varying.size() == 1 && launch) {
    std::optional<Progression> values = getProgression(varying.front());
    if (values && values->count > 1 && isTakenOn(varying.front(), launch))
      distance.kind = Distance::Mixed;
  }
  return distance;
}

//===----------------------------------------------------------------------===//
// Parameters that may be one buffer
//===----------------------------------------------------------------------===//

namespace {
/// Which parameters of host functions may be passed one buffer by the calls in
/// the module. Parameters of a function that nothing calls are taken for
/// different buffers, unless `strict`.
class ParamAliases {
public:
  ParamAliases(const GraphModule &module, bool strict) : strict(strict) {
    for (CallOp call : module.hostCalls)
      callsFrom[call->getParentOfType<FuncOp>()].push_back(call);
  }

  void propagate(CalleeTies &ties, HostOrigins &hostOrigins) {
    SmallVector<FuncOp> worklist;
    for (auto &[caller, calls] : callsFrom)
      if (caller)
        worklist.push_back(cast<FuncOp>(caller));
    while (!worklist.empty()) {
      FuncOp caller = worklist.pop_back_val();
      auto it = callsFrom.find(caller);
      if (it == callsFrom.end())
        continue;
      for (CallOp call : it->second) {
        FuncOp callee = ties.getCallee(call);
        if (callee && !callee.isExternal() &&
            unite(call, callee, hostOrigins.get(caller)))
          worklist.push_back(callee);
      }
    }
  }

  /// The value that stands for all the parameters `root` may be the same as.
  Value getClass(Value root) const {
    auto argument = dyn_cast<BlockArgument>(root);
    if (!argument)
      return root;
    if (strict)
      return argument.getOwner()->getArgument(0);
    auto it = classes.findLeader(root);
    return it == classes.member_end() ? root : *it;
  }

private:
  /// Unites the parameters of `callee` that get the same root.
  bool unite(CallOp call, FuncOp callee, Origins &origins) {
    DenseMap<Value, Value> paramOf;
    bool changed = false;
    for (auto [arg, param] : llvm::zip(call.getArgs(), callee.getArguments())) {
      if (!isa<GraphTensorType>(arg.getType()))
        continue;
      for (Value root : origins.get(arg).roots) {
        auto [it, inserted] = paramOf.try_emplace(getClass(root), param);
        if (!inserted && getClass(it->second) != getClass(param)) {
          classes.unionSets(it->second, param);
          changed = true;
        }
      }
    }
    return changed;
  }

  bool strict;
  llvm::MapVector<Operation *, SmallVector<CallOp>> callsFrom;
  llvm::EquivalenceClasses<Value> classes;
};
} // namespace

/// Whether two tensors are windows of what a loop carries, and those are
/// different buffers in every iteration: the loop hands on, in another order,
/// what it was given, and was given different buffers (as two buffers that take
/// turns).
static bool areSwapped(Value a, Value b, Origins &origins,
                       const ParamAliases &aliases) {
  const IdentityLineage &identity = origins.getIdentity();
  auto getLoop = [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : scf::ForOp();
  };
  a = origins.get(a).anchor;
  b = origins.get(b).anchor;
  if (!a || !b)
    return false;
  scf::ForOp loop = getLoop(a);
  if (!loop || loop != getLoop(b) || a == b)
    return false;
  // All that takes turns with the two.
  SmallVector<Value> cycle = {a, b};
  llvm::SmallDenseSet<Value> members(cycle.begin(), cycle.end());
  llvm::SmallDenseSet<Value> yielded, buffers;
  for (size_t i = 0; i < cycle.size(); ++i) {
    OpOperand *next =
        loop.getTiedLoopYieldedValue(cast<BlockArgument>(cycle[i]));
    OpOperand *init = loop.getTiedLoopInit(cast<BlockArgument>(cycle[i]));
    if (!next || !init)
      return false;
    Value source = identity.getSource(next->get());
    if (getLoop(source) != loop || !yielded.insert(source).second)
      return false;
    if (members.insert(source).second)
      cycle.push_back(source);
    const Origin &origin = origins.get(init->get());
    if (origin.roots.size() != 1 ||
        !buffers.insert(aliases.getClass(origin.roots.front())).second)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One graph function
//===----------------------------------------------------------------------===//

namespace {
class SlotPlanner {
public:
  SlotPlanner(BoundaryPlan &plan, HostOrigins &hostOrigins,
              const ParamAliases &aliases, bool strict)
      : plan(plan), hostOrigins(hostOrigins), aliases(aliases), strict(strict),
        origins(*plan.identity) {}

  void run();

private:
  void findShared();
  void addShared(BlockArgument a, BlockArgument b, LaunchOpInterface launch) {
    OperandRange args = launch.getLaunchArgs();
    if (areSwapped(args[a.getArgNumber()], args[b.getArgNumber()],
                   hostOrigins.get(launch->getParentOfType<FuncOp>()), aliases))
      return;
    SmallVector<LaunchOpInterface, 1> &launches = shared[key(a, b)];
    if (launches.empty() || launches.back() != launch)
      launches.push_back(launch);
  }
  bool mayShare(Value rootA, Value rootB) const {
    return rootA == rootB || shared.contains(key(rootA, rootB));
  }
  /// What a caller wants to know of a distance; more is not computed.
  enum class Question { IsConstant, IsNeverZero, Everything };
  Distance getDistance(Value a, Value b, Question question);
  Origin atLaunch(const Origin &origin, LaunchOpInterface launch);
  std::optional<AffineForm> atLaunch(const AffineForm &form,
                                     LaunchOpInterface launch,
                                     Origins &callerOrigins, unsigned depth);

  void constrainByWindows();
  void constrainByWindow(const KeptWindow &window, unsigned base);
  ArrayRef<unsigned> getConflicts(unsigned base);
  void orderSlots();
  void checkEqualTensors();
  bool isWindowOf(unsigned inner, unsigned outer);
  void checkPair(unsigned first, unsigned second);

  std::string describe(unsigned tensor);
  void reportUnordered(ArrayRef<unsigned> rest);

  static std::pair<Value, Value> key(Value a, Value b) {
    return a.getAsOpaquePointer() < b.getAsOpaquePointer() ? std::pair(a, b)
                                                           : std::pair(b, a);
  }
  Value getRoot(unsigned tensor) {
    return origins.get(plan.tensors[tensor].value).roots.front();
  }

  BoundaryPlan &plan;
  HostOrigins &hostOrigins;
  const ParamAliases &aliases;
  bool strict;
  Origins origins;
  /// Pairs of parameters that are one buffer at some launch, with those
  /// launches.
  DenseMap<std::pair<Value, Value>, SmallVector<LaunchOpInterface, 1>> shared;
  DenseMap<Value, unsigned> tensorOf;
  /// `mustPrecede[a]` has the tensors slot order has to put after `a`.
  SmallVector<llvm::SmallBitVector> mustPrecede;
  /// Tensors of the buffer of a base whose distance from it varies.
  DenseMap<unsigned, SmallVector<unsigned>> conflicts;
  /// A kept window of each base, for the report.
  DenseMap<unsigned, Operation *> windowOf;
};
} // namespace

/// Whether two windows of one buffer may have the same shape.
static bool mayHaveSameShape(GraphTensorType a, GraphTensorType b) {
  return a.isCompatibleWith(b);
}

/// Finds out which parameters are passed the same buffer, and where.
void SlotPlanner::findShared() {
  SmallVector<BlockArgument> params;
  for (BlockArgument param : plan.func.getArguments())
    if (isa<GraphTensorType>(param.getType()))
      params.push_back(param);
  if (params.size() < 2)
    return;
  for (LaunchOpInterface launch : plan.launches) {
    auto caller = launch->getParentOfType<FuncOp>();
    Origins &callerOrigins = hostOrigins.get(caller);
    // Launches mostly pass different buffers: a list is made of the first
    // parameter of each, and of pairs only when there is a second.
    llvm::SmallDenseMap<Value, BlockArgument, 16> firstOf;
    SmallVector<std::pair<Value, BlockArgument>> others;
    SmallVector<BlockArgument> unknown;
    for (BlockArgument param : params) {
      const Origin &origin =
          callerOrigins.get(launch.getLaunchArgs()[param.getArgNumber()]);
      if (origin.roots.empty())
        unknown.push_back(param);
      for (Value root : origin.roots) {
        Value buffer = aliases.getClass(root);
        auto [it, inserted] = firstOf.try_emplace(buffer, param);
        if (inserted || it->second == param)
          continue;
        addShared(it->second, param, launch);
        for (auto &[otherBuffer, other] : others)
          if (otherBuffer == buffer && other != param)
            addShared(other, param, launch);
        others.push_back({buffer, param});
      }
    }
    for (BlockArgument param : unknown)
      for (BlockArgument other : params)
        if (other != param)
          addShared(other, param, launch);
  }
}

/// A form of the graph function in terms of the caller of a launch. Operations
/// that are not linear are looked into only a few deep, for constants.
std::optional<AffineForm> SlotPlanner::atLaunch(const AffineForm &form,
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
    if (!op || op->getNumOperands() != 2 || depth == kMaxDepth)
      return AffineForm::getSymbol(symbol);
    SmallVector<AffineForm, 2> operands;
    for (Value operand : op->getOperands()) {
      AffineForm inner = origins.getForms().get(operand);
      operands.push_back(atLaunch(inner, launch, callerOrigins, depth + 1)
                             .value_or(AffineForm::getSymbol(operand)));
    }
    return AffineForms::fold(op, operands[0], operands[1])
        .value_or(AffineForm::getSymbol(symbol));
  });
}

/// Where a tensor of the graph function lies at a launch, in terms of the
/// caller.
Origin SlotPlanner::atLaunch(const Origin &origin, LaunchOpInterface launch) {
  if (!origin.isWindowOfRoot())
    return {};
  Origins &callerOrigins = hostOrigins.get(launch->getParentOfType<FuncOp>());
  OperandRange args = launch.getLaunchArgs();
  // An allocation is made at the launch: no other tensor there is of it.
  Origin result{{origin.anchor}, origin.anchor, getZeroOffsets(origin.anchor)};
  if (auto param = dyn_cast<BlockArgument>(origin.anchor))
    result = callerOrigins.get(args[param.getArgNumber()]);
  if (!result.offsets || result.offsets->size() != origin.offsets->size())
    return {};
  for (auto [base, offset] :
       llvm::zip_equal(*result.offsets, *origin.offsets)) {
    std::optional<AffineForm> form =
        atLaunch(offset, launch, callerOrigins, /*depth=*/0);
    form = form ? form->plus(base) : std::nullopt;
    if (!form)
      return {};
    base = *form;
  }
  return result;
}

/// How far two tensors of the function are apart, over all launches that pass
/// them in one buffer.
Distance SlotPlanner::getDistance(Value a, Value b, Question question) {
  const Origin originA = origins.get(a);
  const Origin originB = origins.get(b);
  Distance unknown = measure(originA, originB, /*launch=*/nullptr);
  if (unknown.kind != Distance::Unknown || !originA.isWindowOfRoot() ||
      !originB.isWindowOfRoot())
    return unknown;
  Value rootA = originA.anchor, rootB = originB.anchor;
  ArrayRef<LaunchOpInterface> launches = plan.launches;
  if (rootA != rootB)
    launches = shared.find(key(rootA, rootB))->second;
  Distance all;
  bool isFirst = true, isConstant = true, anyZero = false, anyNonZero = false,
       anyUnknown = false;
  for (LaunchOpInterface launch : launches) {
    if ((question == Question::IsConstant && !isConstant) ||
        (question == Question::IsNeverZero && (anyZero || anyUnknown)))
      break;
    Distance here =
        measure(atLaunch(originA, launch), atLaunch(originB, launch), launch);
    if (here.kind == Distance::Mixed)
      return here;
    isConstant &= here.kind == Distance::Constant &&
                  (isFirst || here.constants == all.constants);
    if (isFirst)
      all = here;
    isFirst = false;
    anyZero |= here.isZero();
    anyNonZero |= here.isNeverZero();
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

std::string SlotPlanner::describe(unsigned tensor) {
  Value value = plan.tensors[tensor].value;
  if (auto param = dyn_cast<BlockArgument>(value))
    return ("parameter '%" + plan.func.getParamName(param.getArgNumber()) + "'")
        .str();
  return isa<CreateOp>(value.getDefiningOp())
             ? "an allocation hoisted from here"
             : "a window hoisted from here";
}

//===----------------------------------------------------------------------===//
// Kept windows
//===----------------------------------------------------------------------===//

ArrayRef<unsigned> SlotPlanner::getConflicts(unsigned base) {
  auto [it, inserted] = conflicts.try_emplace(base);
  if (!inserted)
    return it->second;
  SmallVector<unsigned> found;
  for (unsigned other = 0, e = plan.tensors.size(); other != e; ++other)
    if (other != base && mayShare(getRoot(base), getRoot(other)) &&
        getDistance(plan.tensors[base].value, plan.tensors[other].value,
                    Question::IsConstant)
                .kind != Distance::Constant)
      found.push_back(other);
  return conflicts[base] = std::move(found);
}

void SlotPlanner::constrainByWindow(const KeptWindow &window, unsigned base) {
  windowOf.try_emplace(base, window.op);
  Value value = window.op->getResult(0);
  for (unsigned other : getConflicts(base)) {
    mustPrecede[base].set(other);
    // An exact match comes before any match by buffer, whatever the order.
    if (!mayHaveSameShape(cast<GraphTensorType>(value.getType()),
                          plan.tensors[other].type))
      continue;
    if (window.isChain &&
        getDistance(value, plan.tensors[other].value, Question::IsNeverZero)
            .isNeverZero())
      continue;
    if (plan.launches.empty())
      continue;
    plan.failed = true;
    InFlightDiagnostic diag =
        emitCodedError(window.op->getLoc(), DiagnosticCode::BoundaryAlias);
    diag << "window kept in graph function '@" << plan.func.getSymName()
         << "' may equal another boundary tensor of its buffer at the first "
            "call";
    diag.attachNote(plan.tensors[base].value.getLoc())
        << "it is a window of this: " << describe(base);
    diag.attachNote(plan.tensors[other].value.getLoc())
        << "it may equal this: " << describe(other);
    explain(
        diag, "the task would be bound to that tensor for ever",
        "take windows of different shapes, or take this window at the launch");
    return;
  }
}

void SlotPlanner::constrainByWindows() {
  for (const KeptWindow &window : plan.keptWindows)
    for (Value base : window.bases) {
      auto it = tensorOf.find(plan.resolve(base));
      if (it != tensorOf.end())
        constrainByWindow(window, it->second);
    }
}

void SlotPlanner::reportUnordered(ArrayRef<unsigned> rest) {
  // Of the tensors that cannot be placed, those whose windows are kept.
  SmallVector<unsigned> bases;
  for (unsigned tensor : rest)
    if (windowOf.contains(tensor))
      bases.push_back(tensor);
  plan.failed = true;
  InFlightDiagnostic diag = emitCodedError(windowOf[bases.front()]->getLoc(),
                                           DiagnosticCode::BoundaryAlias);
  diag << "no order of the boundary slots of graph function '@"
       << plan.func.getSymName() << "' is right for the windows kept in it";
  for (unsigned base : bases) {
    diag.attachNote(windowOf[base]->getLoc()) << "a window is kept here";
    diag.attachNote(plan.tensors[base].value.getLoc())
        << "of " << describe(base)
        << ", which must come before the other tensors of its buffer";
  }
  explain(diag,
          "a kept window binds to the first boundary tensor of its buffer that "
          "starts at or before it",
          "take the windows of one of them at the launch, or unroll the loop");
}

void SlotPlanner::orderSlots() {
  unsigned size = plan.tensors.size();
  // An order that is there already stays as far as it is right.
  SmallVector<unsigned> wanted;
  if (auto slots = plan.func->getAttrOfType<DenseI64ArrayAttr>(
          GraphDialect::kSlotsAttrName))
    llvm::append_range(wanted, slots.asArrayRef());
  for (unsigned tensor = wanted.size(); tensor != size; ++tensor)
    wanted.push_back(tensor);

  SmallVector<unsigned> blockers(size);
  for (unsigned tensor = 0; tensor != size; ++tensor)
    for (unsigned after : mustPrecede[tensor].set_bits())
      ++blockers[after];
  SmallVector<int64_t> order;
  SmallVector<unsigned> rest = wanted;
  while (!rest.empty()) {
    auto *next = llvm::find_if(
        rest, [&](unsigned tensor) { return blockers[tensor] == 0; });
    if (next == rest.end())
      return reportUnordered(rest);
    unsigned tensor = *next;
    rest.erase(next);
    order.push_back(tensor);
    for (unsigned after : mustPrecede[tensor].set_bits())
      --blockers[after];
  }
  bool isIdentity = llvm::all_of(llvm::enumerate(order), [](auto entry) {
    return static_cast<int64_t>(entry.index()) == entry.value();
  });
  if (!isIdentity)
    plan.slots = std::move(order);
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

void SlotPlanner::checkPair(unsigned first, unsigned second) {
  Distance distance =
      getDistance(plan.tensors[first].value, plan.tensors[second].value,
                  Question::Everything);
  if (distance.kind == Distance::Constant || distance.kind == Distance::NonZero)
    return;
  // A window that is as large as what it is taken of is all of it, always: the
  // shapes of boundary tensors are the same on every replay.
  if (distance.kind == Distance::Unknown &&
      (isWindowOf(first, second) || isWindowOf(second, first)))
    return;
  bool isProved = distance.kind == Distance::Mixed;
  bool isError = isProved || strict;
  // What is refused anyway needs no warnings.
  if (plan.failed && !isError)
    return;
  plan.failed |= isError;
  LaunchOpInterface launch = plan.launches.front();
  Location loc = launch.getLoc();
  InFlightDiagnostic diag =
      isError ? emitCodedError(loc, DiagnosticCode::BoundaryAlias)
              : emitCodedWarning(loc, DiagnosticCode::BoundaryAlias);
  diag << "two tensors passed to graph function '@" << plan.func.getSymName()
       << "' "
       << (isProved ? "are equal on some launches and differ on others"
                    : "may be equal on some launches and differ on others");
  for (unsigned tensor : {first, second})
    diag.attachNote(plan.tensors[tensor].value.getLoc())
        << "this is one of them: " << describe(tensor);
  for (LaunchOpInterface other : plan.launches.drop_front().take_front(3))
    diag.attachNote(other.getLoc()) << "it is launched here, too";
  explain(
      diag,
      "if they are equal at the first call, a replay uses the first one for "
      "both",
      "pass tensors that are always equal or never, or of different shapes");
}

void SlotPlanner::checkEqualTensors() {
  if (plan.launches.empty())
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
    if (plan.tensors[later].isOperand && mayShare(getRoot(a), getRoot(b)) &&
        mayHaveSameShape(plan.tensors[a].type, plan.tensors[b].type))
      checkPair(a, b);
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

void SlotPlanner::run() {
  if (plan.tensors.empty())
    return;
  for (auto [i, tensor] : llvm::enumerate(plan.tensors))
    tensorOf[tensor.value] = i;
  mustPrecede.assign(plan.tensors.size(),
                     llvm::SmallBitVector(plan.tensors.size()));
  findShared();
  constrainByWindows();
  orderSlots();
  checkEqualTensors();
}

void mlir::pypto::planSlots(MutableArrayRef<BoundaryPlan> plans,
                            const GraphModule &module, CalleeTies &ties,
                            bool strictAliasing) {
  HostOrigins hostOrigins(ties);
  ParamAliases aliases(module, strictAliasing);
  aliases.propagate(ties, hostOrigins);
  for (BoundaryPlan &plan : plans)
    if (!plan.hasBadLaunch && !plan.func.isExternal())
      SlotPlanner(plan, hostOrigins, aliases, strictAliasing).run();
}
