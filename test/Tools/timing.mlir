// RUN: pypto-opt %s --canonicalize --mlir-timing --mlir-timing-display=list -o /dev/null 2>&1 | FileCheck %s
// RUN: pypto-opt %s --cse --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS
// CHECK: Execution time report
// CHECK: Canonicalizer
// STATS: Pass statistics report
// STATS: CSE
// STATS: num-cse'd
func.func @f() {
  return
}
