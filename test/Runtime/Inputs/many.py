# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs at the limits of the runtime: ``many.py KIND COUNT``."""

import sys

TENSOR = "!graph.tensor<4xf32>"


def boundary(num_tensors: int, num_scalars: int) -> str:
    """A graph function with so many boundary tensors and scalars."""
    tensors = [f"inout %t{i}: {TENSOR}" for i in range(num_tensors)]
    scalars = [f"in %s{i}: index" for i in range(num_scalars)]
    values = [f"%t{i}" for i in range(num_tensors)] + ["%n"] * num_scalars
    types = [TENSOR] * num_tensors + ["index"] * num_scalars
    return f"""
graph.func private incore @k(inout %o: {TENSOR})
graph.func graph @g({", ".join(tensors + scalars)}) {{
  graph.call @k(%t0) : ({TENSOR}) -> ()
  graph.return
}}
graph.func orchestration @main({", ".join(tensors)}, in %n: index) {{
  graph.call @g({", ".join(values)}) : ({", ".join(types)}) -> ()
  graph.return
}}"""


def functions(count: int) -> str:
    """So many graph functions."""
    text = [f"graph.func private incore @k(inout %o: {TENSOR})"]
    for i in range(count):
        text.append(f"graph.func graph @g{i}(inout %o: {TENSOR}) {{")
        text.append(f"graph.call @k(%o) : ({TENSOR}) -> ()\ngraph.return }}")
    text.append(f"graph.func orchestration @main(inout %o: {TENSOR}) {{")
    text += [f"graph.call @g{i}(%o) : ({TENSOR}) -> ()" for i in range(count)]
    return "\n".join([*text, "graph.return }"])


def nodes(count: int) -> str:
    """A recording of so many nodes."""
    return f"""
graph.func private incore @k(inout %o: {TENSOR})
graph.func graph @g(inout %o: {TENSOR}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {count} : index
  scf.for %i = %c0 to %n step %c1 {{
    graph.call @k(%o) : ({TENSOR}) -> ()
  }}
  graph.return
}}
graph.func orchestration @main(inout %o: {TENSOR}) {{
  graph.call @g(%o) : ({TENSOR}) -> ()
  graph.return
}}"""


def task(num_tensors: int, num_scalars: int) -> str:
    """A task with so many tensors and scalars, in a graph function."""
    tensors = [f"inout %t{i}: {TENSOR}" for i in range(num_tensors)]
    scalars = [f"in %s{i}: index" for i in range(num_scalars)]
    values = ["%o"] * num_tensors + ["%n"] * num_scalars
    types = [TENSOR] * num_tensors + ["index"] * num_scalars
    return f"""
graph.func private incore @k({", ".join(tensors + scalars)})
graph.func graph @g(inout %o: {TENSOR}, in %n: index) {{
  graph.call @k({", ".join(values)}) : ({", ".join(types)}) -> ()
  graph.return
}}
graph.func orchestration @main(inout %o: {TENSOR}, in %n: index) {{
  graph.call @g(%o, %n) : ({TENSOR}, index) -> ()
  graph.return
}}"""


def dependencies(count: int) -> str:
    """A task that waits for so many others."""
    return f"""
graph.func private incore @k(out %o: !graph.tensor<1xf32>)
graph.func private incore @all(in %o: !graph.tensor<{count}xf32>)
graph.func graph @g(inout %o: !graph.tensor<{count}xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {count} : index
  scf.for %i = %c0 to %n step %c1 {{
    %v = graph.slice %o[%i] [1] : !graph.tensor<{count}xf32> to !graph.tensor<1xf32>
    graph.call @k(%v) : (!graph.tensor<1xf32>) -> ()
  }}
  graph.call @all(%o) : (!graph.tensor<{count}xf32>) -> ()
  graph.return
}}
graph.func orchestration @main(inout %o: !graph.tensor<{count}xf32>) {{
  graph.call @g(%o) : (!graph.tensor<{count}xf32>) -> ()
  graph.return
}}"""


MAKERS = {
    "tensors": lambda count: boundary(count, 0),
    "scalars": lambda count: boundary(1, count),
    "functions": functions,
    "nodes": nodes,
    "task-tensors": lambda count: task(count, 0),
    "task-scalars": lambda count: task(1, count),
    "dependencies": dependencies,
}
print(MAKERS[sys.argv[1]](int(sys.argv[2])))
