// An expectation that is not met fails the run.
// RUN: not pypto-opt %s --verify-diagnostics 2>&1 | FileCheck %s
// CHECK: error: expected error "something" was not produced
func.func @f() {
  return // expected-error {{something}}
}
