// RUN: not pypto-opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not pypto-opt < %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not pypto-translate --graph-to-orchestration %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not pypto-replay %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not pypto-reduce %s 2>&1 | FileCheck %s --implicit-check-not=error:

// MLIR's own parsers of these operations abort on types that are no tensors:
// the tools report a graph tensor first.

!t = !graph.tensor<2x4x4xf32>
!u = !t
!v = tensor<2x4x4xf32>

func.func @f(%a: !graph.tensor<2x4x4xf32>, %t: !v) {
  // CHECK: [[@LINE+1]]:3: error: 'linalg.batch_matmul' op operands must be tensors, memrefs or scalars, but got '!graph.tensor'
  linalg.batch_matmul ins(%a, %a : !graph.tensor<2x4x4xf32>, !graph.tensor<2x4x4xf32>) outs(%t : !v)
  // CHECK: [[@LINE+1]]:3: error: 'linalg.elementwise' op {{.*}} got '!u'
  linalg.elementwise kind=#linalg.elementwise_kind<exp>
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>]
      // ins(%t : !v) outs(%t : !v)
      ins(%t : !v) outs(%a : !u)
  // CHECK: [[@LINE+1]]:8: error: 'linalg.select' op {{.*}} got '!t'
  %0 = linalg.select {note = "ins(%t : !v)"} ins(%a, %a, %a : !t, !t, !t) outs(%t : !v) -> !v
  // CHECK: [[@LINE+1]]:8: error: 'linalg.batch_reduce_matmul' op {{.*}} got '!graph.task_id'
  %1 = linalg.batch_reduce_matmul ins(%t, %t : !v, !v) outs(%a : tensor<4x4x!graph.task_id>) -> !v

  // None of these is one: tensors only, another operation's graph tensor, the
  // generic form, a comment, a string.
  %2 = linalg.batch_matmul ins(%t, %t : !v, !v) outs(%t : !v) -> !v
  %3 = graph.slice %a[0, 0, 0] [2, 4, 4] : !t to !t
  "linalg.batch_matmul"(%a) : (!t) -> ()
  // linalg.select ins(%a : !t)
  "test.op"() {note = "linalg.select ins(%a : !t)"} : () -> ()
  return
}
