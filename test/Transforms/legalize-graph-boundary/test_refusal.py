# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module that is refused stays as it is, to the byte, and is refused the same
way every time; what is accepted is rewritten the same way every time."""

import re
import subprocess
from itertools import takewhile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PASS = "--legalize-graph-boundary"
STRICT = f"{PASS}=strict-aliasing=true"


def run(text: str, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["pypto-opt", *options], input=text, capture_output=True, text=True
    )


def pieces(invalid: bool) -> list:
    """The modules in the test files of this directory."""
    found = []
    for path in sorted(HERE.glob("*.mlir")):
        if path.stem.endswith("-invalid") != invalid:
            continue
        for i, piece in enumerate(
            re.split(r"^// -----.*$", path.read_text(), flags=re.M)
        ):
            # Expectations would be looked at whenever the tool fails.
            piece = re.sub(r"^ *// (expected-|R[U]N).*\n", "", piece, flags=re.M)
            found.append(pytest.param(piece, id=f"{path.stem}-{i}"))
    assert found
    return found


@pytest.mark.parametrize("option", [PASS, STRICT])
@pytest.mark.parametrize("text", pieces(invalid=True))
def test_refused_module_is_untouched(text: str, option: str):
    before = run(text, "--mlir-print-debuginfo")
    assert before.returncode == 0, before.stderr
    refused = run(
        text, option, "--mlir-print-ir-after-failure", "--mlir-print-debuginfo"
    )
    if refused.returncode == 0:
        assert "error:" not in refused.stderr
        return
    dump = re.search(r"^// -----// IR Dump After \S+ Failed.*\n", refused.stderr, re.M)
    after = refused.stderr[dump.end() :]
    assert after.startswith(before.stdout.rstrip())
    assert refused.stdout == ""


@pytest.mark.parametrize("option", [PASS, STRICT])
@pytest.mark.parametrize("text", pieces(invalid=True))
def test_refusal_is_deterministic(text: str, option: str):
    first = run(text, option)
    assert run(text, option).stderr == first.stderr
    assert run(text, option, "--mlir-disable-threading").stderr == first.stderr


@pytest.mark.parametrize("text", pieces(invalid=True))
def test_every_violation_is_explained(text: str):
    """Errors have a code and say in notes why and what to do."""
    lines = re.findall(r"(error|warning|note): (.*)", run(text, STRICT).stderr)
    for begin, (kind, message) in enumerate(lines):
        if kind == "note":
            continue
        assert re.match(r"\[graph-[a-z-]+\] ", message)
        notes = list(takewhile(lambda line: line[0] == "note", lines[begin + 1 :]))
        # A property that is missing needs no reason, only the pass to run first.
        assert len(notes) >= (1 if "[graph-missing-property]" in message else 2), (
            message
        )
        assert all(len(note) > 10 for _, note in notes)


@pytest.mark.parametrize("text", pieces(invalid=False))
def test_rewriting_is_deterministic(text: str):
    first = run(text, PASS)
    assert first.returncode == 0, first.stderr
    assert run(text, PASS).stdout == first.stdout
    assert run(text, PASS, "--mlir-disable-threading").stdout == first.stdout
    # The generic form is the same module.
    generic = run(first.stdout, "--mlir-print-op-generic").stdout
    assert run(generic).stdout == first.stdout
