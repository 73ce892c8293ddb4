"""Backends of other people: when they are asked, what runs, and who is blamed."""

import gc
import os
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from oracle import arrays_in, copied

import guardlift as gl
from guardlift import nn, optim
from guardlift.backend.plugins import registry
from guardlift.frontend import state_of

BUILT_IN = ["eager", "aot_eager", "reference"]


class Counting:
    """A backend that runs graphs as they are, and counts: the graphs it is asked for, and the runs of each."""

    def __init__(self):
        self.modules, self.examples, self.runs = [], [], []

    def __call__(self, module, example_inputs):
        number = len(self.modules)
        self.modules.append(module)
        self.examples.append([each.copy() for each in example_inputs])
        self.runs.append(0)

        def run(*arrays):
            self.runs[number] += 1
            return module.forward(*arrays)

        return run


@pytest.fixture
def counting():
    return Counting()


@pytest.fixture(autouse=True)
def strictly():
    with gl.config.patch(raise_internal_errors=True, verify_graphs=True, check_assumptions=True):
        yield


@pytest.fixture
def names(monkeypatch):
    """The table of names, as it was before the test when that is over."""
    monkeypatch.setattr(registry, "_BACKENDS", dict(registry._BACKENDS))


def same(ours, plain):
    for found, wanted in zip(arrays_in(ours), arrays_in(plain), strict=True):
        assert found.dtype == wanted.dtype and found.shape == wanted.shape and found.strides == wanted.strides
        assert np.array_equal(found, wanted, equal_nan=found.dtype.kind == "f")
        assert found.flags.owndata == wanted.flags.owndata and found.flags.writeable == wanted.flags.writeable


# -- asking ------------------------------------------------------------------------------------------------------------
def rows(x, scale):
    centred = x - x.mean(axis=1, keepdims=True)
    return scale * centred / np.sqrt((centred * centred).sum(axis=1, keepdims=True))


@pytest.mark.spec("S0.07")
def test_a_backend_is_asked_once_for_a_graph_and_what_it_gives_runs_at_each_call(counting):
    f = gl.jit(backend=counting)(rows)
    x = np.arange(12.0).reshape(3, 4)
    for scale in (1.0, 2.0, 3.0):
        same([f(x, scale)], [rows(x, scale)])
    assert counting.runs == [3]


@pytest.mark.spec("S0.07")
def test_what_the_backend_gives_is_the_result_even_if_it_is_wrong():
    f = gl.jit(backend=lambda module, inputs: lambda *arrays: [each + 1 for each in module(*arrays)])(rows)
    x = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(f(x, 2.0), rows(x, 2.0) + 1)
    assert np.array_equal(f(x, 3.0), rows(x, 3.0) + 1)


def test_example_inputs_are_the_arrays_of_the_first_call_in_the_order_of_placeholders(counting):
    def f(x, n, s, flag):
        return x * n + s, x * flag

    x = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    f = gl.jit(backend=counting)(f)
    f(x, 3, np.float32(0.5), True)
    (module,), (examples,) = counting.modules, counting.examples
    placeholders = module.graph.find_nodes(op="placeholder")
    assert {each.meta["kind"] for each in placeholders} >= {"array", "numpy_scalar"}
    for node, example in zip(placeholders, examples, strict=True):
        assert type(example) is np.ndarray
        assert (example.dtype, example.shape) == (node.meta["dtype"], node.meta["shape"])
    assert placeholders[0].meta["strides"] == (1, 2)
    assert np.array_equal(examples[0], x) and 0.5 in examples[1:]


def test_nodes_know_the_users_line(counting):
    def f(x):
        return np.sin(x)

    gl.jit(backend=counting)(f)(np.ones(3))
    (node,) = counting.modules[0].graph.find_nodes(op="call_function")
    assert node.target.name == "sin" and node.meta["location"].file == __file__
    assert node.meta["location"].line == f.__code__.co_firstlineno + 1


def test_another_layout_is_another_graph_and_is_asked_for_itself(counting):
    f = gl.jit(backend=counting)(rows)
    for x in (np.ones((3, 4)), np.ones((2, 4)), np.ones((3, 4), np.float32), np.ones((4, 3)).T, np.ones((3, 4))):
        same([f(x, 2.0)], [rows(x, 2.0)])
    assert counting.runs == [2, 1, 1, 1]


def test_sizes_stay_known_even_under_dynamic(counting):
    f = gl.jit(backend=counting, dynamic=True)(lambda x: x * 2 + 1)
    for size in (2, 3, 4):
        assert np.array_equal(f(np.ones(size)), np.full(size, 3.0))
    assert [each.graph.nodes[0].meta["shape"] for each in counting.modules] == [(2,), (3,), (4,)]


@pytest.mark.spec("S0.07")
def test_each_piece_of_a_broken_function_is_a_graph(counting, capsys):
    def f(x):
        y = x * 2
        print(y.sum())
        return y + 1

    jitted = gl.jit(backend=counting)(f)
    for _ in range(2):
        assert np.array_equal(jitted(np.ones(3)), [3.0, 3.0, 3.0])
    assert counting.runs == [2, 2]
    assert [each.target.name for each in counting.modules[1].graph.find_nodes(op="call_function")] == ["full", "add"]
    assert capsys.readouterr().out == "6.0\n6.0\n"


def test_a_callee_that_cannot_be_inlined_has_the_backend_of_its_caller(counting, capsys):
    def inner(x):
        y = x + 1
        print("inside")
        return y * y

    f = gl.jit(backend=counting)(lambda x: inner(x * 2) - 1)
    for _ in range(2):
        assert np.array_equal(f(np.ones(2)), [8.0, 8.0])
    assert len(counting.modules) == 4 and counting.runs == [2, 2, 2, 2]

    def other(x):
        return inner(x * 2) - 1

    assert np.array_equal(gl.jit(other)(np.ones(2)), [8.0, 8.0])
    assert counting.runs == [2, 2, 2, 2]


def test_two_backends_share_no_code():
    first, second = Counting(), Counting()
    x = np.arange(12.0).reshape(3, 4)
    for backend in (first, second):
        same([gl.jit(backend=backend)(rows)(x, 2.0)], [rows(x, 2.0)])
    same([gl.jit(rows)(x, 2.0)], [rows(x, 2.0)])
    assert first.runs == second.runs == [1]


def test_a_thread_that_comes_first_asks_and_the_others_wait():
    asked, ready = [], threading.Barrier(4)

    def slow(module, inputs):
        asked.append(threading.get_ident())
        return module.forward

    f = gl.jit(backend=slow)(lambda x: x * 3)
    found = []

    def call():
        ready.wait()
        found.append(f(np.ones(3)))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(asked) == 1 and all(np.array_equal(each, [3.0, 3.0, 3.0]) for each in found) and len(found) == 4


def test_a_backend_may_use_jitted_functions_itself():
    @gl.jit
    def double(x):
        return x * 2

    def doubling(module, inputs):
        double(np.ones(3))
        return lambda *arrays: [double(each) for each in module(*arrays)]

    f = gl.jit(backend=doubling)(lambda x: x + 1)
    assert np.array_equal(f(np.ones(3)), [4.0, 4.0, 4.0])


# -- what runs keeps its meaning ---------------------------------------------------------------------------------------
def swap(x, y):
    x[:], y[:] = y.copy(), x.copy()
    return x


def views(x):
    y = np.sin(x)
    return y, y[1:], y.T, x[::-1], x, x.sum(), y[0, 0]


def writes(x, y):
    x[1:] += y[:-1]
    y *= 2
    return x[1:], (x + y).T


def kinds(x, n, s, flag, g):
    return x * n, x + s, np.where(x > 0, flag, False), n * 2, s * 0.5, g + x, np.float32(g)


def records(data):
    data["sum"] = data["x"].sum(axis=0)
    data["x"] = data["x"] * 2
    return {"first": data["sum"][0], "all": [data["x"], data["sum"]]}


def elements(a):
    for i in range(1, a.shape[0]):
        if a[i] < 0:
            a[i] = 0.0
        a[i] += a[i - 1]
    return a


def solved(a, b):
    return np.linalg.solve(a, b), np.interp(b, b, b), np.median(a, axis=0)


def drawn(x):
    rng = np.random.default_rng(3)
    return x + rng.normal(size=3), rng.integers(5)


def few(x):
    return x[:0].sum(), x[:0] * 2, np.ones((0, 3))


A = np.arange(12.0).reshape(3, 4)
PROGRAMS = [
    (swap, (np.arange(3.0), np.arange(3.0) + 5)),
    (views, (A,)),
    (views, (np.asfortranarray(A),)),
    (views, (A[::-1, ::2],)),
    (writes, (np.arange(4.0), np.ones(4))),
    (kinds, (np.arange(3.0), 3, 2.5, True, np.float32(1.5))),
    (kinds, (np.arange(3), 3, 2.5, False, np.float32(1.5))),
    (records, ({"x": A},)),
    (elements, (np.array([1.0, -2.0, 3.0, -4.0]),)),
    (solved, (np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0]))),
    (drawn, (np.ones(3),)),
    (few, (np.arange(3.0),)),
]


@pytest.mark.parametrize("backend", BUILT_IN)
@pytest.mark.parametrize("program, arguments", PROGRAMS, ids=lambda each: getattr(each, "__name__", ""))
def test_a_program_gives_the_same_under_every_backend(program, arguments, backend):
    jitted = gl.jit(backend=backend)(program)
    plain, ours = copied(arguments), copied(arguments)
    for _ in range(3):
        wanted, found = program(*plain), jitted(*ours)
        same(found, wanted)
        same(ours, plain)
        at = [[k for k, other in enumerate(arrays_in(ours)) if each is other] for each in arrays_in(found)]
        assert at == [[k for k, other in enumerate(arrays_in(plain)) if each is other] for each in arrays_in(wanted)]
        shared = [[np.shares_memory(a, b) for b in arrays_in((found, ours))] for a in arrays_in(found)]
        assert shared == [[np.shares_memory(a, b) for b in arrays_in((wanted, plain))] for a in arrays_in(wanted)]


def test_draws_and_loops_over_elements_are_left_to_python(counting):
    with gl.config.patch(unroll_limit=2):
        running, rng = gl.jit(backend=counting)(elements), np.random.default_rng(3)
        assert running(np.array([1.0, -2.0, 3.0, -4.0])).tolist() == [1.0, 1.0, 4.0, 4.0]
        ops = {each.target.name for module in counting.modules for each in module.graph.find_nodes(op="call_function")}
        assert "region" not in ops
        draw = gl.jit(backend=counting)(lambda rng, x: x * 2 + rng.normal())
        assert draw(rng, np.ones(2)).tolist() == (2 + np.full(2, np.random.default_rng(3).normal())).tolist()
    (event,) = gl.explain(draw).breaks
    assert "a NumPy generator, under the backend 'Counting'" in event.what


def test_a_view_of_memory_with_gaps_that_is_not_numpys_own(counting):
    f = gl.jit(backend=counting)(lambda x: x[1:])
    x = np.lib.stride_tricks.as_strided(np.arange(8.0), (4,), (16,))
    for _ in range(2):
        found = f(x)
        assert found.tolist() == [2.0, 4.0, 6.0] and np.shares_memory(found, x)
        found[0] += 1
        assert x[1] == 3.0
        found[0] -= 1
    x.flags.writeable = False
    assert not f(x).flags.writeable


@pytest.mark.parametrize("backend", BUILT_IN)
def test_an_index_out_of_bounds_is_pythons_own_error(backend):
    def f(x, k):
        y = x * 2
        return y[k]

    jitted = gl.jit(backend=backend)(f)
    assert jitted(np.arange(3.0), np.array([1, 2])).tolist() == [2.0, 4.0]
    with pytest.raises(IndexError, match="index 7 is out of bounds"):
        jitted(np.arange(3.0), np.array([1, 7]))
    assert jitted(np.arange(3.0), np.array([0, -1])).tolist() == [0.0, 4.0]


@pytest.mark.parametrize("backend", BUILT_IN)
def test_arrays_that_overlap_take_another_way(backend):
    def f(x, y):
        x += 1
        return y * 2

    jitted = gl.jit(backend=backend)(f)
    assert jitted(np.zeros(3), np.ones(3)).tolist() == [2.0, 2.0, 2.0]
    base, plain = np.zeros(4), np.zeros(4)
    assert jitted(base[:3], base[1:]).tolist() == f(plain[:3], plain[1:]).tolist() and np.array_equal(base, plain)


def test_results_belong_to_the_caller_even_if_the_backend_keeps_its_arrays():
    kept = np.empty(3)

    def reusing(module, inputs):
        def run(*arrays):
            kept[:] = module(*arrays)[0]
            return [kept]

        return run

    f = gl.jit(backend=reusing)(lambda x: x * 2)
    first = f(np.ones(3))
    second = f(np.full(3, 2.0))
    assert first.tolist() == [2.0, 2.0, 2.0] and second.tolist() == [4.0, 4.0, 4.0]
    assert not np.shares_memory(first, kept) and first.flags.owndata


def test_numpys_error_state_is_kept_to():
    f = gl.jit(backend="eager")(lambda x: 1 / x)
    with np.errstate(all="ignore"):
        assert f(np.zeros(2)).tolist() == [np.inf, np.inf]
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        f(np.zeros(2))


# -- training ----------------------------------------------------------------------------------------------------------
def make_training(Optimizer):
    gl.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    return model, Optimizer(model.parameters())


def step_of(model, opt):
    def step(x, y):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        return loss

    return step


OPTIMIZERS = {
    "sgd": lambda parameters: optim.SGD(parameters, lr=0.1, momentum=0.9),
    "adam": lambda parameters: optim.Adam(parameters, lr=0.01),
}
X, Y = np.random.default_rng(0).standard_normal((5, 3)), np.random.default_rng(1).standard_normal((5, 2))


@pytest.mark.parametrize("backend", BUILT_IN)
@pytest.mark.parametrize("optimizer", OPTIMIZERS.values(), ids=OPTIMIZERS)
@pytest.mark.spec("S5.24")
def test_a_training_step_moves_the_same_parameters_in_place_as_eager_does(backend, optimizer):
    model, opt = make_training(optimizer)
    plain, plain_opt = make_training(optimizer)
    before = [(each, each.data_ptr()) for each in model.parameters()]
    step, eager = gl.jit(backend=backend)(step_of(model, opt)), step_of(plain, plain_opt)
    x, y = gl.tensor(X, dtype=gl.float32), gl.tensor(Y, dtype=gl.float32)
    for _ in range(4):
        assert np.allclose(step(x, y).item(), eager(x, y).item(), rtol=1e-6)
    for ours, theirs in zip(model.parameters(), plain.parameters(), strict=True):
        assert np.allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-5, atol=1e-7)
        assert np.allclose(ours.grad.numpy(), theirs.grad.numpy(), rtol=1e-5, atol=1e-7)
    for parameter, (held, address) in zip(model.parameters(), before, strict=True):
        assert parameter is held and parameter.data_ptr() == address
    assert not gl.explain(step).breaks


def test_parameters_are_attributes_that_get_attr_reaches(counting):
    model, opt = make_training(OPTIMIZERS["sgd"])
    step = gl.jit(backend=counting)(step_of(model, opt))
    x, y = gl.tensor(X, dtype=gl.float32), gl.tensor(Y, dtype=gl.float32)
    step(x, y)
    step(x, y)
    module = counting.modules[-1]
    reached = module.graph.find_nodes(op="get_attr")
    memory = {each.data_ptr() for each in model.parameters()}
    assert memory <= {getattr(module, each.target).ctypes.data for each in reached}
    assert {each.target for each in reached} >= set(module.written)


def test_memory_that_is_replaced_is_asked_for_anew(counting):
    model = nn.Linear(3, 2)
    f = gl.jit(backend=counting)(lambda x: model(x))
    x = gl.tensor(X, dtype=gl.float32)
    with gl.no_grad():
        before = f(x)
        model.weight.data = gl.zeros(2, 3)
        after = f(x)
        assert np.allclose(after.numpy(), np.broadcast_to(model.bias.detach().numpy(), (5, 2)))
        assert not np.allclose(before.numpy(), after.numpy())
    assert counting.runs == [1, 1]


@pytest.mark.parametrize("backend", BUILT_IN)
def test_an_argument_may_lie_in_the_memory_of_a_parameter(backend):
    weight, frozen = nn.Parameter(gl.ones(4)), gl.ones(4)

    def f(x):
        with gl.no_grad():
            weight.add_(frozen)
        return x * 2

    def g(x):
        x.mul_(3)
        return weight.detach() + frozen

    for function in (f, g):
        jitted = gl.jit(backend=backend)(function)
        for make in (lambda: gl.ones(3), lambda: weight.detach()[1:], lambda: frozen[:3], lambda: gl.ones(3)):
            found = []
            for run in (function, jitted):
                with gl.no_grad():
                    weight.copy_(gl.ones(4))
                    frozen.copy_(gl.ones(4))
                found.append((run(make()).tolist(), weight.tolist(), frozen.tolist()))
            assert found[0] == found[1]


@pytest.mark.parametrize("backend", BUILT_IN)
def test_a_backward_from_outside_gives_the_gradients_of_eager(backend):
    def f(x, w):
        return (x @ w).tanh().sum(), (x * w.sum()).exp()

    found = []
    for function in (f, gl.jit(backend=backend)(f)):
        x, w = (gl.tensor(X[:3, :3] * k, requires_grad=True) for k in (1.0, 0.5))
        for _ in range(2):
            total, other = function(x, w)
            (total * 2 + other.mean()).backward()
        found.append((total.item(), x.grad.numpy(), w.grad.numpy()))
    for ours, plain in zip(found[1], found[0], strict=True):
        assert np.allclose(ours, plain, rtol=1e-10)


@pytest.mark.spec("S0.07")
def test_forward_and_backward_are_a_graph_each(counting):
    f = gl.jit(backend=counting)(lambda x: (x.exp() * 2).sum())
    x = gl.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(3):
        f(x).backward()
    assert counting.runs == [3, 3]
    forward, backward = counting.modules
    assert "exp" in {each.target.name for each in forward.graph.find_nodes(op="call_function")}
    assert [each.name for each in backward.graph.find_nodes(op="placeholder")][-1] == "tangent_0"
    assert np.allclose(x.grad.numpy(), 6 * np.exp([1.0, 2.0]), rtol=1e-6)


def test_what_a_forward_without_backward_would_need_is_not_asked_for(counting):
    f = gl.jit(backend=counting)(lambda x: x.exp().sum())
    f(gl.tensor([1.0, 2.0], requires_grad=True))
    assert len(counting.modules) == 1


def test_composite_ops_are_seen_by_eager_and_not_behind_aot_eager():
    seen = {}

    def both(module, inputs):
        seen["captured"] = {each.target.name for each in module.graph.find_nodes(op="call_function")}
        seen["primitives"] = {each.target.name for each in module.primitives().graph.find_nodes(op="call_function")}
        return module.forward

    gl.jit(backend=both)(lambda x: nn.functional.softmax(x, dim=0))(gl.ones(3))
    assert "softmax" in seen["captured"] and "softmax" not in seen["primitives"]


def test_a_model_that_is_gone_is_freed():
    def use():
        model = nn.Linear(3, 2)
        gl.jit(backend="eager")(lambda x: model(x).sum())(gl.ones(4, 3)).backward()
        return weakref.ref(model.weight)

    reference = use()
    gc.collect()
    assert reference() is None


# -- choosing ----------------------------------------------------------------------------------------------------------
def test_the_names_are_listed():
    assert gl.list_backends() == ["aot_eager", "eager", "numba", "reference"]


def test_a_registered_backend_has_a_name(names, counting):
    @gl.register_backend
    def mine(module, inputs):
        return counting(module, inputs)

    gl.register_backend(counting, name="counted")
    assert {"mine", "counted"} <= set(gl.list_backends()) and callable(mine)
    for name in ("mine", "counted"):
        assert gl.jit(backend=name)(lambda x: x + 1)(np.ones(2)).tolist() == [2.0, 2.0]
    assert counting.runs == [1, 1]
    assert gl.register_backend(name="other")(mine) is mine and "other" in gl.list_backends()


def test_a_name_that_is_taken_is_refused(names):
    gl.register_backend(rows, name="mine")
    gl.register_backend(rows, name="mine")
    with pytest.raises(gl.SettingValueError, match="there is a backend named 'mine' already; register this one"):
        gl.register_backend(swap, name="mine")
    with pytest.raises(gl.SettingValueError, match="there is a backend named 'numba' already"):
        gl.register_backend(swap, name="numba")
    with pytest.raises(gl.SettingValueError, match="takes a function, not a int"):
        gl.register_backend(3)


def test_an_unknown_name_lists_near_ones():
    with pytest.raises(gl.SettingValueError) as caught:
        gl.jit(backend="egaer")
    assert str(caught.value) == "gl.jit got backend = 'egaer', which no backend is called; there is 'eager'"
    with pytest.raises(gl.SettingValueError, match="there is 'aot_eager', 'eager', 'numba', 'reference'"):
        gl.jit(backend="zzz")(rows)
    with pytest.raises(gl.SettingValueError, match=r"gl.jit got backend = 3; it takes the name of a backend or a"):
        gl.jit(backend=3)(rows)


def test_the_setting_holds_for_functions_that_say_nothing():
    with gl.config.patch(backend="eager"):
        eager, native = gl.jit(rows), gl.jit(backend="numba")(rows)
    x = np.arange(12.0).reshape(3, 4)
    same([eager(x, 2.0)], [rows(x, 2.0)])
    assert state_of(eager).backend.name == "eager" and state_of(native).backend.name == "numba"
    assert np.allclose(native(x, 2.0), rows(x, 2.0))
    with gl.config.patch(backend="nubma"):
        with pytest.raises(gl.SettingValueError, match="gl.config.backend is 'nubma', which no backend is called"):
            gl.jit(rows)


def test_a_jitted_function_is_jitted_again_for_another_backend(counting):
    native = gl.jit(rows)
    eager = gl.jit(backend="eager")(native)
    assert gl.jit(native) is native and gl.jit(backend="eager")(eager) is eager and eager is not native
    assert eager.__wrapped__ is rows and state_of(native).backend.name == "numba"
    x = np.arange(12.0).reshape(3, 4)
    same([eager(x, 2.0)], [rows(x, 2.0)])


def test_the_variable_of_the_environment_chooses_too():
    code = "import guardlift as gl; from guardlift.frontend import state_of; print(state_of(gl.jit(lambda: 0)).backend)"
    environment = {**os.environ, "GUARDLIFT_BACKEND": "aot_eager"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Backend(name='aot_eager'")


def test_methods_have_the_backend_they_are_jitted_with(counting):
    class Scaled:
        def __init__(self, factor):
            self.factor = factor

        def times(self, x):
            return x * self.factor

    times = gl.jit(Scaled(3.0).times, backend=counting)
    assert times(np.ones(2)).tolist() == [3.0, 3.0] and counting.runs == [1]


def test_reports_tell_of_a_function_with_another_backend(counting):
    f = gl.jit(backend=counting)(rows)
    f(np.ones((3, 4)), 2.0)
    report = gl.explain(f)
    assert report.state == "compiled: 1 entry" and "x: float64[3, 4]" in str(report)
    with gl.testing.no_recompiles(of=f):
        f(np.ones((3, 4)), 3.0)


# -- blame -------------------------------------------------------------------------------------------------------------
def broken(run):
    def bad(module, inputs):
        return lambda *arrays: run(module, *arrays)

    return bad


def call_of(backend):
    return gl.jit(backend=backend)(lambda x: (x + 1, x.sum()))


PLACE = rf"the graph of \S+ \({__file__}:\d+\)"
RESULTS = r"a list or tuple of 2 arrays \(add: f64\[2\], sum: f64\[\]\)"
ARRAY = r"an ndarray float64\[2\] \(f64\[2\]\)"
WRONG = {
    "no list": (lambda m, x: x + 1, rf"gave a ndarray as the results of {PLACE}; expected {RESULTS}"),
    "None": (lambda m, x: None, rf"gave a NoneType as the results of {PLACE}; expected {RESULTS}"),
    "too few": (lambda m, x: m(x)[:1], rf"gave 1 results of {PLACE}; expected {RESULTS}"),
    "too many": (lambda m, x: [*m(x), x], rf"gave 3 results of {PLACE}; expected {RESULTS}"),
    "no array": (
        lambda m, x: [[1.0, 2.0], x.sum()],
        rf"gave a list as result 0 \(add, computed at {__file__}:\d+,\) of {PLACE}; expected {ARRAY}",
    ),
    "dtype": (
        lambda m, x: [(x + 1).astype("f4"), x.sum()],
        rf"gave a ndarray float32\[2\] as result 0 \(add, .*\) of {PLACE}; expected {ARRAY}",
    ),
    "shape": (
        lambda m, x: [np.ones(3), x.sum()],
        rf"gave a ndarray float64\[3\] as result 0 \(add, .*\) of {PLACE}; expected {ARRAY}",
    ),
    "subclass": (
        lambda m, x: [np.ma.masked_array(x + 1), x.sum()],
        rf"gave a MaskedArray float64\[2\] as result 0 \(add, .*\) of {PLACE}; expected {ARRAY}",
    ),
    "float": (
        lambda m, x: [x + 1, 3.0],
        r"gave a float as result 1 \(sum, .*\) of .*; expected an ndarray float64\[\]",
    ),
    "byte order": (
        lambda m, x: [(x + 1).astype(">f8"), x.sum()],
        rf"gave a ndarray >f8\[2\] as result 0 \(add, .*\) of {PLACE}; expected {ARRAY}",
    ),
    "writes": (
        lambda m, x: [np.add(x, 1, out=x), x.sum()],
        rf"has written to the argument x of {PLACE}; expected a function that only reads its arguments",
    ),
    "raises": (
        lambda m, x: x.nonsense,
        rf"raised AttributeError: .*nonsense.*, when what it gave ran {PLACE}; run the",
    ),
    "index": (lambda m, x: [x[5]], rf"raised IndexError: .*, when what it gave ran {PLACE}; run the graph with"),
}


@pytest.mark.parametrize("run, message", WRONG.values(), ids=WRONG)
def test_a_backend_that_gives_nonsense_is_blamed_by_name(run, message):
    f = call_of(broken(run))
    x = np.array([1.0, 2.0])
    for _ in range(2):
        with pytest.raises(gl.BackendError, match=f"^the backend 'bad' {message}"):
            f(x)
        assert x.tolist() == [1.0, 2.0]


def test_a_backend_that_is_at_fault_later_is_blamed_then():
    results = [[np.ones(2), np.float64(1.0)], [np.ones(2), np.float32(1.0)]]
    f = call_of(broken(lambda module, x: results.pop(0)))
    assert f(np.ones(2))[1] == 1.0
    with pytest.raises(gl.BackendError, match=r"gave a ndarray float32\[\] as result 1"):
        f(np.ones(2))


@pytest.mark.parametrize("error", [ValueError, TypeError, KeyError, NotImplementedError, gl.Unsupported])
def test_an_error_while_a_backend_is_asked_bears_its_name(error):
    def bad(module, inputs):
        raise error("no such op")

    f = call_of(bad)
    for _ in range(2):
        with pytest.raises(gl.BackendError, match=rf"'bad' raised {error.__name__}: .*, when it was asked for {PLACE}"):
            f(np.ones(2))
    with pytest.raises(gl.BackendError) as caught:
        f(np.ones(2))
    assert isinstance(caught.value.__cause__, error) and isinstance(caught.value, RuntimeError)


def test_a_backend_that_writes_while_it_is_asked_is_blamed_and_undone():
    def bad(module, inputs):
        inputs[0][:] = 0
        return module.forward

    x = np.array([1.0, 2.0])
    with pytest.raises(gl.BackendError, match="'bad' has written to the argument x"):
        call_of(bad)(x)
    assert x.tolist() == [1.0, 2.0]


def test_a_backend_that_gives_nothing_to_call_is_blamed():
    def bad(module, inputs):
        return None

    with pytest.raises(gl.BackendError, match=f"^the backend 'bad' gave a NoneType for {PLACE}; expected a function"):
        call_of(bad)(np.ones(2))


def test_nothing_is_written_when_a_backend_is_to_blame():
    def f(x, y):
        x += 1
        y += 1
        return x * y

    jitted = gl.jit(backend=broken(lambda module, *arrays: [*module(*arrays)[:-1], np.ones(7)]))(f)
    x, y = np.zeros(2), np.zeros(2)
    with pytest.raises(gl.BackendError, match=r"as result 2 \("):
        jitted(x, y)
    assert x.tolist() == y.tolist() == [0.0, 0.0]


def test_an_interrupt_passes_through():
    def bad(module, inputs):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call_of(bad)(np.ones(2))
    asked = []

    def once(module, inputs):
        asked.append(module)
        if len(asked) == 1:
            raise KeyboardInterrupt
        return module.forward

    f = call_of(once)
    with pytest.raises(KeyboardInterrupt):
        f(np.ones(2))
    assert f(np.ones(2))[0].tolist() == [2.0, 2.0] and len(asked) == 2


def test_an_error_comes_out_of_code_in_the_middle_of_a_function_too(capsys):
    def bad(module, inputs):
        if module.graph.find_nodes(op="call_function")[-1].target.name == "multiply":
            raise ValueError("no products")
        return module.forward

    @gl.jit(backend=bad)
    def f(x):
        y = x + 1
        print("between")
        return y * y

    for _ in range(2):
        with pytest.raises(gl.BackendError, match="no products"):
            f(np.ones(2))
    assert capsys.readouterr().out == "between\nbetween\n"


def test_a_broken_backward_is_blamed_when_it_runs(counting):
    def bad(module, inputs):
        if "tangent_0" in module.code:
            return lambda *arrays: []
        return module.forward

    f = gl.jit(backend=bad)(lambda x: x.exp().sum())
    total = f(gl.tensor([1.0, 2.0], requires_grad=True))
    with pytest.raises(
        gl.BackendError, match=r"'bad' gave 0 results of the graph of .*; expected a list or tuple of 1"
    ):
        total.backward()
