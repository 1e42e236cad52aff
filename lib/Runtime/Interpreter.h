//===- Interpreter.h - Runs translated functions ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop over instructions with a stack of frames of its own, for the host
// (where launches go into the queue or a recording) and for kernel bodies
// (where calls of other kernels run at once).
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_INTERPRETER_H
#define PYPTO_RUNTIME_INTERPRETER_H

#include "Runtime/Run.h"

namespace mlir::pypto::runtime {

using ArrayPtr = std::shared_ptr<std::vector<uint64_t>>;

/// A call in progress.
struct Frame {
  const Code *code = nullptr;
  Function *function = nullptr;
  uint32_t pc = 0;
  std::vector<uint64_t> scalars;
  std::vector<TensorDescriptor> tensors;
  std::vector<ArrayPtr> arrays;
  std::vector<TilePtr> tiles;
  /// For each scalar register that is a parameter: the boundary slot it is, or
  /// -1.
  SmallVector<int, 8> slots;
  /// Blocks of the task whose kernel this is.
  int64_t blockCount = 1;

  /// The launch in the calling frame; null for the outermost.
  const LaunchInfo *launch = nullptr;
  enum class AtReturn : uint8_t { Nothing, LeaveGraph, EndRecording };
  AtReturn atReturn = AtReturn::Nothing;
  /// Of a call that was submitted: the tasks from this one on are its own.
  TaskId firstTask = kNoTask;
  /// Tasks launched in it wait for these.
  SmallVector<TaskId, 2> inheritedDeps;
  /// The manual scopes that are open, innermost last.
  SmallVector<unsigned, 2> manualScopes;
  /// The body of a structured operation: kept when it returns.
  bool isPoint = false;
  /// Open device scopes: launches in them run at once.
  unsigned deviceScopes = 0;

  void reset(const Code &code);
};

class Interpreter {
public:
  /// `isKernel`: interprets the body of a task.
  Interpreter(Run &run, bool isKernel) : run(run), isKernel(isKernel) {}

  /// Runs a function. `bind` fills the registers of its parameters; afterwards
  /// `finish`, when given, may look at those of its operands of return.
  LogicalResult call(Function &function, int64_t blockCount,
                     llvm::function_ref<void(Frame &)> bind,
                     llvm::function_ref<LogicalResult(Frame &)> finish = {});

private:
  LogicalResult loop();
  LogicalResult fail(const Twine &message, StringRef rule = "") {
    return run.fail(top().code->ops[top().pc], message, rule);
  }
  Frame &top() { return *frames.back(); }
  Operation *getOp() { return top().code->ops[top().pc]; }
  Frame &push(const Code &code);
  void pop();

  // Values.
  SmallVector<int64_t, 4> getList(const MixedList &list);
  LogicalResult checkedIndices(const MixedList &list,
                               const TensorDescriptor &tensor,
                               SmallVectorImpl<int64_t> &indices);

  // Buffers (InterpretGraph.cpp).
  LogicalResult create(const CreateInfo &info);
  LogicalResult full(const FullInfo &info);
  LogicalResult slice(const SliceInfo &info);
  LogicalResult view(const ViewInfo &info);
  LogicalResult castTensor(const CastInfo &info);
  LogicalResult read(const ReadInfo &info);
  LogicalResult createArray(const ArrayInfo &info);
  LogicalResult insertElement(const ArrayInfo &info);
  LogicalResult extractElement(const ArrayInfo &info);
  LogicalResult beginScope(const ScopeInfo &info);
  void endScope(const ScopeInfo &info);
  Buffer *allocate(ArrayRef<int64_t> shape, ElementType type);

  // Launches (InterpretLaunches.cpp).
  LogicalResult launch(const LaunchInfo &info);
  LogicalResult buildTask(const LaunchInfo &info, Task &task,
                          SmallVectorImpl<Buffer *> &outputs);
  LogicalResult addOmitted(const LaunchInfo &info, Task &task,
                           SmallVectorImpl<Buffer *> &outputs);
  LogicalResult addPredicate(const LaunchInfo &info, Task &task);
  LogicalResult checkParam(const Param &param, const TensorDescriptor &tensor,
                           unsigned index);
  LogicalResult enqueue(Task task, ArrayRef<Buffer *> outputs, TaskId &id);
  LogicalResult launchTask(const LaunchInfo &info);
  LogicalResult callFunction(const LaunchInfo &info, Frame::AtReturn atReturn);
  LogicalResult launchGraph(const LaunchInfo &info);
  LogicalResult checkResults(const LaunchInfo &info);
  bool getBoundary(const LaunchInfo &info, Boundary &boundary);
  std::string getFallbackReason(const LaunchInfo &info);
  LogicalResult returnFrom(ArrayRef<Reg> operands);
  LogicalResult endRecording();
  void collectDeps(const LaunchInfo &info, SmallVectorImpl<TaskId> &deps);
  unsigned getManualScope();

  // Tiles (InterpretTiles.cpp).
  LogicalResult loadTile(const TileAccess &info);
  LogicalResult storeTile(const TileAccess &info);
  LogicalResult mapTile(const ScalarCall &info);
  LogicalResult callTile(const TileCall &info);
  LogicalResult runStructured(const StructuredInfo &info);
  LogicalResult checkTile(const TileAccess &info,
                          const TensorDescriptor &tensor,
                          ArrayRef<int64_t> shape, TensorDescriptor &window);

  Run &run;
  bool isKernel;
  std::vector<std::unique_ptr<Frame>> frames, pool;
  /// Runs the operands of the outermost return.
  llvm::function_ref<LogicalResult(Frame &)> finish;
  unsigned numManualScopes = 0;
};

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_INTERPRETER_H
