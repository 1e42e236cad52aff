//===- ShapeInference.h - Result types of nodes -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Result types that follow from operands and attributes. Operands may be of any
// type: types are inferred before anything is verified. Private to the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_DIALECT_ASC_SHAPEINFERENCE_H
#define PYPTO_DIALECT_ASC_SHAPEINFERENCE_H

#include "Asc/Asc.h"

namespace mlir::pypto::asc::detail {

/// Where an error goes. Without a location nothing is said.
struct InferenceSite {
  std::optional<Location> loc;
  StringRef opName;

  LogicalResult fail(const Twine &message) const;
};

using TypeList = SmallVectorImpl<Type>;

LogicalResult inferElementwise(InferenceSite site, ValueRange operands,
                               TypeList &types);
/// As elementwise, with elements i1.
LogicalResult inferCompare(InferenceSite site, ValueRange operands,
                           TypeList &types);
/// The condition first, then the two values.
LogicalResult inferChoice(InferenceSite site, ValueRange operands,
                          TypeList &types);
LogicalResult inferTranspose(InferenceSite site, Value source,
                             ArrayRef<int64_t> permutation, TypeList &types);
LogicalResult inferConcat(InferenceSite site, ValueRange sources, int64_t axis,
                          TypeList &types);
LogicalResult inferSplit(InferenceSite site, Value source, int64_t axis,
                         ArrayRef<int64_t> sizes, TypeList &types);
LogicalResult inferGather(InferenceSite site, Value source, Value indices,
                          int64_t axis, TypeList &types);
LogicalResult inferReduction(InferenceSite site, Value source,
                             ArrayRef<int64_t> axes, TypeList &types);
LogicalResult inferMatmul(InferenceSite site, Value lhs, Value rhs,
                          TypeList &types);

} // namespace mlir::pypto::asc::detail

#endif // PYPTO_DIALECT_ASC_SHAPEINFERENCE_H
