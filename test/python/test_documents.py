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
