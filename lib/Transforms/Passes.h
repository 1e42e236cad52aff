//===- Passes.h - Passes on the graph dialect -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constructors, options and registration of the passes of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_PASSES_H
#define PYPTO_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <memory>

namespace mlir {
namespace pypto {

#define GEN_PASS_DECL
#include "Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Transforms/Passes.h.inc"

} // namespace pypto
} // namespace mlir

#endif // PYPTO_TRANSFORMS_PASSES_H
