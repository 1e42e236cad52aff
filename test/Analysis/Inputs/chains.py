# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print a function with a long chain of values: `chains.py KIND LENGTH`.

Its last value is named `last` for the test passes.
"""

import sys
from collections.abc import Iterator

TENSOR = "!graph.tensor<16xf32>"
HEADER = f"""\
graph.func private incore @k(in %a: {TENSOR}, inout %o: {TENSOR}) -> (%o)
graph.func private incore @swap(inout %x: {TENSOR}, inout %y: {TENSOR}) -> (%y, %x)
graph.func graph @f(inout %p: {TENSOR}, inout %q: {TENSOR}, in %w: !graph.tensor<1000000xf32>,
                    in %n: index, in %f: i1) {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
"""
LAST = '{names = ["last"]}'


def name(i: int, length: int) -> str:
    """The attributes of operation `i`: only the last one has a name."""
    return LAST if i == length else ""


def alias(length: int) -> Iterator[str]:
    """Renames of a tensor."""
    yield f"%v0 = graph.alias %p : {TENSOR}"
    for i in range(1, length + 1):
        yield f"%v{i} = graph.alias %v{i - 1} {name(i, length)} : {TENSOR}"


def call(length: int) -> Iterator[str]:
    """Calls that swap two tensors, an even number of times."""
    types = f"({TENSOR}, {TENSOR}) -> ({TENSOR}, {TENSOR})"
    yield f"%v0:2 = graph.call @swap(%p, %q) : {types}"
    for i in range(1, length):
        named = name(i + 1, length)
        yield f"%v{i}:2 = graph.call @swap(%v{i - 1}#0, %v{i - 1}#1) {named} : {types}"


def slice_(length: int) -> Iterator[str]:
    """Windows, each one element shorter than its source."""
    size = 1000000
    source, source_type = "w", f"!graph.tensor<{size}xf32>"
    for i in range(1, length + 1):
        size -= 1
        result_type = f"!graph.tensor<{size}xf32>"
        yield (
            f"%v{i} = graph.slice %{source}[1] [{size}] {name(i, length)}"
            f" : {source_type} to {result_type}"
        )
        source, source_type = f"v{i}", result_type


def add(length: int) -> Iterator[str]:
    """Sums of a parameter and constants."""
    yield "%v0 = arith.addi %n, %c1 : index"
    for i in range(1, length + 1):
        yield f"%v{i} = arith.addi %v{i - 1}, %c1 {name(i, length)} : index"


def add_constant(length: int) -> Iterator[str]:
    """Sums of constants."""
    yield "%v0 = arith.addi %c1, %c1 : index"
    for i in range(1, length + 1):
        yield f"%v{i} = arith.addi %v{i - 1}, %c1 {name(i, length)} : index"


def add_read(length: int) -> Iterator[str]:
    """Sums of an element that is read and constants."""
    yield "%v = graph.read %w[0] : !graph.tensor<1000000xf32>"
    yield "%v0 = arith.fptosi %v : f32 to i64"
    yield "%one = arith.constant 1 : i64"
    for i in range(1, length + 1):
        yield f"%v{i} = arith.addi %v{i - 1}, %one {name(i, length)} : i64"


def alias_scalar(length: int, first: str = "n") -> Iterator[str]:
    """Renames of a scalar."""
    yield f"%v0 = graph.alias %{first} : index"
    for i in range(1, length + 1):
        yield f"%v{i} = graph.alias %v{i - 1} {name(i, length)} : index"


def alias_constant(length: int) -> Iterator[str]:
    """Renames of a constant."""
    return alias_scalar(length, "c4")


def select(length: int) -> Iterator[str]:
    """Choices between what was chosen and the same parameter."""
    yield f"%v0 = graph.alias %p : {TENSOR}"
    for i in range(1, length + 1):
        yield f"%v{i} = arith.select %f, %p, %v{i - 1} {name(i, length)} : {TENSOR}"


def select_other(length: int) -> Iterator[str]:
    """Choices between what was chosen and one of two parameters."""
    yield f"%v0 = graph.alias %p : {TENSOR}"
    for i in range(1, length + 1):
        yield f"%v{i} = arith.select %f, %{'pq'[i % 2]}, %v{i - 1} {name(i, length)} : {TENSOR}"


def switch(length: int) -> Iterator[str]:
    """One choice between many renames of one parameter."""
    yield f"%v = scf.index_switch %n {LAST} -> {TENSOR}"
    for i in range(length):
        yield f"case {i} {{ %x = graph.alias %p : {TENSOR} scf.yield %x : {TENSOR} }}"
    yield f"default {{ scf.yield %p : {TENSOR} }}"


def rotate(length: int, first: str = "p") -> Iterator[str]:
    """A loop that passes its carried tensors on in a ring."""
    inits = ", ".join(f"%x{i} = %{first if i == 0 else 'p'}" for i in range(length))
    types = ", ".join([TENSOR] * length)
    yield f"%v:{length} = scf.for %i = %c0 to %n step %c1 iter_args({inits}) -> ({types}) {{"
    yield (
        "scf.yield "
        + ", ".join(f"%x{(i + 1) % length}" for i in range(length))
        + f" : {types}"
    )
    yield f'}} {{names = [{"0, " * (length - 1)}"last"]}}'


def rotate_other(length: int) -> Iterator[str]:
    """The same with one other tensor among them."""
    return rotate(length, "q")


def loops(length: int) -> Iterator[str]:
    """Loops one after the other, each exchanging two buffers."""
    yield f"%v0:2 = graph.call @swap(%p, %q) : ({TENSOR}, {TENSOR}) -> ({TENSOR}, {TENSOR})"
    for i in range(1, length + 1):
        yield (
            f"%v{i}:2 = scf.for %i = %c0 to %c4 step %c1"
            f" iter_args(%x = %v{i - 1}#0, %y = %v{i - 1}#1) -> ({TENSOR}, {TENSOR})"
            f" {{ scf.yield %y, %x : {TENSOR}, {TENSOR} }} {name(i, length)}"
        )


def launches(length: int) -> Iterator[str]:
    """Launches and as many allocations."""
    for i in range(1, length + 1):
        yield f"%v{i} = graph.create : {TENSOR}"
        yield f"%r{i} = graph.call @k(%p, %v{i}) {name(i, length)} : ({TENSOR}, {TENSOR}) -> {TENSOR}"


def main() -> None:
    """Print the function asked for."""
    kind, length = sys.argv[1], int(sys.argv[2])
    generator = {"slice": slice_}.get(kind) or globals()[kind.replace("-", "_")]
    sys.stdout.write(HEADER)
    sys.stdout.write("\n".join(generator(length)))
    sys.stdout.write("\ngraph.return\n}\n")


if __name__ == "__main__":
    main()
