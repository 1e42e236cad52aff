//===- GraphOps.cpp - Buffers, arrays, scopes, kernel bodies --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Graph.h"
#include "Graph/OpUtils.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::graph::detail;

#define GET_OP_CLASSES
#include "Graph/GraphOps.cpp.inc"

using EffectList =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// Shared checks
//===----------------------------------------------------------------------===//

static GraphTensorType getTensor(Value value) {
  return cast<GraphTensorType>(value.getType());
}

/// The extents of a result follow from the sizes: literals stay, operands are
/// dynamic.
static LogicalResult verifyResultShape(Operation *op, GraphTensorType source,
                                       GraphTensorType result,
                                       ArrayRef<int64_t> sizes) {
  if (result.getElementType() != source.getElementType())
    return op->emitOpError("result has element type ")
           << result.getElementType() << ", the source has "
           << source.getElementType();
  if (result.getShape() != sizes)
    return op->emitOpError("result type ")
           << result << " does not have the given sizes";
  return success();
}

/// Indices that are literals lie within the extents.
static LogicalResult verifyInBounds(Operation *op, StringRef what,
                                    ArrayRef<int64_t> indices,
                                    ArrayRef<int64_t> extents) {
  for (auto [index, extent] : llvm::zip(indices, extents))
    if (!ShapedType::isDynamic(index) && !ShapedType::isDynamic(extent) &&
        index >= extent)
      return op->emitOpError(what)
             << " " << index << " is out of the extent " << extent;
  return success();
}

/// Replaces `op` by a version of it with more static knowledge, cast back to
/// the type its users know.
static void replaceWithCast(PatternRewriter &rewriter, Operation *op,
                            Value refined) {
  Type type = op->getResult(0).getType();
  if (refined.getType() != type)
    refined = CastOp::create(rewriter, op->getLoc(), type, refined);
  rewriter.replaceOp(op, refined);
}

//===----------------------------------------------------------------------===//
// CreateOp and FullOp
//===----------------------------------------------------------------------===//

LogicalResult CreateOp::verify() {
  int64_t numDynamic = countDynamic(getTensor(getResult()).getShape());
  if (numDynamic != static_cast<int64_t>(getDynamicSizes().size()))
    return emitOpError("has ") << getDynamicSizes().size() << " sizes for "
                               << numDynamic << " dynamic extents";
  return success();
}

namespace {
/// Sizes that are constants become static extents.
struct FoldCreateSizes : OpRewritePattern<CreateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CreateOp op,
                                PatternRewriter &rewriter) const override {
    GraphTensorType type = getTensor(op.getResult());
    SmallVector<OpFoldResult> sizes =
        getMixedList(getContext(), type.getShape(), op.getDynamicSizes());
    if (!foldConstants(sizes, /*minimum=*/1))
      return failure();
    SmallVector<Value> dynamicSizes;
    SmallVector<int64_t> shape;
    dispatchList(sizes, dynamicSizes, shape);
    auto refined = getTensorIfValid(shape, type.getElementType());
    if (!refined)
      return failure();
    replaceWithCast(
        rewriter, op,
        CreateOp::create(rewriter, op.getLoc(), refined, dynamicSizes));
    return success();
  }
};
} // namespace

void CreateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FoldCreateSizes>(context);
}

LogicalResult FullOp::verify() {
  GraphTensorType type = getTensor(getResult());
  if (!type.hasStaticShape())
    return emitOpError("needs static extents, got ") << type;
  if (getValue().getType() != type.getScalarType())
    return emitOpError("fills elements of type ")
           << type.getScalarType() << " with a value of type "
           << getValue().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

void SliceOp::build(OpBuilder &builder, OperationState &state, Value source,
                    ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchList(offsets, dynamicOffsets, staticOffsets);
  dispatchList(sizes, dynamicSizes, staticSizes);
  auto type =
      GraphTensorType::get(staticSizes, getTensor(source).getElementType());
  build(builder, state, type, source, dynamicOffsets, dynamicSizes,
        staticOffsets, staticSizes);
}

SmallVector<OpFoldResult> SliceOp::getMixedOffsets() {
  return getMixedList(getContext(), getStaticOffsets(), getOffsets());
}

SmallVector<OpFoldResult> SliceOp::getMixedSizes() {
  return getMixedList(getContext(), getStaticSizes(), getSizes());
}

LogicalResult SliceOp::verify() {
  int64_t rank = getTensor(getSource()).getRank();
  if (failed(verifyIndexList(*this, "offsets", rank, getStaticOffsets(),
                             getOffsets(), /*minimum=*/0)) ||
      failed(verifyIndexList(*this, "sizes", rank, getStaticSizes(), getSizes(),
                             /*minimum=*/1)))
    return failure();
  return verifyResultShape(*this, getTensor(getSource()),
                           getTensor(getResult()), getStaticSizes());
}

namespace {
/// Offsets and sizes that are constants become literals.
struct FoldSliceConstants : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    // Sizes beyond the source would make a type of too many elements.
    ArrayRef<int64_t> extents = getTensor(op.getSource()).getShape();
    SmallVector<OpFoldResult> newSizes = sizes;
    bool changed = foldConstants(offsets, /*minimum=*/0);
    if (foldConstants(newSizes, /*minimum=*/1) &&
        llvm::all_of(llvm::zip_equal(newSizes, extents), [](auto pair) {
          auto [size, extent] = pair;
          std::optional<int64_t> literal = getConstantIntValue(size);
          return !literal || ShapedType::isDynamic(extent) ||
                 *literal <= extent;
        })) {
      SmallVector<Value> values;
      SmallVector<int64_t> shape;
      dispatchList(newSizes, values, shape);
      if (getTensorIfValid(shape, getTensor(op.getSource()).getElementType())) {
        sizes = newSizes;
        changed = true;
      }
    }
    if (!changed)
      return failure();
    replaceWithCast(
        rewriter, op,
        SliceOp::create(rewriter, op.getLoc(), op.getSource(), offsets, sizes));
    return success();
  }
};

/// A window at literal offsets of a window at literal offsets is one window.
struct ComposeStaticSlices : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto outer = op.getSource().getDefiningOp<SliceOp>();
    if (!outer || !op.getOffsets().empty() || !outer.getOffsets().empty())
      return failure();
    SmallVector<OpFoldResult> offsets;
    for (auto [inner, base] :
         llvm::zip_equal(op.getStaticOffsets(), outer.getStaticOffsets())) {
      std::optional<int64_t> sum = llvm::checkedAdd<int64_t>(inner, base);
      if (!sum)
        return failure();
      offsets.push_back(rewriter.getIndexAttr(*sum));
    }
    // A window that leaves its source would be cut there, not at the source's
    // source: keep it as written.
    for (auto [offset, size, extent] :
         llvm::zip_equal(op.getStaticOffsets(), op.getStaticSizes(),
                         getTensor(op.getSource()).getShape())) {
      if (ShapedType::isDynamic(size) || ShapedType::isDynamic(extent))
        return failure();
      std::optional<int64_t> end = llvm::checkedAdd<int64_t>(offset, size);
      if (!end || *end > extent)
        return failure();
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, outer.getSource(), offsets,
                                         op.getMixedSizes());
    return success();
  }
};
} // namespace

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<FoldSliceConstants, ComposeStaticSlices>(context);
}

//===----------------------------------------------------------------------===//
// ViewOp
//===----------------------------------------------------------------------===//

void ViewOp::build(OpBuilder &builder, OperationState &state, Value source,
                   ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamicSizes;
  SmallVector<int64_t> staticSizes;
  dispatchList(sizes, dynamicSizes, staticSizes);
  auto type =
      GraphTensorType::get(staticSizes, getTensor(source).getElementType());
  build(builder, state, type, source, dynamicSizes, staticSizes);
}

SmallVector<OpFoldResult> ViewOp::getMixedSizes() {
  return getMixedList(getContext(), getStaticSizes(), getSizes());
}

LogicalResult ViewOp::verify() {
  GraphTensorType source = getTensor(getSource());
  GraphTensorType result = getTensor(getResult());
  if (failed(verifyIndexList(*this, "sizes", result.getRank(), getStaticSizes(),
                             getSizes(), /*minimum=*/1)) ||
      failed(verifyResultShape(*this, source, result, getStaticSizes())))
    return failure();
  if (source.hasStaticShape() && result.hasStaticShape() &&
      source.getNumElements() != result.getNumElements())
    return emitOpError("has ")
           << result.getNumElements() << " elements, the source has "
           << source.getNumElements();
  return success();
}

namespace {
/// Sizes that are constants become literals, unless the count of elements would
/// no longer agree.
struct FoldViewConstants : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    if (!foldConstants(sizes, /*minimum=*/1))
      return failure();
    SmallVector<Value> values;
    SmallVector<int64_t> shape;
    dispatchList(sizes, values, shape);
    GraphTensorType source = getTensor(op.getSource());
    auto type = getTensorIfValid(shape, source.getElementType());
    if (!type || (source.hasStaticShape() && type.hasStaticShape() &&
                  source.getNumElements() != type.getNumElements()))
      return failure();
    replaceWithCast(
        rewriter, op,
        ViewOp::create(rewriter, op.getLoc(), op.getSource(), sizes));
    return success();
  }
};
} // namespace

void ViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<FoldViewConstants>(context);
}

//===----------------------------------------------------------------------===//
// CastOp
//===----------------------------------------------------------------------===//

bool CastOp::areCastCompatible(TypeRange inputs, TypeRange outputs) {
  if (inputs.size() != 1 || outputs.size() != 1)
    return false;
  auto from = dyn_cast<GraphTensorType>(inputs.front());
  auto to = dyn_cast<GraphTensorType>(outputs.front());
  return from && to && from.isCompatibleWith(to);
}

namespace {
/// A cast of a cast is one cast, when nothing contradictory was claimed
/// between.
struct ComposeCasts : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<CastOp>();
    if (!inner || !getTensor(inner.getSource())
                       .isCompatibleWith(getTensor(op.getResult())))
      return failure();
    rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), inner.getSource());
    return success();
  }
};
} // namespace

void CastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<ComposeCasts>(context);
}

//===----------------------------------------------------------------------===//
// DimOp
//===----------------------------------------------------------------------===//

std::optional<int64_t> DimOp::getConstantAxis() {
  std::optional<int64_t> axis = getConstantIntValue(getAxis());
  if (!axis || *axis < 0 || *axis >= getTensor(getSource()).getRank())
    return std::nullopt;
  return axis;
}

LogicalResult DimOp::verify() {
  if (getTensor(getSource()).getRank() == 0)
    return emitOpError("source of rank 0 has no extents");
  return success();
}

OpFoldResult DimOp::fold(FoldAdaptor adaptor) {
  auto axis = dyn_cast_if_present<IntegerAttr>(adaptor.getAxis());
  GraphTensorType type = getTensor(getSource());
  if (!axis || axis.getValue().isNegative() ||
      axis.getValue().sge(type.getRank()))
    return {};
  int64_t extent = type.getDimSize(axis.getInt());
  if (!ShapedType::isDynamic(extent))
    return Builder(getContext()).getIndexAttr(extent);
  // A cast does not change the extents.
  if (auto cast = getSource().getDefiningOp<CastOp>()) {
    getSourceMutable().assign(cast.getSource());
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// ReadOp and AliasOp
//===----------------------------------------------------------------------===//

LogicalResult ReadOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  // Nobody has verified the operands yet.
  auto tensor = adaptor.getOperands().empty()
                    ? GraphTensorType()
                    : dyn_cast<GraphTensorType>(adaptor.getSource().getType());
  if (!tensor)
    return emitOptionalError(location, "expected a '!graph.tensor' operand");
  types.push_back(tensor.getScalarType());
  return success();
}

LogicalResult ReadOp::verify() {
  GraphTensorType type = getTensor(getSource());
  if (failed(verifyIndexList(*this, "indices", type.getRank(),
                             getStaticIndices(), getIndices(), /*minimum=*/0)))
    return failure();
  return verifyInBounds(*this, "index", getStaticIndices(), type.getShape());
}

OpFoldResult AliasOp::fold(FoldAdaptor) { return getSource(); }

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static LogicalResult verifyArrayIndex(Operation *op, Value array,
                                      ArrayRef<int64_t> integers,
                                      ValueRange values) {
  if (failed(verifyIndexList(op, "indices", /*rank=*/1, integers, values,
                             /*minimum=*/0)))
    return failure();
  return verifyInBounds(op, "index", integers,
                        {cast<ArrayType>(array.getType()).getSize()});
}

LogicalResult ArrayInsertOp::verify() {
  return verifyArrayIndex(*this, getArray(), getStaticIndex(), getIndex());
}

LogicalResult ArrayExtractOp::verify() {
  return verifyArrayIndex(*this, getArray(), getStaticIndex(), getIndex());
}

/// The element an insert chain holds at a literal index, looked for at most
/// this many inserts up: a longer chain is not worth the time of every extract.
static constexpr int kMaxInsertsToSearch = 64;

/// The index of an array operation: a constant, or the value it is.
static OpFoldResult getArrayIndex(MLIRContext *context,
                                  ArrayRef<int64_t> integers,
                                  ValueRange values) {
  OpFoldResult index = getMixedList(context, integers, values).front();
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return Builder(context).getIndexAttr(*constant);
  return index;
}

OpFoldResult ArrayExtractOp::fold(FoldAdaptor) {
  OpFoldResult index =
      getArrayIndex(getContext(), getStaticIndex(), getIndex());
  Value array = getArray();
  for (int i = 0; i < kMaxInsertsToSearch; ++i) {
    auto insert = array.getDefiningOp<ArrayInsertOp>();
    if (!insert)
      return {};
    OpFoldResult inserted =
        getArrayIndex(getContext(), insert.getStaticIndex(), insert.getIndex());
    if (inserted == index)
      return insert.getValue();
    // Different values may be the same number.
    if (isa<Value>(inserted) || isa<Value>(index))
      return {};
    array = insert.getArray();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// ScopeOp
//===----------------------------------------------------------------------===//

YieldOp ScopeOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

Value ScopeOp::getTaskId() {
  unsigned numYielded = getYield().getNumOperands();
  return numYielded < getOuts().size() ? getOuts().back() : Value();
}

ResultRange ScopeOp::getYieldedResults() {
  return getOuts().take_front(
      std::min<size_t>(getYield().getNumOperands(), getOuts().size()));
}

void ScopeOp::getEffects(EffectList &effects) {
  // What the region does counts by itself; a scope that becomes a launch is one
  // even when its region does nothing visible.
  if (isDeviceScope() || getKind() == ScopeKind::Graph)
    effects.emplace_back(MemoryEffects::Write::get(), TaskQueue::get());
  for (OpOperand &gate : getGateMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &gate);
}

void ScopeOp::getSuccessorRegions(RegionBranchPoint point,
                                  SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getYieldedResults());
}

OperandRange ScopeOp::getEntrySuccessorOperands(RegionSuccessor) {
  return (*this)->getOperands().take_front(0);
}

LogicalResult ScopeOp::verify() {
  if (getKind() == ScopeKind::Graph && (!getName() || getName()->empty()))
    return emitOpError("of kind 'graph' needs a name: it names the recording");
  bool hasSpec = !getDeps().empty() || getCoreNum() || getGate();
  if (hasSpec && !isDeviceScope() && getKind() != ScopeKind::Graph)
    return emitOpError("of kind '") << stringifyScopeKind(getKind())
                                    << "' takes no deps, core_num or predicate";
  for (auto [i, dep] : llvm::enumerate(getDeps()))
    if (auto array = dyn_cast<ArrayType>(dep.getType()))
      if (!isa<TaskIdType>(array.getElementType()))
        return emitOpError("dependency #")
               << i << " must be a task id or an array of task ids, got "
               << dep.getType();
  return verifyPredicate(*this, getGate(), getGateIndices(),
                         getStaticGateIndices(), getGateComparison(),
                         getGateRhs());
}

LogicalResult ScopeOp::verifyRegions() {
  unsigned numYielded = getYield().getNumOperands();
  unsigned numResults = getOuts().size();
  bool hasTaskId = numResults == numYielded + 1 &&
                   isa<TaskIdType>(getOuts().back().getType());
  if (numResults != numYielded && !hasTaskId)
    return emitOpError("has ")
           << numResults << " results, but its region yields " << numYielded
           << " values";
  if (hasTaskId && !isDeviceScope())
    return emitOpError("of kind '")
           << stringifyScopeKind(getKind()) << "' has no task id";
  // That results have the types of the yielded values is checked with the
  // interface of branches.
  return success();
}

//===----------------------------------------------------------------------===//
// LoadOp and StoreOp
//===----------------------------------------------------------------------===//

LogicalResult LoadOp::verify() {
  return verifyTile(*this, getTensor(getSource()),
                    cast<RankedTensorType>(getResult().getType()),
                    getStaticOffsets(), getOffsets());
}

LogicalResult StoreOp::verify() {
  return verifyTile(*this, getTensor(getDest()),
                    cast<RankedTensorType>(getValue().getType()),
                    getStaticOffsets(), getOffsets());
}

void StoreOp::getEffects(EffectList &effects) {
  if (getAtomicAdd())
    effects.emplace_back(MemoryEffects::Read::get(), &getDestMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable());
}
