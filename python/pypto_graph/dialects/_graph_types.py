# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Enumerations, types and attributes of the `graph` dialect."""

from __future__ import annotations

import enum
import operator
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from mlir import ir

from .._libs import _pyptoGraph as _ext

__all__ = [
    "DYNAMIC",
    "ArgDirection",
    "ArgDirectionAttr",
    "ArrayType",
    "Comparison",
    "ComparisonAttr",
    "FunctionKind",
    "FunctionKindAttr",
    "ParamDirection",
    "ParamDirectionAttr",
    "Runtime",
    "RuntimeAttr",
    "ScopeKind",
    "ScopeKindAttr",
    "TaskIdType",
    "TensorType",
]

DYNAMIC: int = ir.ShapedType.get_dynamic_size()
"""An extent that is known at run time only; `None` means the same."""


# ---------------------------------------------------------------------------
# Enumerations
# ---------------------------------------------------------------------------


class _Keyword(str, enum.Enum):
    """An enumeration whose values are the keywords of the text form.

    `FunctionKind("graph")`, `FunctionKind.GRAPH` and, wherever a builder takes a
    member, the string `"graph"` mean the same.
    """

    def __str__(self) -> str:
        return self.value

    @classmethod
    def _missing_(cls, value: object) -> _Keyword | None:
        if isinstance(value, str):
            return cls.__members__.get(value.upper())
        return None


class Runtime(_Keyword):
    """The runtime a module is compiled for."""

    TENSORMAP_AND_RINGBUFFER = "tensormap_and_ringbuffer"
    HOST_BUILD_GRAPH = "host_build_graph"


class FunctionKind(_Keyword):
    """What a function is.

    `OPAQUE`, `ORCHESTRATION` and `GRAPH` run on the host; `INCORE`, `AIC`, `AIV`,
    `GROUP` and `SPMD` are launched as device tasks; `INLINE` is inlined.
    """

    OPAQUE = "opaque"
    ORCHESTRATION = "orchestration"
    GRAPH = "graph"
    INCORE = "incore"
    AIC = "aic"
    AIV = "aiv"
    GROUP = "group"
    SPMD = "spmd"
    INLINE = "inline"


class ParamDirection(_Keyword):
    """What a function does with a parameter."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"


class ArgDirection(_Keyword):
    """What a launch does with an operand."""

    INPUT = "input"
    OUTPUT = "output"
    INOUT = "inout"
    OUTPUT_EXISTING = "output_existing"
    NO_DEP = "no_dep"
    SCALAR = "scalar"


class ScopeKind(_Keyword):
    """What a scope is."""

    GRAPH = "graph"
    INCORE = "incore"
    CLUSTER = "cluster"
    SPMD = "spmd"
    MANUAL = "manual"
    AUTO = "auto"


class Comparison(_Keyword):
    """The comparison of a predicate; operators (`"<="`) are understood as well."""

    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"

    @classmethod
    def _missing_(cls, value: object) -> _Keyword | None:
        operators = {"==": "EQ", "!=": "NE", "<": "LT", "<=": "LE"}
        operators |= {">": "GT", ">=": "GE"}
        if isinstance(value, str):
            return super()._missing_(operators.get(value, value))
        return None


_KeywordT = TypeVar("_KeywordT", bound=_Keyword)


def to_keyword(kind: type[_KeywordT], value: Any) -> _KeywordT:
    """The member `value` names; TypeError or ValueError when there is none."""
    if not isinstance(value, str) or (
        isinstance(value, _Keyword) and not isinstance(value, kind)
    ):
        raise TypeError(f"expected a {kind.__name__}, got {value!r}")
    try:
        return kind(value)
    except ValueError:
        names = ", ".join(member.value for member in kind)
        raise ValueError(
            f"{value!r} is no {kind.__name__} (expected one of {names})"
        ) from None


# ---------------------------------------------------------------------------
# Contexts and types given by a user
# ---------------------------------------------------------------------------


def to_context(context: ir.Context | None) -> ir.Context:
    """The context given or else the current one; ValueError when there is none."""
    if context is None:
        context = ir.Context.current
        if context is None:
            raise ValueError(
                "no context: pass `context=` or work inside `with mlir.ir.Context():`"
            )
    if not isinstance(context, ir.Context):
        raise TypeError(f"expected an mlir.ir.Context, got {context!r}")
    return context


def to_type(value: Any, context: ir.Context | None, what: str) -> ir.Type:
    """A type, given as one or as its text; checks the context when there is one."""
    if isinstance(value, str):
        context = to_context(context)
        if not value:
            # MLIR's parser of types aborts on an empty text.
            raise ValueError(f"{what}: an empty text is no type")
        _ext.load_dialect(context)
        try:
            return ir.Type.parse(value, context)
        except ir.MLIRError as error:
            raise ValueError(f"{what}: {error}") from None
    if not isinstance(value, ir.Type):
        raise TypeError(f"{what}: expected an mlir.ir.Type, got {value!r}")
    if context is not None and value.context is not to_context(context):
        raise ValueError(f"{what}: the type {value} is from another context")
    return value


def to_int(value: Any, what: str) -> int:
    """A Python integer of at most 64 bits; booleans are none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what}: expected an integer, got {value!r}")
    value = operator.index(value)
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"{what}: {value} does not fit into 64 bits")
    return value


# ---------------------------------------------------------------------------
# Types
# ---------------------------------------------------------------------------


class _Type(ir.Type):
    """Base of the dialect's types; `Class(type)` casts and `ValueError` says no."""

    def __init__(self, cast_from_type: ir.Type):
        if not isinstance(cast_from_type, ir.Type):
            raise TypeError(f"expected an mlir.ir.Type, got {cast_from_type!r}")
        if not self.isinstance(cast_from_type):
            raise ValueError(f"{cast_from_type} is no {type(self).__name__}")
        super().__init__(cast_from_type)

    @staticmethod
    def isinstance(other_type: ir.Type) -> bool:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


class TensorType(_Type):
    """`!graph.tensor<…>`: a reference to a strided window of a device buffer."""

    @staticmethod
    def isinstance(other_type: ir.Type) -> bool:
        """Whether a type is a graph tensor."""
        return _ext.is_tensor_type(other_type)

    @classmethod
    def get(
        cls,
        shape: Sequence[int | None],
        element_type: ir.Type | str,
        *,
        context: ir.Context | None = None,
    ) -> TensorType:
        """The tensor type of a shape and an element type.

        Args:
          shape: up to five extents in elements, outermost first. `None` (or
            `DYNAMIC`) is an extent known at run time only.
          element_type: f16, bf16, f32, f64, i1, i8, i16, i32, i64 or ui8 to ui64, as
            a type or as text (`"f32"`).
          context: the context of the element type; needed for text outside of a
            `with Context()`.

        Raises:
          ValueError: an extent that is not positive, more than five, another
            element type, no context.
          TypeError: an argument of another kind.
        """
        if isinstance(shape, (str, bytes)) or not hasattr(shape, "__iter__"):
            raise TypeError(f"shape: expected a sequence of extents, got {shape!r}")
        extents = [
            None if extent is None or to_int(extent, "shape") == DYNAMIC else extent
            for extent in shape
        ]
        element_type = to_type(element_type, context, "element_type")
        return cls(_ext.tensor_type(extents, element_type))

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The extents in elements, outermost first; `None` where unknown."""
        return tuple(_ext.tensor_type_shape(self))

    @property
    def element_type(self) -> ir.Type:
        """The type of the elements in memory."""
        return _ext.tensor_type_element_type(self)

    @property
    def scalar_type(self) -> ir.Type:
        """The type of one element as a scalar value: `uiN` becomes `iN`."""
        return _ext.tensor_type_scalar_type(self)

    @property
    def rank(self) -> int:
        """The number of dimensions, 0 to 5."""
        return len(self.shape)

    @property
    def has_static_shape(self) -> bool:
        """Whether every extent is known."""
        return None not in self.shape


class TaskIdType(_Type):
    """`!graph.task_id`: the identity of a launched task."""

    @staticmethod
    def isinstance(other_type: ir.Type) -> bool:
        """Whether a type is the task id type."""
        return _ext.is_task_id_type(other_type)

    @classmethod
    def get(cls, *, context: ir.Context | None = None) -> TaskIdType:
        """The type; ValueError when there is no context."""
        return cls(_ext.task_id_type(to_context(context)))


class ArrayType(_Type):
    """`!graph.array<N x T>`: a fixed-size array of task ids or of scalars."""

    @staticmethod
    def isinstance(other_type: ir.Type) -> bool:
        """Whether a type is a graph array."""
        return _ext.is_array_type(other_type)

    @classmethod
    def get(
        cls,
        size: int,
        element_type: ir.Type | str,
        *,
        context: ir.Context | None = None,
    ) -> ArrayType:
        """The array type of a size and an element type.

        Args:
          size: the number of elements, 1 to 4294967295.
          element_type: `!graph.task_id`, index, an integer or a float type.

        Raises:
          ValueError: another size or element type, no context.
          TypeError: an argument of another kind.
        """
        element_type = to_type(element_type, context, "element_type")
        return cls(_ext.array_type(to_int(size, "size"), element_type))

    @property
    def size(self) -> int:
        """The number of elements."""
        return _ext.array_type_size(self)

    @property
    def element_type(self) -> ir.Type:
        """The type of the elements."""
        return _ext.array_type_element_type(self)


# ---------------------------------------------------------------------------
# Attributes
# ---------------------------------------------------------------------------


class _EnumAttr(ir.Attribute):
    """Base of the attributes that hold a member of an enumeration."""

    ENUM: ClassVar[type[_Keyword]]

    def __init__(self, cast_from_attr: ir.Attribute):
        if not isinstance(cast_from_attr, ir.Attribute):
            raise TypeError(f"expected an mlir.ir.Attribute, got {cast_from_attr!r}")
        if not self.isinstance(cast_from_attr):
            raise ValueError(f"{cast_from_attr} is no {type(self).__name__}")
        super().__init__(cast_from_attr)

    @classmethod
    def isinstance(cls, other_attribute: ir.Attribute) -> bool:
        """Whether an attribute is one of this class."""
        return _ext.is_enum_attr(cls.ENUM.__name__, other_attribute)

    @classmethod
    def _get(cls, value: Any, context: ir.Context | None) -> ir.Attribute:
        keyword = to_keyword(cls.ENUM, value).value
        return _ext.enum_attr(cls.ENUM.__name__, keyword, to_context(context))

    def _value(self) -> str:
        return _ext.enum_attr_value(self.ENUM.__name__, self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


class RuntimeAttr(_EnumAttr):
    """`#graph.runtime<…>`: the runtime a module is compiled for."""

    ENUM = Runtime

    @classmethod
    def get(
        cls, value: Runtime | str, *, context: ir.Context | None = None
    ) -> RuntimeAttr:
        """The attribute of a member or keyword; ValueError when there is none."""
        return cls(cls._get(value, context))

    @property
    def value(self) -> Runtime:
        """The member of the enumeration."""
        return Runtime(self._value())


class FunctionKindAttr(_EnumAttr):
    """`#graph.kind<…>`: the kind of a function."""

    ENUM = FunctionKind

    @classmethod
    def get(
        cls, value: FunctionKind | str, *, context: ir.Context | None = None
    ) -> FunctionKindAttr:
        """The attribute of a member or keyword; ValueError when there is none."""
        return cls(cls._get(value, context))

    @property
    def value(self) -> FunctionKind:
        """The member of the enumeration."""
        return FunctionKind(self._value())


class ParamDirectionAttr(_EnumAttr):
    """`#graph.dir<…>`: the direction of a parameter."""

    ENUM = ParamDirection

    @classmethod
    def get(
        cls, value: ParamDirection | str, *, context: ir.Context | None = None
    ) -> ParamDirectionAttr:
        """The attribute of a member or keyword; ValueError when there is none."""
        return cls(cls._get(value, context))

    @property
    def value(self) -> ParamDirection:
        """The member of the enumeration."""
        return ParamDirection(self._value())


class ArgDirectionAttr(_EnumAttr):
    """`#graph.arg_dir<…>`: the direction of a launch operand."""

    ENUM = ArgDirection

    @classmethod
    def get(
        cls, value: ArgDirection | str, *, context: ir.Context | None = None
    ) -> ArgDirectionAttr:
        """The attribute of a member or keyword; ValueError when there is none."""
        return cls(cls._get(value, context))

    @property
    def value(self) -> ArgDirection:
        """The member of the enumeration."""
        return ArgDirection(self._value())


class ScopeKindAttr(_EnumAttr):
    """`#graph.scope_kind<…>`: the kind of a scope."""

    ENUM = ScopeKind

    @classmethod
    def get(
        cls, value: ScopeKind | str, *, context: ir.Context | None = None
    ) -> ScopeKindAttr:
        """The attribute of a member or keyword; ValueError when there is none."""
        return cls(cls._get(value, context))

    @property
    def value(self) -> ScopeKind:
        """The member of the enumeration."""
        return ScopeKind(self._value())


class ComparisonAttr(_EnumAttr):
    """`#graph.cmp<…>`: the comparison of a predicate."""

    ENUM = Comparison

    @classmethod
    def get(
        cls, value: Comparison | str, *, context: ir.Context | None = None
    ) -> ComparisonAttr:
        """The attribute of a member or keyword; ValueError when there is none."""
        return cls(cls._get(value, context))

    @property
    def value(self) -> Comparison:
        """The member of the enumeration."""
        return Comparison(self._value())


# Values of these types and attributes come out of MLIR as these classes, and the
# generated constructors take members and keywords for the attributes.
for _type, _id in (
    (TensorType, _ext.tensor_type_id()),
    (TaskIdType, _ext.task_id_type_id()),
    (ArrayType, _ext.array_type_id()),
):
    ir.register_type_caster(_id, replace=True)(_type)

for _attr in (
    RuntimeAttr,
    FunctionKindAttr,
    ParamDirectionAttr,
    ArgDirectionAttr,
    ScopeKindAttr,
    ComparisonAttr,
):
    ir.register_type_caster(_ext.enum_attr_id(_attr.ENUM.__name__), replace=True)(_attr)
    ir.register_attribute_builder(f"Graph_{_attr.__name__}", replace=True)(
        lambda value, context, attr=_attr: attr.get(value, context=context)
    )
