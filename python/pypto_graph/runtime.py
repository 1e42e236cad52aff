# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs modules in a model of the runtime, on NumPy arrays.

*Eagerly* a graph function runs like any other. By *record and replay* it runs once while
its tasks are recorded; afterwards only the boundary tensors and scalars are looked at.
Where the two differ, a value was frozen::

    add = lambda a, acc: numpy.add(a, acc, out=acc)
    main = pypto_graph.runtime.load(module, kernels={"add": add}, mode="replay")
    main(a, acc)

    print(pypto_graph.runtime.compare(module, "main", [a, acc], calls=2))

A kernel without a body that no function is given for fills what it writes with numbers
made of everything it got, so that no wrong operand goes unnoticed.
"""

from __future__ import annotations

import ctypes
import html
import inspect
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from mlir import ir

from ._diagnostics import Diagnostic, Severity
from ._elements import from_bits, integer_width, is_float, numpy_type, to_bits
from ._legalize import to_verified_module
from ._libs import _pyptoGraph as _ext

__all__ = [
    "CallReport",
    "Culprit",
    "Difference",
    "Event",
    "LoadedFunction",
    "ModelError",
    "Race",
    "Report",
    "compare",
    "load",
]

Kernel = Callable[..., Any]

_ORDERS = ("program", "reverse", "random")
_MODES = ("eager", "replay")
_MAX_STEPS = 1 << 32


class ModelError(RuntimeError):
    """A run that could not be finished: the program does what is not defined, or the
    runtime cannot record it.

    Attributes:
      diagnostics: what went wrong and where; the rule of the runtime is a note.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()):
        super().__init__(message, tuple(diagnostics))
        self.message = message
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)

    def __str__(self) -> str:
        return "\n".join([self.message, *map(str, self.diagnostics)])


# --------------------------------------------------------------------------- #
# Reports
# --------------------------------------------------------------------------- #


@dataclass(frozen=True)
class Event:
    """What a graph launch came to.

    Attributes:
      kind: "recorded", "replayed", "ran as ordinary tasks" or "dropped" (something was
        ignored).
      function: the graph function.
      reason: why, for the last two kinds.
      location: the launch, as "file:line:column".
    """

    kind: str
    function: str
    reason: str
    location: str


@dataclass(frozen=True)
class Difference:
    """The first element that the two runs of a call left with different values.

    Attributes:
      param: the parameter of the entry.
      index: the element.
      eager, replayed: its values, as text.
    """

    param: str
    index: tuple[int, ...]
    eager: str
    replayed: str


@dataclass(frozen=True)
class Culprit:
    """The operand of a task that a replay bound otherwise than the program.

    Attributes:
      kernel, location: the task.
      operand: which operand, for instance "scalar #0".
      eager, replayed: what it was.
      source: how the recording refers to it.
      rule: the rule of the runtime that made it so.
    """

    kernel: str
    location: str
    operand: str
    eager: str
    replayed: str
    source: str
    rule: str


@dataclass(frozen=True)
class Race:
    """Two tasks that nothing orders although one writes what the other touches."""

    first: str
    first_location: str
    second: str
    second_location: str
    window: str
    rule: str


@dataclass(frozen=True)
class CallReport:
    """One call, run both ways.

    Attributes:
      agrees: the results are the same, and neither run failed.
      events: what the graph launches of the replayed run came to.
      eager_problem, replay_problem: why a run could not be finished.
      difference, culprit, race: what is different, and why. There may be a culprit
        although the results agree: then the operand did not matter.
      num_tasks: tasks of the program.
      num_replays: launches that were replayed from an earlier recording.
    """

    agrees: bool
    events: tuple[Event, ...]
    eager_problem: Diagnostic | None
    replay_problem: Diagnostic | None
    difference: Difference | None
    culprit: Culprit | None
    race: Race | None
    num_tasks: int
    num_replays: int


@dataclass(frozen=True)
class Report:
    """What `compare` found.

    Attributes:
      calls: a report for each call.
      text: all of it as text.
    """

    calls: tuple[CallReport, ...]
    text: str

    @property
    def agrees(self) -> bool:
        """Whether every call agrees."""
        return all(call.agrees for call in self.calls)

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        color = "#1a7f37" if self.agrees else "#cf222e"
        title = "agrees" if self.agrees else "differs"
        return (
            f'<div style="border-left: 4px solid {color}; padding-left: 8px">'
            f"<b>{title}</b><pre>{html.escape(str(self))}</pre></div>"
        )


def _read_problem(data: dict[str, str] | None) -> Diagnostic | None:
    if data is None:
        return None
    place = re.fullmatch(r"(.*):(\d+):(\d+)", data["location"])
    where = (place[1], int(place[2]), int(place[3])) if place else (None, None, None)
    rule = data["rule"]
    notes = (Diagnostic(Severity.NOTE, None, f"rule: {rule}"),) if rule else ()
    return Diagnostic(Severity.ERROR, None, data["message"], *where, notes=notes)


def _read_call(data: dict[str, Any]) -> CallReport:
    difference = data["difference"]
    if difference:
        difference = Difference(**{**difference, "index": tuple(difference["index"])})
    return CallReport(
        data["agrees"],
        tuple(Event(**event) for event in data["events"]),
        _read_problem(data["eager_problem"]),
        _read_problem(data["replay_problem"]),
        difference,
        Culprit(**data["culprit"]) if data["culprit"] else None,
        Race(**data["race"]) if data["race"] else None,
        data["num_tasks"],
        data["num_replays"],
    )


# --------------------------------------------------------------------------- #
# Functions
# --------------------------------------------------------------------------- #


@dataclass(frozen=True)
class _Param:
    """A parameter: its name, element or scalar type, and shape (None for a scalar)."""

    name: str
    type: str
    shape: tuple[int | None, ...] | None
    is_written: bool

    def describe(self) -> str:
        """The parameter as the dialect writes it."""
        if self.shape is None:
            return f"%{self.name}: {self.type}"
        extents = ["?" if extent is None else str(extent) for extent in self.shape]
        return f"%{self.name}: {'x'.join([*extents, self.type])}"


class LoadedFunction:
    """A function of a module, to be called with NumPy arrays; see `load`.

    Attributes:
      name: the function.
      mode: "eager" or "replay".
      events: what the graph launches of the last call came to; empty when eager.
      num_tasks: the number of tasks of the last call.
    """

    def __init__(
        self,
        module: ir.Module,
        entry: str,
        kernels: Mapping[str, Kernel],
        mode: str,
        options: dict[str, Any],
    ):
        self.name = entry
        self.mode = mode
        self.events: tuple[Event, ...] = ()
        self.num_tasks = 0
        self._options = options
        self._program = _ext.Program(module.operation)
        # What kernels raised. They know it, and must not know what knows them.
        self._failures: list[BaseException] = []
        functions = _find_functions(module)
        self._params, self._results = self._read_signature(functions)
        for name, kernel in kernels.items():
            self._bind(functions, name, kernel)

    def __repr__(self) -> str:
        params = ", ".join(param.describe() for param in self._params)
        return f"<{self.mode} @{self.name}({params})>"

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function.

        Args:
          arguments: an array for each tensor parameter, of its element type and shape
            (`out` and `inout` ones are written in place); a number for each scalar.
            Two arrays may be windows of one array; then they name one buffer.

        Returns:
          The results: a number for a scalar, the array that was passed for a tied
          tensor, None for a buffer that the function allocates. None, the only
          result, or a tuple.

        Raises:
          TypeError, ValueError, OverflowError: arguments that do not fit.
          ModelError: the run could not be finished. When a kernel raised, that is
            its cause.
        """
        given = self._convert(arguments)
        result, failure = self._run(
            lambda: self._program.run(
                self.name, given, replay=self.mode == "replay", **self._options
            )
        )
        self.events = tuple(Event(**event) for event in result["events"])
        self.num_tasks = result["num_tasks"]
        problem = _read_problem(result["problem"])
        if problem is not None:
            raise ModelError(f"@{self.name} could not be run", [problem]) from failure
        return self._collect_results(result["results"], arguments)

    def compare(self, calls: Sequence[Sequence[Any]], **options: Any) -> Report:
        """Compares calls run both ways, on copies of the arrays; see `compare`.

        Args:
          calls: the arguments of each call.
          options: `order`, `seed`, `keep_recordings`, `order_readers` and `max_steps`
            in place of those of `load`.
        """
        converted = [self._convert(arguments) for arguments in calls]
        chosen = _check_options(**{**self._options, **options})
        result, failure = self._run(
            lambda: self._program.compare(self.name, converted, **chosen)
        )
        if failure is not None:
            raise ModelError(f"@{self.name} could not be run") from failure
        return Report(tuple(map(_read_call, result["calls"])), result["text"])

    def dump_definitions(self) -> list[dict[str, Any]]:
        """The recordings of the last call or comparison.

        A dictionary for the boundary of each one, followed by one for each node.
        """
        lines = self._program.dump_definitions().splitlines()
        return [json.loads(line) for line in lines]

    # ----------------------------------------------------------------------- #

    def _run(
        self, run: Callable[[], str]
    ) -> tuple[dict[str, Any], BaseException | None]:
        """The result, and what the first kernel that failed raised."""
        result = json.loads(run())
        # Tracebacks refer to all that called the kernel.
        failures, self._failures[:] = list(self._failures), []
        for failure in failures:
            if not isinstance(failure, Exception):
                # An interrupt is no failure of the kernel.
                raise failure
        return result, failures[0] if failures else None

    def _read_signature(
        self, functions: dict[str, ir.Operation]
    ) -> tuple[list[_Param], list[tuple[str, int | None]]]:
        function = functions.get(self.name)
        if function is None:
            known = ", ".join(f"@{name}" for name in functions) or "no functions"
            raise ValueError(f"no function @{self.name}; there are {known}")
        params = self._program.params(self.name)
        if params is None:
            raise ValueError(
                f"@{self.name} cannot be called: it has no body, or a parameter that no "
                "caller can pass"
            )
        types = _parameter_types(function)
        return [
            _Param(
                name, element or types[i], tuple(shape) if element else None, written
            )
            for i, (name, element, shape, written) in enumerate(params)
        ], _read_results(function)

    def _convert(self, arguments: Sequence[Any]) -> list[Any]:
        if len(arguments) != len(self._params):
            raise TypeError(
                f"@{self.name} takes {len(self._params)} arguments "
                f"({', '.join(p.describe() for p in self._params)}), "
                f"got {len(arguments)}"
            )
        owners: list[tuple[int, int]] = []
        converted: list[Any] = []
        for param, argument in zip(self._params, arguments, strict=True):
            if param.shape is None:
                converted.append(_convert_scalar(param, argument))
            else:
                converted.append(_convert_array(param, argument, owners))
        return converted

    def _collect_results(self, bits: list[str], arguments: Sequence[Any]) -> Any:
        results: list[Any] = []
        for text, (type_, tie) in zip(bits, self._results, strict=True):
            is_scalar = is_float(type_) or integer_width(type_) is not None
            if is_scalar:
                results.append(from_bits(int(text), type_))
            else:
                results.append(None if tie is None else arguments[tie])
        if len(results) <= 1:
            return results[0] if results else None
        return tuple(results)

    def _bind(
        self, functions: dict[str, ir.Operation], name: str, kernel: Kernel
    ) -> None:
        if name not in functions:
            raise ValueError(f"no kernel @{name} in the module")
        if not callable(kernel):
            raise TypeError(f"kernels: expected a function for @{name}, got {kernel!r}")
        types = _parameter_types(functions[name])
        takes_blocks = _takes_block_count(kernel)
        failures = self._failures

        def call(tensors: list, scalars: list[int], block_count: int) -> str | None:
            arrays = [_make_array(*tensor) for tensor in tensors]
            values = iter(scalars)
            # Behind the arrays of parameters, those of results.
            rest = iter(arrays)
            arguments = [
                next(rest) if _is_tensor(type_) else from_bits(next(values), type_)
                for type_ in types
            ]
            keywords = {"block_count": block_count} if takes_blocks else {}
            try:
                kernel(*arguments, *rest, **keywords)
            except BaseException as error:
                failures.append(error)
                return f"{type(error).__name__}: {error}"
            return None

        self._program.bind_kernel(name, call)


def _find_functions(module: ir.Module) -> dict[str, ir.Operation]:
    return {
        op.operation.attributes["sym_name"].value: op.operation
        for op in module.operation.regions[0].blocks[0].operations
        if op.operation.name == "graph.func"
    }


def _parameter_types(function: ir.Operation) -> list[str]:
    return [str(t) for t in function.attributes["function_type"].value.inputs]


def _is_tensor(type_: str) -> bool:
    return type_.startswith("!graph.tensor")


def _read_results(function: ir.Operation) -> list[tuple[str, int | None]]:
    """The type of each result and the parameter it is tied to."""
    attributes = function.attributes
    types = [str(t) for t in attributes["function_type"].value.results]
    names: list[str] = []
    if "arg_attrs" in attributes:
        names = [a["graph.name"].value for a in attributes["arg_attrs"]]
    ties: list[int | None] = [None] * len(types)
    if "res_attrs" in attributes:
        for i, attribute in enumerate(attributes["res_attrs"]):
            if "graph.tied" in attribute:
                ties[i] = names.index(attribute["graph.tied"].value)
    return list(zip(types, ties, strict=True))


def _takes_block_count(kernel: Kernel) -> bool:
    try:
        return "block_count" in inspect.signature(kernel).parameters
    except (TypeError, ValueError):
        return False


# --------------------------------------------------------------------------- #
# Arrays
# --------------------------------------------------------------------------- #


def _convert_scalar(param: _Param, value: Any) -> int:
    try:
        return to_bits(value, param.type)
    except (TypeError, OverflowError) as error:
        raise type(error)(f"{param.describe()}: {error}") from None


def _convert_array(
    param: _Param, array: Any, owners: list[tuple[int, int]]
) -> tuple[int, int, int, list[int], list[int]]:
    """Address and size of the buffer, start offset, shape and strides in elements."""
    where = param.describe()
    dtype = numpy_type(param.type)
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"{where}: expected an array of {dtype}, got {array!r}")
    if array.dtype != dtype:
        raise TypeError(
            f"{where}: expected an array of {dtype}, got one of {array.dtype}"
        )
    expected = param.shape
    if len(expected) != array.ndim or any(
        e is not None and e != a for e, a in zip(expected, array.shape, strict=False)
    ):
        raise ValueError(f"{where}: got an array of shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{where}: got an array without elements")
    if param.is_written and not array.flags.writeable:
        raise ValueError(f"{where}: is written, but the array is read-only")
    size = dtype.itemsize
    strides = [_element_stride(where, array, axis) for axis in range(array.ndim)]
    address, length = _find_buffer(array)
    start = array.__array_interface__["data"][0] - address
    if start % size:
        raise ValueError(f"{where}: does not start at an element of its buffer")
    for other, other_length in owners:
        if (
            other != address
            and address < other + other_length
            and other < address + length
        ):
            raise ValueError(f"{where}: shares memory with another argument")
    owners.append((address, length))
    return address, length, start // size, list(array.shape), strides


def _element_stride(where: str, array: numpy.ndarray, axis: int) -> int:
    stride, size = array.strides[axis], array.dtype.itemsize
    if array.shape[axis] > 1 and (stride <= 0 or stride % size):
        raise ValueError(f"{where}: strides of {array.strides} bytes cannot be passed")
    # Of a single element it does not matter: what a contiguous array would have.
    inner = numpy.prod(array.shape[axis + 1 :], dtype=numpy.int64)
    return stride // size if array.shape[axis] > 1 else int(inner)


def _find_buffer(array: numpy.ndarray) -> tuple[int, int]:
    """Address and bytes of the array that owns the memory."""
    while isinstance(array.base, numpy.ndarray):
        array = array.base
    # Where it is depends on the version of NumPy.
    byte_bounds = getattr(numpy.lib, "array_utils", numpy).byte_bounds
    low, high = byte_bounds(array)
    return low, high - low


def _make_array(
    address: int, shape: list[int], strides: list[int], element: str, is_written: bool
) -> numpy.ndarray:
    """An array on memory of the model, valid as long as the kernel runs."""
    dtype = numpy_type(element)
    span = 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    memory = (ctypes.c_char * (span * dtype.itemsize)).from_address(address)
    array = numpy.ndarray(
        shape, dtype, memory, strides=[stride * dtype.itemsize for stride in strides]
    )
    array.flags.writeable = is_written
    return array


# --------------------------------------------------------------------------- #
# Entry points
# --------------------------------------------------------------------------- #


def _check_options(
    order: str, seed: int, max_steps: int, keep_recordings: bool, order_readers: bool
) -> dict[str, Any]:
    if order not in _ORDERS:
        raise ValueError(f"no order {order!r}; there are {', '.join(_ORDERS)}")
    for name, value in (("seed", seed), ("max_steps", max_steps)):
        if not isinstance(value, int) or not 0 <= value < 1 << 64:
            raise ValueError(f"{name}: expected an unsigned number, got {value!r}")
    return {
        "order": order,
        "seed": seed,
        "max_steps": max_steps,
        "keep_recordings": bool(keep_recordings),
        "order_readers": bool(order_readers),
    }


def load(
    module: ir.Module | str | bytes | os.PathLike[str],
    kernels: Mapping[str, Kernel] | None = None,
    mode: str = "eager",
    *,
    entry: str = "main",
    order: str = "program",
    seed: int = 1,
    keep_recordings: bool = False,
    order_readers: bool = False,
    max_steps: int = _MAX_STEPS,
) -> LoadedFunction:
    """Loads a function of a module, to be called with NumPy arrays.

    Args:
      module: the module, of which a copy is taken; or its text, bytecode or path, as
        for `pypto_graph.legalize`.
      kernels: functions by the name of the kernel they run in place of. One gets an
        argument for each parameter, then an array for each result that is tied to
        none: NumPy arrays on the buffers themselves, of the shape and strides of
        the window (read-only for `in`, and only valid while it runs), and numbers;
        also the keyword `block_count` when it has such a parameter. What it returns
        is ignored.
      mode: "eager", or "replay" for record and replay.
      entry: the function, of a kind that runs on the host.
      order: the order of tasks that do not depend on each other: as launched
        ("program"), the latest that is ready ("reverse"), or any ("random").
      seed: for the order "random".
      keep_recordings: keep the recordings for the next call; the runtime has one cache
        a run.
      order_readers: order a task after earlier readers of what it writes, which the
        runtime leaves to the program.
      max_steps: give up after so many iterations and calls on the host.

    Returns:
      A function; see `LoadedFunction.__call__`.

    Raises:
      LegalizationError: text that is no valid module.
      TypeError, ValueError: an argument of another kind; no such function, kernel,
        mode or order.
    """
    if mode not in _MODES:
        raise ValueError(f"no mode {mode!r}; there are {', '.join(_MODES)}")
    if not isinstance(entry, str):
        raise TypeError(f"entry: expected a name, got {entry!r}")
    if not isinstance(kernels or {}, Mapping):
        raise TypeError(f"kernels: expected a dictionary, got {kernels!r}")
    options = _check_options(order, seed, max_steps, keep_recordings, order_readers)
    module = to_verified_module(module)
    return LoadedFunction(
        module, entry.removeprefix("@"), dict(kernels or {}), mode, options
    )


def compare(
    module: ir.Module | str | bytes | os.PathLike[str],
    entry: str,
    args: Sequence[Any] | Callable[[int], Sequence[Any]],
    calls: int = 2,
    *,
    kernels: Mapping[str, Kernel] | None = None,
    order: str = "program",
    seed: int = 1,
    keep_recordings: bool = False,
    order_readers: bool = False,
    max_steps: int = _MAX_STEPS,
) -> Report:
    """Compares calls of an entry run eagerly with the same ones recorded and replayed.

    Both work on copies of the arrays, which stay as they are. A call finds in an array
    what the eager run of the calls before left there. The eager run goes in the order
    of the program, whatever `order` says.

    Args:
      args: the arguments of every call, as for `LoadedFunction.__call__`; or a function
        from the number of the call to its arguments.
      calls: how many calls.
      module, entry, kernels, order, seed, keep_recordings, order_readers, max_steps:
        see `load`.

    Returns:
      A report: print it to see which value was frozen, where and why.

    Raises:
      LegalizationError, TypeError, ValueError, OverflowError: as `load`, and arguments
        that do not fit.
      ModelError: a kernel raised; that is its cause. A program that cannot be run is
        no error of `compare` but a problem of the call in the report.
    """
    if not isinstance(calls, int) or calls < 1:
        raise ValueError(f"calls: expected a positive number, got {calls!r}")
    function = load(
        module,
        kernels,
        "replay",
        entry=entry,
        order=order,
        seed=seed,
        keep_recordings=keep_recordings,
        order_readers=order_readers,
        max_steps=max_steps,
    )
    if callable(args):
        arguments = [list(args(call)) for call in range(calls)]
    else:
        arguments = [list(args)] * calls
    return function.compare(arguments)
