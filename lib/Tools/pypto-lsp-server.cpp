//===- pypto-lsp-server.cpp - Language server for editors -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir-lsp-server` with the dialects of this project.
//
//===----------------------------------------------------------------------===//

#include "Registration/Registration.h"
#include "Tools/ToolSupport.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  pypto::initializeTool();
  DialectRegistry registry;
  pypto::registerUpstreamDialects(registry);
  pypto::registerAllDialects(registry);
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}
