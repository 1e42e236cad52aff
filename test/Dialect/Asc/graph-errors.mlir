// RUN: pypto-opt %s -split-input-file -verify-diagnostics

// Everything wrong with the graph of a function is reported in one run.
graph.func incore @names(in %x: !graph.tensor<8xf32>) {
  // expected-note @+1 {{the first one is here}}
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  // expected-error @+1 {{[asc-duplicate-name] two nodes of function '@names' have the name 'Load_0'}}
  %1 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  // expected-error @+1 {{[asc-duplicate-name] two nodes of function '@names' have the name 'Load_0'}}
  %2 = asc.exp "Load_0" %0 : tensor<8xf32>
  // expected-error @+2 {{[asc-unknown-node] node 'Log_0' comes after 'Nowhere', which is no node of function '@names'}}
  // expected-note @+1 {{a control edge names a node of the same function}}
  %3 = asc.log "Log_0" %0 after ["Load_0", "Nowhere"] : tensor<8xf32>
  // expected-error @+2 {{[asc-cycle] nodes of function '@names' wait for each other: 'Abs_0' comes after itself}}
  // expected-note @+1 {{no order respects these data and control edges}}
  %4 = asc.abs "Abs_0" %0 after ["Abs_0"] : tensor<8xf32>
  graph.return
}

// -----

// The name of a node of another function.
graph.func incore @other(in %x: !graph.tensor<8xf32>) {
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  graph.return
}
graph.func incore @names(in %x: !graph.tensor<8xf32>) {
  // expected-error @+2 {{[asc-unknown-node] node 'Load_1' comes after 'Load_0', which is no node of function '@names'}}
  // expected-note @+1 {{a control edge names a node of the same function}}
  %0 = asc.load "Load_1" %x[0] after ["Load_0"] : !graph.tensor<8xf32> -> tensor<8xf32>
  graph.return
}

// -----

// A cycle of control edges, one of control and data edges, and nodes that only wait for
// them.
graph.func incore @cycles(in %x: !graph.tensor<8xf32>, out %o: !graph.tensor<8xf32>) {
  %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  // expected-error @+2 {{[asc-cycle] nodes of function '@cycles' wait for each other: 'Abs_1', before 'Abs_2', before 'Abs_0'}}
  // expected-note @+1 {{no order}}
  %1 = asc.abs "Abs_0" %0 after ["Abs_2"] : tensor<8xf32>
  %2 = asc.abs "Abs_1" %0 after ["Abs_0"] : tensor<8xf32>
  %3 = asc.abs "Abs_2" %0 after ["Abs_1"] : tensor<8xf32>
  // expected-error @+2 {{[asc-cycle] nodes of function '@cycles' wait for each other: 'Log_0', before 'Exp_0'}}
  // expected-note @+1 {{no order}}
  %4 = asc.exp "Exp_0" %0 after ["Log_0"] : tensor<8xf32>
  %5 = asc.log "Log_0" %4 : tensor<8xf32>
  asc.store "Store_0" %5, %o[0] after ["Abs_2"] : tensor<8xf32>, !graph.tensor<8xf32>
  graph.return
}

// -----

// An operation of another dialect on the way.
graph.func incore @foreign(in %x: !graph.tensor<f32>) {
  // expected-error @+2 {{[asc-cycle] nodes of function '@foreign' wait for each other: an 'arith.addf', before 'Exp_0', before 'Load_0'}}
  // expected-note @+1 {{no order}}
  %0 = asc.load "Load_0" %x[] after ["Exp_0"] : !graph.tensor<f32> -> tensor<f32>
  %1 = arith.addf %0, %0 : tensor<f32>
  %2 = asc.exp "Exp_0" %1 : tensor<f32>
  graph.return
}

// -----

graph.func incore @nested(in %x: !graph.tensor<8xf32>, in %c: i1) {
  scf.if %c {
    // expected-error @+1 {{'asc.load' op stands in the body of a function, not in a region of 'scf.if'}}
    %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  }
  graph.return
}

// -----

func.func @blocks(%x: tensor<8xf32>) {
  cf.br ^next
^next:
  // expected-error @+1 {{'asc.exp' op stands in the body of a function, not in another block of it}}
  %0 = asc.exp "Exp_0" %x : tensor<8xf32>
  return
}

// -----

module {
  // expected-error @+1 {{'asc.scalar' op stands in the body of a function, not in a region of 'builtin.module'}}
  %0 = asc.scalar "Scalar_0" 1.0 : f32
}

// -----

// In a scope, which has no name.
graph.func orchestration @main(in %x: !graph.tensor<8xf32>, inout %o: !graph.tensor<8xf32>) {
  graph.scope incore {
    %0 = asc.load "Load_0" %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
    // expected-error @+2 {{[asc-unknown-node] node 'Exp_0' comes after 'Nowhere', which is no node of the scope}}
    // expected-note @+1 {{a control edge names a node of the same function}}
    %1 = asc.exp "Exp_0" %0 after ["Nowhere"] : tensor<8xf32>
    asc.store "Store_0" %1, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
  }
  graph.return
}

// -----

// An operation that the dialect does not have, among nodes.
func.func @unknown(%x: tensor<8xf32>) {
  %0 = asc.exp "Exp_0" %x : tensor<8xf32>
  // expected-error @+1 {{unregistered operation 'asc.unknown' found in dialect ('asc') that does not allow unknown operations}}
  "asc.unknown"(%0) {node_name = "Exp_0"} : (tensor<8xf32>) -> ()
  return
}
