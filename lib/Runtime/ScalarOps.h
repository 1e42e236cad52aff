//===- ScalarOps.h - Arithmetic on bit patterns -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the scalar operations of `arith`, `math` and `index` compute. The same
// functions work on scalars and, element by element, on tiles.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_SCALAROPS_H
#define PYPTO_RUNTIME_SCALAROPS_H

#include "Runtime/Element.h"
#include "mlir/IR/Operation.h"

namespace mlir::pypto::runtime {

/// Why an operation has no result.
enum class ScalarStatus : uint8_t {
  Ok,
  DivisionByZero,
  DivisionOverflow,
  ShiftTooLarge,
  ConversionOutOfRange
};

/// What goes wrong, as a sentence's end: "divides by zero".
llvm::StringRef describe(ScalarStatus status);

/// An operation with what it needs to know of its types.
struct ScalarOp {
  using Function = ScalarStatus (*)(const ScalarOp &op, const uint64_t *in,
                                    uint64_t *out);
  Function function = nullptr;
  /// Kinds of the first operand and of the first result.
  ScalarKind in, out;
  /// Predicate of a comparison.
  uint8_t predicate = 0;
  /// Width of the second operand, which need not be that of the first.
  uint8_t secondWidth = 64;
  uint8_t numOperands = 0, numResults = 1;
};

/// How to compute `op`; nothing when it is unknown or a type is no scalar (or
/// tile of scalars).
std::optional<ScalarOp> getScalarOp(Operation *op);

/// `arith.cmpi` by the number of its predicate.
bool compareIntegers(unsigned predicate, uint64_t a, uint64_t b,
                     unsigned width);

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_SCALAROPS_H
