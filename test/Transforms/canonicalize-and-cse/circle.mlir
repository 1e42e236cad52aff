// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt --canonicalize-and-cse %s | FileCheck %s
// RUN: pypto-opt --canonicalize --cse %s -o %t.two
// RUN: pypto-opt --canonicalize-and-cse=once %s | diff %t.two -

// What only uses each other goes, where the order does not count.
// CHECK: module {
// CHECK-NEXT: }
%a = arith.addi %b, %b : i32
%b = arith.muli %a, %a : i32
