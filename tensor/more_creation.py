"""More ways to make tensors: like a given one, in steps of powers, and over memory that exists."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..core.strided import strided
from .arithmetic import pow
from .creation import arange, as_tensor, full, linspace, tensor, zeros
from .dispatch import is_tensor_like
from .pointwise import where
from .promotion import get_default_dtype, to_dtype
from .shapes import given_sizes, sizes
from .shaping import unsqueeze
from .surface import method, surface
from .tensor import Tensor

Value = Any


@method("new_tensor")
def new_tensor(self: Value, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Value:
    """A leaf with a copy of `data`, in the dtype of `self` unless told otherwise."""
    place = self.device if device is None else device
    return tensor(data, dtype=dtype or self.dtype, device=place, requires_grad=requires_grad)


@method("new_full")
def new_full(
    self: Value, size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Value:
    """A tensor of shape `size` filled with a number, in the dtype of `self` unless told otherwise."""
    of_each_call = getattr(type(self), "__guardlift_filled__", None)
    if of_each_call is not None:
        made = of_each_call(self, sizes((size,)), fill_value, dtype, device, requires_grad)
        if made is not None:
            return made
    place = self.device if device is None else device
    return full(size, fill_value, dtype=dtype or self.dtype, device=place, requires_grad=requires_grad)


def _new(name: str, value: int, gives: str) -> Any:
    def function(
        self: Value,
        *sizes_: Any,
        size: Any = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Value:
        return new_full(
            self, given_sizes(name, sizes_, size), value, dtype=dtype, device=device, requires_grad=requires_grad
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{gives}, in the dtype of `self` unless told otherwise."
    return method(name)(function)


new_zeros = _new("new_zeros", 0, "A tensor of zeros")
new_ones = _new("new_ones", 1, "A tensor of ones")
new_empty = _new("new_empty", 0, "A tensor whose elements happen to be zeros")


@surface
def logspace(
    start: float,
    end: float,
    steps: int,
    base: float = 10.0,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Value:
    """`steps` numbers from ``base ** start`` to ``base ** end``, whose logarithms are at equal distances."""
    powers = pow(base, linspace(start, end, steps, dtype=dtypes.float64, device=device))
    result = to_dtype(powers, dtype or get_default_dtype())
    return result.requires_grad_() if requires_grad else result


@surface
def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Value:
    """A tensor without axes, in the default dtype unless told otherwise."""
    return full((), s, dtype=dtype or get_default_dtype(), device=device, requires_grad=requires_grad)


@surface
def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Value:
    """`obj` as a tensor, over the same memory where that can be and `copy` does not ask for another."""
    found = as_tensor(obj, dtype=dtype, device=device)
    found = found.clone() if copy else found
    return found.requires_grad_() if requires_grad else found


@surface
def frombuffer(buffer: Any, *, dtype: DType, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """A vector over the memory of an object with the buffer protocol. Errors: ValueError where it does not fit."""
    result = Tensor._wrap(np.frombuffer(buffer, dtype.numpy, count, offset))
    return result.requires_grad_() if requires_grad else result


@surface
def empty_strided(
    size: Any, stride: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Value:
    """A tensor of that shape whose neighbours lie that many elements apart; its elements happen to be zeros."""
    shape, steps = sizes((size,)), sizes((stride,))
    if len(shape) != len(steps):
        raise RuntimeError(
            f"dimensionality of sizes ({len(shape)}) must match dimensionality of strides ({len(steps)})"
        )
    extent = 1 + sum((each - 1) * step for each, step in zip(shape, steps)) if 0 not in shape else 0
    memory = zeros(extent, dtype=dtype, device=device)
    view = strided(memory._array, shape, tuple(step * memory._array.itemsize for step in steps))
    result = Tensor._wrap(view)
    result._storage = memory._storage
    return result.requires_grad_() if requires_grad else result


@method("new_empty_strided")
def new_empty_strided(
    self: Value, size: Any, stride: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Value:
    """`empty_strided`, in the dtype of `self` unless told otherwise."""
    place = self.device if device is None else device
    return empty_strided(size, stride, dtype=dtype or self.dtype, device=place, requires_grad=requires_grad)


@surface
def fill(input: Value, value: Any) -> Value:
    """A tensor like `input`, filled with a number or a tensor without axes; of a tensor, it has its gradient."""
    if is_tensor_like(value) and value.ndim:
        raise RuntimeError(f"fill only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions.")
    filled = value if is_tensor_like(value) else full((), value, dtype=input.dtype, device=input.device)
    return where(full((), True, device=input.device), to_dtype(filled, input.dtype), input)


@surface
def vander(x: Value, N: int | None = None, increasing: bool = False) -> Value:  # noqa: N803  (PyTorch's name)
    """A row of powers for each element of a vector, from the highest down unless `increasing`."""
    count = x.shape[0] if N is None else N
    ramp = (0, count, 1) if increasing else (count - 1, -1, -1)
    powers = arange(*ramp, device=x.device)
    return pow(unsqueeze(x, 1), powers)


def detach(input: Tensor) -> Tensor:
    """``input.detach()``."""
    return input.detach()


def is_tensor(obj: Any) -> bool:
    """Whether `obj` is a Tensor."""
    return isinstance(obj, Tensor)
