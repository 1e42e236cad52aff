//===- BufferLineage.cpp - Who owns a tensor's buffer ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sparse fixpoint over the edges along which a buffer is passed on. What is
// known of a tensor at the end of an edge is joined with what the edge brings,
// once for each change at its start. A state changes a bounded number of times
// (roots up to a limit, one loss for each part of the window), so the cost is
// linear in the number of edges.
//
//===----------------------------------------------------------------------===//

#include "Analysis/BufferLineage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

bool BufferWindow::isConstant() const {
  return !llvm::any_of(offsets, ShapedType::isDynamic) &&
         !llvm::any_of(sizes, ShapedType::isDynamic);
}

/// Whether [offset, offset + size) ends at or before `start`.
static bool endsBefore(int64_t offset, int64_t size, int64_t start) {
  if (llvm::any_of(ArrayRef<int64_t>{offset, size, start},
                   ShapedType::isDynamic))
    return false;
  // Offsets are not negative, so the difference does not overflow.
  return start >= offset && size <= start - offset;
}

bool BufferWindow::isDisjointFrom(const BufferWindow &other) const {
  if (offsets.size() != other.offsets.size())
    return false;
  for (auto [offset, size, otherOffset, otherSize] :
       llvm::zip_equal(offsets, sizes, other.offsets, other.sizes))
    if (endsBefore(offset, size, otherOffset) ||
        endsBefore(otherOffset, otherSize, offset))
      return true;
  return false;
}

/// The sum of two offsets; not known when either is not or it overflows.
static int64_t addOffsets(int64_t a, int64_t b) {
  int64_t sum;
  if (ShapedType::isDynamic(a) || ShapedType::isDynamic(b) ||
      llvm::AddOverflow(a, b, sum))
    return ShapedType::kDynamic;
  return sum;
}

static int64_t getLiteral(OpFoldResult value) {
  return getConstantIntValue(value).value_or(ShapedType::kDynamic);
}

/// Makes what differs in `other` unknown in `list`; returns whether any did.
static bool intersect(SmallVectorImpl<int64_t> &list, ArrayRef<int64_t> other) {
  bool changed = false;
  for (auto [mine, theirs] : llvm::zip_equal(list, other)) {
    if (mine == theirs || ShapedType::isDynamic(mine))
      continue;
    mine = ShapedType::kDynamic;
    changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// The fixpoint
//===----------------------------------------------------------------------===//

class BufferLineage::Solver {
public:
  Solver(FuncOp func, CalleeTies &ties, DenseMap<Value, State> &states,
         DenseMap<Value, Value> &renames)
      : ties(ties), states(states), renames(renames) {
    collect(func);
    settleRenames();
    for (auto [from, to] : edges)
      successors[getNamed(from)].push_back(to);
    solve();
  }

private:
  void collect(FuncOp func);
  void visit(Operation *op);
  void solve();

  /// Makes `value` the owner of a buffer.
  void addRoot(Value value);
  void addUnknown(Value value) {
    if (isa<GraphTensorType>(value.getType()))
      seed(value).isUnknown = true;
  }
  void addEdge(Value from, Value to) {
    if (isa<GraphTensorType>(to.getType()))
      edges.push_back({getNamed(from), to});
  }
  Value getNamed(Value value) const {
    auto it = renames.find(value);
    return it == renames.end() ? value : it->second;
  }
  /// Makes every rename one of a value that is none, wherever it stands.
  void settleRenames();
  State &seed(Value value) {
    seeds.push_back(value);
    return states[value];
  }

  /// What `to`, which is made of `from`, is when `from` is as given.
  static State transfer(Value from, State state, Value to);
  static void applySlice(SliceOp slice, State &state);
  /// Adds `state` to what is known of `value`; returns whether that changes it.
  bool join(Value value, const State &state);
  bool joinWindow(State &into, const State &state);

  CalleeTies &ties;
  DenseMap<Value, State> &states;
  DenseMap<Value, Value> &renames;
  SmallVector<Value> renamed;
  SmallVector<std::pair<Value, Value>> edges;
  SmallVector<Value> seeds;
  DenseMap<Value, SmallVector<Value, 2>> successors;
  /// Roots in order of their definition.
  DenseMap<Value, unsigned> rootOrder;
};

void BufferLineage::Solver::addRoot(Value value) {
  auto type = dyn_cast<GraphTensorType>(value.getType());
  if (!type)
    return;
  rootOrder.try_emplace(value, rootOrder.size());
  State &state = seed(value);
  state.roots.push_back(value);
  state.window.emplace();
  state.window->offsets.assign(type.getRank(), 0);
  llvm::append_range(state.window->sizes, type.getShape());
}

void BufferLineage::Solver::collect(FuncOp func) {
  for (BlockArgument param : func.getArguments())
    addRoot(param);
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
}

/// Whether `to`, which `from` flows into, is nothing but `from`.
static bool isRename(Value from, Value to) {
  Operation *op = to.getDefiningOp();
  return op && op->getNumRegions() == 0 && from.getType() == to.getType() &&
         !isa<arith::SelectOp>(op);
}

void BufferLineage::Solver::visit(Operation *op) {
  if (isa<SliceOp, ViewOp>(op))
    return addEdge(op->getOperand(0), op->getResult(0));
  if (isa<CreateOp, FullOp>(op))
    return addRoot(op->getResult(0));

  llvm::SmallDenseSet<Value, 4> reached;
  forEachFlow(op, ties, [&](Value from, Value to) {
    if (!isRename(from, to)) {
      addEdge(from, to);
    } else if (isa<GraphTensorType>(to.getType())) {
      renames[to] = getNamed(from);
      renamed.push_back(to);
    }
    reached.insert(to);
  });
  // What nothing flows into comes from somewhere else, except that an untied
  // result of a launch is a buffer of its own.
  bool isLaunch = isa<LaunchOpInterface>(op);
  auto visitMade = [&](Value value) {
    if (reached.contains(value))
      return;
    if (isLaunch)
      addRoot(value);
    else
      addUnknown(value);
  };
  llvm::for_each(op->getResults(), visitMade);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::for_each(block.getArguments(), visitMade);
}

void BufferLineage::Solver::settleRenames() {
  // Blocks may stand in any order, so a rename may have been met before the one
  // it renames; in a block that is never reached renames may go in a circle.
  llvm::SmallSetVector<Value, 8> chain;
  for (Value value : renamed) {
    chain.clear();
    Value named = value;
    bool isCircle = false;
    for (auto it = renames.find(named); it != renames.end() && !isCircle;
         it = renames.find(named)) {
      isCircle = !chain.insert(named);
      named = it->second;
    }
    for (Value link : chain) {
      if (!isCircle) {
        renames[link] = named;
        continue;
      }
      renames.erase(link);
      addUnknown(link);
    }
  }
}

void BufferLineage::Solver::solve() {
  // Definitions come before uses, so that starting from the front settles
  // chains in one sweep.
  SmallVector<Value> worklist(llvm::reverse(seeds));
  while (!worklist.empty()) {
    Value from = worklist.pop_back_val();
    auto it = successors.find(from);
    if (it == successors.end())
      continue;
    for (Value to : it->second)
      // The state is copied: joining may grow the map.
      if (join(to, transfer(from, states.lookup(from), to)))
        worklist.push_back(to);
  }
}

void BufferLineage::Solver::applySlice(SliceOp slice, State &state) {
  // Of a reshaped or partly known tensor a window is some part.
  if (!state.isAligned || !state.isExact) {
    state.isExact = false;
    return;
  }
  BufferWindow &window = *state.window;
  for (auto [dim, offset, size] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes())) {
    int64_t literalOffset = getLiteral(offset), literalSize = getLiteral(size);
    int64_t start = addOffsets(window.offsets[dim], literalOffset);
    int64_t end = addOffsets(literalOffset, literalSize);
    int64_t extent = window.sizes[dim];
    if (!ShapedType::isDynamic(end) && !ShapedType::isDynamic(extent) &&
        end > extent) {
      // It leaves its source: no reasoning by dimensions holds.
      state.window.reset();
      state.isExact = false;
      return;
    }
    if (ShapedType::isDynamic(start) || ShapedType::isDynamic(literalSize)) {
      // Somewhere in the source's window, which goes on bounding it.
      state.isExact = false;
      continue;
    }
    window.offsets[dim] = start;
    window.sizes[dim] = literalSize;
  }
}

BufferLineage::State BufferLineage::Solver::transfer(Value from, State state,
                                                     Value to) {
  if (!state.window)
    return state;
  if (auto slice = to.getDefiningOp<SliceOp>()) {
    applySlice(slice, state);
    return state;
  }
  if (to.getDefiningOp<ViewOp>()) {
    state.isAligned = false;
    return state;
  }
  // The same window, perhaps with more static knowledge.
  if (state.isExact && state.isAligned)
    for (auto [size, extent] :
         llvm::zip_equal(state.window->sizes,
                         cast<GraphTensorType>(to.getType()).getShape()))
      if (ShapedType::isDynamic(size))
        size = extent;
  return state;
}

bool BufferLineage::Solver::joinWindow(State &into, const State &state) {
  bool changed = false;
  if (into.isAligned && !state.isAligned) {
    into.isAligned = false;
    changed = true;
  }
  // Windows that are not the same, or not known, bound nothing together.
  bool wasExact = into.isExact;
  if (into.window && !state.window) {
    into.window.reset();
    into.isExact = false;
    return true;
  }
  if (into.window) {
    bool differs = !(*into.window == *state.window);
    changed |= intersect(into.window->offsets, state.window->offsets);
    changed |= intersect(into.window->sizes, state.window->sizes);
    if (differs)
      into.isExact = false;
  }
  into.isExact &= state.isExact;
  return changed || wasExact != into.isExact;
}

bool BufferLineage::Solver::join(Value value, const State &state) {
  auto [it, inserted] = states.try_emplace(value, state);
  State &into = it->second;
  if (inserted)
    return true;
  if (into.isUnknown)
    return false;
  if (state.isUnknown) {
    into = State();
    into.isUnknown = true;
    return true;
  }
  size_t numRoots = into.roots.size();
  for (Value root : state.roots)
    if (!llvm::is_contained(into.roots, root))
      into.roots.push_back(root);
  if (into.roots.size() > kMaxRoots) {
    into = State();
    into.isUnknown = true;
    return true;
  }
  bool changed = into.roots.size() != numRoots;
  if (into.roots.size() == 1)
    return joinWindow(into, state) || changed;
  // Windows of different roots have nothing in common.
  into.window.reset();
  into.isExact = into.isAligned = false;
  if (changed)
    llvm::sort(into.roots, [&](Value a, Value b) {
      return rootOrder.lookup(a) < rootOrder.lookup(b);
    });
  return changed;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

BufferLineage::BufferLineage(FuncOp func, CalleeTies &ties) {
  if (!func.isExternal())
    Solver(func, ties, states, renames);
}

ArrayRef<Value> BufferLineage::getRoots(Value tensor) const {
  const State *state = getState(tensor);
  return state ? ArrayRef<Value>(state->roots) : ArrayRef<Value>();
}

Value BufferLineage::getUniqueRoot(Value tensor) const {
  ArrayRef<Value> roots = getRoots(tensor);
  return roots.size() == 1 ? roots.front() : Value();
}

std::optional<BufferWindow> BufferLineage::getWindow(Value tensor) const {
  const State *state = getState(tensor);
  if (!state || state->roots.size() != 1 || !state->window || !state->isExact ||
      !state->window->isConstant())
    return std::nullopt;
  return state->window;
}

const BufferWindow *BufferLineage::getBounds(Value tensor) const {
  const State *state = getState(tensor);
  return state && state->roots.size() == 1 && state->window ? &*state->window
                                                            : nullptr;
}

bool BufferLineage::mayOverlap(Value a, Value b) const {
  const State *ofA = getState(a), *ofB = getState(b);
  if (!ofA || !ofB)
    return true;
  if (llvm::none_of(ofA->roots, [&](Value root) {
        return llvm::is_contained(ofB->roots, root);
      }))
    return false;
  return ofA->roots.size() != 1 || ofB->roots.size() != 1 || !ofA->window ||
         !ofB->window || !ofA->window->isDisjointFrom(*ofB->window);
}
