//===- Element.h - Elements of buffers and scalars as bits ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a program computes with is a bit pattern in the low bits of a
// `uint64_t`: integers zero-extended and masked to their width (`index` has 64
// bits), floats by their encoding.
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_RUNTIME_ELEMENT_H
#define PYPTO_RUNTIME_ELEMENT_H

#include "mlir/IR/Types.h"
#include <optional>

namespace mlir::pypto::runtime {

/// How an element of a buffer, a tile or a scalar is encoded. Odd integer
/// widths exist as scalars only; see `ScalarKind`.
enum class ElementType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  UI8,
  UI16,
  UI32,
  UI64,
  F8E4M3FN,
  F8E5M2,
  F16,
  BF16,
  F32,
  F64
};

/// The element type an MLIR type stands for (`index` is `I64`); nothing for
/// types no buffer can hold.
std::optional<ElementType> getElementType(Type type);

/// Its name as the dialect writes it.
llvm::StringRef stringify(ElementType type);

/// Bytes one element takes; an `i1` takes one, holding 0 or 1.
unsigned getByteSize(ElementType type);
/// Width of the encoding; 1 for `I1`.
unsigned getBitWidth(ElementType type);

inline bool isFloat(ElementType type) { return type >= ElementType::F8E4M3FN; }
inline bool isUnsigned(ElementType type) {
  return type >= ElementType::UI8 && type <= ElementType::UI64;
}

/// Reads or writes one element.
uint64_t loadElement(const char *address, ElementType type);
void storeElement(char *address, ElementType type, uint64_t bits);

/// The value of a float, and the nearest float (ties to even) of a value.
double toDouble(uint64_t bits, ElementType type);
uint64_t fromDouble(double value, ElementType type);

/// The low `width` bits.
inline uint64_t maskTo(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}
inline int64_t signExtend(uint64_t bits, unsigned width) {
  if (width >= 64)
    return static_cast<int64_t>(bits);
  unsigned shift = 64 - width;
  return static_cast<int64_t>(bits << shift) >> shift;
}

/// What a scalar is: a float of some encoding or an integer of some width.
struct ScalarKind {
  bool isFloat = false;
  uint8_t width = 64;
  ElementType element = ElementType::I64;
};

/// Nothing for types that are no scalars or wider than 64 bits.
std::optional<ScalarKind> getScalarKind(Type type);

/// A scalar as people write it: a decimal integer or a float.
std::string formatScalar(uint64_t bits, ScalarKind kind);
/// An element likewise.
std::string formatElement(uint64_t bits, ElementType type);

} // namespace mlir::pypto::runtime

#endif // PYPTO_RUNTIME_ELEMENT_H
