"""Streams and events, and memory between streams. `make ptx-run` runs this file, on the stand-in alone."""

import ctypes
import gc
import os
import threading
import warnings

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn
from guardlift.backend.cuda.device import current
from guardlift.nn import functional as F

if "STAND_IN_SEED" not in os.environ:
    pytest.skip("only the stand-in for the driver is as late as it may be", allow_module_level=True)


@pytest.fixture(autouse=True)
def no_silent_breaks():
    """A graph break, or an error of ours, fails the test."""
    with gl.config.patch(raise_internal_errors=True), warnings.catch_warnings():
        warnings.simplefilter("error", gl.GraphBreakWarning)
        yield
    gc.collect()
    gl.cuda.synchronize()
    gl.cuda.empty_cache()
    current().memory.streams = None  # as if there had been no other stream: the tests of other files count


@pytest.fixture
def set_seed():
    """Has the stand-in begin work in another order; 0: only when it is waited for."""
    library = ctypes.CDLL("libcuda.so.1")
    return lambda seed: library.stand_in_set(b"seed", str(seed).encode())


def count(name):
    library = ctypes.CDLL("libcuda.so.1")
    library.stand_in_count.restype = ctypes.c_uint64
    return library.stand_in_count(name.encode())


def test_threads_give_their_work_to_the_default_stream_until_they_are_told_otherwise():
    side, other = gl.cuda.Stream(), gl.cuda.Stream(priority=-1)
    assert gl.cuda.current_stream() == gl.cuda.default_stream() != side != other
    assert gl.cuda.default_stream().cuda_stream == 0 and len({side, other, gl.cuda.current_stream()}) == 3
    seen = []
    with gl.cuda.stream(side):
        thread = threading.Thread(target=lambda: seen.append(gl.cuda.current_stream()))
        thread.start(), thread.join()
        with gl.cuda.stream(other), gl.cuda.stream(None):
            seen.append(gl.cuda.current_stream())
        seen.append(gl.cuda.current_stream())
        with pytest.raises(ZeroDivisionError), gl.cuda.stream(other):
            raise ZeroDivisionError
        seen.append(gl.cuda.current_stream())
    assert seen == [gl.cuda.default_stream(), other, side, side]
    gl.cuda.set_stream(side)
    assert gl.cuda.current_stream() == side
    gl.cuda.set_stream(gl.cuda.default_stream())
    assert repr(side).startswith("<gl.cuda.Stream device=cuda:0 cuda_stream=0x") and side.device == gl.device("cuda:0")


def test_work_on_a_stream_is_done_when_it_is_waited_for(set_seed):
    f, x = gl.jit(lambda x: x * 2 + 1), gl.arange(100.0, device="cuda")
    side, event = gl.cuda.Stream(), gl.cuda.Event()
    assert event.query() and side.query()
    side.wait_stream(gl.cuda.current_stream())
    for _ in range(3):
        with gl.cuda.stream(side):
            y = f(x)
            f(y), f(y)
            side.record_event(event)
        set_seed(0)
        assert not event.query()
        event.synchronize()
        assert event.query()
        side.synchronize()
        set_seed(5)
    gl.cuda.current_stream().wait_event(event)
    assert y.tolist() == (np.arange(100.0) * 2 + 1).tolist()


def test_a_value_is_waited_for_on_its_own_stream_alone():
    f, x = gl.jit(lambda x: x * 2 + 1), gl.arange(40000.0, device="cuda")
    side = gl.cuda.Stream()
    side.wait_stream(gl.cuda.current_stream())
    with gl.cuda.stream(side):
        f(x), f(x[::2])
        before = count("cuCtxSynchronize")
        expected = np.arange(40000.0) * 2 + 1
        np.testing.assert_array_equal(f(x).cpu().numpy(), expected)
        np.testing.assert_array_equal(f(x)[:3].cpu().numpy(), expected[:3])
        part = f(x).reshape(200, 200)[:, 5:9]
        np.testing.assert_array_equal(part.cpu().numpy(), expected.reshape(200, 200)[:, 5:9])
        part[...] = gl.zeros(200, 4)  # rows, which no asynchronous copy of the driver takes
        np.testing.assert_array_equal(f(part).cpu().numpy(), np.ones((200, 4)))
        assert count("cuCtxSynchronize") == before


def test_events_tell_the_time_between_them():
    start, end = gl.cuda.Event(enable_timing=True), gl.cuda.Event(enable_timing=True)
    with pytest.raises(RuntimeError, match="recorded and done"):
        start.elapsed_time(end)
    start.record()
    gl.jit(lambda x: x + 1)(gl.ones(3, device="cuda"))
    end.record()
    end.synchronize()
    assert start.elapsed_time(end) >= 0
    with pytest.raises(RuntimeError, match="enable_timing=True"):
        start.elapsed_time(gl.cuda.Event())
    with pytest.raises(RuntimeError, match="between processes"):
        gl.cuda.Event(interprocess=True)


def test_one_function_on_two_streams_mixes_nothing_up(set_seed):
    """Numbers, tables, intermediates and graphs of a plan are of a stream."""
    model = nn.Sequential(*(nn.Linear(4, 4, bias=False) for _ in range(5))).to("cuda")
    with gl.no_grad():
        for layer in model:
            layer.weight.copy_(gl.eye(4))
    f = gl.jit(lambda x, k: (model(x * k) + k).detach())
    x = gl.arange(12.0).reshape(3, 4).to("cuda")
    sides = [gl.cuda.Stream(), gl.cuda.Stream(), gl.cuda.default_stream()]
    gl.cuda.synchronize()
    for seed in range(2, 8):
        set_seed(seed)
        found = []
        for k in range(6):
            with gl.cuda.stream(sides[k % 3]):
                found.append((k, f(x, k + 0.5)))
        gl.cuda.synchronize()
        for k, each in found:
            np.testing.assert_allclose(each.cpu().numpy(), x.cpu().numpy() * (k + 0.5) + k + 0.5, rtol=1e-6)


@pytest.mark.parametrize("size", [100, 1 << 18])
def test_memory_that_another_stream_still_reads_is_not_given_out(set_seed, size):
    f, fill = gl.jit(lambda x: x * 2), gl.jit(lambda k: gl.full((size,), 0.0, device="cuda") + k)
    side, main = gl.cuda.Stream(), gl.cuda.default_stream()
    for seed in (0, 2, 3) if size > 100 else (0, *range(2, 10)):
        set_seed(seed)
        found = []
        for k in range(3):
            x = fill(float(k))
            side.wait_stream(main)
            with gl.cuda.stream(side):
                found.append(f(x))
            del x  # the other stream may not have begun
            trash = [fill(-1.0) for _ in range(2)]
            main.synchronize()
        del trash
        side.synchronize()
        assert [each[:2].tolist() for each in found] == [[2.0 * k] * 2 for k in range(3)], seed
    del found
    gc.collect()
    with gl.cuda.stream(side):  # and the other way round
        y = f(fill(3.0))
        main.wait_stream(side)
        with gl.cuda.stream(main):
            z = f(y)
        del y
        trash = [fill(-1.0) for _ in range(3)]
    assert z[:2].tolist() == [12.0, 12.0] and len(trash) == 3


def test_memory_comes_back_when_all_streams_are_done():
    fill = gl.jit(lambda k: gl.full((1 << 18,), 0.0, device="cuda") + k)
    side = gl.cuda.Stream()
    with gl.cuda.stream(side):
        fill(1.0)
    gc.collect()
    gl.cuda.synchronize()
    before = gl.cuda.memory_allocated()
    with gl.cuda.stream(side):
        kept = [fill(float(k)) for k in range(3)]
    assert gl.cuda.memory_allocated() - before >= 3 * (1 << 20)
    del kept
    gl.cuda.synchronize()
    assert gl.cuda.memory_allocated() == before
    gl.cuda.empty_cache()
    assert current().memory.statistics()["kept"] == 0


def test_full_memory_waits_for_what_streams_still_use():
    fill = gl.jit(lambda k: gl.full((1 << 18,), 0.0, device="cuda") + k)
    side = gl.cuda.Stream()
    with gl.cuda.stream(side):
        fill(1.0)
    gl.cuda.synchronize()
    gl.cuda.empty_cache()
    with gl.config.patch(cuda_limit=gl.cuda.memory_reserved() + (3 << 20)), gl.cuda.stream(side):
        for k in range(5):
            assert fill(float(k))[0].item() == k
            fill(0.5)


def test_a_training_step_on_a_stream_is_that_of_the_default_one():
    def losses(on):
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

        on.wait_stream(gl.cuda.default_stream())
        with gl.cuda.stream(on):
            found = [step() for _ in range(5)]
            return [each.item() for each in found]

    assert losses(gl.cuda.Stream()) == losses(gl.cuda.default_stream())


def test_other_libraries_are_told_the_stream():
    side, asked = gl.cuda.Stream(), []
    x = gl.ones(3, device="cuda")

    class Producer:
        def __dlpack_device__(self):
            return x.__dlpack_device__()

        def __dlpack__(self, *, stream, **keywords):
            asked.append(stream)
            return x.__dlpack__(stream=stream, **keywords)

    side.wait_stream(gl.cuda.default_stream())
    with gl.cuda.stream(side):
        assert gl.from_dlpack(Producer()).tolist() == [1.0] * 3
        assert x.__cuda_array_interface__["stream"] == side.cuda_stream
        before = count("cuStreamWaitEvent")
        x.__dlpack__(stream=side.cuda_stream), x.__dlpack__(stream=-1)
        assert count("cuStreamWaitEvent") == before
        x.__dlpack__(), x.__dlpack__(stream=1)
        assert count("cuStreamWaitEvent") == before + 2
    gl.from_dlpack(Producer())
    assert asked == [side.cuda_stream, 1] and x.__cuda_array_interface__["stream"] == 1


def test_a_stream_inside_a_jitted_function_is_that_of_plain_python():
    side = gl.cuda.Stream()

    @gl.jit
    def f(x):
        side.wait_stream(gl.cuda.current_stream())
        with gl.cuda.stream(side):
            y = x * 2
        gl.cuda.current_stream().wait_stream(side)
        return y + 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            assert f(gl.ones(3, device="cuda")).tolist() == [3.0] * 3
    assert gl.cuda.current_stream() == gl.cuda.default_stream()


@pytest.fixture
def late():
    """Checks that nobody waits for, and a GPU that has seen none fail."""
    from guardlift.backend.cuda.native.late_checks import LateChecks

    before = current().late_checks
    current().late_checks = LateChecks()
    with gl.config.patch(cuda_checks="late"):
        yield
    current().late_checks = before


@pytest.mark.usefixtures("late")
def test_a_late_check_is_not_waited_for_and_its_failure_is_the_error_of_every_read():
    table = gl.arange(12.0, device="cuda").reshape(4, 3)
    f = gl.jit(lambda i: F.embedding(i, table) * 2)
    g = gl.jit(lambda x: x + 1)
    good, bad = gl.tensor([0, 3, 1]).to("cuda"), gl.tensor([0, 4, 1]).to("cuda")
    f(good), g(f(good))
    gl.cuda.synchronize()
    before = [count(name) for name in ("cuMemcpyDtoH_v2", "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize")]
    found = f(good)
    assert [count(name) for name in ("cuMemcpyDtoH_v2", "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize")] == before
    assert found.tolist() == (np.arange(12.0).reshape(4, 3)[[0, 3, 1]] * 2).tolist()
    wrong = f(bad)
    after, other = g(wrong), g(table)
    with pytest.raises(
        IndexError, match=r"cases_streams.py, line \d+, in .*<lambda>.*gl.config.cuda_checks = 'each call'"
    ):
        after.tolist()
    for read in (
        wrong.tolist,
        other.tolist,
        gl.cuda.synchronize,
        gl.cuda.current_stream().synchronize,
        lambda: other[:, 1].cpu(),
        lambda: other.__dlpack__(),
        lambda: other.__cuda_array_interface__,
        lambda: f(good).sum().item(),
        lambda: print(other),
    ):
        with pytest.raises(gl.cuda.LateCheckError, match="out of range"):
            read()


@pytest.mark.usefixtures("late")
def test_a_late_check_of_another_stream_or_of_a_function_that_is_gone_is_told():
    table, side = gl.arange(12.0, device="cuda").reshape(4, 3), gl.cuda.Stream()
    bad, x = gl.tensor([7]).to("cuda"), gl.ones(3, device="cuda")
    side.wait_stream(gl.cuda.current_stream())
    f = gl.jit(lambda i: F.embedding(i, table) * 2)
    with gl.cuda.stream(side):
        f(bad)
    del f
    gc.collect()
    event = side.record_event()
    with pytest.raises(gl.cuda.LateCheckError):
        event.synchronize()
    with pytest.raises(gl.cuda.LateCheckError):
        x.tolist()


@pytest.mark.usefixtures("late")
def test_what_is_no_index_is_waited_for_still():
    f = gl.jit(lambda x, y: x**y)
    x = gl.tensor([2, 3]).to("cuda")
    assert f(x, gl.tensor([3, 1]).to("cuda")).tolist() == [8, 3]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f(x, gl.tensor([3, -1]).to("cuda")).tolist() == [8, 0]  # as plain Python has it, without an error
    assert x.tolist() == [2, 3]


@pytest.mark.usefixtures("late")
def test_threads_see_the_failure_of_each_other():
    table = gl.arange(12.0, device="cuda").reshape(4, 3)
    f = gl.jit(lambda i: F.embedding(i, table) * 2)
    good, bad = gl.tensor([0, 3, 1]).to("cuda"), gl.tensor([0, 4, 1]).to("cuda")
    expected, wrong = f(good).tolist(), []

    def work(k):
        for n in range(8):
            try:
                with gl.config.patch(cuda_checks="late" if k else "each call"):
                    if f(bad if k == n == 2 else good).tolist() != expected:
                        wrong.append((k, n))
            except gl.cuda.LateCheckError:
                pass

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []
    with pytest.raises(gl.cuda.LateCheckError):
        table.tolist()
