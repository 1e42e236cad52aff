//===- Culprit.cpp - Which operand went wrong -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the tasks of an eager run with those of a run by record and replay,
// operand by operand. Buffers are told apart by where they first appear.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Program.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

using RuntimeFunction = mlir::pypto::runtime::Function;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static StringRef getRule(const TensorSource &source) {
  switch (source.kind) {
  case TensorSource::Kind::BoundaryExact:
    return "a tensor that equals a boundary tensor when it is recorded is that "
           "boundary tensor on every replay; the first in slot order wins";
  case TensorSource::Kind::BoundaryView:
    return "a window keeps its recorded shape, and its recorded distance from "
           "the first boundary tensor in slot order that shares its buffer and "
           "starts at or before it";
  case TensorSource::Kind::OwnOutput:
  case TensorSource::Kind::Internal:
    return "a window of a buffer of the recording keeps its recorded offset "
           "and shape";
  }
  return "";
}

static constexpr StringLiteral kStaticRule =
    "a scalar that is not read from a boundary slot keeps the value of the "
    "first call";
static constexpr StringLiteral kSlotRule =
    "a scalar read from a boundary slot has this call's value";
static constexpr StringLiteral kBlockRule =
    "the block count of a task is recorded";
static constexpr StringLiteral kPredicateRule =
    "the indices and the right-hand side of a predicate are recorded; its gate "
    "is bound like an operand";
static constexpr StringLiteral kTopologyRule =
    "the tasks of a recording, and their order, are those of the first call";

//===----------------------------------------------------------------------===//
// Comparing tasks
//===----------------------------------------------------------------------===//

namespace {
class TaskComparison {
public:
  TaskComparison(const Run &eager, const Run &replayed)
      : eager(eager), replayed(replayed) {}

  std::optional<Culprit> run();

private:
  std::optional<Culprit> compare(const Task &a, const Task &b);
  std::optional<Culprit> compareTensors(const Task &a, const Task &b);
  std::optional<Culprit> compareScalars(const Task &a, const Task &b);
  std::optional<Culprit> comparePredicates(const Task &a, const Task &b);
  bool areSame(const TensorDescriptor &a, const TensorDescriptor &b);
  Culprit make(const Task &task, std::string operand);
  const Node *getNode(const Task &task) const;

  const Run &eager, &replayed;
  DenseMap<const Buffer *, const Buffer *> toReplayed, toEager;
  uint64_t number = 0;
};
} // namespace

const Node *TaskComparison::getNode(const Task &task) const {
  if (task.node < 0)
    return nullptr;
  return &replayed.recordings.definitions[task.definition]->nodes[task.node];
}

Culprit TaskComparison::make(const Task &task, std::string operand) {
  Culprit culprit;
  culprit.kernel = task.getName().str();
  culprit.location = formatLocation(task.op->getLoc());
  culprit.operand = std::move(operand);
  culprit.task = number;
  culprit.node = task.node;
  return culprit;
}

/// Same window of corresponding buffers.
bool TaskComparison::areSame(const TensorDescriptor &a,
                             const TensorDescriptor &b) {
  const Buffer *&inReplayed = toReplayed[a.buffer];
  const Buffer *&inEager = toEager[b.buffer];
  if (!inReplayed && !inEager) {
    inReplayed = b.buffer;
    inEager = a.buffer;
  }
  return inReplayed == b.buffer && inEager == a.buffer &&
         a.startOffset == b.startOffset && a.type == b.type &&
         a.getShape() == b.getShape() && a.getStrides() == b.getStrides();
}

/// Names an operand, and says where it was made.
static std::string nameOperand(const Task &task, bool isTensor, unsigned number,
                               std::string &definedAt) {
  const RuntimeFunction *callee = task.callee;
  if (!callee)
    return isTensor ? "the buffer" : "the value";
  ArrayRef<unsigned> params =
      isTensor ? callee->tensorParams : callee->scalarParams;
  if (number >= params.size())
    return "the buffer of a result";
  unsigned index = params[number];
  auto launch = cast<LaunchOpInterface>(task.op);
  if (index < launch.getLaunchArgs().size())
    if (Operation *op = launch.getLaunchArgs()[index].getDefiningOp())
      definedAt = formatLocation(op->getLoc());
  FuncOp function = callee->op;
  return ((isTensor ? "tensor argument #" : "scalar argument #") +
          Twine(index) + " (%" + function.getParamName(index) + ")")
      .str();
}

std::optional<Culprit> TaskComparison::compareTensors(const Task &a,
                                                      const Task &b) {
  for (auto [i, tensor, other] : llvm::enumerate(a.tensors, b.tensors)) {
    if (areSame(tensor, other))
      continue;
    std::string definedAt;
    Culprit culprit = make(b, nameOperand(b, /*isTensor=*/true, i, definedAt));
    culprit.operandLocation = definedAt;
    culprit.eager = describe(tensor);
    culprit.replayed = describe(other);
    if (const Node *node = getNode(b)) {
      culprit.source = describe(node->tensors[i]);
      culprit.rule = getRule(node->tensors[i]);
    }
    return culprit;
  }
  return std::nullopt;
}

std::optional<Culprit> TaskComparison::compareScalars(const Task &a,
                                                      const Task &b) {
  for (auto [i, value, other] : llvm::enumerate(a.scalars, b.scalars)) {
    if (value == other)
      continue;
    ScalarKind kind;
    if (b.callee)
      kind = b.callee->params[b.callee->scalarParams[i]].kind;
    std::string definedAt;
    Culprit culprit = make(b, nameOperand(b, /*isTensor=*/false, i, definedAt));
    culprit.operandLocation = definedAt;
    culprit.eager = formatScalar(value, kind);
    culprit.replayed = formatScalar(other, kind);
    if (const Node *node = getNode(b)) {
      culprit.source = describe(node->scalars[i], kind);
      culprit.rule = node->scalars[i].slot < 0 ? kStaticRule : kSlotRule;
    }
    return culprit;
  }
  return std::nullopt;
}

static std::string describe(const Predicate &predicate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << describe(predicate.gate) << ", element [";
  llvm::interleaveComma(predicate.indices, os);
  os << "] " << stringifyComparison(predicate.comparison) << ' '
     << formatElement(predicate.rhs, predicate.gate.type);
  return text;
}

std::optional<Culprit> TaskComparison::comparePredicates(const Task &a,
                                                         const Task &b) {
  if (!a.predicate && !b.predicate)
    return std::nullopt;
  if (a.predicate && b.predicate &&
      areSame(a.predicate->gate, b.predicate->gate) &&
      a.predicate->indices == b.predicate->indices &&
      a.predicate->rhs == b.predicate->rhs)
    return std::nullopt;
  Culprit culprit = make(b, "the predicate");
  culprit.eager = a.predicate ? ::describe(*a.predicate) : "none";
  culprit.replayed = b.predicate ? ::describe(*b.predicate) : "none";
  if (const Node *node = getNode(b)) {
    if (node->predicate)
      culprit.source = describe(node->predicate->gate);
    culprit.rule = kPredicateRule;
  }
  return culprit;
}

std::optional<Culprit> TaskComparison::compare(const Task &a, const Task &b) {
  if (a.kind != b.kind || a.callee != b.callee ||
      a.tensors.size() != b.tensors.size()) {
    Culprit culprit = make(b, "the task itself");
    culprit.eager = a.getName().str();
    culprit.replayed = b.getName().str();
    culprit.rule = b.node >= 0 ? kTopologyRule : StringLiteral("");
    return culprit;
  }
  if (std::optional<Culprit> culprit = compareTensors(a, b))
    return culprit;
  if (std::optional<Culprit> culprit = compareScalars(a, b))
    return culprit;
  if (a.blockCount != b.blockCount) {
    Culprit culprit = make(b, "the block count");
    culprit.eager = std::to_string(a.blockCount);
    culprit.replayed = std::to_string(b.blockCount);
    culprit.rule = b.node >= 0 ? kBlockRule : StringLiteral("");
    return culprit;
  }
  return comparePredicates(a, b);
}

static std::vector<const Task *> getVisible(const Run &run) {
  std::vector<const Task *> tasks;
  for (const Task &task : run.engine.getTasks())
    if (task.isVisible())
      tasks.push_back(&task);
  return tasks;
}

std::optional<Culprit> TaskComparison::run() {
  // The entry's buffers come first, in the order of the parameters.
  for (auto [a, b] :
       llvm::zip(eager.memory.getBuffers(), replayed.memory.getBuffers())) {
    if (a->name.empty() || b->name.empty())
      break;
    toReplayed[a.get()] = b.get();
    toEager[b.get()] = a.get();
  }
  std::vector<const Task *> first = getVisible(eager);
  std::vector<const Task *> second = getVisible(replayed);
  for (auto [a, b] : llvm::zip(first, second)) {
    if (a->graphLaunch != b->graphLaunch) {
      const Task *more = a->graphLaunch < b->graphLaunch ? a : b;
      Culprit culprit = make(*more, "the task itself");
      culprit.eager = more == a ? "launched" : "not launched";
      culprit.replayed = more == a ? "not launched" : "launched";
      culprit.rule = kTopologyRule;
      return culprit;
    }
    if (std::optional<Culprit> culprit = compare(*a, *b))
      return culprit;
    ++number;
  }
  if (first.size() == second.size())
    return std::nullopt;
  bool eagerHasMore = first.size() > second.size();
  const Task *more = (eagerHasMore ? first : second)[number];
  Culprit culprit = make(*more, "the task itself");
  culprit.eager = eagerHasMore ? "launched" : "not launched";
  culprit.replayed = eagerHasMore ? "not launched" : "launched";
  culprit.rule = kTopologyRule;
  return culprit;
}

std::optional<Culprit> mlir::pypto::runtime::findCulprit(const Run &eager,
                                                         const Run &replayed) {
  return TaskComparison(eager, replayed).run();
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kOrderRule =
    "tasks are ordered after the last writers of what they read or update, and "
    "after nothing else";
static constexpr StringLiteral kManualRule =
    "in a manual scope only explicit dependencies order its tasks";

/// More tasks than this are not searched: the search keeps who comes before
/// whom.
static constexpr size_t kMaxTasksForRaces = 20000;

/// What the kernel does, whatever the launch says.
static bool writes(const Task &task, unsigned i) {
  if (!task.callee || i >= task.callee->tensorParams.size())
    return true;
  return task.callee->params[task.callee->tensorParams[i]].direction !=
         ParamDirection::In;
}

std::optional<Race> mlir::pypto::runtime::findRace(const Run &run) {
  ArrayRef<Task> tasks = run.engine.getTasks();
  if (tasks.size() > kMaxTasksForRaces)
    return std::nullopt;
  struct Access {
    unsigned task;
    const TensorDescriptor *window;
    bool writes;
  };
  std::vector<llvm::BitVector> before(tasks.size());
  DenseMap<const Buffer *, std::vector<Access>> accesses;
  for (auto [number, task] : llvm::enumerate(tasks)) {
    before[number].resize(tasks.size());
    for (TaskId dep : task.deps) {
      before[number].set(dep - 1);
      before[number] |= before[dep - 1];
    }
    if (!task.isVisible())
      continue;
    for (auto [i, tensor] : llvm::enumerate(task.tensors)) {
      bool isWrite = writes(task, i);
      std::vector<Access> &earlier = accesses[tensor.buffer];
      for (const Access &access : earlier) {
        if (access.task == number || !(access.writes || isWrite) ||
            before[number].test(access.task) ||
            !mayOverlap(*access.window, tensor))
          continue;
        const Task &other = tasks[access.task];
        bool isManual =
            task.manualScope != 0 && task.manualScope == other.manualScope;
        return Race{other.getName().str(),
                    task.getName().str(),
                    formatLocation(other.op->getLoc()),
                    formatLocation(task.op->getLoc()),
                    describe(tensor),
                    (isManual ? kManualRule : kOrderRule).str()};
      }
      earlier.push_back({static_cast<unsigned>(number), &tensor, isWrite});
    }
  }
  return std::nullopt;
}
