"""Transforms of parts of a tensor one after the other, and by the cumulative distribution of a distribution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..tensor.joining import cat
from . import constraints
from .composed import sum_rightmost
from .distribution import Distribution
from .transform import Transform

Value = Any


class CatTransform(Transform):
    """A transform of its own for each of the parts along an axis, which have these `lengths`, 1 by default."""

    def __init__(
        self, tseq: Sequence[Any], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0
    ) -> None:
        if not all(isinstance(each, Transform) for each in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        super().__init__(cache_size=cache_size)
        self.transforms = [each.with_cache(cache_size) if cache_size else each for each in tseq]
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})")
        self.dim = dim
        self.bijective = all(each.bijective for each in self.transforms)
        self.domain = constraints.cat([each.domain for each in self.transforms], dim, self.lengths)
        self.codomain = constraints.cat([each.codomain for each in self.transforms], dim, self.lengths)

    @property
    def event_dim(self) -> int:
        """The largest number of axes of an event of the parts."""
        return max(int(each.event_dim) for each in self.transforms)

    @property
    def length(self) -> int:
        """The length of all parts."""
        return sum(self.lengths)

    def with_cache(self, cache_size: int = 1) -> Any:
        """Itself, with a cache of that size."""
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _parts(self, x: Value) -> list[Value]:
        if not -x.ndim <= self.dim < x.ndim:
            raise AssertionError(f"dim {self.dim} out of range for tensor with {x.ndim} dimensions")
        if x.shape[self.dim] != self.length:
            raise AssertionError(f"x.size({self.dim}) = {x.shape[self.dim]} must equal length {self.length}")
        parts, start = [], 0
        for length in self.lengths:
            parts.append(x.narrow(self.dim, start, length))
            start += length
        return parts

    def _each(self, function: Callable[[Any, Value], Value], x: Value) -> Value:
        return cat([function(each, part) for each, part in zip(self.transforms, self._parts(x))], self.dim)

    def _call(self, x: Value) -> Value:
        return self._each(lambda each, part: each(part), x)

    def _inverse(self, y: Value) -> Value:
        return self._each(lambda each, part: each._inv_call(part), y)

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        found = []
        for each, one, other in zip(self.transforms, self._parts(x), self._parts(y)):
            size = each.log_abs_det_jacobian(one, other)
            found.append(sum_rightmost(size, self.event_dim - each.event_dim))
        dim = (self.dim - x.ndim if self.dim >= 0 else self.dim) + self.event_dim
        if dim < 0:
            return cat(found, dim)
        total = found[0]
        for size in found[1:]:
            total = total + size
        return total


class CumulativeDistributionTransform(Transform):
    """Numbers as the probabilities of at most as much, by a distribution."""

    bijective = True
    codomain = constraints.unit_interval
    sign = 1

    def __init__(self, distribution: Distribution, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> Any:
        """The kind of the distribution's values."""
        return self.distribution.support

    def _call(self, x: Value) -> Value:
        return self.distribution.cdf(x)

    def _inverse(self, y: Value) -> Value:
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        return self.distribution.log_prob(x)

    def with_cache(self, cache_size: int = 1) -> Any:
        """Itself, with a cache of that size."""
        if self._cache_size == cache_size:
            return self
        return CumulativeDistributionTransform(self.distribution, cache_size)


__all__ = ["CatTransform", "CumulativeDistributionTransform"]
