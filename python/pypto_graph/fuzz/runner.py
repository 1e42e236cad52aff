# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs many programs in a process of their own, which may crash."""

from __future__ import annotations

import json
import os
import select
import signal
import tempfile
from collections.abc import Iterator
from typing import TextIO

from mlir import ir

from .. import register_dialects
from .generator import generate
from .program import Program
from .properties import Outcome, check, from_json, to_json

# A program that takes longer hangs.
SECONDS_PER_CASE = 60.0


def run_cases(
    seed: int, numbers: range, *, model: bool
) -> Iterator[tuple[int, Outcome]]:
    """The outcome of each program, in order."""
    while numbers:
        for number, outcome in _run_until_death(seed, numbers, model):
            yield number, outcome
            numbers = numbers[1:]


def check_apart(program: Program, *, model: bool) -> Outcome:
    """Checks one program in a process of its own."""

    def work(write: TextIO) -> None:
        _report(write, check(program, new_context(), model=model))

    for outcome in _read_outcomes(work, 1):
        return outcome
    raise AssertionError("no outcome")


def new_context() -> ir.Context:
    """A context that knows the dialects."""
    context = ir.Context()
    register_dialects(context)
    return context


def _run_until_death(
    seed: int, numbers: range, model: bool
) -> Iterator[tuple[int, Outcome]]:
    def work(write: TextIO) -> None:
        context = new_context()
        for i, number in enumerate(numbers):
            if i % 500 == 499:
                # Types and attributes stay in a context for good.
                context = new_context()
            _report(write, check(generate(seed, number), context, model=model))

    yield from zip(numbers, _read_outcomes(work, len(numbers)), strict=False)


def _report(write: TextIO, outcome: Outcome) -> None:
    write.write(json.dumps(to_json(outcome)) + "\n")
    write.flush()


def _read_outcomes(work, count: int) -> Iterator[Outcome]:
    """What a forked process reports; a last outcome of its death, if it dies."""
    read, write = os.pipe()
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            _run_child(work, read, write, errors.fileno())
        os.close(write)
        seen = 0
        has_ended = False
        try:
            with os.fdopen(read) as lines:
                while True:
                    ready, _, _ = select.select([lines], [], [], SECONDS_PER_CASE)
                    if not ready:
                        os.kill(child, signal.SIGKILL)
                        os.waitpid(child, 0)
                        has_ended = True
                        yield Outcome(failure="hangs")
                        return
                    line = lines.readline()
                    if not line:
                        break
                    seen += 1
                    yield from_json(json.loads(line))
            _, status = os.waitpid(child, 0)
            has_ended = True
        finally:
            if not has_ended:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        if seen < count:
            errors.seek(0)
            text = errors.read().decode(errors="replace")
            yield Outcome(failure="crash", detail=f"status {status}\n{text[-4000:]}")


def _run_child(work, read: int, write: int, errors: int) -> None:
    """Runs `work` and ends the process."""
    status = 1
    try:
        os.close(read)
        os.dup2(errors, 2)
        with os.fdopen(write, "w") as stream:
            work(stream)
        status = 0
    except BaseException:
        import traceback

        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)
