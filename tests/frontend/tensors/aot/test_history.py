"""A backward pass outside through a jitted forward: what it reaches, refuses and frees is what eager mode does."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.scenario import backward, check, leaf, normal, outcome

import guardlift as gl
from guardlift import nn
from guardlift.autograd.graph import disable_saved_tensors_hooks, saved_tensors_hooks
from guardlift.frontend import state_of

After = Callable[..., Any]


class Scale(nn.Module):
    """Its input times a weight."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = leaf(3, 4, seed=5)

    def forward(self, x: Any) -> Any:
        """The product."""
        return x * self.weight


def world() -> Sequence[Any]:
    return [Scale(), normal(3, 4)]


def test_several_results_some_of_them_without_a_history() -> None:
    def program(m: Any, x: Any) -> Any:
        a = m(x)
        return {"a": a, "b": [a.exp(), x * 2], "c": a.detach() * 2, "d": a.sum(), "e": 3}

    check(program, arguments=world, after=backward, kernels=True)


def test_results_nobody_uses() -> None:
    check(lambda m, x: (m(x), x * 2 + m.weight), arguments=world, after=lambda r, *a: r[1].sum().backward())


def test_an_argument_with_a_history_of_its_own() -> None:
    def make(number: int) -> Sequence[Any]:
        p = leaf(3, 4)
        return [p, p * 1.5]

    check(lambda p, h: h.exp() * p, make, after=backward)


@pytest.mark.parametrize("prepare", [lambda h: h.retain_grad(), lambda h: h.register_hook(lambda g: g * 3)])
def test_hooks_on_an_argument_with_a_history(prepare: Any) -> None:
    def make(number: int) -> Sequence[Any]:
        p = leaf(3, 4)
        h = p * 1.5
        prepare(h)
        return [p, h]

    check(lambda p, h: h.exp() * p, make, after=lambda r, p, h: (backward(r), h.grad)[1])


# -- written since -----------------------------------------------------------------------------------------------------
def in_place(write: After) -> After:
    """A backward pass after a write."""

    def after(result: Any, *arguments: Any) -> None:
        write(result, *arguments)
        backward(result)

    return after


def write_weight(result: Any, m: Any, x: Any) -> None:
    with gl.no_grad():
        m.weight.add_(1)


WRITES = {
    "an input": (lambda m, x: m(x), lambda r, m, x: x.add_(1)),
    "an input that is not saved": (lambda m, x: m.weight + x, lambda r, m, x: x.add_(1)),
    "a parameter": (lambda m, x: m(x) * m.weight, write_weight),
    "a result": (lambda m, x: m(x).exp(), lambda r, m, x: r.add_(1)),
    "a result that is not saved": (lambda m, x: m(x), lambda r, m, x: r.mul_(2)),
    "a view of a result": (lambda m, x: m(x), lambda r, m, x: r[0].mul_(2)),
    "a result without a history that is saved": (
        lambda m, x: (lambda d: (m(d), d))(x * 2),
        lambda r, m, x: r[1].add_(1),
    ),
    "a result that another one is computed from": (
        lambda m, x: (lambda y: (y, y * y))(m.weight * 3),
        lambda r, m, x: r[0].add_(1),
    ),
}


@pytest.mark.parametrize("what", WRITES)
def test_what_is_written_between_forward_and_backward_is_told_as_in_eager_mode(what: str) -> None:
    program, write = WRITES[what]
    check(program, lambda number: world(), after=in_place(write), breaks=None)


def test_a_write_inside_into_what_backward_needs_breaks_the_graph() -> None:
    def program(m: Any, x: Any) -> Any:
        y = m(x)
        x.add_(1)
        return y

    check(program, arguments=world, after=backward, breaks="modified in place since")

    def before(m: Any, x: Any) -> Any:
        x.add_(1)
        return m(x)

    check(before, arguments=world, after=backward, breaks=None)


# -- twice -------------------------------------------------------------------------------------------------------------
def each_in_turn(result: Any, *arguments: Any) -> None:
    for root in result:
        root.sum().backward()


def kept_then_freed(result: Any, *arguments: Any) -> None:
    result[0].sum().backward(retain_graph=True)
    result[1].sum().backward()


TWICE = {
    "the same": lambda m, x: (lambda y: (y, y.sum()))(m(x).exp()),
    "what shares saved values": lambda m, x: (lambda h: (h.sin(), h.exp()))(m(x) * m.weight),
    "what has nothing in common": lambda m, x: (m(x), m.weight.exp(), (m.weight * 3).sum()),
}


@pytest.mark.parametrize("after", [each_in_turn, kept_then_freed])
@pytest.mark.parametrize("results", TWICE)
def test_a_second_backward_works_where_it_does_in_eager_mode(results: str, after: After) -> None:
    check(TWICE[results], arguments=world, after=after, breaks=None, kernels=True)


def test_functions_of_autograd_reach_through() -> None:
    check(lambda m, x: m(x), arguments=world, after=lambda r, m, x: gl.autograd.grad(r.sum(), m.weight))
    check(lambda m, x: m(x).exp(), arguments=world, after=lambda r, m, x: r.sum().backward(inputs=[m.weight]))

    def retained(r: Any, m: Any, x: Any) -> Any:
        r.retain_grad()
        (r * r).sum().backward()
        return r.grad

    check(lambda m, x: m(x), arguments=world, after=retained)

    def hooked(r: Any, m: Any, x: Any) -> None:
        r.register_hook(lambda g: g * 2)
        r.sum().backward()

    check(lambda m, x: m(x), arguments=world, after=hooked)


def test_hooks_on_leaves_need_no_new_entry() -> None:
    def change(number: int, m: Any, x: Any) -> None:
        if number == 1:
            m.weight.register_hook(lambda g: g * 3)

    check(lambda m, x: m(x), arguments=world, change=change, after=backward, calls=4)


def test_second_derivatives_reach_through() -> None:
    def twice(r: Any, m: Any, x: Any) -> Any:
        (first,) = gl.autograd.grad(r.sum(), m.weight, create_graph=True)
        return first, gl.autograd.grad((first * first).sum(), m.weight)

    check(lambda m, x: m(x).exp(), arguments=world, after=twice, kernels=True)


def test_jitted_and_eager_layers_in_turn() -> None:
    def layers(jitted: bool) -> tuple[Any, Any]:
        models = [Scale() for _ in range(3)]
        x = normal(3, 4).requires_grad_()
        calls = [lambda h, m=m: m(h).tanh() for m in models]
        if jitted:
            calls = [gl.jit(calls[0]), calls[1], gl.jit(calls[2])]
        h = x
        for call in calls:
            h = call(h)
        h.sum().backward()
        return x.grad, [m.weight.grad for m in models]

    (x, weights), (other_x, other_weights) = layers(False), layers(True)
    for one, other in zip([x, *weights], [other_x, *other_weights], strict=True):
        np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-5, atol=1e-6)


# -- hooks on saved tensors --------------------------------------------------------------------------------------------
@pytest.mark.spec("S2.02", "S1.46")
def test_saved_tensor_hooks_around_the_call_pack_once_for_each_saved_tensor_and_unpack_at_backward() -> None:
    m, x = world()
    fast = gl.jit(lambda x: (m(x).exp() * x).sum(), fullgraph=True)
    packed: list[Any] = []
    unpacked: list[Any] = []
    fast(x).backward()
    expected = m.weight.grad
    m.weight.grad = None
    with saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: unpacked.append(t) or t):
        loss = fast(x)
    assert len(packed) == len({id(each) for each in packed}) == 2 and not unpacked
    assert packed[0] is x  # the tensor itself, not a copy
    loss.backward()
    assert len(unpacked) == 2 and len(packed) == 2
    np.testing.assert_array_equal(m.weight.grad.numpy(), expected.numpy())
    assert len(state_of(fast).entries) == 1


@pytest.mark.spec("S2.03")
def test_backward_uses_what_the_hooks_give() -> None:
    results = []
    for jitted in (False, True):
        m, x = world()
        forward = gl.jit(lambda x: (m(x).exp() * x).sum()) if jitted else (lambda x: (m(x).exp() * x).sum())  # noqa: B023
        with saved_tensors_hooks(lambda t: t.detach().numpy().T.copy(), lambda a: gl.from_numpy(2 * a.T)):
            loss = forward(x)
        loss.backward()
        results.append(m.weight.grad.numpy())
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5)


def test_hooks_around_a_backward_inside_see_what_eager_mode_saves() -> None:
    def step(m: Any, x: Any) -> Any:
        loss = (m(x).exp() * x).sum()
        loss.backward()
        return loss

    counts = []
    for function in (step, gl.jit(step)):
        m, x = world()
        for _ in range(2):
            packed: list[Any] = []
            with saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):  # noqa: B023
                function(m, x)
            counts.append(len(packed))
        function(m, x)
    assert len(set(counts)) == 1


@pytest.mark.spec("S2.05")
def test_a_hooks_context_inside_breaks_the_graph() -> None:
    def function(x: Any, w: Any) -> Any:
        with saved_tensors_hooks(lambda t: t * 2, lambda t: t):
            return (w * w * x).sum()

    check(function, arguments=lambda: [normal(3), leaf(3, seed=1)], after=backward, breaks=None)
    fast = gl.jit(function)
    fast(normal(3), leaf(3))
    assert any(each.code == "B410" for each in gl.explain(fast).breaks)


def test_disabled_hooks_are_no_hindrance() -> None:
    m, x = world()
    fast = gl.jit(lambda x: m(x).exp().sum())
    with disable_saved_tensors_hooks("not here"):
        assert outcome(lambda: fast(x).backward()) is None


# -- memory ------------------------------------------------------------------------------------------------------------
def saved_arrays(result: Any) -> list[weakref.ref[Any]]:
    """The arrays a history keeps."""
    return [weakref.ref(each._tensor._array) for each in result.grad_fn.saved if hasattr(each, "_tensor")]


def test_what_is_saved_goes_after_backward_or_with_the_results() -> None:
    m = Scale()
    fast = gl.jit(lambda x: (m(x).exp() * x).sum(), fullgraph=True)
    fast(normal(3, 4)).backward()
    gc.collect()
    gc.disable()
    try:
        loss = fast(normal(3, 4))
        arrays = saved_arrays(loss)
        assert len(arrays) == 2 and all(reference() is not None for reference in arrays)
        loss.backward()
        assert [reference() for reference in arrays] == [None, None]
        with pytest.raises(RuntimeError, match="second time"):
            loss.backward()
        loss = fast(normal(3, 4))
        arrays = saved_arrays(loss)
        del loss
        assert [reference() for reference in arrays] == [None, None]
    finally:
        gc.enable()


# -- results that depend on results ------------------------------------------------------------------------------------
def retain(r: Any, *_: Any) -> Any:
    """The gradient that a result gets on the way."""
    r[0].retain_grad()
    r[1].backward()
    return r[0].grad


def hook(r: Any, *_: Any) -> None:
    """A hook on a result takes part."""
    r[0].register_hook(lambda g: g * 10)
    r[1].backward()


def middle(r: Any, *_: Any) -> Any:
    """The gradient of one result with respect to another."""
    return gl.autograd.grad(r[1], r[0])


def last_then_first(r: Any, *_: Any) -> None:
    """Check that the second backward pass does not need what the first one used up."""
    r[1].backward()
    r[0].sum().backward()


def written_between(r: Any, *_: Any) -> Any:
    """A result that another one has saved is written."""
    with gl.no_grad():
        r[0].add_(1.0)
    return outcome(lambda: r[1].backward())


CHAINS = {
    "a loss of a result": lambda m, x: (lambda y: (y, (y * y).sum()))(m(x)),
    "a loss of a result and of what it was made of": lambda m, x: (lambda y: (y, (y * y * m.weight).sum()))(m(x)),
    "a chain": lambda m, x: (lambda y: (lambda z: (z, (z * y).sum(), y))(y + m.weight))(m(x)),
}


@pytest.mark.parametrize("after", [retain, hook, middle, last_then_first, written_between])
@pytest.mark.parametrize("results", CHAINS)
def test_a_result_that_another_one_depends_on_is_on_the_way_back(results: str, after: After) -> None:
    check(CHAINS[results], arguments=world, after=after, kernels=True)


def test_results_in_a_circle_share_a_history() -> None:
    def program(m: Any, x: Any) -> Any:
        h = m(x).exp()
        a = h * 2.0
        b = a.sin()
        return a, b, b * h

    check(program, arguments=world, after=backward)
    check(program, arguments=world, after=lambda r, *_: (r[2].sum().backward(retain_graph=True), r[0].sum().backward()))


def test_memory_from_outside_that_the_call_writes_and_backward_needs_is_left_to_eager_mode() -> None:
    def program(m: Any, x: Any) -> Any:
        with gl.no_grad():
            x.mul_(0.5)
        return m(x)

    def second_first(r: Any, m: Any, x: Any) -> Any:
        with gl.no_grad():
            x.mul_(0.5)
        return outcome(lambda: r.sum().backward())

    check(program, arguments=world, after=backward, breaks="backward() needs")
    check(program, arguments=world, after=second_first, breaks="backward() needs")


@pytest.mark.parametrize("unpack", [lambda t: t[0], lambda t: t.double()])
def test_hooks_that_unpack_another_type_are_told_so(unpack: Any) -> None:
    m, x = world()
    fast = gl.jit(lambda x: m(x))
    with saved_tensors_hooks(lambda t: t.detach(), unpack):
        result = fast(x)
    with pytest.raises(RuntimeError, match=r"for a saved value that was float32\[3, 4\].*Let unpack_hook give back"):
        result.sum().backward()


class Two(gl.autograd.Function):
    """A product, and a sum."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        """Both."""
        ctx.save_for_backward(x, y)
        return x * y, x + 2 * y

    @staticmethod
    def backward(ctx: Any, g: Any, k: Any) -> Any:
        """Their gradients."""
        x, y = ctx.saved_tensors
        return g * y + k, g * x + 2 * k


def of_a_function(x: Any, y: Any) -> Any:
    first = x * 2
    a, b = Two.apply(first, y)
    return first, a, b * a * first


def of_a_branch(x: Any, y: Any) -> Any:
    s, t = x * 2, y * 3
    if x.sum() > 0:
        s, t = s * t, s + t
    else:
        s, t = s - t, t * t
    return s, s * t


def of_a_loop(x: Any, y: Any) -> Any:
    first = h = gl.tanh(x @ y)
    total = h.sum()
    for _ in range(10):
        h = gl.tanh(h @ y)
        total = total + h.sum()
    return first, h, total * h


@pytest.mark.parametrize("program", [of_a_function, of_a_branch, of_a_loop], ids=lambda each: each.__name__)
@pytest.mark.parametrize("wanted", [(0,), (1,), (-1,), (0, -1), (1, -1), (0, 1, -1)], ids=str)
def test_a_result_made_of_one_output_gives_the_others_their_share_once(program: Any, wanted: Any) -> None:
    def after(results: Any, *arguments: Any) -> None:
        sum((results[place] * (place + 2)).sum() for place in wanted).backward()  # type: ignore[union-attr]

    def make(number: int) -> Sequence[Any]:
        return [normal(3, 3, seed=number).requires_grad_(), normal(3, 3, seed=7).requires_grad_()]

    check(program, make, after=after, calls=2, breaks=None)
