// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -split-input-file -outline-graph-scopes -verify-graph-outlined | FileCheck %s

// OG15: the first keeps the name, also when the bodies are the same; nothing is
// merged. OG30: without a scope nothing happens.
// CHECK-LABEL: module @og15
// CHECK-NEXT:    graph.func graph @layer()
// CHECK:         graph.func graph @layer_0()
// CHECK:         graph.func graph @layer_1()
// CHECK:         graph.func orchestration @main()
// CHECK-NEXT:      graph.call @layer() : () -> ()
// CHECK-NEXT:      graph.call @layer_0() : () -> ()
// CHECK-NEXT:      graph.call @layer_1() : () -> ()
module @og15 {
  graph.func orchestration @main() {
    graph.scope graph "layer" {
      graph.task_dummy : !graph.task_id
    }
    graph.scope graph "layer" {
      graph.task_dummy : !graph.task_id
    }
    graph.scope graph "layer" {
      graph.task_dummy : !graph.task_id
    }
    graph.return
  }
}

// -----

// OG22: an unrelated scope changes no name, wherever it is; what someone asks for
// is not made up for someone else.
// CHECK-LABEL: module @og22
// CHECK:         graph.func graph @other()
// CHECK:         graph.func graph @layer()
// CHECK:         graph.func graph @layer_1()
// CHECK:         graph.func orchestration @main()
// CHECK-NEXT:      graph.call @other()
// CHECK-NEXT:      graph.call @layer()
// CHECK-NEXT:      graph.call @layer_1()
// CHECK:         graph.func graph @layer_0()
// CHECK:         graph.func graph @layer_2()
// CHECK:         graph.func opaque @second()
// CHECK-NEXT:      graph.call @layer_0()
// CHECK-NEXT:      graph.call @layer_2()
module @og22 {
  graph.func orchestration @main() {
    graph.scope graph "other" {
      graph.task_dummy : !graph.task_id
    }
    graph.scope graph "layer" {
      graph.task_dummy : !graph.task_id
    }
    graph.scope graph "layer" {
      graph.task_dummy : !graph.task_id
    }
    graph.return
  }
  graph.func opaque @second() {
    graph.scope graph "layer_0" {
      graph.task_dummy : !graph.task_id
    }
    graph.scope graph "layer" {
      graph.task_dummy : !graph.task_id
    }
    graph.return
  }
}

// -----

// Symbols that are there keep their names, whatever they are and wherever they
// stand; so do names that scopes of other kinds ask for.
// CHECK-LABEL: module @taken
// CHECK:         graph.func graph @layer_2()
// CHECK:         graph.func graph @main_0()
// CHECK:         graph.func graph @mod_0()
// CHECK:         graph.func graph @"any name"()
// CHECK-NEXT:      graph.scope incore "layer_0"
// CHECK:         graph.func orchestration @main()
// CHECK:           graph.call @"any name"()
// CHECK:         graph.func private incore @layer()
// CHECK:         func.func private @layer_1()
module @taken {
  graph.func orchestration @main() {
    graph.scope graph "layer" {
      graph.task_dummy : !graph.task_id
    }
    graph.scope graph "main" {
      graph.task_dummy : !graph.task_id
    }
    graph.scope graph "mod" {
      graph.task_dummy : !graph.task_id
    }
    graph.scope graph "any name" {
      graph.scope incore "layer_0" {
      }
    }
    graph.return
  }
  graph.func private incore @layer()
  func.func private @layer_1()
  module @mod {
    // Its names are others.
    // CHECK: module @mod
    // CHECK:   graph.func graph @layer()
    // CHECK:   graph.func orchestration @main()
    graph.func orchestration @main() {
      graph.scope graph "layer" {
        graph.task_dummy : !graph.task_id
      }
      graph.return
    }
  }
}
