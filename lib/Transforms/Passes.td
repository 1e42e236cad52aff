//===- Passes.td - Passes on the graph dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_PASSES_TD
#define PYPTO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

class OutliningPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let statistics = [
    Statistic<"numOutlined", "outlined-scopes", "scopes that became functions">
  ];
}

def OutlineGraphScopes : OutliningPass<"outline-graph-scopes"> {
  let summary = "turn graph scopes into functions of kind graph";
  let description = [{
    Every `graph.scope graph` of an `opaque` or `orchestration` function, at any
    depth, becomes a public function of kind `graph`, and a call of it takes its
    place (a submit, when the scope has dependencies, a block count or a predicate).
    After that a program written with scopes and one written with graph functions
    are the same, but for the order of parameters. The kind of the function around
    never changes.

    - **Parameters** are the values of outside that the scope reads, in order of
      first read: an operation reads its operands before its regions do, a loop the
      values it starts with before its bounds. Constants are copied into the
      function instead. A parameter of the function around keeps its name, others
      are called `arg0`, `arg1`…
    - **Directions**: `inout` where the region, a scope in it or a function it calls
      may write the buffer, also through aliases, windows, loops and results; `in`
      otherwise. Never `out`: a boundary tensor exists before the launch.
    - **Results** are the yielded values that are used. A result that is a parameter
      by identity lineage is tied to it, and the function returns the parameter.
      A computed tensor stays a computed result. A scalar that is computed inside is
      computed in front of the call instead, with all it needs.
    - **Names** are the names of the scopes. The first scope of a name, in the order
      of the module, gets it, unless a symbol has it; others get `_0`, `_1`…, the
      least that is free and no other scope asks for. So the name of a graph, the key
      of its recording, does not depend on unrelated scopes.

    Refused, with all violations in one run and the module as it was: a graph scope
    within a graph or device scope, or in a function of another kind; a scalar result
    that cannot be computed in front.

    Requires `InlineFunctionsEliminated`; produces `GraphOutlined`. Running the pass
    twice changes nothing.

    Before:

    ```mlir
    graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>,
                                   inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %layers = arith.constant 4 : index
      %sum = scf.for %i = %c0 to %layers step %c1 iter_args(%a = %acc)
          -> (!graph.tensor<128x128xf32>) {
        %r = graph.scope graph "accumulate_band" -> (!graph.tensor<128x128xf32>) {
          %rows = arith.constant 128 : index
          %base = arith.muli %i, %rows : index
          %a1 = graph.call @add_band(%w, %a, %base)
              : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index)
              -> !graph.tensor<128x128xf32>
          graph.yield %a1 : !graph.tensor<128x128xf32>
        }
        scf.yield %r : !graph.tensor<128x128xf32>
      }
      graph.return %sum : !graph.tensor<128x128xf32>
    }
    ```

    After (`legalize-graph-boundary` will move `%base` to the launch):

    ```mlir
    graph.func graph @accumulate_band(in %arg0: index, in %w: !graph.tensor<512x128xf32>,
                                      inout %arg1: !graph.tensor<128x128xf32>) -> (%arg1) {
      %rows = arith.constant 128 : index
      %base = arith.muli %arg0, %rows : index
      %a1 = graph.call @add_band(%w, %arg1, %base)
          : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index)
          -> !graph.tensor<128x128xf32>
      graph.return %arg1 : !graph.tensor<128x128xf32>
    }
    graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>,
                                   inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
      …
      %sum = scf.for %i = %c0 to %layers step %c1 iter_args(%a = %acc)
          -> (!graph.tensor<128x128xf32>) {
        %r = graph.call @accumulate_band(%i, %w, %a)
            : (index, !graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>)
            -> !graph.tensor<128x128xf32>
        scf.yield %r : !graph.tensor<128x128xf32>
      }
      graph.return %sum : !graph.tensor<128x128xf32>
    }
    ```
  }];
}

def OutlineIncoreScopes : OutliningPass<"outline-incore-scopes"> {
  let summary = "turn incore, cluster and spmd scopes into device functions";
  let description = [{
    Does for device scopes what `outline-graph-scopes` does for graph scopes, by the
    same rules: an `incore` scope becomes a public function of kind `incore`, a
    `cluster` scope one of kind `group`, an `spmd` scope one of kind `spmd`. Scopes
    of `opaque`, `orchestration`, `graph`, `group` and `spmd` functions are outlined,
    whose kind stays; an `incore` scope within a `cluster` or `spmd` scope becomes a
    call in the function of that scope.

    A scope with dependencies, a block count or a predicate, or whose task id is used,
    becomes a `graph.submit` with those clauses, any other a `graph.call`. A scope
    without a name is called `<function>_<kind>_<n>`, counted by function and kind.

    Refused: a scope within an `incore` scope or a kernel, or in an `inline` function;
    a scalar result that cannot be computed in front of the launch.

    Requires `InlineFunctionsEliminated` and `GraphOutlined`; produces
    `SplitIncoreOrch`. Running the pass twice changes nothing.

    Before:

    ```mlir
    graph.func graph @layer(in %x: !graph.tensor<16x128xf32>,
                            inout %c: !graph.tensor<16x128xf32>) -> (%c) {
      graph.scope incore {
        %a = graph.load %x[0, 0] : !graph.tensor<16x128xf32> -> tensor<16x128xf32>
        graph.store %a, %c[0, 0] : tensor<16x128xf32>, !graph.tensor<16x128xf32>
      }
      graph.return %c : !graph.tensor<16x128xf32>
    }
    ```

    After:

    ```mlir
    graph.func incore @layer_incore_0(in %x: !graph.tensor<16x128xf32>,
                                      inout %c: !graph.tensor<16x128xf32>) {
      %a = graph.load %x[0, 0] : !graph.tensor<16x128xf32> -> tensor<16x128xf32>
      graph.store %a, %c[0, 0] : tensor<16x128xf32>, !graph.tensor<16x128xf32>
      graph.return
    }
    graph.func graph @layer(in %x: !graph.tensor<16x128xf32>,
                            inout %c: !graph.tensor<16x128xf32>) -> (%c) {
      graph.call @layer_incore_0(%x, %c)
          : (!graph.tensor<16x128xf32>, !graph.tensor<16x128xf32>) -> ()
      graph.return %c : !graph.tensor<16x128xf32>
    }
    ```
  }];
}

def LegalizeGraphBoundary : Pass<"legalize-graph-boundary", "::mlir::ModuleOp"> {
  let summary = "make every graph function right under record and replay";
  let description = [{
    The runtime records a function of kind `graph` on its first launch and replays
    it afterwards. A replay refreshes the descriptors of the boundary tensors and
    the values of the boundary scalars; everything else keeps the first call's
    value. This pass moves what varies to the launches, keeps in place what
    provably never varies, and refuses the rest.

    - **Scalars.** An argument of a task that is computed from the function's scalar
      parameters becomes a parameter of its own; every launch recomputes it. One that
      is the same on every replay (a constant, a variable of a constant-trip loop, an
      extent of a boundary tensor, arithmetic on those) stays. Only the values that
      remaining operations use become parameters; what leads to them is recomputed.
    - **Windows** of boundary tensors whose offsets a launch can compute are taken at
      the launch and become boundary tensors; those that never move stay, and
      `graph.slots` numbers the slots so that each binds to its own base. Where no
      order does that (windows kept on two tensors of one buffer whose distance
      varies between launches), the constant-trip loops that count the windows are
      unrolled, if that fits the limits, and the launch takes each window.
    - **Boundary tensors of one buffer** are recognised by value when the first
      launch of a run records, the first match wins. A task's tensor that is
      boundary tensor X is recorded as the first Y that equals X then: right if Y
      never equals X then, or always does. A window kept on X is recorded as one of
      the first Y that starts at or before it then: right if Y starts at one distance
      from X at all launches. What is proved wrong is refused, what is not proved
      right is warned of (refused with `strict-aliasing`). Launches that pass their
      buffers differently never replay each other and are not compared.
    - **Dependencies** between the tasks are recorded, too. A task that reads or
      updates a window of one boundary tensor is ordered after an earlier one that
      writes a window of another one of the buffer if the windows overlap whenever a
      launch records; else they must be apart at all launches, or the tasks ordered
      by `deps` or by way of other tasks. What is not is refused or warned of in the
      same way.
    - **Allocations** at the top level of the body are made at the launch.
    - **Renames** (`graph.alias`) are folded away.

    New parameters are appended: allocations `alloc0…` (`inout`), windows `view0…`
    (direction of their root), scalars `scalar0…` (`in`). Existing positions never
    move. What is made at a launch has the location of the launch and, as its callee,
    that of what it is passed for in the function.

    Refused, with all violations of the module in one run and each with a code of
    `docs/diagnostics.md`: everything that would replay wrongly or never be replayed,
    more than 16 graph functions in a run from one entry, and tasks of the host that
    are over the limits, too. The module is then exactly as it was. Launches that
    never replay what another one records are warned of
    (`graph-signature-varies`).

    Requires the properties `GraphOutlined`, `InlineFunctionsEliminated` and
    `SplitIncoreOrch`; produces `GraphBoundaryLegalized`; preserves
    `CallDirectionsResolved`. Running the pass twice changes nothing.

    Before:

    ```mlir
    graph.func graph @layer(in %w: !graph.tensor<512x128xf32>,
                            inout %c: !graph.tensor<128x128xf32>, in %li: index) -> (%c) {
      %rows = arith.constant 128 : index
      %base = arith.muli %li, %rows : index
      %wl = graph.slice %w[%base, 0] [128, 128]
          : !graph.tensor<512x128xf32> to !graph.tensor<128x128xf32>
      %c1 = graph.call @k(%wl, %c)
          : (!graph.tensor<128x128xf32>, !graph.tensor<128x128xf32>) -> !graph.tensor<128x128xf32>
      graph.return %c1 : !graph.tensor<128x128xf32>
    }
    ```

    After; the launch computes `%base` and `%wl` and passes `%wl` last:

    ```mlir
    graph.func graph @layer(in %w: !graph.tensor<512x128xf32>,
                            inout %c: !graph.tensor<128x128xf32>, in %li: index,
                            in %view0: !graph.tensor<128x128xf32>) -> (%c) {
      %c1 = graph.call @k(%view0, %c)
          : (!graph.tensor<128x128xf32>, !graph.tensor<128x128xf32>) -> !graph.tensor<128x128xf32>
      graph.return %c1 : !graph.tensor<128x128xf32>
    }
    ```
  }];
  let options = [
    Option<"strictAliasing", "strict-aliasing", "bool", /*default=*/"false",
           "do not assume that different parameters of an entry are different "
           "buffers, and refuse what can only be warned of otherwise">
  ];
  let statistics = [
    Statistic<"numHoistedScalars", "hoisted-scalars",
              "scalars that became parameters">,
    Statistic<"numHoistedViews", "hoisted-views", "windows taken at the launches">,
    Statistic<"numHoistedAllocs", "hoisted-allocations",
              "allocations made at the launches">,
    Statistic<"numKeptScalars", "kept-scalars",
              "task arguments kept because they are the same on every replay">,
    Statistic<"numKeptViews", "kept-views",
              "windows kept because they are the same on every replay">,
    Statistic<"numKeptAllocs", "kept-allocations",
              "allocations kept because they are one an iteration">,
    Statistic<"numFoldedAliases", "folded-aliases", "renames folded away">,
    Statistic<"numUnrolledLoops", "unrolled-loops",
              "loops unrolled because no slot order was right">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::pypto::graph::GraphDialect"];
}

//===----------------------------------------------------------------------===//
// verify-graph-boundary
//===----------------------------------------------------------------------===//

def VerifyGraphBoundary : Pass<"verify-graph-boundary", "::mlir::ModuleOp"> {
  let summary = "check that every graph function replays right";
  let description = [{
    Checks the property `GraphBoundaryLegalized` and changes nothing. A function of
    kind `graph` has it when recording it at its first launch and replaying the
    recording at every other one computes what running it each time would. All
    violations of the module are reported in one run, each at the operation at
    fault, with its code and with notes.

    The property is derived from the module alone, by other code than the passes
    decide with: the node count, the provenance of buffers and windows, and what
    the launches pass are worked out anew. It may run on any module that verifies,
    also on one that no pass has seen. What is required:

    - the module is compiled for `host_build_graph`; 1 to 128 tensor parameters,
      none `out`; at most 64 scalar parameters, all `in`; no others; only
      parameters are returned, and a result that the host uses is tied;
    - 1 to 1024 nodes, none under control flow that may differ between replays;
      tasks within the limits of the runtime; allocations of constant extents;
    - a scalar argument of a task is a scalar parameter itself or is the same on
      every replay; predicate and array indices, right-hand sides, and offsets and
      extents of windows taken in the body are the same on every replay, and so is
      which buffer or task an operand names; a block count is a constant;
    - a launch stands in an `orchestration` or `opaque` function, passes every
      parameter, has no dependencies, predicate, `core_num` or `sync_start`, and its
      task id is not used; nothing else refers to the function;
    - when the first launch of a run records, no boundary tensor is taken for another
      one, or for the base of another one's windows, in the order of `graph.slots`,
      that it is not at every launch;
    - every dependency between tasks that a launch needs is one that the recording
      has, whichever launch records;
    - a run from one entry launches at most 16 graph functions, and tasks of the host
      are within the limits, too.

    Launches of one function that never replay each other are warned of, and so is
    what is not proved either way.

    Not required is what replays right as it is: an allocation or a window at a
    constant offset may stay in the body.

    For example, an offset that a later pass computed in the body again:

    ```mlir
    graph.func graph @layer(in %w: !graph.tensor<512x128xf32>,
                            inout %c: !graph.tensor<128x128xf32>, in %li: index) -> (%c) {
      %rows = arith.constant 128 : index
      %base = arith.muli %li, %rows : index
      // error: [graph-not-hoisted] argument #2 of task '@k' in graph function '@layer'
      //        is computed in the body from scalar parameters
      graph.call @k(%w, %c, %base)
          : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index)
          -> !graph.tensor<128x128xf32>
      graph.return %c : !graph.tensor<128x128xf32>
    }
    ```

    After `legalize-graph-boundary` the function has a parameter `%scalar0` in place
    of `%base`, and nothing is reported.
  }];
  let options = [
    Option<"strictAliasing", "strict-aliasing", "bool", /*default=*/"false",
           "do not assume that different parameters of an entry are different "
           "buffers, and refuse what can only be warned of otherwise">,
    Option<"warnUndecided", "warn-undecided", "bool", /*default=*/"true",
           "warn of boundary tensors not proved to be always or never the same">
  ];
}

def VerifyGraphOutlined : Pass<"verify-graph-outlined", "::mlir::ModuleOp"> {
  let summary = "check that no graph scope is left";
  let description = [{
    Checks the property `GraphOutlined` and changes nothing: no function of any kind
    holds a `graph.scope graph`, at any depth. Every one that is left is reported.

    ```mlir
    graph.func inline @helper(inout %c: !graph.tensor<4xf32>) {
      // error: [outline-scope-left] graph scope 'layer' is left in function '@helper' of
      //        kind 'inline'
      graph.scope graph "layer" { … }
      graph.return
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// normalize-returns
//===----------------------------------------------------------------------===//

def NormalizeReturns : Pass<"normalize-returns", "::mlir::ModuleOp"> {
  let summary = "tie results to the parameters they are";
  let description = [{
    A result that is a parameter on every path becomes a *tied* result, and the
    return names the parameter itself. What a value is follows identity lineage:
    renames, casts, tied results of calls and submits, loop carries, scopes, and
    branches or selects that agree. Functions are visited callees first, so ties
    spread through chains and cycles of calls.

    A tied result has the type of its parameter: extents that only one of the two
    knows are known by the parameter's type or by the launches, which keep theirs.
    A result that a launch knows to have other extents than the parameter is left
    alone, and so is one that is computed. The order of results never changes.

    Requires nothing; produces the property `ReturnParamsExplicit`; preserves all
    others. Running the pass twice changes nothing.

    Before:

    ```mlir
    graph.func graph @swap(inout %x: !graph.tensor<16xf32>, inout %y: !graph.tensor<16xf32>)
        -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
      %0 = graph.alias %y : !graph.tensor<16xf32>
      %1 = graph.call @k(%x) : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32> // tied
      graph.return %0, %1 : !graph.tensor<16xf32>, !graph.tensor<16xf32>
    }
    ```

    After:

    ```mlir
    graph.func graph @swap(inout %x: !graph.tensor<16xf32>, inout %y: !graph.tensor<16xf32>)
        -> (%y, %x) {
      %0 = graph.alias %y : !graph.tensor<16xf32>
      %1 = graph.call @k(%x) : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32>
      graph.return %y, %x : !graph.tensor<16xf32>, !graph.tensor<16xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numTiedResults", "tied-results",
              "results that were tied to a parameter">
  ];
}

//===----------------------------------------------------------------------===//
// derive-call-directions
//===----------------------------------------------------------------------===//

def DeriveCallDirections : Pass<"derive-call-directions", "::mlir::ModuleOp"> {
  let summary = "say what each launch does to its operands";
  let description = [{
    A parameter's direction (`in`, `out`, `inout`) says what a function does with
    it. The direction of a launch's operand says how the runtime orders that task
    among others, which also depends on what was written before. This pass derives
    the latter for every call and submit that has none.

    **Wrappers first.** A `group` or `spmd` function passes its parameters on to
    device functions, so its own directions are joined with theirs in the lattice
    inout > out > in, to a least fixed point that does not depend on the order of
    the functions. Directions are only promoted. What an argument is follows
    identity lineage; a window that is written makes an `in` parameter `inout`.

    **Then every launch**, in the order of the text:

    | parameter | operand | condition | direction |
    | --- | --- | --- | --- |
    | any | no tensor | | `scalar` |
    | `in` | tensor | | `input` |
    | `inout` | tensor | | `inout` |
    | `out` | tensor | under an `scf.for` that is not `graph.parallel`, or an `scf.while`, of this function | `inout` |
    | `out` | tensor | which buffer it is depends on the path | `inout` |
    | `out` | tensor | an earlier launch may have written an element of it | `inout` |
    | `out` | tensor | in the buffer of a parameter that this function declares `inout` | `inout` |
    | `out` | tensor | otherwise | `output_existing` |

    Earlier launches are those in the same block and around it. A loop or branch
    begins with what is written before it; what any of its regions writes is
    written after it. Scopes are transparent. Windows that are provably apart are
    not the same place. A result that is not tied has been written by its launch.

    Operands listed in `no_dep` get `no_dep`, and the list stays. Launches that have
    directions keep them; a launch without arguments needs none. `output` is never
    derived. Nothing but directions changes.

    Requires the properties `GraphOutlined`, `InlineFunctionsEliminated` and
    `SplitIncoreOrch`: what is outlined or inlined later would bring along
    directions derived elsewhere. Produces `CallDirectionsResolved`; preserves all
    others. Running the pass twice changes nothing.

    Before:

    ```mlir
    graph.func private incore @kw(in %x: !graph.tensor<64xf32>, out %o: !graph.tensor<64xf32>) -> (%o)
    graph.func orchestration @main(in %x: !graph.tensor<64xf32>) {
      %local = graph.create : !graph.tensor<64xf32>
      %0 = graph.call @kw(%x, %local)
          : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
      %1 = graph.call @kw(%x, %0)
          : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
      graph.return
    }
    ```

    After:

    ```mlir
      %0 = graph.call @kw(input %x, output_existing %local)
          : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
      %1 = graph.call @kw(input %x, inout %0)
          : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    ```
  }];
  let statistics = [
    Statistic<"numResolved", "resolved-launches",
              "launches whose directions were derived">,
    Statistic<"numPromoted", "promoted-parameters",
              "parameters of wrappers whose direction was promoted">
  ];
}

//===----------------------------------------------------------------------===//
// verify-call-directions
//===----------------------------------------------------------------------===//

def VerifyCallDirections : Pass<"verify-call-directions", "::mlir::ModuleOp"> {
  let summary = "check that every launch has directions that fit its callee";
  let description = [{
    Checks the property `CallDirectionsResolved` and changes nothing. Every call and
    submit with arguments has a direction for each; a tensor's is not `scalar` and
    everything else's is; an `in` parameter is passed `input` or `no_dep`, an
    `inout` one `inout` or `no_dep`, an `out` one anything but `input`. No `group`
    or `spmd` function declares less for a parameter than the device functions that
    it passes the parameter to. All violations are reported in one run.

    For example:

    ```mlir
    graph.func private incore @k(in %a: !graph.tensor<4xf32>)
    graph.func orchestration @main(in %a: !graph.tensor<4xf32>) {
      // error: [graph-missing-directions] call of '@k' in function '@main' has no
      //        directions for its 1 arguments
      graph.call @k(%a) : (!graph.tensor<4xf32>) -> ()
      graph.return
    }
    ```

    After `derive-call-directions` the call reads `@k(input %a)`, and nothing is
    reported.
  }];
}

//===----------------------------------------------------------------------===//
// check-properties
//===----------------------------------------------------------------------===//

def CheckProperties : Pass<"check-properties", "::mlir::ModuleOp"> {
  let summary = "check properties of a module";
  let description = [{
    Computes the listed properties and reports all violations; changes nothing.
    `pypto-opt --verify-properties` and `graph-legalize-pipeline` put this pass
    between others, with `after` naming the pass before, which is blamed.

    The properties are `InlineFunctionsEliminated`, `GraphOutlined`,
    `SplitIncoreOrch`, `ReturnParamsExplicit`, `CallDirectionsResolved` and
    `GraphBoundaryLegalized`.

    For example, `check-properties{properties=GraphOutlined}` on

    ```mlir
    graph.func opaque @main(inout %a: !graph.tensor<4xf32>) {
      // error: [graph-missing-property] the property GraphOutlined does not hold: …
      graph.scope graph "layer" { … }
      graph.return
    }
    ```

    After `outline-graph-scopes` nothing is reported.
  }];
  let options = [
    ListOption<"properties", "properties", "std::string",
               "the properties to check, by name">,
    Option<"after", "after", "std::string", /*default=*/"",
           "the pass to be named when a property does not hold">
  ];
}

//===----------------------------------------------------------------------===//
// canonicalize-and-cse
//===----------------------------------------------------------------------===//

def CanonicalizeAndCSE : Pass<"canonicalize-and-cse", "::mlir::ModuleOp"> {
  let summary = "merge equal values and canonicalize until neither changes anything";
  let description = [{
    What one of `cse` and `canonicalize` does lets the other do more: a value that
    is merged with the condition of the branch around it folds there, and operations
    that fold become equal. This pass runs both in turn and stops after the first that
    finds nothing to do (or after ten rounds), so that a second run finds nothing
    either. With `once` it is `canonicalize, cse` in one pass, except that a
    `scf.execute_region` of several blocks stays in a graph function as it is (marked
    `no_inline`): MLIR would move its blocks into the function, which has one.
    Requires nothing and preserves every property.

    Before (after `canonicalize, cse` the call would still take `%there`):

    ```mlir
    scf.if %there {
      %again = arith.cmpi ne, %m, %c3 : index // as %there was computed
      %0 = graph.call @k(%t, %again) : …
    }
    ```

    After:

    ```mlir
    scf.if %there {
      %0 = graph.call @k(%t, %true) : …
    }
    ```
  }];
  let options = [
    Option<"once", "once", "bool", /*default=*/"false",
           "Canonicalize, then merge, and leave it at that">
  ];
}

//===----------------------------------------------------------------------===//
// count-wide-loops
//===----------------------------------------------------------------------===//

def CountWideLoops : Pass<"count-wide-loops", "::mlir::ModuleOp"> {
  let summary = "count the iterations of loops that span half of their type";
  let description = [{
    MLIR's canonicalization erases an `scf.for` with constant bounds whose distance does
    not fit into the type as a signed number, or whose step, of an unsigned loop, does
    not: it takes such a loop for one that does not run. This pass makes it a loop over
    the number of its iterations, which canonicalization leaves as it is. Run it before
    `canonicalize`, as `graph-legalize-pipeline` does. Requires nothing and preserves
    every property. Running the pass twice changes nothing.

    Before:

    ```mlir
    scf.for %i = %c-128 to %c127 step %c100 : i8 {
      graph.call @k(%o, %i) : (!graph.tensor<4xf32>, i8) -> ()
    }
    ```

    After:

    ```mlir
    scf.for %n = %c0 to %c3 step %c1 : i64 {
      %0 = arith.trunci %n : i64 to i8
      %1 = arith.muli %0, %c100 : i8
      %i = arith.addi %c-128, %1 : i8
      graph.call @k(%o, %i) : (!graph.tensor<4xf32>, i8) -> ()
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numCounted", "counted-loops", "loops that count their iterations now">
  ];
}

//===----------------------------------------------------------------------===//
// inline-functions
//===----------------------------------------------------------------------===//

def InlineFunctions : Pass<"inline-functions", "::mlir::ModuleOp"> {
  let summary = "run `inline` on modules in which it has something to do";
  let description = [{
    `inline` visits the whole call graph, and what it has visited is verified again;
    most programs have no function of kind `inline`. This pass runs it, without the
    canonicalization between its steps, when the module has a function of that kind, a
    private one (which `inline` drops when nothing calls it) or one of another dialect,
    and else leaves the module alone. Requires nothing, establishes
    *InlineFunctionsEliminated* and preserves every property.

    Before:

    ```mlir
    graph.func inline @twice(inout %c: !graph.tensor<4xf32>) {
      graph.call @k(%c) : (!graph.tensor<4xf32>) -> ()
      graph.call @k(%c) : (!graph.tensor<4xf32>) -> ()
      graph.return
    }
    graph.func orchestration @main(inout %c: !graph.tensor<4xf32>) {
      graph.call @twice(%c) : (!graph.tensor<4xf32>) -> ()
      graph.return
    }
    ```

    After (`erase-inline-functions` drops `@twice`):

    ```mlir
    graph.func orchestration @main(inout %c: !graph.tensor<4xf32>) {
      graph.call @k(%c) : (!graph.tensor<4xf32>) -> ()
      graph.call @k(%c) : (!graph.tensor<4xf32>) -> ()
      graph.return
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// erase-inline-functions
//===----------------------------------------------------------------------===//

def EraseInlineFunctions : Pass<"erase-inline-functions", "::mlir::ModuleOp"> {
  let summary = "drop the functions of kind `inline` that nothing calls any more";
  let description = [{
    The inliner keeps a function that others may see, but nothing can do anything
    with a function of kind `inline` but inline it, and a scope in it would be
    refused by the passes that outline. Functions that are still called, or
    otherwise referred to, stay. Requires nothing and preserves every property.

    Before (after `inline`):

    ```mlir
    graph.func inline @f(inout %c: !graph.tensor<4xf32>) { graph.scope graph "g" { … } … }
    graph.func orchestration @main(inout %c: !graph.tensor<4xf32>) { graph.scope graph "g" { … } … }
    ```

    After:

    ```mlir
    graph.func orchestration @main(inout %c: !graph.tensor<4xf32>) { graph.scope graph "g" { … } … }
    ```
  }];
  let statistics = [
    Statistic<"numErased", "erased-functions", "functions that were dropped">
  ];
}

//===----------------------------------------------------------------------===//
// set-graph-runtime
//===----------------------------------------------------------------------===//

def SetGraphRuntime : Pass<"set-graph-runtime", "::mlir::ModuleOp"> {
  let summary = "choose the runtime a module is compiled for";
  let description = [{
    Sets the attribute `graph.runtime` of the module, and of modules inside that say
    something else. Without a runtime nothing changes.

    Before:

    ```mlir
    module { … }
    ```

    After `set-graph-runtime{runtime=host_build_graph}`:

    ```mlir
    module attributes {graph.runtime = #graph.runtime<host_build_graph>} { … }
    ```
  }];
  let options = [
    Option<"runtime", "runtime", "std::string", /*default=*/"",
           "host_build_graph or tensormap_and_ringbuffer">
  ];
  let dependentDialects = ["::mlir::pypto::graph::GraphDialect"];
}

//===----------------------------------------------------------------------===//
// Kernel graphs
//===----------------------------------------------------------------------===//

def VerifyAscGraph : Pass<"verify-asc-graph", "::mlir::ModuleOp"> {
  let summary = "check names and control edges of kernel graphs";
  let description = [{
    Checks that the names of the nodes of each kernel are unique, that every control
    edge names a node of the kernel, and that there is an order that respects the data
    and control edges. Reports all violations and changes nothing. The verifier of the
    `asc` dialect checks the same on every parsed module; the pass is for pipelines
    that run without it. Every pass on kernels checks it before it changes anything.

    For example:

    ```mlir
    graph.func incore @k(in %x: !graph.tensor<8xf32>, out %o: !graph.tensor<8xf32>) {
      %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
      // error: [asc-unknown-node] node 'Exp_0' comes after 'Load_1', which is no node of
      //        function '@k'
      %1 = asc.exp "Exp_0" %0 after ["Load_1"] : tensor<8xf32>
      asc.store "Store_0" %1, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
      graph.return
    }
    ```

    After `after ["Load_0"]` is written instead, nothing is reported.
  }];
}

def AscDce : Pass<"asc-dce", "::mlir::ModuleOp"> {
  let summary = "drop the nodes of kernels that nothing needs";
  let description = [{
    A node is live when it is a store, when a live operation uses its result, or when a
    live node names it in its `after`. All others are erased. No other pass erases nodes
    for being unused: a name may be what a control edge refers to.

    Before:

    ```mlir
    %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
    %1 = asc.exp "Exp_0" %0 : tensor<8xf32>
    %2 = asc.log "Log_0" %0 : tensor<8xf32>
    asc.store "Store_0" %0, %o[0] after ["Log_0"] : tensor<8xf32>, !graph.tensor<8xf32>
    ```

    After:

    ```mlir
    %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
    %1 = asc.log "Log_0" %0 : tensor<8xf32>
    asc.store "Store_0" %0, %o[0] after ["Log_0"] : tensor<8xf32>, !graph.tensor<8xf32>
    ```
  }];
  let statistics = [Statistic<"numErased", "erased-nodes", "nodes that were dropped">];
}

def ImprovePrecision : Pass<"improve-precision", "::mlir::ModuleOp"> {
  let summary = "compute in f32, and round where it can be seen";
  let description = [{
    Nodes that compute on f16 or bf16 compute on f32 instead. Casts among f16, bf16 and f32
    go, and come back where a type is needed: behind what is loaded or passed in a lower type
    and computed with, and in front of a store (or any other operation that keeps its type) of
    a lower type. Constants change their type.

    **A rounding that is shared stays.** Where a value is rounded to f16 or bf16 and the
    rounded value reaches a store and also something else, the rounding can be seen: what is
    computed has to be computed from the value that is stored. Such a cast from f32 stays, and
    those that compute get an up-cast of its result. The same goes for a node that computes in
    f16 or bf16 itself, which rounds without a cast: it is followed by one. Broadcasts and
    transposes count as something else, and are looked through for stores and computations.
    `preserve-shared-rounding=false` turns this off: the computation then sees a value that was
    never stored.

    What else stays:

    - casts from and to integers and 8-bit floating types, with the type they start from (the
      f16 step of a float-to-i8 chain, for one); casts from f64 and to it. A chain of casts from a
      type to itself through types that hold all its values goes;
    - kernels with `matmul`, `concat` or `split`; kernels all of whose computing nodes are
      in `blacklist`; single nodes of those kinds keep their type;
    - every stored type.

    A cast that is there already is used where one is needed. A new one is named after the first
    node that needs it (`Add_0_cast1` for operand 1 of `Add_0`). A node that waited for a cast
    that goes waits for what that cast waited for. Running the pass twice changes nothing. All
    kernels of the module are checked first; a module with an error stays as it was.

    Before:

    ```mlir
    %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
    %1 = asc.load "Load_1" %y[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
    %2 = asc.add "Add_0" %0, %1 : tensor<8xbf16>
    asc.store "Store_0" %2, %s[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
    %3 = asc.exp "Exp_0" %2 : tensor<8xbf16>
    asc.store "Store_1" %3, %e[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
    ```

    After: what is stored in `%s` is what `Exp_0` starts from, and the exponential is rounded
    once, where it is stored.

    ```mlir
    %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
    %1 = asc.load "Load_1" %y[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
    %2 = asc.cast "Add_0_cast0" %0 : tensor<8xbf16> to tensor<8xf32>
    %3 = asc.cast "Add_0_cast1" %1 : tensor<8xbf16> to tensor<8xf32>
    %4 = asc.add "Add_0" %2, %3 : tensor<8xf32>
    %5 = asc.cast "Store_0_cast0" %4 : tensor<8xf32> to tensor<8xbf16>
    asc.store "Store_0" %5, %s[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
    %6 = asc.cast "Exp_0_cast0" %5 : tensor<8xbf16> to tensor<8xf32>
    %7 = asc.exp "Exp_0" %6 : tensor<8xf32>
    %8 = asc.cast "Store_1_cast0" %7 : tensor<8xf32> to tensor<8xbf16>
    asc.store "Store_1" %8, %e[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
    ```
  }];
  let options = [
    ListOption<"blacklist", "blacklist", "std::string",
               "kinds of nodes that keep their type, such as exp,div">,
    Option<"preserveSharedRounding", "preserve-shared-rounding", "bool", "true",
           "keep roundings that a store and a computation share">
  ];
  let statistics = [
    Statistic<"numLifted", "lifted-nodes", "nodes that compute in f32 now">,
    Statistic<"numRemoved", "removed-casts", "casts that were removed">,
    Statistic<"numCreated", "created-casts", "casts that were put in">
  ];
  let dependentDialects = ["::mlir::pypto::asc::AscDialect"];
}

def ConvertAscToLinalg : Pass<"convert-asc-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lower kernel graphs to linalg on tensors";
  let description = [{
    Replaces the nodes of each kernel, in the order in which they run, by `linalg`, `arith`,
    `math` and `tensor` operations that compute the same numbers: bit for bit what the dialect
    specifies for all but the transcendental functions, which are those of `math`. f16 and bf16
    are widened to f32 inside the loops and rounded once at their end. Loads and stores become
    `graph.load` and `graph.store`. Control edges are gone: the order is that of the text.
    Up-casts and broadcasts are repeated for each use, so that they can be fused.

    Casts from and to 8-bit floating types become integer arithmetic on their bits.

    Values of unsigned types become signless, tiles of i1 tiles of i8. Refused, with the module as
    it was: unsigned values and i1 tiles of nodes that operations of other dialects take.

    Before:

    ```mlir
    %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
    %1 = asc.exp "Exp_0" %0 : tensor<8xbf16>
    asc.store "Store_0" %1, %o[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
    ```

    After:

    ```mlir
    %0 = graph.load %x[0] : !graph.tensor<8xbf16> -> tensor<8xbf16>
    %1 = tensor.empty() : tensor<8xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
        ins(%0 : tensor<8xbf16>) outs(%1 : tensor<8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %3 = arith.extf %in : bf16 to f32
      %4 = math.exp %3 : f32
      %5 = arith.truncf %4 : f32 to bf16
      linalg.yield %5 : bf16
    } -> tensor<8xbf16>
    graph.store %2, %o[0] : tensor<8xbf16>, !graph.tensor<8xbf16>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ConvertKernelsToFunc : Pass<"convert-kernels-to-func", "::mlir::ModuleOp"> {
  let summary = "make kernels functions on memrefs";
  let description = [{
    Every device function with a body that loads or stores tiles becomes a `func.func` of the
    same name without results: graph tensors are memrefs (of i8 for i1), loads are `bufferization.to_tensor` of
    a subview, stores `bufferization.materialize_in_destination`. What is loaded from a parameter
    that the kernel stores to is copied first, and what is stored to a parameter more than once,
    or to one that is loaded, is computed elsewhere and copied. Offsets that are not literals are brought into the
    range where the tile lies in the tensor. Upstream passes take it from there; the function
    carries `llvm.emit_c_interface`.

    With `strided` the memrefs may have any strides, else their elements are contiguous.

    Refused, with the module as it was: a kernel that something in the module still calls, that has
    a body with other operations on graph tensors, or stores with `atomic_add`.

    Before:

    ```mlir
    graph.func incore @copy(in %x: !graph.tensor<8x4xf32>, out %o: !graph.tensor<8x4xf32>) {
      %0 = graph.load %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
      graph.store %0, %o[0, 0] : tensor<8x4xf32>, !graph.tensor<8x4xf32>
      graph.return
    }
    ```

    After:

    ```mlir
    func.func @copy(%x: memref<8x4xf32>, %o: memref<8x4xf32>) attributes {llvm.emit_c_interface} {
      %0 = bufferization.to_tensor %x restrict : memref<8x4xf32> to tensor<8x4xf32>
      bufferization.materialize_in_destination %0 in restrict writable %o
          : (tensor<8x4xf32>, memref<8x4xf32>) -> ()
      return
    }
    ```
  }];
  let options = [
    Option<"strided", "strided", "bool", "false", "let memrefs have any strides">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ExpandMemRefCopies : Pass<"expand-memref-copies", "::mlir::ModuleOp"> {
  let summary = "make copies of memrefs loops";
  let description = [{
    Replaces `memref.copy` by `linalg.copy`, which becomes loops. Otherwise a copy of a memref that
    is not contiguous becomes a call of MLIR's runtime library, which nobody may have loaded.

    Before:

    ```mlir
    memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[2]>>
    ```

    After:

    ```mlir
    linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32, strided<[2]>>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

#endif // PYPTO_TRANSFORMS_PASSES_TD
