// RUN: pypto-opt --normalize-returns -split-input-file %s | FileCheck %s
// RUN: pypto-opt --normalize-returns --normalize-returns -split-input-file %s | FileCheck %s

// A rebind through a task is the parameter; the order of results is kept.

!t = !graph.tensor<16xf32>
graph.func private incore @k(in %x: !t, inout %o: !t) -> (%o)

// CHECK-LABEL: graph.func graph @swap
// CHECK-SAME: -> (%y, %x)
// CHECK: graph.return %y, %x
graph.func graph @swap(inout %x: !t, inout %y: !t) -> (!t, !t) {
  %0 = graph.alias %y : !t
  %1 = graph.call @k(%y, %x) : (!t, !t) -> !t
  graph.return %0, %1 : !t, !t
}

// A tied result that is returned under another name.
// CHECK-LABEL: graph.func graph @renamed
// CHECK: graph.return %y
graph.func graph @renamed(in %x: !t, inout %y: !t) -> (%y) {
  %1 = graph.call @k(%x, %y) : (!t, !t) -> !t
  graph.return %1 : !t
}

// Loop carries, branches, selects and scopes that agree.
// CHECK-LABEL: graph.func opaque @control
// CHECK-SAME: -> (%o, %o, %o, %o)
// CHECK: graph.return %o, %o, %o, %o
graph.func opaque @control(in %x: !t, inout %o: !t, in %c: i1) -> (!t, !t, !t, !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %loop = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %o) -> (!t) {
    %r = graph.call @k(%x, %a) : (!t, !t) -> !t
    scf.yield %r : !t
  }
  %if = scf.if %c -> (!t) {
    scf.yield %loop : !t
  } else {
    scf.yield %o : !t
  }
  %select = arith.select %c, %if, %loop : !t
  %scope = graph.scope manual -> (!t) {
    graph.yield %select : !t
  }
  graph.return %loop, %if, %select, %scope : !t, !t, !t, !t
}

// What is computed stays: a merge of different buffers, a window, a buffer of
// its own. So does what stands between.
// CHECK-LABEL: graph.func opaque @computed
// CHECK-SAME: -> (!graph.tensor<16xf32>, %o, !graph.tensor<8xf32>, !graph.tensor<16xf32>)
// CHECK: graph.return %{{.*}}, %o, %{{.*}}, %{{.*}}
graph.func opaque @computed(inout %x: !t, inout %o: !t, in %c: i1)
    -> (!t, !t, !graph.tensor<8xf32>, !t) {
  %0 = arith.select %c, %x, %o : !t
  %1 = graph.slice %x[0] [8] : !t to !graph.tensor<8xf32>
  %2 = graph.create : !t
  graph.return %0, %o, %1, %2 : !t, !t, !graph.tensor<8xf32>, !t
}

// Scalars and task ids are tied alike.
// CHECK-LABEL: graph.func opaque @scalars
// CHECK-SAME: -> (%n, i32, %t)
// CHECK: graph.return %n, %{{.*}}, %t
graph.func opaque @scalars(in %n: index, in %t: !graph.task_id) -> (index, i32, !graph.task_id) {
  %0 = graph.alias %n : index
  %1 = arith.constant 1 : i32
  graph.return %0, %1, %t : index, i32, !graph.task_id
}

// -----

// Ties of callees matter, wherever the callee stands and however long the chain.

!t = !graph.tensor<16xf32>

// CHECK-LABEL: graph.func orchestration @outer(inout %a: !graph.tensor<16xf32>) -> (%a)
// CHECK: graph.return %a
graph.func orchestration @outer(inout %a: !t) -> (!t) {
  %0 = graph.call @middle(%a) : (!t) -> !t
  graph.return %0 : !t
}
// CHECK-LABEL: graph.func orchestration @middle(inout %b: !graph.tensor<16xf32>) -> (%b)
graph.func orchestration @middle(inout %b: !t) -> (!t) {
  %0, %id = graph.submit @inner(%b) : (!t) -> (!t, !graph.task_id)
  graph.return %0 : !t
}
// CHECK-LABEL: graph.func incore @inner(inout %c: !graph.tensor<16xf32>) -> (%c)
graph.func incore @inner(inout %c: !t) -> (!t) {
  graph.return %c : !t
}

// -----

// Wrappers that call each other: a tie found late goes around.

!t = !graph.tensor<16xf32>
graph.func private incore @k(inout %o: !t) -> (%o)

// CHECK-LABEL: graph.func group @ping(inout %a: !graph.tensor<16xf32>, in %c: i1) -> (%a)
graph.func group @ping(inout %a: !t, in %c: i1) -> (!t) {
  %0:2 = graph.call @pong(%a, %c) : (!t, i1) -> (!t, !t)
  graph.return %0#1 : !t
}
// CHECK-LABEL: graph.func group @pong
// CHECK-SAME: -> (%a, %a)
graph.func group @pong(inout %a: !t, in %c: i1) -> (!t, !t) {
  %0 = scf.if %c -> (!t) {
    %1 = graph.call @ping(%a, %c) : (!t, i1) -> !t
    scf.yield %1 : !t
  } else {
    scf.yield %a : !t
  }
  graph.return %0, %a : !t, !t
}

// -----

// The type of a tied result is the parameter's; launches keep what they know.

!d = !graph.tensor<?xf32>
!s = !graph.tensor<16xf32>

// CHECK-LABEL: graph.func opaque @wider(inout %a: !graph.tensor<?xf32>) -> (%a)
graph.func opaque @wider(inout %a: !d) -> (!s) {
  %0 = graph.cast %a : !d to !s
  graph.return %0 : !s
}
// CHECK-LABEL: graph.func opaque @narrower(inout %a: !graph.tensor<16xf32>) -> (%a)
graph.func opaque @narrower(inout %a: !s) -> (!d) {
  %0 = graph.cast %a : !s to !d
  graph.return %0 : !d
}
// CHECK-LABEL: graph.func opaque @caller
// CHECK: graph.call @wider(%a) : (!graph.tensor<?xf32>) -> !graph.tensor<16xf32>
// CHECK: graph.call @narrower({{.*}}) : (!graph.tensor<16xf32>) -> !graph.tensor<?xf32>
graph.func opaque @caller(inout %a: !d) {
  %0 = graph.call @wider(%a) : (!d) -> !s
  %1 = graph.call @narrower(%0) : (!s) -> !d
  graph.return
}

// -----

// A launch that contradicts the parameter's extents keeps the result as it is.

!d = !graph.tensor<?xf32>
!s = !graph.tensor<16xf32>

// CHECK-LABEL: graph.func opaque @contradicted(inout %a: !graph.tensor<16xf32>) -> (!graph.tensor<?xf32>)
graph.func opaque @contradicted(inout %a: !s) -> (!d) {
  %0 = graph.cast %a : !s to !d
  graph.return %0 : !d
}
graph.func opaque @caller(inout %a: !s) {
  %0 = graph.call @contradicted(%a) : (!s) -> !graph.tensor<8xf32>
  graph.return
}

// -----

// A submit that leaves the tied parameter to the runtime gives a new buffer.

!t = !graph.tensor<16xf32>
graph.func private incore @k(in %x: !t, out %o: !t) -> (%o)

// CHECK-LABEL: graph.func opaque @prefix(in %x: !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
graph.func opaque @prefix(in %x: !t) -> (!t) {
  %0, %id = graph.submit @k(%x) : (!t) -> (!t, !graph.task_id)
  graph.return %0 : !t
}
