"""Compiled autograd: every program leaves behind what the engine would, and compiles nothing the second time."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from autograd.test_engine_programs import program as random_program
from runtime.backward_programs import PROGRAMS, Program, Seen

import guardlift as gl
from guardlift.autograd.modes import MODES
from guardlift.runtime import backward_run

spec = pytest.mark.spec
compiled_autograd = gl.autograd.compiled_autograd
statistics = compiled_autograd.statistics


@pytest.fixture(autouse=True)
def counts_from_zero() -> Iterator[None]:
    compiled_autograd.reset()
    yield
    compiled_autograd.reset()


def ran(program: Program, seed: int, enabled: bool) -> Seen:
    seen = Seen()
    with compiled_autograd(enabled):
        program(seen, np.random.default_rng(seed))
    return seen


def compare(found: Any, wanted: Any) -> None:
    """Values to a few units in the last place; all else to the letter."""
    assert type(found) is type(wanted)
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for each, other in zip(found, wanted, strict=True):
            compare(each, other)
    elif isinstance(wanted, gl.Tensor) and wanted.is_sparse:
        assert found.is_coalesced() == wanted.is_coalesced()
        compare(found._indices(), wanted._indices())
        compare(found._values(), wanted._values())
    elif isinstance(wanted, gl.Tensor):
        assert (found.stride(), found._version, found.requires_grad) == (
            wanted.stride(),
            wanted._version,
            wanted.requires_grad,
        )
        compare(found.detach().numpy(), wanted.detach().numpy())
    elif isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, *((1e-5, 1e-6) if wanted.dtype == np.float32 else (1e-12, 1e-12)))
    else:
        assert found == wanted


@spec("S6.11", "S6.15", "S6.23")
@pytest.mark.parametrize(("program", "segments", "eager"), PROGRAMS, ids=lambda each: getattr(each, "__name__", ""))
def test_a_program_leaves_behind_what_the_engine_would(program: Program, segments: int, eager: frozenset[str]) -> None:
    for seed in (0, 1):
        found, wanted = ran(program, seed, True), ran(program, seed, False)
        compare([each.grad for each in found.leaves], [each.grad for each in wanted.leaves])
        compare(found.log, wanted.log)
        compare(found.found, wanted.found)
        assert statistics().compiles == segments
    assert statistics().eager.keys() == eager


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_leave_behind_what_the_engine_would(seed: int) -> None:
    def run(enabled: bool) -> list[Any]:
        leaves, outputs, gradients = random_program(seed)
        seen: list[Any] = []
        if seed % 2:
            leaves[0].register_hook(lambda g: seen.append((g.stride(), g.numpy().copy())))
            outputs[0].register_hook(lambda g: seen.append((g.stride(), g.numpy().copy())))
        with compiled_autograd(enabled):
            gl.autograd.backward(outputs, gradients, retain_graph=True)
            found = gl.autograd.grad(outputs, leaves, gradients, allow_unused=True)
        return [seen, [each.grad for each in leaves], list(found), [[a is b for a in found] for b in found]]

    wanted = run(False)
    for _ in range(2):
        compare(run(True), wanted)


def test_exact_operations_give_the_bits_of_the_engine() -> None:
    def gradients(enabled: bool) -> list[np.ndarray]:
        rng = np.random.default_rng(3)
        x, y, z = (gl.from_numpy(rng.normal(size=(7, 5))).requires_grad_() for _ in range(3))
        a = x * y - z / x
        b = (a * a + y) * 0.1 + gl.maximum(a, z) - (x * x).sqrt()
        with compiled_autograd(enabled):
            (b * a / (z * z + 1.0)).backward(gl.from_numpy(rng.normal(size=(7, 5))))
        return [each.grad.numpy() for each in (x, y, z)]

    for found, wanted in zip(gradients(True), gradients(False), strict=True):
        assert found.tobytes() == wanted.tobytes()


# -- what one segment of compiled code is for --------------------------------------------------------------------------
def step(x: gl.Tensor, scale: Any = 2.0, axis: int = 0) -> gl.Tensor:
    return ((x * scale).sin().sum(axis) ** 2).sum()


@pytest.mark.parametrize(
    "other",
    [
        lambda: step(gl.ones(3, 5).requires_grad_()),
        lambda: step(gl.ones(4, 5).to(gl.float64).requires_grad_()),
        lambda: step(gl.ones(4, 5).requires_grad_(), axis=1),
        lambda: ((gl.ones(4, 5).requires_grad_() * 2.0).cos().sum(0) ** 2).sum(),
        lambda: ((gl.ones(4, 5).requires_grad_() * 2.0).sin().sum(0) ** 3).sum(),
        lambda: step(gl.ones(5, 4).t().requires_grad_()),
    ],
    ids=["shape", "dtype", "attribute", "op", "exponent", "layout"],
)
def test_another_graph_is_compiled_anew(other: Any) -> None:
    with compiled_autograd():
        step(gl.ones(4, 5).requires_grad_()).backward()
        other().backward()
        assert statistics().compiles == 2
        step(gl.ones(4, 5).requires_grad_()).backward()
        other().backward()
    assert (statistics().compiles, statistics().hits) == (2, 2)


def test_edges_that_lead_elsewhere_are_another_structure() -> None:
    def gradients(swapped: bool, enabled: bool) -> list[np.ndarray]:
        a, b = gl.tensor([2.0]).requires_grad_(), gl.tensor([3.0]).requires_grad_()
        y, z = a * 5.0, b * 7.0
        with compiled_autograd(enabled):
            ((y - z) if not swapped else (z - y)).sum().backward()
        return [a.grad.item(), b.grad.item()]

    for swapped in (False, True):
        assert gradients(swapped, True) == gradients(swapped, False)


@pytest.mark.parametrize("wrong", ["raise", "warn", "ignore"])
def test_numpys_error_state_is_nothing_to_backward_passes(wrong: Any) -> None:
    with compiled_autograd(), np.errstate(all=wrong):
        for _ in range(3):
            x = gl.zeros(2).requires_grad_()
            (1.0 / x).sum().backward()
            assert x.grad.tolist() == [-np.inf, -np.inf]
    assert (statistics().compiles, statistics().hits) == (1, 2)


def test_a_number_that_changes_becomes_an_argument() -> None:
    for count, scale in enumerate([2.0, 3.0, -0.0, float("inf"), 1e-30]):
        found, wanted = (gl.tensor([1.5, -2.0]).requires_grad_() for _ in range(2))
        ((found * scale) * (found - 3.0)).sum().backward()
        with compiled_autograd():
            ((wanted * scale) * (wanted - 3.0)).sum().backward()
        assert found.grad.numpy().tobytes() == wanted.grad.numpy().tobytes()
        assert statistics().compiles == min(count + 1, 2)
    for other, compiles in ((7, 2), (10**20, 3), (True, 4)):  # what is no such float is another graph
        found, wanted = (gl.tensor([1.5, -2.0]).requires_grad_() for _ in range(2))
        ((found * other) * (found - 3.0)).sum().backward()
        with compiled_autograd():
            ((wanted * other) * (wanted - 3.0)).sum().backward()
        assert found.grad.numpy().tobytes() == wanted.grad.numpy().tobytes()
        assert statistics().compiles == compiles


def test_what_a_hook_sees_depends_on_the_layout_of_this_call() -> None:
    def strides(given: gl.Tensor, enabled: bool) -> list[Any]:
        seen: list[Any] = []
        x = gl.ones(3, 4).requires_grad_()
        y = x * 2
        y.register_hook(lambda g: seen.append((g.stride(), g.tolist())))
        with compiled_autograd(enabled):
            y.t().unsqueeze(0).backward(given)
        return seen

    dense, expanded = gl.arange(12).to(gl.float32).reshape(1, 4, 3), gl.ones(1, 4, 1).expand(1, 4, 3)
    for given in (dense, expanded, dense, expanded):
        assert strides(given, True) == strides(given, False)
    assert (statistics().compiles, statistics().hits) == (2, 2)


def test_roots_that_lead_to_no_wanted_input_take_no_part() -> None:
    a, b = gl.ones(2).requires_grad_(), gl.full((2,), 3.0).requires_grad_()
    for _ in range(2):
        y, z = a * a, b * b
        with compiled_autograd():
            gl.autograd.backward([y, z], [gl.ones(2), gl.tensor([1.0, 2.0])], inputs=[b])
    assert a.grad is None
    assert b.grad.tolist() == [12.0, 24.0]
    assert statistics().hits == 1


@pytest.mark.slow
def test_a_graph_of_thousands_of_nodes_is_run() -> None:
    def gradient(enabled: bool) -> np.ndarray:
        x = gl.ones(3, dtype=gl.float64).requires_grad_()
        y = x * 1.0
        for k in range(2000):
            y = y + x if k % 2 else y * 0.5
        with compiled_autograd(enabled):
            y.sum().backward()
        return x.grad.numpy()

    for _ in range(2):
        assert gradient(True).tobytes() == gradient(False).tobytes()
    assert (statistics().compiles, statistics().hits) == (1, 1)


def test_beyond_the_limit_the_engine_runs_and_says_so() -> None:
    with gl.config.patch(recompile_limit=2), compiled_autograd():
        for size in range(1, 6):
            x = gl.ones(size).requires_grad_()
            x.sin().sum().backward()
            np.testing.assert_allclose(x.grad.numpy(), np.cos(np.ones(size, np.float32)), rtol=1e-6)
    assert statistics().compiles == 2
    assert sum(statistics().eager.values()) == 3


def test_graphs_of_ever_new_sizes_are_left_to_the_engine_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward_run, "MOST", 3)
    for length in range(1, 6):
        x = gl.tensor([2.0]).requires_grad_()
        y = x
        for _ in range(length):
            y = y * x
        with compiled_autograd():
            y.sum().backward()
        assert x.grad.tolist() == [(length + 1) * 2.0**length]
    assert statistics().compiles == 3
    assert statistics().eager == {"more than 3 structures of graphs": 2}


# -- errors and what is freed ------------------------------------------------------------------------------------------
@spec("S1.15")
def test_a_graph_is_freed_unless_it_is_retained() -> None:
    x = gl.ones(3).requires_grad_()
    y = x.sin().exp()
    with compiled_autograd():
        y.sum().backward(retain_graph=True)
        y.sum().backward()
        with pytest.raises(RuntimeError, match=r"after they have already been freed.*Specify retain_graph=True"):
            y.sum().backward()


@spec("S1.20")
def test_a_modified_saved_tensor_is_an_error_before_anything_is_done() -> None:
    def message(enabled: bool) -> str:
        x, w = gl.ones(3).requires_grad_(), gl.ones(3).requires_grad_()
        y = x * 2
        z = (y * y) * w
        y.add_(1)
        with (
            pytest.raises(RuntimeError, match="modified by an inplace operation") as caught,
            compiled_autograd(enabled),
        ):
            z.sum().backward()
        assert (w.grad is None) is enabled  # the engine has come as far as `w`
        return str(caught.value)

    assert message(True) == message(False)
    assert message(True) == message(False)


@spec("S1.16")
def test_a_saved_tensor_that_was_detached_is_an_error() -> None:
    x = gl.ones(3).requires_grad_()
    with compiled_autograd():
        for _ in range(2):
            a = x * 1
            y = a.sin()
            a.detach_()
            with pytest.raises(RuntimeError, match="detached"):
                y.sum().backward()


@pytest.mark.slow
def test_no_leaf_is_kept_alive() -> None:
    x = gl.ones(3).requires_grad_()
    with compiled_autograd():
        (x * x).sum().backward()
    died = weakref.ref(x)
    del x
    gc.collect()
    assert died() is None


@spec("S6.41")
def test_a_gradient_that_was_passed_in_is_neither_changed_nor_taken_over() -> None:
    x, y = gl.ones(3).requires_grad_(), gl.ones(3).requires_grad_()
    given = gl.tensor([1.0, 2.0, 3.0])
    with compiled_autograd():
        (x + y).backward(given)
    x.grad.add_(1)
    assert given.tolist() == y.grad.tolist() == [1.0, 2.0, 3.0]


# -- hooks -------------------------------------------------------------------------------------------------------------
def test_a_hook_that_registers_another_one_is_followed_by_it() -> None:
    def log(enabled: bool) -> list[str]:
        found: list[str] = []
        x = gl.ones(3).requires_grad_()
        y = x.sin()
        z = y * 2

        def first(gradient: Any) -> None:
            found.append("z")
            y.register_hook(lambda gradient: found.append("y"))

        z.register_hook(first)
        with compiled_autograd(enabled):
            z.exp().sum().backward()
        return found

    assert log(True) == log(True) == log(False) == ["z", "y"]
    assert statistics().eager == {"a graph that a hook has changed": 2}


@spec("S2.04")
def test_saved_tensor_hooks_around_a_jitted_forward_are_plain_ones() -> None:
    def run(enabled: bool) -> tuple[list[str], list[float]]:
        log: list[str] = []

        def pack(saved: gl.Tensor) -> gl.Tensor:
            log.append("pack")
            return saved * 2

        def unpack(packed: gl.Tensor) -> gl.Tensor:
            log.append("unpack")
            return packed / 2

        x = gl.tensor([0.5, 2.0]).requires_grad_()
        with compiled_autograd(enabled):
            assert MODES.compiled_autograd is enabled
            with gl.autograd.graph.saved_tensors_hooks(pack, unpack):
                y = forward(x)
            log.append("backward")
            (y * y).sum().backward()
        return log, x.grad.tolist()

    forward = gl.jit(lambda x: x.sin().exp())
    for _ in range(2):
        log, gradient = run(True)
        assert (log, gradient) == run(False)
        assert log.count("pack") == log.count("unpack") > 0


def test_hooks_make_another_structure_and_a_hit_the_next_time() -> None:
    def run(hooked: bool) -> None:
        x = gl.ones(3).requires_grad_()
        y = x.sin()
        if hooked:
            y.register_hook(lambda gradient: gradient * 2)
        with compiled_autograd():
            y.exp().sum().backward()

    for first in (False, True):
        compiled_autograd.reset()
        for hooked in (first, not first, first, not first):
            run(hooked)
        assert (statistics().compiles, statistics().hits, statistics().eager) == (2, 2, {})
        assert statistics().pieces == 4


# -- the context -------------------------------------------------------------------------------------------------------
def test_the_context_nests_is_a_decorator_and_belongs_to_its_thread() -> None:
    def backward() -> None:
        gl.ones(2).requires_grad_().sin().sum().backward()

    with compiled_autograd():
        with compiled_autograd(enabled=False):
            backward()
        thread = threading.Thread(target=backward)
        thread.start()
        thread.join()
        assert statistics() == type(statistics())()
        backward()
    backward()
    assert (statistics().compiles, statistics().hits) == (1, 0)
    compiled_autograd()(backward)()
    assert (statistics().compiles, statistics().hits) == (1, 1)


def test_threads_share_what_is_compiled() -> None:
    errors: list[BaseException] = []
    start = threading.Barrier(4)

    def work(seed: int) -> None:
        try:
            start.wait()
            for k in range(20):
                x = gl.full((50,), float(seed + k)).requires_grad_()
                with compiled_autograd():
                    (x * x).sum().backward()
                assert x.grad.tolist() == [2.0 * (seed + k)] * 50
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert errors == []
    assert statistics().compiles == 1


def test_anomaly_mode_is_left_to_the_engine() -> None:
    x = gl.zeros(2).requires_grad_()
    with compiled_autograd(), pytest.raises(RuntimeError, match="nan values"), pytest.warns(UserWarning, match="Div"):
        with gl.autograd.detect_anomaly():
            (x / x).sum().backward()
    assert statistics().eager == {"anomaly mode": 1}
