//===- Tile.cpp - Tensor values in kernel bodies --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Tile.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pypto::runtime;

int64_t Tile::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::shared_ptr<Tile> mlir::pypto::runtime::makeTile(ArrayRef<int64_t> shape,
                                                     ElementType type) {
  auto tile = std::make_shared<Tile>();
  tile->shape.assign(shape.begin(), shape.end());
  tile->type = type;
  tile->elements.resize(tile->getNumElements());
  return tile;
}

/// A tile of more elements is refused rather than swapped.
static constexpr int64_t kMaxTileElements = int64_t(1) << 28;

TilePtr mlir::pypto::runtime::makeConstantTile(Attribute value) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || !elements.getType().hasStaticShape() ||
      elements.getNumElements() > kMaxTileElements)
    return nullptr;
  std::optional<ElementType> type = getElementType(elements.getElementType());
  if (!type)
    return nullptr;
  auto tile = makeTile(elements.getType().getShape(), *type);
  int64_t next = 0;
  if (isa<FloatType>(elements.getElementType())) {
    for (APFloat element : elements.getValues<APFloat>())
      tile->elements[next++] = element.bitcastToAPInt().getZExtValue();
  } else {
    for (APInt element : elements.getValues<APInt>())
      tile->elements[next++] = element.getZExtValue();
  }
  return tile;
}

//===----------------------------------------------------------------------===//
// The tensor dialect
//===----------------------------------------------------------------------===//

using Values = ArrayRef<KernelValue>;
using Results = SmallVectorImpl<KernelValue>;

static const Tile &getTile(const KernelValue &value) {
  return *std::get<TilePtr>(value);
}
static int64_t getInt(const KernelValue &value) {
  return static_cast<int64_t>(std::get<uint64_t>(value));
}

/// Extents of a result: the dynamic ones are operands.
static SmallVector<int64_t> getShape(ShapedType type, Values dynamic) {
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent)) {
      extent = getInt(dynamic.front());
      dynamic = dynamic.drop_front();
    }
  return shape;
}

static std::shared_ptr<Tile> makeChecked(Type type, ArrayRef<int64_t> shape,
                                         std::string &error) {
  std::optional<ElementType> element =
      getElementType(cast<ShapedType>(type).getElementType());
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent < 0 || llvm::MulOverflow(count, extent, count) ||
        count > kMaxTileElements)
      element.reset();
  if (element)
    return makeTile(shape, *element);
  error = "makes a tile of a type or size that is not interpreted";
  return nullptr;
}

/// Row-major number of an index; nothing when it is out of the extents.
static std::optional<int64_t> linearize(const Tile &tile, Values indices,
                                        std::string &error) {
  int64_t offset = 0;
  for (auto [extent, index] : llvm::zip_equal(tile.shape, indices)) {
    int64_t position = getInt(index);
    if (position < 0 || position >= extent) {
      error = "takes an element outside of its tile";
      return std::nullopt;
    }
    offset = offset * extent + position;
  }
  return offset;
}

/// Offsets, sizes and strides of a slice of a tile.
struct TileSlice {
  SmallVector<int64_t> offsets, sizes, strides;
};

template <typename SliceOp>
static std::optional<TileSlice> getSlice(SliceOp op, const Tile &tile,
                                         Values dynamic, std::string &error) {
  TileSlice slice;
  auto read = [&](ArrayRef<int64_t> literals) {
    SmallVector<int64_t> values(literals);
    for (int64_t &value : values)
      if (ShapedType::isDynamic(value)) {
        value = getInt(dynamic.front());
        dynamic = dynamic.drop_front();
      }
    return values;
  };
  slice.offsets = read(op.getStaticOffsets());
  slice.sizes = read(op.getStaticSizes());
  slice.strides = read(op.getStaticStrides());
  for (auto [offset, size, stride, extent] :
       llvm::zip_equal(slice.offsets, slice.sizes, slice.strides, tile.shape)) {
    int64_t last = 0;
    if (offset < 0 || size < 0 || stride <= 0 ||
        (size > 0 &&
         (llvm::MulOverflow(size - 1, stride, last) ||
          llvm::AddOverflow(last, offset, last) || last >= extent))) {
      error = "takes a slice that leaves its tile";
      return std::nullopt;
    }
  }
  return slice;
}

/// Calls `visit` with the number of each element of the slice in the tile.
static void forEach(const TileSlice &slice, ArrayRef<int64_t> shape,
                    llvm::function_ref<void(int64_t)> visit) {
  int64_t count = 1;
  for (int64_t size : slice.sizes)
    count *= size;
  for (int64_t i = 0; i != count; ++i) {
    int64_t rest = i, offset = 0, scale = 1;
    for (int axis = shape.size() - 1; axis >= 0; --axis) {
      int64_t position = rest % slice.sizes[axis];
      rest /= slice.sizes[axis];
      offset += (slice.offsets[axis] + position * slice.strides[axis]) * scale;
      scale *= shape[axis];
    }
    visit(offset);
  }
}

static bool makeEmpty(Operation *op, Values in, Results &out, std::string &e) {
  auto type = cast<ShapedType>(op->getResult(0).getType());
  out.push_back(makeChecked(type, getShape(type, in), e));
  return std::get<TilePtr>(out.back()) != nullptr;
}

static bool splat(Operation *op, Values in, Results &out, std::string &e) {
  auto type = cast<ShapedType>(op->getResult(0).getType());
  auto tile = makeChecked(type, getShape(type, in.drop_front()), e);
  if (!tile)
    return false;
  llvm::fill(tile->elements, std::get<uint64_t>(in[0]));
  out.push_back(TilePtr(tile));
  return true;
}

static bool fromElements(Operation *op, Values in, Results &out,
                         std::string &e) {
  auto type = cast<ShapedType>(op->getResult(0).getType());
  auto tile = makeChecked(type, type.getShape(), e);
  if (!tile)
    return false;
  for (auto [element, value] : llvm::zip_equal(tile->elements, in))
    element = std::get<uint64_t>(value);
  out.push_back(TilePtr(tile));
  return true;
}

static bool extract(Operation *, Values in, Results &out, std::string &e) {
  const Tile &tile = getTile(in[0]);
  std::optional<int64_t> offset = linearize(tile, in.drop_front(), e);
  if (offset)
    out.push_back(tile.elements[*offset]);
  return offset.has_value();
}

static bool insert(Operation *, Values in, Results &out, std::string &e) {
  auto tile = std::make_shared<Tile>(getTile(in[1]));
  std::optional<int64_t> offset = linearize(*tile, in.drop_front(2), e);
  if (!offset)
    return false;
  tile->elements[*offset] = std::get<uint64_t>(in[0]);
  out.push_back(TilePtr(tile));
  return true;
}

static bool dim(Operation *, Values in, Results &out, std::string &e) {
  const Tile &tile = getTile(in[0]);
  uint64_t axis = std::get<uint64_t>(in[1]);
  if (axis >= tile.shape.size()) {
    e = "takes an extent beyond the rank";
    return false;
  }
  out.push_back(static_cast<uint64_t>(tile.shape[axis]));
  return true;
}

static bool castTile(Operation *op, Values in, Results &out, std::string &e) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type ||
      failed(verifyCompatibleShape(type.getShape(), getTile(in[0]).shape))) {
    e = "casts to extents that the tile does not have";
    return false;
  }
  out.push_back(in[0]);
  return true;
}

/// The same elements under another static shape.
static bool reshape(Operation *op, Values in, Results &out, std::string &e) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() ||
      type.getNumElements() != getTile(in[0]).getNumElements()) {
    e = "reshapes to extents that are dynamic or hold another count";
    return false;
  }
  auto tile = std::make_shared<Tile>(getTile(in[0]));
  tile->shape.assign(type.getShape().begin(), type.getShape().end());
  out.push_back(TilePtr(tile));
  return true;
}

static bool extractSlice(Operation *op, Values in, Results &out,
                         std::string &e) {
  auto sliceOp = cast<tensor::ExtractSliceOp>(op);
  const Tile &source = getTile(in[0]);
  std::optional<TileSlice> slice =
      getSlice(sliceOp, source, in.drop_front(), e);
  if (!slice)
    return false;
  // A rank-reduced result drops unit extents; dynamic ones keep their order.
  SmallVector<int64_t> shape(sliceOp.getType().getShape());
  if (shape.size() == slice->sizes.size())
    shape = slice->sizes;
  if (llvm::any_of(shape, ShapedType::isDynamic)) {
    e = "drops extents of a slice of dynamic extents, which is not interpreted";
    return false;
  }
  auto tile = makeChecked(sliceOp.getType(), shape, e);
  if (!tile)
    return false;
  int64_t next = 0;
  forEach(*slice, source.shape, [&](int64_t offset) {
    tile->elements[next++] = source.elements[offset];
  });
  out.push_back(TilePtr(tile));
  return true;
}

static bool insertSlice(Operation *op, Values in, Results &out,
                        std::string &e) {
  const Tile &source = getTile(in[0]);
  auto tile = std::make_shared<Tile>(getTile(in[1]));
  std::optional<TileSlice> slice =
      getSlice(cast<tensor::InsertSliceOp>(op), *tile, in.drop_front(2), e);
  if (!slice)
    return false;
  int64_t count = 1;
  for (int64_t size : slice->sizes)
    count *= size;
  if (count != source.getNumElements()) {
    e = "inserts a tile of another size than the slice";
    return false;
  }
  int64_t next = 0;
  SmallVector<int64_t, 4> shape = tile->shape;
  forEach(*slice, shape, [&](int64_t offset) {
    tile->elements[offset] = source.elements[next++];
  });
  out.push_back(TilePtr(tile));
  return true;
}

TileFunction mlir::pypto::runtime::getTileFunction(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return makeEmpty;
  if (isa<tensor::SplatOp>(op))
    return splat;
  if (isa<tensor::FromElementsOp>(op))
    return fromElements;
  if (isa<tensor::ExtractOp>(op))
    return extract;
  if (isa<tensor::InsertOp>(op))
    return insert;
  if (isa<tensor::DimOp>(op))
    return dim;
  if (isa<tensor::CastOp>(op))
    return castTile;
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return reshape;
  if (isa<tensor::ExtractSliceOp>(op))
    return extractSlice;
  if (isa<tensor::InsertSliceOp>(op))
    return insertSlice;
  return nullptr;
}
