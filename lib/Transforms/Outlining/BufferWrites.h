//===- BufferWrites.h - Which parameters a function writes ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_OUTLINING_BUFFERWRITES_H
#define PYPTO_TRANSFORMS_OUTLINING_BUFFERWRITES_H

#include "Analysis/ValueFlow.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pypto {

/// Says which parameters' buffers functions may write: by stores, by passing
/// them to a parameter that is declared `out` or `inout`, or to one whose
/// function writes it although it is declared `in` (wrappers, whose signatures
/// are not settled yet, also recursive ones). Writes are seen through aliases,
/// windows, tied results, loops, branches and scopes.
///
/// A search from the writes against the flow of buffers, through all functions
/// that are reached by calls: linear.
class BufferWrites {
public:
  explicit BufferWrites(CalleeTies &ties) : ties(ties) {}

  /// Reads `func` and the functions it calls.
  void add(graph::FuncOp func);
  void solve();

  /// Whether the buffer of `value`, of a function that was added, may be
  /// written through it.
  bool isWritten(Value value) const { return written.contains(value); }

private:
  void visit(Operation *op);
  void visitLaunch(graph::LaunchOpInterface launch);
  void addWrite(Value value) {
    if (written.insert(value).second)
      worklist.push_back(value);
  }
  /// `to` names a part of the buffer of `from`.
  void addFlow(Value from, Value to) {
    if (isa<graph::GraphTensorType>(from.getType()))
      origins[to].push_back(from);
  }

  CalleeTies &ties;
  llvm::DenseSet<Operation *> visited;
  SmallVector<graph::FuncOp> toVisit;
  DenseMap<Value, SmallVector<Value, 1>> origins;
  llvm::DenseSet<Value> written;
  SmallVector<Value> worklist;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_OUTLINING_BUFFERWRITES_H
