"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..nn.functional import binary_cross_entropy_with_logits
from ..tensor.creation import ones_like, zeros_like
from ..tensor.pointwise import expm1, log1p, logical_or, where
from . import constraints
from .binary import OfProbability
from .constraint import Constraint
from .continuous import uniform_like
from .distribution import ExponentialFamily, expanded
from .parameters import all_valid, broadcast_all, clamp_probs, logits_to_probs

Value = Any
Shape = tuple[int, ...]


class ContinuousBernoulli(OfProbability, ExponentialFamily):
    """Numbers of the unit interval, of a density that falls or rises as ``probs**x * (1 - probs)**(1 - x)`` does.

    lims: between these probabilities, around a half, what divides by 0 there is computed by its series.
    Source: Loaiza-Ganem & Cunningham 2019, The continuous Bernoulli.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    one_of = ("probs", "logits")
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Any = None,
        logits: Any = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        self._take(probs, logits)
        if probs is not None:
            if validate_args is not None and not all_valid(constraints.unit_interval.check(self._probs)):
                raise ValueError("The parameter probs has invalid values")
            self._probs = clamp_probs(self._probs)
        self._lims = lims
        super().__init__(self.param_shape, validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(ContinuousBernoulli, _instance)
        made._lims = self._lims
        return expanded(self, made, batch_shape, "_probs", "_logits")

    @property
    def probs(self) -> Value:
        """The probabilities, not quite 0 or 1."""
        if self._probs is None:
            self._probs = clamp_probs(logits_to_probs(self._logits, is_binary=True))
        return self._probs

    def _regions(self) -> tuple[Value, Value]:
        """Whether a probability is far from a half, and the probabilities, of which the others are held away."""
        far = logical_or(self.probs <= self._lims[0], self.probs > self._lims[1])
        return far, where(far, self.probs, self._lims[0])

    def _log_norm(self) -> Value:
        far, cut = self._regions()
        low, high = where(cut <= 0.5, cut, 0.0), where(cut >= 0.5, cut, 1.0)
        found = (log1p(-cut) - cut.log()).abs().log()
        found = found - where(cut <= 0.5, log1p(-2.0 * low), (2.0 * high - 1.0).log())
        x = (self.probs - 0.5).pow(2)
        return where(far, found, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self) -> Value:
        far, cut = self._regions()
        found = cut / (2.0 * cut - 1.0) + 1.0 / (log1p(-cut) - cut.log())
        x = self.probs - 0.5
        return where(far, found, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x.pow(2)) * x)

    @property
    def variance(self) -> Value:
        far, cut = self._regions()
        found = cut * (cut - 1.0) / (1.0 - 2.0 * cut).pow(2) + 1.0 / (log1p(-cut) - cut.log()).pow(2)
        x = (self.probs - 0.5).pow(2)
        return where(far, found, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    @property
    def stddev(self) -> Value:
        return self.variance.sqrt()

    def rsample(self, sample_shape: Shape = ()) -> Value:
        return self.icdf(uniform_like(self.probs, self._extended_shape(sample_shape)))

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none") + self._log_norm()

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        far, cut = self._regions()
        found = (cut**value * (1.0 - cut) ** (1.0 - value) + cut - 1.0) / (2.0 * cut - 1.0)
        found = where(far, found, value)
        return where(value <= 0.0, zeros_like(value), where(value >= 1.0, ones_like(value), found))

    def icdf(self, value: Value) -> Value:
        far, cut = self._regions()
        found = (log1p(-cut + value * (2.0 * cut - 1.0)) - log1p(-cut)) / (cut.log() - log1p(-cut))
        return where(far, found, value)

    def entropy(self) -> Value:
        none, one = log1p(-self.probs), self.probs.log()
        return self.mean * (none - one) - self._log_norm() - none

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return (self.logits,)

    def _log_normalizer(self, *natural_params: Value) -> Value:
        (x,) = natural_params
        low, high = (each - 0.5 for each in self._lims)
        far = logical_or(x <= low, x > high)
        cut = where(far, x, low)
        series = 0.5 * x + x.pow(2) / 24.0 - x.pow(4) / 2880.0
        return where(far, expm1(cut).abs().log() - cut.abs().log(), series)


__all__ = ["ContinuousBernoulli"]
