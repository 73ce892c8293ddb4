"""Several threads run backward at once, over graphs that share leaves: no gradient is lost and no hook is missed."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift.autograd import accumulate, engine
from guardlift.tensor.dispatch import apply

THREADS, ROUNDS = 6, 60


@pytest.fixture(autouse=True)
def frequent_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], None], count: int = THREADS) -> None:
    """Runs ``work(number)`` in threads that start at once. Errors: those of the threads."""
    barrier, errors = threading.Barrier(count), []

    def run(number: int) -> None:
        barrier.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


# Sums of small integers are exact in any order, so what is lost shows.


@pytest.mark.parametrize("size", [1, 40_000])
def test_gradients_of_all_threads_add_up_exactly(size: int) -> None:
    x = gl.ones(size, requires_grad=True)

    def work(number: int) -> None:
        for _ in range(ROUNDS):
            (x * float(number + 1)).sum().backward()

    together(work)
    assert set(x.grad.numpy().tolist()) == {ROUNDS * sum(range(1, THREADS + 1))}
    # Every addition but the first was counted, too.
    assert x.grad._version == THREADS * ROUNDS - 1


def test_many_leaves_shared_by_deep_graphs() -> None:
    leaves = [gl.ones(3, requires_grad=True) for _ in range(20)]

    def work(number: int) -> None:
        for _ in range(10):
            total = leaves[0] * 1.0
            for each in leaves[1:]:
                total = total + each * 1.0
            total.sum().backward()

    together(work)
    assert all(each.grad.tolist() == [10.0 * THREADS] * 3 for each in leaves)


def slow_apply(*operands: Any, **attrs: Any) -> Any:
    """`apply`, with time for every other thread before and after it."""
    time.sleep(1e-4)
    result = apply(*operands, **attrs)
    time.sleep(1e-4)
    return result


@pytest.mark.filterwarnings("ignore:Using backward")
def test_gradients_add_up_under_create_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accumulate, "apply", slow_apply)
    x = gl.ones(2, requires_grad=True)

    def work(number: int) -> None:
        for _ in range(10):
            (x * x).sum().backward(create_graph=True)

    together(work)
    assert x.grad.tolist() == [20.0 * THREADS] * 2
    total = x.grad
    x.grad = None
    (second,) = gl.autograd.grad(total.sum(), x)
    assert second.tolist() == [20.0 * THREADS] * 2


def test_gradients_of_a_retained_result_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "apply", slow_apply)
    x = gl.ones(2, requires_grad=True)
    y = x * 1.0
    y.retain_grad()
    total = y.sum()
    together(lambda number: [total.backward(retain_graph=True) for _ in range(10)] and None)
    assert x.grad.tolist() == y.grad.tolist() == [10.0 * THREADS] * 2


def test_hooks_run_once_for_each_backward_in_its_own_thread() -> None:
    x = gl.ones(2, requires_grad=True)
    seen: list[int] = []
    after: list[int] = []
    x.register_hook(lambda g: seen.append(threading.get_ident()) or g * 2.0)
    x.register_post_accumulate_grad_hook(lambda leaf: after.append(threading.get_ident()))

    def work(number: int) -> None:
        for _ in range(ROUNDS):
            (x * 1.0).sum().backward()

    together(work)
    assert x.grad.tolist() == [2.0 * THREADS * ROUNDS] * 2
    assert len(seen) == len(after) == THREADS * ROUNDS
    assert sorted(seen.count(each) for each in set(seen)) == [ROUNDS] * len(set(seen))
    assert sorted(seen) == sorted(after)


def test_a_hook_that_runs_backward_itself() -> None:
    x, other = gl.ones(1, requires_grad=True), gl.ones(1, requires_grad=True)

    def again(g: gl.Tensor) -> None:
        assert engine.current_task() is not None
        with gl.enable_grad():
            (other * 3.0).sum().backward()

    x.register_hook(again)
    together(lambda number: [(x * 1.0).sum().backward() for _ in range(ROUNDS)] and None)
    assert x.grad.tolist() == [float(THREADS * ROUNDS)]
    assert other.grad.tolist() == [3.0 * THREADS * ROUNDS]


def test_a_hook_that_runs_backward_into_the_very_leaf_it_hangs_on() -> None:
    x = gl.ones(1, requires_grad=True)
    depth = threading.local()

    def again(leaf: gl.Tensor) -> None:
        depth.now = getattr(depth, "now", 0) + 1
        if depth.now < 4:
            with gl.enable_grad():
                (leaf * 1.0).sum().backward()
        depth.now -= 1

    x.register_post_accumulate_grad_hook(again)
    together(lambda number: [(x * 1.0).sum().backward() for _ in range(ROUNDS)] and None)
    assert x.grad.tolist() == [4.0 * THREADS * ROUNDS]


def test_an_accumulated_hook_may_wait_for_another_threads_backward() -> None:
    x = gl.ones(1, requires_grad=True)
    meeting = threading.Barrier(2, timeout=20)
    x.register_post_accumulate_grad_hook(lambda leaf: (meeting.wait(), None)[1])
    together(lambda number: (x * 1.0).sum().backward(), 2)
    assert x.grad.tolist() == [2.0]


def test_threads_that_use_a_leaf_first_agree_on_its_accumulator() -> None:
    for _ in range(200):
        x = gl.ones(1, requires_grad=True)
        results: list[gl.Tensor] = []
        together(lambda number, x=x, results=results: results.append(x * 2.0), 3)
        assert len({result.grad_fn.next_functions[0][0] for result in results}) == 1
        for result in results:
            (gradient,) = gl.autograd.grad(result, x)
            assert gradient.tolist() == [2.0]


def test_modes_of_one_thread_are_not_those_of_another() -> None:
    x = gl.ones(1, requires_grad=True)

    def work(number: int) -> None:
        mode = (gl.no_grad, gl.enable_grad, gl.inference_mode)[number % 3]
        for _ in range(ROUNDS):
            with mode():
                y = x * 2.0
                assert y.requires_grad is (mode is gl.enable_grad)
                assert y.is_inference() is (mode is gl.inference_mode)
            z = x * 2.0
            assert z.requires_grad and not z.is_inference()

    together(work)
    assert not gl.ones(1).is_inference()


def test_a_failing_backward_leaves_the_others_alone() -> None:
    x = gl.ones(1, requires_grad=True)

    def fail(g: gl.Tensor) -> None:
        raise ZeroDivisionError

    def work(number: int) -> None:
        for _ in range(ROUNDS):
            y = x * 1.0
            if number == 0:
                y.register_hook(fail)
                with pytest.raises(ZeroDivisionError):
                    y.sum().backward()
            else:
                y.sum().backward()

    together(work)
    assert x.grad.tolist() == [float((THREADS - 1) * ROUNDS)]
    assert engine.current_task() is None


def test_a_training_loop_in_each_thread_gives_the_numbers_of_one_alone() -> None:
    def train(seed: int) -> list[float]:
        data = gl.tensor(np.random.default_rng(seed).standard_normal((8, 4)).astype(np.float32))
        layer = gl.nn.Linear(4, 2)
        with gl.no_grad():
            layer.weight.fill_(0.5)
            layer.bias.zero_()
        optimizer = gl.optim.SGD(layer.parameters(), lr=0.1)
        for _ in range(10):
            optimizer.zero_grad()
            layer(data).square().mean().backward()
            optimizer.step()
        return [float(each) for each in layer.weight.detach().numpy().ravel()]

    alone = [train(seed) for seed in range(THREADS)]
    found: dict[int, list[float]] = {}
    together(lambda number: found.update({number: train(number)}))
    assert [found[number] for number in range(THREADS)] == alone
