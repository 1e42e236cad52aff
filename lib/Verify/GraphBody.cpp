//===- GraphBody.cpp - Checks of a graph function by itself ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The signature, the topology (which nodes, how many), and what reaches the
// tasks: scalars, windows, buffers and dependencies.
//
//===----------------------------------------------------------------------===//

#include "BoundaryFacts.h"

#include "Analysis/ReplayInvariance.h"
#include "Diagnostics/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::verify;

// The runtime's fixed tables. Stated here once more on purpose.
static constexpr unsigned kBoundaryTensors = 128;
static constexpr unsigned kBoundaryScalars = 64;
static constexpr uint64_t kGraphNodes = 1024;
static constexpr unsigned kBuffersPerAllocation = 16;
static constexpr unsigned kTaskTensors = 32;
static constexpr unsigned kTaskScalars = 16;
static constexpr uint64_t kTaskDeps = 128;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string mlir::pypto::verify::describeValue(Value value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    auto func = dyn_cast<FuncOp>(parent);
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (func && argument.getOwner()->isEntryBlock())
      stream << "parameter '%" << func.getParamName(argument.getArgNumber())
             << "'";
    else if (loop && argument == loop.getInductionVar())
      stream << "the counter of a loop";
    else
      stream << "a value carried by '" << parent->getName() << "'";
    return text;
  }
  Operation *op = value.getDefiningOp();
  auto launch = dyn_cast<LaunchOpInterface>(op);
  if (launch && launch.getLaunchCallee())
    stream << "a result of '@" << launch.getLaunchCallee().getValue() << "'";
  else
    stream << "a result of '" << op->getName() << "'";
  return text;
}

static std::string describeTask(Operation *op) {
  auto launch = dyn_cast<LaunchOpInterface>(op);
  if (launch && launch.getLaunchCallee())
    return ("task '@" + launch.getLaunchCallee().getValue() + "'").str();
  return ("'" + op->getName().getStringRef() + "'").str();
}

static bool isTaskIdLike(Type type) {
  if (auto array = dyn_cast<ArrayType>(type))
    return isa<TaskIdType>(array.getElementType());
  return isa<TaskIdType>(type);
}

//===----------------------------------------------------------------------===//
// The checker
//===----------------------------------------------------------------------===//

namespace {
class BodyChecker {
public:
  BodyChecker(FuncOp func, TieTable &ties, BoundaryFacts &facts)
      : func(func), ties(ties), facts(facts) {}

  LogicalResult run();

private:
  InFlightDiagnostic error(Location loc, DiagnosticCode code) {
    hasFailed = true;
    return emitCodedError(loc, code);
  }
  std::string name() { return ("'@" + func.getSymName() + "'").str(); }

  // The signature.
  void checkSignature();
  void checkParam(unsigned index);
  void collectTensors();

  // The body.
  void checkBody();
  WalkResult visit(Operation *op, const WalkStage &stage);
  void visitLeaf(Operation *op);
  bool enterConstruct(Operation *op);
  uint64_t leaveConstruct();
  void checkCount(uint64_t numNodes);

  // Nodes.
  void addNode(Operation *op, bool isAllocation);
  void visitTask(LaunchOpInterface launch);
  void visitAllocation(Operation *op);
  void checkTaskLimits(LaunchOpInterface launch, FuncOp callee);
  void checkTaskArgs(LaunchOpInterface launch);
  void checkLaunchSpec(SubmitOp submit);

  // Values.
  void checkScalarArg(LaunchOpInterface launch, unsigned index);
  void checkFrozen(Operation *op, ValueRange values, const Twine &what);
  void checkChoice(Operation *op, Value value, const Twine &what);
  void useTensor(Operation *task, Value tensor, const Twine &what);
  /// The value of the cone of `scalar` that no launch can compute; null when
  /// the parameters and constants give it.
  Value findCulprit(Value scalar);
  bool isOwnScalarParam(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &func.getBody().front() &&
           isScalarType(value.getType());
  }
  bool isOwnParam(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &func.getBody().front();
  }

  // Windows.
  void checkWindows();
  void checkWindow(Operation *window, bool isLive);
  void checkWindowRange(SliceOp slice);
  bool certainlyRuns(Operation *op, Operation *ancestor);
  ValueSet getIndexValues(Operation *window, OpFoldResult index);
  bool couldBeHoisted(Operation *window);
  void collectFacts();

  void checkReturn(ReturnOp op);
  void checkPlainOp(Operation *op);
  void noteWrites(LaunchOpInterface launch, FuncOp callee);
  void checkReads();

  FuncOp func;
  TieTable &ties;
  BoundaryFacts &facts;
  bool hasFailed = false;

  std::optional<ValueTrace> trace;
  std::optional<IdentityLineage> identity;
  std::optional<ReplayInvariance> invariance;

  /// A block on the way down: what it has recorded, and the construct around it
  /// whose execution differs between replays.
  struct Frame {
    uint64_t numNodes = 0, numAllocations = 0;
    Operation *varying = nullptr;
  };
  /// An operation with regions on the way down.
  struct Construct {
    Operation *op;
    SmallVector<uint64_t, 2> counts;
    bool hasNodes = false, isVarying = false, hasBadStep = false;
    uint64_t numTrips = 1;
  };
  SmallVector<Frame> frames;
  SmallVector<Construct> constructs;
  /// Whether something that should be a node was reported and not counted.
  bool hasUncountedNodes = false;

  SmallVector<Operation *> windows;
  /// Reads of the host, and tensors that tasks may write.
  SmallVector<ReadOp> reads;
  SmallVector<Value> written;
  /// What tasks work on, each with the first task and what it is there.
  llvm::MapVector<Value, Operation *> taskTensors;
  /// Those that a task waits for, and those that one writes.
  DenseSet<Value> awaitedTensors, writtenTensors;
  /// What was reported already.
  DenseSet<Value> reportedScalars, reportedChoices, reportedFrozen;
  DenseMap<Value, Value> culprits;
  DenseMap<Operation *, bool> hoistableWindows;
  /// By tensor parameter position, its index among the tensors.
  DenseMap<unsigned, unsigned> tensorOf;
};
} // namespace

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

void BodyChecker::checkParam(unsigned index) {
  Type type = func.getArgumentTypes()[index];
  ParamDirection direction = func.getParamDirection(index);
  Location loc =
      func.isExternal() ? func.getLoc() : func.getArgument(index).getLoc();
  // Made-up locations of parameters would hide the function.
  if (isa<UnknownLoc>(loc))
    loc = func.getLoc();
  std::string param =
      ("'%" + func.getParamName(index) + "' of graph function ").str() + name();
  if (isa<GraphTensorType>(type)) {
    if (direction != ParamDirection::Out)
      return;
    InFlightDiagnostic diag = error(loc, DiagnosticCode::OutParam);
    diag << "tensor parameter " << param << " is 'out'";
    diag.attachNote() << "the runtime may allocate an 'out' tensor; a replay "
                         "patches only buffers that exist before the launch";
    diag.attachNote() << "declare it 'inout' and allocate it at the launch";
    return;
  }
  if (isScalarType(type)) {
    if (direction == ParamDirection::In)
      return;
    InFlightDiagnostic diag = error(loc, DiagnosticCode::ScalarDirection);
    diag << "scalar parameter " << param << " is '"
         << stringifyParamDirection(direction) << "'";
    diag.attachNote()
        << "a boundary scalar is passed by value; declare it 'in'";
    return;
  }
  InFlightDiagnostic diag = error(loc, DiagnosticCode::ParamType);
  diag << "parameter " << param << " of type " << type
       << " is neither a tensor nor a scalar";
  diag.attachNote() << "the boundary has slots for tensors and scalars only";
}

void BodyChecker::checkSignature() {
  if (getRuntime(func) != Runtime::HostBuildGraph) {
    InFlightDiagnostic diag = error(func.getLoc(), DiagnosticCode::Runtime);
    diag << "graph function " << name() << " needs the runtime '"
         << stringifyRuntime(Runtime::HostBuildGraph)
         << "', the module is compiled for '"
         << stringifyRuntime(getRuntime(func)) << "'";
    diag.attachNote() << "give the module the attribute 'graph.runtime = "
                         "#graph.runtime<host_build_graph>'";
  }
  for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
    checkParam(i);

  unsigned numTensors =
      llvm::count_if(func.getArgumentTypes(), llvm::IsaPred<GraphTensorType>);
  unsigned numScalars = llvm::count_if(func.getArgumentTypes(), isScalarType);
  if (numTensors == 0) {
    InFlightDiagnostic diag =
        error(func.getLoc(), DiagnosticCode::EmptyBoundary);
    diag << "graph function " << name() << " has no tensor parameter";
    diag.attachNote() << "a replay patches the addresses of boundary tensors; "
                         "without one the runtime does not cache the graph";
  }
  auto checkLimit = [&](unsigned count, unsigned limit, DiagnosticCode code,
                        StringRef what) {
    if (count <= limit)
      return;
    InFlightDiagnostic diag = error(func.getLoc(), code);
    diag << "graph function " << name() << " has " << count << " " << what
         << " parameters; the limit is " << limit;
    diag.attachNote() << "a launch with more is run as ordinary tasks, without "
                         "a message";
  };
  checkLimit(numTensors, kBoundaryTensors, DiagnosticCode::TooManyTensors,
             "tensor");
  checkLimit(numScalars, kBoundaryScalars, DiagnosticCode::TooManyScalars,
             "scalar");
}

void BodyChecker::collectTensors() {
  facts.func = func;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (isa<GraphTensorType>(type)) {
      unsigned tensor = facts.tensors.size();
      tensorOf[i] = tensor;
      facts.tensors.push_back({static_cast<unsigned>(i), tensor, nullptr, {}});
    }
  auto slots =
      func->getAttrOfType<DenseI64ArrayAttr>(GraphDialect::kSlotsAttrName);
  if (!slots || slots.size() != static_cast<int64_t>(facts.tensors.size()))
    return;
  for (auto [slot, tensor] : llvm::enumerate(slots.asArrayRef()))
    facts.tensors[tensor].slot = slot;
}

//===----------------------------------------------------------------------===//
// Topology
//===----------------------------------------------------------------------===//

void BodyChecker::addNode(Operation *op, bool isAllocation) {
  Frame &frame = frames.back();
  constructs.back().hasNodes = true;
  if (!frame.varying) {
    uint64_t &count = isAllocation ? frame.numAllocations : frame.numNodes;
    count = llvm::SaturatingAdd<uint64_t>(count, 1);
    return;
  }
  hasUncountedNodes = true;
  InFlightDiagnostic diag =
      error(op->getLoc(), DiagnosticCode::VaryingTopology);
  diag << (isAllocation ? std::string("allocation") : describeTask(op))
       << " in graph function " << name() << " is under '"
       << frame.varying->getName()
       << "', which may run differently on a replay";
  Diagnostic &note = diag.attachNote(frame.varying->getLoc());
  if (isa<scf::ForOp>(frame.varying))
    note << "the trip count of this loop is not a constant";
  else if (isa<scf::WhileOp>(frame.varying))
    note << "how often this loop runs is decided while it runs";
  else
    note << "the condition is not the same on every replay";
  diag.attachNote() << "the first call fixes the nodes; use constant bounds, "
                       "predicate the task, or branch in the caller";
}

bool BodyChecker::enterConstruct(Operation *op) {
  Construct construct{op, {}};
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    std::optional<uint64_t> trips = trace->getTripCount(loop);
    std::optional<APInt> step = trace->getConstant(loop.getStep());
    construct.hasBadStep =
        step &&
        (step->isZero() || (!loop.getUnsignedCmp() && step->isNegative()));
    construct.isVarying = !trips && !construct.hasBadStep;
    construct.numTrips = trips.value_or(0);
  } else if (isa<scf::WhileOp>(op)) {
    construct.isVarying = true;
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    construct.isVarying = !invariance->isInvariant(branch.getCondition());
  } else if (auto branch = dyn_cast<scf::IndexSwitchOp>(op)) {
    construct.isVarying = !invariance->isInvariant(branch.getArg());
  } else if (auto scope = dyn_cast<ScopeOp>(op);
             scope &&
             (scope.isDeviceScope() || scope.getKind() == ScopeKind::Graph)) {
    InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::IllegalOp);
    diag << "scope of kind '" << stringifyScopeKind(scope.getKind())
         << "' in graph function " << name();
    if (scope.isDeviceScope())
      diag.attachNote()
          << "only launches become nodes; outline the scope into a "
             "device function first";
    else
      diag.attachNote() << "a graph cannot be recorded within a recording";
    hasUncountedNodes = true;
    return false;
  } else if (auto region = dyn_cast<scf::ExecuteRegionOp>(op);
             !scope && op != func.getOperation() &&
             !(region && region.getRegion().hasOneBlock())) {
    checkPlainOp(op);
    return false;
  }
  constructs.push_back(std::move(construct));
  return true;
}

/// Ends the innermost construct; returns the nodes it records.
uint64_t BodyChecker::leaveConstruct() {
  Construct construct = constructs.pop_back_val();
  if (construct.hasNodes && !constructs.empty())
    constructs.back().hasNodes = true;
  if (construct.hasNodes && construct.hasBadStep) {
    hasUncountedNodes = true;
    InFlightDiagnostic diag =
        error(construct.op->getLoc(), DiagnosticCode::LoopStep);
    diag << "loop in graph function " << name()
         << " holds launches or allocations but its step is not positive";
    diag.attachNote() << "such a loop does not say how often it runs";
    return 0;
  }
  if (isa<scf::IfOp, scf::IndexSwitchOp>(construct.op)) {
    uint64_t most = 0;
    for (uint64_t count : construct.counts)
      most = std::max(most, count);
    return most;
  }
  uint64_t sum = 0;
  for (uint64_t count : construct.counts)
    sum = llvm::SaturatingAdd(sum, count);
  return llvm::SaturatingMultiply(sum, construct.numTrips);
}

WalkResult BodyChecker::visit(Operation *op, const WalkStage &stage) {
  if (op->getNumRegions() == 0) {
    visitLeaf(op);
    return WalkResult::advance();
  }
  if (stage.isBeforeAllRegions()) {
    if (!enterConstruct(op))
      return WalkResult::skip();
  } else {
    Frame frame = frames.pop_back_val();
    uint64_t numBatches =
        llvm::divideCeil(frame.numAllocations, kBuffersPerAllocation);
    constructs.back().counts.push_back(
        llvm::SaturatingAdd(frame.numNodes, numBatches));
  }
  if (!stage.isAfterAllRegions()) {
    Frame frame;
    if (!frames.empty())
      frame.varying = frames.back().varying;
    if (!frame.varying && constructs.back().isVarying)
      frame.varying = op;
    frames.push_back(frame);
    return WalkResult::advance();
  }
  uint64_t count = leaveConstruct();
  if (frames.empty())
    checkCount(count);
  else
    frames.back().numNodes = llvm::SaturatingAdd(frames.back().numNodes, count);
  return WalkResult::advance();
}

void BodyChecker::checkCount(uint64_t numNodes) {
  if (numNodes == 0 && !hasUncountedNodes) {
    InFlightDiagnostic diag = error(func.getLoc(), DiagnosticCode::NoTasks);
    diag << "graph function " << name() << " records no task";
    diag.attachNote() << "the runtime refuses a graph without nodes";
  }
  if (numNodes > kGraphNodes) {
    InFlightDiagnostic diag =
        error(func.getLoc(), DiagnosticCode::TooManyNodes);
    diag << "graph function " << name() << " records " << numNodes
         << " nodes; the limit is " << kGraphNodes;
    diag.attachNote() << "each launch counts once an iteration; make the tasks "
                         "coarser or split the function";
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void BodyChecker::checkPlainOp(Operation *op) {
  auto isScalar = [](Type type) { return isScalarType(type); };
  if (op->getNumRegions() == 0 && op->getNumSuccessors() == 0 &&
      !isa_and_nonnull<GraphDialect>(op->getDialect()) &&
      isMemoryEffectFree(op) && llvm::all_of(op->getOperandTypes(), isScalar) &&
      llvm::all_of(op->getResultTypes(), isScalar))
    return;
  InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::IllegalOp);
  diag << "'" << op->getName() << "' cannot stand in graph function " << name();
  diag.attachNote()
      << "a recording consists of tasks; this operation would run "
         "on the first call only";
  diag.attachNote() << "move it to the caller or into a kernel";
}

void BodyChecker::noteWrites(LaunchOpInterface launch, FuncOp callee) {
  for (auto [i, arg] : llvm::enumerate(launch.getLaunchArgs()))
    if (isa<GraphTensorType>(arg.getType()) &&
        (!callee || callee.getParamDirection(i) != ParamDirection::In))
      written.push_back(arg);
  llvm::append_range(
      written,
      llvm::make_filter_range(launch.getLaunchOutputs(), [&](Value output) {
        return trace->getIdentity(output) == output &&
               isa<GraphTensorType>(output.getType());
      }));
}

/// No task runs before the recording is done: there is nothing to read yet of
/// what it makes.
void BodyChecker::checkReads() {
  if (reads.empty())
    return;
  DenseSet<Value> roots;
  bool isAnyWritten = false;
  for (Value tensor : written) {
    ValueTrace::State state = trace->getState(tensor);
    isAnyWritten |= state.isUnknown;
    for (const Origin &origin : state.origins)
      roots.insert(origin.root);
  }
  for (ReadOp read : reads) {
    ValueTrace::State state = trace->getState(read.getSource());
    bool isMade = (isAnyWritten || state.isUnknown) && !written.empty();
    isMade |= llvm::any_of(state.origins, [&](const Origin &origin) {
      return roots.contains(origin.root) || !isOwnParam(origin.root);
    });
    if (!isMade)
      continue;
    InFlightDiagnostic diag = error(read.getLoc(), DiagnosticCode::IllegalOp);
    diag << "'" << read->getName() << "' in graph function " << name()
         << " reads what the function itself writes";
    diag.attachNote() << "no task runs before the recording is done";
    diag.attachNote() << "read at the launch";
  }
}

void BodyChecker::visitLeaf(Operation *op) {
  if (auto launch = dyn_cast<LaunchOpInterface>(op))
    return visitTask(launch);
  if (isa<CreateOp, FullOp>(op))
    return visitAllocation(op);
  if (isa<SliceOp, ViewOp>(op)) {
    windows.push_back(op);
    return;
  }
  if (auto alias = dyn_cast<AliasOp>(op)) {
    InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::Alias);
    diag << "rename of " << describeValue(trace->getIdentity(alias.getSource()))
         << " left in graph function " << name();
    diag.attachNote() << "a renamed scalar is copied out of its slot, and the "
                         "copy is recorded as a static value";
    diag.attachNote() << "use the renamed value itself";
    return;
  }
  if (auto insert = dyn_cast<ArrayInsertOp>(op))
    return checkFrozen(op, insert.getIndex(), "array index");
  if (auto extract = dyn_cast<ArrayExtractOp>(op))
    return checkFrozen(op, extract.getIndex(), "array index");
  if (auto ret = dyn_cast<ReturnOp>(op))
    return checkReturn(ret);
  if (auto read = dyn_cast<ReadOp>(op)) {
    reads.push_back(read);
    return;
  }
  if (isa<CastOp, DimOp, ArrayCreateOp, YieldOp, scf::YieldOp, scf::ConditionOp,
          arith::SelectOp>(op))
    return;
  checkPlainOp(op);
}

void BodyChecker::visitAllocation(Operation *op) {
  addNode(op, /*isAllocation=*/true);
  if (isa<FullOp>(op)) {
    InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::Full);
    diag << "'graph.full' in graph function " << name();
    diag.attachNote() << "there is no node that fills a buffer; create it and "
                         "fill it in a kernel, or fill it at the launch";
    return;
  }
  if (cast<GraphTensorType>(op->getResult(0).getType()).hasStaticShape())
    return;
  InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::AllocShape);
  diag << "allocation in graph function " << name() << " has type "
       << op->getResult(0).getType() << ", whose extents are not constants";
  diag.attachNote()
      << "the extents and the address are those of the first call; "
         "allocate the largest size, or at the launch";
}

void BodyChecker::checkReturn(ReturnOp op) {
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    Value source = trace->getIdentity(operand);
    if (isOwnParam(source))
      continue;
    InFlightDiagnostic diag =
        error(op->getLoc(), DiagnosticCode::ComputedReturn);
    diag << "result #" << i << " of graph function " << name()
         << " is not one of its parameters";
    diag.attachNote(source.getLoc()) << "it is " << describeValue(source);
    diag.attachNote() << "a replay computes nothing but what the tasks write; "
                         "write into an 'inout' parameter and return that";
  }
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

void BodyChecker::visitTask(LaunchOpInterface launch) {
  FuncOp callee = ties.getCallee(launch);
  if (callee && !callee.isDeviceFunction()) {
    hasUncountedNodes = true;
    InFlightDiagnostic diag =
        error(launch->getLoc(), DiagnosticCode::IllegalCallee);
    diag << "graph function " << name() << " calls '@" << callee.getSymName()
         << "' of kind '" << stringifyFunctionKind(callee.getKind()) << "'";
    if (callee.isGraph())
      diag.attachNote()
          << "a graph cannot be recorded within a recording; launch "
             "it from the caller";
    else
      diag.attachNote() << "only device functions become nodes; inline the "
                           "function first or call it from the caller";
    return;
  }
  addNode(launch, /*isAllocation=*/false);
  noteWrites(launch, callee);
  if (callee) {
    checkTaskLimits(launch, callee);
    checkTaskArgs(launch);
  }
  for (auto [i, dep] : llvm::enumerate(launch.getLaunchDeps()))
    checkChoice(launch, dep, "dependency #" + Twine(i));
  if (auto submit = dyn_cast<SubmitOp>(launch.getOperation()))
    checkLaunchSpec(submit);
}

void BodyChecker::checkTaskLimits(LaunchOpInterface launch, FuncOp callee) {
  // The runtime allocates omitted arguments, which are outputs of the task.
  uint64_t numTensors =
      llvm::count_if(callee.getArgumentTypes(), llvm::IsaPred<GraphTensorType>);
  uint64_t numScalars = llvm::count_if(callee.getArgumentTypes(), isScalarType);
  uint64_t numDeps = 0;
  for (Value dep : launch.getLaunchDeps()) {
    auto array = dyn_cast<graph::ArrayType>(dep.getType());
    numDeps += array ? array.getSize() : 1;
  }
  auto check = [&](uint64_t count, uint64_t limit, StringRef what) {
    if (count <= limit)
      return;
    InFlightDiagnostic diag =
        error(launch->getLoc(), DiagnosticCode::TaskLimits);
    diag << describeTask(launch) << " in graph function " << name() << " has "
         << count << " " << what << "; the limit is " << limit;
    diag.attachNote() << "the argument table of a task is fixed";
  };
  check(numTensors, kTaskTensors, "tensors");
  check(numScalars, kTaskScalars, "scalars");
  check(numDeps, kTaskDeps, "dependencies");
}

void BodyChecker::checkTaskArgs(LaunchOpInterface launch) {
  FuncOp callee = ties.getCallee(launch);
  for (auto [i, arg] : llvm::enumerate(launch.getLaunchArgs())) {
    if (isa<GraphTensorType>(arg.getType())) {
      if (callee && i < callee.getNumArguments()) {
        auto [waits, writes] = getAccess(launch, callee, i);
        if (waits)
          awaitedTensors.insert(arg);
        if (writes)
          writtenTensors.insert(arg);
      }
      useTensor(launch, arg, "argument #" + Twine(i));
    } else if (isTaskIdLike(arg.getType())) {
      // Which task it is matters, its value is no boundary scalar.
      checkChoice(launch, arg, "argument #" + Twine(i));
    } else if (isScalarType(arg.getType())) {
      checkScalarArg(launch, i);
    } else {
      InFlightDiagnostic diag =
          error(launch->getLoc(), DiagnosticCode::VaryingScalar);
      diag << "argument #" << i << " of " << describeTask(launch)
           << " in graph function " << name() << " has type " << arg.getType();
      diag.attachNote()
          << "a task takes tensors and scalars; what is copied in "
             "otherwise keeps the values of the first call";
    }
  }
}

void BodyChecker::checkLaunchSpec(SubmitOp submit) {
  if (Value gate = submit.getGate()) {
    awaitedTensors.insert(gate);
    useTensor(submit, gate, "gate");
    checkFrozen(submit, submit.getGateIndices(), "predicate index");
    checkFrozen(submit, submit.getGateRhs(),
                "right-hand side of the predicate");
  }
  Value coreNum = submit.getCoreNum();
  if (!coreNum)
    return;
  std::optional<APInt> constant = trace->getConstant(coreNum);
  if (constant && constant->isStrictlyPositive())
    return;
  InFlightDiagnostic diag = error(submit.getLoc(), DiagnosticCode::CoreNum);
  diag << "core_num of " << describeTask(submit) << " in graph function "
       << name();
  if (constant)
    diag << " is " << constant->getSExtValue() << ", which is not positive";
  else
    diag << " is not a constant";
  Value source = trace->getIdentity(coreNum);
  diag.attachNote(source.getLoc()) << "it is " << describeValue(source);
  diag.attachNote()
      << "the block count is frozen at the first call; launch for "
         "the largest count and pass the real one as a scalar";
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value BodyChecker::findCulprit(Value scalar) {
  // Operands before users; cycles, possible in unreachable code only, count as
  // a culprit.
  SmallVector<std::pair<Value, bool>> stack{{scalar, false}};
  while (!stack.empty()) {
    auto [value, isReady] = stack.pop_back_val();
    if (!isReady && culprits.contains(value))
      continue;
    Value identity = trace->getIdentity(value);
    Operation *op = identity.getDefiningOp();
    bool isComputed = op && op->getNumRegions() == 0 &&
                      isMemoryEffectFree(op) &&
                      llvm::all_of(op->getOperandTypes(), isScalarType);
    if (isComputed && !isReady) {
      culprits[value] = identity;
      stack.emplace_back(value, true);
      for (Value operand : op->getOperands())
        stack.emplace_back(operand, false);
      continue;
    }
    Value culprit;
    if (isComputed) {
      for (Value operand : op->getOperands())
        if (Value found = culprits.lookup(operand)) {
          culprit = found;
          break;
        }
    } else if (!isOwnScalarParam(identity)) {
      culprit = identity;
    }
    culprits[value] = culprit;
  }
  return culprits.lookup(scalar);
}

void BodyChecker::checkScalarArg(LaunchOpInterface launch, unsigned index) {
  Value arg = launch.getLaunchArgs()[index];
  if (isOwnScalarParam(arg) || invariance->isInvariant(arg))
    return;
  // A rename is reported where it stands.
  Value renamed = arg;
  while (auto alias = renamed.getDefiningOp<AliasOp>())
    renamed = alias.getSource();
  if (renamed != arg &&
      (isOwnScalarParam(renamed) || invariance->isInvariant(renamed)))
    return;
  if (!reportedScalars.insert(renamed).second)
    return;
  Value culprit = findCulprit(renamed);
  InFlightDiagnostic diag =
      error(launch->getLoc(), culprit ? DiagnosticCode::VaryingScalar
                                      : DiagnosticCode::NotHoisted);
  diag << "argument #" << index << " of " << describeTask(launch)
       << " in graph function " << name();
  if (!culprit) {
    diag << " is computed in the body from scalar parameters";
    diag.attachNote(renamed.getLoc()) << "it is " << describeValue(renamed);
    diag.attachNote() << "it has no slot of its own: a replay would pass the "
                         "value of the first call";
    diag.attachNote() << "compute it at the launch and pass it as a scalar "
                         "parameter";
    return;
  }
  diag << " may differ between replays";
  diag.attachNote(culprit.getLoc())
      << "it depends on " << describeValue(culprit)
      << ", which a launch cannot compute";
  diag.attachNote() << "a replay would pass the value of the first call";
  diag.attachNote() << "compute it at the launch and pass it as a scalar "
                       "parameter, or let the kernel read it from a tensor";
}

void BodyChecker::checkFrozen(Operation *op, ValueRange values,
                              const Twine &what) {
  for (Value value : values) {
    if (invariance->isInvariant(value) || !reportedFrozen.insert(value).second)
      continue;
    InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::FrozenUse);
    diag << what << " of " << describeTask(op) << " in graph function "
         << name() << " may differ between replays";
    Value source = trace->getIdentity(value);
    diag.attachNote(source.getLoc()) << "it is " << describeValue(source);
    diag.attachNote() << "it has no slot: a replay would use the value of the "
                         "first call; use a constant or the counter of a "
                         "constant-trip loop";
  }
}

void BodyChecker::checkChoice(Operation *op, Value value, const Twine &what) {
  if (invariance->isChoiceInvariant(value) ||
      !reportedChoices.insert(value).second)
    return;
  InFlightDiagnostic diag = error(op->getLoc(), DiagnosticCode::VaryingChoice);
  diag << what << " of " << describeTask(op) << " in graph function " << name()
       << " may be another "
       << (isa<GraphTensorType>(value.getType()) ? "buffer" : "task")
       << " on a replay";
  Value source = trace->getIdentity(value);
  diag.attachNote(source.getLoc()) << "it is " << describeValue(source);
  diag.attachNote()
      << "which one it is is fixed by the first call; choose at the "
         "launch and pass the choice as a parameter";
}

void BodyChecker::useTensor(Operation *task, Value tensor, const Twine &what) {
  checkChoice(task, tensor, what);
  taskTensors.insert({tensor, task});
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Whether `op` runs whenever `ancestor` does.
bool BodyChecker::certainlyRuns(Operation *op, Operation *ancestor) {
  for (Operation *parent = op->getParentOp(); parent != ancestor;
       op = parent, parent = op->getParentOp()) {
    if (isa<ScopeOp, scf::ExecuteRegionOp>(parent))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (trace->getTripCount(loop).value_or(0) == 0)
        return false;
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(parent);
    std::optional<APInt> condition =
        branch ? trace->getConstant(branch.getCondition()) : std::nullopt;
    bool inThen = branch && op->getParentRegion() == &branch.getThenRegion();
    if (!condition || condition->isZero() == inThen)
      return false;
  }
  return true;
}

/// Whether the launch could take the window: its operands are computable there,
/// its source is a parameter or such a window, and it is taken on every call.
bool BodyChecker::couldBeHoisted(Operation *window) {
  SmallVector<Operation *> chain;
  bool isHoistable = true;
  while (window) {
    auto known = hoistableWindows.find(window);
    if (known != hoistableWindows.end()) {
      isHoistable = known->second;
      break;
    }
    chain.push_back(window);
    Value source = trace->getIdentity(window->getOperand(0));
    Operation *def = source.getDefiningOp();
    isHoistable = isOwnParam(source);
    window = isa_and_nonnull<SliceOp, ViewOp>(def) ? def : nullptr;
  }
  for (Operation *link : llvm::reverse(chain)) {
    isHoistable = isHoistable && certainlyRuns(link, func);
    for (Value operand : link->getOperands().drop_front())
      isHoistable = isHoistable && !findCulprit(operand);
    hoistableWindows[link] = isHoistable;
  }
  return isHoistable;
}

/// The values an offset or extent of a window takes in the iterations of the
/// loops that count it. Its bounds are taken on, so there are none where an
/// iteration may leave the window out.
ValueSet BodyChecker::getIndexValues(Operation *window, OpFoldResult index) {
  auto value = dyn_cast<Value>(index);
  if (!value)
    return ValueSet::of(cast<IntegerAttr>(cast<Attribute>(index)).getInt());
  LinearForm form = trace->getLinear(value);
  ValueSet values = ValueSet::of(form);
  for (auto [symbol, coefficient] : form.getTerms())
    if (!values.low || !values.high ||
        !isCertainlyReached(window, symbol.getParentBlock()->getParentOp()))
      return ValueSet::any();
  return values;
}

void BodyChecker::checkWindowRange(SliceOp slice) {
  auto type = cast<GraphTensorType>(slice.getSource().getType());
  for (auto [i, offset, size] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes())) {
    ValueSet first = getIndexValues(slice, offset);
    ValueSet count = getIndexValues(slice, size);
    bool isEmpty = count.low && *count.low < 1;
    bool isOutside = first.low && *first.low < 0;
    if (first.high && !isOutside && !type.isDynamicDim(i)) {
      int64_t extent = type.getDimSize(i);
      // What both reach is not what they reach at once.
      bool isFixed = count.stride == 0 && !isEmpty;
      isOutside = *first.high >= extent ||
                  (isFixed && count.base > extent - *first.high);
    }
    if (!isEmpty && !isOutside)
      continue;
    InFlightDiagnostic diag = error(slice.getLoc(), DiagnosticCode::ViewRange);
    diag << "window in graph function " << name()
         << (isEmpty ? " is empty" : " leaves its tensor") << " in dimension "
         << i;
    const ValueSet &culprit = isEmpty ? count : first;
    if (culprit.stride != 0)
      diag.attachNote(slice.getLoc())
          << "its " << (isEmpty ? "extent" : "offset") << " runs from "
          << *culprit.low << " to " << *culprit.high;
    diag.attachNote()
        << "a window must lie inside its buffer, and an empty one "
           "is fatal on replay";
    return;
  }
}

void BodyChecker::checkWindow(Operation *window, bool isLive) {
  auto slice = dyn_cast<SliceOp>(window);
  if (slice)
    checkWindowRange(slice);
  if (!isLive)
    return;
  ValueRange sizes = slice ? slice.getSizes() : cast<ViewOp>(window).getSizes();
  ValueRange offsets = slice ? ValueRange(slice.getOffsets()) : ValueRange();
  Value source = window->getOperand(0);

  auto varies = [&](Value value) { return !invariance->isInvariant(value); };
  for (Value size : sizes) {
    if (!varies(size))
      continue;
    InFlightDiagnostic diag =
        error(window->getLoc(), DiagnosticCode::ViewShape);
    diag << "extents of a window in graph function " << name()
         << " may differ between replays";
    Value origin = trace->getIdentity(size);
    diag.attachNote(origin.getLoc()) << "one is " << describeValue(origin);
    diag.attachNote()
        << "a replay would use the extents of the first call; use "
           "constant extents and pass the count as a scalar";
    break;
  }
  auto moving = llvm::find_if(offsets, varies);
  if (moving == offsets.end())
    return;

  ValueTrace::State state = trace->getState(source);
  const auto *boundary = llvm::find_if(
      state.origins, [&](const Origin &o) { return isOwnParam(o.root); });
  bool isBoundary = state.isUnknown || boundary != state.origins.end();
  bool isHoistable = isBoundary && couldBeHoisted(window);
  InFlightDiagnostic diag =
      error(window->getLoc(), isHoistable ? DiagnosticCode::NotHoisted
                                          : DiagnosticCode::MovingView);
  diag << "window of ";
  if (boundary != state.origins.end())
    diag << describeValue(boundary->root);
  else
    diag << (state.origins.empty() ? std::string("an unknown buffer")
                                   : describeValue(state.origins.front().root));
  diag << " in graph function " << name() << " starts elsewhere on a replay";
  Value offset = trace->getIdentity(*moving);
  diag.attachNote(offset.getLoc()) << "its offset is " << describeValue(offset);
  diag.attachNote()
      << "a window taken in the body keeps the offset of the first "
         "call";
  if (isHoistable)
    diag.attachNote()
        << "take the window at the launch and pass it as a tensor "
           "parameter";
  else
    diag.attachNote()
        << "take the varying part at the launch and keep only what "
           "constant-trip loops count";
}

void BodyChecker::checkWindows() {
  // What reaches a task, through windows and merges.
  SmallVector<Value> worklist;
  for (auto [value, task] : taskTensors)
    worklist.push_back(value);
  DenseSet<Value> live;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (live.insert(value).second)
      llvm::append_range(worklist, trace->getInputs(value));
  }
  for (Operation *window : windows)
    checkWindow(window, live.contains(window->getResult(0)));
}

/// Whether each of the offsets is counted by a loop of its own, if by any: then
/// they take on every combination of their values.
static bool areIndependent(ArrayRef<LinearForm> offsets) {
  llvm::SmallDenseSet<Value> counters;
  return llvm::all_of(offsets, [&](const LinearForm &offset) {
    if (offset.isConstant())
      return true;
    ValueSet values = ValueSet::of(offset);
    return offset.getTerms().size() == 1 && values.low && values.high &&
           counters.insert(offset.getTerms().front().first).second;
  });
}

void BodyChecker::collectFacts() {
  // What may be anywhere is all the same but for its type.
  DenseSet<Type> anywhere;
  for (auto [value, task] : taskTensors) {
    ValueTrace::State state = trace->getState(value);
    Location loc = value.getLoc();
    auto type = cast<GraphTensorType>(value.getType());
    auto noteAccess = [&, tensor = value](BoundaryFacts::Tensor &param) {
      param.isWritten |= writtenTensors.contains(tensor);
      param.isAwaited |= awaitedTensors.contains(tensor);
    };
    if (state.isUnknown) {
      llvm::for_each(facts.tensors, noteAccess);
      if (!anywhere.insert(type).second)
        continue;
      for (BoundaryFacts::Tensor &tensor : facts.tensors) {
        if (!tensor.wholeUse)
          tensor.wholeUse = task;
        tensor.windows.push_back({task, loc, type, std::nullopt});
      }
      continue;
    }
    for (const Origin &origin : state.origins) {
      if (!isOwnParam(origin.root))
        continue;
      unsigned param = cast<BlockArgument>(origin.root).getArgNumber();
      BoundaryFacts::Tensor &tensor = facts.tensors[tensorOf.lookup(param)];
      noteAccess(tensor);
      if (origin.isWhole && !tensor.wholeUse)
        tensor.wholeUse = task;
      if (!origin.isWindow)
        continue;
      KeptWindow window{task, loc, type, std::nullopt};
      if (origin.offsets && origin.frame == origin.root) {
        window.offsets.emplace();
        for (const LinearForm &offset : *origin.offsets)
          window.offsets->push_back(ValueSet::of(offset));
        window.isExact =
            areIndependent(*origin.offsets) && isCertainlyReached(task, func);
      }
      tensor.windows.push_back(std::move(window));
    }
  }
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

void BodyChecker::checkBody() {
  trace.emplace(func, ties);
  CalleeTies calleeTies(ties.getSymbolTable());
  identity.emplace(func, calleeTies);
  invariance.emplace(func, *identity, calleeTies);
  func->walk(
      [&](Operation *op, const WalkStage &stage) { return visit(op, stage); });
  checkReads();
  checkWindows();
  collectFacts();
}

LogicalResult BodyChecker::run() {
  collectTensors();
  checkSignature();
  if (!func.isExternal())
    checkBody();
  return failure(hasFailed);
}

LogicalResult mlir::pypto::verify::checkGraphFunction(FuncOp func,
                                                      TieTable &ties,
                                                      BoundaryFacts &facts) {
  return BodyChecker(func, ties, facts).run();
}
