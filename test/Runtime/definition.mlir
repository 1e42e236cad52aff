// RUN: split-file %s %t
// RUN: pypto-replay %t/internal.mlir --dump-definition --order-readers --order=random:1 --calls=3 | FileCheck %t/internal.mlir
// RUN: pypto-replay %t/packed.mlir --dump-definition | FileCheck %t/packed.mlir
// RUN: not pypto-replay %t/topology.mlir | FileCheck %t/topology.mlir
// RUN: not pypto-replay %t/blocks.mlir | FileCheck %t/blocks.mlir

// The nodes of a recording and what is frozen in them.

//--- internal.mlir
// CHECK: call 2: agrees
// CHECK: {"definition":0,"function":"g","nodes":6,"scalars":1,"tensors":[{"direction":"input","type":"f32","shape":[4],"strides":[1],"contiguous":true,"buffer_size":64,"alias":0},{"direction":"inout","type":"f32","shape":[4],"strides":[1],"contiguous":true,"buffer_size":16,"alias":1}]}
// CHECK-NEXT: {"definition":0,"node":0,"kind":"alloc","outputs":[32,16]}
// CHECK-NEXT: {"definition":0,"node":1,"kind":"fill","outputs":[16],"tensors":[{"direction":"output","kind":"own_output","output":0,"offset":0,"shape":[4],"strides":[1]}],"scalars":[{"kind":"static","value":"{{.*}}"}],"fan_in":[],"block_count":1}
// A window of a buffer of an earlier node.
// CHECK-NEXT: {"definition":0,"node":2,"kind":"task","kernel":"k","tensors":[{"direction":"input","kind":"boundary_exact","boundary":0},{"direction":"inout","kind":"internal","node":0,"output":0,"offset":4,"shape":[4],"strides":[1]}],"scalars":[],"fan_in":[0],"block_count":1}
// The runtime allocates the omitted parameter.
// CHECK-NEXT: {"definition":0,"node":3,"kind":"task","kernel":"fresh","outputs":[16],"tensors":[{"direction":"input","kind":"internal","node":1,"output":0,"offset":0,"shape":[4],"strides":[1]},{"direction":"output","kind":"own_output","output":0,"offset":0,"shape":[4],"strides":[1]}],"scalars":[{"kind":"boundary","boundary":0}],"fan_in":[1],"block_count":4}
// CHECK-NEXT: {"definition":0,"node":4,"kind":"dummy","tensors":[],"scalars":[],"fan_in":[3],"block_count":1}
// Both a last writer and an explicit dependency.
// CHECK-NEXT: {"definition":0,"node":5,"kind":"task","kernel":"k","tensors":[{"direction":"input","kind":"internal","node":3,"output":0,"offset":0,"shape":[4],"strides":[1]},{"direction":"inout","kind":"boundary_exact","boundary":1}],"scalars":[],"fan_in":[2,3,4],"block_count":1}
graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func private spmd @fresh(in %a: !graph.tensor<4xf32>, in %s: index, out %o: !graph.tensor<4xf32>) -> (%o) attributes {core_num = 4 : i64}
graph.func graph @g(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>, in %s: index) {
  %zero = arith.constant 0.0 : f32
  %t = graph.create : !graph.tensor<8xf32>
  %unused = graph.create : !graph.tensor<4xf32>
  %f = graph.full %zero : !graph.tensor<4xf32>
  %half = graph.slice %t[4] [4] : !graph.tensor<8xf32> to !graph.tensor<4xf32>
  %k = graph.submit @k(%a, %half) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> (!graph.task_id)
  %r, %id = graph.submit @fresh(%f, %s) : (!graph.tensor<4xf32>, index) -> (!graph.tensor<4xf32>, !graph.task_id)
  %d = graph.task_dummy deps(%id : !graph.task_id) : !graph.task_id
  %l = graph.submit @k(%r, %o) deps(%k, %d : !graph.task_id, !graph.task_id)
      : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> (!graph.task_id)
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.muli %i, %c4 : index
    %a = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @g(%a, %o, %i) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> ()
  }
  graph.return
}

//--- packed.mlir
// Allocations of one block go 16 to a node; those of each iteration anew.
// CHECK: "nodes":8,
// CHECK: "node":0,"kind":"alloc","outputs":[4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4]}
// CHECK-NEXT: "node":1,"kind":"alloc","outputs":[4]}
// CHECK-NEXT: "node":2,"kind":"alloc","outputs":[8]}
// CHECK-NEXT: "node":3,"kind":"task"
// CHECK-NEXT: "node":4,"kind":"alloc","outputs":[8]}
// CHECK-NEXT: "node":5,"kind":"task"
// CHECK-NEXT: "node":6,"kind":"alloc","outputs":[8]}
// CHECK-NEXT: "node":7,"kind":"task"
graph.func private incore @k(inout %o: !graph.tensor<?xf32>)
graph.func graph @g(inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t0 = graph.create : !graph.tensor<1xf32>
  %t1 = graph.create : !graph.tensor<1xf32>
  %t2 = graph.create : !graph.tensor<1xf32>
  %t3 = graph.create : !graph.tensor<1xf32>
  %t4 = graph.create : !graph.tensor<1xf32>
  %t5 = graph.create : !graph.tensor<1xf32>
  %t6 = graph.create : !graph.tensor<1xf32>
  %t7 = graph.create : !graph.tensor<1xf32>
  %t8 = graph.create : !graph.tensor<1xf32>
  %t9 = graph.create : !graph.tensor<1xf32>
  %t10 = graph.create : !graph.tensor<1xf32>
  %t11 = graph.create : !graph.tensor<1xf32>
  %t12 = graph.create : !graph.tensor<1xf32>
  %t13 = graph.create : !graph.tensor<1xf32>
  %t14 = graph.create : !graph.tensor<1xf32>
  %t15 = graph.create : !graph.tensor<1xf32>
  %t16 = graph.create : !graph.tensor<1xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %t = graph.create : !graph.tensor<2xf32>
    graph.call @k(%t) : (!graph.tensor<2xf32>) -> ()
  }
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  graph.call @g(%o) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

//--- topology.mlir
// CHECK: because task 3, 'k' {{.*}} got the task itself wrong
// CHECK-NEXT: eager:    launched
// CHECK-NEXT: replayed: not launched
// CHECK-NEXT: rule: the tasks of a recording, and their order, are those of the first call
graph.func private incore @k(inout %o: !graph.tensor<4xf32>)
graph.func graph @g(inout %o: !graph.tensor<4xf32>, in %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    graph.call @k(%o) : (!graph.tensor<4xf32>) -> ()
  }
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  graph.call @g(%o, %c1) : (!graph.tensor<4xf32>, index) -> ()
  graph.call @g(%o, %c1) : (!graph.tensor<4xf32>, index) -> ()
  graph.call @g(%o, %c2) : (!graph.tensor<4xf32>, index) -> ()
  graph.call @g(%o, %c3) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

//--- blocks.mlir
// CHECK: got the block count wrong
// CHECK-NEXT: eager:    2
// CHECK-NEXT: replayed: 1
// CHECK-NEXT: rule: the block count of a task is recorded
graph.func private spmd @k(inout %o: !graph.tensor<4xf32>)
graph.func graph @g(inout %o: !graph.tensor<4xf32>, in %n: index) {
  %t = graph.submit @k(%o) core_num(%n) : (!graph.tensor<4xf32>) -> (!graph.task_id)
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  graph.call @g(%o, %c1) : (!graph.tensor<4xf32>, index) -> ()
  graph.call @g(%o, %c2) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}
