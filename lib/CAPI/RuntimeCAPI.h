//===- RuntimeCAPI.h - C interface of the runtime model -----------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Runtime/Runtime.h. What a run comes to is reported as JSON text.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_CAPI_RUNTIMECAPI_H
#define PYPTO_CAPI_RUNTIMECAPI_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A program that can be run; it has a copy of its module.
typedef struct {
  void *ptr;
} PyptoProgram;

/// Copies a verified module, whose context must outlive the program. Null when
/// `module` is no module.
MLIR_CAPI_EXPORTED PyptoProgram pyptoProgramLoad(MlirOperation module);
MLIR_CAPI_EXPORTED void pyptoProgramDestroy(PyptoProgram program);

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

typedef struct {
  MlirStringRef name;
  bool isTensor;
  bool isWritten;
  /// Extents of a tensor, `mlirShapedTypeGetDynamicSize()` where open.
  intptr_t rank;
  const int64_t *shape;
  /// The element type of a tensor, as the dialect writes it; "" for a scalar.
  MlirStringRef element;
} PyptoParam;

typedef void (*PyptoParamCallback)(const PyptoParam *param, void *userData);

/// Calls back for each parameter of a function with a body. False when there is
/// none of this name, or it has parameters no caller can pass.
MLIR_CAPI_EXPORTED bool pyptoProgramGetParams(PyptoProgram program,
                                              MlirStringRef entry,
                                              PyptoParamCallback callback,
                                              void *userData);

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// A tensor that a kernel got; strides count elements.
typedef struct {
  char *data;
  intptr_t rank;
  const int64_t *shape;
  const int64_t *strides;
  MlirStringRef element;
  bool isWritten;
} PyptoKernelTensor;

/// Tensors and scalars (bit patterns), each in the order of the parameters;
/// behind the tensors, buffers for results that are tied to no parameter.
typedef struct {
  intptr_t numTensors;
  const PyptoKernelTensor *tensors;
  intptr_t numScalars;
  const uint64_t *scalars;
  int64_t blockCount;
} PyptoKernelCall;

/// Returns whether it succeeded; otherwise it passes a message to `onError`.
typedef bool (*PyptoKernelCallback)(const PyptoKernelCall *call,
                                    MlirStringCallback onError, void *errorData,
                                    void *userData);

/// Runs a callback in place of a kernel's body. It must stay valid, with its
/// data, as long as the program.
MLIR_CAPI_EXPORTED void pyptoProgramBindKernel(PyptoProgram program,
                                               MlirStringRef name,
                                               PyptoKernelCallback callback,
                                               void *userData);

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// A tensor on the caller's memory, or the bit pattern of a scalar.
typedef struct {
  bool isTensor;
  uint64_t scalar;
  char *data;
  int64_t sizeInBytes;
  /// Offset and strides count elements.
  int64_t startOffset;
  intptr_t rank;
  const int64_t *shape;
  const int64_t *strides;
} PyptoArgument;

/// As `RunOptions`. `order` is "program", "reverse" or "random".
typedef struct {
  MlirStringRef order;
  uint64_t seed;
  uint64_t maxSteps;
  bool replay;
  bool symbolic;
  bool keepRecordings;
  bool orderReaders;
} PyptoRunOptions;

/// Runs an entry on the caller's memory. Passes a JSON object to `onResult`:
/// `problem` (null or message, location, rule), `events`, `num_ops`,
/// `num_tasks`, `results` (bit patterns as strings).
MLIR_CAPI_EXPORTED void
pyptoProgramRun(PyptoProgram program, MlirStringRef entry,
                intptr_t numArguments, const PyptoArgument *arguments,
                const PyptoRunOptions *options, MlirStringCallback onResult,
                void *userData);

/// Compares calls of an entry (`numArguments` arguments each) run eagerly and
/// by record and replay, on copies of the memory. Passes a JSON object to
/// `onResult`: `calls` and `text`, the report as people read it.
MLIR_CAPI_EXPORTED void
pyptoProgramCompare(PyptoProgram program, MlirStringRef entry,
                    intptr_t numCalls, intptr_t numArguments,
                    const PyptoArgument *arguments,
                    const PyptoRunOptions *options, MlirStringCallback onResult,
                    void *userData);

/// The recordings of the last run, a JSON object a line.
MLIR_CAPI_EXPORTED void pyptoProgramDumpDefinitions(PyptoProgram program,
                                                    MlirStringCallback onResult,
                                                    void *userData);

#ifdef __cplusplus
}
#endif

#endif // PYPTO_CAPI_RUNTIMECAPI_H
