# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must hold of every program."""

from __future__ import annotations

import dataclasses
import io
import warnings
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.passmanager import PassManager

from .. import LegalizationError, LegalizationWarning, check_boundary, legalize
from .._diagnostics import Diagnostic
from .program import Program

# What a program with scopes goes through before its graphs are legalized.
OUTLINE = (
    "builtin.module(inline,erase-inline-functions,outline-graph-scopes,"
    "outline-incore-scopes,normalize-returns,derive-call-directions,"
    "canonicalize,cse)"
)

# Warnings of what may replay wrongly.
HAZARDS = frozenset({"graph-boundary-alias", "graph-stale-dependency"})


class PropertyError(Exception):
    """A property does not hold.

    Attributes:
      kind: which one, as a short word that shrinking keeps.
      detail: the rest.
    """

    def __init__(self, kind: str, detail: str = ""):
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail


@dataclass(frozen=True)
class Outcome:
    """What became of a program.

    Attributes:
      status: "accepted", "unchanged" (accepted, there was nothing to do) or "refused".
      codes: the codes of the errors, or of the warnings of what was accepted.
      failure: the property that does not hold; None when all do.
      detail: what is wrong.
      facts: what the model of the runtime says; see `model.check`.
    """

    status: str = ""
    codes: tuple[str, ...] = ()
    failure: str | None = None
    detail: str = ""
    facts: tuple[str, ...] = ()


def check(program: Program, context: ir.Context, *, model: bool = True) -> Outcome:
    """Checks all properties of a program.

    Args:
      model: run the program in the model of the runtime as well.
    """
    try:
        return _check(program, context, model)
    except PropertyError as error:
        return Outcome(failure=error.kind, detail=error.detail)


def _check(program: Program, context: ir.Context, model: bool) -> Outcome:
    before = parse(program.text, context)
    check_round_trips(before, context)
    legal = parse(program.text, context)
    errors, caught = run_legalize(legal, program)
    if errors is not None:
        if str(legal) != str(before):
            raise PropertyError("refused but changed")
        return Outcome("refused", _codes(errors))
    codes = _codes(caught)
    check_round_trips(legal, context)
    check_legal(legal, program)
    facts: tuple[str, ...] = ()
    if program.has_scopes:
        run_passes(before, OUTLINE)
    status = "unchanged" if str(legal) == str(before) else "accepted"
    if model:
        from . import model as replay

        facts = replay.check(
            program, before, legal, is_warned=not HAZARDS.isdisjoint(codes)
        )
    return Outcome(status, codes, facts=facts)


def parse(text: str, context: ir.Context) -> ir.Module:
    """A module from text."""
    try:
        return ir.Module.parse(text, context)
    except ir.MLIRError as error:
        raise PropertyError("invalid", str(error)) from None


def _print(module: ir.Module, generic: bool = False) -> str:
    return module.operation.get_asm(print_generic_op_form=generic)


def check_round_trips(module: ir.Module, context: ir.Context) -> None:
    """Text, generic form and bytecode give the same module again."""
    for generic in (False, True):
        text = _print(module, generic)
        if _print(parse(text, context), generic) != text:
            raise PropertyError("round trip", "generic form" if generic else "text")
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode)
    again = ir.Module.parse(bytecode.getvalue(), context)
    if _print(again, True) != _print(module, True):
        raise PropertyError("round trip", "bytecode")
    second = io.BytesIO()
    again.operation.write_bytecode(second)
    # What the bytecode says of locations comes from the bytecode.
    if _print(ir.Module.parse(second.getvalue(), context), True) != _print(again, True):
        raise PropertyError("round trip", "bytecode of bytecode")


def run_legalize(
    module: ir.Module, program: Program
) -> tuple[list[Diagnostic] | None, list[Diagnostic]]:
    """Legalizes a module: the errors, or None, and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            legalize(module, pipeline=program.has_scopes)
        except LegalizationError as error:
            errors = [d for d in error.diagnostics if d.severity == "error"]
            for diagnostic in errors:
                if diagnostic.code is None:
                    raise PropertyError("uncoded error", str(error)) from None
            if not errors:
                raise PropertyError("refused without an error") from None
            return errors, []
    warned = [w for w in caught if issubclass(w.category, LegalizationWarning)]
    return None, [_read_warning(str(w.message)) for w in warned]


def _read_warning(text: str) -> Diagnostic:
    code = text.split("[", 1)[-1].split("]", 1)[0] if "[" in text else None
    return Diagnostic("warning", code, text)


def _codes(diagnostics: list[Diagnostic]) -> tuple[str, ...]:
    return tuple(sorted({d.code for d in diagnostics if d.code}))


def check_legal(module: ir.Module, program: Program) -> None:
    """The verifier accepts what was legalized, and a second run changes nothing."""
    rejected = [d for d in check_boundary(module) if d.severity == "error"]
    if rejected:
        raise PropertyError("rejected by the verifier", str(rejected[0]))
    again = module.operation.clone()
    errors, _ = run_legalize(again, program)
    if errors:
        raise PropertyError("refused by a second run", str(errors[0]))
    if again.get_asm() != _print(module):
        raise PropertyError("changed by a second run")


def run_passes(module: ir.Module, pipeline: str) -> None:
    """Runs passes that are expected to succeed."""
    try:
        PassManager.parse(pipeline, module.context).run(module.operation)
    except ir.MLIRError as error:
        raise PropertyError("passes failed", str(error)) from None


def to_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data."""
    return dataclasses.asdict(outcome)


def from_json(data: dict[str, Any]) -> Outcome:
    """The outcome of `to_json`."""
    return Outcome(
        data["status"],
        tuple(data["codes"]),
        data["failure"],
        data["detail"],
        tuple(data["facts"]),
    )
