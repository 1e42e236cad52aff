//===- Run.h - The state of one run -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_RUN_H
#define PYPTO_RUNTIME_RUN_H

#include "Runtime/Engine.h"
#include "Runtime/Functions.h"
#include "Runtime/Recording.h"
#include "Runtime/Runtime.h"

namespace mlir::pypto::runtime {

/// Kernels that run outside of this library.
using KernelBindings = llvm::StringMap<KernelFn>;

/// What a run, its queue and its interpreters share. The first error ends it.
struct Run {
  Run(Functions &functions, const KernelBindings &kernels,
      Recordings &recordings, const RunOptions &options);

  Functions &functions;
  const KernelBindings &kernels;
  Recordings &recordings;
  const RunOptions &options;
  Memory memory;
  Engine engine;
  RunResult result;
  /// In place of the queue while a graph function is recorded.
  std::unique_ptr<Recorder> recorder;
  /// Graph launches so far, and the one that is running or -1.
  int numGraphLaunches = 0;
  int graphLaunch = -1;

  /// Kernel bodies that call each other.
  unsigned kernelDepth = 0;
  uint64_t numSteps = 0;

  /// Ends the run. Returns failure.
  LogicalResult fail(Operation *op, const Twine &message, StringRef rule = "");
  void addEvent(Event::Kind kind, const Function &function, Operation *op,
                std::string reason = "");
  /// One more iteration or call.
  LogicalResult countStep(Operation *op);
};

/// Kernels that call kernels deeper than this are taken for an endless
/// recursion.
inline constexpr unsigned kMaxKernelDepth = 64;

/// A run whose tasks are kept has at most this many.
inline constexpr TaskId kMaxKeptTasks = TaskId(1) << 20;

/// `file:line:column`, or what there is of it.
std::string formatLocation(Location loc);

/// Runs a task whose dependencies are done.
LogicalResult executeTask(Run &run, Task &task);

/// Runs a kernel at once on these tensors and scalars, each in the order of the
/// parameters, with the buffers for untied results behind the tensors. `op` is
/// the launch.
LogicalResult executeKernel(Run &run, Function &kernel, Operation *op,
                            ArrayRef<TensorDescriptor> tensors,
                            ArrayRef<uint64_t> scalars, int64_t blockCount);

/// Whether a kernel's body is interpreted; else it is bound or has none.
bool hasInterpretedBody(const Run &run, const Function &kernel);

/// Whether the predicate holds now.
bool evaluatePredicate(const Run &run, const Predicate &predicate);

/// One element of a tensor on the host; a number made of its history when data
/// is symbolic. The indices are within the extents.
uint64_t readElement(const Run &run, const TensorDescriptor &tensor,
                     ArrayRef<int64_t> indices);

/// Replays a recording.
LogicalResult replay(Run &run, const Definition &definition,
                     const Boundary &boundary, Operation *op,
                     unsigned manualScope);

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_RUN_H
