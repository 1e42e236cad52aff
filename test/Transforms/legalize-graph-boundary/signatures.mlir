// RUN: pypto-opt %s --legalize-graph-boundary --split-input-file --verify-diagnostics -o %t.mlir
// RUN: pypto-opt %s --verify-graph-boundary --split-input-file --verify-diagnostics -o /dev/null

// Launches of one function that one run reaches and whose signatures certainly
// differ: extents, strides, buffer sizes, directions, and which tensors are one
// buffer. Each is warned of once, with the launch it is compared with.

!d = !graph.tensor<?x128xf32>
!l = !graph.tensor<64x128xf32>
!w = !graph.tensor<512x128xf32>
!v = !graph.tensor<512x256xf32>
!u = !graph.tensor<256x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !l) -> (%o)
  graph.func graph @shape(in %x: !d, inout %c: !l) {
    graph.call @k(%x, %c) : (!d, !l) -> !l
    graph.return
  }
  graph.func graph @iterations(in %x: !d, inout %c: !l) {
    graph.call @k(%x, %c) : (!d, !l) -> !l
    graph.return
  }
  graph.func graph @strides(in %x: !l, inout %c: !l) {
    %d = graph.cast %x : !l to !d
    graph.call @k(%d, %c) : (!d, !l) -> !l
    graph.return
  }
  graph.func graph @buffers(in %x: !l, inout %c: !l) {
    %d = graph.cast %x : !l to !d
    graph.call @k(%d, %c) : (!d, !l) -> !l
    graph.return
  }
  graph.func graph @directions(in %x: !l, inout %c: !l) {
    %d = graph.cast %x : !l to !d
    graph.call @k(%d, %c) : (!d, !l) -> !l
    graph.return
  }
  graph.func graph @untracked(in %x: !l, inout %c: !l) {
    %d = graph.cast %x : !l to !d
    graph.call @k(%d, %c) : (!d, !l) -> !l
    graph.return
  }
  graph.func graph @partition(in %x: !l, in %y: !w, inout %c: !l) {
    %d = graph.cast %x : !l to !d
    graph.call @k(%d, %c) : (!d, !l) -> !l
    graph.return
  }
  graph.func orchestration @main(in %w: !w, in %x: !w, in %v: !v, in %u: !u, inout %c: !l, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %half = graph.slice %w[0, 0] [64, 128] : !w to !l
    %next = graph.slice %w[64, 0] [64, 128] : !w to !l

    // expected-note @below {{the other launch is here}}
    graph.call @shape(%half, %c) : (!l, !l) -> ()
    // Static knowledge is looked for behind casts.
    %dyn = graph.cast %w : !w to !d
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@shape' does not replay what another launch records: the extents of '%x' are 512x128 here and 64x128 there}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @shape(%dyn, %c) : (!d, !l) -> ()
    // What is not known is not warned of.
    %part = graph.slice %w[0, 0] [%n, 128] : !w to !d
    graph.call @shape(%part, %c) : (!d, !l) -> ()
    graph.call @shape(%next, %c) : (!l, !l) -> ()

    scf.for %i = %c1 to %c4 step %c1 {
      %some = graph.slice %w[0, 0] [%i, 128] : !w to !d
      // expected-warning @below {{[graph-signature-varies] launch of graph function '@iterations' does not replay what it has recorded: an extent of '%x' changes from one iteration to the next}}
      // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
      // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
      graph.call @iterations(%some, %c) : (!d, !l) -> ()
    }

    %own = graph.create : !l
    // expected-note @below {{the other launch is here}}
    graph.call @strides(%half, %c) : (!l, !l) -> ()
    graph.call @strides(%next, %c) : (!l, !l) -> ()
    %wide = graph.slice %v[0, 0] [64, 128] : !v to !l
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@strides' does not replay what another launch records: '%x' is a contiguous tensor there and a strided window here}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @strides(%wide, %c) : (!l, !l) -> ()

    // expected-note @below {{the other launch is here}}
    graph.call @buffers(%half, %c) : (!l, !l) -> ()
    %short = graph.slice %u[0, 0] [64, 128] : !u to !l
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@buffers' does not replay what another launch records: '%x' lies in a buffer of 32768 elements here and of 65536 there}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @buffers(%short, %c) : (!l, !l) -> ()

    // expected-note @below {{the other launch is here}}
    graph.call @directions(input %half, inout %c) : (!l, !l) -> ()
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@directions' does not replay what another launch records: '%x' is passed as no_dep here and as input there}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @directions(no_dep %half, inout %c) : (!l, !l) -> ()

    // expected-note @below {{the other launch is here}}
    graph.call @untracked(%half, %c) {no_dep = array<i64: 0>} : (!l, !l) -> ()
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@untracked' does not replay what another launch records: '%x' is passed with tracking here and as no_dep there}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @untracked(%half, %c) : (!l, !l) -> ()

    // expected-note @below {{the other launch is here}}
    graph.call @partition(%half, %x, %c) : (!l, !w, !l) -> ()
    graph.call @partition(%next, %x, %c) : (!l, !w, !l) -> ()
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@partition' does not replay what another launch records: '%x' and '%y' are windows of one buffer here and not there}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @partition(%half, %w, %c) : (!l, !w, !l) -> ()
    graph.return
  }
}

// -----

// What a function of the host passes on is what its calls pass: each of these
// launches differs, although the operands are the same ones.

!d = !graph.tensor<?x128xf32>
!l = !graph.tensor<64x128xf32>
!s = !graph.tensor<32x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !d) -> (%o)
  graph.func graph @layer(in %x: !d, inout %c: !d) {
    graph.call @k(%x, %c) : (!d, !d) -> !d
    graph.return
  }
  graph.func orchestration @helper(in %x: !d, inout %c: !d) {
    // expected-note @below {{the other launch is here}}
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@layer' does not replay what another launch records: the extents of '%x' are 32x128 here and 64x128 there}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @layer(%x, %c) : (!d, !d) -> ()
    graph.return
  }
  graph.func orchestration @main(in %a: !l, in %b: !s, inout %c: !d) {
    // expected-note @below {{its function is called here}}
    graph.call @helper(%a, %c) : (!l, !d) -> ()
    graph.call @helper(%a, %c) : (!l, !d) -> ()
    // expected-note @below {{its function is called here}}
    graph.call @helper(%b, %c) : (!s, !d) -> ()
    graph.return
  }
}

// -----

// Two entries are two runs, each with recordings of its own. Within a run nothing
// differs here: windows at other places, buffers that take turns, what tasks
// return, tensors that are chosen.

!d = !graph.tensor<?x128xf32>
!l = !graph.tensor<64x128xf32>
!s = !graph.tensor<32x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !d, inout %o: !d) -> (%o)
  graph.func graph @layer(in %x: !d, inout %c: !d) {
    graph.call @k(%x, %c) : (!d, !d) -> !d
    graph.return
  }
  graph.func orchestration @prefill(in %a: !l, inout %c: !l) {
    graph.call @layer(%a, %c) : (!l, !l) -> ()
    graph.return
  }
  graph.func orchestration @decode(in %a: !s, in %b: !s, inout %c: !s, in %f: i1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    graph.call @layer(%a, %c) : (!s, !s) -> ()
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a, %y = %b) -> (!s, !s) {
      graph.call @layer(%x, %c) : (!s, !s) -> ()
      %0 = graph.call @k(%y, %y) : (!s, !s) -> !d
      scf.yield %y, %x : !s, !s
    }
    %chosen = arith.select %f, %r#0, %r#1 : !s
    graph.call @layer(%chosen, %c) : (!s, !s) -> ()
    graph.return
  }
}

// -----

// What a loop carries is another buffer in the next iteration, and known after it.

!t = !graph.tensor<64xf32>
!s = !graph.tensor<16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !graph.tensor<?xf32>, inout %o: !s) -> (%o)
  graph.func graph @carried(in %a: !t, in %b: !s, inout %c: !s) {
    graph.call @k(%a, %c) : (!t, !s) -> !s
    graph.call @k(%b, %c) : (!s, !s) -> !s
    graph.return
  }
  graph.func graph @after(in %a: !t, in %b: !s, inout %c: !s) {
    graph.call @k(%a, %c) : (!t, !s) -> !s
    graph.call @k(%b, %c) : (!s, !s) -> !s
    graph.return
  }
  graph.func graph @apart(in %a: !t, in %b: !s, inout %c: !s) {
    graph.call @k(%a, %c) : (!t, !s) -> !s
    graph.call @k(%b, %c) : (!s, !s) -> !s
    graph.return
  }
  graph.func graph @perhaps(in %a: !t, in %b: !s, inout %c: !s) {
    graph.call @k(%a, %c) : (!t, !s) -> !s
    graph.call @k(%b, %c) : (!s, !s) -> !s
    graph.return
  }
  graph.func graph @fresh(in %a: !t, in %b: !t, inout %c: !s) {
    graph.call @k(%a, %c) : (!t, !s) -> !s
    graph.return
  }
  graph.func orchestration @main(in %x: !t, in %y: !t, inout %c: !s, in %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %w = graph.slice %x[16] [16] : !t to !s
    %swapped:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (!t, !t) {
      // expected-warning @below {{[graph-signature-varies] launch of graph function '@carried' does not replay what it has recorded: '%a' and '%b' are windows of one buffer in the first one and not in a later iteration}}
      // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
      // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
      graph.call @carried(%a, %w, %c) : (!t, !s, !s) -> ()
      // They change places, and always are two.
      %v = graph.slice %b[16] [16] : !t to !s
      graph.call @apart(%a, %v, %c) : (!t, !s, !s) -> ()
      // Whether the first iteration launches is not known.
      %first = arith.cmpi eq, %i, %n : index
      scf.if %first {
        graph.call @perhaps(%a, %w, %c) : (!t, !s, !s) -> ()
      }
      scf.yield %b, %a : !t, !t
    }
    // expected-note @below {{the other launch is here}}
    graph.call @after(%x, %w, %c) : (!t, !s, !s) -> ()
    graph.call @after(%swapped#1, %w, %c) : (!t, !s, !s) -> ()
    // Swapped three times.
    // expected-warning @below {{[graph-signature-varies] launch of graph function '@after' does not replay what another launch records: '%a' and '%b' are windows of one buffer there and not here}}
    // expected-note @below {{the runtime runs a launch whose signature differs as ordinary tasks}}
    // expected-note @below {{pass tensors of one shape and layout, or use two graph functions}}
    graph.call @after(%swapped#0, %w, %c) : (!t, !s, !s) -> ()
    // How often it runs is not known.
    scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (!t, !t) {
      graph.call @perhaps(%a, %w, %c) : (!t, !s, !s) -> ()
      scf.yield %b, %a : !t, !t
    }
    // A buffer of its own in every iteration, and that of the one before.
    scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (!t) {
      %own = graph.create : !t
      graph.call @fresh(%a, %own, %c) : (!t, !t, !s) -> ()
      scf.yield %own : !t
    }
    graph.return
  }
}
