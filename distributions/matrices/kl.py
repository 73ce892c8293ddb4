"""Divergences between normal distributions of vectors of which one or both have a covariance of low rank."""

from __future__ import annotations

from typing import Any

from ...linalg import solve_triangular
from ...tensor.contraction import matmul
from ...tensor.diagonals import diag_embed
from ...tensor.matrices import in_one_batch
from ..divergence import register_kl
from ..multivariate import MultivariateNormal, half_log_determinant, squared_distance
from .low_rank import LowRankMultivariateNormal

Value = Any


def _check(p: Any, q: Any) -> None:
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two (Low Rank) Multivariate Normals with different event shapes cannot be computed"
        )


def _squares(x: Value) -> Value:
    return x.pow(2).sum((-2, -1))


def _solved(triangle: Value, right: Value) -> Value:
    return solve_triangular(*in_one_batch(triangle, right), upper=False)


def _reach(q: LowRankMultivariateNormal) -> Value:
    """A matrix: minus its square is the inverse of the covariance of `q` without its diagonal."""
    return _solved(q._capacitance_tril, q._factor.mT / q._diagonal.unsqueeze(-2))


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def low_rank_low_rank(p: LowRankMultivariateNormal, q: LowRankMultivariateNormal) -> Value:
    """Both of low rank. Errors: ValueError for vectors of two sizes."""
    _check(p, q)
    reach = _reach(q)
    trace = (p._diagonal / q._diagonal).sum(-1) + _squares(p._factor * q._diagonal.rsqrt().unsqueeze(-1))
    trace = trace - _squares(reach * p._diagonal.sqrt().unsqueeze(-2)) - _squares(matmul(reach, p._factor))
    sizes = q.log_determinant() - p.log_determinant()
    return 0.5 * (sizes + trace + q.distance_to(q.loc - p.loc) - p.event_shape[0])


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def normal_low_rank(p: MultivariateNormal, q: LowRankMultivariateNormal) -> Value:
    """The second of low rank. Errors: ValueError for vectors of two sizes."""
    _check(p, q)
    lower = p._unbroadcasted_scale_tril
    trace = _squares(lower * q._diagonal.rsqrt().unsqueeze(-1)) - _squares(matmul(_reach(q), lower))
    sizes = q.log_determinant() - 2 * half_log_determinant(lower)
    return 0.5 * (sizes + trace + q.distance_to(q.loc - p.loc) - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def low_rank_normal(p: LowRankMultivariateNormal, q: MultivariateNormal) -> Value:
    """The first of low rank. Errors: ValueError for vectors of two sizes."""
    _check(p, q)
    lower = q._unbroadcasted_scale_tril
    trace = _squares(_solved(lower, p._factor)) + _squares(_solved(lower, diag_embed(p._diagonal.sqrt())))
    sizes = 2 * half_log_determinant(lower) - p.log_determinant()
    return 0.5 * (sizes + trace + squared_distance(lower, q.loc - p.loc) - p.event_shape[0])
