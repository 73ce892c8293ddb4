"""Steps that are shared out to a team of threads."""

import errno
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import guardlift as gl
from guardlift.backend.cpu.compiler.kernels import get_kernel
from guardlift.backend.cpu.plan import table_layout
from guardlift.backend.cpu.plan.parallel_split import ParallelSplit
from guardlift.backend.cpu.plan.plan import (
    ArrayInput,
    ForeachStep,
    FreshOutput,
    KernelStep,
    LaunchPlan,
    LiftedInput,
    build,
)
from guardlift.backend.cpu.runner import thread_team

F4, I8 = np.dtype(np.float32), np.dtype(np.int64)
COUNT_UP = """
def kernel(addresses, sizes, start, stop):
    counts = pointer_i64(addresses[0])
    for i in range(start, stop):
        counts[i] += 1
    return 0
"""
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def four_threads():
    with gl.config.patch(num_threads=4):
        yield


def over(kernel, extent, chunk, chunks_per_thread=1000, wakes=True):
    """A call of one kernel over an array of int64."""
    given = ArrayInput(I8, (extent,), (8,), writeable=True, written=True)
    step = KernelStep(kernel, ((0, 0),), (), extent, ParallelSplit(chunk, chunks_per_thread, wakes=wakes))
    return build(LaunchPlan((given,), steps=(step,), release_gil=True))


@pytest.mark.parametrize("threads", [1, 2, 4, 9])
@pytest.mark.parametrize(("extent", "chunk"), [(1, 1), (7, 2), (1000, 1), (1000, 999), (1000, 1000), (4096, 64)])
def test_every_element_is_computed_once(threads, extent, chunk):
    gl.config.num_threads = threads
    call, counts = over(get_kernel(COUNT_UP), extent, chunk), np.zeros(extent, np.int64)
    for rounds in range(1, 50):
        call(counts)
        assert (counts == rounds).all()


def test_as_many_threads_as_are_asked_for_are_inside_at_once(python_kernel):
    together, chunks, idents = threading.Barrier(4), [], set()

    def kernel(addresses, sizes, start, stop):
        idents.add(threading.get_ident())
        chunks.append((start, stop))
        together.wait(PATIENCE)
        return 0

    over(python_kernel(kernel), 40, 10)(np.zeros(40, np.int64))
    assert sorted(chunks) == [(0, 10), (10, 20), (20, 30), (30, 40)]
    assert len(idents) == 4 and threading.get_ident() in idents


@pytest.mark.parametrize(
    ("chunks_per_thread", "chunks"),
    [(1, [0, 600]), (2, [0, 300, 500, 700, 800, 900, 1000]), (100, range(0, 1100, 100))],
)
def test_chunks_are_shares_of_what_is_left_in_multiples_of_the_least(python_kernel, chunks_per_thread, chunks):
    gl.config.num_threads, seen = 2, []
    kernel = python_kernel(lambda addresses, sizes, start, stop: seen.append((start, stop)) or 0)
    over(kernel, 1050, 100, chunks_per_thread)(np.zeros(1050, np.int64))
    assert sorted(seen) == list(zip(chunks, [*chunks[1:], 1050], strict=True))


def test_no_more_threads_than_are_asked_for_are_inside(python_kernel):
    over(get_kernel(COUNT_UP), 8, 1)(np.zeros(8, np.int64))  # with four, which stay
    gl.config.num_threads = 2
    together, idents = threading.Barrier(2), set()

    def kernel(addresses, sizes, start, stop):
        idents.add(threading.get_ident())
        together.wait(PATIENCE)
        return 0

    over(python_kernel(kernel), 8, 1)(np.zeros(8, np.int64))
    assert len(idents) == 2


def test_a_small_job_wakes_helpers_only_where_some_have_gone_by(python_kernel):
    gl.config.num_threads = 2
    over(get_kernel(COUNT_UP), 8, 1)(np.zeros(8, np.int64))
    words, idents = thread_team._words, set()
    small = over(python_kernel(lambda *_: idents.add(threading.get_ident()) or 0), 8, 1, wakes=False)

    def all_sleep():
        end = time.monotonic() + PATIENCE
        while words[table_layout.TEAM_SLEEPERS] < thread_team._helpers and time.monotonic() < end:
            time.sleep(0.001)
        return words[table_layout.TEAM_SLEEPERS] == thread_team._helpers

    assert all_sleep()
    words[table_layout.TEAM_UNHEARD] = calls = 0
    while calls < 100:
        small(np.zeros(8, np.int64))
        calls += 1
        if words[table_layout.TEAM_UNHEARD] == 0:
            break
        assert words[table_layout.TEAM_UNHEARD] == calls and idents == {threading.get_ident()}
    assert 1 < calls < 100

    assert all_sleep()
    together = threading.Barrier(2)
    words[table_layout.TEAM_UNHEARD] = calls - 1
    over(python_kernel(lambda *_: 0 * together.wait(PATIENCE)), 2, 1, wakes=False)(np.zeros(2, np.int64))
    assert words[table_layout.TEAM_UNHEARD] == 0 and not together.broken


def test_one_thread_runs_the_whole_range_at_once(python_kernel):
    gl.config.num_threads = 1
    seen = []
    kernel = python_kernel(lambda addresses, sizes, start, stop: seen.append((start, stop)) or 0)
    over(kernel, 40, 10)(np.zeros(40, np.int64))
    assert seen == [(0, 40)]


def test_a_call_beside_one_that_has_the_team_computes_alone(python_kernel):
    inside, go_on = threading.Event(), threading.Event()
    kernel = python_kernel(lambda *_: inside.set() or 0 * go_on.wait(PATIENCE))
    slow = threading.Thread(target=over(kernel, 40, 10), args=(np.zeros(40, np.int64),))
    slow.start()
    assert inside.wait(PATIENCE)
    counts = np.zeros(1000, np.int64)
    over(get_kernel(COUNT_UP), 1000, 10)(counts)
    assert (counts == 1).all() and slow.is_alive()
    go_on.set()
    slow.join()


def test_threads_that_call_at_once_get_what_each_gets_alone():
    call, wrong = over(get_kernel(COUNT_UP), 5000, 100), []

    def many():
        counts = np.zeros(5000, np.int64)
        for _ in range(200):
            call(counts)
        if (counts != 200).any():
            wrong.append(counts)

    callers = [threading.Thread(target=many) for _ in range(8)]
    for each in callers:
        each.start()
    for each in callers:
        each.join()
    assert not wrong


def test_a_status_of_any_chunk_ends_the_call(python_kernel):
    failing = python_kernel(lambda addresses, sizes, start, stop: int(start == 30))
    assert over(failing, 40, 10)(np.zeros(40, np.int64)) is Ellipsis
    assert over(python_kernel(lambda *_: 0), 40, 10)(np.zeros(40, np.int64)) is None


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("chunk", [1024, 3000, 5000, 100_000])
def test_rows_of_a_table_are_shared_out_within_rows_too(double, threads, chunk):
    gl.config.num_threads = threads
    sizes = [1, 5000, 3, 1024, 2048, 9000, 2, 7]
    arrays = [np.arange(size, dtype=F4) for size in sizes]
    inputs = tuple(LiftedInput(F4, each.shape, each.strides, written=True) for each in arrays)
    slots = np.repeat(np.arange(len(sizes)), 2).reshape(-1, 2)
    step = ForeachStep(double, slots, np.zeros_like(slots), np.array(sizes), (), ParallelSplit(chunk))
    call = build(LaunchPlan(inputs, steps=(step,), release_gil=True), arrays)
    for rounds in range(1, 20):
        call()
        assert all((each == np.arange(each.size) * 2.0**rounds).all() for each in arrays)


def test_chunks_of_a_table_are_its_rows_from_the_first_to_the_last(python_kernel):
    seen = []
    kernel = python_kernel(lambda addresses, sizes, start, stop: seen.append((addresses[0], start, stop)) or 0)
    sizes = [2000, 10, 3000]
    step = ForeachStep(
        kernel, np.zeros((3, 1), int), 8 * np.arange(3).reshape(3, 1), np.array(sizes), (), ParallelSplit(2048)
    )
    x = np.zeros(8, np.int64)
    build(LaunchPlan((ArrayInput(x.dtype, (8,), (8,)),), steps=(step,), release_gil=True))(x)
    parts = sorted(((address - x.ctypes.data) // 8, start, stop) for address, start, stop in seen)
    assert parts == [(0, 0, 2000), (1, 0, 10), (2, 0, 2048), (2, 2048, 3000)]


def test_a_row_of_very_many_operands_is_not_shared_out(python_kernel):
    seen = []
    kernel = python_kernel(lambda addresses, sizes, start, stop: seen.append((start, stop)) or 0)
    slots = np.zeros((2, table_layout.SHARED_OPERANDS + 1), int)
    step = ForeachStep(kernel, slots, slots, np.array([4096, 4096]), (), ParallelSplit(1024))
    build(LaunchPlan((ArrayInput(F4, (1,), (4,)),), steps=(step,), release_gil=True))(np.zeros(1, F4))
    assert seen == [(0, 4096), (0, 4096)]


def test_helpers_are_no_threads_of_python():
    before = threading.enumerate()
    over(get_kernel(COUNT_UP), 100, 10)(np.zeros(100, np.int64))
    assert threading.enumerate() == before


def test_a_plan_without_chunks_asks_for_no_team(double, monkeypatch):
    monkeypatch.setattr(thread_team, "words_address", lambda: pytest.fail("a team was asked for"))
    outputs = (FreshOutput(F4, (4,), (4,)),)
    for chunk in (0, 4, 5):
        step = KernelStep(double, ((0, 0), (1, 0)), (), 4, ParallelSplit(chunk))
        build(LaunchPlan((ArrayInput(F4, (4,), (4,)),), outputs, steps=(step,)))(np.ones(4, F4))


def test_where_the_system_gives_no_more_threads_fewer_do_it(monkeypatch):
    over(get_kernel(COUNT_UP), 8, 1)(np.zeros(8, np.int64))  # four threads at least, which stay
    there = thread_team._helpers + 1
    monkeypatch.setattr(thread_team, "_start_helper", lambda: errno.EAGAIN)
    with pytest.warns(
        RuntimeWarning, match=rf"{there} threads run large kernels; .*unavailable.*num_threads\({there}\)"
    ):
        gl.config.num_threads = there + 100
    assert gl.get_num_threads() == there
    counts = np.zeros(1000, np.int64)
    over(get_kernel(COUNT_UP), 1000, 10)(counts)
    assert (counts == 1).all()
    gl.config.num_threads = 2
    assert gl.get_num_threads() == 2


def test_a_handler_that_sets_the_number_while_threads_are_started_has_the_last_word(monkeypatch):
    over(get_kernel(COUNT_UP), 8, 1)(np.zeros(8, np.int64))
    start, seen = thread_team._start_helper, []

    def interrupted():
        if not seen:
            seen.append(True)
            signal.raise_signal(signal.SIGUSR1)
        return start()

    monkeypatch.setattr(thread_team, "_start_helper", interrupted)
    before = signal.signal(signal.SIGUSR1, lambda *_: gl.set_num_threads(3))
    try:
        gl.config.num_threads = thread_team._helpers + 3
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen and gl.config.num_threads == gl.get_num_threads() == 3


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's view of threads")
def test_helpers_take_no_signals_but_those_of_their_own_faults(python_kernel):
    together, helpers = threading.Barrier(4), []

    def kernel(addresses, sizes, start, stop):
        together.wait(PATIENCE)
        if threading.current_thread() is not threading.main_thread():
            helpers.append(threading.get_native_id())
        together.wait(PATIENCE)
        return 0

    over(python_kernel(kernel), 40, 10)(np.zeros(40, np.int64))
    assert len(helpers) == 3
    for each in helpers:
        status = Path(f"/proc/self/task/{each}/status").read_text()
        blocked = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigBlk")), 16)
        assert all(blocked >> (number - 1) & 1 for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM))
        assert not blocked >> (signal.SIGSEGV - 1) & 1


def test_the_number_may_change_while_calls_run():
    call, wrong, over_now = over(get_kernel(COUNT_UP), 5000, 100), [], threading.Event()

    def change():
        while not over_now.is_set():
            for number in (1, 2, 5, 3):
                gl.config.num_threads = number

    changing = threading.Thread(target=change)
    changing.start()
    for _ in range(300):
        counts = np.zeros(5000, np.int64)
        call(counts)
        if (counts != 1).any():
            wrong.append(counts)
    over_now.set()
    changing.join()
    assert not wrong and gl.get_num_threads() == gl.config.num_threads


FORKED = """
import os, sys, threading
import numpy as np
import guardlift as gl
from guardlift.backend.cpu.runner import thread_team
from guardlift.backend.cpu.plan.table_layout import TEAM_TAKEN

gl.config.num_threads = 2
function = gl.jit(lambda x: np.sin(x) * x + 1.0)
x = np.linspace(0.0, 1.0, 2_000_000)
expected = function(x)
busy = threading.Thread(target=lambda: [function(x) for _ in range(200)], daemon=True)
busy.start()
while not thread_team._words[TEAM_TAKEN]:  # the process is forked while another thread has the team
    pass
child = os.fork()
if not child:
    alone = gl.get_num_threads() == 1 and (function(x) == expected).all()
    gl.set_num_threads(3)
    together = gl.get_num_threads() == 3 and all((function(x) == expected).all() for _ in range(20))
    os._exit(0 if alone and together else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), gl.get_num_threads(), (function(x) == expected).all())
"""


@pytest.mark.slow
def test_a_forked_process_computes_alone_until_it_asks_for_threads():
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-P", "-c", FORKED],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stdout.split() == ["0", "2", "True"], done.stderr
