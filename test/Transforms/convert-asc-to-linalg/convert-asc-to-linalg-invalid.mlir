// RUN: pypto-opt %s --convert-asc-to-linalg -split-input-file -verify-diagnostics

func.func @foreign(%x: tensor<8xf32>) -> tensor<8xui8> {
  // expected-note @+1 {{the value is made here}}
  %0 = asc.cast "Cast_0" %x : tensor<8xf32> to tensor<8xui8>
  // expected-error @+1 {{[asc-unsupported] 'func.return' takes an unsigned value or an i1 tile of a node}}
  return %0 : tensor<8xui8>
}
