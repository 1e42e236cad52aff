# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `asc` dialect: builders of the nodes of a kernel.

    from mlir.ir import Context, F32Type, InsertionPoint, Location, Module
    from pypto_graph.dialects import asc, graph

    with Context(), Location.unknown():
        module = Module.create()
        rows = graph.TensorType.get([32, 2048], F32Type.get())
        with InsertionPoint(module.body):

            @graph.func("incore", params={"x": rows, "o": graph.Out(rows)})
            def exponential(x, o):
                tile = asc.exp("Exp_0", asc.load("Load_0", x))
                asc.store("Store_0", tile, o, after=["Exp_0"])

A function `asc.NAME` builds the operation `asc.NAME` and returns its result (a list for
`split`, the operation for `store`); `NameOp` are the generated classes. Common to all:

- The first argument is the name of the node, unique in its function.
- Operands are `mlir.ir.Value` objects or operations with one result.
- `after` lists the names of nodes that run before this one.
- `ip` is the insertion point, by default the current one. `loc` is the location, by
  default the current one or else the unknown one.
- A mistake is a `TypeError`, a `ValueError` or an `mlir.ir.MLIRError`, and nothing has
  been built then. Names and control edges are checked by `module.operation.verify()`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

import pypto_graph  # noqa: F401  (registers the dialect)

from ._asc_ops_gen import (
    AbsOp,
    AddOp,
    BroadcastOp,
    CastOp,
    CompareOp,
    ConcatOp,
    DivOp,
    ErfOp,
    ExpOp,
    GatherOp,
    LoadOp,
    LogOp,
    MatmulOp,
    MaximumOp,
    MaxOp,
    MeanOp,
    MinimumOp,
    MinOp,
    MulOp,
    NegOp,
    PowOp,
    ReciprocalOp,
    ReluOp,
    RsqrtOp,
    ScalarOp,
    SelectOp,
    SigmoidOp,
    SplitOp,
    SqrtOp,
    StoreOp,
    SubOp,
    SumOp,
    TanhOp,
    TransposeOp,
    WhereOp,
)
from ._graph_site import MixedIndex, Site, ValueLike, to_list, verify_new
from ._graph_types import to_int

__all__ = [
    "AbsOp",
    "AddOp",
    "BroadcastOp",
    "CastOp",
    "CompareOp",
    "ConcatOp",
    "DivOp",
    "ErfOp",
    "ExpOp",
    "GatherOp",
    "LoadOp",
    "LogOp",
    "MatmulOp",
    "MaxOp",
    "MaximumOp",
    "MeanOp",
    "MinOp",
    "MinimumOp",
    "MulOp",
    "NegOp",
    "PowOp",
    "ReciprocalOp",
    "ReluOp",
    "RsqrtOp",
    "ScalarOp",
    "SelectOp",
    "SigmoidOp",
    "SplitOp",
    "SqrtOp",
    "StoreOp",
    "SubOp",
    "SumOp",
    "TanhOp",
    "TransposeOp",
    "WhereOp",
    "abs",
    "add",
    "broadcast",
    "cast",
    "compare",
    "concat",
    "div",
    "erf",
    "exp",
    "gather",
    "load",
    "log",
    "matmul",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mul",
    "neg",
    "pow",
    "reciprocal",
    "relu",
    "rsqrt",
    "scalar",
    "select",
    "sigmoid",
    "split",
    "sqrt",
    "store",
    "sub",
    "sum",
    "tanh",
    "transpose",
    "where",
]

TypeLike = ir.Type | str
Loc = ir.Location | None
Ip = ir.InsertionPoint | None
After = Sequence[str]


def _build(
    cls: type[ir.OpView],
    site: Site,
    name: Any,
    *arguments: Any,
    after: Any,
    result: ir.Type | None = None,
    **keywords: Any,
) -> Any:
    """Builds a node from checked arguments, and the type of a result that is not
    inferred."""
    node_name = site.string(name, "name")
    names = [
        site.string(other, f"after #{i}")
        for i, other in enumerate(to_list(after, "after"))
    ]
    edges = ir.ArrayAttr.get(names, context=site.context) if names else None
    loc = site.loc or ir.Location.unknown(site.context)
    types = [] if result is None else [result]
    op = cls(
        *types, node_name, *arguments, after=edges, loc=loc, ip=site.ip, **keywords
    )
    verify_new(op)
    return op


def _i64(site: Site, value: Any, what: str) -> ir.IntegerAttr:
    type_ = ir.IntegerType.get_signless(64, context=site.context)
    return ir.IntegerAttr.get(type_, to_int(value, what))


def _i64s(site: Site, values: Any, what: str) -> ir.DenseI64ArrayAttr:
    return site.i64s(
        [to_int(v, f"{what} #{i}") for i, v in enumerate(to_list(values, what))]
    )


def _tile(site: Site, shape: Any, element_type: ir.Type) -> ir.RankedTensorType:
    extents = [
        to_int(extent, f"shape #{i}")
        for i, extent in enumerate(to_list(shape, "shape"))
    ]
    loc = ir.Location.unknown(site.context)
    return ir.RankedTensorType.get(extents, element_type, loc=loc)


def _element_type(value: ir.Value) -> ir.Type:
    type_ = value.type
    return type_.element_type if isinstance(type_, ir.RankedTensorType) else type_


# ---------------------------------------------------------------------------
# Memory and constants
# ---------------------------------------------------------------------------


def load(
    name: str,
    source: ValueLike,
    offsets: Sequence[MixedIndex] | None = None,
    shape: Sequence[int] | None = None,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Reads a tile of a graph tensor.

    Args:
      offsets: where the tile starts, integers and `index` values; by default at zero.
      shape: the extents of the tile; by default those of the tensor.
    """
    site = Site.get(loc, ip)
    source, type_ = site.tensor(source, "source")
    if offsets is None:
        offsets = [0] * type_.rank
    if shape is None:
        if not type_.has_static_shape:
            raise ValueError("shape: needed, the tensor has unknown extents")
        shape = type_.shape
    dynamic, static = site.index_list(offsets, "offsets", count=type_.rank)
    result = _tile(site, shape, type_.element_type)
    return _build(
        LoadOp,
        site,
        name,
        source,
        dynamic,
        site.i64s(static),
        result=result,
        after=after,
    ).result


def store(
    name: str,
    value: ValueLike,
    dest: ValueLike,
    offsets: Sequence[MixedIndex] | None = None,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> StoreOp:
    """Writes a tile into a graph tensor, by default at zero offsets."""
    site = Site.get(loc, ip)
    value = site.value(value, "value")
    dest, type_ = site.tensor(dest, "dest")
    if offsets is None:
        offsets = [0] * type_.rank
    dynamic, static = site.index_list(offsets, "offsets", count=type_.rank)
    return _build(
        StoreOp, site, name, value, dest, dynamic, site.i64s(static), after=after
    )


def scalar(
    name: str,
    value: int | float,
    type: TypeLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """A constant of a scalar type."""
    site = Site.get(loc, ip)
    type_ = site.type(type, "type")
    unknown = ir.Location.unknown(site.context)
    if isinstance(type_, ir.FloatType):
        attr = ir.FloatAttr.get(type_, float(value), loc=unknown)
    elif isinstance(type_, ir.IntegerType):
        attr = ir.IntegerAttr.get(
            type_,
            to_int(int(value) if value is True or value is False else value, "value"),
        )
    else:
        raise TypeError(f"type: expected a scalar type, got {type_}")
    return _build(ScalarOp, site, name, attr, after=after, results=[type_]).result


def cast(
    name: str,
    source: ValueLike,
    element_type: TypeLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """The tile or scalar with elements of another type."""
    site = Site.get(loc, ip)
    source = site.value(source, "source")
    result = site.type(element_type, "element_type")
    if isinstance(source.type, ir.RankedTensorType):
        result = _tile(site, source.type.shape, result)
    return _build(CastOp, site, name, source, result=result, after=after).result


# ---------------------------------------------------------------------------
# Elementwise
# ---------------------------------------------------------------------------


def _unary(
    cls: type[ir.OpView], name: Any, source: Any, after: Any, loc: Loc, ip: Ip
) -> Any:
    site = Site.get(loc, ip)
    return _build(cls, site, name, site.value(source, "source"), after=after).result


def _binary(
    cls: type[ir.OpView], name: Any, lhs: Any, rhs: Any, after: Any, loc: Loc, ip: Ip
) -> Any:
    site = Site.get(loc, ip)
    values = site.value(lhs, "lhs"), site.value(rhs, "rhs")
    return _build(cls, site, name, *values, after=after).result


def abs(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Absolute values."""
    return _unary(AbsOp, name, source, after, loc, ip)


def neg(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Elements negated."""
    return _unary(NegOp, name, source, after, loc, ip)


def relu(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Elements, zero where they are negative."""
    return _unary(ReluOp, name, source, after, loc, ip)


def exp(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Exponentials."""
    return _unary(ExpOp, name, source, after, loc, ip)


def log(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Natural logarithms."""
    return _unary(LogOp, name, source, after, loc, ip)


def sqrt(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Square roots."""
    return _unary(SqrtOp, name, source, after, loc, ip)


def rsqrt(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """1/sqrt(x)."""
    return _unary(RsqrtOp, name, source, after, loc, ip)


def reciprocal(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """1/x."""
    return _unary(ReciprocalOp, name, source, after, loc, ip)


def sigmoid(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """1/(1+exp(-x))."""
    return _unary(SigmoidOp, name, source, after, loc, ip)


def tanh(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Hyperbolic tangents."""
    return _unary(TanhOp, name, source, after, loc, ip)


def erf(
    name: str,
    source: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Error function."""
    return _unary(ErfOp, name, source, after, loc, ip)


def add(
    name: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Sums."""
    return _binary(AddOp, name, lhs, rhs, after, loc, ip)


def sub(
    name: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Differences."""
    return _binary(SubOp, name, lhs, rhs, after, loc, ip)


def mul(
    name: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Products."""
    return _binary(MulOp, name, lhs, rhs, after, loc, ip)


def div(
    name: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Quotients."""
    return _binary(DivOp, name, lhs, rhs, after, loc, ip)


def maximum(
    name: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """The larger elements, NaN if one is."""
    return _binary(MaximumOp, name, lhs, rhs, after, loc, ip)


def minimum(
    name: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """The smaller elements, NaN if one is."""
    return _binary(MinimumOp, name, lhs, rhs, after, loc, ip)


def pow(
    name: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Powers."""
    return _binary(PowOp, name, lhs, rhs, after, loc, ip)


def compare(
    name: str,
    comparison: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Compares elements: `eq`, `ne`, `lt`, `le`, `gt` or `ge`."""
    site = Site.get(loc, ip)
    values = site.value(lhs, "lhs"), site.value(rhs, "rhs")
    keywords = ("eq", "ne", "lt", "le", "gt", "ge")
    if comparison not in keywords:
        raise ValueError(f"comparison: expected one of {keywords}, got {comparison!r}")
    attr = ir.Attribute.parse(f"#asc.cmp<{comparison}>", context=site.context)
    return _build(CompareOp, site, name, attr, *values, after=after).result


def _choice(
    cls: type[ir.OpView],
    name: Any,
    condition: Any,
    lhs: Any,
    rhs: Any,
    after: Any,
    loc: Loc,
    ip: Ip,
) -> Any:
    site = Site.get(loc, ip)
    values = [
        site.value(value, what)
        for value, what in ((condition, "condition"), (lhs, "lhs"), (rhs, "rhs"))
    ]
    return _build(cls, site, name, *values, after=after).result


def select(
    name: str,
    condition: ValueLike,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Elements of `lhs` where the i1 condition holds, of `rhs` elsewhere."""
    return _choice(SelectOp, name, condition, lhs, rhs, after, loc, ip)


def where(
    name: str,
    condition: ValueLike,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Elements of `lhs` where the condition is not zero, of `rhs` elsewhere."""
    return _choice(WhereOp, name, condition, lhs, rhs, after, loc, ip)


# ---------------------------------------------------------------------------
# Shapes
# ---------------------------------------------------------------------------


def broadcast(
    name: str,
    source: ValueLike,
    shape: Sequence[int],
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Repeats a tile or scalar along axes, to a shape."""
    site = Site.get(loc, ip)
    source = site.value(source, "source")
    result = _tile(site, shape, _element_type(source))
    return _build(BroadcastOp, site, name, source, result=result, after=after).result


def transpose(
    name: str,
    source: ValueLike,
    permutation: Sequence[int],
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """The axes in another order: axis `i` is axis `permutation[i]` of the source."""
    site = Site.get(loc, ip)
    source = site.value(source, "source")
    axes = _i64s(site, permutation, "permutation")
    return _build(TransposeOp, site, name, source, axes, after=after).result


def concat(
    name: str,
    sources: Sequence[ValueLike],
    axis: int,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Tiles one after the other along an axis."""
    site = Site.get(loc, ip)
    values = site.values(sources, "sources")
    return _build(
        ConcatOp, site, name, values, _i64(site, axis, "axis"), after=after
    ).result


def split(
    name: str,
    source: ValueLike,
    axis: int,
    sizes: Sequence[int],
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> list[ir.OpResult]:
    """A tile cut along an axis, one part a size."""
    site = Site.get(loc, ip)
    source = site.value(source, "source")
    op = _build(
        SplitOp,
        site,
        name,
        source,
        _i64(site, axis, "axis"),
        _i64s(site, sizes, "sizes"),
        after=after,
    )
    return list(op.results)


def gather(
    name: str,
    source: ValueLike,
    indices: ValueLike,
    axis: int,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Slices of a tile picked by index along an axis."""
    site = Site.get(loc, ip)
    values = site.value(source, "source"), site.value(indices, "indices")
    return _build(
        GatherOp, site, name, *values, _i64(site, axis, "axis"), after=after
    ).result


# ---------------------------------------------------------------------------
# Reductions and products
# ---------------------------------------------------------------------------


def _reduction(
    cls: type[ir.OpView],
    name: Any,
    source: Any,
    axes: Any,
    after: Any,
    loc: Loc,
    ip: Ip,
) -> Any:
    site = Site.get(loc, ip)
    source = site.value(source, "source")
    return _build(
        cls, site, name, source, _i64s(site, axes, "axes"), after=after
    ).result


def sum(
    name: str,
    source: ValueLike,
    axes: Sequence[int],
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Sums over axes, which stay with extent one."""
    return _reduction(SumOp, name, source, axes, after, loc, ip)


def mean(
    name: str,
    source: ValueLike,
    axes: Sequence[int],
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Means over axes, which stay with extent one."""
    return _reduction(MeanOp, name, source, axes, after, loc, ip)


def max(
    name: str,
    source: ValueLike,
    axes: Sequence[int],
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Largest elements over axes, which stay with extent one."""
    return _reduction(MaxOp, name, source, axes, after, loc, ip)


def min(
    name: str,
    source: ValueLike,
    axes: Sequence[int],
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Smallest elements over axes, which stay with extent one."""
    return _reduction(MinOp, name, source, axes, after, loc, ip)


def matmul(
    name: str,
    lhs: ValueLike,
    rhs: ValueLike,
    *,
    after: After = (),
    loc: Loc = None,
    ip: Ip = None,
) -> ir.OpResult:
    """Products of matrices, the last two axes."""
    return _binary(MatmulOp, name, lhs, rhs, after, loc, ip)
