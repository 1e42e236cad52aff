# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generator knows of the values a program may use."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass, field

# The types of scalars that arithmetic is made of; `ui8` is only passed on.
INTEGERS = ("i32", "i64")
FLOATS = ("f32", "bf16")
SCALAR_TYPES = ("index", *INTEGERS, *FLOATS, "i1", "ui8")
ELEMENTS = ("f32", "bf16", "i32", "f16", "i8", "ui8", "f64", "i64")


class Source(enum.IntFlag):
    """Why a scalar is not the same on every replay of the graph function around.

    CONSTANT and LOOP (an induction variable) are the same, PARAM can be computed by
    the caller, LOOP | PARAM and VARYING can be passed to no task.
    """

    CONSTANT = 0
    LOOP = 1
    PARAM = 2
    VARYING = 4


@dataclass(frozen=True)
class Scalar:
    """A scalar.

    Attributes:
      name: its name in the text, with `%`.
      type: one of `SCALAR_TYPES`.
      low, high: the values an `index` may have; 0 for other types, of which nothing
        is known.
      source: see `Source`.
    """

    name: str
    type: str
    low: int = 0
    high: int = 0
    source: Source = Source.CONSTANT

    @property
    def is_invariant(self) -> bool:
        """Whether every replay of the graph function around sees the same value."""
        return self.source in (Source.CONSTANT, Source.LOOP)

    @property
    def is_passable(self) -> bool:
        """Whether the function around can be made to pass the value to a task."""
        return self.is_invariant or self.source == Source.PARAM


@dataclass(frozen=True)
class Tensor:
    """A tensor.

    Attributes:
      name: its name in the text, with `%`.
      shape: the extents it has on every run that counts.
      element: one of `ELEMENTS`.
      dynamic: the axes whose extents the type leaves open.
      is_open: the extents of those axes are at least what `shape` says, at most four
        times that.
      root: what owns the buffer, as far as the generator follows it.
      is_writable: whether tasks may write it.
      is_contiguous: whether its elements follow each other.
      is_kept: whether it stays inside the graph function: windows of it cannot be
        taken by the caller.
      param: the parameter of the function around it is, by identity.
    """

    name: str
    shape: tuple[int, ...]
    element: str = "f32"
    dynamic: frozenset[int] = frozenset()
    is_open: bool = False
    root: str = ""
    is_writable: bool = True
    is_contiguous: bool = True
    is_kept: bool = False
    param: str | None = None

    @property
    def type(self) -> str:
        """The type as text."""
        return tensor_type(self.shape, self.element, self.dynamic)

    @property
    def size(self) -> int:
        """The number of elements."""
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    def renamed(self, name: str, **changes: object) -> Tensor:
        """The same buffer under another name."""
        return dataclasses.replace(self, name=name, **changes)


def tensor_type(
    shape: tuple[int, ...], element: str, dynamic: frozenset[int] = frozenset()
) -> str:
    """The type of a tensor as text; the extents of the axes `dynamic` are open."""
    extents = ["?" if axis in dynamic else str(e) for axis, e in enumerate(shape)]
    return f"!graph.tensor<{'x'.join([*extents, element])}>"


def open_type(rank: int, element: str) -> str:
    """The type of a tensor with any extents."""
    return tensor_type((0,) * rank, element, frozenset(range(rank)))


@dataclass
class Env:
    """The values a statement may use, and where it stands.

    Attributes:
      in_graph: inside of a graph function or graph scope.
      depth: how many loops, branches and scopes are around it.
      in_branch: whether it may not run although the function does.
      is_manual: in a manual scope, where only explicit dependencies count.
    """

    scalars: list[Scalar] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    arrays: list[tuple[str, int]] = field(default_factory=list)
    in_graph: bool = False
    depth: int = 0
    in_branch: bool = False
    is_manual: bool = False

    def nested(self, *, in_branch: bool = False) -> Env:
        """The values for a region inside."""
        return dataclasses.replace(
            self,
            scalars=list(self.scalars),
            tensors=list(self.tensors),
            tasks=list(self.tasks),
            arrays=list(self.arrays),
            depth=self.depth + 1,
            in_branch=self.in_branch or in_branch,
        )
