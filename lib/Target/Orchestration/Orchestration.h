//===- Orchestration.h - C++ for the host_build_graph runtime ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module whose graph functions are legal becomes one C++ translation unit
// that the runtime compiles and runs, and a manifest that says what the unit
// wants of whoever loads it: kernels by id, the parameters of each, the entry.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TARGET_ORCHESTRATION_ORCHESTRATION_H
#define PYPTO_TARGET_ORCHESTRATION_ORCHESTRATION_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::pypto {

struct OrchestrationOptions {
  /// The function that becomes the entry; when empty the one host function that
  /// nobody calls.
  std::string entry;
  /// Whether to check first that the properties hold that the emitted code
  /// relies on. Without, code is emitted for whatever has a translation; what
  /// would be copied out of its slot is still refused.
  bool verify = true;
};

/// The texts a module becomes.
struct OrchestrationUnit {
  /// C++.
  std::string source;
  /// JSON.
  std::string manifest;
};

/// Translates `module`, which has to have the properties that
/// `graph-legalize-pipeline` establishes. Emits an error for everything that
/// has no translation, and fails when there is any. The same module gives the
/// same bytes. The module is not changed.
FailureOr<OrchestrationUnit>
translateToOrchestration(ModuleOp module,
                         const OrchestrationOptions &options = {});

} // namespace mlir::pypto

#endif // PYPTO_TARGET_ORCHESTRATION_ORCHESTRATION_H
