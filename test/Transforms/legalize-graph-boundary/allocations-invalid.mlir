// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics

// LC06: a moving window of a hoisted allocation.

!t = !graph.tensor<128x128xf32>
!b = !graph.tensor<512x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @lc06(inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %tmp = graph.create : !b
    scf.for %j = %c0 to %c4 step %c1 {
      // expected-note @below {{the launch has no name for this: the result of 'arith.addi'}}
      // expected-note @below {{this varies: the result of 'arith.addi'}}
      %off = arith.addi %n, %j : index
      // expected-error @below {{[graph-moving-view] window of the result of 'graph.create' in graph function '@lc06' moves between replays and cannot be taken at the launch}}
      // expected-note @below {{a replay would read the window of the first call}}
      // expected-note @below {{take the varying part as a window of its own first, or unroll the loop}}
      %tv = graph.slice %tmp[%off, 0] [128, 128] : !b to !t
      %r = graph.call @k(%tv, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// LC10: each allocation is a node; how many there are may not vary.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @lc10(inout %c: !t, in %n: index, in %flag: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{[graph-varying-topology] 'scf.for' in graph function '@lc10' holds an allocation, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.for %j = %c0 to %n step %c1 {
      // expected-note @below {{an allocation is here}}
      %tmp = graph.create : !t
    }
    // expected-error @below {{[graph-varying-topology] 'scf.while' in graph function '@lc10' holds an allocation, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.while : () -> () {
      scf.condition(%flag)
    } do {
      // expected-note @below {{an allocation is here}}
      %tmp = graph.create : !t
      scf.yield
    }
    // expected-error @below {{[graph-varying-topology] 'scf.if' in graph function '@lc10' holds an allocation, but its condition may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the condition is then}}
    // expected-note @below {{predicate the tasks, or branch in the caller}}
    scf.if %flag {
      // expected-note @below {{an allocation is here}}
      %tmp = graph.create : !t
    }
    // expected-error @below {{[graph-varying-topology] 'scf.if' in graph function '@lc10' holds an allocation, but its condition may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the condition is then}}
    // expected-note @below {{predicate the tasks, or branch in the caller}}
    scf.if %flag {
    } else {
      graph.scope manual {
        // expected-note @below {{an allocation is here}}
        %tmp = graph.create : !t
        graph.yield
      }
    }
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
  // Under a condition that never varies as well: it is in no list of statements
  // that always runs.
  graph.func graph @fixed_branch(inout %c: !t) {
    %true = arith.constant true
    scf.if %true {
      // expected-error @below {{[graph-varying-topology] allocation under a branch in graph function '@fixed_branch'}}
      // expected-note @below {{allocate before the branch, where it is hoisted to the launch}}
      // expected-note @below {{an allocation is a node, and here it is one on some calls only}}
      %tmp = graph.create : !t
      %r = graph.call @k(%tmp, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// LC11: the extents are copied into the recording; only constants count here.

!t = !graph.tensor<16xf32>
!d = !graph.tensor<?xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !t) -> (%o)
  // expected-note @below {{it is parameter '%n'}}
  graph.func graph @lc11(in %a: !d, inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{[graph-alloc-shape] allocation in graph function '@lc11' has an extent that is not a constant}}
    // expected-note @below {{a replay would use the buffer of the first call's size}}
    // expected-note @below {{allocate the largest size, or allocate at the launch and pass the buffer}}
    %t0 = graph.create(%n) : !d
    // expected-note @below {{it is the result of 'arith.muli'}}
    %twice = arith.muli %n, %c2 : index
    // expected-error @below {{[graph-alloc-shape] allocation in graph function '@lc11' has an extent that is not a constant}}
    // expected-note @below {{a replay would use the buffer of the first call's size}}
    // expected-note @below {{allocate the largest size, or allocate at the launch and pass the buffer}}
    %t1 = graph.create(%twice) : !d
    // expected-note @below {{it is the result of 'graph.dim'}}
    %rows = graph.dim %a, %c0 : !d
    // expected-error @below {{[graph-alloc-shape] allocation in graph function '@lc11' has an extent that is not a constant}}
    // expected-note @below {{a replay would use the buffer of the first call's size}}
    // expected-note @below {{allocate the largest size, or allocate at the launch and pass the buffer}}
    %t2 = graph.create(%rows) : !d
    // expected-note @below {{it is the induction variable of a loop}}
    scf.for %j = %c1 to %c4 step %c1 {
      // expected-error @below {{[graph-alloc-shape] allocation in graph function '@lc11' has an extent that is not a constant}}
      // expected-note @below {{a replay would use the buffer of the first call's size}}
      // expected-note @below {{allocate the largest size, or allocate at the launch and pass the buffer}}
      %t3 = graph.create(%j) : !d
      %r = graph.call @k(%t3, %c) : (!d, !t) -> !t
    }
    %r0 = graph.call @k(%t0, %c) : (!d, !t) -> !t
    %r1 = graph.call @k(%t1, %c) : (!d, !t) -> !t
    %r2 = graph.call @k(%t2, %c) : (!d, !t) -> !t
    graph.return
  }
}

// -----

// LC14: nothing fills a buffer in a recording.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @lc14(inout %c: !t, in %flag: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{[graph-full] 'graph.full' in graph function '@lc14'}}
    // expected-note @below {{there is no node that fills a buffer}}
    // expected-note @below {{use graph.create and fill it in a kernel, or fill it at the launch and pass it}}
    %f = graph.full %zero : !t
    %r = graph.call @k(%f, %c) : (!t, !t) -> !t
    scf.for %j = %c0 to %c4 step %c1 {
      // expected-error @below {{[graph-full] 'graph.full' in graph function '@lc14'}}
      // expected-note @below {{there is no node that fills a buffer}}
      // expected-note @below {{use graph.create and fill it in a kernel, or fill it at the launch and pass it}}
      %g = graph.full %zero : !t
      %s = graph.call @k(%g, %c) : (!t, !t) -> !t
    }
    // expected-error @below {{[graph-varying-topology] 'scf.if' in graph function '@lc14' holds an allocation, but its condition may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the condition is then}}
    // expected-note @below {{predicate the tasks, or branch in the caller}}
    scf.if %flag {
      // expected-error @below {{[graph-full] 'graph.full' in graph function '@lc14'}}
      // expected-note @below {{an allocation is here}}
      // expected-note @below {{there is no node that fills a buffer}}
      // expected-note @below {{use graph.create and fill it in a kernel, or fill it at the launch and pass it}}
      %h = graph.full %zero : !t
    }
    graph.return
  }
}

// -----

// LC17: a buffer that goes leaves no node behind.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // expected-error @below {{[graph-no-tasks] graph function '@lc17' records no tasks}}
  // expected-note @below {{launch a kernel in it, or make it an 'inline' function}}
  // expected-note @below {{the runtime refuses a graph without nodes}}
  graph.func graph @lc17(inout %c: !t) {
    %tmp = graph.create : !t
    graph.return
  }
}

// -----

// An allocation that is returned is no parameter.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @returned(inout %c: !t) -> (!t) {
    // expected-note @below {{it is the result of 'graph.create'}}
    %tmp = graph.create : !t
    %r = graph.call @k(%c, %tmp) : (!t, !t) -> !t
    // expected-error @below {{[graph-computed-return] graph function '@returned' returns a computed value as result #0}}
    // expected-note @below {{a result of a graph launch is only a handle of an argument}}
    // expected-note @below {{write into an 'inout' parameter and return that parameter}}
    graph.return %r : !t
  }
}
