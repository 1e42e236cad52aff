// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -split-input-file -outline-graph-scopes -verify-diagnostics -o /dev/null

// OG23: a graph scope within a graph scope, at any depth; every one is reported.
graph.func orchestration @nested(in %c: i1) {
  // expected-note @below {{the outer scope is here}}
  graph.scope graph "outer" {
    // expected-error @below {{[outline-nested-scope] graph scope 'inner' stands in graph scope 'outer' of function '@nested'}}
    // expected-note @below {{a graph launched within a recording makes the runtime give up the recording in silence; drop one of the scopes, or put them one after the other}}
    graph.scope graph "inner" {
      graph.task_dummy : !graph.task_id
    }
    scf.if %c {
      graph.scope manual {
        // expected-error @below {{[outline-nested-scope] graph scope 'deep' stands in graph scope 'outer' of function '@nested'}}
        // expected-note @below {{a graph launched within a recording}}
        graph.scope graph "deep" {
          graph.task_dummy : !graph.task_id
        }
      }
    }
  }
  graph.return
}

// -----

// A graph scope within what becomes one device task.
graph.func orchestration @device() {
  // expected-note @below {{the outer scope is here}}
  graph.scope cluster "c" {
    // expected-error @below {{[outline-nested-scope] graph scope 'layer' stands in cluster scope 'c' of function '@device'}}
    // expected-note @below {{a device task records no tasks; put the graph scope around the cluster scope}}
    graph.scope graph "layer" {
    }
  }
  // expected-note @below {{the outer scope is here}}
  graph.scope incore {
    // expected-error @below {{[outline-nested-scope] graph scope 'other' stands in incore scope of function '@device'}}
    // expected-note @below {{a device task records no tasks; put the graph scope around the incore scope}}
    graph.scope graph "other" {
    }
  }
  graph.return
}

// -----

// OG29: functions that hold no graph scope, with all violations in one run.
// expected-note @below {{the function is here}}
graph.func graph @region() {
  // expected-error @below {{[outline-scope-parent] graph scope 'a' stands in function '@region' of kind 'graph', where it cannot become a function}}
  // expected-note @below {{a graph launched within a recording makes the runtime give up the recording in silence; drop the scope, or make the function an 'inline' function}}
  graph.scope graph "a" {
  }
  graph.return
}
// expected-note @below {{the function is here}}
graph.func incore @kernel() {
  // expected-error @below {{[outline-scope-parent] graph scope 'b' stands in function '@kernel' of kind 'incore', where it cannot become a function}}
  // expected-note @below {{a device task records no tasks; put the scope around the launch of the task}}
  graph.scope graph "b" {
  }
  graph.return
}
// expected-note @below {{the function is here}}
graph.func aiv @vector() {
  // expected-error @below {{[outline-scope-parent] graph scope 'c' stands in function '@vector' of kind 'aiv'}}
  // expected-note @below {{a device task records no tasks}}
  graph.scope graph "c" {
  }
  graph.return
}
// expected-note @below {{the function is here}}
graph.func group @wrapper() {
  // expected-error @below {{[outline-scope-parent] graph scope 'd' stands in function '@wrapper' of kind 'group'}}
  // expected-note @below {{a device task records no tasks}}
  graph.scope graph "d" {
  }
  graph.return
}
// expected-note @below {{the function is here}}
graph.func inline @helper() {
  // expected-error @below {{[outline-scope-parent] graph scope 'e' stands in function '@helper' of kind 'inline'}}
  // expected-note @below {{the scope would be outlined of every copy of the function; run 'inline' first}}
  graph.scope graph "e" {
  }
  graph.return
}
func.func @foreign() {
  // expected-error @below {{[outline-scope-parent] graph scope 'f' stands in no graph.func}}
  // expected-note @below {{only scopes of orchestration programs become functions; put it into a graph.func}}
  graph.scope graph "f" {
  }
  return
}
graph.func orchestration @main() {
  // This one alone would be fine.
  graph.scope graph "g" {
  }
  builtin.module {
    // expected-error @below {{[outline-scope-parent] graph scope 'h' stands in no graph.func}}
    // expected-note @below {{only scopes of orchestration programs become functions}}
    graph.scope graph "h" {
    }
  }
  graph.return
}

// -----

// Inline functions have to be gone.
graph.func private inline @helper()
graph.func orchestration @main() {
  // expected-error @below {{[graph-missing-property] outline-graph-scopes requires the property InlineFunctionsEliminated, but inline function '@helper' is called in function '@main'}}
  // expected-note @below {{run inline first}}
  graph.call @helper() : () -> ()
  graph.return
}

// -----

!t = !graph.tensor<16x128xf32>

// OG57: scalars that cannot be computed in front of the scope, all of them.
graph.func private incore @k(inout %o: !t, in %i: index) -> (%o)
graph.func private incore @count(in %o: !t) -> (index)
graph.func orchestration @scalars(inout %o: !t, in %n: index, in %c: i1, in %idx: !graph.tensor<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:6 = graph.scope graph "layer" -> (index, index, index, index, index, index) {
    graph.call @k(%o, %n) : (!t, index) -> !t
    // expected-error @below {{[outline-scalar-result] scalar result #0 of graph scope 'layer' in function '@scalars' is the result of 'scf.for' and cannot be computed in front of the scope}}
    // expected-note @below {{compute it before or after the scope, or write it into a tensor and read that}}
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
      %m = arith.muli %j, %c2 : index
      scf.yield %m : index
    }
    // expected-error @below {{scalar result #1 of graph scope 'layer' in function '@scalars' is the result of 'scf.if' and cannot}}
    // expected-note @below {{compute it before or after the scope, or write it into a tensor and read that}}
    %i = scf.if %c -> (index) {
      // A division that may not run.
      %q = arith.divui %n, %n : index
      scf.yield %q : index
    } else {
      scf.yield %c0 : index
    }
    // expected-note @below {{it depends on the result of 'graph.read'}}
    %x = graph.read %idx[0] : !graph.tensor<4xi64>
    %xi = arith.index_cast %x : i64 to index
    // expected-error @below {{scalar result #2 of graph scope 'layer' in function '@scalars' is the result of 'arith.addi' and cannot}}
    // expected-note @below {{compute it before or after the scope, or write it into a tensor and read that}}
    %xs = arith.addi %n, %xi : index
    // expected-error @below {{scalar result #3 of graph scope 'layer' in function '@scalars' is the result of 'graph.call' of '@count' and cannot}}
    // expected-note @below {{compute it before or after the scope, or write it into a tensor and read that}}
    %l = graph.call @count(%o) : (!t) -> index
    %fine = arith.addi %n, %n : index
    // expected-note @below {{it leaves the scope here; a launch returns tensors and task ids, never a computed scalar}}
    graph.yield %s, %i, %xs, %l, %fine, %xi : index, index, index, index, index, index
  }
  graph.call @k(%o, %r#0) : (!t, index) -> !t
  graph.call @k(%o, %r#1) : (!t, index) -> !t
  graph.call @k(%o, %r#2) : (!t, index) -> !t
  graph.call @k(%o, %r#3) : (!t, index) -> !t
  graph.call @k(%o, %r#4) : (!t, index) -> !t
  graph.return
}

// -----

!t = !graph.tensor<16x128xf32>

// A division moves only from where it always runs.
graph.func private incore @k(inout %o: !t, in %i: index) -> (%o)
graph.func orchestration @divisions(inout %o: !t, in %n: index, in %m: index, in %z: i32,
                                    in %gate: !graph.tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // The region may not run.
  %r = graph.scope graph "gated" predicate(%gate[0] gt %z : !graph.tensor<4xi32>) -> (index) {
    // expected-error @below {{[outline-scalar-result] scalar result #0 of graph scope 'gated'}}
    // expected-note @below {{compute it before or after the scope}}
    %q = arith.divsi %n, %m : index
    // expected-note @below {{it leaves the scope here}}
    graph.yield %q : index
  }
  graph.call @k(%o, %r) : (!t, index) -> !t
  graph.return
}
