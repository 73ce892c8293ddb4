"""The checks that functions of layers and losses make before they compute."""

from __future__ import annotations

from typing import Any

from ..core.dtypes import DType
from ..tensor.dispatch import not_a_tensor
from .errors import LayerDtypeError

Value = Any


def check_dtypes(name: str, first: Value, *others: Value | None) -> None:
    """Errors: LayerDtypeError unless all that are given have one dtype, of floats or complex numbers.

    And TypeError for what is no tensor.
    """
    dtype = getattr(first, "dtype", None)
    if type(dtype) is not DType:
        raise not_a_tensor(name, "input", 1, first)
    if not dtype.is_differentiable:
        raise LayerDtypeError(f"{name} takes tensors of floats, got {dtype}; convert it with .to()")
    for other in others:
        if other is not None and other.dtype is not dtype:
            raise LayerDtypeError(f"{name} takes tensors of one dtype, got {dtype} and {other.dtype}; use .to()")


def shape_text(value: Value) -> str:
    """The shape as a list, for error texts."""
    return str(list(value.shape))
