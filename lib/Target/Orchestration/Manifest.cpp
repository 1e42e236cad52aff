//===- Manifest.cpp - What a unit wants of its loader ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"

#include "Analysis/TopologyCount.h"
#include "FunctionEmitter.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

namespace {
class ManifestWriter {
public:
  explicit ManifestWriter(const Program &program) : program(program) {}
  std::string write();

private:
  void writeString(StringRef key, StringRef value) {
    json->attribute(key, llvm::json::fixUTF8(value));
  }
  void writeType(StringRef key, Type type);
  void writeTensor(GraphTensorType type, StringRef direction);
  void writeParam(FuncOp func, unsigned index);
  void writeParams(StringRef key, FuncOp func, ArrayRef<unsigned> params);
  void writeKernel(unsigned id, FuncOp kernel);
  void writeFunction(FuncOp func);

  const Program &program;
  llvm::json::OStream *json = nullptr;
};
} // namespace

void ManifestWriter::writeType(StringRef key, Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  writeString(key, text);
}

void ManifestWriter::writeTensor(GraphTensorType type, StringRef direction) {
  json->attribute("kind", "tensor");
  writeString("direction", direction);
  writeType("element", type.getElementType());
  json->attributeArray("shape", [&] {
    for (int64_t extent : type.getShape()) {
      if (ShapedType::isDynamic(extent))
        json->value(nullptr);
      else
        json->value(extent);
    }
  });
}

void ManifestWriter::writeParam(FuncOp func, unsigned index) {
  Type type = func.getArgumentTypes()[index];
  json->object([&] {
    writeString("name", func.getParamName(index));
    json->attribute("param", index);
    if (auto tensor = dyn_cast<GraphTensorType>(type))
      return writeTensor(
          tensor, stringifyParamDirection(func.getParamDirection(index)));
    json->attribute("kind", isScalarType(type) ? "scalar" : "other");
    writeType("type", type);
    if (std::optional<unsigned> width = getScalarWidth(type))
      json->attribute("width", *width);
  });
}

void ManifestWriter::writeParams(StringRef key, FuncOp func,
                                 ArrayRef<unsigned> params) {
  json->attributeArray(key, [&] {
    for (unsigned param : params)
      writeParam(func, param);
  });
}

void ManifestWriter::writeKernel(unsigned id, FuncOp kernel) {
  json->object([&] {
    json->attribute("id", id);
    writeString("name", kernel.getSymName());
    writeString("kind", stringifyFunctionKind(kernel.getKind()));
    json->attributeArray("params", [&] {
      for (unsigned i = 0, e = kernel.getNumArguments(); i != e; ++i)
        writeParam(kernel, i);
      // The runtime allocates what is returned and is no parameter.
      for (auto [i, type] : llvm::enumerate(kernel.getResultTypes()))
        if (auto tensor = dyn_cast<GraphTensorType>(type);
            tensor && !kernel.getTiedParam(i))
          json->object([&, i = i] {
            writeString("name", "result" + std::to_string(i));
            writeTensor(tensor, "out");
          });
    });
  });
}

/// The name, and the slots.
void ManifestWriter::writeFunction(FuncOp func) {
  writeString("name", func.getSymName());
  writeString("symbol", program.getName(func));
  Signature signature = getSignature(func);
  writeParams("tensors", func, signature.tensors);
  writeParams("scalars", func, signature.scalars);
}

std::string ManifestWriter::write() {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream stream(os, /*IndentSize=*/2);
  json = &stream;
  stream.object([&] {
    stream.attribute("version", 1);
    writeString("runtime", stringifyRuntime(Runtime::HostBuildGraph));
    stream.attributeObject("entry", [&] { writeFunction(program.getEntry()); });
    stream.attributeArray("graphs", [&] {
      for (FuncOp graph : program.getGraphs())
        stream.object([&, graph = graph]() mutable {
          writeFunction(graph);
          // A recording cannot have so many that this would not do.
          stream.attribute("nodes", static_cast<int64_t>(std::min<uint64_t>(
                                        countTopology(graph), INT64_MAX)));
        });
    });
    stream.attributeArray("kernels", [&] {
      for (auto [id, kernel] : llvm::enumerate(program.getKernels()))
        writeKernel(id, kernel);
    });
  });
  text += '\n';
  return text;
}

std::string mlir::pypto::orchestration::getManifest(const Program &program) {
  return ManifestWriter(program).write();
}
