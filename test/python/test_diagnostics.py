# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`legalize`, its errors and warnings, and `explain`."""

import pickle
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import pypto_graph
import pytest
from mlir.ir import Context, InsertionPoint, Location, MLIRError, Module
from mlir.passmanager import PassManager
from pypto_graph import (
    Diagnostic,
    LegalizationError,
    LegalizationWarning,
    Severity,
    check_boundary,
    explain,
    legalize,
)
from pypto_graph._diagnostics import collect_diagnostics
from pypto_graph.dialects import graph

EXAMPLES = Path(__file__).parents[2] / "examples"
BAND = (EXAMPLES / "band.mlir").read_text()
BROKEN = (EXAMPLES / "broken.mlir").read_text()

# Two windows of one buffer that may or may not be the same at a launch.
ALIASING = """
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>)
  graph.func graph @g(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>) {
    graph.call @k(%a, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
    graph.return
  }
  graph.func orchestration @main(inout %w: !graph.tensor<64xf32>, in %i: index, in %j: index) {
    %a = graph.slice %w[%i] [4] : !graph.tensor<64xf32> to !graph.tensor<4xf32>
    %o = graph.slice %w[%j] [4] : !graph.tensor<64xf32> to !graph.tensor<4xf32>
    graph.call @g(%a, %o) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
    graph.return
  }
}
"""


# ---------------------------------------------------------------------------
# legalize
# ---------------------------------------------------------------------------


def test_legalizes_a_module_in_place():
    with Context():
        module = Module.parse(BAND)
        assert legalize(module) is module
        assert "in %view0: !graph.tensor<128x128xf32>" in str(module)


def test_legalizes_text_in_a_new_or_the_current_context():
    module = legalize(BAND)
    assert isinstance(module, Module)
    assert "%view0" in str(module)
    with Context() as context:
        assert legalize(BAND).context is context
        other = Context()
        assert legalize(BAND, context=other).context is other
        assert str(legalize(BAND)) == str(module)


def test_legalizes_bytecode_and_files():
    import io

    expected = str(legalize(BAND))
    with Context():
        buffer = io.BytesIO()
        Module.parse(BAND).operation.write_bytecode(buffer)
    assert str(legalize(buffer.getvalue())) == expected
    assert str(legalize(EXAMPLES / "band.mlir")) == expected
    with pytest.raises(FileNotFoundError):
        legalize(EXAMPLES / "nothing.mlir")


def test_refused_module_is_unchanged():
    with Context():
        module = Module.parse(BROKEN)
        before = str(module)
        with pytest.raises(LegalizationError) as info:
            legalize(module)
        assert str(module) == before
        module.operation.verify()
    error = info.value
    assert len(error.diagnostics) > 5
    for diagnostic in error.diagnostics:
        assert diagnostic.severity is Severity.ERROR
        assert diagnostic.code in pypto_graph.diagnostic_codes()
        assert diagnostic.message.startswith(f"[{diagnostic.code}] ")
        assert explain(diagnostic.code).code == diagnostic.code
        assert diagnostic.notes
        assert all(note.severity is Severity.NOTE for note in diagnostic.notes)


def test_diagnostics_say_where():
    path = EXAMPLES / "broken.mlir"
    with pytest.raises(LegalizationError) as info:
        legalize(path)
    first = info.value.diagnostics[0]
    assert first.code == "graph-out-param"
    assert Path(first.file) == path
    line = BROKEN.splitlines()[first.line - 1]
    assert line[first.column - 1 :].startswith("%trace")
    assert f"{path}:{first.line}:{first.column}: error: [graph-out-param]" in str(
        info.value
    )
    # The error of the tool, line for line.
    assert str(info.value).splitlines()[0] == "the module cannot be legalized"


def test_an_error_survives_pickling():
    with pytest.raises(LegalizationError) as info:
        legalize(BROKEN)
    copy = pickle.loads(pickle.dumps(info.value))
    assert copy.diagnostics == info.value.diagnostics
    assert str(copy) == str(info.value)


def test_strict_aliasing_and_warnings():
    with pytest.warns(LegalizationWarning, match="graph-boundary-alias") as record:
        module = legalize(ALIASING)
    assert "graph.call @g" in str(module)
    assert Path(record[0].filename).name == Path(__file__).name
    with pytest.raises(LegalizationError) as info:
        legalize(ALIASING, strict_aliasing=True)
    assert [d.code for d in info.value.diagnostics] == ["graph-boundary-alias"]


def test_no_warning_without_cause():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        legalize(BAND)


def test_a_module_built_in_python():
    with Context(), Location.unknown():
        module = Module.create()
        graph.set_runtime(module, "host_build_graph")
        with InsertionPoint(module.body):
            w_type = graph.TensorType.get([64, 8], "f32")
            o_type = graph.TensorType.get([16, 8], "f32")
            kernel = graph.declare(
                "incore", "k", {"w": o_type, "o": graph.InOut(o_type)}, ["%o"]
            )

            @graph.func("graph")
            def layer(
                w: graph.In(w_type), o: graph.InOut(o_type), i: graph.In("index")
            ):
                return kernel(graph.slice(w, [i, 0], [16, 8]), o)

            @graph.func("orchestration")
            def main(w: graph.In(w_type), o: graph.InOut(o_type), i: graph.In("index")):
                return layer(w, o, i)

        legalize(module)
        assert [p.name for p in layer.params] == ["w", "o", "i", "view0"]
        module.operation.verify()


def test_an_invalid_module_never_reaches_the_pass():
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            graph.FuncOp("graph", "unfinished", {"x": "!graph.tensor<4xf32>"})
        for verify in (True, False):
            with pytest.raises(LegalizationError, match="the module is invalid") as e:
                legalize(module, verify=verify)
            assert e.value.diagnostics[0].severity is Severity.ERROR


def test_unparsable_text():
    with pytest.raises(LegalizationError, match="no valid module") as info:
        legalize("graph.func graph @g(in %x: !graph.tensor<0xf32>)")
    (diagnostic,) = info.value.diagnostics
    assert (diagnostic.code, diagnostic.file, diagnostic.line) == (None, "-", 1)
    assert "extent" in diagnostic.message


@pytest.mark.parametrize("value", [None, 3, [], object(), Context])
def test_arguments_of_another_kind(value):
    with pytest.raises(TypeError, match="expected a module or its text"):
        legalize(value)


def test_contexts_of_another_kind():
    with pytest.raises(TypeError, match="context"):
        legalize(BAND, context=3)
    with Context():
        module = Module.parse(BAND)
    with pytest.raises(ValueError, match="another context"):
        legalize(module, context=Context())
    with Context():
        function = module.body.operations[0]
        with pytest.raises(TypeError):
            legalize(function)


def test_nothing_is_printed():
    """A notebook shows what Python raises and warns, not what C++ prints."""
    code = f"""
import warnings, pypto_graph
warnings.simplefilter("ignore")
pypto_graph.legalize({ALIASING!r})
for text in ({BROKEN!r}, "nonsense"):
    try:
        pypto_graph.legalize(text)
    except pypto_graph.LegalizationError:
        pass
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert (result.stdout, result.stderr) == ("", "")


def test_threads_have_their_own_contexts():
    results = []

    def run():
        for _ in range(3):
            results.append(str(legalize(BAND)))
            try:
                legalize(BROKEN)
            except LegalizationError as error:
                results.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 24
    assert len(set(results)) == 2


def test_the_context_is_left_as_it_was():
    with Context() as context:
        seen = []

        def handle(diagnostic):
            seen.append(diagnostic.message)
            return True

        context.attach_diagnostic_handler(handle)
        with pytest.raises(LegalizationError):
            legalize(BROKEN)
        assert seen == []
        assert context.emit_error_diagnostics is False
        # MLIR's own exceptions have their errors again.
        with pytest.raises(MLIRError) as info:
            PassManager.parse("builtin.module(legalize-graph-boundary)").run(
                Module.parse(BROKEN).operation
            )
        assert "[graph-out-param]" in str(info.value)
        Location.unknown().emit_error("after")
        assert seen[-1] == "after"


# ---------------------------------------------------------------------------
# check_boundary
# ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["band", "qwen3_14b_decode"])
def test_what_was_legalized_is_accepted(name):
    module = legalize(EXAMPLES / f"{name}.mlir")
    before = str(module)
    diagnostics = check_boundary(module)
    assert [d for d in diagnostics if d.severity is Severity.ERROR] == []
    assert str(module) == before


def test_what_was_not_is_refused():
    with Context():
        module = Module.parse(BAND)
        before = str(module)
        errors = [d for d in check_boundary(module) if d.severity == "error"]
        assert str(module) == before
    assert len(errors) == 1
    assert errors[0].code in pypto_graph.diagnostic_codes()
    assert (errors[0].line, errors[0].file) == (40, "-")


def test_aliasing_is_a_warning_or_an_error():
    (warning,) = check_boundary(ALIASING)
    assert (warning.severity, warning.code) == ("warning", "graph-boundary-alias")
    (error,) = check_boundary(ALIASING, strict_aliasing=True)
    assert (error.severity, error.code) == ("error", "graph-boundary-alias")


def test_check_of_something_else():
    with pytest.raises(LegalizationError, match="no valid module"):
        check_boundary("nonsense")
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            graph.FuncOp("graph", "unfinished")
        with pytest.raises(LegalizationError, match="the module is invalid"):
            check_boundary(module)
    for value in (None, 3, Context):
        with pytest.raises(TypeError):
            check_boundary(value)


# ---------------------------------------------------------------------------
# Diagnostics
# ---------------------------------------------------------------------------


def emitted(location: Location, message: str) -> Diagnostic:
    with collect_diagnostics(location.context) as diagnostics:
        location.emit_error(message)
    (diagnostic,) = diagnostics
    return diagnostic


@pytest.mark.parametrize(
    "message, code",
    [
        ("[graph-out-param] parameter", "graph-out-param"),
        ("'graph.call' op [graph-runtime] needs", "graph-runtime"),
        ("[x] one letter", "x"),
        ("no code", None),
        ("see [graph-out-param]", None),
        ("[Not a code]", None),
        ("[4] elements", None),
        ("[]", None),
        ("", None),
    ],
)
def test_codes(message, code):
    with Context() as context:
        diagnostic = emitted(Location.unknown(context), message)
    assert (diagnostic.code, diagnostic.message) == (code, message)
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == (None,) * 3
    assert str(diagnostic) == f"error: {message}"


def test_places():
    with Context():
        a = Location.file("a.py", 1, 2)
        b = Location.file("b.py", 3, 4)
        named = Location.name("loss", a)
        call = Location.callsite(a, [b])
        fused = Location.fused([Location.unknown(), b])
        nested = Location.name("outer", Location.fused([named, b]))
        found = [emitted(loc, "m") for loc in (a, named, call, fused, nested)]
    assert [(d.file, d.line, d.column) for d in found] == [
        ("a.py", 1, 2),
        ("a.py", 1, 2),
        ("a.py", 1, 2),
        ("b.py", 3, 4),
        ("a.py", 1, 2),
    ]
    assert str(found[0]) == "a.py:1:2: error: m"


def test_diagnostics_are_values():
    note = Diagnostic(Severity.NOTE, None, "because", "f", 2, 1)
    error = Diagnostic(Severity.ERROR, "graph-x", "[graph-x] bad", "f", 1, 1, (note,))
    assert str(error) == "f:1:1: error: [graph-x] bad\nf:2:1: note: because"
    assert pickle.loads(pickle.dumps(error)) == error
    assert hash(error) == hash(pickle.loads(pickle.dumps(error)))
    assert error.severity == "error"


# ---------------------------------------------------------------------------
# explain
# ---------------------------------------------------------------------------


@pytest.mark.parametrize("code", pypto_graph.diagnostic_codes())
def test_every_code_is_explained(code):
    explanation = explain(code)
    assert explanation == explain(f"[{code}]")
    text = str(explanation)
    for part in (
        explanation.code,
        explanation.summary,
        explanation.meaning,
        explanation.remedy,
    ):
        assert part.strip() and part in text
    assert explanation.example.strip().splitlines()[0] in text
    assert text.startswith(f"{code}: ")


def test_codes_are_many_and_distinct():
    codes = pypto_graph.diagnostic_codes()
    assert len(codes) > 20
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("code", ["graph-out-parm", "[graph-outparam]", "out-param"])
def test_unknown_code_names_close_ones(code):
    with pytest.raises(ValueError, match=r"did you mean .*graph-out-param"):
        explain(code)


@pytest.mark.parametrize("code", ["", "zzz", "[]"])
def test_unknown_code_with_nothing_close(code):
    with pytest.raises(ValueError, match="no diagnostic code") as info:
        explain(code)
    assert "did you mean" not in str(info.value)


@pytest.mark.parametrize("code", [None, 3, b"graph-out-param"])
def test_no_code(code):
    with pytest.raises(TypeError):
        explain(code)
