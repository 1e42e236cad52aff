// RUN: split-file %s %t
// RUN: pypto-replay %t/chain.mlir --order=reverse
// RUN: pypto-replay %t/chain.mlir --order=random:1
// RUN: pypto-replay %t/chain.mlir --order=random:2 --calls=4
// RUN: pypto-replay %t/no-dep.mlir
// RUN: not pypto-replay %t/no-dep.mlir --order=reverse | FileCheck %t/no-dep.mlir
// RUN: pypto-replay %t/output-existing.mlir
// RUN: not pypto-replay %t/output-existing.mlir --order=reverse | FileCheck %t/output-existing.mlir
// RUN: pypto-replay %t/output-existing.mlir --order=reverse --order-readers
// RUN: not pypto-replay %t/reader.mlir --order=reverse | FileCheck %t/reader.mlir
// RUN: pypto-replay %t/reader.mlir --order=reverse --order-readers
// RUN: pypto-replay %t/manual.mlir --entry=@ordered --order=reverse
// RUN: not pypto-replay %t/manual.mlir --entry=@forgotten --order=reverse | FileCheck %t/manual.mlir
// RUN: pypto-replay %t/manual.mlir --entry=@around --order=reverse
// RUN: pypto-replay %t/graphs.mlir --order=reverse --calls=2
// RUN: pypto-replay %t/graphs.mlir --order=random:5 --calls=8
// RUN: pypto-replay %t/fresh.mlir --order=reverse --calls=2
// RUN: pypto-replay %t/fresh.mlir --order=random:3 --calls=4
// RUN: pypto-replay %t/gate.mlir --order=reverse --order-readers
// RUN: pypto-replay %t/moving.mlir --entry=@reader --order=reverse --order-readers
// RUN: pypto-replay %t/moving.mlir --entry=@writer
// RUN: not pypto-replay %t/moving.mlir --entry=@writer --order=reverse --order-readers | FileCheck %t/moving.mlir

// Tasks run in any order that their dependencies allow.

//--- chain.mlir
// Producers and consumers, in graphs and outside; disjoint windows are free.
graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func private incore @all(in %a: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(inout %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %t = graph.create : !graph.tensor<4xf32>
  %a = graph.slice %w[0] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
  %b = graph.slice %w[4] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
  graph.call @k(%a, %t) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.call @k(%t, %b) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.call @all(%w, %o) : (!graph.tensor<16xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(inout %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %n = arith.muli %i, %c4 : index
    %s = graph.slice %w[%n] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @k(%o, %s) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
    graph.call @g(%w, %o) : (!graph.tensor<16xf32>, !graph.tensor<4xf32>) -> ()
    %x = graph.read %o[1] : !graph.tensor<4xf32>
  }
  graph.call @all(%w, %o) : (!graph.tensor<16xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}

//--- no-dep.mlir
// CHECK: first difference: %o[0]
// CHECK-NEXT: because nothing orders 'a' at {{.*}}:[[@LINE+6]]:3 before 'b' at {{.*}}:[[@LINE+7]]:3
// CHECK-NEXT: both touch f32[4] at element 0 of %w
// CHECK-NEXT: rule: tasks are ordered after the last writers of what they read or update, and after nothing else
graph.func private incore @a(inout %o: !graph.tensor<4xf32>)
graph.func private incore @b(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func orchestration @main(inout %w: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.call @a(%w) : (!graph.tensor<4xf32>) -> ()
  graph.call @b(no_dep %w, inout %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}

//--- output-existing.mlir
// A task that only writes does not wait for earlier writers.
// CHECK: because nothing orders 'a' {{.*}} before 'b'
graph.func private incore @a(in %a: !graph.tensor<4xf32>, out %o: !graph.tensor<4xf32>)
graph.func private incore @b(in %a: !graph.tensor<4xf32>, out %o: !graph.tensor<4xf32>)
graph.func orchestration @main(in %w: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.call @a(%w, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.call @b(%w, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}

//--- reader.mlir
// Nor does any task wait for earlier readers.
// CHECK: because nothing orders 'read' {{.*}} before 'update'
graph.func private incore @read(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func private incore @update(inout %a: !graph.tensor<4xf32>)
graph.func orchestration @main(inout %w: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.call @read(%w, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.call @update(%w) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

//--- manual.mlir
// In a manual scope only explicit dependencies order its tasks; what stands
// around it is ordered with it as ever.
// CHECK: because nothing orders 'a' {{.*}} before 'b'
// CHECK: rule: in a manual scope only explicit dependencies order its tasks
graph.func private incore @a(inout %o: !graph.tensor<4xf32>)
graph.func private incore @b(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func orchestration @ordered(inout %w: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.scope manual {
    %t = graph.submit @a(%w) : (!graph.tensor<4xf32>) -> (!graph.task_id)
    %none = graph.array.create : !graph.array<2 x !graph.task_id>
    %ts = graph.array.insert %t, %none[1] : !graph.array<2 x !graph.task_id>
    %d = graph.task_dummy deps(%ts : !graph.array<2 x !graph.task_id>) : !graph.task_id
    %u = graph.submit @b(%w, %o) deps(%d : !graph.task_id) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> (!graph.task_id)
  }
  graph.return
}
graph.func orchestration @forgotten(inout %w: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.scope manual {
    %t = graph.submit @a(%w) : (!graph.tensor<4xf32>) -> (!graph.task_id)
    %u = graph.submit @b(%w, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> (!graph.task_id)
  }
  graph.return
}
graph.func orchestration @around(inout %w: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.call @a(%w) : (!graph.tensor<4xf32>) -> ()
  graph.scope manual {
    %t = graph.submit @b(%w, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> (!graph.task_id)
  }
  graph.call @a(%o) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

//--- graphs.mlir
// A graph launch is ordered as a whole by its boundary: the second one updates
// `%tmp` only when the first one has read it.
graph.func private incore @make(in %a: !graph.tensor<4xf32>, out %t: !graph.tensor<4xf32>, in %i: index)
graph.func private incore @use(in %t: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %a: !graph.tensor<4xf32>, inout %tmp: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>, in %i: index) {
  graph.call @make(%a, %tmp, %i) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> ()
  graph.call @use(%tmp, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tmp = graph.create : !graph.tensor<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    graph.call @g(%a, %tmp, %o, %i) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> ()
  }
  graph.return
}

//--- fresh.mlir
// What made a boundary tensor is a task outside: the launch waits for it as a
// whole, no node does.
graph.func private incore @make(in %a: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>)
graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @g(in %t: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%t, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%a, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  %t = graph.call @make(%o) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  graph.call @g(%t, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}

//--- gate.mlir
// The gate of a predicate is read.
graph.func private incore @k(inout %o: !graph.tensor<4xf32>)
graph.func private incore @change(inout %g: !graph.tensor<4xi32>)
graph.func graph @g(inout %o: !graph.tensor<4xf32>, inout %gate: !graph.tensor<4xi32>) {
  %c1 = arith.constant 1 : i32
  %t = graph.submit @k(%o) predicate(%gate[0] gt %c1 : !graph.tensor<4xi32>)
      : (!graph.tensor<4xf32>) -> !graph.task_id
  graph.call @change(%gate) : (!graph.tensor<4xi32>) -> ()
  graph.return
}
graph.func orchestration @main(inout %o: !graph.tensor<4xf32>, inout %gate: !graph.tensor<4xi32>) {
  %c1 = arith.constant 1 : i32
  %t = graph.submit @k(%o) predicate(%gate[0] gt %c1 : !graph.tensor<4xi32>)
      : (!graph.tensor<4xf32>) -> !graph.task_id
  graph.call @change(%gate) : (!graph.tensor<4xi32>) -> ()
  graph.call @g(%o, %gate) : (!graph.tensor<4xf32>, !graph.tensor<4xi32>) -> ()
  graph.return
}

//--- moving.mlir
// Windows that are apart when they are recorded and meet later. That a writer
// waits for earlier readers comes from the program, so it holds; that a reader
// waits for earlier writers comes from the recording, which is of the first call:
// the passes refuse the graph (`graph-stale-dependency`).
graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
graph.func graph @read_first(inout %fixed: !graph.tensor<4xf32>, inout %moving: !graph.tensor<4xf32>,
                             inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%moving, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.call @k(%fixed, %fixed) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func graph @write_first(inout %fixed: !graph.tensor<4xf32>, inout %moving: !graph.tensor<4xf32>,
                              inout %o: !graph.tensor<4xf32>) {
  graph.call @k(%fixed, %fixed) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.call @k(%moving, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @reader(inout %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %fixed = graph.slice %w[8] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
  scf.for %i = %c4 to %c12 step %c4 {
    %moving = graph.slice %w[%i] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @read_first(%fixed, %moving, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  }
  graph.return
}
// CHECK: because nothing orders
graph.func orchestration @writer(inout %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %fixed = graph.slice %w[8] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
  scf.for %i = %c4 to %c12 step %c4 {
    %moving = graph.slice %w[%i] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @write_first(%fixed, %moving, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  }
  graph.return
}
