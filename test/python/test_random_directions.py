# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Directions of random programs against what the programs write when they run.

A program is run on every outcome of its conditions, each parallel loop once. A launch
whose operand an earlier one has written must say `inout`; in a program without
branches and choices, one that nothing has written must not.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

import pypto_graph  # noqa: F401
import pytest
from mlir.ir import Context, Module, WalkResult
from mlir.passmanager import PassManager

BUFFER = "!graph.tensor<64xf32>"
WINDOW = "!graph.tensor<16xf32>"
NUM_CONDITIONS = 3


@dataclass
class Program:
    """Text, and the same as functions that run it."""

    random: random.Random
    with_control: bool
    lines: list[str] = field(default_factory=list)
    # Names of windows in scope.
    names: list[str] = field(default_factory=list)
    numbers: itertools.count = field(default_factory=itertools.count)
    num_launches: int = 0

    def fresh(self) -> str:
        return f"%v{next(self.numbers)}"

    def window(self, buffer: str) -> list:
        """A window of a buffer at a constant offset."""
        offset = self.random.choice([0, 8, 16, 32, 48])
        name = self.fresh()
        self.lines.append(
            f"{name} = graph.slice {buffer}[{offset}] [16] : {BUFFER} to {WINDOW}"
        )
        self.names.append(name)
        return ["window", name, buffer, offset]

    def launch(self) -> list:
        target, result = self.random.choice(self.names), self.fresh()
        self.lines.append(
            f"{result} = graph.call @kw({target}) : ({WINDOW}) -> {WINDOW}"
        )
        self.names.append(result)
        self.num_launches += 1
        return ["launch", self.num_launches - 1, target, result]

    def select(self) -> list:
        a, b = self.random.choice(self.names), self.random.choice(self.names)
        condition, name = self.random.randrange(NUM_CONDITIONS), self.fresh()
        self.lines.append(f"{name} = arith.select %c{condition}, {a}, {b} : {WINDOW}")
        self.names.append(name)
        return ["select", condition, name, a, b]

    def branch(self, depth: int) -> list:
        condition, result = self.random.randrange(NUM_CONDITIONS), self.fresh()
        self.lines.append(f"{result} = scf.if %c{condition} -> ({WINDOW}) {{")
        arms = []
        for arm in range(2):
            outside = list(self.names)
            body = self.body(depth - 1)
            yielded = self.random.choice(self.names)
            self.lines.append(f"scf.yield {yielded} : {WINDOW}")
            self.lines.append("} else {" if arm == 0 else "}")
            self.names = outside
            arms.append((body, yielded))
        self.names.append(result)
        return ["if", condition, arms, result]

    def parallel(self, depth: int) -> list:
        variable = self.fresh()
        self.lines.append(f"scf.for {variable} = %zero to %one step %one {{")
        outside = list(self.names)
        body = self.body(depth - 1)
        self.names = outside
        self.lines.append("} {graph.parallel}")
        return ["for", body]

    def scope(self, depth: int) -> list:
        self.lines.append("graph.scope manual {")
        outside = list(self.names)
        body = self.body(depth - 1)
        self.names = outside
        self.lines.append("}")
        return ["for", body]

    def body(self, depth: int) -> list:
        statements = []
        for _ in range(self.random.randint(1, 4)):
            kinds = ["window", "launch", "launch"]
            if depth > 0:
                kinds += ["scope"]
                if self.with_control:
                    kinds += ["select", "branch", "parallel"]
            kind = self.random.choice(kinds)
            if kind == "window":
                statements.append(self.window(self.random.choice(["%a", "%b"])))
            elif kind in ("branch", "parallel", "scope"):
                statements.append(getattr(self, kind)(depth))
            else:
                statements.append(getattr(self, kind)())
        return statements


def generate(seed: int, with_control: bool) -> tuple[str, list, int]:
    program = Program(random.Random(seed), with_control)
    statements = [program.window("%a"), program.window("%b"), *program.body(3)]
    conditions = ", ".join(f"in %c{i}: i1" for i in range(NUM_CONDITIONS))
    text = "\n".join(
        [
            f"graph.func private incore @kw(out %o: {WINDOW}) -> (%o)",
            f"graph.func orchestration @main(out %a: {BUFFER}, {conditions}) {{",
            f"%b = graph.create : {BUFFER}",
            "%zero = arith.constant 0 : index",
            "%one = arith.constant 1 : index",
            *program.lines,
            "graph.return",
            "}",
        ]
    )
    return text, statements, program.num_launches


def run(statements: list, conditions: tuple[bool, ...]) -> set[int]:
    """The launches that write what an earlier one has written."""
    values: dict[str, tuple[str, int]] = {}
    written: set[tuple[str, int]] = set()
    again: set[int] = set()

    def step(statement: list) -> None:
        kind = statement[0]
        if kind == "window":
            _, name, buffer, offset = statement
            values[name] = (buffer, offset)
        elif kind == "launch":
            _, number, target, result = statement
            buffer, offset = values[target]
            elements = {(buffer, offset + i) for i in range(16)}
            if elements & written:
                again.add(number)
            written.update(elements)
            values[result] = values[target]
        elif kind == "select":
            _, condition, name, a, b = statement
            values[name] = values[a if conditions[condition] else b]
        elif kind == "if":
            _, condition, arms, result = statement
            body, yielded = arms[0 if conditions[condition] else 1]
            for inner in body:
                step(inner)
            values[result] = values[yielded]
        else:
            for inner in statement[1]:
                step(inner)

    for statement in statements:
        step(statement)
    return again


def derive(text: str) -> list[str]:
    """The direction of each launch, in the order of the text."""
    module = Module.parse(text)
    passes = "builtin.module(derive-call-directions,verify-call-directions)"
    PassManager.parse(passes).run(module.operation)
    directions: list[str] = []

    def visit(op):
        if op.name == "graph.call":
            directions.append(str(op.attributes["arg_directions"][0]))
        return WalkResult.ADVANCE

    module.operation.walk(visit)
    return directions


@pytest.mark.parametrize("block", range(10))
def test_directions_of_programs_with_control_flow(block):
    with Context():
        for seed in range(100 * block, 100 * block + 100):
            text, statements, count = generate(seed, with_control=True)
            directions = derive(text)
            assert len(directions) == count
            for conditions in itertools.product([False, True], repeat=NUM_CONDITIONS):
                for number in run(statements, conditions):
                    assert "<inout>" in directions[number], (seed, number, text)


@pytest.mark.parametrize("block", range(4))
def test_directions_of_straight_programs_are_exact(block):
    with Context():
        for seed in range(100 * block, 100 * block + 100):
            text, statements, count = generate(seed, with_control=False)
            directions = derive(text)
            again = run(statements, (False,) * NUM_CONDITIONS)
            for number in range(count):
                expected = "<inout>" if number in again else "<output_existing>"
                assert expected in directions[number], (seed, number, text)
