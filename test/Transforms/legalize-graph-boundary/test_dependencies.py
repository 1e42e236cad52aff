# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dependencies that the first launch does not need and a later one does: what is
refused goes wrong in the model of the runtime in some order of the tasks, and what
is accepted does not in any."""

from __future__ import annotations

import re
import subprocess

import pytest

HEAD = """
!w = !graph.tensor<128xf32>
!t = !graph.tensor<16xf32>
!id = !graph.task_id
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @set(inout %a: !t)
  graph.func private incore @fill(out %a: !t)
  graph.func private incore @k(in %a: !t, inout %o: !t)
  graph.func private incore @all(in %a: !w, inout %o: !t)
"""

# `moving` starts at `stride * i`, from `first` to `last` - 1; `fixed` where it says.
MAIN = """
  graph.func orchestration @main(inout %w: !w, inout %o: !t, in %n: index, in %f: i1) {{
    %c1 = arith.constant 1 : index
    %first = arith.constant {first} : index
    %last = arith.constant {last} : index
    %stride = arith.constant {stride} : index
    %fixed = graph.slice %w[{fixed}] [16] : !w to !t
    scf.for %i = %first to %last step %c1 {{
      %start = arith.muli %i, %stride : index
      %moving = graph.slice %w[%start] [16] : !w to !t
      graph.call @g({args}, %moving, %o) : ({type}, !t, !t) -> ()
    }}
    graph.return
  }}
}}
"""

WRITE_READ = """
    graph.call @set(%a) : (!t) -> ()
    graph.call @k(%b, %o) : (!t, !t) -> ()
"""


def moving(
    body: str = WRITE_READ,
    *,
    fixed: int = 64,
    first: int = 0,
    last: int = 6,
    stride: int = 16,
    whole: bool = False,
) -> str:
    """A window that moves and, as `%a`, one that does not, or all of the buffer."""
    kind = "!w" if whole else "!t"
    main = MAIN.format(
        fixed=fixed,
        first=first,
        last=last,
        stride=stride,
        args="%w" if whole else "%fixed",
        type=kind,
    )
    return f"""{HEAD}
  graph.func graph @g(inout %a: {kind}, inout %b: !t, inout %o: !t) {{
{body}
    graph.return
  }}
{main}"""


def launches(calls: str, body: str = WRITE_READ) -> str:
    """Launches with windows of `%w` at the places they name."""
    windows = "".join(
        f"    %w{n} = graph.slice %w[{n}] [16] : !w to !t\n"
        for n in sorted({int(n) for n in re.findall(r"%w(\d+)", calls)})
    )
    calls = re.sub(r"g\((.*)\)", r"graph.call @g(\1, %o) : (!t, !t, !t) -> ()", calls)
    return f"""{HEAD}
  graph.func graph @g(inout %a: !t, inout %b: !t, inout %o: !t) {{
{body}
    graph.return
  }}
  graph.func orchestration @main(inout %w: !w, inout %o: !t, in %n: index, in %f: i1) {{
{windows}    %m = graph.slice %w[%n] [16] : !w to !t
    {calls}
    graph.return
  }}
}}"""


def kept(start: int, size: int, *, last: int = 6) -> str:
    """A window kept on all of the buffer is written, then the moving one read."""
    return moving(
        f"""
    %v = graph.slice %a[{start}] [{size}] : !w to !graph.tensor<{size}xf32>
    graph.call @update(%v) : (!graph.tensor<{size}xf32>) -> ()
    graph.call @k(%b, %o) : (!t, !t) -> ()
""",
        whole=True,
        last=last,
    ).replace(
        "@set(inout %a: !t)",
        "@set(inout %a: !t)\n"
        "  graph.func private incore @update(inout %a: !graph.tensor<?xf32>)",
    )


READ_WRITE = """
    graph.call @k(%b, %o) : (!t, !t) -> ()
    graph.call @set(%a) : (!t) -> ()
"""
READ_ONLY = """
    graph.call @k(%a, %o) : (!t, !t) -> ()
    graph.call @k(%b, %o) : (!t, !t) -> ()
"""
WRITE_WRITE = """
    graph.call @set(%a) : (!t) -> ()
    graph.call @fill(%b) : (!t) -> ()
"""
UNTRACKED = """
    graph.call @set(%a) : (!t) -> ()
    %id = graph.submit @k(%b, %o) {no_dep = array<i64: 0>} : (!t, !t) -> !id
"""
ORDERED = """
    %id = graph.submit @set(%a) : (!t) -> !id
    %id1 = graph.submit @k(%b, %o) deps(%id : !id) : (!t, !t) -> !id
"""
ORDERED_BY_DUMMY = """
    %id = graph.submit @set(%a) : (!t) -> !id
    %none = graph.array.create : !graph.array<2 x !id>
    %ids = graph.array.insert %id, %none[1] : !graph.array<2 x !id>
    %dummy = graph.task_dummy deps(%ids : !graph.array<2 x !id>) : !id
    %id1 = graph.submit @k(%b, %o) deps(%dummy : !id) : (!t, !t) -> !id
"""
OVERWRITTEN = """
    %id = graph.submit @set(%a) : (!t) -> !id
    %other = graph.submit @set(%o) : (!t) -> !id
    %none = graph.array.create : !graph.array<2 x !id>
    %ids = graph.array.insert %id, %none[1] : !graph.array<2 x !id>
    %others = graph.array.insert %other, %ids[1] : !graph.array<2 x !id>
    %id1 = graph.submit @k(%b, %o) deps(%others : !graph.array<2 x !id>) : (!t, !t) -> !id
"""
BY_ANOTHER_TASK = """
    graph.call @set(%a) : (!t) -> ()
    graph.call @k(%a, %o) : (!t, !t) -> ()
    graph.call @k(%b, %o) : (!t, !t) -> ()
"""
BY_ANOTHER_BRANCH = """
    graph.call @set(%a) : (!t) -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c1 step %c1 {
      graph.call @k(%a, %o) : (!t, !t) -> ()
    }
    graph.call @k(%b, %o) : (!t, !t) -> ()
"""
IN_LOOP = """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      graph.call @set(%a) : (!t) -> ()
      graph.call @k(%b, %o) : (!t, !t) -> ()
    }
"""
READS_ALL = """
    graph.call @set(%b) : (!t) -> ()
    graph.call @all(%a, %o) : (!w, !t) -> ()
"""
MANUAL = """
    graph.scope manual {
      graph.call @set(%a) : (!t) -> ()
    }
    graph.call @k(%b, %o) : (!t, !t) -> ()
"""

ACCEPTED = {
    "never meet": moving(fixed=112),
    "never meet, whatever the count": moving(fixed=16, stride=32, last=4),
    "overlap when recorded": moving(fixed=8),
    "reader first": moving(READ_WRITE),
    "nothing is written": moving(READ_ONLY),
    "writers are not ordered anyway": moving(WRITE_WRITE),
    "explicit": moving(ORDERED),
    "explicit, by an array and a dummy": moving(ORDERED_BY_DUMMY),
    "by another task": moving(BY_ANOTHER_TASK),
    "by another task in a loop": moving(BY_ANOTHER_BRANCH),
    "all of the buffer": moving(READS_ALL, whole=True),
    "kept window that overlaps when recorded": kept(8, 24),
    "kept window that is never met": kept(96, 32),
    "one launch": launches("g(%w0, %w32)"),
    "meet at the first launch alone": launches("g(%w0, %w8)\n    g(%w0, %w32)"),
}
REFUSED = {
    "meet later": moving(),
    "meet later, in half": moving(fixed=40),
    "in a manual scope": moving(MANUAL),
    "another task of the array": moving(OVERWRITTEN),
    "kept window": kept(32, 24),
    "second launch": launches("g(%w0, %w32)\n    g(%w0, %w8)"),
}
WARNED = {
    "tasks in a loop": moving(IN_LOOP),
    "second launch in a branch": launches(
        "g(%w0, %w32)\n    scf.if %f {\n      g(%w0, %w8)\n    }"
    ),
    "start not known": launches("g(%w0, %w32)\n    g(%w8, %m)"),
}
ORDERS = ("program", "reverse", "random:1", "random:2", "random:3")


def opt(text: str, *options: str) -> subprocess.CompletedProcess[str]:
    """The text through the pass or the verifier."""
    return subprocess.run(
        ["pypto-opt", "-", *options], input=text, capture_output=True, text=True
    )


def find(text: str, severity: str) -> list[str]:
    """The codes of diagnostics."""
    return re.findall(rf"{severity}: \[(\S+)\]", text)


def replay(text: str) -> list[int]:
    """The exit codes of runs in several orders; readers keep their place, which the
    program says, not the recording."""
    return [
        subprocess.run(
            [
                "pypto-replay",
                "-",
                "--entry=@main",
                f"--order={order}",
                "--order-readers",
                "--calls=2",
            ],
            input=text,
            capture_output=True,
            text=True,
        ).returncode
        for order in ORDERS
    ]


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(text: str):
    result = opt(text, "--legalize-graph-boundary")
    assert (result.returncode, result.stderr) == (0, "")
    verified = opt(
        result.stdout, "--verify-graph-boundary=warn-undecided=true", "-o", "/dev/null"
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    assert replay(result.stdout) == [0] * len(ORDERS)


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_refused(text: str):
    result = opt(text, "--legalize-graph-boundary")
    assert find(result.stderr, "error") == ["graph-stale-dependency"]
    # There is nothing to hoist: the text is what would be replayed.
    verified = opt(text, "--verify-graph-boundary", "-o", "/dev/null")
    assert find(verified.stderr, "error") == ["graph-stale-dependency"]
    outcomes = replay(text)
    assert outcomes[0] == 0
    assert 1 in outcomes


@pytest.mark.parametrize("text", WARNED.values(), ids=WARNED.keys())
def test_warned(text: str):
    result = opt(text, "--legalize-graph-boundary")
    assert result.returncode == 0
    assert find(result.stderr, "warning") == ["graph-stale-dependency"]
    verified = opt(result.stdout, "--verify-graph-boundary", "-o", "/dev/null")
    assert verified.returncode == 0
    for tool_pass in ("legalize", "verify"):
        strict = opt(text, f"--{tool_pass}-graph-boundary=strict-aliasing=true")
        assert "graph-stale-dependency" in find(strict.stderr, "error")


def test_not_tracked():
    """Who opts out of tracking is not ordered by the first launch either."""
    result = opt(moving(UNTRACKED), "--legalize-graph-boundary", "-o", "/dev/null")
    assert (result.returncode, result.stderr) == (0, "")


def test_warned_goes_wrong():
    """Where it was not proved it can be so all the same."""
    assert 1 in replay(WARNED["tasks in a loop"])
