//===- Compiler.h - From a function body to instructions --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the translation. One `Compiler` makes one `Code`; its members are
// spread over several files by what they translate.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_COMPILER_H
#define PYPTO_RUNTIME_COMPILER_H

#include "Runtime/Functions.h"

namespace mlir::pypto::runtime {

class Compiler {
public:
  explicit Compiler(Functions &functions)
      : functions(functions), code(std::make_unique<Code>()) {}

  std::unique_ptr<Code> compile(Block &body);

  /// The body of a structured operation. Its parameters are the block's, then
  /// `captures`, then one index a loop.
  std::unique_ptr<Code> compilePoint(Block &body, ArrayRef<Value> captures,
                                     unsigned numLoops);

private:
  // Registers.
  static RegClass getClass(Type type);
  Reg makeReg(RegClass cls) {
    return {cls, code->numRegs[static_cast<unsigned>(cls)]++};
  }
  Reg getReg(Value value);
  uint32_t getIndex(Value value) { return getReg(value).index; }
  /// Makes `value` another name of what is in `reg`.
  void alias(Value value, Reg reg) { registers[value] = reg; }
  void addParam(Value value);
  MixedList getList(ArrayRef<int64_t> literals, ValueRange values);

  // Instructions.
  Inst &emit(Operation *op, Opcode opcode, uint32_t a = 0, uint32_t b = 0,
             uint32_t c = 0, uint32_t d = 0);
  uint32_t getPosition() const { return code->insts.size(); }
  void emitTrap(Operation *op, const Twine &message);
  void emitMove(Operation *op, Reg from, Reg to, bool isLastUse = false);
  /// Moves all at once: no move sees what another one wrote.
  void emitMoves(Operation *op, ValueRange from, ArrayRef<Reg> to);
  /// Whether an array operand is not needed after `op`: every run of the one
  /// follows a run of what defines the other.
  static bool isLastUse(Value array, Operation *op) {
    return array.hasOneUse() && array.getParentBlock() == op->getBlock();
  }
  uint32_t emitConstant(Operation *op, uint64_t value);
  SmallVector<Reg> getRegs(ValueRange values);

  // Regions.
  /// Translates all of a block but its terminator, which is returned; null for
  /// a region this cannot translate.
  Operation *compileBlock(Region &region);
  void compileOp(Operation *op);

  // Control flow (CompileControlFlow.cpp).
  bool compileControlFlow(Operation *op);
  void compileFor(Operation *op);
  void compileWhile(Operation *op);
  void compileIf(Operation *op);
  void compileSwitch(Operation *op);
  void compileArm(Operation *op, Region &region);
  void compileScope(graph::ScopeOp op);

  // Scalars and tiles (CompileScalars.cpp).
  bool compileScalar(Operation *op);
  bool compileConstant(Operation *op);
  bool compileSelect(Operation *op);
  bool compileTileOp(Operation *op);
  bool compileStructured(Operation *op);

  // The graph dialect (CompileGraph.cpp).
  bool compileGraph(Operation *op);
  void compileLaunch(graph::LaunchOpInterface op);
  bool compileArray(Operation *op);
  void compileBuffer(Operation *op);
  void compileAccess(Operation *op);

  Functions &functions;
  std::unique_ptr<Code> code;
  DenseMap<Value, Reg> registers;
  /// Allocations seen in the block that is being translated, and the number of
  /// allocation calls in all.
  unsigned createsInBlock = 0, numBatches = 0;
  /// The allocation call a block fills.
  DenseMap<Block *, uint32_t> batchOfBlock;
  /// Registers of the loop indices, in the body of a structured operation.
  SmallVector<Reg, 4> loopIndices;
};

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_COMPILER_H
