#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure kernels: `improve-precision` against `canonicalize`, and an RMS norm of 32x2048
compiled, interpreted and in NumPy.

    kernels.py --tool build/bin/pypto-opt --size 100000

The passes run on a generated kernel of that many nodes, and of half as many; a pass that is
linear takes twice the time. Times are those of the passes alone: the verifier, which runs after
each and takes as long after any, is off. The package has to be importable for the second part.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
TIMING = ("--mlir-timing", "--verify-each=false")
OPS = ("add", "mul", "sub", "maximum")


def kernel(size: int) -> Iterator[str]:
    """A kernel of about ``size`` nodes: blocks of 50 nodes in bf16 and f32 with a load, two
    casts and a shared rounding each."""
    yield "!g = !graph.tensor<32x128xbf16>"
    yield "!l = tensor<32x128xbf16>"
    yield "!f = tensor<32x128xf32>"
    yield "graph.func incore @k(in %x: !g, out %o: !g) {"
    for block in range(max(1, size // 50)):
        name = f"b{block}_"
        yield f'  %{name}0 = asc.load "{name}load" %x[0, 0] : !g -> !l'
        last = 0
        for i in range(1, 24):
            op = OPS[i % len(OPS)]
            yield f'  %{name}{i} = asc.{op} "{name}n{i}" %{name}{last}, %{name}0 : !l'
            last = i
        yield f'  %{name}24 = asc.cast "{name}up" %{name}23 : !l to !f'
        for i in range(25, 47):
            op = OPS[i % len(OPS)]
            yield f'  %{name}{i} = asc.{op} "{name}n{i}" %{name}{i - 1}, %{name}24 : !f'
        yield f'  %{name}47 = asc.cast "{name}down" %{name}46 : !f to !l'
        yield f'  asc.store "{name}store" %{name}47, %o[0, 0] : !l, !g'
        yield f'  %{name}48 = asc.exp "{name}exp" %{name}47 : !l'
        yield f'  asc.store "{name}last" %{name}48, %o[0, 0] : !l, !g'
    yield "  graph.return"
    yield "}"


def time_passes(tool: str, size: int, repeat: int) -> dict[str, float]:
    """The least time of each pass, in milliseconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write("\n".join(kernel(size)))
        file.flush()
        best: dict[str, float] = {}
        for name in (
            "canonicalize",
            "improve-precision",
            "verify-asc-graph",
            "asc-dce",
        ):
            for _ in range(repeat):
                run = subprocess.run(
                    [tool, file.name, f"--{name}", *TIMING, "-o", "/dev/null"],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                match = re.search(
                    r"^ +([0-9.]+) +\( *[0-9.]+%\)  (?:Canonicalizer|ImprovePrecision"
                    r"|VerifyAscGraph|AscDce)$",
                    run.stderr,
                    re.M,
                )
                if match is None:
                    sys.exit(f"no time of {name} in:\n{run.stderr}")
                best[name] = min(best.get(name, 1e9), float(match.group(1)) * 1000)
    return best


def best_of(fn: Callable[[], object], number: int, repeat: int) -> float:
    """The least time of a call, in microseconds."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(number):
            fn()
        best = min(best, (time.perf_counter() - start) / number)
    return best * 1e6


def time_rmsnorm(repeat: int) -> list[tuple[str, float]]:
    """An RMS norm with three outputs, in three ways."""
    import numpy as np
    from mlir import ir
    from pypto_graph import kernels

    sys.path.insert(0, str(EXAMPLES))
    import rmsnorm_net01 as net01

    inputs = net01.make_ties(seed=0)
    outputs = net01.outputs()
    wide = [array.astype(np.float32) for array in inputs]

    def numpy() -> None:
        x, residual, weight = wide
        add = x + residual
        mean = np.mean(np.power(add, 2), axis=-1, keepdims=True)
        inv_rms = 1 / np.sqrt(mean + np.float32(1e-6))
        weight * (add * inv_rms)

    with ir.Context():
        module = net01.load("improve-precision")
        compiled = kernels.compile(module)
        return [
            (
                "compiled, bf16",
                best_of(lambda: compiled(*inputs, *outputs), 100, repeat),
            ),
            ("NumPy, f32", best_of(numpy, 100, repeat)),
            (
                "interpreted, bf16",
                best_of(
                    lambda: kernels.interpret(module, *inputs, *outputs), 2, repeat
                ),
            ),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default=shutil.which("pypto-opt") or "pypto-opt")
    parser.add_argument("--size", type=int, default=100_000, help="nodes of the kernel")
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()

    half = time_passes(args.tool, args.size // 2, args.repeat)
    full = time_passes(args.tool, args.size, args.repeat)
    print(f"| pass | {args.size // 2} nodes | {args.size} nodes | of canonicalize |")
    print("| --- | --- | --- | --- |")
    for name, value in full.items():
        ratio = value / max(full["canonicalize"], 1e-3)
        print(f"| {name} | {half[name]:.1f} ms | {value:.1f} ms | {ratio:.2f} |")
    print("\n| RMS norm, 32x2048 | µs | of compiled |\n| --- | --- | --- |")
    times = time_rmsnorm(args.repeat)
    for name, value in times:
        print(f"| {name} | {value:.0f} | {value / times[0][1]:.1f} |")


if __name__ == "__main__":
    main()
