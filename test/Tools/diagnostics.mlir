// RUN: pypto-opt %s --split-input-file --verify-diagnostics
// RUN: not pypto-opt %s --split-input-file 2>&1 | FileCheck %s

// Each chunk is a module of its own: an error in one leaves the others alone.

func.func @first() {
  // CHECK: diagnostics.mlir:[[#@LINE+2]]:3: error: 'func.call' op 'missing' does not reference a valid function
  // expected-error @below {{'missing' does not reference a valid function}}
  call @missing() : () -> ()
  return
}

// -----

func.func @second() {
  return
}

// -----

// CHECK: diagnostics.mlir:[[#@LINE+2]]:23: error: operation being parsed with an unregistered dialect
func.func @third() {
  "no_such_dialect.op"() : () -> () // expected-error {{unregistered dialect}}
  return
}
