"""Derivatives of Python functions of tensors: products with the Jacobian and the Hessian, and these matrices."""

# Note [Forward products by two backward passes]
# The gradient of outputs by inputs, weighted by u, is linear in u: its derivative by u, weighted by v, is the Jacobian
# times v. So `jvp` and `hvp` differentiate a gradient once more; the value of u does not matter, it is zero.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tensor.creation import ones_like, zeros, zeros_like
from ..tensor.dispatch import tensor_of
from ..tensor.joining import stack
from ..tensor.shaping import reshape
from ..tensor.tensor import Tensor
from .functional_tensors import (
    Found,
    Tensors,
    as_tensors,
    check_gradients,
    check_hessian,
    check_outputs,
    check_slopes,
    check_vector,
    entering,
    filled,
    gradients,
    leaving,
    unpacked,
)
from .jacobians import unit
from .modes import enable_grad

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Function = Callable[..., Any]
STRATEGIES = ("reverse-mode", "forward-mode")


@enable_grad
def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The outputs of `func`, and `v` times its Jacobian at `inputs`: one tensor for each input, in its shape.

    v: one tensor for each output, in its shape; may be left out where there is one output of one element.
    create_graph: the results can be differentiated.   strict: an input that does not matter is an error.
    Errors: TypeError for what is no Tensor or tuple of Tensors; RuntimeError for a `v` that does not fit, or by strict.
    """
    many_inputs, given = as_tensors(inputs, "inputs", "vjp")
    entered, many_outputs, outputs = _called(func, given, create_graph, "vjp", strict)
    if v is None:
        if len(outputs) != 1 or outputs[0].numel() != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single "
                "element; give v in the shape of the outputs."
            )
        weights = None
    else:
        _, weights = as_tensors(v, "v", "vjp")
        check_vector(weights, outputs)
    found = gradients(outputs, entered, weights, create_graph)
    if strict:
        check_gradients(found, create_graph)
    return _pair(outputs, many_outputs, filled(found, given), many_inputs, create_graph)


@enable_grad
def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The outputs of `func`, and its Jacobian at `inputs` times `v`: one tensor for each output, in its shape.

    v: one tensor for each input, in its shape; may be left out where there is one input of one element.
    create_graph, strict, errors: as of `vjp`.
    """
    _, given = as_tensors(inputs, "inputs", "jvp")
    direction = _direction(v, given, "jvp")
    entered, many_outputs, outputs = _called(func, given, create_graph, "jvp", strict)
    weights = tuple(zeros_like(each).requires_grad_() if each.dtype.is_differentiable else each for each in outputs)
    slopes = gradients(outputs, entered, weights, create_graph=True)
    if strict:
        check_gradients(slopes, create_graph=False)
    found = _by_weights(slopes, weights, direction, create_graph)
    if strict:
        check_gradients(found, create_graph)
    return _pair(outputs, many_outputs, filled(found, outputs), many_outputs, create_graph)


@enable_grad
def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The output of `func`, which is one number, and `v` times its Hessian at `inputs`: one tensor for each input.

    v: one tensor for each input, in its shape; may be left out where there is one input of one element.
    create_graph, strict, errors: as of `vjp`; RuntimeError too where `func` does not give one tensor of one element.
    """
    many_inputs, given = as_tensors(inputs, "inputs", "vhp")
    direction = _direction(v, given, "vhp")
    entered, output, slopes = _slopes(func, given, create_graph, "vhp", strict)
    found = gradients(filled(slopes, given), entered, direction, create_graph)
    if strict:
        check_hessian(found)
    return _pair((output,), False, filled(found, given), many_inputs, create_graph)


@enable_grad
def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The output of `func`, which is one number, and its Hessian at `inputs` times `v`: one tensor for each input.

    It costs a backward pass more than `vhp`, which gives the same where second derivatives are continuous.
    v, create_graph, strict, errors: as of `vhp`.
    """
    many_inputs, given = as_tensors(inputs, "inputs", "hvp")
    direction = _direction(v, given, "hvp")
    entered, output, slopes = _slopes(func, given, create_graph, "hvp", strict)
    weights = tuple(zeros_like(each).requires_grad_() for each in given)
    twice = gradients(filled(slopes, given), entered, weights, create_graph=True)
    if strict:
        check_hessian(twice)
    found = _by_weights(twice, weights, direction, create_graph)
    if strict:
        check_hessian(found)
    return _pair((output,), False, filled(found, given), many_inputs, create_graph)


@enable_grad
def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func` at `inputs`: for each pair of output and input a tensor of both shapes, output's first.

    Tuples of outputs and of inputs give tuples, by output and then by input.
    vectorize, strategy: are accepted; rows are computed one after the other, backward, either way, with equal values.
        `gl.func.jacrev` and `gl.func.jacfwd` compute all rows or columns at once.
    Errors: as of `vjp`; as in PyTorch, strategy="forward-mode" takes vectorize=True, neither create_graph nor strict.
    """
    _check_strategy("strategy", strategy, vectorize, create_graph, strict)
    if strict and vectorize:
        raise RuntimeError("jacobian does not take strict=True together with vectorize=True; set one of them to False")
    many_inputs, given = as_tensors(inputs, "inputs", "jacobian")
    entered, many_outputs, outputs = _called(func, given, create_graph, "jacobian", strict)
    blocks = []
    for number, output in enumerate(outputs):
        rows = [jacobian_row(output, place, entered, create_graph) for place in range(output.numel())]
        if strict:
            for row in rows:
                check_gradients(row, create_graph, number)
        parts = [_block(output, each, [row[place] for row in rows], create_graph) for place, each in enumerate(entered)]
        blocks.append(unpacked(parts, many_inputs))
    return unpacked(blocks, many_outputs)


@enable_grad
def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian at `inputs` of `func`, which gives one number: a tensor of the shapes of two inputs for each pair.

    A tuple of inputs gives a tuple of tuples.
    vectorize, create_graph, strict, errors: as of `jacobian`; RuntimeError too where `func` does not give one tensor of
    one element.
    """
    _check_strategy("outer_jacobian_strategy", outer_jacobian_strategy, vectorize, create_graph, strict)
    many, given = as_tensors(inputs, "inputs", "hessian")

    def slopes_of(*entered: Tensor) -> Any:
        outputs = _results(func(*entered), "hessian")
        output = _single(*outputs, "hessian")
        if strict:
            check_outputs((output,))
        found = gradients((output,), entered, create_graph=True)
        if strict:
            check_slopes(found)
        return unpacked(filled(found, entered), many)

    return jacobian(slopes_of, unpacked(given, many), create_graph, strict, vectorize)


def _called(
    func: Function, given: Tensors, create_graph: bool, caller: str, strict: bool
) -> tuple[Tensors, bool, Tensors]:
    """The tensors that `func` was called with, whether it gave a tuple, and the tensors it gave."""
    entered = entering(given, create_graph)
    many, outputs = _results(func(*entered), caller)
    if strict:
        check_outputs(outputs)
    return entered, many, outputs


def _results(given: Any, caller: str) -> tuple[bool, Tensors]:
    return as_tensors(given, "outputs of the function", caller)


def _slopes(
    func: Function, given: Tensors, create_graph: bool, caller: str, strict: bool
) -> tuple[Tensors, Tensor, Found]:
    """The tensors that `func` was called with, the number it gave, and its gradients with a graph of them."""
    entered, many, outputs = _called(func, given, create_graph, caller, strict)
    output = _single(many, outputs, caller)
    found = gradients((output,), entered, create_graph=True)
    if strict:
        check_slopes(found)
    return entered, output, found


def _single(many: bool, outputs: Tensors, caller: str) -> Tensor:
    """The only output. Errors: RuntimeError unless it is one tensor of one element."""
    if many:
        raise RuntimeError(f"The function given to {caller} should return a single Tensor, not a tuple")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {caller} should contain a single element, got shape "
            f"{list(outputs[0].shape)}"
        )
    return outputs[0]


def _direction(v: Any, given: Tensors, caller: str) -> Tensors:
    """`v`, or one where it may be left out."""
    if v is not None:
        _, direction = as_tensors(v, "v", caller)
        check_vector(direction, given)
        return direction
    if len(given) != 1 or given[0].numel() != 1:
        raise RuntimeError(
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
            "element; give v in the shape of the inputs."
        )
    return (ones_like(given[0]),)


def _by_weights(slopes: Found, weights: Tensors, direction: Tensors, create_graph: bool) -> Found:
    """The derivative of `slopes` by the `weights` that they are linear in, weighted by `direction`."""
    present = [(slope, each) for slope, each in zip(slopes, direction) if slope is not None]
    if not present:
        return (None,) * len(weights)
    starts, along = zip(*present)
    wanted = [place for place, each in enumerate(weights) if each.requires_grad]
    answers = gradients(starts, tuple(weights[place] for place in wanted), along, create_graph)
    found: list[Tensor | None] = [None] * len(weights)
    for place, answer in zip(wanted, answers):
        found[place] = answer
    return tuple(found)


def _pair(outputs: Tensors, many_outputs: bool, found: Tensors, many_found: bool, create_graph: bool) -> Any:
    return (
        unpacked(leaving(outputs, create_graph), many_outputs),
        unpacked(leaving(found, create_graph), many_found),
    )


def jacobian_row(output: Tensor, place: int, entered: Tensors, create_graph: bool) -> Found:
    """The gradient of one element of `output`, which is number `place` in row-major order."""
    return gradients((output,), entered, (tensor_of(unit(output, place), output),), create_graph)


def _block(output: Tensor, given: Tensor, rows: list[Tensor | None], create_graph: bool) -> Tensor:
    """`rows` as one tensor of the shape of `output`, followed by that of `given`."""
    shape = (*output.shape, *given.shape)
    if not rows:
        return zeros(shape, dtype=given.dtype, device=given.device)
    joined = stack([zeros_like(given) if row is None else row for row in rows])
    return leaving((reshape(joined, shape),), create_graph)[0]


def _check_strategy(name: str, strategy: str, vectorize: bool, create_graph: bool, strict: bool) -> None:
    if strategy not in STRATEGIES:
        raise ValueError(f"{name} is 'reverse-mode' or 'forward-mode', got {strategy!r}")
    if strategy == "reverse-mode":
        return
    if strict:
        raise RuntimeError(f"{name}='forward-mode' and strict=True are not supported together: change one of them")
    if create_graph:
        raise NotImplementedError(
            f"{name}='forward-mode' and create_graph=True are not supported together: change one of them, or use "
            "gl.func.jacfwd"
        )
    if not vectorize:
        raise NotImplementedError(f"{name}='forward-mode' is only implemented for vectorize=True")
