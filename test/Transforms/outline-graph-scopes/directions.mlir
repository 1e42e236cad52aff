// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -outline-graph-scopes -verify-graph-outlined | FileCheck %s

// A capture is `inout` when the region may write its buffer, else `in`.

!t = !graph.tensor<16x128xf32>
!h = !graph.tensor<8x128xf32>

graph.func private incore @reader(in %src: !t)
graph.func private incore @writer(in %src: !t, inout %dst: !t) -> (%dst)
graph.func private incore @over(in %src: !t, out %dst: !t) -> (%dst)
graph.func private incore @half(inout %dst: !h) -> (%dst)
graph.func private incore @scratch(in %a: !t, inout %w: !t, out %s: !t) -> (%w)
graph.func private incore @gate(out %g: !graph.tensor<4xf32>) -> (%g)
graph.func private orchestration @host(in %a: !t, out %b: !t) -> (%b)

// OG34
// CHECK-LABEL: graph.func graph @og34(in %a: !graph.tensor<16x128xf32>) {
graph.func orchestration @reads(in %a: !t) {
  graph.scope graph "og34" {
    graph.call @reader(%a) : (!t) -> ()
  }
  graph.return
}

// OG35
// CHECK-LABEL: graph.func graph @og35(in %x: {{[^,]*}}, inout %out: {{[^,]*}}) {
graph.func orchestration @writes(in %x: !t, inout %out: !t) {
  graph.scope graph "og35" {
    graph.call @writer(%x, %out) : (!t, !t) -> !t
  }
  graph.return
}

// OG37: read by one call, overwritten by the next.
// CHECK-LABEL: graph.func graph @og37(inout %out: {{[^,]*}}, in %x: {{[^,]*}}) {
graph.func orchestration @reads_and_overwrites(in %x: !t, inout %out: !t) {
  graph.scope graph "og37" {
    graph.call @reader(%out) : (!t) -> ()
    graph.call @over(%x, %out) : (!t, !t) -> !t
  }
  graph.return
}

// OG38: read in a kernel, overwritten by a call.
// CHECK-LABEL: graph.func graph @og38(inout %out: {{[^,]*}}, in %x: {{[^,]*}}) {
graph.func orchestration @loads_and_overwrites(in %x: !t, inout %out: !t) {
  graph.scope graph "og38" {
    graph.scope incore {
      %v = graph.load %out[0, 0] : !t -> tensor<16x128xf32>
    }
    graph.call @over(%x, %out) : (!t, !t) -> !t
  }
  graph.return
}

// OG40, E2E15: only overwritten is `inout` as well, by a store, by an atomic store,
// by an `out` parameter.
// CHECK-LABEL: graph.func graph @og40(
// CHECK-SAME:    in %x: {{[^,]*}}, inout %a: {{[^,]*}}, inout %b: {{[^,]*}}, inout %c: {{[^,]*}}) {
graph.func orchestration @only_writes(in %x: !t, inout %a: !t, inout %b: !t, inout %c: !t) {
  graph.scope graph "og40" {
    graph.scope incore {
      %v = graph.load %x[0, 0] : !t -> tensor<16x128xf32>
      graph.store %v, %a[0, 0] : tensor<16x128xf32>, !t
      graph.store %v, %b[0, 0] {atomic_add} : tensor<16x128xf32>, !t
    }
    graph.call @over(%x, %c) : (!t, !t) -> !t
  }
  graph.return
}

// OG41: what a call returns for its argument is the argument.
// CHECK-LABEL: graph.func graph @og41(inout %out: {{[^,]*}}, in %x: {{[^,]*}}) {
graph.func orchestration @result_written(in %x: !t, in %y: !t, inout %out: !t) {
  graph.scope graph "og41" {
    %o = graph.alias %out : !t
    graph.scope incore {
      %v = graph.load %x[0, 0] : !t -> tensor<16x128xf32>
      %w = graph.load %o[0, 0] : !t -> tensor<16x128xf32>
      graph.store %v, %o[0, 0] : tensor<16x128xf32>, !t
    }
  }
  graph.return
}

// OG42: a gate is read.
// CHECK-LABEL: graph.func graph @og42(inout %rc: {{[^,]*}}, in %z: f32) {
graph.func orchestration @gated(inout %rc: !graph.tensor<4xf32>, in %z: f32) {
  graph.scope graph "og42" {
    %0, %t = graph.submit @gate(%rc) predicate(%rc[0] gt %z : !graph.tensor<4xf32>)
        : (!graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.task_id)
  }
  graph.return
}
// CHECK-LABEL: graph.func graph @og42_read(in %x: {{[^,]*}}, in %rc: {{[^,]*}}, in %z: f32) {
graph.func orchestration @gated_read(in %x: !t, inout %rc: !graph.tensor<4xf32>, in %z: f32) {
  graph.scope graph "og42_read" {
    %t = graph.submit @reader(%x) predicate(%rc[0] gt %z : !graph.tensor<4xf32>)
        : (!t) -> !graph.task_id
  }
  graph.return
}

// OG44: the arguments are a prefix of the parameters.
// CHECK-LABEL: graph.func graph @og44(in %a: {{[^,]*}}, inout %w: {{[^,]*}}) {
graph.func orchestration @prefix(in %a: !t, inout %w: !t) {
  graph.scope graph "og44" {
    %0, %t = graph.submit @scratch(%a, %w) : (!t, !t) -> (!t, !graph.task_id)
  }
  graph.return
}

// Windows, reshapes, casts and aliases of a capture.
// CHECK-LABEL: graph.func graph @windows(
// CHECK-SAME:    inout %a: {{[^,]*}}, inout %b: {{[^,]*}}, inout %c: {{[^,]*}}, in %d: {{[^,]*}}) {
graph.func orchestration @through_windows(inout %a: !t, inout %b: !graph.tensor<8x16x8xf32>,
                                          inout %c: !graph.tensor<?x128xf32>, inout %d: !t) {
  graph.scope graph "windows" {
    %s = graph.slice %a[0, 0] [8, 128] : !t to !h
    %sa = graph.alias %s : !h
    graph.call @half(%sa) : (!h) -> !h
    %v = graph.view %b [8, 128] : !graph.tensor<8x16x8xf32> to !h
    graph.call @half(%v) : (!h) -> !h
    %w = graph.cast %c : !graph.tensor<?x128xf32> to !h
    graph.call @half(%w) : (!h) -> !h
    %r = graph.slice %d[0, 0] [8, 128] : !t to !h
  }
  graph.return
}

// Loops, branches and selects: whatever may be written is.
// CHECK-LABEL: graph.func graph @carried(
// CHECK-SAME:    in %n: index, inout %a: {{[^,]*}}, inout %b: {{[^,]*}}, in %x: {{[^,]*}}) {
graph.func orchestration @through_loops(inout %a: !t, inout %b: !t, in %x: !t, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  graph.scope graph "carried" {
    %m = arith.addi %n, %n : index
    %l:2 = scf.for %i = %c0 to %m step %c1 iter_args(%p = %a, %q = %b) -> (!t, !t) {
      graph.call @writer(%x, %p) : (!t, !t) -> !t
      scf.yield %q, %p : !t, !t
    }
  }
  graph.return
}
// CHECK-LABEL: graph.func graph @chosen(
// CHECK-SAME:    in %c: i1, inout %a: {{[^,]*}}, inout %b: {{[^,]*}}, inout %d: {{[^,]*}}, in %x: {{[^,]*}}) {
graph.func orchestration @through_choices(inout %a: !t, inout %b: !t, inout %d: !t, in %x: !t,
                                          in %c: i1) {
  graph.scope graph "chosen" {
    %p = arith.select %c, %a, %b : !t
    %q = scf.if %c -> (!t) {
      scf.yield %p : !t
    } else {
      scf.yield %d : !t
    }
    %m = graph.scope manual -> (!t) {
      graph.yield %q : !t
    }
    graph.call @writer(%x, %m) : (!t, !t) -> !t
  }
  graph.return
}

// What is written after the scope through its result is not written by it.
// CHECK-LABEL: graph.func graph @passes(in %a: {{[^,]*}}) -> (%a) {
graph.func orchestration @written_after(inout %a: !t, in %x: !t) {
  %r = graph.scope graph "passes" -> (!t) {
    graph.call @reader(%a) : (!t) -> ()
    graph.yield %a : !t
  }
  graph.call @writer(%x, %r) : (!t, !t) -> !t
  graph.return
}

// A buffer made inside is none of the captures'.
// CHECK-LABEL: graph.func graph @local(in %x: {{[^,]*}}) {
graph.func orchestration @writes_local(in %x: !t) {
  graph.scope graph "local" {
    %t = graph.create : !t
    graph.call @writer(%x, %t) : (!t, !t) -> !t
  }
  graph.return
}

// What callees do counts, not only what they declare: a wrapper whose signature is
// not settled yet, one that calls itself, and a host function.
graph.func group @wrapper(in %a: !t, in %b: !t) {
  graph.call @writer(%a, %b) : (!t, !t) -> !t
  graph.return
}
graph.func group @recursive(in %a: !t, in %b: !t, in %c: !t) {
  graph.call @recursive(%c, %a, %b) : (!t, !t, !t) -> ()
  graph.call @wrapper(%a, %a) : (!t, !t) -> ()
  graph.return
}
graph.func spmd @harmless(in %a: !t) {
  graph.call @reader(%a) : (!t) -> ()
  graph.return
}
// CHECK-LABEL: graph.func graph @callees(
// CHECK-SAME:    in %a: {{[^,]*}}, inout %b: {{[^,]*}}, inout %c: {{[^,]*}}, inout %d: {{[^,]*}}, inout %e: {{[^,]*}}, inout %f: {{[^,]*}}) {
graph.func orchestration @through_callees(inout %a: !t, inout %b: !t, inout %c: !t, inout %d: !t,
                                          inout %e: !t, inout %f: !t) {
  graph.scope graph "callees" {
    graph.call @wrapper(%a, %b) : (!t, !t) -> ()
    graph.call @recursive(%c, %d, %e) : (!t, !t, !t) -> ()
    graph.call @harmless(%a) : (!t) -> ()
    graph.call @host(%a, %f) : (!t, !t) -> !t
  }
  graph.return
}

// Resolved directions of launches stay; an opt-out of tracking writes all the same.
// CHECK-LABEL: graph.func graph @resolved(in %x: {{[^,]*}}, inout %o: {{[^,]*}}) {
// CHECK-NEXT:    graph.call @writer(input %x, no_dep %o) {no_dep = array<i64: 1>}
// CHECK-LABEL: graph.func orchestration @around_resolved(
// CHECK-NEXT:    graph.call @resolved(%x, %o)
graph.func orchestration @around_resolved(in %x: !t, inout %o: !t) {
  graph.scope graph "resolved" {
    graph.call @writer(input %x, no_dep %o) {no_dep = array<i64: 1>} : (!t, !t) -> !t
  }
  graph.return
}
