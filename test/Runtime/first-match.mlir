// RUN: split-file %s %t
// RUN: not pypto-replay %t/coincide.mlir --dump-definition | FileCheck %t/coincide.mlir
// RUN: not pypto-replay %t/shadowed.mlir --dump-definition | FileCheck %t/shadowed.mlir
// RUN: pypto-replay %t/before.mlir --dump-definition | FileCheck %t/before.mlir
// RUN: not pypto-replay %t/after.mlir --dump-definition | FileCheck %t/after.mlir
// RUN: not pypto-replay %t/both.mlir | FileCheck %t/both.mlir
// RUN: pypto-replay %t/exact-first.mlir --dump-definition | FileCheck %t/exact-first.mlir

// How tensors are bound: what equals a boundary tensor is the first such one in
// slot order; only then windows are looked for, again in slot order.

//--- coincide.mlir
// Two boundary tensors that are equal when recorded are one for ever.
// CHECK: first difference: %o[0]
// CHECK-NEXT: because task 1, 'k' {{.*}} got tensor argument #1 (%b) wrong
// CHECK-NEXT:   eager:    f32[4] at element 0 of %w
// CHECK-NEXT:   replayed: f32[4] at element 4 of %w
// CHECK-NEXT:   node 0 takes it from boundary_exact(0)
// CHECK-NEXT:   rule: a tensor that equals a boundary tensor when it is recorded is that boundary tensor on every replay; the first in slot order wins
// CHECK: "kernel":"k","tensors":[{{.*}}"boundary_exact","boundary":0},{{.*}}"boundary_exact","boundary":0},{{.*}}"boundary_exact","boundary":2}]
graph.func private incore @k(in %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %a: !graph.tensor<4xf32>, in %b: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%a, %b, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = graph.slice %w[0] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.muli %i, %c4 : index
    %a = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @g(%a, %zero, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  }
  graph.return
}

//--- shadowed.mlir
// A window inside a slice whose buffer a lower-numbered tensor shares is measured
// from that one, and stays where it was.
// CHECK: because task 1, 'k' {{.*}} got tensor argument #0 (%a) wrong
// CHECK-NEXT:   eager:    f32[2] at element 6 of %w
// CHECK-NEXT:   replayed: f32[2] at element 2 of %w
// CHECK: node 0 takes it from boundary_view(0, +2)
// CHECK: "boundary_view","boundary":0,"delta":2,"shape":[2],"strides":[1]
graph.func private incore @k(in %a: !graph.tensor<2xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %root: !graph.tensor<16xf32>, in %s: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  %v = graph.slice %s[2] [2] : !graph.tensor<4xf32> to !graph.tensor<2xf32>
  graph.call @k(%v, %o) : (!graph.tensor<2xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.muli %i, %c4 : index
    %s = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @g(%w, %s, %o) : (!graph.tensor<16xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  }
  graph.return
}

//--- before.mlir
// The same with the slice before its root: `graph.slots` says so.
// CHECK: call 0: agrees
// CHECK: "boundary_view","boundary":0,"delta":2,"shape":[2],"strides":[1]
graph.func private incore @k(in %a: !graph.tensor<2xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %root: !graph.tensor<16xf32>, in %s: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
    attributes {graph.slots = array<i64: 1, 0, 2>} {
  %v = graph.slice %s[2] [2] : !graph.tensor<4xf32> to !graph.tensor<2xf32>
  graph.call @k(%v, %o) : (!graph.tensor<2xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.muli %i, %c4 : index
    %s = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @g(%w, %s, %o) : (!graph.tensor<16xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  }
  graph.return
}

//--- after.mlir
// A tensor that is not passed at all binds to a boundary tensor on its buffer,
// and drifts with it.
// CHECK: because task 1, 'k' {{.*}} got tensor argument #0 (%a) wrong
// CHECK-NEXT:   eager:    f32[2] at element 2 of %w
// CHECK-NEXT:   replayed: f32[2] at element 6 of %w
// CHECK: node 0 takes it from boundary_view(0, +2)
graph.func private incore @k(in %a: !graph.tensor<2xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %s: !graph.tensor<4xf32>, in %root: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %v = graph.slice %root[2] [2] : !graph.tensor<16xf32> to !graph.tensor<2xf32>
  graph.call @k(%v, %o) : (!graph.tensor<2xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.muli %i, %c4 : index
    %s = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @g(%s, %w, %o) : (!graph.tensor<4xf32>, !graph.tensor<16xf32>, !graph.tensor<4xf32>) -> ()
  }
  graph.return
}

//--- both.mlir
// Windows kept on both, the slice first: one of the root is measured from the
// slice and leaves the buffer.
// CHECK: call 0: fails
// CHECK: the replay fails: {{.*}}'graph.call' node 0 of the recording of '@g' takes f32[2] at element 18 of %w, which leaves the buffer (boundary_view(0, +14))
// CHECK-NEXT: rule: a view keeps its recorded shape and distance, and must lie inside its buffer
graph.func private incore @k(in %a: !graph.tensor<2xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %s: !graph.tensor<4xf32>, in %root: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %v = graph.slice %root[14] [2] : !graph.tensor<16xf32> to !graph.tensor<2xf32>
  %u = graph.slice %s[2] [2] : !graph.tensor<4xf32> to !graph.tensor<2xf32>
  graph.call @k(%v, %o) : (!graph.tensor<2xf32>, !graph.tensor<4xf32>) -> ()
  graph.call @k(%u, %o) : (!graph.tensor<2xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.muli %i, %c4 : index
    %s = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @g(%s, %w, %o) : (!graph.tensor<4xf32>, !graph.tensor<16xf32>, !graph.tensor<4xf32>) -> ()
  }
  graph.return
}

//--- exact-first.mlir
// EXACT is tried over all boundary tensors before VIEW is tried over any: the
// second tensor is not taken for a window of the first.
// CHECK: call 0: agrees
// CHECK: "kernel":"k","tensors":[{{.*}}"boundary_exact","boundary":1},
graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %root: !graph.tensor<16xf32>, in %s: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%s, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.muli %i, %c4 : index
    %s = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @g(%w, %s, %o) : (!graph.tensor<16xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  }
  graph.return
}
