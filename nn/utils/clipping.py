"""Clipping of gradients, in place, by the norm of all of them or by the value of each element.

`foreach` chooses between PyTorch's ways to compute the same numbers; it is taken and changes nothing.
"""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...autograd.modes import no_grad
from ...tensor import Tensor
from ...tensor.creation import tensor
from ...tensor.ignored_errstate import ignoring_errstate
from ...tensor.joining import stack
from ...tensor.surface import surface
from ...tensor.tensor import Array
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
        total = joint_norm(given, order)
        if error_if_nonfinite and not total.isfinite():
            raise NonFiniteError(
                f"the norm of order {order} of all gradients is {total.item()}, so they cannot be clipped; find what "
                "made it so, or pass error_if_nonfinite=False to scale by it all the same"
            )
    return total


@surface
def joint_norm(tensors: Sequence[Any], order: float) -> Any:
    """The norm of the norms of tensors. Arrays at hand of one dtype have their 2-norms taken with no tensor between."""
    first = tensors[0]
    if order == 2.0 and type(first) is Tensor:
        kind = first._array.dtype
        if kind in _SQUARED and all(
            type(each) is Tensor and type(each._array) is np.ndarray and each._array.dtype is kind for each in tensors
        ):
            return Tensor._wrap(ignoring_errstate(_joint_norm, [each._array for each in tensors]))
    return stack([each.norm(order) for each in tensors]).norm(order)


_SQUARED = (np.dtype(np.float32), np.dtype(np.float64))
_BLOCK = 1 << 12
"""Units: elements. Their squares are added one after the other, in the lanes of a register; the sums in pairs."""


def _joint_norm(arrays: list[Array]) -> Array:
    norms: Array = np.sqrt([_sum_of_squares(each) for each in arrays], dtype=arrays[0].dtype)
    return np.asarray(np.sqrt(np.dot(norms, norms)))


def _sum_of_squares(array: Array) -> Any:
    flat = array.ravel("K")
    whole = flat.size - flat.size % _BLOCK
    rest = flat[whole:]
    total = np.dot(rest, rest)
    if whole:
        rows = flat[:whole].reshape(-1, _BLOCK)
        total += np.matmul(rows[:, None, :], rows[:, :, None]).sum()
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
