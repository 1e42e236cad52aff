# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""VB24: the pass never makes what the verifier rejects.

Every module of the pass's own tests and of the examples is legalized; what comes
out must have the property. What the pass refuses must not make the verifier crash.
"""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [
    *sorted((ROOT / "test/Transforms/legalize-graph-boundary").glob("*.mlir")),
    *sorted((ROOT / "examples").glob("*.mlir")),
]


def run(module: str, *passes: str) -> subprocess.CompletedProcess[str]:
    """Run passes on a module; it may fail, but not crash."""
    # Modules that expect diagnostics would be checked for them.
    module = module.replace("expected-", "expected ")
    result = subprocess.run(
        ["pypto-opt", "-", *passes], input=module, capture_output=True, text=True
    )
    assert result.returncode in (0, 1), result.stderr
    return result


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_output_has_the_property(source: Path):
    modules = source.read_text().split("// -----\n")
    for number, module in enumerate(modules):
        if run(module).returncode != 0:
            continue
        legalized = run(module, "-legalize-graph-boundary")
        if legalized.returncode == 0:
            verified = run(legalized.stdout, "-verify-graph-boundary")
            assert verified.returncode == 0, (number, verified.stderr)
        else:
            run(module, "-verify-graph-boundary")


def test_there_is_something_to_test():
    assert len(SOURCES) > 3
