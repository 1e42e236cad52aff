// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file | FileCheck %s
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary --split-input-file | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary --split-input-file -o /dev/null

// Derived scalars: what a task gets as a scalar is a slot of the boundary, or
// the same on every replay.

// LA01: a scalar computed from a parameter becomes a parameter, and the launch
// computes it from what it passes. LA49: the second run above changes nothing.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !w, inout %o: !t, in %s: index) -> (%o)

  // CHECK-LABEL: graph.func graph @la01(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}, in %li: index, in %scalar0: index) -> (%c) {
  // CHECK-NEXT: %[[C1:.*]] = graph.call @k(%a, %c, %scalar0)
  // CHECK-NEXT: graph.return %[[C1]]
  // CHECK-NEXT: }
  graph.func graph @la01(in %a: !w, inout %c: !t, in %li: index) -> (%c) {
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    %c1 = graph.call @k(%a, %c, %base) : (!w, !t, index) -> !t
    graph.return %c1 : !t
  }

  // CHECK-LABEL: graph.func orchestration @la01_main(
  // CHECK: scf.for %[[I:[a-z0-9]+]] =
  // CHECK-NEXT: %[[C128:.*]] = arith.constant 128 : index
  // CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[I]], %[[C128]] : index
  // CHECK-NEXT: graph.call @la01(input %a, inout %c, scalar %[[I]], scalar %[[BASE]])
  // CHECK-SAME: : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index, index) -> !graph.tensor<128x128xf32>
  graph.func orchestration @la01_main(in %a: !w, inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %r = graph.call @la01(input %a, inout %c, scalar %i) : (!w, !t, index) -> !t
    }
    graph.return
  }
}

// -----

// LA02: a parameter that is passed on has its slot already.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)

  // CHECK-LABEL: graph.func graph @la02(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}, in %li: index) -> (%c) {
  // CHECK-NEXT: graph.call @k(%a, %c, %li)
  graph.func graph @la02(in %a: !t, inout %c: !t, in %li: index) -> (%c) {
    %c1 = graph.call @k(%a, %c, %li) : (!t, !t, index) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func orchestration @la02_main(
  // CHECK-NEXT: graph.call @la02(%a, %c, %n) : (!graph.tensor<128x128xf32>, !graph.tensor<128x128xf32>, index) ->
  graph.func orchestration @la02_main(in %a: !t, inout %c: !t, in %n: index) {
    %r = graph.call @la02(%a, %c, %n) : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// Renames: folded away, never frozen, never in the caller.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)

  // LA04
  // CHECK-LABEL: graph.func graph @la04(
  // CHECK-SAME: in %li: index) -> (%c) {
  // CHECK-NEXT: graph.call @k(%a, %c, %li)
  graph.func graph @la04(in %a: !t, inout %c: !t, in %li: index) -> (%c) {
    %al = graph.alias %li : index
    %c1 = graph.call @k(%a, %c, %al) : (!t, !t, index) -> !t
    graph.return %c1 : !t
  }

  // LA05
  // CHECK-LABEL: graph.func graph @la05(
  // CHECK-SAME: in %li: index) -> (%c) {
  // CHECK-NEXT: graph.call @k(%a, %c, %li)
  graph.func graph @la05(in %a: !t, inout %c: !t, in %li: index) -> (%c) {
    %al = graph.alias %li : index
    %al2 = graph.alias %al : index
    %c1 = graph.call @k(%a, %c, %al2) : (!t, !t, index) -> !t
    graph.return %c1 : !t
  }

  // LA06, with a rename of the derived value as well.
  // CHECK-LABEL: graph.func graph @la06(
  // CHECK-SAME: in %li: index, in %scalar0: index) -> (%c) {
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0)
  graph.func graph @la06(in %a: !t, inout %c: !t, in %li: index) -> (%c) {
    %c128 = arith.constant 128 : index
    %al = graph.alias %li : index
    %base = arith.muli %al, %c128 : index
    %named = graph.alias %base : index
    %c1 = graph.call @k(%a, %c, %named) : (!t, !t, index) -> !t
    graph.return %c1 : !t
  }

  // LA21: an extent of a boundary tensor, through a rename of the tensor.
  // CHECK-LABEL: graph.func graph @la21(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}) -> (%c) {
  // CHECK: %[[ROWS:.*]] = graph.dim %a, %{{.*}}
  // CHECK-NEXT: graph.call @k(%a, %c, %[[ROWS]])
  graph.func graph @la21(in %a: !t, inout %c: !t) -> (%c) {
    %al = graph.alias %a : !t
    %c0 = arith.constant 0 : index
    %rows = graph.dim %al, %c0 : !t
    %c1 = graph.call @k(%al, %c, %rows) : (!t, !t, index) -> !t
    graph.return %c1 : !t
  }

  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NOT: graph.alias
  // CHECK: graph.call @la04(%a, %c, %n) :
  // CHECK-NEXT: graph.call @la05(%a, %c, %n) :
  // CHECK-NEXT: %[[C128:.*]] = arith.constant 128 : index
  // CHECK-NEXT: %[[BASE:.*]] = arith.muli %n, %[[C128]] : index
  // CHECK-NEXT: graph.call @la06(%a, %c, %n, %[[BASE]])
  // CHECK-NEXT: graph.call @la21(%a, %c) :
  // CHECK-NEXT: graph.return
  graph.func orchestration @main(in %a: !t, inout %c: !t, in %n: index) {
    %r0 = graph.call @la04(%a, %c, %n) : (!t, !t, index) -> !t
    %r1 = graph.call @la05(%a, %c, %n) : (!t, !t, index) -> !t
    %r2 = graph.call @la06(%a, %c, %n) : (!t, !t, index) -> !t
    %r3 = graph.call @la21(%a, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// LA16: what the call site can compute moves, what is the same on every replay
// stays.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index, in %u: index) -> (%o)

  // CHECK-LABEL: graph.func graph @la16(
  // CHECK-SAME: in %li: index, in %scalar0: index) {
  // CHECK: scf.for %[[J:[a-z0-9]+]] =
  // CHECK-NEXT: %[[OFF:.*]] = arith.muli %[[J]], %{{.*}} : index
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0, %[[OFF]])
  // CHECK-NOT: arith.muli
  graph.func graph @la16(in %a: !t, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    scf.for %j = %c0 to %c2 step %c1 {
      %off = arith.muli %j, %c128 : index
      %r = graph.call @k(%a, %c, %base, %off) : (!t, !t, index, index) -> !t
    }
    graph.return
  }
  // LA43: never launched, rewritten all the same (this function is not).
}

// -----

// LA19: what no task sees is nobody's business.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)

  // CHECK-LABEL: graph.func graph @la19(
  // CHECK-SAME: in %n: index) -> (%c) {
  // CHECK: scf.for %{{.*}} = %{{.*}} to %n
  // CHECK: graph.call @k(%a, %c) :
  graph.func graph @la19(in %a: !t, inout %c: !t, in %n: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %j = %c0 to %n step %c1 {
      %x = arith.muli %j, %c2 : index
    }
    %r = graph.call @k(%a, %c) : (!t, !t) -> !t
    graph.return %r : !t
  }
}

// -----

// LA34: unary, binary and ternary operations and casts; only the frontier
// becomes a parameter, with the type of its value.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: i32) -> (%o)

  // CHECK-LABEL: graph.func graph @la34(
  // CHECK-SAME: in %li: index, in %scalar0: i32) -> (%c) {
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0)
  graph.func graph @la34(in %a: !t, inout %c: !t, in %li: index) -> (%c) {
    %c0 = arith.constant 0 : i32
    %c7 = arith.constant 7 : i32
    %b = arith.index_cast %li : index to i32
    %neg = arith.subi %c0, %b : i32
    %m = arith.minsi %neg, %c7 : i32
    %r = graph.call @k(%a, %c, %m) : (!t, !t, i32) -> !t
    graph.return %r : !t
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C7:.*]] = arith.constant 7 : i32
  // CHECK: %[[B:.*]] = arith.index_cast %n : index to i32
  // CHECK-NEXT: %[[NEG:.*]] = arith.subi %[[C0]], %[[B]] : i32
  // CHECK-NEXT: %[[M:.*]] = arith.minsi %[[NEG]], %[[C7]] : i32
  // CHECK-NEXT: graph.call @la34(%a, %c, %n, %[[M]])
  graph.func orchestration @main(in %a: !t, inout %c: !t, in %n: index) {
    %r = graph.call @la34(%a, %c, %n) : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// LA35: floats and booleans keep their type.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: f32, in %p: i1, in %e: f32) -> (%o)

  // CHECK-LABEL: graph.func graph @la35(
  // CHECK-SAME: in %s: f32, in %li: index, in %scalar0: f32, in %scalar1: i1, in %scalar2: f32) -> (%c) {
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0, %scalar1, %scalar2)
  graph.func graph @la35(in %a: !t, inout %c: !t, in %s: f32, in %li: index) -> (%c) {
    %half = arith.constant 0.5 : f32
    %c3 = arith.constant 3 : index
    %s2 = arith.mulf %s, %half : f32
    %p = arith.cmpi sgt, %li, %c3 : index
    %e = math.exp %s2 : f32
    %r = graph.call @k(%a, %c, %s2, %p, %e) : (!t, !t, f32, i1, f32) -> !t
    graph.return %r : !t
  }
}

// -----

// LA36, LA38 (accepted), LA39: task ids are exempt from the rules on scalars; an
// array index may be a constant or the variable of a constant-trip loop.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @kt(in %a: !t, inout %o: !t, in %id: !graph.task_id) -> (%o)

  // CHECK-LABEL: graph.func graph @la36(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}) {
  // CHECK: graph.task_dummy
  // CHECK: graph.array.insert
  // CHECK: graph.array.extract
  // CHECK: graph.submit @k(%a, %c) deps(
  graph.func graph @la36(in %a: !t, inout %c: !t) {
    %t = graph.task_dummy : !graph.task_id
    %arr0 = graph.array.create : !graph.array<1 x !graph.task_id>
    %arr1 = graph.array.insert %t, %arr0[0] : !graph.array<1 x !graph.task_id>
    %d = graph.array.extract %arr1[0] : !graph.array<1 x !graph.task_id>
    %r, %id = graph.submit @k(%a, %c) deps(%d : !graph.task_id) : (!t, !t) -> (!t, !graph.task_id)
    graph.return
  }

  // CHECK-LABEL: graph.func graph @la38(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}, in %n: index) {
  // CHECK: scf.for %[[J:[a-z0-9]+]] =
  // CHECK: graph.array.insert %{{.*}}, %{{.*}}[%[[J]]]
  // CHECK: graph.submit @k(%a, %c) deps(
  graph.func graph @la38(in %a: !t, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %arr0 = graph.array.create : !graph.array<4 x !graph.task_id>
    %all = scf.for %j = %c0 to %c4 step %c1 iter_args(%arr = %arr0)
        -> (!graph.array<4 x !graph.task_id>) {
      %r, %t = graph.submit @k(%a, %c) : (!t, !t) -> (!t, !graph.task_id)
      %next = graph.array.insert %t, %arr[%j] : !graph.array<4 x !graph.task_id>
      scf.yield %next : !graph.array<4 x !graph.task_id>
    }
    %r, %id = graph.submit @k(%a, %c) deps(%all : !graph.array<4 x !graph.task_id>)
        : (!t, !t) -> (!t, !graph.task_id)
    graph.return
  }

  // CHECK-LABEL: graph.func graph @la39(
  // CHECK-SAME: in %a: {{[^,]*}}, inout %c: {{[^,]*}}) {
  // CHECK: graph.call @kt(%a, %c, %{{.*}})
  graph.func graph @la39(in %a: !t, inout %c: !t) {
    %t = graph.task_dummy : !graph.task_id
    %r = graph.call @kt(%a, %c, %t) : (!t, !t, !graph.task_id) -> !t
    graph.return
  }
}

// -----

// LA43: a graph function that nothing launches is rewritten all the same.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)

  // CHECK-LABEL: graph.func graph @la43(
  // CHECK-SAME: in %li: index, in %scalar0: index) -> (%c) {
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0)
  graph.func graph @la43(in %a: !t, inout %c: !t, in %li: index) -> (%c) {
    %base = arith.addi %li, %li : index
    %r = graph.call @k(%a, %c, %base) : (!t, !t, index) -> !t
    graph.return %r : !t
  }
}

// -----

// LA44: several graph functions, each with its own plan; several launches of one.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)

  // CHECK-LABEL: graph.func graph @g0(
  // CHECK-SAME: in %li: index, in %scalar0: index) {
  graph.func graph @g0(in %a: !t, inout %c: !t, in %li: index) {
    %c128 = arith.constant 128 : index
    %base = arith.muli %li, %c128 : index
    %r = graph.call @k(%a, %c, %base) : (!t, !t, index) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func graph @g1(
  // CHECK-SAME: in %li: index, in %lj: index, in %scalar0: index) {
  graph.func graph @g1(in %a: !t, inout %c: !t, in %li: index, in %lj: index) {
    %base = arith.addi %li, %lj : index
    %r = graph.call @k(%a, %c, %base) : (!t, !t, index) -> !t
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: arith.constant 128
  // CHECK-NEXT: %[[B0:.*]] = arith.muli %m
  // CHECK-NEXT: graph.call @g0(%a, %c, %m, %[[B0]])
  // CHECK-NEXT: %[[B1:.*]] = arith.addi %n, %m
  // CHECK-NEXT: graph.call @g1(%a, %c, %n, %m, %[[B1]])
  // CHECK-NEXT: arith.constant 128
  // CHECK-NEXT: %[[B2:.*]] = arith.muli %n
  // CHECK-NEXT: graph.call @g0(%a, %c, %n, %[[B2]])
  graph.func orchestration @main(in %a: !t, inout %c: !t, in %n: index, in %m: index) {
    graph.call @g0(%a, %c, %m) : (!t, !t, index) -> ()
    graph.call @g1(%a, %c, %n, %m) : (!t, !t, index, index) -> ()
    graph.call @g0(%a, %c, %n) : (!t, !t, index) -> ()
    graph.return
  }
  // An opaque function may launch graphs as well, and a second function has its
  // own launches.
  // CHECK-LABEL: graph.func opaque @other(
  // CHECK: %[[B:.*]] = arith.addi %n, %n
  // CHECK-NEXT: graph.call @g1(%a, %c, %n, %n, %[[B]])
  graph.func opaque @other(in %a: !t, inout %c: !t, in %n: index) {
    graph.call @g1(%a, %c, %n, %n) : (!t, !t, index, index) -> ()
    graph.return
  }
}

// -----

// LA47: operands the user opted out keep their position.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func graph @la47(in %a: !t, inout %c: !t, in %li: index) -> (%c) {
    %base = arith.addi %li, %li : index
    %r = graph.call @k(%a, %c, %base) : (!t, !t, index) -> !t
    graph.return %r : !t
  }
  // CHECK-LABEL: graph.func orchestration @la47_main(
  // CHECK: graph.call @la47(%a, %c, %n, %{{.*}}) {no_dep = array<i64: 0>}
  // CHECK: graph.call @la47(no_dep %a, inout %c, scalar %n, scalar %{{.*}}) {no_dep = array<i64: 0>}
  graph.func orchestration @la47_main(in %a: !t, inout %c: !t, in %n: index) {
    %r = graph.call @la47(%a, %c, %n) {no_dep = array<i64: 0>} : (!t, !t, index) -> !t
    %s = graph.call @la47(no_dep %a, inout %c, scalar %n) {no_dep = array<i64: 0>} : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// Equal values share a parameter, also through renames and wherever they stand;
// constants are never parameters.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index, in %u: index) -> (%o)

  // CHECK-LABEL: graph.func graph @shared(
  // CHECK-SAME: in %li: index, in %scalar0: index) {
  // CHECK-NEXT: %[[C5:.*]] = arith.constant 5 : index
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0, %[[C5]])
  // CHECK-NEXT: graph.scope manual
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0, %scalar0)
  graph.func graph @shared(in %a: !t, inout %c: !t, in %li: index) {
    %c5 = arith.constant 5 : index
    %c128 = arith.constant 128 : index
    %x = arith.muli %li, %c128 : index
    %r0 = graph.call @k(%a, %c, %x, %c5) : (!t, !t, index, index) -> !t
    graph.scope manual {
      %again = arith.constant 128 : index
      %al = graph.alias %li : index
      %y = arith.muli %al, %again : index
      %z = graph.alias %y : index
      %r1 = graph.call @k(%a, %c, %x, %z) : (!t, !t, index, index) -> !t
      graph.yield
    }
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: arith.constant 128
  // CHECK-NEXT: arith.muli
  // CHECK-NEXT: graph.call @shared(
  graph.func orchestration @main(in %a: !t, inout %c: !t, in %n: index) {
    graph.call @shared(%a, %c, %n) : (!t, !t, index) -> ()
    graph.return
  }
}

// -----

// Only the frontier: %mid feeds %top alone and is recomputed; %top and %low are
// both seen by a task and both parameters, in the order of their definitions.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index, in %u: index) -> (%o)

  // CHECK-LABEL: graph.func graph @frontier(
  // CHECK-SAME: in %li: index, in %lj: index, in %scalar0: index, in %scalar1: index) -> (%c) {
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar1, %scalar0)
  graph.func graph @frontier(in %a: !t, inout %c: !t, in %li: index, in %lj: index) -> (%c) {
    %low = arith.addi %li, %lj : index
    %mid = arith.muli %low, %li : index
    %top = arith.subi %mid, %lj : index
    %r = graph.call @k(%a, %c, %top, %low) : (!t, !t, index, index) -> !t
    graph.return %r : !t
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[LOW:.*]] = arith.addi %n, %m
  // CHECK-NEXT: %[[MID:.*]] = arith.muli %[[LOW]], %n
  // CHECK-NEXT: %[[TOP:.*]] = arith.subi %[[MID]], %m
  // CHECK-NEXT: graph.call @frontier(%a, %c, %n, %m, %[[LOW]], %[[TOP]])
  graph.func orchestration @main(in %a: !t, inout %c: !t, in %n: index, in %m: index) {
    %r = graph.call @frontier(%a, %c, %n, %m) : (!t, !t, index, index) -> !t
    graph.return
  }
}

// -----

// A value with a slot use and a use that needs none: the slot use gets the
// parameter, the other keeps its computation. The bound of a loop without tasks
// creates nothing by itself.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)

  // CHECK-LABEL: graph.func graph @free_use(
  // CHECK-SAME: in %n: index, in %scalar0: index) -> (%c) {
  // CHECK: %[[X:.*]] = arith.addi %n, %n
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[X]]
  // CHECK: graph.call @k(%a, %c, %scalar0)
  graph.func graph @free_use(in %a: !t, inout %c: !t, in %n: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = arith.addi %n, %n : index
    scf.for %j = %c0 to %x step %c1 {
    }
    %r = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
    graph.return %r : !t
  }

  // CHECK-LABEL: graph.func graph @only_free(
  // CHECK-SAME: in %n: index) -> (%c) {
  // CHECK: %[[P:.*]] = arith.cmpi
  // CHECK: scf.if %[[P]]
  graph.func graph @only_free(in %a: !t, inout %c: !t, in %n: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %p = arith.cmpi eq, %n, %c0 : index
    scf.if %p {
    }
    %r = graph.call @k(%a, %c, %n) : (!t, !t, index) -> !t
    graph.return %r : !t
  }
}

// -----

// A hoistable value inside a loop or branch is computed at the launch; so is one
// that is a parameter after a detour through carries, scopes and equal arms.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)

  // CHECK-LABEL: graph.func graph @inside(
  // CHECK-SAME: in %li: index, in %scalar0: index) {
  // CHECK: scf.for
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0)
  graph.func graph @inside(in %a: !t, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %x = arith.addi %li, %c4 : index
      %r = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
    }
    graph.return
  }

  // CHECK-LABEL: graph.func graph @carried(
  // CHECK-SAME: in %li: index) {
  // CHECK: scf.for
  // CHECK: graph.call @k(%a, %c, %li)
  // CHECK: graph.call @k(%a, %c, %li)
  // CHECK: graph.call @k(%a, %c, %li)
  graph.func graph @carried(in %a: !t, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %out = scf.for %j = %c0 to %c4 step %c1 iter_args(%x = %li) -> (index) {
      %r = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
      scf.yield %x : index
    }
    %r1 = graph.call @k(%a, %c, %out) : (!t, !t, index) -> !t
    %s = graph.scope auto -> (index) {
      graph.yield %li : index
    }
    %p = arith.cmpi eq, %li, %c4 : index
    %same = arith.select %p, %s, %out : index
    %r2 = graph.call @k(%a, %c, %same) : (!t, !t, index) -> !t
    graph.return
  }

  // The same for a derived value.
  // CHECK-LABEL: graph.func graph @carried_derived(
  // CHECK-SAME: in %li: index, in %scalar0: index) {
  // CHECK: graph.call @k(%a, %c, %scalar0)
  graph.func graph @carried_derived(in %a: !t, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %d = arith.addi %li, %c4 : index
    scf.for %j = %c0 to %c4 step %c1 iter_args(%x = %d) -> (index) {
      %r = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
      scf.yield %x : index
    }
    graph.return
  }
}

// -----

// A select of hoistable scalars is hoistable; a tied scalar result is its
// operand.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o, %s)

  // CHECK-LABEL: graph.func graph @select(
  // CHECK-SAME: in %li: index, in %scalar0: index) {
  // CHECK-NOT: arith
  // CHECK: %[[R:.*]]:2 = graph.call @k(%a, %c, %scalar0)
  // CHECK-NEXT: graph.call @k(%a, %c, %scalar0)
  // CHECK-NEXT: graph.call @k(%a, %c, %li)
  // CHECK-NEXT: graph.call @k(%a, %c, %li)
  graph.func graph @select(in %a: !t, inout %c: !t, in %li: index) {
    %c4 = arith.constant 4 : index
    %p = arith.cmpi ult, %li, %c4 : index
    %x = arith.select %p, %li, %c4 : index
    %r:2 = graph.call @k(%a, %c, %x) : (!t, !t, index) -> (!t, index)
    %s:2 = graph.call @k(%a, %c, %r#1) : (!t, !t, index) -> (!t, index)
    %u:2 = graph.call @k(%a, %c, %li) : (!t, !t, index) -> (!t, index)
    %v:2 = graph.call @k(%a, %c, %u#1) : (!t, !t, index) -> (!t, index)
    graph.return
  }
}

// -----

// An operation that may trap moves only when it runs on every call. Here both
// do; the divisor may be a parameter.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)

  // CHECK-LABEL: graph.func graph @division(
  // CHECK-SAME: in %n: index, in %m: index, in %scalar0: index, in %scalar1: index) {
  graph.func graph @division(in %a: !t, inout %c: !t, in %n: index, in %m: index) {
    %q = arith.divsi %n, %m : index
    %r0 = graph.call @k(%a, %c, %q) : (!t, !t, index) -> !t
    graph.scope manual {
      %q1 = arith.remui %m, %n : index
      %r1 = graph.call @k(%a, %c, %q1) : (!t, !t, index) -> !t
      graph.yield
    }
    graph.return
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[Q:.*]] = arith.divsi %n, %m
  // CHECK-NEXT: %[[Q1:.*]] = arith.remui %m, %n
  // CHECK-NEXT: graph.call @division(%a, %c, %n, %m, %[[Q]], %[[Q1]])
  graph.func orchestration @main(in %a: !t, inout %c: !t, in %n: index, in %m: index) {
    graph.call @division(%a, %c, %n, %m) : (!t, !t, index, index) -> ()
    graph.return
  }
  // A constant divisor never traps, so the place does not matter.
  // CHECK-LABEL: graph.func graph @by_constant(
  // CHECK-SAME: in %n: index, in %scalar0: index) {
  graph.func graph @by_constant(in %a: !t, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %yes = arith.constant true
    scf.if %yes {
      %q = arith.divsi %n, %c4 : index
      %r0 = graph.call @k(%a, %c, %q) : (!t, !t, index) -> !t
    }
    graph.return
  }
}

// -----

// Names that are taken are skipped.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index, in %u: index) -> (%o)

  // CHECK-LABEL: graph.func graph @names(
  // CHECK-SAME: in %scalar1: {{[^,]*}}, inout %view0: {{[^,]*}}, in %scalar0: index, in %scalar2: index, in %scalar3: index) {
  // CHECK-NEXT: graph.call @k(%scalar1, %view0, %scalar2, %scalar3)
  graph.func graph @names(in %scalar1: !t, inout %view0: !t, in %scalar0: index) {
    %x = arith.addi %scalar0, %scalar0 : index
    %y = arith.muli %x, %x : index
    %r = graph.call @k(%scalar1, %view0, %x, %y) : (!t, !t, index, index) -> !t
    graph.return
  }
}

// -----

// LA48: a module without graph functions is left alone, whatever its runtime.

// CHECK-LABEL: graph.func orchestration @la48(
// CHECK-NEXT: graph.alias
// CHECK-NEXT: arith.addi
// CHECK-NEXT: graph.call @k(
!t = !graph.tensor<128x128xf32>
module {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func orchestration @la48(in %a: !t, inout %c: !t, in %n: index) -> (%c) {
    %al = graph.alias %n : index
    %base = arith.addi %al, %al : index
    %r = graph.call @k(%a, %c, %base) : (!t, !t, index) -> !t
    graph.return %r : !t
  }
}

// -----

// The order of the operands of a sum or product does not matter; that of a
// difference does.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  // CHECK-LABEL: graph.func graph @commuted(
  // CHECK-SAME: in %y: index, in %scalar0: index, in %scalar1: index, in %scalar2: index) {
  // CHECK-NEXT: graph.call @k(%c, %c, %scalar0)
  // CHECK-NEXT: graph.call @k(%c, %c, %scalar0)
  // CHECK-NEXT: graph.call @k(%c, %c, %scalar1)
  // CHECK-NEXT: graph.call @k(%c, %c, %scalar2)
  graph.func graph @commuted(inout %c: !t, in %x: index, in %y: index) {
    %0 = arith.addi %x, %y : index
    %1 = arith.addi %y, %x : index
    %2 = arith.subi %x, %y : index
    %3 = arith.subi %y, %x : index
    graph.call @k(%c, %c, %0) : (!t, !t, index) -> !t
    graph.call @k(%c, %c, %1) : (!t, !t, index) -> !t
    graph.call @k(%c, %c, %2) : (!t, !t, index) -> !t
    graph.call @k(%c, %c, %3) : (!t, !t, index) -> !t
    graph.return
  }
}
