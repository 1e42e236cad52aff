// RUN: pypto-opt %s --test-identity-lineage --verify-diagnostics

graph.func private incore @k(in %a: !graph.tensor<16xf32>, inout %o: !graph.tensor<16xf32>) -> (%o)
graph.func private incore @swap(inout %x: !graph.tensor<16xf32>, inout %y: !graph.tensor<16xf32>) -> (%y, %x)
graph.func private incore @scalar(in %a: !graph.tensor<16xf32>, in %n: index) -> (%n, index)
graph.func private incore @prefix(in %a: !graph.tensor<16xf32>, inout %w: !graph.tensor<16xf32>, out %s: !graph.tensor<16xf32>) -> (%w, %s, !graph.tensor<16xf32>)

graph.func orchestration @renames(in %a: !graph.tensor<16xf32>, in %n: index) {
  // expected-remark @below {{'b' is parameter 'a'}}
  %b = graph.alias %a {names = ["b"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'c' is parameter 'a'}}
  %c = graph.cast %b {names = ["c"]} : !graph.tensor<16xf32> to !graph.tensor<?xf32>
  // expected-remark @below {{'d' is parameter 'a'}}
  %d = graph.cast %c {names = ["d"]} : !graph.tensor<?xf32> to !graph.tensor<16xf32>
  // expected-remark @below {{'m' is parameter 'n'}}
  %m = graph.alias %n {names = ["m"]} : index
  // Arithmetic makes a value, also when it changes nothing.
  %c0 = arith.constant 0 : index
  // expected-remark @below {{'sum' is itself}}
  %sum = arith.addi %n, %c0 {names = ["sum"]} : index
  // A window is a value of its own, also when it is all of its source.
  // expected-remark @below {{'slice' is itself}}
  %slice = graph.slice %a[0] [16] {names = ["slice"]} : !graph.tensor<16xf32> to !graph.tensor<16xf32>
  // expected-remark @below {{'view' is itself}}
  %view = graph.view %a [4, 4] {names = ["view"]} : !graph.tensor<16xf32> to !graph.tensor<4x4xf32>
  // expected-remark @below {{'slice2' is 'slice'}}
  %slice2 = graph.alias %slice {names = ["slice2"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'made' is itself}}
  %made = graph.create {names = ["made"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'made2' is 'made'}}
  %made2 = graph.alias %made {names = ["made2"]} : !graph.tensor<16xf32>
  graph.return
}

graph.func orchestration @ties(in %a: !graph.tensor<16xf32>, inout %p: !graph.tensor<16xf32>,
                               inout %q: !graph.tensor<16xf32>, in %n: index) {
  // expected-remark @below {{'r' is parameter 'p'}}
  %r = graph.call @k(%a, %p) {names = ["r"]} : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
  // The first result is the second argument, whatever the position.
  // expected-remark @below {{'s0' is parameter 'q'}}
  // expected-remark @below {{'s1' is parameter 'p'}}
  %s:2 = graph.call @swap(%r, %q) {names = ["s0", "s1"]}
      : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>)
  // Twice swapped is not swapped.
  // expected-remark @below {{'t0' is parameter 'p'}}
  // expected-remark @below {{'t1' is parameter 'q'}}
  // expected-remark @below {{'task' is itself}}
  %t0, %t1, %task = graph.submit @swap(%s#0, %s#1) {names = ["t0", "t1", "task"]}
      : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.task_id)
  // expected-remark @below {{'n1' is parameter 'n'}}
  // expected-remark @below {{'n2' is itself}}
  %n1, %n2 = graph.call @scalar(%a, %n) {names = ["n1", "n2"]} : (!graph.tensor<16xf32>, index) -> (index, index)
  // expected-remark @below {{'task2' is 'task'}}
  %task2 = graph.alias %task {names = ["task2"]} : !graph.task_id
  graph.return
}

// What a prefix submit leaves out, the runtime allocates.
graph.func orchestration @prefix_submit(in %a: !graph.tensor<16xf32>, inout %p: !graph.tensor<16xf32>, inout %q: !graph.tensor<16xf32>) {
  // expected-remark @below {{'w' is parameter 'p'}}
  // expected-remark @below {{'s' is itself}}
  // expected-remark @below {{'fresh' is itself}}
  %w, %s, %fresh, %t = graph.submit @prefix(%a, %p) {names = ["w", "s", "fresh"]}
      : (!graph.tensor<16xf32>, !graph.tensor<16xf32>)
      -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.task_id)
  // expected-remark @below {{'w1' is parameter 'p'}}
  // expected-remark @below {{'s1' is parameter 'q'}}
  // expected-remark @below {{'fresh1' is itself}}
  %w1, %s1, %fresh1, %t1 = graph.submit @prefix(%a, %w, %q) {names = ["w1", "s1", "fresh1"]}
      : (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>)
      -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.tensor<16xf32>, !graph.task_id)
  graph.return
}

graph.func orchestration @loops(in %a: !graph.tensor<16xf32>, inout %p: !graph.tensor<16xf32>,
                                inout %q: !graph.tensor<16xf32>, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // Written in place in a nest of loops.
  // expected-remark @below {{'iv' is itself}}
  // expected-remark @below {{'outer' is parameter 'p'}}
  // expected-remark @below {{'result' is parameter 'p'}}
  %result = scf.for %i = %c0 to %n step %c1 iter_args(%outer = %p) -> (!graph.tensor<16xf32>) {
    // expected-remark @below {{'inner' is parameter 'p'}}
    // expected-remark @below {{'inner_result' is parameter 'p'}}
    %inner_result = scf.for %j = %c0 to %n step %c1 iter_args(%inner = %outer) -> (!graph.tensor<16xf32>) {
      // expected-remark @below {{'written' is parameter 'p'}}
      %written = graph.call @k(%a, %inner) {names = ["written"]} : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
      scf.yield %written : !graph.tensor<16xf32>
    } {names = ["inner_result"], args = [0, "inner"]}
    scf.yield %inner_result : !graph.tensor<16xf32>
  } {names = ["result"], args = ["iv", "outer"]}

  // Ping-pong: each of the two is now one and now the other buffer.
  // expected-remark @below {{'ping' is itself}}
  // expected-remark @below {{'pong' is itself}}
  // expected-remark @below {{'r0' is itself}}
  // expected-remark @below {{'r1' is itself}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%ping = %p, %pong = %q) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    // expected-remark @below {{'ping2' is 'ping'}}
    %ping2 = graph.alias %ping {names = ["ping2"]} : !graph.tensor<16xf32>
    scf.yield %pong, %ping2 : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } {names = ["r0", "r1"], args = [0, "ping", "pong"]}

  // Swapped, but the same from the start.
  // expected-remark @below {{'both0' is parameter 'p'}}
  // expected-remark @below {{'both1' is parameter 'p'}}
  %both:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %result) -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    scf.yield %y, %x : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } {names = ["both0", "both1"]}

  // A nest that writes in place what the loop around it exchanges.
  // expected-remark @below {{'o' is itself}}
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%o = %p) -> (!graph.tensor<16xf32>) {
    // expected-remark @below {{'ir' is 'o'}}
    %ir = scf.for %j = %c0 to %n step %c1 iter_args(%ii = %o) -> (!graph.tensor<16xf32>) {
      // expected-remark @below {{'z' is 'o'}}
      %z = graph.call @k(%a, %ii) {names = ["z"]} : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
      scf.yield %z : !graph.tensor<16xf32>
    } {names = ["ir"]}
    scf.yield %q : !graph.tensor<16xf32>
  } {args = [0, "o"]}
  graph.return
}

graph.func orchestration @branches(in %a: !graph.tensor<16xf32>, inout %p: !graph.tensor<16xf32>,
                                   inout %q: !graph.tensor<16xf32>, in %f: i1, in %n: index) {
  // expected-remark @below {{'same' is parameter 'p'}}
  // expected-remark @below {{'either' is itself}}
  %same, %either = scf.if %f -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    %w = graph.call @k(%a, %p) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    scf.yield %w, %p : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } else {
    scf.yield %p, %q : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  } {names = ["same", "either"]}
  // expected-remark @below {{'select_same' is parameter 'p'}}
  %0 = arith.select %f, %same, %p {names = ["select_same"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'select_either' is itself}}
  %1 = arith.select %f, %p, %q {names = ["select_either"]} : !graph.tensor<16xf32>
  // expected-remark @below {{'switched' is parameter 'q'}}
  %2 = scf.index_switch %n {names = ["switched"]} -> !graph.tensor<16xf32>
  case 0 {
    scf.yield %q : !graph.tensor<16xf32>
  }
  default {
    %w = graph.call @k(%a, %q) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    scf.yield %w : !graph.tensor<16xf32>
  }
  // expected-remark @below {{'once' is parameter 'p'}}
  %3 = scf.execute_region -> !graph.tensor<16xf32> {
    scf.yield %p : !graph.tensor<16xf32>
  } {names = ["once"]}
  // expected-remark @below {{'joined' is parameter 'p'}}
  %4 = scf.execute_region -> !graph.tensor<16xf32> {
    cf.cond_br %f, ^left, ^right
  ^left:
    scf.yield %p : !graph.tensor<16xf32>
  ^right:
    scf.yield %3 : !graph.tensor<16xf32>
  } {names = ["joined"]}
  // What a branch of unstructured control flow passes on is not followed.
  // expected-remark @below {{'argument' is itself}}
  // expected-remark @below {{'followed' is 'argument'}}
  %5 = scf.execute_region -> index {
    cf.br ^next(%n : index)
  ^next(%x: index):
    scf.yield %x : index
  } {names = ["followed"], args = ["argument"]}
  graph.return
}

graph.func orchestration @scopes(in %a: !graph.tensor<16xf32>, inout %p: !graph.tensor<16xf32>, in %f: i1) {
  // expected-remark @below {{'s0' is parameter 'p'}}
  // expected-remark @below {{'s1' is 'inner'}}
  %s:2 = graph.scope manual attributes {names = ["s0", "s1"]} -> (!graph.tensor<16xf32>, !graph.tensor<16xf32>) {
    %w = graph.call @k(%a, %p) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    // expected-remark @below {{'inner' is itself}}
    %inner = graph.create {names = ["inner"]} : !graph.tensor<16xf32>
    graph.yield %w, %inner : !graph.tensor<16xf32>, !graph.tensor<16xf32>
  }
  // expected-remark @below {{'before' is parameter 'p'}}
  // expected-remark @below {{'after' is parameter 'p'}}
  // expected-remark @below {{'result' is parameter 'p'}}
  %r = scf.while (%b = %p) : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32> {
    scf.condition(%f) %b : !graph.tensor<16xf32>
  } do {
  ^bb0(%x: !graph.tensor<16xf32>):
    %w = graph.call @k(%a, %x) : (!graph.tensor<16xf32>, !graph.tensor<16xf32>) -> !graph.tensor<16xf32>
    scf.yield %w : !graph.tensor<16xf32>
  } attributes {names = ["result"], args = ["before", "after"]}
  // expected-remark @below {{'before2' is itself}}
  // expected-remark @below {{'after2' is 'before2'}}
  // expected-remark @below {{'result2' is 'before2'}}
  %r2 = scf.while (%b = %p) : (!graph.tensor<16xf32>) -> !graph.tensor<16xf32> {
    scf.condition(%f) %b : !graph.tensor<16xf32>
  } do {
  ^bb0(%x: !graph.tensor<16xf32>):
    scf.yield %a : !graph.tensor<16xf32>
  } attributes {names = ["result2"], args = ["before2", "after2"]}
  graph.return
}

// The blocks of unstructured control flow may stand in any order.
graph.func orchestration @blocks(in %a: !graph.tensor<16xf32>, in %n: index, in %f: i1) {
  // expected-remark @below {{'yielded' is parameter 'n'}}
  %0 = scf.execute_region -> index {
    cf.br ^define
  ^use:
    // expected-remark @below {{'used' is parameter 'n'}}
    %y = graph.alias %x {names = ["used"]} : index
    // expected-remark @below {{'inner' is parameter 'n'}}
    %z = scf.if %f -> index {
      // expected-remark @below {{'nested' is parameter 'n'}}
      %u = graph.alias %x {names = ["nested"]} : index
      scf.yield %u : index
    } else {
      scf.yield %y : index
    } {names = ["inner"]}
    scf.yield %z : index
  ^define:
    // expected-remark @below {{'defined' is parameter 'n'}}
    %x = graph.alias %n {names = ["defined"]} : index
    cf.br ^use
  } {names = ["yielded"]}
  // expected-remark @below {{'after' is parameter 'n'}}
  %1 = graph.alias %0 {names = ["after"]} : index
  // Names that name each other, in code that is never reached.
  scf.execute_region {
    scf.yield
  ^dead:
    // expected-remark @below {{'dead0'}}
    %u = graph.alias %v {names = ["dead0"]} : index
    // expected-remark @below {{'dead1'}}
    %v = graph.alias %u {names = ["dead1"]} : index
    cf.br ^dead
  }
  graph.return
}
