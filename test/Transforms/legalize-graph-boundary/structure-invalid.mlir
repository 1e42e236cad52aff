// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics

// Programs of unusual structure that are wrong: an error, never a crash.

// Loops that are no scf.for do not say how often they run.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @parallel(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{[graph-varying-topology] 'scf.parallel' in graph function '@parallel' holds a launch, but only the trips of 'scf.for' are counted}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use an 'scf.for' with constant bounds, and the attribute 'graph.parallel'}}
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      // expected-note @below {{a launch is here}}
      graph.call @k(%c, %c) : (!t, !t) -> !t
      scf.reduce
    }
    // expected-error @below {{[graph-varying-topology] 'scf.forall' in graph function '@parallel' holds a launch, but only the trips of 'scf.for' are counted}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use an 'scf.for' with constant bounds, and the attribute 'graph.parallel'}}
    scf.forall (%i) in (4) {
      // expected-note @below {{a launch is here}}
      graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// Blocks without structure.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @blocks(inout %c: !t, in %f: i1) {
    // expected-error @below {{[graph-varying-topology] 'scf.execute_region' in graph function '@blocks' holds a launch, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.execute_region {
      // expected-error @below {{[graph-illegal-op] 'cf.cond_br' cannot stand in graph function '@blocks'}}
      // expected-note @below {{a recording consists of tasks}}
      // expected-note @below {{move it to the caller or into a kernel}}
      cf.cond_br %f, ^bb1, ^bb2
    ^bb1:
      // expected-note @below {{a launch is here}}
      graph.call @k(%c, %c) : (!t, !t) -> !t
      // expected-error @below {{[graph-illegal-op] 'cf.br' cannot stand in graph function '@blocks'}}
      // expected-note @below {{a recording consists of tasks}}
      // expected-note @below {{move it to the caller or into a kernel}}
      cf.br ^bb2
    ^bb2:
      scf.yield
    }
    graph.return
  }
}

// -----

// A launch from a function of another dialect.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %n: index) -> (%o)
  // expected-note @below {{graph function '@layer' is defined here}}
  graph.func graph @layer(inout %c: !t, in %n: index) {
    %x = arith.addi %n, %n : index
    graph.call @k(%c, %c, %x) : (!t, !t, index) -> !t
    graph.return
  }
  func.func @main(%c: !t, %n: index) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from no function of this dialect}}
    // expected-note @below {{a graph is launched by the host, outside any recording}}
    // expected-note @below {{launch it from an orchestration or opaque function}}
    graph.call @layer(%c, %n) : (!t, index) -> ()
    return
  }
}

// -----

// Two graph functions that call each other.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // expected-note @below {{the callee is defined here}}
  graph.func graph @ping(inout %c: !t) {
    // expected-error @below {{[graph-illegal-callee] graph function '@ping' calls '@pong' of kind 'graph'}}
    // expected-note @below {{a graph cannot be recorded inside a recording}}
    // expected-note @below {{launch it from the caller}}
    graph.call @pong(%c) : (!t) -> ()
    graph.return
  }
  // expected-note @below {{the callee is defined here}}
  graph.func graph @pong(inout %c: !t) {
    // expected-error @below {{[graph-illegal-callee] graph function '@pong' calls '@ping' of kind 'graph'}}
    // expected-note @below {{a graph cannot be recorded inside a recording}}
    // expected-note @below {{launch it from the caller}}
    graph.call @ping(%c) : (!t) -> ()
    graph.return
  }
}

// -----

// A scalar that went through an array is a copy.

!t = !graph.tensor<16xf32>
!a = !graph.array<4 x index>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %n: index) -> (%o)
  graph.func graph @array(inout %c: !t, in %n: index) {
    %c5 = arith.constant 5 : index
    %a = graph.array.create : !a
    %b = graph.array.insert %n, %a[0] : !a
    // expected-note @below {{it is the result of 'graph.array.extract'}}
    %e = graph.array.extract %b[0] : !a
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@array' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    graph.call @k(%c, %c, %e) : (!t, !t, index) -> !t
    %d = graph.array.insert %c5, %a[0] : !a
    %f = graph.array.extract %d[0] : !a
    graph.call @k(%c, %c, %f) : (!t, !t, index) -> !t
    graph.return
  }
}

// -----

// An extent along an axis that varies; the window of a choice.

!t = !graph.tensor<128x128xf32>
!h = !graph.tensor<64x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t, in %n: index) -> (%o)
  graph.func private incore @kh(in %a: !h, inout %o: !t) -> (%o)
  // expected-note @below {{this varies: parameter '%x'}}
  graph.func graph @axis(inout %c: !t, in %a: !t, in %b: !t, in %x: index, in %f: i1) {
    // expected-note @below {{it is the result of 'graph.dim'}}
    %n = graph.dim %c, %x : !t
    // expected-error @below {{[graph-varying-scalar] scalar argument #2 of a task in graph function '@axis' varies between replays and the launch cannot recompute it}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    // expected-note @below {{every replay would pass the value of the first call}}
    graph.call @k(%c, %c, %n) : (!t, !t, index) -> !t
    // expected-note @below {{the launch has no name for its source: the result of 'arith.select'}}
    %m = arith.select %f, %a, %b : !t
    // expected-error @below {{[graph-moving-view] window of the result of 'arith.select' in graph function '@axis' moves between replays and cannot be taken at the launch}}
    // expected-note @below {{a replay would read the window of the first call}}
    // expected-note @below {{it is chosen here: the result of 'graph.slice'}}
    // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
    %v = graph.slice %m[%x, 0] [64, 128] : !t to !h
    // expected-error @below {{[graph-varying-choice] operand of a task in graph function '@axis' may name another buffer on a replay}}
    // expected-note @below {{a replay uses what the first call chose}}
    // expected-note @below {{choose at the launch and pass the chosen one as a parameter}}
    graph.call @kh(%v, %c) : (!h, !t) -> !t
    graph.return
  }
}

// -----

// Things that are no operation on scalars.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @foreign(inout %c: !t, in %n: index) {
    // expected-error @below {{[graph-illegal-op] 'arith.constant' cannot stand in graph function '@foreign'}}
    // expected-note @below {{a recording consists of tasks}}
    // expected-note @below {{move it to the caller or into a kernel}}
    %d = arith.constant dense<0.0> : tensor<4xf32>
    // expected-error @below {{[graph-illegal-op] 'memref.alloc' cannot stand in graph function '@foreign'}}
    // expected-note @below {{a recording consists of tasks}}
    // expected-note @below {{move it to the caller or into a kernel}}
    %m = memref.alloc(%n) : memref<?xf32>
    // expected-error @below {{[graph-illegal-op] 'graph.load' cannot stand in graph function '@foreign'}}
    // expected-note @below {{a recording consists of tasks}}
    // expected-note @below {{move it to the caller or into a kernel}}
    %l = graph.load %c[0] : !t -> tensor<16xf32>
    // expected-error @below {{[graph-illegal-op] 'graph.store' cannot stand in graph function '@foreign'}}
    // expected-note @below {{a recording consists of tasks}}
    // expected-note @below {{move it to the caller or into a kernel}}
    graph.store %l, %c[0] : tensor<16xf32>, !t
    graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
}

// -----

// A recording runs no task, so what it makes cannot be read on the host. What was
// there before can.

!t = !graph.tensor<16xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @make(in %a: !t) -> (!t)
  graph.func graph @reads(in %before: !t, inout %c: !t, inout %d: !t) {
    %0 = graph.read %before[3] : !t
    %1 = graph.read %d[0] : !t
    // expected-error @below {{[graph-illegal-op] 'graph.read' in graph function '@reads' reads what the function itself writes}}
    // expected-note @below {{no task runs before the recording is done, so the read would wait for ever}}
    // expected-note @below {{read at the launch, or test the element in a kernel or with a predicate}}
    %2 = graph.read %c[0] : !t
    %r = graph.call @k(%before, %c) : (!t, !t) -> !t
    %w = graph.slice %r[4] [2] : !t to !graph.tensor<2xi32>
    // expected-error @below {{[graph-illegal-op] 'graph.read'}}
    // expected-note @below {{no task runs}}
    // expected-note @below {{read at the launch}}
    %3 = graph.read %w[0] : !graph.tensor<2xi32>
    %f = graph.call @make(%before) : (!t) -> !t
    // expected-error @below {{[graph-illegal-op] 'graph.read'}}
    // expected-note @below {{no task runs}}
    // expected-note @below {{read at the launch}}
    %4 = graph.read %f[0] : !t
    %b = graph.create : !t
    // expected-error @below {{[graph-illegal-op] 'graph.read'}}
    // expected-note @below {{no task runs}}
    // expected-note @below {{read at the launch}}
    %5 = graph.read %b[0] : !t
    graph.return
  }
}
