# RUN: %pytest %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builders of the operations, by the text they give."""

import gc
import threading

import pytest
from mlir.dialects import arith, scf
from mlir.ir import (
    Context,
    DenseI64ArrayAttr,
    F32Type,
    FlatSymbolRefAttr,
    IndexType,
    InsertionPoint,
    Location,
    Module,
    OpResult,
)
from mlir.ir import loc_tracebacks as tracebacks
from pypto_graph.dialects import graph

TENSOR = "!graph.tensor<16x128xf32>"


@pytest.fixture(autouse=True)
def module():
    """An empty module whose body is the insertion point."""
    with Context() as context:
        module = Module.create(Location.unknown(context))
        with InsertionPoint(module.body):
            yield module
        assert context.emit_error_diagnostics is False


@pytest.fixture
def tensor():
    return graph.TensorType.get([16, 128], F32Type.get())


def body(module) -> str:
    """The text of the last function's body, the only one with a body; the module must be valid."""
    module.operation.verify()
    text = str(Module.parse(str(module), module.context))
    assert text == str(module), "the text does not round trip"
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.endswith("{") and i > 0)
    return "\n".join(line[2:] for line in lines[start + 1 : -2])


def same(module, text: str) -> None:
    """Checks the text of a whole module, which also says it is valid."""
    module.operation.verify()
    assert str(module) == str(Module.parse(text, module.context))


# ---------------------------------------------------------------------------
# Functions
# ---------------------------------------------------------------------------


def test_declarations(module, tensor):
    index = IndexType.get()
    graph.declare("incore", "a", {"x": tensor, "o": graph.Out(tensor)}, ["%o", index])
    graph.declare(
        graph.FunctionKind.AIV,
        "b",
        [("x", "in", tensor), ("o", graph.ParamDirection.INOUT, tensor), ("n", index)],
        ["%o"],
    )
    graph.declare("spmd", "c", [graph.InOut(tensor, "o")], core_num=4)
    graph.declare("opaque", "d", level="chip", role="worker")
    same(
        module,
        f"""
        graph.func private incore @a(in %x: {TENSOR}, out %o: {TENSOR}) -> (%o, index)
        graph.func private aiv @b(in %x: {TENSOR}, inout %o: {TENSOR}, in %n: index)
            -> (%o)
        graph.func private spmd @c(inout %o: {TENSOR}) attributes {{core_num = 4 : i64}}
        graph.func private opaque @d()
            attributes {{level = "chip", role = "worker"}}
        """,
    )


def test_types_as_text(module):
    graph.declare(
        "incore", "k", {"x": graph.InOut(TENSOR), "n": "index"}, ["%x", "i32"]
    )
    same(
        module,
        f"graph.func private incore @k(inout %x: {TENSOR}, in %n: index) -> (%x, i32)",
    )


@pytest.mark.parametrize("kind", graph.FunctionKind)
def test_every_kind(module, kind):
    f = graph.declare(kind, "f")
    assert f.kind is kind
    assert f"graph.func private {kind} @f()" in str(module)


def test_signature_of_a_function(module, tensor):
    parsed = Module.parse(
        f"graph.func private incore @k(in %x: {TENSOR}, inout %o: {TENSOR},"
        " in %n: index) -> (index, %o)"
    )
    f = parsed.body.operations[0]
    assert (f.name, f.kind) == ("k", graph.FunctionKind.INCORE)
    assert f.is_declaration
    assert f.params == [
        graph.In(tensor, "x"),
        graph.InOut(tensor, "o"),
        graph.In(IndexType.get(), "n"),
    ]
    assert f.ties == [None, 1]
    assert [str(t) for t in f.type.results] == ["index", TENSOR]
    f.kind = "aic"
    assert f.kind is graph.FunctionKind.AIC
    with pytest.raises(ValueError, match="declaration"):
        _ = f.arguments


def test_context_manager(module, tensor):
    params = {"x": tensor, "n": IndexType.get()}
    with graph.func("orchestration", "main", params, visibility="nested") as f:
        x, n = f.arguments
        graph.return_(n, x)
    assert f.ties == [1, 0]
    same(
        module,
        f"""
        graph.func nested orchestration @main(in %x: {TENSOR}, in %n: index)
            -> (%n, %x) {{
          graph.return %n, %x : index, {TENSOR}
        }}
        """,
    )


def test_decorator(module, tensor):
    @graph.func("orchestration")
    def main(x: graph.In(tensor), o: graph.InOut(tensor), n: IndexType.get()):
        return o

    assert isinstance(main, graph.FuncOp)
    same(
        module,
        f"""
        graph.func orchestration @main(in %x: {TENSOR}, inout %o: {TENSOR}, in %n: index)
            -> (%o) {{
          graph.return %o : {TENSOR}
        }}
        """,
    )


def test_decorator_with_postponed_annotations(module):
    tensor = graph.TensorType.get([1], "f32")
    scope = {"graph": graph, "tensor": tensor}
    exec(
        "from __future__ import annotations\n"
        "@graph.func('orchestration')\n"
        "def main(x: graph.In(tensor)):\n  pass\n",
        scope,
    )
    assert scope["main"].params == [graph.In(tensor, "x")]


def test_decorator_takes_names_from_the_python_function(module, tensor):
    @graph.func("orchestration", "entry", params=[tensor, graph.InOut(tensor)])
    def main(first, second):
        return first, second

    assert main.name == "entry"
    assert [p.name for p in main.params] == ["first", "second"]
    assert main.ties == [0, 1]


def test_results_that_are_not_tied(module, tensor):
    @graph.func("orchestration")
    def main(x: graph.In(tensor)):
        return graph.create(tensor), graph.dim(x, 0)

    assert main.ties == [None, None]
    assert [str(t) for t in main.type.results] == [TENSOR, "index"]


def test_tied_results_are_returned_by_themselves(module, tensor):
    with graph.func("orchestration", "f", {"x": graph.InOut(tensor)}, ["%x"]):
        pass
    assert body(module) == f"  graph.return %x : {TENSOR}"


def test_ties_are_seen_through_calls_and_loops(module, tensor):
    index = IndexType.get()
    k = graph.declare("incore", "k", {"a": tensor, "o": graph.InOut(tensor)}, ["%o"])

    @graph.func("orchestration")
    def main(x: graph.InOut(tensor), y: graph.InOut(tensor), z: graph.InOut(tensor)):
        bounds = [arith.constant(index, i, loc=Location.unknown()) for i in (0, 4, 1)]
        with Location.unknown():
            loop = scf.ForOp(*bounds, [x, y])
            with InsertionPoint(loop.body):
                a, _b = loop.inner_iter_args
                # The first carry stays itself, the second one does not.
                scf.yield_([graph.alias(k(z, a)), a])
        _, task = graph.submit(k, x, z)
        graph.task_dummy(task)
        with graph.scope("incore", task_id=True) as scope:
            graph.yield_(k(x, y))
        window = graph.slice(z, [0, 0], [16, 128])
        return *loop.results, scope.result, scope.task_id, window

    assert main.ties == [0, None, 1, None, None]
    module.operation.verify()


def test_calling_a_function(module, tensor):
    k = graph.declare("incore", "k", {"o": graph.InOut(tensor), "n": "index"}, ["%o"])

    @graph.func("orchestration")
    def main(x: graph.InOut(tensor)):
        result = k(x, 7)
        assert isinstance(result, OpResult)
        return result

    assert "graph.call @k(%x, %c7)" in str(module)
    assert main.ties == [0]


# ---------------------------------------------------------------------------
# Launches
# ---------------------------------------------------------------------------


@pytest.fixture
def kernel(tensor):
    return graph.declare(
        "incore",
        "k",
        {"a": tensor, "o": graph.InOut(tensor), "n": IndexType.get()},
        ["%o", "i32"],
    )


def in_function(params, build):
    with graph.func("orchestration", "main", params) as f:
        build(*f.arguments)
    return f


def test_call(module, tensor, kernel):
    def build(x, o, n):
        out, number = graph.call(
            kernel, x, o, n, directions=["input", "inout", graph.ArgDirection.SCALAR]
        )
        assert (out.type, str(number.type)) == (tensor, "i32")
        graph.call("k", [x, o, n], no_dep=[0])
        graph.call("@k", x, o, n, results=[tensor, "i32"])
        graph.call(FlatSymbolRefAttr.get("k"), x, o, 5)

    in_function({"x": tensor, "o": graph.InOut(tensor), "n": "index"}, build)
    types = f"({TENSOR}, {TENSOR}, index) -> ({TENSOR}, i32)"
    lines = body(module).splitlines()
    assert (
        lines[0] == f"  %0:2 = graph.call @k(input %x, inout %o, scalar %n) : {types}"
    )
    assert lines[1] == (
        f"  %1:2 = graph.call @k(%x, %o, %n) {{no_dep = array<i64: 0>}} : {types}"
    )
    assert lines[2] == f"  %2:2 = graph.call @k(%x, %o, %n) : {types}"
    assert "arith.constant 5 : index" in lines[3]


def test_result_of_a_tied_parameter_has_the_type_of_the_argument(module, tensor):
    unknown = graph.TensorType.get([None, 128], F32Type.get())
    k = graph.declare("incore", "k", {"o": graph.InOut(unknown)}, ["%o", unknown])

    def build(x):
        tied, fresh = k(x)
        assert (tied.type, fresh.type) == (tensor, unknown)

    in_function({"x": graph.InOut(tensor)}, build)
    module.operation.verify()


def test_call_without_results_gives_the_operation(module, tensor):
    k = graph.declare("incore", "k", {"a": tensor})

    def build(x):
        assert isinstance(k(x), graph.CallOp)

    in_function({"x": tensor}, build)
    assert f"graph.call @k(%x) : ({TENSOR}) -> ()" in body(module)


def test_submit_with_every_clause(module, tensor, kernel):
    gate = graph.TensorType.get([4, 1], "i32")

    def build(x, o, n, g):
        t0 = graph.task_dummy()
        array = graph.array_create(4)
        *outs, task = graph.submit(
            kernel,
            x,
            o,
            n,
            deps=[t0, array],
            core_num=n,
            predicate=graph.Predicate(g, [n, 0], graph.Comparison.GT, 0),
            sync_start=True,
            directions=["input", "inout", "scalar"],
            no_dep=[1],
        )
        assert [str(out.type) for out in outs] == [TENSOR, "i32"]
        assert isinstance(task.type, graph.TaskIdType)

    params = {"x": tensor, "o": graph.InOut(tensor), "n": "index", "g": gate}
    in_function(params, build)
    line = next(li for li in body(module).splitlines() if "submit" in li)
    assert line.split(" = ", 1)[1] == (
        "graph.submit @k(input %x, inout %o, scalar %n) "
        "deps(%0, %1 : !graph.task_id, !graph.array<4 x !graph.task_id>) "
        "core_num(%n) predicate(%g[%n, 0] gt %c0_i32 : !graph.tensor<4x1xi32>) "
        "{no_dep = array<i64: 1>, sync_start} "
        f": ({TENSOR}, {TENSOR}, index) -> ({TENSOR}, i32, !graph.task_id)"
    )


def test_submit_of_a_prefix(module, tensor):
    k = graph.declare(
        "incore", "k", {"a": tensor, "o": graph.Out(tensor)}, ["%o", "%a"]
    )

    def build(x):
        fresh, same_, task = graph.submit(k, x)
        assert fresh.type == same_.type == tensor
        graph.submit(k, x, deps=task)

    f = in_function({"x": tensor}, build)
    assert f.ties == []
    assert f"graph.submit @k(%x) : ({TENSOR}) ->" in body(module)


def test_submit_without_results_gives_the_task_id(module, tensor):
    k = graph.declare("incore", "k", {"a": tensor})

    def build(x):
        assert isinstance(graph.submit(k, x).type, graph.TaskIdType)

    in_function({"x": tensor}, build)


def test_predicate_as_a_tuple_with_an_unsigned_gate(module, tensor):
    k = graph.declare("incore", "k", {"a": tensor})
    gate = graph.TensorType.get([8], "ui8")

    def build(x, g):
        graph.submit(k, x, predicate=(g, [3], "!=", 255))

    in_function({"x": tensor, "g": gate}, build)
    assert "predicate(%g[3] ne %c-1_i8 : !graph.tensor<8xui8>)" in body(module)


def test_task_dummy(module):
    def build():
        a = graph.task_dummy()
        b = graph.task_dummy(deps=a)
        graph.task_dummy([a, b])

    in_function({}, build)
    assert body(module).splitlines()[2] == (
        "  %2 = graph.task_dummy deps(%0, %1 : !graph.task_id, !graph.task_id) "
        ": !graph.task_id"
    )


# ---------------------------------------------------------------------------
# Buffers, arrays, scopes, kernels
# ---------------------------------------------------------------------------


def test_create(module):
    def build(n):
        f32 = F32Type.get()
        graph.create([128, 128], f32)
        graph.create([n, 128], f32)
        graph.create(graph.TensorType.get([None, 4], f32), sizes=[n])
        graph.create("!graph.tensor<i8>")

    in_function({"n": "index"}, build)
    assert body(module).splitlines()[:4] == [
        "  %0 = graph.create : !graph.tensor<128x128xf32>",
        "  %1 = graph.create(%n) : !graph.tensor<?x128xf32>",
        "  %2 = graph.create(%n) : !graph.tensor<?x4xf32>",
        "  %3 = graph.create : !graph.tensor<i8>",
    ]


def test_full(module, tensor):
    def build(x):
        graph.full(tensor, x)
        graph.full([4], 3, "ui8")
        graph.full([4], True, "i1")

    in_function({"x": "f32"}, build)
    text = body(module)
    assert f"graph.full %x : {TENSOR}" in text
    assert "graph.full %c3_i8 : !graph.tensor<4xui8>" in text
    assert "graph.full %true : !graph.tensor<4xi1>" in text


def test_slice_mixes_literals_and_values(module, tensor):
    def build(w, off, n):
        result = graph.slice(w, [off, 0], [8, n])
        assert result.type.shape == (8, None)
        offset = arith.ConstantOp(IndexType.get(), 4, loc=Location.unknown())
        graph.slice(result, [0, offset], [8, 1])

    in_function({"w": tensor, "off": "index", "n": "index"}, build)
    lines = body(module).splitlines()
    assert lines[0] == (
        f"  %0 = graph.slice %w[%off, 0] [8, %n] : {TENSOR} to !graph.tensor<8x?xf32>"
    )
    assert "graph.slice %0[0, %c4] [8, 1]" in lines[2]


def test_view_cast_dim_read_alias(module, tensor):
    def build(w, n):
        graph.view(w, [8, 2, n])
        graph.cast(w, [None, 128])
        graph.cast(w, "!graph.tensor<16x?xf32>")
        graph.dim(w, n)
        assert str(graph.read(w, [n, 0]).type) == "f32"
        graph.alias(w)
        graph.dim(w, 1)

    in_function({"w": tensor, "n": "index"}, build)
    assert body(module).splitlines()[:6] == [
        f"  %0 = graph.view %w [8, 2, %n] : {TENSOR} to !graph.tensor<8x2x?xf32>",
        f"  %1 = graph.cast %w : {TENSOR} to !graph.tensor<?x128xf32>",
        f"  %2 = graph.cast %w : {TENSOR} to !graph.tensor<16x?xf32>",
        f"  %3 = graph.dim %w, %n : {TENSOR}",
        f"  %4 = graph.read %w[%n, 0] : {TENSOR}",
        f"  %5 = graph.alias %w : {TENSOR}",
    ]
    assert "graph.dim %w, %c1" in body(module)


def test_arrays(module):
    def build(n):
        array = graph.array_create(4)
        task = graph.task_dummy()
        array = graph.array_insert(task, array, n)
        array = graph.array_insert(task, array, 3)
        assert isinstance(graph.array_extract(array, n).type, graph.TaskIdType)
        numbers = graph.array_create(graph.ArrayType.get(2, "f32"))
        numbers = graph.array_insert(1.5, numbers, 0)
        graph.array_extract(numbers, 1)
        graph.array_create(2, "index")

    in_function({"n": "index"}, build)
    text = body(module)
    ids = "!graph.array<4 x !graph.task_id>"
    assert f"%2 = graph.array.insert %1, %0[%n] : {ids}" in text
    assert f"%3 = graph.array.insert %1, %2[3] : {ids}" in text
    assert f"graph.array.extract %3[%n] : {ids}" in text
    assert "graph.array.extract %6[1] : !graph.array<2 x f32>" in text
    assert "graph.array.create : !graph.array<2 x index>" in text


def test_scope_finds_out_its_results(module, tensor):
    k = graph.declare("incore", "k", {"o": graph.InOut(tensor)}, ["%o"])

    def build(x):
        with graph.scope("graph", "layer") as layer:
            graph.yield_(k(x))
        with graph.scope(
            "incore", deps=graph.task_dummy(), core_num=2, task_id=True
        ) as device:
            inner = k(layer.result)
            graph.yield_(inner, graph.dim(inner, 0))
        out, extent = device.results
        assert (out.type, str(extent.type)) == (tensor, "index")
        assert isinstance(device.task_id.type, graph.TaskIdType)
        assert device.op.kind is graph.ScopeKind.INCORE
        with graph.scope("manual", results=[tensor]) as manual:
            graph.yield_(out)
        with graph.scope("auto") as auto:
            pass
        assert (len(manual.results), auto.results) == (1, ())
        graph.return_(manual.result)

    in_function({"x": graph.InOut(tensor)}, build)
    module.operation.verify()
    text = str(module)
    assert f'graph "layer" -> ({TENSOR})' in text
    assert f"core_num(%c2) -> ({TENSOR}, index, !graph.task_id)" in text
    # The constants of the clauses are made once.
    assert text.count("arith.constant 2") == 1


def test_scope_with_a_gate(module, tensor):
    gate = graph.TensorType.get([4], "i32")

    def build(g):
        with graph.scope("incore", "part", predicate=(g, [1], "lt", 3)):
            pass

    in_function({"g": gate}, build)
    assert "predicate(%g[1] lt %c3_i32 : !graph.tensor<4xi32>)" in body(module)


def test_values_of_a_scope_body_stay_usable(module, tensor):
    def build(x):
        with graph.scope("manual") as scope:
            inside = graph.alias(x)
            graph.yield_(inside)
        assert inside.owner.operation.parent.operation == scope.op.operation
        assert "graph.alias" in str(inside.owner.operation.parent)

    in_function({"x": tensor}, build)


def test_kernel_bodies(module, tensor):
    def build(a, o, i):
        tile = graph.load(a, [i, 0], [4, 128])
        graph.store(tile, o, [0, i])
        graph.store(graph.load(a, [0, 0], tile.type), o, [0, 0], atomic_add=True)

    with graph.func(
        "incore", "k", {"a": tensor, "o": graph.InOut(tensor), "i": "index"}
    ) as f:
        build(*f.arguments)
    assert body(module).splitlines()[:4] == [
        f"  %0 = graph.load %a[%i, 0] : {TENSOR} -> tensor<4x128xf32>",
        f"  graph.store %0, %o[0, %i] : tensor<4x128xf32>, {TENSOR}",
        f"  %1 = graph.load %a[0, 0] : {TENSOR} -> tensor<4x128xf32>",
        f"  graph.store %1, %o[0, 0] {{atomic_add}} : tensor<4x128xf32>, {TENSOR}",
    ]


def test_runtime(module):
    assert graph.get_runtime(module) is graph.Runtime.TENSORMAP_AND_RINGBUFFER
    graph.set_runtime(module, "host_build_graph")
    assert graph.get_runtime(module) is graph.Runtime.HOST_BUILD_GRAPH
    assert "graph.runtime = #graph.runtime<host_build_graph>" in str(module)


def test_parallel_loops(module):
    def build(n):
        with Location.unknown():
            loop = scf.ForOp(arith.constant(IndexType.get(), 0), n, n)
            with InsertionPoint(loop.body):
                scf.yield_([])
        graph.mark_parallel(loop)

    in_function({"n": "index"}, build)
    module.operation.verify()
    assert "{graph.parallel}" in str(module)


def test_slots(module, tensor):
    params = {"a": tensor, "n": "index", "b": graph.InOut(tensor)}
    with graph.func("graph", "f", params) as f:
        pass
    assert f.slots == [0, 1]
    f.operation.attributes["graph.slots"] = DenseI64ArrayAttr.get([1, 0])
    assert f.slots == [1, 0]
    module.operation.verify()


def test_a_function_keeps_its_module():
    def build():
        module = Module.create(Location.unknown())
        return graph.declare(
            "incore", "k", {"n": "index"}, ip=InsertionPoint(module.body)
        )

    kernels = [build() for _ in range(3)]
    gc.collect()
    assert [k.params[0].name for k in kernels] == ["n"] * 3
    assert "@k" in str(kernels[0].operation.parent)


# ---------------------------------------------------------------------------
# Places
# ---------------------------------------------------------------------------


def test_locations(module, tensor):
    place = Location.file("model.py", 3, 7)
    f = graph.declare("incore", "a", loc=place)
    assert f.operation.location == place
    with place:
        assert graph.declare("incore", "b").operation.location == place
    assert graph.declare("incore", "c").operation.location == Location.unknown()


def test_locations_of_the_python_stack(module, tensor):
    with tracebacks(max_depth=1), graph.func("orchestration", "f", {"x": tensor}) as f:
        graph.alias(f.arguments[0])
        graph.dim(f.arguments[0], 0)
    for op in f.entry_block.operations:
        assert "test_builders.py" in str(op.operation.location), op


def test_insertion_point_of_choice(module, tensor):
    with graph.func("orchestration", "f", {"x": tensor}) as f:
        x = f.arguments[0]
        graph.dim(x, 0)
        graph.alias(x, ip=InsertionPoint.at_block_begin(f.entry_block))
    assert body(module).splitlines()[0] == f"  %0 = graph.alias %x : {TENSOR}"


def test_an_insertion_point_is_enough():
    """Everything is built without a context, location or insertion point in force."""
    context = Context()
    module = Module.create(Location.unknown(context))
    top = InsertionPoint(module.body)
    graph.set_runtime(module, graph.Runtime.HOST_BUILD_GRAPH)
    tensor = graph.TensorType.get([4], "i32", context=context)
    params = {"a": tensor, "o": graph.InOut(tensor), "n": "index"}
    k = graph.declare("incore", "k", params, ["%o", "i32"], ip=top)
    function = graph.FuncOp("orchestration", "main", params, ["index"], ip=top)
    with_body = graph.func("incore", "body", params, ["%o"], ip=top)
    a, o, n = function.arguments

    def build():
        # Another thread has nothing in force.
        assert Context.current is None
        ip = InsertionPoint(function.entry_block)
        x = graph.create([4], "i32", ip=ip)
        x = graph.slice(graph.view(x, [2, 2], ip=ip), [n, 0], [1, 2], ip=ip)
        x = graph.cast(graph.view(x, [2], ip=ip), [None], ip=ip)
        graph.alias(graph.full([4], 3, "ui8", ip=ip), ip=ip)
        graph.read(x, [0], ip=ip)
        task = graph.task_dummy(ip=ip)
        array = graph.array_insert(task, graph.array_create(4, ip=ip), 0, ip=ip)
        graph.call(k, a, o, 3, directions=["input", "inout", "scalar"], ip=ip)
        graph.submit(
            k, a, o, n, deps=[array], core_num=2, predicate=(a, [0], "<", 1), ip=ip
        )
        graph.array_extract(array, 0, ip=ip)
        with graph.scope("manual", ip=ip) as scope:
            graph.yield_(graph.alias(o))
        graph.return_(graph.dim(scope.result, 0, ip=ip), ip=ip)
        with with_body as body:
            tile = graph.load(body.arguments[0], [0], [4])
            graph.store(tile, body.arguments[1], [0])

    thread = threading.Thread(target=build)
    thread.start()
    thread.join()
    module.operation.verify()
    assert "graph.return %" in str(module)
    assert "graph.store" in str(module)


def test_every_operation_has_a_builder_and_a_class():
    from pypto_graph.dialects import _graph_ops_gen as generated

    operations = [
        name
        for name, value in vars(generated).items()
        if isinstance(value, type) and hasattr(value, "OPERATION_NAME")
    ]
    assert len(operations) >= 20
    for name in operations:
        assert name in graph.__all__
        assert getattr(graph, name) is not getattr(generated, name)
        mnemonic = getattr(graph, name).OPERATION_NAME.removeprefix("graph.")
        function = mnemonic.replace(".", "_")
        if function in ("return", "yield"):
            function += "_"
        assert callable(getattr(graph, function)), name
        assert function in graph.__all__
