#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutate the MLIR inputs of the repository and look for crashes of the tools.

Every module of ``test/`` and ``examples/``, in its custom and its generic form, is
changed by bytes and by tokens and put through a tool: the parser, the verifier and
a pipeline of pypto-opt, or the translation or the replay of the module, one process
a case. An error is what bad input should get; a signal, an assertion or no answer
within the time limit is a failure. Failures are told apart by their message,
reduced and written to the output directory.

A case depends on the seed, its number, the target and the inputs alone::

    mutate.py --seconds 600 --seed 7
    mutate.py --target kernels --seconds 600    # or translate, or replay
    mutate.py --seed 7 --case 1234 --print      # show this one
    mutate.py --pipeline 'builtin.module(legalize-graph-boundary)'
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Target:
    """What the cases are put through."""

    tool: str
    commands: tuple[tuple[str, ...], ...]
    """The arguments to choose from; `@entry` stands for a function of the case."""
    seeds: bytes = rb""
    """What an input has to contain, as a pattern."""
    prepare: str = ""
    """A pipeline for the inputs, before anything is changed."""
    codes: tuple[int, ...] = (0, 1)
    """How a run ends that ends well."""
    unregistered: bool = True
    """Whether the tool can be told to read unknown dialects."""


def pipelines(*passes: str) -> tuple[tuple[str, ...], ...]:
    """Commands that run pipelines on a module."""
    return tuple((f"--pass-pipeline=builtin.module({text})",) for text in passes)


TO_FUNCTIONS = "convert-asc-to-linalg,convert-kernels-to-func"
REPLAY = ("--entry=@entry", "--max-steps=1000", "--max-bytes=16777216", "-o=/dev/null")
TARGETS = {
    "graph": Target(
        "pypto-opt",
        pipelines(
            "canonicalize,cse,inline,symbol-dce",
            "inline,cse,canonicalize,symbol-dce",
            "graph-legalize-pipeline",
        ),
    ),
    "kernels": Target(
        "pypto-opt",
        pipelines(
            "verify-asc-graph,improve-precision,asc-dce",
            "improve-precision{blacklist=exp,add},canonicalize,cse",
            "improve-precision{preserve-shared-rounding=false},improve-precision",
            f"improve-precision,{TO_FUNCTIONS},canonicalize,cse",
            f"asc-dce,{TO_FUNCTIONS}{{strided=true}},expand-memref-copies,canonicalize",
            "outline-incore-scopes,improve-precision,convert-asc-to-linalg",
            "expand-memref-copies",
        ),
        seeds=rb"\basc\.|memref\.copy",
    ),
    "translate": Target(
        "pypto-translate",
        (("--graph-to-orchestration", "-o", "/dev/null"),),
        seeds=rb"graph\.(func|scope)",
        prepare="builtin.module(graph-legalize-pipeline)",
    ),
    "replay": Target(
        "pypto-replay",
        (
            REPLAY,
            (*REPLAY, "--calls=3", "--order=random:3", "--fresh-buffers"),
            (*REPLAY, "--symbolic", "--calls=2", "--order=reverse"),
            (*REPLAY, "--eager"),
            (*REPLAY, "--compare=false", "--dump-definition", "--order-readers"),
        ),
        seeds=rb"graph\.func",
        codes=(0, 1, 2),
        unregistered=False,
    ),
}
MAX_SEED_BYTES = 32 * 1024


@dataclass(frozen=True)
class Known:
    """A failure inside of MLIR that no type, attribute or operation of this project
    takes part in: a text of that sort is as fatal to mlir-opt."""

    message: str
    """Exact text of the error output."""
    trigger: bytes
    """Pattern of what the input has to contain for it."""
    reason: str


KNOWN_UPSTREAM = (
    Known(
        "mlir::SparseElementsAttr::getChecked(llvm::function_ref<mlir::InFlightDiagnostic()>, "
        "mlir::ShapedType, mlir::DenseElementsAttr, mlir::DenseElementsAttr): Assertion "
        '`(::llvm::isa<RankedTensorType, VectorType>(type)) && "type must be ranked tensor or '
        "vector\"' failed.",
        b"sparse",
        "the parser of `sparse<…> : type` takes any shaped type, as in memref<2xf32>",
    ),
    Known(
        "unsupported non numeric type\nUNREACHABLE executed at "
        "/project/llvm-project/mlir/lib/Dialect/Linalg/IR/LinalgOps.cpp:520!",
        rb"linalg\.",
        "parsers of named linalg ops build the payload before operand types are checked, as in "
        "linalg.batch_matmul on vector<4x4xf32>",
    ),
    Known(
        "void mlir::detail::Parser::consumeToken(): Assertion `state.curToken.isNot(Token::eof, "
        "Token::error) && \"shouldn't advance past EOF or errors\"' failed.",
        rb"\{-#",
        "the parser of resources in the metadata of a file runs over its end",
    ),
    Known(
        " created with unregistered dialect. If this is intended, please call "
        "allowUnregisteredDialects() on the MLIRContext",
        rb'"\w+\.?"\s*\(',
        "a generic operation whose whole name is that of a loaded dialect is fatal, as in "
        '"builtin"() : () -> ()',
    ),
    Known(
        "mlir::Attribute mlir::NamedAttrList::set(llvm::StringRef, mlir::Attribute): Assertion "
        '`value && "attributes may never be null"\' failed.',
        rb"linalg\.(transpose|broadcast|reduce)",
        "the parsers of linalg.transpose and its like take no list after `permutation =`",
    ),
    Known(
        "llvm::MutableArrayRef<T> llvm::MutableArrayRef<T>::drop_front(size_t) const [with T = "
        "mlir::BlockArgument; size_t = long unsigned int]: Assertion `this->size() >= N && "
        '"Dropping more elements than exist"\' failed.',
        rb'"scf\.for"',
        "the verifier of loops drops the induction variable of an scf.for whose body has no "
        "arguments",
    ),
    Known(
        "unsigned int mlir::Type::getIntOrFloatBitWidth() const: Assertion `isIntOrFloat() && "
        '"only integers and floats have a bitwidth"\' failed.',
        rb"array<\s*(?![fi]\d|bf16)",
        "the parser of dense arrays asks for the width of any type, as in array<index: 0>",
    ),
    Known(
        "[with LookupKeyT = long int; DerivedT = llvm::DenseMap<long int, "
        "llvm::detail::DenseSetEmpty,",
        rb"index_switch",
        "the verifier of scf.index_switch keeps the cases in a set that takes no case "
        "9223372036854775807",
    ),
    Known(
        "mlir/lib/Transforms/Utils/Inliner.cpp:42: void walkReferencedSymbolNodes(",
        rb"\(\s*\{",
        "the inliner aborts on an unregistered operation with a region, which may be a symbol "
        "table (--allow-unregistered-dialect only)",
    ),
)

# What a crash leaves in the error output.
CRASH_MARKERS = (
    "PLEASE report",
    "Stack dump:",
    "Assertion `",
    "AddressSanitizer",
    "runtime error:",
)

TOKEN = re.compile(
    rb"""\s+|//[^\n]*|"(?:[^"\\\n]|\\.)*"|[%^@!#][\w$.\-]*|->|::|[A-Za-z_][\w$.]*"""
    rb"""|-?\d+(?:\.\d*(?:[eE][-+]?\d+)?)?|.""",
    re.DOTALL,
)

# Tokens at the edges of what the parsers and verifiers expect.
DICTIONARY_TEXT = """
    0 1 -1 2 5 6 127 4294967295 4294967296 9223372036854775807 9223372036854775808
    -9223372036854775808 18446744073709551616 0x10 1.0 -0.0 1e400 ? * x [] {} () <> , : = -> ( ) [ ]
    { } < > true false unit none "" "a" "\\00" dense<0> array<i64> array<i64:0> array<i64:-1>
    array<i32:0,0,0> array<i32:-1,1,1> [#graph.dir<in>] {graph.dir=#graph.dir<out>} {graph.name=""}
    {graph.name="a"} {graph.tied="zz"} {graph.slots=array<i64:0>} {graph.parallel}
    {graph.runtime=#graph.runtime<host_build_graph>} {no_dep=array<i64:0>} {sync_start} {core_num=0:i64}
    !graph.tensor<f32> !graph.tensor<4xf32> !graph.tensor<?xf32> !graph.tensor<?x4xui8>
    !graph.tensor<1x1x1x1x1xi1> !graph.tensor<9223372036854775807xi8> !graph.tensor !graph.tensor<>
    !graph.task_id !graph.array<4x!graph.task_id> !graph.array<1xf32> !graph.array<4294967295xi64>
    tensor<4xf32> tensor<?xf32> tensor<*xf32> memref<4xf32> vector<4xf32> tuple<> index i1 i0 i32 ui8 f32
    f64 bf16 complex<f32> (index)->() ()->index !graph.foo #graph.foo #graph.kind<graph> #graph.cmp<eq>
    private public nested opaque orchestration graph incore aic aiv group spmd inline cluster manual auto
    in out inout input output output_existing no_dep scalar eq ne lt le gt ge deps core_num predicate
    attributes to step iter_args arg_attrs res_attrs function_type kind operandSegmentSizes
    static_offsets static_sizes static_indices arg_directions loc("x":1:1) loc(unknown)
    graph.func graph.return graph.call graph.submit graph.task_dummy graph.create graph.full graph.slice
    graph.view graph.cast graph.dim graph.read graph.alias graph.array.create graph.array.insert
    graph.array.extract graph.scope graph.yield graph.load graph.store scf.for scf.if scf.while scf.yield
    scf.condition scf.execute_region arith.constant arith.select arith.addi arith.divsi arith.index_cast
    func.func func.call func.return cf.br module builtin.module linalg.fill linalg.matmul tensor.empty
    affine.for ub.poison
    asc.load asc.store asc.scalar asc.cast asc.add asc.sub asc.mul asc.div asc.maximum asc.pow asc.exp
    asc.log asc.relu asc.compare asc.select asc.where asc.broadcast asc.transpose asc.concat asc.split
    asc.gather asc.sum asc.mean asc.max asc.min asc.matmul after axes axis sizes ["a"] "Load_0" "Store_0"
    tensor<8xbf16> tensor<8xf16> tensor<1xf32> tensor<4x16xbf16> tensor<8xi1> tensor<8xf8E4M3FN>
    tensor<8xf64> tensor<8xui8> tensor<1099511627776xi8> tensor<0xf32> f16 f8E4M3FN f8E5M2 lt
"""
DICTIONARY = tuple(token.encode() for token in DICTIONARY_TEXT.split())
BYTES = b'%@!#^<>(){}[],:=?x0129-"\\/ \n\t\x00\x7f\xff'


@dataclass(frozen=True)
class Outcome:
    """How one run of the tool ended; `failure` is empty for a well-behaved one."""

    failure: str
    returncode: int | None
    stderr: str
    stdout: bytes = b""

    def why_known(self, text: bytes) -> str:
        """Why this failure on `text` is known not to be ours, or an empty string."""
        for known in KNOWN_UPSTREAM:
            if known.message in self.stderr and re.search(known.trigger, text):
                return known.reason
        return ""


@dataclass
class Tool:
    """The tool under test."""

    path: str
    timeout: float
    codes: tuple[int, ...] = (0, 1)
    runs: int = field(default=0)

    def run(self, arguments: Sequence[str], text: bytes) -> Outcome:
        """Run the tool on a text."""
        self.runs += 1
        try:
            done = subprocess.run(
                [self.path, *arguments],
                input=text,
                capture_output=True,
                timeout=self.timeout,
            )
        except subprocess.TimeoutExpired:
            return Outcome(f"no answer within {self.timeout:g} s", None, "")
        stderr = done.stderr.decode(errors="replace")
        bad = done.returncode not in self.codes or any(
            m in stderr for m in CRASH_MARKERS
        )
        return Outcome(
            signature(done.returncode, stderr) if bad else "",
            done.returncode,
            stderr,
            done.stdout,
        )


def check_round_trip(tool: Tool, arguments: Sequence[str], first: Outcome) -> Outcome:
    """Read what the tool printed: it has to be read, and to be printed the same,
    from the generic form too."""
    options = [a for a in arguments if "pipeline" not in a]
    again = tool.run(options, first.stdout)
    generic = tool.run([*options, "--mlir-print-op-generic"], first.stdout)
    back = tool.run(options, generic.stdout)
    for outcome in (again, generic, back):
        if outcome.failure or outcome.returncode != 0:
            error = re.sub(r"^.*?error: ", "", outcome.stderr.partition("\n")[0])
            kind = outcome.failure or re.sub(r"'[^']*'|\d+", "…", error)
            return Outcome(f"is not read again: {kind}", 0, outcome.stderr)
        if outcome is not generic and outcome.stdout != first.stdout:
            return Outcome("is printed in another way when read again", 0, "")
    return first


def signature(returncode: int, stderr: str) -> str:
    """What tells one failure from another."""
    for pattern in (
        r"^.*Assertion `.*failed\.",
        r"^.*\nUNREACHABLE executed at .*",
        r"^LLVM ERROR: .*",
        r"^.*runtime error: .*",
    ):
        found = re.search(pattern, stderr, re.MULTILINE)
        if found:
            return re.sub(r"0x[0-9a-f]+", "0x", found.group())
    # The innermost frames that are not the signal handler's.
    frames = re.findall(
        r"^ *#\d+ 0x[0-9a-f]+ (?:in )?(.*?) ?\(?(?:/\S*)?\)?$", stderr, re.MULTILINE
    )
    names = [
        f
        for f in frames
        if f and not re.search(r"PrintStackTrace|SignalHandler|^\(?/lib", f)
    ]
    return f"exit {returncode}: " + " < ".join(names[:3])


# Whole statements, which leave most modules valid; `{n}` makes names unique.
SNIPPETS = tuple(
    snippet.encode()
    for snippet in (
        "%z{n} = arith.constant 0 : index",
        "%z{n} = arith.constant 3 : index",
        "%z{n} = arith.constant -9223372036854775808 : index",
        "%z{n} = arith.constant 9223372036854775807 : index",
        "%z{n} = arith.constant true",
        "%z{n} = arith.constant 1 : i32",
        "%z{n} = arith.constant 2.0 : f32",
        "%z{n} = graph.create : !graph.tensor<16x128xf32>",
        "%z{n} = graph.task_dummy : !graph.task_id",
        "%z{n} = graph.array.create : !graph.array<4 x !graph.task_id>",
        "%y{n} = arith.constant 5 : index %z{n} = graph.create(%y{n}) : !graph.tensor<?xf32>",
        "%y{n} = graph.create : !graph.tensor<16xf32> %z{n} = graph.slice %y{n}[0] [16] "
        ": !graph.tensor<16xf32> to !graph.tensor<16xf32>",
        "%y{n} = graph.create : !graph.tensor<4xi64> %z{n} = graph.read %y{n}[3] : !graph.tensor<4xi64>",
        "%y{n} = arith.constant true scf.if %y{n} { %t{n} = graph.task_dummy : !graph.task_id }",
        "%x{n} = arith.constant 0 : index %y{n} = arith.constant 4 : index %w{n} = arith.constant 1 : index "
        "scf.for %i{n} = %x{n} to %y{n} step %w{n} { %t{n} = graph.task_dummy : !graph.task_id }",
        "graph.scope manual { %t{n} = graph.task_dummy : !graph.task_id }",
        "graph.scope incore { }",
        'graph.scope graph "layer" { %t{n} = graph.task_dummy : !graph.task_id }',
        '%z{n} = asc.scalar "Z{n}" 1.5 : bf16',
        '%z{n} = asc.scalar "Z{n}" 0x7FC00000 : f32',
        '%z{n} = asc.scalar "Z{n}" 3 : i32',
        '%y{n} = asc.scalar "Y{n}" 2.0 : f16 '
        '%z{n} = asc.broadcast "Z{n}" %y{n} : f16 to tensor<8xf16>',
        '%y{n} = asc.scalar "Y{n}" 2.0 : f32 %x{n} = asc.broadcast "X{n}" %y{n} : f32 to '
        'tensor<4x16xf32> %z{n} = asc.cast "Z{n}" %x{n} : tensor<4x16xf32> to tensor<4x16xbf16>',
    )
)


# Mutations. Each takes the text and returns a changed one.


def mutate_bytes(text: bytearray, rng: random.Random) -> bytearray:
    """Change, insert or drop a few bytes."""
    at = rng.randrange(len(text) + 1)
    match rng.randrange(5):
        case 0:
            text[at : at + 1] = bytes([rng.choice(BYTES)])
        case 1:
            text[at:at] = bytes([rng.choice(BYTES)])
        case 2:
            del text[at : at + rng.randint(1, 8)]
        case 3:
            text[at:at] = text[at : at + rng.randint(1, 32)]
        case _:
            if at < len(text):
                text[at] ^= 1 << rng.randrange(8)
    return text


def mutate_tokens(text: bytearray, rng: random.Random) -> bytearray:
    """Drop, repeat, swap or replace tokens."""
    tokens = TOKEN.findall(bytes(text))
    solid = [i for i, token in enumerate(tokens) if not token.isspace()]
    if not solid:
        return text
    at = rng.choice(solid)
    match rng.randrange(11):
        case 0:
            tokens[at] = b""
        case 1:
            tokens[at] += b" " + tokens[at]
        case 2:
            other = rng.choice(solid)
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 3:
            tokens[at] = tokens[rng.choice(solid)]
        case 4:
            tokens[at] = rng.choice(DICTIONARY)
        case 5:
            tokens[at] += b" " + rng.choice(DICTIONARY)
        case 6 | 7 | 8:
            # One of the same sort, so that more of the text stays meaningful.
            first = tokens[at][:1]
            alike = [i for i in solid if tokens[i][:1] == first]
            tokens[at] = tokens[rng.choice(alike)]
        case _:
            numbers = [
                i
                for i in solid
                if tokens[i][-1:].isdigit() and tokens[i][:1] in b"-0123456789"
            ]
            if numbers:
                at = rng.choice(numbers)
                tokens[at] = rng.choice([t for t in DICTIONARY if t[-1:].isdigit()])
    return bytearray(b"".join(tokens))


def mutate_lines(text: bytearray, rng: random.Random, donor: bytes) -> bytearray:
    """Drop, repeat or swap lines, or take some from another input."""
    lines = bytes(text).split(b"\n")
    at = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[at : at + rng.randint(1, 4)]
        case 1:
            lines[at:at] = lines[at : at + rng.randint(1, 4)]
        case 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines.insert(rng.randrange(len(lines)), lines[at])
        case _:
            donated = donor.split(b"\n")
            start = rng.randrange(len(donated))
            lines[at:at] = donated[start : start + rng.randint(1, 3)]
    return bytearray(b"\n".join(lines))


def mutate_statements(text: bytearray, rng: random.Random) -> bytearray:
    """Add a statement, and use what it makes in place of another value."""
    lines = bytes(text).split(b"\n")
    places = [
        i
        for i, line in enumerate(lines)
        if line.rstrip().endswith(b"{") or re.match(rb"\s*%[\w:, %]+ = [^{]*$", line)
    ]
    if not places:
        return text
    at = rng.choice(places) + 1
    number = b"%d" % rng.randrange(10**6)
    lines.insert(at, rng.choice(SNIPPETS).replace(b"{n}", number))
    uses = [
        (i, use)
        for i in range(at + 1, min(at + 8, len(lines)))
        for use in re.finditer(rb"%\w+(?![\w:]* =)|(?<=[\[ ])\d+(?=[\],])", lines[i])
    ]
    if uses and rng.random() < 0.7:
        i, use = rng.choice(uses)
        lines[i] = lines[i][: use.start()] + b"%z" + number + lines[i][use.end() :]
    return bytearray(b"\n".join(lines))


@dataclass(frozen=True)
class Seeds:
    """The modules to start from."""

    accepted: list[bytes]
    """Those the tool takes: what is made of them gets furthest."""
    refused: list[bytes]

    @property
    def all(self) -> list[bytes]:
        """All of them."""
        return self.accepted + self.refused

    def choose(self, rng: random.Random) -> bytes:
        """One of them, more often one that is accepted."""
        return rng.choice(
            self.accepted if self.accepted and rng.random() < 0.8 else self.all
        )


def make_case(seeds: Seeds, rng: random.Random) -> bytes:
    """One mutated module."""
    text = bytearray(seeds.choose(rng))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        kind = rng.random()
        if kind < 0.1:
            text = mutate_bytes(text, rng)
        elif kind < 0.3:
            text = mutate_statements(text, rng)
        elif kind < 0.85:
            text = mutate_tokens(text, rng)
        else:
            text = mutate_lines(text, rng, seeds.choose(rng))
    return bytes(text)


def choose_entry(text: bytes, rng: random.Random) -> str:
    """The name of a function of a module, more often that of its main one."""
    names = re.findall(rb'graph\.func[\w ]*@([\w.$]+)|sym_name = "([\w.$]+)"', text)
    found = [(a or b).decode() for a, b in names]
    if not found or ("main" in found and rng.random() < 0.5):
        return "main"
    return rng.choice(found)


def find_seeds(roots: Sequence[Path], reader: str, target: Target) -> Seeds:
    """The modules below `roots` for a target, as written and in generic form, or as
    they are prepared."""
    options = ["--mlir-print-op-generic", "--allow-unregistered-dialect"]
    if target.prepare:
        options = [f"--pass-pipeline={target.prepare}"]
    files = sorted(
        f for root in roots for f in root.rglob("*.mlir") if "Output" not in f.parts
    )
    accepted: dict[bytes, None] = {}
    refused: dict[bytes, None] = {}
    for file in files:
        for chunk in re.split(rb"^// -----.*$", file.read_bytes(), flags=re.MULTILINE):
            # Expectations and prose are not worth mutating.
            module = (
                re.sub(rb"^\s*//[^\n]*\n", b"", chunk, flags=re.MULTILINE).strip()
                + b"\n"
            )
            if not 8 < len(module) <= MAX_SEED_BYTES:
                continue
            if not re.search(target.seeds, module):
                continue
            done = subprocess.run(
                [reader, *options],
                input=module,
                capture_output=True,
                timeout=60,
            )
            if done.returncode != 0:
                refused[module] = None
                continue
            if not target.prepare:
                accepted[module] = None
            if len(done.stdout) <= MAX_SEED_BYTES:
                accepted[done.stdout] = None
    return Seeds(list(accepted), list(refused))


# Reduction.


def without_chunks(
    units: list[bytes], fails: Callable[[list[bytes]], bool]
) -> list[bytes]:
    """Leave out runs of units, shorter ones each time, as long as `fails` holds."""
    size = max(1, len(units) // 2)
    while True:
        at = 0
        while at < len(units):
            candidate = units[:at] + units[at + size :]
            if fails(candidate):
                units = candidate
            else:
                at += size
        if size == 1:
            return units
        size //= 2


def reduce_case(
    text: bytes, failure: str, run: Callable[[bytes], Outcome], budget: float
) -> bytes:
    """A smaller text with the same failure; crude: lines first, then tokens."""
    end = time.monotonic() + budget

    def fails_joined(separator: bytes) -> Callable[[list[bytes]], bool]:
        def fails(units: list[bytes]) -> bool:
            return (
                time.monotonic() < end and run(separator.join(units)).failure == failure
            )

        return fails

    lines = without_chunks(text.split(b"\n"), fails_joined(b"\n"))
    tokens = without_chunks(TOKEN.findall(b"\n".join(lines)), fails_joined(b""))
    return b"".join(tokens)


def remark(failure: str) -> str:
    """A failure in one line."""
    return failure.replace("\n", " ")


def case_numbers(first: int, only: int | None) -> Iterator[int]:
    """The numbers of the cases to run."""
    if only is not None:
        yield only
        return
    while True:
        yield first
        first += 1


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=float(os.environ.get("PYPTO_FUZZ_SECONDS", "60")),
        help="wall time to spend (default: PYPTO_FUZZ_SECONDS, else 60)",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--case", type=int, help="run this case only")
    parser.add_argument(
        "--print", action="store_true", help="print the cases instead of running them"
    )
    parser.add_argument("--target", choices=TARGETS, default="graph")
    parser.add_argument(
        "--timeout", type=float, default=10.0, help="seconds for one run"
    )
    parser.add_argument("--output", type=Path, default=Path("fuzz-failures"))
    parser.add_argument(
        "--pipeline",
        action="append",
        help="a pass pipeline to run cases through; may be repeated (default: the target's)",
    )
    parser.add_argument(
        "--round-trip",
        action="store_true",
        help="also require that what the tool prints is read and printed the same",
    )
    parser.add_argument(
        "inputs", nargs="*", type=Path, help="directories of inputs (default: all)"
    )
    return parser.parse_args()


def main() -> int:
    """Run cases until the time is up; return 1 when something failed."""
    options = parse_arguments()
    target = TARGETS[options.target]
    path, reader = shutil.which(target.tool), shutil.which("pypto-opt")
    if not path or not reader:
        print(f"mutate.py: no {target.tool} or no pypto-opt on PATH", file=sys.stderr)
        return 2
    tool = Tool(path, options.timeout, target.codes)
    end = time.monotonic() + options.seconds
    seeds = find_seeds(
        options.inputs or [REPOSITORY / "test", REPOSITORY / "examples"],
        reader,
        target,
    )
    if not seeds.all:
        print("mutate.py: no inputs", file=sys.stderr)
        return 2
    commands = target.commands
    if options.pipeline:
        commands = tuple((f"--pass-pipeline={text}",) for text in options.pipeline)

    failures: dict[str, Path] = {}
    known: dict[str, int] = {}
    accepted = cases = 0
    for number in case_numbers(options.first, options.case):
        if time.monotonic() > end and options.case is None:
            break
        rng = random.Random(f"{options.seed}:{number}")
        text = make_case(seeds, rng)
        entry = choose_entry(text, rng)
        arguments = [a.replace("@entry", f"@{entry}") for a in rng.choice(commands)]
        if rng.random() < 0.2 and target.unregistered:
            arguments.append("--allow-unregistered-dialect")
        if options.print:
            sys.stdout.buffer.write(text)
            if options.case is None:
                break
            continue

        def run(text: bytes, arguments: Sequence[str] = tuple(arguments)) -> Outcome:
            outcome = tool.run(arguments, text)
            if outcome.failure or outcome.returncode != 0 or not options.round_trip:
                return outcome
            return check_round_trip(tool, arguments, outcome)

        cases += 1
        outcome = run(text)
        accepted += outcome.returncode == 0
        if why := outcome.why_known(text):
            known[why] = known.get(why, 0) + 1
            continue
        if not outcome.failure or outcome.failure in failures:
            continue
        small = reduce_case(
            text, outcome.failure, run, budget=min(30.0, 4 * options.timeout)
        )
        options.output.mkdir(parents=True, exist_ok=True)
        file = options.output / f"case-{options.seed}-{number}.mlir"
        command = " ".join([target.tool, *(f"'{a}'" for a in arguments)])
        file.write_bytes(small)
        (options.output / f"{file.stem}.txt").write_text(
            f"{outcome.failure}\n\n{command} {file.name}\n\n{outcome.stderr}"
        )
        failures[outcome.failure] = file
        print(f"{remark(outcome.failure)}\n  {command} {file}", flush=True)

    print(
        f"{cases} cases of {len(seeds.all)} inputs, {accepted} accepted, {tool.runs} runs, "
        f"{len(failures)} failures"
    )
    for why, count in sorted(known.items()):
        print(f"  {count} times, known and not ours: {why}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
