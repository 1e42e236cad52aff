//===- TestPasses.h - Passes for tests only ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TESTING_TESTPASSES_H
#define PYPTO_TESTING_TESTPASSES_H

namespace mlir {
namespace pypto {

/// Registers the `test-…` passes, which print what the analyses say. Known to
/// pypto-opt only.
void registerTestPasses();

void registerTestAnalysisPasses();
void registerTestPropertyPasses();

} // namespace pypto
} // namespace mlir

#endif // PYPTO_TESTING_TESTPASSES_H
