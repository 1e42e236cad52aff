//===- Manifest.h - What a unit wants of its loader -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TARGET_ORCHESTRATION_MANIFEST_H
#define PYPTO_TARGET_ORCHESTRATION_MANIFEST_H

#include "Program.h"

namespace mlir::pypto::orchestration {

/// The manifest of a program as JSON.
std::string getManifest(const Program &program);

} // namespace mlir::pypto::orchestration

#endif // PYPTO_TARGET_ORCHESTRATION_MANIFEST_H
