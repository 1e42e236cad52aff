# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the runtime keeps for one run, and the argument tables of tasks that the host
launches: the pass and the verifier say the same."""

import re
import subprocess

import pytest

T = "!graph.tensor<16xf32>"
BOTH = pytest.mark.parametrize(
    "check", ["--legalize-graph-boundary", "--verify-graph-boundary"]
)


def run(
    check: str, functions: str, runtime: str = "host_build_graph"
) -> subprocess.CompletedProcess[str]:
    """Run one of the two on these functions; it may fail, but not crash."""
    module = (
        f"module attributes {{graph.runtime = #graph.runtime<{runtime}>}} {{\n"
        f"graph.func private incore @k(inout %c: {T}) -> (%c)\n{functions}\n}}\n"
    )
    result = subprocess.run(
        ["pypto-opt", "-", check, "-o", "/dev/null"],
        input=module,
        capture_output=True,
        text=True,
    )
    assert result.returncode in (0, 1), result.stderr
    return result


def graphs(count: int) -> str:
    return "\n".join(
        f"graph.func graph @g{i}(inout %c: {T}) {{\n"
        f"graph.call @k(%c) : ({T}) -> {T}\ngraph.return }}"
        for i in range(count)
    )


def host(name: str, callees: list[str]) -> str:
    calls = "\n".join(f"graph.call @{callee}(%c) : ({T}) -> ()" for callee in callees)
    return (
        f"graph.func orchestration @{name}(inout %c: {T}) {{\n{calls}\ngraph.return }}"
    )


def heads(result: subprocess.CompletedProcess[str]) -> list[str]:
    return re.findall(r"(?:error|warning): (.*)", result.stderr)


@BOTH
@pytest.mark.parametrize("count", [8, 9, 16, 17])
def test_graphs_of_one_entry(check: str, count: int):
    """Directly and behind a call, whichever is launched how often."""
    names = [f"g{i}" for i in range(count)]
    result = run(
        check,
        graphs(count)
        + host("helper", names[5:])
        + host("main", [*names[:5], "helper", "g0"]),
    )
    code = "[graph-too-many-graphs]"
    assert (result.returncode != 0) == (count > 16)
    if count <= 8:
        assert result.stderr == ""
        return
    (head,) = heads(result)
    if count <= 16:
        assert head == (
            f"{code} a run from '@main' launches {count} graph functions, more than 8 may "
            "not all be replayed"
        )
        assert "the first that is too much, '@g8', is launched here" in result.stderr
    else:
        assert head == (
            f"{code} a run from '@main' launches 17 graph functions, at most 16 are possible"
        )
        assert "the first that is too much, '@g16', is launched here" in result.stderr


@BOTH
def test_entries_are_counted_apart(check: str):
    """Graphs that no entry launches count for none."""
    result = run(
        check,
        graphs(24)
        + host("prefill", [f"g{i}" for i in range(8)])
        + host("decode", [f"g{i}" for i in range(8, 16)])
        + host("ping", ["pong"] + [f"g{i}" for i in range(24)])
        + host("pong", ["ping"]),
    )
    assert (result.returncode, result.stderr) == (0, "")


def kernel(tensors: int, scalars: int) -> str:
    params = [f"in %t{i}: {T}" for i in range(tensors)]
    params += [f"in %s{i}: index" for i in range(scalars)]
    return f"graph.func private incore @big({', '.join(params)})\n"


def launch(tensors: int, scalars: int, deps: int) -> str:
    args = ", ".join(["%c"] * tensors + ["%n"] * scalars)
    types = ", ".join([T] * tensors + ["index"] * scalars)
    tasks = "\n".join(f"%d{i} = graph.task_dummy : !graph.task_id" for i in range(deps))
    clause = ""
    if deps:
        names = ", ".join(f"%d{i}" for i in range(deps))
        clause = f" deps({names} : {', '.join(['!graph.task_id'] * deps)})"
    return (
        f"graph.func orchestration @main(inout %c: {T}, in %n: index) {{\n{tasks}\n"
        f"%t = graph.submit @big({args}){clause} : ({types}) -> !graph.task_id\n"
        "graph.return }"
    )


@BOTH
@pytest.mark.parametrize(
    "sizes, what",
    [
        ((32, 16, 128), None),
        ((33, 1, 0), "33 tensors, at most 32 are possible"),
        ((1, 17, 0), "17 scalars, at most 16 are possible"),
        ((1, 1, 129), "129 dependencies, at most 128 are possible"),
    ],
)
def test_tasks_of_the_host(check: str, sizes: tuple[int, int, int], what: str | None):
    result = run(check, kernel(*sizes[:2]) + launch(*sizes))
    if what is None:
        assert (result.returncode, result.stderr) == (0, "")
        return
    assert result.returncode == 1
    assert heads(result) == [f"[graph-task-limits] task in function '@main' has {what}"]
    # The limits are those of this runtime.
    other = run(check, kernel(*sizes[:2]) + launch(*sizes), "tensormap_and_ringbuffer")
    assert (other.returncode, other.stderr) == (0, "")
