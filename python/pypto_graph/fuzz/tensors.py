# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that make tensors: allocations, windows, reshapes and choices."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from . import scalars
from .values import Env, Scalar, Source, Tensor
from .writer import Writer

# Shapes of what kernels work on; windows have these, too.
TILES: tuple[tuple[int, ...], ...] = ((16,), (64,), (4, 8), (8, 8), (2, 4, 4))
# Shapes of the arguments of a program.
STACKS: tuple[tuple[int, ...], ...] = ((64,), (256,), (16, 8), (32, 8), (4, 4, 8))


def make_tensor(w: Writer, env: Env) -> None:
    """A statement that makes a tensor."""
    makers = {
        take_window: 12,
        reshape: 2,
        allocate: 3,
        choose: 2,
        rename: 2,
        recast: 1,
        measure: 1,
    }
    w.rng.choices(list(makers), list(makers.values()))[0](w, env)


def pick(w: Writer, env: Env, is_recent: bool = True) -> Tensor:
    """A tensor."""
    recent = env.tensors[-6:] if is_recent and w.maybe(0.6) else env.tensors
    return w.rng.choice(recent)


# --------------------------------------------------------------------------- #
# Windows
# --------------------------------------------------------------------------- #


def take_window(w: Writer, env: Env) -> Tensor | None:
    """A window of some tensor, for a task or another window."""
    sources = [t for t in env.tensors if t.size >= 8]
    if not sources:
        return None
    source = w.rng.choice(sources[-6:] if w.maybe(0.5) else sources)
    sizes = []
    for extent in source.shape:
        fitting = [n for n in (1, 2, 4, 8, 16, 64) if n <= extent]
        sizes.append(extent if w.maybe(0.4) else w.rng.choice(fitting[-4:]))
    return slice_(w, env, source, tuple(sizes))


def slice_(
    w: Writer, env: Env, source: Tensor, sizes: Sequence[int], name: str | None = None
) -> Tensor:
    """A window of these sizes at random offsets in range."""
    offsets: list[Scalar | int] = []
    # One window is not moved by the caller and by a loop at once.
    uses_loop = source.is_kept or w.maybe(0.35)
    for extent, size in zip(source.shape, sizes, strict=True):
        offsets.append(pick_offset(w, env, extent, size, uses_loop, source.is_kept))
    source_of_offsets = Source.CONSTANT
    texts = []
    for offset in offsets:
        if isinstance(offset, Scalar):
            source_of_offsets |= offset.source
            texts.append(offset.name)
        else:
            texts.append(str(offset))
    result = Tensor(
        name or w.fresh("w"),
        tuple(sizes),
        source.element,
        root=source.root,
        is_writable=source.is_writable,
        is_contiguous=is_contiguous(source, sizes),
        is_kept=source.is_kept
        or bool(env.in_graph and source_of_offsets & Source.LOOP),
    )
    sizes_text = [str(size) for size in sizes]
    # A dynamic extent that is a constant after all.
    dynamic = set()
    if w.maybe(0.05):
        axis = w.rng.randrange(len(sizes))
        if env.in_graph or w.maybe(0.5):
            sizes_text[axis] = w.constant(sizes[axis])
            dynamic.add(axis)
    result = dataclasses.replace(result, dynamic=frozenset(dynamic))
    w.emit(
        f"{result.name} = graph.slice {source.name}[{', '.join(texts)}] "
        f"[{', '.join(sizes_text)}] : {source.type} to {result.type}"
    )
    env.tensors.append(result)
    return result


def is_contiguous(source: Tensor, sizes: Sequence[int]) -> bool:
    """Whether the elements of a window follow each other."""
    if not source.is_contiguous or source.dynamic:
        return False
    partial = [
        axis
        for axis, (extent, size) in enumerate(zip(source.shape, sizes, strict=True))
        if size != extent
    ]
    return not partial or all(size == 1 for size in sizes[: partial[-1]])


def pick_offset(
    w: Writer, env: Env, extent: int, size: int, uses_loop: bool, is_kept: bool
) -> Scalar | int:
    """An offset at which `size` elements of `extent` are in range."""
    room = extent - size
    if room == 0:
        return 0 if w.maybe(0.9) else w.index(0)
    if w.maybe(0.25):
        return w.rng.choice([offset for offset in (0, 0, size, room) if offset <= room])
    known = scalars.usable(env, "index")
    if env.in_graph and not w.has("moving-window", 0.7):
        wanted = Source.LOOP if uses_loop else Source.PARAM
        known = [s for s in known if s.source in (wanted, Source.CONSTANT)]
        varying = [s for s in known if s.source == wanted]
        known = varying if varying and w.maybe(0.8) else known
    if not known:
        return w.rng.randrange(room + 1)
    a = w.rng.choice(known[-6:] if w.maybe(0.7) else known)
    if is_kept and not a.is_invariant and not w.has("moving-window", 0.7):
        return w.rng.randrange(room + 1)
    factors = [f for f in (size, 1, 2, 4) if a.high * f <= room]
    if not factors:
        return scalars.clip(w, env, a, room + 1)
    factor = factors[0] if w.maybe(0.6) else w.rng.choice(factors)
    return a if factor == 1 else scalars.scale(w, env, a, factor)


def reshape(w: Writer, env: Env) -> Tensor | None:
    """The elements of a tensor under another shape."""
    sources = [t for t in env.tensors if t.is_contiguous and not t.dynamic]
    if not sources:
        return None
    source = w.rng.choice(sources)
    shapes = [(source.size,)] + [
        shape for shape in (*TILES, *STACKS) if Tensor("", shape).size == source.size
    ]
    result = source.renamed(w.fresh("w"), shape=w.rng.choice(shapes), param=None)
    w.features.add("reshape")
    w.emit(
        f"{result.name} = graph.view {source.name} "
        f"[{', '.join(map(str, result.shape))}] : {source.type} to {result.type}"
    )
    env.tensors.append(result)
    return result


# --------------------------------------------------------------------------- #
# Buffers
# --------------------------------------------------------------------------- #


def allocate(
    w: Writer,
    env: Env,
    shape: tuple[int, ...] | None = None,
    element: str | None = None,
) -> Tensor | None:
    """A new buffer."""
    if env.in_graph and env.in_branch and not w.has("branch-allocation"):
        return None
    shape = shape or w.rng.choice(TILES)
    element = element or w.rng.choice(w.profile.elements)
    name = w.fresh("b")
    in_loop = env.in_graph and env.depth > 0
    result = Tensor(name, shape, element, root=name, is_kept=in_loop)
    is_full = w.maybe(0.2) and not env.is_manual
    if is_full and (not env.in_graph or w.has("filled-allocation", 1.0)):
        value = w.constant(w.rng.choice((0, 1, 3)), scalar_of(element))
        w.emit(f"{name} = graph.full {value} : {result.type}")
    elif (not env.in_graph and w.maybe(0.1)) or (
        env.in_graph and w.has("dynamic-allocation")
    ):
        extent = w.constant(shape[0])
        if env.in_graph:
            extent = scalars.pick_passable(w, env, ("index",)).name
            extent = scalars.define(
                w,
                env,
                f"arith.maxui {extent}, {w.constant(shape[0])} : index",
                (),
                type="index",
                high=scalars.LIMIT,
                source=Source.PARAM,
            ).name
        result = dataclasses.replace(result, dynamic=frozenset({0}))
        w.emit(f"{name} = graph.create({extent}) : {result.type}")
    else:
        w.features.add("loop allocation" if in_loop else "allocation")
        w.emit(f"{name} = graph.create : {result.type}")
    env.tensors.append(result)
    return result


def scalar_of(element: str) -> str:
    """The type of one element as a scalar."""
    return element.removeprefix("u") if element.startswith("ui") else element


# --------------------------------------------------------------------------- #
# The same buffer under another name
# --------------------------------------------------------------------------- #


def rename(w: Writer, env: Env) -> Tensor:
    """A bare rename, as front ends emit it."""
    source = pick(w, env)
    result = source.renamed(w.fresh("a"))
    w.features.add("alias")
    w.emit(f"{result.name} = graph.alias {source.name} : {source.type}")
    env.tensors.append(result)
    return result


def recast(w: Writer, env: Env) -> Tensor | None:
    """A cast to open extents, or back."""
    source = pick(w, env)
    if source.is_open or (source.dynamic and w.maybe(0.5)):
        return None
    dynamic = frozenset() if source.dynamic else frozenset(range(len(source.shape)))
    result = source.renamed(w.fresh("a"), dynamic=dynamic, param=None)
    w.features.add("cast")
    w.emit(f"{result.name} = graph.cast {source.name} : {source.type} to {result.type}")
    env.tensors.append(result)
    return result


def choose(w: Writer, env: Env) -> Tensor | None:
    """One of two tensors of the same type."""
    a = pick(w, env)
    others = [t for t in env.tensors if t.type == a.type and t.shape == a.shape]
    b = w.rng.choice(others)
    if env.in_graph and not w.has("varying-choice"):
        index = scalars.pick_invariant(w, env, 8)
        condition = scalars.compare(w, env, index)
    else:
        condition = scalars.compare(w, env)
    result = a.renamed(
        w.fresh("a"),
        is_writable=a.is_writable and b.is_writable,
        is_contiguous=a.is_contiguous and b.is_contiguous,
        is_kept=env.in_graph,
        root=a.root if a.root == b.root else a.root + b.root,
        param=a.param if a.param == b.param else None,
    )
    w.features.add("choice")
    w.emit(
        f"{result.name} = arith.select {condition.name}, {a.name}, {b.name} : {a.type}"
    )
    env.tensors.append(result)
    return result


def measure(w: Writer, env: Env) -> None:
    """An extent of a tensor."""
    source = pick(w, env)
    axis = w.rng.randrange(len(source.shape))
    extent = source.shape[axis]
    # The caller of a graph function pins the extents of what it passes.
    is_pinned = not source.is_kept or axis not in source.dynamic
    scalars.define(
        w,
        env,
        f"graph.dim {source.name}, {w.constant(axis)} : {source.type}",
        (),
        type="index",
        low=extent,
        high=extent * 4 if source.is_open and axis in source.dynamic else extent,
        source=Source.LOOP if is_pinned else Source.VARYING,
    )


def fits(tensor: Tensor, shape: tuple[int, ...], element: str) -> bool:
    """Whether a tensor may be passed for a parameter of this shape."""
    return tensor.shape == shape and tensor.element == element and not tensor.is_open


def obtain(
    w: Writer,
    env: Env,
    shape: tuple[int, ...],
    element: str,
    is_writable: bool,
    avoid: set[str] = frozenset(),
) -> Tensor:
    """A tensor of this shape: one there is, a window, or a new buffer.

    Args:
      avoid: roots that others of the same launch have; taken all the same when
        nothing else is there or buffers are shared.
    """
    good = [
        t
        for t in env.tensors
        if t.element == element and (t.is_writable or not is_writable)
    ]
    apart = [t for t in good if t.root not in avoid]
    if apart and not (w.profile.shares_buffers and w.maybe(0.7)):
        good = apart
    same = [t for t in good if fits(t, shape, element)]
    larger = [
        t
        for t in good
        if len(t.shape) == len(shape)
        and t.shape != shape
        and all(a >= b for a, b in zip(t.shape, shape, strict=True))
    ]
    if larger and (not same or w.maybe(0.6)):
        return slice_(w, env, w.rng.choice(larger), shape)
    if same and w.maybe(0.95):
        return w.rng.choice(same[-6:] if w.maybe(0.5) else same)
    flat = [
        t
        for t in good
        if t.is_contiguous
        and not t.dynamic
        and t.size == Tensor("", shape).size
        and t.shape != shape
    ]
    if flat and w.maybe(0.5):
        source = w.rng.choice(flat)
        result = source.renamed(w.fresh("w"), shape=shape, param=None)
        w.emit(
            f"{result.name} = graph.view {source.name} "
            f"[{', '.join(map(str, shape))}] : {source.type} to {result.type}"
        )
        env.tensors.append(result)
        return result
    name = w.fresh("b")
    result = Tensor(name, shape, element, root=name)
    w.emit(f"{name} = graph.create : {result.type}")
    env.tensors.append(result)
    return result
