//===- ValueTrace.cpp - Where the verifier sees values come from ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueTrace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::verify;

//===----------------------------------------------------------------------===//
// LinearForm
//===----------------------------------------------------------------------===//

LinearForm LinearForm::ofValue(Value value) {
  LinearForm form;
  form.terms.emplace_back(value, 1);
  return form;
}

std::optional<LinearForm> LinearForm::plus(const LinearForm &other,
                                           int64_t factor) const {
  std::optional<LinearForm> scaled = other.times(factor);
  if (!scaled)
    return std::nullopt;
  LinearForm sum = *this;
  std::optional<int64_t> total =
      llvm::checkedAdd<int64_t>(constant, scaled->constant);
  if (!total)
    return std::nullopt;
  sum.constant = *total;
  for (auto [value, coefficient] : scaled->terms) {
    auto *it = llvm::find_if(sum.terms, [&, value = value](auto &term) {
      return term.first == value;
    });
    if (it == sum.terms.end()) {
      sum.terms.emplace_back(value, coefficient);
      continue;
    }
    std::optional<int64_t> merged =
        llvm::checkedAdd<int64_t>(it->second, coefficient);
    if (!merged)
      return std::nullopt;
    it->second = *merged;
    if (it->second == 0)
      sum.terms.erase(it);
  }
  if (sum.terms.size() > kMaxTerms)
    return std::nullopt;
  return sum;
}

std::optional<LinearForm> LinearForm::times(int64_t factor) const {
  if (factor == 0)
    return LinearForm();
  LinearForm product = *this;
  std::optional<int64_t> scaled = llvm::checkedMul<int64_t>(constant, factor);
  if (!scaled)
    return std::nullopt;
  product.constant = *scaled;
  for (auto &term : product.terms) {
    std::optional<int64_t> coefficient =
        llvm::checkedMul<int64_t>(term.second, factor);
    if (!coefficient)
      return std::nullopt;
    term.second = *coefficient;
  }
  return product;
}

bool LinearForm::operator==(const LinearForm &other) const {
  std::optional<LinearForm> difference = minus(other);
  return difference && difference->isZero();
}

//===----------------------------------------------------------------------===//
// ValueSet
//===----------------------------------------------------------------------===//

std::optional<uint64_t> mlir::pypto::verify::countTrips(const APInt &lower,
                                                        const APInt &upper,
                                                        const APInt &step,
                                                        bool isUnsigned) {
  if (!(isUnsigned ? step.ugt(0) : step.sgt(0)))
    return std::nullopt;
  bool runs = isUnsigned ? lower.ult(upper) : lower.slt(upper);
  if (!runs)
    return 0;
  // As an unsigned number the span fits the width whatever the signs are, and
  // "one less, divided, one more" rounds up without overflow.
  uint64_t lessOne = (upper - lower - 1).udiv(step).getLimitedValue();
  return lessOne == std::numeric_limits<uint64_t>::max() ? lessOne
                                                         : lessOne + 1;
}

/// The values of a symbol of a linear form.
static ValueSet getSymbolValues(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  APInt lower, upper, step;
  if (!loop || argument != loop.getInductionVar() ||
      !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      lower.getBitWidth() > 64)
    return ValueSet::any();
  std::optional<uint64_t> numTrips =
      countTrips(lower, upper, step, loop.getUnsignedCmp());
  if (!numTrips || *numTrips == 0 ||
      *numTrips > std::numeric_limits<int64_t>::max())
    return ValueSet::any();
  int64_t first = lower.getSExtValue(), increment = step.getSExtValue();
  std::optional<int64_t> span =
      llvm::checkedMul<int64_t>(increment, *numTrips - 1);
  std::optional<int64_t> last =
      span ? llvm::checkedAdd<int64_t>(first, *span) : std::nullopt;
  // Counters of unsigned loops may look negative.
  if (increment <= 0 || !last ||
      (loop.getUnsignedCmp() && (first < 0 || upper.isNegative())))
    return ValueSet::any();
  return {first, static_cast<uint64_t>(increment), first, *last};
}

ValueSet ValueSet::of(const LinearForm &form) {
  ValueSet sum = of(form.getConstant());
  for (auto [value, coefficient] : form.getTerms())
    sum = sum.plus(getSymbolValues(value).times(coefficient));
  return sum;
}

static std::optional<int64_t> addBounds(std::optional<int64_t> a,
                                        std::optional<int64_t> b) {
  if (!a || !b)
    return std::nullopt;
  return llvm::checkedAdd<int64_t>(*a, *b);
}

ValueSet ValueSet::plus(const ValueSet &other) const {
  std::optional<int64_t> sum = llvm::checkedAdd<int64_t>(base, other.base);
  if (!sum)
    return any();
  return {*sum, std::gcd(stride, other.stride), addBounds(low, other.low),
          addBounds(high, other.high)};
}

ValueSet ValueSet::times(int64_t factor) const {
  if (factor == 0)
    return of(0);
  std::optional<int64_t> scaledBase = llvm::checkedMul<int64_t>(base, factor);
  uint64_t magnitude = factor < 0 ? -static_cast<uint64_t>(factor)
                                  : static_cast<uint64_t>(factor);
  std::optional<uint64_t> scaledStride =
      llvm::checkedMulUnsigned<uint64_t>(stride, magnitude);
  if (!scaledBase || !scaledStride)
    return any();
  auto scale = [&](std::optional<int64_t> bound) -> std::optional<int64_t> {
    return bound ? llvm::checkedMul<int64_t>(*bound, factor) : std::nullopt;
  };
  ValueSet product{*scaledBase, *scaledStride, scale(low), scale(high)};
  if (factor < 0)
    std::swap(product.low, product.high);
  return product;
}

/// |a - b|, which always fits the unsigned type.
static uint64_t getDistance(int64_t a, int64_t b) {
  return a < b ? static_cast<uint64_t>(b) - static_cast<uint64_t>(a)
               : static_cast<uint64_t>(a) - static_cast<uint64_t>(b);
}

ValueSet ValueSet::join(const ValueSet &other) const {
  ValueSet both;
  both.base = base;
  both.stride =
      std::gcd(std::gcd(stride, other.stride), getDistance(base, other.base));
  if (low && other.low)
    both.low = std::min(*low, *other.low);
  if (high && other.high)
    both.high = std::max(*high, *other.high);
  return both;
}

/// Whether a value of the progression of `set` may be within [low, high].
static bool mayHaveValueIn(const ValueSet &set, int64_t low, int64_t high) {
  if (set.stride < 2 || set.stride > INT64_MAX)
    return true;
  int64_t stride = set.stride;
  std::optional<int64_t> distance = llvm::checkedSub(low, set.base);
  if (!distance)
    return true;
  int64_t beyond = *distance % stride;
  if (beyond < 0)
    beyond += stride;
  std::optional<int64_t> first =
      beyond == 0 ? low : llvm::checkedAdd(low, stride - beyond);
  return first && *first <= high;
}

bool ValueSet::isDisjointFrom(const ValueSet &other) const {
  if ((high && other.low && *high < *other.low) ||
      (low && other.high && *other.high < *low))
    return true;
  // Where the ranges overlap there may be nothing of one of them.
  if (low && high && other.low && other.high) {
    int64_t from = std::max(*low, *other.low);
    int64_t to = std::min(*high, *other.high);
    if (!mayHaveValueIn(*this, from, to) || !mayHaveValueIn(other, from, to))
      return true;
  }
  uint64_t modulus = std::gcd(stride, other.stride);
  uint64_t distance = getDistance(base, other.base);
  return modulus == 0 ? distance != 0 : distance % modulus != 0;
}

//===----------------------------------------------------------------------===//
// TieTable
//===----------------------------------------------------------------------===//

FuncOp TieTable::getCallee(LaunchOpInterface launch) {
  FlatSymbolRefAttr symbol = launch.getLaunchCallee();
  return symbol ? symbolTable.lookupNearestSymbolFrom<FuncOp>(launch,
                                                              symbol.getAttr())
                : FuncOp();
}

Value TieTable::getTied(LaunchOpInterface launch, unsigned index) {
  FuncOp callee = getCallee(launch);
  if (!callee)
    return {};
  auto [it, isNew] = ties.try_emplace(callee);
  if (isNew) {
    DenseMap<StringAttr, unsigned> positions;
    for (unsigned i = 0, e = callee.getNumArguments(); i != e; ++i)
      positions.try_emplace(callee.getParamNameAttr(i), i);
    it->second.resize(callee.getNumResults());
    for (unsigned i = 0, e = callee.getNumResults(); i != e; ++i) {
      auto name = callee.getResultAttrOfType<StringAttr>(
          i, GraphDialect::kTiedAttrName);
      auto position = name ? positions.find(name) : positions.end();
      if (position != positions.end())
        it->second[i] = position->second;
    }
  }
  if (index >= it->second.size() || !it->second[index] ||
      *it->second[index] >= launch.getLaunchArgs().size())
    return {};
  return launch.getLaunchArgs()[*it->second[index]];
}

//===----------------------------------------------------------------------===//
// ValueTrace: edges
//===----------------------------------------------------------------------===//

static bool isTensor(Value value) {
  return isa<GraphTensorType>(value.getType());
}

void ValueTrace::addEdge(Value from, Value to) {
  inputs[to].push_back(from);
  users[from].push_back(to);
}

void ValueTrace::collectEdges(Operation *op, TieTable &ties) {
  if (isa<AliasOp, CastOp, SliceOp, ViewOp>(op))
    return addEdge(op->getOperand(0), op->getResult(0));
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    addEdge(select.getTrueValue(), select.getResult());
    return addEdge(select.getFalseValue(), select.getResult());
  }
  if (auto launch = dyn_cast<LaunchOpInterface>(op)) {
    FuncOp callee = ties.getCallee(launch);
    for (auto [i, out] : llvm::enumerate(launch.getLaunchOutputs())) {
      if (Value tied = ties.getTied(launch, i)) {
        addEdge(tied, out);
        continue;
      }
      // Host code may return any window of what it got.
      if (!callee || callee.isDeviceFunction() || !isTensor(out))
        continue;
      opaqueResults.insert(out);
      for (Value arg : launch.getLaunchArgs())
        if (isTensor(arg))
          addEdge(arg, out);
    }
    return;
  }
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return;
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor, 2> successors;
    branch.getSuccessorRegions(point, successors);
    for (RegionSuccessor successor : successors)
      for (auto [from, to] :
           llvm::zip(branch.getSuccessorOperands(point, successor),
                     successor.getSuccessorInputs()))
        addEdge(from, to);
  }
}

ValueTrace::ValueTrace(FuncOp func, TieTable &ties) {
  if (func.isExternal())
    return;
  SmallVector<Value> tensors, others;
  auto enqueue = [&](Value value) {
    if (inputs.contains(value))
      (isTensor(value) ? tensors : others).push_back(value);
  };
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Another function's values are none of this one's.
    if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return WalkResult::skip();
    collectEdges(op, ties);
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        enqueue(argument);
    for (Value result : op->getResults())
      enqueue(result);
    return WalkResult::advance();
  });
  // Where windows start depends on scalars, never the other way round. Each in
  // the order of the text, so that chains settle in one sweep.
  std::reverse(others.begin(), others.end());
  solve(std::move(others));
  std::reverse(tensors.begin(), tensors.end());
  solve(std::move(tensors));
}

//===----------------------------------------------------------------------===//
// ValueTrace: fixpoint
//===----------------------------------------------------------------------===//

/// Adds an alternative to a state.
static void joinOrigin(ValueTrace::State &state, const Origin &origin) {
  if (state.isUnknown)
    return;
  auto *it = llvm::find_if(state.origins, [&](const Origin &known) {
    return known.root == origin.root;
  });
  if (it == state.origins.end()) {
    if (state.origins.size() == ValueTrace::kMaxOrigins) {
      state.origins.clear();
      state.isUnknown = true;
    } else {
      state.origins.push_back(origin);
    }
    return;
  }
  if (it->frame != origin.frame) {
    it->frame = Value();
    it->offsets.reset();
  } else if (it->offsets != origin.offsets) {
    it->offsets.reset();
  }
  it->isWhole |= origin.isWhole;
  it->isWindow |= origin.isWindow;
}

std::optional<SmallVector<LinearForm, 2>>
ValueTrace::shift(const std::optional<SmallVector<LinearForm, 2>> &offsets,
                  SliceOp slice) {
  if (!offsets || offsets->size() != slice.getStaticOffsets().size())
    return std::nullopt;
  SmallVector<LinearForm, 2> shifted;
  size_t next = 0;
  for (auto [known, literal] :
       llvm::zip_equal(*offsets, slice.getStaticOffsets())) {
    LinearForm offset = ShapedType::isDynamic(literal)
                            ? getLinear(slice.getOffsets()[next++])
                            : LinearForm(literal);
    std::optional<LinearForm> sum = known.plus(offset);
    if (!sum)
      return std::nullopt;
    shifted.push_back(*sum);
  }
  return shifted;
}

ValueTrace::State ValueTrace::applyWindow(State source, Operation *window) {
  Value from = window->getOperand(0), to = window->getResult(0);
  bool isSame = from.getType() == to.getType() &&
                cast<GraphTensorType>(from.getType()).hasStaticShape();
  auto slice = dyn_cast<SliceOp>(window);
  if (isSame && slice)
    isSame = llvm::all_of(slice.getMixedOffsets(), [&](OpFoldResult offset) {
      auto value = dyn_cast<Value>(offset);
      return value ? getLinear(value).isZero() : isZeroInteger(offset);
    });
  if (isSame)
    return source;
  for (Origin &origin : source.origins) {
    origin.isWhole = false;
    origin.isWindow = true;
    if (slice) {
      origin.offsets = shift(origin.offsets, slice);
    } else {
      // New dimensions; the elements start where the source's do.
      origin.frame = to;
      origin.offsets.emplace(cast<GraphTensorType>(to.getType()).getRank());
    }
  }
  return source;
}

ValueTrace::State ValueTrace::transfer(Value to) {
  State state;
  bool isOpaque = opaqueResults.contains(to);
  if (isOpaque)
    state.origins.push_back({to, to, std::nullopt, true, false});
  for (Value from : inputs[to]) {
    // What is not known yet may turn out to be no alternative.
    if (inputs.contains(from) && !states.contains(from))
      continue;
    State input = getState(from);
    if (isa_and_nonnull<SliceOp, ViewOp>(to.getDefiningOp()))
      input = applyWindow(std::move(input), to.getDefiningOp());
    if (input.isUnknown)
      return {{}, true};
    for (Origin &origin : input.origins) {
      if (isOpaque)
        origin = {origin.root, Value(), std::nullopt, true, true};
      joinOrigin(state, origin);
    }
  }
  return state;
}

void ValueTrace::solve(SmallVector<Value> worklist) {
  // A state only ever grows: by an origin, or by knowing less about one.
  while (!worklist.empty()) {
    Value to = worklist.pop_back_val();
    State state = transfer(to);
    if (!state.isUnknown && state.origins.empty())
      continue;
    auto [it, isNew] = states.try_emplace(to);
    if (!isNew && it->second == state)
      continue;
    it->second = std::move(state);
    auto known = users.find(to);
    if (known != users.end())
      llvm::append_range(worklist, known->second);
  }
}

ValueTrace::State ValueTrace::getState(Value value) const {
  if (inputs.contains(value)) {
    auto it = states.find(value);
    return it == states.end() ? State{{}, true} : it->second;
  }
  State state;
  if (!isTensor(value)) {
    state.origins.push_back({value, value, std::nullopt, true, false});
    return state;
  }
  // Buffers are made by this dialect and passed to functions; where anything
  // else gets one from is not known.
  auto argument = dyn_cast<BlockArgument>(value);
  bool isKnown =
      argument
          ? isa<FuncOp>(argument.getOwner()->getParentOp()) &&
                argument.getOwner()->isEntryBlock()
          : isa<CreateOp, FullOp, LaunchOpInterface>(value.getDefiningOp());
  if (!isKnown)
    return {{}, true};
  Origin origin{value, value, std::nullopt, true, false};
  origin.offsets.emplace(cast<GraphTensorType>(value.getType()).getRank());
  state.origins.push_back(std::move(origin));
  return state;
}

Value ValueTrace::getIdentity(Value value) const {
  if (!inputs.contains(value))
    return value;
  auto it = states.find(value);
  if (it == states.end() || it->second.origins.size() != 1)
    return value;
  const Origin &origin = it->second.origins.front();
  return origin.isWindow ? value : origin.root;
}

ArrayRef<Value> ValueTrace::getInputs(Value value) const {
  auto it = inputs.find(value);
  return it == inputs.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

//===----------------------------------------------------------------------===//
// ValueTrace: scalars
//===----------------------------------------------------------------------===//

void ValueTrace::evaluateCone(Value root, function_ref<bool(Value)> isDone,
                              function_ref<void(Value)> evaluate) {
  SmallVector<std::pair<Value, bool>> stack{{root, false}};
  DenseSet<Value> entered;
  while (!stack.empty()) {
    auto [value, isReady] = stack.back();
    if (isDone(value)) {
      stack.pop_back();
      continue;
    }
    // Unreachable code may be cyclic: what is met again counts as opaque.
    if (isReady || !entered.insert(value).second) {
      evaluate(value);
      stack.pop_back();
      continue;
    }
    stack.back().second = true;
    Value identity = getIdentity(value);
    if (identity != value) {
      stack.emplace_back(identity, false);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op && op->getNumRegions() == 0)
      for (Value operand : op->getOperands())
        if (isScalarType(operand.getType()))
          stack.emplace_back(operand, false);
  }
}

/// What the result `value` of an operation folds to on constant operands; null
/// if it does not fold. None of them is null, so that nothing folds in place.
static Attribute foldResult(OpResult value, ArrayRef<Attribute> operands) {
  SmallVector<OpFoldResult> results;
  Operation *op = value.getOwner();
  if (failed(op->fold(operands, results)) ||
      results.size() != op->getNumResults())
    return {};
  OpFoldResult folded = results[value.getResultNumber()];
  if (auto attr = dyn_cast<Attribute>(folded))
    return attr;
  for (auto [operand, attr] : llvm::zip_equal(op->getOperands(), operands))
    if (operand == cast<Value>(folded))
      return attr;
  return {};
}

Attribute ValueTrace::evaluateConstant(Value value) {
  Attribute literal;
  if (matchPattern(value, m_Constant(&literal)))
    return literal;
  if (Value identity = getIdentity(value); identity != value)
    return constants.lookup(identity);
  auto result = dyn_cast<OpResult>(value);
  if (!result || !isScalarType(value.getType()))
    return {};
  Operation *op = result.getOwner();
  if (auto dim = dyn_cast<DimOp>(op)) {
    auto axis = dyn_cast_or_null<IntegerAttr>(constants.lookup(dim.getAxis()));
    auto type = cast<GraphTensorType>(dim.getSource().getType());
    if (!axis || !axis.getValue().ult(type.getRank()) ||
        type.isDynamicDim(axis.getInt()))
      return {};
    return IntegerAttr::get(dim.getType(), type.getDimSize(axis.getInt()));
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return {};
  SmallVector<Attribute, 3> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(constants.lookup(operand));
    if (!operands.back())
      return {};
  }
  return foldResult(result, operands);
}

std::optional<APInt> ValueTrace::getConstant(Value scalar) {
  evaluateCone(
      scalar, [&](Value v) { return constants.contains(v); },
      [&](Value v) { constants[v] = evaluateConstant(v); });
  auto constant = dyn_cast_or_null<IntegerAttr>(constants.lookup(scalar));
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

std::optional<uint64_t> ValueTrace::getTripCount(scf::ForOp loop) {
  std::optional<APInt> lower = getConstant(loop.getLowerBound());
  std::optional<APInt> upper = getConstant(loop.getUpperBound());
  std::optional<APInt> step = getConstant(loop.getStep());
  if (!lower || !upper || !step)
    return std::nullopt;
  return countTrips(*lower, *upper, *step, loop.getUnsignedCmp());
}

/// Whether sums of this type are those of the numbers: offsets do not overflow
/// 64 bits.
static bool isWide(Type type) {
  return isa<IndexType>(type) || type.isInteger(64);
}

LinearForm ValueTrace::getLinear(Value scalar) {
  auto lookup = [&](Value value) -> std::optional<LinearForm> {
    auto it = linear.find(value);
    return it == linear.end() ? std::nullopt : std::optional(it->second);
  };
  auto computeSum = [&](Operation *op) -> std::optional<LinearForm> {
    SmallVector<LinearForm, 2> operands;
    for (Value operand : op->getOperands()) {
      std::optional<LinearForm> known = lookup(operand);
      if (!known)
        return std::nullopt;
      operands.push_back(*known);
    }
    if (operands.size() == 1 && isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      return operands[0];
    if (operands.size() != 2)
      return std::nullopt;
    StringRef name = op->getName().getStringRef();
    if (isa<arith::AddIOp>(op) || name == "index.add")
      return operands[0].plus(operands[1]);
    if (isa<arith::SubIOp>(op) || name == "index.sub")
      return operands[0].minus(operands[1]);
    if (isa<arith::MulIOp>(op) || name == "index.mul") {
      if (operands[1].isConstant())
        return operands[0].times(operands[1].getConstant());
      if (operands[0].isConstant())
        return operands[1].times(operands[0].getConstant());
    }
    if (isa<arith::ShLIOp>(op) && operands[1].isConstant() &&
        operands[1].getConstant() >= 0 && operands[1].getConstant() < 63)
      return operands[0].times(int64_t(1) << operands[1].getConstant());
    return std::nullopt;
  };
  auto evaluate = [&](Value value) {
    LinearForm form = LinearForm::ofValue(value);
    Value identity = getIdentity(value);
    std::optional<APInt> constant = isa<IndexType, IntegerType>(value.getType())
                                        ? getConstant(value)
                                        : std::nullopt;
    if (constant && constant->getSignificantBits() <= 64) {
      form = LinearForm(constant->getSExtValue());
    } else if (identity != value) {
      form = lookup(identity).value_or(LinearForm::ofValue(identity));
    } else if (Operation *op = value.getDefiningOp();
               op && isWide(value.getType()) && op->getNumRegions() == 0 &&
               op->getNumResults() == 1) {
      // A narrow counter or parameter is a symbol; sums of narrow values may
      // wrap and are one as a whole.
      if (std::optional<LinearForm> sum = computeSum(op))
        form = *sum;
    }
    linear.try_emplace(value, form);
  };
  evaluateCone(scalar, [&](Value v) { return linear.contains(v); }, evaluate);
  return *lookup(scalar);
}

//===----------------------------------------------------------------------===//
// ValueTrace: positions
//===----------------------------------------------------------------------===//

/// Where the element at `offsets` of a contiguous tensor comes in its order.
static std::optional<LinearForm> linearize(Value frame,
                                           ArrayRef<LinearForm> offsets) {
  auto type = cast<GraphTensorType>(frame.getType());
  if (static_cast<int64_t>(offsets.size()) != type.getRank())
    return std::nullopt;
  std::optional<LinearForm> position = LinearForm();
  std::optional<int64_t> stride = 1;
  for (int64_t i = type.getRank() - 1; i >= 0 && position; --i) {
    if (!offsets[i].isZero())
      position = stride ? position->plus(offsets[i], *stride) : std::nullopt;
    stride = stride && !type.isDynamicDim(i)
                 ? llvm::checkedMul<int64_t>(*stride, type.getDimSize(i))
                 : std::nullopt;
  }
  return position;
}

std::optional<LinearForm> ValueTrace::getPosition(const Origin &origin) {
  // Up to a view whose start is known, then down again.
  SmallVector<std::pair<Value, Origin>> chain;
  Origin current = origin;
  std::optional<LinearForm> start = LinearForm();
  while (current.frame && current.offsets && current.frame != current.root) {
    auto known = positions.find({current.frame, current.root});
    if (known != positions.end())
      break;
    chain.emplace_back(current.frame, current);
    auto view = current.frame.getDefiningOp<ViewOp>();
    if (!view)
      return std::nullopt;
    State source = getState(view.getSource());
    auto *it = llvm::find_if(source.origins, [&](const Origin &alternative) {
      return alternative.root == origin.root;
    });
    if (it == source.origins.end())
      return std::nullopt;
    current = *it;
  }
  auto locate = [&](const Origin &at) -> std::optional<LinearForm> {
    if (!at.frame || !at.offsets)
      return std::nullopt;
    std::optional<LinearForm> inner = linearize(at.frame, *at.offsets);
    if (!inner || at.frame == at.root)
      return inner;
    auto known = positions.find({at.frame, at.root});
    if (known == positions.end() || !known->second)
      return std::nullopt;
    return known->second->plus(*inner);
  };
  start = locate(current);
  for (auto &[frame, at] : llvm::reverse(chain)) {
    positions.try_emplace({frame, origin.root}, start);
    start = locate(at);
  }
  return start;
}
