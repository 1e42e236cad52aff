// RUN: pypto-opt %s --test-hoistability --verify-diagnostics

graph.func private incore @k(in %a: !graph.tensor<16xf32>, inout %o: !graph.tensor<16xf32>) -> (%o)
graph.func private incore @scalars(in %a: !graph.tensor<16xf32>, in %n: index) -> (%n, index)

// expected-remark @below {{'a' stays}}
// expected-remark @below {{'n' is hoistable}}
// expected-remark @below {{'s' is hoistable}}
graph.func graph @leaves(in %a: !graph.tensor<16xf32>, in %n: index, in %s: f32) attributes {args = ["a", "n", "s"]} {
  // expected-remark @below {{'constant' is constant}}
  %c2 = arith.constant {names = ["constant"]} 2 : index
  // expected-remark @below {{'float' is constant}}
  %half = arith.constant {names = ["float"]} 0.5 : f32
  // expected-remark @below {{'index' is constant}}
  %c3 = index.constant {names = ["index"]} 3
  // expected-remark @below {{'tile' stays}}
  %tile = arith.constant {names = ["tile"]} dense<0.0> : tensor<4xf32>
  // expected-remark @below {{'renamed' is hoistable}}
  %m = graph.alias %n {names = ["renamed"]} : index
  // expected-remark @below {{'renamed_constant' is constant}}
  %c = graph.alias %c2 {names = ["renamed_constant"]} : index
  // expected-remark @below {{'tied' is hoistable}}
  // expected-remark @below {{'untied' stays}}
  %0:2 = graph.call @scalars(%a, %n) {names = ["tied", "untied"]} : (!graph.tensor<16xf32>, index) -> (index, index)
  // expected-remark @below {{'product' is hoistable}}
  %1 = arith.muli %m, %c {names = ["product"]} : index
  // expected-remark @below {{'sum' is hoistable}}
  %2 = arith.addi %0#0, %1 {names = ["sum"]} : index
  // A function of constants only is no constant, though it may fold to one.
  // expected-remark @below {{'folded' is hoistable}}
  %3 = arith.addi %c2, %c3 {names = ["folded"]} : index
  // expected-remark @below {{'cast' is hoistable}}
  %4 = arith.index_cast %2 {names = ["cast"]} : index to i32
  // expected-remark @below {{'low' is hoistable}}
  // expected-remark @below {{'high' is hoistable}}
  %5, %6 = arith.mulsi_extended %4, %4 {names = ["low", "high"]} : i32
  // expected-remark @below {{'root' is hoistable}}
  %7 = math.sqrt %s {names = ["root"]} : f32
  // expected-remark @below {{'less' is hoistable}}
  %8 = arith.cmpi slt, %n, %c2 {names = ["less"]} : index
  // expected-remark @below {{'selected' is hoistable}}
  %9 = arith.select %8, %n, %1 {names = ["selected"]} : index
  graph.return
}

graph.func graph @not_leaves(in %a: !graph.tensor<?xf32>, in %b: !graph.tensor<16xf32>, in %n: index, in %nums: !graph.array<4 x index>) {
  %c0 = arith.constant 0 : index
  // expected-remark @below {{'read' stays}}
  %0 = graph.read %b[0] {names = ["read"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'tainted' stays}}
  %1 = arith.addf %0, %0 {names = ["tainted"]} : f32
  // The same on every replay, but the call site has no name for it.
  // expected-remark @below {{'extent' stays}}
  %2 = graph.dim %a, %c0 {names = ["extent"]} : !graph.tensor<?xf32>
  // expected-remark @below {{'mixed' stays}}
  %3 = arith.addi %2, %n {names = ["mixed"]} : index
  // expected-remark @below {{'element' stays}}
  %4 = graph.array.extract %nums[0] {names = ["element"]} : !graph.array<4 x index>
  // expected-remark @below {{'untied' stays}}
  %t, %u = graph.call @scalars(%b, %n) {names = [0, "untied"]} : (!graph.tensor<16xf32>, index) -> (index, index)
  // expected-remark @below {{'of_untied' stays}}
  %5 = arith.addi %u, %n {names = ["of_untied"]} : index
  // expected-remark @below {{'sizeof' stays}}
  %6 = index.sizeof {names = ["sizeof"]}
  graph.return
}

graph.func graph @merges(in %a: !graph.tensor<16xf32>, in %n: index, in %m: index, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-remark @below {{'iv' stays}}
  // expected-remark @below {{'carried' is hoistable}}
  // expected-remark @below {{'total' stays}}
  // expected-remark @below {{'carried_out' is hoistable}}
  %0:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0, %x = %n) -> (index, index) {
    // Where it stands does not matter.
    // expected-remark @below {{'inside' is hoistable}}
    %inside = arith.muli %x, %c4 {names = ["inside"]} : index
    // expected-remark @below {{'with_iv' stays}}
    %next = arith.addi %inside, %i {names = ["with_iv"]} : index
    scf.yield %next, %x : index, index
  } {names = ["total", "carried_out"], args = ["iv", 0, "carried"]}
  // expected-remark @below {{'same' is hoistable}}
  // expected-remark @below {{'different' stays}}
  // expected-remark @below {{'same_constant' is constant}}
  %1:3 = scf.if %f -> (index, index, index) {
    // expected-remark @below {{'in_branch' is hoistable}}
    %x = arith.addi %n, %m {names = ["in_branch"]} : index
    %y = graph.alias %n : index
    scf.yield %y, %n, %c4 : index, index, index
  } else {
    scf.yield %n, %m, %c4 : index, index, index
  } {names = ["same", "different", "same_constant"]}
  // expected-remark @below {{'of_merged' is hoistable}}
  %2 = arith.addi %1#0, %0#1 {names = ["of_merged"]} : index
  // The condition of a choice between equals does not matter.
  %read = graph.read %a[0] : !graph.tensor<16xf32>
  %zero = arith.constant 0.0 : f32
  %g = arith.cmpf olt, %read, %zero : f32
  // expected-remark @below {{'select_same' is hoistable}}
  %3 = arith.select %g, %n, %n {names = ["select_same"]} : index
  // expected-remark @below {{'select_by_read' stays}}
  %4 = arith.select %g, %n, %m {names = ["select_by_read"]} : index
  // expected-remark @below {{'scoped' is hoistable}}
  %5 = graph.scope manual attributes {names = ["scoped"]} -> (index) {
    %x = arith.addi %n, %m : index
    graph.yield %x : index
  }
  // expected-remark @below {{'of_scoped' is hoistable}}
  %6 = arith.addi %5, %n {names = ["of_scoped"]} : index
  // expected-remark @below {{'before' is hoistable}}
  // expected-remark @below {{'out' is hoistable}}
  %7 = scf.while (%x = %n) : (index) -> index {
    scf.condition(%f) %x : index
  } do {
  ^bb0(%x: index):
    scf.yield %x : index
  } attributes {names = ["out"], args = ["before"]}
  graph.return
}

// What may trap moves only when the function would have trapped as well.
graph.func graph @traps(in %a: !graph.tensor<16xf32>, in %n: index, in %m: index, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m1 = arith.constant -1 : index
  // expected-remark @below {{'always' is hoistable}}
  %0 = arith.divsi %n, %m {names = ["always"]} : index
  scf.if %f {
    // expected-remark @below {{'guarded' stays}}
    %1 = arith.divsi %n, %m {names = ["guarded"]} : index
    // expected-remark @below {{'of_guarded' stays}}
    %2 = arith.addi %1, %n {names = ["of_guarded"]} : index
    // expected-remark @below {{'guarded_harmless' is hoistable}}
    %3 = arith.divsi %n, %c2 {names = ["guarded_harmless"]} : index
    %two = graph.alias %c2 : index
    // expected-remark @below {{'guarded_renamed' is hoistable}}
    %4 = arith.remui %n, %two {names = ["guarded_renamed"]} : index
    // The smallest number divided by -1 is too large.
    %less = graph.alias %m1 : index
    // expected-remark @below {{'guarded_overflow' stays}}
    %5 = arith.divsi %n, %less {names = ["guarded_overflow"]} : index
    // expected-remark @below {{'guarded_unsigned' is hoistable}}
    %6 = arith.divui %n, %less {names = ["guarded_unsigned"]} : index
    %none = graph.alias %c0 : index
    // expected-remark @below {{'guarded_zero' stays}}
    %7 = arith.divui %n, %none {names = ["guarded_zero"]} : index
    // expected-remark @below {{'guarded_index' stays}}
    %8 = index.divs %n, %m {names = ["guarded_index"]}
  }
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-remark @below {{'in_loop' is hoistable}}
    %1 = arith.divsi %n, %m {names = ["in_loop"]} : index
    scf.for %j = %c0 to %n step %c1 {
      // expected-remark @below {{'in_runtime_loop' stays}}
      %2 = arith.divsi %n, %m {names = ["in_runtime_loop"]} : index
      scf.for %k = %c0 to %c2 step %c1 {
        // expected-remark @below {{'in_nest' stays}}
        %3 = arith.divsi %n, %m {names = ["in_nest"]} : index
      }
    }
  }
  scf.for %i = %c2 to %c2 step %c1 {
    // expected-remark @below {{'never' stays}}
    %1 = arith.divsi %n, %m {names = ["never"]} : index
  }
  graph.scope manual {
    graph.scope auto {
      // expected-remark @below {{'in_scopes' is hoistable}}
      %1 = arith.divsi %n, %m {names = ["in_scopes"]} : index
    }
  }
  graph.scope incore {
    // expected-remark @below {{'in_kernel' stays}}
    %1 = arith.divsi %n, %m {names = ["in_kernel"]} : index
  }
  scf.execute_region {
    // expected-remark @below {{'at_entry' is hoistable}}
    %1 = arith.divsi %n, %m {names = ["at_entry"]} : index
    cf.cond_br %f, ^some, ^end
  ^some:
    // expected-remark @below {{'at_some' stays}}
    %2 = arith.divsi %n, %m {names = ["at_some"]} : index
    cf.br ^end
  ^end:
    scf.yield
  }
  scf.while : () -> () {
    // expected-remark @below {{'in_while' stays}}
    %1 = arith.divsi %n, %m {names = ["in_while"]} : index
    scf.condition(%f)
  } do {
    scf.yield
  }
  graph.return
}

// Code that is never reached may use what it defines.
graph.func graph @unreachable(in %a: !graph.tensor<16xf32>, in %n: index) {
  scf.execute_region {
    scf.yield
  ^dead:
    // expected-remark @below {{'circular' stays}}
    %x = arith.addi %x, %n {names = ["circular"]} : index
    cf.br ^dead
  }
  graph.return
}
