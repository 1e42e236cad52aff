// RUN: split-file %s %t
// RUN: pypto-replay %t/calls.mlir --calls=3 --args=n=0:1:2 | FileCheck %t/calls.mlir --check-prefix=ONE
// RUN: not pypto-replay %t/calls.mlir --calls=3 --args=n=0:1:2 --keep-recordings | FileCheck %t/calls.mlir --check-prefix=KEEP
// RUN: pypto-replay %t/addresses.mlir --calls=3 --keep-recordings --fresh-buffers | FileCheck %t/addresses.mlir
// RUN: pypto-replay %t/shared.mlir --calls=2 --args=b=%%a --keep-recordings | FileCheck %t/shared.mlir --check-prefix=SHARED
// RUN: pypto-replay %t/nested.mlir --dump-definition | FileCheck %t/nested.mlir

// The cache lives for one call of the entry. Kept longer, more would freeze.

//--- calls.mlir
// ONE: call 0: agrees (1 tasks, 0 replays)
// ONE: call 1: agrees (1 tasks, 0 replays)
// ONE: call 2: agrees (1 tasks, 0 replays)
// KEEP: call 0: agrees (1 tasks, 0 replays)
// KEEP-NEXT: @g recorded
// KEEP-NEXT: call 1: differs (1 tasks, 1 replays)
// KEEP-NEXT: @g replayed
// KEEP: got scalar argument #1 (%s) wrong
// KEEP-NEXT: eager:    3
// KEEP-NEXT: replayed: 2
// KEEP: call 2: differs
// KEEP: eager:    4
// KEEP-NEXT: replayed: 2
graph.func private incore @k(inout %o: !graph.tensor<4xf32>, in %s: index)
graph.func graph @g(inout %o: !graph.tensor<4xf32>, in %n: index) {
  %c2 = arith.constant 2 : index
  %s = arith.addi %n, %c2 : index
  graph.call @k(%o, %s) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>, in %n: index) {
  graph.call @g(%o, %n) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

//--- addresses.mlir
// Addresses, start offsets and slots are this call's; so are buffers that the
// recording allocates.
// CHECK: call 0: agrees (4 tasks, 1 replays)
// CHECK: call 1: agrees (4 tasks, 2 replays)
// CHECK: call 2: agrees (4 tasks, 2 replays)
graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>, in %s: i8)
graph.func graph @g(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>, in %s: i8) {
  %t = graph.create : !graph.tensor<4xf32>
  graph.call @k(%a, %t, %s) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, i8) -> ()
  graph.call @k(%t, %o, %s) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, i8) -> ()
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>, in %n: index, in %s: i8) {
  %a = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
  %b = graph.slice %w[8] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
  %t = arith.addi %s, %s : i8
  graph.call @g(%a, %o, %s) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, i8) -> ()
  graph.call @g(%b, %o, %t) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, i8) -> ()
  graph.return
}

//--- shared.mlir
// The caller may pass one buffer for two parameters.
// SHARED: call 0: agrees (1 tasks, 0 replays)
// SHARED: call 1: agrees (1 tasks, 1 replays)
graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>) {
  graph.call @k(%a, %b) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(inout %a: !graph.tensor<4xf32>, inout %b: !graph.tensor<4xf32>) {
  graph.call @g(%a, %b) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}

//--- nested.mlir
// A graph launch without tensors is ordinary tasks also within a recording.
// CHECK: call 0: agrees (1 tasks, 0 replays)
// CHECK-NEXT: @inner ran as ordinary tasks at {{.*}}: it has no boundary tensor
// CHECK-NEXT: @outer recorded
// CHECK: "function":"outer","nodes":2
// CHECK: "kind":"alloc"
// Its parameter is a copy of the slot.
// CHECK: "kernel":"k",{{.*}}"scalars":[{"kind":"static","value":"3"}],"fan_in":[0]
graph.func private incore @k(inout %o: !graph.tensor<4xf32>, in %n: index)
graph.func graph @inner(in %n: index) {
  %t = graph.create : !graph.tensor<4xf32>
  graph.call @k(%t, %n) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}
graph.func graph @outer(inout %o: !graph.tensor<4xf32>, in %n: index) {
  graph.call @inner(%n) : (index) -> ()
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  %c3 = arith.constant 3 : index
  graph.call @outer(%o, %c3) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}
