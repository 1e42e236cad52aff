//===- GraphInterfaces.td - Interfaces of the graph dialect -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_GRAPH_INTERFACES_TD
#define PYPTO_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Graph_LaunchOpInterface : OpInterface<"LaunchOpInterface"> {
  let cppNamespace = "::mlir::pypto::graph";
  let description = [{
    An operation that calls a function or puts a node into the task queue:
    `graph.call`, `graph.submit` and `graph.task_dummy`. No method looks a symbol
    up.
  }];
  let methods = [
    InterfaceMethod<"The function called or launched; null for a kernel-less node.",
      "::mlir::FlatSymbolRefAttr", "getLaunchCallee">,
    InterfaceMethod<"The operands passed to the callee's parameters, in order.",
      "::mlir::OperandRange", "getLaunchArgs">,
    InterfaceMethod<"The same, to be changed.",
      "::mlir::MutableOperandRange", "getLaunchArgsMutable">,
    InterfaceMethod<[{
        The directions of the arguments (`ArgDirectionAttr`, one each), or null
        when they are not resolved.
      }], "::mlir::ArrayAttr", "getLaunchDirections">,
    InterfaceMethod<"Attaches directions, one an argument; null removes them.",
      "void", "setLaunchDirections", (ins "::mlir::ArrayAttr":$directions)>,
    InterfaceMethod<"Positions of the arguments opted out of dependency tracking.",
      "::llvm::ArrayRef<int64_t>", "getLaunchNoDep">,
    InterfaceMethod<"The results that stand for the callee's results.",
      "::mlir::ResultRange", "getLaunchOutputs">,
    InterfaceMethod<"The task id this operation defines; null when it has none.",
      "::mlir::Value", "getLaunchTaskId">,
    InterfaceMethod<"The explicit dependencies.",
      "::mlir::OperandRange", "getLaunchDeps">,
  ];
}

#endif // PYPTO_GRAPH_INTERFACES_TD
