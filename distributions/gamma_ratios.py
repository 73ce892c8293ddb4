"""Distributions of ratios of gamma numbers, and of counts whose rate is one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..nn.functional import logsigmoid
from ..tensor.distributions import poisson
from ..tensor.pointwise import log1p, sigmoid, where
from . import constraints
from .binary import OfProbability
from .constraint import Constraint
from .distribution import Distribution, expanded
from .gamma import Gamma
from .parameters import broadcast_all, smallest

Value = Any
Shape = tuple[int, ...]


class FisherSnedecor(Distribution):
    """The F distribution: the ratio of the means of `df1` and of `df2` squares of normal numbers."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1: Any, df2: Any, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)
        super().__init__(tuple(self.df1.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(FisherSnedecor, _instance)
        made._gamma1, made._gamma2 = self._gamma1.expand(batch_shape), self._gamma2.expand(batch_shape)
        return expanded(self, made, batch_shape, "df1", "df2")

    @property
    def mean(self) -> Value:
        held = where(self.df2 <= 2, math.nan, self.df2)
        return held / (held - 2)

    @property
    def mode(self) -> Value:
        found = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return where(self.df1 <= 2, math.nan, found)

    @property
    def variance(self) -> Value:
        held = where(self.df2 <= 4, math.nan, self.df2)
        return 2 * held.pow(2) * (self.df1 + held - 2) / (self.df1 * (held - 2).pow(2) * (held - 4))

    def rsample(self, sample_shape: Shape = ()) -> Value:
        least = smallest(self.df2.dtype)
        over, under = self._gamma1.rsample(sample_shape), self._gamma2.rsample(sample_shape)
        return (over / under.clamp(min=least)).clamp(min=least)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        one, other, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        first = (one + other).lgamma() - one.lgamma() - other.lgamma()
        second = one * ratio.log() + (one - 1) * value.log()
        return first + second - (one + other) * log1p(ratio * value)


class NegativeBinomial(OfProbability):
    """The number of successes before `total_count` failures, of independent trials.

    probs: the probability of a success, below 1.   logits: the logarithm of its odds.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    one_of = ("probs", "logits")
    support = constraints.nonnegative_integer

    def __init__(
        self, total_count: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._take(probs, logits)
        given = self._logits if probs is None else self._probs
        self.total_count, given = broadcast_all(total_count, given)
        self.total_count = self.total_count.type_as(given)
        if probs is None:
            self._logits = given
        else:
            self._probs = given
        super().__init__(tuple(given.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(NegativeBinomial, _instance)
        return expanded(self, made, batch_shape, "total_count", "_probs", "_logits")

    @property
    def mean(self) -> Value:
        return self.total_count * self.logits.exp()

    @property
    def mode(self) -> Value:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Value:
        return self.mean / sigmoid(-self.logits)

    def sample(self, sample_shape: Shape = ()) -> Value:
        rates = Gamma(self.total_count, (-self.logits).exp(), validate_args=False)
        return poisson(rates.sample(sample_shape))

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        chances = self.total_count * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        ways = (1.0 + value).lgamma() + self.total_count.lgamma() - (self.total_count + value).lgamma()
        return chances - where(self.total_count + value == 0.0, 0.0, ways)


__all__ = ["FisherSnedecor", "NegativeBinomial"]
