"""Pairs of saved-tensor hooks that work one after the other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np
import pytest
from frontend.tensors.scenario import check

import guardlift as gl
from guardlift.autograd import graph
from guardlift.autograd.modes import MODES

spec = pytest.mark.spec
hooks = graph.saved_tensors_hooks


def leaf(*values: float) -> gl.Tensor:
    return gl.tensor(list(values), requires_grad=True)


def times(factor: float, *, compose: bool) -> graph.saved_tensors_hooks:
    return hooks(lambda t: t * factor, lambda t: t, compose=compose)


def logged(log: list[str], name: str, *, compose: bool) -> graph.saved_tensors_hooks:
    def pack(tensor: gl.Tensor) -> gl.Tensor:
        log.append(f"pack {name}")
        return tensor.detach().clone()

    def unpack(packed: gl.Tensor) -> gl.Tensor:
        log.append(f"unpack {name}")
        return packed

    return hooks(pack, unpack, compose=compose)


def saved_factor(*contexts: Any) -> float:
    """By what the pairs, entered in this order, multiply a saved tensor."""
    a, other = leaf(1.0), gl.tensor([1.0])
    with ExitStack() as stack:
        for each in contexts:
            stack.enter_context(each)
        y = a * other
    y.sum().backward()
    assert MODES.stack == () and MODES.hooks is None
    return float(a.grad.item())


@spec("S10.03")
def test_a_composed_pair_works_with_the_one_around_it() -> None:
    assert saved_factor(times(3, compose=False), times(5, compose=True)) == 15
    assert saved_factor(times(3, compose=True), times(5, compose=True)) == 15


@spec("S10.03", "S1.40")
def test_a_chain_ends_at_the_first_pair_that_is_not_composed() -> None:
    assert saved_factor(times(3, compose=True), times(5, compose=False)) == 5
    assert saved_factor(times(2, compose=True), times(3, compose=False), times(5, compose=True)) == 15
    assert saved_factor(*(times(factor, compose=True) for factor in (2, 3, 5, 7))) == 210


@spec("S10.03")
def test_the_outer_pair_packs_what_the_inner_one_gave_and_unpacking_goes_back() -> None:
    log: list[str] = []
    a = leaf(2.0)
    with logged(log, "outer", compose=False), logged(log, "middle", compose=True), logged(log, "inner", compose=True):
        y = (a**3).sum()
    assert log == ["pack inner", "pack middle", "pack outer"]
    log.clear()
    y.backward()
    assert log == ["unpack outer", "unpack middle", "unpack inner"]
    assert a.grad.tolist() == [12.0]


@spec("S10.03")
def test_the_outer_hook_sees_the_packed_tensor_and_not_the_original() -> None:
    seen = []
    a = gl.ones(4, 3, requires_grad=True)
    outer = hooks(lambda t: seen.append((t.dtype, t.shape)) or t, lambda t: t)
    inner = hooks(lambda t: t.double().reshape(-1), lambda t: t.float().reshape(4, 3), compose=True)
    with outer, inner:
        y = a * a
    assert seen == [(gl.float64, (12,))] * 2
    y.sum().backward()
    assert a.grad.tolist() == [[2.0] * 3] * 4


@spec("S10.03")
def test_on_leaving_the_inner_pair_the_outer_one_is_alone_again() -> None:
    with times(3, compose=False):
        plain = MODES.hooks
        with times(5, compose=True):
            assert MODES.hooks is not plain
        assert MODES.hooks is plain
        assert saved_factor_inside() == 3
    assert saved_factor(times(5, compose=True)) == 5


def saved_factor_inside() -> float:
    a = leaf(1.0)
    (a * gl.tensor([1.0])).sum().backward()
    return float(a.grad.item())


@spec("S10.03")
def test_the_same_composed_context_can_be_entered_twice() -> None:
    twice = times(3, compose=True)
    assert saved_factor(twice, twice) == 9
    assert saved_factor(twice) == 3


class Quantised(NamedTuple):
    codes: gl.Tensor
    scale: float


@spec("S10.03")
@pytest.mark.parametrize(
    ("pack", "unpack", "tensors"),
    [
        (lambda t: (t * 2, 2.0), lambda p: p[0] / p[1], 1),
        (lambda t: [t + 1, t], lambda p: p[0] - 1, 2),
        (lambda t: {"low": t.double(), "name": "t", "deep": [(t,)]}, lambda p: p["deep"][0][0], 2),
        (lambda t: Quantised(t * 4, 4.0), lambda p: p.codes / p.scale, 1),
    ],
)
def test_tensors_in_containers_are_packed_each_on_its_own(pack: Any, unpack: Any, tensors: int) -> None:
    packed: list[np.ndarray[Any, Any]] = []

    def outer_pack(tensor: gl.Tensor) -> Any:
        packed.append(tensor.detach().numpy().copy())
        return packed[-1]

    a = leaf(3.0)
    with hooks(outer_pack, gl.from_numpy), hooks(pack, unpack, compose=True):
        y = (a**2).sum()
    assert len(packed) == tensors
    y.backward()
    assert a.grad.tolist() == [6.0]


@spec("S10.03")
@pytest.mark.parametrize(
    ("pack", "word"),
    [
        (lambda t: t.detach().numpy(), "found ndarray"),
        (lambda t: (t, object()), "found object"),
        (lambda t: None, "found NoneType"),
        (lambda t: (1, "x"), "found tuple"),
    ],
)
def test_what_the_outer_pair_could_not_pack_is_an_error_of_the_forward(pack: Callable[..., Any], word: str) -> None:
    a = leaf(3.0)
    with times(3, compose=False):
        with pytest.raises(TypeError, match=word) as error, hooks(pack, lambda p: p, compose=True):
            a * a
        assert "leave out compose=True" in str(error.value) and "(<lambda>, <lambda>)" in str(error.value)
        assert gl.autograd.is_grad_enabled()
        y = a * gl.tensor([1.0])
    y.sum().backward()
    assert a.grad.tolist() == [3.0] and a._version == 0


@spec("S10.03")
def test_a_pair_with_nothing_around_it_may_pack_to_anything() -> None:
    a = leaf(3.0)
    with hooks(lambda t: t.detach().numpy(), gl.from_numpy, compose=True):
        y = a * a
    y.sum().backward()
    assert a.grad.tolist() == [6.0]


@spec("S10.03", "S1.33")
@pytest.mark.parametrize("inner", [lambda t: t, lambda t: t.detach(), lambda t: t * 1, lambda t: (t * 1, 2)])
def test_an_outer_hook_that_writes_to_what_it_is_given_fails_the_forward(inner: Any) -> None:
    a = leaf(2.0)
    with pytest.raises(RuntimeError, match="pack hook is modifying its input in place"):
        with hooks(lambda t: t.add_(1), lambda t: t), hooks(inner, lambda t: t, compose=True):
            b = a * 1.0
            b * b


@spec("S10.03", "S1.34")
def test_each_unpack_hook_of_a_chain_has_to_give_a_tensor() -> None:
    a = leaf(2.0)
    with hooks(lambda t: t, lambda t: 1), hooks(lambda t: t, lambda t: t, compose=True):
        y = (a * a).sum()
    with pytest.raises(TypeError, match="unpack_hook expected to be a Tensor but got int"):
        y.backward()


@spec("S10.03", "S1.12")
def test_history_survives_a_chain_and_a_second_backward() -> None:
    a = leaf(2.0)
    with times(1, compose=False), hooks(lambda t: (t.detach().clone(), 1), lambda p: p[0], compose=True):
        y = a * a * a
        (first,) = gl.autograd.grad(y, a, gl.ones(1), create_graph=True)
        first.sum().backward()
    assert a.grad.tolist() == [12.0]


@spec("S10.03")
def test_a_subclass_that_knows_nothing_of_composition_still_works() -> None:
    class Old(graph.saved_tensors_hooks):
        def __init__(self) -> None:
            self.pack_hook = lambda t: t * 2
            self.unpack_hook = lambda t: t

    assert saved_factor(times(3, compose=False), Old()) == 2
    assert saved_factor(Old(), times(3, compose=True)) == 6


@spec("S10.03")
def test_a_jitted_function_that_composes_hooks_does_what_the_plain_one_does() -> None:
    def composed(a: Any) -> Any:
        with times(3, compose=False), times(5, compose=True):
            y = a * gl.ones(3)
        y.sum().backward()
        return a.grad

    check(composed, lambda k: [gl.ones(3, requires_grad=True)], breaks=None)


@spec("S10.03")
def test_a_jitted_forward_under_composed_hooks_keeps_what_the_chain_packs() -> None:
    grads = []
    for jitted in (False, True):
        a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
        forward = gl.jit(lambda a, b: (a * b).sum()) if jitted else (lambda a, b: (a * b).sum())
        for _ in range(2):
            a.grad = b.grad = None
            with times(3, compose=False), times(5, compose=True):
                loss = forward(a, b)
            loss.backward()
            grads.append((a.grad.tolist(), b.grad.tolist()))
    assert grads == [([45.0, 60.0], [15.0, 30.0])] * 4
