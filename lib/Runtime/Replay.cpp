//===- Replay.cpp - Runs recordings ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Run.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

namespace {
/// One replay: buffers of its own for what the recording allocated.
class Replayer {
public:
  Replayer(Run &run, const Definition &definition, const Boundary &boundary,
           Operation *op)
      : run(run), definition(definition), boundary(boundary), op(op),
        ids(definition.nodes.size(), kNoTask),
        outputs(definition.nodes.size()) {}

  LogicalResult replay(unsigned manualScope);

private:
  LogicalResult runNode(unsigned number);
  LogicalResult resolve(const TensorSource &source, const Node &node,
                        unsigned number, TensorDescriptor &tensor);
  LogicalResult allocate(const Node &node, unsigned number);
  Task makeBoundaryTask(unsigned manualScope);

  Run &run;
  const Definition &definition;
  const Boundary &boundary;
  Operation *op;
  /// Of each node: its task, and the buffers it allocated.
  std::vector<TaskId> ids;
  std::vector<SmallVector<Buffer *, 2>> outputs;
};
} // namespace

Task Replayer::makeBoundaryTask(unsigned manualScope) {
  Task task;
  task.kind = Task::Kind::Join;
  task.op = op;
  task.tensors.append(boundary.tensors.begin(), boundary.tensors.end());
  task.directions.append(boundary.directions.begin(),
                         boundary.directions.end());
  task.manualScope = manualScope;
  return task;
}

LogicalResult Replayer::allocate(const Node &node, unsigned number) {
  for (int64_t size : node.outputs) {
    Buffer *buffer = run.memory.allocate(size, node.op);
    if (!buffer)
      return run.fail(node.op, "allocates more bytes than the model holds in "
                               "all; symbolic data takes none");
    outputs[number].push_back(buffer);
  }
  return success();
}

LogicalResult Replayer::resolve(const TensorSource &source, const Node &node,
                                unsigned number, TensorDescriptor &tensor) {
  switch (source.kind) {
  case TensorSource::Kind::BoundaryExact:
    tensor = boundary.tensors[source.index];
    return success();
  case TensorSource::Kind::BoundaryView: {
    const TensorDescriptor &base = boundary.tensors[source.index];
    tensor = source.recorded;
    tensor.buffer = base.buffer;
    tensor.owner = base.owner;
    tensor.version = base.version;
    tensor.startOffset = base.startOffset + source.offset;
    break;
  }
  case TensorSource::Kind::OwnOutput:
  case TensorSource::Kind::Internal:
    tensor = source.recorded;
    tensor.buffer = outputs[source.index][source.output];
    tensor.owner = ids[source.index];
    tensor.startOffset = source.offset;
    break;
  }
  if (tensor.isEmpty())
    return run.fail(node.op, "replays a view without elements",
                    "a zero-sized view is a fatal error on replay");
  if (!tensor.isInsideBuffer())
    return run.fail(node.op,
                    "node " + Twine(number) + " of the recording of '@" +
                        definition.function->name + "' takes " +
                        describe(tensor) + ", which leaves the buffer (" +
                        describe(source) + ")",
                    "a view keeps its recorded shape and distance, and must "
                    "lie inside its buffer");
  return success();
}

LogicalResult Replayer::runNode(unsigned number) {
  const Node &node = definition.nodes[number];
  if (failed(allocate(node, number)))
    return failure();
  if (node.kind == Node::Kind::Alloc)
    return success();
  Task task;
  static_cast<TaskInfo &>(task) = node;
  for (const TensorSource &source : node.tensors) {
    TensorDescriptor tensor;
    if (failed(resolve(source, node, number, tensor)))
      return failure();
    task.tensors.push_back(tensor);
  }
  for (const ScalarSource &source : node.scalars)
    task.scalars.push_back(source.slot >= 0 ? boundary.scalars[source.slot]
                                            : source.value);
  if (node.predicate) {
    Predicate predicate;
    if (failed(resolve(node.predicate->gate, node, number, predicate.gate)))
      return failure();
    predicate.indices = node.predicate->indices;
    predicate.comparison = node.predicate->comparison;
    predicate.rhs = node.predicate->rhs;
    task.predicate = std::move(predicate);
  }
  for (unsigned dep : node.fanIn)
    task.deps.push_back(ids[dep]);
  task.graphLaunch = run.graphLaunch;
  task.definition = definition.number;
  task.node = number;
  return run.engine.submit(std::move(task), ids[number]);
}

LogicalResult Replayer::replay(unsigned manualScope) {
  Task begin = makeBoundaryTask(manualScope);
  if (failed(run.engine.beginGroup(begin)))
    return failure();
  for (unsigned i = 0, e = definition.nodes.size(); i != e; ++i)
    if (failed(runNode(i)))
      return failure();
  return run.engine.endGroup(std::move(begin));
}

LogicalResult mlir::pypto::runtime::replay(Run &run,
                                           const Definition &definition,
                                           const Boundary &boundary,
                                           Operation *op,
                                           unsigned manualScope) {
  return Replayer(run, definition, boundary, op).replay(manualScope);
}
