// RUN: pypto-opt %s --legalize-graph-boundary --remark-format=emitRemark \
// RUN:   --remarks-filter=graph-boundary -o /dev/null 2>&1 | FileCheck %s
// RUN: pypto-opt %s --legalize-graph-boundary --remark-format=emitRemark \
// RUN:   --remarks-filter=something-else -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: pypto-opt %s --legalize-graph-boundary --mlir-pass-statistics \
// RUN:   --mlir-pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAT

// Each value that was hoisted or kept is named with the reason.

// NONE-NOT: remark

// STAT-DAG: (S) 1 folded-aliases
// STAT-DAG: (S) 1 hoisted-allocations
// STAT-DAG: (S) 1 hoisted-scalars
// STAT-DAG: (S) 1 hoisted-views
// STAT-DAG: (S) 1 kept-allocations
// STAT-DAG: (S) 1 kept-scalars
// STAT-DAG: (S) 1 kept-views

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func graph @layer(in %w: !w, in %x: !w, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // CHECK-DAG: remarks.mlir:[[@LINE+1]]:12: remark: [Passed] HoistedAllocation | Category:graph-boundary | Function=layer | Reason="{{.+}}"
    %tmp = graph.create : !t
    // CHECK-DAG: remarks.mlir:[[@LINE+1]]:13: remark: [Passed] HoistedScalar | Category:graph-boundary | Function=layer | Reason="{{.+}}"
    %base = arith.addi %li, %li : index
    %al = graph.alias %base : index
    // CHECK-DAG: remarks.mlir:[[@LINE+1]]:11: remark: [Passed] HoistedView | Category:graph-boundary | Function=layer | Reason="{{.+}}"
    %wl = graph.slice %w[%base, 0] [128, 128] : !w to !t
    %r0 = graph.call @k(%wl, %tmp, %al) : (!t, !t, index) -> !t
    scf.for %j = %c0 to %c4 step %c1 {
      // CHECK-DAG: remarks.mlir:[[@LINE+1]]:14: remark: [Analysis] KeptAllocation | Category:graph-boundary | Function=layer | Reason="{{.+}}"
      %own = graph.create : !t
      %twice = arith.addi %j, %j : index
      // CHECK-DAG: remarks.mlir:[[@LINE+1]]:13: remark: [Analysis] KeptView | Category:graph-boundary | Function=layer | Reason="{{.+}}"
      %xj = graph.slice %x[%j, 0] [128, 128] : !w to !t
      // CHECK-DAG: remarks.mlir:[[@LINE+1]]:13: remark: [Analysis] KeptScalar | Category:graph-boundary | Function=layer | {{.*}}Reason="{{.+}}"
      %r1 = graph.call @k(%xj, %own, %twice) : (!t, !t, index) -> !t
    }
    graph.return
  }
}
