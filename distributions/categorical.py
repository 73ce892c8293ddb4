"""Distributions of places: of one among several, as a number or as a one-hot vector, and of counts of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..nn.functional import log_softmax, one_hot
from ..tensor.creation import arange, eye, full, zeros
from ..tensor.distributions import multinomial
from ..tensor.pointwise import where
from . import constraints
from .binary import Binomial, check_one_of
from .constraint import Constraint
from .distribution import Distribution, expanded
from .parameters import broadcast_all, logits_to_probs, lowest, probs_to_logits

Value = Any
Shape = tuple[int, ...]


class Categorical(Distribution):
    """One of the whole numbers from 0, each with a probability of its own.

    probs: what the probabilities along the last axis are in proportion to. logits: their logarithms, up to a constant.
    Errors: ValueError for none or both of them, and for one without axes.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.simplex,
        "logits": constraints.real_vector,
    }
    one_of = ("probs", "logits")
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        check_one_of(probs, logits)
        self._probs: Any = None
        self._logits: Any = None
        if probs is not None:
            if probs.ndim < 1:
                raise ValueError("`probs` parameter must be at least one-dimensional.")
            self._probs = probs / probs.sum(-1, keepdim=True)
        else:
            if logits.ndim < 1:
                raise ValueError("`logits` parameter must be at least one-dimensional.")
            self._logits = log_softmax(logits, -1)
        shape = self.param_shape
        self._num_events = shape[-1]
        super().__init__(shape[:-1], validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Categorical, _instance)
        for name in ("_probs", "_logits"):
            value = getattr(self, name)
            setattr(made, name, None if value is None else value.expand(tuple(batch_shape) + (self._num_events,)))
        made._num_events = self._num_events
        return expanded(self, made, batch_shape)

    @property
    def support(self) -> Any:
        return constraints.IntegerInterval(0, self._num_events - 1)

    @property
    def probs(self) -> Value:
        """The probabilities."""
        if self._probs is None:
            self._probs = logits_to_probs(self._logits)
        return self._probs

    @property
    def logits(self) -> Value:
        """The logarithms of the probabilities."""
        if self._logits is None:
            self._logits = probs_to_logits(self._probs)
        return self._logits

    @property
    def param_shape(self) -> Shape:
        """The shape of the parameter."""
        return tuple((self._logits if self._probs is None else self._probs).shape)

    def _nothing(self) -> Value:
        return full(self._batch_shape, math.nan, dtype=self.probs.dtype, device=self.probs.device)

    @property
    def mean(self) -> Value:
        return self._nothing()

    @property
    def mode(self) -> Value:
        return self.probs.argmax(-1)

    @property
    def variance(self) -> Value:
        return self._nothing()

    def sample(self, sample_shape: Shape = ()) -> Value:
        shape = self._extended_shape(sample_shape)
        count = math.prod(shape[: len(shape) - len(self._batch_shape)])
        if math.prod(shape) == 0:
            return zeros(shape, dtype=arange(1).dtype, device=self.probs.device)
        rows = self.probs.detach().reshape(-1, self._num_events)
        return multinomial(rows, count, True).T.reshape(shape)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        shape = (self.logits[..., :1] + value).shape
        logits = self.logits.expand(tuple(shape[:-1]) + (self._num_events,))
        return logits.gather(-1, value.expand(shape)).squeeze(-1)

    def entropy(self) -> Value:
        logits = self.logits.clamp(min=lowest(self.logits.dtype))
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Value:
        values = arange(self._num_events, device=self.probs.device)
        values = values.reshape((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


class OneHotCategorical(Distribution):
    """A one-hot vector, the place of whose 1 is that of `Categorical`."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.simplex,
        "logits": constraints.real_vector,
    }
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._categorical = Categorical(probs, logits)
        super().__init__(
            self._categorical._batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args
        )

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(OneHotCategorical, _instance)
        made._categorical = self._categorical.expand(batch_shape)
        Distribution.__init__(made, tuple(batch_shape), self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

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

    @property
    def mean(self) -> Value:
        return self._categorical.probs

    @property
    def mode(self) -> Value:
        return one_hot(self.probs.argmax(-1), self._event_shape[0]).to(self.probs.dtype)

    @property
    def variance(self) -> Value:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Shape = ()) -> Value:
        drawn = self._categorical.sample(sample_shape)
        return one_hot(drawn, self._event_shape[0]).to(self.probs.dtype)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self) -> Value:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Value:
        size = self._event_shape[0]
        values = eye(size, dtype=self.probs.dtype, device=self.probs.device)
        values = values.reshape((size,) + (1,) * len(self._batch_shape) + (size,))
        return values.expand((size,) + self._batch_shape + (size,)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """`OneHotCategorical` whose samples have the gradient that the probabilities themselves would have.

    Source: Bengio, Léonard & Courville 2013, "Estimating or propagating gradients through stochastic neurons".
    """

    has_rsample = True

    def rsample(self, sample_shape: Shape = ()) -> Value:
        samples = self.sample(sample_shape)
        return samples + (self.probs - self.probs.detach())


class Multinomial(Distribution):
    """Counts of each of several places among `total_count` draws of `Categorical`."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {
        "probs": constraints.simplex,
        "logits": constraints.real_vector,
    }

    def __init__(
        self, total_count: int = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        super().__init__(
            self._categorical._batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args
        )

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(Multinomial, _instance)
        made.total_count = self.total_count
        made._categorical = self._categorical.expand(batch_shape)
        Distribution.__init__(made, tuple(batch_shape), self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    @property
    def support(self) -> Any:
        return constraints.MultinomialCounts(self.total_count)

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

    @property
    def mean(self) -> Value:
        return self.probs * self.total_count

    @property
    def variance(self) -> Value:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Shape = ()) -> Value:
        given = (sample_shape,) if isinstance(sample_shape, int) else tuple(sample_shape)
        drawn = self._categorical.sample((self.total_count,) + given)
        return one_hot(drawn, self._event_shape[0]).sum(0).to(self.probs.dtype)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = where((value == 0) & (logits == -math.inf), 0.0, logits)
        ways = (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1)
        return ways + (logits * value).sum(-1)

    def entropy(self) -> Value:
        count = full((), float(self.total_count), dtype=self.probs.dtype, device=self.probs.device)
        each = Binomial(self.total_count, probs=self.probs)
        values = each.enumerate_support(expand=False)[1:]
        weights = each.log_prob(values).exp() * (values + 1).lgamma()
        return count * self._categorical.entropy() - (count + 1).lgamma() + weights.sum([0, -1])


__all__ = ["Categorical", "Multinomial", "OneHotCategorical", "OneHotCategoricalStraightThrough"]
