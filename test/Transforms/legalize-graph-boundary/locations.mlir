// RUN: pypto-opt %s --legalize-graph-boundary --mlir-print-debuginfo | FileCheck %s

// What a launch passes says where it comes from and which launch it is for. What
// that is computed from is located where the argument is. A parameter that is
// new says where its value stood.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)

  // CHECK-DAG: #[[ALLOC:.*]] = loc("alloc")
  // CHECK-DAG: #[[WINDOW:.*]] = loc("window")
  // CHECK-DAG: #[[BASE:.*]] = loc("base")
  // CHECK-LABEL: graph.func graph @layer(
  // CHECK-SAME: inout %alloc0: !graph.tensor<128x128xf32> loc({{("alloc")|(#[a-z0-9]+)}})
  // CHECK-SAME: in %view0: !graph.tensor<128x128xf32> loc({{("window")|(#[a-z0-9]+)}})
  // CHECK-SAME: in %scalar0: index loc({{("base")|(#[a-z0-9]+)}})
  graph.func graph @layer(in %w: !w, inout %c: !t, in %li: index) {
    %tmp = graph.create : !t loc("alloc")
    %base = arith.addi %li, %li : index loc("base")
    %c2 = arith.constant 2 : index loc("two")
    %offset = arith.muli %base, %c2 : index loc("offset")
    %wl = graph.slice %w[%offset, 0] [128, 128] : !w to !t loc("window")
    %r0 = graph.call @k(%wl, %tmp, %base) : (!t, !t, index) -> !t
    graph.return
  }

  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK: arith.addi {{.*}} loc(#[[BASE1:.*]])
  // CHECK-NEXT: arith.constant 2 {{.*}} loc(#[[WINDOW1:.*]])
  // CHECK-NEXT: arith.muli {{.*}} loc(#[[WINDOW1]])
  // CHECK-NEXT: graph.create {{.*}} loc(#[[ALLOC1:.*]])
  // CHECK-NEXT: graph.slice {{.*}} loc(#[[WINDOW1]])
  // CHECK-NEXT: graph.call @layer({{.*}} loc(#[[FIRST:.*]])
  // CHECK: arith.addi {{.*}} loc(#[[BASE2:.*]])
  // CHECK: graph.call @layer({{.*}} loc(#[[SECOND:.*]])
  graph.func orchestration @main(in %w: !w, inout %c: !t, in %n: index) {
    graph.call @layer(%w, %c, %n) : (!w, !t, index) -> () loc("first")
    graph.call @layer(%w, %c, %n) : (!w, !t, index) -> () loc("second")
    graph.return
  }
}
// CHECK-DAG: #[[FIRST]] = loc("first")
// CHECK-DAG: #[[SECOND]] = loc("second")
// CHECK-DAG: #[[BASE1]] = loc(callsite(#[[BASE]] at #[[FIRST]]))
// CHECK-DAG: #[[ALLOC1]] = loc(callsite(#[[ALLOC]] at #[[FIRST]]))
// CHECK-DAG: #[[WINDOW1]] = loc(callsite(#[[WINDOW]] at #[[FIRST]]))
// CHECK-DAG: #[[BASE2]] = loc(callsite(#[[BASE]] at #[[SECOND]]))
