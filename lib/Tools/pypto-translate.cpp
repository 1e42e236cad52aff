//===- pypto-translate.cpp - Translation driver ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir-translate` with the translations of this project.
//
//===----------------------------------------------------------------------===//

#include "Registration/Registration.h"
#include "Target/Orchestration/Orchestration.h"
#include "Tools/InputCheck.h"
#include "Tools/ToolSupport.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static llvm::cl::OptionCategory category("Orchestration code");

static llvm::cl::opt<std::string> manifestFile(
    "manifest", llvm::cl::cat(category),
    llvm::cl::desc("Write the manifest (JSON) of the orchestration "
                   "code to this file"),
    llvm::cl::value_desc("filename"));

static llvm::cl::opt<std::string>
    entryName("entry", llvm::cl::cat(category),
              llvm::cl::desc("The function that becomes the entry of the "
                             "orchestration code"),
              llvm::cl::value_desc("function"));

static llvm::cl::opt<bool> assumeLegalized(
    "assume-legalized", llvm::cl::cat(category), llvm::cl::Hidden,
    llvm::cl::desc("Emit orchestration code without checking the properties "
                   "that it relies on; for tests"));

static LogicalResult writeManifest(StringRef manifest) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file =
      openOutputFile(manifestFile, &message);
  if (!file) {
    llvm::errs() << "pypto-translate: error: " << message << "\n";
    return failure();
  }
  file->os() << manifest;
  file->keep();
  return success();
}

static LogicalResult emitOrchestration(Operation *op, raw_ostream &os) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return op->emitError("expected a module, got '") << op->getName() << "'";
  pypto::OrchestrationOptions options;
  StringRef entry = entryName;
  entry.consume_front("@");
  options.entry = entry.str();
  options.verify = !assumeLegalized;
  FailureOr<pypto::OrchestrationUnit> unit =
      pypto::translateToOrchestration(module, options);
  if (failed(unit) ||
      (!manifestFile.empty() && failed(writeManifest(unit->manifest))))
    return failure();
  os << unit->source;
  return success();
}

int main(int argc, char **argv) {
  pypto::initializeTool();
  if (failed(pypto::checkLinalgOperands(ArrayRef(argv, argc))))
    return EXIT_FAILURE;
  TranslateFromMLIRRegistration registration(
      "graph-to-orchestration",
      "C++ orchestration code of a legalized module for the host_build_graph "
      "runtime",
      emitOrchestration, [](DialectRegistry &registry) {
        pypto::registerUpstreamDialects(registry);
        pypto::registerAllDialects(registry);
      });
  return asMainReturnCode(
      mlirTranslateMain(argc, argv, "pypto-graph translation driver"));
}
