"""Requests of a call to the driver: launches, copies, waits. `make ptx-run` runs this file, on the stand-in alone."""

import ctypes
import gc
import os
import threading
import warnings

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.backend.cpu.plan import issue_table as at
from guardlift.backend.cuda.call import CudaCall
from guardlift.backend.cuda.device import current
from guardlift.nn import functional as F

if "STAND_IN_SEED" not in os.environ:
    pytest.skip("only the stand-in for the driver counts its calls", allow_module_level=True)

COPIES = (
    "cuMemcpyHtoD_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoH_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpy2DUnaligned_v2",
)
WAITS = ("cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize")
OTHERS = ("cuCtxSetCurrent", "cuMemAllocFromPoolAsync", "cuMemFreeAsync")
LAUNCHES = ("cuLaunchKernel", "cuGraphLaunch", "cuGraphExecKernelNodeSetParams_v2")


@pytest.fixture(autouse=True)
def no_silent_breaks():
    """A graph break, or an error of ours, fails the test."""
    with gl.config.patch(raise_internal_errors=True), warnings.catch_warnings():
        warnings.simplefilter("error", gl.GraphBreakWarning)
        yield


def count(name):
    library = ctypes.CDLL("libcuda.so.1")
    library.stand_in_count.restype = ctypes.c_uint64
    return library.stand_in_count(name.encode())


class Counted:
    """The calls of the driver within a block: launches of kernels and of graphs, nodes that were told of others, and by
    name all copies, waits and others."""

    def __enter__(self):
        self._before = {name: count(name) for name in (*LAUNCHES, *COPIES, *WAITS, *OTHERS)}
        return self

    def __exit__(self, *_):
        found = {name: count(name) - before for name, before in self._before.items()}
        self.launches, self.graphs, self.told = (found.pop(name) for name in LAUNCHES)
        self.rest = {name: number for name, number in found.items() if number}


@pytest.fixture
def calls(monkeypatch):
    """The calls of graphs that a test makes."""
    from guardlift.backend.cuda import call

    made, build = [], call.build
    monkeypatch.setattr(call, "build", lambda *args, **keywords: made.append(build(*args, **keywords)) or made[-1])
    return made


def test_a_sum_is_one_launch_and_nothing_else():
    f, x = gl.jit(lambda x: x + 1), gl.arange(64.0, device="cuda")
    f(x), f(x)
    with Counted() as asked:
        result = f(x)
    assert (asked.launches, asked.rest) == (1, {})
    assert result.tolist() == (np.arange(64.0) + 1).tolist()


def test_an_eager_operation_is_one_launch_and_nothing_else():
    x, y = gl.arange(64.0, device="cuda"), gl.ones(64, device="cuda")
    numbers = iter(range(100))
    for program in (
        lambda: x + y,
        lambda: x * (next(numbers) + 0.5),
        lambda: x.add_(y, alpha=1),
        lambda: x.fill_(next(numbers)),
        lambda: x[::2].copy_(y[32:]),
        lambda: x.reshape(8, 8).t().contiguous(),
        lambda: gl.full((3,), next(numbers) / 2, device="cuda"),
        lambda: x.reshape(8, 8).sum(1),
        lambda: x.reshape(8, 8) @ y.reshape(8, 8),
        lambda: x.to(gl.float64),
    ):
        program(), program()
        with Counted() as asked:
            result = program()
        assert (asked.launches, asked.rest) == (1, {}), result
        del result


def test_an_eager_training_step_copies_nothing_and_waits_for_nothing():
    gl.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)).to("cuda")
    optimizer = gl.optim.Adam(model.parameters(), lr=0.1)
    x, y = gl.randn(5, 6).to("cuda"), gl.randn(5, 3).to("cuda")

    def step():
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    before = gl.cuda.host_computations()
    losses = [step().item() for _ in range(4)]
    with Counted() as asked:
        last = step()
    assert asked.rest == {} and asked.launches < 60
    assert gl.cuda.host_computations() == before
    losses.append(last.item())
    assert losses == sorted(losses, reverse=True)


def test_a_number_goes_with_a_launch_of_its_own_when_it_is_another_one():
    f, x = gl.jit(lambda x, k, n: x * k + n), gl.ones(3, device="cuda")
    f(x, 2.5, 3), f(x, 2.5, 4)
    for k, n, launches in ((2.5, 4, 1), (3.5, 4, 2), (3.5, -1, 2), (3.5, -1, 1), (-0.0, 0, 2), (0.0, 0, 2)):
        with Counted() as asked:
            result = f(x, k, n)
        assert (asked.launches, asked.rest) == (launches, {}), (k, n)
        assert result.tolist() == [k + n] * 3


def test_a_training_step_copies_nothing_and_waits_for_nothing(calls):
    gl.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)).to("cuda")
    optimizer = gl.optim.Adam(model.parameters(), lr=0.1)
    x, y = gl.randn(5, 6).to("cuda"), gl.randn(5, 3).to("cuda")

    @gl.jit(fullgraph=True)
    def step():
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    losses = [step().item() for _ in range(4)]
    with Counted() as asked:
        last = step()
    results, puts = len(calls[-1].plan.compiled.layout.outputs), int(calls[-1].native._table[at.ISSUE_PUT_COUNT])
    assert asked.rest == {} and asked.launches <= puts and asked.graphs == 1
    assert asked.told <= results < len(calls[-1].plan.steps)
    assert calls[-1].native.served == 5
    losses.append(last.item())
    assert losses == sorted(losses, reverse=True)


def test_gradients_that_lie_in_two_places_in_turn_are_told_to_no_node(calls):
    def made(device):
        gl.manual_seed(0)
        model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3)).to(device)
        optimizer = gl.optim.Adam(model.parameters(), lr=0.1)

        @gl.jit(fullgraph=True)
        def step(x, y):
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            return loss.detach()

        return model, step

    (model, step), (other, on_cpu) = made("cuda"), made("cpu")
    x, y = gl.randn(5, 6), gl.randn(5, 3)
    there = x.to("cuda"), y.to("cuda")
    kept, asked_later = [], []
    for k in range(16):
        with Counted() as asked:
            found = step(*there)
        expected = on_cpu(x, y)
        if k % 5 == 4:  # a gradient that somebody keeps is nobody else's
            kept.append((model[0].weight.grad, other[0].weight.grad.numpy().copy()))
        np.testing.assert_allclose(found.item(), expected.item(), rtol=1e-4)
        for one, two in zip(model.parameters(), other.parameters(), strict=True):
            np.testing.assert_allclose(one.grad.cpu().numpy(), two.grad.numpy(), rtol=2e-3, atol=1e-5)
        asked_later.append((asked.launches, asked.graphs, asked.told, asked.rest))
    assert asked_later[-1] == asked_later[-2] == (0, 1, 0, {}), asked_later
    for found, expected in kept:
        np.testing.assert_allclose(found.cpu().numpy(), expected, rtol=2e-3, atol=1e-5)
    assert calls[-1].native.served == 16
    events = current().memory.events
    for _ in range(4):
        before = events["allocations"]
        step(*there), on_cpu(x, y)
    assert events["allocations"] == before, "blocks that wait for the one form went to the other"
    model[0].weight = nn.Parameter(gl.full((8, 6), 0.1).to("cuda"))  # another optimizer's business, and linked anew
    other[0].weight = nn.Parameter(gl.full((8, 6), 0.1))
    for _ in range(6):
        np.testing.assert_allclose(step(*there).item(), on_cpu(x, y).item(), rtol=1e-3)
    gl.cuda.empty_cache()
    for _ in range(3):
        np.testing.assert_allclose(step(*there).item(), on_cpu(x, y).item(), rtol=1e-3)


def test_a_step_over_many_parameters_asks_as_much_as_one_over_few():
    def asked_by(count):
        parameters = [nn.Parameter(gl.full((4,), 1.0).to("cuda")) for _ in range(count)]
        for each in parameters:
            each.grad = gl.ones(4, device="cuda")
        optimizer = gl.optim.Adam(parameters)
        step = gl.jit(optimizer.step)
        step()
        gc.collect()  # blocks that come back change where intermediates lie
        for _ in range(3):
            step()
        with Counted() as asked:
            step()
        return asked, parameters, step

    few, _, _ = asked_by(3)
    many, parameters, step = asked_by(60)
    assert (many.launches, many.rest) == (few.launches, few.rest) and many.rest == {}
    before = [each.tolist() for each in parameters]
    for each in parameters[::2]:  # who sets a gradient tells; in place nobody has to
        each.grad = gl.full((4,), -50.0).to("cuda")
    parameters[1].grad.data = gl.full((4,), -50.0).to("cuda")
    parameters[3].grad.fill_(-50.0)
    step()
    moved = [np.sign(np.subtract(each.tolist(), old)).tolist() for each, old in zip(parameters, before, strict=True)]
    up = {*range(0, 60, 2), 1, 3}
    assert moved == [[1.0 if k in up else -1.0] * 4 for k in range(60)]
    parameters[5].grad = None
    kept = parameters[5].tolist()
    step()
    assert parameters[5].tolist() == kept


def test_a_check_costs_a_read_and_no_more():
    table = gl.arange(12.0, device="cuda").reshape(4, 3)
    f = gl.jit(lambda i: F.embedding(i, table) * 2)
    index = gl.tensor([0, 3, 1]).to("cuda")
    f(index), f(index)
    with Counted() as asked:
        result = f(index)
    assert asked.rest.pop("cuMemcpyDtoH_v2") == 1 and not set(asked.rest) & {*COPIES, *WAITS}
    assert result.tolist() == (np.arange(12.0).reshape(4, 3)[[0, 3, 1]] * 2).tolist()
    for _ in range(2):
        with pytest.raises(IndexError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f(gl.tensor([0, 4, 1]).to("cuda"))
        assert f(index).tolist() == result.tolist()


def test_what_does_not_fit_is_refused_or_asked_about_and_right(calls):
    f = gl.jit(lambda x: x * 2 + 1)
    whole = gl.arange(24.0, device="cuda").reshape(4, 6)
    for x in (whole, whole[:, :3], whole[1:2], whole.double(), whole.t(), whole[:0], whole, whole[1:2, ::2]):
        expected = x.cpu().numpy() * 2 + 1
        for _ in range(2):
            found = f(x)
            np.testing.assert_array_equal(found.cpu().numpy(), expected)
            assert found.dtype is x.dtype
    assert all(each.native is not None for each in calls)


def test_arrays_that_meet_are_noticed_wherever_they_lie():
    @gl.jit
    def add(x, y, z):
        x += y
        return x + z

    def plain(x, y, z):
        x += y
        return x + z

    rng = np.random.default_rng(0)
    for _ in range(12):
        starts = rng.integers(0, 3, 3) * rng.integers(1, 5)
        memory = np.arange(16.0, dtype="f4")
        there = gl.tensor(memory).to("cuda")
        expected = plain(*(memory[start : start + 8] for start in starts))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = add(*(there[int(start) : int(start) + 8] for start in starts))
        np.testing.assert_array_equal(found.cpu().numpy(), expected)
        np.testing.assert_array_equal(there.cpu().numpy(), memory)


def test_results_that_are_arguments_or_views_of_them():
    @gl.jit
    def f(x, y):
        x += y
        return x, x[1:, ::2], (y * 3).t(), 7

    for _ in range(3):
        x, y = gl.ones(3, 4, device="cuda"), gl.full((3, 4), 2.0, device="cuda")
        same, part, turned, number = f(x, y)
        assert same is x and number == 7 and turned.shape == (4, 3) and turned.sum().item() == 72.0
        part.fill_(5.0)
        assert x.tolist() == [[3.0] * 4, [5.0, 3.0] * 2, [5.0, 3.0] * 2]


def test_memory_that_is_freed_at_once_is_read_before_anybody_writes_it():
    f = gl.jit(lambda x: (x @ x).sum(0) * 2)
    for k in range(30):
        x = gl.full((8, 8), float(k)).to("cuda")
        result = f(x)
        del x
        other = gl.full((8, 8), -1.0).to("cuda")  # in the block that is free again
        assert result.tolist() == [128.0 * k * k] * 8
        del other


def test_threads_and_threads_that_never_met_the_gpu(calls):
    f, g = gl.jit(lambda x, k: (x * k).sum() + k), gl.jit(lambda x: x + 1)
    x = gl.ones(50, device="cuda")
    f(x, 1.0), f(x, 2.0), g(x)
    found, wrong = [], []

    def work(number):
        try:
            for k in range(15):
                value = float(number * 100 + k)
                if f(x, value).item() != 51 * value or g(x)[0].item() != 2.0:
                    wrong.append(value)
            found.append(number)
        except BaseException as error:  # the main thread tells
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert (sorted(found), wrong) == ([0, 1, 2], [])
    assert sum(each.native.served for each in calls) >= 3 * 15 * 2


def test_a_plan_that_is_linked_anew_uses_the_new_memory(calls):
    model = nn.Linear(3, 2).to("cuda")
    f = gl.jit(lambda x: model(x))
    x = gl.ones(4, 3, device="cuda")
    for scale in (1.0, 2.0, 3.0):
        model.weight = nn.Parameter(gl.full((2, 3), scale).to("cuda"))
        model.bias.data = gl.zeros(2, device="cuda")
        for _ in range(2):
            assert f(x).tolist() == [[3 * scale] * 2] * 4
    assert type(calls[-1]) is CudaCall and calls[-1].native.served


def test_full_memory_is_told_where_arguments_fit_and_asked_of_no_other_plan():
    outer = gl.jit(lambda x: (x.reshape(-1, 1) + x.reshape(1, -1)).exp())
    large, small = gl.ones(300, 300, device="cuda"), gl.ones(2, 2, device="cuda")
    limit = gl.cuda.memory_reserved() + (4 << 20)
    with gl.config.patch(cuda_limit=limit):
        for _ in range(2):
            with pytest.raises(gl.cuda.OutOfMemoryError):
                outer(large)
        assert outer(small).shape == (4, 4)


def test_a_driver_that_fails_is_told(calls):
    f, x, library = gl.jit(lambda x: x - 1), gl.ones(5, device="cuda"), ctypes.CDLL("libcuda.so.1")
    f(x), f(x)
    held = gl.cuda.memory_allocated()
    library.stand_in_set(b"fail", b"cuLaunchKernel:1:701")
    try:
        with pytest.raises(gl.cuda.CudaError, match="cuLaunchKernel failed with CUDA error 701"):
            f(x)
    finally:
        library.stand_in_set(b"fail", b"")
    assert gl.cuda.memory_allocated() == held and f(x).tolist() == [0.0] * 5
    library.stand_in_set(b"fail", b"cuLaunchKernel:1:201")  # as with another context: the launch is made once more
    assert f(x).tolist() == [0.0] * 5
    library.stand_in_set(b"fail", b"")
    assert current().driver.is_usable


@pytest.fixture
def fail():
    """Has the driver fail: `name:which:status`."""
    library = ctypes.CDLL("libcuda.so.1")
    yield lambda what: library.stand_in_set(b"fail", what.encode())
    library.stand_in_set(b"fail", b"")


def chain():
    """A jitted function of more launches than a graph takes, the same in NumPy, and its parameters."""
    model = nn.Sequential(*(nn.Linear(4, 4, bias=False) for _ in range(6))).to("cuda")

    def plain(x):
        found = x.cpu().numpy()
        for layer in model:
            found = found @ layer.weight.detach().cpu().numpy().T
        return found

    return gl.jit(lambda x: model(x).detach()), plain, model


def test_from_the_second_call_a_graph_is_launched_wherever_its_arrays_lie(calls):
    f, plain, model = chain()
    rng = np.random.default_rng(0)

    def told_and_right(x):
        with Counted() as asked:
            found = f(x)
        np.testing.assert_allclose(found.cpu().numpy(), plain(x), rtol=1e-4, atol=1e-6)
        return asked.graphs, asked.told, found

    x = gl.tensor(rng.standard_normal((3, 4), "f4")).to("cuda")
    steps = []
    for _ in range(4):
        steps.append(told_and_right(x)[:2])
    assert [graphs for graphs, _ in steps] == [0, 1, 1, 1] and max(told for _, told in steps) <= 1
    for _ in range(5):  # the first node and the last one are told
        graphs, told, kept = told_and_right(gl.tensor(rng.standard_normal((3, 4), "f4")).to("cuda"))
        assert graphs == 1 and told <= 2 and kept is not None
    larger = gl.jit(lambda x: (x @ x @ x).sum(0))
    large = gl.ones(200, 200, device="cuda")
    assert larger(large).tolist() == [200.0**3] * 200  # has the arena grow, and all nodes move
    assert told_and_right(x)[0] == 0
    assert told_and_right(x)[:2][0] == 1 and told_and_right(x)[1] <= 1
    gl.cuda.empty_cache()
    for _ in range(3):
        told_and_right(x)
    for layer in model:  # linked anew
        layer.weight = nn.Parameter(gl.tensor(rng.standard_normal((4, 4), "f4")).to("cuda"))
    assert [told_and_right(x)[0] for _ in range(3)] == [0, 1, 1]
    with gl.no_grad():
        for layer in model:  # and in place
            layer.weight.fill_(0.5)
    assert told_and_right(x)[0] == 1


def test_a_driver_that_makes_no_graphs_launches_kernels(calls, fail):
    x = gl.ones(3, 4, device="cuda")
    for name, calls_of_graphs in (("cuGraphCreate", 0), ("cuGraphAddKernelNode_v2", 0), ("cuGraphLaunch", 0)):
        f, plain, _ = chain()
        f(x)
        fail(f"{name}:1:801")
        with Counted() as asked:
            found = [f(x), f(x)]
        fail("")
        for each in found:
            np.testing.assert_allclose(each.cpu().numpy(), plain(x), rtol=1e-4)
        assert asked.launches >= 12 and calls[-1].native.served == 3
        assert calls[-1].native._table[at.ISSUE_GRAPH_CALLS] == calls_of_graphs


def test_graphs_are_given_back(calls):
    gc.collect()
    f, _, _ = chain()
    made, gone = count("cuGraphInstantiateWithFlags"), count("cuGraphExecDestroy")
    f(gl.ones(3, 4, device="cuda")), f(gl.ones(3, 4, device="cuda"))
    assert count("cuGraphInstantiateWithFlags") == made + 1
    del f
    calls.clear()
    gc.collect()
    assert count("cuGraphExecDestroy") == gone + 1


def test_threads_share_a_graph_and_the_memory_of_intermediates():
    f, plain, _ = chain()
    inputs = [gl.full((3, 4), float(k)).to("cuda") for k in range(3)]
    f(inputs[0]), f(inputs[0])
    expected, wrong = [plain(x) for x in inputs], []

    def work(k):
        try:
            for _ in range(10):
                np.testing.assert_allclose(f(inputs[k]).cpu().numpy(), expected[k], rtol=1e-4)
                if k == 2:
                    gl.cuda.empty_cache()
        except BaseException as error:  # the main thread tells
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


def test_small_blocks_that_wait_for_the_next_call_are_there_for_all():
    gc.collect()
    f, x = gl.jit(lambda x: x + 1), gl.ones(100, device="cuda")
    before = gl.cuda.memory_allocated()
    many = [f(x) for _ in range(50)]
    assert gl.cuda.memory_allocated() - before == 50 * 512
    del many
    assert gl.cuda.memory_allocated() == before
    f(x), f(x)
    with Counted() as asked:
        f(x), f(x)
    assert asked.rest == {}
    kept = f(x)
    del f
    gc.collect()
    assert gl.cuda.memory_allocated() == before + 512
    del kept
    assert gl.cuda.memory_allocated() == before
