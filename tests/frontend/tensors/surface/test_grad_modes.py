"""Modes inside jitted functions: inference mode and grad mode as contexts, calls and decorators, without a break."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import pytest
from frontend.tensors.eagerly import agree, breaks_of

import guardlift as gl
from guardlift import nn

LAYER = nn.Linear(4, 3)


def made() -> Sequence[Any]:
    return gl.arange(4).float() + 1, gl.ones(4, requires_grad=True)


def under_inference_mode(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = LAYER(x)
    return y, gl.is_inference_mode_enabled(), y.is_inference()


def grad_mode_inside_of_it(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = x * w
        with gl.enable_grad():
            inside = gl.is_grad_enabled()
        behind = gl.is_grad_enabled()
    return y.clone(), inside, behind, gl.is_grad_enabled()


def out_of_it_again(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        with gl.inference_mode(False):
            y = (x * w).sum()
        z = x * 2
    y.backward()
    return z, z.is_inference(), y.is_inference()


def set_and_put_back(x: Any, w: Any) -> Any:
    before = gl.is_grad_enabled()
    gl.set_grad_enabled(False)
    y = (x * w).sum()
    off = gl.is_grad_enabled()
    gl.set_grad_enabled(before)
    return y, (x * w).sum().detach(), before, off


def set_for_good(x: Any, w: Any) -> Any:
    gl.set_grad_enabled(False)
    return (x * w).sum()


def set_by_what_is_known(x: Any, w: Any) -> Any:
    with gl.set_grad_enabled(x.shape[0] > 4):
        return (x * w).sum()


def decorated_inside(x: Any, w: Any) -> Any:
    @gl.no_grad()
    def one(x: Any) -> Any:
        return x * w

    @gl.inference_mode
    def other(x: Any) -> Any:
        return x * w

    return one(x), other(x), gl.set_grad_enabled(False)(lambda x: x * w)(x), gl.is_grad_enabled()


@gl.no_grad
def without(x: Any, w: Any) -> Any:
    return x * w


@gl.inference_mode()
def inferred(x: Any, w: Any) -> Any:
    return x * w


@gl.set_grad_enabled(False)
def switched_off(x: Any, w: Any) -> Any:
    return x * w


def decorated_before(x: Any, w: Any) -> Any:
    return without(x, w), inferred(x, w), switched_off(x, w)


def left_by_an_error(x: Any, w: Any) -> Any:
    try:
        with gl.inference_mode():
            y = x * w
            raise ValueError("out")
    except ValueError:
        return y, gl.is_inference_mode_enabled(), gl.is_grad_enabled()


def a_leaf_made_in_it(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = (x * 2).requires_grad_()
    return y, y.is_inference()


def written_in_it(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = x * 2
        y.add_(1)
        x.add_(1)
    return y, x


def views_in_it(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        return x[1:], x.view(2, 2), x.detach()


def nothing_saved(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = x * 2
    return (y + w).sum()


def saved(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = x * 2
    return (y * w).sum()


def written_outside_of_it(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = x * 2
    y.add_(1)
    return y


def a_leaf_made_outside_of_it(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = x * 2
    return y.requires_grad_()


def its_data_written(x: Any, w: Any) -> Any:
    with gl.inference_mode():
        y = x * 2
    return y.data.add_(1)


FOLLOWED = (
    under_inference_mode,
    grad_mode_inside_of_it,
    out_of_it_again,
    set_and_put_back,
    set_for_good,
    set_by_what_is_known,
    decorated_inside,
    decorated_before,
    left_by_an_error,
    a_leaf_made_in_it,
    written_in_it,
    views_in_it,
    nothing_saved,
)
RAISING = (saved, written_outside_of_it, a_leaf_made_outside_of_it, its_data_written)


@pytest.mark.parametrize("around", [nullcontext, gl.inference_mode, gl.no_grad])
@pytest.mark.parametrize("program", [*FOLLOWED, *RAISING])
def test_modes_inside_a_jitted_function_are_those_of_eager_mode(program: Any, around: Callable[[], Any]) -> None:
    def called(*arguments: Any) -> Any:
        with around():
            return program(*arguments)

    agree(called, made)
    jitted = gl.jit(program)
    for arguments in (made(), made()):
        with around():
            _quiet(jitted, *arguments)
    gl.set_grad_enabled(True)
    assert not breaks_of(jitted)


def _quiet(function: Callable[..., Any], *arguments: Any) -> None:
    try:
        function(*arguments)
    except RuntimeError:
        pass


def test_a_context_that_a_split_cuts_is_left_by_compiled_code() -> None:
    def cut(x: Any, w: Any) -> Any:
        with gl.inference_mode():
            y = x * w
            print(end="")
            z = y + 1
        return z * 2, z.is_inference(), gl.is_grad_enabled()

    def cut_after_a_call(x: Any, w: Any) -> Any:
        gl.set_grad_enabled(False)
        y = x * w
        print(end="")
        z = y * w
        gl.set_grad_enabled(True)
        return z, y

    def cut_in_no_grad(x: Any, w: Any) -> Any:
        with gl.no_grad():
            y = x * w
            print(end="")
            z = y * w
        return z * w

    for program in (cut, cut_after_a_call, cut_in_no_grad):
        assert breaks_of(agree(program, made, calls=4)) == ["B201"]


def test_one_function_called_in_both_modes_answers_for_each() -> None:
    @gl.jit
    def asked(x: Any) -> Any:
        return x * 2, gl.is_inference_mode_enabled(), gl.is_grad_enabled()

    for _ in range(3):
        found = asked(gl.ones(2))
        assert found[1:] == (False, True) and not found[0].is_inference()
        with gl.inference_mode():
            found = asked(gl.ones(2))
            assert found[1:] == (True, False) and found[0].is_inference()
        with gl.no_grad():
            assert asked(gl.ones(2))[1:] == (False, False)
