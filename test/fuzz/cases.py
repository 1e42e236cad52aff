# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs through a check, for as long as was asked."""

from __future__ import annotations

import argparse
import collections
import os
import random
import time
from collections.abc import Callable

import pypto_graph
from mlir import ir


def run_cases(
    description: str,
    make_program: Callable[[random.Random], str],
    check: Callable[[str, ir.Context], str],
    is_useful: Callable[[str], bool],
) -> int:
    """The command line of a check.

    Args:
      make_program: a program; it depends on the seed and the number of the case alone.
      check: what became of a program; a failure begins with a capital letter.
      is_useful: whether an outcome says that much was checked. A generator that makes
        nothing of use would find nothing.

    Returns:
      The exit code.
    """
    options = _parse_arguments(description)
    context = ir.Context()
    pypto_graph.register_dialects(context)

    def make_case(case: int) -> str:
        return make_program(random.Random(f"{options.seed}/{case}"))

    if options.case is not None:
        text = make_case(options.case)
        if options.print:
            print(text)
        print("//", check(text, context))
        return 0
    outcomes: collections.Counter[str] = collections.Counter()
    case = 0
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        outcome = check(make_case(case), context)
        if outcome[0].isupper():
            print(f"case {case}: {outcome}")
            outcome = outcome.split(":")[0]
        outcomes[outcome] += 1
        case += 1
    for outcome, count in outcomes.most_common():
        print(f"{count:6} {outcome}")
    has_failed = any(outcome[0].isupper() for outcome in outcomes)
    return 1 if has_failed or not any(map(is_useful, outcomes)) else 0


def _parse_arguments(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    default = float(os.environ.get("PYPTO_FUZZ_SECONDS", "5"))
    parser.add_argument(
        "--seconds", type=float, default=default, help="how long to run"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="run this case alone")
    parser.add_argument(
        "--print", action="store_true", help="print the program of --case"
    )
    return parser.parse_args()
