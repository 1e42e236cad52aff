// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file | FileCheck %s
// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file -o %t.once
// RUN: pypto-opt %t.once --legalize-graph-boundary --split-input-file | diff %t.once -
// RUN: pypto-opt %t.once --verify-graph-boundary --split-input-file -o /dev/null

// Every launch in the module is rewritten, whatever it looks like and wherever
// it stands; what it needs is computed just before it.

// LA42: a call with and without directions, a submit in a manual scope, a body
// that is the bare launch, both arms of a branch, a while loop.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, in %b: !t, inout %o: !t, in %s: index) -> (%o)

  // CHECK-LABEL: graph.func graph @layer(
  // CHECK-SAME: in %w: !graph.tensor<512x128xf32>, inout %c: !graph.tensor<128x128xf32>, in %li: index,
  // CHECK-SAME: inout %alloc0: !graph.tensor<128x128xf32>, in %view0: !graph.tensor<128x128xf32>, in %scalar0: index) -> (%c)
  graph.func graph @layer(in %w: !w, inout %c: !t, in %li: index) -> (%c) {
    %tmp = graph.create : !t
    %base = arith.addi %li, %li : index
    %wl = graph.slice %w[%base, 0] [128, 128] : !w to !t
    %tmp1 = graph.call @k(%wl, %c, %tmp, %base) : (!t, !t, !t, index) -> !t
    %c1 = graph.call @k(%wl, %tmp1, %c, %li) : (!t, !t, !t, index) -> !t
    graph.return %c1 : !t
  }

  // CHECK-LABEL: graph.func orchestration @main(
  graph.func orchestration @main(in %w: !w, inout %c: !t, in %n: index, in %p: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // Scalars first, then allocations and windows, then the launch.
    // CHECK: %[[BASE:.*]] = arith.addi %n, %n : index
    // CHECK-NEXT: %[[TMP:.*]] = graph.create : !graph.tensor<128x128xf32>
    // CHECK-NEXT: %[[WL:.*]] = graph.slice %w[%[[BASE]], 0] [128, 128]
    // CHECK-NEXT: graph.call @layer(%w, %c, %n, %[[TMP]], %[[WL]], %[[BASE]])
    %0 = graph.call @layer(%w, %c, %n) : (!w, !t, index) -> !t
    // CHECK: graph.call @layer(input %w, inout %c, scalar %n, inout %{{.*}}, input %{{.*}}, scalar %{{.*}})
    %1 = graph.call @layer(input %w, inout %c, scalar %n) : (!w, !t, index) -> !t
    // CHECK: graph.scope manual
    graph.scope manual {
      // CHECK-NEXT: %[[BASE:.*]] = arith.addi %n, %n : index
      // CHECK-NEXT: %[[TMP:.*]] = graph.create
      // CHECK-NEXT: %[[WL:.*]] = graph.slice
      // CHECK-NEXT: graph.submit @layer(%w, %c, %n, %[[TMP]], %[[WL]], %[[BASE]])
      %2, %t2 = graph.submit @layer(%w, %c, %n) : (!w, !t, index) -> (!t, !graph.task_id)
      // CHECK: graph.submit @layer(input %w, inout %c, scalar %n, inout %{{.*}}, input %{{.*}}, scalar %{{.*}})
      %3, %t3 = graph.submit @layer(input %w, inout %c, scalar %n) : (!w, !t, index) -> (!t, !graph.task_id)
      graph.yield
    }
    // CHECK: scf.for %[[I:[a-z0-9]+]] =
    scf.for %i = %c0 to %n step %c1 {
      // CHECK-NEXT: %[[BASE:.*]] = arith.addi %[[I]], %[[I]] : index
      // CHECK-NEXT: %[[TMP:.*]] = graph.create
      // CHECK-NEXT: %[[WL:.*]] = graph.slice %w[%[[BASE]], 0]
      // CHECK-NEXT: graph.call @layer(%w, %c, %[[I]], %[[TMP]], %[[WL]], %[[BASE]])
      // CHECK-NEXT: }
      %4 = graph.call @layer(%w, %c, %i) : (!w, !t, index) -> !t
    }
    // CHECK: scf.if %p
    scf.if %p {
      // CHECK-NEXT: arith.addi %n, %n
      // CHECK-NEXT: graph.create
      // CHECK-NEXT: graph.slice
      // CHECK-NEXT: graph.call @layer(
      %5 = graph.call @layer(%w, %c, %n) : (!w, !t, index) -> !t
    // CHECK: else
    } else {
      // CHECK: arith.addi %[[C1:.*]], %[[C1]]
      // CHECK-NEXT: graph.create
      // CHECK-NEXT: graph.slice
      // CHECK-NEXT: graph.call @layer(
      %6 = graph.call @layer(%w, %c, %c1) : (!w, !t, index) -> !t
    }
    // CHECK: scf.while
    // CHECK: graph.create
    // CHECK: graph.call @layer(
    scf.while : () -> () {
      %q = arith.cmpi ult, %n, %c1 : index
      scf.condition(%q)
    } do {
      %7 = graph.call @layer(%w, %c, %n) : (!w, !t, index) -> !t
      scf.yield
    }
    graph.return
  }
}

// -----

// LB11 and E2E09: what a launch returns is tied by name, so appended parameters
// do not move it.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k2(in %a: !t, inout %x: !t, inout %y: !t) -> (%x, %y)
  graph.func private incore @use(in %a: !t, in %b: !t, inout %o: !t) -> (%o)

  // LC25
  // CHECK-LABEL: graph.func graph @swap(
  // CHECK-SAME: inout %x: {{[^,]*}}, inout %y: {{[^,]*}}, inout %alloc0: !graph.tensor<128x128xf32>) -> (%y, %x) {
  graph.func graph @swap(inout %x: !t, inout %y: !t) -> (%y, %x) {
    %tmp = graph.create : !t
    %r:2 = graph.call @k2(%x, %tmp, %y) : (!t, !t, !t) -> (!t, !t)
    graph.return %r#1, %x : !t, !t
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[TMP:.*]] = graph.create
  // CHECK-NEXT: %[[R:.*]]:2 = graph.call @swap(%p, %q, %[[TMP]])
  // CHECK-NEXT: graph.call @use(%[[R]]#0, %[[R]]#1, %out)
  graph.func orchestration @main(inout %p: !t, inout %q: !t, inout %out: !t) {
    %r:2 = graph.call @swap(%p, %q) : (!t, !t) -> (!t, !t)
    %s = graph.call @use(%r#0, %r#1, %out) : (!t, !t, !t) -> !t
    graph.return
  }
}

// -----

// The launch may know more of the extents than the function says.

!t = !graph.tensor<128x128xf32>
!dyn = !graph.tensor<?x128xf32>
!w = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @flat(in %a: !graph.tensor<64x1024xf32>, inout %o: !t) -> (%o)

  // CHECK-LABEL: graph.func graph @layer(
  // CHECK-SAME: in %w: !graph.tensor<?x128xf32>
  // CHECK-SAME: in %view0: !graph.tensor<128x128xf32>) -> (%c)
  graph.func graph @layer(in %w: !dyn, inout %c: !t, in %li: index) -> (%c) {
    %wl = graph.slice %w[%li, 0] [128, 128] : !dyn to !t
    %c1 = graph.call @k(%wl, %c) : (!t, !t) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK-NEXT: %[[WL:.*]] = graph.slice %w[%n, 0] [128, 128] : !graph.tensor<512x128xf32> to !graph.tensor<128x128xf32>
  // CHECK-NEXT: graph.call @layer(%w, %c, %n, %[[WL]]) :
  // CHECK-SAME: (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index, !graph.tensor<128x128xf32>)
  graph.func orchestration @main(in %w: !w, inout %c: !t, in %n: index) {
    %r = graph.call @layer(%w, %c, %n) : (!w, !t, index) -> !t
    graph.return
  }

  // CHECK-LABEL: graph.func graph @reshape(
  // CHECK-SAME: in %view0: !graph.tensor<64x1024xf32>) -> (%c)
  graph.func graph @reshape(in %w: !dyn, inout %c: !t) -> (%c) {
    %wl = graph.view %w [64, 1024] : !dyn to !graph.tensor<64x1024xf32>
    %c1 = graph.call @flat(%wl, %c) : (!graph.tensor<64x1024xf32>, !t) -> !t
    graph.return %c1 : !t
  }
  // CHECK-LABEL: graph.func orchestration @main2(
  // CHECK: graph.view %{{.*}} [64, 1024]
  // CHECK-NEXT: graph.call @reshape(%w, %c, %{{.*}})
  graph.func orchestration @main2(in %w: !w, inout %c: !t) {
    %r = graph.call @reshape(%w, %c) : (!w, !t) -> !t
    graph.return
  }
}

// -----

// Attributes of the operands of a call and of parameters and results stay where
// they are.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  // CHECK-LABEL: graph.func graph @layer(
  // CHECK-SAME: in %a: !graph.tensor<128x128xf32> {my.note = 1 : i64}, inout %c: !graph.tensor<128x128xf32>,
  // CHECK-SAME: in %li: index, in %scalar0: index) -> (%c {my.result}) attributes {level = "chip", my.func}
  graph.func graph @layer(in %a: !t {my.note = 1}, inout %c: !t, in %li: index)
      -> (%c {my.result}) attributes {level = "chip", my.func} {
    %x = arith.addi %li, %li : index
    %r = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
    graph.return %r : !t
  }
  // CHECK-LABEL: graph.func orchestration @main(
  // CHECK: graph.call @layer(%a, %c, %n, %{{.*}}) {my.launch}
  graph.func orchestration @main(in %a: !t, inout %c: !t, in %n: index) {
    %r = graph.call @layer(%a, %c, %n) {my.launch} : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// A launch without operands gets directions with its first argument when the
// tasks of the function have them, and none when they have none.

// CHECK-LABEL: graph.func graph @directed(inout %alloc0
// CHECK: graph.call @k(inout %alloc0)
// CHECK-LABEL: graph.func graph @plain(inout %alloc0
// CHECK: graph.call @k(%alloc0)
// CHECK-LABEL: graph.func orchestration @main
// CHECK: graph.call @directed(inout %{{.*}})
// CHECK: graph.submit @directed(inout %{{.*}})
// CHECK: graph.call @plain(%{{.*}})
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %t: !graph.tensor<16xf32>)
  graph.func graph @directed() {
    %t = graph.create : !graph.tensor<16xf32>
    graph.call @k(inout %t) : (!graph.tensor<16xf32>) -> ()
    graph.return
  }
  graph.func graph @plain() {
    %t = graph.create : !graph.tensor<16xf32>
    graph.call @k(%t) : (!graph.tensor<16xf32>) -> ()
    graph.return
  }
  graph.func orchestration @main() {
    graph.call @directed() : () -> ()
    %task = graph.submit @directed() : () -> !graph.task_id
    graph.call @plain() : () -> ()
    graph.return
  }
}
