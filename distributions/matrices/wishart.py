"""The distribution of covariance matrices of samples of normal vectors."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

from ...linalg import slogdet
from ...tensor.contraction import matmul
from ...tensor.creation import arange, full, zeros
from ...tensor.diagonals import diag_embed
from ...tensor.linear_algebra import cholesky_solve
from ...tensor.matrices import in_one_batch
from ...tensor.pointwise import where
from ...tensor.random import randn
from ...tensor.shapes import broadcast_shapes
from .. import constraints
from ..constraint import Constraint
from ..distribution import Distribution, ExponentialFamily
from ..divergence import register_kl
from ..gamma import Chi2
from ..multivariate import MultivariateNormal, half_log_determinant
from ..parameters import all_valid, is_tensor, smallest

Value = Any
Shape = tuple[int, ...]
_LOG_2 = math.log(2.0)


def _traces(matrix: Value) -> Value:
    return matrix.diagonal(0, -2, -1).sum(-1)


class Wishart(ExponentialFamily):
    """Sums of products ``x xᵀ`` of `df` normal vectors x, whose covariance is given in one of three ways.

    df: larger than n - 1, and no whole number has to be.
    covariance_matrix: itself. precision_matrix: its inverse. scale_tril: its lower Cholesky factor.
    Shapes: df [*], the matrix [*, n, n]; batches broadcast.
    Samples of a `df` below n may be singular but for rounding: their density is then infinite or no number.
    Errors: ValueError for too small a `df`, a matrix without two axes, and none or several of them.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
        "df": constraints.dependent,
    }
    one_of = ("covariance_matrix", "precision_matrix", "scale_tril")
    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        df: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        given = [each for each in (covariance_matrix, precision_matrix, scale_tril) if each is not None]
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        matrix = given[0]
        if matrix.ndim < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        batch, event = tuple(matrix.shape[:-2]), tuple(matrix.shape[-2:])
        if is_tensor(df):
            batch = tuple(broadcast_shapes(batch, tuple(df.shape)))
        else:
            df = full((), df, dtype=matrix.dtype, device=matrix.device)
        self.df = df.expand(batch)
        size = event[-1]
        if not all_valid(self.df > size - 1):
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {size - 1}.")
        if not all_valid(self.df >= size):
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        self._take(
            MultivariateNormal(
                zeros(*batch, size, dtype=matrix.dtype, device=matrix.device),
                covariance_matrix,
                precision_matrix,
                scale_tril,
                validate_args=False,
            )
        )
        super().__init__(batch, event, validate_args=validate_args)

    def _take(self, normal: MultivariateNormal) -> None:
        """Takes over the matrices of a normal distribution."""
        self._normal = normal
        self._covariance_matrix = normal._covariance_matrix
        self._precision_matrix = normal._precision_matrix
        self._scale_tril = normal._scale_tril

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Wishart, _instance)
        made.df = self.df.expand(tuple(batch_shape))
        made._take(self._normal.expand(tuple(batch_shape)))
        Distribution.__init__(made, tuple(batch_shape), self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    @property
    def scale_tril(self) -> Value:
        """The lower Cholesky factor of the covariance."""
        return self._normal.scale_tril

    @property
    def covariance_matrix(self) -> Value:
        """The covariance."""
        return self._normal.covariance_matrix

    @property
    def precision_matrix(self) -> Value:
        """The inverse of the covariance."""
        return self._normal.precision_matrix

    def _for_each(self, value: Value) -> Value:
        """Numbers of the batch, which broadcast with its matrices."""
        return value.unsqueeze(-1).unsqueeze(-1)

    @property
    def mean(self) -> Value:
        return self._for_each(self.df) * self.covariance_matrix

    @property
    def mode(self) -> Value:
        factor = self.df - self._event_shape[-1] - 1
        return self._for_each(where(factor > 0, factor, math.nan)) * self.covariance_matrix

    @property
    def variance(self) -> Value:
        matrix = self.covariance_matrix
        diagonal = matrix.diagonal(0, -2, -1)
        return self._for_each(self.df) * (matrix.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def rsample(self, sample_shape: Shape = ()) -> Value:
        """Matrices.   Source: Odell & Feiveson 1966 (Bartlett's decomposition)."""
        lower = self._normal._unbroadcasted_scale_tril
        size = self._event_shape[-1]
        freedom = self.df.unsqueeze(-1) - arange(size, dtype=lower.dtype, device=lower.device)
        lengths = Chi2(freedom, validate_args=False).rsample(sample_shape).sqrt().clamp(min=smallest(lower.dtype))
        rest = randn(self._extended_shape(sample_shape), dtype=lower.dtype, device=lower.device).tril(-1)
        factor = matmul(lower, rest + diag_embed(lengths))
        return matmul(factor, factor.mT)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        size = self._event_shape[-1]
        lower = self._normal._unbroadcasted_scale_tril
        right, triangle = in_one_batch(value, lower)
        return (
            -self.df * (size * _LOG_2 / 2 + half_log_determinant(lower))
            - (self.df / 2).mvlgamma(size)
            + (self.df - size - 1) / 2 * slogdet(value).logabsdet
            - _traces(cholesky_solve(right, triangle)) / 2
        )

    def _digammas(self) -> Value:
        """The derivative of the logarithm of the gamma function of several variables, at half of `df`."""
        steps = arange(self._event_shape[-1], dtype=self.df.dtype, device=self.df.device)
        return (self.df.unsqueeze(-1) / 2 - steps / 2).digamma().sum(-1)

    def entropy(self) -> Value:
        size = self._event_shape[-1]
        return (
            (size + 1) * (size * _LOG_2 / 2 + half_log_determinant(self._normal._unbroadcasted_scale_tril))
            + (self.df / 2).mvlgamma(size)
            - (self.df - size - 1) / 2 * self._digammas()
            + self.df * size / 2
        )

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, *natural_params: Value) -> Value:
        matrix, number = natural_params
        size = self._event_shape[-1]
        half = number + (size + 1) / 2
        return half * (size * _LOG_2 - slogdet(-2 * matrix).logabsdet) + half.mvlgamma(size)


@register_kl(Wishart, Wishart)
def wishart_wishart(p: Wishart, q: Wishart) -> Value:
    """Both of one size. Errors: ValueError for matrices of two sizes."""
    if p.event_shape != q.event_shape:
        raise ValueError("KL-divergence between two Wisharts with different event shapes cannot be computed")
    size = p.event_shape[-1]
    first, second = (2 * half_log_determinant(each._normal._unbroadcasted_scale_tril) for each in (p, q))
    right, triangle = in_one_batch(p.covariance_matrix, q._normal._unbroadcasted_scale_tril)
    along = _traces(cholesky_solve(right, triangle))
    return (
        q.df / 2 * (second - first)
        + (q.df / 2).mvlgamma(size)
        - (p.df / 2).mvlgamma(size)
        + p.df / 2 * (along - size)
        + (p.df - q.df) / 2 * p._digammas()
    )
