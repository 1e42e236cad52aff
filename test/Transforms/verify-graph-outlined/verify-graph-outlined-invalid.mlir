// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -verify-graph-outlined -verify-diagnostics -o /dev/null

// VG01: in functions of every kind. VG02: at any depth. All are reported.
graph.func orchestration @main(in %c: i1, in %n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{[outline-scope-left] graph scope 'top' is left in function '@main' of kind 'orchestration'}}
  // expected-note @below {{run outline-graph-scopes}}
  graph.scope graph "top" {
    // expected-error @below {{[outline-scope-left] graph scope 'nested' is left in function '@main'}}
    // expected-note @below {{run outline-graph-scopes}}
    graph.scope graph "nested" {
    }
  }
  scf.for %i = %c0 to %n step %n {
    scf.if %c {
    } else {
      scf.while : () -> () {
        scf.condition(%c)
      } do {
        graph.scope manual {
          // expected-error @below {{[outline-scope-left] graph scope 'deep' is left in function '@main'}}
          // expected-note @below {{run outline-graph-scopes}}
          graph.scope graph "deep" {
          }
        }
        scf.yield
      }
    }
  }
  graph.return
}
graph.func opaque @opaque() {
  // expected-error @below {{graph scope 'a' is left in function '@opaque' of kind 'opaque'}}
  // expected-note @below {{run outline-graph-scopes}}
  graph.scope graph "a" {
  }
  graph.return
}
graph.func inline @inline() {
  // expected-error @below {{graph scope 'b' is left in function '@inline' of kind 'inline'}}
  // expected-note @below {{run inline first, then outline-graph-scopes}}
  graph.scope graph "b" {
  }
  graph.return
}
graph.func graph @graph() {
  // expected-error @below {{graph scope 'c' is left in function '@graph' of kind 'graph'}}
  // expected-note @below {{run outline-graph-scopes}}
  graph.scope graph "c" {
  }
  graph.return
}
graph.func aic @cube() {
  // expected-error @below {{graph scope 'd' is left in function '@cube' of kind 'aic'}}
  // expected-note @below {{run outline-graph-scopes}}
  graph.scope graph "d" {
  }
  graph.return
}
module @nested {
  func.func @foreign() {
    // expected-error @below {{graph scope 'e' is left}}
    // expected-note @below {{run outline-graph-scopes}}
    graph.scope graph "e" {
    }
    return
  }
}
