// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-opt %s --inline-functions --split-input-file --verify-diagnostics --allow-unregistered-dialect
// RUN: sed s/inlined/erased/ %s | pypto-opt - --erase-inline-functions --split-input-file --verify-diagnostics --allow-unregistered-dialect
// RUN: pypto-opt %s --graph-legalize-pipeline --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Where nobody knows what is a symbol table the inliner of MLIR would abort, and so would its
// map of the users of symbols.

graph.func inline @nothing() {
  graph.return
}
// expected-error @below {{[graph-missing-property] functions cannot be inlined beside 'some.table', whose dialect is not known}}
// expected-note @below {{it may hold symbols of its own, so what refers to a function is not known}}
// expected-note @below {{load its dialect, or run this pass before it is there}}
"some.table"() ({
  "some.op"() : () -> ()
}) : () -> ()
// Two regions are no symbol table.
"some.other"() ({
  "some.op"() : () -> ()
}, {
}) : () -> ()
