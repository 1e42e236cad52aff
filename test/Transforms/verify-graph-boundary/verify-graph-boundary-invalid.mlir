// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -split-input-file -allow-unregistered-dialect -verify-graph-boundary -verify-diagnostics -o /dev/null

// VB02: two violations, both reported.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // expected-error @below {{[graph-empty-boundary] graph function '@g' has no tensor parameter}}
  // expected-note @below {{a replay patches the addresses of boundary tensors; without one the runtime does not cache the graph}}
  // expected-error @below {{[graph-no-tasks] graph function '@g' records no task}}
  // expected-note @below {{the runtime refuses a graph without nodes}}
  graph.func graph @g(in %n: index) -> (%n) {
    graph.return %n : index
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB03, LD01, LD06 to LD08: directions and types of parameters; the runtime.
module {
  graph.func private incore @k(inout %c: !t) -> (%c)
  // expected-error @below {{[graph-runtime] graph function '@g' needs the runtime 'host_build_graph', the module is compiled for 'tensormap_and_ringbuffer'}}
  // expected-note @below {{give the module the attribute 'graph.runtime = #graph.runtime<host_build_graph>'}}
  graph.func graph @g(inout %c: !t,
                      // expected-error @below {{[graph-out-param] tensor parameter '%o' of graph function '@g' is 'out'}}
                      // expected-note @below {{the runtime may allocate an 'out' tensor; a replay patches only buffers that exist before the launch}}
                      // expected-note @below {{declare it 'inout' and allocate it at the launch}}
                      out %o: !t,
                      // expected-error @below {{[graph-scalar-direction] scalar parameter '%n' of graph function '@g' is 'inout'}}
                      // expected-note @below {{a boundary scalar is passed by value; declare it 'in'}}
                      inout %n: index,
                      // expected-error @below {{[graph-scalar-direction] scalar parameter '%f' of graph function '@g' is 'out'}}
                      // expected-note @below {{a boundary scalar is passed by value; declare it 'in'}}
                      out %f: f32,
                      // expected-error @below {{[graph-param-type] parameter '%id' of graph function '@g' of type '!graph.task_id' is neither a tensor nor a scalar}}
                      // expected-note @below {{the boundary has slots for tensors and scalars only}}
                      in %id: !graph.task_id,
                      // expected-error @below {{[graph-param-type] parameter '%tile' of graph function '@g' of type 'tensor<4xf32>' is neither a tensor nor a scalar}}
                      // expected-note @below {{the boundary has slots for tensors and scalars only}}
                      in %tile: tensor<4xf32>) {
    graph.call @k(%c) : (!t) -> !t
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB06, VB20: a graph from a graph is no node; what calls a graph.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func private orchestration @host(inout %c: !t) -> (%c)
  graph.func graph @inner(inout %c: !t) -> (%c) {
    %c1 = graph.call @k(%c) : (!t) -> !t
    graph.return %c1 : !t
  }
  graph.func graph @outer(inout %c: !t) -> (%c) {
    // expected-error @below {{[graph-illegal-callee] graph function '@outer' calls '@inner' of kind 'graph'}}
    // expected-note @below {{a graph cannot be recorded within a recording; launch it from the caller}}
    %c1 = graph.call @inner(%c) : (!t) -> !t
    graph.return %c1 : !t
  }
  graph.func graph @other(inout %c: !t) -> (%c) {
    // expected-error @below {{[graph-illegal-callee] graph function '@other' calls '@host' of kind 'orchestration'}}
    // expected-note @below {{only device functions become nodes; inline the function first or call it from the caller}}
    %c1 = graph.call @host(%c) : (!t) -> !t
    graph.return %c1 : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB07: functions that cannot launch a graph.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func graph @layer(inout %c: !t) -> (%c) {
    %c1 = graph.call @k(%c) : (!t) -> !t
    graph.return %c1 : !t
  }
  graph.func incore @in_incore(inout %c: !t) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from '@in_incore' of kind 'incore'}}
    // expected-note @below {{only 'orchestration' and 'opaque' functions launch a graph}}
    graph.call @layer(%c) : (!t) -> !t
    graph.return
  }
  graph.func aiv @in_aiv(inout %c: !t) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from '@in_aiv' of kind 'aiv'}}
    // expected-note @below {{only 'orchestration' and 'opaque' functions launch a graph}}
    graph.call @layer(%c) : (!t) -> !t
    graph.return
  }
  graph.func group @in_group(inout %c: !t) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from '@in_group' of kind 'group'}}
    // expected-note @below {{only 'orchestration' and 'opaque' functions launch a graph}}
    graph.call @layer(%c) : (!t) -> !t
    graph.return
  }
  graph.func spmd @in_spmd(inout %c: !t) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from '@in_spmd' of kind 'spmd'}}
    // expected-note @below {{only 'orchestration' and 'opaque' functions launch a graph}}
    graph.call @layer(%c) : (!t) -> !t
    graph.return
  }
  graph.func inline @in_inline(inout %c: !t) {
    // expected-error @below {{[graph-caller] graph function '@layer' is launched from '@in_inline' of kind 'inline'}}
    // expected-note @below {{only 'orchestration' and 'opaque' functions launch a graph}}
    graph.call @layer(%c) : (!t) -> !t
    graph.return
  }
  graph.func orchestration @in_scope(inout %c: !t) {
    // expected-note @below {{the scope is here}}
    graph.scope incore {
      // expected-error @below {{[graph-caller] graph function '@layer' is launched in a scope of kind 'incore'}}
      graph.call @layer(%c) : (!t) -> !t
    }
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!i = !graph.tensor<4xi32>

// VB08, LD44, LD47: launches with what a graph launch has not.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func graph @layer(inout %c: !t,
                          // expected-error @below {{[graph-out-param] tensor parameter '%d' of graph function '@layer' is 'out'}}
                          // expected-note @below {{the runtime may allocate an 'out' tensor; a replay patches only buffers that exist before the launch}}
                          // expected-note @below {{declare it 'inout' and allocate it at the launch}}
                          out %d: !t) -> (%c) {
    %c1 = graph.call @k(%c) : (!t) -> !t
    graph.return %c1 : !t
  }
  graph.func orchestration @main(inout %c: !t, in %g: !i, in %n: index) {
    %z = arith.constant 0 : i32
    %t0 = graph.task_dummy : !graph.task_id
    // expected-error @below {{[graph-launch-args] launch of graph function '@layer' passes 1 of 2 parameters}}
    // expected-note @below {{the runtime allocates omitted arguments of tasks, not of graphs}}
    %a, %t1 = graph.submit @layer(%c) : (!t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-launch-deps] launch of graph function '@layer' has explicit dependencies}}
    // expected-note @below {{such a launch is not cached; the order follows from the directions of the boundary tensors}}
    %b, %t2 = graph.submit @layer(%c, %c) deps(%t0 : !graph.task_id) : (!t, !t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-launch-spec] launch of graph function '@layer' has 'core_num'}}
    // expected-note @below {{a graph launch has no launch specification; its tasks have}}
    %d, %t3 = graph.submit @layer(%c, %c) core_num(%n) : (!t, !t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-launch-predicate] launch of graph function '@layer' has a predicate}}
    // expected-note @below {{the runtime drops it and always runs the graph; predicate the tasks inside or branch in the caller}}
    // expected-error @below {{[graph-launch-spec] launch of graph function '@layer' has 'sync_start'}}
    // expected-note @below {{a graph launch has no launch specification; its tasks have}}
    // expected-error @below {{[graph-launch-task-id] task id of a launch of graph function '@layer' is used}}
    // expected-note @below {{the id is valid only when the launch was replayed; the order follows from the boundary tensors}}
    %e, %t4 = graph.submit @layer(%c, %c) predicate(%g[0] gt %z : !i) {sync_start} : (!t, !t) -> (!t, !graph.task_id)
    // expected-note @below {{it is used here}}
    %t5 = graph.task_dummy deps(%t4 : !graph.task_id) : !graph.task_id
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// Other uses of the symbol.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func graph @layer(inout %c: !t) -> (%c) {
    %c1 = graph.call @k(%c) : (!t) -> !t
    graph.return %c1 : !t
  }
  // expected-error @below {{[graph-symbol-use] 'graph.func' refers to graph function '@layer' but is no launch of it}}
  // expected-note @below {{the symbol is the key of the recording; only 'graph.call' and 'graph.submit' may use it}}
  graph.func orchestration @main(inout %c: !t) attributes {entry = [@layer]} {
    // expected-error @below {{[graph-symbol-use] 'arith.constant' refers to graph function '@layer' but is no launch of it}}
    // expected-note @below {{the symbol is the key of the recording; only 'graph.call' and 'graph.submit' may use it}}
    %z = arith.constant {key = @layer} 0 : i32
    // expected-error @below {{[graph-symbol-use] 'graph.call' refers to graph function '@layer' but is no launch of it}}
    // expected-note @below {{the symbol is the key of the recording; only 'graph.call' and 'graph.submit' may use it}}
    graph.call @layer(%c) {also = @layer} : (!t) -> !t
    // expected-error @below {{[graph-symbol-use] 'unknown.op' refers to graph function '@layer' but is no launch of it}}
    // expected-note @below {{the symbol is the key of the recording; only 'graph.call' and 'graph.submit' may use it}}
    "unknown.op"() {nested = {deep = [@k, @layer]}} : () -> ()
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB10, VB11, LA28: scalars that have no slot and vary.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t, in %s: index) -> (%c)
  graph.func private incore @kk(inout %c: !t, in %s: index) -> (%c, %s)
  graph.func graph @layer(inout %c: !t, in %idx: !graph.tensor<4xi32>, in %li: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    // VB11: what a later pass put back.
    // expected-note @below {{it is a result of 'arith.muli'}}
    %base = arith.muli %li, %c128 : index
    // expected-error @below {{[graph-not-hoisted] argument #1 of task '@k' in graph function '@layer' is computed in the body from scalar parameters}}
    // expected-note @below {{it has no slot of its own: a replay would pass the value of the first call}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter}}
    graph.call @k(%c, %base) : (!t, index) -> !t
    // The same value once more is the same mistake.
    graph.call @k(%c, %base) : (!t, index) -> !t
    // VB10
    // expected-note @below {{it depends on a result of 'graph.read', which a launch cannot compute}}
    %read = graph.read %idx[0] : !graph.tensor<4xi32>
    %row = arith.index_cast %read : i32 to index
    %x = arith.muli %row, %c4 : index
    // expected-error @below {{[graph-varying-scalar] argument #1 of task '@k' in graph function '@layer' may differ between replays}}
    // expected-note @below {{a replay would pass the value of the first call}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
    graph.call @k(%c, %x) : (!t, index) -> !t
    // Of a counter and a parameter: neither way.
    // expected-note @below {{it depends on the counter of a loop, which a launch cannot compute}}
    scf.for %i = %c0 to %c4 step %c1 {
      %mix = arith.addi %base, %i : index
      // expected-error @below {{[graph-varying-scalar] argument #1 of task '@k' in graph function '@layer' may differ between replays}}
      // expected-note @below {{a replay would pass the value of the first call}}
      // expected-note @below {{compute it at the launch and pass it as a scalar parameter, or let the kernel read it from a tensor}}
      graph.call @k(%c, %mix) : (!t, index) -> !t
    }
    // A slot that is carried is copied on the way.
    // expected-note @below {{it is a value carried by 'scf.for'}}
    %carried = scf.for %i = %c0 to %c4 step %c1 iter_args(%it = %li) -> (index) {
      // expected-error @below {{[graph-not-hoisted] argument #1 of task '@k' in graph function '@layer' is computed in the body from scalar parameters}}
      // expected-note @below {{it has no slot of its own: a replay would pass the value of the first call}}
      // expected-note @below {{compute it at the launch and pass it as a scalar parameter}}
      graph.call @k(%c, %it) : (!t, index) -> !t
      scf.yield %it : index
    }
    // expected-note @below {{it is a result of '@kk'}}
    %r:2 = graph.call @kk(%c, %li) : (!t, index) -> (!t, index)
    // expected-error @below {{[graph-not-hoisted] argument #1 of task '@k' in graph function '@layer' is computed in the body from scalar parameters}}
    // expected-note @below {{it has no slot of its own: a replay would pass the value of the first call}}
    // expected-note @below {{compute it at the launch and pass it as a scalar parameter}}
    graph.call @k(%c, %r#1) : (!t, index) -> !t
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// Renames.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t, in %s: index) -> (%c)
  graph.func graph @layer(inout %c: !t, in %li: index) -> (%c) {
    // expected-error @below {{[graph-alias] rename of parameter '%c' left in graph function '@layer'}}
    // expected-note @below {{a renamed scalar is copied out of its slot, and the copy is recorded as a static value}}
    // expected-note @below {{use the renamed value itself}}
    %cc = graph.alias %c : !t
    // expected-error @below {{[graph-alias] rename of parameter '%li' left in graph function '@layer'}}
    // expected-note @below {{a renamed scalar is copied out of its slot, and the copy is recorded as a static value}}
    // expected-note @below {{use the renamed value itself}}
    %al = graph.alias %li : index
    // expected-error @below {{[graph-alias] rename of parameter '%li' left in graph function '@layer'}}
    // expected-note @below {{a renamed scalar is copied out of its slot, and the copy is recorded as a static value}}
    // expected-note @below {{use the renamed value itself}}
    %al2 = graph.alias %al : index
    graph.call @k(%cc, %al2) : (!t, index) -> !t
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!i = !graph.tensor<4xi32>

// LA38 and other frozen uses: a slot is of no use there.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  // expected-note @below {{it is parameter '%li'}}
  // expected-note @below {{it is parameter '%z'}}
  graph.func graph @layer(inout %c: !t, in %g: !i, in %li: index, in %z: i32) -> (%c) {
    %c1 = arith.constant 1 : index
    // expected-note @below {{it is a result of 'arith.constant'}}
    %c2 = arith.constant -2 : index
    %t = graph.task_dummy : !graph.task_id
    %arr = graph.array.create : !graph.array<4 x !graph.task_id>
    // expected-error @below {{[graph-frozen-use] array index of 'graph.array.insert' in graph function '@layer' may differ between replays}}
    // expected-note @below {{it has no slot: a replay would use the value of the first call; use a constant or the counter of a constant-trip loop}}
    %arr1 = graph.array.insert %t, %arr[%li] : !graph.array<4 x !graph.task_id>
    // expected-note @below {{it is a result of 'arith.addi'}}
    %inc = arith.addi %li, %c1 : index
    // expected-error @below {{[graph-frozen-use] array index of 'graph.array.extract' in graph function '@layer' may differ between replays}}
    // expected-note @below {{it has no slot: a replay would use the value of the first call; use a constant or the counter of a constant-trip loop}}
    %e = graph.array.extract %arr[%inc] : !graph.array<4 x !graph.task_id>
    // expected-error @below {{[graph-frozen-use] right-hand side of the predicate of task '@k' in graph function '@layer' may differ between replays}}
    // expected-note @below {{it has no slot: a replay would use the value of the first call; use a constant or the counter of a constant-trip loop}}
    %r1:2 = graph.submit @k(%c) predicate(%g[0] gt %z : !i) : (!t) -> (!t, !graph.task_id)
    // expected-note @below {{it is a result of 'arith.subi'}}
    %dec = arith.subi %li, %c1 : index
    %y = arith.constant 0 : i32
    // expected-error @below {{[graph-frozen-use] predicate index of task '@k' in graph function '@layer' may differ between replays}}
    // expected-note @below {{it has no slot: a replay would use the value of the first call; use a constant or the counter of a constant-trip loop}}
    %r2:2 = graph.submit @k(%c) predicate(%g[%dec] gt %y : !i) : (!t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-core-num] core_num of task '@k' in graph function '@layer' is not a constant}}
    // expected-note @below {{the block count is frozen at the first call; launch for the largest count and pass the real one as a scalar}}
    %r3:2 = graph.submit @k(%c) core_num(%li) : (!t) -> (!t, !graph.task_id)
    // expected-error @below {{[graph-core-num] core_num of task '@k' in graph function '@layer' is -2, which is not positive}}
    // expected-note @below {{the block count is frozen at the first call; launch for the largest count and pass the real one as a scalar}}
    %r4:2 = graph.submit @k(%c) core_num(%c2) : (!t) -> (!t, !graph.task_id)
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>
!d = !graph.tensor<?x128xf32>

// VB13, LB21: windows that move; extents that vary; windows out of range.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %c: !t) -> (%c)
  graph.func private incore @kw(in %a: !t, inout %c: !w) -> (%c)
  graph.func private incore @kd(in %a: !d, inout %c: !t) -> (%c)
  graph.func private incore @fresh(in %a: !t, out %o: !w) -> (%o)
  // expected-note @below {{its offset is parameter '%li'}}
  // expected-note @below {{one is parameter '%li'}}
  graph.func graph @layer(in %w: !w, inout %c: !t, inout %ww: !w, in %li: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // VB13
    // expected-error @below {{[graph-not-hoisted] window of parameter '%w' in graph function '@layer' starts elsewhere on a replay}}
    // expected-note @below {{a window taken in the body keeps the offset of the first call}}
    // expected-note @below {{take the window at the launch and pass it as a tensor parameter}}
    %v = graph.slice %w[%li, 0] [128, 128] : !w to !t
    graph.call @k(%v, %c) : (!t, !t) -> !t
    // LB21
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-note @below {{its offset is a result of 'arith.addi'}}
      %off = arith.addi %li, %i : index
      // expected-error @below {{[graph-moving-view] window of parameter '%w' in graph function '@layer' starts elsewhere on a replay}}
      // expected-note @below {{a window taken in the body keeps the offset of the first call}}
      // expected-note @below {{take the varying part at the launch and keep only what constant-trip loops count}}
      %u = graph.slice %w[%off, 0] [128, 128] : !w to !t
      graph.call @k(%u, %c) : (!t, !t) -> !t
    }
    // LB25: a window of what stays cannot be taken at the launch either; LB12: also
    // through the result of a task.
    scf.for %i = %c0 to %c4 step %c1 {
      %w2 = graph.call @kw(%c, %ww) : (!t, !w) -> !w
      %b = graph.slice %w2[%i, 0] [256, 128] : !w to !graph.tensor<256x128xf32>
      // expected-error @below {{[graph-moving-view] window of parameter '%ww' in graph function '@layer' starts elsewhere on a replay}}
      // expected-note @below {{a window taken in the body keeps the offset of the first call}}
      // expected-note @below {{take the varying part at the launch and keep only what constant-trip loops count}}
      %s = graph.slice %b[%li, 0] [128, 128] : !graph.tensor<256x128xf32> to !t
      graph.call @k(%s, %c) : (!t, !t) -> !t
    }
    // A buffer of the recording's own has frozen windows, too.
    %o:2 = graph.submit @fresh(%c) : (!t) -> (!w, !graph.task_id)
    // expected-error @below {{[graph-moving-view] window of a result of '@fresh' in graph function '@layer' starts elsewhere on a replay}}
    // expected-note @below {{a window taken in the body keeps the offset of the first call}}
    // expected-note @below {{take the varying part at the launch and keep only what constant-trip loops count}}
    %ow = graph.slice %o#0[%li, 0] [128, 128] : !w to !t
    graph.call @k(%ow, %c) : (!t, !t) -> !t
    // Extents.
    // expected-error @below {{[graph-view-shape] extents of a window in graph function '@layer' may differ between replays}}
    // expected-note @below {{a replay would use the extents of the first call; use constant extents and pass the count as a scalar}}
    %e = graph.slice %w[0, 0] [%li, 128] : !w to !d
    graph.call @kd(%e, %c) : (!d, !t) -> !t
    // expected-error @below {{[graph-view-shape] extents of a window in graph function '@layer' may differ between replays}}
    // expected-note @below {{a replay would use the extents of the first call; use constant extents and pass the count as a scalar}}
    %x = graph.view %w [%li, 128] : !w to !d
    graph.call @kd(%x, %c) : (!d, !t) -> !t
    // Ranges, also of what no task works on.
    // expected-error @below {{[graph-view-range] window in graph function '@layer' leaves its tensor in dimension 0}}
    // expected-note @below {{a window must lie inside its buffer, and an empty one is fatal on replay}}
    %r0 = graph.slice %w[512, 0] [1, 128] : !w to !graph.tensor<1x128xf32>
    // expected-error @below {{[graph-view-range] window in graph function '@layer' leaves its tensor in dimension 1}}
    // expected-note @below {{a window must lie inside its buffer, and an empty one is fatal on replay}}
    %r1 = graph.slice %w[0, 1] [128, 128] : !w to !t
    // expected-error @below {{[graph-view-range] window in graph function '@layer' is empty in dimension 0}}
    // expected-note @below {{a window must lie inside its buffer, and an empty one is fatal on replay}}
    %r2 = graph.slice %w[0, 0] [%c0, 128] : !w to !d
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB18: allocations.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !graph.tensor<?x128xf32>) -> (%c)
  graph.func graph @layer(inout %c: !t, in %n: index, in %z: f32) -> (%c) {
    // expected-error @below {{[graph-alloc-shape] allocation in graph function '@layer' has type '!graph.tensor<?x128xf32>', whose extents are not constants}}
    // expected-note @below {{the extents and the address are those of the first call; allocate the largest size, or at the launch}}
    %a = graph.create(%n) : !graph.tensor<?x128xf32>
    // expected-error @below {{[graph-full] 'graph.full' in graph function '@layer'}}
    // expected-note @below {{there is no node that fills a buffer; create it and fill it in a kernel, or fill it at the launch}}
    %b = graph.full %z : !t
    %r = graph.call @k(%a) : (!graph.tensor<?x128xf32>) -> !graph.tensor<?x128xf32>
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB20, LD27 to LD29, LC10: nodes under control flow that varies. Not counted:
// not even "no tasks" follows.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func graph @layer(inout %c: !t, in %n: index, in %f: i1) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m1 = arith.constant -1 : index
    // expected-note @below {{the trip count of this loop is not a constant}}
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        // expected-error @below {{[graph-varying-topology] task '@k' in graph function '@layer' is under 'scf.for', which may run differently on a replay}}
        // expected-note @below {{the first call fixes the nodes; use constant bounds, predicate the task, or branch in the caller}}
        graph.call @k(%c) : (!t) -> !t
      }
    }
    // expected-note @below {{how often this loop runs is decided while it runs}}
    scf.while : () -> () {
      // expected-error @below {{[graph-varying-topology] allocation in graph function '@layer' is under 'scf.while', which may run differently on a replay}}
      // expected-note @below {{the first call fixes the nodes; use constant bounds, predicate the task, or branch in the caller}}
      %a = graph.create : !t
      scf.condition(%f)
    } do {
      // expected-error @below {{[graph-varying-topology] 'graph.task_dummy' in graph function '@layer' is under 'scf.while', which may run differently on a replay}}
      // expected-note @below {{the first call fixes the nodes; use constant bounds, predicate the task, or branch in the caller}}
      graph.task_dummy : !graph.task_id
      scf.yield
    }
    scf.for %i = %c0 to %c0 step %c1 {
      // expected-note @below {{the condition is not the same on every replay}}
      scf.if %f {
        // expected-error @below {{[graph-varying-topology] task '@k' in graph function '@layer' is under 'scf.if', which may run differently on a replay}}
        // expected-note @below {{the first call fixes the nodes; use constant bounds, predicate the task, or branch in the caller}}
        graph.call @k(%c) : (!t) -> !t
      } else {
        // expected-error @below {{[graph-varying-topology] task '@k' in graph function '@layer' is under 'scf.if', which may run differently on a replay}}
        // expected-note @below {{the first call fixes the nodes; use constant bounds, predicate the task, or branch in the caller}}
        graph.call @k(%c) : (!t) -> !t
      }
    }
    // expected-note @below {{the condition is not the same on every replay}}
    scf.index_switch %n
    case 2 {
      // expected-error @below {{[graph-varying-topology] task '@k' in graph function '@layer' is under 'scf.index_switch', which may run differently on a replay}}
      // expected-note @below {{the first call fixes the nodes; use constant bounds, predicate the task, or branch in the caller}}
      graph.call @k(%c) : (!t) -> !t
      scf.yield
    }
    default {
    }
    // expected-error @below {{[graph-loop-step] loop in graph function '@layer' holds launches or allocations but its step is not positive}}
    // expected-note @below {{such a loop does not say how often it runs}}
    scf.for %i = %c4 to %c0 step %m1 {
      graph.call @k(%c) : (!t) -> !t
    }
    // expected-error @below {{[graph-loop-step] loop in graph function '@layer' holds launches or allocations but its step is not positive}}
    // expected-note @below {{such a loop does not say how often it runs}}
    scf.for %i = %c0 to %c4 step %c0 {
      graph.create : !t
    }
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB21, LD16 to LD26: counts.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  // expected-error @below {{[graph-too-many-nodes] graph function '@one_more' records 1025 nodes; the limit is 1024}}
  // expected-note @below {{each launch counts once an iteration; make the tasks coarser or split the function}}
  graph.func graph @one_more(inout %c: !t) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1025 = arith.constant 1025 : index
    scf.for %i = %c0 to %c1025 step %c1 {
      graph.call @k(%c) : (!t) -> !t
    }
    graph.return %c : !t
  }
  // expected-error @below {{[graph-too-many-nodes] graph function '@all_of_them' records 18446744073709551615 nodes; the limit is 1024}}
  // expected-note @below {{each launch counts once an iteration; make the tasks coarser or split the function}}
  graph.func graph @all_of_them(inout %c: !t) -> (%c) {
    %min = arith.constant -9223372036854775808 : index
    %max = arith.constant 9223372036854775807 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %min to %max step %c1 {
      graph.call @k(%c) : (!t) -> !t
    }
    graph.return %c : !t
  }
  // expected-error @below {{[graph-too-many-nodes] graph function '@product' records 18446744073709551615 nodes; the limit is 1024}}
  // expected-note @below {{each launch counts once an iteration; make the tasks coarser or split the function}}
  graph.func graph @product(inout %c: !t) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %big = arith.constant 1099511627776 : index
    scf.for %i = %c0 to %big step %c1 {
      scf.for %j = %c0 to %big step %c1 {
        graph.call @k(%c) : (!t) -> !t
      }
    }
    graph.call @k(%c) : (!t) -> !t
    graph.return %c : !t
  }
  // Unsigned comparison: 2^31 + 1 to 2^32 - 1 by 2^20.
  // expected-error @below {{[graph-too-many-nodes] graph function '@unsigned' records 2048 nodes; the limit is 1024}}
  // expected-note @below {{each launch counts once an iteration; make the tasks coarser or split the function}}
  graph.func graph @unsigned(inout %c: !t) -> (%c) {
    %lo = arith.constant 0x80000001 : i32
    %hi = arith.constant 0xffffffff : i32
    %step = arith.constant 0x100000 : i32
    scf.for unsigned %i = %lo to %hi step %step : i32 {
      graph.call @k(%c) : (!t) -> !t
    }
    graph.return %c : !t
  }
  // Signed, there is nothing from the one to the other.
  // expected-error @below {{[graph-no-tasks] graph function '@signed' records no task}}
  // expected-note @below {{the runtime refuses a graph without nodes}}
  graph.func graph @signed(inout %c: !t) -> (%c) {
    %lo = arith.constant 1 : i32
    %hi = arith.constant 0xffffffff : i32
    %step = arith.constant 0x100000 : i32
    scf.for %i = %lo to %hi step %step : i32 {
      graph.call @k(%c) : (!t) -> !t
    }
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// LD33, LD36 to LD38: allocations, 16 to a node in a statement list.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  // expected-error @below {{[graph-too-many-nodes] graph function '@layer' records 1025 nodes; the limit is 1024}}
  // expected-note @below {{each launch counts once an iteration; make the tasks coarser or split the function}}
  graph.func graph @layer(inout %c: !t) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c1000 = arith.constant 1000 : index
    // 2 * 2
    scf.for %i = %c0 to %c2 step %c1 {
      %0 = graph.create : !t
      %1 = graph.create : !t
      %2 = graph.create : !t
      %3 = graph.create : !t
      %4 = graph.create : !t
      %5 = graph.create : !t
      %6 = graph.create : !t
      %7 = graph.create : !t
      %8 = graph.create : !t
      %9 = graph.create : !t
      %10 = graph.create : !t
      %11 = graph.create : !t
      %12 = graph.create : !t
      %13 = graph.create : !t
      %14 = graph.create : !t
      graph.call @k(%0) : (!t) -> !t
      %15 = graph.create : !t
    }
    // 2 * 3
    scf.for %i = %c0 to %c2 step %c1 {
      %0 = graph.create : !t
      %1 = graph.create : !t
      %2 = graph.create : !t
      %3 = graph.create : !t
      %4 = graph.create : !t
      %5 = graph.create : !t
      %6 = graph.create : !t
      %7 = graph.create : !t
      %8 = graph.create : !t
      %9 = graph.create : !t
      %10 = graph.create : !t
      %11 = graph.create : !t
      %12 = graph.create : !t
      %13 = graph.create : !t
      %14 = graph.create : !t
      %15 = graph.create : !t
      graph.call @k(%0) : (!t) -> !t
      %16 = graph.create : !t
    }
    // 2 * 3: a scope is a list of its own.
    scf.for %i = %c0 to %c2 step %c1 {
      %0 = graph.create : !t
      graph.scope manual {
        %1 = graph.create : !t
        graph.call @k(%1) : (!t) -> !t
      }
    }
    // 1000
    scf.for %i = %c0 to %c1000 step %c1 {
      %0 = graph.create : !t
    }
    // 9, so that 1025 is one too many.
    graph.task_dummy : !graph.task_id
    graph.task_dummy : !graph.task_id
    graph.task_dummy : !graph.task_id
    graph.task_dummy : !graph.task_id
    graph.task_dummy : !graph.task_id
    graph.task_dummy : !graph.task_id
    graph.task_dummy : !graph.task_id
    graph.task_dummy : !graph.task_id
    graph.task_dummy : !graph.task_id
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// LD13, LD14: nothing is recorded.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  // expected-error @below {{[graph-no-tasks] graph function '@none' records no task}}
  // expected-note @below {{the runtime refuses a graph without nodes}}
  graph.func graph @none(inout %c: !t) -> (%c) {
    graph.return %c : !t
  }
  // expected-error @below {{[graph-no-tasks] graph function '@no_trips' records no task}}
  // expected-note @below {{the runtime refuses a graph without nodes}}
  graph.func graph @no_trips(inout %c: !t) -> (%c) {
    %c10 = arith.constant 10 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c10 to %c0 step %c1 {
      graph.call @k(%c) : (!t) -> !t
    }
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB22, LD11, LB36: what is computed cannot be returned.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, out %o: !t) -> (%o)
  graph.func graph @layer(inout %c: !t, in %n: index) -> (!t, %c, index, !graph.tensor<64x128xf32>) {
    %c1 = arith.constant 1 : index
    // expected-note @below {{it is a result of '@k'}}
    %y, %t = graph.submit @k(%c) : (!t) -> (!t, !graph.task_id)
    // expected-note @below {{it is a result of 'arith.addi'}}
    %m = arith.addi %n, %c1 : index
    // expected-note @below {{it is a result of 'graph.slice'}}
    %v = graph.slice %c[0, 0] [64, 128] : !t to !graph.tensor<64x128xf32>
    // expected-error @below {{[graph-computed-return] result #0 of graph function '@layer' is not one of its parameters}}
    // expected-note @below {{a replay computes nothing but what the tasks write; write into an 'inout' parameter and return that}}
    // expected-error @below {{[graph-computed-return] result #2 of graph function '@layer' is not one of its parameters}}
    // expected-error @below {{[graph-computed-return] result #3 of graph function '@layer' is not one of its parameters}}
    graph.return %y, %c, %m, %v : !t, !t, index, !graph.tensor<64x128xf32>
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// Which buffer, which task.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func graph @layer(inout %a: !t, inout %b: !t, in %f: i1) {
    %t0 = graph.task_dummy : !graph.task_id
    %t1 = graph.task_dummy : !graph.task_id
    // expected-note @below {{it is a result of 'arith.select'}}
    %c = arith.select %f, %a, %b : !t
    // expected-error @below {{[graph-varying-choice] argument #0 of task '@k' in graph function '@layer' may be another buffer on a replay}}
    // expected-note @below {{which one it is is fixed by the first call; choose at the launch and pass the choice as a parameter}}
    graph.call @k(%c) : (!t) -> !t
    %same = arith.select %f, %a, %a : !t
    graph.call @k(%same) : (!t) -> !t
    // expected-note @below {{it is a result of 'arith.select'}}
    %t = arith.select %f, %t0, %t1 : !graph.task_id
    // expected-error @below {{[graph-varying-choice] dependency #0 of 'graph.task_dummy' in graph function '@layer' may be another task on a replay}}
    // expected-note @below {{which one it is is fixed by the first call; choose at the launch and pass the choice as a parameter}}
    %t2 = graph.task_dummy deps(%t : !graph.task_id) : !graph.task_id
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// What cannot stand in a recording.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  func.func private @log()
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func graph @layer(inout %c: !t, in %n: index) -> (%c) {
    graph.call @k(%c) : (!t) -> !t
    // expected-error @below {{[graph-illegal-op] 'func.call' cannot stand in graph function '@layer'}}
    // expected-note @below {{a recording consists of tasks; this operation would run on the first call only}}
    // expected-note @below {{move it to the caller or into a kernel}}
    func.call @log() : () -> ()
    // expected-error @below {{[graph-illegal-op] 'tensor.empty' cannot stand in graph function '@layer'}}
    // expected-note @below {{a recording consists of tasks; this operation would run on the first call only}}
    // expected-note @below {{move it to the caller or into a kernel}}
    %x = tensor.empty() : tensor<4xf32>
    // expected-error @below {{[graph-illegal-op] 'graph.load' cannot stand in graph function '@layer'}}
    // expected-note @below {{a recording consists of tasks; this operation would run on the first call only}}
    // expected-note @below {{move it to the caller or into a kernel}}
    %l = graph.load %c[0, 0] : !t -> tensor<128x128xf32>
    // expected-error @below {{[graph-illegal-op] scope of kind 'incore' in graph function '@layer'}}
    // expected-note @below {{only launches become nodes; outline the scope into a device function first}}
    graph.scope incore {
      %m = graph.load %c[0, 0] : !t -> tensor<128x128xf32>
    }
    // expected-error @below {{[graph-illegal-op] scope of kind 'graph' in graph function '@layer'}}
    // expected-note @below {{a graph cannot be recorded within a recording}}
    graph.scope graph "again" {
    }
    scf.execute_region {
      graph.call @k(%c) : (!t) -> !t
      scf.yield
    }
    // expected-error @below {{[graph-illegal-op] 'scf.execute_region' cannot stand in graph function '@layer'}}
    // expected-note @below {{a recording consists of tasks; this operation would run on the first call only}}
    // expected-note @below {{move it to the caller or into a kernel}}
    scf.execute_region {
      cf.br ^bb1
    ^bb1:
      scf.yield
    }
    // expected-error @below {{[graph-illegal-op] 'scf.parallel' cannot stand in graph function '@layer'}}
    // expected-note @below {{a recording consists of tasks; this operation would run on the first call only}}
    // expected-note @below {{move it to the caller or into a kernel}}
    scf.parallel (%i) = (%n) to (%n) step (%n) {
    }
    // expected-error @below {{[graph-illegal-op] 'unknown.op' cannot stand in graph function '@layer'}}
    // expected-note @below {{a recording consists of tasks; this operation would run on the first call only}}
    // expected-note @below {{move it to the caller or into a kernel}}
    %u = "unknown.op"(%n) : (index) -> index
    // expected-error @below {{[graph-illegal-op] 'unknown.region' cannot stand in graph function '@layer'}}
    // expected-note @below {{a recording consists of tasks; this operation would run on the first call only}}
    // expected-note @below {{move it to the caller or into a kernel}}
    "unknown.region"() ({
      %d = graph.task_dummy : !graph.task_id
    }) : () -> ()
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<4xf32>

// The tables of a task: 33 tensors (one of them allocated by the runtime), 17
// scalars, 129 dependencies.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @tensors(
      in %a0: !t, in %a1: !t, in %a2: !t, in %a3: !t, in %a4: !t, in %a5: !t, in %a6: !t, in %a7: !t,
      in %b0: !t, in %b1: !t, in %b2: !t, in %b3: !t, in %b4: !t, in %b5: !t, in %b6: !t, in %b7: !t,
      in %d0: !t, in %d1: !t, in %d2: !t, in %d3: !t, in %d4: !t, in %d5: !t, in %d6: !t, in %d7: !t,
      in %e0: !t, in %e1: !t, in %e2: !t, in %e3: !t, in %e4: !t, in %e5: !t, in %e6: !t, in %e7: !t, out %o: !t)
  graph.func private incore @scalars(
      inout %c: !t,
      in %a0: i8, in %a1: i8, in %a2: i8, in %a3: i8, in %a4: i8, in %a5: i8, in %a6: i8, in %a7: i8,
      in %b0: i8, in %b1: i8, in %b2: i8, in %b3: i8, in %b4: i8, in %b5: i8, in %b6: i8, in %b7: i8, in %b8: i8)
  graph.func private incore @array(inout %c: !t, in %a: !graph.array<4 x i8>)
  graph.func graph @layer(inout %c: !t, in %s: i8) {
    // expected-error @below {{[graph-task-limits] task '@tensors' in graph function '@layer' has 33 tensors; the limit is 32}}
    // expected-note @below {{the argument table of a task is fixed}}
    %t = graph.submit @tensors(%c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c)
        : (!t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t) -> !graph.task_id
    // expected-error @below {{[graph-task-limits] task '@scalars' in graph function '@layer' has 17 scalars; the limit is 16}}
    // expected-note @below {{the argument table of a task is fixed}}
    graph.call @scalars(%c, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        : (!t, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8) -> ()
    %ids = graph.array.create : !graph.array<128 x !graph.task_id>
    graph.task_dummy deps(%ids : !graph.array<128 x !graph.task_id>) : !graph.task_id
    graph.task_dummy deps(%ids, %t : !graph.array<128 x !graph.task_id>, !graph.task_id) : !graph.task_id
    %bytes = graph.array.create : !graph.array<4 x i8>
    // expected-error @below {{[graph-varying-scalar] argument #1 of task '@array' in graph function '@layer' has type '!graph.array<4 x i8>'}}
    // expected-note @below {{a task takes tensors and scalars; what is copied in otherwise keeps the values of the first call}}
    graph.call @array(%c, %bytes) : (!t, !graph.array<4 x i8>) -> ()
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// Nested modules have functions of their own; every one is checked, and a symbol
// is looked up where it stands. What no function holds cannot launch a graph.
module {
  module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
    graph.func private incore @k(inout %c: !t) -> (%c)
    // expected-error @below {{[graph-no-tasks] graph function '@layer' records no task}}
    // expected-note @below {{the runtime refuses a graph without nodes}}
    graph.func graph @layer(inout %c: !t) -> (%c) {
      graph.return %c : !t
    }
    func.func @stray() {
      %c = builtin.unrealized_conversion_cast to !t
      // expected-error @below {{[graph-caller] graph function '@layer' is launched from outside of any function of this dialect}}
      // expected-note @below {{only 'orchestration' and 'opaque' functions launch a graph}}
      graph.call @layer(%c) : (!t) -> !t
      return
    }
  }
  // expected-error @below {{[graph-symbol-use] 'builtin.module' refers to graph function '@layer' but is no launch of it}}
  // expected-note @below {{the symbol is the key of the recording; only 'graph.call' and 'graph.submit' may use it}}
  module attributes {unknown.refers = @layer} {
    // expected-error @below {{[graph-runtime] graph function '@layer' needs the runtime 'host_build_graph', the module is compiled for 'tensormap_and_ringbuffer'}}
    // expected-note @below {{give the module the attribute 'graph.runtime = #graph.runtime<host_build_graph>'}}
    graph.func graph @layer(inout %c: !t) -> (%c) {
      %t = graph.task_dummy : !graph.task_id
      graph.return %c : !t
    }
  }
}

// -----

// The host reads what the recording makes.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !graph.tensor<4xi32>, inout %o: !graph.tensor<4xi32>) -> (%o)
  graph.func private incore @make(in %a: !graph.tensor<4xi32>) -> (!graph.tensor<4xi32>)
  graph.func graph @reads(in %before: !graph.tensor<4xi32>, inout %c: !graph.tensor<4xi32>) {
    %0 = graph.read %before[3] : !graph.tensor<4xi32>
    // expected-error @below {{[graph-illegal-op] 'graph.read' in graph function '@reads' reads what the function itself writes}}
    // expected-note @below {{no task runs before the recording is done}}
    // expected-note @below {{read at the launch}}
    %1 = graph.read %c[0] : !graph.tensor<4xi32>
    %r = graph.call @k(%before, %c) : (!graph.tensor<4xi32>, !graph.tensor<4xi32>) -> !graph.tensor<4xi32>
    %f = graph.call @make(%before) : (!graph.tensor<4xi32>) -> !graph.tensor<4xi32>
    // expected-error @below {{[graph-illegal-op] 'graph.read'}}
    // expected-note @below {{no task runs}}
    // expected-note @below {{read at the launch}}
    %2 = graph.read %f[0] : !graph.tensor<4xi32>
    graph.return
  }
}

// -----

// Nothing comes back from a graph launch: a result that is used is tied, so that it
// is known to be an argument.

!t = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %o: !t) -> (%o)
  // expected-note @below {{the graph function is here}}
  graph.func graph @layer(inout %c: !t, in %n: index) -> (!t, %c, index) {
    %r = graph.call @k(%c, %c) : (!t, !t) -> !t
    graph.return %r, %r, %n : !t, !t, index
  }
  // expected-note @below {{the graph function is here}}
  graph.func private graph @declared(inout %c: !t) -> (!t)
  graph.func orchestration @main(inout %c: !t, in %n: index) {
    // expected-error @below {{[graph-computed-return] result #0 of the launch of graph function '@layer' is used, but not tied to a parameter}}
    // expected-error @below {{[graph-computed-return] result #2 of the launch of graph function '@layer' is used, but not tied to a parameter}}
    // expected-note @below {{a graph launch gives nothing back but its arguments; run normalize-returns}}
    %0:3 = graph.call @layer(%c, %n) : (!t, index) -> (!t, !t, index)
    %1:3 = graph.call @layer(%0#0, %0#2) : (!t, index) -> (!t, !t, index)
    // expected-error @below {{[graph-computed-return] result #0 of the launch of graph function '@declared' is used, but not tied to a parameter}}
    // expected-note @below {{a graph launch gives nothing back but its arguments}}
    %2 = graph.call @declared(%1#1) : (!t) -> !t
    graph.call @k(%2, %c) : (!t, !t) -> !t
    graph.return
  }
}
