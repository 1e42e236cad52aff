# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program that breaks a property smaller."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator

from mlir import ir

from .program import Program

Test = Callable[[Program], bool]


def shrink(
    program: Program, is_interesting: Test, context: ir.Context, seconds: float = 60.0
) -> Program:
    """A smaller program for which `is_interesting` still holds.

    Operations are left out: their results are replaced by an operand or an earlier
    value of the same type; loops, branches and scopes by what is inside. Functions that
    nothing calls go.
    """
    end = time.monotonic() + seconds
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        position = 0
        while time.monotonic() < end:
            smaller = _leave_out(program, position, context)
            if smaller is None:
                break
            is_smaller = len(smaller.text) < len(program.text)
            if is_smaller and is_interesting(smaller):
                program = smaller
                progress = True
            else:
                position += 1
    return program


def _leave_out(program: Program, position: int, context: ir.Context) -> Program | None:
    """The program without its n-th operation, from the end; None past the last one."""
    try:
        module = ir.Module.parse(program.text, context)
    except ir.MLIRError:
        return None
    ops = list(_walk(module.operation))
    if position >= len(ops):
        return None
    op = ops[-1 - position]
    text = program.text
    if op.name == "graph.func":
        name = op.attributes["sym_name"].value
        if text.count(f"@{name}(") == 1 and name != program.entry:
            op.erase()
            text = str(module)
    elif _remove(op):
        text = str(module)
    return dataclasses.replace(program, text=text)


def _walk(op: ir.Operation) -> Iterator[ir.Operation]:
    """The operations inside, terminators aside."""
    for region in op.regions:
        for block in region.blocks:
            ops = [inner.operation for inner in block.operations]
            is_module = op.name == "builtin.module"
            for inner in ops if is_module else ops[:-1]:
                yield inner
                yield from _walk(inner)


def _remove(op: ir.Operation) -> bool:
    """Removes an operation; whether that could be done."""
    if op.name in ("scf.for", "scf.if", "graph.scope"):
        return _inline(op)
    values = [_find_substitute(op, result) for result in op.results]
    if any(value is None for value in values):
        return False
    for result, value in zip(op.results, values, strict=True):
        if value != result:
            result.replace_all_uses_with(value)
    op.erase()
    return True


def _find_substitute(op: ir.Operation, result: ir.Value) -> ir.Value | None:
    """A value to use in place of a result: itself when nothing uses it."""
    if not any(True for _ in result.uses):
        return result
    for operand in op.operands:
        if operand.type == result.type:
            return operand
    block = op.block
    before: ir.Value | None = None
    for argument in block.arguments:
        if argument.type == result.type:
            before = argument
    for other in block.operations:
        if other.operation == op:
            break
        for value in other.operation.results:
            if value.type == result.type:
                before = value
    return before


def _inline(op: ir.Operation) -> bool:
    """Puts what is in the first region in the place of the operation."""
    block = op.regions[0].blocks[0]
    *inner, end = [other.operation for other in block.operations]
    replacements = list(op.operands)
    if op.name == "scf.for":
        lower, _, _, *inits = replacements
        for argument, value in zip(block.arguments, [lower, *inits], strict=True):
            argument.replace_all_uses_with(value)
    elif block.arguments:
        return False
    if len(end.operands) != len(op.results):
        return False
    values = list(end.operands)
    for other in inner:
        other.move_before(op)
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.erase()
    return True
