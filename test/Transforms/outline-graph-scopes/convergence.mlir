// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t && split-file %s %t
// RUN: pypto-opt %t/scopes.mlir -outline-graph-scopes > %t/a
// RUN: pypto-opt %t/functions.mlir -outline-graph-scopes > %t/b
// RUN: diff %t/a %t/b
// RUN: FileCheck %t/scopes.mlir --input-file=%t/a

// OG02: a scope ends as the function one would have written. OG04: level and role
// follow from the kind. OG05, OG06: the kind of the function around stays. OG30: a
// module without graph scopes stays as it is. OG07: what is within the scope does
// too, and the next pass keeps the kind of the new function.
// RUN: pypto-opt %t/a -outline-incore-scopes | FileCheck %s --check-prefix=NEXT
// NEXT:     graph.func incore @layer_incore_0(
// NEXT:     graph.func graph @layer(
// NEXT-NOT: graph.scope

// Once more changes nothing.
// RUN: pypto-opt %t/a -outline-graph-scopes | diff %t/a -
// RUN: pypto-opt %t/scopes.mlir -outline-graph-scopes -outline-incore-scopes > %t/c
// RUN: pypto-opt %t/c -outline-graph-scopes -outline-incore-scopes | diff %t/c -

//--- scopes.mlir
!t = !graph.tensor<16x128xf32>
graph.func private incore @add(in %a: !t, in %b: !t) -> (!t)
// CHECK: graph.func graph @layer(in %x: !graph.tensor<16x128xf32>) -> (!graph.tensor<16x128xf32>) {
// CHECK-NEXT: graph.scope incore -> (
// CHECK: graph.func opaque @main(
graph.func opaque @main(in %x: !t) {
  %r = graph.scope graph "layer" -> (!t) {
    %d = graph.scope incore -> (!t) {
      %y = graph.call @add(%x, %x) : (!t, !t) -> !t
      graph.yield %y : !t
    }
    graph.yield %d : !t
  }
  graph.call @add(%r, %r) : (!t, !t) -> !t
  graph.return
}
// CHECK: graph.func graph @second(
// CHECK: graph.func orchestration @other(
graph.func orchestration @other(inout %x: !t) {
  graph.scope graph "second" {
    graph.call @add(%x, %x) : (!t, !t) -> !t
  }
  graph.return
}

//--- functions.mlir
!t = !graph.tensor<16x128xf32>
graph.func private incore @add(in %a: !t, in %b: !t) -> (!t)
graph.func graph @layer(in %x: !t) -> (!t) {
  %d = graph.scope incore -> (!t) {
    %y = graph.call @add(%x, %x) : (!t, !t) -> !t
    graph.yield %y : !t
  }
  graph.return %d : !t
}
graph.func opaque @main(in %x: !t) {
  %r = graph.call @layer(%x) : (!t) -> !t
  graph.call @add(%r, %r) : (!t, !t) -> !t
  graph.return
}
graph.func graph @second(in %x: !t) {
  graph.call @add(%x, %x) : (!t, !t) -> !t
  graph.return
}
graph.func orchestration @other(inout %x: !t) {
  graph.call @second(%x) : (!t) -> ()
  graph.return
}
