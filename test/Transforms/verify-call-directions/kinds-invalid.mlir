// RUN: not pypto-opt --split-input-file %s 2>&1 | FileCheck %s
// RUN: not pypto-opt --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=0 --verify-call-directions --split-input-file %s 2>&1 | FileCheck %s --check-prefix=PASS

// The dialect refuses what no callee would take; the verifier has the same
// checks for modules that were built without.

// CHECK: error: {{.*}}has 1 directions for 2 operands
// PASS: error: [graph-wrong-direction] call of '@k' in function '@VC04' has 1 directions for 2 arguments and 2 parameters
!t = !graph.tensor<64xf32>
graph.func private incore @k(in %x: !t, in %s: index)
graph.func orchestration @VC04(in %x: !t, in %s: index) {
  "graph.call"(%x, %s) {callee = @k, arg_directions = [#graph.arg_dir<input>]} : (!t, index) -> ()
  graph.return
}

// -----

// CHECK: error: {{.*}}operand #0 is a tensor but its direction is 'scalar'
// PASS: error: [graph-wrong-direction] call of '@k' in function '@VC05': argument #0 is a tensor but its direction is 'scalar'
// PASS: error: [graph-wrong-direction] call of '@k' in function '@VC05': argument #1 is no tensor but its direction is 'input'
!t = !graph.tensor<64xf32>
graph.func private incore @k(in %x: !t, in %s: index)
graph.func orchestration @VC05(in %x: !t, in %s: index) {
  graph.call @k(scalar %x, input %s) : (!t, index) -> ()
  graph.return
}

// -----

// CHECK: error: {{.*}}operand #1 is no tensor but its direction is 'input'
// PASS: error: [graph-wrong-direction] call of '@k' in function '@VC06': argument #1 is no tensor but its direction is 'input'
!t = !graph.tensor<64xf32>
graph.func private incore @k(in %x: !t, in %s: index)
graph.func orchestration @VC06(in %x: !t, in %s: index) {
  graph.call @k(input %x, input %s) : (!t, index) -> ()
  graph.return
}

// -----

// CHECK: error: {{.*}}argument #0 has direction 'output', but parameter '%x'
// PASS: error: [graph-wrong-direction] call of '@k' in function '@VC07': argument #0 has direction 'output', but parameter '%x' is 'in'
// PASS: note: it is declared here
// PASS: error: [graph-wrong-direction] submit of '@k' in function '@VC07': argument #0 has direction 'inout', but parameter '%x' is 'in'
!t = !graph.tensor<64xf32>
graph.func private incore @k(in %x: !t)
graph.func orchestration @VC07(in %x: !t) {
  graph.call @k(output %x) : (!t) -> ()
  %0 = graph.submit @k(inout %x) : (!t) -> (!graph.task_id)
  graph.return
}

// -----

// CHECK: error: {{.*}}argument #0 has direction 'input', but parameter '%x'
// PASS: error: [graph-wrong-direction] call of '@k' in function '@VC08_VC09': argument #0 has direction 'input', but parameter '%x' is 'inout'
// PASS: error: [graph-wrong-direction] call of '@k' in function '@VC08_VC09': argument #0 has direction 'output_existing', but parameter '%x' is 'inout'
// PASS: error: [graph-wrong-direction] call of '@ko' in function '@VC08_VC09': argument #0 has direction 'input', but parameter '%x' is 'out'
!t = !graph.tensor<64xf32>
graph.func private incore @k(inout %x: !t)
graph.func private incore @ko(out %x: !t)
graph.func orchestration @VC08_VC09(inout %x: !t) {
  graph.call @k(input %x) : (!t) -> ()
  graph.call @k(output_existing %x) : (!t) -> ()
  graph.call @ko(input %x) : (!t) -> ()
  graph.return
}

// -----

// CHECK: error: {{.*}}has 0 directions for 2 operands
// PASS: error: [graph-missing-directions] call of '@k' in function '@VC03'
!t = !graph.tensor<64xf32>
graph.func private incore @k(in %x: !t, in %s: index)
graph.func orchestration @VC03(in %x: !t, in %s: index) {
  "graph.call"(%x, %s) {callee = @k, arg_directions = [], no_dep = array<i64: 1>} : (!t, index) -> ()
  graph.return
}

// -----

// CHECK: error: {{.*}}passes 1 arguments, but '@k' has 2 parameters
// PASS: error: [graph-missing-directions] call of '@k' in function '@DD50'
!t = !graph.tensor<64xf32>
graph.func private incore @k(in %x: !t, in %s: index)
graph.func orchestration @DD50(in %x: !t) {
  graph.call @k(%x) : (!t) -> ()
  graph.return
}

// -----

// CHECK: error: {{.*}}no_dep index 1 names an operand that is no tensor
// PASS: error: [graph-missing-directions] call of '@k' in function '@DD47'
!t = !graph.tensor<64xf32>
graph.func private incore @k(in %x: !t, in %s: index)
graph.func orchestration @DD47(in %x: !t, in %s: index) {
  graph.call @k(%x, %s) {no_dep = array<i64: 1>} : (!t, index) -> ()
  graph.return
}
