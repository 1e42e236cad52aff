// RUN: not pypto-replay %s --entry=@divide --args=n=0 | FileCheck %s --check-prefix=DIVIDE
// RUN: pypto-replay %s --entry=@divide --args=n=2
// RUN: not pypto-replay %s --entry=@overflow | FileCheck %s --check-prefix=OVERFLOW
// RUN: not pypto-replay %s --entry=@shift --args=n=64 | FileCheck %s --check-prefix=SHIFT
// RUN: not pypto-replay %s --entry=@step --args=n=0 | FileCheck %s --check-prefix=STEP
// RUN: not pypto-replay %s --entry=@step --args=n=-1 | FileCheck %s --check-prefix=STEP
// RUN: not pypto-replay %s --entry=@window --args=n=5 | FileCheck %s --check-prefix=WINDOW
// RUN: not pypto-replay %s --entry=@window --args=n=-1 | FileCheck %s --check-prefix=WINDOW
// RUN: not pypto-replay %s --entry=@empty --args=n=0 | FileCheck %s --check-prefix=EMPTY
// RUN: not pypto-replay %s --entry=@view --args=n=3 | FileCheck %s --check-prefix=VIEW
// RUN: not pypto-replay %s --entry=@gaps | FileCheck %s --check-prefix=GAPS
// RUN: not pypto-replay %s --entry=@cast --shape=d=5 | FileCheck %s --check-prefix=CAST
// RUN: not pypto-replay %s --entry=@read --args=n=8 | FileCheck %s --check-prefix=READ
// RUN: not pypto-replay %s --entry=@dim --args=n=1 | FileCheck %s --check-prefix=DIM
// RUN: not pypto-replay %s --entry=@array --args=n=4 | FileCheck %s --check-prefix=ARRAY
// RUN: not pypto-replay %s --entry=@create --args=n=-3 | FileCheck %s --check-prefix=CREATE
// RUN: not pypto-replay %s --entry=@create --args=n=4000000000000 | FileCheck %s --check-prefix=HUGE
// RUN: not pypto-replay %s --entry=@create --args=n=9000000000000000000 | FileCheck %s --check-prefix=BYTES
// RUN: not pypto-replay %s --entry=@tile --args=n=2 | FileCheck %s --check-prefix=TILE
// RUN: not pypto-replay %s --entry=@float | FileCheck %s --check-prefix=FLOAT
// RUN: not pypto-replay %s --entry=@endless --max-steps=1000 | FileCheck %s --check-prefix=ENDLESS
// RUN: not pypto-replay %s --entry=@recursion | FileCheck %s --check-prefix=RECURSION
// RUN: not pypto-replay %s --entry=@wrapped | FileCheck %s --check-prefix=WRAPPED
// RUN: not pypto-replay %s --entry=@unknown | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pypto-replay %s --entry=@blocks --args=n=0 | FileCheck %s --check-prefix=BLOCKS
// RUN: not pypto-replay %s --entry=@missing | FileCheck %s --check-prefix=MISSING

// Whatever is not defined is an error with a location.

graph.func orchestration @divide(in %n: index) {
  %c1 = arith.constant 1 : index
  // DIVIDE: the program fails: {{.*}}undefined.mlir:[[@LINE+1]]:8: 'arith.divsi' divides by zero
  %d = arith.divsi %c1, %n : index
  graph.return
}

graph.func orchestration @overflow() {
  %min = arith.constant -128 : i8
  %one = arith.constant -1 : i8
  // OVERFLOW: undefined.mlir:[[@LINE+1]]:8: 'arith.remsi' overflows in a signed division
  %d = arith.remsi %min, %one : i8
  graph.return
}

graph.func orchestration @shift(in %n: i64) {
  // SHIFT: 'arith.shli' shifts by at least the width
  %d = arith.shli %n, %n : i64
  graph.return
}

graph.func orchestration @step(in %n: index) {
  %c0 = arith.constant 0 : index
  // STEP: 'scf.for' steps by {{0|-1}}, which is not positive
  scf.for %i = %c0 to %c0 step %n {
  }
  graph.return
}

graph.func orchestration @window(in %n: index, in %w: !graph.tensor<8xf32>) {
  // WINDOW: 'graph.slice' takes a window [{{5|-1}}, {{5|-1}} + 4) out of the extent 8 along axis 0
  // WINDOW-NEXT: rule: a view must lie inside its buffer
  %s = graph.slice %w[%n] [4] : !graph.tensor<8xf32> to !graph.tensor<4xf32>
  graph.return
}

graph.func orchestration @empty(in %n: index, in %w: !graph.tensor<8xf32>) {
  // EMPTY: 'graph.slice' takes a window without elements: size 0 along axis 0
  // EMPTY-NEXT: rule: a zero-sized view is a fatal error
  %s = graph.slice %w[0] [%n] : !graph.tensor<8xf32> to !graph.tensor<?xf32>
  graph.return
}

graph.func orchestration @view(in %n: index, in %w: !graph.tensor<8xf32>) {
  // VIEW: 'graph.view' takes 6 elements of a tensor of 8
  %s = graph.view %w [2, %n] : !graph.tensor<8xf32> to !graph.tensor<2x?xf32>
  graph.return
}

graph.func orchestration @gaps(in %w: !graph.tensor<4x4xf32>) {
  %half = graph.slice %w[0, 0] [4, 2] : !graph.tensor<4x4xf32> to !graph.tensor<4x2xf32>
  // The unit extent is no obstacle.
  %fine = graph.view %half [2, 1, 2, 2] : !graph.tensor<4x2xf32> to !graph.tensor<2x1x2x2xf32>
  // GAPS: undefined.mlir:[[@LINE+1]]:8: 'graph.view' reshapes a window whose elements do not follow each other
  %s = graph.view %half [8] : !graph.tensor<4x2xf32> to !graph.tensor<8xf32>
  graph.return
}

graph.func orchestration @cast(in %d: !graph.tensor<?xf32>) {
  // CAST: 'graph.cast' claims extent 4 along axis 0, which is 5
  %s = graph.cast %d : !graph.tensor<?xf32> to !graph.tensor<4xf32>
  graph.return
}

graph.func orchestration @read(in %n: index, in %w: !graph.tensor<8xf32>) {
  // READ: 'graph.read' takes element 8 along axis 0, whose extent is 8
  %s = graph.read %w[%n] : !graph.tensor<8xf32>
  graph.return
}

graph.func orchestration @dim(in %n: index, in %w: !graph.tensor<8xf32>) {
  // DIM: 'graph.dim' takes extent 1 of a tensor of rank 1
  %s = graph.dim %w, %n : !graph.tensor<8xf32>
  graph.return
}

graph.func orchestration @array(in %n: index) {
  %a = graph.array.create : !graph.array<4 x index>
  // ARRAY: 'graph.array.extract' takes element 4 of an array of 4
  %s = graph.array.extract %a[%n] : !graph.array<4 x index>
  graph.return
}

graph.func orchestration @create(in %n: index) {
  // CREATE: 'graph.create' allocates a buffer with extent -3
  // HUGE: 'graph.create' allocates 16000000000000 bytes, more than the model holds
  // BYTES: 'graph.create' allocates a buffer of more bytes than there are
  %s = graph.create(%n) : !graph.tensor<?xf32>
  graph.return
}

graph.func incore @half(in %w: !graph.tensor<4xf32>, in %n: index) {
  // TILE: 'graph.load' moves a tile [2, 2 + 3) along axis 0 of a tensor with extent 4
  %x = graph.load %w[%n] : !graph.tensor<4xf32> -> tensor<3xf32>
  graph.return
}
graph.func orchestration @tile(in %n: index, in %w: !graph.tensor<4xf32>) {
  graph.call @half(%w, %n) : (!graph.tensor<4xf32>, index) -> ()
  graph.return
}

graph.func orchestration @float() {
  %big = arith.constant 1.0e20 : f32
  // FLOAT: 'arith.fptosi' converts a float that no integer of the type is near to
  %i = arith.fptosi %big : f32 to i64
  graph.return
}

graph.func orchestration @endless() {
  %true = arith.constant true
  // ENDLESS: 'scf.while' runs for more than 1000 iterations and calls
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  graph.return
}

graph.func orchestration @recursion() {
  graph.call @back() : () -> ()
  graph.return
}
graph.func orchestration @back() {
  // RECURSION: 'graph.call' is nested in 1024 calls
  graph.call @recursion() : () -> ()
  graph.return
}

graph.func group @self(inout %w: !graph.tensor<4xf32>) {
  // WRAPPED: 'graph.call' is nested in 64 kernels
  graph.call @self(%w) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @wrapped(inout %w: !graph.tensor<4xf32>) {
  graph.call @self(%w) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

graph.func orchestration @unknown() {
  // UNKNOWN: 'ub.poison' is not interpreted
  %x = ub.poison : index
  graph.return
}

graph.func private spmd @k(inout %w: !graph.tensor<4xf32>)
graph.func orchestration @blocks(inout %w: !graph.tensor<4xf32>, in %n: index) {
  // BLOCKS: 'graph.submit' launches 0 blocks
  %t = graph.submit @k(%w) core_num(%n) : (!graph.tensor<4xf32>) -> (!graph.task_id)
  graph.return
}

graph.func private opaque @declared(inout %w: !graph.tensor<4xf32>)
graph.func orchestration @missing(inout %w: !graph.tensor<4xf32>) {
  // MISSING: 'graph.call' calls '@declared', which runs on the host and has no body
  graph.call @declared(%w) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
