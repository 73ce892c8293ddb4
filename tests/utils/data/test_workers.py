"""Loaders with worker processes: the same batches as without, and an end in every case."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from utils.data.samples import (
    Failing,
    Mixed,
    OddError,
    Part,
    Slow,
    Told,
    Views,
    as_they_are,
    failing_start,
    seeded_start,
)

import guardlift as gl
from guardlift.utils.data import DataLoader, TensorDataset
from guardlift.utils.data.worker import LOOK_FOR_PARENT

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="memory is sent as descriptors"),
    pytest.mark.filterwarnings("ignore:.*use of fork"),
]
WAYS = ["fork", "spawn", "forkserver"]


def plain(value: Any) -> Any:
    """The value in Python's own kinds, with the dtypes."""
    if isinstance(value, gl.Tensor):
        return value.dtype, value.tolist()
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def children() -> list[Any]:
    """The processes of passes that somebody may still refer to."""
    gc.collect()
    return multiprocessing.active_children()


@pytest.mark.parametrize("way", WAYS)
def test_batches_are_those_of_one_process_in_their_order(way: str) -> None:
    wanted = [plain(each) for each in DataLoader(Mixed(), 3)]
    found = [plain(each) for each in DataLoader(Mixed(), 3, num_workers=2, multiprocessing_context=way)]
    assert found == wanted


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("prefetch", [1, 2, 40])
def test_any_number_of_workers_and_batches_ahead_gives_the_same(workers: int, prefetch: int) -> None:
    dataset = TensorDataset(gl.arange(50), gl.randn(50, 4000))
    loader = DataLoader(dataset, 4, num_workers=workers, prefetch_factor=prefetch)
    assert [plain(each) for each in loader] == [plain(each) for each in DataLoader(dataset, 4)]


def test_shuffling_is_that_of_the_generator_whatever_makes_the_batches() -> None:
    dataset = TensorDataset(gl.arange(30))
    orders = [
        [x.tolist() for _ in range(2) for (x,) in loader]
        for workers in (0, 2)
        for loader in [DataLoader(dataset, 4, True, num_workers=workers, generator=gl.Generator(5))]
    ]
    assert orders[0] == orders[1] and orders[0][:8] != orders[0][8:]


def test_a_batch_lies_in_memory_of_its_own_that_can_be_written() -> None:
    batches = list(DataLoader(TensorDataset(gl.zeros(8, 3000)), 4, num_workers=1))
    (first,), (second,) = batches
    first.add_(1)
    assert second.sum().item() == 0 and first._array.ctypes.data % 64 == 0
    x = gl.ones(3000, requires_grad=True)
    (first @ x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [4.0] * 3000


def test_of_a_large_memory_only_what_is_seen_is_sent() -> None:
    (row,) = list(DataLoader(Views(), None, sampler=[7], num_workers=1))
    assert row.tolist() == list(range(7000, 8000)) and row.untyped_storage().nbytes() == 4000


def test_workers_know_who_they_are_and_have_seeds_of_their_own() -> None:
    gl.manual_seed(3)
    found = list(DataLoader(Told(), 2, num_workers=2, collate_fn=as_they_are))
    samples = [sample for batch in found for sample in batch]
    assert [sample[0] for sample in samples] == list(range(8))
    assert [sample[1:3] for sample in samples] == [(0, 2), (0, 2), (1, 2), (1, 2)] * 2
    assert {sample[3] for sample in samples if sample[1] == 1} == {samples[0][3] + 1}
    assert len({number for sample in samples for number in sample[4]}) == 24, "all random numbers differ"
    assert len({sample[5] for sample in samples} | {os.getpid()}) == 3
    assert {sample[6] for sample in samples} == {1}
    gl.manual_seed(3)
    again = list(DataLoader(Told(), 2, num_workers=2, collate_fn=as_they_are))
    assert [sample[4] for batch in again for sample in batch] == [sample[4] for sample in samples]


def test_a_start_function_runs_first() -> None:
    found = list(DataLoader(Told(), 4, num_workers=2, collate_fn=as_they_are, worker_init_fn=seeded_start))
    again = list(DataLoader(Told(), 4, num_workers=2, collate_fn=as_they_are, worker_init_fn=seeded_start))
    assert [sample[4] for batch in found for sample in batch] == [sample[4] for batch in again for sample in batch]
    with pytest.raises(OSError, match="(?s)Caught OSError in DataLoader worker process 1.*no disk"):
        list(DataLoader(Told(), 4, num_workers=2, collate_fn=as_they_are, worker_init_fn=failing_start))


@pytest.mark.parametrize("workers", [0, 1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 10])
def test_iterable_data_sets_are_shared_out(workers: int, count: int) -> None:
    loader = DataLoader(Part(count), 2, num_workers=workers)
    for _ in range(2):
        assert sorted(x for batch in loader for x in batch.tolist()) == list(range(count))


@pytest.mark.slow
def test_workers_may_stay_for_the_next_pass() -> None:
    loader = DataLoader(Told(), 2, num_workers=2, collate_fn=as_they_are, persistent_workers=True)
    passes = [[sample for batch in loader for sample in batch] for _ in range(3)]
    assert len({sample[5] for each in passes for sample in each}) == 2
    assert [[sample[0] for sample in each] for each in passes] == [list(range(8))] * 3
    next(iter(loader))  # a pass that is given up
    assert [sample[0] for batch in loader for sample in batch] == list(range(8))
    parts = DataLoader(Part(7), 2, num_workers=2, persistent_workers=True)
    for _ in range(3):
        assert sorted(x for batch in parts for x in batch.tolist()) == list(range(7))
    del loader, parts
    gc.collect()
    assert children() == []


@pytest.mark.parametrize("way", WAYS)
def test_workers_wait_for_as_long_as_it_takes(way: str) -> None:
    loader = DataLoader(range(3), num_workers=1, persistent_workers=True, multiprocessing_context=way)
    first = [x.item() for x in loader]
    time.sleep(1.5 * LOOK_FOR_PARENT)
    assert [x.item() for x in loader] == first == [0, 1, 2]


def test_batches_may_come_as_they_are_ready() -> None:
    ready = [x.item() for x in DataLoader(Slow(), num_workers=2, in_order=False)]
    assert sorted(ready) == list(range(6)) and ready[0] != 0
    assert [x.item() for x in DataLoader(Slow(), num_workers=2)] == list(range(6))


# Ends.


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        (
            "value",
            ValueError,
            r"Caught ValueError in DataLoader worker process 1\.\nOriginal Traceback.*sample 5 is bad",
        ),
        ("key", KeyError, r"Caught KeyError in DataLoader worker process 1\.\nOriginal Traceback.*'five'"),
        ("odd", RuntimeError, r"Caught OddError in DataLoader worker process 1\..*1 2"),
        ("not sent", Exception, r"Caught .* in DataLoader worker process 1\..*local object"),
    ],
)
def test_an_error_in_a_worker_is_raised_here_with_its_traceback(how: str, kind: type[Exception], said: str) -> None:
    loader = DataLoader(Failing(how), None, num_workers=2)
    found = []
    with pytest.raises(kind, match=f"(?s){said}") as raised:
        for sample in loader:
            found.append(sample)
    assert found == [0, 1, 2, 3, 4] and not isinstance(raised.value, OddError)
    assert "samples.py" in str(raised.value) or how == "not sent"


def test_a_pass_goes_on_after_an_error() -> None:
    batches = iter(DataLoader(Failing("value"), None, num_workers=2))
    found: list[Any] = []
    while True:
        try:
            found.append(next(batches))
        except ValueError:
            found.append("bad")
        except StopIteration:
            break
    assert found == [0, 1, 2, 3, 4, "bad", 6, 7]


@pytest.mark.parametrize(("how", "said"), [("kill", "was killed by signal 9"), ("exit", "ended with exit code 3")])
@pytest.mark.slow
def test_a_worker_that_dies_is_told_at_once(how: str, said: str) -> None:
    assert children() == []
    start = time.monotonic()
    with pytest.raises(RuntimeError, match=rf"DataLoader worker \(pid \d+\) exited unexpectedly: it {said}"):
        list(DataLoader(Failing(how), None, num_workers=2))
    assert time.monotonic() - start < 30 and children() == []


def test_time_may_be_limited() -> None:
    from guardlift.utils.data import parallel

    before, parallel.GRACE = parallel.GRACE, 0.5
    try:
        with pytest.raises(RuntimeError, match="DataLoader timed out after 0.5 seconds"):
            list(DataLoader(Failing("hang"), None, num_workers=2, timeout=0.5))
    finally:
        parallel.GRACE = before
    assert children() == []


@pytest.mark.parametrize("consumed", [0, 1, 3])
@pytest.mark.slow
def test_a_pass_that_is_given_up_leaves_nothing(consumed: int) -> None:
    gc.collect()
    before = descriptors() if os.path.isdir("/proc/self/fd") else 0
    batches = iter(DataLoader(Mixed(), 2, num_workers=2))
    for _ in range(consumed):
        next(batches)
    del batches
    gc.collect()
    assert children() == []
    assert not before or descriptors() <= before  # what other tests left may be closed meanwhile


@pytest.mark.slow
def test_passes_leave_no_descriptors_and_no_memory() -> None:
    list(DataLoader(Mixed(), 2, num_workers=2))
    gc.collect()
    before = descriptors() if os.path.isdir("/proc/self/fd") else 0
    for _ in range(3):
        list(DataLoader(Mixed(), 2, num_workers=2))
    gc.collect()
    assert not before or descriptors() <= before  # what other tests left may be closed meanwhile


def run_program(text: str, folder: Path) -> subprocess.Popen[str]:
    script = folder / "program.py"
    script.write_text(textwrap.dedent(text))
    command = [sys.executable, "-P", str(script)]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


ENDLESS = """
    import os, signal, time
    import guardlift as gl
    from guardlift.utils.data import DataLoader, Dataset

    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background are born without

    class Endless(Dataset):
        def __len__(self):
            return 10**6
        def __getitem__(self, index):
            time.sleep(0.01)
            return os.getpid()

    for pid in DataLoader(Endless(), None, num_workers=2, multiprocessing_context="fork"):
        print(pid, flush=True)
"""


def gone(pid: int) -> bool:
    """Whether a process has ended, or has nobody left to ask for its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="asks Linux which processes are there")
@pytest.mark.parametrize(("sent", "to_all"), [(signal.SIGINT, True), (signal.SIGINT, False), (signal.SIGKILL, False)])
def test_workers_end_when_the_program_is_interrupted_or_killed(sent: int, to_all: bool, tmp_path: Path) -> None:
    program = run_program(ENDLESS, tmp_path)
    assert program.stdout is not None and program.stderr is not None
    workers = {int(program.stdout.readline()) for _ in range(12)}
    assert len(workers) == 2
    (os.killpg if to_all else os.kill)(program.pid, sent)
    program.stdout.read()
    said = program.stderr.read()
    program.wait(30)
    assert ("KeyboardInterrupt" in said) == (sent == signal.SIGINT)
    assert said.count("Traceback") <= 1, said
    until = time.monotonic() + 30
    while time.monotonic() < until and not all(map(gone, workers)):
        time.sleep(0.05)
    assert all(map(gone, workers))


def test_forked_workers_may_call_what_is_jitted_here() -> None:
    double = gl.jit(lambda x: x * 2)
    double(gl.ones(3))

    def collate(samples: Any) -> Any:
        return double(gl.tensor(samples, dtype=gl.float32))

    loader = DataLoader(range(9), 3, num_workers=2, multiprocessing_context="fork", collate_fn=collate)
    assert [each.tolist() for each in loader] == [[0, 2, 4], [6, 8, 10], [12, 14, 16]]


def test_a_jitted_step_is_fed_by_workers() -> None:
    model = gl.nn.Linear(4, 1)
    optimizer = gl.optim.SGD(model.parameters(), lr=0.1)
    x = gl.randn(32, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), 8, True, num_workers=2, persistent_workers=True)

    @gl.jit(fullgraph=True)
    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = gl.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    losses = [step(*batch).item() for _ in range(10) for batch in loader]
    assert losses[-1] < losses[0] / 10
    assert len(gl.explain(step).entries) == 1


def test_many_numbers_of_places_at_once_do_not_block() -> None:
    places = [list(range(20_000))] * 8
    found = list(DataLoader(TensorDataset(gl.arange(20_000)), batch_sampler=places, num_workers=2, prefetch_factor=4))
    assert [each[0].sum().item() for each in found] == [sum(range(20_000))] * 8


def test_loaders_can_be_copied_and_pickled() -> None:
    import copy
    import pickle

    loader = DataLoader(Mixed(4, 2), 2, num_workers=1, persistent_workers=True)
    wanted = [plain(each) for each in loader]
    for twin in (copy.copy(loader), pickle.loads(pickle.dumps(loader))):
        assert [plain(each) for each in twin] == wanted
    assert np.array_equal(wanted[0]["array"][1], np.array([[0, 0], [1, 1]]))
