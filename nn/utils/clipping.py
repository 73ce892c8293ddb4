"""Clipping of gradients, in place, by the norm of all of them or by the value of each element.

`foreach` chooses between PyTorch's ways to compute the same numbers; it is taken and changes nothing.
"""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable

from ...autograd.modes import no_grad
from ...tensor import Tensor
from ...tensor.creation import tensor
from ...tensor.joining import stack
from ..errors import NonFiniteError

Tensors = Tensor | Iterable[Tensor]


def clip_grad_norm_(
    parameters: Tensors,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all gradients, taken as one vector; if it is above `max_norm`, they are scaled down to that.

    norm_type: any number, infinity too.
    Errors: NonFiniteError with `error_if_nonfinite`, for a norm that is infinite or NaN; nothing is changed then.
    """
    is_generator = isinstance(parameters, types.GeneratorType)
    given = _listed(parameters)
    if is_generator and not given:
        warnings.warn("`parameters` is a generator that gave nothing; no gradient is clipped", stacklevel=2)
    total = get_total_norm(
        [each.grad for each in given if each.grad is not None], norm_type, error_if_nonfinite, foreach
    )
    clip_grads_with_norm_(given, max_norm, total, foreach)
    return total


def get_total_norm(
    tensors: Tensors, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of all tensors, taken as one vector: the norm of their norms. Shape: []; 0 if there are none.

    Errors: NonFiniteError with `error_if_nonfinite`, for a norm that is infinite or NaN.
    """
    given = _listed(tensors)
    order = float(norm_type)
    with no_grad():
        if not given:
            return tensor(0.0)
        total = stack([each.norm(order) for each in given]).norm(order)
        if error_if_nonfinite and not total.isfinite():
            raise NonFiniteError(
                f"the norm of order {order} of all gradients is {total.item()}, so they cannot be clipped; find what "
                "made it so, or pass error_if_nonfinite=False to scale by it all the same"
            )
    return total


def clip_grads_with_norm_(
    parameters: Tensors, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scales all gradients by ``max_norm / total_norm`` in place, where that is less than 1."""
    with no_grad():
        factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for each in _listed(parameters):
            if each.grad is not None:
                each.grad.mul_(factor)


def clip_grad_value_(parameters: Tensors, clip_value: float, foreach: bool | None = None) -> None:
    """Brings every element of the gradients between ``-clip_value`` and ``clip_value``, in place."""
    bound = float(clip_value)
    with no_grad():
        for each in _listed(parameters):
            if each.grad is not None:
                each.grad.clamp_(-bound, bound)


def _listed(tensors: Tensors) -> list[Tensor]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)
