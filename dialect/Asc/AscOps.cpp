//===- AscOps.cpp - Operations of the asc dialect -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Asc/Asc.h"
#include "Asc/ShapeInference.h"
#include "Graph/OpUtils.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;
using graph::GraphTensorType;
using graph::detail::parseIndexList;
using graph::detail::printIndexList;

//===----------------------------------------------------------------------===//
// Custom directives
//===----------------------------------------------------------------------===//

/// The types of two operands; equal ones are written once.
static ParseResult parseOperandTypes(OpAsmParser &parser, Type &lhs,
                                     Type &rhs) {
  if (parser.parseType(lhs))
    return failure();
  rhs = lhs;
  if (failed(parser.parseOptionalComma()))
    return success();
  return parser.parseType(rhs);
}

static void printOperandTypes(OpAsmPrinter &printer, Operation *, Type lhs,
                              Type rhs) {
  printer << lhs;
  if (rhs != lhs)
    printer << ", " << rhs;
}

static ParseResult parseComparison(OpAsmParser &parser,
                                   ComparisonAttr &comparison) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Comparison> kind = symbolizeComparison(keyword);
  if (!kind)
    return parser.emitError(loc, "unknown comparison '")
           << keyword << "' (expected eq, ne, lt, le, gt or ge)";
  comparison = ComparisonAttr::get(parser.getContext(), *kind);
  return success();
}

static void printComparison(OpAsmPrinter &printer, Operation *,
                            ComparisonAttr comparison) {
  printer << stringifyComparison(comparison.getValue());
}

#define GET_OP_CLASSES
#include "Asc/AscOps.cpp.inc"

using EffectList =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// LoadOp and StoreOp
//===----------------------------------------------------------------------===//

/// A tile at given offsets lies in the tensor, as far as that is known.
static LogicalResult verifyWindow(Operation *op, GraphTensorType tensor,
                                  RankedTensorType tile,
                                  ArrayRef<int64_t> offsets,
                                  ValueRange values) {
  if (failed(graph::detail::verifyTile(op, tensor, tile, offsets, values)))
    return failure();
  for (auto [axis, extent] : llvm::enumerate(tensor.getShape())) {
    if (ShapedType::isDynamic(extent))
      continue;
    int64_t start = ShapedType::isDynamic(offsets[axis]) ? 0 : offsets[axis];
    if (start > extent - tile.getDimSize(axis))
      return op->emitOpError("tile of extent ")
             << tile.getDimSize(axis) << " at " << start
             << " does not fit axis " << axis << " of extent " << extent;
  }
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyWindow(*this, cast<GraphTensorType>(getSource().getType()),
                      cast<RankedTensorType>(getResult().getType()),
                      getStaticOffsets(), getOffsets());
}

void LoadOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), NodeList::get());
}

LogicalResult StoreOp::verify() {
  return verifyWindow(*this, cast<GraphTensorType>(getDest().getType()),
                      cast<RankedTensorType>(getValue().getType()),
                      getStaticOffsets(), getOffsets());
}

void StoreOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getDestMutable());
  effects.emplace_back(MemoryEffects::Write::get(), NodeList::get());
}

//===----------------------------------------------------------------------===//
// ScalarOp, CastOp, BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult ScalarOp::verify() {
  if (isa<FloatAttr, IntegerAttr>(getValueAttr()))
    return success();
  return emitOpError("expects an integer or floating-point value, got ")
         << getValueAttr();
}

LogicalResult CastOp::verify() {
  auto source = dyn_cast<RankedTensorType>(getSource().getType());
  auto result = dyn_cast<RankedTensorType>(getResult().getType());
  if (bool(source) == bool(result) &&
      (!source || source.getShape() == result.getShape()))
    return success();
  return emitOpError("cannot change the shape: ")
         << getSource().getType() << " to " << getResult().getType();
}

LogicalResult BroadcastOp::verify() {
  Type source = getSource().getType();
  auto result = cast<RankedTensorType>(getResult().getType());
  if (getElementOrSelf(source) != result.getElementType())
    return emitOpError("cannot change the element type: ")
           << source << " to " << result;
  ArrayRef<int64_t> from;
  if (auto tile = dyn_cast<RankedTensorType>(source))
    from = tile.getShape();
  ArrayRef<int64_t> to = result.getShape();
  bool fits = from.size() <= to.size();
  if (fits)
    for (auto [have, want] : llvm::zip(from, to.take_back(from.size())))
      fits &= have == want || have == 1;
  if (fits)
    return success();
  return emitOpError("cannot broadcast ") << source << " to " << result;
}
