//===- RuntimeModule.h - Python extension, runtime model --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_BINDINGS_RUNTIMEMODULE_H
#define PYPTO_BINDINGS_RUNTIMEMODULE_H

#include <nanobind/nanobind.h>

/// Adds the class `Program`; see `pypto_graph.runtime`.
void addRuntimeModel(nanobind::module_ &m);

#endif // PYPTO_BINDINGS_RUNTIMEMODULE_H
