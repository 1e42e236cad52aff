//===- GraphEnums.td - Enumerations of the graph dialect ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_GRAPH_ENUMS_TD
#define PYPTO_GRAPH_ENUMS_TD

include "Graph/GraphBase.td"
include "mlir/IR/EnumAttr.td"

class Graph_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::pypto::graph";
  let genSpecializedAttr = 0;
}

class Graph_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Graph_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Graph_Runtime : Graph_Enum<"Runtime", "runtime a module is compiled for", [
  I32EnumAttrCase<"TensorMapAndRingBuffer", 0, "tensormap_and_ringbuffer">,
  I32EnumAttrCase<"HostBuildGraph", 1, "host_build_graph">
]>;
def Graph_RuntimeAttr : Graph_EnumAttr<Graph_Runtime, "runtime">;

def Graph_FunctionKind : Graph_Enum<"FunctionKind", "what a function is", [
  I32EnumAttrCase<"Opaque", 0, "opaque">,
  I32EnumAttrCase<"Orchestration", 1, "orchestration">,
  I32EnumAttrCase<"Graph", 2, "graph">,
  I32EnumAttrCase<"InCore", 3, "incore">,
  I32EnumAttrCase<"AIC", 4, "aic">,
  I32EnumAttrCase<"AIV", 5, "aiv">,
  I32EnumAttrCase<"Group", 6, "group">,
  I32EnumAttrCase<"Spmd", 7, "spmd">,
  I32EnumAttrCase<"Inline", 8, "inline">
]>;
def Graph_FunctionKindAttr : Graph_EnumAttr<Graph_FunctionKind, "kind">;

def Graph_ParamDirection : Graph_Enum<"ParamDirection",
    "what a function does with a parameter", [
  I32EnumAttrCase<"In", 0, "in">,
  I32EnumAttrCase<"Out", 1, "out">,
  I32EnumAttrCase<"InOut", 2, "inout">
]>;
def Graph_ParamDirectionAttr : Graph_EnumAttr<Graph_ParamDirection, "dir">;

def Graph_ArgDirection : Graph_Enum<"ArgDirection",
    "what a launch does with an operand", [
  I32EnumAttrCase<"Input", 0, "input">,
  I32EnumAttrCase<"Output", 1, "output">,
  I32EnumAttrCase<"InOut", 2, "inout">,
  I32EnumAttrCase<"OutputExisting", 3, "output_existing">,
  I32EnumAttrCase<"NoDep", 4, "no_dep">,
  I32EnumAttrCase<"Scalar", 5, "scalar">
]>;
def Graph_ArgDirectionAttr : Graph_EnumAttr<Graph_ArgDirection, "arg_dir">;
def Graph_ArgDirectionArrayAttr
    : TypedArrayAttrBase<Graph_ArgDirectionAttr, "directions of the operands">;

def Graph_ScopeKind : Graph_Enum<"ScopeKind", "what a scope is", [
  I32EnumAttrCase<"Graph", 0, "graph">,
  I32EnumAttrCase<"InCore", 1, "incore">,
  I32EnumAttrCase<"Cluster", 2, "cluster">,
  I32EnumAttrCase<"Spmd", 3, "spmd">,
  I32EnumAttrCase<"Manual", 4, "manual">,
  I32EnumAttrCase<"Auto", 5, "auto">
]>;
def Graph_ScopeKindAttr : Graph_EnumAttr<Graph_ScopeKind, "scope_kind">;

def Graph_Comparison : Graph_Enum<"Comparison", "comparison of a predicate", [
  I32EnumAttrCase<"EQ", 0, "eq">,
  I32EnumAttrCase<"NE", 1, "ne">,
  I32EnumAttrCase<"LT", 2, "lt">,
  I32EnumAttrCase<"LE", 3, "le">,
  I32EnumAttrCase<"GT", 4, "gt">,
  I32EnumAttrCase<"GE", 5, "ge">
]>;
def Graph_ComparisonAttr : Graph_EnumAttr<Graph_Comparison, "cmp">;

#endif // PYPTO_GRAPH_ENUMS_TD
