//===- Memory.h - Buffers and windows of them -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `Buffer` is an address with a size; a `TensorDescriptor` is a strided
// window of one, which is all a program ever holds of it.
//
// Data comes in two forms. *Real* buffers have bytes, their own or the
// caller's. A *symbolic* buffer has none: it remembers which windows were
// written, and by what, as hashes. Two runs then agree where the same tasks
// wrote the same windows from the same contents, which is enough to tell a
// frozen operand, and takes no memory whatever the extents are.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_MEMORY_H
#define PYPTO_RUNTIME_MEMORY_H

#include "Runtime/Element.h"
#include "Runtime/WindowIndex.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::pypto::runtime {

struct Buffer;

/// Names a task of a run, or a node of the recording in progress; see
/// `isRecorded`. Zero is no task.
using TaskId = uint64_t;
inline constexpr TaskId kNoTask = 0;

/// Views of the runtime have at most this many dimensions.
inline constexpr unsigned kMaxRank = 5;

/// A window of a buffer. Offsets and strides count elements.
struct TensorDescriptor {
  Buffer *buffer = nullptr;
  int64_t startOffset = 0;
  uint8_t rank = 0;
  ElementType type = ElementType::F32;
  /// Opted out of dependency tracking for good (`manual_dep`).
  bool manualDep = false;
  uint32_t version = 0;
  TaskId owner = kNoTask;
  int64_t shape[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};

  ArrayRef<int64_t> getShape() const { return {shape, rank}; }
  ArrayRef<int64_t> getStrides() const { return {strides, rank}; }
  int64_t getNumElements() const;
  /// Whether the elements follow each other in row-major order.
  bool isContiguous() const;
  /// One past the last element of the window, counted in the buffer; the start
  /// offset for an empty window.
  int64_t getEndOffset() const;
  /// The span of the window in its buffer.
  int64_t getBeginByte() const { return startOffset * getByteSize(type); }
  int64_t getEndByte() const { return getEndOffset() * getByteSize(type); }
  /// Whether some extent is zero.
  bool isEmpty() const;
  bool isInsideBuffer() const;
};

/// The whole of a buffer in row-major order.
TensorDescriptor makeTensor(Buffer *buffer, ArrayRef<int64_t> shape,
                            ElementType type);

/// Same address, size, start offset, version, rank, type, flags, shape and
/// strides: what the runtime takes for one tensor.
bool isSameTensor(const TensorDescriptor &a, const TensorDescriptor &b);

/// Whether two windows of one buffer may share an element. Exact for windows
/// with the same strides that are boxes of one grid, else the spans decide.
bool mayOverlap(const TensorDescriptor &a, const TensorDescriptor &b);
/// Whether `outer` certainly holds every element of `inner`.
bool covers(const TensorDescriptor &outer, const TensorDescriptor &inner);

/// `type[shape] @offset of buffer`, for messages.
std::string describe(const TensorDescriptor &tensor);

/// A device buffer.
struct Buffer {
  /// Number within its memory, in order of allocation.
  uint64_t id = 0;
  /// In bytes.
  int64_t size = 0;
  /// The caller's bytes, or null: then the first access allocates zeros.
  char *data = nullptr;
  std::unique_ptr<char[]> storage;
  /// Contents of a symbolic buffer: at the beginning, and what was written
  /// since and is not covered.
  uint64_t initialHash = 0;
  WindowIndex<TensorDescriptor, uint64_t> writes;
  /// The operation that allocated it; null for the caller's.
  Operation *origin = nullptr;
  /// Name of the entry's parameter it came in with; empty for others.
  std::string name;

  char *getData();
};

/// All buffers of one run. Nothing is reclaimed before it ends.
class Memory {
public:
  /// More bytes than `maxBytes` are refused rather than swapped.
  Memory(bool symbolic, int64_t maxBytes)
      : symbolic(symbolic), maxBytes(maxBytes) {}

  bool isSymbolic() const { return symbolic; }
  /// Allocates; null when that is more than a run may have.
  Buffer *allocate(int64_t size, Operation *origin);
  /// A buffer over the caller's bytes.
  Buffer *adopt(char *data, int64_t size);

  ArrayRef<std::unique_ptr<Buffer>> getBuffers() const { return buffers; }

  /// More buffers than this are refused.
  static constexpr size_t kMaxBuffers = size_t(1) << 24;

private:
  bool symbolic;
  int64_t maxBytes;
  int64_t allocated = 0;
  std::vector<std::unique_ptr<Buffer>> buffers;
};

/// Calls `visit(offset)` with the offset in the buffer of every element, in
/// row-major order.
template <typename Visit>
void forEachElement(const TensorDescriptor &tensor, Visit visit) {
  if (tensor.isEmpty())
    return;
  int64_t index[kMaxRank] = {};
  int64_t offset = tensor.startOffset;
  while (true) {
    visit(offset);
    int axis = tensor.rank - 1;
    for (; axis >= 0; --axis) {
      offset += tensor.strides[axis];
      if (++index[axis] < tensor.shape[axis])
        break;
      offset -= tensor.strides[axis] * tensor.shape[axis];
      index[axis] = 0;
    }
    if (axis < 0)
      return;
  }
}

/// The mixing function of hashes, here and in kernels without a body.
inline uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 29);
}

/// Hash of what a window of a symbolic buffer holds.
uint64_t readSymbolic(const TensorDescriptor &tensor);
/// Puts `hash` into a window of a symbolic buffer.
void writeSymbolic(const TensorDescriptor &tensor, uint64_t hash);

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_MEMORY_H
