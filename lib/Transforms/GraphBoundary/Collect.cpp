//===- Collect.cpp - What the pass reads of the module --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics/Diagnostics.h"
#include "Transforms/GraphBoundary/Plan.h"
#include "Verify/HostLaunches.h"
#include "Verify/Properties.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

/// Calls `callback` for the symbols `op` refers to, other than the callee of a
/// launch.
static void forEachOtherSymbol(Operation *op,
                               function_ref<void(SymbolRefAttr)> callback) {
  auto visit = [&](Attribute attr) {
    attr.walk<WalkOrder::PreOrder>([&](SymbolRefAttr ref) {
      callback(ref);
      return WalkResult::skip();
    });
  };
  // What the operations of these dialects hold themselves is no symbol, but for
  // the callee of a launch and the attributes of a call's operands.
  if (isa_and_nonnull<GraphDialect, arith::ArithDialect, scf::SCFDialect>(
          op->getDialect())) {
    for (NamedAttribute attr : op->getDiscardableAttrs())
      visit(attr.getValue());
    if (auto call = dyn_cast<CallOp>(op))
      for (Attribute attr : {call.getArgAttrsAttr(), call.getResAttrsAttr()})
        if (attr)
          visit(attr);
    return;
  }
  for (NamedAttribute attr : op->getAttrs())
    visit(attr.getValue());
}

LogicalResult GraphModule::collect(ModuleOp module, CalleeTies &ties,
                                   HostLaunches &hostLaunches) {
  // Launches may come before the function.
  DenseMap<Operation *, SmallVector<LaunchOpInterface>> launches;
  bool failed = false;
  RequirementChecker requirements("legalize-graph-boundary");
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto func = dyn_cast<FuncOp>(op); func && func.isGraph())
      graphs[func];
    LaunchOpInterface launch = asLaunch(op);
    hostLaunches.visit(op, launch);
    FuncOp callee = launch ? ties.getCallee(launch) : FuncOp();
    requirements.check(op, callee);
    if (callee)
      ties.read(callee);
    if (launch) {
      if (callee && callee.isGraph()) {
        launches[callee].push_back(launch);
      } else if (auto call = dyn_cast<CallOp>(op);
                 call && callee && !callee.isDeviceFunction()) {
        hostCalls.push_back(call);
      }
    }
    forEachOtherSymbol(op, [&](SymbolRefAttr ref) {
      auto func = dyn_cast_or_null<FuncOp>(
          ties.getSymbolTable().lookupNearestSymbolFrom(op, ref));
      if (!func || !func.isGraph())
        return;
      failed = true;
      InFlightDiagnostic diag =
          emitCodedError(op->getLoc(), DiagnosticCode::SymbolUse);
      diag << "'" << op->getName() << "' refers to graph function '@"
           << func.getSymName() << "' but is no launch of it";
      diag.attachNote(func.getLoc())
          << "graph function '@" << func.getSymName() << "' is defined here";
      explain(diag, "the symbol is the key of the recording",
              "let only graph.call and graph.submit refer to it");
    });
  });
  hostLaunches.finish();
  for (auto &[func, list] : graphs)
    list = std::move(launches[func]);
  return failure(failed || mlir::failed(requirements.getResult()));
}

SmallVector<FuncOp> GraphModule::getLaunchers() const {
  llvm::SetVector<FuncOp> funcs;
  for (auto &[graph, launches] : graphs)
    for (LaunchOpInterface launch : launches)
      if (auto func = launch->getParentOfType<FuncOp>())
        funcs.insert(func);
  return funcs.takeVector();
}
