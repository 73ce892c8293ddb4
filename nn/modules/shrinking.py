"""Activations made of straight or exponential pieces as modules, and those with parameters or draws."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import DType
from ...tensor import Tensor
from ...tensor.creation import empty
from ...tensor.parameter import Parameter
from .. import functional, init
from ..errors import LayerArgumentError
from ..module import Module
from .activation import _AlongAxis, _Overwriting


def _with_inplace(text: str, inplace: bool) -> str:
    return f"{text}, inplace=True" if inplace else text


class Softsign(Module):
    """``x / (1 + abs(x))``."""

    def forward(self, input: Tensor) -> Tensor:
        """``input / (1 + abs(input))``."""
        return functional.softsign(input)


class Tanhshrink(Module):
    """``x - tanh(x)``."""

    def forward(self, input: Tensor) -> Tensor:
        """``input - tanh(input)``."""
        return functional.tanhshrink(input)


class SELU(_Overwriting):
    """ELU with the `alpha` and the scale that keep mean 0 and variance 1.

    Source: Klambauer, Unterthiner, Mayr & Hochreiter 2017.
    """

    def forward(self, input: Tensor) -> Tensor:
        """``selu(input)``."""
        return functional.selu(input, self.inplace)


class CELU(_Overwriting):
    """The input where it is positive, ``alpha * (exp(x / alpha) - 1)`` elsewhere.   Source: Barron 2017."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input: Tensor) -> Tensor:
        """``celu(input, alpha)``."""
        return functional.celu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return _with_inplace(f"alpha={self.alpha}", self.inplace)


class GLU(Module):
    """One half of the input along `dim` times the sigmoid of the other. Errors: RuntimeError for an odd size."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """``glu(input, dim)``."""
        return functional.glu(input, self.dim)

    def extra_repr(self) -> str:
        """The axis."""
        return f"dim={self.dim}"


class Threshold(_Overwriting):
    """The input where it is above the threshold, `value` elsewhere."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.threshold = threshold
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """``threshold(input, self.threshold, self.value)``."""
        return functional.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        """The settings."""
        return _with_inplace(f"threshold={self.threshold}, value={self.value}", self.inplace)


class Hardsigmoid(_Overwriting):
    """The straight line from 0 at -3 to 1 at 3, and those two beyond."""

    def forward(self, input: Tensor) -> Tensor:
        """``hardsigmoid(input)``."""
        return functional.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        """Nothing."""
        return ""


class Hardswish(_Overwriting):
    """The input times its `hardsigmoid`.   Source: Howard et al. 2019."""

    def forward(self, input: Tensor) -> Tensor:
        """``hardswish(input)``."""
        return functional.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        """Nothing."""
        return ""


class _Shrinking(Module):
    """Sets to 0 what lies between ``-lambd`` and ``lambd``."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        """The bound."""
        return str(self.lambd)


class Hardshrink(_Shrinking):
    """0 between ``-lambd`` and ``lambd``, the input beyond."""

    def forward(self, input: Tensor) -> Tensor:
        """``hardshrink(input, lambd)``."""
        return functional.hardshrink(input, self.lambd)


class Softshrink(_Shrinking):
    """0 between ``-lambd`` and ``lambd``, the distance from the nearer of them beyond."""

    def forward(self, input: Tensor) -> Tensor:
        """``softshrink(input, lambd)``. Errors: RuntimeError for a negative `lambd`."""
        return functional.softshrink(input, self.lambd)


class PReLU(Module):
    """The input where it is positive, a weight times it elsewhere, which is learned.

    Shapes: weight [num_parameters], one for each channel of [N, C, *], or one for all.
    Source: He et al. 2015.
    """

    weight: Parameter

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: DType | None = None
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(empty(num_parameters, dtype=dtype, device=device))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weights of `init`."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """``prelu(input, weight)``."""
        return functional.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of weights."""
        return f"num_parameters={self.num_parameters}"


class RReLU(_Overwriting):
    """The input where it is positive, a share of it elsewhere: drawn in training, else the mean of the bounds.

    Source: Xu, Wang, Chen & Li 2015.
    """

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.lower = lower
        self.upper = upper

    def forward(self, input: Tensor) -> Tensor:
        """``rrelu(input, lower, upper)``."""
        return functional.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The bounds."""
        return _with_inplace(f"lower={self.lower}, upper={self.upper}", self.inplace)


class Softmin(_AlongAxis):
    """Softmax of the negative input along `dim`."""

    def forward(self, input: Tensor) -> Tensor:
        """``softmin(input, dim)``."""
        return functional.softmin(input, self.dim)


class Softmax2d(Module):
    """Softmax over the channels of images.

    Shapes: [N, C, H, W] or [C, H, W].   Errors: ValueError for another number of axes.
    """

    def forward(self, input: Tensor) -> Tensor:
        """``softmax(input, -3)``."""
        if input.ndim not in (3, 4):
            raise LayerArgumentError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return functional.softmax(input, -3)
