# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sizes a boundary, a task and a recording can have, at and above the limit."""

import re
import subprocess

import pytest

TENSOR = "!graph.tensor<16xf32>"


def legalize(text: str) -> tuple[str, list[str]]:
    """Returns the output of the pass and the first lines of its errors."""
    done = subprocess.run(
        ["pypto-opt", "--legalize-graph-boundary"],
        input=text,
        capture_output=True,
        text=True,
    )
    errors = re.findall(r"error: (.*)", done.stderr)
    assert (done.returncode == 0) == (not errors), done.stderr
    return done.stdout, errors


def module(*functions: str) -> str:
    runtime = "{graph.runtime = #graph.runtime<host_build_graph>}"
    return f"module attributes {runtime} {{\n" + "\n".join(functions) + "\n}\n"


def kernel(name: str, tensors: int, scalars: int) -> str:
    params = [f"inout %t{i}: {TENSOR}" for i in range(tensors)]
    params += [f"in %s{i}: index" for i in range(scalars)]
    return f"graph.func private incore @{name}({', '.join(params)})"


def call(name: str, tensors: list[str], scalars: list[str]) -> str:
    types = [TENSOR] * len(tensors) + ["index"] * len(scalars)
    return f"graph.call @{name}({', '.join(tensors + scalars)}) : ({', '.join(types)}) -> ()"


def scalar_params(count: int) -> str:
    return "".join(f", in %n{i}: index" for i in range(count))


# LD04: scalars that are parameters to begin with.
@pytest.mark.parametrize("count", [64, 65])
def test_scalar_params(count: int):
    _, errors = legalize(
        module(
            kernel("k", 1, 0),
            f"graph.func graph @g(inout %c: {TENSOR}{scalar_params(count)}) {{",
            call("k", ["%c"], []),
            "graph.return }",
        )
    )
    if count == 64:
        assert errors == []
    else:
        (error,) = errors
        assert error.startswith("[graph-too-many-scalars]")
        assert "'@g' has 65 scalars" in error and "at most 64" in error


# LD05: hoisted ones count. Values no task sees and equal ones do not.
@pytest.mark.parametrize("derived", [4, 5])
def test_hoisted_scalars(derived: int):
    body = []
    for i in range(derived):
        body += [
            f"%c{i} = arith.constant {i + 2} : index",
            f"%x{i} = arith.muli %n0, %c{i} : index",
            f"%again{i} = arith.muli %n0, %c{i} : index",
            f"%unseen{i} = arith.addi %x{i}, %n1 : index",
            call("k", ["%c"], [f"%x{i}"]),
            call("k", ["%c"], [f"%again{i}"]),
        ]
    output, errors = legalize(
        module(
            kernel("k", 1, 1),
            f"graph.func graph @g(inout %c: {TENSOR}{scalar_params(60)}) {{",
            *body,
            "graph.return }",
        )
    )
    if derived == 4:
        assert errors == []
        assert "in %scalar3: index)" in output
    else:
        (error,) = errors
        assert (
            error.startswith("[graph-too-many-scalars]") and "has 65 scalars" in error
        )


# Tensors that are parameters, allocations that become some, windows that do.
@pytest.mark.parametrize("kind", ["param", "alloc", "view"])
@pytest.mark.parametrize("count", [128, 129])
def test_tensors(kind: str, count: int):
    params, body = f"inout %c: {TENSOR}", []
    for i in range(count - 1):
        if kind == "param":
            params += f", inout %t{i}: {TENSOR}"
        elif kind == "alloc":
            body.append(f"%t{i} = graph.create : {TENSOR}")
        else:
            body.append(
                f"%t{i} = graph.slice %c[0] [{i % 15 + 1}] : {TENSOR} to "
                f"!graph.tensor<{i % 15 + 1}xf32>"
            )
        if kind != "view":
            body.append(call("k", [f"%t{i}"], []))
    if kind == "view":
        # Windows of one shape at 127 or 128 places.
        params = "inout %c: !graph.tensor<4096xf32>"
        body = []
        for i in range(count - 1):
            body.append(
                f"%t{i} = graph.slice %c[{16 * i}] [16] : !graph.tensor<4096xf32> to {TENSOR}"
            )
            body.append(call("k", [f"%t{i}"], []))
    output, errors = legalize(
        module(
            kernel("k", 1, 0),
            f"graph.func graph @g({params}) {{",
            *body,
            "graph.return }",
        )
    )
    if count == 128:
        assert errors == []
        assert "graph.create" not in output and "graph.slice" not in output
    else:
        (error,) = errors
        assert error.startswith("[graph-too-many-tensors]")
        assert "has 129 tensors" in error and "at most 128" in error


# Both tables at once: both are reported.
def test_both_tables():
    params = ", ".join(f"inout %t{i}: {TENSOR}" for i in range(130))
    _, errors = legalize(
        module(
            kernel("k", 1, 0),
            f"graph.func graph @g({params}{scalar_params(70)}) {{",
            call("k", ["%t0"], []),
            "graph.return }",
        )
    )
    assert [re.match(r"\[([a-z-]+)\]", error)[1] for error in errors] == [
        "graph-too-many-tensors",
        "graph-too-many-scalars",
    ]


# A task: 32 tensors, 16 scalars.
@pytest.mark.parametrize("tensors, scalars", [(32, 16), (33, 16), (32, 17), (33, 17)])
def test_task(tensors: int, scalars: int):
    _, errors = legalize(
        module(
            kernel("k", tensors, scalars),
            f"graph.func graph @g(inout %c: {TENSOR}, in %n: index) {{",
            call("k", ["%c"] * tensors, ["%n"] * scalars),
            "graph.return }",
        )
    )
    assert len(errors) == (tensors > 32) + (scalars > 16)
    assert all(error.startswith("[graph-task-limits]") for error in errors)
    assert any(f"{tensors} tensors" in error for error in errors) == (tensors > 32)
    assert any(f"{scalars} scalars" in error for error in errors) == (scalars > 16)


# Omitted `out` arguments are tensors of the task, too.
@pytest.mark.parametrize("omitted", [1, 2])
def test_task_with_omitted_arguments(omitted: int):
    params = [f"inout %t{i}: {TENSOR}" for i in range(31)]
    params += [f"out %o{i}: {TENSOR}" for i in range(omitted)]
    args = ", ".join(["%c"] * 31)
    types = ", ".join([TENSOR] * 31)
    _, errors = legalize(
        module(
            f"graph.func private incore @k({', '.join(params)})",
            f"graph.func graph @g(inout %c: {TENSOR}) {{",
            f"%t = graph.submit @k({args}) : ({types}) -> (!graph.task_id)",
            "graph.return }",
        )
    )
    assert len(errors) == (omitted > 1)


# 128 dependencies; an array counts with all that fits.
@pytest.mark.parametrize("count", [128, 129])
def test_dependencies(count: int):
    array = f"!graph.array<{count - 1} x !graph.task_id>"
    _, errors = legalize(
        module(
            f"graph.func graph @g(inout %c: {TENSOR}) {{",
            "%t = graph.task_dummy : !graph.task_id",
            f"%a = graph.array.create : {array}",
            f"%d = graph.task_dummy deps(%a, %t : {array}, !graph.task_id) : !graph.task_id",
            "graph.return }",
        )
    )
    assert len(errors) == (count > 128)
    assert all("129 dependencies" in error for error in errors)


# E2E13 and LD36: 20 buffers in a two-trip loop are two nodes an iteration.
@pytest.mark.parametrize("launches, accepted", [(510, True), (511, False)])
def test_allocation_batches(launches: int, accepted: bool):
    body = [f"%t{i} = graph.create : {TENSOR}" for i in range(20)]
    body += [call("k", [f"%t{i % 20}"], []) for i in range(launches)]
    _, errors = legalize(
        module(
            kernel("k", 1, 0),
            f"graph.func graph @g(inout %c: {TENSOR}) {{",
            "%c0 = arith.constant 0 : index",
            "%c1 = arith.constant 1 : index",
            "%c2 = arith.constant 2 : index",
            "scf.for %i = %c0 to %c2 step %c1 {",
            *body,
            "}",
            "graph.return }",
        )
    )
    if accepted:
        assert errors == []
    else:
        assert errors[0].startswith("[graph-too-many-nodes]")
        assert f"records {2 * (launches + 2)} nodes" in errors[0]
