// RUN: pypto-opt %s --test-buffer-lineage --verify-diagnostics

graph.func private incore @k(in %a: !graph.tensor<16xf32>, inout %o: !graph.tensor<16xf32>) -> (%o)
graph.func private incore @swap(inout %x: !graph.tensor<16xf32>, inout %y: !graph.tensor<16xf32>) -> (%y, %x)
graph.func private incore @fresh(in %a: !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
graph.func private incore @prefix(in %a: !graph.tensor<16xf32>, inout %w: !graph.tensor<16xf32>, out %s: !graph.tensor<16xf32>) -> (%w, %s, i32)

// expected-remark @below {{'a' lies in 'a' at [0] [16]}}
// expected-remark @below {{'b' lies in 'b' somewhere}}
// expected-remark @below {{'n' lies in unknown buffer}}
graph.func orchestration @roots(in %a: !graph.tensor<16xf32>, in %b: !graph.tensor<?xf32>, in %n: index)
    attributes {args = ["a", "b", "n"]} {
  // expected-remark @below {{'created' lies in 'created' at [0, 0] [4, 8]}}
  %0 = graph.create {names = ["created"]} : !graph.tensor<4x8xf32>
  // expected-remark @below {{'sized' lies in 'sized' somewhere}}
  %1 = graph.create(%n) {names = ["sized"]} : !graph.tensor<?x8xf32>
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{'filled' lies in 'filled' at [] []}}
  %2 = graph.full %zero {names = ["filled"]} : !graph.tensor<f32>
  // expected-remark @below {{'made' lies in 'made' at [0] [16]}}
  %3 = graph.call @fresh(%a) {names = ["made"]} : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32>
  // expected-remark @below {{'of_made' lies in 'made' at [0] [16]}}
  %4 = graph.alias %3 {names = ["of_made"]} : !graph.tensor<16xf32>
  graph.return
}

graph.func orchestration @ties(in %a: !graph.tensor<16xf32>, inout %p: !graph.tensor<16xf32>, inout %q: !graph.tensor<16xf32>) {
  // expected-remark @below {{'r' lies in 'p' at [0] [16]}}
  %r = graph.call @k(%a, %p) {names = ["r"]} : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
  // expected-remark @below {{'s0' lies in 'q' at [0] [16]}}
  // expected-remark @below {{'s1' lies in 'p' at [0] [16]}}
  %s:2 = graph.call @swap(%r, %q) {names = ["s0", "s1"]}
      : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>)
  // A prefix: the runtime allocates what is left out.
  // expected-remark @below {{'w' lies in 'q' at [0] [16]}}
  // expected-remark @below {{'t' lies in 't' at [0] [16]}}
  // expected-remark @below {{'number' lies in unknown buffer}}
  // expected-remark @below {{'task' lies in unknown buffer}}
  %w, %t, %n, %task = graph.submit @prefix(%a, %s#0) {names = ["w", "t", "number", "task"]}
      : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32, !graph.task_id)
  // expected-remark @below {{'t1' lies in 't' at [0] [16]}}
  %w1, %t1, %n1, %task1 = graph.submit @prefix(%a, %w, %t) {names = [0, "t1"]}
      : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, i32, !graph.task_id)
  graph.return
}

graph.func orchestration @windows(in %a: !graph.tensor<64x16xf32>, in %d: !graph.tensor<?x16xf32>, in %n: index, in %f: i1) {
  %c8 = arith.constant 8 : index
  // expected-remark @below {{'slice' lies in 'a' at [8, 4] [32, 8]}}
  %s = graph.slice %a[%c8, 4] [32, 8] {names = ["slice"]} : !graph.tensor<64x16xf32> to !graph.tensor<32x8xf32>
  // expected-remark @below {{'slice2' lies in 'a' at [18, 4] [2, 4]}}
  %s2 = graph.slice %s[10, 0] [2, 4] {names = ["slice2"]} : !graph.tensor<32x8xf32> to !graph.tensor<2x4xf32>
  // expected-remark @below {{'anywhere' lies in 'a' somewhere}}
  %x = graph.slice %a[%n, 0] [4, 16] {names = ["anywhere"]} : !graph.tensor<64x16xf32> to !graph.tensor<4x16xf32>
  // expected-remark @below {{'anywhere2' lies in 'a' somewhere}}
  %x2 = graph.slice %x[0, 0] [1, 1] {names = ["anywhere2"]} : !graph.tensor<4x16xf32> to !graph.tensor<1x1xf32>
  // expected-remark @below {{'any_size' lies in 'a' somewhere}}
  %y = graph.slice %a[0, 0] [%n, 16] {names = ["any_size"]} : !graph.tensor<64x16xf32> to !graph.tensor<?x16xf32>
  // All elements of a window, reshaped.
  // expected-remark @below {{'view' lies in 'a' at [8, 4] [32, 8]}}
  %v = graph.view %s [256] {names = ["view"]} : !graph.tensor<32x8xf32> to !graph.tensor<256xf32>
  // expected-remark @below {{'view_part' lies in 'a' somewhere}}
  %v2 = graph.slice %v[0] [1] {names = ["view_part"]} : !graph.tensor<256xf32> to !graph.tensor<1xf32>
  // expected-remark @below {{'view_back' lies in 'a' at [8, 4] [32, 8]}}
  %v3 = graph.view %v [32, 8] {names = ["view_back"]} : !graph.tensor<256xf32> to !graph.tensor<32x8xf32>
  // A constant window of a buffer of unknown extents.
  // expected-remark @below {{'dynamic' lies in 'd' at [8, 0] [8, 16]}}
  %z = graph.slice %d[8, 0] [8, 16] {names = ["dynamic"]} : !graph.tensor<?x16xf32> to !graph.tensor<8x16xf32>
  // expected-remark @below {{'cast' lies in 'd' at [0, 0] [32, 16]}}
  %c = graph.cast %d {names = ["cast"]} : !graph.tensor<?x16xf32> to !graph.tensor<32x16xf32>
  // expected-remark @below {{'cast_part' lies in 'd' at [31, 0] [1, 16]}}
  %c2 = graph.slice %c[31, 0] [1, 16] {names = ["cast_part"]} : !graph.tensor<32x16xf32> to !graph.tensor<1x16xf32>
  // Out of its source.
  // expected-remark @below {{'outside' lies in 'a' somewhere}}
  %o = graph.slice %a[%c8, 0] [64, 16] {names = ["outside"]} : !graph.tensor<64x16xf32> to !graph.tensor<64x16xf32>
  // The same window on both paths, and another.
  %s3 = graph.slice %a[8, 4] [32, 8] : !graph.tensor<64x16xf32> to !graph.tensor<32x8xf32>
  // expected-remark @below {{'same' lies in 'a' at [8, 4] [32, 8]}}
  %m = arith.select %f, %s, %s3 {names = ["same"]} : !graph.tensor<32x8xf32>
  %s4 = graph.slice %a[9, 4] [32, 8] : !graph.tensor<64x16xf32> to !graph.tensor<32x8xf32>
  // expected-remark @below {{'other' lies in 'a' somewhere}}
  %m2 = arith.select %f, %s, %s4 {names = ["other"]} : !graph.tensor<32x8xf32>
  graph.return
}

graph.func orchestration @merges(inout %p: !graph.tensor<16xf32>, inout %q: !graph.tensor<16xf32>, in %n: index, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // In the order of the definitions, not of the text of the merge.
  // expected-remark @below {{'select' lies in one of 'p', 'q'}}
  %0 = arith.select %f, %q, %p {names = ["select"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'part' lies in one of 'p', 'q'}}
  %1 = graph.slice %0[0] [8] {names = ["part"]} : !graph.tensor<16xf32> to !graph.tensor<8xf32>
  // expected-remark @below {{'same' lies in 'p' at [0] [16]}}
  // expected-remark @below {{'branch' lies in one of 'p', 'made'}}
  %2:2 = scf.if %f -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    // expected-remark @below {{'made' lies in 'made' at [0] [16]}}
    %made = graph.create {names = ["made"]} : !graph.tensor<16xf32>
    scf.yield %p, %made : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } else {
    %w = graph.call @k(%q, %p) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    scf.yield %w, %p : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } {names = ["same", "branch"]}
  // expected-remark @below {{'ping' lies in one of 'p', 'q'}}
  // expected-remark @below {{'pong' lies in one of 'p', 'q'}}
  // expected-remark @below {{'in_place' lies in 'p' at [0] [16]}}
  // expected-remark @below {{'r0' lies in one of 'p', 'q'}}
  // expected-remark @below {{'r2' lies in 'p' at [0] [16]}}
  %3:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %p, %y = %q, %z = %p)
      -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    %w = graph.call @k(%q, %z) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    scf.yield %y, %x, %w : !graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } {names = ["r0", 0, "r2"], args = [0, "ping", "pong", "in_place"]}
  // A window that moves on.
  // expected-remark @below {{'moving' lies in 'p' somewhere}}
  // expected-remark @below {{'moved' lies in 'p' somewhere}}
  %4 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %p) -> !graph.tensor<16xf32> {
    // expected-remark @below {{'first' lies in 'p' somewhere}}
    %s = graph.slice %x[0] [1] {names = ["first"]} : !graph.tensor<16xf32> to !graph.tensor<1xf32>
    %y = graph.slice %x[%c1] [15] : !graph.tensor<16xf32> to !graph.tensor<15xf32>
    %z = graph.cast %y : !graph.tensor<15xf32> to !graph.tensor<?xf32>
    %w = graph.cast %z : !graph.tensor<?xf32> to !graph.tensor<16xf32>
    scf.yield %w : !graph.tensor<16xf32>
  } {names = ["moved"], args = [0, "moving"]}
  // A while may run not at all (DD36).
  // expected-remark @below {{'before' lies in one of 'p', 'fresh'}}
  // expected-remark @below {{'after' lies in one of 'p', 'fresh'}}
  // expected-remark @below {{'out' lies in one of 'p', 'fresh'}}
  %5 = scf.while (%x = %p) : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32> {
    scf.condition(%f) %x : !graph.tensor<16xf32>
  } do {
  ^bb0(%x: !graph.tensor<16xf32>):
    // expected-remark @below {{'fresh' lies in 'fresh' at [0] [16]}}
    %y = graph.create {names = ["fresh"]} : !graph.tensor<16xf32>
    scf.yield %y : !graph.tensor<16xf32>
  } attributes {names = ["out"], args = ["before", "after"]}
  // expected-remark @below {{'scoped' lies in 'q' at [0] [16]}}
  // expected-remark @below {{'scoped_new' lies in 'inner' at [0] [16]}}
  %6:2 = graph.scope auto attributes {names = ["scoped", "scoped_new"]} -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    // expected-remark @below {{'inner' lies in 'inner' at [0] [16]}}
    %i = graph.create {names = ["inner"]} : !graph.tensor<16xf32>
    graph.yield %q, %i : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  }
  graph.return
}

// Eight roots are kept apart, nine are not.
graph.func orchestration @many(in %p0: !graph.tensor<1xf32>, in %p1: !graph.tensor<1xf32>, in %p2: !graph.tensor<1xf32>,
                               in %p3: !graph.tensor<1xf32>, in %p4: !graph.tensor<1xf32>, in %p5: !graph.tensor<1xf32>,
                               in %p6: !graph.tensor<1xf32>, in %p7: !graph.tensor<1xf32>, in %p8: !graph.tensor<1xf32>, in %f: i1) {
  %a = arith.select %f, %p7, %p6 : !graph.tensor<1xf32>
  %b = arith.select %f, %a, %p5 : !graph.tensor<1xf32>
  %c = arith.select %f, %b, %p4 : !graph.tensor<1xf32>
  %d = arith.select %f, %c, %p3 : !graph.tensor<1xf32>
  %e = arith.select %f, %d, %p2 : !graph.tensor<1xf32>
  %g = arith.select %f, %e, %p1 : !graph.tensor<1xf32>
  // expected-remark @below {{'eight' lies in one of 'p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'}}
  %h = arith.select %f, %g, %p0 {names = ["eight"]} : !graph.tensor<1xf32>
  // expected-remark @below {{'still_eight' lies in one of 'p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'}}
  %i = arith.select %f, %h, %p7 {names = ["still_eight"]} : !graph.tensor<1xf32>
  // expected-remark @below {{'nine' lies in unknown buffer}}
  %j = arith.select %f, %h, %p8 {names = ["nine"]} : !graph.tensor<1xf32>
  // expected-remark @below {{'of_nine' lies in unknown buffer}}
  %k = arith.select %f, %j, %p8 {names = ["of_nine"]} : !graph.tensor<1xf32>
  // expected-remark @below {{'window_of_nine' lies in unknown buffer}}
  %l = graph.slice %k[0] [1] {names = ["window_of_nine"]} : !graph.tensor<1xf32> to !graph.tensor<1xf32>
  graph.return
}

// Halves touch and do not overlap; distinct roots do not; what is not known may.
// expected-remark @below {{'rows' may overlap 'inside'}}
// expected-remark @below {{'rows' may overlap 'whole'}}
// expected-remark @below {{'rows2' may overlap 'whole'}}
// expected-remark @below {{'inside' may overlap 'whole'}}
// expected-remark @below {{'either' may overlap 'rows'}}
// expected-remark @below {{'either' may overlap 'rows2'}}
// expected-remark @below {{'either' may overlap 'inside'}}
// expected-remark @below {{'either' may overlap 'whole'}}
// expected-remark @below {{'either' may overlap 'b'}}
graph.func orchestration @overlaps(in %a: !graph.tensor<64x16xf32>, in %b: !graph.tensor<64x16xf32>, in %n: index, in %f: i1)
    attributes {overlaps} {
  // expected-remark @below {{'either' lies in one of 'a', 'b'}}
  %e = arith.select %f, %a, %b {names = ["either"]} : !graph.tensor<64x16xf32>
  // expected-remark @below {{'rows' lies in 'a' at [0, 0] [32, 16]}}
  %r = graph.slice %a[0, 0] [32, 16] {names = ["rows"]} : !graph.tensor<64x16xf32> to !graph.tensor<32x16xf32>
  // Apart in one dimension, wherever it starts in the other.
  // expected-remark @below {{'rows2' lies in 'a' somewhere}}
  %s = graph.slice %a[32, %n] [32, 2] {names = ["rows2"]} : !graph.tensor<64x16xf32> to !graph.tensor<32x2xf32>
  // Somewhere in the first half.
  // expected-remark @below {{'inside' lies in 'a' somewhere}}
  %t = graph.slice %r[%n, 0] [4, 16] {names = ["inside"]} : !graph.tensor<32x16xf32> to !graph.tensor<4x16xf32>
  // expected-remark @below {{'whole' lies in 'a' at [0, 0] [64, 16]}}
  %w = graph.view %a [1024] {names = ["whole"]} : !graph.tensor<64x16xf32> to !graph.tensor<1024xf32>
  // expected-remark @below {{'b' lies in 'b' at [0, 0] [64, 16]}}
  %x = graph.alias %b {names = ["b"]} : !graph.tensor<64x16xf32>
  graph.return
}

// What leaves its source bounds nothing, nor does one of two windows.
// expected-remark @below {{'first' may overlap 'outside'}}
// expected-remark @below {{'first' may overlap 'one'}}
// expected-remark @below {{'outside' may overlap 'one'}}
// expected-remark @below {{'outside' may overlap 'last'}}
// expected-remark @below {{'one' may overlap 'last'}}
graph.func orchestration @bounds(in %a: !graph.tensor<64xf32>, in %f: i1) attributes {overlaps} {
  // expected-remark @below {{'first' lies in 'a' at [0] [8]}}
  %r = graph.slice %a[0] [8] {names = ["first"]} : !graph.tensor<64xf32> to !graph.tensor<8xf32>
  %c60 = arith.constant 60 : index
  // expected-remark @below {{'outside' lies in 'a' somewhere}}
  %s = graph.slice %a[%c60] [8] {names = ["outside"]} : !graph.tensor<64xf32> to !graph.tensor<8xf32>
  %t = graph.slice %a[56] [8] : !graph.tensor<64xf32> to !graph.tensor<8xf32>
  // expected-remark @below {{'one' lies in 'a' somewhere}}
  %u = arith.select %f, %r, %t {names = ["one"]} : !graph.tensor<8xf32>
  // expected-remark @below {{'last' lies in 'a' at [63] [1]}}
  %v = graph.slice %a[63] [1] {names = ["last"]} : !graph.tensor<64xf32> to !graph.tensor<1xf32>
  graph.return
}

// Blocks in another order than they run, and renames in a circle where nothing
// ever runs.
graph.func orchestration @block_order(in %a: !graph.tensor<16xf32>) {
  scf.execute_region {
    cf.br ^first
  ^last:
    // expected-remark @below {{'late' lies in 'a' at [0] [16]}}
    %2 = graph.alias %1 {names = ["late"]} : !graph.tensor<16xf32>
    // expected-remark @below {{'part' lies in 'a' at [4] [8]}}
    %3 = graph.slice %2[4] [8] {names = ["part"]} : !graph.tensor<16xf32> to !graph.tensor<8xf32>
    scf.yield
  ^first:
    // expected-remark @below {{'early' lies in 'a' at [0] [16]}}
    %1 = graph.alias %a {names = ["early"]} : !graph.tensor<16xf32>
    cf.br ^last
  ^never:
    // expected-remark @below {{'round' lies in unknown buffer}}
    %4 = graph.alias %5 {names = ["round"]} : !graph.tensor<16xf32>
    // expected-remark @below {{'about' lies in unknown buffer}}
    %5 = graph.alias %4 {names = ["about"]} : !graph.tensor<16xf32>
    cf.br ^never
  }
  graph.return
}
