//===- GraphLaunch.cpp - Launches and calls -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph/Graph.h"
#include "Graph/OpUtils.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::pypto::graph;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using EffectList =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addQueueEffect(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), TaskQueue::get());
}

/// Adds what a launch does to its tensor operands. Deliberately ignorant of the
/// callee: effect queries are frequent and may run while symbols change.
static void addOperandEffects(MutableOperandRange args, ArrayAttr directions,
                              EffectList &effects) {
  bool resolved = directions && directions.size() == args.size();
  for (OpOperand &arg : args) {
    if (!isa<GraphTensorType>(arg.get().getType()))
      continue;
    unsigned index = &arg - &*args.begin();
    ArgDirection direction =
        resolved ? cast<ArgDirectionAttr>(directions[index]).getValue()
                 : ArgDirection::InOut;
    bool writesOnly = direction == ArgDirection::Output ||
                      direction == ArgDirection::OutputExisting;
    if (!writesOnly)
      effects.emplace_back(MemoryEffects::Read::get(), &arg);
    if (direction != ArgDirection::Input)
      effects.emplace_back(MemoryEffects::Write::get(), &arg);
  }
}

void CallOp::getEffects(EffectList &effects) {
  addOperandEffects(getArgsMutable(), getArgDirectionsAttr(), effects);
  addQueueEffect(effects);
}

void SubmitOp::getEffects(EffectList &effects) {
  addOperandEffects(getArgsMutable(), getArgDirectionsAttr(), effects);
  for (OpOperand &gate : getGateMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &gate);
  addQueueEffect(effects);
}

void TaskDummyOp::getEffects(EffectList &effects) { addQueueEffect(effects); }

//===----------------------------------------------------------------------===//
// Verification of the op alone
//===----------------------------------------------------------------------===//

static LogicalResult verifyDeps(Operation *op, OperandRange deps) {
  for (auto [i, dep] : llvm::enumerate(deps))
    if (auto array = dyn_cast<ArrayType>(dep.getType()))
      if (!isa<TaskIdType>(array.getElementType()))
        return op->emitOpError("dependency #")
               << i << " must be a task id or an array of task ids, got "
               << dep.getType();
  return success();
}

static LogicalResult verifyLaunch(LaunchOpInterface launch) {
  Operation *op = launch;
  OperandRange args = launch.getLaunchArgs();
  if (ArrayAttr directions = launch.getLaunchDirections()) {
    if (directions.size() != args.size())
      return op->emitOpError("has ") << directions.size() << " directions for "
                                     << args.size() << " operands";
    for (auto [i, attr, arg] : llvm::enumerate(directions, args)) {
      ArgDirection direction = cast<ArgDirectionAttr>(attr).getValue();
      bool isTensor = isa<GraphTensorType>(arg.getType());
      if (isTensor == (direction == ArgDirection::Scalar))
        return op->emitOpError("operand #")
               << i << (isTensor ? " is a tensor" : " is no tensor")
               << " but its direction is '" << stringifyArgDirection(direction)
               << "'";
    }
  }
  int64_t last = -1;
  for (int64_t index : launch.getLaunchNoDep()) {
    if (index < 0 || index >= static_cast<int64_t>(args.size()))
      return op->emitOpError("no_dep index ")
             << index << " is out of range; there are " << args.size()
             << " operands";
    if (index <= last)
      return op->emitOpError("no_dep indices must be strictly increasing");
    if (!isa<GraphTensorType>(args[index].getType()))
      return op->emitOpError("no_dep index ")
             << index << " names an operand that is no tensor";
    last = index;
  }
  return verifyDeps(op, launch.getLaunchDeps());
}

LogicalResult CallOp::verify() { return verifyLaunch(*this); }

LogicalResult SubmitOp::verify() {
  if (failed(verifyLaunch(*this)))
    return failure();
  return pypto::graph::detail::verifyPredicate(
      *this, getGate(), getGateIndices(), getStaticGateIndices(),
      getGateComparison(), getGateRhs());
}

LogicalResult TaskDummyOp::verify() { return verifyLaunch(*this); }

//===----------------------------------------------------------------------===//
// Verification against the callee
//===----------------------------------------------------------------------===//

static bool areCompatible(Type actual, Type formal) {
  if (actual == formal)
    return true;
  auto from = dyn_cast<GraphTensorType>(actual);
  auto to = dyn_cast<GraphTensorType>(formal);
  return from && to && from.isCompatibleWith(to);
}

bool mlir::pypto::graph::isAllowedDirection(ArgDirection arg,
                                            ParamDirection param) {
  if (arg == ArgDirection::NoDep || arg == ArgDirection::Scalar)
    return true;
  switch (param) {
  case ParamDirection::In:
    return arg == ArgDirection::Input;
  case ParamDirection::InOut:
    return arg == ArgDirection::InOut;
  case ParamDirection::Out:
    return arg != ArgDirection::Input;
  }
  return false;
}

ArgDirection mlir::pypto::graph::getDefaultDirection(ParamDirection param) {
  switch (param) {
  case ParamDirection::In:
    return ArgDirection::Input;
  case ParamDirection::Out:
    return ArgDirection::OutputExisting;
  case ParamDirection::InOut:
    return ArgDirection::InOut;
  }
  return ArgDirection::InOut;
}

/// Names the callee in an error about a use of it.
static LogicalResult withCallee(InFlightDiagnostic diag, FuncOp callee) {
  diag.attachNote(callee.getLoc())
      << "'@" << callee.getSymName() << "' is declared here";
  return diag;
}

static LogicalResult verifyArity(LaunchOpInterface launch, FuncOp callee) {
  unsigned numArgs = launch.getLaunchArgs().size();
  unsigned numParams = callee.getNumArguments();
  if (numArgs > numParams || (numArgs < numParams && isa<CallOp>(launch)))
    return withCallee(launch->emitOpError("passes ")
                          << numArgs << " arguments, but '@"
                          << callee.getSymName() << "' has " << numParams
                          << " parameters",
                      callee);
  for (unsigned i = numArgs; i != numParams; ++i) {
    if (callee.getParamDirection(i) != ParamDirection::Out)
      return withCallee(launch->emitOpError("passes ")
                            << numArgs << " of " << numParams
                            << " arguments, but the omitted parameter '%"
                            << callee.getParamName(i) << "' of '@"
                            << callee.getSymName()
                            << "' is not an 'out' parameter",
                        callee);
    auto tensor = dyn_cast<GraphTensorType>(callee.getArgumentTypes()[i]);
    if (!tensor || !tensor.hasStaticShape())
      return withCallee(launch->emitOpError("omits parameter '%")
                            << callee.getParamName(i) << "' of '@"
                            << callee.getSymName()
                            << "', whose buffer has no static extents",
                        callee);
  }
  return success();
}

static LogicalResult verifyArgs(LaunchOpInterface launch, FuncOp callee) {
  ArrayAttr directions = launch.getLaunchDirections();
  ArrayRef<Type> formals = callee.getArgumentTypes();
  for (auto [i, arg] : llvm::enumerate(launch.getLaunchArgs())) {
    Type formal = formals[i];
    if (!areCompatible(arg.getType(), formal))
      return withCallee(launch->emitOpError("argument #")
                            << i << " has type " << arg.getType()
                            << ", but parameter '%" << callee.getParamName(i)
                            << "' of '@" << callee.getSymName() << "' has type "
                            << formal,
                        callee);
    if (!directions)
      continue;
    ArgDirection direction = cast<ArgDirectionAttr>(directions[i]).getValue();
    // Most arguments are scalars, whatever the parameter says.
    if (direction != ArgDirection::Scalar &&
        !isAllowedDirection(direction, callee.getParamDirection(i)))
      return withCallee(
          launch->emitOpError("argument #")
              << i << " has direction '" << stringifyArgDirection(direction)
              << "', but parameter '%" << callee.getParamName(i) << "' of '@"
              << callee.getSymName() << "' is '"
              << stringifyParamDirection(callee.getParamDirection(i)) << "'",
          callee);
  }
  return success();
}

static LogicalResult verifyResults(LaunchOpInterface launch, FuncOp callee) {
  ResultRange outs = launch.getLaunchOutputs();
  if (outs.size() != callee.getNumResults())
    return withCallee(launch->emitOpError("has ")
                          << outs.size() << " results, but '@"
                          << callee.getSymName() << "' returns "
                          << callee.getNumResults(),
                      callee);
  for (auto [i, out, formal] :
       llvm::enumerate(outs.getTypes(), callee.getResultTypes()))
    if (!areCompatible(out, formal))
      return withCallee(launch->emitOpError("result #")
                            << i << " has type " << out << ", but '@"
                            << callee.getSymName() << "' returns " << formal,
                        callee);
  return success();
}

/// Wrappers (group and spmd functions) may be recursive; for every other kind a
/// function that calls itself can neither be inlined nor launched.
static LogicalResult verifyNoSelfCall(LaunchOpInterface launch, FuncOp callee) {
  if (callee.getKind() == FunctionKind::Group ||
      callee.getKind() == FunctionKind::Spmd ||
      launch->getParentOfType<FuncOp>() != callee)
    return success();
  return launch->emitOpError("function '@")
         << callee.getSymName() << "' of kind '"
         << stringifyFunctionKind(callee.getKind()) << "' calls itself";
}

static LogicalResult verifyCallee(LaunchOpInterface launch,
                                  SymbolTableCollection &symbolTable) {
  FlatSymbolRefAttr symbol = launch.getLaunchCallee();
  Operation *target =
      symbolTable.lookupNearestSymbolFrom(launch, symbol.getAttr());
  if (!target)
    return launch->emitOpError("unknown function '@")
           << symbol.getValue() << "'";
  auto callee = dyn_cast<FuncOp>(target);
  if (!callee) {
    InFlightDiagnostic diag = launch->emitOpError("'@")
                              << symbol.getValue() << "' is not a graph.func";
    diag.attachNote(target->getLoc()) << "it is defined here";
    return diag;
  }
  if (failed(verifyNoSelfCall(launch, callee)) ||
      failed(verifyArity(launch, callee)) || failed(verifyArgs(launch, callee)))
    return failure();
  return verifyResults(launch, callee);
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyCallee(*this, symbolTable);
}

LogicalResult SubmitOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyCallee(*this, symbolTable);
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

/// Whether a result could be tied to an argument, by its type.
static bool mayBeTied(LaunchOpInterface launch, OpResult out) {
  return !out.use_empty() && isScalarType(out.getType()) &&
         llvm::is_contained(launch.getLaunchArgs().getTypes(), out.getType());
}

/// Replaces the tied scalar results of a launch by the operands they are.
static bool foldTiedScalars(LaunchOpInterface launch, RewriterBase &rewriter,
                            SymbolTableCollection &symbolTable) {
  // The symbol is looked up only when an operand could be the answer.
  ResultRange outs = launch.getLaunchOutputs();
  if (llvm::none_of(outs, [&](OpResult out) { return mayBeTied(launch, out); }))
    return false;
  auto callee = symbolTable.lookupNearestSymbolFrom<FuncOp>(
      launch, launch.getLaunchCallee());
  if (!callee || callee.getNumResults() != outs.size())
    return false;
  bool changed = false;
  OperandRange args = launch.getLaunchArgs();
  for (OpResult out : outs) {
    if (!mayBeTied(launch, out))
      continue;
    std::optional<unsigned> tied = callee.getTiedParam(out.getResultNumber());
    if (!tied || *tied >= args.size() || args[*tied].getType() != out.getType())
      continue;
    rewriter.replaceAllUsesWith(out, args[*tied]);
    changed = true;
  }
  return changed;
}

namespace {
/// A tied scalar result is the operand passed for the parameter.
///
/// Callees are symbols, and a pattern on launches would have to find each by
/// scanning the module. So the pattern is one on functions: the first function
/// of a symbol table stands for all launches below the table, which then share
/// one table of symbols.
struct FoldTiedScalarResults : OpRewritePattern<FuncOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FuncOp func,
                                PatternRewriter &rewriter) const override {
    for (Operation *op = func->getPrevNode(); op; op = op->getPrevNode())
      if (isa<FuncOp>(op))
        return failure();
    SymbolTableCollection symbolTable;
    bool changed = false;
    Operation *parent = func->getParentOp();
    parent->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != parent && op->hasTrait<OpTrait::SymbolTable>())
        return WalkResult::skip();
      if (auto launch = dyn_cast<LaunchOpInterface>(op))
        if (launch.getLaunchCallee())
          changed |= foldTiedScalars(launch, rewriter, symbolTable);
      return WalkResult::advance();
    });
    return success(changed);
  }
};
} // namespace

void FuncOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<FoldTiedScalarResults>(context);
}
