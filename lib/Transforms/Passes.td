//===- Passes.td - Passes on the graph dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_PASSES_TD
#define PYPTO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // PYPTO_TRANSFORMS_PASSES_TD
