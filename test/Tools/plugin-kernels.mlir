// The plugin brings the passes on kernels into a stock mlir-opt: what they make there is, byte for
// byte, what pypto-opt makes.

// RUN: %stock_mlir_opt %s --load-dialect-plugin=%pypto_plugin --pass-pipeline='builtin.module(verify-asc-graph,improve-precision,asc-dce)' -o %t.stock
// RUN: pypto-opt %s --verify-asc-graph --improve-precision --asc-dce | diff %t.stock -
// RUN: FileCheck %s --check-prefix=F32 --input-file=%t.stock

// RUN: %stock_mlir_opt %s --load-pass-plugin=%pypto_plugin --load-dialect-plugin=%pypto_plugin --pass-pipeline='builtin.module(improve-precision{blacklist=exp},asc-dce,convert-asc-to-linalg,convert-kernels-to-func{strided=true},canonicalize,func.func(linalg-fuse-elementwise-ops),canonicalize,cse)' -o %t.stock
// RUN: pypto-opt %s --pass-pipeline='builtin.module(improve-precision{blacklist=exp},asc-dce,convert-asc-to-linalg,convert-kernels-to-func{strided=true},canonicalize,func.func(linalg-fuse-elementwise-ops),canonicalize,cse)' | diff %t.stock -
// RUN: FileCheck %s --check-prefix=LINALG --input-file=%t.stock

// Through buffers, loops and the passes of the project in between to the LLVM dialect, as
// `pypto_graph.kernels` does; the parts of the project give the same bytes there, too.
// RUN: %stock_mlir_opt %s --load-dialect-plugin=%pypto_plugin --pass-pipeline='builtin.module(convert-asc-to-linalg,convert-kernels-to-func,eliminate-empty-tensors,one-shot-bufferize,canonicalize,cse,buffer-deallocation-pipeline)' -o %t.buffers
// RUN: %stock_mlir_opt %t.buffers --load-dialect-plugin=%pypto_plugin --pass-pipeline='builtin.module(expand-memref-copies)' -o %t.stock
// RUN: pypto-opt %t.buffers --expand-memref-copies | diff %t.stock -
// RUN: FileCheck %s --check-prefix=COPIES --input-file=%t.stock
// RUN: %stock_mlir_opt %t.stock --pass-pipeline='builtin.module(func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,arith-expand{include-bf16=true},convert-math-to-llvm,convert-math-to-libm,convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)' | FileCheck %s --check-prefix=LLVM

// Errors are the same.
// RUN: not %stock_mlir_opt %s --load-dialect-plugin=%pypto_plugin --pass-pipeline='builtin.module(improve-precision{blacklist=expo})' 2> %t.stock
// RUN: not pypto-opt %s --improve-precision=blacklist=expo 2>&1 | diff %t.stock -
// RUN: FileCheck %s --check-prefix=ERROR --input-file=%t.stock

// F32: asc.cast "Exp_0_cast0"
// F32: asc.exp "Exp_0" %{{.*}} : tensor<4x16xf32>
// F32-NOT: asc.log
// LINALG: func.func @k(%{{.*}}: memref<4x16xbf16, strided<[?, ?], offset: ?>>
// LINALG: linalg.generic
// COPIES: func.func @k
// COPIES-NOT: memref.copy
// LLVM: llvm.func @k
// LLVM-NOT: unrealized_conversion_cast
// ERROR: option 'blacklist' of 'improve-precision' names 'expo'

!g = !graph.tensor<4x16xbf16>
!t = tensor<4x16xbf16>

graph.func incore @k(in %x: !g, out %o: !g, inout %acc: !graph.tensor<4x1xf32>) -> (%o) {
  %0 = asc.load "Load_0" %x[0, 0] : !g -> !t
  %1 = asc.exp "Exp_0" %0 : !t
  %2 = asc.log "Log_0" %0 : !t
  asc.store "Store_0" %1, %o[0, 0] after ["Exp_0"] : !t, !g
  %3 = asc.cast "Cast_0" %1 : !t to tensor<4x16xf32>
  %4 = asc.sum "Sum_0" %3 axes [1] : tensor<4x16xf32>
  %5 = asc.load "Load_1" %acc[0, 0] : !graph.tensor<4x1xf32> -> tensor<4x1xf32>
  %6 = asc.add "Add_0" %4, %5 : tensor<4x1xf32>
  asc.store "Store_1" %6, %acc[0, 0] : tensor<4x1xf32>, !graph.tensor<4x1xf32>
  graph.return %o : !g
}
