"""Inputs and outputs of the derivatives of `functional`: tensors or tuples of them, checked, and cut off or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..tensor.creation import zeros_like
from ..tensor.tensor import Tensor
from .differentiate import grad

Tensors = tuple[Tensor, ...]
Found = tuple[Tensor | None, ...]


def as_tensors(values: Any, what: str, caller: str) -> tuple[bool, Tensors]:
    """Whether `values` is a tuple, and the tensors. Errors: TypeError for anything but a Tensor or a tuple of them."""
    if isinstance(values, Tensor):
        return False, (values,)
    if not isinstance(values, tuple):
        raise TypeError(
            f"{what} of {caller} must be either a Tensor or a tuple of Tensors, but the given {what} has type "
            f"{type(values)}"
        )
    for place, each in enumerate(values):
        if not isinstance(each, Tensor):
            raise TypeError(
                f"{what} of {caller} must be either a Tensor or a tuple of Tensors, but the value at index {place} has "
                f"type {type(each)}"
            )
    return True, values


def unpacked(values: Sequence[Any], is_tuple: bool) -> Any:
    """A tuple of `values`, or the only one of them."""
    return tuple(values) if is_tuple else values[0]


def entering(inputs: Tensors, create_graph: bool) -> Tensors:
    """New tensors over the memory of `inputs`, which require grad; under `create_graph` they lead back to `inputs`.

    Errors: RuntimeError for a tensor whose dtype is no float.
    """
    return tuple(
        each.view_as(each) if create_graph and each.requires_grad else each.detach().requires_grad_() for each in inputs
    )


def leaving(values: Tensors, create_graph: bool) -> Tensors:
    """`values` as the caller gets them: without history unless `create_graph`."""
    return values if create_graph else tuple(each.detach() for each in values)


def check_vector(v: Tensors, like: Tensors) -> None:
    """Errors: RuntimeError unless `v` has one tensor for each of `like`, of its shape."""
    if len(v) != len(like):
        raise RuntimeError(f"v is a tuple of invalid length: it should have {len(like)} tensors but has {len(v)}")
    for place, (each, model) in enumerate(zip(v, like)):
        if each.shape != model.shape:
            entry = f"entry {place} of v" if len(like) > 1 else "v"
            raise RuntimeError(f"{entry} has invalid size: it should be {list(model.shape)} but is {list(each.shape)}")


def gradients(outputs: Tensors, inputs: Tensors, v: Tensors | None = None, create_graph: bool = False) -> Found:
    """The sums of the gradients of `outputs` by `inputs`, weighted by `v`; None where nothing leads back.

    The graph is retained. Outputs without history count for nothing.
    """
    weights = v or (None,) * len(outputs)
    parts = [(output, weight) for output, weight in zip(outputs, weights) if output.requires_grad]
    if not parts:
        return (None,) * len(inputs)
    roots, starts = zip(*parts)
    return grad(roots, inputs, starts, retain_graph=True, create_graph=create_graph, allow_unused=True)


def tangents_between(outputs: Tensors, inputs: Tensors, tangents: Tensors, create_graph: bool = False) -> Found:
    """The derivatives of outputs along `tangents`, one for each input; None where nothing leads back.

    See Note [Forward products by two backward passes] in `functional`.
    """
    leading = tuple(each for each in outputs if each.requires_grad)
    if not leading:
        return (None,) * len(outputs)
    weights = tuple(zeros_like(each).requires_grad_() for each in leading)
    slopes = gradients(leading, inputs, weights, create_graph=True)
    parts = [(slope, way) for slope, way in zip(slopes, tangents) if slope is not None]
    if not parts:
        return (None,) * len(outputs)
    starts, along = zip(*parts)
    found = iter(gradients(starts, weights, along, create_graph))
    return tuple(next(found) if each.requires_grad else None for each in outputs)


def check_outputs(outputs: Tensors) -> None:
    """Errors: RuntimeError for an output that has no history, which strict mode does not allow."""
    for place, each in enumerate(outputs):
        if not each.requires_grad:
            raise RuntimeError(
                f"Output {place} of the user-provided function does not require gradients. In strict mode every output "
                "must be computed from the inputs by differentiable operations."
            )


def check_gradients(found: Found, create_graph: bool, output: int | None = None) -> None:
    """Errors: RuntimeError for a gradient that is None, or constant when a graph of it is asked for (strict mode)."""
    for place, each in enumerate(found):
        if each is None:
            which = "The output" if output is None else f"Output {output}"
            raise RuntimeError(
                f"{which} of the user-provided function is independent of input {place}. This is not allowed in strict "
                "mode; leave the input out, or set strict=False to get zeros."
            )
        if create_graph and not each.requires_grad:
            raise RuntimeError(
                f"The jacobian of the user-provided function is independent of input {place}. This is not allowed in "
                "strict mode when create_graph=True."
            )


def check_slopes(slopes: Found) -> None:
    """Errors: RuntimeError for a first derivative that does not depend on the inputs (strict mode)."""
    for place, each in enumerate(slopes):
        if each is None or not each.requires_grad:
            raise RuntimeError(
                "While computing the hessian, found that the jacobian of the user-provided function with respect to "
                f"input {place} is independent of the input. This is not allowed in strict mode: the function must be "
                "twice differentiable, and not linear in that input."
            )


def check_hessian(found: Found) -> None:
    """Errors: RuntimeError for a second derivative that is None (strict mode)."""
    for place, each in enumerate(found):
        if each is None:
            raise RuntimeError(
                f"The hessian of the user-provided function is independent of input {place}. This is not allowed in "
                "strict mode; leave the input out, or set strict=False to get zeros."
            )


def filled(found: Found, like: Tensors) -> Tensors:
    """`found` with zeros where it has None."""
    return tuple(zeros_like(model) if each is None else each for each, model in zip(found, like))
