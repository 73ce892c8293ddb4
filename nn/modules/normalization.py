"""Layers that bring their input to mean 0 and variance 1."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from ...core.dtypes import DType
from ...tensor import Tensor
from ...tensor.creation import empty
from ...tensor.parameter import Parameter
from .. import functional, init
from ..module import Module


class LayerNorm(Module):
    """Mean 0 and variance 1 over the last axes, then times weight, plus bias.

    Source: Ba, Kiros & Hinton 2016.
    """

    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, (int, Integral)):
            normalized_shape = (int(normalized_shape),)
        shape = tuple(normalized_shape)
        self.normalized_shape = shape
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        for name, wanted in (("weight", elementwise_affine), ("bias", elementwise_affine and bias)):
            param = Parameter(empty(shape, dtype=dtype, device=device)) if wanted else None
            self.register_parameter(name, param)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weights of one, biases of zero."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        """`input`, normalised."""
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The shape and the settings."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
