//===- AscInterfaces.td - Interfaces of the asc dialect -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ASC_INTERFACES_TD
#define PYPTO_ASC_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Asc_NodeOpInterface : OpInterface<"NodeOpInterface"> {
  let cppNamespace = "::mlir::pypto::asc";
  let description = [{
    A node of a kernel graph: it has a name, unique in its function, and may name
    other nodes that run before it.
  }];
  let methods = [
    InterfaceMethod<"The name; null only on an operation that does not verify.",
      "::mlir::StringAttr", "getNodeNameAttr">,
    InterfaceMethod<"The names of the nodes that run before this one, or null.",
      "::mlir::ArrayAttr", "getAfterAttr">,
    InterfaceMethod<"Replaces those names; null removes them.",
      "void", "setAfterAttr", (ins "::mlir::ArrayAttr":$names)>,
  ];
  let verify = [{ return ::mlir::pypto::asc::detail::verifyNode($_op); }];
}

#endif // PYPTO_ASC_INTERFACES_TD
