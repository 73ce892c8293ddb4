"""Smooth stand-ins of discrete distributions, whose samples have gradients.

Source: Maddison, Mnih & Teh 2017, "The concrete distribution"; Jang, Gu & Poole 2017, "Categorical reparameterization
with Gumbel-softmax".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..nn.functional import log_softmax
from ..tensor.creation import full
from . import constraints
from .binary import OfProbability
from .categorical import Categorical
from .constraint import Constraint
from .continuous import uniform_like
from .distribution import Distribution, expanded
from .parameters import broadcast_all, clamp_probs
from .transformed import TransformedDistribution
from .transforms import ExpTransform, SigmoidTransform

Value = Any
Shape = tuple[int, ...]


class LogitRelaxedBernoulli(OfProbability):
    """The logit of a number between 0 and 1 that nears 0 or 1 as the temperature falls."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    one_of = ("probs", "logits")
    support = constraints.real
    has_rsample = True

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self.temperature = temperature
        self._take(probs, logits)
        super().__init__(self.param_shape, validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(LogitRelaxedBernoulli, _instance)
        made.temperature = self.temperature
        return expanded(self, made, batch_shape, "_probs", "_logits")

    def rsample(self, sample_shape: Shape = ()) -> Value:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        drawn = clamp_probs(uniform_like(probs, shape))
        return (drawn.log() - (-drawn).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        distance = logits - value * self.temperature
        temperature = self._temperature_like(value)
        return temperature.log() + distance - 2 * distance.exp().log1p()

    def _temperature_like(self, value: Value) -> Value:
        (temperature, _) = broadcast_all(self.temperature, value)
        return temperature


class RelaxedBernoulli(TransformedDistribution):
    """A number between 0 and 1 that nears 0 or 1 as the temperature falls."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(
            LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform(), validate_args=validate_args
        )

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(RelaxedBernoulli, _instance))

    @property
    def temperature(self) -> Any:
        """The temperature."""
        return self.base_dist.temperature

    @property
    def probs(self) -> Value:
        """The probabilities of 1."""
        return self.base_dist.probs

    @property
    def logits(self) -> Value:
        """The logarithms of the odds of 1."""
        return self.base_dist.logits


class ExpRelaxedCategorical(Distribution):
    """The logarithm of a vector that nears a one-hot one as the temperature falls."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.simplex,
        "logits": constraints.real_vector,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        super().__init__(
            self._categorical._batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args
        )

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(ExpRelaxedCategorical, _instance)
        made.temperature = self.temperature
        made._categorical = self._categorical.expand(batch_shape)
        return expanded(self, made, batch_shape, event_shape=self._event_shape)

    @property
    def probs(self) -> Value:
        """The probabilities."""
        return self._categorical.probs

    @property
    def logits(self) -> Value:
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Shape:
        """The shape of the parameter."""
        return self._categorical.param_shape

    def rsample(self, sample_shape: Shape = ()) -> Value:
        shape = self._extended_shape(sample_shape)
        drawn = clamp_probs(uniform_like(self.logits, shape))
        return log_softmax((self.logits - (-drawn.log()).log()) / self.temperature, -1)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        size = self._event_shape[0]
        logits, value = broadcast_all(self.logits, value)
        temperature = self.temperature
        if not isinstance(temperature, (int, float)):
            scale = (size - 1) * temperature.log()
        else:
            scale = (size - 1) * full((), temperature, dtype=value.dtype, device=value.device).log()
        score = log_softmax(logits - value * temperature, -1).sum(-1)
        return score + math.lgamma(size) + scale


class RelaxedOneHotCategorical(TransformedDistribution):
    """A vector that adds up to 1 and nears a one-hot one as the temperature falls."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.simplex,
        "logits": constraints.real_vector,
    }
    support = constraints.simplex
    has_rsample = True

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(RelaxedOneHotCategorical, _instance))

    @property
    def temperature(self) -> Any:
        """The temperature."""
        return self.base_dist.temperature

    @property
    def probs(self) -> Value:
        """The probabilities."""
        return self.base_dist.probs

    @property
    def logits(self) -> Value:
        """The logarithms of the probabilities."""
        return self.base_dist.logits


__all__ = ["ExpRelaxedCategorical", "LogitRelaxedBernoulli", "RelaxedBernoulli", "RelaxedOneHotCategorical"]
