//===- TestPasses.cpp - Passes for tests only -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Testing/TestPasses.h"

// One registration function a test pass, defined in the pass's own file.
void mlir::pypto::registerTestPasses() {}
