// RUN: pypto-opt %s --test-replay-invariance --verify-diagnostics

graph.func private incore @k(in %a: !graph.tensor<16xf32>, inout %o: !graph.tensor<16xf32>) -> (%o)
graph.func private incore @scalars(in %a: !graph.tensor<16xf32>, in %n: index) -> (%n, index)
graph.func private incore @fresh(in %a: !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>)
graph.func private incore @tail(in %a: !graph.tensor<16xf32>, out %s: !graph.tensor<16xf32>) -> (%s)

// A replay refreshes the slots of scalar parameters; boundary tensors keep their
// shapes and, as a choice, are what they are.
// expected-remark @below {{'a' is an invariant choice}}
// expected-remark @below {{'n' varies}}
// expected-remark @below {{'f' varies}}
// expected-remark @below {{'t' is an invariant choice}}
// expected-remark @below {{'nums' is a varying choice}}
graph.func graph @leaves(in %a: !graph.tensor<16xf32>, in %n: index, in %f: f32, in %t: !graph.task_id,
                         in %nums: !graph.array<4 x index>)
    attributes {args = ["a", "n", "f", "t", "nums"]} {
  // expected-remark @below {{'constant' is invariant}}
  %c2 = arith.constant {names = ["constant"]} 2 : index
  // expected-remark @below {{'read' varies}}
  %x = graph.read %a[0] {names = ["read"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'tied' varies}}
  // expected-remark @below {{'untied' varies}}
  %0:2 = graph.call @scalars(%a, %n) {names = ["tied", "untied"]} : (!graph.tensor<16xf32>, index) -> (index, index)
  // A tied scalar is its operand, whatever that is.
  // expected-remark @below {{'tied_constant' is invariant}}
  // expected-remark @below {{'untied2' varies}}
  %1:2 = graph.call @scalars(%a, %c2) {names = ["tied_constant", "untied2"]} : (!graph.tensor<16xf32>, index) -> (index, index)
  // expected-remark @below {{'renamed' is invariant}}
  %2 = graph.alias %c2 {names = ["renamed"]} : index
  // expected-remark @below {{'renamed_n' varies}}
  %3 = graph.alias %n {names = ["renamed_n"]} : index
  // expected-remark @below {{'made' is an invariant choice}}
  %made = graph.call @fresh(%a) {names = ["made"]} : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32>
  // expected-remark @below {{'tail' is an invariant choice}}
  // expected-remark @below {{'task' is an invariant choice}}
  %tail, %task = graph.submit @tail(%a) {names = ["tail", "task"]} : (!graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.task_id)
  // The extent may vary (which is refused elsewhere), the buffer does not.
  // expected-remark @below {{'created' is an invariant choice}}
  %created = graph.create(%n) {names = ["created"]} : !graph.tensor<?xf32>
  // expected-remark @below {{'dummy' is an invariant choice}}
  %dummy = graph.task_dummy {names = ["dummy"]} : !graph.task_id
  graph.return
}

graph.func graph @arithmetic(in %a: !graph.tensor<16xf32>, in %n: index, in %s: f32) {
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  // expected-remark @below {{'product' is invariant}}
  %0 = arith.muli %c2, %c2 {names = ["product"]} : index
  // expected-remark @below {{'mixed' varies}}
  %1 = arith.muli %0, %n {names = ["mixed"]} : index
  // expected-remark @below {{'tainted' varies}}
  %2 = arith.addi %1, %c2 {names = ["tainted"]} : index
  // A division that may trap is still a function of its operands.
  // expected-remark @below {{'quotient' is invariant}}
  %3 = arith.divsi %0, %0 {names = ["quotient"]} : index
  // expected-remark @below {{'root' is invariant}}
  %4 = math.sqrt %half {names = ["root"]} : f32
  // expected-remark @below {{'less' is invariant}}
  %5 = arith.cmpi slt, %0, %c2 {names = ["less"]} : index
  // expected-remark @below {{'cast' is invariant}}
  %6 = arith.index_cast %0 {names = ["cast"]} : index to i32
  // expected-remark @below {{'low' is invariant}}
  // expected-remark @below {{'high' is invariant}}
  %7, %8 = arith.mulsi_extended %6, %6 {names = ["low", "high"]} : i32
  // expected-remark @below {{'scaled' varies}}
  %9 = arith.mulf %s, %half {names = ["scaled"]} : f32
  // expected-remark @below {{'selected' is invariant}}
  %10 = arith.select %5, %0, %c2 {names = ["selected"]} : index
  %vary = arith.cmpi slt, %n, %c2 : index
  // expected-remark @below {{'selected_by_n' varies}}
  %11 = arith.select %vary, %0, %c2 {names = ["selected_by_n"]} : index
  // expected-remark @below {{'selected_n' varies}}
  %12 = arith.select %5, %n, %c2 {names = ["selected_n"]} : index
  // Both arms are one value: the condition decides nothing.
  // expected-remark @below {{'selected_same' is invariant}}
  %13 = arith.select %vary, %0, %0 {names = ["selected_same"]} : index
  // expected-remark @below {{'sizeof' is invariant}}
  %14 = index.constant {names = ["sizeof"]} 3
  // Not a constant, and a function of nothing.
  // expected-remark @below {{'sizeof_index' varies}}
  %15 = index.sizeof {names = ["sizeof_index"]}
  graph.return
}

graph.func graph @dims(in %a: !graph.tensor<?x128xf32>, inout %o: !graph.tensor<?x128xf32>, in %n: index, in %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // expected-remark @below {{'rows' is invariant}}
  %rows = graph.dim %a, %c0 {names = ["rows"]} : !graph.tensor<?x128xf32>
  %b = graph.alias %a : !graph.tensor<?x128xf32>
  %zero = graph.alias %c0 : index
  // expected-remark @below {{'renamed_rows' is invariant}}
  %1 = graph.dim %b, %zero {names = ["renamed_rows"]} : !graph.tensor<?x128xf32>
  // expected-remark @below {{'any_axis' varies}}
  %2 = graph.dim %a, %n {names = ["any_axis"]} : !graph.tensor<?x128xf32>
  // expected-remark @below {{'no_axis' varies}}
  %3 = graph.dim %a, %c5 {names = ["no_axis"]} : !graph.tensor<?x128xf32>
  // Written in place, it is the boundary tensor still.
  %w = scf.for %i = %c0 to %n step %c1 iter_args(%c = %o) -> !graph.tensor<?x128xf32> {
    %r = graph.cast %c : !graph.tensor<?x128xf32> to !graph.tensor<?x128xf32>
    // expected-remark @below {{'carried_rows' is invariant}}
    %4 = graph.dim %r, %c0 {names = ["carried_rows"]} : !graph.tensor<?x128xf32>
    scf.yield %r : !graph.tensor<?x128xf32>
  }
  // expected-remark @below {{'result_rows' is invariant}}
  %5 = graph.dim %w, %c0 {names = ["result_rows"]} : !graph.tensor<?x128xf32>
  // One of two tensors of unknown extents.
  %f = arith.cmpi slt, %n, %c1 : index
  %either = arith.select %f, %a, %o : !graph.tensor<?x128xf32>
  // expected-remark @below {{'either_rows' varies}}
  %6 = graph.dim %either, %c0 {names = ["either_rows"]} : !graph.tensor<?x128xf32>
  // expected-remark @below {{'either_columns' is invariant}}
  %7 = graph.dim %either, %c1 {names = ["either_columns"]} : !graph.tensor<?x128xf32>
  // The extents of a window are what it was made with.
  %v = graph.slice %a[%n, 0] [%rows, %m] : !graph.tensor<?x128xf32> to !graph.tensor<?x?xf32>
  // expected-remark @below {{'window_rows' is invariant}}
  %8 = graph.dim %v, %c0 {names = ["window_rows"]} : !graph.tensor<?x?xf32>
  // expected-remark @below {{'window_columns' varies}}
  %9 = graph.dim %v, %c1 {names = ["window_columns"]} : !graph.tensor<?x?xf32>
  %u = graph.view %a [128, %rows] : !graph.tensor<?x128xf32> to !graph.tensor<128x?xf32>
  // expected-remark @below {{'view_columns' is invariant}}
  %10 = graph.dim %u, %c1 {names = ["view_columns"]} : !graph.tensor<128x?xf32>
  %t = graph.create(%m, %rows) : !graph.tensor<?x4x?xf32>
  // expected-remark @below {{'made_rows' varies}}
  %11 = graph.dim %t, %c0 {names = ["made_rows"]} : !graph.tensor<?x4x?xf32>
  %c2 = arith.constant 2 : index
  // expected-remark @below {{'made_depth' is invariant}}
  %12 = graph.dim %t, %c2 {names = ["made_depth"]} : !graph.tensor<?x4x?xf32>
  graph.return
}

graph.func graph @constant_loops(in %a: !graph.tensor<16xf32>, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-remark @below {{'iv' is invariant}}
  // expected-remark @below {{'sum' is invariant}}
  // expected-remark @below {{'total' is invariant}}
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0) -> index {
    // expected-remark @below {{'next' is invariant}}
    %next = arith.addi %s, %i {names = ["next"]} : index
    scf.yield %next : index
  } {names = ["total"], args = ["iv", "sum"]}
  // expected-remark @below {{'from_n' varies}}
  // expected-remark @below {{'from_n_total' varies}}
  %1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %n) -> index {
    %next = arith.addi %s, %i : index
    scf.yield %next : index
  } {names = ["from_n_total"], args = [0, "from_n"]}
  // expected-remark @below {{'plus_n' varies}}
  // expected-remark @below {{'plus_n_total' varies}}
  %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0) -> index {
    %next = arith.addi %s, %n : index
    scf.yield %next : index
  } {names = ["plus_n_total"], args = [0, "plus_n"]}
  // What goes wrong in one carry reaches the other through the exchange only.
  // expected-remark @below {{'one' varies}}
  // expected-remark @below {{'two' varies}}
  // expected-remark @below {{'three' is invariant}}
  %3:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c0, %y = %c1, %z = %c4) -> (index, index, index) {
    %next = arith.addi %x, %n : index
    scf.yield %y, %next, %z : index, index, index
  } {args = [0, "one", "two", "three"]}
  // expected-remark @below {{'fibonacci' is invariant}}
  // expected-remark @below {{'fibonacci2' is invariant}}
  %4:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {
    %next = arith.addi %x, %y : index
    scf.yield %y, %next : index, index
  } {names = ["fibonacci", "fibonacci2"]}
  // Only what comes out is known: the first value does not.
  // expected-remark @below {{'first_n' varies}}
  // expected-remark @below {{'overwritten' is invariant}}
  %5 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %n) -> index {
    scf.yield %i : index
  } {names = ["overwritten"], args = [0, "first_n"]}
  // No iteration: the first value comes out.
  // expected-remark @below {{'never_run' is invariant}}
  // expected-remark @below {{'never_run_n' varies}}
  %6:2 = scf.for %i = %c4 to %c0 step %c1 iter_args(%s = %c0, %t = %n) -> (index, index) {
    scf.yield %n, %c0 : index, index
  } {names = ["never_run", "never_run_n"]}
  // A renamed bound is a bound.
  %four = graph.alias %c4 : index
  %bound, %o = graph.call @scalars(%a, %four) : (!graph.tensor<16xf32>, index) -> (index, index)
  // expected-remark @below {{'renamed_iv' is invariant}}
  scf.for %i = %c0 to %bound step %c1 {
  } {args = ["renamed_iv"]}
  graph.return
}

graph.func graph @runtime_loops(in %a: !graph.tensor<16xf32>, in %n: index, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m1 = arith.constant -1 : index
  // expected-remark @below {{'iv' varies}}
  // expected-remark @below {{'sum' varies}}
  // expected-remark @below {{'carried' is invariant}}
  // expected-remark @below {{'total' varies}}
  // expected-remark @below {{'carried_out' is invariant}}
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0, %u = %c4) -> (index, index) {
    // expected-remark @below {{'inside' is invariant}}
    %inside = arith.addi %c1, %c4 {names = ["inside"]} : index
    // expected-remark @below {{'with_iv' varies}}
    %with_iv = arith.addi %c1, %i {names = ["with_iv"]} : index
    // expected-remark @below {{'inner_iv' is invariant}}
    // expected-remark @below {{'inner_total' is invariant}}
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%x = %c0) -> index {
      %y = arith.addi %x, %j : index
      scf.yield %y : index
    } {names = ["inner_total"], args = ["inner_iv"]}
    %next = arith.addi %s, %c1 : index
    %v = graph.alias %u : index
    scf.yield %next, %v : index, index
  } {names = ["total", "carried_out"], args = ["iv", "sum", "carried"]}
  // A step that is not positive is no constant trip count.
  // expected-remark @below {{'backward' varies}}
  scf.for %i = %c4 to %c0 step %m1 {
  } {args = ["backward"]}
  // expected-remark @below {{'standing' varies}}
  scf.for %i = %c0 to %c4 step %c0 {
  } {args = ["standing"]}
  // expected-remark @below {{'before' varies}}
  // expected-remark @below {{'same_before' is invariant}}
  // expected-remark @below {{'after' varies}}
  // expected-remark @below {{'same_after' is invariant}}
  // expected-remark @below {{'out' varies}}
  // expected-remark @below {{'same_out' is invariant}}
  %1:2 = scf.while (%x = %c0, %y = %c4) : (index, index) -> (index, index) {
    scf.condition(%f) %x, %y : index, index
  } do {
  ^bb0(%x: index, %y: index):
    %next = arith.addi %x, %c1 : index
    scf.yield %next, %y : index, index
  } attributes {names = ["out", "same_out"], args = ["before", "same_before", "after", "same_after"]}
  graph.return
}

graph.func graph @branches(in %a: !graph.tensor<16xf32>, in %n: index, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    // expected-remark @below {{'both' is invariant}}
    // expected-remark @below {{'then_n' varies}}
    // expected-remark @below {{'else_n' varies}}
    %0:3 = scf.if %first -> (index, index, index) {
      scf.yield %c0, %n, %c0 : index, index, index
    } else {
      scf.yield %i, %c0, %n : index, index, index
    } {names = ["both", "then_n", "else_n"]}
    // expected-remark @below {{'by_f' varies}}
    // expected-remark @below {{'same_by_f' is invariant}}
    %1:2 = scf.if %f -> (index, index) {
      scf.yield %c0, %i : index, index
    } else {
      scf.yield %c1, %i : index, index
    } {names = ["by_f", "same_by_f"]}
    // expected-remark @below {{'switched' is invariant}}
    %2 = scf.index_switch %i {names = ["switched"]} -> index
    case 1 {
      scf.yield %c4 : index
    }
    default {
      scf.yield %i : index
    }
    // expected-remark @below {{'switched_by_n' varies}}
    %3 = scf.index_switch %n {names = ["switched_by_n"]} -> index
    case 1 {
      scf.yield %c4 : index
    }
    default {
      scf.yield %c1 : index
    }
    // expected-remark @below {{'once' is invariant}}
    %4 = scf.execute_region -> index {
      %x = arith.addi %i, %c1 : index
      scf.yield %x : index
    } {names = ["once"]}
    // expected-remark @below {{'scoped' is invariant}}
    // expected-remark @below {{'scoped_n' varies}}
    %5:2 = graph.scope manual attributes {names = ["scoped", "scoped_n"]} -> (index, index) {
      %x = arith.addi %i, %c1 : index
      graph.yield %x, %n : index, index
    }
    // expected-remark @below {{'argument' varies}}
    // expected-remark @below {{'jumped' varies}}
    %6 = scf.execute_region -> index {
      cf.cond_br %f, ^next(%c0 : index), ^next(%c1 : index)
    ^next(%x: index):
      scf.yield %x : index
    } {names = ["jumped"], args = ["argument"]}
    // expected-remark @below {{'left_or_right' varies}}
    %7 = scf.execute_region -> index {
      cf.cond_br %f, ^left, ^right
    ^left:
      scf.yield %c0 : index
    ^right:
      scf.yield %c1 : index
    } {names = ["left_or_right"]}
  }
  graph.return
}

graph.func graph @choices(in %a: !graph.tensor<16xf32>, inout %p: !graph.tensor<16xf32>, inout %q: !graph.tensor<16xf32>,
                          in %n: index, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // Where a window starts is another question.
  // expected-remark @below {{'window' is an invariant choice}}
  %w = graph.slice %a[%n] [8] {names = ["window"]} : !graph.tensor<16xf32> to !graph.tensor<8xf32>
  // expected-remark @below {{'either' is a varying choice}}
  %either = arith.select %f, %p, %q {names = ["either"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'either_window' is a varying choice}}
  %0 = graph.slice %either[0] [8] {names = ["either_window"]} : !graph.tensor<16xf32> to !graph.tensor<8xf32>
  // expected-remark @below {{'either_view' is a varying choice}}
  %1 = graph.view %either [4, 4] {names = ["either_view"]} : !graph.tensor<16xf32> to !graph.tensor<4x4xf32>
  // expected-remark @below {{'either_cast' is a varying choice}}
  %2 = graph.cast %either {names = ["either_cast"]} : !graph.tensor<16xf32> to !graph.tensor<?xf32>
  // expected-remark @below {{'either_alias' is a varying choice}}
  %3 = graph.alias %either {names = ["either_alias"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'either_written' is a varying choice}}
  %4 = graph.call @k(%a, %either) {names = ["either_written"]} : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
  // A result that is not the operand does not inherit its choice.
  // expected-remark @below {{'made_of_either' is an invariant choice}}
  %5 = graph.call @fresh(%either) {names = ["made_of_either"]} : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32>
  // expected-remark @below {{'same' is an invariant choice}}
  %6 = arith.select %f, %p, %p {names = ["same"]} : !graph.tensor<16xf32>
  // Two windows of one buffer are two choices.
  %v = graph.slice %a[0] [8] : !graph.tensor<16xf32> to !graph.tensor<8xf32>
  // expected-remark @below {{'windows' is a varying choice}}
  %7 = arith.select %f, %w, %v {names = ["windows"]} : !graph.tensor<8xf32>

  // Ping-pong in a constant loop.
  // expected-remark @below {{'ping' is an invariant choice}}
  // expected-remark @below {{'pong' is an invariant choice}}
  // expected-remark @below {{'r0' is an invariant choice}}
  // expected-remark @below {{'r1' is an invariant choice}}
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %p, %y = %q) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    %odd = arith.cmpi eq, %i, %c1 : index
    // expected-remark @below {{'odd' is an invariant choice}}
    %z = arith.select %odd, %x, %y {names = ["odd"]} : !graph.tensor<16xf32>
    scf.yield %y, %x : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } {names = ["r0", "r1"], args = [0, "ping", "pong"]}
  // The same in a loop that runs as often as the caller says.
  // expected-remark @below {{'runtime_ping' is a varying choice}}
  // expected-remark @below {{'in_place' is an invariant choice}}
  // expected-remark @below {{'runtime_r0' is a varying choice}}
  // expected-remark @below {{'in_place_out' is an invariant choice}}
  %s:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q, %z = %p)
      -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    %u = graph.call @k(%a, %z) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    // expected-remark @below {{'of_ping' is a varying choice}}
    %of = graph.alias %x {names = ["of_ping"]} : !graph.tensor<16xf32>
    scf.yield %y, %x, %u : !graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } {names = ["runtime_r0", 0, "in_place_out"], args = [0, "runtime_ping", 0, "in_place"]}
  // A constant loop that starts from a varying choice.
  // expected-remark @below {{'started' is a varying choice}}
  // expected-remark @below {{'started_out' is an invariant choice}}
  %8 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %either) -> !graph.tensor<16xf32> {
    scf.yield %p : !graph.tensor<16xf32>
  } {names = ["started_out"], args = [0, "started"]}
  // expected-remark @below {{'while_out' is a varying choice}}
  // expected-remark @below {{'while_same' is an invariant choice}}
  %9:2 = scf.while (%x = %p, %y = %q) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    scf.condition(%f) %x, %y : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } do {
  ^bb0(%x: !graph.tensor<16xf32>, %y: !graph.tensor<16xf32>):
    scf.yield %q, %y : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } attributes {names = ["while_out", "while_same"]}
  graph.return
}

graph.func graph @tasks(in %a: !graph.tensor<16xf32>, in %n: index, in %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = graph.task_dummy : !graph.task_id
  %u = graph.task_dummy : !graph.task_id
  // expected-remark @below {{'either' is a varying choice}}
  %either = arith.select %f, %t, %u {names = ["either"]} : !graph.task_id
  // expected-remark @below {{'empty' is an invariant choice}}
  %empty = graph.array.create {names = ["empty"]} : !graph.array<4 x !graph.task_id>
  // expected-remark @below {{'filled' is an invariant choice}}
  // expected-remark @below {{'carried' is an invariant choice}}
  %filled = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %empty) -> !graph.array<4 x !graph.task_id> {
    %next = graph.array.insert %t, %c[%i] : !graph.array<4 x !graph.task_id>
    scf.yield %next : !graph.array<4 x !graph.task_id>
  } {names = ["filled"], args = [0, "carried"]}
  // expected-remark @below {{'third' is an invariant choice}}
  %0 = graph.array.extract %filled[2] {names = ["third"]} : !graph.array<4 x !graph.task_id>
  // expected-remark @below {{'nth' is a varying choice}}
  %1 = graph.array.extract %filled[%n] {names = ["nth"]} : !graph.array<4 x !graph.task_id>
  // expected-remark @below {{'at_n' is a varying choice}}
  %2 = graph.array.insert %t, %filled[%n] {names = ["at_n"]} : !graph.array<4 x !graph.task_id>
  // expected-remark @below {{'with_either' is a varying choice}}
  %3 = graph.array.insert %either, %filled[0] {names = ["with_either"]} : !graph.array<4 x !graph.task_id>
  // expected-remark @below {{'in_with_either' is a varying choice}}
  %4 = graph.array.extract %3[0] {names = ["in_with_either"]} : !graph.array<4 x !graph.task_id>

  // Arrays of scalars hold what varies.
  %none = graph.array.create : !graph.array<2 x index>
  %5 = graph.array.insert %c4, %none[0] : !graph.array<2 x index>
  // expected-remark @below {{'fixed' is invariant}}
  %6 = graph.array.extract %5[0] {names = ["fixed"]} : !graph.array<2 x index>
  %7 = graph.array.insert %n, %5[1] : !graph.array<2 x index>
  // expected-remark @below {{'loose' varies}}
  %8 = graph.array.extract %7[0] {names = ["loose"]} : !graph.array<2 x index>
  graph.return
}

// The blocks of unstructured control flow may stand in any order.
graph.func graph @blocks(in %a: !graph.tensor<16xf32>, in %n: index, in %f: i1) {
  // expected-remark @below {{'yielded' varies}}
  %0 = scf.execute_region -> index {
    cf.br ^define
  ^use:
    // expected-remark @below {{'used' varies}}
    %y = graph.alias %x {names = ["used"]} : index
    // expected-remark @below {{'sum' varies}}
    %z = arith.addi %y, %y {names = ["sum"]} : index
    // expected-remark @below {{'of_later' varies}}
    %u = arith.addi %w, %w {names = ["of_later"]} : index
    scf.yield %y : index
  ^define:
    // expected-remark @below {{'defined' varies}}
    %x = graph.alias %n {names = ["defined"]} : index
    // expected-remark @below {{'later' varies}}
    %w = arith.addi %n, %n {names = ["later"]} : index
    cf.br ^use
  } {names = ["yielded"]}
  graph.return
}

// Outside of what is known nothing is: results of other operations with regions.
graph.func graph @others(in %a: !graph.tensor<16xf32>, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{'parallel' varies}}
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    scf.reduce
  } {args = ["parallel"]}
  // expected-remark @below {{'load' is a varying choice}}
  %t = graph.load %a[0] {names = ["load"]} : !graph.tensor<16xf32> -> tensor<16xf32>
  // expected-remark @below {{'extent' varies}}
  %d = tensor.dim {names = ["extent"]} %t, %c0 : tensor<16xf32>
  graph.return
}
