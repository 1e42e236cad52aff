//===- Movement.cpp - Nodes that move elements ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Evaluate.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto::asc;

SmallVector<int64_t, 4>
mlir::pypto::asc::getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size());
  int64_t stride = 1;
  for (int64_t axis = static_cast<int64_t>(shape.size()) - 1; axis >= 0;
       --axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

/// Copies elements between tiles of one format: those of `shape`, each tile
/// with its own strides and start.
static void copyElements(ArrayRef<int64_t> shape, const Tile &from,
                         ArrayRef<int64_t> fromStrides, int64_t fromStart,
                         Tile &to, ArrayRef<int64_t> toStrides,
                         int64_t toStart) {
  SmallVector<int64_t, 0> offsets;
  forEachOffset(shape, fromStrides,
                [&](int64_t offset) { offsets.push_back(fromStart + offset); });
  std::visit(
      [&](auto &target) {
        using T = typename std::decay_t<decltype(target)>::value_type;
        const std::vector<T> &source = from.get<T>();
        size_t next = 0;
        forEachOffset(shape, toStrides, [&](int64_t offset) {
          target[toStart + offset] = source[offsets[next++]];
        });
      },
      to.elements);
}

static void broadcast(const Tile &from, Tile &to) {
  SmallVector<int64_t, 4> own = getRowMajorStrides(from.shape);
  SmallVector<int64_t, 4> strides(to.shape.size());
  size_t missing = to.shape.size() - from.shape.size();
  for (size_t axis = missing; axis < to.shape.size(); ++axis)
    if (from.shape[axis - missing] != 1)
      strides[axis] = own[axis - missing];
  copyElements(to.shape, from, strides, 0, to, getRowMajorStrides(to.shape), 0);
}

static void transpose(TransposeOp op, const Tile &from, Tile &to) {
  SmallVector<int64_t, 4> own = getRowMajorStrides(from.shape), strides;
  for (int64_t axis : op.getPermutation())
    strides.push_back(own[axis]);
  copyElements(to.shape, from, strides, 0, to, getRowMajorStrides(to.shape), 0);
}

static void concat(int64_t axis, Operands sources, Tile &to) {
  SmallVector<int64_t, 4> strides = getRowMajorStrides(to.shape);
  int64_t start = 0;
  for (const Tile *source : sources) {
    copyElements(source->shape, *source, getRowMajorStrides(source->shape), 0,
                 to, strides, start);
    start += source->shape[axis] * strides[axis];
  }
}

static void split(int64_t axis, const Tile &source,
                  MutableArrayRef<Tile> results) {
  SmallVector<int64_t, 4> strides = getRowMajorStrides(source.shape);
  int64_t start = 0;
  for (Tile &result : results) {
    copyElements(result.shape, source, strides, start, result,
                 getRowMajorStrides(result.shape), 0);
    start += result.shape[axis] * strides[axis];
  }
}

/// Empty, or which index is out of range.
static std::string gather(int64_t axis, const Tile &source, const Tile &indices,
                          Tile &to) {
  int64_t extent = source.shape[axis];
  SmallVector<int64_t, 4> fromStrides = getRowMajorStrides(source.shape);
  SmallVector<int64_t, 4> toStrides = getRowMajorStrides(to.shape);
  SmallVector<int64_t, 4> slice(source.shape);
  slice[axis] = 1;
  // In the result, the axes of the indices stand for the axis.
  int64_t step = fromStrides[axis];
  SmallVector<int64_t, 4> sliceStrides(toStrides.begin(),
                                       toStrides.begin() + axis);
  sliceStrides.push_back(0);
  sliceStrides.append(toStrides.begin() + axis + indices.shape.size(),
                      toStrides.end());
  int64_t number = 0;
  for (int64_t index : indices.get<int64_t>()) {
    if (index < 0 || index >= extent)
      return "index " + std::to_string(index) + " is out of the extent " +
             std::to_string(extent) + " of axis " + std::to_string(axis);
    copyElements(slice, source, fromStrides, index * step, to, sliceStrides,
                 number++ * step);
  }
  return "";
}

bool mlir::pypto::asc::evaluateMovement(Operation *op, Operands operands,
                                        SmallVectorImpl<Tile> &results,
                                        std::string &error) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<BroadcastOp>([&](auto) {
        broadcast(*operands[0], results[0]);
        return true;
      })
      .Case<TransposeOp>([&](TransposeOp transposeOp) {
        transpose(transposeOp, *operands[0], results[0]);
        return true;
      })
      .Case<ConcatOp>([&](ConcatOp concatOp) {
        concat(concatOp.getAxis(), operands, results[0]);
        return true;
      })
      .Case<SplitOp>([&](SplitOp splitOp) {
        split(splitOp.getAxis(), *operands[0], results);
        return true;
      })
      .Case<GatherOp>([&](GatherOp gatherOp) {
        error =
            gather(gatherOp.getAxis(), *operands[0], *operands[1], results[0]);
        return true;
      })
      .Default([](Operation *) { return false; });
}
