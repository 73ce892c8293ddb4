"""The normal distribution of vectors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..linalg import cholesky, solve_triangular
from ..tensor.contraction import matmul
from ..tensor.creation import eye
from ..tensor.linear_algebra import cholesky_inverse
from ..tensor.matrices import turned
from ..tensor.random import randn
from ..tensor.rearranging import flip
from ..tensor.shapes import broadcast_shapes
from ..tensor.surface import surface
from . import constraints
from .constraint import Constraint
from .distribution import Distribution

Value = Any
Shape = tuple[int, ...]


@surface
def squared_distance(scale_tril: Value, difference: Value) -> Value:
    """The squared lengths of ``scale_tril⁻¹ @ difference``, of vectors along the last axis. Batches broadcast."""
    size = difference.shape[-1]
    if scale_tril.ndim == 2:
        columns = turned(difference.reshape(-1, size))
        solved = solve_triangular(scale_tril, columns, upper=False)
        return solved.pow(2).sum(0).reshape(tuple(difference.shape[:-1]))
    solved = solve_triangular(scale_tril, difference.unsqueeze(-1), upper=False).squeeze(-1)
    return solved.pow(2).sum(-1)


@surface
def half_log_determinant(scale_tril: Value) -> Value:
    """The logarithm of the determinant of a triangle, half of that of the covariance."""
    return scale_tril.diagonal(0, -2, -1).log().sum(-1)


@surface
def common_batch(matrix: Value, vector: Value) -> tuple[int, ...]:
    """The batch of matrices and vectors that broadcast."""
    return tuple(broadcast_shapes(matrix.shape[:-2], vector.shape[:-1]))


def _triangle_of_precision(precision: Value) -> Value:
    """The lower Cholesky factor of the inverse: the factor of the matrix turned around, turned back and inverted."""
    inverse = flip(cholesky(flip(precision, (-2, -1))), (-2, -1)).mT
    unit = eye(precision.shape[-1], dtype=precision.dtype, device=precision.device)
    return solve_triangular(inverse, unit, upper=False)


class MultivariateNormal(Distribution):
    """The normal distribution of vectors of mean `loc`, and a covariance matrix that is given in one of three ways.

    covariance_matrix: itself. precision_matrix: its inverse. scale_tril: its lower Cholesky factor.
    Shapes: loc [*, n], the matrix [*, n, n]; batches broadcast.
    Errors: ValueError for a `loc` without axes, or none or several of the matrices.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    one_of = ("covariance_matrix", "precision_matrix", "scale_tril")
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.ndim < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = [each for each in (covariance_matrix, precision_matrix, scale_tril) if each is not None]
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        matrix = given[0]
        if matrix.ndim < 2:
            raise ValueError(
                "the matrix of a MultivariateNormal must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        batch = common_batch(matrix, loc)
        size = tuple(loc.shape[-1:])
        self.loc = loc.expand(batch + size)
        self._covariance_matrix, self._precision_matrix, self._scale_tril = None, None, None
        whole = matrix.expand(batch + size + size)
        if covariance_matrix is not None:
            self._covariance_matrix = whole
        elif precision_matrix is not None:
            self._precision_matrix = whole
        else:
            self._scale_tril = whole
        super().__init__(batch, size, validate_args=validate_args)
        if covariance_matrix is not None:
            self._unbroadcasted_scale_tril = cholesky(matrix)
        elif precision_matrix is not None:
            self._unbroadcasted_scale_tril = _triangle_of_precision(matrix)
        else:
            self._unbroadcasted_scale_tril = matrix

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(MultivariateNormal, _instance)
        vector = tuple(batch_shape) + self._event_shape
        made.loc = self.loc.expand(vector)
        made._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        for name in ("_covariance_matrix", "_precision_matrix", "_scale_tril"):
            value = getattr(self, name)
            setattr(made, name, None if value is None else value.expand(vector + self._event_shape))
        Distribution.__init__(made, tuple(batch_shape), self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    def _whole(self, matrix: Value) -> Value:
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def scale_tril(self) -> Value:
        """The lower Cholesky factor of the covariance."""
        if self._scale_tril is None:
            self._scale_tril = self._whole(self._unbroadcasted_scale_tril)
        return self._scale_tril

    @property
    def covariance_matrix(self) -> Value:
        """The covariance."""
        if self._covariance_matrix is None:
            lower = self._unbroadcasted_scale_tril
            self._covariance_matrix = self._whole(matmul(lower, lower.mT))
        return self._covariance_matrix

    @property
    def precision_matrix(self) -> Value:
        """The inverse of the covariance."""
        if self._precision_matrix is None:
            self._precision_matrix = self._whole(cholesky_inverse(self._unbroadcasted_scale_tril))
        return self._precision_matrix

    @property
    def mean(self) -> Value:
        return self.loc

    @property
    def mode(self) -> Value:
        return self.loc

    @property
    def variance(self) -> Value:
        found = self._unbroadcasted_scale_tril.pow(2).sum(-1)
        shape = self._batch_shape + self._event_shape
        return found if tuple(found.shape) == shape else found.expand(shape).clone()

    def rsample(self, sample_shape: Shape = ()) -> Value:
        drawn = randn(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + matmul(self._unbroadcasted_scale_tril, drawn.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        distance = squared_distance(self._unbroadcasted_scale_tril, value - self.loc)
        size = self._event_shape[0]
        return -0.5 * (size * math.log(2 * math.pi) + distance) - half_log_determinant(self._unbroadcasted_scale_tril)

    def entropy(self) -> Value:
        size = self._event_shape[0]
        found = 0.5 * size * (1.0 + math.log(2 * math.pi)) + half_log_determinant(self._unbroadcasted_scale_tril)
        return found if tuple(found.shape) == self._batch_shape else found.expand(self._batch_shape).clone()


__all__ = ["MultivariateNormal", "common_batch", "half_log_determinant", "squared_distance"]
