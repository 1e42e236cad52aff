//===- GraphCAPI.h - C interface of the graph dialect -------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_CAPI_GRAPHCAPI_H
#define PYPTO_CAPI_GRAPHCAPI_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Graph, graph);

/// Inserts every dialect of this project into `registry`.
MLIR_CAPI_EXPORTED void pyptoRegisterAllDialects(MlirDialectRegistry registry);

/// Registers every pass and pipeline of this project with the global pass
/// registry.
MLIR_CAPI_EXPORTED void pyptoRegisterAllPasses(void);

#ifdef __cplusplus
}
#endif

#endif // PYPTO_CAPI_GRAPHCAPI_H
