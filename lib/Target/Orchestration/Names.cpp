//===- Names.cpp - C++ identifiers ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::pypto::orchestration;

/// What a local or a function cannot be called: keywords of any C++ so far,
/// macros of the headers, and the names that emitted code itself uses.
static const llvm::StringSet<> &getReservedNames() {
  static const llvm::StringSet<> reserved = {
      // Keywords.
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor",
      "bool", "break", "case", "catch", "char", "char16_t", "char32_t",
      "char8_t", "class", "co_await", "co_return", "co_yield", "compl",
      "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
      "continue", "contract_assert", "decltype", "default", "delete", "do",
      "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern",
      "false", "float", "for", "friend", "goto", "if", "inline", "int", "long",
      "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
      "operator", "or", "or_eq", "private", "protected", "public", "register",
      "reinterpret_cast", "requires", "return", "short", "signed", "sizeof",
      "static", "static_assert", "static_cast", "struct", "switch", "template",
      "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
      "typename", "typeof", "union", "unsigned", "using", "virtual", "void",
      "volatile", "wchar_t", "while", "xor", "xor_eq",
      // Special to the linker or the preprocessor, variables and macros of
      // headers.
      "main", "defined", "linux", "unix", "i386", "assert", "errno", "offsetof",
      "setjmp", "stdin", "stdout", "stderr", "environ", "signgam", "timezone",
      "daylight", "tzname", "major", "minor", "makedev", "NULL", "EOF", "NAN",
      "INFINITY", "HUGE", "MAXFLOAT", "BUFSIZ", "DOMAIN", "SING", "OVERFLOW",
      "UNDERFLOW", "PLOSS", "TLOSS",
      // What emitted code writes unqualified.
      "std", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
      "uint32_t", "uint64_t", "size_t", "args", "orch_args", "config",
      "KernelId", "DataType", "ChipTensor", "CoreTaskArgs", "GraphTaskArgs",
      "ChipTaskArgs", "TensorCreateInfo", "TaskOutputTensors", "MixedKernels",
      "PTO2TaskId", "PTO2OrchestrationConfig", "PTO2ScopeMode", "PTO2_SCOPE",
      "PTO2Comparison", "alloc_tensors", "get_tensor_data",
      "rt_submit_aiv_task", "rt_submit_aic_task", "rt_submit_task",
      "rt_submit_dummy_task", "rt_submit_graph", "aicpu_orchestration_config",
      "aicpu_orchestration_entry", "clamp_extent", "trip_count",
      "trip_count_unsigned", "sign_extend", "ceil_div", "floor_div",
      "ceil_div_unsigned", "as_f16", "as_bf16", "as_f32", "as_f64", "bits_f16",
      "bits_bf16", "bits_f32", "bits_f64", "widen", "narrow", "fmaximum",
      "fminimum", "ordered"};
  return reserved;
}

/// Whether a name looks like a macro, such as `SIZE_MAX`.
static bool isMacroLike(StringRef name) {
  return name.contains('_') && llvm::none_of(name, llvm::isLower) &&
         llvm::any_of(name, llvm::isUpper);
}

std::string mlir::pypto::orchestration::sanitizeIdentifier(StringRef wish) {
  std::string name;
  for (char c : wish) {
    bool fits = llvm::isAlnum(c) && static_cast<unsigned char>(c) < 128;
    // Two underscores side by side belong to the compiler.
    if (fits)
      name += c;
    else if (name.empty() || name.back() != '_')
      name += '_';
  }
  // So does one in front of a capital letter, or of any name at file scope.
  if (name.empty() || name == "_")
    return "value";
  if (name.front() == '_' || llvm::isDigit(name.front()) || isMacroLike(name))
    name.insert(0, "v");
  return name;
}

bool Names::isTaken(StringRef name) const {
  return taken.contains(name) || (outer && outer->isTaken(name));
}

unsigned Names::getNext(StringRef base) const {
  auto it = next.find(base);
  if (it != next.end())
    return it->second;
  return outer ? outer->getNext(base) : 0;
}

std::string Names::get(StringRef wish) {
  std::string base = sanitizeIdentifier(wish);
  std::string name = base;
  if (getReservedNames().contains(base) || isTaken(base)) {
    unsigned number = getNext(base);
    StringRef separator = base.back() == '_' ? "" : "_";
    do
      name = (base + separator + Twine(number++)).str();
    while (isTaken(name) || getReservedNames().contains(name));
    next[base] = number;
  }
  taken.insert(name);
  return name;
}

std::string mlir::pypto::orchestration::sanitizeComment(StringRef text) {
  std::string result;
  for (char c : text) {
    bool fits =
        llvm::isAlnum(c) || StringRef("_.:@#%$-+=,; ()[]<>!").contains(c);
    result += fits ? c : '_';
  }
  return result;
}

std::string mlir::pypto::orchestration::describeLocation(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  StringRef name = llvm::sys::path::filename(file.getFilename().getValue());
  return sanitizeComment(
      (name + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn()))
          .str());
}
