//===- RuntimeCAPI.cpp - C interface of the runtime model -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CAPI/RuntimeCAPI.h"

#include "Kernels/BindKernels.h"
#include "Runtime/Runtime.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::runtime;

namespace json = llvm::json;

namespace {
/// A program and the module it runs.
struct LoadedProgram {
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<Program> program;
};
} // namespace

static LoadedProgram &get(PyptoProgram program) {
  return *static_cast<LoadedProgram *>(program.ptr);
}

PyptoProgram pyptoProgramLoad(MlirOperation op) {
  auto module = dyn_cast<ModuleOp>(unwrap(op));
  if (!module)
    return {nullptr};
  auto loaded = std::make_unique<LoadedProgram>();
  loaded->module = module.clone();
  loaded->program = Program::load(*loaded->module);
  asc::bindKernels(*loaded->program, *loaded->module);
  return {loaded.release()};
}

void pyptoProgramDestroy(PyptoProgram program) {
  LoadedProgram *loaded = &get(program);
  // The program refers to the module.
  loaded->program.reset();
  delete loaded;
}

//===----------------------------------------------------------------------===//
// Parameters and kernels
//===----------------------------------------------------------------------===//

bool pyptoProgramGetParams(PyptoProgram program, MlirStringRef entry,
                           PyptoParamCallback callback, void *userData) {
  std::optional<std::vector<ParamInfo>> params =
      get(program).program->getParams(unwrap(entry));
  if (!params)
    return false;
  for (const ParamInfo &info : *params) {
    StringRef element = info.isTensor ? stringify(info.element) : StringRef();
    PyptoParam param{wrap(StringRef(info.name)),
                     info.isTensor,
                     info.isWritten,
                     static_cast<intptr_t>(info.shape.size()),
                     info.shape.data(),
                     wrap(element)};
    callback(&param, userData);
  }
  return true;
}

void pyptoProgramBindKernel(PyptoProgram program, MlirStringRef name,
                            PyptoKernelCallback callback, void *userData) {
  get(program).program->bindKernel(unwrap(name), [=](const KernelCall &call,
                                                     std::string &error) {
    SmallVector<PyptoKernelTensor> tensors;
    for (const KernelTensor &tensor : call.tensors)
      tensors.push_back({tensor.data,
                         static_cast<intptr_t>(tensor.shape.size()),
                         tensor.shape.data(), tensor.strides.data(),
                         wrap(stringify(tensor.type)), tensor.isWritten});
    PyptoKernelCall given{static_cast<intptr_t>(tensors.size()), tensors.data(),
                          static_cast<intptr_t>(call.scalars.size()),
                          call.scalars.data(), call.blockCount};
    auto setError = [](MlirStringRef text, void *data) {
      static_cast<std::string *>(data)->append(text.data, text.length);
    };
    return callback(&given, setError, &error, userData);
  });
}

//===----------------------------------------------------------------------===//
// Results as JSON
//===----------------------------------------------------------------------===//

/// Text from anywhere, as JSON demands it.
static std::string clean(StringRef text) { return json::fixUTF8(text); }

static void write(json::OStream &os, const Problem &problem) {
  os.object([&] {
    os.attribute("message", clean(problem.message));
    os.attribute("location", clean(problem.location));
    os.attribute("rule", clean(problem.rule));
  });
}

static void write(json::OStream &os, StringRef name,
                  const std::optional<Problem> &problem) {
  if (!problem)
    return os.attribute(name, nullptr);
  os.attributeBegin(name);
  write(os, *problem);
  os.attributeEnd();
}

static void write(json::OStream &os, ArrayRef<Event> events) {
  os.attributeArray("events", [&] {
    for (const Event &event : events)
      os.object([&] {
        os.attribute("kind", clean(stringify(event.kind)));
        os.attribute("function", clean(event.function));
        os.attribute("reason", clean(event.reason));
        os.attribute("location", clean(event.location));
      });
  });
}

static void write(json::OStream &os,
                  const std::optional<BufferDifference> &difference) {
  if (!difference)
    return os.attribute("difference", nullptr);
  os.attributeObject("difference", [&] {
    os.attribute("param", clean(difference->param));
    os.attributeArray("index", [&] {
      for (int64_t index : difference->index)
        os.value(index);
    });
    os.attribute("eager", clean(difference->eager));
    os.attribute("replayed", clean(difference->replayed));
  });
}

static void write(json::OStream &os, const std::optional<Culprit> &culprit) {
  if (!culprit)
    return os.attribute("culprit", nullptr);
  os.attributeObject("culprit", [&] {
    os.attribute("kernel", clean(culprit->kernel));
    os.attribute("location", clean(culprit->location));
    os.attribute("operand", clean(culprit->operand));
    os.attribute("eager", clean(culprit->eager));
    os.attribute("replayed", clean(culprit->replayed));
    os.attribute("source", clean(culprit->source));
    os.attribute("rule", clean(culprit->rule));
  });
}

static void write(json::OStream &os, const std::optional<Race> &race) {
  if (!race)
    return os.attribute("race", nullptr);
  os.attributeObject("race", [&] {
    os.attribute("first", clean(race->first));
    os.attribute("first_location", clean(race->firstLocation));
    os.attribute("second", clean(race->second));
    os.attribute("second_location", clean(race->secondLocation));
    os.attribute("window", clean(race->window));
    os.attribute("rule", clean(race->rule));
  });
}

static void write(json::OStream &os, const CallReport &call) {
  os.object([&] {
    os.attribute("agrees", call.agrees);
    write(os, "eager_problem", call.eagerProblem);
    write(os, "replay_problem", call.replayProblem);
    write(os, call.events);
    write(os, call.difference);
    write(os, call.culprit);
    write(os, call.race);
    os.attribute("num_tasks", call.numTasks);
    os.attribute("num_replays", call.numReplays);
  });
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static RunOptions getOptions(const PyptoRunOptions &given) {
  RunOptions options;
  StringRef order = unwrap(given.order);
  options.order = order == "reverse"  ? Order::Reverse
                  : order == "random" ? Order::Random
                                      : Order::Program;
  options.seed = given.seed;
  options.maxSteps = given.maxSteps;
  options.replay = given.replay;
  options.symbolic = given.symbolic;
  options.keepRecordings = given.keepRecordings;
  options.orderReaders = given.orderReaders;
  return options;
}

static std::vector<Argument> getArguments(intptr_t count,
                                          const PyptoArgument *given) {
  std::vector<Argument> arguments;
  for (const PyptoArgument &argument : ArrayRef(given, count)) {
    if (!argument.isTensor) {
      arguments.push_back(argument.scalar);
      continue;
    }
    TensorArgument tensor;
    tensor.data = argument.data;
    tensor.sizeInBytes = argument.sizeInBytes;
    tensor.startOffset = argument.startOffset;
    tensor.shape.assign(argument.shape, argument.shape + argument.rank);
    tensor.strides.assign(argument.strides, argument.strides + argument.rank);
    arguments.push_back(std::move(tensor));
  }
  return arguments;
}

void pyptoProgramRun(PyptoProgram program, MlirStringRef entry,
                     intptr_t numArguments, const PyptoArgument *arguments,
                     const PyptoRunOptions *options,
                     MlirStringCallback onResult, void *userData) {
  RunResult result = get(program).program->run(
      unwrap(entry), getArguments(numArguments, arguments),
      getOptions(*options));
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream os(stream);
  os.object([&] {
    write(os, "problem", result.problem);
    write(os, result.events);
    os.attribute("num_ops", result.numOps);
    os.attribute("num_tasks", result.numTasks);
    // Numbers of 64 bits are none of JSON's.
    os.attributeArray("results", [&] {
      for (uint64_t bits : result.scalarResults)
        os.value(std::to_string(bits));
    });
  });
  onResult(wrap(StringRef(text)), userData);
}

void pyptoProgramCompare(PyptoProgram program, MlirStringRef entry,
                         intptr_t numCalls, intptr_t numArguments,
                         const PyptoArgument *arguments,
                         const PyptoRunOptions *options,
                         MlirStringCallback onResult, void *userData) {
  std::vector<std::vector<Argument>> calls;
  for (intptr_t i = 0; i != numCalls; ++i)
    calls.push_back(getArguments(numArguments, arguments + i * numArguments));
  Report report =
      get(program).program->compare(unwrap(entry), calls, getOptions(*options));
  std::string text, readable;
  llvm::raw_string_ostream stream(text), readableStream(readable);
  report.print(readableStream);
  json::OStream os(stream);
  os.object([&] {
    os.attributeArray("calls", [&] {
      for (const CallReport &call : report.calls)
        write(os, call);
    });
    os.attribute("text", clean(readable));
  });
  onResult(wrap(StringRef(text)), userData);
}

void pyptoProgramDumpDefinitions(PyptoProgram program,
                                 MlirStringCallback onResult, void *userData) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  get(program).program->dumpDefinitions(stream);
  onResult(wrap(StringRef(text)), userData);
}
