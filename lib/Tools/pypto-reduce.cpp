//===- pypto-reduce.cpp - Test case reducer -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir-reduce` with the dialects and passes of this project.
//
//===----------------------------------------------------------------------===//

#include "Registration/Registration.h"
#include "Tools/InputCheck.h"
#include "Tools/ToolSupport.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  pypto::initializeTool();
  if (failed(pypto::checkLinalgOperands(ArrayRef(argv, argc))))
    return EXIT_FAILURE;
  DialectRegistry registry;
  pypto::registerUpstreamDialects(registry);
  pypto::registerAllDialects(registry);
  pypto::registerUpstreamPasses();
  pypto::registerAllPasses();
  MLIRContext context(registry);
  return asMainReturnCode(mlirReduceMain(argc, argv, context));
}
