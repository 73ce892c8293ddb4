"""Kernels: what computes an op on arrays in eager mode, found once for each op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.devices.arrays import DeviceArray
from ..core.devices.host_or_device import by_device
from ..ops.devices import TO_DEVICE
from ..ops.emitter import ufunc_of
from ..ops.registry import OpDef, gives_view
from .host_kernels import from_size

Array = np.ndarray[Any, Any]
_ndarray = np.ndarray


KERNELS: dict[OpDef, Callable[..., Any]] = {}
"""The kernels that `find_kernel` has found, by op."""


def as_view(*_arrays: Array, **_attrs: Any) -> Array:
    """Stands for an op that gives a view in the table of kernels; the dispatcher makes the view."""
    raise AssertionError("an op that gives a view has no kernel")


def find_kernel(op: OpDef) -> Callable[..., Any]:
    """The ufunc of the op's own name where its NumPy form is no more than that, with nothing in between; else that."""
    kernel: Callable[..., Any]
    if gives_view(op):
        kernel = as_view
    elif op is TO_DEVICE:
        kernel = op.eager
    else:
        ufunc = ufunc_of(op)
        alone = ufunc is not None and getattr(op.eager, "__wrapped__", ufunc) is ufunc
        kernel = ufunc if ufunc is not None and alone else _fresh(op, op.eager)
        if op.kernel_from.result is not None:
            kernel = from_size(op, op.kernel_from.result, kernel)
    KERNELS[op] = kernel
    return kernel


def _fresh(op: OpDef, eager: Callable[..., Array]) -> Callable[..., Array]:
    """`eager`, except that its result shares no memory with an operand."""

    def kernel(*arrays: Any, **attrs: Any) -> Array:
        for array in arrays:
            if type(array) is DeviceArray:
                return by_device(op, kernel, arrays, attrs)  # type: ignore[return-value]
        result = eager(*arrays, **attrs)
        lies_in_other = isinstance(result, _ndarray) and result.base is not None
        for array in arrays:
            if result is array or (
                lies_in_other and isinstance(array, _ndarray) and np.may_share_memory(result, array)
            ):
                return result.copy()
        return result

    return kernel
