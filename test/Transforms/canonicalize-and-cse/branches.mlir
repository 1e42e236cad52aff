// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt --canonicalize-and-cse %s | FileCheck %s
// RUN: pypto-opt --canonicalize-and-cse=once %s | FileCheck %s
// RUN: pypto-opt --graph-legalize-pipeline %s | FileCheck %s
// RUN: not pypto-opt --canonicalize %s 2>&1 | FileCheck %s --check-prefix=UPSTREAM

// Where blocks branch, those that are never reached go, and so does what they
// are handed in vain.
// CHECK-LABEL: func.func @branches
// CHECK: cf.br ^bb1(%{{[a-z0-9_]+}} : i32)
// CHECK: ^bb1(%{{[a-z0-9_]+}}: i32):
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{[a-z0-9_]+}} : i32), ^bb2
// CHECK: ^bb2:
// CHECK-NOT: ^bb3
func.func @branches(%again: i1, %b: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^bb1(%c1, %b : i32, i32)
^bb1(%x: i32, %unused: i32):
  %z = arith.addi %x, %b : i32
  cf.cond_br %again, ^bb1(%c1, %z : i32, i32), ^bb2
^bb2:
  return %z : i32
^bb3:
  cf.br ^bb2
}

graph.func private incore @k(inout %o: !graph.tensor<8xf32>) -> (%o)

// Such a region is not dissolved: a function has one block. MLIR's own pass does
// not know, and its verifier says so.
// UPSTREAM: error: 'graph.func' op region #0 ('body') failed to verify constraint: region with at most 1 blocks
// CHECK-LABEL: graph.func orchestration @region_of_blocks
// CHECK-NEXT: scf.execute_region no_inline {
// CHECK: cf.cond_br
graph.func orchestration @region_of_blocks(inout %x: !graph.tensor<8xf32>, in %c: i1) {
  scf.execute_region {
    cf.cond_br %c, ^a, ^b
  ^a:
    %0 = graph.call @k(%x) : (!graph.tensor<8xf32>) -> !graph.tensor<8xf32>
    cf.br ^b
  ^b:
    scf.yield
  }
  graph.return
}
