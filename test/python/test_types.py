# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types, attributes and enumerations of the dialect."""

import pickle

import pytest
from mlir.ir import (
    Attribute,
    BF16Type,
    Context,
    F32Type,
    IndexType,
    IntegerType,
    Module,
    ShapedType,
    Type,
)
from pypto_graph._libs import _pyptoGraph
from pypto_graph.dialects import graph


@pytest.fixture(autouse=True)
def context():
    with Context() as context:
        yield context


def test_tensor_type():
    f32 = F32Type.get()
    type_ = graph.TensorType.get([128, 64], f32)
    assert str(type_) == "!graph.tensor<128x64xf32>"
    assert type_.shape == (128, 64)
    assert type_.element_type == f32
    assert type_.rank == 2
    assert type_.has_static_shape
    assert type_ == Type.parse("!graph.tensor<128x64xf32>")
    assert repr(type_) == "TensorType(!graph.tensor<128x64xf32>)"


@pytest.mark.parametrize(
    "unknown", [None, graph.DYNAMIC, ShapedType.get_dynamic_size()]
)
def test_unknown_extents(unknown):
    type_ = graph.TensorType.get([unknown, 128], F32Type.get())
    assert str(type_) == "!graph.tensor<?x128xf32>"
    assert type_.shape == (None, 128)
    assert not type_.has_static_shape


@pytest.mark.parametrize("rank", range(6))
def test_ranks(rank):
    assert graph.TensorType.get((2,) * rank, F32Type.get()).rank == rank


def test_element_types():
    for text in [
        "f16",
        "bf16",
        "f32",
        "f64",
        "i1",
        "i8",
        "i16",
        "i32",
        "i64",
        "ui8",
        "ui16",
        "ui32",
        "ui64",
    ]:
        type_ = graph.TensorType.get([4], text)
        assert str(type_) == f"!graph.tensor<4x{text}>"
        assert str(type_.element_type) == text
        assert str(type_.scalar_type) == text.removeprefix("u")
    for text in ("index", "i4", "si8", "f80", "!graph.task_id", "tensor<4xf32>"):
        with pytest.raises(ValueError, match="element type"):
            graph.TensorType.get([4], text)


def test_numpy_integers_are_extents():
    numpy = pytest.importorskip("numpy")
    assert graph.TensorType.get(numpy.array([3, 5]), F32Type.get()).shape == (3, 5)


def test_other_types():
    assert str(graph.TaskIdType.get()) == "!graph.task_id"
    array = graph.ArrayType.get(4, graph.TaskIdType.get())
    assert str(array) == "!graph.array<4 x !graph.task_id>"
    assert array.size == 4
    assert isinstance(array.element_type, graph.TaskIdType)
    assert graph.ArrayType.get(2**32 - 1, "index").size == 2**32 - 1


def test_types_come_out_of_mlir_as_their_classes():
    module = Module.parse(
        "graph.func private incore @k(in %a: !graph.tensor<16xf32>) -> (%a)"
    )
    op = module.body.operations[0]
    assert isinstance(op.type.inputs[0], graph.TensorType)
    assert isinstance(Type.parse("!graph.task_id"), graph.TaskIdType)
    assert isinstance(Type.parse("!graph.array<2 x f32>"), graph.ArrayType)
    assert isinstance(op.operation.attributes["kind"], graph.FunctionKindAttr)


def test_types_are_wrapped_without_the_builders():
    import subprocess
    import sys

    code = (
        "import pypto_graph; from mlir.ir import *\n"
        "with Context(): print(Type.parse('!graph.tensor<2x?xf32>').shape)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert output.stdout == "(2, None)\n"


def test_casts_between_classes():
    type_ = Type.parse("!graph.tensor<16xf32>")
    assert graph.TensorType(type_) == type_
    assert graph.TensorType.isinstance(type_)
    assert not graph.TensorType.isinstance(F32Type.get())
    for cls in (graph.TaskIdType, graph.ArrayType):
        with pytest.raises(ValueError, match=f"is no {cls.__name__}"):
            cls(type_)
    with pytest.raises(TypeError):
        graph.TensorType(None)


def test_types_of_an_explicit_context():
    other = Context()
    assert graph.TaskIdType.get(context=other).context is other
    f32 = F32Type.get(other)
    assert graph.TensorType.get([1], f32, context=other).context is other
    assert graph.TensorType.get([1], "f32", context=other).context is other
    with pytest.raises(ValueError, match="another context"):
        graph.TensorType.get([1], f32, context=Context.current)


ENUMS = [
    (graph.Runtime, graph.RuntimeAttr, "#graph.runtime<host_build_graph>"),
    (graph.FunctionKind, graph.FunctionKindAttr, "#graph.kind<incore>"),
    (graph.ParamDirection, graph.ParamDirectionAttr, "#graph.dir<inout>"),
    (graph.ArgDirection, graph.ArgDirectionAttr, "#graph.arg_dir<no_dep>"),
    (graph.ScopeKind, graph.ScopeKindAttr, "#graph.scope_kind<manual>"),
    (graph.Comparison, graph.ComparisonAttr, "#graph.cmp<le>"),
]


@pytest.mark.parametrize("enum, attr, text", ENUMS)
def test_enumerations(enum, attr, text):
    # The same keywords, in the same order, as the dialect has.
    keywords = _pyptoGraph.enum_keywords(enum.__name__)
    assert [member.value for member in enum] == keywords
    for member in enum:
        assert member.name == member.value.upper()
        made = attr.get(member)
        assert isinstance(made, attr)
        assert made.value is member
        assert made == attr.get(member.value) == attr.get(member.name)
        assert str(member) == member.value
        assert pickle.loads(pickle.dumps(member)) is member
    parsed = Attribute.parse(text)
    assert isinstance(parsed, attr)
    assert parsed.value.value in text
    with pytest.raises(ValueError, match=f"is no {enum.__name__}"):
        attr.get("nonsense")
    with pytest.raises(TypeError):
        attr.get(0)
    with pytest.raises(ValueError):
        attr(Attribute.parse("1 : i32"))


def test_members_of_another_enumeration_are_refused():
    # Both have the keyword "graph".
    with pytest.raises(TypeError):
        graph.FunctionKindAttr.get(graph.ScopeKind.GRAPH)


def test_comparison_operators():
    texts = ["==", "!=", "<", "<=", ">", ">="]
    assert [graph.Comparison(text) for text in texts] == list(graph.Comparison)


def test_invalid_extents():
    for shape in ([0], [-1], [2, 0], [1] * 6, [2**62, 16], [2**70], [-(2**63) + 1]):
        with pytest.raises(ValueError):
            graph.TensorType.get(shape, F32Type.get())
    for shape in (None, 4, "16", [1.0], ["1"], [True], [[1]]):
        with pytest.raises(TypeError):
            graph.TensorType.get(shape, F32Type.get())


def test_invalid_arrays():
    for size in (0, -1, 2**32, 2**70):
        with pytest.raises(ValueError):
            graph.ArrayType.get(size, IndexType.get())
    for size in (None, "4", 4.0, True):
        with pytest.raises(TypeError):
            graph.ArrayType.get(size, IndexType.get())
    for element in (graph.TensorType.get([1], "f32"), Type.parse("tuple<>")):
        with pytest.raises(ValueError, match="elements of an array"):
            graph.ArrayType.get(1, element)
    with pytest.raises(TypeError):
        graph.ArrayType.get(1, None)


def test_invalid_element_text():
    with pytest.raises(ValueError, match="element_type"):
        graph.TensorType.get([1], "float32")


def test_equality_and_hashes():
    shapes = {graph.TensorType.get([n], BF16Type.get()) for n in (1, 2, 1)}
    assert len(shapes) == 2
    assert graph.TensorType.get([1], IntegerType.get_signless(8)) != (
        graph.TensorType.get([1], IntegerType.get_unsigned(8))
    )
