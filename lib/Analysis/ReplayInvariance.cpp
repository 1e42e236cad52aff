//===- ReplayInvariance.cpp - What every replay reproduces ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is taken to be the same on every replay until something that
// varies reaches it. One walk judges most values at once: what an operation
// reads has been judged before. Only what depends on a value that comes later
// in the text, by way of a loop or of a region's results, is pending; from
// pending values edges are kept, along which a worklist lets a varying value
// make others vary in the end. Every edge is followed once. The optimism is
// what lets a carried value of a constant-trip loop be invariant: its recording
// unrolls the loop, and each iteration is a fixed function of the one before.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ReplayInvariance.h"
#include "Analysis/ScalarComputation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Trip counts
//===----------------------------------------------------------------------===//

/// The constant that `value` is; looks through renames.
static std::optional<APInt> getConstantInt(Value value,
                                           const IdentityLineage *identity) {
  if (identity)
    value = identity->getSource(value);
  while (auto alias = value.getDefiningOp<AliasOp>())
    value = alias.getSource();
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant;
}

static std::optional<uint64_t>
computeTripCount(scf::ForOp loop, const IdentityLineage *identity) {
  std::optional<APInt> lower = getConstantInt(loop.getLowerBound(), identity);
  std::optional<APInt> upper = getConstantInt(loop.getUpperBound(), identity);
  std::optional<APInt> step = getConstantInt(loop.getStep(), identity);
  if (!lower || !upper || !step)
    return std::nullopt;
  bool isUnsigned = loop.getUnsignedCmp();
  if (step->isZero() || (!isUnsigned && step->isNegative()))
    return std::nullopt;
  if (isUnsigned ? lower->uge(*upper) : lower->sge(*upper))
    return 0;
  // The distance may be as large as the width allows, so it is unsigned in both
  // kinds of loop. Rounding up cannot overflow: the quotient exceeds the
  // distance only by rounding when the step is larger than one.
  APInt distance = *upper - *lower, quotient, remainder;
  APInt::udivrem(distance, *step, quotient, remainder);
  if (!remainder.isZero())
    ++quotient;
  return quotient.getLimitedValue();
}

std::optional<uint64_t> mlir::pypto::getConstantTripCount(scf::ForOp loop) {
  return computeTripCount(loop, nullptr);
}

std::optional<uint64_t>
mlir::pypto::getConstantTripCount(scf::ForOp loop,
                                  const IdentityLineage &identity) {
  return computeTripCount(loop, &identity);
}

bool mlir::pypto::isCertainlyReached(Operation *op, Operation *from) {
  for (Operation *parent = op->getParentOp();
       parent != from && !isa<graph::FuncOp>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    bool runs = loop ? getConstantTripCount(loop).value_or(0) > 0
                     : isa<graph::ScopeOp>(parent);
    if (!runs)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

namespace {
/// Collects what varies by itself and what depends on what.
class VarianceGraph {
public:
  VarianceGraph(const IdentityLineage &identity, CalleeTies &ties)
      : identity(identity), ties(ties) {}

  void visitFunction(FuncOp func);

  /// The representatives, by identity, of all values that may vary.
  llvm::SmallDenseSet<Value, 8> solve();

private:
  /// `value` varies, unless it is another value, which decides.
  void markVarying(Value value) {
    if (isRepresentative(value) && varying.insert(value).second)
      worklist.push_back(value);
  }
  void markVarying(ValueRange values) {
    for (Value value : values)
      markVarying(value);
  }
  /// `to` varies if `from`, which has been judged, does.
  void addEdge(Value from, Value to) {
    // Most operands are constants, about which there is nothing to ask.
    if (isConstant(from))
      return;
    Value source = identity.getSource(from);
    if (varying.contains(source))
      markVarying(to);
    else if ((!isOrdered || pending.contains(source)) && isRepresentative(to))
      addPending(source, to);
  }
  /// `to` varies if `from`, which may come later in the text, does.
  void addPendingEdge(Value from, Value to) {
    if (!isRepresentative(to))
      return;
    Value source = identity.getSource(from);
    addPending(source, to);
    // Judged and marked already, it is not looked at again.
    if (varying.contains(source))
      markVarying(to);
  }
  /// The same of representatives.
  void addPending(Value source, Value to) {
    pending.try_emplace(to, 0);
    unsigned &first = pending[source];
    edges.push_back({to, first});
    first = edges.size();
  }
  /// All of `to`, which `from` makes, vary if one of `from` does.
  void addEdges(ValueRange from, ValueRange to);
  /// Whether one of `values` has been judged to vary.
  bool anyVaries(ValueRange values) const {
    return llvm::any_of(values, [&](Value value) {
      return !isConstant(value) && varying.contains(identity.getSource(value));
    });
  }
  static bool isConstant(Value value) {
    return isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp());
  }
  bool isRepresentative(Value value) const {
    return identity.getSource(value) == value;
  }

  void visit(Operation *op);
  void visitLaunch(LaunchOpInterface launch);
  void visitLoop(scf::ForOp loop);
  void visitBranch(Operation *op, Value condition);
  void visitDim(DimOp dim);
  void visitPlain(Operation *op);

  const IdentityLineage &identity;
  CalleeTies &ties;
  llvm::SmallDenseSet<Value, 8> varying;
  /// What is not judged yet, each with the number of the first of its edges,
  /// and the edges: where they lead and the next one. Numbers start at one.
  DenseMap<Value, unsigned> pending;
  SmallVector<std::pair<Value, unsigned>> edges;
  /// Whether what is read comes earlier in the text, as in regions of one
  /// block.
  bool isOrdered = true;
  SmallVector<Value> worklist;
};
} // namespace

/// Whether a value of this type stands for a buffer or a task: then the
/// question is which one, not what is in it.
static bool isChoiceType(Type type) {
  if (auto array = dyn_cast<ArrayType>(type))
    return isChoiceType(array.getElementType());
  return isa<GraphTensorType, TaskIdType>(type);
}

void VarianceGraph::visitFunction(FuncOp func) {
  for (BlockArgument param : func.getArguments())
    if (!isChoiceType(param.getType()))
      markVarying(param);
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
}

void VarianceGraph::addEdges(ValueRange from, ValueRange to) {
  // The usual cases, in which nothing has to wait.
  if (anyVaries(from))
    return markVarying(to);
  if (isOrdered && pending.empty())
    return;
  for (Value result : to)
    for (Value operand : from)
      addEdge(operand, result);
}

void VarianceGraph::visit(Operation *op) {
  for (Region &region : op->getRegions())
    isOrdered &= region.empty() || region.hasOneBlock();

  // Arguments of blocks whose operation says nothing about them here.
  auto markBlockArguments = [&] {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        markVarying(block.getArguments());
  };

  if (LaunchOpInterface launch = asLaunch(op))
    return visitLaunch(launch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitBranch(op, branch.getCondition());
  if (auto branch = dyn_cast<scf::IndexSwitchOp>(op))
    return visitBranch(op, branch.getArg());
  if (auto dim = dyn_cast<DimOp>(op))
    return visitDim(dim);

  // A scope runs its body once. What is not yielded is its own task.
  if (isa<ScopeOp>(op))
    return forEachFlow(op, ties,
                       [&](Value from, Value to) { addPendingEdge(from, to); });
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op))
    if (region.getRegion().hasOneBlock())
      return forEachFlow(
          op, ties, [&](Value from, Value to) { addPendingEdge(from, to); });

  // Made here, and the same one on every replay.
  if (isa<CreateOp, FullOp, ArrayCreateOp>(op))
    return;
  // Another name is judged as what it names, unless names go in circles.
  if (isOrdered && isa<AliasOp, CastOp>(op))
    return;
  // A window is of the buffer its source is of, wherever it starts.
  if (isa<SliceOp, ViewOp, CastOp, AliasOp>(op))
    return addEdge(op->getOperand(0), op->getResult(0));
  // An array is the same when what is in it and where it is are.
  if (isa<ArrayInsertOp, ArrayExtractOp, arith::SelectOp>(op))
    return addEdges(op->getOperands(), op->getResults());

  markBlockArguments();
  visitPlain(op);
}

void VarianceGraph::visitLaunch(LaunchOpInterface launch) {
  for (auto [i, out] : llvm::enumerate(launch.getLaunchOutputs())) {
    if (Value operand = ties.getTiedOperand(launch, i))
      addEdge(operand, out);
    else if (!isChoiceType(out.getType()))
      markVarying(out);
  }
}

void VarianceGraph::visitLoop(scf::ForOp loop) {
  std::optional<uint64_t> tripCount = getConstantTripCount(loop, identity);
  if (!tripCount) {
    markVarying(loop.getBody()->getArguments());
    markVarying(loop.getResults());
    return;
  }
  for (auto [init, argument, yielded, result] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues(), loop.getResults())) {
    addEdge(init, argument);
    addPendingEdge(yielded, argument);
    // Which of the two comes out is known.
    addPendingEdge(*tripCount == 0 ? init : yielded, result);
  }
}

void VarianceGraph::visitBranch(Operation *op, Value condition) {
  for (Value result : op->getResults())
    addEdge(condition, result);
  forEachFlow(op, ties,
              [&](Value from, Value to) { addPendingEdge(from, to); });
}

/// The value that gives `tensor` its dynamic extent `dimension`, when the
/// operation that makes the tensor has one.
static Value getExtentOperand(Value tensor, unsigned dimension) {
  if (auto slice = tensor.getDefiningOp<SliceOp>())
    return dyn_cast<Value>(slice.getMixedSizes()[dimension]);
  if (auto view = tensor.getDefiningOp<ViewOp>())
    return dyn_cast<Value>(view.getMixedSizes()[dimension]);
  if (auto create = tensor.getDefiningOp<CreateOp>()) {
    auto type = cast<GraphTensorType>(tensor.getType());
    return create.getDynamicSizes()[type.getDynamicDimIndex(dimension)];
  }
  return {};
}

void VarianceGraph::visitDim(DimOp dim) {
  std::optional<APInt> axis = getConstantInt(dim.getAxis(), &identity);
  Value source = identity.getSource(dim.getSource());
  auto rank = static_cast<uint64_t>(
      cast<GraphTensorType>(dim.getSource().getType()).getRank());
  if (!axis || axis->uge(rank))
    return markVarying(dim.getResult());
  unsigned dimension = axis->getZExtValue();
  auto isStatic = [&](Value tensor) {
    return !cast<GraphTensorType>(tensor.getType()).isDynamicDim(dimension);
  };
  if (identity.getParameter(source) || isStatic(source) ||
      isStatic(dim.getSource()))
    return;
  if (Value extent = getExtentOperand(source, dimension))
    return addEdge(extent, dim.getResult());
  markVarying(dim.getResult());
}

/// Operations of other dialects: a function of scalars, or nothing is known.
void VarianceGraph::visitPlain(Operation *op) {
  // What reads something that varies does so, too, whatever it is.
  if (anyVaries(op->getOperands()))
    return markVarying(op->getResults());
  // Without operands only a constant is known to be one.
  bool isFunction = isScalarComputation(op) &&
                    (op->getNumOperands() != 0 || isConstantOp(op));
  if (isFunction)
    addEdges(op->getOperands(), op->getResults());
  else
    markVarying(op->getResults());
}

llvm::SmallDenseSet<Value, 8> VarianceGraph::solve() {
  while (!worklist.empty() && !edges.empty()) {
    unsigned edge = pending.lookup(worklist.pop_back_val());
    for (; edge != 0; edge = edges[edge - 1].second)
      markVarying(edges[edge - 1].first);
  }
  return std::move(varying);
}

ReplayInvariance::ReplayInvariance(FuncOp func, const IdentityLineage &identity,
                                   CalleeTies &ties)
    : identity(identity) {
  if (func.isExternal())
    return;
  VarianceGraph variance(identity, ties);
  variance.visitFunction(func);
  varying = variance.solve();
}
