# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the documents and examples show works."""

import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def python_blocks(document: str) -> list[str]:
    text = (ROOT / document).read_text()
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document, count", [("docs/python.md", 5), ("README.md", 1)])
def test_python_of_a_document_runs(document, count, monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = python_blocks(document)
    assert len(blocks) >= count
    namespace: dict = {"__name__": "document"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for block in blocks:
            exec(compile(block, document, "exec"), namespace)


def test_band_from_python_is_the_band_of_the_text():
    program = [sys.executable, str(ROOT / "examples/band.py")]
    from_python = subprocess.run(program, capture_output=True, check=True)
    from_text = subprocess.run(
        [
            shutil.which("pypto-opt"),
            "--legalize-graph-boundary",
            str(ROOT / "examples/band.mlir"),
        ],
        capture_output=True,
        check=True,
    )
    assert from_python.stdout == from_text.stdout
    assert from_python.stderr == b""


def shown_block(start: str) -> str:
    """The block of the README that begins with a text, without that line."""
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (block,) = [block for block in blocks if block.startswith(start)]
    return block


def assert_shown(shown: str, real: str) -> None:
    """What is shown is some of the lines there are, in their order."""
    lines = iter(real.splitlines())
    for line in shown.splitlines():
        if line.strip() not in ("", "…"):
            assert line in lines, line


def run_shell(command: str, directory: str = ".") -> subprocess.CompletedProcess:
    return subprocess.run(
        command, shell=True, cwd=ROOT / directory, capture_output=True, text=True
    )


def test_replays_of_the_readme():
    for part in shown_block("$ pypto-replay").split("$ ")[1:]:
        command, shown = part.split("\n", 1)
        assert_shown(shown, run_shell(command).stdout)


def test_errors_of_the_readme():
    real = run_shell("pypto-opt --legalize-graph-boundary broken.mlir", "examples")
    assert real.returncode == 1
    assert_shown(shown_block("broken.mlir:"), real.stderr)


def test_orchestration_code_of_the_readme():
    text = (ROOT / "README.md").read_text()
    start = text.index("    pypto-opt --graph-legalize-pipeline --mlir-print-debuginfo")
    command = text[start : text.index("```cpp", start)]
    command = command.replace("--manifest=band.json", "--manifest=/dev/null")
    real = run_shell(command)
    assert_shown(shown_block("// graph function '@accumulate_band'"), real.stdout)
