//===- TopologyCount.h - Nodes that a recording has -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_ANALYSIS_TOPOLOGYCOUNT_H
#define PYPTO_ANALYSIS_TOPOLOGYCOUNT_H

#include "Analysis/AllocationBatches.h"
#include "Analysis/IdentityLineage.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::pypto {

/// Counts the nodes that recording the function once makes: each call or submit
/// of a device function and each dummy is one, allocations are packed as
/// `AllocationBatches` says; a constant-trip loop counts its body once an
/// iteration, an `scf.if` its larger arm (each arm a list of its own), a scope
/// its body. Saturates at the largest 64-bit value.
///
/// A loop without a constant trip count (or an `scf.while`) that holds nodes,
/// is not countable: its body is left out. So is a region of several blocks.
/// Saturation is sticky.
///
/// Callees are not looked up: every call and submit counts as a launch.
/// `ignore` names allocations that do not count because they are moved out, and
/// calls that do not because they are no launches of device functions. With
/// `identity`, bounds of loops that are constants by it are constants (see
/// `getConstantTripCount`). Linear in the operations of the body.
uint64_t countTopology(graph::FuncOp func,
                       llvm::function_ref<bool(Operation *)> ignore = {});
uint64_t countTopology(graph::FuncOp func, const IdentityLineage &identity,
                       llvm::function_ref<bool(Operation *)> ignore = {});

} // namespace mlir::pypto

#endif // PYPTO_ANALYSIS_TOPOLOGYCOUNT_H
