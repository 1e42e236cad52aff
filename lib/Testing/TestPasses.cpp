//===- TestPasses.cpp - Passes for tests only -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Testing/TestPasses.h"

// Each file of test passes has a registration function of its own.
void mlir::pypto::registerTestPasses() {
  registerTestAnalysisPasses();
  registerTestPropertyPasses();
}
