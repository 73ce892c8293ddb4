"""Graph breaks while tensors with a history are alive: compiled forwards on both sides, and the engine walks back."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.eagerly import agree, breaks_of

import guardlift as gl
from guardlift import nn, optim
from guardlift.frontend import state_of


class Net(nn.Module):
    """Breaks the graph in the middle of its forward, where `breaks`."""

    def __init__(self, breaks: bool = False) -> None:
        super().__init__()
        self.a, self.b, self.breaks = nn.Linear(4, 4), nn.Linear(4, 4), breaks

    def forward(self, x: Any) -> Any:
        h = self.a(x).tanh()
        if self.breaks:
            print(end="")
        return self.b(h)


def between(net: Any, opt: Any, x: Any) -> Any:
    opt.zero_grad()
    h = net.a(x).tanh()
    print(end="")
    loss = net.b(h).square().mean()
    loss.backward()
    opt.step()
    return loss.detach()


def inside_a_module(net: Any, opt: Any, x: Any) -> Any:
    opt.zero_grad()
    loss = net(x).square().mean()
    loss.backward()
    opt.step()
    return loss


def two_breaks(net: Any, opt: Any, x: Any) -> Any:
    opt.zero_grad()
    h = net.a(x)
    print(end="")
    k = h.tanh()
    print(end="")
    loss = (net.b(k) * h).mean()
    loss.backward()
    opt.step()
    return loss.detach(), h.detach()


def behind_the_loss(net: Any, opt: Any, x: Any) -> Any:
    opt.zero_grad()
    loss = net.b(net.a(x)).square().mean()
    print(end="")
    loss.backward()
    opt.step()
    return loss.detach()


def in_a_loop(net: Any, opt: Any, x: Any) -> Any:
    losses = []
    for _ in range(3):
        opt.zero_grad()
        h = net.a(x)
        print(end="")
        loss = net.b(h.tanh()).square().mean()
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    return losses


def with_views(net: Any, opt: Any, x: Any) -> Any:
    opt.zero_grad()
    h = net.a(x)
    first, rest, value = h[0], h[1:], h.detach()
    print(end="")
    loss = (first * rest).sum() + value.sum()
    loss.backward()
    opt.step()
    return loss.detach(), value


def hooked(net: Any, opt: Any, x: Any) -> Any:
    opt.zero_grad()
    h = net.a(x)
    h.register_hook(lambda g: g * 3)
    k = h * 2
    print(end="")
    loss = net.b(k).square().mean()
    loss.backward()
    opt.step()
    return loss.detach()


def retained(net: Any, opt: Any, x: Any) -> Any:
    opt.zero_grad()
    h = net.a(x)
    h.retain_grad()
    print(end="")
    net.b(h).square().mean().backward()
    opt.step()
    return h.grad


def by_grad(net: Any, opt: Any, x: Any) -> Any:
    h = net.a(x)
    print(end="")
    gradients = gl.autograd.grad(net.b(h).square().mean(), [net.a.weight, net.b.weight])
    return list(gradients)


def accumulated(net: Any, opt: Any, x: Any) -> Any:
    net.a(x).square().mean().backward()
    h = net.a(x * 2)
    print(end="")
    h.sum().backward()
    opt.step()
    opt.zero_grad()
    return h.detach()


def of_a_leaf_made_inside(net: Any, opt: Any, x: Any) -> Any:
    leaf = gl.ones(4, requires_grad=True)
    h = net.a(x) * leaf
    print(end="")
    (h * h).sum().backward()
    return leaf.grad


def written_after(net: Any, opt: Any, x: Any) -> Any:
    h = net.a(x) * 2
    k = h * h
    h.add_(1)
    print(end="")
    (k + h).sum().backward()
    return k.detach()


def leaf_written(net: Any, opt: Any, x: Any) -> Any:
    h = net.b(net.a(x))
    with gl.no_grad():
        net.b.weight.mul_(0.5)
    print(end="")
    h.sum().backward()
    return h.detach()


def without_grad(net: Any, opt: Any, x: Any) -> Any:
    h = net.a(x)
    with gl.no_grad():
        y = net.b(h)
        print(end="")
        z = y * 2
    (h * z).sum().backward()
    opt.step()
    return z


PROGRAMS = (
    between,
    inside_a_module,
    two_breaks,
    behind_the_loss,
    in_a_loop,
    with_views,
    hooked,
    retained,
    by_grad,
    accumulated,
    of_a_leaf_made_inside,
    written_after,
    leaf_written,
    without_grad,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_step_that_breaks_between_forward_and_backward_trains_as_eager_mode_does(program: Callable[..., Any]) -> None:
    nets = [_seeded(program is inside_a_module) for _ in range(2)]
    optimizers = [optim.SGD(each.parameters(), lr=0.1, momentum=0.9) for each in nets]
    turns = iter(range(100))

    def make() -> Sequence[Any]:
        turn = next(turns)
        return nets[turn % 2], optimizers[turn % 2], gl.ones(2, 4) * (1 + turn // 2)

    agree(program, make, calls=4, known=lambda arguments: list(arguments[0].parameters()))


def _seeded(breaks: bool) -> Net:
    gl.manual_seed(0)
    return Net(breaks)


def _after(program: Callable[..., Any], net: Any, calls: int = 3) -> Any:
    opt = optim.SGD(net.parameters(), lr=0.1)
    jitted = gl.jit(program)
    for _ in range(calls):
        jitted(net, opt, gl.ones(3, 4))  # of another form than elsewhere here, where kernels are not made
    return jitted


def test_both_sides_of_the_break_are_compiled_and_it_is_the_only_one_that_is_listed() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", gl.GraphBreakWarning)
        jitted = _after(between, Net())
    report = gl.explain(jitted)
    assert sum(not each.plain for each in report.entries) == 3
    (found,) = report.breaks
    assert found.code == "B201" and not found.whole
    assert [each.rpartition(" at ")[0] for each in found.led_to] == [
        "backward() through the history of a tensor that existed before"
    ]
    assert "because of it, Python also runs backward()" in str(report)


def test_a_module_in_whose_forward_the_graph_breaks_is_compiled_by_itself() -> None:
    jitted = _after(inside_a_module, Net(True))
    assert breaks_of(jitted) == ["B201"]
    forward = Net.forward
    copies = [state for state in _states() if state.original.__code__ is forward.__code__]
    assert copies and any(not entry.plain for state in copies for entry in state.entries)


def _states() -> list[Any]:
    from guardlift.frontend.dispatch.jitted_callees import _compiled

    return [state_of(copy) for copies in _compiled.values() for _, copy in copies.values()]


def test_a_module_with_hooks_is_called_as_python_calls_it() -> None:
    net, seen = Net(True), []
    net.register_forward_hook(lambda module, args, result: seen.append(result.shape))

    @gl.jit
    def called(x: Any) -> Any:
        return net(x) * 2

    for _ in range(3):
        called(gl.ones(2, 4))
    assert seen == [(2, 4)] * 3


def test_backward_of_an_argument_is_a_cause_of_its_own() -> None:
    @gl.jit
    def step(loss: Any) -> Any:
        loss.backward()
        return loss * 2

    w = gl.ones(2, requires_grad=True)
    for _ in range(2):
        step((w * 3).sum())
    assert breaks_of(step) == ["B409"] and w.grad.tolist() == [6.0, 6.0]
