//===- RuntimeModule.cpp - Python extension, runtime model ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory comes and goes as addresses: `pypto_graph.runtime` makes NumPy arrays
// of them, and checks what it passes.
//
//===----------------------------------------------------------------------===//

#include "RuntimeModule.h"

#include "CAPI/RuntimeCAPI.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace nb = nanobind;

namespace {
/// Address, bytes, start offset, shape, strides.
using TensorTuple = std::tuple<uintptr_t, int64_t, int64_t,
                               std::vector<int64_t>, std::vector<int64_t>>;
using ArgumentVariant = std::variant<uint64_t, TensorTuple>;
using Arguments = std::vector<ArgumentVariant>;

/// Name, element type or "", shape (None where open), whether it is written.
using ParamTuple = std::tuple<std::string, std::string,
                              std::vector<std::optional<int64_t>>, bool>;

class Program {
public:
  explicit Program(MlirOperation module) : handle(pyptoProgramLoad(module)) {
    if (!handle.ptr)
      throw nb::type_error("expected a module");
  }
  ~Program() { pyptoProgramDestroy(handle); }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  std::optional<std::vector<ParamTuple>> getParams(const std::string &entry);
  void bindKernel(const std::string &name, nb::callable function);
  std::string run(const std::string &entry, const Arguments &arguments,
                  const std::string &order, uint64_t seed, uint64_t maxSteps,
                  bool replay, bool keepRecordings, bool orderReaders);
  std::string compare(const std::string &entry,
                      const std::vector<Arguments> &calls,
                      const std::string &order, uint64_t seed,
                      uint64_t maxSteps, bool keepRecordings,
                      bool orderReaders);
  std::string dumpDefinitions();

  /// For the collector of cycles: a kernel may know who loaded the program.
  static int traverse(PyObject *self, visitproc visit, void *arg);
  static int clear(PyObject *self);

private:
  PyptoProgram handle;
  /// Callbacks point to them.
  std::deque<nb::object> kernels;
};
} // namespace

static MlirStringRef toRef(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

static std::string toString(MlirStringRef ref) {
  return std::string(ref.data, ref.length);
}

static void append(MlirStringRef part, void *userData) {
  static_cast<std::string *>(userData)->append(part.data, part.length);
}

std::optional<std::vector<ParamTuple>>
Program::getParams(const std::string &entry) {
  std::vector<ParamTuple> params;
  auto add = [](const PyptoParam *param, void *userData) {
    std::vector<std::optional<int64_t>> shape;
    for (intptr_t i = 0; i != param->rank; ++i)
      shape.push_back(mlirShapedTypeIsDynamicSize(param->shape[i])
                          ? std::nullopt
                          : std::optional<int64_t>(param->shape[i]));
    static_cast<std::vector<ParamTuple> *>(userData)->emplace_back(
        toString(param->name), toString(param->element), shape,
        param->isWritten);
  };
  if (!pyptoProgramGetParams(handle, toRef(entry), add, &params))
    return std::nullopt;
  return params;
}

/// Calls a Python function with `(address, shape, strides, element,
/// is_written)` for each tensor, the bits of the scalars, and the block count;
/// it returns None or a message.
static bool callKernel(const PyptoKernelCall *call, MlirStringCallback onError,
                       void *errorData, void *userData) {
  auto fail = [&](const std::string &message) {
    onError(toRef(message), errorData);
    return false;
  };
  const auto &kernel = *static_cast<nb::object *>(userData);
  if (!kernel)
    return fail("the program is being destroyed");
  // Nothing may leave the library by way of an exception.
  try {
    nb::list tensors, scalars;
    for (intptr_t i = 0; i != call->numTensors; ++i) {
      const PyptoKernelTensor &tensor = call->tensors[i];
      std::vector<int64_t> shape(tensor.shape, tensor.shape + tensor.rank);
      std::vector<int64_t> strides(tensor.strides,
                                   tensor.strides + tensor.rank);
      tensors.append(nb::make_tuple(reinterpret_cast<uintptr_t>(tensor.data),
                                    shape, strides, toString(tensor.element),
                                    tensor.isWritten));
    }
    for (intptr_t i = 0; i != call->numScalars; ++i)
      scalars.append(call->scalars[i]);
    nb::object message = kernel(tensors, scalars, call->blockCount);
    return message.is_none() || fail(nb::cast<std::string>(message));
  } catch (const std::exception &error) {
    return fail(error.what());
  }
}

void Program::bindKernel(const std::string &name, nb::callable function) {
  kernels.push_back(std::move(function));
  pyptoProgramBindKernel(handle, toRef(name), &callKernel, &kernels.back());
}

static PyptoArgument toArgument(const ArgumentVariant &given) {
  PyptoArgument argument = {};
  if (const auto *bits = std::get_if<uint64_t>(&given)) {
    argument.scalar = *bits;
    return argument;
  }
  const auto &[address, size, start, shape, strides] =
      std::get<TensorTuple>(given);
  if (shape.size() != strides.size())
    throw nb::value_error("shape and strides have different ranks");
  argument.isTensor = true;
  argument.data = reinterpret_cast<char *>(address);
  argument.sizeInBytes = size;
  argument.startOffset = start;
  argument.rank = shape.size();
  argument.shape = shape.data();
  argument.strides = strides.data();
  return argument;
}

static PyptoRunOptions toOptions(const std::string &order, uint64_t seed,
                                 uint64_t maxSteps, bool replay,
                                 bool keepRecordings, bool orderReaders) {
  return {toRef(order),       seed,           maxSteps,    replay,
          /*symbolic=*/false, keepRecordings, orderReaders};
}

std::string Program::run(const std::string &entry, const Arguments &arguments,
                         const std::string &order, uint64_t seed,
                         uint64_t maxSteps, bool replay, bool keepRecordings,
                         bool orderReaders) {
  std::vector<PyptoArgument> given;
  for (const ArgumentVariant &argument : arguments)
    given.push_back(toArgument(argument));
  PyptoRunOptions options =
      toOptions(order, seed, maxSteps, replay, keepRecordings, orderReaders);
  std::string result;
  pyptoProgramRun(handle, toRef(entry), given.size(), given.data(), &options,
                  &append, &result);
  return result;
}

std::string Program::compare(const std::string &entry,
                             const std::vector<Arguments> &calls,
                             const std::string &order, uint64_t seed,
                             uint64_t maxSteps, bool keepRecordings,
                             bool orderReaders) {
  std::vector<PyptoArgument> given;
  for (const Arguments &arguments : calls) {
    if (arguments.size() != calls.front().size())
      throw nb::value_error("calls with different numbers of arguments");
    for (const ArgumentVariant &argument : arguments)
      given.push_back(toArgument(argument));
  }
  PyptoRunOptions options = toOptions(order, seed, maxSteps, /*replay=*/true,
                                      keepRecordings, orderReaders);
  std::string result;
  pyptoProgramCompare(handle, toRef(entry), calls.size(),
                      calls.empty() ? 0 : calls.front().size(), given.data(),
                      &options, &append, &result);
  return result;
}

std::string Program::dumpDefinitions() {
  std::string result;
  pyptoProgramDumpDefinitions(handle, &append, &result);
  return result;
}

int Program::traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self))
    return 0;
  for (const nb::object &kernel : nb::inst_ptr<Program>(self)->kernels)
    Py_VISIT(kernel.ptr());
  return 0;
}

int Program::clear(PyObject *self) {
  for (nb::object &kernel : nb::inst_ptr<Program>(self)->kernels)
    kernel.reset();
  return 0;
}

void addRuntimeModel(nb::module_ &m) {
  static PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void *>(&Program::traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(&Program::clear)},
      {0, nullptr}};
  nb::class_<Program>(m, "Program", nb::type_slots(slots),
                      "A module loaded into the model of the runtime.")
      // The context must outlive the program; the operation holds it.
      .def(nb::init<MlirOperation>(), nb::arg("module"), nb::keep_alive<1, 2>())
      .def("params", &Program::getParams, nb::arg("entry"),
           "The parameters of an entry, or None.")
      .def("bind_kernel", &Program::bindKernel, nb::arg("name"),
           nb::arg("function"))
      .def("run", &Program::run, nb::arg("entry"), nb::arg("arguments"),
           nb::kw_only(), nb::arg("order"), nb::arg("seed"),
           nb::arg("max_steps"), nb::arg("replay"), nb::arg("keep_recordings"),
           nb::arg("order_readers"), "Runs an entry; the result is JSON.")
      .def("compare", &Program::compare, nb::arg("entry"), nb::arg("calls"),
           nb::kw_only(), nb::arg("order"), nb::arg("seed"),
           nb::arg("max_steps"), nb::arg("keep_recordings"),
           nb::arg("order_readers"), "Compares calls; the result is JSON.")
      .def("dump_definitions", &Program::dumpDefinitions,
           "The recordings of the last run, a JSON object a line.");
}
