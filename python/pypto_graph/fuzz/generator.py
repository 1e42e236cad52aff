# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs.

A program has an entry (`@main`), which launches graph functions in loops and branches,
on its arguments, windows of them and buffers of its own. The functions launch kernels
that are declared only, or have bodies.

Programs are well-defined by construction: every index is known to lie between bounds,
windows are in range whatever the arguments are, divisors are positive, tasks write only
what they may.
"""

from __future__ import annotations

import dataclasses
import random
from dataclasses import dataclass

from . import control, scalars, tasks, tensors
from .program import Param, Program
from .values import SCALAR_TYPES, Env, Scalar, Source, Tensor
from .writer import FAULTS, Profile, Writer

FRESH_TYPE = "!graph.tensor<16xf32>"


@dataclass
class GraphFunction:
    """A function of kind `graph` or `orchestration` that is called.

    Attributes:
      kind: its kind.
      name: its name, without `@`.
      params: its parameters: what is known of them inside. Arguments of scalars must
        have the bounds of the parameter.
      results: the parameters its results are tied to.
      is_fresh: one more result is a new buffer, which no graph function may return.
      sources: tensors that were passed last, by parameter.
    """

    kind: str
    name: str
    params: list[Tensor | Scalar]
    results: list[int]
    is_fresh: bool = False
    sources: dict[int, Tensor] = dataclasses.field(default_factory=dict)


def generate(seed: int, number: int) -> Program:
    """The program of this number; it depends on the two numbers alone."""
    rng = random.Random(f"{seed}/{number}")
    w = Writer(rng, _choose_profile(rng))
    functions: list[GraphFunction] = []
    if not w.profile.has_scopes:
        for i in range(rng.choice((1, 1, 1, 2, 2, 3))):
            functions.append(_write_graph(w, f"graph{i}"))
    if functions and w.maybe(0.25):
        functions.append(_write_helper(w, functions))
    if w.profile.has_scopes:
        _add_statements_of_scopes(w)
    params = _write_entry(w, functions)
    text = [
        "module attributes {graph.runtime = #graph.runtime<host_build_graph>} {",
        *w.kernel_lines,
        *w.lines,
        "}",
        "",
    ]
    return Program(
        seed,
        number,
        "\n".join(text),
        "main",
        tuple(params),
        w.profile.has_scopes,
        w.profile.faults,
        frozenset(w.features),
    )


def _choose_profile(rng: random.Random) -> Profile:
    elements = ("f32",)
    if rng.random() < 0.5:
        elements = tuple(
            rng.sample(
                ("f32", "bf16", "i32", "f16", "i8", "ui8", "f64"), rng.choice((1, 2))
            )
        )
    faults: list[str] = []
    if rng.random() < 0.3:
        faults = rng.sample(FAULTS, rng.choice((1, 2, 2)))
    return Profile(
        elements=elements,
        shares_buffers=rng.random() < 0.5,
        is_directed=rng.random() < 0.2,
        has_scopes=rng.random() < 0.2,
        faults=frozenset(faults),
    )


# --------------------------------------------------------------------------- #
# Functions that are called
# --------------------------------------------------------------------------- #


def _choose_params(w: Writer, in_graph: bool) -> list[Tensor | Scalar]:
    """Parameters: tensors, then scalars, at times mixed."""
    rng = w.rng
    params: list[Tensor | Scalar] = []
    for i in range(rng.choice((1, 2, 2, 3, 4))):
        shape = rng.choice((*tensors.TILES, *tensors.STACKS, *tensors.STACKS))
        name = f"%arg{i}"
        is_writable = i == 0 or w.maybe(0.75)
        dynamic = frozenset({0}) if w.maybe(0.12) else frozenset()
        params.append(
            Tensor(
                name,
                shape,
                rng.choice(w.profile.elements),
                dynamic=dynamic,
                is_open=bool(dynamic),
                root=name,
                is_writable=is_writable,
                # Windows are passed as well.
                is_contiguous=len(shape) == 1,
                param=name,
            )
        )
    source = Source.PARAM if in_graph else Source.CONSTANT
    for i in range(rng.choice((0, 1, 2, 2, 2, 3))):
        is_index = i == 0 or w.maybe(0.5)
        type_ = "index" if is_index else rng.choice(SCALAR_TYPES)
        low, high = (
            (rng.choice((0, 0, 1)), rng.choice((2, 3, 7)))
            if type_ == "index"
            else (0, 0)
        )
        params.append(Scalar(f"%num{i}", type_, low, high, source))
    if w.maybe(0.15):
        rng.shuffle(params)
    return params


def _declare_param(w: Writer, param: Tensor | Scalar) -> str:
    direction = "in"
    if isinstance(param, Tensor) and param.is_writable:
        direction = "out" if w.has("out-param", 0.3) else "inout"
    return f"{direction} {param.name}: {param.type}"


def _choose_results(w: Writer, params: list[Tensor | Scalar]) -> list[int]:
    if not w.maybe(0.4):
        return []
    written = [
        i for i, p in enumerate(params) if isinstance(p, Tensor) and p.is_writable
    ]
    results = w.rng.sample(written, w.rng.randint(1, len(written)))
    return results


def _write_graph(w: Writer, name: str) -> GraphFunction:
    """A graph function."""
    params = _choose_params(w, in_graph=True)
    function = GraphFunction("graph", name, params, _choose_results(w, params))

    def body(env: Env) -> None:
        for _ in range(w.rng.randint(0, 2)):
            scalars.compute_index(w, env)
            tensors.take_window(w, env)
            tasks.launch(w, env)
        control.write_statements(w, env, w.rng.randint(2, 8))
        # Nothing is recorded without a task.
        tasks.launch(w, env)

    _write_function(w, function, Env(in_graph=True), body)
    return function


def _add_statements_of_scopes(w: Writer) -> None:
    """Lets the program have what the last pass does not know any more."""
    if w.maybe(0.4):
        w.statements[tasks.write_device_scope] = 6
    if w.maybe(0.3):
        inlined = [_write_inlined(w)]
        w.statements[lambda w, env: write_launch(w, env, inlined)] = 6


def _write_inlined(w: Writer) -> GraphFunction:
    """A function that stands for its body."""
    params = _choose_params(w, in_graph=True)
    function = GraphFunction("inline", "inlined", params, _choose_results(w, params))
    w.features.add("inline function")

    def body(env: Env) -> None:
        control.write_statements(w, env, w.rng.randint(1, 4))

    _write_function(w, function, Env(in_graph=True), body)
    return function


def _write_helper(w: Writer, functions: list[GraphFunction]) -> GraphFunction:
    """A function of the host that the entry calls, and that launches graphs."""
    params = _choose_params(w, in_graph=False)
    # Graph functions may want one, and it cannot be computed.
    params.append(Scalar("%byte", "ui8"))
    helper = GraphFunction(
        "orchestration", "helper", params, _choose_results(w, params)
    )
    w.features.add("helper function")

    def body(env: Env) -> None:
        for _ in range(w.rng.randint(0, 2)):
            tensors.make_tensor(w, env)
        for _ in range(w.rng.randint(1, 2)):
            write_launch(w, env, functions)

    _write_function(w, helper, Env(), body)
    return helper


def _write_function(w: Writer, function: GraphFunction, env: Env, body) -> None:
    w.level = 1
    params = ", ".join(_declare_param(w, param) for param in function.params)
    names = [function.params[i].name for i in function.results]
    function.is_fresh = function.kind == "graph" and w.has("fresh-result", 0.6)
    results = names + [FRESH_TYPE] * function.is_fresh
    arrow = f" -> ({', '.join(results)})" if results else ""
    head = f"graph.func {function.kind} @{function.name}({params}){arrow}"
    for param in function.params:
        (env.tensors if isinstance(param, Tensor) else env.scalars).append(param)
    with w.block(head):
        body(env)
        returned = [_find_result(w, env, name) for name in names]
        types = [function.params[i].type for i in function.results]
        if function.is_fresh:
            kernel = tasks.Kernel("incore", (), (FRESH_TYPE,))
            tasks.call(w, env, kernel, [])
            returned.append(env.tensors[-1].name)
            types.append(env.tensors[-1].type)
        text = f" {', '.join(returned)} : {', '.join(types)}" if returned else ""
        w.emit(f"graph.return{text}")


def _find_result(w: Writer, env: Env, param: str) -> str:
    """A name of a parameter, as it is after the tasks."""
    same = [t for t in env.tensors if t.param == param]
    same = [t for t in same if t.type == same[0].type]
    return same[-1].name if w.maybe(0.7) else param


# --------------------------------------------------------------------------- #
# Launches
# --------------------------------------------------------------------------- #


def write_launch(w: Writer, env: Env, functions: list[GraphFunction]) -> None:
    """A call of a graph function or of a function of the host."""
    # Tasks of a manual scope are ordered by explicit dependencies alone.
    assert not env.is_manual
    function = w.rng.choice(functions)
    arguments = _choose_arguments(w, env, function)
    operands = [argument.name for argument in arguments]
    types = [argument.type for argument in arguments]
    if w.profile.is_directed:
        operands = [
            f"{_direction(param, function)} {operand}"
            for param, operand in zip(function.params, operands, strict=True)
        ]
    results = [types[i] for i in function.results] + [FRESH_TYPE] * function.is_fresh
    base = w.fresh("g")
    is_submit = function.kind == "graph" and w.maybe(0.15)
    clauses = ""
    if is_submit and env.tasks and w.has("launch-dependency", 0.8):
        clauses = f" deps({env.tasks[-1]} : !graph.task_id)"
    if is_submit and w.has("launch-predicate", 0.8):
        gate = w.rng.choice(arguments)
        if isinstance(gate, Tensor) and not gate.is_open:
            zeros = ", ".join("0" * len(gate.shape))
            rhs = w.constant(0, tensors.scalar_of(gate.element))
            clauses += f" predicate({gate.name}[{zeros}] ge {rhs} : {gate.type})"
    head = f"{base}:{len(results)} = " if results else ""
    result_types = list(results)
    if is_submit:
        task = w.fresh("t")
        head = f"{base}:{len(results)}, {task} = " if results else f"{task} = "
        result_types.append("!graph.task_id")
    w.emit(
        f"{head}graph.{'submit' if is_submit else 'call'} @{function.name}"
        f"({', '.join(operands)}){clauses} : "
        f"({', '.join(types)}) -> ({', '.join(result_types)})"
    )
    for i, param in enumerate(function.results):
        env.tensors.append(arguments[param].renamed(f"{base}#{i}"))


def _direction(param: Tensor | Scalar, function: GraphFunction) -> str:
    if not isinstance(param, Tensor):
        return "scalar"
    return "inout" if param.is_writable else "input"


def _choose_arguments(
    w: Writer, env: Env, function: GraphFunction
) -> list[Tensor | Scalar]:
    arguments: list[Tensor | Scalar] = []
    roots: set[str] = set()
    for i, param in enumerate(function.params):
        if isinstance(param, Scalar):
            arguments.append(_choose_scalar(w, env, param))
            continue
        tensor = _choose_tensor(w, env, function, i, roots)
        roots.add(tensor.root)
        arguments.append(tensor)
    return arguments


def _choose_tensor(
    w: Writer, env: Env, function: GraphFunction, position: int, roots: set[str]
) -> Tensor:
    param = function.params[position]
    # Launches that agree in shapes and strides replay the same recording.
    last = function.sources.get(position)
    if last in env.tensors and w.maybe(0.7):
        if last.shape != param.shape and len(last.shape) == len(param.shape):
            return tensors.slice_(w, env, last, param.shape)
        if tensors.fits(last, param.shape, param.element):
            return last
    if param.is_open and w.maybe(0.2):
        larger = [
            t
            for t in env.tensors
            if t.element == param.element
            and len(t.shape) == len(param.shape)
            and t.shape[0] in range(param.shape[0], param.shape[0] * 4 + 1)
            and t.shape[1:] == param.shape[1:]
            and (t.is_writable or not param.is_writable)
            and not t.is_open
        ]
        if larger:
            return w.rng.choice(larger)
    known = set(t.name for t in env.tensors)
    tensor = tensors.obtain(
        w, env, param.shape, param.element, param.is_writable, roots
    )
    if tensor.name in known:
        function.sources[position] = tensor
    else:
        sources = [t for t in env.tensors if t.root == tensor.root]
        function.sources[position] = sources[0]
    return tensor


def _choose_scalar(w: Writer, env: Env, param: Scalar) -> Scalar:
    if param.type == "ui8":
        known = [s for s in env.scalars if s.type == "ui8"]
        # The entry always has one.
        return w.rng.choice(known)
    if param.type != "index":
        if env.in_graph:
            return scalars.pick_passable(w, env, (param.type,))
        return scalars.pick(w, env, param.type)
    known = [
        s
        for s in scalars.usable(env, "index")
        if s.low >= param.low
        and s.high <= param.high
        and (s.is_passable or not env.in_graph)
    ]
    # What differs from launch to launch.
    varying = [s for s in known if s.low != s.high]
    if varying and w.maybe(0.8):
        return w.rng.choice(varying[-4:])
    if known and w.maybe(0.5):
        return w.rng.choice(known)
    value = scalars.pick(w, env)
    if env.in_graph:
        value = scalars.pick_passable(w, env, ("index",))
    value = scalars.clip(w, env, value, param.high - param.low + 1)
    if value.low >= param.low:
        return value
    return scalars.define(
        w,
        env,
        f"arith.addi {value.name}, {w.constant(param.low)} : index",
        (value,),
        type="index",
        low=value.low + param.low,
        high=value.high + param.low,
    )


# --------------------------------------------------------------------------- #
# The entry
# --------------------------------------------------------------------------- #


def _choose_entry_params(w: Writer, functions: list[GraphFunction]) -> list[Param]:
    """Tensors for the functions and for windows of them; scalars of all types."""
    rng = w.rng
    wanted = [
        (p.shape, p.element)
        for f in functions
        for p in f.params
        if isinstance(p, Tensor)
    ]
    shapes = [w.rng.choice(wanted) for _ in range(rng.randint(1, 3))] if wanted else []
    for _ in range(rng.randint(2, 3)):
        shapes.append((rng.choice(tensors.STACKS), rng.choice(w.profile.elements)))
    shapes = shapes[:1] if w.profile.shares_buffers and w.maybe(0.3) else shapes
    params = []
    for i, (shape, element) in enumerate(shapes):
        is_written = i == 0 or w.maybe(0.85)
        dynamic = frozenset({0}) if w.maybe(0.05) else frozenset()
        name = f"host{i}" if is_written else f"ro{i}"
        params.append(Param(name, element, shape, is_written, dynamic))
    if w.maybe(0.3):
        params.append(Param("gate", "i32", (8,), False))
    for i in range(rng.randint(1, 3)):
        low = rng.choice((0, 0, 1))
        params.append(
            Param(f"m{i}", "index", None, low=low, high=low + rng.choice((1, 3, 7)))
        )
    params.append(Param("u", "ui8"))
    for type_ in ("i32", "i64", "f32", "bf16", "i1"):
        if w.maybe(0.35):
            params.append(Param(f"x{type_}", type_))
    return params


def _write_entry(w: Writer, functions: list[GraphFunction]) -> list[Param]:
    rng = w.rng
    w.level = 1
    params = _choose_entry_params(w, functions)
    env = Env()
    for param in params:
        name = f"%{param.name}"
        if param.shape is None:
            env.scalars.append(Scalar(name, param.type, param.low, param.high))
        else:
            env.tensors.append(
                Tensor(
                    name,
                    param.shape,
                    param.type,
                    param.dynamic,
                    root=name,
                    is_writable=param.is_written,
                    param=name,
                )
            )
    texts = ", ".join(param.text for param in params)

    def launch(w: Writer, env: Env) -> None:
        if functions:
            write_launch(w, env, functions)
        else:
            write_graph_scope(w, env)

    with w.block(f"graph.func orchestration @main({texts})"):
        for _ in range(rng.randint(0, 4)):
            rng.choice((scalars.compute, tensors.make_tensor))(w, env)
        if w.maybe(0.3):
            launch(w, env)
        for _ in range(rng.choice((1, 1, 2))):
            _write_part(w, env, launch)
        if w.maybe(0.4):
            launch(w, env)
        w.emit("graph.return")
    return params


def _write_part(w: Writer, env: Env, launch: control.Statement) -> None:
    """A loop or branch with launches, or a few statements."""

    def body(w: Writer, inner: Env) -> None:
        extra: dict[control.Statement, int] = {launch: 20, control.read_element: 2}
        control.write_statements(w, inner, w.rng.randint(0, 3), extra)
        for _ in range(w.rng.choice((1, 1, 2))):
            launch(w, inner)

    kind = w.rng.random()
    if kind < 0.85:
        control.write_loop(w, env, body)
    elif kind < 0.9:
        control.write_branch(w, env, body)
    elif kind < 0.94:
        control.write_switch(w, env, body)
    else:
        body(w, env)


def write_graph_scope(w: Writer, env: Env) -> None:
    """A scope that becomes a graph function."""
    inner = env.nested()
    inner.depth = 0
    inner.in_graph = True
    inner.in_branch = False
    inner.tasks, inner.arrays = [], []
    inner.scalars = [
        s
        if s.low == s.high and s.type == "index" and s.name.startswith("%c")
        else dataclasses.replace(s, source=Source.PARAM)
        for s in inner.scalars
    ]
    inner.tensors = [dataclasses.replace(t, param=t.name) for t in inner.tensors]
    w.features.add("graph scope")
    name = w.rng.choice(("layer", "layer", "step", "block"))
    lines, w.lines = w.lines, []
    w.level += 1
    before = len(inner.tensors)
    control.write_statements(w, inner, w.rng.randint(2, 6))
    tasks.launch(w, inner)
    captured = {t.name: t for t in inner.tensors[:before]}
    yielded = [
        t
        for t in inner.tensors[before:]
        if t.param in captured and t.type == captured[t.param].type
    ]
    yielded = w.rng.sample(yielded, min(len(yielded), w.rng.choice((0, 1, 2))))
    types = ", ".join(t.type for t in yielded)
    names = ", ".join(t.name for t in yielded)
    w.emit(f"graph.yield {names} : {types}" if yielded else "graph.yield")
    w.level -= 1
    body, w.lines = w.lines, lines
    result = w.fresh("g")
    head = f'graph.scope graph "{name}"'
    if yielded:
        head = f"{result}:{len(yielded)} = {head} -> ({types})"
    with w.block(head):
        w.lines += body
    for i, tensor in enumerate(yielded):
        env.tensors.append(captured[tensor.param].renamed(f"{result}#{i}"))
