//===- InterpretGraph.cpp - Buffers, windows, arrays and scopes -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Interpreter.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pypto::graph;
using namespace mlir::pypto::runtime;

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

Buffer *Interpreter::allocate(ArrayRef<int64_t> shape, ElementType type) {
  int64_t size = getByteSize(type);
  for (int64_t extent : shape) {
    if (extent <= 0) {
      (void)fail("allocates a buffer with extent " + Twine(extent));
      return nullptr;
    }
    if (llvm::MulOverflow(size, extent, size)) {
      (void)fail("allocates a buffer of more bytes than there are");
      return nullptr;
    }
  }
  Buffer *buffer = run.memory.allocate(size, getOp());
  if (!buffer)
    (void)fail("allocates " + Twine(size) +
               " bytes, more than the model holds in all; symbolic data takes "
               "none");
  return buffer;
}

LogicalResult Interpreter::create(const CreateInfo &info) {
  SmallVector<int64_t, 4> shape = getList(info.shape);
  Buffer *buffer = allocate(shape, info.type);
  if (!buffer)
    return failure();
  TensorDescriptor tensor = makeTensor(buffer, shape, info.type);
  if (run.recorder && !isKernel) {
    Recorder &recorder = *run.recorder;
    if (failed(recorder.addCreate(getOp(), buffer, top().code, info.batch,
                                  info.isFirst, tensor.owner)))
      return run.fail(recorder.getFailure().op, recorder.getFailure().message,
                      recorder.getFailure().rule);
  }
  top().tensors[info.result] = tensor;
  return success();
}

LogicalResult Interpreter::full(const FullInfo &info) {
  Buffer *buffer = allocate(info.shape, info.type);
  if (!buffer)
    return failure();
  Frame &frame = top();
  TensorDescriptor tensor = makeTensor(buffer, info.shape, info.type);
  uint64_t value = frame.scalars[info.value];
  Task task;
  task.kind = Task::Kind::Fill;
  task.op = getOp();
  task.tensors.push_back(tensor);
  task.directions.push_back(ArgDirection::Output);
  task.scalars.push_back(value);
  task.slots.push_back(info.value < frame.slots.size() ? frame.slots[info.value]
                                                       : -1);
  if (isKernel || frame.deviceScopes) {
    if (failed(executeTask(run, task)))
      return failure();
  } else if (failed(enqueue(std::move(task), buffer, tensor.owner))) {
    return failure();
  }
  top().tensors[info.result] = tensor;
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::slice(const SliceInfo &info) {
  Frame &frame = top();
  TensorDescriptor tensor = frame.tensors[info.source];
  auto get = [&](MixedIndex entry) {
    return entry.reg < 0 ? entry.literal
                         : static_cast<int64_t>(frame.scalars[entry.reg]);
  };
  for (unsigned axis = 0; axis != tensor.rank; ++axis) {
    int64_t offset = get(info.offsets[axis]), size = get(info.sizes[axis]);
    int64_t extent = tensor.shape[axis];
    if (size == 0)
      return fail("takes a window without elements: size 0 along axis " +
                      Twine(axis),
                  "a zero-sized view is a fatal error");
    if (offset < 0 || size < 0 || offset > extent || size > extent - offset)
      return fail("takes a window [" + Twine(offset) + ", " + Twine(offset) +
                      " + " + Twine(size) + ") out of the extent " +
                      Twine(extent) + " along axis " + Twine(axis),
                  "a view must lie inside its buffer");
    tensor.startOffset += offset * tensor.strides[axis];
    tensor.shape[axis] = size;
  }
  frame.tensors[info.result] = tensor;
  return success();
}

/// Strides of `tensor` under another shape, when no element has to move: runs
/// of axes that follow each other without gaps are cut anew.
static bool reshape(const TensorDescriptor &tensor, ArrayRef<int64_t> shape,
                    int64_t *strides) {
  SmallVector<int64_t, 8> extents, steps;
  for (unsigned axis = 0; axis != tensor.rank; ++axis)
    if (tensor.shape[axis] != 1) {
      extents.push_back(tensor.shape[axis]);
      steps.push_back(tensor.strides[axis]);
    }
  unsigned from = 0, to = 0;
  while (from != extents.size() && to != shape.size()) {
    unsigned fromEnd = from + 1, toEnd = to + 1;
    int64_t a = extents[from], b = shape[to];
    while (a != b) {
      if (a < b) {
        if (fromEnd == extents.size())
          return false;
        a *= extents[fromEnd++];
      } else {
        if (toEnd == shape.size())
          return false;
        b *= shape[toEnd++];
      }
    }
    for (unsigned axis = from; axis + 1 < fromEnd; ++axis)
      if (steps[axis] != extents[axis + 1] * steps[axis + 1])
        return false;
    int64_t stride = steps[fromEnd - 1];
    for (unsigned axis = toEnd; axis-- > to;) {
      strides[axis] = stride;
      stride *= shape[axis];
    }
    from = fromEnd;
    to = toEnd;
  }
  // What is left of the new shape are unit extents.
  for (; to != shape.size(); ++to)
    strides[to] = 1;
  return from == extents.size();
}

LogicalResult Interpreter::view(const ViewInfo &info) {
  TensorDescriptor tensor = top().tensors[info.source];
  SmallVector<int64_t, 4> shape = getList(info.sizes);
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent == 0)
      return fail("takes a view without elements",
                  "a zero-sized view is a fatal error");
    if (extent < 0 || llvm::MulOverflow(count, extent, count))
      return fail("takes a view with extent " + Twine(extent));
  }
  if (count != tensor.getNumElements())
    return fail("takes " + Twine(count) + " elements of a tensor of " +
                Twine(tensor.getNumElements()));
  TensorDescriptor result = tensor;
  result.rank = shape.size();
  llvm::copy(shape, result.shape);
  if (!reshape(tensor, shape, result.strides))
    return fail("reshapes a window whose elements do not follow each other");
  top().tensors[info.result] = result;
  return success();
}

LogicalResult Interpreter::castTensor(const CastInfo &info) {
  Frame &frame = top();
  const TensorDescriptor &tensor = frame.tensors[info.source];
  for (auto [axis, expected, actual] :
       llvm::enumerate(info.shape, tensor.getShape()))
    if (!ShapedType::isDynamic(expected) && expected != actual)
      return fail("claims extent " + Twine(expected) + " along axis " +
                  Twine(axis) + ", which is " + Twine(actual));
  frame.tensors[info.result] = tensor;
  return success();
}

LogicalResult Interpreter::checkedIndices(const MixedList &list,
                                          const TensorDescriptor &tensor,
                                          SmallVectorImpl<int64_t> &indices) {
  indices = getList(list);
  for (auto [axis, index, extent] : llvm::enumerate(indices, tensor.getShape()))
    if (index < 0 || index >= extent)
      return fail("takes element " + Twine(index) + " along axis " +
                  Twine(axis) + ", whose extent is " + Twine(extent));
  return success();
}

LogicalResult Interpreter::read(const ReadInfo &info) {
  Frame &frame = top();
  const TensorDescriptor &tensor = frame.tensors[info.source];
  SmallVector<int64_t, 4> indices;
  if (failed(checkedIndices(info.indices, tensor, indices)))
    return failure();
  if (!isKernel) {
    if (run.recorder && run.recorder->isProduced(tensor))
      return fail("reads what a task of the recording writes",
                  "a recording runs no task: its data does not exist yet");
    TensorDescriptor element = tensor;
    for (unsigned axis = 0; axis != tensor.rank; ++axis) {
      element.startOffset += indices[axis] * tensor.strides[axis];
      element.shape[axis] = 1;
    }
    if (failed(run.engine.waitFor(element)))
      return failure();
  }
  frame.scalars[info.result] = readElement(run, tensor, indices);
  return success();
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Arrays larger than this are refused rather than swapped.
static constexpr uint64_t kMaxArraySize = uint64_t(1) << 24;

LogicalResult Interpreter::createArray(const ArrayInfo &info) {
  if (info.size > kMaxArraySize)
    return fail("makes an array of more elements than the model holds");
  top().arrays[info.result] =
      std::make_shared<std::vector<uint64_t>>(info.size, 0);
  return success();
}

static std::optional<uint64_t> getPosition(const ArrayInfo &info,
                                           const Frame &frame) {
  uint64_t index =
      info.index.reg < 0 ? info.index.literal : frame.scalars[info.index.reg];
  if (index >= frame.arrays[info.array]->size())
    return std::nullopt;
  return index;
}

static std::string describeOutside(const ArrayInfo &info, const Frame &frame) {
  int64_t index = info.index.reg < 0
                      ? info.index.literal
                      : static_cast<int64_t>(frame.scalars[info.index.reg]);
  return "takes element " + std::to_string(index) + " of an array of " +
         std::to_string(frame.arrays[info.array]->size());
}

LogicalResult Interpreter::insertElement(const ArrayInfo &info) {
  Frame &frame = top();
  std::optional<uint64_t> position = getPosition(info, frame);
  if (!position)
    return fail(describeOutside(info, frame));
  ArrayPtr array = info.isLastUse ? std::move(frame.arrays[info.array])
                                  : frame.arrays[info.array];
  if (array.use_count() != 1)
    array = std::make_shared<std::vector<uint64_t>>(*array);
  (*array)[*position] = frame.scalars[info.value.index];
  frame.arrays[info.result] = std::move(array);
  return success();
}

LogicalResult Interpreter::extractElement(const ArrayInfo &info) {
  Frame &frame = top();
  std::optional<uint64_t> position = getPosition(info, frame);
  if (!position)
    return fail(describeOutside(info, frame));
  frame.scalars[info.result] = (*frame.arrays[info.array])[*position];
  return success();
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::beginScope(const ScopeInfo &info) {
  Frame &frame = top();
  if (info.kind == ScopeKind::Manual)
    frame.manualScopes.push_back(++numManualScopes);
  if (!isDeviceScopeKind(info.kind) || isKernel)
    return success();
  // A device scope that is still a scope has no task to be. It runs here and
  // now, when all before it is done.
  if (run.recorder)
    return fail("is a device scope inside of a graph function",
                "only launches of device functions can be recorded");
  ++frame.deviceScopes;
  return run.engine.finish();
}

void Interpreter::endScope(const ScopeInfo &info) {
  Frame &frame = top();
  if (info.kind == ScopeKind::Manual)
    frame.manualScopes.pop_back();
  if (isDeviceScopeKind(info.kind) && !isKernel)
    --frame.deviceScopes;
  if (info.taskId)
    frame.scalars[*info.taskId] = kNoTask;
}
