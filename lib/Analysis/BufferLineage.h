//===- BufferLineage.h - Who owns a tensor's buffer -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_BUFFERLINEAGE_H
#define PYPTO_ANALYSIS_BUFFERLINEAGE_H

#include "Analysis/ValueFlow.h"

namespace mlir::pypto {

/// A window of a root buffer with constant offsets and sizes, in the root's own
/// dimensions. An entry that is `ShapedType::kDynamic` is not known.
struct BufferWindow {
  SmallVector<int64_t, 4> offsets, sizes;

  bool operator==(const BufferWindow &other) const {
    return offsets == other.offsets && sizes == other.sizes;
  }
  /// Whether all is known.
  bool isConstant() const;
  /// Whether no element lies in both windows of the same root, which holds the
  /// windows: then it is enough that they are apart in one dimension.
  bool isDisjointFrom(const BufferWindow &other) const;
};

/// Says which buffer a tensor's elements live in: its roots are parameters and
/// results of operations that make a buffer (`graph.create`, `graph.full`, and
/// results of launches that are not tied to an argument), through aliases,
/// casts, slices, views, tied results, scopes, loops, branches and selects.
///
/// Contract: the buffer of `v` is that of one of `getRoots(v)` on every path.
/// Several roots mean the buffer is *ambiguous*: clients take the safe side. A
/// window is given only when it is the same constant window on every path.
/// Distinct roots that are parameters may still be one buffer: that is for the
/// launches of the function to say.
///
/// Linear: one forward pass and a sparse fixpoint over merges; a set beyond
/// `kMaxRoots` roots collapses to `isUnknown`.
class BufferLineage {
public:
  static constexpr unsigned kMaxRoots = 8;

  BufferLineage(graph::FuncOp func, CalleeTies &ties);

  /// The possible owners, in order of their definition; empty when unknown.
  ArrayRef<Value> getRoots(Value tensor) const;
  /// Whether nothing is known of the owner.
  bool isUnknown(Value tensor) const { return getRoots(tensor).empty(); }
  /// The owner when there is only one; null otherwise.
  Value getUniqueRoot(Value tensor) const;
  /// The constant window of the unique root, when known.
  std::optional<BufferWindow> getWindow(Value tensor) const;
  /// The window of the unique root that holds the tensor, which may be a part
  /// of it or not known in every dimension; null when there is nothing to say.
  const BufferWindow *getBounds(Value tensor) const;
  /// Whether the two may share an element. Distinct roots do not.
  bool mayOverlap(Value a, Value b) const;

private:
  /// What is known of a tensor. It only ever gets less: roots are added, parts
  /// of the window and the flags are lost.
  struct State {
    SmallVector<Value, 1> roots;
    /// The unique root's window that holds the tensor; none when nothing is
    /// known of it. Meaningless when there are several roots.
    std::optional<BufferWindow> window;
    /// Whether the tensor is all of the window, and not a part of it.
    bool isExact = true;
    /// Whether the tensor's dimensions are the root's.
    bool isAligned = true;
    bool isUnknown = false;
  };
  class Solver;

  /// The value whose state is that of `value` as well.
  Value getNamed(Value value) const {
    auto it = renames.find(value);
    return it == renames.end() ? value : it->second;
  }
  /// What is known of `value`; null when that is nothing.
  const State *getState(Value value) const {
    auto it = states.find(getNamed(value));
    return it == states.end() || it->second.isUnknown ? nullptr : &it->second;
  }

  DenseMap<Value, State> states;
  /// What is another value of the same type under another name has no state of
  /// its own.
  DenseMap<Value, Value> renames;
};

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_BUFFERLINEAGE_H
