// RUN: pypto-opt --derive-call-directions --verify-call-directions -split-input-file %s | FileCheck %s
// RUN: pypto-opt --derive-call-directions --derive-call-directions -split-input-file %s | FileCheck %s

// The matrix: what the parameter says, and where the buffer comes from.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(in %x: !t, out %o: !t) -> (%o)
graph.func private incore @kio(in %x: !t, inout %o: !t) -> (%o)
graph.func private incore @kio2(inout %o: !t) -> (%o)
graph.func private incore @ks(in %x: !t, in %s: index, out %o: !t) -> (%o)

// CHECK-LABEL: @DD01
// CHECK: graph.call @kw(input %x, output_existing %dst)
graph.func orchestration @DD01(in %x: !t, out %dst: !t) {
  %r = graph.call @kw(%x, %dst) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD02
// CHECK: graph.call @kio2(inout %x)
graph.func orchestration @DD02(in %x: !t) {
  %r = graph.call @kio2(%x) : (!t) -> !t
  graph.return
}

// CHECK-LABEL: @DD03
// CHECK: graph.call @kw(input %x, output_existing %{{.*}})
graph.func orchestration @DD03(in %x: !t) {
  %local = graph.create : !t
  %r = graph.call @kw(%x, %local) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD04
// CHECK-COUNT-3: graph.call @ks(input %x, scalar %{{.*}}, output_existing %{{.*}})
graph.func orchestration @DD04(in %x: !t, in %i: index) {
  %literal = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %computed = arith.muli %i, %c64 : index
  %a = graph.create : !t
  %b = graph.create : !t
  %c = graph.create : !t
  %0 = graph.call @ks(%x, %literal, %a) : (!t, index, !t) -> !t
  %1 = graph.call @ks(%x, %i, %b) : (!t, index, !t) -> !t
  %2 = graph.call @ks(%x, %computed, %c) : (!t, index, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD05_DD06
// CHECK: graph.call @kw(input %x, output_existing %{{.*}})
// CHECK: graph.call @kw(input %x, inout %{{.*}})
// CHECK: graph.call @kw(input %x, output_existing %dst)
// CHECK: graph.call @kw(input %x, inout %dst)
graph.func orchestration @DD05_DD06(in %x: !t, out %dst: !t) {
  %local = graph.create : !t
  %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  %1 = graph.call @kw(%x, %0) : (!t, !t) -> !t
  %2 = graph.call @kw(%x, %dst) : (!t, !t) -> !t
  %3 = graph.call @kw(%x, %dst) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD60
// CHECK: graph.call @kw(input %[[L:[a-z0-9]+]], output_existing %[[L]])
graph.func orchestration @DD60() {
  %local = graph.create : !t
  %0 = graph.call @kw(%local, %local) : (!t, !t) -> !t
  graph.return
}

// An `inout` write is a write before; so is a write through `no_dep`.
// CHECK-LABEL: @writers
// CHECK: graph.call @kio(input %x, inout %
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @kw(input %x, no_dep %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @writers(in %x: !t) {
  %a = graph.create : !t
  %0 = graph.call @kio(%x, %a) : (!t, !t) -> !t
  %1 = graph.call @kw(%x, %a) : (!t, !t) -> !t
  %b = graph.create : !t
  %2 = graph.call @kw(%x, %b) {no_dep = array<i64: 1>} : (!t, !t) -> !t
  %3 = graph.call @kw(%x, %b) : (!t, !t) -> !t
  graph.return
}

// Task ids and arrays are no tensors either.
graph.func private opaque @tasks(in %t: !graph.task_id, in %a: !graph.array<2 x !graph.task_id>)
// CHECK-LABEL: @task_ids
// CHECK: graph.call @tasks(scalar %{{.*}}, scalar %{{.*}})
graph.func orchestration @task_ids() {
  %t = graph.task_dummy : !graph.task_id
  %a = graph.array.create : !graph.array<2 x !graph.task_id>
  graph.call @tasks(%t, %a) : (!graph.task_id, !graph.array<2 x !graph.task_id>) -> ()
  graph.return
}

// -----

// Loops.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(in %x: !t, out %o: !t) -> (%o)
graph.func private incore @ks(in %x: !t, in %s: index, out %o: !t) -> (%o)
graph.func private opaque @cond() -> (i1)

// CHECK-LABEL: @DD09
// CHECK: graph.call @ks(input %x, scalar %{{.*}}, inout %{{.*}})
graph.func orchestration @DD09(in %x: !t, out %dst: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %dst) -> (!t) {
    %off = arith.muli %i, %c64 : index
    %r = graph.call @ks(%x, %off, %d) : (!t, index, !t) -> !t
    scf.yield %r : !t
  }
  graph.return
}

// CHECK-LABEL: @DD13
// CHECK: graph.call @kw(input %x, inout %{{.*}})
graph.func orchestration @DD13(in %x: !t) {
  %local = graph.create : !t
  %0 = scf.while (%l = %local) : (!t) -> !t {
    %c = graph.call @cond() : () -> i1
    scf.condition(%c) %l : !t
  } do {
  ^bb0(%l: !t):
    %r = graph.call @kw(%x, %l) : (!t, !t) -> !t
    scf.yield %r : !t
  }
  graph.return
}

// A parallel loop is not sequential, and a loop in it or around it is.
// CHECK-LABEL: @parallel
// CHECK: graph.call @kw(input %x, output_existing %a)
// CHECK: graph.call @kw(input %x, inout %b)
// CHECK: graph.call @kw(input %x, inout %c)
graph.func orchestration @parallel(in %x: !t, out %a: !t, out %b: !t, out %c: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = graph.call @kw(%x, %a) : (!t, !t) -> !t
    scf.for %j = %c0 to %c4 step %c1 {
      %1 = graph.call @kw(%x, %b) : (!t, !t) -> !t
    }
  } {graph.parallel}
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %2 = graph.call @kw(%x, %c) : (!t, !t) -> !t
    } {graph.parallel}
  }
  graph.return
}

// CHECK-LABEL: @DD15
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD15(in %x: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %local = graph.create : !t
  %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  scf.for %i = %c0 to %c4 step %c1 {
    %1 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  } {graph.parallel}
  graph.return
}

// CHECK-LABEL: @DD16
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD16(in %x: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %local = graph.create : !t
  scf.for %i = %c0 to %c4 step %c1 {
    %1 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  } {graph.parallel}
  %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD27
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD27(in %x: !t, inout %dst: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %dst) -> (!t) {
    %r = graph.call @kw(%x, %d) : (!t, !t) -> !t
    scf.yield %r : !t
  } {graph.parallel}
  graph.return
}

// CHECK-LABEL: @DD35
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD35(in %x: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %init = graph.create : !t
  %rv = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %init) -> (!t) {
    %f = graph.create : !t
    %fr = graph.call @kw(%x, %f) : (!t, !t) -> !t
    scf.yield %fr : !t
  }
  %0 = graph.call @kw(%x, %rv) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD36
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD36(in %x: !t) {
  %init = graph.create : !t
  %rv = scf.while (%l = %init) : (!t) -> !t {
    %c = graph.call @cond() : () -> i1
    scf.condition(%c) %l : !t
  } do {
  ^bb0(%l: !t):
    %f = graph.create : !t
    %fr = graph.call @kw(%x, %f) : (!t, !t) -> !t
    scf.yield %fr : !t
  }
  %0 = graph.call @kw(%x, %rv) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD37
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD37(in %x: !t, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %init = graph.create : !t
  %rv = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %init) -> (!t) {
    %if = scf.if %f -> (!t) {
      %a = graph.create : !t
      scf.yield %a : !t
    } else {
      %b = graph.create : !t
      scf.yield %b : !t
    }
    scf.yield %if : !t
  }
  %0 = graph.call @kw(%x, %rv) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD40
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD40(in %x: !t, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = graph.create : !t
  %b0 = graph.create : !t
  %rv = scf.for %i = %c0 to %n step %c1 iter_args(%c = %a0) -> (!t) {
    scf.yield %b0 : !t
  } {graph.parallel}
  %0 = graph.call @kw(%x, %rv) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD41
// CHECK: graph.call @kw(input %x, output_existing %
graph.func orchestration @DD41(in %x: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a0 = graph.create : !t
  %rv = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %a0) -> (!t) {
    scf.yield %c : !t
  } {graph.parallel}
  %0 = graph.call @kw(%x, %rv) : (!t, !t) -> !t
  graph.return
}

// Two buffers that change places: either may be either.
// CHECK-LABEL: @ping_pong
// CHECK: graph.call @kw(input %{{.*}}, inout %
// CHECK: graph.call @kw(input %{{.*}}, inout %
graph.func orchestration @ping_pong(out %p: !t, out %q: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %p, %b = %q) -> (!t, !t) {
    %r = graph.call @kw(%a, %b) : (!t, !t) -> !t
    scf.yield %r, %a : !t, !t
  } {graph.parallel}
  %1 = graph.call @kw(%0#0, %0#1) : (!t, !t) -> !t
  graph.return
}

// -----

// Branches and scopes.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(in %x: !t, out %o: !t) -> (%o)

// CHECK-LABEL: @DD17
// CHECK: graph.call @kw(input %x, output_existing %
graph.func orchestration @DD17(in %x: !t, in %f: i1) {
  %local = graph.create : !t
  scf.if %f {
    %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  }
  graph.return
}

// One arm does not see the other; what follows sees both.
// CHECK-LABEL: @DD20
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD20(in %x: !t, in %f: i1) {
  %local = graph.create : !t
  scf.if %f {
    %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  } else {
    %1 = graph.call @kw(%x, %local) : (!t, !t) -> !t
    %2 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  }
  %3 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  graph.return
}

// Only one arm writes it, in whichever place the arm stands.
// CHECK-LABEL: @one_arm
// CHECK: graph.call @kw(input %x, output_existing %{{.*}})
// CHECK: graph.call @kw(input %x, output_existing %{{.*}})
// CHECK: graph.call @kw(input %x, inout %{{.*}})
// CHECK: graph.call @kw(input %x, inout %{{.*}})
graph.func orchestration @one_arm(in %x: !t, in %f: i1) {
  %a = graph.create : !t
  %b = graph.create : !t
  scf.if %f {
    %0 = graph.call @kw(%x, %a) : (!t, !t) -> !t
  } else {
    %1 = graph.call @kw(%x, %b) : (!t, !t) -> !t
  }
  %2 = graph.call @kw(%x, %a) : (!t, !t) -> !t
  %3 = graph.call @kw(%x, %b) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD21
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD21(in %x: !t, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %local = graph.create : !t
  scf.for %i = %c0 to %c4 step %c1 {
    scf.if %f {
      %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
    }
    %1 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  } {graph.parallel}
  graph.return
}

// CHECK-LABEL: @DD39
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD39(in %x: !t, in %f: i1) {
  %local = graph.create : !t
  %same = scf.if %f -> (!t) {
    %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
    scf.yield %0 : !t
  } else {
    scf.yield %local : !t
  }
  %1 = graph.call @kw(%x, %same) : (!t, !t) -> !t
  graph.return
}

// The same root on both arms, not written: still the only one.
// CHECK-LABEL: @agreeing
// CHECK: graph.call @kw(input %x, output_existing %
graph.func orchestration @agreeing(in %x: !t, in %f: i1) {
  %local = graph.create : !t
  %same = arith.select %f, %local, %local : !t
  %1 = graph.call @kw(%x, %same) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @switch
// CHECK-COUNT-3: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @switch(in %x: !t, in %i: index) {
  %local = graph.create : !t
  scf.index_switch %i
  case 0 {
    %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
    scf.yield
  }
  case 1 {
    %1 = graph.call @kw(%x, %local) : (!t, !t) -> !t
    scf.yield
  }
  default {
    %2 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  }
  %3 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  graph.return
}

// What was written in arms nested in arms comes back at each end.
// CHECK-LABEL: @nested_arms
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @nested_arms(in %x: !t, in %f: i1, in %g: i1) {
  %local = graph.create : !t
  scf.if %f {
    scf.if %g {
      %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
    } else {
      scf.yield
    }
    %1 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  } else {
    %2 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  }
  %3 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  graph.return
}

// Scopes are transparent both ways.
// CHECK-LABEL: @scopes
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @scopes(in %x: !t) {
  %local = graph.create : !t
  graph.scope manual {
    %0 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  }
  graph.scope auto {
    %1 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  }
  %2 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  graph.return
}

// -----

// Windows.

!t = !graph.tensor<64xf32>
!w = !graph.tensor<16xf32>
graph.func private incore @kw(in %x: !w, out %o: !w) -> (%o)
graph.func private incore @whole(out %o: !t) -> (%o)

// CHECK-LABEL: @DD25
// CHECK: graph.call @kw(input %x, output_existing %
graph.func orchestration @DD25(in %x: !w) {
  %z = arith.constant 0.0 : f32
  %local = graph.full %z : !t
  %v = graph.slice %local[0] [16] : !t to !w
  %0 = graph.call @kw(%x, %v) : (!w, !w) -> !w
  graph.return
}

// CHECK-LABEL: @disjoint
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @whole(inout %
graph.func orchestration @disjoint(in %x: !w) {
  %local = graph.create : !t
  %a = graph.slice %local[0] [16] : !t to !w
  %b = graph.slice %local[16] [16] : !t to !w
  %c = graph.slice %local[31] [16] : !t to !w
  %0 = graph.call @kw(%x, %a) : (!w, !w) -> !w
  %1 = graph.call @kw(%x, %b) : (!w, !w) -> !w
  %2 = graph.call @kw(%x, %c) : (!w, !w) -> !w
  %3 = graph.call @whole(%local) : (!t) -> !t
  graph.return
}

// Nothing is known of a window at an offset that varies, or of a part of it.
// CHECK-LABEL: @varying
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @varying(in %x: !w, in %i: index) {
  %local = graph.create : !t
  %a = graph.slice %local[%i] [16] : !t to !w
  %b = graph.slice %local[16] [16] : !t to !w
  %0 = graph.call @kw(%x, %a) : (!w, !w) -> !w
  %1 = graph.call @kw(%x, %b) : (!w, !w) -> !w
  %2 = graph.call @kw(%x, %a) : (!w, !w) -> !w
  graph.return
}

// A varying window of a window stays in it.
// CHECK-LABEL: @bounded
// CHECK: graph.call @kw(input %x, output_existing %
// CHECK: graph.call @kw(input %x, output_existing %
graph.func orchestration @bounded(in %x: !w, in %i: index) {
  %local = graph.create : !t
  %half = graph.slice %local[0] [32] : !t to !graph.tensor<32xf32>
  %a = graph.slice %half[%i] [16] : !graph.tensor<32xf32> to !w
  %b = graph.slice %local[40] [16] : !t to !w
  %0 = graph.call @kw(%x, %a) : (!w, !w) -> !w
  %1 = graph.call @kw(%x, %b) : (!w, !w) -> !w
  graph.return
}

// A window of an inout parameter.
// CHECK-LABEL: @enclosing
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @enclosing(in %x: !w, inout %dst: !t) {
  %a = graph.slice %dst[0] [16] : !t to !w
  %0 = graph.call @kw(%x, %a) : (!w, !w) -> !w
  graph.return
}

// -----

// Results: tied, untied, of submits.

!t = !graph.tensor<64xf32>
!b = !graph.tensor<64xbf16>
graph.func private incore @kw(in %x: !t, out %o: !t) -> (%o)
graph.func private incore @kwb(in %x: !t, out %o: !b) -> (%o)
graph.func private incore @k2(in %x: !t, inout %scratch: !t, out %o: !b) -> (!b)
graph.func private incore @k2same(in %x: !t, out %p: !t, out %q: !t) -> (!t)
graph.func private incore @k3(in %x: !t, inout %p: !t, inout %q: !t) -> (%p, %q)
graph.func private opaque @host(in %x: !t) -> (!t)

// CHECK-LABEL: @DD31
// CHECK: graph.call @k2(input %x, inout %{{.*}}, output_existing %
// CHECK: graph.call @kwb(input %x, inout %
graph.func orchestration @DD31(in %x: !t) {
  %s = graph.create : !t
  %o = graph.create : !b
  %r = graph.call @k2(%x, %s, %o) : (!t, !t, !b) -> !b
  %0 = graph.call @kwb(%x, %r) : (!t, !b) -> !b
  graph.return
}

// CHECK-LABEL: @DD32
// CHECK: graph.call @k2same(input %x, output_existing %{{.*}}, output_existing %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD32(in %x: !t) {
  %p = graph.create : !t
  %q = graph.create : !t
  %r = graph.call @k2same(%x, %p, %q) : (!t, !t, !t) -> !t
  %0 = graph.call @kw(%x, %r) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD33
// CHECK: graph.call @k3(input %x, inout %{{.*}}, inout %
// CHECK: graph.call @kw(input %x, inout %
graph.func orchestration @DD33(in %x: !t) {
  %p = graph.create : !t
  %q = graph.create : !t
  %r:2 = graph.call @k3(%x, %p, %q) : (!t, !t, !t) -> (!t, !t)
  %0 = graph.call @kw(%x, %r#0) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD34
// CHECK: graph.submit @kw(input %x, output_existing %y)
// CHECK: graph.submit @kw(input %x, inout %
graph.func orchestration @DD34(in %x: !t, out %y: !t) {
  %o, %tid = graph.submit @kw(%x, %y) : (!t, !t) -> (!t, !graph.task_id)
  %o2, %tid2 = graph.submit @kw(%x, %o) : (!t, !t) -> (!t, !graph.task_id)
  graph.return
}

// What host code returns may be a window of what it got: writing it writes that.
// CHECK-LABEL: @of_host_code
// CHECK: graph.call @host(input %[[L:[a-z0-9]+]])
// CHECK: graph.call @kw(input %x, inout %
// CHECK: graph.call @kw(input %x, inout %[[L]])
graph.func orchestration @of_host_code(in %x: !t) {
  %local = graph.create : !t
  %r = graph.call @host(%local) : (!t) -> !t
  %0 = graph.call @kw(%x, %r) : (!t, !t) -> !t
  %1 = graph.call @kw(%x, %local) : (!t, !t) -> !t
  graph.return
}

// -----

// Submits keep every clause, and arguments may be a prefix.

!t = !graph.tensor<64xf32>
graph.func private incore @stage(in %x: !t, out %out: !t, out %scratch: !t) -> (%out, %scratch)
graph.func private incore @consumer(in %x: !t)
graph.func private incore @kw(in %x: !t, out %o: !t) -> (%o)
graph.func private incore @k0()

// CHECK-LABEL: @DD52
// CHECK: graph.submit @stage(input %a, output_existing %dst) : (
// CHECK-SAME: -> (!graph.tensor<64xf32>, !graph.tensor<64xf32>, !graph.task_id)
// CHECK: graph.submit @kw(input %a, inout %
graph.func orchestration @DD52(in %a: !t, out %dst: !t) {
  %o, %s, %t = graph.submit @stage(%a, %dst) : (!t, !t) -> (!t, !t, !graph.task_id)
  %0, %t1 = graph.submit @kw(%a, %s) : (!t, !t) -> (!t, !graph.task_id)
  graph.return
}

// CHECK-LABEL: @DD54
// CHECK: graph.submit @consumer(input %a) deps(%{{.*}} : !graph.task_id) : (
graph.func orchestration @DD54(in %a: !t) {
  %t = graph.task_dummy : !graph.task_id
  %0 = graph.submit @consumer(%a) deps(%t : !graph.task_id) : (!t) -> (!graph.task_id)
  graph.return
}

// CHECK-LABEL: @DD55_clauses
// CHECK: graph.submit @kw(input %a, output_existing %o)
// CHECK-SAME: deps(%{{.*}} : !graph.task_id) core_num(%n) predicate(%g[%n] gt %z : !graph.tensor<4xi32>) {sync_start}
graph.func orchestration @DD55_clauses(in %a: !t, out %o: !t, in %n: index, in %g: !graph.tensor<4xi32>, in %z: i32) {
  %t = graph.task_dummy : !graph.task_id
  %0, %1 = graph.submit @kw(%a, %o) deps(%t : !graph.task_id) core_num(%n)
      predicate(%g[%n] gt %z : !graph.tensor<4xi32>) {sync_start} : (!t, !t) -> (!t, !graph.task_id)
  graph.return
}

// CHECK-LABEL: @DD57
// CHECK: graph.submit @k0() : () -> !graph.task_id
// CHECK: graph.call @k0() : () -> ()
graph.func orchestration @DD57() {
  %0 = graph.submit @k0() : () -> (!graph.task_id)
  graph.call @k0() : () -> ()
  graph.return
}

// -----

// Directions by hand, and operands opted out.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(in %x: !t, out %o: !t) -> (%o)
graph.func private incore @k3(in %a: !t, in %shared: !t, out %c: !t) -> (%c)

// CHECK-LABEL: @DD43
// CHECK: graph.call @kw(input %x, output %o) {no_dep = array<i64: 0>}
// CHECK: graph.call @kw(input %x, inout %o)
graph.func orchestration @DD43(in %x: !t, out %o: !t) {
  %0 = graph.call @kw(input %x, output %o) {no_dep = array<i64: 0>} : (!t, !t) -> !t
  %1 = graph.call @kw(%x, %o) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD44
// CHECK: graph.call @k3(input %a, no_dep %s, output_existing %c) {no_dep = array<i64: 1>}
graph.func orchestration @DD44(in %a: !t, in %s: !t, out %c: !t) {
  %0 = graph.call @k3(%a, %s, %c) {no_dep = array<i64: 1>} : (!t, !t, !t) -> !t
  graph.return
}

// DD48: operations that are no launches get nothing.
// CHECK-LABEL: @DD48
// CHECK-NOT: arg_directions
// CHECK: graph.task_dummy : !graph.task_id
graph.func orchestration @DD48(in %a: !t) {
  %0 = graph.create : !t
  %1 = graph.task_dummy : !graph.task_id
  %2 = graph.array.create : !graph.array<4 x !graph.task_id>
  %3 = graph.array.insert %1, %2[0] : !graph.array<4 x !graph.task_id>
  graph.return
}

// -----

// Graph functions and host functions take part like any other.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(in %x: !t, out %o: !t) -> (%o)

// CHECK-LABEL: graph.func graph @DD61
// CHECK: graph.call @kw(input %a, inout %acc)
graph.func graph @DD61(in %a: !t, inout %acc: !t) -> (%acc) {
  %0 = graph.call @kw(%a, %acc) : (!t, !t) -> !t
  graph.return %acc : !t
}
graph.func private orchestration @host(in %a: !t, out %o: !t) -> (%o)
// CHECK-LABEL: @caller
// CHECK: graph.call @DD61(input %a, inout %
// CHECK: graph.call @host(input %a, inout %
graph.func opaque @caller(in %a: !t) {
  %acc = graph.create : !t
  %0 = graph.call @DD61(%a, %acc) : (!t, !t) -> !t
  %1 = graph.call @host(%a, %acc) : (!t, !t) -> !t
  graph.return
}
