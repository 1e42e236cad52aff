#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that what legalize-graph-boundary accepts replays right.

Random programs are legalized; of each one that is accepted

- the verifier must accept the output, and a second run must not change it;
- the tasks it launches, run one by one, must be those of the input, with the same
  windows of the same buffers and the same scalars;
- so must those of a runtime that records a graph function on its first launch and
  replays it afterwards, when nothing was warned of.

A task is all that is observed: no kernel runs. A case depends on the seed and its
number alone::

    replay.py --seconds 60 --seed 7
    replay.py --seed 7 --case 1234 --print
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from dataclasses import dataclass, field

from cases import run_cases
from mlir import ir

DYNAMIC = -(1 << 63)
# Warnings of what may replay wrongly.
HAZARDS = {"graph-boundary-alias", "graph-stale-dependency"}


class Stuck(Exception):
    """The program does what is not defined."""


class OutOfRange(Stuck):
    """A window leaves its tensor."""


class Unusable(Exception):
    """The runtime could not make a recording."""


# ---------------------------------------------------------------------------- #
# The module as plain data
# ---------------------------------------------------------------------------- #


@dataclass
class Operation:
    """An operation; values are numbers."""

    name: str
    operands: list[int]
    results: list[int]
    types: list[str]
    attributes: dict[str, object]
    regions: list[Block | None]


@dataclass
class Block:
    """The only block of a region."""

    arguments: list[int]
    operations: list[Operation]


@dataclass
class Function:
    """A function: the parameter each result is tied to, and the slot order."""

    kind: str
    ties: list[int | None]
    result_types: list[str]
    slots: list[int]
    body: Block | None


def read_module(text: str, context: ir.Context) -> dict[str, Function]:
    """The functions of a module by name."""
    numbers: dict[ir.Value, int] = {}

    def number(value: ir.Value) -> int:
        return numbers.setdefault(value, len(numbers))

    def read_attribute(name: str, attribute: ir.Attribute) -> object:
        text = str(attribute)
        if name.startswith("static_") or name == "operandSegmentSizes":
            return [int(entry) for entry in re.findall(r"-?\d+", text.split(":", 1)[1])]
        if name == "value":
            return (
                {"true": 1, "false": 0}[text]
                if text in ("true", "false")
                else int(text.split()[0])
            )
        return int(text.split()[0]) if name == "predicate" else text

    def read_block(region: ir.Region) -> Block | None:
        for block in region.blocks:
            return Block(
                [number(argument) for argument in block.arguments],
                [read_operation(op.operation) for op in block.operations],
            )
        return None

    def read_operation(op: ir.Operation) -> Operation:
        return Operation(
            op.name,
            [number(value) for value in op.operands],
            [number(value) for value in op.results],
            [str(value.type) for value in op.results],
            {name: read_attribute(name, op.attributes[name]) for name in op.attributes},
            [read_block(region) for region in op.regions],
        )

    functions = {}
    with context:
        for op in ir.Module.parse(text).body.operations:
            attributes = {name: str(op.attributes[name]) for name in op.attributes}
            names = re.findall(r'graph.name = "(\w+)"', attributes.get("arg_attrs", ""))
            results = attributes["function_type"].split("->")[1].strip(" ()")
            types = re.findall(r"![\w.]+<.*?>|\w+", results)
            ties: list[int | None] = [None] * len(types)
            for i, entry in enumerate(
                re.findall(r"\{(.*?)\}", attributes.get("res_attrs", ""))
            ):
                if tied := re.search(r'graph.tied = "(\w+)"', entry):
                    ties[i] = names.index(tied[1])
            slots = re.findall(
                r"\d+", attributes.get("graph.slots", ":").split(":", 1)[1]
            )
            functions[attributes["sym_name"].strip('"')] = Function(
                re.search(r"<(\w+)>", attributes["kind"])[1],
                ties,
                types,
                [int(slot) for slot in slots],
                read_block(op.operation.regions[0]),
            )
    return functions


def extent(type_: str) -> int:
    return int(re.search(r"tensor<(\d+)x", type_)[1])


# ---------------------------------------------------------------------------- #
# The runtime
# ---------------------------------------------------------------------------- #


@dataclass(frozen=True)
class Tensor:
    """A window of a buffer."""

    buffer: str
    buffer_size: int
    start: int
    size: int


@dataclass
class Recording:
    """What the first launch of a graph function leaves behind."""

    slots: dict[int, int]
    boundary: list[Tensor]
    internal: set[str] = field(default_factory=set)
    nodes: list[tuple[str, list[tuple]]] = field(default_factory=list)


class Runtime:
    """Runs a module; `tasks` is what it launched."""

    def __init__(self, functions: dict[str, Function], replays: bool) -> None:
        self.functions = functions
        self.replays = replays
        self.tasks: list[tuple] = []
        self.num_buffers = 0
        self.num_launches = 0
        self.num_replays = 0
        self.cache: dict[str, tuple[tuple, Recording]] = {}
        self.recording: Recording | None = None

    def run(self, function: str, arguments: list) -> list:
        body = self.functions[function].body
        return self.run_block(body, dict(zip(body.arguments, arguments, strict=True)))

    def allocate(self, size: int) -> Tensor:
        self.num_buffers += 1
        name = f"buffer {self.num_buffers}"
        if self.recording:
            self.recording.internal.add(name)
        return Tensor(name, size, 0, size)

    def launch_task(self, name: str, arguments: list, values: list[int | None]) -> None:
        if not self.recording:
            self.tasks.append((name, *arguments))
            return
        sources = [
            self.classify(a, v, self.recording)
            for a, v in zip(arguments, values, strict=True)
        ]
        self.recording.nodes.append((name, sources))

    @staticmethod
    def classify(
        argument: Tensor | int, value: int | None, recording: Recording
    ) -> tuple:
        """Where a replay takes the argument from: the first match wins."""
        if not isinstance(argument, Tensor):
            slot = recording.slots.get(value)
            return ("static", argument) if slot is None else ("slot", slot)
        for i, tensor in enumerate(recording.boundary):
            if tensor == argument:
                return ("exact", i)
        for i, tensor in enumerate(recording.boundary):
            if tensor.buffer == argument.buffer and argument.start >= tensor.start:
                return ("view", i, argument.start - tensor.start, argument.size)
        if argument.buffer not in recording.internal:
            raise Unusable
        return ("internal", argument)

    def launch_graph(self, name: str, arguments: list) -> None:
        self.num_launches += 1
        function = self.functions[name]
        if not self.replays:
            self.run(name, arguments)
            return
        tensors = [argument for argument in arguments if isinstance(argument, Tensor)]
        scalars = [
            argument for argument in arguments if not isinstance(argument, Tensor)
        ]
        boundary = [tensors[i] for i in function.slots] or tensors
        buffers = [tensor.buffer for tensor in boundary]
        signature = (
            len(scalars),
            *((tensor.buffer_size, tensor.size) for tensor in boundary),
            *(buffers.index(buffer) for buffer in buffers),
        )
        if name not in self.cache:
            values = zip(function.body.arguments, arguments, strict=True)
            slots = [
                value for value, argument in values if not isinstance(argument, Tensor)
            ]
            numbered = {value: i for i, value in enumerate(slots)}
            self.recording = Recording(numbered, boundary)
            self.run(name, arguments)
            self.cache[name] = (signature, self.recording)
            self.recording = None
        recorded, recording = self.cache[name]
        if recorded != signature:
            self.run(name, arguments)
        else:
            self.replay(recording, boundary, scalars)

    def replay(
        self, recording: Recording, boundary: list[Tensor], scalars: list[int]
    ) -> None:
        self.num_replays += 1
        internal: dict[str, str] = {}

        def resolve(source: tuple) -> Tensor | int:
            match source:
                case ("static", value):
                    return value
                case ("slot", index):
                    return scalars[index]
                case ("exact", index):
                    return boundary[index]
                case ("view", index, delta, size):
                    base = boundary[index]
                    return Tensor(
                        base.buffer, base.buffer_size, base.start + delta, size
                    )
                case ("internal", tensor):
                    if tensor.buffer not in internal:
                        internal[tensor.buffer] = self.allocate(
                            tensor.buffer_size
                        ).buffer
                    buffer = internal[tensor.buffer]
                    return Tensor(buffer, tensor.buffer_size, tensor.start, tensor.size)
            raise AssertionError(source)

        for name, sources in recording.nodes:
            self.tasks.append((name, *map(resolve, sources)))

    def run_block(self, block: Block, env: dict[int, object]) -> list:
        for op in block.operations:
            values = [env[operand] for operand in op.operands]
            if op.name in ("graph.return", "graph.yield", "scf.yield"):
                return values
            env.update(
                zip(op.results, self.run_operation(op, values, env), strict=True)
            )
        raise AssertionError("a block without a terminator")

    def run_operation(
        self, op: Operation, values: list, env: dict[int, object]
    ) -> list:
        match op.name:
            case "arith.constant":
                return [op.attributes["value"]]
            case "arith.addi":
                return [values[0] + values[1]]
            case "arith.muli":
                if abs(product := values[0] * values[1]) >= 1 << 40:
                    raise Stuck
                return [product]
            case "arith.divui":
                if values[1] <= 0 or values[0] < 0:
                    raise Stuck
                return [values[0] // values[1]]
            case "arith.cmpi":
                a, b = values
                return [
                    int(
                        [a == b, a != b, a < b, a <= b, a > b, a >= b][
                            self.predicate(op)
                        ]
                    )
                ]
            case "arith.select":
                return [values[1] if values[0] else values[2]]
            case "graph.alias" | "graph.cast":
                return values
            case "graph.create":
                return [self.allocate(extent(op.types[0]))]
            case "graph.slice":
                return [self.slice(op, values)]
            case "graph.call" | "graph.submit":
                return self.call(op, values)
            case "graph.scope":
                return self.run_block(op.regions[0], env)
            case "scf.if":
                arm = op.regions[0] if values[0] else op.regions[1]
                return self.run_block(arm, env) if arm else []
            case "scf.for":
                return self.run_loop(op, values, env)
        raise AssertionError(op.name)

    @staticmethod
    def predicate(op: Operation) -> int:
        number = op.attributes["predicate"]
        return number if number < 6 else number - 4

    @staticmethod
    def slice(op: Operation, values: list) -> Tensor:
        (offset,), (size,) = (
            op.attributes["static_offsets"],
            op.attributes["static_sizes"],
        )
        source = values[0]
        start = values[1] if offset == DYNAMIC else offset
        if start < 0 or start + size > source.size:
            raise OutOfRange
        return Tensor(source.buffer, source.buffer_size, source.start + start, size)

    def call(self, op: Operation, values: list) -> list:
        name = op.attributes["callee"].removeprefix("@")
        callee = self.functions[name]
        is_submit = op.name == "graph.submit"
        count = op.attributes["operandSegmentSizes"][0] if is_submit else len(values)
        arguments, sources = values[:count], op.operands[:count]
        if callee.kind == "graph":
            self.launch_graph(name, arguments)
            return []
        outs = []
        for tie, type_ in zip(callee.ties, callee.result_types, strict=True):
            outs.append(
                arguments[tie] if tie is not None else self.allocate(extent(type_))
            )
        fresh = [out for out, tie in zip(outs, callee.ties, strict=True) if tie is None]
        self.launch_task(name, arguments + fresh, sources + [None] * len(fresh))
        return outs + (["task"] if is_submit else [])

    def run_loop(self, op: Operation, values: list, env: dict[int, object]) -> list:
        lower, upper, step, *carried = values
        body = op.regions[0]
        for i in range(lower, upper, step):
            env.update(zip(body.arguments, [i, *carried], strict=True))
            carried = self.run_block(body, env)
        return carried


def observe(tasks: list[tuple]) -> list[tuple]:
    """The tasks with buffers told apart by the order in which they appear."""
    names: dict[str, int] = {}

    def rename(argument: object) -> object:
        if not isinstance(argument, Tensor):
            return argument
        number = names.setdefault(argument.buffer, len(names))
        return (number, argument.buffer_size, argument.start, argument.size)

    return [tuple(map(rename, task)) for task in tasks]


# ---------------------------------------------------------------------------- #
# Programs
# ---------------------------------------------------------------------------- #

KERNELS = """
graph.func private incore @k1(in %a: !graph.tensor<?xf32>, inout %o: !graph.tensor<?xf32>) -> (%o)
graph.func private incore @k2(in %a: !graph.tensor<?xf32>, in %b: !graph.tensor<?xf32>,
    inout %o: !graph.tensor<?xf32>, in %s: index, in %u: index) -> (%o, %a)
graph.func private incore @k3(in %a: !graph.tensor<?xf32>, in %s: index) -> (!graph.tensor<16xf32>)
"""
HOST_TENSORS = [
    ("%p0", 256),
    ("%p1", 256),
    ("%q0", 64),
    ("%q1", 64),
    ("%r0", 16),
    ("%r1", 16),
]
CONSTANTS = (0, 1, 2, 3, 4, 8, 16)


def tensor_type(size: int) -> str:
    return f"!graph.tensor<{size}xf32>"


@dataclass
class Scope:
    """The values a statement may use."""

    tensors: list[tuple[str, int]]
    scalars: list[str]

    def copy(self) -> Scope:
        return Scope(list(self.tensors), list(self.scalars))


class Generator:
    """Writes one random program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.count = 0
        self.graphs: list[tuple[str, list[int], int]] = []

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, line: str) -> None:
        self.lines.append(line)

    def program(self) -> str:
        self.emit(
            "module attributes {graph.runtime = #graph.runtime<host_build_graph>} {"
        )
        self.emit(KERNELS)
        for i in range(self.rng.choice([1, 1, 1, 2])):
            self.graph(f"g{i}")
        self.main()
        self.emit("}")
        return "\n".join(self.lines)

    def constants(self) -> list[str]:
        for value in CONSTANTS:
            self.emit(f"%c{value} = arith.constant {value} : index")
        return ["%c0", "%c1", "%c2"]

    def graph(self, name: str) -> None:
        sizes = [
            self.rng.choice([256, 256, 64, 16]) for _ in range(self.rng.randint(1, 3))
        ]
        num_scalars = self.rng.randint(1, 2)
        self.graphs.append((name, sizes, num_scalars))
        params = [f"inout %t{i}: {tensor_type(size)}" for i, size in enumerate(sizes)]
        params += [f"in %s{i}: index" for i in range(num_scalars)]
        self.emit(f"graph.func graph @{name}({', '.join(params)}) {{")
        scope = Scope([(f"%t{i}", size) for i, size in enumerate(sizes)], [])
        scope.scalars = [f"%s{i}" for i in range(num_scalars)] + self.constants()
        self.statements(scope, self.rng.randint(3, 9), 0)
        self.task(scope)
        self.emit("graph.return }")

    def statements(self, scope: Scope, count: int, depth: int) -> None:
        for _ in range(count):
            kinds = {
                self.scalar: 25,
                self.window: 25,
                self.task: 25,
                self.buffer: 5,
                self.choice: 3,
                self.bases: 3,
            }
            if depth < 2:
                nested = {self.loop: 11, self.branch: 5, self.scope: 2}
                kinds |= {
                    (lambda scope, write=write: write(scope, depth)): weight
                    for write, weight in nested.items()
                }
            self.rng.choices(list(kinds), list(kinds.values()))[0](scope)

    def scalar(self, scope: Scope) -> None:
        rng, result, a = self.rng, self.fresh(), self.rng.choice(scope.scalars)
        b = rng.choice(scope.scalars)
        factor = f"%c{rng.choice([2, 4, 8, 16])}"
        kind = rng.random()
        if kind < 0.4:
            self.emit(f"{result} = arith.muli {a}, {factor} : index")
        elif kind < 0.75:
            self.emit(f"{result} = arith.addi {a}, {b} : index")
        elif kind < 0.85:
            self.emit(f"{result} = graph.alias {a} : index")
        elif kind < 0.9:
            self.emit(f"{result} = arith.divui {a}, {rng.choice([factor, b])} : index")
        else:
            self.emit(
                f"{result} = arith.select {self.condition(scope)}, {a}, {b} : index"
            )
        scope.scalars.append(result)

    def condition(self, scope: Scope) -> str:
        result, predicate = self.fresh(), self.rng.choice(["eq", "ult", "ne"])
        a, b = self.rng.choice(scope.scalars), self.rng.choice(scope.scalars)
        self.emit(f"{result} = arith.cmpi {predicate}, {a}, {b} : index")
        return result

    def window(self, scope: Scope, variable: str | None = None) -> None:
        rng = self.rng
        sources = [tensor for tensor in scope.tensors if tensor[1] >= 16]
        if not sources:
            return
        source, extent = rng.choice(sources[-3:] if variable else sources)
        size = rng.choice([size for size in (64, 16, 16, 8, 4) if size < extent])
        fitting = [str(offset) for offset in (0, 8, 16) if offset + size <= extent]
        offset = variable or rng.choice([*scope.scalars, *fitting])
        if offset.startswith("%") and rng.random() < 0.7:
            scaled = self.fresh()
            factor = rng.choice([1, 2, 4] if variable else [4, 8, 16])
            self.emit(f"{scaled} = arith.muli {offset}, %c{factor} : index")
            offset = scaled
        result = self.fresh()
        types = f"{tensor_type(extent)} to {tensor_type(size)}"
        self.emit(f"{result} = graph.slice {source}[{offset}] [{size}] : {types}")
        scope.tensors += [(result, size)] * (4 if variable else 2)

    def bases(self, scope: Scope) -> None:
        """Windows kept on two tensors of one buffer, one of which may move."""
        rng, variable = self.rng, self.fresh()
        source, extent = rng.choice(
            [tensor for tensor in scope.tensors if tensor[1] >= 64]
            or [("%t0", self.graphs[-1][1][0])]
        )
        if extent < 64:
            return
        moving, offset = self.fresh(), self.fresh()
        factor = rng.choice([1, 4, 16])
        self.emit(
            f"{offset} = arith.muli {rng.choice(scope.scalars)}, %c{factor} : index"
        )
        types = f"{tensor_type(extent)} to {tensor_type(32)}"
        self.emit(f"{moving} = graph.slice {source}[{offset}] [32] : {types}")
        lower, upper = rng.choice([(0, 2), (0, 3), (1, 4)])
        self.emit(f"scf.for {variable} = %c{lower} to %c{upper} step %c1 {{")
        inner = scope.copy()
        inner.scalars.append(variable)
        for base, size in rng.sample([(source, extent), (moving, 32)], 2):
            result, width = self.fresh(), rng.choice([16, 8, 4])
            types = f"{tensor_type(size)} to {tensor_type(width)}"
            self.emit(f"{result} = graph.slice {base}[{variable}] [{width}] : {types}")
            inner.tensors.append((result, width))
        inner.tensors = inner.tensors[-2:]
        self.task(inner)
        self.emit("}")
        scope.tensors.append((moving, 32))

    def task(self, scope: Scope) -> None:
        rng, result = self.rng, self.fresh()
        recent = scope.tensors[-6:] if rng.random() < 0.7 else scope.tensors
        (a, x), (b, y), (o, z) = (rng.choice(recent) for _ in range(3))
        s, u = rng.choice(scope.scalars), rng.choice(scope.scalars)
        x_type, y_type, z_type = tensor_type(x), tensor_type(y), tensor_type(z)
        kind = rng.random()
        if kind < 0.3:
            self.emit(
                f"{result} = graph.call @k1({a}, {o}) : ({x_type}, {z_type}) -> {z_type}"
            )
            scope.tensors.append((result, z))
        elif kind < 0.4:
            types = f"({x_type}, {z_type}) -> ({z_type}, !graph.task_id)"
            self.emit(
                f"{result}, {self.fresh()} = graph.submit @k1({a}, {o}) : {types}"
            )
            scope.tensors.append((result, z))
        elif kind < 0.9:
            types = (
                f"({x_type}, {y_type}, {z_type}, index, index) -> ({z_type}, {x_type})"
            )
            self.emit(f"{result}:2 = graph.call @k2({a}, {b}, {o}, {s}, {u}) : {types}")
            scope.tensors += [(f"{result}#0", z), (f"{result}#1", x)]
        else:
            types = f"({x_type}, index) -> {tensor_type(16)}"
            self.emit(f"{result} = graph.call @k3({a}, {s}) : {types}")
            scope.tensors.append((result, 16))

    def buffer(self, scope: Scope) -> None:
        result, size = self.fresh(), self.rng.choice([64, 16, 16])
        self.emit(f"{result} = graph.create : {tensor_type(size)}")
        scope.tensors.append((result, size))

    def like(self, scope: Scope, size: int) -> str:
        return self.rng.choice([name for name, other in scope.tensors if other == size])

    def choice(self, scope: Scope) -> None:
        name, size = self.rng.choice(scope.tensors)
        other, condition, result = (
            self.like(scope, size),
            self.condition(scope),
            self.fresh(),
        )
        self.emit(
            f"{result} = arith.select {condition}, {name}, {other} : {tensor_type(size)}"
        )
        scope.tensors.append((result, size))

    def loop(self, scope: Scope, depth: int) -> None:
        rng, variable = self.rng, self.fresh()
        lower, upper = rng.choice([(0, 2), (0, 3), (1, 4), (1, 1)])
        limit = f"%c{upper}" if rng.random() < 0.93 else rng.choice(scope.scalars)
        inner = scope.copy()
        inner.scalars += [variable, variable]
        head = f"scf.for {variable} = %c{lower} to {limit} step %c1"
        carries = rng.random() < 0.5
        if carries:
            name, size = rng.choice(scope.tensors)
            result, x, y, s = (self.fresh() for _ in range(4))
            types = f"{tensor_type(size)}, {tensor_type(size)}, index"
            other, scalar = self.like(scope, size), scope.scalars[0]
            inits = f"{x} = {name}, {y} = {other}, {s} = {scalar}"
            self.emit(f"{result}:3 = {head} iter_args({inits}) -> ({types}) {{")
            inner.tensors += [(x, size), (y, size)]
            inner.scalars.append(s)
        else:
            self.emit(f"{head} {{")
        if rng.random() < 0.5:
            self.window(inner, variable)
        self.statements(inner, rng.randint(1, 4), depth + 1)
        if not carries:
            self.emit("}")
            return
        yielded = (y, x) if rng.random() < 0.4 else (x, self.like(inner, size))
        scalar = rng.choice([s, rng.choice(inner.scalars)])
        self.emit(f"scf.yield {yielded[0]}, {yielded[1]}, {scalar} : {types} }}")
        scope.tensors += [(f"{result}#0", size), (f"{result}#1", size)]
        scope.scalars.append(f"{result}#2")

    def branch(self, scope: Scope, depth: int) -> None:
        condition, result = self.condition(scope), self.fresh()
        _, size = self.rng.choice(scope.tensors)
        types = f"{tensor_type(size)}, index"
        self.emit(f"{result}:2 = scf.if {condition} -> ({types}) {{")
        for end in ("} else {", "}"):
            inner = scope.copy()
            if self.rng.random() < 0.5:
                self.statements(inner, self.rng.randint(1, 2), depth + 1)
            scalar = self.rng.choice(inner.scalars)
            self.emit(f"scf.yield {self.like(inner, size)}, {scalar} : {types}")
            self.emit(end)
        scope.tensors.append((f"{result}#0", size))
        scope.scalars.append(f"{result}#1")

    def scope(self, scope: Scope, depth: int) -> None:
        self.emit("graph.scope manual {")
        self.statements(scope.copy(), self.rng.randint(1, 3), depth + 1)
        self.emit("graph.yield }")

    def main(self) -> None:
        rng = self.rng
        params = ", ".join(
            f"inout {name}: {tensor_type(size)}" for name, size in HOST_TENSORS
        )
        self.emit(f"graph.func orchestration @main({params}, in %n: index) {{")
        one_buffer = rng.random() < 0.5
        scope = Scope(
            HOST_TENSORS[:1] if one_buffer else list(HOST_TENSORS), self.constants()
        )
        scope.scalars.append("%n")
        self.prepare(scope, one_buffer)
        if rng.random() < 0.3:
            self.launch(scope)
        inner, variable = scope.copy(), self.fresh()
        inner.scalars += [variable] * 4
        takes_turns = rng.random() < 0.3
        head = f"scf.for {variable} = %c0 to %c4 step %c1"
        types = f"{tensor_type(64)}, {tensor_type(64)}"
        if takes_turns:
            self.emit(f"%turn:2 = {head} iter_args(%x = %q0, %y = %q1) -> ({types}) {{")
            inner.tensors = [
                entry for entry in inner.tensors if not entry[0].startswith("%q")
            ]
            inner.tensors += [("%x", 64), ("%y", 64)]
        else:
            self.emit(f"{head} {{")
        self.prepare(inner, one_buffer)
        self.launch(inner)
        if rng.random() < 0.3:
            self.launch(inner)
        self.emit(f"scf.yield %y, %x : {types} }}" if takes_turns else "}")
        if rng.random() < 0.3:
            self.launch(scope)
        self.emit("graph.return }")

    def prepare(self, scope: Scope, one_buffer: bool) -> None:
        for _ in range(
            self.rng.randint(2, 6) if one_buffer else self.rng.randint(0, 3)
        ):
            if self.rng.random() < (0.2 if one_buffer else 0.5):
                self.scalar(scope)
            else:
                self.window(scope)

    def launch(self, scope: Scope) -> None:
        name, sizes, num_scalars = self.rng.choice(self.graphs)
        tensors = []
        for size in sizes:
            known = [name for name, other in scope.tensors if other == size]
            tensors.append(
                self.rng.choice(known or [n for n, s in HOST_TENSORS if s == size])
            )
        scalars = [self.rng.choice(scope.scalars) for _ in range(num_scalars)]
        types = [*map(tensor_type, sizes), *["index"] * num_scalars]
        self.emit(
            f"graph.call @{name}({', '.join(tensors + scalars)}) : ({', '.join(types)}) -> ()"
        )


# ---------------------------------------------------------------------------- #
# Cases
# ---------------------------------------------------------------------------- #


def opt(text: str, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["pypto-opt", *options], input=text, capture_output=True, text=True
    )


def run_main(functions: dict[str, Function], replays: bool, n: int) -> Runtime:
    runtime = Runtime(functions, replays)
    runtime.run(
        "main", [Tensor(name, size, 0, size) for name, size in HOST_TENSORS] + [n]
    )
    return runtime


def check(text: str, context: ir.Context) -> str:
    """What became of a program; a failure begins with a capital letter."""
    legalized = opt(text, "--legalize-graph-boundary")
    codes = sorted(
        set(re.findall(r"(?:error|warning): (?:\[(\S+)\])?", legalized.stderr))
    )
    if legalized.returncode not in (0, 1) or "" in codes:
        return f"Failed: {legalized.stderr}"
    if legalized.returncode:
        return f"refused: {', '.join(codes)}"
    again = opt(legalized.stdout, "--legalize-graph-boundary")
    if again.stdout != legalized.stdout:
        return f"Changed by a second run: {again.stderr}"
    verified = opt(legalized.stdout, "--verify-graph-boundary")
    if verified.returncode:
        return f"Rejected by the verifier: {verified.stderr}"
    before, after = read_module(text, context), read_module(legalized.stdout, context)
    num_replays = 0
    for n in (0, 1, 3):
        try:
            expected = observe(run_main(before, False, n).tasks)
        except Stuck:
            continue
        try:
            if observe(run_main(after, False, n).tasks) != expected:
                return f"Differs with n = {n}"
            replayed = run_main(after, True, n)
            differs = observe(replayed.tasks) != expected
            num_replays += replayed.num_replays
        except OutOfRange:
            return f"Takes a window that the input does not take, with n = {n}"
        except Stuck:
            return f"Traps with n = {n}"
        except Unusable:
            differs = True
        if differs and not HAZARDS & set(codes):
            return f"Replays wrongly with n = {n}"
        if differs:
            return "warned of: replays wrongly"
    return f"accepted{', warned' if codes else ''}, {'replayed' if num_replays else 'not replayed'}"


def main() -> int:
    return run_cases(
        __doc__,
        lambda rng: Generator(rng).program(),
        check,
        lambda outcome: "replayed" in outcome,
    )


if __name__ == "__main__":
    sys.exit(main())
