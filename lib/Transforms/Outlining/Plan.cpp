//===- Plan.cpp - Results, captures and names of outlined scopes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/Hoistability.h"
#include "Diagnostics/Diagnostics.h"
#include "Transforms/Outlining/Outliner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::pypto;
using namespace mlir::pypto::graph;

bool OutlinedScope::needsSubmit() {
  Value task = scope.getTaskId();
  return (task && !task.use_empty()) || !scope.getDeps().empty() ||
         scope.getCoreNum() || scope.getGate();
}

bool OutliningPlan::isInside(Value value, const OutlinedScope &scope) const {
  Operation *op = value.getDefiningOp();
  if (!op)
    op = cast<BlockArgument>(value).getOwner()->getParentOp();
  // Only what stands in a scope has a number, and numbers start at one.
  unsigned number = numbers.lookup(op);
  return number > scope.first && number <= scope.last;
}

bool mlir::pypto::isCopyableConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>() &&
         op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
         op->getNumResults() == 1 && isMemoryEffectFree(op);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {
/// Decides which results of a scope remain results. A scalar that is computed
/// inside and used after is computed in front of the launch instead: a launch
/// has no way to return one.
class ResultPlanner {
public:
  ResultPlanner(OutliningPlan &plan, OutlinedScope &entry)
      : plan(plan), entry(entry), scope(entry.scope) {}

  void run();

private:
  bool isUsed(OpResult result) const;
  void planScalar(OpResult result, OpOperand &yielded);

  /// Reads the scope's region, once the first scalar is met.
  void analyze();
  bool canMove(Operation *op) const;
  /// Whether `value` exists in front of the launch, or can be made to.
  bool isAvailable(Value value) const {
    Value source = identity->getSource(value);
    return !plan.isInside(source, entry) || movable.contains(source);
  }
  /// Marks what computes `value`, which is available.
  void markNeeded(Value value);
  void move();
  /// Marks renames that led to moved values only, of which `value` may be one.
  void markUnread(Value value);
  /// What keeps `value`, which is not available, inside.
  Value findObstacle(Value value) const;
  void refuse(OpResult result, OpOperand &yielded, Value source);

  OutliningPlan &plan;
  OutlinedScope &entry;
  ScopeOp scope;
  std::optional<IdentityLineage> identity;
  llvm::DenseSet<Value> movable;
  llvm::DenseSet<Block *> certain;
  llvm::DenseSet<Operation *> needed;
};
} // namespace

bool ResultPlanner::isUsed(OpResult result) const {
  return llvm::any_of(result.getUses(), [&](OpOperand &use) {
    return !plan.droppedYields.contains(&use);
  });
}

bool ResultPlanner::canMove(Operation *op) const {
  if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0 ||
      op->getNumResults() == 0 || isa<AliasOp>(op) ||
      !llvm::all_of(op->getResultTypes(), isScalarType) ||
      !isMemoryEffectFree(op))
    return false;
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isAvailable(operand); }) &&
         (certain.contains(op->getBlock()) ||
          isSpeculatableByIdentity(op, *identity));
}

void ResultPlanner::analyze() {
  if (identity)
    return;
  identity.emplace(scope.getBody(), plan.ties);
  // The region of a scope with a predicate may not run.
  if (!scope.getGate())
    certain.insert(&scope.getBody().front());
  scope.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (plan.movedOps.contains(op))
      return;
    if (certain.contains(op->getBlock()) && alwaysRunsItsBody(op, *identity))
      for (Region &region : op->getRegions())
        certain.insert(&region.front());
    if (canMove(op))
      movable.insert(op->result_begin(), op->result_end());
  });
}

void ResultPlanner::markNeeded(Value value) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!needed.insert(op).second)
      continue;
    entry.moved.push_back(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Value source = identity->getSource(operand.get());
      if (source != operand.get())
        plan.movedOperands[&operand] = source;
      if (plan.isInside(source, entry))
        worklist.push_back(source);
    }
  }
}

void ResultPlanner::move() {
  llvm::sort(entry.moved, [&](Operation *a, Operation *b) {
    return plan.numbers.lookup(a) < plan.numbers.lookup(b);
  });
  for (Operation *op : entry.moved) {
    plan.movedOps.insert(op);
    plan.numbers[op] = entry.first;
  }
}

void ResultPlanner::markUnread(Value value) {
  // Left alone, one would make a parameter of what it renames.
  while (auto alias = value.getDefiningOp<AliasOp>()) {
    bool isRead = llvm::any_of(alias->getUses(), [&](OpOperand &use) {
      return !plan.droppedYields.contains(&use) &&
             !plan.movedOperands.contains(&use) &&
             !plan.erasedOps.contains(use.getOwner());
    });
    if (isRead || !plan.isInside(alias, entry) ||
        !plan.erasedOps.insert(alias).second)
      return;
    entry.unread.push_back(alias);
    value = alias.getSource();
  }
}

Value ResultPlanner::findObstacle(Value value) const {
  for (;;) {
    Value source = identity->getSource(value);
    Operation *op = source.getDefiningOp();
    if (!op || op->getNumRegions() != 0)
      return source;
    auto it = llvm::find_if(op->getOperands(), [&](Value operand) {
      return !isAvailable(operand);
    });
    // Operations with effects are to blame themselves.
    if (it == op->operand_end() || !isMemoryEffectFree(op))
      return source;
    value = *it;
  }
}

/// What to call a value that stands in a scope.
static std::string describeValue(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    Operation *parent = value.getParentBlock()->getParentOp();
    return ("a value carried by '" + parent->getName().getStringRef() + "'")
        .str();
  }
  std::string text =
      ("the result of '" + op->getName().getStringRef() + "'").str();
  if (LaunchOpInterface launch = asLaunch(op))
    if (FlatSymbolRefAttr callee = launch.getLaunchCallee())
      text += (" of '@" + callee.getValue() + "'").str();
  return text;
}

void ResultPlanner::refuse(OpResult result, OpOperand &yielded, Value source) {
  plan.failed = true;
  InFlightDiagnostic diag =
      emitCodedError(source.getLoc(), DiagnosticCode::ScalarResult);
  diag << "scalar result #" << result.getResultNumber() << " of "
       << describeScope(scope) << " in function '@" << entry.parent.getSymName()
       << "' is " << describeValue(source)
       << " and cannot be computed in front of the scope";
  Value obstacle = findObstacle(source);
  if (obstacle != source)
    diag.attachNote(obstacle.getLoc())
        << "it depends on " << describeValue(obstacle);
  diag.attachNote(yielded.getOwner()->getLoc())
      << "it leaves the scope here; a launch returns tensors and task ids, "
         "never a computed scalar";
  diag.attachNote() << "compute it before or after the scope, or write it into "
                       "a tensor and read that";
}

void ResultPlanner::planScalar(OpResult result, OpOperand &yielded) {
  analyze();
  Value source = identity->getSource(yielded.get());
  bool isInside = plan.isInside(source, entry);
  if (!isInside && !isCopyableConstant(source)) {
    // Passed on from outside: a result that is tied to its parameter.
    entry.results.push_back(result.getResultNumber());
    return;
  }
  if (isInside && !movable.contains(source)) {
    refuse(result, yielded, source);
    return;
  }
  plan.droppedYields.insert(&yielded);
  entry.scalarResults.push_back({result.getResultNumber(), source, !isInside});
  if (isInside)
    markNeeded(source);
}

void ResultPlanner::run() {
  MutableArrayRef<OpOperand> yielded = scope.getYield()->getOpOperands();
  for (auto [result, operand] : llvm::zip(scope.getYieldedResults(), yielded)) {
    if (!isUsed(cast<OpResult>(result)))
      plan.droppedYields.insert(&operand);
    else if (isScalarType(result.getType()))
      planScalar(cast<OpResult>(result), operand);
    else
      entry.results.push_back(result.getResultNumber());
  }
  move();
  for (auto [result, value, isCopied] : entry.scalarResults)
    markUnread(scope.getYield().getOperand(result));
  for (Operation *op : entry.moved)
    for (OpOperand &operand : op->getOpOperands())
      if (plan.movedOperands.contains(&operand))
        markUnread(operand.get());
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

namespace {
/// Finds what scopes read of outside, in order of first read: an operation
/// reads its own operands before its regions do. One walk for a scope and all
/// scopes within it.
class CaptureFinder {
public:
  explicit CaptureFinder(OutliningPlan &plan) : plan(plan) {}

  /// `inner` is the innermost outlined scope `op` stands in, or null.
  void visit(Operation *op, OutlinedScope *inner);

private:
  void readOperands(Operation *op, OutlinedScope *inner);
  void read(OpOperand &operand, OutlinedScope *inner);

  OutliningPlan &plan;
};
} // namespace

void CaptureFinder::read(OpOperand &operand, OutlinedScope *inner) {
  if (plan.droppedYields.contains(&operand))
    return;
  Value value = operand.get();
  if (Value replaced = plan.movedOperands.lookup(&operand))
    value = replaced;
  if (isCopyableConstant(value)) {
    if (!plan.isInside(value, *inner))
      inner->constants[value].push_back(&operand);
    return;
  }
  for (OutlinedScope *entry = inner; entry && !plan.isInside(value, *entry);
       entry = entry->outer)
    entry->captures[value].push_back(&operand);
}

void CaptureFinder::readOperands(Operation *op, OutlinedScope *inner) {
  if (!inner)
    return;
  MutableArrayRef<OpOperand> operands = op->getOpOperands();
  // Loops name the values they start with before their bounds.
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned numControl = loop.getNumControlOperands();
    for (OpOperand &operand : operands.drop_front(numControl))
      read(operand, inner);
    operands = operands.take_front(numControl);
  }
  for (OpOperand &operand : operands)
    read(operand, inner);
}

void CaptureFinder::visit(Operation *op, OutlinedScope *inner) {
  if (plan.movedOps.contains(op) || plan.erasedOps.contains(op))
    return;
  OutlinedScope *entry =
      op->getNumRegions() == 0 ? nullptr : plan.planOf.lookup(op);
  if (entry)
    for (Operation *moved : entry->moved)
      readOperands(moved, inner);
  readOperands(op, inner);
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &nested : block)
        visit(&nested, entry ? entry : inner);
}

/// Names the parameters: a parameter of the function around keeps its name,
/// other values are numbered.
static void nameParams(OutlinedScope &entry) {
  FuncOp parent = entry.parent;
  auto getParam = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &parent.getBody().front()
               ? argument
               : BlockArgument();
  };
  llvm::StringSet<> used;
  for (auto &[value, reads] : entry.captures)
    if (BlockArgument param = getParam(value))
      used.insert(parent.getParamName(param.getArgNumber()));
  unsigned number = 0;
  for (auto &[value, reads] : entry.captures) {
    std::string &name = entry.paramNames.emplace_back();
    if (BlockArgument param = getParam(value)) {
      name = parent.getParamName(param.getArgNumber()).str();
      continue;
    }
    do
      name = "arg" + std::to_string(number++);
    while (used.contains(name));
  }
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// Gives out the names of one symbol table. What is asked for goes to the first
/// that asks, in the order of the module, unless a symbol has it; a name that
/// someone asks for is never made up for someone else. So no name depends on
/// scopes that ask for another one.
class NameTable {
public:
  NameTable(Operation *symbolTable, llvm::DenseSet<StringRef> requested)
      : requested(std::move(requested)) {
    for (Region &region : symbolTable->getRegions())
      for (Block &block : region)
        for (Operation &op : block)
          if (auto name = op.getAttrOfType<StringAttr>(
                  SymbolTable::getSymbolAttrName()))
            taken.insert(name.getValue());
  }

  std::string getRequested(StringRef name) {
    return taken.insert(name).second ? name.str() : getNumbered(name);
  }

  /// `prefix` and the least number that is free.
  std::string getNumbered(StringRef prefix) {
    unsigned &number = next[prefix];
    for (;;) {
      std::string name = (prefix + "_" + Twine(number++)).str();
      if (!requested.contains(name) && taken.insert(name).second)
        return name;
    }
  }

private:
  llvm::DenseSet<StringRef> requested;
  llvm::StringSet<> taken;
  /// The number to try next; smaller ones are taken for good.
  llvm::StringMap<unsigned> next;
};
} // namespace

static void nameFunctions(OutliningPlan &plan) {
  DenseMap<Operation *, std::unique_ptr<NameTable>> tables;
  for (OutlinedScope &entry : plan.scopes) {
    Operation *symbolTable = entry.parent->getParentOp();
    std::unique_ptr<NameTable> &table = tables[symbolTable];
    if (!table)
      table = std::make_unique<NameTable>(
          symbolTable, plan.requestedNames.lookup(symbolTable));
    ScopeOp scope = entry.scope;
    std::optional<StringRef> name = scope.getName();
    entry.name = name && !name->empty()
                     ? table->getRequested(*name)
                     : table->getNumbered((entry.parent.getSymName() + "_" +
                                           stringifyScopeKind(scope.getKind()))
                                              .str());
  }
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

void mlir::pypto::planScopes(OutliningPlan &plan) {
  for (OutlinedScope &entry : plan.scopes)
    ResultPlanner(plan, entry).run();
  if (plan.failed)
    return;
  CaptureFinder finder(plan);
  for (OutlinedScope &entry : plan.scopes)
    if (!entry.outer)
      finder.visit(entry.scope, nullptr);
  for (OutlinedScope &entry : plan.scopes)
    nameParams(entry);
  nameFunctions(plan);
}
