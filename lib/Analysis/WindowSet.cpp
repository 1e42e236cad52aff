//===- WindowSet.cpp - Windows of one buffer, by place --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/WindowSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pypto;

/// How many cells and how many windows of a cell a question looks at, and how
/// many grids there are; beyond, the answer is that there is an overlap.
static constexpr unsigned kMaxCells = 256;
static constexpr unsigned kMaxWindowsInCell = 64;
static constexpr unsigned kMaxGrids = 64;

/// A hash that is the same in every process: which windows share a cell must
/// not depend on addresses.
static uint64_t combine(uint64_t hash, int64_t coordinate) {
  hash ^= static_cast<uint64_t>(coordinate) + 0x9e3779b97f4a7c15ull +
          (hash << 12) + (hash >> 4);
  return hash * 0xff51afd7ed558ccdull;
}

WindowSet::Shape WindowSet::getShape(const BufferWindow &window) {
  Shape shape;
  for (auto [offset, size] : llvm::zip_equal(window.offsets, window.sizes)) {
    bool isKnown = !ShapedType::isDynamic(offset) &&
                   !ShapedType::isDynamic(size) && size > 0;
    shape.push_back(isKnown ? llvm::Log2_64_Ceil(size) : kUnbounded);
  }
  return shape;
}

uint64_t WindowSet::getCell(const BufferWindow &window, const Shape &shape) {
  uint64_t cell = 0;
  for (auto [offset, width] : llvm::zip_equal(window.offsets, shape))
    cell = combine(cell, width == kUnbounded ? 0 : offset >> width);
  return cell;
}

/// The first and last cell in one dimension where a window may start that
/// reaches into [offset, offset + size); none when that is not known.
static std::optional<std::pair<int64_t, int64_t>>
getCellRange(int64_t offset, int64_t size, unsigned width) {
  if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
      width >= 62)
    return std::nullopt;
  int64_t reach = (int64_t(1) << width) - 1;
  int64_t last;
  if (llvm::AddOverflow(offset, size - 1, last))
    return std::nullopt;
  int64_t first = offset > reach ? offset - reach : 0;
  return std::make_pair(first >> width, last >> width);
}

/// Calls `callback` with the elements of `entries` whose times are not hidden,
/// the latest first, until it returns true; returns whether it did.
template <typename EntryT, typename TimeFn, typename CallbackFn>
static bool anyOfVisible(ArrayRef<EntryT> entries, WindowSet::Ranges hidden,
                         TimeFn getTime, CallbackFn callback) {
  while (!entries.empty()) {
    unsigned time = getTime(entries.back());
    const auto *range =
        llvm::upper_bound(hidden, time, [](unsigned time, const auto &range) {
          return time < range.first;
        });
    if (range != hidden.begin() && time < std::prev(range)->second) {
      // All from the start of the range on are hidden.
      unsigned start = std::prev(range)->first;
      entries = entries.take_front(
          llvm::partition_point(
              entries,
              [&](const EntryT &entry) { return getTime(entry) < start; }) -
          entries.begin());
      continue;
    }
    if (callback(entries.back()))
      return true;
    entries = entries.drop_back();
  }
  return false;
}

bool WindowSet::anyVisible(ArrayRef<unsigned> times, Ranges hidden) {
  return anyOfVisible(
      times, hidden, [](unsigned time) { return time; },
      [](unsigned) { return true; });
}

bool WindowSet::mayOverlap(const BufferWindow &window, const Grid &grid,
                           Ranges hidden) {
  if (window.offsets.size() != grid.shape.size())
    return true;
  // The hashes of the cells, dimension by dimension.
  SmallVector<uint64_t> cells = {0};
  for (auto [offset, size, width] :
       llvm::zip_equal(window.offsets, window.sizes, grid.shape)) {
    std::pair<int64_t, int64_t> range = {0, 0};
    if (width != kUnbounded) {
      auto known = getCellRange(offset, size, width);
      if (!known || known->second - known->first >= kMaxCells)
        return true;
      range = *known;
    }
    SmallVector<uint64_t> extended;
    for (uint64_t cell : cells)
      for (int64_t at = range.first; at <= range.second; ++at)
        extended.push_back(combine(cell, at));
    if (extended.size() > kMaxCells)
      return true;
    cells = std::move(extended);
  }
  for (uint64_t cell : cells) {
    auto it = grid.cells.find(cell);
    if (it == grid.cells.end())
      continue;
    unsigned numSeen = 0;
    if (anyOfVisible(
            ArrayRef<Entry>(it->second), hidden,
            [](const Entry &entry) { return entry.time; },
            [&](const Entry &entry) {
              return ++numSeen > kMaxWindowsInCell ||
                     !entry.window->isDisjointFrom(window);
            }))
      return true;
  }
  return false;
}

bool WindowSet::mayOverlap(const BufferWindow *window, Ranges hidden) const {
  if (!window)
    return anyVisible(times, hidden);
  return anyVisible(wholeTimes, hidden) ||
         llvm::any_of(grids, [&](const Grid &grid) {
           return mayOverlap(*window, grid, hidden);
         });
}

bool WindowSet::contains(const BufferWindow *window, Ranges hidden) const {
  if (anyVisible(wholeTimes, hidden))
    return true;
  if (!window)
    return false;
  Shape shape = getShape(*window);
  for (const Grid &grid : grids) {
    if (grid.shape != shape)
      continue;
    auto it = grid.cells.find(getCell(*window, shape));
    if (it == grid.cells.end())
      return false;
    unsigned numSeen = 0;
    bool found = false;
    anyOfVisible(
        ArrayRef<Entry>(it->second), hidden,
        [](const Entry &entry) { return entry.time; },
        [&](const Entry &entry) {
          found = *entry.window == *window;
          return found || ++numSeen > kMaxWindowsInCell;
        });
    return found;
  }
  return false;
}

void WindowSet::add(const BufferWindow *window, unsigned time) {
  times.push_back(time);
  if (!window) {
    wholeTimes.push_back(time);
    return;
  }
  Shape shape = getShape(*window);
  auto *grid = llvm::find_if(
      grids, [&](const Grid &grid) { return grid.shape == shape; });
  if (grid == grids.end()) {
    if (grids.size() == kMaxGrids) {
      // Too many shapes to be told apart.
      wholeTimes.push_back(time);
      return;
    }
    grid = &grids.emplace_back();
    grid->shape = shape;
  }
  grid->cells[getCell(*window, shape)].push_back({window, time});
}
