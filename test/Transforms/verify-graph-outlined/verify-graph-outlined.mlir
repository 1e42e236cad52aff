// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-graph-outlined | pypto-opt | FileCheck %s
// RUN: pypto-opt %s -verify-graph-outlined -o %t.mlir && pypto-opt %s | diff %t.mlir -

// VG03: other kinds of scopes. VG04: a function without a body.
// CHECK: graph.func private graph @declared
graph.func private graph @declared(inout %x: !graph.tensor<4xf32>)
graph.func orchestration @main() {
  graph.scope manual {
    graph.scope auto {
      graph.scope cluster {
        graph.scope incore {
        }
      }
      graph.scope spmd {
      }
    }
  }
  graph.return
}
