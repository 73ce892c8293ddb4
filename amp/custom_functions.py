"""Decorators with which the two halves of a custom function take part in autocast."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType
from ..tensor import Tensor
from .autocast_mode import autocast, get_autocast_dtype, is_autocast_available, is_autocast_enabled, unknown_device

Function = Callable[..., Any]


def custom_fwd(fwd: Function | None = None, *, device_type: str, cast_inputs: DType | None = None) -> Any:
    """A decorator for the `forward` of a custom function, which notes for `custom_bwd` whether autocast was on.

    cast_inputs: under autocast, the dtype that tensors of floats come in; autocast is off inside then.
    """
    _check(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)
    forward = fwd

    @functools.wraps(forward)
    def decorated(*args: Any, **keywords: Any) -> Any:
        context = args[0]
        context._dtype = get_autocast_dtype(device_type)
        on = is_autocast_enabled(device_type)
        context._fwd_used_autocast = on and cast_inputs is None
        if cast_inputs is None or not on:
            return forward(*args, **keywords)
        with autocast(device_type=device_type, enabled=False):
            return forward(*_cast(args, device_type, cast_inputs), **_cast(keywords, device_type, cast_inputs))

    return decorated


def custom_bwd(bwd: Function | None = None, *, device_type: str) -> Any:
    """A decorator for the `backward` of a custom function, which runs it under the autocast of its `forward`."""
    _check(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)
    backward = bwd

    @functools.wraps(backward)
    def decorated(*args: Any, **keywords: Any) -> Any:
        context = args[0]
        with autocast(device_type=device_type, enabled=context._fwd_used_autocast, dtype=context._dtype):
            return backward(*args, **keywords)

    return decorated


def _check(device_type: str) -> None:
    if not is_autocast_available(device_type):
        raise unknown_device(device_type)


def _cast(value: Any, device_type: str, dtype: DType) -> Any:
    """`value` with each tensor of floats on the device in `dtype`, within containers too."""
    if isinstance(value, Tensor):
        taken = value.dtype.is_float and value.dtype is not dtypes.float64
        return value.to(dtype) if taken and str(value.device).startswith(device_type) else value
    if isinstance(value, (str, bytes, np.ndarray)):
        return value
    if isinstance(value, Mapping):
        return {_cast(key, device_type, dtype): _cast(each, device_type, dtype) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(each, device_type, dtype) for each in value)
    return value
