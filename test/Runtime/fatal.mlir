// RUN: split-file %s %t
// RUN: not pypto-replay %t/nested.mlir | FileCheck %t/nested.mlir
// RUN: not pypto-replay %t/task-id.mlir | FileCheck %t/task-id.mlir
// RUN: not pypto-replay %t/read.mlir | FileCheck %t/read.mlir
// RUN: not pypto-replay %t/result.mlir | FileCheck %t/result.mlir
// RUN: not pypto-replay %t/outside.mlir | FileCheck %t/outside.mlir
// RUN: not pypto-replay %t/unknown.mlir | FileCheck %t/unknown.mlir
// RUN: not pypto-replay %t/unknown.mlir --entry=@gated | FileCheck %t/unknown.mlir --check-prefix=GATE
// RUN: not pypto-opt %t/unknown.mlir --legalize-graph-boundary -o /dev/null 2>&1 | FileCheck %t/unknown.mlir --check-prefix=PASS
// RUN: %python %S/Inputs/many.py nodes 1024 | pypto-replay | FileCheck %s --check-prefix=FITS
// RUN: %python %S/Inputs/many.py nodes 1025 | not pypto-replay | FileCheck %s --check-prefix=NODES
// RUN: %python %S/Inputs/many.py task-tensors 32 | pypto-replay --order-readers | FileCheck %s --check-prefix=FITS
// RUN: %python %S/Inputs/many.py task-tensors 33 | not pypto-replay | FileCheck %s --check-prefix=TENSORS
// RUN: %python %S/Inputs/many.py task-scalars 16 | pypto-replay | FileCheck %s --check-prefix=FITS
// RUN: %python %S/Inputs/many.py task-scalars 17 | not pypto-replay | FileCheck %s --check-prefix=SCALARS
// RUN: %python %S/Inputs/many.py dependencies 128 | pypto-replay | FileCheck %s --check-prefix=FITS
// RUN: %python %S/Inputs/many.py dependencies 129 | not pypto-replay | FileCheck %s --check-prefix=DEPENDENCIES

// What ends the run. The same programs run eagerly.

// FITS: call 0: agrees
// NODES: the replay fails: {{.*}}'graph.call' is the 1025th node of the recording of '@g'
// NODES-NEXT: rule: a recording has at most 1024 nodes
// TENSORS: 'graph.call' launches a task with 33 tensors
// TENSORS-NEXT: rule: a task takes at most 32 tensors
// SCALARS: 'graph.call' launches a task with 17 scalars
// SCALARS-NEXT: rule: a task takes at most 16 scalars
// DEPENDENCIES: 'graph.call' waits for 129 other tasks
// DEPENDENCIES-NEXT: rule: a task has at most 128 dependencies

//--- nested.mlir
// CHECK: call 0: fails (1 tasks, 0 replays)
// CHECK-NEXT: the replay fails: {{.*}}nested.mlir:10:3: 'graph.call' launches a graph function while another one is recorded
// CHECK-NEXT: rule: a graph launch inside of a recording makes it unusable
graph.func private incore @k(inout %o: !graph.tensor<4xf32>)
graph.func graph @inner(inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%o) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func graph @outer(inout %o: !graph.tensor<4xf32>) {
  graph.call @inner(%o) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  graph.call @outer(%o) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

//--- task-id.mlir
// CHECK: the replay fails: {{.*}}task-id.mlir:[[@LINE+9]]:3: 'graph.call' passes a task id or an array to a graph function
// CHECK-NEXT: rule: a boundary has tensors and scalars only
graph.func private incore @k(inout %o: !graph.tensor<4xf32>)
graph.func graph @g(inout %o: !graph.tensor<4xf32>, in %t: !graph.task_id) {
  %u = graph.submit @k(%o) deps(%t : !graph.task_id) : (!graph.tensor<4xf32>) -> (!graph.task_id)
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  %t = graph.submit @k(%o) : (!graph.tensor<4xf32>) -> (!graph.task_id)
  graph.call @g(%o, %t) : (!graph.tensor<4xf32>, !graph.task_id) -> ()
  graph.return
}

//--- read.mlir
// CHECK: the replay fails: {{.*}}read.mlir:[[@LINE+6]]:8: 'graph.read' reads what a task of the recording writes
// CHECK-NEXT: rule: a recording runs no task: its data does not exist yet
graph.func private incore @k(inout %o: !graph.tensor<4xf32>)
graph.func private incore @s(inout %o: !graph.tensor<4xf32>, in %x: f32)
graph.func graph @g(inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%o) : (!graph.tensor<4xf32>) -> ()
  %x = graph.read %o[0] : !graph.tensor<4xf32>
  graph.call @s(%o, %x) : (!graph.tensor<4xf32>, f32) -> ()
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  graph.call @g(%o) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

//--- result.mlir
// CHECK: the replay fails: {{.*}}'graph.call' uses result #0 of a graph launch, which is none of its arguments
// CHECK-NEXT: rule: a graph function hands nothing back: a replay knows its boundary only
graph.func private incore @k(inout %o: !graph.tensor<4xf32>)
graph.func graph @g(inout %o: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>) {
  %t = graph.create : !graph.tensor<4xf32>
  graph.call @k(%t) : (!graph.tensor<4xf32>) -> ()
  graph.return %t : !graph.tensor<4xf32>
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  %t = graph.call @g(%o) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  graph.call @k(%t) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

//--- outside.mlir
// CHECK: the replay fails: {{.*}}'graph.scope' is a device scope inside of a graph function
graph.func graph @g(inout %o: !graph.tensor<4xf32>) {
  graph.scope incore {
    %x = graph.load %o[0] : !graph.tensor<4xf32> -> tensor<4xf32>
    %y = arith.addf %x, %x : tensor<4xf32>
    graph.store %y, %o[0] : tensor<4xf32>, !graph.tensor<4xf32>
  }
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  graph.call @g(%o) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

//--- unknown.mlir
// A tensor that is in no buffer of the recording: a function of the host, called in
// the graph, works on a parameter that was left to the runtime. Nothing else gets
// there: what the body of a graph takes is its own parameters, windows of them, which
// start behind them, and what its tasks and allocations make.
// CHECK: the replay fails: {{.*}}unknown.mlir:[[@LINE+8]]:3: 'graph.call' tensor #1 (f32[4] at element 0 of buffer 1) matches nothing the recording knows
// CHECK-NEXT: rule: a tensor that is on no boundary tensor's buffer at or behind its start, and in no buffer of the recording, makes the recording unusable
// GATE: the replay fails: {{.*}}unknown.mlir:[[@LINE+11]]:8: 'graph.submit' the gate of its predicate matches nothing the recording knows
// GATE-NEXT: rule: a tensor that is on no boundary tensor's buffer
// PASS: error: [graph-illegal-callee] graph function '@writes' calls '@write' of kind 'orchestration'
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
graph.func private incore @k(in %a: !graph.tensor<4xf32>, out %o: !graph.tensor<4xf32>)
graph.func orchestration @write(in %a: !graph.tensor<4xf32>, out %o: !graph.tensor<4xf32>) {
  graph.call @k(%a, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @test(inout %a: !graph.tensor<4xf32>, out %o: !graph.tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = graph.submit @k(%a, %a) predicate(%o[0] ge %zero : !graph.tensor<4xf32>)
      : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> !graph.task_id
  graph.return
}
graph.func graph @writes(inout %s: !graph.tensor<4xf32>) {
  %t = graph.submit @write(%s) : (!graph.tensor<4xf32>) -> !graph.task_id
  graph.return
}
graph.func graph @tests(inout %s: !graph.tensor<4xf32>) {
  %t = graph.submit @test(%s) : (!graph.tensor<4xf32>) -> !graph.task_id
  graph.return
}
graph.func orchestration @main(inout %w: !graph.tensor<4xf32>) {
  graph.call @writes(%w) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @gated(inout %w: !graph.tensor<4xf32>) {
  graph.call @tests(%w) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
}
