//===- Upstream.h - Upstream dialects and passes of the tools ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TOOLS_UPSTREAM_H
#define PYPTO_TOOLS_UPSTREAM_H

namespace mlir {
class DialectRegistry;

namespace pypto {

/// Inserts the upstream dialects that programs with this project's dialects
/// use, with the extensions that the passes below ask for.
void registerUpstreamDialects(DialectRegistry &registry);

/// Registers the upstream passes that are of use on such programs.
void registerUpstreamPasses();

/// The message printed in front of a crash backtrace, for setBugReportMsg.
extern const char *const bugReportMessage;

} // namespace pypto
} // namespace mlir

#endif // PYPTO_TOOLS_UPSTREAM_H
