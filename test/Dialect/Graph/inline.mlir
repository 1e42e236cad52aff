// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stock inliner inlines calls of functions of kind `inline`, and only those.

// RUN: pypto-opt %s --pass-pipeline='builtin.module(inline{default-pipeline=})' --split-input-file | FileCheck %s

// Several results: tied, computed, swapped.
graph.func inline @helper(inout %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>, in %n: index)
    -> (%b, index, %a, %n) {
  graph.call @k(%a) : (!graph.tensor<4xf32>) -> ()
  %0 = arith.addi %n, %n : index
  graph.return %b, %0, %a, %n : !graph.tensor<4xf32>, index, !graph.tensor<4xf32>, index
}
graph.func private incore @k(inout %a: !graph.tensor<4xf32>)
graph.func private incore @use(in %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>, in %n: index, in %m: index)

// CHECK-LABEL: graph.func orchestration @results
// CHECK-NEXT: graph.call @k(%x)
// CHECK-NEXT: %[[N:.*]] = arith.addi %n, %n
// CHECK-NEXT: graph.call @use(%y, %x, %[[N]], %n)
// CHECK-NEXT: graph.return
graph.func orchestration @results(inout %x: !graph.tensor<4xf32>, inout %y: !graph.tensor<4xf32>, in %n: index) {
  %0:4 = graph.call @helper(%x, %y, %n)
      : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> (!graph.tensor<4xf32>, index, !graph.tensor<4xf32>, index)
  graph.call @use(%0#0, %0#2, %0#1, %0#3)
      : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index, index) -> ()
  graph.return
}

// With directions, in loops, branches and scopes.
// CHECK-LABEL: graph.func orchestration @places
graph.func orchestration @places(inout %x: !graph.tensor<4xf32>, inout %y: !graph.tensor<4xf32>, in %n: index, in %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NEXT: graph.call @k(%x)
  scf.for %i = %c0 to %n step %c1 {
    %0:4 = graph.call @helper(inout %x, inout %y, scalar %i)
        : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> (!graph.tensor<4xf32>, index, !graph.tensor<4xf32>, index)
  }
  // CHECK: %[[R:.*]] = scf.if
  // CHECK-NEXT: graph.call @k(%y)
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: scf.yield %y
  // CHECK: graph.scope manual
  // CHECK-NEXT: graph.scope graph "g"
  // CHECK-NEXT: graph.call @k(%x)
  %1 = scf.if %c -> (!graph.tensor<4xf32>) {
    %0:4 = graph.call @helper(%y, %x, %n)
        : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> (!graph.tensor<4xf32>, index, !graph.tensor<4xf32>, index)
    scf.yield %0#2 : !graph.tensor<4xf32>
  } else {
    %3 = graph.scope manual -> (!graph.tensor<4xf32>) {
      %4 = graph.scope graph "g" -> (!graph.tensor<4xf32>) {
        %0:4 = graph.call @helper(%x, %y, %n)
            : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> (!graph.tensor<4xf32>, index, !graph.tensor<4xf32>, index)
        graph.yield %0#0 : !graph.tensor<4xf32>
      }
      graph.yield %4 : !graph.tensor<4xf32>
    }
    scf.yield %3 : !graph.tensor<4xf32>
  }
  graph.return
}

// -----

// Extents known on one side only become casts, of arguments and results.
graph.func private inline @dynamic(inout %a: !graph.tensor<?x4xf32>, inout %b: !graph.tensor<8x4xf32>)
    -> (%a, %b) {
  graph.call @k(%a) : (!graph.tensor<?x4xf32>) -> ()
  graph.call @k(%b) : (!graph.tensor<8x4xf32>) -> ()
  graph.return %a, %b : !graph.tensor<?x4xf32>, !graph.tensor<8x4xf32>
}
graph.func private incore @k(inout %a: !graph.tensor<?x?xf32>)

// CHECK-NOT: @dynamic
// CHECK-LABEL: graph.func orchestration @casts
// CHECK-NEXT: %[[A:.*]] = graph.cast %x : !graph.tensor<8x4xf32> to !graph.tensor<?x4xf32>
// CHECK-NEXT: %[[B:.*]] = graph.cast %y : !graph.tensor<8x?xf32> to !graph.tensor<8x4xf32>
// CHECK-NEXT: graph.call @k(%[[A]])
// CHECK-NEXT: graph.call @k(%[[B]])
// CHECK-NEXT: %[[C:.*]] = graph.cast %[[A]] : !graph.tensor<?x4xf32> to !graph.tensor<8x4xf32>
// CHECK-NEXT: %[[D:.*]] = graph.cast %[[B]] : !graph.tensor<8x4xf32> to !graph.tensor<8x?xf32>
// CHECK-NEXT: graph.call @k(%[[C]])
// CHECK-NEXT: graph.call @k(%[[D]])
// A tie to the parameter survives the casts.
// CHECK-NEXT: graph.return %[[C]]
graph.func orchestration @casts(inout %x: !graph.tensor<8x4xf32>, inout %y: !graph.tensor<8x?xf32>) -> (%x) {
  %0:2 = graph.call @dynamic(%x, %y)
      : (!graph.tensor<8x4xf32>, !graph.tensor<8x?xf32>) -> (!graph.tensor<8x4xf32>, !graph.tensor<8x?xf32>)
  graph.call @k(%0#0) : (!graph.tensor<8x4xf32>) -> ()
  graph.call @k(%0#1) : (!graph.tensor<8x?xf32>) -> ()
  graph.return %0#0 : !graph.tensor<8x4xf32>
}

// -----

// Calls in what was inlined, in whatever order the functions stand.
graph.func private incore @k()
graph.func private inline @a() {
  graph.call @b() : () -> ()
  graph.call @b() : () -> ()
  graph.return
}
// CHECK-NOT: @a
// CHECK-NOT: @b
// CHECK-LABEL: graph.func orchestration @nested
// CHECK-COUNT-4: graph.call @k()
// CHECK-NEXT: graph.return
graph.func orchestration @nested() {
  graph.call @a() : () -> ()
  graph.return
}
graph.func private inline @b() {
  graph.call @c() : () -> ()
  graph.call @c() : () -> ()
  graph.return
}
graph.func private inline @c() {
  graph.call @k() : () -> ()
  graph.return
}

// -----

// Functions that call each other end.
// CHECK-LABEL: graph.func inline @ping
graph.func inline @ping() {
  graph.call @pong() : () -> ()
  graph.return
}
graph.func inline @pong() {
  graph.call @ping() : () -> ()
  graph.return
}

// -----

// No other kind is inlined, declarations cannot be, and a submit is a task.
graph.func private opaque @opaque() {
  graph.return
}
graph.func private orchestration @orchestration() {
  graph.return
}
graph.func private graph @graph() {
  graph.return
}
graph.func private incore @incore() {
  graph.return
}
graph.func private aic @aic() {
  graph.return
}
graph.func private aiv @aiv() {
  graph.return
}
graph.func private group @group() {
  graph.return
}
graph.func private spmd @spmd() {
  graph.return
}
graph.func private inline @declared()
graph.func private inline @defined() {
  graph.return
}
// CHECK-LABEL: graph.func orchestration @others
// CHECK-NEXT: graph.call @opaque()
// CHECK-NEXT: graph.call @orchestration()
// CHECK-NEXT: graph.call @graph()
// CHECK-NEXT: graph.call @incore()
// CHECK-NEXT: graph.call @aic()
// CHECK-NEXT: graph.call @aiv()
// CHECK-NEXT: graph.call @group()
// CHECK-NEXT: graph.call @spmd()
// CHECK-NEXT: graph.call @declared()
// CHECK-NEXT: graph.submit @defined()
// CHECK-NEXT: graph.return
graph.func orchestration @others() {
  graph.call @opaque() : () -> ()
  graph.call @orchestration() : () -> ()
  graph.call @graph() : () -> ()
  graph.call @incore() : () -> ()
  graph.call @aic() : () -> ()
  graph.call @aiv() : () -> ()
  graph.call @group() : () -> ()
  graph.call @spmd() : () -> ()
  graph.call @declared() : () -> ()
  %t = graph.submit @defined() : () -> !graph.task_id
  graph.return
}
