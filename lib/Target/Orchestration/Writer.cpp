//===- Writer.cpp - Indented C++ ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir;
using namespace mlir::pypto::orchestration;

static constexpr size_t kMaxWidth = 96;

/// Appends without a copy where the text is at hand.
static void append(std::string &text, const Twine &twine) {
  SmallString<128> buffer;
  StringRef ref = twine.toStringRef(buffer);
  text.append(ref.data(), ref.size());
}

void Writer::line(const Twine &content) {
  indent();
  append(text, content);
  text += '\n';
}

void Writer::open(const Twine &head) {
  line(head);
  ++depth;
}

void Writer::close(const Twine &tail) {
  --depth;
  line("}" + tail);
}

void Writer::next(const Twine &tail) {
  close(tail);
  ++depth;
}

void Writer::list(const Twine &head, ArrayRef<std::string> items,
                  const Twine &tail) {
  indent();
  size_t begin = text.size() - 2 * depth;
  append(text, head);
  for (auto [i, item] : llvm::enumerate(items)) {
    bool isLast = i + 1 == items.size();
    if (i != 0 && text.size() - begin + item.size() + 2 > kMaxWidth) {
      text += '\n';
      begin = text.size();
      text.append(2 * depth + 4, ' ');
    } else if (i != 0) {
      text += ' ';
    }
    text += item;
    if (!isLast)
      text += ',';
  }
  append(text, tail);
  text += '\n';
}
