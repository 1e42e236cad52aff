#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure the translation into orchestration code against printing the module.

Both are timed in one process on the same module, without reading it. Prints a Markdown
table; what counts is the ratio.

    translation.py --ops 100000
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import pypto_graph
from mlir import ir

PREAMBLE = """\
!t = !graph.tensor<16x128xf32>
!w = !graph.tensor<4096x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
graph.func private aiv @k(in %a: !t, inout %o: !t, in %s: index) -> (%o)
"""
HEAD = "graph.func orchestration @main(in %w: !w, inout %o: !t, in %n: index) {"


def host(size: int) -> Iterator[str]:
    """One host function: scalars, windows, allocations and launches of them."""
    yield HEAD
    last, scalar = "%o", "%n"
    for i in range(size // 4):
        yield f"%s{i} = arith.addi {scalar}, %n : index"
        yield f"%v{i} = graph.slice %w[%s{i}, 0] [16, 128] : !w to !t"
        yield f"%b{i} = graph.create : !t"
        scalar = f"%s{i}"
        target = f"%b{i}" if i % 2 else last
        yield (
            f"%r{i} = graph.call @k(input %v{i}, inout {target}, scalar {scalar}) "
            ": (!t, !t, index) -> !t"
        )
        last = f"%r{i}"
    yield "graph.return"
    yield "}"


def graphs(size: int) -> Iterator[str]:
    """Graph functions of 250 loops with a task each; a run may launch a few."""
    count = max(1, size // 1000)
    for g in range(count):
        yield f"graph.func graph @g{g}(in %a: !t, inout %o: !t, in %n: index) {{"
        yield "%c0 = arith.constant 0 : index"
        yield "%c1 = arith.constant 1 : index"
        yield "%c4 = arith.constant 4 : index"
        for i in range(250):
            yield f"scf.for %i{i} = %c0 to %c4 step %c1 {{"
            yield f"%m{i} = arith.muli %i{i}, %c4 : index"
            yield (
                f"%r{i} = graph.call @k(input %a, inout %o, scalar "
                f"{f'%m{i}' if i % 2 else '%n'}) : (!t, !t, index) -> !t"
            )
            yield "}"
        yield "graph.return"
        yield "}"
    yield HEAD
    yield "%c0 = arith.constant 0 : index"
    yield "%a = graph.slice %w[0, 0] [16, 128] : !w to !t"
    for g in range(min(count, 8)):
        yield f"graph.call @g{g}(input %a, inout %o, scalar %n) : (!t, !t, index) -> ()"
    yield "graph.return"
    yield "}"


def chain(size: int) -> Iterator[str]:
    """One value through a chain of launches that pass it on."""
    yield HEAD
    yield "%a = graph.slice %w[0, 0] [16, 128] : !w to !t"
    last = "%o"
    for i in range(size):
        yield (
            f"%r{i} = graph.call @k(input %a, inout {last}, scalar %n) "
            ": (!t, !t, index) -> !t"
        )
        last = f"%r{i}"
    yield "graph.return"
    yield "}"


SHAPES: dict[str, Callable[[int], Iterator[str]]] = {
    "host": host,
    "graphs": graphs,
    "chain": chain,
}


def least_time(repeat: int, action: Callable[[], object]) -> float:
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def count_ops(module: ir.Module) -> int:
    count = 0

    def visit(_: ir.Operation) -> ir.WalkResult:
        nonlocal count
        count += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ops", type=int, default=100000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print("| shape | operations | print, s | translate, s | ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, shape in SHAPES.items():
        text = PREAMBLE + "\n".join(shape(options.ops)) + "\n}\n"
        with ir.Context():
            module = ir.Module.parse(text)
            printing = least_time(options.repeat, module.operation.get_asm)
            translation = least_time(
                options.repeat,
                lambda module=module: pypto_graph.to_orchestration(module),
            )
            print(
                f"| {name} | {count_ops(module)} | {printing:.3f} | {translation:.3f} "
                f"| {translation / printing:.2f} |"
            )


if __name__ == "__main__":
    main()
