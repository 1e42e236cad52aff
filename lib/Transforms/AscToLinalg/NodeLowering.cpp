//===- NodeLowering.cpp - Nodes as linalg on tensors ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/AscToLinalg/NodeLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

/// Partial results of a reduction; see the numerics of the dialect.
static constexpr int64_t kLanes = 16;

void NodeLowering::lower(Operation *op) {
  loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LoadOp load) { lowerLoad(load); })
      .Case([&](StoreOp store) { lowerStore(store); })
      .Case([&](ScalarOp scalar) { lowerScalar(scalar); })
      .Case([&](CastOp cast) { lowerCast(cast); })
      .Case([&](BroadcastOp broadcast) { lowerBroadcast(broadcast); })
      .Case([&](TransposeOp transpose) {
        SmallVector<unsigned> inverse(transpose.getPermutation().size());
        for (auto [to, from] : llvm::enumerate(transpose.getPermutation()))
          inverse[from] = to;
        lowerMove(transpose,
                  AffineMap::getPermutationMap(inverse, rewriter.getContext()));
      })
      .Case([&](ConcatOp concat) { lowerConcat(concat); })
      .Case([&](SplitOp split) { lowerSplit(split); })
      .Case([&](GatherOp gather) { lowerGather(gather); })
      .Case<SumOp, MeanOp, MaxOp, MinOp>([&](auto reduction) {
        lowerReduction(reduction, reduction.getAxes());
      })
      .Case([&](MatmulOp matmul) { lowerMatmul(matmul); })
      .Case([&](NodeOpInterface) { lowerElementwise(op); })
      .Default([](Operation *) {});
}

RankedTensorType NodeLowering::getTileType(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  return type.clone(getStorage(type.getElementType()));
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

Value NodeLowering::makeFilled(RankedTensorType type, TypedAttr value) {
  Value scalar = arith::ConstantOp::create(rewriter, loc, value);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  return linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
}

Value NodeLowering::makeGeneric(RankedTensorType result, ValueRange operands,
                                ArrayRef<AffineMap> maps, ElementFn fn) {
  SmallVector<Value> tiles;
  SmallVector<AffineMap> tileMaps;
  for (auto [operand, map] : llvm::zip(operands, maps))
    if (isa<RankedTensorType>(operand.getType())) {
      tiles.push_back(operand);
      tileMaps.push_back(map);
    }
  tileMaps.push_back(rewriter.getMultiDimIdentityMap(result.getRank()));
  SmallVector<utils::IteratorType> iterators(result.getRank(),
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(rewriter, loc, result.getShape(),
                                        result.getElementType());
  auto body = [&](OpBuilder &nested, Location nestedLoc, ValueRange arguments) {
    ImplicitLocOpBuilder builder(nestedLoc, nested);
    SmallVector<Value> elements(operands);
    size_t next = 0;
    for (Value &element : elements)
      if (isa<RankedTensorType>(element.getType()))
        element = arguments[next++];
    linalg::YieldOp::create(builder, fn(builder, elements));
  };
  return linalg::GenericOp::create(rewriter, loc, result, tiles, empty,
                                   tileMaps, iterators, body)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Memory and scalars
//===----------------------------------------------------------------------===//

/// A truth value out of a tile, and into one.
static Value toTruth(ImplicitLocOpBuilder &builder, Value element) {
  Value zero = arith::ConstantOp::create(builder, builder.getI8IntegerAttr(0));
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, element,
                               zero);
}

static Value fromTruth(ImplicitLocOpBuilder &builder, Value truth) {
  return arith::ExtUIOp::create(builder, builder.getI8Type(), truth);
}

/// What no node makes has the types that others give it: it is turned into what
/// nodes are lowered to once, where it is made.
Value NodeLowering::importValue(Value value) {
  Type element = getElementOrSelf(value.getType());
  bool isTile = isa<RankedTensorType>(value.getType());
  Type wanted = isTile ? getStorage(element) : getSignless(element);
  if (!isElementType(element) || wanted == element)
    return value;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  Type type = withElementType(value.getType(), wanted);
  if (!element.isInteger(1))
    return UnrealizedConversionCastOp::create(rewriter, loc, type, value)
        .getResult(0);
  auto tile = cast<RankedTensorType>(type);
  return makeGeneric(tile, value,
                     rewriter.getMultiDimIdentityMap(tile.getRank()),
                     [](ImplicitLocOpBuilder &builder, ValueRange elements) {
                       return fromTruth(builder, elements[0]);
                     });
}

Value NodeLowering::get(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  Value imported = importValue(value);
  values[value] = imported;
  return imported;
}

void NodeLowering::lowerLoad(LoadOp op) {
  RankedTensorType type = getTileType(op.getResult());
  bool isTruth = getElementOrSelf(op.getType()).isInteger(1);
  Value tile = graph::LoadOp::create(
      rewriter, loc, isTruth ? op.getType() : type, op.getSource(),
      op.getOffsets(), op.getStaticOffsets());
  if (isTruth)
    tile =
        makeGeneric(type, tile, rewriter.getMultiDimIdentityMap(type.getRank()),
                    [](ImplicitLocOpBuilder &builder, ValueRange elements) {
                      return fromTruth(builder, elements[0]);
                    });
  values[op.getResult()] = tile;
}

void NodeLowering::lowerStore(StoreOp op) {
  Value tile = get(op.getValue());
  auto type = cast<RankedTensorType>(op.getValue().getType());
  if (type.getElementType().isInteger(1))
    tile =
        makeGeneric(type, tile, rewriter.getMultiDimIdentityMap(type.getRank()),
                    [](ImplicitLocOpBuilder &builder, ValueRange elements) {
                      return toTruth(builder, elements[0]);
                    });
  graph::StoreOp::create(rewriter, loc, tile, op.getDest(), op.getOffsets(),
                         op.getStaticOffsets(), /*atomic_add=*/false);
}

void NodeLowering::lowerScalar(ScalarOp op) {
  TypedAttr value = op.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(value))
    value =
        rewriter.getIntegerAttr(getSignless(op.getType()), integer.getValue());
  values[op.getResult()] = arith::ConstantOp::create(rewriter, loc, value);
}

void NodeLowering::lowerCast(CastOp op) {
  if (isa<RankedTensorType>(op.getType()))
    return lowerElementwise(op);
  ImplicitLocOpBuilder builder(loc, rewriter);
  values[op.getResult()] = buildElement(builder, op, get(op.getSource()));
}

//===----------------------------------------------------------------------===//
// Elementwise and moves
//===----------------------------------------------------------------------===//

void NodeLowering::lowerElementwise(Operation *op) {
  RankedTensorType type = getTileType(op->getResult(0));
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return get(operand); });
  SmallVector<AffineMap> maps(operands.size(),
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  values[op->getResult(0)] = makeGeneric(
      type, operands, maps,
      [&](ImplicitLocOpBuilder &builder, ValueRange elements) {
        SmallVector<Value> inputs(elements);
        for (auto [input, operand] : llvm::zip(inputs, op->getOperands()))
          if (isa<RankedTensorType>(operand.getType()) &&
              getElementOrSelf(operand.getType()).isInteger(1))
            input = toTruth(builder, input);
        Value result = buildElement(builder, op, inputs);
        bool isTruth =
            getElementOrSelf(op->getResult(0).getType()).isInteger(1);
        return isTruth ? fromTruth(builder, result) : result;
      });
}

/// A node whose elements are those of its first operand, read through a map.
void NodeLowering::lowerMove(Operation *op, AffineMap sourceMap) {
  values[op->getResult(0)] = makeGeneric(
      getTileType(op->getResult(0)), get(op->getOperand(0)), sourceMap,
      [](ImplicitLocOpBuilder &builder, ValueRange elements) {
        // A scalar truth value is broadcast.
        bool isTruth = elements[0].getType().isInteger(1);
        return isTruth ? fromTruth(builder, elements[0]) : elements[0];
      });
}

void NodeLowering::lowerBroadcast(BroadcastOp op) {
  RankedTensorType type = getTileType(op.getResult());
  SmallVector<AffineExpr> source;
  if (auto tile = dyn_cast<RankedTensorType>(op.getSource().getType())) {
    int64_t missing = type.getRank() - tile.getRank();
    for (auto [axis, extent] : llvm::enumerate(tile.getShape()))
      source.push_back(extent == 1 ? rewriter.getAffineConstantExpr(0)
                                   : rewriter.getAffineDimExpr(axis + missing));
  }
  lowerMove(op,
            AffineMap::get(type.getRank(), 0, source, rewriter.getContext()));
}

void NodeLowering::lowerConcat(ConcatOp op) {
  RankedTensorType type = getTileType(op.getResult());
  Value result = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                         type.getElementType());
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
  int64_t start = 0;
  for (Value source : op.getSources()) {
    RankedTensorType part = getTileType(source);
    offsets[op.getAxis()] = rewriter.getIndexAttr(start);
    start += part.getDimSize(op.getAxis());
    result = tensor::InsertSliceOp::create(
        rewriter, loc, get(source), result, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), part.getShape()),
        strides);
  }
  values[op.getResult()] = result;
}

void NodeLowering::lowerSplit(SplitOp op) {
  int64_t rank = getTileType(op.getSource()).getRank();
  SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(rank, rewriter.getIndexAttr(1));
  int64_t start = 0;
  for (Value result : op.getResults()) {
    RankedTensorType part = getTileType(result);
    offsets[op.getAxis()] = rewriter.getIndexAttr(start);
    start += part.getDimSize(op.getAxis());
    values[result] = tensor::ExtractSliceOp::create(
        rewriter, loc, part, get(op.getSource()), offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), part.getShape()),
        strides);
  }
}

/// Reads the nearest slice where an index is out of range.
void NodeLowering::lowerGather(GatherOp op) {
  RankedTensorType type = getTileType(op.getResult());
  RankedTensorType source = getTileType(op.getSource());
  int64_t axis = op.getAxis(), count = getTileType(op.getIndices()).getRank();
  Value from = get(op.getSource());
  SmallVector<AffineExpr> indexDims;
  for (int64_t i = 0; i < count; ++i)
    indexDims.push_back(rewriter.getAffineDimExpr(axis + i));
  AffineMap map =
      AffineMap::get(type.getRank(), 0, indexDims, rewriter.getContext());
  values[op.getResult()] = makeGeneric(
      type, get(op.getIndices()), map,
      [&](ImplicitLocOpBuilder &builder, ValueRange elements) -> Value {
        Value index = arith::IndexCastOp::create(
            builder, builder.getIndexType(), elements[0]);
        Value zero = arith::ConstantIndexOp::create(builder, 0);
        Value last = arith::ConstantIndexOp::create(
            builder, source.getDimSize(axis) - 1);
        index = arith::MaxSIOp::create(builder, index, zero);
        index = arith::MinSIOp::create(builder, index, last);
        SmallVector<Value> indices;
        for (int64_t i = 0; i < source.getRank(); ++i)
          indices.push_back(i == axis
                                ? index
                                : Value(linalg::IndexOp::create(
                                      builder, i < axis ? i : i + count - 1)));
        return tensor::ExtractOp::create(builder, from, indices);
      });
}

//===----------------------------------------------------------------------===//
// Reductions and products
//===----------------------------------------------------------------------===//

/// The type that adds up elements of a type.
static Type getSumType(Type element) {
  return isLowFloat(element) ? Type(Float32Type::get(element.getContext()))
                             : element;
}

/// Where a reduction starts: zero, or the element every other one replaces.
static TypedAttr getInitial(Operation *op, Type element, Type sumType,
                            Builder &builder) {
  bool isMax = isa<MaxOp>(op), isMin = isa<MinOp>(op);
  Type signless = getStorage(sumType);
  if (!isMax && !isMin)
    return builder.getZeroAttr(signless);
  if (auto floating = dyn_cast<FloatType>(sumType))
    return FloatAttr::get(floating,
                          APFloat::getInf(floating.getFloatSemantics(), isMax));
  unsigned width = signless.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  APInt least = isUnsigned ? APInt(width, 0) : APInt::getSignedMinValue(width);
  APInt most =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  return IntegerAttr::get(signless, isMax ? least : most);
}

/// The larger or smaller of two floating numbers, NaN if one is, -0 below +0.
/// Not `arith.maximumf`: vectorized, it may lose the sign of a zero.
static Value combineExtremes(ImplicitLocOpBuilder &builder, bool isMax, Value a,
                             Value b) {
  Type type = a.getType();
  Type bitsType = builder.getIntegerType(type.getIntOrFloatBitWidth());
  auto compare = [&](arith::CmpFPredicate predicate) -> Value {
    return arith::CmpFOp::create(builder, predicate, a, b);
  };
  auto toBits = [&](Value value) -> Value {
    return arith::BitcastOp::create(builder, bitsType, value);
  };
  Value first =
      compare(isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT);
  Value result = arith::SelectOp::create(builder, first, a, b);
  // Equal numbers differ in the sign of a zero at most.
  Value bits = isMax
                   ? Value(arith::AndIOp::create(builder, toBits(a), toBits(b)))
                   : Value(arith::OrIOp::create(builder, toBits(a), toBits(b)));
  Value zero = arith::BitcastOp::create(builder, type, bits);
  result = arith::SelectOp::create(builder, compare(arith::CmpFPredicate::OEQ),
                                   zero, result);
  Value nan = arith::AddFOp::create(builder, a, b);
  return arith::SelectOp::create(builder, compare(arith::CmpFPredicate::UNO),
                                 nan, result);
}

/// One step of a reduction.
static Value combine(ImplicitLocOpBuilder &builder, Operation *op, Type element,
                     Value sum, Value next) {
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  if (isa<FloatType>(sum.getType())) {
    if (isa<MaxOp, MinOp>(op))
      return combineExtremes(builder, isa<MaxOp>(op), sum, next);
    return arith::AddFOp::create(builder, sum, next);
  }
  if (isa<MaxOp>(op))
    return isUnsigned ? Value(arith::MaxUIOp::create(builder, sum, next))
                      : Value(arith::MaxSIOp::create(builder, sum, next));
  if (isa<MinOp>(op))
    return isUnsigned ? Value(arith::MinUIOp::create(builder, sum, next))
                      : Value(arith::MinSIOp::create(builder, sum, next));
  return arith::AddIOp::create(builder, sum, next);
}

namespace {
/// The loops of a reduction: the axes of the source in their order, the last
/// one in two where there are several partial results.
struct ReductionLoops {
  ReductionLoops(RankedTensorType source, ArrayRef<int64_t> axes,
                 MLIRContext *context) {
    int64_t rank = source.getRank();
    SmallVector<bool> isReduced(rank);
    for (int64_t axis : axes)
      isReduced[axis] = true;
    bool hasLanes = rank > 0 && isReduced[rank - 1] &&
                    source.getShape().back() % kLanes == 0;
    for (int64_t axis = 0; axis < rank; ++axis) {
      AffineExpr dim = getAffineDimExpr(axis, context);
      if (hasLanes && axis == rank - 1) {
        sourceExprs.push_back(dim * kLanes + getAffineDimExpr(rank, context));
        outer = source.getDimSize(axis) / kLanes;
      } else {
        sourceExprs.push_back(dim);
      }
      iterators.push_back(isReduced[axis] ? utils::IteratorType::reduction
                                          : utils::IteratorType::parallel);
      if (!isReduced[axis]) {
        keptExprs.push_back(dim);
        keptShape.push_back(source.getDimSize(axis));
      }
    }
    partialExprs = keptExprs;
    partialShape = keptShape;
    if (hasLanes) {
      iterators.push_back(utils::IteratorType::parallel);
      partialExprs.push_back(getAffineDimExpr(rank, context));
      partialShape.push_back(kLanes);
    }
  }

  /// Extent of the loop over groups of lanes; zero without lanes.
  int64_t outer = 0;
  SmallVector<AffineExpr> sourceExprs, keptExprs, partialExprs;
  SmallVector<int64_t> keptShape, partialShape;
  SmallVector<utils::IteratorType> iterators;
};
} // namespace

void NodeLowering::lowerReduction(Operation *op, ArrayRef<int64_t> axes) {
  MLIRContext *context = rewriter.getContext();
  Value source = get(op->getOperand(0));
  auto sourceType = cast<RankedTensorType>(source.getType());
  Type element = getElementOrSelf(op->getOperand(0).getType());
  Type sumType = getStorage(getSumType(element));
  ReductionLoops loops(sourceType, axes, context);
  unsigned numLoops = loops.iterators.size();
  auto map = [&](unsigned dims, ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(dims, 0, exprs, context);
  };
  auto makeBody = [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
    ImplicitLocOpBuilder builder(nestedLoc, nested);
    Value next = args.front();
    if (next.getType() != sumType)
      next = buildCast(builder, next, element, sumType);
    linalg::YieldOp::create(builder,
                            combine(builder, op, element, args.back(), next));
  };
  TypedAttr initial = getInitial(op, element, sumType, rewriter);

  // Partial results.
  SmallVector<Value> inputs = {source};
  SmallVector<AffineMap> maps = {map(numLoops, loops.sourceExprs)};
  if (loops.outer) {
    // The extent of the loop over groups, which no operand has as an axis.
    inputs.push_back(tensor::EmptyOp::create(
        rewriter, loc, ArrayRef<int64_t>{loops.outer}, sumType));
    maps.push_back(
        map(numLoops, getAffineDimExpr(sourceType.getRank() - 1, context)));
  }
  maps.push_back(map(numLoops, loops.partialExprs));
  auto partialType = RankedTensorType::get(loops.partialShape, sumType);
  Value result = linalg::GenericOp::create(rewriter, loc, partialType, inputs,
                                           makeFilled(partialType, initial),
                                           maps, loops.iterators, makeBody)
                     .getResult(0);

  // Those of the lanes together.
  if (loops.outer) {
    unsigned rank = loops.keptShape.size();
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    auto keptType = RankedTensorType::get(loops.keptShape, sumType);
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank + 1);
    result =
        linalg::GenericOp::create(
            rewriter, loc, keptType, result, makeFilled(keptType, initial),
            ArrayRef<AffineMap>{identity, identity.dropResult(rank)}, iterators,
            [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
              ImplicitLocOpBuilder builder(nestedLoc, nested);
              linalg::YieldOp::create(
                  builder, combine(builder, op, element, args[1], args[0]));
            })
            .getResult(0);
  }

  // The shape with the reduced axes, in the type of the result.
  RankedTensorType type = getTileType(op->getResult(0));
  int64_t count = 1;
  for (int64_t axis : axes)
    count *= sourceType.getDimSize(axis);
  values[op->getResult(0)] = makeGeneric(
      type, result, map(type.getRank(), loops.keptExprs),
      [&](ImplicitLocOpBuilder &builder, ValueRange elements) {
        Value value = elements[0];
        if (isa<MeanOp>(op))
          value = arith::DivFOp::create(
              builder, value,
              arith::ConstantOp::create(
                  builder, builder.getFloatAttr(sumType, double(count))));
        return buildCast(builder, value, sumType, type.getElementType());
      });
}

void NodeLowering::lowerMatmul(MatmulOp op) {
  MLIRContext *context = rewriter.getContext();
  RankedTensorType type = getTileType(op.getResult());
  Type sumType = getSumType(type.getElementType());
  unsigned rank = type.getRank();
  // Loops: batches, rows, products, columns.
  SmallVector<AffineExpr> batches, lhs, rhs, result;
  for (unsigned i = 0; i + 2 < rank; ++i)
    batches.push_back(getAffineDimExpr(i, context));
  AffineExpr row = getAffineDimExpr(rank - 2, context);
  AffineExpr inner = getAffineDimExpr(rank - 1, context);
  AffineExpr column = getAffineDimExpr(rank, context);
  auto makeMap = [&](AffineExpr first, AffineExpr second) {
    SmallVector<AffineExpr> exprs(batches);
    exprs.append({first, second});
    return AffineMap::get(rank + 1, 0, exprs, context);
  };
  SmallVector<utils::IteratorType> iterators(rank + 1,
                                             utils::IteratorType::parallel);
  iterators[rank - 1] = utils::IteratorType::reduction;
  auto sums = RankedTensorType::get(type.getShape(), sumType);
  Value product =
      linalg::GenericOp::create(
          rewriter, loc, sums, ValueRange{get(op.getLhs()), get(op.getRhs())},
          makeFilled(sums, rewriter.getZeroAttr(sumType)),
          ArrayRef<AffineMap>{makeMap(row, inner), makeMap(inner, column),
                              makeMap(row, column)},
          iterators,
          [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
            ImplicitLocOpBuilder builder(nestedLoc, nested);
            Type element = type.getElementType();
            Value a = buildCast(builder, args[0], element, sumType);
            Value b = buildCast(builder, args[1], element, sumType);
            Value next = arith::MulFOp::create(builder, a, b);
            linalg::YieldOp::create(
                builder, Value(arith::AddFOp::create(builder, args[2], next)));
          })
          .getResult(0);
  if (sumType == type.getElementType()) {
    values[op.getResult()] = product;
    return;
  }
  values[op.getResult()] = makeGeneric(
      type, product, rewriter.getMultiDimIdentityMap(rank),
      [&](ImplicitLocOpBuilder &builder, ValueRange elements) {
        return buildCast(builder, elements[0], sumType, type.getElementType());
      });
}
