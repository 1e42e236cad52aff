//===- FunctionEmitter.cpp - C++ of one function --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "Analysis/AllocationBatches.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

FunctionEmitter::FunctionEmitter(Program &program, Support &support,
                                 FuncOp func)
    : program(program), support(support), func(func), ties(program.getTies()),
      identity(func, ties),
      liveness(func, [&](Value value) { return resolve(value); }),
      names(&program.getGlobalNames()) {
  if (func.isGraph())
    invariance.emplace(func, identity, ties);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Binds the parameters of a graph function or of the entry to their slots.
void FunctionEmitter::bindSlots(StringRef args, StringRef tensorPrefix) {
  Signature signature = getSignature(func);
  for (auto [slot, param] : llvm::enumerate(signature.tensors)) {
    BlockArgument argument = func.getArgument(param);
    if (isLive(argument))
      out.line("const ChipTensor &" +
               name(argument, (tensorPrefix + func.getParamName(param)).str()) +
               " = " + args + ".tensor(" + Twine(slot) + ").ref();");
  }
  for (auto [slot, param] : llvm::enumerate(signature.scalars)) {
    BlockArgument argument = func.getArgument(param);
    if (!isLive(argument))
      continue;
    std::string scalar = getName(func.getParamName(param));
    slots[argument] = scalar;
    out.line("const uint64_t &" + scalar + " = " + args + ".scalar(" +
             Twine(slot) + ");");
  }
}

std::string FunctionEmitter::getPrototype() {
  if (func == program.getEntry())
    return "__attribute__((visibility(\"default\"))) void\n"
           "aicpu_orchestration_entry(const ChipTaskArgs &";
  if (func.isGraph())
    return ("void " + program.getName(func) + "(const GraphTaskArgs &").str();
  return ("static void " + program.getName(func) + "(").str();
}

/// The parameters of a host function that the entry calls are C++ parameters;
/// a result that is none of them is a reference to what it is assigned to.
void FunctionEmitter::emitHelperHead() {
  SmallVector<std::string> params;
  for (BlockArgument argument : func.getArguments()) {
    Type type = argument.getType();
    std::string variable = getVariableType(type, argument.getLoc());
    bool isByValue = isScalarType(type) || isa<TaskIdType>(type);
    std::string declaration =
        isByValue ? variable + " " : "const " + variable + " &";
    if (isLive(argument))
      declaration += name(argument, func.getParamName(argument.getArgNumber()));
    else if (isByValue)
      declaration.pop_back();
    params.push_back(declaration);
  }
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    if (func.getTiedParam(i))
      continue;
    results.push_back(getName("result" + Twine(i)));
    params.push_back(getVariableType(type, func.getLoc()) + " &" +
                     results.back());
  }
  out.list(getPrototype(), params, ") {");
}

void FunctionEmitter::emitReturn(ReturnOp op) {
  size_t next = 0;
  for (auto [i, operand] : llvm::enumerate(op.getOperands()))
    if (!func.getTiedParam(i) && next < results.size())
      out.line(results[next++] + " = " + use(operand) + ";");
}

/// What is returned to nobody.
void FunctionEmitter::checkEntry() {
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (!isa<GraphTensorType>(type) && !isScalarType(type))
      error(func.getLoc(), DiagnosticCode::CodegenEntry)
          << "parameter '%" << func.getParamName(i) << "' of the entry '@"
          << func.getSymName() << "' is neither a tensor nor a scalar";
  for (unsigned i = 0, e = func.getNumResults(); i != e; ++i)
    if (!func.getTiedParam(i)) {
      InFlightDiagnostic diag =
          error(func.getLoc(), DiagnosticCode::CodegenEntry);
      diag << "result #" << i << " of the entry '@" << func.getSymName()
           << "' is none of its parameters";
      diag.attachNote() << "the runtime takes nothing back from the entry; "
                           "write into a parameter";
    }
  Signature signature = getSignature(func);
  constexpr size_t maxTensors = 256, maxScalars = 128;
  if (signature.tensors.size() > maxTensors ||
      signature.scalars.size() > maxScalars)
    error(func.getLoc(), DiagnosticCode::CodegenLimit)
        << "the entry '@" << func.getSymName() << "' has "
        << signature.tensors.size() << " tensors and "
        << signature.scalars.size() << " scalars; the limits are " << maxTensors
        << " and " << maxScalars;
}

std::string FunctionEmitter::emit() {
  bool isEntry = func == program.getEntry();
  if (isEntry)
    checkEntry();
  for (BlockArgument argument : func.getArguments())
    if (isScalarType(argument.getType()) &&
        !getScalarWidth(argument.getType())) {
      error(func.getLoc(), DiagnosticCode::CodegenUnsupported)
          << "parameter '%" << func.getParamName(argument.getArgNumber())
          << "' of '@" << func.getSymName() << "' has type "
          << argument.getType() << ", which no scalar slot holds";
    }
  if (hasFailed)
    return "";
  if (isEntry || func.isGraph()) {
    StringRef args = isEntry ? "orch_args" : "args";
    bool hasParams = llvm::any_of(
        func.getArguments(), [&](Value argument) { return isLive(argument); });
    out.open(getPrototype() + (hasParams ? args : "") + ") {");
    bindSlots(args, isEntry ? "ext_" : "");
  } else {
    emitHelperHead();
    // The head was a list; what follows is inside of it.
    out.enter();
  }
  Block &body = func.getBody().front();
  emitBlock(body, [&] { emitReturn(cast<ReturnOp>(body.getTerminator())); });
  out.close();
  return out.take();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void FunctionEmitter::unsupported(Operation *op) {
  InFlightDiagnostic diag =
      error(op->getLoc(), DiagnosticCode::CodegenUnsupported);
  diag << "'" << op->getName() << "' in function '@" << func.getSymName()
       << "' has no translation";
  if (isa<FullOp>(op))
    diag.attachNote() << "create the buffer and launch a kernel that fills it";
}

void FunctionEmitter::emitBlock(Block &block, llvm::function_ref<void()> end) {
  NameScope scope(*this);
  AllocationBatches batches(block);
  DenseMap<Operation *, ArrayRef<Operation *>> batchAt;
  for (const AllocationBatches::Batch &batch : batches.get())
    batchAt[batch.front()] = batch;
  for (Operation &op : block.without_terminator()) {
    if (isa<CreateOp, FullOp>(op)) {
      auto it = batchAt.find(&op);
      if (it != batchAt.end())
        emitAllocations(it->second);
    } else if (liveness.isLive(&op)) {
      emitOp(&op);
    }
  }
  end();
}

void FunctionEmitter::emitOp(Operation *op) {
  if (LaunchOpInterface launch = asLaunch(op))
    return emitLaunch(launch);
  if (op->hasTrait<OpTrait::ConstantLike>() && op->getNumResults() == 1 &&
      isScalarType(op->getResult(0).getType())) {
    if (!getScalarWidth(op->getResult(0).getType()))
      unsupported(op);
    return;
  }
  if (isa<arith::SelectOp>(op) && !isScalarType(op->getResult(0).getType()))
    return emitSelect(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](SliceOp op) { emitSlice(op); })
      .Case([&](ViewOp op) { emitView(op); })
      // Neither does anything at run time.
      .Case([&](CastOp op) { bind(op.getResult(), use(op.getSource())); })
      .Case([&](AliasOp op) { bind(op.getResult(), use(op.getSource())); })
      .Case([&](DimOp op) { emitDim(op); })
      .Case([&](ReadOp op) { emitRead(op); })
      .Case([&](ArrayCreateOp op) {
        declareVariable(op.getResult(), "tasks", "");
      })
      .Case([&](ArrayInsertOp op) { emitArrayInsert(op); })
      .Case([&](ArrayExtractOp op) { emitArrayExtract(op); })
      .Case([&](ScopeOp op) { emitScope(op); })
      .Case([&](scf::ForOp op) { emitFor(op); })
      .Case([&](scf::WhileOp op) { emitWhile(op); })
      .Case([&](scf::IfOp op) { emitIf(op); })
      .Case([&](scf::IndexSwitchOp op) { emitSwitch(op); })
      .Case([&](scf::ExecuteRegionOp op) {
        if (op.getRegion().hasOneBlock())
          emitOnce(op, "{");
        else
          unsupported(op);
      })
      .Default([&](Operation *op) {
        if (!emitScalarOp(op))
          unsupported(op);
      });
}
