//===- Program.cpp - Runs of a module -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Program.h"

#include "Runtime/Interpreter.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

using RuntimeFunction = mlir::pypto::runtime::Function;

Program::Program() = default;
Program::~Program() = default;

std::unique_ptr<Program> Program::load(ModuleOp module) {
  std::unique_ptr<Program> program(new Program());
  program->impl = std::make_unique<Impl>(module);
  return program;
}

void Program::bindKernel(StringRef name, KernelFn function) {
  impl->kernels[name] = std::move(function);
}

void Program::bindDialect(StringRef dialect, TileFunction function) {
  impl->functions.bindDialect(dialect, std::move(function));
}

std::optional<std::vector<ParamInfo>> Program::getParams(StringRef entry) {
  RuntimeFunction *function = impl->functions.lookup(entry);
  if (!function || function->op.isExternal() || !function->problem.empty())
    return std::nullopt;
  std::vector<ParamInfo> params;
  for (auto [i, param] : llvm::enumerate(function->params)) {
    if (!param.isTensor && !param.isScalar)
      return std::nullopt;
    ParamInfo &info = params.emplace_back();
    info.name = function->op.getParamName(i).str();
    info.isTensor = param.isTensor;
    info.isWritten = param.direction != ParamDirection::In;
    info.shape.assign(param.shape.begin(), param.shape.end());
    info.element = param.element;
    info.kind = param.kind;
  }
  return params;
}

void Program::dumpDefinitions(llvm::raw_ostream &os) const {
  for (const std::unique_ptr<Definition> &definition :
       impl->recordings.definitions)
    definition->dump(os);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// Turns the arguments of an entry into descriptors.
class ArgumentBinder {
public:
  ArgumentBinder(Run &run, RuntimeFunction &entry) : run(run), entry(entry) {}

  LogicalResult bind(ArrayRef<Argument> arguments,
                     SmallVectorImpl<TensorDescriptor> &tensors,
                     SmallVectorImpl<uint64_t> &scalars);

private:
  LogicalResult fail(unsigned index, const Twine &message) {
    return run.fail(entry.op, "argument #" + Twine(index) + " (%" +
                                  entry.op.getParamName(index) + ") " +
                                  message);
  }
  LogicalResult makeDescriptor(unsigned index, const TensorArgument &argument,
                               TensorDescriptor &tensor);
  Buffer *getBuffer(unsigned index, const TensorArgument &argument);

  Run &run;
  RuntimeFunction &entry;
  DenseMap<const char *, Buffer *> buffers;
};
} // namespace

Buffer *ArgumentBinder::getBuffer(unsigned index,
                                  const TensorArgument &argument) {
  Buffer *&known = buffers[argument.data];
  if (known && argument.data)
    return known;
  // The bytes a symbolic buffer stands for are not looked at.
  Buffer *buffer = run.memory.adopt(
      run.memory.isSymbolic() ? nullptr : argument.data, argument.sizeInBytes);
  buffer->name = entry.op.getParamName(index).str();
  buffer->initialHash = mix(0x5EED, index);
  known = buffer;
  return buffer;
}

LogicalResult ArgumentBinder::makeDescriptor(unsigned index,
                                             const TensorArgument &argument,
                                             TensorDescriptor &tensor) {
  const Param &param = entry.params[index];
  if (argument.shape.size() != param.shape.size())
    return fail(index, "has rank " + Twine(argument.shape.size()) +
                           ", the parameter has rank " +
                           Twine(param.shape.size()));
  for (auto [actual, expected] : llvm::zip_equal(argument.shape, param.shape))
    if (actual <= 0 || (!ShapedType::isDynamic(expected) && actual != expected))
      return fail(index, "has extent " + Twine(actual) +
                             ", which its parameter does not allow");
  int64_t count = 1;
  for (int64_t extent : argument.shape)
    if (llvm::MulOverflow(count, extent, count))
      return fail(index, "has too many elements");
  if (!run.memory.isSymbolic() && !argument.data)
    return fail(index, "has no data");
  Buffer *buffer = getBuffer(index, argument);
  if (buffer->size != argument.sizeInBytes)
    return fail(index, "names a buffer under two sizes");
  tensor = makeTensor(buffer, argument.shape, param.element);
  tensor.startOffset = argument.startOffset;
  if (!argument.strides.empty()) {
    if (argument.strides.size() != argument.shape.size())
      return fail(index, "has strides for another rank");
    for (int64_t stride : argument.strides)
      if (stride < 0)
        return fail(index, "has a negative stride");
    llvm::copy(argument.strides, tensor.strides);
  }
  if (!tensor.isInsideBuffer())
    return fail(index, "leaves its buffer");
  return success();
}

LogicalResult ArgumentBinder::bind(ArrayRef<Argument> arguments,
                                   SmallVectorImpl<TensorDescriptor> &tensors,
                                   SmallVectorImpl<uint64_t> &scalars) {
  if (arguments.size() != entry.params.size())
    return run.fail(entry.op, "takes " + Twine(entry.params.size()) +
                                  " arguments, got " + Twine(arguments.size()));
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    const Param &param = entry.params[i];
    if (!param.isTensor && !param.isScalar)
      return fail(i, "is of a type no caller can pass");
    if (param.isTensor != std::holds_alternative<TensorArgument>(argument))
      return fail(i, param.isTensor ? "is a scalar, the parameter is a tensor"
                                    : "is a tensor, the parameter is a scalar");
    if (param.isScalar) {
      scalars.push_back(maskTo(std::get<uint64_t>(argument), param.kind.width));
      continue;
    }
    TensorDescriptor tensor;
    if (failed(makeDescriptor(i, std::get<TensorArgument>(argument), tensor)))
      return failure();
    tensors.push_back(tensor);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static LogicalResult executeEntry(Run &run, RuntimeFunction &entry,
                                  ArrayRef<TensorDescriptor> tensors,
                                  ArrayRef<uint64_t> scalars) {
  if (entry.isDevice() || entry.op.isExternal())
    return run.fail(entry.op, "is no entry: it has no body or runs on the "
                              "device");
  if (!entry.problem.empty())
    return run.fail(entry.op, entry.problem);
  Interpreter interpreter(run, /*isKernel=*/false);
  auto bind = [&](Frame &frame) {
    for (auto [reg, param] : llvm::zip_equal(frame.code->params, entry.params))
      if (param.isTensor)
        frame.tensors[reg.index] = tensors[param.number];
      else
        frame.scalars[reg.index] = scalars[param.number];
  };
  auto finish = [&](Frame &frame) {
    for (Reg reg : frame.code->returns.back())
      run.result.scalarResults.push_back(
          reg.cls == RegClass::Scalar ? frame.scalars[reg.index] : 0);
    return success();
  };
  if (failed(interpreter.call(entry, /*blockCount=*/1, bind, finish)))
    return failure();
  return run.engine.finish();
}

void Program::Impl::execute(Run &run, StringRef entry,
                            ArrayRef<Argument> arguments,
                            SmallVectorImpl<TensorDescriptor> &tensors) {
  RuntimeFunction *function = functions.lookup(entry);
  if (!function) {
    (void)run.fail(functions.getModule(),
                   "has no function '@" + Twine(entry) + "'");
    return;
  }
  SmallVector<uint64_t> scalars;
  if (succeeded(
          ArgumentBinder(run, *function).bind(arguments, tensors, scalars)))
    (void)executeEntry(run, *function, tensors, scalars);
  run.result.numTasks = run.engine.getNumTasks();
}

RunResult Program::run(StringRef entry, ArrayRef<Argument> arguments,
                       const RunOptions &options) {
  if (!options.keepRecordings)
    impl->recordings = Recordings();
  Run run(impl->functions, impl->kernels, impl->recordings, options);
  SmallVector<TensorDescriptor> tensors;
  impl->execute(run, entry, arguments, tensors);
  return std::move(run.result);
}
