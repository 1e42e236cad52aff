# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `graph` dialect and its passes for MLIR's Python package.

Importing this package makes every `mlir.ir.Context` created afterwards know the
dialect, and every pass name of the project parse in
`mlir.passmanager.PassManager.parse`. Builders are in
`pypto_graph.dialects.graph`. `legalize` runs the main pass and raises
`LegalizationError`, whose diagnostics are Python objects; `check_boundary` runs its
verifier; `explain` says what a diagnostic code means.
"""

from __future__ import annotations

from . import _versions

_versions.check_dependencies()

from mlir._mlir_libs import get_dialect_registry  # noqa: E402
from mlir._mlir_libs._mlir import globals as _mlir_globals  # noqa: E402
from mlir.ir import Context as _Context  # noqa: E402

from ._libs import _pyptoGraph  # noqa: E402

__version__ = _versions.VERSION

# The generated classes of the dialect's operations, instead of plain OpViews.
_mlir_globals.append_dialect_search_prefix("pypto_graph.dialects")
_pyptoGraph.register_dialects(get_dialect_registry())
_pyptoGraph.register_passes()

# These need the dialect registered.
from ._diagnostics import (  # noqa: E402
    Diagnostic,
    Explanation,
    LegalizationError,
    LegalizationWarning,
    Severity,
    diagnostic_codes,
    explain,
)
from ._legalize import (  # noqa: E402
    add_property_checks,
    check_boundary,
    check_properties,
    legalize,
    property_names,
)
from ._orchestration import Orchestration, to_orchestration  # noqa: E402

# Types and attributes of the dialect come out of MLIR as its classes.
from .dialects import _graph_types  # noqa: E402, F401

__all__ = [
    "Diagnostic",
    "Explanation",
    "LegalizationError",
    "LegalizationWarning",
    "Orchestration",
    "Severity",
    "__version__",
    "add_property_checks",
    "check_boundary",
    "check_properties",
    "diagnostic_codes",
    "explain",
    "legalize",
    "property_names",
    "register_dialects",
    "to_orchestration",
]


def register_dialects(context: _Context) -> None:
    """Makes a context that was created before this import know the dialects.

    Raises TypeError when the argument is no context.
    """
    if not isinstance(context, _Context):
        raise TypeError(f"expected an mlir.ir.Context, got {context!r}")
    context.append_dialect_registry(get_dialect_registry())
