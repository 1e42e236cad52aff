// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-translate --graph-to-orchestration --assume-legalized %s -verify-diagnostics

// Limits of a task, and launches, that the verifiers refuse before.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @many(inout %o: !graph.tensor<?xi8>, in %0: i8, in %1: i8, in %2: i8, in %3: i8,
      in %4: i8, in %5: i8, in %6: i8, in %7: i8, in %8: i8, in %9: i8, in %10: i8, in %11: i8,
      in %12: i8, in %13: i8, in %14: i8, in %15: i8, in %16: i8)
  graph.func orchestration @main(in %a: !graph.tensor<?xi8>, in %n: i8) {
    // expected-error @below {{[codegen-limit] a task has 1 tensors and 17 scalars; the limits are 32 and 16}}
    graph.call @many(inout %a, scalar %n, scalar %n, scalar %n, scalar %n, scalar %n, scalar %n,
        scalar %n, scalar %n, scalar %n, scalar %n, scalar %n, scalar %n, scalar %n, scalar %n,
        scalar %n, scalar %n, scalar %n)
        : (!graph.tensor<?xi8>, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8) -> ()
    // expected-error @below {{[codegen-limit] an array of 70000 elements; emitted code has at most 65536}}
    %e = graph.array.create : !graph.array<70000 x !graph.task_id>
    // expected-error @below {{[codegen-limit] a task has 70000 explicit dependencies; the limit is 128}}
    %t = graph.task_dummy deps(%e : !graph.array<70000 x !graph.task_id>) : !graph.task_id
    // expected-error @below {{[codegen-unsupported] result #0 of the launch of graph function '@layer' is used but not tied to a parameter}}
    // expected-note @below {{run normalize-returns, or return a parameter}}
    %r = graph.call @layer(inout %a) : (!graph.tensor<?xi8>) -> !graph.tensor<?xi8>
    graph.call @k(inout %r) : (!graph.tensor<?xi8>) -> ()
    // expected-error @below {{[codegen-unsupported] 'graph.submit' in function '@main' has no translation}}
    %s, %u = graph.submit @part() : () -> (!graph.tensor<4xi8>, !graph.task_id)
    graph.return
  }
  graph.func private aiv @k(inout %o: !graph.tensor<?xi8>)
  graph.func graph @part(out %o: !graph.tensor<4xi8>) -> (%o) {
    graph.call @k(inout %o) : (!graph.tensor<4xi8>) -> ()
    graph.return %o : !graph.tensor<4xi8>
  }
  // expected-note @below {{it is defined here}}
  graph.func graph @layer(out %o: !graph.tensor<?xi8>) -> (!graph.tensor<?xi8>) {
    graph.call @k(inout %o) : (!graph.tensor<?xi8>) -> ()
    graph.return %o : !graph.tensor<?xi8>
  }
}
