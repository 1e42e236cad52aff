#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure pypto-opt on generated modules and print the figures as Markdown.

Every module is put through the tool alone (parse, verify and print) and with
``--canonicalize``, ``--cse``, ``--legalize-graph-boundary``, the smaller passes before
it, and ``--graph-legalize-pipeline``, all in one. Pass times are those
of ``--mlir-timing`` with ``--verify-each=false``: else the verification after a pass
counts as its time. Wall time and peak memory are those of the whole process, with it.
What counts are the ratios: absolute figures belong to one machine and one run.
A process is compared with the tool alone on the same file, and on what the process
writes: a pass that hoists writes more than it reads, and printing that is no choice.
(Linux counts the memory of the process that forks, so peak memory is never below
that of this script, some 20 MiB.)

    run.py --sizes 10000,100000 --shapes mixed,wide
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from generate import SHAPES, generate

REPOSITORY = Path(__file__).resolve().parent.parent
PASS = "--legalize-graph-boundary"
RETURNS = "--normalize-returns"
DIRECTIONS = "--derive-call-directions"
PIPELINE = "--graph-legalize-pipeline"

# Rows of the timing report by the option that runs the pass.
TIMING_ROWS = {
    "--canonicalize": re.compile(r"canonicalizer(pass)?$", re.IGNORECASE),
    "--cse": re.compile(r"cse(pass)?$", re.IGNORECASE),
    PASS: re.compile(r"legalizegraphboundary(pass)?$", re.IGNORECASE),
    RETURNS: re.compile(r"normalizereturns(pass)?$", re.IGNORECASE),
    DIRECTIONS: re.compile(r"derivecalldirections(pass)?$", re.IGNORECASE),
    # Of the pipeline the whole counts.
    PIPELINE: re.compile(r"legalizegraphboundary(pass)?$", re.IGNORECASE),
}
# "0.0010 ( 11.1%)" once for each clock, wall time last, then the name.
TIMING_LINE = re.compile(
    r"^\s*(?:[\d.]+ \(\s*[\d.]+%\)\s+)*([\d.]+) \(\s*[\d.]+%\)\s+(.+?)\s*$"
)


@dataclass(frozen=True)
class Run:
    """One run of the tool: seconds of the process and the pass, peak memory in MiB."""

    wall: float
    pass_time: float
    rss: float


class ToolError(RuntimeError):
    """The tool failed; the message is the head of what it wrote."""


def run_once(command: Sequence[str]) -> tuple[float, float, str]:
    """Run a command; return wall seconds, peak memory in MiB, standard error."""
    with tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        # The process is reaped already; tell Popen.
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        text = err.read()
    if process.returncode != 0:
        raise ToolError(
            f"{' '.join(command)}: exit code {process.returncode}\n{text[:2000]}"
        )
    unit = 1 << 20 if platform.system() == "Darwin" else 1 << 10
    return wall, usage.ru_maxrss / unit, text


def pass_seconds(report: str, option: str) -> float:
    """Find the wall time of a pass in a timing report."""
    total, found = 0.0, False
    for line in report.splitlines():
        match = TIMING_LINE.match(line)
        if match and TIMING_ROWS[option].search(match.group(2)):
            total, found = total + float(match.group(1)), True
    if not found:
        raise ToolError(f"no row for {option} in the timing report:\n{report[:2000]}")
    return total


def measure(tool: str, source: Path, option: str | None, repeat: int) -> Run:
    """Run the tool ``repeat`` times and keep the least of each figure."""
    command = [
        tool,
        str(source),
        "-o",
        os.devnull,
        "--mlir-timing",
        "--mlir-timing-display=list",
    ]
    if option:
        command.append(option)
    walls, passes, peaks = [], [0.0] if option is None else [], []
    for _ in range(repeat):
        wall, rss, _ = run_once(command)
        walls.append(wall)
        peaks.append(rss)
        if option:
            _, _, report = run_once([*command, "--verify-each=false"])
            passes.append(pass_seconds(report, option))
    return Run(min(walls), min(passes), min(peaks))


@dataclass(frozen=True)
class Figures:
    """What was measured on one module; None for what the tool refused."""

    ops: int
    plain: Run | None
    canonicalize: Run | None
    cse: Run | None
    legalize: Run | None
    returns: Run | None
    directions: Run | None
    pipeline: Run | None
    # The tool alone on what the pass and the pipeline write.
    plain_legalized: Run | None
    plain_pipelined: Run | None

    AGAINST = (
        "operations",
        "no pass, s",
        "canonicalize, s",
        "cse, s",
        "legalize, s",
        "legalize / canonicalize",
        "process",
        "process / its output",
        "peak memory",
        "peak memory / its output",
    )
    OTHERS = (
        "operations",
        "returns, s",
        "returns / canonicalize",
        "directions, s",
        "directions / canonicalize",
        "process with the pipeline, s",
        "process",
        "process / its output",
    )
    GROWTH = (
        "operations",
        "factor",
        "no pass",
        "canonicalize",
        "cse",
        "legalize",
        "process with legalize",
    )

    def against(self) -> list[str]:
        """The row of the first table, `AGAINST`."""
        return [
            str(self.ops),
            seconds(wall(self.plain)),
            seconds(pass_time(self.canonicalize)),
            seconds(pass_time(self.cse)),
            seconds(pass_time(self.legalize)),
            ratio(pass_time(self.legalize), pass_time(self.canonicalize)),
            ratio(wall(self.legalize), wall(self.plain)),
            ratio(wall(self.legalize), wall(self.plain_legalized)),
            ratio(peak(self.legalize), peak(self.plain)),
            ratio(peak(self.legalize), peak(self.plain_legalized)),
        ]

    def others(self) -> list[str]:
        """The row of the table of the other passes, `OTHERS`."""
        return [
            str(self.ops),
            seconds(pass_time(self.returns)),
            ratio(pass_time(self.returns), pass_time(self.canonicalize)),
            seconds(pass_time(self.directions)),
            ratio(pass_time(self.directions), pass_time(self.canonicalize)),
            seconds(wall(self.pipeline)),
            ratio(wall(self.pipeline), wall(self.plain)),
            ratio(wall(self.pipeline), wall(self.plain_pipelined)),
        ]

    def growth(self, last: Figures) -> list[str]:
        """The row of the second table, `GROWTH`, against a smaller module."""
        return [
            f"{last.ops} to {self.ops}",
            ratio(self.ops, last.ops),
            ratio(wall(self.plain), wall(last.plain)),
            ratio(pass_time(self.canonicalize), pass_time(last.canonicalize)),
            ratio(pass_time(self.cse), pass_time(last.cse)),
            ratio(pass_time(self.legalize), pass_time(last.legalize)),
            ratio(wall(self.legalize), wall(last.legalize)),
        ]


def wall(run: Run | None) -> float | None:
    """Seconds of the process."""
    return run.wall if run else None


def pass_time(run: Run | None) -> float | None:
    """Seconds of the pass."""
    return run.pass_time if run else None


def peak(run: Run | None) -> float | None:
    """Peak memory in MiB."""
    return run.rss if run else None


def measure_all(
    tool: str, source: Path, ops: int, repeat: int, failures: list[str]
) -> Figures:
    """Measure one module every way; note failures and go on."""

    def attempt(option: str | None, on_output: str | None = None) -> Run | None:
        try:
            if not on_output:
                return measure(tool, source, option, repeat)
            output = source.with_suffix(".out.mlir")
            run_once([tool, str(source), on_output, "-o", str(output)])
            return measure(tool, output, option, repeat)
        except ToolError as error:
            failures.append(str(error))
            return None

    return Figures(
        ops,
        attempt(None),
        attempt("--canonicalize"),
        attempt("--cse"),
        attempt(PASS),
        attempt(RETURNS),
        attempt(DIRECTIONS),
        attempt(PIPELINE),
        attempt(None, on_output=PASS),
        attempt(None, on_output=PIPELINE),
    )


def seconds(value: float | None) -> str:
    """Format a time."""
    return "-" if value is None else f"{value:.4f}"


def ratio(value: float | None, base: float | None) -> str:
    """Format a quotient; what was not measured or is below the clock gives none."""
    return f"{value / base:.2f}" if value and base else "-"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format a Markdown table, the first column left and the others right."""
    rule = ["---"] + ["---:"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, rule, *rows])


def startup(tool: str, repeat: int, failures: list[str]) -> list[list[str]]:
    """Measure what a user waits for on small input."""
    band = str(REPOSITORY / "examples" / "band.mlir")
    commands = {
        "`pypto-opt --version`": [tool, "--version"],
        f"`pypto-opt {PASS} examples/band.mlir`": [tool, PASS, band],
    }
    rows = []
    for label, command in commands.items():
        try:
            walls = sorted(run_once(command)[0] for _ in range(max(10, repeat)))
        except ToolError as error:
            failures.append(str(error))
            rows.append([label, "-", "-"])
            continue
        median = walls[len(walls) // 2]
        rows.append([label, f"{walls[0] * 1e3:.1f}", f"{median * 1e3:.1f}"])
    return rows


def find_tool(given: str | None) -> str:
    """Take the tool that was named, else that of the build tree, else that on PATH."""
    candidates = (
        [given]
        if given
        else [str(REPOSITORY / "build" / "bin" / "pypto-opt"), "pypto-opt"]
    )
    for candidate in candidates:
        path = shutil.which(candidate)
        if path:
            return path
    raise SystemExit(
        f"error: no executable {' or '.join(candidates)}; build it or pass --pypto-opt"
    )


def number_list(text: str) -> list[int]:
    """Parse a comma-separated list of positive integers."""
    try:
        values = [int(item) for item in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a list of integers: {text!r}") from None
    if min(values) < 1:
        raise argparse.ArgumentTypeError("sizes must be positive")
    return values


def shape_list(text: str) -> list[str]:
    """Parse a comma-separated list of shapes."""
    shapes = list(SHAPES) if text == "all" else text.split(",")
    for shape in shapes:
        if shape not in SHAPES:
            raise argparse.ArgumentTypeError(
                f"unknown shape {shape!r}; there are {', '.join(SHAPES)}"
            )
    return shapes


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--sizes",
        type=number_list,
        default=[10_000, 100_000],
        help="operations, comma-separated",
    )
    parser.add_argument(
        "--shapes",
        type=shape_list,
        default=list(SHAPES),
        help="shapes, comma-separated, or 'all'",
    )
    parser.add_argument(
        "--repeat",
        type=int,
        default=3,
        help="runs of which the least counts (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        help="seed of the generator (default: %(default)s)",
    )
    parser.add_argument(
        "--pypto-opt",
        help="the tool to measure (default: of the build tree, else on PATH)",
    )
    args = parser.parse_args(argv)
    if args.repeat < 1:
        parser.error("--repeat must be positive")
    tool = find_tool(args.pypto_opt)

    failures: list[str] = []
    print("## Start\n")
    print(
        table(
            ["command", "least, ms", "median, ms"],
            startup(tool, args.repeat, failures),
        )
    )

    against: list[list[str]] = []
    others: list[list[str]] = []
    growth: list[list[str]] = []
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory) / "module.mlir"
        for shape in args.shapes:
            last: Figures | None = None
            for size in sorted(args.sizes):
                with open(source, "w", encoding="ascii") as out:
                    ops = generate(out, size, shape, args.seed)
                print(f"{shape}: {ops} operations", file=sys.stderr)
                figures = measure_all(tool, source, ops, args.repeat, failures)
                against.append([shape, *figures.against()])
                others.append([shape, *figures.others()])
                if last:
                    growth.append([shape, *figures.growth(last)])
                last = figures

    print("\n## The pass against stock passes and against no pass\n")
    print(table(["shape", *Figures.AGAINST], against))
    print("\n## The passes before it, and the pipeline\n")
    print(table(["shape", *Figures.OTHERS], others))
    if growth:
        print("\n## Growth: times what it took for the smaller size\n")
        print(table(["shape", *Figures.GROWTH], growth))
    for failure in failures:
        print(f"\nfailed: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
