//===- pypto-replay.cpp - Shows what would freeze -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls an entry of a module eagerly and as the runtime would record and replay
// it, and says where the two part.
//
//===----------------------------------------------------------------------===//

#include "Kernels/BindKernels.h"
#include "Registration/Registration.h"
#include "Runtime/Runtime.h"
#include "Tools/InputCheck.h"
#include "Tools/ReplayArguments.h"
#include "Tools/ToolSupport.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include <chrono>

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::runtime;

namespace cl = llvm::cl;

static cl::OptionCategory category("pypto-replay options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<input file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("Output file"),
                                       cl::value_desc("file"), cl::init("-"),
                                       cl::cat(category));
static cl::opt<std::string> entryName("entry", cl::desc("Function to call"),
                                      cl::value_desc("@name"),
                                      cl::init("@main"), cl::cat(category));
static cl::opt<unsigned> numCalls("calls", cl::desc("How often to call it"),
                                  cl::init(1), cl::cat(category));
static cl::list<std::string>
    values("args", cl::CommaSeparated,
           cl::desc("Arguments by name. A scalar is a number, or one for each "
                    "call (n=0:1:2); a tensor is a number to fill it with, "
                    "'iota', a .npy file, or the name of an earlier tensor "
                    "whose buffer it shares (b=%a). What is not given is drawn "
                    "from the seed, scalars anew for each call"),
           cl::value_desc("name=value,…"), cl::cat(category));
static cl::list<std::string>
    shapes("shape", cl::CommaSeparated,
           cl::desc("Extents of tensors that leave some open (else 8)"),
           cl::value_desc("name=4x5,…"), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Seed of the arguments"),
                              cl::init(1), cl::cat(category));
static cl::opt<bool>
    freshBuffers("fresh-buffers",
                 cl::desc("Give every call new buffers with other contents"),
                 cl::cat(category));
static cl::opt<std::string>
    order("order",
          cl::desc("Order of tasks that do not depend on each other when they "
                   "are replayed: program, reverse, random or random:SEED"),
          cl::init("program"), cl::cat(category));
static cl::opt<bool> orderReaders(
    "order-readers",
    cl::desc("Order tasks after earlier readers of what they write, which the "
             "runtime leaves to the program"),
    cl::cat(category));
static cl::opt<bool>
    compareFlag("compare",
                cl::desc("Compare with eager calls (the default); with "
                         "--compare=false the calls are only replayed"),
                cl::init(true), cl::cat(category));
static cl::opt<bool>
    eagerFlag("eager", cl::desc("Only call eagerly; nothing is recorded"),
              cl::cat(category));
static cl::opt<bool> symbolicFlag(
    "symbolic",
    cl::desc("Run without data: buffers remember who wrote which window, and "
             "every kernel hashes what it got. For programs of any size"),
    cl::cat(category));
static cl::opt<bool> keepRecordings(
    "keep-recordings",
    cl::desc("Keep recordings from call to call; the runtime's cache lives for "
             "one"),
    cl::cat(category));
static cl::opt<bool> dumpDefinition(
    "dump-definition",
    cl::desc("Print the recordings of the last call as JSON lines"),
    cl::cat(category));
static cl::list<std::string>
    printed("print", cl::CommaSeparated,
            cl::desc("Print these tensors after the calls, which are then only "
                     "replayed (or with --eager, eager)"),
            cl::value_desc("name,…"), cl::cat(category));
static cl::opt<bool> statistics("statistics",
                                cl::desc("Print how much was done how fast"),
                                cl::cat(category));
static cl::opt<uint64_t>
    maxSteps("max-steps",
             cl::desc("Give up after so many iterations and calls on the host"),
             cl::init(RunOptions().maxSteps), cl::cat(category));

static cl::opt<int64_t>
    maxBytes("max-bytes",
             cl::desc("Give up when the arguments, or what a call allocates, "
                      "take more bytes in all"),
             cl::init(RunOptions().maxBytes), cl::cat(category));

/// Exit codes.
enum { kAgrees = 0, kDiffers = 1, kBadInput = 2 };

static int reject(const Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return kBadInput;
}

static int reject(llvm::Error error) {
  return reject(llvm::toString(std::move(error)));
}

static bool setOrder(RunOptions &options) {
  auto [name, number] = StringRef(order).split(':');
  if (name == "random" &&
      (number.empty() ? order.find(':') == std::string::npos
                      : !number.getAsInteger(10, options.seed))) {
    options.order = Order::Random;
    return true;
  }
  if (order == "reverse")
    options.order = Order::Reverse;
  else if (order != "program")
    return false;
  return true;
}

/// Prints the elements of a tensor, equal ones that follow each other once.
static void printTensor(llvm::raw_ostream &os, const ParamInfo &param,
                        const TensorArgument &tensor) {
  os << '%' << param.name << " =";
  unsigned size = getByteSize(param.element);
  int64_t count = tensor.sizeInBytes / size;
  for (int64_t i = 0; i != count;) {
    uint64_t bits = loadElement(tensor.data + i * size, param.element);
    int64_t end = i + 1;
    while (end != count &&
           loadElement(tensor.data + end * size, param.element) == bits)
      ++end;
    os << ' ' << formatElement(bits, param.element);
    if (end - i > 1)
      os << " (" << end - i << " times)";
    i = end;
  }
  os << '\n';
}

static void printProblem(llvm::raw_ostream &os, const Problem &problem) {
  os << problem.location << ": error: " << problem.message << '\n';
  if (!problem.rule.empty())
    os << "  rule: " << problem.rule << '\n';
}

/// Calls one way only, on the arguments themselves.
static int callOnly(Program &program, StringRef entry,
                    ArrayRef<std::vector<Argument>> calls,
                    ArrayRef<ParamInfo> params, const RunOptions &options,
                    llvm::raw_ostream &os) {
  uint64_t numOps = 0, numTasks = 0;
  auto start = std::chrono::steady_clock::now();
  for (auto [number, arguments] : llvm::enumerate(calls)) {
    RunResult result = program.run(entry, arguments, options);
    numOps += result.numOps;
    numTasks += result.numTasks;
    for (const Event &event : result.events) {
      os << "call " << number << ": @" << event.function << ' '
         << stringify(event.kind);
      if (!event.reason.empty())
        os << " at " << event.location << ": " << event.reason;
      os << '\n';
    }
    if (result.problem) {
      printProblem(os, *result.problem);
      return kDiffers;
    }
  }
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  for (auto [param, argument] : llvm::zip_equal(params, calls.back()))
    if (param.isTensor && llvm::is_contained(printed, param.name))
      printTensor(os, param, std::get<TensorArgument>(argument));
  if (statistics)
    os << numOps << " host and kernel operations and " << numTasks
       << " tasks in " << llvm::format("%.3f", time.count()) << " s\n";
  return kAgrees;
}

static int replayModule(ModuleOp module, llvm::raw_ostream &os) {
  RunOptions options;
  options.symbolic = symbolicFlag;
  options.keepRecordings = keepRecordings;
  options.orderReaders = orderReaders;
  options.maxSteps = maxSteps;
  options.maxBytes = maxBytes;
  options.replay = !eagerFlag;
  if (!setOrder(options))
    return reject("unknown order '" + order +
                  "', expected program, reverse, random or random:SEED");
  StringRef entry = StringRef(entryName);
  entry.consume_front("@");
  std::unique_ptr<Program> program = Program::load(module);
  pypto::asc::bindKernels(*program, module);
  std::optional<std::vector<ParamInfo>> params = program->getParams(entry);
  if (!params)
    return reject("there is no function '@" + entry +
                  "' with a body whose parameters are tensors and scalars");
  ReplayArguments arguments(*params, seed, symbolicFlag, maxBytes);
  for (const std::string &text : shapes)
    if (llvm::Error error = arguments.addShape(text))
      return reject(std::move(error));
  for (const std::string &text : values)
    if (llvm::Error error = arguments.addValue(text))
      return reject(std::move(error));
  if (!printed.empty() && symbolicFlag)
    return reject("there is nothing to print of symbolic data");
  for (const std::string &name : printed)
    if (llvm::none_of(*params, [&](const ParamInfo &param) {
          return param.isTensor && param.name == name;
        }))
      return reject("the entry has no tensor parameter '%" + name + "'");
  if (numCalls == 0)
    return reject("--calls must be at least 1");
  std::vector<std::vector<Argument>> calls;
  for (unsigned i = 0; i != numCalls; ++i) {
    llvm::Expected<std::vector<Argument>> call =
        arguments.make(i, freshBuffers);
    if (!call)
      return reject(call.takeError());
    calls.push_back(std::move(*call));
  }
  int result = kAgrees;
  if (eagerFlag || !compareFlag || !printed.empty()) {
    result = callOnly(*program, entry, calls, *params, options, os);
  } else {
    auto start = std::chrono::steady_clock::now();
    Report report = program->compare(entry, calls, options);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    report.print(os);
    if (statistics)
      os << "compared in " << llvm::format("%.3f", time.count()) << " s\n";
    result = report.agrees() ? kAgrees : kDiffers;
  }
  if (dumpDefinition)
    program->dumpDefinitions(os);
  return result;
}

int main(int argc, char **argv) {
  pypto::initializeTool();
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Calls a function eagerly and as the runtime records and replays it\n\n"
      "Exit code: 0 when all calls agree, 1 when one differs or fails, 2 for "
      "bad input.\n");
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(inputFile, &message);
  if (!file)
    return reject(message);
  if (failed(pypto::checkLinalgOperands(file->getMemBufferRef())))
    return kBadInput;
  std::unique_ptr<llvm::ToolOutputFile> output =
      openOutputFile(outputFile, &message);
  if (!output)
    return reject(message);

  DialectRegistry registry;
  pypto::registerUpstreamDialects(registry);
  pypto::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return kBadInput;
  int result = replayModule(*module, output->os());
  output->keep();
  return result;
}
