# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""improve-precision by its numbers: shared roundings stay, the others go."""

import importlib.util
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from mlir import ir
from mlir.passmanager import PassManager
from pypto_graph import kernels

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location(
    "rmsnorm_net01", ROOT / "examples/rmsnorm_net01.py"
)
net01 = importlib.util.module_from_spec(spec)
spec.loader.exec_module(net01)

BF16 = np.dtype(ml_dtypes.bfloat16)
IMPROVE = "improve-precision"
WITHOUT = "improve-precision{preserve-shared-rounding=false}"


# ---------------------------------------------------------------------------
# The golden
# ---------------------------------------------------------------------------


def test_golden_rounds_to_nearest_even():
    cases = {
        1.0: 1.0,
        1 + 2**-8: 1.0,  # a tie, down to even
        1 + 3 * 2**-8: 1 + 2**-6,  # a tie, up to even
        1 + 2**-8 + 2**-20: 1 + 2**-7,  # above a tie
        1 + 3 * 2**-8 - 2**-20: 1 + 2**-7,  # below a tie
        -(1 + 3 * 2**-8): -(1 + 2**-6),
        3.3895314e38: 3.3895314e38,  # the largest one
        3.4028235e38: np.inf,  # rounds past it
        2.0**-133: 2.0**-133,  # the least subnormal
        2.0**-134: 0.0,  # half of it, to even
        1.5 * 2.0**-134: 2.0**-133,
        np.inf: np.inf,
    }
    got = net01.to_bf16(np.array(list(cases), np.float32)).astype(np.float64)
    want = np.array(list(cases.values()), BF16).astype(np.float64)
    assert (got == want).all()
    assert np.isnan(net01.to_bf16(np.array([np.nan], np.float32)).astype(np.float32))


def test_golden_agrees_with_ml_dtypes():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2**32, 100_000, np.uint32).view(np.float32)
    x = x[~np.isnan(x)]
    assert (net01.to_bf16(x) == x.astype(BF16)).all()


# ---------------------------------------------------------------------------
# The network
# ---------------------------------------------------------------------------


def random_inputs(seed):
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.integers(-2, 3)
    x, residual = (rng.standard_normal((32, 2048)) * scale for _ in range(2))
    weight = rng.uniform(-2, 2, 2048)
    return x.astype(BF16), residual.astype(BF16), weight.astype(BF16)


INPUTS = {
    **{f"random{seed}": random_inputs(seed) for seed in range(4)},
    **{f"ties{seed}": net01.make_ties(seed) for seed in range(3)},
    "zeros": tuple(np.zeros(s, BF16) for s in ((32, 2048), (32, 2048), (2048,))),
}


def run_net01(pipeline, inputs, compiled=True):
    got = net01.outputs()
    with ir.Context():
        module = net01.load(pipeline)
        if compiled:
            kernels.compile(module)(*inputs, *got)
        else:
            kernels.interpret(module, *inputs, *got)
    return got


def check_contract(got, inputs):
    add, inv_rms, out = net01.golden(*inputs)
    assert (got[0].view(np.uint16) == add.view(np.uint16)).all()
    np.testing.assert_allclose(got[1], inv_rms, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(
        got[2].astype(np.float32), out.astype(np.float32), rtol=1e-2, atol=1.25e-1
    )


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("pipeline", ["", IMPROVE])
@pytest.mark.parametrize("compiled", [False, True])
def test_rmsnorm_keeps_its_contract(name, pipeline, compiled):
    inputs = INPUTS[name]
    check_contract(run_net01(pipeline, inputs, compiled), inputs)


@pytest.mark.parametrize("seed", range(3))
def test_rmsnorm_breaks_without_the_shared_rounding(seed):
    """The bug: `inv_rms` is that of a sum that was never stored. And the cure."""
    inputs = INPUTS[f"ties{seed}"]
    broken = run_net01(WITHOUT, inputs)
    add, inv_rms, _ = net01.golden(*inputs)
    # What is stored is right in both; what is computed from it is not.
    assert (broken[0] == add).all()
    wrong = np.abs(broken[1] - inv_rms) > 1e-5 + 1e-5 * inv_rms
    assert wrong.all()
    unrounded = inputs[0].astype(np.float32) + inputs[1].astype(np.float32)
    mean = np.mean(unrounded**2, axis=-1, keepdims=True)
    np.testing.assert_allclose(broken[1], 1 / np.sqrt(mean + 1e-6), rtol=1e-5)
    cured = run_net01(IMPROVE, inputs)
    np.testing.assert_allclose(cured[1], inv_rms, rtol=1e-5, atol=1e-5)


def test_rmsnorm_with_an_addition_in_bf16():
    """A sum that is rounded without a cast is a shared rounding as well."""
    text = net01.KERNEL.read_text()
    start, end = text.index("  %2 = asc.cast"), text.index('  asc.store "Store_0"')
    text = (
        text[:start]
        + '  %5 = asc.add "Add_0" %0, %1 : tensor<32x2048xbf16>\n'
        + text[end:]
    )
    inputs = INPUTS["ties0"]
    for pipeline, holds in ((IMPROVE, True), (WITHOUT, False)):
        got = net01.outputs()
        with ir.Context():
            module = ir.Module.parse(text)
            PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
            kernels.interpret(module, *inputs, *got)
        if holds:
            check_contract(got, inputs)
        else:
            with pytest.raises(AssertionError):
                check_contract(got, inputs)


# ---------------------------------------------------------------------------
# Random kernels
# ---------------------------------------------------------------------------

SHAPE = (4, 32)
UNARY = {
    "abs": np.abs,
    "neg": np.negative,
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}
BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


class Generator:
    """Writes a kernel, and what it would compute without any rounding."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.lines = []
        self.params = []
        self.arrays = []
        self.exact = {}
        self.outputs = []
        self.count = 0

    def tile(self, element):
        return f"tensor<4x32x{element}>"

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def emit(self, op, operands, element, exact, result=None):
        name = self.name()
        to = f" to {self.tile(result)}" if result else ""
        inputs = ", ".join(f"%{operand}" for operand in operands)
        self.lines.append(
            f'%{name} = asc.{op} "{op}_{name}" {inputs} : {self.tile(element)}{to}'
        )
        self.exact[name] = exact
        return name

    def load(self, element):
        name = self.name()
        self.params.append(f"in %p{name}: !graph.tensor<4x32x{element}>")
        dtype = (
            BF16
            if element == "bf16"
            else {"f16": np.float16, "f32": np.float32}[element]
        )
        array = self.rng.uniform(-1, 1, SHAPE).astype(dtype)
        self.arrays.append(array)
        self.lines.append(
            f'%{name} = asc.load "load_{name}" %p{name}[0, 0] : '
            f"!graph.tensor<4x32x{element}> -> {self.tile(element)}"
        )
        self.exact[name] = array.astype(np.float64)
        return name

    def cast(self, value, source, target):
        return self.emit("cast", [value], source, self.exact[value], target)

    def store(self, value, element):
        self.params.append(f"out %o{len(self.outputs)}: !graph.tensor<4x32x{element}>")
        self.lines.append(
            f'asc.store "store_{len(self.outputs)}" %{value}, %o{len(self.outputs)}[0, 0] : '
            f"{self.tile(element)}, !graph.tensor<4x32x{element}>"
        )
        self.outputs.append((self.exact[value], element))

    def compute(self, values, element):
        """A node on some of the values, whose result stays within [-1, 1]."""
        if self.rng.integers(2):
            op = self.rng.choice(list(UNARY))
            value = self.rng.choice(values)
            return self.emit(op, [value], element, UNARY[op](self.exact[value]))
        op = self.rng.choice(list(BINARY))
        a, b = self.rng.choice(values, 2)
        result = self.emit(
            op, [a, b], element, BINARY[op](self.exact[a], self.exact[b])
        )
        return self.emit("tanh", [result], element, np.tanh(self.exact[result]))

    def text(self):
        # Parameters in the order of their kind: loads were made on the way.
        params = [p for p in self.params if p.startswith("in")]
        params += [p for p in self.params if p.startswith("out")]
        body = "\n".join([*self.lines, "graph.return"])
        return f"graph.func incore @k({', '.join(params)}) {{\n{body}\n}}"


def shared_kernel(seed):
    """Every rounding is stored and computed from; everything else is in f32."""
    g = Generator(seed)
    values = [g.load("f32") for _ in range(2)]
    for _ in range(12):
        values.append(g.compute(values, "f32"))
        if g.rng.integers(3) == 0:
            low = g.rng.choice(["bf16", "f16"])
            rounded = g.cast(values[-1], "f32", low)
            g.store(rounded, low)
            # Later values start from the rounded one, and from its transpose's.
            values[-1] = g.cast(rounded, low, "f32")
            values.append(g.emit("neg", [values[-1]], "f32", -g.exact[values[-1]]))
    g.store(values[-1], "f32")
    return g


def mixed_kernel(seed):
    """Computes and casts in all types."""
    g = Generator(seed)
    values = {e: [g.load(e)] for e in ("f32", "bf16", "f16")}
    for _ in range(15):
        source = g.rng.choice(list(values))
        if g.rng.integers(3) == 0:
            target = g.rng.choice([e for e in values if e != source])
            value = g.rng.choice(values[source])
            values[target].append(g.cast(value, source, target))
        else:
            values[source].append(g.compute(values[source], source))
        if g.rng.integers(4) == 0:
            g.store(g.rng.choice(values[source]), source)
    for element, list_ in values.items():
        g.store(list_[-1], element)
    return g


def run_kernel(g, pipeline):
    """The outputs of a kernel, on which both ways to run it agree; and its text."""
    with ir.Context():
        module = ir.Module.parse(g.text())
        if pipeline:
            PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        results = []
        for fn in (kernels.interpret, lambda m, *args: kernels.compile(m)(*args)):
            outs = [
                np.zeros(SHAPE, BF16 if e == "bf16" else {"f16": "f2", "f32": "f4"}[e])
                for _, e in g.outputs
            ]
            fn(module, *g.arrays, *outs)
            results.append(outs)
        for interpreted, compiled in zip(*results, strict=True):
            assert interpreted.tobytes() == compiled.tobytes()
        return results[0], str(module)


@pytest.mark.parametrize("seed", range(12))
def test_shared_roundings_stay(seed):
    """Where all roundings are shared, nothing moves by a bit."""
    g = shared_kernel(seed)
    want, _ = run_kernel(g, "")
    got, text = run_kernel(g, IMPROVE)
    for a, b in zip(got, want, strict=True):
        assert a.tobytes() == b.tobytes()
    assert run_kernel(g, f"{IMPROVE},{IMPROVE}")[1] == text


def test_without_the_rule_some_move():
    moved = 0
    for seed in range(12):
        g = shared_kernel(seed)
        want, _ = run_kernel(g, "")
        got, _ = run_kernel(g, WITHOUT)
        moved += any(a.tobytes() != b.tobytes() for a, b in zip(got, want, strict=True))
    assert moved > 4


@pytest.mark.parametrize("seed", range(100, 112))
def test_outputs_stay_within_the_lower_type(seed):
    g = mixed_kernel(seed)
    got, text = run_kernel(g, IMPROVE)
    for (exact, _), value in zip(g.outputs, got, strict=True):
        error = np.abs(value.astype(np.float64) - exact).max()
        # A few roundings to bf16 of values up to 2, on the way and at the end.
        assert error < 0.05
    assert run_kernel(g, f"{IMPROVE},{IMPROVE}")[1] == text


def test_improving_improves():
    """Over many kernels, errors shrink."""
    before = after = 0.0
    for seed in range(200, 208):
        g = mixed_kernel(seed)
        for pipeline in ("", IMPROVE):
            got, _ = run_kernel(g, pipeline)
            error = sum(
                np.abs(value.astype(np.float64) - exact).mean()
                for (exact, _), value in zip(g.outputs, got, strict=True)
            )
            if pipeline:
                after += error
            else:
                before += error
    assert after < before
