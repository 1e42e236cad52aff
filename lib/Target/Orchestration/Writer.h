//===- Writer.h - Indented C++ ----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TARGET_ORCHESTRATION_WRITER_H
#define PYPTO_TARGET_ORCHESTRATION_WRITER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace mlir::pypto::orchestration {

/// Collects lines of C++, indented by the blocks they are in.
class Writer {
public:
  /// One line.
  void line(const Twine &text);
  void blank() { text += '\n'; }
  /// A line that begins a block, such as `if (x) {`.
  void open(const Twine &head);
  /// What follows is in a block that the line before has begun.
  void enter() { ++depth; }
  /// The end of a block; `tail` follows the brace, as in `} else {`.
  void close(const Twine &tail = "");
  /// `} else {` and the like: ends a block and begins one.
  void next(const Twine &tail);

  /// `head`, the items with commas between, `tail`; broken where it gets long.
  void list(const Twine &head, ArrayRef<std::string> items, const Twine &tail);

  std::string take() { return std::move(text); }

private:
  void indent() { text.append(2 * depth, ' '); }

  std::string text;
  unsigned depth = 0;
};

} // namespace mlir::pypto::orchestration

#endif // PYPTO_TARGET_ORCHESTRATION_WRITER_H
