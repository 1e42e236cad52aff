# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints docs/diagnostics.md from the table of diagnostic codes."""

from __future__ import annotations

import pypto_graph

INTRODUCTION = """\
Every error and warning of the passes starts with a stable code in brackets.
`pypto_graph.explain(code)` gives the same entries in Python.

Codes of the form `graph-…` are about graph functions: what would be frozen by a
recording, or would keep it from being replayed. Those of the form `outline-…` are
about scopes that cannot become functions, those of the form `asc-…` about kernels.
"""


def main() -> None:
    codes = pypto_graph.diagnostic_codes()
    print(INTRODUCTION)
    print("| code | meaning |\n| --- | --- |")
    for code in codes:
        print(f"| [`{code}`](#{code}) | {pypto_graph.explain(code).summary} |")
    for code in codes:
        entry = pypto_graph.explain(code)
        print(f"\n## {code}\n\n**{entry.summary}.**\n\n{entry.meaning}\n")
        print(f"```mlir\n{entry.example}\n```\n\n*Remedy:* {entry.remedy}")


if __name__ == "__main__":
    main()
