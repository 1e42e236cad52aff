# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where an operation is built, and the checks of what it is built from.

MLIR trusts its callers: an operand of another context or of a function that is
destroyed later, an operation of a dialect that is not loaded, all end the process.
Every builder of the dialect goes through a `Site`, which raises instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

from mlir import ir
from mlir._mlir_libs._mlir import globals as _globals

from .._libs import _pyptoGraph as _ext
from ._graph_types import (
    DYNAMIC,
    ArrayType,
    TaskIdType,
    TensorType,
    to_int,
    to_type,
)

ValueLike = ir.Value | ir.OpView | ir.Operation
"""A value, or an operation with one result."""

MixedIndex = int | ValueLike
"""A literal or an `index` value."""

ScalarLike = int | float | ValueLike
"""A scalar value, or a Python number that becomes an `arith.constant`."""

_globals.register_traceback_file_exclusion(__file__)


def is_scalar_type(type_: ir.Type) -> bool:
    """Whether values of the type are passed as scalars."""
    return isinstance(type_, (ir.IndexType, ir.IntegerType, ir.FloatType))


def describe(value: Any) -> str:
    """A short text for an error message."""
    if isinstance(value, ir.Value):
        return f"a value of type {value.type}"
    return repr(value)


def _surrounding_loc(context: ir.Context) -> ir.Location:
    """The current location when it is of this context, else the unknown one."""
    current = ir.Location.current
    if current is not None and current.context is context:
        return current
    return ir.Location.unknown(context)


@dataclass(frozen=True)
class Site:
    """An insertion point with its context and the location of what is built."""

    ip: ir.InsertionPoint
    context: ir.Context
    loc: ir.Location | None

    @staticmethod
    def get(loc: ir.Location | None, ip: ir.InsertionPoint | None) -> Site:
        """The place given, with what is missing taken from the surroundings."""
        if ip is None:
            try:
                ip = ir.InsertionPoint.current
            except ValueError:
                raise ValueError(
                    "no insertion point: pass `ip=` or work inside "
                    "`with mlir.ir.InsertionPoint(block):`"
                ) from None
        if not isinstance(ip, ir.InsertionPoint):
            raise TypeError(f"ip: expected an mlir.ir.InsertionPoint, got {ip!r}")
        try:
            context = ip.block.owner.context
        except RuntimeError as error:
            raise ValueError(f"ip: {error}") from None
        _ext.load_dialect(context)
        if loc is None:
            # MLIR makes a location of the Python stack when it is asked to.
            if not _globals.loc_tracebacks_enabled() or (
                ir.Context.current is not context
            ):
                loc = _surrounding_loc(context)
        elif not isinstance(loc, ir.Location):
            raise TypeError(f"loc: expected an mlir.ir.Location, got {loc!r}")
        elif loc.context is not context:
            raise ValueError("loc: the location is from another context")
        return Site(ip, context, loc)

    # -- Operands -----------------------------------------------------------

    def value(self, value: Any, what: str) -> ir.Value:
        """An operand: a value that is visible here."""
        if isinstance(value, (ir.OpView, ir.Operation)):
            results = value.results
            if len(results) != 1:
                raise ValueError(
                    f"{what}: expected a value, got an operation with "
                    f"{len(results)} results"
                )
            value = results[0]
        if not isinstance(value, ir.Value):
            raise TypeError(f"{what}: expected an mlir.ir.Value, got {describe(value)}")
        if value.context is not self.context:
            raise ValueError(f"{what}: the value is from another context")
        if not _ext.is_visible_in(value, self.ip.block):
            raise ValueError(
                f"{what}: the value is not visible at the insertion point: it is "
                "defined in another function or region"
            )
        return value

    def values(self, values: Any, what: str) -> list[ir.Value]:
        """A list of operands."""
        return [
            self.value(value, f"{what} #{i}")
            for i, value in enumerate(to_list(values, what))
        ]

    def tensor(self, value: Any, what: str) -> tuple[ir.Value, TensorType]:
        """An operand that is a graph tensor, with its type."""
        value = self.value(value, what)
        if not isinstance(value.type, TensorType):
            raise TypeError(f"{what}: expected a graph tensor, got {describe(value)}")
        return value, value.type

    def index(self, value: Any, what: str) -> ir.Value:
        """An `index` operand; a Python integer becomes a constant."""
        if not isinstance(value, (ir.Value, ir.OpView, ir.Operation)):
            value = self.constant(value, ir.IndexType.get(self.context), what)
        value = self.value(value, what)
        if not isinstance(value.type, ir.IndexType):
            raise TypeError(f"{what}: expected an index, got {describe(value)}")
        return value

    def scalar(self, value: Any, type_: ir.Type, what: str) -> ir.Value:
        """An operand of a scalar type; a Python number becomes a constant."""
        if isinstance(value, Number) and not isinstance(value, complex):
            return self.constant(value, type_, what)
        value = self.value(value, what)
        if value.type != type_:
            raise TypeError(f"{what}: expected {type_}, got {describe(value)}")
        return value

    def constant(self, value: Any, type_: ir.Type, what: str) -> ir.Value:
        """An `arith.constant` of a Python number."""
        if isinstance(type_, ir.FloatType):
            if isinstance(value, bool) or not isinstance(value, Number):
                raise TypeError(f"{what}: expected {type_}, got {describe(value)}")
            attr = ir.FloatAttr.get(
                type_, float(value), loc=ir.Location.unknown(self.context)
            )
        elif isinstance(type_, (ir.IndexType, ir.IntegerType)):
            is_bool = isinstance(type_, ir.IntegerType) and type_.width == 1
            number = int(value) if is_bool and isinstance(value, bool) else value
            number = to_int(number, what)
            if isinstance(type_, ir.IntegerType):
                check_fits(number, type_, what)
            attr = ir.IntegerAttr.get(type_, number)
        else:
            raise TypeError(f"{what}: expected {type_}, got {describe(value)}")
        return ir.Operation.create(
            "arith.constant",
            results=[type_],
            attributes={"value": attr},
            loc=self.loc,
            ip=self.ip,
        ).result

    def index_list(
        self, values: Any, what: str, *, count: int | None = None, minimum: int = 0
    ) -> tuple[list[ir.Value], list[int]]:
        """Literals and `index` values, as operands and static part.

        Args:
          count: how many there must be, when that is fixed.
          minimum: the smallest literal allowed.
        """
        values = to_list(values, what)
        if count is not None and len(values) != count:
            raise ValueError(f"{what}: expected {count}, got {len(values)}")
        dynamic, static = [], []
        for i, value in enumerate(values):
            if isinstance(value, (ir.Value, ir.OpView, ir.Operation)):
                dynamic.append(self.index(value, f"{what} #{i}"))
                static.append(DYNAMIC)
                continue
            literal = to_int(value, f"{what} #{i}")
            if literal < minimum:
                raise ValueError(
                    f"{what} #{i}: must be at least {minimum}, got {literal}"
                )
            static.append(literal)
        return dynamic, static

    def dependencies(self, deps: Any) -> list[ir.Value]:
        """Task ids, and arrays of them."""
        if isinstance(deps, (ir.Value, ir.OpView, ir.Operation)):
            deps = [deps]
        values = self.values(deps, "deps")
        for i, value in enumerate(values):
            type_ = value.type
            if isinstance(type_, ArrayType):
                type_ = type_.element_type
            if not isinstance(type_, TaskIdType):
                raise TypeError(
                    f"deps #{i}: expected a task id or an array of task ids, got "
                    f"{describe(value)}"
                )
        return values

    # -- Types and attributes -----------------------------------------------

    def type(self, value: Any, what: str) -> ir.Type:
        """A type of this context, given as one or as text."""
        return to_type(value, self.context, what)

    def tensor_type(self, value: Any, what: str) -> TensorType:
        """A graph tensor type of this context."""
        type_ = self.type(value, what)
        if not isinstance(type_, TensorType):
            raise TypeError(f"{what}: expected a graph tensor type, got {type_}")
        return type_

    def i64s(self, values: Sequence[int]) -> ir.DenseI64ArrayAttr:
        """An `array<i64: …>` attribute."""
        return ir.DenseI64ArrayAttr.get(values, context=self.context)

    def string(self, value: Any, what: str) -> ir.StringAttr:
        """A string attribute."""
        if not isinstance(value, str):
            raise TypeError(f"{what}: expected a string, got {value!r}")
        return ir.StringAttr.get(value, context=self.context)

    def unit(self, value: bool) -> ir.UnitAttr | None:
        """A unit attribute when `value`."""
        return ir.UnitAttr.get(context=self.context) if value else None


def to_list(values: Any, what: str) -> list[Any]:
    """A sequence as a list; strings and single values are no sequences."""
    if isinstance(values, (str, bytes, ir.Value, ir.OpView, ir.Operation)) or (
        not isinstance(values, Iterable)
    ):
        raise TypeError(f"{what}: expected a sequence, got {describe(values)}")
    return list(values)


def check_fits(number: int, type_: ir.IntegerType, what: str) -> None:
    """ValueError unless the integer type, read either way, holds the number."""
    if not -(2 ** (type_.width - 1)) <= number < 2**type_.width:
        raise ValueError(f"{what}: {number} does not fit into {type_}")


def verify_new(op: ir.OpView) -> None:
    """Verifies an operation just built; one that is wrong is erased first."""
    try:
        op.operation.verify()
    except ir.MLIRError:
        op.operation.erase()
        raise
