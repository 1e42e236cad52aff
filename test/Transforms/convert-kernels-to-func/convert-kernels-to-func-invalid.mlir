// RUN: pypto-opt %s --convert-kernels-to-func -verify-diagnostics

graph.func incore @k(in %x: !graph.tensor<8xf32>, inout %o: !graph.tensor<8xf32>) {
  %0 = graph.load %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
  // expected-error @+2 {{[asc-unsupported] 'graph.store' with 'atomic_add' cannot be lowered}}
  // expected-note @+1 {{a kernel is lowered with loads, stores and operations on tensors and scalars}}
  graph.store %0, %o[0] {atomic_add} : tensor<8xf32>, !graph.tensor<8xf32>
  graph.return
}
graph.func incore @view(in %x: !graph.tensor<8xf32>) {
  // expected-error @+2 {{[asc-unsupported] 'graph.slice' in a kernel cannot be lowered}}
  // expected-note @+1 {{a kernel is lowered}}
  %0 = graph.slice %x[0] [4] : !graph.tensor<8xf32> to !graph.tensor<4xf32>
  %1 = graph.load %0[0] : !graph.tensor<4xf32> -> tensor<4xf32>
  graph.return
}
graph.func orchestration @main(in %x: !graph.tensor<8xf32>, inout %o: !graph.tensor<8xf32>) {
  // expected-error @+2 {{[asc-unsupported] kernel '@k' is still launched}}
  // expected-note @+1 {{a kernel is lowered}}
  graph.call @k(%x, %o) : (!graph.tensor<8xf32>, !graph.tensor<8xf32>) -> ()
  graph.return
}
