// A pass that breaks what an earlier one produced is named; one that may is not.

// RUN: not pypto-opt --verify-properties --derive-call-directions --test-break-property %s 2>&1 | FileCheck %s --check-prefix=DIRECTIONS
// RUN: not pypto-opt --verify-properties --normalize-returns --test-break-property=what=returns %s 2>&1 | FileCheck %s --check-prefix=RETURNS
// RUN: not pypto-opt --verify-properties --pass-pipeline='builtin.module(derive-call-directions,graph.func(canonicalize,cse),test-break-property)' %s 2>&1 | FileCheck %s --check-prefix=DIRECTIONS

// Without the flag, and when the properties are never produced, nothing is checked.
// RUN: pypto-opt --derive-call-directions --test-break-property %s | FileCheck %s
// RUN: pypto-opt --verify-properties --test-break-property %s | FileCheck %s
// RUN: pypto-opt --verify-properties --inline --normalize-returns --derive-call-directions --canonicalize --cse --legalize-graph-boundary --canonicalize --cse --symbol-dce %s -o %t
// RUN: pypto-opt --inline --normalize-returns --derive-call-directions --canonicalize --cse --legalize-graph-boundary --canonicalize --cse --symbol-dce %s | diff - %t

// What runs on nested modules says nothing of the outer one.
// RUN: pypto-opt --verify-properties --pass-pipeline='builtin.module(builtin.module(canonicalize,derive-call-directions))' %s | FileCheck %s

// RUN: not pypto-opt --check-properties=properties=NoSuchProperty %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pypto-opt --verify-properties %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING

// DIRECTIONS: error: [graph-missing-directions] call of '@k' in function '@layer'
// DIRECTIONS: error: [graph-missing-directions] call of '@layer' in function '@main'
// DIRECTIONS: error: [graph-broken-property] 'test-break-property' broke the property CallDirectionsResolved
// DIRECTIONS-NOT: graph-broken-property


// RETURNS: error: [graph-missing-property] the property ReturnParamsExplicit does not hold: result #0 of function '@layer' is the parameter '%c' but is returned under another name
// RETURNS: error: [graph-broken-property] 'test-break-property' broke the property ReturnParamsExplicit

// UNKNOWN: error: check-properties: unknown property 'NoSuchProperty'
// MISSING: No such file or directory

// CHECK: module

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(inout %c: !graph.tensor<64xf32>) -> (%c)
  graph.func graph @layer(inout %c: !graph.tensor<64xf32>) -> (%c) {
    %0 = graph.call @k(%c) : (!graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return %0 : !graph.tensor<64xf32>
  }
  graph.func orchestration @main(inout %c: !graph.tensor<64xf32>) -> (%c) {
    %0 = graph.call @layer(%c) : (!graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return %0 : !graph.tensor<64xf32>
  }
}
