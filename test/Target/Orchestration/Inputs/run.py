#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translates a legal module, compiles it and runs it eagerly and replayed.

    run.py module.mlir --calls '1 2; 3 4' --extent 8

Both have to leave the same, which is what the model of the runtime leaves, and every
recording has to have as many nodes as the compiler counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from harness import (
    Case,
    Result,
    ToolError,
    Unit,
    draw_tensors,
    run,
    run_tool,
    translate,
)
from model import drop_kernel_bodies, find_difference, run_model


def check(unit: Unit, result: Result, fewer_nodes: bool = False) -> list[str]:
    """What is wrong with a result; `fewer_nodes` where an invariant branch stands."""
    problems = []
    for number, (eager, replay) in enumerate(
        zip(result.eager, result.replay, strict=True)
    ):
        problems += [f"call {number}: {r.error}" for r in (eager, replay) if r.error]
        if eager.buffers != replay.buffers:
            problems.append(f"call {number}: the replay leaves something else")
        if any(event[0] == "fallback" for event in replay.events):
            problems.append(f"call {number}: not replayed")
    counts = {graph["name"]: graph["nodes"] for graph in unit.manifest["graphs"]}
    for name, sizes in result.nodes().items():
        for size in sizes:
            if size > counts[name] or (size < counts[name] and not fewer_nodes):
                problems.append(f"{name} has {size} nodes, counted {counts[name]}")
    return problems


def check_model(text: str, case: Case, result: Result, directory: Path) -> list[str]:
    """How a result differs from what the model of the runtime does."""
    problems = []
    for eager in (True, False):
        model = run_model(
            text, case.unit, case.calls, case.tensors, directory, eager=eager
        )
        if model.error:
            problems.append(f"the model fails: {model.error}")
            continue
        calls = result.eager if eager else result.replay
        events = [[(e[0], e[1]) for e in call.events] for call in calls]
        data = result.eager_bytes if eager else result.replay_bytes
        if difference := find_difference(case.unit, model, data, events):
            problems.append(f"{'eager' if eager else 'replay'}: {difference}")
    return problems


def default_calls(unit: Unit) -> list[list[int]]:
    count = len(unit.manifest["entry"]["scalars"])
    return [[call * count + i + 1 for i in range(count)] for call in range(3)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("--calls", help="the scalars of the calls, `;` between calls")
    parser.add_argument("--extent", type=int, default=8, help="what `?` is")
    parser.add_argument("--fewer-nodes", action="store_true")
    parser.add_argument("--print", action="store_true", help="print the results")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        # Kernels are probes here and there.
        text = drop_kernel_bodies(run_tool(["pypto-opt", str(options.module)]))
        unit = translate(text, directory)
        calls = default_calls(unit)
        if options.calls is not None:
            calls = [list(map(int, c.split())) for c in options.calls.split(";")]
        case = Case(unit, calls, draw_tensors(unit, options.extent))
        result = run([case], directory)[0]
        problems = check(unit, result, options.fewer_nodes)
        problems += check_model(text, case, result, directory)
    if options.print:
        for call in [*result.eager, *result.replay]:
            print(call)
    if not any(call.tasks for call in result.eager):
        problems.append("no task ran")
    for problem in problems:
        print(f"{options.module}: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        sys.exit(str(error))
