# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pypto_graph.to_orchestration`: both texts, its errors, the same bytes every time."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pypto_graph
import pytest
from mlir import ir

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def band() -> ir.Module:
    return pypto_graph.legalize(
        EXAMPLES / "band.mlir", pipeline=True, context=ir.Context()
    )


def test_source_and_manifest(band):
    before = str(band)
    result = pypto_graph.to_orchestration(band)
    assert "void accumulate_band(const GraphTaskArgs &args) {" in result.source
    assert [kernel["name"] for kernel in result.manifest["kernels"]] == ["add_band"]
    assert result.manifest["graphs"][0]["nodes"] == 1
    assert str(band) == before


def test_text_is_as_good_as_a_module(band):
    with ir.Context():
        again = pypto_graph.to_orchestration(str(band))
    assert again.manifest == pypto_graph.to_orchestration(band).manifest


def test_a_module_that_is_not_legal_is_refused():
    with pytest.raises(pypto_graph.LegalizationError) as error:
        pypto_graph.to_orchestration(EXAMPLES / "band.mlir", context=ir.Context())
    codes = [diagnostic.code for diagnostic in error.value.diagnostics]
    assert "graph-missing-directions" in codes
    assert "graph-missing-property" in codes


def test_the_entry_can_be_named(band):
    assert pypto_graph.to_orchestration(band, entry="main").source
    with pytest.raises(pypto_graph.LegalizationError) as error:
        pypto_graph.to_orchestration(band, entry="add_band")
    assert error.value.diagnostics[0].code == "codegen-entry"
    with pytest.raises(TypeError):
        pypto_graph.to_orchestration(band, entry=3)


def test_what_is_no_module():
    with pytest.raises(TypeError):
        pypto_graph.to_orchestration(3)


def test_twenty_processes_write_the_same_bytes(tmp_path):
    legal = tmp_path / "legal.mlir"
    command = [
        shutil.which("pypto-opt"),
        str(EXAMPLES / "qwen3_14b_decode.mlir"),
        "--graph-legalize-pipeline",
        "-o",
        str(legal),
    ]
    subprocess.run(command, check=True)
    digests = set()
    for _ in range(20):
        manifest = tmp_path / "manifest.json"
        command = [
            shutil.which("pypto-translate"),
            "--graph-to-orchestration",
            f"--manifest={manifest}",
            str(legal),
        ]
        source = subprocess.run(command, check=True, capture_output=True).stdout
        digests.add(hashlib.sha256(source + manifest.read_bytes()).hexdigest())
    assert len(digests) == 1
