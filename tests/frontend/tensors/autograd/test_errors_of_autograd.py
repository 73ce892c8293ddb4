"""Every error that eager autograd raises, a jitted step raises too, with the same text, and nothing done besides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from frontend.tensors.eagerly import agree, breaks_of

import guardlift as gl
from guardlift import nn
from guardlift.nn import functional

PROGRAMS: dict[str, Callable[..., Any]] = {}


def program(function: Callable[..., Any]) -> Callable[..., Any]:
    PROGRAMS[function.__name__] = function
    return function


def made() -> Sequence[Any]:
    """An input, two leaves, a buffer, an index, an inference tensor, and a layer."""
    gl.manual_seed(0)
    leaves = [gl.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True), gl.ones(4, requires_grad=True)]
    with gl.inference_mode():
        inference = gl.ones(4)
    return gl.tensor([1.0, 2.0, 3.0, 4.0]), *leaves, gl.zeros(4), gl.tensor([0, 1]), inference, nn.Linear(4, 4)


def known(arguments: Sequence[Any]) -> list[Any]:
    *tensors, layer = arguments
    return [*tensors, *layer.parameters()]


class Times(gl.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        ctx.save_for_backward(b)
        return a * b

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * ctx.saved_tensors[0], None


# -- versions ----------------------------------------------------------------------------------------------------------
@program
def a_saved_operand_is_written(x: Any, w: Any, *rest: Any) -> None:
    y = x * w
    z = y * y
    y.add_(1)
    z.sum().backward()


@program
def a_saved_result_is_written(x: Any, w: Any, *rest: Any) -> None:
    y = (x * w).exp()
    y.mul_(2)
    y.sum().backward()


@program
def a_saved_argument_is_written(x: Any, w: Any, *rest: Any) -> None:
    y = x * w
    x.add_(1)
    y.sum().backward()


@program
def a_saved_buffer_is_written(x: Any, w: Any, b: Any, buffer: Any, *rest: Any) -> None:
    y = (buffer * w).sum()
    buffer.add_(1)
    y.backward()


@program
def a_saved_leaf_is_written(x: Any, w: Any, *rest: Any) -> None:
    y = (w * w * x).sum()
    with gl.no_grad():
        w.add_(1)
    y.backward()


@program
def an_index_is_written(x: Any, w: Any, b: Any, buffer: Any, index: Any, *rest: Any) -> None:
    y = w[index]
    index.add_(1)
    y.sum().backward()


@program
def a_gathered_index_is_written(x: Any, w: Any, b: Any, buffer: Any, index: Any, *rest: Any) -> None:
    y = w.gather(0, index)
    index.add_(1)
    y.sum().backward()


@program
def a_selected_index_is_written(x: Any, w: Any, b: Any, buffer: Any, index: Any, *rest: Any) -> None:
    y = w.index_select(0, index)
    index.add_(1)
    y.sum().backward()


@program
def embedded_words_are_written(x: Any, w: Any, b: Any, buffer: Any, index: Any, *rest: Any) -> None:
    y = functional.embedding(index, w[:, None] * 1)
    index.add_(1)
    y.sum().backward()


@program
def a_mask_is_written(x: Any, w: Any, *rest: Any) -> None:
    mask = x > 2
    y = gl.where(mask, w * 1, 0.0)
    mask.logical_not_()
    y.sum().backward()


@program
def what_a_function_saved_is_written(x: Any, w: Any, *rest: Any) -> None:
    y = Times.apply(w, x)
    x.add_(1)
    y.sum().backward()


@program
def versions_are_counted(x: Any, w: Any, *rest: Any) -> Any:
    y = x * w
    y.add_(1)
    y.mul_(2)
    return y.detach(), y._version, x._version


# -- writes that are refused -------------------------------------------------------------------------------------------
@program
def a_leaf_is_written(x: Any, w: Any, *rest: Any) -> None:
    w.add_(1)


@program
def a_leaf_is_zeroed(x: Any, w: Any, *rest: Any) -> None:
    w.zero_()


@program
def an_element_of_a_leaf_is_set(x: Any, w: Any, *rest: Any) -> None:
    w[0] = 1.0


@program
def a_view_of_a_leaf_is_written(x: Any, w: Any, *rest: Any) -> None:
    view = w[1:3]
    view.mul_(2)


@program
def a_view_without_history_is_written(x: Any, w: Any, *rest: Any) -> None:
    y = x * w
    with gl.no_grad():
        view = y[0]
    view.add_(1)


@program
def one_of_several_views_is_written(x: Any, w: Any, *rest: Any) -> Any:
    first, *_ = (x * w).unbind(0)
    first.add_(1)
    return first.detach()


@program
def an_expanded_tensor_is_written(x: Any, w: Any, *rest: Any) -> None:
    (x * w).sum().expand(3).add_(1)


@program
def a_function_marks_a_leaf_as_written(x: Any, w: Any, *rest: Any) -> None:
    class InPlace(gl.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            ctx.mark_dirty(a)
            return a.add_(1)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    InPlace.apply(w)


@program
def a_result_goes_into_out(x: Any, w: Any, *rest: Any) -> None:
    gl.add(x, w, out=gl.empty(4))


# -- walks -------------------------------------------------------------------------------------------------------------
@program
def backward_runs_twice(x: Any, w: Any, *rest: Any) -> None:
    y = (x * w * w).sum()
    y.backward()
    y.backward()


@program
def a_part_is_walked_twice(x: Any, w: Any, *rest: Any) -> None:
    h = x * w * w
    h.sum().backward()
    (h * 2).sum().backward()


@program
def a_gradient_is_taken_twice(x: Any, w: Any, *rest: Any) -> Any:
    y = (x * w * w).sum()
    (gradient,) = gl.autograd.grad(y, [w])
    y.backward()
    return gradient


@program
def backward_of_many(x: Any, w: Any, *rest: Any) -> None:
    (x * w).backward()


@program
def backward_of_a_constant(x: Any, *rest: Any) -> None:
    x.sum().backward()


@program
def a_gradient_of_another_shape(x: Any, w: Any, *rest: Any) -> None:
    (x * w).backward(gl.ones(3))


@program
def a_gradient_of_what_is_not_used(x: Any, w: Any, b: Any, *rest: Any) -> Any:
    return gl.autograd.grad((x * w).sum(), [b])


@program
def a_backward_that_gives_too_much(x: Any, w: Any, *rest: Any) -> None:
    class TooMuch(gl.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, g

    TooMuch.apply(w).sum().backward()


# -- what may not be asked of a tensor ---------------------------------------------------------------------------------
@program
def a_result_is_to_require_no_grad(x: Any, w: Any, *rest: Any) -> None:
    (x * w).requires_grad_(False)


@program
def integers_are_to_require_grad(x: Any, *rest: Any) -> None:
    gl.arange(3).requires_grad_()


@program
def the_numbers_of_a_result(x: Any, w: Any, *rest: Any) -> Any:
    return (x * w).numpy()


@program
def a_gradient_of_another_shape_is_set(x: Any, w: Any, *rest: Any) -> None:
    w.grad = gl.ones(3)


@program
def a_hook_on_a_constant(x: Any, *rest: Any) -> None:
    x.register_hook(lambda g: g)


# -- inference tensors -------------------------------------------------------------------------------------------------
@program
def it_is_saved_by_a_product(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    (inference * w).sum().backward()


@program
def it_is_saved_by_a_layer(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    layer(inference).sum().backward()


@program
def it_is_saved_as_a_mask(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    with gl.inference_mode():
        mask = inference > 0
    gl.where(mask, w * 1, x).sum().backward()


@program
def it_is_saved_as_an_index(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    with gl.inference_mode():
        places = index * 1
    w[places].sum().backward()


@program
def it_is_saved_by_a_function(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    Times.apply(w, inference).sum().backward()


@program
def its_view_is_saved(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    (inference[1:] * w[1:]).sum().backward()


@program
def it_is_read_in_a_loop(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    h = w * 1
    for _ in range(12):
        h = gl.tanh(h * inference + x)
    h.sum().backward()


@program
def it_begins_a_loop(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    h = inference
    for _ in range(12):
        h = gl.tanh(h * w + x)
    h.sum().backward()


@program
def it_is_saved_in_one_arm(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    y = inference * w if x.sum() > 0 else w * 2
    y.sum().backward()


@program
def one_arm_leaves_it(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    y = inference if x.sum() > 0 else x * 1
    (y * w).sum().backward()


@program
def it_is_written(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    inference.add_(1)


@program
def its_element_is_set(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    inference[0] = 1.0


@program
def it_is_to_require_grad(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> None:
    inference.requires_grad_()


@program
def the_error_is_caught(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> Any:
    try:
        (inference * w).sum().backward()
    except RuntimeError:
        return x + 1
    return x


@program
def it_is_added_which_saves_nothing(x: Any, w: Any, b: Any, buffer: Any, index: Any, inference: Any, layer: Any) -> Any:
    (inference + w).sum().backward()
    return (inference.clone() * w).sum().detach()


@pytest.mark.spec("S1.02")
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_jitted_step_raises_what_eager_mode_raises(name: str) -> None:
    agree(PROGRAMS[name], made, known=known)


FORWARDS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "a product": lambda w, x, index, mask: (w * x).sum(),
    "a product of parts": lambda w, x, index, mask: (w[1:] * x[1:]).sum(),
    "a sum": lambda w, x, index, mask: (w + x).sum(),
    "an index": lambda w, x, index, mask: w[index].sum(),
    "two indices": lambda w, x, index, mask: w.view(2, 2)[index, index].sum(),
    "gather": lambda w, x, index, mask: w.gather(0, index).sum(),
    "embedding": lambda w, x, index, mask: functional.embedding(index, w[:, None] * 1).sum(),
    "index_add": lambda w, x, index, mask: gl.zeros(4).index_add(0, index, w[:2] * 1).sum(),
    "where": lambda w, x, index, mask: gl.where(mask, w * 1, 0.0).sum(),
    "cross_entropy": lambda w, x, index, mask: functional.cross_entropy(w.view(2, 2) * 1, index),
    "a power": lambda w, x, index, mask: (w**x).sum(),
    "a leaf": lambda w, x, index, mask: (w * w * x).sum(),
}


@pytest.mark.parametrize("name", FORWARDS)
def test_a_write_between_a_jitted_forward_and_backward_is_found(name: str) -> None:
    jitted = gl.jit(FORWARDS[name])

    def written(function: Callable[..., Any], place: int) -> Any:
        w = gl.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
        mask = gl.tensor([True, False, True, True])
        arguments = [w, gl.tensor([1.0, 2.0, 3.0, 4.0]), gl.tensor([0, 1]), mask]
        loss = function(*arguments)
        with gl.no_grad():
            arguments[place].mul_(arguments[place])
        try:
            loss.backward()
        except RuntimeError as error:
            return str(error)[:60]
        return w.grad.tolist()

    for place in (*range(4), *range(4)):
        expected, found = written(FORWARDS[name], place), written(jitted, place)
        assert found == (expected if isinstance(expected, str) else pytest.approx(expected)), place


def test_a_tensor_of_inference_mode_is_told_from_another_one_at_each_call() -> None:
    w = gl.ones(3, requires_grad=True)
    product = gl.jit(lambda x: (x * w).sum())
    with gl.inference_mode():
        inference = gl.ones(3)
    for _ in range(2):
        product(gl.ones(3)).backward()
        with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
            product(inference)
        with gl.no_grad():
            assert product(inference).item() == 3
    assert not breaks_of(product)
