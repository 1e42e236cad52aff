//===- Tasks.cpp - Launches -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

void FunctionEmitter::emitLaunch(LaunchOpInterface launch) {
  if (auto dummy = dyn_cast<TaskDummyOp>(launch.getOperation()))
    return emitDummy(dummy);
  FuncOp callee = ties.getCallee(launch);
  if (!callee)
    return unsupported(launch);
  if (callee.isDeviceFunction())
    return emitTask(launch, callee);
  if (inManualScope && program.opensAutoScope(callee))
    reportAutoScope(launch->getLoc(), "'@" + callee.getSymName() +
                                          "', which opens an auto scope, is "
                                          "called inside a manual one");
  if (callee.isGraph() && !callee.isExternal())
    return emitGraphLaunch(launch, callee);
  if (isHostKind(callee.getKind()) && !callee.isExternal() && !func.isGraph())
    return emitHelperCall(launch, callee);
  InFlightDiagnostic diag =
      error(launch->getLoc(), DiagnosticCode::CodegenUnsupported);
  diag << "call of '@" << callee.getSymName() << "' of kind '"
       << stringifyFunctionKind(callee.getKind()) << "' has no translation";
  diag.attachNote(callee.getLoc())
      << "it is " << (callee.isExternal() ? "declared" : "defined") << " here";
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The call that adds an operand of this direction.
static StringRef getAdder(ArgDirection direction) {
  switch (direction) {
  case ArgDirection::Input:
    return "add_input";
  case ArgDirection::InOut:
    return "add_inout";
  case ArgDirection::Output:
  case ArgDirection::OutputExisting:
    return "add_output";
  case ArgDirection::NoDep:
    return "add_no_dep";
  case ArgDirection::Scalar:
    return "add_scalar";
  }
  llvm_unreachable("unknown direction");
}

void FunctionEmitter::emitTensorArgs(LaunchOpInterface launch,
                                     ArrayRef<unsigned> params,
                                     StringRef args) {
  ArrayAttr directions = launch.getLaunchDirections();
  StringRef adder;
  SmallVector<std::string> tensors;
  auto flush = [&] {
    if (!tensors.empty())
      out.list(args + "." + adder + "(", tensors, ");");
    tensors.clear();
  };
  for (unsigned param : params) {
    // Unresolved directions are refused before; this is the one that is always
    // right.
    ArgDirection direction =
        directions ? cast<ArgDirectionAttr>(directions[param]).getValue()
                   : ArgDirection::InOut;
    StringRef next = getAdder(direction);
    if (next != adder)
      flush();
    adder = next;
    tensors.push_back(use(launch.getLaunchArgs()[param]));
  }
  flush();
}

std::string FunctionEmitter::getScalarLvalue(Operation *launch, unsigned index,
                                             Value value, StringRef wish) {
  Value source = resolve(value);
  if (StringRef slot = getSlot(source); !slot.empty())
    return slot.str();
  if (func.isGraph() && !invariance->isInvariant(value)) {
    InFlightDiagnostic diag =
        error(launch->getLoc(), DiagnosticCode::ScalarCopy);
    diag << "internal error: scalar argument #" << index
         << " of a task in graph function '@" << func.getSymName()
         << "' would be copied between its slot and the task";
    diag.attachNote(value.getLoc()) << "this is the value";
    explain(diag,
            "the runtime would take the copy for a constant and every "
            "replay would pass the value of the first call",
            "run legalize-graph-boundary first; if it accepts the module, this "
            "is a mistake of the compiler");
    return "0";
  }
  auto it = exprs.find(source);
  if (it != exprs.end() && ownScalars.contains(it->second))
    return it->second;
  // A literal or a conversion has no address.
  std::optional<unsigned> width = getScalarWidth(value.getType());
  if (!width) {
    error(launch->getLoc(), DiagnosticCode::CodegenUnsupported)
        << "argument #" << index << " of type " << value.getType()
        << " has no translation";
    return "0";
  }
  std::string local = getName(wish);
  std::string expr = use(value);
  out.line("const " + getStorageType(*width) + " " + local + " = " + expr +
           ";");
  return local;
}

void FunctionEmitter::emitScalarArgs(LaunchOpInterface launch,
                                     ArrayRef<unsigned> params, StringRef args,
                                     StringRef prefix) {
  SmallVector<std::string> scalars;
  for (auto [i, param] : llvm::enumerate(params))
    scalars.push_back(getScalarLvalue(launch, param,
                                      launch.getLaunchArgs()[param],
                                      (prefix + "_scalar" + Twine(i)).str()));
  if (!scalars.empty())
    out.list(args + ".add_scalar(", scalars, ");");
}

void FunctionEmitter::emitDependencies(OperandRange deps, StringRef args,
                                       StringRef number, Location loc) {
  if (deps.empty())
    return;
  uint64_t count = 0;
  for (Value dep : deps) {
    auto array = dyn_cast<graph::ArrayType>(dep.getType());
    count += array ? array.getSize() : 1;
  }
  constexpr uint64_t limit = 128;
  if (count > limit)
    error(loc, DiagnosticCode::CodegenLimit)
        << "a task has " << count << " explicit dependencies; the limit is "
        << limit;
  // Ids that were never set, such as of a launch in an arm that did not run,
  // are left out. The array outlives the submit.
  std::string array = getName("deps_t" + number);
  std::string size = getName("num_deps_t" + number);
  out.line("PTO2TaskId " + array + "[" + Twine(count) + "];");
  out.line("uint32_t " + size + " = 0;");
  for (Value dep : deps) {
    std::string id = use(dep);
    bool isArray = isa<graph::ArrayType>(dep.getType());
    if (isArray) {
      std::string element = getName("dep");
      out.open("for (const PTO2TaskId &" + element + " : " + id + ") {");
      id = element;
    }
    out.open("if (" + id + ".is_valid()) {");
    out.line(array + "[" + size + "++] = " + id + ";");
    out.close();
    if (isArray)
      out.close();
  }
  out.line(args + ".set_dependencies(" + array + ", " + size + ");");
}

static StringRef getComparisonName(Comparison comparison) {
  switch (comparison) {
  case Comparison::EQ:
    return "PTO2Comparison::EQ";
  case Comparison::NE:
    return "PTO2Comparison::NE";
  case Comparison::LT:
    return "PTO2Comparison::LT";
  case Comparison::LE:
    return "PTO2Comparison::LE";
  case Comparison::GT:
    return "PTO2Comparison::GT";
  case Comparison::GE:
    return "PTO2Comparison::GE";
  }
  llvm_unreachable("unknown comparison");
}

void FunctionEmitter::emitPredicate(SubmitOp op, StringRef args,
                                    StringRef number) {
  if (!op.getGate())
    return;
  SmallVector<std::string> indices;
  ValueRange values = op.getGateIndices();
  ArrayRef<int64_t> literals = *op.getStaticGateIndices();
  for (int64_t index : literals) {
    if (!ShapedType::isDynamic(index)) {
      indices.push_back(std::to_string(index));
      continue;
    }
    indices.push_back(convertTo("uint32_t", use(values.front())));
    values = values.drop_front();
  }
  std::string at = emitExtents(("gate_t" + number + "_at").str(), indices);
  out.line(args + ".set_predicate(" + use(op.getGate()) + ", " +
           Twine(indices.size()) + ", " + at + ", " +
           getComparisonName(*op.getGateComparison()) + ", " +
           use(op.getGateRhs()) + ");");
}

void FunctionEmitter::emitLaunchSpec(LaunchOpInterface launch, FuncOp callee,
                                     StringRef args) {
  auto submit = dyn_cast<SubmitOp>(launch.getOperation());
  if (submit && submit.getCoreNum())
    out.line(args + ".launch_spec.set_block_num(" +
             convertTo("int32_t", use(submit.getCoreNum())) + ");");
  else if (std::optional<int64_t> blocks = callee.getCoreNum())
    out.line(args + ".launch_spec.set_block_num(" + Twine(*blocks) + ");");
  if (submit && submit.getSyncStart())
    out.line(args + ".launch_spec.set_sync_start(true);");
}

bool FunctionEmitter::checkTask(LaunchOpInterface launch, size_t numTensors,
                                size_t numScalars) {
  constexpr size_t maxTensors = 32, maxScalars = 16;
  if (numTensors <= maxTensors && numScalars <= maxScalars)
    return true;
  error(launch->getLoc(), DiagnosticCode::CodegenLimit)
      << "a task has " << numTensors << " tensors and " << numScalars
      << " scalars; the limits are " << maxTensors << " and " << maxScalars;
  return false;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

SmallVector<GraphTensorType>
FunctionEmitter::getRuntimeOutputs(LaunchOpInterface launch, FuncOp callee) {
  SmallVector<GraphTensorType> types;
  for (Type type :
       callee.getArgumentTypes().drop_front(launch.getLaunchArgs().size()))
    types.push_back(dyn_cast<GraphTensorType>(type));
  for (auto [i, type] : llvm::enumerate(callee.getResultTypes())) {
    if (callee.getTiedParam(i))
      continue;
    auto tensor = dyn_cast<GraphTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      error(launch->getLoc(), DiagnosticCode::CodegenUnsupported)
          << "result #" << i << " of '@" << callee.getSymName()
          << "' is neither a parameter nor a tensor of constant extents, "
             "which the runtime could allocate";
    else
      types.push_back(tensor);
  }
  return types;
}

void FunctionEmitter::bindOutputs(LaunchOpInterface launch, FuncOp callee,
                                  StringRef outputs) {
  unsigned numArgs = launch.getLaunchArgs().size();
  unsigned numUntied = callee.getNumArguments() - numArgs;
  auto bindRef = [&](Value result, unsigned index) {
    if (!isLive(result))
      return;
    out.line("const ChipTensor &" +
             name(result, callee.getSymName().str() + "_out") + " = " +
             outputs + ".get_ref(" + Twine(index) + ");");
  };
  for (auto [i, result] : llvm::enumerate(launch.getLaunchOutputs())) {
    std::optional<unsigned> tied = callee.getTiedParam(i);
    if (!tied)
      bindRef(result, numUntied++);
    else if (*tied >= numArgs)
      bindRef(result, *tied - numArgs);
  }
  Value task = launch.getLaunchTaskId();
  if (task && isLive(task))
    out.line("const PTO2TaskId " +
             name(task, callee.getSymName().str() + "_id") + " = " + outputs +
             ".task_id();");
}

/// Whether anything of what a launch gives back is read but its operands.
static bool needsOutputs(LaunchOpInterface launch, FuncOp callee,
                         const Liveness &liveness) {
  if (Value task = launch.getLaunchTaskId(); task && liveness.isLive(task))
    return true;
  unsigned numArgs = launch.getLaunchArgs().size();
  for (auto [i, result] : llvm::enumerate(launch.getLaunchOutputs()))
    if (liveness.isLive(result) &&
        callee.getTiedParam(i).value_or(numArgs) >= numArgs)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// The call that submits a kernel of this kind, up to the arguments. A kernel
/// that may use both units is one kernel on each of them.
static std::string getSubmit(FuncOp callee, StringRef id) {
  if (callee.getKind() == FunctionKind::AIV)
    return ("rt_submit_aiv_task(" + id + ", ").str();
  if (callee.getKind() == FunctionKind::AIC)
    return ("rt_submit_aic_task(" + id + ", ").str();
  return ("rt_submit_task(MixedKernels{" + id + ", " + id + ", " + id + "}, ")
      .str();
}

void FunctionEmitter::emitTaskComment(Operation *op, StringRef what,
                                      unsigned number) {
  std::string where = describeLocation(op->getLoc());
  out.line("// Task " + Twine(number) + ": " + sanitizeComment(what) +
           (where.empty() ? "" : " (" + where + ")"));
}

void FunctionEmitter::emitTask(LaunchOpInterface launch, FuncOp callee) {
  std::string number = std::to_string(numTasks++);
  SmallVector<unsigned> tensors, scalars;
  for (auto [i, arg] : llvm::enumerate(launch.getLaunchArgs()))
    (isa<GraphTensorType>(arg.getType()) ? tensors : scalars).push_back(i);
  SmallVector<GraphTensorType> outputs = getRuntimeOutputs(launch, callee);
  checkTask(launch, tensors.size() + outputs.size(), scalars.size());

  emitTaskComment(launch, callee.getSymName(), numTasks - 1);
  SmallVector<std::string> infos;
  for (auto [i, type] : llvm::enumerate(outputs))
    infos.push_back(emitCreateInfo(
        type, {}, ("out" + Twine(i) + "_t" + number).str(), launch->getLoc()));
  std::string args = getName("params_t" + number);
  out.line("CoreTaskArgs " + args + ";");
  emitTensorArgs(launch, tensors, args);
  if (!infos.empty())
    out.list(args + ".add_output(", infos, ");");
  emitScalarArgs(launch, scalars, args, "t" + number);
  emitDependencies(launch.getLaunchDeps(), args, number, launch->getLoc());
  emitLaunchSpec(launch, callee, args);
  if (auto submit = dyn_cast<SubmitOp>(launch.getOperation()))
    emitPredicate(submit, args, number);

  std::string submit = getSubmit(callee, program.getName(callee)) + args + ");";
  std::string result;
  if (needsOutputs(launch, callee, liveness)) {
    result = getName("outputs_t" + number);
    out.line("TaskOutputTensors " + result + " = " + submit);
  } else {
    out.line(submit);
  }
  bindOutputs(launch, callee, result);
}

void FunctionEmitter::emitDummy(TaskDummyOp op) {
  std::string number = std::to_string(numTasks++);
  emitTaskComment(op, "no kernel", numTasks - 1);
  std::string args = getName("params_t" + number);
  out.line("CoreTaskArgs " + args + ";");
  emitDependencies(op.getDeps(), args, number, op.getLoc());
  std::string submit = "rt_submit_dummy_task(" + args + ")";
  if (isLive(op.getTask()))
    out.line("const PTO2TaskId " + name(op.getTask(), "dummy_id") + " = " +
             submit + ".task_id();");
  else
    out.line(submit + ";");
}

//===----------------------------------------------------------------------===//
// Graph launches and calls
//===----------------------------------------------------------------------===//

void FunctionEmitter::emitGraphLaunch(LaunchOpInterface launch, FuncOp callee) {
  // A boundary tensor that the runtime would allocate cannot be replayed.
  if (launch.getLaunchArgs().size() != callee.getNumArguments())
    return unsupported(launch);
  std::string number = std::to_string(numTasks++);
  Signature signature = getSignature(callee);
  emitTaskComment(launch, ("graph " + callee.getSymName()).str(), numTasks - 1);
  std::string args = getName("params_t" + number);
  out.line("GraphTaskArgs " + args + ";");
  emitTensorArgs(launch, signature.tensors, args);
  emitScalarArgs(launch, signature.scalars, args, "t" + number);
  out.line("rt_submit_graph(&" + program.getName(callee) + ", " + args + ");");
  // The runtime gives nothing back.
  for (auto [i, result] : llvm::enumerate(launch->getResults())) {
    if (!isLive(result))
      continue;
    InFlightDiagnostic diag =
        error(launch->getLoc(), DiagnosticCode::CodegenUnsupported);
    diag << "result #" << i << " of the launch of graph function '@"
         << callee.getSymName() << "' is used but not tied to a parameter";
    diag.attachNote(callee.getLoc()) << "it is defined here";
    diag.attachNote() << "run normalize-returns, or return a parameter";
  }
}

void FunctionEmitter::emitHelperCall(LaunchOpInterface launch, FuncOp callee) {
  if (isa<SubmitOp>(launch.getOperation())) {
    error(launch->getLoc(), DiagnosticCode::CodegenUnsupported)
        << "host function '@" << callee.getSymName()
        << "' is submitted as a task; call it";
    return;
  }
  SmallVector<std::string> args;
  for (Value arg : launch.getLaunchArgs())
    args.push_back(use(arg));
  for (auto [i, result] : llvm::enumerate(launch.getLaunchOutputs())) {
    if (callee.getTiedParam(i))
      continue;
    declareVariable(result, callee.getSymName().str() + "_result", "");
    args.push_back(use(result));
  }
  out.list(program.getName(callee) + "(", args, ");");
}
