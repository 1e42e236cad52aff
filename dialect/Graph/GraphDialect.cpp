//===- GraphDialect.cpp - The graph dialect -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto::graph;

#include "Graph/GraphDialect.cpp.inc"
#include "Graph/GraphEnums.cpp.inc"
#include "Graph/GraphInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Graph/GraphAttrs.cpp.inc"

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

namespace {
/// Lets the stock inliner inline functions of kind `inline`, and only those.
struct GraphInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *callable, bool) const final {
    auto func = dyn_cast<FuncOp>(callable);
    return func && func.getKind() == FunctionKind::Inline;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }

  void handleTerminator(Operation *op, ValueRange valuesToReplace) const final {
    for (auto [value, operand] :
         llvm::zip_equal(valuesToReplace, op->getOperands()))
      value.replaceAllUsesWith(operand);
  }

  /// Argument and parameter types may differ in static knowledge.
  Operation *materializeCallConversion(OpBuilder &builder, Value input,
                                       Type resultType,
                                       Location loc) const final {
    if (!CastOp::areCastCompatible(input.getType(), resultType))
      return nullptr;
    return CastOp::create(builder, loc, resultType, input);
  }
};
} // namespace

void GraphDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Graph/GraphAttrs.cpp.inc"
      >();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Graph/GraphOps.cpp.inc"
      >();
  addInterfaces<GraphInlinerInterface>();
  auto identify = [&](StringRef name) {
    return StringAttr::get(getContext(), name);
  };
  identifiers = {identify(kDirectionAttrName), identify(kParamNameAttrName),
                 identify(kTiedAttrName)};
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Attributes on other operations
//===----------------------------------------------------------------------===//

LogicalResult GraphDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  if (name == kRuntimeAttrName) {
    if (!isa<ModuleOp>(op) || !isa<RuntimeAttr>(attr.getValue()))
      return op->emitOpError("attribute 'graph.runtime' must be a "
                             "#graph.runtime<…> on a module");
    return success();
  }
  if (name == kParallelAttrName) {
    if (!isa<scf::ForOp>(op) || !isa<UnitAttr>(attr.getValue()))
      return op->emitOpError(
          "attribute 'graph.parallel' must be a unit attribute on an scf.for");
    return success();
  }
  // Whether it is a permutation is checked with the function: here, the
  // function itself is not verified yet.
  if (name == kSlotsAttrName) {
    if (!isa<FuncOp>(op) || !isa<DenseI64ArrayAttr>(attr.getValue()))
      return op->emitOpError("attribute 'graph.slots' must be an array<i64> on "
                             "a graph.func");
    return success();
  }
  // A misspelt one would be of no effect, without a word.
  return op->emitOpError("attribute '")
         << name
         << "' is unknown; those of the graph dialect on operations are "
            "graph.runtime, graph.parallel and graph.slots";
}

LogicalResult GraphDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned,
                                                     NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  if (!isa<FuncOp>(op) &&
      (name == kDirectionAttrName || name == kParamNameAttrName))
    return op->emitOpError("attribute '")
           << name << "' belongs on a parameter of a graph.func";
  if (name == kDirectionAttrName && !isa<ParamDirectionAttr>(attr.getValue()))
    return op->emitOpError("attribute 'graph.dir' must be a #graph.dir<…>");
  if (name == kParamNameAttrName && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError("attribute 'graph.name' must be a string");
  if (name != kDirectionAttrName && name != kParamNameAttrName)
    return op->emitOpError("attribute '")
           << name
           << "' is unknown; those of the graph dialect on parameters are "
              "graph.dir and graph.name";
  return success();
}

LogicalResult GraphDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                        unsigned,
                                                        NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  if (name != kTiedAttrName)
    return op->emitOpError("attribute '")
           << name
           << "' is unknown; that of the graph dialect on results is "
              "graph.tied";
  if (!isa<FuncOp>(op) || !isa<StringAttr>(attr.getValue()))
    return op->emitOpError("attribute 'graph.tied' must be the name of a "
                           "parameter on a result of a graph.func");
  return success();
}

Runtime mlir::pypto::graph::getRuntime(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto runtime =
            op->getAttrOfType<RuntimeAttr>(GraphDialect::kRuntimeAttrName))
      return runtime.getValue();
  return Runtime::TensorMapAndRingBuffer;
}
