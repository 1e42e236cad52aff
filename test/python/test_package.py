# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What importing the package does."""

import subprocess
import sys
import textwrap

import pytest
from mlir.ir import Context, MLIRError, Module
from mlir.passmanager import PassManager

KERNEL = "graph.func private incore @k(in %a: !graph.tensor<16xf32>)"


def run_python(code: str) -> subprocess.CompletedProcess:
    """Runs code in an interpreter that has imported nothing yet."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True
    )


def test_later_contexts_know_the_dialect():
    import pypto_graph  # noqa: F401

    with Context():
        module = Module.parse(KERNEL)
        assert "graph.func private incore @k" in str(module)


def test_earlier_contexts_can_be_told():
    result = run_python(
        f"""
        from mlir.ir import Context, MLIRError, Module
        context = Context()
        import pypto_graph
        try:
            Module.parse({KERNEL!r}, context=context)
            raise SystemExit("parsed without the dialect")
        except MLIRError:
            pass
        pypto_graph.register_dialects(context)
        print(Module.parse({KERNEL!r}, context=context))
        """
    )
    assert result.returncode == 0, result.stderr
    assert "graph.func private incore @k" in result.stdout


def test_operations_have_their_own_classes():
    import pypto_graph  # noqa: F401
    from pypto_graph.dialects import graph

    with Context():
        module = Module.parse(KERNEL)
        assert isinstance(module.body.operations[0], graph.FuncOp)


def test_text_errors_are_exceptions():
    import pypto_graph  # noqa: F401

    with Context(), pytest.raises(MLIRError, match="Unable to parse module"):
        Module.parse("graph.func private incore @k(in %a: !graph.tensor<0xf32>)")


def test_pass_pipelines_run():
    import pypto_graph  # noqa: F401

    with Context():
        module = Module.parse(KERNEL)
        PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        assert "@k" in str(module)


def test_wrong_arguments_are_exceptions():
    import pypto_graph
    from pypto_graph._libs import _pyptoGraph

    with pytest.raises(TypeError):
        pypto_graph.register_dialects(None)
    for value in (None, 1, "registry"):
        with pytest.raises((TypeError, RuntimeError)):
            _pyptoGraph.register_dialects(value)
