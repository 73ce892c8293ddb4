"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from ...tensor import Tensor
from ...tensor.dispatch import named_type
from ...tensor.joining import cat
from ..errors import LayerArgumentError, ModuleConversionError


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all parameters in one vector, which is differentiable by them.

    Errors: TypeError for parameters on several devices.
    """
    listed = list(parameters)
    _check_device(listed)
    return cat([each.reshape(-1) for each in listed])  # type: ignore[no-any-return]


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Makes parts of a vector the elements of the parameters, which then share its memory.

    Errors: TypeError for what is no tensor, or parameters on several devices; ValueError for a vector of another size.
    """
    if not isinstance(vec, Tensor):
        raise ModuleConversionError(f"expected a Tensor, but got: {named_type(vec)}")
    listed = list(parameters)
    _check_device(listed)
    wanted = sum(each.numel() for each in listed)
    if vec.ndim != 1 or vec.shape[0] < wanted:
        raise LayerArgumentError(f"the parameters have {wanted} elements, got a vector of shape {list(vec.shape)}")
    start = 0
    for each in listed:
        size = each.numel()
        each.data = vec[start : start + size].view_as(each).data
        start += size


def _check_device(parameters: list[Tensor]) -> None:
    found = {str(each.device) for each in parameters}
    if len(found) > 1:
        raise ModuleConversionError(
            f"Found two parameters on different devices, {' and '.join(sorted(found))}; use .to()"
        )
