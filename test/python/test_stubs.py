# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an editor needs: type hints, stubs and docstrings that agree with the code."""

import ast
import inspect
import os
from pathlib import Path

import pypto_graph
import pytest
from pypto_graph._libs import _pyptoGraph
from pypto_graph.dialects import _graph_ops_gen, graph

PACKAGE = Path(pypto_graph.__file__).parent
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")


def public_functions(module, names):
    for name in names:
        value = getattr(module, name)
        if inspect.isclass(value) and not issubclass(value, (str, Exception)):
            for member_name, member in vars(value).items():
                member = getattr(member, "__func__", member)
                if isinstance(member, property):
                    member = member.fget
                if inspect.isfunction(member) and (
                    not member_name.startswith("_") or member_name == "__init__"
                ):
                    yield f"{name}.{member_name}", member
        elif inspect.isfunction(value):
            yield name, value


FUNCTIONS = dict(public_functions(graph, graph.__all__)) | dict(
    public_functions(pypto_graph, pypto_graph.__all__)
)


def test_marker():
    assert (PACKAGE / "py.typed").exists()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_everything_public_has_type_hints(name):
    function = FUNCTIONS[name]
    signature = inspect.signature(function)
    for parameter in signature.parameters.values():
        if parameter.name not in ("self", "cls"):
            assert parameter.annotation is not parameter.empty, parameter
    if not name.endswith("__init__"):
        assert signature.return_annotation is not signature.empty


@pytest.mark.parametrize("module", [graph, pypto_graph])
def test_everything_public_is_documented(module):
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
    for name, function in public_functions(module, module.__all__):
        if not name.endswith("__init__"):
            assert inspect.getdoc(function), name


def stub_names(path: Path) -> dict[str, set[str]]:
    """The top-level names of a stub, and the members of its classes."""
    names = {}
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.ClassDef):
            names[statement.name] = {
                member.name
                for member in statement.body
                if isinstance(member, ast.FunctionDef)
            }
        elif isinstance(statement, ast.FunctionDef):
            names[statement.name] = set()
    return names


def test_stub_of_the_generated_operations():
    names = stub_names(PACKAGE / "dialects/_graph_ops_gen.pyi")
    for name, value in vars(_graph_ops_gen).items():
        if getattr(value, "__module__", None) != _graph_ops_gen.__name__:
            continue
        assert name in names
        if inspect.isclass(value):
            members = {
                member
                for member, what in vars(value).items()
                if inspect.isfunction(what) or isinstance(what, property)
            }
            assert members == names[name], name


@pytest.mark.skipif(SANITIZED, reason="a sanitized extension has no stub")
def test_stub_of_the_extension():
    names = stub_names(PACKAGE / "_libs/_pyptoGraph.pyi")
    functions = {n for n in vars(_pyptoGraph) if not n.startswith("_")}
    assert set(names) == functions
    assert len(functions) > 15
