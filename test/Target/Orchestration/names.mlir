// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --derive-call-directions --legalize-graph-boundary -o %t.mlir
// RUN: pypto-translate --graph-to-orchestration %t.mlir | FileCheck %s
// RUN: pypto-translate --graph-to-orchestration %t.mlir -o /dev/null --manifest=- | FileCheck %s --check-prefix=MANIFEST
// RUN: %python %S/Inputs/run.py %t.mlir

// Names are those of the program, made valid and unique.

!t = !graph.tensor<4xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  // CHECK: kernel_int = 0,
  // CHECK-NEXT: kernel_a_b_c = 1,
  // CHECK-NEXT: kernel_a_b_c_0 = 2,
  // CHECK-NEXT: kernel_ = 3,
  graph.func private aiv @int(in %a: !t, inout %o: !t, in %s: index)
  graph.func private aiv @a.b.c(in %a: !t, inout %o: !t)
  graph.func private aiv @"a b-c"(in %a: !t, inout %o: !t)
  graph.func private aiv @"\22\0A*/ //"(in %a: !t, inout %o: !t)

  // CHECK: void main_0(const GraphTaskArgs &);
  // CHECK-NEXT: void int_(const GraphTaskArgs &);
  // CHECK: void main_0(const GraphTaskArgs &args) {
  // CHECK-NEXT: const ChipTensor &main_1 = args.tensor(0).ref();
  // CHECK-NEXT: const ChipTensor &params_t0 = args.tensor(1).ref();
  // CHECK-NEXT: const uint64_t &double_0 = args.scalar(0);
  // CHECK-NEXT: // Task 0: int (
  // CHECK-NEXT: CoreTaskArgs params_t0_0;
  graph.func graph @main(in %main: !t, inout %params_t0: !t, in %double: index) {
    graph.call @int(%main, %params_t0, %double) : (!t, !t, index) -> ()
    graph.return
  }
  // CHECK: void int_(const GraphTaskArgs &args) {
  // CHECK-NEXT: const ChipTensor &uint64_t_0 = args.tensor(0).ref();
  // CHECK-NEXT: const ChipTensor &args_0 = args.tensor(1).ref();
  graph.func graph @"int "(in %uint64_t: !t, inout %args: !t, in %SIZE_MAX: index) {
    // CHECK: add_scalar(vSIZE_MAX)
    graph.call @a.b.c(%uint64_t, %args) : (!t, !t) -> ()
    graph.call @int(%uint64_t, %args, %SIZE_MAX) : (!t, !t, index) -> ()
    graph.call @"a b-c"(%uint64_t, %args) : (!t, !t) -> ()
    // CHECK: // Task 3: ____ __
    graph.call @"\22\0A*/ //"(%uint64_t, %args) : (!t, !t) -> ()
    graph.return
  }
  // CHECK: aicpu_orchestration_entry(const ChipTaskArgs &orch_args) {
  // CHECK-NEXT: const ChipTensor &ext_if = orch_args.tensor(0).ref();
  // CHECK-NEXT: const ChipTensor &ext_x_y = orch_args.tensor(1).ref();
  // CHECK-NEXT: const uint64_t &v_1 = orch_args.scalar(0);
  graph.func orchestration @aicpu_orchestration_entry(in %if: !t, inout %x.y: !t, in %_1: index) {
    graph.call @main(%if, %x.y, %_1) : (!t, !t, index) -> ()
    graph.call @"int "(%if, %x.y, %_1) : (!t, !t, index) -> ()
    graph.return
  }
}

// MANIFEST: "entry": {
// MANIFEST-NEXT: "name": "aicpu_orchestration_entry",
// MANIFEST-NEXT: "symbol": "aicpu_orchestration_entry",
// MANIFEST: "name": "if",
// MANIFEST-NEXT: "param": 0,
// MANIFEST-NEXT: "kind": "tensor",
// MANIFEST-NEXT: "direction": "in",
// MANIFEST-NEXT: "element": "f32",
// MANIFEST-NEXT: "shape": [
// MANIFEST-NEXT: 4
// MANIFEST: "name": "_1",
// MANIFEST-NEXT: "param": 2,
// MANIFEST-NEXT: "kind": "scalar",
// MANIFEST-NEXT: "type": "index",
// MANIFEST-NEXT: "width": 64
// MANIFEST: "graphs": [
// MANIFEST-NEXT: {
// MANIFEST-NEXT: "name": "main",
// MANIFEST-NEXT: "symbol": "main_0",
// MANIFEST: "nodes": 1
// MANIFEST: "name": "int ",
// MANIFEST-NEXT: "symbol": "int_",
// MANIFEST: "nodes": 4
// MANIFEST: "kernels": [
// MANIFEST: "id": 3,
// MANIFEST-NEXT: "name": "\"\n*/ //",
// MANIFEST-NEXT: "kind": "aiv",
