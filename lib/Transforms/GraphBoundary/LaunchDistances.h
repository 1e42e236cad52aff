//===- LaunchDistances.h - Distances of boundary tensors --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far tensors of a graph function are apart is known where they are windows
// of one another in it; else the launches say it, each in its own terms.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TRANSFORMS_GRAPHBOUNDARY_LAUNCHDISTANCES_H
#define PYPTO_TRANSFORMS_GRAPHBOUNDARY_LAUNCHDISTANCES_H

#include "Transforms/GraphBoundary/LaunchGroups.h"

namespace mlir::pypto {

/// Whether two windows of one buffer may have the same shape.
bool mayHaveSameShape(graph::GraphTensorType a, graph::GraphTensorType b);

/// The type of a boundary tensor at a launch, which may say more of its extents
/// than a parameter does.
graph::GraphTensorType getTypeAt(Value value, graph::LaunchOpInterface launch);

/// What a boundary tensor is in a message.
std::string describeTensor(const BoundaryPlan &plan, unsigned tensor);

/// Distances of the tensors of one graph function, as its launches pass them.
class LaunchDistances {
public:
  LaunchDistances(const BoundaryPlan &plan, HostOrigins &hostOrigins)
      : plan(plan), hostOrigins(hostOrigins), origins(*plan.identity) {}

  /// Where the tensors lie in terms of the graph function.
  Origins &getOrigins() { return origins; }
  Origins &getOriginsAt(graph::LaunchOpInterface launch) {
    return hostOrigins.get(launch->getParentOfType<graph::FuncOp>());
  }
  /// The parameter or allocation a boundary tensor is of.
  Value getRoot(unsigned tensor) {
    return origins.get(plan.tensors[tensor].value).roots.front();
  }

  /// What a caller wants to know of a distance; more is not computed. Whether
  /// they are equal is asked of launches that pass them in one shape alone:
  /// where they differ in it, a recording of equal ones is not replayed.
  enum class Question { IsConstant, AreEqual };
  /// How far `a` is from `b`, over all launches of a group that pass them in
  /// one buffer.
  Distance getDistance(Value a, Value b, const LaunchGroup &group,
                       Question question);
  /// Calls `test` with the distances of `a` from `b` at the launches of the
  /// group that may record, with empty forms where it is not known; returns
  /// whether it returned true for all.
  bool
  allWhenRecorded(Value a, Value b, const LaunchGroup &group,
                  function_ref<bool(const Distance &, const Recorder &)> test);
  bool isNeverEqualWhenRecorded(Value a, Value b, const LaunchGroup &group);
  /// Whether two tensors certainly have one shape at a launch.
  bool haveOneShape(Value a, Value b, graph::LaunchOpInterface launch);

  Distance measureAt(graph::LaunchOpInterface launch, const Origin &a,
                     const Origin &b) {
    return measure(atLaunch(a, launch), atLaunch(b, launch), launch);
  }
  /// Where a tensor of the graph function lies at a launch, in terms of the
  /// caller.
  Origin atLaunch(const Origin &origin, graph::LaunchOpInterface launch);
  /// The same where control flow of the caller chooses among several buffers:
  /// in each of them; none when they are not known.
  SmallVector<Origin, 2> getAlternativesAt(const Origin &origin,
                                           graph::LaunchOpInterface launch);

private:
  /// `result` is where the tensor lies that is passed for the anchor.
  Origin atLaunch(const Origin &origin, graph::LaunchOpInterface launch,
                  Origin result);
  std::optional<AffineForm> atLaunch(const AffineForm &form,
                                     graph::LaunchOpInterface launch,
                                     Origins &callerOrigins, unsigned depth);

  const BoundaryPlan &plan;
  HostOrigins &hostOrigins;
  Origins origins;
};

} // namespace mlir::pypto

#endif // PYPTO_TRANSFORMS_GRAPHBOUNDARY_LAUNCHDISTANCES_H
