//===- pto_test_runtime.h - Eager, recorded and replayed tasks ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of pto_orchestration_api.h.
//
//===----------------------------------------------------------------------===//

namespace pto_test {

constexpr int32_t no_kernel = -1;
constexpr size_t max_nodes = 1024, max_definitions = 16;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// What the manifest says of a parameter of a kernel.
struct Param {
  bool is_tensor;
  /// Whether what is there is not read: an `out` parameter.
  bool is_out;
  /// Whether it is written.
  bool is_written;
  /// Bits of a scalar.
  uint32_t width;
  /// Elements of a tensor.
  DataType dtype;
};

struct Kernel {
  const char *name;
  std::vector<Param> params;
};

/// A task ready to run.
struct Task {
  int32_t kernel = no_kernel;
  std::vector<ChipTensor> tensors;
  std::vector<uint64_t> scalars;
  int32_t block_num = 1;
  Predicate predicate; // `gate` points to `gate_tensor`, or is null.
  ChipTensor gate_tensor;
};

inline uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15ull;
  return h ^ h >> 29;
}

inline uint64_t load(const char *address, DataType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, address, size_of(type));
  return type == DataType::BOOL ? bits != 0 : bits;
}

/// Calls `visit(address)` for every element in row-major order.
template <typename Visit>
void for_each_element(const ChipTensor &tensor, Visit visit) {
  const uint64_t size = size_of(tensor.dtype);
  char *data = reinterpret_cast<char *>(tensor.buffer.addr);
  uint32_t index[max_rank] = {};
  const uint64_t count = tensor.num_elements();
  for (uint64_t n = 0; n != count; ++n) {
    uint64_t offset = tensor.start_offset;
    for (uint32_t i = 0; i != tensor.ndims; ++i)
      offset += uint64_t{index[i]} * tensor.strides[i];
    visit(data + offset * size);
    for (uint32_t i = tensor.ndims; i-- > 0;) {
      if (++index[i] < tensor.shapes[i])
        break;
      index[i] = 0;
    }
  }
}

/// The element that a probe makes of a hash: integers cut to their width, floats
/// the low byte as a number.
inline uint64_t make_element(uint64_t hash, DataType type) {
  const uint64_t number = hash & 0xFF;
  const float as_float = static_cast<float>(number);
  const double as_double = static_cast<double>(number);
  uint32_t bits32;
  uint64_t bits64;
  std::memcpy(&bits32, &as_float, sizeof(bits32));
  std::memcpy(&bits64, &as_double, sizeof(bits64));
  switch (type) {
  case DataType::BOOL:
    return hash & 1;
  case DataType::FLOAT32:
    return bits32;
  case DataType::FLOAT64:
    return bits64;
  case DataType::BFLOAT16:
    // At most 8 bits, so nothing is lost.
    return bits32 >> 16;
  case DataType::FLOAT16:
    // 0 to 255 is 0 or normal: another bias and fewer bits of mantissa.
    return number == 0 ? 0
                       : ((bits32 >> 23) - 112) << 10 | (bits32 >> 13 & 1023);
  default:
    return hash;
  }
}

/// Runs a probe.
inline void probe(const Kernel &kernel, const Task &task) {
  uint64_t h = 0xCBF29CE484222325ull;
  for (const char *c = kernel.name; *c != 0; ++c)
    h = (h ^ static_cast<unsigned char>(*c)) * 0x100000001B3ull;
  size_t num_tensors = 0, num_scalars = 0;
  std::vector<const Param *> params;
  for (const Param &param : kernel.params) {
    if (!param.is_tensor)
      continue;
    if (num_tensors == task.tensors.size())
      fail(std::string(kernel.name) + " misses a tensor");
    const ChipTensor &tensor = task.tensors[num_tensors++];
    if (tensor.dtype != param.dtype)
      fail(std::string(kernel.name) + " gets a tensor of another type");
    params.push_back(&param);
    h = mix(h, tensor.ndims);
    for (uint32_t i = 0; i != tensor.ndims; ++i)
      h = mix(h, tensor.shapes[i]);
    for (uint32_t i = 0; i != tensor.ndims; ++i)
      h = mix(h, tensor.strides[i]);
    h = mix(h, tensor.start_offset);
    if (!param.is_out)
      for_each_element(tensor, [&](const char *address) {
        h = mix(h, load(address, tensor.dtype));
      });
  }
  for (const Param &param : kernel.params) {
    if (param.is_tensor)
      continue;
    if (num_scalars == task.scalars.size())
      fail(std::string(kernel.name) + " misses a scalar");
    const uint64_t mask =
        param.width < 64 ? (uint64_t{1} << param.width) - 1 : ~uint64_t{0};
    h = mix(h, task.scalars[num_scalars++] & mask);
  }
  if (num_tensors != task.tensors.size() || num_scalars != task.scalars.size())
    fail(std::string(kernel.name) + " gets too many arguments");
  h = mix(h, static_cast<uint64_t>(static_cast<int64_t>(task.block_num)));
  for (size_t k = 0; k != params.size(); ++k) {
    if (!params[k]->is_written)
      continue;
    const ChipTensor &tensor = task.tensors[k];
    const uint64_t seed = mix(h, k);
    uint64_t e = 0;
    for_each_element(tensor, [&](char *address) {
      const uint64_t bits = make_element(mix(seed, e++), tensor.dtype);
      std::memcpy(address, &bits, size_of(tensor.dtype));
    });
  }
}

//===----------------------------------------------------------------------===//
// Recordings
//===----------------------------------------------------------------------===//

/// Where a replay takes a tensor from.
struct TensorSource {
  enum class Kind { BoundaryExact, BoundaryView, OwnOutput, Internal } kind;
  /// Boundary tensor or node, and output of the node.
  size_t index = 0, output = 0;
  /// Elements from the start of the boundary tensor or of the output.
  uint64_t offset = 0;
  /// Shape, strides and type are those of the recording.
  ChipTensor recorded;
};

struct ScalarSource {
  bool is_slot;
  size_t slot;
  uint64_t value;
};

struct Node {
  Task task;
  std::vector<TensorSource> tensors;
  std::vector<ScalarSource> scalars;
  TensorSource gate;
  /// What it allocates.
  std::vector<ChipTensor> outputs;
};

/// What is compared before a replay.
struct Signature {
  struct Tensor {
    ChipTensor tensor;
    Direction direction;
    size_t alias;
  };
  std::vector<Tensor> tensors;
  size_t num_scalars = 0;

  bool is_same(const Signature &other) const {
    if (num_scalars != other.num_scalars ||
        tensors.size() != other.tensors.size())
      return false;
    for (size_t i = 0; i != tensors.size(); ++i) {
      const Tensor &a = tensors[i], &b = other.tensors[i];
      if (a.tensor.buffer.size != b.tensor.buffer.size ||
          a.tensor.dtype != b.tensor.dtype || a.direction != b.direction ||
          a.tensor.manual_dep != b.tensor.manual_dep ||
          a.tensor.is_contiguous() != b.tensor.is_contiguous() ||
          !a.tensor.has_same_shape(b.tensor) || a.alias != b.alias)
        return false;
    }
    return true;
  }
};

struct Definition {
  Signature signature;
  std::vector<Node> nodes;
};

/// What a launch came to.
struct Event {
  std::string kind;
  GraphFunction function;
  size_t num_nodes;
};

//===----------------------------------------------------------------------===//
// Runtime
//===----------------------------------------------------------------------===//

class Runtime {
public:
  /// Begins a run: no buffers, no recordings.
  void begin(const std::vector<Kernel> &table, bool replays_graphs) {
    kernels = &table;
    replays = replays_graphs;
    cache.clear();
    storage.clear();
    events.clear();
    recording = nullptr;
    num_tasks = 0;
  }

  TaskOutputTensors allocate(const std::vector<const TensorCreateInfo *> &infos) {
    Node node;
    return finish_node(node, infos, {});
  }

  TaskOutputTensors submit(int32_t kernel, const CoreTaskArgs &args) {
    Node node;
    node.task.kernel = kernel;
    node.task.block_num = args.launch_spec.block_num;
    node.task.predicate = args.predicate;
    for (uint32_t i = 0; i != args.num_dependencies; ++i)
      check_dependency(args.dependencies[i]);
    std::vector<const TensorCreateInfo *> infos;
    for (const TensorArg &arg : args.tensors)
      if (arg.info)
        infos.push_back(arg.info);
    for (const ScalarArg &arg : args.scalars)
      node.task.scalars.push_back(arg.value);
    return finish_node(node, infos, [&](const TaskOutputTensors &outputs) {
      bind_arguments(node, args, outputs);
    });
  }

  void launch(GraphFunction function, const GraphTaskArgs &args) {
    if (!replays)
      return function(args);
    if (args.tensors.empty() || args.tensors.size() > 128 ||
        args.scalars.size() > 64) {
      events.push_back({"fallback", function, 0});
      return function(args);
    }
    if (recording)
      fail("a graph launch inside of a recording");
    const Signature signature = get_signature(args);
    auto found = cache.find(function);
    if (found != cache.end()) {
      if (!found->second.signature.is_same(signature)) {
        events.push_back({"fallback", function, 0});
        return function(args);
      }
      events.push_back({"replayed", function, found->second.nodes.size()});
      return replay(found->second, args);
    }
    if (cache.size() == max_definitions) {
      events.push_back({"fallback", function, 0});
      return function(args);
    }
    Definition definition;
    definition.signature = signature;
    recording = &definition;
    boundary = &args;
    internal.clear();
    function(args);
    recording = nullptr;
    if (definition.nodes.empty())
      fail("a recording without nodes");
    events.push_back({"recorded", function, definition.nodes.size()});
    replay(cache.emplace(function, std::move(definition)).first->second, args);
  }

  uint64_t read(const ChipTensor &tensor, uint32_t rank,
                const uint32_t indices[]) {
    if (recording && internal.count(tensor.buffer.addr) != 0)
      fail("a read of what the recording will write");
    return read_element(tensor, std::vector<uint32_t>(indices, indices + rank));
  }

  std::vector<Event> events;
  uint64_t num_tasks = 0;

private:
  //===--------------------------------------------------------------------===//
  // Tasks
  //===--------------------------------------------------------------------===//

  /// Allocates what a node has to, and runs or records it.
  template <typename Bind>
  TaskOutputTensors finish(Node &node,
                           const std::vector<const TensorCreateInfo *> &infos,
                           Bind bind) {
    TaskOutputTensors outputs;
    outputs.id.raw = recording ? (uint64_t{1} << 63) + recording->nodes.size() + 1
                               : ++num_tasks;
    for (const TensorCreateInfo *info : infos) {
      ChipTensor tensor = make_tensor(*info);
      tensor.owner_task_id = outputs.id;
      if (recording)
        internal[tensor.buffer.addr] = {recording->nodes.size(),
                                        node.outputs.size()};
      node.outputs.push_back(tensor);
      outputs.tensors.push_back(tensor);
    }
    bind(outputs);
    if (!recording) {
      run(node.task);
      return outputs;
    }
    if (recording->nodes.size() == max_nodes)
      fail("more nodes than a recording holds");
    recording->nodes.push_back(std::move(node));
    return outputs;
  }
  template <typename Bind>
  TaskOutputTensors
  finish_node(Node &node, const std::vector<const TensorCreateInfo *> &infos,
              Bind bind) {
    return finish(node, infos, bind);
  }
  TaskOutputTensors
  finish_node(Node &node, const std::vector<const TensorCreateInfo *> &infos,
              std::nullptr_t) {
    return finish(node, infos, [](const TaskOutputTensors &) {});
  }

  void bind_arguments(Node &node, const CoreTaskArgs &args,
                      const TaskOutputTensors &outputs) {
    size_t output = 0;
    for (const TensorArg &arg : args.tensors) {
      const ChipTensor &tensor =
          arg.tensor ? *arg.tensor : outputs.tensors[output++];
      node.task.tensors.push_back(tensor);
      if (recording)
        node.tensors.push_back(classify(tensor));
    }
    if (args.predicate.gate) {
      node.task.gate_tensor = *args.predicate.gate;
      if (recording)
        node.gate = classify(*args.predicate.gate);
    }
    if (recording)
      for (const ScalarArg &arg : args.scalars)
        node.scalars.push_back(classify(arg));
  }

  void check_dependency(const PTO2TaskId &id) {
    if (!id.is_valid())
      fail("a dependency on no task");
    const bool is_recorded = id.raw >> 63 != 0;
    if (recording && !is_recorded)
      fail("a recorded task depends on one outside");
    const uint64_t number = id.raw & ~(uint64_t{1} << 63);
    if (number > (recording ? recording->nodes.size() : num_tasks))
      fail("a dependency on a task of another recording");
  }

  void run(const Task &task) {
    if (task.kernel == no_kernel)
      return;
    if (task.predicate.gate && !holds(task))
      return;
    for (const ChipTensor &tensor : task.tensors)
      if (!tensor.is_inside_buffer())
        fail("a tensor outside of its buffer");
    if (static_cast<size_t>(task.kernel) >= kernels->size())
      fail("no such kernel");
    probe((*kernels)[static_cast<size_t>(task.kernel)], task);
  }

  template <typename T> static bool compare(PTO2Comparison comparison, T a, T b) {
    switch (comparison) {
    case PTO2Comparison::EQ:
      return a == b;
    case PTO2Comparison::NE:
      return a != b;
    case PTO2Comparison::LT:
      return a < b;
    case PTO2Comparison::LE:
      return a <= b;
    case PTO2Comparison::GT:
      return a > b;
    case PTO2Comparison::GE:
      return a >= b;
    }
    return false;
  }

  static double to_double(uint64_t bits, DataType type) {
    if (type == DataType::FLOAT64) {
      double value;
      std::memcpy(&value, &bits, sizeof(value));
      return value;
    }
    uint32_t wide = static_cast<uint32_t>(bits);
    if (type == DataType::BFLOAT16)
      wide <<= 16;
    if (type == DataType::FLOAT16) {
      const uint32_t exponent = wide >> 10 & 31, mantissa = wide & 1023;
      double value = exponent == 0 ? mantissa : mantissa + 1024;
      for (uint32_t i = 1; i < exponent; ++i)
        value *= 2;
      value /= 16777216.0;
      if (exponent == 31)
        value = mantissa != 0 ? __builtin_nan("") : __builtin_inf();
      return (wide >> 15 & 1) != 0 ? -value : value;
    }
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
  }

  bool holds(const Task &task) {
    const ChipTensor &gate = task.gate_tensor;
    const uint64_t a = read_element(gate, task.predicate.indices);
    const uint64_t b = task.predicate.rhs;
    const PTO2Comparison comparison = task.predicate.comparison;
    switch (gate.dtype) {
    case DataType::INT8:
      return compare(comparison, static_cast<int8_t>(a), static_cast<int8_t>(b));
    case DataType::INT16:
      return compare(comparison, static_cast<int16_t>(a),
                     static_cast<int16_t>(b));
    case DataType::INT32:
      return compare(comparison, static_cast<int32_t>(a),
                     static_cast<int32_t>(b));
    case DataType::INT64:
      return compare(comparison, static_cast<int64_t>(a),
                     static_cast<int64_t>(b));
    case DataType::FLOAT16:
    case DataType::BFLOAT16:
    case DataType::FLOAT32:
    case DataType::FLOAT64:
      return compare(comparison, to_double(a, gate.dtype),
                     to_double(b, gate.dtype));
    default:
      return compare(comparison, a, b);
    }
  }

  uint64_t read_element(const ChipTensor &tensor,
                        const std::vector<uint32_t> &indices) {
    uint64_t offset = tensor.start_offset;
    for (uint32_t i = 0; i != tensor.ndims; ++i) {
      if (indices.at(i) >= tensor.shapes[i])
        fail("an element outside of its tensor");
      offset += uint64_t{indices[i]} * tensor.strides[i];
    }
    const char *data = reinterpret_cast<const char *>(tensor.buffer.addr);
    return load(data + offset * size_of(tensor.dtype), tensor.dtype);
  }

  //===--------------------------------------------------------------------===//
  // Buffers
  //===--------------------------------------------------------------------===//

  /// A buffer of zeros; while recording an address without memory behind it.
  ChipTensor make_tensor(const TensorCreateInfo &info) {
    ChipTensor tensor;
    tensor.dtype = info.dtype;
    tensor.manual_dep = info.manual_dep;
    tensor.set_shape(info.shapes, info.ndims);
    tensor.buffer.size = tensor.num_elements() * size_of(info.dtype);
    if (tensor.buffer.size == 0)
      fail("an allocation without elements");
    if (recording) {
      tensor.buffer.addr = next_fake_address;
      next_fake_address += (tensor.buffer.size + 1023) / 1024 * 1024;
    } else {
      tensor.buffer.addr = allocate_bytes(tensor.buffer.size);
    }
    return tensor;
  }

  uint64_t allocate_bytes(uint64_t size) {
    storage.emplace_back(new char[size]());
    return reinterpret_cast<uint64_t>(storage.back().get());
  }

  //===--------------------------------------------------------------------===//
  // Record and replay
  //===--------------------------------------------------------------------===//

  static Signature get_signature(const GraphTaskArgs &args) {
    Signature signature;
    signature.num_scalars = args.scalars.size();
    for (const TensorArg &arg : args.tensors) {
      if (!arg.tensor)
        fail("a boundary tensor that does not exist");
      size_t alias = 0;
      while (!args.tensors[alias].tensor->is_same_buffer(*arg.tensor))
        ++alias;
      signature.tensors.push_back({*arg.tensor, arg.direction, alias});
    }
    return signature;
  }

  TensorSource classify(const ChipTensor &tensor) {
    TensorSource source{TensorSource::Kind::BoundaryExact, 0, 0, 0, tensor};
    const std::vector<TensorArg> &known = boundary->tensors;
    for (size_t i = 0; i != known.size(); ++i)
      if (known[i].tensor->is_same(tensor)) {
        source.index = i;
        return source;
      }
    source.kind = TensorSource::Kind::BoundaryView;
    for (size_t i = 0; i != known.size(); ++i)
      if (known[i].tensor->is_same_buffer(tensor) &&
          tensor.start_offset >= known[i].tensor->start_offset) {
        source.index = i;
        source.offset = tensor.start_offset - known[i].tensor->start_offset;
        return source;
      }
    auto found = internal.find(tensor.buffer.addr);
    if (found == internal.end())
      fail("a tensor that matches nothing the recording knows");
    source.index = found->second.first;
    source.output = found->second.second;
    source.kind = source.index == recording->nodes.size()
                      ? TensorSource::Kind::OwnOutput
                      : TensorSource::Kind::Internal;
    source.offset = tensor.start_offset;
    return source;
  }

  ScalarSource classify(const ScalarArg &arg) {
    for (size_t i = 0; i != boundary->scalars.size(); ++i)
      if (&boundary->scalars[i].value == arg.address)
        return {true, i, 0};
    return {false, 0, arg.value};
  }

  static ChipTensor resolve(const TensorSource &source, const GraphTaskArgs &args,
                            const std::vector<std::vector<ChipTensor>> &outputs) {
    const bool is_boundary = source.kind == TensorSource::Kind::BoundaryExact ||
                             source.kind == TensorSource::Kind::BoundaryView;
    const ChipTensor &base = is_boundary ? *args.tensors[source.index].tensor
                                         : outputs[source.index][source.output];
    if (source.kind == TensorSource::Kind::BoundaryExact)
      return base;
    ChipTensor tensor = source.recorded;
    tensor.buffer = base.buffer;
    tensor.version = base.version;
    tensor.owner_task_id = base.owner_task_id;
    tensor.start_offset = base.start_offset + source.offset;
    return tensor;
  }

  void replay(const Definition &definition, const GraphTaskArgs &args) {
    std::vector<std::vector<ChipTensor>> outputs;
    for (const Node &node : definition.nodes) {
      std::vector<ChipTensor> own = node.outputs;
      for (ChipTensor &output : own)
        output.buffer.addr = allocate_bytes(output.buffer.size);
      outputs.push_back(std::move(own));
      Task task = node.task;
      for (size_t i = 0; i != node.tensors.size(); ++i)
        task.tensors[i] = resolve(node.tensors[i], args, outputs);
      if (task.predicate.gate)
        task.gate_tensor = resolve(node.gate, args, outputs);
      for (size_t i = 0; i != node.scalars.size(); ++i)
        task.scalars[i] = node.scalars[i].is_slot
                              ? args.scalars[node.scalars[i].slot].value
                              : node.scalars[i].value;
      ++num_tasks;
      run(task);
    }
  }

  const std::vector<Kernel> *kernels = nullptr;
  bool replays = false;
  std::map<GraphFunction, Definition> cache;
  std::vector<std::unique_ptr<char[]>> storage;

  /// While recording: what is recorded, its boundary, and the buffers it
  /// allocates by node and output.
  Definition *recording = nullptr;
  const GraphTaskArgs *boundary = nullptr;
  std::map<uint64_t, std::pair<size_t, size_t>> internal;
  uint64_t next_fake_address = uint64_t{1} << 62;
};

inline Runtime &runtime() {
  static Runtime instance;
  return instance;
}

} // namespace pto_test
