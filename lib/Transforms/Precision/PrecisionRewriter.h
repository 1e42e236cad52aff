//===- PrecisionRewriter.h - Carry out a plan of types ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_PRECISION_PRECISIONREWRITER_H
#define PYPTO_TRANSFORMS_PRECISION_PRECISIONREWRITER_H

#include "Asc/NodeGraph.h"
#include "Transforms/Precision/PrecisionPlan.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pypto {

/// Changes the body of a kernel as a plan says. Cannot fail.
///
/// Operands are rewired first, while all types are those the plan was made for;
/// then types change, then casts without a use go.
class PrecisionRewriter {
public:
  PrecisionRewriter(OpBuilder &builder, const asc::NodeGraph &graph,
                    Block &body, const PrecisionPlan &plan);

  void run();

  unsigned getNumLifted() const { return lifted.size(); }
  unsigned getNumRemoved() const { return numRemoved; }
  unsigned getNumCreated() const { return numCreated; }

private:
  using Key = std::pair<Value, Type>;
  using NameSet = llvm::SmallSetVector<StringAttr, 4>;

  void collect();
  void collectCast(asc::CastOp cast, DenseMap<Key, asc::CastOp> &last);
  void visit(Operation *op, unsigned kind);
  void rewire(OpOperand &operand, Operation *consumer, bool takesF32);
  Value getFor(OpOperand &operand, Operation *consumer);
  Value getAs(Value source, Type wanted, Operation *consumer, unsigned index);
  Value getRounded(Value source, Operation *consumer, unsigned index);
  asc::CastOp reuseCast(Key key, Operation *consumer);
  Value createCast(Value value, Type element, Operation *consumer,
                   unsigned index);
  StringAttr makeName(Operation *consumer, unsigned index);
  void updateControlEdges();
  Type getTypeWith(Type type, Type element);
  void changeTypes();
  void eraseCasts();

  OpBuilder &builder;
  const asc::NodeGraph &graph;
  Block &body;
  const PrecisionPlan &plan;

  /// The first cast of the kernel that can be reused, by source and type, and
  /// the one that follows a cast for the same.
  DenseMap<Key, asc::CastOp> candidates;
  DenseMap<Operation *, asc::CastOp> nextCandidate;
  /// What lifted nodes get for a value.
  DenseMap<Value, Value> inF32;
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
  /// The types with other elements. Kernels have few: they are looked up here,
  /// not made anew.
  llvm::SmallDenseMap<std::pair<Type, Type>, Type, 16> types;
  /// The results whose types change.
  SmallVector<Value> lifted;

  unsigned numRemoved = 0, numCreated = 0;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_PRECISION_PRECISIONREWRITER_H
