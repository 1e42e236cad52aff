//===- Program.h - Behind the public interface ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_PROGRAM_H
#define PYPTO_RUNTIME_PROGRAM_H

#include "Runtime/Run.h"

namespace mlir::pypto::runtime {

struct Program::Impl {
  explicit Impl(ModuleOp module) : functions(module) {}

  Functions functions;
  KernelBindings kernels;
  /// Recordings of the last run by record and replay.
  Recordings recordings;

  /// Starts a run of `entry`: executes it in `run`, whose result says how it
  /// went. The descriptors of the tensor arguments are left in `tensors`.
  void execute(Run &run, StringRef entry, ArrayRef<Argument> arguments,
               SmallVectorImpl<TensorDescriptor> &tensors);
};

/// Explains where the tasks of two runs of one call differ, and what the replay
/// had recorded there; nothing when they do not.
std::optional<Culprit> findCulprit(const Run &eager, const Run &replayed);

/// Two tasks of `run` that touch the same elements, one writing, without an
/// order between them.
std::optional<Race> findRace(const Run &run);

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_PROGRAM_H
