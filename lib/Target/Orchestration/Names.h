//===- Names.h - C++ identifiers --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_TARGET_ORCHESTRATION_NAMES_H
#define PYPTO_TARGET_ORCHESTRATION_NAMES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::pypto::orchestration {

/// Hands out C++ identifiers that are valid, unique and the same in every run:
/// they depend on the names wished for and their order alone.
///
/// The names of an inner scope differ from those of the scope around it, so
/// that nothing is shadowed.
class Names {
public:
  Names() = default;
  explicit Names(const Names *outer) : outer(outer) {}

  /// An identifier made of `wish`: what cannot stand in one becomes `_`; a
  /// keyword, a name of the runtime or the library, or one that is taken gets
  /// the smallest number that makes it free.
  std::string get(StringRef wish);

private:
  bool isTaken(StringRef name) const;
  /// Numbers below are taken, here or further out.
  unsigned getNext(StringRef base) const;

  const Names *outer = nullptr;
  llvm::StringSet<> taken;
  /// Per wish the number to try next.
  llvm::StringMap<unsigned> next;
};

/// `wish` with everything replaced that cannot stand in an identifier. May
/// still be a keyword.
std::string sanitizeIdentifier(StringRef wish);

/// `text` with everything replaced that could end or continue a comment.
std::string sanitizeComment(StringRef text);

/// Where `loc` is, `file:line:column` without directories, fit for a comment;
/// empty when it is in no file.
std::string describeLocation(Location loc);

} // namespace mlir::pypto::orchestration

#endif // PYPTO_TARGET_ORCHESTRATION_NAMES_H
