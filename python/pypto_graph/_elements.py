# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types of the dialect as NumPy types, and scalars as bit patterns."""

from __future__ import annotations

import functools
import struct
from typing import Any

import numpy

_NUMPY_NAMES = {
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "ui8": "uint8",
    "ui16": "uint16",
    "ui32": "uint32",
    "ui64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
}
# From the package ml_dtypes.
_ML_NAMES = {
    "bf16": "bfloat16",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2",
}


@functools.cache
def numpy_type(element: str) -> numpy.dtype:
    """The NumPy type of an element type: "f32" is `float32`.

    Raises:
      ValueError: no element type.
      ImportError: it needs the package ml_dtypes, which is not there.
    """
    if element in _NUMPY_NAMES:
        return numpy.dtype(_NUMPY_NAMES[element])
    if element not in _ML_NAMES:
        raise ValueError(f"no element type: {element!r}")
    try:
        import ml_dtypes
    except ImportError as error:
        raise ImportError(
            f"arrays of {element} need the package ml_dtypes: pip install ml_dtypes"
        ) from error
    return numpy.dtype(getattr(ml_dtypes, _ML_NAMES[element]))


def is_float(type_: str) -> bool:
    """Whether a scalar type is a float."""
    return type_ in _ML_NAMES or type_ in ("f16", "f32", "f64")


def integer_width(type_: str) -> int | None:
    """The width of an integer type (64 for `index`); None for other types."""
    if type_ == "index":
        return 64
    digits = type_.removeprefix("u").removeprefix("s").removeprefix("i")
    is_integer = type_ != digits and digits.isdigit()
    return int(digits) if is_integer else None


def to_bits(value: Any, type_: str) -> int:
    """The bit pattern of a scalar.

    Args:
      value: an integer, a float or a boolean, of Python or NumPy.
      type_: its type: "index", "i32", "bf16".

    Raises:
      TypeError: a value of another kind, such as 1.5 for an integer.
      OverflowError: an integer that the type cannot hold.
    """
    if is_float(type_):
        if not _is_number(value):
            raise TypeError(f"expected a number for {type_}, got {value!r}")
        array = numpy.array(float(value)).astype(numpy_type(type_))
        return int.from_bytes(array.tobytes(), "little")
    width = integer_width(type_)
    if width is None:
        raise TypeError(f"no value can be passed for {type_}")
    if not isinstance(value, (int, bool, numpy.integer, numpy.bool_)):
        raise TypeError(f"expected an integer for {type_}, got {value!r}")
    number = int(value)
    low = 0 if type_.startswith("u") or width == 1 else -(1 << (width - 1))
    if not low <= number < 1 << width:
        raise OverflowError(f"{number} does not fit into {type_}")
    return number & ((1 << width) - 1)


def _is_number(value: Any) -> bool:
    is_plain = isinstance(value, (int, float, numpy.number, numpy.bool_))
    # The scalars of ml_dtypes are no `numpy.number`.
    return is_plain or (hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0)


def from_bits(bits: int, type_: str) -> int | float | bool:
    """The Python number of a bit pattern; integers are signed but for `ui…`."""
    if type_ == "f64":
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if is_float(type_):
        dtype = numpy_type(type_)
        return float(
            numpy.frombuffer(bits.to_bytes(dtype.itemsize, "little"), dtype)[0]
        )
    width = integer_width(type_)
    if width == 1:
        return bool(bits)
    if not type_.startswith("u") and bits >> (width - 1):
        return bits - (1 << width)
    return bits
