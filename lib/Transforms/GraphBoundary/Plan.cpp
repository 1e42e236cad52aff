//===- Plan.cpp - Planning and checking one graph function ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Plan.h"
#include "Transforms/GraphBoundary/Progression.h"

#include "Analysis/AffineForm.h"
#include "Analysis/BufferLineage.h"
#include "Analysis/Hoistability.h"
#include "Analysis/ReplayInvariance.h"
#include "Analysis/ScalarComputation.h"
#include "Analysis/TopologyCount.h"
#include "Diagnostics/Diagnostics.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// What the launches make again
//===----------------------------------------------------------------------===//

/// Whether the order of the two operands of `op` does not matter.
static bool isCommutativePair(Operation *op) {
  return op->getNumOperands() == 2 && op->hasTrait<OpTrait::IsCommutative>();
}

/// Whether the two steps compute the same from the same.
static bool isSameStep(const LaunchStep &a, const LaunchStep &b) {
  return a.op->getName() == b.op->getName() &&
         a.op->getRawDictionaryAttrs() == b.op->getRawDictionaryAttrs() &&
         a.op->getResultTypes() == b.op->getResultTypes() &&
         a.op->getName().compareOpProperties(a.op->getPropertiesStorage(),
                                             b.op->getPropertiesStorage()) &&
         (a.operands == b.operands ||
          (isCommutativePair(a.op) && a.operands[0] == b.operands[1] &&
           a.operands[1] == b.operands[0]));
}

/// A hash that is the same for steps that are.
static unsigned hashStep(const LaunchStep &step) {
  // Of two operands the order does not count: few operations have the same two
  // the other way round.
  llvm::hash_code operands =
      step.operands.size() == 2
          ? llvm::hash_value(std::minmax(step.operands[0], step.operands[1]))
          : llvm::hash_combine_range(step.operands);
  size_t hash =
      llvm::hash_combine(step.op->getName(), step.op->getRawDictionaryAttrs(),
                         step.op->hashProperties(), operands);
  // The greatest numbers are no keys of a map.
  return static_cast<unsigned>(hash) >> 1;
}

namespace {
/// Numbers the values at a launch, and finds those that are equal: the first of
/// each stands for the others.
class StepList {
public:
  explicit StepList(BoundaryPlan &plan) : plan(plan) {
    size_t count = plan.recomputed.size() + plan.hoistedViews.size();
    numbers.reserve(plan.func.getNumArguments() + count +
                    plan.hoistedAllocs.size());
    firstOfHash.reserve(count);
    for (BlockArgument param : plan.func.getArguments())
      addValue(param);
  }

  /// Adds the step that makes `op` again.
  void add(Operation *op) { append(makeStep(op)); }

  /// The same, unless there is a step that computes the same; returns whether
  /// there is.
  bool merge(Operation *op) {
    LaunchStep step = makeStep(op);
    unsigned &first = firstOfHash[hashStep(step)];
    for (unsigned next = first; next != 0; next = nextOfHash[next - 1]) {
      const LaunchStep &leader = plan.steps[next - 1];
      if (!isSameStep(leader, step))
        continue;
      for (auto [result, same] :
           llvm::zip_equal(op->getResults(), leader.op->getResults())) {
        plan.leaders[result] = same;
        numbers[result] = getNumber(same);
      }
      return true;
    }
    append(std::move(step));
    nextOfHash.resize(plan.steps.size());
    nextOfHash.back() = first;
    first = plan.steps.size();
    return false;
  }

  /// The number of a value, or of what it is by identity.
  unsigned getNumber(Value value) const {
    return numbers.lookup(plan.identity->getSource(value));
  }

private:
  LaunchStep makeStep(Operation *op) const {
    LaunchStep step;
    step.op = op;
    for (Value operand : op->getOperands())
      step.operands.push_back(getNumber(operand));
    if (auto view = dyn_cast<ViewOp>(op))
      step.sourceType = view.getSource().getType();
    return step;
  }
  void append(LaunchStep step) {
    for (Value result : step.op->getResults())
      addValue(result);
    plan.steps.push_back(std::move(step));
  }
  void addValue(Value value) { numbers.try_emplace(value, numNumbers++); }

  BoundaryPlan &plan;
  llvm::SmallDenseMap<Value, unsigned, 16> numbers;
  unsigned numNumbers = 0;
  /// The last step of each hash, and the one before of each step; these count
  /// from one.
  llvm::SmallDenseMap<unsigned, unsigned, 8> firstOfHash;
  SmallVector<unsigned, 0> nextOfHash;
};
} // namespace

//===----------------------------------------------------------------------===//
// The planner
//===----------------------------------------------------------------------===//

namespace {

/// Where in the body an operation stands.
struct Context {
  const Context *parent = nullptr;
  /// The construct of this level that makes the number of nodes vary between
  /// calls; null when it does not.
  Operation *varying = nullptr;
  /// Whether this level is a branch, and whether it or one around it is.
  bool isBranch = false;
  /// Whether only scopes lie between here and the body.
  bool isTopLevel = true;
  /// Whether a loop around may run zero times, or a branch not be taken.
  bool mayNotRun = false;
};

class Planner {
public:
  Planner(BoundaryPlan &plan, CalleeTies &ties)
      : plan(plan), func(plan.func), ties(ties) {}

  void run();

private:
  //===--------------------------------------------------------------------===//
  // Signature and body
  //===--------------------------------------------------------------------===//

  void checkRuntime();
  void checkParams();
  void checkReturn(ReturnOp op);
  void visitBlock(Block &block, const Context &context);
  void visitOp(Operation *op, const Context &context);
  void visitLoop(scf::ForOp loop, const Context &context);
  void visitBranch(Operation *branch, Value condition, const Context &context);
  void visitRegions(Operation *op, const Context &context);
  void visitLaunch(LaunchOpInterface launch, const Context &context);
  void visitAllocation(Operation *op, const Context &context);

  /// Reports the constructs around a node that make its number vary.
  void checkTopology(Operation *node, const Context &context);
  void checkTaskLimits(LaunchOpInterface launch, FuncOp callee);
  void checkBlockCount(SubmitOp submit);
  void checkFrozen(Operation *op, ValueRange values, StringRef what);
  void checkChoice(Operation *op, Value value, StringRef what);
  void visitScalarArgument(OpOperand &operand);
  void visitTensorOperand(OpOperand &operand);

  //===--------------------------------------------------------------------===//
  // Decisions, after the whole body has been seen
  //===--------------------------------------------------------------------===//

  void checkReads();
  void findReachedViews();
  void decideViews();
  void decideView(Operation *op, bool mayNotRun);
  void collectKeptWindows();
  bool checkWindowRange(SliceOp slice);
  std::optional<std::pair<int64_t, int64_t>> getOffsetRange(SliceOp slice,
                                                            Value offset);
  bool isRemovable(Operation *op) const;
  void findLive();
  void dropDeadAllocations();
  void collectRecomputed();
  void collectSteps();
  ParamDirection getBoundaryDirection(Value source);
  void choosePlan();
  void checkLimits();
  void collectTensors();

  /// The boundary tensors `source` may be, or be a window of, through merges.
  SmallVector<Value, 1> getBases(Value source);
  bool isNamed(Value source) const;

  InFlightDiagnostic error(Location loc, DiagnosticCode code) {
    plan.failed = true;
    return emitCodedError(loc, code);
  }
  /// What to call a value in a message; SSA names are gone.
  std::string describe(Value value) const;
  void noteOrigin(InFlightDiagnostic &diag, Value value) const;
  void noteTrap(InFlightDiagnostic &diag, Value value) const;

  BoundaryPlan &plan;
  FuncOp func;
  CalleeTies &ties;
  std::optional<ReplayInvariance> invariance;
  std::optional<Hoistability> hoistability;
  std::optional<AffineForms> forms;
  /// Whether something of the body is not there yet: a scope to be outlined, a
  /// function to be inlined.
  bool isIncomplete = false;

  /// Whether users come later in the text, as in regions of one block.
  bool isOrdered = true;

  /// Operations that may go when nothing uses them (pure ones without regions
  /// and hoisted allocations), in order.
  SmallVector<Operation *> pureOps;
  /// Windows in order, with whether a loop or branch around may not run.
  SmallVector<std::pair<Operation *, bool>> views;
  SmallVector<ReadOp> reads;
  /// Values tasks take as tensors.
  SmallVector<Value> taskTensors;
  llvm::SmallDenseSet<Value, 8> directTensors;
  llvm::SmallDenseSet<Operation *, 8> reachedViews, hoisted;
  llvm::DenseSet<Operation *> reportedConstructs;
  SmallVector<Operation *> keptViews;
  llvm::DenseSet<Value> reportedValues;
  /// Those of `pureOps` that something needs when the uses the plan replaces
  /// are gone.
  llvm::SmallDenseSet<Operation *, 16> live;
  bool isDead(Operation *op) const { return !live.contains(op); }
  std::optional<StepList> steps;
  /// Task arguments to hoist, with the value they are.
  SmallVector<std::pair<OpOperand *, Value>> frontier;
  /// The kept windows by their operation, as numbers of `plan.keptWindows`.
  DenseMap<Operation *, unsigned> keptIndex;
};

} // namespace

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Whether `argument` counts the iterations of `loop`.
static bool isInductionVariable(LoopLikeOpInterface loop,
                                BlockArgument argument) {
  std::optional<SmallVector<Value>> counters = loop.getLoopInductionVars();
  return counters && llvm::is_contained(*counters, argument);
}

std::string Planner::describe(Value value) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto owner = dyn_cast<FuncOp>(parent))
      os << "parameter '%" << owner.getParamName(argument.getArgNumber())
         << "'";
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(parent);
             loop && isInductionVariable(loop, argument))
      os << "the induction variable of a loop";
    else
      os << "a value carried by '" << parent->getName() << "'";
    return text;
  }
  Operation *op = value.getDefiningOp();
  os << "the result of '" << op->getName() << "'";
  if (auto launch = dyn_cast<LaunchOpInterface>(op))
    if (FlatSymbolRefAttr callee = launch.getLaunchCallee())
      os << " of '@" << callee.getValue() << "'";
  return text;
}

void Planner::noteOrigin(InFlightDiagnostic &diag, Value value) const {
  Value source = plan.identity->getSource(value);
  diag.attachNote(source.getLoc()) << "it is " << describe(source);
}

/// Says when only the risk of a trap keeps the launch from computing `value`.
void Planner::noteTrap(InFlightDiagnostic &diag, Value value) const {
  Operation *op = value.getDefiningOp();
  if (op && isScalarComputation(op) &&
      llvm::all_of(op->getOperands(), [&](Value operand) {
        return hoistability->isHoistable(operand);
      }))
    diag.attachNote(op->getLoc())
        << "'" << op->getName()
        << "' may trap and does not run on every call; where it always runs, "
           "the launch can compute it";
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

/// Whether `type` is that of task ids: of one or of an array of them.
static bool isTaskIdLike(Type type) {
  if (auto array = dyn_cast<graph::ArrayType>(type))
    type = array.getElementType();
  return isa<TaskIdType>(type);
}

void Planner::checkRuntime() {
  if (getRuntime(func) == Runtime::HostBuildGraph)
    return;
  InFlightDiagnostic diag = error(func.getLoc(), DiagnosticCode::Runtime);
  diag << "graph function '@" << func.getSymName() << "' needs the runtime '"
       << stringifyRuntime(Runtime::HostBuildGraph)
       << "', but the module is compiled for '"
       << stringifyRuntime(getRuntime(func)) << "'";
  explain(diag, "only that runtime records and replays graphs",
          "put graph.runtime = #graph.runtime<host_build_graph> on the module, "
          "or make this an orchestration function");
}

void Planner::checkParams() {
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    Location loc =
        func.isExternal() ? func.getLoc() : func.getArgument(i).getLoc();
    ParamDirection direction = func.getParamDirection(i);
    auto describeParam = [&](InFlightDiagnostic &diag) {
      diag << "parameter '%" << func.getParamName(i) << "' of graph function '@"
           << func.getSymName() << "' ";
    };
    if (isa<GraphTensorType>(type)) {
      if (direction != ParamDirection::Out)
        continue;
      InFlightDiagnostic diag = error(loc, DiagnosticCode::OutParam);
      describeParam(diag);
      diag << "is 'out'";
      explain(diag,
              "a boundary tensor must exist before the launch so that a replay "
              "can patch its address",
              "declare it 'inout' and allocate the buffer at the launch");
    } else if (isScalarType(type)) {
      if (direction == ParamDirection::In)
        continue;
      InFlightDiagnostic diag = error(loc, DiagnosticCode::ScalarDirection);
      describeParam(diag);
      diag << "is a scalar but '" << stringifyParamDirection(direction) << "'";
      explain(diag, "boundary scalars are passed by value",
              "declare it 'in' and return data through a tensor");
    } else {
      InFlightDiagnostic diag = error(loc, DiagnosticCode::ParamType);
      describeParam(diag);
      diag << "has type " << type << ", which is neither a tensor nor a scalar";
      explain(diag, "a recording has slots for tensors and scalars only",
              isTaskIdLike(type)
                  ? "drop the dependency: the order against tasks outside "
                    "follows from the directions of the boundary tensors"
                  : "pass the buffers and scalars the tasks work on");
    }
  }
}

void Planner::checkReturn(ReturnOp op) {
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    if (plan.identity->getParameter(operand))
      continue;
    InFlightDiagnostic diag =
        error(op.getLoc(), DiagnosticCode::ComputedReturn);
    diag << "graph function '@" << func.getSymName()
         << "' returns a computed value as result #" << i;
    noteOrigin(diag, operand);
    explain(diag, "a result of a graph launch is only a handle of an argument",
            isTaskIdLike(operand.getType())
                ? "return no task id: the order against tasks outside follows "
                  "from the directions of the boundary tensors"
                : "write into an 'inout' parameter and return that parameter");
  }
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

/// The integer `value` folds to, looking through operations over constants.
static std::optional<int64_t> foldToConstant(Value value,
                                             const IdentityLineage &identity) {
  // Mostly it is one, or nothing that folds.
  Value source = identity.getSource(value);
  APInt constant;
  if (matchPattern(source, m_ConstantInt(&constant)))
    return constant.trySExtValue();
  if (isa<BlockArgument>(source))
    return std::nullopt;
  constexpr unsigned kMaxOps = 64;
  DenseMap<Value, Attribute> constants;
  SmallVector<Value> stack = {source};
  unsigned visited = 0;
  while (!stack.empty()) {
    Value current = stack.back();
    if (constants.contains(current)) {
      stack.pop_back();
      continue;
    }
    Operation *op = current.getDefiningOp();
    if (!op || !isScalarComputation(op) || ++visited > kMaxOps)
      return std::nullopt;
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      Value source = identity.getSource(operand);
      auto it = constants.find(source);
      if (it == constants.end())
        stack.push_back(source);
      else
        operands.push_back(it->second);
    }
    if (operands.size() != op->getNumOperands())
      continue;
    stack.pop_back();
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) ||
        results.size() != op->getNumResults())
      return std::nullopt;
    for (auto [result, folded] : llvm::zip_equal(op->getResults(), results)) {
      Attribute attr = dyn_cast<Attribute>(folded);
      if (!attr)
        attr = constants.lookup(identity.getSource(cast<Value>(folded)));
      if (!attr)
        return std::nullopt;
      constants[result] = attr;
    }
  }
  auto attr = dyn_cast<IntegerAttr>(constants.lookup(source));
  if (!attr || attr.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return attr.getValue().getSExtValue();
}

void Planner::visitBlock(Block &block, const Context &context) {
  isOrdered &= block.getParent()->hasOneBlock();
  for (Operation &op : block)
    visitOp(&op, context);
}

void Planner::visitOp(Operation *op, const Context &context) {
  if (isa_and_nonnull<GraphDialect>(op->getDialect())) {
    if (auto launch = dyn_cast<LaunchOpInterface>(op))
      return visitLaunch(launch, context);
    if (isa<CreateOp, FullOp>(op))
      return visitAllocation(op, context);
    if (auto scope = dyn_cast<ScopeOp>(op)) {
      // One that should have become a function has been reported, and what is
      // in it are no operations of this one.
      if (scope.isDeviceScope() || scope.getKind() == ScopeKind::Graph) {
        isIncomplete = true;
        return;
      }
      return visitBlock(op->getRegion(0).front(), context);
    }
    if (auto ret = dyn_cast<ReturnOp>(op))
      return checkReturn(ret);
    if (isa<YieldOp>(op))
      return;
    if (auto read = dyn_cast<ReadOp>(op)) {
      reads.push_back(read);
      return;
    }
    if (auto alias = dyn_cast<AliasOp>(op)) {
      plan.aliases.push_back(alias);
      pureOps.push_back(op);
      return;
    }
    if (isa<SliceOp, ViewOp>(op)) {
      views.push_back({op, context.mayNotRun});
      pureOps.push_back(op);
      return;
    }
    if (auto insert = dyn_cast<ArrayInsertOp>(op))
      checkFrozen(op, insert.getIndex(), "array index");
    else if (auto extract = dyn_cast<ArrayExtractOp>(op))
      checkFrozen(op, extract.getIndex(), "array index");
    if (isa<ArrayCreateOp, ArrayInsertOp, ArrayExtractOp, CastOp, DimOp>(op)) {
      pureOps.push_back(op);
      return;
    }
  } else if (isScalarComputation(op)) {
    pureOps.push_back(op);
    return;
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    return visitLoop(loop, context);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    return visitBranch(branch, branch.getCondition(), context);
  } else if (auto branch = dyn_cast<scf::IndexSwitchOp>(op)) {
    return visitBranch(branch, branch.getArg(), context);
  } else if (auto region = dyn_cast<scf::ExecuteRegionOp>(op);
             region && region.getRegion().hasOneBlock()) {
    // Runs once, as a scope does.
    return visitBlock(region.getRegion().front(), context);
  } else if (isa_and_nonnull<scf::SCFDialect>(op->getDialect())) {
    if (op->getNumRegions() == 0)
      return;
    // Any other structure may run its regions more or less often.
    Context inner{&context, op, /*isBranch=*/false, /*isTopLevel=*/false,
                  /*mayNotRun=*/true};
    return visitRegions(op, inner);
  } else if (auto select = dyn_cast<SelectLikeOpInterface>(op);
             select && op->getNumRegions() == 0 && isPure(op)) {
    pureOps.push_back(op);
    return;
  }

  InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::IllegalOp);
  diag << "'" << op->getName() << "' cannot stand in graph function '@"
       << func.getSymName() << "'";
  explain(diag, "a recording consists of tasks",
          "move it to the caller or into a kernel");
}

/// The buffers that the launches of `func` may write; a null value stands for
/// any.
static llvm::DenseSet<Value> getWritten(FuncOp func, CalleeTies &ties,
                                        const BufferLineage &buffers) {
  llvm::DenseSet<Value> written;
  auto write = [&](Value tensor) {
    ArrayRef<Value> roots = buffers.getRoots(tensor);
    written.insert(roots.begin(), roots.end());
    if (roots.empty())
      written.insert(Value());
  };
  func.walk([&](LaunchOpInterface launch) {
    FuncOp callee = ties.getCallee(launch);
    for (auto [i, operand] : llvm::enumerate(launch.getLaunchArgs()))
      if (isa<GraphTensorType>(operand.getType()) &&
          (!callee || callee.getParamDirection(i) != ParamDirection::In))
        write(operand);
    for (Value output : launch.getLaunchOutputs())
      if (isa<GraphTensorType>(output.getType()) &&
          buffers.getUniqueRoot(output) == output)
        write(output);
  });
  return written;
}

/// The host may read in a recording what was there before, and nothing that
/// comes out of it: no task runs before the recording is done.
void Planner::checkReads() {
  if (reads.empty())
    return;
  BufferLineage buffers(func, ties);
  llvm::DenseSet<Value> written = getWritten(func, ties, buffers);
  for (ReadOp read : reads) {
    ArrayRef<Value> roots = buffers.getRoots(read.getSource());
    bool isWritten =
        roots.empty()
            ? !written.empty()
            : written.contains(Value()) || llvm::any_of(roots, [&](Value root) {
                return written.contains(root) ||
                       isa_and_nonnull<CreateOp>(root.getDefiningOp());
              });
    if (!isWritten)
      continue;
    InFlightDiagnostic diag = error(read.getLoc(), DiagnosticCode::IllegalOp);
    diag << "'" << read->getName() << "' in graph function '@"
         << func.getSymName() << "' reads what the function itself writes";
    explain(diag,
            "no task runs before the recording is done, so the read would wait "
            "for ever",
            "read at the launch, or test the element in a kernel or with a "
            "predicate");
  }
}

void Planner::visitRegions(Operation *op, const Context &context) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visitBlock(block, context);
}

void Planner::visitLoop(scf::ForOp loop, const Context &context) {
  std::optional<uint64_t> tripCount =
      getConstantTripCount(loop, *plan.identity);
  Context inner{&context, tripCount ? nullptr : loop.getOperation(),
                /*isBranch=*/false, /*isTopLevel=*/false,
                context.mayNotRun || !tripCount || *tripCount == 0};
  visitRegions(loop, inner);
}

/// The region of a branch whose condition is a constant that runs; null when
/// that is not known.
static Region *getTakenRegion(Operation *branch, Value condition,
                              const IdentityLineage &identity) {
  std::optional<int64_t> value = foldToConstant(condition, identity);
  if (!value)
    return nullptr;
  if (auto conditional = dyn_cast<scf::IfOp>(branch))
    return *value ? &conditional.getThenRegion() : &conditional.getElseRegion();
  auto choice = cast<scf::IndexSwitchOp>(branch);
  const int64_t *match = llvm::find(choice.getCases(), *value);
  if (match == choice.getCases().end())
    return &choice.getDefaultRegion();
  return &choice.getCaseRegions()[match - choice.getCases().begin()];
}

void Planner::visitBranch(Operation *branch, Value condition,
                          const Context &context) {
  bool isFixed = invariance->isInvariant(condition);
  Region *taken = getTakenRegion(branch, condition, *plan.identity);
  for (Region &region : branch->getRegions()) {
    Context inner{&context, isFixed ? nullptr : branch,
                  /*isBranch=*/true, /*isTopLevel=*/false,
                  context.mayNotRun || &region != taken};
    for (Block &block : region)
      visitBlock(block, inner);
  }
}

void Planner::checkTopology(Operation *node, const Context &context) {
  for (const Context *level = &context; level; level = level->parent) {
    Operation *construct = level->varying;
    if (!construct)
      continue;
    // What was reported was reported with all that is around it.
    if (!reportedConstructs.insert(construct).second)
      return;
    auto loop = dyn_cast<scf::ForOp>(construct);
    std::optional<int64_t> step =
        loop ? getConstantIntValue(loop.getStep()) : std::nullopt;
    bool badStep = step && *step <= 0;
    InFlightDiagnostic diag =
        error(construct->getLoc(), badStep ? DiagnosticCode::LoopStep
                                           : DiagnosticCode::VaryingTopology);
    StringRef what = isa<CreateOp, FullOp>(node) ? "an allocation" : "a launch";
    bool isBranch = isa<scf::IfOp, scf::IndexSwitchOp>(construct);
    bool isParallel = isa<scf::ParallelOp, scf::ForallOp>(construct);
    if (badStep)
      diag << "loop in graph function '@" << func.getSymName() << "' holds "
           << what << " but has step " << *step;
    else
      diag << "'" << construct->getName() << "' in graph function '@"
           << func.getSymName() << "' holds " << what << ", but "
           << (isBranch     ? "its condition may differ between replays"
               : isParallel ? "only the trips of 'scf.for' are counted"
                            : "how often it runs may differ between replays");
    diag.attachNote(node->getLoc()) << what << " is here";
    if (badStep)
      explain(diag, "how often such a loop runs is not defined",
              "give it a positive step");
    else
      explain(
          diag,
          Twine("a replay runs the nodes of the first call, whatever the ") +
              (isBranch ? "condition" : "trip count") + " is then",
          isBranch     ? "predicate the tasks, or branch in the caller"
          : isParallel ? "use an 'scf.for' with constant bounds, and the "
                         "attribute 'graph.parallel'"
                       : "use constant bounds and let the tasks skip what is "
                         "not there, or move the loop to the caller");
  }
}

void Planner::visitAllocation(Operation *op, const Context &context) {
  if (isa<FullOp>(op)) {
    InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::Full);
    diag << "'graph.full' in graph function '@" << func.getSymName() << "'";
    explain(diag, "there is no node that fills a buffer",
            "use graph.create and fill it in a kernel, or fill it at the "
            "launch and pass it");
    return checkTopology(op, context);
  }
  auto create = cast<CreateOp>(op);
  for (Value size : create.getDynamicSizes()) {
    if (getConstantIntValue(plan.identity->getSource(size)))
      continue;
    InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::AllocShape);
    diag << "allocation in graph function '@" << func.getSymName()
         << "' has an extent that is not a constant";
    noteOrigin(diag, size);
    explain(diag, "a replay would use the buffer of the first call's size",
            "allocate the largest size, or allocate at the launch and pass the "
            "buffer");
    break;
  }
  checkTopology(op, context);
  if (context.isTopLevel) {
    plan.hoistedAllocs.push_back(create);
    hoisted.insert(op);
    // Without a task that needs it, it goes like any dead operation.
    pureOps.push_back(op);
    return;
  }
  plan.keptAllocs.push_back(create);
  // A branch whose condition is fixed holds the same nodes on every replay, but
  // an allocation in it belongs to no statement list that always runs.
  for (const Context *level = &context; level; level = level->parent) {
    if (!level->isBranch || level->varying)
      continue;
    InFlightDiagnostic diag =
        error(op->getLoc(), DiagnosticCode::VaryingTopology);
    diag << "allocation under a branch in graph function '@"
         << func.getSymName() << "'";
    explain(diag,
            "an allocation is a node, and here it is one on some calls only",
            "allocate before the branch, where it is hoisted to the launch");
    break;
  }
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

void Planner::visitLaunch(LaunchOpInterface launch, const Context &context) {
  FuncOp callee = ties.getCallee(launch);
  // Reported as not inlined.
  if (callee && callee.getKind() == FunctionKind::Inline) {
    isIncomplete = true;
    return;
  }
  if (callee && !callee.isDeviceFunction()) {
    InFlightDiagnostic diag =
        error(launch.getLoc(), DiagnosticCode::IllegalCallee);
    diag << "graph function '@" << func.getSymName() << "' calls '@"
         << callee.getSymName() << "' of kind '"
         << stringifyFunctionKind(callee.getKind()) << "'";
    diag.attachNote(callee.getLoc()) << "the callee is defined here";
    if (callee.isGraph())
      explain(diag, "a graph cannot be recorded inside a recording",
              "launch it from the caller");
    else
      explain(diag, "only device functions become nodes",
              "make it 'inline' and inline it, or call it from the caller");
    return;
  }
  checkTopology(launch, context);
  checkTaskLimits(launch, callee);

  for (OpOperand &operand : launch.getLaunchArgsMutable()) {
    Type type = operand.get().getType();
    if (isScalarType(type)) {
      visitScalarArgument(operand);
    } else if (isa<GraphTensorType>(type)) {
      visitTensorOperand(operand);
    } else if (isa<TaskIdType>(type)) {
      // The recording holds the dependency structure; an id is never a scalar.
      checkChoice(launch, operand.get(), "task id");
    } else {
      InFlightDiagnostic diag =
          error(launch.getLoc(), DiagnosticCode::VaryingScalar);
      diag << "argument #" << operand.getOperandNumber()
           << " of a task has type " << type
           << ", which is neither a tensor nor a scalar";
      noteOrigin(diag, operand.get());
    }
  }
  for (Value dep : launch.getLaunchDeps())
    checkChoice(launch, dep, "dependency");

  auto submit = dyn_cast<SubmitOp>(launch.getOperation());
  if (!submit)
    return;
  if (submit.getGate()) {
    visitTensorOperand(*submit.getGateMutable().begin());
    checkFrozen(submit, submit.getGateIndices(), "predicate index");
    checkFrozen(submit, submit.getGateRhs(),
                "right-hand side of the predicate");
  }
  checkBlockCount(submit);
}

void Planner::checkTaskLimits(LaunchOpInterface launch, FuncOp callee) {
  uint64_t numTensors = 0, numScalars = 0, numDeps = 0;
  // What the runtime allocates for omitted parameters counts as well.
  if (callee)
    for (Type type : callee.getArgumentTypes())
      (isa<GraphTensorType>(type) ? numTensors : numScalars) += 1;
  for (Value dep : launch.getLaunchDeps()) {
    auto array = dyn_cast<ArrayType>(dep.getType());
    numDeps += array ? array.getSize() : 1;
  }
  auto check = [&](uint64_t count, unsigned limit, StringRef what) {
    if (count <= limit)
      return;
    InFlightDiagnostic diag =
        error(launch.getLoc(), DiagnosticCode::TaskLimits);
    diag << "task in graph function '@" << func.getSymName() << "' has "
         << count << " " << what << ", at most " << limit << " are possible";
    if (callee)
      diag.attachNote(callee.getLoc()) << "the kernel is declared here";
    explain(diag, "the argument table of a task is fixed", "split the task");
  };
  check(numTensors, kMaxTaskTensors, "tensors");
  check(numScalars, kMaxTaskScalars, "scalars");
  check(numDeps, kMaxTaskDeps, "dependencies");
}

void Planner::checkBlockCount(SubmitOp submit) {
  Value coreNum = submit.getCoreNum();
  if (!coreNum)
    return;
  std::optional<int64_t> count = foldToConstant(coreNum, *plan.identity);
  if (count && *count > 0)
    return;
  InFlightDiagnostic diag = error(submit.getLoc(), DiagnosticCode::CoreNum);
  diag << "block count of a task in graph function '@" << func.getSymName()
       << "' ";
  if (count)
    diag << "must be positive, got " << *count;
  else
    diag << "is not a constant";
  noteOrigin(diag, coreNum);
  explain(diag, "a replay launches as many blocks as the first call did",
          "use a positive constant and let the blocks skip what is not there");
}

void Planner::checkFrozen(Operation *op, ValueRange values, StringRef what) {
  for (Value value : values) {
    if (invariance->isInvariant(value))
      continue;
    InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::FrozenUse);
    diag << what << " in graph function '@" << func.getSymName()
         << "' varies between replays, but a recording freezes it";
    noteOrigin(diag, value);
    explain(
        diag,
        "it has no slot: every replay would use the value of the first call",
        "use a constant or the variable of a constant-trip loop");
  }
}

void Planner::checkChoice(Operation *op, Value value, StringRef what) {
  if (invariance->isChoiceInvariant(value))
    return;
  Value source = plan.identity->getSource(value);
  if (!reportedValues.insert(source).second)
    return;
  InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::VaryingChoice);
  diag << what << " of a task in graph function '@" << func.getSymName()
       << "' may name another "
       << (isa<GraphTensorType>(value.getType()) ? "buffer" : "task")
       << " on a replay";
  diag.attachNote(source.getLoc()) << "it is chosen here: " << describe(source);
  explain(diag, "a replay uses what the first call chose",
          "choose at the launch and pass the chosen one as a parameter");
}

void Planner::visitTensorOperand(OpOperand &operand) {
  taskTensors.push_back(operand.get());
  checkChoice(operand.getOwner(), operand.get(), "operand");
}

void Planner::visitScalarArgument(OpOperand &operand) {
  Value value = operand.get();
  Value source = plan.identity->getSource(value);
  if (plan.identity->getParameter(source)) {
    // It has a slot; the task must read that slot and no copy of it.
    if (source != value)
      plan.slotUses.push_back({&operand, source});
    return;
  }
  if (hoistability->isConstant(value))
    return;
  if (invariance->isInvariant(value)) {
    plan.keptScalars.push_back(&operand);
    return;
  }
  if (hoistability->isHoistable(source)) {
    frontier.push_back({&operand, source});
    return;
  }
  if (!reportedValues.insert(source).second)
    return;
  Operation *task = operand.getOwner();
  InFlightDiagnostic diag =
      error(task->getLoc(), DiagnosticCode::VaryingScalar);
  diag << "scalar argument #" << operand.getOperandNumber()
       << " of a task in graph function '@" << func.getSymName()
       << "' varies between replays and the launch cannot recompute it";
  noteOrigin(diag, value);
  noteTrap(diag, source);
  explain(diag, "every replay would pass the value of the first call",
          "compute it at the launch and pass it as a scalar parameter, or let "
          "the kernel read it from a tensor");
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Windows no task sees are never recorded; they need and create nothing.
void Planner::findReachedViews() {
  SmallVector<Value> worklist = taskTensors;
  llvm::SmallDenseSet<Value, 8> visited;
  while (!worklist.empty()) {
    Value value = plan.identity->getSource(worklist.pop_back_val());
    if (!visited.insert(value).second)
      continue;
    directTensors.insert(value);
    for (Value input : plan.identity->getInputs(value))
      worklist.push_back(input);
    if (auto view = value.getDefiningOp<ViewLikeOpInterface>())
      reachedViews.insert(view);
  }
  // Sources of windows are reached, but not by tasks themselves.
  worklist.clear();
  for (auto [op, mayNotRun] : llvm::reverse(views))
    if (reachedViews.contains(op))
      worklist.push_back(op->getOperand(0));
  while (!worklist.empty()) {
    Value value = plan.identity->getSource(worklist.pop_back_val());
    if (!visited.insert(value).second)
      continue;
    for (Value input : plan.identity->getInputs(value))
      worklist.push_back(input);
    if (auto view = value.getDefiningOp<ViewLikeOpInterface>();
        view && reachedViews.insert(view).second)
      worklist.push_back(view->getOperand(0));
  }
}

bool Planner::isNamed(Value source) const {
  if (plan.identity->getParameter(source))
    return true;
  Operation *op = source.getDefiningOp();
  return op && hoisted.contains(op);
}

/// The least and the greatest offset the window takes, each of which it does
/// take whenever what is around the loops that count it runs.
std::optional<std::pair<int64_t, int64_t>>
Planner::getOffsetRange(SliceOp slice, Value offset) {
  if (!invariance->isInvariant(offset))
    return std::nullopt;
  if (auto constant = foldToConstant(offset, *plan.identity))
    return std::pair(*constant, *constant);
  return getRangeTaken(forms->get(offset), slice, *plan.identity);
}

bool Planner::checkWindowRange(SliceOp slice) {
  ArrayRef<int64_t> extents =
      cast<GraphTensorType>(slice.getSource().getType()).getShape();
  // Literals are read where they are: attributes for them would have to be
  // made.
  auto nextOffset = slice.getOffsets().begin();
  auto nextSize = slice.getSizes().begin();
  auto getRange = [&](int64_t literal, auto &nextValue) {
    return ShapedType::isDynamic(literal)
               ? getOffsetRange(slice, *nextValue++)
               : std::optional(std::pair(literal, literal));
  };
  for (auto [axis, extent, literalOffset, literalSize] : llvm::enumerate(
           extents, slice.getStaticOffsets(), slice.getStaticSizes())) {
    auto offset = getRange(literalOffset, nextOffset);
    auto size = getRange(literalSize, nextSize);
    bool isEmpty = size && size->first <= 0;
    bool isOutside = offset && offset->first < 0;
    if (!ShapedType::isDynamic(extent)) {
      // Both at their least or greatest at once only when one is fixed.
      bool isFixed = size && size->first == size->second;
      std::optional<int64_t> end = llvm::checkedAdd<int64_t>(
          offset ? offset->second : 0, isFixed ? size->first : int64_t(1));
      isOutside |= !end || *end > extent;
    }
    if (!isEmpty && !isOutside)
      continue;
    InFlightDiagnostic diag = error(slice.getLoc(), DiagnosticCode::ViewRange);
    diag << "window in graph function '@" << func.getSymName() << "' "
         << (isEmpty ? "is empty" : "leaves its tensor") << " along axis "
         << axis;
    noteOrigin(diag, slice.getSource());
    auto &range = isEmpty ? size : offset;
    if (range && range->first != range->second)
      diag.attachNote(slice.getLoc())
          << "its " << (isEmpty ? "extent" : "offset") << " runs from "
          << range->first << " to " << range->second;
    explain(diag, "the replay of such a window fails",
            "take a window that has elements and lies inside its tensor");
    return false;
  }
  return true;
}

void Planner::decideView(Operation *op, bool mayNotRun) {
  ValueRange operands = op->getOperands().drop_front();
  ValueRange sizes =
      isa<SliceOp>(op) ? ValueRange(cast<SliceOp>(op).getSizes()) : operands;
  Value source = plan.identity->getSource(op->getOperand(0));
  auto isInvariant = [&](Value value) {
    return invariance->isInvariant(value);
  };
  auto isHoistable = [&](Value value) {
    return hoistability->isHoistable(value);
  };
  bool allHoistable = llvm::all_of(operands, isHoistable);
  bool fixedShape = llvm::all_of(sizes, isInvariant);
  if (isNamed(source) && allHoistable && fixedShape && !mayNotRun) {
    plan.hoistedViews.push_back(op);
    hoisted.insert(op);
    return;
  }
  if (llvm::all_of(operands, isInvariant))
    return keptViews.push_back(op);

  Value culprit =
      *llvm::find_if_not(fixedShape ? operands : sizes, isInvariant);
  InFlightDiagnostic diag =
      error(op->getLoc(), fixedShape ? DiagnosticCode::MovingView
                                     : DiagnosticCode::ViewShape);
  diag << "window of " << describe(source) << " in graph function '@"
       << func.getSymName() << "' "
       << (fixedShape
               ? "moves between replays and cannot be taken at the launch"
               : "has an extent that varies between replays");
  diag.attachNote(plan.identity->getSource(culprit).getLoc())
      << "this varies: " << describe(plan.identity->getSource(culprit));
  if (!fixedShape) {
    explain(diag, "extents are copied from the recording",
            "use constant extents and pass the valid count as a scalar");
    return;
  }
  auto fixed = llvm::find_if_not(operands, isHoistable);
  if (fixed != operands.end())
    diag.attachNote(plan.identity->getSource(*fixed).getLoc())
        << "the launch has no name for this: "
        << describe(plan.identity->getSource(*fixed));
  else if (!isNamed(source))
    diag.attachNote(source.getLoc())
        << "the launch has no name for its source: " << describe(source);
  else
    diag.attachNote(op->getLoc())
        << "it stands in a loop or branch that may not run";
  explain(
      diag, "a replay would read the window of the first call",
      "take the varying part as a window of its own first, or unroll the loop");
}

void Planner::decideViews() {
  for (auto [op, mayNotRun] : views) {
    // A window out of range is wrong even when no task sees it.
    if (auto slice = dyn_cast<SliceOp>(op))
      if (!checkWindowRange(slice))
        continue;
    if (reachedViews.contains(op))
      decideView(op, mayNotRun);
  }
}

/// Which boundary tensors the windows that stay are windows of. What a loop
/// carries may be a window that is hoisted from further below, so this has to
/// wait for all decisions.
void Planner::collectKeptWindows() {
  for (Operation *op : keptViews) {
    Value source = plan.identity->getSource(op->getOperand(0));
    KeptWindow window;
    auto parent = keptIndex.find(source.getDefiningOp());
    if (source.getDefiningOp() && parent != keptIndex.end()) {
      window = plan.keptWindows[parent->second];
    } else {
      window.bases = getBases(source);
      window.isChain = isNamed(source);
    }
    window.op = op;
    // A window of a buffer made inside has no boundary tensor to bind to.
    if (window.bases.empty())
      continue;
    keptIndex[op] = plan.keptWindows.size();
    plan.keptWindows.push_back(std::move(window));
  }
}

SmallVector<Value, 1> Planner::getBases(Value source) {
  if (isNamed(source))
    return {source};
  if (plan.identity->getInputs(source).empty())
    return {}; // made by a task or an allocation inside: no boundary tensor
  // Everything that enters the merges this one belongs to, by way of windows as
  // well: an over-approximation, but a linear one.
  SmallVector<Value, 1> bases;
  SmallVector<Value> worklist = {source};
  llvm::SmallDenseSet<Value> visited;
  constexpr unsigned kMaxVisited = 256;
  while (!worklist.empty()) {
    Value value = plan.identity->getSource(worklist.pop_back_val());
    if (!visited.insert(value).second)
      continue;
    if (visited.size() > kMaxVisited) {
      // Too tangled to say: any boundary tensor may be the base.
      bases.clear();
      for (BlockArgument param : func.getArguments())
        if (isa<GraphTensorType>(param.getType()))
          bases.push_back(param);
      for (CreateOp create : plan.hoistedAllocs)
        bases.push_back(create.getResult());
      for (Operation *view : plan.hoistedViews)
        bases.push_back(view->getResult(0));
      return bases;
    }
    if (isNamed(value)) {
      bases.push_back(value);
      continue;
    }
    if (isa_and_nonnull<ViewLikeOpInterface>(value.getDefiningOp()))
      worklist.push_back(value.getDefiningOp()->getOperand(0));
    llvm::append_range(worklist, plan.identity->getInputs(value));
  }
  return bases;
}

//===----------------------------------------------------------------------===//
// From decisions to parameters
//===----------------------------------------------------------------------===//

/// The scalar operations that the launches need to recompute, in order.
void Planner::collectRecomputed() {
  SmallVector<Value> worklist;
  for (auto &[operand, source] : frontier)
    worklist.push_back(source);
  for (Operation *view : plan.hoistedViews)
    llvm::append_range(worklist, view->getOperands().drop_front());
  for (CreateOp create : plan.hoistedAllocs)
    llvm::append_range(worklist, create.getDynamicSizes());
  llvm::SmallDenseSet<Operation *, 8> needed;
  while (!worklist.empty()) {
    Operation *op =
        plan.identity->getSource(worklist.pop_back_val()).getDefiningOp();
    if (op && hoistability->isHoistable(op->getResult(0)) &&
        needed.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  }
  if (!needed.empty())
    llvm::copy_if(pureOps, std::back_inserter(plan.recomputed),
                  [&](Operation *op) { return needed.contains(op); });
}

/// What the launches make again, with equal values made once.
void Planner::collectSteps() {
  plan.steps.reserve(plan.recomputed.size() + plan.hoistedAllocs.size() +
                     plan.hoistedViews.size());
  steps.emplace(plan);
  auto merge = [&](Operation *op) { return steps->merge(op); };
  llvm::erase_if(plan.recomputed, merge);
  for (CreateOp create : plan.hoistedAllocs)
    steps->add(create);
  llvm::erase_if(plan.hoistedViews, merge);
  for (LaunchStep &step : plan.steps)
    step.isMovable = hoisted.contains(step.op) || isDead(step.op);
}

/// Whether `op` is one of those that go when nothing uses them.
bool Planner::isRemovable(Operation *op) const {
  if (op->getNumRegions() != 0 || op->getNumResults() == 0 ||
      isa<ReadOp, FullOp>(op) || asLaunch(op))
    return false;
  return !isa<CreateOp>(op) || hoisted.contains(op);
}

/// Which pure operations the body still needs, when the uses the plan replaces
/// are gone, and which are erased.
void Planner::findLive() {
  llvm::SmallDenseSet<OpOperand *, 8> replaced;
  for (auto &[operand, source] : frontier)
    replaced.insert(operand);
  for (auto &[operand, source] : plan.slotUses)
    replaced.insert(operand);
  // Users come later, so they have been judged; what is no pure operation is
  // there to stay. What is hoisted reads nothing in the body any more. Only
  // tasks have uses that the plan replaces.
  auto isLiveUse = [&](OpOperand &use) {
    Operation *owner = use.getOwner();
    return isRemovable(owner) ? live.contains(owner) && !hoisted.contains(owner)
                              : !replaced.contains(&use);
  };
  // Between blocks, users may have to wait for their turn.
  if (!isOrdered)
    live.insert_range(pureOps);
  SmallVector<Operation *> dead;
  for (Operation *op : llvm::reverse(pureOps)) {
    if (llvm::any_of(op->getUses(), isLiveUse)) {
      live.insert(op);
      continue;
    }
    dead.push_back(op);
    if (!isOrdered)
      live.erase(op);
  }

  // What had users and lost them goes, and with it whatever used it to no end.
  auto isErased = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && isRemovable(op) && isDead(op);
  };
  for (Operation *op : dead) {
    if (!hoisted.contains(op) && op->use_empty() &&
        llvm::none_of(op->getOperands(), isErased))
      continue;
    // Renames are folded anyway, and whoever uses a dead one is dead.
    if (!isa<AliasOp>(op))
      plan.erased.push_back(op);
  }
}

/// The launches allocate only what a task needs, or a window they take.
void Planner::dropDeadAllocations() {
  if (plan.hoistedAllocs.empty())
    return;
  llvm::DenseSet<Value> windowed;
  for (Operation *view : plan.hoistedViews)
    windowed.insert(plan.identity->getSource(view->getOperand(0)));
  llvm::erase_if(plan.hoistedAllocs, [&](CreateOp create) {
    return isDead(create) && !windowed.contains(create.getResult());
  });
}

/// The direction of a tensor of the boundary that is no window.
ParamDirection Planner::getBoundaryDirection(Value source) {
  auto param = dyn_cast<BlockArgument>(source);
  return param && func.getParamDirection(param.getArgNumber()) ==
                      ParamDirection::In
             ? ParamDirection::In
             : ParamDirection::InOut;
}

void Planner::choosePlan() {
  llvm::SmallDenseSet<Value, 8> liveViews;
  for (auto [op, mayNotRun] : views) {
    if (!hoisted.contains(op) || isDead(op))
      continue;
    plan.replaced.push_back(op);
    liveViews.insert(plan.resolve(op->getResult(0)));
  }
  for (CreateOp create : plan.hoistedAllocs) {
    if (isDead(create))
      continue;
    plan.replaced.push_back(create);
    plan.allocParams.push_back(create.getResult());
  }
  // A window of a window has the direction of the first one.
  llvm::SmallDenseMap<Value, ParamDirection, 8> directions;
  for (Operation *view : plan.hoistedViews) {
    Value source = plan.resolve(view->getOperand(0)),
          window = view->getResult(0);
    ParamDirection direction = getBoundaryDirection(source);
    if (auto it = directions.find(source); it != directions.end())
      direction = it->second;
    directions[window] = direction;
    if (!liveViews.contains(window))
      continue;
    plan.viewParams.push_back(window);
    plan.viewDirections.push_back(direction);
  }
  llvm::SmallDenseSet<Value, 8> scalars;
  for (auto &[operand, source] : frontier) {
    Value value = plan.resolve(source);
    scalars.insert(value);
    plan.slotUses.push_back({operand, value});
  }
  for (Operation *op : plan.recomputed)
    for (Value result : op->getResults())
      if (scalars.contains(result))
        plan.scalarParams.push_back(result);
  for (ArrayRef<Value> group :
       {ArrayRef(plan.allocParams), ArrayRef(plan.viewParams),
        ArrayRef(plan.scalarParams)})
    for (Value value : group)
      plan.arguments.push_back(steps->getNumber(value));
}

void Planner::checkLimits() {
  unsigned numTensors =
      llvm::count_if(func.getArgumentTypes(), llvm::IsaPred<GraphTensorType>);
  unsigned numScalars = llvm::count_if(func.getArgumentTypes(), isScalarType);
  unsigned newTensors = plan.allocParams.size() + plan.viewParams.size();
  unsigned newScalars = plan.scalarParams.size();
  if (numTensors + newTensors == 0) {
    InFlightDiagnostic diag =
        error(func.getLoc(), DiagnosticCode::EmptyBoundary);
    diag << "graph function '@" << func.getSymName()
         << "' has no tensor parameter";
    explain(diag, "a replay patches the addresses of boundary tensors",
            "pass the buffers the tasks work on");
  }
  auto check = [&](unsigned count, unsigned added, unsigned limit,
                   DiagnosticCode code, StringRef what) {
    if (count + added <= limit)
      return;
    InFlightDiagnostic diag = error(func.getLoc(), code);
    diag << "graph function '@" << func.getSymName() << "' has "
         << count + added << " " << what << " on its boundary, at most "
         << limit << " are possible";
    if (added)
      diag.attachNote() << added << " of them are hoisted from the body";
    explain(diag,
            "a larger boundary is run as ordinary tasks, without a message",
            "split the function");
  };
  check(numTensors, newTensors, kMaxBoundaryTensors,
        DiagnosticCode::TooManyTensors, "tensors");
  check(numScalars, newScalars, kMaxBoundaryScalars,
        DiagnosticCode::TooManyScalars, "scalars");
  if (func.isExternal() || isIncomplete)
    return;
  uint64_t numNodes =
      countTopology(func, [&](Operation *op) { return hoisted.contains(op); });
  // What was reported as varying is left out of the count.
  if (numNodes == 0 && reportedConstructs.empty()) {
    InFlightDiagnostic diag = error(func.getLoc(), DiagnosticCode::NoTasks);
    diag << "graph function '@" << func.getSymName() << "' records no tasks";
    explain(diag, "the runtime refuses a graph without nodes",
            "launch a kernel in it, or make it an 'inline' function");
  } else if (numNodes > kMaxNodes) {
    InFlightDiagnostic diag =
        error(func.getLoc(), DiagnosticCode::TooManyNodes);
    diag << "graph function '@" << func.getSymName() << "' records " << numNodes
         << " nodes, at most " << kMaxNodes << " are possible";
    explain(diag, "a launch in a loop counts once an iteration",
            "make the tasks coarser or split the function");
  }
}

void Planner::collectTensors() {
  llvm::SmallDenseSet<Value, 8> operands;
  for (Value value : directTensors)
    operands.insert(plan.resolve(value));
  auto add = [&](Value value) {
    if (auto type = dyn_cast<GraphTensorType>(value.getType()))
      plan.tensors.push_back({value, type, operands.contains(value)});
  };
  llvm::for_each(func.getArguments(), add);
  llvm::for_each(plan.allocParams, add);
  llvm::for_each(plan.viewParams, add);
}

void Planner::run() {
  checkRuntime();
  checkParams();
  if (func.isExternal())
    return checkLimits();
  plan.identity = std::make_unique<IdentityLineage>(func, ties);
  invariance.emplace(func, *plan.identity, ties);
  hoistability.emplace(func, *plan.identity);
  forms.emplace(*plan.identity);
  visitBlock(func.getBody().front(), Context());
  checkReads();
  findReachedViews();
  decideViews();
  collectKeptWindows();
  findLive();
  dropDeadAllocations();
  collectRecomputed();
  collectSteps();
  choosePlan();
  checkLimits();
  collectTensors();
}

void mlir::pypto::planBoundary(BoundaryPlan &plan, CalleeTies &ties) {
  Planner(plan, ties).run();
}

//===----------------------------------------------------------------------===//
// Launches of the graph
//===----------------------------------------------------------------------===//

/// Nothing comes back from a graph launch, so what the host does with a result
/// is right when the result is known to be an argument; that a result is
/// computed is reported where it is returned.
static void checkUsedResults(BoundaryPlan &plan, LaunchOpInterface launch) {
  FuncOp func = plan.func;
  for (auto [i, result] : llvm::enumerate(launch.getLaunchOutputs())) {
    if (result.use_empty() || func.getTiedParam(i))
      continue;
    BlockArgument param;
    if (!func.isExternal()) {
      Operation *ret = func.getBody().front().getTerminator();
      param = plan.identity->getParameter(ret->getOperand(i));
      if (!param)
        continue;
    }
    plan.failed = true;
    InFlightDiagnostic diag =
        emitCodedError(launch.getLoc(), DiagnosticCode::ComputedReturn);
    diag << "result #" << i << " of the launch of graph function '@"
         << func.getSymName() << "' is used, but not tied to a parameter";
    if (param)
      diag.attachNote(func.getLoc())
          << "graph function '@" << func.getSymName() << "' returns '%"
          << func.getParamName(param.getArgNumber()) << "'";
    else
      diag.attachNote(func.getLoc())
          << "graph function '@" << func.getSymName() << "' is declared here";
    explain(diag, "a graph launch gives nothing back but its arguments",
            param ? "run normalize-returns first, or write the name of the "
                    "parameter as the result"
                  : "write the name of a parameter as the result");
  }
}

static void checkLaunch(BoundaryPlan &plan, LaunchOpInterface launch) {
  FuncOp func = plan.func;
  auto error = [&](DiagnosticCode code) {
    plan.failed = true;
    return emitCodedError(launch.getLoc(), code);
  };
  auto noteGraph = [&](InFlightDiagnostic &diag) {
    diag.attachNote(func.getLoc())
        << "graph function '@" << func.getSymName() << "' is defined here";
  };
  auto caller = launch->getParentOfType<FuncOp>();
  // In a graph function the body's own check has reported it.
  if (!caller ||
      (caller.getKind() != FunctionKind::Orchestration &&
       caller.getKind() != FunctionKind::Opaque && !caller.isGraph())) {
    plan.hasBadLaunch = true;
    InFlightDiagnostic diag = error(DiagnosticCode::Caller);
    diag << "graph function '@" << func.getSymName() << "' is launched from ";
    if (caller)
      diag << "function '@" << caller.getSymName() << "' of kind '"
           << stringifyFunctionKind(caller.getKind()) << "'";
    else
      diag << "no function of this dialect";
    noteGraph(diag);
    explain(diag, "a graph is launched by the host, outside any recording",
            "launch it from an orchestration or opaque function");
  }
  unsigned numArgs = launch.getLaunchArgs().size();
  if (numArgs < func.getNumArguments()) {
    plan.hasBadLaunch = true;
    InFlightDiagnostic diag = error(DiagnosticCode::LaunchArgs);
    diag << "launch of graph function '@" << func.getSymName() << "' passes "
         << numArgs << " of " << func.getNumArguments() << " arguments";
    noteGraph(diag);
    explain(diag, "the runtime allocates nothing on a graph's boundary",
            "allocate the buffer and pass it");
  }
  checkUsedResults(plan, launch);
  auto submit = dyn_cast<SubmitOp>(launch.getOperation());
  if (!submit)
    return;
  if (!submit.getDeps().empty()) {
    InFlightDiagnostic diag = error(DiagnosticCode::LaunchDeps);
    diag << "launch of graph function '@" << func.getSymName()
         << "' has explicit dependencies";
    noteGraph(diag);
    explain(diag, "such a launch is never replayed",
            "let the order follow from the directions of the boundary tensors");
  }
  if (submit.getGate()) {
    InFlightDiagnostic diag = error(DiagnosticCode::LaunchPredicate);
    diag << "launch of graph function '@" << func.getSymName()
         << "' has a predicate";
    noteGraph(diag);
    explain(diag, "the runtime drops it in silence and the graph always runs",
            "predicate the tasks inside, or branch");
  }
  if (submit.getCoreNum() || submit.getSyncStart()) {
    InFlightDiagnostic diag = error(DiagnosticCode::LaunchSpec);
    diag << "launch of graph function '@" << func.getSymName() << "' has "
         << (submit.getCoreNum() ? "a core_num" : "sync_start");
    noteGraph(diag);
    explain(diag, "a graph launch has no launch specification",
            "put it on the tasks inside");
  }
  if (!submit.getTask().use_empty()) {
    InFlightDiagnostic diag = error(DiagnosticCode::LaunchTaskId);
    diag << "task id of the launch of graph function '@" << func.getSymName()
         << "' is used";
    diag.attachNote((*submit.getTask().user_begin())->getLoc())
        << "it is used here";
    noteGraph(diag);
    explain(diag, "the id is valid only on some launches",
            "let the order follow from the directions of the boundary tensors");
  }
}

void mlir::pypto::checkGraphLaunches(BoundaryPlan &plan) {
  for (LaunchOpInterface launch : plan.launches)
    checkLaunch(plan, launch);
}
