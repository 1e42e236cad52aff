//===- ToolSupport.cpp - What the tools have in common --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/ToolSupport.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/IR/MemRefMemorySlot.h"
#include "mlir/Dialect/MemRef/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

#ifdef __SANITIZE_ADDRESS__
/// MLIR itself is not instrumented: containers that cross the boundary look
/// overflown, and allocators whose memory only one side poisons look misused.
/// A plugin with the same dialects in it defines their globals again.
extern "C" const char *__asan_default_options();
const char *__asan_default_options() {
  return "detect_container_overflow=0:allow_user_poisoning=0:"
         "detect_odr_violation=0:detect_leaks=0";
}
#endif

void pypto::initializeTool() {
  llvm::setBugReportMsg(
      "PLEASE report this crash as a bug of pypto-graph, with the input, the "
      "command line, the output of --version and the backtrace below.\n");
  llvm::cl::AddExtraVersionPrinter(
      [](raw_ostream &os) { os << "pypto-graph " PYPTO_GRAPH_VERSION "\n"; });
}

void pypto::registerUpstreamDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, index::IndexDialect, linalg::LinalgDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect, ub::UBDialect>();

  // Interfaces that live outside of the dialects: a pass that asks for one that
  // is promised and missing aborts.
  func::registerInlinerExtension(registry);
  affine::registerValueBoundsOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  linalg::registerValueBoundsOpInterfaceExternalModels(registry);
  linalg::registerSubsetOpInterfaceExternalModels(registry);
  linalg::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  memref::registerMemorySlotExternalModels(registry);
  memref::registerValueBoundsOpInterfaceExternalModels(registry);
  memref::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
  tensor::registerValueBoundsOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  tensor::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
}

void pypto::registerUpstreamPasses() {
  // The general transformations but for remove-dead-values: it takes every user
  // of a function for a call and asserts on a graph.submit.
  registerBubbleDownMemorySpaceCastsPass();
  registerCSEPass();
  registerCanonicalizerPass();
  registerCompositeFixedPointPass();
  registerControlFlowSinkPass();
  registerGenerateRuntimeVerificationPass();
  registerInlinerPass();
  registerLocationSnapshotPass();
  registerLoopInvariantCodeMotionPass();
  registerLoopInvariantSubsetHoistingPass();
  registerMem2RegPass();
  registerPrintIRPass();
  registerPrintOpStatsPass();
  registerSCCPPass();
  registerSROAPass();
  registerStripDebugInfoPass();
  registerSymbolDCEPass();
  registerSymbolPrivatizePass();
  registerTopologicalSortPass();
  registerViewOpGraphPass();

  arith::registerArithIntRangeNarrowing();
  arith::registerArithIntRangeOpts();
  arith::registerArithUnsignedWhenEquivalentPass();

  registerSCFForLoopCanonicalization();
  registerSCFForLoopPeeling();
  registerSCFForLoopRangeFolding();
  registerSCFForLoopSpecialization();

  registerConvertElementwiseToLinalgPass();
  registerLinalgElementwiseOpFusionPass();
  registerLinalgFoldUnitExtentDimsPass();
  registerLinalgGeneralizeNamedOpsPass();
}
