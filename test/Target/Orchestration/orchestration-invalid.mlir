// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-translate --graph-to-orchestration %s -verify-diagnostics -split-input-file

// Another runtime.

// expected-error @below {{[codegen-runtime] the module is compiled for the runtime 'tensormap_and_ringbuffer'}}
// expected-note @below {{write `module attributes}}
module {
  graph.func orchestration @main() {
    graph.return
  }
}

// -----

// No entry, and too many.

// expected-error @below {{[codegen-entry] the module has no entry}}
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
}

// -----

// expected-error @below {{[codegen-entry] the module has more than one entry}}
// expected-note @below {{name one with --entry=NAME}}
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // expected-note @below {{'@a' is not called by any host function}}
  graph.func orchestration @a() {
    graph.return
  }
  // expected-note @below {{'@b' is not called by any host function}}
  graph.func orchestration @b() {
    graph.return
  }
}

// -----

// What the entry cannot take or give back: all of it.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // expected-error @below {{[codegen-entry] parameter '%t' of the entry '@main' is neither a tensor nor a scalar}}
  // expected-error @below {{[codegen-entry] result #1 of the entry '@main' is none of its parameters}}
  // expected-note @below {{the runtime takes nothing back from the entry}}
  // expected-error @below {{[codegen-unsupported] parameter '%w' of '@main' has type 'i128', which no scalar slot holds}}
  graph.func orchestration @main(in %n: index, in %t: !graph.task_id, in %w: i128) -> (%n, index) {
    graph.return %n, %n : index, index
  }
}

// -----

// A module that has not been legalized: every property that is missing.

// expected-error @below {{orchestration code needs the property CallDirectionsResolved}}
// expected-note @below {{run graph-legalize-pipeline, or derive-call-directions, first}}
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(inout %o: !graph.tensor<4xf32>)
  graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
    // expected-error @below {{[graph-missing-directions]}}
    // expected-note @below {{}}
    graph.call @k(%o) : (!graph.tensor<4xf32>) -> ()
    graph.return
  }
}

// -----

// expected-error @below {{orchestration code needs the property GraphBoundaryLegalized}}
// expected-note @below {{run graph-legalize-pipeline, or legalize-graph-boundary, first}}
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(inout %o: !graph.tensor<4xf32>, in %s: index)
  graph.func graph @layer(inout %o: !graph.tensor<4xf32>, in %n: index) {
    // expected-note @below {{}}
    %m = arith.addi %n, %n : index
    // expected-error @below {{[graph-not-hoisted]}}
    // expected-note @below {{}}
    graph.call @k(inout %o, scalar %m) : (!graph.tensor<4xf32>, index) -> ()
    graph.return
  }
  graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
    graph.return
  }
}

// -----

// Operations without a translation, all of them.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  func.func private @log(index)
  graph.func private aiv @k(inout %o: !graph.tensor<4xf32>, in %s: index)
  // expected-note @below {{it is declared here}}
  graph.func private orchestration @declared(inout %o: !graph.tensor<4xf32>)
  graph.func private aiv @wait(inout %o: !graph.tensor<4xf32>, in %t: !graph.task_id)
  graph.func private aiv @sum(inout %o: !graph.tensor<4xf32>) -> (index)
  graph.func orchestration @main(inout %o: !graph.tensor<4xf32>, in %n: index, in %b: i1) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    // expected-error @below {{[codegen-unsupported] 'graph.full' in function '@main' has no translation}}
    // expected-note @below {{create the buffer and launch a kernel that fills it}}
    %f = graph.full %zero : !graph.tensor<4xf32>
    // expected-error @below {{[codegen-unsupported] 'func.call' in function '@main' has no translation}}
    func.call @log(%n) : (index) -> ()
    // expected-error @below {{[codegen-unsupported] call of '@declared' of kind 'orchestration' has no translation}}
    graph.call @declared(inout %o) : (!graph.tensor<4xf32>) -> ()
    // expected-error @below {{[codegen-unsupported] result #0 of '@sum' is neither a parameter nor a tensor of constant extents}}
    %s = graph.call @sum(inout %o) : (!graph.tensor<4xf32>) -> index
    // expected-error @below {{[codegen-unsupported] 'math.ctpop' in function '@main' has no translation}}
    %p = math.ctpop %n : index
    // expected-error @below {{[codegen-unsupported] 'arith.divui' in function '@main' has no translation}}
    %q = arith.divui %n, %c0 : index
    %t = graph.task_dummy : !graph.task_id
    // expected-error @below {{[codegen-unsupported] argument #1 of type '!graph.task_id' has no translation}}
    graph.call @wait(inout %o, scalar %t) : (!graph.tensor<4xf32>, !graph.task_id) -> ()
    graph.call @k(inout %o, scalar %p) : (!graph.tensor<4xf32>, index) -> ()
    graph.call @k(inout %o, scalar %q) : (!graph.tensor<4xf32>, index) -> ()
    graph.scope manual {
      // expected-error @below {{[codegen-unsupported] an auto scope inside a manual one}}
      // expected-note @below {{the runtime has no auto scope inside of a manual one}}
      // expected-note @below {{make the inner scope manual as well}}
      graph.scope auto {
        graph.call @k(inout %o, scalar %n) : (!graph.tensor<4xf32>, index) -> ()
        graph.yield
      }
      graph.yield
    }
    // expected-error @below {{[codegen-unsupported] 'scf.parallel' in function '@main' has no translation}}
    scf.parallel (%i) = (%c0) to (%n) step (%n) {
      graph.call @k(inout %o, scalar %i) : (!graph.tensor<4xf32>, index) -> ()
      scf.reduce
    }
    graph.return
  }
}

// -----

// Limits of the interface.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(inout %o: !graph.tensor<?xi8>)
  graph.func orchestration @main(in %a: !graph.tensor<?xi8>, in %n: i8) {
    // expected-error @below {{[codegen-limit] extent 4294967296 does not fit the runtime's 32 bits}}
    %b = graph.create : !graph.tensor<4294967296xi8>
    graph.call @k(inout %b) : (!graph.tensor<4294967296xi8>) -> ()
    // expected-error @below {{[codegen-limit] offset 4294967297 does not fit the runtime's 32 bits}}
    %v = graph.slice %a[4294967297] [2] : !graph.tensor<?xi8> to !graph.tensor<2xi8>
    graph.call @k(inout %v) : (!graph.tensor<2xi8>) -> ()
    graph.return
  }
}

// -----

// An auto scope inside a manual one, by way of a function.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k(inout %o: !graph.tensor<4xf32>)
  graph.func opaque @inner(inout %o: !graph.tensor<4xf32>) {
    graph.scope auto {
      graph.call @k(inout %o) : (!graph.tensor<4xf32>) -> ()
      graph.yield
    }
    graph.return
  }
  graph.func opaque @outer(inout %o: !graph.tensor<4xf32>) {
    graph.call @inner(inout %o) : (!graph.tensor<4xf32>) -> ()
    graph.return
  }
  graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
    graph.call @outer(inout %o) : (!graph.tensor<4xf32>) -> ()
    graph.scope manual {
      // expected-error @below {{[codegen-unsupported] '@outer', which opens an auto scope, is called inside a manual one}}
      // expected-note @below {{the runtime has no auto scope inside of a manual one}}
      // expected-note @below {{make the inner scope manual as well, or end the outer one before}}
      graph.call @outer(inout %o) : (!graph.tensor<4xf32>) -> ()
      graph.yield
    }
    graph.return
  }
}

// -----

// Host functions that call each other.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func orchestration @a() {
    graph.call @b() : () -> ()
    graph.return
  }
  graph.func orchestration @b() {
    // expected-error @below {{[codegen-unsupported] host function '@a' calls itself through '@b'}}
    graph.call @a() : () -> ()
    graph.return
  }
  graph.func orchestration @main() {
    graph.call @a() : () -> ()
    graph.return
  }
}
