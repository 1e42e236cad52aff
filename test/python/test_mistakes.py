# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes raise exceptions; none ends the process.

Every mistake runs in a process of its own, and then lets go of everything: an operation
that is left behind with uses, or used after its end, would abort there. The processes
are forked by one that never has a context itself, and so no threads: this file run as a
program.
"""

import contextlib
import gc
import itertools
import json
import os
import subprocess
import sys

import pytest
from mlir.dialects import arith
from mlir.ir import (
    Context,
    F32Type,
    InsertionPoint,
    Location,
    MLIRError,
    Module,
    Operation,
)
from pypto_graph.dialects import graph

EXPECTED = (TypeError, ValueError, MLIRError, IndexError)


def fork_and_run(function) -> tuple[str, str]:
    """What a function raises in a forked process: a verdict and the message."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        outcome = ("nothing was raised", "")
        try:
            function()
        except BaseException as error:
            outcome = (
                "expected" if isinstance(error, EXPECTED) else "unexpected",
                f"{type(error).__name__}: {error}",
            )
            # What the frames hold goes, in the order it comes.
            error.__traceback__ = None
            del error
        gc.collect()
        with os.fdopen(write_end, "wb") as pipe:
            pipe.write(json.dumps(outcome).encode())
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    if not os.WIFEXITED(status) or not data:
        return ("the process died", f"status {status:#x}")
    return tuple(json.loads(data))


def serve() -> None:
    """Runs the scenarios whose names come in, a line each."""
    for line in sys.stdin:
        print(json.dumps(fork_and_run(SCENARIOS[json.loads(line)])), flush=True)


@pytest.fixture(scope="module")
def run():
    """Runs a scenario by its name."""
    server = subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def run_scenario(name: str) -> tuple[str, str]:
        server.stdin.write(json.dumps(name) + "\n")
        server.stdin.flush()
        return tuple(json.loads(server.stdout.readline()))

    yield run_scenario
    server.stdin.close()
    assert server.wait() == 0


class World:
    """A module with a function under construction, and values to make mistakes with."""

    def __init__(self):
        self.context = Context()
        self.context.__enter__()
        self.module = Module.create(Location.unknown())
        self.ip = InsertionPoint(self.module.body)
        self.ip.__enter__()
        self.f32 = F32Type.get()
        self.tensor = graph.TensorType.get([16, 128], self.f32)
        self.gate = graph.TensorType.get([4, 1], "i32")
        self.kernel = graph.declare(
            "incore",
            "k",
            {"a": self.tensor, "o": graph.InOut(self.tensor), "n": "index"},
            ["%o"],
        )
        self.maker = graph.declare(
            "incore", "maker", {"a": self.tensor, "o": graph.Out(self.tensor)}, ["%o"]
        )
        params = {
            "x": self.tensor,
            "o": graph.InOut(self.tensor),
            "n": "index",
            "i": "i32",
            "g": self.gate,
            "s": "!graph.tensor<f32>",
        }
        self.function = graph.FuncOp("orchestration", "main", params)
        self.x, self.o, self.n, self.i, self.g, self.s = self.function.arguments
        self.body = InsertionPoint(self.function.entry_block)
        self.body.__enter__()
        self.task = graph.task_dummy()
        self.array = graph.array_create(4)
        self.numbers = graph.array_create(4, "f32")
        # The same things elsewhere.
        self.other_function = graph.FuncOp(
            "orchestration", "other", {"x": self.tensor, "n": "index"}, ip=self.ip
        )
        self.foreign_x, self.foreign_n = self.other_function.arguments
        self.stranger = Context()
        with (
            self.stranger,
            InsertionPoint(Module.create(Location.unknown()).body) as ip,
        ):
            self.strange_ip = ip
            self.strange_kernel = graph.declare("incore", "k", {"a": self.tensor_there})
            self.strange_function = graph.FuncOp(
                "orchestration", "f", {"x": self.tensor_there, "n": "index"}
            )
            self.strange_x, self.strange_n = self.strange_function.arguments

    @property
    def tensor_there(self):
        return graph.TensorType.get([16, 128], "f32", context=self.stranger)


MISTAKES = {
    # -- Functions
    "func: unknown kind": lambda w: graph.declare("kernel", "a", ip=w.ip),
    "func: kind of another enumeration": lambda w: graph.declare(
        graph.ScopeKind.GRAPH, "a", ip=w.ip
    ),
    "func: kind None": lambda w: graph.declare(None, "a", ip=w.ip),
    "func: name None": lambda w: graph.declare("incore", None, ip=w.ip),
    "func: name empty": lambda w: graph.declare("incore", "", ip=w.ip),
    "func: name of bytes": lambda w: graph.declare("incore", b"a", ip=w.ip),
    "func: params None": lambda w: graph.declare("incore", "a", None, ip=w.ip),
    "func: params a type": lambda w: graph.declare("incore", "a", w.tensor, ip=w.ip),
    "func: param None": lambda w: graph.declare("incore", "a", [None], ip=w.ip),
    "func: param without name": lambda w: graph.declare(
        "incore", "a", [graph.In(w.tensor)], ip=w.ip
    ),
    "func: param of another context": lambda w: graph.declare(
        "incore", "a", {"x": w.tensor_there}, ip=w.ip
    ),
    "func: param type None": lambda w: graph.declare(
        "incore", "a", {"x": graph.In(None)}, ip=w.ip
    ),
    "func: param with a value for type": lambda w: graph.declare(
        "incore", "a", {"x": w.x}, ip=w.ip
    ),
    "func: param of unparsable type": lambda w: graph.declare(
        "incore", "a", {"x": "!graph.tensor<0xf32>"}, ip=w.ip
    ),
    "func: param tuple too long": lambda w: graph.declare(
        "incore", "a", [("x", "in", w.tensor, 1)], ip=w.ip
    ),
    "func: param tuple in a mapping too long": lambda w: graph.declare(
        "incore", "a", {"x": ("x", "in", w.tensor)}, ip=w.ip
    ),
    "func: unknown direction": lambda w: graph.declare(
        "incore", "a", [("x", "both", w.tensor)], ip=w.ip
    ),
    "func: direction of another enumeration": lambda w: graph.declare(
        "incore", "a", [("x", graph.ArgDirection.INOUT, w.tensor)], ip=w.ip
    ),
    "func: duplicate names": lambda w: graph.declare(
        "incore", "a", [("x", w.tensor), ("x", w.tensor)], ip=w.ip
    ),
    "func: invalid names": lambda w: graph.declare(
        "incore", "a", {"0": w.tensor}, ip=w.ip
    ),
    "func: name with a space": lambda w: graph.declare(
        "incore", "a", {"a b": w.tensor}, ip=w.ip
    ),
    "func: name no string": lambda w: graph.declare(
        "incore", "a", {1: w.tensor}, ip=w.ip
    ),
    "func: unknown tied result": lambda w: graph.declare(
        "incore", "a", {"x": w.tensor}, ["%y"], ip=w.ip
    ),
    "func: tied result without a sign": lambda w: graph.declare(
        "incore", "a", {"x": w.tensor}, ["x"], ip=w.ip
    ),
    "func: result None": lambda w: graph.declare("incore", "a", {}, [None], ip=w.ip),
    "func: results a type": lambda w: graph.declare(
        "incore", "a", {}, w.tensor, ip=w.ip
    ),
    "func: unknown visibility": lambda w: graph.func(
        "graph", "a", visibility="secret", ip=w.ip
    ).__enter__(),
    "func: core_num of an incore function": lambda w: graph.declare(
        "incore", "a", core_num=2, ip=w.ip
    ),
    "func: core_num 0": lambda w: graph.declare("spmd", "a", core_num=0, ip=w.ip),
    "func: core_num no integer": lambda w: graph.declare(
        "spmd", "a", core_num="2", ip=w.ip
    ),
    "func: level no string": lambda w: graph.declare("incore", "a", level=1, ip=w.ip),
    "func: no name": lambda w: graph.func("graph", ip=w.ip).__enter__(),
    "func: built twice": lambda w: enter_twice(graph.func("graph", "a", ip=w.ip)),
    "func: decorates no function": lambda w: graph.func("graph", "a", ip=w.ip)(1),
    "func: decorated without annotations": lambda w: graph.func("graph", ip=w.ip)(
        lambda x: x
    ),
    "func: decorated with other parameters": lambda w: graph.func(
        "orchestration", "a", {"x": w.tensor}, ip=w.ip
    )(lambda: None),
    "func: returns another value": lambda w: graph.func(
        "orchestration", "a", {"x": w.tensor}, ip=w.ip
    )(lambda x: w.x),
    "func: returns an integer": lambda w: graph.func(
        "orchestration", "a", {"x": w.tensor}, ip=w.ip
    )(lambda x: 1),
    "func: returns too little": lambda w: graph.func(
        "orchestration", "a", {"x": w.tensor}, ["%x", "index"], ip=w.ip
    )(lambda x: x),
    "func: returns nothing": lambda w: graph.func(
        "orchestration", "a", {"x": w.tensor}, ["index"], ip=w.ip
    )(lambda x: None),
    "func: returns another type": lambda w: graph.func(
        "orchestration", "a", {"x": w.tensor}, ["index"], ip=w.ip
    )(lambda x: x),
    "func: body fails half way": lambda w: fail_in_function(w),
    "func: body uses values of the outside and fails": lambda w: fail_with_uses(w),
    "func: inside another operation": lambda w: graph.declare("incore", "a", ip=w.body),
    "func: kind set to nonsense": lambda w: setattr(w.kernel, "kind", "kernel"),
    "func: raw operation without names": lambda w: raw_function(w).params,
    "func: call of a raw operation": lambda w: graph.call(raw_function(w), w.x),
    "return: outside of a function": lambda w: graph.return_(ip=w.ip),
    "return: twice": lambda w: (graph.return_(), graph.return_()),
    "return: None": lambda w: graph.return_(None),
    "return: in a scope": lambda w: return_in_scope(w),
    # -- Places
    "place: no insertion point": lambda w: outside(lambda: graph.alias(w.x)),
    "place: no insertion point for a function": lambda w: outside(
        lambda: graph.declare("incore", "a")
    ),
    "place: no insertion point for a call": lambda w: outside(lambda: w.kernel(w.x)),
    "place: block for insertion point": lambda w: graph.alias(
        w.x, ip=w.function.entry_block
    ),
    "place: insertion point of another context": lambda w: graph.alias(
        w.x, ip=w.strange_ip
    ),
    "place: location of another context": lambda w: graph.alias(
        w.x, loc=Location.unknown(w.stranger)
    ),
    "place: location no location": lambda w: graph.alias(w.x, loc="here"),
    "place: after the terminator": lambda w: (graph.return_(), graph.alias(w.x)),
    "place: erased": lambda w: erase_and(w, lambda: graph.alias(w.x)),
    # -- Values
    "value: None": lambda w: graph.alias(None),
    "value: a type": lambda w: graph.alias(w.tensor),
    "value: of another context": lambda w: graph.alias(w.strange_x),
    "value: of another function": lambda w: graph.alias(w.foreign_x),
    "value: inside a scope": lambda w: graph.alias(value_in_scope(w)),
    "value: operation without results": lambda w: graph.alias(
        graph.store(graph.load(w.x, [0, 0], [1, 1]), w.o, [0, 0])
    ),
    "value: operation with two results": lambda w: graph.alias(
        graph.SubmitOp(w.kernel, w.x, w.o, w.n)
    ),
    # -- Launches
    "call: None": lambda w: graph.call(None, w.x),
    "call: a value": lambda w: graph.call(w.x),
    "call: empty name": lambda w: graph.call("", w.x),
    "call: unknown name": lambda w: graph.call("nobody", w.x),
    "call: a module": lambda w: graph.call(w.module, w.x),
    "call: of another context": lambda w: graph.call(w.strange_kernel, w.x),
    "call: too few": lambda w: w.kernel(w.x, w.o),
    "call: too many": lambda w: w.kernel(w.x, w.o, w.n, w.n),
    "call: prefix": lambda w: w.maker(w.x),
    "call: None for a tensor": lambda w: w.kernel(w.x, None, w.n),
    "call: number for a tensor": lambda w: w.kernel(w.x, 1, w.n),
    "call: tensor for a scalar": lambda w: w.kernel(w.x, w.o, w.x),
    "call: scalar of another type": lambda w: w.kernel(w.x, w.o, w.i),
    "call: float for an index": lambda w: w.kernel(w.x, w.o, 1.5),
    "call: bool for an index": lambda w: w.kernel(w.x, w.o, True),
    "call: string for an index": lambda w: w.kernel(w.x, w.o, "1"),
    "call: too large a number": lambda w: w.kernel(w.x, w.o, 2**64),
    "call: tensor of another type": lambda w: w.kernel(w.g, w.o, w.n),
    "call: value of another context": lambda w: w.kernel(w.strange_x, w.o, w.n),
    "call: value of another function": lambda w: w.kernel(w.foreign_x, w.o, w.n),
    "call: too few directions": lambda w: w.kernel(w.x, w.o, w.n, directions=["input"]),
    "call: unknown direction": lambda w: w.kernel(
        w.x, w.o, w.n, directions=["input", "in", "scalar"]
    ),
    "call: direction None": lambda w: w.kernel(
        w.x, w.o, w.n, directions=["input", None, "scalar"]
    ),
    "call: directions a string": lambda w: w.kernel(w.x, w.o, w.n, directions="ios"),
    "call: scalar direction of a tensor": lambda w: w.kernel(
        w.x, w.o, w.n, directions=["scalar", "inout", "scalar"]
    ),
    "call: no_dep out of range": lambda w: w.kernel(w.x, w.o, w.n, no_dep=[3]),
    "call: no_dep negative": lambda w: w.kernel(w.x, w.o, w.n, no_dep=[-1]),
    "call: no_dep unsorted": lambda w: w.kernel(w.x, w.o, w.n, no_dep=[1, 0]),
    "call: no_dep of a scalar": lambda w: w.kernel(w.x, w.o, w.n, no_dep=[2]),
    "call: no_dep an integer": lambda w: w.kernel(w.x, w.o, w.n, no_dep=1),
    "call: results no types": lambda w: graph.call("k", w.x, results=[1]),
    "call: results of another context": lambda w: graph.call(
        "k", w.x, results=[w.tensor_there]
    ),
    "submit: missing argument": lambda w: graph.submit(w.kernel, w.x),
    "submit: deps None": lambda w: graph.submit(w.maker, w.x, deps=None),
    "submit: deps tensors": lambda w: graph.submit(w.maker, w.x, deps=[w.x]),
    "submit: deps arrays of numbers": lambda w: graph.submit(
        w.maker, w.x, deps=[w.numbers]
    ),
    "submit: core_num a tensor": lambda w: graph.submit(w.maker, w.x, core_num=w.x),
    "submit: core_num i32": lambda w: graph.submit(w.maker, w.x, core_num=w.i),
    "submit: core_num float": lambda w: graph.submit(w.maker, w.x, core_num=2.0),
    "submit: predicate no tuple": lambda w: graph.submit(w.maker, w.x, predicate=w.g),
    "submit: predicate too short": lambda w: graph.submit(
        w.maker, w.x, predicate=(w.g, [0, 0], "gt")
    ),
    "submit: predicate gate a scalar": lambda w: graph.submit(
        w.maker, w.x, predicate=(w.n, [0], "gt", 1)
    ),
    "submit: predicate of too few indices": lambda w: graph.submit(
        w.maker, w.x, predicate=(w.g, [0], "gt", 1)
    ),
    "submit: predicate out of the gate": lambda w: graph.submit(
        w.maker, w.x, predicate=(w.g, [4, 0], "gt", 1)
    ),
    "submit: predicate comparison": lambda w: graph.submit(
        w.maker, w.x, predicate=(w.g, [0, 0], "~", 1)
    ),
    "submit: predicate float against i32": lambda w: graph.submit(
        w.maker, w.x, predicate=(w.g, [0, 0], "gt", 1.5)
    ),
    "submit: predicate index against i32": lambda w: graph.submit(
        w.maker, w.x, predicate=(w.g, [0, 0], "gt", w.n)
    ),
    "submit: predicate beyond i32": lambda w: graph.submit(
        w.maker, w.x, predicate=(w.g, [0, 0], "gt", 2**33)
    ),
    "dummy: tensors": lambda w: graph.task_dummy([w.x]),
    # -- Buffers
    "create: zero": lambda w: graph.create([0], w.f32),
    "create: negative": lambda w: graph.create([4, -4], w.f32),
    "create: smallest integer": lambda w: graph.create([graph.DYNAMIC], w.f32),
    "create: rank 6": lambda w: graph.create([1] * 6, w.f32),
    "create: too large": lambda w: graph.create([2**62, 2**62], w.f32),
    "create: no element type": lambda w: graph.create([4]),
    "create: two element types": lambda w: graph.create(w.tensor, w.f32),
    "create: element type of another context": lambda w: graph.create(
        [4], F32Type.get(w.stranger)
    ),
    "create: type of another context": lambda w: graph.create(w.tensor_there),
    "create: no tensor type": lambda w: graph.create(w.f32),
    "create: too few sizes": lambda w: graph.create("!graph.tensor<?xf32>"),
    "create: too many sizes": lambda w: graph.create(w.tensor, sizes=[4]),
    "create: i32 size": lambda w: graph.create([w.i], w.f32),
    "create: None": lambda w: graph.create(None, w.f32),
    "create: None in the shape": lambda w: graph.create([None], w.f32),
    "full: unknown extents": lambda w: graph.full("!graph.tensor<?xf32>", 0.0),
    "full: value of another type": lambda w: graph.full(w.tensor, w.i),
    "full: None": lambda w: graph.full(w.tensor, None),
    "full: float for integers": lambda w: graph.full([4], 0.5, "i32"),
    "full: too large": lambda w: graph.full([4], 256, "ui8"),
    "full: rank 6": lambda w: graph.full([1] * 6, 0.0, w.f32),
    "full: complex": lambda w: graph.full(w.tensor, 1j),
    "slice: a scalar": lambda w: graph.slice(w.n, [0], [1]),
    "slice: too few offsets": lambda w: graph.slice(w.x, [0], [1, 1]),
    "slice: too many sizes": lambda w: graph.slice(w.x, [0, 0], [1, 1, 1]),
    "slice: negative offset": lambda w: graph.slice(w.x, [-1, 0], [1, 1]),
    "slice: zero size": lambda w: graph.slice(w.x, [0, 0], [0, 1]),
    "slice: offset of the dynamic marker": lambda w: graph.slice(
        w.x, [graph.DYNAMIC, 0], [1, 1]
    ),
    "slice: sizes beyond 64 bits": lambda w: graph.slice(w.x, [0, 0], [2**64, 1]),
    "slice: sizes of too many elements": lambda w: graph.slice(
        w.x, [0, 0], [2**62, 2**62]
    ),
    "slice: None offset": lambda w: graph.slice(w.x, [None, 0], [1, 1]),
    "slice: float offset": lambda w: graph.slice(w.x, [0.0, 0], [1, 1]),
    "slice: i32 offset": lambda w: graph.slice(w.x, [w.i, 0], [1, 1]),
    "slice: tensor offset": lambda w: graph.slice(w.x, [w.x, 0], [1, 1]),
    "slice: offsets an integer": lambda w: graph.slice(w.x, 0, [1, 1]),
    "slice: offset of another context": lambda w: graph.slice(
        w.x, [w.strange_n, 0], [1, 1]
    ),
    "slice: offset of another function": lambda w: graph.slice(
        w.x, [w.foreign_n, 0], [1, 1]
    ),
    "view: other number of elements": lambda w: graph.view(w.x, [7]),
    "view: rank 6": lambda w: graph.view(w.x, [16, 128, 1, 1, 1, 1]),
    "view: zero": lambda w: graph.view(w.x, [0]),
    "view: None": lambda w: graph.view(w.x, None),
    "cast: other rank": lambda w: graph.cast(w.x, [None]),
    "cast: other extent": lambda w: graph.cast(w.x, [15, 128]),
    "cast: other element type": lambda w: graph.cast(w.x, "!graph.tensor<16x128xf16>"),
    "cast: no tensor type": lambda w: graph.cast(w.x, w.f32),
    "dim: beyond the rank": lambda w: graph.dim(w.x, 2),
    "dim: negative": lambda w: graph.dim(w.x, -1),
    "dim: rank 0": lambda w: graph.dim(w.s, w.n),
    "dim: of a scalar": lambda w: graph.dim(w.n, 0),
    "dim: i32": lambda w: graph.dim(w.x, w.i),
    "read: too few": lambda w: graph.read(w.x, [0]),
    "read: too many": lambda w: graph.read(w.s, [0]),
    "read: out of the extents": lambda w: graph.read(w.x, [16, 0]),
    "read: negative": lambda w: graph.read(w.x, [-1, 0]),
    "read: a scalar": lambda w: graph.read(w.n, []),
    # -- Arrays
    "array: no text of a type": lambda w: graph.array_create(""),
    "type: no text": lambda w: graph.TensorType.get([4], ""),
    "type: no text of a result": lambda w: graph.declare("incore", "k3", {}, [""]),
    "array: size 0": lambda w: graph.array_create(0),
    "array: size None": lambda w: graph.array_create(None),
    "array: of tensors": lambda w: graph.array_create(4, w.tensor),
    "array: no array type": lambda w: graph.array_create(w.tensor),
    "array.insert: out of range": lambda w: graph.array_insert(w.task, w.array, 4),
    "array.insert: negative": lambda w: graph.array_insert(w.task, w.array, -1),
    "array.insert: tensor": lambda w: graph.array_insert(w.x, w.array, 0),
    "array.insert: number for a task": lambda w: graph.array_insert(1, w.array, 0),
    "array.insert: into a tensor": lambda w: graph.array_insert(w.task, w.x, 0),
    "array.extract: out of range": lambda w: graph.array_extract(w.array, 4),
    "array.extract: of a tensor": lambda w: graph.array_extract(w.x, 0),
    "array.extract: of None": lambda w: graph.array_extract(None, 0),
    "array.extract: i32": lambda w: graph.array_extract(w.array, w.i),
    # -- Scopes
    "scope: unknown kind": lambda w: graph.scope("loop").__enter__(),
    "scope: graph without a name": lambda w: graph.scope("graph").__enter__(),
    "scope: name no string": lambda w: graph.scope("graph", 1).__enter__(),
    "scope: manual with core_num": lambda w: scope(
        "manual", lambda s: None, core_num=2
    ),
    "scope: task id of a graph scope": lambda w: scope(
        "graph", lambda s: None, name="a", task_id=True
    ),
    "scope: asked for its task id": lambda w: scope("manual", lambda s: None).task_id,
    "scope: asked for one result": lambda w: scope("manual", lambda s: None).result,
    "scope: results too early": lambda w: scope("manual", lambda s: s.results),
    "scope: body fails": lambda w: scope("manual", lambda s: graph.alias(w.foreign_x)),
    "scope: body fails with uses": lambda w: scope(
        "incore", lambda s: (graph.alias(w.x), graph.slice(w.x, [0], [0])), core_num=w.n
    ),
    "scope: other results": lambda w: scope(
        "manual", lambda s: graph.yield_(w.x), results=["index"]
    ),
    "scope: results not yielded": lambda w: scope(
        "manual", lambda s: None, results=["index", "index"]
    ),
    "scope: built twice": lambda w: enter_twice(graph.scope("manual")),
    "scope: dominated use": lambda w: scope(
        "manual", lambda s: graph.yield_(None), deps=()
    ),
    "yield: outside of a scope": lambda w: graph.yield_(w.x),
    "yield: twice": lambda w: scope(
        "manual", lambda s: (graph.yield_(), graph.yield_())
    ),
    # -- Kernels
    "load: a scalar": lambda w: graph.load(w.n, [0], [1]),
    "load: too few offsets": lambda w: graph.load(w.x, [0], [1, 1]),
    "load: other rank": lambda w: graph.load(w.x, [0, 0], [1]),
    "load: zero tile": lambda w: graph.load(w.x, [0, 0], [0, 1]),
    "load: no tile type": lambda w: graph.load(w.x, [0, 0], w.tensor),
    "load: tile None": lambda w: graph.load(w.x, [0, 0], None),
    "load: other element type": lambda w: graph.load(w.x, [0, 0], "tensor<1x1xf16>"),
    "load: unranked": lambda w: graph.load(w.x, [0, 0], "tensor<*xf32>"),
    "store: no tile": lambda w: graph.store(w.x, w.o, [0, 0]),
    "store: into a scalar": lambda w: graph.store(
        graph.load(w.x, [0, 0], [1, 1]), w.n, [0, 0]
    ),
    "store: too few offsets": lambda w: graph.store(
        graph.load(w.x, [0, 0], [1, 1]), w.o, [0]
    ),
    # -- The module
    "runtime: unknown": lambda w: graph.set_runtime(w.module, "cuda"),
    "runtime: None": lambda w: graph.set_runtime(w.module, None),
    "runtime: of None": lambda w: graph.set_runtime(None, "host_build_graph"),
    "runtime: of a function": lambda w: graph.set_runtime(
        w.function, "host_build_graph"
    ),
    "parallel: no loop": lambda w: graph.mark_parallel(w.task.owner),
    "parallel: None": lambda w: graph.mark_parallel(None),
    "insert: an operation twice": lambda w: w.body.insert(graph.task_dummy().owner),
    "types: no context": lambda w: without_context(graph.TaskIdType.get),
    "types: text without context": lambda w: without_context(
        lambda: graph.TensorType.get([1], "f32")
    ),
    "attributes: no context": lambda w: without_context(
        lambda: graph.RuntimeAttr.get("host_build_graph")
    ),
    "types: context no context": lambda w: graph.TaskIdType.get(context=1),
}


def enter_twice(builder):
    with builder:
        pass
    with builder:
        pass


def fail_in_function(world):
    with graph.func("orchestration", "a", {"x": world.tensor}, ip=world.ip) as f:
        world.leaked = graph.alias(f.arguments[0])
        raise ValueError("half way")


def fail_with_uses(world):
    with graph.func("orchestration", "a", {"n": "index"}, ip=world.ip) as f:
        # An upstream operation takes any value.
        inside = arith.addi(f.arguments[0], world.n, loc=Location.unknown())
        world.used_outside = arith.addi(
            inside, inside, loc=Location.unknown(), ip=world.body
        )
        raise ValueError("half way")


def raw_function(world):
    """A function as only a stock constructor makes it."""
    import mlir.ir as ir

    return Operation.create(
        "graph.func",
        attributes={
            "sym_name": ir.StringAttr.get("raw"),
            "function_type": ir.TypeAttr.get(
                ir.FunctionType.get([world.tensor], [world.tensor])
            ),
            "kind": graph.FunctionKindAttr.get("incore"),
        },
        regions=1,
        loc=Location.unknown(),
        ip=world.ip,
    ).opview


def return_in_scope(world):
    with graph.scope("manual"):
        graph.return_()


def outside(function):
    """Calls a function with no insertion point in force: a new context hides it."""
    with Context():
        return function()


def without_context(function):
    import threading

    result = []

    def call():
        try:
            result.append(function())
        except Exception as error:
            result.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    if isinstance(result[0], Exception):
        raise result[0]
    return result[0]


def erase_and(world, function):
    world.function.operation.erase()
    return function()


def value_in_scope(world):
    with graph.scope("manual"):
        return graph.alias(world.x)


def scope(kind, build, **options):
    with graph.scope(kind, **options) as builder:
        build(builder)
    return builder


def nothing_is_left():
    """What a builder refuses leaves no operation behind."""
    world = World()
    count = len(world.function.entry_block.operations)
    functions = len(world.module.body.operations)
    for mistake in (
        lambda: graph.view(world.x, [7]),
        lambda: graph.slice(world.x, [0], [1, 1]),
        lambda: world.kernel(world.x, world.o, world.n, no_dep=[2]),
        lambda: scope("manual", lambda s: graph.alias(world.foreign_x)),
        lambda: scope("graph", lambda s: None, name="a", task_id=True),
        lambda: fail_in_function(world),
        lambda: graph.declare("incore", "a", core_num=2, ip=world.ip),
    ):
        try:
            mistake()
        except EXPECTED:
            continue
        raise AssertionError("nothing was raised")
    assert len(world.function.entry_block.operations) == count
    assert len(world.module.body.operations) == functions
    # What was built in a function that failed is still there to look at.
    assert "graph.alias" in str(world.leaked.owner)
    raise ValueError("done")


def infer_from_any_operands():
    """A stock constructor infers result types before anything is verified."""
    names = [
        getattr(graph, name).OPERATION_NAME
        for name in graph.__all__
        if name.endswith("Op")
    ]
    world = World()
    values = [world.x, world.s, world.n, world.i, world.task, world.array]
    values += [world.numbers, graph.load(world.x, [0, 0], [1, 1])]
    operand_lists = [
        list(operands)
        for count in range(3)
        for operands in itertools.product(values, repeat=count)
    ]
    for name, operands in itertools.product(names, operand_lists):
        try:
            op = Operation.create(
                name, operands=operands, infer_type=True, loc=Location.unknown()
            )
        except EXPECTED:
            continue
        with contextlib.suppress(*EXPECTED):
            op.operation.verify()
        # Nothing invalid stays for the next.
        op.operation.erase()
    raise ValueError("done")


SCENARIOS = {
    name: lambda mistake=mistake: mistake(World()) for name, mistake in MISTAKES.items()
} | {
    "nothing is left": nothing_is_left,
    "infer from any operands": infer_from_any_operands,
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(run, name):
    outcome, message = run(name)
    assert outcome == "expected", message
    assert message.partition(": ")[2].strip(), "no message"


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in MISTAKES])
def test_scenario(run, name):
    assert run(name) == ("expected", "ValueError: done")


def test_a_context_from_before_the_import():
    """Without the dialect in the context nothing of it can be made."""
    code = """
import gc
import itertools
from mlir.ir import *
context = Context()
import pypto_graph
from pypto_graph.dialects import graph
module = Module.create(Location.unknown(context))
f32 = F32Type.get(context)
for mistake in (
    lambda: graph.TaskIdType.get(context=context),
    lambda: graph.TensorType.get([1], f32),
    lambda: graph.ArrayType.get(1, f32),
    lambda: graph.RuntimeAttr.get("host_build_graph", context=context),
    lambda: graph.set_runtime(module, "host_build_graph"),
    lambda: graph.declare("incore", "k", ip=InsertionPoint(module.body)),
    lambda: pypto_graph.legalize(module),
    lambda: pypto_graph.legalize("module {}", context=context),
):
    try:
        mistake()
        raise SystemExit("nothing was raised")
    except ValueError as error:
        assert "register_dialects" in str(error), error
pypto_graph.register_dialects(context)
graph.declare("incore", "k", ip=InsertionPoint(module.body))
print(module)
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "graph.func private incore @k()" in result.stdout


if __name__ == "__main__":
    serve()
