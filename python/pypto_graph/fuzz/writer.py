# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of a program while it is written."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .values import Env, Scalar


@dataclass(frozen=True)
class Profile:
    """What a program is made of.

    Attributes:
      elements: the element types of its tensors.
      shares_buffers: launches pass windows of few buffers.
      is_directed: calls carry directions.
      has_scopes: graphs are scopes of the entry rather than functions.
      faults: what it contains that no graph function may; see `FAULTS`.
    """

    elements: tuple[str, ...] = ("f32",)
    shares_buffers: bool = False
    is_directed: bool = False
    has_scopes: bool = False
    faults: frozenset[str] = frozenset()


# Ways to write what cannot be replayed; each of them is refused.
FAULTS = (
    "mixed-scalar",
    "moving-window",
    "runtime-loop",
    "varying-branch",
    "varying-choice",
    "branch-allocation",
    "filled-allocation",
    "dynamic-allocation",
    "host-read",
    "frozen-index",
    "varying-blocks",
    "out-param",
    "fresh-result",
    "launch-predicate",
    "launch-dependency",
)


@dataclass
class Writer:
    """Lines of text, names, and what was declared so far."""

    rng: random.Random
    profile: Profile = Profile()
    lines: list[str] = field(default_factory=list)
    level: int = 1
    count: int = 0
    # Kernels by signature, and the text of their functions.
    kernels: dict[tuple, str] = field(default_factory=dict)
    kernel_lines: list[str] = field(default_factory=list)
    # Kinds of statements beside those every function may have, with weights.
    statements: dict[Callable[[Writer, Env], object], int] = field(default_factory=dict)
    # What the program has, for statistics.
    features: set[str] = field(default_factory=set)

    def emit(self, line: str) -> None:
        """Writes a line."""
        self.lines.append("  " * self.level + line)

    def fresh(self, prefix: str = "v") -> str:
        """A name no value has."""
        self.count += 1
        return f"%{prefix}{self.count}"

    @contextmanager
    def block(self, head: str | None, end: str = "}") -> Iterator[None]:
        """Writes `head {` (nothing for None), what is written inside, and `end`."""
        if head is not None:
            self.emit(head + " {")
        self.level += 1
        yield
        self.level -= 1
        self.emit(end)

    def has(self, fault: str, chance: float = 0.7) -> bool:
        """Whether to do what no graph function may, here."""
        return fault in self.profile.faults and self.rng.random() < chance

    def maybe(self, chance: float) -> bool:
        """True with this probability."""
        return self.rng.random() < chance

    def constant(self, value: int | float, type_: str = "index") -> str:
        """The name of a constant."""
        name = self.fresh("c")
        if type_ in ("f32", "bf16", "f16", "f64"):
            self.emit(f"{name} = arith.constant {float(value)} : {type_}")
        elif type_ == "i1":
            self.emit(f"{name} = arith.constant {'true' if value else 'false'}")
        else:
            self.emit(f"{name} = arith.constant {int(value)} : {type_}")
        return name

    def index(self, value: int) -> Scalar:
        """An `index` constant."""
        return Scalar(self.constant(value), "index", value, value)
