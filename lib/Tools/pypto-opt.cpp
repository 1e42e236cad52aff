//===- pypto-opt.cpp - The optimizer driver -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir-opt` with the dialects and passes of this project.
//
//===----------------------------------------------------------------------===//

#include "Registration/Registration.h"
#include "Testing/TestPasses.h"
#include "Tools/InputCheck.h"
#include "Tools/ToolSupport.h"
#include "Verify/Properties.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// The value of option `name` if the argument at `index` is that option, in any
/// of the spellings `-name=value`, `--name=value`, `-name value`.
static std::optional<StringRef> getOptionValue(ArrayRef<const char *> args,
                                               size_t index, StringRef name) {
  StringRef arg = args[index];
  if (!arg.consume_front("-"))
    return std::nullopt;
  arg.consume_front("-");
  if (!arg.consume_front(name))
    return std::nullopt;
  if (arg.consume_front("="))
    return arg;
  if (arg.empty() && index + 1 < args.size())
    return StringRef(args[index + 1]);
  return std::nullopt;
}

/// Whether the library at `path` ends before its last segment does, as after an
/// interrupted copy. The system's loader maps such a file and dies of a bus
/// error. Anything that is not an ELF file of this machine's width is left to
/// the loader, which refuses what it does not know.
static bool isTruncatedLibrary(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return false;
  StringRef bytes = (*buffer)->getBuffer();
  if (!bytes.starts_with(StringRef(llvm::ELF::ElfMagic, 4)))
    return false;
  llvm::ELF::Elf64_Ehdr header;
  if (bytes.size() < sizeof(header))
    return true;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.e_ident[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 ||
      header.e_phentsize != sizeof(llvm::ELF::Elf64_Phdr))
    return false;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    llvm::ELF::Elf64_Phdr segment;
    uint64_t offset = header.e_phoff + i * sizeof(segment);
    if (offset > bytes.size() || bytes.size() - offset < sizeof(segment))
      return true;
    std::memcpy(&segment, bytes.data() + offset, sizeof(segment));
    if (segment.p_type == llvm::ELF::PT_LOAD &&
        (segment.p_offset > bytes.size() ||
         bytes.size() - segment.p_offset < segment.p_filesz))
      return true;
  }
  return false;
}

/// Why the plugin at `path` does not load, in one line; empty if it does.
template <typename PluginT>
static std::string getLoadError(StringRef path) {
  if (path.empty()) // The loader would take it for the tool itself.
    return "no file name";
  if (isTruncatedLibrary(path))
    return "the library is truncated";
  llvm::Expected<PluginT> plugin = PluginT::load(path.str());
  if (plugin)
    return "";
  std::string reason = llvm::toString(plugin.takeError());
  if (StringRef(reason).starts_with("Plugin entry point not found"))
    return "the library has no entry point of such a plugin";
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason;
}

template <typename PluginT>
static LogicalResult checkPlugin(StringRef path) {
  std::string error = getLoadError<PluginT>(path);
  if (error.empty())
    return success();
  llvm::errs() << "pypto-opt: error: cannot load plugin '" << path
               << "': " << error << "\n";
  return failure();
}

/// Loads every plugin named on the command line. MlirOptMain aborts in an
/// assertion build when one does not load, so this comes first; a library that
/// is loaded already loads again at no cost.
static LogicalResult checkPlugins(ArrayRef<const char *> args) {
  for (size_t i = 1, e = args.size(); i < e; ++i) {
    if (StringRef(args[i]) == "--")
      break;
    if (auto path = getOptionValue(args, i, "load-dialect-plugin")) {
      if (failed(checkPlugin<DialectPlugin>(*path)))
        return failure();
    } else if (auto path = getOptionValue(args, i, "load-pass-plugin")) {
      if (failed(checkPlugin<PassPlugin>(*path)))
        return failure();
    }
  }
  return success();
}

static llvm::cl::opt<bool> verifyProperties(
    "verify-properties",
    llvm::cl::desc(
        "Check after each pass on modules every property produced so "
        "far, and name the pass that breaks one"));

/// What `MlirOptMain` does with its arguments, after a check of the input and,
/// when asked for, with checks between the passes.
static LogicalResult optimize(const MlirOptMainConfig &config,
                              StringRef inputName, StringRef outputName,
                              DialectRegistry &registry) {
  MlirOptMainConfig checked = config;
  if (verifyProperties)
    checked.setPassPipelineSetupFn([&](PassManager &passes) -> LogicalResult {
      if (failed(config.setupPassPipeline(passes)))
        return failure();
      return pypto::addPropertyChecks(passes, llvm::errs());
    });
  if (inputName == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(reading from the terminal; Ctrl-D ends the input)\n";
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  std::unique_ptr<llvm::ToolOutputFile> output =
      input ? openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (failed(pypto::checkLinalgOperands(input->getMemBufferRef())) ||
      failed(MlirOptMain(output->os(), std::move(input), registry, checked)))
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  pypto::initializeTool();

  // Plugins may be named in response files too.
  SmallVector<const char *, 20> args(argv, argv + argc);
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::cl::ExpandResponseFiles(saver, llvm::cl::TokenizeGNUCommandLine, args);
  if (failed(checkPlugins(args)))
    return EXIT_FAILURE;

  DialectRegistry registry;
  pypto::registerUpstreamDialects(registry);
  pypto::registerAllDialects(registry);
  pypto::registerUpstreamPasses();
  pypto::registerAllPasses();
  pypto::registerTestPasses();
  char **arguments = const_cast<char **>(args.data());
  auto [input, output] = registerAndParseCLIOptions(
      args.size(), arguments, "pypto-graph optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(
        MlirOptMain(args.size(), arguments, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(optimize(config, input, output, registry));
}
