# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pypto_graph.runtime`: programs run on NumPy arrays, eagerly and replayed."""

import gc
import inspect
import weakref
from pathlib import Path

import ml_dtypes
import numpy as np
import pypto_graph.runtime
import pytest
from mlir.ir import Context, Module
from pypto_graph import LegalizationError, legalize
from pypto_graph.runtime import ModelError, Report, compare, load

ROWS, LAYERS = 4, 4

# The decorator form of the band: every layer adds its rows of %w to %acc.
BAND = """
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @add(in %x: !graph.tensor<4x8xf32>,
                                 inout %acc: !graph.tensor<4x8xf32>) -> (%acc)
  graph.func graph @band(in %w: !graph.tensor<16x8xf32>, inout %acc: !graph.tensor<4x8xf32>,
                         in %i: index) {
    %rows = arith.constant 4 : index
    %base = arith.muli %i, %rows : index
    %x = graph.slice %w[%base, 0] [4, 8] : !graph.tensor<16x8xf32> to !graph.tensor<4x8xf32>
    %r = graph.call @add(%x, %acc)
        : (!graph.tensor<4x8xf32>, !graph.tensor<4x8xf32>) -> !graph.tensor<4x8xf32>
    graph.return
  }
  graph.func orchestration @main(in %w: !graph.tensor<16x8xf32>,
                                 inout %acc: !graph.tensor<4x8xf32>) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @band(%w, %acc, %i)
          : (!graph.tensor<16x8xf32>, !graph.tensor<4x8xf32>, index) -> ()
    }
    graph.return %acc : !graph.tensor<4x8xf32>
  }
}
"""


def add(x, acc):
    acc += x


def band_arguments():
    w = np.repeat(np.arange(1, LAYERS + 1, dtype=np.float32), ROWS)
    return np.repeat(w[:, None], 8, axis=1), np.zeros((ROWS, 8), np.float32)


def scalars(params, body="", results=""):
    """A program that only returns scalars."""
    types = ", ".join(p.split(": ")[1] for p in params)
    names = ", ".join(p.split(": ")[0] for p in params)
    arrow = f" -> ({results or types})"
    text = (
        f"graph.func orchestration @main({', '.join(f'in {p}' for p in params)}){arrow}"
    )
    return f"{text} {{ {body} graph.return {names} : {types} }}"


# --------------------------------------------------------------------------- #
# Runs
# --------------------------------------------------------------------------- #


@pytest.mark.parametrize("mode", ["eager", "replay"])
def test_e2e01_a_legal_program_gives_10(mode):
    w, acc = band_arguments()
    main = load(legalize(BAND), {"add": add}, mode)
    assert main(w, acc) is acc
    assert (acc == 10).all()
    kinds = [event.kind for event in main.events]
    assert kinds == (["recorded"] + ["replayed"] * 3 if mode == "replay" else [])
    assert main.num_tasks >= LAYERS


def test_e2e01_a_frozen_offset_gives_4():
    w, acc = band_arguments()
    load(BAND, {"add": add}, "eager")(w, acc)
    assert (acc == 10).all()
    acc[:] = 0
    load(BAND, {"add": add}, "replay")(w, acc)
    assert (acc == 4).all()


def test_e2e06_a_second_call_of_the_entry_starts_from_its_own_arguments():
    for keep in (False, True):
        for text, expected in ((legalize(BAND), (10, 110)), (BAND, (4, 104))):
            main = load(text, {"add": add}, "replay", keep_recordings=keep)
            w, acc = band_arguments()
            main(w, acc)
            assert (acc == expected[0]).all()
            second = np.full_like(acc, 100)
            main(w, second)
            assert (second == expected[1]).all()
            assert (acc == expected[0]).all()
            first = main.events[0].kind
            assert first == ("replayed" if keep else "recorded")


FIVE = BAND.replace(
    """    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @band(%w, %acc, %i)
          : (!graph.tensor<16x8xf32>, !graph.tensor<4x8xf32>, index) -> ()
    }
""",
    "".join(
        f"""    %s{n} = arith.constant {i} : index
    graph.call @band(%w, %acc, %s{n})
        : (!graph.tensor<16x8xf32>, !graph.tensor<4x8xf32>, index) -> ()
"""
        for n, i in enumerate((3, 0, 1, 2, 3))
    ),
)


def test_e2e07_five_call_sites_share_one_recording():
    w, acc = band_arguments()
    legal = legalize(FIVE)
    assert str(legal).count("graph.func graph") == 1
    main = load(legal, {"add": add}, "replay")
    main(w, acc)
    assert (acc == 4 + 1 + 2 + 3 + 4).all()
    assert [event.kind for event in main.events] == ["recorded"] + ["replayed"] * 4
    assert {event.function for event in main.events} == {"band"}
    boundary = [d for d in main.dump_definitions() if "node" not in d]
    assert len(boundary) == 1 and boundary[0]["function"] == "band"

    acc[:] = 0
    load(FIVE, {"add": add}, "replay")(w, acc)
    assert (acc == 5 * 4).all(), "every call is the first one"


@pytest.mark.parametrize("order", ["program", "reverse", "random"])
def test_the_order_of_tasks_does_not_matter(order):
    w, acc = band_arguments()
    load(legalize(BAND), {"add": add}, "replay", order=order, seed=3)(w, acc)
    assert (acc == 10).all()


def test_kernels_without_a_function_are_probes():
    w, acc = band_arguments()
    main = load(BAND)
    main(w, acc)
    first = acc.copy()
    assert first.any()
    acc[:] = 0
    main(w, acc)
    assert (acc == first).all(), "the same in, the same out"
    w[15, 7] += 1
    acc[:] = 0
    main(w, acc)
    assert (acc != first).any(), "everything a kernel got matters"


# --------------------------------------------------------------------------- #
# Arrays and scalars
# --------------------------------------------------------------------------- #


def test_kernels_get_the_buffers_themselves():
    w, acc = band_arguments()
    w.flags.writeable = False
    seen = []

    def kernel(x, acc_window):
        assert isinstance(x, np.ndarray) and x.dtype == np.float32
        assert np.shares_memory(x, w) and np.shares_memory(acc_window, acc)
        assert not x.flags.writeable and acc_window.flags.writeable
        with pytest.raises(ValueError):
            x[0] = 1
        seen.append(float(x[0, 0]))

    load(BAND, {"add": kernel})(w, acc)
    assert seen == [1, 2, 3, 4]


def test_windows_keep_their_strides_and_share_a_buffer():
    w, _ = band_arguments()
    both = np.zeros((8, 16), np.float32)
    acc = both[2:6, 4:12]
    load(BAND, {"add": add})(w, acc)
    assert (both[2:6, 4:12] == 10).all()
    assert both.sum() == 10 * 32

    text = """
    graph.func private incore @k(in %a: !graph.tensor<4xi32>, inout %b: !graph.tensor<4xi32>)
    graph.func orchestration @main(in %a: !graph.tensor<4xi32>, inout %b: !graph.tensor<4xi32>) {
      graph.call @k(%a, %b) : (!graph.tensor<4xi32>, !graph.tensor<4xi32>) -> ()
      graph.return
    }
    """
    buffer = np.arange(8, dtype=np.int32)

    def copy(a, b):
        b[:] = a + 1

    load(text, {"k": copy})(buffer[:4], buffer[2:6])
    assert buffer.tolist() == [0, 1, 1, 2, 3, 4, 6, 7]


@pytest.mark.parametrize(
    "element, dtype",
    [
        ("f16", np.float16),
        ("bf16", ml_dtypes.bfloat16),
        ("f32", np.float32),
        ("f64", np.float64),
        ("i1", np.bool_),
        ("i8", np.int8),
        ("i16", np.int16),
        ("i32", np.int32),
        ("i64", np.int64),
        ("ui8", np.uint8),
        ("ui16", np.uint16),
        ("ui32", np.uint32),
        ("ui64", np.uint64),
    ],
)
def test_element_types(element, dtype):
    type_ = f"!graph.tensor<2x2x{element}>"
    text = f"""
    graph.func private incore @k(in %a: {type_}, out %o: {type_})
    graph.func orchestration @main(in %a: {type_}, inout %o: {type_}) {{
      graph.call @k(%a, %o) : ({type_}, {type_}) -> ()
      graph.return
    }}
    """
    a = np.array([[0, 1], [1, 1]]).astype(dtype)
    o = np.zeros_like(a)

    def copy(x, y):
        assert x.dtype == y.dtype == dtype
        y[:] = x

    load(text, {"k": copy})(a, o)
    assert (o == a).all()


@pytest.mark.parametrize(
    "type_, values",
    [
        ("index", [0, 7, -1, 2**63 - 1]),
        ("i1", [True, False]),
        ("i8", [127, -128]),
        ("i32", [-5, 2**31 - 1]),
        ("i64", [-(2**63)]),
        ("ui8", [0, 255]),
        ("f16", [1.5, -0.25]),
        ("bf16", [1.5, 3]),
        ("f32", [0.5, float("inf")]),
        ("f64", [0.1, -1e300]),
    ],
)
def test_scalar_types(type_, values):
    main = load(scalars([f"%x: {type_}"]))
    for value in values:
        result = main(value)
        assert result == value and type(result) in (int, bool, float)


def test_kernels_get_scalars_in_the_order_of_the_parameters():
    text = """
    graph.func private incore @k(in %s: i8, in %a: !graph.tensor<?xf32>, in %f: bf16,
        inout %o: !graph.tensor<?xf32>, in %b: i1) -> (!graph.tensor<4xf32>)
    graph.func private incore @l(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
    graph.func orchestration @main(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>,
                                   in %s: i8, in %f: bf16, in %b: i1) {
      %r, %t = graph.submit @k(%s, %a, %f, %o, %b)
          : (i8, !graph.tensor<4xf32>, bf16, !graph.tensor<4xf32>, i1)
          -> (!graph.tensor<4xf32>, !graph.task_id)
      graph.call @l(%r, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
      graph.return
    }
    """
    seen = []

    def k(s, a, f, o, b, fresh, block_count):
        seen.append((s, f, b, block_count))
        fresh[:] = a * 2

    def copy(a, o):
        o[:] = a

    a, o = np.ones(4, np.float32), np.zeros(4, np.float32)
    load(text, {"k": k, "l": copy})(a, o, -3, 1.5, True)
    assert seen == [(-3, 1.5, True, 1)]
    assert (o == 2).all()


def test_results():
    text = """
    graph.func orchestration @main(inout %a: !graph.tensor<4xf32>, in %x: i32)
        -> (%a, i32, !graph.tensor<4xf32>) {
      %c = arith.constant 3 : i32
      %y = arith.addi %x, %c : i32
      %t = graph.create : !graph.tensor<4xf32>
      graph.return %a, %y, %t : !graph.tensor<4xf32>, i32, !graph.tensor<4xf32>
    }
    """
    a = np.zeros(4, np.float32)
    tied, number, fresh = load(text)(a, 4)
    assert tied is a and number == 7 and fresh is None


# --------------------------------------------------------------------------- #
# Comparisons
# --------------------------------------------------------------------------- #


def test_a_comparison_names_what_was_frozen():
    w, acc = band_arguments()
    report = compare(BAND, "main", [w, acc], kernels={"add": add})
    assert isinstance(report, Report) and not report.agrees
    assert len(report.calls) == 2
    call = report.calls[0]
    assert (call.difference.param, call.difference.index) == ("acc", (0, 0))
    assert (call.difference.replayed, call.difference.eager) == ("4", "10")
    assert call.culprit.kernel == "add" and "%x" in call.culprit.operand
    assert call.culprit.location.endswith(":10:10")
    assert call.num_replays == 3
    assert "differs" in str(report) and "first difference" in str(report)
    html = report._repr_html_()
    assert "differs" in html and "&#x27;add&#x27;" in html
    assert not acc.any(), "works on copies"


def test_a_comparison_of_a_legal_program_agrees():
    legal = legalize(BAND)

    def arguments(call):
        w, acc = band_arguments()
        return w + call, acc

    for order in ("program", "reverse", "random"):
        report = compare(legal, "@main", arguments, calls=4, order=order)
        assert report.agrees, report
        assert len(report.calls) == 4
        assert str(report).startswith("call 0: agrees")
        assert "agrees" in report._repr_html_()


def test_a_comparison_reports_programs_that_fail():
    text = BAND.replace("muli %i, %rows", "addi %rows, %rows").replace(
        "[%base, 0]", "[%base, 4]"
    )
    report = compare(text, "main", band_arguments(), calls=1)
    assert not report.agrees
    problem = report.calls[0].eager_problem
    assert "out of the extent" in problem.message
    assert (problem.line, problem.severity) == (9, "error")
    assert str(problem.notes[0]).startswith("note: rule: ")


def test_kernel_graphs_are_interpreted():
    path = Path(__file__).parents[2] / "examples/mlp_layers.mlir"
    rng = np.random.default_rng(1)

    def draw(*shape):
        return rng.uniform(-1, 1, shape).astype(ml_dtypes.bfloat16)

    shapes = [(8, 64), (64,), (256, 96), (256, 96), (384, 64)]
    arguments = [draw(*shape) for shape in shapes]
    report = compare(path, "main", arguments, calls=2)
    assert not report.agrees, "every layer takes the weights of the first"
    legal = legalize(path)
    report = compare(legal, "main", arguments, calls=2, order="random")
    assert report.agrees, report
    before = arguments[0].copy()
    load(legal)(*arguments)
    assert np.isfinite(arguments[0].astype(np.float32)).all()
    assert (arguments[0] != before).any()


# --------------------------------------------------------------------------- #
# Errors
# --------------------------------------------------------------------------- #


def test_a_kernel_that_raises_is_the_cause():
    def fail(x, acc):
        raise ZeroDivisionError("in the kernel")

    w, acc = band_arguments()
    with pytest.raises(ModelError) as caught:
        load(BAND, {"add": fail})(w, acc)
    (diagnostic,) = caught.value.diagnostics
    assert "kernel '@add' failed: ZeroDivisionError: in the kernel" in str(caught.value)
    assert diagnostic.line == 10
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(ModelError) as caught:
        compare(BAND, "main", [w, acc], kernels={"add": fail})
    assert isinstance(caught.value.__cause__, ZeroDivisionError)

    def interrupt(x, acc):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(BAND, {"add": interrupt})(w, acc)
    # The function is as good as before.
    load(BAND, {"add": add})(w, acc)
    assert (acc == 10).all()


def test_endless_programs_end():
    text = """
    graph.func orchestration @main(in %n: index) {
      %true = arith.constant true
      scf.while : () -> () {
        scf.condition(%true)
      } do {
        scf.yield
      }
      graph.return
    }
    """
    with pytest.raises(ModelError, match="error"):
        load(text, max_steps=1000)(3)


w, acc = band_arguments()
MISTAKES = [
    (TypeError, r"takes 2 arguments \(%w: 16x8xf32, %acc: 4x8xf32\), got 1", [w]),
    (TypeError, "%acc: 4x8xf32: expected an array of float32, got 3", [w, 3]),
    (TypeError, "got one of float64", [w.astype(float), acc]),
    (ValueError, r"got an array of shape \(8, 8\)", [w[:8], acc]),
    (ValueError, r"got an array of shape \(128,\)", [w.ravel(), acc]),
    (ValueError, "strides of", [w[::-1], acc]),
    (ValueError, "strides of", [np.broadcast_to(w[:1], w.shape), acc]),
]


@pytest.mark.parametrize("kind, message, arguments", MISTAKES)
def test_arguments_that_do_not_fit(kind, message, arguments):
    for mode in ("eager", "replay"):
        with pytest.raises(kind, match=message):
            load(BAND, mode=mode)(*arguments)
    with pytest.raises(kind, match=message):
        compare(BAND, "main", arguments)


def test_more_arguments_that_do_not_fit():
    w, acc = band_arguments()
    acc.flags.writeable = False
    with pytest.raises(ValueError, match=r"%acc.* the array is read-only"):
        load(BAND)(w, acc)
    memory = bytearray(4 * 256)
    w = np.frombuffer(memory, np.float32, 128).reshape(16, 8)
    acc = np.frombuffer(memory, np.float32, 32, offset=64).reshape(4, 8)
    with pytest.raises(ValueError, match=r"%acc.* shares memory with another argument"):
        load(BAND)(w, acc)
    empty = (
        "graph.func orchestration @main(in %a: !graph.tensor<?xf32>) { graph.return }"
    )
    with pytest.raises(ValueError, match="without elements"):
        load(empty)(np.zeros(0, np.float32))


@pytest.mark.parametrize(
    "type_, value, kind",
    [
        ("i8", 300, OverflowError),
        ("ui8", -1, OverflowError),
        ("i1", 2, OverflowError),
        ("index", 1.5, TypeError),
        ("i32", "3", TypeError),
        ("f32", "x", TypeError),
        ("f32", None, TypeError),
        ("index", np.zeros(1), TypeError),
    ],
)
def test_scalars_that_do_not_fit(type_, value, kind):
    with pytest.raises(kind, match="%x"):
        load(scalars([f"%x: {type_}"]))(value)


def test_mistakes_in_loading():
    with pytest.raises(LegalizationError, match="no valid module"):
        load("nonsense")
    with pytest.raises(TypeError, match="expected a module"):
        load(3)
    with pytest.raises(ValueError, match="no mode 'lazy'; there are eager, replay"):
        load(BAND, mode="lazy")
    with pytest.raises(ValueError, match="no order 'any'"):
        load(BAND, order="any")
    with pytest.raises(
        ValueError, match=r"no function @nope; there are @add, @band, @main"
    ):
        load(BAND, entry="nope")
    with pytest.raises(ValueError, match="@add cannot be called: it has no body"):
        load(BAND, entry="add")
    with pytest.raises(ValueError, match="no kernel @nope"):
        load(BAND, {"nope": add})
    with pytest.raises(TypeError, match="expected a function for @add"):
        load(BAND, {"add": 3})
    with pytest.raises(TypeError, match="expected a dictionary"):
        load(BAND, [add])
    with pytest.raises(TypeError, match="expected a name"):
        load(BAND, entry=None)
    with pytest.raises(ValueError, match="seed"):
        load(BAND, seed=-1)
    with pytest.raises(ValueError, match="calls"):
        compare(BAND, "main", band_arguments(), calls=0)


# --------------------------------------------------------------------------- #
# The rest
# --------------------------------------------------------------------------- #


def test_a_loaded_function_has_a_copy_of_the_module():
    with Context():
        module = Module.parse(BAND)
    main = load(module, {"add": add})
    for op in list(module.body.operations)[::-1]:
        op.erase()
    del module, op
    gc.collect()
    w, acc = band_arguments()
    main(w, acc)
    assert (acc == 10).all()
    assert repr(main) == "<eager @main(%w: 16x8xf32, %acc: 4x8xf32)>"


def test_a_function_and_a_kernel_that_knows_it_are_collected():
    class Kernel:
        def __call__(self, x, acc):
            acc += x

    kernel = Kernel()
    kernel.main = load(BAND, {"add": kernel})
    reference = weakref.ref(kernel)
    del kernel
    gc.collect()
    assert reference() is None


def test_everything_public_is_documented_and_typed():
    for name in pypto_graph.runtime.__all__:
        value = getattr(pypto_graph.runtime, name)
        assert inspect.getdoc(value), name
        if inspect.isfunction(value):
            for parameter in inspect.signature(value).parameters.values():
                assert parameter.annotation is not parameter.empty
