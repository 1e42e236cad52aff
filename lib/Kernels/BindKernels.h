//===- BindKernels.h - Kernel graphs in the runtime model -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_KERNELS_BINDKERNELS_H
#define PYPTO_KERNELS_BINDKERNELS_H

#include "Runtime/Runtime.h"

namespace mlir::pypto::asc {

/// Lets the interpreter of kernel graphs run every device function of `module`
/// whose body is one. The module must outlive the program.
void bindKernels(runtime::Program &program, ModuleOp module);

} // namespace mlir::pypto::asc

#endif // PYPTO_KERNELS_BINDKERNELS_H
