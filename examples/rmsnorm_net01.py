# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs rmsnorm_net01.mlir on NumPy arrays and compares it with eager semantics.

    python examples/rmsnorm_net01.py

`golden` follows the network operation by operation, with the roundings that PyTorch's eager
mode makes: every bf16 result is computed in f32 and rounded once. The kernel is run as it is
written, after `improve-precision`, and after `improve-precision` without shared roundings,
where `inv_rms` is computed from a sum that was never stored.
"""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
from mlir import ir
from mlir.passmanager import PassManager
from pypto_graph import kernels

KERNEL = Path(__file__).with_name("rmsnorm_net01.mlir")
BF16 = np.dtype(ml_dtypes.bfloat16)


def to_bf16(values: np.ndarray) -> np.ndarray:
    """f32 rounded to bf16, to nearest, ties to even, by the bits."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) >> 16
    rounded = np.where(np.isnan(values), (bits >> 16) | 0x40, rounded)
    return rounded.astype(np.uint16).view(BF16)


def golden(
    x: np.ndarray, residual: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three outputs, in eager semantics."""
    add = to_bf16(x.astype(np.float32) + residual.astype(np.float32))
    add_f32 = add.astype(np.float32)
    square = add_f32 * add_f32
    mean = np.mean(square, axis=-1, keepdims=True, dtype=np.float32)
    inv_rms = np.float32(1) / np.sqrt(mean + np.float32(1e-6))
    normed = to_bf16(add_f32 * inv_rms)
    out = to_bf16(weight.astype(np.float32) * normed.astype(np.float32))
    return add, inv_rms, out


def load(pipeline: str = "") -> ir.Module:
    """The kernel, after passes; needs a context."""
    module = ir.Module.parse(KERNEL.read_text())
    if pipeline:
        PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
    return module


def outputs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arrays for the outputs."""
    return (
        np.empty((32, 2048), BF16),
        np.empty((32, 1), np.float32),
        np.empty((32, 2048), BF16),
    )


def make_ties(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs whose sums lie half-way between two bf16 numbers, and are rounded up."""
    rng = np.random.default_rng(seed)
    # 1 + (2 k + 1) / 128 has an odd last place; 1/256 is half of it.
    odd = 1 + (2 * rng.integers(0, 64, (32, 2048)) + 1) / 128
    x = odd.astype(BF16)
    residual = np.full((32, 2048), 1 / 256, BF16)
    return x, residual, rng.uniform(0.5, 1.5, 2048).astype(BF16)


def main() -> None:
    """Prints how far each form of the kernel is from the golden outputs."""
    inputs = make_ties(seed=0)
    want = golden(*inputs)
    forms = {
        "as written": "",
        "improved": "improve-precision",
        "without shared roundings": "improve-precision{preserve-shared-rounding=false}",
    }
    with ir.Context():
        for form, pipeline in forms.items():
            got = outputs()
            kernels.compile(load(pipeline))(*inputs, *got)
            errors = [
                np.abs(a.astype(np.float64) - b.astype(np.float64)).max()
                for a, b in zip(got, want, strict=True)
            ]
            print(
                f"{form:25} add {errors[0]:.1e}  inv_rms {errors[1]:.1e}  out {errors[2]:.1e}"
            )


if __name__ == "__main__":
    main()
