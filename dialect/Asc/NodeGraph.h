//===- NodeGraph.h - The graph of nodes of a function -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names, control edges and order of the nodes of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_DIALECT_ASC_NODEGRAPH_H
#define PYPTO_DIALECT_ASC_NODEGRAPH_H

#include "Asc/Asc.h"

namespace mlir::pypto::asc {

/// Whether a function has a body with nodes in it.
bool isKernelGraph(FunctionOpInterface func);

/// Finds nodes by their names. Names are numbered as they come; a table of
/// numbers is far smaller than a map of names, which matters for large kernels:
/// most of the time goes in waiting for memory.
class NameTable {
public:
  /// Numbers the names, and says for each that is there already which it
  /// repeats. Null names are numbered and never found.
  void build(SmallVector<StringAttr, 0> &&names,
             function_ref<void(unsigned number, unsigned first)> onRepetition);

  /// The number of a name (the first, if there are several), or -1.
  int64_t lookup(StringAttr name) const;

private:
  /// The slot of a name: the one with its number, or an empty one.
  size_t findSlot(StringAttr name) const;

  SmallVector<StringAttr, 0> names;
  /// Numbers counted from one; zero is empty. Their count is a power of two,
  /// at least twice that of the names.
  SmallVector<uint32_t, 0> slots;
};

/// The nodes of the body of a function, their names and an order in which they
/// can run. Built in linear time (with a logarithm where control edges point
/// forward).
class NodeGraph {
public:
  /// Reads a body. Reports, and fails on, names that are used twice, control
  /// edges to nodes that do not exist, and cycles over data and control edges.
  static FailureOr<NodeGraph> build(Block &body);

  /// The node of a name, or null.
  Operation *lookup(StringAttr name) const {
    int64_t number = names.lookup(name);
    return number < 0 ? nullptr : ops[number];
  }

  /// All operations but the terminator: the first order, by where they are
  /// written, in which each comes after its operands and after the nodes it
  /// names.
  ArrayRef<Operation *> getOrder() const { return inOrder ? ops : order; }

  /// Whether some node names others.
  bool hasControlEdges() const { return !waiting.empty(); }

  /// Whether the operations are written in that order.
  bool isInOrder() const { return inOrder; }

private:
  LogicalResult collect(Block &body);
  LogicalResult sort(Block &body);
  bool isWrittenInOrder() const;

  /// All operations but the terminator, as they are written.
  SmallVector<Operation *, 0> ops;
  /// The number of a name is that of its node in `ops`.
  NameTable names;
  /// The operations with control edges.
  SmallVector<Operation *, 0> waiting;
  /// The order, unless it is that of `ops`.
  SmallVector<Operation *, 0> order;
  bool inOrder = true;
};

/// Moves the operations of a body into the order in which they run.
void moveIntoOrder(const NodeGraph &graph);

} // namespace mlir::pypto::asc

#endif // PYPTO_DIALECT_ASC_NODEGRAPH_H
