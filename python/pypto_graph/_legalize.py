# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The main pass, its verifier and the pipeline as functions."""

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
    pipeline: bool = False,
    runtime: str | None = None,
    verify: bool = True,
    context: ir.Context | None = None,
) -> ir.Module:
    """Makes the graph functions of a module legal: runs `legalize-graph-boundary`.

    With `pipeline` it runs `graph-legalize-pipeline`, which first inlines, outlines
    scopes, ties results and derives directions, and checks the properties between.

    Args:
      module: the module, which is changed; or its text or bytecode, or the path (a
        `pathlib.Path`) of a file with either.
      strict_aliasing: do not assume that distinct parameters of an entry function are
        different buffers.
      pipeline: run all passes, not only the last one.
      runtime: with `pipeline`, compile for this runtime ("host_build_graph"), whatever
        the module says.
      verify: verify the result as well, and with `pipeline` the properties between the
        passes. What is given is verified in any case.
      context: for text or a file, the context of the new module; when None the current
        one, or a new one when there is no current one.

    Returns:
      The module; for text or a file the new one.

    Raises:
      LegalizationError: the text or module is invalid, or cannot be made legal. Its
        `diagnostics` are all violations. The module is as it was.
      TypeError, ValueError: an argument of another kind; a runtime that does not
        exist, or without `pipeline`; a context created before this package was
        imported.
      OSError: a file that cannot be read.

    Warnings come as Python warnings of the category `LegalizationWarning`.
    """
    if pipeline:
        passes = _legalize_pipeline(strict_aliasing, runtime, verify)
    elif runtime is not None:
        raise ValueError("runtime: only the pipeline chooses the runtime")
    else:
        passes = f"legalize-graph-boundary{_options(strict_aliasing)}"
    pipeline_text = f"builtin.module({passes})"
    failure = "the module cannot be legalized"
    given = module
    module = _to_module(module, context)
    if pipeline and module is given:
        # A pass that fails late leaves what the ones before it have done.
        rehearsal = module.operation.clone()
        run_pipeline(
            rehearsal, pipeline_text, verify=verify, failure=failure, warn=False
        )
    run_pipeline(module, pipeline_text, verify=verify, failure=failure)
    return module


def _legalize_pipeline(strict_aliasing: bool, runtime: str | None, verify: bool) -> str:
    options = [
        f"strict-aliasing={_flag(strict_aliasing)}",
        f"verify={_flag(verify)}",
    ]
    if runtime is not None:
        known = _ext.enum_keywords("Runtime")
        if runtime not in known:
            raise ValueError(f"no runtime {runtime!r}; there are {', '.join(known)}")
        options.append(f"runtime={runtime}")
    return f"graph-legalize-pipeline{{{' '.join(options)}}}"


def check_properties(module: ir.Module, *properties: str) -> list[Diagnostic]:
    """The violations of properties of a module, computed from the module as it is.

    Args:
      module: the module; it is not changed.
      properties: names from `property_names()`; all when there is none.

    Raises:
      TypeError, ValueError: no module; no such property.
      LegalizationError: the module is invalid.
    """
    if not is_module(module):
        raise TypeError(f"expected a module, got {module!r}")
    known = property_names()
    for name in properties:
        if name not in known:
            raise ValueError(f"no property {name!r}; there are {', '.join(known)}")
    with collect_diagnostics(module.context) as diagnostics:
        _verify(module, diagnostics)
        for name in properties or known:
            _ext.verify_property(module.operation, name)
    return diagnostics


def property_names() -> list[str]:
    """The properties that passes require and produce, in the order of the pipeline."""
    return list(_ext.property_names())


def add_property_checks(passes: PassManager) -> PassManager:
    """Checks, after each pass on modules, the properties that were produced so far.

    A pass that breaks one fails the pipeline and is named (`graph-broken-property`).

    Returns:
      The same pass manager.

    Raises:
      TypeError: no pass manager.
      ValueError: a pass without a textual form.
    """
    if not isinstance(passes, PassManager):
        raise TypeError(f"expected a PassManager, got {passes!r}")
    _ext.add_property_checks(passes)
    return passes


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
    return f"{{strict-aliasing={_flag(strict_aliasing)}}}"


def _flag(value: bool) -> str:
    return "true" if value else "false"


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


def to_verified_module(module: ir.Module | str | bytes | os.PathLike[str]) -> ir.Module:
    """The module given, or the one that is read; LegalizationError when invalid."""
    module = _to_module(module, None)
    with collect_diagnostics(module.context) as diagnostics:
        _verify(module, diagnostics)
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
    module: ir.Module, pipeline: str, *, verify: bool, failure: str, warn: bool = True
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
    if warn:
        _warn(diagnostics, depth=3)


def _error(message: str, diagnostics: list[Diagnostic]) -> LegalizationError:
    return LegalizationError(message, diagnostics)


def _warn(diagnostics: list[Diagnostic], *, depth: int) -> None:
    """Issues the warnings as those of the user, `depth` calls away."""
    for diagnostic in diagnostics:
        if diagnostic.severity is Severity.WARNING:
            warnings.warn(str(diagnostic), LegalizationWarning, stacklevel=depth + 1)
