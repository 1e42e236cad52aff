//===- Registration.h - One place that registers everything -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tools, the plugin and the C API register: a dialect or a pass added
// here is known to all of them.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_REGISTRATION_REGISTRATION_H
#define PYPTO_REGISTRATION_REGISTRATION_H

namespace mlir {
class DialectRegistry;

namespace pypto {

/// Inserts every dialect of this project, with the extensions that upstream
/// dialects need to work with them.
void registerAllDialects(DialectRegistry &registry);

/// Registers every pass and pipeline of this project. May be called more than
/// once.
void registerAllPasses();

} // namespace pypto
} // namespace mlir

#endif // PYPTO_REGISTRATION_REGISTRATION_H
