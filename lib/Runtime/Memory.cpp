//===- Memory.cpp - Buffers and windows of them ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Memory.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pypto::runtime;

//===----------------------------------------------------------------------===//
// TensorDescriptor
//===----------------------------------------------------------------------===//

int64_t TensorDescriptor::getNumElements() const {
  int64_t count = 1;
  for (int64_t extent : getShape())
    if (llvm::MulOverflow(count, extent, count))
      return INT64_MAX;
  return count;
}

bool TensorDescriptor::isContiguous() const {
  int64_t expected = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    if (shape[axis] != 1 && strides[axis] != expected)
      return false;
    expected *= shape[axis];
  }
  return true;
}

bool TensorDescriptor::isEmpty() const {
  return llvm::is_contained(getShape(), 0);
}

int64_t TensorDescriptor::getEndOffset() const {
  if (isEmpty())
    return startOffset;
  int64_t last = startOffset;
  for (auto [extent, stride] : llvm::zip(getShape(), getStrides())) {
    int64_t span;
    if (llvm::MulOverflow(extent - 1, stride, span) ||
        llvm::AddOverflow(last, span, last))
      return INT64_MAX;
  }
  return last == INT64_MAX ? last : last + 1;
}

bool TensorDescriptor::isInsideBuffer() const {
  return startOffset >= 0 && getEndOffset() <= buffer->size / getByteSize(type);
}

TensorDescriptor mlir::pypto::runtime::makeTensor(Buffer *buffer,
                                                  ArrayRef<int64_t> shape,
                                                  ElementType type) {
  TensorDescriptor tensor;
  tensor.buffer = buffer;
  tensor.rank = shape.size();
  tensor.type = type;
  int64_t stride = 1;
  for (int axis = tensor.rank - 1; axis >= 0; --axis) {
    tensor.shape[axis] = shape[axis];
    tensor.strides[axis] = stride;
    stride *= shape[axis];
  }
  return tensor;
}

bool mlir::pypto::runtime::isSameTensor(const TensorDescriptor &a,
                                        const TensorDescriptor &b) {
  return a.buffer == b.buffer && a.startOffset == b.startOffset &&
         a.version == b.version && a.rank == b.rank && a.type == b.type &&
         a.manualDep == b.manualDep && a.getShape() == b.getShape() &&
         a.getStrides() == b.getStrides();
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// Whether two windows are boxes of one grid: the same element type and
/// strides, each stride a multiple of the next, and no row running over. Then
/// `starts` are the corners.
static bool getBoxes(const TensorDescriptor &a, const TensorDescriptor &b,
                     int64_t *startsA, int64_t *startsB) {
  if (a.rank != b.rank || a.type != b.type || a.getStrides() != b.getStrides())
    return false;
  int64_t restA = a.startOffset, restB = b.startOffset;
  for (unsigned axis = 0; axis != a.rank; ++axis) {
    int64_t stride = a.strides[axis];
    if (stride <= 0)
      return false;
    startsA[axis] = restA / stride;
    startsB[axis] = restB / stride;
    restA %= stride;
    restB %= stride;
    // The outermost axis has no end that it could run over.
    if (axis == 0)
      continue;
    int64_t outer = a.strides[axis - 1];
    if (outer % stride != 0 || startsA[axis] + a.shape[axis] > outer / stride ||
        startsB[axis] + b.shape[axis] > outer / stride)
      return false;
  }
  return restA == 0 && restB == 0;
}

bool mlir::pypto::runtime::mayOverlap(const TensorDescriptor &a,
                                      const TensorDescriptor &b) {
  if (a.buffer != b.buffer || a.isEmpty() || b.isEmpty())
    return false;
  if (a.getEndByte() <= b.getBeginByte() || b.getEndByte() <= a.getBeginByte())
    return false;
  int64_t startsA[kMaxRank], startsB[kMaxRank];
  if (!getBoxes(a, b, startsA, startsB))
    return true;
  for (unsigned axis = 0; axis != a.rank; ++axis)
    if (startsA[axis] + a.shape[axis] <= startsB[axis] ||
        startsB[axis] + b.shape[axis] <= startsA[axis])
      return false;
  return true;
}

bool mlir::pypto::runtime::covers(const TensorDescriptor &outer,
                                  const TensorDescriptor &inner) {
  if (outer.buffer != inner.buffer)
    return false;
  if (outer.isContiguous() && outer.getBeginByte() <= inner.getBeginByte() &&
      inner.getEndByte() <= outer.getEndByte())
    return true;
  int64_t startsOuter[kMaxRank], startsInner[kMaxRank];
  if (!getBoxes(outer, inner, startsOuter, startsInner))
    return false;
  for (unsigned axis = 0; axis != outer.rank; ++axis)
    if (startsInner[axis] < startsOuter[axis] ||
        startsInner[axis] + inner.shape[axis] >
            startsOuter[axis] + outer.shape[axis])
      return false;
  return true;
}

std::string mlir::pypto::runtime::describe(const TensorDescriptor &tensor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << stringify(tensor.type) << '[';
  llvm::interleaveComma(tensor.getShape(), os);
  os << ']';
  if (!tensor.isContiguous()) {
    os << " strides [";
    llvm::interleaveComma(tensor.getStrides(), os);
    os << ']';
  }
  os << " at element " << tensor.startOffset << " of ";
  if (!tensor.buffer->name.empty())
    os << '%' << tensor.buffer->name;
  else
    os << "buffer " << tensor.buffer->id;
  return text;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

char *Buffer::getData() {
  if (!data) {
    storage = std::make_unique<char[]>(std::max<int64_t>(size, 1));
    data = storage.get();
  }
  return data;
}

Buffer *Memory::allocate(int64_t size, Operation *origin) {
  if (buffers.size() >= kMaxBuffers ||
      (!symbolic && (size > maxBytes || allocated > maxBytes - size)))
    return nullptr;
  allocated += symbolic ? 0 : size;
  auto buffer = std::make_unique<Buffer>();
  buffer->id = buffers.size();
  buffer->size = size;
  buffer->origin = origin;
  buffers.push_back(std::move(buffer));
  return buffers.back().get();
}

Buffer *Memory::adopt(char *data, int64_t size) {
  auto buffer = std::make_unique<Buffer>();
  buffer->id = buffers.size();
  buffer->size = size;
  buffer->data = data;
  buffers.push_back(std::move(buffer));
  return buffers.back().get();
}

//===----------------------------------------------------------------------===//
// Symbolic contents
//===----------------------------------------------------------------------===//

static uint64_t hashWindow(const TensorDescriptor &tensor) {
  uint64_t hash = mix(tensor.startOffset, static_cast<uint64_t>(tensor.type));
  for (unsigned axis = 0; axis != tensor.rank; ++axis)
    hash = mix(mix(hash, tensor.shape[axis]), tensor.strides[axis]);
  return hash;
}

/// A sum, so that pieces which do not overlap may have been written in any
/// order.
static uint64_t sumOverlapping(const TensorDescriptor &tensor) {
  uint64_t sum = 0;
  tensor.buffer->writes.forEachOverlap(tensor, [&](const auto &write) {
    sum += mix(hashWindow(write.window), write.value);
  });
  return sum;
}

uint64_t mlir::pypto::runtime::readSymbolic(const TensorDescriptor &tensor) {
  return mix(mix(tensor.buffer->initialHash, hashWindow(tensor)),
             sumOverlapping(tensor));
}

void mlir::pypto::runtime::writeSymbolic(const TensorDescriptor &tensor,
                                         uint64_t hash) {
  auto &writes = tensor.buffer->writes;
  writes.eraseOverlapsIf(
      tensor, [&](const auto &write) { return covers(tensor, write.window); });
  // What shows through beside the new piece depends on the order of the two.
  writes.insert(tensor, mix(hash, sumOverlapping(tensor)));
}
