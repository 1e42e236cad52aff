# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs emitted orchestration code.

    unit = translate(text_of_a_legalized_module)
    results = run([Case(unit, [[0], [1]], draw_tensors(unit))], directory)

Many programs go into one translation unit, each in a namespace of its own. What the
kernels are comes from the manifest.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy

INPUTS = Path(__file__).resolve().parent
FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1"]

# What emitted code includes, which must not come first inside of a namespace.
HEADERS = ["array", "cmath", "cstdint", "cstring", "functional"]

DATA_TYPES = {
    "i1": "BOOL",
    "i8": "INT8",
    "i16": "INT16",
    "i32": "INT32",
    "i64": "INT64",
    "ui8": "UINT8",
    "ui16": "UINT16",
    "ui32": "UINT32",
    "ui64": "UINT64",
    "f16": "FLOAT16",
    "bf16": "BFLOAT16",
    "f32": "FLOAT32",
    "f64": "FLOAT64",
}


class ToolError(RuntimeError):
    """A tool failed; the message is what it wrote."""


@dataclass(frozen=True)
class Unit:
    """What a module became."""

    source: str
    manifest: dict


@dataclass
class Case:
    """A unit and the scalars of the calls of its entry."""

    unit: Unit
    calls: Sequence[Sequence[int]]
    # The tensors of the entry before the first call; bf16 as its bits.
    tensors: Sequence[numpy.ndarray]
    name: str = "program"


def numpy_type(element: str) -> numpy.dtype:
    """The NumPy type of an element; bf16 as its bits."""
    names = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64"}
    name = names.get(element, element.replace("ui", "uint"))
    if element == "bf16":
        name = "uint16"
    elif element[0] == "i" and element != "i1":
        name = element.replace("i", "int")
    return numpy.dtype(name)


def draw_tensors(unit: Unit, extent: int = 8, seed: int = 1) -> list[numpy.ndarray]:
    """Small numbers for the entry; `extent` is what an open extent is."""
    rng = numpy.random.default_rng(seed)
    tensors = []
    for tensor in unit.manifest["entry"]["tensors"]:
        shape = [extent if size is None else size for size in tensor["shape"]]
        numbers = rng.integers(0, 2 if tensor["element"] == "i1" else 8, shape)
        if tensor["element"] == "bf16":
            bits = numbers.astype(numpy.float32).view(numpy.uint32) >> 16
            tensors.append(bits.astype(numpy.uint16))
        else:
            tensors.append(numbers.astype(numpy_type(tensor["element"])))
    return tensors


@dataclass
class CallResult:
    """What a call left behind: a checksum of each tensor of the entry."""

    buffers: list[int]
    error: str
    tasks: int
    events: list[list]


@dataclass
class Result:
    eager: list[CallResult] = field(default_factory=list)
    replay: list[CallResult] = field(default_factory=list)
    # What the last calls leave, one tensor after the other.
    eager_bytes: bytes = b""
    replay_bytes: bytes = b""

    def nodes(self) -> dict[str, set[int]]:
        """The sizes of the recordings by graph function."""
        nodes: dict[str, set[int]] = {}
        for call in self.replay:
            for kind, name, count in call.events:
                if kind == "recorded":
                    nodes.setdefault(name, set()).add(count)
        return nodes


def run_tool(command: Sequence[str], text: str = "") -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise ToolError(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def translate(text: str, directory: Path, *options: str) -> Unit:
    """Translates a module that is legal."""
    manifest = directory / "manifest.json"
    source = run_tool(
        [
            "pypto-translate",
            "--graph-to-orchestration",
            f"--manifest={manifest}",
            "-",
            *options,
        ],
        text,
    )
    return Unit(source, json.loads(manifest.read_text()))


def legalize(text: str) -> str:
    return run_tool(["pypto-opt", "--graph-legalize-pipeline", "-"], text)


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _parameter(param: dict) -> str:
    is_tensor = param["kind"] == "tensor"
    direction = param.get("direction", "in")
    fields = [
        _boolean(is_tensor),
        _boolean(direction == "out"),
        _boolean(direction != "in"),
        f"{param.get('width', 0)}u",
        f"DataType::{DATA_TYPES[param.get('element', 'i1')]}",
    ]
    return "{" + ", ".join(fields) + "}"


def _table(case: Case, number: int) -> str:
    """What the harness has to know of a program, from its manifest."""
    manifest = case.unit.manifest
    kernels = []
    for kernel in manifest["kernels"]:
        params = ", ".join(map(_parameter, kernel["params"]))
        kernels.append(f"{{{json.dumps(kernel['name'])}, {{{params}}}}}")
    tensors = []
    for tensor, array in zip(manifest["entry"]["tensors"], case.tensors, strict=True):
        extents = ", ".join(f"{size}u" for size in array.shape)
        data_type = DATA_TYPES[tensor["element"]]
        tensors.append(f"{{DataType::{data_type}, {{{extents}}}}}")
    graphs = [
        f"{{{json.dumps(graph['name'])}, &{graph['symbol']}}}"
        for graph in manifest["graphs"]
    ]
    parts = [
        json.dumps(case.name),
        f"&entry_{number}",
        f"&config_{number}",
        "{" + ", ".join(kernels) + "}",
        "{" + ", ".join(tensors) + "}",
        f"{len(manifest['entry']['scalars'])}u",
        "{" + ", ".join(graphs) + "}",
    ]
    return "pto_test::Program get_program() { return {" + ",\n  ".join(parts) + "}; }"


def compile_cases(cases: Sequence[Case], directory: Path) -> Path:
    """One executable of all cases."""
    lines = ['#include "pto_harness.h"']
    lines += [f"#include <{name}>" for name in HEADERS]
    for number, case in enumerate(cases):
        (directory / f"program_{number}.cpp").write_text(case.unit.source)
        lines += [
            f"#define aicpu_orchestration_entry entry_{number}",
            f"#define aicpu_orchestration_config config_{number}",
            f"namespace program_{number} {{",
            f'#include "program_{number}.cpp"',
            _table(case, number),
            "}",
            "#undef aicpu_orchestration_entry",
            "#undef aicpu_orchestration_config",
        ]
    programs = ", ".join(f"program_{n}::get_program()" for n in range(len(cases)))
    lines.append(f"int main() {{ return pto_test::run_all({{{programs}}}); }}")
    source, executable = directory / "all.cpp", directory / "all"
    source.write_text("\n".join(lines) + "\n")
    compiler = os.environ.get("CXX", "c++")
    run_tool([compiler, *FLAGS, f"-I{INPUTS}", str(source), "-o", str(executable)])
    return executable


def run(cases: Sequence[Case], directory: Path) -> list[Result]:
    """Compiles all cases into one executable and runs it."""
    executable = compile_cases(cases, directory)
    lines = []
    for number, case in enumerate(cases):
        file = directory / f"data_{number}.bin"
        file.write_bytes(b"".join(tensor.tobytes() for tensor in case.tensors))
        words = [str(file), str(len(case.calls))]
        words += [str(scalar) for call in case.calls for scalar in call]
        lines.append(" ".join(words))
    results = [Result() for _ in cases]
    for line in run_tool([str(executable)], "\n".join(lines) + "\n").splitlines():
        entry = json.loads(line)
        result = results[entry["program"]]
        calls = result.eager if entry["mode"] == "eager" else result.replay
        calls.append(
            CallResult(
                entry["buffers"], entry["error"], entry["tasks"], entry["events"]
            )
        )
    for number, result in enumerate(results):
        file = str(directory / f"data_{number}.bin")
        result.eager_bytes = Path(f"{file}.eager").read_bytes()
        result.replay_bytes = Path(f"{file}.replay").read_bytes()
    return results
