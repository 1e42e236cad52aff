//===- BindKernels.cpp - Kernel graphs in the runtime model ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/BindKernels.h"

#include "Asc/NodeGraph.h"
#include "Kernels/AscInterpreter.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::asc;

/// Runs a kernel on what a task was given. Messages name the node at fault.
static bool runKernel(graph::FuncOp func, const runtime::KernelCall &call,
                      std::string &message) {
  SmallVector<KernelArgument> arguments;
  size_t nextTensor = 0, nextScalar = 0;
  for (Type type : func.getArgumentTypes()) {
    if (isa<graph::GraphTensorType>(type)) {
      const runtime::KernelTensor &tensor = call.tensors[nextTensor++];
      arguments.push_back(
          KernelArgument::tensor(tensor.data, tensor.shape, tensor.strides));
    } else if (graph::isScalarType(type)) {
      arguments.push_back(KernelArgument::scalar(call.scalars[nextScalar++]));
    } else {
      message = "a parameter is neither a tensor nor a scalar";
      return false;
    }
  }
  KernelError error;
  if (succeeded(interpretKernel(func, arguments, error)))
    return true;
  message = error.message;
  if (auto node = dyn_cast_or_null<NodeOpInterface>(error.op))
    message =
        ("node '" + node.getNodeNameAttr().getValue() + "': " + message).str();
  return false;
}

void asc::bindKernels(runtime::Program &program, ModuleOp module) {
  for (auto func : module.getOps<graph::FuncOp>()) {
    if (!func.isDeviceFunction() || !isKernelGraph(func))
      continue;
    program.bindKernel(
        func.getSymName(),
        [func](const runtime::KernelCall &call, std::string &message) {
          return runKernel(func, call, message);
        });
  }
}
