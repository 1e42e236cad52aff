// Every upstream pass of pypto-opt runs on every upstream dialect of pypto-opt:
// a promised interface that nobody registered would abort.

// RUN: pypto-opt %s --canonicalize --cse --sccp --loop-invariant-code-motion --control-flow-sink --topological-sort -o /dev/null
// RUN: pypto-opt %s --loop-invariant-subset-hoisting --mem2reg --sroa --generate-runtime-verification -o /dev/null
// RUN: pypto-opt %s --inline --symbol-privatize --symbol-dce -o /dev/null
// RUN: pypto-opt %s --print-op-stats --strip-debuginfo --snapshot-op-locations=filename=%t.loc -o /dev/null 2> %t.stats
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t.stats
// RUN: pypto-opt %s --view-op-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: pypto-opt %s --int-range-optimizations --arith-int-range-narrowing=int-bitwidths-supported=32 --arith-unsigned-when-equivalent -o /dev/null
// RUN: pypto-opt %s --scf-for-loop-canonicalization --scf-for-loop-range-folding --scf-for-loop-specialization --scf-for-loop-peeling -o /dev/null
// RUN: pypto-opt %s --linalg-generalize-named-ops --convert-elementwise-to-linalg --linalg-fuse-elementwise-ops --linalg-fold-unit-extent-dims | FileCheck %s

// STATS: linalg.matmul , 1
// DOT: digraph
// CHECK: linalg.generic
// CHECK-NOT: linalg.matmul

func.func @tensors(%a: tensor<16x8xf32>, %b: tensor<8x4xf32>, %n: index) -> (tensor<16x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x4xf32>) -> tensor<16x4xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<16x8xf32>, tensor<8x4xf32>) outs(%init : tensor<16x4xf32>) -> tensor<16x4xf32>
  %exp = math.exp %mm : tensor<16x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %res = scf.for %i = %c0 to %n step %c1 iter_args(%t = %exp) -> (tensor<16x4xf32>) {
    %s = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<16x4xf32> to tensor<4x4xf32>
    %d = arith.addf %s, %s : tensor<4x4xf32>
    %u = tensor.insert_slice %d into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<16x4xf32>
    scf.yield %u : tensor<16x4xf32>
  }
  %s2 = tensor.extract_slice %res[%n, 0] [4, 4] [1, 1] : tensor<16x4xf32> to tensor<4x4xf32>
  return %res, %s2 : tensor<16x4xf32>, tensor<4x4xf32>
}

func.func @buffers(%n: index, %x: f32) -> f32 {
  %m = memref.alloca() : memref<f32>
  memref.store %x, %m[] : memref<f32>
  %v = memref.load %m[] : memref<f32>
  %big = memref.alloc() : memref<64xf32>
  affine.for %i = 0 to 64 {
    affine.store %v, %big[%i] : memref<64xf32>
  }
  %sub = memref.subview %big[%n] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
  %two = index.constant 2
  %k = index.add %n, %two
  %w = memref.load %big[%k] : memref<64xf32>
  %t = bufferization.to_tensor %big restrict : memref<64xf32> to tensor<64xf32>
  %e = tensor.extract %t[%n] : tensor<64xf32>
  memref.dealloc %big : memref<64xf32>
  %sum = arith.addf %w, %e : f32
  return %sum : f32
}

func.func @branches(%c: i1, %a: i32) -> i32 {
  %p = ub.poison : i32
  cf.cond_br %c, ^bb1(%a : i32), ^bb1(%p : i32)
^bb1(%r: i32):
  return %r : i32
}

func.func private @callee(%a: i32) -> i32 {
  %0 = arith.muli %a, %a : i32
  return %0 : i32
}
func.func @caller(%a: i32) -> i32 {
  %0 = call @callee(%a) : (i32) -> i32
  return %0 : i32
}
