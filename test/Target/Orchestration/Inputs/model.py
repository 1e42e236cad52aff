# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a module in the model of the runtime, to compare emitted code with it.

The two share no code: `pypto-replay` interprets the module, emitted code is compiled
and runs on the interface in `pto_orchestration_api.h`. Kernels are probes in both.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy
from harness import Unit, numpy_type

# Kernels with a body, as modules are printed.
KERNEL = re.compile(
    r"^  graph\.func (?:private )?((?:incore|aic|aiv|group|spmd) @.*) \{\n(?:.*\n)*?  \}\n",
    re.MULTILINE,
)


def drop_kernel_bodies(text: str) -> str:
    """The printed module with kernels declared only: then each one is a probe."""
    return KERNEL.sub(r"  graph.func private \1\n", text)


def decode(data: bytes, element: str) -> list[float]:
    """The elements as numbers."""
    if element == "bf16":
        bits = numpy.frombuffer(data, numpy.uint16).astype(numpy.uint32) << 16
        return bits.view(numpy.float32).tolist()
    return numpy.frombuffer(data, numpy_type(element)).tolist()


class ModelError(RuntimeError):
    """The model could not be run; the message is what it wrote."""


@dataclass
class ModelRun:
    """What a run in the model came to."""

    error: str = ""
    # By call: what each graph launch was, and of which function.
    events: list[list[tuple[str, str]]] = field(default_factory=list)
    tensors: dict[str, list[float]] = field(default_factory=dict)


def _read_elements(text: str) -> list[float]:
    elements: list[float] = []
    for value, count in re.findall(r"(\S+)(?: \((\d+) times\))?", text):
        number = float(value) if re.search(r"[.EeNn]", value) else int(value)
        elements += [number] * int(count or 1)
    return elements


def run_model(
    text: str,
    unit: Unit,
    calls: Sequence[Sequence[int]],
    tensors: Sequence[numpy.ndarray],
    directory: Path,
    *,
    eager: bool,
) -> ModelRun:
    """Calls the entry in the model; `calls` are the scalars of each."""
    entry = unit.manifest["entry"]
    arguments = []
    for tensor, array in zip(entry["tensors"], tensors, strict=True):
        file = directory / f"{tensor['param']}.npy"
        numpy.save(file, array)
        arguments.append(f"{tensor['name']}={file}")
    for i, scalar in enumerate(entry["scalars"]):
        values = ":".join(_format(call[i], scalar) for call in calls)
        arguments.append(f"{scalar['name']}={values}")
    command = ["pypto-replay", "-", f"--entry=@{entry['name']}"]
    command += [f"--calls={len(calls)}", *(f"--args={a}" for a in arguments)]
    command += [f"--print={t['name']}" for t in entry["tensors"]]
    if eager:
        command.append("--eager")
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    run = ModelRun(events=[[] for _ in calls])
    if done.returncode not in (0, 1) or done.stderr:
        raise ModelError(f"{' '.join(command)}: {done.stderr}")
    if done.returncode == 1:
        run.error = done.stdout
    for line in done.stdout.splitlines():
        if event := re.match(r"call (\d+): @(.*?) (recorded|replayed|ran)\b", line):
            kind = event[3].replace("ran", "fallback")
            run.events[int(event[1])].append((kind, event[2]))
        elif values := re.match(r"%(\S+) =(.*)", line):
            run.tensors[values[1]] = _read_elements(values[2])
    return run


def _format(bits: int, scalar: dict) -> str:
    """A scalar as the model reads it."""
    if scalar["type"].startswith(("i", "u")):
        return str(bits)
    width = scalar["width"]
    if scalar["type"] == "bf16":
        bits, width = bits << 16, 32
    floats = {16: numpy.float16, 32: numpy.float32, 64: numpy.float64}
    unsigned = {16: numpy.uint16, 32: numpy.uint32, 64: numpy.uint64}
    return repr(float(numpy.array(bits, unsigned[width]).view(floats[width])))


def find_difference(
    unit: Unit, run: ModelRun, data: bytes, events: list[list[tuple[str, str]]]
) -> str:
    """How a run of emitted code differs from one in the model; empty if it does not."""
    for number, (expected, actual) in enumerate(zip(run.events, events, strict=True)):
        if expected != actual:
            return f"call {number}: launches {actual}, the model has {expected}"
    for tensor in unit.manifest["entry"]["tensors"]:
        expected_values = run.tensors[tensor["name"]]
        size = len(expected_values) * numpy_type(tensor["element"]).itemsize
        values = decode(data[:size], tensor["element"])
        data = data[size:]
        for i, (a, b) in enumerate(zip(expected_values, values, strict=True)):
            if a != b and not (a != a and b != b):
                return f"element {i} of %{tensor['name']} is {b}, the model has {a}"
    return "" if not data else "the tensors have other sizes"
