# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that compute scalars.

Every `index` stays between known bounds and never becomes negative, so that the
windows taken with it are in range whatever the arguments are.
"""

from __future__ import annotations

from collections.abc import Callable

from .values import FLOATS, INTEGERS, SCALAR_TYPES, Env, Scalar, Source
from .writer import Writer

# No index is larger than this.
LIMIT = 4096


def usable(env: Env, type_: str) -> list[Scalar]:
    """The scalars of a type, without those that vary in no known way."""
    return [
        scalar
        for scalar in env.scalars
        if scalar.type == type_ and not scalar.source & Source.VARYING
    ]


def pick(w: Writer, env: Env, type_: str = "index") -> Scalar:
    """A scalar that arithmetic may use; a constant when there is none."""
    known = usable(env, type_)
    varying = [scalar for scalar in known if not scalar.is_invariant]
    if varying and w.maybe(0.5):
        return w.rng.choice(varying)
    if known and w.maybe(0.9):
        # What was computed last is used most.
        return w.rng.choice(known[-6:] if w.maybe(0.6) else known)
    return make_constant(w, type_)


def make_constant(w: Writer, type_: str) -> Scalar:
    """A constant of any scalar type but `ui8`."""
    value = w.rng.choice((0, 1, 2, 3, 4, 8))
    if type_ == "index":
        return w.index(value)
    return Scalar(w.constant(value, type_), type_)


def pick_passable(w: Writer, env: Env, types: tuple[str, ...] = SCALAR_TYPES) -> Scalar:
    """A scalar that may be an operand of a task or of a graph launch."""
    mixed = w.has("mixed-scalar")
    known = [
        scalar
        for scalar in env.scalars
        if scalar.type in types and (not env.in_graph or scalar.is_passable or mixed)
    ]
    derived = [s for s in known[-8:] if not s.is_invariant]
    if derived and w.maybe(0.5):
        return w.rng.choice(derived)
    if known and w.maybe(0.92):
        return w.rng.choice(known[-8:] if w.maybe(0.6) else known)
    return make_constant(w, w.rng.choice([t for t in types if t != "ui8"] or ["index"]))


def pick_invariant(w: Writer, env: Env, limit: int) -> Scalar:
    """An index below `limit` that is the same on every replay."""
    known = [s for s in usable(env, "index") if s.is_invariant and s.high < limit]
    if known and w.maybe(0.7):
        return w.rng.choice(known)
    return w.index(w.rng.randrange(limit))


def define(
    w: Writer, env: Env, text: str, of: tuple[Scalar, ...], **known: object
) -> Scalar:
    """Writes an operation on scalars and adds its result to the environment.

    Its type and bounds are `known`.
    """
    source = Source.CONSTANT
    for operand in of:
        source |= operand.source
    result = Scalar(w.fresh(), **{"source": source, **known})
    w.emit(f"{result.name} = {text}")
    env.scalars.append(result)
    return result


def compute(w: Writer, env: Env) -> Scalar:
    """A statement that computes a scalar of some type."""
    makers: dict[Callable[[Writer, Env], Scalar], int] = {
        compute_index: 12,
        compute_integer: 3,
        compute_float: 3,
        compute_boolean: 2,
        rename: 2,
    }
    return w.rng.choices(list(makers), list(makers.values()))[0](w, env)


def compute_index(w: Writer, env: Env) -> Scalar:
    """A statement that computes an index."""
    rng = w.rng
    a, b = pick(w, env), pick(w, env)
    # Sums of induction variables and parameters can be passed to no task.
    is_mixed = (a.source | b.source) == Source.LOOP | Source.PARAM
    if env.in_graph and is_mixed and not w.has("mixed-scalar", 0.8):
        b = w.index(rng.choice((1, 2, 4)))
    kind = rng.random()
    if kind < 0.3 and a.high * 16 <= LIMIT:
        return scale(w, env, a, rng.choice((2, 4, 8, 16)))
    if kind < 0.5 and a.high + b.high <= LIMIT:
        op = rng.choice(("arith.addi", "arith.addi", "index.add"))
        text = f"{op} {a.name}, {b.name}" + (" : index" if op[0] == "a" else "")
        known = {"type": "index", "low": a.low + b.low, "high": a.high + b.high}
        return define(w, env, text, (a, b), **known)
    if kind < 0.6 and a.high * b.high <= LIMIT:
        return define(
            w,
            env,
            f"arith.muli {a.name}, {b.name} : index",
            (a, b),
            type="index",
            low=a.low * b.low,
            high=a.high * b.high,
        )
    if kind < 0.7:
        op = rng.choice(("min", "max"))
        bound = min if op == "min" else max
        return define(
            w,
            env,
            f"arith.{op}ui {a.name}, {b.name} : index",
            (a, b),
            type="index",
            low=bound(a.low, b.low),
            high=bound(a.high, b.high),
        )
    if kind < 0.8:
        return divide(w, env, a, b)
    if kind < 0.9:
        return choose(w, env, a, b)
    if a.low >= b.high:
        return define(
            w,
            env,
            f"arith.subi {a.name}, {b.name} : index",
            (a, b),
            type="index",
            low=a.low - b.high,
            high=a.high - b.low,
        )
    return clip(w, env, a, rng.choice((2, 4, 8)))


def scale(w: Writer, env: Env, a: Scalar, factor: int) -> Scalar:
    """A multiple of an index."""
    if factor & (factor - 1) == 0 and w.maybe(0.15):
        shift = w.constant(factor.bit_length() - 1)
        text = f"arith.shli {a.name}, {shift} : index"
    else:
        text = f"arith.muli {a.name}, {w.constant(factor)} : index"
    known = {"type": "index", "low": a.low * factor, "high": a.high * factor}
    return define(w, env, text, (a,), **known)


def clip(w: Writer, env: Env, a: Scalar, limit: int) -> Scalar:
    """An index below `limit`."""
    if w.maybe(0.5):
        text = f"arith.remui {a.name}, {w.constant(limit)} : index"
        bounds = (0, limit - 1) if a.high >= limit else (a.low, a.high)
    else:
        text = f"arith.minui {a.name}, {w.constant(limit - 1)} : index"
        bounds = (min(a.low, limit - 1), min(a.high, limit - 1))
    return define(w, env, text, (a,), type="index", low=bounds[0], high=bounds[1])


def divide(w: Writer, env: Env, a: Scalar, b: Scalar) -> Scalar:
    """A quotient; the divisor is positive."""
    if b.low <= 0 or env.in_branch:
        b = w.index(w.rng.choice((2, 3, 4)))
    op = w.rng.choice(("divui", "divui", "divsi", "ceildivui"))
    rounded = b.low - 1 if op == "ceildivui" else 0
    return define(
        w,
        env,
        f"arith.{op} {a.name}, {b.name} : index",
        (a, b),
        type="index",
        low=a.low // b.high,
        high=(a.high + rounded) // b.low,
    )


def choose(w: Writer, env: Env, a: Scalar, b: Scalar) -> Scalar:
    """One of two indices."""
    condition = compare(w, env, a)
    return define(
        w,
        env,
        f"arith.select {condition.name}, {a.name}, {b.name} : index",
        (condition, a, b),
        type="index",
        low=min(a.low, b.low),
        high=max(a.high, b.high),
    )


def compare(w: Writer, env: Env, a: Scalar | None = None) -> Scalar:
    """A condition on an index."""
    a = a or pick(w, env)
    value = w.constant(w.rng.choice((0, 1, 2, 3, a.high // 2)))
    predicate = w.rng.choice(("eq", "ne", "ult", "sge"))
    text = f"arith.cmpi {predicate}, {a.name}, {value} : index"
    return define(w, env, text, (a,), type="i1")


def compute_integer(w: Writer, env: Env) -> Scalar:
    """A statement that computes an integer, or an index from one."""
    type_ = w.rng.choice(INTEGERS)
    a = pick(w, env, type_)
    kind = w.rng.random()
    if kind < 0.3:
        index = pick(w, env)
        text = f"arith.index_cast {index.name} : index to {type_}"
        return define(w, env, text, (index,), type=type_)
    if kind < 0.55:
        limit = w.rng.choice((2, 4, 8))
        rest = define(
            w,
            env,
            f"arith.remui {a.name}, {w.constant(limit, type_)} : {type_}",
            (a,),
            type=type_,
        )
        text = f"arith.index_castui {rest.name} : {type_} to index"
        return define(w, env, text, (rest,), type="index", high=limit - 1)
    op = w.rng.choice(("addi", "muli", "subi", "xori", "maxsi"))
    value = w.constant(w.rng.choice((1, 2, 3, 7)), type_)
    return define(w, env, f"arith.{op} {a.name}, {value} : {type_}", (a,), type=type_)


def compute_float(w: Writer, env: Env) -> Scalar:
    """A statement that computes a float."""
    a = pick(w, env, "f32")
    kind = w.rng.random()
    if kind < 0.2:
        text = f"arith.truncf {a.name} : f32 to bf16"
        return define(w, env, text, (a,), type="bf16")
    if kind < 0.4:
        integer = pick(w, env, "i32")
        text = f"arith.sitofp {integer.name} : i32 to f32"
        return define(w, env, text, (integer,), type="f32")
    type_ = w.rng.choice(FLOATS)
    a = pick(w, env, type_)
    if kind < 0.5:
        return define(w, env, f"math.absf {a.name} : {type_}", (a,), type=type_)
    op = w.rng.choice(("addf", "mulf", "subf"))
    value = w.constant(w.rng.choice((0.5, 2.0, 3.0)), type_)
    return define(w, env, f"arith.{op} {a.name}, {value} : {type_}", (a,), type=type_)


def compute_boolean(w: Writer, env: Env) -> Scalar:
    """A statement that computes a condition."""
    if w.maybe(0.6):
        return compare(w, env)
    a = pick(w, env, "i1")
    text = f"arith.xori {a.name}, {w.constant(1, 'i1')} : i1"
    return define(w, env, text, (a,), type="i1")


def rename(w: Writer, env: Env) -> Scalar:
    """A bare rename, as front ends emit it."""
    a = pick(w, env, w.rng.choice(SCALAR_TYPES[:-1]))
    w.features.add("alias")
    known = {"type": a.type, "low": a.low, "high": a.high}
    return define(w, env, f"graph.alias {a.name} : {a.type}", (a,), **known)
