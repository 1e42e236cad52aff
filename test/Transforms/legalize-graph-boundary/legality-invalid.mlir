// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics

// LD01: only one runtime records graphs.

!t = !graph.tensor<16xf32>
module {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-error @below {{[graph-runtime] graph function '@default' needs the runtime 'host_build_graph', but the module is compiled for 'tensormap_and_ringbuffer'}}
  // expected-note @below {{only that runtime records and replays graphs}}
  // expected-note @below {{put graph.runtime = #graph.runtime<host_build_graph> on the module, or make this an orchestration function}}
  graph.func graph @default(inout %c: !t) -> (%c) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return %r : !t
  }
}

// -----

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<tensormap_and_ringbuffer>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-error @below {{[graph-runtime] graph function '@other' needs the runtime 'host_build_graph', but the module is compiled for 'tensormap_and_ringbuffer'}}
  // expected-note @below {{only that runtime records and replays graphs}}
  // expected-note @below {{put graph.runtime = #graph.runtime<host_build_graph> on the module, or make this an orchestration function}}
  graph.func graph @other(inout %c: !t) -> (%c) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return %r : !t
  }
}

// -----

// LD02: nothing to patch, and nothing to run.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // expected-error @below {{[graph-empty-boundary] graph function '@ld02' has no tensor parameter}}
  // expected-error @below {{[graph-no-tasks] graph function '@ld02' records no tasks}}
  // expected-note @below {{a replay patches the addresses of boundary tensors}}
  // expected-note @below {{launch a kernel in it, or make it an 'inline' function}}
  // expected-note @below {{pass the buffers the tasks work on}}
  // expected-note @below {{the runtime refuses a graph without nodes}}
  graph.func graph @ld02(in %n: index) -> (index) {
    graph.return %n : index
  }
  // A task of its own does not help.
  graph.func private incore @k(in %n: index)
  // expected-error @below {{[graph-empty-boundary] graph function '@no_tensor' has no tensor parameter}}
  // expected-note @below {{a replay patches the addresses of boundary tensors}}
  // expected-note @below {{pass the buffers the tasks work on}}
  graph.func graph @no_tensor(in %n: index) {
    graph.call @k(%n) : (index) -> ()
    graph.return
  }
}

// -----

// LD06, LD07, LD08: the parameters.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-error @below {{[graph-out-param] parameter '%c' of graph function '@params' is 'out'}}
  // expected-error @below {{[graph-param-type] parameter '%id' of graph function '@params' has type '!graph.task_id', which is neither a tensor nor a scalar}}
  // expected-error @below {{[graph-scalar-direction] parameter '%n' of graph function '@params' is a scalar but 'out'}}
  // expected-error @below {{[graph-scalar-direction] parameter '%s' of graph function '@params' is a scalar but 'inout'}}
  // expected-note @below {{a boundary tensor must exist before the launch so that a replay can patch its address}}
  // expected-note @below {{a recording has slots for tensors and scalars only}}
  // expected-note @below {{boundary scalars are passed by value}}
  // expected-note @below {{declare it 'in' and return data through a tensor}}
  // expected-note @below {{declare it 'inout' and allocate the buffer at the launch}}
  // expected-note @below {{drop the dependency: the order against tasks outside follows from the directions of the boundary tensors}}
  graph.func graph @params(in %a: !t, out %c: !t, out %n: index, inout %s: f32, in %id: !graph.task_id) {
    %r = graph.call @k(%a, %c) : (!t, !t) -> !t
    graph.return
  }
  // expected-error @below {{[graph-param-type] parameter '%ids' of graph function '@array' has type '!graph.array<4 x !graph.task_id>', which is neither a tensor nor a scalar}}
  // expected-note @below {{a recording has slots for tensors and scalars only}}
  // expected-note @below {{drop the dependency: the order against tasks outside follows from the directions of the boundary tensors}}
  graph.func graph @array(inout %a: !t, in %ids: !graph.array<4 x !graph.task_id>) {
    %r = graph.call @k(%a, %a) : (!t, !t) -> !t
    graph.return
  }
  // A tile is no tensor of the boundary.
  // expected-error @below {{[graph-empty-boundary] graph function '@tile' has no tensor parameter}}
  // expected-error @below {{[graph-param-type] parameter '%tile' of graph function '@tile' has type 'tensor<16xf32>', which is neither a tensor nor a scalar}}
  // expected-note @below {{a recording has slots for tensors and scalars only}}
  // expected-note @below {{a replay patches the addresses of boundary tensors}}
  // expected-note @below {{pass the buffers and scalars the tasks work on}}
  // expected-note @below {{pass the buffers the tasks work on}}
  graph.func graph @tile(in %tile: tensor<16xf32>) {
    %t = graph.task_dummy : !graph.task_id
    graph.return
  }
  // A declaration has a signature to check and nothing else.
  // expected-error @below {{[graph-out-param] parameter '%b' of graph function '@declared' is 'out'}}
  // expected-note @below {{a boundary tensor must exist before the launch so that a replay can patch its address}}
  // expected-note @below {{declare it 'inout' and allocate the buffer at the launch}}
  graph.func private graph @declared(in %a: !t, out %b: !t, in %n: index)
  // expected-error @below {{[graph-empty-boundary] graph function '@declared_empty' has no tensor parameter}}
  // expected-note @below {{a replay patches the addresses of boundary tensors}}
  // expected-note @below {{pass the buffers the tasks work on}}
  graph.func private graph @declared_empty(in %n: index)
}

// -----

// LD11: only parameters can be returned; the position is named.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @fresh(in %a: !t) -> (!t)
  graph.func graph @dim(inout %c: !t) -> (index) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    %c0 = arith.constant 0 : index
    // expected-note @below {{it is the result of 'graph.dim'}}
    %m = graph.dim %c, %c0 : !t
    // expected-error @below {{[graph-computed-return] graph function '@dim' returns a computed value as result #0}}
    // expected-note @below {{a result of a graph launch is only a handle of an argument}}
    // expected-note @below {{write into an 'inout' parameter and return that parameter}}
    graph.return %m : index
  }
  graph.func graph @fresh_buffer(inout %c: !t) -> (!t, !t, !t) {
    // expected-note @below {{it is the result of 'graph.call' of '@fresh'}}
    %y = graph.call @fresh(%c) : (!t) -> !t
    // expected-error @below {{[graph-computed-return] graph function '@fresh_buffer' returns a computed value as result #0}}
    // expected-error @below {{[graph-computed-return] graph function '@fresh_buffer' returns a computed value as result #2}}
    // expected-note @below {{a result of a graph launch is only a handle of an argument}}
    // expected-note @below {{write into an 'inout' parameter and return that parameter}}
    graph.return %y, %c, %y : !t, !t, !t
  }
  // LB36
  graph.func graph @window(inout %c: !t) -> (!graph.tensor<8xf32>) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    // expected-note @below {{it is the result of 'graph.slice'}}
    %v = graph.slice %c[0] [8] : !t to !graph.tensor<8xf32>
    // expected-error @below {{[graph-computed-return] graph function '@window' returns a computed value as result #0}}
    // expected-note @below {{a result of a graph launch is only a handle of an argument}}
    // expected-note @below {{write into an 'inout' parameter and return that parameter}}
    graph.return %v : !graph.tensor<8xf32>
  }
  graph.func graph @constant(inout %c: !t) -> (index) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    // expected-note @below {{it is the result of 'arith.constant'}}
    %c0 = arith.constant 0 : index
    // expected-error @below {{[graph-computed-return] graph function '@constant' returns a computed value as result #0}}
    // expected-note @below {{a result of a graph launch is only a handle of an argument}}
    // expected-note @below {{write into an 'inout' parameter and return that parameter}}
    graph.return %c0 : index
  }
  graph.func graph @task(inout %c: !t) -> (!graph.task_id) {
    // expected-note @below {{it is the result of 'graph.submit' of '@k'}}
    %r, %t = graph.submit @k(%c, %c) : (!t, !t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-computed-return] graph function '@task' returns a computed value as result #0}}
    // expected-note @below {{a result of a graph launch is only a handle of an argument}}
    // expected-note @below {{return no task id: the order against tasks outside follows from the directions of the boundary tensors}}
    graph.return %t : !graph.task_id
  }
}

// -----

// LD13, LD14: nothing to record.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-error @below {{[graph-no-tasks] graph function '@ld13' records no tasks}}
  // expected-note @below {{launch a kernel in it, or make it an 'inline' function}}
  // expected-note @below {{the runtime refuses a graph without nodes}}
  graph.func graph @ld13(inout %c: !t) -> (%c) {
    graph.return %c : !t
  }
  // expected-error @below {{[graph-no-tasks] graph function '@ld14' records no tasks}}
  // expected-note @below {{launch a kernel in it, or make it an 'inline' function}}
  // expected-note @below {{the runtime refuses a graph without nodes}}
  graph.func graph @ld14(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c10 = arith.constant 10 : index
    scf.for %i = %c5 to %c5 step %c1 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    scf.for %i = %c10 to %c0 step %c1 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// LD16, LD17, LD31, LD33: the number of nodes, counted per iteration.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-error @below {{[graph-too-many-nodes] graph function '@ld16' records 1025 nodes, at most 1024 are possible}}
  // expected-note @below {{a launch in a loop counts once an iteration}}
  // expected-note @below {{make the tasks coarser or split the function}}
  graph.func graph @ld16(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 1025 : index
    scf.for %i = %c0 to %n step %c1 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
  // expected-error @below {{[graph-too-many-nodes] graph function '@ld17' records 2000 nodes, at most 1024 are possible}}
  // expected-note @below {{a launch in a loop counts once an iteration}}
  // expected-note @below {{make the tasks coarser or split the function}}
  graph.func graph @ld17(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 2000 : index
    scf.for %i = %c0 to %n step %c1 {
      %r, %t = graph.submit @k(%c, %c) : (!t, !t) -> (!t, !graph.task_id)
    }
    graph.return
  }
  // expected-error @below {{[graph-too-many-nodes] graph function '@ld31' records 2000 nodes, at most 1024 are possible}}
  // expected-note @below {{a launch in a loop counts once an iteration}}
  // expected-note @below {{make the tasks coarser or split the function}}
  graph.func graph @ld31(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 2000 : index
    scf.for %i = %c0 to %n step %c1 {
      %t = graph.task_dummy : !graph.task_id
    }
    graph.return
  }
  // expected-error @below {{[graph-too-many-nodes] graph function '@ld33' records 1026 nodes, at most 1024 are possible}}
  // expected-note @below {{a launch in a loop counts once an iteration}}
  // expected-note @below {{make the tasks coarser or split the function}}
  graph.func graph @ld33(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 1024 : index
    scf.for %i = %c0 to %c2 step %c1 {
      %tmp = graph.create : !t
    }
    scf.for %i = %c0 to %n step %c1 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
  // LD21: the distance between the bounds needs all 64 bits.
  // expected-error @below {{[graph-too-many-nodes] graph function '@ld21' records 18446744073709551615 nodes, at most 1024 are possible}}
  // expected-note @below {{a launch in a loop counts once an iteration}}
  // expected-note @below {{make the tasks coarser or split the function}}
  graph.func graph @ld21(inout %c: !t) {
    %lo = arith.constant -9223372036854775808 : i64
    %hi = arith.constant 9223372036854775807 : i64
    %c1 = arith.constant 1 : i64
    scf.for %i = %lo to %hi step %c1 : i64 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
  // LD26: the count saturates.
  // expected-error @below {{[graph-too-many-nodes] graph function '@ld26' records 18446744073709551615 nodes, at most 1024 are possible}}
  // expected-note @below {{a launch in a loop counts once an iteration}}
  // expected-note @below {{make the tasks coarser or split the function}}
  graph.func graph @ld26(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 1099511627776 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %r = graph.call @k(%c, %c) : (!t, !t) -> !t
        %s = graph.call @k(%c, %c) : (!t, !t) -> !t
      }
    }
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
  // In the type of the bounds, and signed or not as the loop says.
  // expected-error @below {{[graph-too-many-nodes] graph function '@unsigned' records 65534 nodes, at most 1024 are possible}}
  // expected-note @below {{a launch in a loop counts once an iteration}}
  // expected-note @below {{make the tasks coarser or split the function}}
  graph.func graph @unsigned(inout %c: !t) {
    %c1 = arith.constant 1 : i16
    %n = arith.constant -1 : i16
    scf.for unsigned %i = %c1 to %n step %c1 : i16 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
  // A varying loop does not hide that the rest is too much.
  // expected-error @below {{[graph-too-many-nodes] graph function '@both' records 2000 nodes, at most 1024 are possible}}
  // expected-note @below {{a launch in a loop counts once an iteration}}
  // expected-note @below {{make the tasks coarser or split the function}}
  graph.func graph @both(inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2000 = arith.constant 2000 : index
    // expected-error @below {{[graph-varying-topology] 'scf.for' in graph function '@both' holds a launch, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    scf.for %i = %c0 to %c2000 step %c1 {
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// LD27, LD28, LD29: a launch under what may differ between calls.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @ld27(inout %c: !t, in %n: index, in %f: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{[graph-varying-topology] 'scf.for' in graph function '@ld27' holds a launch, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      // Reported with the first.
      %s = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    // expected-error @below {{[graph-varying-topology] 'scf.while' in graph function '@ld27' holds a launch, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.while : () -> () {
      scf.condition(%f)
    } do {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      scf.yield
    }
    // expected-error @below {{[graph-varying-topology] 'scf.if' in graph function '@ld27' holds a launch, but its condition may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the condition is then}}
    // expected-note @below {{predicate the tasks, or branch in the caller}}
    scf.if %f {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    // expected-error @below {{[graph-varying-topology] 'scf.if' in graph function '@ld27' holds a launch, but its condition may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the condition is then}}
    // expected-note @below {{predicate the tasks, or branch in the caller}}
    scf.if %f {
    } else {
      // expected-note @below {{a launch is here}}
      %t = graph.task_dummy : !graph.task_id
    }
    // expected-error @below {{[graph-varying-topology] 'scf.index_switch' in graph function '@ld27' holds a launch, but its condition may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the condition is then}}
    // expected-note @below {{predicate the tasks, or branch in the caller}}
    scf.index_switch %n
    case 0 {
      scf.yield
    }
    default {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      scf.yield
    }
    graph.return
  }
  graph.func graph @ld28(inout %c: !t, in %n: index, in %f: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{[graph-varying-topology] 'scf.for' in graph function '@ld28' holds a launch, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        // expected-note @below {{a launch is here}}
        %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      }
    }
    scf.for %j = %c0 to %c4 step %c1 {
      // expected-error @below {{[graph-varying-topology] 'scf.if' in graph function '@ld28' holds a launch, but its condition may differ between replays}}
      // expected-note @below {{a replay runs the nodes of the first call, whatever the condition is then}}
      // expected-note @below {{predicate the tasks, or branch in the caller}}
      scf.if %f {
        // expected-note @below {{a launch is here}}
        %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      }
    }
    graph.return
  }
  graph.func graph @ld29(inout %c: !t, in %f: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %j = %c0 to %c0 step %c1 {
      // expected-error @below {{[graph-varying-topology] 'scf.if' in graph function '@ld29' holds a launch, but its condition may differ between replays}}
      // expected-note @below {{a replay runs the nodes of the first call, whatever the condition is then}}
      // expected-note @below {{predicate the tasks, or branch in the caller}}
      scf.if %f {
        // expected-note @below {{a launch is here}}
        %r = graph.call @k(%c, %c) : (!t, !t) -> !t
      }
    }
    graph.return
  }
  // A bound or step that varies.
  graph.func graph @bounds(inout %c: !t, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{[graph-varying-topology] 'scf.for' in graph function '@bounds' holds a launch, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.for %i = %n to %c4 step %c1 {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    // expected-error @below {{[graph-varying-topology] 'scf.for' in graph function '@bounds' holds a launch, but how often it runs may differ between replays}}
    // expected-note @below {{a replay runs the nodes of the first call, whatever the trip count is then}}
    // expected-note @below {{use constant bounds and let the tasks skip what is not there, or move the loop to the caller}}
    scf.for %i = %c0 to %c4 step %n {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    graph.return
  }
}

// -----

// Steps are positive.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func graph @step(inout %c: !t) {
    %c0 = arith.constant 0 : index
    %cm1 = arith.constant -1 : index
    %c4 = arith.constant 4 : index
    // expected-error @below {{[graph-loop-step] loop in graph function '@step' holds a launch but has step 0}}
    // expected-note @below {{give it a positive step}}
    // expected-note @below {{how often such a loop runs is not defined}}
    scf.for %i = %c0 to %c4 step %c0 {
      // expected-note @below {{a launch is here}}
      %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    }
    // expected-error @below {{[graph-loop-step] loop in graph function '@step' holds an allocation but has step -1}}
    // expected-note @below {{give it a positive step}}
    // expected-note @below {{how often such a loop runs is not defined}}
    scf.for %i = %c4 to %c0 step %cm1 {
      // expected-note @below {{an allocation is here}}
      %r = graph.create : !t
    }
    graph.return
  }
}

// -----

// Graphs, host functions and what is no task cannot be called.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  func.func private @log()
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{the callee is defined here}}
  graph.func graph @inner(inout %c: !t) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return
  }
  // expected-note @below {{the callee is defined here}}
  graph.func orchestration @host(inout %c: !t) {
    graph.return
  }
  // expected-note @below {{the callee is defined here}}
  graph.func opaque @opaque(inout %c: !t) {
    graph.return
  }
  graph.func graph @outer(inout %c: !t) {
    // expected-error @below {{[graph-illegal-callee] graph function '@outer' calls '@inner' of kind 'graph'}}
    // expected-note @below {{a graph cannot be recorded inside a recording}}
    // expected-note @below {{launch it from the caller}}
    graph.call @inner(%c) : (!t) -> ()
    // expected-error @below {{[graph-illegal-callee] graph function '@outer' calls '@inner' of kind 'graph'}}
    // expected-note @below {{a graph cannot be recorded inside a recording}}
    // expected-note @below {{launch it from the caller}}
    graph.submit @inner(%c) : (!t) -> (!graph.task_id)
    // expected-error @below {{[graph-illegal-callee] graph function '@outer' calls '@host' of kind 'orchestration'}}
    // expected-note @below {{make it 'inline' and inline it, or call it from the caller}}
    // expected-note @below {{only device functions become nodes}}
    graph.call @host(%c) : (!t) -> ()
    // expected-error @below {{[graph-illegal-callee] graph function '@outer' calls '@opaque' of kind 'opaque'}}
    // expected-note @below {{make it 'inline' and inline it, or call it from the caller}}
    // expected-note @below {{only device functions become nodes}}
    graph.call @opaque(%c) : (!t) -> ()
    // expected-error @below {{[graph-illegal-op] 'func.call' cannot stand in graph function '@outer'}}
    // expected-note @below {{a recording consists of tasks}}
    // expected-note @below {{move it to the caller or into a kernel}}
    func.call @log() : () -> ()
    graph.return
  }
}

// -----

// The argument table of a task.

!t = !graph.tensor<16xf32>
!ids = !graph.array<100 x !graph.task_id>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // expected-note @below {{the kernel is declared here}}
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func private incore @s16(inout %o: !t, in %0: index, in %1: index, in %2: index, in %3: index,
    in %4: index, in %5: index, in %6: index, in %7: index, in %8: index, in %9: index, in %10: index,
    in %11: index, in %12: index, in %13: index, in %14: index, in %15: index)
  // expected-note @below {{the kernel is declared here}}
  graph.func private incore @s17(inout %o: !t, in %0: index, in %1: index, in %2: index, in %3: index,
    in %4: index, in %5: index, in %6: index, in %7: index, in %8: index, in %9: index, in %10: index,
    in %11: index, in %12: index, in %13: index, in %14: index, in %15: index, in %16: index)
  graph.func graph @limits(inout %c: !t, in %n: index) {
    graph.call @s16(%c, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n)
      : (!t, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index) -> ()
    // expected-error @below {{[graph-task-limits] task in graph function '@limits' has 17 scalars, at most 16 are possible}}
    // expected-note @below {{split the task}}
    // expected-note @below {{the argument table of a task is fixed}}
    graph.call @s17(%c, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n)
      : (!t, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index, index) -> ()
    %ids = graph.array.create : !ids
    %t = graph.task_dummy : !graph.task_id
    %r0, %t0 = graph.submit @k(%c, %c) deps(%ids, %t : !ids, !graph.task_id) : (!t, !t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-task-limits] task in graph function '@limits' has 200 dependencies, at most 128 are possible}}
    // expected-note @below {{split the task}}
    // expected-note @below {{the argument table of a task is fixed}}
    %r1, %t1 = graph.submit @k(%c, %c) deps(%ids, %ids : !ids, !ids) : (!t, !t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-task-limits] task in graph function '@limits' has 200 dependencies, at most 128 are possible}}
    // expected-note @below {{split the task}}
    // expected-note @below {{the argument table of a task is fixed}}
    %t2 = graph.task_dummy deps(%ids, %ids : !ids, !ids) : !graph.task_id
    graph.return
  }
}

// -----

// LD49, and LD44 for a call, are what the operations verify by themselves: see the
// tests of the dialect.

// The launches. LD44, LD47, a use of the task id, dependencies, a launch
// specification, a caller that cannot launch.

!t = !graph.tensor<16xf32>
!g = !graph.tensor<4xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{graph function '@layer' is defined here}}
  graph.func graph @layer(inout %c: !t) -> (%c) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return %r : !t
  }
  // expected-error @below {{[graph-out-param] parameter '%d' of graph function '@short' is 'out'}}
  // expected-note @below {{a boundary tensor must exist before the launch so that a replay can patch its address}}
  // expected-note @below {{declare it 'inout' and allocate the buffer at the launch}}
  // expected-note @below {{graph function '@short' is defined here}}
  graph.func graph @short(inout %c: !t, out %d: !t) -> (%c) {
    %r = graph.call @k(%c, %d) : (!t, !t) -> !t
    graph.return %c : !t
  }
  graph.func orchestration @main(inout %c: !t, in %gate: !g, in %n: index) {
    %zero = arith.constant 0 : i32
    // expected-error @below {{[graph-launch-args] launch of graph function '@short' passes 1 of 2 arguments}}
    // expected-note @below {{allocate the buffer and pass it}}
    // expected-note @below {{the runtime allocates nothing on a graph's boundary}}
    %r0, %t0 = graph.submit @short(%c) : (!t) -> (!t, !graph.task_id)
    %d = graph.task_dummy : !graph.task_id
    // expected-error @below {{[graph-launch-deps] launch of graph function '@layer' has explicit dependencies}}
    // expected-note @below {{let the order follow from the directions of the boundary tensors}}
    // expected-note @below {{such a launch is never replayed}}
    %r1, %t1 = graph.submit @layer(%c) deps(%d : !graph.task_id) : (!t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-launch-predicate] launch of graph function '@layer' has a predicate}}
    // expected-note @below {{predicate the tasks inside, or branch}}
    // expected-note @below {{the runtime drops it in silence and the graph always runs}}
    %r2, %t2 = graph.submit @layer(%c) predicate(%gate[0] gt %zero : !g) : (!t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-launch-spec] launch of graph function '@layer' has a core_num}}
    // expected-note @below {{a graph launch has no launch specification}}
    // expected-note @below {{put it on the tasks inside}}
    %r3, %t3 = graph.submit @layer(%c) core_num(%n) : (!t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-launch-spec] launch of graph function '@layer' has sync_start}}
    // expected-note @below {{a graph launch has no launch specification}}
    // expected-note @below {{put it on the tasks inside}}
    %r4, %t4 = graph.submit @layer(%c) {sync_start} : (!t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-launch-task-id] task id of the launch of graph function '@layer' is used}}
    // expected-note @below {{let the order follow from the directions of the boundary tensors}}
    // expected-note @below {{the id is valid only on some launches}}
    %r5, %t5 = graph.submit @layer(%c) : (!t) -> (!t, !graph.task_id)
    // expected-note @below {{it is used here}}
    %r6, %t6 = graph.submit @k(%c, %c) deps(%t5 : !graph.task_id) : (!t, !t) -> (!t, !graph.task_id)
    // All at once.
    // expected-error @below {{[graph-launch-deps] launch of graph function '@layer' has explicit dependencies}}
    // expected-error @below {{[graph-launch-predicate] launch of graph function '@layer' has a predicate}}
    // expected-error @below {{[graph-launch-spec] launch of graph function '@layer' has a core_num}}
    // expected-error @below {{[graph-launch-task-id] task id of the launch of graph function '@layer' is used}}
    // expected-note @below {{a graph launch has no launch specification}}
    // expected-note @below {{let the order follow from the directions of the boundary tensors}}
    // expected-note @below {{predicate the tasks inside, or branch}}
    // expected-note @below {{put it on the tasks inside}}
    // expected-note @below {{such a launch is never replayed}}
    // expected-note @below {{the id is valid only on some launches}}
    // expected-note @below {{the runtime drops it in silence and the graph always runs}}
    %r7, %t7 = graph.submit @layer(%c) deps(%d : !graph.task_id) core_num(%n) predicate(%gate[0] gt %zero : !g) {sync_start}
      : (!t) -> (!t, !graph.task_id)
    // expected-note @below {{it is used here}}
    %e = graph.task_dummy deps(%t7 : !graph.task_id) : !graph.task_id
    graph.return
  }
  graph.func incore @kernel(inout %c: !t) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from function '@kernel' of kind 'incore'}}
    // expected-note @below {{a graph is launched by the host, outside any recording}}
    // expected-note @below {{launch it from an orchestration or opaque function}}
    %r = graph.call @layer(%c) : (!t) -> !t
    graph.return
  }
  graph.func group @wrapper(inout %c: !t) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from function '@wrapper' of kind 'group'}}
    // expected-note @below {{a graph is launched by the host, outside any recording}}
    // expected-note @below {{launch it from an orchestration or opaque function}}
    %r = graph.call @layer(%c) : (!t) -> !t
    graph.return
  }
  graph.func inline @inlined(inout %c: !t) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from function '@inlined' of kind 'inline'}}
    // expected-note @below {{a graph is launched by the host, outside any recording}}
    // expected-note @below {{launch it from an orchestration or opaque function}}
    %r = graph.call @layer(%c) : (!t) -> !t
    graph.return
  }
}

// -----

// The launch of a declaration is checked all the same.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // expected-note @below {{graph function '@declared' is defined here}}
  graph.func private graph @declared(inout %c: !t) -> (%c)
  graph.func orchestration @main(inout %c: !t) {
    %d = graph.task_dummy : !graph.task_id
    // expected-error @below {{[graph-launch-deps] launch of graph function '@declared' has explicit dependencies}}
    // expected-note @below {{let the order follow from the directions of the boundary tensors}}
    // expected-note @below {{such a launch is never replayed}}
    %r1, %t1 = graph.submit @declared(%c) deps(%d : !graph.task_id) : (!t) -> (!t, !graph.task_id)
    graph.return
  }
}

// -----

// The symbol is the key of the recording.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{graph function '@layer' is defined here}}
  graph.func graph @layer(inout %c: !t) -> (%c) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return %r : !t
  }
  // expected-error @below {{[graph-symbol-use] 'graph.func' refers to graph function '@layer' but is no launch of it}}
  // expected-note @below {{let only graph.call and graph.submit refer to it}}
  // expected-note @below {{the symbol is the key of the recording}}
  graph.func orchestration @main(inout %c: !t) attributes {my.entry = [@layer]} {
    // expected-error @below {{[graph-symbol-use] 'graph.call' refers to graph function '@layer' but is no launch of it}}
    // expected-note @below {{let only graph.call and graph.submit refer to it}}
    // expected-note @below {{the symbol is the key of the recording}}
    %r = graph.call @layer(%c) {my.twin = @layer} : (!t) -> !t
    graph.return
  }
}

// -----

// Properties that other passes establish.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func inline @helper(inout %c: !t) {
    graph.return
  }
  graph.func graph @layer(inout %c: !t) -> (%c) {
    // expected-error @below {{[graph-missing-property] legalize-graph-boundary requires the property InlineFunctionsEliminated, but inline function '@helper' is called in function '@layer'}}
    // expected-note @below {{run inline first}}
    graph.call @helper(%c) : (!t) -> ()
    // expected-error @below {{[graph-missing-property] legalize-graph-boundary requires the property SplitIncoreOrch, but a scope of kind 'incore' is left in function '@layer'}}
    // expected-note @below {{run outline-incore-scopes first}}
    graph.scope incore {
      graph.yield
    }
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return %r : !t
  }
  graph.func orchestration @main(inout %c: !t) {
    // expected-error @below {{[graph-missing-property] legalize-graph-boundary requires the property GraphOutlined, but graph scope 'again' is left in function '@main'}}
    // expected-note @below {{run outline-graph-scopes first}}
    graph.scope graph "again" {
      graph.yield
    }
    graph.return
  }
}

// -----

// What is wrong with the module as a whole does not hide what is wrong with a
// function, and what is not there yet is not reported twice.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  graph.func inline @helper(inout %c: !t) {
    graph.return
  }
  graph.func graph @empty(inout %c: !t) -> (%c) {
    // expected-error @below {{[graph-missing-property] legalize-graph-boundary requires the property InlineFunctionsEliminated}}
    // expected-note @below {{run inline first}}
    graph.call @helper(%c) : (!t) -> ()
    // expected-error @below {{[graph-missing-property] legalize-graph-boundary requires the property SplitIncoreOrch}}
    // expected-note @below {{run outline-incore-scopes first}}
    graph.scope incore {
      %x = graph.load %c[0] : !t -> tensor<16xf32>
      graph.store %x, %c[0] : tensor<16xf32>, !t
      graph.yield
    }
    graph.return %c : !t
  }
  // expected-error @below {{[graph-out-param] parameter '%o' of graph function '@layer' is 'out'}}
  // expected-note @below {{a boundary tensor must exist before the launch}}
  // expected-note @below {{declare it 'inout'}}
  // expected-note @below {{graph function '@layer' is defined here}}
  graph.func graph @layer(inout %c: !t, out %o: !t) -> (%c) {
    %r = graph.call @k(%c, %o) : (!t, !t) -> !t
    graph.return %c : !t
  }
  // expected-error @below {{[graph-symbol-use] 'graph.func' refers to graph function '@layer' but is no launch of it}}
  // expected-note @below {{let only graph.call and graph.submit refer to it}}
  // expected-note @below {{the symbol is the key of the recording}}
  graph.func orchestration @main(inout %c: !t) attributes {my.entry = [@layer]} {
    graph.return
  }
}

// -----

// Nothing comes back from a graph launch: a result that is used is tied, so that it
// is known to be an argument.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{graph function '@layer' returns '%c'}}
  // expected-note @below {{graph function '@layer' returns '%n'}}
  graph.func graph @layer(inout %c: !t, in %n: index) -> (!t, %c, index) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return %r, %r, %n : !t, !t, index
  }
  // expected-note @below {{graph function '@declared' is declared here}}
  graph.func private graph @declared(inout %c: !t) -> (!t)
  graph.func orchestration @main(inout %c: !t, in %n: index) {
    // expected-error @below {{[graph-computed-return] result #0 of the launch of graph function '@layer' is used, but not tied to a parameter}}
    // expected-error @below {{[graph-computed-return] result #2 of the launch of graph function '@layer' is used, but not tied to a parameter}}
    // expected-note @below {{a graph launch gives nothing back but its arguments}}
    // expected-note @below {{run normalize-returns first, or write the name of the parameter as the result}}
    %0:3 = graph.call @layer(%c, %n) : (!t, index) -> (!t, !t, index)
    %1:3 = graph.call @layer(%0#0, %0#2) : (!t, index) -> (!t, !t, index)
    // expected-error @below {{[graph-computed-return] result #0 of the launch of graph function '@declared' is used, but not tied to a parameter}}
    // expected-note @below {{a graph launch gives nothing back but its arguments}}
    // expected-note @below {{write the name of a parameter as the result}}
    %2 = graph.call @declared(%1#1) : (!t) -> !t
    graph.call @k(%2, %c) : (!t, !t) -> !t
    graph.return
  }
}
