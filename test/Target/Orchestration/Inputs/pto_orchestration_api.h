//===- pto_orchestration_api.h - The runtime's interface, for tests -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface that emitted orchestration code is written against, with a small
// runtime behind it: tasks run at once, in the order in which they are submitted,
// and graph functions are either called like functions (eager) or recorded and
// replayed. Scalars are told apart by address and tensors by value, first match
// wins, as the runtime does it. It shares no code with the compiler or with its
// model of the runtime.
//
// A kernel is a *probe*: a hash of everything it was given, out of which what it
// writes is made, so that any operand that is not what it should be shows.
//
//===----------------------------------------------------------------------===//

#ifndef PTO_ORCHESTRATION_API_H
#define PTO_ORCHESTRATION_API_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

enum class DataType : uint8_t {
  BOOL,
  INT8,
  INT16,
  INT32,
  INT64,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
  FLOAT16,
  BFLOAT16,
  FLOAT32,
  FLOAT64
};

struct PTO2TaskId {
  uint64_t raw = 0;
  bool is_valid() const { return raw != 0; }
};

namespace pto_test {

/// Ends a run.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(const std::string &message) {
  throw Failure(message);
}

inline uint32_t size_of(DataType type) {
  switch (type) {
  case DataType::BOOL:
  case DataType::INT8:
  case DataType::UINT8:
    return 1;
  case DataType::INT16:
  case DataType::UINT16:
  case DataType::FLOAT16:
  case DataType::BFLOAT16:
    return 2;
  case DataType::INT32:
  case DataType::UINT32:
  case DataType::FLOAT32:
    return 4;
  default:
    return 8;
  }
}

constexpr uint32_t max_rank = 5;

} // namespace pto_test

/// A window of a buffer; offsets and strides count elements.
struct ChipTensor {
  struct {
    uint64_t addr = 0;
    uint64_t size = 0;
  } buffer;
  uint64_t start_offset = 0;
  uint32_t version = 0;
  uint32_t ndims = 0;
  DataType dtype = DataType::BOOL;
  bool manual_dep = false;
  uint32_t shapes[pto_test::max_rank] = {};
  uint32_t strides[pto_test::max_rank] = {};
  PTO2TaskId owner_task_id;

  ChipTensor view(const uint32_t extents[], const uint32_t offsets[]) const {
    ChipTensor result = *this;
    for (uint32_t i = 0; i != ndims; ++i) {
      if (extents[i] == 0)
        pto_test::fail("a view without elements");
      if (uint64_t{offsets[i]} + extents[i] > shapes[i])
        pto_test::fail("a view that leaves its tensor");
      result.start_offset += uint64_t{offsets[i]} * strides[i];
      result.shapes[i] = extents[i];
    }
    return result;
  }

  /// The same elements in the same order, where they stay where they are.
  ChipTensor reshape(const uint32_t extents[], uint32_t rank) const {
    ChipTensor result = *this;
    result.set_shape(extents, rank);
    if (result.num_elements() != num_elements())
      pto_test::fail("a reshape to another number of elements");
    if (!is_contiguous())
      set_strided(result);
    return result;
  }

  // Not part of the interface.

  void set_shape(const uint32_t extents[], uint32_t rank) {
    ndims = rank;
    uint64_t stride = 1;
    for (uint32_t i = pto_test::max_rank; i-- > 0;) {
      shapes[i] = i < rank ? extents[i] : 0;
      strides[i] = i < rank ? static_cast<uint32_t>(stride) : 0;
      stride *= i < rank ? extents[i] : 1;
    }
  }
  /// The strides of `result`, which has as many elements. From the front, axes of
  /// both that hold the same number of elements make a group; those of a group
  /// have to follow each other at one distance. Axes of one element say nothing.
  void set_strided(ChipTensor &result) const {
    uint32_t from = 0, to = 0;
    while (to != result.ndims) {
      while (from != ndims && shapes[from] == 1)
        ++from;
      if (from == ndims) {
        result.strides[to++] = 1;
        continue;
      }
      const uint32_t begin = to;
      uint64_t here = shapes[from], there = result.shapes[to++];
      while (here != there) {
        if (here > there) {
          there *= result.shapes[to++];
          continue;
        }
        const uint64_t distance = strides[from++];
        while (shapes[from] == 1)
          ++from;
        if (distance != uint64_t{strides[from]} * shapes[from])
          pto_test::fail("a reshape of elements that do not follow each other");
        here *= shapes[from];
      }
      uint64_t stride = strides[from++];
      for (uint32_t axis = to; axis-- > begin;) {
        result.strides[axis] = static_cast<uint32_t>(stride);
        stride *= result.shapes[axis];
      }
    }
  }
  bool is_contiguous() const {
    uint64_t expected = 1;
    for (uint32_t i = ndims; i-- > 0;) {
      if (shapes[i] != 1 && strides[i] != expected)
        return false;
      expected *= shapes[i];
    }
    return true;
  }
  uint64_t num_elements() const {
    uint64_t count = 1;
    for (uint32_t i = 0; i != ndims; ++i)
      count *= shapes[i];
    return count;
  }
  bool is_inside_buffer() const {
    uint64_t last = start_offset;
    for (uint32_t i = 0; i != ndims; ++i) {
      if (shapes[i] == 0)
        return false;
      last += uint64_t{shapes[i] - 1} * strides[i];
    }
    return (last + 1) * pto_test::size_of(dtype) <= buffer.size;
  }
  bool has_same_shape(const ChipTensor &other) const {
    return ndims == other.ndims &&
           std::memcmp(shapes, other.shapes, sizeof(shapes)) == 0 &&
           std::memcmp(strides, other.strides, sizeof(strides)) == 0;
  }
  bool is_same_buffer(const ChipTensor &other) const {
    return buffer.addr == other.buffer.addr && buffer.size == other.buffer.size;
  }
  bool is_same(const ChipTensor &other) const {
    return is_same_buffer(other) && start_offset == other.start_offset &&
           version == other.version && dtype == other.dtype &&
           manual_dep == other.manual_dep && has_same_shape(other);
  }
};

struct TensorCreateInfo {
  TensorCreateInfo(const uint32_t extents[], uint32_t rank, DataType type,
                   bool manual = false)
      : ndims(rank), dtype(type), manual_dep(manual) {
    for (uint32_t i = 0; i != rank; ++i)
      shapes[i] = extents[i];
  }

  uint32_t ndims;
  DataType dtype;
  bool manual_dep;
  uint32_t shapes[pto_test::max_rank] = {};
};

class TaskOutputTensors {
public:
  const ChipTensor &get_ref(uint32_t i) const { return tensors.at(i); }
  PTO2TaskId task_id() const { return id; }

  std::vector<ChipTensor> tensors;
  PTO2TaskId id;
};

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

enum class PTO2Comparison { EQ, NE, LT, LE, GT, GE };

namespace pto_test {

enum class Direction : uint8_t { Input, InOut, OutputExisting, Output, NoDep };

struct TensorArg {
  Direction direction;
  const ChipTensor *tensor = nullptr;
  const TensorCreateInfo *info = nullptr;
};

struct ScalarArg {
  const void *address;
  uint64_t value;
};

/// A reference that has to be asked for.
struct TensorSlot {
  const ChipTensor *tensor;
  const ChipTensor &ref() const { return *tensor; }
};

/// A scalar as the kernel gets it: its bit pattern.
template <typename T> uint64_t get_bits(const T &value) {
  static_assert(std::is_arithmetic<T>::value || std::is_enum<T>::value,
                "a scalar is arithmetic");
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <size_t MaxTensors, size_t MaxScalars> class Args {
public:
  Args() = default;
  Args(const Args &) = delete;
  Args &operator=(const Args &) = delete;

  // Lvalues only: a temporary does not bind to these references.
  template <typename... T> void add_input(T &...t) {
    (add(Direction::Input, t), ...);
  }
  template <typename... T> void add_inout(T &...t) {
    (add(Direction::InOut, t), ...);
  }
  template <typename... T> void add_output(T &...t) {
    (add(Direction::OutputExisting, t), ...);
  }
  template <typename... T> void add_no_dep(T &...t) {
    (add(Direction::NoDep, t), ...);
  }
  template <typename... T> void add_scalar(T &...x) {
    (scalars.push_back({&x, get_bits(x)}), ...);
    if (scalars.size() > MaxScalars)
      fail("too many scalars");
  }

  TensorSlot tensor(size_t i) const { return {tensors.at(i).tensor}; }
  const uint64_t &scalar(size_t i) const { return scalars.at(i).value; }

  std::vector<TensorArg> tensors;
  std::vector<ScalarArg> scalars;

private:
  void check() {
    if (!scalars.empty())
      fail("a tensor behind a scalar");
    if (tensors.size() > MaxTensors)
      fail("too many tensors");
  }
  void add(Direction direction, const ChipTensor &tensor) {
    tensors.push_back({direction, &tensor, nullptr});
    check();
  }
  void add(Direction direction, const TensorCreateInfo &info) {
    if (direction != Direction::OutputExisting)
      fail("only an output can be allocated");
    tensors.push_back({Direction::Output, nullptr, &info});
    check();
  }
};

struct LaunchSpec {
  void set_block_num(int32_t n) { block_num = n; }
  void set_sync_start(bool value) { sync_start = value; }
  int32_t block_num = 1;
  bool sync_start = false;
};

struct Predicate {
  const ChipTensor *gate = nullptr;
  std::vector<uint32_t> indices;
  PTO2Comparison comparison = PTO2Comparison::EQ;
  uint64_t rhs = 0;
};

} // namespace pto_test

class CoreTaskArgs : public pto_test::Args<32, 16> {
public:
  void set_dependencies(const PTO2TaskId *ids, uint32_t n) {
    if (n > 128)
      pto_test::fail("too many dependencies");
    dependencies = ids;
    num_dependencies = n;
  }
  /// The task runs when `gate[indices] comparison rhs` holds at that time; `rhs`
  /// is a bit pattern of the gate's element type.
  void set_predicate(const ChipTensor &gate, uint32_t rank,
                     const uint32_t indices[], PTO2Comparison comparison,
                     uint64_t rhs) {
    predicate.gate = &gate;
    predicate.indices.assign(indices, indices + rank);
    predicate.comparison = comparison;
    predicate.rhs = rhs;
  }

  pto_test::LaunchSpec launch_spec;
  const PTO2TaskId *dependencies = nullptr;
  uint32_t num_dependencies = 0;
  pto_test::Predicate predicate;
};

class GraphTaskArgs : public pto_test::Args<128, 64> {};
class ChipTaskArgs : public pto_test::Args<256, 128> {};

struct MixedKernels {
  int32_t aic, aiv0, aiv1;
};

struct PTO2OrchestrationConfig {
  int32_t expected_arg_count;
};

using GraphFunction = void (*)(const GraphTaskArgs &);

#include "pto_test_runtime.h"

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

template <typename... Info>
TaskOutputTensors alloc_tensors(const Info &...info) {
  static_assert(sizeof...(Info) >= 1 && sizeof...(Info) <= 16,
                "1 to 16 tensors to a call");
  return pto_test::runtime().allocate({&info...});
}

inline TaskOutputTensors rt_submit_aiv_task(int32_t id,
                                            const CoreTaskArgs &args) {
  return pto_test::runtime().submit(id, args);
}
inline TaskOutputTensors rt_submit_aic_task(int32_t id,
                                            const CoreTaskArgs &args) {
  return pto_test::runtime().submit(id, args);
}
inline TaskOutputTensors rt_submit_task(const MixedKernels &kernels,
                                        const CoreTaskArgs &args) {
  return pto_test::runtime().submit(kernels.aic, args);
}
inline TaskOutputTensors rt_submit_dummy_task(const CoreTaskArgs &args) {
  return pto_test::runtime().submit(pto_test::no_kernel, args);
}
inline void rt_submit_graph(GraphFunction function, const GraphTaskArgs &args) {
  pto_test::runtime().launch(function, args);
}

/// Reads an element on the host, when everything that writes it is done.
template <typename T>
T get_tensor_data(const ChipTensor &tensor, uint32_t rank,
                  const uint32_t indices[]) {
  return static_cast<T>(pto_test::runtime().read(tensor, rank, indices));
}

enum class PTO2ScopeMode { AUTO, MANUAL };

namespace pto_test {
/// Checks how scopes are nested.
class Scope {
public:
  explicit Scope(PTO2ScopeMode mode = PTO2ScopeMode::AUTO)
      : is_manual(mode == PTO2ScopeMode::MANUAL) {
    if (!is_manual && manual_depth() != 0)
      fail("an auto scope inside a manual one");
    manual_depth() += is_manual;
  }
  ~Scope() { manual_depth() -= is_manual; }
  explicit operator bool() const { return true; }

private:
  static int &manual_depth() {
    static int depth = 0;
    return depth;
  }
  bool is_manual;
};
} // namespace pto_test

#define PTO2_SCOPE(...)                                                        \
  if (pto_test::Scope pto_scope_guard{__VA_ARGS__})

#endif // PTO_ORCHESTRATION_API_H
