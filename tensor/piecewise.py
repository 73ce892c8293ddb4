"""Activations of straight pieces that are methods of tensors too."""

from __future__ import annotations

from typing import Any

from ..ops.piecewise import HARDSHRINK, PRELU
from .dispatch import apply, check_tensors
from .promotion import refuse
from .shaping import reshape_to
from .surface import method

Value = Any


@method("hardshrink")
def hardshrink(self: Value, lambd: float = 0.5) -> Value:
    """0 between ``-lambd`` and ``lambd``, `input` beyond. Errors: NotImplementedError for what is not of floats."""
    refuse("hardshrink", "biu", self)
    return apply(HARDSHRINK, self, bound=float(lambd))


@method("prelu")
def prelu(self: Value, weight: Value) -> Value:
    """`input` where it is positive, `weight` times it elsewhere.

    Shapes: input [N, C, *] (or any, for one weight); weight [C], [1] or [].
    Errors: RuntimeError for another number of weights, or another dtype.
        Source: He et al. 2015, Delving deep into rectifiers.
    """
    check_tensors("prelu", input=self, weight=weight)
    if self.dtype is not weight.dtype:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {self.dtype} and {weight.dtype}; use .to()")
    refuse("prelu", "biu", self)
    if weight.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    if weight.ndim and weight.shape[0] != 1:
        channels = self.shape[1] if self.ndim > 1 else 1
        if not self.ndim or weight.shape[0] != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{weight.shape[0]} and channel size = {channels}."
            )
        weight = reshape_to(weight, (1, channels, *(1 for _ in self.shape[2:])))
    elif weight.ndim:
        weight = reshape_to(weight, ())
    return apply(PRELU, self, weight)
