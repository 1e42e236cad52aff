// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics

// LA27, LA28: what a tensor holds cannot be recomputed at the launch, and what is
// computed from it neither. Each value is reported once, at its first use.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func graph @la28(in %idx: !graph.tensor<4xi32>, in %a: !t, inout %c: !t) {
    %c2 = arith.constant 2 : index
    %row = graph.read %idx[0] : !graph.tensor<4xi32>
    // expected-note @below {{it is the result of 'arith.index_cast'}}
    %direct = arith.index_cast %row : i32 to index
    // expected-note @below {{it is the result of 'arith.muli'}}
    %x = arith.muli %direct, %c2 : index
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@la28' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    %r = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
    %again = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@la28' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    %s = graph.call @k(%a, %c, %direct) : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// LA38: an array index has no slot: a scalar parameter there is as wrong as what
// is computed from it.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{it is parameter '%li'}}
  graph.func graph @la38(in %a: !t, inout %c: !t, in %li: index) {
    %c1 = arith.constant 1 : index
    %t = graph.task_dummy : !graph.task_id
    %arr0 = graph.array.create : !graph.array<4 x !graph.task_id>
    // expected-error @below {{[graph-frozen-use] array index in graph function '@la38' varies between replays, but a recording freezes it}}
    // expected-note @below {{it has no slot: every replay would use the value of the first call}}
    // expected-note @below {{use a constant or the variable of a constant-trip loop}}
    %arr1 = graph.array.insert %t, %arr0[%li] : !graph.array<4 x !graph.task_id>
    // expected-note @below {{it is the result of 'arith.addi'}}
    %next = arith.addi %li, %c1 : index
    // expected-error @below {{[graph-frozen-use] array index in graph function '@la38' varies between replays, but a recording freezes it}}
    // expected-note @below {{it has no slot: every replay would use the value of the first call}}
    // expected-note @below {{use a constant or the variable of a constant-trip loop}}
    %arr2 = graph.array.insert %t, %arr0[%next] : !graph.array<4 x !graph.task_id>
    // expected-error @below {{[graph-frozen-use] array index in graph function '@la38' varies between replays, but a recording freezes it}}
    // expected-note @below {{it has no slot: every replay would use the value of the first call}}
    // expected-note @below {{use a constant or the variable of a constant-trip loop}}
    %d = graph.array.extract %arr0[%li] : !graph.array<4 x !graph.task_id>
    %r = graph.call @k(%a, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// A predicate is frozen but for the tensor it reads.

!t = !graph.tensor<128x128xf32>
!g = !graph.tensor<4x2xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{it is parameter '%li'}}
  // expected-note @below {{it is parameter '%z'}}
  graph.func graph @predicate(in %gate: !g, in %a: !t, inout %c: !t, in %li: index, in %z: i32) {
    %zero = arith.constant 0 : i32
    // expected-error @below {{[graph-frozen-use] predicate index in graph function '@predicate' varies between replays, but a recording freezes it}}
    // expected-note @below {{it has no slot: every replay would use the value of the first call}}
    // expected-note @below {{use a constant or the variable of a constant-trip loop}}
    %r0, %t0 = graph.submit @k(%a, %c) predicate(%gate[%li, 0] gt %zero : !g) : (!t, !t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-frozen-use] right-hand side of the predicate in graph function '@predicate' varies between replays, but a recording freezes it}}
    // expected-note @below {{it has no slot: every replay would use the value of the first call}}
    // expected-note @below {{use a constant or the variable of a constant-trip loop}}
    %r1, %t1 = graph.submit @k(%a, %c) predicate(%gate[0, 1] gt %z : !g) : (!t, !t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-frozen-use] predicate index in graph function '@predicate' varies between replays, but a recording freezes it}}
    // expected-error @below {{[graph-frozen-use] right-hand side of the predicate in graph function '@predicate' varies between replays, but a recording freezes it}}
    // expected-note @below {{it has no slot: every replay would use the value of the first call}}
    // expected-note @below {{use a constant or the variable of a constant-trip loop}}
    %r2, %t2 = graph.submit @k(%a, %c) predicate(%gate[0, %li] gt %z : !g) : (!t, !t) -> (!t, !graph.task_id)
    %r3, %t3 = graph.submit @k(%a, %c) predicate(%gate[3, 0] le %zero : !g) : (!t, !t) -> (!t, !graph.task_id)
    graph.return
  }
}

// -----

// A block count is frozen: it must fold to a positive constant.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private spmd @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{it is parameter '%n'}}
  graph.func graph @core_num(in %a: !t, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{[graph-core-num] block count of a task in graph function '@core_num' is not a constant}}
    // expected-note @below {{a replay launches as many blocks as the first call did}}
    // expected-note @below {{use a positive constant and let the blocks skip what is not there}}
    %r0, %t0 = graph.submit @k(%a, %c) core_num(%n) : (!t, !t) -> (!t, !graph.task_id)
    // expected-note @below {{it is the result of 'arith.muli'}}
    %twice = arith.muli %n, %c2 : index
    // expected-error @below {{[graph-core-num] block count of a task in graph function '@core_num' is not a constant}}
    // expected-note @below {{a replay launches as many blocks as the first call did}}
    // expected-note @below {{use a positive constant and let the blocks skip what is not there}}
    %r1, %t1 = graph.submit @k(%a, %c) core_num(%twice) : (!t, !t) -> (!t, !graph.task_id)
    // expected-note @below {{it is the result of 'arith.subi'}}
    %zero = arith.subi %c2, %c2 : index
    // expected-error @below {{[graph-core-num] block count of a task in graph function '@core_num' must be positive, got 0}}
    // expected-note @below {{a replay launches as many blocks as the first call did}}
    // expected-note @below {{use a positive constant and let the blocks skip what is not there}}
    %r2, %t2 = graph.submit @k(%a, %c) core_num(%zero) : (!t, !t) -> (!t, !graph.task_id)
    // LD41
    %r3, %t3 = graph.submit @k(%a, %c) core_num(%c4) : (!t, !t) -> (!t, !graph.task_id)
    %c8 = arith.muli %c2, %c4 : index
    %r4, %t4 = graph.submit @k(%a, %c) core_num(%c8) : (!t, !t) -> (!t, !graph.task_id)
    // The variable of a loop is the same on every replay, but it is no constant.
    // expected-note @below {{it is the induction variable of a loop}}
    scf.for %i = %c1 to %c4 step %c1 {
      // expected-error @below {{[graph-core-num] block count of a task in graph function '@core_num' is not a constant}}
      // expected-note @below {{a replay launches as many blocks as the first call did}}
      // expected-note @below {{use a positive constant and let the blocks skip what is not there}}
      %r5, %t5 = graph.submit @k(%a, %c) core_num(%i) : (!t, !t) -> (!t, !graph.task_id)
    }
    graph.return
  }
}

// -----

// A value computed from a parameter and a loop variable: no launch can compute it
// and it is not the same on every replay.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func graph @mixed(in %a: !t, inout %c: !t, in %li: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      // expected-note @below {{it is the result of 'arith.addi'}}
      %x = arith.addi %li, %j : index
      // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@mixed' varies between replays and the launch cannot recompute it}}
      // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
      // expected-note @below {{every replay would pass the value of the first call}}
      %r = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
    }
    // Carried from iteration to iteration.
    // expected-note @below {{it is the result of 'scf.for'}}
    %sum = scf.for %j = %c0 to %c4 step %c1 iter_args(%acc = %li) -> (index) {
      %next = arith.addi %acc, %c1 : index
      scf.yield %next : index
    }
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@mixed' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    %r = graph.call @k(%a, %c, %sum) : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// A division by a parameter traps when that is zero: it moves to the launch only
// from where it runs on every call.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func graph @division(in %a: !t, inout %c: !t, in %n: index, in %m: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %rows = graph.dim %a, %c0 : !t
    %p = arith.cmpi ugt, %rows, %c4 : index
    scf.if %p {
      // expected-note @below {{it is the result of 'arith.divsi'}}
      // expected-note @below {{'arith.divsi' may trap and does not run on every call}}
      %q = arith.divsi %n, %m : index
      // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@division' varies between replays and the launch cannot recompute it}}
      // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
      // expected-note @below {{every replay would pass the value of the first call}}
      %r = graph.call @k(%a, %c, %q) : (!t, !t, index) -> !t
      // expected-note @below {{it is the result of 'arith.addi'}}
      %twice = arith.addi %q, %q : index
      // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@division' varies between replays and the launch cannot recompute it}}
      // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
      // expected-note @below {{every replay would pass the value of the first call}}
      %s = graph.call @k(%a, %c, %twice) : (!t, !t, index) -> !t
    }
    // A loop that never runs.
    scf.for %j = %c4 to %c0 step %c1 {
      // expected-note @below {{it is the result of 'arith.remui'}}
      // expected-note @below {{'arith.remui' may trap and does not run on every call}}
      %q = arith.remui %n, %m : index
      // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@division' varies between replays and the launch cannot recompute it}}
      // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
      // expected-note @below {{every replay would pass the value of the first call}}
      %r = graph.call @k(%a, %c, %q) : (!t, !t, index) -> !t
    }
    %r = graph.call @k(%a, %c, %c4) : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// Results of branches: not the same on every replay when the condition is not.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
  graph.func graph @branch(in %a: !t, inout %c: !t, in %n: index) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %p = arith.cmpi ugt, %n, %c4 : index
    // expected-note @below {{it is the result of 'scf.if'}}
    %x = scf.if %p -> (index) {
      scf.yield %c1 : index
    } else {
      scf.yield %c4 : index
    }
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@branch' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    %r = graph.call @k(%a, %c, %x) : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// A scalar that a task returns.

!t = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o, index)
  graph.func graph @returned(in %a: !t, inout %c: !t, in %n: index) {
    // expected-note @below {{it is the result of 'graph.call' of '@k'}}
    %r0:2 = graph.call @k(%a, %c, %n) : (!t, !t, index) -> (!t, index)
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@returned' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    %r1:2 = graph.call @k(%a, %c, %r0#1) : (!t, !t, index) -> (!t, index)
    graph.return
  }
}

// -----

// Several in one run, in several functions; the last function is right and is not
// touched either.

!t = !graph.tensor<128x128xf32>
!i = !graph.tensor<4xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %s: i32) -> (%o)
  graph.func graph @one(in %idx: !i, in %a: !t, inout %c: !t) {
    // expected-note @below {{it is the result of 'graph.read'}}
    %row = graph.read %idx[0] : !i
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@one' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    %r = graph.call @k(%a, %c, %row) : (!t, !t, i32) -> !t
    // expected-note @below {{it is the result of 'graph.read'}}
    %row1 = graph.read %idx[1] : !i
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@one' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    %s = graph.call @k(%a, %c, %row1) : (!t, !t, i32) -> !t
    graph.return
  }
  graph.func graph @two(in %idx: !i, in %a: !t, inout %c: !t) {
    // expected-note @below {{it is the result of 'graph.read'}}
    %row = graph.read %idx[0] : !i
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@two' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    %r = graph.call @k(%a, %c, %row) : (!t, !t, i32) -> !t
    graph.return
  }
  graph.func graph @three(in %a: !t, inout %c: !t, in %n: i32) {
    %x = arith.addi %n, %n : i32
    %r = graph.call @k(%a, %c, %x) : (!t, !t, i32) -> !t
    graph.return
  }
}

// -----

// What counts the iterations of a parallel loop is not carried by it.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t, in %n: index) -> (%c)
  graph.func graph @parallel(inout %c: !t) {
    // expected-error @below {{[graph-varying-topology] 'scf.forall' in graph function '@parallel' holds a launch, but only the trips of 'scf.for' are counted}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use an 'scf.for' with constant bounds, and the attribute 'graph.parallel'}}
    // expected-note @below {{it is the induction variable of a loop}}
    scf.forall (%i) in (3) {
      // expected-note @below {{a launch is here}}
      // expected-error @below {{[graph-varying-scalar] scalar argument #1 of a task}}
      // expected-note @below {{every replay would pass the value of the first call}}
      // expected-note @below {{compute it at the launch and pass it}}
      graph.call @k(%c, %i) : (!t, index) -> !t
    }
    graph.return
  }
}
