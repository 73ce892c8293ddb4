"""`allow_mutation_on_saved_tensors`: what is cloned, when, and what is kept of it."""

from __future__ import annotations

import gc
import random
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import broken, check, leaf, normal

import guardlift as gl
from guardlift import optim
from guardlift.autograd import graph
from guardlift.tensor.writes import WRITES

spec = pytest.mark.spec
allow = graph.allow_mutation_on_saved_tensors


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert WRITES.observers is None


def counts(context: Any) -> tuple[int, int, int]:
    return len(context.cloned), len(context.original), len(context.tid_to_weakhandle)


# -- the context -------------------------------------------------------------------------------------------------------
@spec("S4.50")
def test_backward_sees_the_values_that_were_saved() -> None:
    a = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = a.clone()
    out = (b**2).sum()
    b.sin_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.backward()
    with allow():
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        out.backward()
    assert a.grad.tolist() == [2.0, 4.0, 6.0]


@spec("S4.50")
def test_a_second_context_inside_is_refused_and_the_outer_one_goes_on() -> None:
    a = gl.ones(2, requires_grad=True)
    with allow() as context:
        b = a.clone()
        out = (b * b).sum()
        with pytest.raises(RuntimeError, match="cannot be nested"), allow():
            pass
        b.mul_(10)
        assert len(context.cloned) == 1
        out.backward()
    assert a.grad.tolist() == [2.0, 2.0]
    with allow():
        pass


@spec("S4.50")
def test_everything_is_forgotten_on_leaving_by_an_exception_too() -> None:
    a = gl.ones(2, requires_grad=True)
    with pytest.raises(KeyError), allow() as context:
        out = a * a
        with gl.no_grad():
            a.mul_(2)
        out = out * out
        assert counts(context) == (1, 1, 2)
        raise KeyError
    assert counts(context) == (0, 0, 0) and len(context.sid_to_tid) == 0
    b = gl.ones(1, requires_grad=True)
    y = b.clone()
    z = y * y
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


@spec("S4.50")
def test_entering_it_is_refused_while_hooks_are_disabled() -> None:
    with (
        graph.disable_saved_tensors_hooks("no hooks here"),
        pytest.raises(RuntimeError, match="no hooks here"),
        allow(),
    ):
        pass
    with allow():
        pass


# -- what is kept ------------------------------------------------------------------------------------------------------
@spec("S4.51")
def test_what_is_known_of_a_saved_tensor_dies_with_the_graph() -> None:
    with allow() as context:
        a = gl.ones(2, requires_grad=True)
        out = (a**2).sum()
        assert counts(context) == (0, 1, 1) and len(context.sid_to_tid) == 1
        out.backward()
        assert counts(context) == (0, 0, 0) and len(context.sid_to_tid) == 0


@spec("S4.51")
def test_a_graph_that_is_dropped_needs_no_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        with allow() as context:
            a = gl.ones(2, requires_grad=True)
            result = a.exp()  # saved by its own node
            node = weakref.ref(result.grad_fn)
            assert counts(context) == (0, 1, 1)
            del result
            assert node() is None and counts(context) == (0, 0, 0)
    finally:
        gc.enable()


@spec("S4.51")
def test_what_died_is_not_listed_for_good() -> None:
    with allow() as context:
        a, x = gl.ones(2, requires_grad=True), gl.ones(2)
        held = a * x
        for _ in range(10):
            after = a * x.add_(1)
        (tids,) = context.sid_to_tid.values()
        assert len(tids) <= 3 and len(context.cloned) == 1
        del held, after


@spec("S4.51")
def test_layouts_of_one_memory_are_told_apart() -> None:
    with allow() as context:
        a = gl.tensor(np.arange(4.0, dtype=np.float32).reshape(2, 2), requires_grad=True)
        b = a.clone()
        out = (b**2 + b.T**3).sum()
        assert len(context.tid_to_weakhandle) == 2 and len(context.sid_to_tid) == 1
        b.zero_()
        assert len(context.cloned) == 2
        out.backward()
    values = np.arange(4.0).reshape(2, 2)
    np.testing.assert_allclose(a.grad.numpy(), 2 * values + 3 * values**2)


@spec("S4.51")
def test_a_clone_lies_in_memory_as_what_was_saved() -> None:
    with allow():
        a = gl.tensor(np.arange(24.0, dtype=np.float32).reshape(2, 3, 4), requires_grad=True)
        b = a.clone()
        turned = b.permute(2, 0, 1)
        squares = turned**2
        saved = squares.grad_fn._saved_self
        b.zero_()
        clone = squares.grad_fn._saved_self
    assert (
        (clone.stride(), clone.dtype, clone.shape)
        == (saved.stride(), saved.dtype, saved.shape)
        == (
            (1, 12, 4),
            gl.float32,
            (4, 2, 3),
        )
    )
    assert clone.data_ptr() != saved.data_ptr()
    assert clone.sum().item() == 276.0


# -- which writes are seen ---------------------------------------------------------------------------------------------
WRITERS: dict[str, Callable[[Any], Any]] = {
    "a method of arithmetic": lambda x: x.mul_(3),
    "an operator": lambda x: x.__iadd__(1),
    "a function of one operand": lambda x: x.sin_(),
    "a power": lambda x: x.pow_(2),
    "fill_": lambda x: x.fill_(7),
    "zero_": lambda x: x.zero_(),
    "copy_": lambda x: x.copy_(gl.full((4,), 5.0)),
    "clamp_": lambda x: x.clamp_(9, 10),
    "masked_fill_": lambda x: x.masked_fill_(x > 0, 5),
    "an assignment": lambda x: x.__setitem__(slice(None), 3.0),
    "an assignment to a part": lambda x: x.__setitem__(slice(1, 3), 3.0),
    "an assignment by a mask": lambda x: x.__setitem__(x > 1, 3.0),
    "an assignment by numbers": lambda x: x.__setitem__(gl.tensor([0, 2]), 3.0),
    "uniform_": lambda x: x.uniform_(),
    "normal_": lambda x: x.normal_(),
    "a part": lambda x: x[1:].mul_(3),
    "a transposed view": lambda x: x.reshape(2, 2).T.mul_(3),
    "what detach gives": lambda x: x.detach().mul_(3),
    "what data gives": lambda x: x.data.mul_(3),
    "a tensor over the same array": lambda x: gl.from_numpy(x.detach().numpy()[2:]).mul_(3),
    "functional relu": lambda x: gl.nn.functional.relu(x.sub_(9), inplace=True),
}


@spec("S4.52")
@spec("S10.06")
@pytest.mark.parametrize("recorded", [True, False])
@pytest.mark.parametrize("how", list(WRITERS))
def test_each_way_to_write_is_seen(how: str, recorded: bool) -> None:
    start = [1.0, 2.0, 3.0, 4.0]
    with allow() as context:
        a = gl.tensor(start, requires_grad=True)
        b = a.clone()
        out = (b**2).sum()
        with gl.enable_grad() if recorded else gl.no_grad():
            WRITERS[how](b)
        assert b.tolist() != start
        assert len(context.cloned) == 1
        out.backward()
    assert a.grad.tolist() == [2.0, 4.0, 6.0, 8.0]


@spec("S4.52")
@spec("S11.07")
@pytest.mark.parametrize(
    ("kind", "settings"), [(optim.SGD, {"momentum": 0.9}), (optim.Adam, {}), (optim.AdamW, {"amsgrad": True})]
)
def test_an_optimizer_writes_its_whole_list(kind: Any, settings: Any) -> None:
    params = [gl.nn.Parameter(gl.full((3,), float(k))) for k in (1, 2)]
    optimizer = kind(params, 0.5, **settings)
    optimizer.zero_grad()
    for p in params:
        p.grad = gl.ones(3)
    optimizer.step()
    written = [*params, *(each for entry in optimizer.state.values() for each in entry.values())]
    with allow() as context:
        before = [each.detach().clone() for each in written]
        weights = [gl.ones((), requires_grad=True) for _ in written]
        out = sum((weight * each.detach()).sum() for weight, each in zip(weights, written))
        optimizer.step()
        assert len(context.cloned) == len(written)
        out.backward()  # type: ignore[union-attr]
    assert [weight.grad.item() for weight in weights] == [each.sum().item() for each in before]
    assert all((old != new).any().item() for old, new in zip(before, written))


@spec("S4.52")
def test_accumulating_a_gradient_writes_the_old_one() -> None:
    with allow() as context:
        a, x = gl.ones(2, requires_grad=True), gl.ones(2, requires_grad=True)
        (a * 3).sum().backward()
        out = (x * a.grad).sum()
        (a * 5).sum().backward()
        assert a.grad.tolist() == [8.0, 8.0] and len(context.cloned) == 1
        out.backward()
    assert x.grad.tolist() == [3.0, 3.0]


@spec("S4.52")
@spec("S10.06")
def test_a_part_written_after_the_whole_was_saved() -> None:
    with allow():
        a = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)
        base = a.clone()
        out = (base**2).sum()
        base[1:] *= 10
        base[2:].zero_()
        out.backward()
    assert a.grad.tolist() == [2.0, 4.0, 6.0]


@spec("S4.52")
@spec("S10.06")
def test_the_whole_written_after_a_part_was_saved() -> None:
    with allow():
        a = gl.tensor([1.0, 2.0, 3.0], requires_grad=True)
        base = a.clone()
        out = (base[1:] ** 2).sum() + (base[::2] ** 3).sum()
        base.mul_(10)
        out.backward()
    assert a.grad.tolist() == [3.0, 4.0, 33.0]


@spec("S4.52")
@spec("S10.06")
def test_another_part_of_the_memory_is_not_cloned() -> None:
    with allow() as context:
        a = gl.ones(6, requires_grad=True)
        base = a.clone()
        out = (base[:3] ** 2).sum()
        base[3:].mul_(10)
        assert len(context.cloned) == 0
        out.backward()
    assert a.grad.tolist() == [2.0] * 3 + [0.0] * 3


@spec("S4.52")
@spec("S10.06")
@pytest.mark.parametrize("foreign_is_saved", [True, False])
def test_memory_that_another_library_handed_over_is_known_again(foreign_is_saved: bool) -> None:
    memory = gl.tensor([1.0, 2.0, 3.0])
    foreign = gl.from_dlpack(memory)
    buffer = bytearray(8)
    one, two = (gl.from_numpy(np.frombuffer(buffer, np.float32)) for _ in range(2))
    with allow() as context:
        a = gl.ones(3, requires_grad=True)
        out = (a * (foreign if foreign_is_saved else memory)).sum() + (a[:2] * one).sum()
        two.fill_(9)
        assert len(context.cloned) == 1
        (memory if foreign_is_saved else foreign)[1:].zero_()
        assert len(context.cloned) == 2
        out.backward()
    assert a.grad.tolist() == [1.0, 2.0, 3.0]


@spec("S4.52")
def test_what_the_write_itself_saves_has_the_old_values() -> None:
    with allow():
        a = gl.tensor([2.0, 3.0], requires_grad=True)
        b = a.clone()
        b.mul_(b.detach())  # saves the very memory it writes
        b.exp_()
        b.mul_(0.5)
        b.sum().backward()
    x = np.array([2.0, 3.0])
    np.testing.assert_allclose(a.grad.numpy(), 0.5 * np.exp(x * x) * x, rtol=1e-5)


@spec("S4.52")
def test_a_write_of_another_thread_is_seen() -> None:
    with allow():
        a = gl.tensor([1.0, 2.0], requires_grad=True)
        b = a.clone()
        out = (b**2).sum()
        memory = b.detach()
        thread = threading.Thread(target=lambda: memory.zero_())
        thread.start()
        thread.join()
        out.backward()
    assert a.grad.tolist() == [2.0, 4.0]


# -- backward ----------------------------------------------------------------------------------------------------------
@spec("S4.53")
def test_backward_after_the_context_is_refused() -> None:
    with allow():
        a = gl.ones(2, requires_grad=True)
        out = (a**2).sum()
    with pytest.raises(AssertionError, match="outside of the allow_mutation_on_saved_tensors context"):
        out.backward()


@spec("S4.53")
def test_backward_in_another_context_is_refused() -> None:
    with allow():
        a = gl.ones(2, requires_grad=True)
        out = (a**2).sum()
    with allow(), pytest.raises(AssertionError, match="outside of the"):
        out.backward()


@spec("S4.54")
def test_saved_twice_and_written_makes_one_clone() -> None:
    with allow() as context:
        a = gl.ones(2, requires_grad=True)
        b = a.clone()
        out = (b * b).sum() + (b**3).sum()
        assert len(context.tid_to_weakhandle) == 1
        b.mul_(5)
        b.mul_(5)
        assert len(context.cloned) == 1
        out.backward()
        assert len(context.cloned) == 0
    assert a.grad.tolist() == [5.0, 5.0]


@spec("S4.54")
def test_saved_at_two_versions_makes_two_clones() -> None:
    with allow() as context:
        a = gl.ones(2, requires_grad=True)
        b = a.clone()
        one = (b**2).sum()
        b.mul_(3)
        two = (b**2).sum()
        b.mul_(3)
        assert len(context.cloned) == 2
        (one + two).backward()
        assert counts(context) == (0, 0, 0)
    assert a.grad.tolist() == [2.0 + 2 * 3 * 3] * 2


@spec("S4.54")
def test_a_write_that_leaves_the_version_makes_two_clones_too() -> None:
    with allow() as context:
        a = gl.ones(2, requires_grad=True)
        b = a.clone()
        one = (b**2).sum()
        b.data.mul_(3)
        two = (b**2).sum()
        b.data.mul_(3)
        assert len(context.cloned) == 2
        (one + two).backward()
    assert a.grad.tolist() == [8.0, 8.0]


@spec("S4.54")
def test_what_backward_has_used_up_is_not_cloned() -> None:
    with allow() as context:
        a = gl.ones(2, requires_grad=True)
        b = a.clone()
        (b**2).sum().backward()
        b.mul_(5)
        assert counts(context) == (0, 0, 0)


@spec("S4.54")
def test_clones_go_when_the_graph_does() -> None:
    with allow() as context:
        a = gl.ones(2, requires_grad=True)
        b = a.clone()
        out = b**2
        b.mul_(5)
        assert len(context.cloned) == 1
        del out
        assert counts(context) == (0, 0, 0)


@spec("S4.54")
def test_double_backward_is_as_without_the_write() -> None:
    found = []
    for write in (False, True):
        with allow():
            a = gl.tensor([0.5, 1.5], requires_grad=True)
            b = a.clone()
            out = (b**3).sum()
            if write:
                b.sin_()
            (first,) = gl.autograd.grad(out, (a,), create_graph=True)
            if write:
                b.sin_()
            (second,) = gl.autograd.grad((first * first).sum(), (a,))
        found.append((first.tolist(), second.tolist()))
    assert found[0] == found[1]
    np.testing.assert_allclose(found[1][1], 2 * 3 * 6 * np.array([0.5, 1.5]) ** 3, rtol=1e-5)


@spec("S4.54")
def test_a_retained_graph_runs_again() -> None:
    with allow():
        a = gl.ones(2, requires_grad=True)
        b = a.clone()
        out = (b * b).sum()
        out.backward(retain_graph=True)
        b.zero_()
        out.backward(retain_graph=True)
        b.fill_(9)
        out.backward()
    assert a.grad.tolist() == [6.0, 6.0]


@spec("S4.55")
def test_hooks_entered_inside_take_its_place() -> None:
    with allow() as context:
        a = gl.ones(2, requires_grad=True)
        b = a.clone()
        with graph.saved_tensors_hooks(lambda x: x, lambda x: x):
            out = (b**2).sum()
        b.mul_(2)
        assert counts(context) == (0, 0, 0)
        out.backward()
    assert a.grad.tolist() == [4.0, 4.0]


# -- against clones of everything --------------------------------------------------------------------------------------
def random_program(seed: int) -> list[list[float]]:
    """Gradients of a program that views, reads and writes three tensors in some order."""
    chance = random.Random(seed)
    leaves = [gl.tensor(np.linspace(0.3, 1.1, 6, dtype=np.float32) + k, requires_grad=True) for k in range(3)]
    living: list[Any] = [each.clone() for each in leaves]
    total: Any = 0.0
    for _ in range(25):
        x, y = chance.choice(living), chance.choice(living)
        what = chance.randrange(9)
        if what == 0:
            living.append(x[chance.randrange(2) :: chance.choice((1, 2))])
        elif what == 1:
            living.append(x.reshape(-1).detach() if chance.random() < 0.5 else x.data)
        elif what == 2:
            total = total + (x * x.detach()).sum() + x.exp().sum()
        elif what == 3 and x.shape == y.shape:
            total = total + (x * y).sum()
        elif what == 4:
            x.data.mul_(0.9)
        elif what == 5:
            x.mul_(0.7)
        elif what == 6:
            x.sigmoid_()
        elif what == 7 and x.shape == y.shape:
            x.copy_(y.sin())
        else:
            living.append(x.sin())
    (total + sum(each.sum() for each in living)).backward()
    return [each.grad.tolist() for each in leaves]


@spec("S4.50")
@spec("S10.06")
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_have_the_gradients_of_a_graph_that_saves_copies(seed: int) -> None:
    with graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x):
        expected = random_program(seed)
    with allow() as context:
        found = random_program(seed)
        gc.collect()
        assert counts(context) == (0, 0, 0)
    np.testing.assert_array_equal(found, expected)


# -- jitted functions --------------------------------------------------------------------------------------------------
@spec("S4.52")
def test_a_jitted_function_that_writes_is_seen_inside_and_compiled_outside() -> None:
    @gl.jit
    def scale(x: Any) -> Any:
        x.mul_(3)
        return x + 1

    x = gl.ones(2)
    scale(x)
    assert broken(scale) == []
    for _ in range(2):
        with allow() as context:
            x = gl.full((2,), 2.0)
            w = gl.ones(2, requires_grad=True)
            out = (w * x).sum()
            assert scale(x).tolist() == [7.0, 7.0]
            assert len(context.cloned) == 1
            out.backward()
            assert w.grad.tolist() == [2.0, 2.0]
        assert scale(gl.ones(2)).tolist() == [4.0, 4.0]
    assert "allow_mutation_on_saved_tensors" in broken(scale)[0]


@spec("S4.52")
def test_a_jitted_step_inside_the_context_does_as_the_plain_one() -> None:
    def program(model: Any, optimizer: Any, x: Any) -> Any:
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    def inside(model: Any, optimizer: Any, x: Any) -> Any:
        weight = model.weight.detach()
        with allow():
            return program(model, optimizer, x), weight * 1

    def make(_number: int) -> Any:
        gl.manual_seed(0)
        model = gl.nn.Linear(3, 2)
        return model, optim.Adam(model.parameters(), 0.1), normal(4, 3)

    check(inside, make, breaks=None)
    kept = make(0)
    check(program, arguments=lambda: make(0), breaks=None)
    fast = gl.jit(program)
    fast(*kept)
    with allow():
        model, _, x = kept
        out = (model.weight**2).sum()
        before = model.weight.tolist()
        fast(*kept)
        model.weight.grad = None
        out.backward()
        np.testing.assert_allclose(model.weight.grad.numpy(), 2 * np.array(before), rtol=1e-6)


@spec("S4.50")
def test_the_context_inside_a_jitted_function_gives_the_plain_result() -> None:
    def program(w: Any) -> Any:
        with allow() as context:
            b = w.clone()
            out = (b**2).sum()
            b.mul_(2)
            count = len(context.cloned)
            out.backward()
        return b, count, w.grad

    check(program, lambda k: (leaf(3, seed=k),), breaks=None)


@spec("S4.53")
def test_a_jitted_forward_saves_through_the_context() -> None:
    @gl.jit
    def program(w: Any, x: Any) -> Any:
        return (w * x).exp().sum()

    with allow() as context:
        w, x = gl.full((2,), 0.5, requires_grad=True), gl.full((2,), 2.0)
        out = program(w, x)
        with gl.no_grad():
            w.zero_()
        x.zero_()
        assert len(context.cloned) > 0
        out.backward()
    np.testing.assert_allclose(w.grad.numpy(), 2 * np.exp(np.ones(2)), rtol=1e-6)
