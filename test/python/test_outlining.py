# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Outlining through Python: same bytes as the tool, and all or nothing."""

import shutil
import subprocess
from pathlib import Path

import pypto_graph  # noqa: F401
import pytest
from mlir.ir import Context, MLIRError, Module
from mlir.passmanager import PassManager

EXAMPLE = Path(__file__).parents[2] / "examples/scopes.mlir"
TOOL = shutil.which("pypto-opt")
OUTLINE = "builtin.module(outline-graph-scopes,outline-incore-scopes)"

# Fine scopes around two that are not, each wrong in its own way.
REFUSED = """
!t = !graph.tensor<4xi64>
graph.func private incore @k(inout %o: !t, in %i: i64) -> (%o)
graph.func orchestration @main(inout %o: !t, in %n: i64) {
  %r:2 = graph.scope graph "fine" -> (!t, i64) {
    %m = arith.muli %n, %n : i64
    %o1 = graph.call @k(%o, %m) : (!t, i64) -> !t
    graph.yield %o1, %m : !t, i64
  }
  %s = graph.scope graph "scalar" -> (i64) {
    %x = graph.read %r#0[0] : !t
    graph.yield %x : i64
  }
  graph.scope graph "outer" {
    graph.scope graph "inner" {
      graph.call @k(%o, %s) : (!t, i64) -> !t
    }
  }
  graph.return
}
"""


@pytest.mark.parametrize(
    "passes", [OUTLINE, f"{OUTLINE[:-1]},legalize-graph-boundary)"]
)
def test_same_bytes_as_the_tool(passes):
    with Context():
        module = Module.parseFile(str(EXAMPLE))
        PassManager.parse(passes).run(module.operation)
        text = str(module)
    assert "graph.scope" not in text
    result = subprocess.run(
        [TOOL, f"--pass-pipeline={passes}", str(EXAMPLE)],
        capture_output=True,
        check=True,
    )
    assert result.stdout == text.encode() + b"\n"


def test_same_bytes_in_any_process():
    command = [TOOL, f"--pass-pipeline={OUTLINE}", str(EXAMPLE)]
    outputs = {
        subprocess.run([*command, *flags], capture_output=True, check=True).stdout
        for flags in ([], [], ["--mlir-disable-threading"])
    }
    assert len(outputs) == 1


def test_a_refused_module_is_left_as_it_was():
    with Context():
        module = Module.parse(REFUSED)
        before = str(module)
        with pytest.raises(MLIRError) as caught:
            PassManager.parse("builtin.module(outline-graph-scopes)").run(
                module.operation
            )
        assert str(module) == before
        assert module.operation.verify()
    messages = [diagnostic.message for diagnostic in caught.value.error_diagnostics]
    assert len(messages) == 2
    assert messages[0].startswith("[outline-nested-scope] graph scope 'inner'")
    assert messages[1].startswith(
        "[outline-scalar-result] scalar result #0 of graph scope 'scalar'"
    )


def test_a_module_without_scopes_is_left_as_it_was():
    source = EXAMPLE.with_name("band.mlir")
    with Context():
        module = Module.parseFile(str(source))
        before = str(module)
        PassManager.parse(OUTLINE).run(module.operation)
        assert str(module) == before
