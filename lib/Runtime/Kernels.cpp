//===- Kernels.cpp - What tasks do ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is bound to a function from outside, has a body that is interpreted,
// or is a *probe*: it hashes everything it got and fills what it may write with
// numbers made of the hash, so that no wrong operand goes unnoticed.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Interpreter.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

using RuntimeFunction = mlir::pypto::runtime::Function;

//===----------------------------------------------------------------------===//
// Elements on the host
//===----------------------------------------------------------------------===//

uint64_t mlir::pypto::runtime::readElement(const Run &run,
                                           const TensorDescriptor &tensor,
                                           ArrayRef<int64_t> indices) {
  TensorDescriptor element = tensor;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    element.startOffset += index * tensor.strides[axis];
    element.shape[axis] = 1;
  }
  if (run.memory.isSymbolic()) {
    // A small number, whatever the type.
    uint64_t value = readSymbolic(element) & 7;
    return isFloat(tensor.type) ? fromDouble(value, tensor.type)
                                : maskTo(value, getBitWidth(tensor.type));
  }
  int64_t offset = element.startOffset * getByteSize(tensor.type);
  return loadElement(tensor.buffer->getData() + offset, tensor.type);
}

bool mlir::pypto::runtime::evaluatePredicate(const Run &run,
                                             const Predicate &predicate) {
  ElementType type = predicate.gate.type;
  uint64_t bits = readElement(run, predicate.gate, predicate.indices);
  auto compare = [&](auto a, auto b) {
    switch (predicate.comparison) {
    case Comparison::EQ:
      return a == b;
    case Comparison::NE:
      return a != b;
    case Comparison::LT:
      return a < b;
    case Comparison::LE:
      return a <= b;
    case Comparison::GT:
      return a > b;
    case Comparison::GE:
      return a >= b;
    }
    return false;
  };
  if (isFloat(type))
    return compare(toDouble(bits, type), toDouble(predicate.rhs, type));
  if (isUnsigned(type) || type == ElementType::I1)
    return compare(bits, predicate.rhs);
  unsigned width = getBitWidth(type);
  return compare(signExtend(bits, width), signExtend(predicate.rhs, width));
}

//===----------------------------------------------------------------------===//
// Probes
//===----------------------------------------------------------------------===//

static uint64_t hashName(StringRef name) {
  uint64_t hash = 0xCBF29CE484222325ull;
  for (unsigned char byte : name)
    hash = (hash ^ byte) * 0x100000001B3ull;
  return hash;
}

/// Whether a kernel reads and writes tensor `i` of those it was given.
static ParamDirection getDirection(const RuntimeFunction &kernel, unsigned i) {
  // Buffers for results that are tied to no parameter.
  if (i >= kernel.tensorParams.size())
    return ParamDirection::Out;
  return kernel.params[kernel.tensorParams[i]].direction;
}

static uint64_t hashTensor(uint64_t hash, const TensorDescriptor &tensor,
                           bool reads, bool isSymbolic) {
  hash = mix(hash, tensor.rank);
  for (int64_t extent : tensor.getShape())
    hash = mix(hash, extent);
  for (int64_t stride : tensor.getStrides())
    hash = mix(hash, stride);
  hash = mix(hash, tensor.startOffset);
  if (!reads)
    return hash;
  if (isSymbolic)
    return mix(hash, readSymbolic(tensor));
  const char *data = tensor.buffer->getData();
  unsigned size = getByteSize(tensor.type);
  forEachElement(tensor, [&](int64_t offset) {
    hash = mix(hash, loadElement(data + offset * size, tensor.type));
  });
  return hash;
}

static uint64_t makeElement(uint64_t value, ElementType type) {
  if (!isFloat(type))
    return maskTo(value, getBitWidth(type));
  bool isTiny = getBitWidth(type) == 8;
  return fromDouble(value & (isTiny ? 7 : 0xFF), type);
}

static void fillProbe(const TensorDescriptor &tensor, uint64_t hash) {
  char *data = tensor.buffer->getData();
  unsigned size = getByteSize(tensor.type);
  uint64_t next = 0;
  forEachElement(tensor, [&](int64_t offset) {
    storeElement(data + offset * size, tensor.type,
                 makeElement(mix(hash, next++), tensor.type));
  });
}

static void runProbe(bool isSymbolic, const RuntimeFunction &kernel,
                     ArrayRef<TensorDescriptor> tensors,
                     ArrayRef<uint64_t> scalars, int64_t blockCount) {
  uint64_t hash = hashName(kernel.name);
  for (auto [i, tensor] : llvm::enumerate(tensors))
    hash =
        hashTensor(hash, tensor, getDirection(kernel, i) != ParamDirection::Out,
                   isSymbolic);
  for (auto [i, scalar] : llvm::enumerate(scalars))
    hash = mix(
        hash, maskTo(scalar, kernel.params[kernel.scalarParams[i]].kind.width));
  hash = mix(hash, blockCount);
  for (auto [k, tensor] : llvm::enumerate(tensors)) {
    if (getDirection(kernel, k) == ParamDirection::In)
      continue;
    if (isSymbolic)
      writeSymbolic(tensor, mix(hash, k));
    else
      fillProbe(tensor, mix(hash, k));
  }
}

//===----------------------------------------------------------------------===//
// Bound kernels and bodies
//===----------------------------------------------------------------------===//

static LogicalResult runBound(Run &run, const KernelFn &function,
                              const RuntimeFunction &kernel, Operation *op,
                              ArrayRef<TensorDescriptor> tensors,
                              ArrayRef<uint64_t> scalars, int64_t blockCount) {
  SmallVector<KernelTensor, 8> given;
  for (auto [i, tensor] : llvm::enumerate(tensors))
    given.push_back({tensor.buffer->getData() +
                         tensor.startOffset * getByteSize(tensor.type),
                     tensor.getShape(), tensor.getStrides(), tensor.type,
                     getDirection(kernel, i) != ParamDirection::In});
  SmallVector<ScalarKind, 8> kinds;
  for (unsigned index : kernel.scalarParams)
    kinds.push_back(kernel.params[index].kind);
  std::string error;
  if (function({kernel.name, given, scalars, kinds, blockCount}, error))
    return success();
  return run.fail(op, "kernel '@" + Twine(kernel.name) + "' failed: " + error);
}

/// Copies a tensor a body returned into the buffer made for the result.
static void copyTensor(const TensorDescriptor &from,
                       const TensorDescriptor &to) {
  std::vector<uint64_t> elements;
  unsigned size = getByteSize(from.type);
  const char *source = from.buffer->getData();
  forEachElement(from, [&](int64_t offset) {
    elements.push_back(loadElement(source + offset * size, from.type));
  });
  char *target = to.buffer->getData();
  auto next = elements.begin();
  forEachElement(to, [&](int64_t offset) {
    if (next != elements.end())
      storeElement(target + offset * size, to.type, *next++);
  });
}

static LogicalResult runBody(Run &run, RuntimeFunction &kernel,
                             ArrayRef<TensorDescriptor> tensors,
                             ArrayRef<uint64_t> scalars, int64_t blockCount) {
  Interpreter interpreter(run, /*isKernel=*/true);
  auto bind = [&](Frame &frame) {
    for (auto [reg, param] : llvm::zip_equal(frame.code->params, kernel.params))
      if (param.isTensor)
        frame.tensors[reg.index] = tensors[param.number];
      else if (param.isScalar)
        frame.scalars[reg.index] = scalars[param.number];
  };
  auto finish = [&](Frame &frame) {
    ArrayRef<TensorDescriptor> untied =
        tensors.drop_front(kernel.tensorParams.size());
    ArrayRef<Reg> operands = frame.code->returns.back();
    for (auto [number, tie] : llvm::enumerate(kernel.ties)) {
      if (tie >= 0 || untied.empty())
        continue;
      copyTensor(frame.tensors[operands[number].index], untied.front());
      untied = untied.drop_front();
    }
    return success();
  };
  return interpreter.call(kernel, blockCount, bind, finish);
}

bool mlir::pypto::runtime::hasInterpretedBody(const Run &run,
                                              const RuntimeFunction &kernel) {
  RuntimeFunction &function = const_cast<RuntimeFunction &>(kernel);
  return !function.op.isExternal() && !run.kernels.contains(kernel.name) &&
         !run.memory.isSymbolic();
}

LogicalResult mlir::pypto::runtime::executeKernel(
    Run &run, RuntimeFunction &kernel, Operation *op,
    ArrayRef<TensorDescriptor> tensors, ArrayRef<uint64_t> scalars,
    int64_t blockCount) {
  if (hasInterpretedBody(run, kernel)) {
    if (run.kernelDepth == kMaxKernelDepth)
      return run.fail(op,
                      "is nested in " + Twine(kMaxKernelDepth) + " kernels");
    ++run.kernelDepth;
    LogicalResult result = runBody(run, kernel, tensors, scalars, blockCount);
    --run.kernelDepth;
    return result;
  }
  auto bound = run.kernels.find(kernel.name);
  if (bound != run.kernels.end() && !run.memory.isSymbolic())
    return runBound(run, bound->second, kernel, op, tensors, scalars,
                    blockCount);
  runProbe(run.memory.isSymbolic(), kernel, tensors, scalars, blockCount);
  return success();
}

LogicalResult mlir::pypto::runtime::executeTask(Run &run, Task &task) {
  if (!task.isVisible())
    return success();
  if (task.predicate && !evaluatePredicate(run, *task.predicate))
    return success();
  if (task.kind == Task::Kind::Kernel)
    return executeKernel(run, *task.callee, task.op, task.tensors, task.scalars,
                         task.blockCount);
  const TensorDescriptor &tensor = task.tensors.front();
  uint64_t value = task.scalars.front();
  if (run.memory.isSymbolic()) {
    writeSymbolic(tensor, mix(hashName("graph.full"), value));
    return success();
  }
  char *data = tensor.buffer->getData();
  unsigned size = getByteSize(tensor.type);
  forEachElement(tensor, [&](int64_t offset) {
    storeElement(data + offset * size, tensor.type, value);
  });
  return success();
}
