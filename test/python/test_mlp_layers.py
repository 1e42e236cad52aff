# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feed-forward layers with real kernels, recorded and replayed, against NumPy."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pypto_graph
import pypto_graph.runtime
import pytest
from mlir import ir
from mlir.passmanager import PassManager

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/mlp_layers.mlir"
BF16 = np.dtype(ml_dtypes.bfloat16)


def low(values):
    return values.astype(np.float32).astype(BF16)


def wide(values):
    return values.astype(np.float32)


def matmul(a, b):
    """bf16 matrices, accumulated in f32 and rounded once."""
    return low(wide(a) @ wide(b))


def golden(h, gamma, w_gate, w_up, w_down):
    for layer in range(4):
        scale = 1 / np.sqrt(
            np.mean(wide(h) ** 2, axis=1, keepdims=True) + np.float32(1e-6)
        )
        n = low(wide(low(wide(h) * scale)) * wide(gamma))
        gate = matmul(n, w_gate[64 * layer :][:64])
        up = matmul(n, w_up[64 * layer :][:64])
        sigmoid = low(1 / (1 + np.exp(-wide(gate))))
        silu = low(wide(gate) * wide(sigmoid))
        act = low(wide(silu) * wide(up))
        h = low(wide(h) + wide(matmul(act, w_down[96 * layer :][:96])))
    return h


def make_arguments():
    rng = np.random.default_rng(0)
    shapes = (8, 64), (64,), (256, 96), (256, 96), (384, 64)
    scales = 1, 1, 0.1, 0.1, 0.1
    return [
        low(rng.standard_normal(s) * k) for s, k in zip(shapes, scales, strict=True)
    ]


def prepare(pipeline):
    with ir.Context():
        module = ir.Module.parse(EXAMPLE.read_text())
        PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        return str(module)


@pytest.mark.parametrize("improve", ["", ",improve-precision"])
@pytest.mark.parametrize("mode", ["eager", "replay"])
def test_layers(mode, improve):
    arguments = make_arguments()
    want = wide(golden(*arguments))
    text = prepare(f"graph-legalize-pipeline{improve}")
    main = pypto_graph.runtime.load(text, entry="main", mode=mode)
    main(*arguments)
    # Sums are added in another order, so a value may round the other way.
    np.testing.assert_allclose(wide(arguments[0]), want, rtol=0.03, atol=0.03)


def test_both_ways_agree():
    text = prepare("graph-legalize-pipeline")
    report = pypto_graph.runtime.compare(text, "main", make_arguments(), calls=2)
    assert report.agrees
    report = pypto_graph.runtime.compare(EXAMPLE.read_text(), "main", make_arguments())
    assert not report.agrees
