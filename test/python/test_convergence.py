# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program written with scopes ends as the one written with functions.

Equal means equal up to the order and the names of parameters, the names and the
order of functions that have a body, and where constants stand.
"""

from collections.abc import Iterator
from pathlib import Path

import pypto_graph  # noqa: F401
import pytest
from mlir.ir import Context, Module, Operation, Value
from mlir.passmanager import PassManager

EXAMPLES = Path(__file__).parents[2] / "examples"
# Outlined functions return their parameters; declared ones do after the last.
OUTLINE = "outline-graph-scopes,outline-incore-scopes,normalize-returns"
LEGALIZE = f"{OUTLINE},legalize-graph-boundary,verify-graph-boundary"


class Canonical:
    """A text of a module that is the same for equal modules."""

    def __init__(self, module: Module) -> None:
        self.functions = {
            op.attributes["sym_name"].value: op.operation for op in module.body
        }
        self.orders: dict[str, list[int]] = {}
        self.numbers: dict[str, str] = {}
        self.pending: list[str] = []
        self.names: dict[Value, str] = {}
        self.lines: list[str] = []
        for name, op in self.functions.items():
            if str(op.attributes["kind"]) in (
                "#graph.kind<orchestration>",
                "#graph.kind<opaque>",
            ):
                self.symbol(name)
        while self.pending:
            self.function(self.functions[self.pending.pop(0)])

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def symbol(self, name: str) -> str:
        """What a function is called: by its number, if it has a body."""
        if name not in self.numbers:
            has_body = bool(self.functions[name].regions[0].blocks)
            self.numbers[name] = f"@{len(self.numbers)}" if has_body else f"@{name}"
            self.pending.append(name)
        return self.numbers[name]

    def operands(self, op: Operation) -> list[Value]:
        """The operands of ``op`` in order of the reads; a callee reads its
        parameters in an order of its own. No function calls itself here."""
        operands = list(op.operands)
        if op.name == "scf.for":
            return operands[3:] + operands[:3]
        if op.name == "graph.call":
            return [operands[i] for i in self.order(op.attributes["callee"].value)]
        return operands

    def reads(self, op: Operation) -> Iterator[Value]:
        """The operands of ``op`` and of what it holds."""
        yield from self.operands(op)
        for region in op.regions:
            for block in region:
                for nested in block:
                    yield from self.reads(nested.operation)

    def order(self, name: str) -> list[int]:
        """The parameters of a function in order of first read, then the rest by
        their types."""
        if name not in self.orders:
            op = self.functions[name]
            types = op.attributes["function_type"].value.inputs
            rest = sorted(range(len(types)), key=lambda i: str(types[i]))
            arguments = (
                list(op.regions[0].blocks[0].arguments) if op.regions[0].blocks else []
            )
            numbers = {argument: i for i, argument in enumerate(arguments)}
            found = [numbers[value] for value in self.reads(op) if value in numbers]
            self.orders[name] = list(dict.fromkeys([*found, *rest]))
        return self.orders[name]

    def function(self, op: Operation) -> None:
        attributes = op.attributes
        order = self.order(attributes["sym_name"].value)
        type_ = attributes["function_type"].value
        params = [dict_of(attributes["arg_attrs"][i]) for i in order] if order else []
        names = {param["graph.name"]: f"%{i}" for i, param in enumerate(params)}
        results = []
        for i, result in enumerate(type_.results):
            tied = dict_of(attributes["res_attrs"][i]).get("graph.tied")
            results.append(names[tied] if tied else str(result))
        signature = ", ".join(
            f"{param['graph.dir']} {type_.inputs[i]}"
            for param, i in zip(params, order, strict=True)
        )
        kind = attributes["kind"]
        self.lines.append(
            f"{kind} {self.symbol(attributes['sym_name'].value)}({signature}) -> {results}"
        )
        if op.regions[0].blocks:
            block = op.regions[0].blocks[0]
            self.names = {
                block.arguments[i]: f"%{number}" for number, i in enumerate(order)
            }
            self.block(block, 1)

    def block(self, block, depth: int) -> None:
        for op in block:
            self.operation(op.operation, depth)

    def name(self, value: Value) -> str:
        return self.names.setdefault(value, f"%{len(self.names)}")

    def operation(self, op: Operation, depth: int) -> None:
        attributes = {name: str(op.attributes[name]) for name in op.attributes}
        if op.name == "arith.constant":
            self.names[op.results[0]] = attributes["value"]
            return
        operands = [self.name(value) for value in self.operands(op)]
        if "callee" in attributes:
            attributes["callee"] = self.symbol(op.attributes["callee"].value)
        results = [f"{self.name(result)}: {result.type}" for result in op.results]
        self.lines.append(
            f"{'  ' * depth}{results} = {op.name} {operands} {sorted(attributes.items())}"
        )
        for region in op.regions:
            for block in region:
                arguments = [self.name(argument) for argument in block.arguments]
                self.lines.append(f"{'  ' * depth}{arguments}")
                self.block(block, depth + 1)


def dict_of(attribute) -> dict[str, str]:
    return {attr.name: str(attr.attr) for attr in attribute}


def canonical(text: str, passes: str) -> str:
    with Context():
        module = Module.parse(text)
        PassManager.parse(f"builtin.module({passes})").run(module.operation)
        return str(Canonical(module))


BAND_FUNCTIONS = """
!w = !graph.tensor<512x128xf32>
!a = !graph.tensor<128x128xf32>
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func graph @band(in %w: !w, inout %acc: !a, in %li: index) -> (%acc) {
    %rows = arith.constant 128 : index
    %base = arith.muli %li, %rows : index
    graph.call @add(%acc, %base, %w) : (!a, index, !w) -> ()
    graph.return %acc : !a
  }
  graph.func orchestration @entry(in %w: !w, inout %acc: !a) -> (%acc) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %layers = arith.constant 4 : index
    %sum = scf.for %li = %c0 to %layers step %c1 iter_args(%a = %acc) -> (!a) {
      %a1 = graph.call @band(%w, %a, %li) : (!w, !a, index) -> !a
      scf.yield %a1 : !a
    }
    graph.return %sum : !a
  }
  graph.func incore @add(inout %o: !a, in %base: index, in %w: !w) {
    %x = graph.load %w[%base, 0] : !w -> tensor<128x128xf32>
    %y = graph.load %o[0, 0] : !a -> tensor<128x128xf32>
    %z = arith.addf %x, %y : tensor<128x128xf32>
    graph.store %z, %o[0, 0] : tensor<128x128xf32>, !a
    graph.return
  }
}
"""


@pytest.mark.parametrize("passes", [OUTLINE, LEGALIZE])
def test_the_band_program(passes):
    """E2E02"""
    scopes = canonical((EXAMPLES / "scopes.mlir").read_text(), passes)
    functions = canonical(BAND_FUNCTIONS, passes)
    assert scopes == functions
    # Not everything is equal.
    assert scopes != canonical(BAND_FUNCTIONS.replace("addf", "mulf"), passes)
    assert scopes != canonical(
        BAND_FUNCTIONS.replace("@add(%acc, %base, %w)", "@add(%acc, %li, %w)"), passes
    )


@pytest.mark.parametrize("passes", [OUTLINE, LEGALIZE])
def test_the_decode_step(passes):
    scopes = canonical((EXAMPLES / "qwen3_14b_decode_scopes.mlir").read_text(), passes)
    functions = canonical((EXAMPLES / "qwen3_14b_decode.mlir").read_text(), passes)
    assert scopes == functions
