import operator
import weakref

import numpy as np
import pytest

from guardlift.core import dtypes
from guardlift.core.types import TensorType
from guardlift.graph.builder import GraphBuilder
from guardlift.graph.interpreter import run_reference
from guardlift.graph.module import RESERVED, GraphModule, OpaqueCall
from guardlift.graph.node import Location, Write
from guardlift.ops import OPS
from guardlift.ops.call_outs import CALL_OUT, CALL_RESULT

F64 = dtypes.float64


def module_of(build, attributes=(), writes=()):
    """The module of the graph that `build` writes; the inputs at the places `attributes` are attributes of it."""
    builder = GraphBuilder()
    inputs, outputs = build(builder)
    ir = builder.finish(outputs, [Write(inputs[place], value) for place, value in writes])
    return GraphModule(ir, {inputs[place]: array for place, array in attributes})


def two_layers(builder):
    x = builder.input(TensorType((2, 3), F64), "x", Location("/home/user/net.py", 3, "net"))
    w = builder.input(TensorType((3, 2), F64), "w")
    y = builder.add(OPS["matmul"], x, w, location=Location("/home/user/net.py", 4, "net"))
    z = builder.add(OPS["matmul"], y, builder.add(OPS["permute"], w, axes=(1, 0)))
    s = builder.add(OPS["sum"], z, axes=(1,))
    return (x, w), (s, y)


X, W = np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2) - 2


def test_calling_a_module_gives_the_list_of_its_results():
    module = module_of(two_layers)
    for run in (module, module.forward):
        total, first = run(X, W)
        assert np.array_equal(first, X @ W) and np.array_equal(total, (X @ W @ W.T).sum(axis=1))


def test_nodes_bear_the_words_of_the_reference():
    nodes = module_of(two_layers, [(1, W)]).graph.nodes
    assert [each.op for each in nodes] == ["placeholder", "get_attr", *["call_function"] * 4, "output"]
    assert [each.name for each in nodes] == ["x", "w", "matmul", "permute", "matmul_1", "sum", "output"]
    x, w, first, turned, second, total, output = nodes
    assert (x.target, w.target, output.target) == ("x", "w", "output")
    assert first.target is OPS["matmul"] and first.target.name == "matmul"
    assert (first.args, second.args, turned.kwargs) == ((x, w), (first, turned), {"axes": (1, 0)})
    assert output.args == ((total, first),)
    assert list(w.users) == [first, turned] and list(first.users) == [second, output] and not output.users


def test_meta_says_type_dtype_shape_strides_and_the_users_line():
    builder = GraphBuilder()
    x = builder.input(TensorType((2, 3), dtypes.float32), "x", Location("/home/user/net.py", 3, "net"))
    ir = builder.finish([builder.add(OPS["permute"], x, axes=(1, 0))])
    given, turned, output = GraphModule(ir, {}, {x: (1, 2)}, {x: "array"}).graph.nodes
    assert given.meta["shape"] == (2, 3) and given.meta["dtype"] == np.float32 and given.meta["strides"] == (1, 2)
    assert (str(given.meta["type"]), given.meta["kind"], given.meta["location"].line) == ("f32[2, 3]", "array", 3)
    assert turned.meta["shape"] == (3, 2) and turned.meta["strides"] == (2, 1) and turned.meta["location"] is None
    assert output.meta == {}


def test_attributes_hold_the_very_arrays_and_are_read_at_each_call():
    weight = W.copy()
    module = module_of(two_layers, [(1, weight)])
    assert module.w is weight
    before = module(X)[1]
    weight *= 2
    assert np.array_equal(module(X)[1], 2 * before)


def test_written_values_come_behind_the_outputs():
    def build(builder):
        x = builder.input(TensorType((2,), F64), "x")
        return (x,), (builder.add(OPS["sin"], x),)

    builder = GraphBuilder()
    (x,), (y,) = build(builder)
    module = GraphModule(builder.finish([y], [Write(x, builder.add(OPS["cos"], x))]))
    given = np.array([0.0, 1.0])
    assert module.written == ("x",)
    first, second = module(given)
    assert np.array_equal(first, np.sin(given)) and np.array_equal(second, np.cos([0.0, 1.0]))
    assert np.array_equal(given, [0.0, 1.0])


def test_the_code_runs_and_gives_the_same():
    module = module_of(two_layers, [(1, W)])
    namespace = {"ops": type("Ops", (), {name: staticmethod(op) for name, op in OPS.items()})}
    exec(module.code, namespace)
    assert all(map(np.array_equal, namespace["forward"](module, X), module(X)))
    assert module.code.startswith("def forward(self, x):\n    w = self.w  # f64[3, 2]\n")
    assert "    matmul = ops.matmul(x, w)  # f64[2, 2], net.py:4\n" in module.code
    assert module.code.endswith("    return (sum, matmul)\n")


def test_graph_and_module_print_readably(capsys):
    module = module_of(two_layers)
    assert str(module.graph).splitlines()[:2] == ["graph:", "    x = placeholder  # f64[2, 3], net.py:3"]
    assert module.print_readable() == module.code and capsys.readouterr().out == module.code + "\n"
    assert repr(module).startswith("<GraphModule of 7 nodes>\ndef forward")
    assert repr(module.graph.nodes[2]) == "matmul"


def test_one_result_prints_as_a_tuple():
    def build(builder):
        x = builder.input(TensorType((), F64), "x")
        return (x,), (x,)

    assert module_of(build).code == "def forward(self, x):\n    return (x,)\n"


@pytest.mark.parametrize("name", ["lambda", "forward", "graph", "self", "ops", "_steps", "x.y", "2"])
def test_names_are_identifiers_that_hide_nothing(name):
    def build(builder):
        x = builder.input(TensorType((2,), F64), name)
        return (x,), (builder.add(OPS["sin"], x),)

    held = np.array([1.0, 2.0])
    module = module_of(build, [(0, held)])
    node = module.graph.nodes[0]
    assert node.name.isidentifier() and getattr(module, node.target) is held
    compile(module.code, "<code>", "exec")
    assert np.array_equal(module()[0], np.sin(held))


def test_find_nodes_finds_by_op_and_target():
    graph = module_of(two_layers).graph
    assert [each.name for each in graph.find_nodes(op="placeholder")] == ["x", "w"]
    assert [each.name for each in graph.find_nodes(op="call_function", target=OPS["matmul"])] == ["matmul", "matmul_1"]


def test_a_function_that_gives_several_arrays_is_followed_by_getitem():
    builder = GraphBuilder()
    x = builder.input(TensorType((3,), F64), "x")
    results = ("tuple", ("array", F64, (3,), (1,)), ("array", F64, (3,), (1,)))
    arguments = (("array", 0, (1,)),)
    call = builder.add(CALL_OUT, x, function="numpy.modf", arguments=arguments, keywords=(), results=results, module="")
    module = GraphModule(
        builder.finish([builder.add(CALL_RESULT, call, index=k, shape=(3,), dtype=F64) for k in (0, 1)])
    )
    nodes = module.graph.nodes
    assert isinstance(nodes[1].target, OpaqueCall) and nodes[1].kwargs == {} and nodes[1].target.name == "call_out"
    assert [each.target for each in nodes[2:4]] == [operator.getitem] * 2
    assert [each.args for each in nodes[2:4]] == [(nodes[1], 0), (nodes[1], 1)]
    assert "call_out = numpy.modf(x)" in module.code and "call_result = call_out[0]" in module.code
    assert all(map(np.array_equal, module(np.array([1.5, -2.25, 3.0])), np.modf([1.5, -2.25, 3.0])))


def test_a_call_that_is_kept_because_it_may_raise_is_run_and_is_no_result():
    builder = GraphBuilder()
    x = builder.input(TensorType((2, 2), F64), "x")
    form = ("array", F64, (2, 2), (2, 1))
    call = builder.add(
        CALL_OUT,
        x,
        function="numpy.linalg.inv",
        arguments=(("array", 0, (2, 1)),),
        keywords=(),
        results=form,
        module="",
    )
    double = builder.add(OPS["add"], x, x)
    module = GraphModule(builder.finish([call, double], [Write(x, double)]))
    assert module.results == (double, double) and module.code.endswith("return (add, add)\n")
    assert [each.tolist() for each in module(np.eye(2))] == [(2 * np.eye(2)).tolist()] * 2
    with pytest.raises(np.linalg.LinAlgError):
        module(np.zeros((2, 2)))


def test_primitives_are_the_same_function_in_simpler_ops():
    def build(builder):
        x = builder.input(TensorType((4, 3), F64), "x")
        w = builder.input(TensorType((2, 3), F64), "w")
        b = builder.input(TensorType((2,), F64), "b")
        return (x, w, b), (builder.add(OPS["linear"], x, w, b),)

    given = [np.random.default_rng(0).standard_normal(shape) for shape in ((4, 3), (2, 3), (2,))]
    module = module_of(build, [(1, given[1])])
    simpler = module.primitives()
    assert [each.target.name for each in module.graph.find_nodes(op="call_function")] == ["linear"]
    assert "linear" not in {each.target.name for each in simpler.graph.find_nodes(op="call_function")}
    assert simpler.w is given[1]
    assert np.allclose(simpler(given[0], given[2])[0], module(given[0], given[2])[0], rtol=1e-14)


def test_no_attribute_can_hide_what_a_module_has():
    assert set(vars(module_of(two_layers))) <= RESERVED


def test_values_are_let_go_of_once_nobody_needs_them():
    alive = []

    def build(builder):
        x = builder.input(TensorType((2,), F64), "x")
        first = builder.add(OPS["sin"], x)
        return (x,), (builder.add(OPS["cos"], builder.add(OPS["cos"], first)),)

    module = module_of(build)
    run, places, constants, kwargs, gives_tuple, last_used = module._steps[1]

    def watched(array):
        alive.append(weakref.ref(array))
        return run(array)

    def counted(array):
        alive.append(alive[0]() is None)
        return run(array)

    module._steps[1] = watched, places, constants, kwargs, gives_tuple, last_used
    module._steps[2] = counted, *module._steps[2][1:]
    module(np.ones(2))
    assert alive[1] is True


def test_another_number_of_arrays_is_an_error():
    with pytest.raises(TypeError, match="the graph takes 1 arrays, got 2"):
        module_of(two_layers, [(1, W)])(X, W)


def test_operands_are_an_array_for_each_input_of_the_graph():
    module = module_of(two_layers, [(1, W)])
    found = run_reference(module.ir, module.operands([X]))
    assert all(map(np.array_equal, found, module(X)))
