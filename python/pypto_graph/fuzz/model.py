# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the model of the runtime must say of a program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
from mlir import ir

from .. import LegalizationError, check_boundary
from ..runtime import LoadedFunction, ModelError, Report, load
from .mutate import put_back
from .program import Program, draw_arguments
from .properties import PropertyError

CALLS = 4
# What the model says of a program that was not legalized although it had to be.
DIFFERS = "un-legalized: differs in one run"
DIFFERS_LATER = "un-legalized: differs when recordings are kept from run to run"
AGREES = "un-legalized: the model shows no difference"

# Orders of tasks, and whether recordings are kept from call to call.
RUNS = (("program", False), ("reverse", False), ("random", False), ("random", True))


def check(
    program: Program, before: ir.Module, legal: ir.Module, *, is_warned: bool
) -> tuple[str, ...]:
    """Checks a program that was accepted: it does what it did, also when replayed.

    Args:
      before: the program, with its graphs as functions.
      legal: what the pass made of it.
      is_warned: the pass warned of something; then a replay may go wrong.

    Returns:
      Facts for statistics.
    """
    calls = draw_calls(program)
    first, second = _load(before, program), _load(legal, program)
    _check_eager(first, second, calls)
    facts = list(_check_replay(second, calls, is_warned))
    if str(before) != str(legal):
        facts.append(_show_difference(first, calls))
        if not is_warned:
            facts += _check_mutation(program, legal, calls)
    return tuple(facts)


def _show_difference(function: LoadedFunction, calls: list[list[Any]]) -> str:
    """Whether the model sees what the pass had to do."""
    for keeps in (False, True):
        if not _agrees(_compare(function, calls, "program", keeps)):
            return DIFFERS_LATER if keeps else DIFFERS
    return AGREES


def draw_calls(program: Program) -> list[list[Any]]:
    """The arguments of some calls; the third one is on the buffers of the first."""
    calls = [draw_arguments(program, call) for call in range(CALLS)]
    for i, argument in enumerate(calls[0]):
        if isinstance(argument, numpy.ndarray):
            calls[2][i] = argument
    return calls


def _load(module: ir.Module, program: Program) -> LoadedFunction:
    return load(module, entry=program.entry, order_readers=True)


def _compare(
    function: LoadedFunction, calls: list[list[Any]], order: str, keeps: bool
) -> Report:
    return function.compare(calls, order=order, keep_recordings=keeps)


def _agrees(report: Report) -> bool:
    """Whether no task got another operand either."""
    return report.agrees and not any(call.culprit for call in report.calls)


def _check_eager(
    first: LoadedFunction, second: LoadedFunction, calls: list[list[Any]]
) -> None:
    """The program means the same as before."""
    expected, actual = _Copies(), _Copies()
    for number, arguments in enumerate(calls):
        try:
            first(*expected.get(arguments))
        except ModelError as error:
            raise PropertyError("ill-defined", str(error)) from None
        try:
            second(*actual.get(arguments))
        except ModelError as error:
            raise PropertyError("fails when legalized", str(error)) from None
        if not expected.same_as(actual):
            raise PropertyError("means something else", f"call {number}")


class _Copies:
    """Copies of arrays, one for each of the arrays given."""

    def __init__(self) -> None:
        self._copies: dict[int, numpy.ndarray] = {}

    def get(self, arguments: list[Any]) -> list[Any]:
        """The arguments with arrays replaced by their copies."""
        return [
            self._copies.setdefault(id(argument), argument.copy())
            if isinstance(argument, numpy.ndarray)
            else argument
            for argument in arguments
        ]

    def same_as(self, other: _Copies) -> bool:
        """Whether the bytes are the same."""
        return all(
            copy.tobytes() == other._copies[key].tobytes()
            for key, copy in self._copies.items()
        )


def _check_replay(
    function: LoadedFunction, calls: list[list[Any]], is_warned: bool
) -> Iterator[str]:
    num_replays = num_fallbacks = 0
    for order, keeps in RUNS:
        report = _compare(function, calls, order, keeps)
        for call in report.calls:
            num_replays += call.num_replays
            num_fallbacks += sum(
                event.kind == "ran as ordinary tasks" for event in call.events
            )
        if _agrees(report):
            continue
        if is_warned:
            yield "warned of: replays wrongly"
            return
        kind = "races" if any(call.race for call in report.calls) else "replays wrongly"
        kept = ", recordings kept" if keeps else ""
        raise PropertyError(kind + kept, f"order {order}\n{report}")
    yield "legalized: replayed" if num_replays else "legalized: never replayed"
    if num_fallbacks:
        yield "legalized: some launches run as ordinary tasks"


def _check_mutation(
    program: Program, legal: ir.Module, calls: list[list[Any]]
) -> Iterator[str]:
    """A hoisted value put back into the body does not go unnoticed."""
    mutant = legal.operation.clone()
    what = put_back(mutant, program.number)
    if what is None:
        return
    try:
        is_refused = any(d.severity == "error" for d in check_boundary(mutant))
    except LegalizationError:
        # A tied result is another value.
        is_refused = True
    if is_refused:
        yield f"put back a {what}: the verifier refuses it"
        return
    function = load(mutant, entry=program.entry, order_readers=True)
    if not _agrees(_compare(function, calls, "program", False)):
        yield f"put back a {what}: the model shows it"
        return
    raise PropertyError("mutant unnoticed", f"{what}\n{mutant}")
