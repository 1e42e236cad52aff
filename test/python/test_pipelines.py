# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes through Python give the bytes that the tool gives."""

import io
import re
import shutil
import subprocess
from pathlib import Path

import pypto_graph  # noqa: F401
import pytest
from mlir.ir import Context, MLIRError, Module
from mlir.passmanager import PassManager

EXAMPLES = Path(__file__).parents[2] / "examples"
TOOL = shutil.which("pypto-opt")
PIPELINES = [
    "canonicalize,cse",
    "inline,canonicalize,cse,symbol-dce",
    "legalize-graph-boundary",
    "legalize-graph-boundary{strict-aliasing=false},canonicalize",
]


def tool(*arguments: str) -> bytes:
    assert TOOL, "pypto-opt is not on PATH"
    return subprocess.run([TOOL, *arguments], capture_output=True, check=True).stdout


@pytest.mark.parametrize("name", ["band", "qwen3_14b_decode"])
@pytest.mark.parametrize("passes", PIPELINES)
def test_same_bytes_as_the_tool(name, passes):
    path = str(EXAMPLES / f"{name}.mlir")
    pipeline = f"builtin.module({passes})"
    with Context():
        module = Module.parseFile(path)
        before = str(module)
        PassManager.parse(pipeline).run(module.operation)
        text = str(module)
        bytecode = io.BytesIO()
        module.operation.write_bytecode(bytecode)
    if "legalize" in passes:
        assert text != before
    flag = f"--pass-pipeline={pipeline}"
    # `str` and the tool end a module with one newline each.
    assert tool(flag, path) == text.encode() + b"\n"
    assert tool(flag, "--emit-bytecode", path) == bytecode.getvalue()


def test_every_pass_name_is_known():
    sources = (EXAMPLES.parent / "lib").glob("[!T]*/*.td")
    sources = [*sources, *(EXAMPLES.parent / "lib/Transforms").glob("*.td")]
    names = [
        match
        for source in sources
        for match in re.findall(r'\bPass<"([a-z-]+)"', source.read_text())
    ]
    assert "legalize-graph-boundary" in names
    with Context():
        for name in names:
            PassManager.parse(f"builtin.module({name})")


@pytest.mark.parametrize(
    "pipeline",
    [
        "builtin.module(no-such-pass)",
        "builtin.module(legalize-graph-boundary{no-such-option=1})",
        "builtin.module(legalize-graph-boundary{strict-aliasing=maybe})",
        "builtin.module(legalize-graph-boundary",
    ],
)
def test_wrong_pipelines_are_exceptions(pipeline):
    with Context(), pytest.raises((ValueError, MLIRError)):
        PassManager.parse(pipeline)


def test_wrong_operation_is_an_exception():
    with Context():
        module = Module.parse((EXAMPLES / "band.mlir").read_text())
        function = module.body.operations[0]
        with pytest.raises((ValueError, MLIRError)):
            PassManager.parse("builtin.module(legalize-graph-boundary)").run(
                function.operation
            )
