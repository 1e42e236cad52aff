# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel without a body does, computed a second time."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

MASK = (1 << 64) - 1


def mix(h: int, x: int) -> int:
    h = ((h ^ x) * 0x9E3779B97F4A7C15) & MASK
    return h ^ (h >> 29)


def fnv(name: str) -> int:
    h = 0xCBF29CE484222325
    for byte in name.encode():
        h = ((h ^ byte) * 0x100000001B3) & MASK
    return h


@dataclass
class Tensor:
    """A window of one row-major buffer; `elements` are bit patterns."""

    shape: list[int]
    strides: list[int]
    offset: int
    direction: str
    elements: list[int]
    width: int
    is_float: bool = False
    values: list[int] = field(default_factory=list)


def probe(
    name: str, tensors: list[Tensor], scalars: list[tuple[int, int]], blocks: int
) -> None:
    """Fills `values` of what is written; floats are given by value."""
    h = fnv(name)
    for tensor in tensors:
        for word in [len(tensor.shape), *tensor.shape, *tensor.strides, tensor.offset]:
            h = mix(h, word)
        if tensor.direction != "out":
            for element in tensor.elements:
                h = mix(h, element)
    for value, width in scalars:
        h = mix(h, value & ((1 << width) - 1))
    h = mix(h, blocks)
    for k, tensor in enumerate(tensors):
        if tensor.direction == "in":
            continue
        for e in range(len(tensor.elements)):
            v = mix(mix(h, k), e)
            tensor.values.append(
                v & 0xFF if tensor.is_float else v & ((1 << tensor.width) - 1)
            )


def run(tmp_path: Path, text: str, args: str, names: list[str]) -> dict[str, list[str]]:
    """Calls `@main` eagerly and reads what is in the tensors afterwards."""
    path = tmp_path / "input.mlir"
    path.write_text(text)
    output = subprocess.run(
        [
            "pypto-replay",
            str(path),
            "--eager",
            f"--args={args}",
            f"--print={','.join(names)}",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = {}
    for line in output.splitlines():
        name, _, rest = line.partition(" = ")
        numbers: list[str] = []
        for value, times in re.findall(r"(\S+)(?: \((\d+) times\))?", rest):
            numbers += [value] * int(times or 1)
        found[name.removeprefix("%")] = numbers
    return found


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def test_windows_directions_and_scalars(tmp_path: Path) -> None:
    text = """
graph.func private spmd @kernel_1(in %s: i8, in %a: !graph.tensor<2x2xf32>, out %o: !graph.tensor<3xi16>,
    in %f: f32, inout %p: !graph.tensor<2xbf16>, in %n: index) attributes {core_num = 3 : i64}
graph.func orchestration @main(in %w: !graph.tensor<4x3xf32>, inout %o: !graph.tensor<3xi16>,
                               inout %p: !graph.tensor<6xbf16>, in %s: i8, in %n: index) {
  %f = arith.constant 1.5 : f32
  %a = graph.slice %w[1, 1] [2, 2] : !graph.tensor<4x3xf32> to !graph.tensor<2x2xf32>
  %q = graph.slice %p[4] [2] : !graph.tensor<6xbf16> to !graph.tensor<2xbf16>
  graph.call @kernel_1(%s, %a, %o, %f, %q, %n)
      : (i8, !graph.tensor<2x2xf32>, !graph.tensor<3xi16>, f32, !graph.tensor<2xbf16>, index) -> ()
  graph.return
}"""
    one, two = 0x3F800000, 0x4000
    a = Tensor([2, 2], [3, 1], 4, "in", [one] * 4, 32, True)
    o = Tensor([3], [1], 0, "out", [0] * 3, 16)
    p = Tensor([2], [1], 4, "inout", [two] * 2, 16, True)
    probe("kernel_1", [a, o, p], [(-2, 8), (0x3FC00000, 32), (-7, 64)], 3)
    found = run(tmp_path, text, "w=1,o=5,p=2,s=-2,n=-7", ["o", "p"])
    assert [int(v) for v in found["o"]] == [signed(v, 16) for v in o.values]
    assert [float(v) for v in found["p"]] == [2, 2, 2, 2, *p.values]


def test_integers_of_every_width(tmp_path: Path) -> None:
    for name in ["i1", "i8", "ui8", "ui16", "i32", "ui32", "i64", "ui64"]:
        width = int(name.lstrip("ui"))
        text = f"""
graph.func private incore @k(inout %o: !graph.tensor<5x{name}>)
graph.func orchestration @main(inout %o: !graph.tensor<5x{name}>) {{
  graph.call @k(%o) : (!graph.tensor<5x{name}>) -> ()
  graph.return
}}"""
        o = Tensor([5], [1], 0, "inout", [1] * 5, width)
        probe("k", [o], [], 1)
        found = run(tmp_path, text, "o=1", ["o"])["o"]
        is_signed = name.startswith("i") and width > 1
        expected = [signed(v, width) if is_signed else v for v in o.values]
        assert [int(v) for v in found] == expected, name


def test_an_omitted_parameter_and_an_untied_result(tmp_path: Path) -> None:
    text = """
graph.func private incore @k(in %a: !graph.tensor<2xi32>, out %o: !graph.tensor<2xi32>) -> (%o, !graph.tensor<i32>)
graph.func private incore @copy(in %a: !graph.tensor<2xi32>, in %b: !graph.tensor<i32>, out %o: !graph.tensor<2xi32>)
graph.func orchestration @main(in %a: !graph.tensor<2xi32>, inout %o: !graph.tensor<2xi32>) {
  %x, %y, %t = graph.submit @k(%a) : (!graph.tensor<2xi32>) -> (!graph.tensor<2xi32>, !graph.tensor<i32>, !graph.task_id)
  graph.call @copy(%x, %y, %o) : (!graph.tensor<2xi32>, !graph.tensor<i32>, !graph.tensor<2xi32>) -> ()
  graph.return
}"""
    a = Tensor([2], [1], 0, "in", [3, 3], 32)
    x = Tensor([2], [1], 0, "out", [0, 0], 32)
    y = Tensor([], [], 0, "out", [0], 32)
    probe("k", [a, x, y], [], 1)
    o = Tensor([2], [1], 0, "out", [0, 0], 32)
    x.direction = y.direction = "in"
    x.elements, y.elements = x.values, y.values
    probe("copy", [x, y, o], [], 1)
    found = run(tmp_path, text, "a=3", ["o"])["o"]
    assert [int(v) for v in found] == [signed(v, 32) for v in o.values]
