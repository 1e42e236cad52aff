//===- GraphTypes.cpp - Types of the graph dialect ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Graph.h"
#include "Graph/OpUtils.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto::graph;

#define GET_TYPEDEF_CLASSES
#include "Graph/GraphTypes.cpp.inc"

void GraphDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Graph/GraphTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// GraphTensorType
//===----------------------------------------------------------------------===//

static bool isTensorElementType(Type type) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  switch (integer.getWidth()) {
  case 1:
    return integer.isSignless();
  case 8:
  case 16:
  case 32:
  case 64:
    return true;
  default:
    return false;
  }
}

LogicalResult
GraphTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                        ArrayRef<int64_t> shape, Type elementType) {
  if (static_cast<int64_t>(shape.size()) > kMaxRank)
    return emitError() << "a graph tensor has at most " << kMaxRank
                       << " dimensions, got " << shape.size();
  if (!elementType || !isTensorElementType(elementType))
    return emitError() << "invalid element type of a graph tensor: "
                       << elementType
                       << " (expected f16, bf16, f32, f64, i1, i8, i16, i32, "
                          "i64 or ui8 to ui64)";
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) && extent <= 0)
      return emitError() << "an extent of a graph tensor must be positive or "
                            "'?', got "
                         << extent;
  if (!detail::countElements(shape))
    return emitError() << "a graph tensor has too many elements";
  return success();
}

Type GraphTensorType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<GraphTensorType>(
      loc, parser.getContext(), ArrayRef<int64_t>(shape), elementType);
}

void GraphTensorType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape()) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
    printer << 'x';
  }
  printer << getElementType() << '>';
}

Type GraphTensorType::getScalarType() const {
  auto integer = dyn_cast<IntegerType>(getElementType());
  if (!integer || integer.isSignless())
    return getElementType();
  return IntegerType::get(getContext(), integer.getWidth());
}

bool GraphTensorType::isCompatibleWith(GraphTensorType other) const {
  return getElementType() == other.getElementType() &&
         succeeded(verifyCompatibleShape(getShape(), other.getShape()));
}

//===----------------------------------------------------------------------===//
// TaskIdType
//===----------------------------------------------------------------------===//

Type TaskIdType::parse(AsmParser &parser) {
  // A type without a parser of its own swallows whatever stands in `<…>`.
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLess())) {
    parser.emitError(loc, "'!graph.task_id' has no parameters");
    return {};
  }
  return get(parser.getContext());
}

void TaskIdType::print(AsmPrinter &) const {}

//===----------------------------------------------------------------------===//
// ArrayType
//===----------------------------------------------------------------------===//

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t size, Type elementType) {
  if (size <= 0 || size > std::numeric_limits<uint32_t>::max())
    return emitError() << "an array has 1 to 4294967295 elements, got " << size;
  if (!elementType ||
      !(isa<TaskIdType>(elementType) || isScalarType(elementType)))
    return emitError() << "elements of an array are task ids or scalars, got "
                       << elementType;
  return success();
}

Type ArrayType::parse(AsmParser &parser) {
  SmallVector<int64_t, 1> sizes;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(sizes, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  if (sizes.size() != 1) {
    parser.emitError(loc, "an array has one size, as in '4 x index'");
    return {};
  }
  return parser.getChecked<ArrayType>(loc, parser.getContext(), sizes.front(),
                                      elementType);
}

void ArrayType::print(AsmPrinter &printer) const {
  printer << '<' << getSize() << " x " << getElementType() << '>';
}
