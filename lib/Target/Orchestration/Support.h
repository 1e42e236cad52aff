//===- Support.h - Helper functions of emitted code -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TARGET_ORCHESTRATION_SUPPORT_H
#define PYPTO_TARGET_ORCHESTRATION_SUPPORT_H

#include "mlir/Support/LLVM.h"
#include <string>

namespace mlir::pypto::orchestration {

/// Functions that emitted code defines for itself, each one only where it is
/// called: an unused one would be a warning.
class Support {
public:
  /// Says that the helper `name` is called. It must exist.
  void require(StringRef name);
  /// `require`, and the name for use in an expression.
  std::string call(StringRef name, ArrayRef<std::string> args);

  /// The definitions of all that is required, and of what they call.
  std::string getDefinitions() const;

private:
  uint64_t required = 0;
};

} // namespace mlir::pypto::orchestration

#endif // PYPTO_TARGET_ORCHESTRATION_SUPPORT_H
