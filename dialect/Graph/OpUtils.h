//===- OpUtils.h - Shared by the op implementations -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Custom directives and checks used by more than one operation. Private to the
// dialect.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_DIALECT_GRAPH_OPUTILS_H
#define PYPTO_DIALECT_GRAPH_OPUTILS_H

#include "Graph/Graph.h"

namespace mlir::pypto::graph::detail {

/// Number of entries of a mixed list that stand for operands.
int64_t countDynamic(ArrayRef<int64_t> integers);

/// Checks a mixed list of literals and operands: `rank` entries, one operand a
/// dynamic entry, literals at least `minimum`.
LogicalResult verifyIndexList(Operation *op, StringRef what, int64_t rank,
                              ArrayRef<int64_t> integers, ValueRange values,
                              int64_t minimum);

/// Verifies what a kernel loads from or stores to `tensor`: an offset for each
/// axis, and a tile of its rank and element type.
LogicalResult verifyTile(Operation *op, GraphTensorType tensor,
                         RankedTensorType tile, ArrayRef<int64_t> offsets,
                         ValueRange values);

/// Merges a mixed list into fold results; literals become index attributes.
/// Missing operands (in an invalid op) give null entries.
SmallVector<OpFoldResult> getMixedList(MLIRContext *context,
                                       ArrayRef<int64_t> integers,
                                       ValueRange values);

/// Splits fold results into operands and literals.
void dispatchList(ArrayRef<OpFoldResult> list, SmallVectorImpl<Value> &values,
                  SmallVectorImpl<int64_t> &integers);

/// Replaces operands that are constants of at least `minimum` by literals.
/// Returns whether any was.
bool foldConstants(SmallVectorImpl<OpFoldResult> &list, int64_t minimum);

/// The tensor type of these extents, or null where it would be invalid (too
/// many elements), without a word.
GraphTensorType getTensorIfValid(ArrayRef<int64_t> shape, Type elementType);

/// Number of elements of the static extents; nothing when it is too large for a
/// graph tensor or an extent is not positive.
std::optional<int64_t> countElements(ArrayRef<int64_t> shape);

/// Checks the clauses `graph.submit` and `graph.scope` share.
LogicalResult verifyPredicate(Operation *op, Value gate, ValueRange indices,
                              std::optional<ArrayRef<int64_t>> staticIndices,
                              std::optional<Comparison> comparison, Value rhs);

//===----------------------------------------------------------------------===//
// Custom directives
//===----------------------------------------------------------------------===//

ParseResult
parseIndexList(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
               DenseI64ArrayAttr &integers);
void printIndexList(OpAsmPrinter &printer, Operation *op, OperandRange values,
                    ArrayRef<int64_t> integers);

ParseResult
parseDirectedOperands(OpAsmParser &parser,
                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                      ArrayAttr &directions);
void printDirectedOperands(OpAsmPrinter &printer, Operation *op,
                           OperandRange operands, ArrayAttr directions);

ParseResult parseLaunchType(OpAsmParser &parser, SmallVectorImpl<Type> &args,
                            SmallVectorImpl<Type> &outs, Type &task);
void printLaunchType(OpAsmPrinter &printer, Operation *op, TypeRange args,
                     TypeRange outs, Type task);

ParseResult
parsePredicate(OpAsmParser &parser,
               std::optional<OpAsmParser::UnresolvedOperand> &gate,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
               DenseI64ArrayAttr &staticIndices, ComparisonAttr &comparison,
               std::optional<OpAsmParser::UnresolvedOperand> &rhs,
               Type &gateType, Type &rhsType);
void printPredicate(OpAsmPrinter &printer, Operation *op, Value gate,
                    OperandRange indices, DenseI64ArrayAttr staticIndices,
                    ComparisonAttr comparison, Value rhs, Type gateType,
                    Type rhsType);

ParseResult parseFillType(OpAsmParser &parser, Type &valueType,
                          Type &resultType);
void printFillType(OpAsmPrinter &printer, Operation *op, Type valueType,
                   Type resultType);

ParseResult parseScopeKind(OpAsmParser &parser, ScopeKindAttr &kind);
void printScopeKind(OpAsmPrinter &printer, Operation *op, ScopeKindAttr kind);

ParseResult parseScopeBody(OpAsmParser &parser, Region &body);
void printScopeBody(OpAsmPrinter &printer, Operation *op, Region &body);

} // namespace mlir::pypto::graph::detail

#endif // PYPTO_DIALECT_GRAPH_OPUTILS_H
