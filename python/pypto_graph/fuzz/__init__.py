# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs, and what must hold of each of them.

`python -m pypto_graph.fuzz --help` runs them. A program depends on a seed and its
number alone::

    from pypto_graph.fuzz import draw_arguments, generate

    program = generate(seed=1, number=17)
    print(program.text, program.entry, draw_arguments(program, call=0))
"""

from .generator import generate
from .program import Param, Program, draw_arguments

__all__ = ["Param", "Program", "draw_arguments", "generate"]
