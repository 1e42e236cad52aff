// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt --canonicalize-and-cse %s | FileCheck %s
// RUN: pypto-opt --canonicalize --cse %s -o %t.two
// RUN: pypto-opt --canonicalize-and-cse=once %s | diff %t.two -

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
