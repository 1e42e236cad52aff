# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics as Python objects, and the explanations of their codes."""

from __future__ import annotations

import difflib
import enum
import functools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ._libs import _pyptoGraph as _ext


class Severity(str, enum.Enum):
    """How grave a diagnostic is."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"

    def __str__(self) -> str:
        return self.value


# After what an operation puts in front of its own errors.
_CODE = re.compile(r"(?:'[^']*' op )?\[([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\]")


@dataclass(frozen=True)
class Diagnostic:
    """One diagnostic of MLIR.

    Attributes:
      severity: error, warning, remark or note.
      code: the stable code at the start of the message, without brackets
        ("graph-out-param"); None when there is none. `pypto_graph.explain` says more.
      message: the text, the bracketed code included.
      file, line, column: where, counted from 1; None when not known.
      notes: further diagnostics that belong to this one.
    """

    severity: Severity
    code: str | None
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    notes: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self._place()}{self.severity}: {self.message}"]
        lines += [str(note) for note in self.notes]
        return "\n".join(lines)

    def _place(self) -> str:
        if self.file is None:
            return ""
        return f"{self.file}:{self.line}:{self.column}: "

    @staticmethod
    def from_mlir(diagnostic: ir.Diagnostic | ir.DiagnosticInfo) -> Diagnostic:
        """The copy of a diagnostic of MLIR, whose own life is short."""
        code = _CODE.match(diagnostic.message)
        place = _find_file(diagnostic.location)
        return Diagnostic(
            Severity[diagnostic.severity.name],
            code.group(1) if code else None,
            diagnostic.message,
            *(place or (None, None, None)),
            notes=tuple(Diagnostic.from_mlir(note) for note in diagnostic.notes),
        )


def _find_file(location: ir.Location) -> tuple[str, int, int] | None:
    """The first place in a file that a location has."""
    todo = [location]
    while todo:
        location = todo.pop()
        if location.is_a_file():
            return location.filename, location.start_line, location.start_col
        if location.is_a_name():
            todo.append(location.child_loc)
        elif location.is_a_callsite():
            todo += [location.caller, location.callee]
        elif location.is_a_fused():
            todo += reversed(location.locations)
    return None


@contextmanager
def collect_diagnostics(context: ir.Context) -> Iterator[list[Diagnostic]]:
    """Collects the errors and warnings of a context, in order.

    Remarks go where they went before.
    """
    collected: list[Diagnostic] = []

    def handle(diagnostic: ir.Diagnostic) -> bool:
        copy = Diagnostic.from_mlir(diagnostic)
        if copy.severity is Severity.REMARK:
            return False
        collected.append(copy)
        return True

    handler = context.attach_diagnostic_handler(handle)
    # Else MLIR keeps errors for its own exceptions and apart from the warnings.
    emitted = context.emit_error_diagnostics
    context.emit_error_diagnostics = True
    try:
        yield collected
    finally:
        context.emit_error_diagnostics = emitted
        handler.detach()


class LegalizationError(ValueError):
    """A module that cannot be made legal; it is unchanged.

    Attributes:
      diagnostics: every violation, in the order of the report.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()):
        super().__init__(message, tuple(diagnostics))
        self.message = message
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)

    def __str__(self) -> str:
        return "\n".join([self.message, *map(str, self.diagnostics)])


class LegalizationWarning(UserWarning):
    """Something the compiler cannot exclude, in a module that it accepts."""


@dataclass(frozen=True)
class Explanation:
    """What a diagnostic code means.

    Attributes:
      code: the code, without brackets.
      summary: one line.
      meaning: what is wrong, and what a replay would do.
      example: IR that has it.
      remedy: what to write instead.
    """

    code: str
    summary: str
    meaning: str
    example: str
    remedy: str

    def __str__(self) -> str:
        example = "\n".join(f"    {line}" for line in self.example.strip().splitlines())
        return (
            f"{self.code}: {self.summary}\n\n{self.meaning}\n\n"
            f"Example:\n\n{example}\n\nRemedy: {self.remedy}"
        )


@functools.cache
def _explanations() -> dict[str, Explanation]:
    return {info[0]: Explanation(*info) for info in _ext.diagnostic_infos()}


def diagnostic_codes() -> list[str]:
    """The codes of the passes' diagnostics, without brackets."""
    return list(_explanations())


def explain(code: str) -> Explanation:
    """What a diagnostic code means; print it to read it.

    Args:
      code: a code, with or without brackets: "graph-out-param".

    Raises:
      ValueError: no such code; the message names the similar ones.
      TypeError: not a string.
    """
    if not isinstance(code, str):
        raise TypeError(f"expected a diagnostic code, got {code!r}")
    name = code.strip().removeprefix("[").removesuffix("]")
    explanations = _explanations()
    if name in explanations:
        return explanations[name]
    similar = difflib.get_close_matches(name, explanations, n=3, cutoff=0.6)
    hint = f"; did you mean {' or '.join(similar)}?" if similar else ""
    raise ValueError(f"no diagnostic code {name!r}{hint}")


def is_module(value: Any) -> bool:
    """Whether a value is a module, or the operation of one."""
    return isinstance(value, ir.Module) or (
        isinstance(value, (ir.OpView, ir.Operation))
        and value.operation.name == "builtin.module"
    )
