//===- HostLaunches.h - Rules for what one run launches ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_VERIFY_HOSTLAUNCHES_H
#define PYPTO_VERIFY_HOSTLAUNCHES_H

#include "Analysis/IdentityLineage.h"

namespace mlir::pypto {

/// What the functions of a module that run on the host launch, and what follows
/// for one run, which starts at an *entry*: an `orchestration` or `opaque`
/// function that nothing in the module calls. No pass decides any of this, so
/// the pass and the verifier ask the same code.
///
/// Only functions compiled for `host_build_graph` are looked at; the limits are
/// those of that runtime.
class HostLaunches {
public:
  explicit HostLaunches(CalleeTies &ties) : ties(ties) {}
  /// One walk over the module.
  HostLaunches(ModuleOp module, CalleeTies &ties);

  /// The same during a walk, in pre-order, that something else makes anyway.
  /// `launch` is `op` as a launch, if it is one.
  void visit(Operation *op, graph::LaunchOpInterface launch);
  /// To be called after all operations have been visited.
  void finish();

  /// Reports tasks launched by the host with more tensors, scalars or
  /// dependencies than fit, and entries that launch more graph functions than
  /// the runtime keeps recordings of.
  LogicalResult check() const;

  /// Warns of entries that launch nearly as many, and of launches that never
  /// replay what another launch of the function records. `strictAliasing` says
  /// that different parameters of an entry may be one buffer; `lineages` are
  /// those of the functions of the host.
  void warn(bool strictAliasing, IdentityLineages &lineages) const;

private:
  struct Function {
    graph::FuncOp func;
    /// Launches of graph functions and calls of host functions with a body, in
    /// the order of the text.
    SmallVector<std::pair<graph::LaunchOpInterface, graph::FuncOp>> launches;
    bool isCalled = false;
  };
  /// The first launch of each graph function that a run from an entry reaches.
  using FirstLaunches = llvm::MapVector<Operation *, graph::LaunchOpInterface>;

  FirstLaunches getGraphs(const Function &entry) const;

  CalleeTies &ties;
  llvm::MapVector<Operation *, Function> functions;
  SmallVector<graph::LaunchOpInterface> tasks;
  /// While walking: the function that was opened last, and whatever is called
  /// or launched, with the function it stands in.
  graph::FuncOp last;
  SmallVector<std::pair<graph::FuncOp, graph::LaunchOpInterface>, 0> launches;
};

} // namespace mlir::pypto

#endif // PYPTO_VERIFY_HOSTLAUNCHES_H
