# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels built from Python are those that are parsed."""

import inspect

import pytest
from mlir import ir
from pypto_graph.dialects import asc, graph

UNARY = [
    "abs",
    "neg",
    "relu",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sigmoid",
    "tanh",
    "erf",
]
BINARY = ["add", "sub", "mul", "div", "maximum", "minimum", "pow"]
REDUCTIONS = ["sum", "mean", "max", "min"]


@pytest.fixture
def site():
    """An insertion point in the body of a kernel, with its parameters."""
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        rows = graph.TensorType.get([4, 6], "f32")
        index = graph.TensorType.get([3], "i32")
        with ir.InsertionPoint(module.body):
            params = {
                "x": rows,
                "i": index,
                "n": "index",
                "s": "f32",
                "o": graph.Out(rows),
            }
            with graph.func("incore", "k", params) as func:
                yield module, func.arguments
        module.operation.verify()


def text(module):
    # The body has no terminator yet.
    return module.operation.get_asm(assume_verified=True)


def test_every_operation_has_a_builder():
    with ir.Context():
        names = {name.removesuffix("Op") for name in asc.__all__ if name.endswith("Op")}
        functions = {name for name in asc.__all__ if not name.endswith("Op")}
        assert {name.lower() for name in names} == functions


def test_nodes(site):
    module, (x, i, n, s, o) = site
    a = asc.load("L0", x)
    b = asc.load("L1", x, [n, 1], [2, 3], after=["L0"])
    indices = asc.load("L2", i)
    for op in UNARY:
        assert getattr(asc, op)(f"n_{op}", a).type == a.type
    for op in BINARY:
        assert getattr(asc, op)(f"n_{op}", a, s).type == a.type
    for op in REDUCTIONS:
        assert str(getattr(asc, op)(f"n_{op}", a, [1]).type) == "tensor<4x1xf32>"
    c = asc.scalar("C", 2, "f32")
    t = asc.compare("Cmp", "lt", a, c)
    assert str(t.type) == "tensor<4x6xi1>"
    assert asc.select("Sel", t, a, c).type == a.type
    assert asc.where("Whe", a, c, s).type == a.type
    assert str(asc.cast("Cast", b, "bf16").type) == "tensor<2x3xbf16>"
    assert str(asc.cast("Cast1", s, "i8").type) == "i8"
    assert str(asc.broadcast("B", s, [2, 2]).type) == "tensor<2x2xf32>"
    assert str(asc.transpose("T", a, [1, 0]).type) == "tensor<6x4xf32>"
    assert str(asc.concat("Cat", [a, a, a], 0).type) == "tensor<12x6xf32>"
    parts = asc.split("Split", a, 1, [2, 4])
    assert [str(p.type) for p in parts] == ["tensor<4x2xf32>", "tensor<4x4xf32>"]
    assert str(asc.gather("G", a, indices, 1).type) == "tensor<4x3xf32>"
    assert (
        str(asc.matmul("M", a, asc.transpose("T1", a, [1, 0])).type)
        == "tensor<4x4xf32>"
    )
    assert str(asc.scalar("C1", True, "i1").type) == "i1"
    store = asc.store("S", a, o, after=["n_exp", "Later"])
    assert isinstance(store, asc.StoreOp)
    asc.store("Later", b, o, [n, 0])
    printed = text(module)
    assert 'asc.store "S" %0, %o[0, 0] after ["n_exp", "Later"]' in printed
    assert 'asc.load "L1" %x[%n, 1] after ["L0"]' in printed


def test_mistakes_build_nothing(site):
    module, (x, _, n, s, _) = site
    a = asc.load("L0", x)
    before = text(module)
    for mistake, error, match in [
        (lambda: asc.exp("E", s), Exception, "operand #0 must be tile"),
        (lambda: asc.add("A", a, n), ir.MLIRError, "element types"),
        (lambda: asc.exp("", a), Exception, "non-empty"),
        (lambda: asc.exp(3, a), TypeError, "name: expected a string"),
        (lambda: asc.exp("E", a, after="L0"), TypeError, "after: expected a sequence"),
        (lambda: asc.exp("E", a, after=[3]), TypeError, "after #0: expected a string"),
        (lambda: asc.exp("E", 3), TypeError, "source: expected an mlir.ir.Value"),
        (lambda: asc.load("L", x, [0]), ValueError, "offsets: expected 2, got 1"),
        (lambda: asc.load("L", x, shape=[5, 6]), ir.MLIRError, "does not fit axis 0"),
        (lambda: asc.load("L", a), TypeError, "source: expected a graph tensor"),
        (lambda: asc.compare("C", "about", a, a), ValueError, "comparison: expected"),
        (lambda: asc.transpose("T", a, [0]), ir.MLIRError, "expects a permutation"),
        (lambda: asc.sum("S", a, [7]), ir.MLIRError, "axis 7 is out of the rank 2"),
        (lambda: asc.split("S", a, 0, [1]), ir.MLIRError, "add up to the extent 4"),
        (lambda: asc.concat("C", a, 0), TypeError, "sources: expected a sequence"),
        (lambda: asc.broadcast("B", a, [4]), ir.MLIRError, "cannot broadcast"),
        (lambda: asc.scalar("C", "x", "f32"), ValueError, "could not convert"),
        (lambda: asc.scalar("C", 1.5, "i8"), TypeError, "value"),
        (
            lambda: asc.scalar("C", 1, "tensor<2xf32>"),
            TypeError,
            "expected a scalar type",
        ),
        (lambda: asc.matmul("M", a, a), ir.MLIRError, "cannot multiply"),
    ]:
        with pytest.raises(error, match=match):
            mistake()
        assert text(module) == before


def test_builders_are_documented():
    for name in asc.__all__:
        value = getattr(asc, name)
        if inspect.isfunction(value):
            assert value.__doc__ and "return" in value.__annotations__
