//===- AscDialect.cpp - The asc dialect -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Asc/Asc.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

#include "Asc/AscDialect.cpp.inc"
#include "Asc/AscEnums.cpp.inc"
#include "Asc/AscInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Asc/AscAttrs.cpp.inc"

void AscDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Asc/AscAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Asc/AscOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool asc::isComputeFloat(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

bool asc::isNumberType(Type type) {
  if (isComputeFloat(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  switch (integer.getWidth()) {
  case 8:
  case 16:
  case 32:
  case 64:
    return true;
  default:
    return false;
  }
}

bool asc::isElementType(Type type) {
  return isOrderedType(type) || isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

bool asc::isTileOf(Type type, bool (*isElement)(Type)) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding() || !isElement(tensor.getElementType()))
    return false;
  int64_t elements = 1;
  for (int64_t extent : tensor.getShape()) {
    if (ShapedType::isDynamic(extent) || extent <= 0 ||
        extent > kMaxTileElements / elements)
      return false;
    elements *= extent;
  }
  return true;
}

Type asc::withElementType(Type type, Type elementType) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? Type(tile.clone(elementType)) : elementType;
}
