// RUN: pypto-opt --legalize-graph-boundary --verify-graph-boundary %s | FileCheck %s

// In code that is never reached a value may be computed from itself; the launches
// that pass such values are looked at like any other.

// CHECK-LABEL: graph.func orchestration @main
// CHECK: graph.call @g

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @g(in %a: !t, in %b: !t, inout %o: !t) -> (%o) {
    %r = graph.call @k(%a, %o) : (!t, !t) -> !t
    %r2 = graph.call @k(%b, %r) : (!t, !t) -> !t
    graph.return %r2 : !t
  }
  graph.func orchestration @main(in %w: !w, inout %o: !t, in %n: index) -> (%o) {
    %c1 = arith.constant 1 : index
    %0 = scf.execute_region -> !t {
      cf.br ^bb2
    ^bb1:
      %x = arith.addi %x, %c1 : index
      %v = graph.slice %w[%x, 0] [128, 128] : !w to !t
      %u = graph.slice %u[%x, 0] [128, 128] : !t to !t
      %b1 = graph.call @g(%v, %u, %o) : (!t, !t, !t) -> !t
      cf.br ^bb1
    ^bb2:
      scf.yield %o : !t
    }
    graph.return %o : !t
  }
}
