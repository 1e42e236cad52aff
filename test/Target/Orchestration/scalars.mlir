// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: %python %S/Inputs/run.py %t.mlir --calls '3 7 200 65535 1 1077936128 4614253070214989087 16896 16512; 18446744073709551615 4294967295 128 32768 0 3212836864 13830554455654793216 50176 49024; 9223372036854775808 2147483648 127 1 1 1 0 1 32640'

// Scalars are bit patterns of every type and width.

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private aiv @k64(inout %o: !graph.tensor<4xf32>, in %a: index, in %b: i64)
  graph.func private aiv @k32(inout %o: !graph.tensor<4xf32>, in %a: i32)
  graph.func private aiv @k16(inout %o: !graph.tensor<4xf32>, in %a: i16)
  graph.func private aiv @k8(inout %o: !graph.tensor<4xf32>, in %a: i8)
  graph.func private aiv @k7(inout %o: !graph.tensor<4xf32>, in %a: i7)
  graph.func private aiv @k1(inout %o: !graph.tensor<4xf32>, in %a: i1)
  graph.func private aiv @kf(inout %o: !graph.tensor<4xf32>, in %a: f32, in %b: f64, in %c: f16, in %d: bf16)

  graph.func orchestration @main(inout %o: !graph.tensor<4xf32>, in %x: index, in %i: i32, in %b: i8,
                                 in %h: i16, in %p: i1, in %f: f32, in %d: f64, in %g: f16, in %e: bf16) {
    %c5 = arith.constant 5 : index
    %c40 = arith.constant 40 : index

    // CHECK: const uint64_t &x = orch_args.scalar(0);
    // CHECK: const uint64_t &e = orch_args.scalar(8);
    // CHECK: const uint64_t add = x + 5;
    // CHECK-NEXT: const uint64_t mul = add * 40;
    // CHECK-NEXT: const uint64_t sub = static_cast<uint64_t>(5) - mul;
    // CHECK-NEXT: const uint64_t div = static_cast<int64_t>(sub) / 5;
    %0 = arith.addi %x, %c5 : index
    %1 = arith.muli %0, %c40 : index
    %2 = arith.subi %c5, %1 : index
    %3 = arith.divsi %2, %c5 : index
    %4 = arith.remsi %3, %c40 : index
    %5 = arith.ceildivsi %4, %c5 : index
    %6 = arith.floordivsi %5, %c40 : index
    %7 = arith.divui %2, %c5 : index
    %8 = arith.remui %7, %c40 : index
    %9 = arith.ceildivui %8, %c5 : index
    // CHECK: const uint64_t max = static_cast<int64_t>({{.*}}) > static_cast<int64_t>({{.*}}) ? {{.*}} : {{.*}};
    %10 = arith.maxsi %9, %6 : index
    %11 = arith.minui %10, %3 : index
    %12 = arith.xori %11, %4 : index
    %13 = arith.ori %12, %c5 : index
    %14 = arith.andi %13, %2 : index
    // CHECK: const uint64_t shl = x << 5;
    %15 = arith.shli %x, %c5 : index
    // CHECK: const uint64_t shr = and_1 < 64u ? static_cast<int64_t>(shl) >> and_1 : 0;
    %low = arith.andi %x, %c5 : index
    %16 = arith.shrsi %15, %low : index
    %17 = arith.shrui %16, %c5 : index
    %18 = index.add %17, %14
    %19 = index.floordivs %18, %c40
    %20 = index.maxu %19, %17
    %21 = index.castu %20 : index to i32
    %22 = index.casts %21 : i32 to index
    %23 = arith.index_cast %22 : index to i64
    graph.call @k64(%o, %14, %23) : (!graph.tensor<4xf32>, index, i64) -> ()
    graph.call @k64(%o, %x, %23) : (!graph.tensor<4xf32>, index, i64) -> ()

    // Narrow ones wrap at their width.
    // CHECK: const uint8_t {{.*}} = static_cast<uint8_t>(static_cast<uint32_t>(static_cast<uint8_t>(b)) * static_cast<uint8_t>(b));
    %b0 = arith.muli %b, %b : i8
    %b1 = arith.addi %b0, %b : i8
    %b2 = arith.extsi %b1 : i8 to i32
    %b3 = arith.extui %b1 : i8 to i32
    %b4 = arith.subi %b2, %b3 : i32
    %b5 = arith.muli %b4, %i : i32
    %b6 = arith.trunci %b5 : i32 to i16
    %b7 = arith.addi %b6, %h : i16
    %b8 = arith.muli %b7, %h : i16
    graph.call @k8(%o, %b1) : (!graph.tensor<4xf32>, i8) -> ()
    graph.call @k32(%o, %b5) : (!graph.tensor<4xf32>, i32) -> ()
    graph.call @k16(%o, %b8) : (!graph.tensor<4xf32>, i16) -> ()
    // So does one of an odd width.
    %s0 = arith.trunci %b5 : i32 to i7
    %s1 = arith.constant 77 : i7
    %s2 = arith.addi %s0, %s1 : i7
    %s3 = arith.extsi %s2 : i7 to i32
    // CHECK: sign_extend(
    %s4 = arith.maxsi %s2, %s1 : i7
    graph.call @k7(%o, %s4) : (!graph.tensor<4xf32>, i7) -> ()
    graph.call @k32(%o, %s3) : (!graph.tensor<4xf32>, i32) -> ()

    // Comparisons; the compiler does not see that one is decided.
    // CHECK: const bool {{.*}} = static_cast<int32_t>(static_cast<uint32_t>(i)) < static_cast<int32_t>(
    %q0 = arith.cmpi slt, %i, %b5 : i32
    %q1 = arith.cmpi ugt, %i, %b5 : i32
    %q2 = arith.addi %q0, %q1 : i1
    %q3 = arith.select %q2, %p, %q1 : i1
    %zero = arith.constant 0 : i32
    %all = arith.constant -1 : i8
    // CHECK: const bool {{.*}} = std::greater_equal<uint32_t>()(static_cast<uint32_t>(i), 0);
    // CHECK-NEXT: const bool {{.*}} = std::greater<uint8_t>()(static_cast<uint8_t>(b), 255);
    // CHECK-NEXT: const bool {{.*}} = std::equal_to<uint8_t>()(
    %q4 = arith.cmpi uge, %i, %zero : i32
    %q5 = arith.cmpi ugt, %b, %all : i8
    %q6 = arith.cmpi eq, %b, %b : i8
    %q7 = index.cmp sge(%x, %c5)
    %q8 = arith.xori %q4, %q5 : i1
    %q9 = arith.andi %q8, %q6 : i1
    %qa = arith.ori %q9, %q7 : i1
    %qb = arith.muli %qa, %q3 : i1
    graph.call @k1(%o, %qb) : (!graph.tensor<4xf32>, i1) -> ()
    graph.call @k1(%o, %qa) : (!graph.tensor<4xf32>, i1) -> ()

    // What a loop carries unchanged is what it was.
    %big = arith.constant 999999 : i32
    %carried:2 = scf.for %l = %c5 to %c40 step %c5 iter_args(%m = %big, %z = %zero) -> (i32, i32) {
      // CHECK: = static_cast<uint32_t>(999999) * 999999;
      // CHECK-NEXT: = std::greater_equal<uint32_t>()(static_cast<uint32_t>(i), 0);
      // CHECK-NEXT: = std::equal_to<uint32_t>()(0, 0);
      %mm = arith.muli %m, %big : i32
      %ge = arith.cmpi uge, %i, %z : i32
      %same = arith.cmpi eq, %z, %zero : i32
      graph.call @k32(%o, %mm) : (!graph.tensor<4xf32>, i32) -> ()
      graph.call @k1(%o, %ge) : (!graph.tensor<4xf32>, i1) -> ()
      graph.call @k1(%o, %same) : (!graph.tensor<4xf32>, i1) -> ()
      scf.yield %m, %z : i32, i32
    }

    // Floats are computed with where they are computed, and kept as bits.
    // CHECK: const uint32_t {{.*}} = bits_f32(as_f32(static_cast<uint32_t>(f)) + as_f32(0x3FC00000u));
    %half = arith.constant 1.5 : f32
    %f0 = arith.addf %f, %half : f32
    %f1 = arith.mulf %f0, %f : f32
    %f2 = arith.subf %f1, %half : f32
    %f3 = arith.divf %f2, %half : f32
    %f4 = arith.negf %f3 : f32
    %f5 = arith.maximumf %f4, %f : f32
    %f6 = arith.minimumf %f5, %f0 : f32
    %f7 = arith.maxnumf %f6, %f4 : f32
    %f8 = math.absf %f7 : f32
    %f9 = math.sqrt %f8 : f32
    %fa = math.floor %f9 : f32
    %d0 = arith.extf %f3 : f32 to f64
    %d1 = arith.mulf %d0, %d : f64
    %d2 = arith.remf %d1, %d0 : f64
    %g0 = arith.truncf %d1 : f64 to f16
    %g1 = arith.addf %g, %g : f16
    %g2 = arith.mulf %g1, %g : f16
    %e0 = arith.truncf %f1 : f32 to bf16
    %e1 = arith.addf %e0, %e : bf16
    %e2 = arith.divf %e1, %e0 : bf16
    // A constant of each type.
    %m0 = arith.constant 0x7FC00001 : f32
    %m1 = arith.constant -2.5 : f64
    %m2 = arith.constant 0.1 : f16
    %m3 = arith.constant 3.0 : bf16
    // CHECK: const uint32_t {{.*}} = 0x7FC00001u;
    // CHECK-NEXT: const uint64_t {{.*}} = 0xC004000000000000ull;
    // CHECK-NEXT: const uint16_t {{.*}} = 11878;
    // CHECK-NEXT: const uint16_t {{.*}} = 16448;
    graph.call @kf(%o, %m0, %m1, %m2, %m3) : (!graph.tensor<4xf32>, f32, f64, f16, bf16) -> ()
    graph.call @kf(%o, %f, %d, %g, %e) : (!graph.tensor<4xf32>, f32, f64, f16, bf16) -> ()
    graph.call @kf(%o, %f1, %d1, %g0, %e0) : (!graph.tensor<4xf32>, f32, f64, f16, bf16) -> ()
    graph.call @kf(%o, %f6, %d0, %g1, %e1) : (!graph.tensor<4xf32>, f32, f64, f16, bf16) -> ()
    graph.call @kf(%o, %fa, %d1, %g2, %e0) : (!graph.tensor<4xf32>, f32, f64, f16, bf16) -> ()
    %r0 = arith.cmpf olt, %f, %half : f32
    %r1 = arith.cmpf une, %d, %d0 : f64
    %r2 = arith.cmpf ueq, %g, %g1 : f16
    %r3 = arith.cmpf ord, %e, %e : bf16
    %r4 = arith.cmpf uge, %f0, %f1 : f32
    %r5 = arith.xori %r0, %r1 : i1
    graph.call @k1(%o, %r5) : (!graph.tensor<4xf32>, i1) -> ()
    graph.call @k1(%o, %r2) : (!graph.tensor<4xf32>, i1) -> ()
    graph.call @k1(%o, %r3) : (!graph.tensor<4xf32>, i1) -> ()
    graph.call @k1(%o, %r4) : (!graph.tensor<4xf32>, i1) -> ()
    // Between the two.
    %t0 = arith.sitofp %i : i32 to f32
    %t2 = arith.sitofp %b : i8 to f16
    %t3 = arith.uitofp %h : i16 to bf16
    graph.call @kf(%o, %t0, %d, %t2, %t3) : (!graph.tensor<4xf32>, f32, f64, f16, bf16) -> ()
    %u0 = arith.bitcast %f : f32 to i32
    graph.call @k32(%o, %u0) : (!graph.tensor<4xf32>, i32) -> ()
    graph.return
  }
}
