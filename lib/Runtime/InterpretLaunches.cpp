//===- InterpretLaunches.cpp - Calls, tasks and graph launches ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Interpreter.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

using RuntimeFunction = mlir::pypto::runtime::Function;

/// Calls nested deeper than this are taken for an endless recursion.
static constexpr unsigned kMaxFrames = 1024;

LogicalResult Interpreter::launch(const LaunchInfo &info) {
  if (!info.callee) {
    Task task;
    task.kind = Task::Kind::Dummy;
    task.op = info.op;
    collectDeps(info, task.deps);
    TaskId id = kNoTask;
    if (!isKernel && !top().deviceScopes &&
        failed(enqueue(std::move(task), {}, id)))
      return failure();
    top().scalars[*info.taskId] = id;
    return success();
  }
  if (!info.callee->problem.empty())
    return fail("calls '@" + Twine(info.callee->name) + "', which " +
                info.callee->problem);
  for (auto [i, arg] : llvm::enumerate(info.args)) {
    const Param &param = info.callee->params[i];
    if (param.isTensor &&
        failed(checkParam(param, top().tensors[arg.index], i)))
      return failure();
  }
  if (info.callee->isDevice())
    return launchTask(info);
  if (isKernel || top().deviceScopes)
    return fail("calls a function of the host in a kernel");
  if (info.callee->isGraph())
    return run.options.replay
               ? launchGraph(info)
               : callFunction(info, run.graphLaunch < 0
                                        ? Frame::AtReturn::LeaveGraph
                                        : Frame::AtReturn::Nothing);
  return callFunction(info, Frame::AtReturn::Nothing);
}

/// What the static extents of a parameter promise holds.
LogicalResult Interpreter::checkParam(const Param &param,
                                      const TensorDescriptor &tensor,
                                      unsigned index) {
  for (auto [expected, actual] : llvm::zip(param.shape, tensor.getShape()))
    if (!ShapedType::isDynamic(expected) && expected != actual)
      return fail("passes " + describe(tensor) + " as argument #" +
                  Twine(index) + ", whose parameter has extent " +
                  Twine(expected));
  return success();
}

void Interpreter::collectDeps(const LaunchInfo &info,
                              SmallVectorImpl<TaskId> &deps) {
  Frame &frame = top();
  for (Reg dep : info.deps) {
    if (dep.cls == RegClass::Array)
      llvm::append_range(deps, *frame.arrays[dep.index]);
    else
      deps.push_back(frame.scalars[dep.index]);
  }
  normalize(deps);
}

unsigned Interpreter::getManualScope() {
  Frame &frame = top();
  return frame.manualScopes.empty() ? 0 : frame.manualScopes.back();
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Buffers the runtime allocates: for omitted parameters, and for results that
/// are tied to none.
LogicalResult Interpreter::addOmitted(const LaunchInfo &info, Task &task,
                                      SmallVectorImpl<Buffer *> &outputs) {
  auto add = [&](ArrayRef<int64_t> shape, ElementType type) {
    if (llvm::is_contained(shape, ShapedType::kDynamic))
      return fail("allocates a result of dynamic extents");
    Buffer *buffer = allocate(shape, type);
    if (!buffer)
      return failure();
    outputs.push_back(buffer);
    task.tensors.push_back(makeTensor(buffer, shape, type));
    task.directions.push_back(ArgDirection::Output);
    return success();
  };
  const RuntimeFunction &callee = *info.callee;
  for (unsigned i = info.args.size(), e = callee.params.size(); i != e; ++i)
    if (failed(add(callee.params[i].shape, callee.params[i].element)))
      return failure();
  for (const LaunchInfo::Result &result : info.results) {
    if (result.param >= 0)
      continue;
    FuncOp function = callee.op;
    auto type =
        dyn_cast<GraphTensorType>(function.getResultTypes()[result.number]);
    if (!type)
      return fail("takes a result from a task that is not a tensor");
    if (failed(add(type.getShape(), *getElementType(type.getElementType()))))
      return failure();
  }
  return success();
}

LogicalResult Interpreter::addPredicate(const LaunchInfo &info, Task &task) {
  if (!info.predicate)
    return success();
  Predicate predicate;
  predicate.gate = top().tensors[info.predicate->gate];
  if (failed(checkedIndices(info.predicate->indices, predicate.gate,
                            predicate.indices)))
    return failure();
  predicate.comparison = info.predicate->comparison;
  predicate.rhs = top().scalars[info.predicate->rhs];
  task.predicate = std::move(predicate);
  return success();
}

LogicalResult Interpreter::buildTask(const LaunchInfo &info, Task &task,
                                     SmallVectorImpl<Buffer *> &outputs) {
  Frame &frame = top();
  const RuntimeFunction &callee = *info.callee;
  task.callee = info.callee;
  task.op = info.op;
  for (auto [i, arg] : llvm::enumerate(info.args)) {
    const Param &param = callee.params[i];
    if (param.isTensor) {
      task.tensors.push_back(frame.tensors[arg.index]);
      task.directions.push_back(info.directions[i]);
    } else if (param.isScalar) {
      task.scalars.push_back(frame.scalars[arg.index]);
      task.slots.push_back(
          arg.index < frame.slots.size() ? frame.slots[arg.index] : -1);
    } else {
      return fail("passes a task id or an array to a task");
    }
  }
  if (failed(addOmitted(info, task, outputs)) ||
      failed(addPredicate(info, task)))
    return failure();
  if (info.coreNum) {
    task.blockCount = static_cast<int64_t>(frame.scalars[*info.coreNum]);
    if (task.blockCount <= 0)
      return fail("launches " + Twine(task.blockCount) + " blocks");
  } else {
    // In a wrapper, its own blocks.
    task.blockCount = callee.coreNum ? callee.coreNum
                      : isKernel     ? frame.blockCount
                                     : 1;
  }
  return success();
}

LogicalResult Interpreter::enqueue(Task task, ArrayRef<Buffer *> outputs,
                                   TaskId &id) {
  Frame &frame = top();
  task.manualScope = getManualScope();
  task.deps.append(frame.inheritedDeps.begin(), frame.inheritedDeps.end());
  task.graphLaunch = run.graphLaunch;
  if (run.options.replay) {
    if (task.tensors.size() > kMaxTaskTensors)
      return fail("launches a task with " + Twine(task.tensors.size()) +
                      " tensors",
                  "a task takes at most 32 tensors");
    if (task.scalars.size() > kMaxTaskScalars)
      return fail("launches a task with " + Twine(task.scalars.size()) +
                      " scalars",
                  "a task takes at most 16 scalars");
  }
  if (!run.recorder) {
    bool isKept = run.options.keepTasks || run.options.order != Order::Program;
    if (isKept && run.engine.getNumTasks() >= kMaxKeptTasks)
      return fail("launches more than " + Twine(kMaxKeptTasks) +
                  " tasks, which is more than can be compared");
    return run.engine.submit(std::move(task), id);
  }
  if (succeeded(run.recorder->addTask(task, outputs, id)))
    return success();
  const RecordingFailure &problem = run.recorder->getFailure();
  return run.fail(problem.op, problem.message, problem.rule);
}

LogicalResult Interpreter::launchTask(const LaunchInfo &info) {
  Task task;
  SmallVector<Buffer *, 2> outputs;
  if (failed(buildTask(info, task, outputs)))
    return failure();
  unsigned numArgTensors = 0;
  for (unsigned i = 0, e = info.args.size(); i != e; ++i)
    numArgTensors += info.callee->params[i].isTensor;
  SmallVector<TensorDescriptor, 2> fresh(
      ArrayRef(task.tensors).drop_front(numArgTensors));
  TaskId id = kNoTask;
  if (isKernel || top().deviceScopes) {
    if (!task.predicate || evaluatePredicate(run, *task.predicate))
      if (failed(executeKernel(run, *info.callee, info.op, task.tensors,
                               task.scalars, task.blockCount)))
        return failure();
  } else {
    collectDeps(info, task.deps);
    if (failed(enqueue(std::move(task), outputs, id)))
      return failure();
  }
  Frame &frame = top();
  unsigned numOmitted = info.callee->params.size() - info.args.size();
  unsigned nextUntied = numOmitted;
  for (TensorDescriptor &tensor : fresh)
    tensor.owner = id;
  for (const LaunchInfo::Result &result : info.results)
    frame.tensors[result.reg.index] =
        result.param >= 0 ? fresh[result.param - info.args.size()]
                          : fresh[nextUntied++];
  if (info.taskId)
    frame.scalars[*info.taskId] = id;
  return success();
}

//===----------------------------------------------------------------------===//
// Calls on the host
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::callFunction(const LaunchInfo &info,
                                        Frame::AtReturn atReturn) {
  RuntimeFunction &callee = *info.callee;
  Code *code = run.functions.getCode(callee);
  if (!code)
    return fail("calls '@" + Twine(callee.name) +
                "', which runs on the host and has no body");
  if (frames.size() >= kMaxFrames)
    return fail("is nested in " + Twine(kMaxFrames) + " calls");
  if (failed(run.countStep(info.op)))
    return failure();
  Task omitted;
  SmallVector<Buffer *, 2> outputs;
  if (info.args.size() != callee.params.size()) {
    // Only parameters are omitted here: what is returned comes from the body.
    LaunchInfo onlyParams;
    onlyParams.op = info.op;
    onlyParams.callee = info.callee;
    onlyParams.args = info.args;
    if (failed(addOmitted(onlyParams, omitted, outputs)))
      return failure();
  }
  // A predicate on a call that is no task: look now, unless it launches a graph
  // the runtime drops it of.
  if (info.predicate && !(callee.isGraph() && run.options.replay)) {
    Task gate;
    if (failed(addPredicate(info, gate)) ||
        failed(run.engine.waitFor(gate.predicate->gate)))
      return failure();
    if (!evaluatePredicate(run, *gate.predicate)) {
      if (!info.results.empty())
        return fail("does not run, but its results are not its operands");
      if (info.taskId)
        top().scalars[*info.taskId] = kNoTask;
      return success();
    }
  }
  SmallVector<TaskId, 2> deps = top().inheritedDeps;
  collectDeps(info, deps);
  normalize(deps);
  unsigned manualScope = getManualScope();
  Frame &frame = push(*code);
  Frame &caller = *frames[frames.size() - 2];
  frame.function = &callee;
  frame.launch = &info;
  frame.atReturn = atReturn;
  frame.firstTask = run.engine.getNumTasks() + 1;
  frame.inheritedDeps = std::move(deps);
  if (manualScope)
    frame.manualScopes.push_back(manualScope);
  if (atReturn == Frame::AtReturn::LeaveGraph)
    run.graphLaunch = run.numGraphLaunches++;
  bool inheritsSlots = callee.kind == FunctionKind::Inline;
  for (auto [arg, param] : llvm::zip(info.args, code->params)) {
    switch (param.cls) {
    case RegClass::Scalar:
      frame.scalars[param.index] = caller.scalars[arg.index];
      // An inlined function's parameter is the operand itself.
      if (inheritsSlots && arg.index < caller.slots.size())
        frame.slots[param.index] = caller.slots[arg.index];
      break;
    case RegClass::Tensor:
      frame.tensors[param.index] = caller.tensors[arg.index];
      break;
    case RegClass::Array:
      frame.arrays[param.index] = caller.arrays[arg.index];
      break;
    case RegClass::Tile:
      frame.tiles[param.index] = caller.tiles[arg.index];
      break;
    }
  }
  for (auto [i, tensor] : llvm::enumerate(omitted.tensors))
    frame.tensors[code->params[info.args.size() + i].index] = tensor;
  return success();
}

//===----------------------------------------------------------------------===//
// Graph launches
//===----------------------------------------------------------------------===//

/// Why a launch runs as ordinary tasks whatever has been recorded; empty when
/// it does not.
std::string Interpreter::getFallbackReason(const LaunchInfo &info) {
  const RuntimeFunction &callee = *info.callee;
  unsigned numTensors = callee.tensorParams.size();
  if (numTensors == 0)
    return "it has no boundary tensor";
  if (numTensors > kMaxBoundaryTensors)
    return "it has " + std::to_string(numTensors) +
           " boundary tensors, at most 128 are recorded";
  if (callee.scalarParams.size() > kMaxBoundaryScalars)
    return "it has " + std::to_string(callee.scalarParams.size()) +
           " boundary scalars, at most 64 are recorded";
  if (info.args.size() != callee.params.size() ||
      llvm::is_contained(info.directions, ArgDirection::Output))
    return "the runtime allocates one of its boundary tensors";
  if (!info.deps.empty())
    return "it has an explicit dependency";
  return "";
}

bool Interpreter::getBoundary(const LaunchInfo &info, Boundary &boundary) {
  Frame &frame = top();
  const RuntimeFunction &callee = *info.callee;
  for (unsigned number : callee.slots) {
    unsigned index = callee.tensorParams[number];
    boundary.tensors.push_back(frame.tensors[info.args[index].index]);
    boundary.directions.push_back(info.directions[index]);
  }
  for (unsigned index : callee.scalarParams)
    boundary.scalars.push_back(frame.scalars[info.args[index].index]);
  return callee.tensorParams.size() + callee.scalarParams.size() ==
         callee.params.size();
}

/// Nothing comes out of a recording but what its boundary names.
LogicalResult Interpreter::checkResults(const LaunchInfo &info) {
  for (const LaunchInfo::Result &result : info.results)
    if (!info.op->getResult(result.number).use_empty())
      return fail("uses result #" + Twine(result.number) +
                      " of a graph launch, which is none of its arguments",
                  "a graph function hands nothing back: a replay knows its "
                  "boundary only");
  return success();
}

LogicalResult Interpreter::launchGraph(const LaunchInfo &info) {
  RuntimeFunction &callee = *info.callee;
  if (info.predicate)
    run.addEvent(Event::Kind::Dropped, callee, info.op,
                 "the predicate on the launch");
  if (info.coreNum)
    run.addEvent(Event::Kind::Dropped, callee, info.op,
                 "the block count of the launch");
  auto fallBack = [&](std::string reason) {
    run.addEvent(Event::Kind::Fallback, callee, info.op, std::move(reason));
    bool isOutermost = run.graphLaunch < 0 && !run.recorder;
    return callFunction(info, isOutermost ? Frame::AtReturn::LeaveGraph
                                          : Frame::AtReturn::Nothing);
  };
  std::string reason = getFallbackReason(info);
  if (!reason.empty())
    return fallBack(std::move(reason));
  if (run.recorder)
    return fail("launches a graph function while another one is recorded",
                "a graph launch inside of a recording makes it unusable");
  Boundary boundary;
  if (!getBoundary(info, boundary))
    return fail("passes a task id or an array to a graph function",
                "a boundary has tensors and scalars only");
  if (info.taskId)
    top().scalars[*info.taskId] = kNoTask;
  if (const Definition *definition = run.recordings.lookup(&callee)) {
    std::string difference =
        getDifference(definition->signature, boundary.getSignature());
    if (!difference.empty())
      return fallBack("its signature is not the recorded one: " + difference);
    if (failed(checkResults(info)))
      return failure();
    run.addEvent(Event::Kind::Replayed, callee, info.op);
    run.graphLaunch = run.numGraphLaunches++;
    LogicalResult result =
        replay(run, *definition, boundary, info.op, getManualScope());
    run.graphLaunch = -1;
    return result;
  }
  if (run.recordings.definitions.size() == kMaxDefinitions)
    return fallBack("the cache holds 16 recordings");
  if (failed(checkResults(info)) ||
      failed(callFunction(info, Frame::AtReturn::EndRecording)))
    return failure();
  // Its scalar parameters are the boundary slots.
  Frame &frame = top();
  for (unsigned index : callee.scalarParams)
    frame.slots[frame.code->params[index].index] = callee.params[index].number;
  frame.inheritedDeps.clear();
  frame.manualScopes.clear();
  run.recorder = std::make_unique<Recorder>(callee, std::move(boundary));
  return success();
}

LogicalResult Interpreter::endRecording() {
  const LaunchInfo &info = *top().launch;
  pop();
  std::unique_ptr<Recorder> recorder = std::move(run.recorder);
  std::unique_ptr<Definition> definition = recorder->take();
  Recordings &recordings = run.recordings;
  definition->number = recordings.definitions.size();
  recordings.byFunction[info.callee] = definition->number;
  recordings.definitions.push_back(std::move(definition));
  run.addEvent(Event::Kind::Recorded, *info.callee, info.op);
  run.graphLaunch = run.numGraphLaunches++;
  LogicalResult result =
      replay(run, *recordings.definitions.back(), recorder->getBoundary(),
             info.op, getManualScope());
  run.graphLaunch = -1;
  return result;
}
