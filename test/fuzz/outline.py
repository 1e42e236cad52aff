#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that outlining changes nothing that is observed.

Random programs with scopes are outlined; of each one that is accepted

- no graph scope and no device scope may be left, and a second run must not change
  the output;
- the kernels it launches, run one by one, must be those of the input, with the same
  windows of the same buffers and the same scalars;
- a function that was made must declare `inout` what it writes, and nothing `out`;
- when the result is legalized as well, a runtime that records and replays the graphs
  must launch what one that does not launches.

A case depends on the seed and its number alone::

    outline.py --seconds 60 --seed 7
    outline.py --seed 7 --case 1234 --print
"""

from __future__ import annotations

import random
import re
import sys

import replay
from cases import run_cases
from mlir import ir
from replay import OutOfRange, Scope, Stuck, Tensor, Unusable, tensor_type

# What the kernels write of their arguments; @k3 returns a buffer of its own.
DESTINATIONS = {"k1": 1, "k2": 2}
PASSES = ("--outline-graph-scopes", "--outline-incore-scopes")


class WrongDirection(Exception):
    """A function writes what it declares `in`."""


class Runtime(replay.Runtime):
    """Runs a module with scopes, or with the functions they became."""

    def __init__(
        self, functions: dict[str, replay.Function], replays: bool, is_inlined: bool
    ) -> None:
        super().__init__(functions, replays)
        # Whether functions with a body run in the place of their calls.
        self.is_inlined = is_inlined
        self.directions: dict[str, list[str]] = {}
        self.written: list[str] = []

    def run_operation(
        self, op: replay.Operation, values: list, env: dict[int, object]
    ) -> list:
        if op.name == "graph.scope":
            results = self.run_block(op.regions[0], env)
            return results + ["task"] * (len(op.results) - len(results))
        if op.name == "graph.task_dummy":
            return ["task"]
        return super().run_operation(op, values, env)

    def launch_task(self, name: str, arguments: list, values: list[int | None]) -> None:
        if name in DESTINATIONS:
            self.written.append(arguments[DESTINATIONS[name]].buffer)
        super().launch_task(name, arguments, values)

    def call(self, op: replay.Operation, values: list) -> list:
        name = op.attributes["callee"].removeprefix("@")
        callee = self.functions[name]
        if callee.body is None or not (self.is_inlined or callee.kind == "graph"):
            return super().call(op, values)
        is_submit = op.name == "graph.submit"
        count = op.attributes["operandSegmentSizes"][0] if is_submit else len(values)
        arguments = values[:count]
        if self.is_inlined:
            results = self.call_inlined(name, arguments)
        else:
            self.launch_graph(name, arguments)
            results = [arguments[tie] for tie in callee.ties]
        return results + (["task"] if is_submit else [])

    def call_inlined(self, name: str, arguments: list) -> list:
        first = len(self.written)
        results = self.run(name, arguments)
        written = set(self.written[first:])
        declared = set()
        passed = set()
        for argument, direction in zip(arguments, self.directions[name], strict=True):
            if isinstance(argument, Tensor):
                passed.add(argument.buffer)
                if direction == "inout":
                    declared.add(argument.buffer)
        if not (written & passed) <= declared or "out" in self.directions[name]:
            raise WrongDirection(name)
        for result, tie in zip(results, self.functions[name].ties, strict=True):
            if tie is not None and result != arguments[tie]:
                raise WrongDirection(f"{name}: a tied result is another value")
        return results


class Generator(replay.Generator):
    """Writes one random program with scopes."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        # The kinds of the scopes around.
        self.kinds: list[str] = []
        self.tasks: list[str] = []

    def program(self) -> str:
        self.emit(
            "module attributes {graph.runtime = #graph.runtime<host_build_graph>} {"
        )
        self.emit(replay.KERNELS)
        self.main()
        self.emit("}")
        return "\n".join(self.lines)

    def main(self) -> None:
        params = ", ".join(
            f"inout {name}: {tensor_type(size)}" for name, size in replay.HOST_TENSORS
        )
        kind = self.rng.choice(["orchestration", "opaque"])
        self.emit(f"graph.func {kind} @main({params}, in %n: index) {{")
        scope = Scope(list(replay.HOST_TENSORS), [*self.constants(), "%n"])
        self.prepare(scope, one_buffer=False)
        for _ in range(self.rng.randint(1, 3)):
            self.region(scope, "graph", 0)
        inner, variable = scope.copy(), self.fresh()
        inner.scalars += [variable] * 4
        self.emit(f"scf.for {variable} = %c0 to %c3 step %c1 {{")
        for _ in range(self.rng.randint(1, 4)):
            self.region(inner, self.rng.choice(["graph", "graph", "incore"]), 0)
            self.statements(inner, self.rng.randint(0, 2), 1)
        self.emit("}")
        self.statements(scope, self.rng.randint(0, 2), 1)
        self.emit("graph.return }")

    def scope(self, scope: Scope, depth: int) -> None:
        kinds = ["manual", "auto"]
        if "incore" not in self.kinds:
            kinds += ["incore", "incore", "cluster", "spmd"]
        if not self.kinds:
            kinds += ["graph"] * 3
        self.region(scope, self.rng.choice(kinds), depth)

    def region(self, scope: Scope, kind: str, depth: int) -> None:
        """A scope that yields some of what it computes."""
        rng = self.rng
        is_device = kind in ("incore", "cluster", "spmd")
        head = f"graph.scope {kind}"
        if kind == "graph" or (is_device and rng.random() < 0.5):
            head += f' "{rng.choice(["layer", "layer_0", "main_incore_0", "x"])}"'
        if is_device and rng.random() < 0.2:
            head += " core_num(%c4)"
        outer_kinds = self.kinds
        if kind not in ("manual", "auto"):
            self.kinds = [*outer_kinds, kind]
        outer_lines, self.lines = self.lines, []
        inner = scope.copy()
        self.statements(inner, rng.randint(1, 6), depth + 1)
        if kind == "graph" or rng.random() < 0.7:
            self.task(inner)
        yielded = [
            (name, tensor_type(size))
            for name, size in rng.sample(inner.tensors[-8:], rng.randint(0, 2))
        ]
        if rng.random() < 0.4:
            yielded.append((rng.choice(inner.scalars[-6:]), "index"))
        rng.shuffle(yielded)
        body, self.lines = self.lines, outer_lines
        self.kinds = outer_kinds
        types = [type_ for _, type_ in yielded]
        results = types + (
            ["!graph.task_id"] if is_device and rng.random() < 0.5 else []
        )
        result = self.fresh()
        prefix = f"{result}:{len(results)} = " if results else ""
        arrow = f" -> ({', '.join(results)})" if results else ""
        self.emit(f"{prefix}{head}{arrow} {{")
        self.lines += body
        if yielded:
            names = ", ".join(name for name, _ in yielded)
            self.emit(f"graph.yield {names} : {', '.join(types)} }}")
        else:
            self.emit("graph.yield }")
        if len(results) > len(types) and rng.random() < 0.7:
            self.emit(
                f"{self.fresh()} = graph.task_dummy "
                f"deps({result}#{len(types)} : !graph.task_id) : !graph.task_id"
            )
        for i, type_ in enumerate(types):
            name = f"{result}#{i}" if len(results) > 1 else result
            if type_ == "index":
                scope.scalars += [name] * 2
            else:
                scope.tensors += [(name, replay.extent(type_))] * 3


def read_directions(text: str) -> dict[str, list[str]]:
    """What the functions declare to do with their parameters."""
    return {
        name: re.findall(r"\b(in|out|inout) %", signature)
        for name, signature in re.findall(
            r'graph\.func (?:private )?\w+ @"?(\w+)"?\((.*)', text
        )
    }


def run_main(
    functions: dict[str, replay.Function],
    n: int,
    directions: dict[str, list[str]],
    replays: bool = False,
    is_inlined: bool = True,
) -> Runtime:
    runtime = Runtime(functions, replays, is_inlined)
    runtime.directions = directions
    tensors = [Tensor(name, size, 0, size) for name, size in replay.HOST_TENSORS]
    runtime.run("main", [*tensors, n])
    return runtime


def check_replay(text: str, context: ir.Context) -> str:
    legalized = replay.opt(text, "--legalize-graph-boundary")
    if legalized.returncode not in (0, 1):
        return f"Failed to legalize: {legalized.stderr}"
    if legalized.returncode or "warning:" in legalized.stderr:
        return "outlined, not legal"
    functions = replay.read_module(legalized.stdout, context)
    for n in (0, 1, 3):
        try:
            expected = run_main(functions, n, {}, is_inlined=False).tasks
            replayed = run_main(functions, n, {}, replays=True, is_inlined=False)
        except Stuck:
            continue
        except Unusable:
            return f"Cannot be recorded with n = {n}"
        if replay.observe(replayed.tasks) != replay.observe(expected):
            return f"Replays wrongly with n = {n}"
    return "outlined, legal, replays"


def check(text: str, context: ir.Context) -> str:
    """What became of a program; a failure begins with a capital letter."""
    outlined = replay.opt(text, *PASSES)
    if outlined.returncode:
        errors = re.findall(r"error: (?:\[(\S+)\])?", outlined.stderr)
        if outlined.returncode == 1 and set(errors) == {"outline-scalar-result"}:
            return "refused"
        return f"Failed: {outlined.stderr}"
    if re.search(r"graph\.scope (graph|incore|cluster|spmd)", outlined.stdout):
        return "Left a scope"
    if replay.opt(outlined.stdout, *PASSES).stdout != outlined.stdout:
        return "Changed by a second run"
    directions = read_directions(outlined.stdout)
    before = replay.read_module(text, context)
    after = replay.read_module(outlined.stdout, context)
    for n in (0, 1, 3):
        try:
            expected = run_main(before, n, {}).tasks
        except Stuck:
            continue
        try:
            tasks = run_main(after, n, directions).tasks
        except OutOfRange:
            return f"Takes a window out of range with n = {n}"
        except Stuck:
            return f"Traps with n = {n}"
        except WrongDirection as error:
            return f"Declares wrongly: {error}"
        if replay.observe(tasks) != replay.observe(expected):
            return f"Differs with n = {n}"
    return check_replay(outlined.stdout, context)


def main() -> int:
    return run_cases(
        __doc__,
        lambda rng: Generator(rng).program(),
        check,
        lambda outcome: outcome == "outlined, legal, replays",
    )


if __name__ == "__main__":
    sys.exit(main())
