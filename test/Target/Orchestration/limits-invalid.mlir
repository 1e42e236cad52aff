// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-translate --graph-to-orchestration --assume-legalized %s -verify-diagnostics

// Limits of a task that no legal module passes.

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
    graph.return
  }
}
