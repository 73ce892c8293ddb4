"""Invertible functions of samples, under the names of `torch.distributions.transforms`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.names.import_paths import names_of
from ..nn.functional import softmax, softplus
from ..tensor.creation import ones, zeros_like
from ..tensor.diagonals import diag_embed
from ..tensor.joining import cat, stack
from . import constraints
from .composed import sum_rightmost
from .parameters import is_number, rounding, smallest
from .transform import ComposeTransform, IndependentTransform, Transform

Value = Any
Shape = tuple[int, ...]


class ExpTransform(Transform):
    """exp."""

    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExpTransform)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return x.exp()

    def _inverse(self, y: Value) -> Value:
        return y.log()

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        return x


class PowerTransform(Transform):
    """A power of positive numbers."""

    domain = constraints.positive
    codomain = constraints.positive
    bijective = True

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.exponent = exponent

    @property
    def sign(self) -> Any:
        return math.copysign(1.0, self.exponent) if is_number(self.exponent) else self.exponent.sign()

    def with_cache(self, cache_size: int = 1) -> Any:
        return self if self._cache_size == cache_size else PowerTransform(self.exponent, cache_size=cache_size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PowerTransform):
            return False
        same: Any = self.exponent == other.exponent
        return same if isinstance(same, bool) else bool(same.all())

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return x**self.exponent

    def _inverse(self, y: Value) -> Value:
        return y ** (1 / self.exponent)

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        return (self.exponent * y / x).abs().log()


class SigmoidTransform(Transform):
    """1 / (1 + exp(-x)), of which the inverse is the logit."""

    domain = constraints.real
    codomain = constraints.unit_interval
    bijective = True
    sign = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SigmoidTransform)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return x.sigmoid().clamp(smallest(x.dtype), 1.0 - rounding(x.dtype))

    def _inverse(self, y: Value) -> Value:
        held = y.clamp(smallest(y.dtype), 1.0 - rounding(y.dtype))
        return held.log() - (-held).log1p()

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        return -softplus(-x) - softplus(x)


class SoftplusTransform(Transform):
    """log(1 + exp(x))."""

    domain = constraints.real
    codomain = constraints.positive
    bijective = True
    sign = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SoftplusTransform)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return softplus(x)

    def _inverse(self, y: Value) -> Value:
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        return -softplus(-x)


class TanhTransform(Transform):
    """tanh."""

    domain = constraints.real
    codomain = constraints.Interval(-1.0, 1.0)
    bijective = True
    sign = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TanhTransform)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return x.tanh()

    def _inverse(self, y: Value) -> Value:
        return y.atanh()

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(Transform):
    """abs, whose inverse is the number itself."""

    domain = constraints.real
    codomain = constraints.positive

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbsTransform)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return x.abs()

    def _inverse(self, y: Value) -> Value:
        return y


class AffineTransform(Transform):
    """``loc + scale * x``. event_dim: the axes of an event."""

    bijective = True

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.loc = loc
        self.scale = scale
        self._event_dim = event_dim
        if event_dim:
            self.domain = self.codomain = constraints.IndependentConstraint(constraints.real, event_dim)

    @property
    def event_dim(self) -> int:
        """The number of axes of an event."""
        return self._event_dim

    @property
    def sign(self) -> Any:
        if is_number(self.scale):
            return 1 if self.scale > 0 else -1 if self.scale < 0 else 0
        return self.scale.sign()

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return AffineTransform(self.loc, self.scale, self.event_dim, cache_size=cache_size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AffineTransform):
            return False
        pairs: list[Any] = [self.loc == other.loc, self.scale == other.scale]
        return all(each if isinstance(each, bool) else bool(each.all()) for each in pairs)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return self.loc + self.scale * x

    def _inverse(self, y: Value) -> Value:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        if is_number(self.scale):
            found = zeros_like(x) + math.log(abs(self.scale))
        else:
            found = self.scale.abs().log() + zeros_like(x)
        return sum_rightmost(found, self._event_dim)


class SoftmaxTransform(Transform):
    """softmax along the last axis, which is not invertible: its inverse is the logarithm."""

    domain = constraints.real_vector
    codomain = constraints.simplex

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SoftmaxTransform)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return softmax(x, -1)

    def _inverse(self, y: Value) -> Value:
        return y.log()


class StickBreakingTransform(Transform):
    """Vectors as positive ones with one more element that add up to 1: each breaks its share off what is left."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StickBreakingTransform)

    __hash__ = None  # type: ignore[assignment]

    def _offset(self, x: Value) -> Value:
        size = x.shape[-1]
        return (size + 1 - ones(size, dtype=x.dtype, device=x.device).cumsum(-1)).log()

    def _call(self, x: Value) -> Value:
        z = SigmoidTransform()(x - self._offset(x))
        left = (1 - z).cumprod(-1)
        one = ones(*x.shape[:-1], 1, dtype=x.dtype, device=x.device)
        return cat([z, one], -1) * cat([one, left], -1)

    def _inverse(self, y: Value) -> Value:
        y_crop = y[..., :-1]
        left = (1 - y_crop.cumsum(-1)).clamp(min=smallest(y.dtype))
        return y_crop.log() - left.log() + self._offset(y_crop)

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        moved = x - self._offset(x)
        return (-moved + -softplus(-moved) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Shape) -> Shape:
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return (*shape[:-1], shape[-1] + 1)

    def inverse_shape(self, shape: Shape) -> Shape:
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return (*shape[:-1], shape[-1] - 1)


class LowerCholeskyTransform(Transform):
    """Matrices as lower triangles with a positive diagonal: that is exp of theirs."""

    domain = constraints.IndependentConstraint(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LowerCholeskyTransform)

    __hash__ = None  # type: ignore[assignment]

    def _call(self, x: Value) -> Value:
        return x.tril(-1) + diag_embed(x.diagonal(0, -2, -1).exp())

    def _inverse(self, y: Value) -> Value:
        return y.tril(-1) + diag_embed(y.diagonal(0, -2, -1).log())


class ReshapeTransform(Transform):
    """The last axes in another shape."""

    bijective = True

    def __init__(self, in_shape: Shape, out_shape: Shape, cache_size: int = 0) -> None:
        self.in_shape = tuple(in_shape)
        self.out_shape = tuple(out_shape)
        if math.prod(self.in_shape) != math.prod(self.out_shape):
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size=cache_size)
        self.domain = constraints.IndependentConstraint(constraints.real, len(self.in_shape))
        self.codomain = constraints.IndependentConstraint(constraints.real, len(self.out_shape))

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size=cache_size)

    def _call(self, x: Value) -> Value:
        return x.reshape(tuple(x.shape[: x.ndim - len(self.in_shape)]) + self.out_shape)

    def _inverse(self, y: Value) -> Value:
        return y.reshape(tuple(y.shape[: y.ndim - len(self.out_shape)]) + self.in_shape)

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        lead = tuple(x.shape[: x.ndim - len(self.in_shape)])
        return zeros_like(x).reshape((*lead, -1)).sum(-1)

    def forward_shape(self, shape: Shape) -> Shape:
        return self._moved(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Shape) -> Shape:
        return self._moved(shape, self.out_shape, self.in_shape)

    def _moved(self, shape: Shape, before: Shape, after: Shape) -> Shape:
        cut = len(shape) - len(before)
        if cut < 0:
            raise ValueError("Too few dimensions on input")
        if tuple(shape[cut:]) != before:
            raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {before}")
        return tuple(shape[:cut]) + after


class StackTransform(Transform):
    """A transform of its own for each place along an axis."""

    def __init__(self, tseq: Sequence[Any], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size=cache_size)
        self.transforms = [each.with_cache(cache_size) if cache_size else each for each in tseq]
        self.dim = dim
        self.bijective = all(each.bijective for each in self.transforms)
        self.domain = constraints.StackConstraint([each.domain for each in self.transforms], dim)
        self.codomain = constraints.StackConstraint([each.codomain for each in self.transforms], dim)

    def _call(self, x: Value) -> Value:
        return stack([each(x.select(self.dim, k)) for k, each in enumerate(self.transforms)], self.dim)

    def _inverse(self, y: Value) -> Value:
        return stack([each._inv_call(y.select(self.dim, k)) for k, each in enumerate(self.transforms)], self.dim)

    def log_abs_det_jacobian(self, x: Value, y: Value) -> Value:
        found = [
            each.log_abs_det_jacobian(x.select(self.dim, k), y.select(self.dim, k))
            for k, each in enumerate(self.transforms)
        ]
        return stack(found, self.dim)


identity_transform = ComposeTransform([])

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "ComposeTransform",
    "ExpTransform",
    "IndependentTransform",
    "LowerCholeskyTransform",
    "PowerTransform",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StackTransform",
    "StickBreakingTransform",
    "TanhTransform",
    "Transform",
    "identity_transform",
]


__getattr__ = names_of("distributions", __name__)
