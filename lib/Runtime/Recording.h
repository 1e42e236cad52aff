//===- Recording.h - What a graph function leaves behind --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph function runs once with a `Recorder` in place of the queue. What it
// launches becomes nodes of a `Definition`, each operand replaced by where a
// replay will take it from:
//
// - a scalar read from a boundary slot stays that slot; any other is the value
//   it has now, for ever;
// - a tensor equal to a boundary tensor is that one (the first by slot number);
//   else a window on the buffer of a boundary tensor that starts at or before
//   it is measured from that one (the first again); else it lies in a buffer of
//   this node, or of an earlier one; else there is no recording.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_RECORDING_H
#define PYPTO_RUNTIME_RECORDING_H

#include "Runtime/Runtime.h"
#include "Runtime/Task.h"

namespace mlir::pypto::runtime {

// What the runtime takes.
inline constexpr unsigned kMaxBoundaryTensors = 128;
inline constexpr unsigned kMaxBoundaryScalars = 64;
inline constexpr unsigned kMaxDefinitions = 16;
inline constexpr unsigned kMaxNodes = 1024;
inline constexpr unsigned kMaxTaskTensors = 32;
inline constexpr unsigned kMaxTaskScalars = 16;
inline constexpr unsigned kMaxTaskDeps = 128;

/// Task ids of nodes have this bit: they mean nothing outside of the recording.
inline constexpr TaskId kRecordedBit = TaskId(1) << 63;

/// A boundary tensor as the signature sees it.
struct BoundaryTensor {
  int64_t bufferSize;
  ElementType type;
  graph::ArgDirection direction;
  bool manualDep;
  bool isContiguous;
  SmallVector<int64_t, 4> shape, strides;
  /// The first boundary tensor on the same buffer.
  unsigned alias;

  bool operator==(const BoundaryTensor &other) const;
};

/// What decides whether a launch can be replayed.
struct Signature {
  SmallVector<BoundaryTensor, 4> tensors;
  unsigned numScalars = 0;
};

/// How two signatures differ, as a sentence's end; empty when they do not.
std::string getDifference(const Signature &recorded, const Signature &now);

/// What a graph is launched with, in slot order.
struct Boundary {
  SmallVector<TensorDescriptor, 8> tensors;
  SmallVector<graph::ArgDirection, 8> directions;
  SmallVector<uint64_t, 8> scalars;

  Signature getSignature() const;
};

/// Where a replay takes a tensor from.
struct TensorSource {
  enum class Kind : uint8_t {
    BoundaryExact,
    BoundaryView,
    OwnOutput,
    Internal
  };
  Kind kind;
  /// Boundary tensor, or node.
  unsigned index = 0;
  /// Number among the buffers of the node.
  unsigned output = 0;
  /// Elements from the boundary tensor's start, or from the buffer's.
  int64_t offset = 0;
  /// Shape, strides and type as recorded; the buffer is meaningless.
  TensorDescriptor recorded;
};

/// Where a replay takes a scalar from.
struct ScalarSource {
  /// Boundary slot, or -1 for a static value.
  int slot = -1;
  uint64_t value = 0;
};

struct RecordedPredicate {
  TensorSource gate;
  SmallVector<int64_t, 4> indices;
  graph::Comparison comparison;
  uint64_t rhs;
};

struct Node : TaskInfo {
  SmallVector<TensorSource, 4> tensors;
  SmallVector<ScalarSource, 4> scalars;
  std::optional<RecordedPredicate> predicate;
  /// Nodes this one waits for.
  SmallVector<unsigned, 4> fanIn;
  /// Sizes of the buffers it allocates.
  SmallVector<int64_t, 2> outputs;
};

/// A recording.
struct Definition {
  unsigned number = 0;
  Function *function = nullptr;
  Signature signature;
  std::vector<Node> nodes;

  /// One JSON object a line.
  void dump(llvm::raw_ostream &os) const;
};

/// `boundary_view(2, +128)`: a source as people read it.
std::string describe(const TensorSource &source);
std::string describe(const ScalarSource &source, ScalarKind kind);

/// Why the recording cannot be used.
struct RecordingFailure {
  Operation *op;
  std::string message;
  std::string rule;
};

/// Records one launch.
class Recorder {
public:
  Recorder(Function &function, Boundary boundary);

  const Boundary &getBoundary() const { return boundary; }

  /// Records a task. On success `id` names the node within the recording.
  LogicalResult addTask(const Task &task, ArrayRef<Buffer *> outputs,
                        TaskId &id);
  /// Records an allocation, packed into the call of its block.
  LogicalResult addCreate(Operation *op, Buffer *buffer, const void *code,
                          uint32_t batch, bool isFirst, TaskId &id);
  /// Whether what is read of `tensor` would come out of the recording itself.
  bool isProduced(const TensorDescriptor &tensor) const;

  const RecordingFailure &getFailure() const { return *problem; }
  std::unique_ptr<Definition> take() { return std::move(definition); }

private:
  LogicalResult fail(Operation *op, const Twine &message, StringRef rule);
  std::optional<TensorSource> classify(const TensorDescriptor &tensor,
                                       unsigned node);
  LogicalResult setFanIn(const Task &task, Node &node);
  LogicalResult addNode(Node node, TaskId &id);

  Boundary boundary;
  std::unique_ptr<Definition> definition;
  DependencyMap map;
  /// Buffers allocated inside: the node and the number among its buffers.
  DenseMap<Buffer *, std::pair<unsigned, unsigned>> internal;
  DenseMap<std::pair<const void *, uint32_t>, unsigned> batches;
  std::optional<RecordingFailure> problem;
};

/// Recordings by function; the runtime's cache.
struct Recordings {
  DenseMap<Function *, unsigned> byFunction;
  std::vector<std::unique_ptr<Definition>> definitions;

  const Definition *lookup(Function *function) const {
    auto it = byFunction.find(function);
    return it == byFunction.end() ? nullptr : definitions[it->second].get();
  }
};

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_RECORDING_H
