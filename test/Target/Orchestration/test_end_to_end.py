# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Group 10 of the behaviours as emitted code: its text, and what it does when run
eagerly, replayed, and in the model of the runtime."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "Inputs"))

import numpy
from harness import Case, Result, Unit, draw_tensors, legalize, run, translate
from model import drop_kernel_bodies
from run import check, check_model

HEADER = "module attributes {graph.runtime = #graph.runtime<host_build_graph>} {\n"
T = "!graph.tensor<4x4xf32>"
KERNELS = f"""
graph.func private incore @add(in %a: {T}, inout %acc: {T}) -> (%acc)
graph.func private incore @double(in %a: {T}, out %o: {T}) -> (%o)
graph.func private incore @scale(inout %acc: {T}) -> (%acc)
"""
LOOP = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
"""


def check_program(
    text: str,
    directory: Path,
    tensors: list[numpy.ndarray] | None = None,
    calls: int = 2,
) -> tuple[Unit, Result]:
    """Legalizes, translates and runs a program; everything has to agree."""
    legal = drop_kernel_bodies(legalize(HEADER + KERNELS + text + "}\n"))
    unit = translate(legal, directory)
    case = Case(unit, [[] for _ in range(calls)], tensors or draw_tensors(unit))
    result = run([case], directory)[0]
    assert check(unit, result) == []
    assert check_model(legal, case, result, directory) == []
    return unit, result


def body(unit: Unit, name: str) -> str:
    """The definition of a graph function."""
    start = unit.source.index(f"void {name}(const GraphTaskArgs &args) {{")
    return unit.source[start : unit.source.index("\n}\n", start)]


def entry(unit: Unit) -> str:
    return unit.source[unit.source.index("aicpu_orchestration_entry(") :]


def events(result: Result, call: int = 0) -> list[str]:
    return [event[0] for event in result.replay[call].events]


def test_e2e04_scratch_is_allocated_at_the_launch(tmp_path):
    text = f"""
graph.func graph @layer(in %a: {T}, inout %acc: {T}) -> (%acc) {{
  %tmp = graph.create : {T}
  %t = graph.call @double(%a, %tmp) : ({T}, {T}) -> {T}
  %r = graph.call @add(%t, %acc) : ({T}, {T}) -> {T}
  graph.return %r : {T}
}}
graph.func orchestration @main(in %a: {T}, inout %acc: {T}) {{{LOOP}
  scf.for %i = %c0 to %c4 step %c1 {{
    %r = graph.call @layer(%a, %acc) : ({T}, {T}) -> {T}
  }}
  graph.return
}}
"""
    unit, result = check_program(text, tmp_path)
    assert "alloc_tensors" not in body(unit, "layer")
    assert entry(unit).count("alloc_tensors(") == 1
    assert "add_inout(ext_acc, buffer);" in entry(unit)
    assert events(result) == ["recorded", "replayed", "replayed", "replayed"]


def test_e2e05_two_graphs_are_two_recordings(tmp_path):
    text = f"""
graph.func graph @plus(in %a: {T}, inout %acc: {T}) {{
  %r = graph.call @add(%a, %acc) : ({T}, {T}) -> {T}
  graph.return
}}
graph.func graph @times(inout %acc: {T}) {{
  %r = graph.call @scale(%acc) : ({T}) -> {T}
  graph.return
}}
graph.func orchestration @main(in %a: {T}, inout %acc: {T}) {{{LOOP}
  scf.for %i = %c0 to %c4 step %c1 {{
    graph.call @plus(%a, %acc) : ({T}, {T}) -> ()
    graph.call @times(%acc) : ({T}) -> ()
  }}
  graph.return
}}
"""
    _, result = check_program(text, tmp_path)
    assert events(result) == ["recorded"] * 2 + ["replayed"] * 6
    # The cache lives for one run.
    assert events(result, call=1) == events(result, call=0)


def test_e2e07_five_sites_share_one_function(tmp_path):
    launch = f"  graph.call @layer(%a, %acc) : ({T}, {T}) -> ()\n"
    text = f"""
graph.func graph @layer(in %a: {T}, inout %acc: {T}) {{
  %r = graph.call @add(%a, %acc) : ({T}, {T}) -> {T}
  graph.return
}}
graph.func orchestration @main(in %a: {T}, inout %acc: {T}) {{
{launch * 5}  graph.return
}}
"""
    unit, result = check_program(text, tmp_path)
    assert unit.source.count("void layer(const GraphTaskArgs &args) {") == 1
    assert unit.source.count("rt_submit_graph(&layer, ") == 5
    assert events(result) == ["recorded"] + ["replayed"] * 4


def test_e2e09_results_are_the_returned_parameters(tmp_path):
    text = f"""
graph.func graph @swap(in %a: {T}, inout %x: {T}, inout %y: {T}) -> (%y, %x) {{
  %0 = graph.call @add(%a, %x) : ({T}, {T}) -> {T}
  %1 = graph.call @add(%0, %y) : ({T}, {T}) -> {T}
  graph.return %1, %0 : {T}, {T}
}}
graph.func orchestration @main(in %a: {T}, inout %p: {T}, inout %q: {T}) {{
  %qq, %pp = graph.call @swap(%a, %p, %q) : ({T}, {T}, {T}) -> ({T}, {T})
  %0 = graph.call @add(%qq, %pp) : ({T}, {T}) -> {T}
  graph.return
}}
"""
    unit, _ = check_program(text, tmp_path)
    tail = entry(unit).split("rt_submit_graph", 1)[1]
    assert "add_input(ext_q);" in tail
    assert "add_inout(ext_p);" in tail


def test_e2e10_dependencies_inside_are_kept(tmp_path):
    text = f"""
graph.func graph @layer(in %a: {T}, inout %x: {T}, inout %y: {T}) {{
  %0, %t = graph.submit @add(%a, %x) : ({T}, {T}) -> ({T}, !graph.task_id)
  %1, %u = graph.submit @add(%a, %y) deps(%t : !graph.task_id)
      : ({T}, {T}) -> ({T}, !graph.task_id)
  graph.return
}}
graph.func orchestration @main(in %a: {T}, inout %x: {T}, inout %y: {T}) {{
  graph.call @layer(%a, %x, %y) : ({T}, {T}, {T}) -> ()
  graph.return
}}
"""
    unit, _ = check_program(text, tmp_path)
    assert "deps_t1[num_deps_t1++] = add_id;" in body(unit, "layer")
    assert "set_dependencies" not in entry(unit)


def test_e2e13_allocations_are_packed_as_they_are_counted(tmp_path):
    chain = "".join(
        f"    %b{i} = graph.create : {T}\n"
        f"    %r{i} = graph.call @double(%{f'r{i - 1}' if i else 'a'}, %b{i})"
        f" : ({T}, {T}) -> {T}\n"
        for i in range(20)
    )
    text = f"""
graph.func graph @layer(in %a: {T}, inout %acc: {T}) {{{LOOP}
  scf.for %i = %c0 to %c2 step %c1 {{
{chain}    %r = graph.call @add(%r19, %acc) : ({T}, {T}) -> {T}
  }}
  graph.return
}}
graph.func orchestration @main(in %a: {T}, inout %acc: {T}) {{
  graph.call @layer(%a, %acc) : ({T}, {T}) -> ()
  graph.return
}}
"""
    unit, result = check_program(text, tmp_path)
    layer = body(unit, "layer")
    batches = re.findall(r"alloc_tensors\((.*?)\);", layer, re.DOTALL)
    assert [batch.count("_info") for batch in batches] == [16, 4]
    assert layer.count("rt_submit_task(") == 21
    assert result.nodes() == {"layer": {2 * (21 + 2)}}


def test_e2e14_predicates_are_evaluated_on_every_replay(tmp_path):
    experts = "".join(
        f"""
  %b{e} = graph.slice %o[{4 * e}, 0] [4, 4] : !graph.tensor<16x4xf32> to {T}
  %r{e}, %t{e} = graph.submit @add(%a, %b{e}) predicate(%counts[{e}] gt %z : !graph.tensor<4xi32>)
      : ({T}, {T}) -> ({T}, !graph.task_id)"""
        for e in range(4)
    )
    text = f"""
graph.func private incore @route(in %w: !graph.tensor<4xi32>, inout %counts: !graph.tensor<4xi32>)
graph.func graph @moe(in %a: {T}, inout %o: !graph.tensor<16x4xf32>,
                      in %counts: !graph.tensor<4xi32>) {{
  %z = arith.constant 1000000000 : i32{experts}
  graph.return
}}
graph.func orchestration @main(in %a: {T}, inout %o: !graph.tensor<16x4xf32>,
                               inout %counts: !graph.tensor<4xi32>, in %w: !graph.tensor<4xi32>) {{{LOOP}
  scf.for %i = %c0 to %c4 step %c1 {{
    graph.call @route(%w, %counts) : (!graph.tensor<4xi32>, !graph.tensor<4xi32>) -> ()
    graph.call @moe(%a, %o, %counts)
        : ({T}, !graph.tensor<16x4xf32>, !graph.tensor<4xi32>) -> ()
  }}
  graph.return
}}
"""
    unit, result = check_program(text, tmp_path)
    assert body(unit, "moe").count("set_predicate(counts, 1, ") == 4
    assert "PTO2Comparison::GT, 0x3B9ACA00u);" in body(unit, "moe")
    assert events(result) == ["recorded", "replayed", "replayed", "replayed"]
