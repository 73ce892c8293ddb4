"""Ctrl-C anywhere in a compile, or in a first step of an optimizer: the next call is right, and no lock is held."""

from __future__ import annotations

import itertools
import random
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from interrupting import in_another_thread, interrupted

import guardlift as gl
from guardlift.autograd import accumulate
from guardlift.backend.artifacts import counters
from guardlift.backend.cpu.runner import thread_team
from guardlift.core.locks import Attempt, ForkSafeLock
from guardlift.guards.assembler import CodeTables

Case = tuple[Callable[[], Any], Callable[[], Any]]
"""Programs that are interrupted, and what is checked then."""

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def _compiles_under_tracing() -> Iterator[None]:
    with gl.config.patch(under_tracing="jit"):
        yield


def a_function_of_arrays() -> Case:
    factor = 1.0 + next(_numbers) / 2048  # a kernel of its own each time
    scope: dict[str, Any] = {"np": np}
    text = f"def f(x, out):\n    y = np.sort(x) * {factor}\n    out.append(y.sum())\n    return y - y.mean()\n"
    exec(text, scope)
    f, jitted = scope["f"], gl.jit(scope["f"])
    x = np.arange(6.0)[::-1].copy()

    def check() -> None:
        ours: list[Any] = []
        plain: list[Any] = []
        for _ in range(2):
            assert np.allclose(jitted(x, ours), f(x, plain))
        assert np.allclose(ours, plain)
        report = gl.explain(jitted)
        assert not report.breaks and len(report.entries) == 1

    return lambda: jitted(x, []), check


def step_of(make: Callable[[Any], Any], jit: bool) -> Callable[[], Case]:
    def case() -> Case:
        factor = 1.0 + next(_numbers) / 2048
        weight, bias, x = nn_parameter(3, 4), nn_parameter(4), gl.ones(2, 3)
        optimizer = make([weight, bias])

        def step() -> Any:
            optimizer.zero_grad()
            loss = ((x @ weight + bias) * factor).square().mean()
            loss.backward()
            optimizer.step()
            return loss.detach()

        run = gl.jit(step) if jit else step

        def check() -> None:
            losses = [run().item() for _ in range(4)]
            assert losses == sorted(losses, reverse=True)
            first, second = (sorted(each) for each in optimizer.state.values())
            assert first == second
            assert not jit or not gl.explain(run).breaks

        return run, check

    return case


def nn_parameter(*shape: int) -> Any:
    return gl.nn.Parameter(gl.ones(*shape))


def adam(parameters: Any) -> Any:
    return gl.optim.Adam(parameters, lr=0.01)


def momentum(parameters: Any) -> Any:
    return gl.optim.SGD(parameters, lr=0.01, momentum=0.5)


def adagrad(parameters: Any) -> Any:
    return gl.optim.Adagrad(parameters, lr=0.01)


CASES: dict[str, tuple[Callable[[], Case], int]] = {
    "a function of arrays": (a_function_of_arrays, 2),
    "Adam": (step_of(adam, jit=False), 60),
    "SGD with momentum": (step_of(momentum, jit=False), 40),
    "Adagrad": (step_of(adagrad, jit=False), 40),
    "Adam, jitted": (step_of(adam, jit=True), 2),
    "SGD with momentum, jitted": (step_of(momentum, jit=True), 1),
}
"""Each with how many places are tried in a quick run."""


def interrupt_everywhere(make: Callable[[], Case], number: int) -> None:
    """Interrupts at so many places; at each where there are fewer, as since CPython 3.12, which looks less often."""
    first, check = make()
    first()
    check()
    first, _ = make()
    total, _ = interrupted(first, 0)
    assert total > number / 4
    for stop in random.Random(total).sample(range(1, total + 1), min(number, total)):
        run, check = make()
        _, where = interrupted(run, stop)
        try:
            in_another_thread(check)
        except BaseException as error:
            error.add_note(f"after an interrupt at place {stop} of {total}: {where}")
            raise


@pytest.mark.parametrize("name", CASES)
@pytest.mark.slow
def test_after_an_interrupt_the_next_call_is_right(name: str) -> None:
    interrupt_everywhere(*CASES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_after_an_interrupt_anywhere_the_next_call_is_right(name: str) -> None:
    make, number = CASES[name]
    interrupt_everywhere(make, 20 * number)


def test_what_a_table_numbers_has_its_number_after_an_interrupt() -> None:
    class Listed(list[str]):
        def append(self, value: str) -> None:
            super().append(value)
            raise KeyboardInterrupt

    tables = CodeTables.of((lambda x: x.real).__code__)
    tables.names = Listed(tables.names)
    with pytest.raises(KeyboardInterrupt):
        tables.name("imag")
    tables.names = list(tables.names)
    assert [tables.names[tables.name(each)] for each in ("real", "imag", "conj")] == ["real", "imag", "conj"]


@pytest.mark.parametrize("make", [adam, momentum, adagrad])
def test_memory_that_is_not_there_leaves_no_half_of_a_state(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run, check = step_of(make, jit=False)()
    full, left = np.full, [2]

    def failing(shape: Any, *args: Any, **kwargs: Any) -> Any:
        left[0] -= 1
        if not left[0]:
            raise MemoryError
        return full(shape, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(np, "full", failing)
        try:
            run()
        except MemoryError:
            pass
    check()


class Interrupted:
    """A lock of which `acquire` has taken it when a signal arrives, once."""

    def __init__(self, lock: Any) -> None:
        self.lock, self.release, self.once = lock, lock.release, True

    def acquire(self) -> None:
        self.lock.acquire()
        if self.once:
            self.once = False
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("lock", [counters._lock, thread_team._lock], ids=["counters", "team"])
def test_a_lock_that_was_just_taken_is_free_after_an_interrupt(lock: ForkSafeLock) -> None:
    before, handler = lock._lock, signal.signal(signal.SIGINT, signal.default_int_handler)  # none in the background
    lock._lock = Interrupted(before)
    try:
        with pytest.raises(KeyboardInterrupt), lock:
            pass
        in_another_thread(lambda: lock.__enter__() or lock.__exit__(None, None, None) or True)
    finally:
        lock._lock = before
        signal.signal(signal.SIGINT, handler)


def test_what_with_calls_of_a_lock_is_the_interpreters() -> None:
    lock = ForkSafeLock()
    for each in (lock, Attempt(threading.RLock())):
        assert not hasattr(each.__enter__, "__code__") and not hasattr(each.__exit__, "__code__")


def test_an_attempt_at_a_lock_says_whether_it_was_taken() -> None:
    lock = threading.RLock()

    def attempt() -> bool:
        taken = True
        try:
            with Attempt(lock) as taken:
                return taken
        except RuntimeError:
            assert not taken
        return taken

    assert attempt()
    with lock:
        assert attempt()
        assert in_another_thread(lambda: [attempt()]) == [False]
    assert in_another_thread(lambda: [attempt()]) == [True]


def test_gradients_can_be_added_up_after_an_interrupt() -> None:
    leaf = nn_parameter(3)
    total, _ = interrupted(lambda: accumulate.accumulate_grad(leaf, np.ones(3, np.float32)), 0)
    for stop in range(1, total + 1):
        leaf.grad = None
        interrupted(lambda: accumulate.accumulate_grad(leaf, np.ones(3, np.float32)), stop)
        leaf.grad = None
        in_another_thread(lambda: leaf.sum().backward() or True)
        assert leaf.grad.tolist() == [1.0] * 3
