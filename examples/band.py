# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`band.mlir`, built from Python and made legal.

    python examples/band.py

prints what `pypto-opt --legalize-graph-boundary examples/band.mlir` prints.
"""

import pypto_graph
from mlir.dialects import arith, scf
from mlir.ir import Context, F32Type, IndexType, InsertionPoint, Location, Module
from pypto_graph.dialects import graph


def build() -> Module:
    """The program as one writes it first; needs a context and a location."""
    module = Module.create()
    graph.set_runtime(module, graph.Runtime.HOST_BUILD_GRAPH)
    band_type = graph.TensorType.get([128, 128], F32Type.get())
    stack_type = graph.TensorType.get([512, 128], F32Type.get())
    index = IndexType.get()

    with InsertionPoint(module.body):

        @graph.func("incore")
        def add_band(band: graph.In(band_type), acc: graph.InOut(band_type)):
            x = graph.load(band, [0, 0], [128, 128])
            y = graph.load(acc, [0, 0], [128, 128])
            graph.store(arith.addf(x, y), acc, [0, 0])
            return acc

        @graph.func("graph")
        def accumulate_band(
            w: graph.In(stack_type), acc: graph.InOut(band_type), li: graph.In(index)
        ):
            base = arith.muli(li, arith.constant(index, 128))
            band = graph.slice(w, [base, 0], [128, 128])
            # A call of a function; the result is tied to `acc`, and so is what is
            # returned.
            return add_band(band, acc)

        @graph.func("orchestration")
        def main(w: graph.In(stack_type), acc: graph.InOut(band_type)):
            first, step, layers = (arith.constant(index, n) for n in (0, 1, 4))
            loop = scf.ForOp(first, layers, step, [acc])
            with InsertionPoint(loop.body):
                (a,) = loop.inner_iter_args
                scf.yield_([accumulate_band(w, a, loop.induction_variable)])
            return loop.results[0]

    module.operation.verify()
    return module


if __name__ == "__main__":
    with Context(), Location.unknown():
        print(pypto_graph.legalize(build()))
