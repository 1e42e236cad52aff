//===- WindowIndex.h - Windows of a buffer by where they lie ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_WINDOWINDEX_H
#define PYPTO_RUNTIME_WINDOWINDEX_H

#include "llvm/Support/MathExtras.h"
#include <map>

namespace mlir::pypto::runtime {

/// Values attached to windows of one buffer. Looking for what overlaps a window
/// costs little when the windows are many and far apart: they are sorted by
/// where they begin, apart for each magnitude of their span, so that a long one
/// does not make all short ones candidates. Windows that share a span and no
/// element (columns) are candidates of each other.
///
/// `Window` has `getBeginByte()` and `getEndByte()`, and `mayOverlap` decides.
template <typename Window, typename Value>
class WindowIndex {
public:
  struct Entry {
    Window window;
    Value value;
  };

  void insert(const Window &window, Value value) {
    int64_t begin = window.getBeginByte();
    levels[getLevel(window)].insert({begin, Entry{window, std::move(value)}});
    ++count;
  }

  /// Calls `visit(entry)` for all that may overlap `window`.
  template <typename Visit>
  void forEachOverlap(const Window &window, Visit visit) const {
    for (const auto &[level, entries] : levels) {
      auto it = entries.lower_bound(getFirst(window, level));
      for (; it != entries.end() && it->first < window.getEndByte(); ++it)
        if (mayOverlap(it->second.window, window))
          visit(it->second);
    }
  }

  /// Removes those of the overlapping entries that `isErased` says.
  template <typename Predicate>
  void eraseOverlapsIf(const Window &window, Predicate isErased) {
    for (auto &[level, entries] : levels) {
      auto it = entries.lower_bound(getFirst(window, level));
      while (it != entries.end() && it->first < window.getEndByte()) {
        bool erases =
            mayOverlap(it->second.window, window) && isErased(it->second);
        count -= erases;
        it = erases ? entries.erase(it) : std::next(it);
      }
    }
  }

  size_t size() const { return count; }

private:
  /// A span of `n` bytes has the level of the power of two above it.
  static unsigned getLevel(const Window &window) {
    return llvm::Log2_64_Ceil(
        std::max<int64_t>(1, window.getEndByte() - window.getBeginByte()));
  }
  /// Where the first window of a level that reaches into `window` can begin.
  static int64_t getFirst(const Window &window, unsigned level) {
    int64_t span = level >= 62 ? INT64_MAX : int64_t(1) << level;
    return window.getBeginByte() > span ? window.getBeginByte() - span : 0;
  }

  std::map<unsigned, std::multimap<int64_t, Entry>> levels;
  size_t count = 0;
};

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_WINDOWINDEX_H
