# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ orchestration code of a module."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ._diagnostics import collect_diagnostics
from ._legalize import _error, _to_module, _verify
from ._libs import _pyptoGraph as _ext


@dataclass(frozen=True)
class Orchestration:
    """What a module became.

    Attributes:
      source: a C++ translation unit for the `host_build_graph` runtime.
      manifest: what the unit wants of its loader, as docs/orchestration.md says: the
        entry, the graph functions and the kernels by id.
    """

    source: str
    manifest: dict[str, Any]


def to_orchestration(
    module: ir.Module | str | bytes | os.PathLike[str],
    *,
    entry: str = "",
    context: ir.Context | None = None,
) -> Orchestration:
    """Translates a module into C++ orchestration code: `--graph-to-orchestration`.

    Args:
      module, context: as of `legalize`. A module is not changed; it has to be what
        `graph-legalize-pipeline` makes (`legalize(module, pipeline=True)`).
      entry: the function that becomes the entry; when empty the one host function
        that no other calls.

    Raises:
      LegalizationError: the text or module is invalid, is not legal, or has no
        translation. Its `diagnostics` are all errors.
      TypeError, ValueError, OSError: as of `legalize`.
    """
    if not isinstance(entry, str):
        raise TypeError(f"entry: expected a name, got {entry!r}")
    module = _to_module(module, context)
    with collect_diagnostics(module.context) as diagnostics:
        _verify(module, diagnostics)
        texts = _ext.to_orchestration(module.operation, entry)
    if texts is None:
        raise _error("the module has no orchestration code", diagnostics)
    source, manifest = texts
    return Orchestration(source, json.loads(manifest))
