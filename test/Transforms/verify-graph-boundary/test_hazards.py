# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The hazards of boundary tensors of one buffer, both ways: what the verifier
refuses goes wrong in the model of the runtime, and what it accepts does not."""

import re
import subprocess
from pathlib import Path

import pytest

LEGALIZED = Path(__file__).parent.parent / "legalize-graph-boundary"

HEAD = """
!w = !graph.tensor<512x16xf32>
!l = !graph.tensor<128x16xf32>
!s = !graph.tensor<32x16xf32>
!q = !graph.tensor<16x16xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @kl(in %a: !l, in %b: !l, inout %o: !s) -> (%o)
  graph.func private incore @ks(in %a: !s, inout %o: !s) -> (%o)
  graph.func private incore @kq(in %a: !q, inout %o: !s) -> (%o)
"""

MAIN = """
  graph.func orchestration @main(in %w: !w, inout %c: !s) {{
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %fixed = graph.slice %w[{fixed}, 0] [128, 16] : !w to !l
    %first = arith.constant {first} : index
    scf.for %i = %first to %c4 step %c1 {{
      %off = arith.muli %i, %c128 : index
      %moving = graph.slice %w[%off, 0] [128, 16] : !w to !l
      graph.call @layer({args}, %c) : ({types}, !s) -> ()
    }}
    graph.return
  }}
}}
"""


def two_tensors(fixed: int) -> str:
    """A tensor that moves and one that does not, of one shape."""
    return f"""{HEAD}
  graph.func graph @layer(in %a: !l, in %b: !l, inout %c: !s) {{
    %0 = graph.call @kl(%a, %b, %c) : (!l, !l, !s) -> !s
    graph.return
  }}
{MAIN.format(args="%fixed, %moving", types="!l, !l", fixed=fixed, first=0)}"""


def kept_window(slots: str) -> str:
    """A window kept on the tensor that moves, and the tensor it is taken of."""
    return f"""{HEAD}
  graph.func graph @layer(in %w: !w, in %b: !l, inout %c: !s)
      attributes {{graph.slots = array<i64: {slots}>}} {{
    %v = graph.slice %b[32, 0] [32, 16] : !l to !s
    %0 = graph.call @ks(%v, %c) : (!s, !s) -> !s
    graph.return
  }}
{MAIN.format(args="%w, %moving", types="!w, !l", fixed=0, first=0)}"""


def two_bases(first: int) -> str:
    """Windows kept on both, from where the one that moves starts at first."""
    return f"""{HEAD}
  graph.func graph @layer(in %w: !w, in %b: !l, inout %c: !s)
      attributes {{graph.slots = array<i64: 1, 0, 2>}} {{
    %u = graph.slice %w[64, 0] [16, 16] : !w to !q
    %v = graph.slice %b[32, 0] [32, 16] : !l to !s
    %0 = graph.call @ks(%v, %c) : (!s, !s) -> !s
    %1 = graph.call @kq(%u, %c) : (!q, !s) -> !s
    graph.return
  }}
{MAIN.format(args="%w, %moving", types="!w, !l", fixed=0, first=first)}"""


def equal_window(offset: int) -> str:
    """A window kept in the body, of the shape of the tensor that moves."""
    return f"""{HEAD}
  graph.func graph @layer(in %w: !w, in %b: !l, inout %c: !s) {{
    %v = graph.slice %w[{offset}, 0] [128, 16] : !w to !l
    %0 = graph.call @kl(%v, %b, %c) : (!l, !l, !s) -> !s
    graph.return
  }}
{MAIN.format(args="%w, %moving", types="!w, !l", fixed=0, first=0)}"""


def run(tool: str, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool, "-", *options], input=text, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    "wrong, right, code",
    [
        # Equal when the first launch records, or only later, or never.
        (two_tensors(0), two_tensors(256), "graph-boundary-alias"),
        (two_tensors(0), two_tensors(64), "graph-boundary-alias"),
        # The moving base behind its root, or before it.
        (kept_window("0, 1, 2"), kept_window("1, 0, 2"), "graph-slot-order"),
        # The moving tensor before the window of the other, or behind it.
        (two_bases(0), two_bases(1), "graph-slot-order"),
        # The window is what moves when the first launch records, or never.
        (equal_window(0), equal_window(64), "graph-boundary-alias"),
        (equal_window(0), equal_window(128), "graph-boundary-alias"),
    ],
)
def test_hazard(wrong: str, right: str, code: str):
    refused = run("pypto-opt", wrong, "--verify-graph-boundary", "-o", "/dev/null")
    assert refused.returncode == 1
    assert re.findall(r"error: \[(\S+)\]", refused.stderr) == [code]
    shown = run("pypto-replay", wrong, "--entry=@main")
    assert shown.returncode == 1, shown.stdout
    assert "differ" in shown.stdout

    accepted = run("pypto-opt", right, "--verify-graph-boundary", "-o", "/dev/null")
    assert (accepted.returncode, accepted.stderr) == (0, "")
    shown = run("pypto-replay", right, "--entry=@main", "--calls=2")
    assert shown.returncode == 0, shown.stdout
    assert re.search(r"@layer replayed [23] times", shown.stdout)


def accepted_pieces() -> list:
    """The programs with an entry that the tests of the pass accept."""
    found = []
    for name in ("aliasing", "slots", "take-turns", "unroll"):
        text = (LEGALIZED / f"{name}.mlir").read_text()
        for i, piece in enumerate(re.split(r"^// -----.*$", text, flags=re.M)):
            if "@main(" in piece:
                found.append(pytest.param(piece, id=f"{name}-{i}"))
    assert len(found) > 12
    return found


@pytest.mark.parametrize("text", accepted_pieces())
def test_accepted_programs_replay_right(text: str):
    legalized = run("pypto-opt", text, "--legalize-graph-boundary")
    assert legalized.returncode == 0, legalized.stderr
    options = ["--entry=@main", "--calls=2"]
    if re.search(r"@main\(.*in %n: index", legalized.stdout):
        options.append("--args=n=0:1")  # where windows are inside their tensors
    shown = run("pypto-replay", legalized.stdout, *options)
    assert shown.returncode == 0, shown.stdout + shown.stderr
