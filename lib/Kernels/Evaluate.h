//===- Evaluate.h - What nodes do to tiles ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the interpreter. The operations have been verified.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_KERNELS_EVALUATE_H
#define PYPTO_KERNELS_EVALUATE_H

#include "Asc/Asc.h"
#include "Kernels/Numerics.h"

namespace mlir::pypto::asc {

using Operands = ArrayRef<const Tile *>;

/// A zero tile for a result.
Tile makeResult(Value value);

/// Computes the results of a node. Each function says whether the node is of
/// its kind. An error message is about the values, such as an index.
bool evaluateElementwise(Operation *op, Operands operands, Tile &result);
bool evaluateMovement(Operation *op, Operands operands,
                      SmallVectorImpl<Tile> &results, std::string &error);
bool evaluateReduction(Operation *op, Operands operands, Tile &result);

/// Strides of a shape in row-major order.
SmallVector<int64_t, 4> getRowMajorStrides(ArrayRef<int64_t> shape);

/// Calls `visit` with the offset that `strides` give to each index of `shape`,
/// in row-major order.
template <typename Visit>
void forEachOffset(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                   Visit visit) {
  SmallVector<int64_t, 4> index(shape.size());
  int64_t offset = 0;
  while (true) {
    visit(offset);
    int64_t axis = static_cast<int64_t>(shape.size()) - 1;
    for (; axis >= 0; --axis) {
      offset += strides[axis];
      if (++index[axis] < shape[axis])
        break;
      offset -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
    if (axis < 0)
      return;
  }
}

} // namespace mlir::pypto::asc

#endif // PYPTO_KERNELS_EVALUATE_H
