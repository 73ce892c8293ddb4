"""Activations as modules."""

from __future__ import annotations

from ..tensor import Tensor
from . import functional
from .module import Module


class _Overwriting(Module):
    """Writes its result into the input, if it is told to."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        """Whether the input is overwritten."""
        return "inplace=True" if self.inplace else ""


class _AlongAxis(Module):
    """Works along the axis `dim`."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        """The axis."""
        return f"dim={self.dim}"


class ReLU(_Overwriting):
    """The larger of the input and 0."""

    def forward(self, input: Tensor) -> Tensor:
        """The larger of `input` and 0."""
        return functional.relu(input, inplace=self.inplace)


class GELU(Module):
    """The input times the normal distribution function of it."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """`input` times the normal distribution function of it."""
        return functional.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """Which approximation."""
        return f"approximate={self.approximate!r}"


class SiLU(_Overwriting):
    """The input times its sigmoid."""

    def forward(self, input: Tensor) -> Tensor:
        """``input * sigmoid(input)``."""
        return functional.silu(input, inplace=self.inplace)


class Sigmoid(Module):
    """``1 / (1 + exp(-x))``."""

    def forward(self, input: Tensor) -> Tensor:
        """``1 / (1 + exp(-input))``."""
        return functional.sigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Tensor) -> Tensor:
        """The hyperbolic tangent of `input`."""
        return functional.tanh(input)


class Softmax(_AlongAxis):
    """Positive numbers that sum to 1 along `dim`."""

    def forward(self, input: Tensor) -> Tensor:
        """``exp(input)`` over its sum along `dim`."""
        return functional.softmax(input, self.dim)


class LogSoftmax(_AlongAxis):
    """The logarithm of softmax along `dim`."""

    def forward(self, input: Tensor) -> Tensor:
        """``log(softmax(input))``, without overflow."""
        return functional.log_softmax(input, self.dim)
