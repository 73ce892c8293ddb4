"""Custom functions in jitted code beside what else is done with its backward: hooks, create_graph, backends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import pytest
from frontend.tensors.autograd.custom_samples import Count, Cube
from frontend.tensors.scenario import backward, check, leaf, normal

import guardlift as gl

hooks_of = gl.autograd.graph.saved_tensors_hooks
inlineable = gl.autograd.graph.inlineable
grad = gl.autograd.grad


@inlineable
def fewer(tensor: Any) -> Any:
    return tensor * 0.5


@inlineable
def same(packed: Any) -> Any:
    return packed


@inlineable
def twice_as_much(packed: Any) -> Any:
    return packed * 2.0


def leaves(number: int = 0) -> Sequence[Any]:
    return [leaf(3, 4, seed=1), leaf(3, 4, seed=2)]


def buffered(number: int = 0) -> Sequence[Any]:
    return [leaf(3, 4, seed=1), normal(3, 4, seed=2)]


@contextmanager
def settings(**values: Any) -> Iterator[None]:
    before = {name: getattr(gl.config, name) for name in values}
    try:
        for name, value in values.items():
            setattr(gl.config, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(gl.config, name, value)


# -- saved-tensor hooks that are part of the graph ---------------------------------------------------------------------
def under_hooks(x: Any, w: Any) -> Any:
    with hooks_of(fewer, same):
        y = Cube.apply(x) * w
    return y.sin().sum()


def beside_hooks(unpack: Any) -> Callable[..., Any]:
    def program(x: Any, w: Any) -> Any:
        y = Cube.apply(x)
        with hooks_of(fewer, unpack):
            z = (w * w).exp()
        return (y * z).sum()

    return program


def inside(program: Callable[..., Any]) -> Callable[..., Any]:
    def whole(x: Any, w: Any) -> Any:
        loss = program(x, w)
        loss.backward()
        return loss.detach()

    return whole


def test_what_a_custom_function_saves_goes_through_inlined_hooks_as_in_eager_mode() -> None:
    with settings(saved_tensors_hooks_filtering_mode="all"):
        check(under_hooks, leaves, after=lambda r, *_: r.backward())
    check(inside(under_hooks), leaves)


def test_inlined_hooks_beside_a_custom_function_see_nothing_of_it() -> None:
    # The pair undoes what it does: a backward outside packs what is kept, which is not all that eager mode saves.
    check(beside_hooks(twice_as_much), leaves, after=lambda r, *_: r.backward(), breaks="")
    check(inside(beside_hooks(same)), leaves)


def test_hooks_around_the_call_see_what_a_custom_function_saves() -> None:
    def program(x: Any, w: Any) -> Any:
        return (Cube.apply(x) * 3.0).sum()

    fast = gl.jit(program)
    found = []
    for f in (program, fast, fast):
        x, w = leaves()
        with hooks_of(fewer, same):
            y = f(x, w)
        y.backward()
        found.append(x.grad.numpy())
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-5)


# -- gradients of gradients --------------------------------------------------------------------------------------------
@pytest.mark.spec("S3.06")
def test_a_recorded_walk_through_a_custom_function_is_eager_modes() -> None:
    def program(x: Any, w: Any) -> Any:
        (first,) = grad((Cube.apply(x) * w).sum(), x, create_graph=True)
        first.square().sum().backward()
        return first.detach()

    check(program, leaves, breaks="create_graph=True through a custom autograd.Function")


def test_a_recorded_walk_beside_a_custom_function_can_be_walked_back_over() -> None:
    def program(x: Any, w: Any) -> Any:
        (first,) = grad((Cube.apply(x) * w.exp()).sum(), w, create_graph=True)
        return first

    def whole(x: Any, w: Any) -> Any:
        first = program(x, w)
        first.square().sum().backward()
        return first.detach()

    check(program, leaves, after=backward)
    check(whole, leaves)


def test_a_gradient_whose_history_goes_through_a_custom_function_alone_has_one() -> None:
    def program(x: Any, w: Any) -> Any:
        (first,) = grad((Cube.apply(x) * w).sum(), w, create_graph=True)
        return first

    def whole(x: Any, w: Any) -> Any:
        first = program(x, w)
        first.square().sum().backward()
        return first.detach()

    check(program, leaves, after=backward)
    check(whole, leaves)


def test_what_such_a_walk_reads_may_not_be_written_before_it_is_walked_back_over() -> None:
    def program(x: Any, w: Any) -> Any:
        k = gl.ones(3, 4) * 1.5
        (first,) = grad((w * k * Cube.apply(x)).sum(), w, create_graph=True)
        with gl.no_grad():
            k.mul_(2.0)
        first.sum().backward()

    check(program, leaves, breaks=None)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        gl.jit(program)(*leaves())


@pytest.mark.spec("S3.06")
def test_second_derivatives_through_a_compiled_custom_function_are_those_of_eager_mode() -> None:
    fast = gl.jit(lambda x, w: (Cube.apply(x) * w).exp(), fullgraph=True)
    x, w = leaves()
    expected = grad((Cube.apply(x) * w).exp().sum(), (x, w), create_graph=True)
    found = grad(fast(x, w).sum(), (x, w), create_graph=True)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.detach().numpy(), other.detach().numpy(), rtol=1e-4)
    for each in (x, w):
        (one,), (other,) = (grad(first[0].sum(), each, retain_graph=True) for first in (found, expected))
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-4)


# -- what is kept ------------------------------------------------------------------------------------------------------
@pytest.mark.spec("S3.03")
@pytest.mark.parametrize("program", [
    lambda x, b: Count.apply(x, b) * b.cos().sin(),
    lambda x, b: Count.apply(x, b) * (b.t().exp() * 2.0).t(),
    lambda x, b: Count.apply(x * b.cos().sin(), b).tanh(),
])  # fmt: skip
def test_nothing_is_computed_again_from_memory_that_backward_writes(program: Any) -> None:
    def twice(r: Any, x: Any, b: Any) -> Any:
        r.backward(gl.ones(3, 4), retain_graph=True)
        first = x.grad.clone()
        r.backward(gl.ones(3, 4))
        return first

    with settings(partition_from=0):
        check(program, buffered, after=twice, kernels=True)
        check(program, buffered, after=twice)


@pytest.mark.parametrize("partition_from", [0, 1 << 20])
def test_memory_that_only_operations_read_may_be_written_before_backward(partition_from: int) -> None:
    def program(x: Any, b: Any) -> Any:
        with gl.no_grad():
            b.mul_(3.0)
        return Cube.apply(x) * (b + 1.0).cos()

    def after(r: Any, x: Any, b: Any) -> None:
        b.add_(1.0)
        r.sum().backward()

    with settings(partition_from=partition_from):
        check(program, buffered, after=after, breaks=None)


# -- who runs it -------------------------------------------------------------------------------------------------------
@pytest.mark.spec("S3.03")
@pytest.mark.parametrize("backend", ["eager", "aot_eager", "reference"])
def test_other_backends_make_the_writes_of_a_custom_backward(backend: str) -> None:
    fast = gl.jit(lambda x, b: Count.apply(Cube.apply(x), b).sum(), backend=backend, fullgraph=True)
    for _ in range(2):
        (x, b), (other, plain) = buffered(), buffered()
        fast(x, b).backward()
        Count.apply(Cube.apply(other), plain).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), other.grad.numpy(), rtol=1e-5)
        np.testing.assert_array_equal(b.numpy(), plain.numpy())
        assert b._version == plain._version == 1


@pytest.mark.parametrize("compiled", [False, True])
def test_compiled_autograd_runs_the_backward_of_a_jitted_custom_function_as_one_call(compiled: bool) -> None:
    fast = gl.jit(lambda x, b: Count.apply(Cube.apply(x), b), fullgraph=True)
    for _ in range(3):
        found = []
        for f in (fast, lambda x, b: Count.apply(Cube.apply(x), b)):
            x, b = buffered()
            with gl.autograd.compiled_autograd() if compiled else nullcontext():
                (f((x * 2.0).tanh(), b).exp() * 3.0).sum().backward()
            found.append((x.grad.numpy(), b.numpy()))
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4)
