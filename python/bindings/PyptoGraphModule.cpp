//===- PyptoGraphModule.cpp - Python extension ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files of the extension are the only ones that are compiled with RTTI and
// exceptions: they talk to MLIR through the C interface alone.
//
// The extension is a thin layer of functions; the classes users see are Python
// (`pypto_graph.dialects.graph`). Every function checks what would otherwise be
// an assertion inside MLIR and raises instead.
//
//===----------------------------------------------------------------------===//

#include "CAPI/GraphCAPI.h"
#include "RuntimeModule.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace nb = nanobind;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

static std::string toString(MlirStringRef ref) {
  return std::string(ref.data, ref.length);
}

/// Loads the dialects; types and attributes of a dialect that is not loaded
/// abort the process.
static void loadDialect(MlirContext context) {
  MlirDialect graph = mlirContextGetOrLoadDialect(
      context, mlirStringRefCreateFromCString("graph"));
  MlirDialect asc = mlirContextGetOrLoadDialect(
      context, mlirStringRefCreateFromCString("asc"));
  if (mlirDialectIsNull(graph) || mlirDialectIsNull(asc))
    throw nb::value_error(
        "the context does not know the graph dialect: it was created before "
        "pypto_graph was imported; call "
        "pypto_graph.register_dialects(context)");
}

namespace {
/// Keeps the errors of a scope from everybody else and raises them.
class ErrorScope {
public:
  explicit ErrorScope(MlirContext context) : context(context) {
    id = mlirContextAttachDiagnosticHandler(context, &collect, &message,
                                            /*deleteUserData=*/nullptr);
  }
  ~ErrorScope() { mlirContextDetachDiagnosticHandler(context, id); }
  ErrorScope(const ErrorScope &) = delete;
  ErrorScope &operator=(const ErrorScope &) = delete;

  [[noreturn]] void raise() const {
    throw nb::value_error(message.empty() ? "invalid arguments"
                                          : message.c_str());
  }

private:
  static void append(MlirStringRef part, void *userData) {
    static_cast<std::string *>(userData)->append(part.data, part.length);
  }

  static MlirLogicalResult collect(MlirDiagnostic diagnostic, void *userData) {
    if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
      return mlirLogicalResultFailure();
    auto *message = static_cast<std::string *>(userData);
    if (!message->empty())
      message->append("\n");
    mlirDiagnosticPrint(diagnostic, &append, message);
    return mlirLogicalResultSuccess();
  }

  MlirContext context;
  MlirDiagnosticHandlerID id;
  std::string message;
};
} // namespace

static void require(bool condition, const char *message) {
  if (!condition)
    throw nb::type_error(message);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void addTensorType(nb::module_ &m) {
  m.def("tensor_type_id", &pyptoGraphTensorTypeGetTypeID);

  m.def("is_tensor_type", &pyptoTypeIsAGraphTensor, nb::arg("type"));
  m.def(
      "tensor_type",
      [](const std::vector<std::optional<int64_t>> &shape,
         MlirType elementType) {
        MlirContext context = mlirTypeGetContext(elementType);
        loadDialect(context);
        std::vector<int64_t> extents;
        for (std::optional<int64_t> extent : shape) {
          // The encoding of an unknown extent is no extent.
          if (extent && *extent <= 0)
            throw nb::value_error(
                ("an extent of a graph tensor must be positive or None, got " +
                 std::to_string(*extent))
                    .c_str());
          extents.push_back(extent ? *extent : mlirShapedTypeGetDynamicSize());
        }
        ErrorScope errors(context);
        MlirType type = pyptoGraphTensorTypeGetChecked(
            mlirLocationUnknownGet(context), extents.size(), extents.data(),
            elementType);
        if (mlirTypeIsNull(type))
          errors.raise();
        return type;
      },
      nb::arg("shape"), nb::arg("element_type"),
      "The tensor type of a shape (None for an unknown extent).");
  m.def(
      "tensor_type_shape",
      [](MlirType type) {
        require(pyptoTypeIsAGraphTensor(type), "expected a graph tensor type");
        std::vector<std::optional<int64_t>> shape;
        for (intptr_t i = 0, e = pyptoGraphTensorTypeGetRank(type); i != e;
             ++i) {
          int64_t extent = pyptoGraphTensorTypeGetExtent(type, i);
          if (mlirShapedTypeIsDynamicSize(extent))
            shape.push_back(std::nullopt);
          else
            shape.push_back(extent);
        }
        return shape;
      },
      nb::arg("type"), "The extents; None where unknown.");
  m.def(
      "tensor_type_element_type",
      [](MlirType type) {
        require(pyptoTypeIsAGraphTensor(type), "expected a graph tensor type");
        return pyptoGraphTensorTypeGetElementType(type);
      },
      nb::arg("type"));
  m.def(
      "tensor_type_scalar_type",
      [](MlirType type) {
        require(pyptoTypeIsAGraphTensor(type), "expected a graph tensor type");
        return pyptoGraphTensorTypeGetScalarType(type);
      },
      nb::arg("type"), "The type of one element as a scalar value.");
}

static void addOtherTypes(nb::module_ &m) {
  m.def("task_id_type_id", &pyptoTaskIdTypeGetTypeID);
  m.def("is_task_id_type", &pyptoTypeIsATaskId, nb::arg("type"));
  m.def(
      "task_id_type",
      [](MlirContext context) {
        loadDialect(context);
        return pyptoTaskIdTypeGet(context);
      },
      nb::arg("context"));

  m.def("array_type_id", &pyptoGraphArrayTypeGetTypeID);
  m.def("is_array_type", &pyptoTypeIsAGraphArray, nb::arg("type"));
  m.def(
      "array_type",
      [](int64_t size, MlirType elementType) {
        MlirContext context = mlirTypeGetContext(elementType);
        loadDialect(context);
        ErrorScope errors(context);
        MlirType type = pyptoGraphArrayTypeGetChecked(
            mlirLocationUnknownGet(context), size, elementType);
        if (mlirTypeIsNull(type))
          errors.raise();
        return type;
      },
      nb::arg("size"), nb::arg("element_type"));
  m.def(
      "array_type_size",
      [](MlirType type) {
        require(pyptoTypeIsAGraphArray(type), "expected a graph array type");
        return pyptoGraphArrayTypeGetSize(type);
      },
      nb::arg("type"));
  m.def(
      "array_type_element_type",
      [](MlirType type) {
        require(pyptoTypeIsAGraphArray(type), "expected a graph array type");
        return pyptoGraphArrayTypeGetElementType(type);
      },
      nb::arg("type"));

  m.def("are_compatible", &pyptoTypesAreCompatible, nb::arg("actual"),
        nb::arg("formal"),
        "Whether a value of one type may be passed where the other is "
        "expected.");
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
/// The C functions of one enumeration attribute.
struct EnumAttr {
  const char *name;
  bool (*isa)(MlirAttribute);
  MlirTypeID (*getTypeID)();
  MlirAttribute (*get)(MlirContext, MlirStringRef);
  MlirStringRef (*getValue)(MlirAttribute);
  MlirStringRef (*getKeyword)(intptr_t);
};
} // namespace

#define PYPTO_ENUM_ATTR(Name)                                                  \
  EnumAttr {                                                                   \
    #Name, &pyptoAttributeIsA##Name, &pypto##Name##AttrGetTypeID,              \
        &pypto##Name##AttrGet, &pypto##Name##AttrGetValue,                     \
        &pypto##Name##GetKeyword                                               \
  }

static const EnumAttr enumAttrs[] = {
    PYPTO_ENUM_ATTR(Runtime),        PYPTO_ENUM_ATTR(FunctionKind),
    PYPTO_ENUM_ATTR(ParamDirection), PYPTO_ENUM_ATTR(ArgDirection),
    PYPTO_ENUM_ATTR(ScopeKind),      PYPTO_ENUM_ATTR(Comparison),
};

#undef PYPTO_ENUM_ATTR

static const EnumAttr &findEnum(const std::string &name) {
  for (const EnumAttr &attr : enumAttrs)
    if (name == attr.name)
      return attr;
  throw nb::value_error(("no enumeration of the dialect: " + name).c_str());
}

static void addAttributes(nb::module_ &m) {
  m.def(
      "enum_keywords",
      [](const std::string &name) {
        const EnumAttr &info = findEnum(name);
        std::vector<std::string> keywords;
        for (intptr_t i = 0; info.getKeyword(i).data; ++i)
          keywords.push_back(toString(info.getKeyword(i)));
        return keywords;
      },
      nb::arg("enum"), "The keywords of an enumeration, in order.");
  m.def(
      "enum_attr_id",
      [](const std::string &name) { return findEnum(name).getTypeID(); },
      nb::arg("enum"));
  m.def(
      "is_enum_attr",
      [](const std::string &name, MlirAttribute attr) {
        return findEnum(name).isa(attr);
      },
      nb::arg("enum"), nb::arg("attr"));
  m.def(
      "enum_attr",
      [](const std::string &name, const std::string &keyword,
         MlirContext context) {
        const EnumAttr &info = findEnum(name);
        loadDialect(context);
        MlirAttribute attr = info.get(
            context, mlirStringRefCreate(keyword.data(), keyword.size()));
        if (mlirAttributeIsNull(attr))
          throw nb::value_error(("'" + keyword + "' is no " + name).c_str());
        return attr;
      },
      nb::arg("enum"), nb::arg("keyword"), nb::arg("context"));
  m.def(
      "enum_attr_value",
      [](const std::string &name, MlirAttribute attr) {
        const EnumAttr &info = findEnum(name);
        require(info.isa(attr), "expected an attribute of that enumeration");
        return toString(info.getValue(attr));
      },
      nb::arg("enum"), nb::arg("attr"), "The keyword of an attribute.");
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

/// An argument of a kernel: the bits of a scalar, or an address with extents
/// and strides.
using KernelArgument = std::variant<
    uint64_t, std::tuple<uint64_t, std::vector<int64_t>, std::vector<int64_t>>>;

static void interpretKernel(MlirOperation func,
                            const std::vector<KernelArgument> &arguments) {
  std::vector<PyptoKernelArgument> list;
  for (const KernelArgument &argument : arguments) {
    PyptoKernelArgument entry = {};
    if (const uint64_t *bits = std::get_if<uint64_t>(&argument)) {
      entry.bits = *bits;
    } else {
      const auto &[data, shape, strides] = std::get<1>(argument);
      if (shape.size() != strides.size())
        throw nb::value_error("as many strides as extents");
      entry.data = reinterpret_cast<void *>(data);
      entry.rank = static_cast<intptr_t>(shape.size());
      entry.shape = shape.data();
      entry.strides = strides.data();
    }
    list.push_back(entry);
  }
  std::string message;
  auto append = [](MlirStringRef part, void *userData) {
    static_cast<std::string *>(userData)->append(part.data, part.length);
  };
  if (mlirLogicalResultIsFailure(
          pyptoInterpretKernel(func, static_cast<intptr_t>(list.size()),
                               list.data(), append, &message)))
    throw nb::value_error(message.c_str());
}

NB_MODULE(_pyptoGraph, m) {
  m.doc() = "Compiled part of pypto_graph.";

  m.def(
      "register_dialects",
      [](MlirDialectRegistry registry) { pyptoRegisterAllDialects(registry); },
      nb::arg("registry"),
      "Inserts the dialects of pypto_graph into a dialect registry.");
  m.def("register_passes", &pyptoRegisterAllPasses,
        "Makes the passes of pypto_graph known to mlir.passmanager.");
  m.def(
      "load_dialect", &loadDialect, nb::arg("context"),
      "Loads the graph dialect; ValueError when the context does not know it.");

  addTensorType(m);
  addOtherTypes(m);
  addAttributes(m);
  addRuntimeModel(m);

  m.def("is_visible_in", &pyptoValueIsVisibleIn, nb::arg("value"),
        nb::arg("block"),
        "Whether the block is inside the region that defines the value.");
  m.def(
      "lookup_graph_func",
      [](MlirOperation from, const std::string &name) {
        return pyptoLookupGraphFunc(
            from, mlirStringRefCreate(name.data(), name.size()));
      },
      nb::arg("op"), nb::arg("name"),
      "The graph.func a call inside `op` means, or None.");

  m.def("abandon_operation", &pyptoAbandonOperation, nb::arg("op"),
        "Takes an operation, half built, out of its block and leaves it to "
        "itself, valid for whoever still refers to it.");

  m.def(
      "property_names",
      [] {
        std::vector<std::string> names;
        for (intptr_t i = 0;; ++i) {
          MlirStringRef name = pyptoGetPropertyName(i);
          if (!name.data)
            return names;
          names.push_back(toString(name));
        }
      },
      "The names of the properties, in the order of the pipeline.");
  m.def(
      "verify_property",
      [](MlirOperation op, const std::string &name) {
        return mlirLogicalResultIsSuccess(pyptoVerifyProperty(
            op, mlirStringRefCreate(name.data(), name.size())));
      },
      nb::arg("module"), nb::arg("name"),
      "Whether a property holds; violations are diagnostics.");
  m.def(
      "to_orchestration",
      [](MlirOperation op, const std::string &entry)
          -> std::optional<std::tuple<std::string, std::string>> {
        using Texts = std::tuple<std::string, std::string>;
        Texts texts;
        auto onSource = [](MlirStringRef text, void *userData) {
          std::get<0>(*static_cast<Texts *>(userData)) = toString(text);
        };
        auto onManifest = [](MlirStringRef text, void *userData) {
          std::get<1>(*static_cast<Texts *>(userData)) = toString(text);
        };
        if (mlirLogicalResultIsFailure(pyptoTranslateToOrchestration(
                op, mlirStringRefCreate(entry.data(), entry.size()), onSource,
                onManifest, &texts)))
          return std::nullopt;
        return texts;
      },
      nb::arg("module"), nb::arg("entry"),
      "C++ orchestration code and its manifest, or None; errors are "
      "diagnostics.");
  m.def(
      "add_property_checks",
      [](MlirPassManager passes) {
        std::string message;
        auto append = [](MlirStringRef part, void *userData) {
          static_cast<std::string *>(userData)->append(part.data, part.length);
        };
        if (mlirLogicalResultIsFailure(
                pyptoPassManagerAddPropertyChecks(passes, append, &message)))
          throw nb::value_error(message.c_str());
      },
      nb::arg("pass_manager"),
      "Checks after each pass the properties produced so far.");

  m.def("interpret_kernel", &interpretKernel, nb::arg("func"),
        nb::arg("arguments"),
        "Runs a kernel of the asc dialect on memory at given addresses.");

  m.def(
      "diagnostic_infos",
      [] {
        using Strings = std::tuple<std::string, std::string, std::string,
                                   std::string, std::string>;
        std::vector<Strings> infos;
        for (intptr_t i = 0, e = pyptoGetNumDiagnosticInfos(); i != e; ++i) {
          PyptoDiagnosticInfo info = pyptoGetDiagnosticInfo(i);
          infos.emplace_back(toString(info.code), toString(info.summary),
                             toString(info.meaning), toString(info.example),
                             toString(info.remedy));
        }
        return infos;
      },
      "The table of diagnostic codes: code, summary, meaning, example, "
      "remedy.");
}
