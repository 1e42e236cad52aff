// RUN: not pypto-replay %s --args=w=0 --dump-definition | FileCheck %s

// A scalar is a boundary slot exactly when it is read from one: a name, a copy,
// a carried or selected value and anything computed is the first call's value
// for ever. A result tied to a scalar is the operand itself, and an inlined
// function's parameter is what is passed for it.

// CHECK: first difference: %w[0]
// CHECK: task 8, 'k' at {{.*}}scalars.mlir:[[@LINE+32]]:5, got scalar argument #1 (%s) wrong
// CHECK-NEXT: eager:    1
// CHECK-NEXT: replayed: 0
// CHECK: node 1 takes it from static(0)
// CHECK-NEXT: rule: a scalar that is not read from a boundary slot keeps the value of the first call

// The slot itself.
// CHECK: "node":0,{{.*}}"scalars":[{"kind":"boundary","boundary":0}]
// A name; a sum; a carried value; a selected one.
// CHECK-NEXT: "node":1,{{.*}}"scalars":[{"kind":"static","value":"0"}]
// CHECK-NEXT: "node":2,{{.*}}"scalars":[{"kind":"static","value":"1"}]
// CHECK-NEXT: "node":3,{{.*}}"scalars":[{"kind":"static","value":"0"}]
// CHECK-NEXT: "node":4,{{.*}}"scalars":[{"kind":"static","value":"0"}]
// What a tied result is.
// CHECK-NEXT: "node":5,{{.*}}"kernel":"pass"
// CHECK-SAME: "scalars":[{"kind":"boundary","boundary":0},{"kind":"boundary","boundary":1}]
// Within an inlined function.
// CHECK-NEXT: "node":6,{{.*}}"scalars":[{"kind":"boundary","boundary":0}]

graph.func private incore @k(inout %w: !graph.tensor<4xf32>, in %s: index)
graph.func private incore @pass(inout %w: !graph.tensor<4xf32>, in %s: index, in %f: f32) -> (%s)
graph.func inline @inl(inout %w: !graph.tensor<4xf32>, in %s: index) {
  graph.call @k(%w, %s) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

graph.func graph @g(inout %w: !graph.tensor<4xf32>, in %s: index, in %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  graph.call @k(%w, %s) : (!graph.tensor<4xf32>, index) -> ()
  %name = graph.alias %s : index
    graph.call @k(%w, %name) : (!graph.tensor<4xf32>, index) -> ()
  %sum = arith.addi %s, %c1 : index
  graph.call @k(%w, %sum) : (!graph.tensor<4xf32>, index) -> ()
  %carried = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %s) -> (index) {
    scf.yield %x : index
  }
  graph.call @k(%w, %carried) : (!graph.tensor<4xf32>, index) -> ()
  %selected = arith.select %true, %s, %c0 : index
  graph.call @k(%w, %selected) : (!graph.tensor<4xf32>, index) -> ()
  %tied = graph.call @pass(%w, %s, %f) : (!graph.tensor<4xf32>, index, f32) -> index
  graph.call @inl(%w, %tied) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

graph.func orchestration @main(inout %w: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 1.5 : f32
  scf.for %i = %c0 to %c2 step %c1 {
    graph.call @g(%w, %i, %f) : (!graph.tensor<4xf32>, index, f32) -> ()
  }
  graph.return
}
