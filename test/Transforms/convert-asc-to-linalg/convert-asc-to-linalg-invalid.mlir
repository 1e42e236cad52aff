// RUN: pypto-opt %s --convert-asc-to-linalg -split-input-file -verify-diagnostics

// All of a module is reported, and it stays as it was.
func.func @tiny(%x: tensor<8xf32>) {
  // expected-error @+2 {{[asc-unsupported] 'asc.cast' on an 8-bit floating type cannot be lowered}}
  // expected-note @+1 {{only the interpreter of kernels knows the type}}
  %0 = asc.cast "Cast_0" %x : tensor<8xf32> to tensor<8xf8E5M2>
  // expected-error @+2 {{[asc-unsupported] 'asc.cast' on an 8-bit floating type cannot be lowered}}
  // expected-note @+1 {{only the interpreter of kernels knows the type}}
  %1 = asc.cast "Cast_1" %0 : tensor<8xf8E5M2> to tensor<8xf32>
  return
}

// -----

func.func @foreign(%x: tensor<8xf32>) -> tensor<8xui8> {
  // expected-note @+1 {{the value is made here}}
  %0 = asc.cast "Cast_0" %x : tensor<8xf32> to tensor<8xui8>
  // expected-error @+1 {{[asc-unsupported] 'func.return' takes an unsigned value or an i1 tile of a node}}
  return %0 : tensor<8xui8>
}
