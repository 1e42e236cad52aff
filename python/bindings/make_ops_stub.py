# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the type stub of the generated operation classes.

    make_ops_stub.py _graph_ops_gen.py _graph_ops_gen.pyi

The generated code reaches `mlir.ir` in a way that no type checker follows, so that an
editor would know nothing of an operation. The stub has the same classes, properties and
docstrings on the `mlir.ir` that has stubs.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

HEADER = """\
# Generated; do not edit.
import builtins
from typing import Any, Optional as _Optional, Sequence as _Sequence, Union as _Union

import mlir.ir as _ods_ir

"""


def stub_function(function: ast.FunctionDef) -> ast.FunctionDef:
    """The signature, every parameter of a builder of any type."""
    function.body = [ast.Expr(ast.Constant(...))]
    arguments = function.args
    for argument in [*arguments.args, *arguments.kwonlyargs]:
        if argument.arg != "self" and argument.annotation is None:
            argument.annotation = ast.Name("Any")
    arguments.kw_defaults = [
        default and ast.Constant(...) for default in arguments.kw_defaults
    ]
    if function.returns is None:
        function.returns = ast.Constant(None)
    return function


def stub_class(cls: ast.ClassDef) -> ast.ClassDef:
    """The docstring, constants and members, without registration."""
    cls.decorator_list = []
    body: list[ast.stmt] = []
    for statement in cls.body:
        if isinstance(statement, ast.FunctionDef):
            body.append(stub_function(statement))
        elif isinstance(statement, (ast.Expr, ast.Assign)):
            body.append(statement)
    cls.body = body
    return cls


def make_stub(source: str) -> str:
    """The stub of a generated module."""
    statements: list[ast.stmt] = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ClassDef):
            statements.append(stub_class(statement))
        elif isinstance(statement, ast.FunctionDef):
            statements.append(stub_function(statement))
    module = ast.fix_missing_locations(ast.Module(statements, []))
    return HEADER + ast.unparse(module) + "\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(make_stub(Path(sys.argv[1]).read_text()))
