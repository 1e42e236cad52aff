// RUN: split-file %s %t
// RUN: pypto-replay %t/routed.mlir --args=counts=0,o=0 | FileCheck %t/routed.mlir
// RUN: not pypto-replay %t/index.mlir --args=counts=%S/Inputs/counts.npy,o=0 | FileCheck %t/index.mlir
// RUN: not pypto-replay %t/rhs.mlir --args=counts=1,o=0 | FileCheck %t/rhs.mlir

// Predicates are evaluated when a task would run, on every replay; the gate is
// bound like an operand, index and right-hand side are recorded.

//--- routed.mlir
// The gate is written between the launches, also within one.
// CHECK: call 0: agrees (10 tasks, 2 replays)
graph.func incore @add(inout %o: !graph.tensor<1xi32>) {
  %c = arith.constant dense<1> : tensor<1xi32>
  %x = graph.load %o[0] : !graph.tensor<1xi32> -> tensor<1xi32>
  %y = arith.addi %x, %c : tensor<1xi32>
  graph.store %y, %o[0] : tensor<1xi32>, !graph.tensor<1xi32>
  graph.return
}
graph.func graph @g(inout %counts: !graph.tensor<4xi32>, inout %o: !graph.tensor<1xi32>) {
  %one = arith.constant 1 : i32
  %c1 = graph.slice %counts[1] [1] : !graph.tensor<4xi32> to !graph.tensor<1xi32>
  %t = graph.submit @add(%o) predicate(%counts[0] gt %one : !graph.tensor<4xi32>) : (!graph.tensor<1xi32>) -> (!graph.task_id)
  %u = graph.submit @add(%c1) predicate(%counts[0] le %one : !graph.tensor<4xi32>) : (!graph.tensor<1xi32>) -> (!graph.task_id)
  graph.return
}
graph.func orchestration @main(inout %counts: !graph.tensor<4xi32>, inout %o: !graph.tensor<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %first = graph.slice %counts[0] [1] : !graph.tensor<4xi32> to !graph.tensor<1xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    graph.call @g(%counts, %o) : (!graph.tensor<4xi32>, !graph.tensor<1xi32>) -> ()
    graph.call @add(%first) : (!graph.tensor<1xi32>) -> ()
  }
  graph.call @add(%o) : (!graph.tensor<1xi32>) -> ()
  graph.return
}

//--- index.mlir
// CHECK: got the predicate wrong
// CHECK-NEXT: eager:    i32[4] at element 0 of %counts, element [1] gt 0
// CHECK-NEXT: replayed: i32[4] at element 0 of %counts, element [0] gt 0
// CHECK-NEXT: node 0 takes it from boundary_exact(0)
// CHECK-NEXT: rule: the indices and the right-hand side of a predicate are recorded
graph.func private incore @k(inout %o: !graph.tensor<4xi32>)
graph.func graph @g(in %counts: !graph.tensor<4xi32>, inout %o: !graph.tensor<4xi32>, in %i: index) {
  %zero = arith.constant 0 : i32
  %t = graph.submit @k(%o) predicate(%counts[%i] gt %zero : !graph.tensor<4xi32>) : (!graph.tensor<4xi32>) -> (!graph.task_id)
  graph.return
}
graph.func orchestration @main(in %counts: !graph.tensor<4xi32>, inout %o: !graph.tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    graph.call @g(%counts, %o, %i) : (!graph.tensor<4xi32>, !graph.tensor<4xi32>, index) -> ()
  }
  graph.return
}

//--- rhs.mlir
// CHECK: got the predicate wrong
// CHECK-NEXT: eager:    i32[4] at element 0 of %counts, element [0] gt 1
// CHECK-NEXT: replayed: i32[4] at element 0 of %counts, element [0] gt 0
graph.func private incore @k(inout %o: !graph.tensor<4xi32>)
graph.func graph @g(in %counts: !graph.tensor<4xi32>, inout %o: !graph.tensor<4xi32>, in %i: i32) {
  %t = graph.submit @k(%o) predicate(%counts[0] gt %i : !graph.tensor<4xi32>) : (!graph.tensor<4xi32>) -> (!graph.task_id)
  graph.return
}
graph.func orchestration @main(in %counts: !graph.tensor<4xi32>, inout %o: !graph.tensor<4xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  graph.call @g(%counts, %o, %c0) : (!graph.tensor<4xi32>, !graph.tensor<4xi32>, i32) -> ()
  graph.call @g(%counts, %o, %c1) : (!graph.tensor<4xi32>, !graph.tensor<4xi32>, i32) -> ()
  graph.return
}
