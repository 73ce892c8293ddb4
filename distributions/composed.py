"""Distributions that are made of others: with batch axes as event axes, and as mixtures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from . import constraints
from .categorical import Categorical
from .constraint import Constraint
from .distribution import Distribution

Value = Any
Shape = tuple[int, ...]


def sum_rightmost(value: Value, axes: int) -> Value:
    """`value` summed over its last axes, as many as that."""
    if axes == 0:
        return value
    return value.reshape(tuple(value.shape[: value.ndim - axes]) + (-1,)).sum(-1)


class Independent(Distribution):
    """A distribution whose last batch axes, `reinterpreted_batch_ndims` of them, are axes of one event.

    Its densities are those of the base, multiplied over these axes.
    Errors: ValueError for more axes than the batch has.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {}

    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        batch = base_distribution.batch_shape
        if reinterpreted_batch_ndims > len(batch):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(batch)}"
            )
        axes = len(batch) - reinterpreted_batch_ndims
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__(batch[:axes], batch[axes:] + base_distribution.event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Independent, _instance)
        made.base_dist = self.base_dist.expand(tuple(batch_shape) + self._event_shape[: self.reinterpreted_batch_ndims])
        made.reinterpreted_batch_ndims = self.reinterpreted_batch_ndims
        Distribution.__init__(made, tuple(batch_shape), self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        """Whether the base has gradients of samples."""
        return bool(self.base_dist.has_rsample)

    @property
    def has_enumerate_support(self) -> bool:  # type: ignore[override]
        """Whether all values can be listed: not of several numbers."""
        return not self.reinterpreted_batch_ndims and bool(self.base_dist.has_enumerate_support)

    @property
    def support(self) -> Any:
        if not self.reinterpreted_batch_ndims:
            return self.base_dist.support
        return constraints.IndependentConstraint(self.base_dist.support, self.reinterpreted_batch_ndims)

    @property
    def mean(self) -> Value:
        return self.base_dist.mean

    @property
    def mode(self) -> Value:
        return self.base_dist.mode

    @property
    def variance(self) -> Value:
        return self.base_dist.variance

    def sample(self, sample_shape: Shape = ()) -> Value:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Shape = ()) -> Value:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Value) -> Value:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Value:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Value:
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamily(Distribution):
    """One of several distributions of a family, which lie along the last batch axis, chosen by a categorical one.

    Errors: ValueError where their numbers or batches do not fit, or the choice is no `Categorical`.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {}

    def __init__(
        self, mixture_distribution: Any, component_distribution: Any, validate_args: bool | None = None
    ) -> None:
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError("The Mixture distribution needs to be an instance of gl.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution need to be an instance of gl.distributions.Distribution")
        batch = component_distribution.batch_shape[:-1]
        for one, other in zip(tuple(reversed(mixture_distribution.batch_shape)), tuple(reversed(batch))):
            if one != 1 and other != 1 and one != other:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({mixture_distribution.batch_shape}) is not compatible with "
                    f"`component_distribution.batch_shape`({batch})"
                )
        wanted, there = mixture_distribution.param_shape[-1], component_distribution.batch_shape[-1]
        if wanted != there:
            raise ValueError(
                f"`mixture_distribution component` ({wanted}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({there})"
            )
        self._num_component = wanted
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(batch, component_distribution.event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(MixtureSameFamily, _instance)
        batch = tuple(batch_shape)
        made._component_distribution = self._component_distribution.expand(batch + (self._num_component,))
        made._mixture_distribution = self._mixture_distribution.expand(batch)
        made._num_component = self._num_component
        made._event_ndims = self._event_ndims
        Distribution.__init__(made, batch, self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    @property
    def support(self) -> Any:
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Any:
        """The choice of a component."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Any:
        """The components."""
        return self._component_distribution

    def _weights(self) -> Value:
        probs = self._mixture_distribution.probs
        return probs.reshape(tuple(probs.shape) + (1,) * self._event_ndims)

    def _over_components(self, value: Value) -> Value:
        return value.sum(value.ndim - 1 - self._event_ndims)

    @property
    def mean(self) -> Value:
        return self._over_components(self._weights() * self._component_distribution.mean)

    @property
    def variance(self) -> Value:
        weights = self._weights()
        within = self._over_components(weights * self._component_distribution.variance)
        distance = self._component_distribution.mean - self._pad(self.mean)
        return within + self._over_components(weights * distance.pow(2))

    def cdf(self, value: Value) -> Value:
        shares = self._component_distribution.cdf(self._pad(value))
        return (shares * self._mixture_distribution.probs).sum(-1)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        inside = self._component_distribution.log_prob(self._pad(value))
        return (inside + self._mixture_distribution.logits).logsumexp(-1)

    def sample(self, sample_shape: Shape = ()) -> Value:
        chosen = self._mixture_distribution.sample(sample_shape)
        drawn = self._component_distribution.sample(sample_shape)
        axis = drawn.ndim - 1 - self._event_ndims
        place = chosen.reshape(tuple(chosen.shape) + (1,) * (self._event_ndims + 1))
        shape = tuple(drawn.shape[:axis]) + (1,) + self._event_shape
        return drawn.gather(axis, place.expand(shape)).squeeze(axis)

    def _pad(self, value: Value) -> Value:
        return value.unsqueeze(value.ndim - self._event_ndims)

    def __repr__(self) -> str:
        return f"MixtureSameFamily({self._mixture_distribution}, {self._component_distribution})"


__all__ = ["Independent", "MixtureSameFamily", "sum_rightmost"]
