// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What upstream passes may do with launches, allocations and reads.

// RUN: split-file %s %t
// RUN: pypto-opt %t/cse.mlir --cse | FileCheck %t/cse.mlir
// RUN: pypto-opt %t/dead.mlir --canonicalize --cse | FileCheck %t/dead.mlir
// RUN: pypto-opt %t/licm.mlir --loop-invariant-code-motion | FileCheck %t/licm.mlir
// RUN: pypto-opt %t/symbols.mlir --symbol-dce | FileCheck %t/symbols.mlir
// RUN: pypto-opt %t/symbols.mlir --canonicalize --cse | FileCheck %t/symbols.mlir --check-prefix=KEEP

//--- cse.mlir
graph.func private incore @k(inout %a: !graph.tensor<4xf32>)
graph.func private incore @r(in %a: !graph.tensor<4xf32>)
graph.func private incore @d(in %a: !graph.tensor<?xf32>, in %b: !graph.tensor<?xf32>)
graph.func private incore @s(in %a: f32, in %b: f32)
graph.func private incore @empty()

// Two allocations are two buffers, and two launches two tasks, however alike.
// CHECK-LABEL: graph.func orchestration @twice
graph.func orchestration @twice(in %n: index, in %v: f32) {
  // CHECK-COUNT-2: graph.create : !graph.tensor<4xf32>
  %0 = graph.create : !graph.tensor<4xf32>
  %1 = graph.create : !graph.tensor<4xf32>
  // CHECK-COUNT-2: graph.create(%n)
  %2 = graph.create(%n) : !graph.tensor<?xf32>
  %3 = graph.create(%n) : !graph.tensor<?xf32>
  // CHECK-COUNT-2: graph.full %v
  %4 = graph.full %v : !graph.tensor<4xf32>
  %5 = graph.full %v : !graph.tensor<4xf32>
  // CHECK-COUNT-2: graph.call @r(%0)
  graph.call @r(%0) : (!graph.tensor<4xf32>) -> ()
  graph.call @r(%0) : (!graph.tensor<4xf32>) -> ()
  // CHECK-COUNT-2: graph.call @r(input %1)
  graph.call @r(input %1) : (!graph.tensor<4xf32>) -> ()
  graph.call @r(input %1) : (!graph.tensor<4xf32>) -> ()
  // CHECK-COUNT-2: graph.call @s(scalar %v, scalar %v)
  graph.call @s(scalar %v, scalar %v) : (f32, f32) -> ()
  graph.call @s(scalar %v, scalar %v) : (f32, f32) -> ()
  // CHECK-COUNT-2: graph.submit @empty()
  %6 = graph.submit @empty() : () -> !graph.task_id
  %7 = graph.submit @empty() : () -> !graph.task_id
  // CHECK-COUNT-2: graph.task_dummy : !graph.task_id
  %8 = graph.task_dummy : !graph.task_id
  %9 = graph.task_dummy : !graph.task_id
  // CHECK-COUNT-2: graph.scope incore {
  graph.scope incore {
  }
  graph.scope incore {
  }
  // CHECK-COUNT-2: graph.scope graph "g" {
  graph.scope graph "g" {
  }
  graph.scope graph "g" {
  }
  graph.call @d(%2, %3) : (!graph.tensor<?xf32>, !graph.tensor<?xf32>) -> ()
  graph.call @k(%4) : (!graph.tensor<4xf32>) -> ()
  graph.call @k(%5) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// Pure operations merge, everywhere.
// CHECK-LABEL: graph.func orchestration @pure
graph.func orchestration @pure(in %w: !graph.tensor<?x4xf32>, in %n: index, in %t: !graph.task_id) {
  // CHECK-NEXT: %[[S:.*]] = graph.slice
  // CHECK-NEXT: %[[V:.*]] = graph.view %[[S]]
  // CHECK-NEXT: %[[C:.*]] = graph.cast %w
  // CHECK-NEXT: %[[D:.*]] = graph.dim %w
  // CHECK-NEXT: %[[A:.*]] = graph.array.create
  // CHECK-NEXT: %[[I:.*]] = graph.array.insert %t, %[[A]]
  // CHECK-NEXT: %[[E:.*]] = graph.array.extract %[[I]]
  // CHECK-NEXT: graph.call @use(%[[V]], %[[C]], %[[D]], %[[E]])
  // CHECK-NEXT: graph.call @use(%[[V]], %[[C]], %[[D]], %[[E]])
  // CHECK-NEXT: graph.return
  %0 = graph.slice %w[%n, 0] [4, 4] : !graph.tensor<?x4xf32> to !graph.tensor<4x4xf32>
  %1 = graph.view %0 [16] : !graph.tensor<4x4xf32> to !graph.tensor<16xf32>
  %2 = graph.cast %w : !graph.tensor<?x4xf32> to !graph.tensor<4x4xf32>
  %3 = graph.dim %w, %n : !graph.tensor<?x4xf32>
  %4 = graph.array.create : !graph.array<4 x !graph.task_id>
  %5 = graph.array.insert %t, %4[%n] : !graph.array<4 x !graph.task_id>
  %6 = graph.array.extract %5[0] : !graph.array<4 x !graph.task_id>
  graph.call @use(%1, %2, %3, %6) : (!graph.tensor<16xf32>, !graph.tensor<4x4xf32>, index, !graph.task_id) -> ()
  %7 = graph.slice %w[%n, 0] [4, 4] : !graph.tensor<?x4xf32> to !graph.tensor<4x4xf32>
  %8 = graph.view %7 [16] : !graph.tensor<4x4xf32> to !graph.tensor<16xf32>
  %9 = graph.cast %w : !graph.tensor<?x4xf32> to !graph.tensor<4x4xf32>
  %10 = graph.dim %w, %n : !graph.tensor<?x4xf32>
  %11 = graph.array.create : !graph.array<4 x !graph.task_id>
  %12 = graph.array.insert %t, %11[%n] : !graph.array<4 x !graph.task_id>
  %13 = graph.array.extract %12[0] : !graph.array<4 x !graph.task_id>
  graph.call @use(%8, %9, %10, %13) : (!graph.tensor<16xf32>, !graph.tensor<4x4xf32>, index, !graph.task_id) -> ()
  graph.return
}
graph.func private incore @use(in %a: !graph.tensor<16xf32>, in %b: !graph.tensor<4x4xf32>, in %n: index, in %t: !graph.task_id)

// Reads merge as long as nothing between may write.
// CHECK-LABEL: graph.func orchestration @reads
graph.func orchestration @reads(in %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>, in %c: i1, in %n: index) {
  // CHECK-NEXT: %[[R0:.*]] = graph.read %a[0]
  // CHECK-NEXT: graph.call @s(%[[R0]], %[[R0]])
  %0 = graph.read %a[0] : !graph.tensor<4xf32>
  %1 = graph.read %a[0] : !graph.tensor<4xf32>
  graph.call @s(%0, %1) : (f32, f32) -> ()
  // CHECK-NEXT: %[[R1:.*]] = graph.read %a[0]
  // CHECK-NEXT: graph.call @k(%b)
  %2 = graph.read %a[0] : !graph.tensor<4xf32>
  graph.call @k(%b) : (!graph.tensor<4xf32>) -> ()
  // CHECK-NEXT: %[[R2:.*]] = graph.read %a[0]
  // CHECK-NEXT: graph.call @s(%[[R1]], %[[R2]])
  %3 = graph.read %a[0] : !graph.tensor<4xf32>
  graph.call @s(%2, %3) : (f32, f32) -> ()
  // A submit, and one below a loop, a branch or a scope.
  // CHECK-NEXT: %[[R3:.*]] = graph.read %a[0]
  %4 = graph.read %a[0] : !graph.tensor<4xf32>
  // CHECK-NEXT: graph.submit @k(inout %b)
  %t = graph.submit @k(inout %b) : (!graph.tensor<4xf32>) -> !graph.task_id
  // CHECK-NEXT: %[[R4:.*]] = graph.read %a[0]
  // CHECK-NEXT: graph.call @s(%[[R3]], %[[R4]])
  %5 = graph.read %a[0] : !graph.tensor<4xf32>
  graph.call @s(%4, %5) : (f32, f32) -> ()
  // CHECK: %[[R5:.*]] = graph.read %a[0]
  %6 = graph.read %a[0] : !graph.tensor<4xf32>
  // CHECK: scf.if
  scf.if %c {
    graph.scope manual {
      graph.call @k(%b) : (!graph.tensor<4xf32>) -> ()
    }
  }
  // CHECK: %[[R6:.*]] = graph.read %a[0]
  // CHECK-NEXT: graph.call @s(%[[R5]], %[[R6]])
  %7 = graph.read %a[0] : !graph.tensor<4xf32>
  graph.call @s(%6, %7) : (f32, f32) -> ()
  // A scope that becomes a launch.
  // CHECK-NEXT: %[[R7:.*]] = graph.read %a[0]
  %8 = graph.read %a[0] : !graph.tensor<4xf32>
  // CHECK-NEXT: graph.scope incore
  graph.scope incore {
    %x = graph.load %a[0] : !graph.tensor<4xf32> -> tensor<4xf32>
    graph.store %x, %b[0] : tensor<4xf32>, !graph.tensor<4xf32>
  }
  // CHECK: %[[R8:.*]] = graph.read %a[0]
  // CHECK-NEXT: graph.call @s(%[[R7]], %[[R8]])
  %9 = graph.read %a[0] : !graph.tensor<4xf32>
  graph.call @s(%8, %9) : (f32, f32) -> ()
  graph.return
}

// Loads merge unless a store is between, of whatever tensor.
// CHECK-LABEL: graph.func incore @loads
graph.func incore @loads(in %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>) {
  // CHECK-NEXT: %[[L0:.*]] = graph.load %a[0]
  // CHECK-NEXT: arith.addf %[[L0]], %[[L0]]
  %0 = graph.load %a[0] : !graph.tensor<4xf32> -> tensor<4xf32>
  %1 = graph.load %a[0] : !graph.tensor<4xf32> -> tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  // CHECK-COUNT-2: graph.store
  graph.store %2, %b[0] : tensor<4xf32>, !graph.tensor<4xf32>
  graph.store %2, %b[0] : tensor<4xf32>, !graph.tensor<4xf32>
  // CHECK-NEXT: graph.load %a[0]
  %3 = graph.load %a[0] : !graph.tensor<4xf32> -> tensor<4xf32>
  // CHECK-COUNT-2: graph.store %{{.*}}, %b[0] {atomic_add}
  graph.store %3, %b[0] {atomic_add} : tensor<4xf32>, !graph.tensor<4xf32>
  graph.store %3, %b[0] {atomic_add} : tensor<4xf32>, !graph.tensor<4xf32>
  graph.return
}

//--- dead.mlir
graph.func private incore @k(in %a: !graph.tensor<4xf32>) -> (i32)
graph.func private incore @s(in %a: f32)
graph.func private incore @empty()

// What nobody waits for still runs; what only looks is not missed.
// CHECK-LABEL: graph.func orchestration @dead
graph.func orchestration @dead(in %a: !graph.tensor<4xf32>, in %v: f32, in %n: index, in %t: !graph.task_id) {
  // CHECK-NOT: graph.read
  %0 = graph.read %a[0] : !graph.tensor<4xf32>
  %1 = graph.read %a[%n] : !graph.tensor<4xf32>
  // CHECK: graph.call @k(%a)
  %2 = graph.call @k(%a) : (!graph.tensor<4xf32>) -> i32
  // CHECK-NEXT: graph.call @k(input %a)
  %3 = graph.call @k(input %a) : (!graph.tensor<4xf32>) -> i32
  // CHECK-NEXT: graph.call @s(scalar %v)
  graph.call @s(scalar %v) : (f32) -> ()
  // CHECK-NEXT: graph.call @empty()
  graph.call @empty() : () -> ()
  // CHECK-NEXT: graph.submit @k(input %a)
  %4, %5 = graph.submit @k(input %a) : (!graph.tensor<4xf32>) -> (i32, !graph.task_id)
  // CHECK-NEXT: graph.task_dummy deps(%t : !graph.task_id)
  %6 = graph.task_dummy deps(%t : !graph.task_id) : !graph.task_id
  // CHECK-NEXT: graph.scope incore {
  // CHECK-NEXT: }
  graph.scope incore {
    %7 = graph.load %a[0] : !graph.tensor<4xf32> -> tensor<4xf32>
  }
  // CHECK-NEXT: graph.scope cluster -> (!graph.task_id) {
  // CHECK-NEXT: }
  %8 = graph.scope cluster -> (!graph.task_id) {
  }
  // CHECK-NEXT: graph.scope spmd core_num(%n) {
  // CHECK-NEXT: }
  graph.scope spmd core_num(%n) {
  }
  // CHECK-NEXT: graph.scope graph "recorded" {
  // CHECK-NEXT: }
  graph.scope graph "recorded" {
  }
  // A scope that says how to track nothing is nothing.
  // CHECK-NOT: graph.scope
  graph.scope manual {
  }
  graph.scope auto {
    %9 = graph.read %a[0] : !graph.tensor<4xf32>
  }
  // CHECK: graph.scope manual
  // CHECK-NEXT: graph.call @empty()
  graph.scope manual {
    graph.call @empty() : () -> ()
  }
  // CHECK: scf.for
  // CHECK-NEXT: graph.call @empty()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    graph.call @empty() : () -> ()
  }
  // CHECK-NOT: scf.for
  scf.for %i = %c0 to %n step %c1 {
    %10 = graph.read %a[%i] : !graph.tensor<4xf32>
  }
  // CHECK: graph.return
  graph.return
}

// CHECK-LABEL: graph.func incore @kernel
graph.func incore @kernel(in %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>) {
  // CHECK-NEXT: graph.load %a[0]
  // CHECK-NEXT: graph.store
  // CHECK-NEXT: graph.return
  %0 = graph.load %a[0] : !graph.tensor<4xf32> -> tensor<4xf32>
  %1 = graph.load %b[0] : !graph.tensor<4xf32> -> tensor<4xf32>
  graph.store %0, %b[0] : tensor<4xf32>, !graph.tensor<4xf32>
  graph.return
}

//--- licm.mlir
graph.func private incore @k(inout %a: !graph.tensor<4xf32>, in %v: f32)

// CHECK-LABEL: graph.func orchestration @licm
graph.func orchestration @licm(in %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<8xf32>, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // What is pure leaves the loop; reads, allocations and launches stay.
  // CHECK: graph.slice
  // CHECK: graph.dim
  // CHECK: scf.for
  // CHECK-NEXT: graph.create
  // CHECK-NEXT: graph.full
  // CHECK-NEXT: graph.read
  // CHECK-NEXT: graph.call
  // CHECK-NEXT: graph.task_dummy
  // CHECK-NEXT: graph.scope incore
  // CHECK: graph.call
  scf.for %i = %c0 to %n step %c1 {
    %0 = graph.slice %b[%n] [4] : !graph.tensor<8xf32> to !graph.tensor<4xf32>
    %1 = graph.create : !graph.tensor<4xf32>
    %v = arith.constant 0.0 : f32
    %2 = graph.full %v : !graph.tensor<4xf32>
    %3 = graph.read %a[0] : !graph.tensor<4xf32>
    graph.call @k(inout %0, scalar %3) : (!graph.tensor<4xf32>, f32) -> ()
    %4 = graph.task_dummy : !graph.task_id
    graph.scope incore {
    }
    %5 = graph.dim %a, %n : !graph.tensor<4xf32>
    graph.call @use(%1, %2, %5) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> ()
  }
  graph.return
}
graph.func private incore @use(in %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>, in %n: index)

//--- symbols.mlir
// Launches are uses of symbols.
// CHECK: graph.func private incore @called()
// CHECK-NEXT: graph.func private incore @submitted()
// CHECK-NEXT: graph.func private graph @recorded() {
// CHECK: graph.func private incore @indirect()
// CHECK-NOT: @unused
// CHECK: graph.func incore @public
// CHECK-NOT: @chain
// CHECK-NOT: @end_of_chain
// CHECK: graph.func orchestration @main
// KEEP: @called
// KEEP: @submitted
// KEEP: @recorded
// KEEP: @indirect
// KEEP: @unused
// KEEP: @public
// KEEP: @chain
// KEEP: @end_of_chain
// KEEP: @main
graph.func private incore @called()
graph.func private incore @submitted()
graph.func private graph @recorded() {
  graph.call @indirect() : () -> ()
  graph.return
}
graph.func private incore @indirect()
graph.func private incore @unused()
graph.func incore @public() {
  graph.return
}
graph.func private orchestration @chain() {
  graph.call @end_of_chain() : () -> ()
  graph.return
}
graph.func private incore @end_of_chain()
graph.func orchestration @main(in %c: i1) {
  scf.if %c {
    graph.call @called() : () -> ()
  }
  graph.scope manual {
    %t = graph.submit @submitted() : () -> !graph.task_id
  }
  graph.call @recorded() : () -> ()
  graph.return
}
