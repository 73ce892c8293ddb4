"""The base of invertible functions of samples, and those that are made of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..tensor.creation import zeros_like
from . import constraints
from .composed import sum_rightmost

Value = Any
Shape = tuple[int, ...]


class Transform:
    """An invertible function of tensors, with the logarithm of the size of its determinant.

    A subclass gives `_call`, `_inverse` and `log_abs_det_jacobian`, and the sets `domain` and `codomain`.
    cache_size: 1 keeps the last pair, so that the inverse of what was computed is what it was computed of.
    """

    bijective = False
    domain: Any = constraints.real
    codomain: Any = constraints.real

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ValueError(f"cache_size must be 0 or 1, got {cache_size}")
        self._cache_size = cache_size
        self._cached: Any = None

    @property
    def event_dim(self) -> int:
        """The number of axes of one event, on both sides. Errors: ValueError where they differ."""
        if self.domain.event_dim == self.codomain.event_dim:
            return int(self.domain.event_dim)
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def inv(self) -> Any:
        """The inverse function."""
        return InverseTransform(self)

    @property
    def sign(self) -> Any:
        """1 where the function rises, -1 where it falls."""
        raise NotImplementedError(f"{type(self).__name__} has no sign")

    def with_cache(self, cache_size: int = 1) -> Any:
        """Itself, with a cache of that size."""
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __call__(self, x: Value) -> Value:
        """The function of `x`."""
        if self._cache_size == 0:
            return self._call(x)
        if self._cached is not None and x is self._cached[0]:
            return self._cached[1]
        y = self._call(x)
        self._cached = (x, y)
        return y

    def _inv_call(self, y: Value) -> Value:
        """The x of which the function is `y`."""
        if self._cache_size == 0:
            return self._inverse(y)
        if self._cached is not None and y is self._cached[1]:
            return self._cached[0]
        x = self._inverse(y)
        self._cached = (x, y)
        return x

    def _call(self, x: Value) -> Value:
        """The function itself."""
        raise NotImplementedError(f"{type(self).__name__} has no _call")

    def _inverse(self, y: Value) -> Value:
        """The inverse itself."""
        raise NotImplementedError(f"{type(self).__name__} has no inverse")

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        """The logarithm of the size of the determinant of the derivative at `x`, where the function is `y`."""
        raise NotImplementedError(f"{type(self).__name__} has no log_abs_det_jacobian")

    def forward_shape(self, shape: Shape) -> Shape:
        """The shape of what it makes of a tensor of `shape`."""
        return shape

    def inverse_shape(self, shape: Shape) -> Shape:
        """The shape of what the inverse makes of a tensor of `shape`."""
        return shape

    def __repr__(self) -> str:
        return type(self).__name__ + "()"


class InverseTransform(Transform):
    """The inverse of a transform, in terms of it."""

    def __init__(self, transform: Transform) -> None:
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform
        self.bijective = transform.bijective
        self.domain = transform.codomain
        self.codomain = transform.domain

    @property
    def sign(self) -> Any:
        return self._inv.sign

    @property
    def inv(self) -> Any:
        return self._inv

    def with_cache(self, cache_size: int = 1) -> Any:
        return self._inv.with_cache(cache_size).inv

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InverseTransform) and self._inv == other._inv

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, x: Value) -> Value:
        return self._inv._inv_call(x)

    def _inv_call(self, y: Value) -> Value:
        return self._inv(y)

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Shape) -> Shape:
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Shape) -> Shape:
        return self._inv.forward_shape(shape)

    def __repr__(self) -> str:
        return f"InverseTransform({self._inv!r})"


class ComposeTransform(Transform):
    """Several transforms, one after the other."""

    def __init__(self, parts: Sequence[Any], cache_size: int = 0) -> None:
        listed = list(parts)
        self.parts = [each.with_cache(cache_size) for each in listed] if cache_size else listed
        super().__init__(cache_size=cache_size)
        self.bijective = all(each.bijective for each in self.parts)
        self.domain = _with_axes(constraints.real if not listed else listed[0].domain, _axes(self.parts, True))
        self.codomain = _with_axes(constraints.real if not listed else listed[-1].codomain, _axes(self.parts, False))

    @property
    def sign(self) -> Any:
        sign: Any = 1
        for each in self.parts:
            sign = sign * each.sign
        return sign

    @property
    def inv(self) -> Any:
        return ComposeTransform([each.inv for each in reversed(self.parts)], self._cache_size)

    def with_cache(self, cache_size: int = 1) -> Any:
        return self if self._cache_size == cache_size else ComposeTransform(self.parts, cache_size=cache_size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, x: Value) -> Value:
        for each in self.parts:
            x = each(x)
        return x

    def _inv_call(self, y: Value) -> Value:
        for each in reversed(self.parts):
            y = each._inv_call(y)
        return y

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        if not self.parts:
            return zeros_like(x)
        total: Any = None
        axes = self.domain.event_dim
        for place, each in enumerate(self.parts):
            after = y if place == len(self.parts) - 1 else each(x)
            term = sum_rightmost(each.log_abs_det_jacobian(x, after), axes - each.domain.event_dim)
            total = term if total is None else total + term
            axes += each.codomain.event_dim - each.domain.event_dim
            x = after
        return total

    def forward_shape(self, shape: Shape) -> Shape:
        for each in self.parts:
            shape = each.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Shape) -> Shape:
        for each in reversed(self.parts):
            shape = each.inverse_shape(shape)
        return shape

    def __repr__(self) -> str:
        return "ComposeTransform(\n    " + ",\n    ".join(repr(each) for each in self.parts) + "\n)"


def _axes(parts: Sequence[Any], of_domain: bool) -> int:
    """The axes of an event of the whole, before the first part or after the last one."""
    if not parts:
        return 0
    if of_domain:
        axes = int(parts[-1].codomain.event_dim)
        for each in reversed(list(parts)):
            axes = max(axes + each.domain.event_dim - each.codomain.event_dim, each.domain.event_dim)
        return axes
    axes = int(parts[0].domain.event_dim)
    for each in parts:
        axes = max(axes + each.codomain.event_dim - each.domain.event_dim, each.codomain.event_dim)
    return axes


def _with_axes(constraint: Any, axes: int) -> Any:
    more = axes - constraint.event_dim
    return constraints.IndependentConstraint(constraint, more) if more > 0 else constraint


class IndependentTransform(Transform):
    """A transform whose last batch axes, as many as `reinterpreted_batch_ndims`, are axes of one event."""

    def __init__(self, base_transform: Any, reinterpreted_batch_ndims: int, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.base_transform = base_transform.with_cache(cache_size) if cache_size else base_transform
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.bijective = base_transform.bijective
        self.domain = _with_axes(base_transform.domain, base_transform.domain.event_dim + reinterpreted_batch_ndims)
        self.codomain = _with_axes(
            base_transform.codomain, base_transform.codomain.event_dim + reinterpreted_batch_ndims
        )

    @property
    def sign(self) -> Any:
        return self.base_transform.sign

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return IndependentTransform(self.base_transform, self.reinterpreted_batch_ndims, cache_size=cache_size)

    def _call(self, x: Value) -> Value:
        if x.ndim < self.domain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform(x)

    def _inverse(self, y: Value) -> Value:
        if y.ndim < self.codomain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform._inv_call(y)

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        return sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape: Shape) -> Shape:
        return self.base_transform.forward_shape(shape)  # type: ignore[no-any-return]

    def inverse_shape(self, shape: Shape) -> Shape:
        return self.base_transform.inverse_shape(shape)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"IndependentTransform({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


__all__ = ["ComposeTransform", "IndependentTransform", "InverseTransform", "Transform"]
