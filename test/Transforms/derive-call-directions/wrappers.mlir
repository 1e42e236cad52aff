// RUN: pypto-opt --derive-call-directions --verify-call-directions -split-input-file %s | FileCheck %s
// RUN: pypto-opt --derive-call-directions --derive-call-directions -split-input-file %s | FileCheck %s

!t = !graph.tensor<64xf32>
graph.func private incore @kw(in %x: !t, out %o: !t) -> (%o)
graph.func private incore @kio(inout %o: !t) -> (%o)
graph.func private opaque @host(inout %o: !t)

// DD75: both call sites, before and after the wrapper.
// CHECK-LABEL: @DD75_before
// CHECK: graph.call @DD64(input %x, output_existing %o)
graph.func orchestration @DD75_before(in %x: !t, out %o: !t) {
  graph.call @DD64(%x, %o) : (!t, !t) -> ()
  graph.return
}

// CHECK: graph.func group @DD64(in %x: !graph.tensor<64xf32>, out %o: !graph.tensor<64xf32>)
graph.func group @DD64(in %x: !t, in %o: !t) {
  %0 = graph.call @kw(%x, %o) : (!t, !t) -> !t
  graph.return
}

// CHECK-LABEL: @DD75_after
// CHECK: graph.call @DD64(input %x, output_existing %o)
graph.func orchestration @DD75_after(in %x: !t, out %o: !t) {
  graph.call @DD64(%x, %o) : (!t, !t) -> ()
  graph.return
}

// CHECK: graph.func spmd @DD65(inout %o: !graph.tensor<64xf32>)
// CHECK: graph.call @kio(inout %o)
graph.func spmd @DD65(in %o: !t) {
  %0 = graph.call @kio(%o) : (!t) -> !t
  graph.return
}
// CHECK-LABEL: @DD65_caller
// CHECK: graph.call @DD65(inout %
graph.func orchestration @DD65_caller() {
  %a = graph.create : !t
  graph.call @DD65(%a) : (!t) -> ()
  graph.return
}

// CHECK: graph.func group @DD66_outer(in %x: !graph.tensor<64xf32>, out %o: !graph.tensor<64xf32>)
graph.func group @DD66_outer(in %x: !t, in %o: !t) {
  graph.call @DD66_inner(%x, %o) : (!t, !t) -> ()
  graph.return
}
// CHECK: graph.func group @DD66_inner(in %x: !graph.tensor<64xf32>, out %o: !graph.tensor<64xf32>)
graph.func group @DD66_inner(in %x: !t, in %o: !t) {
  %0 = graph.call @kw(%x, %o) : (!t, !t) -> !t
  graph.return
}

// A declared writer is never weakened.
// CHECK: graph.func group @DD67(out %scratch: !graph.tensor<64xf32>, out %o: !graph.tensor<64xf32>)
graph.func group @DD67(out %scratch: !t, in %o: !t) {
  %0 = graph.call @kw(%scratch, %o) : (!t, !t) -> !t
  graph.return
}
// CHECK-LABEL: @DD67_caller
// CHECK: graph.call @DD67(output_existing %{{.*}}, output_existing %
graph.func orchestration @DD67_caller() {
  %a = graph.create : !t
  %b = graph.create : !t
  graph.call @DD67(%a, %b) : (!t, !t) -> ()
  graph.return
}

// CHECK: graph.func group @DD69(out %o: !graph.tensor<64xf32>, in %x: !graph.tensor<64xf32>
graph.func group @DD69(in %o: !t, in %x: !t, in %c: i1) {
  scf.if %c {
    graph.call @DD69(%o, %x, %c) : (!t, !t, i1) -> ()
  }
  %0 = graph.call @kw(%x, %o) : (!t, !t) -> !t
  graph.return
}

// CHECK: graph.func group @DD70(out %a: !graph.tensor<64xf32>, out %b: !graph.tensor<64xf32>)
graph.func group @DD70(in %a: !t, in %b: !t) {
  %0 = graph.call @kw(%a, %b) : (!t, !t) -> !t
  %1 = graph.call @kw(%b, %a) : (!t, !t) -> !t
  graph.return
}

// CHECK: graph.func group @DD71(in %x: !graph.tensor<64xf32>, inout %a: !graph.tensor<64xf32>)
graph.func group @DD71(in %x: !t, in %a: !t) {
  %0 = graph.call @kw(%x, %a) : (!t, !t) -> !t
  %1 = graph.call @kio(%a) : (!t) -> !t
  graph.return
}

// CHECK: graph.func group @DD72(in %x: !graph.tensor<64xf32>, in %o: !graph.tensor<64xf32>)
graph.func group @DD72(in %x: !t, in %o: !t) {
  %0, %t = graph.submit @kw(%x) : (!t) -> (!t, !graph.task_id)
  graph.return
}

// CHECK: graph.func private group @DD74_declared(in %a: !graph.tensor<64xf32>)
graph.func private group @DD74_declared(in %a: !t)
// CHECK: graph.func group @DD74_empty(in %a: !graph.tensor<64xf32>)
graph.func group @DD74_empty(in %a: !t) {
  graph.return
}
// CHECK: graph.func group @DD74_host(in %a: !graph.tensor<64xf32>)
graph.func group @DD74_host(in %a: !t) {
  graph.call @host(%a) : (!t) -> ()
  graph.return
}

// -----

// Seen through what a value is: renames, results, loops, agreeing branches.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(out %o: !t) -> (%o)
graph.func private incore @kr(in %o: !t)

// CHECK: graph.func group @through(out %a: !graph.tensor<64xf32>, out %b: !graph.tensor<64xf32>, out %c: !graph.tensor<64xf32>, in %f: i1)
graph.func group @through(in %a: !t, in %b: !t, in %c: !t, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a1 = graph.alias %a : !t
  %0 = graph.call @kw(%a1) : (!t) -> !t
  %loop = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %b) -> (!t) {
    scf.yield %x : !t
  }
  %1 = graph.call @kw(%loop) : (!t) -> !t
  %s = arith.select %f, %c, %c : !t
  %2 = graph.call @kw(%s) : (!t) -> !t
  graph.return
}

// A written window or a possible write makes a read parameter a read and
// written one, and leaves a declared writer alone; a read one says nothing.
// CHECK: graph.func spmd @windows(inout %a: !graph.tensor<128xf32>, out %b: !graph.tensor<128xf32>, in %c: !graph.tensor<128xf32>)
graph.func spmd @windows(in %a: !graph.tensor<128xf32>, out %b: !graph.tensor<128xf32>, in %c: !graph.tensor<128xf32>) {
  %0 = graph.slice %a[64] [64] : !graph.tensor<128xf32> to !t
  %1 = graph.slice %b[64] [64] : !graph.tensor<128xf32> to !t
  %2 = graph.slice %c[64] [64] : !graph.tensor<128xf32> to !t
  %3 = graph.call @kw(%0) : (!t) -> !t
  %4 = graph.call @kw(%1) : (!t) -> !t
  graph.call @kr(%2) : (!t) -> ()
  graph.return
}
// CHECK: graph.func group @perhaps(inout %a: !graph.tensor<64xf32>, inout %b: !graph.tensor<64xf32>, in %f: i1)
graph.func group @perhaps(in %a: !t, in %b: !t, in %f: i1) {
  %s = arith.select %f, %a, %b : !t
  %0 = graph.call @kw(%s) : (!t) -> !t
  graph.return
}

// -----

// DD68: wrappers that call each other with swapped parameters. The result does
// not depend on the order of the functions.

!t = !graph.tensor<64xf32>
graph.func private incore @kw(out %o: !t) -> (%o)

// CHECK: graph.func group @A(out %p: !graph.tensor<64xf32>, out %q: !graph.tensor<64xf32>, in %c: i1)
graph.func group @A(in %p: !t, in %q: !t, in %c: i1) {
  graph.call @B(%q, %p, %c) : (!t, !t, i1) -> ()
  graph.return
}
// CHECK: graph.func group @B(out %p: !graph.tensor<64xf32>, out %q: !graph.tensor<64xf32>, in %c: i1)
graph.func group @B(in %p: !t, in %q: !t, in %c: i1) {
  scf.if %c {
    graph.call @A(%p, %q, %c) : (!t, !t, i1) -> ()
  }
  %0 = graph.call @kw(%p) : (!t) -> !t
  graph.return
}

// -----

!t = !graph.tensor<64xf32>
graph.func private incore @kw(out %o: !t) -> (%o)

// CHECK: graph.func group @B(out %p: !graph.tensor<64xf32>, out %q: !graph.tensor<64xf32>, in %c: i1)
graph.func group @B(in %p: !t, in %q: !t, in %c: i1) {
  scf.if %c {
    graph.call @A(%p, %q, %c) : (!t, !t, i1) -> ()
  }
  %0 = graph.call @kw(%p) : (!t) -> !t
  graph.return
}
// CHECK: graph.func group @A(out %p: !graph.tensor<64xf32>, out %q: !graph.tensor<64xf32>, in %c: i1)
graph.func group @A(in %p: !t, in %q: !t, in %c: i1) {
  graph.call @B(%q, %p, %c) : (!t, !t, i1) -> ()
  graph.return
}
