//===- pto_harness.h - Runs emitted programs ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The `main` of a test executable. Standard input says what to call, a line a
// program: the file with the bytes of its tensors, the number of calls, and the
// scalars of each call. Every program is run eagerly and replayed, each from the
// same bytes; a call finds what the one before it has left. Standard output is a
// line of JSON a call; what the last one leaves goes into files next to the one with
// the bytes, `.eager` and `.replay`.
//
//===----------------------------------------------------------------------===//

#ifndef PTO_HARNESS_H
#define PTO_HARNESS_H

#include "pto_orchestration_api.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

namespace pto_test {

struct EntryTensor {
  DataType dtype;
  std::vector<uint32_t> shape;
};

struct Graph {
  const char *name;
  GraphFunction function;
};

struct Program {
  const char *name;
  void (*entry)(const ChipTaskArgs &);
  PTO2OrchestrationConfig (*config)(const ChipTaskArgs &);
  std::vector<Kernel> kernels;
  std::vector<EntryTensor> tensors;
  size_t num_scalars;
  std::vector<Graph> graphs;
};

inline uint32_t crc32(const char *data, size_t size) {
  static const std::vector<uint32_t> table = [] {
    std::vector<uint32_t> entries;
    for (uint32_t i = 0; i != 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit != 8; ++bit)
        value = (value & 1) != 0 ? value >> 1 ^ 0xEDB88320u : value >> 1;
      entries.push_back(value);
    }
    return entries;
  }();
  uint32_t crc = ~0u;
  for (size_t i = 0; i != size; ++i)
    crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(data[i])) & 255];
  return ~crc;
}

/// What a program is called with.
struct Input {
  std::string file;
  std::vector<char> bytes;
  std::vector<std::vector<uint64_t>> calls;
};

inline std::vector<ChipTensor> bind_tensors(const Program &program,
                                            std::vector<char> &bytes) {
  std::vector<ChipTensor> tensors;
  size_t offset = 0;
  for (const EntryTensor &entry : program.tensors) {
    ChipTensor tensor;
    tensor.dtype = entry.dtype;
    tensor.set_shape(entry.shape.data(),
                     static_cast<uint32_t>(entry.shape.size()));
    tensor.buffer.addr = reinterpret_cast<uint64_t>(bytes.data() + offset);
    tensor.buffer.size = tensor.num_elements() * size_of(entry.dtype);
    offset += tensor.buffer.size;
    tensors.push_back(tensor);
  }
  if (offset != bytes.size())
    fail("the file has another size than the tensors");
  return tensors;
}

inline void print_events(const Program &program) {
  const char *separator = "";
  for (const Event &event : runtime().events) {
    const char *name = "";
    for (const Graph &graph : program.graphs)
      if (graph.function == event.function)
        name = graph.name;
    std::printf("%s[\"%s\", \"%s\", %zu]", separator, event.kind.c_str(), name,
                event.num_nodes);
    separator = ", ";
  }
}

inline void run(const Program &program, size_t number, const Input &input,
                bool replays) {
  std::vector<char> bytes = input.bytes;
  std::vector<ChipTensor> tensors = bind_tensors(program, bytes);
  for (size_t call = 0; call != input.calls.size(); ++call) {
    // The cache of recordings lives for one run.
    runtime().begin(program.kernels, replays);
    std::string error;
    ChipTaskArgs args;
    for (ChipTensor &tensor : tensors)
      args.add_inout(tensor);
    std::vector<uint64_t> scalars = input.calls[call];
    for (uint64_t &scalar : scalars)
      args.add_scalar(scalar);
    try {
      if (static_cast<size_t>(program.config(args).expected_arg_count) !=
          tensors.size())
        fail("the entry expects another number of tensors");
      program.entry(args);
    } catch (const Failure &failure) {
      error = failure.what();
    }
    std::printf("{\"program\": %zu, \"mode\": \"%s\", \"call\": %zu, "
                "\"error\": \"%s\", \"tasks\": %llu, \"events\": [",
                number, replays ? "replay" : "eager", call, error.c_str(),
                static_cast<unsigned long long>(runtime().num_tasks));
    print_events(program);
    std::printf("], \"buffers\": [");
    const char *separator = "";
    for (const ChipTensor &tensor : tensors) {
      std::printf("%s%u", separator,
                  crc32(reinterpret_cast<const char *>(tensor.buffer.addr),
                        tensor.buffer.size));
      separator = ", ";
    }
    std::printf("]}\n");
  }
  std::ofstream(input.file + (replays ? ".replay" : ".eager"), std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline Input read_input(const Program &program, const std::string &line) {
  Input input;
  std::istringstream words(line);
  size_t num_calls = 0;
  words >> input.file >> num_calls;
  std::ifstream stream(input.file, std::ios::binary);
  input.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  input.calls.assign(num_calls, std::vector<uint64_t>(program.num_scalars));
  for (std::vector<uint64_t> &call : input.calls)
    for (uint64_t &scalar : call)
      words >> scalar;
  return input;
}

inline int run_all(const std::vector<Program> &programs) {
  std::string line;
  for (size_t i = 0; i != programs.size() && std::getline(std::cin, line); ++i) {
    const Input input = read_input(programs[i], line);
    run(programs[i], i, input, false);
    run(programs[i], i, input, true);
  }
  return 0;
}

} // namespace pto_test

#endif // PTO_HARNESS_H
