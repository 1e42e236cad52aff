//===- Registration.cpp - One place that registers everything -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registration/Registration.h"

#include "Asc/Asc.h"
#include "Graph/Graph.h"
#include "Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

void pypto::registerAllDialects(DialectRegistry &registry) {
  registry.insert<asc::AscDialect, graph::GraphDialect>();
}

void pypto::registerAllPasses() {
  registerPyptoGraphPasses();
  registerGraphPipelines();
}
