# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that launch tasks, and the kernels they launch."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from . import scalars, tensors
from .values import ELEMENTS, Env, Scalar, Tensor, open_type, tensor_type
from .writer import Writer

DIRECTIONS = {"in": "input", "inout": "inout", "out": "output_existing"}


@dataclass(frozen=True)
class KernelParam:
    """A parameter: direction and type as text."""

    direction: str
    type: str

    @property
    def is_tensor(self) -> bool:
        """Whether it is a tensor rather than a scalar."""
        return self.type.startswith("!graph.tensor")


@dataclass(frozen=True)
class Kernel:
    """The signature of a device function.

    Attributes:
      kind: its kind as the dialect writes it.
      params: the parameters.
      results: the parameter each result is tied to, or its type.
      body: what it does: "" for a declaration, else see `_write_body`.
      core_num: its number of blocks, or 0.
    """

    kind: str
    params: tuple[KernelParam, ...]
    results: tuple[int | str, ...]
    body: str = ""
    core_num: int = 0


def declare(w: Writer, kernel: Kernel) -> str:
    """The name of the kernel, which is written when it is new."""
    if kernel in w.kernels:
        return w.kernels[kernel]
    name = f"k{len(w.kernels)}"
    w.kernels[kernel] = name
    lines, w.lines = w.lines, []
    level, w.level = w.level, 1
    _write_kernel(w, name, kernel)
    w.kernel_lines += w.lines
    w.lines, w.level = lines, level
    return name


def _signature(kernel: Kernel) -> str:
    params = ", ".join(
        f"{param.direction} %p{i}: {param.type}"
        for i, param in enumerate(kernel.params)
    )
    results = ", ".join(f"%p{r}" if isinstance(r, int) else r for r in kernel.results)
    text = f"({params})" + (f" -> ({results})" if results else "")
    if kernel.core_num:
        text += f" attributes {{core_num = {kernel.core_num} : i64}}"
    return text


def _write_kernel(w: Writer, name: str, kernel: Kernel) -> None:
    if not kernel.body:
        w.emit(f"graph.func private {kernel.kind} @{name}{_signature(kernel)}")
        return
    inner = ""
    if kernel.body == "wrapper":
        inner = declare(w, dataclasses.replace(kernel, kind="aiv", body="", core_num=0))
    with w.block(f"graph.func {kernel.kind} @{name}{_signature(kernel)}"):
        _write_body(w, kernel, inner)


def _write_body(w: Writer, kernel: Kernel, inner: str) -> None:
    """A body: of a wrapper, or a sum of tiles."""
    if inner:
        names = [f"%p{i}" for i in range(len(kernel.params))]
        types = [param.type for param in kernel.params]
        _write_results(w, kernel, names, types, f"graph.call @{inner}", "")
        return
    element, offset = kernel.body.split()
    source, dest = kernel.params[0].type, kernel.params[1].type
    _write_sum(w, source, dest, element, ("%p0", "%p1", offset))
    w.emit(f"graph.return %p1 : {dest}")


def _write_sum(
    w: Writer, source: str, dest: str, element: str, names: tuple[str, str, str]
) -> None:
    """Adds the tile of a tensor to another; the types, and both and the offset."""
    tile = dest.removeprefix("!graph.")
    zeros = ", ".join("0" * tile.count("x"))
    from_, to, offset = names
    start = ", ".join([offset] + ["0"] * (tile.count("x") - 1))
    op = "arith.addf" if element.startswith(("f", "bf")) else "arith.addi"
    w.emit(f"%x = graph.load {from_}[{start}] : {source} -> {tile}")
    w.emit(f"%y = graph.load {to}[{zeros}] : {dest} -> {tile}")
    w.emit(f"%z = {op} %x, %y : {tile}")
    w.emit(f"graph.store %z, {to}[{zeros}] : {tile}, {dest}")


def _write_results(
    w: Writer,
    kernel: Kernel,
    names: list[str],
    types: list[str],
    head: str,
    clauses: str,
) -> None:
    """A call of a function with the kernel's signature, and the return of a wrapper."""
    results = [types[r] if isinstance(r, int) else r for r in kernel.results]
    operands = ", ".join(names)
    if w.profile.is_directed:
        operands = ", ".join(
            f"{DIRECTIONS[p.direction] if p.is_tensor else 'scalar'} {name}"
            for p, name in zip(kernel.params, names, strict=True)
        )
    prefix = f"%r:{len(results)} = " if results else ""
    arrow = f"({', '.join(results)})"
    w.emit(f"{prefix}{head}({operands}){clauses} : ({', '.join(types)}) -> {arrow}")
    values = [f"%r#{i}" for i in range(len(results))]
    returned = f" {', '.join(values)} : {', '.join(results)}" if results else ""
    w.emit(f"graph.return{returned}")


# --------------------------------------------------------------------------- #
# Launches
# --------------------------------------------------------------------------- #


@dataclass
class _Operands:
    """What a task gets, in the order of its parameters."""

    params: list[KernelParam]
    values: list[Tensor | Scalar]
    # Trailing `out` parameters that the runtime allocates.
    omitted: list[tuple[tuple[int, ...], str]]


def launch(w: Writer, env: Env) -> None:
    """A statement that launches a task."""
    if w.maybe(0.15) and launch_with_body(w, env):
        return
    operands = _choose_operands(w, env)
    params = list(operands.params)
    params += [
        KernelParam("out", tensor_type(shape, element))
        for shape, element in operands.omitted
    ]
    results = _choose_results(w, params, operands)
    kind = w.rng.choice(("incore", "incore", "incore", "aic", "aiv"))
    kernel = Kernel(kind, tuple(params), results)
    makes_buffers = operands.omitted or any(isinstance(r, str) for r in results)
    if not makes_buffers and w.maybe(0.12):
        w.features.add("wrapper")
        kind = w.rng.choice(("group", "spmd"))
        core_num = w.rng.choice((0, 2, 4))
        kernel = dataclasses.replace(
            kernel, kind=kind, body="wrapper", core_num=core_num
        )
    call(w, env, kernel, operands.values, bool(operands.omitted))


def _choose_operands(w: Writer, env: Env) -> _Operands:
    rng = w.rng
    params: list[KernelParam] = []
    values: list[Tensor | Scalar] = []

    def add(direction: str, tensor: Tensor) -> None:
        rank = len(tensor.shape)
        params.append(KernelParam(direction, open_type(rank, tensor.element)))
        values.append(tensor)

    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        add("in", tensors.pick(w, env))
    writable = [t for t in env.tensors if t.is_writable]
    if not writable:
        writable = [t for t in [tensors.allocate(w, env)] if t]
    for _ in range(rng.choice((1, 1, 1, 2)) if writable else 0):
        recent = writable[-6:] if w.maybe(0.6) else writable
        add("out" if w.maybe(0.08) else "inout", rng.choice(recent))
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        scalar = scalars.pick_passable(w, env)
        params.append(KernelParam("in", scalar.type))
        values.append(scalar)
    omitted = []
    if not writable or (w.maybe(0.12) and not env.is_manual):
        omitted.append((rng.choice(tensors.TILES), rng.choice(w.profile.elements)))
        w.features.add("prefix submit")
    return _Operands(params, values, omitted)


def _choose_results(
    w: Writer, params: list[KernelParam], operands: _Operands
) -> tuple[int | str, ...]:
    """Ties of most written parameters, of some others, and a fresh buffer at times."""
    results: list[int | str] = []
    for i, param in enumerate(params):
        is_omitted = i >= len(operands.values)
        if is_omitted or w.maybe(0.8 if param.direction != "in" else 0.08):
            results.append(i)
    w.rng.shuffle(results)
    if not operands.omitted and w.maybe(0.1):
        w.features.add("fresh result")
        results.append(
            tensor_type(w.rng.choice(tensors.TILES), w.rng.choice(w.profile.elements))
        )
    return tuple(results)


@dataclass(frozen=True)
class _Sum:
    """What adds a tile of one tensor to another one of the tile's shape.

    Attributes:
      offset: where the tile starts, on the first axis; None for 0.
    """

    source: Tensor
    dest: Tensor
    offset: Scalar | None


def _choose_sum(w: Writer, env: Env) -> _Sum | None:
    good = [
        t
        for t in env.tensors
        if not t.dynamic and t.element in ("f32", "i32", "bf16", "f64")
    ]
    dests = [t for t in good if t.is_writable]
    w.rng.shuffle(dests)
    for dest in dests:
        sources = [
            t
            for t in good
            if len(t.shape) == len(dest.shape)
            and t.element == dest.element
            and t.shape[0] >= dest.shape[0]
            and t.shape[1:] == dest.shape[1:]
        ]
        source = w.rng.choice(sources)
        room = source.shape[0] - dest.shape[0]
        offsets = [
            s
            for s in scalars.usable(env, "index")
            if s.high <= room and (s.is_passable or not env.in_graph)
        ]
        is_moving = offsets and w.maybe(0.7)
        return _Sum(source, dest, w.rng.choice(offsets) if is_moving else None)
    return None


def launch_with_body(w: Writer, env: Env) -> bool:
    """Launches a kernel that has a body: adds a tile of one tensor to another."""
    chosen = _choose_sum(w, env)
    if not chosen:
        return False
    values: list[Tensor | Scalar] = [chosen.source, chosen.dest]
    params = [
        KernelParam("in", chosen.source.type),
        KernelParam("inout", chosen.dest.type),
    ]
    offset = "0"
    if chosen.offset:
        values.append(chosen.offset)
        params.append(KernelParam("in", "index"))
        offset = "%p2"
    body = f"{chosen.dest.element} {offset}"
    w.features.add("kernel body")
    call(w, env, Kernel("incore", tuple(params), (1,), body), values)
    return True


def write_device_scope(w: Writer, env: Env) -> None:
    """A scope that becomes a kernel: adds a tile of one tensor to another."""
    chosen = _choose_sum(w, env)
    # Explicit dependencies alone count in a manual scope, and this has none.
    if not chosen or env.is_manual:
        return
    w.features.add("device scope")
    result = w.fresh("d")
    name = w.rng.choice(("", ' "add"', ' "sum"'))
    with w.block(f"{result} = graph.scope incore{name} -> ({chosen.dest.type})"):
        offset = chosen.offset.name if chosen.offset else "0"
        names = (chosen.source.name, chosen.dest.name, offset)
        _write_sum(w, chosen.source.type, chosen.dest.type, chosen.dest.element, names)
        w.emit(f"graph.yield {chosen.dest.name} : {chosen.dest.type}")
    env.tensors.append(chosen.dest.renamed(result))


def call(
    w: Writer,
    env: Env,
    kernel: Kernel,
    values: list[Tensor | Scalar],
    is_submit: bool = False,
) -> None:
    """Writes a call or submit, and adds its results to the environment."""
    name = declare(w, kernel)
    types = [value.type for value in values]
    results: list[str] = []
    for result in kernel.results:
        is_passed = isinstance(result, int) and result < len(types)
        if is_passed:
            results.append(types[result])
        else:
            omitted = isinstance(result, int)
            results.append(kernel.params[result].type if omitted else result)
    is_submit = is_submit or env.is_manual or w.maybe(0.35)
    clauses = _choose_clauses(w, env, kernel) if is_submit else ""
    attributes = ""
    if (
        values
        and w.maybe(0.05)
        and isinstance(values[0], Tensor)
        and not w.profile.is_directed
        # Nothing writes it.
        and values[0].root.startswith("%ro")
        # Not what a choice may also take from elsewhere.
        and values[0].root.count("%") == 1
        and kernel.params[0].direction == "in"
        # An operation has one dictionary.
        and not clauses.endswith("{sync_start}")
    ):
        attributes = " {no_dep = array<i64: 0>}"
    operands = [value.name for value in values]
    if w.profile.is_directed:
        operands = [
            f"{DIRECTIONS[p.direction] if p.is_tensor else 'scalar'} {operand}"
            for p, operand in zip(kernel.params, operands, strict=False)
        ]
    base = w.fresh("r")
    text = f"graph.{'submit' if is_submit else 'call'} @{name}({', '.join(operands)})"
    head = f"{base}:{len(results)} = " if results else ""
    all_results = list(results)
    if is_submit:
        task = w.fresh("t")
        head = f"{base}:{len(results)}, {task} = " if results else f"{task} = "
        all_results.append("!graph.task_id")
        env.tasks.append(task)
    w.emit(
        f"{head}{text}{clauses}{attributes} : "
        f"({', '.join(types)}) -> ({', '.join(all_results)})"
    )
    for i, result in enumerate(kernel.results):
        _add_result(env, f"{base}#{i}", result, results[i], values)


def _add_result(
    env: Env,
    name: str,
    result: int | str,
    type_: str,
    values: list[Tensor | Scalar],
) -> None:
    if isinstance(result, int) and result < len(values):
        value = values[result]
        value = dataclasses.replace(value, name=name)
        (env.tensors if isinstance(value, Tensor) else env.scalars).append(value)
        return
    # A buffer that the runtime allocates, which no caller can name.
    shape, element = parse_type(type_)
    env.tensors.append(Tensor(name, shape, element, root=name, is_kept=env.in_graph))


def parse_type(text: str) -> tuple[tuple[int, ...], str]:
    """Shape and element type of a tensor type without open extents."""
    *extents, element = text.removeprefix("!graph.tensor<").removesuffix(">").split("x")
    return tuple(map(int, extents)), element


def _choose_clauses(w: Writer, env: Env, kernel: Kernel) -> str:
    rng, text = w.rng, ""
    deps = [(task, "!graph.task_id") for task in env.tasks[-4:]]
    deps = (
        deps[-1:]
        if env.is_manual
        else rng.sample(deps, min(len(deps), rng.choice((0, 1, 2))))
    )
    if env.arrays and w.maybe(0.5) and not env.is_manual:
        name, size = rng.choice(env.arrays)
        deps.append((name, f"!graph.array<{size} x !graph.task_id>"))
    if deps:
        w.features.add("dependencies")
        names, types = zip(*deps, strict=False)
        text += f" deps({', '.join(names)} : {', '.join(types)})"
    if w.maybe(0.15):
        w.features.add("core_num")
        blocks = w.constant(rng.choice((1, 2, 4)))
        if w.has("varying-blocks"):
            value = scalars.pick_passable(w, env, ("index",))
            blocks = scalars.define(
                w,
                env,
                f"arith.maxui {value.name}, {blocks} : index",
                (value,),
                type="index",
                low=1,
                high=max(value.high, 4),
            ).name
        text += f" core_num({blocks})"
    gates = [t for t in env.tensors if t.element in ELEMENTS and not t.is_open]
    if gates and w.maybe(0.12):
        text += _predicate(w, env, rng.choice(gates))
    if w.maybe(0.04):
        text += " {sync_start}"
    return text


def _predicate(w: Writer, env: Env, gate: Tensor) -> str:
    w.features.add("predicate")
    indices = []
    for extent in gate.shape:
        if w.has("frozen-index", 0.8):
            value = scalars.pick_passable(w, env, ("index",))
            indices.append(scalars.clip(w, env, value, extent).name)
        elif w.maybe(0.4):
            indices.append(scalars.pick_invariant(w, env, extent).name)
        else:
            indices.append(str(w.rng.randrange(extent)))
    comparison = w.rng.choice(("eq", "ne", "lt", "le", "gt", "ge"))
    rhs = w.constant(w.rng.choice((0, 1, 2)), tensors.scalar_of(gate.element))
    return f" predicate({gate.name}[{', '.join(indices)}] {comparison} {rhs} : {gate.type})"


def add_dummy(w: Writer, env: Env) -> None:
    """A node without a kernel that joins tasks."""
    deps = (
        env.tasks[-1:]
        if env.is_manual
        else w.rng.sample(env.tasks, min(2, len(env.tasks)))
    )
    name = w.fresh("t")
    types = ", ".join(["!graph.task_id"] * len(deps))
    text = f" deps({', '.join(deps)} : {types})" if deps else ""
    w.features.add("dummy")
    w.emit(f"{name} = graph.task_dummy{text} : !graph.task_id")
    env.tasks.append(name)


def collect_tasks(w: Writer, env: Env) -> None:
    """An array of task ids, for a later task to depend on."""
    size = w.rng.choice((2, 4))
    type_ = f"!graph.array<{size} x !graph.task_id>"
    name = w.fresh("arr")
    w.emit(f"{name} = graph.array.create : {type_}")
    for task in w.rng.sample(env.tasks, min(size, len(env.tasks))):
        index = str(w.rng.randrange(size))
        if w.maybe(0.3):
            index = scalars.pick_invariant(w, env, size).name
        result = w.fresh("arr")
        w.emit(f"{result} = graph.array.insert {task}, {name}[{index}] : {type_}")
        name = result
    w.features.add("task array")
    env.arrays.append((name, size))
    if env.tasks and w.maybe(0.3):
        task = w.fresh("t")
        w.emit(
            f"{task} = graph.array.extract {name}[{w.rng.randrange(size)}] : {type_}"
        )
        env.tasks.append(task)
