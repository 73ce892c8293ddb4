"""`tensor.data = value` in a jitted function gives what eager mode gives: values, gradients, identity, what shares."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import guardlift as gl
from guardlift import nn


def _net() -> nn.Module:
    gl.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


def _target_network(a: Any, b: Any, optimizer: Any) -> Callable[..., Any]:
    def step(x: Any) -> Any:
        optimizer.zero_grad()
        loss = ((a(x) - b(x) - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        for p, q in zip(a.parameters(), b.parameters()):
            q.data = q.data * 0.9 + p.data * 0.1
        return loss.item()

    return step


def _by_hand(a: Any, b: Any, optimizer: Any) -> Callable[..., Any]:
    def step(x: Any) -> Any:
        loss = ((a(x) - 1) ** 2).mean()
        loss.backward()
        for p in a.parameters():
            p.data = p.data - 0.05 * p.grad
            p.data = p.data.clamp(-0.4, 0.4)
            p.grad = None
        return loss.item(), a(x).sum().item()

    return step


def _sharpness_aware(a: Any, b: Any, optimizer: Any) -> Callable[..., Any]:
    def step(x: Any) -> Any:
        ((a(x) - 1) ** 2).mean().backward()
        kept = []
        for p in a.parameters():
            kept.append(p.data)
            p.data = p.data + 0.05 * p.grad / (p.grad.norm() + 1e-12)
        optimizer.zero_grad()
        loss = ((a(x) - 1) ** 2).mean()
        loss.backward()
        for p, old in zip(a.parameters(), kept):
            p.data = old
        optimizer.step()
        optimizer.zero_grad()
        return loss.item()

    return step


def _kept_in_state(a: Any, b: Any, optimizer: Any) -> Callable[..., Any]:
    kept: dict[Any, Any] = {}

    def step(x: Any) -> Any:
        ((a(x) - 1) ** 2).mean().backward()
        with gl.no_grad():
            for p in a.parameters():
                kept[p] = p.data.clone()  # in the place of what the parameter has shared its memory with
                p.add_(p.grad * 0.1)
        optimizer.zero_grad()
        loss = ((a(x) - 1) ** 2).mean()
        loss.backward()
        for p in a.parameters():
            p.data = kept[p]
        optimizer.step()
        optimizer.zero_grad()
        return loss.item()

    return step


def _adversarial(a: Any, b: Any, optimizer: Any) -> Callable[..., Any]:
    def step(x: Any) -> Any:
        delta = gl.zeros_like(x, requires_grad=True)
        for _ in range(2):
            ((a(x + delta) - 1) ** 2).mean().backward()
            delta.data = (delta + 0.1 * delta.grad.detach().sign()).clamp(-0.15, 0.15)
            delta.grad.zero_()
        optimizer.zero_grad()
        loss = ((a(x + delta.detach()) - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss.item(), delta.abs().sum().item()

    return step


def _exchanged(a: Any, b: Any, optimizer: Any) -> Callable[..., Any]:
    def step(x: Any) -> Any:
        for p, q in zip(a.parameters(), b.parameters()):
            p.data, q.data = q.data, p.data
            q.data.add_(0.5)
        return a(x).sum().item(), b(x).sum().item()

    return step


@pytest.mark.parametrize(
    "program", [_target_network, _by_hand, _sharpness_aware, _kept_in_state, _adversarial, _exchanged]
)
def test_programs_that_set_parameters_are_one_graph_and_give_what_eager_mode_gives(program: Any) -> None:
    results, states = [], []
    x = gl.tensor(np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3))
    for wrap in (lambda f: f, gl.jit):
        a = _net()
        b = copy.deepcopy(a)
        step = wrap(program(a, b, gl.optim.SGD(a.parameters(), lr=0.1)))
        results.append([step(x * (k + 1)) for k in range(4)])
        states.append([each.detach().numpy() for module in (a, b) for each in module.parameters()])
    report = gl.explain(step)
    assert not report.breaks, str(report)
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5)
    for found, wanted in zip(*states[::-1]):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)


def test_memory_that_nobody_else_holds_stays_and_no_entry_is_linked_anew() -> None:
    p = nn.Parameter(gl.tensor([1.0, 2.0]))

    @gl.jit
    def halve() -> None:
        p.data = p.data / 2

    @gl.jit
    def total() -> Any:
        return (p * p).sum().item()

    for _ in range(3):
        halve(), total()
    place, relinks = p.data_ptr(), gl.explain(total).relinks
    halve(), total()
    assert p.data_ptr() == place and gl.explain(total).relinks == relinks
    held = p.detach()  # sees the memory, which the next call must therefore leave as it is
    before = held.tolist()
    halve()
    assert held.tolist() == before and p.tolist() == [each / 2 for each in before]
    assert p.data_ptr() != held.data_ptr() == place
    array = p.detach().numpy()
    halve()
    assert (array == np.array(p.tolist()) * 2).all()
    part = p.detach()[1:]
    halve()
    assert part.item() == 2 * p[1].item()


def _both(p: Any, q: Any) -> Any:
    p.data = q
    q.add_(1)  # seen in both, as a write from then on is
    p.mul_(3)
    return p + q


def _handed_out(p: Any, q: Any) -> Any:
    new = q * 2
    p.data = new
    return new, new[1:], p.data


def _views_stay(p: Any, q: Any) -> Any:
    seen, flat, kept = p[1:], p.view(3, 1), p.detach()
    p.data = q + 1
    seen.add_(10)
    return seen + 0, flat * 2, kept, p.sum()


def _twice(p: Any, q: Any) -> Any:
    first = p.data
    p.data = q * 2
    second = p.data
    p.data = p.data + 1
    q.data = second
    return first, second, p.data, p + q


def _other_form(p: Any, q: Any) -> Any:
    p.data = gl.arange(4)
    return p.shape, p.dtype, p + 1


def _new_object(p: Any, q: Any) -> Any:
    made = p + q
    made.data = q
    made.add_(1)
    return made, q.sum()


@pytest.mark.parametrize("body", [_both, _handed_out, _views_stay, _twice, _other_form, _new_object])
def test_what_shares_memory_afterwards_is_what_shares_it_in_eager_mode(body: Any) -> None:
    def run(function: Any) -> Any:
        p, q = gl.tensor([1.0, 2.0, 3.0]), gl.tensor([10.0, 20.0, 30.0])
        results = function(p, q)
        results = results if type(results) is tuple else (results,)
        everything = [each for each in (p, q, *results) if isinstance(each, gl.Tensor)]
        values = [each.tolist() for each in everything]
        shared = [[left.untyped_storage() == right.untyped_storage() for left in everything] for right in everything]
        shapes = [results[:2]] if body is _other_form else []
        versions = [p._version, q._version]
        for each in everything:  # a write through one of them is seen in the others that share
            if each.dtype.is_floating_point:
                each.add_(100)
        return values, shared, shapes, versions, [each.tolist() for each in everything]

    compiled = gl.jit(body)
    assert run(compiled) == run(body)
    assert run(compiled) == run(body)


def test_a_gradient_reaches_the_tensor_by_way_of_a_view_from_before() -> None:
    def body(w: Any) -> Any:
        view = w.view(3, 1)
        w.data = w.data * 5
        ((view * view).sum() + (w * w).sum()).backward()
        return w.grad

    compiled = gl.jit(body)
    found = compiled(gl.ones(3, requires_grad=True))
    assert found.tolist() == body(gl.ones(3, requires_grad=True)).tolist() == [12.0, 12.0, 12.0]


def test_backward_of_what_was_computed_before_reads_the_new_memory() -> None:
    def body(w: Any) -> Any:
        loss = (w * w).sum()
        w.data = gl.full((3,), 5.0)
        loss.backward()
        return w.grad

    compiled = gl.jit(body)
    for _ in range(2):  # PyTorch: 2 * 5
        assert compiled(gl.ones(3, requires_grad=True)).tolist() == [10.0, 10.0, 10.0]
    assert "B406" in {each.code for each in gl.explain(compiled).breaks}


@pytest.mark.parametrize(
    "value, where",
    [
        (lambda w: w.data[:3].view(3)[:], "to a part"),
        (lambda w: gl.ones(2), "another shape"),
        (lambda w: gl.ones(3, dtype=gl.float64), "another shape or dtype"),
        (lambda w: 3.0, "no dense tensor"),
    ],
)
def test_what_is_not_followed_is_left_to_eager_mode(value: Any, where: str) -> None:
    def body(w: Any) -> Any:
        w.data = value(w)
        return w * 2

    def run(function: Any) -> Any:
        try:
            return function(gl.ones(3, requires_grad=True)).tolist()
        except TypeError as error:
            return str(error)

    compiled = gl.jit(body)
    assert run(compiled) == run(body)
    assert any(each.code == "B420" and where in each.what for each in gl.explain(compiled).breaks)
