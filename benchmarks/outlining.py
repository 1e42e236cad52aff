#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure the outlining passes on modules with many scopes.

Each shape is run at a size and at half of it; a pass that is linear takes twice
the time. Prints a Markdown table.

    outlining.py --tool build/bin/pypto-opt --size 20000
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

PREAMBLE = """\
!t = !graph.tensor<16x128xf32>
graph.func private incore @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
"""
SIGNATURE = "(in %x: !t, inout %o: !t, in %n: index)"
LAUNCH = "graph.call @k(%x, %o, %n) : (!t, !t, index) -> !t"


def statements(size: int, kind: str) -> Iterator[str]:
    """One function of ``size`` statements with three scopes among them."""
    yield f"graph.func orchestration @main{SIGNATURE} {{"
    for i in range(size):
        yield f"  %s{i} = arith.addi %{'n' if i == 0 else f's{i - 1}'}, %n : index"
        if i % (size // 3) == size // 6:
            yield f'  graph.scope {kind} "scope{i}" {{'
            yield f"    graph.call @k(%x, %o, %s{i}) : (!t, !t, index) -> !t"
            yield "  }"
    yield "  graph.return"
    yield "}"


def big_scope(size: int, kind: str) -> Iterator[str]:
    """One scope of ``size`` statements, whose scalar result needs them all."""
    yield f"graph.func orchestration @main{SIGNATURE} {{"
    yield f'  %r = graph.scope {kind} "scope" -> (index) {{'
    yield f"    {LAUNCH}"
    for i in range(size):
        yield f"    %s{i} = arith.addi %{'n' if i == 0 else f's{i - 1}'}, %n : index"
    yield f"    graph.yield %s{size - 1} : index"
    yield "  }"
    yield "  graph.call @k(%x, %o, %r) : (!t, !t, index) -> !t"
    yield "  graph.return"
    yield "}"


def scopes(size: int, kind: str, name: Callable[[int], str]) -> Iterator[str]:
    """One function of ``size`` scopes, each reading what the last one returned."""
    yield f"graph.func orchestration @main{SIGNATURE} {{"
    last = "o"
    for i in range(size):
        yield f"  %r{i} = graph.scope {kind} {name(i)} -> (!t) {{"
        yield f"    %y = graph.call @k(%x, %{last}, %n) : (!t, !t, index) -> !t"
        yield "    graph.yield %y : !t"
        yield "  }"
        last = f"r{i}"
    yield f"  graph.call @k(%x, %{last}, %n) : (!t, !t, index) -> !t"
    yield "  graph.return"
    yield "}"


def functions(size: int, kind: str) -> Iterator[str]:
    """``size`` functions with one scope each."""
    for i in range(size):
        yield f"graph.func orchestration @main{i}{SIGNATURE} {{"
        yield f'  graph.scope {kind} "scope{i}" {{'
        yield f"    {LAUNCH}"
        yield "  }"
        yield "  graph.return"
        yield "}"


def captures(size: int, kind: str) -> Iterator[str]:
    """One scope that reads ``size`` values of outside."""
    yield f"graph.func orchestration @main{SIGNATURE} {{"
    for i in range(size):
        yield f"  %s{i} = arith.addi %n, %n : index"
    yield f'  graph.scope {kind} "scope" {{'
    for i in range(size):
        yield f"    graph.call @k(%x, %o, %s{i}) : (!t, !t, index) -> !t"
    yield "  }"
    yield "  graph.return"
    yield "}"


def nested(size: int, kind: str) -> Iterator[str]:
    """Wrappers around wrappers around a kernel, ``size`` scopes in all."""
    del kind
    yield f"graph.func orchestration @main{SIGNATURE} {{"
    for _ in range(size // 3):
        yield "  graph.scope spmd { graph.scope cluster { graph.scope incore {"
        yield f"    {LAUNCH}"
        yield "  } } }"
    yield "  graph.return"
    yield "}"


SHAPES: dict[str, Callable[[int, str], Iterator[str]]] = {
    "statements": statements,
    "big-scope": big_scope,
    "scopes": lambda size, kind: scopes(size, kind, lambda i: f'"scope{i}"'),
    "same-name": lambda size, kind: scopes(size, kind, lambda _: '"scope"'),
    "functions": functions,
    "captures": captures,
    "nested": nested,
}


def pass_seconds(tool: str, source: Path, option: str, repeat: int) -> float:
    """The best time of the pass alone."""
    command = [tool, str(source), f"--{option}", "--mlir-timing", "-o", "/dev/null"]
    command += ["--mlir-timing-display=list", "--verify-each=false"]
    best = float("inf")
    for _ in range(repeat):
        report = subprocess.run(
            command, check=True, capture_output=True, text=True
        ).stderr
        name = "".join(part.capitalize() for part in option.split("-"))
        found = re.search(rf"^\s*([0-9.]+) \(.*\)\s+{name}\s*$", report, re.MULTILINE)
        if not found:
            sys.exit(f"no time of {option} in:\n{report}")
        best = min(best, float(found[1]))
    return best


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--tool", default=shutil.which("pypto-opt"), help="path of pypto-opt"
    )
    parser.add_argument("--size", type=int, default=20000, help="statements or scopes")
    parser.add_argument(
        "--repeat", type=int, default=3, help="runs of each measurement"
    )
    arguments = parser.parse_args(argv)
    if not arguments.tool:
        parser.error("no pypto-opt on PATH; name it with --tool")

    print(f"| shape | pass | {arguments.size // 2} | {arguments.size} | growth |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "module.mlir")
        for shape, emit in SHAPES.items():
            for option, kind in (
                ("outline-graph-scopes", "graph"),
                ("outline-incore-scopes", "incore"),
            ):
                if shape == "nested" and kind == "graph":
                    continue
                times = []
                for size in (arguments.size // 2, arguments.size):
                    source.write_text(PREAMBLE + "\n".join(emit(size, kind)) + "\n")
                    times.append(
                        pass_seconds(arguments.tool, source, option, arguments.repeat)
                    )
                growth = times[1] / max(times[0], 1e-4)
                print(
                    f"| {shape} | {option} | {times[0]:.3f} s | {times[1]:.3f} s | {growth:.1f} |"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
