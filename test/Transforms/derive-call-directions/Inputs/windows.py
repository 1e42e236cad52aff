# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that write many windows of one buffer."""

TILE = "!graph.tensor<4x32xf32>"
BUFFER = "!graph.tensor<2048x128xf32>"


def write(name: str, row: int, column: int) -> str:
    return (
        f"  %s{name} = graph.slice %w[{row}, {column}] [4, 32] : {BUFFER} to {TILE}\n"
        f"  %r{name} = graph.call @kw(%s{name}) : ({TILE}) -> {TILE}"
    )


def main() -> None:
    print(f"graph.func private incore @kw(out %o: {TILE}) -> (%o)")
    # A grid of tiles, then one that is shifted by half a tile.
    print(f"graph.func orchestration @tiles(out %w: {BUFFER}) {{")
    tiles = [(4 * row, 32 * column) for row in range(512) for column in range(4)]
    for i, (row, column) in enumerate(tiles):
        print(write(f"a{i}", row, column))
    for i, (row, column) in enumerate(tiles):
        print(write(f"b{i}", min(row + 2, 2044), min(column + 16, 96)))
    print("  graph.return\n}")
    # The same tile in each of many arms, and once after them.
    print(f"graph.func orchestration @arms(out %w: {BUFFER}, in %i: index) {{")
    print("  scf.index_switch %i")
    for i in range(511):
        print(f"  case {i} {{\n{write(f'a{i}', 8, 32)}\n    scf.yield\n  }}")
    print(f"  default {{\n{write('d', 8, 32)}\n  }}")
    print(write("e", 8, 32))
    print("  graph.return\n}")


main()
