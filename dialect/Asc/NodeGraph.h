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

#include "llvm/ADT/DenseMap.h"

namespace mlir::pypto::asc {

/// Whether a function has a body with nodes in it.
bool isKernelGraph(FunctionOpInterface func);

/// The nodes of the body of a function, their names and an order in which they
/// can run. Built in linear time (with a logarithm where control edges point
/// forward).
class NodeGraph {
public:
  /// Reads a body. Reports, and fails on, names that are used twice, control
  /// edges to nodes that do not exist, and cycles over data and control edges.
  static FailureOr<NodeGraph> build(Block &body);

  /// The node of a name, or null.
  Operation *lookup(StringAttr name) const { return nodes.lookup(name); }

  /// All operations but the terminator: the first order, by where they are
  /// written, in which each comes after its operands and after the nodes it
  /// names.
  ArrayRef<Operation *> getOrder() const { return order; }

  /// Whether some node names others.
  bool hasControlEdges() const { return !waiting.empty(); }

  /// Whether the operations are written in that order.
  bool isInOrder() const { return inOrder; }

private:
  LogicalResult collect(Block &body);
  LogicalResult sort(Block &body);
  bool isWrittenInOrder() const;

  DenseMap<StringAttr, Operation *> nodes;
  /// The operations with control edges.
  SmallVector<Operation *> waiting;
  SmallVector<Operation *> order;
  bool inOrder = true;
};

/// Moves the operations of a body into the order in which they run.
void moveIntoOrder(const NodeGraph &graph);

} // namespace mlir::pypto::asc

#endif // PYPTO_DIALECT_ASC_NODEGRAPH_H
