//===- Recording.cpp - What a graph function leaves behind ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Recording.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

using RuntimeFunction = mlir::pypto::runtime::Function;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

bool BoundaryTensor::operator==(const BoundaryTensor &other) const {
  return bufferSize == other.bufferSize && type == other.type &&
         direction == other.direction && manualDep == other.manualDep &&
         isContiguous == other.isContiguous && shape == other.shape &&
         strides == other.strides && alias == other.alias;
}

Signature Boundary::getSignature() const {
  Signature signature;
  signature.numScalars = scalars.size();
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    unsigned alias = 0;
    while (tensors[alias].buffer != tensor.buffer)
      ++alias;
    signature.tensors.push_back(
        {tensor.buffer->size, tensor.type, directions[i], tensor.manualDep,
         tensor.isContiguous(), SmallVector<int64_t, 4>(tensor.getShape()),
         SmallVector<int64_t, 4>(tensor.getStrides()), alias});
  }
  return signature;
}

static std::string join(ArrayRef<int64_t> values) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  return text + "]";
}

static std::string getDifference(const BoundaryTensor &recorded,
                                 const BoundaryTensor &now) {
  if (recorded.shape != now.shape)
    return "has shape " + join(now.shape) + ", recorded was " +
           join(recorded.shape);
  if (recorded.strides != now.strides)
    return "has strides " + join(now.strides) + ", recorded was " +
           join(recorded.strides);
  if (recorded.bufferSize != now.bufferSize)
    return "lies in a buffer of " + std::to_string(now.bufferSize) +
           " bytes, recorded was " + std::to_string(recorded.bufferSize);
  if (recorded.alias != now.alias)
    return "shares its buffer first with tensor " + std::to_string(now.alias) +
           ", recorded was tensor " + std::to_string(recorded.alias);
  if (recorded.direction != now.direction)
    return ("is passed as " + stringifyArgDirection(now.direction) +
            ", recorded was " + stringifyArgDirection(recorded.direction))
        .str();
  if (recorded.type != now.type)
    return "has another element type";
  return "differs";
}

std::string mlir::pypto::runtime::getDifference(const Signature &recorded,
                                                const Signature &now) {
  if (recorded.tensors.size() != now.tensors.size() ||
      recorded.numScalars != now.numScalars)
    return "the numbers of tensors and scalars differ";
  for (auto [i, a, b] : llvm::enumerate(recorded.tensors, now.tensors))
    if (!(a == b))
      return "boundary tensor " + std::to_string(i) + " " +
             ::getDifference(a, b);
  return "";
}

//===----------------------------------------------------------------------===//
// Recorder
//===----------------------------------------------------------------------===//

Recorder::Recorder(RuntimeFunction &function, Boundary boundary)
    : boundary(std::move(boundary)),
      definition(std::make_unique<Definition>()) {
  definition->function = &function;
  definition->signature = this->boundary.getSignature();
}

LogicalResult Recorder::fail(Operation *op, const Twine &message,
                             StringRef rule) {
  if (!problem)
    problem = RecordingFailure{op, message.str(), rule.str()};
  return failure();
}

std::optional<TensorSource> Recorder::classify(const TensorDescriptor &tensor,
                                               unsigned node) {
  TensorSource source;
  source.recorded = tensor;
  source.recorded.buffer = nullptr;
  for (auto [i, candidate] : llvm::enumerate(boundary.tensors))
    if (isSameTensor(candidate, tensor)) {
      source.kind = TensorSource::Kind::BoundaryExact;
      source.index = i;
      return source;
    }
  for (auto [i, candidate] : llvm::enumerate(boundary.tensors))
    if (candidate.buffer == tensor.buffer &&
        tensor.startOffset >= candidate.startOffset) {
      source.kind = TensorSource::Kind::BoundaryView;
      source.index = i;
      source.offset = tensor.startOffset - candidate.startOffset;
      return source;
    }
  auto it = internal.find(tensor.buffer);
  if (it == internal.end())
    return std::nullopt;
  std::tie(source.index, source.output) = it->second;
  source.kind = source.index == node ? TensorSource::Kind::OwnOutput
                                     : TensorSource::Kind::Internal;
  source.offset = tensor.startOffset;
  return source;
}

LogicalResult Recorder::setFanIn(const Task &task, Node &node) {
  SmallVector<TaskId> deps;
  for (TaskId dep : task.deps) {
    if (dep != kNoTask && !(dep & kRecordedBit))
      return fail(task.op, "depends on a task outside of the recording",
                  "explicit dependencies go between recorded tasks");
    deps.push_back(dep);
  }
  SmallVector<TaskId> implied;
  map.collect(task, implied);
  // What made a boundary tensor is outside: the launch as a whole waits for it.
  llvm::copy_if(implied, std::back_inserter(deps),
                [](TaskId dep) { return (dep & kRecordedBit) != 0; });
  normalize(deps);
  for (TaskId dep : deps)
    node.fanIn.push_back((dep & ~kRecordedBit) - 1);
  if (node.fanIn.size() > kMaxTaskDeps)
    return fail(task.op,
                "waits for " + Twine(node.fanIn.size()) + " other tasks",
                "a task has at most 128 dependencies");
  return success();
}

LogicalResult Recorder::addNode(Node node, TaskId &id) {
  if (definition->nodes.size() == kMaxNodes)
    return fail(node.op,
                "is the 1025th node of the recording of '@" +
                    Twine(definition->function->name) + "'",
                "a recording has at most 1024 nodes");
  definition->nodes.push_back(std::move(node));
  id = definition->nodes.size() | kRecordedBit;
  return success();
}

LogicalResult Recorder::addTask(const Task &task, ArrayRef<Buffer *> outputs,
                                TaskId &id) {
  Node node;
  static_cast<TaskInfo &>(node) = task;
  unsigned number = definition->nodes.size();
  for (Buffer *output : outputs) {
    internal[output] = {number, node.outputs.size()};
    node.outputs.push_back(output->size);
  }
  static constexpr StringLiteral kNoMatch =
      "a tensor that is on no boundary tensor's buffer at or behind its start, "
      "and in no buffer of the recording, makes the recording unusable";
  for (auto [i, tensor] : llvm::enumerate(task.tensors)) {
    std::optional<TensorSource> source = classify(tensor, number);
    if (!source)
      return fail(task.op,
                  "tensor #" + Twine(i) + " (" + describe(tensor) +
                      ") matches nothing the recording knows",
                  kNoMatch);
    node.tensors.push_back(*source);
  }
  for (auto [value, slot] : llvm::zip_equal(task.scalars, task.slots))
    node.scalars.push_back({slot, value});
  if (task.predicate) {
    std::optional<TensorSource> gate = classify(task.predicate->gate, number);
    if (!gate)
      return fail(task.op,
                  "the gate of its predicate matches nothing the "
                  "recording knows",
                  kNoMatch);
    node.predicate =
        RecordedPredicate{*gate, task.predicate->indices,
                          task.predicate->comparison, task.predicate->rhs};
  }
  if (failed(setFanIn(task, node)) || failed(addNode(std::move(node), id)))
    return failure();
  map.insert(task, id);
  return success();
}

LogicalResult Recorder::addCreate(Operation *op, Buffer *buffer,
                                  const void *code, uint32_t batch,
                                  bool isFirst, TaskId &id) {
  unsigned &number = batches[{code, batch}];
  if (isFirst) {
    number = definition->nodes.size();
    Node node;
    node.kind = Node::Kind::Alloc;
    node.op = op;
    if (failed(addNode(std::move(node), id)))
      return failure();
  }
  Node &node = definition->nodes[number];
  internal[buffer] = {number, node.outputs.size()};
  node.outputs.push_back(buffer->size);
  id = (number + 1) | kRecordedBit;
  return success();
}

bool Recorder::isProduced(const TensorDescriptor &tensor) const {
  SmallVector<TaskId> writers;
  map.collectWriters(tensor, /*manualScope=*/0, writers);
  return !writers.empty() || internal.contains(tensor.buffer);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string mlir::pypto::runtime::describe(const TensorSource &source) {
  std::string index = std::to_string(source.index);
  std::string offset = "+" + std::to_string(source.offset);
  switch (source.kind) {
  case TensorSource::Kind::BoundaryExact:
    return "boundary_exact(" + index + ")";
  case TensorSource::Kind::BoundaryView:
    return "boundary_view(" + index + ", " + offset + ")";
  case TensorSource::Kind::OwnOutput:
    return "own_output(" + std::to_string(source.output) + ", " + offset + ")";
  case TensorSource::Kind::Internal:
    return "internal(" + index + ", " + offset + ")";
  }
  return "";
}

std::string mlir::pypto::runtime::describe(const ScalarSource &source,
                                           ScalarKind kind) {
  if (source.slot >= 0)
    return "boundary(" + std::to_string(source.slot) + ")";
  return "static(" + formatScalar(source.value, kind) + ")";
}

static void dumpArray(llvm::json::OStream &json, StringRef name,
                      ArrayRef<int64_t> values) {
  json.attributeArray(name, [&] {
    for (int64_t value : values)
      json.value(value);
  });
}

static void dumpSource(llvm::json::OStream &json, const TensorSource &source) {
  switch (source.kind) {
  case TensorSource::Kind::BoundaryExact:
    json.attribute("kind", "boundary_exact");
    json.attribute("boundary", source.index);
    return;
  case TensorSource::Kind::BoundaryView:
    json.attribute("kind", "boundary_view");
    json.attribute("boundary", source.index);
    json.attribute("delta", source.offset);
    break;
  case TensorSource::Kind::OwnOutput:
    json.attribute("kind", "own_output");
    json.attribute("output", source.output);
    json.attribute("offset", source.offset);
    break;
  case TensorSource::Kind::Internal:
    json.attribute("kind", "internal");
    json.attribute("node", source.index);
    json.attribute("output", source.output);
    json.attribute("offset", source.offset);
    break;
  }
  dumpArray(json, "shape", source.recorded.getShape());
  dumpArray(json, "strides", source.recorded.getStrides());
}

static void dumpBoundary(llvm::json::OStream &json, const Definition &def) {
  json.attribute("definition", def.number);
  json.attribute("function", def.function->name);
  json.attribute("nodes", def.nodes.size());
  json.attribute("scalars", def.signature.numScalars);
  json.attributeArray("tensors", [&] {
    for (const BoundaryTensor &tensor : def.signature.tensors)
      json.object([&] {
        json.attribute("direction", stringifyArgDirection(tensor.direction));
        json.attribute("type", stringify(tensor.type));
        dumpArray(json, "shape", tensor.shape);
        dumpArray(json, "strides", tensor.strides);
        json.attribute("contiguous", tensor.isContiguous);
        json.attribute("buffer_size", tensor.bufferSize);
        json.attribute("alias", tensor.alias);
      });
  });
}

static StringRef getKindName(Node::Kind kind) {
  switch (kind) {
  case Node::Kind::Kernel:
    return "task";
  case Node::Kind::Fill:
    return "fill";
  case Node::Kind::Dummy:
    return "dummy";
  case Node::Kind::Alloc:
    return "alloc";
  case Node::Kind::Join:
    break;
  }
  llvm_unreachable("no node of a recording");
}

static ScalarKind getScalarKind(const Node &node, unsigned i) {
  if (node.callee)
    return node.callee->params[node.callee->scalarParams[i]].kind;
  return {};
}

static void dumpNode(llvm::json::OStream &json, const Definition &def,
                     unsigned number) {
  const Node &node = def.nodes[number];
  json.attribute("definition", def.number);
  json.attribute("node", number);
  json.attribute("kind", getKindName(node.kind));
  if (node.callee)
    json.attribute("kernel", node.callee->name);
  if (!node.outputs.empty())
    dumpArray(json, "outputs", node.outputs);
  if (node.kind == Node::Kind::Alloc)
    return;
  json.attributeArray("tensors", [&] {
    for (auto [source, direction] :
         llvm::zip_equal(node.tensors, node.directions))
      json.object([&, &source = source, &direction = direction] {
        json.attribute("direction", stringifyArgDirection(direction));
        dumpSource(json, source);
      });
  });
  json.attributeArray("scalars", [&] {
    for (auto [i, source] : llvm::enumerate(node.scalars))
      json.object([&, i = i, &source = source] {
        json.attribute("kind", source.slot >= 0 ? "boundary" : "static");
        if (source.slot >= 0)
          json.attribute("boundary", source.slot);
        else
          json.attribute("value",
                         formatScalar(source.value, getScalarKind(node, i)));
      });
  });
  json.attributeArray("fan_in", [&] {
    for (unsigned dep : node.fanIn)
      json.value(dep);
  });
  json.attribute("block_count", node.blockCount);
  if (!node.predicate)
    return;
  json.attributeObject("predicate", [&] {
    json.attributeObject("gate",
                         [&] { dumpSource(json, node.predicate->gate); });
    dumpArray(json, "indices", node.predicate->indices);
    json.attribute("comparison",
                   stringifyComparison(node.predicate->comparison));
    json.attribute("rhs", static_cast<int64_t>(node.predicate->rhs));
  });
}

void Definition::dump(llvm::raw_ostream &os) const {
  auto line = [&](llvm::function_ref<void(llvm::json::OStream &)> fill) {
    llvm::json::OStream json(os);
    json.object([&] { fill(json); });
    json.flush();
    os << '\n';
  };
  line([&](llvm::json::OStream &json) { dumpBoundary(json, *this); });
  for (unsigned i = 0, e = nodes.size(); i != e; ++i)
    line([&](llvm::json::OStream &json) { dumpNode(json, *this, i); });
}
