//===- Numerics.h - Elements of kernels and their rounding ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PYPTO_KERNELS_NUMERICS_H
#define PYPTO_KERNELS_NUMERICS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"

#include <variant>
#include <vector>

namespace mlir::pypto::asc {

/// How an element is encoded.
struct Format {
  enum class Kind : uint8_t { F8E4M3FN, F8E5M2, F16, BF16, F32, F64, Integer };
  Kind kind = Kind::F32;
  /// Of integers.
  uint8_t width = 0;
  bool isUnsigned = false;

  /// The format of an element type of the asc dialect, or of `index`.
  static Format get(Type type);

  bool isInteger() const { return kind == Kind::Integer; }
  unsigned getByteSize() const;
};

/// The nearest value of a floating format of at most 32 bits, ties to even.
float roundTo(float value, Format format);

/// An integer brought into the range of its format, by dropping high bits.
/// Values are kept extended to 64 bits by their sign, or zeros if unsigned.
int64_t wrapTo(uint64_t bits, Format format);

/// The elements of a tile or scalar in the type that computes with them: f32
/// for floating types up to 32 bits.
using Elements =
    std::variant<std::vector<float>, std::vector<double>, std::vector<int64_t>>;

/// Elements all zero.
Elements makeElements(Format format, int64_t count);

/// A value of a kernel; a scalar has no shape.
struct Tile {
  llvm::SmallVector<int64_t, 4> shape;
  Format format;
  Elements elements;

  Tile() = default;
  Tile(llvm::ArrayRef<int64_t> shape, Format format);

  int64_t size() const;
  /// Rounds every element to the format.
  void round();

  template <typename T>
  std::vector<T> &get() {
    return std::get<std::vector<T>>(elements);
  }
  template <typename T>
  const std::vector<T> &get() const {
    return std::get<std::vector<T>>(elements);
  }
};

/// Reads or writes one element in memory.
void readElement(const char *address, Tile &tile, int64_t index);
void writeElement(char *address, const Tile &tile, int64_t index);

/// Converts elements as `asc.cast` does.
void convertElements(const Tile &from, Tile &to);

} // namespace mlir::pypto::asc

#endif // PYPTO_KERNELS_NUMERICS_H
