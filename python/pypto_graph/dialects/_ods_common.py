# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generated bindings import from their own package: MLIR's helpers."""

from mlir.dialects import _ods_common

globals().update(
    {
        name: value
        for name, value in vars(_ods_common).items()
        if not name.startswith("__")
    }
)
