//===- Orchestration.cpp - C++ for the host_build_graph runtime -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Orchestration.h"

#include "Diagnostics/Diagnostics.h"
#include "FunctionEmitter.h"
#include "Manifest.h"
#include "Program.h"
#include "Verify/Properties.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

//===----------------------------------------------------------------------===//
// What is asked of a module
//===----------------------------------------------------------------------===//

static LogicalResult checkRuntime(ModuleOp module) {
  graph::Runtime runtime = getRuntime(module);
  if (runtime == graph::Runtime::HostBuildGraph)
    return success();
  InFlightDiagnostic diag =
      emitCodedError(module.getLoc(), DiagnosticCode::CodegenRuntime);
  diag << "the module is compiled for the runtime '"
       << stringifyRuntime(runtime)
       << "'; orchestration code is emitted for 'host_build_graph' alone";
  diag.attachNote() << "write `module attributes {graph.runtime = "
                       "#graph.runtime<host_build_graph>}`";
  return diag;
}

/// Everything that emission relies on, verified anew; all violations are
/// reported.
static LogicalResult checkProperties(ModuleOp module) {
  SymbolTableCollection symbolTable;
  bool valid = true;
  for (Property property :
       {Property::InlineFunctionsEliminated, Property::GraphOutlined,
        Property::SplitIncoreOrch, Property::CallDirectionsResolved,
        Property::GraphBoundaryLegalized}) {
    // The later ones take the earlier ones for granted.
    if (!valid && property == Property::GraphBoundaryLegalized)
      break;
    if (succeeded(verifyProperty(module, property, symbolTable)))
      continue;
    valid = false;
    emitCodedError(module.getLoc(), DiagnosticCode::MissingProperty)
            .append("orchestration code needs the property ",
                    getPropertyName(property))
            .attachNote()
        << "run graph-legalize-pipeline, or " << getEstablishingPass(property)
        << ", first";
  }
  return success(valid);
}

//===----------------------------------------------------------------------===//
// The unit
//===----------------------------------------------------------------------===//

static void appendHead(std::string &source, const Program &program,
                       const Support &support) {
  source += "// Orchestration of '@";
  source += sanitizeComment(program.getEntry().getSymName());
  source += "' for the host_build_graph runtime. Generated; do not edit.\n\n"
            "#include \"pto_orchestration_api.h\"\n\n"
            "#include <array>\n"
            "#include <cmath>\n"
            "#include <cstdint>\n"
            "#include <cstring>\n"
            "#include <functional>\n\n";
  std::string helpers = support.getDefinitions();
  if (!program.getKernels().empty() || !helpers.empty()) {
    source += "namespace {\n";
    if (!program.getKernels().empty()) {
      source += "\n// Kernels, as the manifest numbers them.\n"
                "enum KernelId : int32_t {\n";
      for (auto [id, kernel] : llvm::enumerate(program.getKernels()))
        source += "  " + program.getName(kernel).str() + " = " +
                  std::to_string(id) + ",\n";
      source += "};\n";
    }
    source += helpers;
    source += "\n} // namespace\n\n";
  }
  if (program.getGraphs().empty())
    return;
  source += "// Recorded on the first launch; the address is the key.\n";
  for (FuncOp graph : program.getGraphs())
    source +=
        "void " + program.getName(graph).str() + "(const GraphTaskArgs &);\n";
  source += "\n";
}

static void appendComment(std::string &source, FuncOp func) {
  source += "// " + stringifyFunctionKind(func.getKind()).str() +
            " function '@" + sanitizeComment(func.getSymName()) + "'";
  std::string where = describeLocation(func.getLoc());
  source += where.empty() ? "\n" : " (" + where + ")\n";
}

static void appendConfig(std::string &source, const Program &program) {
  size_t numTensors = getSignature(program.getEntry()).tensors.size();
  source += "extern \"C\" {\n\n"
            "__attribute__((visibility(\"default\"))) PTO2OrchestrationConfig\n"
            "aicpu_orchestration_config(const ChipTaskArgs &) {\n"
            "  PTO2OrchestrationConfig config{};\n"
            "  config.expected_arg_count = " +
            std::to_string(numTensors) +
            ";\n"
            "  return config;\n"
            "}\n\n";
}

FailureOr<OrchestrationUnit>
mlir::pypto::translateToOrchestration(ModuleOp module,
                                      const OrchestrationOptions &options) {
  if (failed(checkRuntime(module)) ||
      (options.verify && failed(checkProperties(module))))
    return failure();
  Program program(module);
  if (failed(program.collect(options)))
    return failure();

  // Bodies first: they say which helpers there have to be.
  Support support;
  bool hasFailed = false;
  std::string bodies;
  auto emit = [&](FuncOp func) {
    FunctionEmitter emitter(program, support, func);
    appendComment(bodies, func);
    bodies += emitter.emit();
    bodies += "\n";
    hasFailed |= emitter.failed();
  };
  for (FuncOp graph : program.getGraphs())
    emit(graph);
  for (FuncOp helper : program.getHelpers())
    emit(helper);
  appendConfig(bodies, program);
  emit(program.getEntry());
  if (hasFailed)
    return failure();

  OrchestrationUnit unit;
  appendHead(unit.source, program, support);
  unit.source += bodies;
  unit.source += "} // extern \"C\"\n";
  unit.manifest = getManifest(program);
  return unit;
}
