// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s -split-input-file -outline-incore-scopes -verify-diagnostics -o /dev/null

// Nothing is launched from a kernel.
graph.func orchestration @nested() {
  // expected-note @below {{the outer scope is here}}
  graph.scope incore "outer" {
    // expected-error @below {{[outline-nested-scope] incore scope 'inner' stands in incore scope 'outer' of function '@nested'}}
    // expected-note @below {{a kernel launches no tasks; make the outer scope a cluster or spmd scope, or drop the inner one}}
    graph.scope incore "inner" {
    }
    // expected-error @below {{[outline-nested-scope] cluster scope stands in incore scope 'outer' of function '@nested'}}
    // expected-note @below {{a kernel launches no tasks}}
    graph.scope cluster {
    }
    graph.scope auto {
      // expected-error @below {{[outline-nested-scope] spmd scope stands in incore scope 'outer' of function '@nested'}}
      // expected-note @below {{a kernel launches no tasks}}
      graph.scope spmd {
      }
    }
  }
  graph.return
}

// -----

// expected-note @below {{the function is here}}
graph.func incore @kernel() {
  // expected-error @below {{[outline-scope-parent] incore scope 'a' stands in function '@kernel' of kind 'incore', where it cannot become a function}}
  // expected-note @below {{a kernel launches no tasks; drop the scope, or make the function an 'orchestration', 'group' or 'spmd' function}}
  graph.scope incore "a" {
  }
  graph.return
}
// expected-note @below {{the function is here}}
graph.func aic @cube() {
  // expected-error @below {{[outline-scope-parent] spmd scope 'b' stands in function '@cube' of kind 'aic'}}
  // expected-note @below {{a kernel launches no tasks}}
  graph.scope spmd "b" {
  }
  graph.return
}
// expected-note @below {{the function is here}}
graph.func inline @helper() {
  // expected-error @below {{[outline-scope-parent] cluster scope 'c' stands in function '@helper' of kind 'inline'}}
  // expected-note @below {{run 'inline' first}}
  graph.scope cluster "c" {
  }
  graph.return
}

// -----

// In the wrong order.
graph.func private inline @helper()
graph.func orchestration @main() {
  // expected-error @below {{[graph-missing-property] outline-incore-scopes requires the property GraphOutlined, but graph scope 'layer' is left in function '@main'}}
  // expected-note @below {{run outline-graph-scopes first}}
  graph.scope graph "layer" {
    graph.scope incore {
    }
    // expected-error @below {{[graph-missing-property] outline-incore-scopes requires the property InlineFunctionsEliminated, but inline function '@helper' is called in function '@main'}}
    // expected-note @below {{run inline first}}
    graph.call @helper() : () -> ()
  }
  graph.return
}

// -----

!t = !graph.tensor<16x128xf32>

// A scalar computed in a kernel.
graph.func private incore @use(in %i: f32)
graph.func orchestration @scalar(in %x: !t) {
  %r = graph.scope incore "sum" -> (f32) {
    %c0 = arith.constant 0 : index
    // expected-note @below {{it depends on the result of 'graph.load'}}
    %v = graph.load %x[0, 0] : !t -> tensor<16x128xf32>
    // expected-error @below {{[outline-scalar-result] scalar result #0 of incore scope 'sum' in function '@scalar' is the result of 'tensor.extract' and cannot be computed in front of the scope}}
    // expected-note @below {{compute it before or after the scope, or write it into a tensor and read that}}
    %e = tensor.extract %v[%c0, %c0] : tensor<16x128xf32>
    // expected-note @below {{it leaves the scope here}}
    graph.yield %e : f32
  }
  graph.call @use(%r) : (f32) -> ()
  graph.return
}
