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
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

#include <memory>

namespace mlir {
namespace pypto {

#define GEN_PASS_DECL
#include "Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Transforms/Passes.h.inc"

/// Options of `graph-legalize-pipeline`.
struct GraphLegalizePipelineOptions
    : PassPipelineOptions<GraphLegalizePipelineOptions> {
  Option<std::string> runtime{
      *this, "runtime",
      llvm::cl::desc("compile for this runtime, whatever the module says"),
      llvm::cl::init("")};
  Option<bool> verify{
      *this, "verify",
      llvm::cl::desc("check after each pass the properties that hold there"),
      llvm::cl::init(true)};
  Option<bool> strictAliasing{
      *this, "strict-aliasing",
      llvm::cl::desc("do not assume that different parameters of an entry are "
                     "different buffers"),
      llvm::cl::init(false)};
};

/// Adds the passes that take scopes and plain calls to graph functions that
/// replay right.
void buildGraphLegalizePipeline(OpPassManager &pm,
                                const GraphLegalizePipelineOptions &options);

/// Registers `graph-legalize-pipeline`.
void registerGraphPipelines();

} // namespace pypto
} // namespace mlir

#endif // PYPTO_TRANSFORMS_PASSES_H
