//===- PyptoGraphModule.cpp - Python extension ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file of the project that is compiled with RTTI and exceptions: it
// talks to MLIR through the C interface alone.
//
//===----------------------------------------------------------------------===//

#include "CAPI/GraphCAPI.h"
#include "mlir-c/Bindings/Python/Interop.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

namespace nb = nanobind;

NB_MODULE(_pyptoGraph, m) {
  m.doc() = "Compiled part of pypto_graph.";

  m.def(
      "register_dialects",
      [](MlirDialectRegistry registry) { pyptoRegisterAllDialects(registry); },
      nb::arg("registry"),
      "Inserts the dialects of pypto_graph into a dialect registry.");

  m.def("register_passes", &pyptoRegisterAllPasses,
        "Makes the passes of pypto_graph known to mlir.passmanager.");
}
