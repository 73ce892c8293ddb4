"""Distributions by location and scale: the normal one and its kin."""

from __future__ import annotations

import math
from typing import Any

from ..tensor.pointwise import erf
from ..tensor.random import randn
from ..tensor.statistics import erfinv
from .distribution import ExponentialFamily
from .location_scale import LocationScale
from .parameters import is_number

Value = Any
Shape = tuple[int, ...]
HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


def shape_of(*given: Any) -> Shape:
    """The batch of parameters that are numbers: none; else that of the first."""
    return () if all(is_number(each) for each in given[1:]) else tuple(given[0].shape)


class Normal(LocationScale, ExponentialFamily):
    """The normal distribution of mean `loc` and standard deviation `scale`.

    Source: PyTorch's parameters; samples are ``loc + scale * randn``.
    """

    _mean_carrier_measure = 0

    @property
    def stddev(self) -> Value:
        return self.scale

    @property
    def variance(self) -> Value:
        return self.scale * self.scale

    def sample(self, sample_shape: Shape = ()) -> Value:
        return self.rsample(sample_shape).detach()

    def rsample(self, sample_shape: Shape = ()) -> Value:
        shape = self._extended_shape(sample_shape)
        return self.loc + randn(shape, dtype=self.loc.dtype, device=self.loc.device) * self.scale

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        distance = value - self.loc
        return -(distance * distance) / (2 * (self.scale * self.scale)) - self.scale.log() - HALF_LOG_TWO_PI

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 * (1 + erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value: Value) -> Value:
        return self.loc + self.scale * erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Value:
        return 0.5 + HALF_LOG_TWO_PI + self.scale.log()

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return self.loc / self.scale.pow(2), -0.5 * self.scale.pow(2).reciprocal()

    def _log_normalizer(self, *natural_params: Value) -> Value:
        x, y = natural_params
        return -0.25 * x.pow(2) / y + 0.5 * (-math.pi / y).log()
