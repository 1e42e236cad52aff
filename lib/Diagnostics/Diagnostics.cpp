//===- Diagnostics.cpp - The table of diagnostic codes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"

using namespace mlir;
using namespace mlir::pypto;

static const DiagnosticInfo table[] = {
#define PYPTO_DIAGNOSTIC(ENUM, CODE, SUMMARY, MEANING, EXAMPLE, REMEDY)        \
  {CODE, SUMMARY, MEANING, EXAMPLE, REMEDY},
#include "Diagnostics/DiagnosticCodes.def"
};

ArrayRef<DiagnosticInfo> mlir::pypto::getDiagnostics() { return table; }

const DiagnosticInfo &mlir::pypto::getDiagnosticInfo(DiagnosticCode code) {
  return table[static_cast<unsigned>(code)];
}

const DiagnosticInfo *mlir::pypto::findDiagnostic(StringRef code) {
  const auto *it = llvm::find_if(
      table, [&](const DiagnosticInfo &info) { return info.code == code; });
  return it == std::end(table) ? nullptr : it;
}

InFlightDiagnostic mlir::pypto::emitCodedError(Location loc,
                                               DiagnosticCode code) {
  return emitError(loc) << "[" << getDiagnosticInfo(code).code << "] ";
}

InFlightDiagnostic mlir::pypto::emitCodedWarning(Location loc,
                                                 DiagnosticCode code) {
  return emitWarning(loc) << "[" << getDiagnosticInfo(code).code << "] ";
}

void mlir::pypto::explain(InFlightDiagnostic &diag, const Twine &why,
                          const Twine &instead) {
  diag.attachNote() << why;
  diag.attachNote() << instead;
}
