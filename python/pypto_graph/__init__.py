# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `graph` dialect and its passes for MLIR's Python package.

Importing this package makes every `mlir.ir.Context` created afterwards know the
dialect, and every pass name of the project parse in
`mlir.passmanager.PassManager.parse`. Builders are in
`pypto_graph.dialects.graph`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _versions

_versions.check_dependencies()

from mlir._mlir_libs import get_dialect_registry  # noqa: E402
from mlir._mlir_libs._mlir import globals as _mlir_globals  # noqa: E402

from ._libs import _pyptoGraph  # noqa: E402

if TYPE_CHECKING:
    from mlir.ir import Context

__all__ = ["__version__", "register_dialects"]

__version__ = _versions.VERSION

# The generated classes of the dialect's operations, instead of plain OpViews.
_mlir_globals.append_dialect_search_prefix("pypto_graph.dialects")
_pyptoGraph.register_dialects(get_dialect_registry())
_pyptoGraph.register_passes()


def register_dialects(context: Context) -> None:
    """Makes a context that was created before this import know the dialects."""
    context.append_dialect_registry(get_dialect_registry())
