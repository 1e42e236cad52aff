# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Undoes part of a legalization, so that something must notice."""

from __future__ import annotations

import random
from collections.abc import Iterator

from mlir import ir

_VIEWS = ("graph.slice", "graph.view", "graph.cast")
_LAUNCHES = ("graph.call", "graph.submit")


def put_back(module: ir.Operation, seed: int) -> str | None:
    """Computes a parameter of a graph function in its body again.

    The parameter stays and is used no more.

    Args:
      module: a legalized module, which is changed.
      seed: chooses among the parameters.

    Returns:
      What was put back: "scalar" or "view"; None when there is nothing, then the
      module is unchanged.
    """
    functions = {
        op.attributes["sym_name"].value: op.operation
        for op in module.regions[0].blocks[0].operations
    }
    candidates: list[tuple[ir.Operation, ir.Operation, int]] = []
    seen: set[str] = set()
    for launch in _walk(module):
        if launch.name not in _LAUNCHES:
            continue
        name = launch.attributes["callee"].value
        function = functions[name]
        if str(function.attributes["kind"]) != "#graph.kind<graph>" or name in seen:
            continue
        if not list(function.regions[0].blocks):
            continue
        seen.add(name)
        for i, argument in enumerate(function.regions[0].blocks[0].arguments):
            is_launched = any(use.owner.name in _LAUNCHES for use in argument.uses)
            if is_launched and _find_chain(launch, i) is not None:
                candidates.append((launch, function, i))
    if not candidates:
        return None
    launch, function, number = random.Random(seed).choice(candidates)
    return _put_back(launch, function, number)


def _walk(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from _walk(inner.operation)


def _arguments(launch: ir.Operation) -> list[ir.Value]:
    if launch.name == "graph.call":
        return list(launch.operands)
    count = next(iter(launch.attributes["operandSegmentSizes"]))
    return list(launch.operands)[:count]


def _find_chain(launch: ir.Operation, number: int) -> list[ir.Operation] | None:
    """What computes an argument from other arguments and constants, in order.

    None when something else goes into it, or no scalar argument: then it is the same
    on every replay and might as well be computed inside.
    """
    arguments = _arguments(launch)
    if number >= len(arguments):
        return None
    others = arguments[:number]
    chain: list[ir.Operation] = []
    uses_scalar = False

    def visit(value: ir.Value, is_first: bool) -> bool:
        nonlocal uses_scalar
        if not is_first and value in others:
            uses_scalar |= not _is_tensor(value)
            return True
        owner = value.owner
        if isinstance(owner, ir.Block):
            return False
        op = owner.operation
        if op in chain:
            return True
        is_pure = op.name.startswith("arith.") or op.name in _VIEWS
        if not is_pure or not all(visit(operand, False) for operand in op.operands):
            return False
        chain.append(op)
        return True

    # A value that the caller passes twice is computed by nobody.
    if arguments[number] in others:
        return None
    return chain if visit(arguments[number], True) and uses_scalar else None


def _put_back(launch: ir.Operation, function: ir.Operation, number: int) -> str:
    arguments = _arguments(launch)
    block = function.regions[0].blocks[0]
    parameters = list(block.arguments)
    chain = _find_chain(launch, number) or []
    values: list[tuple[ir.Value, ir.Value]] = []
    for argument, parameter in zip(arguments[:number], parameters, strict=False):
        values.append((argument, parameter))

    def lookup(value: ir.Value) -> ir.Value:
        return next(inside for outside, inside in values if outside == value)

    point = ir.InsertionPoint.at_block_begin(block)
    for op in chain:
        operands = [lookup(operand) for operand in op.operands]
        copy = op.clone(point)
        for i, operand in enumerate(operands):
            copy.operands[i] = operand
        values += zip(op.results, copy.results, strict=True)
    result = lookup(arguments[number])
    parameters[number].replace_all_uses_with(result)
    return "view" if _is_tensor(result) else "scalar"


def _is_tensor(value: ir.Value) -> bool:
    return str(value.type).startswith("!graph.tensor")
