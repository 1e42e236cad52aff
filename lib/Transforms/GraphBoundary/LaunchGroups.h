//===- LaunchGroups.h - Launches that may share a recording -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of the tensors a launch passes are one buffer is part of the signature
// of a recording: launches where others share one never replay each other.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_LAUNCHGROUPS_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_LAUNCHGROUPS_H

#include "Transforms/GraphBoundary/Origins.h"
#include "Transforms/GraphBoundary/Plan.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::pypto {

/// Which parameters of host functions may be passed one buffer by the calls in
/// the module. Parameters of a function that nothing calls are taken for
/// different buffers, unless `strict`.
class ParamAliases {
public:
  ParamAliases(const GraphModule &module, bool strict);

  void propagate(CalleeTies &ties, HostOrigins &hostOrigins);

  /// The value that stands for all the parameters `root` may be the same as.
  Value getClass(Value root) const;

private:
  /// Unites the parameters of `callee` that get the same root.
  bool unite(graph::CallOp call, graph::FuncOp callee, Origins &origins);

  bool strict;
  llvm::MapVector<Operation *, SmallVector<graph::CallOp>> callsFrom;
  llvm::EquivalenceClasses<Value> classes;
};

/// A launch that may be the first one of a run, which records.
struct Recorder {
  graph::LaunchOpInterface launch;
  /// Whether it then is in the first iteration of all loops around it.
  bool isFirstIteration;
};

/// Launches of one function, and those of them that may record.
struct Launches {
  SmallVector<graph::LaunchOpInterface, 1> all;
  SmallVector<Recorder, 1> recorders;
};

/// Launches of one function among which recordings are replayed.
struct LaunchGroup {
  Launches launches;
  /// Pairs of parameters that may be one buffer, with the launches where.
  DenseMap<std::pair<Value, Value>, Launches> shared;
  /// Whether it is certain which parameters are: then they are at all launches
  /// of the group, or at none.
  bool isCertain = true;

  static std::pair<Value, Value> getKey(Value a, Value b) {
    return a.getAsOpaquePointer() < b.getAsOpaquePointer() ? std::pair(a, b)
                                                           : std::pair(b, a);
  }
  bool mayShare(Value rootA, Value rootB) const {
    return rootA == rootB || shared.contains(getKey(rootA, rootB));
  }
  /// The launches at which the two may be one buffer.
  const Launches &getLaunches(Value rootA, Value rootB) const;
};

/// The launches of the function of `plan` by the parameters that share buffers;
/// all in one group when that is not certain of each. One empty group when
/// there are none.
SmallVector<LaunchGroup, 0> groupLaunches(const BoundaryPlan &plan,
                                          HostOrigins &hostOrigins,
                                          const ParamAliases &aliases);

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_LAUNCHGROUPS_H
