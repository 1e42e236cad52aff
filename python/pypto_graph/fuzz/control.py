# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements with regions, and the choice of statements."""

from __future__ import annotations

from collections.abc import Callable

from . import scalars, tasks, tensors
from .values import Env, Scalar, Source, Tensor
from .writer import Writer

# Loops, branches and scopes are nested so deep.
MAX_DEPTH = 3

Statement = Callable[[Writer, Env], object]


def write_statements(
    w: Writer, env: Env, count: int, extra: dict[Statement, int] | None = None
) -> None:
    """Writes statements.

    Args:
      extra: kinds of statements beside those a graph function may have, with weights.
    """
    for _ in range(count):
        choices: dict[Statement, int] = {
            scalars.compute: 22,
            tensors.make_tensor: 22,
            tasks.launch: 26,
            tasks.add_dummy: 1,
        }
        if env.in_graph and w.has("host-read", 0.1):
            choices[read_element] = 5
        if not env.is_manual:
            choices |= {tasks.collect_tasks: 2, **w.statements, **(extra or {})}
            if env.depth < MAX_DEPTH:
                choices |= {
                    write_loop: 8,
                    write_branch: 4,
                    write_switch: 2,
                    write_scope: 3,
                    write_free_loop: 2,
                    write_free_branch: 2,
                }
        w.rng.choices(list(choices), list(choices.values()))[0](w, env)


def read_element(w: Writer, env: Env) -> None:
    """An element read on the host."""
    gates = [t for t in env.tensors if t.element == "i32"]
    if not gates:
        return
    gate = w.rng.choice(gates)
    indices = [str(w.rng.randrange(extent)) for extent in gate.shape]
    w.features.add("host read")
    scalars.define(
        w,
        env,
        f"graph.read {gate.name}[{', '.join(indices)}] : {gate.type}",
        (),
        type="i32",
        source=Source.VARYING if env.in_graph else Source.CONSTANT,
    )


# --------------------------------------------------------------------------- #
# Loops
# --------------------------------------------------------------------------- #


def write_loop(w: Writer, env: Env, statements: Statement | None = None) -> None:
    """A loop; in a graph function its trip count is a constant."""
    rng = w.rng
    lower, trips, step = rng.choice((0, 0, 0, 1, 2)), rng.choice((1, 2, 2, 3, 4)), 1
    if statements:
        # A launch that is repeated is replayed.
        trips = max(trips, 2)
    elif w.maybe(0.04):
        trips = 0
    if w.maybe(0.2):
        step = rng.choice((2, 4))
    upper = w.constant(lower + trips * step)
    source = Source.LOOP if env.in_graph else Source.CONSTANT
    is_runtime = w.has("runtime-loop") if env.in_graph else w.maybe(0.2)
    if is_runtime:
        limit = scalars.clip(w, env, scalars.pick(w, env), 4)
        bound = scalars.define(
            w,
            env,
            f"arith.addi {limit.name}, {w.constant(lower)} : index",
            (limit,),
            type="index",
            low=lower,
            high=lower + 3,
        )
        upper, trips, step = bound.name, 3, 1
    variable = Scalar(
        w.fresh("i"), "index", lower, lower + max(trips - 1, 0) * step, source
    )
    inner = env.nested(in_branch=trips == 0)
    inner.scalars += [variable] * 3
    carry = _start_carry(w, env, inner, max(trips, 1)) if w.maybe(0.4) else None
    # Graph functions have none with tasks in it.
    is_while = not env.in_graph and w.maybe(0.15)
    extra: tuple[str, str] | None = None
    if is_while:
        head, end = _start_while(w, carry, variable, w.constant(lower), upper), "}"
    else:
        head = (
            f"scf.for {variable.name} = {w.constant(lower)} to {upper} "
            f"step {w.constant(step)}"
        )
        if carry:
            types = ", ".join(carry.types)
            head = (
                f"{carry.result}:{len(carry.types)} = {head} "
                f"iter_args({carry.inits}) -> ({types})"
            )
        end = "} {graph.parallel}" if w.maybe(0.05) and not carry else "}"
        w.features.add("loop")
    with w.block(head, end):
        if w.maybe(0.4):
            tensors.take_window(w, inner)
        (statements or _write_body)(w, inner)
        if is_while:
            next_ = w.fresh("i")
            w.emit(f"{next_} = arith.addi {variable.name}, {w.constant(step)} : index")
            extra = (next_, "index")
        if carry:
            carry.finish(w, env, inner, extra)
        elif extra:
            w.emit(f"scf.yield {extra[0]} : {extra[1]}")


def _start_while(
    w: Writer, carry: _Carry | None, variable: Scalar, lower: str, upper: str
) -> str | None:
    """Writes a loop that counts up to its body, as a `while` does it.

    Its last value is the counter; before it come the carried values.
    """
    w.features.add("while loop")
    types = [*(carry.types if carry else []), "index"]
    inits = ([carry.inits] if carry else []) + [f"{variable.name} = {lower}"]
    names = [init.split(" = ")[0] for init in ", ".join(inits).split(", ")]
    result = carry.result if carry else w.fresh("l")
    text = ", ".join(types)
    w.emit(
        f"{result}:{len(types)} = scf.while ({', '.join(inits)}) : "
        f"({text}) -> ({text}) {{"
    )
    w.level += 1
    condition = w.fresh("b")
    w.emit(f"{condition} = arith.cmpi ult, {variable.name}, {upper} : index")
    w.emit(f"scf.condition({condition}) {', '.join(names)} : {text}")
    w.level -= 1
    w.emit("} do {")
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    w.emit(f"^bb0({arguments}):")
    return None


def _write_body(w: Writer, env: Env) -> None:
    write_statements(w, env, w.rng.randint(1, 4))


class _Carry:
    """The values a loop carries: two tensors and a scalar, or some of them."""

    def __init__(self) -> None:
        self.result = ""
        self.types: list[str] = []
        self.inits = ""
        self.tensors: list[Tensor] = []
        self.takes_turns = False
        self.scalar: Scalar | None = None
        self.increment = 0
        self.tasks: tuple[str, int] | None = None

    def finish(
        self, w: Writer, outer: Env, inner: Env, extra: tuple[str, str] | None = None
    ) -> None:
        """Writes the yield, and adds the results to the environment around.

        Args:
          extra: one more value to yield, and its type.
        """
        yielded: list[str] = []
        first, *rest = self.tensors or [None]
        if self.takes_turns:
            yielded += [rest[0].name, first.name]
        elif first:
            # What a task made of it, or something like it.
            same = [
                t
                for t in inner.tensors
                if t.type == first.type
                and t.shape == first.shape
                and t.root == first.root
                and t.is_contiguous == first.is_contiguous
                and (t.param == first.param or not first.param)
            ]
            yielded.append((same or [first])[-1].name)
            yielded += [other.name for other in rest]
        if self.scalar:
            name = w.fresh()
            step = w.constant(self.increment)
            w.emit(f"{name} = arith.addi {self.scalar.name}, {step} : index")
            yielded.append(name)
        if self.tasks:
            _, size = self.tasks
            yielded.append([name for name, n in inner.arrays if n == size][-1])
        types = list(self.types)
        if extra:
            yielded.append(extra[0])
            types.append(extra[1])
        w.emit(f"scf.yield {', '.join(yielded)} : {', '.join(types)}")
        for i, tensor in enumerate(self.tensors):
            is_same = not self.takes_turns
            outer.tensors.append(
                tensor.renamed(
                    f"{self.result}#{i}",
                    is_kept=tensor.is_kept or outer.in_graph,
                    param=tensor.param if is_same else None,
                )
            )
        if self.scalar:
            position = len(self.tensors)
            outer.scalars.append(
                Scalar(
                    f"{self.result}#{position}",
                    "index",
                    self.scalar.low,
                    self.scalar.high + self.increment,
                    self.scalar.source,
                )
            )


def _start_carry(w: Writer, env: Env, inner: Env, trips: int) -> _Carry | None:
    """Chooses what a loop carries."""
    rng = w.rng
    carry = _Carry()
    carry.result = w.fresh("l")
    inits: list[str] = []
    writable = [t for t in env.tensors if t.is_writable and not t.is_open]
    if writable and w.maybe(0.8):
        first = rng.choice(writable)
        like = [
            t
            for t in writable
            if t.type == first.type
            and t.shape == first.shape
            and t.is_contiguous == first.is_contiguous
        ]
        second = rng.choice(like)
        carry.takes_turns = w.maybe(0.5)
        chosen = [first, second] if carry.takes_turns or w.maybe(0.3) else [first]
        if carry.takes_turns:
            w.features.add("ping-pong")
        root = first.root if first.root == second.root else first.root + second.root
        for tensor in chosen:
            name = w.fresh("x")
            inits.append(f"{name} = {tensor.name}")
            carry.types.append(tensor.type)
            carried = tensor.renamed(
                name,
                is_kept=tensor.is_kept or env.in_graph,
                root=root if carry.takes_turns else tensor.root,
                param=None if carry.takes_turns else tensor.param,
            )
            carry.tensors.append(carried)
            inner.tensors += [carried] * 2
    if w.maybe(0.5):
        w.features.add("carried scalar")
        init = scalars.pick_invariant(w, env, 16)
        carry.increment = rng.choice((1, 2, 4))
        source = Source.LOOP if env.in_graph else Source.CONSTANT
        carry.scalar = Scalar(
            w.fresh("s"),
            "index",
            init.low,
            init.high + carry.increment * (trips - 1),
            source,
        )
        inits.append(f"{carry.scalar.name} = {init.name}")
        carry.types.append("index")
        inner.scalars += [carry.scalar] * 2
    if env.arrays and w.maybe(0.5):
        name, size = env.arrays[-1]
        carry.tasks = (w.fresh("arr"), size)
        inits.append(f"{carry.tasks[0]} = {name}")
        carry.types.append(f"!graph.array<{size} x !graph.task_id>")
        inner.arrays = [carry.tasks]
    carry.inits = ", ".join(inits)
    return carry if inits else None


def write_free_loop(w: Writer, env: Env) -> None:
    """A loop without tasks over anything; what it computes may be used nowhere else."""
    bound = scalars.clip(w, env, scalars.pick(w, env), 8)
    result, carried, variable = w.fresh("l"), w.fresh("s"), w.fresh("i")
    init = scalars.pick(w, env)
    head = (
        f"{result} = scf.for {variable} = {w.constant(0)} to {bound.name} "
        f"step {w.constant(1)} iter_args({carried} = {init.name}) -> (index)"
    )
    w.features.add("free loop")
    with w.block(head):
        name = w.fresh()
        w.emit(f"{name} = arith.addi {carried}, {variable} : index")
        w.emit(f"scf.yield {name} : index")
    source = Source.VARYING if env.in_graph else Source.CONSTANT
    env.scalars.append(Scalar(result, "index", init.low, init.high + 28, source))


# --------------------------------------------------------------------------- #
# Branches and scopes
# --------------------------------------------------------------------------- #


def write_branch(w: Writer, env: Env, statements: Statement | None = None) -> None:
    """A branch; in a graph function its condition is the same on every replay."""
    if env.in_graph and not w.has("varying-branch"):
        condition = scalars.compare(w, env, scalars.pick_invariant(w, env, 8))
    else:
        condition = scalars.compare(w, env)
    w.features.add("branch")
    _write_arms(w, env, condition, f"scf.if {condition.name}", None, statements)


def write_switch(w: Writer, env: Env, statements: Statement | None = None) -> None:
    """A branch with more than two arms, of which one runs."""
    if env.in_graph and not w.has("varying-branch"):
        index = scalars.pick_invariant(w, env, 8)
    else:
        index = scalars.pick(w, env)
    w.features.add("switch")
    cases = sorted(w.rng.sample(range(-1, 4), w.rng.choice((1, 2))))
    arms = [*(f"case {case}" for case in cases), "default"]
    _write_arms(w, env, index, f"scf.index_switch {index.name}", arms, statements)


def _write_arms(
    w: Writer,
    env: Env,
    condition: Scalar,
    head: str,
    arms: list[str] | None,
    statements: Statement | None,
) -> None:
    """The arms of a branch, which may choose a tensor and a number.

    Args:
      arms: what stands before each arm of a switch; None for `scf.if`.
    """
    plain = [t for t in env.tensors if not t.is_open]
    if not plain or w.maybe(0.5):
        if arms is None:
            with w.block(head):
                (statements or _write_arm)(w, env.nested(in_branch=True))
            return
        w.emit(head)
        for arm in arms:
            with w.block(arm):
                if arm == arms[0] or w.maybe(0.5):
                    (statements or _write_arm)(w, env.nested(in_branch=True))
                w.emit("scf.yield")
        return
    chosen = w.rng.choice(plain)
    result = w.fresh("f")
    names: list[Tensor] = []
    bounds: list[Scalar] = []
    if arms is None:
        head = f"{result}:2 = {head} -> ({chosen.type}, index)"
        blocks = [(head, "} else {"), (None, "}")]
    else:
        w.emit(f"{result}:2 = {head} -> {chosen.type}, index")
        blocks = [(arm, "}") for arm in arms]
    for start, end in blocks:
        inner = env.nested(in_branch=True)
        with w.block(start, end):
            if w.maybe(0.6):
                (statements or _write_arm)(w, inner)
            like = [
                t
                for t in inner.tensors
                if t.type == chosen.type and t.shape == chosen.shape
            ]
            names.append(w.rng.choice(like))
            bounds.append(scalars.pick_invariant(w, inner, 64))
            types = f"{chosen.type}, index"
            w.emit(f"scf.yield {names[-1].name}, {bounds[-1].name} : {types}")
    roots = list(dict.fromkeys(t.root for t in names))
    env.tensors.append(
        names[0].renamed(
            f"{result}#0",
            is_writable=all(t.is_writable for t in names),
            is_contiguous=all(t.is_contiguous for t in names),
            is_kept=env.in_graph,
            root="".join(roots),
            param=None,
        )
    )
    low, high = min(s.low for s in bounds), max(s.high for s in bounds)
    source = Source.CONSTANT
    if env.in_graph:
        source = Source.LOOP if condition.is_invariant else Source.VARYING
    env.scalars.append(Scalar(f"{result}#1", "index", low, high, source))


def _write_arm(w: Writer, env: Env) -> None:
    write_statements(w, env, w.rng.randint(1, 2))


def write_free_branch(w: Writer, env: Env) -> None:
    """A branch without tasks on anything; what it computes may be used nowhere else."""
    condition = scalars.compare(w, env)
    result = w.fresh("f")
    a, b = scalars.pick(w, env), scalars.pick(w, env)
    w.features.add("free branch")
    with w.block(f"{result} = scf.if {condition.name} -> (index)", "} else {"):
        w.emit(f"scf.yield {a.name} : index")
    with w.block(None):
        w.emit(f"scf.yield {b.name} : index")
    source = Source.VARYING if env.in_graph else Source.CONSTANT
    env.scalars.append(
        Scalar(result, "index", min(a.low, b.low), max(a.high, b.high), source)
    )


def write_scope(w: Writer, env: Env) -> None:
    """A scope that says how dependencies are tracked."""
    kind = w.rng.choice(("manual", "auto"))
    inner = env.nested()
    # It runs whenever what is around it runs, and is no loop.
    inner.depth = env.depth if env.in_graph and env.depth == 0 else inner.depth
    w.features.add(f"{kind} scope")
    with w.block(f"graph.scope {kind}"):
        if kind == "manual":
            inner.is_manual = True
            inner.tasks, inner.arrays = [], []
        write_statements(w, inner, w.rng.randint(1, 3))
        w.emit("graph.yield")
