"""Distances and angles between vectors, and products of two of them, as modules."""

from __future__ import annotations

import math
from typing import Any

from ...core.dtypes import DType
from ...tensor import Tensor
from ...tensor.creation import empty
from ...tensor.parameter import Parameter
from .. import functional, init
from ..errors import LayerArgumentError
from ..module import Module


class CosineSimilarity(Module):
    """The cosine of the angle between two tensors along `dim`; norms count as `eps` at least."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """``cosine_similarity(x1, x2)``."""
        return functional.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm of ``x1 - x2 + eps`` along the last axis."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """``pairwise_distance(x1, x2)``."""
        return functional.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class Bilinear(Module):
    """``x1 @ weight @ x2 + bias``, for each of the outputs.

    Shapes: x1 [*, in1_features], x2 [*, in2_features], weight [out_features, in1_features, in2_features], bias
    [out_features] -> [*, out_features].
    Errors: ValueError for no features, RuntimeError for sizes that do not fit.
    """

    weight: Parameter
    bias: Parameter | None

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: DType | None = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise LayerArgumentError(f"in1_features must be > 0, but got {in1_features}")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(empty(out_features, in1_features, in2_features, dtype=dtype, device=device))
        if bias:
            self.bias = Parameter(empty(out_features, dtype=dtype, device=device))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Fills weight and bias anew, uniformly between plus and minus ``1 / sqrt(in1_features)``."""
        bound = 1 / math.sqrt(self.in1_features)
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """``bilinear(input1, input2, weight, bias)``."""
        return functional.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )
