// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -split-input-file -verify-graph-boundary -verify-diagnostics -o /dev/null

// What replays right is accepted; nothing may be reported in this file.

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>

// VB01: a well-formed graph function, launched from both kinds of host code.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !w, inout %c: !t) -> (%c)
  graph.func graph @layer(in %a: !w, inout %c: !t) -> (%c) {
    %c1 = graph.call @k(%a, %c) : (!w, !t) -> !t
    graph.return %c : !t
  }
  graph.func opaque @entry(in %a: !w, inout %c: !t) -> (%c) {
    %c1 = graph.call @layer(%a, %c) : (!w, !t) -> !t
    graph.return %c1 : !t
  }
  graph.func orchestration @main(in %a: !w, inout %c: !t) -> (%c) {
    %c1, %t = graph.submit @layer(%a, %c) : (!w, !t) -> (!t, !graph.task_id)
    graph.return %c1 : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<?x128xf32>

// VB12: values that are the same on every replay, and slots themselves.
// LA36, LA39: task ids are no scalars.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !w, inout %c: !t, in %s: index) -> (%c)
  graph.func private incore @after(inout %c: !t, in %t: !graph.task_id) -> (%c)
  graph.func graph @layer(in %a: !w, inout %c: !t, in %li: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %eight = arith.muli %c4, %c4 : index
    %rows = graph.dim %a, %c0 : !w
    %tile = arith.divui %rows, %c4 : index
    graph.call @k(%a, %c, %li) : (!w, !t, index) -> !t
    graph.call @k(%a, %c, %tile) : (!w, !t, index) -> !t
    scf.for %i = %c0 to %c4 step %c1 {
      %off = arith.muli %i, %eight : index
      graph.call @k(%a, %c, %off) : (!w, !t, index) -> !t
    }
    %t = graph.task_dummy : !graph.task_id
    %ids = graph.array.create : !graph.array<4 x !graph.task_id>
    %more = scf.for %i = %c0 to %c4 step %c1 iter_args(%arr = %ids) -> (!graph.array<4 x !graph.task_id>) {
      %next = graph.array.insert %t, %arr[%i] : !graph.array<4 x !graph.task_id>
      scf.yield %next : !graph.array<4 x !graph.task_id>
    }
    %d = graph.task_dummy deps(%more : !graph.array<4 x !graph.task_id>) : !graph.task_id
    graph.call @after(%c, %d) : (!t, !graph.task_id) -> !t
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!w = !graph.tensor<512x128xf32>

// VB14: windows at offsets that loops count, of a parameter and of one that is
// the result of a task; a window of a window; a constant window; a window
// nothing works on.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %c: !w) -> (%c)
  graph.func graph @layer(in %w: !w, inout %c: !w, in %li: index) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %dead = graph.slice %w[%li, 0] [128, 128] : !w to !t
    %fixed = graph.slice %w[128, 0] [128, 128] : !w to !t
    %c2 = graph.call @k(%fixed, %c) : (!t, !w) -> !w
    scf.for %i = %c0 to %c4 step %c1 {
      %off = arith.muli %i, %c128 : index
      %v = graph.slice %w[%off, 0] [128, 128] : !w to !t
      graph.call @k(%v, %c2) : (!t, !w) -> !w
      %u = graph.slice %c2[%off, 0] [128, 128] : !w to !t
      %uu = graph.view %u [128, 128] : !t to !t
      graph.call @k(%uu, %c2) : (!t, !w) -> !w
    }
    graph.return %c2 : !w
  }
  graph.func orchestration @main(in %w: !w, inout %c: !w) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @layer(%w, %c, %i) : (!w, !w, index) -> !w
    }
    graph.return %c : !w
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// LD09, LD10, LD12: own parameters are returned, whatever they are called.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %c: !t, in %n: index) -> (%c, %n)
  graph.func graph @layer(in %a: !t, inout %c: !t, inout %d: !t, in %n: index) -> (%d, %c, %a, %n, %n) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %cc = scf.for %i = %c0 to %c4 step %c1 iter_args(%it = %c) -> (!t) {
      %next:2 = graph.call @k(%a, %it, %n) : (!t, !t, index) -> (!t, index)
      scf.yield %next#0 : !t
    }
    %dd:2 = graph.call @k(%a, %d, %n) : (!t, !t, index) -> (!t, index)
    graph.return %dd#0, %cc, %a, %n, %dd#1 : !t, !t, !t, index, index
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// LD16, LD32, LD50: a node a launch, whatever it launches; 1024 nodes fit.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t, out %scratch: !t) -> (%c, %scratch)
  graph.func private spmd @wide(inout %c: !t) -> (%c) attributes {core_num = 8}
  graph.func graph @layer(inout %c: !t) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c511 = arith.constant 511 : index
    %six = arith.muli %c2, %c3 : index
    scf.for %i = %c0 to %c511 step %c1 {
      scf.for %j = %c0 to %c3 step %c2 {
        %r:3 = graph.submit @k(%c) core_num(%six) : (!t) -> (!t, !t, !graph.task_id)
      }
    }
    graph.call @wide(%c) : (!t) -> !t
    graph.task_dummy : !graph.task_id
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// LD15, LD30: allocations are nodes; control flow without nodes is free.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func graph @allocates(in %c: !t, in %n: index, in %f: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    scf.for %i = %c0 to %c5 step %c1 {
      %a = graph.create : !t
    }
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (index) {
      %y = arith.addi %x, %i : index
      scf.yield %y : index
    }
    %w = scf.while (%x = %s) : (index) -> index {
      scf.condition(%f) %x : index
    } do {
    ^bb0(%x: index):
      scf.yield %x : index
    }
    scf.if %f {
    }
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// A branch on what does not vary counts its larger arm: 4 * 256 nodes.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func graph @layer(inout %c: !t) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    scf.for %i = %c0 to %c256 step %c1 {
      %first = arith.cmpi eq, %i, %c0 : index
      scf.if %first {
        graph.call @k(%c) : (!t) -> !t
        graph.call @k(%c) : (!t) -> !t
        graph.call @k(%c) : (!t) -> !t
        graph.call @k(%c) : (!t) -> !t
      } else {
        graph.call @k(%c) : (!t) -> !t
      }
    }
    graph.return %c : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// VB23: a declaration has a signature only.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private graph @layer(inout %c: !t) -> (%c)
}

// -----

!t = !graph.tensor<128x128xf32>

// LA48: without graph functions the runtime does not matter.
module {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func orchestration @main(inout %c: !t) -> (%c) {
    %c1 = graph.call @k(%c) : (!t) -> !t
    graph.return %c1 : !t
  }
}

// -----

!t = !graph.tensor<128x128xf32>

// Buffers that take turns in a constant-trip loop are the same on every replay.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !t, inout %c: !t) -> (%c)
  graph.func graph @layer(inout %a: !t, inout %b: !t) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a, %y = %b) -> (!t, !t) {
      %z = graph.call @k(%x, %y) : (!t, !t) -> !t
      scf.yield %z, %x : !t, !t
    }
    graph.return
  }
}

// -----

!t = !graph.tensor<128x128xf32>
!i = !graph.tensor<4xi32>

// Predicates of constants; dependencies between recorded tasks.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !t) -> (%c)
  graph.func graph @layer(inout %c: !t, in %g: !i) -> (%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %z = arith.constant 0 : i32
    %t = graph.task_dummy : !graph.task_id
    scf.for %i = %c0 to %c4 step %c1 {
      %r:2 = graph.submit @k(%c) deps(%t : !graph.task_id) predicate(%g[%i] gt %z : !i)
          : (!t) -> (!t, !graph.task_id)
    }
    graph.return %c : !t
  }
}

// -----

// A block count that folds to a constant is one, whatever it is made of, as it
// is for the pass.
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %t: !graph.tensor<16xf32>)
  graph.func graph @folded(inout %t: !graph.tensor<16xf32>) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %half = arith.constant 0.5 : f32
    %less = arith.cmpf olt, %half, %half : f32
    %0 = arith.select %less, %c2, %c4 : index
    %1 = index.xor %0, %c2
    %n32 = arith.constant 6 : i32
    %sum, %carry = arith.addui_extended %n32, %n32 : i32, i1
    %2 = arith.index_cast %sum : i32 to index
    %3 = arith.muli %1, %2 : index
    %task = graph.submit @k(%t) core_num(%3) : (!graph.tensor<16xf32>) -> !graph.task_id
    graph.return
  }
  graph.func orchestration @main(inout %t: !graph.tensor<16xf32>) {
    graph.call @folded(%t) : (!graph.tensor<16xf32>) -> ()
    graph.return
  }
}
