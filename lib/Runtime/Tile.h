//===- Tile.h - Tensor values in kernel bodies ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builtin `tensor<…>` values that kernels compute with, and the hook by
// which operations of other dialects on them are interpreted.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_TILE_H
#define PYPTO_RUNTIME_TILE_H

#include "Runtime/Memory.h"
#include <functional>
#include <variant>

namespace mlir::pypto::runtime {

/// A tensor value: elements in row-major order, as bit patterns.
struct Tile {
  SmallVector<int64_t, 4> shape;
  ElementType type = ElementType::F32;
  std::vector<uint64_t> elements;

  int64_t getNumElements() const;
};
using TilePtr = std::shared_ptr<const Tile>;

/// A tile of this shape with all elements zero.
std::shared_ptr<Tile> makeTile(ArrayRef<int64_t> shape, ElementType type);

/// A value in a kernel body: a scalar, a tile, or a window of a buffer (whose
/// elements are `buffer->getData()`, see `forEachElement`).
using KernelValue = std::variant<uint64_t, TilePtr, TensorDescriptor>;

/// Interprets one operation. Fills one value a result, or says why it cannot:
/// the text is made an error located on the operation. Returns whether it
/// could.
using TileFunction = std::function<bool(
    Operation *op, ArrayRef<KernelValue> operands,
    SmallVectorImpl<KernelValue> &results, std::string &error)>;

/// How to compute an operation of the `tensor` dialect on tiles; null when it
/// is unknown.
TileFunction getTileFunction(Operation *op);

/// The constant an attribute stands for; null when it is none of a known type.
TilePtr makeConstantTile(Attribute value);

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_TILE_H
