// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt --canonicalize-and-cse %s | FileCheck %s
// RUN: pypto-opt --canonicalize-and-cse %s > %t.once
// RUN: pypto-opt --canonicalize-and-cse %t.once | diff %t.once -
// RUN: pypto-opt --canonicalize --cse %s -o %t.two
// RUN: FileCheck %s --check-prefix=ONCE --input-file=%t.two
// RUN: pypto-opt --canonicalize-and-cse=once %s | diff %t.two -

graph.func private incore @k(inout %t: !graph.tensor<8xf32>, in %s: i1) -> (%t)
graph.func private incore @n(inout %t: !graph.tensor<8xf32>, in %s: index) -> (%t)

// A condition computed again in its own branch is true there.
// CHECK-LABEL: graph.func orchestration @merged_then_folded
// CHECK-SAME: in %[[M:.*]]: index
// ONCE-LABEL: graph.func orchestration @merged_then_folded
graph.func orchestration @merged_then_folded(inout %t: !graph.tensor<8xf32>, in %m: index) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK: %[[THERE:.*]] = arith.cmpi ne, %[[M]], %{{.*}}
  // CHECK-NEXT: scf.if %[[THERE]] {
  // CHECK-NEXT: graph.call @k(%{{.*}}, %[[TRUE]])
  // ONCE: %[[THERE:.*]] = arith.cmpi
  // ONCE: graph.call @k(%{{.*}}, %[[THERE]])
  %c3 = arith.constant 3 : index
  %there = arith.cmpi ne, %m, %c3 : index
  scf.if %there {
    %again = arith.cmpi ne, %m, %c3 : index
    %0 = graph.call @k(%t, %again) : (!graph.tensor<8xf32>, i1) -> !graph.tensor<8xf32>
  }
  graph.return
}

// Folding makes two operations equal.
// CHECK-LABEL: graph.func orchestration @folded_then_merged
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK-NOT: arith.addi
// CHECK: graph.call @n(%{{.*}}, %[[SUM]])
// CHECK: graph.call @n(%{{.*}}, %[[SUM]])
graph.func orchestration @folded_then_merged(inout %t: !graph.tensor<8xf32>, in %m: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %same = arith.addi %m, %c0 : index
  %x = arith.addi %m, %c3 : index
  %y = arith.addi %c3, %same : index
  %0 = graph.call @n(%t, %x) : (!graph.tensor<8xf32>, index) -> !graph.tensor<8xf32>
  %1 = graph.call @n(%t, %y) : (!graph.tensor<8xf32>, index) -> !graph.tensor<8xf32>
  graph.return
}

// One condition within another, each seen only when the one before is folded.
// CHECK-LABEL: graph.func orchestration @several_rounds
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: graph.call @k
// CHECK-NOT: scf.if
// CHECK: graph.return
graph.func orchestration @several_rounds(inout %t: !graph.tensor<8xf32>, in %m: index, in %n: index) {
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %a = arith.cmpi ne, %m, %c3 : index
  scf.if %a {
    %b = arith.cmpi ne, %m, %c3 : index
    scf.if %b {
      %c = arith.cmpi ne, %m, %c3 : index
      %both = arith.andi %b, %c : i1
      scf.if %both {
        %0 = graph.call @k(%t, %both) : (!graph.tensor<8xf32>, i1) -> !graph.tensor<8xf32>
      }
    }
  }
  graph.return
}
