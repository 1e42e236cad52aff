// RUN: pypto-opt %s --emit-bytecode -o %t.mlirbc
// RUN: pypto-opt %t.mlirbc | FileCheck %s
// RUN: pypto-opt %s --mlir-print-op-generic | pypto-opt | FileCheck %s
// RUN: pypto-opt %s --verify-roundtrip -o /dev/null
// CHECK: graph.func private incore @k(in %a: !graph.tensor<16x51xf32>, inout %acc: !graph.tensor<16x51xf32>) -> (%acc)
graph.func private incore @k(in %a: !graph.tensor<16x51xf32>, inout %acc: !graph.tensor<16x51xf32>) -> (%acc)
