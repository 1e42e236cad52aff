//===- ShapeInference.cpp - Result types of nodes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Asc/ShapeInference.h"

using namespace mlir;
using namespace mlir::pypto::asc;
using namespace mlir::pypto::asc::detail;

LogicalResult InferenceSite::fail(const Twine &message) const {
  return emitOptionalError(loc, "'", opName, "' op ", message);
}

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The type of a tile, or null after an error.
static RankedTensorType getTile(InferenceSite site, Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  if (tile && isTileOf(tile, isElementType))
    return tile;
  (void)site.fail("expects a tile (tensor of known positive extents), got " +
                  Twine(toString(value.getType())));
  return {};
}

static LogicalResult checkAxis(InferenceSite site, RankedTensorType tile,
                               int64_t axis) {
  if (axis >= 0 && axis < tile.getRank())
    return success();
  return site.fail("axis " + Twine(axis) + " is out of the rank " +
                   Twine(tile.getRank()));
}

/// Adds a tile type; an error when it has too many elements.
static LogicalResult addTile(InferenceSite site, ArrayRef<int64_t> shape,
                             Type elementType, TypeList &types) {
  auto tile = RankedTensorType::get(shape, elementType);
  if (!isTileOf(tile, isElementType))
    return site.fail("result would have more elements than a tile may");
  types.push_back(tile);
  return success();
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// The common tile type of values of one element type, or null after an error.
static RankedTensorType getCommonTile(InferenceSite site, ValueRange values) {
  RankedTensorType tile;
  Type element = getElementOrSelf(values.front().getType());
  for (Value value : values) {
    Type type = value.getType();
    if (tile && type == tile)
      continue;
    if (getElementOrSelf(type) != element) {
      (void)site.fail("operands have element types " +
                      Twine(toString(element)) + " and " +
                      toString(getElementOrSelf(type)) + "; use 'asc.cast'");
      return {};
    }
    if (!isa<RankedTensorType>(type))
      continue;
    RankedTensorType other = getTile(site, value);
    if (!other)
      return {};
    if (tile && tile != other) {
      (void)site.fail("operands have types " + Twine(toString(tile)) + " and " +
                      toString(other) + "; use 'asc.broadcast'");
      return {};
    }
    tile = other;
  }
  if (!tile)
    (void)site.fail("expects a tile among its operands");
  return tile;
}

LogicalResult mlir::pypto::asc::detail::inferElementwise(InferenceSite site,
                                                         ValueRange operands,
                                                         TypeList &types) {
  RankedTensorType tile = getCommonTile(site, operands);
  if (!tile)
    return failure();
  types.push_back(tile);
  return success();
}

LogicalResult mlir::pypto::asc::detail::inferCompare(InferenceSite site,
                                                     ValueRange operands,
                                                     TypeList &types) {
  RankedTensorType tile = getCommonTile(site, operands);
  if (!tile)
    return failure();
  types.push_back(tile.clone(IntegerType::get(tile.getContext(), 1)));
  return success();
}

LogicalResult mlir::pypto::asc::detail::inferChoice(InferenceSite site,
                                                    ValueRange operands,
                                                    TypeList &types) {
  Value condition = operands.front();
  ValueRange arms = operands.drop_front();
  bool hasTile = llvm::any_of(
      arms, [](Value arm) { return isa<RankedTensorType>(arm.getType()); });
  if (hasTile) {
    RankedTensorType tile = getCommonTile(site, arms);
    if (!tile)
      return failure();
    auto shape = dyn_cast<RankedTensorType>(condition.getType());
    if (shape && shape.getShape() != tile.getShape())
      return site.fail("condition has type " + Twine(toString(shape)) +
                       ", the values have " + toString(tile) +
                       "; use 'asc.broadcast'");
    types.push_back(tile);
    return success();
  }
  // Two scalars: the shape is the condition's.
  if (arms[0].getType() != arms[1].getType())
    return site.fail("operands have element types " +
                     Twine(toString(arms[0].getType())) + " and " +
                     toString(arms[1].getType()) + "; use 'asc.cast'");
  if (!isElementType(arms[0].getType()) ||
      !isa<RankedTensorType>(condition.getType()))
    return site.fail("expects a tile among its operands");
  RankedTensorType tile = getTile(site, condition);
  if (!tile)
    return failure();
  types.push_back(tile.clone(arms[0].getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult
mlir::pypto::asc::detail::inferTranspose(InferenceSite site, Value source,
                                         ArrayRef<int64_t> permutation,
                                         TypeList &types) {
  RankedTensorType tile = getTile(site, source);
  if (!tile)
    return failure();
  SmallVector<int64_t> shape;
  SmallVector<bool> seen(tile.getRank());
  for (int64_t axis : permutation) {
    if (axis < 0 || axis >= tile.getRank() || seen[axis])
      break;
    seen[axis] = true;
    shape.push_back(tile.getDimSize(axis));
  }
  if (static_cast<int64_t>(shape.size()) != tile.getRank() ||
      permutation.size() != shape.size())
    return site.fail("expects a permutation of the " + Twine(tile.getRank()) +
                     " axes");
  types.push_back(tile.clone(shape));
  return success();
}

LogicalResult mlir::pypto::asc::detail::inferConcat(InferenceSite site,
                                                    ValueRange sources,
                                                    int64_t axis,
                                                    TypeList &types) {
  if (sources.empty())
    return site.fail("expects at least one operand");
  RankedTensorType first = getTile(site, sources.front());
  if (!first || failed(checkAxis(site, first, axis)))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  for (Value source : sources.drop_front()) {
    RankedTensorType tile = getTile(site, source);
    if (!tile)
      return failure();
    SmallVector<int64_t> others(tile.getShape());
    if (others.size() == shape.size())
      others[axis] = shape[axis];
    if (ArrayRef<int64_t>(others) != ArrayRef<int64_t>(shape) ||
        tile.getElementType() != first.getElementType())
      return site.fail("operands have types " + Twine(toString(first)) +
                       " and " + toString(tile) +
                       ", which differ in more than axis " + Twine(axis));
    if (tile.getDimSize(axis) > kMaxTileElements - shape[axis])
      return site.fail("result would have more elements than a tile may");
    shape[axis] += tile.getDimSize(axis);
  }
  return addTile(site, shape, first.getElementType(), types);
}

LogicalResult mlir::pypto::asc::detail::inferSplit(InferenceSite site,
                                                   Value source, int64_t axis,
                                                   ArrayRef<int64_t> sizes,
                                                   TypeList &types) {
  RankedTensorType tile = getTile(site, source);
  if (!tile || failed(checkAxis(site, tile, axis)))
    return failure();
  int64_t left = tile.getDimSize(axis);
  SmallVector<int64_t> shape(tile.getShape());
  for (int64_t size : sizes) {
    if (size <= 0 || size > left)
      return site.fail("expects positive sizes that add up to the extent " +
                       Twine(tile.getDimSize(axis)));
    left -= size;
    shape[axis] = size;
    types.push_back(tile.clone(shape));
  }
  if (left != 0)
    return site.fail("expects positive sizes that add up to the extent " +
                     Twine(tile.getDimSize(axis)));
  return success();
}

LogicalResult mlir::pypto::asc::detail::inferGather(InferenceSite site,
                                                    Value source, Value indices,
                                                    int64_t axis,
                                                    TypeList &types) {
  RankedTensorType tile = getTile(site, source);
  RankedTensorType picked = tile ? getTile(site, indices) : tile;
  if (!picked || failed(checkAxis(site, tile, axis)))
    return failure();
  SmallVector<int64_t> shape(tile.getShape().take_front(axis));
  llvm::append_range(shape, picked.getShape());
  llvm::append_range(shape, tile.getShape().drop_front(axis + 1));
  return addTile(site, shape, tile.getElementType(), types);
}

//===----------------------------------------------------------------------===//
// Reductions and products
//===----------------------------------------------------------------------===//

LogicalResult mlir::pypto::asc::detail::inferReduction(InferenceSite site,
                                                       Value source,
                                                       ArrayRef<int64_t> axes,
                                                       TypeList &types) {
  RankedTensorType tile = getTile(site, source);
  if (!tile)
    return failure();
  SmallVector<int64_t> shape(tile.getShape());
  SmallVector<bool> seen(tile.getRank());
  for (int64_t axis : axes) {
    if (failed(checkAxis(site, tile, axis)))
      return failure();
    if (seen[axis])
      return site.fail("names axis " + Twine(axis) + " twice");
    seen[axis] = true;
    shape[axis] = 1;
  }
  types.push_back(tile.clone(shape));
  return success();
}

LogicalResult mlir::pypto::asc::detail::inferMatmul(InferenceSite site,
                                                    Value lhs, Value rhs,
                                                    TypeList &types) {
  RankedTensorType left = getTile(site, lhs);
  RankedTensorType right = left ? getTile(site, rhs) : left;
  if (!right)
    return failure();
  int64_t rank = left.getRank();
  if (rank < 2 || right.getRank() != rank ||
      left.getShape().drop_back(2) != right.getShape().drop_back(2) ||
      left.getDimSize(rank - 1) != right.getDimSize(rank - 2) ||
      left.getElementType() != right.getElementType())
    return site.fail("cannot multiply " + Twine(toString(left)) + " by " +
                     toString(right));
  SmallVector<int64_t> shape(left.getShape());
  shape.back() = right.getShape().back();
  return addTile(site, shape, left.getElementType(), types);
}
