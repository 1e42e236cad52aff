// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every type, attribute, function kind, operation and clause: the text is what
// one writes, and text, generic text and bytecode carry the same module.

// RUN: pypto-opt %s | FileCheck %s
// RUN: pypto-opt %s > %t.mlir
// RUN: pypto-opt %t.mlir | diff %t.mlir -
// RUN: pypto-opt %s --mlir-print-op-generic | pypto-opt | diff %t.mlir -
// RUN: pypto-opt %s --mlir-print-op-generic > %t.generic.mlir
// RUN: pypto-opt %t.generic.mlir --mlir-print-op-generic | diff %t.generic.mlir -
// RUN: pypto-opt %s --emit-bytecode | pypto-opt | diff %t.mlir -
// RUN: pypto-opt %s --mlir-print-debuginfo > %t.debug.mlir
// RUN: pypto-opt %t.debug.mlir | diff %t.mlir -
// RUN: pypto-opt %t.debug.mlir --mlir-print-debuginfo --mlir-print-op-generic | pypto-opt --mlir-print-debuginfo | diff %t.debug.mlir -
// RUN: pypto-opt %t.debug.mlir --emit-bytecode | pypto-opt --mlir-print-debuginfo | diff %t.debug.mlir -
// RUN: pypto-opt %s --mlir-print-local-scope | pypto-opt | diff %t.mlir -
// RUN: pypto-opt %s --mlir-print-unique-ssa-ids > %t.unique.mlir
// RUN: pypto-opt %t.unique.mlir --mlir-print-unique-ssa-ids | diff %t.unique.mlir -
// RUN: pypto-opt %t.unique.mlir --mlir-print-op-generic | FileCheck %s --check-prefix=NAMES

// Parameter names are what the generic form of what was printed with other value
// names still says.
// NAMES: graph.name = "acc"
// NAMES: graph.tied = "acc"

// CHECK: module @host attributes {graph.runtime = #graph.runtime<host_build_graph>}
module @host attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // CHECK: module @ring attributes {graph.runtime = #graph.runtime<tensormap_and_ringbuffer>}
  module @ring attributes {graph.runtime = #graph.runtime<tensormap_and_ringbuffer>} {
  }

  //===--------------------------------------------------------------------===//
  // Types
  //===--------------------------------------------------------------------===//

  // CHECK-LABEL: graph.func private opaque @element_types(
  // CHECK-SAME: in %a: !graph.tensor<f16>, in %b: !graph.tensor<1xbf16>, in %c: !graph.tensor<?xf32>
  // CHECK-SAME: in %d: !graph.tensor<1x2xf64>, in %e: !graph.tensor<?x?xi1>
  // CHECK-SAME: in %f: !graph.tensor<1x?x3xi8>, in %g: !graph.tensor<1x2x3x4xi16>
  // CHECK-SAME: in %h: !graph.tensor<1x2x3x4x5xi32>, in %i: !graph.tensor<?x?x?x?x?xi64>
  // CHECK-SAME: in %j: !graph.tensor<4xui8>, in %k: !graph.tensor<4xui16>
  // CHECK-SAME: in %l: !graph.tensor<4xui32>, in %m: !graph.tensor<4xui64>
  // CHECK-SAME: in %n: !graph.tensor<1152921504606846975xf32>)
  graph.func private opaque @element_types(
      in %a: !graph.tensor<f16>, in %b: !graph.tensor<1xbf16>, in %c: !graph.tensor<?xf32>,
      in %d: !graph.tensor<1x2xf64>, in %e: !graph.tensor<?x?xi1>,
      in %f: !graph.tensor<1x?x3xi8>, in %g: !graph.tensor<1x2x3x4xi16>,
      in %h: !graph.tensor<1x2x3x4x5xi32>, in %i: !graph.tensor<?x?x?x?x?xi64>,
      in %j: !graph.tensor<4xui8>, in %k: !graph.tensor<4xui16>,
      in %l: !graph.tensor<4xui32>, in %m: !graph.tensor<4xui64>,
      in %n: !graph.tensor<1152921504606846975xf32>)

  // CHECK-LABEL: graph.func private opaque @other_types(
  // CHECK-SAME: in %a: !graph.task_id, in %b: !graph.array<1 x !graph.task_id>
  // CHECK-SAME: in %c: !graph.array<4294967295 x index>, in %d: !graph.array<3 x f32>
  // CHECK-SAME: in %e: index, in %f: i1, in %g: i64, in %h: bf16)
  graph.func private opaque @other_types(
      in %a: !graph.task_id, in %b: !graph.array<1 x !graph.task_id>,
      in %c: !graph.array<4294967295xindex>, in %d: !graph.array<3 x f32>,
      in %e: index, in %f: i1, in %g: i64, in %h: bf16)

  //===--------------------------------------------------------------------===//
  // Functions
  //===--------------------------------------------------------------------===//

  // CHECK: graph.func private opaque @opaque()
  graph.func private opaque @opaque()
  // CHECK-NEXT: graph.func private orchestration @orchestration()
  graph.func private orchestration @orchestration()
  // CHECK-NEXT: graph.func private graph @graph()
  graph.func private graph @graph() -> ()
  // CHECK-NEXT: graph.func private incore @incore()
  graph.func private incore @incore()
  // CHECK-NEXT: graph.func private aic @aic()
  graph.func private aic @aic()
  // CHECK-NEXT: graph.func private aiv @aiv()
  graph.func private aiv @aiv()
  // CHECK-NEXT: graph.func private group @group() attributes {core_num = 3 : i64}
  graph.func private group @group() attributes {core_num = 3 : i64}
  // CHECK-NEXT: graph.func private spmd @spmd() attributes {core_num = 9223372036854775807 : i64}
  graph.func private spmd @spmd() attributes {core_num = 9223372036854775807 : i64}
  // CHECK-NEXT: graph.func private inline @inline()
  graph.func private inline @inline()
  // CHECK-NEXT: graph.func private opaque @"odd name \22"()
  graph.func private opaque @"odd name \22"()
  // CHECK-NEXT: graph.func nested opaque @nested() {
  graph.func nested opaque @nested() {
    graph.return
  }
  // CHECK: graph.func private orchestration @level() attributes {level = "host", role = "worker", user.note = 1 : i32}
  graph.func private orchestration @level() attributes {user.note = 1 : i32, role = "worker", level = "host"}

  // Directions and ties.
  // CHECK: graph.func private incore @k(in %a: !graph.tensor<16xf32>, inout %acc: !graph.tensor<16xf32>, out %o: !graph.tensor<16xf32>, in %s: index) -> (%acc, i32, %s, %acc, %o)
  graph.func private incore @k(in %a: !graph.tensor<16xf32>, inout %acc: !graph.tensor<16xf32>,
                               out %o: !graph.tensor<16xf32>, in %s: index)
      -> (%acc, i32, %s, %acc, %o)

  // Attributes of parameters and results beyond names, directions and ties.
  // CHECK: graph.func private incore @attrs(in %a: !graph.tensor<16xf32> {user.arg = "x"}, out %o: !graph.tensor<16xf32>) -> (%o {user.tied}, i32 {user.res = 7 : i32})
  graph.func private incore @attrs(in %a: !graph.tensor<16xf32> {user.arg = "x"},
                                   out %o: !graph.tensor<16xf32>)
      -> (%o {user.tied}, i32 {user.res = 7 : i32})
  // CHECK: graph.func orchestration @attrs_body(inout %a: !graph.tensor<16xf32> {user.arg = "x"}) -> (%a {user.tied}) attributes {user.fn} {
  graph.func orchestration @attrs_body(inout %a: !graph.tensor<16xf32> {user.arg = "x"})
      -> (%a {user.tied}) attributes {user.fn} {
    graph.return %a : !graph.tensor<16xf32>
  }

  // Names survive, in declarations and definitions, with punctuation. A number is
  // no name: it gets a prefix.
  // CHECK: graph.func private incore @names(in %$: index, in %a.b-c$d_e: index, in %_: index, in %_0: index, in %_12: index, out %-: !graph.tensor<4xf32>) -> (%_0, %-, %a.b-c$d_e, %_12)
  graph.func private incore @names(in %$: index, in %a.b-c$d_e: index, in %_: index, in %0: index,
                                   in %12: index, out %-: !graph.tensor<4xf32>)
      -> (%0, %-, %a.b-c$d_e, %12)
  // CHECK: graph.func orchestration @names_body(in %$: index, in %a.b-c$d_e: index, in %_0: index, inout %c0: !graph.tensor<4xf32>, in %arg7: i1) -> (%_0, %c0, %a.b-c$d_e) {
  // CHECK-NEXT: %c0_0 = arith.constant 0 : index
  // CHECK-NEXT: graph.return %_0, %c0, %a.b-c$d_e : index, !graph.tensor<4xf32>, index
  graph.func orchestration @names_body(in %$: index, in %a.b-c$d_e: index, in %0: index,
                                       inout %c0: !graph.tensor<4xf32>, in %arg7: i1)
      -> (%0, %c0, %a.b-c$d_e) {
    %zero = arith.constant 0 : index
    graph.return %0, %c0, %a.b-c$d_e : index, !graph.tensor<4xf32>, index
  }

  // CHECK: graph.func graph @slots(in %a: !graph.tensor<4xf32>, in %n: index, in %b: !graph.tensor<4xf32>) attributes {graph.slots = array<i64: 1, 0>} {
  graph.func graph @slots(in %a: !graph.tensor<4xf32>, in %n: index, in %b: !graph.tensor<4xf32>)
      attributes {graph.slots = array<i64: 1, 0>} {
    graph.return
  }

  //===--------------------------------------------------------------------===//
  // Launches
  //===--------------------------------------------------------------------===//

  graph.func private incore @k2(in %a: !graph.tensor<16xf32>, inout %b: !graph.tensor<16xf32>, in %s: i32) -> (%b)
  graph.func private incore @outs(out %a: !graph.tensor<16xf32>, in %b: !graph.tensor<?xf32>,
                                  out %c: !graph.tensor<16xf32>, out %d: !graph.tensor<8xf32>) -> (%a, %c, %d)

  // CHECK-LABEL: graph.func orchestration @launches
  graph.func orchestration @launches(in %x: !graph.tensor<16xf32>, inout %y: !graph.tensor<16xf32>,
                                     inout %z: !graph.tensor<?xf32>, in %s: i32, in %i: index,
                                     in %gate: !graph.tensor<4x1xi32>, in %ugate: !graph.tensor<ui8>, in %u: i8) {
    // CHECK-NEXT: graph.call @opaque() : () -> ()
    graph.call @opaque() : () -> ()
    // CHECK-NEXT: %0 = graph.call @k2(%x, %y, %s) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> !graph.tensor<16xf32>
    %0 = graph.call @k2(%x, %y, %s) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> !graph.tensor<16xf32>
    // CHECK-NEXT: %1 = graph.call @k2(input %x, inout %0, scalar %s) : (
    %1 = graph.call @k2(input %x, inout %0, scalar %s) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> !graph.tensor<16xf32>
    // CHECK-NEXT: %2 = graph.call @k2(%x, %1, %s) {no_dep = array<i64: 0, 1>, user.note} : (
    %2 = graph.call @k2(%x, %1, %s) {no_dep = array<i64: 0, 1>, user.note} : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> !graph.tensor<16xf32>
    // CHECK-NEXT: %3 = graph.call @k2(no_dep %x, inout %2, scalar %s) {no_dep = array<i64: 0>} : (
    %3 = graph.call @k2(no_dep %x, inout %2, scalar %s) {no_dep = array<i64: 0>} : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> !graph.tensor<16xf32>
    // Extents agree or are unknown on either side, of arguments and results.
    // CHECK-NEXT: %4:3 = graph.call @outs(output %3, input %3, output_existing %z, inout %z) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<?xf32>, !graph.tensor<?xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<?xf32>, !graph.tensor<8xf32>)
    %4:3 = graph.call @outs(output %3, input %3, output_existing %z, inout %z) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<?xf32>, !graph.tensor<?xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<?xf32>, !graph.tensor<8xf32>)

    // CHECK-NEXT: %task = graph.submit @opaque() : () -> !graph.task_id
    %t0 = graph.submit @opaque() : () -> !graph.task_id
    // CHECK-NEXT: %[[D:.*]] = graph.task_dummy : !graph.task_id
    %t1 = graph.task_dummy : !graph.task_id
    %arr = graph.array.create : !graph.array<4 x !graph.task_id>
    // CHECK: graph.task_dummy deps(%{{.*}}, %{{.*}}, %{{.*}} : !graph.task_id, !graph.array<4 x !graph.task_id>, !graph.task_id) {user.note} : !graph.task_id
    %t2 = graph.task_dummy deps(%t0, %arr, %t1 : !graph.task_id, !graph.array<4 x !graph.task_id>, !graph.task_id) {user.note} : !graph.task_id

    // Every clause alone and all together.
    // CHECK-NEXT: %{{.*}}, %{{.*}} = graph.submit @k2(%x, %y, %s) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> (!graph.tensor<16xf32>, !graph.task_id)
    %5, %t3 = graph.submit @k2(%x, %y, %s) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> (!graph.tensor<16xf32>, !graph.task_id)
    // CHECK-NEXT: graph.submit @k2(%x, %y, %s) deps(%{{.*}} : !graph.task_id) : (
    %6, %t4 = graph.submit @k2(%x, %y, %s) deps(%t3 : !graph.task_id) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> (!graph.tensor<16xf32>, !graph.task_id)
    // CHECK-NEXT: graph.submit @k2(%x, %y, %s) core_num(%i) : (
    %7, %t5 = graph.submit @k2(%x, %y, %s) core_num(%i) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> (!graph.tensor<16xf32>, !graph.task_id)
    // CHECK-NEXT: graph.submit @k2(%x, %y, %s) predicate(%gate[%i, 0] gt %s : !graph.tensor<4x1xi32>) : (
    %8, %t6 = graph.submit @k2(%x, %y, %s) predicate(%gate[%i, 0] gt %s : !graph.tensor<4x1xi32>) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> (!graph.tensor<16xf32>, !graph.task_id)
    // CHECK-NEXT: graph.submit @k2(%x, %y, %s) {sync_start} : (
    %9, %t7 = graph.submit @k2(%x, %y, %s) {sync_start} : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> (!graph.tensor<16xf32>, !graph.task_id)
    // CHECK-NEXT: graph.submit @k2(input %x, no_dep %y, scalar %s) deps(%{{.*}}, %{{.*}} : !graph.task_id, !graph.array<4 x !graph.task_id>) core_num(%i) predicate(%gate[3, %i] le %s : !graph.tensor<4x1xi32>) {no_dep = array<i64: 1>, sync_start} : (
    %10, %t8 = graph.submit @k2(input %x, no_dep %y, scalar %s) deps(%t7, %arr : !graph.task_id, !graph.array<4 x !graph.task_id>)
        core_num(%i) predicate(%gate[3, %i] le %s : !graph.tensor<4x1xi32>) {no_dep = array<i64: 1>, sync_start}
        : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32) -> (!graph.tensor<16xf32>, !graph.task_id)

    // Comparisons; a gate of rank 0; unsigned elements compare with iN.
    // CHECK-NEXT: predicate(%ugate[] eq %u : !graph.tensor<ui8>) : () ->
    %t9 = graph.submit @opaque() predicate(%ugate[] eq %u : !graph.tensor<ui8>) : () -> !graph.task_id
    // CHECK-NEXT: predicate(%ugate[] ne %u : !graph.tensor<ui8>) : () ->
    %t10 = graph.submit @opaque() predicate(%ugate[] ne %u : !graph.tensor<ui8>) : () -> !graph.task_id
    // CHECK-NEXT: predicate(%ugate[] lt %u : !graph.tensor<ui8>) : () ->
    %t11 = graph.submit @opaque() predicate(%ugate[] lt %u : !graph.tensor<ui8>) : () -> !graph.task_id
    // CHECK-NEXT: predicate(%ugate[] ge %u : !graph.tensor<ui8>) : () ->
    %t12 = graph.submit @opaque() predicate(%ugate[] ge %u : !graph.tensor<ui8>) : () -> !graph.task_id

    // A prefix of the parameters, when trailing `out` parameters are left.
    // CHECK-NEXT: graph.submit @outs(output %x, input %z) : (!graph.tensor<16xf32>, !graph.tensor<?xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<8xf32>, !graph.task_id)
    %11:4 = graph.submit @outs(output %x, input %z) : (!graph.tensor<16xf32>, !graph.tensor<?xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<8xf32>, !graph.task_id)
    // CHECK-NEXT: graph.return
    graph.return
  }

  //===--------------------------------------------------------------------===//
  // Buffers, views, scalars
  //===--------------------------------------------------------------------===//

  // CHECK-LABEL: graph.func orchestration @buffers
  graph.func orchestration @buffers(in %w: !graph.tensor<512x128xf32>, in %b: !graph.tensor<4xui16>,
                                    in %r0: !graph.tensor<f64>, in %m: index, in %v: f32, in %h: i16) {
    // CHECK-NEXT: graph.create : !graph.tensor<128x128xf32>
    %0 = graph.create : !graph.tensor<128x128xf32>
    // CHECK-NEXT: graph.create(%m) : !graph.tensor<?x128xf32>
    %1 = graph.create(%m) : !graph.tensor<?x128xf32>
    // CHECK-NEXT: graph.create(%m, %m) {user.note} : !graph.tensor<?x128x?xf32>
    %2 = graph.create(%m, %m) {user.note} : !graph.tensor<?x128x?xf32>
    // CHECK-NEXT: graph.create : !graph.tensor<f64>
    %3 = graph.create : !graph.tensor<f64>
    // CHECK-NEXT: graph.full %v : !graph.tensor<16xf32>
    %4 = graph.full %v : !graph.tensor<16xf32>
    // CHECK-NEXT: graph.full %h {user.note} : !graph.tensor<16xui16>
    %5 = graph.full %h {user.note} : !graph.tensor<16xui16>
    // CHECK-NEXT: graph.slice %w[%m, 0] [128, %m] : !graph.tensor<512x128xf32> to !graph.tensor<128x?xf32>
    %6 = graph.slice %w[%m, 0] [128, %m] : !graph.tensor<512x128xf32> to !graph.tensor<128x?xf32>
    // CHECK-NEXT: graph.slice %r0[] [] : !graph.tensor<f64> to !graph.tensor<f64>
    %7 = graph.slice %r0[] [] : !graph.tensor<f64> to !graph.tensor<f64>
    // CHECK-NEXT: graph.view %w [256, 256] : !graph.tensor<512x128xf32> to !graph.tensor<256x256xf32>
    %8 = graph.view %w [256, 256] : !graph.tensor<512x128xf32> to !graph.tensor<256x256xf32>
    // CHECK-NEXT: graph.view %w [64, %m, 1] {user.note} : !graph.tensor<512x128xf32> to !graph.tensor<64x?x1xf32>
    %9 = graph.view %w [64, %m, 1] {user.note} : !graph.tensor<512x128xf32> to !graph.tensor<64x?x1xf32>
    // CHECK-NEXT: graph.view %r0 [1] : !graph.tensor<f64> to !graph.tensor<1xf64>
    %10 = graph.view %r0 [1] : !graph.tensor<f64> to !graph.tensor<1xf64>
    // CHECK-NEXT: graph.cast %{{.*}} : !graph.tensor<?x128xf32> to !graph.tensor<64x?xf32>
    %11 = graph.cast %1 : !graph.tensor<?x128xf32> to !graph.tensor<64x?xf32>
    // CHECK-NEXT: graph.dim %w, %m : !graph.tensor<512x128xf32>
    %12 = graph.dim %w, %m : !graph.tensor<512x128xf32>
    // CHECK-NEXT: %{{.*}} = graph.read %w[%m, 127] : !graph.tensor<512x128xf32>
    %13 = graph.read %w[%m, 127] : !graph.tensor<512x128xf32>
    %14 = arith.addf %13, %v : f32
    // CHECK: graph.read %b[3] : !graph.tensor<4xui16>
    %15 = graph.read %b[3] : !graph.tensor<4xui16>
    %16 = arith.addi %15, %h : i16
    // CHECK: graph.read %r0[] : !graph.tensor<f64>
    %17 = graph.read %r0[] : !graph.tensor<f64>
    // CHECK-NEXT: graph.alias %w : !graph.tensor<512x128xf32>
    %18 = graph.alias %w : !graph.tensor<512x128xf32>
    // CHECK-NEXT: graph.alias %m {user.note} : index
    %19 = graph.alias %m {user.note} : index
    // CHECK-NEXT: %[[A:.*]] = graph.array.create : !graph.array<4 x !graph.task_id>
    %20 = graph.array.create : !graph.array<4 x !graph.task_id>
    %t = graph.task_dummy : !graph.task_id
    // CHECK: %[[B:.*]] = graph.array.insert %{{.*}}, %[[A]][3] : !graph.array<4 x !graph.task_id>
    %21 = graph.array.insert %t, %20[3] : !graph.array<4 x !graph.task_id>
    // CHECK-NEXT: %[[C:.*]] = graph.array.insert %{{.*}}, %[[B]][%m] : !graph.array<4 x !graph.task_id>
    %22 = graph.array.insert %t, %21[%m] : !graph.array<4 x !graph.task_id>
    // CHECK-NEXT: graph.array.extract %[[C]][0] : !graph.array<4 x !graph.task_id>
    %23 = graph.array.extract %22[0] : !graph.array<4 x !graph.task_id>
    // CHECK-NEXT: graph.array.extract %[[C]][%m] : !graph.array<4 x !graph.task_id>
    %24 = graph.array.extract %22[%m] : !graph.array<4 x !graph.task_id>
    // CHECK-NEXT: graph.alias %{{.*}} : !graph.task_id
    %25 = graph.alias %24 : !graph.task_id
    // CHECK-NEXT: graph.alias %{{.*}} : !graph.array<4 x !graph.task_id>
    %26 = graph.alias %22 : !graph.array<4 x !graph.task_id>
    // CHECK-NEXT: graph.array.create : !graph.array<2 x f32>
    %27 = graph.array.create : !graph.array<2 x f32>
    %28 = graph.array.insert %v, %27[1] : !graph.array<2 x f32>
    graph.return
  }

  // Control flow is upstream's.
  // CHECK-LABEL: graph.func orchestration @flow
  graph.func orchestration @flow(in %w: !graph.tensor<16xf32>, inout %y: !graph.tensor<16xf32>,
                                 in %c: i1, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %y) -> (!graph.tensor<16xf32>) {
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (!graph.tensor<16xf32>) {
      scf.yield %a : !graph.tensor<16xf32>
    // CHECK: } {graph.parallel}
    } {graph.parallel}
    // CHECK: scf.if %c -> (!graph.tensor<16xf32>, !graph.task_id)
    %1:2 = scf.if %c -> (!graph.tensor<16xf32>, !graph.task_id) {
      %t = graph.task_dummy : !graph.task_id
      scf.yield %w, %t : !graph.tensor<16xf32>, !graph.task_id
    } else {
      %t = graph.task_dummy : !graph.task_id
      scf.yield %0, %t : !graph.tensor<16xf32>, !graph.task_id
    }
    // CHECK: arith.select %c, %w, %{{.*}} : !graph.tensor<16xf32>
    %2 = arith.select %c, %w, %1#0 : !graph.tensor<16xf32>
    // CHECK: scf.while (%{{.*}} = %{{.*}}) : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    %3 = scf.while (%a = %2) : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32> {
      scf.condition(%c) %a : !graph.tensor<16xf32>
    } do {
    ^bb0(%a: !graph.tensor<16xf32>):
      scf.yield %a : !graph.tensor<16xf32>
    }
    graph.return
  }

  //===--------------------------------------------------------------------===//
  // Scopes
  //===--------------------------------------------------------------------===//

  // CHECK-LABEL: graph.func orchestration @scopes
  graph.func orchestration @scopes(in %x: !graph.tensor<16xf32>, in %n: index, in %z: f32) {
    // CHECK-NEXT: graph.scope graph "layer" {
    // CHECK-NEXT: }
    graph.scope graph "layer" {
    }
    // CHECK-NEXT: graph.scope manual {
    graph.scope manual {
      // CHECK-NEXT: graph.scope auto "named" {
      graph.scope auto "named" {
      // CHECK-NEXT: }
        graph.yield
      }
    // CHECK-NEXT: }
    }
    // CHECK-NEXT: %[[R:.*]]:2 = graph.scope graph "pair" -> (!graph.tensor<16xf32>, index) {
    // CHECK-NEXT:   graph.yield %x, %n : !graph.tensor<16xf32>, index
    // CHECK-NEXT: }
    %0:2 = graph.scope graph "pair" -> (!graph.tensor<16xf32>, index) {
      graph.yield %x, %n : !graph.tensor<16xf32>, index
    }
    // A device scope may have a task id beyond what it yields.
    // CHECK-NEXT: %[[T:.*]] = graph.scope incore -> (!graph.task_id) {
    // CHECK-NEXT: }
    %1 = graph.scope incore -> (!graph.task_id) {
    }
    // CHECK-NEXT: %[[U:.*]]:2 = graph.scope cluster "c" deps(%[[T]] : !graph.task_id) -> (!graph.tensor<16xf32>, !graph.task_id) {
    %2:2 = graph.scope cluster "c" deps(%1 : !graph.task_id) -> (!graph.tensor<16xf32>, !graph.task_id) {
      graph.yield %x : !graph.tensor<16xf32>
    }
    // CHECK: graph.scope spmd "s" deps(%[[T]], %[[U]]#1 : !graph.task_id, !graph.task_id) core_num(%n) predicate(%x[%n] ge %z : !graph.tensor<16xf32>) attributes {user.note} -> (!graph.task_id) {
    %3 = graph.scope spmd "s" deps(%1, %2#1 : !graph.task_id, !graph.task_id) core_num(%n)
        predicate(%x[%n] ge %z : !graph.tensor<16xf32>) attributes {user.note} -> (!graph.task_id) {
    }
    // CHECK: graph.scope incore predicate(%x[0] ge %z : !graph.tensor<16xf32>) {
    // CHECK-NEXT: graph.yield {user.note}
    graph.scope incore predicate(%x[0] ge %z : !graph.tensor<16xf32>) {
      graph.yield {user.note}
    }
    graph.return
  }

  //===--------------------------------------------------------------------===//
  // Kernel bodies
  //===--------------------------------------------------------------------===//

  // CHECK-LABEL: graph.func incore @kernel
  graph.func incore @kernel(in %w: !graph.tensor<512x128xf32>, in %q: !graph.tensor<4xui8>,
                            inout %o: !graph.tensor<128x128xf32>, in %i: index) -> (%o) {
    // CHECK-NEXT: %[[T:.*]] = graph.load %w[%i, 0] : !graph.tensor<512x128xf32> -> tensor<128x128xf32>
    %t = graph.load %w[%i, 0] : !graph.tensor<512x128xf32> -> tensor<128x128xf32>
    // CHECK-NEXT: graph.load %q[0] {user.note} : !graph.tensor<4xui8> -> tensor<4xi8>
    %u = graph.load %q[0] {user.note} : !graph.tensor<4xui8> -> tensor<4xi8>
    // CHECK-NEXT: graph.load %q[0] : !graph.tensor<4xui8> -> tensor<?xui8>
    %v = graph.load %q[0] : !graph.tensor<4xui8> -> tensor<?xui8>
    %s = arith.addf %t, %t : tensor<128x128xf32>
    // CHECK: graph.store %[[T]], %o[0, %i] : tensor<128x128xf32>, !graph.tensor<128x128xf32>
    graph.store %t, %o[0, %i] : tensor<128x128xf32>, !graph.tensor<128x128xf32>
    // CHECK-NEXT: graph.store %{{.*}}, %o[0, 0] {atomic_add} : tensor<128x128xf32>, !graph.tensor<128x128xf32>
    graph.store %s, %o[0, 0] {atomic_add} : tensor<128x128xf32>, !graph.tensor<128x128xf32>
    graph.return %o : !graph.tensor<128x128xf32>
  }

  //===--------------------------------------------------------------------===//
  // Attributes by themselves
  //===--------------------------------------------------------------------===//

  // CHECK: graph.func private opaque @attributes() attributes {
  // CHECK-SAME: user.a = [#graph.kind<opaque>, #graph.kind<inline>], user.b = #graph.dir<inout>
  // CHECK-SAME: user.c = #graph.arg_dir<output_existing>, user.d = #graph.scope_kind<cluster>
  // CHECK-SAME: user.e = #graph.cmp<ge>, user.f = !graph.tensor<?x4xf32>}
  graph.func private opaque @attributes() attributes {
      user.a = [#graph.kind<opaque>, #graph.kind<inline>], user.b = #graph.dir<inout>,
      user.c = #graph.arg_dir<output_existing>, user.d = #graph.scope_kind<cluster>,
      user.e = #graph.cmp<ge>, user.f = !graph.tensor<?x4xf32>}
}
