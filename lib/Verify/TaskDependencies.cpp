//===- TaskDependencies.cpp - Dependencies that a recording lacks ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskDependencies.h"

#include "Analysis/ReplayInvariance.h"
#include "Diagnostics/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::verify;

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

namespace {
/// What a task does to one tensor.
struct Use {
  /// The parameter, or what is made inside.
  Value root;
  /// The tensor itself, by identity.
  Value tensor;
  bool isWhole;
  /// Where it starts in the dimensions of the root, when known.
  std::optional<SmallVector<ValueSet, 2>> offsets;
  bool waits, writes;
  /// Whether it is this and nothing else.
  bool isCertain;
};

struct Task {
  LaunchOpInterface op;
  SmallVector<Use, 4> uses;
  SmallVector<unsigned, 2> deps;
  bool hasUnknownDeps = false;
  Operation *manualScope = nullptr;
  /// The outermost loop or branch around it.
  Operation *construct = nullptr;
  bool isInLoop = false, hasPredicate = false;
};

class TaskList {
public:
  TaskList(FuncOp func, TieTable &ties);

  SmallVector<Task, 0> tasks;

private:
  void addUse(Task &task, Value tensor, bool waits, bool writes);
  void addLaunch(LaunchOpInterface launch, FuncOp func, TieTable &ties);
  void addDep(Task &task, Value dep);

  ValueTrace trace;
  DenseMap<Operation *, unsigned> numberOf;
};
} // namespace

void TaskList::addUse(Task &task, Value tensor, bool waits, bool writes) {
  ValueTrace::State state = trace.getState(tensor);
  if (state.isUnknown) {
    task.uses.push_back(
        {Value(), Value(), false, std::nullopt, waits, writes, false});
    return;
  }
  bool isCertain = state.origins.size() == 1;
  for (const Origin &origin : state.origins) {
    Use use{origin.root,
            trace.getIdentity(tensor),
            origin.isWhole,
            std::nullopt,
            waits,
            writes,
            isCertain && origin.isWhole != origin.isWindow};
    if (origin.offsets && origin.frame == origin.root)
      use.offsets =
          llvm::map_to_vector<2>(*origin.offsets, [](const LinearForm &offset) {
            return ValueSet::of(offset);
          });
    task.uses.push_back(std::move(use));
  }
}

/// The tasks in a list of ids, as far as every element is seen to be put there.
void TaskList::addDep(Task &task, Value dep) {
  DenseSet<int64_t> seen;
  Value value = trace.getIdentity(dep);
  for (unsigned step = 0; step != 512; ++step) {
    Operation *op = value.getDefiningOp();
    auto it = numberOf.find(op);
    if (op && it != numberOf.end()) {
      task.deps.push_back(it->second);
      return;
    }
    if (isa_and_nonnull<ArrayCreateOp>(op))
      return;
    auto insert = dyn_cast_or_null<ArrayInsertOp>(op);
    if (!insert)
      break;
    std::optional<APInt> index;
    if (insert.getIndex().empty())
      index = APInt(64, insert.getStaticIndex().front());
    else
      index = trace.getConstant(insert.getIndex().front());
    if (!index || !index->isSignedIntN(32))
      break;
    if (seen.insert(index->getSExtValue()).second) {
      Operation *source = trace.getIdentity(insert.getValue()).getDefiningOp();
      auto found = numberOf.find(source);
      if (source && found != numberOf.end())
        task.deps.push_back(found->second);
      else
        task.hasUnknownDeps = true;
    }
    value = trace.getIdentity(insert.getArray());
  }
  task.hasUnknownDeps = true;
}

std::pair<bool, bool> mlir::pypto::verify::getAccess(LaunchOpInterface launch,
                                                     FuncOp callee,
                                                     unsigned index) {
  if (ArrayAttr directions = launch.getLaunchDirections()) {
    switch (cast<ArgDirectionAttr>(directions[index]).getValue()) {
    case ArgDirection::Input:
      return {true, false};
    case ArgDirection::InOut:
      return {true, true};
    case ArgDirection::Output:
    case ArgDirection::OutputExisting:
      return {false, true};
    case ArgDirection::NoDep:
    case ArgDirection::Scalar:
      return {false, false};
    }
  }
  if (llvm::is_contained(launch.getLaunchNoDep(), index))
    return {false, false};
  ParamDirection direction = callee.getParamDirection(index);
  return {direction != ParamDirection::Out, direction != ParamDirection::In};
}

void TaskList::addLaunch(LaunchOpInterface launch, FuncOp func,
                         TieTable &ties) {
  Task task;
  task.op = launch;
  for (Operation *op = launch->getParentOp(); op != func;
       op = op->getParentOp()) {
    auto scope = dyn_cast<ScopeOp>(op);
    if (scope && scope.getKind() == ScopeKind::Manual && !task.manualScope)
      task.manualScope = op;
    if (!isa<ScopeOp, scf::ExecuteRegionOp>(op))
      task.construct = op;
    task.isInLoop |= isa<LoopLikeOpInterface>(op);
  }
  if (FuncOp callee = ties.getCallee(launch))
    for (auto [i, arg] : llvm::enumerate(launch.getLaunchArgs())) {
      if (!isa<GraphTensorType>(arg.getType()) || i >= callee.getNumArguments())
        continue;
      auto [waits, writes] = getAccess(launch, callee, i);
      if (waits || writes)
        addUse(task, arg, waits, writes);
    }
  for (Value output : launch.getLaunchOutputs())
    if (isa<GraphTensorType>(output.getType()) &&
        trace.getIdentity(output) == output)
      addUse(task, output, /*waits=*/false, /*writes=*/true);
  if (auto submit = dyn_cast<SubmitOp>(launch.getOperation()))
    if (Value gate = submit.getGate()) {
      task.hasPredicate = true;
      addUse(task, gate, /*waits=*/true, /*writes=*/false);
    }
  for (Value dep : launch.getLaunchDeps())
    addDep(task, dep);
  numberOf[launch] = tasks.size();
  tasks.push_back(std::move(task));
}

TaskList::TaskList(FuncOp func, TieTable &ties) : trace(func, ties) {
  func.walk<WalkOrder::PreOrder>(
      [&](LaunchOpInterface launch) { addLaunch(launch, func, ties); });
}

//===----------------------------------------------------------------------===//
// Windows at the launches
//===----------------------------------------------------------------------===//

namespace {
enum class Overlap { Never, Always, Unknown };

/// A window in the dimensions of its tensor, or a range of elements.
struct Extent {
  SmallVector<ValueSet, 4> start;
  SmallVector<int64_t, 4> size;
  bool isSolid = true;
};
} // namespace

static GraphTensorType getArgType(const Placement &placement, unsigned param) {
  LaunchOpInterface launch = placement.launch;
  return cast<GraphTensorType>(launch.getLaunchArgs()[param].getType());
}

/// The elements of a window, counted in `frame`.
static std::optional<Extent> linearize(const Extent &window,
                                       GraphTensorType frame) {
  if (!frame || frame.getRank() != static_cast<int64_t>(window.start.size()))
    return std::nullopt;
  ValueSet start = ValueSet::of(0);
  std::optional<int64_t> stride = 1, span = 1, count = 1;
  for (int64_t i = frame.getRank() - 1; i >= 0; --i) {
    if (!stride || ShapedType::isDynamic(window.size[i]))
      return std::nullopt;
    start = start.plus(window.start[i].times(*stride));
    span = span ? llvm::checkedMulAdd(window.size[i] - 1, *stride, *span)
                : std::nullopt;
    count = count ? llvm::checkedMul(*count, window.size[i]) : std::nullopt;
    stride = frame.isDynamicDim(i)
                 ? std::nullopt
                 : llvm::checkedMul(*stride, frame.getDimSize(i));
  }
  if (!span || !count)
    return std::nullopt;
  return Extent{{start}, {*span}, *span == *count};
}

/// Where a use of the first (0) or second (1) tensor lies.
static std::optional<Extent> getExtent(const Use &use,
                                       const Placement &placement,
                                       unsigned which, unsigned param) {
  Extent extent;
  GraphTensorType type = getArgType(placement, param);
  if (use.isWhole) {
    extent.start.assign(type.getRank(), ValueSet::of(0));
  } else {
    if (!use.offsets)
      return std::nullopt;
    type = cast<GraphTensorType>(use.tensor.getType());
    llvm::append_range(extent.start, *use.offsets);
  }
  llvm::append_range(extent.size, type.getShape());
  if (extent.start.size() != extent.size.size())
    return std::nullopt;
  if (!placement.isByDimension)
    return linearize(extent, placement.frames[which]);
  return extent;
}

/// Where the second one starts from where the first one does, in a dimension,
/// and the starts at which they overlap.
static ValueSet getGap(const Extent &a, const Extent &b, ValueSet distance,
                       unsigned i) {
  return distance.plus(b.start[i]).plus(a.start[i].times(-1));
}

static ValueSet getOverlapping(const Extent &a, const Extent &b, unsigned i) {
  ValueSet zone = ValueSet::any();
  if (!ShapedType::isDynamic(b.size[i]))
    zone.low = 1 - b.size[i];
  if (!ShapedType::isDynamic(a.size[i]))
    zone.high = a.size[i] - 1;
  return zone;
}

static Overlap compare(const Extent &a, const Extent &b,
                       ArrayRef<ValueSet> distance) {
  bool isAlways = a.isSolid && b.isSolid;
  for (auto [i, set] : llvm::enumerate(distance)) {
    ValueSet gap = getGap(a, b, set, i), zone = getOverlapping(a, b, i);
    if (gap.isDisjointFrom(zone))
      return Overlap::Never;
    // Every extent is at least one.
    isAlways &= gap.low && gap.high && *gap.low >= zone.low.value_or(0) &&
                *gap.high <= zone.high.value_or(0);
  }
  return isAlways ? Overlap::Always : Overlap::Unknown;
}

/// Whether the two overlap in some iteration of the loops around the launch.
static bool overlapOnce(const Extent &a, const Extent &b,
                        const Placement &placement) {
  DenseSet<Value> counters;
  if (!a.isSolid || !b.isSolid)
    return false;
  for (auto [i, form] : llvm::enumerate(placement.distance)) {
    ValueSet gap = getGap(a, b, ValueSet::of(form), i);
    ValueSet zone = getOverlapping(a, b, i);
    zone.low = zone.low.value_or(0);
    zone.high = zone.high.value_or(0);
    if (a.start[i].stride != 0 || b.start[i].stride != 0 ||
        gap.isDisjointFrom(zone))
      return false;
    if (form.isConstant())
      continue;
    Value counter = form.getTerms().front().first;
    if (form.getTerms().size() != 1 || !gap.low || !gap.high ||
        !counters.insert(counter).second ||
        !counter.getParentBlock()->getParentOp()->isProperAncestor(
            placement.launch))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The judgement
//===----------------------------------------------------------------------===//

namespace {
using PlacementMap =
    llvm::MapVector<std::pair<unsigned, unsigned>, SmallVector<Placement, 1>>;

/// Judges the launches of one partition.
class DependencyJudge {
public:
  DependencyJudge(BoundaryFacts &facts, const PlacementMap &placements,
                  ArrayRef<Task> tasks, std::optional<unsigned> partition,
                  UndecidedAlias undecided)
      : facts(facts), placements(placements), tasks(tasks),
        partition(partition), undecided(undecided) {
    for (auto [i, tensor] : llvm::enumerate(facts.tensors))
      tensorOf[facts.func.getArgument(tensor.param)] = i;
    writesOf.resize(facts.tensors.size());
    waitsOf.resize(facts.tensors.size());
    for (auto [number, task] : llvm::enumerate(tasks))
      for (const Use &use : task.uses) {
        std::optional<unsigned> tensor = getTensor(use);
        if (tensor && use.writes)
          writesOf[*tensor].push_back({number, &use});
        if (tensor && use.waits)
          waitsOf[*tensor].push_back({number, &use});
      }
  }

  bool checkPair(unsigned first, unsigned second);

private:
  enum class Verdict { Right, Undecided, Wrong };

  std::optional<unsigned> getTensor(const Use &use) const {
    auto it = tensorOf.find(use.root);
    return it == tensorOf.end() ? std::nullopt : std::optional(it->second);
  }
  SmallVector<const Placement *> getPlacements(unsigned first,
                                               unsigned second) const;
  Overlap compareAt(const Use &a, const Use &b, const Placement &placement,
                    ArrayRef<ValueSet> distance, unsigned first,
                    unsigned second) const;
  Overlap compareRecorded(const Use &a, const Use &b) const;
  Verdict judge(const Use &write, const Use &wait, Operation *&later) const;
  Verdict judgeOnce(const Use &write, const Use &wait, Operation *&later);
  std::optional<Overlap> lookupRecorded(const Use &a, const Use &b);
  llvm::BitVector findFollowers(unsigned writer, bool mayBe);
  bool isOrdered(unsigned writer, unsigned reader, bool mayBe);
  void report(const Task &writer, const Task &reader, unsigned first,
              unsigned second, Operation *later, bool isError);

  BoundaryFacts &facts;
  const PlacementMap &placements;
  ArrayRef<Task> tasks;
  std::optional<unsigned> partition;
  UndecidedAlias undecided;
  DenseMap<Value, unsigned> tensorOf;
  /// By tensor, the tasks that write it or wait for it, with their use of it.
  SmallVector<SmallVector<std::pair<unsigned, const Use *>>, 0> writesOf,
      waitsOf;
  /// What was found, by the tensors that are used, and by the writer: certain
  /// followers and possible ones. More than the budget is not asked.
  DenseMap<std::pair<Value, Value>, Overlap> recorded;
  DenseMap<unsigned, llvm::BitVector> followers[2];
  uint64_t budget = uint64_t(1) << 26;
  /// By the tensors that are used, what was judged.
  DenseMap<std::pair<Value, Value>, std::pair<Verdict, Operation *>> judged;
};
} // namespace

/// Whether a launch certainly has the signature of another one.
static bool replaysCertainly(LaunchOpInterface recorder,
                             LaunchOpInterface launch) {
  if (recorder->getParentOp() == launch->getParentOp() && recorder == launch)
    return llvm::all_of(launch.getLaunchArgs().getTypes(), [](Type type) {
      auto tensor = dyn_cast<GraphTensorType>(type);
      return !tensor || tensor.hasStaticShape();
    });
  if (recorder.getLaunchDirections() != launch.getLaunchDirections())
    return false;
  return llvm::all_of(
      llvm::zip(recorder.getLaunchArgs(), launch.getLaunchArgs()),
      [](auto args) {
        auto [a, b] = args;
        auto type = dyn_cast<GraphTensorType>(a.getType());
        // Windows of one and the same tensor have its strides.
        auto getSource = [](Value value) {
          auto slice = value.getDefiningOp<SliceOp>();
          return slice ? Value(slice.getSource()) : value;
        };
        return !type || (type.hasStaticShape() && a.getType() == b.getType() &&
                         (a == b || getSource(a) == getSource(b)));
      });
}

static bool maySucceedInShape(LaunchOpInterface a, LaunchOpInterface b) {
  for (auto [x, y] : llvm::zip(a.getLaunchArgs(), b.getLaunchArgs())) {
    auto typeX = dyn_cast<GraphTensorType>(x.getType());
    auto typeY = dyn_cast<GraphTensorType>(y.getType());
    if (typeX && typeY && !typeX.isCompatibleWith(typeY))
      return false;
  }
  return true;
}

/// Those of this partition that record, or may replay what one of these
/// records.
SmallVector<const Placement *>
DependencyJudge::getPlacements(unsigned first, unsigned second) const {
  SmallVector<const Placement *> all, recorders;
  auto it = placements.find({first, second});
  if (it == placements.end())
    return all;
  for (const Placement &placement : it->second)
    if ((!partition || placement.partition == *partition) &&
        placement.record != RecordKind::Never)
      recorders.push_back(&placement);
  for (const Placement &placement : it->second)
    if ((!partition || placement.partition == *partition) &&
        llvm::any_of(recorders, [&](const Placement *recorder) {
          return maySucceedInShape(recorder->launch, placement.launch);
        }))
      all.push_back(&placement);
  return all;
}

Overlap DependencyJudge::compareAt(const Use &a, const Use &b,
                                   const Placement &placement,
                                   ArrayRef<ValueSet> distance, unsigned first,
                                   unsigned second) const {
  bool isPart = (placement.holdsSecond && a.isWhole) ||
                (placement.isInSecond && b.isWhole);
  if (isPart && a.isCertain && b.isCertain)
    return Overlap::Always;
  std::optional<Extent> x =
      getExtent(a, placement, 0, facts.tensors[first].param);
  std::optional<Extent> y =
      getExtent(b, placement, 1, facts.tensors[second].param);
  if (!x || !y || distance.empty() || distance.size() != x->start.size() ||
      distance.size() != y->start.size())
    return Overlap::Unknown;
  return compare(*x, *y, distance);
}

/// How what two tasks use lies whenever a launch records.
Overlap DependencyJudge::compareRecorded(const Use &a, const Use &b) const {
  if (!a.root || !b.root)
    return Overlap::Unknown;
  if (a.root == b.root) {
    bool isOne = a.tensor == b.tensor;
    for (Operation *op = a.tensor.getDefiningOp(); op && isOne;
         op = op->getParentOp())
      isOne = !isa<LoopLikeOpInterface>(op);
    return a.isCertain && b.isCertain && (a.isWhole || b.isWhole || isOne)
               ? Overlap::Always
               : Overlap::Unknown;
  }
  std::optional<unsigned> first = getTensor(a), second = getTensor(b);
  if (!first || !second)
    return Overlap::Never;
  if (!placements.contains({*first, *second})) {
    if (placements.contains({*second, *first}))
      return compareRecorded(b, a);
    // Who is asked about and has no placement shares no buffer.
    const BoundaryFacts::Tensor &x = facts.tensors[*first];
    const BoundaryFacts::Tensor &y = facts.tensors[*second];
    bool isAskedAbout =
        (x.isWritten && y.isAwaited) || (y.isWritten && x.isAwaited);
    return isAskedAbout ? Overlap::Never : Overlap::Unknown;
  }
  bool isNever = true, isAlways = true;
  for (const Placement *placement : getPlacements(*first, *second)) {
    if (placement->record == RecordKind::Never)
      continue;
    Overlap overlap =
        compareAt(a, b, *placement, placement->recorded, *first, *second);
    isNever &= overlap == Overlap::Never;
    isAlways &= overlap == Overlap::Always;
  }
  return isNever    ? Overlap::Never
         : isAlways ? Overlap::Always
                    : Overlap::Unknown;
}

/// Whether a later launch of the partition may have what two uses need ordered
/// and no recording does; `later` is a launch where that is certain.
auto DependencyJudge::judge(const Use &write, const Use &wait,
                            Operation *&later) const -> Verdict {
  unsigned first = *getTensor(write), second = *getTensor(wait);
  SmallVector<const Placement *> all = getPlacements(first, second);
  Overlap recorded = compareRecorded(write, wait);
  if (all.empty() || recorded == Overlap::Always)
    return Verdict::Right;
  bool isNever = llvm::all_of(all, [&](const Placement *placement) {
    auto sets =
        llvm::map_to_vector<2>(placement->distance, [](const LinearForm &form) {
          return ValueSet::of(form);
        });
    return compareAt(write, wait, *placement, sets, first, second) ==
           Overlap::Never;
  });
  if (isNever)
    return Verdict::Right;
  if (recorded != Overlap::Never || !partition || !write.isCertain ||
      !wait.isCertain)
    return Verdict::Undecided;
  for (const Placement *placement : all) {
    bool replays =
        placement->isCertain && isCertainlyReached(placement->launch) &&
        llvm::all_of(all, [&](const Placement *recorder) {
          return recorder->record == RecordKind::Never ||
                 replaysCertainly(recorder->launch, placement->launch);
        });
    std::optional<Extent> a =
        getExtent(write, *placement, 0, facts.tensors[first].param);
    std::optional<Extent> b =
        getExtent(wait, *placement, 1, facts.tensors[second].param);
    if (!replays || !a || !b || placement->distance.empty() ||
        placement->distance.size() != a->start.size() ||
        placement->distance.size() != b->start.size() ||
        !overlapOnce(*a, *b, *placement))
      continue;
    later = placement->launch;
    return Verdict::Wrong;
  }
  return Verdict::Undecided;
}

/// The same, asked once for each pair of windows.
auto DependencyJudge::judgeOnce(const Use &write, const Use &wait,
                                Operation *&later) -> Verdict {
  if (!write.isCertain || !wait.isCertain)
    return judge(write, wait, later);
  auto [it, isNew] = judged.try_emplace({write.tensor, wait.tensor});
  if (isNew) {
    Operation *found = nullptr;
    Verdict verdict = judge(write, wait, found);
    judged[{write.tensor, wait.tensor}] = {verdict, found};
  }
  auto [verdict, found] = judged.lookup({write.tensor, wait.tensor});
  later = found;
  return verdict;
}

/// How what two tasks use lies whenever a launch records, looked up when asked
/// before; none when too much was asked.
std::optional<Overlap> DependencyJudge::lookupRecorded(const Use &a,
                                                       const Use &b) {
  if (budget == 0)
    return std::nullopt;
  --budget;
  if (!a.isCertain || !b.isCertain)
    return compareRecorded(a, b);
  auto [it, isNew] =
      recorded.try_emplace({a.tensor, b.tensor}, Overlap::Unknown);
  if (isNew)
    it->second = compareRecorded(a, b);
  return it->second;
}

/// The tasks that the recording orders after the writer by explicit
/// dependencies or by other tasks: certainly, or possibly (`mayBe`).
llvm::BitVector DependencyJudge::findFollowers(unsigned writer, bool mayBe) {
  llvm::BitVector reached(tasks.size());
  const Task &from = tasks[writer];
  // What the tasks found so far use, once each.
  struct Source {
    const Use *use;
    Operation *manualScope;
  };
  SmallVector<Source> sources;
  DenseSet<std::pair<Value, Operation *>> known[2];
  auto addSource = [&](const Task &task) {
    for (const Use &use : task.uses)
      if ((mayBe || use.writes) &&
          (!use.isCertain ||
           known[use.writes].insert({use.tensor, task.manualScope}).second))
        sources.push_back({&use, task.manualScope});
  };
  auto isLinked = [&](const Task &task) {
    return llvm::any_of(task.uses, [&](const Use &use) {
      return llvm::any_of(sources, [&](const Source &source) {
        if (mayBe)
          return (source.use->writes || use.writes) &&
                 lookupRecorded(*source.use, use) != Overlap::Never;
        // What is one buffer at some launches only is not always there.
        bool isKnown = partition || source.use->root == use.root;
        return isKnown && use.waits &&
               (!source.manualScope ||
                source.manualScope != task.manualScope) &&
               lookupRecorded(*source.use, use) == Overlap::Always;
      });
    });
  };
  auto follows = [&](unsigned number) {
    const Task &task = tasks[number];
    if (mayBe && task.hasUnknownDeps)
      return true;
    for (unsigned dep : task.deps)
      if (dep == writer ? mayBe || !from.construct
                        : reached.test(dep) && (mayBe || dep > writer))
        return true;
    return isLinked(task);
  };
  addSource(from);
  // Iterations of a loop come one after the other.
  for (unsigned number = 0; number <= writer && !mayBe && from.isInLoop;
       ++number)
    if (tasks[number].construct == from.construct && isLinked(tasks[number]))
      reached.set(number);
  for (unsigned number = writer + 1, e = tasks.size(); number != e; ++number) {
    if (!follows(number))
      continue;
    reached.set(number);
    if (mayBe || isCertainlyReached(tasks[number].op))
      addSource(tasks[number]);
    // The iterations of a loop are not told apart.
    if (mayBe && tasks[number].isInLoop) {
      reached.set(writer + 1, e);
      break;
    }
  }
  return reached;
}

bool DependencyJudge::isOrdered(unsigned writer, unsigned reader, bool mayBe) {
  DenseMap<unsigned, llvm::BitVector> &all = followers[mayBe];
  auto it = all.find(writer);
  if (it == all.end())
    it = all.try_emplace(writer, findFollowers(writer, mayBe)).first;
  return it->second.test(reader);
}

void DependencyJudge::report(const Task &writer, const Task &reader,
                             unsigned first, unsigned second, Operation *later,
                             bool isError) {
  auto name = [&](unsigned tensor) {
    return ("'%" + facts.func.getParamName(facts.tensors[tensor].param) + "'")
        .str();
  };
  Location loc = LaunchOpInterface(reader.op).getLoc();
  InFlightDiagnostic diag =
      isError ? emitCodedError(loc, DiagnosticCode::StaleDependency)
              : emitCodedWarning(loc, DiagnosticCode::StaleDependency);
  diag << "this task of graph function '@" << facts.func.getSymName()
       << (later ? "' waits for no" : "' may wait for no")
       << " writer of what it reads through " << name(second);
  diag.attachNote(LaunchOpInterface(writer.op).getLoc())
      << "this task writes it through " << name(first);
  if (later)
    diag.attachNote(later->getLoc())
        << "the windows overlap at this launch, and did not where the "
           "recording was made";
  diag.attachNote()
      << "a recording has the dependencies that the first call needs; order "
         "the tasks with 'deps', or pass windows that always or never overlap";
}

bool DependencyJudge::checkPair(unsigned first, unsigned second) {
  std::optional<std::pair<unsigned, unsigned>> suspect;
  for (auto [writer, write] : writesOf[first])
    for (auto [reader, wait] : waitsOf[second]) {
      const Task &source = tasks[writer], &task = tasks[reader];
      bool isRepeated = source.isInLoop && source.construct == task.construct;
      bool isTracked =
          !source.manualScope || source.manualScope != task.manualScope;
      if (!isRepeated && (reader <= writer || !isTracked))
        continue;
      Operation *later = nullptr;
      Verdict verdict = judgeOnce(*write, *wait, later);
      if (verdict == Verdict::Right ||
          isOrdered(writer, reader, /*mayBe=*/false))
        continue;
      bool isProved = verdict == Verdict::Wrong && !source.construct &&
                      !task.construct && !source.hasPredicate &&
                      !task.hasPredicate &&
                      !isOrdered(writer, reader, /*mayBe=*/true);
      if (isProved) {
        report(source, task, first, second, later, /*isError=*/true);
        return false;
      }
      if (!suspect)
        suspect = {writer, reader};
    }
  if (!suspect || undecided == UndecidedAlias::Accept)
    return true;
  bool isError = undecided == UndecidedAlias::Refuse;
  report(tasks[suspect->first], tasks[suspect->second], first, second, nullptr,
         isError);
  return !isError;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// Whether launches mostly say the same: the same constants as the last one.
static bool saysTheSame(const Placement &a, const Placement &b) {
  auto isConstant = [](const LinearForm &form) { return form.isConstant(); };
  return a.record == RecordKind::Never && b.record == RecordKind::Never &&
         a.partition == b.partition && !a.distance.empty() &&
         a.distance == b.distance && llvm::all_of(a.distance, isConstant) &&
         a.isByDimension == b.isByDimension &&
         a.launch->getOperandTypes() == b.launch->getOperandTypes() &&
         a.isCertain == b.isCertain;
}

void TaskDependencies::add(unsigned first, unsigned second,
                           Placement placement) {
  SmallVector<Placement, 1> &known = placements[{first, second}];
  if (known.empty() || !saysTheSame(known.back(), placement))
    known.push_back(std::move(placement));
}

/// Whether the two always lie in the same way.
static bool isConstantDistance(ArrayRef<Placement> placements) {
  return llvm::all_of(placements, [&](const Placement &placement) {
    return !placement.distance.empty() &&
           placement.distance == placements.front().distance &&
           placement.isByDimension == placements.front().isByDimension &&
           llvm::all_of(placement.distance, [](const LinearForm &form) {
             return form.isConstant();
           });
  });
}

LogicalResult TaskDependencies::finish(bool isPartitionCertain,
                                       UndecidedAlias undecided) {
  SmallVector<std::pair<unsigned, unsigned>> moving;
  llvm::SmallSetVector<unsigned, 4> partitions;
  for (auto &[pair, known] : placements) {
    if (isConstantDistance(known))
      continue;
    moving.push_back(pair);
    for (const Placement &placement : known)
      partitions.insert(placement.partition);
  }
  if (moving.empty())
    return success();
  TaskList list(facts.func, ties);
  DenseSet<std::pair<unsigned, unsigned>> wrong;
  auto check = [&](std::optional<unsigned> partition) {
    DependencyJudge judge(facts, placements, list.tasks, partition, undecided);
    for (auto [first, second] : moving)
      if (!wrong.contains({first, second}) && !judge.checkPair(first, second))
        wrong.insert({first, second});
  };
  if (!isPartitionCertain)
    check(std::nullopt);
  else
    for (unsigned partition : partitions)
      check(partition);
  return success(wrong.empty());
}
