//===- GraphBase.td - The graph dialect ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_GRAPH_BASE_TD
#define PYPTO_GRAPH_BASE_TD

include "mlir/IR/OpBase.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::mlir::pypto::graph";
  let summary = "Orchestration of device tasks that a runtime records and replays";
  let description = [{
    The `graph` dialect describes the host side of a task-based accelerator
    program: functions that launch kernels, allocate device buffers and take
    windows of them. Functions of kind `graph` are *recorded* on their first
    launch and *replayed* afterwards; a replay refreshes only the descriptors of
    the boundary tensors and the values of the boundary scalars.

    Device buffers are handled by reference: a value of type `!graph.tensor` is a
    handle of a strided window, and two values may name the same buffer. Results
    of functions are *tied* to the parameter whose buffer they are.

    Arithmetic is upstream `arith`, `math` and `index`; control flow is upstream
    `scf`. An `scf.for` with the unit attribute `graph.parallel` is a parallel
    loop.

    Attributes of the dialect on other operations:

    | attribute | on | meaning |
    | --- | --- | --- |
    | `graph.runtime` | `builtin.module` | `#graph.runtime<…>`, the runtime compiled for |
    | `graph.parallel` | `scf.for` | unit; iterations are independent |
    | `graph.slots` | `graph.func` | `array<i64: …>`, the tensor parameters (counted among the tensors) in slot order |
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Adds the types; they live in a file of their own.
    void registerTypes();

    /// Names of the discardable attributes the dialect defines.
    static constexpr ::llvm::StringLiteral kRuntimeAttrName = "graph.runtime";
    static constexpr ::llvm::StringLiteral kParallelAttrName = "graph.parallel";
    static constexpr ::llvm::StringLiteral kSlotsAttrName = "graph.slots";
    static constexpr ::llvm::StringLiteral kDirectionAttrName = "graph.dir";
    static constexpr ::llvm::StringLiteral kParamNameAttrName = "graph.name";
    static constexpr ::llvm::StringLiteral kTiedAttrName = "graph.tied";

    /// Those of parameters and results as identifiers, which are found by
    /// comparing pointers.
    struct Identifiers {
      ::mlir::StringAttr direction, paramName, tied;
    };
    const Identifiers &getIdentifiers() const { return identifiers; }

  private:
    Identifiers identifiers;
  }];
}

#endif // PYPTO_GRAPH_BASE_TD
