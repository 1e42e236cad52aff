//===- Diagnostics.h - The table of diagnostic codes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every error and warning of the passes carries a stable bracketed code. The
// codes, what they mean, an example and a remedy stand in one table, from which
// `docs/diagnostics.md` and `pypto_graph.explain` are made.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_DIAGNOSTICS_DIAGNOSTICS_H
#define PYPTO_DIAGNOSTICS_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::pypto {

/// The codes, in the order of the table.
enum class DiagnosticCode {
#define PYPTO_DIAGNOSTIC(ENUM, CODE, SUMMARY, MEANING, EXAMPLE, REMEDY) ENUM,
#include "Diagnostics/DiagnosticCodes.def"
};

/// An entry of the table. The texts are Markdown; the example is IR.
struct DiagnosticInfo {
  StringRef code, summary, meaning, example, remedy;
};

/// The whole table.
ArrayRef<DiagnosticInfo> getDiagnostics();

/// The entry of a code.
const DiagnosticInfo &getDiagnosticInfo(DiagnosticCode code);

/// The entry whose code is `code` (without brackets), or null.
const DiagnosticInfo *findDiagnostic(StringRef code);

/// Starts an error or warning at `loc` with its bracketed code.
InFlightDiagnostic emitCodedError(Location loc, DiagnosticCode code);
InFlightDiagnostic emitCodedWarning(Location loc, DiagnosticCode code);

/// Attaches two notes: what is wrong with it, and what to write instead.
void explain(InFlightDiagnostic &diag, const Twine &why, const Twine &instead);

} // namespace mlir::pypto

#endif // PYPTO_DIAGNOSTICS_DIAGNOSTICS_H
