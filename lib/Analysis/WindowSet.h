//===- WindowSet.h - Windows of one buffer, by place ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_WINDOWSET_H
#define PYPTO_ANALYSIS_WINDOWSET_H

#include "Analysis/BufferLineage.h"

namespace mlir::pypto {

/// Windows of one root buffer, each put there at a time, some of which may be
/// hidden: answers whether any of the others may share an element with another
/// window, without looking at each. Windows are kept by the rough size they
/// have and by the cell of a grid of that size they start in.
///
/// Contract: when `mayOverlap(w)` is false, no visible window shares an element
/// with `w`. The converse holds but for crowds of windows that are apart
/// although they lie close together, where the answer is `true` rather than a
/// long search.
///
/// A null window stands for all of the buffer. Windows are not copied: they
/// have to outlive the set.
class WindowSet {
public:
  /// Half-open ranges of times, in order and apart: what was put there then is
  /// hidden.
  using Ranges = ArrayRef<std::pair<unsigned, unsigned>>;

  bool mayOverlap(const BufferWindow *window, Ranges hidden) const;
  /// Whether adding `window` would add nothing: all of the buffer or the very
  /// same window is visible.
  bool contains(const BufferWindow *window, Ranges hidden) const;
  /// Adds a window. Times never decrease.
  void add(const BufferWindow *window, unsigned time);

  /// Whether a time in `times`, which are in order, is not hidden.
  static bool anyVisible(ArrayRef<unsigned> times, Ranges hidden);

private:
  /// The widths of the cells of a grid, as powers of two; `kUnbounded` for a
  /// dimension that is not told apart.
  using Shape = SmallVector<uint8_t, 4>;
  static constexpr uint8_t kUnbounded = 255;

  struct Entry {
    const BufferWindow *window;
    unsigned time;
  };
  using Cell = SmallVector<Entry, 1>;
  struct Grid {
    Shape shape;
    /// Windows by a hash of the cell they start in, in order of time.
    DenseMap<uint64_t, Cell> cells;
  };

  static Shape getShape(const BufferWindow &window);
  static uint64_t getCell(const BufferWindow &window, const Shape &shape);
  static bool mayOverlap(const BufferWindow &window, const Grid &grid,
                         Ranges hidden);

  SmallVector<Grid, 1> grids;
  /// When any window, and when all of the buffer, was put there.
  SmallVector<unsigned, 2> times, wholeTimes;
};

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_WINDOWSET_H
