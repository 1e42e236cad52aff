// RUN: pypto-opt --graph-legalize-pipeline %s -o %t.mlir
// RUN: pypto-replay %t.mlir --print=o --args=o=0,n=1:2 --calls=2 | FileCheck %s
// RUN: pypto-replay %t.mlir --print=o --args=o=0,n=1:2 --calls=2 --eager | FileCheck %s
// RUN: pypto-replay %s --print=o --args=o=0,n=1:2 --calls=2 --eager | FileCheck %s
// RUN: not pypto-opt --graph-legalize-pipeline %S/Inputs/widest-loop.mlir 2>&1 | FileCheck %s --check-prefix=WIDEST

// Every iteration of a loop that spans more than half of its type stays: three and
// three and one and one, at both launches of two calls.

// CHECK: %o = 32

// LD21, where canonicalization comes first.
// WIDEST: error: [graph-too-many-nodes] {{.*}}18446744073709551615

!t = !graph.tensor<1xi32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func incore @count(inout %o: !t) {
    %one = arith.constant dense<1> : tensor<1xi32>
    %0 = graph.load %o[0] : !t -> tensor<1xi32>
    %1 = arith.addi %0, %one : tensor<1xi32>
    graph.store %1, %o[0] : tensor<1xi32>, !t
    graph.return
  }
  graph.func graph @layer(inout %o: !t, in %n: index) {
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %step = arith.constant 100 : i8
    scf.for %i = %low to %high step %step : i8 {
      graph.call @count(%o) : (!t) -> ()
    }
    %zero = arith.constant 0 : i8
    %most = arith.constant -1 : i8
    scf.for unsigned %i = %zero to %most step %step : i8 {
      graph.call @count(%o) : (!t) -> ()
    }
    %one = arith.constant 1 : i8
    scf.for unsigned %i = %zero to %one step %most : i8 {
      graph.call @count(%o) : (!t) -> ()
    }
    %false = arith.constant false
    %true = arith.constant true
    scf.for unsigned %i = %false to %true step %true : i1 {
      graph.call @count(%o) : (!t) -> ()
    }
    graph.return
  }
  graph.func orchestration @main(inout %o: !t, in %n: index) {
    graph.call @layer(%o, %n) : (!t, index) -> ()
    graph.call @layer(%o, %n) : (!t, index) -> ()
    graph.return
  }
}
