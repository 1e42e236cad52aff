# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numerics of kernels: interpreted and compiled, against NumPy and ml_dtypes."""

import ml_dtypes
import numpy as np
import pytest
from mlir import ir
from pypto_graph import kernels

BF16 = np.dtype(ml_dtypes.bfloat16)
TYPES = {
    "bf16": BF16,
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "ui8": np.dtype(np.uint8),
    "ui16": np.dtype(np.uint16),
    "ui32": np.dtype(np.uint32),
    "ui64": np.dtype(np.uint64),
    "i1": np.dtype(bool),
}
TINY = {
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
}
FLOATS = ["bf16", "f16", "f32", "f64"]
INTEGERS = [name for name in TYPES if "i" in name and name != "i1"]

# Errors are expected everywhere: infinities, overflows, NaN.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def shape_text(shape, element):
    return "x".join([*map(str, shape), element])


def make_kernel(inputs, output, body):
    """A kernel that loads its inputs as %0, %1…, and stores %r."""
    lines = []
    params = []
    for i, (shape, element) in enumerate([*inputs, output]):
        direction = "out" if i == len(inputs) else "in"
        params.append(f"{direction} %p{i}: !graph.tensor<{shape_text(shape, element)}>")
        if i < len(inputs):
            type_ = shape_text(shape, element)
            zeros = ", ".join(["0"] * len(shape))
            lines.append(
                f'%{i} = asc.load "L{i}" %p{i}[{zeros}] : !graph.tensor<{type_}> -> tensor<{type_}>'
            )
    type_ = shape_text(*output)
    zeros = ", ".join(["0"] * len(output[0]))
    lines += [
        body,
        f'asc.store "S" %r, %p{len(inputs)}[{zeros}] : tensor<{type_}>, !graph.tensor<{type_}>',
        "graph.return",
    ]
    return f"graph.func incore @k({', '.join(params)}) {{\n" + "\n".join(lines) + "\n}"


def run(inputs, output, body, arrays, compiled=True):
    """The output, which the interpreter and compiled code agree on."""
    text = make_kernel(inputs, output, body)
    shape, element = output
    with ir.Context():
        module = ir.Module.parse(text)
        want = np.zeros(shape, TYPES[element])
        kernels.interpret(module, *arrays, want)
        if compiled:
            got = np.zeros_like(want)
            kernels.compile(module)(*arrays, got)
            assert_same(got, want)
    return want


def execute(module, compiled, *args):
    """Runs the one kernel of a module, in either way."""
    if compiled:
        kernels.compile(module)(*args)
    else:
        kernels.interpret(module, *args)


def bits(array):
    return array.view(f"u{array.itemsize}") if array.dtype != bool else array


def assert_same(got, want):
    """Bit for bit; NaN is NaN."""
    assert got.dtype == want.dtype and got.shape == want.shape
    same = bits(got) == bits(want)
    if got.dtype.kind not in "iub":
        same |= np.isnan(got) & np.isnan(want)
    assert same.all(), (got[~same][:5], want[~same][:5])


def ulps(got, want):
    """Distance in units of the last place; NaN and infinities agree or are far."""
    width = got.itemsize * 8

    def order(array):
        signed = array.view(f"i{array.itemsize}").astype(np.int64)
        low = -(1 << (width - 1))
        return np.where(signed < 0, low - signed, signed)

    distance = np.abs(order(got) - order(want))
    return np.where(np.isnan(got) & np.isnan(want), 0, distance).max()


def compute(fn, element, *arrays):
    """`fn` in the type that computes with an element type, rounded once."""
    wide = np.float64 if element == "f64" else np.float32
    return fn(*[a.astype(wide) for a in arrays]).astype(wide).astype(TYPES[element])


def every(element):
    """All bit patterns of a 16-bit type."""
    return np.arange(65536, dtype=np.uint16).view(TYPES[element])


one = np.float32(1)


def erf(x):
    from math import erf as exact

    return np.array([exact(v) for v in x.astype(np.float64)])


EXACT = {
    "abs": np.abs,
    "neg": np.negative,
    "relu": lambda x: np.where(x <= 0, np.zeros_like(x), x),
    "sqrt": np.sqrt,
    "rsqrt": lambda x: x.dtype.type(1) / np.sqrt(x),
    "reciprocal": lambda x: x.dtype.type(1) / x,
}
CLOSE = {
    "exp": np.exp,
    "log": np.log,
    "sigmoid": lambda x: x.dtype.type(1) / (x.dtype.type(1) + np.exp(-x)),
    "tanh": np.tanh,
    "erf": erf,
}


@pytest.mark.parametrize("element", ["bf16", "f16"])
@pytest.mark.parametrize("name", [*EXACT, *CLOSE])
def test_unary_on_every_16_bit_number(name, element):
    x = every(element)
    case = ((65536,), element)
    got = run([case], case, f'%r = asc.{name} "N" %0 : tensor<65536x{element}>', [x])
    want = compute({**EXACT, **CLOSE}[name], element, x)
    if name in EXACT:
        assert_same(got, want)
    else:
        assert ulps(got, want) <= 1


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("name", [*EXACT, *CLOSE])
def test_unary_in_wide_types(name, element):
    dtype = TYPES[element]
    rng = np.random.default_rng(1)
    x = rng.standard_normal(4096).astype(dtype) * dtype.type(4)
    x[:6] = [0, -0.0, np.inf, -np.inf, np.nan, np.finfo(dtype).tiny]
    case = ((4096,), element)
    got = run([case], case, f'%r = asc.{name} "N" %0 : tensor<4096x{element}>', [x])
    want = compute({**EXACT, **CLOSE}[name], element, x)
    if name in EXACT:
        assert_same(got, want)
    else:
        np.testing.assert_allclose(
            got, want, rtol=1e-6 if element == "f32" else 1e-14, atol=1e-30
        )


def special(element, rng, size):
    """Random numbers of a type, among them all that are special."""
    dtype = TYPES[element]
    if dtype.kind == "b":
        return rng.integers(0, 2, size).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        x = rng.integers(info.min, info.max, size, dtype, endpoint=True)
        x[:4] = [info.min, info.max, 0, 1]
        return rng.permutation(x)
    info = ml_dtypes.finfo(dtype)
    x = (rng.standard_normal(size) * 8).astype(dtype)
    x[:9] = np.array(
        [0, -0.0, np.inf, -np.inf, np.nan, info.max, info.tiny, -1, 2], np.float64
    ).astype(dtype)
    return rng.permutation(x)


def pick(larger):
    def fn(a, b):
        first = np.where(a == b, np.signbit(a) != larger, (a > b) == larger)
        return np.where(np.isnan(a) | np.isnan(b), np.nan, np.where(first, a, b))

    return fn


BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "maximum": pick(True),
    "minimum": pick(False),
}


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("name", BINARY)
def test_binary_floats(name, element):
    rng = np.random.default_rng(2)
    a, b = (special(element, rng, 2048) for _ in range(2))
    case = ((2048,), element)
    got = run(
        [case] * 2, case, f'%r = asc.{name} "N" %0, %1 : tensor<2048x{element}>', [a, b]
    )
    assert_same(got, compute(BINARY[name], element, a, b))


@pytest.mark.parametrize("element", INTEGERS)
def test_integers_wrap(element):
    rng = np.random.default_rng(3)
    a, b = (special(element, rng, 512) for _ in range(2))
    case = ((512,), element)
    zero = a.dtype.type(0)
    wants = {
        "add": a + b,
        "sub": a - b,
        "mul": a * b,
        "maximum": np.maximum(a, b),
        "minimum": np.minimum(a, b),
        "abs": np.abs(a),
        "neg": zero - a,
        "relu": np.maximum(a, zero),
    }
    for name, want in wants.items():
        operands = "%0, %1" if name in BINARY else "%0"
        body = f'%r = asc.{name} "N" {operands} : tensor<512x{element}>'
        if name not in BINARY:
            body = '%u = asc.abs "U" %1 : tensor<512x' + element + ">\n" + body
        assert_same(run([case] * 2, case, body, [a, b]), want)


@pytest.mark.parametrize("element", TYPES)
def test_comparisons_and_choices(element):
    rng = np.random.default_rng(4)
    a, b = (special(element, rng, 1024) for _ in range(2))
    b[::3] = a[::3]
    case, truth = ((1024,), element), ((1024,), "i1")
    ops = dict(eq="==", ne="!=", lt="<", le="<=", gt=">", ge=">=")
    for name, sign in ops.items():
        body = f'%r = asc.compare "N" {name} %0, %1 : tensor<1024x{element}>'
        want = eval(f"a {sign} b")
        assert_same(run([case] * 2, truth, body, [a, b]), want)
    body = f'%r = asc.where "N" %0, %0, %1 : tensor<1024x{element}>, tensor<1024x{element}>'
    assert_same(run([case] * 2, case, body, [a, b]), np.where(a != 0, a, b))
    mask = rng.integers(0, 2, 1024).astype(bool)
    body = f'%r = asc.select "N" %2, %0, %1 : tensor<1024xi1>, tensor<1024x{element}>'
    got = run([case, case, truth], case, body, [a, b, mask])
    assert_same(got, np.where(mask, a, b))


def convert(x, to):
    """What `asc.cast` makes of an array."""
    source, target = x.dtype, TYPES[to]
    if to == "i1":
        return x != 0
    wide = x if source.kind in "iub" or source == np.float64 else x.astype(np.float32)
    if target.kind in "iu":
        if source.kind in "iub":
            return x.astype(target)
        info = np.iinfo(target)
        number = np.nan_to_num(np.trunc(wide.astype(np.float64)), nan=0.0)
        return (
            np.array(
                [
                    min(max(int(v), info.min), info.max)
                    if np.isfinite(v)
                    else (info.max if v > 0 else info.min)
                    for v in np.where(
                        np.isnan(wide), 0, np.trunc(wide.astype(np.float64))
                    )
                ],
                target,
            )
            if number.size
            else number
        )
    if target.itemsize == 2:
        wide = wide.astype(np.float32)
    return wide.astype(target)


@pytest.mark.parametrize("source", TYPES)
@pytest.mark.parametrize("target", TYPES)
def test_casts(source, target):
    rng = np.random.default_rng(5)
    x = special(source, rng, 512)
    got = run(
        [((512,), source)],
        ((512,), target),
        f'%r = asc.cast "N" %0 : tensor<512x{source}> to tensor<512x{target}>',
        [x],
    )
    assert_same(got, convert(x, target))


def test_f64_to_16_bits_rounds_twice_as_eager_does():
    # Half-way in bf16 but for a bit that f32 does not have.
    x = np.array([1 + 2**-8 + 2**-30, 1 + 3 * 2**-8 - 2**-30])
    got = run(
        [((2,), "f64")],
        ((2,), "bf16"),
        '%r = asc.cast "N" %0 : tensor<2xf64> to tensor<2xbf16>',
        [x],
    )
    assert got.astype(float).tolist() == [1.0, 1 + 2**-6]


def tiny(kind):
    """All values of an 8-bit floating type, in f32: graph tensors have no such elements."""
    return np.arange(256, dtype=np.uint8).view(TINY[kind]).astype(np.float32)


@pytest.mark.parametrize("kind", TINY)
@pytest.mark.parametrize("target", TYPES)
def test_casts_from_8_bit_floats(kind, target):
    x = tiny(kind)
    body = (
        f'%q = asc.cast "Q" %0 : tensor<256xf32> to tensor<256x{kind}>\n'
        f'%r = asc.cast "N" %q : tensor<256x{kind}> to tensor<256x{target}>'
    )
    got = run([((256,), "f32")], ((256,), target), body, [x])
    if target in FLOATS:
        assert_same(got, x.astype(TYPES[target]))


@pytest.mark.parametrize("kind", TINY)
def test_casts_to_8_bit_floats(kind):
    # All of bf16, and what is next to each boundary between two values.
    wide = np.arange(65536, dtype=np.uint32) << 16
    near = np.concatenate([wide, wide + 1, wide - 1, wide + 0x8000]).view(np.float32)
    rng = np.random.default_rng(8)
    cases = {"f32": near, "bf16": every("bf16"), "f16": every("f16")}
    cases |= {name: special(name, rng, 512) for name in ("f64", "i8", "ui64", "i1")}
    for source, x in cases.items():
        n = x.size
        body = (
            f'%q = asc.cast "Q" %0 : tensor<{n}x{source}> to tensor<{n}x{kind}>\n'
            f'%r = asc.cast "N" %q : tensor<{n}x{kind}> to tensor<{n}xf32>'
        )
        got = run([((n,), source)], ((n,), "f32"), body, [x])
        assert_same(got, x.astype(np.float32).astype(TINY[kind]).astype(np.float32))


def test_casts_between_8_bit_floats():
    for kind, other in (("f8E5M2", "f8E4M3FN"), ("f8E4M3FN", "f8E5M2")):
        x = tiny(kind)
        body = (
            f'%q = asc.cast "Q" %0 : tensor<256xf32> to tensor<256x{kind}>\n'
            f'%p = asc.cast "P" %q : tensor<256x{kind}> to tensor<256x{other}>\n'
            f'%r = asc.cast "N" %p : tensor<256x{other}> to tensor<256xf32>'
        )
        got = run([((256,), "f32")], ((256,), "f32"), body, [x])
        assert_same(got, x.astype(TINY[other]).astype(np.float32))


@pytest.mark.parametrize("kind", TINY)
def test_moves_of_8_bit_floats(kind):
    x = tiny(kind).reshape(16, 16)
    i = np.array([[3, 1]], np.int32)
    body = f"""
      %q = asc.cast "Q" %0 : tensor<16x16xf32> to tensor<16x16x{kind}>
      %a = asc.transpose "A" %q [1, 0] : tensor<16x16x{kind}>
      %b = asc.scalar "B" 1.5 : {kind}
      %c = asc.broadcast "C" %b : {kind} to tensor<16x16x{kind}>
      %d = asc.compare "D" lt %2, %2 : tensor<16x16xi8>
      %e = asc.select "E" %d, %c, %a : tensor<16x16xi1>, tensor<16x16x{kind}>
      %f = asc.concat "F" %e, %c axis 1 : tensor<16x16x{kind}>, tensor<16x16x{kind}>
      %g = asc.gather "G" %f, %1 axis 0 : tensor<16x32x{kind}>, tensor<1x2xi32>
      %r = asc.cast "R" %g : tensor<1x2x32x{kind}> to tensor<1x2x32xf32>
    """
    inputs = [((16, 16), "f32"), ((1, 2), "i32"), ((16, 16), "i8")]
    zeros = np.zeros((16, 16), np.int8)
    got = run(inputs, ((1, 2, 32), "f32"), body, [x, i, zeros])
    rows = np.concatenate([x.T, np.full((16, 16), 1.5, np.float32)], 1)
    assert_same(got, rows[i])


def test_scalar_parameters_without_a_sign():
    text = """graph.func incore @k(in %x: !graph.tensor<8xui8>, in %s: ui8, in %b: i1,
                                   out %o: !graph.tensor<8xui8>) {
      %0 = asc.load "L" %x[0] : !graph.tensor<8xui8> -> tensor<8xui8>
      %1 = asc.maximum "M" %0, %s : tensor<8xui8>, ui8
      %2 = asc.select "W" %b, %1, %0 : i1, tensor<8xui8>
      asc.store "S" %2, %o[0] : tensor<8xui8>, !graph.tensor<8xui8>
      graph.return
    }"""
    x = np.arange(0, 256, 32, dtype=np.uint8)
    with ir.Context():
        module = ir.Module.parse(text)
        for compiled in (False, True):
            out = np.zeros(8, np.uint8)
            execute(module, compiled, x, 200, True, out)
            assert out.tolist() == np.maximum(x, 200).tolist()


def test_moves():
    rng = np.random.default_rng(6)
    x = rng.standard_normal((4, 6)).astype(np.float32)
    i = rng.integers(0, 6, (2, 5)).astype(np.int32)
    inputs = [((4, 6), "f32"), ((2, 5), "i32")]
    cases = [
        ((6, 4), '%r = asc.transpose "N" %0 [1, 0] : tensor<4x6xf32>', x.T),
        (
            (3, 4, 6),
            '%r = asc.broadcast "N" %0 : tensor<4x6xf32> to tensor<3x4x6xf32>',
            np.broadcast_to(x, (3, 4, 6)),
        ),
        (
            (4, 12),
            '%r = asc.concat "N" %0, %0 axis 1 : tensor<4x6xf32>, tensor<4x6xf32>',
            np.concatenate([x, x], 1),
        ),
        (
            (4, 2),
            '%q:3 = asc.split "N" %0 axis 1 sizes [1, 3, 2] : tensor<4x6xf32>\n'
            '%r = asc.abs "A" %q#2 : tensor<4x2xf32>',
            np.abs(x[:, 4:]),
        ),
        (
            (4, 2, 5),
            '%r = asc.gather "N" %0, %1 axis 1 : tensor<4x6xf32>, tensor<2x5xi32>',
            x[:, i],
        ),
        (
            (6, 3, 4),
            '%q = asc.broadcast "B" %0 : tensor<4x6xf32> to tensor<3x4x6xf32>\n'
            '%r = asc.transpose "N" %q [2, 0, 1] : tensor<3x4x6xf32>',
            np.broadcast_to(x, (3, 4, 6)).transpose(2, 0, 1),
        ),
    ]
    for shape, body, want in cases:
        body += '\n%unused = asc.abs "Z" %1 : tensor<2x5xi32>'
        assert_same(
            run(inputs, (shape, "f32"), body, [x, i]), np.ascontiguousarray(want)
        )


def test_gather_out_of_range():
    case, index = ((4,), "f32"), ((2,), "i64")
    body = '%r = asc.gather "N" %0, %1 axis 0 : tensor<4xf32>, tensor<2xi64>'
    x = np.arange(4, dtype=np.float32)
    indices = np.array([9, -1])
    with ir.Context():
        module = ir.Module.parse(make_kernel([case, index], ((2,), "f32"), body))
        out = np.zeros(2, np.float32)
        with pytest.raises(
            ValueError, match="index 9 is out of the extent 4 of axis 0"
        ):
            kernels.interpret(module, x, indices, out)
        kernels.compile(module)(x, indices, out)
        assert out.tolist() == [3, 0]


def lanes_sum(x):
    """The sum of the last axis in 16 partial sums."""
    total = np.zeros((*x.shape[:-1], 16), np.float32)
    for j in range(0, x.shape[-1], 16):
        total = total + x[..., j : j + 16]
    result = np.zeros(x.shape[:-1], np.float32)
    for lane in range(16):
        result = result + total[..., lane]
    return result[..., None]


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize(
    "shape, axes",
    [
        ((4, 48), [1]),
        ((4, 7), [1]),
        ((3, 4, 5), [0, 2]),
        ((6, 16), [0]),
        ((2, 3, 32), [0, 1, 2]),
        ((5,), []),
    ],
)
def test_reductions(element, shape, axes):
    rng = np.random.default_rng(7)
    x = rng.standard_normal(shape).astype(TYPES[element])
    kept = tuple(1 if i in axes else n for i, n in enumerate(shape))
    wide = x.astype(np.float64)
    tolerance = {"bf16": 2**-7, "f16": 2**-10, "f32": 1e-5, "f64": 1e-13}[element]
    for name, fn in dict(sum=np.sum, mean=np.mean, max=np.max, min=np.min).items():
        body = (
            f'%r = asc.{name} "N" %0 axes {axes} : tensor<{shape_text(shape, element)}>'
        )
        got = run([(shape, element)], (kept, element), body, [x])
        want = fn(wide, axis=tuple(axes), keepdims=True)
        if name in ("max", "min"):
            assert_same(got, want.astype(TYPES[element]))
        else:
            np.testing.assert_allclose(
                got.astype(float), want, rtol=tolerance, atol=tolerance
            )


def test_order_of_a_sum():
    rng = np.random.default_rng(8)
    x = (rng.standard_normal((8, 512)) * 1000).astype(np.float32)
    body = '%r = asc.sum "N" %0 axes [1] : tensor<8x512xf32>'
    assert_same(run([((8, 512), "f32")], ((8, 1), "f32"), body, [x]), lanes_sum(x))


def test_low_sums_accumulate_in_f32():
    # In bf16 the sum would stay at 256.
    x = np.ones((1, 1000), BF16)
    body = '%r = asc.sum "N" %0 axes [1] : tensor<1x1000xbf16>'
    assert run([((1, 1000), "bf16")], ((1, 1), "bf16"), body, [x])[0, 0] == 1000


@pytest.mark.parametrize("name, want", [("max", np.nan), ("min", np.nan)])
def test_nan_goes_through_extremes(name, want):
    x = np.array([[1, np.nan, -3, 2], [0.0, -0.0, 0.0, -0.0]], np.float32)
    body = f'%r = asc.{name} "N" %0 axes [1] : tensor<2x4xf32>'
    got = run([((2, 4), "f32")], ((2, 1), "f32"), body, [x])
    assert np.isnan(got[0, 0]) and got[1, 0] == 0
    assert np.signbit(got[1, 0]) == (name == "min")


@pytest.mark.parametrize("element", INTEGERS)
def test_integer_reductions(element):
    rng = np.random.default_rng(9)
    x = special(element, rng, 64).reshape(2, 32)
    case, kept = ((2, 32), element), ((2, 1), element)
    for name, want in dict(
        sum=np.sum(x, 1, keepdims=True, dtype=x.dtype),
        max=np.max(x, 1, keepdims=True),
        min=np.min(x, 1, keepdims=True),
    ).items():
        body = f'%r = asc.{name} "N" %0 axes [1] : tensor<2x32x{element}>'
        assert_same(run([case], kept, body, [x]), want)


@pytest.mark.parametrize("element", FLOATS)
def test_matmul(element):
    rng = np.random.default_rng(10)
    a = rng.standard_normal((2, 5, 24)).astype(TYPES[element])
    b = rng.standard_normal((2, 24, 7)).astype(TYPES[element])
    inputs = [((2, 5, 24), element), ((2, 24, 7), element)]
    body = f'%r = asc.matmul "N" %0, %1 : tensor<2x5x24x{element}>, tensor<2x24x7x{element}>'
    got = run(inputs, ((2, 5, 7), element), body, [a, b])
    wide = np.float64 if element == "f64" else np.float32
    want = np.zeros((2, 5, 7), wide)
    for k in range(24):
        want = want + a[:, :, k : k + 1].astype(wide) * b[:, k : k + 1].astype(wide)
    assert_same(got, want.astype(TYPES[element]))


@pytest.mark.parametrize("exponent", [2, 3, 0.5, -0.5, -1, -2, 0, 1, 2.5])
def test_powers(exponent):
    rng = np.random.default_rng(11)
    x = special("f32", rng, 512)
    case = ((512,), "f32")
    body = f'%c = asc.scalar "C" {float(exponent)} : f32\n%r = asc.pow "N" %0, %c : tensor<512xf32>, f32'
    got = run([case], case, body, [x])
    exact = {
        2: x * x,
        3: x * x * x,
        0.5: np.sqrt(x),
        -0.5: one / np.sqrt(x),
        -1: one / x,
        -2: one / (x * x),
    }
    if exponent in exact:
        assert_same(got, exact[exponent])
    else:
        np.testing.assert_allclose(got, np.power(x, np.float32(exponent)), rtol=1e-6)


@pytest.mark.parametrize("base", [2.0, 0.5, 3.0, 10.0])
def test_powers_of_constants(base):
    x = np.linspace(-20, 20, 4096).astype(np.float32)
    case = ((4096,), "f32")
    body = f'%c = asc.scalar "C" {base} : f32\n%r = asc.pow "N" %c, %0 : f32, tensor<4096xf32>'
    got = run([case], case, body, [x])
    np.testing.assert_allclose(got, np.power(np.float32(base), x), rtol=1e-6)


# ---------------------------------------------------------------------------
# Memory
# ---------------------------------------------------------------------------

WINDOW = """
graph.func incore @k(in %x: !graph.tensor<8x6xf32>, inout %o: !graph.tensor<8x6xf32>,
                     in %i: index, in %s: f32, in %n: i32) {
  %0 = asc.load "L0" %x[%i, 1] : !graph.tensor<8x6xf32> -> tensor<2x4xf32>
  %1 = asc.load "L1" %o[4, 2] : !graph.tensor<8x6xf32> -> tensor<2x4xf32>
  %2 = asc.add "A" %0, %1 : tensor<2x4xf32>
  %3 = asc.mul "M" %2, %s : tensor<2x4xf32>, f32
  asc.store "S0" %3, %o[0, 0] : tensor<2x4xf32>, !graph.tensor<8x6xf32>
  asc.store "S1" %1, %o[1, 1] : tensor<2x4xf32>, !graph.tensor<8x6xf32>
  graph.return
}
"""


def window(x, o, i, s):
    a, b = x[i : i + 2, 1:5], o[4:6, 2:6].copy()
    o[0:2, 0:4] = (a + b) * np.float32(s)
    o[1:3, 1:5] = b


@pytest.mark.parametrize("order", ["C", "F", "sliced", "reversed"])
@pytest.mark.parametrize("compiled", [False, True])
def test_windows_and_strides(order, compiled):
    rng = np.random.default_rng(12)

    def make():
        x = rng.standard_normal((8, 6)).astype(np.float32)
        if order == "F":
            return np.asfortranarray(x)
        if order == "sliced":
            return np.zeros((16, 18), np.float32)[::2, ::3] + x
        return x[::-1, ::-1] if order == "reversed" else x

    with ir.Context():
        module = ir.Module.parse(WINDOW)
        kernel = kernels.compile(module) if compiled else None
        for i in (0, 3, 6):
            x, o = make(), make()
            want = o.copy()
            window(x, want, i, 0.75)
            args = (x, o, i, 0.75, -1)
            kernel(*args) if compiled else kernels.interpret(module, *args)
            assert_same(np.ascontiguousarray(o), np.ascontiguousarray(want))


def test_window_out_of_range():
    x, o = np.zeros((8, 6), np.float32), np.zeros((8, 6), np.float32)
    with ir.Context():
        module = ir.Module.parse(WINDOW)
        with pytest.raises(
            ValueError, match="tile of extent 2 at 7 does not fit axis 0 of extent 8"
        ):
            kernels.interpret(module, x, o, 7, 1.0, 0)
        kernels.compile(module)(x, o, 100, 1.0, 0)  # The last window that fits.


def test_store_does_not_come_early():
    """A store that stands after a load of the same tensor does not reach it."""
    text = """
    graph.func incore @k(in %x: !graph.tensor<64xf32>, inout %o: !graph.tensor<64xf32>,
                         out %p: !graph.tensor<64xf32>) {
      %0 = asc.load "L0" %x[0] : !graph.tensor<64xf32> -> tensor<64xf32>
      %1 = asc.neg "N" %0 : tensor<64xf32>
      %2 = asc.load "L1" %o[0] : !graph.tensor<64xf32> -> tensor<64xf32>
      asc.store "S0" %1, %o[0] : tensor<64xf32>, !graph.tensor<64xf32>
      %3 = asc.load "L2" %o[0] after ["S0"] : !graph.tensor<64xf32> -> tensor<64xf32>
      %4 = asc.sub "D" %2, %3 : tensor<64xf32>
      asc.store "S1" %4, %p[0] : tensor<64xf32>, !graph.tensor<64xf32>
      graph.return
    }"""
    for compiled in (False, True):
        x = np.arange(64, dtype=np.float32)
        o, p = np.full(64, 100, np.float32), np.zeros(64, np.float32)
        with ir.Context():
            module = ir.Module.parse(text)
            execute(module, compiled, x, o, p)
        assert (o == -x).all() and (p == 100 + x).all()


def test_control_edges_decide_the_order():
    text = """
    graph.func incore @k(inout %o: !graph.tensor<8xf32>) {
      %0 = asc.load "L" %o[0] after ["S"] : !graph.tensor<8xf32> -> tensor<8xf32>
      %1 = asc.add "A" %0, %0 : tensor<8xf32>
      asc.store "T" %1, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
      %c = asc.scalar "C" 3.0 : f32
      %2 = asc.broadcast "B" %c : f32 to tensor<8xf32>
      asc.store "S" %2, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
      graph.return
    }"""
    for compiled in (False, True):
        o = np.zeros(8, np.float32)
        with ir.Context():
            module = ir.Module.parse(text)
            execute(module, compiled, o)
        assert (o == 6).all()


# ---------------------------------------------------------------------------
# Arguments
# ---------------------------------------------------------------------------


def test_wrong_arguments():
    x, o = np.zeros((8, 6), np.float32), np.zeros((8, 6), np.float32)
    with ir.Context():
        module = ir.Module.parse(WINDOW)
        kernel = kernels.compile(module)
    good = [x, o, 0, 1.0, 0]
    readonly = o.copy()
    readonly.flags.writeable = False
    unaligned = np.zeros(8 * 6 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(8, 6)
    for position, value, error, match in [
        (
            0,
            x.astype(np.float64),
            TypeError,
            "x: expected elements float32, got float64",
        ),
        (0, x[:7], ValueError, r"x: expected shape \(8, 6\), got \(7, 6\)"),
        (0, x[0], ValueError, "x: expected shape"),
        (0, [[1.0]], TypeError, "x: expected a NumPy array"),
        (1, readonly, ValueError, "o: the array is read-only"),
        (1, unaligned, ValueError, "o: elements of the array are not aligned"),
        (2, 1.5, TypeError, "i: expected an integer"),
        (2, True, TypeError, "i: expected an integer"),
        (4, 2**31, OverflowError, "n: "),
        (3, "x", ValueError, "s: "),
        (3, x, TypeError, "s: expected a number"),
    ]:
        bad = list(good)
        bad[position] = value
        with pytest.raises(error, match=match):
            kernel(*bad)
    with pytest.raises(TypeError, match="@k takes 5 arguments, got 4"):
        kernel(*good[:4])
    kernel(*good)


def test_overlapping_arrays():
    text = make_kernel(
        [((8,), "f32")], ((8,), "f32"), '%r = asc.neg "N" %0 : tensor<8xf32>'
    )
    with ir.Context():
        kernel = kernels.compile(ir.Module.parse(text))
    base = np.arange(12, dtype=np.float32)
    want = -base[2:10]
    kernel(base[2:10], base[:8])
    assert (base[:8] == want).all()
    with ir.Context():
        two = kernels.compile(
            ir.Module.parse("""
        graph.func incore @k(out %o: !graph.tensor<8xf32>, out %p: !graph.tensor<8xf32>) {
          %c = asc.scalar "C" 1.0 : f32
          %0 = asc.broadcast "B" %c : f32 to tensor<8xf32>
          asc.store "S" %0, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
          asc.store "T" %0, %p[0] : tensor<8xf32>, !graph.tensor<8xf32>
          graph.return
        }""")
        )
    with pytest.raises(ValueError, match="written arrays overlap: o and p"):
        two(base[:8], base[4:])


def test_which_kernel():
    one_kernel = make_kernel(
        [((8,), "f32")], ((8,), "f32"), '%r = asc.neg "N" %0 : tensor<8xf32>'
    )
    with ir.Context():
        module = ir.Module.parse(one_kernel + one_kernel.replace("@k", "@other"))
        with pytest.raises(ValueError, match="2 kernels"):
            kernels.compile(module)
        with pytest.raises(ValueError, match="0 kernels of the name 'nobody'"):
            kernels.compile(module, "nobody")
        x, o = np.ones(8, np.float32), np.zeros(8, np.float32)
        kernels.compile(module, "other")(x, o)
        assert (o == -1).all()
        function = module.body.operations[0]
        before = str(module)
        kernels.compile(function)(x, o)
        assert str(module) == before
        with pytest.raises(TypeError, match=r"expected a graph\.FuncOp"):
            kernels.compile(3)


def test_other_operations():
    """Kernels may compute offsets; what the interpreter does not know is an error."""
    text = """
    graph.func incore @k(in %x: !graph.tensor<?x4xf32>, out %o: !graph.tensor<2x4xf32>, in %i: i32) {
      %c2 = arith.constant 2 : index
      %j = arith.index_cast %i : i32 to index
      %k = arith.muli %j, %c2 : index
      %0 = asc.load "L" %x[%k, 0] : !graph.tensor<?x4xf32> -> tensor<2x4xf32>
      asc.store "S" %0, %o[0, 0] : tensor<2x4xf32>, !graph.tensor<2x4xf32>
      graph.return
    }"""
    x = np.arange(40, dtype=np.float32).reshape(10, 4)
    with ir.Context():
        module = ir.Module.parse(text)
        for compiled in (False, True):
            o = np.zeros((2, 4), np.float32)
            execute(module, compiled, x, o, 3)
            assert (o == x[6:8]).all()
        module = ir.Module.parse(text.replace("arith.muli", "arith.divsi"))
        with pytest.raises(ValueError, match=r"does not know 'arith.divsi'"):
            kernels.interpret(module, x, o, 3)


def test_bodies_without_nodes():
    """Kernels of other operations are lowered too, as far as upstream can."""
    text = """
    graph.func incore @k(in %x: !graph.tensor<8xf32>, inout %o: !graph.tensor<8xf32>) {
      %0 = graph.load %x[0] : !graph.tensor<8xf32> -> tensor<8xf32>
      %1 = linalg.BODY ins(%0, %0 : tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
      graph.store %1, %o[0] : tensor<8xf32>, !graph.tensor<8xf32>
      graph.return
    }"""
    with ir.Context():
        x, o = np.ones(8, np.float32), np.zeros(8, np.float32)
        kernels.compile(ir.Module.parse(text.replace("BODY", "add")))(x, o)
        assert (o == 2).all()
        atomic = text.replace("BODY", "add").replace("%o[0]", "%o[0] {atomic_add}")
        with pytest.raises(ir.MLIRError, match="atomic_add"):
            kernels.compile(ir.Module.parse(atomic))
