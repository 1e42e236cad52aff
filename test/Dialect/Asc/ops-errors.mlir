// RUN: pypto-opt %s -split-input-file -verify-diagnostics

// One mistake a function.

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.load' op tile of extent 4 at 1 does not fit axis 1 of extent 4}}
  %0 = asc.load "L" %x[0, 1] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.load' op expects 2 offsets, got 1}}
  %0 = asc.load "L" %x[0] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.load' op has negative offsets -1}}
  %0 = asc.load "L" %x[0, -1] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.load' op tile of extent 5 at 0 does not fit axis 1 of extent 4}}
  %0 = asc.load "L" %x[0, %i] : !graph.tensor<8x4xf32> -> tensor<8x5xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.load' op tile has rank 1, the tensor has rank 2}}
  %0 = asc.load "L" %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.load' op tile has element type 'f16', the tensor has 'f32'}}
  %0 = asc.load "L" %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<8x4xf16>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{must be tile (tensor of known positive extents)}}
  %0 = asc.load "L" %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{must be tile (tensor of known positive extents)}}
  %0 = asc.load "L" %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<0x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{attribute 'node_name' failed to satisfy constraint}}
  %0 = asc.load "" %x[0, 0] : !graph.tensor<8x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.load' op requires attribute 'node_name'}}
  %0 = "asc.load"(%x) <{static_offsets = array<i64: 0, 0>}> : (!graph.tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{attribute 'after' failed to satisfy constraint: string array attribute}}
  %0 = "asc.exp"(%t) <{node_name = "E", after = [1]}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.store' op has 1 operands for 0 dynamic offsets}}
  "asc.store"(%t, %x, %i) <{node_name = "S", static_offsets = array<i64: 0, 0>}> : (tensor<8x4xf32>, !graph.tensor<8x4xf32>, index) -> ()
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.store' op tile of extent 8 at 1 does not fit axis 0 of extent 8}}
  asc.store "S" %t, %x[1, 0] : tensor<8x4xf32>, !graph.tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.scalar' op result #0 must be integer or floating-point scalar}}
  %0 = asc.scalar "C" dense<1.0> : tensor<4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.scalar' op result #0 must be integer or floating-point scalar}}
  %0 = asc.scalar "C" 1 : index
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.cast' op cannot change the shape}}
  %0 = asc.cast "C" %t : tensor<8x4xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.cast' op cannot change the shape}}
  %0 = asc.cast "C" %t : tensor<8x4xf32> to f32
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.cast' op result #0 must be}}
  %0 = asc.cast "C" %t : tensor<8x4xf32> to tensor<8x4xf80>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.cast' op result #0 must be}}
  %0 = asc.cast "C" %t : tensor<8x4xf32> to tensor<8x4xsi8>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.exp' op operand #0 must be tile (tensor of known positive extents) of f16, bf16, f32 or f64}}
  %0 = asc.exp "E" %n : tensor<8x4xi32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
  %0 = asc.exp "E" %s : f32
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.exp' op requires the same type for all operands and results}}
  %0 = "asc.exp"(%t) <{node_name = "E"}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.add' op operands have types tensor<8x4xf32> and tensor<4xf32>; use 'asc.broadcast'}}
  %0 = asc.add "A" %t, %r : tensor<8x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.add' op operands have element types f32 and i32; use 'asc.cast'}}
  %0 = asc.add "A" %t, %n : tensor<8x4xf32>, tensor<8x4xi32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.add' op expects a tile among its operands}}
  %0 = asc.add "A" %s, %s : f32
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.add' op expects a tile (tensor of known positive extents), got tensor<?x4xf32>}}
  %0 = asc.add "A" %t, %d : tensor<8x4xf32>, tensor<?x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+2 {{'asc.add' op failed to infer returned types}}
  // expected-error @+1 {{'asc.add' op inferred type(s) 'tensor<8x4xf32>' are incompatible with return type(s) of operation 'tensor<8x4xf16>'}}
  %0 = "asc.add"(%t, %t) <{node_name = "A"}> : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf16>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.div' op operand #0 must be}}
  %0 = asc.div "D" %n, %n : tensor<8x4xi32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{unknown comparison 'about' (expected eq, ne, lt, le, gt or ge)}}
  %0 = asc.compare "C" about %t, %t : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.select' op operand #0 must be}}
  %0 = asc.select "S" %n, %t, %t : tensor<8x4xi32>, tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.where' op condition has type tensor<8x4xi32>, the values have tensor<4xf32>; use 'asc.broadcast'}}
  %0 = asc.where "W" %n, %r, %r : tensor<8x4xi32>, tensor<4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.where' op expects a tile among its operands}}
  %0 = asc.where "W" %s, %s, %s : f32, f32
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.broadcast' op cannot broadcast 'tensor<8x4xf32>' to 'tensor<8x8xf32>'}}
  %0 = asc.broadcast "B" %t : tensor<8x4xf32> to tensor<8x8xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.broadcast' op cannot broadcast}}
  %0 = asc.broadcast "B" %t : tensor<8x4xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.broadcast' op cannot change the element type}}
  %0 = asc.broadcast "B" %t : tensor<8x4xf32> to tensor<8x4xf16>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.transpose' op expects a permutation of the 2 axes}}
  %0 = asc.transpose "T" %t [0, 0] : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.transpose' op expects a permutation of the 2 axes}}
  %0 = asc.transpose "T" %t [1] : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.transpose' op expects a permutation of the 2 axes}}
  %0 = asc.transpose "T" %t [0, 1, 2] : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{differ in more than axis 0}}
  %0 = asc.concat "C" %t, %r axis 0 : tensor<8x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.concat' op axis 2 is out of the rank 2}}
  %0 = asc.concat "C" %t axis 2 : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+2 {{'asc.concat' op failed to infer returned types}}
  // expected-error @+1 {{'asc.concat' op expects at least one operand}}
  %0 = "asc.concat"() <{node_name = "C", axis = 0 : i64}> : () -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.split' op expects positive sizes that add up to the extent 8}}
  %0:2 = asc.split "S" %t axis 0 sizes [3, 4] : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.split' op expects positive sizes that add up to the extent 8}}
  %0:2 = asc.split "S" %t axis 0 sizes [9, -1] : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.split' op axis -1 is out of the rank 2}}
  %0 = asc.split "S" %t axis -1 sizes [4] : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.gather' op axis 2 is out of the rank 2}}
  %0 = asc.gather "G" %t, %n axis 2 : tensor<8x4xf32>, tensor<8x4xi32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.gather' op operand #1 must be tile (tensor of known positive extents) of i32 or i64}}
  %0 = asc.gather "G" %t, %t axis 0 : tensor<8x4xf32>, tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.sum' op names axis 0 twice}}
  %0 = asc.sum "S" %t axes [0, 0] : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.sum' op axis 2 is out of the rank 2}}
  %0 = asc.sum "S" %t axes [2] : tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.mean' op operand #0 must be}}
  %0 = asc.mean "M" %n axes [0] : tensor<8x4xi32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.matmul' op cannot multiply tensor<8x4xf32> by tensor<8x4xf32>}}
  %0 = asc.matmul "M" %t, %t : tensor<8x4xf32>, tensor<8x4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{'asc.matmul' op cannot multiply}}
  %0 = asc.matmul "M" %r, %r : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @f(%x: !graph.tensor<8x4xf32>, %t: tensor<8x4xf32>, %n: tensor<8x4xi32>, %r: tensor<4xf32>,
             %d: tensor<?x4xf32>, %s: f32, %i: index) {
  // expected-error @+1 {{must be tile (tensor of known positive extents)}}
  %0 = asc.broadcast "B" %s : f32 to tensor<1099511627776x2xf32>
  return
}

// -----

func.func @f(%b: tensor<4xi1>) {
  // expected-error @+1 {{'asc.add' op operand #0 must be}}
  %0 = asc.add "A" %b, %b : tensor<4xi1>
  return
}
