//===- NodeKinds.h - What a plan of types sees in a node --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorts the operations of a kernel by what `improve-precision` does to them.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_PRECISION_NODEKINDS_H
#define PYPTO_TRANSFORMS_PRECISION_NODEKINDS_H

#include "Asc/Asc.h"

#include "llvm/ADT/StringSet.h"

namespace mlir::pypto {

/// The kinds of the operations of a kernel. A kind follows from the name of an
/// operation, so that it is worked out once for all that have that name.
class NodeKinds {
public:
  enum Kind : unsigned {
    Node = 1,
    Store = 2,
    Scalar = 4,
    Cast = 8,
    /// Only moves elements, so that rounding before and after it is the same.
    Move = 16,
    /// Computes, as opposed to reading, writing and converting.
    Computing = 32,
    /// Named by the user: keeps its types.
    Blacklisted = 64,
    /// No node of its kernel changes.
    Pinning = 128,
    /// Computes in f32 instead of in f16 or bf16.
    Lifted = 256,
  };

  /// Takes the names of kinds, without the dialect, that keep their types.
  explicit NodeKinds(const llvm::StringSet<> &blacklist)
      : blacklist(blacklist) {}

  /// The bits of an operation; none for null.
  unsigned get(Operation *op) {
    if (!op)
      return 0;
    auto [it, isNew] = kinds.try_emplace(op->getName(), 0);
    if (isNew)
      it->second = classify(op);
    return it->second;
  }

private:
  unsigned classify(Operation *op) const;

  const llvm::StringSet<> &blacklist;
  llvm::SmallDenseMap<OperationName, unsigned, 64> kinds;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_PRECISION_NODEKINDS_H
