//===- GraphCAPI.h - C interface of the graph dialect -------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_CAPI_GRAPHCAPI_H
#define PYPTO_CAPI_GRAPHCAPI_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Graph, graph);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Asc, asc);

/// Inserts every dialect of this project into `registry`.
MLIR_CAPI_EXPORTED void pyptoRegisterAllDialects(MlirDialectRegistry registry);

/// Registers every pass and pipeline of this project with the global pass
/// registry.
MLIR_CAPI_EXPORTED void pyptoRegisterAllPasses(void);

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// The `GetChecked` functions need the dialect loaded in the context. They emit
// an error at `loc` and return null when the arguments make no type.

MLIR_CAPI_EXPORTED bool pyptoTypeIsAGraphTensor(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID pyptoGraphTensorTypeGetTypeID(void);
/// Extents are positive, or `mlirShapedTypeGetDynamicSize()`.
MLIR_CAPI_EXPORTED MlirType
pyptoGraphTensorTypeGetChecked(MlirLocation loc, intptr_t rank,
                               const int64_t *shape, MlirType elementType);
MLIR_CAPI_EXPORTED intptr_t pyptoGraphTensorTypeGetRank(MlirType type);
MLIR_CAPI_EXPORTED int64_t pyptoGraphTensorTypeGetExtent(MlirType type,
                                                         intptr_t axis);
MLIR_CAPI_EXPORTED MlirType pyptoGraphTensorTypeGetElementType(MlirType type);
/// The type of one element as a scalar value: unsigned integers become
/// signless.
MLIR_CAPI_EXPORTED MlirType pyptoGraphTensorTypeGetScalarType(MlirType type);

MLIR_CAPI_EXPORTED bool pyptoTypeIsATaskId(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID pyptoTaskIdTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType pyptoTaskIdTypeGet(MlirContext context);

MLIR_CAPI_EXPORTED bool pyptoTypeIsAGraphArray(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID pyptoGraphArrayTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType pyptoGraphArrayTypeGetChecked(MlirLocation loc,
                                                          int64_t size,
                                                          MlirType elementType);
MLIR_CAPI_EXPORTED int64_t pyptoGraphArrayTypeGetSize(MlirType type);
MLIR_CAPI_EXPORTED MlirType pyptoGraphArrayTypeGetElementType(MlirType type);

/// Whether a value of type `actual` may be passed where `formal` is expected:
/// the same type, or graph tensors of the same element type and rank whose
/// extents are equal or unknown on either side.
MLIR_CAPI_EXPORTED bool pyptoTypesAreCompatible(MlirType actual,
                                                MlirType formal);

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// For each enumeration of the dialect: its attribute is made from the keyword
/// (null when there is no such keyword) and gives the keyword back. The
/// keywords are numbered from 0; past the last one the string is null.
#define PYPTO_DECLARE_ENUM_ATTR(Name)                                          \
  MLIR_CAPI_EXPORTED bool pyptoAttributeIsA##Name(MlirAttribute attr);         \
  MLIR_CAPI_EXPORTED MlirTypeID pypto##Name##AttrGetTypeID(void);              \
  MLIR_CAPI_EXPORTED MlirAttribute pypto##Name##AttrGet(                       \
      MlirContext context, MlirStringRef keyword);                             \
  MLIR_CAPI_EXPORTED MlirStringRef pypto##Name##AttrGetValue(                  \
      MlirAttribute attr);                                                     \
  MLIR_CAPI_EXPORTED MlirStringRef pypto##Name##GetKeyword(intptr_t index);

PYPTO_DECLARE_ENUM_ATTR(Runtime)
PYPTO_DECLARE_ENUM_ATTR(FunctionKind)
PYPTO_DECLARE_ENUM_ATTR(ParamDirection)
PYPTO_DECLARE_ENUM_ATTR(ArgDirection)
PYPTO_DECLARE_ENUM_ATTR(ScopeKind)
PYPTO_DECLARE_ENUM_ATTR(Comparison)

#undef PYPTO_DECLARE_ENUM_ATTR

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Whether an operation in `block` is inside the region that defines `value`.
MLIR_CAPI_EXPORTED bool pyptoValueIsVisibleIn(MlirValue value, MlirBlock block);

/// The `graph.func` called `name` that a call inside `from` means, or null.
/// When `from` is itself a symbol table, it is looked up there.
MLIR_CAPI_EXPORTED MlirOperation pyptoLookupGraphFunc(MlirOperation from,
                                                      MlirStringRef name);

/// Takes an operation, half built, out of its block and leaves it to itself: it
/// and what is nested in it stay valid for whoever still refers to them, and it
/// no longer uses values of the outside. Its memory is not freed.
MLIR_CAPI_EXPORTED void pyptoAbandonOperation(MlirOperation op);

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// The properties of a module that passes require and produce, in the order in
/// which the pipeline establishes them; past the last one the string is null.
MLIR_CAPI_EXPORTED MlirStringRef pyptoGetPropertyName(intptr_t index);

/// Computes a property of a module; emits an error for each violation. Fails
/// when there is one, when `op` is no module, or for an unknown name.
MLIR_CAPI_EXPORTED MlirLogicalResult pyptoVerifyProperty(MlirOperation op,
                                                         MlirStringRef name);

/// Puts after every pass of a pipeline on modules a check of the properties
/// produced so far, which names the pass that breaks one. Fails with a message
/// when a pass has no textual form.
MLIR_CAPI_EXPORTED MlirLogicalResult pyptoPassManagerAddPropertyChecks(
    MlirPassManager passes, MlirStringCallback onError, void *userData);

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

/// Translates a module into C++ orchestration code for the `host_build_graph`
/// runtime. `entry` may be empty. Emits errors and fails when the module has no
/// translation, or `op` is no module; else calls `onSource` and `onManifest`
/// (JSON) with the texts.
MLIR_CAPI_EXPORTED MlirLogicalResult pyptoTranslateToOrchestration(
    MlirOperation op, MlirStringRef entry, MlirStringCallback onSource,
    MlirStringCallback onManifest, void *userData);

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// An entry of the table of diagnostic codes; the texts live forever.
typedef struct {
  MlirStringRef code;
  MlirStringRef summary;
  MlirStringRef meaning;
  MlirStringRef example;
  MlirStringRef remedy;
} PyptoDiagnosticInfo;

MLIR_CAPI_EXPORTED intptr_t pyptoGetNumDiagnosticInfos(void);
MLIR_CAPI_EXPORTED PyptoDiagnosticInfo pyptoGetDiagnosticInfo(intptr_t index);

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// An argument of a kernel: a strided window of memory (strides in elements),
/// or, with null data, the bits of a scalar.
typedef struct {
  void *data;
  intptr_t rank;
  const int64_t *shape;
  const int64_t *strides;
  uint64_t bits;
} PyptoKernelArgument;

/// Runs a function whose body is a graph of `asc` nodes. On failure the message
/// goes to the callback, and a diagnostic is emitted at the operation at fault.
MLIR_CAPI_EXPORTED MlirLogicalResult
pyptoInterpretKernel(MlirOperation func, intptr_t numArguments,
                     const PyptoKernelArgument *arguments,
                     MlirStringCallback message, void *userData);

#ifdef __cplusplus
}
#endif

#endif // PYPTO_CAPI_GRAPHCAPI_H
