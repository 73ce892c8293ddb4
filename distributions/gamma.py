"""Distributions that are made of gamma ones: chi-squared, beta, Dirichlet, Student's t."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..core.dtypes import float64
from ..nn.functional import one_hot
from ..tensor.elementary import xlogy
from ..tensor.joining import stack
from ..tensor.pointwise import where
from ..tensor.random import randn
from ..tensor.statistics import _standard_gamma, igamma
from . import constraints
from .constraint import Constraint
from .distribution import Distribution, ExponentialFamily, expanded
from .parameters import broadcast_all, is_number, smallest

Value = Any
Shape = tuple[int, ...]


class Gamma(ExponentialFamily):
    """The gamma distribution of the shape `concentration` and the inverse scale `rate`.

    Samples have the gradients of implicit reparameterisation, exact to the rounding of the dtype.
    Source: Figurnov, Mohamed & Mnih 2018, "Implicit reparameterization gradients".
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(tuple(self.concentration.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Gamma, _instance)
        return expanded(self, made, batch_shape, "concentration", "rate")

    @property
    def mean(self) -> Value:
        return self.concentration / self.rate

    @property
    def mode(self) -> Value:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Value:
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        shape = self._extended_shape(sample_shape)
        drawn = _standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        # A draw that is too small for the dtype is held away from 0, where the density may be infinite.
        return where(drawn < smallest(drawn.dtype), smallest(drawn.dtype), drawn)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return (
            xlogy(self.concentration, self.rate)
            + xlogy(self.concentration - 1, value)
            - self.rate * value
            - self.concentration.lgamma()
        )

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return igamma(self.concentration, self.rate * value)

    def entropy(self) -> Value:
        return (
            self.concentration
            - self.rate.log()
            + self.concentration.lgamma()
            + (1.0 - self.concentration) * self.concentration.digamma()
        )

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, *natural_params: Value) -> Value:
        x, y = natural_params
        return (x + 1).lgamma() + (x + 1) * (-y.reciprocal()).log()


class Chi2(Gamma):
    """The distribution of the sum of `df` squares of normal numbers."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(Chi2, _instance))

    @property
    def df(self) -> Value:
        """The number of squares."""
        return self.concentration * 2


class InverseGamma(Distribution):
    """The distribution of 1 over a number of the gamma distribution."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.positive
    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(tuple(self.concentration.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(InverseGamma, _instance)
        return expanded(self, made, batch_shape, "concentration", "rate")

    @property
    def mean(self) -> Value:
        found = self.rate / (self.concentration - 1)
        return where(self.concentration > 1, found, math.inf)

    @property
    def mode(self) -> Value:
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Value:
        found = self.rate.pow(2) / ((self.concentration - 1).pow(2) * (self.concentration - 2))
        return where(self.concentration > 2, found, math.inf)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        return Gamma(self.concentration, self.rate, validate_args=False).rsample(sample_shape).reciprocal()

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        inverse = value.reciprocal()
        return Gamma(self.concentration, self.rate, validate_args=False).log_prob(inverse) - 2 * value.log()

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return 1 - igamma(self.concentration, self.rate / value)

    def entropy(self) -> Value:
        return (
            self.concentration
            + self.rate.log()
            + self.concentration.lgamma()
            - (1 + self.concentration) * self.concentration.digamma()
        )


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution: vectors of positive numbers that add up to 1.

    Samples are gamma ones over their sum, whose gradients go through both.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "concentration": constraints.IndependentConstraint(constraints.positive, 1)
    }
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Any, validate_args: bool | None = None) -> None:
        if concentration.ndim < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        shape = tuple(concentration.shape)
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Dirichlet, _instance)
        return expanded(self, made, batch_shape, "concentration", event_shape=self._event_shape)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        concentration = self.concentration.expand(self._extended_shape(sample_shape))
        # In float64, where draws of small concentrations seldom vanish.
        drawn = _standard_gamma(concentration.to(float64))
        return (drawn / drawn.sum(-1, keepdim=True)).to(concentration.dtype).clamp(min=smallest(concentration.dtype))

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return (
            xlogy(self.concentration - 1.0, value).sum(-1)
            + self.concentration.sum(-1).lgamma()
            - self.concentration.lgamma().sum(-1)
        )

    @property
    def mean(self) -> Value:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Value:
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        corner = one_hot(mode.argmax(-1), self.concentration.shape[-1]).to(mode.dtype)
        return where((self.concentration < 1).all(-1, True), corner, mode)

    @property
    def variance(self) -> Value:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def entropy(self) -> Value:
        size = self.concentration.shape[-1]
        total = self.concentration.sum(-1)
        return (
            self.concentration.lgamma().sum(-1)
            - total.lgamma()
            - (size - total) * total.digamma()
            - ((self.concentration - 1.0) * self.concentration.digamma()).sum(-1)
        )

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return (self.concentration,)

    def _log_normalizer(self, *natural_params: Value) -> Value:
        return natural_params[0].lgamma().sum(-1) - natural_params[0].sum(-1).lgamma()


class Beta(ExponentialFamily):
    """The beta distribution of numbers between 0 and 1: the first of a Dirichlet pair."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        if is_number(concentration1) and is_number(concentration0):
            concentration1, concentration0 = broadcast_all(float(concentration1), float(concentration0))
        else:
            concentration1, concentration0 = broadcast_all(concentration1, concentration0)
        self._dirichlet = Dirichlet(stack([concentration1, concentration0], -1), validate_args=False)
        super().__init__(self._dirichlet._batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Beta, _instance)
        made._dirichlet = self._dirichlet.expand(batch_shape)
        return expanded(self, made, batch_shape)

    @property
    def concentration1(self) -> Value:
        """The weight of 1."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Value:
        """The weight of 0."""
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self) -> Value:
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Value:
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Value:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Shape = ()) -> Value:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self) -> Value:
        return self._dirichlet.entropy()

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return self.concentration1, self.concentration0

    def _log_normalizer(self, *natural_params: Value) -> Value:
        x, y = natural_params
        return x.lgamma() + y.lgamma() - (x + y).lgamma()


class StudentT(Distribution):
    """Student's t distribution of `df` degrees of freedom, moved to `loc` and stretched by `scale`."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df, validate_args=False)
        super().__init__(tuple(self.df.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(StudentT, _instance)
        made._chi2 = self._chi2.expand(batch_shape)
        return expanded(self, made, batch_shape, "df", "loc", "scale")

    @property
    def mean(self) -> Value:
        return where(self.df > 1, self.loc, math.nan)

    @property
    def mode(self) -> Value:
        return self.loc

    @property
    def variance(self) -> Value:
        found = self.scale.pow(2) * self.df / (self.df - 2)
        return where(self.df > 2, found, where(self.df > 1, self.df * 0 + math.inf, math.nan))

    def rsample(self, sample_shape: Shape = ()) -> Value:
        shape = self._extended_shape(sample_shape)
        drawn = randn(shape, dtype=self.df.dtype, device=self.df.device)
        return self.loc + self.scale * (drawn * (self._chi2.rsample(sample_shape) / self.df).rsqrt())

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        normalizer = (
            self.scale.log()
            + 0.5 * self.df.log()
            + 0.5 * math.log(math.pi)
            + (0.5 * self.df).lgamma()
            - (0.5 * (self.df + 1.0)).lgamma()
        )
        return -0.5 * (self.df + 1.0) * (y.pow(2) / self.df).log1p() - normalizer

    def entropy(self) -> Value:
        half = 0.5 * (self.df + 1)
        beta = (0.5 * self.df).lgamma() + math.lgamma(0.5) - half.lgamma()
        return self.scale.log() + half * (half.digamma() - (0.5 * self.df).digamma()) + 0.5 * self.df.log() + beta


__all__ = ["Beta", "Chi2", "Dirichlet", "Gamma", "InverseGamma", "StudentT"]
