"""Distributions of what a transform makes of another distribution's samples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from ..autograd import no_grad
from ..tensor.creation import zeros_like
from ..tensor.pointwise import where
from . import constraints
from .composed import Independent, sum_rightmost
from .constraint import Constraint
from .continuous import Cauchy
from .distribution import Distribution
from .location_scale import LocationScale
from .normal import Normal
from .transform import ComposeTransform, Transform
from .transforms import AbsTransform, ExpTransform, StickBreakingTransform

Value = Any
Shape = tuple[int, ...]


class TransformedDistribution(Distribution):
    """The distribution of the samples of another one after one or several transforms.

    Its density is that of the base, by the determinant of the inverse.
    Errors: ValueError for what is no transform, and a base with fewer axes than the transforms take.
    """

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {}

    def __init__(self, base_distribution: Any, transforms: Any, validate_args: bool | None = None) -> None:
        listed = [transforms] if isinstance(transforms, Transform) else list(transforms)
        for each in listed:
            if not isinstance(each, Transform):
                raise ValueError(f"transforms must be a Transform or a list of Transforms, got {type(each).__name__}")
        self.transforms = listed
        shape = tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape)
        base_axes = len(base_distribution.event_shape)
        whole = ComposeTransform(listed)
        if len(shape) < whole.domain.event_dim:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {whole.domain.event_dim}, but got {shape}."
            )
        forward = whole.forward_shape(shape)
        expanded_shape = whole.inverse_shape(forward)
        if shape != expanded_shape:
            base_distribution = base_distribution.expand(expanded_shape[: len(expanded_shape) - base_axes])
        more = whole.domain.event_dim - base_axes
        if more > 0:
            base_distribution = Independent(base_distribution, more)
        self.base_dist = base_distribution
        axes = max(whole.codomain.event_dim, base_axes + whole.codomain.event_dim - whole.domain.event_dim)
        cut = len(forward) - axes
        super().__init__(forward[:cut], forward[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        made = self._get_checked_instance(TransformedDistribution, _instance)
        made.transforms = self.transforms
        whole = ComposeTransform(self.transforms)
        shape = whole.inverse_shape(tuple(batch_shape) + self._event_shape)
        cut = len(shape) - len(self.base_dist.event_shape)
        made.base_dist = self.base_dist.expand(shape[:cut])
        Distribution.__init__(made, tuple(batch_shape), self._event_shape, validate_args=False)
        made._validate_args = self._validate_args
        return made

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        """Whether the base has gradients of samples."""
        return bool(self.base_dist.has_rsample)

    @property
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        found = self.transforms[-1].codomain
        more = len(self._event_shape) - found.event_dim
        return constraints.IndependentConstraint(found, more) if more > 0 else found

    def sample(self, sample_shape: Shape = ()) -> Value:
        with no_grad():
            x = self.base_dist.sample(sample_shape)
            for each in self.transforms:
                x = each(x)
            return x

    def rsample(self, sample_shape: Shape = ()) -> Value:
        x = self.base_dist.rsample(sample_shape)
        for each in self.transforms:
            x = each(x)
        return x

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        axes = len(self._event_shape)
        total: Any = 0.0
        y = value
        for each in reversed(self.transforms):
            x = each._inv_call(y)
            axes += each.domain.event_dim - each.codomain.event_dim
            total = total - sum_rightmost(each.log_abs_det_jacobian(x, y), axes - each.domain.event_dim)
            y = x
        return total + sum_rightmost(self.base_dist.log_prob(y), axes - len(self.base_dist.event_shape))

    def _monotonic(self, value: Value) -> Value:
        """Shares turned around where the transforms fall."""
        sign: Any = 1
        for each in self.transforms:
            sign = sign * each.sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value: Value) -> Value:
        for each in reversed(self.transforms):
            value = each._inv_call(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotonic(self.base_dist.cdf(value))

    def icdf(self, value: Value) -> Value:
        value = self.base_dist.icdf(self._monotonic(value))
        for each in self.transforms:
            value = each(value)
        return value

    def __repr__(self) -> str:
        names = [name for name in self.arg_constraints if hasattr(self, name)]
        shown = (f"{name}: {_shown(getattr(self, name))}" for name in names)
        return type(self).__name__ + "(" + ", ".join(shown) + ")"


def _shown(value: Value) -> Any:
    return value.item() if value.numel() == 1 else tuple(value.shape)


class LogNormal(TransformedDistribution):
    """The distribution of exp of a normal number of mean `loc` and standard deviation `scale`."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(LogNormal, _instance))

    @property
    def loc(self) -> Value:
        """The mean of the logarithm."""
        return self.base_dist.loc

    @property
    def scale(self) -> Value:
        """The standard deviation of the logarithm."""
        return self.base_dist.scale

    @property
    def mean(self) -> Value:
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self) -> Value:
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self) -> Value:
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self) -> Value:
        return self.base_dist.entropy() + self.loc


class _OfSize(TransformedDistribution):
    """The distribution of the size of a number of `_of`, a distribution around 0 as wide as `scale`."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _of: ClassVar[type[LocationScale]]

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(self._of(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(_OfSize, _instance))

    @property
    def scale(self) -> Value:
        """The width of the distribution of numbers with their signs."""
        return self.base_dist.scale

    @property
    def mode(self) -> Value:
        return zeros_like(self.scale)

    def log_prob(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Value) -> Value:
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value: Value) -> Value:
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self) -> Value:
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(_OfSize):
    """The distribution of the size of a normal number of mean 0 and standard deviation `scale`."""

    _of = Normal

    @property
    def mean(self) -> Value:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Value:
        return self.scale.pow(2) * (1 - 2 / math.pi)


class HalfCauchy(_OfSize):
    """The distribution of the size of a Cauchy number around 0, half of which do not reach `scale`."""

    _of = Cauchy

    @property
    def mean(self) -> Value:
        return self.scale * 0 + math.inf

    @property
    def variance(self) -> Value:
        return self.base_dist.variance


class LogisticNormal(TransformedDistribution):
    """Vectors that add up to 1: what breaking a stick by normal numbers makes."""

    arg_constraints: ClassVar[Mapping[str, Constraint]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand((1,))
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Shape, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(LogisticNormal, _instance))

    @property
    def loc(self) -> Value:
        """The mean of the numbers."""
        return self.base_dist.base_dist.loc

    @property
    def scale(self) -> Value:
        """The standard deviation of the numbers."""
        return self.base_dist.base_dist.scale


__all__ = ["HalfCauchy", "HalfNormal", "LogNormal", "LogisticNormal", "TransformedDistribution"]
