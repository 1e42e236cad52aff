#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Divides the extents of the decode step, and the offsets that go with them.

Every number of the text that is a size, an offset or a factor of one is replaced by a
smaller one with the same relations; the structure, the loops, the launches and the number
of nodes stay.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

# 1024 and its multiples to the same multiples of 2, the cache to 32 rows a layer.
NUMBERS = {
    20971520: 40 * 32,
    524288: 32,
    696320: 40 * 34,
    204800: 40 * 10,
    17408: 34,
    5120: 10,
    4096: 16,
    2560: 20,
    1024: 2,
    512: 1,
    128: 3,
}


def scale(text: str) -> str:
    """The module with smaller numbers."""
    numbers = "|".join(map(str, NUMBERS))
    pattern = re.compile(rf"(?<=[x<\[ ])({numbers})(?=[x,\] ])")
    return pattern.sub(lambda match: str(NUMBERS[int(match[1])]), text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("-o", type=Path, required=True)
    options = parser.parse_args()
    options.o.write_text(scale(options.module.read_text()))


if __name__ == "__main__":
    main()
