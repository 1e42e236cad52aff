//===- Registration.cpp - One place that registers everything -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registration/Registration.h"

#if __has_include("Graph/Graph.h")
#include "Graph/Graph.h"
#endif
#include "Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

void pypto::registerAllDialects(DialectRegistry &registry) {
#if __has_include("Graph/Graph.h")
  registry.insert<graph::GraphDialect>();
#endif
}

void pypto::registerAllPasses() { registerPyptoGraphPasses(); }
