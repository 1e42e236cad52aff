//===- PrecisionRewriter.h - Carry out a plan of types ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_PRECISION_PRECISIONREWRITER_H
#define PYPTO_TRANSFORMS_PRECISION_PRECISIONREWRITER_H

#include "Asc/NodeGraph.h"
#include "Transforms/Precision/PrecisionPlan.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pypto {

/// Changes the body of a kernel as a plan says. Cannot fail.
///
/// Operands are rewired first, while all types are those the plan was made for;
/// then types change, then casts without a use go.
class PrecisionRewriter {
public:
  PrecisionRewriter(RewriterBase &rewriter, const asc::NodeGraph &graph,
                    Block &body, const PrecisionPlan &plan);

  void run();

  unsigned getNumLifted() const { return numLifted; }
  unsigned getNumRemoved() const { return numRemoved; }
  unsigned getNumCreated() const { return numCreated; }

private:
  using Key = std::pair<Value, Type>;
  using NameSet = llvm::SmallSetVector<StringAttr, 4>;

  void collect();
  void collectCast(asc::CastOp cast, DenseMap<Key, asc::CastOp> &last);
  void rewireOperands(Operation *op);
  void rewire(OpOperand &operand, Operation *consumer);
  Value getAs(Value source, Type wanted, Operation *consumer, unsigned index);
  Value getRounded(Value source, Operation *consumer, unsigned index);
  asc::CastOp reuseCast(Key key, Operation *consumer);
  Value createCast(Value value, Type element, Operation *consumer,
                   unsigned index);
  StringAttr makeName(Operation *consumer, unsigned index);
  void updateControlEdges();
  void changeTypes();
  void eraseCasts();

  RewriterBase &rewriter;
  const asc::NodeGraph &graph;
  Block &body;
  const PrecisionPlan &plan;

  /// The first cast of the kernel that can be reused, by source and type, and
  /// the one that follows a cast for the same.
  DenseMap<Key, asc::CastOp> candidates;
  DenseMap<Operation *, asc::CastOp> nextCandidate;
  /// What was found or made for a source and a type.
  DenseMap<Key, Value> available;
  /// The casts that round the result of a lifted node.
  DenseMap<Value, Value> rounded;
  DenseSet<Operation *> reused;
  /// Casts to f64 that have a use, and no name in a control edge.
  DenseSet<Operation *> widened;
  /// The names of new casts.
  DenseSet<StringAttr> newNames;
  /// What a node waits for by the casts that its operands no longer go through.
  llvm::MapVector<Operation *, NameSet> inherited;
  /// The nodes that the chain of removed casts before a value waits for.
  DenseMap<Value, NameSet> chainEdges;
  /// The operations whose types change.
  SmallVector<Operation *> lifted;

  unsigned numLifted = 0, numRemoved = 0, numCreated = 0;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_PRECISION_PRECISIONREWRITER_H
