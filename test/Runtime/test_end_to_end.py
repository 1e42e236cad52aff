# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Group 10 of the behaviours: programs as they are written, and as they are
legalized, run eagerly and by record and replay."""

from __future__ import annotations

import itertools
import json
import re
import struct
import subprocess
from pathlib import Path

import pytest

ORDERS = ["program", "reverse", "random:1", "random:2"]
HEADER = "module attributes {graph.runtime = #graph.runtime<host_build_graph>} {\n"

KERNELS = """
graph.func incore @add(in %a: !graph.tensor<4x4xf32>, inout %acc: !graph.tensor<4x4xf32>) -> (%acc) {
  %x = graph.load %a[0, 0] : !graph.tensor<4x4xf32> -> tensor<4x4xf32>
  %y = graph.load %acc[0, 0] : !graph.tensor<4x4xf32> -> tensor<4x4xf32>
  %s = arith.addf %x, %y : tensor<4x4xf32>
  graph.store %s, %acc[0, 0] : tensor<4x4xf32>, !graph.tensor<4x4xf32>
  graph.return %acc : !graph.tensor<4x4xf32>
}
graph.func incore @double(in %a: !graph.tensor<4x4xf32>, out %o: !graph.tensor<4x4xf32>) -> (%o) {
  %x = graph.load %a[0, 0] : !graph.tensor<4x4xf32> -> tensor<4x4xf32>
  %s = arith.addf %x, %x : tensor<4x4xf32>
  graph.store %s, %o[0, 0] : tensor<4x4xf32>, !graph.tensor<4x4xf32>
  graph.return %o : !graph.tensor<4x4xf32>
}
"""

LOOP = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
"""


class Program:
    """A module in a file."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        path.write_text(text)

    def legalize(self, flag: str = "--legalize-graph-boundary") -> Program:
        output = self.path.with_suffix(".legal.mlir")
        subprocess.run(["pypto-opt", flag, self.path, "-o", output], check=True)
        return Program(output, output.read_text())

    def run(self, *options: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["pypto-replay", str(self.path), *options], capture_output=True, text=True
        )

    def values(self, name: str, args: str, *options: str) -> list[str]:
        """What is in a tensor after the calls, equal elements once."""
        done = self.run(f"--args={args}", f"--print={name}", *options)
        assert done.returncode == 0, done.stdout + done.stderr
        line = re.search(rf"^%{name} = (.*)$", done.stdout, re.MULTILINE)
        return re.sub(r" \(\d+ times\)", "", line[1]).split()

    def definitions(self, args: str = "") -> list[dict]:
        done = self.run(
            "--compare=false", "--dump-definition", *([f"--args={args}"] * bool(args))
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines() if line[0] == "{"]


@pytest.fixture
def program(tmp_path: Path):
    def make(text: str) -> Program:
        return Program(tmp_path / "input.mlir", HEADER + text + "}\n")

    return make


@pytest.fixture
def layers(tmp_path: Path) -> str:
    """Four layers of 4 x 4; layer i holds i + 1."""
    path = tmp_path / "layers.npy"
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (16, 4), }"
    header = header.ljust(117) + b"\n"
    data = b"".join(struct.pack("<f", i + 1) * 16 for i in range(4))
    path.write_bytes(
        b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data
    )
    return str(path)


def check_legalized(legal: Program, args: str, *options: str) -> None:
    """Replays agree with eager calls in every order, also from call to call."""
    for order in ORDERS:
        done = legal.run(f"--args={args}", f"--order={order}", "--calls=4", *options)
        assert done.returncode == 0, done.stdout + done.stderr
        done = legal.run(
            f"--args={args}",
            f"--order={order}",
            "--calls=4",
            "--keep-recordings",
            *options,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def accumulate(body: str) -> str:
    """A graph function over the layers of `%w`, called for each."""
    return (
        KERNELS
        + f"""
graph.func graph @accumulate_band(in %w: !graph.tensor<16x4xf32>, inout %acc: !graph.tensor<4x4xf32>,
                                  in %li: index) -> (%acc) {{
  {body}
  %acc1 = graph.call @add(%band, %acc) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
  graph.return %acc1 : !graph.tensor<4x4xf32>
}}
graph.func orchestration @main(in %w: !graph.tensor<16x4xf32>, inout %acc: !graph.tensor<4x4xf32>) -> (%acc) {{
  {LOOP}
  %sum = scf.for %li = %c0 to %c4 step %c1 iter_args(%a = %acc) -> (!graph.tensor<4x4xf32>) {{
    %a1 = graph.call @accumulate_band(%w, %a, %li)
        : (!graph.tensor<16x4xf32>, !graph.tensor<4x4xf32>, index) -> !graph.tensor<4x4xf32>
    scf.yield %a1 : !graph.tensor<4x4xf32>
  }}
  graph.return %sum : !graph.tensor<4x4xf32>
}}
"""
    )


BAND = """
  %rows = arith.constant 4 : index
  %base = arith.muli %li, %rows : index
  %band = graph.slice %w[%base, 0] [4, 4] : !graph.tensor<16x4xf32> to !graph.tensor<4x4xf32>
"""


def test_e2e01_offset_of_a_derived_scalar(program, layers: str) -> None:
    raw = program(accumulate(BAND))
    args = f"w={layers},acc=0"
    assert raw.values("acc", args, "--eager") == ["10"]
    assert raw.values("acc", args) == ["4"]
    assert raw.run(f"--args={args}").returncode == 1
    legal = raw.legalize()
    assert legal.values("acc", args) == ["10"]
    check_legalized(legal, args)


def test_e2e02_scope_form(program, layers: str) -> None:
    body = """
    %rows = arith.constant 4 : index
    %base = arith.muli %li, %rows : index
    %a1 = graph.scope graph "accumulate_band" -> (!graph.tensor<4x4xf32>) {
      %band = graph.slice %w[%base, 0] [4, 4] : !graph.tensor<16x4xf32> to !graph.tensor<4x4xf32>
      %r = graph.call @add(%band, %a) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
      graph.yield %r : !graph.tensor<4x4xf32>
    }
    scf.yield %a1 : !graph.tensor<4x4xf32>
    """
    raw = program(
        KERNELS
        + f"""
graph.func orchestration @main(in %w: !graph.tensor<16x4xf32>, inout %acc: !graph.tensor<4x4xf32>) -> (%acc) {{
  {LOOP}
  %sum = scf.for %li = %c0 to %c4 step %c1 iter_args(%a = %acc) -> (!graph.tensor<4x4xf32>) {{
    {body}
  }}
  graph.return %sum : !graph.tensor<4x4xf32>
}}
"""
    )
    args = f"w={layers},acc=0"
    assert raw.values("acc", args, "--eager") == ["10"]
    legal = raw.legalize("--graph-legalize-pipeline")
    assert legal.values("acc", args) == ["10"]
    check_legalized(legal, args)
    # One recording, with the boundary of the form above.
    boundary, node = legal.definitions(args)
    assert [t["kind"] for t in node["tensors"]] == ["boundary_exact"] * 2
    other, _ = program(accumulate(BAND)).legalize().definitions(args)
    assert len(boundary["tensors"]) == len(other["tensors"])
    assert boundary["scalars"] == other["scalars"]


def test_e2e03_slice_by_layer(program, layers: str) -> None:
    raw = program(
        accumulate("""
  %rows = arith.constant 4 : index
  %zero = arith.constant 0 : index
  %base = arith.muli %li, %rows : index
  %band = graph.slice %w[%base, %zero] [4, 4] : !graph.tensor<16x4xf32> to !graph.tensor<4x4xf32>
""")
    )
    args = f"w={layers},acc=0"
    assert raw.values("acc", args) == ["4"]
    legal = raw.legalize()
    assert legal.values("acc", args) == ["10"]
    check_legalized(legal, args)


def test_e2e04_scratch(program) -> None:
    raw = program(
        KERNELS
        + f"""
graph.func graph @layer(in %a: !graph.tensor<4x4xf32>, inout %acc: !graph.tensor<4x4xf32>) -> (%acc) {{
  %tmp = graph.create : !graph.tensor<4x4xf32>
  %t1 = graph.call @double(%a, %tmp) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
  %acc1 = graph.call @add(%t1, %acc) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
  graph.return %acc1 : !graph.tensor<4x4xf32>
}}
graph.func orchestration @main(in %a: !graph.tensor<4x4xf32>, inout %acc: !graph.tensor<4x4xf32>) -> (%acc) {{
  {LOOP}
  scf.for %i = %c0 to %c4 step %c1 {{
    %r = graph.call @layer(%a, %acc) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
  }}
  graph.return %acc : !graph.tensor<4x4xf32>
}}
"""
    )
    assert raw.values("acc", "a=3,acc=0", "--eager") == ["24"]
    assert [line["kind"] for line in raw.definitions()[1:]] == ["alloc", "task", "task"]
    legal = raw.legalize()
    assert legal.values("acc", "a=3,acc=0") == ["24"]
    check_legalized(legal, "a=3,acc=0")
    boundary, *nodes = legal.definitions()
    assert [node["kind"] for node in nodes] == ["task", "task"]
    assert [t["direction"] for t in boundary["tensors"]] == ["input", "inout", "inout"]


def test_e2e05_two_graphs(program) -> None:
    raw = program(
        KERNELS
        + f"""
graph.func graph @plus(in %a: !graph.tensor<4x4xf32>, inout %acc: !graph.tensor<4x4xf32>) {{
  %r = graph.call @add(%a, %acc) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
  graph.return
}}
graph.func incore @scale(inout %acc: !graph.tensor<4x4xf32>) {{
  %x = graph.load %acc[0, 0] : !graph.tensor<4x4xf32> -> tensor<4x4xf32>
  %s = arith.addf %x, %x : tensor<4x4xf32>
  graph.store %s, %acc[0, 0] : tensor<4x4xf32>, !graph.tensor<4x4xf32>
  graph.return
}}
graph.func graph @times(inout %acc: !graph.tensor<4x4xf32>) {{
  graph.call @scale(%acc) : (!graph.tensor<4x4xf32>) -> ()
  graph.return
}}
graph.func orchestration @main(in %a: !graph.tensor<4x4xf32>, inout %acc: !graph.tensor<4x4xf32>) {{
  {LOOP}
  scf.for %i = %c0 to %c4 step %c1 {{
    graph.call @plus(%a, %acc) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> ()
    graph.call @times(%acc) : (!graph.tensor<4x4xf32>) -> ()
  }}
  graph.return
}}
"""
    )
    expected = 1
    for _ in range(4):
        expected = (expected + 3) * 2
    assert raw.values("acc", "a=3,acc=1") == [str(expected)]
    legal = raw.legalize()
    assert legal.values("acc", "a=3,acc=1") == [str(expected)]
    assert len({line["definition"] for line in legal.definitions()}) == 2
    check_legalized(legal, "a=3,acc=1")


def test_e2e06_call_twice(program, layers: str) -> None:
    legal = program(accumulate(BAND)).legalize()
    for keep in ([], ["--keep-recordings"]):
        args = f"w={layers},acc="
        assert legal.values("acc", args + "0", "--calls=1", *keep) == ["10"]
        assert legal.values("acc", args + "100", "--calls=1", *keep) == ["110"]
        assert legal.values("acc", args + "0", "--calls=2", *keep) == ["20"]
        done = legal.run(f"--args={args}0", "--calls=3", "--fresh-buffers", *keep)
        assert done.returncode == 0, done.stdout


def test_e2e07_five_sites(program, layers: str) -> None:
    sites = "\n".join(
        f"""
  %i{i} = arith.constant {i % 4} : index
  %r{i} = graph.call @accumulate_band(%w, %acc, %i{i})
      : (!graph.tensor<16x4xf32>, !graph.tensor<4x4xf32>, index) -> !graph.tensor<4x4xf32>"""
        for i in range(5)
    )
    text = accumulate(BAND).split("graph.func orchestration")[0]
    raw = program(
        text
        + f"""
graph.func orchestration @main(in %w: !graph.tensor<16x4xf32>, inout %acc: !graph.tensor<4x4xf32>) {{
  {sites}
  graph.return
}}
"""
    )
    args = f"w={layers},acc=0"
    assert raw.values("acc", args) == ["5"]
    legal = raw.legalize()
    assert legal.values("acc", args) == ["11"]
    done = legal.run(f"--args={args}")
    assert "replayed 4 times" in done.stdout
    check_legalized(legal, args)


def test_e2e09_results_by_returned_parameter(program) -> None:
    raw = program(
        KERNELS
        + """
graph.func graph @layer(in %a: !graph.tensor<4x4xf32>, inout %x: !graph.tensor<4x4xf32>,
                        inout %y: !graph.tensor<4x4xf32>) -> (%y, %x) {
  %r = graph.call @add(%a, %x) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
  graph.return %y, %r : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
}
graph.func private incore @consume(in %q: !graph.tensor<4x4xf32>, in %p: !graph.tensor<4x4xf32>,
                                   inout %o: !graph.tensor<4x4xf32>) -> (%o)
graph.func orchestration @main(in %a: !graph.tensor<4x4xf32>, inout %p: !graph.tensor<4x4xf32>,
                               inout %q: !graph.tensor<4x4xf32>, inout %o: !graph.tensor<4x4xf32>) {
  %qq, %pp = graph.call @layer(%a, %p, %q)
      : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>)
      -> (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>)
  %r = graph.call @consume(%qq, %pp, %o)
      : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> !graph.tensor<4x4xf32>
  graph.return
}
"""
    )
    # Also after `p` and `q` are exchanged in the text of the launch.
    direct = program(
        raw.path.read_text()
        .removeprefix(HEADER)
        .rstrip()
        .removesuffix("}")
        .replace("@consume(%qq, %pp, %o)", "@consume(%q, %p, %o)")
    )
    expected = direct.values("o", "a=1,p=2,q=3,o=0", "--eager")
    assert raw.values("o", "a=1,p=2,q=3,o=0") == expected
    check_legalized(raw.legalize(), "a=1,p=2,q=3,o=0")


def test_e2e10_explicit_dependency(program) -> None:
    raw = program("""
graph.func private incore @k(in %a: !graph.tensor<4x4xf32>, inout %o: !graph.tensor<4x4xf32>)
graph.func graph @layer(inout %x: !graph.tensor<4x4xf32>, inout %y: !graph.tensor<4x4xf32>) {
  graph.scope manual {
    %t1 = graph.submit @k(%x, %y) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> (!graph.task_id)
    %t2 = graph.submit @k(%y, %x) deps(%t1 : !graph.task_id)
        : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> (!graph.task_id)
  }
  graph.return
}
graph.func orchestration @main(inout %x: !graph.tensor<4x4xf32>, inout %y: !graph.tensor<4x4xf32>) {
  graph.call @layer(%x, %y) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> ()
  graph.call @layer(%y, %x) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> ()
  graph.return
}
""")
    legal = raw.legalize()
    nodes = legal.definitions()[1:]
    assert [node["fan_in"] for node in nodes] == [[], [0]]
    check_legalized(legal, "x=1,y=2")


def test_e2e12_dynamic_extent(program) -> None:
    raw = program("""
graph.func private incore @k(inout %o: !graph.tensor<?x4xf32>, in %n: index)
graph.func graph @layer(inout %x: !graph.tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = graph.dim %x, %c0 : !graph.tensor<?x4xf32>
  %sum = scf.for %i = %c0 to %d step %c1 iter_args(%s = %c0) -> (index) {
    %t = arith.addi %s, %c1 : index
    scf.yield %t : index
  }
  graph.call @k(%x, %d) : (!graph.tensor<?x4xf32>, index) -> ()
  graph.return
}
graph.func orchestration @main(inout %x: !graph.tensor<?x4xf32>) {
  graph.call @layer(%x) : (!graph.tensor<?x4xf32>) -> ()
  graph.call @layer(%x) : (!graph.tensor<?x4xf32>) -> ()
  graph.return
}
""")
    legal = raw.legalize()
    for rows in (1, 3):
        check_legalized(legal, "x=1", f"--shape=x={rows}x4")


def test_e2e13_allocations_in_a_loop(program) -> None:
    creates = "\n".join(
        f"    %t{i} = graph.create : !graph.tensor<4x4xf32>" for i in range(20)
    )
    chain = ["%a", *(f"%t{i}" for i in range(20)), "%acc"]
    calls = "\n".join(
        f"    graph.call @move({a}, {b}) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> ()"
        for a, b in itertools.pairwise(chain)
    )
    raw = program(f"""
graph.func private incore @move(in %a: !graph.tensor<4x4xf32>, inout %o: !graph.tensor<4x4xf32>)
graph.func graph @layer(in %a: !graph.tensor<4x4xf32>, inout %acc: !graph.tensor<4x4xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {{
{creates}
{calls}
  }}
  graph.return
}}
graph.func orchestration @main(in %a: !graph.tensor<4x4xf32>, inout %acc: !graph.tensor<4x4xf32>) {{
  graph.call @layer(%a, %acc) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> ()
  graph.call @layer(%a, %acc) : (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) -> ()
  graph.return
}}
""")
    legal = raw.legalize()
    boundary, *nodes = legal.definitions()
    assert boundary["nodes"] == len(nodes) == 2 * (21 + 2)
    outputs = [len(node["outputs"]) for node in nodes if node["kind"] == "alloc"]
    assert outputs == [16, 4, 16, 4]
    check_legalized(legal, "a=1,acc=2")


def test_e2e14_mixture_of_experts(program, tmp_path: Path) -> None:
    experts = "\n".join(
        f"""
  %b{e} = graph.slice %y[{e * 2}, 0] [2, 4] : !graph.tensor<8x4xf32> to !graph.tensor<2x4xf32>
  %t{e} = graph.submit @inc(%b{e}) predicate(%counts[{e}, 0] gt %zero : !graph.tensor<4x1xi32>)
      : (!graph.tensor<2x4xf32>) -> (!graph.task_id)"""
        for e in range(4)
    )
    legal = program(f"""
graph.func incore @inc(inout %o: !graph.tensor<2x4xf32>) {{
  %one = arith.constant dense<1.0> : tensor<2x4xf32>
  %x = graph.load %o[0, 0] : !graph.tensor<2x4xf32> -> tensor<2x4xf32>
  %s = arith.addf %x, %one : tensor<2x4xf32>
  graph.store %s, %o[0, 0] : tensor<2x4xf32>, !graph.tensor<2x4xf32>
  graph.return
}}
graph.func incore @invert(inout %c: !graph.tensor<4x1xi32>) {{
  %one = arith.constant dense<1> : tensor<4x1xi32>
  %x = graph.load %c[0, 0] : !graph.tensor<4x1xi32> -> tensor<4x1xi32>
  %s = arith.subi %one, %x : tensor<4x1xi32>
  graph.store %s, %c[0, 0] : tensor<4x1xi32>, !graph.tensor<4x1xi32>
  graph.return
}}
graph.func graph @moe(in %counts: !graph.tensor<4x1xi32>, inout %y: !graph.tensor<8x4xf32>) {{
  %zero = arith.constant 0 : i32
  {experts}
  graph.return
}}
graph.func orchestration @main(inout %counts: !graph.tensor<4x1xi32>, inout %y: !graph.tensor<8x4xf32>) {{
  graph.call @moe(%counts, %y) : (!graph.tensor<4x1xi32>, !graph.tensor<8x4xf32>) -> ()
  graph.call @invert(%counts) : (!graph.tensor<4x1xi32>) -> ()
  graph.call @moe(%counts, %y) : (!graph.tensor<4x1xi32>, !graph.tensor<8x4xf32>) -> ()
  graph.call @moe(%counts, %y) : (!graph.tensor<4x1xi32>, !graph.tensor<8x4xf32>) -> ()
  graph.return
}}
""").legalize()
    # Everybody is routed at first, nobody afterwards; then the other way round.
    assert legal.values("y", "counts=1,y=0") == ["1"]
    assert legal.values("y", "counts=0,y=0") == ["2"]
    assert legal.values("y", "counts=1,y=0", "--calls=2", "--keep-recordings") == ["3"]
    for seed in range(4):
        done = legal.run("--args=y=0", "--calls=2", f"--seed={seed}", "--fresh-buffers")
        assert done.returncode == 0, done.stdout
