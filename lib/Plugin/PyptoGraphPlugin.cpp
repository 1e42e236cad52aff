//===- PyptoGraphPlugin.cpp - Plugin for a stock mlir-opt -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file with the dialects and the passes:
//
//   mlir-opt --load-dialect-plugin=PyptoGraphPlugin.so
//   --pass-pipeline='builtin.module(legalize-graph-boundary)'
//
// The dialect flag alone is enough: it registers the passes too. Flags of their
// own (`--legalize-graph-boundary`) only the passes have that mlir-opt starts
// with.
//
//===----------------------------------------------------------------------===//

#include "Registration/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "PyptoGraph", PYPTO_GRAPH_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::pypto::registerAllDialects(*registry);
            mlir::pypto::registerAllPasses();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "PyptoGraph", PYPTO_GRAPH_VERSION,
          [] { mlir::pypto::registerAllPasses(); }};
}
