"""More distributions of real numbers: of the whole line, of its positive half, and of an interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..tensor.creation import full_like, zeros_like
from ..tensor.random import rand
from . import constraints
from .constraint import Constraint
from .distribution import Distribution, ExponentialFamily, expanded
from .location_scale import LocationScale
from .parameters import all_valid, broadcast_all, rounding

Value = Any
Shape = tuple[int, ...]
EULER = 0.57721566490153286060
"""The limit of 1 + 1/2 + ... + 1/n - log(n)."""


def uniform_like(parameter: Value, shape: Shape) -> Value:
    """Numbers from [0, 1) in a shape, of the dtype and on the device of a parameter."""
    return rand(shape, dtype=parameter.dtype, device=parameter.device)


class Uniform(Distribution):
    """The uniform distribution of numbers from `low` to `high`, which is not drawn.

    Errors: ValueError where `low` is not below `high`.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "low": constraints.dependent,
        "high": constraints.dependent,
    }
    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(tuple(self.low.shape), validate_args=validate_args)
        if self._validate_args and not all_valid(self.low < self.high):
            raise ValueError(f"Uniform is not defined when low >= high; found low:\n{self.low}\nand high:\n{self.high}")

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Uniform, _instance)
        return expanded(self, made, batch_shape, "low", "high")

    @property
    def support(self) -> Any:
        return constraints.Interval(self.low, self.high)

    @property
    def mean(self) -> Value:
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Value:
        return math.nan * self.high

    @property
    def stddev(self) -> Value:
        return (self.high - self.low) / math.sqrt(12)

    @property
    def variance(self) -> Value:
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape: Shape = ()) -> Value:
        return self.low + uniform_like(self.low, self._extended_shape(sample_shape)) * (self.high - self.low)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return inside.log() - (self.high - self.low).log()

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(0, 1)

    def icdf(self, value: Value) -> Value:
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Value:
        return (self.high - self.low).log()


class Exponential(ExponentialFamily):
    """The exponential distribution of a `rate`: density ``rate * exp(-rate * x)``."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(tuple(self.rate.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return expanded(self, self._get_checked_instance(Exponential, _instance), batch_shape, "rate")

    @property
    def mean(self) -> Value:
        return self.rate.reciprocal()

    @property
    def mode(self) -> Value:
        return zeros_like(self.rate)

    @property
    def stddev(self) -> Value:
        return self.rate.reciprocal()

    @property
    def variance(self) -> Value:
        return self.rate.pow(-2)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        drawn = uniform_like(self.rate, self._extended_shape(sample_shape))
        return -(-drawn).log1p() / self.rate

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return 1 - (-self.rate * value).exp()

    def icdf(self, value: Value) -> Value:
        return -(-value).log1p() / self.rate

    def entropy(self) -> Value:
        return 1.0 - self.rate.log()

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return (-self.rate,)

    def _log_normalizer(self, *natural_params: Value) -> Value:
        return -(-natural_params[0]).log()


class Laplace(LocationScale):
    """The Laplace distribution around `loc`: density ``exp(-abs(x - loc) / scale) / (2 * scale)``."""

    @property
    def variance(self) -> Value:
        return 2 * self.scale.pow(2)

    @property
    def stddev(self) -> Value:
        return 2**0.5 * self.scale

    def rsample(self, sample_shape: Shape = ()) -> Value:
        low = rounding(self.loc.dtype) - 1
        drawn = uniform_like(self.loc, self._extended_shape(sample_shape)) * (1 - low) + low
        return self.loc - self.scale * drawn.sign() * (-drawn.abs()).log1p()

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        distance = value - self.loc
        return 0.5 - 0.5 * distance.sign() * (-distance.abs() / self.scale).expm1()

    def icdf(self, value: Value) -> Value:
        term = value - 0.5
        return self.loc - self.scale * term.sign() * (-2 * term.abs()).log1p()

    def entropy(self) -> Value:
        return 1 + (2 * self.scale).log()


class Cauchy(LocationScale):
    """The Cauchy distribution around the median `loc`, half of it at most `scale` away. It has no mean."""

    @property
    def mean(self) -> Value:
        return full_like(self.loc, math.nan)

    @property
    def variance(self) -> Value:
        return full_like(self.loc, math.inf)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        drawn = uniform_like(self.loc, self._extended_shape(sample_shape))
        return self.loc + ((drawn - 0.5) * math.pi).tan() * self.scale

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return -math.log(math.pi) - self.scale.log() - ((value - self.loc) / self.scale).pow(2).log1p()

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def icdf(self, value: Value) -> Value:
        return (math.pi * (value - 0.5)).tan() * self.scale + self.loc

    def entropy(self) -> Value:
        return math.log(4 * math.pi) + self.scale.log()


class Gumbel(LocationScale):
    """The Gumbel distribution of the location `loc`: that of the largest of many numbers."""

    @property
    def mean(self) -> Value:
        return self.loc + self.scale * EULER

    @property
    def stddev(self) -> Value:
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self) -> Value:
        return self.stddev.pow(2)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        drawn = uniform_like(self.loc, self._extended_shape(sample_shape))
        # 1 - drawn is never 0, of which the logarithm is infinite; drawn may be, and then that of nothing.
        exponential = -(-drawn).log1p()
        smallest = rounding(self.loc.dtype) / 4
        return self.loc - self.scale * exponential.clamp(min=smallest).log()

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return (-(-(value - self.loc) / self.scale).exp()).exp()

    def icdf(self, value: Value) -> Value:
        return self.loc - self.scale * (-value.log()).log()

    def entropy(self) -> Value:
        return self.scale.log() + (1 + EULER)


class Weibull(Distribution):
    """The Weibull distribution of a `scale` and the shape `concentration`."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "scale": constraints.positive,
        "concentration": constraints.positive,
    }
    support = constraints.positive
    has_rsample = True

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        super().__init__(tuple(self.scale.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Weibull, _instance)
        return expanded(self, made, batch_shape, "scale", "concentration")

    @property
    def mean(self) -> Value:
        return self.scale * (1 + self.concentration.reciprocal()).lgamma().exp()

    @property
    def mode(self) -> Value:
        return self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration.reciprocal()

    @property
    def variance(self) -> Value:
        inverse = self.concentration.reciprocal()
        return self.scale.pow(2) * ((1 + 2 * inverse).lgamma().exp() - (2 * (1 + inverse).lgamma()).exp())

    def rsample(self, sample_shape: Shape = ()) -> Value:
        drawn = -(-uniform_like(self.scale, self._extended_shape(sample_shape))).log1p()
        return self.scale * drawn ** self.concentration.reciprocal()

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        ratio = value / self.scale
        power = ratio**self.concentration
        return (self.concentration / self.scale).log() + (self.concentration - 1) * ratio.log() - power

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return -(-((value / self.scale) ** self.concentration)).expm1()

    def icdf(self, value: Value) -> Value:
        return self.scale * (-(-value).log1p()) ** self.concentration.reciprocal()

    def entropy(self) -> Value:
        return EULER * (1 - self.concentration.reciprocal()) + (self.scale * self.concentration.reciprocal()).log() + 1


__all__ = ["Cauchy", "Exponential", "Gumbel", "Laplace", "Uniform", "Weibull", "uniform_like"]
