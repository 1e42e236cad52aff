//===- DeriveCallDirections.cpp - What each launch does to its operands ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The signatures of wrappers come first, for the whole module; then each
// function is walked once, in the order of the text, with the buffers that
// launches before have written at hand.
//
//===----------------------------------------------------------------------===//

#include "Analysis/BufferLineage.h"
#include "Analysis/WindowSet.h"
#include "Analysis/WrapperDirections.h"
#include "Diagnostics/Diagnostics.h"
#include "Transforms/Passes.h"
#include "Verify/Properties.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pypto {
#define GEN_PASS_DEF_DERIVECALLDIRECTIONS
#include "Transforms/Passes.h.inc"
} // namespace mlir::pypto

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Buffers written before
//===----------------------------------------------------------------------===//

namespace {
/// The windows of buffers that earlier launches may have written. Writes have
/// numbers, and those of other arms of a branch are hidden while one is
/// visited.
class WrittenBuffers {
public:
  explicit WrittenBuffers(const BufferLineage &lineage) : lineage(lineage) {}

  /// Whether an element of `tensor`, whose root is known, may have been
  /// written.
  bool mayBeWritten(Value tensor) const;
  void add(Value tensor);
  /// Says that `result` may be a window of any of `tensors`: writing it writes
  /// those.
  void addAlias(Value result, ValueRange tensors);

  unsigned getNumWrites() const { return numWrites; }
  /// Hides the writes since number `start`, until `restore`.
  void hide(unsigned start) { hidden.push_back({start, numWrites}); }
  void restore() { hidden.pop_back(); }

private:
  /// Adds a write of a window of a root, or of all of it; of any buffer at all
  /// when the root is null.
  void add(Value root, const BufferWindow *window);

  const BufferLineage &lineage;
  unsigned numWrites = 0;
  DenseMap<Value, WindowSet> windows;
  SmallVector<unsigned> unknownWrites;
  /// Nested ranges of writes come one after the other.
  SmallVector<std::pair<unsigned, unsigned>> hidden;
  /// The roots that a root may be a window of; null for any buffer.
  DenseMap<Value, SmallVector<Value, 2>> aliases;
};
} // namespace

bool WrittenBuffers::mayBeWritten(Value tensor) const {
  if (lineage.isUnknown(tensor) || WindowSet::anyVisible(unknownWrites, hidden))
    return true;
  const BufferWindow *bounds = lineage.getBounds(tensor);
  return llvm::any_of(lineage.getRoots(tensor), [&](Value root) {
    auto it = windows.find(root);
    return it != windows.end() && it->second.mayOverlap(bounds, hidden);
  });
}

void WrittenBuffers::add(Value tensor) {
  if (lineage.isUnknown(tensor))
    return add(Value(), nullptr);
  const BufferWindow *bounds = lineage.getBounds(tensor);
  for (Value root : lineage.getRoots(tensor)) {
    add(root, bounds);
    auto it = aliases.find(root);
    if (it == aliases.end())
      continue;
    for (Value alias : it->second)
      add(alias, nullptr);
  }
}

void WrittenBuffers::add(Value root, const BufferWindow *window) {
  if (WindowSet::anyVisible(unknownWrites, hidden))
    return;
  if (!root) {
    unknownWrites.push_back(numWrites++);
    return;
  }
  // What is visible here stays so as long as the new write would.
  WindowSet &set = windows[root];
  if (!set.contains(window, hidden))
    set.add(window, numWrites++);
}

void WrittenBuffers::addAlias(Value result, ValueRange tensors) {
  llvm::SmallSetVector<Value, 4> roots;
  for (Value tensor : tensors) {
    if (!isa<GraphTensorType>(tensor.getType()))
      continue;
    if (lineage.isUnknown(tensor))
      roots.insert(Value());
    for (Value root : lineage.getRoots(tensor)) {
      roots.insert(root);
      auto it = aliases.find(root);
      if (it != aliases.end())
        roots.insert_range(it->second);
    }
  }
  // One unknown buffer stands for many.
  if (roots.size() > BufferLineage::kMaxRoots || roots.contains(Value()))
    aliases[result] = {Value()};
  else
    aliases[result].append(roots.begin(), roots.end());
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

namespace {
/// The directions of callees' parameters, each read once.
class ParamTable {
public:
  ArrayRef<ParamDirection> get(FuncOp func) {
    auto [it, isNew] = table.try_emplace(func);
    if (isNew)
      for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i)
        it->second.push_back(func.getParamDirection(i));
    return it->second;
  }

private:
  DenseMap<Operation *, SmallVector<ParamDirection, 4>> table;
};
} // namespace

/// Whether directions are to be derived for `launch`.
static bool isPending(LaunchOpInterface launch) {
  return !launch.getLaunchDirections() && !launch.getLaunchArgs().empty();
}

/// Attaches directions to `launch`; `getOut` says what a tensor passed for an
/// `out` parameter is.
static void resolve(LaunchOpInterface launch, ArrayRef<ParamDirection> formals,
                    function_ref<ArgDirection(Value)> getOut) {
  SmallVector<ArgDirection> directions;
  for (auto [arg, formal] : llvm::zip(launch.getLaunchArgs(), formals)) {
    if (!isa<GraphTensorType>(arg.getType()))
      directions.push_back(ArgDirection::Scalar);
    else if (formal == ParamDirection::In)
      directions.push_back(ArgDirection::Input);
    else if (formal == ParamDirection::InOut)
      directions.push_back(ArgDirection::InOut);
    else
      directions.push_back(getOut(arg));
  }
  for (int64_t index : launch.getLaunchNoDep())
    directions[index] = ArgDirection::NoDep;
  MLIRContext *context = launch->getContext();
  SmallVector<Attribute> attrs;
  for (ArgDirection direction : directions)
    attrs.push_back(ArgDirectionAttr::get(context, direction));
  launch.setLaunchDirections(ArrayAttr::get(context, attrs));
}

namespace {
class FunctionDirections {
public:
  FunctionDirections(FuncOp func, CalleeTies &ties, ParamTable &params)
      : func(func), ties(ties), params(params), own(params.get(func)),
        lineage(func, ties), written(lineage) {}

  /// Derives what is missing; returns the number of launches resolved.
  unsigned run() {
    visitRegion(func.getBody());
    return numResolved;
  }

private:
  void visitRegion(Region &region);
  void visitUnit(Operation *op);
  void visitLaunch(LaunchOpInterface launch);
  ArgDirection getOutDirection(Value tensor);
  void addWrites(LaunchOpInterface launch, ArrayRef<ParamDirection> formals);

  FuncOp func;
  CalleeTies &ties;
  ParamTable &params;
  SmallVector<ParamDirection> own;
  BufferLineage lineage;
  WrittenBuffers written;
  /// Loops around that run their iterations one after the other.
  unsigned sequentialDepth = 0;
  unsigned numResolved = 0;
};
} // namespace

/// Whether the regions of `op` may run more than once, one run after the other.
/// What is not known to run at most once, or side by side, is taken to.
static bool isSequential(Operation *op) {
  if (isa<scf::ForOp>(op))
    return !op->hasAttr(GraphDialect::kParallelAttrName);
  if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ParallelOp, scf::ForallOp>(op))
    return false;
  if (llvm::any_of(op->getRegions(), [](Region &region) {
        return !region.empty() && !region.hasOneBlock();
      }))
    return true;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return !branch || branch.hasLoop();
}

void FunctionDirections::visitRegion(Region &region) {
  for (Block &block : region)
    for (Operation &op : block) {
      if (LaunchOpInterface launch = asLaunch(&op)) {
        visitLaunch(launch);
      } else if (op.getNumRegions() == 0 || isa<FuncOp>(op)) {
        continue;
      } else if (auto scope = dyn_cast<ScopeOp>(op)) {
        visitRegion(scope.getBody());
      } else {
        visitUnit(&op);
      }
    }
}

/// A loop or branch: its regions begin with what is written before it, and all
/// they write is written after it.
void FunctionDirections::visitUnit(Operation *op) {
  bool sequential = isSequential(op);
  sequentialDepth += sequential;
  unsigned start = written.getNumWrites();
  for (Region &region : op->getRegions()) {
    written.hide(start);
    visitRegion(region);
    written.restore();
  }
  sequentialDepth -= sequential;
}

void FunctionDirections::visitLaunch(LaunchOpInterface launch) {
  FuncOp callee = ties.getCallee(launch);
  if (!callee)
    return;
  ArrayRef<ParamDirection> formals = params.get(callee);
  if (launch.getLaunchArgs().size() > formals.size())
    return;
  if (isPending(launch)) {
    resolve(launch, formals,
            [&](Value tensor) { return getOutDirection(tensor); });
    ++numResolved;
  }
  addWrites(launch, formals);
}

ArgDirection FunctionDirections::getOutDirection(Value tensor) {
  // Under a sequential loop an earlier iteration may have written it.
  if (sequentialDepth != 0)
    return ArgDirection::InOut;
  // Of several buffers some may have been written out of sight.
  Value root = lineage.getUniqueRoot(tensor);
  if (!root || written.mayBeWritten(tensor))
    return ArgDirection::InOut;
  // The signature says that the caller's contents matter.
  auto param = dyn_cast<BlockArgument>(root);
  if (param && param.getOwner() == &func.getBody().front() &&
      own[param.getArgNumber()] == ParamDirection::InOut)
    return ArgDirection::InOut;
  return ArgDirection::OutputExisting;
}

void FunctionDirections::addWrites(LaunchOpInterface launch,
                                   ArrayRef<ParamDirection> formals) {
  for (auto [arg, formal] : llvm::zip(launch.getLaunchArgs(), formals))
    if (formal != ParamDirection::In && isa<GraphTensorType>(arg.getType()))
      written.add(arg);
  // A buffer that comes out of a launch has been written by it.
  // Of host code it may also be a window of what it got.
  bool isHost = !ties.getCallee(launch).isDeviceFunction();
  for (auto [i, out] : llvm::enumerate(launch.getLaunchOutputs())) {
    if (!isa<GraphTensorType>(out.getType()) || ties.getTiedOperand(launch, i))
      continue;
    if (isHost)
      written.addAlias(out, launch.getLaunchArgs());
    written.add(out);
  }
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Reports directions given by hand, and omitted arguments, that the promoted
/// signature of the callee does not allow.
static LogicalResult checkPromotion(LaunchOpInterface launch, FuncOp callee,
                                    ArrayRef<ParamDirection> promoted) {
  bool valid = true;
  auto report = [&](unsigned param, const Twine &what, StringRef remedy) {
    valid = false;
    StringRef direction = stringifyParamDirection(promoted[param]);
    InFlightDiagnostic diag =
        emitCodedError(launch->getLoc(), DiagnosticCode::WrongDirection);
    if (auto func = launch->getParentOfType<FuncOp>())
      diag << "in function '@" << func.getSymName() << "', ";
    diag << what << " for parameter '%" << callee.getParamName(param)
         << "' of '@" << callee.getSymName() << "', which is '" << direction
         << "'";
    diag.attachNote(callee.getLoc())
        << "declared '"
        << stringifyParamDirection(callee.getParamDirection(param))
        << "' here, but what '@" << callee.getSymName()
        << "' launches makes it '" << direction << "'";
    diag.attachNote() << remedy;
  };
  ArrayAttr directions = launch.getLaunchDirections();
  unsigned numArgs = launch.getLaunchArgs().size();
  for (auto [i, formal] : llvm::enumerate(promoted)) {
    if (callee.getParamDirection(i) == formal)
      continue;
    if (i >= numArgs) {
      report(i, "the launch leaves it to the runtime to make a buffer",
             "pass a buffer for it");
    } else if (directions && i < directions.size()) {
      ArgDirection given = cast<ArgDirectionAttr>(directions[i]).getValue();
      if (!isAllowedDirection(given, formal))
        report(i,
               Twine("argument #") + Twine(i) + " has direction '" +
                   stringifyArgDirection(given) + "'",
               "directions given by hand are kept; correct this one, or remove "
               "those of the launch to have them derived");
    }
  }
  return success(valid);
}

namespace {
struct DeriveCallDirections
    : pypto::impl::DeriveCallDirectionsBase<DeriveCallDirections> {
  void runOnOperation() override {
    SymbolTableCollection symbolTable;
    CalleeTies ties(symbolTable);
    if (failed(collect(ties)))
      return signalPassFailure();
    WrapperDirections wrappers = computeWrapperDirections(getOperation(), ties);
    if (failed(checkPromotions(wrappers, ties)))
      return signalPassFailure();
    if (pending.empty() && orphans.empty() && wrappers.empty())
      return markAllAnalysesPreserved();

    for (auto &[wrapper, directions] : wrappers)
      promote(cast<FuncOp>(wrapper), directions);
    ParamTable params;
    for (auto &[func, unresolved] : pending)
      numResolved += resolveIn(cast<FuncOp>(func), unresolved, ties, params);
    for (LaunchOpInterface launch : orphans)
      resolve(launch, params.get(ties.getCallee(launch)),
              [](Value) { return ArgDirection::InOut; });
    numResolved += orphans.size();
  }

private:
  LogicalResult collect(CalleeTies &ties);
  LogicalResult checkPromotions(const WrapperDirections &wrappers,
                                CalleeTies &ties);
  void promote(FuncOp wrapper, ArrayRef<ParamDirection> directions);
  unsigned resolveIn(FuncOp func, ArrayRef<LaunchOpInterface> launches,
                     CalleeTies &ties, ParamTable &params);

  /// Launches that have directions or leave arguments to the runtime.
  SmallVector<LaunchOpInterface> fixed;
  /// Functions with their launches to be resolved.
  llvm::MapVector<Operation *, SmallVector<LaunchOpInterface, 4>> pending;
  /// Such launches outside of the functions of this dialect, where nothing is
  /// known of buffers.
  SmallVector<LaunchOpInterface> orphans;
};
} // namespace

LogicalResult DeriveCallDirections::collect(CalleeTies &ties) {
  fixed.clear();
  pending.clear();
  orphans.clear();
  RequirementChecker requirements(getArgument());
  FuncOp func;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto opened = dyn_cast<FuncOp>(op))
      func = opened;
    LaunchOpInterface launch = asLaunch(op);
    FuncOp callee = launch ? ties.getCallee(launch) : FuncOp();
    requirements.check(op, callee);
    if (!callee)
      return;
    if (launch.getLaunchDirections() ||
        launch.getLaunchArgs().size() < callee.getNumArguments())
      fixed.push_back(launch);
    if (!isPending(launch))
      return;
    // The function opened last is mostly the one around.
    if (!func || !func->isAncestor(op))
      func = op->getParentOfType<FuncOp>();
    if (func)
      pending[func].push_back(launch);
    else
      orphans.push_back(launch);
  });
  return requirements.getResult();
}

/// Resolves `launches`, which stand in `func`; returns how many there were.
unsigned DeriveCallDirections::resolveIn(FuncOp func,
                                         ArrayRef<LaunchOpInterface> launches,
                                         CalleeTies &ties, ParamTable &params) {
  // Where no parameter is `out`, the signatures say it all.
  bool isSimple = llvm::none_of(launches, [&](LaunchOpInterface launch) {
    return llvm::is_contained(params.get(ties.getCallee(launch)),
                              ParamDirection::Out);
  });
  if (!isSimple)
    return FunctionDirections(func, ties, params).run();
  for (LaunchOpInterface launch : launches)
    resolve(launch, params.get(ties.getCallee(launch)),
            [](Value) { return ArgDirection::InOut; });
  return launches.size();
}

LogicalResult
DeriveCallDirections::checkPromotions(const WrapperDirections &wrappers,
                                      CalleeTies &ties) {
  bool valid = true;
  for (LaunchOpInterface launch : fixed) {
    FuncOp callee = ties.getCallee(launch);
    auto it = wrappers.find(callee);
    if (it != wrappers.end())
      valid &= succeeded(checkPromotion(launch, callee, it->second));
  }
  return success(valid);
}

void DeriveCallDirections::promote(FuncOp wrapper,
                                   ArrayRef<ParamDirection> directions) {
  for (auto [i, direction] : llvm::enumerate(directions)) {
    if (wrapper.getParamDirection(i) == direction)
      continue;
    wrapper.setParamDirection(i, direction);
    ++numPromoted;
  }
}
