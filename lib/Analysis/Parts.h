//===- Parts.h - Work on many small things side by side ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_PARTS_H
#define PYPTO_ANALYSIS_PARTS_H

#include "mlir/IR/Threading.h"

namespace mlir::pypto {

/// Calls `callback` with slices of `items` that follow each other, on several
/// threads. Many functions are too small to be worth a task of their own, so
/// there are `partsPerThread` slices for each thread at most. Diagnostics come
/// in the order of the items, however many threads there are.
template <typename T, typename Callback>
void forEachPart(MLIRContext *context, MutableArrayRef<T> items,
                 unsigned partsPerThread, Callback &&callback) {
  size_t count = std::min<size_t>(
      size_t(context->getNumThreads()) * partsPerThread, items.size());
  parallelFor(context, 0, count, [&](size_t part) {
    size_t begin = items.size() * part / count;
    size_t end = items.size() * (part + 1) / count;
    callback(items.slice(begin, end - begin));
  });
}

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_PARTS_H
