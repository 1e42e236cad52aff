//===- Origins.cpp - Where tensors lie in their buffers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/GraphBoundary/Origins.h"

#include "Analysis/ReplayInvariance.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

static Offsets getZeroOffsets(Value tensor) {
  return Offsets(cast<GraphTensorType>(tensor.getType()).getRank());
}

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

Origin Origin::ofAnchor(Value anchor, SmallVector<Value, 1> roots) {
  return {std::move(roots), anchor, anchor, getZeroOffsets(anchor),
          AffineForm()};
}

std::optional<AffineForm> Origin::getPosition() const {
  if (!frameStart || !offsets)
    return std::nullopt;
  auto type = cast<GraphTensorType>(frame.getType());
  if (static_cast<int64_t>(offsets->size()) != type.getRank())
    return std::nullopt;
  std::optional<AffineForm> position = frameStart;
  std::optional<int64_t> stride = 1;
  for (int64_t i = type.getRank() - 1; i >= 0 && position; --i) {
    const AffineForm &offset = (*offsets)[i];
    if (!offset.isConstant() || offset.getConstant() != 0)
      position = stride ? position->plus(offset, *stride) : std::nullopt;
    stride = stride && !type.isDynamicDim(i)
                 ? llvm::checkedMul<int64_t>(*stride, type.getDimSize(i))
                 : std::nullopt;
  }
  return position;
}

/// The offsets of a window from those of its source.
static std::optional<Offsets> addOffsets(const std::optional<Offsets> &source,
                                         SliceOp slice, AffineForms &forms) {
  if (!source)
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

/// Merges of more values than this are not looked into.
static constexpr unsigned kMaxVisited = 256;

/// What enters the merges that `merge` is made of and is no merge itself; none
/// when that is too much.
std::optional<SmallVector<Value, 4>> Origins::getEntering(Value merge) const {
  SmallVector<Value, 4> entering;
  SmallVector<Value> worklist = {merge};
  llvm::SmallDenseSet<Value> visited;
  while (!worklist.empty()) {
    Value value = identity.getSource(worklist.pop_back_val());
    if (!visited.insert(value).second)
      continue;
    if (visited.size() > kMaxVisited)
      return std::nullopt;
    ArrayRef<Value> inputs = identity.getInputs(value);
    if (inputs.empty())
      entering.push_back(value);
    llvm::append_range(worklist, inputs);
  }
  return entering;
}

/// The values whose origins decide the origin of `source`.
SmallVector<Value, 4> Origins::getDependencies(Value source) const {
  Operation *op = source.getDefiningOp();
  if (isa_and_nonnull<SliceOp, ViewOp>(op))
    return {identity.getSource(op->getOperand(0))};
  if (identity.getInputs(source).empty())
    return {};
  return getEntering(source).value_or(SmallVector<Value, 4>());
}

/// The origin of all that enters a merge, if it is one: control flow then only
/// chooses between names of one window.
std::optional<Origin> Origins::computeCommon(Value merge) {
  std::optional<SmallVector<Value, 4>> entering = getEntering(merge);
  if (!entering || entering->empty())
    return std::nullopt;
  const Origin *common = nullptr;
  for (Value value : *entering) {
    auto it = origins.find(value);
    // A window of the merge itself moves with it.
    if (it == origins.end() || !it->second->isWindowOfRoot())
      return std::nullopt;
    if (common && !(*common == *it->second))
      return std::nullopt;
    common = it->second.get();
  }
  return *common;
}

/// Where the result of a `graph.slice` or `graph.view` lies.
static Origin getWindow(Origin origin, Operation *op, AffineForms &forms) {
  if (auto slice = dyn_cast<SliceOp>(op)) {
    origin.offsets = addOffsets(origin.offsets, slice, forms);
    return origin;
  }
  // Other axes; the elements start where those of the source do.
  origin.frameStart = origin.getPosition();
  origin.frame = op->getResult(0);
  origin.offsets = getZeroOffsets(origin.frame);
  return origin;
}

SmallVector<Origin, 2> Origins::getAlternatives(Value tensor) {
  constexpr size_t kMaxAlternatives = 16, kMaxWindows = 64;
  if (get(tensor).isWindowOfRoot())
    return {get(tensor)};
  SmallVector<Operation *> windows;
  Value value = identity.getSource(tensor);
  while (isa_and_nonnull<SliceOp, ViewOp>(value.getDefiningOp())) {
    windows.push_back(value.getDefiningOp());
    if (windows.size() > kMaxWindows)
      return {};
    value = identity.getSource(windows.back()->getOperand(0));
  }
  SmallVector<Origin, 2> alternatives;
  std::optional<SmallVector<Value, 4>> entering = getEntering(value);
  if (!entering || entering->size() > kMaxAlternatives)
    return {};
  for (Value leaf : *entering) {
    Origin origin = get(leaf);
    // What counts iterations may have come from another iteration than this.
    auto isConstant = [](const AffineForm &form) { return form.isConstant(); };
    if (!origin.isWindowOfRoot() ||
        !llvm::all_of(*origin.offsets, isConstant) || !origin.frameStart ||
        !origin.frameStart->isConstant())
      return {};
    for (Operation *window : llvm::reverse(windows))
      origin = getWindow(origin, window, forms);
    if (!origin.isWindowOfRoot())
      return {};
    if (!llvm::is_contained(alternatives, origin))
      alternatives.push_back(std::move(origin));
  }
  return alternatives;
}

Origin Origins::compute(Value source) {
  Operation *op = source.getDefiningOp();
  if (isa_and_nonnull<SliceOp, ViewOp>(op)) {
    auto it = origins.find(identity.getSource(op->getOperand(0)));
    if (it == origins.end())
      return {}; // a window of itself, in code that is never reached
    return getWindow(*it->second, op, forms);
  }
  if (identity.getInputs(source).empty())
    return Origin::ofAnchor(source, {source});
  if (std::optional<Origin> common = computeCommon(source))
    return *common;
  // A merge: whatever enters it, looked for within reason.
  SmallVector<Value, 1> roots;
  SmallVector<Value> worklist = {source};
  llvm::SmallDenseSet<Value> visited;
  while (!worklist.empty()) {
    Value value = identity.getSource(worklist.pop_back_val());
    if (!visited.insert(value).second)
      continue;
    if (visited.size() > kMaxVisited)
      return Origin::ofAnchor(source, {});
    Operation *def = value.getDefiningOp();
    if (isa_and_nonnull<SliceOp, ViewOp>(def))
      worklist.push_back(def->getOperand(0));
    else if (identity.getInputs(value).empty())
      roots.push_back(value);
    llvm::append_range(worklist, identity.getInputs(value));
  }
  return Origin::ofAnchor(source, std::move(roots));
}

const Origin &Origins::get(Value tensor) {
  // Values, and whether what they depend on has been pushed already.
  SmallVector<std::pair<Value, bool>> stack = {
      {identity.getSource(tensor), false}};
  llvm::SmallDenseSet<Value> started;
  while (!stack.empty()) {
    auto &[value, isExpanded] = stack.back();
    if (!isExpanded && !origins.contains(value) &&
        started.insert(value).second) {
      isExpanded = true;
      SmallVector<Value, 4> dependencies = getDependencies(value);
      for (Value dependency : dependencies)
        stack.push_back({dependency, false});
      continue;
    }
    // What is not expanded is known, or waits for this very value.
    if (isExpanded) {
      auto origin = std::make_unique<Origin>(compute(value));
      origins.try_emplace(value, std::move(origin));
    }
    stack.pop_back();
  }
  return *origins.find(identity.getSource(tensor))->second;
}

//===----------------------------------------------------------------------===//
// Two tensors
//===----------------------------------------------------------------------===//

/// Whether the launch is reached whenever its function runs, and the variables
/// in the form are of loops around it, so that what the form takes on is really
/// taken on.
static bool isTakenOn(const AffineForm &form, Operation *launch) {
  return isCertainlyReached(launch) &&
         llvm::all_of(form.getTerms(), [&](const auto &term) {
           scf::ForOp loop = getCountingLoop(term.first);
           return loop && loop->isProperAncestor(launch);
         });
}

/// Differences by axis, or in elements; none when not known.
static std::optional<Offsets> subtract(const Origin &a, const Origin &b,
                                       bool &isByAxis) {
  isByAxis = a.frame == b.frame && a.offsets && b.offsets &&
             a.offsets->size() == b.offsets->size();
  Offsets result;
  if (!isByAxis) {
    std::optional<AffineForm> left = a.getPosition(), right = b.getPosition();
    std::optional<AffineForm> difference =
        left && right ? left->plus(*right, -1) : std::nullopt;
    if (!difference)
      return std::nullopt;
    result.push_back(*difference);
    return result;
  }
  for (auto [left, right] : llvm::zip_equal(*a.offsets, *b.offsets)) {
    std::optional<AffineForm> difference = left.plus(right, -1);
    if (!difference)
      return std::nullopt;
    result.push_back(*difference);
  }
  return result;
}

Distance mlir::pypto::measure(const Origin &a, const Origin &b,
                              Operation *launch) {
  Distance distance;
  if (!a.anchor || a.anchor != b.anchor)
    return distance;
  std::optional<Offsets> forms = subtract(a, b, distance.isByAxis);
  if (!forms)
    return distance;
  distance.forms = std::move(*forms);
  const AffineForm *varying = nullptr;
  unsigned numVarying = 0;
  bool neverZero = false;
  for (const AffineForm &form : distance.forms) {
    neverZero |= isNeverZero(form);
    if (form.isConstant())
      continue;
    varying = &form;
    ++numVarying;
  }
  if (numVarying == 0) {
    distance.kind = Distance::Constant;
    return distance;
  }
  distance.kind = neverZero ? Distance::NonZero : Distance::Unknown;
  // Not never zero, and the only thing that varies is a loop variable: then it
  // is zero once and not zero on the other iterations.
  if (neverZero || numVarying != 1 || !launch)
    return distance;
  std::optional<Progression> values = getProgression(*varying);
  if (values && values->count > 1 && isTakenOn(*varying, launch))
    distance.kind = Distance::Mixed;
  return distance;
}

Offsets mlir::pypto::atFirstIteration(ArrayRef<AffineForm> forms,
                                      Operation *launch) {
  Offsets first;
  for (const AffineForm &form : forms)
    first.push_back(form.substitute([&](Value symbol) {
                          AffineForm counter = AffineForm::getSymbol(symbol);
                          scf::ForOp loop = getCountingLoop(symbol);
                          if (!loop || !loop->isProperAncestor(launch))
                            return counter;
                          std::optional<Progression> values =
                              getProgression(counter);
                          return values ? AffineForm(values->first) : counter;
                        })
                        .value_or(form));
  return first;
}
