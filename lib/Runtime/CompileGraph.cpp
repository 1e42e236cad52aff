//===- CompileGraph.cpp - Operations of the graph dialect -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Compiler.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

static GraphTensorType getTensor(Value value) {
  return cast<GraphTensorType>(value.getType());
}

static ElementType getElement(Value value) {
  return *getElementType(getTensor(value).getElementType());
}

/// The allocation call of the compiler takes this many buffers.
static constexpr unsigned kCreatesPerBatch = 16;

bool Compiler::compileGraph(Operation *op) {
  if (auto launch = dyn_cast<LaunchOpInterface>(op)) {
    compileLaunch(launch);
    return true;
  }
  if (auto alias = dyn_cast<AliasOp>(op)) {
    // A renamed tensor is the same handle; a renamed scalar is copied out of
    // its slot.
    if (isa<GraphTensorType>(alias.getType()))
      this->alias(alias.getResult(), getReg(alias.getSource()));
    else
      emitMove(op, getReg(alias.getSource()), getReg(alias.getResult()),
               isLastUse(alias.getSource(), op));
    return true;
  }
  if (isa<LoadOp, StoreOp>(op)) {
    compileAccess(op);
    return true;
  }
  if (isa<CreateOp, FullOp, SliceOp, ViewOp, CastOp, DimOp, ReadOp>(op)) {
    compileBuffer(op);
    return true;
  }
  return compileArray(op);
}

//===----------------------------------------------------------------------===//
// Buffers and windows
//===----------------------------------------------------------------------===//

void Compiler::compileBuffer(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](CreateOp create) {
        Value result = create.getResult();
        bool isFirst = createsInBlock++ % kCreatesPerBatch == 0;
        // The calls of inner blocks come between: the number is looked up.
        if (isFirst)
          batchOfBlock[op->getBlock()] = numBatches++;
        code->creates.push_back(
            {getIndex(result), getElement(result),
             getList(getTensor(result).getShape(), create.getDynamicSizes()),
             batchOfBlock.lookup(op->getBlock()), isFirst});
        emit(op, Opcode::Create, code->creates.size() - 1);
      })
      .Case([&](FullOp full) {
        Value result = full.getResult();
        code->fulls.push_back(
            {getIndex(full.getValue()), getIndex(result), getElement(result),
             SmallVector<int64_t, 4>(getTensor(result).getShape())});
        emit(op, Opcode::Full, code->fulls.size() - 1);
      })
      .Case([&](SliceOp slice) {
        code->slices.push_back(
            {getIndex(slice.getSource()), getIndex(slice.getResult()),
             getList(slice.getStaticOffsets(), slice.getOffsets()),
             getList(slice.getStaticSizes(), slice.getSizes())});
        emit(op, Opcode::Slice, code->slices.size() - 1);
      })
      .Case([&](ViewOp view) {
        code->views.push_back(
            {getIndex(view.getSource()), getIndex(view.getResult()),
             getList(view.getStaticSizes(), view.getSizes())});
        emit(op, Opcode::View, code->views.size() - 1);
      })
      .Case([&](CastOp cast) {
        code->casts.push_back(
            {getIndex(cast.getSource()), getIndex(cast.getResult()),
             SmallVector<int64_t, 4>(getTensor(cast.getResult()).getShape())});
        emit(op, Opcode::Cast, code->casts.size() - 1);
      })
      .Case([&](DimOp dim) {
        emit(op, Opcode::Dim, getIndex(dim.getSource()),
             getIndex(dim.getAxis()), 0, getIndex(dim.getResult()));
      })
      .Case([&](ReadOp read) {
        code->reads.push_back(
            {getIndex(read.getSource()), getIndex(read.getResult()),
             getList(read.getStaticIndices(), read.getIndices())});
        emit(op, Opcode::Read, code->reads.size() - 1);
      });
}

void Compiler::compileAccess(Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  Value tile = load ? load.getResult() : cast<StoreOp>(op).getValue();
  auto type = cast<RankedTensorType>(tile.getType());
  std::optional<ElementType> element = getElementType(type.getElementType());
  if (!element)
    return emitTrap(op, "moves elements of a type that is not interpreted");
  if (load && !type.hasStaticShape())
    return emitTrap(op, "loads a tile of dynamic extents");
  TileAccess access;
  access.tile = getIndex(tile);
  access.type = *element;
  access.shape.assign(type.getShape().begin(), type.getShape().end());
  if (load) {
    access.tensor = getIndex(load.getSource());
    access.offsets = getList(load.getStaticOffsets(), load.getOffsets());
  } else {
    auto store = cast<StoreOp>(op);
    access.tensor = getIndex(store.getDest());
    access.offsets = getList(store.getStaticOffsets(), store.getOffsets());
    access.atomicAdd = store.getAtomicAdd();
  }
  code->accesses.push_back(std::move(access));
  emit(op, load ? Opcode::Load : Opcode::Store, code->accesses.size() - 1);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

bool Compiler::compileArray(Operation *op) {
  ArrayInfo info;
  Opcode opcode;
  if (auto create = dyn_cast<ArrayCreateOp>(op)) {
    opcode = Opcode::ArrayCreate;
    info.result = getIndex(create.getResult());
    info.size = cast<ArrayType>(create.getType()).getSize();
  } else if (auto insert = dyn_cast<ArrayInsertOp>(op)) {
    opcode = Opcode::ArrayInsert;
    info.array = getIndex(insert.getArray());
    info.value = getReg(insert.getValue());
    info.index = getList(insert.getStaticIndex(), insert.getIndex()).front();
    info.result = getIndex(insert.getResult());
    info.isLastUse = isLastUse(insert.getArray(), op);
  } else if (auto extract = dyn_cast<ArrayExtractOp>(op)) {
    opcode = Opcode::ArrayExtract;
    info.array = getIndex(extract.getArray());
    info.index = getList(extract.getStaticIndex(), extract.getIndex()).front();
    info.result = getIndex(extract.getResult());
  } else {
    return false;
  }
  code->arrays.push_back(info);
  emit(op, opcode, code->arrays.size() - 1);
  return true;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static ArgDirection getDefaultDirection(const Param &param) {
  if (!param.isTensor)
    return ArgDirection::Scalar;
  return getDefaultDirection(param.direction);
}

/// The directions of the call site; where there are none, those of the
/// parameters, but for the operands that were opted out.
static void setDirections(LaunchOpInterface op, LaunchInfo &info) {
  if (ArrayAttr directions = op.getLaunchDirections()) {
    for (Attribute direction : directions)
      info.directions.push_back(cast<ArgDirectionAttr>(direction).getValue());
    return;
  }
  for (unsigned i = 0, e = info.args.size(); i != e; ++i)
    info.directions.push_back(getDefaultDirection(info.callee->params[i]));
  for (int64_t index : op.getLaunchNoDep())
    info.directions[index] = ArgDirection::NoDep;
}

void Compiler::compileLaunch(LaunchOpInterface op) {
  LaunchInfo info;
  info.op = op;
  if (FlatSymbolRefAttr symbol = op.getLaunchCallee()) {
    info.callee = functions.lookup(op, symbol);
    if (!info.callee)
      return emitTrap(op, "launches an unknown function");
    info.args.append(getRegs(op.getLaunchArgs()));
    setDirections(op, info);
  }
  info.deps.append(getRegs(op.getLaunchDeps()));
  if (Value taskId = op.getLaunchTaskId())
    info.taskId = getIndex(taskId);
  if (auto submit = dyn_cast<SubmitOp>(op.getOperation())) {
    if (submit.getCoreNum())
      info.coreNum = getIndex(submit.getCoreNum());
    if (submit.getGate())
      info.predicate = PredicateInfo{
          getIndex(submit.getGate()),
          getList(*submit.getStaticGateIndices(), submit.getGateIndices()),
          *submit.getGateComparison(), getIndex(submit.getGateRhs())};
  }
  for (OpResult result : op.getLaunchOutputs()) {
    int tie = info.callee->ties[result.getResultNumber()];
    // A tied result is the operand itself.
    if (tie >= 0 && tie < static_cast<int>(info.args.size()) &&
        getClass(result.getType()) == info.args[tie].cls &&
        !isa<ArrayType>(result.getType()))
      alias(result, info.args[tie]);
    else
      info.results.push_back({getReg(result), result.getResultNumber(), tie});
  }
  code->launches.push_back(std::move(info));
  emit(op, Opcode::Launch, code->launches.size() - 1);
}
