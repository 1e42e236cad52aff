//===- GraphOps.td - Operations of the graph dialect --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_GRAPH_OPS_TD
#define PYPTO_GRAPH_OPS_TD

include "Graph/GraphBase.td"
include "Graph/GraphEnums.td"
include "Graph/GraphInterfaces.td"
include "Graph/GraphTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/CastInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Graph_FuncOp : Graph_Op<"func", [
    FunctionOpInterface, IsolatedFromAbove, AffineScope, OpAsmOpInterface]> {
  let summary = "function of an orchestration program";
  let description = [{
    ```
    graph.func [private] KIND @name(DIR %arg: type, …) [-> (RESULT, …)] [attributes ATTRS] [BODY]
    ```

    `KIND` says what the function is: `opaque`, `orchestration` and `graph` run on
    the host, `incore`, `aic`, `aiv`, `group` and `spmd` are launched as device
    tasks, `inline` functions are inlined. A function of kind `graph` is recorded
    on its first launch and replayed afterwards; its symbol is the key of the
    recording.

    Every parameter has a direction (`in`, `out`, `inout`) and a name. A result is
    a type, or `%arg`, the name of a parameter: a *tied* result, which is the very
    buffer (or scalar) passed for that parameter.

    A declaration has no body, is `private` and keeps its parameter names.
    Directions and names are the argument attributes `graph.dir` and `graph.name`,
    a tie is the result attribute `graph.tied`.

    Example:

    ```mlir
    graph.func private incore @k(in %a: !graph.tensor<16x128xf32>,
                                 inout %acc: !graph.tensor<16x128xf32>, in %s: index) -> (%acc)
    graph.func orchestration @main(in %w: !graph.tensor<16x128xf32>,
                                   inout %o: !graph.tensor<16x128xf32>, in %n: index) -> (%o) {
      %r = graph.call @k(%w, %o, %n)
          : (!graph.tensor<16x128xf32>, !graph.tensor<16x128xf32>, index) -> !graph.tensor<16x128xf32>
      graph.return %r : !graph.tensor<16x128xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       Graph_FunctionKindAttr:$kind,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<StrAttr>:$level,
                       OptionalAttr<StrAttr>:$role,
                       OptionalAttr<I64Attr>:$core_num,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region MaxSizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "FunctionKind":$kind,
                   "::mlir::FunctionType":$type,
                   "::llvm::ArrayRef<ParamDirection>":$directions,
                   "::llvm::ArrayRef<::llvm::StringRef>":$names,
                   CArg<"::llvm::ArrayRef<std::optional<unsigned>>", "{}">:$ties)>
  ];
  let extraClassDeclaration = [{
    //===------------------------------------------------------------------===//
    // Interfaces
    //===------------------------------------------------------------------===//

    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    bool isDeclaration() { return isExternal(); }
    void getAsmBlockArgumentNames(::mlir::Region &region,
                                  ::mlir::OpAsmSetValueNameFn setNameFn);

    //===------------------------------------------------------------------===//
    // Parameters and results
    //===------------------------------------------------------------------===//

    ParamDirection getParamDirection(unsigned index);
    void setParamDirection(unsigned index, ParamDirection direction);
    ::mlir::StringAttr getParamNameAttr(unsigned index);
    ::llvm::StringRef getParamName(unsigned index) { return getParamNameAttr(index).getValue(); }
    /// The parameter whose buffer or scalar result `index` is, if it is tied.
    std::optional<unsigned> getTiedParam(unsigned index);
    /// Ties result `index` to a parameter; its type becomes the parameter's.
    void setTiedParam(unsigned index, unsigned param);
    /// The attributes of a parameter called `name`.
    static ::mlir::DictionaryAttr getParamAttrs(ParamDirection direction,
                                                ::mlir::StringAttr name);

    //===------------------------------------------------------------------===//
    // Kinds
    //===------------------------------------------------------------------===//

    /// Whether a call or submit of this function puts a task into the queue.
    bool isDeviceFunction() { return isDeviceKind(getKind()); }
    bool isGraph() { return getKind() == FunctionKind::Graph; }
    /// `level` and `role`, or what the kind implies: chip and orchestrator for
    /// `opaque`, `orchestration` and `graph` functions, empty otherwise.
    ::llvm::StringRef getLevelOrDefault();
    ::llvm::StringRef getRoleOrDefault();
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def Graph_ReturnOp : Graph_Op<"return", [
    Pure, Terminator, ReturnLike, HasParent<"FuncOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "end of a function";
  let description = [{
    Ends the body of a `graph.func`. The operand of a tied result is that
    parameter by identity lineage: the parameter itself, or what aliases,
    same-shape casts, tied results, loop carries and agreeing branches make of it.

    Example:

    ```mlir
    graph.return %acc, %n : !graph.tensor<16x128xf32>, index
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` qualified(type($operands)))?";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Launches and calls
//===----------------------------------------------------------------------===//

def Graph_CallOp : Graph_Op<"call", [
    CallOpInterface, Graph_LaunchOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call of a function, or launch of a device task";
  let description = [{
    Calls a host function or launches a device function with all its arguments.
    With resolved directions each operand carries one. `no_dep` lists the operands
    opted out of dependency tracking.

    Every call writes the resource `TaskQueue`; a tensor operand is read
    (`input`), written (`output`, `output_existing`) or both (`inout`, `no_dep`,
    unresolved). The effects never look at the callee.

    Example:

    ```mlir
    %r = graph.call @k(input %a, inout %o, scalar %i)
        : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, index) -> !graph.tensor<16xf32>
    graph.call @k2(%a, %b) {no_dep = array<i64: 0>}
        : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> ()
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyType>:$args,
                       OptionalAttr<Graph_ArgDirectionArrayAttr>:$arg_directions,
                       OptionalAttr<DenseI64ArrayAttr>:$no_dep,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$outs);
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::llvm::StringRef":$callee,
                   "::mlir::ValueRange":$args), [{
      build($_builder, $_state, results,
            ::mlir::FlatSymbolRefAttr::get($_builder.getContext(), callee), args,
            /*arg_directions=*/nullptr, /*no_dep=*/nullptr, /*arg_attrs=*/nullptr,
            /*res_attrs=*/nullptr);
    }]>
  ];
  let assemblyFormat = [{
    $callee `(` custom<DirectedOperands>($args, $arg_directions) `)` attr-dict
    `:` functional-type($args, $outs)
  }];
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getArgs(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getArgsMutable(); }

    ::mlir::FlatSymbolRefAttr getLaunchCallee() { return getCalleeAttr(); }
    ::mlir::OperandRange getLaunchArgs() { return getArgs(); }
    ::mlir::MutableOperandRange getLaunchArgsMutable() { return getArgsMutable(); }
    ::mlir::ArrayAttr getLaunchDirections() { return getArgDirectionsAttr(); }
    void setLaunchDirections(::mlir::ArrayAttr directions) { setArgDirectionsAttr(directions); }
    ::llvm::ArrayRef<int64_t> getLaunchNoDep() {
      return getNoDep().value_or(::llvm::ArrayRef<int64_t>());
    }
    ::mlir::ResultRange getLaunchOutputs() { return getOuts(); }
    ::mlir::Value getLaunchTaskId() { return {}; }
    ::mlir::OperandRange getLaunchDeps() {
      return getOperation()->getOperands().take_front(0);
    }
  }];
  let hasVerifier = 1;
}

def Graph_SubmitOp : Graph_Op<"submit", [
    Graph_LaunchOpInterface, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launch of a task with explicit dependencies";
  let description = [{
    Launches a function as a task and defines its task id, always the last result.
    The arguments may be a prefix of the parameters when only trailing `out`
    parameters are left: the runtime allocates those, and results tied to them are
    fresh buffers. Clauses, in this order:

    - `deps(…)`: task ids, or arrays of them, this task waits for;
    - `core_num(%n)`: blocks to launch;
    - `predicate(%gate[…] gt %z : type)`: the task runs when the comparison of that
      element with a value of the gate's element type holds;
    - `{sync_start}`: all blocks start together.

    Example:

    ```mlir
    %o, %tid = graph.submit @k(input %a, inout %o0)
        deps(%t0, %arr : !graph.task_id, !graph.array<4 x !graph.task_id>) core_num(%n)
        predicate(%gate[%i, 0] gt %z : !graph.tensor<4x1xi32>) {sync_start}
        : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.task_id)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyType>:$args,
                       Variadic<Graph_Dependency>:$deps,
                       Optional<Index>:$core_num,
                       Optional<Graph_TensorType>:$gate,
                       Variadic<Index>:$gate_indices,
                       Optional<Graph_Scalar>:$gate_rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$static_gate_indices,
                       OptionalAttr<Graph_ComparisonAttr>:$gate_comparison,
                       OptionalAttr<Graph_ArgDirectionArrayAttr>:$arg_directions,
                       OptionalAttr<DenseI64ArrayAttr>:$no_dep,
                       UnitAttr:$sync_start);
  let results = (outs Variadic<AnyType>:$outs, Graph_TaskIdType:$task);
  let assemblyFormat = [{
    $callee `(` custom<DirectedOperands>($args, $arg_directions) `)`
    (`deps` `(` $deps^ `:` qualified(type($deps)) `)`)?
    (`core_num` `(` $core_num^ `)`)?
    (`predicate` `(` custom<Predicate>($gate, $gate_indices, $static_gate_indices,
        $gate_comparison, $gate_rhs, type($gate), type($gate_rhs))^ `)`)?
    attr-dict `:` custom<LaunchType>(type($args), type($outs), type($task))
  }];
  let extraClassDeclaration = [{
    ::mlir::FlatSymbolRefAttr getLaunchCallee() { return getCalleeAttr(); }
    ::mlir::OperandRange getLaunchArgs() { return getArgs(); }
    ::mlir::MutableOperandRange getLaunchArgsMutable() { return getArgsMutable(); }
    ::mlir::ArrayAttr getLaunchDirections() { return getArgDirectionsAttr(); }
    void setLaunchDirections(::mlir::ArrayAttr directions) { setArgDirectionsAttr(directions); }
    ::llvm::ArrayRef<int64_t> getLaunchNoDep() {
      return getNoDep().value_or(::llvm::ArrayRef<int64_t>());
    }
    ::mlir::ResultRange getLaunchOutputs() { return getOuts(); }
    ::mlir::Value getLaunchTaskId() { return getTask(); }
    ::mlir::OperandRange getLaunchDeps() { return getDeps(); }
  }];
  let hasVerifier = 1;
}

def Graph_TaskDummyOp : Graph_Op<"task_dummy", [
    Graph_LaunchOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a node of the task graph without a kernel";
  let description = [{
    Puts a kernel-less node into the queue; it completes when its dependencies do.

    Example:

    ```mlir
    %t = graph.task_dummy deps(%a, %b : !graph.task_id, !graph.task_id) : !graph.task_id
    ```
  }];
  let arguments = (ins Variadic<Graph_Dependency>:$deps);
  let results = (outs Graph_TaskIdType:$task);
  let assemblyFormat = [{
    (`deps` `(` $deps^ `:` qualified(type($deps)) `)`)? attr-dict `:` qualified(type($task))
  }];
  let extraClassDeclaration = [{
    ::mlir::FlatSymbolRefAttr getLaunchCallee() { return {}; }
    ::mlir::OperandRange getLaunchArgs() { return getDeps().take_front(0); }
    ::mlir::MutableOperandRange getLaunchArgsMutable() {
      return ::mlir::MutableOperandRange(getOperation(), 0, 0);
    }
    ::mlir::ArrayAttr getLaunchDirections() { return {}; }
    void setLaunchDirections(::mlir::ArrayAttr) {}
    ::llvm::ArrayRef<int64_t> getLaunchNoDep() { return {}; }
    ::mlir::ResultRange getLaunchOutputs() { return getOperation()->getResults().take_front(0); }
    ::mlir::Value getLaunchTaskId() { return getTask(); }
    ::mlir::OperandRange getLaunchDeps() { return getDeps(); }
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Buffers and windows
//===----------------------------------------------------------------------===//

def Graph_CreateOp : Graph_Op<"create"> {
  let summary = "allocation of a device buffer";
  let description = [{
    Allocates a buffer. One `index` operand is given for each `?` of the type.

    Example:

    ```mlir
    %t = graph.create : !graph.tensor<128x128xf32>
    %u = graph.create(%m) : !graph.tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$dynamic_sizes);
  let results = (outs Res<Graph_TensorType, "the buffer", [MemAlloc]>:$result);
  let assemblyFormat = [{
    (`(` $dynamic_sizes^ `)`)? attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Graph_FullOp : Graph_Op<"full"> {
  let summary = "allocation of a device buffer filled with a value";
  let description = [{
    Allocates a buffer of static extents and fills it with a scalar of the element
    type (`iN` for `uiN` elements).

    Example:

    ```mlir
    %t = graph.full %zero : !graph.tensor<16x128xf32>
    ```
  }];
  let arguments = (ins Graph_Scalar:$value);
  let results = (outs Res<Graph_TensorType, "the buffer", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = "$value attr-dict `:` custom<FillType>(type($value), type($result))";
  let hasVerifier = 1;
}

def Graph_SliceOp : Graph_Op<"slice", [
    Pure, AttrSizedOperandSegments, ViewLikeOpInterface]> {
  let summary = "window of a tensor";
  let description = [{
    The window of `source` that starts at the offsets and has the given sizes, of
    the same rank. Offsets and sizes are literals or `index` values; a literal size
    is the extent of the result, an `index` value makes it `?`.

    Example:

    ```mlir
    %v = graph.slice %w[%off, 0] [128, %n] : !graph.tensor<512x128xf32> to !graph.tensor<128x?xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$source,
                       Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = [{
    $source `` custom<IndexList>($offsets, $static_offsets)
    custom<IndexList>($sizes, $static_sizes)
    attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let builders = [
    /// Builds the result type from the sizes.
    OpBuilder<(ins "::mlir::Value":$source,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
    ::mlir::Value getViewDest() { return getResult(); }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Graph_ViewOp : Graph_Op<"view", [Pure, ViewLikeOpInterface]> {
  let summary = "the same elements under another shape";
  let description = [{
    All elements of `source`, in order, with the given sizes (literals or `index`
    values) as shape.

    Example:

    ```mlir
    %v = graph.view %w [64, %n] : !graph.tensor<8x8x4xf32> to !graph.tensor<64x?xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$source, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = [{
    $source custom<IndexList>($sizes, $static_sizes)
    attr-dict `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
    ::mlir::Value getViewDest() { return getResult(); }
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Graph_CastOp : Graph_Op<"cast", [
    Pure, DeclareOpInterfaceMethods<CastOpInterface>, ViewLikeOpInterface]> {
  let summary = "more or less static knowledge of the extents";
  let description = [{
    The same window with other static knowledge of its extents. Nothing happens at
    run time; the extents must agree.

    Example:

    ```mlir
    %c = graph.cast %t : !graph.tensor<?x128xf32> to !graph.tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$source);
  let results = (outs Graph_TensorType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `to` qualified(type($result))";
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
    ::mlir::Value getViewDest() { return getResult(); }
  }];
  let hasCanonicalizer = 1;
}

def Graph_DimOp : Graph_Op<"dim", [Pure]> {
  let summary = "extent of a tensor along an axis";
  let description = [{
    Example:

    ```mlir
    %d = graph.dim %t, %axis : !graph.tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Graph_TensorType:$source, Index:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` qualified(type($source))";
  let extraClassDeclaration = [{
    /// The axis when it is a constant within the rank.
    std::optional<int64_t> getConstantAxis();
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Graph_ReadOp : Graph_Op<"read", [InferTypeOpAdaptor]> {
  let summary = "one element of a tensor, read on the host";
  let description = [{
    Waits for the element and reads it. An element of type `uiN` gives an `iN`.

    Example:

    ```mlir
    %x = graph.read %t[%i, 0] : !graph.tensor<16x128xf32>
    ```
  }];
  let arguments = (ins Arg<Graph_TensorType, "the tensor", [MemRead]>:$source,
                       Variadic<Index>:$indices, DenseI64ArrayAttr:$static_indices);
  let results = (outs Graph_Scalar:$result);
  let assemblyFormat = [{
    $source `` custom<IndexList>($indices, $static_indices) attr-dict `:` qualified(type($source))
  }];
  let hasVerifier = 1;
}

def Graph_AliasOp : Graph_Op<"alias", [Pure, SameOperandsAndResultType]> {
  let summary = "a bare rename";
  let description = [{
    Another name of a scalar or tensor that a front end emitted. It is always
    folded away: a renamed scalar would be copied out of its slot and frozen.

    Example:

    ```mlir
    %b = graph.alias %a : index
    ```
  }];
  let arguments = (ins AnyTypeOf<[Graph_TensorType, Graph_Scalar, Graph_TaskIdType,
                                  Graph_ArrayType]>:$source);
  let results = (outs AnyTypeOf<[Graph_TensorType, Graph_Scalar, Graph_TaskIdType,
                                 Graph_ArrayType]>:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

def Graph_ArrayCreateOp : Graph_Op<"array.create", [Pure]> {
  let summary = "an array without values yet";
  let description = [{
    An array whose elements are invalid task ids, or zeros.

    Example:

    ```mlir
    %arr = graph.array.create : !graph.array<4 x !graph.task_id>
    ```
  }];
  let results = (outs Graph_ArrayType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Graph_ArrayInsertOp : Graph_Op<"array.insert", [
    Pure, AllTypesMatch<["array", "result"]>,
    TypesMatchWith<"value has the element type", "array", "value",
                   "getArrayElementType($_self)">]> {
  let summary = "an array with one element replaced";
  let description = [{
    Example:

    ```mlir
    %new = graph.array.insert %t, %arr[%i] : !graph.array<4 x !graph.task_id>
    ```
  }];
  let arguments = (ins AnyType:$value, Graph_ArrayType:$array,
                       Variadic<Index>:$index, DenseI64ArrayAttr:$static_index);
  let results = (outs Graph_ArrayType:$result);
  let assemblyFormat = [{
    $value `,` $array `` custom<IndexList>($index, $static_index) attr-dict `:` qualified(type($array))
  }];
  let hasVerifier = 1;
}

def Graph_ArrayExtractOp : Graph_Op<"array.extract", [
    Pure, TypesMatchWith<"result has the element type", "array", "result",
                         "getArrayElementType($_self)">]> {
  let summary = "one element of an array";
  let description = [{
    Example:

    ```mlir
    %t = graph.array.extract %arr[2] : !graph.array<4 x !graph.task_id>
    ```
  }];
  let arguments = (ins Graph_ArrayType:$array,
                       Variadic<Index>:$index, DenseI64ArrayAttr:$static_index);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $array `` custom<IndexList>($index, $static_index) attr-dict `:` qualified(type($array))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

def Graph_ScopeOp : Graph_Op<"scope", [
    AttrSizedOperandSegments, SingleBlockImplicitTerminator<"YieldOp">,
    NoRegionArguments, RecursiveMemoryEffects, RecursivelySpeculatable,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "a marked part of a function body";
  let description = [{
    ```
    graph.scope KIND ["name"] [deps(…)] [core_num(%n)] [predicate(…)] [attributes ATTRS] [-> (types)] { … }
    ```

    A region of the enclosing function: `graph` is outlined into a graph function
    (and needs a name), `incore`, `cluster` and `spmd` into device functions;
    `manual` and `auto` say how the runtime tracks dependencies. The region is not
    isolated; what is used after it is yielded. A last result of type
    `!graph.task_id` beyond the yielded values is the scope's task id (device kinds
    only). Device and graph scopes write the resource `TaskQueue`.

    Example:

    ```mlir
    %y = graph.scope graph "layer" -> (!graph.tensor<16xf32>) {
      %0 = graph.call @k(%x, %acc) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
      graph.yield %0 : !graph.tensor<16xf32>
    }
    ```
  }];
  let arguments = (ins Graph_ScopeKindAttr:$kind,
                       OptionalAttr<StrAttr>:$name,
                       Variadic<Graph_Dependency>:$deps,
                       Optional<Index>:$core_num,
                       Optional<Graph_TensorType>:$gate,
                       Variadic<Index>:$gate_indices,
                       Optional<Graph_Scalar>:$gate_rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$static_gate_indices,
                       OptionalAttr<Graph_ComparisonAttr>:$gate_comparison);
  let results = (outs Variadic<AnyType>:$outs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<ScopeKind>($kind) ($name^)?
    (`deps` `(` $deps^ `:` qualified(type($deps)) `)`)?
    (`core_num` `(` $core_num^ `)`)?
    (`predicate` `(` custom<Predicate>($gate, $gate_indices, $static_gate_indices,
        $gate_comparison, $gate_rhs, type($gate), type($gate_rhs))^ `)`)?
    attr-dict-with-keyword
    (`->` `(` qualified(type($outs))^ `)`)? custom<ScopeBody>($body)
  }];
  let extraClassDeclaration = [{
    YieldOp getYield();
    /// Whether a launched task comes out of the scope.
    bool isDeviceScope() { return isDeviceScopeKind(getKind()); }
    /// The scope's own task id, when it has one.
    ::mlir::Value getTaskId();
    /// The results that are yielded values.
    ::mlir::ResultRange getYieldedResults();
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Graph_YieldOp : Graph_Op<"yield", [
    Pure, Terminator, ReturnLike, HasParent<"ScopeOp">]> {
  let summary = "end of a scope";
  let description = [{
    Names the values used after the scope.

    Example:

    ```mlir
    graph.yield %a, %b : !graph.tensor<16xf32>, index
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` qualified(type($operands)))?";
}

//===----------------------------------------------------------------------===//
// Kernel bodies
//===----------------------------------------------------------------------===//

def Graph_LoadOp : Graph_Op<"load"> {
  let summary = "a tile of a tensor, loaded in a kernel";
  let description = [{
    Example:

    ```mlir
    %t = graph.load %w[%i, 0] : !graph.tensor<512x128xf32> -> tensor<128x128xf32>
    ```
  }];
  let arguments = (ins Arg<Graph_TensorType, "the tensor", [MemRead]>:$source,
                       Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `` custom<IndexList>($offsets, $static_offsets) attr-dict
    `:` qualified(type($source)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Graph_StoreOp : Graph_Op<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile stored into a tensor in a kernel";
  let description = [{
    With `atomic_add` the tile is added to what is there.

    Example:

    ```mlir
    graph.store %t, %o[0, 0] {atomic_add} : tensor<128x128xf32>, !graph.tensor<128x128xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$value, Graph_TensorType:$dest,
                       Variadic<Index>:$offsets, DenseI64ArrayAttr:$static_offsets,
                       UnitAttr:$atomic_add);
  let assemblyFormat = [{
    $value `,` $dest `` custom<IndexList>($offsets, $static_offsets) attr-dict
    `:` type($value) `,` qualified(type($dest))
  }];
  let hasVerifier = 1;
}

#endif // PYPTO_GRAPH_OPS_TD
