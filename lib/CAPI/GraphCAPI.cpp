//===- GraphCAPI.cpp - C interface of the graph dialect -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CAPI/GraphCAPI.h"

#include "Graph/Graph.h"
#include "Registration/Registration.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

using namespace mlir;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Graph, graph, pypto::graph::GraphDialect)

void pyptoRegisterAllDialects(MlirDialectRegistry registry) {
  pypto::registerAllDialects(*unwrap(registry));
}

void pyptoRegisterAllPasses() { pypto::registerAllPasses(); }
