"""Dropout as modules."""

from __future__ import annotations

from ...tensor import Tensor
from .. import functional
from ..module import Module


class _DropoutNd(Module):
    """Sets something to 0 at random with probability `p`, in training."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        """The probability, and whether the input is overwritten."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Sets elements to 0."""

    def forward(self, input: Tensor) -> Tensor:
        """`input`, of which some elements are 0 in training."""
        return functional.dropout(input, self.p, self.training, self.inplace)  # type: ignore[no-any-return]


class Dropout1d(_DropoutNd):
    """Sets channels of one axis to 0."""

    def forward(self, input: Tensor) -> Tensor:
        """`input`, of which some channels are 0 in training."""
        return functional.dropout1d(input, self.p, self.training, self.inplace)  # type: ignore[no-any-return]


class Dropout2d(_DropoutNd):
    """Sets channels of two axes to 0."""

    def forward(self, input: Tensor) -> Tensor:
        """`input`, of which some channels are 0 in training."""
        return functional.dropout2d(input, self.p, self.training, self.inplace)  # type: ignore[no-any-return]


class Dropout3d(_DropoutNd):
    """Sets channels of three axes to 0."""

    def forward(self, input: Tensor) -> Tensor:
        """`input`, of which some channels are 0 in training."""
        return functional.dropout3d(input, self.p, self.training, self.inplace)  # type: ignore[no-any-return]


class AlphaDropout(_DropoutNd):
    """Sets elements to what SELU saturates at, and keeps mean and variance. The input is never overwritten."""

    def forward(self, input: Tensor) -> Tensor:
        """`input`, of which some elements are saturated in training."""
        return functional.alpha_dropout(input, self.p, self.training)  # type: ignore[no-any-return]


class FeatureAlphaDropout(_DropoutNd):
    """Sets channels to what SELU saturates at, and keeps mean and variance. The input is never overwritten."""

    def forward(self, input: Tensor) -> Tensor:
        """`input`, of which some channels are saturated in training."""
        return functional.feature_alpha_dropout(input, self.p, self.training)  # type: ignore[no-any-return]
