// RUN: pypto-replay --help | FileCheck %s --check-prefix=HELP
// RUN: pypto-replay %s --args=w=iota,o=0,n=3 --print=w,o --compare=false | FileCheck %s --check-prefix=PRINT
// RUN: pypto-replay %s --args=w=2,o=%%w,n=3 --print=w,o --eager | FileCheck %s --check-prefix=SHARED
// RUN: pypto-replay %s --calls=3 --args=n=0:1:2 --statistics | FileCheck %s --check-prefix=CALLS
// RUN: pypto-replay %s --calls=3 --seed=7 --print=o > %t.first
// RUN: pypto-replay %s --calls=3 --seed=7 --print=o > %t.second
// RUN: pypto-replay %s --calls=3 --seed=8 --print=o > %t.third
// RUN: cmp %t.first %t.second
// RUN: not cmp %t.first %t.third
// RUN: pypto-replay %s --entry=dynamic --shape=x=3x5 --args=x=1,o=0 --print=o | FileCheck %s --check-prefix=SHAPE
// RUN: pypto-replay %s --entry=@dynamic --args=x=1,o=0 --print=o | FileCheck %s --check-prefix=DEFAULT
// RUN: pypto-replay %s -o %t.out
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.out
// RUN: pypto-opt %s --emit-bytecode -o %t.mlirbc
// RUN: pypto-replay %t.mlirbc | FileCheck %s --check-prefix=OUT
// RUN: pypto-replay %s --symbolic --order=random | FileCheck %s --check-prefix=OUT

// HELP: Calls a function eagerly and as the runtime records and replays it
// HELP: Exit code: 0 when all calls agree, 1 when one differs or fails, 2 for bad input

// PRINT: %w = 0 1 2 3
// PRINT-NEXT: %o = 3 0 (3 times)
// SHARED: %w = 3 2 (3 times)
// SHARED-NEXT: %o = 3 2 (3 times)
// CALLS: call 0: agrees (1 tasks, 0 replays)
// CALLS: call 1: agrees (1 tasks, 0 replays)
// CALLS: call 2: agrees (1 tasks, 0 replays)
// CALLS: compared in
// SHAPE: %o = 15
// DEFAULT: %o = 64
// OUT: call 0: agrees
// OUT-NEXT: @g recorded

// Bad input: what is wrong, and exit code 2.
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %t.missing 2>&1 | FileCheck %s --check-prefix=E0
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --entry=@none 2>&1 | FileCheck %s --check-prefix=E1
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --entry=@put 2>&1 | FileCheck %s --check-prefix=E2
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --order=sideways 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --order=random:x 2>&1 | FileCheck %s --check-prefix=E3
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --args=q=3 2>&1 | FileCheck %s --check-prefix=E4
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --args=n=many 2>&1 | FileCheck %s --check-prefix=E5
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --args=w=missing.npy 2>&1 | FileCheck %s --check-prefix=E6
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --args=w=%S/Inputs/not-an-array.npy 2>&1 | FileCheck %s --check-prefix=E7
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --args=w=%S/Inputs/int32.npy 2>&1 | FileCheck %s --check-prefix=E8
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --shape=w=0 2>&1 | FileCheck %s --check-prefix=E9
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --shape=w=2x2 2>&1 | FileCheck %s --check-prefix=E10
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --entry=@huge 2>&1 | FileCheck %s --check-prefix=E11
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --args=w=%%o 2>&1 | FileCheck %s --check-prefix=E12
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --symbolic --print=w 2>&1 | FileCheck %s --check-prefix=E13
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --print=w,q 2>&1 | FileCheck %s --check-prefix=E17
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --print=n 2>&1 | FileCheck %s --check-prefix=E18
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --calls=0 2>&1 | FileCheck %s --check-prefix=E19
// RUN: echo "graph.func" | %python %S/Inputs/exit_code.py 2 pypto-replay 2>&1 | FileCheck %s --check-prefix=E14
// RUN: %python %S/Inputs/exit_code.py 1 pypto-replay %s --shape=w=5 2>&1 | FileCheck %s --check-prefix=E15
// RUN: %python %S/Inputs/exit_code.py 1 pypto-replay %s --args=n=4 2>&1 | FileCheck %s --check-prefix=E16
// RUN: %python %S/Inputs/exit_code.py 0 pypto-replay %s --entry=@huge --symbolic
// RUN: %python %S/Inputs/exit_code.py 2 pypto-replay %s --max-bytes=20 2>&1 | FileCheck %s --check-prefix=BYTES0
// RUN: %python %S/Inputs/exit_code.py 1 pypto-replay %s --entry=@allocates --args=o=0 --max-bytes=40 2>&1 | FileCheck %s --check-prefix=BYTES1

// BYTES0: error: '%o' takes 16 bytes
// BYTES1: 'graph.create' allocates 64 bytes, more than the model holds in all
// E0: error: cannot open input file
// E1: error: there is no function '@none' with a body whose parameters are tensors and scalars
// E2: error: there is no function '@put' with a body whose parameters are tensors and scalars
// E3: error: unknown order '{{.*}}', expected program, reverse, random or random:SEED
// E4: error: the entry has no parameter '%q'
// E5: error: 'many' is no integer
// E6: error: cannot read 'missing.npy'
// E7: error: {{.*}} is no .npy file
// E8: error: {{.*}} has elements '<i4', the parameter has f32
// E9: error: 'w=0' is no shape like name=4x5
// E10: error: '%w' is no tensor of that rank
// E11: error: '%w' takes {{.*}} bytes; --symbolic runs without data
// E12: error: '%w' can only share the buffer of an earlier tensor
// E13: error: there is nothing to print of symbolic data
// E14: error: {{.*}}expected the kind of the function
// E17: error: the entry has no tensor parameter '%q'
// E18: error: the entry has no tensor parameter '%n'
// E19: error: --calls must be at least 1
// E15: argument #0 (%w) has extent 5, which its parameter does not allow
// E16: 'graph.slice' takes a window [4, 4 + 1) out of the extent 4 along axis 0

graph.func private incore @put(inout %o: !graph.tensor<1xf32>, in %n: index)
graph.func incore @one(in %w: !graph.tensor<1xf32>, inout %o: !graph.tensor<1xf32>) {
  %x = graph.load %w[0] : !graph.tensor<1xf32> -> tensor<1xf32>
  %c = arith.constant dense<0.0> : tensor<1xf32>
  %y = arith.maximumf %x, %c : tensor<1xf32>
  %three = arith.constant dense<3.0> : tensor<1xf32>
  %z = arith.maximumf %y, %three : tensor<1xf32>
  graph.store %z, %o[0] : tensor<1xf32>, !graph.tensor<1xf32>
  graph.return
}
graph.func graph @g(in %w: !graph.tensor<1xf32>, inout %o: !graph.tensor<1xf32>) {
  graph.call @one(%w, %o) : (!graph.tensor<1xf32>, !graph.tensor<1xf32>) -> ()
  graph.return
}
graph.func orchestration @main(in %w: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>, in %n: index) {
  %a = graph.slice %w[%n] [1] : !graph.tensor<4xf32> to !graph.tensor<1xf32>
  %b = graph.slice %o[0] [1] : !graph.tensor<4xf32> to !graph.tensor<1xf32>
  graph.call @g(%a, %b) : (!graph.tensor<1xf32>, !graph.tensor<1xf32>) -> ()
  graph.return
}

graph.func incore @set(inout %o: !graph.tensor<1xi32>, in %n: i32) {
  %t = tensor.from_elements %n : tensor<1xi32>
  graph.store %t, %o[0] : tensor<1xi32>, !graph.tensor<1xi32>
  graph.return
}
graph.func orchestration @dynamic(in %x: !graph.tensor<?x?xf32>, inout %o: !graph.tensor<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = graph.dim %x, %c0 : !graph.tensor<?x?xf32>
  %k = graph.dim %x, %c1 : !graph.tensor<?x?xf32>
  %p = arith.muli %m, %k : index
  %i = arith.index_cast %p : index to i32
  graph.call @set(%o, %i) : (!graph.tensor<1xi32>, i32) -> ()
  graph.return
}

graph.func private incore @big(inout %w: !graph.tensor<1048576x1048576xf32>)
graph.func orchestration @huge(inout %w: !graph.tensor<1048576x1048576xf32>) {
  graph.call @big(%w) : (!graph.tensor<1048576x1048576xf32>) -> ()
  graph.return
}

// What the arguments and what a call may take is bounded.
graph.func orchestration @allocates(inout %o: !graph.tensor<4xf32>) {
  %a = graph.create : !graph.tensor<16xf32>
  %b = graph.slice %a[0] [1] : !graph.tensor<16xf32> to !graph.tensor<1xf32>
  %c = graph.slice %o[0] [1] : !graph.tensor<4xf32> to !graph.tensor<1xf32>
  graph.call @one(%b, %c) : (!graph.tensor<1xf32>, !graph.tensor<1xf32>) -> ()
  graph.return
}
