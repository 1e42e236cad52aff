# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is too long to write out: the limits of the boundary and long chains."""

import subprocess

import pytest

T = "!graph.tensor<128x128xf32>"


def verify(functions: str) -> subprocess.CompletedProcess[str]:
    """Run the verifier on these functions; it may fail, but not crash."""
    module = (
        "module attributes {graph.runtime = #graph.runtime<host_build_graph>} {\n"
        f"graph.func private incore @k(in %a: {T}, inout %c: {T}, in %s: index) -> (%c)\n"
        f"{functions}\n}}\n"
    )
    result = subprocess.run(
        ["pypto-opt", "-", "-verify-graph-boundary", "-o", "/dev/null"],
        input=module,
        capture_output=True,
        text=True,
    )
    assert result.returncode in (0, 1), result.stderr
    return result


def layer(params: str, body: str, result: str = "%c") -> str:
    """A graph function @layer that returns its parameter %c."""
    return (
        f"graph.func graph @layer({params}) -> (%c) {{\n{body}\n"
        f"graph.return {result} : {T}\n}}"
    )


@pytest.mark.parametrize("tensors", [128, 129])
def test_vb05_tensors(tensors: int):
    more = ", ".join(f"in %t{i}: {T}" for i in range(tensors - 1))
    call = f"graph.call @k(%c, %c, %s) : ({T}, {T}, index) -> {T}"
    result = verify(layer(f"inout %c: {T}, in %s: index, {more}", call))
    if tensors == 128:
        assert result.returncode == 0, result.stderr
    else:
        assert (
            "[graph-too-many-tensors] graph function '@layer' has 129 tensor parameters; "
            "the limit is 128" in result.stderr
        )
        assert result.stderr.count("error:") == 1


@pytest.mark.parametrize("scalars", [64, 65])
def test_vb05_scalars(scalars: int):
    more = ", ".join(f"in %s{i}: index" for i in range(scalars))
    call = f"graph.call @k(%c, %c, %s0) : ({T}, {T}, index) -> {T}"
    result = verify(layer(f"inout %c: {T}, {more}", call))
    if scalars == 64:
        assert result.returncode == 0, result.stderr
    else:
        assert (
            "[graph-too-many-scalars] graph function '@layer' has 65 scalar parameters; "
            "the limit is 64" in result.stderr
        )
        assert result.stderr.count("error:") == 1


LENGTH = 100_000


def test_chain_of_results():
    lines = ["%c0 = graph.cast %c : {T} to {T}".replace("{T}", T)]
    lines += [f"%c{i + 1} = graph.cast %c{i} : {T} to {T}" for i in range(LENGTH)]
    lines.append(f"graph.call @k(%c{LENGTH}, %c, %s) : ({T}, {T}, index) -> {T}")
    result = verify(
        layer(f"inout %c: {T}, in %s: index", "\n".join(lines), f"%c{LENGTH}")
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("leaf", ["%d", "%s"])
def test_chain_of_scalars(leaf: str):
    lines = [
        "%z = arith.constant 0 : index",
        f"%d = graph.dim %c, %z : {T}",
        f"%x0 = arith.addi {leaf}, %z : index",
    ]
    lines += [f"%x{i + 1} = arith.addi %x{i}, %x{i} : index" for i in range(LENGTH)]
    lines.append(f"graph.call @k(%c, %c, %x{LENGTH}) : ({T}, {T}, index) -> {T}")
    result = verify(layer(f"inout %c: {T}, in %s: index", "\n".join(lines)))
    if leaf == "%d":
        assert result.returncode == 0, result.stderr
    else:
        assert result.stderr.count("error: [graph-not-hoisted]") == 1


def test_chain_of_windows():
    w = "!graph.tensor<128x?xf32>"
    lines = [f"%v0 = graph.cast %c : {T} to {w}", "%n = arith.constant 64 : index"]
    lines += [
        f"%v{i + 1} = graph.slice %v{i}[0, 0] [128, %n] : {w} to {w}"
        for i in range(LENGTH)
    ]
    lines.append(f"%end = graph.slice %v{LENGTH}[%s, 0] [128, 128] : {w} to {T}")
    lines.append(f"graph.call @k(%end, %c, %s) : ({T}, {T}, index) -> {T}")
    result = verify(layer(f"inout %c: {T}, in %s: index", "\n".join(lines)))
    assert result.stderr.count("error: [graph-not-hoisted]") == 1, result.stderr


def test_chain_of_carried_tensors():
    """Loops in a row, each carrying the result of the one before."""
    lines = ["%z = arith.constant 0 : index", "%o = arith.constant 1 : index"]
    last = "%c"
    for i in range(1000):
        lines.append(
            f"%r{i} = scf.for %i{i} = %z to %o step %o iter_args(%a{i} = {last}) -> ({T}) {{\n"
            f"%n{i} = graph.call @k(%c, %a{i}, %i{i}) : ({T}, {T}, index) -> {T}\n"
            f"scf.yield %n{i} : {T}\n}}"
        )
        last = f"%r{i}"
    result = verify(layer(f"inout %c: {T}", "\n".join(lines), last))
    assert result.returncode == 0, result.stderr
