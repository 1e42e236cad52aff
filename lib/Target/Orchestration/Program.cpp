//===- Program.cpp - What a module consists of ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Diagnostics/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

Signature mlir::pypto::orchestration::getSignature(FuncOp func) {
  Signature signature;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    if (isa<GraphTensorType>(type))
      signature.tensors.push_back(i);
    else if (isScalarType(type))
      signature.scalars.push_back(i);
  }
  auto slots =
      func->getAttrOfType<DenseI64ArrayAttr>(GraphDialect::kSlotsAttrName);
  if (!slots)
    return signature;
  // The dialect verifies that it is a permutation.
  SmallVector<unsigned> ordered;
  for (int64_t number : slots.asArrayRef())
    ordered.push_back(signature.tensors[number]);
  signature.tensors = std::move(ordered);
  return signature;
}

LogicalResult Program::collect(const OrchestrationOptions &options) {
  for (FuncOp func : module.getOps<FuncOp>()) {
    if (func.isDeviceFunction())
      kernels.push_back(func);
    else if (func.isGraph() && !func.isExternal())
      graphs.push_back(func);
    else if (isHostKind(func.getKind()) && !func.isExternal())
      hosts.insert({func, {}});
  }
  for (auto &[func, launches] : hosts)
    func.walk([&, &launches = launches](Operation *op) {
      if (LaunchOpInterface launch = asLaunch(op))
        launches.push_back(launch);
    });
  if (failed(findEntry(options.entry)) || failed(collectHelpers()))
    return failure();
  findAutoScopes();
  for (FuncOp kernel : kernels)
    names[kernel] = globals.get(("kernel_" + kernel.getSymName()).str());
  for (FuncOp graph : graphs)
    names[graph] = globals.get(graph.getSymName());
  for (FuncOp helper : helpers)
    // A name of its own: parameters of plain types may be those of a function
    // of the C library.
    names[helper] = globals.get(("host_" + helper.getSymName()).str());
  names[entry] = "aicpu_orchestration_entry";
  return success();
}

LogicalResult Program::findEntry(StringRef name) {
  if (!name.empty()) {
    entry = dyn_cast_if_present<FuncOp>(symbolTable.lookupSymbolIn(
        module, StringAttr::get(module.getContext(), name)));
    if (entry && hosts.count(entry))
      return success();
    return emitCodedError(module.getLoc(), DiagnosticCode::CodegenEntry)
           << "there is no function '@" << name
           << "' of kind 'orchestration' or 'opaque' with a body";
  }
  llvm::DenseSet<Operation *> called;
  for (auto &[func, launches] : hosts)
    for (LaunchOpInterface launch : launches)
      if (FuncOp callee = ties.getCallee(launch))
        called.insert(callee);
  SmallVector<FuncOp> candidates;
  for (FuncOp func : llvm::make_first_range(hosts))
    if (!called.contains(func))
      candidates.push_back(func);
  // An `opaque` function is the entry only when nothing else can be.
  SmallVector<FuncOp> orchestrations;
  llvm::copy_if(candidates, std::back_inserter(orchestrations),
                [](FuncOp func) {
                  return func.getKind() == FunctionKind::Orchestration;
                });
  if (!orchestrations.empty())
    candidates = orchestrations;
  if (candidates.size() == 1) {
    entry = candidates.front();
    return success();
  }
  InFlightDiagnostic diag =
      emitCodedError(module.getLoc(), DiagnosticCode::CodegenEntry);
  if (candidates.empty()) {
    diag << "the module has no entry: no function of kind 'orchestration' or "
            "'opaque' that has a body and is not called";
    return diag;
  }
  diag << "the module has more than one entry";
  for (FuncOp func : candidates)
    diag.attachNote(func.getLoc())
        << "'@" << func.getSymName() << "' is not called by any host function";
  diag.attachNote() << "name one with --entry=NAME";
  return diag;
}

void Program::findAutoScopes() {
  auto isAutoScope = [](Operation *op) {
    auto scope = dyn_cast<ScopeOp>(op);
    return scope && scope.getKind() == ScopeKind::Auto;
  };
  auto search = [&](FuncOp func) {
    WalkResult found = func.walk([&](Operation *op) {
      return isAutoScope(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      autoScoped.insert(func);
  };
  llvm::for_each(graphs, search);
  // Callees come first.
  for (FuncOp helper : helpers) {
    search(helper);
    for (LaunchOpInterface launch : hosts.find(helper)->second)
      if (autoScoped.contains(ties.getCallee(launch)))
        autoScoped.insert(helper);
  }
}

LogicalResult Program::collectHelpers() {
  // Depth first with a stack of its own: chains of calls may be long.
  struct Frame {
    FuncOp func;
    size_t next = 0;
  };
  llvm::SetVector<Operation *> active;
  llvm::DenseSet<Operation *> done;
  SmallVector<Frame> stack{{entry}};
  active.insert(entry);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    ArrayRef<LaunchOpInterface> launches = hosts.find(frame.func)->second;
    if (frame.next == launches.size()) {
      done.insert(frame.func);
      active.remove(frame.func);
      if (frame.func != entry)
        helpers.push_back(frame.func);
      stack.pop_back();
      continue;
    }
    LaunchOpInterface launch = launches[frame.next++];
    FuncOp callee = ties.getCallee(launch);
    if (!callee || !isHostKind(callee.getKind()) || done.contains(callee) ||
        callee.isExternal())
      continue;
    if (!active.insert(callee))
      return emitCodedError(launch->getLoc(),
                            DiagnosticCode::CodegenUnsupported)
             << "host function '@" << callee.getSymName()
             << "' calls itself through '@" << frame.func.getSymName() << "'";
    stack.push_back({callee});
  }
  return success();
}
