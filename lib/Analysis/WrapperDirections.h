//===- WrapperDirections.h - What wrappers really write ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_WRAPPERDIRECTIONS_H
#define PYPTO_ANALYSIS_WRAPPERDIRECTIONS_H

#include "Analysis/ValueFlow.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::pypto {

/// A `group` or `spmd` function passes its parameters on to device functions.
/// Its *effective* direction for a parameter is the join of the declared one
/// with the directions of the inner callees' parameters that receive it, in the
/// lattice inout > out > in. What an argument is follows identity lineage. An
/// argument that is only a window of the parameter, or perhaps another buffer,
/// and is written makes a parameter declared `in` an `inout` one: the rest of
/// the buffer lives on.
using WrapperDirections =
    llvm::MapVector<Operation *, SmallVector<graph::ParamDirection>>;

/// The effective directions of every wrapper with a body in `module`, in order
/// of the text: the least fixed point from the declared directions, whatever
/// the order of the functions, also when wrappers call each other. Every body
/// is read once, and each parameter is promoted at most twice.
WrapperDirections computeWrapperDirections(ModuleOp module, CalleeTies &ties);

/// Whether `func` is a wrapper.
inline bool isWrapper(graph::FuncOp func) {
  return func.getKind() == graph::FunctionKind::Group ||
         func.getKind() == graph::FunctionKind::Spmd;
}

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_WRAPPERDIRECTIONS_H
