# RUN: %pytest %s
"""The generator of random programs, and what runs them."""

import dataclasses

import pypto_graph
from mlir import ir
from pypto_graph._elements import numpy_type
from pypto_graph.fuzz import draw_arguments, generate
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
