#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generate big modules in the ``graph`` dialect for benchmarks.

The modules are as a front end leaves them: constants repeated, identities and
renames kept, equal expressions written out again, values nobody reads. They are
not legal as they stand, but all of them can be legalized: boundaries, nodes and
tasks stay within the limits of the runtime. The same arguments give the same
bytes.

    generate.py --ops 100000 --shape mixed -o mixed.mlir
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

# Extents. Every graph function has the signature (in W, inout A, in index) -> A.
ROWS = 4096
LAYERS = 40
# Hoisted views have 1 to 100 rows, all different within a function, so that no
# two of them can ever be one boundary tensor. Windows that stay have more rows.
WINDOW_ROWS = 120

PREAMBLE = """\
!w = !graph.tensor<4096x128xf32>
!a = !graph.tensor<128x128xf32>
!v = !graph.tensor<?x128xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
"""

KERNELS = [
    "graph.func private incore @add(in %x: !v, inout %o: !a, in %s: index) -> (%o)",
    "graph.func private aiv @scale(in %x: !a, out %o: !a, in %s: index, in %t: index) -> (%o)",
    "graph.func private aic @gather(in %x0: !v, in %x1: !v, in %x2: !v, in %x3: !v, in %x4: !v,"
    + " inout %o: !a, in %s0: index, in %s1: index, in %s2: index) -> (%o)",
]


class Emitter:
    """Writes operations and counts them; names are unique within a function."""

    def __init__(self, out: TextIO, seed: int) -> None:
        self.out = out
        self.seed = seed
        self.rng = random.Random(seed)
        self.ops = 0
        self.functions: list[str] = []
        self._names = 0
        self._depth = 1

    # -- text -------------------------------------------------------------

    def line(self, text: str) -> None:
        """Write one line at the current indentation."""
        self.out.write("  " * self._depth + text + "\n")

    def stmt(self, text: str) -> None:
        """Write an operation without results."""
        self.ops += 1
        self.line(text)

    def value(self, text: str) -> str:
        """Write an operation with one result and return the result's name."""
        name = f"%v{self._names}"
        self._names += 1
        self.stmt(f"{name} = {text}")
        return name

    def open(self, text: str) -> None:
        """Write an operation that opens a region."""
        self.stmt(text)
        self._depth += 1

    def close(self, text: str = "}") -> None:
        """Close the region opened last."""
        self._depth -= 1
        self.line(text)

    # -- small pieces -----------------------------------------------------

    def const(self, value: int) -> str:
        """Write an ``index`` constant, always a new one."""
        return self.value(f"arith.constant {value} : index")

    def binary(self, op: str, lhs: str, rhs: str) -> str:
        """Write a binary ``index`` operation."""
        return self.value(f"arith.{op} {lhs}, {rhs} : index")

    def chain(self, start: str, length: int, rng: random.Random | None = None) -> str:
        """Write about ``length`` operations that compute a scalar from ``start``."""
        rng = rng or self.rng
        value = start
        end = self.ops + length
        while self.ops < end:
            kind = rng.randrange(8)
            if kind == 0:
                value = self.binary("addi", value, self.const(0))
            elif kind == 1:
                value = self.binary("muli", value, self.const(1))
            elif kind == 2:
                value = self.value(f"graph.alias {value} : index")
            elif kind == 3:
                value = self.binary("maxui", value, start)
            elif kind == 4:
                value = self.binary("muli", value, self.const(rng.randrange(2, 9)))
            elif kind == 5:
                # Constants to fold before they are used.
                addend = self.binary(
                    "addi", self.const(rng.randrange(64)), self.const(rng.randrange(64))
                )
                value = self.binary("addi", value, addend)
            else:
                value = self.binary("addi", value, self.const(rng.randrange(1, 512)))
        return value

    def dead(self, start: str, length: int) -> None:
        """Write operations whose result nobody reads."""
        self.chain(start, length)

    def offset(self, value: str) -> str:
        """Bring a scalar into [0, 1023], where every window of ours is inside."""
        return self.binary("andi", value, self.const(1023))

    def view(self, source: str, source_type: str, offset: str, rows: int) -> str:
        """Write a window of ``rows`` rows."""
        return self.value(
            f"graph.slice {source}[{offset}, 0] [{rows}, 128] : {source_type} to !graph.tensor<{rows}x128xf32>"
        )

    def add(self, tensor: str, tensor_type: str, acc: str, scalar: str) -> str:
        """Launch ``@add``."""
        return self.value(
            f"graph.call @add({tensor}, {acc}, {scalar}) : ({tensor_type}, !a, index) -> !a"
        )

    def begin_graph(self) -> None:
        """Open the next graph function."""
        name = f"g{len(self.functions)}"
        self.functions.append(name)
        self._names = 0
        self.open(
            f"graph.func graph @{name}(in %w: !w, inout %acc: !a, in %li: index) -> (%acc) {{"
        )

    def end_graph(self, acc: str) -> None:
        """Return the accumulator and close the function."""
        self.stmt(f"graph.return {acc} : !a")
        self.close()

    def call_graph(self, name: str, acc: str, scalar: str) -> str:
        """Launch a graph function."""
        return self.value(
            f"graph.call @{name}(%w, {acc}, {scalar}) : (!w, !a, index) -> !a"
        )


# -- graph functions ----------------------------------------------------------


def plain_function(e: Emitter, units: int) -> None:
    """A function as a layer is: windows, scratch, derived scalars, tiled loops."""
    e.begin_graph()
    acc = "%acc"
    for unit in range(units):
        rows = f"!graph.tensor<{unit + 1}x128xf32>"
        base = e.chain("%li", 8)
        band = e.view("%w", "!w", e.offset(base), unit + 1)
        scalar = e.chain(base, 4)
        acc = e.add(e.value(f"graph.alias {band} : {rows}"), rows, acc, scalar)
        scratch = e.value("graph.create : !a")
        scaled = e.value(
            f"graph.call @scale({acc}, {scratch}, {scalar}, {e.const(unit)}) : (!a, !a, index, index) -> !a"
        )
        acc = e.add(scaled, "!a", acc, "%li")
        e.dead(scalar, 6)
        acc = tile_loop(e, acc, 4)
    e.end_graph(acc)


def tile_loop(e: Emitter, acc: str, trips: int) -> str:
    """A loop of constant trip count over windows that stay where they are."""
    low, high, step, tile = e.const(0), e.const(trips), e.const(1), e.const(128)
    loop, carried, index = f"%f{e.ops}", f"%c{e.ops}", f"%i{e.ops}"
    e.open(
        f"{loop} = scf.for {index} = {low} to {high} step {step} iter_args({carried} = {acc}) -> (!a) {{"
    )
    scalar = e.chain(e.binary("muli", index, tile), 4)
    window = e.view("%w", "!w", e.offset(scalar), WINDOW_ROWS)
    result = e.add(window, f"!graph.tensor<{WINDOW_ROWS}x128xf32>", carried, scalar)
    e.stmt(f"scf.yield {result} : !a")
    e.close()
    return loop


def small_function(e: Emitter) -> None:
    """One window, one task."""
    e.begin_graph()
    base = e.binary("muli", "%li", e.const(64))
    band = e.view("%w", "!w", base, 64)
    e.end_graph(e.add(band, "!graph.tensor<64x128xf32>", "%acc", base))


def big_function(e: Emitter, size: int) -> None:
    """One function of ``size`` operations, its tasks near the limit.

    The tasks use 40 windows and 40 derived scalars, the latter written out again
    at every use; what is left is computed in loops without tasks and is the same
    on every replay.
    """
    e.begin_graph()
    acc = "%acc"
    units = max(1, min(900, size // 60))  # at most 1024 nodes
    bands: list[str] = []
    start = e.ops
    for unit in range(units):
        end = start + size * (unit + 1) // units
        pool = unit % 40
        scalar = e.chain("%li", 20, random.Random(f"{e.seed}/{pool}"))
        if unit == pool:
            bands.append(e.view("%w", "!w", e.offset(scalar), pool + 1))
        invariant = counting_loop(e, max(4, end - e.ops - 12))
        acc = e.add(
            bands[pool],
            f"!graph.tensor<{pool + 1}x128xf32>",
            acc,
            scalar if unit % 2 else invariant,
        )
    e.end_graph(acc)


def counting_loop(e: Emitter, length: int) -> str:
    """A loop of about ``length`` operations that carries a scalar and launches nothing."""
    low, high, step, init = e.const(0), e.const(3), e.const(1), e.const(7)
    loop, carried, index = f"%f{e.ops}", f"%c{e.ops}", f"%i{e.ops}"
    e.open(
        f"{loop} = scf.for {index} = {low} to {high} step {step} iter_args({carried} = {init}) -> (index) {{"
    )
    value = e.chain(e.binary("addi", carried, index), length)
    e.stmt(f"scf.yield {value} : index")
    e.close()
    return loop


def view_chain_function(e: Emitter, length: int) -> None:
    """A window of a window of a window, each one row shorter than the last."""
    e.begin_graph()
    source, source_type, rows = "%w", "!w", ROWS
    acc, offset = "%acc", "%li"
    for link in range(length):
        if link % 8 == 0:
            offset = e.binary("andi", e.chain("%li", 3), e.const(1))
        rows -= 1
        source = e.view(source, source_type, offset, rows)
        source_type = f"!graph.tensor<{rows}x128xf32>"
        if link == length // 2:
            acc = e.add(source, source_type, acc, offset)
    e.end_graph(e.add(source, source_type, acc, "%li"))


def alias_chain_function(e: Emitter, length: int) -> None:
    """A chain of renames of a scalar, and one of a tensor."""
    e.begin_graph()
    scalar, tensor = "%li", "%w"
    for _ in range(max(1, length // 2)):
        scalar = e.value(f"graph.alias {scalar} : index")
        tensor = e.value(f"graph.alias {tensor} : !w")
    band = e.view(tensor, "!w", scalar, 64)
    acc = e.add(band, "!graph.tensor<64x128xf32>", "%acc", scalar)
    e.end_graph(e.add(tensor, "!w", acc, scalar))


def deep_loop_function(e: Emitter, depth: int) -> None:
    """A nest of loops that carries the accumulator; five of them run twice."""
    e.begin_graph()
    base = e.chain("%li", 6)
    acc = "%acc"
    results: list[str] = []
    scalar = e.const(0)
    for level in range(depth):
        low, high, step = e.const(0), e.const(2 if level < 5 else 1), e.const(1)
        loop, carried, index = f"%f{level}", f"%c{level}", f"%i{level}"
        e.open(
            f"{loop} = scf.for {index} = {low} to {high} step {step} iter_args({carried} = {acc}) -> (!a) {{"
        )
        scalar = e.binary("addi", e.chain(scalar, 3), index)
        acc = carried
        results.append(loop)
    window = e.view("%w", "!w", e.offset(scalar), WINDOW_ROWS)
    acc = e.add(window, f"!graph.tensor<{WINDOW_ROWS}x128xf32>", acc, base)
    for loop in reversed(results):
        e.stmt(f"scf.yield {acc} : !a")
        e.close()
        acc = loop
    e.end_graph(acc)


def wide_function(e: Emitter) -> None:
    """60 derived scalars and 100 windows, in 20 tasks."""
    e.begin_graph()
    acc = "%acc"
    for task in range(20):
        tensors, types, scalars = [], [], []
        for k in range(5):
            rows = task * 5 + k + 1
            tensors.append(e.view("%w", "!w", e.offset(e.chain("%li", 2)), rows))
            types.append(f"!graph.tensor<{rows}x128xf32>")
        for k in range(3):
            scalars.append(
                e.binary("addi", e.binary("muli", "%li", e.const(task + 2)), e.const(k))
            )
        acc = e.value(
            f"graph.call @gather({', '.join(tensors)}, {acc}, {', '.join(scalars)})"
            f" : ({', '.join(types)}, !a, index, index, index) -> !a"
        )
    e.end_graph(acc)


# -- shapes -------------------------------------------------------------------


def entries(e: Emitter, functions: Sequence[str], padding: int = 3) -> None:
    """Launch every function in turn from loops over the layers, 8 to an entry: so many
    recordings one run keeps."""
    for number, start in enumerate(range(0, len(functions), 8)):
        e._names = 0
        e.open(
            f"graph.func orchestration @entry{number}(in %w: !w, inout %acc: !a) -> (%acc) {{"
        )
        low, high, step = e.const(0), e.const(LAYERS), e.const(1)
        e.open(
            f"%r = scf.for %i = {low} to {high} step {step} iter_args(%c = %acc) -> (!a) {{"
        )
        acc = "%c"
        for name in functions[start : start + 8]:
            acc = e.call_graph(
                name, acc, e.binary("andi", e.chain("%i", padding), e.const(31))
            )
        e.stmt(f"scf.yield {acc} : !a")
        e.close()
        e.stmt("graph.return %r : !a")
        e.close()


def fill(e: Emitter, ops: int, emit: Callable[[], None]) -> None:
    """Emit functions, each launched once, until there are about ``ops`` operations."""
    launch = 7  # operations at a launch
    while e.ops + launch * len(e.functions) < ops:
        emit()
    entries(e, e.functions)


def mixed(e: Emitter, ops: int) -> None:
    """Functions of all kinds."""

    def emit() -> None:
        kind = e.rng.randrange(10)
        if kind < 5:
            plain_function(e, e.rng.randrange(1, 8))
        elif kind == 5:
            small_function(e)
        elif kind == 6:
            view_chain_function(e, 50)
        elif kind == 7:
            alias_chain_function(e, 60)
        elif kind == 8:
            deep_loop_function(e, 12)
        else:
            wide_function(e)

    fill(e, ops, emit)


def one_function(e: Emitter, ops: int) -> None:
    """All operations in one graph function."""
    big_function(e, max(1, ops - e.ops - 20))
    entries(e, e.functions)


def many_functions(e: Emitter, ops: int) -> None:
    """As many functions as possible."""
    fill(e, ops, lambda: small_function(e))


def many_launches(e: Emitter, ops: int) -> None:
    """One function, launched once in every ten operations."""
    plain_function(e, 2)
    launches = max(1, (ops - e.ops) // 10)
    entries(e, e.functions * launches, padding=7)


def view_chain(e: Emitter, ops: int) -> None:
    """Functions with a chain of 500 windows."""
    fill(e, ops, lambda: view_chain_function(e, 500))


def alias_chain(e: Emitter, ops: int) -> None:
    """One function whose renames are one chain."""
    alias_chain_function(e, ops - e.ops - 20)
    entries(e, e.functions)


def deep_loops(e: Emitter, ops: int) -> None:
    """Functions with nests of 24 loops."""
    fill(e, ops, lambda: deep_loop_function(e, 24))


def wide(e: Emitter, ops: int) -> None:
    """Functions with a boundary near the limits."""
    fill(e, ops, lambda: wide_function(e))


SHAPES: dict[str, Callable[[Emitter, int], None]] = {
    "mixed": mixed,
    "one-function": one_function,
    "many-functions": many_functions,
    "many-launches": many_launches,
    "view-chain": view_chain,
    "alias-chain": alias_chain,
    "deep-loops": deep_loops,
    "wide": wide,
}


def generate(out: TextIO, ops: int, shape: str, seed: int = 1) -> int:
    """Write a module of about ``ops`` operations and return how many there are."""
    emitter = Emitter(out, seed)
    out.write(PREAMBLE)
    for kernel in KERNELS:
        emitter.stmt(kernel)
    SHAPES[shape](emitter, ops)
    out.write("}\n")
    return emitter.ops + 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--ops",
        type=int,
        default=10_000,
        help="operations, about (default: %(default)s)",
    )
    parser.add_argument(
        "--shape",
        choices=SHAPES,
        default="mixed",
        help="kind of program (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        help="seed of the generator (default: %(default)s)",
    )
    parser.add_argument(
        "-o", "--output", default="-", help="file to write (default: standard output)"
    )
    args = parser.parse_args(argv)
    if args.ops < 1:
        parser.error("--ops must be positive")
    if args.output == "-":
        count = generate(sys.stdout, args.ops, args.shape, args.seed)
    else:
        with open(args.output, "w", encoding="ascii") as out:
            count = generate(out, args.ops, args.shape, args.seed)
    print(f"{args.shape}: {count} operations", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
