//===- Graph.h - The graph dialect ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The public header of the graph dialect: its attributes, types, interfaces and
// operations.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_DIALECT_GRAPH_GRAPH_H
#define PYPTO_DIALECT_GRAPH_GRAPH_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "Graph/GraphDialect.h.inc"
#include "Graph/GraphEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Graph/GraphAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "Graph/GraphTypes.h.inc"

namespace mlir::OpTrait {
/// An operation of another dialect that takes graph tensors and knows that they
/// are references.
template <typename ConcreteType>
class TakesTensorHandles : public TraitBase<ConcreteType, TakesTensorHandles> {
};
} // namespace mlir::OpTrait

namespace mlir::pypto::graph {

/// The queue that calls, submits and dummies put their nodes into. Launches are
/// ordered among themselves and never dead because each of them writes it.
struct TaskQueue : SideEffects::Resource::Base<TaskQueue> {
  StringRef getName() final { return "TaskQueue"; }
};

/// Whether a function of this kind runs as a device task.
inline bool isDeviceKind(FunctionKind kind) {
  switch (kind) {
  case FunctionKind::InCore:
  case FunctionKind::AIC:
  case FunctionKind::AIV:
  case FunctionKind::Group:
  case FunctionKind::Spmd:
    return true;
  case FunctionKind::Opaque:
  case FunctionKind::Orchestration:
  case FunctionKind::Graph:
  case FunctionKind::Inline:
    return false;
  }
  return false;
}

/// Whether a scope of this kind becomes a device function.
inline bool isDeviceScopeKind(ScopeKind kind) {
  return kind == ScopeKind::InCore || kind == ScopeKind::Cluster ||
         kind == ScopeKind::Spmd;
}

/// Whether a value of this type is passed in a scalar slot.
inline bool isScalarType(Type type) {
  return isa<IndexType, IntegerType, FloatType>(type);
}

/// The element type of an array; `none` for any other type, which is met when
/// result types are inferred from operands nobody has verified.
inline Type getArrayElementType(Type type) {
  if (auto array = dyn_cast<ArrayType>(type))
    return array.getElementType();
  return NoneType::get(type.getContext());
}

/// Whether an operand passed for a parameter of direction `param` may have the
/// direction `arg`. Whether it is a tensor is not considered.
bool isAllowedDirection(ArgDirection arg, ParamDirection param);

/// The direction of a tensor passed for such a parameter where the launch gives
/// none.
ArgDirection getDefaultDirection(ParamDirection param);

/// The runtime `op` is compiled for: the nearest enclosing module that says so
/// decides, else `tensormap_and_ringbuffer`.
Runtime getRuntime(Operation *op);

} // namespace mlir::pypto::graph

#include "Graph/GraphInterfaces.h.inc"
#define GET_OP_CLASSES
#include "Graph/GraphOps.h.inc"

#endif // PYPTO_DIALECT_GRAPH_GRAPH_H
