// RUN: pypto-opt --set-graph-runtime=runtime=tensormap_and_ringbuffer %s | FileCheck %s
// RUN: pypto-opt --set-graph-runtime=runtime=host_build_graph %s | FileCheck %s --check-prefix=HOST
// RUN: pypto-opt --set-graph-runtime %s | FileCheck %s --check-prefix=SAME
// RUN: not pypto-opt --set-graph-runtime=runtime=cuda %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// The module says what was chosen; a module in it that says something gives
// way, one that says nothing still says nothing.

// CHECK: module attributes {graph.runtime = #graph.runtime<tensormap_and_ringbuffer>}
// CHECK: module @says attributes {graph.runtime = #graph.runtime<tensormap_and_ringbuffer>, test.kept}
// CHECK: module @silent {
// HOST: module attributes {graph.runtime = #graph.runtime<host_build_graph>}
// HOST: module @says attributes {graph.runtime = #graph.runtime<host_build_graph>, test.kept}
// HOST: module @silent {
// SAME-NOT: module attributes
// SAME: module @says attributes {graph.runtime = #graph.runtime<host_build_graph>, test.kept}
// SAME: module @silent {
// UNKNOWN: error: set-graph-runtime: unknown runtime 'cuda' (expected host_build_graph or tensormap_and_ringbuffer)
module {
  module @says attributes {graph.runtime = #graph.runtime<host_build_graph>, test.kept} {
  }
  module @silent {
  }
}
