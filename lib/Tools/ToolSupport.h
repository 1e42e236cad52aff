//===- ToolSupport.h - What the tools have in common ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TOOLS_TOOLSUPPORT_H
#define PYPTO_TOOLS_TOOLSUPPORT_H

namespace mlir {
class DialectRegistry;

namespace pypto {

/// Inserts the upstream dialects that programs with this project's dialects
/// use, with the extensions that the passes below ask for.
void registerUpstreamDialects(DialectRegistry &registry);

/// Registers the upstream passes that are of use on such programs.
void registerUpstreamPasses();

/// What `main` does first: makes crashes ask for a report to this project, and
/// `--version` name it.
void initializeTool();

} // namespace pypto
} // namespace mlir

#endif // PYPTO_TOOLS_TOOLSUPPORT_H
