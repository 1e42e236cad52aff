# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels on NumPy arrays, interpreted or compiled.

    from mlir import ir
    from pypto_graph import kernels

    with ir.Context():
        module = ir.Module.parse(open("examples/rmsnorm_net01.mlir").read())
        kernel = kernels.compile(module)
        kernel(x, residual, weight, add, inv_rms, out)

A kernel takes an array a tensor parameter, of the parameter's element type and shape, and a
Python or NumPy number a scalar parameter; it writes its `out` and `inout` parameters in
place. Arrays are not copied. bf16 and the 8-bit floating types are those of `ml_dtypes`.

`interpret` is the reference: it follows the numerics of the `asc` dialect node by node.
`compile` lowers a kernel through `convert-asc-to-linalg` and upstream passes to machine
code, with the same results bit for bit. It checks less: an offset or an index out of range, an
error of the interpreter, becomes the nearest one in range.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mlir import ir
from mlir.execution_engine import ExecutionEngine
from mlir.passmanager import PassManager

import pypto_graph  # noqa: F401  (registers dialects and passes)

from ._libs import _pyptoGraph as _ext
from .dialects import graph

__all__ = ["Kernel", "compile", "interpret", "lowering_pipeline"]

_NUMPY_TYPES = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "i1": "bool",
    **{f"i{width}": f"int{width}" for width in (8, 16, 32, 64)},
    **{f"ui{width}": f"uint{width}" for width in (8, 16, 32, 64)},
    "index": "int64",
}
_ML_TYPES = {
    "bf16": "bfloat16",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2",
}


def _dtype(type_: ir.Type) -> np.dtype:
    """The NumPy type of elements or scalars of a type."""
    name = str(type_)
    if name in _NUMPY_TYPES:
        return np.dtype(_NUMPY_TYPES[name])
    if name in _ML_TYPES:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, _ML_TYPES[name]))
    raise TypeError(f"kernels have no parameters of type {name}")


@dataclass(frozen=True)
class _Param:
    """A parameter of a kernel, as far as arguments are checked against it."""

    name: str
    dtype: np.dtype
    written: bool
    shape: tuple[int | None, ...] | None
    """None for a scalar."""

    def check(self, value: Any) -> Any:
        """The argument as an array, or as a NumPy scalar; raises when it does not fit."""
        if self.shape is None:
            return self._check_scalar(value)
        if not isinstance(value, np.ndarray):
            raise TypeError(f"{self.name}: expected a NumPy array, got {type(value)}")
        if value.dtype != self.dtype:
            raise TypeError(
                f"{self.name}: expected elements {self.dtype}, got {value.dtype}"
            )
        if len(value.shape) != len(self.shape) or any(
            want not in (None, have)
            for have, want in zip(value.shape, self.shape, strict=True)
        ):
            want = tuple("?" if n is None else n for n in self.shape)
            raise ValueError(f"{self.name}: expected shape {want}, got {value.shape}")
        if 0 in value.shape:
            raise ValueError(f"{self.name}: the array is empty")
        flags = value.flags
        if not flags.aligned or any(n % value.itemsize for n in value.strides):
            raise ValueError(f"{self.name}: elements of the array are not aligned")
        if self.written and not flags.writeable:
            raise ValueError(f"{self.name}: the array is read-only")
        return value

    def _check_scalar(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.ndim:
            raise TypeError(f"{self.name}: expected a number, got an array")
        kind = self.dtype.kind
        if kind in "iu" and not (
            isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        ):
            raise TypeError(f"{self.name}: expected an integer, got {value!r}")
        if kind == "b" and not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{self.name}: expected a truth value, got {value!r}")
        try:
            return (
                np.array(value).astype(self.dtype)
                if kind not in "iu"
                else (np.array(value, self.dtype))
            )
        except (OverflowError, TypeError, ValueError) as error:
            raise type(error)(f"{self.name}: {error}") from None


def _find(kernel: Any, name: str | None) -> graph.FuncOp:
    """The kernel meant by a function, or by a module and perhaps a name."""
    if isinstance(kernel, ir.Module):
        found = [
            op
            for op in kernel.body.operations
            if isinstance(op, graph.FuncOp)
            and op.body.blocks
            and (name is None or op.sym_name.value == name)
        ]
        if len(found) != 1:
            what = "kernels" if name is None else f"kernels of the name {name!r}"
            raise ValueError(f"the module has {len(found)} {what}, expected one")
        return found[0]
    if isinstance(kernel, ir.Operation):
        kernel = kernel.opview
    if not isinstance(kernel, graph.FuncOp):
        raise TypeError(f"expected a graph.FuncOp or a module, got {kernel!r}")
    if not kernel.body.blocks:
        raise ValueError(f"kernel @{kernel.sym_name.value} has no body")
    return kernel


def _get_params(func: graph.FuncOp) -> list[_Param]:
    params = []
    for attrs, argument in zip(func.arg_attrs, func.arguments, strict=True):
        type_ = argument.type
        name = ir.StringAttr(attrs["graph.name"]).value
        written = str(attrs["graph.dir"]) != "#graph.dir<in>"
        if isinstance(type_, graph.TensorType):
            params.append(
                _Param(name, _dtype(type_.element_type), written, tuple(type_.shape))
            )
        else:
            params.append(_Param(name, _dtype(type_), False, None))
    return params


def _check_all(name: str, params: Sequence[_Param], args: Sequence[Any]) -> list[Any]:
    if len(args) != len(params):
        raise TypeError(f"@{name} takes {len(params)} arguments, got {len(args)}")
    return [param.check(value) for param, value in zip(params, args, strict=True)]


# ---------------------------------------------------------------------------
# Interpretation
# ---------------------------------------------------------------------------


def interpret(
    kernel: graph.FuncOp | ir.Module, *args: Any, name: str | None = None
) -> None:
    """Runs a kernel of `asc` nodes node by node.

    Args:
      kernel: the function, or a module with it.
      args: arrays and numbers, one a parameter. Arrays may overlap: each node reads what is
        there when it runs.
      name: which kernel of the module.

    Raises ValueError for a node that cannot run on these arguments.
    """
    func = _find(kernel, name)
    params = _get_params(func)
    values = _check_all(func.sym_name.value, params, args)
    arguments: list[Any] = []
    for param, value in zip(params, values, strict=True):
        if param.shape is None:
            arguments.append(int.from_bytes(value.tobytes(), "little"))
        else:
            strides = [n // value.itemsize for n in value.strides]
            arguments.append((value.ctypes.data, list(value.shape), strides))
    _ext.interpret_kernel(func.operation, arguments)


# ---------------------------------------------------------------------------
# Compilation
# ---------------------------------------------------------------------------


def lowering_pipeline(*, strided: bool = False, fast_memory: bool = True) -> str:
    """The passes from a kernel to the LLVM dialect, as `PassManager.parse` reads them.

    Args:
      strided: let the arrays have any strides.
      fast_memory: compute intermediate results in place where that is possible.
    """
    passes = [
        "convert-asc-to-linalg",
        f"convert-kernels-to-func{{strided={str(strided).lower()}}}",
        "canonicalize",
        # No `cse` before this: it would merge what was repeated to be fused.
        "func.func(linalg-fuse-elementwise-ops)",
        "canonicalize",
        "cse",
    ]
    if fast_memory:
        passes.append("eliminate-empty-tensors")
    passes += [
        "one-shot-bufferize",
        "canonicalize",
        "cse",
        "buffer-deallocation-pipeline",
        "expand-memref-copies",
        "func.func(convert-linalg-to-loops)",
        "expand-strided-metadata",
        "lower-affine",
        "canonicalize",
        "func.func(loop-invariant-code-motion)",
        "arith-expand{include-bf16=true}",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "convert-scf-to-cf",
        "convert-to-llvm",
        "reconcile-unrealized-casts",
        "canonicalize",
        "cse",
    ]
    return f"builtin.module({','.join(passes)})"


class Kernel:
    """A compiled kernel; call it with arrays and numbers.

    An array that overlaps one that is written is copied before the call: the kernel reads
    what was there. Two written arrays must not overlap.
    """

    def __init__(self, func: graph.FuncOp, opt_level: int):
        """Compiles for contiguous arrays; for others, when they first appear."""
        self.name: str = func.sym_name.value
        self._params = _get_params(func)
        self._written = [i for i, param in enumerate(self._params) if param.written]
        self._opt_level = opt_level
        # The kernel's own copy: the caller may go on changing his.
        self._text = func.operation.get_asm(enable_debug_info=True)
        self._engines: dict[bool, ExecutionEngine] = {}
        self._entries: dict[bool, Any] = {}
        self._get_entry(strided=False)

    def _get_entry(self, *, strided: bool) -> Any:
        entry = self._entries.get(strided)
        if entry is None:
            with ir.Context(), ir.Location.unknown():
                module = ir.Module.parse(self._text)
                passes = lowering_pipeline(strided=strided)
                # MLIR ends the process when it meets a buffer of i1. No kernel of nodes
                # has any, but a body may hold other operations.
                start, rest = passes.split(",buffer-deallocation-pipeline")
                PassManager.parse(start + ")").run(module.operation)
                if re.search(r"memref<(?:[0-9?]+x)*i1\b", str(module)):
                    raise ValueError(f"@{self.name}: tiles of i1 stay in memory")
                rest = f"builtin.module(buffer-deallocation-pipeline{rest}"
                PassManager.parse(rest).run(module.operation)
                engine = ExecutionEngine(module, opt_level=self._opt_level)
            address = engine.raw_lookup(f"_mlir_ciface_{self.name}")
            entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
            self._engines[strided] = engine
            self._entries[strided] = entry
        return entry

    def __call__(self, *args: Any) -> None:
        """Runs the kernel on one argument a parameter."""
        values = _check_all(self.name, self._params, args)
        self._separate(values)
        strided = not all(value.flags.c_contiguous for value in values)
        entry = self._get_entry(strided=strided)
        # An argument is the address of a scalar, or of the address of a descriptor:
        # allocated and aligned pointer, offset, extents, strides.
        words: list[int] = []
        starts: list[int] = []
        for value in values:
            starts.append(len(words))
            if value.ndim or self._params[len(starts) - 1].shape is not None:
                data, size = value.ctypes.data, value.itemsize
                words += (
                    data,
                    data,
                    0,
                    *value.shape,
                    *(n // size for n in value.strides),
                )
        memory = (ctypes.c_int64 * (len(words) + 1))(*words)
        base = ctypes.addressof(memory)
        count = len(values)
        pointers = (ctypes.c_int64 * (2 * count))()
        table = ctypes.addressof(pointers)
        for i, value in enumerate(values):
            if self._params[i].shape is None:
                pointers[i] = value.ctypes.data
            else:
                pointers[count + i] = base + 8 * starts[i]
                pointers[i] = table + 8 * (count + i)
        entry(table)

    def _separate(self, values: list[Any]) -> None:
        """Copies what overlaps an array that is written."""
        for i in self._written:
            for j, other in enumerate(values):
                if (
                    i == j
                    or self._params[j].shape is None
                    or not np.may_share_memory(values[i], other)
                ):
                    continue
                if self._params[j].written:
                    if np.shares_memory(values[i], other):
                        names = self._params[i].name, self._params[j].name
                        raise ValueError(
                            "written arrays overlap: {} and {}".format(*names)
                        )
                else:
                    values[j] = other.copy()


def compile(
    kernel: graph.FuncOp | ir.Module, name: str | None = None, *, opt_level: int = 3
) -> Kernel:
    """Compiles a kernel to machine code.

    Args:
      kernel: the function, or a module with it. It is not changed.
      name: which kernel of the module.
      opt_level: LLVM's, 0 to 3.

    Raises `mlir.ir.MLIRError` for a kernel that cannot be lowered.
    """
    return Kernel(_find(kernel, name), opt_level)
