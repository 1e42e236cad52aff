//===- Control.cpp - Loops, branches and scopes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop carries and what a branch yields are variables; a variable is a
// copy of the handle, so that assigning to it changes nothing else.
//
//===----------------------------------------------------------------------===//

#include "FunctionEmitter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::orchestration;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void FunctionEmitter::declareVariable(Value value, StringRef wish,
                                      StringRef init) {
  std::string type = getVariableType(value.getType(), value.getLoc());
  std::string variable = name(value, wish);
  if (isa<graph::ArrayType>(value.getType()))
    ownArrays.insert(variable);
  bool isClass = isa<GraphTensorType>(value.getType());
  if (!init.empty())
    out.line(type + " " + variable + " = " + init + ";");
  else
    out.line(type + " " + variable + (isClass ? ";" : "{};"));
}

void FunctionEmitter::declareResults(ValueRange results, StringRef wish) {
  for (Value result : results)
    if (isLive(result))
      declareVariable(result, wish, "");
}

void FunctionEmitter::assign(ValueRange targets, ValueRange values) {
  SmallVector<std::pair<std::string, std::string>> moves;
  llvm::StringSet<> written;
  for (auto [target, value] : llvm::zip_equal(targets, values)) {
    if (!isLive(target))
      continue;
    std::string to = use(target), from = use(value);
    if (to == from)
      continue;
    moves.push_back({to, from});
    written.insert(to);
  }
  // One that is read after it is written is saved first.
  for (auto [i, move] : llvm::enumerate(moves)) {
    if (i == 0 || !written.contains(move.second))
      continue;
    std::string saved = getName(move.second + "_before");
    out.line("const auto " + saved + " = " + move.second + ";");
    move.second = saved;
  }
  for (auto &[to, from] : moves)
    out.line(to + " = " + from + ";");
}

//===----------------------------------------------------------------------===//
// For
//===----------------------------------------------------------------------===//

/// A constant that is neither negative nor large, so that it is the same
/// whether it is compared as signed or as unsigned.
static std::optional<uint64_t> getSmallConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) || constant.isNegative() ||
      constant.getActiveBits() >= 64)
    return std::nullopt;
  return constant.getZExtValue();
}

/// Whether a plain comparison with the upper bound ends the loop: nothing where
/// the step could carry the variable past the end of its type.
bool FunctionEmitter::isPlainFor(scf::ForOp loop) {
  unsigned width = *getScalarWidth(loop.getInductionVar().getType());
  if (width != 32 && width != 64)
    return false;
  std::optional<uint64_t> stride = getSmallConstant(loop.getStep());
  if (stride == 1 && !loop.getUnsignedCmp())
    return true;
  std::optional<uint64_t> upper = getSmallConstant(loop.getUpperBound());
  uint64_t largest = llvm::maxIntN(width);
  return getSmallConstant(loop.getLowerBound()) && upper && *upper > 0 &&
         stride && *stride > 0 && *stride <= largest - *upper;
}

/// How often a loop runs, computed before it begins.
std::string FunctionEmitter::getTripCount(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return support.call("trip_count_unsigned",
                        {use(loop.getLowerBound()), use(loop.getUpperBound()),
                         use(loop.getStep())});
  return support.call("trip_count", {getSigned(loop.getLowerBound()),
                                     getSigned(loop.getUpperBound()),
                                     getSigned(loop.getStep())});
}

/// `iterations` is a variable that holds how often the loop runs; empty for a
/// plain loop.
std::string FunctionEmitter::getForHead(scf::ForOp loop, StringRef iterations) {
  Value variable = loop.getInductionVar();
  unsigned width = *getScalarWidth(variable.getType());
  std::string lower = use(loop.getLowerBound());
  std::string upper = use(loop.getUpperBound());
  std::string step = use(loop.getStep());
  std::string i = name(variable, "i");
  std::string head =
      ("for (" + getStorageType(width) + " " + i + " = " + lower + "; ").str();
  if (!iterations.empty()) {
    std::string next = fromInteger(i + " + " + step, variable.getType());
    return (head + iterations + " != 0; --" + iterations + ", " + i + " = " +
            next + ") {")
        .str();
  }
  std::string next = step == "1" ? "++" + i : i + " += " + step;
  std::optional<uint64_t> bound = getSmallConstant(loop.getUpperBound());
  if (bound && *bound > 0 && getSmallConstant(loop.getLowerBound()))
    return head + i + " < " + upper + "; " + next + ") {";
  std::string cast = "static_cast<int" + std::to_string(width) + "_t>(";
  return head + cast + i + ") < " + cast + upper + "); " + next + ") {";
}

void FunctionEmitter::emitFor(scf::ForOp loop) {
  if (!getScalarWidth(loop.getInductionVar().getType()))
    return unsupported(loop);
  for (auto [init, argument, result] : llvm::zip_equal(
           loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
    if (!isLive(argument))
      continue;
    declareVariable(argument, getWishForCarried(init), use(init));
    bind(result, use(argument));
  }
  std::string iterations;
  if (!isPlainFor(loop)) {
    iterations = getName("iterations");
    out.line("uint64_t " + iterations + " = " + getTripCount(loop) + ";");
  }
  if (loop->hasAttr(GraphDialect::kParallelAttrName))
    out.line("// The iterations are independent.");
  NameScope scope(*this);
  out.open(getForHead(loop, iterations));
  emitBlock(*loop.getBody(),
            [&] { assign(loop.getRegionIterArgs(), loop.getYieldedValues()); });
  out.close();
}

/// What to call a variable that starts as `init`.
std::string FunctionEmitter::getWishForCarried(Value init) {
  if (isScalarType(init.getType()))
    return "carried";
  if (isa<TaskIdType>(init.getType()))
    return "task";
  if (isa<graph::ArrayType>(init.getType()))
    return "tasks";
  std::string name = use(init);
  StringRef base = name;
  base.consume_front("ext_");
  return base.str();
}

//===----------------------------------------------------------------------===//
// While
//===----------------------------------------------------------------------===//

void FunctionEmitter::emitWhile(scf::WhileOp loop) {
  Block &before = *loop.getBeforeBody(), &after = *loop.getAfterBody();
  for (auto [init, argument] :
       llvm::zip_equal(loop.getInits(), before.getArguments()))
    if (isLive(argument))
      declareVariable(argument, getWishForCarried(init), use(init));
  // What the condition passes on is a result at the end and an argument before.
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Value> passed;
  SmallVector<Value> targets;
  for (auto [value, argument, result] : llvm::zip_equal(
           condition.getArgs(), after.getArguments(), loop.getResults())) {
    if (!isLive(argument) && !isLive(result))
      continue;
    Value target = isLive(argument) ? Value(argument) : Value(result);
    declareVariable(target, "passed", "");
    bind(argument, use(target));
    bind(result, use(target));
    targets.push_back(target);
    passed.push_back(value);
  }
  out.open("while (true) {");
  emitBlock(before, [&] {
    assign(targets, passed);
    out.open("if (!" + use(condition.getCondition()) + ") {");
    out.line("break;");
    out.close();
    emitBlock(after, [&] {
      assign(before.getArguments(), loop.getYieldOp().getOperands());
    });
  });
  out.close();
}

//===----------------------------------------------------------------------===//
// Branches and scopes
//===----------------------------------------------------------------------===//

void FunctionEmitter::emitIf(scf::IfOp branch) {
  declareResults(branch.getResults(), "chosen");
  auto emitArm = [&](Block &arm) {
    emitBlock(arm, [&] {
      assign(branch.getResults(), arm.getTerminator()->getOperands());
    });
  };
  out.open("if (" + use(branch.getCondition()) + ") {");
  emitArm(*branch.thenBlock());
  if (branch.elseBlock() && hasLiveCode(branch, *branch.elseBlock())) {
    out.next(" else {");
    emitArm(*branch.elseBlock());
  }
  out.close();
}

/// Whether the emitted block would have anything in it.
bool FunctionEmitter::hasLiveCode(Operation *parent, Block &block) {
  auto isLiveValue = [&](Value value) { return isLive(value); };
  return llvm::any_of(parent->getResults(), isLiveValue) ||
         llvm::any_of(block.without_terminator(),
                      [&](Operation &op) { return liveness.isLive(&op); });
}

void FunctionEmitter::emitSwitch(scf::IndexSwitchOp branch) {
  declareResults(branch.getResults(), "chosen");
  auto emitCase = [&](const Twine &label, Block &block) {
    out.open(label + ": {");
    emitBlock(block, [&] {
      assign(branch.getResults(), block.getTerminator()->getOperands());
    });
    out.line("break;");
    out.close();
  };
  out.open("switch (static_cast<int64_t>(" + use(branch.getArg()) + ")) {");
  for (auto [i, value] : llvm::enumerate(branch.getCases())) {
    std::string literal =
        value == INT64_MIN ? "INT64_MIN" : std::to_string(value);
    emitCase("case " + literal, branch.getCaseBlock(i));
  }
  emitCase("default", branch.getDefaultBlock());
  out.close();
}

void FunctionEmitter::emitOnce(Operation *op, StringRef head) {
  Block &body = op->getRegion(0).front();
  declareResults(op->getResults(), "chosen");
  out.open(head);
  emitBlock(body, [&] {
    assign(op->getResults(), body.getTerminator()->getOperands());
  });
  out.close();
}

void FunctionEmitter::reportAutoScope(Location loc, const Twine &what) {
  InFlightDiagnostic diag = error(loc, DiagnosticCode::CodegenUnsupported);
  diag << what;
  explain(diag, "the runtime has no auto scope inside of a manual one",
          "make the inner scope manual as well, or end the outer one before");
}

void FunctionEmitter::emitScope(ScopeOp scope) {
  bool wasManual = inManualScope;
  if (scope.getKind() == ScopeKind::Manual) {
    inManualScope = true;
    emitOnce(scope, "PTO2_SCOPE(PTO2ScopeMode::MANUAL) {");
  } else if (scope.getKind() != ScopeKind::Auto) {
    unsupported(scope);
  } else if (inManualScope) {
    reportAutoScope(scope.getLoc(), "an auto scope inside a manual one");
  } else {
    emitOnce(scope, "PTO2_SCOPE() {");
  }
  inManualScope = wasManual;
}
