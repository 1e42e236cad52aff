//===- BoundaryAliasing.cpp - Boundary tensors of one buffer --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoundaryAliasing.h"

#include "Analysis/ReplayInvariance.h"
#include "Diagnostics/Diagnostics.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <utility>

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::verify;

//===----------------------------------------------------------------------===//
// SharedParams
//===----------------------------------------------------------------------===//

unsigned SharedParams::find(unsigned param) const {
  // Ways that are short already are only read.
  while (true) {
    unsigned leader = leaders[param], next = leaders[leader];
    if (leader == next)
      return leader;
    leaders[param] = next;
    param = leader;
  }
}

void SharedParams::flatten() {
  for (unsigned &leader : leaders)
    leader = leaders[leader];
}

void SharedParams::join(unsigned a, unsigned b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  leaders[std::max(a, b)] = std::min(a, b);
  --numClasses;
}

Value SharedParams::getBuffer(Value root) const {
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument || !argument.getOwner()->isEntryBlock() ||
      !isa<FuncOp>(argument.getOwner()->getParentOp()))
    return root;
  return argument.getOwner()->getArgument(find(argument.getArgNumber()));
}

//===----------------------------------------------------------------------===//
// What has to be asked
//===----------------------------------------------------------------------===//

static GraphTensorType getTensorType(BoundaryFacts &facts, unsigned tensor) {
  return cast<GraphTensorType>(
      facts.func.getArgumentTypes()[facts.tensors[tensor].param]);
}

BoundaryAliasing::BoundaryAliasing(BoundaryFacts &facts, TieTable &ties)
    : facts(facts), dependencies(facts, ties),
      questions(facts.tensors.size() * facts.tensors.size()),
      isSuspect(facts.tensors.size()) {
  for (auto [x, tensor] : llvm::enumerate(facts.tensors)) {
    llvm::SmallPtrSet<Type, 4> shapes;
    for (const KeptWindow &window : tensor.windows)
      shapes.insert(window.type);
    for (auto [y, other] : llvm::enumerate(facts.tensors)) {
      if (x == y)
        continue;
      hasQuestions |= dependencies.concerns(x, y);
      GraphTensorType otherType = getTensorType(facts, y);
      bool isEarlier = other.slot < tensor.slot;
      bool mayBeTakenFor = tensor.wholeUse && isEarlier &&
                           getTensorType(facts, x).isCompatibleWith(otherType);
      bool mayBeBase = isEarlier && !tensor.windows.empty();
      bool mayEqualWindow = llvm::any_of(shapes, [&](Type shape) {
        return cast<GraphTensorType>(shape).isCompatibleWith(otherType);
      });
      if (!mayBeTakenFor && !mayBeBase && !mayEqualWindow)
        continue;
      questions.set(x * facts.tensors.size() + y);
      hasQuestions = true;
    }
  }
}

std::string BoundaryAliasing::getName(unsigned tensor) {
  return ("'%" + facts.func.getParamName(facts.tensors[tensor].param) + "'")
      .str();
}

//===----------------------------------------------------------------------===//
// What a launch says
//===----------------------------------------------------------------------===//

/// The distance from where `x` starts to where `y` does: by dimension when they
/// are counted in the same ones, else in elements; none when not known.
static std::optional<SmallVector<LinearForm, 2>>
getDistance(const Origin &x, const Origin &y, ValueTrace &caller) {
  if (x.root != y.root)
    return std::nullopt;
  SmallVector<LinearForm, 2> distance;
  if (x.frame && x.frame == y.frame && x.offsets && y.offsets) {
    for (auto [from, to] : llvm::zip_equal(*x.offsets, *y.offsets)) {
      std::optional<LinearForm> difference = to.minus(from);
      if (!difference)
        return std::nullopt;
      distance.push_back(*difference);
    }
    return distance;
  }
  std::optional<LinearForm> from = caller.getPosition(x);
  std::optional<LinearForm> to = caller.getPosition(y);
  if (!from || !to)
    return std::nullopt;
  std::optional<LinearForm> difference = to->minus(*from);
  if (!difference)
    return std::nullopt;
  distance.push_back(*difference);
  return distance;
}

/// Whether the distance, counted by one loop around the launch, is zero in one
/// of several iterations and only there.
static bool isZeroOnce(ArrayRef<LinearForm> distance, Operation *launch) {
  const LinearForm *moving = nullptr;
  for (const LinearForm &form : distance) {
    if (form.isZero())
      continue;
    if (moving || form.getTerms().size() != 1)
      return false;
    moving = &form;
  }
  if (!moving)
    return false;
  auto [symbol, coefficient] = moving->getTerms().front();
  int64_t constant = moving->getConstant();
  ValueSet counter = ValueSet::of(LinearForm::ofValue(symbol));
  return counter.low && counter.high && *counter.low != *counter.high &&
         symbol.getParentBlock()->getParentOp()->isProperAncestor(launch) &&
         coefficient != 0 && constant != std::numeric_limits<int64_t>::min() &&
         constant % coefficient == 0 &&
         counter.contains(-(constant / coefficient));
}

/// What `value` is a window of: a buffer, or what control flow makes of
/// several.
static Value getWindowed(Value value, ValueTrace &caller) {
  value = caller.getIdentity(value);
  while (isa_and_nonnull<SliceOp, ViewOp>(value.getDefiningOp()))
    value = caller.getIdentity(value.getDefiningOp()->getOperand(0));
  return value;
}

/// The loop that carries `value` from iteration to iteration, if one does.
static scf::ForOp getCarrier(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && argument.getArgNumber() != 0 ? loop : scf::ForOp();
}

/// Whether `a` and `b` are different buffers in every iteration of the loop
/// that carries them: it starts with different ones and only changes their
/// places.
static bool takeTurns(Value a, Value b, ValueTrace &caller,
                      const SharedParams &shared) {
  scf::ForOp loop = getCarrier(a);
  if (!loop || a == b || getCarrier(b) != loop)
    return false;
  SmallVector<Value> places = {a, b};
  llvm::SmallDenseSet<Value> seen(places.begin(), places.end()), sources,
      buffers;
  for (size_t i = 0; i != places.size(); ++i) {
    auto place = cast<BlockArgument>(places[i]);
    ValueTrace::State init =
        caller.getState(loop.getTiedLoopInit(place)->get());
    if (init.isUnknown || init.origins.size() != 1 ||
        !buffers.insert(shared.getBuffer(init.origins.front().root)).second)
      return false;
    Value source =
        caller.getIdentity(loop.getTiedLoopYieldedValue(place)->get());
    if (getCarrier(source) != loop || !sources.insert(source).second)
      return false;
    if (seen.insert(source).second)
      places.push_back(source);
  }
  return true;
}

/// The values of a distance at a launch that may record.
static SmallVector<ValueSet, 2> getRecorded(ArrayRef<LinearForm> distance,
                                            RecordKind record,
                                            Operation *launch) {
  SmallVector<ValueSet, 2> values;
  for (const LinearForm &form : distance) {
    LinearForm first(form.getConstant());
    bool isKnown = true;
    for (auto [symbol, coefficient] : form.getTerms()) {
      LinearForm term = LinearForm::ofValue(symbol);
      ValueSet counter = ValueSet::of(term);
      if (record == RecordKind::FirstIteration && counter.low && counter.high &&
          symbol.getParentBlock()->getParentOp()->isProperAncestor(launch))
        term = LinearForm(*counter.low);
      std::optional<LinearForm> sum = first.plus(term, coefficient);
      isKnown &= sum.has_value();
      first = sum.value_or(first);
    }
    values.push_back(isKnown ? ValueSet::of(first) : ValueSet::any());
  }
  return values;
}

/// Whether a loop around the launch certainly makes the distance take on
/// several values.
static bool isCounted(ArrayRef<LinearForm> distance, Operation *launch) {
  return llvm::any_of(distance, [&](const LinearForm &form) {
    if (form.getTerms().size() != 1)
      return false;
    Value symbol = form.getTerms().front().first;
    ValueSet values = ValueSet::of(form);
    return values.low && values.high && *values.low != *values.high &&
           symbol.getParentBlock()->getParentOp()->isProperAncestor(launch);
  });
}

void BoundaryAliasing::addDistance(PairRelation &relation,
                                   const Offsets &distance, bool isCertain,
                                   bool mayBeEqual, bool isOneShape,
                                   RecordKind record,
                                   LaunchOpInterface launch) {
  bool isFirst = !relation.firstShare;
  if (isFirst)
    relation.firstShare = launch;

  bool isConstant =
      distance && llvm::all_of(*distance, [](const LinearForm &form) {
        return form.isConstant();
      });
  SmallVector<int64_t, 2> constants;
  if (isConstant)
    for (const LinearForm &form : *distance)
      constants.push_back(form.getConstant());
  bool isUnconditionalHere = isCertainlyReached(launch);
  bool isTaken = isCertain && isUnconditionalHere;
  if (isFirst) {
    relation.distance = constants;
    relation.isDistanceTaken = isConstant && isTaken;
  }
  if (!isConstant || constants != relation.distance) {
    if (!relation.firstVarying)
      relation.firstVarying = launch;
    relation.isCertainlyVarying |=
        isTaken && (isConstant ? relation.isDistanceTaken
                               : distance && isCounted(*distance, launch));
  }
  if (record != RecordKind::Never) {
    SmallVector<ValueSet, 2> values;
    if (distance)
      values = getRecorded(*distance, record, launch);
    relation.recorded.push_back(
        {std::move(values), launch,
         isCertain && record == RecordKind::FirstIteration, mayBeEqual,
         isOneShape});
  }

  // Whether they start at the same place.
  auto note = [&](Operation *&at) {
    if (!at)
      at = launch;
  };
  bool isZero = isConstant && llvm::all_of(constants, [](int64_t offset) {
                  return offset == 0;
                });
  // In different shapes they are not equal; but a recording of equal ones,
  // which are of one shape, is not replayed there.
  if (!mayBeEqual)
    return;
  if (isZero && isCertain)
    return note(isOneShape ? relation.equalAt : relation.undecidedAt);
  bool isNever =
      distance && llvm::any_of(*distance, [](const LinearForm &form) {
        return ValueSet::of(0).isDisjointFrom(ValueSet::of(form));
      });
  if (!isCertain) {
    if (!isNever)
      note(relation.undecidedAt);
    return;
  }
  if (isNever)
    return note(relation.unequalAt);
  if (distance && isUnconditionalHere && isZeroOnce(*distance, launch)) {
    note(isOneShape ? relation.equalAt : relation.undecidedAt);
    return note(relation.unequalAt);
  }
  note(relation.undecidedAt);
}

/// The first launch of a run that is reached records: one up to the first of
/// its function that certainly runs.
RecordKind BoundaryAliasing::getRecordKind(LaunchOpInterface launch) {
  Operation *func = launch->getParentOfType<FuncOp>();
  if (std::exchange(lastCaller, func) != func)
    isRecorded = false;
  if (isRecorded)
    return RecordKind::Never;
  isRecorded = isCertainlyReached(launch);
  return isRecorded ? RecordKind::FirstIteration : RecordKind::AnyIteration;
}

/// Whether the launch says the same as the one before it, as most do: then
/// there is no need to look at all pairs. Takes note of what it says.
bool BoundaryAliasing::isKnownLaunch(LaunchOpInterface launch,
                                     ArrayRef<ValueTrace::State> states,
                                     const BufferGroups &groups) {
  SmallVector<int64_t> said;
  auto describe = [&]() {
    for (auto &[buffer, members] : groups) {
      const Origin &first =
          states[members.front().first].origins[members.front().second];
      said.push_back(members.size());
      for (auto [t, i] : members) {
        const Origin &origin = states[t].origins[i];
        if (origin.root != first.root || !origin.frame ||
            origin.frame != first.frame || !origin.offsets || !first.offsets)
          return false;
        said.push_back(t);
        for (auto [from, to] :
             llvm::zip_equal(*first.offsets, *origin.offsets)) {
          std::optional<LinearForm> distance = to.minus(from);
          if (!distance || !distance->isConstant())
            return false;
          said.push_back(distance->getConstant());
        }
      }
    }
    return true;
  };
  if (!describe())
    said.clear();
  bool isKnown = !said.empty() && said == lastLaunch;
  lastLaunch = std::move(said);
  return isKnown;
}

/// The relations at launches that pass buffers in the same way; none when it is
/// not certain which tensors share one.
auto BoundaryAliasing::findPartition(ArrayRef<ValueTrace::State> states,
                                     const BufferGroups &groups,
                                     unsigned &number) -> Relations * {
  std::vector<unsigned> partition(states.size());
  bool isCertain = llvm::all_of(states, [](const ValueTrace::State &state) {
    return !state.isUnknown && state.origins.size() <= 1;
  });
  for (auto &[buffer, members] : groups)
    for (auto [t, i] : members) {
      partition[t] = members.front().first;
      isCertain &= states[t].origins[i].root ==
                   states[members.front().first].origins.front().root;
    }
  isPartitionCertain &= isCertain;
  number = partitionNumbers.try_emplace(partition, partitionNumbers.size())
               .first->second;
  return isCertain ? &byPartition[partition] : nullptr;
}

/// Whether `inner` is `outer` or a window of it, or `outer` is all of the
/// buffer that `inner` lies in.
static bool isPartOf(Value inner, Value outer, ValueTrace &caller) {
  constexpr unsigned kMaxSteps = 64;
  outer = caller.getIdentity(outer);
  ValueTrace::State state = caller.getState(inner);
  if (!state.isUnknown && state.origins.size() == 1 &&
      state.origins.front().root == outer)
    return true;
  Value value = caller.getIdentity(inner);
  for (unsigned i = 0; i != kMaxSteps && value != outer; ++i) {
    if (!isa_and_nonnull<SliceOp, ViewOp>(value.getDefiningOp()))
      return false;
    value = caller.getIdentity(value.getDefiningOp()->getOperand(0));
  }
  return value == outer;
}

/// Takes note of how two tensors of one buffer lie at a launch.
void BoundaryAliasing::addPlacement(unsigned x, unsigned y,
                                    const Placement &common,
                                    ArrayRef<ValueTrace::State> states,
                                    unsigned originX, unsigned originY,
                                    ValueTrace &caller,
                                    const SharedParams &shared) {
  OperandRange args = LaunchOpInterface(common.launch).getLaunchArgs();
  Value argX = args[facts.tensors[x].param],
        argY = args[facts.tensors[y].param];
  const Origin &from = states[x].origins[originX];
  const Origin &to = states[y].origins[originY];
  Placement placement = common;
  Value windowedX = getWindowed(argX, caller);
  Value windowedY = getWindowed(argY, caller);
  bool isOneEach =
      states[x].origins.size() == 1 && states[y].origins.size() == 1;
  if (!isOneEach && takeTurns(windowedX, windowedY, caller, shared))
    return;
  placement.isCertain =
      from.root == to.root && (isOneEach || windowedX == windowedY);
  bool isSame = caller.getIdentity(argX) == caller.getIdentity(argY);
  placement.holdsSecond = isSame || isPartOf(argY, argX, caller);
  placement.isInSecond = isSame || isPartOf(argX, argY, caller);
  Offsets distance = getDistance(from, to, caller);
  if (isSame)
    distance = SmallVector<LinearForm, 2>(getTensorType(facts, x).getRank());
  placement.isByDimension = isSame || (from.frame && from.frame == to.frame &&
                                       from.offsets && to.offsets);
  if (from.frame && to.frame) {
    placement.frames[0] = cast<GraphTensorType>(from.frame.getType());
    placement.frames[1] = cast<GraphTensorType>(to.frame.getType());
  }
  if (distance) {
    placement.distance = *distance;
    placement.recorded = getRecorded(*distance, common.record, common.launch);
  }
  dependencies.add(x, y, std::move(placement));
}

void BoundaryAliasing::addLaunch(LaunchOpInterface launch, ValueTrace &caller,
                                 const SharedParams &shared) {
  unsigned numTensors = facts.tensors.size();
  OperandRange args = launch.getLaunchArgs();
  SmallVector<ValueTrace::State, 0> states;
  SmallVector<unsigned> anywhere;
  // Parameters that may be one buffer count as one.
  BufferGroups groups;
  for (auto [t, tensor] : llvm::enumerate(facts.tensors)) {
    // Missing arguments are reported elsewhere.
    states.push_back(tensor.param < args.size()
                         ? caller.getState(args[tensor.param])
                         : ValueTrace::State());
    if (states.back().isUnknown)
      anywhere.push_back(t);
    for (auto [i, origin] : llvm::enumerate(states.back().origins))
      groups[shared.getBuffer(origin.root)].emplace_back(t, i);
  }

  RecordKind record = getRecordKind(launch);
  bool isKnown = anywhere.empty() && isKnownLaunch(launch, states, groups);
  if (isKnown && record == RecordKind::Never)
    return;

  Placement common;
  common.launch = launch;
  common.record = record;
  Relations *partition = findPartition(states, groups, common.partition);
  auto isSameValue = [&](unsigned x, unsigned y) {
    return caller.getIdentity(args[facts.tensors[x].param]) ==
           caller.getIdentity(args[facts.tensors[y].param]);
  };
  auto add = [&](unsigned x, unsigned y, const Offsets &distance,
                 bool isCertain = true) {
    // A parameter may leave open what the launches say of its extents.
    auto getType = [&](unsigned tensor) {
      return cast<GraphTensorType>(args[facts.tensors[tensor].param].getType());
    };
    bool mayBeEqual = getType(x).isCompatibleWith(getType(y));
    bool isOneShape = isSameValue(x, y) ||
                      (getType(x) == getType(y) && getType(x).hasStaticShape());
    addDistance(all[{x, y}], distance, isCertain, mayBeEqual, isOneShape,
                record, launch);
    if (partition)
      addDistance((*partition)[{x, y}], distance, isCertain, mayBeEqual,
                  isOneShape, record, launch);
  };
  auto addSame = [&](unsigned x, unsigned y) {
    add(x, y, SmallVector<LinearForm, 2>(getTensorType(facts, x).getRank()));
  };
  for (auto &[buffer, members] : groups)
    for (auto [x, i] : members)
      for (auto [y, j] : members) {
        if (x == y)
          continue;
        if (dependencies.concerns(x, y) &&
            (!isKnown || record != RecordKind::Never))
          addPlacement(x, y, common, states, i, j, caller, shared);
        if (!needs(x, y))
          continue;
        if (isSameValue(x, y)) {
          addSame(x, y);
          continue;
        }
        // One of several buffers each: they may as well be in different ones.
        bool isCertain =
            states[x].origins.size() == 1 && states[y].origins.size() == 1;
        if (!isCertain) {
          Value windowedX = getWindowed(args[facts.tensors[x].param], caller);
          Value windowedY = getWindowed(args[facts.tensors[y].param], caller);
          if (takeTurns(windowedX, windowedY, caller, shared))
            continue;
          isCertain = windowedX == windowedY;
        }
        Offsets distance =
            getDistance(states[x].origins[i], states[y].origins[j], caller);
        add(x, y, distance, isCertain);
      }
  for (unsigned t : anywhere)
    for (unsigned other = 0; other != numTensors; ++other) {
      if (t == other || facts.tensors[other].param >= args.size())
        continue;
      for (auto [x, y] : {std::pair(t, other), std::pair(other, t)}) {
        if (dependencies.concerns(x, y))
          dependencies.add(x, y, common);
        if (!needs(x, y))
          continue;
        if (isSameValue(x, y))
          addSame(x, y);
        else
          add(x, y, std::nullopt);
      }
    }
}

//===----------------------------------------------------------------------===//
// What follows
//===----------------------------------------------------------------------===//

void BoundaryAliasing::noteLaunch(InFlightDiagnostic &diag, unsigned x,
                                  unsigned y, Operation *launch) {
  diag.attachNote(launch->getLoc())
      << "at this launch " << getName(x) << " and " << getName(y)
      << " may share a buffer, at a distance that is not the same at every "
         "launch";
}

/// Whether a window certainly starts before a tensor at one of these distances
/// from its base, in the order of the elements: it starts in an earlier row.
static bool startsBefore(const KeptWindow &window,
                         ArrayRef<ValueSet> distances) {
  if (!window.offsets || window.offsets->size() != distances.size())
    return false;
  for (auto [i, offset, distance] :
       llvm::enumerate(*window.offsets, distances)) {
    if (offset.high && distance.low && *offset.high < *distance.low)
      return llvm::all_of(
          distances.drop_front(i + 1),
          [](const ValueSet &inner) { return inner.low && *inner.low >= 0; });
    // Undecided as long as both are in the same row.
    if (offset.stride != 0 || distance.stride != 0 ||
        offset.base != distance.base)
      return false;
  }
  return false;
}

/// Whether every window of `x` binds before `y` is looked at: to a tensor of a
/// lower slot that always starts where `x` does, or before.
bool BoundaryAliasing::isShielded(unsigned x, unsigned y,
                                  const Relations &relations) {
  for (unsigned z = 0, e = facts.tensors.size(); z != e; ++z) {
    if (z == x || facts.tensors[z].slot >= facts.tensors[y].slot)
      continue;
    auto it = relations.find({x, z});
    if (it != relations.end() && !it->second.firstVarying &&
        llvm::all_of(it->second.distance,
                     [](int64_t offset) { return offset <= 0; }))
      return true;
  }
  return false;
}

bool BoundaryAliasing::checkPair(unsigned x, unsigned y,
                                 const Relations &relations,
                                 UndecidedAlias undecided) {
  const PairRelation &relation = relations.find({x, y})->second;
  // At a constant distance a match of the one is as good as one of the other.
  // Launches where they do not share differ in the signature and are not
  // replayed from this recording.
  if (!relation.firstVarying || relation.recorded.empty())
    return true;
  const BoundaryFacts::Tensor &tensor = facts.tensors[x];
  std::string func = ("'@" + facts.func.getSymName() + "'").str();
  bool isEarlier = facts.tensors[y].slot < tensor.slot;
  // Among launches that pass buffers alike, what shares one once always does.
  bool isReached =
      isEarlier && !(isPartitionCertain && isShielded(x, y, relations));
  for (const KeptWindow &window : tensor.windows) {
    bool isBefore = llvm::all_of(relation.recorded, [&](const auto &recorded) {
      return startsBefore(window, recorded.distance);
    });
    if (!isReached || isBefore)
      continue;
    InFlightDiagnostic diag =
        emitCodedError(window.task->getLoc(), DiagnosticCode::SlotOrder);
    diag << "a window of " << getName(x) << " kept in graph function " << func
         << " would be recorded as one of " << getName(y)
         << ", which has a lower slot";
    diag.attachNote(window.loc) << "the window is taken here";
    noteLaunch(diag, x, y, relation.firstVarying);
    diag.attachNote() << "the window would stay at the distance of the first "
                         "call; number "
                      << getName(x)
                      << " first in 'graph.slots', or take the window at the "
                         "launch";
    return false;
  }
  return checkEqual(x, y, relation, undecided);
}

/// Whether the window may have the place of `y` at the first launch and not
/// have it later: then it is recorded as `y`, whatever the slots are.
bool BoundaryAliasing::checkEqualWindow(unsigned x, unsigned y,
                                        const KeptWindow &window,
                                        const PairRelation &relation,
                                        UndecidedAlias undecided) {
  GraphTensorType type = getTensorType(facts, y);
  if (!window.type.isCompatibleWith(type))
    return true;
  // One place in all dimensions, or none in one of them.
  auto compare = [&](ArrayRef<ValueSet> distance, auto test, bool isAll) {
    if (distance.empty() || !window.offsets ||
        window.offsets->size() != distance.size())
      return false;
    auto pairs = llvm::zip_equal(*window.offsets, distance);
    auto unpack = [&](auto pair) {
      return test(std::get<0>(pair), std::get<1>(pair));
    };
    return isAll ? llvm::all_of(pairs, unpack) : llvm::any_of(pairs, unpack);
  };
  auto isNever = [&](const PairRelation::Recorded &recorded) {
    return compare(
        recorded.distance,
        [](const ValueSet &a, const ValueSet &b) {
          return a.isDisjointFrom(b);
        },
        /*isAll=*/false);
  };
  auto isAlways = [&](const PairRelation::Recorded &recorded) {
    return recorded.isCertain && compare(
                                     recorded.distance,
                                     [](const ValueSet &a, const ValueSet &b) {
                                       return b.stride == 0 &&
                                              a.contains(b.base);
                                     },
                                     /*isAll=*/true);
  };
  if (llvm::all_of(relation.recorded, isNever))
    return true;
  bool isProved = window.isExact && window.type == type &&
                  type.hasStaticShape() && relation.isCertainlyVarying &&
                  llvm::any_of(relation.recorded, isAlways);
  bool isError = isProved || undecided == UndecidedAlias::Refuse;
  if (!isError && (undecided == UndecidedAlias::Accept ||
                   std::exchange(isSuspect[x], true)))
    return true;
  Location loc = window.task->getLoc();
  InFlightDiagnostic diag =
      isError ? emitCodedError(loc, DiagnosticCode::BoundaryAlias)
              : emitCodedWarning(loc, DiagnosticCode::BoundaryAlias);
  diag << "a window of " << getName(x) << " kept in graph function '@"
       << facts.func.getSymName() << "' "
       << (isProved ? "equals " : "may equal ") << getName(y)
       << " on the first call only";
  diag.attachNote(window.loc) << "the window is taken here";
  noteLaunch(diag, x, y, relation.firstVarying);
  diag.attachNote() << "it would be recorded as " << getName(y)
                    << "; take the window at the launch";
  return !isError;
}

bool BoundaryAliasing::checkEqual(unsigned x, unsigned y,
                                  const PairRelation &relation,
                                  UndecidedAlias undecided) {
  const BoundaryFacts::Tensor &tensor = facts.tensors[x];
  std::string func = ("'@" + facts.func.getSymName() + "'").str();
  bool isEarlier = facts.tensors[y].slot < tensor.slot;
  for (const KeptWindow &window : tensor.windows)
    if (!checkEqualWindow(x, y, window, relation, undecided))
      return false;

  if (!isEarlier || !tensor.wholeUse ||
      !getTensorType(facts, x).isCompatibleWith(getTensorType(facts, y)))
    return true;
  // Tensors that are told apart when they are recorded stay apart.
  auto isNever = [](const PairRelation::Recorded &recorded) {
    return !recorded.mayBeEqual ||
           llvm::any_of(recorded.distance, [](const ValueSet &distance) {
             return !distance.contains(0);
           });
  };
  if (llvm::all_of(relation.recorded, isNever))
    return true;
  const auto *equal = llvm::find_if(
      relation.recorded, [](const PairRelation::Recorded &recorded) {
        return recorded.isCertain && recorded.isOneShape &&
               !recorded.distance.empty() &&
               llvm::all_of(recorded.distance, [](const ValueSet &distance) {
                 return distance.stride == 0 && distance.base == 0;
               });
      });
  bool isMixed = relation.equalAt && relation.unequalAt;
  if (isMixed && equal != relation.recorded.end()) {
    InFlightDiagnostic diag = emitCodedError(tensor.wholeUse->getLoc(),
                                             DiagnosticCode::BoundaryAlias);
    diag << getName(x) << " and " << getName(y) << " of graph function " << func
         << " are the same tensor at some launches only";
    diag.attachNote(equal->launch->getLoc()) << "they are the same here";
    diag.attachNote(relation.unequalAt->getLoc()) << "they are different here";
    diag.attachNote() << "tensors that are equal at the first call are one for "
                         "ever: pass windows that are always or never the same";
    return false;
  }
  Operation *undecidedAt = isMixed ? relation.equalAt : relation.undecidedAt;
  if (undecidedAt && undecided != UndecidedAlias::Accept) {
    // One is enough to make the tensor suspect.
    if (std::exchange(isSuspect[x], true))
      return undecided != UndecidedAlias::Refuse;
    bool isError = undecided == UndecidedAlias::Refuse;
    Location loc = tensor.wholeUse->getLoc();
    InFlightDiagnostic diag =
        isError ? emitCodedError(loc, DiagnosticCode::BoundaryAlias)
                : emitCodedWarning(loc, DiagnosticCode::BoundaryAlias);
    diag << getName(x) << " and " << getName(y) << " of graph function " << func
         << " may be the same tensor at some launches only";
    diag.attachNote(undecidedAt->getLoc()) << "they may be the same here";
    diag.attachNote() << "tensors that are equal at the first call are one for "
                         "ever";
    return !isError;
  }
  return true;
}

bool BoundaryAliasing::checkRelations(const Relations &relations,
                                      UndecidedAlias undecided) {
  bool isRight = true;
  for (unsigned x = 0, e = facts.tensors.size(); x != e; ++x)
    for (unsigned y = 0; y != e; ++y) {
      auto it = relations.find({x, y});
      if (it == relations.end() || reported.contains({x, y}) ||
          checkPair(x, y, relations, undecided))
        continue;
      reported.insert({x, y});
      isRight = false;
    }
  return isRight;
}

LogicalResult BoundaryAliasing::finish(UndecidedAlias undecided) {
  bool isRight = succeeded(dependencies.finish(isPartitionCertain, undecided));
  if (!isPartitionCertain)
    return success(checkRelations(all, undecided) && isRight);
  for (auto &[partition, relations] : byPartition)
    isRight &= checkRelations(relations, undecided);
  return success(isRight);
}
