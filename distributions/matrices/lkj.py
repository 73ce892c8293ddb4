"""The distribution of correlation matrices, as their Cholesky factors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ...autograd import no_grad
from ...tensor.creation import arange
from ...tensor.diagonals import diag_embed
from ...tensor.pointwise import where
from ...tensor.random import randn
from .. import constraints
from ..constraint import Constraint
from ..distribution import Distribution
from ..gamma import Beta
from ..parameters import broadcast_all, smallest

Value = Any
Shape = tuple[int, ...]


class LKJCholesky(Distribution):
    """Lower Cholesky factors of correlation matrices, whose density is their determinant to ``concentration - 1``.

    dim: the number of rows.   concentration: 1 for evenly distributed matrices, more for such as are near the identity.
    Errors: ValueError for a `dim` below 2.
        Source: Lewandowski, Kurowicka & Joe 2009.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        super().__init__(tuple(self.concentration.shape), (dim, dim), validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(LKJCholesky, _instance)
        made.dim = self.dim
        made.concentration = self.concentration.expand(tuple(batch_shape))
        Distribution.__init__(made, tuple(batch_shape), self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    def _steps(self, count: int) -> Value:
        return arange(count, dtype=self.concentration.dtype, device=self.concentration.device)

    def sample(self, sample_shape: Shape = ()) -> Value:
        """Factors, row by row: a direction, and how much of the length of 1 goes there ("onion method").

        Correlations are spread as `log_prob` says; from the third row on, those of PyTorch 2.13 are further from 0.
        """
        with no_grad():
            rows = self._steps(self.dim)
            offset = (rows - 1).clamp(min=0.0)
            left = (self.concentration + 0.5 * (self.dim - 2)).unsqueeze(-1) - 0.5 * offset
            share = Beta(0.5 * offset + 0.5, left, validate_args=False).sample(sample_shape).unsqueeze(-1)
            drawn = randn(self._extended_shape(sample_shape), dtype=rows.dtype, device=rows.device).tril(-1)
            length = drawn.norm(dim=-1, keepdim=True)
            # The first row has no direction.
            factor = share.sqrt() * (drawn / where(length > 0, length, 1.0))
            rest = (1 - factor.pow(2).sum(-1)).clamp(min=smallest(rows.dtype)).sqrt()
            return factor + diag_embed(rest)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        less = self.dim - 1
        power = 2 * (self.concentration - 1).unsqueeze(-1) + (less - 1 - self._steps(less))
        density = (power * value.diagonal(0, -2, -1)[..., 1:].log()).sum(-1)
        alpha = self.concentration + 0.5 * less
        normalizer = 0.5 * less * math.log(math.pi) + (alpha - 0.5).mvlgamma(less) - alpha.lgamma() * less
        return density - normalizer
