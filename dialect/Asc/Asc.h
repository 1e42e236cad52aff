//===- Asc.h - The asc dialect ----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The public header of the asc dialect: kernel bodies as graphs of named nodes.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_DIALECT_ASC_ASC_H
#define PYPTO_DIALECT_ASC_ASC_H

#include "Graph/Graph.h"

#include "Asc/AscDialect.h.inc"
#include "Asc/AscEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Asc/AscAttrs.h.inc"

namespace mlir::pypto::asc {

/// What every node writes: the list of nodes of its function. So no upstream
/// pass takes a node for dead or merges two of them; names are what control
/// edges refer to.
struct NodeList : SideEffects::Resource::Base<NodeList> {
  StringRef getName() final { return "asc.NodeList"; }
};

/// Whether `op` is a node. Every operation the dialect has is one, which is
/// faster to see than an interface.
inline bool isNode(Operation *op) {
  return op->isRegistered() && isa_and_nonnull<AscDialect>(op->getDialect());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Whether elements or scalars of this type appear in kernels at all.
bool isElementType(Type type);
/// Whether there is arithmetic on them: all but i1 and the 8-bit floating
/// types.
bool isNumberType(Type type);
/// Whether they can be compared: numbers, and i1 (false is less than true).
inline bool isOrderedType(Type type) {
  return type.isSignlessInteger(1) || isNumberType(type);
}
/// f16, bf16, f32 or f64.
bool isComputeFloat(Type type);
/// f16 or bf16: computed in f32.
inline bool isLowFloat(Type type) {
  return isa<Float16Type, BFloat16Type>(type);
}
inline bool isBoolType(Type type) { return type.isSignlessInteger(1); }
/// Elements of the indices of a gather.
inline bool isIndexElement(Type type) {
  return type.isSignlessInteger(32) || type.isSignlessInteger(64);
}

/// Tiles have at most this many elements; more does not fit a memory.
constexpr int64_t kMaxTileElements = int64_t(1) << 40;

/// Whether `type` is a tile: a tensor of known positive extents, not too many
/// elements, without encoding, whose elements satisfy `isElement`.
bool isTileOf(Type type, bool (*isElement)(Type));

/// The type of one element of a tile, or a scalar type itself.
inline Type getElementOrSelf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getElementType() : type;
}
/// The type with other elements.
Type withElementType(Type type, Type elementType);

namespace detail {
/// Where a node stands; and, once for each function, its graph.
LogicalResult verifyNode(Operation *op);
} // namespace detail

} // namespace mlir::pypto::asc

#include "Asc/AscInterfaces.h.inc"
#define GET_OP_CLASSES
#include "Asc/AscOps.h.inc"

#endif // PYPTO_DIALECT_ASC_ASC_H
