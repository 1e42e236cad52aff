#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs as emitted code and in the model of the runtime: both must agree.

    random_programs.py --seed 3 --count 300

Every program that is legal is translated; many go into one executable. Run eagerly,
and run with recordings, the emitted code has to launch and leave behind what the model
does; what is recorded has to have as many nodes as the compiler counts.
"""

from __future__ import annotations

import argparse
import collections
import os
import struct
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import pypto_graph
from harness import Case, Result, Unit, run
from mlir import ir
from model import ModelError, drop_kernel_bodies, find_difference, run_model
from pypto_graph.fuzz import draw_arguments, generate
from run import check

NUM_CALLS = 3


@dataclass
class Candidate:
    """A legal program and its emitted code."""

    number: int
    text: str
    case: Case
    # Whether a recording may have fewer nodes than are counted.
    has_branches: bool


def scalar_bits(value: Any, type_: str) -> int:
    """The bit pattern of a scalar."""
    if type_ in ("f32", "bf16", "f64", "f16"):
        if type_ == "bf16":
            return struct.unpack("<I", struct.pack("<f", value))[0] >> 16
        code = {"f16": "<e", "f32": "<f", "f64": "<d"}[type_]
        return int.from_bytes(struct.pack(code, value), "little")
    width = 64 if type_ == "index" else int(type_.lstrip("ui"))
    return int(value) & ((1 << width) - 1)


def as_array(value: numpy.ndarray, type_: str) -> numpy.ndarray:
    """The array; bf16 as its bits."""
    array = numpy.ascontiguousarray(value)
    return array.view(numpy.uint16) if type_ == "bf16" else array


def make_candidate(seed: int, number: int, outcomes: collections.Counter) -> Any:
    """The program as emitted code, or None."""
    program = generate(seed, number)
    context = ir.Context()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = pypto_graph.legalize(program.text, pipeline=True, context=context)
        except pypto_graph.LegalizationError:
            outcomes["refused"] += 1
            return None
    text = drop_kernel_bodies(str(module))
    try:
        emitted = pypto_graph.to_orchestration(
            text, entry=program.entry, context=context
        )
    except pypto_graph.LegalizationError as error:
        codes = {d.code for d in error.diagnostics}
        # All else that the generator writes has a translation.
        allowed = [
            d.code == "codegen-limit" or "'graph.full'" in d.message
            for d in error.diagnostics
        ]
        if not all(allowed):
            raise
        outcomes[f"not translated: {', '.join(sorted(codes))}"] += 1
        return None
    unit = Unit(emitted.source, emitted.manifest)
    calls: list[list[int]] = []
    tensors: list[numpy.ndarray] = []
    for call in range(NUM_CALLS):
        arguments = draw_arguments(program, call)
        scalars = []
        for param, value in zip(program.params, arguments, strict=True):
            if param.shape is None:
                scalars.append(scalar_bits(value, param.type))
            elif call == 0:
                tensors.append(as_array(value, param.type))
        calls.append(scalars)
    case = Case(unit, calls, tensors, name=f"{seed}/{number}")
    return Candidate(number, text, case, "scf.if" in text or "scf.index_switch" in text)


def compare(candidate: Candidate, result: Result, directory: Path) -> str:
    """What became of a program; a failure begins with a capital letter."""
    unit, case = candidate.case.unit, candidate.case
    assert case.tensors is not None
    outcome = "agrees, nothing replayed"
    for eager in (True, False):
        try:
            model = run_model(
                candidate.text, unit, case.calls, case.tensors, directory, eager=eager
            )
        except ModelError as error:
            return f"Model fails: {error}"
        calls = result.eager if eager else result.replay
        errors = [call.error for call in calls if call.error]
        if model.error:
            # Emitted code cuts a window where the model says that it leaves its
            # tensor; neither is what the program means.
            return "not defined" if eager else "not replayable" if errors else "Model"
        if errors:
            return f"Fails: {errors[0]}"
        events = [[(e[0], e[1]) for e in call.events] for call in calls]
        data = result.eager_bytes if eager else result.replay_bytes
        if difference := find_difference(unit, model, data, events):
            return f"Differs ({'eager' if eager else 'replay'}): {difference}"
        if any(kind == "replayed" for call in events for kind, _ in call):
            outcome = "agrees, replayed"
    for problem in check(unit, result, fewer_nodes=candidate.has_branches):
        if "nodes" in problem:
            return f"Nodes: {problem}"
    return outcome


def run_batch(candidates: list[Candidate], outcomes: collections.Counter) -> int:
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        results = run([candidate.case for candidate in candidates], directory)
        for candidate, result in zip(candidates, results, strict=True):
            outcome = compare(candidate, result, directory)
            if outcome[0].isupper():
                failures += 1
                print(f"program {candidate.number}: {outcome}", flush=True)
                outcome = outcome.split(":")[0]
            outcomes[outcome] += 1
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100000, help="programs to try")
    parser.add_argument("--batch", type=int, default=40, help="programs a executable")
    default = float(os.environ.get("PYPTO_FUZZ_SECONDS", "5"))
    parser.add_argument("--seconds", type=float, default=default)
    parser.add_argument("--print", action="store_true", help="print the emitted code")
    options = parser.parse_args()
    outcomes: collections.Counter[str] = collections.Counter()
    failures = 0
    batch: list[Candidate] = []
    end = time.monotonic() + options.seconds
    numbers = range(options.first, options.first + options.count)
    for number in numbers:
        candidate = make_candidate(options.seed, number, outcomes)
        if candidate:
            batch.append(candidate)
            if options.print:
                print(candidate.text, candidate.case.unit.source, sep="\n")
        is_over = time.monotonic() > end and bool(batch)
        if len(batch) == options.batch or is_over or number == numbers[-1]:
            failures += run_batch(batch, outcomes) if batch else 0
            batch = []
        if is_over:
            break
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    # Programs of which none is replayed would show nothing.
    return 1 if failures or not outcomes["agrees, replayed"] else 0


if __name__ == "__main__":
    sys.exit(main())
