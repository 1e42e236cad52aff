// RUN: pypto-opt %s --test-topology-count --verify-diagnostics

graph.func private incore @k(in %a: !graph.tensor<16xf32>, inout %o: !graph.tensor<16xf32>) -> (%o)
graph.func private spmd @blocks(in %a: !graph.tensor<16xf32>)
graph.func private incore @scalar(in %a: !graph.tensor<16xf32>, in %n: index) -> (%n)
graph.func private incore @tail(in %a: !graph.tensor<16xf32>, out %s: !graph.tensor<16xf32>) -> (%s)

// expected-remark @below {{records 0 nodes}}
graph.func graph @empty(in %a: !graph.tensor<16xf32>) {
  graph.return
}

// One launch is one node (LD32), whatever it launches and the runtime allocates.
// expected-remark @below {{records 5 nodes}}
graph.func graph @launches(in %a: !graph.tensor<16xf32>, inout %o: !graph.tensor<16xf32>) {
  %c8 = arith.constant 8 : index
  %0 = graph.call @k(%a, %o) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
  graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  %t = graph.submit @blocks(%a) core_num(%c8) : (!graph.tensor<16xf32>) -> (!graph.task_id)
  %1, %u = graph.submit @tail(%a) : (!graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.task_id)
  %v = graph.task_dummy : !graph.task_id
  graph.return
}

// What is moved out does not count (LC16).
// expected-remark @below {{records 1 nodes}}
graph.func graph @ignored(in %a: !graph.tensor<16xf32>) {
  %0 = graph.create {ignored} : !graph.tensor<16xf32>
  %1 = graph.call @k(%a, %0) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
  graph.return
}

// An allocation before, between and after the launches: one batch.
// expected-remark @below {{records 4 nodes}}
graph.func graph @batch(in %a: !graph.tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = graph.create : !graph.tensor<16xf32>
  graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  %1 = graph.full %zero : !graph.tensor<16xf32>
  graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  %2 = graph.create : !graph.tensor<16xf32>
  graph.return
}

// LD14: no iteration, no node.
// expected-remark @below {{records 0 nodes}}
graph.func graph @no_trips(in %a: !graph.tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  // expected-remark @below {{runs 0 iterations}}
  scf.for %i = %c5 to %c5 step %c1 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } {trips}
  // expected-remark @below {{runs 0 iterations}}
  scf.for %i = %c10 to %c0 step %c1 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } {trips}
  graph.return
}

// LD15: allocations of a loop are nodes by themselves; LD38: a batch of one an
// iteration.
// expected-remark @below {{records 6 nodes}}
graph.func graph @bare_create(in %a: !graph.tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %0 = graph.create : !graph.tensor<16xf32>
  }
  graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  graph.return
}

// LD16
// expected-remark @below {{records 1025 nodes}}
graph.func graph @many(in %a: !graph.tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1025 = arith.constant 1025 : index
  scf.for %i = %c0 to %c1025 step %c1 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  }
  graph.return
}

// LD31
// expected-remark @below {{records 2000 nodes}}
graph.func graph @dummies(in %a: !graph.tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    scf.for %j = %c0 to %c20 step %c1 {
      %t = graph.task_dummy : !graph.task_id
    }
  }
  graph.return
}

// LD36: 2 * (1 + 1) and 2 * (2 + 1), and one launch beside them.
// expected-remark @below {{records 11 nodes}}
graph.func graph @batches(in %a: !graph.tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = graph.create : !graph.tensor<1xf32>
    %1 = graph.create : !graph.tensor<1xf32>
    %2 = graph.create : !graph.tensor<1xf32>
    %3 = graph.create : !graph.tensor<1xf32>
    %4 = graph.create : !graph.tensor<1xf32>
    %5 = graph.create : !graph.tensor<1xf32>
    %6 = graph.create : !graph.tensor<1xf32>
    %7 = graph.create : !graph.tensor<1xf32>
    %8 = graph.create : !graph.tensor<1xf32>
    %9 = graph.create : !graph.tensor<1xf32>
    %10 = graph.create : !graph.tensor<1xf32>
    %11 = graph.create : !graph.tensor<1xf32>
    %12 = graph.create : !graph.tensor<1xf32>
    %13 = graph.create : !graph.tensor<1xf32>
    %14 = graph.create : !graph.tensor<1xf32>
    %15 = graph.create : !graph.tensor<1xf32>
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = graph.create : !graph.tensor<1xf32>
    %1 = graph.create : !graph.tensor<1xf32>
    %2 = graph.create : !graph.tensor<1xf32>
    %3 = graph.create : !graph.tensor<1xf32>
    %4 = graph.create : !graph.tensor<1xf32>
    %5 = graph.create : !graph.tensor<1xf32>
    %6 = graph.create : !graph.tensor<1xf32>
    %7 = graph.create : !graph.tensor<1xf32>
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    %8 = graph.create : !graph.tensor<1xf32>
    %9 = graph.create : !graph.tensor<1xf32>
    %10 = graph.create : !graph.tensor<1xf32>
    %11 = graph.create : !graph.tensor<1xf32>
    %12 = graph.create : !graph.tensor<1xf32>
    %13 = graph.create : !graph.tensor<1xf32>
    %14 = graph.create : !graph.tensor<1xf32>
    %15 = graph.create : !graph.tensor<1xf32>
    %16 = graph.create : !graph.tensor<1xf32>
  }
  graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  graph.return
}

// LD37: a scope is a statement list of its own. 2 * (1 + (1 + 1)).
// expected-remark @below {{records 6 nodes}}
graph.func graph @scope(in %a: !graph.tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = graph.create : !graph.tensor<1xf32>
    %1 = graph.create : !graph.tensor<1xf32>
    %2 = graph.create : !graph.tensor<1xf32>
    graph.scope manual {
      %3 = graph.create : !graph.tensor<1xf32>
      %4 = graph.create : !graph.tensor<1xf32>
      %5 = graph.create : !graph.tensor<1xf32>
      graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    }
  }
  graph.return
}

// The larger arm, each a list of its own: max(2, 1 + 2) and max(0, 1) and
// max(1, 2, 0).
// expected-remark @below {{records 6 nodes}}
graph.func graph @arms(in %a: !graph.tensor<16xf32>) {
  %f = arith.constant true
  %c0 = arith.constant 0 : index
  scf.if %f {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } else {
    %0 = graph.create : !graph.tensor<1xf32>
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  }
  scf.if %f {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  }
  scf.index_switch %c0
  case 0 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    scf.yield
  }
  case 1 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    scf.yield
  }
  default {
    scf.yield
  }
  graph.return
}

// What is not countable is left out; the rest is counted.
// expected-remark @below {{records 2 nodes}}
graph.func graph @uncountable(in %a: !graph.tensor<16xf32>, in %n: index, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %c0 to %n step %c1 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } {trips}
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %n to %c4 step %c1 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } {trips}
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %c0 to %c4 step %n {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } {trips}
  scf.while : () -> () {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    scf.condition(%f)
  } do {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    scf.yield
  }
  scf.execute_region {
    cf.br ^bb1
  ^bb1:
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    cf.cond_br %f, ^bb1, ^bb2
  ^bb2:
    scf.yield
  }
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    scf.reduce
  }
  scf.execute_region {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    scf.yield
  }
  graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  graph.return
}

// E2E13: 2 * (21 + 2).
// expected-remark @below {{records 46 nodes}}
graph.func graph @chain(in %a: !graph.tensor<1xf32>, inout %o: !graph.tensor<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = graph.create : !graph.tensor<1xf32>
    %1 = graph.task_dummy : !graph.task_id
    %2 = graph.create : !graph.tensor<1xf32>
    %3 = graph.task_dummy : !graph.task_id
    %4 = graph.create : !graph.tensor<1xf32>
    %5 = graph.task_dummy : !graph.task_id
    %6 = graph.create : !graph.tensor<1xf32>
    %7 = graph.task_dummy : !graph.task_id
    %8 = graph.create : !graph.tensor<1xf32>
    %9 = graph.task_dummy : !graph.task_id
    %10 = graph.create : !graph.tensor<1xf32>
    %11 = graph.task_dummy : !graph.task_id
    %12 = graph.create : !graph.tensor<1xf32>
    %13 = graph.task_dummy : !graph.task_id
    %14 = graph.create : !graph.tensor<1xf32>
    %15 = graph.task_dummy : !graph.task_id
    %16 = graph.create : !graph.tensor<1xf32>
    %17 = graph.task_dummy : !graph.task_id
    %18 = graph.create : !graph.tensor<1xf32>
    %19 = graph.task_dummy : !graph.task_id
    %20 = graph.create : !graph.tensor<1xf32>
    %21 = graph.task_dummy : !graph.task_id
    %22 = graph.create : !graph.tensor<1xf32>
    %23 = graph.task_dummy : !graph.task_id
    %24 = graph.create : !graph.tensor<1xf32>
    %25 = graph.task_dummy : !graph.task_id
    %26 = graph.create : !graph.tensor<1xf32>
    %27 = graph.task_dummy : !graph.task_id
    %28 = graph.create : !graph.tensor<1xf32>
    %29 = graph.task_dummy : !graph.task_id
    %30 = graph.create : !graph.tensor<1xf32>
    %31 = graph.task_dummy : !graph.task_id
    %32 = graph.create : !graph.tensor<1xf32>
    %33 = graph.task_dummy : !graph.task_id
    %34 = graph.create : !graph.tensor<1xf32>
    %35 = graph.task_dummy : !graph.task_id
    %36 = graph.create : !graph.tensor<1xf32>
    %37 = graph.task_dummy : !graph.task_id
    %38 = graph.create : !graph.tensor<1xf32>
    %39 = graph.task_dummy : !graph.task_id
    %40 = graph.task_dummy : !graph.task_id
  }
  graph.return
}

// LD21, LD26: counts do not wrap around.
// expected-remark @below {{records 18446744073709551615 nodes}}
graph.func graph @span(in %a: !graph.tensor<16xf32>) {
  %min = arith.constant -9223372036854775808 : index
  %max = arith.constant 9223372036854775807 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{runs 18446744073709551615 iterations}}
  scf.for %i = %min to %max step %c1 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } {trips}
  graph.return
}

// expected-remark @below {{records 18446744073709551615 nodes}}
graph.func graph @saturated(in %a: !graph.tensor<16xf32>) {
  %min = arith.constant -9223372036854775808 : index
  %max = arith.constant 9223372036854775807 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %huge = arith.constant 1099511627776 : index
  scf.for %i = %c0 to %huge step %c1 {
    scf.for %j = %c0 to %huge step %c1 {
      graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
      graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    }
  }
  // expected-remark @below {{runs 9223372036854775808 iterations}}
  scf.for %i = %min to %max step %c2 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } {trips}
  graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  graph.return
}

// A bound that is a constant by what it is tied to.
// expected-remark @below {{records 4 nodes}}
// expected-remark @below {{records 1 nodes without identity}}
graph.func graph @tied_bound(in %a: !graph.tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %bound = graph.call @scalar(%a, %c3) : (!graph.tensor<16xf32>, index) -> index
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %c0 to %bound step %c1 {
    graph.call @blocks(%a) : (!graph.tensor<16xf32>) -> ()
  } {trips}
  graph.return
}

// Trip counts in the loop's own width and order.
// expected-remark @below {{records 0 nodes}}
graph.func graph @trips(in %a: !graph.tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %m1 = arith.constant -1 : index
  %max = arith.constant 9223372036854775807 : index
  // expected-remark @below {{runs 3 iterations}}
  scf.for %i = %c0 to %c9 step %c3 {
  } {trips}
  // expected-remark @below {{runs 4 iterations}}
  scf.for %i = %c0 to %c10 step %c3 {
  } {trips}
  // expected-remark @below {{runs 11 iterations}}
  scf.for %i = %m1 to %c10 step %c1 {
  } {trips}
  // expected-remark @below {{runs 1 iterations}}
  scf.for %i = %c0 to %c10 step %max {
  } {trips}
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %c10 to %c0 step %m1 {
  } {trips}
  // Nor in a loop that would not run.
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %c0 to %c0 step %c0 {
  } {trips}
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %c0 to %c10 step %c0 {
  } {trips}
  // Unsigned, -1 is the largest number.
  // expected-remark @below {{runs 0 iterations}}
  scf.for unsigned %i = %m1 to %c10 step %c1 {
  } {trips}
  // expected-remark @below {{runs 18446744073709551615 iterations}}
  scf.for unsigned %i = %c0 to %m1 step %c1 {
  } {trips}
  // expected-remark @below {{runs 1 iterations}}
  scf.for unsigned %i = %c0 to %c10 step %m1 {
  } {trips}
  // expected-remark @below {{no constant trip count}}
  scf.for unsigned %i = %c0 to %c10 step %c0 {
  } {trips}

  %lo8 = arith.constant -128 : i8
  %hi8 = arith.constant 127 : i8
  %one8 = arith.constant 1 : i8
  // expected-remark @below {{runs 255 iterations}}
  scf.for %i = %lo8 to %hi8 step %one8 : i8 {
  } {trips}
  // 128 to 127.
  // expected-remark @below {{runs 0 iterations}}
  scf.for unsigned %i = %lo8 to %hi8 step %one8 : i8 {
  } {trips}
  // The step is -128 or 128.
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %one8 to %hi8 step %lo8 : i8 {
  } {trips}
  // expected-remark @below {{runs 1 iterations}}
  scf.for unsigned %i = %one8 to %hi8 step %lo8 : i8 {
  } {trips}
  %false = arith.constant false
  %true = arith.constant true
  // As signed bits, true is -1.
  // expected-remark @below {{no constant trip count}}
  scf.for %i = %false to %true step %true : i1 {
  } {trips}
  // expected-remark @below {{runs 1 iterations}}
  scf.for unsigned %i = %false to %true step %true : i1 {
  } {trips}
  %lo128 = arith.constant 0 : i128
  %hi128 = arith.constant 170141183460469231731687303715884105727 : i128
  %one128 = arith.constant 1 : i128
  %big128 = arith.constant 18446744073709551616 : i128
  // More than a count can say.
  // expected-remark @below {{runs 18446744073709551615 iterations}}
  scf.for %i = %lo128 to %hi128 step %one128 : i128 {
  } {trips}
  // expected-remark @below {{runs 9223372036854775808 iterations}}
  scf.for %i = %lo128 to %hi128 step %big128 : i128 {
  } {trips}
  // A renamed constant is one.
  %first = graph.alias %c9 : index
  %second = graph.alias %first : index
  // expected-remark @below {{runs 9 iterations}}
  scf.for %i = %c0 to %second step %c1 {
  } {trips}
  graph.return
}
