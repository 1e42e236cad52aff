//===- Dependencies.cpp - Dependencies that a recording lacks -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recorded task waits for the earlier tasks that wrote what it reads or
// updates, as their windows lay when the launch was recorded. Windows of one
// boundary tensor lie to each other as they did then for ever; those of two
// tensors of one buffer do not, when the launches pass these at other
// distances. A dependency is then missing when the windows were apart and
// overlap later. (One that is there and not needed does no harm. That a writer
// comes after earlier readers is not recorded, but follows from the program.)
//
// So, of a task that writes a window of one boundary tensor and a later one
// that reads or updates a window of another tensor of the buffer:
//
// - the windows never overlap, or
// - they certainly overlap whenever a launch records, or
// - the recording orders the tasks anyway, by explicit dependencies or by way
// of
//   other tasks.
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Dependencies.h"

#include "Analysis/ReplayInvariance.h"
#include "Diagnostics/Diagnostics.h"
#include "Transforms/GraphBoundary/RecordedTasks.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {
/// Numbers strictly between two others; an absent one is infinite.
struct Zone {
  std::optional<int64_t> low, high;
};

/// A box in the axes of a tensor, from where the tensor starts; or a range of
/// elements.
struct Box {
  SmallVector<Bounds, 4> start;
  /// At least one; dynamic ones are not known.
  SmallVector<int64_t, 4> size;
  /// Whether every element of a range belongs to it.
  bool isDense = true;
};
} // namespace

static std::optional<int64_t> add(std::optional<int64_t> a,
                                  std::optional<int64_t> b) {
  return a && b ? llvm::checkedAdd(*a, *b) : std::nullopt;
}

static std::optional<int64_t> subtract(std::optional<int64_t> a,
                                       std::optional<int64_t> b) {
  return a && b ? llvm::checkedSub(*a, *b) : std::nullopt;
}

static std::optional<int64_t> getKnown(int64_t size) {
  return ShapedType::isDynamic(size) ? std::nullopt : std::optional(size);
}

/// The distances of `b`'s tensor from `a`'s at which the boxes may overlap in
/// an axis.
static Zone getPossibleZone(const Box &a, const Box &b, unsigned axis) {
  return {subtract(subtract(a.start[axis].low, b.start[axis].high),
                   getKnown(b.size[axis])),
          subtract(add(a.start[axis].high, getKnown(a.size[axis])),
                   b.start[axis].low)};
}

/// Those at which they certainly do; none when an end is missing.
static Zone getCertainZone(const Box &a, const Box &b, unsigned axis) {
  int64_t sizeA = getKnown(a.size[axis]).value_or(1);
  int64_t sizeB = getKnown(b.size[axis]).value_or(1);
  return {subtract(subtract(a.start[axis].high, b.start[axis].low), sizeB),
          subtract(add(a.start[axis].low, sizeA), b.start[axis].high)};
}

/// Whether an element of an arithmetic progression lies in the zone, whose ends
/// are finite.
static bool meets(const Progression &values, int64_t low, int64_t high) {
  // Counting upwards.
  int64_t first = values.first, step = values.step;
  if (step < 0) {
    if (step == INT64_MIN || first == INT64_MIN || low == INT64_MIN ||
        high == INT64_MIN)
      return true;
    first = -first;
    step = -step;
    std::tie(low, high) = std::pair(-high, -low);
  }
  if (first >= high)
    return false;
  if (first > low)
    return true;
  std::optional<int64_t> gap = llvm::checkedSub(low, first);
  if (!gap)
    return true;
  int64_t steps = *gap / step + 1;
  std::optional<int64_t> next = llvm::checkedMulAdd(steps, step, first);
  return (!next || *next < high) && static_cast<uint64_t>(steps) < values.count;
}

/// Whether the form may take on a value in the zone.
static bool mayLieIn(const AffineForm &form, const Zone &zone) {
  Bounds bounds = getBounds(form);
  if ((zone.high && bounds.low && *bounds.low >= *zone.high) ||
      (zone.low && bounds.high && *bounds.high <= *zone.low))
    return false;
  if (!zone.low || !zone.high)
    return true;
  if (std::optional<Progression> values = getProgression(form))
    return meets(*values, *zone.low, *zone.high);
  // All values are alike modulo the steps' common divisor.
  if (*zone.low == INT64_MAX)
    return true;
  return !isNeverInByDivisor(form, *zone.low + 1, *zone.high);
}

/// Whether the form has no value but in the zone.
static bool liesIn(const AffineForm &form, const Zone &zone) {
  Bounds bounds = getBounds(form);
  return zone.low && zone.high && bounds.low && bounds.high &&
         *bounds.low > *zone.low && *bounds.high < *zone.high;
}

/// How two boxes lie at distances `forms`, whatever their values.
static RecordedOverlap relateBoxes(const Box &a, const Box &b,
                                   ArrayRef<AffineForm> forms) {
  bool isCertain = a.isDense && b.isDense;
  for (auto [axis, form] : llvm::enumerate(forms)) {
    if (!mayLieIn(form, getPossibleZone(a, b, axis)))
      return RecordedOverlap::Never;
    isCertain &= liesIn(form, getCertainZone(a, b, axis));
  }
  return isCertain ? RecordedOverlap::Always : RecordedOverlap::Unknown;
}

/// Whether the boxes certainly overlap in some iteration of the loops around
/// `launch`: each form is in its zone, or counts a loop of its own.
static bool meetBoxes(const Box &a, const Box &b, ArrayRef<AffineForm> forms,
                      Operation *launch) {
  llvm::SmallDenseSet<Value> counters;
  return a.isDense && b.isDense && isCertainlyReached(launch) &&
         llvm::all_of(llvm::enumerate(forms), [&](auto entry) {
           const AffineForm &form = entry.value();
           Zone zone = getCertainZone(a, b, entry.index());
           if (form.isConstant())
             return liesIn(form, zone);
           std::optional<Progression> values = getProgression(form);
           if (!values || !zone.low || !zone.high ||
               !meets(*values, *zone.low, *zone.high))
             return false;
           Value counter = form.getTerms().front().first;
           return getCountingLoop(counter)->isProperAncestor(launch) &&
                  counters.insert(counter).second;
         });
}

//===----------------------------------------------------------------------===//
// Two tensors at the launches
//===----------------------------------------------------------------------===//

namespace {
/// How two boundary tensors lie to each other at one launch.
struct Sample {
  LaunchOpInterface launch;
  /// Whether it may record, and whether it then is in the first iteration of
  /// all loops around it.
  bool isRecorder = false;
  /// The distance of the second from the first, as it is at the launch and when
  /// that records.
  Offsets forms, recordedForms;
  bool isByAxis = true;
  GraphTensorType types[2];
  /// The tensors whose axes count, for distances in elements.
  GraphTensorType frames[2];
  /// Whether the one is certainly a part of the other.
  bool isFirstInSecond = false, isSecondInFirst = false;
};

/// What is wrong with two tasks.
struct Finding {
  Operation *writer, *reader;
  /// The tensors they work on.
  unsigned tensors[2];
  bool isProved;
  /// The launch that records, and one that replays wrongly, when proved.
  LaunchOpInterface recorder, later;
};

class DependencyChecker {
public:
  DependencyChecker(BoundaryPlan &plan, LaunchDistances &distances,
                    const LaunchGroup &group, const ParamAliases &aliases,
                    RecordedTasks &tasks)
      : plan(plan), distances(distances), group(group), aliases(aliases),
        tasks(tasks) {}

  /// What is wrong with `written` and `awaited`, if anything is.
  std::optional<Finding> check(unsigned written, unsigned awaited);

private:
  bool isInside(unsigned inner, unsigned outer, LaunchOpInterface launch);
  bool mayReplay(LaunchOpInterface launch);
  bool certainlyReplays(LaunchOpInterface launch, LaunchOpInterface recorder);
  ArrayRef<Sample> getSamples(unsigned first, unsigned second);
  void addSamples(LaunchOpInterface launch, const Recorder *recorder,
                  unsigned first, unsigned second);

  std::optional<Box> getBox(unsigned place, const Sample &sample,
                            unsigned which);
  RecordedOverlap relate(unsigned first, unsigned second, const Sample &sample,
                         ArrayRef<AffineForm> forms);
  RecordedOverlap relateWhenRecorded(unsigned first, unsigned second);
  RecordedOverlap relateInRecording(unsigned first, unsigned second);

  /// Whether an order of the two places may be missing from a recording.
  enum class Staleness { Never, Possible, Proved };
  Staleness getStaleness(unsigned written, unsigned awaited);
  LaunchOpInterface findMeeting(unsigned written, unsigned awaited);

  bool isCertainlyUnordered(unsigned writer, const TaskAccess &write,
                            unsigned reader, const TaskAccess &read);
  const llvm::BitVector &getCertainlyAfter(unsigned task);
  const llvm::BitVector &getPossiblyAfter(unsigned task);

  BoundaryPlan &plan;
  LaunchDistances &distances;
  const LaunchGroup &group;
  const ParamAliases &aliases;
  RecordedTasks &tasks;
  DenseMap<std::pair<unsigned, unsigned>, SmallVector<Sample, 0>> samplesOf;
  DenseMap<std::pair<unsigned, unsigned>, RecordedOverlap> recorded;
  DenseMap<Operation *, bool> replays;
  DenseMap<unsigned, llvm::BitVector> certainlyAfter, possiblyAfter;
};
} // namespace

/// Whether the launches pass tensors that may be of the same shapes: others
/// never replay each other.
static bool mayHaveSameShapes(LaunchOpInterface a, LaunchOpInterface b) {
  return llvm::all_of(
      llvm::zip(a.getLaunchArgs(), b.getLaunchArgs()), [](auto args) {
        auto typeA = dyn_cast<GraphTensorType>(std::get<0>(args).getType());
        auto typeB = dyn_cast<GraphTensorType>(std::get<1>(args).getType());
        return !typeA || !typeB || mayHaveSameShape(typeA, typeB);
      });
}

bool DependencyChecker::mayReplay(LaunchOpInterface launch) {
  auto [it, isNew] = replays.try_emplace(launch, false);
  if (isNew)
    it->second = llvm::any_of(group.launches.recorders, [&](auto &recorder) {
      return mayHaveSameShapes(launch, recorder.launch);
    });
  return it->second;
}

/// Whether a launch certainly replays what the other one has recorded.
bool DependencyChecker::certainlyReplays(LaunchOpInterface launch,
                                         LaunchOpInterface recorder) {
  if (!group.isCertain)
    return false;
  Origins &origins = distances.getOriginsAt(launch);
  Origins &recorded = distances.getOriginsAt(recorder);
  return launch.getLaunchDirections() == recorder.getLaunchDirections() &&
         llvm::all_of(
             llvm::zip(launch.getLaunchArgs(), recorder.getLaunchArgs()),
             [&](auto args) {
               auto [a, b] = args;
               auto type = dyn_cast<GraphTensorType>(a.getType());
               if (!type)
                 return true;
               const Origin &first = origins.get(a), &second = recorded.get(b);
               auto frame = dyn_cast<GraphTensorType>(first.frame.getType());
               return type.hasStaticShape() && type == b.getType() &&
                      frame.hasStaticShape() &&
                      frame == second.frame.getType() &&
                      first.anchor.getType() == second.anchor.getType();
             });
}

/// Whether a tensor is a window of another one at the launch, or all of the
/// buffer is passed for the other one.
bool DependencyChecker::isInside(unsigned inner, unsigned outer,
                                 LaunchOpInterface launch) {
  constexpr unsigned kMaxSteps = 64;
  Value value = plan.tensors[inner].value;
  Value target = plan.tensors[outer].value;
  for (unsigned i = 0; value != target; ++i) {
    Operation *op = value.getDefiningOp();
    if (i == kMaxSteps || !isa_and_nonnull<SliceOp, ViewOp>(op))
      break;
    value = plan.resolve(op->getOperand(0));
  }
  if (value == target)
    return true;
  auto param = dyn_cast<BlockArgument>(value);
  auto targetParam = dyn_cast<BlockArgument>(target);
  if (!param || !targetParam)
    return false;
  Origins &origins = distances.getOriginsAt(launch);
  const IdentityLineage &identity = origins.getIdentity();
  OperandRange args = launch.getLaunchArgs();
  value = identity.getSource(args[param.getArgNumber()]);
  target = identity.getSource(args[targetParam.getArgNumber()]);
  const Origin &origin = origins.get(value);
  if (origin.roots.size() == 1 && origin.roots.front() == target)
    return true;
  for (unsigned i = 0; value != target; ++i) {
    Operation *op = value.getDefiningOp();
    if (i == kMaxSteps || !isa_and_nonnull<SliceOp, ViewOp>(op))
      return false;
    value = identity.getSource(op->getOperand(0));
  }
  return true;
}

/// Whether a tensor of this type is all of the buffer it lies in.
static bool isWholeBuffer(const Origin &origin, GraphTensorType type) {
  return origin.isWindowOfRoot() && origin.frame == origin.anchor &&
         type.hasStaticShape() && origin.anchor.getType() == type;
}

/// Launches mostly say what the one before them said.
static bool isSame(const Sample &a, const Sample &b) {
  return !a.isRecorder && !b.isRecorder && !a.forms.empty() &&
         a.forms == b.forms && a.isByAxis == b.isByAxis &&
         llvm::equal(a.types, b.types) && llvm::equal(a.frames, b.frames) &&
         llvm::all_of(a.forms,
                      [](const AffineForm &form) { return form.isConstant(); });
}

/// How the two lie at a launch: one sample, or one for each buffer that control
/// flow of the caller may choose for both.
void DependencyChecker::addSamples(LaunchOpInterface launch,
                                   const Recorder *recorder, unsigned first,
                                   unsigned second) {
  SmallVector<Sample, 0> &samples = samplesOf[{first, second}];
  Origins &origins = distances.getOrigins();
  Value values[] = {plan.tensors[first].value, plan.tensors[second].value};
  Sample common;
  common.launch = launch;
  common.isRecorder = recorder != nullptr;
  common.types[0] = getTypeAt(values[0], launch);
  common.types[1] = getTypeAt(values[1], launch);
  common.isFirstInSecond = isInside(first, second, launch);
  common.isSecondInFirst = isInside(second, first, launch);
  auto add = [&](const Origin &a, const Origin &b) {
    Sample sample = common;
    if (a.frame && b.frame) {
      sample.frames[0] = cast<GraphTensorType>(a.frame.getType());
      sample.frames[1] = cast<GraphTensorType>(b.frame.getType());
    }
    Distance distance = measure(b, a, launch);
    sample.isByAxis = distance.isByAxis;
    sample.forms = std::move(distance.forms);
    sample.recordedForms = recorder && recorder->isFirstIteration
                               ? atFirstIteration(sample.forms, launch)
                               : sample.forms;
    sample.isSecondInFirst |=
        a.anchor == b.anchor && isWholeBuffer(a, sample.types[0]);
    sample.isFirstInSecond |=
        a.anchor == b.anchor && isWholeBuffer(b, sample.types[1]);
    if (samples.empty() || !isSame(samples.back(), sample))
      samples.push_back(std::move(sample));
  };
  const Origin insideA = origins.get(values[0]),
               insideB = origins.get(values[1]);
  Origin a = distances.atLaunch(insideA, launch);
  Origin b = distances.atLaunch(insideB, launch);
  if (a.anchor && a.anchor == b.anchor)
    return add(a, b);
  SmallVector<Origin, 2> allA = distances.getAlternativesAt(insideA, launch);
  SmallVector<Origin, 2> allB = distances.getAlternativesAt(insideB, launch);
  if (allA.empty() || allB.empty())
    return add(a, b);
  // In different buffers they are not in each other's way.
  for (const Origin &x : allA)
    for (const Origin &y : allB)
      if (aliases.getClass(x.anchor) == aliases.getClass(y.anchor))
        add(x, y);
}

/// How the two lie at the launches that may record or replay them.
ArrayRef<Sample> DependencyChecker::getSamples(unsigned first,
                                               unsigned second) {
  auto [it, isNew] = samplesOf.try_emplace({first, second});
  if (!isNew)
    return it->second;
  const Launches &launches =
      group.getLaunches(distances.getRoot(first), distances.getRoot(second));
  DenseMap<Operation *, const Recorder *> recorders;
  for (const Recorder &recorder : launches.recorders)
    recorders[recorder.launch] = &recorder;
  for (LaunchOpInterface launch : launches.all)
    if (mayReplay(launch))
      addSamples(launch, recorders.lookup(launch), first, second);
  return samplesOf[{first, second}];
}

/// The range of elements of a box, in the order of the elements of a frame.
static std::optional<Box> flatten(const Box &box, GraphTensorType frame) {
  if (!frame || frame.getRank() != static_cast<int64_t>(box.start.size()))
    return std::nullopt;
  std::optional<int64_t> low = 0, high = 0, length = 1, elements = 1,
                         stride = 1;
  for (int64_t axis = frame.getRank() - 1; axis >= 0; --axis) {
    std::optional<int64_t> size = getKnown(box.size[axis]);
    if (!stride || !size || !box.start[axis].low || !box.start[axis].high)
      return std::nullopt;
    auto addTo = [&](std::optional<int64_t> &sum, int64_t count) {
      sum = sum ? llvm::checkedMulAdd(count, *stride, *sum) : std::nullopt;
    };
    addTo(low, *box.start[axis].low);
    addTo(high, *box.start[axis].high);
    addTo(length, *size - 1);
    elements = elements ? llvm::checkedMul(*elements, *size) : std::nullopt;
    stride = frame.isDynamicDim(axis)
                 ? std::nullopt
                 : llvm::checkedMul(*stride, frame.getDimSize(axis));
  }
  if (!low || !high || !length || !elements)
    return std::nullopt;
  Box range;
  range.start.push_back({low, high});
  range.size.push_back(*length);
  range.isDense = *elements == *length;
  return range;
}

/// Where a place lies in the first (`which` 0) or second tensor of the sample.
std::optional<Box> DependencyChecker::getBox(unsigned number,
                                             const Sample &sample,
                                             unsigned which) {
  const TaskPlace &place = tasks.getPlace(number);
  Box box;
  GraphTensorType type = sample.types[which];
  if (place.window) {
    if (!place.offsets)
      return std::nullopt;
    type = cast<GraphTensorType>(place.window->getResult(0).getType());
    llvm::append_range(box.start, *place.offsets);
  } else {
    box.start.assign(type.getRank(), Bounds{0, 0});
  }
  llvm::append_range(box.size, type.getShape());
  if (box.start.size() != box.size.size())
    return std::nullopt;
  if (!sample.isByAxis)
    return flatten(box, sample.frames[which]);
  if (box.start.size() != sample.forms.size())
    return std::nullopt;
  return box;
}

RecordedOverlap DependencyChecker::relate(unsigned first, unsigned second,
                                          const Sample &sample,
                                          ArrayRef<AffineForm> forms) {
  if ((sample.isSecondInFirst && !tasks.getPlace(first).window) ||
      (sample.isFirstInSecond && !tasks.getPlace(second).window))
    return RecordedOverlap::Always;
  std::optional<Box> a = getBox(first, sample, 0);
  std::optional<Box> b = getBox(second, sample, 1);
  if (!a || !b || forms.empty() || forms.size() != a->start.size() ||
      forms.size() != b->start.size())
    return RecordedOverlap::Unknown;
  return relateBoxes(*a, *b, forms);
}

/// How two places of different tensors lie whenever a launch records that
/// passes the tensors in one buffer.
RecordedOverlap DependencyChecker::relateWhenRecorded(unsigned first,
                                                      unsigned second) {
  auto it = recorded.find({first, second});
  if (it != recorded.end())
    return it->second;
  unsigned a = tasks.getPlace(first).tensor, b = tasks.getPlace(second).tensor;
  bool isNever = true, isAlways = true;
  if (group.mayShare(distances.getRoot(a), distances.getRoot(b)))
    for (const Sample &sample : getSamples(a, b)) {
      if (!sample.isRecorder)
        continue;
      RecordedOverlap overlap =
          relate(first, second, sample, sample.recordedForms);
      isNever &= overlap == RecordedOverlap::Never;
      isAlways &= overlap == RecordedOverlap::Always;
    }
  RecordedOverlap result = isNever    ? RecordedOverlap::Never
                           : isAlways ? RecordedOverlap::Always
                                      : RecordedOverlap::Unknown;
  recorded[{first, second}] = result;
  return result;
}

/// The same for whichever launch records.
RecordedOverlap DependencyChecker::relateInRecording(unsigned first,
                                                     unsigned second) {
  RecordedOverlap overlap = relateWhenRecorded(first, second);
  // What is one buffer at some launches only is not always there.
  return overlap == RecordedOverlap::Always && !group.isCertain
             ? RecordedOverlap::Unknown
             : overlap;
}

/// A launch that certainly replays a recording, with the places overlapping.
LaunchOpInterface DependencyChecker::findMeeting(unsigned written,
                                                 unsigned awaited) {
  ArrayRef<Sample> pair = getSamples(tasks.getPlace(written).tensor,
                                     tasks.getPlace(awaited).tensor);
  for (const Sample &sample : pair) {
    std::optional<Box> a = getBox(written, sample, 0);
    std::optional<Box> b = getBox(awaited, sample, 1);
    if (!a || !b || sample.forms.empty() ||
        !llvm::all_of(group.launches.recorders, [&](const Recorder &recorder) {
          return certainlyReplays(sample.launch, recorder.launch);
        }))
      continue;
    bool isWholeAround =
        (sample.isSecondInFirst && !tasks.getPlace(written).window) ||
        (sample.isFirstInSecond && !tasks.getPlace(awaited).window);
    if (isWholeAround ? isCertainlyReached(sample.launch)
                      : meetBoxes(*a, *b, sample.forms, sample.launch))
      return sample.launch;
  }
  return {};
}

auto DependencyChecker::getStaleness(unsigned written, unsigned awaited)
    -> Staleness {
  RecordedOverlap overlap = relateWhenRecorded(written, awaited);
  ArrayRef<Sample> pair = getSamples(tasks.getPlace(written).tensor,
                                     tasks.getPlace(awaited).tensor);
  bool isRecorded = llvm::any_of(
      pair, [](const Sample &sample) { return sample.isRecorder; });
  if (!isRecorded || overlap == RecordedOverlap::Always)
    return Staleness::Never;
  bool isNever = llvm::all_of(pair, [&](const Sample &sample) {
    return relate(written, awaited, sample, sample.forms) ==
           RecordedOverlap::Never;
  });
  if (isNever)
    return Staleness::Never;
  return overlap == RecordedOverlap::Never && findMeeting(written, awaited)
             ? Staleness::Proved
             : Staleness::Possible;
}

const llvm::BitVector &DependencyChecker::getCertainlyAfter(unsigned task) {
  auto relate = [&](unsigned a, unsigned b) { return relateInRecording(a, b); };
  auto it = certainlyAfter.find(task);
  if (it == certainlyAfter.end())
    it = certainlyAfter.try_emplace(task, tasks.getCertainlyAfter(task, relate))
             .first;
  return it->second;
}

const llvm::BitVector &DependencyChecker::getPossiblyAfter(unsigned task) {
  auto relate = [&](unsigned a, unsigned b) { return relateInRecording(a, b); };
  auto it = possiblyAfter.find(task);
  if (it == possiblyAfter.end())
    it = possiblyAfter.try_emplace(task, tasks.getPossiblyAfter(task, relate))
             .first;
  return it->second;
}

/// Whether an instance of the first task may be recorded before one of the
/// second, and the runtime then looks at their windows.
static bool mayPrecede(ArrayRef<RecordedTask> tasks, unsigned first,
                       unsigned second) {
  const RecordedTask &a = tasks[first], &b = tasks[second];
  bool isRepeated = a.isInLoop && a.construct == b.construct;
  if (isRepeated)
    return true;
  return first < second && (!a.manualScope || a.manualScope != b.manualScope);
}

/// The accesses to places on a tensor, by task.
static SmallVector<std::pair<unsigned, TaskAccess>>
collectAccesses(const RecordedTasks &tasks, unsigned tensor,
                bool TaskAccess::*kind) {
  SmallVector<std::pair<unsigned, TaskAccess>> accesses;
  for (auto [number, task] : llvm::enumerate(tasks.getTasks()))
    for (const TaskAccess &access : task.accesses)
      if (access.*kind && tasks.getPlace(access.place).tensor == tensor)
        accesses.push_back({number, access});
  return accesses;
}

/// Whether it is proved that nothing orders the reader after the writer when
/// the windows overlap.
bool DependencyChecker::isCertainlyUnordered(unsigned writer,
                                             const TaskAccess &write,
                                             unsigned reader,
                                             const TaskAccess &read) {
  ArrayRef<RecordedTask> all = tasks.getTasks();
  for (unsigned number : {writer, reader})
    if (all[number].construct || all[number].hasPredicate)
      return false;
  return write.isCertain && read.isCertain &&
         !getPossiblyAfter(writer).test(reader);
}

std::optional<Finding> DependencyChecker::check(unsigned written,
                                                unsigned awaited) {
  DenseMap<std::pair<unsigned, unsigned>, Staleness> staleness;
  for (unsigned write : tasks.getWritten(written))
    for (unsigned read : tasks.getAwaited(awaited)) {
      Staleness stale = getStaleness(write, read);
      if (stale != Staleness::Never)
        staleness[{write, read}] = stale;
    }
  if (staleness.empty())
    return std::nullopt;
  auto writes = collectAccesses(tasks, written, &TaskAccess::writes);
  auto reads = collectAccesses(tasks, awaited, &TaskAccess::waits);
  ArrayRef<RecordedTask> all = tasks.getTasks();
  std::optional<Finding> finding;
  for (auto &[writer, write] : writes)
    for (auto &[reader, read] : reads) {
      auto it = staleness.find({write.place, read.place});
      if (it == staleness.end() || !mayPrecede(all, writer, reader) ||
          getCertainlyAfter(writer).test(reader))
        continue;
      bool isProved = it->second == Staleness::Proved &&
                      isCertainlyUnordered(writer, write, reader, read);
      if (finding && !isProved)
        continue;
      finding = Finding{
          all[writer].op, all[reader].op, {written, awaited}, isProved, {}, {}};
      if (!isProved)
        continue;
      finding->recorder = group.launches.recorders.front().launch;
      finding->later = findMeeting(write.place, read.place);
      return finding;
    }
  return finding;
}

//===----------------------------------------------------------------------===//
// All tensors
//===----------------------------------------------------------------------===//

static void report(BoundaryPlan &plan, const Finding &finding, bool isError) {
  Location loc = finding.reader->getLoc();
  plan.failed |= isError;
  InFlightDiagnostic diag =
      isError ? emitCodedError(loc, DiagnosticCode::StaleDependency)
              : emitCodedWarning(loc, DiagnosticCode::StaleDependency);
  diag << "a replay of graph function '@" << plan.func.getSymName()
       << (finding.isProved
               ? "' does not order this task after one that writes "
                 "what it reads"
               : "' may not order this task after one that writes "
                 "what it reads");
  diag.attachNote(finding.writer->getLoc()) << "this task writes it";
  for (unsigned tensor : finding.tensors)
    diag.attachNote(plan.tensors[tensor].value.getLoc())
        << (tensor == finding.tensors[0] ? "the one works on this: "
                                         : "the other on this: ")
        << describeTensor(plan, tensor);
  if (finding.recorder)
    diag.attachNote(LaunchOpInterface(finding.recorder).getLoc())
        << "they are apart where this launch records";
  if (finding.later)
    diag.attachNote(LaunchOpInterface(finding.later).getLoc())
        << "they overlap at this launch";
  explain(diag,
          "a recording has the dependencies between tasks that the first "
          "launch needs, for ever",
          "order the tasks with 'deps', or pass windows that always or never "
          "overlap");
}

/// The parameter or allocation a tensor is of, where windows lead straight to
/// it; else null. Takes less than to say where in it the tensor lies.
static Value getPlainRoot(Value tensor, const IdentityLineage &identity) {
  Value value = identity.getSource(tensor);
  while (isa_and_nonnull<SliceOp, ViewOp>(value.getDefiningOp()))
    value = identity.getSource(value.getDefiningOp()->getOperand(0));
  bool isRoot = value.getDefiningOp<CreateOp>() || identity.getParameter(value);
  return isRoot ? value : Value();
}

/// Whether two of the tensors may be one buffer.
static bool haveSharedBuffers(const BoundaryPlan &plan,
                              ArrayRef<LaunchGroup> groups) {
  if (llvm::any_of(groups, [](const LaunchGroup &group) {
        return !group.shared.empty();
      }))
    return true;
  llvm::SmallDenseSet<Value> roots;
  return llvm::any_of(plan.tensors, [&](const BoundaryTensor &tensor) {
    Value root = getPlainRoot(tensor.value, *plan.identity);
    return !root || !roots.insert(root).second;
  });
}

/// What is wrong, once for each pair of tensors whatever the launches are.
static SmallVector<Finding> findMissing(BoundaryPlan &plan,
                                        LaunchDistances &distances,
                                        ArrayRef<LaunchGroup> groups,
                                        const ParamAliases &aliases,
                                        RecordedTasks &tasks) {
  SmallVector<Finding> findings;
  llvm::SmallDenseMap<std::pair<unsigned, unsigned>, size_t> findingOf;
  unsigned numTensors = plan.tensors.size();
  SmallVector<unsigned> allWritten, allAwaited;
  SmallVector<Value> roots;
  for (unsigned tensor = 0; tensor != numTensors; ++tensor) {
    Value root = getPlainRoot(plan.tensors[tensor].value, *plan.identity);
    roots.push_back(root ? root : distances.getRoot(tensor));
    if (!tasks.getWritten(tensor).empty())
      allWritten.push_back(tensor);
    if (!tasks.getAwaited(tensor).empty())
      allAwaited.push_back(tensor);
  }
  for (const LaunchGroup &group : groups) {
    DependencyChecker checker(plan, distances, group, aliases, tasks);
    for (unsigned written : allWritten)
      for (unsigned awaited : allAwaited) {
        if (awaited == written ||
            !group.mayShare(roots[written], roots[awaited]))
          continue;
        Distance distance = distances.getDistance(
            plan.tensors[awaited].value, plan.tensors[written].value, group,
            LaunchDistances::Question::IsConstant);
        if (distance.kind == Distance::Constant)
          continue;
        std::optional<Finding> finding = checker.check(written, awaited);
        if (!finding)
          continue;
        auto [it, isNew] =
            findingOf.try_emplace({written, awaited}, findings.size());
        if (isNew)
          findings.push_back(*finding);
        else if (finding->isProved)
          findings[it->second] = *finding;
      }
  }
  return findings;
}

void mlir::pypto::checkDependencies(BoundaryPlan &plan,
                                    LaunchDistances &distances,
                                    ArrayRef<LaunchGroup> groups,
                                    const ParamAliases &aliases,
                                    CalleeTies &ties, bool strict) {
  // More tensors than a boundary has are refused anyway.
  if (plan.tensors.size() > kMaxBoundaryTensors ||
      !haveSharedBuffers(plan, groups))
    return;
  RecordedTasks tasks(plan, distances, ties);
  SmallVector<Finding> findings =
      findMissing(plan, distances, groups, aliases, tasks);
  for (const Finding &finding : findings)
    if (finding.isProved || strict)
      report(plan, finding, /*isError=*/true);
  // What is refused anyway needs no warnings. One is enough to make a tensor
  // suspect.
  if (plan.failed)
    return;
  llvm::SmallDenseSet<unsigned> suspects;
  for (const Finding &finding : findings)
    if (suspects.insert(finding.tensors[1]).second)
      report(plan, finding, /*isError=*/false);
}
