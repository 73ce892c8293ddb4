"""Distributions by powers: Pareto's and its generalisation, and Kumaraswamy's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..tensor.creation import full_like
from ..tensor.elementary import isclose
from ..tensor.pointwise import expm1, log1p, logical_or, where
from . import constraints
from .constraint import Constraint
from .continuous import EULER, Exponential, Uniform, uniform_like
from .distribution import Distribution, expanded
from .parameters import broadcast_all
from .transformed import TransformedDistribution
from .transforms import AffineTransform, ExpTransform, PowerTransform

Value = Any
Shape = tuple[int, ...]


class Pareto(TransformedDistribution):
    """The Pareto distribution: numbers from `scale` on, with density ``alpha * scale**alpha / x**(alpha + 1)``."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        super().__init__(base, [ExpTransform(), AffineTransform(0, self.scale)], validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Pareto, _instance)
        made.scale, made.alpha = self.scale.expand(tuple(batch_shape)), self.alpha.expand(tuple(batch_shape))
        return super().expand(batch_shape, made)

    @property
    def mean(self) -> Value:
        alpha = self.alpha.clamp(min=1)  # below it is infinite
        return alpha * self.scale / (alpha - 1)

    @property
    def mode(self) -> Value:
        return self.scale

    @property
    def variance(self) -> Value:
        alpha = self.alpha.clamp(min=2)
        return self.scale.pow(2) * alpha / ((alpha - 1).pow(2) * (alpha - 2))

    @property
    def support(self) -> Any:
        return constraints.GreaterThanEq(self.scale)

    def entropy(self) -> Value:
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class GeneralizedPareto(Distribution):
    """The excess over a high threshold: a Pareto tail of index `concentration`, from `loc` on, as wide as `scale`.

    A concentration of 0 makes it exponential, a negative one bounds it.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(tuple(self.loc.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(GeneralizedPareto, _instance)
        return expanded(self, made, batch_shape, "loc", "scale", "concentration")

    @property
    def support(self) -> Any:
        bounded = self.concentration < 0
        upper = self.loc - self.scale / where(bounded, self.concentration, -1.0)
        return constraints.Interval(self.loc, where(bounded, upper, math.inf))

    def _is_exponential(self) -> tuple[Value, Value]:
        """Whether the concentration is 0, nearly, and the concentration with 1 in these places."""
        zero = isclose(self.concentration, full_like(self.concentration, 0.0))
        return zero, where(zero, 1.0, self.concentration)

    @property
    def mean(self) -> Value:
        finite = self.concentration < 1
        found = self.loc + self.scale / (1 - where(finite, self.concentration, 0.5))
        return where(finite, found, math.nan)

    @property
    def mode(self) -> Value:
        return self.loc

    @property
    def variance(self) -> Value:
        finite = self.concentration < 0.5
        held = where(finite, self.concentration, 0.25)
        return where(finite, self.scale**2 / ((1 - held) ** 2 * (1 - 2 * held)), math.nan)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        return self.icdf(uniform_like(self.loc, self._extended_shape(sample_shape)))

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        distance = (value - self.loc) / self.scale
        zero, held = self._is_exponential()
        power = 1 / held + 1 + 0 * distance
        found = where(power == 0, power, power * log1p(held * distance))
        return -self.scale.log() - where(zero, distance, found)

    def log_survival_function(self, value: Value) -> Value:
        """The logarithm of the probability of more than `value`."""
        if self._validate_args:
            self._validate_sample(value)
        distance = (value - self.loc) / self.scale
        zero, held = self._is_exponential()
        return where(zero, -distance, -log1p(held * distance) / held)

    def log_cdf(self, value: Value) -> Value:
        """The logarithm of the probability of at most `value`."""
        return log1p(-self.log_survival_function(value).exp())

    def cdf(self, value: Value) -> Value:
        return self.log_cdf(value).exp()

    def icdf(self, value: Value) -> Value:
        zero, held = self._is_exponential()
        left = log1p(-value)
        return where(zero, self.loc - self.scale * left, self.loc + self.scale / held * expm1(-held * left))

    def entropy(self) -> Value:
        return self.scale.log() + self.concentration + 1


class Kumaraswamy(TransformedDistribution):
    """Numbers of the unit interval, much like Beta's, whose density is a power: ``1 - (1 - x**a)**b`` up to x."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        base = Uniform(
            full_like(self.concentration0, 0), full_like(self.concentration0, 1), validate_args=validate_args
        )
        steps = [
            PowerTransform(self.concentration0.reciprocal()),
            AffineTransform(1.0, -1.0),
            PowerTransform(self.concentration1.reciprocal()),
        ]
        super().__init__(base, steps, validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Kumaraswamy, _instance)
        for name in ("concentration1", "concentration0"):
            setattr(made, name, getattr(self, name).expand(tuple(batch_shape)))
        return super().expand(batch_shape, made)

    def _moment(self, order: int) -> Value:
        first = 1 + order / self.concentration1
        size = first.lgamma() + self.concentration0.lgamma() - (first + self.concentration0).lgamma()
        return self.concentration0 * size.exp()

    @property
    def mean(self) -> Value:
        return self._moment(1)

    @property
    def mode(self) -> Value:
        one, other = self.concentration1, self.concentration0
        size = other.reciprocal() * log1p(-other) - log1p(-other * one)
        return where(logical_or(other < 1, one < 1), math.nan, size).exp()

    @property
    def variance(self) -> Value:
        return self._moment(2) - self.mean.pow(2)

    def entropy(self) -> Value:
        one, other = self.concentration1, self.concentration0
        harmonic = (other + 1).digamma() + EULER
        return (1 - other.reciprocal()) + (1 - one.reciprocal()) * harmonic - one.log() - other.log()


__all__ = ["GeneralizedPareto", "Kumaraswamy", "Pareto"]
