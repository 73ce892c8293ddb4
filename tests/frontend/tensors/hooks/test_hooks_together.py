"""Inlined saved-tensor hooks beside custom functions and hooks on tensors; and when pack and unpack are called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from frontend.tensors.autograd.custom_samples import Count, Cube
from frontend.tensors.scenario import check, leaf, normal

import guardlift as gl
from guardlift.autograd import Function

pytestmark = [pytest.mark.spec("S10.02")]
hooks_of = gl.autograd.graph.saved_tensors_hooks
inlineable = gl.autograd.graph.inlineable
Program = Callable[..., Any]


@pytest.fixture(autouse=True)
def all_that_is_kept_is_packed() -> Iterator[None]:
    """So that a backward outside packs what eager mode packs, where that is what is kept."""
    with gl.config.patch(saved_tensors_hooks_filtering_mode="all"):
        yield


def arguments() -> Sequence[Any]:
    return [leaf(3, 4, seed=1), leaf(3, 4, seed=2), normal(3, 4, seed=3)]


@inlineable
def rounded(t: Any) -> Any:
    return (t * 8).round()


@inlineable
def eighth(packed: Any) -> Any:
    return packed * 0.125


@inlineable
def halved(t: Any) -> Any:
    return t * 0.5


@inlineable
def as_it_is(packed: Any) -> Any:
    return packed


class Product(Function):
    """Two tensors and a result saved, one of them a view; an attribute besides."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        out = x * y
        ctx.save_for_backward(x.t(), None, y, out)
        ctx.scale = 1.0
        return out

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, none, y, out = ctx.saved_tensors
        assert none is None
        again = ctx.saved_tensors[2]
        return g * y * ctx.scale + out * 0.1, g * x.t() * (again / y)


def inside(program: Program) -> Program:
    def whole(*tensors: Any) -> Any:
        loss = program(*tensors)
        loss.backward(retain_graph=True)
        loss.backward()
        return loss.detach()

    return whole


def twice_outside(result: Any, *tensors: Any) -> None:
    result.backward(retain_graph=True)
    result.backward()


# -- beside hooks on tensors and custom functions ----------------------------------------------------------------------
def a_hook_on_a_tensor(w: Any, v: Any, x: Any) -> Any:
    with hooks_of(rounded, eighth):
        h = (w * v).exp()
    h.register_hook(lambda g: g * 2 + x)
    return (h * x).sum()


def a_hook_inside_the_context(w: Any, v: Any, x: Any) -> Any:
    with hooks_of(rounded, eighth):
        h = w * v
        h.register_hook(lambda g: g.clamp(-0.5, 0.5))
        return h.exp().sum()


def a_custom_function_outside_the_context(w: Any, v: Any, x: Any) -> Any:
    y = Cube.apply(w)
    with hooks_of(halved, as_it_is):
        z = (v * v).exp()
    return (y * z).sum()


def a_custom_function_in_the_context(w: Any, v: Any, x: Any) -> Any:
    with hooks_of(halved, as_it_is):
        y = Cube.apply(w) * v
    return y.sin().sum()


def several_saved(w: Any, v: Any, x: Any) -> Any:
    with hooks_of(rounded, eighth):
        y = Product.apply(w, v)
    return (y * x).sum()


def nested(w: Any, v: Any, x: Any) -> Any:
    with hooks_of(halved, as_it_is):
        y = Cube.apply(w)
        with hooks_of(rounded, eighth):
            y = Product.apply(y, v)
    return y.sum()


def all_three(w: Any, v: Any, x: Any) -> Any:
    with hooks_of(rounded, eighth):
        h = (w * v).tanh()
        h.register_hook(lambda g: g * 3)
        y = Product.apply(h, v)
    y.register_hook(lambda g: g + x)
    return y.exp().sum()


TOGETHER = [
    a_hook_on_a_tensor,
    a_hook_inside_the_context,
    a_custom_function_outside_the_context,
    a_custom_function_in_the_context,
    several_saved,
    nested,
    all_three,
]


@pytest.mark.parametrize("program", TOGETHER)
def test_inside_it_is_what_eager_mode_does(program: Program) -> None:
    check(inside(program), arguments=arguments, breaks="")


@pytest.mark.parametrize("program", TOGETHER)
def test_with_a_backward_outside_too(program: Program) -> None:
    check(program, arguments=arguments, breaks="", after=twice_outside)


@pytest.mark.parametrize("program", [a_hook_on_a_tensor, several_saved])
def test_through_compiled_kernels(program: Program) -> None:
    check(program, arguments=arguments, breaks="", after=twice_outside, kernels=True)


def test_hooks_around_the_call_pack_what_custom_functions_save() -> None:
    for program in (lambda w, v, x: Product.apply(w, v).sum(), lambda w, v, x: (Cube.apply(w * x) * v).sum()):
        found = []
        for f in (program, gl.jit(program, fullgraph=True)):
            w, v, x = arguments()
            with hooks_of(rounded, eighth):
                out = f(w, v, x)
            out.backward()
            found.append([w.grad.numpy(), v.grad.numpy()])
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-5, atol=1e-6)


# -- when they are called ----------------------------------------------------------------------------------------------
def a_tensor_written_since(w: Any, v: Any, x: Any) -> Any:
    scale = x.clone()

    @inlineable
    def pack(t: Any) -> Any:
        return t * scale

    with hooks_of(pack, as_it_is):
        y = w * v
    scale.mul_(2.0)
    return y.sum()


def a_list_changed_since(w: Any, v: Any, x: Any) -> Any:
    scale = [2.0]

    @inlineable
    def pack(t: Any) -> Any:
        return t * scale[0]

    with hooks_of(pack, as_it_is):
        y = Cube.apply(w) * v
    scale[0] = 3.0
    return y.sum()


def a_variable_bound_anew(w: Any, v: Any, x: Any) -> Any:
    scale = 2.0

    @inlineable
    def pack(t: Any) -> Any:
        return t * scale

    with hooks_of(pack, as_it_is):
        y = w * v
    scale = 3.0
    return y.sum()


SINCE = [a_tensor_written_since, a_list_changed_since, a_variable_bound_anew]


@pytest.mark.parametrize("program", SINCE)
def test_pack_is_called_when_a_value_is_saved(program: Program) -> None:
    check(inside(program), arguments=arguments, breaks="")
    check(program, arguments=arguments, breaks="", after=twice_outside)


def test_what_is_packed_differently_at_two_times_is_left_to_python() -> None:
    def program(w: Any, v: Any, x: Any) -> Any:
        scale = [2.0]

        @inlineable
        def pack(t: Any) -> Any:
            return t * scale[0]

        with hooks_of(pack, as_it_is):
            y = w * v
            scale[0] = 3.0
            return (y + w * w).sum()

    check(inside(program), arguments=arguments, breaks="")
    check(program, arguments=arguments, breaks="reads what the call has changed since", after=twice_outside)


def test_unpack_is_called_when_a_node_runs() -> None:
    def program(w: Any, v: Any, x: Any) -> Any:
        scale = x.clone()

        @inlineable
        def unpack(t: Any) -> Any:
            return t * scale

        def later(g: Any) -> None:
            scale.mul_(3.0)

        with hooks_of(as_it_is, unpack):
            y = w * v
            z = y * v
        y.register_hook(later)
        z.sum().backward()

    check(program, arguments=arguments, breaks="")


# -- what is left to Python --------------------------------------------------------------------------------------------
class Writer(Function):
    """Writes into what it saved."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x * 2.0)
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (kept,) = ctx.saved_tensors
        return g * kept.mul_(2.0)


@inlineable
def told(t: Any, info: Any) -> Any:
    return t * (0.5 if info.op == "Cube" else 1.0)


def writes_a_buffer(w: Any, v: Any, x: Any) -> Any:
    y = Count.apply(w, x)
    with hooks_of(halved, as_it_is):
        z = v * v
    return (y * z).sum()


def writes_what_it_saved(w: Any, v: Any, x: Any) -> Any:
    with hooks_of(halved, as_it_is):
        return (Writer.apply(w) * v).sum()


def under_a_pack_that_is_told(w: Any, v: Any, x: Any) -> Any:
    with hooks_of(told, as_it_is):
        return (Cube.apply(w) * v).sum()


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (writes_a_buffer, "beside inlined saved-tensor hooks"),
        (writes_what_it_saved, "a write into"),
        (under_a_pack_that_is_told, "an inlined pack hook of two arguments"),
    ],
)
def test_what_has_no_form_in_the_graph_is_left_to_python(program: Program, words: str) -> None:
    check(program, arguments=arguments, breaks=words, after=lambda r, *_: r.backward())


SCALE = [2.0]


@inlineable
def by_a_global(packed: Any) -> Any:
    return packed * SCALE[0]


def test_an_unpack_that_reads_what_may_change_is_called_by_python_where_backward_is_outside() -> None:
    def program(w: Any, v: Any, x: Any) -> Any:
        with hooks_of(halved, by_a_global):
            return Cube.apply(w).sum()

    check(inside(program), arguments=arguments, breaks="")
    check(program, arguments=arguments, breaks="reads more than its argument", after=lambda r, *_: r.backward())
