//===- Passes.td - Passes on the graph dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_PASSES_TD
#define PYPTO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

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
      `graph.slots` numbers the slots so that each binds to its own base.
    - **Allocations** at the top level of the body are made at the launch.
    - **Renames** (`graph.alias`) are folded away.

    New parameters are appended: allocations `alloc0…` (`inout`), windows `view0…`
    (direction of their root), scalars `scalar0…` (`in`). Existing positions never
    move.

    Refused, with all violations of the module in one run and each with a code of
    `docs/diagnostics.md`: everything that would replay wrongly or never be replayed.
    The module is then exactly as it was.

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
    Statistic<"numFoldedAliases", "folded-aliases", "renames folded away">
  ];
  let dependentDialects = ["::mlir::pypto::graph::GraphDialect"];
}

#endif // PYPTO_TRANSFORMS_PASSES_TD
