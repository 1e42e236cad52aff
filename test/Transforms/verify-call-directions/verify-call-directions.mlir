// RUN: pypto-opt --verify-call-directions %s | FileCheck %s
// RUN: pypto-opt --verify-call-directions --mlir-print-op-generic %s | pypto-opt | FileCheck %s

// CHECK: module
!t = !graph.tensor<64xf32>
graph.func private incore @kin(in %x: !t)
graph.func private incore @kio(inout %o: !t) -> (%o)
graph.func private incore @kout(out %o: !t) -> (%o)
graph.func private incore @mixed(in %x: !t, in %s: f32, out %o: !t) -> (%o)
graph.func private incore @k0()

graph.func orchestration @VC07_VC08_VC09(inout %x: !t) {
  graph.call @kin(input %x) : (!t) -> ()
  graph.call @kin(no_dep %x) : (!t) -> ()
  %0 = graph.call @kio(inout %x) : (!t) -> !t
  %1 = graph.call @kio(no_dep %x) : (!t) -> !t
  %2 = graph.call @kout(output %x) : (!t) -> !t
  %3 = graph.call @kout(output_existing %x) : (!t) -> !t
  %4 = graph.call @kout(inout %x) : (!t) -> !t
  %5 = graph.call @kout(no_dep %x) : (!t) -> !t
  graph.return
}

graph.func orchestration @VC10_VC11_VC12(in %x: !t, out %o: !t) {
  %s = arith.constant 1.0 : f32
  %0 = graph.call @mixed(input %x, scalar %s, output_existing %o) : (!t, f32, !t) -> !t
  %1, %t1 = graph.submit @mixed(input %x, scalar %s) : (!t, f32) -> (!t, !graph.task_id)
  %2, %t2 = graph.submit @mixed(input %x, scalar %s, inout %o) : (!t, f32, !t) -> (!t, !graph.task_id)
  graph.call @k0() : () -> ()
  %t3 = graph.submit @k0() : () -> (!graph.task_id)
  graph.return
}

graph.func group @VC15(in %a: !t, out %b: !t, inout %c: !t) {
  graph.call @kin(input %a) : (!t) -> ()
  %0 = graph.call @kout(output_existing %b) : (!t) -> !t
  %1 = graph.call @kio(inout %c) : (!t) -> !t
  graph.return
}
