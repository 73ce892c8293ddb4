"""Distributions of successes: of one trial, of the trials until the first, and of many."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..nn.functional import binary_cross_entropy_with_logits
from ..tensor.creation import arange, zeros_like
from ..tensor.distributions import bernoulli, binomial, poisson
from ..tensor.elementary import xlogy
from ..tensor.pointwise import where
from . import constraints
from .constraint import Constraint
from .continuous import uniform_like
from .distribution import Distribution, ExponentialFamily, expanded
from .parameters import all_valid, broadcast_all, is_number, logits_to_probs, probs_to_logits, smallest

Value = Any
Shape = tuple[int, ...]


def check_one_of(probs: Any, logits: Any) -> None:
    """Errors: ValueError unless one of both is given."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class OfProbability(Distribution):
    """A distribution with a probability of success, given as `probs` or as its `logits`; the other follows when asked.

    Not made by itself.
    """

    _probs: Any
    _logits: Any

    def _take(self, probs: Any, logits: Any) -> None:
        """Keeps the one that is given. Errors: ValueError unless one of both is."""
        check_one_of(probs, logits)
        self._probs = self._logits = None
        if probs is not None:
            (self._probs,) = broadcast_all(probs)
        else:
            (self._logits,) = broadcast_all(logits)

    @property
    def probs(self) -> Value:
        """The probabilities of success."""
        if self._probs is None:
            self._probs = logits_to_probs(self._logits, is_binary=True)
        return self._probs

    @property
    def logits(self) -> Value:
        """The logarithms of the odds of success."""
        if self._logits is None:
            self._logits = probs_to_logits(self._probs, is_binary=True)
        return self._logits

    @property
    def param_shape(self) -> Shape:
        """The shape of the parameter."""
        return tuple((self._logits if self._probs is None else self._probs).shape)


class Bernoulli(OfProbability, ExponentialFamily):
    """0 or 1: 1 with a probability, given as `probs` or as its `logits`."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    one_of = ("probs", "logits")
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._take(probs, logits)
        super().__init__(self.param_shape, validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Bernoulli, _instance)
        return expanded(self, made, batch_shape, "_probs", "_logits")

    @property
    def mean(self) -> Value:
        return self.probs

    @property
    def mode(self) -> Value:
        mode = (self.probs >= 0.5).to(self.probs.dtype)
        return where(self.probs == 0.5, math.nan, mode)

    @property
    def variance(self) -> Value:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Shape = ()) -> Value:
        return bernoulli(self.probs.detach().expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Value:
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Value:
        values = arange(2, dtype=self.probs.dtype, device=self.probs.device)
        values = values.reshape((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return (self.logits,)

    def _log_normalizer(self, *natural_params: Value) -> Value:
        return natural_params[0].exp().log1p()


class Geometric(OfProbability):
    """The number of trials of a probability that fail until one succeeds: 0, 1, ..."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    one_of = ("probs", "logits")
    support = constraints.nonnegative_integer

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._take(probs, logits)
        super().__init__(self.param_shape, validate_args=validate_args)
        if self._validate_args and self._probs is not None and not all_valid(self._probs > 0):
            raise ValueError(
                f"Expected parameter probs of distribution {self!r} to be positive but found invalid values:\n"
                f"{self._probs}"
            )

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Geometric, _instance)
        return expanded(self, made, batch_shape, "_probs", "_logits")

    @property
    def mean(self) -> Value:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Value:
        return zeros_like(self.probs)

    @property
    def variance(self) -> Value:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Shape = ()) -> Value:
        probs = self.probs.detach()
        drawn = uniform_like(probs, self._extended_shape(sample_shape)).clamp(min=smallest(probs.dtype))
        return (drawn.log() / (-probs).log1p()).floor()

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = where((probs == 1) & (value == 0), zeros_like(probs), probs)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self) -> Value:
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


class Binomial(OfProbability):
    """The number of successes in `total_count` trials of a probability, given as `probs` or as its `logits`."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    one_of = ("probs", "logits")
    has_enumerate_support = True

    def __init__(
        self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        check_one_of(probs, logits)
        self._most = total_count if is_number(total_count) else None
        self._probs: Any = None
        self._logits: Any = None
        if probs is not None:
            total_count, self._probs = broadcast_all(total_count, probs)
            self.total_count = total_count.type_as(self._probs)
        else:
            total_count, self._logits = broadcast_all(total_count, logits)
            self.total_count = total_count.type_as(self._logits)
        super().__init__(tuple(self.total_count.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Binomial, _instance)
        made._most = self._most
        return expanded(self, made, batch_shape, "total_count", "_probs", "_logits")

    @property
    def support(self) -> Any:
        return constraints.IntegerInterval(0, self.total_count)

    @property
    def mean(self) -> Value:
        return self.total_count * self.probs

    @property
    def mode(self) -> Value:
        return ((self.total_count + 1) * self.probs).floor().minimum(self.total_count)

    @property
    def variance(self) -> Value:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Shape = ()) -> Value:
        shape = self._extended_shape(sample_shape)
        return binomial(self.total_count.expand(shape), self.probs.detach().expand(shape))

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        rest = self.total_count - value
        choices = (self.total_count + 1).lgamma() - (value + 1).lgamma() - (rest + 1).lgamma()
        # log(1 + exp(logits)), for which large logits do not overflow
        softplus = self.logits.clamp(min=0) + (-self.logits.abs()).exp().log1p()
        return value * self.logits + choices - self.total_count * softplus

    def entropy(self) -> Value:
        chances = self.log_prob(self.enumerate_support(False))
        return -(chances.exp() * chances).sum(0)

    def enumerate_support(self, expand: bool = True) -> Value:
        most = self._most
        if most is None:
            most = int(self.total_count.max().item())
            if not all_valid(self.total_count == most):
                raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        values = arange(1 + most, dtype=self.total_count.dtype, device=self.total_count.device)
        values = values.reshape((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class Poisson(ExponentialFamily):
    """The Poisson distribution: counts of something that happens `rate` times on average."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(tuple(self.rate.shape), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return expanded(self, self._get_checked_instance(Poisson, _instance), batch_shape, "rate")

    @property
    def mean(self) -> Value:
        return self.rate

    @property
    def mode(self) -> Value:
        return self.rate.floor()

    @property
    def variance(self) -> Value:
        return self.rate

    def sample(self, sample_shape: Shape = ()) -> Value:
        return poisson(self.rate.detach().expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return xlogy(value, rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self) -> tuple[Value, ...]:
        return (self.rate.log(),)

    def _log_normalizer(self, *natural_params: Value) -> Value:
        return natural_params[0].exp()


__all__ = ["Bernoulli", "Binomial", "Geometric", "OfProbability", "Poisson", "check_one_of"]
