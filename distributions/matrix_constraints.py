"""The constraints of matrices; `constraints` has their names."""

from __future__ import annotations

from typing import Any

from ..linalg import cholesky_ex, eigvalsh
from ..tensor.creation import zeros_like
from .constraint import Constraint

Value = Any


class LowerTriangular(Constraint):
    """Matrices with zeros above the diagonal."""

    event_dim = 2

    def check(self, value: Value) -> Value:
        return _everywhere(value.tril() == value)


class LowerCholesky(Constraint):
    """Matrices with zeros above the diagonal and positive numbers on it."""

    event_dim = 2

    def check(self, value: Value) -> Value:
        return _everywhere(value.tril() == value) & (value.diagonal(0, -2, -1) > 0).all(-1)


class CorrCholesky(Constraint):
    """Lower Cholesky factors whose rows have length 1."""

    event_dim = 2

    def check(self, value: Value) -> Value:
        tolerance = 1e-5 * value.shape[-1]
        unit = (((value * value).sum(-1)) ** 0.5 - 1).abs() < tolerance
        return LowerCholesky().check(value) & unit.all(-1)


class Square(Constraint):
    """Matrices with as many rows as columns."""

    event_dim = 2

    def check(self, value: Value) -> Value:
        return zeros_like(value[..., 0, 0]) == (0 if value.shape[-2] == value.shape[-1] else 1)


class Symmetric(Constraint):
    """Square matrices that are their own transposes, within 1e-6."""

    event_dim = 2

    def check(self, value: Value) -> Value:
        if value.shape[-2] != value.shape[-1]:
            return Square().check(value)
        distance = (value - value.mT).abs()
        return _everywhere(distance <= 1e-6 + 1e-5 * value.mT.abs())


class PositiveSemidefinite(Constraint):
    """Symmetric matrices without a negative eigenvalue."""

    event_dim = 2

    def check(self, value: Value) -> Value:
        return Symmetric().check(value) & (eigvalsh(value.detach()) >= 0).all(-1)


class PositiveDefinite(Constraint):
    """Symmetric matrices with positive eigenvalues alone: those that have a Cholesky factor."""

    event_dim = 2

    def check(self, value: Value) -> Value:
        return Symmetric().check(value) & (cholesky_ex(value.detach()).info == 0)


def _everywhere(condition: Value) -> Value:
    """Whether a condition holds in all of a matrix."""
    return condition.all(-1).all(-1)
