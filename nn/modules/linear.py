"""Linear layers, and those that only change the shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any

from ...core.dtypes import DType
from ...core.names.import_paths import names_of
from ...tensor import Tensor
from ...tensor.creation import empty
from ...tensor.parameter import Parameter
from ...tensor.shaping import flatten, unflatten
from .. import functional, init
from ..errors import UnflattenSizeError
from ..module import Module


class Identity(Module):
    """Gives its input; whatever arguments it is made with mean nothing."""

    def __init__(self, *_args: Any, **_kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """`input` itself."""
        return input


class Linear(Module):
    """``x @ weight.T + bias``.

    Shapes: weight [out_features, in_features], bias [out_features]; x [*, in_features] -> [*, out_features].
    """

    in_features: int
    out_features: int
    weight: Parameter
    bias: Parameter | None

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: DType | None = None
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(empty(out_features, in_features, dtype=dtype, device=device))
        if bias:
            self.bias = Parameter(empty(out_features, dtype=dtype, device=device))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fills weight and bias anew, uniformly between plus and minus ``1 / sqrt(in_features)``."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0.0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """``input @ weight.T + bias``."""
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Flatten(Module):
    """Merges the axes from `start_dim` to `end_dim` into one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:
        """`input` with those axes merged."""
        return flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """The axes."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Makes several axes of one.

    unflattened_size: their sizes, one of which may be -1.   Errors: TypeError for what is no list or tuple of ints.
    """

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise UnflattenSizeError(
                f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}"
            )
        for place, each in enumerate(unflattened_size):
            if not isinstance(each, Integral):
                raise UnflattenSizeError(
                    "unflattened_size must be tuple of ints, but found element of type "
                    f"{type(each).__name__} at pos {place}"
                )
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        """`input` with the axis `dim` split."""
        return unflatten(input, self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """The axis and the sizes."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


__getattr__ = names_of("nn", __name__)
