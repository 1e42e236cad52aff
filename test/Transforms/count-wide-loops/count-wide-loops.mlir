// RUN: pypto-opt --count-wide-loops --mlir-pass-statistics -split-input-file %s 2>%t.stats | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t.stats
// RUN: pypto-opt --count-wide-loops -split-input-file %s -o %t.once
// RUN: pypto-opt --count-wide-loops -split-input-file %t.once -o %t.twice
// RUN: cmp %t.once %t.twice

// STATS: (S) 5 counted-loops
// STATS: (S) 0 counted-loops

!t = !graph.tensor<4xf32>
graph.func private incore @k(inout %o: !t, in %n: i8) -> (%o)
graph.func private incore @kx(inout %o: !t, in %n: index) -> (%o)

// CHECK-LABEL: graph.func graph @signed
// CHECK-DAG: %[[LOW:.*]] = arith.constant -128 : i8
// CHECK-DAG: %[[STEP:.*]] = arith.constant 100 : i8
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[TRIPS:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: scf.for %[[N:.*]] = %[[ZERO]] to %[[TRIPS]] step %[[ONE]] iter_args(%[[X:.*]] = %a, %[[Y:.*]] = %b) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) : i64 {
// CHECK-NEXT: %[[NARROW:.*]] = arith.trunci %[[N]] : i64 to i8
// CHECK-NEXT: %[[OFFSET:.*]] = arith.muli %[[NARROW]], %[[STEP]] : i8
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[LOW]], %[[OFFSET]] : i8
// CHECK-NEXT: graph.call @k(%[[X]], %[[I]])
// CHECK: scf.yield %[[Y]], %[[X]]
// CHECK-NEXT: } {graph.parallel}
graph.func graph @signed(inout %a: !t, inout %b: !t) {
  %low = arith.constant -128 : i8
  %high = arith.constant 127 : i8
  %step = arith.constant 100 : i8
  %r:2 = scf.for %i = %low to %high step %step iter_args(%x = %a, %y = %b) -> (!t, !t) : i8 {
    %0 = graph.call @k(%x, %i) : (!t, i8) -> !t
    scf.yield %y, %x : !t, !t
  } {graph.parallel}
  graph.return
}

// As often as the type has values, but one.
// CHECK-LABEL: graph.func graph @index
// CHECK-DAG: %[[TRIPS:.*]] = arith.constant -1 : index
// CHECK: scf.for unsigned %{{.*}} = %{{.*}} to %[[TRIPS]] step
graph.func graph @index(inout %o: !t) {
  %low = arith.constant -9223372036854775808 : index
  %high = arith.constant 9223372036854775807 : index
  %step = arith.constant 1 : index
  scf.for %i = %low to %high step %step {
    graph.call @kx(%o, %i) : (!t, index) -> !t
  }
  graph.return
}

// One in another, and unsigned ones whose step is a negative number to MLIR.
// CHECK-LABEL: graph.func graph @unsigned
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
graph.func graph @unsigned(inout %o: !t) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %most = arith.constant -1 : i8
  %half = arith.constant -128 : i8
  %false = arith.constant false
  %true = arith.constant true
  scf.for unsigned %i = %zero to %one step %most : i8 {
    scf.for unsigned %j = %one to %most step %half : i8 {
      scf.for unsigned %b = %false to %true step %true : i1 {
        graph.call @k(%o, %j) : (!t, i8) -> !t
      }
    }
  }
  graph.return
}

// -----

// Nothing is changed about loops that MLIR understands, do not run, or have no
// constant bounds.

!t = !graph.tensor<4xf32>
graph.func private incore @k(inout %o: !t, in %n: i8) -> (%o)

// CHECK-LABEL: graph.func graph @understood
// CHECK: scf.for %{{.*}} = %c0_i8 to %c127_i8 step %c1_i8 : i8
// CHECK: scf.for unsigned %{{.*}} = %c0_i8 to %c-1_i8 step %c1_i8 : i8
// CHECK: scf.for %{{.*}} = %c127_i8 to %c-128_i8 step %c1_i8 : i8
// CHECK: scf.for %{{.*}} = %c-128_i8 to %n step %c1_i8 : i8
// CHECK: scf.for %{{.*}} = %c-128_i8 to %c127_i8 step %c-1_i8 : i8
// CHECK: scf.for unsigned %{{.*}} = %c0_i8 to %c-1_i8 step %c0_i8 : i8
graph.func graph @understood(inout %o: !t, in %n: i8) {
  %c0_i8 = arith.constant 0 : i8
  %c1_i8 = arith.constant 1 : i8
  %c127_i8 = arith.constant 127 : i8
  %c-128_i8 = arith.constant -128 : i8
  %c-1_i8 = arith.constant -1 : i8
  scf.for %i = %c0_i8 to %c127_i8 step %c1_i8 : i8 {
    graph.call @k(%o, %i) : (!t, i8) -> !t
  }
  scf.for unsigned %i = %c0_i8 to %c-1_i8 step %c1_i8 : i8 {
    graph.call @k(%o, %i) : (!t, i8) -> !t
  }
  scf.for %i = %c127_i8 to %c-128_i8 step %c1_i8 : i8 {
    graph.call @k(%o, %i) : (!t, i8) -> !t
  }
  scf.for %i = %c-128_i8 to %n step %c1_i8 : i8 {
    graph.call @k(%o, %i) : (!t, i8) -> !t
  }
  scf.for %i = %c-128_i8 to %c127_i8 step %c-1_i8 : i8 {
    graph.call @k(%o, %i) : (!t, i8) -> !t
  }
  scf.for unsigned %i = %c0_i8 to %c-1_i8 step %c0_i8 : i8 {
    graph.call @k(%o, %i) : (!t, i8) -> !t
  }
  graph.return
}
