//===- Commit.cpp - Making functions of scopes ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bodies are moved, not copied. Outer scopes go first: rewriting what they read
// leaves the operands in the scopes within them right, which are then read from
// the operands again. Signatures are completed when all functions exist.
//
//===----------------------------------------------------------------------===//

#include "Analysis/IdentityLineage.h"
#include "Transforms/Outlining/BufferWrites.h"
#include "Transforms/Outlining/Outliner.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

static FunctionKind getFunctionKind(ScopeKind kind) {
  switch (kind) {
  case ScopeKind::InCore:
    return FunctionKind::InCore;
  case ScopeKind::Cluster:
    return FunctionKind::Group;
  case ScopeKind::Spmd:
    return FunctionKind::Spmd;
  case ScopeKind::Graph:
  case ScopeKind::Manual:
  case ScopeKind::Auto:
    return FunctionKind::Graph;
  }
  return FunctionKind::Graph;
}

namespace {
class Committer {
public:
  Committer(OutliningPlan &plan, RewriterBase &rewriter)
      : plan(plan), rewriter(rewriter) {}

  void moveScalars(OutlinedScope &entry);
  void outline(OutlinedScope &entry);

private:
  void setOperands(ArrayRef<OpOperand *> operands, Value value);
  void createFunction(OutlinedScope &entry, ValueRange args);
  void moveBody(OutlinedScope &entry, ValueRange args);
  void replaceScope(OutlinedScope &entry, ValueRange args);
  Operation *createLaunch(OutlinedScope &entry, ValueRange args);

  OutliningPlan &plan;
  RewriterBase &rewriter;
};
} // namespace

void Committer::setOperands(ArrayRef<OpOperand *> operands, Value value) {
  for (OpOperand *operand : operands)
    rewriter.modifyOpInPlace(operand->getOwner(), [&] { operand->set(value); });
}

void Committer::moveScalars(OutlinedScope &entry) {
  for (Operation *op : entry.moved) {
    for (OpOperand &operand : op->getOpOperands())
      if (Value value = plan.movedOperands.lookup(&operand))
        setOperands(&operand, value);
    rewriter.moveOpBefore(op, entry.scope);
  }
}

void Committer::createFunction(OutlinedScope &entry, ValueRange args) {
  ScopeOp scope = entry.scope;
  // Within an outer scope's function the launch is in that function.
  rewriter.setInsertionPoint(entry.outer ? entry.outer->func : entry.parent);
  SmallVector<Type> results;
  for (unsigned result : entry.results)
    results.push_back(scope.getResult(result).getType());
  SmallVector<ParamDirection> directions(args.size(), ParamDirection::In);
  SmallVector<StringRef> names(entry.paramNames.begin(),
                               entry.paramNames.end());
  entry.func = FuncOp::create(
      rewriter, scope.getLoc(), entry.name, getFunctionKind(scope.getKind()),
      rewriter.getFunctionType(TypeRange(args), results), directions, names);
}

void Committer::moveBody(OutlinedScope &entry, ValueRange args) {
  ScopeOp scope = entry.scope;
  Block *body = &scope.getBody().front();
  Region &target = entry.func.getBody();
  rewriter.inlineRegionBefore(scope.getBody(), target, target.end());
  for (auto [read, arg] : llvm::zip_equal(entry.captures, args))
    setOperands(read.second, body->addArgument(arg.getType(), arg.getLoc()));
  rewriter.setInsertionPointToStart(body);
  for (auto &[constant, operands] : entry.constants)
    setOperands(operands,
                rewriter.clone(*constant.getDefiningOp())->getResult(0));

  auto yield = cast<YieldOp>(body->getTerminator());
  SmallVector<Value> returned;
  for (unsigned result : entry.results)
    returned.push_back(yield.getOperand(result));
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<ReturnOp>(yield, returned);
  for (AliasOp alias : entry.unread)
    rewriter.eraseOp(alias);
}

/// Keeps the attributes a user put on the scope.
static void copyAttributes(ScopeOp scope, Operation *launch) {
  for (NamedAttribute attr : scope->getDiscardableAttrs())
    if (!llvm::is_contained(launch->getName().getAttributeNames(),
                            attr.getName()))
      launch->setDiscardableAttr(attr.getName(), attr.getValue());
}

Operation *Committer::createLaunch(OutlinedScope &entry, ValueRange args) {
  ScopeOp scope = entry.scope;
  auto callee = FlatSymbolRefAttr::get(entry.func.getSymNameAttr());
  SmallVector<Type> results;
  for (unsigned result : entry.results)
    results.push_back(scope.getResult(result).getType());
  if (!entry.needsSubmit())
    return CallOp::create(rewriter, scope.getLoc(), results, callee, args,
                          /*arg_directions=*/nullptr, /*no_dep=*/nullptr,
                          /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr);
  return SubmitOp::create(
      rewriter, scope.getLoc(), results, TaskIdType::get(rewriter.getContext()),
      callee, args, scope.getDeps(), scope.getCoreNum(), scope.getGate(),
      scope.getGateIndices(), scope.getGateRhs(),
      scope.getStaticGateIndicesAttr(), scope.getGateComparisonAttr(),
      /*arg_directions=*/nullptr,
      /*no_dep=*/nullptr, /*sync_start=*/nullptr);
}

void Committer::replaceScope(OutlinedScope &entry, ValueRange args) {
  ScopeOp scope = entry.scope;
  rewriter.setInsertionPoint(scope);
  for (auto [result, value, isCopied] : entry.scalarResults) {
    if (isCopied)
      value = rewriter.clone(*value.getDefiningOp())->getResult(0);
    rewriter.replaceAllUsesWith(scope.getResult(result), value);
  }
  Operation *launch = createLaunch(entry, args);
  copyAttributes(scope, launch);
  for (auto [i, result] : llvm::enumerate(entry.results))
    rewriter.replaceAllUsesWith(scope.getResult(result), launch->getResult(i));
  if (Value task = scope.getTaskId(); task && !task.use_empty())
    rewriter.replaceAllUsesWith(task, cast<SubmitOp>(launch).getTask());
}

void Committer::outline(OutlinedScope &entry) {
  // What a value is called by now, an operand that reads it says.
  SmallVector<Value> args;
  for (auto &[value, operands] : entry.captures)
    args.push_back(operands.front()->get());
  createFunction(entry, args);
  replaceScope(entry, args);
  moveBody(entry, args);
  rewriter.eraseOp(entry.scope);
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Whether a launch may pass one for the other.
static bool areCompatible(Type a, Type b) {
  if (a == b)
    return true;
  auto from = dyn_cast<GraphTensorType>(a);
  auto to = dyn_cast<GraphTensorType>(b);
  return from && to && from.isCompatibleWith(to);
}

/// Ties the results that are a parameter and returns the parameter for them.
static void tieResults(FuncOp func, CalleeTies &ties, RewriterBase &rewriter) {
  if (func.getNumResults() == 0)
    return;
  IdentityLineage identity(func, ties);
  Operation *ret = func.getBody().front().getTerminator();
  SmallVector<Type> types(func.getResultTypes());
  SmallVector<Attribute> attrs;
  rewriter.modifyOpInPlace(ret, [&] {
    for (OpOperand &operand : ret->getOpOperands()) {
      NamedAttrList tie;
      BlockArgument param = identity.getParameter(operand.get());
      if (param && areCompatible(param.getType(), operand.get().getType())) {
        operand.set(param);
        types[operand.getOperandNumber()] = param.getType();
        tie.set(GraphDialect::kTiedAttrName,
                func.getParamNameAttr(param.getArgNumber()));
      }
      attrs.push_back(tie.getDictionary(func.getContext()));
    }
  });
  rewriter.modifyOpInPlace(func, [&] {
    func.setFunctionType(
        rewriter.getFunctionType(func.getArgumentTypes(), types));
    func.setResAttrsAttr(rewriter.getArrayAttr(attrs));
  });
}

/// Parameters are made `in`; those that are written are `inout`.
static void setDirections(OutlinedScope &entry, const BufferWrites &writes,
                          RewriterBase &rewriter) {
  FuncOp func = entry.func;
  ArrayAttr old = func.getArgAttrsAttr();
  if (!old)
    return;
  SmallVector<Attribute> attrs(old.getValue());
  for (auto [attr, param, name] :
       llvm::zip_equal(attrs, func.getArguments(), entry.paramNames))
    if (writes.isWritten(param))
      attr = FuncOp::getParamAttrs(ParamDirection::InOut,
                                   rewriter.getStringAttr(name));
  rewriter.modifyOpInPlace(
      func, [&] { func.setArgAttrsAttr(rewriter.getArrayAttr(attrs)); });
}

void mlir::pypto::commitScopes(OutliningPlan &plan, RewriterBase &rewriter) {
  Committer committer(plan, rewriter);
  for (OutlinedScope &entry : plan.scopes)
    committer.moveScalars(entry);
  for (OutlinedScope &entry : plan.scopes)
    committer.outline(entry);

  // Inner functions first: what is returned may be a result of one.
  SymbolTableCollection symbolTable;
  CalleeTies ties(symbolTable);
  for (OutlinedScope &entry : llvm::reverse(plan.scopes))
    tieResults(entry.func, ties, rewriter);
  BufferWrites writes(ties);
  for (OutlinedScope &entry : plan.scopes)
    writes.add(entry.func);
  writes.solve();
  for (OutlinedScope &entry : plan.scopes)
    setDirections(entry, writes, rewriter);
}

FailureOr<unsigned> mlir::pypto::outlineScopes(ModuleOp module,
                                               OutlinedKinds kinds) {
  SymbolTableCollection symbolTable;
  CalleeTies ties(symbolTable);
  OutliningPlan plan(kinds, ties);
  collectScopes(module, plan);
  planScopes(plan);
  if (plan.failed)
    return failure();
  IRRewriter rewriter(module.getContext());
  commitScopes(plan, rewriter);
  return plan.scopes.size();
}
