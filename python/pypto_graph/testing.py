# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers for tests of programs and of passes."""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

from ._diagnostics import is_module

# What says the same for functions whose parameters stand in another order, or
# has no meaning: it is compared by itself or not at all.
_SIGNATURE = {
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "graph.slots",
}


def find_difference(left: ir.Module, right: ir.Module) -> str | None:
    """What is different between two programs, up to names and orders that mean nothing.

    Two programs are the same when their `opaque` and `orchestration` functions, paired
    by name, have the same bodies, where

    - functions of other kinds are paired by the launches that stand in the same place,
      whatever their names;
    - the parameters of such a function may be in any order, if each launch passes its
      operands in the same one;
    - names of parameters, the order of functions, where constants stand and locations
      do not matter.

    Returns:
      One line that says where the first difference is, or None.

    Raises:
      TypeError: not two modules.
    """
    for module in (left, right):
        if not is_module(module):
            raise TypeError(f"expected a module, got {module!r}")
    try:
        _Comparison(left.operation, right.operation).run()
    except _Difference as difference:
        return str(difference)
    return None


def assert_same_program(left: ir.Module, right: ir.Module) -> None:
    """Raises AssertionError, with both texts, when `find_difference` finds one."""
    difference = find_difference(left, right)
    if difference is not None:
        raise AssertionError(f"{difference}\n\n--- left\n{left}\n--- right\n{right}")


class _Difference(Exception):
    pass


def _functions(module: ir.Operation) -> dict[str, ir.Operation]:
    return {
        op.attributes["sym_name"].value: op.operation
        for op in module.regions[0].blocks[0]
        if op.operation.name == "graph.func"
    }


def _name(function: ir.Operation) -> str:
    return function.attributes["sym_name"].value


def _attribute(op: ir.Operation, name: str) -> ir.Attribute | None:
    return op.attributes.get(name, None)


def _attributes(op: ir.Operation, without: set[str]) -> dict[str, ir.Attribute]:
    return {
        name: op.attributes[name]
        for name in sorted(op.attributes)
        if name not in without
    }


def _is_constant(op: ir.Operation) -> bool:
    return op.name == "arith.constant"


def _same_constant(left: ir.Value, right: ir.Value) -> bool:
    ours, theirs = left.owner, right.owner
    if isinstance(ours, ir.Block) or isinstance(theirs, ir.Block):
        return False
    ours, theirs = ours.operation, theirs.operation
    return (
        _is_constant(ours)
        and _is_constant(theirs)
        and ours.attributes["value"] == theirs.attributes["value"]
    )


class _Function:
    """A function with its signature read."""

    def __init__(self, op: ir.Operation):
        self.op = op
        kind = op.attributes["function_type"].value
        self.types: list[ir.Type] = list(kind.inputs)
        self.results: list[ir.Type] = list(kind.results)
        params = _attribute(op, "arg_attrs")
        self.params = [params[i] for i in range(len(self.types))] if params else []
        self.directions = [str(param["graph.dir"]) for param in self.params]
        names = [param["graph.name"].value for param in self.params]
        ties = _attribute(op, "res_attrs")
        self.ties: list[int | None] = [None] * len(self.results)
        for i in range(len(self.results)):
            if ties and "graph.tied" in ties[i]:
                self.ties[i] = names.index(ties[i]["graph.tied"].value)
        blocks = list(op.regions[0].blocks)
        self.body = blocks[0] if blocks else None


class _Comparison:
    def __init__(self, left: ir.Operation, right: ir.Operation):
        self.modules = (left, right)
        self.left, self.right = _functions(left), _functions(right)
        # Pairs of functions, and of the first's parameters with the second's.
        self.orders: dict[str, tuple[str, list[int] | None]] = {}
        self.taken: set[str] = set()
        self.where = "module"

    def run(self) -> None:
        left, right = self.modules
        self.expect(
            _attributes(left, {"sym_name"}) == _attributes(right, {"sym_name"}),
            "attributes",
        )
        entries = [name for name, op in self.left.items() if self.is_entry(op)]
        others = [name for name, op in self.right.items() if self.is_entry(op)]
        self.expect(sorted(entries) == sorted(others), "orchestration functions")
        for name in entries:
            self.pair(name, name)
        # What nothing launches has only its name.
        for name in self.left:
            if name not in self.orders:
                self.expect(name in self.right, f"'@{name}' is only in the first")
                self.pair(name, name)
        for name in self.right:
            self.expect(name in self.taken, f"'@{name}' is only in the second")

    @staticmethod
    def is_entry(function: ir.Operation) -> bool:
        kind = str(function.attributes["kind"])
        return "opaque" in kind or "orchestration" in kind

    def expect(self, condition: bool, what: str) -> None:
        if not condition:
            raise _Difference(f"{self.where}: {what}")

    def pair(self, left: str, right: str) -> list[int]:
        """The place among the parameters of `right` of each of those of `left`."""
        if left in self.orders:
            paired, order = self.orders[left]
            self.expect(paired == right, f"'@{left}' is '@{paired}' and '@{right}'")
            if order is None:
                # A cycle of calls: the order has to be the one of the text.
                count = len(self.left[left].attributes["function_type"].value.inputs)
                return list(range(count))
            return order
        self.expect(right not in self.taken, f"'@{right}' is '@{left}' and another")
        self.orders[left] = (right, None)
        self.taken.add(right)
        outside, self.where = self.where, f"'@{left}' and '@{right}'"
        order = self.compare_functions(
            _Function(self.left[left]), _Function(self.right[right])
        )
        self.where = outside
        self.orders[left] = (right, order)
        return order

    def compare_functions(self, left: _Function, right: _Function) -> list[int]:
        self.expect(
            _attributes(left.op, _SIGNATURE) == _attributes(right.op, _SIGNATURE),
            "attributes",
        )
        self.expect(len(left.types) == len(right.types), "number of parameters")
        self.expect((left.body is None) == (right.body is None), "one has no body")
        if left.body is None or right.body is None or self.is_entry(left.op):
            order = list(range(len(left.types)))
            values = {}
            if left.body is not None and right.body is not None:
                values = dict(
                    zip(left.body.arguments, right.body.arguments, strict=False)
                )
                self.compare_blocks(left.body, right.body, values, set())
        else:
            order = self.compare_bodies(left, right)
        for i, at in enumerate(order):
            self.expect(left.types[i] == right.types[at], f"type of parameter #{i}")
            self.expect(
                left.directions[i] == right.directions[at],
                f"direction of parameter #{i}",
            )
        self.expect(left.results == right.results, "types of the results")
        ties = [None if tie is None else order[tie] for tie in left.ties]
        self.expect(ties == right.ties, "what the results are tied to")
        return order

    def compare_bodies(self, left: _Function, right: _Function) -> list[int]:
        values: dict[ir.Value, ir.Value] = {}
        assert left.body is not None and right.body is not None
        theirs = list(right.body.arguments)
        self.compare_blocks(left.body, right.body, values, set(theirs))
        places = {value: i for i, value in enumerate(theirs)}
        order: list[int | None] = [
            places[values[value]] if value in values else None
            for value in left.body.arguments
        ]
        # Parameters that nothing uses are paired by what they are.
        free = [i for i in range(len(theirs)) if i not in order]
        for i, place in enumerate(order):
            if place is not None:
                continue
            alike = [
                at
                for at in free
                if right.types[at] == left.types[i]
                and right.directions[at] == left.directions[i]
            ]
            self.expect(bool(alike), f"parameter #{i} has no counterpart")
            order[i] = alike[0]
            free.remove(alike[0])
        return [place for place in order if place is not None]

    def compare_blocks(
        self,
        left: ir.Block,
        right: ir.Block,
        values: dict[ir.Value, ir.Value],
        free: set[ir.Value],
    ) -> None:
        """Compares blocks; `free` are parameters of the second not yet paired."""
        ours = [op.operation for op in left if not _is_constant(op.operation)]
        theirs = [op.operation for op in right if not _is_constant(op.operation)]
        for a, b in zip(ours, theirs, strict=False):
            self.compare_operations(a, b, values, free)
        self.expect(
            len(ours) == len(theirs),
            f"number of operations in a block ({len(ours)} and {len(theirs)})",
        )

    def compare_operations(
        self,
        left: ir.Operation,
        right: ir.Operation,
        values: dict[ir.Value, ir.Value],
        free: set[ir.Value],
    ) -> None:
        self.expect(left.name == right.name, f"'{left.name}' and '{right.name}'")
        ours, theirs = list(left.operands), list(right.operands)
        self.expect(len(ours) == len(theirs), f"operands of '{left.name}'")
        skipped: set[str] = set()
        if left.name in ("graph.call", "graph.submit"):
            order = self.pair(
                left.attributes["callee"].value, right.attributes["callee"].value
            )
            skipped = {"callee", "arg_directions", "no_dep"}
            count = len(ours)
            if left.name == "graph.submit":
                count = left.attributes["operand_segment_sizes"][0]
            order = order[:count]
            self.expect(sorted(order) == list(range(count)), "arguments of a submit")
            theirs = [theirs[at] for at in order] + theirs[count:]
            self.compare_directions(left, right, order)
        self.expect(
            _attributes(left, skipped) == _attributes(right, skipped),
            f"attributes of '{left.name}'",
        )
        for i, (a, b) in enumerate(zip(ours, theirs, strict=False)):
            if a not in values and b in free:
                values[a] = b
                free.discard(b)
            same = (a in values and values[a] == b) or _same_constant(a, b)
            self.expect(same, f"operand #{i} of '{left.name}'")
        self.pair_values(left.results, right.results, values, f"'{left.name}'")
        self.expect(len(left.regions) == len(right.regions), "regions")
        for a_region, b_region in zip(left.regions, right.regions, strict=False):
            a_blocks, b_blocks = list(a_region.blocks), list(b_region.blocks)
            self.expect(len(a_blocks) == len(b_blocks), f"blocks of '{left.name}'")
            for a, b in zip(a_blocks, b_blocks, strict=False):
                self.pair_values(a.arguments, b.arguments, values, "a block")
                self.compare_blocks(a, b, values, free)

    def compare_directions(
        self, left: ir.Operation, right: ir.Operation, order: Sequence[int]
    ) -> None:
        ours, theirs = (
            _attribute(left, "arg_directions"),
            _attribute(right, "arg_directions"),
        )
        self.expect((ours is None) == (theirs is None), "one launch has no directions")
        if ours is not None and theirs is not None:
            self.expect(
                [ours[i] for i in range(len(ours))] == [theirs[at] for at in order],
                f"directions of the launch of {left.attributes['callee']}",
            )
        no_dep = [_attribute(op, "no_dep") or () for op in (left, right)]
        self.expect({order[i] for i in no_dep[0]} == set(no_dep[1]), "no_dep")

    def pair_values(
        self,
        left: Sequence[ir.Value],
        right: Sequence[ir.Value],
        values: dict[ir.Value, ir.Value],
        what: str,
    ) -> None:
        ours, theirs = list(left), list(right)
        self.expect(
            [value.type for value in ours] == [value.type for value in theirs],
            f"types of the values of {what}",
        )
        values.update(zip(ours, theirs, strict=False))
