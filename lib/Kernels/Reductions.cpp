//===- Reductions.cpp - Reductions and products ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Evaluate.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pypto::asc;

namespace {
/// The elements of a tile by what they are reduced to: for each result element,
/// the offsets of its elements in row-major order.
struct Reduction {
  Reduction(const Tile &source, ArrayRef<int64_t> axes) {
    SmallVector<bool, 4> isReduced(source.shape.size());
    for (int64_t axis : axes)
      isReduced[axis] = true;
    SmallVector<int64_t, 4> strides = getRowMajorStrides(source.shape);
    SmallVector<int64_t, 4> shapes[2], own[2];
    for (size_t axis = 0; axis < source.shape.size(); ++axis) {
      shapes[isReduced[axis]].push_back(source.shape[axis]);
      own[isReduced[axis]].push_back(strides[axis]);
    }
    auto add = [](SmallVectorImpl<int64_t> &list) {
      return [&list](int64_t offset) { list.push_back(offset); };
    };
    forEachOffset(shapes[0], own[0], add(starts));
    forEachOffset(shapes[1], own[1], add(offsets));
    bool isLast = !isReduced.empty() && isReduced.back();
    lanes = isLast && source.shape.back() % kLanes == 0 ? kLanes : 1;
  }

  static constexpr int64_t kLanes = 16;
  SmallVector<int64_t, 0> starts, offsets;
  /// Partial sums, that take elements in turns.
  int64_t lanes;
};
} // namespace

template <typename T>
static void sum(const Reduction &reduction, const std::vector<T> &source,
                std::vector<T> &result, bool isMean) {
  using Sum = std::conditional_t<std::is_same_v<T, int64_t>, uint64_t, T>;
  for (auto [i, start] : llvm::enumerate(reduction.starts)) {
    Sum partial[Reduction::kLanes] = {};
    for (auto [j, offset] : llvm::enumerate(reduction.offsets))
      partial[j % reduction.lanes] += source[start + offset];
    Sum total = partial[0];
    for (int64_t lane = 1; lane < reduction.lanes; ++lane)
      total += partial[lane];
    if (isMean)
      total /= static_cast<Sum>(reduction.offsets.size());
    result[i] = total;
  }
}

/// Whether `a` is taken rather than `b`, in favour of NaN, and of the zero of
/// the right sign.
template <typename T>
static bool isPreferred(T a, T b, bool larger, bool isUnsigned) {
  if constexpr (std::is_same_v<T, int64_t>) {
    if (isUnsigned) {
      uint64_t x = a, y = b;
      return larger ? x > y : x < y;
    }
  } else {
    if (std::isnan(b))
      return false;
    if (std::isnan(a))
      return true;
    if (a == b)
      return std::signbit(a) != larger && std::signbit(b) == larger;
  }
  return larger ? a > b : a < b;
}

template <typename T>
static void pickExtreme(const Reduction &reduction,
                        const std::vector<T> &source, std::vector<T> &result,
                        bool larger, bool isUnsigned) {
  for (auto [i, start] : llvm::enumerate(reduction.starts)) {
    T best = source[start + reduction.offsets[0]];
    for (int64_t offset : reduction.offsets)
      if (isPreferred(source[start + offset], best, larger, isUnsigned))
        best = source[start + offset];
    result[i] = best;
  }
}

template <typename T>
static void matmul(const Tile &lhs, const Tile &rhs, Tile &result) {
  size_t rank = lhs.shape.size();
  int64_t rows = lhs.shape[rank - 2], inner = lhs.shape[rank - 1];
  int64_t columns = rhs.shape[rank - 1];
  int64_t batches = result.size() / (rows * columns);
  const T *a = lhs.get<T>().data(), *b = rhs.get<T>().data();
  T *c = result.get<T>().data();
  // For each element the products are added in the order of `k`.
  for (int64_t batch = 0; batch < batches; ++batch) {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < inner; ++k)
        for (int64_t j = 0; j < columns; ++j)
          c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    a += rows * inner;
    b += inner * columns;
    c += rows * columns;
  }
}

static ArrayRef<int64_t> getAxes(Operation *op) {
  return cast<DenseI64ArrayAttr>(op->getAttr("axes")).asArrayRef();
}

bool mlir::pypto::asc::evaluateReduction(Operation *op, Operands operands,
                                         Tile &result) {
  if (isa<MatmulOp>(op)) {
    if (result.format.kind == Format::Kind::F64)
      matmul<double>(*operands[0], *operands[1], result);
    else
      matmul<float>(*operands[0], *operands[1], result);
    result.round();
    return true;
  }
  if (!isa<SumOp, MeanOp, MaxOp, MinOp>(op))
    return false;
  Reduction reduction(*operands[0], getAxes(op));
  std::visit(
      [&](auto &to) {
        using T = typename std::decay_t<decltype(to)>::value_type;
        const std::vector<T> &from = operands[0]->get<T>();
        if (isa<SumOp, MeanOp>(op))
          sum<T>(reduction, from, to, isa<MeanOp>(op));
        else
          pickExtreme<T>(reduction, from, to, isa<MaxOp>(op),
                         result.format.isUnsigned);
      },
      result.elements);
  result.round();
  return true;
}
