//===- Compare.cpp - Eager against replayed -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Program.h"

#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

namespace {
/// The memory both sides of a comparison work on: copies of the caller's.
class Copies {
public:
  /// The arguments with their memory replaced, for one side.
  std::vector<Argument> get(ArrayRef<Argument> arguments, bool isEager);
  /// Lets the replays start from what the eager run left.
  void synchronize() {
    for (auto &[data, copy] : copies)
      copy.replayed = copy.eager;
  }

private:
  struct Copy {
    std::vector<char> eager, replayed;
  };
  llvm::MapVector<char *, Copy> copies;
};
} // namespace

std::vector<Argument> Copies::get(ArrayRef<Argument> arguments, bool isEager) {
  std::vector<Argument> result(arguments.begin(), arguments.end());
  for (Argument &argument : result) {
    auto *tensor = std::get_if<TensorArgument>(&argument);
    if (!tensor || !tensor->data)
      continue;
    Copy &copy = copies[tensor->data];
    if (copy.eager.empty() && tensor->sizeInBytes > 0) {
      copy.eager.assign(tensor->data, tensor->data + tensor->sizeInBytes);
      copy.replayed = copy.eager;
    }
    // The address of a vector's bytes does not change until it is assigned.
    tensor->data = (isEager ? copy.eager : copy.replayed).data();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static std::optional<BufferDifference>
compareSymbolic(const TensorDescriptor &eager,
                const TensorDescriptor &replayed) {
  if (readSymbolic(eager) == readSymbolic(replayed))
    return std::nullopt;
  auto format = [](const TensorDescriptor &tensor) {
    return std::to_string(tensor.buffer->writes.size()) +
           " windows with hash " + llvm::utohexstr(readSymbolic(tensor));
  };
  return BufferDifference{
      eager.buffer->name, {}, format(eager), format(replayed)};
}

static std::optional<BufferDifference>
compareTensors(const TensorDescriptor &eager,
               const TensorDescriptor &replayed) {
  const char *a = eager.buffer->getData(), *b = replayed.buffer->getData();
  if (std::memcmp(a, b, eager.buffer->size) == 0)
    return std::nullopt;
  unsigned size = getByteSize(eager.type);
  std::optional<BufferDifference> result;
  int64_t number = 0;
  forEachElement(eager, [&](int64_t offset) {
    uint64_t x = loadElement(a + offset * size, eager.type);
    uint64_t y = loadElement(b + offset * size, eager.type);
    int64_t rest = number++;
    if (x == y || result)
      return;
    SmallVector<int64_t> index(eager.rank);
    for (int axis = eager.rank - 1; axis >= 0; --axis) {
      index[axis] = rest % eager.shape[axis];
      rest /= eager.shape[axis];
    }
    result = BufferDifference{eager.buffer->name, index,
                              formatElement(x, eager.type),
                              formatElement(y, eager.type)};
  });
  if (!result)
    result = BufferDifference{
        eager.buffer->name, {}, "", "bytes outside of the argument's window"};
  return result;
}

static std::optional<BufferDifference>
findDifference(const Run &eager, const Run &replayed,
               ArrayRef<TensorDescriptor> eagerTensors,
               ArrayRef<TensorDescriptor> replayedTensors) {
  for (auto [a, b] : llvm::zip_equal(eagerTensors, replayedTensors))
    if (std::optional<BufferDifference> difference = eager.memory.isSymbolic()
                                                         ? compareSymbolic(a, b)
                                                         : compareTensors(a, b))
      return difference;
  for (auto [i, a, b] : llvm::enumerate(eager.result.scalarResults,
                                        replayed.result.scalarResults))
    if (a != b)
      return BufferDifference{"result #" + std::to_string(i),
                              {},
                              std::to_string(a),
                              std::to_string(b)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static CallReport compareRuns(const Run &eager, const Run &replayed,
                              ArrayRef<TensorDescriptor> eagerTensors,
                              ArrayRef<TensorDescriptor> replayedTensors) {
  CallReport report;
  report.eagerProblem = eager.result.problem;
  report.replayProblem = replayed.result.problem;
  report.events = replayed.result.events;
  for (const Task &task : eager.engine.getTasks())
    report.numTasks += task.isVisible();
  for (const Event &event : report.events)
    report.numReplays += event.kind == Event::Kind::Replayed;
  bool isComplete = eager.result.succeeded() && replayed.result.succeeded();
  if (isComplete)
    report.difference =
        findDifference(eager, replayed, eagerTensors, replayedTensors);
  report.agrees = isComplete && !report.difference;
  // A run that stopped has launched fewer tasks: only what it launched counts.
  if (isComplete)
    report.culprit = findCulprit(eager, replayed);
  if (report.difference && !report.culprit &&
      replayed.options.order != Order::Program)
    report.race = findRace(replayed);
  return report;
}

Report Program::compare(StringRef entry, ArrayRef<std::vector<Argument>> calls,
                        const RunOptions &options) {
  RunOptions eagerOptions = options;
  eagerOptions.replay = false;
  eagerOptions.order = Order::Program;
  eagerOptions.keepTasks = true;
  RunOptions replayOptions = options;
  replayOptions.replay = true;
  replayOptions.keepTasks = true;

  Report report;
  Copies copies;
  Recordings noRecordings;
  impl->recordings = Recordings();
  for (const std::vector<Argument> &arguments : calls) {
    if (!options.keepRecordings)
      impl->recordings = Recordings();
    copies.synchronize();
    std::vector<Argument> forEager = copies.get(arguments, /*isEager=*/true);
    std::vector<Argument> forReplay = copies.get(arguments, /*isEager=*/false);
    Run eager(impl->functions, impl->kernels, noRecordings, eagerOptions);
    Run replayed(impl->functions, impl->kernels, impl->recordings,
                 replayOptions);
    SmallVector<TensorDescriptor> eagerTensors, replayedTensors;
    impl->execute(eager, entry, forEager, eagerTensors);
    if (eager.result.succeeded())
      impl->execute(replayed, entry, forReplay, replayedTensors);
    report.calls.push_back(
        compareRuns(eager, replayed, eagerTensors, replayedTensors));
    // Different seeds for different calls.
    ++replayOptions.seed;
  }
  return report;
}
