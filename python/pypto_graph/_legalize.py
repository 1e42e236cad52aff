# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The main pass and its verifier as functions."""

from __future__ import annotations

import contextlib
import os
import warnings

from mlir import ir
from mlir.passmanager import PassManager

from ._diagnostics import (
    Diagnostic,
    LegalizationError,
    LegalizationWarning,
    Severity,
    collect_diagnostics,
    is_module,
)
from ._libs import _pyptoGraph as _ext


def legalize(
    module: ir.Module | str | bytes | os.PathLike[str],
    *,
    strict_aliasing: bool = False,
    verify: bool = True,
    context: ir.Context | None = None,
) -> ir.Module:
    """Makes the graph functions of a module legal: runs `legalize-graph-boundary`.

    Args:
      module: the module, which is changed; or its text or bytecode, or the path (a
        `pathlib.Path`) of a file with either.
      strict_aliasing: do not assume that distinct parameters of an entry function are
        different buffers.
      verify: verify the result as well. What is given is verified in any case.
      context: for text or a file, the context of the new module; when None the current
        one, or a new one when there is no current one.

    Returns:
      The module; for text or a file the new one.

    Raises:
      LegalizationError: the text or module is invalid, or cannot be made legal. Its
        `diagnostics` are all violations. The module is as it was.
      TypeError, ValueError: an argument of another kind; a context created before
        this package was imported.
      OSError: a file that cannot be read.

    Warnings come as Python warnings of the category `LegalizationWarning`.
    """
    module = _to_module(module, context)
    run_pipeline(
        module,
        f"builtin.module(legalize-graph-boundary{_options(strict_aliasing)})",
        verify=verify,
        failure="the module cannot be legalized",
    )
    return module


def check_boundary(
    module: ir.Module | str | bytes | os.PathLike[str],
    *,
    strict_aliasing: bool = False,
    context: ir.Context | None = None,
) -> list[Diagnostic]:
    """What is wrong with the graph functions of a module: `verify-graph-boundary`.

    The verifier derives everything anew, so it may be asked about any module, also one
    that other passes have changed since it was legalized.

    Args:
      module, strict_aliasing, context: as of `legalize`. A module is not changed.

    Returns:
      The errors and warnings; a module without errors replays right.

    Raises:
      LegalizationError: the text or module is invalid.
      TypeError, ValueError, OSError: as of `legalize`.
    """
    module = _to_module(module, context)
    passes = _parse_pipeline(
        f"builtin.module(verify-graph-boundary{_options(strict_aliasing)})",
        module.context,
    )
    with collect_diagnostics(module.context) as diagnostics:
        _verify(module, diagnostics)
        with contextlib.suppress(ir.MLIRError):
            passes.run(module.operation)
    return diagnostics


def _options(strict_aliasing: bool) -> str:
    return f"{{strict-aliasing={'true' if strict_aliasing else 'false'}}}"


def _to_module(
    module: ir.Module | str | bytes | os.PathLike[str], context: ir.Context | None
) -> ir.Module:
    """The module given, or the one that is read."""
    if isinstance(module, (str, bytes, os.PathLike)):
        context = _context_for_text(context)
        return _parse(module, context)
    if not is_module(module):
        raise TypeError(f"expected a module or its text, got {module!r}")
    if context is not None and context is not module.context:
        raise ValueError("context: the module is from another context")
    return module


def _context_for_text(context: ir.Context | None) -> ir.Context:
    if context is None:
        context = ir.Context.current or ir.Context()
    if not isinstance(context, ir.Context):
        raise TypeError(f"context: expected an mlir.ir.Context, got {context!r}")
    _ext.load_dialect(context)
    return context


def _parse(source: str | bytes | os.PathLike[str], context: ir.Context) -> ir.Module:
    with collect_diagnostics(context) as diagnostics:
        try:
            if isinstance(source, os.PathLike):
                # MLIR would say in its own way that there is no such file.
                with open(source, "rb"):
                    module = ir.Module.parseFile(os.fspath(source), context)
            else:
                module = ir.Module.parse(source, context)
        except ir.MLIRError:
            raise _error("the text is no valid module", diagnostics) from None
    _warn(diagnostics, depth=4)
    return module


def _parse_pipeline(pipeline: str, context: ir.Context) -> PassManager:
    _ext.load_dialect(context)
    return PassManager.parse(pipeline, context)


def _verify(module: ir.Module, diagnostics: list[Diagnostic]) -> None:
    """Passes may assume what the verifier checks."""
    try:
        module.operation.verify()
    except ir.MLIRError:
        raise _error("the module is invalid", diagnostics) from None


def run_pipeline(
    module: ir.Module, pipeline: str, *, verify: bool, failure: str
) -> None:
    """Runs a pass pipeline with the diagnostics of `legalize`."""
    passes = _parse_pipeline(pipeline, module.context)
    passes.enable_verifier(verify)
    with collect_diagnostics(module.context) as diagnostics:
        _verify(module, diagnostics)
        try:
            passes.run(module.operation)
        except ir.MLIRError:
            raise _error(failure, diagnostics) from None
    _warn(diagnostics, depth=3)


def _error(message: str, diagnostics: list[Diagnostic]) -> LegalizationError:
    return LegalizationError(message, diagnostics)


def _warn(diagnostics: list[Diagnostic], *, depth: int) -> None:
    """Issues the warnings as those of the user, `depth` calls away."""
    for diagnostic in diagnostics:
        if diagnostic.severity is Severity.WARNING:
            warnings.warn(str(diagnostic), LegalizationWarning, stacklevel=depth + 1)
