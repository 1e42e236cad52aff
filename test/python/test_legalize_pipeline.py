# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scopes and declared functions end in the same program; so does a second run."""

from pathlib import Path

import pypto_graph
import pytest
from mlir.ir import Context, Module
from mlir.passmanager import PassManager
from pypto_graph.testing import assert_same_program, find_difference

HEADER = "module attributes {graph.runtime = #graph.runtime<host_build_graph>} {\n"

# acc += band of w, one band a layer (E2E01 and E2E02).
ADD_BAND = """
  graph.func private incore @add_band(in %band: !graph.tensor<128x128xf32>,
                                      inout %acc: !graph.tensor<128x128xf32>) -> (%acc)
"""
BAND_DECLARED = (
    HEADER
    + ADD_BAND
    + """
  graph.func graph @band(in %w: !graph.tensor<512x128xf32>,
                         inout %acc: !graph.tensor<128x128xf32>, in %li: index) -> (%acc) {
    %rows = arith.constant 128 : index
    %base = arith.muli %li, %rows : index
    %band = graph.slice %w[%base, 0] [128, 128]
        : !graph.tensor<512x128xf32> to !graph.tensor<128x128xf32>
    %acc1 = graph.call @add_band(%band, %acc)
        : (!graph.tensor<128x128xf32>, !graph.tensor<128x128xf32>)
        -> !graph.tensor<128x128xf32>
    graph.return %acc1 : !graph.tensor<128x128xf32>
  }
  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>,
                                 inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %sum = scf.for %li = %c0 to %c4 step %c1 iter_args(%a = %acc)
        -> (!graph.tensor<128x128xf32>) {
      %a1 = graph.call @band(%w, %a, %li)
          : (!graph.tensor<512x128xf32>, !graph.tensor<128x128xf32>, index)
          -> !graph.tensor<128x128xf32>
      scf.yield %a1 : !graph.tensor<128x128xf32>
    }
    graph.return %sum : !graph.tensor<128x128xf32>
  }
}
"""
)
BAND_SCOPE = (
    HEADER
    + ADD_BAND
    + """
  graph.func orchestration @main(in %w: !graph.tensor<512x128xf32>,
                                 inout %acc: !graph.tensor<128x128xf32>) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %rows = arith.constant 128 : index
    %sum = scf.for %li = %c0 to %c4 step %c1 iter_args(%a = %acc)
        -> (!graph.tensor<128x128xf32>) {
      %a1 = graph.scope graph "some_name" -> (!graph.tensor<128x128xf32>) {
        %base = arith.muli %li, %rows : index
        %band = graph.slice %w[%base, 0] [128, 128]
            : !graph.tensor<512x128xf32> to !graph.tensor<128x128xf32>
        %acc1 = graph.call @add_band(%band, %a)
            : (!graph.tensor<128x128xf32>, !graph.tensor<128x128xf32>)
            -> !graph.tensor<128x128xf32>
        graph.yield %acc1 : !graph.tensor<128x128xf32>
      }
      scf.yield %a1 : !graph.tensor<128x128xf32>
    }
    graph.return %sum : !graph.tensor<128x128xf32>
  }
}
"""
)

# Scratch (E2E04), two tasks with an inner dependency (E2E10), a derived scalar.
STAGES = """
  graph.func private incore @twice(in %x: !graph.tensor<64xf32>,
                                   out %y: !graph.tensor<64xf32>) -> (%y)
  graph.func private incore @add(in %x: !graph.tensor<64xf32>,
                                 inout %y: !graph.tensor<64xf32>, in %s: index) -> (%y)
"""
STAGES_DECLARED = (
    HEADER
    + STAGES
    + """
  graph.func graph @stages(in %n: index, inout %y: !graph.tensor<64xf32>,
                           in %x: !graph.tensor<64xf32>) -> (!graph.tensor<64xf32>) {
    %tmp = graph.create : !graph.tensor<64xf32>
    %t, %t0 = graph.submit @twice(%x, %tmp)
        : (!graph.tensor<64xf32>, !graph.tensor<64xf32>)
        -> (!graph.tensor<64xf32>, !graph.task_id)
    %c3 = arith.constant 3 : index
    %s = arith.addi %n, %c3 : index
    %r, %t1 = graph.submit @add(%t, %y, %s) deps(%t0 : !graph.task_id)
        : (!graph.tensor<64xf32>, !graph.tensor<64xf32>, index)
        -> (!graph.tensor<64xf32>, !graph.task_id)
    graph.return %r : !graph.tensor<64xf32>
  }
  graph.func opaque @main(in %x: !graph.tensor<64xf32>, in %n: index) {
    %y = graph.create : !graph.tensor<64xf32>
    %0 = graph.call @stages(%n, %y, %x)
        : (index, !graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    %1 = graph.call @stages(%n, %0, %x)
        : (index, !graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    %2 = graph.call @twice(%0, %y)
        : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return
  }
}
"""
)


def _stages_scope(name: str, out: str, result: str) -> str:
    return f"""
    {result} = graph.scope graph "{name}" -> (!graph.tensor<64xf32>) {{
      %tmp = graph.create : !graph.tensor<64xf32>
      %t, %t0 = graph.submit @twice(%x, %tmp)
          : (!graph.tensor<64xf32>, !graph.tensor<64xf32>)
          -> (!graph.tensor<64xf32>, !graph.task_id)
      %s = arith.addi %n, %c3 : index
      %r, %t1 = graph.submit @add(%t, {out}, %s) deps(%t0 : !graph.task_id)
          : (!graph.tensor<64xf32>, !graph.tensor<64xf32>, index)
          -> (!graph.tensor<64xf32>, !graph.task_id)
      graph.yield %r : !graph.tensor<64xf32>
    }}
"""


# One scope, so that both programs have one graph function with one launch.
STAGES_ONCE = STAGES_DECLARED.replace(
    """    %1 = graph.call @stages(%n, %0, %x)
        : (index, !graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
""",
    "",
)
STAGES_SCOPE = (
    HEADER
    + STAGES
    + """
  graph.func opaque @main(in %x: !graph.tensor<64xf32>, in %n: index) {
    %c3 = arith.constant 3 : index
    %y = graph.create : !graph.tensor<64xf32>
"""
    + _stages_scope("stages", "%y", "%0")
    + """    %2 = graph.call @twice(%0, %y)
        : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> !graph.tensor<64xf32>
    graph.return
  }
}
"""
)

# A device scope inside, in both forms.
DEVICE = """
      graph.scope incore {
        %a = graph.load %x[0] : !graph.tensor<64xf32> -> tensor<64xf32>
        %b = graph.load %c[0] : !graph.tensor<64xf32> -> tensor<64xf32>
        %sum = arith.addf %a, %b : tensor<64xf32>
        graph.store %sum, %c[0] : tensor<64xf32>, !graph.tensor<64xf32>
      }
"""
DEVICE_DECLARED = (
    HEADER
    + """
  graph.func graph @layer(inout %c: !graph.tensor<64xf32>, in %x: !graph.tensor<64xf32>) {
"""
    + DEVICE
    + """
    graph.return
  }
  graph.func orchestration @main(in %x: !graph.tensor<64xf32>,
                                 inout %c: !graph.tensor<64xf32>) {
    graph.call @layer(%c, %x) : (!graph.tensor<64xf32>, !graph.tensor<64xf32>) -> ()
    graph.return
  }
}
"""
)
DEVICE_SCOPE = (
    HEADER
    + """
  graph.func orchestration @main(in %x: !graph.tensor<64xf32>,
                                 inout %c: !graph.tensor<64xf32>) {
    graph.scope graph "layer" {
"""
    + DEVICE
    + """
    }
    graph.return
  }
}
"""
)

PAIRS = {
    "band": (BAND_DECLARED, BAND_SCOPE),
    "stages": (STAGES_ONCE, STAGES_SCOPE),
    "device": (DEVICE_DECLARED, DEVICE_SCOPE),
}


@pytest.fixture
def context():
    with Context() as context:
        yield context


def legalized(text: str) -> Module:
    return pypto_graph.legalize(text, pipeline=True)


@pytest.mark.parametrize("name", PAIRS)
def test_scopes_and_functions_converge(context, name):
    declared, scope = PAIRS[name]
    left, right = legalized(declared), legalized(scope)
    assert_same_program(left, right)
    assert_same_program(right, left)
    assert "graph.scope graph" not in str(right)


def test_decode_step_converges(context):
    examples = Path(__file__).parents[2] / "examples"
    left = pypto_graph.legalize(examples / "qwen3_14b_decode.mlir", pipeline=True)
    scopes = examples / "qwen3_14b_decode_scopes.mlir"
    right = pypto_graph.legalize(scopes, pipeline=True)
    assert_same_program(left, right)
    assert str(left) != str(right)


@pytest.mark.parametrize("form", [0, 1])
@pytest.mark.parametrize("name", PAIRS)
def test_pipeline_is_idempotent(context, name, form):
    module = legalized(PAIRS[name][form])
    once = str(module)
    assert str(pypto_graph.legalize(module, pipeline=True)) == once


def test_deterministic_with_and_without_threads():
    texts = set()
    for run in range(20):
        with Context() as context:
            context.enable_multithreading(run % 2 == 0)
            texts.add(str(legalized(STAGES_DECLARED)))
    assert len(texts) == 1


def test_runtime_option(context):
    default = BAND_SCOPE.replace("host_build_graph", "tensormap_and_ringbuffer")
    with pytest.raises(pypto_graph.LegalizationError) as caught:
        legalized(default)
    assert any(d.code == "graph-runtime" for d in caught.value.diagnostics)
    module = pypto_graph.legalize(default, pipeline=True, runtime="host_build_graph")
    assert_same_program(module, legalized(BAND_DECLARED))
    with pytest.raises(ValueError, match="no runtime 'cuda'"):
        pypto_graph.legalize(default, pipeline=True, runtime="cuda")
    with pytest.raises(ValueError, match="only the pipeline"):
        pypto_graph.legalize(default, runtime="host_build_graph")


def test_refused_module_is_as_it_was(context):
    text = BAND_SCOPE.replace("host_build_graph", "tensormap_and_ringbuffer")
    # Values outside of functions, one used before it is defined.
    body, end = text.rstrip().removesuffix("}"), "}\n"
    body += '%r = "t.a"(%s) : (i32) -> i32\n%s = "t.b"(%r) : (i32) -> i32\n'
    context.allow_unregistered_dialects = True
    module = Module.parse(body + end)
    before = str(module)
    function = module.body.operations[1]
    with pytest.raises(pypto_graph.LegalizationError):
        pypto_graph.legalize(module, pipeline=True)
    assert str(module) == before
    assert module.operation.verify()
    assert module.body.operations[1] == function


# What `find_difference` does and does not see.


def swapped(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


LAUNCHES = """module {
  graph.func private incore @k(in %x: !graph.tensor<4xf32>, inout %y: !graph.tensor<4xf32>)
  graph.func graph @g(in %x: !graph.tensor<4xf32>, inout %y: !graph.tensor<4xf32>) -> (%y) {
    graph.call @k(input %x, inout %y) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
    graph.return %y : !graph.tensor<4xf32>
  }
  graph.func orchestration @main(inout %x: !graph.tensor<4xf32>, inout %y: !graph.tensor<4xf32>) {
    %0 = graph.call @g(input %x, inout %y)
        : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> !graph.tensor<4xf32>
    graph.return
  }
}
"""
REORDERED = """module {
  graph.func orchestration @main(inout %x: !graph.tensor<4xf32>, inout %y: !graph.tensor<4xf32>) {
    %0 = graph.call @other(inout %y, input %x)
        : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> !graph.tensor<4xf32>
    graph.return
  }
  graph.func graph @other(inout %b: !graph.tensor<4xf32>, in %a: !graph.tensor<4xf32>) -> (%b) {
    graph.call @k(input %a, inout %b) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
    graph.return %b : !graph.tensor<4xf32>
  }
  graph.func private incore @k(in %x: !graph.tensor<4xf32>, inout %y: !graph.tensor<4xf32>)
}
"""


def test_same_up_to_names_and_orders(context):
    left, right = Module.parse(LAUNCHES), Module.parse(REORDERED)
    assert find_difference(left, right) is None
    assert find_difference(right, left) is None


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        # The launch passes the other buffer.
        ("@g(input %x, inout %y)", "@g(input %y, inout %x)", "operand"),
        ("input %x", "no_dep %x", "directions"),
        ("graph @g(in %x", "graph @g(inout %x", "direction of parameter"),
        ("-> (%y)", "-> (!graph.tensor<4xf32>)", "tied"),
        (
            "%0 = graph.call @g",
            "%t = graph.task_dummy : !graph.task_id\n%0 = graph.call @g",
            "graph.task_dummy",
        ),
        (
            "graph.func orchestration @main",
            "graph.func orchestration @entry",
            "functions",
        ),
    ],
)
def test_differences_are_found(context, old, new, what):
    text = swapped(LAUNCHES, old, new)
    if (
        "inout %x: !graph.tensor<4xf32>, inout %y: !graph.tensor<4xf32>) -> (%y) {"
        in text
    ):
        text = text.replace("graph.call @g(input %x", "graph.call @g(inout %x")
    left, right = Module.parse(text), Module.parse(REORDERED)
    difference = find_difference(left, right)
    assert difference is not None and what in difference
    with pytest.raises(AssertionError):
        assert_same_program(left, right)


def test_only_modules(context):
    with pytest.raises(TypeError):
        find_difference("module {}", Module.parse("module {}"))


# Checks between passes.


def test_pass_managers_check_properties(context):
    passes = PassManager.parse("builtin.module(derive-call-directions,canonicalize)")
    assert pypto_graph.add_property_checks(passes) is passes
    text = str(passes)
    assert text.count("check-properties") == 2
    assert "after=canonicalize" in text
    module = Module.parse(LAUNCHES)
    passes.run(module.operation)
    assert pypto_graph.check_properties(module, "CallDirectionsResolved") == []


def test_nested_pipelines_are_checked_as_one(context):
    passes = PassManager.parse(
        "builtin.module(derive-call-directions,"
        "graph.func(canonicalize{max-iterations=3},cse))"
    )
    text = str(pypto_graph.add_property_checks(passes))
    assert "after=graph.func:canonicalize+cse" in text
    # What is printed can be read again.
    assert str(PassManager.parse(text)) == text
    PassManager.parse(text).run(Module.parse(LAUNCHES).operation)
    with pytest.raises(TypeError):
        pypto_graph.add_property_checks(text)


def test_check_properties(context):
    module = Module.parse(BAND_SCOPE)
    diagnostics = pypto_graph.check_properties(module, "GraphOutlined")
    assert [d.code for d in diagnostics] == ["outline-scope-left"]
    assert pypto_graph.check_properties(module, "SplitIncoreOrch") == []
    assert len(pypto_graph.check_properties(module)) > 1
    assert pypto_graph.check_properties(legalized(BAND_SCOPE)) == []
    with pytest.raises(ValueError, match="no property 'Outlined'"):
        pypto_graph.check_properties(module, "Outlined")
    with pytest.raises(TypeError):
        pypto_graph.check_properties("module {}")
    assert "GraphOutlined" in pypto_graph.property_names()
