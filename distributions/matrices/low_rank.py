"""The normal distribution of vectors whose covariance is a diagonal plus a matrix of low rank."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ...linalg import cholesky
from ...tensor.contraction import matmul
from ...tensor.creation import eye
from ...tensor.diagonals import diag_embed
from ...tensor.linear_algebra import cholesky_inverse
from ...tensor.random import randn
from ...tensor.shapes import broadcast_shapes
from ...tensor.surface import surface
from .. import constraints
from ..constraint import Constraint
from ..distribution import Distribution
from ..multivariate import squared_distance

Value = Any
Shape = tuple[int, ...]


@surface
def _form_of(loc: Value, factor: Value, diagonal: Value) -> Shape:
    """The shape of the vectors of a batch. Errors: ValueError for parameters that do not fit."""
    if loc.ndim < 1:
        raise ValueError("loc must be at least one-dimensional.")
    if factor.ndim < 2:
        raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
    if factor.shape[-2] != loc.shape[-1]:
        raise ValueError(f"cov_factor must be a batch of matrices with shape {loc.shape[-1]} x m")
    if diagonal.shape[-1:] != loc.shape[-1:]:
        raise ValueError(f"cov_diag must be a batch of vectors with shape {tuple(loc.shape[-1:])}")
    try:
        return tuple(broadcast_shapes(loc.shape, factor.shape[:-1], diagonal.shape))
    except RuntimeError as error:
        raise ValueError(
            f"Incompatible batch shapes: loc {tuple(loc.shape)}, cov_factor {tuple(factor.shape)}, cov_diag "
            f"{tuple(diagonal.shape)}"
        ) from error


class LowRankMultivariateNormal(Distribution):
    """Normal vectors of mean `loc` and covariance ``cov_factor @ cov_factor.mT + diag(cov_diag)``.

    Shapes: loc and cov_diag [*, n], cov_factor [*, n, r]; batches broadcast. Nothing but moments is n times n.
    Errors: ValueError for shapes that do not fit.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: bool | None = None) -> None:
        form = _form_of(loc, cov_factor, cov_diag)
        self.loc, self.cov_diag = loc.expand(form), cov_diag.expand(form)
        self.cov_factor = cov_factor.expand((*form, cov_factor.shape[-1]))
        self._factor, self._diagonal = cov_factor, cov_diag
        size = eye(cov_factor.shape[-1], dtype=loc.dtype, device=loc.device)
        self._capacitance_tril = cholesky(matmul(cov_factor.mT / cov_diag.unsqueeze(-2), cov_factor) + size)
        super().__init__(form[:-1], form[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(LowRankMultivariateNormal, _instance)
        form = tuple(batch_shape) + self._event_shape
        made.loc, made.cov_diag = self.loc.expand(form), self.cov_diag.expand(form)
        made.cov_factor = self.cov_factor.expand(form + tuple(self.cov_factor.shape[-1:]))
        made._factor, made._diagonal = self._factor, self._diagonal
        made._capacitance_tril = self._capacitance_tril
        Distribution.__init__(made, tuple(batch_shape), self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    @property
    def mean(self) -> Value:
        return self.loc

    @property
    def mode(self) -> Value:
        return self.loc

    @property
    def variance(self) -> Value:
        return (self._factor.pow(2).sum(-1) + self._diagonal).expand(self._batch_shape + self._event_shape)

    def _whole(self, matrix: Value) -> Value:
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def covariance_matrix(self) -> Value:
        """The covariance."""
        return self._whole(matmul(self._factor, self._factor.mT) + diag_embed(self._diagonal))

    @property
    def scale_tril(self) -> Value:
        """The lower Cholesky factor of the covariance."""
        root = self._diagonal.sqrt().unsqueeze(-1)
        scaled = self._factor / root
        size = eye(self._event_shape[0], dtype=self.loc.dtype, device=self.loc.device)
        return self._whole(root * cholesky(matmul(scaled, scaled.mT) + size))

    @property
    def precision_matrix(self) -> Value:
        """The inverse of the covariance."""
        small = cholesky_inverse(self._capacitance_tril)
        scaled = self._factor / self._diagonal.unsqueeze(-1)
        return self._whole(diag_embed(self._diagonal.reciprocal()) - matmul(matmul(scaled, small), scaled.mT))

    def rsample(self, sample_shape: Shape = ()) -> Value:
        shape = self._extended_shape(sample_shape)
        given = {"dtype": self.loc.dtype, "device": self.loc.device}
        of_factor = randn(shape[:-1] + tuple(self.cov_factor.shape[-1:]), **given)
        of_diagonal = randn(shape, **given)
        moved = matmul(self._factor, of_factor.unsqueeze(-1)).squeeze(-1)
        return self.loc + moved + self._diagonal.sqrt() * of_diagonal

    def log_determinant(self) -> Value:
        """The logarithm of the determinant of the covariance."""
        small = self._capacitance_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return 2 * small + self._diagonal.log().sum(-1)

    def distance_to(self, difference: Value) -> Value:
        """The squared lengths of differences to the mean, in standard deviations."""
        inner = matmul(self._factor.mT / self._diagonal.unsqueeze(-2), difference.unsqueeze(-1)).squeeze(-1)
        return (difference.pow(2) / self._diagonal).sum(-1) - squared_distance(self._capacitance_tril, inner)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        distance = self.distance_to(value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self.log_determinant() + distance)

    def entropy(self) -> Value:
        found = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self.log_determinant())
        return found if tuple(found.shape) == self._batch_shape else found.expand(self._batch_shape)


__all__ = ["LowRankMultivariateNormal"]
