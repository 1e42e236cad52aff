// RUN: pypto-opt --erase-inline-functions -split-input-file %s | FileCheck %s
// RUN: pypto-opt --erase-inline-functions -split-input-file --mlir-pass-statistics %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// Nothing calls it: gone, public or private. Functions of other kinds stay.

// STATS: (S) 2 erased-functions
// STATS: (S) 0 erased-functions
// STATS: (S) 0 erased-functions
// STATS: (S) 2 erased-functions
// CHECK-NOT: @public_inline
// CHECK-NOT: @private_inline
// CHECK: graph.func opaque @uncalled()
// CHECK: graph.func private incore @declared
graph.func inline @public_inline(inout %t: !graph.tensor<4xf32>) {
  graph.scope graph "g" {
  }
  graph.return
}
graph.func private inline @private_inline() {
  graph.return
}
graph.func opaque @uncalled() {
  graph.return
}
graph.func private incore @declared(inout %t: !graph.tensor<4xf32>)

// -----

// One that is still called stays, and so does what only that one calls.

// CHECK: graph.func private inline @leaf
// CHECK: graph.func inline @called
// CHECK: graph.call @called
graph.func private inline @leaf(inout %t: !graph.tensor<4xf32>) {
  graph.return
}
graph.func inline @called(inout %t: !graph.tensor<4xf32>) {
  graph.call @leaf(%t) : (!graph.tensor<4xf32>) -> ()
  graph.return
}
graph.func orchestration @main(inout %t: !graph.tensor<4xf32>) {
  graph.call @called(%t) : (!graph.tensor<4xf32>) -> ()
  graph.return
}

// -----

// A reference that is no call counts as well.

// CHECK: graph.func inline @named
graph.func inline @named() {
  graph.return
}
module attributes {test.names = @named} {}

// -----

// A chain of calls that nothing starts goes as a whole.

// CHECK-NOT: @second
// CHECK-NOT: @first
graph.func inline @second() {
  graph.return
}
graph.func inline @first() {
  graph.call @second() : () -> ()
  graph.return
}
