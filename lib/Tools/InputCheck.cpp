//===- InputCheck.cpp - What MLIR's parser must not see -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/InputCheck.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pypto;

static bool isUnguarded(StringRef op) {
  return op == "linalg.batch_matmul" || op == "linalg.batch_reduce_matmul" ||
         op == "linalg.elementwise" || op == "linalg.select";
}

static bool isIdentifier(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

namespace {
/// Goes over the text by tokens, as far as it matters here: identifiers with
/// their sigil, strings and single characters, without comments.
class TokenStream {
public:
  explicit TokenStream(StringRef text) : rest(text) {}

  /// The next token, empty at the end.
  StringRef next() {
    skipBlanks();
    if (rest.empty())
      return rest;
    if (rest.front() == '"')
      return take(getStringLength());
    bool hasSigil = StringRef("!#%@^").contains(rest.front());
    size_t length = rest.find_if_not(isIdentifier, hasSigil ? 1 : 0);
    return take(std::max<size_t>(1, std::min(length, rest.size())));
  }

private:
  StringRef take(size_t length) {
    StringRef token = rest.take_front(length);
    rest = rest.drop_front(token.size());
    return token;
  }

  void skipBlanks() {
    while (true) {
      rest = rest.ltrim();
      if (!rest.starts_with("//"))
        return;
      rest = rest.drop_until([](char c) { return c == '\n'; });
    }
  }

  size_t getStringLength() const {
    size_t end = 1;
    while (end < rest.size() && rest[end] != '"')
      end += rest[end] == '\\' ? 2 : 1;
    return end + 1;
  }

  StringRef rest;
};

class LinalgOperandCheck {
public:
  explicit LinalgOperandCheck(llvm::MemoryBufferRef input) : input(input) {}

  LogicalResult run() {
    TokenStream tokens(input.getBuffer());
    StringRef previous;
    for (StringRef token = tokens.next(); !token.empty();
         token = tokens.next()) {
      if (token == "=" && previous.starts_with("!"))
        noteAlias(previous, tokens);
      else if (isUnguarded(token))
        checkOperands(token, tokens);
      previous = token;
    }
    return failure(failed);
  }

private:
  /// Of a copy of the stream: what follows is looked at again.
  void noteAlias(StringRef name, TokenStream tokens) {
    if (isGraphType(tokens.next()))
      aliases.insert(name);
  }

  bool isGraphType(StringRef token) const {
    return token.starts_with("!graph.") || aliases.contains(token);
  }

  /// Looks through the operand lists of the operation `op`. Values and closing
  /// braces outside of the lists belong to what comes after it.
  void checkOperands(StringRef op, TokenStream tokens) {
    unsigned depth = 0;
    bool inList = false;
    StringRef previous;
    for (StringRef token = tokens.next(); !token.empty();
         previous = token, token = tokens.next()) {
      if (depth == 0 && token.starts_with("%"))
        return;
      if (token == "(" || token == "[" || token == "{") {
        inList |= depth == 0 && (previous == "ins" || previous == "outs");
        ++depth;
      } else if (token == ")" || token == "]" || token == "}") {
        if (depth == 0)
          return;
        inList &= --depth != 0;
      } else if (inList && isGraphType(token)) {
        return report(op, token);
      }
    }
  }

  void report(StringRef op, StringRef type) {
    failed = true;
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input),
                               llvm::SMLoc());
    sources.PrintMessage(llvm::errs(), llvm::SMLoc::getFromPointer(op.data()),
                         llvm::SourceMgr::DK_Error,
                         "'" + op +
                             "' op operands must be tensors, memrefs or "
                             "scalars, but got '" +
                             type + "'");
  }

  llvm::MemoryBufferRef input;
  llvm::StringSet<> aliases;
  bool failed = false;
};
} // namespace

LogicalResult mlir::pypto::checkLinalgOperands(llvm::MemoryBufferRef input) {
  // Few files have any of these: they do not pay for the others. Bytecode holds
  // operations in generic form, which no such parser sees.
  if (isBytecode(input) || !input.getBuffer().contains("linalg."))
    return success();
  return LinalgOperandCheck(input).run();
}

LogicalResult mlir::pypto::checkLinalgOperands(ArrayRef<char *> arguments) {
  for (StringRef argument : arguments.drop_front()) {
    if (argument.starts_with("-") || !llvm::sys::fs::is_regular_file(argument))
      continue;
    auto file = llvm::MemoryBuffer::getFile(argument);
    return file ? checkLinalgOperands((*file)->getMemBufferRef()) : success();
  }
  return success();
}
