"""Activations as modules."""

from __future__ import annotations

from ...core.names.import_paths import names_of
from ...tensor import Tensor
from .. import functional
from ..module import Module


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
        """The approximation."""
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


class LeakyReLU(_Overwriting):
    """The input where it is positive, and a share of it elsewhere."""

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input: Tensor) -> Tensor:
        """`input` where it is positive, and a share of it elsewhere."""
        return functional.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        """The share."""
        return f"negative_slope={self.negative_slope}" + (", inplace=True" if self.inplace else "")


class ELU(_Overwriting):
    """The input where it is positive, ``alpha * (exp(x) - 1)`` elsewhere."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input: Tensor) -> Tensor:
        """`input` where it is positive, ``alpha * (exp(input) - 1)`` elsewhere."""
        return functional.elu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        """The factor."""
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class Softplus(Module):
    """``log(1 + exp(beta * x)) / beta``."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        """``log(1 + exp(beta * input)) / beta``."""
        return functional.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """The settings."""
        return f"beta={self.beta}, threshold={self.threshold}"


class Hardtanh(_Overwriting):
    """The input between two bounds."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.min_val = min_val
        self.max_val = max_val

    def forward(self, input: Tensor) -> Tensor:
        """`input` between the bounds."""
        return functional.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """The bounds."""
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


class ReLU6(Hardtanh):
    """The input between 0 and 6."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        """Whether the input is overwritten."""
        return "inplace=True" if self.inplace else ""


class LogSigmoid(Module):
    """The logarithm of the sigmoid."""

    def forward(self, input: Tensor) -> Tensor:
        """The logarithm of the sigmoid of `input`."""
        return functional.logsigmoid(input)


class Mish(_Overwriting):
    """``x * tanh(log(1 + exp(x)))``."""

    def forward(self, input: Tensor) -> Tensor:
        """``input * tanh(log(1 + exp(input)))``."""
        return functional.mish(input, self.inplace)


__getattr__ = names_of("nn", __name__)
