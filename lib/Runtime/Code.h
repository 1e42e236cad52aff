//===- Code.h - Functions as flat lists of instructions ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before it runs, a function is translated once: regions become jumps, and SSA
// values become registers, numbered densely in four classes. A register has one
// value at a time; values that are the same by definition (results tied to an
// operand, renamed tensors) share one.
//
// The scalar parameters of a function are its first scalar registers. In a
// graph function those are the boundary *slots*: an operand is a slot exactly
// when it is read from such a register, which is what the runtime sees as the
// address of the argument. Everything computed, copied or carried is in another
// register.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_CODE_H
#define PYPTO_RUNTIME_CODE_H

#include "Graph/Graph.h"
#include "Runtime/ScalarOps.h"
#include "Runtime/Tile.h"

namespace mlir::pypto::runtime {

enum class RegClass : uint8_t { Scalar, Tensor, Array, Tile };

struct Reg {
  RegClass cls = RegClass::Scalar;
  uint32_t index = 0;
  bool operator==(Reg other) const {
    return cls == other.cls && index == other.index;
  }
};

/// An entry of an index list: a literal, or a scalar register.
struct MixedIndex {
  int64_t literal = 0;
  int32_t reg = -1;
};
using MixedList = SmallVector<MixedIndex, 4>;

enum class Opcode : uint8_t {
  // d = constant[a]
  Constant,
  // d = a
  MoveScalar,
  MoveTensor,
  MoveArray,
  MoveTile,
  // d = a op b, of `width` bits
  AddI,
  SubI,
  MulI,
  CmpI, // predicate in c
  // d = a ? b : c
  SelectScalar,
  SelectTensor,
  SelectTile,
  // scalarCalls[a]
  Scalar,
  // pc = b, perhaps only when scalar a is 0
  Jump,
  JumpIfZero,
  // Loops: a the induction variable, b the bound, c the step
  ForEnter, // error unless the step is positive; pc = d when there is no trip
  ForNext,  // a += step and pc = d unless the bound is reached
  // pc = b, one more backward jump
  Loop,
  Return, // returns[a]
  Trap,   // messages[a]
  // One table each, by a
  Create,
  Full,
  Slice,
  View,
  Cast,
  Dim,
  Read,
  ArrayCreate,
  ArrayInsert,
  ArrayExtract,
  Launch,
  ScopeBegin,
  ScopeEnd,
  Load,
  Store,
  TileMap,      // scalarCalls[a] on tiles
  TileConstant, // d = tiles[a]
  TileOp,       // tileCalls[a]
  Structured,   // structured[a]
};

/// `flag`: of loops, whether they count unsigned.
struct Inst {
  Opcode op;
  uint8_t width = 64;
  uint8_t flag = 0;
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

/// An operation of the table of `ScalarOps.h`.
struct ScalarCall {
  ScalarOp op;
  /// Scalar registers, or for tiles registers of either class.
  Reg in[3];
  Reg out[2];
};

struct CreateInfo {
  uint32_t result;
  ElementType type;
  MixedList shape;
  /// The allocation call it is packed into, numbered in the function, and
  /// whether it is the first of that call.
  uint32_t batch = 0;
  bool isFirst = true;
};

struct FullInfo {
  uint32_t value;
  uint32_t result;
  ElementType type;
  SmallVector<int64_t, 4> shape;
};

struct SliceInfo {
  uint32_t source, result;
  MixedList offsets, sizes;
};

struct ViewInfo {
  uint32_t source, result;
  MixedList sizes;
};

/// Static extents a handle must have (`kDynamic` for any).
struct CastInfo {
  uint32_t source, result;
  SmallVector<int64_t, 4> shape;
};

struct ReadInfo {
  uint32_t source, result;
  MixedList indices;
};

struct ArrayInfo {
  uint32_t array, result;
  Reg value;
  MixedIndex index;
  uint64_t size;
  /// The array is not used again, and may be changed in place.
  bool isLastUse = false;
};

struct TileAccess {
  uint32_t tile, tensor;
  ElementType type;
  SmallVector<int64_t, 4> shape;
  MixedList offsets;
  bool atomicAdd = false;
};

struct Function;

struct PredicateInfo {
  uint32_t gate;
  MixedList indices;
  graph::Comparison comparison;
  uint32_t rhs;
};

/// A call, submit or dummy.
struct LaunchInfo {
  Operation *op;
  /// Null for a dummy.
  Function *callee = nullptr;
  SmallVector<Reg, 6> args;
  /// Directions of the arguments: the call site's, else what the parameters
  /// say.
  SmallVector<graph::ArgDirection, 6> directions;
  SmallVector<Reg, 2> deps;
  std::optional<uint32_t> coreNum;
  std::optional<PredicateInfo> predicate;
  std::optional<uint32_t> taskId;
  /// Results that are not an argument by a tie. `param` is the omitted
  /// parameter they are tied to, or -1.
  struct Result {
    Reg reg;
    unsigned number;
    int param;
  };
  SmallVector<Result, 2> results;
};

struct ScopeInfo {
  graph::ScopeKind kind;
  std::optional<uint32_t> taskId;
};

/// An operation on tiles that is no map of scalars, or one that somebody else
/// interprets.
struct TileCall {
  Operation *op;
  TileFunction function;
  SmallVector<Reg, 4> in;
  SmallVector<Reg, 2> out;
};

struct Code;

/// A structured (`linalg`) operation: a scalar body run for every point of an
/// iteration space.
struct StructuredInfo {
  Operation *op;
  /// Registers of the inputs and initial outputs (tiles or scalars).
  SmallVector<Reg, 4> operands;
  SmallVector<uint32_t, 2> results;
  unsigned numInputs = 0;
  SmallVector<AffineMap, 4> maps;
  unsigned numLoops = 0;
  /// The body: its parameters are scalars, one an operand.
  std::unique_ptr<Code> body;
  /// Parameters the body has beyond the operands: values from outside.
  SmallVector<Reg, 2> captures;
};

/// A translated function.
struct Code {
  std::vector<Inst> insts;
  /// The operation each instruction comes from.
  std::vector<Operation *> ops;
  uint32_t numRegs[4] = {};
  /// Registers of the parameters.
  SmallVector<Reg, 8> params;
  unsigned numScalarParams = 0;

  std::vector<uint64_t> constants;
  std::vector<ScalarCall> scalarCalls;
  std::vector<std::string> messages;
  std::vector<SmallVector<Reg, 2>> returns;
  std::vector<CreateInfo> creates;
  std::vector<FullInfo> fulls;
  std::vector<SliceInfo> slices;
  std::vector<ViewInfo> views;
  std::vector<CastInfo> casts;
  std::vector<ReadInfo> reads;
  std::vector<ArrayInfo> arrays;
  std::vector<TileAccess> accesses;
  std::vector<LaunchInfo> launches;
  std::vector<ScopeInfo> scopes;
  std::vector<TilePtr> tiles;
  std::vector<TileCall> tileCalls;
  std::vector<StructuredInfo> structured;
};

/// A parameter of a function.
struct Param {
  bool isTensor = false;
  /// Neither a tensor nor a scalar (a task id, an array) when both are unset.
  bool isScalar = false;
  graph::ParamDirection direction = graph::ParamDirection::In;
  /// Number among the tensor, or among the scalar parameters.
  unsigned number = 0;
  /// Of scalars.
  ScalarKind kind;
  /// Of tensors: the static extents and the element type.
  SmallVector<int64_t, 4> shape;
  ElementType element = ElementType::F32;
};

/// What the runtime knows of a `graph.func`.
struct Function {
  graph::FuncOp op;
  std::string name;
  graph::FunctionKind kind;
  int64_t coreNum = 0;
  SmallVector<Param, 8> params;
  SmallVector<unsigned, 8> tensorParams, scalarParams;
  /// Of each result, the parameter it is tied to or -1.
  SmallVector<int, 2> ties;
  /// The tensor parameters (by number among them) in slot order.
  SmallVector<unsigned, 8> slots;
  /// Why it cannot be run, when it cannot; empty otherwise.
  std::string problem;
  /// Translated when it is first called; null for declarations.
  std::unique_ptr<Code> code;

  bool isDevice() const { return graph::isDeviceKind(kind); }
  bool isGraph() const { return kind == graph::FunctionKind::Graph; }
};

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_CODE_H
