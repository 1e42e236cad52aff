# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program to test with, and arguments for it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy

from .._elements import numpy_type
from .values import tensor_type


@dataclass(frozen=True)
class Param:
    """A parameter of the entry.

    Attributes:
      name: its name, without `%`.
      type: the element type of a tensor, or the type of a scalar.
      shape: the extents of a tensor; None for a scalar.
      is_written: whether the entry may write the tensor.
      dynamic: axes whose extents the type leaves open.
      low, high: the values of an `index`.
    """

    name: str
    type: str
    shape: tuple[int, ...] | None = None
    is_written: bool = False
    dynamic: frozenset[int] = frozenset()
    low: int = 0
    high: int = 0

    @property
    def text(self) -> str:
        """The parameter as the entry declares it."""
        direction = "inout" if self.is_written else "in"
        type_ = self.type
        if self.shape is not None:
            type_ = tensor_type(self.shape, self.type, self.dynamic)
        return f"{direction} %{self.name}: {type_}"


@dataclass(frozen=True)
class Program:
    """A well-defined program.

    Attributes:
      seed, number: what it was made of.
      text: the module.
      entry: the name of the function to call.
      params: the parameters of the entry, in order.
      has_scopes: it needs the whole pipeline rather than the last pass.
      faults: what in it no graph function may have; see `writer.FAULTS`.
      features: what it has, for statistics.
    """

    seed: int
    number: int
    text: str
    entry: str
    params: tuple[Param, ...]
    has_scopes: bool = False
    faults: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()


def draw_arguments(program: Program, call: int) -> list[Any]:
    """Arguments for the entry: NumPy arrays, and numbers for scalars.

    They depend on the program and the number of the call alone. Two parameters never
    share a buffer.
    """
    rng = random.Random(f"{program.seed}/{program.number}/{call}")
    return [_draw(param, rng, call) for param in program.params]


def _draw(param: Param, rng: random.Random, call: int) -> Any:
    if param.shape is None:
        return _draw_scalar(param, rng, call)
    size = 1
    for extent in param.shape:
        size *= extent
    values = [rng.randrange(4) for _ in range(min(size, 64))]
    elements = numpy.resize(numpy.array(values), param.shape)
    return elements.astype(numpy_type(param.type))


def _draw_scalar(param: Param, rng: random.Random, call: int) -> Any:
    if param.type == "index":
        # The first call is the one that is recorded: often all offsets coincide.
        if call == 0 and rng.random() < 0.5:
            return param.low
        return rng.randint(param.low, param.high)
    if param.type == "i1":
        return rng.random() < 0.5
    if param.type in ("f32", "bf16"):
        return float(rng.randrange(-8, 8)) / 2
    return rng.randrange(100)
