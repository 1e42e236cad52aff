// RUN: pypto-replay %s --entry=@linalg --eager --print=o,p,q --args=a=iota,o=0,p=0,q=0 | FileCheck %s --check-prefix=LINALG
// RUN: pypto-replay %s --entry=@scalars --eager --print=o --args=o=0 | FileCheck %s --check-prefix=SCALARS
// RUN: pypto-replay %s --entry=@loops --eager --print=o --args=o=1 | FileCheck %s --check-prefix=LOOPS
// RUN: pypto-replay %s --entry=@wrappers --eager --print=o --args=o=0 | FileCheck %s --check-prefix=WRAPPERS
// RUN: pypto-replay %s --entry=@narrow --eager --print=h,b,i --args=h=1,b=1,i=250 | FileCheck %s --check-prefix=NARROW
// RUN: pypto-replay %s --entry=@results --eager --print=o --args=o=0 | FileCheck %s --check-prefix=RESULTS
// RUN: pypto-replay %s --entry=@scopes --eager --print=o --args=o=1 | FileCheck %s --check-prefix=SCOPES
// RUN: not pypto-replay %s --entry=@giant --eager | FileCheck %s --check-prefix=GIANT
// RUN: not pypto-replay %s --entry=@giant_constant --eager | FileCheck %s --check-prefix=CONSTANT

// Bodies of kernels are interpreted.

//===----------------------------------------------------------------------===//
// Structured operations: 2 * a transposed, its row sums, a * a^T
//===----------------------------------------------------------------------===//

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>
graph.func incore @structured(in %a: !graph.tensor<2x3xf32>, inout %o: !graph.tensor<3x2xf32>,
                              inout %p: !graph.tensor<2xf32>, inout %q: !graph.tensor<2x2xf32>) {
  %two = arith.constant 2.0 : f32
  %x = graph.load %a[0, 0] : !graph.tensor<2x3xf32> -> tensor<2x3xf32>
  %e = tensor.empty() : tensor<3x2xf32>
  %t = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %d = arith.mulf %in, %two : f32
    linalg.yield %d : f32
  } -> tensor<3x2xf32>
  graph.store %t, %o[0, 0] : tensor<3x2xf32>, !graph.tensor<3x2xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<2xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<2x3xf32>) outs(%z1 : tensor<2xf32>) dimensions = [1]
  graph.store %r, %p[0] : tensor<2xf32>, !graph.tensor<2xf32>
  %z2 = arith.constant dense<0.0> : tensor<2x2xf32>
  %half = arith.constant dense<0.5> : tensor<3x2xf32>
  %th = linalg.mul ins(%t, %half : tensor<3x2xf32>, tensor<3x2xf32>) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %m = linalg.matmul ins(%x, %th : tensor<2x3xf32>, tensor<3x2xf32>) outs(%z2 : tensor<2x2xf32>) -> tensor<2x2xf32>
  graph.store %m, %q[0, 0] : tensor<2x2xf32>, !graph.tensor<2x2xf32>
  graph.return
}
// LINALG: %o = 0 6 2 8 4 10
// LINALG-NEXT: %p = 3 12
// LINALG-NEXT: %q = 5 14 (2 times) 50
graph.func orchestration @linalg(in %a: !graph.tensor<2x3xf32>, inout %o: !graph.tensor<3x2xf32>,
                                 inout %p: !graph.tensor<2xf32>, inout %q: !graph.tensor<2x2xf32>) {
  graph.call @structured(%a, %o, %p, %q)
      : (!graph.tensor<2x3xf32>, !graph.tensor<3x2xf32>, !graph.tensor<2xf32>, !graph.tensor<2x2xf32>) -> ()
  graph.return
}

//===----------------------------------------------------------------------===//
// Host arithmetic that reaches a kernel as scalars
//===----------------------------------------------------------------------===//

graph.func incore @put(inout %o: !graph.tensor<12xi64>, in %at: index, in %v: i64) {
  %t = tensor.from_elements %v : tensor<1xi64>
  graph.store %t, %o[%at] : tensor<1xi64>, !graph.tensor<12xi64>
  graph.return
}
// SCALARS: %o = -4 -3 (2 times) 255 -1 3 7 2 40 -9 1 5
graph.func orchestration @scalars(inout %o: !graph.tensor<12xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %m7 = arith.constant -7 : i64
  %two = arith.constant 2 : i64
  %floor = arith.floordivsi %m7, %two : i64
  graph.call @put(%o, %c0, %floor) : (!graph.tensor<12xi64>, index, i64) -> ()
  %ceil = arith.ceildivsi %m7, %two : i64
  graph.call @put(%o, %c1, %ceil) : (!graph.tensor<12xi64>, index, i64) -> ()
  %div = arith.divsi %m7, %two : i64
  graph.call @put(%o, %c2, %div) : (!graph.tensor<12xi64>, index, i64) -> ()
  %byte = arith.constant -1 : i8
  %zext = arith.extui %byte : i8 to i64
  graph.call @put(%o, %c3, %zext) : (!graph.tensor<12xi64>, index, i64) -> ()
  %sext = arith.extsi %byte : i8 to i64
  graph.call @put(%o, %c4, %sext) : (!graph.tensor<12xi64>, index, i64) -> ()
  %f = arith.constant 3.75 : f32
  %trunc = arith.fptosi %f : f32 to i64
  graph.call @put(%o, %c5, %trunc) : (!graph.tensor<12xi64>, index, i64) -> ()
  %abs = math.absi %m7 : i64
  graph.call @put(%o, %c6, %abs) : (!graph.tensor<12xi64>, index, i64) -> ()
  %sq = arith.constant 4.0 : f64
  %root = math.sqrt %sq : f64
  %rooti = arith.fptoui %root : f64 to i64
  graph.call @put(%o, %c7, %rooti) : (!graph.tensor<12xi64>, index, i64) -> ()
  %ix = index.mul %c8, %c5
  %ixi = arith.index_cast %ix : index to i64
  graph.call @put(%o, %c8, %ixi) : (!graph.tensor<12xi64>, index, i64) -> ()
  %x, %over = arith.mulsi_extended %m7, %two : i64
  %y = arith.subi %two, %x : i64
  %z = arith.muli %over, %y : i64
  %w = arith.addi %z, %m7 : i64
  %v = arith.addi %w, %y : i64
  %u = arith.subi %v, %two : i64
  graph.call @put(%o, %c9, %u) : (!graph.tensor<12xi64>, index, i64) -> ()
  // 3 <u -1 holds, 3 < -1 does not.
  %p = index.cmp ult(%c3, %c11)
  %q = arith.cmpi slt, %two, %m7 : i64
  %r = arith.xori %p, %q : i1
  %ri = arith.extui %r : i1 to i64
  graph.call @put(%o, %c10, %ri) : (!graph.tensor<12xi64>, index, i64) -> ()
  %s = scf.index_switch %c3 -> i64
  case 2 {
    scf.yield %two : i64
  }
  case 3 {
    %five = arith.constant 5 : i64
    scf.yield %five : i64
  }
  default {
    scf.yield %m7 : i64
  }
  graph.call @put(%o, %c11, %s) : (!graph.tensor<12xi64>, index, i64) -> ()
  graph.return
}

//===----------------------------------------------------------------------===//
// Control flow in a kernel and around it
//===----------------------------------------------------------------------===//

// o = 2 * o, then + 1 where the element is above 3, n times.
graph.func incore @grow(inout %o: !graph.tensor<2xi32>, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant dense<3> : tensor<2xi32>
  %one = arith.constant dense<1> : tensor<2xi32>
  %x = graph.load %o[0] : !graph.tensor<2xi32> -> tensor<2xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<2xi32>) {
    %d = arith.addi %t, %t : tensor<2xi32>
    %big = arith.cmpi sgt, %d, %three : tensor<2xi32>
    %inc = arith.addi %d, %one : tensor<2xi32>
    %s = arith.select %big, %inc, %d : tensor<2xi1>, tensor<2xi32>
    scf.yield %s : tensor<2xi32>
  }
  graph.store %r, %o[0] : tensor<2xi32>, !graph.tensor<2xi32>
  graph.return
}
// 1 -> 2 -> 5 -> 11, once for each half, but the second half twice.
// LOOPS: %o = 11 (2 times) 95 (2 times)
graph.func orchestration @loops(inout %o: !graph.tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %lo = graph.slice %o[0] [2] : !graph.tensor<4xi32> to !graph.tensor<2xi32>
  %hi = graph.slice %o[2] [2] : !graph.tensor<4xi32> to !graph.tensor<2xi32>
  // The two take turns.
  %r:3 = scf.while (%a = %lo, %b = %hi, %i = %c0)
      : (!graph.tensor<2xi32>, !graph.tensor<2xi32>, index) -> (!graph.tensor<2xi32>, !graph.tensor<2xi32>, index) {
    %go = arith.cmpi ult, %i, %c3 : index
    scf.condition(%go) %b, %a, %i : !graph.tensor<2xi32>, !graph.tensor<2xi32>, index
  } do {
  ^bb0(%a: !graph.tensor<2xi32>, %b: !graph.tensor<2xi32>, %i: index):
    graph.call @grow(%a, %c3) : (!graph.tensor<2xi32>, index) -> ()
    %n = scf.execute_region -> index {
      %c1 = arith.constant 1 : index
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    scf.yield %a, %b, %n : !graph.tensor<2xi32>, !graph.tensor<2xi32>, index
  }
  graph.return
}

//===----------------------------------------------------------------------===//
// Wrappers run what they call at once; a prefix submit allocates
//===----------------------------------------------------------------------===//

graph.func aiv @inc(inout %o: !graph.tensor<2xi32>, in %by: i32) -> (%o) {
  %x = graph.load %o[0] : !graph.tensor<2xi32> -> tensor<2xi32>
  %s = tensor.splat %by : tensor<2xi32>
  %y = arith.addi %x, %s : tensor<2xi32>
  graph.store %y, %o[0] : tensor<2xi32>, !graph.tensor<2xi32>
  graph.return %o : !graph.tensor<2xi32>
}
graph.func aiv @copy2(in %a: !graph.tensor<2xi32>, out %o: !graph.tensor<2xi32>) -> (%o) {
  %x = graph.load %a[0] : !graph.tensor<2xi32> -> tensor<2xi32>
  graph.store %x, %o[0] : tensor<2xi32>, !graph.tensor<2xi32>
  graph.return %o : !graph.tensor<2xi32>
}
graph.func group @twice(inout %o: !graph.tensor<4xi32>) -> (%o) {
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  %hi = graph.slice %o[2] [2] : !graph.tensor<4xi32> to !graph.tensor<2xi32>
  %lo = graph.slice %o[0] [2] : !graph.tensor<4xi32> to !graph.tensor<2xi32>
  %a = graph.call @inc(%hi, %c1) : (!graph.tensor<2xi32>, i32) -> !graph.tensor<2xi32>
  %b = graph.call @inc(%a, %c10) : (!graph.tensor<2xi32>, i32) -> !graph.tensor<2xi32>
  %fresh, %t = graph.submit @copy2(%b) : (!graph.tensor<2xi32>) -> (!graph.tensor<2xi32>, !graph.task_id)
  %c = graph.call @inc(%fresh, %c10) : (!graph.tensor<2xi32>, i32) -> !graph.tensor<2xi32>
  graph.call @copy2(%c, %lo) : (!graph.tensor<2xi32>, !graph.tensor<2xi32>) -> !graph.tensor<2xi32>
  graph.return %o : !graph.tensor<4xi32>
}
// WRAPPERS: %o = 32 (2 times) 22 (2 times)
graph.func orchestration @wrappers(inout %o: !graph.tensor<4xi32>) {
  %r = graph.call @twice(%o) : (!graph.tensor<4xi32>) -> !graph.tensor<4xi32>
  graph.call @twice(%r) : (!graph.tensor<4xi32>) -> !graph.tensor<4xi32>
  graph.return
}

//===----------------------------------------------------------------------===//
// Narrow elements, and stores that add
//===----------------------------------------------------------------------===//

graph.func incore @odd(inout %h: !graph.tensor<1xf16>, inout %b: !graph.tensor<1xbf16>, inout %i: !graph.tensor<1xui8>) {
  %x = graph.load %h[0] : !graph.tensor<1xf16> -> tensor<1xf16>
  %third = arith.constant dense<3.0> : tensor<1xf16>
  %hd = arith.divf %x, %third : tensor<1xf16>
  graph.store %hd, %h[0] : tensor<1xf16>, !graph.tensor<1xf16>
  %wide = arith.extf %hd : tensor<1xf16> to tensor<1xf32>
  %bd = arith.truncf %wide : tensor<1xf32> to tensor<1xbf16>
  graph.store %bd, %b[0] {atomic_add} : tensor<1xbf16>, !graph.tensor<1xbf16>
  %ten = arith.constant dense<10> : tensor<1xi8>
  graph.store %ten, %i[0] {atomic_add} : tensor<1xi8>, !graph.tensor<1xui8>
  graph.return
}
// NARROW: %h = 0.333252
// NARROW-NEXT: %b = 1.33594
// NARROW-NEXT: %i = 4
graph.func orchestration @narrow(inout %h: !graph.tensor<1xf16>, inout %b: !graph.tensor<1xbf16>, inout %i: !graph.tensor<1xui8>) {
  graph.call @odd(%h, %b, %i) : (!graph.tensor<1xf16>, !graph.tensor<1xbf16>, !graph.tensor<1xui8>) -> ()
  graph.return
}

//===----------------------------------------------------------------------===//
// A result that is tied to no parameter is a new buffer
//===----------------------------------------------------------------------===//

graph.func incore @made() -> (!graph.tensor<2xi32>) {
  %c = arith.constant 7 : i32
  %t = graph.full %c : !graph.tensor<2xi32>
  graph.return %t : !graph.tensor<2xi32>
}
// RESULTS: %o = 7 (2 times)
graph.func orchestration @results(inout %o: !graph.tensor<2xi32>) {
  %t = graph.call @made() : () -> !graph.tensor<2xi32>
  %x = graph.read %t[1] : !graph.tensor<2xi32>
  graph.call @inc(%o, %x) : (!graph.tensor<2xi32>, i32) -> !graph.tensor<2xi32>
  graph.return
}

//===----------------------------------------------------------------------===//
// Device scopes run where they stand
//===----------------------------------------------------------------------===//

// SCOPES: %o = 12 (2 times)
graph.func orchestration @scopes(inout %o: !graph.tensor<2xi32>) {
  %c10 = arith.constant 10 : i32
  graph.scope graph "layer" {
    %r = graph.scope incore -> (!graph.tensor<2xi32>) {
      %x = graph.load %o[0] : !graph.tensor<2xi32> -> tensor<2xi32>
      %y = arith.addi %x, %x : tensor<2xi32>
      graph.store %y, %o[0] : tensor<2xi32>, !graph.tensor<2xi32>
      graph.yield %o : !graph.tensor<2xi32>
    }
    graph.call @inc(%r, %c10) : (!graph.tensor<2xi32>, i32) -> !graph.tensor<2xi32>
  }
  graph.return
}

//===----------------------------------------------------------------------===//
// A tile that no memory holds is refused
//===----------------------------------------------------------------------===//

// GIANT: node 'Broadcast_0': makes a tile of 1099511627776 elements, more than the interpreter holds
graph.func incore @expand(inout %o: !graph.tensor<1xi8>) {
  %0 = asc.scalar "Scalar_0" 1 : i8
  %1 = asc.broadcast "Broadcast_0" %0 : i8 to tensor<1099511627776xi8>
  graph.return
}
graph.func orchestration @giant(inout %o: !graph.tensor<1xi8>) {
  graph.call @expand(%o) : (!graph.tensor<1xi8>) -> ()
  graph.return
}

// CONSTANT: 'arith.constant' is not interpreted
graph.func incore @fill(inout %o: !graph.tensor<1xi8>) {
  %0 = arith.constant dense<0> : tensor<1099511627776xi8>
  graph.return
}
graph.func orchestration @giant_constant(inout %o: !graph.tensor<1xi8>) {
  graph.call @fill(%o) : (!graph.tensor<1xi8>) -> ()
  graph.return
}
