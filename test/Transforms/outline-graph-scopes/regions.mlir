// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -outline-graph-scopes -verify-graph-outlined | FileCheck %s

// Regions of several blocks in any order, and modules within scopes.

!t = !graph.tensor<16x128xf32>

graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)

// A scope in front, in the text, of what it reads; and its result, which is read
// in front of it.
// CHECK-LABEL: graph.func graph @second(inout %arg0: {{[^,]*}}) {
// CHECK-NEXT:    graph.call @k(%arg0, %arg0)
// CHECK:       graph.func graph @first(in %arg0: index, in %n: index, inout %arg1: {{[^,]*}}) -> (%arg1) {
// CHECK-NEXT:    arith.addi %arg0, %n
// CHECK-NEXT:    scf.execute_region {
// CHECK-NEXT:      cf.br ^bb2
// CHECK:           graph.call @k(%[[U:.*]], %[[U]])
// CHECK:           %[[U]] = graph.alias %arg1
// CHECK-LABEL: graph.func orchestration @blocks(
// CHECK:         graph.call @second(%[[R:[0-9]+]])
// CHECK:         %[[R]] = graph.call @first(%[[M:.*]], %n, %[[W:.*]]) :
// CHECK:         %[[M]] = arith.muli %n, %n
// CHECK-NEXT:    %[[W]] = graph.slice %o[%[[M]], 0]
graph.func orchestration @blocks(inout %o: !t, in %n: index) {
  scf.execute_region {
    cf.br ^b2
  ^b0:
    graph.scope graph "second" {
      graph.call @k(%r, %r) : (!t, !t) -> !t
    }
    scf.yield
  ^b1:
    %r = graph.scope graph "first" -> (!t) {
      %z = arith.addi %m, %n : index
      scf.execute_region {
        cf.br ^x2
      ^x1:
        graph.call @k(%u, %u) : (!t, !t) -> !t
        scf.yield
      ^x2:
        %u = graph.alias %w : !t
        cf.br ^x1
      }
      graph.yield %w : !t
    }
    cf.br ^b0
  ^b2:
    %m = arith.muli %n, %n : index
    %w = graph.slice %o[%m, 0] [16, 128] : !t to !t
    cf.br ^b1
  }
  graph.return
}

// CHECK-LABEL: graph.func graph @holds(inout %o: {{[^,]*}}) {
// CHECK-NEXT:    builtin.module {
// CHECK:           graph.func graph @holds(inout %q: {{[^,]*}}) {
// CHECK-NEXT:        graph.call @kk(%q)
// CHECK:           graph.func orchestration @in(inout %q: {{[^,]*}}) {
// CHECK-NEXT:        graph.call @holds(%q)
// CHECK:         graph.call @k(%o, %o)
// CHECK-LABEL: graph.func orchestration @module_in_scope(
// CHECK-NEXT:    graph.call @holds(%o)
graph.func orchestration @module_in_scope(inout %o: !t) {
  graph.scope graph "holds" {
    builtin.module {
      graph.func private incore @kk(inout %o: !t) -> (%o)
      graph.func orchestration @in(inout %q: !t) {
        graph.scope graph "holds" {
          graph.call @kk(%q) : (!t) -> !t
        }
        graph.return
      }
    }
    graph.call @k(%o, %o) : (!t, !t) -> !t
  }
  graph.return
}
