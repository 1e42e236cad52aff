# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs and reports what does not hold of them."""

from __future__ import annotations

import argparse
import collections
import sys
import time
from pathlib import Path

from .generator import generate
from .program import Program
from .properties import Outcome, check
from .report import print_report
from .runner import check_apart, new_context, run_cases
from .shrink import shrink


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="python -m pypto_graph.fuzz",
        description="Random programs through the passes, the verifier and the model "
        "of the runtime. A program depends on the seed and its number alone.",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument(
        "--seconds", type=float, help="stop after this long, whatever the count"
    )
    parser.add_argument("--case", type=int, help="run this program alone")
    parser.add_argument(
        "--print", action="store_true", help="print the program of --case"
    )
    parser.add_argument(
        "--out", type=Path, help="directory for programs that fail, made smaller"
    )
    parser.add_argument(
        "--no-model",
        dest="model",
        action="store_false",
        help="do not run the programs in the model of the runtime",
    )
    parser.add_argument(
        "--features", action="store_true", help="count what the programs have"
    )
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Runs the programs; the exit code is 1 when a property does not hold."""
    options = parse_arguments(arguments)
    if options.case is not None:
        return _run_one(options)
    outcomes: list[Outcome] = []
    features: collections.Counter[str] = collections.Counter()
    failures = 0
    start = time.monotonic()
    numbers = range(options.first, options.first + options.count)
    for number, outcome in run_cases(options.seed, numbers, model=options.model):
        outcomes.append(outcome)
        if options.features:
            features.update(generate(options.seed, number).features)
        if outcome.failure:
            failures += 1
            print(f"program {number}: {outcome.failure}: {outcome.detail}", flush=True)
            if options.out:
                _write_failure(options, number, outcome)
        if options.seconds and time.monotonic() - start > options.seconds:
            break
    print_report(outcomes, time.monotonic() - start)
    for feature, count in features.most_common():
        print(f"{count:7} programs with {feature}")
    return 1 if failures else 0


def _run_one(options: argparse.Namespace) -> int:
    program = generate(options.seed, options.case)
    if options.print:
        print(program.text)
    outcome = check_apart(program, model=options.model)
    print("//", outcome.failure or outcome.status, ", ".join(outcome.codes))
    for line in (*outcome.facts, *outcome.detail.splitlines()):
        print("//", line)
    if outcome.failure and options.out:
        _write_failure(options, options.case, outcome)
    return 1 if outcome.failure else 0


def _write_failure(options: argparse.Namespace, number: int, outcome: Outcome) -> None:
    """Writes a program that fails, as it is and made smaller."""
    options.out.mkdir(parents=True, exist_ok=True)
    program = generate(options.seed, number)
    stem = f"{options.seed}-{number}"
    (options.out / f"{stem}.mlir").write_text(program.text)
    context = new_context()
    # A crash takes the process with it.
    apart = outcome.failure in ("crash", "hangs")

    def fails(smaller: Program) -> bool:
        if apart:
            now = check_apart(smaller, model=options.model)
        else:
            now = check(smaller, context, model=options.model)
        return now.failure == outcome.failure

    smaller = shrink(program, fails, context)
    comment = "".join(
        f"// {line}\n" for line in (outcome.failure or "", *outcome.detail.splitlines())
    )
    (options.out / f"{stem}-small.mlir").write_text(comment + smaller.text)


if __name__ == "__main__":
    sys.exit(main())
