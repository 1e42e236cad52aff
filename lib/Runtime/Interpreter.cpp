//===- Interpreter.cpp - Runs translated functions ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Interpreter.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

void Frame::reset(const Code &newCode) {
  code = &newCode;
  function = nullptr;
  pc = 0;
  scalars.assign(newCode.numRegs[0], 0);
  tensors.resize(newCode.numRegs[1]);
  arrays.assign(newCode.numRegs[2], nullptr);
  tiles.assign(newCode.numRegs[3], nullptr);
  slots.assign(newCode.numScalarParams, -1);
  blockCount = 1;
  launch = nullptr;
  atReturn = AtReturn::Nothing;
  firstTask = kNoTask;
  inheritedDeps.clear();
  manualScopes.clear();
  isPoint = false;
  deviceScopes = 0;
}

Frame &Interpreter::push(const Code &code) {
  if (pool.empty())
    pool.push_back(std::make_unique<Frame>());
  frames.push_back(std::move(pool.back()));
  pool.pop_back();
  top().reset(code);
  return top();
}

void Interpreter::pop() {
  pool.push_back(std::move(frames.back()));
  frames.pop_back();
}

LogicalResult
Interpreter::call(pypto::runtime::Function &function, int64_t blockCount,
                  llvm::function_ref<void(Frame &)> bind,
                  llvm::function_ref<LogicalResult(Frame &)> atEnd) {
  Frame &frame = push(*run.functions.getCode(function));
  frame.function = &function;
  frame.blockCount = blockCount;
  bind(frame);
  finish = atEnd;
  return loop();
}

SmallVector<int64_t, 4> Interpreter::getList(const MixedList &list) {
  SmallVector<int64_t, 4> values;
  for (MixedIndex entry : list)
    values.push_back(entry.reg < 0
                         ? entry.literal
                         : static_cast<int64_t>(top().scalars[entry.reg]));
  return values;
}

LogicalResult Interpreter::loop() {
  Frame *frame = &top();
  const Code *code = frame->code;
  uint64_t *s = frame->scalars.data();
  uint64_t numOps = 0;
  // After a call or a return another frame is on top.
  auto refresh = [&] {
    frame = &top();
    code = frame->code;
    s = frame->scalars.data();
  };
  LogicalResult status = success();
  while (true) {
    const Inst &inst = code->insts[frame->pc];
    ++numOps;
    switch (inst.op) {
    case Opcode::Constant:
      s[inst.d] = code->constants[inst.a];
      break;
    case Opcode::MoveScalar:
      s[inst.d] = s[inst.a];
      break;
    case Opcode::MoveTensor:
      frame->tensors[inst.d] = frame->tensors[inst.a];
      break;
    case Opcode::MoveArray:
      if (inst.flag)
        frame->arrays[inst.d] = std::move(frame->arrays[inst.a]);
      else
        frame->arrays[inst.d] = frame->arrays[inst.a];
      break;
    case Opcode::MoveTile:
      frame->tiles[inst.d] = frame->tiles[inst.a];
      break;
    case Opcode::AddI:
      s[inst.d] = maskTo(s[inst.a] + s[inst.b], inst.width);
      break;
    case Opcode::SubI:
      s[inst.d] = maskTo(s[inst.a] - s[inst.b], inst.width);
      break;
    case Opcode::MulI:
      s[inst.d] = maskTo(s[inst.a] * s[inst.b], inst.width);
      break;
    case Opcode::CmpI:
      s[inst.d] = compareIntegers(inst.c, s[inst.a], s[inst.b], inst.width);
      break;
    case Opcode::SelectScalar:
      s[inst.d] = s[inst.a] ? s[inst.b] : s[inst.c];
      break;
    case Opcode::SelectTensor:
      frame->tensors[inst.d] = frame->tensors[s[inst.a] ? inst.b : inst.c];
      break;
    case Opcode::SelectTile:
      frame->tiles[inst.d] = frame->tiles[s[inst.a] ? inst.b : inst.c];
      break;
    case Opcode::Scalar: {
      const ScalarCall &call = code->scalarCalls[inst.a];
      uint64_t in[3], out[2];
      for (unsigned i = 0; i != call.op.numOperands; ++i)
        in[i] = s[call.in[i].index];
      ScalarStatus result = call.op.function(call.op, in, out);
      if (result != ScalarStatus::Ok) {
        status = fail(describe(result));
        break;
      }
      for (unsigned i = 0; i != call.op.numResults; ++i)
        s[call.out[i].index] = out[i];
      break;
    }
    case Opcode::Jump:
      frame->pc = inst.b;
      continue;
    case Opcode::JumpIfZero:
      if (s[inst.a] == 0) {
        frame->pc = inst.b;
        continue;
      }
      break;
    case Opcode::Loop:
      status = run.countStep(getOp());
      if (failed(status))
        break;
      frame->pc = inst.b;
      continue;
    case Opcode::ForEnter: {
      int64_t step = signExtend(s[inst.c], inst.width);
      if (s[inst.c] == 0 || (!inst.flag && step < 0)) {
        status = fail("steps by " + Twine(step) + ", which is not positive");
        break;
      }
      bool runs = inst.flag ? s[inst.a] < s[inst.b]
                            : signExtend(s[inst.a], inst.width) <
                                  signExtend(s[inst.b], inst.width);
      if (!runs) {
        frame->pc = inst.d;
        continue;
      }
      break;
    }
    case Opcode::ForNext:
      // The distance to the bound is positive here, and never overflows.
      if (maskTo(s[inst.b] - s[inst.a], inst.width) > s[inst.c]) {
        status = run.countStep(getOp());
        if (failed(status))
          break;
        s[inst.a] = maskTo(s[inst.a] + s[inst.c], inst.width);
        frame->pc = inst.d;
        continue;
      }
      break;
    case Opcode::Return:
      if (frame->isPoint) {
        run.result.numOps += numOps;
        return success();
      }
      status = returnFrom(code->returns[inst.a]);
      if (failed(status))
        break;
      if (frames.empty()) {
        run.result.numOps += numOps;
        return success();
      }
      refresh();
      break;
    case Opcode::Trap:
      status = fail(code->messages[inst.a]);
      break;
    case Opcode::Create:
      status = create(code->creates[inst.a]);
      break;
    case Opcode::Full:
      status = full(code->fulls[inst.a]);
      break;
    case Opcode::Slice:
      status = slice(code->slices[inst.a]);
      break;
    case Opcode::View:
      status = view(code->views[inst.a]);
      break;
    case Opcode::Cast:
      status = castTensor(code->casts[inst.a]);
      break;
    case Opcode::Dim: {
      const TensorDescriptor &tensor = frame->tensors[inst.a];
      if (s[inst.b] >= tensor.rank) {
        status = fail("takes extent " + Twine(static_cast<int64_t>(s[inst.b])) +
                      " of a tensor of rank " + Twine(unsigned(tensor.rank)));
        break;
      }
      s[inst.d] = tensor.shape[s[inst.b]];
      break;
    }
    case Opcode::Read:
      status = read(code->reads[inst.a]);
      break;
    case Opcode::ArrayCreate:
      status = createArray(code->arrays[inst.a]);
      break;
    case Opcode::ArrayInsert:
      status = insertElement(code->arrays[inst.a]);
      break;
    case Opcode::ArrayExtract:
      status = extractElement(code->arrays[inst.a]);
      break;
    case Opcode::Launch: {
      Frame *caller = frame;
      status = launch(code->launches[inst.a]);
      if (failed(status))
        break;
      refresh();
      // A call continues in the frame of the callee.
      if (frame != caller)
        continue;
      break;
    }
    case Opcode::ScopeBegin:
      status = beginScope(code->scopes[inst.a]);
      break;
    case Opcode::ScopeEnd:
      endScope(code->scopes[inst.a]);
      break;
    case Opcode::Load:
      status = loadTile(code->accesses[inst.a]);
      break;
    case Opcode::Store:
      status = storeTile(code->accesses[inst.a]);
      break;
    case Opcode::TileMap:
      status = mapTile(code->scalarCalls[inst.a]);
      break;
    case Opcode::TileConstant:
      frame->tiles[inst.d] = code->tiles[inst.a];
      break;
    case Opcode::TileOp:
      status = callTile(code->tileCalls[inst.a]);
      break;
    case Opcode::Structured:
      status = runStructured(code->structured[inst.a]);
      break;
    }
    if (failed(status)) {
      run.result.numOps += numOps;
      return failure();
    }
    ++frame->pc;
  }
}

LogicalResult Interpreter::returnFrom(ArrayRef<Reg> operands) {
  Frame &callee = top();
  if (callee.atReturn == Frame::AtReturn::EndRecording)
    return endRecording();
  if (frames.size() == 1) {
    LogicalResult result = finish ? finish(callee) : success();
    pop();
    return result;
  }
  Frame &caller = *frames[frames.size() - 2];
  const LaunchInfo &info = *callee.launch;
  for (const LaunchInfo::Result &result : info.results) {
    Reg from = operands[result.number];
    switch (result.reg.cls) {
    case RegClass::Scalar:
      caller.scalars[result.reg.index] = callee.scalars[from.index];
      break;
    case RegClass::Tensor:
      caller.tensors[result.reg.index] = callee.tensors[from.index];
      break;
    case RegClass::Array:
      caller.arrays[result.reg.index] = callee.arrays[from.index];
      break;
    case RegClass::Tile:
      caller.tiles[result.reg.index] = callee.tiles[from.index];
      break;
    }
  }
  if (info.taskId && !isKernel) {
    // Whoever waits for the call waits for all it launched.
    Task join;
    join.kind = Task::Kind::Join;
    join.op = info.op;
    TaskId id = kNoTask;
    if (!run.recorder) {
      if (run.options.order != Order::Program)
        for (TaskId task = callee.firstTask; task <= run.engine.getNumTasks();
             ++task)
          join.deps.push_back(task);
      if (failed(run.engine.submit(std::move(join), id)))
        return failure();
    }
    caller.scalars[*info.taskId] = id;
  }
  if (callee.atReturn == Frame::AtReturn::LeaveGraph)
    run.graphLaunch = -1;
  pop();
  return success();
}
