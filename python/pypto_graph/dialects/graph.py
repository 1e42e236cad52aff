# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `graph` dialect: types, attributes and builders of every operation.

    from mlir.ir import Context, F32Type, InsertionPoint, Module, Location
    from pypto_graph.dialects import graph

    with Context(), Location.unknown():
        module = Module.create()
        graph.set_runtime(module, graph.Runtime.HOST_BUILD_GRAPH)
        band = graph.TensorType.get([128, 128], F32Type.get())
        with InsertionPoint(module.body):
            add = graph.declare(
                "incore", "add_band", [("band", "in", band), ("acc", "inout", band)], ["%acc"]
            )

            @graph.func("orchestration", params={"x": band, "acc": graph.InOut(band)})
            def main(x, acc):
                return add(x, acc)

An operation `graph.NAME` has a class `NameOp` and a function `NAME` with the same
arguments. The function returns the result, the class the operation. Common to all:

- Operands are `mlir.ir.Value` objects or operations with one result. Where an
  `index` or scalar is wanted, a Python number will do; offsets, sizes and indices
  that are Python integers become literals of the operation.
- `ip` is the insertion point, by default the current one. `loc` is the location, by
  default the current one or else the unknown one.
- Result types are inferred.
- A mistake is a `TypeError`, `ValueError`, or an `mlir.ir.MLIRError` from the
  verifier of the operation, and nothing has been built then. What only the whole
  module shows is found by `module.operation.verify()`.
"""

from __future__ import annotations

import inspect
import re
import threading
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Union

from mlir import ir
from mlir._mlir_libs._mlir import globals as _globals
from mlir._mlir_libs._mlir import register_operation as _register_operation

import pypto_graph  # noqa: F401  (registers the dialect)

from .._libs import _pyptoGraph as _ext
from . import _graph_ops_gen as _gen
from ._graph_ops_gen import _Dialect
from ._graph_site import (
    MixedIndex,
    ScalarLike,
    Site,
    ValueLike,
    describe,
    is_scalar_type,
    to_list,
    verify_new,
)
from ._graph_types import (
    DYNAMIC,
    ArgDirection,
    ArgDirectionAttr,
    ArrayType,
    Comparison,
    ComparisonAttr,
    FunctionKind,
    FunctionKindAttr,
    ParamDirection,
    ParamDirectionAttr,
    Runtime,
    RuntimeAttr,
    ScopeKind,
    ScopeKindAttr,
    TaskIdType,
    TensorType,
    to_int,
    to_keyword,
)

__all__ = [
    "DYNAMIC",
    "AliasOp",
    "ArgDirection",
    "ArgDirectionAttr",
    "ArrayCreateOp",
    "ArrayExtractOp",
    "ArrayInsertOp",
    "ArrayType",
    "CallOp",
    "CastOp",
    "Comparison",
    "ComparisonAttr",
    "CreateOp",
    "DimOp",
    "FullOp",
    "FuncOp",
    "FunctionKind",
    "FunctionKindAttr",
    "In",
    "InOut",
    "LoadOp",
    "Out",
    "Param",
    "ParamDirection",
    "ParamDirectionAttr",
    "Predicate",
    "ReadOp",
    "ReturnOp",
    "Runtime",
    "RuntimeAttr",
    "ScopeKind",
    "ScopeKindAttr",
    "ScopeOp",
    "SliceOp",
    "StoreOp",
    "SubmitOp",
    "TaskDummyOp",
    "TaskIdType",
    "TensorType",
    "ViewOp",
    "YieldOp",
    "alias",
    "array_create",
    "array_extract",
    "array_insert",
    "call",
    "cast",
    "create",
    "declare",
    "dim",
    "full",
    "func",
    "get_runtime",
    "load",
    "mark_parallel",
    "read",
    "return_",
    "scope",
    "set_runtime",
    "slice",
    "store",
    "submit",
    "task_dummy",
    "view",
    "yield_",
]

_globals.register_traceback_file_exclusion(__file__)

Loc = ir.Location | None
Ip = ir.InsertionPoint | None
TypeLike = ir.Type | str
"""A type, or its text."""


# ---------------------------------------------------------------------------
# The module
# ---------------------------------------------------------------------------


def _module_op(module: Any) -> ir.Operation:
    op = module.operation if hasattr(module, "operation") else module
    if not isinstance(op, ir.Operation) or op.name != "builtin.module":
        raise TypeError(f"expected a module, got {module!r}")
    return op


def set_runtime(module: ir.Module, runtime: Runtime | str) -> None:
    """Sets the runtime a module is compiled for (`graph.runtime`)."""
    op = _module_op(module)
    op.attributes["graph.runtime"] = RuntimeAttr.get(runtime, context=op.context)


def get_runtime(module: ir.Module) -> Runtime:
    """The runtime a module is compiled for."""
    op = _module_op(module)
    if "graph.runtime" not in op.attributes:
        return Runtime.TENSORMAP_AND_RINGBUFFER
    return RuntimeAttr(op.attributes["graph.runtime"]).value


def mark_parallel(loop: ir.OpView | ir.Operation) -> None:
    """Says that the iterations of an `scf.for` are independent (`graph.parallel`)."""
    if not isinstance(loop, (ir.OpView, ir.Operation)) or (
        loop.operation.name != "scf.for"
    ):
        raise TypeError(f"loop: expected an scf.for, got {describe(loop)}")
    op = loop.operation
    op.attributes["graph.parallel"] = ir.UnitAttr.get(context=op.context)


# ---------------------------------------------------------------------------
# Parameters and results
# ---------------------------------------------------------------------------


class Param(NamedTuple):
    """A parameter of a function.

    `In(type)`, `Out(type)` and `InOut(type)` make one; the name may come from
    elsewhere (the key of a mapping, the parameter of a decorated Python function).
    """

    direction: ParamDirection
    type: ir.Type
    name: str | None = None


def In(type: TypeLike, name: str | None = None) -> Param:
    """A parameter the function reads; every scalar is one."""
    return Param(ParamDirection.IN, typing.cast(ir.Type, type), name)


def Out(type: TypeLike, name: str | None = None) -> Param:
    """A parameter the function writes before anything is read from it."""
    return Param(ParamDirection.OUT, typing.cast(ir.Type, type), name)


def InOut(type: TypeLike, name: str | None = None) -> Param:
    """A parameter the function reads and writes."""
    return Param(ParamDirection.INOUT, typing.cast(ir.Type, type), name)


ParamSpec = Union[
    Param,
    "tuple[str, TypeLike | Param]",
    "tuple[str, ParamDirection | str, TypeLike]",
    TypeLike,
]
Params = Union[
    Sequence[ParamSpec],
    "Mapping[str, Param | TypeLike | tuple[ParamDirection | str, TypeLike]]",
]
Results = Sequence[TypeLike]

_PARAM_NAME = re.compile(r"[A-Za-z$._-][A-Za-z0-9$._-]*", re.ASCII)


def _to_param(site: Site, spec: Any, name: Any, what: str) -> Param:
    """A checked parameter; `name` is its name unless the specification has one."""
    if isinstance(spec, Param):
        direction, type_, own_name = spec
        name = own_name if own_name is not None else name
    elif isinstance(spec, (ir.Type, str)):
        direction, type_ = ParamDirection.IN, spec
    elif isinstance(spec, tuple) and len(spec) == 2:
        direction, type_ = spec
    else:
        raise TypeError(f"{what}: expected a parameter or its type, got {spec!r}")
    if name is None:
        raise ValueError(f"{what}: the parameter has no name")
    if not isinstance(name, str):
        raise TypeError(f"{what}: expected a name, got {name!r}")
    name = name.removeprefix("%")
    if not _PARAM_NAME.fullmatch(name):
        raise ValueError(f"{what}: {name!r} is no parameter name")
    type_ = site.type(type_, what)
    return Param(to_keyword(ParamDirection, direction), type_, name)


def _to_params(site: Site, params: Any, names: Sequence[str] = ()) -> list[Param]:
    """Checked parameters; `names` are those of parameters without one."""
    if isinstance(params, Mapping):
        items = [(spec, name) for name, spec in params.items()]
    else:
        items = []
        for i, spec in enumerate(to_list(params, "params")):
            name = names[i] if i < len(names) else None
            if isinstance(spec, tuple) and not isinstance(spec, Param):
                if len(spec) not in (2, 3):
                    raise TypeError(
                        f"params #{i}: expected (name, type) or "
                        f"(name, direction, type), got {spec!r}"
                    )
                name = spec[0]
                spec = spec[1] if len(spec) == 2 else spec[1:]
            items.append((spec, name))
    checked = [
        _to_param(site, spec, name, f"params #{i}")
        for i, (spec, name) in enumerate(items)
    ]
    seen: set[str] = set()
    for param in checked:
        if param.name in seen:
            raise ValueError(f"params: duplicate parameter name {param.name!r}")
        seen.add(param.name)
    return checked


def _to_results(
    site: Site, results: Any, params: Sequence[Param]
) -> tuple[list[ir.Type], list[int | None]]:
    """Types of the results, and the parameters they are tied to."""
    positions = {param.name: i for i, param in enumerate(params)}
    types: list[ir.Type] = []
    ties: list[int | None] = []
    for i, result in enumerate(to_list(results, "results")):
        if isinstance(result, str) and result.startswith("%"):
            position = positions.get(result[1:])
            if position is None:
                raise ValueError(f"results #{i}: {result!r} is no parameter")
            types.append(params[position].type)
            ties.append(position)
            continue
        types.append(site.type(result, f"results #{i}"))
        ties.append(None)
    return types, ties


class _Signature(NamedTuple):
    """The decoded signature of a function."""

    params: tuple[Param, ...]
    results: tuple[ir.Type, ...]
    ties: tuple[int | None, ...]


def _decode_signature(
    name: str, function_type: Any, param_attrs: Any, result_attrs: Any
) -> _Signature:
    """The signature that the attributes of a function say."""
    type_ = ir.FunctionType(ir.TypeAttr(function_type).value)
    param_types, results = type_.inputs, type_.results
    attrs = list(param_attrs)
    if len(attrs) != len(param_types):
        raise ValueError(f"the parameters of '@{name}' have no names")
    params = []
    for param_type, attr in zip(param_types, attrs, strict=True):
        if "graph.name" not in attr or "graph.dir" not in attr:
            raise ValueError(f"a parameter of '@{name}' has no name or direction")
        direction = ParamDirectionAttr(attr["graph.dir"]).value
        params.append(
            Param(direction, param_type, ir.StringAttr(attr["graph.name"]).value)
        )
    positions = {param.name: i for i, param in enumerate(params)}
    attrs = list(result_attrs)
    ties: list[int | None] = []
    for i in range(len(results)):
        tied = i < len(attrs) and "graph.tied" in attrs[i]
        ties.append(
            positions.get(ir.StringAttr(attrs[i]["graph.tied"]).value) if tied else None
        )
    return _Signature(tuple(params), tuple(results), tuple(ties))


def _param_attrs(site: Site, params: Sequence[Param]) -> ir.ArrayAttr:
    return ir.ArrayAttr.get(
        [
            ir.DictAttr.get(
                {
                    "graph.dir": ParamDirectionAttr.get(
                        p.direction, context=site.context
                    ),
                    "graph.name": ir.StringAttr.get(p.name, context=site.context),
                },
                context=site.context,
            )
            for p in params
        ],
        context=site.context,
    )


def _result_attrs(
    context: ir.Context, params: Sequence[Param], ties: Sequence[int | None]
) -> ir.ArrayAttr:
    return ir.ArrayAttr.get(
        [
            ir.DictAttr.get(
                {}
                if tie is None
                else {
                    "graph.tied": ir.StringAttr.get(params[tie].name, context=context)
                },
                context=context,
            )
            for tie in ties
        ],
        context=context,
    )


# ---------------------------------------------------------------------------
# Functions
# ---------------------------------------------------------------------------


@_register_operation(_Dialect, replace=True)
class FuncOp(_gen.FuncOp):
    """A function of an orchestration program (`graph.func`).

    `func` and `declare` make one. Calling it, `f(x, acc, 3)`, builds a `graph.call`
    at the current insertion point and returns its results.
    """

    def __init__(
        self,
        kind: FunctionKind | str,
        name: str,
        params: Params = (),
        results: Results = (),
        *,
        declaration: bool = False,
        visibility: str | None = None,
        level: str | None = None,
        role: str | None = None,
        core_num: int | None = None,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a function: a declaration, or one with an empty entry block.

        Args:
          kind: what the function is.
          name: the symbol, unique in its module.
          params: the parameters: a mapping from name to `In(type)`, `Out(type)`,
            `InOut(type)` or a type (which means `In`), or a sequence of
            `(name, direction, type)` or `(name, type)`.
          results: a type for each result, or `"%name"` for a result tied to the
            parameter of that name: the very buffer or scalar passed for it.
          declaration: without a body, and private.
          visibility: "private" or "nested"; public when None.
          level, role: where the function runs, when it is not what the kind implies.
          core_num: blocks of an spmd or group function, at least 1.
        """
        site = Site.get(loc, ip)
        kind_attr = FunctionKindAttr.get(kind, context=site.context)
        if not isinstance(name, str):
            raise TypeError(f"name: expected a string, got {name!r}")
        if not name:
            raise ValueError("name: a function needs a name")
        if visibility not in (None, "public", "private", "nested"):
            raise ValueError(f"visibility: no such visibility: {visibility!r}")
        if declaration:
            visibility = "private"
        checked = _to_params(site, params)
        result_types, ties = _to_results(site, results, checked)
        param_types = [param.type for param in checked]
        if core_num is not None:
            i64 = ir.IntegerType.get_signless(64, site.context)
            core_num = ir.IntegerAttr.get(i64, to_int(core_num, "core_num"))
        super().__init__(
            site.string(name, "name"),
            ir.TypeAttr.get(
                ir.FunctionType.get(param_types, result_types, context=site.context),
                context=site.context,
            ),
            kind_attr,
            sym_visibility=site.string(visibility, "visibility")
            if visibility
            else None,
            level=None if level is None else site.string(level, "level"),
            role=None if role is None else site.string(role, "role"),
            core_num=core_num,
            arg_attrs=_param_attrs(site, checked) if checked else None,
            res_attrs=_result_attrs(site.context, checked, ties) if ties else None,
            loc=site.loc,
            ip=site.ip,
        )
        # Python may keep a function for longer than its module; the block keeps the
        # module.
        self._block = site.ip.block
        if declaration:
            verify_new(self)
        else:
            ir.Block.create_at_start(
                self.operation.regions[0],
                param_types,
                [self.operation.location] * len(param_types),
            )

    # -- The signature ------------------------------------------------------

    @property
    def name(self) -> str:
        """The symbol."""
        return ir.StringAttr(self.operation.attributes["sym_name"]).value

    @property
    def kind(self) -> FunctionKind:
        """What the function is."""
        return FunctionKindAttr(self.operation.attributes["kind"]).value

    @kind.setter
    def kind(self, value: FunctionKind | str) -> None:
        self.operation.attributes["kind"] = FunctionKindAttr.get(
            value, context=self.operation.context
        )

    @property
    def type(self) -> ir.FunctionType:
        """Types of the parameters (`inputs`) and results (`results`)."""
        return ir.FunctionType(
            ir.TypeAttr(self.operation.attributes["function_type"]).value
        )

    @property
    def params(self) -> list[Param]:
        """The parameters, with direction, type and name."""
        return list(self._get_signature().params)

    @property
    def ties(self) -> list[int | None]:
        """For each result the number of the parameter it is tied to, or None."""
        return list(self._get_signature().ties)

    @property
    def slots(self) -> list[int]:
        """The tensor parameters, counted among the tensors, in slot order.

        That is their own order unless `graph.slots` says another one.
        """
        attributes = self.operation.attributes
        if "graph.slots" in attributes:
            return list(ir.DenseI64ArrayAttr(attributes["graph.slots"]))
        tensors = [p for p in self.params if isinstance(p.type, TensorType)]
        return list(range(len(tensors)))

    def _get_signature(self) -> _Signature:
        """The signature, decoded when its attributes are not those of the last time."""
        attributes = self.operation.attributes
        key = (
            attributes["function_type"],
            # An attribute cannot be compared with None.
            attributes.get("arg_attrs", ()),
            attributes.get("res_attrs", ()),
        )
        if self._signature is None or self._signature[0] != key:
            self._signature = (key, _decode_signature(self.name, *key))
        return self._signature[1]

    _signature: tuple[Any, _Signature] | None = None

    # -- The body -----------------------------------------------------------

    @property
    def is_declaration(self) -> bool:
        """Whether there is no body."""
        return len(self.operation.regions[0].blocks) == 0

    @property
    def entry_block(self) -> ir.Block:
        """The body's block; ValueError for a declaration."""
        if self.is_declaration:
            raise ValueError(f"'@{self.name}' is a declaration")
        return self.operation.regions[0].blocks[0]

    @property
    def arguments(self) -> tuple[ir.BlockArgument, ...]:
        """The values of the parameters inside the body."""
        return tuple(self.entry_block.arguments)

    def __call__(
        self, *args: Any, loc: Loc = None, ip: Ip = None, **kwargs: Any
    ) -> Any:
        """Builds a `graph.call` of the function; the arguments are those of `call`."""
        return call(self, *args, loc=loc, ip=ip, **kwargs)


class _Building(threading.local):
    """What the functions under construction know about their values."""

    def __init__(self) -> None:
        # One map a function: a result of a call, and the argument it is tied to.
        self.sources: list[dict[ir.Value, ir.Value]] = []


_building = _Building()


def _record_ties(
    op: ir.OpView, args: Sequence[ir.Value], ties: Sequence[int | None]
) -> None:
    if _building.sources:
        for result, tie in zip(op.operation.results, ties, strict=False):
            if tie is not None and tie < len(args):
                _building.sources[-1][result] = args[tie]


def _get_source(value: ir.Value, sources: Mapping[ir.Value, ir.Value]) -> ir.Value:
    """The value that `value` is, through tied results, aliases, scopes and carries."""
    while True:
        if value in sources:
            value = sources[value]
            continue
        if not isinstance(value, ir.OpResult):
            return value
        op = value.owner.operation
        number = value.result_number
        if op.name == "graph.alias":
            value = op.operands[0]
            continue
        if op.name not in ("graph.scope", "scf.for"):
            return value
        block = op.regions[0].blocks[0]
        last = _terminator(block)
        if last is None or number >= len(last.operation.operands):
            return value
        inside = last.operation.operands[number]
        if op.name == "graph.scope":
            value = inside
            continue
        # A carry whose update is the carry itself is what it started as.
        if _get_source(inside, sources) != block.arguments[1 + number]:
            return value
        value = op.operands[3 + number]


def _terminator(block: ir.Block) -> ir.OpView | None:
    """The terminator of a block, or None while it has none."""
    try:
        last = ir.InsertionPoint.at_block_terminator(block).ref_operation
    except ValueError:
        return None
    return last.operation.opview


class _FuncBuilder:
    """What `func` returns: a decorator and a context manager."""

    def __init__(
        self,
        kind: FunctionKind | str,
        name: str | None,
        params: Params | None,
        results: Results | None,
        options: dict[str, Any],
    ):
        self._kind = kind
        self._name = name
        self._params = params
        self._results = results
        self._options = options
        self._op: FuncOp | None = None
        self._ip: ir.InsertionPoint | None = None

    # -- Decorator ----------------------------------------------------------

    def __call__(self, function: Callable[..., Any]) -> FuncOp:
        if not inspect.isfunction(function):
            raise TypeError(f"func decorates a Python function, got {function!r}")
        if self._name is None:
            self._name = function.__name__
        site = Site.get(self._options["loc"], self._options["ip"])
        names = [
            parameter.name
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind
            in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        if self._params is None:
            self._params = _annotated_params(function, names)
        self._params = _to_params(site, self._params, names)
        with self as op:
            returned = function(*op.arguments)
            if returned is not None and not isinstance(returned, ReturnOp):
                return_(*_flatten((returned,)))
        return op

    # -- Context manager ----------------------------------------------------

    def __enter__(self) -> FuncOp:
        if self._op is not None:
            raise ValueError("the function has been built already")
        if self._name is None:
            raise ValueError("name: a function needs a name")
        self._op = FuncOp(
            self._kind,
            self._name,
            () if self._params is None else self._params,
            () if self._results is None else self._results,
            **self._options,
        )
        _building.sources.append({})
        self._ip = ir.InsertionPoint(self._op.entry_block)
        self._ip.__enter__()
        return self._op

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self._ip.__exit__(exc_type, exc_value, traceback)
        sources = _building.sources.pop()
        if exc_type is not None:
            self._discard()
            return
        try:
            self._finish(sources)
        except BaseException:
            self._discard()
            raise

    def _discard(self) -> None:
        # Not erased: Python may still have values of it.
        _ext.abandon_operation(self._op.operation)

    def _finish(self, sources: Mapping[ir.Value, ir.Value]) -> None:
        op = self._op
        block = op.entry_block
        last = _terminator(block)
        if last is None:
            ties = op.ties
            if None in ties:
                raise ValueError(
                    f"function '@{op.name}' has results but does not return: a tied "
                    "result is returned by itself, another one with graph.return_"
                )
            with ir.InsertionPoint(block):
                last = return_(
                    *(op.arguments[tie] for tie in ties), loc=op.operation.location
                )
        if self._results is None:
            self._infer_results(list(last.operation.operands), sources)
        op.operation.verify()

    def _infer_results(
        self, returned: Sequence[ir.Value], sources: Mapping[ir.Value, ir.Value]
    ) -> None:
        """The result types are those returned; a parameter returned is a tie."""
        op = self._op
        positions = {argument: i for i, argument in enumerate(op.arguments)}
        types = [value.type for value in returned]
        ties = []
        for value in returned:
            tie = positions.get(_get_source(value, sources))
            ties.append(
                tie if tie is None or op.arguments[tie].type == value.type else None
            )
        context = op.operation.context
        op.operation.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get(op.type.inputs, types, context=context), context=context
        )
        if types:
            op.operation.attributes["res_attrs"] = _result_attrs(
                context, op.params, ties
            )


def _annotated_params(
    function: Callable[..., Any], names: Sequence[str]
) -> list[tuple[str, Any]]:
    """The parameters that the annotations of a Python function say."""
    annotations = dict(function.__annotations__)
    annotations.pop("return", None)
    scope = inspect.getclosurevars(function)
    params = []
    for name in names:
        if name not in annotations:
            raise TypeError(
                f"parameter {name!r} of {function.__name__} has no direction and type: "
                "annotate it with graph.In(type) or the like, or pass `params=`"
            )
        spec = annotations[name]
        if isinstance(spec, str) and not spec.startswith("!"):
            try:
                spec = eval(spec, {**function.__globals__, **scope.nonlocals})
            except NameError as error:
                raise TypeError(
                    f"the annotation of parameter {name!r} of {function.__name__} "
                    f"cannot be evaluated ({error}); pass `params=`"
                ) from None
        params.append((name, spec))
    return params


def func(
    kind: FunctionKind | str,
    name: str | None = None,
    params: Params | None = None,
    results: Results | None = None,
    *,
    visibility: str | None = None,
    level: str | None = None,
    role: str | None = None,
    core_num: int | None = None,
    loc: Loc = None,
    ip: Ip = None,
) -> _FuncBuilder:
    """A function with a body, built by a context manager or a decorator.

        with graph.func("graph", "layer", {"w": t, "acc": graph.InOut(t)}) as f:
            w, acc = f.arguments
            graph.return_(add(w, acc))

        @graph.func("graph")
        def layer(w: graph.In(t), acc: graph.InOut(t)):
            return add(w, acc)

    As a decorator it takes the name and the parameters' names from the Python
    function, and their directions and types from its annotations unless `params`
    says them. Both give the `FuncOp`.

    Args:
      results: a type for each result, or `"%name"` when it is tied to that parameter.
        When None, the results are what is returned; a parameter that is returned
        (or what tied results of calls, aliases, scopes and loop carries make of it)
        is a tied result.

    The others are those of `FuncOp`. A body without `return_` returns its tied
    results. When the body raises, or does not verify, the function is taken out of
    its module again.
    """
    options = {
        "visibility": visibility,
        "level": level,
        "role": role,
        "core_num": core_num,
        "loc": loc,
        "ip": ip,
    }
    return _FuncBuilder(kind, name, params, results, options)


def declare(
    kind: FunctionKind | str,
    name: str,
    params: Params = (),
    results: Results = (),
    *,
    level: str | None = None,
    role: str | None = None,
    core_num: int | None = None,
    loc: Loc = None,
    ip: Ip = None,
) -> FuncOp:
    """A function without a body, such as an external kernel; see `FuncOp`."""
    return FuncOp(
        kind,
        name,
        params,
        results,
        declaration=True,
        level=level,
        role=role,
        core_num=core_num,
        loc=loc,
        ip=ip,
    )


def _flatten(values: Sequence[Any]) -> list[Any]:
    """Operands given one by one, or as one sequence."""
    if len(values) == 1 and isinstance(values[0], (list, tuple, ir.OpResultList)):
        return list(values[0])
    return list(values)


@_register_operation(_Dialect, replace=True)
class ReturnOp(_gen.ReturnOp):
    """The end of a function body (`graph.return`)."""

    def __init__(self, *values: ValueLike, loc: Loc = None, ip: Ip = None):
        site = Site.get(loc, ip)
        if not isinstance(site.ip.block.owner, _gen.FuncOp):
            raise ValueError("graph.return belongs in the body of a graph.func")
        super().__init__(
            site.values(_flatten(values), "values"), loc=site.loc, ip=site.ip
        )


def return_(*values: ValueLike, loc: Loc = None, ip: Ip = None) -> ReturnOp:
    """Ends the body of a function; see `ReturnOp`."""
    return ReturnOp(*values, loc=loc, ip=ip)


# ---------------------------------------------------------------------------
# Launches and calls
# ---------------------------------------------------------------------------


class Predicate(NamedTuple):
    """A task runs only when `gate[indices] comparison rhs` holds.

    Builders take a plain tuple as well: `(gate, [i, 0], ">", 0)`.
    """

    gate: ValueLike
    """The tensor whose element decides."""
    indices: Sequence[MixedIndex]
    """The element, one index a dimension."""
    comparison: Comparison | str
    """How it is compared, a `Comparison`, `"gt"` or `">"`."""
    rhs: ScalarLike
    """With what; of the gate's scalar type."""


class _Clauses(NamedTuple):
    """Checked operands and attributes common to submits and scopes."""

    deps: list[ir.Value]
    core_num: ir.Value | None
    gate: ir.Value | None = None
    gate_indices: Sequence[ir.Value] = ()
    static_gate_indices: ir.Attribute | None = None
    gate_comparison: ir.Attribute | None = None
    gate_rhs: ir.Value | None = None


def _to_clauses(site: Site, deps: Any, core_num: Any, predicate: Any) -> _Clauses:
    deps = site.dependencies(deps)
    if core_num is not None:
        core_num = site.index(core_num, "core_num")
    if predicate is None:
        return _Clauses(deps, core_num)
    if not isinstance(predicate, tuple) or len(predicate) != 4:
        raise TypeError(
            f"predicate: expected (gate, indices, comparison, rhs), got {predicate!r}"
        )
    gate, indices, comparison, rhs = predicate
    gate, type_ = site.tensor(gate, "predicate gate")
    dynamic, static = site.index_list(indices, "predicate indices", count=type_.rank)
    comparison = ComparisonAttr.get(comparison, context=site.context)
    rhs = site.scalar(rhs, type_.scalar_type, "predicate right-hand side")
    return _Clauses(deps, core_num, gate, dynamic, site.i64s(static), comparison, rhs)


class _Callee(NamedTuple):
    """A callee, with its signature when that is known."""

    name: str
    func: FuncOp | None


def _to_callee(site: Site, callee: Any, needs_signature: bool) -> _Callee:
    if isinstance(callee, FuncOp):
        if callee.operation.context is not site.context:
            raise ValueError("callee: the function is from another context")
        return _Callee(callee.name, callee)
    if isinstance(callee, ir.FlatSymbolRefAttr):
        callee = callee.value
    if not isinstance(callee, str):
        raise TypeError(f"callee: expected a graph.FuncOp or a name, got {callee!r}")
    name = callee.removeprefix("@")
    if not name:
        raise ValueError("callee: expected a name, got an empty string")
    if not needs_signature:
        return _Callee(name, None)
    found = _ext.lookup_graph_func(site.ip.block.owner.operation, name)
    if found is None:
        raise ValueError(
            f"callee: no graph.func '@{name}' around the insertion point; to call one "
            "that is added later, pass `results=`"
        )
    return _Callee(name, found.opview)


def _to_args(
    site: Site, values: Sequence[Any], callee: _Callee, prefix: bool
) -> list[ir.Value]:
    """The arguments, checked against the signature when it is known."""
    if callee.func is None:
        return site.values(values, "args")
    params = callee.func._get_signature().params
    missing = params[len(values) :]
    if len(values) > len(params) or (missing and not prefix):
        raise ValueError(
            f"'@{callee.name}' has {len(params)} parameters, got {len(values)} arguments"
        )
    for param in missing:
        if param.direction is not ParamDirection.OUT:
            raise ValueError(
                f"'@{callee.name}' has {len(params)} parameters, got {len(values)} "
                f"arguments; the omitted '%{param.name}' is not an `out` parameter"
            )
    args = []
    for param, value in zip(params, values, strict=False):
        what = f"argument '%{param.name}' of '@{callee.name}'"
        if not isinstance(value, (ir.Value, ir.OpView, ir.Operation)) and (
            is_scalar_type(param.type)
        ):
            value = site.scalar(value, param.type, what)
        value = site.value(value, what)
        if not _ext.are_compatible(value.type, param.type):
            raise TypeError(f"{what}: expected {param.type}, got {describe(value)}")
        args.append(value)
    return args


def _to_directions(site: Site, directions: Any, count: int) -> ir.ArrayAttr | None:
    if directions is None:
        return None
    directions = to_list(directions, "directions")
    if len(directions) != count:
        raise ValueError(
            f"directions: expected {count}, one an argument, got {len(directions)}"
        )
    return ir.ArrayAttr.get(
        [ArgDirectionAttr.get(d, context=site.context) for d in directions],
        context=site.context,
    )


def _to_no_dep(site: Site, no_dep: Any) -> ir.Attribute | None:
    if no_dep is None:
        return None
    return site.i64s([to_int(i, "no_dep") for i in to_list(no_dep, "no_dep")])


def _to_launch_results(
    site: Site, results: Any, callee: _Callee, args: Sequence[ir.Value]
) -> list[ir.Type]:
    """The types given, else the callee's; a tied result has its argument's."""
    if results is not None:
        return [
            site.type(type_, f"results #{i}")
            for i, type_ in enumerate(to_list(results, "results"))
        ]
    signature = callee.func._get_signature()
    return [
        args[tie].type if tie is not None and tie < len(args) else type_
        for type_, tie in zip(signature.results, signature.ties, strict=True)
    ]


@_register_operation(_Dialect, replace=True)
class CallOp(_gen.CallOp):
    """A call of a function, or the launch of a device task (`graph.call`)."""

    def __init__(
        self,
        callee: FuncOp | str | ir.FlatSymbolRefAttr,
        *args: ScalarLike,
        directions: Sequence[ArgDirection | str] | None = None,
        no_dep: Sequence[int] | None = None,
        results: Sequence[TypeLike] | None = None,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a call with all arguments of the callee.

        Args:
          callee: the function, or its name.
          args: one argument a parameter, one by one or as one sequence. A Python
            number for a scalar parameter becomes a constant.
          directions: the direction of each argument, when they are resolved.
          no_dep: positions of tensor arguments opted out of dependency tracking.
          results: the result types; when None, those of the callee, where a result
            tied to a parameter has the type of the argument.

        Raises:
          ValueError: unknown callee, wrong number of arguments or directions.
          TypeError: an argument of another type than the parameter.
        """
        site = Site.get(loc, ip)
        target = _to_callee(site, callee, needs_signature=results is None)
        operands = _to_args(site, _flatten(args), target, prefix=False)
        super().__init__(
            _to_launch_results(site, results, target, operands),
            ir.FlatSymbolRefAttr.get(target.name, context=site.context),
            operands,
            arg_directions=_to_directions(site, directions, len(operands)),
            no_dep=_to_no_dep(site, no_dep),
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)
        if target.func is not None:
            _record_ties(self, operands, target.func._get_signature().ties)


def _results_of(op: ir.OpView) -> Any:
    """One result as it is, several as a tuple, none as the operation."""
    results = tuple(op.operation.results)
    if len(results) == 1:
        return results[0]
    return results or op


def call(
    callee: FuncOp | str | ir.FlatSymbolRefAttr,
    *args: ScalarLike,
    directions: Sequence[ArgDirection | str] | None = None,
    no_dep: Sequence[int] | None = None,
    results: Sequence[TypeLike] | None = None,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult | tuple[ir.OpResult, ...] | CallOp:
    """Calls a function or launches a device task; see `CallOp`.

    Returns one result as it is, several as a tuple, and the operation when there
    are none.
    """
    return _results_of(
        CallOp(
            callee,
            *args,
            directions=directions,
            no_dep=no_dep,
            results=results,
            loc=loc,
            ip=ip,
        )
    )


@_register_operation(_Dialect, replace=True)
class SubmitOp(_gen.SubmitOp):
    """The launch of a task with explicit dependencies (`graph.submit`)."""

    def __init__(
        self,
        callee: FuncOp | str | ir.FlatSymbolRefAttr,
        *args: ScalarLike,
        deps: Sequence[ValueLike] | ValueLike = (),
        core_num: MixedIndex | None = None,
        predicate: Predicate | tuple[Any, Any, Any, Any] | None = None,
        sync_start: bool = False,
        directions: Sequence[ArgDirection | str] | None = None,
        no_dep: Sequence[int] | None = None,
        results: Sequence[TypeLike] | None = None,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds the launch of a task.

        Args:
          args: the arguments, or a prefix of them when only trailing `out`
            parameters are left; the runtime allocates those.
          deps: task ids, and arrays of them, the task waits for.
          core_num: blocks to launch.
          predicate: when the task runs; always, when None.
          sync_start: all blocks start together.
          results: the result types without the task id.

        The others, and the errors, are those of `CallOp`.
        """
        site = Site.get(loc, ip)
        target = _to_callee(site, callee, needs_signature=results is None)
        operands = _to_args(site, _flatten(args), target, prefix=True)
        clauses = _to_clauses(site, deps, core_num, predicate)
        super().__init__(
            _to_launch_results(site, results, target, operands),
            TaskIdType.get(context=site.context),
            ir.FlatSymbolRefAttr.get(target.name, context=site.context),
            operands,
            clauses.deps,
            clauses.gate_indices,
            core_num=clauses.core_num,
            gate=clauses.gate,
            gate_rhs=clauses.gate_rhs,
            static_gate_indices=clauses.static_gate_indices,
            gate_comparison=clauses.gate_comparison,
            arg_directions=_to_directions(site, directions, len(operands)),
            no_dep=_to_no_dep(site, no_dep),
            sync_start=site.unit(sync_start),
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)
        if target.func is not None:
            _record_ties(self, operands, target.func._get_signature().ties)


def submit(
    callee: FuncOp | str | ir.FlatSymbolRefAttr,
    *args: ScalarLike,
    deps: Sequence[ValueLike] | ValueLike = (),
    core_num: MixedIndex | None = None,
    predicate: Predicate | tuple[Any, Any, Any, Any] | None = None,
    sync_start: bool = False,
    directions: Sequence[ArgDirection | str] | None = None,
    no_dep: Sequence[int] | None = None,
    results: Sequence[TypeLike] | None = None,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult | tuple[ir.OpResult, ...]:
    """Launches a task; see `SubmitOp`.

    Returns the callee's results and the task id, `*outs, task = graph.submit(…)`; the
    task id as it is when there are no others.
    """
    return _results_of(
        SubmitOp(
            callee,
            *args,
            deps=deps,
            core_num=core_num,
            predicate=predicate,
            sync_start=sync_start,
            directions=directions,
            no_dep=no_dep,
            results=results,
            loc=loc,
            ip=ip,
        )
    )


@_register_operation(_Dialect, replace=True)
class TaskDummyOp(_gen.TaskDummyOp):
    """A node of the task graph without a kernel (`graph.task_dummy`)."""

    def __init__(
        self,
        deps: Sequence[ValueLike] | ValueLike = (),
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a node that completes when its dependencies do."""
        site = Site.get(loc, ip)
        super().__init__(
            site.dependencies(deps),
            results=[TaskIdType.get(context=site.context)],
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)


def task_dummy(
    deps: Sequence[ValueLike] | ValueLike = (), *, loc: Loc = None, ip: Ip = None
) -> ir.OpResult:
    """A node without a kernel; returns its task id. See `TaskDummyOp`."""
    return TaskDummyOp(deps, loc=loc, ip=ip).result


# ---------------------------------------------------------------------------
# Buffers and windows
# ---------------------------------------------------------------------------

Shape = Sequence[MixedIndex]


def _to_shape(
    site: Site, shape: Any, element_type: Any, what: str
) -> tuple[TensorType, list[ir.Value]]:
    """A tensor type and its dynamic sizes from sizes and an element type."""
    dynamic, static = site.index_list(shape, what, minimum=1)
    type_ = TensorType.get(static, site.type(element_type, "element_type"))
    return type_, dynamic


@_register_operation(_Dialect, replace=True)
class CreateOp(_gen.CreateOp):
    """The allocation of a device buffer (`graph.create`)."""

    def __init__(
        self,
        shape: TensorType | str | Shape,
        element_type: TypeLike | None = None,
        *,
        sizes: Sequence[MixedIndex] | None = None,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds an allocation.

            graph.create([128, n], f32)
            graph.create(graph.TensorType.get([128, None], f32), sizes=[n])

        Args:
          shape: the sizes, Python integers and `index` values, with `element_type`; or
            the type of the buffer, with `sizes` for its unknown extents.
        """
        site = Site.get(loc, ip)
        if isinstance(shape, (ir.Type, str)):
            if element_type is not None:
                raise TypeError("element_type: the type of the buffer has one")
            type_ = site.tensor_type(shape, "type")
            dynamic = [
                site.index(size, f"sizes #{i}")
                for i, size in enumerate(to_list(sizes or (), "sizes"))
            ]
        else:
            if element_type is None:
                raise TypeError("element_type: needed with a shape")
            if sizes is not None:
                raise TypeError("sizes: the shape has them")
            type_, dynamic = _to_shape(site, shape, element_type, "shape")
        super().__init__(type_, dynamic, loc=site.loc, ip=site.ip)
        verify_new(self)


def create(
    shape: TensorType | str | Shape,
    element_type: TypeLike | None = None,
    *,
    sizes: Sequence[MixedIndex] | None = None,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Allocates a device buffer; see `CreateOp`."""
    return CreateOp(shape, element_type, sizes=sizes, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class FullOp(_gen.FullOp):
    """The allocation of a device buffer filled with a value (`graph.full`)."""

    def __init__(
        self,
        type: TensorType | str | Shape,
        value: ScalarLike,
        element_type: TypeLike | None = None,
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds an allocation that is filled.

        Args:
          type: the type of the buffer, of known extents; or its shape, with
            `element_type`.
          value: a scalar of the element type (`iN` for `uiN`) or a Python number.
        """
        site = Site.get(loc, ip)
        if isinstance(type, (ir.Type, str)):
            if element_type is not None:
                raise TypeError("element_type: the type of the buffer has one")
            type_ = site.tensor_type(type, "type")
        else:
            if element_type is None:
                raise TypeError("element_type: needed with a shape")
            type_ = TensorType.get(type, site.type(element_type, "element_type"))
        if not type_.has_static_shape:
            raise ValueError(f"type: a filled buffer has known extents, got {type_}")
        value = site.scalar(value, type_.scalar_type, "value")
        super().__init__(type_, value, loc=site.loc, ip=site.ip)
        verify_new(self)


def full(
    type: TensorType | str | Shape,
    value: ScalarLike,
    element_type: TypeLike | None = None,
    *,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Allocates a device buffer and fills it; see `FullOp`."""
    return FullOp(type, value, element_type, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class SliceOp(_gen.SliceOp):
    """A window of a tensor (`graph.slice`)."""

    def __init__(
        self,
        source: ValueLike,
        offsets: Sequence[MixedIndex],
        sizes: Sequence[MixedIndex],
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a window.

            graph.slice(w, [off, 0], [128, n])

        Args:
          source: the tensor.
          offsets: where the window starts, in elements, one a dimension; integers of
            at least 0 and `index` values.
          sizes: its extents, in elements, one a dimension; integers of at least 1 and
            `index` values.

        An integer size is an extent of the result's type, a value makes it unknown.
        """
        site = Site.get(loc, ip)
        source, type_ = site.tensor(source, "source")
        offset_values, static_offsets = site.index_list(
            offsets, "offsets", count=type_.rank
        )
        size_values, static_sizes = site.index_list(
            sizes, "sizes", count=type_.rank, minimum=1
        )
        super().__init__(
            TensorType.get(static_sizes, type_.element_type),
            source,
            offset_values,
            size_values,
            site.i64s(static_offsets),
            site.i64s(static_sizes),
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)


def slice(
    source: ValueLike,
    offsets: Sequence[MixedIndex],
    sizes: Sequence[MixedIndex],
    *,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """A window of a tensor; see `SliceOp`."""
    return SliceOp(source, offsets, sizes, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class ViewOp(_gen.ViewOp):
    """The same elements under another shape (`graph.view`)."""

    def __init__(
        self,
        source: ValueLike,
        sizes: Sequence[MixedIndex],
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a view of all elements of `source`, in order.

        Args:
          sizes: the new extents, in elements; integers of at least 1 and `index`
            values. Their product is the number of elements of `source`.
        """
        site = Site.get(loc, ip)
        source, type_ = site.tensor(source, "source")
        result_type, dynamic = _to_shape(site, sizes, type_.element_type, "sizes")
        static = [DYNAMIC if extent is None else extent for extent in result_type.shape]
        super().__init__(
            result_type, source, dynamic, site.i64s(static), loc=site.loc, ip=site.ip
        )
        verify_new(self)


def view(
    source: ValueLike, sizes: Sequence[MixedIndex], *, loc: Loc = None, ip: Ip = None
) -> ir.OpResult:
    """The same elements under another shape; see `ViewOp`."""
    return ViewOp(source, sizes, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class CastOp(_gen.CastOp):
    """More or less static knowledge of the extents (`graph.cast`)."""

    def __init__(
        self,
        source: ValueLike,
        type: TensorType | str | Sequence[int | None],
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a cast.

        Args:
          type: the new type, or its shape (`None` for an unknown extent); each extent
            equals the source's or is unknown in one of them.
        """
        site = Site.get(loc, ip)
        source, source_type = site.tensor(source, "source")
        if isinstance(type, (ir.Type, str)):
            type_ = site.tensor_type(type, "type")
        else:
            type_ = TensorType.get(type, source_type.element_type)
        super().__init__(type_, source, loc=site.loc, ip=site.ip)
        verify_new(self)


def cast(
    source: ValueLike,
    type: TensorType | str | Sequence[int | None],
    *,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """More or less static knowledge of the extents; see `CastOp`."""
    return CastOp(source, type, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class DimOp(_gen.DimOp):
    """The extent of a tensor along an axis (`graph.dim`)."""

    def __init__(
        self, source: ValueLike, axis: MixedIndex, *, loc: Loc = None, ip: Ip = None
    ):
        """Builds a query of an extent, in elements.

        Args:
          axis: an `index` value, or an integer (which becomes a constant) of at least
            0 and less than the rank.
        """
        site = Site.get(loc, ip)
        source, type_ = site.tensor(source, "source")
        if not isinstance(axis, (ir.Value, ir.OpView, ir.Operation)):
            axis = to_int(axis, "axis")
            if not 0 <= axis < type_.rank:
                raise ValueError(f"axis: {axis} is not within the rank {type_.rank}")
        axis = site.index(axis, "axis")
        super().__init__(
            source,
            axis,
            results=[ir.IndexType.get(site.context)],
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)


def dim(
    source: ValueLike, axis: MixedIndex, *, loc: Loc = None, ip: Ip = None
) -> ir.OpResult:
    """The extent of a tensor along an axis; see `DimOp`."""
    return DimOp(source, axis, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class ReadOp(_gen.ReadOp):
    """One element of a tensor, read on the host (`graph.read`)."""

    def __init__(
        self,
        source: ValueLike,
        indices: Sequence[MixedIndex],
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a read of an element; an element `uiN` gives an `iN`.

        Args:
          indices: the element, one index a dimension; integers of at least 0 and
            `index` values.
        """
        site = Site.get(loc, ip)
        source, type_ = site.tensor(source, "source")
        dynamic, static = site.index_list(indices, "indices", count=type_.rank)
        super().__init__(
            source,
            dynamic,
            site.i64s(static),
            results=[type_.scalar_type],
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)


def read(
    source: ValueLike, indices: Sequence[MixedIndex], *, loc: Loc = None, ip: Ip = None
) -> ir.OpResult:
    """One element of a tensor, read on the host; see `ReadOp`."""
    return ReadOp(source, indices, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class AliasOp(_gen.AliasOp):
    """A bare rename of a tensor, scalar, task id or array (`graph.alias`)."""

    def __init__(self, source: ValueLike, *, loc: Loc = None, ip: Ip = None):
        site = Site.get(loc, ip)
        source = site.value(source, "source")
        super().__init__(source, results=[source.type], loc=site.loc, ip=site.ip)
        verify_new(self)


def alias(source: ValueLike, *, loc: Loc = None, ip: Ip = None) -> ir.OpResult:
    """A bare rename; see `AliasOp`."""
    return AliasOp(source, loc=loc, ip=ip).result


# ---------------------------------------------------------------------------
# Arrays
# ---------------------------------------------------------------------------


def _to_array(site: Site, value: Any) -> tuple[ir.Value, ArrayType]:
    value = site.value(value, "array")
    if not isinstance(value.type, ArrayType):
        raise TypeError(f"array: expected a graph array, got {describe(value)}")
    return value, value.type


@_register_operation(_Dialect, replace=True)
class ArrayCreateOp(_gen.ArrayCreateOp):
    """An array without values yet (`graph.array.create`)."""

    def __init__(
        self,
        type: ArrayType | str | int,
        element_type: TypeLike | None = None,
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds an array of invalid task ids, or of zeros.

        Args:
          type: the type; or the number of elements, with `element_type` (task ids
            when that is None).
        """
        site = Site.get(loc, ip)
        if isinstance(type, (ir.Type, str)):
            type_ = site.type(type, "type")
            if not isinstance(type_, ArrayType):
                raise TypeError(f"type: expected a graph array type, got {type_}")
            if element_type is not None:
                raise TypeError("element_type: the type of the array has one")
        elif element_type is None:
            type_ = ArrayType.get(type, TaskIdType.get(context=site.context))
        else:
            type_ = ArrayType.get(type, site.type(element_type, "element_type"))
        super().__init__(type_, loc=site.loc, ip=site.ip)
        verify_new(self)


def array_create(
    type: ArrayType | str | int,
    element_type: TypeLike | None = None,
    *,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """An array without values yet; see `ArrayCreateOp`."""
    return ArrayCreateOp(type, element_type, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class ArrayInsertOp(_gen.ArrayInsertOp):
    """An array with one element replaced (`graph.array.insert`)."""

    def __init__(
        self,
        value: ScalarLike,
        array: ValueLike,
        index: MixedIndex,
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds the array that has `value` at `index` and else is `array`.

        Args:
          value: of the element type; a Python number becomes a constant.
          index: an integer within the array, or an `index` value.
        """
        site = Site.get(loc, ip)
        array, type_ = _to_array(site, array)
        if isinstance(type_.element_type, TaskIdType):
            value = site.value(value, "value")
            if not isinstance(value.type, TaskIdType):
                raise TypeError(f"value: expected a task id, got {describe(value)}")
        else:
            value = site.scalar(value, type_.element_type, "value")
        dynamic, static = site.index_list([index], "index")
        super().__init__(
            value,
            array,
            dynamic,
            site.i64s(static),
            results=[type_],
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)


def array_insert(
    value: ScalarLike,
    array: ValueLike,
    index: MixedIndex,
    *,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """An array with one element replaced; see `ArrayInsertOp`."""
    return ArrayInsertOp(value, array, index, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class ArrayExtractOp(_gen.ArrayExtractOp):
    """One element of an array (`graph.array.extract`)."""

    def __init__(
        self, array: ValueLike, index: MixedIndex, *, loc: Loc = None, ip: Ip = None
    ):
        """Builds the element at `index`, an integer within the array or a value."""
        site = Site.get(loc, ip)
        array, type_ = _to_array(site, array)
        dynamic, static = site.index_list([index], "index")
        super().__init__(
            array,
            dynamic,
            site.i64s(static),
            results=[type_.element_type],
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)


def array_extract(
    array: ValueLike, index: MixedIndex, *, loc: Loc = None, ip: Ip = None
) -> ir.OpResult:
    """One element of an array; see `ArrayExtractOp`."""
    return ArrayExtractOp(array, index, loc=loc, ip=ip).result


# ---------------------------------------------------------------------------
# Scopes
# ---------------------------------------------------------------------------


@_register_operation(_Dialect, replace=True)
class ScopeOp(_gen.ScopeOp):
    """A marked part of a function body (`graph.scope`); `scope` builds one."""

    def __init__(
        self,
        kind: ScopeKind | str,
        name: str | None = None,
        *,
        deps: Sequence[ValueLike] | ValueLike = (),
        core_num: MixedIndex | None = None,
        predicate: Predicate | tuple[Any, Any, Any, Any] | None = None,
        results: Sequence[TypeLike] = (),
        task_id: bool = False,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a scope with an empty body block.

        Args:
          kind: what the scope is.
          name: the name of what it becomes; a `graph` scope needs one.
          deps, core_num, predicate: as of `SubmitOp`.
          results: the types of what the body yields.
          task_id: whether the last result is the task id of the scope (device kinds).
        """
        site = Site.get(loc, ip)
        kind = to_keyword(ScopeKind, kind)
        if kind is ScopeKind.GRAPH and not name:
            raise ValueError("name: a scope of kind 'graph' needs one")
        clauses = _to_clauses(site, deps, core_num, predicate)
        types = [
            site.type(type_, f"results #{i}")
            for i, type_ in enumerate(to_list(results, "results"))
        ]
        if task_id:
            types.append(TaskIdType.get(context=site.context))
        super().__init__(
            types,
            ScopeKindAttr.get(kind, context=site.context),
            clauses.deps,
            clauses.gate_indices,
            name=None if name is None else site.string(name, "name"),
            core_num=clauses.core_num,
            gate=clauses.gate,
            gate_rhs=clauses.gate_rhs,
            static_gate_indices=clauses.static_gate_indices,
            gate_comparison=clauses.gate_comparison,
            loc=site.loc,
            ip=site.ip,
        )
        ir.Block.create_at_start(self.operation.regions[0], [])

    @property
    def kind(self) -> ScopeKind:
        """What the scope is."""
        return ScopeKindAttr(self.operation.attributes["kind"]).value

    @kind.setter
    def kind(self, value: ScopeKind | str) -> None:
        self.operation.attributes["kind"] = ScopeKindAttr.get(
            value, context=self.operation.context
        )

    @property
    def body(self) -> ir.Block:
        """The block of the body."""
        return self.operation.regions[0].blocks[0]


class _ScopeBuilder:
    """What `scope` returns: a context manager that builds the body."""

    def __init__(self, results: Sequence[TypeLike] | None, options: dict[str, Any]):
        self._given = results
        self._options = options
        self._op: ScopeOp | None = None
        self._done = False
        self._ip: ir.InsertionPoint | None = None

    def __enter__(self) -> _ScopeBuilder:
        if self._op is not None:
            raise ValueError("the scope has been built already")
        self._op = ScopeOp(results=self._given or (), **self._options)
        self._ip = ir.InsertionPoint(self._op.body)
        self._ip.__enter__()
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self._ip.__exit__(exc_type, exc_value, traceback)
        if exc_type is not None:
            self._discard()
            return
        try:
            self._finish()
        except BaseException:
            self._discard()
            raise
        self._done = True

    def _discard(self) -> None:
        # Not erased: Python may still have values of it.
        _ext.abandon_operation(self._op.operation)

    def _finish(self) -> None:
        last = _terminator(self._op.body)
        if last is None:
            with ir.InsertionPoint(self._op.body):
                last = yield_(loc=self._op.operation.location)
        types = [value.type for value in last.operation.operands]
        if self._given is None and types:
            self._set_result_types(types)
        self._op.operation.verify()

    def _set_result_types(self, types: list[ir.Type]) -> None:
        """Gives the scope its results.

        Their number is fixed when an operation is created, so the body moves into a
        new one.
        """
        old = self._op.operation
        if self._options["task_id"]:
            types = [*types, TaskIdType.get(context=old.context)]
        new = ir.Operation.create(
            old.name,
            results=types,
            operands=list(old.operands),
            attributes=dict(old.attributes.items()),
            regions=1,
            loc=old.location,
            ip=ir.InsertionPoint(old),
        )
        self._op.body.append_to(new.regions[0])
        old.erase()
        self._op = new.opview

    @property
    def op(self) -> ScopeOp:
        """The scope; ValueError before its body is complete."""
        if not self._done:
            raise ValueError("the scope is not complete: its body is being built")
        return self._op

    @property
    def results(self) -> tuple[ir.OpResult, ...]:
        """What the body yields, without the task id."""
        results = tuple(self.op.operation.results)
        return results[:-1] if self._options["task_id"] else results

    @property
    def result(self) -> ir.OpResult:
        """The one value the body yields; ValueError unless there is one."""
        results = self.results
        if len(results) != 1:
            raise ValueError(f"the scope yields {len(results)} values")
        return results[0]

    @property
    def task_id(self) -> ir.OpResult:
        """The task id of a scope built with `task_id=True`."""
        if not self._options["task_id"]:
            raise ValueError("the scope has no task id: pass `task_id=True`")
        return self.op.operation.results[len(self.op.operation.results) - 1]


def scope(
    kind: ScopeKind | str,
    name: str | None = None,
    *,
    deps: Sequence[ValueLike] | ValueLike = (),
    core_num: MixedIndex | None = None,
    predicate: Predicate | tuple[Any, Any, Any, Any] | None = None,
    results: Sequence[TypeLike] | None = None,
    task_id: bool = False,
    loc: Loc = None,
    ip: Ip = None,
) -> _ScopeBuilder:
    """A scope, built by a context manager.

        with graph.scope("graph", "layer") as layer:
            graph.yield_(add(x, acc))
        y = layer.result

    Args:
      results: the types of what the body yields; found out when None.

    The others are those of `ScopeOp`. After the body the builder has `op`, `result`,
    `results` and `task_id`. When the body raises, or the scope does not verify, it is
    taken out of its function again.
    """
    options = {
        "kind": kind,
        "name": name,
        "deps": deps,
        "core_num": core_num,
        "predicate": predicate,
        "task_id": task_id,
        "loc": loc,
        "ip": ip,
    }
    return _ScopeBuilder(results, options)


@_register_operation(_Dialect, replace=True)
class YieldOp(_gen.YieldOp):
    """The end of a scope (`graph.yield`): the values used after it."""

    def __init__(self, *values: ValueLike, loc: Loc = None, ip: Ip = None):
        site = Site.get(loc, ip)
        if not isinstance(site.ip.block.owner, _gen.ScopeOp):
            raise ValueError("graph.yield belongs in the body of a graph.scope")
        super().__init__(
            site.values(_flatten(values), "values"), loc=site.loc, ip=site.ip
        )


def yield_(*values: ValueLike, loc: Loc = None, ip: Ip = None) -> YieldOp:
    """Ends a scope; see `YieldOp`."""
    return YieldOp(*values, loc=loc, ip=ip)


# ---------------------------------------------------------------------------
# Kernel bodies
# ---------------------------------------------------------------------------


@_register_operation(_Dialect, replace=True)
class LoadOp(_gen.LoadOp):
    """A tile of a tensor, loaded in a kernel (`graph.load`)."""

    def __init__(
        self,
        source: ValueLike,
        offsets: Sequence[MixedIndex],
        tile: ir.RankedTensorType | str | Sequence[int],
        *,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a load.

        Args:
          offsets: where the tile starts, in elements, one a dimension; integers of at
            least 0 and `index` values.
          tile: the `tensor<…>` type of the tile, or its shape in elements; of the rank
            of `source`.
        """
        site = Site.get(loc, ip)
        source, type_ = site.tensor(source, "source")
        dynamic, static = site.index_list(offsets, "offsets", count=type_.rank)
        if isinstance(tile, (ir.Type, str)):
            tile_type = site.type(tile, "tile")
            if not isinstance(tile_type, ir.RankedTensorType):
                raise TypeError(f"tile: expected a tensor type, got {tile_type}")
        else:
            extents = [to_int(extent, "tile") for extent in to_list(tile, "tile")]
            if any(extent < 1 for extent in extents):
                raise ValueError(f"tile: extents must be positive, got {extents}")
            tile_type = ir.RankedTensorType.get(
                extents, type_.scalar_type, loc=ir.Location.unknown(site.context)
            )
        super().__init__(
            tile_type, source, dynamic, site.i64s(static), loc=site.loc, ip=site.ip
        )
        verify_new(self)


def load(
    source: ValueLike,
    offsets: Sequence[MixedIndex],
    tile: ir.RankedTensorType | str | Sequence[int],
    *,
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """A tile of a tensor, loaded in a kernel; see `LoadOp`."""
    return LoadOp(source, offsets, tile, loc=loc, ip=ip).result


@_register_operation(_Dialect, replace=True)
class StoreOp(_gen.StoreOp):
    """A tile stored into a tensor in a kernel (`graph.store`)."""

    def __init__(
        self,
        value: ValueLike,
        dest: ValueLike,
        offsets: Sequence[MixedIndex],
        *,
        atomic_add: bool = False,
        loc: Loc = None,
        ip: Ip = None,
    ):
        """Builds a store.

        Args:
          value: the tile, a `tensor<…>` of the rank of `dest`.
          offsets: where it goes, in elements, one a dimension; integers of at least 0
            and `index` values.
          atomic_add: whether the tile is added to what is there.
        """
        site = Site.get(loc, ip)
        value = site.value(value, "value")
        if not isinstance(value.type, ir.RankedTensorType):
            raise TypeError(f"value: expected a tile, got {describe(value)}")
        dest, type_ = site.tensor(dest, "dest")
        dynamic, static = site.index_list(offsets, "offsets", count=type_.rank)
        super().__init__(
            value,
            dest,
            dynamic,
            site.i64s(static),
            atomic_add=site.unit(atomic_add),
            loc=site.loc,
            ip=site.ip,
        )
        verify_new(self)


def store(
    value: ValueLike,
    dest: ValueLike,
    offsets: Sequence[MixedIndex],
    *,
    atomic_add: bool = False,
    loc: Loc = None,
    ip: Ip = None,
) -> StoreOp:
    """Stores a tile into a tensor in a kernel; see `StoreOp`."""
    return StoreOp(value, dest, offsets, atomic_add=atomic_add, loc=loc, ip=ip)
