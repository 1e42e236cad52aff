// The plugin brings the dialect and its passes into a stock mlir-opt, and is
// harmless in pypto-opt, which has them already.

// RUN: %stock_mlir_opt %s --load-dialect-plugin=%pypto_plugin --canonicalize | FileCheck %s
// RUN: pypto-opt %s --load-dialect-plugin=%pypto_plugin --canonicalize | FileCheck %s
// RUN: pypto-opt %s --load-pass-plugin=%pypto_plugin --canonicalize | FileCheck %s
// RUN: pypto-opt %s --canonicalize | FileCheck %s

// Without it the dialect is unknown.
// RUN: not %stock_mlir_opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: Dialect `graph' not found

// CHECK: graph.func private incore @k(in %a: !graph.tensor<16x51xf32>, inout %acc: !graph.tensor<16x51xf32>) -> (%acc)
graph.func private incore @k(in %a: !graph.tensor<16x51xf32>, inout %acc: !graph.tensor<16x51xf32>) -> (%acc)
