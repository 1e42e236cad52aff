!t = !graph.tensor<1xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %o: !t)
  graph.func graph @layer(inout %o: !t) {
    %low = arith.constant -9223372036854775808 : index
    %high = arith.constant 9223372036854775807 : index
    %step = arith.constant 1 : index
    scf.for %i = %low to %high step %step {
      graph.call @k(%o) : (!t) -> ()
    }
    graph.return
  }
}
