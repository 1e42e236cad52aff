# RUN: %pytest %s
"""The generator of random programs, and what runs them."""

import dataclasses

import pypto_graph
import pytest
from mlir import ir
from pypto_graph._elements import numpy_type
from pypto_graph.fuzz import Param, Program, draw_arguments, generate, model
from pypto_graph.fuzz.mutate import put_back
from pypto_graph.fuzz.properties import Outcome, PropertyError, check
from pypto_graph.fuzz.runner import _read_outcomes, check_apart, new_context
from pypto_graph.fuzz.shrink import shrink


def test_a_program_depends_on_seed_and_number_alone():
    for number in range(20):
        assert generate(5, number) == generate(5, number)
    assert generate(5, 1).text != generate(5, 2).text
    assert generate(5, 1).text != generate(6, 1).text


def test_arguments_match_the_parameters():
    for number in range(30):
        program = generate(2, number)
        for call in range(3):
            arguments = draw_arguments(program, call)
            assert len(arguments) == len(program.params)
            for param, argument in zip(program.params, arguments, strict=True):
                if param.shape is None:
                    if param.type == "index":
                        assert param.low <= argument <= param.high
                else:
                    assert argument.shape == param.shape
                    assert argument.dtype == numpy_type(param.type)


def test_the_programs_have_every_feature():
    features = set()
    for number in range(150):
        features |= generate(1, number).features
    assert features >= {
        "alias",
        "allocation",
        "branch",
        "carried scalar",
        "cast",
        "choice",
        "core_num",
        "dependencies",
        "dummy",
        "fresh result",
        "graph scope",
        "helper function",
        "kernel body",
        "loop",
        "loop allocation",
        "manual scope",
        "ping-pong",
        "predicate",
        "prefix submit",
        "reshape",
        "task array",
        "wrapper",
    }


def test_broken_properties_are_found():
    context = new_context()
    program = generate(1, 3)
    broken = dataclasses.replace(program, text=program.text + "}")
    assert check(broken, context, model=False).failure == "invalid"
    assert check(program, context, model=False).failure is None


def test_a_crash_is_an_outcome():
    def die(write):
        import os

        write.write("")
        os.abort()

    (outcome,) = _read_outcomes(die, 3)
    assert outcome.failure == "crash"
    assert check_apart(generate(1, 3), model=False).failure is None


def test_shrinking_keeps_what_is_interesting_and_valid():
    context = new_context()
    programs = (generate(1, number) for number in range(100))
    program = next(p for p in programs if "graph.task_dummy" in p.text)

    def has_dummy(smaller):
        return "graph.task_dummy" in smaller.text

    smaller = shrink(program, has_dummy, context, seconds=20)
    assert has_dummy(smaller)
    assert len(smaller.text) < len(program.text) / 3
    assert ir.Module.parse(smaller.text, context).operation.verify()


def test_outcomes_say_why_a_program_was_refused():
    context = new_context()
    text = """
    module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
      graph.func private incore @k(inout %o: !graph.tensor<4xf32>)
      graph.func graph @g(out %o: !graph.tensor<4xf32>) {
        graph.call @k(%o) : (!graph.tensor<4xf32>) -> ()
        graph.return
      }
    }
    """
    program = dataclasses.replace(generate(1, 3), text=text)
    outcome = check(program, context, model=False)
    assert outcome == Outcome("refused", ("graph-out-param",))
    assert issubclass(PropertyError, Exception)
    assert pypto_graph.explain(outcome.codes[0]).code == "graph-out-param"


# --------------------------------------------------------------------------- #
# The model of the runtime
# --------------------------------------------------------------------------- #

MOVING = """
module attributes {graph.runtime = #graph.runtime<host_build_graph>} {
  graph.func private incore @k(in %a: !graph.tensor<4xf32>, inout %o: !graph.tensor<4xf32>,
                               in %s: index)
  graph.func graph @g(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>,
                      in %i: index) {
    %c4 = arith.constant 4 : index
    %base = arith.muli %i, %c4 : index
    %v = graph.slice %w[%base] [4] : !graph.tensor<16xf32> to !graph.tensor<4xf32>
    graph.call @k(%v, %o, %base) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, index) -> ()
    graph.return
  }
  graph.func orchestration @main(in %w: !graph.tensor<16xf32>, inout %o: !graph.tensor<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      graph.call @g(%w, %o, %i)
          : (!graph.tensor<16xf32>, !graph.tensor<4xf32>, index) -> ()
    }
    graph.return
  }
}
"""


def moving_program(text=MOVING):
    params = (Param("w", "f32", (16,)), Param("o", "f32", (4,), is_written=True))
    return Program(1, 1, text, "main", params)


def test_the_model_shows_what_the_pass_had_to_do():
    outcome = check(moving_program(), new_context())
    assert outcome.failure is None and outcome.status == "accepted"
    assert "legalized: replayed" in outcome.facts
    assert model.DIFFERS in outcome.facts
    assert any(fact.startswith("put back a") for fact in outcome.facts)


def test_a_pass_that_does_nothing_would_be_found():
    before = ir.Module.parse(MOVING, new_context())
    with pytest.raises(PropertyError) as caught:
        model.check(moving_program(), before, before, is_warned=False)
    assert caught.value.kind == "replays wrongly"
    assert "first difference" in caught.value.detail


def test_a_pass_that_changes_the_meaning_would_be_found():
    context = new_context()
    before = ir.Module.parse(MOVING, context)
    other = ir.Module.parse(
        MOVING.replace("constant 4 : index", "constant 3 : index"), context
    )
    with pytest.raises(PropertyError) as caught:
        model.check(moving_program(), before, other, is_warned=False)
    assert caught.value.kind == "means something else"


def test_programs_that_do_what_is_not_defined_are_told_apart():
    text = MOVING.replace("arith.muli %i, %c4", "arith.addi %i, %c4")
    text = text.replace("tensor<16xf32>", "tensor<6xf32>")
    params = (Param("w", "f32", (6,)), Param("o", "f32", (4,), is_written=True))
    program = dataclasses.replace(moving_program(text), params=params)
    before = ir.Module.parse(text, new_context())
    with pytest.raises(PropertyError) as caught:
        model.check(program, before, before, is_warned=False)
    assert caught.value.kind == "ill-defined"
    assert "out of the extent" in caught.value.detail


def test_a_value_put_back_is_refused():
    legal = pypto_graph.legalize(MOVING)
    found = set()
    for seed in range(20):
        mutant = legal.operation.clone()
        found.add(put_back(mutant, seed))
        assert str(mutant) != str(legal)
        module = ir.Module.parse(str(mutant), new_context())
        assert any(d.severity == "error" for d in pypto_graph.check_boundary(module))
    assert found == {"scalar", "view"}


def test_there_is_nothing_to_put_back_in_a_program_that_was_legal():
    text = MOVING.replace("%v, %o, %base", "%v, %o, %i").replace("[%base]", "[4]")
    assert put_back(ir.Module.parse(text, new_context()).operation, 1) is None
