//===- AscInterpreter.h - Runs kernels of the asc dialect -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reference implementation of the numerics that the asc dialect specifies.
// Runs the body of a function over plain buffers, node by node, in the order of
// the graph. Depends on the dialects alone.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_KERNELS_ASCINTERPRETER_H
#define PYPTO_KERNELS_ASCINTERPRETER_H

#include "Asc/Asc.h"

#include <string>

namespace mlir::pypto::asc {

/// An argument of a kernel: a strided window of memory for a `!graph.tensor`
/// parameter, else a scalar.
struct KernelArgument {
  /// The first element; null for a scalar. An i1 takes a byte.
  char *data = nullptr;
  /// Extents, and strides in elements.
  SmallVector<int64_t, 5> shape, strides;
  /// The bits of a scalar: an integer, or the encoding of a float.
  uint64_t bits = 0;

  static KernelArgument scalar(uint64_t bits) {
    KernelArgument argument;
    argument.bits = bits;
    return argument;
  }
  static KernelArgument tensor(void *data, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> strides) {
    KernelArgument argument;
    argument.data = static_cast<char *>(data);
    argument.shape.assign(shape.begin(), shape.end());
    argument.strides.assign(strides.begin(), strides.end());
    return argument;
  }
};

/// Why a kernel could not be run, and where.
struct KernelError {
  Operation *op = nullptr;
  std::string message;
};

/// Runs the body of `func` on arguments, one a parameter. What was stored
/// before an error stays. Nothing outside the windows is touched.
LogicalResult interpretKernel(FunctionOpInterface func,
                              ArrayRef<KernelArgument> arguments,
                              KernelError &error);

/// Whether the constant exponent of a power makes it a product, root or
/// quotient, which the dialect specifies; the exponent then.
std::optional<double> getSpecialExponent(PowOp pow);

/// Whether the base of a power is the constant 2, or 1/2 (true): the power is
/// `exp2` of the exponent, or of the exponent negated.
std::optional<bool> getSpecialBase(PowOp pow);

} // namespace mlir::pypto::asc

#endif // PYPTO_KERNELS_ASCINTERPRETER_H
